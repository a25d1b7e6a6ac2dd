//! What a model answered.

use crate::{Judgment, Label};
use std::fmt;

/// A model's answer to one pair.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The answer.
    pub answer: Judgment,
    /// Probabilities, or scores that grow with them, of entailment, neutral and contradiction.
    pub scores: Option<[f64; 3]>,
}

impl Prediction {
    /// An answer without scores.
    pub fn of(answer: impl Into<Judgment>) -> Self {
        Prediction { answer: answer.into(), scores: None }
    }

    /// The answer with the highest score; the earlier label where two are equal.
    pub fn from_scores(scores: [f64; 3]) -> Self {
        let mut best = Label::Entailment;
        for label in Label::ALL {
            if scores[label.index()] > scores[best.index()] {
                best = label;
            }
        }
        Prediction { answer: best.into(), scores: Some(scores) }
    }
}

/// Which row an answer is for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// The row of this id.
    Id(String),
    /// The row at this place, counted from 0.
    Row(usize),
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Id(id) => write!(f, "`{id}`"),
            Key::Row(row) => write!(f, "row {row} (counted from 0)"),
        }
    }
}

/// A model's answer with the row it is for.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The row.
    pub key: Key,
    /// The answer.
    pub prediction: Prediction,
    /// Where it was read, for messages.
    pub line: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_score_is_the_answer() {
        assert_eq!(Prediction::from_scores([0.2, 0.3, 0.5]).answer, Label::Contradiction.into());
        assert_eq!(Prediction::from_scores([0.4, 0.4, 0.2]).answer, Label::Entailment.into());
    }
}
