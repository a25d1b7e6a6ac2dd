//! ModernBERT (Warner et al. 2024): norms before the sublayers, rotary positions, gated feed-forward layers, and attention that is local
//! in two of three layers.

use super::{Architecture, PairTemplate, SUBWORDS, as_they_are, number};
use crate::blocks::{GROUP_TOKENS, activation, check_heads, first_rows, projected, read_config, table, tokens};
use crate::tokens::TypeIds;
use acidtest_neural::ops::{Activation, Attended, LayerNorm, Linear, Mask, MultiHead, Pooling};
use acidtest_neural::parameters::{ParameterId, Parameters};
use acidtest_neural::tape::{Node, Tape};
use acidtest_neural::{Inputs, Network, NetworkEntry, NeuralError, Result, Segments, Sizes};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

pub(super) const ENTRY: Architecture = Architecture {
    network: &NETWORK,
    prefix: "model.",
    template: PairTemplate::OneSeparator,
    embeddings: "model.embeddings.tok_embeddings.weight",
    output: "classifier.weight",
    head: &["head.", "classifier."],
    class: "ModernBert",
    positions: |config| Ok(number(config, "max_position_embeddings", 8192)),
    types: |_| TypeIds::Unused,
};

static NETWORK: NetworkEntry = NetworkEntry {
    name: "modernbert",
    summary: "ModernBERT",
    source: "Warner et al. 2024",
    featurizer: SUBWORDS,
    settings: as_they_are,
    build,
};

/// The keys of config.json, in the forms of `transformers` 4 and 5.
#[derive(Deserialize)]
struct Config {
    vocab_size: usize,
    hidden_size: usize,
    intermediate_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    #[serde(default = "gelu")]
    hidden_activation: String,
    #[serde(default = "gelu")]
    classifier_activation: String,
    #[serde(default = "epsilon")]
    norm_eps: f32,
    #[serde(default)]
    norm_bias: bool,
    #[serde(default)]
    attention_bias: bool,
    #[serde(default)]
    mlp_bias: bool,
    #[serde(default)]
    classifier_bias: bool,
    #[serde(default = "window")]
    local_attention: usize,
    #[serde(default = "every_third")]
    global_attn_every_n_layers: usize,
    layer_types: Option<Vec<String>>,
    global_rope_theta: Option<f32>,
    local_rope_theta: Option<f32>,
    #[serde(default)]
    rope_parameters: Value,
    #[serde(default)]
    classifier_pooling: ClassifierPooling,
    #[serde(default)]
    embedding_dropout: f32,
    #[serde(default)]
    attention_dropout: f32,
    #[serde(default)]
    mlp_dropout: f32,
    #[serde(default)]
    classifier_dropout: f32,
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ClassifierPooling {
    #[default]
    Cls,
    Mean,
}

fn gelu() -> String {
    "gelu".to_owned()
}

fn epsilon() -> f32 {
    1e-5
}

fn window() -> usize {
    128
}

fn every_third() -> usize {
    3
}

impl Config {
    /// Whether a layer attends to the whole sequence.
    fn is_full(&self, layer: usize) -> bool {
        match self.layer_types.as_ref().and_then(|types| types.get(layer)) {
            Some(kind) => kind == "full_attention",
            None => layer.is_multiple_of(self.global_attn_every_n_layers.max(1)),
        }
    }

    /// The base of the rotary frequencies.
    fn base(&self, is_full: bool) -> f32 {
        let (kind, old, default) = match is_full {
            true => ("full_attention", self.global_rope_theta, 160_000.0),
            false => ("sliding_attention", self.local_rope_theta, 10_000.0),
        };
        let new = self.rope_parameters.get(kind).and_then(|values| values.get("rope_theta")).and_then(Value::as_f64);
        new.map(|theta| theta as f32).or(old).unwrap_or(default)
    }
}

struct ModernBert {
    words: ParameterId,
    norm: LayerNorm,
    layers: Vec<Layer>,
    final_norm: LayerNorm,
    dense: Linear,
    head_norm: LayerNorm,
    classifier: Linear,
    pooling: ClassifierPooling,
    embedding_dropout: f32,
    dropout: f32,
}

struct Layer {
    /// The first layer has none: the embeddings are normalised already.
    attention_norm: Option<LayerNorm>,
    /// Queries, then keys, then values.
    together: Linear,
    output: Linear,
    norm: LayerNorm,
    up: Linear,
    down: Linear,
    attention: MultiHead,
    /// The base of the rotary frequencies.
    base: f32,
    dropout: f32,
    attention_dropout: f32,
}

fn build(config: &Value, parameters: &mut Parameters, _: &Sizes, classes: usize) -> Result<Box<dyn Network>> {
    let config: Config = read_config(config)?;
    let hidden = config.hidden_size;
    check_heads(hidden, config.num_attention_heads)?;
    if !(hidden / config.num_attention_heads).is_multiple_of(2) {
        let found = format!("{} heads for {hidden} columns", config.num_attention_heads);
        return Err(NeuralError::Setting { setting: "num_attention_heads", found, expected: "heads with an even number of columns" });
    }
    if let Some(base) = [true, false].map(|full| config.base(full)).into_iter().find(|base| !(base.is_finite() && *base > 0.0)) {
        return Err(NeuralError::Setting { setting: "rope_theta", found: base.to_string(), expected: "a positive number" });
    }
    if activation(&config.hidden_activation)? != Activation::Gelu {
        return Err(NeuralError::Setting { setting: "hidden_activation", found: config.hidden_activation, expected: "gelu" });
    }
    let words = table(parameters, "model.embeddings.tok_embeddings.weight", config.vocab_size, hidden);
    let norm = norm_of(parameters, "model.embeddings.norm", &config);
    let layers = (0..config.num_hidden_layers).map(|number| Layer::new(parameters, number, &config)).collect();
    let activation = activation(&config.classifier_activation)?;
    Ok(Box::new(ModernBert {
        words,
        norm,
        layers,
        final_norm: norm_of(parameters, "model.final_norm", &config),
        dense: linear(parameters, "head.dense", (hidden, hidden), config.classifier_bias, activation),
        head_norm: norm_of(parameters, "head.norm", &config),
        classifier: Linear::new(parameters, "classifier", hidden, classes, Activation::None),
        pooling: config.classifier_pooling,
        embedding_dropout: config.embedding_dropout,
        dropout: config.classifier_dropout,
    }))
}

fn norm_of(parameters: &mut Parameters, name: &str, config: &Config) -> LayerNorm {
    let new = if config.norm_bias { LayerNorm::new } else { LayerNorm::without_bias };
    new(parameters, name, config.hidden_size, config.norm_eps)
}

fn linear(parameters: &mut Parameters, name: &str, (inputs, outputs): (usize, usize), bias: bool, activation: Activation) -> Linear {
    match bias {
        true => Linear::new(parameters, name, inputs, outputs, activation),
        false => Linear { activation, ..Linear::projection(parameters, name, inputs, outputs) },
    }
}

impl Layer {
    fn new(parameters: &mut Parameters, number: usize, config: &Config) -> Self {
        let (hidden, inner, full) = (config.hidden_size, config.intermediate_size, config.is_full(number));
        let name = |part: &str| format!("model.layers.{number}.{part}");
        let mut plain = |part: &str, sizes, bias| linear(parameters, &name(part), sizes, bias, Activation::None);
        let together = plain("attn.Wqkv", (hidden, 3 * hidden), config.attention_bias);
        let output = plain("attn.Wo", (hidden, hidden), config.attention_bias);
        let up = plain("mlp.Wi", (hidden, 2 * inner), config.mlp_bias);
        let down = plain("mlp.Wo", (inner, hidden), config.mlp_bias);
        let mask = if full { Mask::None } else { Mask::Window(config.local_attention / 2) };
        Layer {
            attention_norm: (number > 0).then(|| norm_of(parameters, &name("attn_norm"), config)),
            together,
            output,
            norm: norm_of(parameters, &name("mlp_norm"), config),
            up,
            down,
            attention: MultiHead { mask, dropout: config.attention_dropout, ..MultiHead::plain(config.num_attention_heads, hidden) },
            base: config.base(full),
            dropout: config.mlp_dropout,
            attention_dropout: config.attention_dropout,
        }
    }

    /// [tokens × hidden] -> [tokens × hidden]
    fn forward(&self, tape: &mut Tape<'_>, input: Node, segments: &Arc<Segments>) -> Node {
        let normal = self.attention_norm.map_or(input, |norm| tape.layer_norm(&norm, input));
        let together = tape.linear(&self.together, normal);
        let hidden = tape.value(input).columns;
        let [queries, keys, values] = [0, 1, 2].map(|part| tape.columns(together, part * hidden..(part + 1) * hidden));
        let heads = self.attention.heads;
        let attended = Attended {
            queries: tape.rotate(queries, segments, heads, self.base),
            keys: tape.rotate(keys, segments, heads, self.base),
            values,
            query_segments: Arc::clone(segments),
            key_segments: Arc::clone(segments),
        };
        let mixed = tape.multi_head(&self.attention, &attended);
        [together, queries, keys, attended.queries, attended.keys, values].into_iter().for_each(|node| tape.discard(node));
        let mixed = projected(tape, &self.output, mixed, self.attention_dropout);
        let middle = tape.add(input, mixed);
        let normal = tape.layer_norm(&self.norm, middle);
        let both = tape.linear(&self.up, normal);
        let gated = tape.gelu_gate(both);
        tape.discard(both);
        let gated = tape.dropout(gated, self.dropout);
        let down = projected(tape, &self.down, gated, 0.0);
        tape.add(middle, down)
    }
}

impl Network for ModernBert {
    fn logits(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Node {
        let words = tape.embed(self.words, &tokens(inputs)); // [tokens × hidden]
        let words = tape.layer_norm(&self.norm, words);
        let mut state = tape.dropout(words, self.embedding_dropout);
        for layer in &self.layers {
            tape.hidden_state(state);
            state = layer.forward(tape, state, &inputs.segments);
        }
        let state = tape.layer_norm(&self.final_norm, state);
        tape.hidden_state(state);
        let pooled = match self.pooling {
            ClassifierPooling::Cls => first_rows(tape, state, &inputs.segments),
            ClassifierPooling::Mean => tape.pool(state, &inputs.segments, Pooling::Mean),
        }; // [pairs × hidden]
        let dense = tape.linear(&self.dense, pooled);
        let normal = tape.layer_norm(&self.head_norm, dense);
        let normal = tape.dropout(normal, self.dropout);
        tape.linear(&self.classifier, normal) // [pairs × classes]
    }

    fn group_words(&self) -> usize {
        GROUP_TOKENS
    }
}
