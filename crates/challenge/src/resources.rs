//! Resources that a challenge may need besides its settings.

use crate::hans::CorpusFrames;
use crate::{ModifierTable, TrainingCounts};
use acidtest_nli::Pair;
use std::fmt;
use std::sync::Arc;

/// The available resources; challenges use only those that they need.
#[derive(Clone, Default)]
pub struct Resources {
    /// A model that only sees words.
    pub scorer: Option<Arc<dyn LexicalScorer>>,
    /// Pairs (premise, hypothesis) that must not be generated.
    pub exclude: Arc<[(String, String)]>,
    /// How often antonym pairs occur in contradictions of the training data.
    pub training: Option<Arc<TrainingCounts>>,
    /// How often a corpus uses modifiers with nouns; if missing, it is counted in the examples that the set is made from.
    pub modifiers: Option<Arc<ModifierTable>>,
    /// The frequencies of a grammar's verbs in a training corpus; generated sets then use only frequent verbs.
    pub frames: Option<Arc<CorpusFrames>>,
}

impl fmt::Debug for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scorer = self.scorer.as_ref().map(|scorer| scorer.identity());
        f.debug_struct("Resources")
            .field("scorer", &scorer)
            .field("exclude", &self.exclude.len())
            .field("training", &self.training.is_some())
            .field("modifiers", &self.modifiers.is_some())
            .field("frames", &self.frames.is_some())
            .finish()
    }
}

/// A model that sees the words of a pair, but not how they are combined.
///
/// This crate does not depend on models; the caller provides one.
pub trait LexicalScorer: Send + Sync {
    /// The probabilities of entailment, neutral and contradiction. A training pair is scored by a model that was not trained on it.
    fn unseen_probabilities(&self, pair: &Pair<'_>) -> Result<[f64; 3], ScorerError>;

    /// A description of the model, for provenance.
    fn identity(&self) -> String;
}

/// The lexical model cannot score a pair.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ScorerError(#[source] pub Box<dyn std::error::Error + Send + Sync>);
