//! Compares models on the same examples: which is better, by how much, and where.
//!
//! Every pair of models is tested on all examples and on every group. One table is one family of tests: the corrections of Holm (after Tarone) and of Benjamini and
//! Hochberg cover the pairs on all examples, and for each list of tags those of all its groups. A difference is only called significant if
//! Holm's p value is below the level.

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
    /// Every pair.
    #[default]
    Every,
    /// The first model, as the baseline, with each of the others.
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

/// The comparison to make.
#[derive(Debug, Clone, Copy)]
pub struct Comparison<'a> {
    /// The models, at least two, with the same examples.
    pub candidates: &'a [Candidate<'a>],
    /// Lists of tags to break the comparison down by.
    pub by: &'a [Vec<String>],
    /// Which pairs are tested.
    pub pairing: Pairing,
    /// How they are tested.
    pub testing: Testing,
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonResult {
    /// The names of the models, in the order given.
    pub models: Vec<String>,
    /// How the predictions were scored.
    pub scoring: Scoring,
    /// All examples.
    pub overall: GroupComparison,
    /// Groups of examples, for each list of tags.
    pub groups: Vec<ComparisonsByTag>,
    /// The same pairs with templates as clusters, for examples that are generated from templates.
    pub over_templates: Option<Vec<OverTemplates>>,
    /// The best model and those that are not significantly worse, on all rows.
    pub ranking: Ranking,
    /// Which pairs were tested.
    pub pairing: Pairing,
    /// Pairs of models, by their places, whose predictions are all the same.
    pub identical: Vec<(usize, usize)>,
    /// How the models were tested.
    pub testing: Testing,
    /// What the tests over clusters generalise to.
    pub generalisation: Generalisation,
}

/// Two models with templates as clusters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OverTemplates {
    /// The difference.
    pub paired: Paired,
    /// Holm's adjusted p value over all pairs.
    pub holm_p: f64,
}

/// The groups of a list of tags.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonsByTag {
    /// The tags.
    pub tags: Vec<String>,
    /// The groups in the order of their values.
    pub groups: Vec<GroupComparison>,
}

/// The models on some examples.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupComparison {
    /// The values of the tags that the examples share; empty for all examples.
    pub values: Vec<String>,
    /// The number of examples.
    pub rows: usize,
    /// The number of clusters.
    pub clusters: usize,
    /// Each model's accuracy.
    pub accuracies: Vec<Accuracy>,
    /// The tested pairs.
    pub pairs: Vec<PairComparison>,
}

/// One model's accuracy with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// Correct predictions of all.
    pub right: Proportion,
    /// The clustered Wilson interval.
    pub interval: Interval,
    /// The counts by cluster.
    pub clustered: ClusteredAccuracy,
}

/// Two models on some examples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairComparison {
    /// The index of one model.
    pub first: usize,
    /// The index of the other.
    pub second: usize,
    /// The difference, first minus second.
    pub paired: Paired,
    /// Holm's adjusted p value over all tests of the table.
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

/// Which examples each model predicts correctly.
struct Answers {
    right: Vec<Vec<bool>>,
    clusters: Vec<u32>,
}

impl Answers {
    fn only(&self, rows: &[usize]) -> Answers {
        Answers { right: self.right.iter().map(|right| pick(right, rows)).collect(), clusters: pick(&self.clusters, rows) }
    }
}

/// Adjusts the p values of one table.
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
    /// Every model's accuracy and every tested difference, on all examples and in each group.
    pub fn measurements(&self, set: &SetId) -> Vec<Measurement> {
        let mut all = self.measured(set, &self.overall, &[]);
        all.extend(self.measured_over_templates(set));
        for by in &self.groups {
            all.extend(by.groups.iter().flat_map(|rows| self.measured(set, rows, &by.tags)));
        }
        all
    }

    /// The pairs over templates; without an interval if there is only one template.
    fn measured_over_templates(&self, set: &SetId) -> Vec<Measurement> {
        let pairs = self.overall.pairs.iter().zip(self.over_templates.iter().flatten());
        let of_pair = |(pair, OverTemplates { paired, holm_p }): (&PairComparison, &OverTemplates)| {
            let subject = Subject { model: &self.models[pair.first], set, scoring: Some(self.scoring) };
            let number = subject.number(Metric::Difference, paired.difference());
            let tested = paired.measured(number, *holm_p);
            let p = tested.p.filter(|_| !paired.is_one_cluster());
            let against = Some(Against::Model(self.models[pair.second].clone()));
            Measurement { p, against, holds_for: Some(HoldsFor::NewTemplates), ..tested }
        };
        pairs.map(of_pair).collect()
    }

    fn measured(&self, set: &SetId, rows: &GroupComparison, tags: &[String]) -> Vec<Measurement> {
        let subject = |model: usize| Subject { model: &self.models[model], set, scoring: Some(self.scoring) };
        let accuracy = |(model, accuracy): (usize, &Accuracy)| subject(model).clustered(Metric::Accuracy, &accuracy.clustered);
        let difference = |pair: &PairComparison| {
            let number = subject(pair.first).number(Metric::Difference, pair.paired.difference());
            let against = Some(Against::Model(self.models[pair.second].clone()));
            Measurement { against, ..pair.paired.measured(number, pair.holm_p) }
        };
        let accuracies = rows.accuracies.iter().enumerate().filter_map(accuracy);
        let all = accuracies.chain(rows.pairs.iter().map(difference));
        all.map(|one| one.of_group(tags.iter().map(String::as_str), &rows.values)).collect()
    }
}

impl PairComparison {
    /// The indices of the better and the worse model, if Holm's p value is below the level.
    pub fn winner(&self, alpha: f64) -> Option<(usize, usize)> {
        if self.holm_p >= alpha {
            return None;
        }
        Some(if self.paired.difference() > 0.0 { (self.first, self.second) } else { (self.second, self.first) })
    }
}
