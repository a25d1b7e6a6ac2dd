//! From text to features.
//!
//! A [`Featurizer`] turns pairs into [`PairFeatures`]. In training, a [`FeaturizerBuilder`] sees every training pair and builds it. It is
//! saved in the model folder and loaded with the model, so a network gets the same features at test time as in training.

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

/// The features of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct SentenceFeatures {
    /// The number of words.
    pub length: usize,
    /// The features of the words, by column name.
    pub columns: Vec<(&'static str, Column)>,
}

/// The features of a pair.
#[derive(Debug, Clone, PartialEq)]
pub struct PairFeatures {
    /// Premise and hypothesis, or one sequence made of both. Pairs with a sentence in common may share its features, so that the network
    /// encodes it only once.
    pub sentences: Vec<Arc<SentenceFeatures>>,
    /// Whether a sentence was truncated.
    pub truncated: bool,
}

impl PairFeatures {
    /// The number of words in all sentences of the pair.
    pub fn words(&self) -> usize {
        self.sentences.iter().map(|sentence| sentence.length).sum()
    }
}

/// Turns pairs into features.
pub trait Featurizer: Send + Sync {
    /// The features of a pair.
    fn features(&self, pair: &Pair<'_>) -> PairFeatures;

    /// The features of many pairs, in order; pairs with a sentence in common may share its features.
    fn features_of_many(&self, pairs: &[Pair<'_>]) -> Vec<PairFeatures> {
        map(pairs, Grain::AtLeast(1), |pair| self.features(pair))
    }

    /// The same for a featurizer that may fail on a text, with the error of the first such pair.
    fn try_features_of_many(&self, pairs: &[Pair<'_>]) -> Result<Vec<PairFeatures>> {
        Ok(self.features_of_many(pairs))
    }

    /// Collects the features of several pairs into the inputs of a network.
    fn batch(&self, pairs: &[&PairFeatures]) -> Result<Inputs> {
        Inputs::of_pairs(pairs)
    }

    /// The sizes a network needs to read these features.
    fn sizes(&self) -> Sizes;

    /// The settings to save for [`FeaturizerEntry::open`].
    fn settings(&self) -> Value;

    /// A short description of the featurizer, such as `20000 words`.
    fn summary(&self) -> String;

    /// The files to save for [`FeaturizerEntry::open`], with their names.
    fn files(&self) -> Vec<(&'static str, Vec<u8>)>;
}

/// Builds a featurizer from all training pairs.
pub trait FeaturizerBuilder: Send + Sync {
    /// Registers a training pair and returns its provisional features, which [`BuiltFeaturizer::settle`] later updates. Pairs may come in
    /// any order and from any thread.
    fn see(&self, pair: &Pair<'_>) -> PairFeatures;

    /// The same for several pairs and a featurizer that may fail on a text, with the error of the first such pair.
    fn see_all(&self, pairs: &[Pair<'_>]) -> Result<Vec<PairFeatures>> {
        Ok(pairs.iter().map(|pair| self.see(pair)).collect())
    }

    /// The vectors to look up in the embeddings file before [`finish`](Self::finish); empty for a featurizer that does not use vectors.
    fn wanted_vectors(&self) -> Option<VectorsWanted> {
        None
    }

    /// Builds the featurizer; `vectors` are those of the wanted vectors that were found, in file order.
    fn finish(self: Box<Self>, vectors: &KnownVectors) -> Result<BuiltFeaturizer>;
}

/// A featurizer together with what a network needs to be initialised for it.
pub struct BuiltFeaturizer {
    /// The featurizer.
    pub featurizer: Box<dyn Featurizer>,
    /// The sizes for a network that reads these features.
    pub sizes: Sizes,
    /// The settings, including values derived from the data, for the training record.
    pub settings: Value,
    /// The initial word vectors, if any.
    pub vectors: Option<Embeddings>,
    /// Updates provisional features to those that the finished featurizer gives.
    pub settle: Box<dyn Fn(&mut PairFeatures) + Send + Sync>,
}

/// A kind of featurizer: how to build and load it.
///
/// Settings are JSON objects; missing settings get their defaults and unknown ones are refused.
#[derive(Clone, Copy)]
pub struct FeaturizerEntry {
    /// The name in a model folder.
    pub name: &'static str,
    /// Fills in defaults and checks the settings.
    pub settings: fn(&Value) -> Result<Value>,
    /// Creates a builder.
    pub builder: fn(&Value) -> Result<Box<dyn FeaturizerBuilder>>,
    /// Loads the featurizer of a saved model.
    pub open: fn(&Value, &ModelFiles<'_>) -> Result<Box<dyn Featurizer>>,
}

/// The files of a saved model: in a folder, or embedded in the program.
pub enum ModelFiles<'f> {
    /// A folder.
    Folder(&'f Path),
    /// Files by name, with the model's name for messages.
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
