//! Several models on the same rows: which is better, by how much, and where.
//!
//! Every pair of models is tested on all rows and on every group of rows. One table is one family of tests: Holm's (after Tarone) and Benjamini and
//! Hochberg's corrections cover the pairs on all rows together, and for each list of tags those of all its groups. A difference is called one only where
//! Holm's p value is under the level.

mod sections;

use super::paired::{Paired, Testing, holm};
use super::slices::{pick, slices};
use super::{AnalysisError, Candidate, require_same_rows};
use crate::generalisation::Generalisation;
use crate::measurement::{Against, HoldsFor, Measurement, Metric, SetId, Subject};
use crate::scoring::Scoring;
use crate::statistics::clustered::ClusteredAccuracy;
use crate::statistics::tied::{self, Family, Ranking};
use crate::statistics::{Interval, Proportion, multiple};
use std::collections::BTreeSet;

/// Which pairs of models are tested.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pairing {
    /// Each with each.
    #[default]
    Every,
    /// The first with each other: it is the baseline.
    WithFirst,
}

impl Pairing {
    /// The tests that are decided together with those against the best model.
    fn family(self) -> Family {
        match self {
            Pairing::Every => Family::AllPairs,
            Pairing::WithFirst => Family::WithFirst,
        }
    }

    /// The pairs of so many models, by their places.
    pub(super) fn pairs(self, models: usize) -> Vec<(usize, usize)> {
        let firsts = match self {
            Pairing::Every => 0..models,
            Pairing::WithFirst => 0..1,
        };
        firsts.flat_map(|first| (first + 1..models).map(move |second| (first, second))).collect()
    }
}

/// What is compared.
#[derive(Debug, Clone, Copy)]
pub struct Comparison<'a> {
    /// The models, two at least, with the same rows.
    pub candidates: &'a [Candidate<'a>],
    /// What to break the comparison down by, besides all rows: lists of tags.
    pub by: &'a [Vec<String>],
    /// Which pairs are tested.
    pub pairing: Pairing,
    /// How they are tested.
    pub testing: Testing,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonResult {
    /// The names of the models, in the order given.
    pub models: Vec<String>,
    /// How the predictions were scored.
    pub scoring: Scoring,
    /// All rows.
    pub overall: GroupComparison,
    /// Groups of rows, list of tags by list of tags.
    pub groups: Vec<ComparisonsByTag>,
    /// The same tested pairs over templates as clusters, for rows that are generated from templates.
    pub over_templates: Option<Vec<OverTemplates>>,
    /// The best model and those that are not significantly worse, on all rows.
    pub ranking: Ranking,
    /// Which pairs were tested.
    pub pairing: Pairing,
    /// Pairs of models, by their places, whose predictions are all the same.
    pub identical: Vec<(usize, usize)>,
    /// How the models were tested.
    pub testing: Testing,
    /// What the tests over clusters say of others.
    pub generalisation: Generalisation,
}

/// Two models over templates as clusters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OverTemplates {
    /// The difference.
    pub paired: Paired,
    /// Holm's adjusted p value over all pairs.
    pub holm_p: f64,
}

/// The groups that some tags make.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonsByTag {
    /// The tags.
    pub tags: Vec<String>,
    /// The groups in the order of their values.
    pub groups: Vec<GroupComparison>,
}

/// The models on some rows.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupComparison {
    /// The values of the tags that the rows share; none for all rows.
    pub values: Vec<String>,
    /// How many rows.
    pub rows: usize,
    /// How many clusters they make.
    pub clusters: usize,
    /// Each model's accuracy.
    pub accuracies: Vec<Accuracy>,
    /// The tested pairs.
    pub pairs: Vec<PairComparison>,
}

/// One model's accuracy with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// Right answers of all.
    pub right: Proportion,
    /// The clustered Wilson interval.
    pub interval: Interval,
    /// The same cluster by cluster.
    pub clustered: ClusteredAccuracy,
}

/// Two models on some rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairComparison {
    /// The place of one model.
    pub first: usize,
    /// The place of the other.
    pub second: usize,
    /// The difference, the first less the second.
    pub paired: Paired,
    /// Holm's adjusted p value over all tests of its table.
    pub holm_p: f64,
    /// Benjamini and Hochberg's.
    pub benjamini_hochberg_p: f64,
}

impl Comparison<'_> {
    /// Compares the models.
    pub fn compare(&self) -> Result<ComparisonResult, AnalysisError> {
        let models: Vec<String> = self.candidates.iter().map(|candidate| candidate.name.to_string()).collect();
        if models.len() < 2 {
            return Err(AnalysisError::TooFewModels { found: models.len(), needed: 2 });
        }
        let mut seen = BTreeSet::new();
        if let Some(name) = models.iter().find(|name| !seen.insert(*name)) {
            return Err(AnalysisError::DoubleName { name: name.clone() });
        }
        require_same_rows(self.candidates)?;
        let judged = self.candidates[0].judged;
        let table = Answers { right: self.candidates.iter().map(|one| one.judged.right()).collect(), clusters: judged.clusters() };
        if table.clusters.is_empty() {
            return Err(AnalysisError::NoLabelledRows { rows: judged.joined.items.len() });
        }
        let mut overall = self.compared(Vec::new(), &table)?;
        let mut groups = Vec::new();
        for tags in self.by {
            let rows = slices(judged, tags)?;
            let compared = rows.into_iter().map(|slice| self.compared(slice.values, &table.only(&slice.rows)));
            groups.push(ComparisonsByTag { tags: tags.clone(), groups: compared.collect::<Result<_, _>>()? });
        }
        adjust(std::slice::from_mut(&mut overall), self.testing.plan.alpha)?;
        groups.iter_mut().try_for_each(|by| adjust(&mut by.groups, self.testing.plan.alpha))?;
        let ranking = tied::with_best(&table.right, &table.clusters, self.testing.plan.alpha, self.pairing.family())?;
        let over_templates = judged.templates().map(|templates| {
            let paired = |(first, second): (usize, usize)| Paired::of(&table.right[first], &table.right[second], &templates, &self.testing);
            let pairs = self.pairs().into_iter().map(paired).collect::<Result<Vec<_>, _>>()?;
            let adjusted = holm(pairs.iter().copied(), self.testing.plan.alpha)?;
            let tested = pairs.into_iter().zip(adjusted).map(|(paired, holm_p)| OverTemplates { paired, holm_p });
            Ok::<_, AnalysisError>(tested.collect::<Vec<_>>())
        });
        Ok(ComparisonResult {
            models,
            scoring: self.candidates[0].judged.scoring,
            overall,
            groups,
            over_templates: over_templates.transpose()?,
            ranking,
            pairing: self.pairing,
            identical: self.pairs().into_iter().filter(|&pair| self.is_identical(pair)).collect(),
            testing: self.testing,
            generalisation: Generalisation::of([judged]),
        })
    }

    fn compared(&self, values: Vec<String>, answers: &Answers) -> Result<GroupComparison, AnalysisError> {
        let rows = answers.clusters.len();
        let clusters = answers.clusters.iter().collect::<BTreeSet<_>>().len();
        let accuracy = |right: &Vec<bool>| {
            let found = ClusteredAccuracy::of(right, &answers.clusters);
            Accuracy { right: found.proportion(), interval: found.interval(), clustered: found }
        };
        let accuracies = answers.right.iter().map(accuracy).collect();
        let mut pairs = Vec::new();
        for (first, second) in self.pairs() {
            let paired = Paired::of(&answers.right[first], &answers.right[second], &answers.clusters, &self.testing)?;
            pairs.push(PairComparison { first, second, paired, holm_p: paired.p, benjamini_hochberg_p: paired.p });
        }
        Ok(GroupComparison { values, rows, clusters, accuracies, pairs })
    }

    /// Whether two models give every labelled example the same prediction.
    fn is_identical(&self, (first, second): (usize, usize)) -> bool {
        let answers = |model: usize| self.candidates[model].judged.scored().map(|(_, outcome)| outcome.answer);
        answers(first).eq(answers(second))
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        self.pairing.pairs(self.candidates.len())
    }
}

/// Right and wrong of all models on some rows.
struct Answers {
    right: Vec<Vec<bool>>,
    clusters: Vec<u32>,
}

impl Answers {
    fn only(&self, rows: &[usize]) -> Answers {
        Answers { right: self.right.iter().map(|right| pick(right, rows)).collect(), clusters: pick(&self.clusters, rows) }
    }
}

/// Corrects the p values of one table.
fn adjust(table: &mut [GroupComparison], alpha: f64) -> Result<(), AnalysisError> {
    let mut pairs: Vec<&mut PairComparison> = table.iter_mut().flat_map(|rows| &mut rows.pairs).collect();
    let raw: Vec<f64> = pairs.iter().map(|pair| pair.paired.p).collect();
    let strict = holm(pairs.iter().map(|pair| pair.paired), alpha)?;
    let benjamini_hochberg = multiple::benjamini_hochberg(&raw)?;
    for (pair, (strict, benjamini_hochberg)) in pairs.iter_mut().zip(strict.into_iter().zip(benjamini_hochberg)) {
        pair.holm_p = strict;
        pair.benjamini_hochberg_p = benjamini_hochberg;
    }
    Ok(())
}

impl ComparisonResult {
    /// Every model's accuracy and every tested difference, on all rows and in each group.
    pub fn measurements(&self, set: &SetId) -> Vec<Measurement> {
        let mut all = self.measured(set, &self.overall, &[]);
        all.extend(self.measured_over_templates(set));
        for by in &self.groups {
            all.extend(by.groups.iter().flat_map(|rows| self.measured(set, rows, &by.tags)));
        }
        all
    }

    /// The pairs over templates; without an interval where all rows are of one.
    fn measured_over_templates(&self, set: &SetId) -> Vec<Measurement> {
        let pairs = self.overall.pairs.iter().zip(self.over_templates.iter().flatten());
        let of_pair = |(pair, OverTemplates { paired, holm_p }): (&PairComparison, &OverTemplates)| {
            let subject = Subject { model: &self.models[pair.first], set, scoring: Some(self.scoring) };
            let number = subject.number(Metric::Difference, paired.difference());
            let tested = if paired.is_one_cluster() { number } else { number.within_difference(paired.interval).tested(*holm_p) };
            let against = Some(Against::Model(self.models[pair.second].clone()));
            Measurement { against, holds_for: Some(HoldsFor::NewTemplates), ..tested }
        };
        pairs.map(of_pair).collect()
    }

    fn measured(&self, set: &SetId, rows: &GroupComparison, tags: &[String]) -> Vec<Measurement> {
        let subject = |model: usize| Subject { model: &self.models[model], set, scoring: Some(self.scoring) };
        let accuracy = |(model, accuracy): (usize, &Accuracy)| {
            let share = subject(model).share(Metric::Accuracy, accuracy.right)?;
            Some(share.within(accuracy.interval))
        };
        let difference = |pair: &PairComparison| {
            let number = subject(pair.first).number(Metric::Difference, pair.paired.difference());
            let against = Some(Against::Model(self.models[pair.second].clone()));
            Measurement { against, ..number.within_difference(pair.paired.interval).tested(pair.holm_p) }
        };
        let accuracies = rows.accuracies.iter().enumerate().filter_map(accuracy);
        let all = accuracies.chain(rows.pairs.iter().map(difference));
        all.map(|one| one.of_group(tags.iter().map(String::as_str), &rows.values)).collect()
    }
}

impl PairComparison {
    /// The places of the better and the worse model, where Holm's p value is under the level.
    pub fn winner(&self, alpha: f64) -> Option<(usize, usize)> {
        if self.holm_p >= alpha {
            return None;
        }
        Some(if self.paired.difference() > 0.0 { (self.first, self.second) } else { (self.second, self.first) })
    }
}
