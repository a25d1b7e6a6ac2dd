//! Many tests at once: p values adjusted so that each can be compared with the level as if it were the only one.

use super::StatisticsError;

/// Holm's adjusted p values, in the order given: they control the family-wise error rate under any dependence.
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>, StatisticsError> {
    let order = ascending(p_values)?;
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest: f64 = 0.0;
    for (rank, &place) in order.iter().enumerate() {
        let left = (p_values.len() - rank) as f64;
        largest = largest.max((p_values[place] * left).min(1.0));
        adjusted[place] = largest;
    }
    Ok(adjusted)
}

/// Holm's adjusted p values after Tarone (1990): tests that cannot become significant do not count towards the correction.
///
/// Each test is given as its p value and the smallest possible one. A test that cannot be significant at this level is multiplied by the number of
/// tests that could reach its p value, so that a single test keeps its own; the result is never below the level.
pub fn tarone_holm(tests: &[(f64, f64)], alpha: f64) -> Result<Vec<f64>, StatisticsError> {
    let at_level = |level: f64| tests.iter().filter(|(_, smallest)| *smallest <= level).count();
    let count = (1..=tests.len()).find(|&count| at_level(alpha / count as f64) <= count).unwrap_or(1);
    let can_pass = |smallest: f64| smallest <= alpha / count as f64;
    let kept: Vec<f64> = tests.iter().filter(|(_, smallest)| can_pass(*smallest)).map(|(p, _)| *p).collect();
    let mut adjusted = holm(&kept)?.into_iter();
    let excluded = |p: f64| (p * at_level(p).max(count) as f64).min(1.0);
    let one = |&(p, smallest): &(f64, f64)| if can_pass(smallest) { adjusted.next().unwrap_or(1.0) } else { excluded(p) };
    Ok(tests.iter().map(one).collect())
}

/// Hochberg's (1988) adjusted p values, in the order given: they control the family-wise error rate of independent or positively dependent tests.
///
/// If all p values are below the level, all are rejected, which Holm's method does not guarantee. A smaller p value never increases another one.
pub fn hochberg(p_values: &[f64]) -> Result<Vec<f64>, StatisticsError> {
    let order = ascending(p_values)?;
    let mut adjusted = vec![0.0; p_values.len()];
    let mut smallest: f64 = 1.0;
    for (rank, &place) in order.iter().enumerate().rev() {
        let left = (p_values.len() - rank) as f64;
        smallest = smallest.min(p_values[place] * left);
        adjusted[place] = smallest;
    }
    Ok(adjusted)
}

/// Benjamini and Hochberg's adjusted p values, in the order given: they control the false discovery rate of independent or positively dependent tests.
pub fn benjamini_hochberg(p_values: &[f64]) -> Result<Vec<f64>, StatisticsError> {
    let order = ascending(p_values)?;
    let mut adjusted = vec![0.0; p_values.len()];
    let mut smallest: f64 = 1.0;
    for (rank, &place) in order.iter().enumerate().rev() {
        // The factor is computed first: it is at least 1, so rounding cannot make the product smaller than the p value.
        let factor = p_values.len() as f64 / (rank + 1) as f64;
        smallest = smallest.min(p_values[place] * factor);
        adjusted[place] = smallest;
    }
    Ok(adjusted)
}

/// The indices of the p values in ascending order.
fn ascending(p_values: &[f64]) -> Result<Vec<usize>, StatisticsError> {
    if let Some(place) = p_values.iter().position(|p| !(0.0..=1.0).contains(p)) {
        let value = p_values[place];
        return Err(StatisticsError::OutOfRange { what: "p value", value, position: place + 1, range: "from 0 to 1" });
    }
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const P_VALUES: [f64; 7] = [0.01, 0.04, 0.03, 0.005, 0.55, 0.04, 0.9];

    fn check(found: Result<Vec<f64>, StatisticsError>, expected: [f64; 7]) {
        let found = found.unwrap();
        assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12), "{found:?}");
    }

    #[test]
    fn holm_matches_statsmodels() {
        // statsmodels.stats.multitest.multipletests(P_VALUES, method="holm")[1]
        check(holm(&P_VALUES), [0.06, 0.16, 0.15, 0.035, 1.0, 0.16, 1.0]);
    }

    #[test]
    fn hochberg_steps_up_from_the_largest() {
        // From 0.9 down, each times the number of values at least as large: 0.9, 1.1, 0.12, 0.16, 0.15, 0.06, 0.035; then the running minimum.
        check(hochberg(&P_VALUES), [0.06, 0.12, 0.12, 0.035, 0.9, 0.12, 0.9]);
        assert_eq!(hochberg(&[0.03; 4]), Ok(vec![0.03; 4]));
    }

    #[test]
    fn benjamini_hochberg_matches_statsmodels() {
        // statsmodels.stats.multitest.multipletests(P_VALUES, method="fdr_bh")[1]
        check(benjamini_hochberg(&P_VALUES), [0.035, 0.056, 0.056, 0.035, 0.6416666666666667, 0.056, 0.9]);
    }

    #[test]
    fn tests_that_cannot_be_significant_do_not_count() {
        // Differing clusters: 3, 4, 5, 7, 9 and 12, of which three can be significant at 0.05 / 3.
        let tests: Vec<(f64, f64)> = [3, 4, 5, 7, 9, 12].map(|differing| (2f64.powi(1 - differing), 2f64.powi(1 - differing))).to_vec();
        let found = tarone_holm(&tests, 0.05).unwrap();
        assert_eq!(found[..3], [1.0, 5.0 / 8.0, 4.0 / 16.0]);
        assert_eq!(found[3..], [2f64.powi(-6), 2.0 * 2f64.powi(-8), 3.0 * 2f64.powi(-11)]);
        assert_eq!(tarone_holm(&[], 0.05), Ok(Vec::new()));
        assert_eq!(tarone_holm(&[(0.04, 1e-9)], 0.05), Ok(vec![0.04]));
    }

    #[test]
    fn a_single_test_keeps_its_p_value() {
        // Five clusters differ, all in one direction: the exact p value is the smallest possible one.
        assert_eq!(tarone_holm(&[(0.0625, 0.0625)], 0.05), Ok(vec![0.0625]));
    }

    #[test]
    fn an_invalid_probability_is_named() {
        let error = holm(&[0.1, f64::NAN]).unwrap_err();
        assert_eq!(error.to_string(), "p value NaN (number 2): it must lie from 0 to 1");
    }

    proptest! {
        #[test]
        fn a_test_that_cannot_be_significant_stays_above_the_level(differing in prop::collection::vec((1i32..14, 0i32..3), 1..20)) {
            let tests: Vec<(f64, f64)> = differing
                .into_iter()
                .map(|(clusters, above)| (2f64.powi(1 - clusters + above).min(1.0), 2f64.powi(1 - clusters)))
                .collect();
            let adjusted = tarone_holm(&tests, 0.05).unwrap();
            for (&(p, smallest), adjusted) in tests.iter().zip(adjusted) {
                prop_assert!(adjusted >= p && (smallest <= 0.05 || adjusted > 0.05), "{} {} {}", p, smallest, adjusted);
            }
        }

        #[test]
        fn adjusting_keeps_the_order_and_never_decreases_p(p_values in prop::collection::vec(0.0f64..=1.0, 0..40)) {
            let strict = holm(&p_values).unwrap();
            let mild = benjamini_hochberg(&p_values).unwrap();
            let between = hochberg(&p_values).unwrap();
            for a in 0..p_values.len() {
                prop_assert!(p_values[a] <= mild[a] && mild[a] <= strict[a] && strict[a] <= 1.0);
                prop_assert!(mild[a] <= between[a] + 1e-15 && between[a] <= strict[a]);
                for b in 0..p_values.len() {
                    if p_values[a] <= p_values[b] {
                        prop_assert!(strict[a] <= strict[b] && mild[a] <= mild[b]);
                    }
                }
            }
        }
    }
}
