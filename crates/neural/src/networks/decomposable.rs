//! Decomposable attention (Parikh et al. 2016): attend, compare, aggregate; insensitive to word order unless intra-attention is on.

use super::listed::{ListedNetwork, ListedSettings, build, complete_settings};
use super::output::{OutputLayers, OutputShape};
use super::{Encoded, NetworkEntry, TwoStepNetwork, WordTable, WordVectors, check_dropout, check_size, halves};
use crate::error::Result;
use crate::featurizers::words;
use crate::inputs::Inputs;
use crate::ops::{Activation, DISTANCES, Linear, Pooling, WordRows};
use crate::parameters::{Initial, ParameterId, Parameters};
use crate::sizes::Sizes;
use crate::tape::{Node, Tape};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(super) const ENTRY: NetworkEntry = NetworkEntry {
    name: "decomposable",
    summary: "words aligned with the other sentence and compared one by one",
    source: "Parikh et al. 2016",
    featurizer: words::ENTRY,
    settings: complete_settings::<Decomposable>,
    build: build::<Decomposable>,
};

/// Whether words first attend to their own sentence (section 3.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntraAttention {
    /// No intra-attention.
    Absent,
    /// Each word vector is extended by an attention summary of its own sentence, with a distance bias.
    Present,
}

/// Settings of decomposable attention.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DecomposableSettings {
    /// The size of the projected words and of all layers.
    pub hidden: usize,
    /// Whether there is intra-attention.
    pub intra_attention: IntraAttention,
    /// The dropout rate before each layer.
    pub dropout: f32,
    /// Whether the word vectors are trained: the paper freezes them and learns a projection.
    pub word_vectors: WordVectors,
}

impl Default for DecomposableSettings {
    fn default() -> Self {
        DecomposableSettings { hidden: 200, intra_attention: IntraAttention::Absent, dropout: 0.2, word_vectors: WordVectors::Frozen }
    }
}

impl ListedSettings for DecomposableSettings {
    fn check(&self) -> Result<()> {
        check_size("hidden", self.hidden)?;
        check_dropout(self.dropout)
    }
}

struct Decomposable {
    words: WordTable,
    project: Linear,
    intra: Option<(FeedForward, ParameterId)>,
    attend: FeedForward,
    compare: FeedForward,
    aggregate: OutputLayers,
    dropout: f32,
}

impl ListedNetwork for Decomposable {
    type Settings = DecomposableSettings;

    fn new(settings: &DecomposableSettings, parameters: &mut Parameters, sizes: &Sizes, classes: usize) -> Result<Self> {
        let words = WordTable::new(parameters, sizes, settings.word_vectors)?;
        let &DecomposableSettings { hidden, dropout, .. } = settings;
        let project = Linear::projection(parameters, "project", words.dimension, hidden);
        let intra = (settings.intra_attention == IntraAttention::Present).then(|| {
            let feed_forward = FeedForward::new(parameters, "intra", hidden, hidden, dropout);
            (feed_forward, parameters.declare("intra.distances", 1, DISTANCES, Initial::Constant(0.0)))
        });
        let word = if intra.is_some() { 2 * hidden } else { hidden };
        let shape = OutputShape { inputs: 2 * hidden, hidden, layers: 2, activation: Activation::Relu, dropout, classes };
        Ok(Decomposable {
            words,
            project,
            intra,
            attend: FeedForward::new(parameters, "attend", word, hidden, dropout),
            compare: FeedForward::new(parameters, "compare", 2 * word, hidden, dropout),
            aggregate: OutputLayers::new(parameters, &shape),
            dropout,
        })
    }
}

impl TwoStepNetwork for Decomposable {
    fn encode(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Encoded {
        let words = self.words.embed(tape, inputs);
        let mut words = words.each_row(|rows| tape.linear(&self.project, rows)); // [words × hidden], equal words share a row
        if let Some((feed_forward, distances)) = &self.intra {
            let keys = feed_forward.apply(tape, &words);
            let (keys, values) = (tape.spread(&keys), tape.spread(&words));
            let own = tape.attend(keys, values, *distances, &inputs.segments);
            words = tape.concatenate(&[values, own]).into(); // [words × 2 hidden]
        }
        let keys = self.attend.apply(tape, &words); // [words × hidden], F in the paper
        Encoded { premises: inputs.premises, segments: Arc::clone(&inputs.segments), parts: vec![keys, words] }
    }

    fn compare(&self, tape: &mut Tape<'_>, encoded: &Encoded) -> Node {
        let (keys, words) = (tape.spread(&encoded.parts[0]), tape.spread(&encoded.parts[1]));
        let aligned = tape.align(keys, words, &encoded.segments); // beta for premises, alpha for hypotheses
        let both = tape.concatenate(&[words, aligned]);
        let compared = self.compare.apply(tape, &both.into()).rows; // [words × hidden], G
        let sums = tape.pool(compared, &encoded.segments, Pooling::Sum); // [2 pairs × hidden], v1 and v2
        let (premises, hypotheses) = halves(tape, sums, encoded.premises);
        let features = tape.concatenate(&[premises, hypotheses]);
        let features = tape.dropout(features, self.dropout);
        self.aggregate.logits(tape, features) // H
    }
}

/// Two layers with ReLU, each after dropout: the paper's F, F_intra and G.
struct FeedForward {
    first: Linear,
    second: Linear,
    dropout: f32,
}

impl FeedForward {
    fn new(parameters: &mut Parameters, name: &str, inputs: usize, hidden: usize, dropout: f32) -> Self {
        FeedForward {
            first: Linear::new(parameters, &format!("{name}.0"), inputs, hidden, Activation::Relu),
            second: Linear::new(parameters, &format!("{name}.1"), hidden, hidden, Activation::Relu),
            dropout,
        }
    }

    fn apply(&self, tape: &mut Tape<'_>, input: &WordRows) -> WordRows {
        let input = tape.dropout_words(input, self.dropout);
        let middle = input.each_row(|rows| tape.linear(&self.first, rows));
        let middle = tape.dropout_words(&middle, self.dropout);
        middle.each_row(|rows| tape.linear(&self.second, rows))
    }
}
