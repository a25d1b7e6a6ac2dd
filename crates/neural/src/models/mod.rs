//! The models, one file each, to be read beside its paper.

mod bilstm;
mod cbow;
mod classifier;
mod decomposable;
mod encoder;
mod esim;
mod infersent;

pub use bilstm::BiLstmSettings;
pub use cbow::CbowSettings;
pub use decomposable::{DecomposableSettings, IntraAttention};
pub use encoder::{Encoder, Sharing};
pub use esim::{EsimSettings, Projection};
pub use infersent::InferSentSettings;

use crate::batch::Segments;
use crate::error::{Error, Result};
use crate::ops::Words;
use crate::parameters::Parameters;
use crate::tape::{Node, Tape};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The words of a batch as vectors, premises first, and where each sentence begins.
pub struct Text {
    /// A row for each word; words that are alike share one.
    pub words: Words,
    /// Segment `i` is the premise of pair `i`, segment `pairs + i` its hypothesis.
    pub segments: Arc<Segments>,
    /// How many pairs there are.
    pub pairs: usize,
}

/// A network: what it does between word vectors and the scores of the three labels.
pub trait Model: Send + Sync {
    /// One row of three scores for each pair.
    fn logits(&self, tape: &mut Tape<'_>, text: &Text) -> Node;
}

/// Whether training changes the word vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WordVectors {
    /// Training changes them.
    Trained,
    /// They stay as they are.
    Frozen,
}

/// A model's name with its settings, as in `{"model": "esim", "hidden": 300}`; what is not said keeps its default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "model")]
pub enum Settings {
    /// Sums of word vectors.
    Cbow(CbowSettings),
    /// Means of BiLSTM states.
    Bilstm(BiLstmSettings),
    /// Maxima of BiLSTM states.
    Infersent(InferSentSettings),
    /// Aligned words compared one by one.
    Decomposable(DecomposableSettings),
    /// Aligned BiLSTM states, read by a second BiLSTM.
    Esim(EsimSettings),
}

/// What is said about a model where models are listed.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The name that settings give.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Where it was published.
    pub source: &'static str,
}

/// All models.
pub const CATALOG: &[Entry] = &[cbow::ENTRY, bilstm::ENTRY, infersent::ENTRY, decomposable::ENTRY, esim::ENTRY];

impl Settings {
    /// The default settings of a model.
    pub fn of(name: &str) -> Result<Self> {
        Ok(serde_json::from_value(serde_json::json!({ "model": name }))?)
    }

    /// Settings written as JSON.
    pub fn from_json(text: &str) -> Result<Self> {
        Ok(serde_json::from_str(text)?)
    }

    /// The name of the model.
    pub fn name(&self) -> &'static str {
        match self {
            Settings::Cbow(_) => cbow::ENTRY.name,
            Settings::Bilstm(_) => bilstm::ENTRY.name,
            Settings::Infersent(_) => infersent::ENTRY.name,
            Settings::Decomposable(_) => decomposable::ENTRY.name,
            Settings::Esim(_) => esim::ENTRY.name,
        }
    }

    /// Whether training changes the word vectors.
    pub fn word_vectors(&self) -> WordVectors {
        match self {
            Settings::Cbow(settings) => settings.word_vectors,
            Settings::Bilstm(settings) => settings.word_vectors,
            Settings::Infersent(settings) => settings.word_vectors,
            Settings::Decomposable(settings) => settings.word_vectors,
            Settings::Esim(settings) => settings.word_vectors,
        }
    }

    /// Declares the model's parameters for word vectors of this size.
    pub(crate) fn build(&self, parameters: &mut Parameters, inputs: usize) -> Result<Box<dyn Model>> {
        Ok(match self {
            Settings::Cbow(settings) => Box::new(cbow::Cbow::new(settings, parameters, inputs)?),
            Settings::Bilstm(settings) => Box::new(bilstm::BiLstmModel::new(settings, parameters, inputs)?),
            Settings::Infersent(settings) => Box::new(infersent::InferSent::new(settings, parameters, inputs)?),
            Settings::Decomposable(settings) => Box::new(decomposable::Decomposable::new(settings, parameters, inputs)?),
            Settings::Esim(settings) => Box::new(esim::Esim::new(settings, parameters, inputs)?),
        })
    }
}

/// Refuses a layer without numbers.
fn check_size(setting: &'static str, size: usize) -> Result<()> {
    if size > 0 {
        return Ok(());
    }
    Err(Error::Setting { setting, found: size.to_string(), expected: "at least 1" })
}

/// Refuses a dropout that drops everything, or less than nothing.
fn check_dropout(rate: f32) -> Result<()> {
    if (0.0..1.0).contains(&rate) {
        return Ok(());
    }
    Err(Error::Setting { setting: "dropout", found: rate.to_string(), expected: "a number from 0 up to, not including, 1" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_model_has_default_settings() {
        for entry in CATALOG {
            let settings = Settings::of(entry.name).unwrap();
            assert_eq!(settings.name(), entry.name);
            assert_eq!(serde_json::to_value(settings).unwrap()["model"], entry.name);
        }
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        let check = |text: &str, message: &str| {
            let found = Settings::from_json(text).unwrap_err().to_string();
            assert!(found.contains(message), "{found}");
        };
        check(r#"{"model": "essim"}"#, "expected one of `cbow`, `bilstm`, `infersent`, `decomposable`, `esim`");
        check(r#"{"model": "esim", "hiden": 3}"#, "unknown field `hiden`, expected one of `hidden`");
    }
}
