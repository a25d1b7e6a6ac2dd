//! Trained networks as models, opened from their folders.

use crate::trained::{ABOUT_FILE, TrainedError};
use crate::training::{SEEN_FILE, SavedFeaturizer, SeenPairs, WEIGHTS_FILE};
use acidtest_files::{ContentHash, FileHashes, check_file, check_seal};
use acidtest_model::{Calls, Model, ModelError, PredictionTaker};
use acidtest_neural::{Classifier, Definition, Featurizer, ModelFiles, PairFeatures};
use acidtest_nli::{Pair, Prediction, Scores};
use acidtest_threads::Threads;
use serde::Deserialize;
use std::path::Path;

/// The number of pairs whose features are in memory at a time; they take about 100 bytes each.
const PAIRS_TOGETHER: usize = 1 << 18;

/// The keys of `model.json` that are needed to open it.
#[derive(Deserialize)]
struct About {
    #[serde(flatten)]
    definition: Definition,
    featurizer: SavedFeaturizer,
    files: FileHashes,
}

/// A trained network with its featurizer.
pub(crate) struct NetworkModel {
    name: String,
    classifier: Classifier,
    featurizer: Box<dyn Featurizer>,
    /// The pairs that it was trained on, if its folder has them.
    seen: Option<SeenPairs>,
}

impl NetworkModel {
    /// Opens a folder.
    pub(crate) fn open(folder: &Path, threads: &Threads) -> Result<Box<dyn Model>, TrainedError> {
        Ok(Box::new(NetworkModel::from_files(&ModelFiles::Folder(folder), threads)?))
    }

    /// The network of these files.
    pub(crate) fn from_files(files: &ModelFiles<'_>, threads: &Threads) -> Result<Self, TrainedError> {
        let unusable = |name: &str, message: String| TrainedError::About { path: files.path(name).display().to_string(), message };
        let whole = |error: acidtest_neural::NeuralError| TrainedError::Network(error.to_string());
        let damaged = |name: &str, problem: String| TrainedError::Damaged { path: files.path(name).display().to_string(), problem };
        let text = files.read_text(ABOUT_FILE).map_err(whole)?;
        check_seal(text.as_bytes()).map_err(|problem| damaged(ABOUT_FILE, problem))?;
        let about: About = serde_json::from_str(&text).map_err(|error| unusable(ABOUT_FILE, error.to_string()))?;
        let About { definition, featurizer: saved, files: listed } = about;
        for name in listed.keys().filter(|name| *name != WEIGHTS_FILE) {
            let bytes = files.read(name).map_err(whole)?;
            check_file(&listed, name, ContentHash::of(&bytes)).map_err(|problem| damaged(name, problem))?;
        }
        let entry = definition.settings.entry().featurizer;
        if saved.name != entry.name {
            return Err(unusable(ABOUT_FILE, format!("the featurizer is `{}` (expected `{}`)", saved.name, entry.name)));
        }
        if !matches!(definition.classes, 2 | 3) {
            return Err(unusable(ABOUT_FILE, format!("{} classes (expected 2 or 3)", definition.classes)));
        }
        let featurizer = (entry.open)(&saved.settings, files).map_err(whole)?;
        for (name, size) in featurizer.sizes().iter() {
            if definition.sizes.get(name) != Some(size) {
                let expected = definition.sizes.get(name).unwrap_or_default();
                let file = featurizer.files().first().map_or(ABOUT_FILE, |(file, _)| file);
                return Err(unusable(file, format!("it implies that `{name}` is {size}, but {ABOUT_FILE} says {expected}")));
            }
        }
        let weights = files.read(WEIGHTS_FILE).map_err(whole)?;
        check_file(&listed, WEIGHTS_FILE, ContentHash::of(&weights)).map_err(|problem| damaged(WEIGHTS_FILE, problem))?;
        let classifier = Classifier::from_bytes(&definition, &weights, &files.path(WEIGHTS_FILE), threads).map_err(whole)?;
        let seen = match listed.contains_key(SEEN_FILE) {
            true => {
                let bytes = files.read(SEEN_FILE).map_err(whole)?;
                Some(SeenPairs::from_bytes(&bytes).ok_or_else(|| damaged(SEEN_FILE, "it does not contain whole numbers".to_string()))?)
            }
            false => None,
        };
        let name = files.path("").display().to_string().trim_end_matches('/').to_string();
        Ok(NetworkModel { name, classifier, featurizer, seen })
    }
}

impl Model for NetworkModel {
    fn calls(&self) -> Calls {
        Calls::OneForAll
    }

    fn saw(&self, pair: &Pair<'_>) -> Option<bool> {
        self.seen.as_ref().map(|seen| seen.contains(pair))
    }

    fn predict(&self, pairs: &[Pair<'_>], take: &mut PredictionTaker<'_>) -> Result<(), ModelError> {
        for (number, part) in pairs.chunks(PAIRS_TOGETHER).enumerate() {
            let features = self.classifier.threads().run(|| self.featurizer.features_of_many(part));
            let asked: Vec<&PairFeatures> = features.iter().collect();
            each_score(&self.name, &self.classifier, &asked, |place, scores| {
                let prediction = Prediction { truncated: features[place].truncated, ..Prediction::from_scores(probabilities(scores)) };
                take(number * PAIRS_TOGETHER + place, prediction)
            })?;
        }
        Ok(())
    }
}

/// Passes on the scores of each of these features with its place, as they come.
pub(crate) fn each_score(
    name: &str,
    classifier: &Classifier,
    features: &[&PairFeatures],
    mut take: impl FnMut(usize, &[f32]) -> Result<(), ModelError>,
) -> Result<(), ModelError> {
    classifier.each_score(features, |place, scores| Ok(take(place, scores)?)).map_err(|error| match error {
        Failed::Network(error) => ModelError::Failed { model: name.to_string(), message: error.to_string() },
        Failed::Taker(error) => error,
    })
}

/// Why scoring stopped early.
enum Failed {
    Network(acidtest_neural::NeuralError),
    Taker(ModelError),
}

impl From<acidtest_neural::NeuralError> for Failed {
    fn from(error: acidtest_neural::NeuralError) -> Self {
        Failed::Network(error)
    }
}

impl From<ModelError> for Failed {
    fn from(error: ModelError) -> Self {
        Failed::Taker(error)
    }
}

/// The index of the highest score; the earlier one if two are equal.
pub(crate) fn best_class(scores: &[f32]) -> usize {
    (1..scores.len()).fold(0, |best, class| if scores[class] > scores[best] { class } else { best })
}

/// The softmax of two or three scores.
fn probabilities(scores: &[f32]) -> Scores {
    let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let power = |class: usize| f64::from(scores[class] - highest).exp();
    let sum: f64 = (0..scores.len()).map(power).sum();
    match scores.len() {
        2 => Scores::Two([0, 1].map(|class| power(class) / sum)),
        _ => Scores::Three([0, 1, 2].map(|class| power(class) / sum)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_become_probabilities() {
        assert_eq!(probabilities(&[1000.0, 0.0, 1000.0]), Scores::Three([0.5, 0.0, 0.5]));
        assert_eq!(probabilities(&[-1000.0, 0.0]), Scores::Two([0.0, 1.0]));
    }

    #[test]
    fn ties_go_to_the_first_class() {
        assert_eq!(best_class(&[1.0, 1.0, 0.0]), 0);
        assert_eq!(best_class(&[0.0, 1.0, 2.0]), 2);
    }
}
