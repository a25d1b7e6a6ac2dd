//! The CBOW model of the MultiNLI paper (Williams et al. 2018, section 3): a sentence is the sum of its word vectors.

use super::listed::{ListedNetwork, ListedSettings, build, complete_settings};
use super::output::{OutputLayers, OutputShape};
use super::{Encoded, NetworkEntry, TwoStepNetwork, WordTable, WordVectors, check_dropout, check_size};
use crate::error::Result;
use crate::featurizers::words;
use crate::inputs::Inputs;
use crate::ops::{Activation, Pooling};
use crate::parameters::Parameters;
use crate::sizes::Sizes;
use crate::tape::{Node, Tape};
use serde::{Deserialize, Serialize};

pub(super) const ENTRY: NetworkEntry = NetworkEntry {
    name: "cbow",
    summary: "sums of word vectors, compared by one hidden layer",
    source: "Williams et al. 2018, section 3",
    featurizer: words::ENTRY,
    settings: complete_settings::<Cbow>,
    build: build::<Cbow>,
};

/// Settings of CBOW.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CbowSettings {
    /// The size of the hidden layers.
    pub hidden: usize,
    /// The number of hidden layers: one in the paper, three with ReLU in the released code.
    pub layers: usize,
    /// The activation of the hidden layers: tanh in the paper.
    pub activation: Activation,
    /// The dropout rate.
    pub dropout: f32,
    /// Whether the word vectors are trained.
    pub word_vectors: WordVectors,
}

impl Default for CbowSettings {
    fn default() -> Self {
        CbowSettings { hidden: 300, layers: 1, activation: Activation::Tanh, dropout: 0.1, word_vectors: WordVectors::Trained }
    }
}

impl ListedSettings for CbowSettings {
    fn check(&self) -> Result<()> {
        check_size("hidden", self.hidden)?;
        if self.layers > 0 {
            check_size("layers", self.layers)?;
        }
        check_dropout(self.dropout)
    }
}

struct Cbow {
    words: WordTable,
    classifier: OutputLayers,
}

impl ListedNetwork for Cbow {
    type Settings = CbowSettings;

    fn new(settings: &CbowSettings, parameters: &mut Parameters, sizes: &Sizes, classes: usize) -> Result<Self> {
        let words = WordTable::new(parameters, sizes, settings.word_vectors)?;
        let &CbowSettings { hidden, layers, activation, dropout, .. } = settings;
        Ok(Cbow {
            words,
            classifier: OutputLayers::new(
                parameters,
                &OutputShape { inputs: 4 * words.dimension, hidden, layers, activation, dropout, classes },
            ),
        })
    }
}

impl TwoStepNetwork for Cbow {
    fn encode(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Encoded {
        let words = self.words.embed(tape, inputs);
        let sums = tape.pool(words, &inputs.segments, Pooling::Sum); // [sentences × dimension]
        Encoded::of_sentences(inputs, sums)
    }

    fn compare(&self, tape: &mut Tape<'_>, encoded: &Encoded) -> Node {
        let (premises, hypotheses) = encoded.sides(tape); // [pairs × dimension] each
        self.classifier.logits_of_contrast(tape, premises, hypotheses)
    }
}
