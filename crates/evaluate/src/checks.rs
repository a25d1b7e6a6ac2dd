//! Checks of a gate: whether a model is good enough, and no worse than it was.
//!
//! Plain data in, outcomes out. A check of an accuracy looks at the estimate. A check of a drop is a paired test: exact, clustered, and corrected for
//! all checks that are decided together (Holm, after Tarone), so that a build of many checks fails falsely no more often than one of a single check.

mod rows;
mod wording;

pub use rows::{CheckedRows, against_answers, against_parents, belongs};

use crate::statistics::clustered::{ClusteredAccuracy, ClusteredDifference};
use crate::statistics::{Interval, Proportion, StatisticsError, multiple};
use serde::{Deserialize, Serialize};

/// What is asked of a model on a set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// The estimated accuracy is at least this, in percent.
    FailUnder(f64),
    /// Accuracy on the perturbed examples is at most this many points below that on the examples they were made from; 0 stands for no margin.
    MaxDrop(f64),
    /// Accuracy is at most this many points below that of a baseline on the same examples; 0 stands for no margin.
    MaxRegression(f64),
}

/// A check, with what was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// What is asked.
    pub rule: Rule,
    /// Of which model.
    pub model: String,
    /// On which examples: the set, and the group of it.
    pub set: String,
    /// What was found.
    pub evidence: Evidence,
}

/// What a check rests on.
#[derive(Debug, Clone, PartialEq)]
pub enum Evidence {
    /// How many examples of each cluster are right.
    Accuracy(ClusteredAccuracy),
    /// The same examples twice.
    Paired(Box<PairedEvidence>),
}

/// The same examples twice: as they are now, and what they are compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct PairedEvidence {
    /// What is compared with: the accuracy on the parents, or that of the baseline.
    pub before: Proportion,
    /// The accuracy that is checked.
    pub now: Proportion,
    /// The second less the first, cluster by cluster.
    pub difference: ClusteredDifference,
    /// Whether a baseline has the very same predictions.
    pub identical: bool,
    /// Why a drop says nothing of this model, where it does not.
    pub meaningless: Option<String>,
}

/// What came of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// What is asked holds.
    Passed,
    /// The examples do not say.
    Inconclusive,
    /// What is asked does not hold.
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

/// A check that was decided.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    /// The check.
    pub check: Check,
    /// What came of it.
    pub outcome: Outcome,
    /// The one-sided p value of a drop, corrected for all checks; `None` for accuracies, and where no drop could be significant.
    pub p: Option<f64>,
    /// What the p value was corrected for: so many tests.
    pub tests: usize,
}

/// The level of all tests of a gate together.
pub const LEVEL: f64 = 0.05;

/// Decides all checks of a gate together.
pub fn decide(checks: Vec<Check>) -> Result<Vec<Decided>, StatisticsError> {
    let tests: Vec<(f64, f64)> =
        checks.iter().filter_map(Check::paired).map(|found| (found.difference.p_of_drop(), smallest_p(found))).collect();
    let adjusted = multiple::tarone_holm(&tests, LEVEL)?;
    let count = adjusted.iter().flatten().count();
    let mut adjusted = adjusted.into_iter();
    let decided = checks.into_iter().map(|check| {
        let p = if check.paired().is_some() { adjusted.next().flatten() } else { None };
        Decided { outcome: check.outcome(p), check, p, tests: count }
    });
    Ok(decided.collect())
}

/// The smallest one-sided p value that clusters as many as differ could give.
fn smallest_p(found: &PairedEvidence) -> f64 {
    0.5f64.powi(i32::try_from(found.difference.differing_clusters()).unwrap_or(i32::MAX))
}

impl Rule {
    /// The name of the rule, as flags and files have it.
    pub fn name(self) -> &'static str {
        match self {
            Rule::FailUnder(_) => "fail-under",
            Rule::MaxDrop(_) => "max-drop",
            Rule::MaxRegression(_) => "max-regression",
        }
    }

    /// The number that was given with it.
    pub fn number(self) -> f64 {
        match self {
            Rule::FailUnder(number) | Rule::MaxDrop(number) | Rule::MaxRegression(number) => number,
        }
    }
}

impl Check {
    /// The two accuracies, where two are compared.
    pub fn paired(&self) -> Option<&PairedEvidence> {
        match &self.evidence {
            Evidence::Accuracy(_) => None,
            Evidence::Paired(found) => Some(found),
        }
    }

    /// How many examples it rests on.
    pub fn examples(&self) -> u64 {
        match &self.evidence {
            Evidence::Accuracy(found) => found.proportion().total,
            Evidence::Paired(found) => found.now.total,
        }
    }

    /// How many clusters they make.
    pub fn clusters(&self) -> u64 {
        match &self.evidence {
            Evidence::Accuracy(found) => found.clusters(),
            Evidence::Paired(found) => found.difference.clusters(),
        }
    }

    fn outcome(&self, p: Option<f64>) -> Outcome {
        match &self.evidence {
            // Nothing was looked at, so that nothing holds.
            _ if self.examples() == 0 => Outcome::Failed,
            Evidence::Accuracy(found) if reaches(found.proportion(), self.rule.number()) => Outcome::Passed,
            Evidence::Accuracy(_) => Outcome::Failed,
            Evidence::Paired(found) => found.outcome(self.rule.number() / 100.0, p),
        }
    }
}

/// Whether a share is at least so many percent; a bound that is met exactly is met, whatever the last bits say.
fn reaches(share: Proportion, percent: f64) -> bool {
    let (count, total) = (share.count as f64, share.total as f64);
    100.0 * count >= percent * total - 1e-9 * total
}

/// With fewer clusters, no drop could ever be significant.
const LEAST_CLUSTERS: u64 = 5;

impl PairedEvidence {
    /// The one-sided 95 % ends of the drop: it is not below the lower and not above the upper one.
    pub fn drop_ends(&self) -> Interval {
        let Interval { low, high } = self.difference.one_sided_ends();
        Interval { low: -high, high: -low }
    }

    /// By how much accuracy drops; negative where it rises.
    pub fn drop(&self) -> f64 {
        -self.difference.counts().difference()
    }

    fn outcome(&self, margin: f64, p: Option<f64>) -> Outcome {
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
                false if self.cannot_fail() => Outcome::Inconclusive,
                false => Outcome::Passed,
            };
        }
        let Interval { low, high } = self.drop_ends();
        match self.difference.clusters() {
            // Between clusters nothing can be estimated.
            1 => Outcome::Inconclusive,
            _ if high < margin => Outcome::Passed,
            _ if low > margin && significant => Outcome::Failed,
            _ => Outcome::Inconclusive,
        }
    }

    /// Whether accuracy drops and there are so few clusters that no drop could be significant.
    pub(crate) fn cannot_fail(&self) -> bool {
        self.drop() > 0.0 && self.difference.clusters() < LEAST_CLUSTERS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A check over clusters of three examples, in so many of which only the baseline (`lost`) or only the candidate (`won`) is right on one.
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
        Check { rule, model: "m".to_string(), set: "clean".to_string(), evidence: Evidence::Paired(Box::new(found)) }
    }

    fn outcomes(checks: Vec<Check>) -> Vec<Outcome> {
        decide(checks).unwrap().into_iter().map(|decided| decided.outcome).collect()
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
        // The facts' reference: 6 : 10 in 1,000 clusters of three has the one-sided lower end -0.00379.
        let found = check(Rule::MaxRegression(0.5), 1000, 10, 6);
        assert!((found.paired().unwrap().drop_ends().high - 0.00379).abs() < 6e-6);
        alone(0.5, 1000, 10, 6, Outcome::Passed);
        alone(0.3, 1000, 10, 6, Outcome::Inconclusive);
        // 100 of 3,000 lost: 3.3 points, certainly more than 1 and not certainly more than 3.
        alone(1.0, 1000, 100, 0, Outcome::Failed);
        alone(3.0, 1000, 100, 0, Outcome::Inconclusive);
        alone(5.0, 1000, 100, 0, Outcome::Passed);
    }

    #[test]
    fn a_drop_beyond_the_margin_that_is_not_significant_is_inconclusive() {
        // 5 of 5 clusters: p = 2^-5, which 16 checks of that kind do not leave under 0.05.
        let one = || check(Rule::MaxDrop(0.01), 6, 5, 0);
        assert_eq!(outcomes(vec![one()]), [Outcome::Failed]);
        assert!(outcomes(vec![one(); 16]).iter().all(|outcome| *outcome == Outcome::Inconclusive));
    }

    #[test]
    fn sixteen_checks_are_corrected_and_those_that_cannot_fail_cost_nothing() {
        let drop = || check(Rule::MaxRegression(0.0), 1000, 7, 0);
        assert_eq!(outcomes(vec![drop()]), [Outcome::Failed]);
        // 2^-7 * 16 is over 0.05.
        assert!(outcomes(vec![drop(); 16]).iter().all(|outcome| *outcome == Outcome::Passed));
        let mut checks = vec![check(Rule::MaxRegression(0.0), 1000, 0, 0); 15];
        checks.push(drop());
        let decided = decide(checks).unwrap();
        assert_eq!((decided[15].outcome, decided[15].tests), (Outcome::Failed, 1));
        assert!((decided[15].p.unwrap() - 2f64.powi(-7)).abs() < 1e-15);
        assert_eq!((decided[0].outcome, decided[0].p), (Outcome::Passed, None));
    }

    #[test]
    fn a_test_that_could_not_fail_is_no_pass() {
        alone(0.0, 4, 4, 0, Outcome::Inconclusive);
        alone(0.0, 4, 0, 4, Outcome::Passed);
        alone(1.0, 1, 1, 0, Outcome::Inconclusive);
        alone(50.0, 1, 1, 0, Outcome::Inconclusive);
    }

    #[test]
    fn a_drop_of_a_model_that_guesses_says_nothing() {
        let mut guessing = check(Rule::MaxDrop(5.0), 1000, 10, 6);
        let Evidence::Paired(found) = &mut guessing.evidence else { unreachable!() };
        found.meaningless = Some("it guesses".to_string());
        assert_eq!(outcomes(vec![guessing]), [Outcome::Inconclusive]);
    }

    #[test]
    fn an_accuracy_is_the_estimate_against_the_bound_and_nothing_is_never_enough() {
        let accuracy = |percent: f64, count: u64, total: u64| {
            let clusters = (0..total).map(|row| (u64::from(row < count), 1));
            let evidence = Evidence::Accuracy(ClusteredAccuracy::of_counts(clusters));
            outcomes(vec![Check { rule: Rule::FailUnder(percent), model: "m".to_string(), set: "clean".to_string(), evidence }])[0]
        };
        assert_eq!(accuracy(84.9, 849, 1000), Outcome::Passed);
        assert_eq!(accuracy(84.9, 848, 1000), Outcome::Failed);
        assert_eq!(accuracy(100.0, 10, 10), Outcome::Passed);
        assert_eq!(accuracy(1.0, 0, 0), Outcome::Failed);
        let nothing = Check { evidence: check(Rule::MaxDrop(0.0), 0, 0, 0).evidence, ..check(Rule::MaxDrop(0.0), 1, 0, 0) };
        assert_eq!(outcomes(vec![nothing]), [Outcome::Failed]);
    }
}
