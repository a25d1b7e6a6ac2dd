//! One accuracy on examples in clusters.

use super::equal_clusters;
use super::scan::outermost;
use crate::statistics::{CONFIDENCE, Interval, Proportion, normal};

/// How many examples of each cluster are right, as far as an interval needs it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ClusteredAccuracy {
    rows: u64,
    right: u64,
    clusters: u64,
    squared_right: f64,
    right_times_rows: f64,
    squared_rows: f64,
}

impl ClusteredAccuracy {
    /// From each cluster's number of right examples and of all.
    pub fn of_counts(clusters: impl IntoIterator<Item = (u64, u64)>) -> Self {
        clusters.into_iter().filter(|&(_, rows)| rows > 0).fold(ClusteredAccuracy::default(), |sums, (right, rows)| {
            let (right_here, rows_here) = (right as f64, rows as f64);
            ClusteredAccuracy {
                rows: sums.rows + rows,
                right: sums.right + right,
                clusters: sums.clusters + 1,
                squared_right: sums.squared_right + right_here * right_here,
                right_times_rows: sums.right_times_rows + right_here * rows_here,
                squared_rows: sums.squared_rows + rows_here * rows_here,
            }
        })
    }

    /// From one entry for each example: whether it is right, and the number of its cluster.
    pub fn of<C: Ord + Copy>(right: &[bool], clusters: &[C]) -> Self {
        let mut order: Vec<(C, bool)> = clusters.iter().copied().zip(right.iter().copied()).collect();
        order.sort_unstable();
        let counts = order.chunk_by(|a, b| a.0 == b.0);
        ClusteredAccuracy::of_counts(counts.map(|own| (own.iter().filter(|(_, right)| *right).count() as u64, own.len() as u64)))
    }

    /// How many examples are right.
    pub fn proportion(&self) -> Proportion {
        Proportion { count: self.right, total: self.rows }
    }

    /// How many clusters there are.
    pub fn clusters(&self) -> u64 {
        self.clusters
    }

    /// The number of clusters of one size that tell as much.
    pub fn equal_clusters(&self) -> f64 {
        equal_clusters(self.rows as f64, self.squared_rows)
    }

    /// The 95 % clustered Wilson interval; all of 0 to 1 where there is nothing.
    pub fn interval(&self) -> Interval {
        self.interval_at(CONFIDENCE)
    }

    /// The rates that a score test of this two-sided confidence does not reject, with the design effect taken at the rate under test.
    pub fn interval_at(&self, confidence: f64) -> Interval {
        let unit = Interval { low: 0.0, high: 1.0 };
        let Some(estimate) = self.proportion().rate() else { return unit };
        if self.clusters == self.rows {
            return self.proportion().wilson_at(confidence);
        }
        let z = normal::two_sided(confidence);
        let (rows, right) = (self.rows as f64, self.right as f64);
        outermost(unit, estimate, |rate| (right - rows * rate).powi(2) <= z * z * self.design_effect(rate) * rows * rate * (1.0 - rate))
    }

    /// How many times the variance of independent examples that of the clusters is, were this the true rate; at least 1.
    fn design_effect(&self, rate: f64) -> f64 {
        let (rows, right) = (self.rows as f64, self.right as f64);
        let independent = right * (1.0 - rate).powi(2) + (rows - right) * rate * rate;
        let clustered = self.squared_right - 2.0 * rate * self.right_times_rows + rate * rate * self.squared_rows;
        // Where all examples are alike, so are all clusters.
        let alike = self.right == 0 || self.right == self.rows;
        if alike { self.squared_rows / rows } else { (clustered / independent).max(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(clusters: &[(u64, u64)], low: f64, high: f64) {
        let found = ClusteredAccuracy::of_counts(clusters.iter().copied()).interval();
        assert!((found.low - low).abs() < 6e-6 && (found.high - high).abs() < 6e-6, "{found:?}, not [{low}, {high}]");
    }

    fn repeated(parts: &[(usize, (u64, u64))]) -> Vec<(u64, u64)> {
        parts.iter().flat_map(|&(times, cluster)| std::iter::repeat_n(cluster, times)).collect()
    }

    #[test]
    fn all_right_is_not_sure() {
        check(&repeated(&[(10, (3, 3))]), 0.72247, 1.0);
        check(&repeated(&[(1000, (3, 3))]), 0.99617, 1.0);
        check(&repeated(&[(30, (1000, 1000))]), 0.88649, 1.0);
    }

    #[test]
    fn errors_in_one_cluster_say_less_than_errors_in_three() {
        check(&repeated(&[(9, (3, 3)), (1, (0, 3))]), 0.59585, 0.98212);
        check(&repeated(&[(7, (3, 3)), (3, (2, 3))]), 0.70360, 0.96540);
    }

    #[test]
    fn clusters_that_are_alike_have_a_width() {
        check(&repeated(&[(15, (100, 100)), (15, (0, 100))]), 0.33154, 0.66846);
        check(&repeated(&[(100, (1, 2))]), 0.43136, 0.56864);
    }

    #[test]
    fn single_examples_give_wilsons_interval() {
        check(&repeated(&[(9, (1, 1)), (1, (0, 1))]), 0.59585, 0.98212);
    }

    #[test]
    fn nothing_rules_nothing_out() {
        assert_eq!(ClusteredAccuracy::of::<u32>(&[], &[]).interval(), Interval { low: 0.0, high: 1.0 });
    }

    proptest! {
        #[test]
        fn copies_in_a_cluster_change_nothing(right in 0u64..300, wrong in 0u64..300, times in 1u64..40) {
            prop_assume!(right + wrong > 0);
            let clusters = std::iter::repeat_n((times, times), right as usize).chain(std::iter::repeat_n((0, times), wrong as usize));
            let (found, wilson) = (ClusteredAccuracy::of_counts(clusters).interval(), Proportion { count: right, total: right + wrong }.wilson());
            prop_assert!((found.low - wilson.low).abs() < 1e-9 && (found.high - wilson.high).abs() < 1e-9, "{:?} {:?}", found, wilson);
        }

        #[test]
        fn the_order_of_examples_changes_nothing(rows in prop::collection::vec((any::<bool>(), 0u32..8), 1..60)) {
            let of = |rows: &[(bool, u32)]| {
                let (right, clusters): (Vec<bool>, Vec<u32>) = rows.iter().copied().unzip();
                ClusteredAccuracy::of(&right, &clusters)
            };
            let mut other = rows.clone();
            other.reverse();
            prop_assert_eq!(of(&rows), of(&other));
            let (found, estimate) = (of(&rows).interval(), of(&rows).proportion().rate().unwrap());
            prop_assert!(found.low <= estimate && estimate <= found.high);
        }
    }
}
