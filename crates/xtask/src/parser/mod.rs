//! Training of the parser.

mod gradient;
mod lstm;

use crate::treebank::Sentence;
use acidtest_lingua::{
    hash::{KeyIndex, key},
    parse::{
        Parser, Relation, WordFeatures,
        weights::{ParserSizes, ParserTensor, Weights},
    },
    tag::Tag,
    words::{SurfaceFeatures, WordList},
};
use acidtest_nli::Seed;
use gradient::{Dropout, Packed, add_gradients};
use std::collections::BTreeMap;

/// A training sentence.
pub(crate) struct Example {
    pub words: Vec<WordFeatures>,
    /// The count of each word in the treebank.
    pub counts: Vec<u32>,
    /// The gold tags; the input tags may be wrong.
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

/// The training data of the parser.
pub(crate) struct Material<'a> {
    pub list: &'a WordList,
    pub sentences: &'a [Sentence],
    /// The sentences as inputs of the models.
    pub surfaces: &'a [Vec<SurfaceFeatures>],
    /// Their predicted tags.
    pub tags: &'a [Vec<Tag>],
}

/// Trains a parser and returns its bytes. `watch` is called after every epoch.
pub(crate) fn train(material: &Material, settings: Settings, seed: Seed, mut watch: impl FnMut(usize, f64, &Parser)) -> Vec<u8> {
    let &Material { list, sentences, surfaces, tags } = material;
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    surfaces.iter().flatten().for_each(|surface| *counts.entry(key(surface.lower)).or_default() += 1);
    let keys: Vec<u32> = counts.iter().filter(|&(_, &count)| count >= 3).map(|(&key, _)| key).collect();
    let index = KeyIndex::new(keys.iter().copied());
    let sizes = ParserSizes {
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
        .zip(surfaces)
        .zip(tags)
        .map(|((sentence, surfaces), tags)| Example {
            words: surfaces.iter().zip(tags).map(|(surface, &tag)| WordFeatures::new(surface, tag, &index, sizes.affixes)).collect(),
            counts: surfaces.iter().map(|surface| counts[&key(surface.lower)]).collect(),
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
            let (batch_loss, gradients) = gradients_of(&weights, list, &examples, batch, seed.child(&number.to_string()));
            let size: usize = batch.iter().map(|&example| examples[example].words.len()).sum();
            loss += batch_loss;
            words += size;
            step += 1;
            adam.step(&mut weights, &gradients, size as f32, rate_at(step, steps, settings.rate));
        }
        watch(round, loss / words as f64, &Parser::new(weights.clone(), &keys));
    }
    Parser::to_bytes(&weights, &keys)
}

/// The learning rate: a short warm-up, then linear decay to zero.
fn rate_at(step: usize, steps: usize, most: f32) -> f32 {
    let warm = (step as f32 / 200.0).min(1.0);
    most * warm * (1.0 - step as f32 / (steps + 1) as f32)
}

/// Sentences in random order, cut into batches; within twenty batches, sentences of similar length are batched together.
fn batches(examples: &[Example], size: usize, seed: Seed) -> Vec<Vec<usize>> {
    let mut rng = seed.child("batches").rng();
    let mut order: Vec<usize> = (0..examples.len()).collect();
    rng.shuffle(&mut order);
    let mut all = Vec::new();
    for stretch in order.chunks_mut(1200) {
        stretch.sort_by_key(|&example| (examples[example].words.len(), example));
        let mut batch = Vec::new();
        let mut words = 0;
        for &example in stretch.iter() {
            batch.push(example);
            words += examples[example].words.len();
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

/// The loss and gradients of a batch, on one thread, so that a training can run beside other work.
fn gradients_of(weights: &Weights, list: &WordList, examples: &[Example], batch: &[usize], seed: Seed) -> (f64, Weights) {
    let members: Vec<&Example> = batch.iter().map(|&example| &examples[example]).collect();
    let mut gradients = Weights::zeros(weights.sizes);
    let loss = add_gradients(&Packed::new(weights), list, &members, DROPOUT, seed, &mut gradients);
    (loss, gradients)
}

/// Initial weights by the name of the tensor: small random numbers; forget gates start open.
fn first_weights(sizes: ParserSizes, seed: Seed) -> Weights {
    let mut weights = Weights::zeros(sizes);
    for (part, rows, columns) in sizes.tensors() {
        let mut rng = seed.child(&format!("{part:?}")).rng();
        let reach = match part {
            ParserTensor::Word => 0.05,
            ParserTensor::Tag | ParserTensor::Classes | ParserTensor::Case => 0.3,
            ParserTensor::Affix => 0.1,
            ParserTensor::Bias(..)
            | ParserTensor::RolesBias
            | ParserTensor::ArcBias
            | ParserTensor::Distance
            | ParserTensor::LabelBias
            | ParserTensor::RetagBias => 0.0,
            ParserTensor::RootHead | ParserTensor::RootLabel => 0.1,
            _ => (6.0 / (rows + columns) as f32).sqrt(),
        };
        let (place, ..) = weights.place(part);
        weights.numbers[place.clone()].iter_mut().for_each(|number| *number = (2.0 * rng.unit() as f32 - 1.0) * reach);
        if let ParserTensor::Bias(..) = part {
            weights.numbers[place.start + sizes.hidden..place.start + 2 * sizes.hidden].fill(1.0);
        }
    }
    weights
}

/// Adam (Kingma and Ba 2015).
struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new(weights: &Weights) -> Adam {
        Adam { means: vec![0.0; weights.numbers.len()], squares: vec![0.0; weights.numbers.len()], steps: 0 }
    }

    fn step(&mut self, weights: &mut Weights, gradients: &Weights, size: f32, rate: f32) {
        const MEAN: f32 = 0.9;
        const SQUARE: f32 = 0.98;
        self.steps += 1;
        let length = gradients.numbers.iter().map(|gradient| f64::from(*gradient) * f64::from(*gradient)).sum::<f64>().sqrt() as f32 / size;
        // Gradients are clipped to this norm, so that one unusual batch cannot undo the rest.
        let scale = (2.0 / length.max(2.0)) / size;
        let (mean_bias, square_bias) = (1.0 - MEAN.powi(self.steps), 1.0 - SQUARE.powi(self.steps));
        let numbers = weights.numbers.iter_mut().zip(&gradients.numbers).zip(self.means.iter_mut().zip(&mut self.squares));
        for ((number, gradient), (mean, square)) in numbers {
            let gradient = gradient * scale;
            *mean = MEAN * *mean + (1.0 - MEAN) * gradient;
            *square = SQUARE * *square + (1.0 - SQUARE) * gradient * gradient;
            *number -= rate * (*mean / mean_bias) / ((*square / square_bias).sqrt() + 1e-8);
        }
    }
}
