//! Two lists of right and wrong over the same rows: how far apart they are, and how sure that is.

use crate::statistics::bootstrap::{self, Estimate, Resampling};
use crate::statistics::power::{self, Plan};
use crate::statistics::{Interval, PairedCounts, StatisticsError, mcnemar};
use acidtest_nli::Seed;
use std::collections::{BTreeMap, HashSet};

/// How differences are tested.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Testing {
    /// The level at which a difference is believed, and the power with which one should be found.
    pub plan: Plan,
    /// How clusters are drawn.
    pub resampling: Resampling,
}

impl Testing {
    /// Level 0.05, power 0.8, and 10,000 replicates from this seed.
    pub fn new(seed: Seed) -> Self {
        Testing { plan: Plan::default(), resampling: Resampling::new(seed) }
    }
}

/// A paired difference with all that is known about its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paired {
    /// Who is right where.
    pub counts: PairedCounts,
    /// How many clusters the rows make.
    pub clusters: usize,
    /// The paired cluster bootstrap; `None` where all rows are one cluster.
    pub bootstrap: Option<Estimate>,
    /// The interval of the difference: Agresti and Min's where every row is its own cluster, else the bootstrap's.
    pub interval: Interval,
    /// The exact McNemar p value, which takes the rows for independent.
    pub mcnemar_p: f64,
    /// The p value that decides: McNemar's where every row is its own cluster, else that of the clusters.
    pub p: f64,
    /// The smallest true difference that these rows can be expected to show; `None` where they show none.
    pub minimum_detectable: Option<f64>,
}

impl Paired {
    /// Compares two lists of right and wrong.
    pub fn of(first: &[bool], second: &[bool], clusters: &[u32], testing: &Testing) -> Result<Self, StatisticsError> {
        let counts = PairedCounts::of(first, second)?;
        let cluster_count = clusters.iter().collect::<HashSet<_>>().len();
        let bootstrap = match cluster_count {
            0 | 1 => None,
            _ => Some(bootstrap::difference(first, second, clusters, &testing.resampling)?),
        };
        let mcnemar_p = counts.exact_p();
        let independent = cluster_count == first.len();
        let (interval, p) = match bootstrap {
            _ if independent => (counts.interval(), mcnemar_p),
            Some(found) => (found.interval, clustered_p(&found, first, second, clusters, testing)),
            // One cluster shows no spread, so nothing is ruled out.
            None => (Interval { low: -1.0, high: 1.0 }, 1.0),
        };
        let rows = effective_rows(counts, bootstrap.filter(|_| !independent));
        let minimum_detectable = match bootstrap {
            None if !independent => None,
            _ => power::minimum_detectable(rows, counts.discordance(), testing.plan)?,
        };
        Ok(Paired { counts, clusters: cluster_count, bootstrap, interval, mcnemar_p, p, minimum_detectable })
    }

    /// The first accuracy less the second.
    pub fn difference(&self) -> f64 {
        self.counts.difference()
    }
}

/// With fewer clusters than this the replicates of a bootstrap are too few different ones to be trusted on their own.
const FEW_CLUSTERS: usize = 20;

/// The bootstrap's p value. It cannot be smaller than its replicates allow, which is too coarse for a correction over many tests, so where no
/// replicate has another sign, the exact sign test of the clusters goes further.
fn clustered_p(found: &Estimate, first: &[bool], second: &[bool], clusters: &[u32], testing: &Testing) -> f64 {
    let least = 2.0 / (testing.resampling.replicates + 1) as f64;
    if found.p_value > least * 1.5 {
        return found.p_value;
    }
    let mut sums: BTreeMap<u32, i64> = BTreeMap::new();
    for ((&first, &second), &cluster) in first.iter().zip(second).zip(clusters) {
        *sums.entry(cluster).or_default() += i64::from(first) - i64::from(second);
    }
    let for_first = sums.values().filter(|&&sum| sum > 0).count() as u64;
    let for_second = sums.values().filter(|&&sum| sum < 0).count() as u64;
    let sign_p = mcnemar::exact(for_first, for_second);
    if sums.len() < FEW_CLUSTERS {
        return found.p_value.max(sign_p);
    }
    let same_side = (for_first > for_second) == (found.value > 0.0);
    if same_side { found.p_value.min(sign_p) } else { found.p_value }
}

/// As many independent rows as would give the same standard error.
fn effective_rows(counts: PairedCounts, clustered: Option<Estimate>) -> u64 {
    let rows = counts.total() as f64;
    let Some(found) = clustered else { return counts.total() };
    let variance = (counts.discordance() - counts.difference().powi(2)) / rows;
    let inflation = found.standard_error.powi(2) / variance;
    if inflation.is_finite() && inflation > 1.0 { (rows / inflation).round() as u64 } else { counts.total() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn testing() -> Testing {
        let mut testing = Testing::new(Seed::new(1));
        testing.resampling.replicates = 1000;
        testing
    }

    /// `b` rows that only the first and `c` that only the second gets right, among so many, each `times` times in its cluster.
    fn paired(b: usize, c: usize, rows: usize, times: usize) -> Paired {
        let repeated = |rule: &dyn Fn(usize) -> bool| (0..rows * times).map(|row| rule(row / times)).collect::<Vec<bool>>();
        let (first, second) = (repeated(&|row| row < b), repeated(&|row| (b..b + c).contains(&row)));
        let clusters: Vec<u32> = (0..rows * times).map(|row| (row / times) as u32).collect();
        Paired::of(&first, &second, &clusters, &testing()).unwrap()
    }

    #[test]
    fn rows_of_their_own_are_tested_by_mcnemar() {
        let found = paired(21, 9, 100, 1);
        assert_eq!(found.p, found.mcnemar_p);
        assert_eq!(found.interval, found.counts.interval());
    }

    #[test]
    fn repeating_rows_in_their_clusters_proves_nothing_more() {
        let (once, often) = (paired(21, 9, 100, 1), paired(21, 9, 100, 50));
        assert!(often.mcnemar_p < 1e-50, "McNemar takes copies for evidence: {}", often.mcnemar_p);
        assert!((often.p - once.p).abs() < 0.02, "{} and {}", often.p, once.p);
        let (once, often) = (once.minimum_detectable.unwrap(), often.minimum_detectable.unwrap());
        assert!((often / once - 1.0).abs() < 0.1, "{once} and {often}");
    }

    #[test]
    fn a_sure_difference_of_clusters_is_not_held_up_by_the_number_of_replicates() {
        assert!(paired(200, 10, 400, 2).p < 1e-30);
    }

    #[test]
    fn three_clusters_prove_nothing() {
        assert_eq!(paired(3, 0, 3, 100).p, 0.25);
    }

    #[test]
    fn one_cluster_rules_nothing_out() {
        let found = paired(1, 0, 1, 100);
        assert_eq!((found.p, found.interval, found.minimum_detectable), (1.0, Interval { low: -1.0, high: 1.0 }, None));
    }
}
