//! InferSent (Conneau et al. 2017): one BiLSTM for both sentences, the maximum over words of each number of its states.

use super::classifier::{Classifier, Shape};
use super::encoder::ContextLayer;
use super::{Encoder, Entry, Model, Sharing, Text, WordVectors, check_dropout, check_size};
use crate::error::Result;
use crate::ops::{Activation, Difference, Pooling};
use crate::parameters::Parameters;
use crate::tape::{Node, Tape};
use serde::{Deserialize, Serialize};

pub(super) const ENTRY: Entry =
    Entry { name: "infersent", summary: "maxima of BiLSTM states, compared by one hidden layer", source: "Conneau et al. 2017" };

/// Settings of InferSent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InferSentSettings {
    /// The size of each direction's state: 2048 in the paper, the MultiNLI baselines' 300 here, for a processor without GPU.
    pub hidden: usize,
    /// What reads the words.
    pub encoder: Encoder,
    /// The size of the classifier's hidden layer.
    pub classifier: usize,
    /// The share of the classifier's hidden numbers that training drops.
    pub dropout: f32,
    /// Whether training changes the word vectors: the paper keeps them.
    pub word_vectors: WordVectors,
}

impl Default for InferSentSettings {
    fn default() -> Self {
        InferSentSettings { hidden: 300, encoder: Encoder::Recurrent, classifier: 512, dropout: 0.0, word_vectors: WordVectors::Frozen }
    }
}

pub(super) struct InferSent {
    encoder: ContextLayer,
    classifier: Classifier,
}

impl InferSent {
    pub fn new(settings: &InferSentSettings, parameters: &mut Parameters, inputs: usize) -> Result<Self> {
        check_size("hidden", settings.hidden)?;
        check_size("classifier", settings.classifier)?;
        check_dropout(settings.dropout)?;
        let &InferSentSettings { hidden, encoder, classifier, dropout, .. } = settings;
        // The paper speaks of "multiple fully-connected layers"; the released code has none between them that bends. Ours bends once.
        let shape = Shape { inputs: 8 * hidden, hidden: classifier, layers: 1, activation: Activation::Tanh, dropout };
        Ok(InferSent {
            encoder: ContextLayer::new(parameters, "encoder", inputs, hidden, (encoder, Sharing::Shared)),
            classifier: Classifier::new(parameters, &shape),
        })
    }
}

impl Model for InferSent {
    fn logits(&self, tape: &mut Tape<'_>, text: &Text) -> Node {
        let states = self.encoder.encode(tape, &text.words, text); // [words × 2 hidden]
        let maxima = tape.pool(states, &text.segments, Pooling::Max); // [2 pairs × 2 hidden]
        let premises = tape.rows(maxima, 0..text.pairs);
        let hypotheses = tape.rows(maxima, text.pairs..2 * text.pairs);
        let features = tape.contrast(premises, hypotheses, Difference::Absolute); // [pairs × 8 hidden]
        self.classifier.logits(tape, features)
    }
}
