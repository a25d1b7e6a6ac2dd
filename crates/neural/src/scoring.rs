//! Scores many pairs: groups pairs of similar length and encodes each distinct sentence once.
//!
//! Pairs are processed in windows of bounded size, with pairs of the same premise together. Within a window, a [two-step
//! network](TwoStepNetwork) first encodes the distinct sentences, then compares the pairs. A pair's scores are bit-identical alone and
//! among any others.

use crate::classifier::Classifier;
use crate::error::{NeuralError, Result};
use crate::features::{PairFeatures, SentenceFeatures};
use crate::inputs::Inputs;
use crate::matrix::Matrix;
use crate::networks::{Encoded, TwoStepNetwork};
use crate::precision::Reduced;
use crate::segments::Segments;
use crate::tape::Tape;
use acidtest_threads::{Grain, count_here, map};
use std::collections::HashMap;
use std::sync::Arc;

/// The number of words in a window, which bounds the memory for encoded sentences.
const WINDOW_WORDS: usize = 1 << 16;
/// The largest number of groups in a window.
const WINDOW_GROUPS: usize = 64;

impl Classifier {
    /// The logits of any number of pairs, one row per pair, identical to those of [`scores_of_batch`](Self::scores_of_batch).
    pub fn scores(&self, pairs: &[&PairFeatures]) -> Result<Matrix> {
        let mut scores = Matrix::zeros(pairs.len(), self.definition().classes);
        self.each_score(pairs, |pair, row| {
            scores.row_mut(pair).copy_from_slice(row);
            Ok::<(), NeuralError>(())
        })?;
        Ok(scores)
    }

    /// The same in f32, whatever the [precision](Self::set_precision).
    pub fn scores_in_f32(&self, pairs: &[&PairFeatures]) -> Result<Matrix> {
        let mut scores = Matrix::zeros(pairs.len(), self.definition().classes);
        self.each_score_by(None, pairs, |pair, row| {
            scores.row_mut(pair).copy_from_slice(row);
            Ok::<(), NeuralError>(())
        })?;
        Ok(scores)
    }

    /// Passes the scores of each pair with its index to `take`, window by window; an error of `take` stops the scoring.
    pub fn each_score<E: From<NeuralError>>(
        &self,
        pairs: &[&PairFeatures],
        take: impl FnMut(usize, &[f32]) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        self.each_score_by(self.reduced(), pairs, take)
    }

    /// The same with products of layers in fewer bits, or in f32.
    fn each_score_by<E: From<NeuralError>>(
        &self,
        reduced: Option<Reduced>,
        pairs: &[&PairFeatures],
        mut take: impl FnMut(usize, &[f32]) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let two_steps = self.network.in_two_steps().filter(|_| pairs.iter().all(|pair| pair.sentences.len() == 2));
        let sentences = if two_steps.is_some() { Distinct::of(pairs) } else { Distinct::default() };
        let order = match two_steps {
            Some(_) => by_premise(&sentences),
            None => longest_first(0..pairs.len(), |pair| pairs[pair].words()),
        };
        // Windows of a few groups for each thread, so that results of slow networks come early.
        let most = WINDOW_WORDS.min(WINDOW_GROUPS * self.network.group_words());
        for window in windows(&order, |pair| pairs[pair].words() + 1, most) {
            let (order, found) = self.threads().run(|| match two_steps {
                Some(network) => self.score_in_two_steps(reduced, network, &sentences, window),
                None => self.score_at_once(reduced, pairs, window),
            })?;
            let rows = found.iter().flat_map(|matrix| matrix.data.chunks_exact(matrix.columns.max(1)));
            order.iter().zip(rows).try_for_each(|(&pair, row)| take(pair, row))?;
        }
        Ok(())
    }

    /// Scores the pairs of a window in another order; returns that order with the scores.
    fn score_at_once(&self, reduced: Option<Reduced>, pairs: &[&PairFeatures], window: &[usize]) -> Result<(Vec<usize>, Vec<Matrix>)> {
        let score = |group: &[usize]| {
            let inputs = Inputs::of_pairs(&group.iter().map(|&pair| pairs[pair]).collect::<Vec<_>>())?;
            self.check(&inputs, |segment| group[segment % group.len()])?;
            Ok(self.on_tape(reduced, |tape| self.network.logits(tape, &inputs)))
        };
        Ok((window.to_vec(), self.by_groups(window, |pair| pairs[pair].words(), score)?))
    }

    /// The same for a two-step network.
    fn score_in_two_steps(
        &self,
        reduced: Option<Reduced>,
        network: &dyn TwoStepNetwork,
        sentences: &Distinct<'_>,
        window: &[usize],
    ) -> Result<(Vec<usize>, Vec<Matrix>)> {
        let store = self.encode(reduced, network, sentences, window)?;
        let rows = |pair: usize| sentences.pairs[pair].iter().map(|&sentence| store.length(sentence)).sum();
        let order = longest_first(window.iter().copied(), rows);
        let compare = |group: &[usize]| {
            let side = |side: usize| group.iter().map(move |&pair| (pair, side));
            let own: Vec<usize> = side(0).chain(side(1)).map(|(pair, side)| sentences.pairs[pair][side]).collect();
            Ok(self.on_tape(reduced, |tape| {
                let encoded = store.gathered(tape, &own);
                network.compare(tape, &encoded)
            }))
        };
        let scores = self.by_groups(&order, rows, compare)?;
        Ok((order, scores))
    }

    /// Encodes the distinct sentences of a window.
    fn encode(&self, reduced: Option<Reduced>, network: &dyn TwoStepNetwork, sentences: &Distinct<'_>, window: &[usize]) -> Result<Store> {
        let mut wanted: Vec<usize> = window.iter().flat_map(|&pair| sentences.pairs[pair]).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let length = |sentence: usize| sentences.list[sentence].features.length;
        let order = longest_first(wanted, length);
        let read = |group: &[usize]| {
            // Premises first, as networks with separate encoders expect.
            let (mut own, hypotheses): (Vec<usize>, Vec<usize>) = group.iter().partition(|&&sentence| sentences.list[sentence].side == 0);
            let premises = own.len();
            own.extend(hypotheses);
            let mut inputs = Inputs::of_sentences(&own.iter().map(|&sentence| sentences.list[sentence].features).collect::<Vec<_>>())?;
            inputs.premises = premises;
            self.check(&inputs, |segment| sentences.list[own[segment]].first_pair)?;
            let mut tape = self.tape(reduced);
            let Encoded { parts, segments, .. } = network.encode(&mut tape, &inputs);
            let parts: Vec<_> = parts.iter().map(|part| tape.spread(part)).collect();
            let matrices = parts.into_iter().map(|part| tape.value(part).clone()).collect();
            self.give_buffers(tape.finish());
            Ok(Part { sentences: own, segments, matrices })
        };
        Ok(Store::of(self.by_groups(&order, length, read)?))
    }

    /// Processes groups of similar numbers of words, as many at a time as there are threads.
    fn by_groups<R: Send>(
        &self,
        order: &[usize],
        words: impl Fn(usize) -> usize,
        work: impl Fn(&[usize]) -> Result<R> + Send + Sync,
    ) -> Result<Vec<R>> {
        map(groups_of_like_work(order, words, self.network.group_words()), Grain::Single, work).into_iter().collect()
    }

    /// Refuses unknown ids; `pair` maps a segment to its pair.
    fn check(&self, inputs: &Inputs, pair: impl Fn(usize) -> usize) -> Result<()> {
        let whole = Inputs { premises: inputs.segments.count(), ..inputs.clone() };
        whole.check(&self.definition().sizes, self.definition().classes).map_err(|error| match error {
            NeuralError::UnknownId { pair: segment, column, id, size } => NeuralError::UnknownId { pair: pair(segment), column, id, size },
            other => other,
        })
    }
}

/// The longest first, so that only short ones remain at the end and no thread waits long.
fn longest_first(items: impl IntoIterator<Item = usize>, words: impl Fn(usize) -> usize) -> Vec<usize> {
    let mut order: Vec<usize> = items.into_iter().collect();
    order.sort_by_key(|&item| std::cmp::Reverse(words(item)));
    order
}

/// The distinct sentences of pairs, separately for premises and hypotheses.
#[derive(Default)]
struct Distinct<'p> {
    list: Vec<DistinctSentence<'p>>,
    /// The premise and the hypothesis of each pair, as indices into the list.
    pairs: Vec<[usize; 2]>,
}

struct DistinctSentence<'p> {
    features: &'p SentenceFeatures,
    /// 0 for a premise, 1 for a hypothesis.
    side: usize,
    first_pair: usize,
}

impl<'p> Distinct<'p> {
    /// Sentences are equal if their features are the same object.
    fn of(pairs: &[&'p PairFeatures]) -> Self {
        let mut list = Vec::new();
        let mut places: HashMap<(usize, *const SentenceFeatures), usize> = HashMap::with_capacity(pairs.len());
        let mut place = |pair: usize, side: usize, features: &'p Arc<SentenceFeatures>| {
            *places.entry((side, Arc::as_ptr(features))).or_insert_with(|| {
                list.push(DistinctSentence { features, side, first_pair: pair });
                list.len() - 1
            })
        };
        let both = |(pair, features): (usize, &&'p PairFeatures)| [0, 1].map(|side| place(pair, side, &features.sentences[side]));
        let pairs = pairs.iter().enumerate().map(both).collect();
        Distinct { list, pairs }
    }
}

/// Orders pairs by the length of their premise and keeps pairs of one premise together.
fn by_premise(sentences: &Distinct<'_>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sentences.pairs.len()).collect();
    order.sort_by_key(|&pair| {
        let premise = sentences.pairs[pair][0];
        (std::cmp::Reverse(sentences.list[premise].features.length), premise)
    });
    order
}

/// Splits pairs into windows of at most this number of words.
fn windows(order: &[usize], words: impl Fn(usize) -> usize, most: usize) -> Vec<&[usize]> {
    let (mut windows, mut first, mut sum) = (Vec::new(), 0, 0);
    for (place, &pair) in order.iter().enumerate() {
        if sum > 0 && sum + words(pair) > most {
            windows.push(&order[first..place]);
            (first, sum) = (place, 0);
        }
        sum += words(pair);
    }
    if first < order.len() {
        windows.push(&order[first..]);
    }
    windows
}

/// Sentences encoded by one thread.
struct Part {
    sentences: Vec<usize>,
    segments: Arc<Segments>,
    matrices: Vec<Matrix>,
}

/// The encoded sentences of a window.
struct Store {
    parts: Vec<Part>,
    /// For each sentence, the part that holds it and its segment there.
    places: HashMap<usize, (usize, usize)>,
}

impl Store {
    fn of(parts: Vec<Part>) -> Self {
        let mut places = HashMap::new();
        for (number, part) in parts.iter().enumerate() {
            places.extend(part.sentences.iter().enumerate().map(|(segment, &sentence)| (sentence, (number, segment))));
        }
        Store { parts, places }
    }

    fn length(&self, sentence: usize) -> usize {
        let (part, segment) = self.places[&sentence];
        self.parts[part].segments.range(segment).len()
    }

    /// The rows of these sentences, concatenated; the first half are premises.
    fn gathered(&self, tape: &mut Tape<'_>, sentences: &[usize]) -> Encoded {
        let segments = Segments::of_lengths(sentences.iter().map(|&sentence| self.length(sentence)));
        let matrices = self.parts.first().map_or(0, |part| part.matrices.len());
        let gather = |number: usize| {
            let columns = self.parts[0].matrices[number].columns;
            let mut to = tape.uninitialised(segments.rows(), columns);
            for (&sentence, range) in sentences.iter().zip(segments.ranges()) {
                let (part, segment) = self.places[&sentence];
                let part = &self.parts[part];
                to.data[range.start * columns..range.end * columns]
                    .copy_from_slice(part.matrices[number].rows(part.segments.range(segment)));
            }
            tape.constant(to).into()
        };
        let parts = (0..matrices).map(gather).collect();
        Encoded { premises: sentences.len() / 2, segments: Arc::new(segments), parts }
    }
}

/// Splits items into groups of similar numbers of words, about `most` or fewer, with the same number of groups per thread.
fn groups_of_like_work(order: &[usize], words: impl Fn(usize) -> usize, most: usize) -> Vec<&[usize]> {
    // An item without words still takes some time.
    let work = |item: usize| words(item) + 1;
    let total: usize = order.iter().map(|&item| work(item)).sum();
    let count = total.div_ceil(most).next_multiple_of(count_here()).max(1);
    let share = total.div_ceil(count);
    let (mut groups, mut first, mut sum) = (Vec::with_capacity(count), 0, 0);
    for (place, &item) in order.iter().enumerate() {
        sum += work(item);
        if sum >= share {
            groups.push(&order[first..=place]);
            (first, sum) = (place + 1, 0);
        }
    }
    if first < order.len() {
        groups.push(&order[first..]);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::featurizers::words::pair_of_ids;
    use crate::networks::{CATALOG, Network};
    use crate::test_networks::{small, threads};

    /// Pairs of sentences of many lengths, where each premise and many hypotheses occur several times.
    fn pairs() -> Vec<PairFeatures> {
        let sentence =
            |number: u32, first: u32| -> Vec<u32> { (0..(number * 7 + first) % 13).map(|word| (word * 3 + number) % 10).collect() };
        let distinct: Vec<PairFeatures> = (0..150).map(|number| pair_of_ids(&sentence(number, 3), &sentence(number, 8))).collect();
        let again = (0..400usize).map(|number| {
            let [premise, hypothesis] = [number * 11 % 40, number * 17 % 90].map(|place| &distinct[place].sentences);
            PairFeatures { sentences: vec![Arc::clone(&premise[0]), Arc::clone(&hypothesis[1])], truncated: false }
        });
        distinct.iter().cloned().chain(again).collect()
    }

    #[test]
    fn a_pair_has_the_same_scores_alone_in_a_batch_and_among_many() {
        let pairs = pairs();
        let pairs: Vec<&PairFeatures> = pairs.iter().collect();
        for entry in &CATALOG {
            let classifier = small(entry.name, &threads(2));
            let many = classifier.scores(&pairs).unwrap();
            let batch = classifier.scores_of_batch(&Inputs::of_pairs(&pairs).unwrap()).unwrap();
            assert!(many == batch, "{}", entry.name);
            for (number, pair) in pairs.iter().enumerate() {
                let alone = classifier.scores(&[*pair]).unwrap();
                assert_eq!(many.row(number), alone.row(0), "{}, pair {number}", entry.name);
            }
            let mut backwards = pairs.clone();
            backwards.reverse();
            let backwards = classifier.scores(&backwards).unwrap();
            (0..pairs.len()).for_each(|number| assert_eq!(many.row(number), backwards.row(pairs.len() - 1 - number)));
            assert!(small(entry.name, &threads(1)).scores(&pairs).unwrap() == many, "{}: threads", entry.name);
        }
    }

    /// A network that does not offer the two-step interface.
    struct AtOnce(Box<dyn Network>);

    impl Network for AtOnce {
        fn logits(&self, tape: &mut Tape<'_>, inputs: &Inputs) -> crate::tape::Node {
            self.0.logits(tape, inputs)
        }
    }

    #[test]
    fn a_one_step_network_gives_the_same_scores() {
        let pairs = pairs();
        let pairs: Vec<&PairFeatures> = pairs.iter().collect();
        let expected = small("esim", &threads(2)).scores(&pairs).unwrap();
        let mut classifier = small("esim", &threads(2));
        classifier.network = Box::new(AtOnce(small("esim", &threads(2)).network));
        assert!(classifier.scores(&pairs).unwrap() == expected);
        let refused = classifier.scores(&[pairs[0], &pair_of_ids(&[], &[11])]).unwrap_err().to_string();
        assert!(refused.starts_with("pair 1 of the batch: id 11"), "{refused}");
    }

    #[test]
    fn an_error_of_the_caller_stops_the_scoring() {
        let pairs = pairs();
        let mut taken = 0;
        let ended = small("cbow", &threads(1)).each_score(&pairs.iter().collect::<Vec<_>>(), |_, _| {
            taken += 1;
            if taken < 5 { Ok(()) } else { Err(NeuralError::EmptyBatch) }
        });
        assert!(matches!(ended, Err(NeuralError::EmptyBatch)) && taken == 5);
    }

    #[test]
    fn no_pairs_give_no_scores_and_an_unknown_word_names_its_pair() {
        for entry in &CATALOG {
            let classifier = small(entry.name, &threads(2));
            assert_eq!(classifier.scores(&[]).unwrap().rows, 0);
            let (known, unknown) = (pair_of_ids(&[1], &[1, 2, 3]), pair_of_ids(&[2], &[10]));
            let refused = classifier.scores(&[&known, &unknown]).unwrap_err();
            assert_eq!(refused.to_string(), "pair 1 of the batch: id 10 of `words` is outside the 10 known ones", "{}", entry.name);
        }
    }

    #[test]
    fn distinct_sentences_are_encoded_once_per_side() {
        let pairs = pairs();
        let distinct = Distinct::of(&pairs.iter().collect::<Vec<_>>());
        assert_eq!(distinct.list.len(), 300);
        assert_eq!(distinct.list.iter().filter(|sentence| sentence.side == 0).count(), 150);
    }

    #[test]
    fn windows_hold_all_pairs_in_order_and_are_bounded() {
        let order: Vec<usize> = (0..10_000).rev().collect();
        let words = |pair: usize| pair % 40 + 1;
        let windows = windows(&order, words, WINDOW_WORDS);
        assert_eq!(windows.concat(), order);
        assert!(windows.len() > 2 && windows.iter().all(|window| window.iter().map(|&pair| words(pair)).sum::<usize>() <= WINDOW_WORDS));
        assert_eq!(super::windows(&[7], |_| 2 * WINDOW_WORDS, WINDOW_WORDS), [&[7]]);
    }

    #[test]
    fn groups_hold_all_pairs_in_order_with_similar_numbers_of_words() {
        let order: Vec<usize> = (0..1000).rev().collect();
        let groups = groups_of_like_work(&order, |pair| pair % 40, 3072);
        assert_eq!(groups.concat(), order);
        assert!(groups.len() >= 1000 * 20 / 3072, "{}", groups.len());
        let words = |group: &&[usize]| group.iter().map(|pair| pair % 40 + 1).sum::<usize>();
        let (most, least) = (groups.iter().map(words).max().unwrap(), groups.iter().map(words).min().unwrap());
        assert!(most <= 3072 + 40 && most - least <= 40 * groups.len(), "from {least} to {most} words");
        assert!(groups_of_like_work(&[], |_| 0, 9).is_empty());
        assert_eq!(groups_of_like_work(&[3], |_| 0, 9), [&[3]]);
    }
}
