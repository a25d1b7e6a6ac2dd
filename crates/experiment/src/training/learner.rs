//! What differs between the networks that are trained: networks of the catalog, which start from random weights, and transformers, which
//! are fine-tuned.

use super::folder::TrainingFolder;
use super::prepare::Prepared;
use super::{NetworkTraining, TrainingError};
use acidtest_files::FileHashes;
use acidtest_neural::{Classifier, FeaturizerBuilder, Trainer};
use acidtest_nli::{Judgment, Label};
use acidtest_threads::Threads;
use serde_json::{Map, Value};
use std::path::Path;

/// The course of a training run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Course {
    /// The maximum number of epochs.
    pub epochs: u32,
    /// The number of pairs that are processed together.
    pub batch_size: usize,
    /// The number of batches of an optimiser step.
    pub batches_of_a_step: usize,
    /// The number of epochs without improvement after which training stops; 0 for never.
    pub patience: u32,
}

/// A network that is to be trained.
///
/// Everything else is common to all of them: the data, the batches, checkpoints, resuming, the choice of the best epoch, log and page.
pub(crate) trait Learner: Sync {
    /// Its name in reports and messages.
    fn name(&self) -> &str;

    /// The file of a finished folder that describes the model and how it was trained.
    fn about_file(&self) -> &'static str;

    fn course(&self) -> Course;

    /// Everything about it that determines the weights, for the identity of a training run.
    fn identity(&self) -> Map<String, Value>;

    /// The settings of the network itself, for the page.
    fn network_settings(&self) -> Value;

    /// The training settings, for the record.
    fn training_settings(&self) -> Value;

    /// The number of its labels.
    fn classes(&self) -> usize;

    /// The index of a gold label among its labels; `not_entailed` is the label for two-way non-entailment.
    fn class(&self, gold: Judgment, not_entailed: Label) -> usize;

    /// What should be known before training starts.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Starts to read training pairs; called once.
    fn reader(&mut self) -> Result<Box<dyn FeaturizerBuilder>, TrainingError>;

    /// The pairs that the network was already trained on before, by their hashes.
    fn seen_before(&self) -> &[u64] {
        &[]
    }

    /// An estimate of the bytes that training needs.
    fn memory(&self, prepared: &Prepared) -> Result<u64, TrainingError>;

    /// The network before the first of `steps` optimiser steps; called once.
    fn start(&mut self, request: &NetworkTraining<'_>, prepared: &Prepared, steps: u64) -> Result<Trainer, TrainingError>;

    /// Checks that the best weights so far can be read.
    fn check_best(&self, best: &Path, trained: &Trainer, prepared: &Prepared) -> Result<(), acidtest_neural::NeuralError>;

    /// Writes the files of the model with its best weights, except for its description.
    fn write(&self, classifier: Classifier, prepared: &Prepared, folder: &TrainingFolder) -> Result<Written, TrainingError>;

    /// Completes the folder after its description was written.
    fn complete(&self, folder: &TrainingFolder) -> Result<(), TrainingError> {
        let _ = folder;
        Ok(())
    }

    /// Opens a finished folder, to check that it is whole.
    fn check_finished(&self, folder: &Path, threads: &Threads) -> Result<(), String>;
}

/// The files of a model that were written.
pub(crate) struct Written {
    /// What the description of the model says about it, besides how it was trained.
    pub parts: Map<String, Value>,
    /// The hashes of the files.
    pub files: FileHashes,
    /// The network with the weights as written, if they may differ from the best ones.
    pub rounded: Option<Classifier>,
}
