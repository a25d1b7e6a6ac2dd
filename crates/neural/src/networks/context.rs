//! Contextual word representations: a BiLSTM, or an order-insensitive layer in its place.

use crate::ops::{Activation, BiLstm, Linear, WordRows};
use crate::parameters::Parameters;
use crate::segments::Segments;
use crate::tape::{Node, Tape};
use serde::{Deserialize, Serialize};

/// The encoder of the words of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContextEncoder {
    /// A bidirectional LSTM.
    Recurrent,
    /// A fully connected layer of the same size, applied to each word separately (Nie et al. 2018, section 4.1).
    BagOfWords,
}

/// Whether premise and hypothesis share encoder weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sharing {
    /// One encoder for both.
    Shared,
    /// One encoder each.
    Separate,
}

/// A layer that gives each word a vector of size `2 * hidden`.
pub(super) enum ContextLayer {
    Recurrent(Sides<BiLstm>),
    BagOfWords(Sides<Linear>),
}

/// One layer for both sentences, or one for each.
pub(super) enum Sides<L> {
    Shared(L),
    Separate(L, L),
}

impl<L> Sides<L> {
    fn new(sharing: Sharing, name: &str, mut layer: impl FnMut(&str) -> L) -> Self {
        match sharing {
            Sharing::Shared => Sides::Shared(layer(name)),
            Sharing::Separate => Sides::Separate(layer(&format!("{name}.premise")), layer(&format!("{name}.hypothesis"))),
        }
    }
}

impl ContextLayer {
    pub(super) fn new(
        parameters: &mut Parameters,
        name: &str,
        inputs: usize,
        hidden: usize,
        (encoder, sharing): (ContextEncoder, Sharing),
    ) -> Self {
        match encoder {
            ContextEncoder::Recurrent => {
                ContextLayer::Recurrent(Sides::new(sharing, name, |name| BiLstm::new(parameters, name, inputs, hidden)))
            }
            ContextEncoder::BagOfWords => ContextLayer::BagOfWords(Sides::new(sharing, name, |name| {
                // The paper does not name the activation; ReLU is what its models use elsewhere.
                Linear::new(parameters, name, inputs, 2 * hidden, Activation::Relu)
            })),
        }
    }

    /// [words × inputs] -> [words × 2 hidden]; the first `premises` segments are premises, the others hypotheses.
    pub(super) fn encode(&self, tape: &mut Tape<'_>, words: &WordRows, segments: &Segments, premises: usize) -> Node {
        let all = segments.count();
        match self {
            ContextLayer::Recurrent(Sides::Shared(lstm)) => tape.bilstm(&[(*lstm, 0..all)], words, segments),
            ContextLayer::Recurrent(Sides::Separate(premise, hypothesis)) => {
                tape.bilstm(&[(*premise, 0..premises), (*hypothesis, premises..all)], words, segments)
            }
            ContextLayer::BagOfWords(Sides::Shared(layer)) => {
                let states = words.each_row(|rows| tape.linear(layer, rows));
                tape.spread(&states)
            }
            ContextLayer::BagOfWords(Sides::Separate(premise, hypothesis)) => {
                let border = segments.ranges().take(premises).last().map_or(0, |range| range.end);
                let words = tape.spread(words);
                let above = tape.rows(words, 0..border);
                let below = tape.rows(words, border..segments.rows());
                let above = tape.linear(premise, above);
                let below = tape.linear(hypothesis, below);
                tape.stack(above, below)
            }
        }
    }
}
