//! DeBERTa-v2 and v3 (He et al. 2021, 2023): attention to contents and to distances, with embeddings of the distances instead of the
//! positions.

use super::{Architecture, PairTemplate, SUBWORDS, all_positions, as_they_are};
use crate::blocks::{
    BERT_NAMES, EmbeddingSizes, Embeddings, EncoderConfig, EncoderLayer, GROUP_TOKENS, LayerNames, activation, first_rows, longest,
    read_config, table,
};
use acidtest_neural::ops::{Activation, DistanceTerms, Distances, LayerNorm, Linear, MultiHead};
use acidtest_neural::parameters::{ParameterId, Parameters};
use acidtest_neural::tape::{Node, Operation, Pass, Tape};
use acidtest_neural::{Inputs, Network, NetworkEntry, NeuralError, Result, Segments, Sizes};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

pub(super) const ENTRY: Architecture = Architecture {
    network: &NETWORK,
    prefix: "deberta.",
    template: PairTemplate::OneSeparator,
    embeddings: "deberta.embeddings.word_embeddings.weight",
    output: "classifier.weight",
    head: &["pooler.", "classifier."],
    class: "DebertaV2",
    positions: all_positions,
    types: super::types_by_size,
};

static NETWORK: NetworkEntry = NetworkEntry {
    name: "deberta-v2",
    summary: "DeBERTa-v2, DeBERTa-v3 and mDeBERTa",
    source: "He et al. 2021; He et al. 2023",
    featurizer: SUBWORDS,
    settings: as_they_are,
    build,
};

const NAMES: LayerNames =
    LayerNames { query: "attention.self.query_proj", key: "attention.self.key_proj", value: "attention.self.value_proj", ..BERT_NAMES };

/// The keys of config.json that BERT does not have.
#[derive(Deserialize)]
struct Config {
    #[serde(default)]
    relative_attention: bool,
    #[serde(default = "minus_one")]
    max_relative_positions: i64,
    #[serde(default = "minus_one")]
    position_buckets: i64,
    #[serde(default)]
    share_att_key: bool,
    #[serde(default)]
    norm_rel_ebd: String,
    #[serde(default)]
    pos_att_type: Value,
    #[serde(default = "yes")]
    position_biased_input: bool,
    #[serde(default)]
    conv_kernel_size: usize,
    #[serde(default = "tanh")]
    conv_act: String,
    #[serde(default)]
    pooler_dropout: f32,
    #[serde(default = "gelu")]
    pooler_hidden_act: String,
    cls_dropout: Option<f32>,
}

fn minus_one() -> i64 {
    -1
}

fn yes() -> bool {
    true
}

fn tanh() -> String {
    "tanh".to_owned()
}

fn gelu() -> String {
    "gelu".to_owned()
}

struct Deberta {
    embeddings: Embeddings,
    layers: Vec<DebertaLayer>,
    /// Embeddings of the distances, [2 span × hidden].
    distances: ParameterId,
    distance_norm: Option<LayerNorm>,
    buckets: Buckets,
    convolution: Option<Convolution>,
    pooler: Linear,
    classifier: Linear,
    pooler_dropout: f32,
    dropout: f32,
}

struct DebertaLayer {
    layer: EncoderLayer,
    /// Keys and queries of distances; `None` if those of words serve both.
    own: Option<[Linear; 2]>,
}

/// Where the embedding of a distance is.
#[derive(Debug, Clone, Copy)]
struct Buckets {
    /// The number of buckets, or 0 if each distance has its own row.
    count: usize,
    /// The largest distance that is distinguished from greater ones.
    most: usize,
}

fn build(config: &Value, parameters: &mut Parameters, _: &Sizes, classes: usize) -> Result<Box<dyn Network>> {
    let own: Config = read_config(config)?;
    check(&own)?;
    let config: EncoderConfig = read_config(config)?;
    let (hidden, sizes) = (config.hidden_size, config.layer()?);
    let positions = if own.position_biased_input { config.max_position_embeddings } else { 0 };
    let embeddings = EmbeddingSizes {
        words: config.vocab_size,
        columns: hidden,
        positions: (positions, 0),
        types: config.type_vocab_size,
        epsilon: config.layer_norm_eps,
        dropout: config.hidden_dropout_prob,
    };
    let most = usize::try_from(own.max_relative_positions).ok().filter(|most| *most > 0).unwrap_or(config.max_position_embeddings);
    let buckets = Buckets { count: usize::try_from(own.position_buckets).unwrap_or(0), most };
    if buckets.count == 1 || buckets.count > 0 && buckets.most <= buckets.count / 2 + 1 {
        let found = format!("{} for distances up to {most}", buckets.count);
        return Err(NeuralError::Setting {
            setting: "position_buckets",
            found,
            expected: "at least two, and fewer than twice the distances",
        });
    }
    let embeddings = Embeddings::new(parameters, "deberta.embeddings", &embeddings);
    let layer = |parameters: &mut Parameters, number: usize| {
        let name = format!("deberta.encoder.layer.{number}");
        let layer = EncoderLayer::new(parameters, &name, &NAMES, sizes);
        let mut distance = |part| Linear::new(parameters, &format!("{name}.attention.self.{part}"), hidden, hidden, Activation::None);
        DebertaLayer { layer, own: (!own.share_att_key).then(|| ["pos_key_proj", "pos_query_proj"].map(&mut distance)) }
    };
    let layers = (0..config.num_hidden_layers).map(|number| layer(parameters, number)).collect();
    let normed = own.norm_rel_ebd.contains("layer_norm");
    let convolution = match own.conv_kernel_size {
        0 => None,
        size => Some(Convolution::new(parameters, hidden, size, activation(&own.conv_act)?, config.layer_norm_eps)),
    };
    Ok(Box::new(Deberta {
        embeddings,
        layers,
        distances: table(parameters, "deberta.encoder.rel_embeddings.weight", 2 * buckets.span(), hidden),
        distance_norm: normed.then(|| LayerNorm::new(parameters, "deberta.encoder.LayerNorm", hidden, config.layer_norm_eps)),
        buckets,
        convolution,
        pooler: Linear::new(parameters, "pooler.dense", hidden, hidden, activation(&own.pooler_hidden_act)?),
        classifier: Linear::new(parameters, "classifier", hidden, classes, Activation::None),
        pooler_dropout: own.pooler_dropout,
        dropout: own.cls_dropout.unwrap_or(config.hidden_dropout_prob),
    }))
}

/// Refuses settings that no released model has.
fn check(config: &Config) -> Result<()> {
    let text = config.pos_att_type.to_string();
    if !config.relative_attention || !text.contains("c2p") || !text.contains("p2c") {
        return Err(NeuralError::Setting { setting: "pos_att_type", found: text, expected: "relative attention with c2p and p2c" });
    }
    if config.conv_kernel_size > 0 && config.conv_kernel_size.is_multiple_of(2) {
        let found = config.conv_kernel_size.to_string();
        return Err(NeuralError::Setting { setting: "conv_kernel_size", found, expected: "an odd number" });
    }
    Ok(())
}

impl Network for Deberta {
    fn logits(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Node {
        let segments = &inputs.segments;
        let embedded = self.embeddings.embed(tape, inputs); // [tokens × hidden]
        let mut state = tape.hidden_state(embedded);
        // The first layer discards its input, which the convolution needs later.
        let unfolded = self.convolution.as_ref().map(|convolution| unfold(tape, state, segments, convolution.size));
        let (places, distances) = self.buckets.rows(longest(segments));
        let own = tape.embed(self.distances, &Arc::new(places)); // [distances × hidden]
        let own = self.distance_norm.map_or(own, |norm| tape.layer_norm(&norm, own));
        for (number, DebertaLayer { layer, own: projections }) in self.layers.iter().enumerate() {
            let [key, query] = projections.unwrap_or([layer.key, layer.query]);
            let (keys, queries) = (tape.linear(&key, own), tape.linear(&query, own));
            let terms = DistanceTerms::Relative { keys, queries, distances: Arc::clone(&distances) };
            let plain = layer.attention();
            // The three terms have the same scale.
            let attention = MultiHead { terms, scale: plain.scale / 3f32.sqrt(), ..plain };
            state = layer.forward(tape, state, segments, &attention);
            if let (0, Some(convolution), Some(unfolded)) = (number, &self.convolution, unfolded) {
                state = convolution.forward(tape, unfolded, state);
            }
            tape.hidden_state(state);
        }
        let first = first_rows(tape, state, segments); // [pairs × hidden]
        let first = tape.dropout(first, self.pooler_dropout);
        let pooled = tape.linear(&self.pooler, first);
        let pooled = tape.dropout(pooled, self.dropout);
        tape.linear(&self.classifier, pooled) // [pairs × classes]
    }

    fn group_words(&self) -> usize {
        // The distances are encoded once per group.
        2 * GROUP_TOKENS
    }
}

impl Buckets {
    /// The rows of the table for each direction.
    fn span(self) -> usize {
        if self.count > 0 { self.count } else { self.most }
    }

    /// The rows of the table that sequences of this length need, and where each distance is among them.
    fn rows(self, longest: usize) -> (Vec<u32>, Arc<Distances>) {
        let far = longest.max(1) as isize - 1;
        let mut places: Vec<u32> = (-far..=far).map(|distance| self.row(distance) as u32).collect();
        places.dedup();
        let first = self.row(-far);
        // Rows descend one by one while distances ascend.
        let distances = Distances::new(longest, |distance| first - self.row(distance));
        (places, Arc::new(distances))
    }

    /// The row of a distance, the position of the key minus that of the query.
    fn row(self, distance: isize) -> usize {
        let span = self.span() as isize;
        (self.bucket(-distance) + span).clamp(0, 2 * span - 1) as usize
    }

    /// Near distances as they are, far ones in ranges that grow with the logarithm.
    fn bucket(self, apart: isize) -> isize {
        let middle = (self.count / 2) as isize;
        let distance = apart.abs();
        if self.count == 0 || distance <= middle {
            return apart;
        }
        let share = (distance as f32 / middle as f32).ln() / ((self.most as f32 - 1.0) / middle as f32).ln();
        apart.signum() * (middle + (share * (middle - 1) as f32).ceil() as isize)
    }
}

/// The convolution over neighbouring tokens in the largest models: its result is added to that of the first layer.
struct Convolution {
    weight: Linear,
    norm: LayerNorm,
    size: usize,
}

impl Convolution {
    fn new(parameters: &mut Parameters, hidden: usize, size: usize, activation: Activation, epsilon: f32) -> Self {
        Convolution {
            weight: Linear::new(parameters, "deberta.encoder.conv.conv", hidden * size, hidden, activation),
            norm: LayerNorm::new(parameters, "deberta.encoder.conv.LayerNorm", hidden, epsilon),
            size,
        }
    }

    fn forward(&self, tape: &mut Tape<'_>, unfolded: Node, state: Node) -> Node {
        let convolved = tape.linear(&self.weight, unfolded);
        tape.add_norm(&self.norm, convolved, state)
    }
}

/// [tokens × columns] -> [tokens × (columns · size)]: each column with those of the neighbours, zeros outside the segment.
fn unfold(tape: &mut Tape<'_>, input: Node, segments: &Arc<Segments>, size: usize) -> Node {
    let (rows, columns) = (tape.value(input).rows, tape.value(input).columns);
    let mut output = tape.uninitialised(rows, columns * size);
    output.data.fill(0.0);
    neighbours(segments, size, |row, place, neighbour| {
        let from = tape.value(input).row(neighbour);
        let to = &mut output.data[row * columns * size..(row + 1) * columns * size];
        from.iter().enumerate().for_each(|(column, number)| to[column * size + place] = *number);
    });
    let segments = Arc::clone(segments);
    tape.record(output, &[input], &[], |output| Unfold { input, segments, size, output })
}

/// Calls `each` with a row, a place in the kernel and the neighbouring row there.
fn neighbours(segments: &Segments, size: usize, mut each: impl FnMut(usize, usize, usize)) {
    for range in segments.ranges() {
        for row in range.clone() {
            for place in 0..size {
                let neighbour = (row + place).checked_sub(size / 2).filter(|neighbour| range.contains(neighbour));
                neighbour.into_iter().for_each(|neighbour| each(row, place, neighbour));
            }
        }
    }
}

struct Unfold {
    input: Node,
    segments: Arc<Segments>,
    size: usize,
    output: Node,
}

impl Operation for Unfold {
    fn backward(self: Box<Self>, pass: &mut Pass<'_>) {
        let Some(gradient) = pass.take(self.output) else { return };
        if let Some(to) = pass.zeroed(self.input) {
            neighbours(&self.segments, self.size, |row, place, neighbour| {
                let from = gradient.row(row);
                to.row_mut(neighbour).iter_mut().enumerate().for_each(|(column, number)| *number += from[column * self.size + place]);
            });
        }
        pass.gradients.buffers.give(gradient);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_neural::check::check;

    #[test]
    fn gradients_agree_with_finite_differences() {
        let segments = Arc::new(Segments::of_lengths([2, 0, 4]));
        check(&[(6, 3)], |_| (), |tape, (), nodes| unfold(tape, nodes[0], &segments, 3));
    }

    #[test]
    fn near_distances_have_a_row_each() {
        let v3 = Buckets { count: 256, most: 512 };
        assert_eq!([0, 1, 128, -128].map(|apart| v3.bucket(apart)), [0, 1, 128, -128]);
        assert_eq!(v3.bucket(511), 255);
        assert_eq!(v3.bucket(-600), -v3.bucket(600));
        let (places, _) = v3.rows(3);
        assert_eq!(places, [258, 257, 256, 255, 254]);
    }
}
