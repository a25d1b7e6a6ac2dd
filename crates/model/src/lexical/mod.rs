//! Softmax regression over words: what can be predicted without reading the sentences.
//!
//! The features are those of Nie, Wang and Bansal 2018, *Analyzing Compositionality-Sensitivity of NLI Models*, section 5.2: each word of the premise, each of the
//! hypothesis, and each pair of them, restricted to nouns, verbs, adjectives and adverbs. A [`LexicalTrainer`] takes examples and gives a [`TrainedLexicalModel`], which is
//! written to a folder; [`LexicalModel::load`] opens it. The model predicts, explains its predictions, and knows the pairs it was trained on.

mod batch;
mod catalog;
mod error;
mod features;
mod folder;
mod intern;
mod packed;
mod problem;
mod seen;
mod settings;
mod solve;
mod table;
mod train;
mod words;

pub use batch::{LexicalBatch, RowCounts};
pub use catalog::{CATALOG, LexicalEntry};
pub use error::LexicalError;
pub use features::{Feature, Variant};
pub use folder::{About, SourceFile, Sources, UsedRows, check_place};
pub use settings::{DEFAULT_PENALTY, LexicalSettings, PENALTIES};
pub use train::{LexicalTrainer, PenaltyTrial, TrainedLexicalModel, TrainingCancelled, TrainingObserver};
pub use words::{ALWAYS_KEPT, KeptWords, wants_tagger};

use crate::{Model, ModelError, PredictionTaker};
use acidtest_nli::{Pair, Prediction};
use acidtest_threads::{Grain, Threads, map_with};
use features::{Scratch, fold_of, pair_hash, premise_hash, spelt, word_hash};
use folder::Opened;
use solve::softmax;
use std::path::Path;
use table::{Part, three};

/// A trained model, memory-mapped from its folder.
pub struct LexicalModel {
    folder: String,
    opened: Opened,
    threads: Option<Threads>,
}

/// The explanation of a prediction.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The probabilities of entailment, neutral and contradiction.
    pub probabilities: [f64; 3],
    /// The bias of each label.
    pub bias: [f64; 3],
    /// The features of the pair that have a weight, the most influential first.
    pub features: Vec<FeatureWeight>,
}

/// A feature and its weights.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureWeight {
    /// The feature.
    pub feature: Feature,
    /// What it adds to the logit of each label.
    pub weights: [f64; 3],
}

impl FeatureWeight {
    /// How strongly the feature separates labels: the largest distance of a weight from the mean of the three.
    pub fn size(&self) -> f64 {
        let mean = self.weights.iter().sum::<f64>() / 3.0;
        self.weights.iter().map(|weight| (weight - mean).abs()).fold(0.0, f64::max)
    }
}

impl LexicalModel {
    /// Opens the folder of a trained model.
    pub fn load(folder: &Path) -> Result<LexicalModel, LexicalError> {
        Ok(LexicalModel { folder: folder.display().to_string(), opened: folder::open(folder)?, threads: None })
    }

    /// Uses these threads for large batches; otherwise the model runs on the caller's thread.
    pub fn on(self, threads: &Threads) -> Self {
        LexicalModel { threads: Some(threads.clone()), ..self }
    }

    /// The content of `model.json`.
    pub fn about(&self) -> &About {
        &self.opened.about
    }

    /// The probabilities of entailment, neutral and contradiction.
    pub fn probabilities(&self, pair: &Pair<'_>) -> [f64; 3] {
        self.asked(pair, Part::Whole, &mut Scratch::default())
    }

    /// Explains the model's prediction.
    pub fn explain(&self, pair: &Pair<'_>) -> Explanation {
        self.explained(pair, Part::Whole)
    }

    /// Whether the model was trained on this pair, identified by its texts.
    pub fn saw(&self, pair: &Pair<'_>) -> bool {
        self.opened.seen.contains(pair_hash(pair))
    }

    /// The probabilities of a model that was not trained on this pair: if its premise was trained on and there are fold models, the one that has seen no pair
    /// of that premise; otherwise the whole model.
    pub fn unseen_probabilities(&self, pair: &Pair<'_>) -> Result<[f64; 3], LexicalError> {
        Ok(self.asked(pair, self.unseen(pair)?, &mut Scratch::default()))
    }

    /// Explains the prediction of the model that was not trained on this pair.
    pub fn unseen_explain(&self, pair: &Pair<'_>) -> Result<Explanation, LexicalError> {
        Ok(self.explained(pair, self.unseen(pair)?))
    }

    fn unseen(&self, pair: &Pair<'_>) -> Result<Part<'_>, LexicalError> {
        let premise = premise_hash(pair);
        match &self.opened.folds {
            // A pair with the same premise counts as seen: it may be a perturbed training example.
            Some(folds) if self.opened.seen.contains(premise) => Ok(Part::Fold(folds, fold_of(premise, folds.folds))),
            None if self.saw(pair) => Err(LexicalError::NoFolds { id: pair.id.to_string(), folder: self.folder.clone() }),
            _ => Ok(Part::Whole),
        }
    }

    fn asked(&self, pair: &Pair<'_>, part: Part<'_>, scratch: &mut Scratch) -> [f64; 3] {
        let Opened { table, about, variant, .. } = &self.opened;
        scratch.read(pair, *variant, about.settings.words);
        scratch.make_keys(table.keys);
        softmax(table.scores(part, table.sums(part, scratch))).1
    }

    fn explained(&self, pair: &Pair<'_>, part: Part<'_>) -> Explanation {
        let Opened { table, about, variant, .. } = &self.opened;
        let [premise, hypothesis] = spelt(pair, *variant, about.settings.words);
        let keys = table.keys;
        let scale = f64::from(table.scale(part));
        let mut features: Vec<FeatureWeight> = Vec::new();
        let mut take = |key: u64, feature: Feature| {
            // Some stored features have a weight in another fold only.
            if let Some(steps) = table.steps(key, part).filter(|steps| *steps != [0; 2]) {
                features.push(FeatureWeight { feature, weights: three(steps.map(i32::from)).map(|step| scale * f64::from(step)) });
            }
        };
        for word in &premise {
            take(keys.premise(word_hash(word)), Feature::Premise(word.clone()));
        }
        for word in &hypothesis {
            take(keys.hypothesis(word_hash(word)), Feature::Hypothesis(word.clone()));
        }
        for first in &premise {
            for second in &hypothesis {
                take(keys.cross(word_hash(first), word_hash(second)), Feature::Cross(first.clone(), second.clone()));
            }
        }
        features.sort_by(|a, b| b.size().total_cmp(&a.size()).then_with(|| a.feature.cmp(&b.feature)));
        let probabilities = self.asked(pair, part, &mut Scratch::default());
        Explanation { probabilities, bias: table.bias(part).map(f64::from), features }
    }
}

impl Model for LexicalModel {
    fn reads_word_classes(&self) -> bool {
        true
    }

    fn saw(&self, pair: &Pair<'_>) -> Option<bool> {
        Some(LexicalModel::saw(self, pair))
    }

    fn predict(&self, pairs: &[Pair<'_>], take: &mut PredictionTaker<'_>) -> Result<(), ModelError> {
        self.predictions(pairs)?.into_iter().enumerate().try_for_each(|(place, prediction)| take(place, prediction))
    }

    fn predictions(&self, pairs: &[Pair<'_>]) -> Result<Vec<Prediction>, ModelError> {
        let answer = |scratch: &mut Scratch, pair: &Pair<'_>| {
            let prediction = Prediction::from_scores(self.asked(pair, Part::Whole, scratch));
            Prediction { truncated: !scratch.whole, ..prediction }
        };
        match &self.threads {
            Some(threads) if pairs.len() >= FEW => Ok(threads.run(|| map_with(pairs, Grain::AtLeast(FEW), Scratch::default, answer))),
            _ => {
                let mut scratch = Scratch::default();
                Ok(pairs.iter().map(|pair| answer(&mut scratch, pair)).collect())
            }
        }
    }
}

/// The smallest number of pairs worth a thread: sharing fewer takes longer than predicting them.
const FEW: usize = 512;

#[cfg(test)]
mod tests;
