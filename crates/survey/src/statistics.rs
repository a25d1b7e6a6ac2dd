//! The statistics of a corpus: tables 2 and 3 and section 2.2 of the MultiNLI paper, duplicates, and premises that occur in several files.
//!
//! Examples are added one by one, to one [`Statistics`] or to several that are merged later; the result depends neither on their order nor on how they
//! were divided, because only integers and hashes are kept.

mod agreement;
mod overlap;
mod repetition;

pub use agreement::{Agreement, KappaOfVotes};
pub use overlap::{HIGH_OVERLAP, OverlapStatistics, PublishedOverlap, TrivialEdit, edit};
pub use repetition::{Duplicates, FileLeakage, Leakage, SharedPremises};

pub(crate) use overlap::{WordSet, jaccard};

use crate::Share;
use crate::words::{filled, root_label};
use acidtest_nli::{Example, Judgment, Label, Sentence, tag};
use agreement::AgreementCounts;
use overlap::SentenceWords;
use repetition::Repetition;
use serde::Serialize;
use std::collections::BTreeMap;

/// Collects the statistics of a corpus, example by example.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    genres: BTreeMap<String, Group>,
    without_genre: Group,
    repetition: Repetition,
    premise: SentenceWords,
    hypothesis: SentenceWords,
}

/// The statistics of a corpus.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CorpusStatistics {
    /// All examples.
    pub total: GroupStatistics,
    /// The examples of each genre.
    pub by_genre: BTreeMap<String, GroupStatistics>,
    /// The examples without a genre.
    pub without_genre: GroupStatistics,
    /// Pairs that occur more than once.
    pub duplicates: Duplicates,
    /// Premises that occur in more than one file.
    pub leakage: Leakage,
}

/// The statistics of a group of examples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct GroupStatistics {
    /// The number of examples.
    pub rows: u64,
    /// The number of examples with each label.
    pub labels: LabelCounts,
    /// The premises of the examples, each counted as often as it occurs.
    pub premise: SentenceStatistics,
    /// The hypotheses of the examples.
    pub hypothesis: SentenceStatistics,
    /// The agreement of annotators, on examples that others than the author have labelled.
    pub agreement: Agreement,
    /// The similarity of hypotheses to their premises.
    pub overlap: OverlapStatistics,
    /// The same as the MultiNLI authors counted it, on labelled examples with binary parses.
    pub overlap_as_published: PublishedOverlap,
}

/// The number of examples with each label.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LabelCounts {
    /// Examples labelled entailment.
    pub entailment: u64,
    /// Examples labelled neutral.
    pub neutral: u64,
    /// Examples labelled contradiction.
    pub contradiction: u64,
    /// Examples of two-way sets labelled non-entailment.
    pub not_entailment: u64,
    /// Unlabelled examples.
    pub unlabelled: u64,
}

/// Length and shape of the sentences on one side.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SentenceStatistics {
    /// Words of all sentences, punctuation marks included.
    pub words: u64,
    /// Mean number of words per sentence; `None` without examples.
    pub mean_words: Option<f64>,
    /// Words of the longest sentence.
    pub max_words: u64,
    /// Parses whose root is `S`, among the sentences that have a Penn parse.
    pub sentence_parses: Share,
}

impl Statistics {
    /// Adds an example of the file with this number.
    pub fn add(&mut self, file: usize, example: &Example<'_>) {
        self.premise.read(&example.pair.premise);
        self.hypothesis.read(&example.pair.hypothesis);
        self.repetition.add(file, example);
        let group = match example.tags.get(tag::GENRE) {
            None => &mut self.without_genre,
            Some(genre) => {
                if !self.genres.contains_key(genre) {
                    self.genres.insert(genre.to_string(), Group::default());
                }
                self.genres.get_mut(genre).expect("inserted above if it was missing")
            }
        };
        group.add(example, &mut self.premise, &mut self.hypothesis);
    }

    /// Adds the counts of another part of the corpus.
    pub fn merge(&mut self, other: Statistics) {
        self.without_genre.merge(&other.without_genre);
        for (genre, group) in &other.genres {
            self.genres.entry(genre.clone()).or_default().merge(group);
        }
        self.repetition.merge(other.repetition);
    }

    /// The statistics of all examples added.
    pub fn finish(self) -> CorpusStatistics {
        let mut total = self.without_genre.clone();
        self.genres.values().for_each(|group| total.merge(group));
        let (duplicates, leakage) = self.repetition.finish();
        CorpusStatistics {
            total: total.finish(),
            by_genre: self.genres.into_iter().map(|(genre, group)| (genre, group.finish())).collect(),
            without_genre: self.without_genre.finish(),
            duplicates,
            leakage,
        }
    }
}

/// The running counts of a group of examples.
#[derive(Debug, Clone, Default)]
struct Group {
    rows: u64,
    labels: LabelCounts,
    premise: Side,
    hypothesis: Side,
    agreement: AgreementCounts,
    overlap: OverlapStatistics,
    overlap_as_published: PublishedOverlap,
}

impl Group {
    fn add(&mut self, example: &Example<'_>, premise: &mut SentenceWords, hypothesis: &mut SentenceWords) {
        self.rows += 1;
        self.labels.add(example.gold);
        self.premise.add(&example.pair.premise, premise.count);
        self.hypothesis.add(&example.pair.hypothesis, hypothesis.count);
        self.agreement.add(example.gold, &example.votes);
        self.overlap.add(premise, hypothesis);
        if example.gold.is_some() {
            self.overlap_as_published.add(premise, hypothesis);
        }
    }

    fn merge(&mut self, other: &Group) {
        self.rows += other.rows;
        self.labels.merge(other.labels);
        self.premise.merge(&other.premise);
        self.hypothesis.merge(&other.hypothesis);
        self.agreement.merge(&other.agreement);
        self.overlap.merge(other.overlap);
        self.overlap_as_published.merge(other.overlap_as_published);
    }

    fn finish(self) -> GroupStatistics {
        GroupStatistics {
            rows: self.rows,
            labels: self.labels,
            premise: self.premise.finish(self.rows),
            hypothesis: self.hypothesis.finish(self.rows),
            agreement: self.agreement.finish(),
            overlap: self.overlap,
            overlap_as_published: self.overlap_as_published,
        }
    }
}

impl LabelCounts {
    fn add(&mut self, gold: Option<Judgment>) {
        *match gold {
            Some(Judgment::Exact(Label::Entailment)) => &mut self.entailment,
            Some(Judgment::Exact(Label::Neutral)) => &mut self.neutral,
            Some(Judgment::Exact(Label::Contradiction)) => &mut self.contradiction,
            Some(Judgment::NotEntailment) => &mut self.not_entailment,
            None => &mut self.unlabelled,
        } += 1;
    }

    fn merge(&mut self, other: LabelCounts) {
        self.entailment += other.entailment;
        self.neutral += other.neutral;
        self.contradiction += other.contradiction;
        self.not_entailment += other.not_entailment;
        self.unlabelled += other.unlabelled;
    }
}

#[derive(Debug, Clone, Default)]
struct Side {
    words: u64,
    max_words: u64,
    sentence_parses: Share,
}

impl Side {
    fn add(&mut self, sentence: &Sentence<'_>, words: u64) {
        self.words += words;
        self.max_words = self.max_words.max(words);
        if let Some(parse) = filled(&sentence.parse) {
            // Exactly `S`: the published 74 % does not count `SBARQ`, `SINV` and so on.
            self.sentence_parses.add(root_label(parse) == Some("S"));
        }
    }

    fn merge(&mut self, other: &Side) {
        self.words += other.words;
        self.max_words = self.max_words.max(other.max_words);
        self.sentence_parses.merge(other.sentence_parses);
    }

    fn finish(self, rows: u64) -> SentenceStatistics {
        let mean_words = Share { count: self.words, total: rows }.ratio();
        SentenceStatistics { words: self.words, mean_words, max_words: self.max_words, sentence_parses: self.sentence_parses }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::{Pair, Tags, Votes};
    use proptest::prelude::*;

    fn row<'a>(premise: &'a str, hypothesis: &'a str, genre: Option<&'a str>, gold: Option<Label>) -> Example<'a> {
        let mut tags = Tags::default();
        if let Some(genre) = genre {
            tags.set(tag::GENRE, genre);
        }
        let votes: Votes = gold.into_iter().cycle().take(5).collect();
        Example { pair: Pair::plain(premise, hypothesis), gold: gold.map(Judgment::Exact), votes, tags, changes: Vec::new() }
    }

    #[test]
    fn a_genre_has_its_own_numbers_and_the_total_has_all() {
        let mut statistics = Statistics::default();
        statistics.add(0, &row("It rained all day.", "It rained.", Some("travel"), Some(Label::Entailment)));
        statistics.add(0, &row("Go on", "Stop", None, None));
        let found = statistics.finish();
        assert_eq!(found.by_genre["travel"].premise.mean_words, Some(5.0));
        assert_eq!(found.by_genre["travel"].overlap.deletion, Share { count: 1, total: 1 });
        assert_eq!((found.total.rows, found.total.premise.max_words, found.without_genre.rows), (2, 5, 1));
        assert_eq!(found.total.labels, LabelCounts { entailment: 1, unlabelled: 1, ..LabelCounts::default() });
        assert_eq!(found.total.premise.sentence_parses.total, 0);
    }

    #[test]
    fn without_examples_there_are_no_means() {
        let found = Statistics::default().finish();
        assert_eq!((found.total.rows, found.total.premise.mean_words), (0, None));
        assert_eq!(found.total.agreement.fleiss_kappa.value, None);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,30}", parse in "[()A-cS .é\n'-]{0,40}", binary in "[()a-c .é-]{0,30}") {
            let mut example = row(&text, &parse, Some(&binary), None);
            example.pair.premise.parse = Some(parse.as_str().into());
            example.pair.hypothesis.binary_parse = Some(binary.as_str().into());
            let mut statistics = Statistics::default();
            statistics.add(7, &example);
            prop_assert_eq!(statistics.finish().total.rows, 1);
        }

        #[test]
        fn order_and_division_of_the_examples_do_not_matter(rows in prop::collection::vec(("[ab ]{0,4}", "[ab ]{0,4}", 0usize..4, 0usize..3), 0..12), cut in 0usize..12) {
            let examples: Vec<_> = rows.iter().map(|(premise, hypothesis, label, file)| {
                (*file, row(premise, hypothesis, ["x", "y"].get(*file).copied(), Label::ALL.get(*label).copied()))
            }).collect();
            let gathered = |part: &[(usize, Example<'_>)]| {
                let mut statistics = Statistics::default();
                part.iter().rev().for_each(|(file, example)| statistics.add(*file, example));
                statistics
            };
            let (first, second) = examples.split_at(cut.min(examples.len()));
            let mut merged = gathered(second);
            merged.merge(gathered(first));
            let mut whole = Statistics::default();
            examples.iter().for_each(|(file, example)| whole.add(*file, example));
            prop_assert_eq!(merged.finish(), whole.finish());
        }
    }
}
