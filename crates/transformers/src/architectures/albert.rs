//! ALBERT (Lan et al. 2020): one layer, or a few, used again and again, and small embeddings.

use super::{Architecture, PairTemplate, SUBWORDS, all_positions, as_they_are, number, types_by_size};
use crate::blocks::{EmbeddingSizes, Embeddings, EncoderConfig, EncoderLayer, GROUP_TOKENS, LayerNames, first_rows, read_config};
use acidtest_neural::ops::{Activation, Linear};
use acidtest_neural::parameters::Parameters;
use acidtest_neural::tape::{Node, Tape};
use acidtest_neural::{Inputs, Network, NetworkEntry, Result, Sizes};
use serde_json::Value;

pub(super) const ENTRY: Architecture = Architecture {
    network: &NETWORK,
    prefix: "albert.",
    template: PairTemplate::OneSeparator,
    embeddings: "albert.embeddings.word_embeddings.weight",
    output: "classifier.weight",
    head: &["albert.pooler.", "classifier."],
    class: "Albert",
    positions: all_positions,
    types: types_by_size,
};

static NETWORK: NetworkEntry =
    NetworkEntry { name: "albert", summary: "ALBERT", source: "Lan et al. 2020", featurizer: SUBWORDS, settings: as_they_are, build };

const NAMES: LayerNames = LayerNames {
    query: "attention.query",
    key: "attention.key",
    value: "attention.value",
    output: "attention.dense",
    attention_norm: "attention.LayerNorm",
    up: "ffn",
    down: "ffn_output",
    output_norm: "full_layer_layer_norm",
};

struct Albert {
    embeddings: Embeddings,
    /// From the size of the embeddings to that of the layers.
    widen: Linear,
    /// The layers of each group.
    groups: Vec<Vec<EncoderLayer>>,
    depth: usize,
    pooler: Linear,
    classifier: Linear,
    dropout: f32,
}

fn build(config: &Value, parameters: &mut Parameters, _: &Sizes, classes: usize) -> Result<Box<dyn Network>> {
    let (groups, inner) = (number(config, "num_hidden_groups", 1).max(1), number(config, "inner_group_num", 1));
    let columns = number(config, "embedding_size", 128);
    let config: EncoderConfig = read_config(config)?;
    let (hidden, sizes) = (config.hidden_size, config.layer()?);
    let embeddings = EmbeddingSizes {
        words: config.vocab_size,
        columns,
        positions: (config.max_position_embeddings, 0),
        types: config.type_vocab_size,
        epsilon: config.layer_norm_eps,
        dropout: config.hidden_dropout_prob,
    };
    let group = |parameters: &mut Parameters, group: usize| {
        let name = |layer| format!("albert.encoder.albert_layer_groups.{group}.albert_layers.{layer}");
        (0..inner).map(|layer| EncoderLayer::new(parameters, &name(layer), &NAMES, sizes)).collect()
    };
    Ok(Box::new(Albert {
        embeddings: Embeddings::new(parameters, "albert.embeddings", &embeddings),
        widen: Linear::new(parameters, "albert.encoder.embedding_hidden_mapping_in", columns, hidden, Activation::None),
        groups: (0..groups.min(config.num_hidden_layers)).map(|number| group(parameters, number)).collect(),
        depth: config.num_hidden_layers,
        pooler: Linear::new(parameters, "albert.pooler", hidden, hidden, Activation::Tanh),
        classifier: Linear::new(parameters, "classifier", hidden, classes, Activation::None),
        dropout: config.head_dropout(),
    }))
}

impl Network for Albert {
    fn logits(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Node {
        let embedded = self.embeddings.embed(tape, inputs); // [tokens × embedding size]
        let wide = tape.linear(&self.widen, embedded); // [tokens × hidden]
        let mut state = tape.hidden_state(wide);
        for number in 0..self.depth {
            for layer in &self.groups[number * self.groups.len() / self.depth] {
                let next = layer.forward(tape, state, &inputs.segments, &layer.attention());
                state = tape.hidden_state(next);
            }
        }
        let first = first_rows(tape, state, &inputs.segments); // [pairs × hidden]
        let pooled = tape.linear(&self.pooler, first);
        let pooled = tape.dropout(pooled, self.dropout);
        tape.linear(&self.classifier, pooled) // [pairs × classes]
    }

    fn group_words(&self) -> usize {
        GROUP_TOKENS
    }
}
