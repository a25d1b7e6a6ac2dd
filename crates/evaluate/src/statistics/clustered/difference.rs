//! The difference between two accuracies on the same examples in clusters.

use super::equal_clusters;
use super::flip::{self, Sizes};
use super::scan::outermost;
use crate::statistics::error::same_length;
use crate::statistics::power::{self, Plan};
use crate::statistics::{CONFIDENCE, Interval, PairedCounts, StatisticsError, normal};

/// The outcomes of two systems by cluster, summarised as test and interval need them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClusteredDifference {
    counts: PairedCounts,
    clusters: u64,
    /// The number of clusters by how many examples one system is ahead.
    sizes: Sizes,
    squared_difference: f64,
    difference_times_rows: f64,
    squared_rows: f64,
}

/// The interval of a difference, which excludes 0 exactly if the test rejects equality.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DifferenceInterval {
    /// The two ends.
    pub interval: Interval,
    /// Whether an end of exactly 0 is itself excluded.
    pub is_zero_left_out: bool,
}

impl DifferenceInterval {
    /// Whether the interval contains this difference.
    pub fn contains(self, difference: f64) -> bool {
        self.interval.contains(difference) && !(self.is_zero_left_out && difference == 0.0)
    }

    /// The interval of the second minus the first.
    pub fn mirrored(self) -> Self {
        let Interval { low, high } = self.interval;
        DifferenceInterval { interval: Interval { low: -high, high: -low }, ..self }
    }
}

/// The level at which p values and intervals agree.
const LEVEL: f64 = 0.05;

/// With fewer clusters that differ, p < 0.05 is impossible.
pub const LEAST_DIFFERING: u64 = 6;

impl ClusteredDifference {
    /// From one entry per example: whether each system is correct, and the number of its cluster.
    pub fn of(first: &[bool], second: &[bool], clusters: &[u32]) -> Result<Self, StatisticsError> {
        let counts = PairedCounts::of(first, second)?;
        same_length("cluster numbers", first.len(), clusters.len())?;
        let mut order: Vec<(u32, i8)> = clusters
            .iter()
            .zip(first.iter().zip(second))
            .map(|(&cluster, (&first, &second))| (cluster, i8::from(first) - i8::from(second)))
            .collect();
        order.sort_unstable();
        let mut sums = ClusteredDifference { counts, ..ClusteredDifference::default() };
        for own in order.chunk_by(|a, b| a.0 == b.0) {
            sums.add(own.iter().map(|(_, difference)| i64::from(*difference)).sum(), own.len() as u64);
        }
        Ok(sums)
    }

    /// From the paired counts of each cluster, in which an example may count several times: once for each pair of runs.
    pub fn of_counts(clusters: impl IntoIterator<Item = PairedCounts>) -> Self {
        let mut sums = ClusteredDifference::default();
        for own in clusters.into_iter().filter(|own| own.total() > 0) {
            sums.counts.both += own.both;
            sums.counts.first_only += own.first_only;
            sums.counts.second_only += own.second_only;
            sums.counts.neither += own.neither;
            sums.add(own.first_only as i64 - own.second_only as i64, own.total());
        }
        sums
    }

    fn add(&mut self, difference: i64, rows: u64) {
        let (own, size) = (difference as f64, rows as f64);
        self.clusters += 1;
        self.squared_difference += own * own;
        self.difference_times_rows += own * size;
        self.squared_rows += size * size;
        if difference != 0 {
            *self.sizes.entry(difference.unsigned_abs()).or_default() += 1;
        }
    }

    /// The paired counts without clusters.
    pub fn counts(&self) -> PairedCounts {
        self.counts
    }

    /// The number of clusters.
    pub fn clusters(&self) -> u64 {
        self.clusters
    }

    /// The number of clusters in which one system is ahead.
    pub fn differing_clusters(&self) -> u64 {
        self.sizes.values().sum()
    }

    /// The effective number of clusters: as many clusters of equal size are as informative.
    pub fn equal_clusters(&self) -> f64 {
        equal_clusters(self.counts.total() as f64, self.squared_rows)
    }

    /// The smallest possible p value, given the number of clusters that differ.
    pub fn smallest_p(&self) -> f64 {
        let differing = i32::try_from(self.differing_clusters()).unwrap_or(i32::MAX);
        if differing == 0 { 1.0 } else { 2f64.powi(1 - differing) }
    }

    /// The exact two-sided p value: the systems could be swapped in any cluster.
    pub fn p(&self) -> f64 {
        flip::two_sided(&self.sizes, self.sum())
    }

    /// The exact one-sided p value, which is small if the first system is worse.
    pub fn p_of_drop(&self) -> f64 {
        flip::lower(&self.sizes, self.sum())
    }

    /// The 95 % clustered Tango interval, adjusted to agree with the two-sided p value.
    pub fn interval(&self) -> DifferenceInterval {
        let Interval { mut low, mut high } = self.interval_at(normal::two_sided(CONFIDENCE));
        let zero_inside = low <= 0.0 && 0.0 <= high;
        let rejected = self.p() < LEVEL;
        match (rejected, zero_inside) {
            (false, false) if low > 0.0 => low = 0.0,
            (false, false) => high = 0.0,
            (true, true) if self.sum() > 0 => low = 0.0,
            (true, true) => high = 0.0,
            _ => {}
        }
        DifferenceInterval { interval: Interval { low, high }, is_zero_left_out: rejected && zero_inside }
    }

    /// The one-sided 95 % ends: below the lower one and above the upper one the difference is excluded.
    pub fn one_sided_ends(&self) -> Interval {
        self.interval_at(normal::quantile(CONFIDENCE))
    }

    /// The differences that a score test with this quantile does not reject, with the design effect taken at the difference under test.
    fn interval_at(&self, z: f64) -> Interval {
        let all = Interval { low: -1.0, high: 1.0 };
        let rows = self.counts.total() as f64;
        if rows == 0.0 {
            return all;
        }
        let sum = self.sum() as f64;
        outermost(all, sum / rows, |difference| {
            (sum - rows * difference).powi(2) <= z * z * self.design_effect(difference) * self.variance(difference)
        })
    }

    /// Tango's variance of the sum over independent examples, at this true difference.
    fn variance(&self, difference: f64) -> f64 {
        let (rows, first, second) = (self.counts.total() as f64, self.counts.first_only as f64, self.counts.second_only as f64);
        let a = 2.0 * rows;
        let b = (2.0 * rows - first + second) * difference - first - second;
        let c = -second * difference * (1.0 - difference);
        let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
        // The share of examples that only the second gets right; the usual formula loses precision where `b` is positive.
        let share = if b > 0.0 { -2.0 * c / (b + root) } else { (root - b) / (2.0 * a) };
        (rows * (2.0 * share + difference * (1.0 - difference))).max(0.0)
    }

    /// The design effect at this true difference: the variance relative to that of independent examples; at least 1.
    fn design_effect(&self, difference: f64) -> f64 {
        let (rows, first, second) = (self.counts.total() as f64, self.counts.first_only as f64, self.counts.second_only as f64);
        let independent =
            first * (1.0 - difference).powi(2) + second * (1.0 + difference).powi(2) + (rows - first - second) * difference * difference;
        let clustered =
            self.squared_difference - 2.0 * difference * self.difference_times_rows + difference * difference * self.squared_rows;
        if independent > 0.0 { (clustered / independent).max(1.0) } else { (self.squared_rows / rows).max(1.0) }
    }

    /// The minimum detectable difference with these clusters; `None` if there is none.
    pub fn minimum_detectable(&self, plan: Plan) -> Result<Option<f64>, StatisticsError> {
        if self.clusters < LEAST_DIFFERING {
            return Ok(None);
        }
        let rows = self.counts.total() as f64;
        power::minimum_detectable(rows / self.design_effect(self.sum() as f64 / rows), self.counts.discordance(), plan)
    }

    /// The number of examples that only the first gets right, minus those that only the second does.
    fn sum(&self) -> i64 {
        self.counts.first_only as i64 - self.counts.second_only as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Clusters of examples, each with how many only the first and only the second gets right.
    fn found(clusters: &[(usize, [usize; 3])]) -> ClusteredDifference {
        let (mut first, mut second, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        let each = clusters.iter().flat_map(|&(times, cluster)| std::iter::repeat_n(cluster, times));
        for (number, [size, only_first, only_second]) in each.enumerate() {
            for row in 0..size {
                first.push(row < only_first);
                second.push((only_first..only_first + only_second).contains(&row));
                numbers.push(number as u32);
            }
        }
        ClusteredDifference::of(&first, &second, &numbers).unwrap()
    }

    #[track_caller]
    fn check(clusters: &[(usize, [usize; 3])], p: f64, before: [f64; 2], after: [f64; 2]) {
        let found = found(clusters);
        assert!((found.p() - p).abs() <= 6e-6 * p, "p {}, not {p}", found.p());
        let close = |found: Interval, [low, high]: [f64; 2]| (found.low - low).abs() < 6e-6 && (found.high - high).abs() < 6e-6;
        let raw = found.interval_at(normal::two_sided(CONFIDENCE));
        assert!(close(raw, before), "{raw:?}, not {before:?}");
        let agreed = found.interval();
        assert!(close(agreed.interval, after), "{agreed:?}, not {after:?}");
        let zero_inside = agreed.interval.contains(0.0) && !agreed.is_zero_left_out;
        assert_eq!(zero_inside, found.p() >= LEVEL, "p and interval disagree");
    }

    #[test]
    fn ten_premises_of_three_examples() {
        check(&[(5, [3, 1, 0]), (5, [3, 0, 0])], 0.0625, [0.03423, 0.33710], [0.0, 0.33710]);
        check(&[(6, [3, 1, 0]), (4, [3, 0, 0])], 0.03125, [0.06378, 0.37306], [0.06378, 0.37306]);
        check(&[(7, [3, 1, 0]), (3, [3, 0, 0])], 0.015625, [0.09333, 0.40928], [0.09333, 0.40928]);
        check(&[(5, [3, 3, 0]), (5, [3, 0, 0])], 0.0625, [0.08370, 0.76341], [0.0, 0.76341]);
        check(&[(6, [3, 3, 0]), (4, [3, 0, 0])], 0.03125, [0.15595, 0.83182], [0.15595, 0.83182]);
        check(&[(7, [3, 3, 0]), (3, [3, 0, 0])], 0.015625, [0.22819, 0.89221], [0.22819, 0.89221]);
    }

    #[test]
    fn few_discordant_examples_among_many() {
        check(&[(4, [3, 1, 0]), (996, [3, 0, 0])], 0.125, [0.00005, 0.00343], [0.0, 0.00343]);
        check(&[(6, [3, 1, 0]), (994, [3, 0, 0])], 0.03125, [0.00072, 0.00436], [0.00072, 0.00436]);
        check(&[(4, [1, 1, 0]), (996, [1, 0, 0])], 0.125, [0.00016, 0.01024], [0.0, 0.01024]);
        let clusters = [(6, [3, 1, 0]), (10, [3, 0, 1]), (984, [3, 0, 0])];
        check(&clusters, 0.4544983, [-0.00436, 0.00144], [-0.00436, 0.00144]);
        assert!((found(&clusters).one_sided_ends().low + 0.00379).abs() < 6e-6);
    }

    #[test]
    fn copies_in_a_cluster_add_no_evidence() {
        let ends = [0.01328, 0.22751];
        check(&[(21, [1, 1, 0]), (9, [1, 0, 1]), (70, [1, 0, 0])], 0.0427739, ends, ends);
        check(&[(21, [50, 50, 0]), (9, [50, 0, 50]), (70, [50, 0, 0])], 0.0427739, ends, ends);
    }

    #[test]
    fn clusters_of_unequal_sizes() {
        let clusters = [(1, [10, 5, 0]), (1, [6, 3, 0]), (1, [4, 2, 0]), (2, [3, 1, 0]), (1, [3, 0, 1]), (1, [4, 0, 2]), (1, [5, 0, 0])];
        check(&clusters, 34.0 / 128.0, [-0.19331, 0.48138], [-0.19331, 0.48138]);
    }

    #[test]
    fn templates() {
        check(&[(2, [500, 490, 0])], 0.5, [-0.31691, 0.98964], [-0.31691, 0.98964]);
        check(&[(30, [33, 32, 0])], 2f64.powi(-29), [0.95707, 0.97869], [0.95707, 0.97869]);
        let one = found(&[(1, [1000, 980, 0])]);
        assert_eq!((one.p(), one.clusters(), one.smallest_p()), (1.0, 1, 1.0));
        let rows = found(&[(980, [1, 1, 0]), (20, [1, 0, 0])]);
        assert!((rows.p().log10() + 294.7).abs() < 0.1, "{:e}", rows.p());
    }

    #[test]
    fn no_discordant_example() {
        check(&[(10, [3, 0, 0])], 1.0, [-0.27753, 0.27753], [-0.27753, 0.27753]);
        check(&[(1000, [3, 0, 0])], 1.0, [-0.00383, 0.00383], [-0.00383, 0.00383]);
    }

    #[test]
    fn the_smallest_detectable_difference() {
        let detectable = |clusters: &[(usize, [usize; 3])]| found(clusters).minimum_detectable(Plan::default()).unwrap();
        let close = |found: Option<f64>, expected: f64| assert!((found.unwrap() - expected).abs() < 6e-6, "{found:?}, not {expected}");
        close(detectable(&[(21, [1, 1, 0]), (9, [1, 0, 1]), (70, [1, 0, 0])]), 0.14776);
        close(detectable(&[(6, [3, 1, 0]), (10, [3, 0, 1]), (984, [3, 0, 0])]), 0.00373);
        close(
            detectable(&[(1, [10, 5, 0]), (1, [6, 3, 0]), (1, [4, 2, 0]), (2, [3, 1, 0]), (1, [3, 0, 1]), (1, [4, 0, 2]), (1, [5, 0, 0])]),
            0.32986,
        );
        assert_eq!(detectable(&[(5, [100, 50, 0])]), None);
        assert_eq!(detectable(&[(100, [1, 0, 0])]), None);
    }

    #[test]
    fn significance_needs_a_minimum_number_of_differing_clusters() {
        for (level, needed) in [(0.05, 6), (0.01, 8), (0.005, 9), (0.001, 11), (0.0005, 12)] {
            let smallest = |differing: usize| found(&[(differing, [1, 1, 0]), (20, [1, 0, 0])]).smallest_p();
            assert!(smallest(needed) < level && smallest(needed - 1) >= level, "{level}");
        }
    }

    #[test]
    fn one_sided_ends_decide_gates() {
        // Identical predictions could never pass a margin of 0.
        let identical = found(&[(1000, [3, 0, 0])]).one_sided_ends();
        assert!((identical.low + 0.0027).abs() < 5e-5, "{identical:?}");
        let low = found(&[(6, [3, 1, 0]), (10, [3, 0, 1]), (984, [3, 0, 0])]).one_sided_ends().low;
        assert!(low > -0.005 && low < -0.003, "{low}");
        assert_eq!(found(&[(1000, [3, 0, 0])]).p_of_drop(), 1.0);
    }

    #[test]
    fn an_end_at_zero_may_be_left_out() {
        // Very unequal clusters: 6 of 6 single examples one way, and a large cluster without a difference.
        let unequal = found(&[(6, [1, 1, 0]), (1, [400, 0, 0])]);
        assert!(unequal.p() < LEVEL && unequal.interval_at(normal::two_sided(CONFIDENCE)).low < 0.0);
        let interval = unequal.interval();
        assert!(interval.is_zero_left_out && interval.interval.low == 0.0 && !interval.contains(0.0) && interval.contains(1e-6));
        let mirrored = interval.mirrored();
        assert!(mirrored.interval.high == 0.0 && mirrored.contains(-1e-6) && !mirrored.contains(0.0));
    }

    proptest! {
        #[test]
        fn swapping_the_systems_mirrors_everything(rows in prop::collection::vec((any::<bool>(), any::<bool>(), 0u32..9), 1..80)) {
            let columns = |rows: &[(bool, bool, u32)]| -> (Vec<bool>, Vec<bool>, Vec<u32>) {
                (rows.iter().map(|row| row.0).collect(), rows.iter().map(|row| row.1).collect(), rows.iter().map(|row| row.2).collect())
            };
            let (first, second, clusters) = columns(&rows);
            let forth = ClusteredDifference::of(&first, &second, &clusters).unwrap();
            let back = ClusteredDifference::of(&second, &first, &clusters).unwrap();
            prop_assert_eq!(forth.p(), back.p());
            let (one, other) = (forth.interval(), back.interval());
            prop_assert!((one.interval.low + other.interval.high).abs() < 1e-9 && (one.interval.high + other.interval.low).abs() < 1e-9);
            let left_out = !one.interval.contains(0.0) || one.is_zero_left_out;
            prop_assert_eq!(forth.p() < LEVEL, left_out);
            prop_assert!(forth.p() >= forth.smallest_p() * (1.0 - 1e-12));
        }
    }
}
