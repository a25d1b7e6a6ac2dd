//! Two systems on the same examples: paired counts and the difference between accuracies.

use super::error::same_length;
use super::interval::{CONFIDENCE, Interval};
use super::{StatisticsError, mcnemar, normal};

/// How many examples both, one or neither of two systems got right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairedCounts {
    /// Examples that both got right.
    pub both: u64,
    /// Examples that only the first got right.
    pub first_only: u64,
    /// Examples that only the second got right.
    pub second_only: u64,
    /// Examples that both got wrong.
    pub neither: u64,
}

impl PairedCounts {
    /// Counts the outcomes of two systems on the same examples in the same order.
    pub fn of(first: &[bool], second: &[bool]) -> Result<Self, StatisticsError> {
        same_length("predictions of the second model", first.len(), second.len())?;
        let mut counts = PairedCounts::default();
        for (&first, &second) in first.iter().zip(second) {
            match (first, second) {
                (true, true) => counts.both += 1,
                (true, false) => counts.first_only += 1,
                (false, true) => counts.second_only += 1,
                (false, false) => counts.neither += 1,
            }
        }
        Ok(counts)
    }

    /// All examples.
    pub fn total(self) -> u64 {
        self.both + self.discordant() + self.neither
    }

    /// The number of discordant examples, which exactly one got right.
    pub fn discordant(self) -> u64 {
        self.first_only + self.second_only
    }

    /// The share of discordant examples; 0 without examples.
    pub fn discordance(self) -> f64 {
        self.discordant() as f64 / self.total().max(1) as f64
    }

    /// The first system's accuracy minus the second's; 0 without examples.
    pub fn difference(self) -> f64 {
        (self.first_only as f64 - self.second_only as f64) / self.total().max(1) as f64
    }

    /// The exact two-sided McNemar p value.
    pub fn exact_p(self) -> f64 {
        mcnemar::exact(self.first_only, self.second_only)
    }

    /// The two-sided mid-p McNemar p value.
    pub fn mid_p(self) -> f64 {
        mcnemar::mid_p(self.first_only, self.second_only)
    }

    /// The 95 % interval of the difference, by [`PairedCounts::agresti_min_at`].
    pub fn interval(self) -> Interval {
        self.agresti_min_at(CONFIDENCE)
    }

    /// The interval of the difference after half an example is added to each of the four counts (Agresti and Min 2005).
    ///
    /// It keeps its level with few examples and has a positive width even without discordant examples; with many examples it equals
    /// [`PairedCounts::wald_at`].
    pub fn agresti_min_at(self, confidence: f64) -> Interval {
        let total = self.total() as f64 + 2.0;
        let difference = (self.first_only as f64 - self.second_only as f64) / total;
        let variance = ((self.discordant() as f64 + 1.0) / total - difference * difference) / total;
        around(difference, variance, confidence)
    }

    /// The normal interval of the mean difference; a single point with fewer than two examples.
    pub fn wald_at(self, confidence: f64) -> Interval {
        let total = self.total() as f64;
        let difference = self.difference();
        if total < 2.0 {
            return Interval { low: difference, high: difference };
        }
        let variance = (self.discordance() - difference * difference) / (total - 1.0);
        around(difference, variance, confidence)
    }
}

/// The normal interval around a difference of two rates, within -1 and 1.
fn around(difference: f64, variance: f64, confidence: f64) -> Interval {
    let half = normal::two_sided(confidence) * variance.max(0.0).sqrt();
    Interval { low: (difference - half).max(-1.0), high: (difference + half).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COUNTS: PairedCounts = PairedCounts { both: 60, first_only: 21, second_only: 9, neither: 10 };

    #[test]
    fn outcomes_are_counted() {
        let found = PairedCounts::of(&[true, true, false, false, false], &[true, false, true, false, false]);
        assert_eq!(found, Ok(PairedCounts { both: 1, first_only: 1, second_only: 1, neither: 2 }));
    }

    #[test]
    fn a_missing_outcome_is_an_error() {
        let error = PairedCounts::of(&[true, true], &[true]).unwrap_err();
        assert_eq!(error.to_string(), "1 predictions of the second model for 2 rows: there must be one for every row");
    }

    #[test]
    fn wald_matches_statsmodels() {
        // d = [1] * 21 + [-1] * 9 + [0] * 70
        // statsmodels.stats.weightstats.DescrStatsW(d).zconfint_mean(alpha=0.05)
        let found = COUNTS.wald_at(0.95);
        assert!((found.low - 0.014728794732427927).abs() < 1e-12 && (found.high - 0.22527120526757205).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn agresti_and_min_add_half_an_example_to_each_count() {
        // b, c, n = 21.5, 9.5, 102; d = (b - c) / n; s = sqrt((b + c) / n - d * d) / sqrt(n); d -+ scipy.stats.norm.ppf(0.975) * s
        let found = COUNTS.interval();
        assert!((found.low - 0.013125121432663159).abs() < 1e-12 && (found.high - 0.22216899621439568).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn the_interval_of_equal_systems_has_a_positive_width() {
        let counts = PairedCounts { both: 50, ..PairedCounts::default() };
        assert!(counts.interval().width() > 0.05);
        assert_eq!(counts.exact_p(), 1.0);
    }

    proptest! {
        #[test]
        fn swapping_the_systems_mirrors_everything(both in 0u64..99, first_only in 0u64..99, second_only in 0u64..99, neither in 0u64..99) {
            let counts = PairedCounts { both, first_only, second_only, neither };
            let swapped = PairedCounts { first_only: second_only, second_only: first_only, ..counts };
            prop_assert_eq!(counts.difference(), -swapped.difference());
            prop_assert!((counts.interval().low + swapped.interval().high).abs() < 1e-12);
            prop_assert_eq!(counts.exact_p(), swapped.exact_p());
            prop_assert!(counts.wald_at(0.9).contains(counts.difference()));
        }
    }
}
