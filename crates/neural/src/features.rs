//! From text to what a network reads.
//!
//! A [`Featurizer`] turns pairs into [`PairFeatures`]. It is built in training by a [`FeaturizerBuilder`], which sees every training pair, is kept
//! in the model folder, and is opened again with the model, so that a network always reads what it was trained on.

use crate::column::Column;
use crate::embeddings::{Embeddings, KnownVectors, VectorsWanted};
use crate::error::Result;
use crate::inputs::Inputs;
use crate::sizes::Sizes;
use acidtest_nli::Pair;
use acidtest_threads::{Grain, map};
use serde_json::Value;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a network reads of one sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct SentenceFeatures {
    /// How many words it has.
    pub length: usize,
    /// What is known of them, by name.
    pub columns: Vec<(&'static str, Column)>,
}

/// What a network reads of a pair.
#[derive(Debug, Clone, PartialEq)]
pub struct PairFeatures {
    /// Premise and hypothesis, or one sequence made of both. Pairs that share a sentence may share its features: a network then reads it once.
    pub sentences: Vec<Arc<SentenceFeatures>>,
    /// Whether a sentence was longer than what is read of it.
    pub truncated: bool,
}

impl PairFeatures {
    /// How many words both sentences have.
    pub fn words(&self) -> usize {
        self.sentences.iter().map(|sentence| sentence.length).sum()
    }
}

/// Turns pairs into what a network reads.
pub trait Featurizer: Send + Sync {
    /// The features of a pair.
    fn features(&self, pair: &Pair<'_>) -> PairFeatures;

    /// The features of many pairs, in their order; pairs with the same sentence may share its features.
    fn features_of_many(&self, pairs: &[Pair<'_>]) -> Vec<PairFeatures> {
        map(pairs, Grain::AtLeast(1), |pair| self.features(pair))
    }

    /// Pairs as the inputs of a network.
    fn batch(&self, pairs: &[&PairFeatures]) -> Result<Inputs> {
        Inputs::of_pairs(pairs)
    }

    /// The sizes that a network must have to read the features.
    fn sizes(&self) -> Sizes;

    /// The settings that [`FeaturizerEntry::open`] needs.
    fn settings(&self) -> Value;

    /// What it knows, in a few words, such as `20000 words`.
    fn summary(&self) -> String;

    /// The files that [`FeaturizerEntry::open`] needs, with their names.
    fn files(&self) -> Vec<(&'static str, Vec<u8>)>;
}

/// Sees all training pairs, then makes the featurizer.
pub trait FeaturizerBuilder: Send + Sync {
    /// Takes note of a training pair and gives its features, which stay provisional until [`finish`](Self::finish); in any order, from any thread.
    fn see(&self, pair: &Pair<'_>) -> PairFeatures;

    /// The vectors that should be looked up in a file before [`finish`](Self::finish); nothing for one that has no use for vectors.
    fn wanted_vectors(&self) -> Option<VectorsWanted> {
        None
    }

    /// Makes the featurizer; `vectors` are the wanted ones that were found, in the order of their file.
    fn finish(self: Box<Self>, vectors: &KnownVectors) -> Result<BuiltFeaturizer>;
}

/// What came of a builder.
pub struct BuiltFeaturizer {
    /// The featurizer.
    pub featurizer: Box<dyn Featurizer>,
    /// The sizes of a network that reads its features.
    pub sizes: Sizes,
    /// The settings that it was built with, as the data made them: for the record.
    pub settings: Value,
    /// The word vectors that the network begins with, if it has some.
    pub vectors: Option<Embeddings>,
    /// Turns provisional features into those that the featurizer would give.
    pub settle: Box<dyn Fn(&mut PairFeatures) + Send + Sync>,
}

/// How a kind of featurizer is built, and opened again.
///
/// Settings are JSON objects; a builder fills in what they leave out and refuses what it does not know.
#[derive(Clone, Copy)]
pub struct FeaturizerEntry {
    /// The name that stands in a model folder.
    pub name: &'static str,
    /// The settings with all defaults filled in.
    pub settings: fn(&Value) -> Result<Value>,
    /// Begins to build one.
    pub builder: fn(&Value) -> Result<Box<dyn FeaturizerBuilder>>,
    /// Opens the one that a model folder holds.
    pub open: fn(&Value, &ModelFiles<'_>) -> Result<Box<dyn Featurizer>>,
}

/// The files of a model: those of a folder, or some that the program carries.
pub enum ModelFiles<'f> {
    /// A folder.
    Folder(&'f Path),
    /// Files by name, under the name of the model.
    Embedded(&'f Path, &'f [(&'f str, &'f [u8])]),
}

impl ModelFiles<'_> {
    /// The path of a file, for messages.
    pub fn path(&self, name: &str) -> PathBuf {
        match self {
            ModelFiles::Folder(folder) | ModelFiles::Embedded(folder, _) => folder.join(name),
        }
    }

    /// The bytes of a file.
    pub fn read(&self, name: &str) -> Result<Cow<'_, [u8]>> {
        let failed = |source| crate::NeuralError::File { path: self.path(name), source };
        match self {
            ModelFiles::Folder(folder) => std::fs::read(folder.join(name)).map(Cow::Owned).map_err(failed),
            ModelFiles::Embedded(_, files) => {
                let found = files.iter().find(|(own, _)| *own == name).map(|(_, bytes)| Cow::Borrowed(*bytes));
                found.ok_or_else(|| failed(std::io::ErrorKind::NotFound.into()))
            }
        }
    }

    /// The text of a file.
    pub fn read_text(&self, name: &str) -> Result<String> {
        String::from_utf8(self.read(name)?.into_owned()).map_err(|_| crate::NeuralError::NotText { path: self.path(name) })
    }
}
