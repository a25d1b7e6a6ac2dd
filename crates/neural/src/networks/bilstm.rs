//! The BiLSTM of the MultiNLI paper (Williams et al. 2018, section 3): a sentence is the mean of its hidden states.

use super::context::ContextLayer;
use super::listed::{ListedNetwork, ListedSettings, build, complete_settings};
use super::output::{OutputLayers, OutputShape};
use super::{ContextEncoder, Encoded, NetworkEntry, Sharing, TwoStepNetwork, WordTable, WordVectors, check_dropout, check_size};
use crate::error::Result;
use crate::featurizers::words;
use crate::inputs::Inputs;
use crate::ops::{Activation, Pooling};
use crate::parameters::Parameters;
use crate::sizes::Sizes;
use crate::tape::{Node, Tape};
use serde::{Deserialize, Serialize};

pub(super) const ENTRY: NetworkEntry = NetworkEntry {
    name: "bilstm",
    summary: "mean-pooled BiLSTM states, compared by one hidden layer",
    source: "Williams et al. 2018, section 3",
    featurizer: words::ENTRY,
    settings: complete_settings::<BiLstmModel>,
    build: build::<BiLstmModel>,
};

/// Settings of the BiLSTM.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BiLstmSettings {
    /// The size of each direction's hidden state and of the hidden layer.
    pub hidden: usize,
    /// The encoder of the words.
    pub encoder: ContextEncoder,
    /// Whether premise and hypothesis share encoder weights; the released code has separate ones.
    pub encoders: Sharing,
    /// The dropout rate.
    pub dropout: f32,
    /// Whether the word vectors are trained.
    pub word_vectors: WordVectors,
}

impl Default for BiLstmSettings {
    fn default() -> Self {
        BiLstmSettings {
            hidden: 300,
            encoder: ContextEncoder::Recurrent,
            encoders: Sharing::Separate,
            dropout: 0.1,
            word_vectors: WordVectors::Trained,
        }
    }
}

impl ListedSettings for BiLstmSettings {
    fn check(&self) -> Result<()> {
        check_size("hidden", self.hidden)?;
        check_dropout(self.dropout)
    }
}

struct BiLstmModel {
    words: WordTable,
    encoder: ContextLayer,
    classifier: OutputLayers,
}

impl ListedNetwork for BiLstmModel {
    type Settings = BiLstmSettings;

    fn new(settings: &BiLstmSettings, parameters: &mut Parameters, sizes: &Sizes, classes: usize) -> Result<Self> {
        let words = WordTable::new(parameters, sizes, settings.word_vectors)?;
        let &BiLstmSettings { hidden, encoder, encoders, dropout, .. } = settings;
        let shape = OutputShape { inputs: 8 * hidden, hidden, layers: 1, activation: Activation::Tanh, dropout, classes };
        Ok(BiLstmModel {
            words,
            encoder: ContextLayer::new(parameters, "encoder", words.dimension, hidden, (encoder, encoders)),
            classifier: OutputLayers::new(parameters, &shape),
        })
    }
}

impl TwoStepNetwork for BiLstmModel {
    fn encode(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Encoded {
        let words = self.words.embed(tape, inputs);
        let states = self.encoder.encode(tape, &words, &inputs.segments, inputs.premises); // [words × 2 hidden]
        let means = tape.pool(states, &inputs.segments, Pooling::Mean); // [sentences × 2 hidden]
        Encoded::of_sentences(inputs, means)
    }

    fn compare(&self, tape: &mut Tape<'_>, encoded: &Encoded) -> Node {
        let (premises, hypotheses) = encoded.sides(tape); // [pairs × 2 hidden] each
        self.classifier.logits_of_contrast(tape, premises, hypotheses)
    }
}
