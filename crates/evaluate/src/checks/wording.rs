//! Requirements and evidence of checks, in words.

use super::{Checked, LEVEL, Outcome, PairedResult, Rule};
use crate::analysis::wording::{counted, grouped, p_value, points};
use crate::report::IntervalMark;
use crate::statistics::{Interval, Proportion};

impl Outcome {
    /// The outcome as a word.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Passed => "passed",
            Outcome::Inconclusive => "inconclusive",
            Outcome::Failed => "failed",
        }
    }
}

impl Checked<'_> {
    /// What is asked: `mine on negation: must not drop by more than 5 points`.
    pub fn asked(self) -> String {
        let group = self.measured.group.iter().map(|(name, value)| format!("/{name}={value}")).collect::<String>();
        format!("{} on {}{group}: {}", self.measured.model, self.measured.set.name, self.result.rule.asked())
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

impl Checked<'_> {
    /// What was found: figures, interval, p value, and what they rest on.
    pub fn found(self) -> String {
        let (true, Some(now)) = (self.examples() > 0, self.measured.counts) else {
            return "there is no labelled example to check".to_string();
        };
        let basis = format!("{} in {}", counted(self.examples() as usize, "example"), counted(self.clusters() as usize, "cluster"));
        match &self.result.paired {
            None => {
                let accuracy = self.points(now.rate().unwrap_or(0.0));
                format!("{accuracy} % ({}/{}){}, {basis}", grouped(now.count), grouped(now.total), self.interval())
            }
            Some(found) if found.identical => {
                format!("predictions identical to those of the baseline ({}), {basis}", percent(now))
            }
            Some(found) => {
                let without_margin = self.result.rule.number() == 0.0;
                let end = match (self.result.outcome, &found.meaningless, found.one_sided) {
                    (_, Some(why), _) => format!("; {why}"),
                    (Outcome::Passed, _, Some(ends)) if without_margin && ends.high <= 0.0 => "; any drop is excluded".to_string(),
                    (Outcome::Passed, _, Some(ends)) if without_margin => {
                        format!("; a drop of {} points cannot be ruled out", self.points(ends.high))
                    }
                    (Outcome::Inconclusive, ..) if without_margin && self.measured.p.is_some() => {
                        format!(
                            "; even errors in all {} clusters would not be significant among {} tests",
                            grouped(self.clusters()),
                            found.tests
                        )
                    }
                    _ => String::new(),
                };
                format!("{}, {}, {}, {basis}{end}", self.change(found, now), self.ends(found), self.p_in_words(found))
            }
        }
    }

    /// A figure of this check, in points.
    fn points(self, share: f64) -> String {
        beside(self.result.rule.number(), share)
    }

    /// The interval of an accuracy with what must be known of it, or that there is none.
    fn interval(self) -> String {
        let written = |Interval { low, high }: Interval| format!("[{}, {}]", self.points(low), self.points(high));
        match (self.measured.interval, self.measured.mark, &self.measured.within_cluster) {
            (Some(found), Some(IntervalMark::FewClusters(clusters)), _) => format!(" {} from {clusters} clusters", written(found)),
            (Some(found), Some(IntervalMark::Rough), _) => format!(" {} (approximate)", written(found)),
            (Some(found), ..) => format!(" {}", written(found)),
            (None, _, Some(within)) => {
                format!(", interval not estimable from one cluster (within it {})", written(within.interval()))
            }
            (None, ..) => String::new(),
        }
    }

    fn p_in_words(self, found: &PairedResult) -> String {
        let p = found.p_alone;
        let words = match self.measured.p {
            Some(adjusted) if found.tests > 1 && p_value(adjusted) == p_value(p) => {
                format!("{} with and without Hochberg correction for {} tests", p_value(p), found.tests)
            }
            Some(adjusted) if found.tests > 1 => {
                format!("{}, with Hochberg correction for {} tests {}", p_value(p), found.tests, p_value(adjusted))
            }
            _ => p_value(p),
        };
        let differing = found.differing_clusters;
        if 0.5f64.powi(i32::try_from(differing).unwrap_or(i32::MAX)) < LEVEL {
            return words;
        }
        let differ = match differing {
            0 => "no cluster differs".to_string(),
            1 => "only 1 cluster differs".to_string(),
            _ => format!("only {differing} clusters differ"),
        };
        format!("{words} ({differ}, so p < 0.05 is impossible)")
    }

    /// By how much accuracy changes, with both accuracies.
    fn change(self, found: &PairedResult, now: Proportion) -> String {
        let levels = format!("{} -> {}", percent(found.before), percent(now));
        match self.measured.value {
            drop if drop > 0.0 => format!("drops by {} points ({levels})", self.points(drop)),
            drop if drop < 0.0 => format!("rises by {} points ({levels})", self.points(-drop)),
            _ => format!("no difference ({levels})"),
        }
    }

    /// The one-sided ends of the drop, or of the rise.
    fn ends(self, found: &PairedResult) -> String {
        let Some(ends) = found.one_sided else { return "interval not estimable from one cluster".to_string() };
        // In the direction in which the change is reported.
        let Interval { low, high } = if self.measured.value < 0.0 { Interval { low: -ends.high, high: -ends.low } } else { ends };
        format!("within [{}, {}] (one-sided 95 % each)", self.points(low), self.points(high))
    }
}

/// An accuracy in percent.
fn percent(share: Proportion) -> String {
    format!("{} %", points(share.rate().unwrap_or(0.0)))
}

/// A share or a difference of shares in points: with one decimal, or two where one would hide on which side of the limit it is.
fn beside(limit: f64, share: f64) -> String {
    let written = points(share);
    let hides = written.parse() == Ok(limit) && (100.0 * share - limit).abs() > 1e-9;
    match (hides, format!("{:.2}", 100.0 * share)) {
        (true, exact) if exact != "-0.00" => exact,
        _ => written,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_close_to_the_limit_has_two_decimals() {
        assert_eq!(beside(90.0, 0.8996), "89.96");
        assert_eq!(beside(90.0, 0.9), "90.0");
        assert_eq!(beside(90.0, 0.8), "80.0");
        assert_eq!(beside(0.0, 0.0003), "0.03");
        assert_eq!(beside(0.0, -0.000001), "0.0");
    }
}
