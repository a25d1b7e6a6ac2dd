//! Accuracy by sentence length (MultiNLI, section 3).

use super::AnalysisError;
use super::wording::clustered_share;
use crate::generalisation::Generalisation;
use crate::measurement::{Measurement, Metric, Subject};
use crate::report::{Cell, ReportBlock, SMALL_GROUP, Section, SectionId};
use crate::scoring::Judged;
use crate::statistics::clustered::ClusteredAccuracy;
use acidtest_nli::Side;
use std::collections::BTreeMap;
use std::num::NonZero;

/// The number of words of an example's sentences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lengths {
    /// Words of the premise.
    pub premise: u32,
    /// Words of the hypothesis.
    pub hypothesis: u32,
}

/// The widths of the bins, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BinWidths {
    /// For premises.
    pub premise: NonZero<u32>,
    /// For hypotheses.
    pub hypothesis: NonZero<u32>,
}

impl Default for BinWidths {
    /// As in the MultiNLI paper: 25 words for premises, 10 for hypotheses.
    fn default() -> Self {
        let width = |words: u32| NonZero::new(words).unwrap_or(NonZero::<u32>::MIN);
        BinWidths { premise: width(25), hypothesis: width(10) }
    }
}

/// Examples whose sentence length is in a bin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    /// The smallest number of words.
    pub from: u32,
    /// The largest number of words.
    pub to: u32,
    /// Correct predictions, by cluster.
    pub right: ClusteredAccuracy,
}

/// Accuracy by length, for both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct ByLength {
    /// Bins of the premise's length, the shortest first; empty bins are omitted.
    pub premise: Vec<Bin>,
    /// Bins of the hypothesis' length.
    pub hypothesis: Vec<Bin>,
    /// What the intervals generalise to.
    pub generalisation: Generalisation,
}

/// Bins the labelled examples by length; `lengths` has one entry per example, labelled or not.
pub fn by_length(judged: &Judged<'_>, lengths: &[Lengths], widths: BinWidths) -> Result<ByLength, AnalysisError> {
    let expected = judged.outcomes.len();
    if lengths.len() != expected {
        return Err(AnalysisError::NotBesideRows { what: "lengths".to_string(), expected, found: lengths.len() });
    }
    let bins = |width: NonZero<u32>, length: fn(&Lengths) -> u32| {
        let mut bins: BTreeMap<u32, (Vec<bool>, Vec<u64>)> = BTreeMap::new();
        for ((lengths, outcome), item) in lengths.iter().zip(&judged.outcomes).zip(judged.joined.items) {
            let Some(outcome) = outcome else { continue };
            let (right, clusters) = bins.entry(length(lengths) / width).or_default();
            right.push(outcome.is_right());
            clusters.push(item.cluster);
        }
        let bin = |(number, (right, clusters)): (u32, (Vec<bool>, Vec<u64>))| {
            let from = number * width.get();
            Bin { from, to: from.saturating_add(width.get() - 1), right: ClusteredAccuracy::of(&right, &clusters) }
        };
        bins.into_iter().map(bin).collect()
    };
    let generalisation = Generalisation::of([judged]);
    Ok(ByLength {
        generalisation,
        premise: bins(widths.premise, |row| row.premise),
        hypothesis: bins(widths.hypothesis, |row| row.hypothesis),
    })
}

impl ByLength {
    /// One sentence per side: the shortest against the longest bin that has at least a hundredth of the examples.
    pub fn sentences(&self) -> Vec<String> {
        [Side::Premise, Side::Hypothesis].into_iter().filter_map(|side| self.about(side)).collect()
    }

    fn bins(&self, side: Side) -> &[Bin] {
        match side {
            Side::Premise => &self.premise,
            Side::Hypothesis => &self.hypothesis,
        }
    }

    fn about(&self, side: Side) -> Option<String> {
        let rows = |bin: &Bin| bin.right.proportion().total;
        let all: u64 = self.bins(side).iter().map(rows).sum();
        let mut large = self.bins(side).iter().filter(|bin| rows(bin) * 100 >= all && bin.right.equal_clusters() >= SMALL_GROUP);
        let (short, long) = (large.next()?, large.next_back()?);
        let (low, high) = (short.right.interval(), long.right.interval());
        let verdict = if low.high < high.low {
            "accuracy is higher on longer ones"
        } else if high.high < low.low {
            "accuracy is lower on longer ones"
        } else {
            "the intervals overlap, so no significant difference"
        };
        let (name, told) = (side_name(side), |bin: &Bin| format!("{} with {} to {} words", clustered_share(&bin.right), bin.from, bin.to));
        Some(format!("By length of the {name}: {} vs. {}; {verdict}.", told(short), told(long)))
    }

    /// The accuracy in each bin, by the side and its words.
    pub fn measurements(&self, subject: Subject<'_>) -> Vec<Measurement> {
        let of = |side: Side, bin: &Bin| {
            let words = format!("{} to {}", bin.from, bin.to);
            let share = subject.clustered(Metric::Accuracy, &bin.right)?;
            Some(share.of_group([format!("{} words", side_name(side)).as_str()], &[words]))
        };
        let sides = [Side::Premise, Side::Hypothesis].into_iter();
        sides.flat_map(|side| self.bins(side).iter().filter_map(move |bin| of(side, bin))).collect()
    }

    /// A table for each side.
    pub fn section(&self) -> Section {
        let blocks = [Side::Premise, Side::Hypothesis].map(|side| {
            let rows = self.bins(side).iter().map(|bin| {
                let words = format!("{} to {}", bin.from, bin.to);
                vec![
                    Cell::text(words),
                    Cell::Count { count: bin.right.proportion().total },
                    Cell::Count { count: bin.right.clusters() },
                    Cell::of_group(&bin.right),
                ]
            });
            ReportBlock::table(&[format!("{} words", side_name(side))], &["n", "clusters", "accuracy"], rows.collect())
        });
        let caption = self.generalisation.sentence_of_sets();
        Section::new(SectionId::Lengths, "Accuracy by length", self.sentences(), blocks.into()).captioned([caption])
    }
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Premise => "premise",
        Side::Hypothesis => "hypothesis",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::{Item, Joined};
    use crate::scoring::Scoring;
    use acidtest_nli::{Label, Prediction};

    #[test]
    fn examples_are_binned_by_length() {
        let items: Vec<Item> = (0..4).map(|_| Item { gold: Some(Label::Neutral.into()), ..Item::default() }).collect();
        let predictions = [Label::Neutral; 4].map(Prediction::of);
        let judged = Scoring::ThreeWay.judge(Joined::in_order(&items, &predictions).unwrap()).unwrap();
        let lengths = [(24, 9), (25, 10), (49, 3), (80, 10)].map(|(premise, hypothesis)| Lengths { premise, hypothesis });
        let found = by_length(&judged, &lengths, BinWidths::default()).unwrap();
        let bins = |bins: &[Bin]| bins.iter().map(|bin| (bin.from, bin.to, bin.right.proportion().total)).collect::<Vec<_>>();
        assert_eq!(bins(&found.premise), [(0, 24, 1), (25, 49, 2), (75, 99, 1)]);
        assert_eq!(bins(&found.hypothesis), [(0, 9, 2), (10, 19, 2)]);
        let error = by_length(&judged, &lengths[1..], BinWidths::default()).unwrap_err();
        assert_eq!(error.to_string(), "3 lengths for 4 rows: there must be one for every row, labelled or not");
    }
}
