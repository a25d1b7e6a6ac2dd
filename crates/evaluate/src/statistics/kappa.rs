//! Cohen's kappa.

use super::interval::{CONFIDENCE, Interval};
use super::{StatisticsError, normal};

/// Cohen's kappa of two judges.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kappa {
    /// Agreement beyond chance: 1 is perfect, 0 is chance level.
    pub value: f64,
    /// The large-sample standard error (Fleiss, Cohen and Everitt 1969).
    pub standard_error: f64,
    /// The share of items on which the two agree.
    pub agreement: f64,
    /// The share that would agree by chance.
    pub by_chance: f64,
}

impl Kappa {
    /// The 95 % interval.
    pub fn interval(self) -> Interval {
        self.interval_at(CONFIDENCE)
    }

    /// The normal interval at this confidence level, within -1 and 1.
    pub fn interval_at(self, confidence: f64) -> Interval {
        let half = normal::two_sided(confidence) * self.standard_error;
        Interval { low: (self.value - half).max(-1.0), high: (self.value + half).min(1.0) }
    }
}

/// Cohen's kappa of a table whose cell `[a][b]` counts the items that the first judge put in category `a` and the second in `b`.
///
/// If both judges only use the same category, chance agreement is perfect: kappa is 0 with a standard error of 0.
pub fn cohen<const CATEGORIES: usize>(table: &[[u64; CATEGORIES]; CATEGORIES]) -> Result<Kappa, StatisticsError> {
    let total = table.iter().flatten().sum::<u64>() as f64;
    if total == 0.0 {
        return Err(StatisticsError::Empty { what: "items" });
    }
    let share = |a: usize, b: usize| table[a][b] as f64 / total;
    let first: [f64; CATEGORIES] = std::array::from_fn(|a| (0..CATEGORIES).map(|b| share(a, b)).sum());
    let second: [f64; CATEGORIES] = std::array::from_fn(|b| (0..CATEGORIES).map(|a| share(a, b)).sum());
    let agreement: f64 = (0..CATEGORIES).map(|a| share(a, a)).sum();
    let by_chance: f64 = (0..CATEGORIES).map(|a| first[a] * second[a]).sum();
    let beyond = 1.0 - by_chance;
    // Tested on counts, because shares may not sum to exactly 1.
    if (0..CATEGORIES).any(|a| table[a][a] as f64 == total) {
        return Ok(Kappa { value: 0.0, standard_error: 0.0, agreement: 1.0, by_chance: 1.0 });
    }
    let value = (agreement - by_chance) / beyond;
    let disagreement = 1.0 - agreement;
    let mut diagonal = 0.0;
    let mut others = 0.0;
    for a in 0..CATEGORIES {
        diagonal += share(a, a) * (beyond - (first[a] + second[a]) * disagreement).powi(2);
        for b in (0..CATEGORIES).filter(|&b| b != a) {
            others += share(a, b) * (second[a] + first[b]).powi(2);
        }
    }
    let correction = agreement * by_chance - 2.0 * by_chance + agreement;
    let variance = (diagonal + disagreement * disagreement * others - correction * correction) / (total * beyond.powi(4));
    Ok(Kappa { value, standard_error: variance.max(0.0).sqrt(), agreement, by_chance })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TABLE: [[u64; 3]; 3] = [[53, 5, 2], [11, 14, 5], [1, 6, 3]];

    #[test]
    fn cohens_kappa_matches_statsmodels() {
        // r = statsmodels.stats.inter_rater.cohens_kappa(TABLE); r.kappa, r.std_kappa, r.kappa_low, r.kappa_upp
        let expected = [0.4285714285714285, 0.0759588315346638, 0.27969485445574205, 0.5774480026871149];
        let found = cohen(&TABLE).unwrap();
        let interval = found.interval();
        let numbers = [found.value, found.standard_error, interval.low, interval.high];
        assert!(numbers.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12), "{numbers:?}");
    }

    #[test]
    fn kappa_is_zero_if_only_one_category_is_used() {
        assert_eq!(cohen(&[[9, 0], [0, 0]]).unwrap().value, 0.0);
    }

    proptest! {
        #[test]
        fn kappa_has_bounds_and_is_symmetric(cells in prop::array::uniform9(0u64..50)) {
            let table = [[cells[0], cells[1], cells[2]], [cells[3], cells[4], cells[5]], [cells[6], cells[7], cells[8]]];
            let mirrored: [[u64; 3]; 3] = std::array::from_fn(|a| std::array::from_fn(|b| table[b][a]));
            prop_assume!(cells.iter().sum::<u64>() > 0);
            let (found, other) = (cohen(&table).unwrap(), cohen(&mirrored).unwrap());
            prop_assert!((-1.0..=1.0).contains(&found.value) && found.standard_error.is_finite());
            prop_assert!((found.value - other.value).abs() < 1e-12 && (found.standard_error - other.standard_error).abs() < 1e-9);
        }

        #[test]
        fn a_constant_judge_agrees_only_by_chance(first in 1u64..50, second in 1u64..50, third in 1u64..50) {
            let found = cohen(&[[first, 0, 0], [second, 0, 0], [third, 0, 0]]).unwrap();
            // The variance is a difference of nearly equal numbers over the fourth power of a small one: rounding leaves up to 1e-12 of it.
            prop_assert!(found.value.abs() < 1e-12 && found.standard_error < 1e-5);
        }
    }
}
