//! Welch's t test for the means of two samples, such as the accuracies of the seeds of two training methods.

use super::{CONFIDENCE, Interval, StatisticsError};
use crate::statistics::runs::Spread;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The difference of two means, the first minus the second, with unequal variances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Welch {
    /// The difference of the means.
    pub difference: f64,
    /// Its 95 % interval.
    pub interval: Interval,
    /// The two-sided p value.
    pub p: f64,
    /// Welch and Satterthwaite's degrees of freedom.
    pub degrees_of_freedom: f64,
}

impl Welch {
    /// Compares two samples of at least two values each; `None` if neither varies.
    pub fn of(first: &[f64], second: &[f64]) -> Result<Option<Welch>, StatisticsError> {
        let (one, other) = (Spread::of(first)?, Spread::of(second)?);
        let error = |spread: Spread| spread.standard_deviation.powi(2) / spread.runs as f64;
        let (of_first, of_second) = (error(one), error(other));
        let variance = of_first + of_second;
        let share = |error: f64, spread: Spread| error * error / (spread.runs as f64 - 1.0);
        let degrees_of_freedom = variance * variance / (share(of_first, one) + share(of_second, other));
        // Accuracies that differ only by rounding have no variance.
        let scale = one.mean.abs().max(other.mean.abs());
        if variance.sqrt() <= 1e-12 * scale || !degrees_of_freedom.is_finite() {
            return Ok(None);
        }
        let Ok(student) = StudentsT::new(0.0, 1.0, degrees_of_freedom) else { return Ok(None) };
        let difference = one.mean - other.mean;
        // From the small tail, where floating-point numbers are most precise.
        let p = (2.0 * student.cdf(-(difference / variance.sqrt()).abs())).min(1.0);
        let half = -student.inverse_cdf((1.0 - CONFIDENCE) / 2.0) * variance.sqrt();
        Ok(Some(Welch { difference, interval: Interval { low: difference - half, high: difference + half }, p, degrees_of_freedom }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(first: &[f64], second: &[f64], [degrees, p, low, high]: [f64; 4]) {
        let found = Welch::of(first, second).unwrap().unwrap();
        assert!((found.degrees_of_freedom - degrees).abs() < 1e-9, "{found:?}");
        assert!((found.p - p).abs() < 1e-9, "{found:?}");
        assert!((found.interval.low - low).abs() < 1e-7 && (found.interval.high - high).abs() < 1e-7, "{found:?}");
    }

    #[test]
    fn the_test_matches_scipy() {
        // scipy.stats.ttest_ind(first, second, equal_var=False): df, pvalue and confidence_interval()
        let second = [0.853, 0.858, 0.849, 0.861];
        check(&[0.842, 0.846, 0.851], &second, [4.837761600680104, 0.06356183293504461, -0.018577152080763248, 0.0007438187474299146]);
        let (first, second) = ([1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
        check(&first, &second, [6.972255729794934, 0.04928433820673052, -7.983468695628832, -0.016531304371167857]);
    }

    #[test]
    fn seeds_without_variance_give_no_test() {
        assert_eq!(Welch::of(&[0.8, 0.8], &[0.9, 0.9]), Ok(None));
        assert_eq!(Welch::of(&[0.1 + 0.2, 0.3], &[0.9, 0.9]), Ok(None));
        assert!(Welch::of(&[0.8], &[0.9, 0.8]).is_err());
        assert!(Welch::of(&[0.8, 0.8], &[0.9, 0.8]).unwrap().is_some());
    }

    proptest! {
        #[test]
        fn p_and_interval_agree(
            first in prop::collection::vec(0.0f64..1.0, 2..8), second in prop::collection::vec(0.0f64..1.0, 2..8),
        ) {
            let found = Welch::of(&first, &second).unwrap().unwrap();
            let back = Welch::of(&second, &first).unwrap().unwrap();
            prop_assert!((found.difference + back.difference).abs() < 1e-12 && (found.p - back.p).abs() < 1e-9);
            prop_assert!(found.interval.contains(found.difference) && (0.0..=1.0).contains(&found.p));
            prop_assume!((found.p - 0.05).abs() > 1e-6);
            prop_assert_eq!(found.interval.contains(0.0), found.p > 0.05);
        }
    }
}
