//! CBOW of the MultiNLI paper (Williams et al. 2018, section 3): a sentence is the sum of its words.

use super::classifier::{Classifier, Shape};
use super::{Entry, Model, Text, WordVectors, check_dropout, check_size};
use crate::error::Result;
use crate::ops::{Activation, Pooling};
use crate::parameters::Parameters;
use crate::tape::{Node, Tape};
use serde::{Deserialize, Serialize};

pub(super) const ENTRY: Entry =
    Entry { name: "cbow", summary: "sums of word vectors, compared by one hidden layer", source: "Williams et al. 2018, section 3" };

/// Settings of CBOW.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CbowSettings {
    /// The size of the hidden layers.
    pub hidden: usize,
    /// How many hidden layers: one in the paper, three with ReLU in the released code.
    pub layers: usize,
    /// What the hidden layers do to their numbers: tanh in the paper.
    pub activation: Activation,
    /// The share of hidden numbers that training drops.
    pub dropout: f32,
    /// Whether training changes the word vectors.
    pub word_vectors: WordVectors,
}

impl Default for CbowSettings {
    fn default() -> Self {
        CbowSettings { hidden: 300, layers: 1, activation: Activation::Tanh, dropout: 0.1, word_vectors: WordVectors::Trained }
    }
}

pub(super) struct Cbow {
    classifier: Classifier,
}

impl Cbow {
    pub fn new(settings: &CbowSettings, parameters: &mut Parameters, inputs: usize) -> Result<Self> {
        check_size("hidden", settings.hidden)?;
        check_dropout(settings.dropout)?;
        let &CbowSettings { hidden, layers, activation, dropout, .. } = settings;
        Ok(Cbow { classifier: Classifier::new(parameters, &Shape { inputs: 4 * inputs, hidden, layers, activation, dropout }) })
    }
}

impl Model for Cbow {
    fn logits(&self, tape: &mut Tape<'_>, text: &Text) -> Node {
        let sums = tape.pool(&text.words, &text.segments, Pooling::Sum); // [2 pairs × inputs]
        let premises = tape.rows(sums, 0..text.pairs);
        let hypotheses = tape.rows(sums, text.pairs..2 * text.pairs);
        self.classifier.logits_of_contrast(tape, premises, hypotheses)
    }
}
