//! Models: whatever answers a pair.
//!
//! [`CATALOG`] lists the models that the binary carries. To add one, write a file with a type that implements [`Model`], and add its module
//! and its entry here.
//!
//! [`ProcessModel`] asks any other program. [`CachedModel`] keeps the answers of a model on disk, so that a run that was killed goes on where
//! it stopped.
//!
//! [`LexicalModel`] is trained here, and answers from the folder that its training wrote.

mod cache;
mod function;
pub mod heuristic;
pub mod lexical;
mod process;
mod reference;

pub use cache::{AnswerCache, CachedModel, Keep};
pub use function::FunctionModel;
pub use lexical::{LexicalError, LexicalModel};
pub use process::{ProcessInput, ProcessModel, ProcessSettings, kill_running};

use acidtest_nli::{Catalog, Label, LabelDoubt, Named, Pair, Prediction};
use std::path::PathBuf;

/// Something that predicts the label of a pair. It sees no gold label and no tags.
pub trait Model: Send + Sync {
    /// Hands over the prediction for each pair with the pair's place, once each, in any order.
    ///
    /// A model whose predictions come in one by one hands each over at once, so that it can be stored before the next one is there.
    fn predict(&self, pairs: &[Pair<'_>], take: &mut PredictionTaker<'_>) -> Result<(), ModelError>;

    /// The predictions for these pairs, in their order.
    fn predictions(&self, pairs: &[Pair<'_>]) -> Result<Vec<Prediction>, ModelError> {
        let mut predictions: Vec<Option<Prediction>> = vec![None; pairs.len()];
        self.predict(pairs, &mut |place, prediction| {
            predictions[place] = Some(prediction);
            Ok(())
        })?;
        predictions.into_iter().map(|prediction| prediction.ok_or(ModelError::Silent)).collect()
    }

    /// What stands for everything that the predictions depend on, so that they can be cached; `None`: never cached.
    fn identity(&self) -> Option<String> {
        None
    }

    /// Whether its predictions depend on word classes, which our tagger gives where a corpus has no parse.
    fn reads_word_classes(&self) -> bool {
        false
    }

    /// Whether several threads may ask at once.
    fn calls(&self) -> Calls {
        Calls::Parallel
    }

    /// How many predictions came from a cache, and its file; `None` for a model without one.
    fn cached(&self) -> Option<(usize, PathBuf)> {
        None
    }

    /// Whether it was trained on this pair; `None` where that is not known.
    fn saw(&self, pair: &Pair<'_>) -> Option<bool> {
        let _ = pair;
        None
    }

    /// Fails where what the answers so far mean cannot be told; asked before they are used.
    fn answers_are_clear(&self) -> Result<(), ModelError> {
        Ok(())
    }

    /// Whoever asked has everything that they wanted: what was only kept for the case of an interruption may go.
    fn finished(&self) -> Result<(), ModelError> {
        Ok(())
    }
}

/// Whether several threads may ask a model at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calls {
    /// One call at a time: others would only wait.
    OneAtATime,
    /// As many as there are threads, but it splits large calls itself and is fastest with all pairs in one.
    OneForAll,
    /// As many as there are threads.
    Parallel,
}

/// Takes the place of a pair and the prediction for it; its error ends the asking.
pub type PredictionTaker<'a> = dyn FnMut(usize, Prediction) -> Result<(), ModelError> + 'a;

impl<M: Model + ?Sized> Model for Box<M> {
    fn predict(&self, pairs: &[Pair<'_>], take: &mut PredictionTaker<'_>) -> Result<(), ModelError> {
        (**self).predict(pairs, take)
    }

    fn predictions(&self, pairs: &[Pair<'_>]) -> Result<Vec<Prediction>, ModelError> {
        (**self).predictions(pairs)
    }

    fn identity(&self) -> Option<String> {
        (**self).identity()
    }

    fn calls(&self) -> Calls {
        (**self).calls()
    }

    fn reads_word_classes(&self) -> bool {
        (**self).reads_word_classes()
    }

    fn cached(&self) -> Option<(usize, PathBuf)> {
        (**self).cached()
    }

    fn saw(&self, pair: &Pair<'_>) -> Option<bool> {
        (**self).saw(pair)
    }

    fn answers_are_clear(&self) -> Result<(), ModelError> {
        (**self).answers_are_clear()
    }

    fn finished(&self) -> Result<(), ModelError> {
        (**self).finished()
    }
}

/// A model that did not answer.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The model failed; the message says why and what would do.
    #[error("{model}: {message}")]
    Failed {
        /// The model as the user named it.
        model: String,
        /// What went wrong.
        message: String,
    },
    /// The model ended without a prediction for every pair.
    #[error("the model gave no prediction for some of the pairs; expected one for each")]
    Silent,
    /// The caller ended the asking.
    #[error("cancelled")]
    Cancelled,
    /// A setting that cannot be used.
    #[error("process model: setting `{name}`: invalid value {found}: expected {expected}")]
    Setting {
        /// The name of the setting.
        name: &'static str,
        /// Its value.
        found: String,
        /// What would do.
        expected: &'static str,
    },
    /// The shell that runs the command could not be started.
    #[error("`{command}` could not be started by `sh -c`: {source}")]
    Start {
        /// The command.
        command: String,
        /// Why not.
        source: std::io::Error,
    },
    /// The process ended before it had answered everything.
    #[error("`{command}` exited ({status}) before it had answered {unanswered} pairs, after {restarts} restarts{}", last_lines(.stderr))]
    Ended {
        /// The command.
        command: String,
        /// How it ended.
        status: std::process::ExitStatus,
        /// How many of the pairs it was sent it had not answered.
        unanswered: usize,
        /// How often it had been started again before.
        restarts: usize,
        /// Its last lines on stderr.
        stderr: Vec<String>,
    },
    /// The process gave no answer for too long.
    #[error(
        "`{command}` gave no answer for {seconds} s with {unanswered} pairs waiting; it must flush its output after each answer, and must not \
         wait for more than `batch_size` pairs or for the end of its input; if it is only slow, raise `timeout_seconds`{}",
        last_lines(.stderr)
    )]
    TimedOut {
        /// The command.
        command: String,
        /// How long it was waited for.
        seconds: f64,
        /// How many pairs it had been sent and had not answered.
        unanswered: usize,
        /// Its last lines on stderr.
        stderr: Vec<String>,
    },
    /// The process wrote a line that is no answer to a pair that it was sent and has not answered.
    #[error("`{command}` wrote `{line}`: {problem}")]
    Answer {
        /// The command.
        command: String,
        /// The line, cut where it is long.
        line: String,
        /// What is wrong with it and what would do.
        problem: String,
    },
    /// Answers whose labels do not say what they mean.
    #[error("`{command}`: {doubt}")]
    DoubtfulAnswers {
        /// The command.
        command: String,
        /// Why not.
        doubt: LabelDoubt,
    },
    /// Another process has the answers open.
    #[error("{path}: in use by another run; wait for it to finish, or choose another cache folder")]
    CacheInUse {
        /// The file of answers.
        path: String,
    },
    /// A file in the place of the stored answers holds something else.
    #[error("{path}: not a cache of this model's predictions; move it away, or choose another cache folder")]
    CacheForeign {
        /// The file.
        path: String,
    },
    /// The stored answers could not be read or written.
    #[error("{path}: {source}")]
    Cache {
        /// The file or folder.
        path: String,
        /// Why not.
        source: std::io::Error,
    },
}

impl ModelError {
    /// The last lines that the process wrote to standard error, where it is a process that failed.
    pub fn stderr(&self) -> Option<&[String]> {
        match self {
            ModelError::Ended { stderr, .. } | ModelError::TimedOut { stderr, .. } => Some(stderr),
            _ => None,
        }
    }
}

fn last_lines(stderr: &[String]) -> String {
    if stderr.is_empty() {
        "; it wrote nothing to standard error".to_string()
    } else {
        format!("; the last lines of its standard error are:\n{}", stderr.join("\n"))
    }
}

/// A model as the catalog lists it.
pub struct ModelEntry {
    /// The name that users type.
    pub name: &'static str,
    /// How it answers, in one line.
    pub summary: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// Makes the model from the counts of the training labels.
    pub build: fn(TrainingLabels) -> Box<dyn Model>,
}

/// How often each label stands in the training data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TrainingLabels(pub [u64; 3]);

impl TrainingLabels {
    /// The most frequent label; the earlier one where two are equally frequent.
    pub fn most_frequent(self) -> Label {
        let most = self.0.iter().max().copied().unwrap_or_default();
        Label::ALL.into_iter().find(|label| self.0[label.index()] == most).unwrap_or(Label::Entailment)
    }
}

impl Named for ModelEntry {
    fn name(&self) -> &str {
        self.name
    }
}

/// All models that need no file.
pub static CATALOG: Catalog<ModelEntry> = Catalog::new("model", &[reference::MAJORITY, reference::OVERLAP, reference::NEGATION_WORD]);
