//! BERT (Devlin et al. 2019), also MiniLM (Wang et al. 2020), which has the same layout.

use super::{Architecture, PairTemplate, SUBWORDS, all_positions, as_they_are, types_by_size};
use crate::blocks::{
    BERT_NAMES, EncoderLayer, GROUP_TOKENS, LayerSizes, activation, check_heads, first_rows, positions, read_config, table, tokens,
};
use crate::tokens::TYPES;
use acidtest_neural::ops::{Activation, DistanceTerms, LayerNorm, Linear};
use acidtest_neural::parameters::{ParameterId, Parameters};
use acidtest_neural::tape::{Node, Tape};
use acidtest_neural::{Inputs, Network, NetworkEntry, Result, Sizes};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

pub(super) const ENTRY: Architecture = Architecture {
    network: &NETWORK,
    prefix: "bert.",
    template: PairTemplate::OneSeparator,
    embeddings: "bert.embeddings.word_embeddings.weight",
    output: "classifier.weight",
    positions: all_positions,
    types: types_by_size,
};

static NETWORK: NetworkEntry = NetworkEntry {
    name: "bert",
    summary: "BERT and MiniLM",
    source: "Devlin et al. 2019; Wang et al. 2020",
    featurizer: SUBWORDS,
    settings: as_they_are,
    build,
};

/// The keys of config.json, with the defaults of `transformers`.
#[derive(Deserialize)]
struct Config {
    vocab_size: usize,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    #[serde(default = "gelu")]
    hidden_act: String,
    max_position_embeddings: usize,
    type_vocab_size: usize,
    #[serde(default = "epsilon")]
    layer_norm_eps: f32,
    #[serde(default)]
    hidden_dropout_prob: f32,
    #[serde(default)]
    attention_probs_dropout_prob: f32,
    classifier_dropout: Option<f32>,
}

fn gelu() -> String {
    "gelu".to_owned()
}

fn epsilon() -> f32 {
    1e-12
}

struct Bert {
    words: ParameterId,
    positions: ParameterId,
    types: ParameterId,
    norm: LayerNorm,
    layers: Vec<EncoderLayer>,
    pooler: Linear,
    classifier: Linear,
    dropout: f32,
    classifier_dropout: f32,
}

fn build(config: &Value, parameters: &mut Parameters, _: &Sizes, classes: usize) -> Result<Box<dyn Network>> {
    let config: Config = read_config(config)?;
    let hidden = config.hidden_size;
    check_heads(hidden, config.num_attention_heads)?;
    let sizes = LayerSizes {
        hidden,
        inner: config.intermediate_size,
        heads: config.num_attention_heads,
        activation: activation(&config.hidden_act)?,
        epsilon: config.layer_norm_eps,
        dropout: config.hidden_dropout_prob,
        attention_dropout: config.attention_probs_dropout_prob,
    };
    Ok(Box::new(Bert {
        words: table(parameters, "bert.embeddings.word_embeddings.weight", config.vocab_size, hidden),
        positions: table(parameters, "bert.embeddings.position_embeddings.weight", config.max_position_embeddings, hidden),
        types: table(parameters, "bert.embeddings.token_type_embeddings.weight", config.type_vocab_size, hidden),
        norm: LayerNorm::new(parameters, "bert.embeddings.LayerNorm", hidden, config.layer_norm_eps),
        layers: (0..config.num_hidden_layers)
            .map(|layer| EncoderLayer::new(parameters, &format!("bert.encoder.layer.{layer}"), &BERT_NAMES, sizes))
            .collect(),
        pooler: Linear::new(parameters, "bert.pooler.dense", hidden, hidden, Activation::Tanh),
        classifier: Linear::new(parameters, "classifier", hidden, classes, Activation::None),
        dropout: config.hidden_dropout_prob,
        classifier_dropout: config.classifier_dropout.unwrap_or(config.hidden_dropout_prob),
    }))
}

impl Network for Bert {
    fn logits(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Node {
        let segments = &inputs.segments;
        let words = tape.embed(self.words, &tokens(inputs)); // [tokens × hidden]
        let places = tape.embed(self.positions, &positions(segments, 0));
        let types = if inputs.column(TYPES).is_some() { inputs.ids(TYPES).to_vec() } else { vec![0; inputs.words()] };
        let types = tape.embed(self.types, &Arc::new(types));
        let places = tape.add(places, types);
        let sum = tape.add_norm(&self.norm, words, places);
        let mut state = tape.dropout(sum, self.dropout);
        for layer in &self.layers {
            state = layer.forward(tape, state, segments, DistanceTerms::None, None);
        }
        let first = first_rows(tape, state, segments); // [pairs × hidden]
        let pooled = tape.linear(&self.pooler, first);
        let pooled = tape.dropout(pooled, self.classifier_dropout);
        tape.linear(&self.classifier, pooled) // [pairs × classes]
    }

    fn group_words(&self) -> usize {
        GROUP_TOKENS
    }
}
