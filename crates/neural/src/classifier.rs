//! A network with its weights.

use crate::embeddings::Embeddings;
use crate::error::Result;
use crate::inputs::Inputs;
use crate::matrix::Matrix;
use crate::networks::{EMBEDDINGS, Network, NetworkSettings};
use crate::parameters::{Gradients, Parameters};
use crate::sizes::Sizes;
use crate::tape::{Buffers, Tape, TapeMode};
use acidtest_nli::Seed;
use acidtest_threads::Threads;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Everything that says which parameters a network has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// The network and its settings.
    pub settings: NetworkSettings,
    /// The sizes of what it reads.
    pub sizes: Sizes,
    /// How many classes it tells apart.
    pub classes: usize,
}

/// About how many words a pair of a corpus has.
const WORDS_OF_A_PAIR: u64 = 30;

/// A network with its weights: scores pairs, and can be trained.
pub struct Classifier {
    definition: Definition,
    pub(crate) network: Box<dyn Network>,
    parameters: Parameters,
    gradients: Gradients,
    step: u64,
    threads: Threads,
    /// Memory of ended tapes.
    spare: Mutex<Vec<Buffers>>,
}

impl Classifier {
    /// A network as it is before training. The weights depend on the seed, the definition and the known vectors alone.
    pub fn new(definition: &Definition, vectors: Option<&Embeddings>, seed: Seed, threads: &Threads) -> Result<Self> {
        let mut parameters = Parameters::new(seed.child("weights"));
        if let (Some(vectors), Some(words)) = (vectors, definition.sizes.get(crate::featurizers::words::WORDS)) {
            parameters.provide(EMBEDDINGS, vectors.table(words, seed.child("embeddings"))?);
        }
        Classifier::with(definition, parameters, threads)
    }

    /// A network with these tables, and with all other weights as they are before training.
    pub(crate) fn with(definition: &Definition, mut parameters: Parameters, threads: &Threads) -> Result<Self> {
        let Definition { settings, sizes, classes } = definition;
        let network = (settings.entry().build)(settings.values(), &mut parameters, sizes, *classes)?;
        let gradients = Gradients::new(&parameters);
        let (definition, threads) = (definition.clone(), threads.clone());
        Ok(Classifier { definition, network, parameters, gradients, step: 0, threads, spare: Mutex::default() })
    }

    /// About how many bytes training takes, known without taking them: every weight with its gradient and two moments, and what the layers give for a
    /// batch of so many pairs.
    pub fn training_memory(definition: &Definition, batch: usize) -> Result<u64> {
        let Definition { settings, sizes, classes } = definition;
        let mut parameters = Parameters::to_load(HashMap::new());
        (settings.entry().build)(settings.values(), &mut parameters, sizes, *classes)?;
        let words = WORDS_OF_A_PAIR.saturating_mul(batch as u64);
        let bytes = parameters.declared().iter().map(|&(rows, columns)| {
            let weights = (rows as u64).saturating_mul(columns as u64).saturating_mul(4 * 4);
            // A table is looked up: its rows are no outputs. Every other layer has a number, and a gradient of it, for each word and output.
            let outputs = if Some(rows) == sizes.get(crate::featurizers::words::WORDS) { 0 } else { rows as u64 };
            weights.saturating_add(outputs.saturating_mul(words).saturating_mul(2 * 4))
        });
        Ok(bytes.fold(0, u64::saturating_add))
    }

    /// What it was made by.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Its parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Its parameters, to be changed.
    pub fn parameters_mut(&mut self) -> &mut Parameters {
        &mut self.parameters
    }

    /// The gradients that [`loss_and_gradients`](Self::loss_and_gradients) has left.
    pub fn gradients(&self) -> &Gradients {
        &self.gradients
    }

    /// The threads that it works with.
    pub fn threads(&self) -> &Threads {
        &self.threads
    }

    /// How many times training has changed the weights.
    pub fn step(&self) -> u64 {
        self.step
    }

    pub(crate) fn set_step(&mut self, step: u64) {
        self.step = step;
    }

    pub(crate) fn parameters_and_gradients(&mut self) -> (&mut Parameters, &Gradients) {
        (&mut self.parameters, &self.gradients)
    }

    /// The mean loss of a batch with labels; its gradients are then in [`gradients`](Self::gradients). Dropout is drawn for the step.
    pub fn loss_and_gradients(&mut self, inputs: &Inputs) -> Result<f32> {
        inputs.check(&self.definition.sizes, self.definition.classes)?;
        if inputs.labels.len() != inputs.pairs() {
            return Err(crate::NeuralError::UnevenBatch { pairs: inputs.pairs(), labels: inputs.labels.len() });
        }
        let buffers = self.take_buffers();
        let step = self.parameters.seed().child("step").child(&self.step.to_string());
        let Classifier { network, parameters, gradients, threads, .. } = self;
        let (loss, buffers) = threads.run(|| {
            gradients.clear();
            let mut tape = Tape::new(parameters, TapeMode::Training(step), buffers);
            let logits = network.logits(&mut tape, inputs);
            let loss = tape.cross_entropy(logits, &inputs.labels);
            let value = tape.value(loss).data[0];
            (value, tape.backward(loss, gradients))
        });
        self.give_buffers(buffers);
        Ok(loss)
    }

    /// The scores of one batch, a row for each pair: higher for a more likely class; their softmax is a probability.
    pub fn scores_of_batch(&self, inputs: &Inputs) -> Result<Matrix> {
        inputs.check(&self.definition.sizes, self.definition.classes)?;
        Ok(self.threads.run(|| self.on_tape(|tape| self.network.logits(tape, inputs))))
    }

    /// The value that `work` computes on a tape of its own, in this thread.
    pub(crate) fn on_tape(&self, work: impl FnOnce(&mut Tape<'_>) -> crate::tape::Node) -> Matrix {
        let mut tape = Tape::new(&self.parameters, TapeMode::Inference, self.take_buffers());
        let result = work(&mut tape);
        let value = tape.value(result).clone();
        self.give_buffers(tape.finish());
        value
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
    fn the_memory_of_a_training_is_known_before_it_is_taken() {
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
        assert!(refused.starts_with("no size `words` is given"), "{refused}");
    }
}
