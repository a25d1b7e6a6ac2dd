//! A network with its weights.

use crate::embeddings::Embeddings;
use crate::error::Result;
use crate::inputs::Inputs;
use crate::matrix::Matrix;
use crate::networks::{EMBEDDINGS, Network, NetworkSettings};
use crate::parameters::{Gradients, Parameters};
use crate::precision::{ComputePrecision, Reduced};
use crate::sizes::Sizes;
use crate::tape::{Buffers, Tape, TapeMode};
use acidtest_nli::Seed;
use acidtest_threads::Threads;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// What determines the parameters of a network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// The network and its settings.
    pub settings: NetworkSettings,
    /// The sizes that the featurizer gives, such as the vocabulary size.
    pub sizes: Sizes,
    /// The number of classes.
    pub classes: usize,
}

/// A rough number of words per pair, to estimate memory.
const WORDS_OF_A_PAIR: u64 = 30;

/// A network with its weights: it scores pairs and can be trained.
pub struct Classifier {
    definition: Definition,
    pub(crate) network: Box<dyn Network>,
    parameters: Parameters,
    gradients: Gradients,
    step: u64,
    threads: Threads,
    /// How products of layers are computed in fewer bits when pairs are scored, if they are.
    reduced: Option<Reduced>,
    /// Buffers of finished tapes, for reuse.
    spare: Mutex<Vec<Buffers>>,
}

impl Classifier {
    /// Initialises a network before training. The weights depend only on the seed, the definition and the given word vectors.
    pub fn new(definition: &Definition, vectors: Option<&Embeddings>, seed: Seed, threads: &Threads) -> Result<Self> {
        let mut parameters = Parameters::new(seed.child("weights"));
        if let (Some(vectors), Some(words)) = (vectors, definition.sizes.get(crate::featurizers::words::WORDS)) {
            parameters.provide(EMBEDDINGS, vectors.table(words, seed.child("embeddings"))?);
        }
        Classifier::with(definition, parameters, threads)
    }

    /// A network with the given tables; all other weights have their initial values.
    pub(crate) fn with(definition: &Definition, mut parameters: Parameters, threads: &Threads) -> Result<Self> {
        let Definition { settings, sizes, classes } = definition;
        let network = (settings.entry().build)(settings.values(), &mut parameters, sizes, *classes)?;
        let gradients = Gradients::new(&parameters);
        let (definition, threads) = (definition.clone(), threads.clone());
        Ok(Classifier { definition, network, parameters, gradients, step: 0, threads, reduced: None, spare: Mutex::default() })
    }

    /// Estimates the memory for training in bytes, without allocating it: weights, gradients, Adam's two moments, and activations for one
    /// batch.
    pub fn training_memory(definition: &Definition, batch: usize) -> Result<u64> {
        let Definition { settings, sizes, classes } = definition;
        let mut parameters = Parameters::to_load(HashMap::new());
        (settings.entry().build)(settings.values(), &mut parameters, sizes, *classes)?;
        let words = WORDS_OF_A_PAIR.saturating_mul(batch as u64);
        let vocabulary = sizes.iter().map(|(_, size)| size).max();
        let bytes = parameters.declared().iter().map(|&(rows, columns)| {
            let weights = (rows as u64).saturating_mul(columns as u64).saturating_mul(4 * 4);
            // An embedding table is only looked up, so its rows are not outputs. Every other layer has an activation and its gradient per
            // word and output.
            let outputs = if Some(rows) == vocabulary { 0 } else { rows as u64 };
            weights.saturating_add(outputs.saturating_mul(words).saturating_mul(2 * 4))
        });
        Ok(bytes.fold(0, u64::saturating_add))
    }

    /// The definition that it was built from.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The parameters, mutable.
    pub fn parameters_mut(&mut self) -> &mut Parameters {
        &mut self.parameters
    }

    /// The gradients of the last call of [`loss_and_gradients`](Self::loss_and_gradients).
    pub fn gradients(&self) -> &Gradients {
        &self.gradients
    }

    /// Scores pairs in this precision from now on; an error on a machine that cannot. Training is always in f32.
    pub fn set_precision(&mut self, precision: ComputePrecision) -> Result<()> {
        precision.kernel()?;
        self.reduced = precision.reduced();
        Ok(())
    }

    /// The thread pool that it runs on.
    pub fn threads(&self) -> &Threads {
        &self.threads
    }

    /// The number of optimiser steps so far.
    pub fn step(&self) -> u64 {
        self.step
    }

    pub(crate) fn set_step(&mut self, step: u64) {
        self.step = step;
    }

    pub(crate) fn parameters_and_gradients(&mut self) -> (&mut Parameters, &Gradients) {
        (&mut self.parameters, &self.gradients)
    }

    /// Computes the mean loss of a labelled batch and leaves its gradients in [`gradients`](Self::gradients). The dropout masks are drawn
    /// from the seed of this step.
    pub fn loss_and_gradients(&mut self, inputs: &Inputs) -> Result<f32> {
        self.loss_and_gradients_of_parts(std::slice::from_ref(inputs))
    }

    /// The same for a batch in parts, computed one after the other: the mean is over all pairs, whatever the sizes of the parts.
    pub fn loss_and_gradients_of_parts(&mut self, parts: &[Inputs]) -> Result<f32> {
        for inputs in parts {
            inputs.check(&self.definition.sizes, self.definition.classes)?;
            if inputs.labels.len() != inputs.pairs() {
                return Err(crate::NeuralError::UnevenBatch { pairs: inputs.pairs(), labels: inputs.labels.len() });
            }
        }
        let pairs = parts.iter().map(Inputs::pairs).sum();
        if pairs == 0 {
            return Err(crate::NeuralError::EmptyBatch);
        }
        let mut buffers = self.take_buffers();
        let step = self.parameters.seed().child("step").child(&self.step.to_string());
        let Classifier { network, parameters, gradients, threads, .. } = self;
        let mut total = 0.0;
        for (number, inputs) in parts.iter().enumerate() {
            let seed = if number == 0 { step } else { step.child("part").child(&number.to_string()) };
            let (loss, used) = threads.run(|| {
                if number == 0 {
                    gradients.clear();
                }
                let mut tape = Tape::new(parameters, TapeMode::Training(seed), buffers);
                let logits = network.logits(&mut tape, inputs);
                let loss = tape.cross_entropy_of_part(logits, &inputs.labels, pairs);
                let value = tape.value(loss).data[0];
                (value, tape.backward_of_part(loss, gradients))
            });
            total += f64::from(loss);
            buffers = used;
        }
        gradients.finish(parameters);
        self.give_buffers(buffers);
        Ok(total as f32)
    }

    /// The logits of one batch, one row per pair.
    pub fn scores_of_batch(&self, inputs: &Inputs) -> Result<Matrix> {
        inputs.check(&self.definition.sizes, self.definition.classes)?;
        Ok(self.threads.run(|| self.on_tape(self.reduced, |tape| self.network.logits(tape, inputs))))
    }

    /// The hidden states of one batch, one row per word, as the network names them.
    pub fn hidden_states(&self, inputs: &Inputs) -> Result<Vec<Matrix>> {
        inputs.check(&self.definition.sizes, self.definition.classes)?;
        Ok(self.threads.run(|| {
            // In inference, values are discarded once they were used. Dropout would change them, so it has to be off.
            let mut tape = Tape::new(&self.parameters, TapeMode::Training(Seed::new(0)), Buffers::default());
            self.network.logits(&mut tape, inputs);
            tape.hidden_states().iter().map(|&node| tape.value(node).clone()).collect()
        }))
    }

    /// How products of layers are computed in fewer bits when pairs are scored, if they are.
    pub(crate) fn reduced(&self) -> Option<Reduced> {
        self.reduced
    }

    /// Runs `work` on a fresh tape on this thread and returns the value of its node.
    pub(crate) fn on_tape(&self, reduced: Option<Reduced>, work: impl FnOnce(&mut Tape<'_>) -> crate::tape::Node) -> Matrix {
        let mut tape = self.tape(reduced);
        let result = work(&mut tape);
        let value = tape.value(result).clone();
        self.give_buffers(tape.finish());
        value
    }

    /// A fresh tape to score with.
    pub(crate) fn tape(&self, reduced: Option<Reduced>) -> Tape<'_> {
        let mut tape = Tape::new(&self.parameters, TapeMode::Inference, self.take_buffers());
        tape.reduced = reduced;
        tape
    }

    pub(crate) fn take_buffers(&self) -> Buffers {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    pub(crate) fn give_buffers(&self, buffers: Buffers) {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(buffers);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::CATALOG;
    use crate::test_networks::{batch, definition, small, threads};

    #[test]
    fn training_memory_is_estimated_without_allocating_it() {
        for entry in &crate::networks::CATALOG {
            let network = small(entry.name, &threads(1));
            let weights: usize = network.parameters().iter().map(|parameter| parameter.value.data.len()).sum();
            let least = Classifier::training_memory(network.definition(), 0).unwrap();
            assert_eq!(least, 16 * weights as u64, "{}", entry.name);
            assert!(Classifier::training_memory(network.definition(), 32).unwrap() > least);
        }
    }

    #[test]
    fn empty_sentences_have_scores() {
        for entry in &CATALOG {
            let mut network = small(entry.name, &threads(2));
            let some = batch(&[(vec![], vec![2]), (vec![1], vec![])], &[0, 1]);
            assert!(network.scores_of_batch(&some).unwrap().data.iter().all(|score| score.is_finite()), "{}", entry.name);
            assert!(network.loss_and_gradients(&some).unwrap().is_finite(), "{}", entry.name);
            let nothing = batch(&[(vec![], vec![])], &[]);
            assert!(network.scores_of_batch(&nothing).unwrap().data.iter().all(|score| score.is_finite()), "{}", entry.name);
        }
    }

    #[test]
    fn a_loss_needs_labels_that_the_network_has() {
        let mut network = small("cbow", &threads(1));
        let refused = network.loss_and_gradients(&batch(&[([1], [2])], &[])).unwrap_err().to_string();
        assert_eq!(refused, "a batch of 1 pairs has 0 labels (expected one for each pair)");
        let refused = network.loss_and_gradients(&batch(&[([1], [2])], &[3])).unwrap_err().to_string();
        assert_eq!(refused, "pair 0 of the batch: label 3 (expected 0 to 2)");
    }

    #[test]
    fn a_network_without_its_sizes_is_refused() {
        let mut definition = definition("cbow", serde_json::json!({}), (10, 4));
        definition.sizes = Sizes::default();
        let refused = Classifier::new(&definition, None, Seed::new(1), &threads(1)).err().unwrap().to_string();
        assert!(refused.starts_with("the size `words`"), "{refused}");
    }
}
