//! Proportions and their intervals for independent examples.

use super::normal;
use serde::{Deserialize, Serialize};

/// The default confidence level.
pub const CONFIDENCE: f64 = 0.95;

/// An interval of a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Whether the value lies in the interval, ends included.
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The distance from end to end.
    pub fn width(self) -> f64 {
        self.high - self.low
    }
}

/// A count out of a total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proportion {
    /// The number of items with the property.
    pub count: u64,
    /// The number of items.
    pub total: u64,
}

impl Proportion {
    /// Counts the values that are true.
    pub fn of(rows: &[bool]) -> Self {
        Proportion { count: rows.iter().filter(|&&row| row).count() as u64, total: rows.len() as u64 }
    }

    /// The share; `None` if the total is 0.
    pub fn rate(self) -> Option<f64> {
        (self.total > 0).then(|| self.count as f64 / self.total as f64)
    }

    /// Wilson's score interval with 95 % confidence; from 0 to 1 if the total is 0.
    pub fn wilson(self) -> Interval {
        self.wilson_at(CONFIDENCE)
    }

    /// Wilson's score interval: the rates that a score test of this confidence does not reject.
    ///
    /// It stays within 0 and 1 and has a positive width even if all or none have the property. A confidence outside 0 to 1 is clamped:
    /// 0 gives the rate alone, 1 the whole range.
    pub fn wilson_at(self, confidence: f64) -> Interval {
        let Some(rate) = self.rate() else { return Interval { low: 0.0, high: 1.0 } };
        if confidence >= 1.0 {
            return Interval { low: 0.0, high: 1.0 };
        }
        let z = if confidence > 0.0 { normal::two_sided(confidence) } else { 0.0 };
        let total = self.total as f64;
        let shrink = 1.0 + z * z / total;
        let centre = (rate + z * z / (2.0 * total)) / shrink;
        let half = z / shrink * (rate * (1.0 - rate) / total + z * z / (4.0 * total * total)).sqrt();
        // For none and all, the ends are exactly 0 and 1; rounding must not change that.
        let low = if self.count == 0 { 0.0 } else { (centre - half).max(0.0) };
        let high = if self.count == self.total { 1.0 } else { (centre + half).min(1.0) };
        Interval { low, high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(count: u64, total: u64, confidence: f64, low: f64, high: f64) {
        let found = Proportion { count, total }.wilson_at(confidence);
        assert!((found.low - low).abs() < 1e-12 && (found.high - high).abs() < 1e-12, "{count}/{total}: {found:?}");
    }

    #[test]
    fn wilson_matches_statsmodels() {
        // statsmodels.stats.proportion.proportion_confint(count, total, alpha=1 - confidence, method="wilson")
        check(8263, 9815, 0.95, 0.8345229272065187, 0.8489589304184679);
        check(3, 10, 0.95, 0.10779126740630099, 0.6032218525388546);
        check(3, 10, 0.99, 0.07956631652306573, 0.6799753207988974);
        check(0, 20, 0.95, 0.0, 0.16112515805281938);
        check(20, 20, 0.90, 0.8808421626390355, 1.0);
    }

    #[test]
    fn without_items_the_interval_is_everything() {
        assert_eq!(Proportion::of(&[]).rate(), None);
        assert_eq!(Proportion::of(&[]).wilson(), Interval { low: 0.0, high: 1.0 });
    }

    proptest! {
        #[test]
        fn the_rate_lies_inside_and_more_confidence_is_wider(count in 0u64..500, more in 0u64..500, confidence in 0.01f64..0.98) {
            let proportion = Proportion { count, total: count + more };
            let narrow = proportion.wilson_at(confidence);
            let wide = proportion.wilson_at(confidence + 0.01);
            prop_assert!(0.0 <= wide.low && wide.low <= narrow.low && narrow.high <= wide.high && wide.high <= 1.0);
            if let Some(rate) = proportion.rate() {
                prop_assert!(narrow.contains(rate));
            }
        }

        #[test]
        fn the_interval_of_the_complement_is_mirrored(count in 0u64..500, more in 0u64..500) {
            let these = Proportion { count, total: count + more }.wilson();
            let others = Proportion { count: more, total: count + more }.wilson();
            prop_assert!((these.low - (1.0 - others.high)).abs() < 1e-12);
        }
    }
}
