//! The minimum detectable difference between two systems.

use super::error::open_unit;
use super::{StatisticsError, normal};

/// The level and power of a planned test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// The two-sided level of significance.
    pub alpha: f64,
    /// The probability of detecting a true difference; above one half.
    pub power: f64,
}

impl Default for Plan {
    fn default() -> Self {
        Plan { alpha: 0.05, power: 0.8 }
    }
}

/// The minimum detectable difference of accuracies on this many independent examples, in closed form: the solution of
/// `x² = k (d - x²)` with `k = (z(1 - alpha/2) + z(1 - beta))² / n`.
///
/// `None` if even the largest difference that the discordance allows is too small to be detected.
pub fn minimum_detectable(rows: f64, discordance: f64, plan: Plan) -> Result<Option<f64>, StatisticsError> {
    let (level, power) = quantiles(plan)?;
    let discordance = share(discordance)?;
    let k = (level + power).powi(2) / rows;
    let difference = (k * discordance / (1.0 + k)).sqrt();
    Ok((difference > 0.0 && difference <= discordance).then_some(difference))
}

/// The quantiles of level and power.
fn quantiles(plan: Plan) -> Result<(f64, f64), StatisticsError> {
    let alpha = open_unit("alpha", plan.alpha)?;
    if !(plan.power > 0.5 && plan.power < 1.0) {
        let range = "between 0.5 and 1, exclusive";
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
    fn five_examples_detect_nothing() {
        assert_eq!(minimum_detectable(5.0, 0.5, Plan::default()), Ok(None));
        assert_eq!(minimum_detectable(0.0, 0.5, Plan::default()), Ok(None));
        assert_eq!(minimum_detectable(1000.0, 0.0, Plan::default()), Ok(None));
    }

    #[test]
    fn a_power_of_a_half_is_refused() {
        let error = minimum_detectable(5.0, 0.5, Plan { power: 0.5, ..Plan::default() }).unwrap_err();
        assert_eq!(error.to_string(), "power 0.5 (number 1): it must lie between 0.5 and 1, exclusive");
    }

    proptest! {
        #[test]
        fn the_solution_satisfies_the_equation(rows in 30.0f64..100_000.0, discordance in 0.3f64..1.0, power in 0.55f64..0.99) {
            let found = minimum_detectable(rows, discordance, Plan { alpha: 0.05, power }).unwrap();
            let Some(difference) = found else { return Err(TestCaseError::reject("too few rows")) };
            // A z test of the difference with its own standard error reaches the level with this power.
            let error = ((discordance - difference * difference) / rows).sqrt();
            let reached = normal::below(difference / error - normal::quantile(0.975));
            prop_assert!((reached - power).abs() < 1e-9, "{reached}");
        }
    }
}
