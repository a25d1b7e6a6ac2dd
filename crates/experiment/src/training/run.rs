//! The training loop: steps, epochs, checkpoints, and the final model folder.

use super::examples::TrainingExample;
use super::folder::{FolderState, LOG_FILE, PAGE_FILE, TrainingFolder};
use super::learner::{Course, Learner, Written};
use super::log::{LogLine, log_text};
use super::page::{End, training_page};
use super::prepare::{Prepared, prepare};
use super::seen::SEEN_FILE;
use super::{DataUsed, NetworkTraining, TrainingError, WordOrder};
use crate::network::best_class;
use acidtest_files::{ContentHash, FileHashes, seal_json};
use acidtest_neural::{Classifier, Inputs, NeuralError, PairFeatures, Precision, Trainer};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
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

/// The description of a trained network: the content of `model.json`, or of `acidtest.json` for a transformer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TrainedNetwork {
    /// The network's name.
    pub model: String,
    /// What it is made of: settings, sizes, classes and featurizer of a network, or the folder that a transformer was fine-tuned from.
    #[serde(flatten)]
    pub parts: Map<String, Value>,
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
    learner: &mut dyn Learner,
    observe: &mut dyn FnMut(TrainingEvent<'_>),
) -> Result<NetworkOutcome, TrainingError> {
    let (folder, found) = TrainingFolder::take(&request.output)?;
    let prepared = prepare(request, learner)?;
    if let Some(trained) = already_trained(request, learner, &prepared, &folder, found)? {
        return Ok(NetworkOutcome::AlreadyTrained(trained));
    }
    // Check the settings first: a network that refuses them must not leave a started folder behind.
    let needed = learner.memory(&prepared)?;
    if let Some(available) = request.session.memory.filter(|available| needed > *available) {
        return Err(TrainingError::Memory { needed, available });
    }
    let course = learner.course();
    let steps = u64::from(course.epochs).saturating_mul(prepared.epochs.batches().div_ceil(course.batches_of_a_step) as u64);
    let trainer = learner.start(request, &prepared, steps)?;
    let learner = &*learner;
    learner.notes().iter().for_each(|note| request.session.note(note));
    observe(TrainingEvent::Prepared {
        data: &prepared.data,
        rows: prepared.epochs.size(),
        featurizer: &prepared.featurizer.summary(),
        augmented: &prepared.augmented,
    });
    folder.begin(&prepared.identity, &request.command, &request.version)?;
    let mut run = TrainingRun {
        request,
        learner,
        course,
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
    learner: &dyn Learner,
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
            learner.check_finished(&request.output, &request.session.threads).map_err(TrainingError::Damaged)?;
            folder.clean()?;
            let text = std::fs::read_to_string(request.output.join(learner.about_file()))
                .map_err(|source| TrainingError::Folder { path: path(), source })?;
            serde_json::from_str(&text).map(Some).map_err(|error| TrainingError::Damaged(format!("{}: {error}", path())))
        }
        FolderState::Finished(_) => Err(TrainingError::OtherModel { path: path() }),
    }
}

struct TrainingRun<'r> {
    request: &'r NetworkTraining<'r>,
    learner: &'r dyn Learner,
    course: Course,
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
            self.learner
                .check_best(&best, &self.trainer, self.prepared)
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
        let Course { epochs, patience, .. } = self.course;
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
            let before = self.state.next_batch;
            let batches = plan.step(before, self.course.batches_of_a_step)?;
            let learning_rate = self.trainer.learning_rate();
            let step = self.trainer.step_of_parts(&batches)?;
            let pairs = batches.iter().map(Inputs::pairs).sum::<usize>() as u64;
            for (sum, count) in [&mut self.state.epoch_loss, &mut self.state.line_loss] {
                *sum += f64::from(step.loss) * pairs as f64;
                *count += pairs;
            }
            self.state.examples += pairs;
            self.state.next_batch += batches.len();
            self.state.seconds = self.seconds();
            if self.state.next_batch / line_every > before / line_every {
                self.log_steps(learning_rate);
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

    fn log_steps(&mut self, learning_rate: f32) {
        self.state.log.push(LogLine::Steps {
            epoch: self.state.epoch,
            step: self.trainer.classifier().step(),
            examples: self.state.examples,
            loss: mean(self.state.line_loss),
            learning_rate,
            seconds: self.state.seconds,
        });
        self.state.line_loss = Default::default();
    }

    fn progress(&self) -> TrainingProgress {
        let now = self.seconds() - self.seconds_before;
        TrainingProgress {
            epoch: self.state.epoch,
            epochs: self.course.epochs,
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
        self.folder.write(PAGE_FILE, training_page(self.request, self.learner, self.prepared, &self.state.log, end))
    }

    /// Writes the model; its description comes last, and then what the network itself must write last.
    fn finish(self) -> Result<TrainedNetwork, TrainingError> {
        self.write_log(End::Reached)?;
        let TrainingRun { request, learner, prepared, folder, state, trainer, .. } = self;
        let Written { parts, mut files, rounded } = learner.write(trainer.into_classifier(), prepared, &folder)?;
        let seen = prepared.seen.to_bytes();
        files.insert(SEEN_FILE.to_owned(), ContentHash::of(&seen));
        folder.write(SEEN_FILE, seen)?;
        let dev_accuracy = match &rounded {
            Some(network) if !prepared.dev.is_empty() => Some(accuracy(network, &prepared.dev)?),
            _ => state.best_accuracy,
        };
        let trained = TrainedNetwork {
            model: learner.name().to_string(),
            parts,
            training: training_record(learner, prepared),
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
        folder.write(learner.about_file(), seal_json(&serde_json::to_string_pretty(&trained)?))?;
        learner.complete(&folder)?;
        folder.clean()?;
        Ok(trained)
    }
}

fn mean((sum, count): (f64, u64)) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// How a network was trained: all training settings, with the values derived from the data.
pub(crate) fn training_record(learner: &dyn Learner, prepared: &Prepared) -> Value {
    let mut record = prepared.featurizer_settings.clone();
    learner.training_settings().as_object().into_iter().flatten().for_each(|(key, value)| record[key] = value.clone());
    record
}

/// The accuracy on these examples.
fn accuracy(network: &Classifier, examples: &[TrainingExample]) -> Result<f64, TrainingError> {
    let pairs: Vec<&PairFeatures> = examples.iter().map(|example| &example.features).collect();
    let scores = network.scores(&pairs)?;
    if let Some(score) = scores.data.iter().find(|score| !score.is_finite()) {
        return Err(NeuralError::NoScore { step: network.step(), score: *score }.into());
    }
    let right = examples.iter().enumerate().filter(|(place, example)| best_class(scores.row(*place)) == example.class).count();
    Ok(right as f64 / examples.len() as f64)
}
