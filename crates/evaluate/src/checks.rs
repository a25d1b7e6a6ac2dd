//! Checks for continuous integration: accuracies under a bound, and drops since an earlier report.
//!
//! Plain data in, outcomes out. Checks read [measurements](crate::measurement::Measurement), never a table that was laid out for readers.

use crate::analysis::wording::p_value;
use crate::measurement::{Measurement, Metric};
use crate::statistics::{Proportion, multiple, normal};
use acidtest_nli::Named;
use std::collections::{BTreeSet, HashMap};

/// One thing that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What was checked, such as `clean / overlap / accuracy at least 0.8`.
    pub name: String,
    /// Whether it holds.
    pub passed: bool,
    /// What was found.
    pub message: String,
}

/// The least accuracy on a set or a group.
#[derive(Debug, Clone, PartialEq)]
pub struct AccuracyBound {
    /// The name of the set, or the values of a group of it, joined by blanks.
    pub set: String,
    /// From 0 to 1.
    pub least: f64,
}

/// Why a check cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CheckError {
    /// A text that is no bound.
    #[error("`{text}` is no rule (expected SET=ACCURACY, such as negation=0.7 or clean=85%)")]
    NoBound {
        /// The text.
        text: String,
    },
    /// A bound for a set that was not measured.
    #[error("there is no set `{set}` in this report (there are: {})", .known.join(", "))]
    UnknownSet {
        /// The set.
        set: String,
        /// The sets and groups that were measured.
        known: Vec<String>,
    },
    /// An earlier report on other data.
    #[error("the set `{set}` is not the one of the earlier report: it has other ids, gold labels or texts")]
    OtherData {
        /// The set.
        set: String,
    },
    /// An earlier report by another scoring rule.
    #[error(
        "the set `{set}` is scored by the rule {now}, and in the earlier report by {before}: accuracies by two rules cannot be compared"
    )]
    OtherScoring {
        /// The set.
        set: String,
        /// The rule of this report.
        now: String,
        /// The rule of the earlier report.
        before: String,
    },
    /// An earlier report on other things.
    #[error("the earlier report has no accuracy in common with this one")]
    NothingInCommon,
}

/// As many names of sets as a message lists.
const LISTED: usize = 40;

impl AccuracyBound {
    /// Reads `SET=ACCURACY`; the accuracy is a share or a percentage.
    pub fn read(text: &str) -> Result<Self, CheckError> {
        let wrong = || CheckError::NoBound { text: text.to_string() };
        let (set, least) = text.rsplit_once('=').ok_or_else(wrong)?;
        let least = match least.strip_suffix('%') {
            Some(percent) => percent.trim().parse::<f64>().map(|percent| percent / 100.0),
            None => least.parse(),
        };
        let least = least.ok().filter(|least| (0.0..=1.0).contains(least)).ok_or_else(wrong)?;
        Ok(AccuracyBound { set: set.to_string(), least })
    }

    /// Checks the accuracy of every model.
    pub fn check(&self, measurements: &[Measurement]) -> Result<Vec<Check>, CheckError> {
        let own = accuracies(measurements).filter(|(one, _)| called(one) == self.set);
        let checks: Vec<Check> = own
            .map(|(one, counts)| Check {
                name: format!("{} at least {}", named(one), self.least),
                passed: one.value >= self.least,
                message: format!("{:.4} ({}/{})", one.value, counts.count, counts.total),
            })
            .collect();
        if checks.is_empty() {
            let known: BTreeSet<String> = accuracies(measurements).map(|(one, _)| called(one)).collect();
            return Err(CheckError::UnknownSet { set: self.set.clone(), known: known.into_iter().take(LISTED).collect() });
        }
        Ok(checks)
    }
}

/// An accuracy of the earlier report, and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct BaselineCheck {
    /// Set, group and model.
    pub name: String,
    /// The accuracy in the earlier report.
    pub before: Proportion,
    /// The accuracy now; nothing where this report has none for the model, set or group.
    pub now: Option<Proportion>,
    /// Holm's adjusted p value of a drop over all accuracies; 1 where there is nothing to test.
    pub p: f64,
}

impl BaselineCheck {
    /// Whether the accuracy has dropped, at this level.
    pub fn has_dropped(&self, alpha: f64) -> bool {
        self.p < alpha
    }

    /// The outcome at this level.
    pub fn check(&self, alpha: f64) -> Check {
        let BaselineCheck { name, before, now, p } = self;
        let message = match now {
            Some(now) => format!("{}/{} now, {}/{} before ({})", now.count, now.total, before.count, before.total, p_value(*p)),
            None => format!("missing now, {}/{} before", before.count, before.total),
        };
        Check { name: format!("no drop: {name}"), passed: now.is_some() && !self.has_dropped(alpha), message }
    }
}

/// Compares every accuracy of an earlier report with that of this one: a one-sided test of two proportions, with Holm's correction.
///
/// An earlier report keeps counts and no examples, so the test is not paired and finds only larger drops than a comparison of predictions
/// would. Models go by their names, unless both reports are on one model: that may be an older and a newer one. A set must have the same
/// content in both and be scored by the same rule; one that is missing from this report fails its check.
pub fn against_baseline<'m>(now: &'m [Measurement], before: &'m [Measurement]) -> Result<Vec<BaselineCheck>, CheckError> {
    let any_model = models(now).len() == 1 && models(before).len() == 1;
    let key = |one: &'m Measurement| (if any_model { "" } else { one.model.as_str() }, one.key());
    let mut known = HashMap::new();
    for (one, counts) in accuracies(now) {
        known.entry(key(one)).or_insert((one, counts));
    }
    let mut found: Vec<BaselineCheck> = Vec::new();
    for (other, earlier) in accuracies(before) {
        let (name, now, p) = match known.get(&key(other)) {
            Some((one, counts)) => {
                require_same_set(one, other)?;
                (named(one), Some(*counts), drop_p(earlier, *counts))
            }
            None => (named(other), None, 1.0),
        };
        found.push(BaselineCheck { name, before: earlier, now, p });
    }
    if found.iter().all(|found| found.now.is_none()) {
        return Err(CheckError::NothingInCommon);
    }
    // p values of tests are from 0 to 1, so that nothing can be wrong with them.
    let mut tested: Vec<&mut BaselineCheck> = found.iter_mut().filter(|found| found.now.is_some()).collect();
    if let Ok(adjusted) = multiple::holm(&tested.iter().map(|found| found.p).collect::<Vec<_>>()) {
        for (found, p) in tested.iter_mut().zip(adjusted) {
            found.p = p;
        }
    }
    Ok(found)
}

fn require_same_set(now: &Measurement, before: &Measurement) -> Result<(), CheckError> {
    let set = || now.set.name.clone();
    if now.set.hash != before.set.hash {
        return Err(CheckError::OtherData { set: set() });
    }
    if now.scoring != before.scoring {
        let rule = |one: &Measurement| one.scoring.map_or("(not stated)".to_string(), |scoring| scoring.name().to_string());
        return Err(CheckError::OtherScoring { set: set(), now: rule(now), before: rule(before) });
    }
    Ok(())
}

/// The accuracies with what they are shares of: of other numbers, less may be better.
fn accuracies(measurements: &[Measurement]) -> impl Iterator<Item = (&Measurement, Proportion)> {
    let own = measurements.iter().filter(|one| one.metric == Metric::Accuracy);
    own.filter_map(|one| one.counts.map(|counts| (one, counts)))
}

fn models(measurements: &[Measurement]) -> BTreeSet<&str> {
    accuracies(measurements).map(|(one, _)| one.model.as_str()).collect()
}

/// What a bound calls the examples: the set where they are all of it, else the values of their group.
fn called(one: &Measurement) -> String {
    match one.group.is_empty() {
        true => one.set.name.clone(),
        false => one.group.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(" "),
    }
}

fn named(one: &Measurement) -> String {
    format!("{} / {} / {}", one.place(), one.model, one.metric.name())
}

fn drop_p(before: Proportion, now: Proportion) -> f64 {
    let (n, m) = (before.total as f64, now.total as f64);
    let pooled = (before.count + now.count) as f64 / (n + m);
    let error = (pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m)).sqrt();
    if error == 0.0 {
        return 1.0;
    }
    let drop = before.count as f64 / n - now.count as f64 / m;
    1.0 - normal::below(drop / error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::{SetId, Subject};
    use crate::scoring::Scoring;

    /// Accuracies on sets of 100 examples whose content is the given number.
    fn measured(model: &str, sets: &[(&str, u64, u32)]) -> Vec<Measurement> {
        let one = |(name, count, content): &(&str, u64, u32)| {
            let set = SetId { name: name.to_string(), group: Vec::new(), hash: content.to_string() };
            let subject = Subject { model, set: &set, scoring: Some(Scoring::ThreeWay) };
            // A share of errors, which may well rise.
            let errors = subject.share(Metric::Followed, Proportion { count: 100 - count, total: 100 });
            [subject.share(Metric::Accuracy, Proportion { count: *count, total: 100 }), errors].map(Option::unwrap)
        };
        sets.iter().flat_map(one).collect()
    }

    #[test]
    fn only_accuracies_can_drop() {
        let dropped = |now: u64, before: u64| {
            let found = against_baseline(&measured("m", &[("clean", now, 1)]), &measured("m", &[("clean", before, 1)])).unwrap();
            found.iter().filter(|found| found.has_dropped(0.05)).count()
        };
        assert_eq!((dropped(99, 40), dropped(40, 99)), (0, 1));
    }

    #[test]
    fn other_data_are_refused_by_the_name_of_the_set() {
        let now = measured("m", &[("clean", 90, 1), ("negation", 80, 2)]);
        let error = against_baseline(&now, &measured("m", &[("clean", 90, 1), ("negation", 80, 3)])).unwrap_err();
        assert_eq!(error.to_string(), "the set `negation` is not the one of the earlier report: it has other ids, gold labels or texts");
        let error = against_baseline(&now, &measured("m", &[("spelling", 80, 3)])).unwrap_err();
        assert_eq!(error, CheckError::NothingInCommon);
    }

    #[test]
    fn a_set_that_is_missing_now_fails_its_check() {
        let (now, before) = (measured("m", &[("clean", 90, 1)]), measured("m", &[("clean", 90, 1), ("negation", 80, 2)]));
        let checks: Vec<Check> = against_baseline(&now, &before).unwrap().iter().map(|found| found.check(0.05)).collect();
        let outcome = |check: &Check| (check.name.clone(), check.passed, check.message.clone());
        assert_eq!(
            checks.iter().map(outcome).collect::<Vec<_>>(),
            [
                ("no drop: clean / m / accuracy".to_string(), true, "90/100 now, 90/100 before (p = 0.5000)".to_string()),
                ("no drop: negation / m / accuracy".to_string(), false, "missing now, 80/100 before".to_string()),
            ]
        );
        // What the earlier report did not measure is no drop.
        assert_eq!(against_baseline(&before, &now).unwrap().len(), 1);
    }

    #[test]
    fn a_baseline_by_another_scoring_rule_is_refused() {
        let (now, mut before) = (measured("m", &[("clean", 68, 1)]), measured("m", &[("clean", 90, 1)]));
        before.iter_mut().for_each(|one| one.scoring = Some(Scoring::MergedAnswers));
        let error = against_baseline(&now, &before).unwrap_err().to_string();
        assert!(
            error.starts_with("the set `clean` is scored by the rule three-way, and in the earlier report by merged-answers"),
            "{error}"
        );
        assert!(error.ends_with("cannot be compared"), "{error}");
    }

    #[test]
    fn a_tiny_p_value_is_told_as_a_bound() {
        let found = against_baseline(&measured("m", &[("clean", 1, 1)]), &measured("m", &[("clean", 99, 1)])).unwrap();
        assert_eq!(found[0].check(0.05).message, "1/100 now, 99/100 before (p < 0.001)");
    }

    #[test]
    fn models_go_by_name_where_there_are_several() {
        let (old, new) = (measured("old.csv", &[("all", 90, 1)]), measured("new.csv", &[("all", 40, 1)]));
        assert!(!against_baseline(&new, &old).unwrap()[0].check(0.05).passed);
        let both: Vec<Measurement> = old.iter().chain(&new).cloned().collect();
        assert_eq!(against_baseline(&both, &old).unwrap().len(), 1);
        assert_eq!(against_baseline(&both, &both).unwrap().len(), 2);
        let without: Vec<bool> = against_baseline(&old, &both).unwrap().iter().map(|found| found.check(0.05).passed).collect();
        assert_eq!(without, [true, false]);
    }

    #[test]
    fn a_bound_is_for_a_set_or_for_a_group() {
        let mut found = measured("m", &[("clean", 90, 1)]);
        found.push(found[0].clone().of_group(["genre", "gold"], &["fiction".to_string(), "neutral".to_string()]));
        let check = |text: &str| AccuracyBound::read(text).unwrap().check(&found);
        let passed = |text: &str| check(text).unwrap().iter().map(|check| check.passed).collect::<Vec<_>>();
        assert_eq!((passed("clean=0.9"), passed("clean=91%"), passed("fiction neutral=0.2")), (vec![true], vec![false], vec![true]));
        let names = check("fiction neutral=0.2").unwrap();
        assert_eq!(names[0].name, "clean / genre fiction / gold neutral / m / accuracy at least 0.2");
        let error = check("negation=0.5").unwrap_err().to_string();
        assert_eq!(error, "there is no set `negation` in this report (there are: clean, fiction neutral)");
        for wrong in ["clean", "clean=1.5", "clean=x", "clean=-1%"] {
            assert!(AccuracyBound::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_drop_is_told_from_noise() {
        // statsmodels.stats.proportion.proportions_ztest([900, 850], [1000, 1000], alternative="larger")
        let p = drop_p(Proportion { count: 900, total: 1000 }, Proportion { count: 850, total: 1000 });
        assert!((p - 0.00036161635821507776_f64).abs() < 1e-10, "{p}");
        let p = drop_p(Proportion { count: 850, total: 1000 }, Proportion { count: 900, total: 1000 });
        assert!(p > 0.99);
    }
}
