//! Predictions of models.

use crate::{Judgment, Label};
use std::fmt;

/// A model's prediction for one pair.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The predicted label.
    pub answer: Judgment,
    /// The model's scores of its classes, if it gives any.
    pub scores: Option<Scores>,
    /// Whether the input was truncated.
    pub truncated: bool,
    /// The number of parts that the input was read in: 1 unless it was longer than the model reads.
    pub parts: u32,
}

impl Prediction {
    /// A prediction without scores.
    pub fn of(answer: impl Into<Judgment>) -> Self {
        Prediction { answer: answer.into(), scores: None, truncated: false, parts: 1 }
    }

    /// The class with the highest score; the earlier class if two are equal.
    pub fn from_scores(scores: impl Into<Scores>) -> Self {
        let scores = scores.into();
        Prediction { answer: scores.best(), scores: Some(scores), truncated: false, parts: 1 }
    }

    /// A label with its scores, if there are any.
    pub fn with_scores(answer: impl Into<Judgment>, scores: Option<Scores>) -> Self {
        Prediction { answer: answer.into(), scores, truncated: false, parts: 1 }
    }
}

/// Probabilities or logits of a model's classes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scores {
    /// Scores of entailment, neutral and contradiction.
    Three([f64; 3]),
    /// Scores of entailment and non-entailment.
    Two([f64; 2]),
}

impl Scores {
    /// The classes of three-way scores, in the order of their numbers.
    pub const THREE: [Judgment; 3] =
        [Judgment::Exact(Label::Entailment), Judgment::Exact(Label::Neutral), Judgment::Exact(Label::Contradiction)];
    /// The classes of two-way scores, in the order of their numbers.
    pub const TWO: [Judgment; 2] = [Judgment::Exact(Label::Entailment), Judgment::NotEntailment];

    /// Sorts named scores: each of three labels once, or entailment and non-entailment once.
    pub fn of_named(named: impl IntoIterator<Item = (Judgment, f64)>) -> Result<Self, IncompleteScores> {
        let mut found = [None; Judgment::ALL.len()];
        for (judgment, score) in named {
            if found[judgment.index()].replace(score).is_some() {
                return Err(IncompleteScores);
            }
        }
        match found {
            [Some(entailment), Some(neutral), Some(contradiction), None] => Ok(Scores::Three([entailment, neutral, contradiction])),
            [Some(entailment), None, None, Some(not_entailment)] => Ok(Scores::Two([entailment, not_entailment])),
            _ => Err(IncompleteScores),
        }
    }

    /// The scores, one for each of [`Scores::classes`].
    pub fn values(&self) -> &[f64] {
        match self {
            Scores::Three(scores) => scores,
            Scores::Two(scores) => scores,
        }
    }

    /// The classes that the scores belong to.
    pub fn classes(&self) -> &'static [Judgment] {
        match self {
            Scores::Three(_) => &Scores::THREE,
            Scores::Two(_) => &Scores::TWO,
        }
    }

    /// Whether this label, on the coarser of the two scales, has the highest score or shares it.
    pub fn allow(&self, judgment: Judgment) -> bool {
        let highest = self.values().iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.classes().iter().zip(self.values()).any(|(class, score)| *score == highest && class.agrees_with(judgment))
    }

    /// Whether several classes have the highest score.
    pub fn is_tied(&self) -> bool {
        let highest = self.values().iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.values().iter().filter(|score| **score == highest).count() > 1
    }

    /// The class with the highest score; the earlier one if two are equal.
    pub fn best(&self) -> Judgment {
        let values = self.values();
        let best = (1..values.len()).fold(0, |best, at| if values[at] > values[best] { at } else { best });
        self.classes()[best]
    }
}

impl From<[f64; 3]> for Scores {
    fn from(scores: [f64; 3]) -> Self {
        Scores::Three(scores)
    }
}

impl From<[f64; 2]> for Scores {
    fn from(scores: [f64; 2]) -> Self {
        Scores::Two(scores)
    }
}

impl fmt::Display for Scores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.values())
    }
}

/// Scores in which a class is missing or occurs twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`scores` must have entailment, neutral and contradiction once each, or entailment and non-entailment once each")]
pub struct IncompleteScores;

/// The example that a prediction is for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// The example with this id.
    Id(String),
    /// The row at this place, counted from 0, as the prediction itself has none but its own place in the file.
    Row(usize),
    /// The row with this number, counted from 0, as the prediction says.
    Index(usize),
}

impl Key {
    /// The place of the row, where the key is one.
    pub fn place(&self) -> Option<usize> {
        match self {
            Key::Id(_) => None,
            Key::Row(place) | Key::Index(place) => Some(*place),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Id(id) => write!(f, "`{id}`"),
            Key::Row(row) | Key::Index(row) => write!(f, "row {row} (counted from 0)"),
        }
    }
}

/// A prediction with the example it is for.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The example.
    pub key: Key,
    /// The prediction.
    pub prediction: Prediction,
    /// The line it was read from, for error messages.
    pub line: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_with_the_highest_score_is_predicted() {
        assert_eq!(Prediction::from_scores([0.2, 0.3, 0.5]).answer, Label::Contradiction.into());
        assert_eq!(Prediction::from_scores([0.4, 0.4, 0.2]).answer, Label::Entailment.into());
        assert_eq!(Prediction::from_scores([0.4, 0.6]).answer, Judgment::NotEntailment);
        assert_eq!(Prediction::from_scores([0.5, 0.5]).answer, Label::Entailment.into());
    }

    #[test]
    fn named_scores_are_three_or_two_and_never_mixed() {
        let [e, n, c] = Scores::THREE;
        let not = Judgment::NotEntailment;
        assert_eq!(Scores::of_named([(n, 0.2), (c, 0.3), (e, 0.5)]), Ok(Scores::Three([0.5, 0.2, 0.3])));
        assert_eq!(Scores::of_named([(not, 0.2), (e, 0.8)]), Ok(Scores::Two([0.8, 0.2])));
        for wrong in
            [vec![], vec![(e, 1.0)], vec![(e, 0.5), (n, 0.5)], vec![(e, 0.5), (n, 0.2), (not, 0.3)], vec![(e, 0.5), (e, 0.5), (not, 0.0)]]
        {
            assert_eq!(Scores::of_named(wrong), Err(IncompleteScores));
        }
    }
}
