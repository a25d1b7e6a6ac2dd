//! The exact sign-flip test over clusters: under the null hypothesis the sign of each cluster's difference is random.
//!
//! Differences are whole numbers, so the distribution of their sum is computed by convolution, without sampling. It is a sum of positive
//! terms, which keeps its relative accuracy down to the smallest probabilities.

use crate::statistics::mcnemar;
use std::collections::BTreeMap;

/// The number of clusters by absolute difference; clusters without a difference are left out.
pub(super) type Sizes = BTreeMap<u64, u64>;

/// The probability of a sum at least as far from 0 as this one.
pub(super) fn two_sided(sizes: &Sizes, sum: i64) -> f64 {
    if sum == 0 {
        return 1.0;
    }
    (2.0 * lower(sizes, -(sum.unsigned_abs() as i64))).min(1.0)
}

/// The probability of a sum of at most this one.
pub(super) fn lower(sizes: &Sizes, sum: i64) -> f64 {
    let unit = sizes.keys().fold(0, |unit, &size| greatest_common_divisor(unit, size));
    if unit == 0 {
        return 1.0;
    }
    let sizes: Sizes = sizes.iter().map(|(&size, &count)| (size / unit, count)).collect();
    let (all, sum) = (sizes.iter().map(|(size, count)| size * count).sum::<u64>() as i64, sum / unit as i64);
    // The sum is twice the share of the first system minus the total; this is the largest share.
    let most = (all + sum) / 2;
    if 2 * most <= all { tail(&sizes, most) } else { 1.0 - tail(&sizes, all - most - 1) }
}

/// The probability that one system gets at most this much if every cluster is a fair coin.
fn tail(sizes: &Sizes, most: i64) -> f64 {
    let Ok(most) = usize::try_from(most) else { return 0.0 };
    if let (1, Some((1, &count))) = (sizes.len(), sizes.first_key_value()) {
        return mcnemar::at_most(most as u64, count);
    }
    let mut chances = vec![0.0; most + 1];
    chances[0] = 1.0;
    // The largest sum that is possible so far.
    let mut reached = 0;
    for (&size, &count) in sizes {
        let weights = binomial(count, most / size as usize);
        let before = std::mem::replace(&mut chances, vec![0.0; most + 1]);
        for (heads, weight) in weights.iter().enumerate() {
            let shift = heads * size as usize;
            let moved = &before[..=reached.min(most - shift)];
            chances[shift..].iter_mut().zip(moved).for_each(|(to, from)| *to += weight * from);
        }
        reached = most.min(reached + count as usize * size as usize);
    }
    chances.iter().sum()
}

/// The probabilities of 0, 1, ... heads of `coins` fair coins, up to `most`.
fn binomial(coins: u64, most: usize) -> Vec<f64> {
    let coins = coins as usize;
    let mut logarithm = -(coins as f64) * std::f64::consts::LN_2;
    let mut weights = Vec::with_capacity(most.min(coins) + 1);
    // Small numbers of coins are exact; for large ones the first terms underflow, so logarithms are used.
    let mut weight = 0.5f64.powi(coins as i32);
    for heads in 0..=most.min(coins) {
        if heads > 0 {
            let ratio = (coins - heads + 1) as f64 / heads as f64;
            logarithm += ratio.ln();
            weight = if weight >= f64::MIN_POSITIVE { weight * ratio } else { logarithm.exp() };
        }
        weights.push(weight);
    }
    weights
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sizes(differences: &[i64]) -> Sizes {
        let mut sizes = Sizes::new();
        differences
            .iter()
            .filter(|&&difference| difference != 0)
            .for_each(|difference| *sizes.entry(difference.unsigned_abs()).or_default() += 1);
        sizes
    }

    /// The share of all 2^n sums for which the rule holds.
    fn enumerated(differences: &[i64], rule: impl Fn(i64) -> bool) -> f64 {
        let sum = |signs: u32| -> i64 {
            let signed = |(n, difference): (usize, &i64)| if signs >> n & 1 == 1 { *difference } else { -difference };
            differences.iter().enumerate().map(signed).sum()
        };
        let all = 1u32 << differences.len();
        (0..all).filter(|&signs| rule(sum(signs))).count() as f64 / f64::from(all)
    }

    proptest! {
        #[test]
        fn the_p_value_matches_full_enumeration(differences in prop::collection::vec(-6i64..=6, 0..12)) {
            let sum: i64 = differences.iter().sum();
            let (sizes, two) = (sizes(&differences), enumerated(&differences, |flipped| flipped.abs() >= sum.abs()));
            prop_assert!((two_sided(&sizes, sum) - two).abs() < 1e-12);
            let one = enumerated(&differences, |flipped| flipped <= sum);
            prop_assert!((lower(&sizes, sum) - one).abs() < 1e-12, "{} {}", lower(&sizes, sum), one);
        }

        #[test]
        fn with_one_example_per_cluster_it_is_mcnemars_test(first in 0u64..400, second in 0u64..400) {
            let sizes = Sizes::from([(1, first + second)]);
            let (found, expected) = (two_sided(&sizes, first as i64 - second as i64), mcnemar::exact(first, second));
            prop_assert!((found - expected).abs() <= 1e-12 * expected);
        }
    }

    #[test]
    fn many_clusters_of_several_sizes_keep_their_tiny_probabilities() {
        // Two sizes, 2,000 and 1,000 clusters, all on one side: one sum in 2^3000, which underflows.
        assert_eq!(two_sided(&Sizes::from([(1, 2000), (2, 1000)]), 4000), 0.0);
        // 2^-40 * 2, in two sizes.
        let found = two_sided(&Sizes::from([(1, 30), (3, 10)]), 60);
        assert!((found / 2f64.powi(-39) - 1.0).abs() < 1e-12, "{found}");
    }

    #[test]
    fn large_groups_keep_their_relative_accuracy() {
        // Doubling all differences, and one cluster that cancels nothing, change the scale but not the test.
        let alone = mcnemar::exact(3_300, 2_700);
        let doubled = two_sided(&Sizes::from([(2, 6_000)]), 1_200);
        assert!((doubled / alone - 1.0).abs() < 1e-10, "{doubled} and {alone}");
        let convolved: f64 = binomial(6_000, 2_700).iter().sum::<f64>() * 2.0;
        assert!((convolved / alone - 1.0).abs() < 1e-10, "{convolved} and {alone}");
    }
}
