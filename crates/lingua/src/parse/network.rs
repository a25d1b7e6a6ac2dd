//! Inference with the parser's network.

use super::{
    Relation,
    batch::SentenceBatch,
    best_tree,
    integer::{IntegerMatrix, MOST_INPUTS, to_steps},
    kernel::{PackedMatrix, lstm_step},
    weights::{FAR, ParserSizes, ParserTensor, Weights},
};
use crate::{
    hash::{KeyIndex, key, mix},
    linear::read_u32,
    tag::Tag,
    words::{SurfaceFeatures, VECTOR, VECTOR_STEP, WordList},
};

/// The head of a word and the relation to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arc {
    /// The head, from 1; 0 is the root.
    pub head: usize,
    /// The relation to the head.
    pub relation: Relation,
    /// The tag, predicted again from the whole sentence; more accurate than the parser's input tag.
    pub tag: Tag,
    /// The most probable tags with their weights, best first: its own tag with 255; a weight of 0 marks an unused entry.
    pub likely: [(Tag, u8); LIKELY],
}

/// The number of tags of a word that are kept with their weights.
pub const LIKELY: usize = 4;

/// The number of affixes of a word that are features.
pub const AFFIXES: usize = 5;

/// The features of a word, as rows of the embedding tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordFeatures {
    /// Its row in the word list, for the pretrained vector.
    pub listed: Option<u32>,
    /// Its row in the table of trained vectors; 0 for unknown words.
    pub word: u32,
    /// Number of the tag.
    pub tag: u8,
    /// The hash buckets of its affixes.
    pub affixes: [u16; AFFIXES],
    /// The dictionary's word classes.
    pub classes: u8,
    /// The capitalisation of the word and the sentence.
    pub case: u8,
}

impl WordFeatures {
    /// Computes the features of a word, given the rows of known words.
    pub fn new(surface: &SurfaceFeatures, tag: Tag, words: &KeyIndex, buckets: usize) -> WordFeatures {
        let [_, two, three, four] = surface.suffixes;
        let [_, first_two, first_three] = surface.prefixes;
        let bucket = |affix: u64, kind: u64| (mix(affix, kind) % buckets.max(1) as u64) as u16;
        WordFeatures {
            listed: surface.row,
            word: words.get(key(surface.lower)).map_or(0, |row| row as u32 + 1),
            tag: tag as u8,
            affixes: [bucket(two, 1), bucket(three, 2), bucket(four, 3), bucket(first_two, 4), bucket(first_three, 5)],
            classes: surface.classes,
            case: surface.case as u8 * 4 + surface.mode as u8,
        }
    }
}

impl WordFeatures {
    /// The rows of the tables for words, tags, affixes, word classes and capitalisation, whose vectors are added up.
    pub fn rows(&self) -> [impl Iterator<Item = usize>; 5] {
        let one = |row: usize| [row; AFFIXES].into_iter().take(1);
        [
            one(self.word as usize),
            one(usize::from(self.tag)),
            self.affixes.map(usize::from).into_iter().take(AFFIXES),
            one(usize::from(self.classes)),
            one(usize::from(self.case)),
        ]
    }
}

/// The maximum number of words in a batch, which bounds memory.
const BATCH_WORDS: usize = 512;

/// Parses tagged sentences.
#[derive(Debug, Clone)]
pub struct Parser {
    weights: Weights,
    words: KeyIndex,
    /// The offset and width of the tables for words, tags, affixes, word classes and capitalisation.
    tables: [(usize, usize); 5],
    layers: Vec<[Direction; 2]>,
    roles: IntegerMatrix,
    arc: PackedMatrix,
    label: PackedMatrix,
    retag: IntegerMatrix,
}

/// One direction of a layer.
#[derive(Debug, Clone)]
struct Direction {
    input: IntegerMatrix,
    state: IntegerMatrix,
    bias: Vec<f32>,
}

impl Parser {
    /// Builds a parser from its weights and the keys of the words with a trained vector.
    pub fn new(weights: Weights, word_keys: &[u32]) -> Parser {
        let matrix = |part: ParserTensor| {
            let (place, rows, columns) = weights.place(part);
            PackedMatrix::new(rows, columns, &weights.numbers[place])
        };
        let whole = |part: ParserTensor| {
            let (place, rows, columns) = weights.place(part);
            IntegerMatrix::new(rows, columns, &weights.numbers[place])
        };
        let direction = |layer: usize, way: usize| Direction {
            input: whole(ParserTensor::Input(layer, way)),
            state: whole(ParserTensor::State(layer, way)),
            bias: weights.tensor(ParserTensor::Bias(layer, way)).to_vec(),
        };
        Parser {
            words: KeyIndex::new(word_keys.iter().copied()),
            layers: (0..weights.sizes.layers).map(|layer| [direction(layer, 0), direction(layer, 1)]).collect(),
            tables: [ParserTensor::Word, ParserTensor::Tag, ParserTensor::Affix, ParserTensor::Classes, ParserTensor::Case].map(|part| {
                let (place, _, columns) = weights.place(part);
                (place.start, columns)
            }),
            roles: whole(ParserTensor::Roles),
            arc: matrix(ParserTensor::Arc),
            label: matrix(ParserTensor::Label),
            retag: whole(ParserTensor::Retag),
            weights,
        }
    }

    /// Loads a parser; `None` if the bytes are incomplete.
    pub fn from_bytes(bytes: &[u8]) -> Option<Parser> {
        let (weights, rest) = Weights::from_bytes(bytes)?;
        let (count, rest) = read_u32(rest)?;
        let ParserSizes { words, hidden, .. } = weights.sizes;
        let longest = weights.sizes.input().max(2 * hidden);
        if rest.len() != count as usize * 4 || count as usize + 1 != words || hidden % 2 == 1 || longest > MOST_INPUTS {
            return None;
        }
        let keys: Vec<u32> = rest.chunks_exact(4).map(|key| u32::from_le_bytes([key[0], key[1], key[2], key[3]])).collect();
        Some(Parser::new(weights, &keys))
    }

    /// Packs a parser for [`Parser::from_bytes`].
    pub fn to_bytes(weights: &Weights, word_keys: &[u32]) -> Vec<u8> {
        let mut bytes = weights.to_bytes();
        bytes.extend((word_keys.len() as u32).to_le_bytes());
        word_keys.iter().for_each(|key| bytes.extend(key.to_le_bytes()));
        bytes
    }

    /// Parses one sentence.
    pub fn parse(&self, list: &WordList, surfaces: &[SurfaceFeatures], tags: &[Tag]) -> Vec<Arc> {
        self.parse_all(list, &[(surfaces, tags)]).pop().unwrap_or_default()
    }

    /// Parses many sentences in batches; the results are those of parsing each alone.
    pub fn parse_all(&self, list: &WordList, sentences: &[(&[SurfaceFeatures], &[Tag])]) -> Vec<Vec<Arc>> {
        // Sentences of similar length are batched together, so that few lanes are idle.
        let mut order: Vec<usize> = (0..sentences.len()).collect();
        order.sort_by_key(|&sentence| sentences[sentence].0.len());
        let mut parses = vec![Vec::new(); sentences.len()];
        let mut group: Vec<usize> = Vec::new();
        let mut words = 0;
        for (place, &sentence) in order.iter().enumerate() {
            group.push(sentence);
            words += sentences[sentence].0.len();
            let next = order.get(place + 1).map(|&next| sentences[next].0.len());
            if next.is_none_or(|next| words + next > BATCH_WORDS) {
                self.parse_group(list, sentences, &group, &mut parses);
                group.clear();
                words = 0;
            }
        }
        parses
    }

    fn parse_group(&self, list: &WordList, sentences: &[(&[SurfaceFeatures], &[Tag])], group: &[usize], parses: &mut [Vec<Arc>]) {
        let lengths: Vec<usize> = group.iter().map(|&sentence| sentences[sentence].0.len()).collect();
        let batch = SentenceBatch::new(&lengths);
        let width = self.weights.sizes.input();
        let steps = width.next_multiple_of(2);
        let mut states = vec![0; batch.rows() * steps];
        let mut input = vec![0.0; width];
        for (place, &member) in batch.order.iter().enumerate() {
            let (surfaces, tags) = sentences[group[member]];
            for (word, (surface, &tag)) in surfaces.iter().zip(tags).enumerate() {
                let features = WordFeatures::new(surface, tag, &self.words, self.weights.sizes.affixes);
                input.fill(0.0);
                self.embed(list, features, &mut input);
                let to = &mut states[batch.row(place, word) * steps..];
                to.iter_mut().zip(&input).for_each(|(step, &number)| *step = to_steps(number));
            }
        }
        for layer in &self.layers {
            states = self.layer(layer, &batch, &states);
        }
        self.attach(&batch, &lengths, &states, |member, arcs| parses[group[member]] = arcs);
    }

    fn embed(&self, list: &WordList, features: WordFeatures, input: &mut [f32]) {
        let (listed, rest) = input.split_at_mut(VECTOR);
        if let Some(row) = features.listed {
            listed.iter_mut().zip(list.vector(row as usize)).for_each(|(number, step)| *number = f32::from(step) * VECTOR_STEP);
        }
        let mut rest = rest;
        for ((begin, width), rows) in self.tables.into_iter().zip(features.rows()) {
            let (here, after) = rest.split_at_mut(width);
            for row in rows {
                here.iter_mut().zip(&self.weights.numbers[begin + row * width..]).for_each(|(sum, number)| *sum += number);
            }
            rest = after;
        }
    }

    /// Runs a layer in both directions; each row of the result is the forward state, then the backward state.
    fn layer(&self, layer: &[Direction; 2], batch: &SentenceBatch, inputs: &[i16]) -> Vec<i16> {
        let hidden = self.weights.sizes.hidden;
        let mut states = vec![0; batch.rows() * 2 * hidden];
        let forward = layer[0].run(batch, inputs, hidden);
        for (to, from) in states.chunks_exact_mut(2 * hidden).zip(forward.chunks_exact(hidden)) {
            to[..hidden].copy_from_slice(from);
        }
        let width = layer[1].input.width();
        let mut mirrored = Vec::with_capacity(inputs.len());
        batch.mirror.iter().for_each(|&row| mirrored.extend_from_slice(&inputs[row * width..(row + 1) * width]));
        let backward = layer[1].run(batch, &mirrored, hidden);
        for (from, &row) in backward.chunks_exact(hidden).zip(&batch.mirror) {
            states[row * 2 * hidden + hidden..(row + 1) * 2 * hidden].copy_from_slice(from);
        }
        states
    }

    /// Predicts the heads and relations of every sentence from its states.
    fn attach(&self, batch: &SentenceBatch, lengths: &[usize], states: &[i16], mut done: impl FnMut(usize, Vec<Arc>)) {
        let (arc, label, width) = (self.weights.sizes.arc, self.weights.sizes.label, self.weights.sizes.roles());
        let bias = self.weights.tensor(ParserTensor::RolesBias);
        let mut roles = bias.repeat(batch.rows());
        self.roles.multiply_add(states, &mut roles);
        let distance = self.weights.tensor(ParserTensor::Distance);
        let root_label = self.weights.tensor(ParserTensor::RootLabel);
        let (mut heads, mut hidden) = (Vec::with_capacity(lengths.len()), Vec::with_capacity(batch.rows() * label));
        for (place, &member) in batch.order.iter().enumerate() {
            let words = lengths[member];
            let role = |word: usize, from: usize, size: usize| &roles[batch.row(place, word) * width + from..][..size];
            let dependents: Vec<f32> = (0..words).flat_map(|word| role(word, 0, arc)).map(|&number| leaky(number)).collect();
            let mut asking = self.weights.tensor(ParserTensor::ArcBias).repeat(words);
            self.arc.multiply_add(&dependents, &mut asking);
            let mut offering = self.weights.tensor(ParserTensor::RootHead).to_vec();
            offering.extend((0..words).flat_map(|word| role(word, arc, arc)).map(|&number| leaky(number)));
            let mut scores = vec![0.0; words * (words + 1)];
            PackedMatrix::transposed(arc, words + 1, &offering).multiply_add(&asking, &mut scores);
            for (word, row) in scores.chunks_exact_mut(words + 1).enumerate() {
                row[1..].iter_mut().enumerate().for_each(|(head, score)| *score += distance[distance_bucket(word, head)]);
            }
            let found = best_tree(&scores, words);
            for (word, &head) in found.iter().enumerate() {
                let own = role(word, 2 * arc, label);
                let other = if head == 0 { root_label } else { role(head - 1, 2 * arc + label, label) };
                hidden.extend(own.iter().zip(other).map(|(left, right)| leaky(left + right)));
            }
            heads.push((member, found));
        }
        let mut scores = self.weights.tensor(ParserTensor::LabelBias).repeat(batch.rows());
        self.label.multiply_add(&hidden, &mut scores);
        let mut tags = self.weights.tensor(ParserTensor::RetagBias).repeat(batch.rows());
        self.retag.multiply_add(states, &mut tags);
        let mut rows = scores.chunks_exact(Relation::COUNT);
        for (place, (member, heads)) in heads.into_iter().enumerate() {
            let arc = |((word, head), row): ((usize, usize), &[f32])| {
                let likely = likely_tags(&tags[batch.row(place, word) * Tag::COUNT..][..Tag::COUNT]);
                Arc { head, relation: best_relation(row, head), tag: likely[0].0, likely }
            };
            done(member, heads.into_iter().enumerate().zip(&mut rows).map(arc).collect());
        }
    }
}

/// The best relation; `root` is allowed only for the root.
fn best_relation(scores: &[f32], head: usize) -> Relation {
    if head == 0 {
        return Relation::Root;
    }
    let mut best = (f32::NEG_INFINITY, Relation::Dep);
    for (relation, &score) in Relation::all().zip(scores) {
        if relation != Relation::Root && score > best.0 {
            best = (score, relation);
        }
    }
    best.1
}

/// The most probable tags, best first, with their weights relative to the best.
fn likely_tags(scores: &[f32]) -> [(Tag, u8); LIKELY] {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut near: Vec<(f32, usize)> = Vec::with_capacity(LIKELY);
    for (number, &score) in scores.iter().enumerate().filter(|(_, score)| most - **score < FAINTEST) {
        let place = near.iter().position(|&(other, _)| score > other).unwrap_or(near.len());
        if place < LIKELY {
            near.truncate(LIKELY - 1);
            near.insert(place, (score, number));
        }
    }
    let mut likely = [(Tag::NN, 0); LIKELY];
    for (place, (score, number)) in near.into_iter().enumerate() {
        likely[place] = (Tag::from_number(number).unwrap_or(Tag::NN), weight_below(most - score));
    }
    likely
}

/// Tags whose score is lower than the best by more than this are dropped.
const FAINTEST: f32 = 4.0;

/// 255 times e^-distance, by halving and linear interpolation, so that every machine gives the same result.
fn weight_below(distance: f32) -> u8 {
    let halvings = distance * std::f32::consts::LOG2_E;
    let whole = halvings.floor();
    let line = 1.0 - 0.5 * (halvings - whole);
    (255.0 * line / (1u32 << whole.clamp(0.0, 16.0) as u32) as f32).round() as u8
}

/// The distance bucket of a word and its head, both from 0.
pub fn distance_bucket(word: usize, head: usize) -> usize {
    (head + FAR).saturating_sub(word).min(2 * FAR)
}

/// Leaky ReLU with slope 0.1 for negative numbers.
#[inline]
pub fn leaky(number: f32) -> f32 {
    if number > 0.0 { number } else { 0.1 * number }
}

impl Direction {
    /// Processes the rows in time order; returns the state of each.
    fn run(&self, batch: &SentenceBatch, inputs: &[i16], hidden: usize) -> Vec<i16> {
        let mut gates = self.bias.repeat(batch.rows());
        self.input.multiply_add(inputs, &mut gates);
        let mut states = vec![0; batch.rows() * hidden];
        let mut cells = vec![0.0; batch.begins.get(1).copied().unwrap_or(0) * hidden];
        for time_step in 0..batch.time_steps() {
            let (begin, end) = (batch.begins[time_step], batch.begins[time_step + 1]);
            let (before, now) = states.split_at_mut(begin * hidden);
            let gates = &mut gates[begin * 4 * hidden..end * 4 * hidden];
            if time_step > 0 {
                let last = batch.begins[time_step - 1] * hidden;
                self.state.multiply_add(&before[last..last + (end - begin) * hidden], gates);
            }
            let rows = gates.chunks_exact(4 * hidden).zip(cells.chunks_exact_mut(hidden)).zip(now.chunks_exact_mut(hidden));
            for ((gates, cells), states) in rows {
                lstm_step(gates, cells, states);
            }
        }
        states
    }
}
