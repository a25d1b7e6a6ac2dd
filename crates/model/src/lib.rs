//! Models: anything that predicts the label of a pair.
//!
//! [`CATALOG`] lists the built-in models. To add one, write a file with a type that implements [`Model`], and add its module
//! and its entry here.
//!
//! [`ProcessModel`] runs any other program. [`CachedModel`] keeps predictions on disk, so that a run that was killed continues where
//! it stopped.
//!
//! [`LexicalModel`] is trained here, and predicts from the folder that its training wrote.

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
    /// Passes the prediction for each pair, with the pair's index, to `take`, once each and in any order.
    ///
    /// A model that predicts pairs one by one passes each prediction on immediately, so that it can be stored.
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

    /// Identifies everything that the predictions depend on, so that they can be cached; `None` if they never are.
    fn identity(&self) -> Option<String> {
        None
    }

    /// Whether predictions depend on part-of-speech tags, which our tagger provides if the corpus has no parse.
    fn reads_word_classes(&self) -> bool {
        false
    }

    /// Whether several threads may call it at the same time.
    fn calls(&self) -> Calls {
        Calls::Parallel
    }

    /// How many predictions came from a cache, and its file; `None` for a model without a cache.
    fn cached(&self) -> Option<(usize, PathBuf)> {
        None
    }

    /// How it computes and what its outputs mean, for reports; `None` if there is nothing to choose.
    fn description(&self) -> Option<String> {
        None
    }

    /// How many of its predictions for these pairs, the first of a report, are those of a more precise computation, in a clause; `None` for
    /// a model that computes as precisely as it can.
    fn agreement(&self, first: &[Pair<'_>]) -> Result<Option<String>, ModelError> {
        let _ = first;
        Ok(None)
    }

    /// Whether it was trained on this pair; `None` if that is not known.
    fn saw(&self, pair: &Pair<'_>) -> Option<bool> {
        let _ = pair;
        None
    }

    /// Fails if the labels of the predictions so far are ambiguous; called before they are used.
    fn answers_are_clear(&self) -> Result<(), ModelError> {
        Ok(())
    }

    /// Called when all predictions have been used: a cache that only serves interrupted runs can be dropped.
    fn finished(&self) -> Result<(), ModelError> {
        Ok(())
    }
}

/// Whether several threads may call a model at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calls {
    /// One call at a time: further calls would only wait.
    OneAtATime,
    /// As many as there are threads, but large calls are split internally and one call with all pairs is fastest.
    OneForAll,
    /// As many as there are threads.
    Parallel,
}

/// Receives the index of a pair and its prediction; an error ends the prediction.
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

    fn description(&self) -> Option<String> {
        (**self).description()
    }

    fn agreement(&self, first: &[Pair<'_>]) -> Result<Option<String>, ModelError> {
        (**self).agreement(first)
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

/// An error of a model.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The model failed; the message says why and what to do.
    #[error("{model}: {message}")]
    Failed {
        /// The model as the user named it.
        model: String,
        /// What went wrong.
        message: String,
    },
    /// The model returned without a prediction for every pair.
    #[error("the model returned no prediction for some of the pairs; expected one for each")]
    Silent,
    /// The caller cancelled the prediction.
    #[error("cancelled")]
    Cancelled,
    /// An invalid setting.
    #[error("process model: setting `{name}`: invalid value {found}: expected {expected}")]
    Setting {
        /// The name of the setting.
        name: &'static str,
        /// Its value.
        found: String,
        /// What is accepted.
        expected: &'static str,
    },
    /// The shell that runs the command could not be started.
    #[error("`{command}` could not be started by `sh -c`: {source}")]
    Start {
        /// The command.
        command: String,
        /// The system's message.
        source: std::io::Error,
    },
    /// The process exited before it had answered all pairs.
    #[error("`{command}` exited ({status}) with {unanswered} pairs unanswered, after {restarts} restarts{}", last_lines(.stderr))]
    Ended {
        /// The command.
        command: String,
        /// Its exit status.
        status: std::process::ExitStatus,
        /// The number of pairs that were sent and not answered.
        unanswered: usize,
        /// How often it had been restarted.
        restarts: usize,
        /// Its last lines on stderr.
        stderr: Vec<String>,
    },
    /// The process gave no answer within the time limit.
    #[error(
        "`{command}` returned no prediction for {seconds} s with {unanswered} pairs waiting; it must flush its output after each prediction, and must \
         not wait for more than `batch_size` pairs or for the end of its input; if it is only slow, raise `timeout_seconds`{}",
        last_lines(.stderr)
    )]
    TimedOut {
        /// The command.
        command: String,
        /// The time limit.
        seconds: f64,
        /// The number of pairs that were sent and not answered.
        unanswered: usize,
        /// Its last lines on stderr.
        stderr: Vec<String>,
    },
    /// The process wrote a line that does not answer any pair it was sent.
    #[error("`{command}` wrote `{line}`: {problem}")]
    Answer {
        /// The command.
        command: String,
        /// The line, shortened if it is long.
        line: String,
        /// What is wrong with it, and what is expected.
        problem: String,
    },
    /// The labels of the predictions are ambiguous.
    #[error("`{command}`: {doubt}")]
    DoubtfulAnswers {
        /// The command.
        command: String,
        /// Why they are ambiguous.
        doubt: LabelDoubt,
    },
    /// Another process has the cache open.
    #[error("{path}: in use by another run; wait for it to finish, or choose another cache folder")]
    CacheInUse {
        /// The file of the cache.
        path: String,
    },
    /// The file of the cache contains something else.
    #[error("{path}: not a cache of this model's predictions; move it away, or choose another cache folder")]
    CacheForeign {
        /// The file.
        path: String,
    },
    /// The cache could not be read or written.
    #[error("{path}: {source}")]
    Cache {
        /// The file or folder.
        path: String,
        /// The system's message.
        source: std::io::Error,
    },
}

impl ModelError {
    /// The last lines of standard error, if a process failed.
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

/// An entry of [`CATALOG`].
pub struct ModelEntry {
    /// The name that users type.
    pub name: &'static str,
    /// How it predicts, in one line.
    pub summary: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// Makes the model from the counts of the training labels.
    pub build: fn(TrainingLabels) -> Box<dyn Model>,
}

/// How often each label occurs in the training data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TrainingLabels(pub [u64; 3]);

impl TrainingLabels {
    /// The most frequent label; the earlier one if two are equally frequent.
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

/// All models that need no files.
pub static CATALOG: Catalog<ModelEntry> = Catalog::new("model", &[reference::MAJORITY, reference::OVERLAP, reference::NEGATION_WORD]);
