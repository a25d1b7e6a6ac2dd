//! Lexical models for challenges that need one.

use crate::misleading::OpenLexical;
use crate::trained::{TrainedError, open_lexical};
use acidtest_challenge::{LexicalScorer, ScorerError};
use acidtest_model::LexicalModel;
use acidtest_nli::Pair;
use std::path::Path;
use std::sync::Arc;

/// A lexical model for challenges, with its name for the provenance.
pub struct ScoringModel {
    /// The model.
    pub model: Arc<LexicalModel>,
    /// Its folder or name.
    pub name: String,
}

impl ScoringModel {
    /// Opens the folder of a lexical model.
    pub fn open(folder: &Path) -> Result<Arc<dyn LexicalScorer>, TrainedError> {
        Ok(Arc::new(ScoringModel { model: Arc::new(open_lexical(folder)?), name: folder.display().to_string() }))
    }
}

impl ScoringModel {
    /// A lexical model that is already open.
    pub(crate) fn of(lexical: &OpenLexical) -> Arc<dyn LexicalScorer> {
        Arc::new(ScoringModel { model: Arc::clone(&lexical.model), name: lexical.folder.display().to_string() })
    }
}

impl LexicalScorer for ScoringModel {
    fn unseen_probabilities(&self, pair: &Pair<'_>) -> Result<[f64; 3], ScorerError> {
        self.model.unseen_probabilities(pair).map_err(|error| ScorerError(Box::new(error)))
    }

    fn identity(&self) -> String {
        self.name.clone()
    }
}
