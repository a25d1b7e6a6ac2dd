//! Compares training methods (arms), each represented by several seeds.
//!
//! Two things vary: examples and seeds. Arms are compared twice: over the clusters of the examples, with all seeds of an example in its cluster
//! ("these trained models, new examples"), and by Welch's t test over the accuracies of the seeds ("new seeds"). A claim about a training method uses
//! the larger p value and the interval that covers both, and is only made if both arms have at least [`LEAST_SEEDS`] seeds.

mod sections;

use super::paired::{Paired, Testing};
use super::slices::{pick, slices};
use super::{AnalysisError, Candidate, require_same_rows};
use crate::generalisation::Generalisation;
use crate::scoring::Scoring;
use crate::statistics::clustered::{ClusteredAccuracy, ClusteredDifference, DifferenceInterval};
use crate::statistics::runs::Spread;
use crate::statistics::{Interval, PairedCounts, StatisticsError, Welch, multiple};
use std::collections::BTreeMap;

/// The smallest number of seeds per arm for a claim about training methods.
pub const LEAST_SEEDS: usize = 3;

/// A training method and its trained models.
#[derive(Debug, Clone, Copy)]
pub struct Arm<'a> {
    /// The name in reports.
    pub name: &'a str,
    /// Its models, one per seed, at least one.
    pub seeds: &'a [Candidate<'a>],
}

/// The comparison to make.
#[derive(Debug, Clone, Copy)]
pub struct ArmComparison<'a> {
    /// The arms, at least two, with the same examples.
    pub arms: &'a [Arm<'a>],
    /// Lists of tags to break the comparison down by.
    pub by: &'a [Vec<String>],
    /// Which pairs are tested.
    pub pairing: super::comparison::Pairing,
    /// How they are tested.
    pub testing: Testing,
}

/// The result of a comparison of arms.
#[derive(Debug, Clone, PartialEq)]
pub struct ArmsResult {
    /// The names of the arms, in the order given.
    pub arms: Vec<String>,
    /// The names of the seeds of each arm.
    pub seeds: Vec<Vec<String>>,
    /// How the predictions were scored.
    pub scoring: Scoring,
    /// All examples.
    pub overall: ArmsOnRows,
    /// Groups of examples, for each list of tags.
    pub groups: Vec<(Vec<String>, Vec<ArmsOnRows>)>,
    /// How they were tested.
    pub testing: Testing,
    /// What the tests over clusters generalise to.
    pub generalisation: Generalisation,
}

/// The arms on some examples.
#[derive(Debug, Clone, PartialEq)]
pub struct ArmsOnRows {
    /// The values of the tags that the examples share; empty for all examples.
    pub values: Vec<String>,
    /// The number of examples.
    pub rows: usize,
    /// Each arm.
    pub arms: Vec<ArmAccuracy>,
    /// The tested pairs.
    pub pairs: Vec<ArmPair>,
}

/// One arm on some examples.
#[derive(Debug, Clone, PartialEq)]
pub struct ArmAccuracy {
    /// The accuracy of each seed.
    pub of_seeds: Vec<f64>,
    /// All seeds together; those of an example are in its cluster.
    pub pooled: ClusteredAccuracy,
}

/// Two arms on some examples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArmPair {
    /// The index of one arm.
    pub first: usize,
    /// The index of the other.
    pub second: usize,
    /// These trained models on new examples: every seed of one arm against every seed of the other, clustered by example.
    pub new_examples: Paired,
    /// New seeds; `None` if an arm has one seed, or the seeds do not differ.
    pub new_seeds: Option<Welch>,
    /// The smaller number of seeds of the two.
    pub fewest_seeds: usize,
    /// The larger of the two p values, adjusted by Holm's method over the tests of its table; 1 if no claim can be made.
    pub holm_p: f64,
}

/// What can be claimed about two training methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// The first is better.
    FirstIsBetter,
    /// The second is better.
    SecondIsBetter,
    /// They are not significantly different.
    NotSignificant,
    /// An arm has too few seeds.
    TooFewSeeds,
    /// The seeds do not differ, so nothing is known about new ones.
    SeedsDoNotDiffer,
    /// All examples are of one cluster, so that nothing is known of new ones.
    OneCluster,
}

impl ArmPair {
    /// The larger p value; `None` without a test over seeds.
    pub fn larger_p(&self) -> Option<f64> {
        self.new_seeds.map(|seeds| seeds.p.max(self.new_examples.p))
    }

    /// The interval that holds both; it leaves out 0 exactly where both p values are under 0.05. None where one of them cannot be estimated.
    pub fn wider_interval(&self) -> Option<DifferenceInterval> {
        let examples = self.new_examples.interval;
        self.new_seeds.filter(|_| !self.new_examples.is_one_cluster()).map(|seeds| {
            let interval =
                Interval { low: examples.interval.low.min(seeds.interval.low), high: examples.interval.high.max(seeds.interval.high) };
            let is_zero_left_out = examples.is_zero_left_out && (interval.low == 0.0 || interval.high == 0.0);
            DifferenceInterval { interval, is_zero_left_out }
        })
    }

    /// What can be claimed about the two training methods at this level.
    pub fn claim(&self, alpha: f64) -> Claim {
        match (self.fewest_seeds < LEAST_SEEDS, self.new_seeds) {
            (true, _) => Claim::TooFewSeeds,
            (false, None) => Claim::SeedsDoNotDiffer,
            (false, Some(_)) if self.new_examples.is_one_cluster() => Claim::OneCluster,
            (false, Some(_)) if self.holm_p >= alpha => Claim::NotSignificant,
            (false, Some(_)) if self.new_examples.difference() > 0.0 => Claim::FirstIsBetter,
            (false, Some(_)) => Claim::SecondIsBetter,
        }
    }
}

impl ArmComparison<'_> {
    /// Compares the arms.
    pub fn compare(&self) -> Result<ArmsResult, AnalysisError> {
        if self.arms.len() < 2 {
            return Err(AnalysisError::TooFewModels { found: self.arms.len(), needed: 2 });
        }
        let all: Vec<Candidate<'_>> = self.arms.iter().flat_map(|arm| arm.seeds.iter().copied()).collect();
        require_same_rows(&all)?;
        let judged = all[0].judged;
        let clusters = judged.clusters();
        if clusters.is_empty() {
            return Err(AnalysisError::NoLabelledRows { rows: judged.joined.items.len() });
        }
        let right: Vec<Vec<Vec<bool>>> = self.arms.iter().map(|arm| arm.seeds.iter().map(|seed| seed.judged.right()).collect()).collect();
        let everything: Vec<usize> = (0..clusters.len()).collect();
        let mut overall = self.on_rows(Vec::new(), &right, &clusters, &everything)?;
        let mut groups = Vec::new();
        for tags in self.by {
            let parts = slices(judged, tags)?.into_iter().map(|slice| self.on_rows(slice.values, &right, &clusters, &slice.rows));
            groups.push((tags.clone(), parts.collect::<Result<Vec<_>, _>>()?));
        }
        adjust(std::slice::from_mut(&mut overall), self.testing.plan.alpha)?;
        groups.iter_mut().try_for_each(|(_, groups)| adjust(groups, self.testing.plan.alpha))?;
        Ok(ArmsResult {
            arms: self.arms.iter().map(|arm| arm.name.to_string()).collect(),
            seeds: self.arms.iter().map(|arm| arm.seeds.iter().map(|seed| seed.name.to_string()).collect()).collect(),
            scoring: judged.scoring,
            overall,
            groups,
            testing: self.testing,
            generalisation: Generalisation::of([judged]),
        })
    }

    fn on_rows(
        &self,
        values: Vec<String>,
        right: &[Vec<Vec<bool>>],
        clusters: &[u32],
        rows: &[usize],
    ) -> Result<ArmsOnRows, AnalysisError> {
        let clusters = pick(clusters, rows);
        let counts: Vec<SeedCounts> = right.iter().map(|seeds| SeedCounts::of(seeds, rows)).collect();
        let accuracy = |counts: &SeedCounts| ArmAccuracy { of_seeds: counts.accuracies.clone(), pooled: counts.pooled(&clusters) };
        let mut pairs = Vec::new();
        for (first, second) in self.pairing.pairs(self.arms.len()) {
            let (one, other) = (&counts[first], &counts[second]);
            let fewest_seeds = one.accuracies.len().min(other.accuracies.len());
            let new_examples = Paired::of_difference(&difference(one, other, &clusters), &self.testing)?;
            let new_seeds = if fewest_seeds > 1 { Welch::of(&one.accuracies, &other.accuracies)? } else { None };
            pairs.push(ArmPair { first, second, new_examples, new_seeds, fewest_seeds, holm_p: 1.0 });
        }
        Ok(ArmsOnRows { values, rows: rows.len(), arms: counts.iter().map(accuracy).collect(), pairs })
    }
}

/// For each example, the number of seeds of an arm that predict it correctly.
struct SeedCounts {
    right: Vec<u64>,
    accuracies: Vec<f64>,
}

impl SeedCounts {
    fn of(seeds: &[Vec<bool>], rows: &[usize]) -> Self {
        let right = rows.iter().map(|&row| seeds.iter().filter(|seed| seed[row]).count() as u64).collect();
        let accuracy = |seed: &Vec<bool>| rows.iter().filter(|&&row| seed[row]).count() as f64 / rows.len() as f64;
        SeedCounts { right, accuracies: seeds.iter().map(accuracy).collect() }
    }

    fn seeds(&self) -> u64 {
        self.accuracies.len() as u64
    }

    fn pooled(&self, clusters: &[u32]) -> ClusteredAccuracy {
        let mut counts: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
        for (right, cluster) in self.right.iter().zip(clusters) {
            let (sum, all) = counts.entry(*cluster).or_default();
            *sum += right;
            *all += self.seeds();
        }
        ClusteredAccuracy::of_counts(counts.into_values())
    }
}

/// Every seed of one arm against every seed of the other, on all examples: the pairing of seeds does not matter.
fn difference(one: &SeedCounts, other: &SeedCounts, clusters: &[u32]) -> ClusteredDifference {
    let mut counts: BTreeMap<u32, PairedCounts> = BTreeMap::new();
    for ((&first, &second), cluster) in one.right.iter().zip(&other.right).zip(clusters) {
        let own = counts.entry(*cluster).or_default();
        let (first_wrong, second_wrong) = (one.seeds() - first, other.seeds() - second);
        own.both += first * second;
        own.first_only += first * second_wrong;
        own.second_only += first_wrong * second;
        own.neither += first_wrong * second_wrong;
    }
    ClusteredDifference::of_counts(counts.into_values())
}

/// Adjusts the larger p values of one table; pairs without a claim are not tests.
fn adjust(table: &mut [ArmsOnRows], alpha: f64) -> Result<(), StatisticsError> {
    let pairs = table.iter_mut().flat_map(|rows| &mut rows.pairs);
    let mut tested: Vec<(&mut ArmPair, f64)> = pairs
        .filter(|pair| pair.fewest_seeds >= LEAST_SEEDS)
        .filter_map(|pair| Some((pair.larger_p()?, pair)).map(|(p, pair)| (pair, p)))
        .collect();
    let tests: Vec<(f64, f64)> = tested.iter().map(|(pair, p)| (*p, pair.new_examples.smallest_p)).collect();
    let adjusted = multiple::tarone_holm(&tests, alpha)?;
    for ((pair, _), p) in tested.iter_mut().zip(adjusted) {
        pair.holm_p = p;
    }
    Ok(())
}

impl ArmAccuracy {
    /// The spread of the seeds; `None` for a single one.
    pub fn spread(&self) -> Option<Spread> {
        Spread::of(&self.of_seeds).ok()
    }
}
