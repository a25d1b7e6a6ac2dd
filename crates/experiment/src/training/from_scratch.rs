//! Networks of the catalog, which start from random weights.

use super::examples::{CLASSES, class};
use super::folder::{TrainingFolder, WEIGHTS_FILE};
use super::learner::{Course, Learner, Written};
use super::prepare::Prepared;
use super::settings::AllSettings;
use super::{NetworkTraining, TrainingError};
use crate::trained::ABOUT_FILE;
use acidtest_files::{ContentHash, FileHashes};
use acidtest_neural::{Classifier, Definition, FeaturizerBuilder, NeuralError, Trainer};
use acidtest_nli::{Judgment, Label, Seed};
use acidtest_threads::Threads;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::path::Path;

/// The featurizer of a trained network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SavedFeaturizer {
    /// Its name.
    pub name: String,
    /// Its settings, besides the files of the folder.
    pub settings: Value,
}

/// A network of the catalog.
pub(crate) struct FromScratch {
    pub settings: AllSettings,
}

impl FromScratch {
    fn definition(&self, prepared: &Prepared) -> Definition {
        Definition { settings: self.settings.network.clone(), sizes: prepared.sizes.clone(), classes: CLASSES }
    }
}

impl Learner for FromScratch {
    fn name(&self) -> &str {
        self.settings.network.name()
    }

    fn about_file(&self) -> &'static str {
        ABOUT_FILE
    }

    fn course(&self) -> Course {
        let training = &self.settings.training;
        Course { epochs: training.epochs, batch_size: training.batch_size, batches_of_a_step: 1, patience: training.patience }
    }

    fn identity(&self) -> Map<String, Value> {
        let AllSettings { network, featurizer, training } = &self.settings;
        Map::from_iter([
            ("network".to_owned(), json!(network)),
            ("featurizer".to_owned(), featurizer.clone()),
            ("settings".to_owned(), json!(training)),
        ])
    }

    fn network_settings(&self) -> Value {
        self.settings.network.values().clone()
    }

    fn training_settings(&self) -> Value {
        super::settings::as_given(&self.settings.training)
    }

    fn classes(&self) -> usize {
        CLASSES
    }

    fn class(&self, gold: Judgment, not_entailed: Label) -> usize {
        class(gold, not_entailed)
    }

    fn reader(&mut self) -> Result<Box<dyn FeaturizerBuilder>, TrainingError> {
        Ok((self.settings.network.entry().featurizer.builder)(&self.settings.featurizer)?)
    }

    fn memory(&self, prepared: &Prepared) -> Result<u64, TrainingError> {
        Ok(Classifier::training_memory(&self.definition(prepared), self.settings.training.batch_size)?)
    }

    fn start(&mut self, request: &NetworkTraining<'_>, prepared: &Prepared, _: u64) -> Result<Trainer, TrainingError> {
        let seed = Seed::new(request.seed).child("network");
        let network = Classifier::new(&self.definition(prepared), prepared.vectors.as_ref(), seed, &request.session.threads)?;
        Ok(Trainer::new(network, self.settings.training.training())?)
    }

    fn check_best(&self, best: &Path, trained: &Trainer, prepared: &Prepared) -> Result<(), NeuralError> {
        Classifier::load(&self.definition(prepared), best, trained.classifier().threads()).map(drop)
    }

    fn write(&self, classifier: Classifier, prepared: &Prepared, folder: &TrainingFolder) -> Result<Written, TrainingError> {
        let bytes = |path: std::path::PathBuf| {
            let text = std::fs::read(&path);
            text.map_err(|source| TrainingError::Folder { path: path.display().to_string(), source })
        };
        let threads = classifier.threads().clone();
        // The memory of the network in training is needed for that with the best weights.
        drop(classifier);
        let definition = self.definition(prepared);
        let best = Classifier::from_bytes(&definition, &bytes(folder.best())?, &folder.best(), &threads)?;
        best.save_as(&folder.weights(), self.settings.training.weights)?;
        // The reported accuracy is that of the saved weights, which may be rounded.
        let weights = bytes(folder.weights())?;
        let kept = Classifier::from_bytes(&definition, &weights, &folder.weights(), &threads)?;
        let mut files = FileHashes::from([(WEIGHTS_FILE.to_owned(), ContentHash::of(&weights))]);
        for (name, bytes) in prepared.featurizer.files() {
            files.insert(name.to_owned(), ContentHash::of(&bytes));
            folder.write(name, bytes)?;
        }
        let entry = self.settings.network.entry().featurizer;
        let featurizer = SavedFeaturizer { name: entry.name.to_string(), settings: prepared.featurizer.settings() };
        let mut parts = serde_json::to_value(&definition)?.as_object().cloned().unwrap_or_default();
        parts.insert("featurizer".to_owned(), json!(featurizer));
        Ok(Written { parts, files, rounded: Some(kept) })
    }

    fn check_finished(&self, folder: &Path, threads: &Threads) -> Result<(), String> {
        crate::open_model(folder, threads).map(drop).map_err(|error| error.to_string())
    }
}
