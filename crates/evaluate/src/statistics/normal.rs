//! The standard normal distribution.

use statrs::distribution::{ContinuousCDF, Normal};

/// The quantile of the standard normal distribution at this probability.
pub(crate) fn quantile(probability: f64) -> f64 {
    Normal::standard().inverse_cdf(probability)
}

/// The cumulative distribution function at `z`.
#[cfg(test)]
pub(crate) fn below(z: f64) -> f64 {
    Normal::standard().cdf(z)
}

/// The half-width in standard errors of a two-sided interval at this confidence level.
pub(crate) fn two_sided(confidence: f64) -> f64 {
    // From the small tail, where floating-point numbers are most precise.
    -quantile((1.0 - confidence) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_match_scipy() {
        // scipy.stats.norm.ppf([0.975, 0.8, 0.9995])
        let check = |probability, expected: f64| assert!((quantile(probability) - expected).abs() < 1e-12, "{probability}");
        check(0.975, 1.959963984540054);
        check(0.8, 0.8416212335729143);
        check(0.9995, 3.2905267314919255);
        assert!((two_sided(0.95) - 1.959963984540054).abs() < 1e-12);
        assert!((below(1.959963984540054) - 0.975).abs() < 1e-10);
    }
}
