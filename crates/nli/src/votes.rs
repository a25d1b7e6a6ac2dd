//! Annotators' votes, and the gold label they give.

use crate::{Judgment, Label};
use std::sync::Arc;

/// One annotator's label for a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vote {
    /// A label, or only that the pair is not entailed.
    pub judgment: Judgment,
    /// The annotator, if the corpus names them.
    pub annotator: Option<Arc<str>>,
}

impl<J: Into<Judgment>> From<J> for Vote {
    /// A vote by an unknown annotator.
    fn from(judgment: J) -> Self {
        Vote { judgment: judgment.into(), annotator: None }
    }
}

/// The votes on a pair; the first is the author's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Votes(pub Vec<Vote>);

impl Votes {
    /// The label that the author of the hypothesis intended.
    pub fn author(&self) -> Option<Judgment> {
        self.0.first().map(|vote| vote.judgment)
    }

    /// How many votes each judgment has, in the order of [`Judgment::ALL`].
    pub fn counts(&self) -> [usize; Judgment::ALL.len()] {
        let mut counts = [0; Judgment::ALL.len()];
        for vote in &self.0 {
            counts[vote.judgment.index()] += 1;
        }
        counts
    }

    /// The gold label by the rule of SNLI and MultiNLI: a label with more than half of the votes (three of five).
    ///
    /// If some votes are two-way, more than half of the votes against entailment, of whatever kind, give `non-entailment`. Three-way
    /// votes alone never do: neutral and contradiction remain two labels.
    pub fn consensus(&self) -> Option<Judgment> {
        let counts = self.counts();
        let majority = |votes: usize| 2 * votes > self.0.len();
        if let Some(winner) = Judgment::ALL.into_iter().find(|judgment| majority(counts[judgment.index()])) {
            return Some(winner);
        }
        let against = self.0.len() - counts[Judgment::Exact(Label::Entailment).index()];
        let two_way = counts[Judgment::NotEntailment.index()] > 0;
        (two_way && majority(against)).then_some(Judgment::NotEntailment)
    }

    /// Whether annotators other than the author labelled the pair.
    pub fn validated(&self) -> bool {
        self.0.len() > 1
    }
}

impl<V: Into<Vote>> FromIterator<V> for Votes {
    fn from_iter<I: IntoIterator<Item = V>>(votes: I) -> Self {
        Votes(votes.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Label::*;

    /// The consensus of votes written as the labels' first letters; `x` is non-entailment.
    #[track_caller]
    fn check(votes: &str, expected: Option<Judgment>) {
        let judgment = |letter: char| match letter {
            'e' => Entailment.into(),
            'n' => Neutral.into(),
            'c' => Contradiction.into(),
            _ => Judgment::NotEntailment,
        };
        assert_eq!(votes.chars().map(judgment).collect::<Votes>().consensus(), expected, "{votes}");
    }

    #[test]
    fn three_of_five_votes_make_gold() {
        check("neece", Some(Entailment.into()));
        check("neecn", None);
        check("nncce", None);
        check("", None);
    }

    #[test]
    fn two_way_votes_make_two_way_gold() {
        check("xxe", Some(Judgment::NotEntailment));
        check("xee", Some(Entailment.into()));
        check("xe", None);
        check("xnc", Some(Judgment::NotEntailment));
        check("xnn", Some(Neutral.into()));
    }

    #[test]
    fn two_way_votes_are_counted_by_themselves() {
        let votes: Votes = [Judgment::NotEntailment, Neutral.into(), Judgment::NotEntailment].into_iter().collect();
        assert_eq!(votes.counts(), [0, 1, 0, 2]);
        assert_eq!(votes.author(), Some(Judgment::NotEntailment));
    }
}
