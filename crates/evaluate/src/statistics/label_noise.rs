//! Accuracy on the labels that are valid, where a sample of the labels was judged.
//!
//! A model is scored against every label of a set, also those that are wrong. With `v` the share of valid labels and `w` the chance to agree with
//! an invalid one, an observed accuracy `a = v t + (1 - v) w` gives the accuracy `t` on valid labels.

use super::clustered::{ClusteredAccuracy, ClusteredDifference};
use super::{Interval, Proportion, StatisticsError};

/// An observed accuracy beside what is known of the labels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LabelNoise {
    /// The observed accuracy, against all labels.
    pub accuracy: f64,
    /// Its interval: clustered Wilson.
    pub interval: Interval,
    /// The valid labels among those that were judged, at least one.
    pub valid: Proportion,
}

impl LabelNoise {
    /// The accuracy of these examples, with valid labels among those judged; an error where none was judged or none is valid.
    pub fn of(accuracy: &ClusteredAccuracy, valid: Proportion) -> Result<Self, StatisticsError> {
        if valid.count == 0 || valid.count > valid.total {
            let (value, range) = (valid.count as f64, "from 1 to the number judged");
            return Err(StatisticsError::OutOfRange { what: "valid labels", value, position: 1, range });
        }
        let Some(rate) = accuracy.proportion().rate() else { return Err(StatisticsError::Empty { what: "examples" }) };
        Ok(LabelNoise { accuracy: rate, interval: accuracy.interval(), valid })
    }

    fn valid_share(&self) -> f64 {
        self.valid.count as f64 / self.valid.total as f64
    }

    /// The accuracy on valid labels of a model that agrees with this share of the invalid ones, cut to 0 and 1.
    pub fn corrected(&self, agreement_with_invalid: f64) -> f64 {
        let valid = self.valid_share();
        ((self.accuracy - (1.0 - valid) * agreement_with_invalid) / valid).clamp(0.0, 1.0)
    }

    /// Where the accuracy on valid labels lies, whatever the agreement with invalid ones.
    pub fn bounds(&self) -> Interval {
        Interval { low: self.corrected(1.0), high: self.corrected(0.0) }
    }

    /// The standard error by the delta method, given the variance of the observed accuracy; its intervals cover 90 to 94 %, not 95.
    pub fn delta_error(&self, agreement_with_invalid: f64, variance_of_accuracy: f64) -> f64 {
        let valid = self.valid_share();
        let variance_of_valid = valid * (1.0 - valid) / self.valid.total as f64;
        let from_labels = (self.accuracy - agreement_with_invalid).powi(2) * variance_of_valid / valid.powi(4);
        (variance_of_accuracy / (valid * valid) + from_labels).sqrt()
    }

    /// The 95 % interval of a model that never agrees with an invalid label: MOVER-R (Donner and Zou 2012) from the two Wilson intervals.
    pub fn interval_if_never_agreeing(&self) -> Interval {
        ratio(self.accuracy, self.interval, self.valid_share(), self.valid.wilson())
    }

    /// The 95 % interval of a model that agrees with every invalid label: all its errors are on valid ones, so it is that of their ratio.
    pub fn interval_if_always_agreeing(&self) -> Interval {
        let errors = Interval { low: 1.0 - self.interval.high, high: 1.0 - self.interval.low };
        let found = ratio(1.0 - self.accuracy, errors, self.valid_share(), self.valid.wilson());
        Interval { low: 1.0 - found.high, high: 1.0 - found.low }
    }
}

/// MOVER-R: the interval of `a / v` from the intervals of two independent estimates, cut to 0 and 1.
fn ratio(a: f64, of_a: Interval, v: f64, of_v: Interval) -> Interval {
    let product = a * v;
    let end = |end_a: f64, end_v: f64, sign: f64| {
        let under_root = product * product - end_a * end_v * (2.0 * a - end_a) * (2.0 * v - end_v);
        (product + sign * under_root.max(0.0).sqrt()) / (end_v * (2.0 * v - end_v))
    };
    let low = end(of_a.low, of_v.high, -1.0);
    // So few labels may have been judged that the share of valid ones could be next to nothing.
    let high = if of_v.low > 0.0 { end(of_a.high, of_v.low, 1.0) } else { 1.0 };
    Interval { low: low.clamp(0.0, 1.0), high: high.clamp(0.0, 1.0) }
}

/// A mean with what its clusters say of its variance.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ClusteredMean {
    mean: f64,
    variance: f64,
}

impl ClusteredMean {
    /// Of one value and one cluster number for each example; two clusters at least.
    fn of(values: &[f64], clusters: &[u32]) -> Result<Self, StatisticsError> {
        let mut order: Vec<(u32, f64)> = clusters.iter().copied().zip(values.iter().copied()).collect();
        order.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let deviations: Vec<f64> =
            order.chunk_by(|a, b| a.0 == b.0).map(|own| own.iter().map(|(_, value)| value - mean).sum::<f64>()).collect();
        if deviations.len() < 2 {
            return Err(StatisticsError::TooFew { what: "clusters", found: deviations.len(), needed: 2 });
        }
        let groups = deviations.len() as f64;
        let squares: f64 = deviations.iter().map(|deviation| deviation * deviation).sum();
        Ok(ClusteredMean { mean, variance: groups / (groups - 1.0) * squares / (values.len() as f64).powi(2) })
    }
}

/// What a model said of an example whose true label a judge gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JudgedExample {
    /// Whether the model agrees with the label of the set.
    pub agrees_with_set: bool,
    /// Whether it agrees with the judge.
    pub agrees_with_judge: bool,
}

/// An accuracy against true labels that were only partly seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JudgedAccuracy {
    /// The estimate, cut to 0 and 1.
    pub estimate: f64,
    /// Its standard error: the root of the sum of the two clustered variances.
    pub standard_error: f64,
    /// Its 95 % interval, cut to 0 and 1: the ends of the clustered Wilson and Tango intervals of the two parts, put together by MOVER (Zou and Donner 2008).
    pub interval: Interval,
}

/// Accuracy against the true labels, where judges gave those of some examples: agreement with the set on all examples, and what the judged
/// ones say it is off by. No agreement with invalid labels has to be guessed.
///
/// The interval is not that of the standard error, which has no width where judges found no wrong label among those that they saw: with 100
/// judged examples of 6,000, 99 % valid labels and a model that is right on 90 %, such intervals cover 79 %, these 99 %.
pub fn accuracy_against_judges(
    (agrees_with_set, clusters): (&[bool], &[u32]),
    (judged, judged_clusters): (&[JudgedExample], &[u32]),
) -> Result<JudgedAccuracy, StatisticsError> {
    super::error::same_length("cluster numbers", agrees_with_set.len(), clusters.len())?;
    super::error::same_length("cluster numbers of judged examples", judged.len(), judged_clusters.len())?;
    let share = |agrees: bool| f64::from(u8::from(agrees));
    let all = ClusteredMean::of(&agrees_with_set.iter().map(|&agrees| share(agrees)).collect::<Vec<_>>(), clusters)?;
    let off = |example: &JudgedExample| share(example.agrees_with_judge) - share(example.agrees_with_set);
    let off = ClusteredMean::of(&judged.iter().map(off).collect::<Vec<_>>(), judged_clusters)?;
    let of_all = ClusteredAccuracy::of(agrees_with_set, clusters).interval();
    let (by_judge, by_set): (Vec<bool>, Vec<bool>) = judged.iter().map(|one| (one.agrees_with_judge, one.agrees_with_set)).unzip();
    let of_off = ClusteredDifference::of(&by_judge, &by_set, judged_clusters)?.interval().interval;
    let estimate = all.mean + off.mean;
    let low = estimate - (all.mean - of_all.low).hypot(off.mean - of_off.low);
    let high = estimate + (of_all.high - all.mean).hypot(of_off.high - off.mean);
    Ok(JudgedAccuracy {
        estimate: estimate.clamp(0.0, 1.0),
        standard_error: (all.variance + off.variance).sqrt(),
        interval: Interval { low: low.clamp(0.0, 1.0), high: high.clamp(0.0, 1.0) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Seed;

    fn noise(right: u64, rows: u64, valid: u64, judged: u64) -> LabelNoise {
        let single = (0..rows).map(|row| (u64::from(row < right), 1));
        LabelNoise::of(&ClusteredAccuracy::of_counts(single), Proportion { count: valid, total: judged }).unwrap()
    }

    #[track_caller]
    fn close(found: Interval, [low, high]: [f64; 2]) {
        assert!((found.low - low).abs() < 6e-6 && (found.high - high).abs() < 6e-6, "{found:?}, not [{low}, {high}]");
    }

    #[test]
    fn eight_hundred_of_a_thousand_with_95_valid_labels_of_100() {
        let found = noise(800, 1000, 95, 100);
        assert!((found.corrected(0.0) - 0.84211).abs() < 6e-6, "{}", found.corrected(0.0));
        let error = found.delta_error(0.0, 0.8 * 0.2 / 1000.0);
        assert!((error - 0.02346).abs() < 6e-6, "{error}");
        close(found.interval_if_never_agreeing(), [0.80568, 0.90603]);
        close(found.bounds(), [0.75 / 0.95, 0.8 / 0.95]);
    }

    #[test]
    fn judged_labels_that_are_all_valid_still_leave_doubt() {
        let found = noise(800, 1000, 100, 100);
        close(found.interval_if_never_agreeing(), [0.77408, 0.83900]);
        assert_eq!(found.bounds(), Interval { low: 0.8, high: 0.8 });
    }

    #[test]
    fn errors_of_a_model_that_agrees_with_invalid_labels_are_all_its_own() {
        let (found, mirrored) = (noise(800, 1000, 95, 100), noise(200, 1000, 95, 100));
        let (agreeing, errors) = (found.interval_if_always_agreeing(), mirrored.interval_if_never_agreeing());
        close(agreeing, [1.0 - errors.high, 1.0 - errors.low]);
        assert!(agreeing.contains(found.corrected(1.0)));
    }

    #[test]
    fn shares_stay_shares() {
        let found = noise(990, 1000, 60, 100);
        assert_eq!((found.corrected(0.0), found.interval_if_never_agreeing().high), (1.0, 1.0));
        assert_eq!(noise(1, 1000, 60, 100).corrected(1.0), 0.0);
        assert_eq!(noise(1000, 1000, 1, 1).interval_if_never_agreeing().high, 1.0);
        assert_eq!(noise(0, 1000, 95, 100).interval_if_never_agreeing().low, 0.0);
    }

    #[test]
    fn no_valid_label_is_an_error() {
        let accuracy = ClusteredAccuracy::of_counts([(1, 1)]);
        for valid in [Proportion { count: 0, total: 100 }, Proportion { count: 0, total: 0 }, Proportion { count: 3, total: 2 }] {
            assert!(LabelNoise::of(&accuracy, valid).is_err());
        }
    }

    #[test]
    fn intervals_cover_what_is_true() {
        // A model that is right on so many valid labels and never agrees with an invalid one; labels of other examples are judged.
        let mut rng = Seed::new(1).child("label noise").rng();
        let mut draws =
            |rows: u64, chance: f64| (0..rows).filter(|_| ((rng.next() >> 11) as f64 / (1u64 << 53) as f64) < chance).count() as u64;
        for (right, valid, rows, judged) in [(0.85, 0.95, 1000, 100), (0.9, 0.8, 500, 50), (0.6, 0.9, 1000, 200)] {
            let replicates = 1000;
            let mut covered = 0;
            for _ in 0..replicates {
                let found = noise(draws(rows, right * valid), rows, draws(judged, valid).max(1), judged);
                covered += usize::from(found.interval_if_never_agreeing().contains(right));
            }
            let share = covered as f64 / f64::from(replicates);
            assert!((0.93..=0.985).contains(&share), "{share} with {right}, {valid}, {rows}, {judged}");
        }
    }

    #[test]
    fn judges_move_the_accuracy_by_what_they_saw() {
        // 6 of 8 agree with the set; of four judged examples one that disagreed with the set agrees with the judge.
        let set = [true, true, true, true, true, true, false, false];
        let clusters: Vec<u32> = (0..8).collect();
        let example = |agrees_with_set, agrees_with_judge| JudgedExample { agrees_with_set, agrees_with_judge };
        let judged = [example(true, true), example(true, true), example(false, true), example(false, false)];
        let found = accuracy_against_judges((&set, &clusters), (&judged, &clusters[..4])).unwrap();
        let error = found.standard_error;
        assert!((found.estimate - 1.0).abs() < 1e-12, "{found:?}");
        // Sample variances 8/7 · (3/4 · 1/4) over 8, and 4/3 · (1/4 · 3/4) over 4.
        let expected = (3.0 / 14.0 / 8.0 + 0.25 / 4.0f64).sqrt();
        assert!((error - expected).abs() < 1e-12, "{error}, not {expected}");
        // Copies in their clusters prove nothing more.
        let twice = |values: &[u32]| values.iter().flat_map(|&value| [value, value]).collect::<Vec<u32>>();
        let set_twice: Vec<bool> = set.iter().flat_map(|&right| [right, right]).collect();
        let same = accuracy_against_judges((&set_twice, &twice(&clusters)), (&judged, &clusters[..4])).unwrap();
        assert!((same.standard_error - error).abs() < 1e-12);
        // Wilson [0.40928, 0.92852] of 6 of 8, Tango [-0.36236, 0.69936] of 1 : 0 among 4.
        let low = 1.0 - (0.75f64 - 0.409275).hypot(0.25 + 0.36236);
        assert!((found.interval.low - low).abs() < 1e-5 && found.interval.high == 1.0, "{:?}", found.interval);
    }

    /// The share of simulated sets whose interval covers the accuracy against true labels. The first examples are judged, so that they are among the scored.
    fn coverage(examples: usize, judged: usize, valid: f64, right: f64, cluster: usize) -> f64 {
        let mut rng = Seed::new(1).child("judges").rng();
        let (replicates, mut covered) = (600, 0);
        // The label is the true one or one of two others, and so is the answer; half the time an example does as the first of its cluster.
        let mut draw = |chance: f64| if rng.unit() < chance { 0 } else { 1 + rng.below(2) };
        for _ in 0..replicates {
            let (mut set, mut judge) = (Vec::with_capacity(examples), Vec::with_capacity(examples));
            let mut first = (0, 0);
            for place in 0..examples {
                let own = (draw(valid), draw(right));
                let same = place % cluster > 0 && draw(0.5) == 0;
                let (label, answer) = if same { first } else { own };
                if place % cluster == 0 {
                    first = own;
                }
                set.push(answer == label);
                judge.push(answer == 0);
            }
            let clusters: Vec<u32> = (0..examples).map(|place| (place / cluster) as u32).collect();
            let seen = |place: usize| JudgedExample { agrees_with_set: set[place], agrees_with_judge: judge[place] };
            let seen: Vec<JudgedExample> = (0..judged).map(seen).collect();
            let found = accuracy_against_judges((&set, &clusters), (&seen, &clusters[..judged])).unwrap();
            covered += usize::from(found.interval.contains(right));
        }
        covered as f64 / f64::from(replicates)
    }

    #[test]
    fn intervals_by_judges_cover_the_accuracy_against_true_labels() {
        for (examples, judged, valid, right, cluster) in [
            (1500, 100, 0.85, 0.4, 1),
            (1500, 200, 0.95, 0.7, 1),
            (6000, 100, 0.85, 0.7, 1),
            (6000, 200, 0.9, 0.9, 1),
            (1500, 200, 0.9, 0.7, 2),
        ] {
            let share = coverage(examples, judged, valid, right, cluster);
            // 94 to 98 %, less or more what 600 replicates leave to chance.
            assert!((0.93..=0.985).contains(&share), "{share} with {examples}, {judged}, {valid}, {right}, {cluster}");
        }
    }

    #[test]
    fn few_wrong_labels_make_intervals_wide_and_not_narrow() {
        // One wrong label is expected among those that judges see, and often there is none.
        let share = coverage(6000, 100, 0.99, 0.9, 1);
        assert!(share >= 0.95, "{share}");
    }
}
