//! The examples of a check, and the evidence they give.

use super::PairedEvidence;
use crate::breakdown::GOLD;
use crate::join::Item;
use crate::scoring::{Judged, ScoredAnswer};
use crate::statistics::clustered::{ClusteredAccuracy, ClusteredDifference};
use crate::statistics::{Proportion, StatisticsError};
use acidtest_nli::{Judgment, tag};
use std::collections::HashMap;

/// Scored examples, all of them or those with one value of a tag.
#[derive(Debug, Clone, Copy)]
pub struct CheckedRows<'a> {
    /// The examples.
    pub judged: &'a Judged<'a>,
    /// The tag, or `gold`, and its value.
    pub group: Option<(&'a str, &'a str)>,
}

impl<'a> CheckedRows<'a> {
    /// The labelled examples of the check, with their indices.
    fn places(self) -> impl Iterator<Item = (usize, &'a Item<'a>, ScoredAnswer)> {
        let rows = self.judged.joined.items.iter().zip(&self.judged.outcomes).enumerate();
        rows.filter_map(|(place, (item, outcome))| outcome.map(|outcome| (place, item, outcome)))
            .filter(move |(_, item, _)| self.group.is_none_or(|group| belongs(item, group)))
    }

    /// The accuracy, by cluster.
    pub fn accuracy(self) -> ClusteredAccuracy {
        let (right, clusters): (Vec<bool>, Vec<u64>) = self.places().map(|(_, item, outcome)| (outcome.is_right(), item.cluster)).unzip();
        ClusteredAccuracy::of(&right, &clusters)
    }
}

/// Whether an example has this value of a tag.
pub fn belongs(item: &Item<'_>, (name, value): (&str, &str)) -> bool {
    let own = if name == GOLD { item.gold.map(Judgment::name) } else { item.tags.get(name) };
    own == Some(value)
}

/// Pairs the examples with their originals, named by the tag `parent`. The clusters are those of the parents:
/// parents with one premise are one cluster.
pub fn against_parents(rows: CheckedRows<'_>, original: &Judged<'_>) -> Result<PairedEvidence, StatisticsError> {
    // Examples of the same text may share an id and have different labels.
    let mut parents: HashMap<(&str, Option<Judgment>), (u64, ScoredAnswer)> = HashMap::new();
    for (item, outcome) in original.scored() {
        parents.entry((item.id, Some(outcome.gold))).or_insert((item.cluster, outcome));
        parents.entry((item.id, None)).or_insert((item.cluster, outcome));
    }
    let (mut pairs, mut clusters) = (Vec::new(), Vec::new());
    for (_, item, now) in rows.places() {
        let Some(parent) = item.tags.get(tag::PARENT) else { continue };
        if let Some((cluster, before)) = parents.get(&(parent, Some(now.gold))).or_else(|| parents.get(&(parent, None))) {
            pairs.push((now, *before));
            clusters.push(*cluster);
        }
    }
    paired(&pairs, &clusters)
}

/// Pairs the examples with earlier predictions: one per example of the set, in its order.
pub fn against_answers(rows: CheckedRows<'_>, answers: &[Option<Judgment>]) -> Result<PairedEvidence, StatisticsError> {
    let with = |(place, item, now): (usize, &Item<'_>, ScoredAnswer)| {
        let before = ScoredAnswer { gold: now.gold, answer: answers.get(place).copied().flatten() };
        ((now, before), item.cluster)
    };
    let (pairs, clusters): (Vec<_>, Vec<u64>) = rows.places().map(with).unzip();
    let identical = pairs.iter().all(|(now, before)| now == before);
    Ok(PairedEvidence { identical, ..paired(&pairs, &clusters)? })
}

fn paired(pairs: &[(ScoredAnswer, ScoredAnswer)], clusters: &[u64]) -> Result<PairedEvidence, StatisticsError> {
    let (now, before): (Vec<bool>, Vec<bool>) = pairs.iter().map(|(now, before)| (now.is_right(), before.is_right())).unzip();
    let mut numbers = HashMap::new();
    let number = |cluster: &u64| {
        let next = numbers.len() as u32;
        *numbers.entry(*cluster).or_insert(next)
    };
    let clusters: Vec<u32> = clusters.iter().map(number).collect();
    let difference = ClusteredDifference::of(&now, &before, &clusters)?;
    Ok(PairedEvidence { before: Proportion::of(&before), now: Proportion::of(&now), difference, identical: false, meaningless: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::Joined;
    use crate::scoring::Scoring;
    use acidtest_nli::{Label, Prediction, Tags};

    fn tags(parent: &str) -> Tags<'static> {
        let mut tags = Tags::default();
        tags.set(tag::PARENT, parent.to_string());
        tags
    }

    #[test]
    fn perturbed_examples_are_paired_with_their_parents_and_share_their_clusters() {
        let gold = Some(Label::Neutral.into());
        // Two parents with one premise, and one with another.
        let original: Vec<Item<'_>> =
            [("a", 1), ("b", 1), ("c", 2)].map(|(id, cluster)| Item { id, gold, cluster, ..Item::default() }).to_vec();
        let of = [tags("a"), tags("a"), tags("b"), tags("c"), tags("nobody")];
        let made: Vec<Item<'_>> =
            of.iter().enumerate().map(|(n, tags)| Item { id: "x", gold, cluster: n as u64, tags, ..Item::default() }).collect();
        let (right, wrong) = (Prediction::of(Label::Neutral), Prediction::of(Label::Entailment));
        let before = [right.clone(), right.clone(), wrong.clone()];
        let now = [right.clone(), wrong.clone(), wrong.clone(), right, wrong];
        let judge = |items, predictions| Scoring::ThreeWay.judge(Joined::in_order(items, predictions).unwrap()).unwrap();
        let (original, made) = (judge(&original, &before), judge(&made, &now));
        let found = against_parents(CheckedRows { judged: &made, group: None }, &original).unwrap();
        assert_eq!((found.before, found.now), (Proportion { count: 3, total: 4 }, Proportion { count: 2, total: 4 }));
        assert_eq!((found.difference.clusters(), found.difference.differing_clusters()), (2, 2));
        let one = against_parents(CheckedRows { judged: &made, group: Some((tag::PARENT, "c")) }, &original).unwrap();
        assert_eq!((one.now.total, one.drop()), (1, -1.0));
    }
}
