//! Selects the examples of a set made from single sentences: no duplicates, and no tag value too often.

use crate::{CONTROL, Challenge, ChallengeKind, Coverage, PairChoice, ShareLimit};
use acidtest_lingua::edit::{TextChange, undo};
use acidtest_nli::{Example, Seed, Side, tag};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Collects every example in order, and selects those of the set when all are known.
///
/// A matched control is added after its example and is kept or dropped with it. Only a few bytes are stored per example. The selection
/// does not depend on the order: for each value of the limited tag, the examples with the smallest random numbers are kept, which are
/// derived from seed and text. If a sentence contributes only one pair, sentences with few pairs choose first, and each takes the least
/// used value.
#[derive(Debug)]
pub struct SetSelection {
    choice: PairChoice,
    limit: Option<ShareLimit>,
    seed: Seed,
    seen: HashSet<u64>,
    repeated: u64,
    values: HashMap<String, u32>,
    repeated_controls: u64,
    last_was_new: bool,
    made: Vec<Added>,
}

/// A distinct example.
#[derive(Debug, Clone, Copy)]
enum Added {
    /// The value of the limited tag, the random number, and the source sentence.
    Test { value: u32, number: u64, sentence: u64 },
    /// The matched control of the preceding example.
    Control,
}

/// The outcome of the selection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selected {
    /// Whether each distinct example belongs to the set, in the order of adding.
    pub kept: Vec<bool>,
    /// A note for the user, if there are too few values to satisfy the limit.
    pub note: Option<String>,
}

impl SetSelection {
    /// The selection for a challenge; `None` if its set has all examples.
    pub fn of(challenge: &Challenge) -> Option<Self> {
        let ChallengeKind::FromSentences(from) = challenge.kind() else { return None };
        let seed = Seed::new(challenge.seed()).child(challenge.name()).child("selection");
        Some(SetSelection {
            choice: from.choice(),
            limit: from.limit(),
            seed,
            seen: HashSet::new(),
            repeated: 0,
            values: HashMap::new(),
            repeated_controls: 0,
            last_was_new: false,
            made: Vec::new(),
        })
    }

    /// Adds an example; `false` if it is a duplicate.
    pub fn add(&mut self, example: &Example<'_>) -> bool {
        let pair = &example.pair;
        let number = self.seed.child(&pair.premise.text).child(&pair.hypothesis.text).number();
        let is_control = example.tags.get(tag::PART) == Some(CONTROL);
        let is_new = self.seen.insert(number) && (self.last_was_new || !is_control);
        self.last_was_new = is_new;
        if !is_new {
            self.repeated += 1;
            self.repeated_controls += u64::from(is_control);
            return false;
        }
        if is_control {
            self.made.push(Added::Control);
            return true;
        }
        let value = self.limit.and_then(|limit| example.tags.get(limit.tag)).unwrap_or_default();
        let next = self.values.len() as u32;
        let value = match self.values.get(value) {
            Some(&known) => known,
            None => *self.values.entry(value.to_string()).or_insert(next),
        };
        let sentence = match self.choice {
            PairChoice::Every => 0,
            PairChoice::LeastUsed => self.seed.child(&original(example)).number(),
        };
        self.made.push(Added::Test { value, number, sentence });
        true
    }

    /// Selects from the given examples; the coverage counts the others.
    pub fn choose<'e>(mut self, made: Vec<Example<'e>>, coverage: &mut Coverage) -> (Vec<Example<'e>>, Option<String>) {
        let distinct: Vec<Example<'e>> = made.into_iter().filter(|example| self.add(example)).collect();
        let Selected { kept, note } = self.finish(coverage);
        (distinct.into_iter().zip(kept).filter_map(|(example, kept)| kept.then_some(example)).collect(), note)
    }

    /// Selects the examples; the coverage counts the others.
    pub fn finish(self, coverage: &mut Coverage) -> Selected {
        coverage.excluded(REPEATED, self.repeated);
        coverage.excluded_controls(self.repeated_controls);
        let all = self.made.len();
        let Some(limit) = self.limit else { return Selected { kept: vec![true; all], note: None } };
        let mut by_value: Vec<Vec<(u64, usize)>> = vec![Vec::new(); self.values.len()];
        let chosen = self.chosen();
        for (place, added) in self.made.iter().enumerate().filter(|(place, _)| chosen[*place]) {
            if let Added::Test { value, number, .. } = *added {
                by_value[value as usize].push((number, place));
            }
        }
        let others = self.made.len() - chosen.iter().filter(|chosen| **chosen).count();
        coverage.excluded(OTHER_PAIR, others as u64);
        let counts: Vec<usize> = by_value.iter().map(Vec::len).collect();
        let tests: usize = counts.iter().sum();
        let most = most_per_value(&counts, limit.share);
        let mut kept = vec![false; all];
        for examples in &mut by_value {
            examples.sort_unstable();
            examples.iter().take(most.unwrap_or_else(|| fallback(tests, limit.share))).for_each(|&(_, place)| kept[place] = true);
        }
        for place in 1..all {
            if let Added::Control = self.made[place] {
                kept[place] = kept[place - 1];
                coverage.excluded_controls(u64::from(!kept[place]));
            }
        }
        coverage.excluded(OVER_LIMIT, (kept.iter().filter(|kept| !**kept).count() - others) as u64);
        let too_few = || {
            let (values, percent) = (counts.iter().filter(|count| **count > 0).count(), 100.0 * limit.share);
            format!("the tag {} has only {values} different values, so none can be kept below {percent} % of the set", limit.tag)
        };
        Selected { kept, note: (most.is_none() && all > 0).then(too_few) }
    }

    /// Whether each example is among those that its sentence contributes; a matched control follows its example.
    fn chosen(&self) -> Vec<bool> {
        if self.choice == PairChoice::Every {
            return vec![true; self.made.len()];
        }
        /// The number, value and index of each pair of a sentence.
        type Pairs = Vec<(u64, u32, usize)>;
        let mut by_sentence: BTreeMap<u64, Pairs> = BTreeMap::new();
        for (place, added) in self.made.iter().enumerate() {
            if let Added::Test { value, number, sentence } = *added {
                by_sentence.entry(sentence).or_default().push((number, value, place));
            }
        }
        let mut sentences: Vec<(u64, Pairs)> = by_sentence.into_iter().collect();
        sentences.sort_by_key(|(sentence, pairs)| (pairs.len(), *sentence));
        let mut used = vec![0_u32; self.values.len()];
        let mut chosen = vec![false; self.made.len()];
        for (_, pairs) in sentences {
            let least = pairs.into_iter().min_by_key(|(number, value, _)| (used[*value as usize], *number));
            if let Some((_, value, place)) = least {
                used[value as usize] += 1;
                chosen[place] = true;
                if let Some(Added::Control) = self.made.get(place + 1) {
                    chosen[place + 1] = true;
                }
            }
        }
        chosen
    }
}

/// The reason for excluding a duplicate.
const REPEATED: &str = "the pair is already in the set";
/// The reason for excluding a pair if its sentence already contributes another.
const OTHER_PAIR: &str = "the set has a rarer pair from the same sentence";
/// The reason for excluding a pair above the limit.
const OVER_LIMIT: &str = "the set has enough pairs of the same kind";

/// The sentence that an example was made from.
fn original(example: &Example<'_>) -> String {
    let changes = example.changes.iter().filter(|change| change.side == Side::Premise);
    let changes: Vec<TextChange> =
        changes.map(|change| TextChange { start: change.start, end: change.end, before: change.before.clone() }).collect();
    let premise = &example.pair.premise.text;
    undo(premise, &changes).unwrap_or_else(|| premise.to_string())
}

/// The largest number of examples per value that satisfies the limit; `None` if there are too few values.
fn most_per_value(counts: &[usize], share: f64) -> Option<usize> {
    let fits = |most: usize| {
        let left: usize = counts.iter().map(|&count| count.min(most)).sum();
        let largest = counts.iter().map(|&count| count.min(most)).max().unwrap_or(0);
        largest as f64 <= share * left as f64
    };
    let largest = counts.iter().copied().max()?;
    // The valid numbers do not always form an interval from 1, but only the largest is needed.
    (1..=largest).rev().find(|&most| fits(most))
}

/// The number if none satisfies the limit: the share of all examples that were made.
fn fallback(all: usize, share: f64) -> usize {
    ((all as f64 * share).ceil() as usize).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_holds_for_the_selected_examples() {
        let counts: Vec<usize> = std::iter::once(1000).chain(std::iter::repeat_n(10, 30)).collect();
        let most = most_per_value(&counts, 0.05).unwrap();
        let left: usize = counts.iter().map(|&count| count.min(most)).sum();
        assert!(most as f64 <= 0.05 * left as f64 && (most + 1) as f64 > 0.05 * (left + 1) as f64, "{most} of {left}");
    }

    #[test]
    fn too_few_values_cannot_satisfy_the_limit() {
        assert_eq!(most_per_value(&[5, 5, 5], 0.05), None);
        assert_eq!(most_per_value(&[1; 20], 0.05), Some(1));
        assert_eq!(most_per_value(&[], 0.05), None);
        assert_eq!(fallback(15, 0.05), 1);
    }

    fn selection(choice: PairChoice, share: f64) -> SetSelection {
        SetSelection {
            choice,
            limit: Some(ShareLimit { tag: tag::MODIFIER, share }),
            seed: Seed::new(1),
            seen: HashSet::new(),
            repeated: 0,
            values: HashMap::new(),
            repeated_controls: 0,
            last_was_new: false,
            made: Vec::new(),
        }
    }

    /// A pair of a sentence with a modifier before its last word, and a control.
    fn examples(sentence: &str, modifier: &str) -> [Example<'static>; 2] {
        let (start, last) = sentence.rsplit_once(' ').unwrap();
        let premise = format!("{start} {modifier} {last}");
        let example = |premise: &str, part: &str| {
            let mut example = Example { pair: acidtest_nli::Pair::plain(premise, sentence).into_owned(), ..Example::default() };
            let (start, end) = (start.len() + 1, start.len() + modifier.len() + 2);
            example.changes.push(acidtest_nli::Change { side: Side::Premise, start, end, before: String::new(), from: None });
            example.tags.set(tag::MODIFIER, modifier.to_string());
            example.tags.set(tag::PART, part.to_string());
            example
        };
        [example(&premise, crate::TEST), example(&format!("{premise}!"), CONTROL)]
    }

    fn chosen(made: Vec<Example<'static>>) -> Vec<(String, String)> {
        let (chosen, _) = selection(PairChoice::LeastUsed, 1.0).choose(made, &mut Coverage::default());
        let tag = |example: &Example<'_>, name| example.tags.get(name).unwrap_or_default().to_string();
        let mut chosen: Vec<(String, String)> =
            chosen.iter().map(|example| (example.pair.hypothesis.text.to_string(), tag(example, tag::MODIFIER))).collect();
        chosen.sort();
        chosen
    }

    #[test]
    fn each_sentence_takes_the_least_used_value_whatever_the_order() {
        let pairs = [("a man", "old"), ("a man", "tall"), ("a dog", "old"), ("a cat", "old"), ("a cat", "tall"), ("a cat", "fat")];
        let made = |pairs: &[(&str, &str)]| pairs.iter().flat_map(|(sentence, modifier)| examples(sentence, modifier)).collect::<Vec<_>>();
        let found = chosen(made(&pairs));
        // Only "old" fits the dog, so the man is tall and the cat fat; each has its control beside it.
        let expected = [("a cat", "fat"), ("a cat", "fat"), ("a dog", "old"), ("a dog", "old"), ("a man", "tall"), ("a man", "tall")];
        assert_eq!(found, expected.map(|(sentence, modifier)| (sentence.to_string(), modifier.to_string())));
        let backwards: Vec<(&str, &str)> = pairs.iter().rev().copied().collect();
        assert_eq!(found, chosen(made(&backwards)));
    }
}
