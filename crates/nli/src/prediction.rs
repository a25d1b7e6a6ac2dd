//! What a model answered.

use crate::{Judgment, Label};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_score_is_the_answer() {
        assert_eq!(Prediction::from_scores([0.2, 0.3, 0.5]).answer, Label::Contradiction.into());
        assert_eq!(Prediction::from_scores([0.4, 0.4, 0.2]).answer, Label::Entailment.into());
    }
}
