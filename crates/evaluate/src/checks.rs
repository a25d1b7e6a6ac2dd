//! Checks of a gate: whether a model is good enough, and no worse than before.
//!
//! Plain data in, outcomes out. A check of an accuracy uses the estimate. A check of a drop is a paired test: exact, clustered, and adjusted for
//! all checks that are decided together (Hochberg), so that a gate with many checks fails falsely no more often than one with a single check. Which checks
//! count as tests does not depend on the predictions, so a model that gets worse never turns a failed check into a passed one.

mod result;
mod rows;
mod wording;

pub use result::{CheckResult, Checked, PairedResult};
pub use rows::{CheckedRows, against_answers, against_parents, belongs};

use crate::measurement::Measurement;
use crate::statistics::clustered::ClusteredDifference;
use crate::statistics::{Interval, Proportion, StatisticsError, multiple};
use serde::{Deserialize, Serialize};

/// What is asked of a model on a set.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The estimated accuracy is at least this, in percent.
    FailUnder(f64),
    /// Accuracy on the perturbed examples is at most this many points below that on their originals; 0 means no margin.
    MaxDrop(f64),
    /// Accuracy is at most this many points below that of a baseline on the same examples; 0 means no margin.
    MaxRegression(f64),
}

/// A check, with what was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// The requirement.
    pub rule: Rule,
    /// The number that is checked: an accuracy, or a drop in it.
    pub measured: Measurement,
    /// What a drop rests on; nothing for an accuracy, of which the estimate decides.
    pub paired: Option<Box<PairedEvidence>>,
}

/// Paired predictions for the same examples: now, and what they are compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct PairedEvidence {
    /// The accuracy to compare with: on the parents, or of the baseline.
    pub before: Proportion,
    /// The accuracy that is checked.
    pub now: Proportion,
    /// The second minus the first, by cluster.
    pub difference: ClusteredDifference,
    /// Whether a baseline has the very same predictions.
    pub identical: bool,
    /// Why a drop of this model is not informative, if it is not.
    pub meaningless: Option<String>,
}

/// What came of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The requirement is met.
    Passed,
    /// The examples do not decide.
    Inconclusive,
    /// The requirement is not met.
    Failed,
}

/// What inconclusive checks count as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InconclusiveRule {
    /// They do not fail the gate.
    Pass,
    /// They fail it.
    Fail,
}

/// The level of all tests of a gate together.
pub const LEVEL: f64 = 0.05;

/// Decides all checks of a gate together: each becomes a measurement with its result.
pub fn decide(checks: Vec<Check>) -> Result<Vec<Measurement>, StatisticsError> {
    let drops: Vec<f64> = checks.iter().filter_map(Check::testable).map(|found| found.difference.p_of_drop()).collect();
    let mut adjusted = multiple::hochberg(&drops)?.into_iter();
    let tests = drops.len();
    let decided = checks.into_iter().map(|check| {
        let p = if check.testable().is_some() { adjusted.next() } else { None };
        check.decided(p, tests)
    });
    Ok(decided.collect())
}

impl Rule {
    /// The name of the rule in flags and files.
    pub fn name(self) -> &'static str {
        match self {
            Rule::FailUnder(_) => "fail-under",
            Rule::MaxDrop(_) => "max-drop",
            Rule::MaxRegression(_) => "max-regression",
        }
    }

    /// The number given with it.
    pub fn number(self) -> f64 {
        match self {
            Rule::FailUnder(number) | Rule::MaxDrop(number) | Rule::MaxRegression(number) => number,
        }
    }
}

impl Check {
    /// The two accuracies, where a drop between them could be significant.
    fn testable(&self) -> Option<&PairedEvidence> {
        self.paired.as_deref().filter(|found| found.difference.clusters() >= LEAST_CLUSTERS)
    }

    /// The measurement with what came of it; `p` is corrected for so many tests.
    fn decided(self, p: Option<f64>, tests: usize) -> Measurement {
        let outcome = self.outcome(p, tests);
        let Check { rule, measured, paired } = self;
        let measured = match &paired {
            None => measured,
            Some(found) => {
                let number = found.measured(measured);
                p.map_or(number.clone(), |p| number.tested(p))
            }
        };
        let paired = paired.map(|found| found.result(tests));
        Measurement { check: Some(Box::new(CheckResult { rule, outcome, paired })), ..measured }
    }

    fn outcome(&self, p: Option<f64>, tests: usize) -> Outcome {
        match &self.paired {
            None => match self.measured.counts {
                Some(share) if share.total > 0 && reaches(share, self.rule.number()) => Outcome::Passed,
                // Where nothing was looked at, nothing holds.
                _ => Outcome::Failed,
            },
            Some(found) if found.now.total == 0 => Outcome::Failed,
            Some(found) => found.outcome(self.rule.number() / 100.0, p, tests),
        }
    }
}

/// Whether a share is at least this percentage; a bound that is met exactly is met, despite rounding.
fn reaches(share: Proportion, percent: f64) -> bool {
    let (count, total) = (share.count as f64, share.total as f64);
    100.0 * count >= percent * total - 1e-9 * total
}

/// With fewer clusters, no drop could ever be significant.
const LEAST_CLUSTERS: u64 = 5;

impl PairedEvidence {
    /// The one-sided 95 % bounds of the drop.
    pub fn drop_ends(&self) -> Interval {
        let Interval { low, high } = self.difference.one_sided_ends();
        Interval { low: -high, high: -low }
    }

    /// By how much accuracy drops; negative if it rises.
    pub fn drop(&self) -> f64 {
        -self.difference.counts().difference()
    }

    fn outcome(&self, margin: f64, p: Option<f64>, tests: usize) -> Outcome {
        let significant = p.is_some_and(|p| p < LEVEL);
        if self.identical {
            return Outcome::Passed;
        }
        if self.meaningless.is_some() {
            return Outcome::Inconclusive;
        }
        if margin == 0.0 {
            return match significant {
                true => Outcome::Failed,
                // The test could not have failed, which is no reason to pass.
                false if self.cannot_fail(tests) => Outcome::Inconclusive,
                false => Outcome::Passed,
            };
        }
        let Interval { low, high } = self.drop_ends();
        match self.difference.clusters() {
            // Nothing can be estimated between clusters.
            1 => Outcome::Inconclusive,
            _ if high < margin => Outcome::Passed,
            _ if low > margin && significant => Outcome::Failed,
            _ => Outcome::Inconclusive,
        }
    }

    /// Whether accuracy drops, and losing every single cluster would not be significant among this many tests if no other check fails. If there are enough clusters
    /// for one test, the drop must be one that would be significant alone.
    pub(crate) fn cannot_fail(&self, tests: usize) -> bool {
        let clusters = self.difference.clusters();
        let smallest = 0.5f64.powi(i32::try_from(clusters).unwrap_or(i32::MAX));
        match clusters < LEAST_CLUSTERS {
            true => self.drop() > 0.0,
            false => smallest * tests as f64 >= LEVEL && self.difference.p_of_drop() < LEVEL,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::{Metric, SetId, Subject};

    /// A check over clusters of three examples, with `lost` clusters in which only the baseline and `won` in which only the candidate is right on one.
    fn check(rule: Rule, clusters: usize, lost: usize, won: usize) -> Check {
        let (mut now, mut before, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for cluster in 0..clusters {
            for row in 0..3 {
                let first = row == 0;
                now.push(!(first && cluster < lost));
                before.push(!(first && (lost..lost + won).contains(&cluster)));
                numbers.push(cluster as u32);
            }
        }
        let found = PairedEvidence {
            before: Proportion::of(&before),
            now: Proportion::of(&now),
            difference: ClusteredDifference::of(&now, &before, &numbers).unwrap(),
            identical: lost + won == 0,
            meaningless: None,
        };
        Check { rule, measured: measured(Metric::Drop, 0, 0), paired: Some(Box::new(found)) }
    }

    fn measured(metric: Metric, count: u64, total: u64) -> Measurement {
        let set = SetId::of("clean", Vec::new(), &[]);
        let number = Subject { model: "m", set: &set, scoring: None }.number(metric, 0.0);
        Measurement { counts: Some(Proportion { count, total }), ..number }
    }

    fn result(decided: Measurement) -> CheckResult {
        *decided.check.unwrap()
    }

    fn outcomes(checks: Vec<Check>) -> Vec<Outcome> {
        decide(checks).unwrap().into_iter().map(|decided| result(decided).outcome).collect()
    }

    #[track_caller]
    fn alone(margin: f64, clusters: usize, lost: usize, won: usize, expected: Outcome) {
        assert_eq!(outcomes(vec![check(Rule::MaxRegression(margin), clusters, lost, won)]), [expected]);
    }

    #[test]
    fn identical_predictions_pass_with_and_without_a_margin_however_few_there_are() {
        for clusters in [1, 2, 10, 1000] {
            alone(0.0, clusters, 0, 0, Outcome::Passed);
            alone(0.1, clusters, 0, 0, Outcome::Passed);
        }
    }

    #[test]
    fn without_a_margin_a_significant_drop_fails_and_nothing_else() {
        // One-sided: 2^-5 and 2^-4.
        alone(0.0, 1000, 5, 0, Outcome::Failed);
        alone(0.0, 1000, 4, 0, Outcome::Passed);
        alone(0.0, 1000, 0, 50, Outcome::Passed);
        alone(0.0, 1000, 10, 6, Outcome::Passed);
    }

    #[test]
    fn with_a_margin_the_ends_of_the_drop_decide() {
        // Reference value: 6 : 10 in 1,000 clusters of three has the one-sided lower bound -0.00379.
        let found = check(Rule::MaxRegression(0.5), 1000, 10, 6);
        assert!((found.paired.unwrap().drop_ends().high - 0.00379).abs() < 6e-6);
        alone(0.5, 1000, 10, 6, Outcome::Passed);
        alone(0.3, 1000, 10, 6, Outcome::Inconclusive);
        // 100 of 3,000 lost: 3.3 points, significantly more than 1 and not significantly more than 3.
        alone(1.0, 1000, 100, 0, Outcome::Failed);
        alone(3.0, 1000, 100, 0, Outcome::Inconclusive);
        alone(5.0, 1000, 100, 0, Outcome::Passed);
    }

    /// Sixteen checks, of which the others are what they were.
    fn among_fifteen_others(one: Check) -> Measurement {
        let mut checks = vec![check(Rule::MaxRegression(0.0), 1000, 0, 0); 15];
        checks.push(one);
        decide(checks).unwrap().remove(15)
    }

    fn outcome_and_tests(decided: &Measurement) -> (Outcome, usize) {
        let found = result(decided.clone());
        (found.outcome, found.paired.unwrap().tests)
    }

    #[test]
    fn a_drop_beyond_the_margin_that_is_not_significant_is_inconclusive() {
        // 5 of 5 clusters: p = 2^-5, which 15 other checks do not leave under 0.05.
        let one = || check(Rule::MaxDrop(0.01), 6, 5, 0);
        assert_eq!(outcomes(vec![one()]), [Outcome::Failed]);
        assert_eq!(result(among_fifteen_others(one())).outcome, Outcome::Inconclusive);
    }

    #[test]
    fn sixteen_checks_are_corrected_and_those_of_too_few_clusters_cost_nothing() {
        let drop = |lost| check(Rule::MaxRegression(0.0), 1000, lost, 0);
        // 2^-8 * 16 is over 0.05, and 2^-9 * 16 below it.
        let (few, many) = (among_fifteen_others(drop(8)), among_fifteen_others(drop(9)));
        let is = |found: &Measurement, p: f64| assert!((found.p.unwrap() - p).abs() < 1e-12, "{:?}", found.p);
        assert_eq!(outcome_and_tests(&few), (Outcome::Passed, 16));
        is(&few, 0.0625);
        assert_eq!(outcome_and_tests(&many).0, Outcome::Failed);
        is(&many, 0.03125);
        let mut checks = vec![check(Rule::MaxRegression(0.0), 4, 0, 0); 15];
        checks.push(drop(5));
        let decided = decide(checks).unwrap();
        assert_eq!(outcome_and_tests(&decided[15]), (Outcome::Failed, 1));
        is(&decided[15], 0.03125);
        assert_eq!((outcome_and_tests(&decided[0]).0, decided[0].p), (Outcome::Passed, None));
    }

    #[test]
    fn a_model_that_loses_everything_fails_with_any_number_of_checks() {
        // Four checks of five clusters, all lost, and sixteen in which eight are lost and none is won: none of them is significant with Holm's correction.
        for (checks, clusters, lost) in [(4, 5, 5), (16, 25, 8), (64, 5, 5)] {
            let found = outcomes(vec![check(Rule::MaxRegression(0.0), clusters, lost, 0); checks]);
            assert!(found.iter().all(|outcome| *outcome == Outcome::Failed), "{checks} checks: {found:?}");
        }
    }

    #[test]
    fn a_check_with_too_few_clusters_among_many_checks_is_inconclusive() {
        // All of its five clusters are lost: 2^-5 * 16.
        let lost = |lost| outcome_and_tests(&among_fifteen_others(check(Rule::MaxRegression(0.0), 5, lost, 0))).0;
        assert_eq!((lost(5), lost(4), lost(0)), (Outcome::Inconclusive, Outcome::Passed, Outcome::Passed));
    }

    #[test]
    fn a_worse_model_never_passes_a_check_that_a_better_one_did_not() {
        let mut rng = acidtest_nli::Seed::new(1).rng();
        for _ in 0..300 {
            // Up to six checks; the worse model loses more clusters or wins fewer of them in each.
            let drawn = |rng: &mut acidtest_nli::Rng| {
                let (clusters, margin) = ([4, 5, 8, 12, 40][rng.below(5)], [0.0, 0.0, 3.0][rng.below(3)]);
                let (won, lost) = (rng.below(3), rng.below(clusters - 2));
                let (fewer, more) = (won - rng.below(won + 1), lost + rng.below(clusters - 1 - lost.max(won)));
                let of = |lost: usize, won: usize| {
                    let mut check = check(Rule::MaxRegression(margin), clusters, lost, won.min(clusters - lost));
                    // Predictions that become those of the baseline pass by definition.
                    if let Some(found) = &mut check.paired {
                        found.identical = false;
                    }
                    check
                };
                (of(lost, won), of(more, fewer))
            };
            let (better, worse): (Vec<Check>, Vec<Check>) = (0..1 + rng.below(6)).map(|_| drawn(&mut rng)).unzip();
            for (place, (before, after)) in outcomes(better.clone()).into_iter().zip(outcomes(worse.clone())).enumerate() {
                assert!(after >= before, "{before:?} -> {after:?}: {:?}, {:?}", better[place], worse[place]);
            }
        }
    }

    #[test]
    fn a_test_that_could_not_fail_is_inconclusive() {
        alone(0.0, 4, 4, 0, Outcome::Inconclusive);
        alone(0.0, 4, 0, 4, Outcome::Passed);
        alone(1.0, 1, 1, 0, Outcome::Inconclusive);
        alone(50.0, 1, 1, 0, Outcome::Inconclusive);
    }

    #[test]
    fn drops_of_a_guessing_model_are_inconclusive() {
        let mut guessing = check(Rule::MaxDrop(5.0), 1000, 10, 6);
        guessing.paired.as_mut().unwrap().meaningless = Some("it guesses".to_string());
        assert_eq!(outcomes(vec![guessing]), [Outcome::Inconclusive]);
    }

    #[test]
    fn accuracy_checks_compare_the_estimate_with_the_bound_and_need_examples() {
        let accuracy = |percent: f64, count: u64, total: u64| {
            outcomes(vec![Check { rule: Rule::FailUnder(percent), measured: measured(Metric::Accuracy, count, total), paired: None }])[0]
        };
        assert_eq!(accuracy(84.9, 849, 1000), Outcome::Passed);
        assert_eq!(accuracy(84.9, 848, 1000), Outcome::Failed);
        assert_eq!(accuracy(100.0, 10, 10), Outcome::Passed);
        assert_eq!(accuracy(1.0, 0, 0), Outcome::Failed);
        assert_eq!(outcomes(vec![check(Rule::MaxDrop(0.0), 0, 0, 0)]), [Outcome::Failed]);
    }
}
