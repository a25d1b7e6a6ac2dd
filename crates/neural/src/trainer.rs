//! Training: steps, epochs, and a state from which an interrupted run resumes with identical results.

use crate::classifier::Classifier;
use crate::error::{NeuralError, Result};
use crate::inputs::Inputs;
use crate::optimiser::{self, Optimiser, OptimiserState, Update};
use crate::parameters::ParameterUpdate;
use crate::schedule::{Schedule, ScheduleState};
use crate::weights::{self, Precision};
use crate::weights_file::WeightsFile;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The training hyperparameters.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrainerSettings {
    /// The optimiser.
    pub optimiser: Optimiser,
    /// The initial learning rate.
    pub learning_rate: f32,
    /// The maximum gradient norm; larger gradients are scaled down to it.
    pub clip: Option<f32>,
    /// The learning rate schedule.
    pub schedule: Schedule,
}

impl Default for TrainerSettings {
    fn default() -> Self {
        TrainerSettings { optimiser: Optimiser::default(), learning_rate: 4e-4, clip: Some(10.0), schedule: Schedule::Constant }
    }
}

/// The result of one training step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The mean loss of the batch before the step.
    pub loss: f32,
    /// The L2 norm of all gradients together, before clipping.
    pub gradient_norm: f32,
}

/// A network in training.
pub struct Trainer {
    classifier: Classifier,
    settings: TrainerSettings,
    schedule: ScheduleState,
    state: OptimiserState,
}

/// What is saved beside the tensors of a training state.
#[derive(Serialize, Deserialize)]
struct SavedState {
    step: u64,
    #[serde(rename = "progress")]
    schedule: ScheduleState,
    /// The caller's note.
    #[serde(default)]
    note: String,
}

impl Trainer {
    /// Starts training a network.
    pub fn new(classifier: Classifier, settings: TrainerSettings) -> Result<Self> {
        settings.optimiser.check()?;
        settings.schedule.check()?;
        let positive = |setting, number: f32| {
            if number > 0.0 {
                return Ok(());
            }
            Err(NeuralError::Setting { setting, found: number.to_string(), expected: "a number above 0" })
        };
        positive("learning_rate", settings.learning_rate)?;
        positive("clip", settings.clip.unwrap_or(1.0))?;
        let state = optimiser::initial_state(&settings.optimiser, classifier.parameters());
        Ok(Trainer { classifier, settings, schedule: ScheduleState::new(settings.learning_rate), state })
    }

    /// Performs one optimiser step on a batch.
    pub fn step(&mut self, inputs: &Inputs) -> Result<Step> {
        self.step_of_parts(std::slice::from_ref(inputs))
    }

    /// Performs one optimiser step on a batch in parts, so that only one part at a time needs memory. Loss and gradients are the means over
    /// all pairs of the step, whatever the sizes of its parts.
    pub fn step_of_parts(&mut self, parts: &[Inputs]) -> Result<Step> {
        let loss = self.classifier.loss_and_gradients_of_parts(parts)?;
        let step = self.classifier.step();
        if !loss.is_finite() {
            return Err(NeuralError::Diverged { step, loss });
        }
        let Trainer { classifier, settings, schedule, state } = self;
        let threads = classifier.threads().clone();
        let (parameters, gradients) = classifier.parameters_and_gradients();
        let gradient_norm = threads.run(|| optimiser::norm(gradients));
        // Clipping cannot help any more: it would turn infinite gradients into NaN.
        if !gradient_norm.is_finite() {
            return Err(NeuralError::Exploded { step, norm: gradient_norm });
        }
        threads.run(|| {
            let factor = optimiser::clip_factor(gradient_norm, settings.clip);
            let learning_rate = schedule.rate(settings.schedule, step);
            let update = Update { optimiser: settings.optimiser, learning_rate, step: step + 1, factor };
            optimiser::update(parameters, gradients, state, update);
        });
        classifier.set_step(step + 1);
        Ok(Step { loss, gradient_norm })
    }

    /// Updates the schedule after an epoch with this development score; higher is better.
    pub fn end_epoch(&mut self, score: f64) {
        self.schedule.end_epoch(self.settings.schedule, score);
    }

    /// The learning rate of the next step.
    pub fn learning_rate(&self) -> f32 {
        self.schedule.rate(self.settings.schedule, self.classifier.step())
    }

    /// The state of the schedule.
    pub fn schedule(&self) -> &ScheduleState {
        &self.schedule
    }

    /// The network as trained so far.
    pub fn classifier(&self) -> &Classifier {
        &self.classifier
    }

    /// Ends training and returns the network.
    pub fn into_classifier(self) -> Classifier {
        self.classifier
    }

    /// Saves everything needed to resume: weights, optimiser state, step, schedule, and a note of the caller's, all in one file, which
    /// appears complete or not at all.
    pub fn save_state(&self, path: &Path, note: &str) -> Result<()> {
        let names = self.settings.optimiser.state_names();
        let mut tensors = Vec::new();
        for (parameter, state) in self.classifier.parameters().iter().zip(&self.state) {
            if parameter.change == ParameterUpdate::Frozen {
                continue;
            }
            tensors.push((parameter.name.clone(), &parameter.value));
            tensors.extend(names.iter().zip(state).map(|(name, matrix)| (format!("{}:{name}", parameter.name), matrix)));
        }
        let state = SavedState { step: self.classifier.step(), schedule: self.schedule, note: note.to_owned() };
        weights::write(path, tensors.into_iter(), Some(serde_json::to_string(&state)?), Precision::F32)
    }

    /// Resumes from a saved state and returns its note; the network must have been created with the same settings and seed.
    pub fn load_state(&mut self, path: &Path) -> Result<String> {
        let tensors = WeightsFile::open(path)?;
        let note = tensors.note().and_then(|note| serde_json::from_str::<SavedState>(note).ok());
        let state = note.ok_or_else(|| NeuralError::NotAState { path: path.to_owned() })?;
        for (parameter, state) in self.classifier.parameters_mut().iter_mut().zip(&mut self.state) {
            if parameter.change == ParameterUpdate::Frozen {
                continue;
            }
            let name = parameter.name.clone();
            tensors.copy(&name, parameter.value_mut())?;
            for (part, matrix) in self.settings.optimiser.state_names().iter().zip(state) {
                tensors.copy(&format!("{name}:{part}"), matrix)?;
            }
        }
        self.classifier.set_step(state.step);
        self.schedule = state.schedule;
        Ok(state.note)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embeddings::Embeddings;
    use crate::networks::CATALOG;
    use crate::test_networks::{self, definition, threads};
    use acidtest_nli::Seed;
    use acidtest_threads::Threads;

    fn trainer(name: &str, optimiser: Optimiser, threads: &Threads) -> Trainer {
        let settings = serde_json::json!({"hidden": 12, "dropout": 0.1, "word_vectors": "trained"});
        let definition = definition(name, settings, (12, 8));
        let classifier = Classifier::new(&definition, Some(&Embeddings::random(8)), Seed::new(1), threads).unwrap();
        Trainer::new(classifier, TrainerSettings { optimiser, learning_rate: 0.01, ..TrainerSettings::default() }).unwrap()
    }

    /// The label is the last word of the hypothesis.
    fn batch(step: u32) -> Inputs {
        let premises: Vec<Vec<u32>> =
            (0..6).map(|pair| (0..1 + (pair + step) % 4).map(|word| 3 + (word * 5 + pair + step) % 9).collect()).collect();
        let hypotheses: Vec<Vec<u32>> = (0..6).map(|pair| vec![3 + (pair * step) % 9, pair % 3]).collect();
        let labels: Vec<usize> = (0..6).map(|pair| pair % 3).collect();
        let pairs: Vec<(Vec<u32>, Vec<u32>)> = premises.into_iter().zip(hypotheses).collect();
        test_networks::batch(&pairs, &labels)
    }

    fn weights(trainer: &Trainer) -> Vec<f32> {
        trainer.classifier().parameters().iter().flat_map(|parameter| parameter.value.data.clone()).collect()
    }

    #[test]
    fn every_network_learns_a_toy_set() {
        for entry in &CATALOG {
            let mut trainer = trainer(entry.name, Optimiser::default(), &threads(2));
            let first = trainer.step(&batch(0)).unwrap().loss;
            let last = (1..80).map(|step| trainer.step(&batch(step)).unwrap().loss).fold(0.0, |mean, loss| 0.8 * mean + 0.2 * loss);
            assert!(last < 0.3 * first, "{}: from {first} to {last}", entry.name);
        }
    }

    #[test]
    fn an_interrupted_run_ends_with_the_same_weights() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.safetensors");
        let adamw = serde_json::from_value(serde_json::json!({"name": "adamw", "weight_decay": 0.1})).unwrap();
        for optimiser in [Optimiser::default(), Optimiser::Sgd { momentum: 0.9 }, adamw] {
            let mut undisturbed = trainer("esim", optimiser, &threads(2));
            (0..6).for_each(|step| assert!(undisturbed.step(&batch(step)).is_ok()));
            let mut stopped = trainer("esim", optimiser, &threads(2));
            (0..3).for_each(|step| assert!(stopped.step(&batch(step)).is_ok()));
            stopped.save_state(&path, "three steps").unwrap();
            let mut resumed = trainer("esim", optimiser, &threads(2));
            assert_eq!(resumed.load_state(&path).unwrap(), "three steps");
            (3..6).for_each(|step| assert!(resumed.step(&batch(step)).is_ok()));
            assert_eq!(weights(&undisturbed), weights(&resumed));
        }
    }

    #[test]
    fn weights_do_not_depend_on_the_number_of_threads() {
        for entry in &CATALOG {
            let trained = |count| {
                let mut trainer = trainer(entry.name, Optimiser::default(), &threads(count));
                (0..4).for_each(|step| assert!(trainer.step(&batch(step)).is_ok()));
                weights(&trainer)
            };
            let alone = trained(1);
            assert!(alone == trained(1) && alone == trained(2) && alone == trained(5), "{}", entry.name);
        }
    }

    #[test]
    fn frozen_layers_do_not_change() {
        let mut network = trainer("cbow", Optimiser::default(), &threads(1)).into_classifier();
        let frozen = network.parameters().named("classifier.0.weight").unwrap();
        network.parameters_mut().get_mut(frozen).change = ParameterUpdate::Frozen;
        let before = network.parameters().get(frozen).value.clone();
        let mut trainer = Trainer::new(network, TrainerSettings::default()).unwrap();
        trainer.step(&batch(0)).unwrap();
        assert_eq!(trainer.classifier().parameters().get(frozen).value, before);
    }

    #[test]
    fn a_step_in_parts_is_that_of_the_whole_batch() {
        for entry in &CATALOG {
            // Without dropout, whose masks belong to a part.
            let settings = serde_json::json!({"hidden": 12, "dropout": 0.0, "word_vectors": "trained"});
            let definition = definition(entry.name, settings, (12, 8));
            let gradients = |parts: &[Inputs]| {
                let mut network = Classifier::new(&definition, Some(&Embeddings::random(8)), Seed::new(1), &threads(2)).unwrap();
                let loss = network.loss_and_gradients_of_parts(parts).unwrap();
                let numbers = network.gradients().iter().flat_map(|gradient| gradient.numbers().to_vec());
                numbers.chain([loss]).collect::<Vec<f32>>()
            };
            let pairs: Vec<(Vec<u32>, Vec<u32>)> = (0..5).map(|pair| ((0..=pair).map(|word| 3 + word).collect(), vec![4 + pair])).collect();
            let part = |range: std::ops::Range<usize>| {
                let labels: Vec<usize> = range.clone().map(|pair| pair % 3).collect();
                test_networks::batch(&pairs[range], &labels)
            };
            let (whole, parts) = (gradients(&[part(0..5)]), gradients(&[part(0..1), part(1..4), part(4..5)]));
            assert_eq!(whole.len(), parts.len(), "{}", entry.name);
            assert!(whole.iter().zip(&parts).all(|(one, other)| (one - other).abs() < 1e-5), "{}", entry.name);
        }
        let mut network = trainer("cbow", Optimiser::default(), &threads(1));
        assert_eq!(network.step_of_parts(&[]).unwrap_err().to_string(), "the batch is empty; give it at least one pair");
    }

    #[test]
    fn the_learning_rate_follows_the_steps() {
        let network = trainer("cbow", Optimiser::default(), &threads(1)).into_classifier();
        let settings = TrainerSettings { learning_rate: 0.1, schedule: Schedule::linear(0.5, 4), ..TrainerSettings::default() };
        let mut trainer = Trainer::new(network, settings).unwrap();
        let before = weights(&trainer);
        let mut rates = Vec::new();
        for step in 0..4 {
            rates.push(trainer.learning_rate());
            trainer.step(&batch(step)).unwrap();
            assert_eq!(weights(&trainer) == before, step == 0, "a rate of 0 changes nothing");
        }
        assert_eq!(rates, [0.0, 0.05, 0.1, 0.05]);
    }

    #[test]
    fn gradients_that_are_not_finite_are_refused_before_they_reach_the_weights() {
        let mut trainer = trainer("cbow", Optimiser::default(), &threads(1));
        // The loss stays finite, but its gradients overflow.
        let last = trainer.classifier.parameters_mut().iter_mut().filter(|parameter| parameter.name.ends_with("weight")).last().unwrap();
        crate::simd::scale(&mut last.value_mut().data, 1e25);
        let before = weights(&trainer);
        let refused = trainer.step(&batch(0)).unwrap_err().to_string();
        assert_eq!(refused, "the gradients of step 0 have the norm inf; try a smaller learning_rate");
        assert!(weights(&trainer) == before);
    }

    #[test]
    fn a_weights_file_is_not_a_training_state() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.safetensors");
        let mut trainer = trainer("cbow", Optimiser::default(), &threads(1));
        trainer.classifier().save(&path).unwrap();
        let refused = trainer.load_state(&path).unwrap_err().to_string();
        assert!(refused.ends_with("not a checkpoint; is it a weights file?"), "{refused}");
    }
}
