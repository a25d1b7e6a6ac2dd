//! Pairs that occur more than once, and premises that occur in more than one file.
//!
//! Only two hashes of 8 bytes are kept per example. They are sorted at the end, so the order of the examples does not matter.

use crate::Share;
use acidtest_nli::{Example, Judgment, Label};
use serde::Serialize;
use std::collections::BTreeMap;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Pairs with exactly the same premise and hypothesis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Duplicates {
    /// Repeated examples, not counting the first of each pair.
    pub repeated: Share,
    /// Examples whose pair occurs with incompatible labels.
    pub with_another_label: Share,
}

/// Premises that occur in more than one file with exactly the same text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Leakage {
    /// Premises in more than one file, of all distinct premises.
    pub premises: Share,
    /// Examples with such a premise.
    pub rows: Share,
    /// The examples of each file, in the order of the files' numbers.
    pub by_file: Vec<FileLeakage>,
    /// The pairs of files that share premises.
    pub between: Vec<SharedPremises>,
}

/// The examples of a file whose premise also occurs in another file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FileLeakage {
    /// The number of the file.
    pub file: usize,
    /// Its examples whose premise occurs in another file.
    pub rows: Share,
}

/// The premises that two files share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SharedPremises {
    /// The file with the lower number.
    pub first: usize,
    /// The other file.
    pub second: usize,
    /// The number of distinct premises in both.
    pub premises: u64,
}

/// The hashes of all examples.
#[derive(Debug, Clone, Default)]
pub(super) struct Repetition {
    /// A pair's hash in the upper bits, its label in the lowest [`LABEL_BITS`].
    pairs: Vec<u64>,
    /// The premises' hashes by file.
    premises: BTreeMap<usize, Vec<u64>>,
}

const LABEL_BITS: u32 = 3;
const LABEL_MASK: u64 = (1 << LABEL_BITS) - 1;
const NOT_ENTAILMENT: u64 = 3;
const UNLABELLED: u64 = 4;

impl Repetition {
    pub(super) fn add(&mut self, file: usize, example: &Example<'_>) {
        let premise = xxh3_64(example.pair.premise.text.as_bytes());
        let pair = xxh3_64_with_seed(example.pair.hypothesis.text.as_bytes(), premise);
        let label = match example.gold {
            Some(Judgment::Exact(label)) => label.index() as u64,
            Some(Judgment::NotEntailment) => NOT_ENTAILMENT,
            None => UNLABELLED,
        };
        self.pairs.push(pair & !LABEL_MASK | label);
        self.premises.entry(file).or_default().push(premise);
    }

    pub(super) fn merge(&mut self, mut other: Repetition) {
        self.pairs.append(&mut other.pairs);
        for (file, mut premises) in other.premises {
            self.premises.entry(file).or_default().append(&mut premises);
        }
    }

    pub(super) fn finish(self) -> (Duplicates, Leakage) {
        (duplicates(self.pairs), leakage(self.premises))
    }
}

fn duplicates(mut pairs: Vec<u64>) -> Duplicates {
    pairs.sort_unstable();
    let total = pairs.len() as u64;
    let mut found = Duplicates { repeated: Share { count: 0, total }, with_another_label: Share { count: 0, total } };
    for same in pairs.chunk_by(|first, second| first >> LABEL_BITS == second >> LABEL_BITS) {
        found.repeated.count += same.len() as u64 - 1;
        let labels = same.iter().fold(0u64, |labels, pair| labels | 1 << (pair & LABEL_MASK));
        if contradictory(labels) {
            found.with_another_label.count += same.iter().filter(|&pair| pair & LABEL_MASK != UNLABELLED).count() as u64;
        }
    }
    found
}

/// Whether labels, as bits, are incompatible; neutral and contradiction are compatible with non-entailment.
fn contradictory(labels: u64) -> bool {
    let has = |label: u64| labels >> label & 1 == 1;
    let [entailment, neutral, contradiction] = Label::ALL.map(|label| has(label.index() as u64));
    entailment && (neutral || contradiction || has(NOT_ENTAILMENT)) || neutral && contradiction
}

fn leakage(mut premises: BTreeMap<usize, Vec<u64>>) -> Leakage {
    let mut found = Leakage::default();
    // Each premise once for each file that has it: (premise, file).
    let mut places: Vec<(u64, usize)> = Vec::new();
    for (&file, premises) in &mut premises {
        premises.sort_unstable();
        places.extend(premises.chunk_by(u64::eq).map(|same| (same[0], file)));
    }
    places.sort_unstable();
    let mut shared: Vec<u64> = Vec::new();
    let mut between: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for files in places.chunk_by(|first, second| first.0 == second.0) {
        found.premises.add(files.len() > 1);
        if files.len() == 1 {
            continue;
        }
        shared.push(files[0].0);
        for (at, &(_, first)) in files.iter().enumerate() {
            files[at + 1..].iter().for_each(|&(_, second)| *between.entry((first, second)).or_default() += 1);
        }
    }
    for (&file, premises) in &premises {
        let count = premises.iter().filter(|premise| shared.binary_search(premise).is_ok()).count() as u64;
        let rows = Share { count, total: premises.len() as u64 };
        found.rows.merge(rows);
        found.by_file.push(FileLeakage { file, rows });
    }
    found.between = between.into_iter().map(|((first, second), premises)| SharedPremises { first, second, premises }).collect();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use Label::*;
    use acidtest_nli::Pair;

    fn found(rows: &[(usize, &str, &str, Option<Judgment>)]) -> (Duplicates, Leakage) {
        let mut repetition = Repetition::default();
        for &(file, premise, hypothesis, gold) in rows {
            repetition.add(file, &Example { pair: Pair::plain(premise, hypothesis), gold, ..Example::default() });
        }
        repetition.finish()
    }

    #[test]
    fn the_first_of_equal_pairs_is_not_repeated() {
        let gold = Some(Neutral.into());
        let (duplicates, _) = found(&[(0, "a", "b", gold), (0, "a", "b", gold), (1, "a", "b", None), (0, "ab", "", gold)]);
        assert_eq!(duplicates.repeated, Share { count: 2, total: 4 });
        assert_eq!(duplicates.with_another_label.count, 0);
    }

    #[test]
    fn only_incompatible_labels_count_as_different() {
        let (neutral, contradiction, entailment) = (Some(Neutral.into()), Some(Contradiction.into()), Some(Entailment.into()));
        let not_entailment = Some(Judgment::NotEntailment);
        let count = |first, second| found(&[(0, "a", "b", first), (0, "a", "b", second)]).0.with_another_label.count;
        assert_eq!(count(neutral, contradiction), 2);
        assert_eq!(count(entailment, not_entailment), 2);
        assert_eq!(count(neutral, not_entailment), 0);
        assert_eq!(count(neutral, None), 0);
    }

    #[test]
    fn a_premise_in_two_files_leaks() {
        let rows = [(0, "a", "1"), (0, "a", "2"), (0, "b", "1"), (2, "a", "3"), (2, "c", "1"), (5, "d", "1")];
        let (_, leakage) = found(&rows.map(|(file, premise, hypothesis)| (file, premise, hypothesis, None)));
        assert_eq!(leakage.premises, Share { count: 1, total: 4 });
        assert_eq!(leakage.rows, Share { count: 3, total: 6 });
        assert_eq!(leakage.by_file[0], FileLeakage { file: 0, rows: Share { count: 2, total: 3 } });
        assert_eq!(leakage.between, [SharedPremises { first: 0, second: 2, premises: 1 }]);
    }
}
