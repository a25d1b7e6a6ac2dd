//! The architectures, one per file, each readable beside its paper.

mod albert;
mod bart;
mod bert;
mod deberta_v2;
mod distilbert;
mod electra;
mod modernbert;
mod mpnet;
mod roberta;

use crate::tokens::TypeIds;
use acidtest_neural::{FeaturizerEntry, NetworkEntry, NeuralError, Result};
use acidtest_nli::{Catalog, Named};
use serde_json::Value;

/// The catalog of architectures, by `model_type`.
pub static CATALOG: Catalog<Architecture> = Catalog::new(
    "architecture",
    &[
        bert::ENTRY,
        distilbert::ENTRY,
        roberta::ENTRY,
        roberta::XLM_ROBERTA_ENTRY,
        roberta::CAMEMBERT_ENTRY,
        electra::ENTRY,
        albert::ENTRY,
        mpnet::ENTRY,
        deberta_v2::ENTRY,
        modernbert::ENTRY,
        bart::ENTRY,
    ],
);

/// An architecture: how a network is built from config.json, and how its inputs look.
#[derive(Clone, Copy)]
pub struct Architecture {
    /// The network, named as `model_type` in config.json.
    pub network: &'static NetworkEntry,
    /// The prefix of the names of its tensors, which encoders that were saved without a head lack.
    pub prefix: &'static str,
    /// The template of pairs, where the folder does not give one.
    pub template: PairTemplate,
    /// The tensor of the word embeddings, whose rows are the vocabulary.
    pub embeddings: &'static str,
    /// The last weight, whose rows are the outputs.
    pub output: &'static str,
    /// How the names of the tensors of the head begin, which an encoder may lack before it is trained.
    pub head: &'static [&'static str],
    /// How the names of the classes of `transformers` begin.
    pub class: &'static str,
    /// The longest input in tokens.
    pub positions: fn(&Value) -> Result<usize>,
    /// Whether type ids are read.
    pub types: fn(&Value) -> TypeIds,
}

/// How two sentences become one sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairTemplate {
    /// `[CLS] a [SEP] b [SEP]`
    OneSeparator,
    /// `<s> a </s></s> b </s>`
    TwoSeparators,
}

impl Named for Architecture {
    fn name(&self) -> &str {
        self.network.name
    }
}

/// The featurizer of all architectures: it comes with the folder and is not built from training pairs.
const SUBWORDS: FeaturizerEntry = FeaturizerEntry {
    name: "subwords",
    settings: |settings| Ok(settings.clone()),
    builder: |_| Err(from_folder()),
    open: |_, _| Err(from_folder()),
};

fn from_folder() -> NeuralError {
    NeuralError::Setting { setting: "featurizer", found: "`subwords`".to_owned(), expected: "the folder of a transformer" }
}

/// Settings are kept as config.json has them.
fn as_they_are(config: &Value) -> Result<Value> {
    Ok(config.clone())
}

/// A whole number of config.json, or its default.
pub(crate) fn number(config: &Value, key: &str, default: usize) -> usize {
    config.get(key).and_then(Value::as_u64).map_or(default, |number| number as usize)
}

/// `max_position_embeddings`, for tables without reserved rows.
fn all_positions(config: &Value) -> Result<usize> {
    Ok(number(config, "max_position_embeddings", 512))
}

/// Type ids are read if there is more than one.
fn types_by_size(config: &Value) -> TypeIds {
    if number(config, "type_vocab_size", 2) > 1 { TypeIds::Used } else { TypeIds::Unused }
}
