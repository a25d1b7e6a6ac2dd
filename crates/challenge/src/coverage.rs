//! Coverage: how many rows a challenge could use, and why not the others.

use crate::NotApplicable;
use acidtest_lingua::view::Origin;
use acidtest_nli::{counted, grouped};
use std::collections::BTreeMap;

/// The outcome of making a challenge from a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Coverage {
    /// Rows read.
    pub read: u64,
    /// Rows that gave at least one challenge row.
    pub applicable: u64,
    /// Challenge rows made.
    pub made: u64,
    /// Challenge rows that are matched controls.
    #[serde(skip_serializing_if = "is_zero")]
    pub controls: u64,
    /// Rows that gave none, by reason.
    pub not_applicable: BTreeMap<&'static str, u64>,
    /// Challenge rows that were made but excluded from the set, by reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub excluded: BTreeMap<&'static str, u64>,
    /// Candidates that were rejected, by reason, for challenges that consider several in a sentence.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub skipped: BTreeMap<&'static str, u64>,
    /// Rows that gave challenge rows, by the source of their word classes; empty for challenges that do not use word classes.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub word_classes: BTreeMap<&'static str, u64>,
}

impl Coverage {
    /// Counts a row that gave this many challenge rows.
    pub fn made(&mut self, rows: usize) {
        self.read += 1;
        self.applicable += u64::from(rows > 0);
        self.made += rows as u64;
    }

    /// Counts matched controls, which are additional challenge rows.
    pub fn controls(&mut self, rows: usize) {
        self.made += rows as u64;
        self.controls += rows as u64;
    }

    /// Counts a row that gave none.
    pub fn not_applicable(&mut self, reason: NotApplicable) {
        self.read += 1;
        *self.not_applicable.entry(reason.0).or_default() += 1;
    }

    /// Counts rejected candidates, by reason.
    pub fn skipped(&mut self, counts: &BTreeMap<&'static str, u64>) {
        for (reason, count) in counts {
            *self.skipped.entry(reason).or_default() += count;
        }
    }

    /// Counts challenge rows that were excluded from the set.
    pub fn excluded(&mut self, reason: &'static str, rows: u64) {
        if rows > 0 {
            self.made = self.made.saturating_sub(rows);
            *self.excluded.entry(reason).or_default() += rows;
        }
    }

    /// Counts matched controls among the excluded challenge rows.
    pub fn excluded_controls(&mut self, rows: u64) {
        self.controls = self.controls.saturating_sub(rows);
    }

    /// Counts a row by the source of its word classes.
    pub fn word_classes_from(&mut self, origin: Origin) {
        *self.word_classes.entry(word_classes_by(origin)).or_default() += 1;
    }

    /// The reasons with their counts, the most frequent first: `no gold label (4); no verb (1)`; a single reason needs no count.
    pub fn reasons(counts: &BTreeMap<&'static str, u64>) -> String {
        if let [(reason, _)] = counts.iter().collect::<Vec<_>>()[..] {
            return reason.to_string();
        }
        let mut sorted: Vec<(&str, u64)> = counts.iter().map(|(reason, count)| (*reason, *count)).collect();
        sorted.sort_by_key(|(reason, count)| (std::cmp::Reverse(*count), *reason));
        sorted.iter().map(|(reason, count)| format!("{reason} ({})", grouped(count))).collect::<Vec<_>>().join("; ")
    }

    /// Adds the counts of another part of the corpus.
    pub fn add(&mut self, other: &Coverage) {
        self.read += other.read;
        self.applicable += other.applicable;
        self.made += other.made;
        self.controls += other.controls;
        for (reason, count) in &other.not_applicable {
            *self.not_applicable.entry(reason).or_default() += count;
        }
        for (reason, count) in &other.excluded {
            *self.excluded.entry(reason).or_default() += count;
        }
        self.skipped(&other.skipped);
        for (source, count) in &other.word_classes {
            *self.word_classes.entry(source).or_default() += count;
        }
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The name of the source in files.
fn word_classes_by(origin: Origin) -> &'static str {
    match origin {
        Origin::Corpus => "corpus parse",
        Origin::Ours => "our tagger",
    }
}

impl std::fmt::Display for Coverage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} made from {} of {}", counted(self.made, "example"), grouped(self.applicable), grouped(self.read))?;
        if self.controls > 0 {
            write!(f, "; {} of them are controls", grouped(self.controls))?;
        }
        if !self.excluded.is_empty() {
            write!(f, "; {} more excluded: {}", grouped(self.excluded.values().sum::<u64>()), Self::reasons(&self.excluded))?;
        }
        if !self.not_applicable.is_empty() {
            write!(
                f,
                "; not applicable to {}: {}",
                grouped(self.not_applicable.values().sum::<u64>()),
                Self::reasons(&self.not_applicable)
            )?;
        }
        // The corpus's own tags are trusted and need no note; ours do.
        if let Some(count) = self.word_classes.get(word_classes_by(Origin::Ours)) {
            write!(f, "; parts of speech of {} from Acidtest's own tagger", grouped(count))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_listed_by_frequency_and_the_total_is_their_sum() {
        let mut coverage = Coverage::default();
        coverage.made(1);
        coverage.not_applicable(NotApplicable("no gold label"));
        assert_eq!(coverage.to_string(), "1 example made from 1 of 2; not applicable to 1: no gold label");
        (0..3).for_each(|_| coverage.not_applicable(NotApplicable("no verb")));
        assert_eq!(coverage.to_string(), "1 example made from 1 of 5; not applicable to 4: no verb (3); no gold label (1)");
    }
}
