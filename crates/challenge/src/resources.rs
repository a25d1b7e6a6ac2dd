//! What a challenge may need beside its settings.

use crate::hans::CorpusFrames;
use crate::{ModifierTable, TrainingCounts};
use acidtest_nli::Pair;
use std::fmt;
use std::sync::Arc;

/// What is at hand when challenges are made; what a challenge does not need it does not look at.
#[derive(Clone, Default)]
pub struct Resources {
    /// A model that sees nothing but words.
    pub scorer: Option<Arc<dyn LexicalScorer>>,
    /// Pairs (premise, hypothesis) that must not be generated.
    pub exclude: Arc<[(String, String)]>,
    /// How often antonym pairs stand in the contradictions of the training data.
    pub training: Option<Arc<TrainingCounts>>,
    /// How often a corpus has modifiers with nouns; where it is missing, it is counted in the examples that a set is made from.
    pub modifiers: Option<Arc<ModifierTable>>,
    /// How often a training corpus has the verbs of a grammar in their frames; sets that are generated keep to those that it has often enough.
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

/// A model that sees which words stand in a pair, and nothing of how they are put together.
///
/// This crate knows no models: whoever makes a challenge hands one over.
pub trait LexicalScorer: Send + Sync {
    /// The probabilities of entailment, neutral and contradiction; of a pair that it was trained on, by a model that has not seen it.
    fn unseen_probabilities(&self, pair: &Pair<'_>) -> Result<[f64; 3], ScorerError>;

    /// What the model is, for provenance.
    fn identity(&self) -> String;
}

/// A pair that a lexical model cannot answer.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ScorerError(#[source] pub Box<dyn std::error::Error + Send + Sync>);
