//! BART (Lewis et al. 2020): an encoder and a decoder that both read the pair; the decoder's state at the last end token is classified.

use super::{Architecture, PairTemplate, SUBWORDS, as_they_are, number};
use crate::blocks::{
    DenseHead, EncoderLayer, GROUP_TOKENS, LayerNames, LayerSizes, activation, check_heads, positions, projected, read_config, residual,
    table, tokens,
};
use crate::tokens::TypeIds;
use acidtest_neural::ops::{Activation, Attended, LayerNorm, Linear, Mask, MultiHead, WordRows};
use acidtest_neural::parameters::{ParameterId, Parameters};
use acidtest_neural::tape::{Node, Tape};
use acidtest_neural::{Inputs, Network, NetworkEntry, NeuralError, Result, Segments, Sizes};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

pub(super) const ENTRY: Architecture = Architecture {
    network: &NETWORK,
    prefix: "model.",
    template: PairTemplate::TwoSeparators,
    embeddings: "model.shared.weight",
    output: "classification_head.out_proj.weight",
    head: &["classification_head."],
    class: "Bart",
    positions: |config| Ok(number(config, "max_position_embeddings", 1024)),
    types: |_| TypeIds::Unused,
};

static NETWORK: NetworkEntry =
    NetworkEntry { name: "bart", summary: "BART", source: "Lewis et al. 2020", featurizer: SUBWORDS, settings: as_they_are, build };

/// The rows of the position tables that no token uses.
const FIRST_POSITION: usize = 2;
const EPSILON: f32 = 1e-5;

const NAMES: LayerNames = LayerNames {
    query: "self_attn.q_proj",
    key: "self_attn.k_proj",
    value: "self_attn.v_proj",
    output: "self_attn.out_proj",
    attention_norm: "self_attn_layer_norm",
    up: "fc1",
    down: "fc2",
    output_norm: "final_layer_norm",
};

#[derive(Deserialize)]
struct Config {
    vocab_size: usize,
    d_model: usize,
    encoder_layers: usize,
    encoder_attention_heads: usize,
    encoder_ffn_dim: usize,
    decoder_layers: usize,
    decoder_attention_heads: usize,
    decoder_ffn_dim: usize,
    max_position_embeddings: usize,
    #[serde(default = "gelu")]
    activation_function: String,
    #[serde(default)]
    scale_embedding: bool,
    #[serde(default = "end_token")]
    eos_token_id: u32,
    #[serde(default = "end_token")]
    decoder_start_token_id: u32,
    #[serde(default)]
    dropout: f32,
    #[serde(default)]
    attention_dropout: f32,
    #[serde(default)]
    classifier_dropout: f32,
}

fn gelu() -> String {
    "gelu".to_owned()
}

fn end_token() -> u32 {
    2
}

struct Bart {
    words: ParameterId,
    encoder_input: InputLayer,
    encoder: Vec<EncoderLayer>,
    decoder_input: InputLayer,
    decoder: Vec<DecoderLayer>,
    head: DenseHead,
    start: u32,
    end: u32,
}

/// Words and positions, normalised.
struct InputLayer {
    positions: ParameterId,
    norm: LayerNorm,
    dropout: f32,
}

struct DecoderLayer {
    own: AttentionLayer,
    encoded: AttentionLayer,
    up: Linear,
    down: Linear,
    norm: LayerNorm,
    dropout: f32,
}

/// Attention with its residual connection and norm.
struct AttentionLayer {
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    norm: LayerNorm,
    attention: MultiHead,
    dropout: f32,
}

fn build(config: &Value, parameters: &mut Parameters, _: &Sizes, classes: usize) -> Result<Box<dyn Network>> {
    let config: Config = read_config(config)?;
    let hidden = config.d_model;
    check_heads(hidden, config.encoder_attention_heads)?;
    check_heads(hidden, config.decoder_attention_heads)?;
    if config.scale_embedding {
        return Err(NeuralError::Setting { setting: "scale_embedding", found: "true".to_owned(), expected: "false" });
    }
    if config.decoder_start_token_id as usize >= config.vocab_size {
        let found = config.decoder_start_token_id.to_string();
        return Err(NeuralError::Setting { setting: "decoder_start_token_id", found, expected: "a token of the vocabulary" });
    }
    let sizes = LayerSizes {
        hidden,
        inner: config.encoder_ffn_dim,
        heads: config.encoder_attention_heads,
        activation: activation(&config.activation_function)?,
        epsilon: EPSILON,
        dropout: config.dropout,
        attention_dropout: config.attention_dropout,
    };
    let decoder_sizes = LayerSizes { inner: config.decoder_ffn_dim, heads: config.decoder_attention_heads, ..sizes };
    Ok(Box::new(Bart {
        words: table(parameters, "model.shared.weight", config.vocab_size, hidden),
        encoder_input: InputLayer::new(parameters, "model.encoder", &config),
        encoder: (0..config.encoder_layers)
            .map(|layer| EncoderLayer::new(parameters, &format!("model.encoder.layers.{layer}"), &NAMES, sizes))
            .collect(),
        decoder_input: InputLayer::new(parameters, "model.decoder", &config),
        decoder: (0..config.decoder_layers)
            .map(|layer| DecoderLayer::new(parameters, &format!("model.decoder.layers.{layer}"), decoder_sizes))
            .collect(),
        head: DenseHead::new(parameters, "classification_head", (hidden, classes), Activation::Tanh, config.classifier_dropout),
        start: config.decoder_start_token_id,
        end: config.eos_token_id,
    }))
}

impl InputLayer {
    fn new(parameters: &mut Parameters, name: &str, config: &Config) -> Self {
        let rows = config.max_position_embeddings.saturating_add(FIRST_POSITION);
        InputLayer {
            positions: table(parameters, &format!("{name}.embed_positions.weight"), rows, config.d_model),
            norm: LayerNorm::new(parameters, &format!("{name}.layernorm_embedding"), config.d_model, EPSILON),
            dropout: config.dropout,
        }
    }

    /// [tokens × hidden]
    fn embed(&self, tape: &mut Tape<'_>, table: ParameterId, words: &Arc<Vec<u32>>, segments: &Segments) -> Node {
        let words = tape.embed(table, words);
        let places = tape.embed(self.positions, &positions(segments, FIRST_POSITION));
        let sum = tape.add_norm(&self.norm, words, places);
        tape.dropout(sum, self.dropout)
    }
}

impl DecoderLayer {
    fn new(parameters: &mut Parameters, name: &str, sizes: LayerSizes) -> Self {
        let own = AttentionLayer::new(parameters, &format!("{name}.self_attn"), sizes, Mask::Causal);
        let encoded = AttentionLayer::new(parameters, &format!("{name}.encoder_attn"), sizes, Mask::None);
        DecoderLayer {
            own,
            encoded,
            up: Linear::new(parameters, &format!("{name}.fc1"), sizes.hidden, sizes.inner, sizes.activation),
            down: Linear::new(parameters, &format!("{name}.fc2"), sizes.inner, sizes.hidden, Activation::None),
            norm: LayerNorm::new(parameters, &format!("{name}.final_layer_norm"), sizes.hidden, EPSILON),
            dropout: sizes.dropout,
        }
    }

    /// [tokens × hidden] -> [tokens × hidden]
    fn forward(&self, tape: &mut Tape<'_>, input: Node, encoded: Node, segments: &Arc<Segments>) -> Node {
        let state = self.own.forward(tape, input, input, segments);
        let state = self.encoded.forward(tape, state, encoded, segments);
        let up = tape.linear(&self.up, state);
        let down = projected(tape, &self.down, up, self.dropout);
        residual(tape, &self.norm, down, state)
    }
}

impl AttentionLayer {
    fn new(parameters: &mut Parameters, name: &str, sizes: LayerSizes, mask: Mask) -> Self {
        let LayerSizes { hidden, heads, dropout, attention_dropout, .. } = sizes;
        let mut linear = |part: &str| Linear::new(parameters, &format!("{name}.{part}"), hidden, hidden, Activation::None);
        let [query, key, value, output] = ["q_proj", "k_proj", "v_proj", "out_proj"].map(&mut linear);
        let norm = LayerNorm::new(parameters, &format!("{name}_layer_norm"), hidden, EPSILON);
        let attention = MultiHead { mask, dropout: attention_dropout, ..MultiHead::plain(heads, hidden) };
        AttentionLayer { query, key, value, output, norm, attention, dropout }
    }

    fn forward(&self, tape: &mut Tape<'_>, input: Node, seen: Node, segments: &Arc<Segments>) -> Node {
        let attended = Attended {
            queries: tape.linear(&self.query, input),
            keys: tape.linear(&self.key, seen),
            values: tape.linear(&self.value, seen),
            query_segments: Arc::clone(segments),
            key_segments: Arc::clone(segments),
        };
        let mixed = tape.multi_head(&self.attention, &attended);
        let mixed = projected(tape, &self.output, mixed, self.dropout);
        residual(tape, &self.norm, mixed, input)
    }
}

impl Network for Bart {
    fn logits(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Node {
        let (segments, words) = (&inputs.segments, tokens(inputs));
        let embedded = self.encoder_input.embed(tape, self.words, &words, segments); // [tokens × hidden]
        let mut encoded = tape.hidden_state(embedded);
        for layer in &self.encoder {
            let next = layer.forward(tape, encoded, segments, &layer.attention());
            encoded = tape.hidden_state(next);
        }
        // The decoder reads the same tokens, one place later.
        let shifted =
            segments.ranges().flat_map(|range| std::iter::once(self.start).chain(words[range].iter().copied().rev().skip(1).rev()));
        let shifted = Arc::new(shifted.collect::<Vec<u32>>());
        let mut state = self.decoder_input.embed(tape, self.words, &shifted, segments);
        tape.hidden_state(state);
        for layer in &self.decoder {
            state = layer.forward(tape, state, encoded, segments);
            tape.hidden_state(state);
        }
        let last_end = |range: std::ops::Range<usize>| range.clone().rev().find(|&place| words[place] == self.end).unwrap_or(range.end - 1);
        let places = segments.ranges().map(|range| last_end(range) as u32).collect();
        let last = tape.spread(&WordRows { rows: state, places: Some(Arc::new(places)) }); // [pairs × hidden]
        self.head.logits(tape, last)
    }

    fn group_words(&self) -> usize {
        GROUP_TOKENS
    }
}
