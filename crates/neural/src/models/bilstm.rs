//! The BiLSTM of the MultiNLI paper (Williams et al. 2018, section 3): a sentence is the mean of the states at its words.

use super::classifier::{Classifier, Shape};
use super::encoder::ContextLayer;
use super::{Encoder, Entry, Model, Sharing, Text, WordVectors, check_dropout, check_size};
use crate::error::Result;
use crate::ops::{Activation, Pooling};
use crate::parameters::Parameters;
use crate::tape::{Node, Tape};
use serde::{Deserialize, Serialize};

pub(super) const ENTRY: Entry =
    Entry { name: "bilstm", summary: "means of BiLSTM states, compared by one hidden layer", source: "Williams et al. 2018, section 3" };

/// Settings of the BiLSTM.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BiLstmSettings {
    /// The size of each direction's state and of the hidden layer.
    pub hidden: usize,
    /// What reads the words.
    pub encoder: Encoder,
    /// Whether premise and hypothesis are read by the same weights: separate in the released code.
    pub encoders: Sharing,
    /// The share of hidden numbers that training drops.
    pub dropout: f32,
    /// Whether training changes the word vectors.
    pub word_vectors: WordVectors,
}

impl Default for BiLstmSettings {
    fn default() -> Self {
        BiLstmSettings {
            hidden: 300,
            encoder: Encoder::Recurrent,
            encoders: Sharing::Separate,
            dropout: 0.1,
            word_vectors: WordVectors::Trained,
        }
    }
}

pub(super) struct BiLstmModel {
    encoder: ContextLayer,
    classifier: Classifier,
}

impl BiLstmModel {
    pub fn new(settings: &BiLstmSettings, parameters: &mut Parameters, inputs: usize) -> Result<Self> {
        check_size("hidden", settings.hidden)?;
        check_dropout(settings.dropout)?;
        let &BiLstmSettings { hidden, encoder, encoders, dropout, .. } = settings;
        let shape = Shape { inputs: 8 * hidden, hidden, layers: 1, activation: Activation::Tanh, dropout };
        Ok(BiLstmModel {
            encoder: ContextLayer::new(parameters, "encoder", inputs, hidden, (encoder, encoders)),
            classifier: Classifier::new(parameters, &shape),
        })
    }
}

impl Model for BiLstmModel {
    fn logits(&self, tape: &mut Tape<'_>, text: &Text) -> Node {
        let states = self.encoder.encode(tape, &text.words, text); // [words × 2 hidden]
        let means = tape.pool(states, &text.segments, Pooling::Mean); // [2 pairs × 2 hidden]
        let premises = tape.rows(means, 0..text.pairs);
        let hypotheses = tape.rows(means, text.pairs..2 * text.pairs);
        self.classifier.logits_of_contrast(tape, premises, hypotheses)
    }
}
