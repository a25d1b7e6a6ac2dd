//! Accuracy by sentence length (MultiNLI, section 3).

use super::AnalysisError;
use super::contrasts::Contrasts;
use super::slices::pick;
use crate::generalisation::Generalisation;
use crate::measurement::{Measurement, Metric, Subject};
use crate::report::{Cell, ReportBlock, Section, SectionId};
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

/// The bins of one side.
#[derive(Debug, Clone, PartialEq)]
pub struct Bins {
    /// The shortest first; empty bins are left out.
    pub bins: Vec<Bin>,
    /// Each bin against the others.
    pub(crate) contrasts: Contrasts,
}

/// Accuracy by length, for both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct ByLength {
    /// Bins of the premise's length.
    pub premise: Bins,
    /// Bins of the hypothesis' length.
    pub hypothesis: Bins,
    /// What the intervals hold for.
    pub generalisation: Generalisation,
}

/// Bins the labelled examples by length; `lengths` has one entry per example, labelled or not.
pub fn by_length(judged: &Judged<'_>, lengths: &[Lengths], widths: BinWidths) -> Result<ByLength, AnalysisError> {
    let expected = judged.outcomes.len();
    if lengths.len() != expected {
        return Err(AnalysisError::NotBesideRows { what: "lengths".to_string(), expected, found: lengths.len() });
    }
    let (right, clusters) = (judged.right(), judged.clusters());
    let labelled: Vec<&Lengths> = lengths.iter().zip(&judged.outcomes).filter_map(|(lengths, outcome)| outcome.map(|_| lengths)).collect();
    let bins = |width: NonZero<u32>, length: fn(&Lengths) -> u32| {
        let mut rows: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (row, lengths) in labelled.iter().enumerate() {
            rows.entry(length(lengths) / width).or_default().push(row);
        }
        let mut group_of = vec![None; right.len()];
        for (place, rows) in rows.values().enumerate() {
            rows.iter().for_each(|&row| group_of[row] = Some(place));
        }
        let contrasts = Contrasts::of(&right, &clusters, &group_of, rows.len());
        let bin = |(number, rows): (u32, Vec<usize>)| {
            let from = number * width.get();
            let right = ClusteredAccuracy::of(&pick(&right, &rows), &pick(&clusters, &rows));
            Bin { from, to: from.saturating_add(width.get() - 1), right }
        };
        Bins { bins: rows.into_iter().map(bin).collect(), contrasts }
    };
    let generalisation = Generalisation::of([judged]);
    Ok(ByLength {
        generalisation,
        premise: bins(widths.premise, |row| row.premise),
        hypothesis: bins(widths.hypothesis, |row| row.hypothesis),
    })
}

impl ByLength {
    /// For each side, the bins where accuracy is lowest and highest, where they differ significantly from the others.
    pub fn sentences(&self) -> Vec<String> {
        let about = |side: Side| {
            let Bins { bins, contrasts } = self.side(side);
            let name = |place: usize| format!("with {} to {} words", bins[place].from, bins[place].to);
            contrasts.sentences(&format!("length of the {}", side_name(side)), &name)
        };
        [Side::Premise, Side::Hypothesis].into_iter().flat_map(about).collect()
    }

    fn side(&self, side: Side) -> &Bins {
        match side {
            Side::Premise => &self.premise,
            Side::Hypothesis => &self.hypothesis,
        }
    }

    /// The accuracy in each bin, by the side and its words.
    pub fn measurements(&self, subject: Subject<'_>) -> Vec<Measurement> {
        let of = |side: Side, bin: &Bin| {
            let words = format!("{} to {}", bin.from, bin.to);
            let share = subject.clustered(Metric::Accuracy, &bin.right)?;
            Some(share.of_group([format!("{} words", side_name(side)).as_str()], &[words]))
        };
        let sides = [Side::Premise, Side::Hypothesis].into_iter();
        sides.flat_map(|side| self.side(side).bins.iter().filter_map(move |bin| of(side, bin))).collect()
    }

    /// A table for each side.
    pub fn section(&self) -> Section {
        let blocks = [Side::Premise, Side::Hypothesis].map(|side| {
            let Bins { bins, contrasts } = self.side(side);
            let rows = bins.iter().zip(&contrasts.groups).map(|(bin, contrast)| {
                let words = format!("{} to {}", bin.from, bin.to);
                vec![
                    Cell::text(words),
                    Cell::Count { count: bin.right.proportion().total },
                    Cell::Count { count: bin.right.clusters() },
                    Cell::of_group(&bin.right),
                    contrast.map_or(Cell::Empty {}, |contrast| contrast.cell()),
                ]
            });
            ReportBlock::table(&[format!("{} words", side_name(side))], &["n", "clusters", "accuracy", "vs. rest"], rows.collect())
        });
        let tested = [&self.premise, &self.hypothesis].into_iter().find_map(|side| side.contrasts.caption());
        let caption = tested.into_iter().chain([self.generalisation.sentence_of_sets()]);
        Section::new(SectionId::Lengths, "Accuracy by length", self.sentences(), blocks.into()).captioned(caption)
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
        assert_eq!(bins(&found.premise.bins), [(0, 24, 1), (25, 49, 2), (75, 99, 1)]);
        assert_eq!(bins(&found.hypothesis.bins), [(0, 9, 2), (10, 19, 2)]);
        let error = by_length(&judged, &lengths[1..], BinWidths::default()).unwrap_err();
        assert_eq!(error.to_string(), "3 lengths for 4 rows: there must be one for every row, labelled or not");
    }

    #[test]
    fn a_bin_in_the_middle_is_not_passed_over() {
        // Short and long premises: 90 % right; those between: 70 %.
        let rows: Vec<(u32, bool)> = (0..900).map(|row| ([10, 30, 60][row / 300], row % 10 < if row / 300 == 1 { 7 } else { 9 })).collect();
        let items: Vec<Item> = (0..900).map(|row| Item { gold: Some(Label::Neutral.into()), cluster: row, ..Item::default() }).collect();
        let answers: Vec<Prediction> =
            rows.iter().map(|(_, right)| Prediction::of(if *right { Label::Neutral } else { Label::Entailment })).collect();
        let judged = Scoring::ThreeWay.judge(Joined::in_order(&items, &answers).unwrap()).unwrap();
        let lengths: Vec<Lengths> = rows.iter().map(|(premise, _)| Lengths { premise: *premise, hypothesis: 5 }).collect();
        let said = by_length(&judged, &lengths, BinWidths::default()).unwrap().sentences();
        let lowest =
            "By length of the premise, accuracy is lowest with 25 to 49 words: 70.0 % against 90.0 % on the other examples, -20.0 points";
        assert!(said[0].starts_with(lowest), "{said:?}");
        assert!(said.iter().all(|sentence| !sentence.contains("overlap")), "{said:?}");
    }
}
