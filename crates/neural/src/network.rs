//! A network: a model, its parameters and its word vectors.

use crate::batch::{Batch, CLASSES};
use crate::embeddings::Embeddings;
use crate::error::{Error, Result};
use crate::models::{Model, Settings, Text, WordVectors};
use crate::ops::Words;
use crate::parameters::{Change, Gradients, ParameterId, Parameters};
use crate::tape::{Buffers, Mode, Node, Tape};
use acidtest_nli::Seed;
use rayon::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// A model with its weights.
pub struct Network {
    settings: Settings,
    model: Box<dyn Model>,
    parameters: Parameters,
    gradients: Gradients,
    table: ParameterId,
    step: u64,
    /// Memory of ended tapes.
    spare: Mutex<Vec<Buffers>>,
}

impl Network {
    /// A network as it is before training. The weights depend on the seed, the settings and the sizes alone.
    pub fn new(settings: &Settings, vocabulary_size: usize, embeddings: &Embeddings, seed: Seed) -> Result<Self> {
        let mut parameters = Parameters::new(seed.child("weights"));
        let table = embeddings.table(vocabulary_size, seed.child("embeddings"))?;
        let change = match settings.word_vectors() {
            WordVectors::Trained => Change::Rows,
            WordVectors::Frozen => Change::Frozen,
        };
        let table = parameters.insert("embeddings", table, change);
        let model = settings.build(&mut parameters, embeddings.dimension())?;
        let gradients = Gradients::new(&parameters);
        Ok(Network { settings: settings.clone(), model, parameters, gradients, table, step: 0, spare: Mutex::default() })
    }

    /// The settings it was made with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How many words it knows.
    pub fn vocabulary_size(&self) -> usize {
        self.parameters.get(self.table).value.rows
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

    /// The mean loss of a batch; its gradients are then in [`gradients`](Self::gradients). Dropout is drawn for the step.
    pub fn loss_and_gradients(&mut self, batch: &Batch) -> Result<f32> {
        batch.check(self.vocabulary_size())?;
        let buffers = self.take_buffers();
        let step = self.parameters.seed().child("step").child(&self.step.to_string());
        let Network { model, parameters, gradients, table, .. } = self;
        let (loss, buffers) = in_pool(|| {
            gradients.clear();
            let mut tape = Tape::new(parameters, Mode::Training(step), buffers);
            let logits = logits(model.as_ref(), *table, &mut tape, batch);
            let loss = tape.cross_entropy(logits, &batch.labels);
            let value = tape.value(loss).data[0];
            (value, tape.backward(loss, gradients))
        });
        self.give_buffers(buffers);
        Ok(loss)
    }

    /// Three scores for each pair, higher for a more likely label; their softmax is a probability.
    pub fn scores(&self, batch: &Batch) -> Result<Vec<[f32; CLASSES]>> {
        batch.check(self.vocabulary_size())?;
        Ok(in_pool(|| self.scores_here(batch)))
    }

    /// The scores of any number of pairs, the same as [`scores`](Self::scores) gives: pairs of like length are read side by side, as many groups
    /// at a time as there are threads.
    pub fn scores_of_many<S: AsRef<[u32]> + Sync>(&self, premises: &[S], hypotheses: &[S]) -> Result<Vec<[f32; CLASSES]>> {
        if premises.len() != hypotheses.len() {
            return Err(Error::UnevenBatch { premises: premises.len(), hypotheses: hypotheses.len(), labels: premises.len() });
        }
        let length = |pair: usize| premises[pair].as_ref().len() + hypotheses[pair].as_ref().len();
        let mut order: Vec<usize> = (0..premises.len()).collect();
        // The longest first: what is left for the end is then short, and no thread waits long for another.
        order.sort_by_key(|&pair| std::cmp::Reverse(length(pair)));
        let score = |group: &[usize]| {
            let [premises, hypotheses] =
                [premises, hypotheses].map(|side| group.iter().map(|&pair| side[pair].as_ref()).collect::<Vec<_>>());
            let batch = Batch::unlabelled(&premises, &hypotheses)?;
            batch.check(self.vocabulary_size()).map_err(|error| match error {
                Error::UnknownWord { pair, id, vocabulary_size } => Error::UnknownWord { pair: group[pair], id, vocabulary_size },
                other => other,
            })?;
            Ok(self.scores_here(&batch))
        };
        let groups = groups_of_like_work(&order, length);
        let groups: Vec<Vec<[f32; CLASSES]>> = in_pool(|| groups.into_par_iter().with_max_len(1).map(score).collect::<Result<_>>())?;
        let mut scores = vec![[0.0; CLASSES]; premises.len()];
        order.iter().zip(groups.iter().flatten()).for_each(|(&pair, found)| scores[pair] = *found);
        Ok(scores)
    }

    fn scores_here(&self, batch: &Batch) -> Vec<[f32; CLASSES]> {
        let mut tape = Tape::new(&self.parameters, Mode::Inference, self.take_buffers());
        let logits = logits(self.model.as_ref(), self.table, &mut tape, batch);
        let scores = tape.value(logits).data.as_chunks::<CLASSES>().0.to_vec();
        self.give_buffers(tape.finish());
        scores
    }

    fn take_buffers(&self) -> Buffers {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn give_buffers(&self, buffers: Buffers) {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(buffers);
    }
}

/// Cuts pairs into groups of about as many words each, and as many groups for each thread. Words count and not pairs: a weight that has come from
/// far memory should serve many rows before the next one comes.
fn groups_of_like_work(order: &[usize], length: impl Fn(usize) -> usize) -> Vec<&[usize]> {
    const WORDS: usize = 3072;
    // A pair without words is some work too.
    let work = |pair: usize| length(pair) + 1;
    let total: usize = order.iter().map(|&pair| work(pair)).sum();
    let count = total.div_ceil(WORDS).next_multiple_of(rayon::current_num_threads()).max(1);
    let share = total.div_ceil(count);
    let (mut groups, mut first, mut words) = (Vec::with_capacity(count), 0, 0);
    for (place, &pair) in order.iter().enumerate() {
        words += work(pair);
        if words >= share {
            groups.push(&order[first..=place]);
            (first, words) = (place + 1, 0);
        }
    }
    if first < order.len() {
        groups.push(&order[first..]);
    }
    groups
}

fn logits(model: &dyn Model, table: ParameterId, tape: &mut Tape<'_>, batch: &Batch) -> Node {
    let rows = tape.embed(table, &batch.distinct);
    let words = Words { rows, places: Some(Arc::clone(&batch.places)) };
    model.logits(tape, &Text { words, segments: Arc::clone(&batch.segments), pairs: batch.pairs() })
}

/// Does all work in a thread of the pool, so that no operation has to wait for one.
pub(crate) fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    rayon::scope(|_| work())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::CATALOG;

    fn small(name: &str) -> Network {
        let mut settings = serde_json::to_value(Settings::of(name).unwrap()).unwrap();
        settings["hidden"] = 5.into();
        let settings = serde_json::from_value(settings).unwrap();
        Network::new(&settings, 10, &Embeddings::random(4), Seed::new(1)).unwrap()
    }

    fn batch() -> Batch {
        Batch::new(&[vec![1, 2, 3], vec![4]], &[vec![5, 6], vec![7, 8, 9, 1]], &[0, 2]).unwrap()
    }

    #[test]
    fn a_batch_of_one_is_scored_as_in_a_batch_of_many() {
        for entry in CATALOG {
            let network = small(entry.name);
            let many = network.scores(&batch()).unwrap();
            let one = network.scores(&Batch::unlabelled(&[vec![4]], &[vec![7, 8, 9, 1]]).unwrap()).unwrap();
            assert_eq!(many[1], one[0], "{}", entry.name);
        }
    }

    #[test]
    fn many_pairs_are_scored_as_one_by_one() {
        let sentences = |first: u32| -> Vec<Vec<u32>> {
            (0..150).map(|pair| (0..(pair * 7 + first) % 13).map(|word| (word * 3 + pair) % 10).collect()).collect()
        };
        let (premises, hypotheses) = (sentences(3), sentences(8));
        for entry in CATALOG {
            let network = small(entry.name);
            let many = network.scores_of_many(&premises, &hypotheses).unwrap();
            for (pair, many) in many.iter().enumerate() {
                let one = network.scores(&Batch::unlabelled(&premises[pair..=pair], &hypotheses[pair..=pair]).unwrap()).unwrap();
                assert_eq!(*many, one[0], "{}, pair {pair}", entry.name);
            }
            assert!(network.scores_of_many::<Vec<u32>>(&[], &[]).unwrap().is_empty());
            let unknown = network.scores_of_many(&[vec![1], vec![2]], &[vec![1, 2, 3], vec![10]]).unwrap_err();
            assert!(unknown.to_string().starts_with("pair 1 of the batch: word id 10"), "{unknown}");
        }
    }

    #[test]
    fn groups_hold_all_pairs_in_order_and_like_many_words() {
        let order: Vec<usize> = (0..1000).rev().collect();
        let groups = groups_of_like_work(&order, |pair| pair % 40);
        assert_eq!(groups.concat(), order);
        assert!(groups.len() >= 1000 * 20 / 3072, "{}", groups.len());
        let words = |group: &&[usize]| group.iter().map(|pair| pair % 40 + 1).sum::<usize>();
        let (most, least) = (groups.iter().map(words).max().unwrap(), groups.iter().map(words).min().unwrap());
        assert!(most <= 3072 + 40 && most - least <= 40 * groups.len(), "from {least} to {most} words");
        assert!(groups_of_like_work(&[], |_| 0).is_empty());
        assert_eq!(groups_of_like_work(&[3], |_| 0), [&[3]]);
    }

    #[test]
    fn empty_sentences_have_scores() {
        for entry in CATALOG {
            let mut network = small(entry.name);
            let batch = Batch::new(&[vec![], vec![1]], &[vec![2], vec![]], &[0, 1]).unwrap();
            assert!(network.scores(&batch).unwrap().iter().flatten().all(|score| score.is_finite()), "{}", entry.name);
            assert!(network.loss_and_gradients(&batch).unwrap().is_finite(), "{}", entry.name);
            let nothing = Batch::unlabelled::<Vec<u32>>(&[vec![]], &[vec![]]).unwrap();
            assert!(network.scores(&nothing).unwrap()[0].iter().all(|score| score.is_finite()), "{}", entry.name);
        }
    }

    #[test]
    fn saved_weights_give_the_same_scores() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.safetensors");
        for entry in CATALOG {
            let network = small(entry.name);
            network.save(&path).unwrap();
            let loaded = Network::load(network.settings(), &path).unwrap();
            assert_eq!(network.scores(&batch()).unwrap(), loaded.scores(&batch()).unwrap(), "{}", entry.name);
        }
    }

    #[test]
    fn weights_of_other_settings_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.safetensors");
        small("cbow").save(&path).unwrap();
        let refused = Network::load(&Settings::of("cbow").unwrap(), &path).err().unwrap().to_string();
        assert!(
            refused.ends_with("tensor `classifier.0.weight` is 5 x 16, the network has 300 x 16; was the file made with other settings?"),
            "{refused}"
        );
        let refused = Network::load(&Settings::of("esim").unwrap(), &path).err().unwrap().to_string();
        assert!(refused.contains("no tensor `projection.weight`"), "{refused}");
    }
}
