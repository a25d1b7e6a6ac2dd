//! Transformers in the Hugging Face format as models.

use crate::error::Error;
use crate::network::score_pairs;
use acidtest_files::{ContentHash, note_read};
use acidtest_model::{Calls, Model, ModelError, PredictionTaker};
use acidtest_neural::{ComputePrecision, PairFeatures};
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
    pub(crate) fn open(folder: &Path, labels: Option<&[Judgment]>, precision: ComputePrecision, threads: &Threads) -> Result<Self, Error> {
        note_read(folder);
        let transformer = Transformer::open(folder, labels, precision, threads)?;
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
        let Transformer { outputs, subwords, precision, kernel, .. } = &self.transformer;
        let (precision, length, order) = (precision.name(), subwords.longest(), outputs.order());
        Some(format!("transformer {} {precision} {kernel} {length} tokens {order}", self.hash))
    }

    fn description(&self) -> Option<String> {
        let Transformer { outputs, subwords, architecture, precision, kernel, .. } = &self.transformer;
        let (precision, length, order) = (precision.name(), subwords.longest(), outputs.order());
        Some(format!("{architecture} in {precision} ({kernel} kernel), inputs of at most {length} tokens, outputs read as {order}"))
    }

    fn agreement(&self, first: &[Pair<'_>]) -> Result<Option<String>, ModelError> {
        let Transformer { classifier, subwords, outputs, precision, .. } = &self.transformer;
        if *precision == ComputePrecision::F32 {
            return Ok(None);
        }
        let failed = |message: String| ModelError::Failed { model: self.name.clone(), message };
        let features = classifier.threads().run(|| subwords.encode_all(first)).map_err(|error| failed(error.to_string()))?;
        let features: Vec<&PairFeatures> = features.iter().collect();
        let own = classifier.scores(&features).map_err(|error| failed(error.to_string()))?;
        let exact = classifier.scores_in_f32(&features).map_err(|error| failed(error.to_string()))?;
        let answer = |scores: &[f32]| Prediction::from_scores(outputs.scores(scores)).answer;
        let same = (0..own.rows).filter(|&row| answer(own.row(row)) == answer(exact.row(row))).count();
        Ok(Some(format!("{same} of the first {} predictions are those of f32", first.len())))
    }

    fn predict(&self, pairs: &[Pair<'_>], take: &mut PredictionTaker<'_>) -> Result<(), ModelError> {
        let Transformer { classifier, subwords, outputs, .. } = &self.transformer;
        let features = |part: &[Pair<'_>]| subwords.encode_all(part).map_err(|error| error.to_string());
        let prediction = |scores: &[f32]| Prediction::from_scores(outputs.scores(scores));
        for (number, part) in pairs.chunks(PAIRS_TOGETHER).enumerate() {
            let mut take = |place: usize, prediction| take(number * PAIRS_TOGETHER + place, prediction);
            score_pairs(&self.name, classifier, part, features, prediction, &mut take)?;
        }
        Ok(())
    }
}
