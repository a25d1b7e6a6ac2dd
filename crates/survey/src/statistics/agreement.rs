//! Agreement of annotators: tables 2 and 3 of the MultiNLI paper, and Fleiss' kappa.
//!
//! The paper does not say what its percentages are of. These definitions give its figures for SNLI: labels are compared with gold on the pairs
//! that have a gold label, and the author's own label counts as one of the individual labels.

use crate::Share;
use acidtest_nli::{FleissKappa, Judgment, Votes};
use serde::Serialize;

/// The number of votes of a pair in the usual validation: the author's and four others.
const USUAL_VOTES: u64 = 5;

/// The agreement of the annotators of validated pairs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Agreement {
    /// Pairs on which all votes are the same.
    pub unanimous: Share,
    /// Individual labels that are the gold label, of the labels of pairs with a gold label.
    pub individual_is_gold: Share,
    /// Individual labels that are the author's, the author's own among them.
    pub individual_is_author: Share,
    /// Pairs whose gold label is the author's.
    pub gold_is_author: Share,
    /// Pairs whose gold label is not the author's.
    pub gold_is_not_author: Share,
    /// Pairs without a gold label.
    pub no_gold: Share,
    /// Agreement beyond chance.
    pub fleiss_kappa: KappaOfVotes,
}

/// Fleiss' kappa over the pairs with five votes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct KappaOfVotes {
    /// From below 0 (less than by chance) to 1; `None` without pairs or if only one label was given.
    pub value: Option<f64>,
    /// The number of pairs with five votes.
    pub rows: u64,
}

/// The running counts behind [`Agreement`]; its kappa is filled in at the end.
#[derive(Debug, Clone)]
pub(super) struct AgreementCounts {
    shares: Agreement,
    kappa: FleissKappa<{ Judgment::ALL.len() }>,
}

impl Default for AgreementCounts {
    fn default() -> Self {
        AgreementCounts { shares: Agreement::default(), kappa: FleissKappa::new(USUAL_VOTES) }
    }
}

impl AgreementCounts {
    pub(super) fn add(&mut self, gold: Option<Judgment>, votes: &Votes) {
        let Some(author) = votes.author().filter(|_| votes.validated()) else { return };
        let shares = &mut self.shares;
        shares.unanimous.add(votes.0.iter().all(|vote| vote.judgment == author));
        for vote in votes.0.iter().map(|vote| vote.judgment) {
            shares.individual_is_author.add(vote == author);
            if let Some(gold) = gold {
                shares.individual_is_gold.add(gold.agrees_with(vote));
            }
        }
        shares.gold_is_author.add(gold.is_some_and(|gold| gold.agrees_with(author)));
        shares.gold_is_not_author.add(gold.is_some_and(|gold| !gold.agrees_with(author)));
        shares.no_gold.add(gold.is_none());
        self.kappa.add(&votes.counts());
    }

    pub(super) fn merge(&mut self, other: &AgreementCounts) {
        let (shares, others) = (&mut self.shares, &other.shares);
        shares.unanimous.merge(others.unanimous);
        shares.individual_is_gold.merge(others.individual_is_gold);
        shares.individual_is_author.merge(others.individual_is_author);
        shares.gold_is_author.merge(others.gold_is_author);
        shares.gold_is_not_author.merge(others.gold_is_not_author);
        shares.no_gold.merge(others.no_gold);
        self.kappa.merge(&other.kappa);
    }

    pub(super) fn finish(mut self) -> Agreement {
        self.shares.fleiss_kappa = KappaOfVotes { value: self.kappa.value(), rows: self.kappa.items() };
        self.shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Label::{self, *};

    fn agreement(rows: &[(Option<Label>, &[Label])]) -> Agreement {
        let mut counts = AgreementCounts::default();
        rows.iter().for_each(|(gold, votes)| counts.add(gold.map(Judgment::Exact), &votes.iter().copied().collect::<Votes>()));
        counts.finish()
    }

    #[test]
    fn examples_labelled_by_the_author_alone_are_not_validated() {
        assert_eq!(agreement(&[(Some(Neutral), &[Neutral]), (None, &[])]), Agreement::default());
    }

    #[test]
    fn labels_of_a_pair_without_gold_label_match_nothing() {
        let found = agreement(&[
            (Some(Neutral), &[Entailment, Neutral, Neutral, Neutral]),
            (None, &[Entailment, Entailment, Neutral, Neutral, Contradiction]),
        ]);
        assert_eq!(found.individual_is_gold, Share { count: 3, total: 4 });
        assert_eq!(found.individual_is_author, Share { count: 3, total: 9 });
        assert_eq!(found.gold_is_not_author, Share { count: 1, total: 2 });
        assert_eq!(found.no_gold, Share { count: 1, total: 2 });
        assert_eq!(found.fleiss_kappa.rows, 1);
    }

    #[test]
    fn kappa_is_one_for_full_agreement_and_none_for_one_label() {
        let full = agreement(&[(Some(Neutral), &[Neutral; 5]), (Some(Entailment), &[Entailment; 5])]);
        assert_eq!(full.fleiss_kappa.value, Some(1.0));
        assert_eq!(agreement(&[(Some(Neutral), &[Neutral; 5])]).fleiss_kappa.value, None);
    }

    #[test]
    fn kappa_follows_the_formula() {
        // Observed (12 + 8) / 40; expected (0.6² + 0.4²): (0.5 - 0.52) / 0.48.
        let rows: [(Option<Label>, &[Label]); 2] =
            [(None, &[Neutral, Neutral, Neutral, Neutral, Entailment]), (None, &[Neutral, Neutral, Entailment, Entailment, Entailment])];
        let value = agreement(&rows).fleiss_kappa.value.unwrap();
        assert!((value - (0.5 - 0.52) / 0.48).abs() < 1e-12, "{value}");
    }
}
