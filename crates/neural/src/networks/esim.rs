//! ESIM (Chen et al. 2017): BiLSTM states aligned with the other sentence, then composed by a second BiLSTM.
//!
//! The defaults are those of the paper. The baseline of the MultiNLI paper differs in two settings: `projection = "absent"` and `encoders
//! = "separate"`.

use super::context::ContextLayer;
use super::listed::{ListedNetwork, ListedSettings, build, complete_settings};
use super::output::{OutputLayers, OutputShape};
use super::{ContextEncoder, Encoded, NetworkEntry, Sharing, TwoStepNetwork, WordTable, WordVectors, check_dropout, check_size, halves};
use crate::error::Result;
use crate::featurizers::words;
use crate::inputs::Inputs;
use crate::ops::{Activation, Difference, Linear, Pooling};
use crate::parameters::Parameters;
use crate::sizes::Sizes;
use crate::tape::{Node, Tape};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(super) const ENTRY: NetworkEntry = NetworkEntry {
    name: "esim",
    summary: "aligned BiLSTM states, composed by a second BiLSTM, mean and max pooling",
    source: "Chen et al. 2017",
    featurizer: words::ENTRY,
    settings: complete_settings::<Esim>,
    build: build::<Esim>,
};

/// Whether a projection precedes the second BiLSTM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Projection {
    /// A layer with ReLU (the paper's section 3.3).
    Present,
    /// No projection (the MultiNLI baseline).
    Absent,
}

/// Settings of ESIM.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EsimSettings {
    /// The size of each direction's hidden state, of the projection and of the classifier's hidden layer.
    pub hidden: usize,
    /// The encoder of the words, used for both BiLSTMs.
    pub encoder: ContextEncoder,
    /// Whether premise and hypothesis share encoder weights.
    pub encoders: Sharing,
    /// Whether there is a projection before the second BiLSTM.
    pub projection: Projection,
    /// The dropout rate for word vectors, projection and hidden layer.
    pub dropout: f32,
    /// Whether the word vectors are trained.
    pub word_vectors: WordVectors,
}

impl Default for EsimSettings {
    fn default() -> Self {
        EsimSettings {
            hidden: 300,
            encoder: ContextEncoder::Recurrent,
            encoders: Sharing::Shared,
            projection: Projection::Present,
            dropout: 0.5,
            word_vectors: WordVectors::Trained,
        }
    }
}

impl ListedSettings for EsimSettings {
    fn check(&self) -> Result<()> {
        check_size("hidden", self.hidden)?;
        check_dropout(self.dropout)
    }
}

struct Esim {
    words: WordTable,
    encoder: ContextLayer,
    projection: Option<Linear>,
    composition: ContextLayer,
    classifier: OutputLayers,
    dropout: f32,
}

impl ListedNetwork for Esim {
    type Settings = EsimSettings;

    fn new(settings: &EsimSettings, parameters: &mut Parameters, sizes: &Sizes, classes: usize) -> Result<Self> {
        let words = WordTable::new(parameters, sizes, settings.word_vectors)?;
        let &EsimSettings { hidden, encoder, encoders, projection, dropout, .. } = settings;
        let compared = 8 * hidden;
        let (projection, composed) = match projection {
            Projection::Present => (Some(Linear::new(parameters, "projection", compared, hidden, Activation::Relu)), hidden),
            Projection::Absent => (None, compared),
        };
        let shape = OutputShape { inputs: 8 * hidden, hidden, layers: 1, activation: Activation::Tanh, dropout, classes };
        Ok(Esim {
            words,
            encoder: ContextLayer::new(parameters, "encoder", words.dimension, hidden, (encoder, encoders)),
            projection,
            composition: ContextLayer::new(parameters, "composition", composed, hidden, (encoder, encoders)),
            classifier: OutputLayers::new(parameters, &shape),
            dropout,
        })
    }
}

impl TwoStepNetwork for Esim {
    fn encode(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Encoded {
        // Input encoding (3.1).
        let words = self.words.embed(tape, inputs);
        let words = tape.dropout_words(&words, self.dropout);
        let states = self.encoder.encode(tape, &words, &inputs.segments, inputs.premises); // [words × 2 hidden]
        Encoded { premises: inputs.premises, segments: Arc::clone(&inputs.segments), parts: vec![states.into()] }
    }

    fn compare(&self, tape: &mut Tape<'_>, encoded: &Encoded) -> Node {
        let (segments, pairs, states) = (&encoded.segments, encoded.premises, encoded.parts[0].rows);
        // Local inference (3.2).
        let aligned = tape.align(states, states, segments);
        // Inference composition (3.3).
        let compared = match &self.projection {
            Some(projection) => {
                let projected = tape.linear_of_contrast(projection, states, aligned); // [words × hidden]
                tape.dropout(projected, self.dropout)
            }
            None => tape.contrast(states, aligned, Difference::Signed), // [words × 8 hidden]
        };
        let composed = self.composition.encode(tape, &compared.into(), segments, pairs); // [words × 2 hidden]
        let means = tape.pool(composed, segments, Pooling::Mean);
        let maxima = tape.pool(composed, segments, Pooling::Max);
        let both = tape.concatenate(&[means, maxima]); // [2 pairs × 4 hidden]
        let (premises, hypotheses) = halves(tape, both, pairs);
        let features = tape.concatenate(&[premises, hypotheses]); // [pairs × 8 hidden]
        let features = tape.dropout(features, self.dropout);
        self.classifier.logits(tape, features)
    }
}
