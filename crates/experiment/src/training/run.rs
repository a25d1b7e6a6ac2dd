//! The training itself: steps, epochs, states from which it goes on, and the folder it ends in.

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

/// Lines of the log in an epoch, beside that of its end.
const LOG_LINES: usize = 20;

/// What a training tells while it goes on.
pub enum TrainingEvent<'e> {
    /// Everything is read.
    Prepared {
        /// The files.
        data: &'e [DataUsed],
        /// Rows of an epoch.
        rows: usize,
        /// What the featurizer knows, in a few words.
        featurizer: &'e str,
        /// Rows that were added, by challenge.
        augmented: &'e BTreeMap<String, u64>,
    },
    /// A training that was stopped goes on.
    Resumed {
        /// The epoch.
        epoch: u32,
        /// Steps that were done before.
        step: u64,
    },
    /// A step is done.
    Step(TrainingProgress),
    /// The end of an epoch, with its line of the log.
    Epoch(&'e LogLine),
}

/// How far a training is.
#[derive(Debug, Clone, Copy)]
pub struct TrainingProgress {
    /// The epoch, from 1.
    pub epoch: u32,
    /// Epochs at most.
    pub epochs: u32,
    /// Pairs of this epoch that were learnt from.
    pub done: usize,
    /// Pairs of an epoch.
    pub rows: usize,
    /// The mean loss of the epoch so far.
    pub loss: f64,
    /// The best accuracy on the development rows so far.
    pub dev_accuracy: Option<f64>,
    /// Pairs learnt from in a second, since the training began or went on.
    pub examples_per_second: f64,
}

/// What became of a request.
pub enum NetworkOutcome {
    /// The network is trained.
    Trained(Box<TrainedNetwork>),
    /// The folder held the model of this very request already.
    AlreadyTrained(Box<TrainedNetwork>),
}

/// What `model.json` says of a trained network.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TrainedNetwork {
    /// The network's name.
    pub model: String,
    /// Its settings, the sizes of what it reads, and how many classes it tells apart.
    #[serde(flatten)]
    pub definition: Definition,
    /// How text becomes what it reads.
    pub featurizer: SavedFeaturizer,
    /// How it was trained.
    pub training: Value,
    /// Whether words were shuffled.
    pub word_order: WordOrder,
    /// What it was trained on.
    pub data: Vec<DataUsed>,
    /// Rows that were added, by challenge.
    pub augmented: BTreeMap<String, u64>,
    /// The share of development rows that the weights of this folder answer rightly.
    pub dev_accuracy: Option<f64>,
    /// The epoch whose weights these are.
    pub best_epoch: u32,
    /// Epochs that were trained.
    pub epochs: u32,
    /// Pairs learnt from.
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
    /// The hashes of the files that predictions are made by, and of that which says what was learnt from.
    pub files: FileHashes,
}

/// The featurizer of a trained network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedFeaturizer {
    /// Its name.
    pub name: String,
    /// What it is opened with, beside the files of the folder.
    pub settings: Value,
}

/// What resuming needs beside weights and optimiser state.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct State {
    /// The epoch, from 1.
    epoch: u32,
    /// The batch of the epoch that is next.
    next_batch: usize,
    examples: u64,
    seconds: f64,
    /// Sums of losses times pairs, and pairs: of the epoch and since the last line of the log.
    epoch_loss: (f64, u64),
    line_loss: (f64, u64),
    /// When the epoch began.
    epoch_began: f64,
    best_accuracy: Option<f64>,
    best_epoch: u32,
    log: Vec<LogLine>,
}

/// Trains a network, or goes on training it; `observe` hears how it goes.
pub(crate) fn train_network(
    request: &NetworkTraining<'_>,
    observe: &mut dyn FnMut(TrainingEvent<'_>),
) -> Result<NetworkOutcome, TrainingError> {
    let (folder, found) = TrainingFolder::take(&request.output)?;
    let prepared = prepare(request)?;
    if let Some(trained) = already_trained(request, &prepared, &folder, found)? {
        return Ok(NetworkOutcome::AlreadyTrained(trained));
    }
    // Settings that a network refuses must not leave a folder behind that waits for them.
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

/// The model, where the folder holds that of this very request already; a folder that holds anything else is refused.
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
        // Nothing was learnt yet that could be lost.
        FolderState::Begun { .. } if !folder.state().exists() => Ok(None),
        FolderState::Begun { version, .. } if version != request.version => {
            Err(TrainingError::OtherVersion { path: path(), begun: version, own: request.version.clone() })
        }
        FolderState::Begun { .. } => Err(TrainingError::OtherTraining { path: path() }),
        FolderState::Finished(Some(identity)) if identity == prepared.identity => {
            // A model that has lost a file must not pass for one that is trained.
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
    /// What was done before this process began.
    seconds_before: f64,
    examples_before: u64,
    saved: Instant,
}

impl TrainingRun<'_> {
    /// Goes on from the state in the folder, if there is one.
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
            // Wanted at the very end; that it is damaged is better known now.
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

    /// Whether all epochs are done, or the last ones were no better than the best.
    fn has_ended(&self) -> bool {
        let TrainingSettings { epochs, patience, .. } = self.request.settings;
        let done = self.state.epoch - 1;
        let waited = done - self.state.best_epoch;
        done >= epochs || (patience > 0 && self.state.best_accuracy.is_some() && waited >= patience)
    }

    /// The batches of the epoch that are left.
    fn epoch(&mut self, observe: &mut dyn FnMut(TrainingEvent<'_>)) -> Result<(), TrainingError> {
        let prepared = self.prepared;
        let plan = prepared.epochs.plan(self.state.epoch, &*prepared.featurizer);
        let line_every = plan.len().div_ceil(LOG_LINES);
        while self.state.next_batch < plan.len() {
            if let Err(cancelled) = self.request.session.check_cancelled() {
                // The same request again goes on with this very step.
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

    /// Scores the development rows, keeps the weights if they are the best so far, and writes everything down.
    fn end_epoch(&mut self) -> Result<LogLine, TrainingError> {
        let accuracy = if self.prepared.dev.is_empty() { None } else { Some(accuracy(self.trainer.classifier(), &self.prepared.dev)?) };
        // Without development rows the last weights are the ones to keep.
        let best = match (accuracy, self.state.best_accuracy) {
            (Some(now), Some(before)) => now > before,
            _ => true,
        };
        if best {
            self.trainer.classifier().save_as(&self.folder.best(), Precision::F32)?;
            (self.state.best_accuracy, self.state.best_epoch) = (accuracy, self.state.epoch);
        }
        // Without development rows the loss says how well it goes.
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

    /// Writes the state, in one file that appears complete or not at all, then log and page, which are derived from it.
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

    /// Writes the model; what says that it is one comes last.
    fn finish(self) -> Result<TrainedNetwork, TrainingError> {
        let TrainingRun { request, prepared, folder, state, .. } = &self;
        let bytes = |path: std::path::PathBuf| {
            let text = std::fs::read(&path);
            text.map_err(|source| TrainingError::Folder { path: path.display().to_string(), source })
        };
        let best = Classifier::from_bytes(&prepared.definition, &bytes(folder.best())?, &folder.best(), &request.session.threads)?;
        best.save_as(&folder.weights(), request.settings.weights)?;
        // What is told is the accuracy of the weights as they are written, rounded or not.
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

/// How a network was trained: all settings but its own, as the data made them.
pub(crate) fn training_record(request: &NetworkTraining<'_>, prepared: &Prepared) -> Value {
    let mut record = prepared.featurizer_settings.clone();
    // By way of text: 32 bits as 64 would show 0.1 as 0.10000000149011612.
    let settings = serde_json::to_string(&request.settings).unwrap_or_default();
    let settings: Value = serde_json::from_str(&settings).unwrap_or_default();
    settings.as_object().into_iter().flatten().for_each(|(key, value)| record[key] = value.clone());
    record
}

/// The share of examples whose class has the highest score.
fn accuracy(network: &Classifier, examples: &[TrainingExample]) -> Result<f64, TrainingError> {
    let pairs: Vec<&PairFeatures> = examples.iter().map(|example| &example.features).collect();
    let scores = network.scores(&pairs)?;
    let right = examples.iter().enumerate().filter(|(place, example)| best_class(scores.row(*place)) == example.class).count();
    Ok(right as f64 / examples.len() as f64)
}
