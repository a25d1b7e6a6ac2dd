//! MPNet (Song et al. 2020): a BERT whose attention scores have a bias for the distance of two words, the same in all layers.

use super::{Architecture, PairTemplate, SUBWORDS, as_they_are, number};
use crate::blocks::{
    DenseHead, EmbeddingSizes, Embeddings, EncoderConfig, EncoderLayer, GROUP_TOKENS, LayerNames, first_rows, longest, read_config,
};
use crate::tokens::TypeIds;
use acidtest_neural::ops::{Activation, DistanceTerms, Distances, MultiHead};
use acidtest_neural::parameters::{ParameterId, Parameters};
use acidtest_neural::tape::{Node, Tape};
use acidtest_neural::{Inputs, Network, NetworkEntry, Result, Sizes};
use serde_json::Value;
use std::sync::Arc;

pub(super) const ENTRY: Architecture = Architecture {
    network: &NETWORK,
    prefix: "mpnet.",
    template: PairTemplate::TwoSeparators,
    embeddings: "mpnet.embeddings.word_embeddings.weight",
    output: "classifier.out_proj.weight",
    head: &["classifier."],
    class: "MPNet",
    positions: |config| Ok(number(config, "max_position_embeddings", 514).saturating_sub(FIRST_POSITION)),
    types: |_| TypeIds::Unused,
};

static NETWORK: NetworkEntry =
    NetworkEntry { name: "mpnet", summary: "MPNet", source: "Song et al. 2020", featurizer: SUBWORDS, settings: as_they_are, build };

/// The padding index is 1, whatever config.json says.
const FIRST_POSITION: usize = 2;

const NAMES: LayerNames = LayerNames {
    query: "attention.attn.q",
    key: "attention.attn.k",
    value: "attention.attn.v",
    output: "attention.attn.o",
    attention_norm: "attention.LayerNorm",
    up: "intermediate.dense",
    down: "output.dense",
    output_norm: "output.LayerNorm",
};

struct MpNet {
    embeddings: Embeddings,
    layers: Vec<EncoderLayer>,
    /// [buckets × heads]
    bias: ParameterId,
    buckets: usize,
    head: DenseHead,
}

fn build(config: &Value, parameters: &mut Parameters, _: &Sizes, classes: usize) -> Result<Box<dyn Network>> {
    let buckets = number(config, "relative_attention_num_buckets", 32);
    let config: EncoderConfig = read_config(config)?;
    let (hidden, sizes) = (config.hidden_size, config.layer()?);
    let embeddings = EmbeddingSizes {
        words: config.vocab_size,
        columns: hidden,
        positions: (config.max_position_embeddings, FIRST_POSITION),
        types: 0,
        epsilon: config.layer_norm_eps,
        dropout: config.hidden_dropout_prob,
    };
    Ok(Box::new(MpNet {
        embeddings: Embeddings::new(parameters, "mpnet.embeddings", &embeddings),
        layers: (0..config.num_hidden_layers)
            .map(|layer| EncoderLayer::new(parameters, &format!("mpnet.encoder.layer.{layer}"), &NAMES, sizes))
            .collect(),
        bias: crate::blocks::table(parameters, "mpnet.encoder.relative_attention_bias.weight", buckets, config.num_attention_heads),
        buckets,
        head: DenseHead::new(parameters, "classifier", (hidden, classes), Activation::Tanh, config.hidden_dropout_prob),
    }))
}

impl Network for MpNet {
    fn logits(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Node {
        let embedded = self.embeddings.embed(tape, inputs); // [tokens × hidden]
        let mut state = tape.hidden_state(embedded);
        let distances = Arc::new(Distances::new(longest(&inputs.segments), |distance| bucket(-distance, self.buckets)));
        for layer in &self.layers {
            let attention = MultiHead { terms: DistanceTerms::Bias(self.bias, Arc::clone(&distances)), ..layer.attention() };
            let next = layer.forward(tape, state, &inputs.segments, &attention);
            state = tape.hidden_state(next);
        }
        let first = first_rows(tape, state, &inputs.segments); // [pairs × hidden]
        self.head.logits(tape, first)
    }

    fn group_words(&self) -> usize {
        GROUP_TOKENS
    }
}

/// The row of the bias for the position of the query minus that of the key: half of the rows for each direction, of which one half are
/// single distances, and the others ranges that grow up to a distance of 128.
fn bucket(apart: isize, buckets: usize) -> usize {
    const FARTHEST: f32 = 128.0;
    let half = buckets / 2;
    let exact = half / 2;
    let (side, distance) = (if apart < 0 { half } else { 0 }, apart.unsigned_abs());
    if distance < exact {
        return side + distance;
    }
    let share = (distance as f32 / exact as f32).ln() / (FARTHEST / exact as f32).ln();
    side + (exact + (share * (half - exact) as f32) as usize).min(half - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_distances_have_a_row_each_and_far_ones_share() {
        assert_eq!([0, 1, 7, 8].map(|apart| bucket(apart, 32)), [0, 1, 7, 8]);
        assert_eq!([-1, -7, -8].map(|apart| bucket(apart, 32)), [17, 23, 24]);
        assert_eq!([16, 127, 128, 500].map(|apart| bucket(apart, 32)), [10, 15, 15, 15]);
    }
}
