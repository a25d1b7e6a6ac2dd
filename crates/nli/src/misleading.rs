//! The lexically-misleading score of Nie et al. 2018, section 5.3.

use crate::Label;

/// How strongly the words of a pair point to a wrong label.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Misleading {
    /// The lexically-misleading score: the largest probability of a wrong label.
    pub score: f64,
    /// The wrong label with the largest probability.
    pub toward: Label,
}

impl Misleading {
    /// The score of a pair from a lexical model's probabilities; if two wrong labels are equally probable, the earlier one.
    pub fn of(probabilities: [f64; 3], gold: Label) -> Self {
        let wrong = Label::ALL.into_iter().filter(|label| *label != gold);
        let mut most = Misleading { score: f64::NEG_INFINITY, toward: gold };
        for label in wrong {
            if probabilities[label.index()] > most.score {
                most = Misleading { score: probabilities[label.index()], toward: label };
            }
        }
        most
    }

    /// Whether the pair belongs to CS_λ.
    pub fn is_in(self, lambda: f64) -> bool {
        self.score >= lambda
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Label::*;

    #[test]
    fn the_score_is_the_largest_probability_of_a_wrong_label() {
        let of = |gold| Misleading::of([0.2, 0.3, 0.5], gold);
        assert_eq!(of(Entailment), Misleading { score: 0.5, toward: Contradiction });
        assert_eq!(of(Contradiction), Misleading { score: 0.3, toward: Neutral });
        assert_eq!(Misleading::of([0.25, 0.5, 0.25], Neutral).toward, Entailment);
    }

    #[test]
    fn a_pair_is_in_a_subset_from_its_lambda_on() {
        let found = Misleading::of([0.3, 0.7, 0.0], Entailment);
        assert!(found.is_in(0.7) && !found.is_in(0.7 + 1e-12));
    }
}
