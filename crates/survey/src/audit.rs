//! Artefacts that a model could exploit: overlap of premise and hypothesis, label-indicative words, negation, length.
//!
//! The overlap heuristics are those of McCoy et al. (2019), section 2; label-indicative words those of Gururangan et al. (2018), section 3.
//! An [`Audit`] takes examples one by one and returns what it found in each; [`Audit::finish`] returns the tables.

mod cues;
mod heuristics;

pub use cues::{Cue, LabelCues, LabelLengths, LabelNegation, NegationWord};
pub use heuristics::{HeuristicFinding, HeuristicReport, OverlapHeuristic, Stance, SupportCounts};

use acidtest_lingua::overlap::Matching;
use acidtest_nli::{Example, Judgment, Label};
use cues::Cues;
use heuristics::Heuristics;

/// How a corpus is audited.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditSettings {
    /// How premise and hypothesis are compared.
    pub matching: Matching,
    /// The number of ids of contradicting examples that are kept per heuristic; all are counted.
    pub kept_ids: usize,
    /// The smoothing added to every count of a word and a label.
    pub smoothing: f64,
    /// The number of label-indicative words per label.
    pub words_per_label: usize,
}

impl Default for AuditSettings {
    /// Clean comparison, a thousand ids, 100 added as in Gururangan et al. (2018), twenty words.
    fn default() -> Self {
        AuditSettings { matching: Matching::Words, kept_ids: 1000, smoothing: 100.0, words_per_label: 20 }
    }
}

/// Counts artefacts.
#[derive(Debug, Clone)]
pub struct Audit {
    settings: AuditSettings,
    rows: u64,
    without_gold: u64,
    heuristics: Heuristics,
    cues: Cues,
}

/// The artefacts of a corpus.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct AuditReport {
    /// Examples read.
    pub rows: u64,
    /// Examples excluded because they have no gold label.
    pub without_gold: u64,
    /// Examples without a usable parse, whose constituents are unknown; only in the published comparison.
    pub without_parse: u64,
    /// Examples whose parse could not be read; they are among those without one.
    pub unreadable_parses: u64,
    /// Examples without a usable parse, whose constituents come from our own parser.
    pub parsed_here: u64,
    /// Lexical overlap, subsequence, constituent.
    pub heuristics: Vec<HeuristicReport>,
    /// The label-indicative words.
    pub cues: Vec<LabelCues>,
    /// Hypotheses with a negation, by label.
    pub negation: Vec<LabelNegation>,
    /// Hypotheses with each word of negation.
    pub negation_words: Vec<NegationWord>,
    /// Length of the hypothesis in words, by label.
    pub lengths: Vec<LabelLengths>,
}

impl Audit {
    /// An empty audit.
    pub fn new(settings: AuditSettings) -> Self {
        Audit { heuristics: Heuristics::new(settings.kept_ids), settings, rows: 0, without_gold: 0, cues: Cues::default() }
    }

    /// Counts an example and returns what was found in it.
    pub fn add(&mut self, example: &Example<'_>) -> HeuristicFinding {
        self.add_all(std::slice::from_ref(example)).pop().unwrap_or(HeuristicFinding::NOTHING)
    }

    /// Counts examples and returns what was found in each: the same as one by one, but faster if premises must be parsed.
    pub fn add_all(&mut self, examples: &[Example<'_>]) -> Vec<HeuristicFinding> {
        self.rows += examples.len() as u64;
        let labelled: Vec<(&Example<'_>, Judgment)> =
            examples.iter().filter_map(|example| example.gold.map(|gold| (example, gold))).collect();
        self.without_gold += (examples.len() - labelled.len()) as u64;
        for (example, gold) in &labelled {
            self.cues.add(&example.pair.hypothesis.text, *gold);
        }
        let mut found = self.heuristics.add(&labelled, self.settings.matching).into_iter();
        let finding = |example: &Example<'_>| example.gold.and_then(|_| found.next()).unwrap_or(HeuristicFinding::NOTHING);
        examples.iter().map(finding).collect()
    }

    /// Adds the counts of another audit with the same settings over a later part of the corpus.
    pub fn merge(&mut self, later: Audit) {
        self.rows += later.rows;
        self.without_gold += later.without_gold;
        self.heuristics.merge(later.heuristics);
        self.cues.merge(later.cues);
    }

    /// The tables.
    pub fn finish(self) -> AuditReport {
        AuditReport {
            rows: self.rows,
            without_gold: self.without_gold,
            without_parse: self.heuristics.without_parse,
            unreadable_parses: self.heuristics.unreadable_parses,
            parsed_here: self.heuristics.parsed_here,
            cues: self.cues.telling_words(self.settings.smoothing, self.settings.words_per_label),
            negation: self.cues.negation(),
            negation_words: self.cues.negation_words(),
            lengths: self.cues.lengths(),
            heuristics: self.heuristics.finish(),
        }
    }
}

/// All judgments that a gold label can be, in the order of the tables.
const JUDGMENTS: [Judgment; 4] =
    [Judgment::Exact(Label::Entailment), Judgment::Exact(Label::Neutral), Judgment::Exact(Label::Contradiction), Judgment::NotEntailment];

/// The index of a judgment in [`JUDGMENTS`].
fn place(judgment: Judgment) -> usize {
    judgment.label().map_or(3, Label::index)
}

#[cfg(test)]
mod tests;
