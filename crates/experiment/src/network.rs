//! Trained networks as models: the folder that a course has written, opened and asked.

use crate::course::{VOCABULARY_FILE, WEIGHTS_FILE, WordRule};
use crate::trained::{ABOUT_FILE, TrainedError};
use acidtest_model::{Model, ModelError, PredictionTaker};
use acidtest_neural::{CLASSES, Network, Settings, Vocabulary};
use acidtest_nli::{Pair, Prediction};
use rayon::prelude::*;
use serde::Deserialize;
use std::path::Path;

/// Pairs that are scored before the answers are handed over.
const ANSWERS_TOGETHER: usize = 8192;

/// All networks that can be trained.
pub use acidtest_neural::CATALOG as NETWORKS;

/// Lets networks use so many threads; the first call counts.
pub fn use_threads(threads: usize) {
    // A pool that is there already stays: its threads are those of an earlier call.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
}

/// The names of all networks.
pub(crate) fn network_names() -> Vec<&'static str> {
    acidtest_neural::CATALOG.iter().map(|entry| entry.name).collect()
}

/// What opening needs of `model.json`.
#[derive(Deserialize)]
struct About {
    settings: Settings,
    words: WordRule,
}

/// A trained network with the words it knows.
pub(crate) struct NetworkModel {
    name: String,
    network: Network,
    vocabulary: Vocabulary,
    words: WordRule,
}

/// The files of a model folder.
pub(crate) struct NetworkFiles<'f> {
    pub about: &'f str,
    pub vocabulary: &'f str,
    pub weights: &'f [u8],
}

impl NetworkModel {
    /// Opens a folder.
    pub fn open(folder: &Path) -> Result<Box<dyn Model>, TrainedError> {
        let unreadable = |name: &str, message: String| TrainedError::About { path: folder.join(name).display().to_string(), message };
        let read = |name: &str| std::fs::read(folder.join(name)).map_err(|error| unreadable(name, error.to_string()));
        let text = |name: &str| String::from_utf8(read(name)?).map_err(|_| unreadable(name, "not UTF-8".to_string()));
        let files = NetworkFiles { about: &text(ABOUT_FILE)?, vocabulary: &text(VOCABULARY_FILE)?, weights: &read(WEIGHTS_FILE)? };
        Ok(Box::new(NetworkModel::from_files(folder, &files)?))
    }

    /// The network of these files; the folder is for messages.
    pub fn from_files(folder: &Path, files: &NetworkFiles<'_>) -> Result<Self, TrainedError> {
        let unusable = |name: &str, message: String| TrainedError::About { path: folder.join(name).display().to_string(), message };
        let about: About = serde_json::from_str(files.about).map_err(|error| unusable(ABOUT_FILE, error.to_string()))?;
        let whole = |error: acidtest_neural::Error| TrainedError::Network(error.to_string());
        let vocabulary = Vocabulary::from_text(files.vocabulary, &folder.join(VOCABULARY_FILE)).map_err(whole)?;
        let network = Network::from_bytes(&about.settings, files.weights, &folder.join(WEIGHTS_FILE)).map_err(whole)?;
        if network.vocabulary_size() != vocabulary.size() {
            let (words, rows) = (vocabulary.size(), network.vocabulary_size());
            return Err(unusable(VOCABULARY_FILE, format!("{words} words with that for unknown ones, but {WEIGHTS_FILE} has {rows}")));
        }
        Ok(NetworkModel { name: folder.display().to_string(), network, vocabulary, words: about.words })
    }

    fn ids(&self, text: &str) -> Vec<u32> {
        self.words.words(text).map(|word| self.vocabulary.id(&word)).collect()
    }
}

impl Model for NetworkModel {
    fn predictions(&self, pairs: &[Pair<'_>]) -> Result<Vec<Prediction>, ModelError> {
        let sentences: Vec<(Vec<u32>, Vec<u32>)> =
            pairs.par_iter().map(|pair| (self.ids(&pair.premise.text), self.ids(&pair.hypothesis.text))).collect();
        let scores = scores_of(&self.network, &sentences)
            .map_err(|error| ModelError::Failed { model: self.name.clone(), message: error.to_string() })?;
        Ok(scores.into_iter().map(|scores| Prediction::from_scores(probabilities(scores))).collect())
    }

    fn cut_short(&self, pairs: &[Pair<'_>]) -> usize {
        pairs.par_iter().filter(|pair| self.words.cuts(&pair.premise.text) || self.words.cuts(&pair.hypothesis.text)).count()
    }

    fn predict(&self, pairs: &[Pair<'_>], take: &mut PredictionTaker<'_>) -> Result<(), ModelError> {
        for (number, part) in pairs.chunks(ANSWERS_TOGETHER).enumerate() {
            for (place, prediction) in self.predictions(part)?.into_iter().enumerate() {
                take(number * ANSWERS_TOGETHER + place, prediction)?;
            }
        }
        Ok(())
    }
}

/// The scores of pairs of sentences, in their order.
pub(crate) fn scores_of<P: SentencePair>(network: &Network, pairs: &[P]) -> acidtest_neural::Result<Vec<[f32; CLASSES]>> {
    let premises: Vec<&[u32]> = pairs.iter().map(SentencePair::premise).collect();
    let hypotheses: Vec<&[u32]> = pairs.iter().map(SentencePair::hypothesis).collect();
    network.scores_of_many(&premises, &hypotheses)
}

/// Two sentences in numbers of words.
pub(crate) trait SentencePair {
    /// The premise.
    fn premise(&self) -> &[u32];
    /// The hypothesis.
    fn hypothesis(&self) -> &[u32];
}

impl SentencePair for (Vec<u32>, Vec<u32>) {
    fn premise(&self) -> &[u32] {
        &self.0
    }

    fn hypothesis(&self) -> &[u32] {
        &self.1
    }
}

/// The place of the highest score; the earlier one where two are equal.
pub(crate) fn best_class(scores: &[f32; CLASSES]) -> usize {
    (1..CLASSES).fold(0, |best, class| if scores[class] > scores[best] { class } else { best })
}

fn probabilities(scores: [f32; CLASSES]) -> [f64; CLASSES] {
    let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers = scores.map(|score| f64::from(score - highest).exp());
    let sum: f64 = powers.iter().sum();
    powers.map(|power| power / sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_become_probabilities() {
        let probabilities = probabilities([1000.0, 0.0, 1000.0]);
        assert_eq!(probabilities, [0.5, 0.0, 0.5]);
    }

    #[test]
    fn the_earlier_of_two_equal_scores_is_the_answer() {
        assert_eq!(best_class(&[1.0, 1.0, 0.0]), 0);
        assert_eq!(best_class(&[0.0, 1.0, 2.0]), 2);
    }
}
