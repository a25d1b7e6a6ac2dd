//! Transformers in the Hugging Face format as models.

use crate::error::Error;
use crate::network::score_pairs;
use crate::trained::TrainedError;
use crate::training::{SEEN_FILE, SeenPairs};
use acidtest_files::{ContentHash, FileHashes, check_seal, note_read};
use acidtest_model::{Calls, Model, ModelError, PredictionTaker};
use acidtest_nli::{Judgment, Label, Pair, Prediction};
use acidtest_threads::Threads;
use acidtest_transformers::{Outputs, Transformer, transformer_hash};
use serde_json::Value;
use std::path::Path;

/// The number of pairs that are tokenized at a time.
const PAIRS_TOGETHER: usize = 1 << 13;

/// The file that describes how a transformer was fine-tuned here. The name is our own: `model.json` would make the folder that of another
/// kind of model, and other programs have files such as `training_args.bin`.
pub const FINE_TUNED_FILE: &str = "acidtest.json";

/// How a transformer was fine-tuned here.
pub(crate) struct EarlierTraining {
    /// The content of [`FINE_TUNED_FILE`].
    pub record: Value,
    /// The pairs that it was trained on, then and before.
    pub seen: SeenPairs,
}

/// How the model of a folder was fine-tuned, if it was here. A folder whose files have changed since is refused, because the description
/// and the training pairs would be those of another model.
pub(crate) fn fine_tuned(folder: &Path) -> Result<Option<EarlierTraining>, Error> {
    let path = folder.join(FINE_TUNED_FILE);
    if !path.exists() {
        return Ok(None);
    }
    let name = |path: &Path| path.display().to_string();
    let bytes = std::fs::read(&path).map_err(|source| Error::File { path: name(&path), source })?;
    let damaged = |path: &Path, problem: String| TrainedError::Damaged { path: name(path), problem };
    check_seal(&bytes).map_err(|problem| damaged(&path, problem))?;
    let unreadable = |message: String| TrainedError::About { path: name(&path), message };
    let record: Value = serde_json::from_slice(&bytes).map_err(|error| unreadable(error.to_string()))?;
    let files: FileHashes = serde_json::from_value(record["files"].clone()).map_err(|error| unreadable(error.to_string()))?;
    for (file, hash) in &files {
        let path = folder.join(file);
        if ContentHash::of_file(&path).ok() != Some(*hash) {
            return Err(TrainedError::ChangedSince { path: name(&path) }.into());
        }
    }
    let path = folder.join(SEEN_FILE);
    let bytes = std::fs::read(&path).map_err(|source| Error::File { path: name(&path), source })?;
    let seen = SeenPairs::from_bytes(&bytes).ok_or_else(|| damaged(&path, "it does not contain whole numbers".to_string()))?;
    Ok(Some(EarlierTraining { record, seen }))
}

/// A transformer that scores pairs.
pub(crate) struct TransformerModel {
    name: String,
    transformer: Transformer,
    hash: ContentHash,
    /// The pairs that it was fine-tuned on, if it was here.
    seen: Option<SeenPairs>,
}

impl TransformerModel {
    /// Opens a folder; `labels` is the order of the outputs if the user gives one.
    pub(crate) fn open(folder: &Path, labels: Option<&[Judgment]>, threads: &Threads) -> Result<Self, Error> {
        note_read(folder);
        let seen = fine_tuned(folder)?.map(|earlier| earlier.seen);
        let transformer = Transformer::open(folder, labels, threads)?;
        Ok(TransformerModel { name: folder.display().to_string(), transformer, hash: transformer_hash(folder)?, seen })
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

    fn saw(&self, pair: &Pair<'_>) -> Option<bool> {
        self.seen.as_ref().map(|seen| seen.contains(pair))
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
        let features = |part: &[Pair<'_>]| subwords.encode_all(part).map_err(|error| error.to_string());
        let prediction = |scores: &[f32]| Prediction::from_scores(outputs.scores(scores));
        for (number, part) in pairs.chunks(PAIRS_TOGETHER).enumerate() {
            let mut take = |place: usize, prediction| take(number * PAIRS_TOGETHER + place, prediction);
            score_pairs(&self.name, classifier, part, features, prediction, &mut take)?;
        }
        Ok(())
    }
}
