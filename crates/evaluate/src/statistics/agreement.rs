//! Agreement of two or more judges beyond chance: Fleiss' kappa and Krippendorff's alpha for unordered answers.
//!
//! Intervals are jackknife intervals: every item is left out once, and the spread of what remains gives the standard error. Nothing is drawn at random.

use super::{CONFIDENCE, Interval};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// For one item, how many judges gave each answer.
pub type AnswerCounts = Vec<u64>;

/// An agreement beyond chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// 1 is perfect, 0 is chance level; `None` if all answers are the same.
    pub value: Option<f64>,
    /// The 95 % jackknife interval over items; `None` if no two judges disagree, or all disagreement is in one item.
    pub interval: Option<Interval>,
    /// The number of items.
    pub items: u64,
}

/// Fleiss' kappa (Fleiss 1971) over the items with the largest number of answers, which must be at least two.
pub fn fleiss(items: &[AnswerCounts]) -> Agreement {
    let judges = items.iter().map(|counts| counts.iter().sum::<u64>()).max().unwrap_or(0);
    let complete: Vec<&AnswerCounts> = items.iter().filter(|counts| judges > 1 && counts.iter().sum::<u64>() == judges).collect();
    let judges = judges as f64;
    let agreement = |counts: &AnswerCounts| (squares(counts) - judges) / (judges * (judges - 1.0));
    let sum: f64 = complete.iter().map(|counts| agreement(counts)).sum();
    jackknife(&complete, |totals, items, left_out| {
        let (items, given) = (items as f64, judges * items as f64);
        let observed = (sum - left_out.map_or(0.0, &agreement)) / items;
        let by_chance: f64 = totals.iter().map(|&total| (total / given).powi(2)).sum();
        beyond(1.0 - observed, 1.0 - by_chance, totals)
    })
}

/// Krippendorff's alpha for unordered answers (Krippendorff 2011) over the items that at least two judges answered.
pub fn krippendorff(items: &[AnswerCounts]) -> Agreement {
    let answered = |counts: &AnswerCounts| counts.iter().sum::<u64>() as f64;
    let paired: Vec<&AnswerCounts> = items.iter().filter(|counts| answered(counts) > 1.5).collect();
    let disagreement = |counts: &AnswerCounts| (answered(counts).powi(2) - squares(counts)) / (answered(counts) - 1.0);
    let sum: f64 = paired.iter().map(|counts| disagreement(counts)).sum();
    jackknife(&paired, |totals, _, left_out| {
        let given: f64 = totals.iter().sum();
        let observed = (sum - left_out.map_or(0.0, &disagreement)) / given;
        let by_chance = (given * given - totals.iter().map(|total| total * total).sum::<f64>()) / (given * (given - 1.0));
        beyond(observed, by_chance, totals)
    })
}

/// The share of pairs of judges that give the same answer to an item, over the items that at least two judges answered; `None` if there are none.
pub fn pairwise(items: &[AnswerCounts]) -> Option<f64> {
    let pairs = |count: u64| (count * count.saturating_sub(1)) as f64 / 2.0;
    let all: Vec<f64> = items
        .iter()
        .filter(|counts| counts.iter().sum::<u64>() > 1)
        .map(|counts| counts.iter().map(|&count| pairs(count)).sum::<f64>() / pairs(counts.iter().sum()))
        .collect();
    (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
}

fn squares(counts: &AnswerCounts) -> f64 {
    counts.iter().map(|&count| (count * count) as f64).sum()
}

/// One minus observed over expected disagreement; `None` if only one answer was given.
fn beyond(observed: f64, by_chance: f64, totals: &[f64]) -> Option<f64> {
    let used = totals.iter().filter(|&&total| total > 0.5).count();
    (used > 1).then(|| 1.0 - observed / by_chance)
}

/// The statistic of all items, and its jackknife interval. `statistic` takes the count of each answer, the number of items, and the item that is left out.
fn jackknife(items: &[&AnswerCounts], statistic: impl Fn(&[f64], usize, Option<&AnswerCounts>) -> Option<f64>) -> Agreement {
    let answers = items.iter().map(|counts| counts.len()).max().unwrap_or(0);
    let mut totals = vec![0.0; answers];
    items.iter().flat_map(|counts| counts.iter().enumerate()).for_each(|(answer, &count)| totals[answer] += count as f64);
    let value = if items.is_empty() { None } else { statistic(&totals, items.len(), None) };
    let without = |left_out: &&AnswerCounts| {
        let mut rest = totals.clone();
        left_out.iter().enumerate().for_each(|(answer, &count)| rest[answer] -= count as f64);
        statistic(&rest, items.len() - 1, Some(left_out))
    };
    let interval = value.filter(|_| items.len() > 1).and_then(|value| {
        let rest: Vec<f64> = items.iter().map(without).collect::<Option<_>>()?;
        let count = items.len() as f64;
        let mean = rest.iter().sum::<f64>() / count;
        let error = ((count - 1.0) / count * rest.iter().map(|one| (one - mean).powi(2)).sum::<f64>()).sqrt();
        let student = StudentsT::new(0.0, 1.0, count - 1.0).ok()?;
        let half = -student.inverse_cdf((1.0 - CONFIDENCE) / 2.0) * error;
        (error > 1e-12).then(|| Interval { low: (value - half).max(-1.0), high: (value + half).min(1.0) })
    });
    Agreement { value, interval, items: items.len() as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Seed;
    use proptest::prelude::*;

    /// Ten subjects, fourteen raters, five categories: the worked example in many textbooks, kappa 0.210.
    const TEN: [[u64; 5]; 10] = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ];

    /// Krippendorff's example with missing answers: four observers, twelve units, five values (2011, section C), alpha 0.743.
    const TWELVE: [[u64; 5]; 12] = [
        [3, 0, 0, 0, 0],
        [0, 3, 1, 0, 0],
        [0, 0, 4, 0, 0],
        [0, 0, 4, 0, 0],
        [0, 4, 0, 0, 0],
        [1, 1, 1, 1, 0],
        [0, 0, 0, 4, 0],
        [3, 1, 0, 0, 0],
        [0, 4, 0, 0, 0],
        [0, 0, 0, 0, 3],
        [2, 0, 0, 0, 0],
        [0, 0, 1, 0, 0],
    ];

    fn counts<const N: usize>(items: &[[u64; N]]) -> Vec<AnswerCounts> {
        items.iter().map(|item| item.to_vec()).collect()
    }

    #[track_caller]
    fn close(found: Option<f64>, expected: f64) {
        assert!(found.is_some_and(|found| (found - expected).abs() < 1e-9), "{found:?}, not {expected}");
    }

    #[test]
    fn kappa_matches_the_textbook() {
        close(fleiss(&counts(&TEN)).value, 0.20993070442195522);
    }

    #[test]
    fn alpha_matches_the_package_krippendorff() {
        // krippendorff.alpha(value_counts=TWELVE, level_of_measurement="nominal"), and the same for TEN
        close(krippendorff(&counts(&TWELVE)).value, 0.743421052631579);
        close(krippendorff(&counts(&TEN)).value, 0.21557405653322692);
        assert_eq!(krippendorff(&counts(&TWELVE)).items, 11, "a unit with one answer says nothing of agreement");
    }

    #[test]
    fn without_missing_answers_alpha_is_kappa_corrected_for_the_sample() {
        // alpha = 1 - (1 - kappa) (n - 1) / n with n answers in all.
        let kappa = fleiss(&counts(&TEN)).value.unwrap();
        close(krippendorff(&counts(&TEN)).value, 1.0 - (1.0 - kappa) * 139.0 / 140.0);
    }

    #[test]
    fn intervals_match_a_jackknife_by_brute_force() {
        // By brute force in Python: each item deleted, the statistic computed again, t quantile of items - 1.
        let interval = |found: Agreement| found.interval.map(|found| [found.low, found.high]).unwrap();
        for (found, expected) in [
            (interval(fleiss(&counts(&TEN))), [-0.017545085981, 0.437406494825]),
            (interval(krippendorff(&counts(&TWELVE))), [0.417384953785, 1.0]),
        ] {
            assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-9), "{found:?}, not {expected:?}");
        }
    }

    #[test]
    fn perfect_agreement_has_a_value_and_no_interval() {
        for found in [fleiss(&counts(&[[3, 0], [0, 3], [3, 0]])), krippendorff(&counts(&[[3, 0], [0, 3], [3, 0]]))] {
            assert_eq!((found.value, found.interval), (Some(1.0), None));
        }
    }

    #[test]
    fn agreement_is_undefined_if_only_one_answer_is_given() {
        for found in [fleiss(&counts(&[[3, 0], [3, 0]])), krippendorff(&counts(&[[3, 0], [3, 0]])), fleiss(&[]), krippendorff(&[])] {
            assert_eq!((found.value, found.interval), (None, None));
        }
        // The other answer occurs in one item only: without that item nothing can be estimated.
        let found = fleiss(&counts(&[[2, 1], [3, 0], [3, 0]]));
        assert!(found.value.is_some() && found.interval.is_none(), "{found:?}");
    }

    #[test]
    fn a_single_judge_has_no_agreement() {
        let single = counts(&[[1, 0], [0, 1]]);
        assert_eq!((fleiss(&single).value, krippendorff(&single).value, pairwise(&single)), (None, None, None));
        assert_eq!(pairwise(&counts(&[[2, 1], [3, 0], [1, 0]])), Some((1.0 / 3.0 + 1.0) / 2.0));
    }

    #[test]
    fn intervals_cover_the_kappa_of_the_population() {
        // Three judges see the true answer of an item (60 : 40) and report it with probability 85 %, else the other. Two of them then agree on
        // 0.85² + 0.15² = 0.745; answers are the first with probability 0.6 · 0.85 + 0.4 · 0.15 = 0.57, so that 0.5098 agree by chance.
        let expected = (0.745 - 0.5098) / (1.0 - 0.5098);
        let mut rng = Seed::new(1).child("kappa").rng();
        let mut covered = [0; 2];
        for _ in 0..1000 {
            let item = |_| {
                let truth = usize::from(rng.unit() >= 0.6);
                let mut counts = vec![0; 2];
                (0..3).for_each(|_| counts[if rng.unit() < 0.85 { truth } else { 1 - truth }] += 1);
                counts
            };
            let items: Vec<AnswerCounts> = (0..100).map(item).collect();
            for (covered, found) in covered.iter_mut().zip([fleiss(&items), krippendorff(&items)]) {
                *covered += usize::from(found.interval.is_some_and(|interval| interval.contains(expected)));
            }
        }
        assert!(covered.iter().all(|covered| (930..=970).contains(covered)), "{covered:?} of 1,000");
    }

    proptest! {
        #[test]
        fn agreement_has_bounds_and_does_not_depend_on_the_order(
            items in prop::collection::vec(prop::array::uniform3(0u64..4), 0..30),
        ) {
            let turned: Vec<AnswerCounts> = items.iter().rev().map(|item| item.iter().rev().copied().collect()).collect();
            for statistic in [fleiss, krippendorff] {
                let (found, other) = (statistic(&counts(&items)), statistic(&turned));
                prop_assert!(found.value.is_none_or(|value| value.abs() <= 1.0 + 1e-12), "{found:?}");
                prop_assert!(found.value.zip(other.value).is_none_or(|(one, other)| (one - other).abs() < 1e-9));
                prop_assert_eq!(found.interval.is_some(), other.interval.is_some());
                prop_assert!(found.interval.is_none_or(|interval| found.value.is_some_and(|value| interval.contains(value))));
            }
        }
    }
}
