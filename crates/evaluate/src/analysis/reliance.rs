//! Decides whether a model relies on a shortcut, by one rule with three outcomes.
//!
//! The rule uses the excess: how much more often a model predicts the shortcut's wrong label than it would predict it without the shortcut. It
//! relies on the shortcut if the 95 % interval of the excess lies above [`MARGIN`], it does not if the interval lies below, and otherwise
//! we cannot tell. Nothing is said about fewer than [`LEAST_EXAMPLES`] examples. A model that predicts at random has an excess of 0, and so has one
//! that is always right. If every example of a set contradicts a shortcut, accuracy itself decides: the excess is how far it lies
//! below the accuracy of a coin toss, one half, and the margin is [`BELOW_A_COIN`].

use super::wording::{counted, difference_bracket, points};
use crate::statistics::Interval;
use crate::statistics::clustered::{ClusteredAccuracy, ClusteredDifference, DifferenceInterval, Trust};

/// The smallest excess that counts as reliance, as a share.
pub const MARGIN: f64 = 0.1;

/// How far below one half the accuracy on counterexamples must be, as a share.
pub const BELOW_A_COIN: f64 = 0.05;

/// The smallest number of examples for a verdict on a shortcut.
pub const LEAST_EXAMPLES: u64 = 30;

/// Whether a model relies on a shortcut.
#[derive(Debug, Clone, PartialEq)]
pub enum Reliance {
    /// Significantly more than the margin.
    ReliesOn(Excess),
    /// Significantly less.
    DoesNotRelyOn(Excess),
    /// Undecided.
    CannotTell {
        /// Why it is undecided.
        why: String,
        /// The excess, if there are enough examples to estimate it.
        excess: Option<Excess>,
    },
}

/// How much more often a model predicts a shortcut's wrong label than it would without the shortcut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Excess {
    /// The estimate.
    pub estimate: f64,
    /// Its 95 % interval.
    pub interval: DifferenceInterval,
}

impl Reliance {
    /// Compares how often the label is predicted where the shortcut is wrong with how often it is predicted wrongly without the shortcut.
    pub fn of_shares(with: &ClusteredAccuracy, without: &ClusteredAccuracy) -> Self {
        for (share, what) in [(with, "where it is wrong"), (without, "to compare them with")] {
            let examples = share.proportion().total;
            if examples < LEAST_EXAMPLES {
                return too_few(examples, what);
            }
            if share.trust() == Trust::NotEstimable {
                return one_cluster();
            }
        }
        let rate = |share: &ClusteredAccuracy| share.proportion().rate().unwrap_or(0.0);
        let interval = DifferenceInterval { interval: with.less(without), is_zero_left_out: false };
        Reliance::of_excess(Excess { estimate: rate(with) - rate(without), interval }, MARGIN)
    }

    /// Where the shortcut is wrong: how often its label is predicted, minus how often the other wrong label is.
    pub fn of_wrong_answers(found: &ClusteredDifference) -> Self {
        let examples = found.counts().total();
        match (examples < LEAST_EXAMPLES, found.clusters() < 2) {
            (true, _) => too_few(examples, "where it is wrong"),
            (false, true) => one_cluster(),
            (false, false) => Reliance::of_excess(Excess { estimate: found.counts().difference(), interval: found.interval() }, MARGIN),
        }
    }

    /// For a set in which every example contradicts the shortcut, in two-way scoring: how far accuracy is below the one half of
    /// a coin toss. A model that predicts the same label for all examples cannot be distinguished from one with a shortcut.
    pub fn of_counterexamples(accuracy: &ClusteredAccuracy, answers: PredictionVariety) -> Self {
        let examples = accuracy.proportion().total;
        if examples < LEAST_EXAMPLES {
            return too_few(examples, "where it is wrong");
        }
        if accuracy.trust() == Trust::NotEstimable {
            return one_cluster();
        }
        let Interval { low, high } = accuracy.interval();
        let interval = DifferenceInterval { interval: Interval { low: 0.5 - high, high: 0.5 - low }, is_zero_left_out: false };
        match Reliance::of_excess(Excess { estimate: 0.5 - accuracy.proportion().rate().unwrap_or(0.5), interval }, BELOW_A_COIN) {
            Reliance::ReliesOn(_) if answers == PredictionVariety::Same => {
                Reliance::CannotTell { why: "it predicts the same label for every pair".to_string(), excess: None }
            }
            other => other,
        }
    }

    fn of_excess(excess: Excess, margin: f64) -> Self {
        let Interval { low, high } = excess.interval.interval;
        if low > margin {
            Reliance::ReliesOn(excess)
        } else if high < margin {
            Reliance::DoesNotRelyOn(excess)
        } else {
            let why = format!("the excess is {}, and the threshold is {} points", excess.written(), points(margin));
            Reliance::CannotTell { why, excess: Some(excess) }
        }
    }

    /// The verdict as one of three terms.
    pub fn verdict(&self) -> &'static str {
        match self {
            Reliance::ReliesOn(_) => "relies on",
            Reliance::DoesNotRelyOn(_) => "does not rely on",
            Reliance::CannotTell { .. } => "cannot tell",
        }
    }

    /// The verdict as the end of a sentence on a model and a shortcut.
    pub fn clause(&self) -> String {
        match self {
            Reliance::ReliesOn(excess) => format!("it relies on it (excess {})", excess.written()),
            Reliance::DoesNotRelyOn(excess) => format!("it does not rely on it (excess {})", excess.written()),
            Reliance::CannotTell { why, .. } => format!("cannot tell: {why}"),
        }
    }

    /// The excess, if it can be estimated.
    pub fn excess(&self) -> Option<Excess> {
        match self {
            Reliance::ReliesOn(excess) | Reliance::DoesNotRelyOn(excess) => Some(*excess),
            Reliance::CannotTell { excess, .. } => *excess,
        }
    }
}

/// Whether a model predicts different labels for the examples of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PredictionVariety {
    /// One label for all.
    Same,
    /// Several labels.
    Several,
}

impl Excess {
    fn written(self) -> String {
        format!("{} points {}", points(self.estimate), difference_bracket(self.interval))
    }
}

fn too_few(examples: u64, what: &str) -> Reliance {
    let why = match examples {
        1 => format!("there is 1 example {what}, and at least {LEAST_EXAMPLES} are needed"),
        _ => format!("there are {} {what}, and at least {LEAST_EXAMPLES} are needed", counted(examples as usize, "example")),
    };
    Reliance::CannotTell { why, excess: None }
}

fn one_cluster() -> Reliance {
    Reliance::CannotTell { why: "all examples belong to one cluster, which says nothing about new ones".to_string(), excess: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::{Rng, Seed};

    fn share(right: u64, rows: u64) -> ClusteredAccuracy {
        ClusteredAccuracy::of_counts((0..rows).map(|row| (u64::from(row < right), 1)))
    }

    fn verdict(with: [u64; 2], without: [u64; 2]) -> &'static str {
        Reliance::of_shares(&share(with[0], with[1]), &share(without[0], without[1])).verdict()
    }

    #[test]
    fn the_excess_decides() {
        assert_eq!(verdict([95, 100], [5, 100]), "relies on");
        assert_eq!(verdict([30, 100], [3, 300]), "relies on");
        assert_eq!(verdict([3, 100], [3, 100]), "does not rely on");
        assert_eq!(verdict([15, 100], [3, 100]), "cannot tell");
        // A model that always predicts this label also predicts it without the shortcut.
        assert_eq!(verdict([100, 100], [100, 100]), "does not rely on");
    }

    #[test]
    fn fewer_than_thirty_examples_give_no_verdict() {
        assert_eq!(verdict([29, 29], [0, 1000]), "cannot tell");
        assert_eq!(verdict([1000, 1000], [0, 29]), "cannot tell");
        assert_eq!(verdict([30, 30], [0, 30]), "relies on");
        let why = Reliance::of_shares(&share(8, 8), &share(0, 100)).clause();
        assert_eq!(why, "cannot tell: there are 8 examples where it is wrong, and at least 30 are needed");
    }

    #[test]
    fn one_template_gives_no_verdict() {
        let one = ClusteredAccuracy::of_counts([(980, 1000)]);
        assert_eq!(Reliance::of_shares(&one, &share(0, 1000)).verdict(), "cannot tell");
        assert_eq!(
            Reliance::of_counterexamples(&ClusteredAccuracy::of_counts([(0, 1000)]), PredictionVariety::Several).verdict(),
            "cannot tell"
        );
    }

    #[test]
    fn counterexamples_are_compared_with_a_coin_toss() {
        let of = |right, rows, answers| Reliance::of_counterexamples(&share(right, rows), answers).verdict();
        assert_eq!(of(4, 250, PredictionVariety::Several), "relies on");
        assert_eq!(of(4, 250, PredictionVariety::Same), "cannot tell");
        assert_eq!(of(250, 250, PredictionVariety::Same), "does not rely on");
        assert_eq!(of(150, 250, PredictionVariety::Several), "does not rely on");
        assert_eq!(of(110, 250, PredictionVariety::Several), "cannot tell");
        assert_eq!(of(0, 29, PredictionVariety::Several), "cannot tell");
    }

    /// How many of these models are said to rely on a shortcut.
    fn relying(models: usize, name: &str, mut model: impl FnMut(&mut Rng) -> Reliance) -> usize {
        let mut rng = Seed::new(1).child(name).rng();
        (0..models).filter(|_| matches!(model(&mut rng), Reliance::ReliesOn(_))).count()
    }

    fn draw(rng: &mut Rng, clusters: usize, size: usize, chance: f64) -> ClusteredAccuracy {
        let uniform = |rng: &mut Rng| (rng.next() >> 11) as f64 / (1u64 << 53) as f64;
        // Half of the examples of a cluster repeat its first example.
        ClusteredAccuracy::of_counts((0..clusters).map(|_| {
            let first = uniform(rng) < chance;
            let right = (0..size).filter(|row| if row % 2 == 0 { first } else { uniform(rng) < chance }).count();
            (right as u64, size as u64)
        }))
    }

    #[test]
    fn models_that_predict_at_random_rely_on_nothing() {
        // Number and size of the clusters where the shortcut is wrong; the probability of its label is one third or one half.
        // Single examples are independent; in clusters, half of the predictions are equal, so there is as much information as there are clusters.
        for (clusters, size) in [(30, 1), (100, 1), (300, 1), (30, 3), (100, 3), (15, 10), (6, 50)] {
            for chance in [1.0 / 3.0, 0.5] {
                let name = format!("{clusters} {size} {chance}");
                let most = if size == 1 { 30 } else { 50 };
                let found = relying(2000, &name, |rng| {
                    Reliance::of_shares(&draw(rng, clusters, size, chance), &draw(rng, 2 * clusters, size, chance))
                });
                assert!(found <= most, "{found} of 2000 random models rely on a shortcut ({name})");
                let found = relying(2000, &name, |rng| {
                    Reliance::of_counterexamples(&draw(rng, clusters, size, 1.0 - chance), PredictionVariety::Several)
                });
                assert!(found <= most, "{found} of 2000 random models rely on a shortcut of a set ({name})");
            }
        }
        let large = relying(2000, "large", |rng| Reliance::of_shares(&draw(rng, 300, 1, 0.5), &draw(rng, 300, 1, 0.5)));
        let large_set = relying(2000, "large set", |rng| Reliance::of_counterexamples(&draw(rng, 300, 1, 0.5), PredictionVariety::Several));
        assert_eq!((large, large_set), (0, 0));
    }

    #[test]
    fn models_at_the_margin_are_rarely_said_to_rely() {
        let found = relying(2000, "border", |rng| Reliance::of_shares(&draw(rng, 200, 1, 0.25), &draw(rng, 400, 1, 0.15)));
        assert!(found <= 80, "{found} of 2000 models with an excess of just 10 points rely on it");
    }

    #[test]
    fn a_model_that_is_always_right_relies_on_nothing() {
        for rows in [0, 1, 29, 30, 60, 1000] {
            assert_ne!(verdict([0, rows], [0, rows]), "relies on");
            assert_ne!(Reliance::of_counterexamples(&share(rows, rows), PredictionVariety::Several).verdict(), "relies on");
        }
        assert_eq!(verdict([0, 100], [0, 100]), "does not rely on");
    }

    #[test]
    fn the_shortcuts_label_must_stand_out_among_the_errors() {
        let of = |toward: usize, away: usize, rows: usize| {
            let first: Vec<bool> = (0..rows).map(|row| row < toward).collect();
            let second: Vec<bool> = (0..rows).map(|row| (toward..toward + away).contains(&row)).collect();
            let clusters: Vec<u32> = (0..rows as u32).collect();
            Reliance::of_wrong_answers(&ClusteredDifference::of(&first, &second, &clusters).unwrap()).verdict()
        };
        assert_eq!(of(60, 5, 100), "relies on");
        assert_eq!(of(330, 330, 1000), "does not rely on");
        assert_eq!(of(0, 0, 100), "does not rely on");
        assert_eq!(of(20, 10, 100), "cannot tell");
        assert_eq!(of(29, 0, 29), "cannot tell");
    }
}
