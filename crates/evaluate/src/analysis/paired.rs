//! Paired differences between two lists of correct and wrong predictions, with their uncertainty.

use super::wording::{difference_bracket, p_value};
use crate::measurement::Measurement;
use crate::report::{Cell, IntervalMark, SMALL_GROUP};
use crate::statistics::clustered::{ClusteredDifference, DifferenceInterval, FEW_EQUAL, LEAST_DIFFERING};
use crate::statistics::power::Plan;
use crate::statistics::{PairedCounts, StatisticsError, multiple};

/// How differences are tested.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Testing {
    /// The significance level, and the power to plan for.
    pub plan: Plan,
}

/// A paired difference with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paired {
    /// Counts of who is correct where.
    pub counts: PairedCounts,
    /// The number of clusters.
    pub clusters: usize,
    /// The number of clusters in which one of the two is ahead.
    pub differing_clusters: usize,
    /// The effective number of clusters: clusters of equal size with as much information.
    pub equal_clusters: f64,
    /// The clustered Tango interval of the difference; it excludes 0 exactly if the p value is below 0.05.
    pub interval: DifferenceInterval,
    /// The exact p value: under the null hypothesis, the two could be swapped in any cluster.
    pub p: f64,
    /// The smallest p value that this number of differing clusters can give.
    pub smallest_p: f64,
    /// The minimum detectable difference; `None` if no difference could be detected.
    pub minimum_detectable: Option<f64>,
    /// If all examples are in one cluster, interval and p value for new examples of that cluster.
    pub within_cluster: Option<(DifferenceInterval, f64)>,
}

impl Paired {
    /// Compares two lists of correct and wrong predictions.
    pub fn of(first: &[bool], second: &[bool], clusters: &[u32], testing: &Testing) -> Result<Self, StatisticsError> {
        let mut found = Paired::of_difference(&ClusteredDifference::of(first, second, clusters)?, testing)?;
        if found.is_one_cluster() && !first.is_empty() {
            let single: Vec<u32> = (0..first.len() as u32).collect();
            let within = ClusteredDifference::of(first, second, &single)?;
            found.within_cluster = Some((within.interval(), within.p()));
        }
        Ok(found)
    }

    /// The uncertainty of a difference over clusters.
    pub fn of_difference(found: &ClusteredDifference, testing: &Testing) -> Result<Self, StatisticsError> {
        Ok(Paired {
            counts: found.counts(),
            clusters: found.clusters() as usize,
            differing_clusters: found.differing_clusters() as usize,
            equal_clusters: found.equal_clusters(),
            interval: found.interval(),
            p: found.p(),
            smallest_p: found.smallest_p(),
            minimum_detectable: found.minimum_detectable(testing.plan)?,
            within_cluster: None,
        })
    }

    /// The first accuracy minus the second.
    pub fn difference(&self) -> f64 {
        self.counts.difference()
    }

    /// Why the p value cannot be below 0.05, if too few clusters differ.
    pub fn too_few_clusters(&self) -> Option<String> {
        (0.05 < self.smallest_p && self.differing_clusters > 0).then(|| {
            let clusters = match self.differing_clusters {
                1 => "1 cluster that differs".to_string(),
                count => format!("{count} clusters that differ"),
            };
            format!("with {clusters}, the smallest possible p value is {}, so 0.05 cannot be reached", self.smallest_p)
        })
    }

    /// Whether all examples are in one cluster, which says nothing about others.
    pub fn is_one_cluster(&self) -> bool {
        self.clusters <= 1
    }

    /// The interval in points, with a remark if it is unreliable.
    pub(crate) fn bracket(&self) -> String {
        self.written(|interval| interval)
    }

    /// The same for the second minus the first.
    pub(crate) fn mirrored_bracket(&self) -> String {
        self.written(DifferenceInterval::mirrored)
    }

    fn written(&self, seen: fn(DifferenceInterval) -> DifferenceInterval) -> String {
        match (self.clusters, self.within_cluster) {
            (0 | 1, Some((within, p))) => {
                format!("(new clusters: not estimable; within this cluster {}, {})", difference_bracket(seen(within)), p_value(p))
            }
            (0 | 1, None) => "(new clusters: not estimable)".to_string(),
            (clusters, _) if self.equal_clusters < FEW_EQUAL => {
                format!("{} from {clusters} clusters", difference_bracket(seen(self.interval)))
            }
            _ => difference_bracket(seen(self.interval)),
        }
    }

    /// The difference as a cell, with its interval and the mark of the adjusted p value.
    pub(crate) fn cell(&self, adjusted_p: f64) -> Cell {
        let cell = Cell::difference(self.difference(), self.interval, adjusted_p);
        match (self.clusters, cell) {
            (0 | 1, Cell::Difference { points, p, .. }) => Cell::Difference { points, interval: None, p, mark: None },
            (clusters, cell) if self.equal_clusters < FEW_EQUAL => cell.marked(Some(IntervalMark::FewClusters(clusters as u64))),
            (_, cell) => cell,
        }
    }

    /// The measurement of this difference with interval and adjusted p value. One cluster gives no interval across clusters: that within it has its own name.
    pub(crate) fn measured(&self, number: Measurement, adjusted_p: f64) -> Measurement {
        let tested = Measurement { clusters: Some(self.clusters as u64), ..number.tested(adjusted_p) };
        match (self.clusters, self.within_cluster) {
            (0 | 1, Some((within, p))) => tested.within_one_cluster_difference(within, p),
            (0 | 1, None) => tested,
            (clusters, _) => {
                let mark = (self.equal_clusters < FEW_EQUAL).then_some(IntervalMark::FewClusters(clusters as u64));
                Measurement { mark, ..tested.within_difference(self.interval) }
            }
        }
    }

    /// Whether the p value of a group is reported: enough of its clusters differ.
    pub(crate) fn has_p_in_groups(&self) -> bool {
        self.differing_clusters as u64 >= LEAST_DIFFERING && self.equal_clusters >= SMALL_GROUP
    }
}

/// Holm's p values of the differences of one table, after Tarone: those that cannot reach the level do not count as tests.
pub(super) fn holm(tests: impl IntoIterator<Item = Paired>, alpha: f64) -> Result<Vec<f64>, StatisticsError> {
    let tests: Vec<(f64, f64)> = tests.into_iter().map(|test| (test.p, test.smallest_p)).collect();
    multiple::tarone_holm(&tests, alpha)
}

/// The p values of a family of tests, adjusted by Holm's method after Tarone.
pub fn adjusted(tests: &[Paired], testing: &Testing) -> Result<Vec<f64>, StatisticsError> {
    holm(tests.iter().copied(), testing.plan.alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `b` examples that only the first and `c` that only the second gets right, among `rows`, each `times` times in its cluster.
    fn paired(b: usize, c: usize, rows: usize, times: usize) -> Paired {
        let repeated = |rule: &dyn Fn(usize) -> bool| (0..rows * times).map(|row| rule(row / times)).collect::<Vec<bool>>();
        let (first, second) = (repeated(&|row| row < b), repeated(&|row| (b..b + c).contains(&row)));
        let clusters: Vec<u32> = (0..rows * times).map(|row| (row / times) as u32).collect();
        Paired::of(&first, &second, &clusters, &Testing::default()).unwrap()
    }

    #[test]
    fn independent_examples_are_tested_by_mcnemar() {
        let found = paired(21, 9, 100, 1);
        assert_eq!(found.p, found.counts.exact_p());
    }

    #[test]
    fn repeated_examples_in_a_cluster_add_no_evidence() {
        let (once, often) = (paired(21, 9, 100, 1), paired(21, 9, 100, 50));
        assert!(often.counts.exact_p() < 1e-50, "McNemar takes copies for evidence");
        assert!((often.p - once.p).abs() < 1e-12, "{} and {}", often.p, once.p);
        assert!((often.interval.interval.low - once.interval.interval.low).abs() < 1e-9);
        let (once, often) = (once.minimum_detectable.unwrap(), often.minimum_detectable.unwrap());
        assert!((often / once - 1.0).abs() < 1e-9, "{once} and {often}");
    }

    #[test]
    fn few_clusters_say_why_they_cannot_be_significant() {
        let found = paired(3, 0, 3, 100);
        assert_eq!(found.p, 0.25);
        let why = found.too_few_clusters().unwrap();
        assert_eq!(why, "with 3 clusters that differ, the smallest possible p value is 0.25, so 0.05 cannot be reached");
        assert_eq!(paired(6, 0, 10, 3).too_few_clusters(), None);
    }

    #[test]
    fn one_cluster_gives_an_interval_within_the_cluster_only() {
        let rows = 1000;
        let (first, second) = (vec![true; rows], (0..rows).map(|row| row >= 980).collect::<Vec<bool>>());
        let found = Paired::of(&first, &second, &vec![7; rows], &Testing::default()).unwrap();
        assert_eq!(found.p, 1.0);
        let (within, p) = found.within_cluster.unwrap();
        assert!(p < 1e-200 && within.interval.low > 0.96, "{found:?}");
        assert_eq!(found.bracket(), "(new clusters: not estimable; within this cluster [96.9, 98.7], p < 0.001)");
        assert_eq!(found.mirrored_bracket(), "(new clusters: not estimable; within this cluster [-98.7, -96.9], p < 0.001)");
        assert!(matches!(found.cell(1.0), Cell::Difference { interval: None, .. }));
    }

    #[test]
    fn intervals_of_few_clusters_are_marked() {
        let found = paired(2, 0, 3, 100);
        assert!(found.bracket().ends_with("] from 3 clusters"), "{}", found.bracket());
        assert_eq!(found.cell(1.0).mark(), Some(IntervalMark::FewClusters(3)));
        assert!(!paired(2, 0, 6, 100).bracket().contains("from"));
    }

    #[test]
    fn tests_that_cannot_be_significant_do_not_count_in_a_table() {
        let tests = [paired(3, 0, 3, 10), paired(4, 0, 4, 10), paired(6, 0, 10, 3)];
        assert_eq!(holm(tests, 0.05).unwrap(), [0.75, 0.25, 0.03125]);
    }
}
