//! What a check asks and what was found, in words.

use super::{Check, Decided, Evidence, LEVEL, Outcome, PairedEvidence, Rule};
use crate::analysis::wording::counted;
use crate::statistics::{Interval, Proportion};

impl Outcome {
    /// The outcome in lists.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Passed => "passed",
            Outcome::Inconclusive => "inconclusive",
            Outcome::Failed => "failed",
        }
    }
}

impl Check {
    /// What is asked: `mine on negation: must not drop by more than 5 points`.
    pub fn asked(&self) -> String {
        format!("{} on {}: {}", self.model, self.set, self.rule.asked())
    }
}

impl Rule {
    fn asked(self) -> String {
        match self {
            Rule::FailUnder(percent) => format!("accuracy of at least {percent} %"),
            Rule::MaxDrop(0.0) => "no significant drop from the original examples".to_string(),
            Rule::MaxDrop(margin) => format!("must not drop by more than {} from the original examples", in_points(margin)),
            Rule::MaxRegression(0.0) => "no significant drop from the baseline".to_string(),
            Rule::MaxRegression(margin) => format!("must not drop by more than {} from the baseline", in_points(margin)),
        }
    }
}

fn in_points(number: f64) -> String {
    format!("{number} point{}", if number == 1.0 { "" } else { "s" })
}

impl Decided {
    /// What was found: figures, interval, p value, and what they rest on.
    pub fn found(&self) -> String {
        let Decided { check, outcome, .. } = self;
        if check.examples() == 0 {
            return "there is no labelled example to check".to_string();
        }
        let basis = format!("{} in {}", counted(check.examples() as usize, "example"), counted(check.clusters() as usize, "cluster"));
        match &check.evidence {
            Evidence::Accuracy(found) => {
                let (share, interval) = (found.proportion(), found.interval());
                let interval = format!("[{}, {}]", points(interval.low), points(interval.high));
                format!("{} ({}/{}) {interval}, {basis}", percent(share), share.count, share.total)
            }
            Evidence::Paired(found) if found.identical => {
                format!("predictions identical to those of the baseline ({}), {basis}", percent(found.now))
            }
            Evidence::Paired(found) => {
                let end = match (outcome, &found.meaningless) {
                    (_, Some(why)) => format!("; {why}"),
                    (Outcome::Passed, _) if check.rule.number() == 0.0 => {
                        format!("; a drop of {} points is not excluded", points(found.drop_ends().high.max(0.0)))
                    }
                    (Outcome::Inconclusive, _) if check.rule.number() == 0.0 && self.p.is_some() => {
                        format!("; losing all {} clusters would not be significant among {} tests", check.clusters(), self.tests)
                    }
                    _ => String::new(),
                };
                format!("{}, {}, {}, {basis}{end}", change(found), ends(found), self.p_in_words(found))
            }
        }
    }

    fn p_in_words(&self, found: &PairedEvidence) -> String {
        let p = found.difference.p_of_drop();
        let words = match self.p {
            Some(adjusted) if self.tests > 1 && p_value(adjusted) == p_value(p) => {
                format!("{}, also with Hochberg's correction for {} tests", p_value(p), self.tests)
            }
            Some(adjusted) if self.tests > 1 => {
                format!("{}, with Hochberg's correction for {} tests {}", p_value(p), self.tests, p_value(adjusted))
            }
            _ => p_value(p),
        };
        let differing = found.difference.differing_clusters();
        if 0.5f64.powi(i32::try_from(differing).unwrap_or(i32::MAX)) < LEVEL {
            return words;
        }
        let differ = if differing == 1 { "differs" } else { "differ" };
        format!("{words} (only {} {differ}, so that 0.05 cannot be reached)", counted(differing as usize, "cluster"))
    }
}

/// The two accuracies.
fn levels(found: &PairedEvidence) -> String {
    format!("{} -> {}", percent(found.before), percent(found.now))
}

fn percent(share: Proportion) -> String {
    format!("{} %", points(share.rate().unwrap_or(0.0)))
}

/// A share or a difference of shares in points: two digits, as bounds and margins may be close.
fn points(share: f64) -> String {
    let text = format!("{:.2}", 100.0 * share);
    if text == "-0.00" { "0.00".to_string() } else { text }
}

fn change(found: &PairedEvidence) -> String {
    let (drop, levels) = (found.drop(), levels(found));
    match drop {
        drop if drop > 0.0 => format!("drops by {} points ({levels})", points(drop)),
        drop if drop < 0.0 => format!("rises by {} points ({levels})", points(-drop)),
        _ => format!("no difference ({levels})"),
    }
}

/// The one-sided ends of the drop, or of the rise.
fn ends(found: &PairedEvidence) -> String {
    if found.difference.clusters() == 1 {
        return "interval not estimable from one cluster".to_string();
    }
    // In the direction that the change is told in.
    let Interval { low, high } = if found.drop() < 0.0 { found.difference.one_sided_ends() } else { found.drop_ends() };
    format!("within [{}, {}] (one-sided 95 % each)", points(low), points(high))
}

/// A p value as papers have it.
fn p_value(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_string() } else { format!("p = {p:.3}") }
}
