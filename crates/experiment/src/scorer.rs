//! How challenges that need a lexical model reach one.

use acidtest_challenge::{LexicalScorer, ScorerError};
use acidtest_model::LexicalModel;
use acidtest_nli::Pair;

/// A lexical model as challenges ask it, under the name by which its provenance is told.
pub struct ScoringModel {
    /// The model.
    pub model: LexicalModel,
    /// Its folder or name.
    pub name: String,
}

impl LexicalScorer for ScoringModel {
    fn unseen_probabilities(&self, pair: &Pair<'_>) -> Result<[f64; 3], ScorerError> {
        self.model.unseen_probabilities(pair).map_err(|error| ScorerError(Box::new(error)))
    }

    fn identity(&self) -> String {
        self.name.clone()
    }
}
