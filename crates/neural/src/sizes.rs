//! The sizes that a featurizer gives to a network.

use crate::error::{NeuralError, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Sizes by name. The name of an id column stands for the size of its vocabulary.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sizes(BTreeMap<String, usize>);

impl Sizes {
    /// Creates sizes from names and values.
    pub fn new<'n>(sizes: impl IntoIterator<Item = (&'n str, usize)>) -> Self {
        Sizes(sizes.into_iter().map(|(name, size)| (name.to_owned(), size)).collect())
    }

    /// The size of this name, if there is one.
    pub fn get(&self, name: &str) -> Option<usize> {
        self.0.get(name).copied()
    }

    /// All sizes with their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, usize)> {
        self.0.iter().map(|(name, &size)| (name.as_str(), size))
    }

    /// The size of this name, or an error if it is missing.
    pub fn required(&self, name: &'static str) -> Result<usize> {
        self.get(name).ok_or(NeuralError::MissingSize { name })
    }
}
