//! The catalog of trainable models: names, settings, and how each is trained and loaded.

use crate::error::Error;
use crate::network::NetworkModel;
use crate::trained::{TrainedError, is_trained_model};
use crate::training::{AllSettings, FineTuningSettings, Preset, PresetModels, settings_text};
use acidtest_model::lexical::{self, LexicalEntry, LexicalSettings, Variant};
use acidtest_model::{LexicalModel, Model};
use acidtest_neural::NetworkEntry;
use acidtest_nli::{Catalog, Named, Settings};
use acidtest_threads::Threads;
use acidtest_transformers::is_transformer;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

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
    /// A transformer in this folder, which is fine-tuned.
    Transformer(PathBuf, Box<FineTuningSettings>),
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
            Ok(ModelToTrain::Transformer(..)) | Err(_) => Vec::new(),
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
    /// The model that a user names, a trainable model or the folder of a transformer, with these settings on top of those of a preset.
    pub fn named(model: &str, preset: Option<&Preset>, settings: &Map<String, Value>) -> Result<Self, Error> {
        let with = |models| preset.map_or_else(|| Ok(settings.clone()), |preset| preset.with(models, settings));
        if let Some(entry) = TRAINABLE.get(model) {
            return entry.with(&with(PresetModels::Named(entry.name))?);
        }
        let folder = Path::new(model);
        if !folder.is_dir() {
            return Err(TRAINABLE.find(model).err().map_or_else(|| Error::NotTrainable { folder: model.to_string() }, Error::from));
        }
        match (is_transformer(folder), is_trained_model(folder)) {
            (true, true) => Err(Error::TwoModels { folder: model.to_string() }),
            (true, false) => {
                let settings = FineTuningSettings::of(&with(PresetModels::Transformers)?)?;
                Ok(ModelToTrain::Transformer(folder.to_path_buf(), Box::new(settings)))
            }
            (false, _) => Err(Error::NotTrainable { folder: model.to_string() }),
        }
    }

    /// The name of the model, or its folder.
    pub fn name(&self) -> String {
        match self {
            ModelToTrain::Lexical(variant, _) => variant.name().to_string(),
            ModelToTrain::Network(settings) => settings.network.name().to_string(),
            ModelToTrain::Transformer(folder, _) => folder.display().to_string(),
        }
    }
}

/// The training settings of networks with their defaults.
pub fn training_settings() -> Vec<(String, String)> {
    NETWORKS.first().and_then(|entry| AllSettings::of(entry, &Map::new()).ok()).map(|all| all.of_training()).unwrap_or_default()
}

/// The settings of fine-tuning with their defaults.
pub fn fine_tuning_settings() -> Vec<(String, String)> {
    settings_text(&FineTuningSettings::default())
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
