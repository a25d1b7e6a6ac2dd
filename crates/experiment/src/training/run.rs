//! The training loop: steps, epochs, checkpoints, and the final model folder.

use super::examples::TrainingExample;
use super::folder::{FolderState, LOG_FILE, PAGE_FILE, TrainingFolder, WEIGHTS_FILE};
use super::log::{LogLine, log_text};
use super::page::{End, training_page};
use super::prepare::{Prepared, prepare};
use super::seen::SEEN_FILE;
use super::{DataUsed, NetworkTraining, TrainingError, TrainingSettings, WordOrder};
use crate::network::best_class;
use acidtest_files::{ContentHash, FileHashes, seal_json};
use acidtest_neural::{Classifier, Definition, PairFeatures, Precision, Trainer};
use acidtest_nli::Seed;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Instant;

/// The number of log lines per epoch, besides the one at its end.
const LOG_LINES: usize = 20;

/// An event of a training run.
pub enum TrainingEvent<'e> {
    /// All data is read.
    Prepared {
        /// The files.
        data: &'e [DataUsed],
        /// The number of examples in an epoch.
        rows: usize,
        /// A short description of the featurizer.
        featurizer: &'e str,
        /// The number of added examples by challenge.
        augmented: &'e BTreeMap<String, u64>,
    },
    /// An interrupted training run is resumed.
    Resumed {
        /// The epoch.
        epoch: u32,
        /// The number of steps already done.
        step: u64,
    },
    /// A step is done.
    Step(TrainingProgress),
    /// The end of an epoch, with its line of the log.
    Epoch(&'e LogLine),
}

/// The progress of a training run.
#[derive(Debug, Clone, Copy)]
pub struct TrainingProgress {
    /// The epoch, from 1.
    pub epoch: u32,
    /// The maximum number of epochs.
    pub epochs: u32,
    /// The number of examples of this epoch that were processed.
    pub done: usize,
    /// The number of examples in an epoch.
    pub rows: usize,
    /// The mean loss of the epoch so far.
    pub loss: f64,
    /// The best development accuracy so far.
    pub dev_accuracy: Option<f64>,
    /// Training pairs per second, since the training run started or resumed.
    pub examples_per_second: f64,
}

/// The outcome of training a network.
pub enum NetworkOutcome {
    /// The network is trained.
    Trained(Box<TrainedNetwork>),
    /// The folder already has the model of the same request.
    AlreadyTrained(Box<TrainedNetwork>),
}

/// The content of `model.json` for a trained network.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TrainedNetwork {
    /// The network's name.
    pub model: String,
    /// Its settings, the sizes of its inputs, and its number of classes.
    #[serde(flatten)]
    pub definition: Definition,
    /// Its featurizer.
    pub featurizer: SavedFeaturizer,
    /// The training settings.
    pub training: Value,
    /// Whether words were shuffled.
    pub word_order: WordOrder,
    /// The data it was trained on.
    pub data: Vec<DataUsed>,
    /// The number of added examples by challenge.
    pub augmented: BTreeMap<String, u64>,
    /// The development accuracy of the saved weights.
    pub dev_accuracy: Option<f64>,
    /// The epoch of the saved weights.
    pub best_epoch: u32,
    /// The number of epochs trained.
    pub epochs: u32,
    /// The number of training pairs processed.
    pub examples: u64,
    /// Seconds of training.
    pub seconds: f64,
    /// The seed.
    pub seed: u64,
    /// The command that trained it.
    pub command: String,
    /// The version of the program that trained it.
    pub version: String,
    /// The hash that identifies this training run.
    pub identity: String,
    /// The hashes of the files that determine predictions, and of the list of training pairs.
    pub files: FileHashes,
}

/// The featurizer of a trained network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedFeaturizer {
    /// Its name.
    pub name: String,
    /// Its settings, besides the files of the folder.
    pub settings: Value,
}

/// The state to resume from, besides weights and optimiser state.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct State {
    /// The epoch, from 1.
    epoch: u32,
    /// The index of the next batch in the epoch.
    next_batch: usize,
    examples: u64,
    seconds: f64,
    /// Sums of weighted losses, and numbers of pairs: for the epoch and since the last log line.
    epoch_loss: (f64, u64),
    line_loss: (f64, u64),
    /// When the epoch began.
    epoch_began: f64,
    best_accuracy: Option<f64>,
    best_epoch: u32,
    log: Vec<LogLine>,
}

/// Trains a network or resumes its training; `observe` receives events.
pub(crate) fn train_network(
    request: &NetworkTraining<'_>,
    observe: &mut dyn FnMut(TrainingEvent<'_>),
) -> Result<NetworkOutcome, TrainingError> {
    let (folder, found) = TrainingFolder::take(&request.output)?;
    let prepared = prepare(request)?;
    if let Some(trained) = already_trained(request, &prepared, &folder, found)? {
        return Ok(NetworkOutcome::AlreadyTrained(trained));
    }
    // Check the settings first: a network that refuses them must not leave a started folder behind.
    let seed = Seed::new(request.seed).child("network");
    let needed = Classifier::training_memory(&prepared.definition, request.settings.batch_size)?;
    if let Some(available) = request.session.memory.filter(|available| needed > *available) {
        return Err(TrainingError::Memory { needed, available });
    }
    let network = Classifier::new(&prepared.definition, prepared.vectors.as_ref(), seed, &request.session.threads)?;
    let trainer = Trainer::new(network, request.settings.training())?;
    observe(TrainingEvent::Prepared {
        data: &prepared.data,
        rows: prepared.epochs.size(),
        featurizer: &prepared.featurizer.summary(),
        augmented: &prepared.augmented,
    });
    folder.begin(&prepared.identity, &request.command, &request.version)?;
    let mut run = TrainingRun {
        request,
        prepared: &prepared,
        folder,
        trainer,
        state: State { epoch: 1, ..State::default() },
        began: Instant::now(),
        seconds_before: 0.0,
        examples_before: 0,
        saved: Instant::now(),
    };
    run.resume(observe)?;
    run.run(observe)?;
    Ok(NetworkOutcome::Trained(Box::new(run.finish()?)))
}

/// The model, if the folder already has the one of the same request; a folder with anything else is refused.
fn already_trained(
    request: &NetworkTraining<'_>,
    prepared: &Prepared,
    folder: &TrainingFolder,
    found: FolderState,
) -> Result<Option<Box<TrainedNetwork>>, TrainingError> {
    let path = || request.output.display().to_string();
    match found {
        FolderState::Empty => Ok(None),
        FolderState::Begun { identity, .. } if identity == prepared.identity => Ok(None),
        // No checkpoint yet, so nothing can be lost.
        FolderState::Begun { .. } if !folder.state().exists() => Ok(None),
        FolderState::Begun { version, .. } if version != request.version => {
            Err(TrainingError::OtherVersion { path: path(), begun: version, own: request.version.clone() })
        }
        FolderState::Begun { .. } => Err(TrainingError::OtherTraining { path: path() }),
        FolderState::Finished(Some(identity)) if identity == prepared.identity => {
            // A model with a missing file must not count as trained.
            crate::open_model(&request.output, &request.session.threads).map_err(|error| TrainingError::Damaged(error.to_string()))?;
            folder.clean()?;
            let text = std::fs::read_to_string(request.output.join(crate::ABOUT_FILE))
                .map_err(|source| TrainingError::Folder { path: path(), source })?;
            serde_json::from_str(&text).map(Some).map_err(|error| TrainingError::Damaged(format!("{}: {error}", path())))
        }
        FolderState::Finished(_) => Err(TrainingError::OtherModel { path: path() }),
    }
}

struct TrainingRun<'r> {
    request: &'r NetworkTraining<'r>,
    prepared: &'r Prepared,
    folder: TrainingFolder,
    trainer: Trainer,
    state: State,
    began: Instant,
    /// The training time of earlier processes.
    seconds_before: f64,
    examples_before: u64,
    saved: Instant,
}

impl TrainingRun<'_> {
    /// Resumes from the checkpoint in the folder, if there is one.
    fn resume(&mut self, observe: &mut dyn FnMut(TrainingEvent<'_>)) -> Result<(), TrainingError> {
        let path = self.folder.state();
        if !path.exists() {
            return Ok(());
        }
        let unreadable = |message: String| TrainingError::State { path: path.display().to_string(), message };
        let note = self.trainer.load_state(&path).map_err(|error| unreadable(error.to_string()))?;
        self.state = serde_json::from_str(&note).map_err(|error| unreadable(error.to_string()))?;
        (self.seconds_before, self.examples_before) = (self.state.seconds, self.state.examples);
        if self.state.best_epoch > 0 {
            // Needed only at the end, but damage should be noticed now.
            let best = self.folder.best();
            Classifier::load(&self.prepared.definition, &best, &self.request.session.threads)
                .map_err(|error| TrainingError::State { path: best.display().to_string(), message: error.to_string() })?;
        }
        observe(TrainingEvent::Resumed { epoch: self.state.epoch, step: self.trainer.classifier().step() });
        Ok(())
    }

    fn run(&mut self, observe: &mut dyn FnMut(TrainingEvent<'_>)) -> Result<(), TrainingError> {
        while !self.has_ended() {
            self.epoch(observe)?;
            let line = self.end_epoch()?;
            observe(TrainingEvent::Epoch(&line));
        }
        Ok(())
    }

    /// Whether all epochs are done, or early stopping applies.
    fn has_ended(&self) -> bool {
        let TrainingSettings { epochs, patience, .. } = self.request.settings;
        let done = self.state.epoch - 1;
        let waited = done - self.state.best_epoch;
        done >= epochs || (patience > 0 && self.state.best_accuracy.is_some() && waited >= patience)
    }

    /// The remaining batches of the epoch.
    fn epoch(&mut self, observe: &mut dyn FnMut(TrainingEvent<'_>)) -> Result<(), TrainingError> {
        let prepared = self.prepared;
        let plan = prepared.epochs.plan(self.state.epoch, &*prepared.featurizer);
        let line_every = plan.len().div_ceil(LOG_LINES);
        while self.state.next_batch < plan.len() {
            if let Err(cancelled) = self.request.session.check_cancelled() {
                // Repeating the request resumes with this step.
                self.save()?;
                return Err(cancelled.into());
            }
            let batch = plan.batch(self.state.next_batch)?;
            let step = self.trainer.step(&batch)?;
            let pairs = batch.pairs() as u64;
            for (sum, count) in [&mut self.state.epoch_loss, &mut self.state.line_loss] {
                *sum += f64::from(step.loss) * pairs as f64;
                *count += pairs;
            }
            self.state.examples += pairs;
            self.state.next_batch += 1;
            self.state.seconds = self.seconds();
            if self.state.next_batch.is_multiple_of(line_every) {
                self.log_steps();
            }
            observe(TrainingEvent::Step(self.progress()));
            if self.saved.elapsed() >= self.request.checkpoint {
                self.save()?;
            }
        }
        Ok(())
    }

    /// Scores the development examples, keeps the weights if they are the best so far, and writes log and checkpoint.
    fn end_epoch(&mut self) -> Result<LogLine, TrainingError> {
        let accuracy = if self.prepared.dev.is_empty() { None } else { Some(accuracy(self.trainer.classifier(), &self.prepared.dev)?) };
        // Without development examples, the last weights are kept.
        let best = match (accuracy, self.state.best_accuracy) {
            (Some(now), Some(before)) => now > before,
            _ => true,
        };
        if best {
            self.trainer.classifier().save_as(&self.folder.best(), Precision::F32)?;
            (self.state.best_accuracy, self.state.best_epoch) = (accuracy, self.state.epoch);
        }
        // Without development examples, the schedule follows the loss.
        let loss = mean(self.state.epoch_loss);
        self.trainer.end_epoch(accuracy.unwrap_or(-loss));
        self.state.seconds = self.seconds();
        let spent = self.state.seconds - self.state.epoch_began;
        let line = LogLine::Epoch {
            epoch: self.state.epoch,
            step: self.trainer.classifier().step(),
            examples: self.state.examples,
            loss,
            dev_accuracy: accuracy,
            best,
            examples_per_second: if spent > 0.0 { self.state.epoch_loss.1 as f64 / spent } else { 0.0 },
            seconds: self.state.seconds,
        };
        self.state.log.push(line.clone());
        self.state.epoch += 1;
        self.state.next_batch = 0;
        (self.state.epoch_loss, self.state.line_loss) = Default::default();
        self.state.epoch_began = self.state.seconds;
        self.save()?;
        Ok(line)
    }

    fn log_steps(&mut self) {
        self.state.log.push(LogLine::Steps {
            epoch: self.state.epoch,
            step: self.trainer.classifier().step(),
            examples: self.state.examples,
            loss: mean(self.state.line_loss),
            learning_rate: self.trainer.schedule().learning_rate,
            seconds: self.state.seconds,
        });
        self.state.line_loss = Default::default();
    }

    fn progress(&self) -> TrainingProgress {
        let now = self.seconds() - self.seconds_before;
        TrainingProgress {
            epoch: self.state.epoch,
            epochs: self.request.settings.epochs,
            done: self.state.epoch_loss.1 as usize,
            rows: self.prepared.epochs.size(),
            loss: mean(self.state.epoch_loss),
            dev_accuracy: self.state.best_accuracy,
            examples_per_second: (self.state.examples - self.examples_before) as f64 / now.max(1e-9),
        }
    }

    fn seconds(&self) -> f64 {
        self.seconds_before + self.began.elapsed().as_secs_f64()
    }

    /// Writes the checkpoint in one file that appears complete or not at all, then log and page, which are derived from it.
    fn save(&mut self) -> Result<(), TrainingError> {
        self.trainer.save_state(&self.folder.state(), &serde_json::to_string(&self.state)?)?;
        self.write_log(End::Ahead)?;
        self.saved = Instant::now();
        Ok(())
    }

    fn write_log(&self, end: End) -> Result<(), TrainingError> {
        self.folder.write(LOG_FILE, log_text(&self.state.log))?;
        self.folder.write(PAGE_FILE, training_page(self.request, self.prepared, &self.state.log, end))
    }

    /// Writes the model; its description comes last.
    fn finish(self) -> Result<TrainedNetwork, TrainingError> {
        let TrainingRun { request, prepared, folder, state, .. } = &self;
        let bytes = |path: std::path::PathBuf| {
            let text = std::fs::read(&path);
            text.map_err(|source| TrainingError::Folder { path: path.display().to_string(), source })
        };
        let best = Classifier::from_bytes(&prepared.definition, &bytes(folder.best())?, &folder.best(), &request.session.threads)?;
        best.save_as(&folder.weights(), request.settings.weights)?;
        // The reported accuracy is that of the saved weights, which may be rounded.
        let weights = bytes(folder.weights())?;
        let kept = Classifier::from_bytes(&prepared.definition, &weights, &folder.weights(), &request.session.threads)?;
        let mut files = FileHashes::from([(WEIGHTS_FILE.to_owned(), ContentHash::of(&weights))]);
        for (name, bytes) in prepared.featurizer.files() {
            files.insert(name.to_owned(), ContentHash::of(&bytes));
            folder.write(name, bytes)?;
        }
        let seen = prepared.seen.to_bytes();
        files.insert(SEEN_FILE.to_owned(), ContentHash::of(&seen));
        folder.write(SEEN_FILE, seen)?;
        let dev_accuracy = if prepared.dev.is_empty() { None } else { Some(accuracy(&kept, &prepared.dev)?) };
        let trained = TrainedNetwork {
            model: request.network.name().to_string(),
            definition: prepared.definition.clone(),
            featurizer: SavedFeaturizer {
                name: request.network.entry().featurizer.name.to_string(),
                settings: prepared.featurizer.settings(),
            },
            training: training_record(request, prepared),
            word_order: request.order,
            data: prepared.data.clone(),
            augmented: prepared.augmented.clone(),
            dev_accuracy,
            best_epoch: state.best_epoch,
            epochs: state.epoch - 1,
            examples: state.examples,
            seconds: state.seconds,
            seed: request.seed,
            command: request.command.clone(),
            version: request.version.clone(),
            identity: prepared.identity.clone(),
            files,
        };
        self.write_log(End::Reached)?;
        folder.write(crate::ABOUT_FILE, seal_json(&serde_json::to_string_pretty(&trained)?))?;
        folder.clean()?;
        Ok(trained)
    }
}

fn mean((sum, count): (f64, u64)) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// How a network was trained: all training settings, with the values derived from the data.
pub(crate) fn training_record(request: &NetworkTraining<'_>, prepared: &Prepared) -> Value {
    let mut record = prepared.featurizer_settings.clone();
    // Through text, because an f32 converted to f64 would show 0.1 as 0.10000000149011612.
    let settings = serde_json::to_string(&request.settings).unwrap_or_default();
    let settings: Value = serde_json::from_str(&settings).unwrap_or_default();
    settings.as_object().into_iter().flatten().for_each(|(key, value)| record[key] = value.clone());
    record
}

/// The accuracy on these examples.
fn accuracy(network: &Classifier, examples: &[TrainingExample]) -> Result<f64, TrainingError> {
    let pairs: Vec<&PairFeatures> = examples.iter().map(|example| &example.features).collect();
    let scores = network.scores(&pairs)?;
    let right = examples.iter().enumerate().filter(|(place, example)| best_class(scores.row(*place)) == example.class).count();
    Ok(right as f64 / examples.len() as f64)
}
