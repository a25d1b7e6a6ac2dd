//! The batches of an epoch: which examples, in which order. Both depend only on the seed and the epoch number.

use super::examples::TrainingExample;
use acidtest_neural::{Featurizer, Inputs, PairFeatures};
use acidtest_nli::Seed;

/// Whether the words of a sentence are shuffled in training (Nie et al. 2018, section 4.1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WordOrder {
    /// Not shuffled.
    #[default]
    Kept,
    /// Shuffled within each sentence, differently in every epoch.
    Shuffled,
}

/// The number of batches whose examples are sorted by length together before they are cut into batches.
const SORTED_TOGETHER: usize = 50;

/// A corpus from which every epoch samples a new share.
pub(crate) struct MixedIn {
    pub rows: Vec<TrainingExample>,
    pub share: f64,
}

impl MixedIn {
    /// The number of examples that an epoch samples.
    pub(super) fn drawn(&self) -> usize {
        (self.rows.len() as f64 * self.share).round() as usize
    }
}

/// The training examples, from which epochs are made.
pub(crate) struct Epochs {
    /// Examples that are in every epoch.
    pub rows: Vec<TrainingExample>,
    /// Corpora from which every epoch samples a share.
    pub mixed_in: Vec<MixedIn>,
    pub order: WordOrder,
    pub batch: usize,
    pub seed: Seed,
}

impl Epochs {
    /// The number of examples in an epoch.
    pub(super) fn size(&self) -> usize {
        self.rows.len() + self.mixed_in.iter().map(MixedIn::drawn).sum::<usize>()
    }

    /// The number of batches in an epoch.
    pub(super) fn batches(&self) -> usize {
        self.size().div_ceil(self.batch)
    }

    /// The batches of this epoch, numbered from 1.
    pub(super) fn plan<'e>(&'e self, epoch: u32, featurizer: &'e dyn Featurizer) -> Plan<'e> {
        let seed = epoch_seed(self.seed, epoch);
        let mut rows: Vec<&TrainingExample> = self.rows.iter().collect();
        for (number, mixed_in) in self.mixed_in.iter().enumerate() {
            let mut drawn: Vec<&TrainingExample> = mixed_in.rows.iter().collect();
            seed.child("mix").child(&number.to_string()).rng().shuffle(&mut drawn);
            rows.extend(&drawn[..mixed_in.drawn()]);
        }
        let lengths: Vec<usize> = rows.iter().map(|row| row.features.words()).collect();
        let batches = order(&lengths, self.batch, seed).into_iter().map(|batch| batch.into_iter().map(|row| rows[row]).collect()).collect();
        Plan { batches, featurizer, order: self.order, seed: seed.child("words") }
    }
}

/// The batches of an epoch, numbered from 1, for other programs that are to train on the same ones: the positions of the examples, of which
/// the lengths in words or tokens are given.
pub fn batch_order(lengths: &[usize], batch_size: usize, seed: u64, epoch: u32) -> Vec<Vec<usize>> {
    order(lengths, batch_size, epoch_seed(course_seed(seed), epoch))
}

/// The seed of the batches of a training run.
pub(super) fn course_seed(seed: u64) -> Seed {
    Seed::new(seed).child("course")
}

fn epoch_seed(course: Seed, epoch: u32) -> Seed {
    course.child("epoch").child(&epoch.to_string())
}

/// Pairs of similar length go into one batch; which ones, and in which order, remains random.
fn order(lengths: &[usize], batch_size: usize, seed: Seed) -> Vec<Vec<usize>> {
    let mut rows: Vec<usize> = (0..lengths.len()).collect();
    seed.child("order").rng().shuffle(&mut rows);
    let mut batches = Vec::with_capacity(rows.len().div_ceil(batch_size));
    for part in rows.chunks_mut(SORTED_TOGETHER.saturating_mul(batch_size)) {
        part.sort_by_key(|&row| lengths[row]);
        batches.extend(part.chunks(batch_size).map(<[usize]>::to_vec));
    }
    seed.child("batches").rng().shuffle(&mut batches);
    batches
}

/// The batches of one epoch.
pub(crate) struct Plan<'e> {
    batches: Vec<Vec<&'e TrainingExample>>,
    featurizer: &'e dyn Featurizer,
    order: WordOrder,
    seed: Seed,
}

impl Plan<'_> {
    /// The number of batches.
    pub(super) fn len(&self) -> usize {
        self.batches.len()
    }

    /// The batches from this number on that make up an optimiser step of so many.
    pub(super) fn step(&self, first: usize, batches: usize) -> acidtest_neural::Result<Vec<Inputs>> {
        (first..self.len().min(first.saturating_add(batches))).map(|number| self.batch(number)).collect()
    }

    /// The batch of this number.
    fn batch(&self, number: usize) -> acidtest_neural::Result<Inputs> {
        let examples = &self.batches[number];
        let pairs: Vec<&PairFeatures> = examples.iter().map(|example| &example.features).collect();
        let mut inputs = self.featurizer.batch(&pairs)?.labelled(examples.iter().map(|example| example.class).collect())?;
        if self.order == WordOrder::Shuffled {
            inputs.shuffle_words(&mut self.seed.child(&number.to_string()).rng())?;
        }
        Ok(inputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_neural::featurizers::words::{self, pair_of_ids};
    use acidtest_neural::{Column, KnownVectors};

    fn featurizer() -> Box<dyn Featurizer> {
        (words::ENTRY.builder)(&serde_json::json!({})).unwrap().finish(&KnownVectors::default()).unwrap().featurizer
    }

    /// Examples that are recognised by their first word.
    fn rows(count: u32, base: u32) -> Vec<TrainingExample> {
        let premise = |n: u32| -> Vec<u32> { (0..1 + n % 7).map(|word| base + 100 * word + n).collect() };
        let row = |n: u32| TrainingExample { features: pair_of_ids(&premise(n), &[1, 2, 3]), class: 0 };
        (0..count).map(row).collect()
    }

    fn epochs(order: WordOrder) -> Epochs {
        let mixed_in = vec![MixedIn { rows: rows(100, 10_000), share: 0.15 }];
        Epochs { rows: rows(50, 0), mixed_in, order, batch: 8, seed: Seed::new(1) }
    }

    fn rows_of(plan: &Plan<'_>) -> Vec<Vec<u32>> {
        let premise = |row: &&TrainingExample| match &row.features.sentences[0].columns[0].1 {
            Column::Ids(ids) => ids.clone(),
            other => panic!("{other:?}"),
        };
        let mut rows: Vec<Vec<u32>> = plan.batches.iter().flatten().map(premise).collect();
        rows.sort();
        rows
    }

    #[test]
    fn every_epoch_has_all_rows_and_a_share_of_those_mixed_in() {
        let epochs = epochs(WordOrder::Kept);
        let featurizer = featurizer();
        let (first, second) = (epochs.plan(1, &*featurizer), epochs.plan(2, &*featurizer));
        assert_eq!((first.len(), epochs.batches(), epochs.size()), (9, 9, 65));
        let own = |rows: &[Vec<u32>]| rows.iter().filter(|row| row[0] < 10_000).cloned().collect::<Vec<_>>();
        let (first, second) = (rows_of(&first), rows_of(&second));
        assert_eq!((own(&first).len(), first.len()), (50, 65));
        assert_eq!(own(&first), own(&second));
        assert_ne!(first, second, "the share is drawn again");
    }

    #[test]
    fn an_epoch_is_reproducible_and_differs_from_others() {
        let epochs = epochs(WordOrder::Shuffled);
        let words = |epoch: u32| {
            let featurizer = featurizer();
            let plan = epochs.plan(epoch, &*featurizer);
            (0..plan.len()).map(|number| format!("{:?}", plan.batch(number).unwrap())).collect::<String>()
        };
        assert_eq!(words(3), words(3));
        assert_ne!(words(3), words(4));
    }

    #[test]
    fn the_last_step_of_an_epoch_has_the_batches_that_are_left() {
        let epochs = epochs(WordOrder::Kept);
        let featurizer = featurizer();
        let plan = epochs.plan(1, &*featurizer);
        let pairs = |first: usize, batches: usize| plan.step(first, batches).unwrap().iter().map(Inputs::pairs).sum::<usize>();
        assert_eq!([pairs(0, 4) + pairs(4, 4) + pairs(8, 4), plan.step(8, 4).unwrap().len()], [65, 1]);
    }

    #[test]
    fn words_are_shuffled_within_their_sentence() {
        let batch = |order| {
            let epochs = epochs(order);
            let featurizer = featurizer();
            let plan = epochs.plan(1, &*featurizer);
            let batch = plan.batch(0).unwrap();
            (format!("{batch:?}"), batch.words())
        };
        let (kept, shuffled) = (batch(WordOrder::Kept), batch(WordOrder::Shuffled));
        assert_eq!(kept.1, shuffled.1);
        assert_ne!(kept.0, shuffled.0);
    }
}
