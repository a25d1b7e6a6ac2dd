//! DistilBERT (Sanh et al. 2019): BERT without segments and pooler.

use super::{Architecture, PairTemplate, SUBWORDS, all_positions, as_they_are};
use crate::blocks::{
    EmbeddingSizes, Embeddings, EncoderLayer, GROUP_TOKENS, LayerNames, LayerSizes, activation, check_heads, first_rows, read_config,
};
use crate::tokens::TypeIds;
use acidtest_neural::ops::{Activation, Linear};
use acidtest_neural::parameters::Parameters;
use acidtest_neural::tape::{Node, Tape};
use acidtest_neural::{Inputs, Network, NetworkEntry, Result, Sizes};
use serde::Deserialize;
use serde_json::Value;

pub(super) const ENTRY: Architecture = Architecture {
    network: &NETWORK,
    prefix: "distilbert.",
    template: PairTemplate::OneSeparator,
    embeddings: "distilbert.embeddings.word_embeddings.weight",
    output: "classifier.weight",
    head: &["pre_classifier.", "classifier."],
    class: "DistilBert",
    positions: all_positions,
    types: |_| TypeIds::Unused,
};

static NETWORK: NetworkEntry = NetworkEntry {
    name: "distilbert",
    summary: "DistilBERT",
    source: "Sanh et al. 2019",
    featurizer: SUBWORDS,
    settings: as_they_are,
    build,
};

/// The norm's epsilon, which config.json does not have.
const EPSILON: f32 = 1e-12;

const NAMES: LayerNames = LayerNames {
    query: "attention.q_lin",
    key: "attention.k_lin",
    value: "attention.v_lin",
    output: "attention.out_lin",
    attention_norm: "sa_layer_norm",
    up: "ffn.lin1",
    down: "ffn.lin2",
    output_norm: "output_layer_norm",
};

/// The keys of config.json, which other models name differently.
#[derive(Deserialize)]
struct Config {
    vocab_size: usize,
    dim: usize,
    n_layers: usize,
    n_heads: usize,
    hidden_dim: usize,
    activation: String,
    max_position_embeddings: usize,
    #[serde(default)]
    dropout: f32,
    #[serde(default)]
    attention_dropout: f32,
    #[serde(default)]
    seq_classif_dropout: f32,
}

struct DistilBert {
    embeddings: Embeddings,
    layers: Vec<EncoderLayer>,
    before: Linear,
    classifier: Linear,
    dropout: f32,
}

fn build(config: &Value, parameters: &mut Parameters, _: &Sizes, classes: usize) -> Result<Box<dyn Network>> {
    let config: Config = read_config(config)?;
    let hidden = config.dim;
    check_heads(hidden, config.n_heads)?;
    let embeddings = EmbeddingSizes {
        words: config.vocab_size,
        columns: hidden,
        positions: (config.max_position_embeddings, 0),
        types: 0,
        epsilon: EPSILON,
        dropout: config.dropout,
    };
    let sizes = LayerSizes {
        hidden,
        inner: config.hidden_dim,
        heads: config.n_heads,
        activation: activation(&config.activation)?,
        epsilon: EPSILON,
        dropout: config.dropout,
        attention_dropout: config.attention_dropout,
    };
    Ok(Box::new(DistilBert {
        embeddings: Embeddings::new(parameters, "distilbert.embeddings", &embeddings),
        layers: (0..config.n_layers)
            .map(|layer| EncoderLayer::new(parameters, &format!("distilbert.transformer.layer.{layer}"), &NAMES, sizes))
            .collect(),
        before: Linear::new(parameters, "pre_classifier", hidden, hidden, Activation::Relu),
        classifier: Linear::new(parameters, "classifier", hidden, classes, Activation::None),
        dropout: config.seq_classif_dropout,
    }))
}

impl Network for DistilBert {
    fn logits(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Node {
        let embedded = self.embeddings.embed(tape, inputs); // [tokens × hidden]
        let mut state = tape.hidden_state(embedded);
        for layer in &self.layers {
            let next = layer.forward(tape, state, &inputs.segments, &layer.attention());
            state = tape.hidden_state(next);
        }
        let first = first_rows(tape, state, &inputs.segments); // [pairs × hidden]
        let before = tape.linear(&self.before, first);
        let before = tape.dropout(before, self.dropout);
        tape.linear(&self.classifier, before) // [pairs × classes]
    }

    fn group_words(&self) -> usize {
        GROUP_TOKENS
    }
}
