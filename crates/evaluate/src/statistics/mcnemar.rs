//! McNemar's test of two systems on the same examples, based on the examples that exactly one of them gets right.
//!
//! Under the null hypothesis each such example is a fair coin, so the p value is a tail of the binomial distribution with probability one
//! half. The tail is summed from ratios of neighbouring terms, without factorials or gamma functions: nothing overflows, the work grows with
//! the square root of the count, and the sum is accurate to about 12 digits at any size (general binomial tails through `ln_gamma` lose half
//! of their digits at 100,000 examples). A p value below 1e-308 is 0.

/// The exact two-sided p value for these numbers of examples that only the first, or only the second, gets right.
pub fn exact(first_only: u64, second_only: u64) -> f64 {
    if first_only == second_only {
        return 1.0;
    }
    let tail = Tail::of(first_only, second_only);
    (2.0 * tail.up_to).min(1.0)
}

/// The two-sided mid-p value: like [`exact`], with half of the probability of the observed outcome.
///
/// The exact test is conservative because counts are discrete; the mid-p test keeps the level on average (Fagerland, Lydersen and Laake 2013).
pub fn mid_p(first_only: u64, second_only: u64) -> f64 {
    let tail = Tail::of(first_only, second_only);
    if first_only == second_only {
        return 1.0 - tail.at;
    }
    (2.0 * tail.up_to - tail.at).min(1.0)
}

/// The probability of at most `heads` heads of `coins` fair coins, for at most half of them.
pub(super) fn at_most(heads: u64, coins: u64) -> f64 {
    Tail::of(heads, coins - heads).up_to
}

/// Binomial probabilities with one half at the smaller count.
struct Tail {
    /// The probability of exactly the smaller count.
    at: f64,
    /// The probability of the smaller count or fewer.
    up_to: f64,
}

impl Tail {
    fn of(first_only: u64, second_only: u64) -> Tail {
        let smaller = first_only.min(second_only);
        let flips = first_only + second_only;
        let middle = flips / 2;
        // Every term relative to the middle one, the largest; by symmetry one side gives the total.
        let (mut below_middle, mut at, mut up_to) = (0.0, 0.0, 0.0);
        let mut term = 1.0;
        let mut heads = middle;
        loop {
            if heads < middle {
                below_middle += term;
            }
            if heads == smaller {
                at = term;
            }
            if heads <= smaller {
                up_to += term;
            }
            // Beyond the smaller count, stop when terms no longer change the sum; before it, only when they underflow.
            let negligible = if heads <= smaller { up_to * 1e-18 } else { 0.0 };
            if heads == 0 || term <= negligible {
                break;
            }
            term *= heads as f64 / (flips - heads + 1) as f64;
            heads -= 1;
        }
        // An odd number of flips has two middle terms, an even one has one.
        let total = if flips.is_multiple_of(2) { 1.0 + 2.0 * below_middle } else { 2.0 * (1.0 + below_middle) };
        Tail { at: at / total, up_to: up_to / total }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(first_only: u64, second_only: u64, expected: f64) {
        let found = exact(first_only, second_only);
        assert!((found - expected).abs() <= 1e-10 * expected, "{first_only}, {second_only}: {found}, not {expected}");
    }

    #[test]
    fn exact_p_matches_scipy() {
        // scipy.stats.binomtest(first_only, first_only + second_only).pvalue
        check(2, 5, 0.453125);
        check(21, 9, 0.042773945257067694);
        check(434, 391, 0.1436260506155894);
        check(1001, 1000, 1.0);
        check(10, 200, 4.728263442876991e-47);
        check(50_100, 49_900, 0.5291572940801981);
        check(0, 1000, 1.8665272370064378e-301);
    }

    #[test]
    fn ten_million_examples_keep_precision() {
        // Twice the sum of mpmath.binomial(10_000_000, k) / 2^10_000_000 over k <= 4_999_000, with 40 digits
        check(5_001_000, 4_999_000, 0.527_295_856_206_643_8);
    }

    #[test]
    fn mid_p_counts_half_of_the_observed_outcome() {
        // 2 of 7 heads: 2 * (1 + 7 + 21 / 2) / 128
        assert!((mid_p(2, 5) - 37.0 / 128.0).abs() < 1e-15);
        // 2 of 4 heads: 1 - 6 / 16
        assert!((mid_p(2, 2) - 0.625).abs() < 1e-15);
    }

    #[test]
    fn without_discordant_examples_p_is_one() {
        assert_eq!(exact(0, 0), 1.0);
    }

    proptest! {
        #[test]
        fn small_counts_match_full_enumeration(first_only in 0u64..30, second_only in 0u64..30) {
            let flips = first_only + second_only;
            let mut choose = 1u128;
            let mut sum = 0u128;
            for heads in 0..=first_only.min(second_only) {
                sum += choose;
                choose = choose * u128::from(flips - heads) / u128::from(heads + 1);
            }
            let expected = (2.0 * sum as f64 / 2f64.powi(flips as i32)).min(1.0);
            prop_assert!((exact(first_only, second_only) - expected).abs() < 1e-13);
        }

        #[test]
        fn the_test_is_symmetric_and_mid_p_is_smaller(first_only in 0u64..100_000, second_only in 0u64..100_000) {
            prop_assert_eq!(exact(first_only, second_only), exact(second_only, first_only));
            prop_assert!((0.0..=1.0).contains(&exact(first_only, second_only)));
            prop_assert!(mid_p(first_only, second_only) <= exact(first_only, second_only));
        }
    }
}
