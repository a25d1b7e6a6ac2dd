//! How many rows a challenge could be made from, and why not from the others.

use crate::NotApplicable;
use std::collections::BTreeMap;

/// Counts of what came of the rows of a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Coverage {
    /// Rows read.
    pub read: u64,
    /// Rows that gave at least one challenge row.
    pub applicable: u64,
    /// Challenge rows made.
    pub made: u64,
    /// Rows that gave none, by reason.
    pub not_applicable: BTreeMap<&'static str, u64>,
}

impl Coverage {
    /// Counts a row that gave this many challenge rows.
    pub fn made(&mut self, rows: usize) {
        self.read += 1;
        self.applicable += u64::from(rows > 0);
        self.made += rows as u64;
    }

    /// Counts a row that gave none.
    pub fn not_applicable(&mut self, reason: NotApplicable) {
        self.read += 1;
        *self.not_applicable.entry(reason.0).or_default() += 1;
    }

    /// Adds the counts of another part of the corpus.
    pub fn add(&mut self, other: &Coverage) {
        self.read += other.read;
        self.applicable += other.applicable;
        self.made += other.made;
        for (reason, count) in &other.not_applicable {
            *self.not_applicable.entry(reason).or_default() += count;
        }
    }
}

impl std::fmt::Display for Coverage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} rows made from {} of {} rows read", self.made, self.applicable, self.read)?;
        for (reason, count) in &self.not_applicable {
            write!(f, "; {count} not applicable: {reason}")?;
        }
        Ok(())
    }
}
