//! Which models are not significantly worse than the best one.
//!
//! The model with the highest accuracy is tested against every other on the same examples. It is chosen from the same data, so any pair of models could
//! have been tested: Holm's adjustment (after Tarone) covers all pairs. If the best is the baseline that was fixed in advance, the family consists of the
//! tests against it. Not significantly different from the best does not mean equally good.

use super::clustered::ClusteredDifference;
use super::error::{open_unit, same_length};
use super::{StatisticsError, multiple};

/// One model compared with the best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AgainstBest {
    /// The model's index in the list.
    pub model: usize,
    /// The best model's accuracy minus this one's.
    pub behind: f64,
    /// The unadjusted p value.
    pub p: f64,
    /// Holm's adjusted p value.
    pub adjusted_p: f64,
}

/// Which tests form a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// All pairs of models.
    AllPairs,
    /// The first model against each other model if the first is the best; otherwise all pairs.
    WithFirst,
}

/// The best model and those not significantly different from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The index of the model with the highest accuracy, the first of several.
    pub best: usize,
    /// The others, in the order given.
    pub others: Vec<AgainstBest>,
    /// The indices of the best and of all that are not significantly worse, in the order given.
    pub tied: Vec<usize>,
    /// The number of tests in the family.
    pub tests: usize,
}

/// Finds the models that are not significantly different from the best at this level, from the correctness of each model on the same clustered examples.
pub fn with_best<R: AsRef<[bool]>>(models: &[R], clusters: &[u32], alpha: f64, family: Family) -> Result<Ranking, StatisticsError> {
    open_unit("alpha", alpha)?;
    let Some(rows) = models.first().map(|model| model.as_ref().len()) else { return Err(StatisticsError::Empty { what: "models" }) };
    if rows == 0 {
        return Err(StatisticsError::Empty { what: "rows" });
    }
    for model in models {
        same_length("answers of a model", rows, model.as_ref().len())?;
    }
    let right: Vec<usize> = models.iter().map(|model| model.as_ref().iter().filter(|&&right| right).count()).collect();
    let most = right.iter().copied().max().unwrap_or(0);
    let best = right.iter().position(|&count| count == most).unwrap_or(0);
    let firsts = if family == Family::WithFirst && best == 0 { 0..1 } else { 0..models.len() };
    let pairs: Vec<(usize, usize)> = firsts.flat_map(|first| (first + 1..models.len()).map(move |second| (first, second))).collect();
    let mut tests = Vec::with_capacity(pairs.len());
    for &(first, second) in &pairs {
        let found = ClusteredDifference::of(models[first].as_ref(), models[second].as_ref(), clusters)?;
        tests.push((found.p(), found.smallest_p()));
    }
    let adjusted = multiple::tarone_holm(&tests, alpha)?;
    let mut others: Vec<AgainstBest> = Vec::new();
    for ((&(first, second), &(p, _)), adjusted) in pairs.iter().zip(&tests).zip(adjusted) {
        if first != best && second != best {
            continue;
        }
        let model = if first == best { second } else { first };
        others.push(AgainstBest { model, behind: (most - right[model]) as f64 / rows as f64, p, adjusted_p: adjusted });
    }
    others.sort_by_key(|other| other.model);
    let mut tied: Vec<usize> = others.iter().filter(|other| other.adjusted_p >= alpha).map(|other| other.model).collect();
    tied.push(best);
    tied.sort_unstable();
    Ok(Ranking { best, others, tied, tests: tests.len() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every example as its own cluster.
    fn apart(rows: u32) -> Vec<u32> {
        (0..rows).collect()
    }

    /// A model that is correct on the first `n` of 100 examples.
    fn model(right: usize) -> Vec<bool> {
        (0..100).map(|row| row < right).collect()
    }

    #[test]
    fn three_examples_behind_is_not_significant_and_thirty_is() {
        let found = with_best(&[model(50), model(80), model(77)], &apart(100), 0.05, Family::AllPairs).unwrap();
        assert_eq!((found.best, found.tied.as_slice()), (1, [1, 2].as_slice()));
        assert_eq!(found.others[0].behind, 0.3);
        // Three examples on one side: 2 * 0.5^3, which is never significant.
        assert_eq!((found.others[1].p, found.others[1].adjusted_p), (0.25, 0.75));
    }

    #[test]
    fn the_best_is_chosen_from_the_data_so_all_pairs_count() {
        let of = |rule: fn(usize) -> bool| (0..100).map(rule).collect::<Vec<bool>>();
        let (best, worse, close) =
            (of(|row| row < 80), of(|row| row < 62 || (80..86).contains(&row)), of(|row| row < 70 || (86..94).contains(&row)));
        // 18 and 6 examples: p = 0.0227, times three pairs.
        let found = with_best(&[&worse, &best, &close], &apart(100), 0.05, Family::WithFirst).unwrap();
        assert_eq!((found.best, found.tests, found.tied.as_slice()), (1, 3, [0, 1, 2].as_slice()));
        // The baseline was fixed in advance: times the two tests against it.
        let found = with_best(&[&best, &worse, &close], &apart(100), 0.05, Family::WithFirst).unwrap();
        assert_eq!((found.best, found.tests, found.tied.as_slice()), (0, 2, [0, 2].as_slice()));
        assert_eq!(with_best(&[&best, &worse, &close], &apart(100), 0.05, Family::AllPairs).unwrap().tied, [0, 1, 2]);
    }

    #[test]
    fn few_clusters_give_less_evidence() {
        let clusters: Vec<u32> = (0..100).map(|row| row / 25).collect();
        let models = [model(90), model(77)];
        assert_eq!(with_best(&models, &apart(100), 0.05, Family::AllPairs).unwrap().tied, [0]);
        assert_eq!(with_best(&models, &clusters, 0.05, Family::AllPairs).unwrap().tied, [0, 1]);
    }

    #[test]
    fn one_model_is_tied_with_itself() {
        assert_eq!(with_best(&[model(3)], &apart(100), 0.05, Family::AllPairs).unwrap().tied, [0]);
        assert!(with_best::<Vec<bool>>(&[], &apart(100), 0.05, Family::AllPairs).is_err());
    }

    proptest! {
        #[test]
        fn the_best_is_tied_and_nobody_is_ahead(models in prop::collection::vec(prop::collection::vec(any::<bool>(), 30), 1..6)) {
            let found = with_best(&models, &apart(30), 0.05, Family::AllPairs).unwrap();
            prop_assert!(found.tied.contains(&found.best));
            prop_assert!(found.others.iter().all(|other| other.behind >= 0.0 && other.adjusted_p >= other.p));
        }
    }
}
