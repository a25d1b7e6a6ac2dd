//! InferSent (Conneau et al. 2017): one BiLSTM for both sentences, max-pooled over words.

use super::context::ContextLayer;
use super::listed::{ListedNetwork, ListedSettings, build, complete_settings};
use super::output::{OutputLayers, OutputShape};
use super::{ContextEncoder, Encoded, NetworkEntry, Sharing, TwoStepNetwork, WordTable, WordVectors, check_dropout, check_size};
use crate::error::Result;
use crate::featurizers::words;
use crate::inputs::Inputs;
use crate::ops::{Activation, Difference, Pooling};
use crate::parameters::Parameters;
use crate::sizes::Sizes;
use crate::tape::{Node, Tape};
use serde::{Deserialize, Serialize};

pub(super) const ENTRY: NetworkEntry = NetworkEntry {
    name: "infersent",
    summary: "max-pooled BiLSTM states, compared by one hidden layer",
    source: "Conneau et al. 2017",
    featurizer: words::ENTRY,
    settings: complete_settings::<InferSent>,
    build: build::<InferSent>,
};

/// Settings of InferSent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InferSentSettings {
    /// The size of each direction's hidden state: 2048 in the paper; 300 here, as in the MultiNLI baselines, to be practical on a CPU.
    pub hidden: usize,
    /// The encoder of the words.
    pub encoder: ContextEncoder,
    /// The size of the classifier's hidden layer.
    pub classifier: usize,
    /// The dropout rate of the classifier's hidden layer.
    pub dropout: f32,
    /// Whether the word vectors are trained: the paper freezes them.
    pub word_vectors: WordVectors,
}

impl Default for InferSentSettings {
    fn default() -> Self {
        InferSentSettings {
            hidden: 300,
            encoder: ContextEncoder::Recurrent,
            classifier: 512,
            dropout: 0.0,
            word_vectors: WordVectors::Frozen,
        }
    }
}

impl ListedSettings for InferSentSettings {
    fn check(&self) -> Result<()> {
        check_size("hidden", self.hidden)?;
        check_size("classifier", self.classifier)?;
        check_dropout(self.dropout)
    }
}

struct InferSent {
    words: WordTable,
    encoder: ContextLayer,
    classifier: OutputLayers,
}

impl ListedNetwork for InferSent {
    type Settings = InferSentSettings;

    fn new(settings: &InferSentSettings, parameters: &mut Parameters, sizes: &Sizes, classes: usize) -> Result<Self> {
        let words = WordTable::new(parameters, sizes, settings.word_vectors)?;
        let &InferSentSettings { hidden, encoder, classifier, dropout, .. } = settings;
        // The paper has "multiple fully-connected layers"; the released code has no nonlinearity between them. Ours has one.
        let shape = OutputShape { inputs: 8 * hidden, hidden: classifier, layers: 1, activation: Activation::Tanh, dropout, classes };
        Ok(InferSent {
            words,
            encoder: ContextLayer::new(parameters, "encoder", words.dimension, hidden, (encoder, Sharing::Shared)),
            classifier: OutputLayers::new(parameters, &shape),
        })
    }
}

impl TwoStepNetwork for InferSent {
    fn encode(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Encoded {
        let words = self.words.embed(tape, inputs);
        let states = self.encoder.encode(tape, &words, &inputs.segments, inputs.premises); // [words × 2 hidden]
        let maxima = tape.pool(states, &inputs.segments, Pooling::Max); // [sentences × 2 hidden]
        Encoded::of_sentences(inputs, maxima)
    }

    fn compare(&self, tape: &mut Tape<'_>, encoded: &Encoded) -> Node {
        let (premises, hypotheses) = encoded.sides(tape); // [pairs × 2 hidden] each
        let features = tape.contrast(premises, hypotheses, Difference::Absolute); // [pairs × 8 hidden]
        self.classifier.logits(tape, features)
    }
}
