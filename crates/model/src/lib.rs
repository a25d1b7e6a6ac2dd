//! Models: whatever answers a pair.
//!
//! [`CATALOG`] lists the models that the binary carries. To add one, write a file with a type that implements [`Model`], and add its module
//! and its entry here.

mod reference;

use acidtest_nli::{Label, Named, Pair, Prediction};

/// Something that answers pairs. It sees no gold label and no tags.
pub trait Model: Send + Sync {
    /// The answers to these pairs, in their order.
    fn answer(&self, pairs: &[Pair<'_>]) -> Result<Vec<Prediction>, ModelError>;
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
}

/// A model as the catalog lists it.
pub struct Entry {
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

impl Named for Entry {
    fn name(&self) -> &str {
        self.name
    }
}

/// All models that need no file.
pub const CATALOG: &[Entry] = &[reference::MAJORITY, reference::OVERLAP, reference::NEGATION_WORD];
