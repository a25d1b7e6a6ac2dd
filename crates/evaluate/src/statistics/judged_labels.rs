//! Accuracy against the true labels, which judges gave for a random sample of the examples.
//!
//! Agreement with the labels of the set is known for all examples; the judged sample estimates its bias. No assumption about agreement with invalid labels
//! is needed.

use super::clustered::{ClusteredAccuracy, ClusteredDifference, Trust};
use super::error::same_length;
use super::{Interval, StatisticsError};
use std::collections::BTreeMap;

/// The outcome of a model on an example whose true label a judge gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JudgedExample {
    /// Whether the model agrees with the label of the set.
    pub agrees_with_set: bool,
    /// Whether it agrees with the judge.
    pub agrees_with_judge: bool,
}

/// An accuracy against true labels, estimated from a judged sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JudgedAccuracy {
    /// The estimate, clamped to 0 and 1.
    pub estimate: f64,
    /// Its 95 % interval.
    pub interval: Interval,
    /// The estimated bias: the estimate is the agreement with the set plus this.
    pub shift: f64,
}

/// Accuracy against the true labels: agreement with the set on all examples, plus the bias estimated from the judged ones. Judged examples are a random sample
/// and may be among the others; both lists number clusters in the same way.
///
/// The two clustered intervals, Wilson's of the agreement and Tango's of the bias, are combined by their squared distances from the estimates (MOVER), which
/// corresponds to adding the two variances. Where examples of one cluster are in both lists the two are correlated, mostly negatively: the
/// correlation is estimated over the clusters.
pub fn accuracy_against_judges(
    (agrees_with_set, clusters): (&[bool], &[u32]),
    (judged, judged_clusters): (&[JudgedExample], &[u32]),
) -> Result<JudgedAccuracy, StatisticsError> {
    same_length("cluster numbers", agrees_with_set.len(), clusters.len())?;
    same_length("cluster numbers of judged examples", judged.len(), judged_clusters.len())?;
    let all = ClusteredAccuracy::of(agrees_with_set, clusters);
    let Some(rate) = all.proportion().rate() else { return Err(StatisticsError::Empty { what: "examples" }) };
    let judge: Vec<bool> = judged.iter().map(|example| example.agrees_with_judge).collect();
    let set: Vec<bool> = judged.iter().map(|example| example.agrees_with_set).collect();
    let off = ClusteredDifference::of(&judge, &set, judged_clusters)?;
    if judged.is_empty() {
        return Err(StatisticsError::Empty { what: "judged examples" });
    }
    let too_few = |what, found: u64| StatisticsError::TooFew { what, found: found as usize, needed: 2 };
    if all.trust() == Trust::NotEstimable {
        return Err(too_few("clusters", all.clusters()));
    }
    if off.clusters() < 2 {
        return Err(too_few("clusters of judged examples", off.clusters()));
    }
    let (shift, of_all, of_off) = (off.counts().difference(), all.interval(), off.interval().interval);
    let estimate = rate + shift;
    let agreement = agrees_with_set.iter().map(|&agrees| share(agrees) - rate);
    let offset = judged.iter().map(|example| share(example.agrees_with_judge) - share(example.agrees_with_set) - shift);
    let correlation = correlation(&sums(clusters, agreement), &sums(judged_clusters, offset));
    let together = |one: f64, two: f64| (one * one + two * two + 2.0 * correlation * one * two).max(0.0).sqrt();
    let low = estimate - together(rate - of_all.low, shift - of_off.low);
    let high = estimate + together(of_all.high - rate, of_off.high - shift);
    let cut = |share: f64| share.clamp(0.0, 1.0);
    Ok(JudgedAccuracy { estimate: cut(estimate), interval: Interval { low: cut(low), high: cut(high) }, shift })
}

fn share(agrees: bool) -> f64 {
    f64::from(u8::from(agrees))
}

/// The sum of the values of each cluster.
fn sums(clusters: &[u32], values: impl Iterator<Item = f64>) -> BTreeMap<u32, f64> {
    let mut sums = BTreeMap::new();
    for (cluster, value) in clusters.iter().zip(values) {
        *sums.entry(*cluster).or_insert(0.0) += value;
    }
    sums
}

/// The correlation of two sums over clusters, each of mean 0; 0 where one of them does not vary.
fn correlation(one: &BTreeMap<u32, f64>, two: &BTreeMap<u32, f64>) -> f64 {
    let squares = |sums: &BTreeMap<u32, f64>| sums.values().map(|sum| sum * sum).sum::<f64>();
    let products: f64 = one.iter().filter_map(|(cluster, sum)| Some(sum * two.get(cluster)?)).sum();
    let scale = (squares(one) * squares(two)).sqrt();
    if scale > 0.0 { (products / scale).clamp(-1.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::{Rng, Seed};

    fn example(agrees_with_set: bool, agrees_with_judge: bool) -> JudgedExample {
        JudgedExample { agrees_with_set, agrees_with_judge }
    }

    #[test]
    fn judgements_correct_the_accuracy() {
        // 60 of 80 agree with the set; of 40 judged examples ten that disagreed with the set agree with the judge, and two the other way round.
        let set: Vec<bool> = (0..80).map(|row| row < 60).collect();
        let clusters: Vec<u32> = (0..80).collect();
        let judged: Vec<JudgedExample> = (0..40).map(|row| example(row >= 10, !(10..12).contains(&row))).collect();
        let found = accuracy_against_judges((&set, &clusters), (&judged, &clusters[..40])).unwrap();
        assert!((found.estimate - (0.75 + 0.2)).abs() < 1e-12 && (found.shift - 0.2).abs() < 1e-12, "{found:?}");
        // Copies in the same clusters add no evidence.
        let twice = |values: &[u32]| values.iter().flat_map(|&value| [value, value]).collect::<Vec<u32>>();
        let set_twice: Vec<bool> = set.iter().flat_map(|&right| [right, right]).collect();
        let judged_twice: Vec<JudgedExample> = judged.iter().flat_map(|&one| [one, one]).collect();
        let same = accuracy_against_judges((&set_twice, &twice(&clusters)), (&judged_twice, &twice(&clusters[..40]))).unwrap();
        assert!((same.interval.low - found.interval.low).abs() < 1e-6 && (same.interval.high - found.interval.high).abs() < 1e-6);
    }

    #[test]
    fn a_sample_without_label_errors_still_widens_the_interval() {
        let (set, clusters): (Vec<bool>, Vec<u32>) = (vec![true; 900], (0..900).collect());
        let judged = vec![example(true, true); 30];
        let found = accuracy_against_judges((&set, &clusters), (&judged, &clusters[..30])).unwrap();
        assert!(found.estimate == 1.0 && found.interval.low < 0.9, "{found:?}");
    }

    #[test]
    fn one_cluster_and_no_judged_example_are_errors() {
        let (set, one) = ([true, false], [0, 0]);
        let judged = [example(true, true), example(true, false)];
        assert!(accuracy_against_judges((&set, &one), (&judged, &[0, 1])).is_err());
        assert!(accuracy_against_judges((&set, &[0, 1]), (&judged, &one)).is_err());
        assert!(accuracy_against_judges((&set, &[0, 1]), (&[], &[])).is_err());
    }

    /// Examples in correlated clusters of three: whether the model agrees with the set and with the true label.
    fn draw(rng: &mut Rng, clusters: usize, (right, valid, agreement): (f64, f64, f64)) -> Vec<JudgedExample> {
        let mut examples = Vec::new();
        for _ in 0..clusters {
            let (shared_right, shared_valid) = (rng.unit(), rng.unit());
            for _ in 0..3 {
                // Half of the examples of a cluster have its common outcome.
                let (of_right, of_valid) = if rng.unit() < 0.5 { (shared_right, shared_valid) } else { (rng.unit(), rng.unit()) };
                let (is_right, is_valid) = (of_right < right, of_valid < valid);
                let agrees_with_set = if is_valid { is_right } else { !is_right && rng.unit() < agreement };
                examples.push(example(agrees_with_set, is_right));
            }
        }
        examples
    }

    #[test]
    fn intervals_cover_the_truth_if_judged_examples_are_among_the_scored() {
        let replicates = 2000;
        // True accuracy, share of valid labels, and agreement with invalid ones of a model that is wrong on them.
        for (clusters, judged, rates) in [
            (300, 100, (0.85, 0.9, 0.5)),
            (300, 300, (0.7, 0.8, 0.5)),
            (100, 60, (0.9, 0.9, 0.3)),
            (1000, 200, (0.8, 0.95, 0.5)),
            (100, 300, (0.85, 0.9, 0.5)),
        ] {
            let mut rng = Seed::new(1).child(&format!("judged {clusters} {judged} {rates:?}")).rng();
            let mut covered = 0;
            for _ in 0..replicates {
                let all = draw(&mut rng, clusters, rates);
                let set: Vec<bool> = all.iter().map(|example| example.agrees_with_set).collect();
                let numbers: Vec<u32> = (0..all.len() as u32).map(|row| row / 3).collect();
                let mut places: Vec<usize> = (0..all.len()).collect();
                rng.shuffle(&mut places);
                places.truncate(judged);
                let sample: Vec<JudgedExample> = places.iter().map(|&place| all[place]).collect();
                let own: Vec<u32> = places.iter().map(|&place| numbers[place]).collect();
                let found = accuracy_against_judges((&set, &numbers), (&sample, &own)).unwrap();
                covered += usize::from(found.interval.contains(rates.0));
            }
            let share = covered as f64 / f64::from(replicates);
            println!("{clusters} clusters of 3, {judged} judged, {rates:?}: {:.1} %", 100.0 * share);
            assert!((0.94..=0.98).contains(&share), "{share} with {clusters}, {judged}, {rates:?}");
        }
    }
}
