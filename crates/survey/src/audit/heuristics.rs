//! Examples that support or contradict the heuristics of HANS, which take overlap for entailment.

use super::{JUDGMENTS, place};
use crate::words::view;
use acidtest_lingua::View;
use acidtest_lingua::overlap::{Matching, Overlap, all_in, are_phrases, is_run, overlap, words};
use acidtest_nli::{Example, Judgment, Pair, tag};
use std::collections::BTreeMap;

/// A heuristic that takes overlap for entailment. Each is a special case of the previous one, and its examples are counted there too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OverlapHeuristic {
    /// A premise entails every hypothesis made of its words.
    LexicalOverlap,
    /// A premise entails every contiguous subsequence of its words.
    Subsequence,
    /// A premise entails every constituent of its parse.
    Constituent,
}

impl OverlapHeuristic {
    /// All heuristics, from the most general to the most specific.
    pub const ALL: [OverlapHeuristic; 3] = [OverlapHeuristic::LexicalOverlap, OverlapHeuristic::Subsequence, OverlapHeuristic::Constituent];

    /// The name, as HANS writes it.
    pub fn name(self) -> &'static str {
        match self {
            OverlapHeuristic::LexicalOverlap => "lexical_overlap",
            OverlapHeuristic::Subsequence => "subsequence",
            OverlapHeuristic::Constituent => "constituent",
        }
    }
}

/// The relation of an example to a heuristic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stance {
    /// The heuristic does not apply, or this is unknown.
    Silent,
    /// It applies, and its prediction is correct.
    Supports,
    /// It applies, and its prediction is wrong.
    Contradicts,
}

/// The findings in an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeuristicFinding {
    stances: [Stance; 3],
}

impl HeuristicFinding {
    /// No heuristic applies.
    pub(super) const NOTHING: HeuristicFinding = HeuristicFinding { stances: [Stance::Silent; 3] };

    /// The relation of the example to a heuristic.
    pub fn stance(&self, heuristic: OverlapHeuristic) -> Stance {
        self.stances[heuristic as usize]
    }
}

/// The examples to which a heuristic applies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct SupportCounts {
    /// Entailed examples, as the heuristic predicts.
    pub supporting: u64,
    /// Non-entailed examples.
    pub contradicting: u64,
}

impl SupportCounts {
    fn count(&mut self, gold: Judgment) {
        if gold.is_entailment() {
            self.supporting += 1;
        } else {
            self.contradicting += 1;
        }
    }

    fn add(&mut self, other: SupportCounts) {
        self.supporting += other.supporting;
        self.contradicting += other.contradicting;
    }
}

/// The examples to which one heuristic applies.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct HeuristicReport {
    /// The heuristic.
    pub heuristic: OverlapHeuristic,
    /// In the whole corpus.
    pub all: SupportCounts,
    /// Examples by label, without labels that do not occur.
    pub by_label: Vec<(&'static str, u64)>,
    /// Examples by genre, if the corpus has genres.
    pub by_genre: BTreeMap<String, SupportCounts>,
    /// The ids of the first contradicting examples.
    pub contradicting_ids: Vec<String>,
}

#[derive(Debug, Clone)]
pub(super) struct Heuristics {
    kept_ids: usize,
    pub(super) without_parse: u64,
    pub(super) unreadable_parses: u64,
    pub(super) parsed_here: u64,
    tallies: [Tally; 3],
}

#[derive(Debug, Clone, Default)]
struct Tally {
    by_label: [u64; 4],
    by_genre: BTreeMap<String, SupportCounts>,
    ids: Vec<String>,
}

impl Heuristics {
    pub(super) fn new(kept_ids: usize) -> Self {
        Heuristics { kept_ids, without_parse: 0, unreadable_parses: 0, parsed_here: 0, tallies: Default::default() }
    }

    /// Counts examples with their gold labels and returns the findings in each. Premises without a parse are parsed together.
    pub(super) fn add(&mut self, rows: &[(&Example<'_>, Judgment)], matching: Matching) -> Vec<HeuristicFinding> {
        let pairs: Vec<&Pair<'_>> = rows.iter().map(|(example, _)| &example.pair).collect();
        let found = match matching {
            Matching::Words => self.compare_words(&pairs),
            Matching::AsPublished => pairs.iter().map(|pair| self.compare_as_published(pair)).collect(),
        };
        rows.iter().zip(found).map(|((example, gold), found)| self.tally(example, *gold, found)).collect()
    }

    fn tally(&mut self, example: &Example<'_>, gold: Judgment, found: Overlap) -> HeuristicFinding {
        let applies = [found.lexical, found.subsequence, found.constituent == Some(true)];
        let genre = example.tags.get(tag::GENRE);
        let mut finding = HeuristicFinding::NOTHING;
        for (heuristic, tally) in OverlapHeuristic::ALL.into_iter().zip(&mut self.tallies) {
            if !applies[heuristic as usize] {
                continue;
            }
            tally.by_label[place(gold)] += 1;
            if let Some(genre) = genre {
                match tally.by_genre.get_mut(genre) {
                    Some(counts) => counts.count(gold),
                    None => tally.by_genre.entry(genre.to_string()).or_default().count(gold),
                }
            }
            let contradicts = !gold.is_entailment();
            if contradicts && tally.ids.len() < self.kept_ids {
                tally.ids.push(example.pair.id.to_string());
            }
            finding.stances[heuristic as usize] = if contradicts { Stance::Contradicts } else { Stance::Supports };
        }
        finding
    }

    /// The authors' script reads binary parses; a missing parse is not replaced.
    fn compare_as_published(&mut self, pair: &Pair<'_>) -> Overlap {
        let view = view(&pair.premise);
        let tree = view.binary_tree();
        self.unreadable_parses += u64::from(view.binary_parse().is_some() && tree.is_none());
        self.without_parse += u64::from(tree.is_none());
        overlap(view.text(), tree, &pair.hypothesis.text, Matching::AsPublished)
    }

    /// Compares words with the constituents of the corpus's parse or, without one, of our own.
    fn compare_words(&mut self, pairs: &[&Pair<'_>]) -> Vec<Overlap> {
        let views: Vec<View<'_>> = pairs.iter().map(|pair| view(&pair.premise)).collect();
        let mut found = Vec::with_capacity(pairs.len());
        // A constituent is a contiguous subsequence, so few premises need to be parsed.
        let mut parts: Vec<(Vec<String>, &View<'_>)> = Vec::new();
        for (pair, view) in pairs.iter().zip(&views) {
            let (whole, part) = (words(&pair.premise.text), words(&pair.hypothesis.text));
            let lexical = all_in(&part, &whole);
            let subsequence = lexical && is_run(&part, &whole);
            let has_parse = view.parse().or(view.binary_parse()).is_some();
            let unreadable = subsequence && has_parse && view.tree().is_none();
            self.unreadable_parses += u64::from(unreadable);
            self.parsed_here += u64::from(!has_parse || unreadable);
            found.push(Overlap { lexical, subsequence, constituent: Some(false) });
            if subsequence {
                parts.push((part, view));
            }
        }
        let phrases = are_phrases(&parts);
        for (found, is_phrase) in found.iter_mut().filter(|found| found.subsequence).zip(phrases) {
            found.constituent = Some(is_phrase);
        }
        found
    }

    pub(super) fn merge(&mut self, later: Heuristics) {
        self.without_parse += later.without_parse;
        self.unreadable_parses += later.unreadable_parses;
        self.parsed_here += later.parsed_here;
        for (tally, other) in self.tallies.iter_mut().zip(later.tallies) {
            tally.by_label.iter_mut().zip(other.by_label).for_each(|(count, more)| *count += more);
            other.by_genre.into_iter().for_each(|(genre, counts)| tally.by_genre.entry(genre).or_default().add(counts));
            let room = self.kept_ids - tally.ids.len();
            tally.ids.extend(other.ids.into_iter().take(room));
        }
    }

    pub(super) fn finish(self) -> Vec<HeuristicReport> {
        let report = |(heuristic, tally): (OverlapHeuristic, Tally)| {
            let entailed = tally.by_label[0];
            let labels = JUDGMENTS.iter().zip(tally.by_label).filter(|(_, rows)| *rows > 0);
            HeuristicReport {
                heuristic,
                all: SupportCounts { supporting: entailed, contradicting: tally.by_label.iter().sum::<u64>() - entailed },
                by_label: labels.map(|(judgment, rows)| (judgment.name(), rows)).collect(),
                by_genre: tally.by_genre,
                contradicting_ids: tally.ids,
            }
        };
        OverlapHeuristic::ALL.into_iter().zip(self.tallies).map(report).collect()
    }
}
