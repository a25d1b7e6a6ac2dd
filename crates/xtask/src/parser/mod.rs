//! Training of the parser.

mod gradient;
mod lstm;

use crate::treebank::Sentence;
use acidtest_lingua::{
    hash::{KeyIndex, key},
    parse::{
        Glance, Parser, Relation,
        weights::{Part, Sizes, Weights},
    },
    tag::Tag,
    words::{WordList, WordSight},
};
use acidtest_nli::Seed;
use gradient::{Dropout, Packed, add_slopes};
use std::collections::BTreeMap;

/// A sentence as the network is trained on it.
pub(crate) struct Example {
    pub glances: Vec<Glance>,
    /// How often each word is in the treebank.
    pub counts: Vec<u32>,
    /// The right tags; those that are seen may be wrong.
    pub tags: Vec<Tag>,
    pub heads: Vec<usize>,
    pub relations: Vec<Relation>,
}

/// How the parser is trained.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub hidden: usize,
    pub rounds: usize,
    /// Words in a batch.
    pub batch: usize,
    pub rate: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { hidden: 96, rounds: 22, batch: 1000, rate: 3e-3 }
    }
}

const DROPOUT: Dropout = Dropout { input: 0.3, state: 0.2, roles: 0.3, word: 0.25 };

/// What the parser is trained on.
pub(crate) struct Material<'a> {
    pub list: &'a WordList,
    pub sentences: &'a [Sentence],
    /// What the models see of the sentences.
    pub sights: &'a [Vec<WordSight>],
    /// The tags that a tagger gave them.
    pub tags: &'a [Vec<Tag>],
}

/// Trains a parser; gives its bytes. After every round `watch` sees it.
pub(crate) fn train(material: &Material, settings: Settings, seed: Seed, mut watch: impl FnMut(usize, f64, &Parser)) -> Vec<u8> {
    let &Material { list, sentences, sights, tags } = material;
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    sights.iter().flatten().for_each(|sight| *counts.entry(key(sight.lower)).or_default() += 1);
    let keys: Vec<u32> = counts.iter().filter(|&(_, &count)| count >= 3).map(|(&key, _)| key).collect();
    let index = KeyIndex::new(keys.iter().copied());
    let sizes = Sizes {
        words: keys.len() + 1,
        word: 32,
        tag: 16,
        affixes: 8192,
        affix: 24,
        classes: 8,
        case: 6,
        hidden: settings.hidden,
        layers: 2,
        arc: 80,
        label: 96,
    };
    let examples: Vec<Example> = sentences
        .iter()
        .zip(sights)
        .zip(tags)
        .map(|((sentence, sights), tags)| Example {
            glances: sights.iter().zip(tags).map(|(sight, &tag)| Glance::new(sight, tag, &index, sizes.affixes)).collect(),
            counts: sights.iter().map(|sight| counts[&key(sight.lower)]).collect(),
            tags: sentence.iter().map(|word| word.tag).collect(),
            heads: sentence.iter().map(|word| word.head).collect(),
            relations: sentence.iter().map(|word| word.relation).collect(),
        })
        .collect();
    let mut weights = first_weights(sizes, seed.child("weights"));
    let mut adam = Adam::new(&weights);
    let steps = settings.rounds * batches(&examples, settings.batch, seed).len();
    let mut step = 0;
    for round in 0..settings.rounds {
        let seed = seed.child("round").child(&round.to_string());
        let (mut loss, mut words) = (0.0, 0);
        for (number, batch) in batches(&examples, settings.batch, seed).iter().enumerate() {
            let (batch_loss, slopes) = slopes_of(&weights, list, &examples, batch, seed.child(&number.to_string()));
            let size: usize = batch.iter().map(|&example| examples[example].glances.len()).sum();
            loss += batch_loss;
            words += size;
            step += 1;
            adam.step(&mut weights, &slopes, size as f32, rate_at(step, steps, settings.rate));
        }
        watch(round, loss / words as f64, &Parser::new(weights.clone(), &keys));
    }
    Parser::to_bytes(&weights, &keys)
}

/// A short warming up, then falling in a straight line to nothing.
fn rate_at(step: usize, steps: usize, most: f32) -> f32 {
    let warm = (step as f32 / 200.0).min(1.0);
    most * warm * (1.0 - step as f32 / (steps + 1) as f32)
}

/// Sentences in random order, cut into batches; within a stretch of twenty batches those of like length go together.
fn batches(examples: &[Example], size: usize, seed: Seed) -> Vec<Vec<usize>> {
    let mut rng = seed.child("batches").rng();
    let mut order: Vec<usize> = (0..examples.len()).collect();
    rng.shuffle(&mut order);
    let mut all = Vec::new();
    for stretch in order.chunks_mut(1200) {
        stretch.sort_by_key(|&example| (examples[example].glances.len(), example));
        let mut batch = Vec::new();
        let mut words = 0;
        for &example in stretch.iter() {
            batch.push(example);
            words += examples[example].glances.len();
            if words >= size {
                all.push(std::mem::take(&mut batch));
                words = 0;
            }
        }
        if !batch.is_empty() {
            all.push(batch);
        }
    }
    rng.shuffle(&mut all);
    all
}

/// The loss and slopes of a batch. One thread does it all: a training is left to run beside other work.
fn slopes_of(weights: &Weights, list: &WordList, examples: &[Example], batch: &[usize], seed: Seed) -> (f64, Weights) {
    let members: Vec<&Example> = batch.iter().map(|&example| &examples[example]).collect();
    let mut slopes = Weights::zeros(weights.sizes);
    let loss = add_slopes(&Packed::new(weights), list, &members, DROPOUT, seed, &mut slopes);
    (loss, slopes)
}

/// Small random numbers, by the name of the tensor; forget gates begin open.
fn first_weights(sizes: Sizes, seed: Seed) -> Weights {
    let mut weights = Weights::zeros(sizes);
    for (part, rows, columns) in sizes.tensors() {
        let mut rng = seed.child(&format!("{part:?}")).rng();
        let reach = match part {
            Part::Word => 0.05,
            Part::Tag | Part::Classes | Part::Case => 0.3,
            Part::Affix => 0.1,
            Part::Bias(..) | Part::RolesBias | Part::ArcBias | Part::Distance | Part::LabelBias | Part::RetagBias => 0.0,
            Part::RootHead | Part::RootLabel => 0.1,
            _ => (6.0 / (rows + columns) as f32).sqrt(),
        };
        let (place, ..) = weights.place(part);
        weights.numbers[place.clone()].iter_mut().for_each(|number| *number = (2.0 * rng.unit() as f32 - 1.0) * reach);
        if let Part::Bias(..) = part {
            weights.numbers[place.start + sizes.hidden..place.start + 2 * sizes.hidden].fill(1.0);
        }
    }
    weights
}

/// The optimiser of Kingma and Ba (2015).
struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new(weights: &Weights) -> Adam {
        Adam { means: vec![0.0; weights.numbers.len()], squares: vec![0.0; weights.numbers.len()], steps: 0 }
    }

    fn step(&mut self, weights: &mut Weights, slopes: &Weights, size: f32, rate: f32) {
        const MEAN: f32 = 0.9;
        const SQUARE: f32 = 0.98;
        self.steps += 1;
        let length = slopes.numbers.iter().map(|slope| f64::from(*slope) * f64::from(*slope)).sum::<f64>().sqrt() as f32 / size;
        // A slope longer than this is cut, so that one strange batch cannot undo the rest.
        let scale = (2.0 / length.max(2.0)) / size;
        let (mean_bias, square_bias) = (1.0 - MEAN.powi(self.steps), 1.0 - SQUARE.powi(self.steps));
        let numbers = weights.numbers.iter_mut().zip(&slopes.numbers).zip(self.means.iter_mut().zip(&mut self.squares));
        for ((number, slope), (mean, square)) in numbers {
            let slope = slope * scale;
            *mean = MEAN * *mean + (1.0 - MEAN) * slope;
            *square = SQUARE * *square + (1.0 - SQUARE) * slope * slope;
            *number -= rate * (*mean / mean_bias) / ((*square / square_bias).sqrt() + 1e-8);
        }
    }
}
