//! The cluster bootstrap: intervals that know that rows of one parent, premise or template are not independent.
//!
//! Clusters, not rows, are drawn with replacement, as many as there are, and the statistic is computed anew, over and over; the interval is
//! that between the percentiles of the replicates. A replicate depends only on the seed and on which clusters there are: neither the order
//! of the rows, nor the numbers of the clusters, nor the threads change a bit of it, and the first 1,000 of 10,000 replicates are the
//! 1,000 of a smaller run. Replicates are drawn side by side where the caller runs on threads of its own.
//!
//! Each cluster counts only through its sum and its size, and in practice few such pairs differ, so mostly not the clusters are drawn but
//! how often each kind of cluster comes up, which is the same distribution for far less work.

use super::StatisticsError;
use super::error::{open_unit, same_length};
use super::interval::{CONFIDENCE, Interval};
use super::multinomial::Multinomial;
use acidtest_nli::{Rng, Seed};
use rayon::prelude::*;
use std::collections::HashMap;

/// How to draw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resampling {
    /// How many times the clusters are drawn.
    pub replicates: usize,
    /// The confidence of the interval.
    pub confidence: f64,
    /// Where the random numbers come from.
    pub seed: Seed,
}

impl Resampling {
    /// 10,000 replicates, 95 % confidence.
    pub fn new(seed: Seed) -> Self {
        Resampling { replicates: 10_000, confidence: CONFIDENCE, seed }
    }
}

/// A mean and how far it varies between samples of clusters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The mean of the rows as they are.
    pub value: f64,
    /// The standard deviation of the replicates.
    pub standard_error: f64,
    /// The percentile interval of the replicates. It has no width where all clusters are alike, as when every row is right; Wilson's
    /// interval beside it keeps one.
    pub interval: Interval,
    /// The two-sided p value of a mean of 0: twice the share of replicates on the rarer side of it, those at 0 counted with both and one
    /// added, so that it is never 0.
    pub p_value: f64,
    /// How many clusters the rows make.
    pub clusters: usize,
}

/// The share of right rows.
pub fn rate(right: &[bool], clusters: &[u32], resampling: &Resampling) -> Result<Estimate, StatisticsError> {
    let values: Vec<i32> = right.iter().map(|&right| i32::from(right)).collect();
    mean(&values, clusters, resampling)
}

/// The accuracy of the first system less that of the second on the same rows.
pub fn difference(first: &[bool], second: &[bool], clusters: &[u32], resampling: &Resampling) -> Result<Estimate, StatisticsError> {
    same_length("answers of the second system", first.len(), second.len())?;
    let values: Vec<i32> = first.iter().zip(second).map(|(&first, &second)| i32::from(first) - i32::from(second)).collect();
    mean(&values, clusters, resampling)
}

/// The mean of whole numbers, one a row, such as 1 for right and 0 for wrong, or differences of these.
///
/// Rows of one cluster have the same number in `clusters`; which numbers does not matter. One cluster alone is an error, since it says
/// nothing about the spread between clusters.
pub fn mean(values: &[i32], clusters: &[u32], resampling: &Resampling) -> Result<Estimate, StatisticsError> {
    same_length("clusters", values.len(), clusters.len())?;
    let confidence = open_unit("confidence", resampling.confidence)?;
    if resampling.replicates < 2 {
        return Err(StatisticsError::TooFew { what: "replicates", found: resampling.replicates, needed: 2 });
    }
    let sample = Sample::of(values, clusters, COMMON)?;
    let mut replicates = sample.replicates(resampling);
    let standard_error = deviation(&replicates);
    let p_value = p_value(&replicates);
    replicates.sort_unstable_by(f64::total_cmp);
    let tail = (1.0 - confidence) / 2.0;
    let interval = Interval { low: percentile(&replicates, tail), high: percentile(&replicates, 1.0 - tail) };
    let value = values.iter().map(|&value| i64::from(value)).sum::<i64>() as f64 / values.len() as f64;
    Ok(Estimate { value, standard_error, interval, p_value, clusters: sample.size as usize })
}

/// All that a mean needs to know of one cluster, or of several together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Cluster {
    sum: i64,
    rows: i64,
}

impl Cluster {
    fn add(&mut self, other: Cluster, times: i64) {
        self.sum += other.sum * times;
        self.rows += other.rows * times;
    }

    fn mean(self) -> f64 {
        self.sum as f64 / self.rows as f64
    }
}

/// A kind of cluster with fewer members than this is not worth a split of its own; measured with `bench/bootstrap.py`.
const COMMON: usize = 32;

/// The clusters in an order that does not depend on how they came.
struct Sample {
    /// How many clusters there are.
    size: u64,
    /// Kinds of clusters that are drawn by how often each comes up.
    common: Vec<Cluster>,
    /// Clusters that are drawn one by one.
    rare: Vec<Cluster>,
    /// Splits the draws between the common kinds and, last, the rare clusters together.
    multinomial: Multinomial,
}

impl Sample {
    fn of(values: &[i32], numbers: &[u32], common_from: usize) -> Result<Sample, StatisticsError> {
        let mut clusters = gather(values, numbers);
        if clusters.is_empty() {
            return Err(StatisticsError::Empty { what: "rows" });
        }
        if clusters.len() < 2 {
            return Err(StatisticsError::TooFew { what: "cluster", found: 1, needed: 2 });
        }
        let size = clusters.len() as u64;
        let largest = clusters.iter().map(|cluster| cluster.sum.unsigned_abs().max(cluster.rows.unsigned_abs())).max().unwrap_or(0);
        let limit = i64::MAX as u64;
        if largest.checked_mul(size).is_none_or(|most| most > limit) {
            return Err(StatisticsError::TooLarge { limit });
        }
        clusters.sort_unstable();
        let (mut kinds, mut rare) = (Vec::new(), Vec::new());
        for same in clusters.chunk_by(|a, b| a == b) {
            if same.len() < common_from {
                rare.extend_from_slice(same);
            } else {
                kinds.push((same.len() as u64, same[0]));
            }
        }
        // The commonest first, so that the fewest draws go through many splits.
        kinds.sort_by_key(|&(weight, _)| std::cmp::Reverse(weight));
        let (mut weights, common): (Vec<u64>, Vec<Cluster>) = kinds.into_iter().unzip();
        if !rare.is_empty() {
            weights.push(rare.len() as u64);
        }
        Ok(Sample { size, common, rare, multinomial: Multinomial::new(&weights) })
    }

    /// The mean of every replicate, each from its own random numbers.
    fn replicates(&self, resampling: &Resampling) -> Vec<f64> {
        let seed = resampling.seed.child("bootstrap");
        let mean = |replicate: usize| self.replicate(seed.child(&replicate.to_string()).rng());
        // On the threads that the caller runs this on, and never on those of a pool that nobody owns.
        match rayon::current_thread_index() {
            Some(_) => (0..resampling.replicates).into_par_iter().map(mean).collect(),
            None => (0..resampling.replicates).map(mean).collect(),
        }
    }

    /// The mean of as many clusters as there are, drawn with replacement.
    fn replicate(&self, rng: Rng) -> f64 {
        let mut all = Cluster::default();
        let mut rare = 0;
        let rng = self.multinomial.draw(self.size, rng, |kind, count| match self.common.get(kind) {
            Some(&cluster) => all.add(cluster, count as i64),
            None => rare = count,
        });
        all.add(self.draw_rare(rare, rng), 1);
        all.mean()
    }

    /// So many draws from the rare clusters, together.
    fn draw_rare(&self, draws: u64, mut rng: Rng) -> Cluster {
        let mut all = Cluster::default();
        // Two numbers of 32 bits from each word, by Lemire's multiplication with rejection; there are at most 2^32 cluster numbers.
        let limit = self.rare.len() as u64;
        let threshold = (1u64 << 32).checked_rem(limit).unwrap_or(0);
        let mut left = draws;
        while left > 0 {
            let word = rng.next();
            for half in [word >> 32, word & 0xffff_ffff] {
                let product = half * limit;
                if left > 0 && product & 0xffff_ffff >= threshold {
                    all.add(self.rare[(product >> 32) as usize], 1);
                    left -= 1;
                }
            }
        }
        all
    }
}

/// The clusters of the rows, in the order in which they first come.
fn gather(values: &[i32], numbers: &[u32]) -> Vec<Cluster> {
    let mut clusters: Vec<Cluster> = Vec::new();
    let mut count = |place: usize, value: i32| {
        if place == clusters.len() {
            clusters.push(Cluster::default());
        }
        clusters[place].add(Cluster { sum: i64::from(value), rows: 1 }, 1);
    };
    let highest = numbers.iter().copied().max().unwrap_or(0) as usize;
    let mut seen = 0;
    // Numbers that are nearly as few as the rows are looked up in a table, others in a map.
    if highest < 4 * numbers.len() {
        let mut places = vec![usize::MAX; highest + 1];
        for (&value, &number) in values.iter().zip(numbers) {
            let place = &mut places[number as usize];
            if *place == usize::MAX {
                *place = seen;
                seen += 1;
            }
            count(*place, value);
        }
    } else {
        let mut places: HashMap<u32, usize> = HashMap::new();
        for (&value, &number) in values.iter().zip(numbers) {
            let next = places.len();
            count(*places.entry(number).or_insert(next), value);
        }
    }
    clusters
}

fn deviation(replicates: &[f64]) -> f64 {
    let mean = replicates.iter().sum::<f64>() / replicates.len() as f64;
    let squares: f64 = replicates.iter().map(|replicate| (replicate - mean).powi(2)).sum();
    (squares / (replicates.len() - 1) as f64).sqrt()
}

fn p_value(replicates: &[f64]) -> f64 {
    let not_above = replicates.iter().filter(|&&replicate| replicate <= 0.0).count();
    let not_below = replicates.iter().filter(|&&replicate| replicate >= 0.0).count();
    let rarer = not_above.min(not_below) + 1;
    (2.0 * rarer as f64 / (replicates.len() + 1) as f64).min(1.0)
}

/// The value below which this share of the sorted values lies, between two values by straight line.
fn percentile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::super::Proportion;
    use super::*;
    use acidtest_threads::Threads;
    use proptest::prelude::*;
    use std::num::NonZero;

    fn resampling(replicates: usize) -> Resampling {
        Resampling { replicates, ..Resampling::new(Seed::new(5)) }
    }

    /// Rows of which about this share is true, each repeated in a cluster.
    fn rows(clusters: usize, size: usize, share: f64) -> (Vec<bool>, Vec<u32>) {
        let mut rng = Seed::new(1).child("rows").rng();
        let one = |number: usize, right: bool| std::iter::repeat_n((right, number as u32), size);
        (0..clusters).map(|number| (number, rng.unit() < share)).flat_map(|(number, right)| one(number, right)).unzip()
    }

    #[test]
    fn single_rows_have_the_binomial_standard_error() {
        let (right, clusters) = rows(2000, 1, 0.8);
        let found = rate(&right, &clusters, &resampling(4000)).unwrap();
        let expected = (found.value * (1.0 - found.value) / 2000.0).sqrt();
        assert!((found.standard_error / expected - 1.0).abs() < 0.06, "{} is not {expected}", found.standard_error);
        assert!((found.interval.width() / (2.0 * 1.96 * expected) - 1.0).abs() < 0.08, "{:?}", found.interval);
    }

    #[test]
    fn rows_that_only_repeat_their_cluster_add_nothing() {
        let (right, clusters) = rows(500, 1, 0.7);
        let (repeated, same_clusters) = rows(500, 9, 0.7);
        let settings = resampling(500);
        assert_eq!(rate(&right, &clusters, &settings), rate(&repeated, &same_clusters, &settings));
    }

    #[test]
    fn the_interval_covers_the_truth_where_wilson_takes_rows_for_independent() {
        // 60 clusters of 10 rows, each right with 0.3 or 0.9 by its cluster: 0.6 on the whole.
        let (mut covered, mut covered_by_wilson) = (0, 0);
        for trial in 0..400 {
            let mut rng = Seed::new(11).child(&trial.to_string()).rng();
            let mut right = Vec::new();
            for _ in 0..60 {
                let share = if rng.below(2) == 0 { 0.3 } else { 0.9 };
                right.extend((0..10).map(|_| rng.unit() < share));
            }
            let clusters: Vec<u32> = (0..600).map(|row| row / 10).collect();
            let found = rate(&right, &clusters, &resampling(300)).unwrap();
            covered += usize::from(found.interval.contains(0.6));
            covered_by_wilson += usize::from(Proportion::of(&right).wilson().contains(0.6));
        }
        assert!((365..=395).contains(&covered), "{covered} of 400");
        assert!(covered_by_wilson < 300, "{covered_by_wilson} of 400");
    }

    #[test]
    fn drawing_kinds_and_drawing_clusters_give_the_same_distribution() {
        let mut rng = Seed::new(2).rng();
        let clusters: Vec<u32> = (0..6000).map(|_| rng.below(2000) as u32).collect();
        let values: Vec<i32> = (0..6000).map(|_| rng.below(3) as i32 - 1).collect();
        let draw = |common_from: usize, seed: u64| -> Vec<f64> {
            let sample = Sample::of(&values, &clusters, common_from).unwrap();
            let settings = Resampling { seed: Seed::new(seed), ..resampling(4000) };
            let mut means = sample.replicates(&settings);
            means.sort_unstable_by(f64::total_cmp);
            means
        };
        let (kinds, singly) = (draw(COMMON, 1), draw(usize::MAX, 2));
        // Kolmogorov and Smirnov's distance of two samples of 4000; 0.0436 is its 99.9 % point.
        let below = |value: f64| singly.partition_point(|&other| other <= value) as f64 / 4000.0;
        let distance =
            kinds.iter().enumerate().map(|(place, &value)| ((place + 1) as f64 / 4000.0 - below(value)).abs()).fold(0.0, f64::max);
        assert!(distance < 0.0436, "distance {distance}");
    }

    #[test]
    fn the_first_replicates_are_those_of_a_smaller_run() {
        let (right, clusters) = rows(300, 2, 0.6);
        let values: Vec<i32> = right.iter().map(|&right| i32::from(right)).collect();
        let sample = Sample::of(&values, &clusters, COMMON).unwrap();
        let threads = Threads::new(NonZero::new(2).unwrap()).unwrap();
        assert_eq!(threads.run(|| sample.replicates(&resampling(100))), sample.replicates(&resampling(1000))[..100]);
    }

    #[test]
    fn numbers_never_change() {
        let (first, clusters) = rows(400, 3, 0.8);
        let second: Vec<bool> = first.iter().enumerate().map(|(place, &right)| right != (place % 7 == 0)).collect();
        let found = difference(&first, &second, &clusters, &resampling(1000)).unwrap();
        assert_eq!(
            (found.interval.low, found.interval.high, found.p_value),
            (0.058333333333333334, 0.10002083333333332, 0.001998001998001998)
        );
    }

    #[test]
    fn equal_systems_do_not_differ() {
        let (right, clusters) = rows(100, 1, 0.8);
        let found = difference(&right, &right, &clusters, &resampling(100)).unwrap();
        assert_eq!((found.value, found.p_value), (0.0, 1.0));
    }

    #[test]
    fn bad_input_is_named() {
        let check = |found: Result<Estimate, StatisticsError>, message: &str| assert_eq!(found.unwrap_err().to_string(), message);
        check(rate(&[], &[], &resampling(10)), "no rows: at least one is needed");
        check(rate(&[true], &[1, 2], &resampling(10)), "2 clusters for 1 rows: there must be one for every row");
        check(rate(&[true, false], &[7, 7], &resampling(10)), "only 1 cluster: at least 2 are needed");
        check(rate(&[true, false], &[7, 8], &resampling(1)), "only 1 replicates: at least 2 are needed");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn order_threads_and_numbering_change_nothing(
            rows in prop::collection::vec((any::<bool>(), 0u32..40), 2..300), threads in 1usize..5, key in 1u32..u32::MAX, seed: u64,
        ) {
            let (right, clusters): (Vec<bool>, Vec<u32>) = rows.iter().copied().unzip();
            let mut shuffled = rows.clone();
            Seed::new(seed).rng().shuffle(&mut shuffled);
            let (other_right, other_clusters): (Vec<bool>, Vec<u32>) =
                shuffled.into_iter().map(|(right, cluster)| (right, cluster.wrapping_mul(key | 1).wrapping_add(seed as u32))).unzip();
            let plain = rate(&right, &clusters, &resampling(50));
            let threads = Threads::new(NonZero::new(threads).unwrap()).unwrap();
            prop_assert_eq!(plain, threads.run(|| rate(&other_right, &other_clusters, &resampling(50))));
        }

        #[test]
        fn the_interval_lies_within_the_range_of_the_clusters(rows in prop::collection::vec((-9i32..9, 0u32..12), 2..200)) {
            let (values, clusters): (Vec<i32>, Vec<u32>) = rows.into_iter().unzip();
            let (least, most) = (f64::from(*values.iter().min().unwrap()), f64::from(*values.iter().max().unwrap()));
            let Ok(found) = mean(&values, &clusters, &resampling(50)) else { return Err(TestCaseError::reject("one cluster")) };
            prop_assert!(least <= found.interval.low && found.interval.low <= found.interval.high && found.interval.high <= most);
            prop_assert!((0.0..=1.0).contains(&found.p_value));
        }
    }
}
