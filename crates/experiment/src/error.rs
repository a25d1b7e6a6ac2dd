//! What can go wrong on the way from specs to results.

use crate::answers::JudgeError;
use crate::gate::GateProblem;
use crate::review::{ReviewProblem, SheetProblem};
use crate::session::Cancelled;
use crate::sets::ORIGINAL;
use crate::spec::SpecError;
use crate::trained::TrainedError;
use crate::training::TrainingError;
use acidtest_challenge::ChallengeError;
use acidtest_corpus::{CorpusError, SplitError};
use acidtest_evaluate::analysis::AnalysisError;
use acidtest_evaluate::report::json::ReadError;
use acidtest_files::FileError;
use acidtest_model::{LexicalError, ModelError};
use acidtest_nli::{SettingsError, UnknownName};
use acidtest_threads::ThreadsError;

/// Work that could not be done. Errors name fields and values; the front end adds the flag, the key or the argument.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A field of a spec cannot be used.
    #[error("{0}")]
    Spec(#[from] SpecError),
    /// A name that nothing has.
    #[error("{0}")]
    UnknownName(#[from] UnknownName),
    /// A text that names no model.
    #[error("{unknown}; also accepted: {}", .others.join(", "))]
    UnknownModel {
        /// The name and those that are known.
        unknown: UnknownName,
        /// How models are named that are in no list.
        others: Vec<&'static str>,
    },
    /// A model that has no weights yet.
    #[error("`{model}` has no weights yet")]
    Untrained {
        /// Its name.
        model: String,
    },
    /// The folder of a trained model where a file belongs.
    #[error("{folder}: is the folder of a trained model, not {wanted}")]
    ModelFolder {
        /// The folder.
        folder: String,
        /// What belongs there.
        wanted: &'static str,
    },
    /// A file of a model folder where the folder belongs.
    #[error("{file}: is a file of a trained model; name its folder, {folder}")]
    ModelFile {
        /// The file.
        file: String,
        /// The folder.
        folder: String,
    },
    /// Two models of one name.
    #[error("two models are named `{name}`")]
    SameName {
        /// The name.
        name: String,
    },
    /// Predictions that are the data itself.
    #[error("{file}: this is {data} itself, whose labels are the gold labels (expected a file of predictions)")]
    DataAsPredictions {
        /// The file of predictions.
        file: String,
        /// The same file as data.
        data: String,
    },
    /// Predictions by row, of data with rows that were skipped.
    #[error(
        "{model}: its predictions are joined by row number, but {skipped} of the data's rows were skipped, so that numbers may be shifted (expected predictions with ids)"
    )]
    ShiftedRows {
        /// The model.
        model: String,
        /// How many rows.
        skipped: u64,
    },
    /// Two seeds of an arm that are one.
    #[error("`{first}` and `{second}` of {arm} have the same predictions (expected another seed, not a copy)")]
    SameSeed {
        /// The arm.
        arm: String,
        /// One seed.
        first: String,
        /// The other.
        second: String,
    },
    /// Something that was refused before any model was asked.
    #[error(transparent)]
    BeforeAsking(Box<Error>),
    /// One command twice, under two names.
    #[error("`{first}` and `{second}` are the same command `{command}` (expected each command once)")]
    SameCommand {
        /// The first name.
        first: String,
        /// The second name.
        second: String,
        /// The command.
        command: String,
    },
    /// Reading or writing failed.
    #[error("{0}")]
    Corpus(#[source] CorpusError),
    /// A split that cannot be made.
    #[error("{0}")]
    Split(#[from] SplitError),
    /// Two values of a tag that would be written to one file.
    #[error("{first} and {second} would both be written to the file `{name}`; values must differ in letters, digits, `-`, `_` or `.`")]
    SameFileName {
        /// The name without its ending.
        name: String,
        /// What it stands for.
        first: String,
        /// What else it would stand for.
        second: String,
    },
    /// The name of an output does not say in which format it is to be written, and no format was given.
    #[error("{0}")]
    NoFormat(#[source] CorpusError),
    /// A corpus is to be cut by a tag that no row has.
    #[error("none of the {rows} examples has the tag `{tag}`")]
    NoSuchTag {
        /// The tag.
        tag: String,
        /// How many rows there are.
        rows: u64,
    },
    /// Parts of a split would lie beside other files.
    #[error("{folder}: not empty (`{name}` is in it), and an old part may share premises with the new ones; choose a new or empty folder")]
    UsedFolder {
        /// The folder.
        folder: String,
        /// A file in it.
        name: String,
    },
    /// A folder of parts that holds something else.
    #[error("{folder}: `{name}` was not written by an earlier split; choose a new folder, or one that contains nothing else")]
    OtherThings {
        /// The folder.
        folder: String,
        /// What is in it.
        name: String,
    },
    /// A challenge refuses its settings.
    #[error("{0}")]
    Settings(#[from] SettingsError),
    /// A challenge that is made from examples, and none to make it from.
    #[error("challenge `{challenge}` is made from a corpus, and there is none")]
    NoCorpus {
        /// The challenge.
        challenge: &'static str,
    },
    /// No example has this id.
    #[error("{path}: there is no example `{id}`")]
    NoSuchExample {
        /// The id.
        id: String,
        /// The first file that was read.
        path: String,
    },
    /// No example has a label to be misled about.
    #[error("{files}: no example has a gold label to score against; expected entailment, neutral or contradiction")]
    NothingToScore {
        /// The files that were read.
        files: String,
    },
    /// A model did not predict.
    #[error("{0}")]
    Model(#[from] ModelError),
    /// The folder of a trained model cannot be used.
    #[error("{0}")]
    Trained(#[from] TrainedError),
    /// A lexical model cannot be used.
    #[error("{0}")]
    Lexical(#[source] LexicalError),
    /// Something that only networks take, for a model that is none.
    #[error("{field}: applies to networks, and `{model}` is not one")]
    ForNetworks {
        /// The field of the spec.
        field: &'static str,
        /// The model.
        model: &'static str,
    },
    /// A network could not be trained.
    #[error("{0}")]
    Training(#[source] TrainingError),
    /// Predictions and examples do not go together.
    #[error("{model}{}: {source}", of_set(.set))]
    Judge {
        /// The model.
        model: String,
        /// The set.
        set: String,
        /// What is wrong.
        source: JudgeError,
    },
    /// An analysis could not be made.
    #[error("{0}")]
    Analysis(#[from] AnalysisError),
    /// Recorded predictions that do not say which example they are for.
    #[error("model `{model}`: the predictions have no ids, so they cannot be matched to the examples of {purpose}")]
    NoIds {
        /// The model.
        model: String,
        /// What they were to be used for.
        purpose: &'static str,
    },
    /// Predictions where something to ask is needed.
    #[error("{model}: is a file of saved predictions; expected a model")]
    Recorded {
        /// The file.
        model: String,
    },
    /// Something to ask where recorded predictions are needed.
    #[error("{model}: is a model; expected a file of saved predictions")]
    NotRecorded {
        /// The model.
        model: String,
    },
    /// Standard input where the examples are read twice.
    #[error("standard input cannot be read twice; pass files")]
    ReadTwice,
    /// An example without text where a model is to be asked.
    #[error("example `{id}` has no text, which a model needs; a gold key works with saved predictions only")]
    NoText {
        /// Its id.
        id: String,
    },
    /// Predictions that were made for other text than that of the examples.
    #[error(
        "{model}: {count} of {answers} predictions were made for other texts than the data has under these ids (first: {first}), such as a challenge set \
         with another seed or other settings; predict again on this data"
    )]
    OtherTexts {
        /// The model.
        model: String,
        /// The first example.
        first: String,
        /// How many predictions.
        count: usize,
        /// How many there are.
        answers: usize,
    },
    /// The labels were read in the wrong order.
    #[error("{model}: {verdict}")]
    WrongOrder {
        /// The model.
        model: String,
        /// What is wrong.
        verdict: String,
        /// The order of the model's labels that fits, such as `C,E,N`; nothing for a model that knows its labels.
        better: Option<String>,
        /// The order of the data's numbers that fits, where that was taken for granted.
        better_data: Option<String>,
    },
    /// A gate that is refused before any model is asked.
    #[error("{field}: {problem}")]
    Gate {
        /// The field that is wrong.
        field: &'static str,
        /// What is wrong with it.
        problem: Box<GateProblem>,
    },
    /// A judge's sheet that cannot be used.
    #[error("{path}:{line}: {problem}")]
    Sheet {
        /// The sheet.
        path: String,
        /// The line.
        line: u64,
        /// What is wrong.
        problem: SheetProblem,
    },
    /// A review that cannot be drawn, scored or stored.
    #[error("{path}: {problem}")]
    Review {
        /// The folder or file.
        path: String,
        /// What is wrong.
        problem: ReviewProblem,
    },
    /// A file that is no report.
    #[error("{path}: {source}")]
    Report {
        /// The file.
        path: String,
        /// What is wrong.
        source: ReadError,
    },
    /// A folder in which a report cannot go.
    #[error("{path}: exists and is not a report; choose a new or empty folder")]
    NoReportFolder {
        /// The folder.
        path: String,
    },
    /// A file or folder could not be written.
    #[error("{0}")]
    Files(#[from] FileError),
    /// A challenge could not be set up or made.
    #[error("{0}")]
    Challenge(#[from] ChallengeError),
    /// A file that the library reads or writes by itself.
    #[error("{path}: {source}")]
    File {
        /// The file or folder.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// Threads that the system does not give.
    #[error("{0}")]
    Threads(#[from] ThreadsError),
    /// The caller ended the work.
    #[error("{0}")]
    Cancelled(#[from] Cancelled),
}

impl From<LexicalError> for Error {
    fn from(error: LexicalError) -> Self {
        match error {
            LexicalError::Cancelled => Error::Cancelled(Cancelled),
            other => Error::Lexical(other),
        }
    }
}

impl From<TrainingError> for Error {
    fn from(error: TrainingError) -> Self {
        match error {
            TrainingError::Cancelled(cancelled) => Error::Cancelled(cancelled),
            TrainingError::Corpus(CorpusError::Cancelled) => Error::Cancelled(Cancelled),
            other => Error::Training(other),
        }
    }
}

impl From<CorpusError> for Error {
    fn from(error: CorpusError) -> Self {
        match error {
            CorpusError::Cancelled => Error::Cancelled(Cancelled),
            other => Error::Corpus(other),
        }
    }
}

/// Where in a run something is wrong; the examples themselves need no name.
fn of_set(set: &str) -> String {
    if set == ORIGINAL { String::new() } else { format!(", set `{set}`") }
}
