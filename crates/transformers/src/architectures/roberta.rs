//! RoBERTa (Liu et al. 2019), XLM-RoBERTa (Conneau et al. 2020) and CamemBERT (Martin et al. 2020): BERT without segments, with positions
//! that begin after the padding index, and a head of two layers.

use super::{Architecture, PairTemplate, SUBWORDS, as_they_are, number};
use crate::blocks::{
    BERT_NAMES, DenseHead, EmbeddingSizes, Embeddings, EncoderConfig, EncoderLayer, GROUP_TOKENS, first_rows, read_config,
};
use crate::tokens::TypeIds;
use acidtest_neural::ops::Activation;
use acidtest_neural::parameters::Parameters;
use acidtest_neural::tape::{Node, Tape};
use acidtest_neural::{Inputs, Network, NetworkEntry, Result, Sizes};
use serde_json::Value;

/// The three names of the same layout.
pub(super) const ENTRY: Architecture = entry(&ROBERTA, "Roberta");
pub(super) const XLM_ROBERTA_ENTRY: Architecture = entry(&XLM_ROBERTA, "XLMRoberta");
pub(super) const CAMEMBERT_ENTRY: Architecture = entry(&CAMEMBERT, "Camembert");

const fn entry(network: &'static NetworkEntry, class: &'static str) -> Architecture {
    Architecture {
        network,
        prefix: "roberta.",
        template: PairTemplate::TwoSeparators,
        embeddings: "roberta.embeddings.word_embeddings.weight",
        output: "classifier.out_proj.weight",
        head: &["classifier."],
        class,
        positions: |config| Ok(number(config, "max_position_embeddings", 514).saturating_sub(first_position(config))),
        // All tokens have type 0.
        types: |_| TypeIds::Unused,
    }
}

static ROBERTA: NetworkEntry = network("roberta", "RoBERTa", "Liu et al. 2019");
static XLM_ROBERTA: NetworkEntry = network("xlm-roberta", "XLM-RoBERTa", "Conneau et al. 2020");
static CAMEMBERT: NetworkEntry = network("camembert", "CamemBERT", "Martin et al. 2020");

const fn network(name: &'static str, summary: &'static str, source: &'static str) -> NetworkEntry {
    NetworkEntry { name, summary, source, featurizer: SUBWORDS, settings: as_they_are, build }
}

/// Positions are counted from the row after the padding index.
fn first_position(config: &Value) -> usize {
    number(config, "pad_token_id", 1).saturating_add(1)
}

struct Roberta {
    embeddings: Embeddings,
    layers: Vec<EncoderLayer>,
    head: DenseHead,
}

fn build(config: &Value, parameters: &mut Parameters, _: &Sizes, classes: usize) -> Result<Box<dyn Network>> {
    let first = first_position(config);
    let config: EncoderConfig = read_config(config)?;
    let (hidden, sizes) = (config.hidden_size, config.layer()?);
    let embeddings = EmbeddingSizes {
        words: config.vocab_size,
        columns: hidden,
        positions: (config.max_position_embeddings, first),
        types: config.type_vocab_size,
        epsilon: config.layer_norm_eps,
        dropout: config.hidden_dropout_prob,
    };
    Ok(Box::new(Roberta {
        embeddings: Embeddings::new(parameters, "roberta.embeddings", &embeddings),
        layers: (0..config.num_hidden_layers)
            .map(|layer| EncoderLayer::new(parameters, &format!("roberta.encoder.layer.{layer}"), &BERT_NAMES, sizes))
            .collect(),
        head: DenseHead::new(parameters, "classifier", (hidden, classes), Activation::Tanh, config.head_dropout()),
    }))
}

impl Network for Roberta {
    fn logits(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> Node {
        let embedded = self.embeddings.embed(tape, inputs); // [tokens × hidden]
        let mut state = tape.hidden_state(embedded);
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
