//! The catalog of trainable models: names, settings, and how each is trained and loaded.

use crate::error::Error;
use crate::network::NetworkModel;
use crate::trained::TrainedError;
use crate::training::{AllSettings, settings_text};
use acidtest_model::lexical::{self, LexicalEntry, LexicalSettings, Variant};
use acidtest_model::{LexicalModel, Model};
use acidtest_neural::NetworkEntry;
use acidtest_nli::{Catalog, Named, Settings};
use acidtest_threads::Threads;
use serde_json::{Map, Value};
use std::path::Path;

/// A model that can be trained.
#[derive(Clone, Copy)]
pub struct Trainable {
    /// The name on the command line.
    pub name: &'static str,
    /// A one-line summary.
    pub summary: &'static str,
    /// Where it was published.
    pub source: &'static str,
    kind: TrainableKind,
}

#[derive(Clone, Copy)]
enum TrainableKind {
    Lexical(&'static LexicalEntry),
    Network(&'static NetworkEntry),
}

impl Named for Trainable {
    fn name(&self) -> &str {
        self.name
    }
}

/// A model with its settings, ready to be trained.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelToTrain {
    /// A regression over words.
    Lexical(Variant, LexicalSettings),
    /// A network.
    Network(Box<AllSettings>),
}

const LEXICAL: &[LexicalEntry] = lexical::CATALOG.entries();
const NETWORKS: &[NetworkEntry] = acidtest_neural::CATALOG.entries();

static ENTRIES: [Trainable; LEXICAL.len() + NETWORKS.len()] = {
    let mut entries = [Trainable::lexical(&LEXICAL[0]); LEXICAL.len() + NETWORKS.len()];
    let mut place = 1;
    while place < entries.len() {
        entries[place] =
            if place < LEXICAL.len() { Trainable::lexical(&LEXICAL[place]) } else { Trainable::network(&NETWORKS[place - LEXICAL.len()]) };
        place += 1;
    }
    entries
};

/// All trainable models: the lexical ones, then the networks.
pub static TRAINABLE: Catalog<Trainable> = Catalog::new("model to train", &ENTRIES);

impl Trainable {
    const fn lexical(entry: &'static LexicalEntry) -> Self {
        Trainable { name: entry.name, summary: entry.summary, source: entry.source, kind: TrainableKind::Lexical(entry) }
    }

    const fn network(entry: &'static NetworkEntry) -> Self {
        Trainable { name: entry.name, summary: entry.summary, source: entry.source, kind: TrainableKind::Network(entry) }
    }

    /// Its own settings with their defaults.
    pub fn settings(&self) -> Vec<(String, String)> {
        match self.with(&Map::new()) {
            Ok(ModelToTrain::Lexical(_, settings)) => settings_text(&settings),
            Ok(ModelToTrain::Network(settings)) => settings_text(settings.network.values()),
            Err(_) => Vec::new(),
        }
    }

    /// The model with these settings; the others have their defaults.
    pub fn with(&self, settings: &Map<String, Value>) -> Result<ModelToTrain, Error> {
        Ok(match self.kind {
            TrainableKind::Lexical(entry) => {
                let settings = Settings::from_map(settings.clone()).over(entry.name, &LexicalSettings::default())?;
                ModelToTrain::Lexical(entry.variant, settings)
            }
            TrainableKind::Network(entry) => ModelToTrain::Network(Box::new(AllSettings::of(entry, settings)?)),
        })
    }

    /// Loads such a model from its folder.
    pub(crate) fn open(&self, folder: &Path, threads: &Threads) -> Result<Box<dyn Model>, TrainedError> {
        match self.kind {
            TrainableKind::Lexical(_) => Ok(Box::new(LexicalModel::load(folder)?.on(threads))),
            TrainableKind::Network(_) => NetworkModel::open(folder, threads),
        }
    }
}

impl ModelToTrain {
    /// The name of the model.
    pub fn name(&self) -> &'static str {
        match self {
            ModelToTrain::Lexical(variant, _) => variant.name(),
            ModelToTrain::Network(settings) => settings.network.name(),
        }
    }
}

/// The training settings of networks with their defaults.
pub fn training_settings() -> Vec<(String, String)> {
    NETWORKS.first().and_then(|entry| AllSettings::of(entry, &Map::new()).ok()).map(|all| all.of_training()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lexical_model_and_every_network_is_listed_once_with_settings() {
        let mut names = lexical::CATALOG.names();
        names.extend(acidtest_neural::CATALOG.names());
        assert_eq!(TRAINABLE.names(), names);
        for entry in &TRAINABLE {
            assert_eq!(entry.with(&Map::new()).unwrap().name(), entry.name);
            assert!(!entry.settings().is_empty(), "{}", entry.name);
        }
    }
}
