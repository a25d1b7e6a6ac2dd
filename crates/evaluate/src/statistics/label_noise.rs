//! Accuracy on valid labels, if a sample of the labels was judged.
//!
//! A model is scored against every label of a set, also those that are wrong. With `v` the share of valid labels and `w` the probability of agreeing with
//! an invalid one, an observed accuracy `a = v t + (1 - v) w` gives the accuracy `t` on valid labels.

use super::clustered::{ClusteredAccuracy, Trust};
use super::{Interval, Proportion, StatisticsError};

/// An observed accuracy and the judged labels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LabelNoise {
    /// The observed accuracy, against all labels.
    pub accuracy: f64,
    /// Its clustered Wilson interval; `None` if all examples are in one cluster.
    pub interval: Option<Interval>,
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
        let interval = (accuracy.trust() != Trust::NotEstimable).then(|| accuracy.interval());
        Ok(LabelNoise { accuracy: rate, interval, valid })
    }

    fn valid_share(&self) -> f64 {
        self.valid.count as f64 / self.valid.total as f64
    }

    /// The accuracy on valid labels of a model that agrees with this share of the invalid ones, clamped to 0 and 1.
    pub fn corrected(&self, agreement_with_invalid: f64) -> f64 {
        let valid = self.valid_share();
        ((self.accuracy - (1.0 - valid) * agreement_with_invalid) / valid).clamp(0.0, 1.0)
    }

    /// Bounds of the accuracy on valid labels, for any agreement with invalid ones.
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

    /// The 95 % interval of a model that never agrees with an invalid label: MOVER-R (Donner and Zou 2012) from the two Wilson intervals. `None` if the interval of
    /// the accuracy cannot be estimated.
    pub fn interval_if_never_agreeing(&self) -> Option<Interval> {
        Some(ratio(self.accuracy, self.interval?, self.valid_share(), self.valid.wilson()))
    }

    /// The 95 % interval of a model that agrees with every invalid label: all its errors are on valid ones, so it is that of their ratio.
    pub fn interval_if_always_agreeing(&self) -> Option<Interval> {
        let accuracy = self.interval?;
        let errors = Interval { low: 1.0 - accuracy.high, high: 1.0 - accuracy.low };
        let found = ratio(1.0 - self.accuracy, errors, self.valid_share(), self.valid.wilson());
        Some(Interval { low: 1.0 - found.high, high: 1.0 - found.low })
    }
}

/// MOVER-R: the interval of `a / v` from the intervals of two independent estimates, clamped to 0 and 1.
fn ratio(a: f64, of_a: Interval, v: f64, of_v: Interval) -> Interval {
    let product = a * v;
    let end = |end_a: f64, end_v: f64, sign: f64| {
        let under_root = product * product - end_a * end_v * (2.0 * a - end_a) * (2.0 * v - end_v);
        (product + sign * under_root.max(0.0).sqrt()) / (end_v * (2.0 * v - end_v))
    };
    let low = end(of_a.low, of_v.high, -1.0);
    // With few judged labels, the share of valid ones could be close to 0.
    let high = if of_v.low > 0.0 { end(of_a.high, of_v.low, 1.0) } else { 1.0 };
    Interval { low: low.clamp(0.0, 1.0), high: high.clamp(0.0, 1.0) }
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
        close(found.interval_if_never_agreeing().unwrap(), [0.80568, 0.90603]);
        close(found.bounds(), [0.75 / 0.95, 0.8 / 0.95]);
    }

    #[test]
    fn a_sample_of_only_valid_labels_still_widens_the_interval() {
        let found = noise(800, 1000, 100, 100);
        close(found.interval_if_never_agreeing().unwrap(), [0.77408, 0.83900]);
        assert_eq!(found.bounds(), Interval { low: 0.8, high: 0.8 });
    }

    #[test]
    fn a_model_that_agrees_with_all_invalid_labels_has_all_its_errors_on_valid_ones() {
        let (found, mirrored) = (noise(800, 1000, 95, 100), noise(200, 1000, 95, 100));
        let (agreeing, errors) = (found.interval_if_always_agreeing().unwrap(), mirrored.interval_if_never_agreeing().unwrap());
        close(agreeing, [1.0 - errors.high, 1.0 - errors.low]);
        assert!(agreeing.contains(found.corrected(1.0)));
    }

    #[test]
    fn corrected_accuracies_stay_between_0_and_1() {
        let found = noise(990, 1000, 60, 100);
        assert_eq!((found.corrected(0.0), found.interval_if_never_agreeing().unwrap().high), (1.0, 1.0));
        assert_eq!(noise(1, 1000, 60, 100).corrected(1.0), 0.0);
        assert_eq!(noise(1000, 1000, 1, 1).interval_if_never_agreeing().unwrap().high, 1.0);
        assert_eq!(noise(0, 1000, 95, 100).interval_if_never_agreeing().unwrap().low, 0.0);
    }

    #[test]
    fn one_cluster_gives_no_interval() {
        let one = LabelNoise::of(&ClusteredAccuracy::of_counts([(80, 100)]), Proportion { count: 95, total: 100 }).unwrap();
        assert_eq!((one.interval_if_never_agreeing(), one.interval_if_always_agreeing()), (None, None));
        assert!((one.corrected(0.0) - 0.84211).abs() < 6e-6);
    }

    #[test]
    fn no_valid_label_is_an_error() {
        let accuracy = ClusteredAccuracy::of_counts([(1, 1)]);
        for valid in [Proportion { count: 0, total: 100 }, Proportion { count: 0, total: 0 }, Proportion { count: 3, total: 2 }] {
            assert!(LabelNoise::of(&accuracy, valid).is_err());
        }
    }

    #[test]
    fn intervals_cover_the_truth() {
        // A model that is correct on this share of valid labels and never agrees with an invalid one; labels of other examples are judged.
        let mut rng = Seed::new(1).child("label noise").rng();
        let mut draws =
            |rows: u64, chance: f64| (0..rows).filter(|_| ((rng.next() >> 11) as f64 / (1u64 << 53) as f64) < chance).count() as u64;
        for (right, valid, rows, judged) in [(0.85, 0.95, 1000, 100), (0.9, 0.8, 500, 50), (0.6, 0.9, 1000, 200)] {
            let replicates = 1000;
            let mut covered = 0;
            for _ in 0..replicates {
                let found = noise(draws(rows, right * valid), rows, draws(judged, valid).max(1), judged);
                covered += usize::from(found.interval_if_never_agreeing().unwrap().contains(right));
            }
            let share = covered as f64 / f64::from(replicates);
            assert!((0.93..=0.985).contains(&share), "{share} with {right}, {valid}, {rows}, {judged}");
        }
    }
}
