//! Errors of specs and entry points.

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

/// What the ids of predictions are needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdsNeeded {
    /// To find the predictions for the examples of a part.
    PartOfASet,
    /// To know which of several sets a prediction is for.
    SeveralSets,
}

impl std::fmt::Display for IdsNeeded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            IdsNeeded::PartOfASet => "predictions for a part of the examples cannot be identified",
            IdsNeeded::SeveralSets => "they cannot be matched to the examples of several challenge sets",
        })
    }
}

/// An error of an entry point. Errors name fields and values; the front end adds the flag, the key or the argument.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A field of a spec has an invalid value.
    #[error("{0}")]
    Spec(#[from] SpecError),
    /// A setting that no model has.
    #[error("{setting}: does not apply to any of the models; leave it out")]
    UnusedSetting {
        /// The field.
        setting: String,
    },
    /// An unknown name.
    #[error("{0}")]
    UnknownName(#[from] UnknownName),
    /// A text that does not name a model.
    #[error("{unknown}; also accepted: {}", .others.join(", "))]
    UnknownModel {
        /// The name, and the known ones.
        unknown: UnknownName,
        /// Other ways to name models.
        others: Vec<&'static str>,
    },
    /// A program was given instead of a file of predictions or a command.
    #[error("{model}: this looks like a program; write `process:{command}` to run it")]
    Program {
        /// The program.
        model: String,
        /// The command that would run it.
        command: String,
    },
    /// The folder of a transformer cannot be used.
    #[error(transparent)]
    Transformer(#[from] acidtest_transformers::TransformerError),
    /// A folder has the files of two kinds of models.
    #[error("{folder}: has both model.json and config.json, so it could be either of two models; move one of them to a folder of its own")]
    TwoModels {
        /// The folder.
        folder: String,
    },
    /// A folder without a transformer where one was to be fine-tuned.
    #[error(
        "{folder}: cannot be trained: it has no config.json with a `model_type`; expected the folder of a transformer in the Hugging Face format, or the name of a model to train"
    )]
    NotTrainable {
        /// The folder.
        folder: String,
    },
    /// A model that has no weights yet.
    #[error("`{model}` has no weights yet")]
    Untrained {
        /// Its name.
        model: String,
    },
    /// The folder of a trained model was given instead of a file.
    #[error("{folder}: is the folder of a trained model, not {wanted}")]
    ModelFolder {
        /// The folder.
        folder: String,
        /// What was expected.
        wanted: &'static str,
    },
    /// A file of a model folder was given instead of the folder.
    #[error("{file}: is a file of a trained model; name its folder, {folder}")]
    ModelFile {
        /// The file.
        file: String,
        /// The folder.
        folder: String,
    },
    /// Two models with the same name.
    #[error("two models are named `{name}`")]
    SameName {
        /// The name.
        name: String,
    },
    /// The data itself was given as predictions.
    #[error("{file}: this is {data} itself, whose labels are the gold labels (expected a file of predictions)")]
    DataAsPredictions {
        /// The file of predictions.
        file: String,
        /// The same file as data.
        data: String,
    },
    /// Predictions by row number were given for data with skipped rows.
    #[error(
        "{model}: its predictions are joined by row number, but {gaps} of the data's {rows} rows were skipped, so the numbers may be shifted; expected \
         predictions with ids, or with a column `index` that numbers all rows of the data from 0"
    )]
    ShiftedRows {
        /// The model.
        model: String,
        /// How many rows were skipped.
        gaps: usize,
        /// How many rows there are.
        rows: usize,
    },
    /// Two seeds of an arm have the same predictions.
    #[error("`{first}` and `{second}` of {arm} have the same predictions (expected another seed, not a copy)")]
    SameSeed {
        /// The arm.
        arm: String,
        /// One seed.
        first: String,
        /// The other.
        second: String,
    },
    /// An error before any model was called.
    #[error(transparent)]
    BeforeAsking(Box<Error>),
    /// The same command under two names.
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
        /// The value it is for.
        first: String,
        /// The other value.
        second: String,
    },
    /// The name of an output does not imply a format, and none was given.
    #[error("{0}")]
    NoFormat(#[source] CorpusError),
    /// A corpus is to be split by a tag that no example has.
    #[error("none of the {rows} examples has the tag `{tag}`")]
    NoSuchTag {
        /// The tag.
        tag: String,
        /// The number of examples.
        rows: u64,
    },
    /// The folder of a split is not empty.
    #[error("{folder}: not empty (`{name}` is in it), and an old part may share premises with the new ones; choose a new or empty folder")]
    UsedFolder {
        /// The folder.
        folder: String,
        /// A file in it.
        name: String,
    },
    /// The folder of a split contains other files.
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
    /// A challenge needs a corpus, and none was given.
    #[error("challenge `{challenge}` needs a corpus, and none was given")]
    NoCorpus {
        /// The challenge.
        challenge: &'static str,
    },
    /// No sentence of a corpus gives a pair.
    #[error("{path}: no sentence gives a pair for `{challenge}` ({reasons}); nothing was written")]
    NothingMade {
        /// The first file that was read.
        path: String,
        /// The challenge.
        challenge: &'static str,
        /// Why not, the most frequent reasons first.
        reasons: String,
    },
    /// No example has this id.
    #[error("{path}: there is no example `{id}`")]
    NoSuchExample {
        /// The id.
        id: String,
        /// The first file that was read.
        path: String,
    },
    /// A grammar without verbs whose frames could be counted.
    #[error("{grammar}: none of its template verbs occurs in a frame (object, clause, no object, passive or reduced participle)")]
    NoVerbs {
        /// The grammar.
        grammar: String,
    },
    /// No example has a gold label.
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
    /// A setting for networks was given for another model.
    #[error("{field}: applies to networks, and `{model}` is not one")]
    ForNetworks {
        /// The field of the spec.
        field: &'static str,
        /// The model.
        model: &'static str,
    },
    /// The words of a transformer's inputs were to be shuffled.
    #[error("{field}: does not apply to transformers, whose input is one sequence of the parts of words of both sentences; leave it out")]
    NoWordOrder {
        /// The field of the spec.
        field: &'static str,
    },
    /// A network could not be trained.
    #[error("{0}")]
    Training(#[source] TrainingError),
    /// Predictions and examples do not match.
    #[error("{model}{}: {source}", of_set(.set))]
    Judge {
        /// The model.
        model: String,
        /// The set.
        set: String,
        /// What is wrong.
        source: JudgeError,
    },
    /// An analysis failed.
    #[error("{0}")]
    Analysis(#[from] AnalysisError),
    /// Recorded predictions that do not say which example they are for.
    #[error("model `{model}`: the predictions have no ids, so {needed}")]
    NoIds {
        /// The model.
        model: String,
        /// What ids would be needed for.
        needed: IdsNeeded,
    },
    /// Saved predictions where a model is needed.
    #[error("{model}: is a file of saved predictions; expected a model")]
    Recorded {
        /// The file.
        model: String,
    },
    /// A model where saved predictions are needed.
    #[error("{model}: is a model; expected a file of saved predictions")]
    NotRecorded {
        /// The model.
        model: String,
    },
    /// Standard input where the examples are read twice.
    #[error("standard input cannot be read twice; pass files")]
    ReadTwice,
    /// An example without text where a model is called.
    #[error("example `{id}` has no text, which a model needs; a gold key works with saved predictions only")]
    NoText {
        /// Its id.
        id: String,
    },
    /// Predictions that were made for other texts.
    #[error(
        "{model}: {count} of {answers} predictions were made for texts that differ from those of the data with the same ids (first: {first}), such as a challenge set \
         with another seed or other settings; predict again on this data"
    )]
    OtherTexts {
        /// The model.
        model: String,
        /// The first such example.
        first: String,
        /// The number of such predictions.
        count: usize,
        /// The number of predictions.
        answers: usize,
    },
    /// The labels were read in the wrong order.
    #[error("{model}: {verdict}")]
    WrongOrder {
        /// The model.
        model: String,
        /// What is wrong.
        verdict: String,
        /// The order of the model's labels that fits, such as `C,E,N`; `None` for a model that knows its labels.
        better: Option<String>,
        /// The order of the data's numbers that fits, if it was assumed.
        better_data: Option<String>,
    },
    /// A gate that is refused before any model is called.
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
    /// A file that is not a report.
    #[error("{path}: {source}")]
    Report {
        /// The file.
        path: String,
        /// What is wrong.
        source: ReadError,
    },
    /// A folder that cannot be used for a report.
    #[error("{path}: exists and is not a report; choose a new or empty folder")]
    NoReportFolder {
        /// The folder.
        path: String,
    },
    /// A file or folder could not be written.
    #[error("{0}")]
    Files(#[from] FileError),
    /// A challenge failed.
    #[error("{0}")]
    Challenge(#[from] ChallengeError),
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file or folder.
        path: String,
        /// The system's message.
        source: std::io::Error,
    },
    /// Threads could not be started.
    #[error("{0}")]
    Threads(#[from] ThreadsError),
    /// The caller cancelled the work.
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
            TrainingError::ReadTwice => Error::ReadTwice,
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

/// The set in which something is wrong; the original examples need no name.
fn of_set(set: &str) -> String {
    if set == ORIGINAL { String::new() } else { format!(", set `{set}`") }
}
