//! ELECTRA (Clark et al. 2020): BERT whose embeddings may be smaller than its layers, with a head of two layers.

use super::{Architecture, PairTemplate, SUBWORDS, all_positions, as_they_are, number, types_by_size};
use crate::blocks::{
    BERT_NAMES, DenseHead, EmbeddingSizes, Embeddings, EncoderConfig, EncoderLayer, GROUP_TOKENS, first_rows, read_config,
};
use acidtest_neural::ops::{Activation, Linear};
use acidtest_neural::parameters::Parameters;
use acidtest_neural::tape::{Node, Tape};
use acidtest_neural::{Inputs, Network, NetworkEntry, Result, Sizes};
use serde_json::Value;

pub(super) const ENTRY: Architecture = Architecture {
    network: &NETWORK,
    prefix: "electra.",
    template: PairTemplate::OneSeparator,
    embeddings: "electra.embeddings.word_embeddings.weight",
    output: "classifier.out_proj.weight",
    head: &["classifier."],
    class: "Electra",
    positions: all_positions,
    types: types_by_size,
};

static NETWORK: NetworkEntry =
    NetworkEntry { name: "electra", summary: "ELECTRA", source: "Clark et al. 2020", featurizer: SUBWORDS, settings: as_they_are, build };

struct Electra {
    embeddings: Embeddings,
    /// From the size of the embeddings to that of the layers, if they differ.
    widen: Option<Linear>,
    layers: Vec<EncoderLayer>,
    head: DenseHead,
}

fn build(config: &Value, parameters: &mut Parameters, _: &Sizes, classes: usize) -> Result<Box<dyn Network>> {
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
    Ok(Box::new(Electra {
        embeddings: Embeddings::new(parameters, "electra.embeddings", &embeddings),
        widen: (columns != hidden).then(|| Linear::new(parameters, "electra.embeddings_project", columns, hidden, Activation::None)),
        layers: (0..config.num_hidden_layers)
            .map(|layer| EncoderLayer::new(parameters, &format!("electra.encoder.layer.{layer}"), &BERT_NAMES, sizes))
            .collect(),
        // The activation of the head is GELU whatever hidden_act says.
        head: DenseHead::new(parameters, "classifier", (hidden, classes), Activation::Gelu, config.head_dropout()),
    }))
}

impl Network for Electra {
    fn logits(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Node {
        let embedded = self.embeddings.embed(tape, inputs); // [tokens × embedding size]
        let wide = self.widen.map_or(embedded, |widen| tape.linear(&widen, embedded)); // [tokens × hidden]
        let mut state = tape.hidden_state(wide);
        for layer in &self.layers {
            let next = layer.forward(tape, state, &inputs.segments, &layer.attention());
            state = tape.hidden_state(next);
        }
        let first = first_rows(tape, state, &inputs.segments); // [pairs × hidden]
        self.head.logits(tape, first)
    }

    fn group_words(&self) -> usize {
        GROUP_TOKENS
    }
}
