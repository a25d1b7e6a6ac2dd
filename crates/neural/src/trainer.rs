//! Training: steps, epochs, and a state from which a stopped run goes on as if nothing had happened.

use crate::batch::Batch;
use crate::error::{Error, Result};
use crate::network::{Network, in_pool};
use crate::optimiser::{self, Moments, Optimiser, Update};
use crate::parameters::Change;
use crate::schedule::{Progress, Schedule};
use crate::weights::{self, Precision};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Settings of training.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Training {
    /// From gradients to changes.
    pub optimiser: Optimiser,
    /// How far a step goes at first.
    pub learning_rate: f32,
    /// Gradients longer than this are shortened to it.
    pub clip: Option<f32>,
    /// How the learning rate changes.
    pub schedule: Schedule,
}

impl Default for Training {
    fn default() -> Self {
        Training { optimiser: Optimiser::default(), learning_rate: 4e-4, clip: Some(10.0), schedule: Schedule::Constant }
    }
}

/// What a step of training found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The mean loss of the batch before the step.
    pub loss: f32,
    /// The length of all gradients as one vector, before clipping.
    pub gradient_norm: f32,
}

/// A network in training.
pub struct Trainer {
    network: Network,
    training: Training,
    progress: Progress,
    moments: Moments,
}

/// What is kept beside the tensors of a training state.
#[derive(Serialize, Deserialize)]
struct State {
    step: u64,
    progress: Progress,
    /// What the caller keeps with the state.
    #[serde(default)]
    note: String,
}

impl Trainer {
    /// Begins to train a network.
    pub fn new(network: Network, training: Training) -> Result<Self> {
        training.optimiser.check()?;
        let positive = |setting, number: f32| {
            if number > 0.0 {
                return Ok(());
            }
            Err(Error::Setting { setting, found: number.to_string(), expected: "a number above 0" })
        };
        positive("learning_rate", training.learning_rate)?;
        positive("clip", training.clip.unwrap_or(1.0))?;
        let moments = optimiser::first_moments(&training.optimiser, network.parameters());
        Ok(Trainer { network, training, progress: Progress::new(training.learning_rate), moments })
    }

    /// Goes one step against the gradients of a batch.
    pub fn step(&mut self, batch: &Batch) -> Result<Step> {
        let loss = self.network.loss_and_gradients(batch)?;
        let step = self.network.step();
        if !loss.is_finite() {
            return Err(Error::Diverged { step, loss });
        }
        let Trainer { network, training, progress, moments } = self;
        let (parameters, gradients) = network.parameters_and_gradients();
        let gradient_norm = in_pool(|| {
            let norm = optimiser::norm(gradients);
            let factor = optimiser::clip_factor(norm, training.clip);
            let update = Update { optimiser: training.optimiser, learning_rate: progress.learning_rate, step: step + 1, factor };
            optimiser::update(parameters, gradients, moments, update);
            norm
        });
        network.set_step(step + 1);
        Ok(Step { loss, gradient_norm })
    }

    /// Tells the schedule that an epoch has ended with this score on the development set; more is better.
    pub fn end_epoch(&mut self, score: f64) {
        self.progress.end_epoch(self.training.schedule, score);
    }

    /// How far the schedule has come.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The network as it is now.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Ends training.
    pub fn into_network(self) -> Network {
        self.network
    }

    /// Writes everything that going on needs: weights, moments, step, schedule, and a note of the caller's; all in one file, which appears
    /// whole or not at all.
    pub fn save_state(&self, path: &Path, note: &str) -> Result<()> {
        let names = self.training.optimiser.moment_names();
        let mut tensors = Vec::new();
        for (parameter, moments) in self.network.parameters().iter().zip(&self.moments) {
            if parameter.change == Change::Frozen {
                continue;
            }
            tensors.push((parameter.name.clone(), &parameter.value));
            tensors.extend(names.iter().zip(moments).map(|(moment, matrix)| (format!("{}:{moment}", parameter.name), matrix)));
        }
        let state = State { step: self.network.step(), progress: self.progress, note: note.to_owned() };
        weights::write(path, tensors.into_iter(), Some(serde_json::to_string(&state)?), Precision::F32)
    }

    /// Goes on from a state and gives its note; the network must have been made with the same settings and seed as the one that was saved.
    pub fn load_state(&mut self, path: &Path) -> Result<String> {
        let tensors = weights::read(path)?;
        let note = tensors.note.as_deref().and_then(|note| serde_json::from_str::<State>(note).ok());
        let state = note.ok_or_else(|| Error::NotAState { path: path.to_owned() })?;
        tensors.fill(self.network.parameters_mut().iter_mut().filter(|parameter| parameter.change != Change::Frozen))?;
        for (parameter, moments) in self.network.parameters().iter().zip(&mut self.moments) {
            for (moment, matrix) in self.training.optimiser.moment_names().iter().zip(moments) {
                tensors.copy(&format!("{}:{moment}", parameter.name), matrix)?;
            }
        }
        self.network.set_step(state.step);
        self.progress = state.progress;
        Ok(state.note)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embeddings::Embeddings;
    use crate::models::{CATALOG, Settings};
    use acidtest_nli::Seed;

    fn trainer(name: &str, optimiser: Optimiser) -> Trainer {
        let mut settings = serde_json::to_value(Settings::of(name).unwrap()).unwrap();
        settings["hidden"] = 12.into();
        settings["dropout"] = 0.1.into();
        settings["word_vectors"] = "trained".into();
        let settings = serde_json::from_value(settings).unwrap();
        let network = Network::new(&settings, 12, &Embeddings::random(8), Seed::new(1)).unwrap();
        Trainer::new(network, Training { optimiser, learning_rate: 0.01, ..Training::default() }).unwrap()
    }

    /// The label is the last word of the hypothesis.
    fn batch(step: u32) -> Batch {
        let premises: Vec<Vec<u32>> =
            (0..6).map(|pair| (0..1 + (pair + step) % 4).map(|word| 3 + (word * 5 + pair + step) % 9).collect()).collect();
        let hypotheses: Vec<Vec<u32>> = (0..6).map(|pair| vec![3 + (pair * step) % 9, pair % 3]).collect();
        let labels: Vec<usize> = (0..6).map(|pair| pair % 3).collect();
        Batch::new(&premises, &hypotheses, &labels).unwrap()
    }

    fn weights(trainer: &Trainer) -> Vec<f32> {
        trainer.network().parameters().iter().flat_map(|parameter| parameter.value.data.clone()).collect()
    }

    #[test]
    fn every_model_learns_a_toy_set() {
        for entry in CATALOG {
            let mut trainer = trainer(entry.name, Optimiser::default());
            let first = trainer.step(&batch(0)).unwrap().loss;
            let last = (1..80).map(|step| trainer.step(&batch(step)).unwrap().loss).fold(0.0, |mean, loss| 0.8 * mean + 0.2 * loss);
            assert!(last < 0.3 * first, "{}: from {first} to {last}", entry.name);
        }
    }

    #[test]
    fn a_stopped_run_ends_with_the_same_weights() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.safetensors");
        for optimiser in [Optimiser::default(), Optimiser::Sgd { momentum: 0.9 }] {
            let mut undisturbed = trainer("esim", optimiser);
            (0..6).for_each(|step| assert!(undisturbed.step(&batch(step)).is_ok()));
            let mut stopped = trainer("esim", optimiser);
            (0..3).for_each(|step| assert!(stopped.step(&batch(step)).is_ok()));
            stopped.save_state(&path, "three steps").unwrap();
            let mut resumed = trainer("esim", optimiser);
            assert_eq!(resumed.load_state(&path).unwrap(), "three steps");
            (3..6).for_each(|step| assert!(resumed.step(&batch(step)).is_ok()));
            assert_eq!(weights(&undisturbed), weights(&resumed));
        }
    }

    #[test]
    fn weights_do_not_depend_on_the_number_of_threads() {
        for entry in CATALOG {
            let trained = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| {
                    let mut trainer = trainer(entry.name, Optimiser::default());
                    (0..4).for_each(|step| assert!(trainer.step(&batch(step)).is_ok()));
                    weights(&trainer)
                })
            };
            let alone = trained(1);
            assert!(alone == trained(1) && alone == trained(2) && alone == trained(5), "{}", entry.name);
        }
    }

    #[test]
    fn frozen_layers_stay() {
        let mut network = trainer("cbow", Optimiser::default()).into_network();
        let frozen = network.parameters().named("classifier.0.weight").unwrap();
        network.parameters_mut().get_mut(frozen).change = Change::Frozen;
        let before = network.parameters().get(frozen).value.clone();
        let mut trainer = Trainer::new(network, Training::default()).unwrap();
        trainer.step(&batch(0)).unwrap();
        assert_eq!(trainer.network().parameters().get(frozen).value, before);
    }

    #[test]
    fn a_weights_file_is_not_a_training_state() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.safetensors");
        let mut trainer = trainer("cbow", Optimiser::default());
        trainer.network().save(&path).unwrap();
        let refused = trainer.load_state(&path).unwrap_err().to_string();
        assert!(refused.ends_with("no state of a training that can be read; is it a weights file?"), "{refused}");
    }
}
