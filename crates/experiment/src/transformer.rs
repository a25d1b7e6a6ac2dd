//! Transformers in the Hugging Face format as models.

use crate::error::Error;
use crate::network::score_pairs;
use acidtest_files::{ContentHash, note_read};
use acidtest_model::{Calls, Model, ModelError, PredictionTaker};
use acidtest_nli::{Judgment, Label, Pair, Prediction};
use acidtest_threads::Threads;
use acidtest_transformers::{Outputs, Transformer, transformer_hash};
use std::path::Path;

/// The number of pairs that are tokenized at a time.
const PAIRS_TOGETHER: usize = 1 << 13;

/// A transformer that scores pairs.
pub(crate) struct TransformerModel {
    name: String,
    transformer: Transformer,
    hash: ContentHash,
}

impl TransformerModel {
    /// Opens a folder; `labels` is the order of the outputs if the user gives one.
    pub(crate) fn open(folder: &Path, labels: Option<&[Judgment]>, threads: &Threads) -> Result<Self, Error> {
        note_read(folder);
        let transformer = Transformer::open(folder, labels, threads)?;
        Ok(TransformerModel { name: folder.display().to_string(), transformer, hash: transformer_hash(folder)? })
    }

    /// A hash of the files that determine predictions.
    pub(crate) fn hash(&self) -> ContentHash {
        self.hash
    }

    /// The order in which the outputs are read; the usual one if they are not three.
    pub(crate) fn labels(&self) -> [Label; 3] {
        match self.transformer.outputs {
            Outputs::Three(labels) => labels,
            _ => Label::ALL,
        }
    }
}

impl Model for TransformerModel {
    fn calls(&self) -> Calls {
        Calls::OneForAll
    }

    fn identity(&self) -> Option<String> {
        let Transformer { outputs, subwords, .. } = &self.transformer;
        let kernel = acidtest_neural::instructions();
        Some(format!("transformer {} f32 {kernel} {} tokens {}", self.hash, subwords.longest(), outputs.order()))
    }

    fn description(&self) -> Option<String> {
        let Transformer { outputs, subwords, architecture, .. } = &self.transformer;
        Some(format!(
            "{architecture} in f32 ({} kernel), inputs of at most {} tokens, outputs read as {}",
            acidtest_neural::instructions(),
            subwords.longest(),
            outputs.order()
        ))
    }

    fn predict(&self, pairs: &[Pair<'_>], take: &mut PredictionTaker<'_>) -> Result<(), ModelError> {
        let Transformer { classifier, subwords, outputs, .. } = &self.transformer;
        let prediction = |scores: &[f32]| Prediction::from_scores(outputs.scores(scores));
        score_pairs(&self.name, (classifier, subwords), pairs, PAIRS_TOGETHER, prediction, take)
    }
}
