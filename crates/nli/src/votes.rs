//! Annotators' votes and the gold label that follows from them.

use crate::Label;

/// The labels that annotators gave a pair; the first is the author's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Votes(pub Vec<Label>);

/// What a set of votes comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consensus {
    /// A label with enough votes.
    Gold(Label),
    /// No label has enough votes.
    None,
}

impl Votes {
    /// The label that the author of the hypothesis had in mind.
    pub fn author(&self) -> Option<Label> {
        self.0.first().copied()
    }

    /// How many votes each label has.
    pub fn counts(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        for label in &self.0 {
            counts[label.index()] += 1;
        }
        counts
    }

    /// The gold label by the rule of SNLI and MultiNLI: three of five votes, that is, more than half.
    pub fn consensus(&self) -> Consensus {
        let counts = self.counts();
        let winner = Label::ALL.into_iter().find(|label| 2 * counts[label.index()] > self.0.len());
        winner.map_or(Consensus::None, Consensus::Gold)
    }

    /// Whether the pair was validated by others than its author.
    pub fn validated(&self) -> bool {
        self.0.len() > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Label::*;

    #[test]
    fn three_of_five_votes_make_gold() {
        assert_eq!(Votes(vec![Neutral, Entailment, Entailment, Contradiction, Entailment]).consensus(), Consensus::Gold(Entailment));
        assert_eq!(Votes(vec![Neutral, Entailment, Entailment, Contradiction, Neutral]).consensus(), Consensus::None);
        assert_eq!(Votes::default().consensus(), Consensus::None);
    }
}
