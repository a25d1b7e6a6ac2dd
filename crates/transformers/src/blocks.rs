//! Blocks that several architectures share.

use crate::tokens::TYPES;
use acidtest_neural::ops::{Activation, Attended, LayerNorm, Linear, MultiHead};
use acidtest_neural::parameters::{ParameterId, ParameterUpdate, Parameters};
use acidtest_neural::tape::{Node, Tape};
use acidtest_neural::{Inputs, NeuralError, Result, Segments};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;

/// The number of tokens that one thread scores together: enough to use each weight often, few enough to stay in cache.
pub(crate) const GROUP_TOKENS: usize = 448;

/// Reads the keys of a config.json that a network needs; others are ignored.
pub(crate) fn read_config<C: DeserializeOwned>(config: &Value) -> Result<C> {
    // Through text, so that the number 0.1 is read as the f32 next to 0.1.
    Ok(serde_json::from_str(&config.to_string())?)
}

/// The activation of this name in config.json.
pub(crate) fn activation(name: &str) -> Result<Activation> {
    match name {
        "gelu" | "gelu_python" => Ok(Activation::Gelu),
        "gelu_new" | "gelu_pytorch_tanh" | "gelu_fast" => Ok(Activation::GeluTanh),
        "relu" => Ok(Activation::Relu),
        "tanh" => Ok(Activation::Tanh),
        other => Err(NeuralError::Setting { setting: "hidden_act", found: format!("`{other}`"), expected: "gelu, gelu_new, relu or tanh" }),
    }
}

/// Refuses sizes that cannot be split into heads.
pub(crate) fn check_heads(hidden: usize, heads: usize) -> Result<()> {
    if heads == 0 || hidden == 0 || !hidden.is_multiple_of(heads) {
        let found = format!("{heads} heads for {hidden} columns");
        return Err(NeuralError::Setting { setting: "num_attention_heads", found, expected: "a divisor of the hidden size" });
    }
    Ok(())
}

/// The keys of config.json that BERT and its relatives share, with the defaults of `transformers`.
#[derive(Deserialize)]
pub(crate) struct EncoderConfig {
    pub vocab_size: usize,
    pub hidden_size: usize,
    pub num_hidden_layers: usize,
    pub num_attention_heads: usize,
    pub intermediate_size: usize,
    #[serde(default = "gelu")]
    pub hidden_act: String,
    pub max_position_embeddings: usize,
    #[serde(default)]
    pub type_vocab_size: usize,
    #[serde(default = "small_epsilon")]
    pub layer_norm_eps: f32,
    #[serde(default)]
    pub hidden_dropout_prob: f32,
    #[serde(default)]
    pub attention_probs_dropout_prob: f32,
    #[serde(alias = "classifier_dropout_prob")]
    classifier_dropout: Option<f32>,
}

fn gelu() -> String {
    "gelu".to_owned()
}

fn small_epsilon() -> f32 {
    1e-12
}

impl EncoderConfig {
    /// The sizes of a layer.
    pub(crate) fn layer(&self) -> Result<LayerSizes> {
        check_heads(self.hidden_size, self.num_attention_heads)?;
        Ok(LayerSizes {
            hidden: self.hidden_size,
            inner: self.intermediate_size,
            heads: self.num_attention_heads,
            activation: activation(&self.hidden_act)?,
            epsilon: self.layer_norm_eps,
            dropout: self.hidden_dropout_prob,
            attention_dropout: self.attention_probs_dropout_prob,
        })
    }

    /// The dropout rate of the classification head.
    pub(crate) fn head_dropout(&self) -> f32 {
        self.classifier_dropout.unwrap_or(self.hidden_dropout_prob)
    }
}

/// A table of embeddings.
pub(crate) fn table(parameters: &mut Parameters, name: &str, rows: usize, columns: usize) -> ParameterId {
    parameters.table(name, rows, columns, ParameterUpdate::Dense)
}

/// The token ids of a batch.
pub(crate) fn tokens(inputs: &Inputs) -> Arc<Vec<u32>> {
    Arc::new(inputs.ids(crate::tokens::TOKENS).to_vec())
}

/// The position of each token in its pair, counted from `first`.
pub(crate) fn positions(segments: &Segments, first: usize) -> Arc<Vec<u32>> {
    Arc::new(segments.ranges().flat_map(|range| (0..range.len()).map(move |place| (first + place) as u32)).collect())
}

/// The first row of each pair.
pub(crate) fn first_rows(tape: &mut Tape<'_>, rows: Node, segments: &Segments) -> Node {
    let places = segments.ranges().map(|range| range.start as u32).collect();
    tape.spread(&acidtest_neural::ops::WordRows { rows, places: Some(Arc::new(places)) })
}

/// The length of the longest pair.
pub(crate) fn longest(segments: &Segments) -> usize {
    segments.ranges().map(|range| range.len()).max().unwrap_or(0)
}

/// Embeddings of words, positions and types, added and normalised.
pub(crate) struct Embeddings {
    words: ParameterId,
    /// The table, and its row of the first position; none where attention knows the distances.
    positions: Option<(ParameterId, usize)>,
    types: Option<ParameterId>,
    norm: LayerNorm,
    dropout: f32,
}

/// The sizes of embeddings.
pub(crate) struct EmbeddingSizes {
    pub words: usize,
    pub columns: usize,
    /// The rows of the position table, and the row of the first position; 0 rows for no table.
    pub positions: (usize, usize),
    /// The rows of the type table; 0 for no table.
    pub types: usize,
    pub epsilon: f32,
    pub dropout: f32,
}

impl Embeddings {
    /// Declares the tensors under `prefix`.
    pub(crate) fn new(parameters: &mut Parameters, prefix: &str, sizes: &EmbeddingSizes) -> Self {
        let EmbeddingSizes { words, columns, positions: (rows, first), types, epsilon, dropout } = *sizes;
        let mut named = |name: &str, rows: usize| table(parameters, &format!("{prefix}.{name}_embeddings.weight"), rows, columns);
        let words = named("word", words);
        let positions = (rows > 0).then(|| (named("position", rows), first));
        let types = (types > 0).then(|| named("token_type", types));
        Embeddings { words, positions, types, norm: LayerNorm::new(parameters, &format!("{prefix}.LayerNorm"), columns, epsilon), dropout }
    }

    /// [tokens × columns]
    pub(crate) fn embed(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Node {
        let words = tape.embed(self.words, &tokens(inputs));
        let positions = self.positions.map(|(table, first)| tape.embed(table, &positions(&inputs.segments, first)));
        let types = self.types.map(|table| {
            let types = if inputs.column(TYPES).is_some() { inputs.ids(TYPES).to_vec() } else { vec![0; inputs.words()] };
            tape.embed(table, &Arc::new(types))
        });
        let others = match (positions, types) {
            (Some(positions), Some(types)) => Some(tape.add(positions, types)),
            (one, other) => one.or(other),
        };
        let normal = match others {
            Some(others) => tape.add_norm(&self.norm, words, others),
            None => tape.layer_norm(&self.norm, words),
        };
        tape.dropout(normal, self.dropout)
    }
}

/// The names of the tensors of an encoder layer, without the prefix of the layer.
pub(crate) struct LayerNames {
    pub query: &'static str,
    pub key: &'static str,
    pub value: &'static str,
    pub output: &'static str,
    pub attention_norm: &'static str,
    pub up: &'static str,
    pub down: &'static str,
    pub output_norm: &'static str,
}

/// The names of BERT, RoBERTa and ELECTRA.
pub(crate) const BERT_NAMES: LayerNames = LayerNames {
    query: "attention.self.query",
    key: "attention.self.key",
    value: "attention.self.value",
    output: "attention.output.dense",
    attention_norm: "attention.output.LayerNorm",
    up: "intermediate.dense",
    down: "output.dense",
    output_norm: "output.LayerNorm",
};

/// The sizes of an encoder layer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LayerSizes {
    pub hidden: usize,
    pub inner: usize,
    pub heads: usize,
    pub activation: Activation,
    pub epsilon: f32,
    pub dropout: f32,
    pub attention_dropout: f32,
}

/// A layer of a post-norm encoder (Vaswani et al. 2017): x = norm(x + attention(x)), then x = norm(x + feed_forward(x)).
pub(crate) struct EncoderLayer {
    pub query: Linear,
    pub key: Linear,
    pub value: Linear,
    output: Linear,
    attention_norm: LayerNorm,
    up: Linear,
    down: Linear,
    output_norm: LayerNorm,
    sizes: LayerSizes,
}

impl EncoderLayer {
    /// Declares the tensors of a layer under `prefix`.
    pub(crate) fn new(parameters: &mut Parameters, prefix: &str, names: &LayerNames, sizes: LayerSizes) -> Self {
        let LayerSizes { hidden, inner, activation, epsilon, .. } = sizes;
        let mut linear =
            |name: &str, inputs, outputs, activation| Linear::new(parameters, &format!("{prefix}.{name}"), inputs, outputs, activation);
        let query = linear(names.query, hidden, hidden, Activation::None);
        let key = linear(names.key, hidden, hidden, Activation::None);
        let value = linear(names.value, hidden, hidden, Activation::None);
        let output = linear(names.output, hidden, hidden, Activation::None);
        let up = linear(names.up, hidden, inner, activation);
        let down = linear(names.down, inner, hidden, Activation::None);
        let attention_norm = LayerNorm::new(parameters, &format!("{prefix}.{}", names.attention_norm), hidden, epsilon);
        let output_norm = LayerNorm::new(parameters, &format!("{prefix}.{}", names.output_norm), hidden, epsilon);
        EncoderLayer { query, key, value, output, attention_norm, up, down, output_norm, sizes }
    }

    /// How it attends, without terms of the distance.
    pub(crate) fn attention(&self) -> MultiHead {
        MultiHead { dropout: self.sizes.attention_dropout, ..MultiHead::plain(self.sizes.heads, self.sizes.hidden) }
    }

    /// [tokens × hidden] -> [tokens × hidden]
    pub(crate) fn forward(&self, tape: &mut Tape<'_>, input: Node, segments: &Arc<Segments>, layer: &MultiHead) -> Node {
        let attended = Attended {
            queries: tape.linear(&self.query, input),
            keys: tape.linear(&self.key, input),
            values: tape.linear(&self.value, input),
            query_segments: Arc::clone(segments),
            key_segments: Arc::clone(segments),
        };
        let mixed = tape.multi_head(layer, &attended);
        [attended.queries, attended.keys, attended.values].into_iter().for_each(|node| tape.discard(node));
        let mixed = projected(tape, &self.output, mixed, self.sizes.dropout);
        let middle = residual(tape, &self.attention_norm, mixed, input);
        let up = tape.linear(&self.up, middle);
        let down = projected(tape, &self.down, up, self.sizes.dropout);
        residual(tape, &self.output_norm, down, middle)
    }
}

/// A linear layer with dropout after it, whose input is not used again.
pub(crate) fn projected(tape: &mut Tape<'_>, layer: &Linear, input: Node, rate: f32) -> Node {
    let output = tape.linear(layer, input);
    tape.discard(input);
    tape.dropout(output, rate)
}

/// The norm of a sublayer's output added to its input; neither is used again.
pub(crate) fn residual(tape: &mut Tape<'_>, norm: &LayerNorm, output: Node, input: Node) -> Node {
    let sum = tape.add_norm(norm, output, input);
    tape.discard(output);
    tape.discard(input);
    sum
}

/// The classification head of RoBERTa, ELECTRA, MPNet and BART: one token through a layer with an activation, then the outputs.
pub(crate) struct DenseHead {
    dense: Linear,
    output: Linear,
    dropout: f32,
}

impl DenseHead {
    /// Declares the tensors `NAME.dense` and `NAME.out_proj`.
    pub(crate) fn new(
        parameters: &mut Parameters,
        name: &str,
        (hidden, classes): (usize, usize),
        activation: Activation,
        dropout: f32,
    ) -> Self {
        DenseHead {
            dense: Linear::new(parameters, &format!("{name}.dense"), hidden, hidden, activation),
            output: Linear::new(parameters, &format!("{name}.out_proj"), hidden, classes, Activation::None),
            dropout,
        }
    }

    /// [pairs × hidden] -> [pairs × classes]
    pub(crate) fn logits(&self, tape: &mut Tape<'_>, first: Node) -> Node {
        let first = tape.dropout(first, self.dropout);
        let dense = tape.linear(&self.dense, first);
        let dense = tape.dropout(dense, self.dropout);
        tape.linear(&self.output, dense)
    }
}
