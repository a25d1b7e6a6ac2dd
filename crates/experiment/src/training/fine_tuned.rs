//! Transformers, which start from the weights of a folder.

use super::examples::class;
use super::fine_tuning::FineTuningSettings;
use super::folder::TrainingFolder;
use super::learner::{Course, Learner, Written};
use super::prepare::Prepared;
use super::{NetworkTraining, TrainingError};
use crate::error::Error;
use crate::transformer::{FINE_TUNED_FILE, TransformerModel, fine_tuned};
use acidtest_files::{ContentHash, FileHashes, note_read, write_pieces_synced};
use acidtest_neural::{Classifier, FeaturizerBuilder, NeuralError, Trainer};
use acidtest_nli::{Judgment, Label, Seed};
use acidtest_threads::Threads;
use acidtest_transformers::{CONFIG_FILE, Origin, Outputs, Subwords, SubwordsReader, TrainingStart, Transformer, transformer_hash};
use serde_json::{Map, Value, json};
use std::path::Path;

/// A transformer that is fine-tuned.
pub(crate) struct FineTuned {
    settings: FineTuningSettings,
    /// The folder with the weights to start from.
    folder: String,
    hash: ContentHash,
    architecture: &'static str,
    origin: Origin,
    outputs: Outputs,
    /// The tensors that had to be initialised.
    initialised: Vec<String>,
    /// How the folder was fine-tuned before, if it was here.
    earlier: Option<Value>,
    /// The pairs of that training.
    seen: Vec<u64>,
    /// Taken when pairs are read.
    subwords: Option<Subwords>,
    /// Taken when training starts.
    classifier: Option<Classifier>,
}

impl FineTuned {
    /// Opens a folder to fine-tune it.
    pub(crate) fn open(folder: &Path, settings: FineTuningSettings, seed: u64, threads: &Threads) -> Result<Self, Error> {
        note_read(folder);
        let start = TrainingStart {
            labels: settings.num_labels,
            dropout: settings.dropout,
            ..TrainingStart::new(Seed::new(seed).child("network"))
        };
        let hash = transformer_hash(folder)?;
        let before = fine_tuned(folder)?;
        let mut transformer = Transformer::for_training(folder, &start, threads)?;
        transformer.prepare(&settings.layers())?;
        let initialised = transformer.initialised().to_vec();
        let Transformer { classifier, subwords, outputs, architecture, origin, .. } = transformer;
        let (earlier, seen) = before.map(|before| (before.record, before.seen.into_hashes())).unzip();
        Ok(FineTuned {
            settings,
            folder: folder.display().to_string(),
            hash,
            architecture,
            origin,
            outputs,
            initialised,
            earlier,
            seen: seen.unwrap_or_default(),
            subwords: Some(subwords),
            classifier: Some(classifier),
        })
    }
}

impl Learner for FineTuned {
    fn name(&self) -> &str {
        self.architecture
    }

    fn about_file(&self) -> &'static str {
        FINE_TUNED_FILE
    }

    fn course(&self) -> Course {
        let FineTuningSettings { epochs, batch_size, gradient_accumulation_steps, patience, .. } = self.settings;
        Course { epochs, batch_size, batches_of_a_step: gradient_accumulation_steps, patience }
    }

    fn identity(&self) -> Map<String, Value> {
        Map::from_iter([("base".to_owned(), json!(self.hash)), ("settings".to_owned(), json!(self.settings))])
    }

    fn network_settings(&self) -> Value {
        json!({ "base": self.folder, "labels": self.outputs.order() })
    }

    fn training_settings(&self) -> Value {
        self.settings.as_json()
    }

    fn classes(&self) -> usize {
        self.outputs.count()
    }

    fn class(&self, gold: Judgment, not_entailed: Label) -> usize {
        match self.outputs.count() {
            2 => usize::from(!gold.is_entailment()),
            _ => class(gold, not_entailed),
        }
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.initialised.is_empty() {
            let names = self.initialised.join(", ");
            let labels = self.outputs.order();
            notes.push(format!(
                "{}: has no classification head for {labels}; these weights start from random numbers: {names}",
                self.folder
            ));
        }
        if self.outputs.count() == 2 && self.settings.num_labels.is_none() {
            notes.push(format!(
                "{}: has two outputs, so neutral and contradiction are learnt as non-entailment; pass --set num_labels=3 for a new head with three",
                self.folder
            ));
        }
        notes
    }

    fn reader(&mut self) -> Result<Box<dyn FeaturizerBuilder>, TrainingError> {
        let subwords = self.subwords.take().expect("the pairs are read once");
        Ok(Box::new(SubwordsReader::new(subwords, self.settings.max_length)?))
    }

    fn seen_before(&self) -> &[u64] {
        &self.seen
    }

    fn memory(&self, _: &Prepared) -> Result<u64, TrainingError> {
        let Some(classifier) = &self.classifier else { return Ok(0) };
        Ok(Classifier::training_memory(classifier.definition(), self.settings.batch_size)?)
    }

    fn start(&mut self, _: &NetworkTraining<'_>, _: &Prepared, steps: u64) -> Result<Trainer, TrainingError> {
        let classifier = self.classifier.take().expect("training starts once");
        Ok(Trainer::new(classifier, self.settings.trainer(steps))?)
    }

    fn check_best(&self, best: &Path, trained: &Trainer, _: &Prepared) -> Result<(), NeuralError> {
        trained.classifier().check_weights(best)
    }

    fn write(&self, mut classifier: Classifier, _: &Prepared, folder: &TrainingFolder) -> Result<Written, TrainingError> {
        classifier.load_weights(&folder.best())?;
        let mut files = FileHashes::new();
        self.origin.save_weights(&classifier, &mut |name, fill| {
            let path = folder.path().join(name);
            write_pieces_synced(&path, |file| fill(file))?;
            files.insert(name.to_owned(), ContentHash::of_file(&path).map_err(|source| NeuralError::File { path, source })?);
            Ok(())
        })?;
        files.insert(CONFIG_FILE.to_owned(), ContentHash::of(self.origin.config_text(&self.outputs)?.as_bytes()));
        let mut base = json!({ "folder": self.folder, "hash": self.hash, "initialised": self.initialised });
        if let Some(earlier) = &self.earlier {
            base["fine_tuned"] = earlier.clone();
        }
        let parts = Map::from_iter([("base".to_owned(), base), ("labels".to_owned(), json!(self.outputs.order()))]);
        // The weights are written with all their bits.
        Ok(Written { parts, files, rounded: None })
    }

    /// config.json makes the folder a model, so it comes last.
    fn complete(&self, folder: &TrainingFolder) -> Result<(), TrainingError> {
        folder.write(CONFIG_FILE, self.origin.config_text(&self.outputs)?)
    }

    fn check_finished(&self, folder: &Path, threads: &Threads) -> Result<(), String> {
        TransformerModel::open(folder, None, Default::default(), threads).map(drop).map_err(|error| error.to_string())
    }
}
