//! The accuracy on examples in clusters.

use super::equal_clusters;
use super::scan::outermost;
use crate::statistics::{CONFIDENCE, Interval, Proportion, normal};

/// The reliability of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Reliable.
    Full,
    /// So few clusters have an error, or a correct example, that its coverage may be too low.
    Rough,
    /// It is based on so few clusters that it is hardly informative.
    FewClusters,
    /// Not estimable from one cluster.
    NotEstimable,
}

/// With a smaller effective number of clusters, an interval is marked with their number.
pub const FEW_EQUAL: f64 = 4.0;

/// Shares closer to 0 or 1 have approximate intervals if few clusters differ from the rest.
const NEAR_AN_END: f64 = 0.1;

/// With fewer clusters that differ from the rest, the interval of such a share is approximate.
const FEW_OF_A_KIND: u64 = 5;

/// The counts of correct examples by cluster, summarised as intervals need them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ClusteredAccuracy {
    rows: u64,
    right: u64,
    clusters: u64,
    with_right: u64,
    with_error: u64,
    squared_right: f64,
    right_times_rows: f64,
    squared_rows: f64,
}

impl ClusteredAccuracy {
    /// From the number of correct examples and of all examples of each cluster.
    pub fn of_counts(clusters: impl IntoIterator<Item = (u64, u64)>) -> Self {
        clusters.into_iter().filter(|&(_, rows)| rows > 0).fold(ClusteredAccuracy::default(), |sums, (right, rows)| {
            let (right_here, rows_here) = (right as f64, rows as f64);
            ClusteredAccuracy {
                rows: sums.rows + rows,
                right: sums.right + right,
                clusters: sums.clusters + 1,
                with_right: sums.with_right + u64::from(right > 0),
                with_error: sums.with_error + u64::from(right < rows),
                squared_right: sums.squared_right + right_here * right_here,
                right_times_rows: sums.right_times_rows + right_here * rows_here,
                squared_rows: sums.squared_rows + rows_here * rows_here,
            }
        })
    }

    /// From one entry per example: whether it is correct, and the number of its cluster.
    pub fn of<C: Ord + Copy>(right: &[bool], clusters: &[C]) -> Self {
        let mut order: Vec<(C, bool)> = clusters.iter().copied().zip(right.iter().copied()).collect();
        order.sort_unstable();
        let counts = order.chunk_by(|a, b| a.0 == b.0);
        ClusteredAccuracy::of_counts(counts.map(|own| (own.iter().filter(|(_, right)| *right).count() as u64, own.len() as u64)))
    }

    /// The sum of two accuracies that share no cluster.
    pub fn and(&self, other: &ClusteredAccuracy) -> Self {
        ClusteredAccuracy {
            rows: self.rows + other.rows,
            right: self.right + other.right,
            clusters: self.clusters + other.clusters,
            with_right: self.with_right + other.with_right,
            with_error: self.with_error + other.with_error,
            squared_right: self.squared_right + other.squared_right,
            right_times_rows: self.right_times_rows + other.right_times_rows,
            squared_rows: self.squared_rows + other.squared_rows,
        }
    }

    /// The share of correct examples.
    pub fn proportion(&self) -> Proportion {
        Proportion { count: self.right, total: self.rows }
    }

    /// The number of clusters.
    pub fn clusters(&self) -> u64 {
        self.clusters
    }

    /// The effective number of clusters: as many clusters of equal size are as informative.
    pub fn equal_clusters(&self) -> f64 {
        equal_clusters(self.rows as f64, self.squared_rows)
    }

    /// The reliability of the interval.
    pub fn trust(&self) -> Trust {
        match self.clusters {
            0 | 1 => Trust::NotEstimable,
            _ if self.equal_clusters() < FEW_EQUAL => Trust::FewClusters,
            _ if self.is_near_an_end() => Trust::Rough,
            _ => Trust::Full,
        }
    }

    /// Whether the share is near 0 or 1 and few clusters differ from the rest.
    fn is_near_an_end(&self) -> bool {
        let rate = self.proportion().rate().unwrap_or(0.5);
        (rate > 1.0 - NEAR_AN_END && self.with_error < FEW_OF_A_KIND) || (rate < NEAR_AN_END && self.with_right < FEW_OF_A_KIND)
    }

    /// The 95 % interval of this share minus another of other examples: Newcombe's (1998), from the two clustered Wilson intervals.
    pub fn less(&self, other: &ClusteredAccuracy) -> Interval {
        self.less_at(other, CONFIDENCE)
    }

    /// The same interval at another confidence level.
    pub fn less_at(&self, other: &ClusteredAccuracy, confidence: f64) -> Interval {
        let share = |of: &ClusteredAccuracy| (of.proportion().rate().unwrap_or(0.5), of.interval_at(confidence));
        let ((one, of_one), (two, of_two)) = (share(self), share(other));
        let low = one - two - (one - of_one.low).hypot(of_two.high - two);
        let high = one - two + (of_one.high - one).hypot(two - of_two.low);
        Interval { low: low.max(-1.0), high: high.min(1.0) }
    }

    /// The 95 % clustered Wilson interval; from 0 to 1 without examples.
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

    /// The design effect at this true rate: the variance relative to that of independent examples; at least 1.
    fn design_effect(&self, rate: f64) -> f64 {
        let (rows, right) = (self.rows as f64, self.right as f64);
        let independent = right * (1.0 - rate).powi(2) + (rows - right) * rate * rate;
        let clustered = self.squared_right - 2.0 * rate * self.right_times_rows + rate * rate * self.squared_rows;
        // If all examples are equal, so are all clusters.
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
    fn an_accuracy_of_one_has_an_interval() {
        check(&repeated(&[(10, (3, 3))]), 0.72247, 1.0);
        check(&repeated(&[(1000, (3, 3))]), 0.99617, 1.0);
        check(&repeated(&[(30, (1000, 1000))]), 0.88649, 1.0);
    }

    #[test]
    fn errors_in_one_cluster_widen_the_interval_more_than_errors_in_three() {
        check(&repeated(&[(9, (3, 3)), (1, (0, 3))]), 0.59585, 0.98212);
        check(&repeated(&[(7, (3, 3)), (3, (2, 3))]), 0.70360, 0.96540);
    }

    #[test]
    fn equal_clusters_have_an_interval() {
        check(&repeated(&[(15, (100, 100)), (15, (0, 100))]), 0.33154, 0.66846);
        check(&repeated(&[(100, (1, 2))]), 0.43136, 0.56864);
    }

    #[test]
    fn single_examples_give_wilsons_interval() {
        check(&repeated(&[(9, (1, 1)), (1, (0, 1))]), 0.59585, 0.98212);
    }

    #[test]
    fn without_examples_the_interval_is_everything() {
        assert_eq!(ClusteredAccuracy::of::<u32>(&[], &[]).interval(), Interval { low: 0.0, high: 1.0 });
    }

    #[test]
    fn intervals_from_few_clusters_are_marked() {
        let trust = |parts: &[(usize, (u64, u64))]| ClusteredAccuracy::of_counts(repeated(parts)).trust();
        assert_eq!(trust(&[]), Trust::NotEstimable);
        assert_eq!(trust(&[(1, (980, 1000))]), Trust::NotEstimable);
        assert_eq!(trust(&[(3, (500, 1000))]), Trust::FewClusters);
        // Kish's effective number of 1 large cluster and 20 single examples is below 4.
        assert_eq!(trust(&[(1, (500, 1000)), (20, (1, 1))]), Trust::FewClusters);
        assert_eq!(trust(&[(96, (3, 3)), (4, (2, 3))]), Trust::Rough);
        assert_eq!(trust(&[(96, (0, 3)), (4, (1, 3))]), Trust::Rough);
        assert_eq!(trust(&[(95, (3, 3)), (5, (2, 3))]), Trust::Full);
        assert_eq!(trust(&[(3, (1, 1)), (3, (0, 1))]), Trust::Full);
    }

    #[test]
    fn the_interval_of_a_difference_between_groups_is_newcombes() {
        // Newcombe (1998), Statistics in Medicine 17:873, table II, method 10: 56/70 - 48/80 and 10/10 - 0/10.
        let of = |right: u64, rows: u64| ClusteredAccuracy::of_counts((0..rows).map(|row| (u64::from(row < right), 1)));
        let found = of(56, 70).less(&of(48, 80));
        assert!((found.low - 0.0524).abs() < 6e-5 && (found.high - 0.3339).abs() < 6e-5, "{found:?}");
        let found = of(10, 10).less(&of(0, 10));
        assert!((found.low - 0.6075).abs() < 6e-5 && found.high == 1.0, "{found:?}");
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
