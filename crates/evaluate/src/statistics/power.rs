//! How small a difference between two systems a set of a given size can show.
//!
//! McNemar's test under the normal distribution, by the formula of Connor (1987, Biometrics 43:207-211). With `n` rows, of which a share
//! `d` is discordant, a true difference of accuracies `x` is found at two-sided level `alpha` with power `1 - beta` when
//!
//! ```text
//! x sqrt(n) = z(1 - alpha/2) sqrt(d) + z(1 - beta) sqrt(d - x^2)
//! ```
//!
//! which is a quadratic equation in `x`. The exact test has a little less power than this (0.794 instead of 0.8 with 9,815 rows of which a
//! tenth is discordant, 0.776 with 200 rows and three tenths), the mid-p test about as much.

use super::error::open_unit;
use super::{StatisticsError, normal};

/// What a test is planned with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// The two-sided level of significance.
    pub alpha: f64,
    /// With what probability a true difference is to be found; over one half.
    pub power: f64,
}

impl Default for Plan {
    fn default() -> Self {
        Plan { alpha: 0.05, power: 0.8 }
    }
}

/// The smallest true difference of accuracies that so many rows with this share of discordant ones can be expected to show.
///
/// `None` where even the largest difference that the discordance allows (all discordant rows on one side) is too small to be seen.
pub fn minimum_detectable(rows: u64, discordance: f64, plan: Plan) -> Result<Option<f64>, StatisticsError> {
    let (level, power) = quantiles(plan)?;
    let discordance = share(discordance)?;
    let rows = rows as f64;
    let inside = rows + power * power - level * level;
    if inside < 0.0 {
        return Ok(None);
    }
    let difference = discordance.sqrt() * (level * rows.sqrt() + power * inside.sqrt()) / (rows + power * power);
    Ok((difference > 0.0 && difference <= discordance).then_some(difference))
}

/// The smallest true difference of accuracies that as many independent examples can be expected to show, in closed form: the solution of
/// `x² = k (d - x²)` with `k = (z(1 - alpha/2) + z(1 - beta))² / n`.
///
/// `None` where even the largest difference that the discordance allows is too small to be seen.
pub fn detectable(rows: f64, discordance: f64, plan: Plan) -> Result<Option<f64>, StatisticsError> {
    let (level, power) = quantiles(plan)?;
    let discordance = share(discordance)?;
    let k = (level + power).powi(2) / rows;
    let difference = (k * discordance / (1.0 + k)).sqrt();
    Ok((difference > 0.0 && difference <= discordance).then_some(difference))
}

/// With what probability so many rows with this share of discordant ones show a true difference of accuracies.
pub fn power(rows: u64, discordance: f64, difference: f64, alpha: f64) -> Result<f64, StatisticsError> {
    let level = normal::quantile(1.0 - open_unit("alpha", alpha)? / 2.0);
    let discordance = share(discordance)?;
    let difference = difference.abs();
    if difference.is_nan() || difference > discordance {
        let range = "within the share of discordant rows";
        return Err(StatisticsError::OutOfRange { what: "difference", value: difference, position: 1, range });
    }
    let reach = difference * (rows as f64).sqrt() - level * discordance.sqrt();
    let spread = (discordance - difference * difference).sqrt();
    if spread == 0.0 {
        return Ok(if reach > 0.0 { 1.0 } else { 0.0 });
    }
    Ok(normal::below(reach / spread))
}

/// The quantiles that stand for level and power.
fn quantiles(plan: Plan) -> Result<(f64, f64), StatisticsError> {
    let alpha = open_unit("alpha", plan.alpha)?;
    if !(plan.power > 0.5 && plan.power < 1.0) {
        let range = "between one half and 1, both left out";
        return Err(StatisticsError::OutOfRange { what: "power", value: plan.power, position: 1, range });
    }
    Ok((normal::quantile(1.0 - alpha / 2.0), normal::quantile(plan.power)))
}

/// A share from 0 to 1, both included.
fn share(discordance: f64) -> Result<f64, StatisticsError> {
    if (0.0..=1.0).contains(&discordance) {
        return Ok(discordance);
    }
    Err(StatisticsError::OutOfRange { what: "discordance", value: discordance, position: 1, range: "from 0 to 1" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_formula_is_met() {
        // scipy.optimize.brentq(lambda x: x * sqrt(n) - norm.ppf(.975) * sqrt(d) - norm.ppf(.8) * sqrt(d - x * x), 0, d)
        // with n, d = 9815, 0.1 and 200, 0.3
        for (rows, discordance, expected) in [(9815, 0.1, 0.008941420482638093), (200, 0.3, 0.10786657961449506)] {
            let found = minimum_detectable(rows, discordance, Plan::default()).unwrap().unwrap();
            assert!((found - expected).abs() < 1e-10, "{rows}: {found}");
        }
    }

    #[test]
    fn five_rows_show_nothing() {
        assert_eq!(minimum_detectable(5, 0.5, Plan::default()), Ok(None));
        assert_eq!(minimum_detectable(0, 0.5, Plan::default()), Ok(None));
        assert_eq!(minimum_detectable(1000, 0.0, Plan::default()), Ok(None));
    }

    #[test]
    fn a_power_of_a_half_is_refused() {
        let error = minimum_detectable(5, 0.5, Plan { power: 0.5, ..Plan::default() }).unwrap_err();
        assert_eq!(error.to_string(), "power 0.5 (number 1): it must lie between one half and 1, both left out");
    }

    proptest! {
        #[test]
        fn the_detectable_difference_has_the_power_asked_for(rows in 30u64..100_000, discordance in 0.3f64..1.0, asked in 0.55f64..0.99) {
            let found = minimum_detectable(rows, discordance, Plan { alpha: 0.05, power: asked }).unwrap();
            let Some(difference) = found else { return Err(TestCaseError::reject("too few rows")) };
            let reached = power(rows, discordance, difference, 0.05).unwrap();
            prop_assert!((reached - asked).abs() < 1e-9, "{reached}");
        }
    }
}
