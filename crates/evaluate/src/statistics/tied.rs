//! Which models are statistically as good as the best one.
//!
//! The model with the highest accuracy is tested against every other on the same rows; Holm's adjustment covers all of these tests. A
//! model that the test does not tell from the best is tied with it. Tied means "not told apart by these rows", not "equal".

use super::clustered::ClusteredDifference;
use super::error::{open_unit, same_length};
use super::{StatisticsError, multiple};

/// One model compared with the best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AgainstBest {
    /// The model's place in the list.
    pub model: usize,
    /// The best model's accuracy less this one's.
    pub behind: f64,
    /// The p value of the test alone.
    pub p: f64,
    /// Holm's adjusted p value.
    pub adjusted_p: f64,
}

/// The best model and those that are tied with it.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The place of the model with the highest accuracy, the first of several.
    pub best: usize,
    /// The others, in the order given.
    pub others: Vec<AgainstBest>,
    /// The places of the best and all tied with it, in the order given.
    pub tied: Vec<usize>,
}

/// Finds the models that are tied with the best at this level, from one list of right and wrong a model over the same rows, each in its cluster.
pub fn with_best<R: AsRef<[bool]>>(models: &[R], clusters: &[u32], alpha: f64) -> Result<Ranking, StatisticsError> {
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
    let mut others = Vec::new();
    for model in (0..models.len()).filter(|&model| model != best) {
        let (winner, other) = (models[best].as_ref(), models[model].as_ref());
        let p = ClusteredDifference::of(winner, other, clusters)?.p();
        others.push(AgainstBest { model, behind: (most - right[model]) as f64 / rows as f64, p, adjusted_p: p });
    }
    let adjusted = multiple::holm(&others.iter().map(|other| other.p).collect::<Vec<f64>>())?;
    for (other, adjusted) in others.iter_mut().zip(adjusted) {
        other.adjusted_p = adjusted;
    }
    let mut tied: Vec<usize> = others.iter().filter(|other| other.adjusted_p >= alpha).map(|other| other.model).collect();
    tied.push(best);
    tied.sort_unstable();
    Ok(Ranking { best, others, tied })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every row on its own.
    fn apart(rows: u32) -> Vec<u32> {
        (0..rows).collect()
    }

    /// A model that is right on the first so many of 100 rows.
    fn model(right: usize) -> Vec<bool> {
        (0..100).map(|row| row < right).collect()
    }

    #[test]
    fn three_rows_behind_is_tied_and_thirty_is_not() {
        let found = with_best(&[model(50), model(80), model(77)], &apart(100), 0.05).unwrap();
        assert_eq!((found.best, found.tied.as_slice()), (1, [1, 2].as_slice()));
        assert_eq!(found.others[0].behind, 0.3);
        // Three rows on one side: 2 * 0.5^3, the larger of two p values
        assert_eq!((found.others[1].p, found.others[1].adjusted_p), (0.25, 0.25));
    }

    #[test]
    fn rows_of_few_clusters_count_for_less() {
        let clusters: Vec<u32> = (0..100).map(|row| row / 25).collect();
        let models = [model(90), model(77)];
        assert_eq!(with_best(&models, &apart(100), 0.05).unwrap().tied, [0]);
        assert_eq!(with_best(&models, &clusters, 0.05).unwrap().tied, [0, 1]);
    }

    #[test]
    fn one_model_is_tied_with_itself() {
        assert_eq!(with_best(&[model(3)], &apart(100), 0.05).unwrap().tied, [0]);
        assert!(with_best::<Vec<bool>>(&[], &apart(100), 0.05).is_err());
    }

    proptest! {
        #[test]
        fn the_best_is_tied_and_nobody_is_ahead(models in prop::collection::vec(prop::collection::vec(any::<bool>(), 30), 1..6)) {
            let found = with_best(&models, &apart(30), 0.05).unwrap();
            prop_assert!(found.tied.contains(&found.best));
            prop_assert!(found.others.iter().all(|other| other.behind >= 0.0 && other.adjusted_p >= other.p));
        }
    }
}
