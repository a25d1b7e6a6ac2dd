//! Several runs (seeds) of one model on the same items: their spread, and how much of the variance is due to items and to runs.

use super::StatisticsError;
use super::error::same_length;

/// The spread of the results of several runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The number of runs.
    pub runs: usize,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, that of a sample (`runs - 1`).
    pub standard_deviation: f64,
    /// The lowest.
    pub low: f64,
    /// The highest.
    pub high: f64,
}

impl Spread {
    /// The spread of one result per run, for at least two runs.
    pub fn of(results: &[f64]) -> Result<Spread, StatisticsError> {
        if results.len() < 2 {
            return Err(StatisticsError::TooFew { what: "runs", found: results.len(), needed: 2 });
        }
        if let Some(place) = results.iter().position(|result| !result.is_finite()) {
            let value = results[place];
            return Err(StatisticsError::OutOfRange { what: "result", value, position: place + 1, range: "among the finite numbers" });
        }
        let runs = results.len();
        let mean = results.iter().sum::<f64>() / runs as f64;
        let squares: f64 = results.iter().map(|result| (result - mean).powi(2)).sum();
        Ok(Spread {
            runs,
            mean,
            standard_deviation: (squares / (runs - 1) as f64).sqrt(),
            low: results.iter().copied().fold(f64::INFINITY, f64::min),
            high: results.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        })
    }

    /// From the lowest to the highest.
    pub fn range(self) -> f64 {
        self.high - self.low
    }
}

/// The spread over runs of every column (subcase) of a table with one row of accuracies per run.
pub fn spread_by_column(table: &[Vec<f64>]) -> Result<Vec<Spread>, StatisticsError> {
    let columns = table.first().map_or(0, Vec::len);
    for run in table {
        same_length("accuracies of a run", columns, run.len())?;
    }
    (0..columns).map(|column| Spread::of(&table.iter().map(|run| run[column]).collect::<Vec<f64>>())).collect()
}

/// The statistics of runs of one model on the same items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Runs {
    /// The spread of the runs' accuracies.
    pub accuracy: Spread,
    /// The components of the variance of correctness.
    pub variance: Variance,
    /// How often two runs are both right or both wrong about an item.
    pub agreement: f64,
}

impl Runs {
    /// Compares runs, each given as its correctness on the same items in the same order.
    pub fn of<R: AsRef<[bool]>>(runs: &[R]) -> Result<Runs, StatisticsError> {
        let items = runs.first().map_or(0, |run| run.as_ref().len());
        for run in runs {
            same_length("answers of a run", items, run.as_ref().len())?;
        }
        let variance = Variance::of(runs.len(), items, |run, item| f64::from(u8::from(runs[run].as_ref()[item])))?;
        let right = |run: &R| run.as_ref().iter().filter(|&&right| right).count() as f64 / items as f64;
        let accuracy = Spread::of(&runs.iter().map(right).collect::<Vec<f64>>())?;
        let mut agreeing = 0usize;
        for item in 0..items {
            let right = runs.iter().filter(|run| run.as_ref()[item]).count();
            let wrong = runs.len() - right;
            agreeing += (right * right - right) + (wrong * wrong - wrong);
        }
        let agreement = agreeing as f64 / (items * runs.len() * (runs.len() - 1)) as f64;
        Ok(Runs { accuracy, variance, agreement })
    }
}

/// The components of variance in a table of runs by items (two-way random-effects analysis of variance, one value per cell).
///
/// Negative estimates are set to 0, as usual.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Variance {
    /// Between items: some are hard for every run.
    pub items: f64,
    /// Between runs: some are better on all items.
    pub runs: f64,
    /// Run-by-item interaction: which run errs on which item.
    pub rest: f64,
    /// How many items there are.
    pub item_count: usize,
}

impl Variance {
    /// Takes a table with one row per run, such as accuracies by subcase.
    pub fn of_table(table: &[Vec<f64>]) -> Result<Variance, StatisticsError> {
        let items = table.first().map_or(0, Vec::len);
        for run in table {
            same_length("values of a run", items, run.len())?;
        }
        Variance::of(table.len(), items, |run, item| table[run][item])
    }

    fn of(runs: usize, items: usize, at: impl Fn(usize, usize) -> f64) -> Result<Variance, StatisticsError> {
        for (what, found) in [("runs", runs), ("items", items)] {
            if found < 2 {
                return Err(StatisticsError::TooFew { what, found, needed: 2 });
            }
        }
        let (run_count, item_count) = (runs as f64, items as f64);
        let run_means: Vec<f64> = (0..runs).map(|run| (0..items).map(|item| at(run, item)).sum::<f64>() / item_count).collect();
        let item_means: Vec<f64> = (0..items).map(|item| (0..runs).map(|run| at(run, item)).sum::<f64>() / run_count).collect();
        let mean = run_means.iter().sum::<f64>() / run_count;
        let squares = |means: &[f64]| means.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        let between_items = run_count * squares(&item_means) / (item_count - 1.0);
        let between_runs = item_count * squares(&run_means) / (run_count - 1.0);
        let mut residual = 0.0;
        for (run, run_mean) in run_means.iter().enumerate() {
            for (item, item_mean) in item_means.iter().enumerate() {
                residual += (at(run, item) - run_mean - item_mean + mean).powi(2);
            }
        }
        let rest = residual / ((run_count - 1.0) * (item_count - 1.0));
        Ok(Variance {
            items: ((between_items - rest) / run_count).max(0.0),
            runs: ((between_runs - rest) / item_count).max(0.0),
            rest,
            item_count: items,
        })
    }

    /// The total.
    pub fn total(self) -> f64 {
        self.items + self.runs + self.rest
    }

    /// The components as shares of the total: items, runs, interaction; all 0 if nothing varies.
    pub fn shares(self) -> [f64; 3] {
        let total = self.total();
        [self.items, self.runs, self.rest].map(|part| if total > 0.0 { part / total } else { 0.0 })
    }

    /// The intra-class correlation of absolute agreement, ICC(2,1) of Shrout and Fleiss (1979): the share of the items; 0 if nothing
    /// varies.
    pub fn intraclass_agreement(self) -> f64 {
        self.shares()[0]
    }

    /// The intra-class correlation of consistency, ICC(3,1): like [`Variance::intraclass_agreement`], but ignoring runs that are better or worse on
    /// all items.
    pub fn intraclass_consistency(self) -> f64 {
        let total = self.items + self.rest;
        if total > 0.0 { self.items / total } else { 0.0 }
    }

    /// The standard error of one run's mean over this many new items, due to the sample of items.
    pub fn error_from_items(self) -> f64 {
        ((self.items + self.rest) / self.item_count as f64).sqrt()
    }

    /// The standard error of one run's mean due to its seed; more items do not reduce it.
    pub fn error_from_runs(self) -> f64 {
        self.runs.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Four judges of six targets, table 2 of Shrout and Fleiss (1979), one row per judge.
    fn shrout_and_fleiss() -> Vec<Vec<f64>> {
        [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]
            .iter()
            .map(|row| row.map(f64::from).to_vec())
            .collect()
    }

    #[test]
    fn intraclass_correlations_are_the_published_ones() {
        let found = Variance::of_table(&shrout_and_fleiss()).unwrap();
        // Table 4 of the paper gives .29 and .71.
        assert_eq!(format!("{:.2} {:.2}", found.intraclass_agreement(), found.intraclass_consistency()), "0.29 0.71");
    }

    #[test]
    fn components_follow_from_the_mean_squares() {
        let found = Variance::of_table(&shrout_and_fleiss()).unwrap();
        // statsmodels.stats.anova.anova_lm(ols("value ~ C(run) + C(item)", data).fit()): mean squares of item, run and residual
        let [items, runs, rest] = [11.241666666666665, 32.486111111111114, 1.0194444444444444];
        assert!((found.rest - rest).abs() < 1e-12);
        assert!((found.items - (items - rest) / 4.0).abs() < 1e-12 && (found.runs - (runs - rest) / 6.0).abs() < 1e-12);
    }

    #[test]
    fn identical_runs_have_only_item_variance() {
        let run = vec![true, false, true, true];
        let found = Runs::of(&[run.clone(), run.clone(), run]).unwrap();
        assert_eq!(found.variance.shares(), [1.0, 0.0, 0.0]);
        assert_eq!((found.agreement, found.accuracy.mean, found.accuracy.standard_deviation), (1.0, 0.75, 0.0));
    }

    #[test]
    fn a_perfect_run_and_a_failing_run_have_only_run_variance() {
        let found = Runs::of(&[vec![true; 8], vec![false; 8]]).unwrap();
        assert_eq!(found.variance.shares(), [0.0, 1.0, 0.0]);
        assert_eq!(found.agreement, 0.0);
    }

    #[test]
    fn every_column_has_its_spread() {
        let found = spread_by_column(&[vec![0.5, 1.0], vec![0.7, 1.0]]).unwrap();
        assert!((found[0].mean - 0.6).abs() < 1e-12 && (found[0].range() - 0.2).abs() < 1e-12);
        assert!((found[0].standard_deviation - 0.02f64.sqrt()).abs() < 1e-12);
        assert_eq!(found[1].standard_deviation, 0.0);
    }

    #[test]
    fn bad_input_is_named() {
        let check = |found: Result<Runs, StatisticsError>, message: &str| assert_eq!(found.unwrap_err().to_string(), message);
        check(Runs::of(&[vec![true, false]]), "only 1 runs: at least 2 are needed");
        check(Runs::of(&[vec![true, false], vec![true]]), "1 answers of a run for 2 rows: there must be one for every row");
        check(Runs::of::<Vec<bool>>(&[]), "only 0 runs: at least 2 are needed");
    }

    proptest! {
        #[test]
        fn shares_are_valid_and_do_not_depend_on_the_order_of_runs(
            runs in prop::collection::vec(prop::collection::vec(any::<bool>(), 12), 2..6),
        ) {
            let found = Runs::of(&runs).unwrap();
            let shares = found.variance.shares();
            prop_assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
            prop_assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12 || found.variance.total() == 0.0);
            let turned: Vec<Vec<bool>> = runs.iter().rev().cloned().collect();
            let other = Runs::of(&turned).unwrap();
            prop_assert!((found.variance.runs - other.variance.runs).abs() < 1e-12 && found.agreement == other.agreement);
        }
    }
}
