//! BERT (Devlin et al. 2019), also MiniLM (Wang et al. 2020), which has the same layout.

use super::{Architecture, PairTemplate, SUBWORDS, all_positions, as_they_are, types_by_size};
use crate::blocks::{BERT_NAMES, EmbeddingSizes, Embeddings, EncoderConfig, EncoderLayer, GROUP_TOKENS, first_rows, read_config};
use acidtest_neural::ops::{Activation, Linear};
use acidtest_neural::parameters::Parameters;
use acidtest_neural::tape::{Node, Tape};
use acidtest_neural::{Inputs, Network, NetworkEntry, Result, Sizes};
use serde_json::Value;

pub(super) const ENTRY: Architecture = Architecture {
    network: &NETWORK,
    prefix: "bert.",
    template: PairTemplate::OneSeparator,
    embeddings: "bert.embeddings.word_embeddings.weight",
    output: "classifier.weight",
    head: &["bert.pooler.", "classifier."],
    class: "Bert",
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

struct Bert {
    embeddings: Embeddings,
    layers: Vec<EncoderLayer>,
    pooler: Linear,
    classifier: Linear,
    dropout: f32,
}

fn build(config: &Value, parameters: &mut Parameters, _: &Sizes, classes: usize) -> Result<Box<dyn Network>> {
    let config: EncoderConfig = read_config(config)?;
    let (hidden, sizes) = (config.hidden_size, config.layer()?);
    let embeddings = EmbeddingSizes {
        words: config.vocab_size,
        columns: hidden,
        positions: (config.max_position_embeddings, 0),
        types: config.type_vocab_size,
        epsilon: config.layer_norm_eps,
        dropout: config.hidden_dropout_prob,
    };
    Ok(Box::new(Bert {
        embeddings: Embeddings::new(parameters, "bert.embeddings", &embeddings),
        layers: (0..config.num_hidden_layers)
            .map(|layer| EncoderLayer::new(parameters, &format!("bert.encoder.layer.{layer}"), &BERT_NAMES, sizes))
            .collect(),
        pooler: Linear::new(parameters, "bert.pooler.dense", hidden, hidden, Activation::Tanh),
        classifier: Linear::new(parameters, "classifier", hidden, classes, Activation::None),
        dropout: config.head_dropout(),
    }))
}

impl Network for Bert {
    fn logits(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Node {
        let embedded = self.embeddings.embed(tape, inputs); // [tokens × hidden]
        let mut state = tape.hidden_state(embedded);
        for layer in &self.layers {
            let next = layer.forward(tape, state, &inputs.segments, &layer.attention());
            state = tape.hidden_state(next);
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
