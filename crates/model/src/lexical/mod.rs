//! Softmax regression over words: what can be told from a pair without reading it.
//!
//! The features are those of Nie, Wang and Bansal 2018, *Analyzing Compositionality-Sensitivity of NLI Models*, section 5.2: each word of the premise, each of the hypothesis, each
//! two of them; nouns, verbs, adjectives and adverbs alone. A [`LexicalTrainer`] takes rows and gives a [`TrainedLexicalModel`], which is written to a folder;
//! [`LexicalModel::load`] opens the folder and answers from it, says why, and knows the pairs it was trained on.

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
use acidtest_threads::Threads;
use features::{Scratch, fold_of, pair_hash, premise_hash, spelt, word_hash};
use folder::Opened;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use solve::softmax;
use std::path::Path;
use table::{Part, three};

/// A trained model, used where it lies on disk.
pub struct LexicalModel {
    folder: String,
    opened: Opened,
    threads: Option<Threads>,
}

/// Why a model answers as it does.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The probabilities of entailment, neutral and contradiction.
    pub probabilities: [f64; 3],
    /// What each label gets before any word is seen.
    pub bias: [f64; 3],
    /// The features of the pair that have a weight, the one that pushes most first.
    pub features: Vec<FeatureWeight>,
}

/// A feature and what it adds to the scores of the labels.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureWeight {
    /// The feature.
    pub feature: Feature,
    /// What it adds to the score of each label.
    pub weights: [f64; 3],
}

impl FeatureWeight {
    /// How far the feature moves labels apart: the largest distance of a weight from the mean of the three.
    pub fn size(&self) -> f64 {
        let mean = self.weights.iter().sum::<f64>() / 3.0;
        self.weights.iter().map(|weight| (weight - mean).abs()).fold(0.0, f64::max)
    }
}

impl LexicalModel {
    /// Opens the folder that a training wrote.
    pub fn load(folder: &Path) -> Result<LexicalModel, LexicalError> {
        Ok(LexicalModel { folder: folder.display().to_string(), opened: folder::open(folder)?, threads: None })
    }

    /// The same model, which shares many pairs out among these threads; without threads it works in that of its caller.
    pub fn on(self, threads: &Threads) -> Self {
        LexicalModel { threads: Some(threads.clone()), ..self }
    }

    /// What the folder says of the model.
    pub fn about(&self) -> &About {
        &self.opened.about
    }

    /// The probabilities of entailment, neutral and contradiction.
    pub fn probabilities(&self, pair: &Pair<'_>) -> [f64; 3] {
        self.asked(pair, Part::Whole, &mut Scratch::default())
    }

    /// Why the model answers as it does.
    pub fn explain(&self, pair: &Pair<'_>) -> Explanation {
        self.explained(pair, Part::Whole)
    }

    /// Whether the model was trained on this pair, known by its texts.
    pub fn saw(&self, pair: &Pair<'_>) -> bool {
        self.opened.seen.contains(pair_hash(pair))
    }

    /// The probabilities by a model that was not trained on this pair: where there are folds and its premise was trained on, the fold model that has seen no pair
    /// of that premise, else the whole one.
    pub fn unseen_probabilities(&self, pair: &Pair<'_>) -> Result<[f64; 3], LexicalError> {
        Ok(self.asked(pair, self.unseen(pair)?, &mut Scratch::default()))
    }

    /// Why the model that was not trained on this pair answers as it does.
    pub fn unseen_explain(&self, pair: &Pair<'_>) -> Result<Explanation, LexicalError> {
        Ok(self.explained(pair, self.unseen(pair)?))
    }

    fn unseen(&self, pair: &Pair<'_>) -> Result<Part<'_>, LexicalError> {
        let premise = premise_hash(pair);
        match &self.opened.folds {
            // A pair that was changed a little, or has the premise of another, is as good as seen.
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
            // Of the features that are stored some have a weight in another of the models only.
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
            Some(threads) if pairs.len() >= FEW => {
                Ok(threads.run(|| pairs.par_iter().with_min_len(FEW).map_init(Scratch::default, answer).collect()))
            }
            _ => {
                let mut scratch = Scratch::default();
                Ok(pairs.iter().map(|pair| answer(&mut scratch, pair)).collect())
            }
        }
    }
}

/// So few pairs are answered by one thread, and by each of several: fewer take less time than the threads need to share them.
const FEW: usize = 512;

#[cfg(test)]
mod tests;
