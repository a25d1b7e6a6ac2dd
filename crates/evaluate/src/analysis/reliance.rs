//! Decides whether a model relies on a shortcut, by one rule with three outcomes.
//!
//! What counts is the excess: how much more often a model gives the shortcut's wrong answer than it would give that answer without the shortcut. It
//! relies on the shortcut where the 95 % interval of the excess lies above [`MARGIN`], it does not where the interval lies below, and otherwise
//! nobody can tell. Nothing is said of fewer than [`LEAST_EXAMPLES`] examples. A model that answers at random has an excess of 0, and so has one
//! that is always right. Of a set that is made to contradict a shortcut in every example, the accuracy itself says it: the excess is how far it lies
//! below the half that a coin gets right, and the border is [`BELOW_A_COIN`].
//!
//! Two things are never concluded: that a model relies on such a set's shortcut if it predicts the same label without it, and that a model does
//! not rely on a shortcut if its predictions say nothing about the gold labels.

use super::standing::Informative;
use super::wording::{bracket, counted, difference_bracket, points};
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
        /// Why not.
        why: Doubt,
        /// The excess, where there are enough examples to estimate it.
        excess: Option<Excess>,
    },
}

/// Why nobody can tell whether a model relies on a shortcut.
#[derive(Debug, Clone, PartialEq)]
pub enum Doubt {
    /// The shortcut is wrong on too few examples.
    FewWrong(u64),
    /// There are too few examples without the shortcut to compare with.
    FewToCompare(u64),
    /// All examples are of one cluster.
    OneCluster,
    /// Every pair of the set gets the same prediction.
    SameLabel,
    /// The label of the shortcut is predicted about as often without it; the share.
    WithoutItToo(f64),
    /// The interval includes the threshold; the figures in words.
    Interval(String),
    /// The model is no better than the majority baseline.
    NotAboveMajority,
    /// Most predictions are missing.
    MostlyMissing,
}

impl std::fmt::Display for Doubt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let few = |count: u64| counted(count as usize, "example");
        match self {
            Doubt::FewWrong(0) => write!(f, "the heuristic is wrong on no example, and at least {LEAST_EXAMPLES} are needed"),
            Doubt::FewWrong(count) => write!(f, "the heuristic is wrong on only {}, and at least {LEAST_EXAMPLES} are needed", few(*count)),
            Doubt::FewToCompare(0) => write!(f, "there are no examples to compare with; at least {LEAST_EXAMPLES} are needed"),
            Doubt::FewToCompare(count) => {
                write!(f, "there are only {} to compare with, and at least {LEAST_EXAMPLES} are needed", few(*count))
            }
            Doubt::OneCluster => f.write_str("all examples belong to one cluster, which says nothing about new ones"),
            Doubt::SameLabel => {
                f.write_str("it predicts entailment for every pair, which is consistent with any of these heuristics, or none")
            }
            Doubt::WithoutItToo(share) => {
                write!(f, "it also predicts entailment for {} % of the non-entailed original pairs without full overlap", points(*share))
            }
            Doubt::Interval(figures) => f.write_str(figures),
            Doubt::NotAboveMajority => f.write_str("the model is not significantly better than the majority baseline"),
            Doubt::MostlyMissing => f.write_str("more than half of the predictions are missing"),
        }
    }
}

/// How much more often a model gives the wrong answer of a shortcut than it would without it.
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
        for (share, few) in [(with, Doubt::FewWrong as fn(u64) -> Doubt), (without, Doubt::FewToCompare)] {
            let examples = share.proportion().total;
            if examples < LEAST_EXAMPLES {
                return Reliance::doubted(few(examples));
            }
            if share.trust() == Trust::NotEstimable {
                return Reliance::doubted(Doubt::OneCluster);
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
            (true, _) => Reliance::doubted(Doubt::FewWrong(examples)),
            (false, true) => Reliance::doubted(Doubt::OneCluster),
            (false, false) => Reliance::of_excess(Excess { estimate: found.counts().difference(), interval: found.interval() }, MARGIN),
        }
    }

    /// From a set that is made to contradict the shortcut in every example, where its answer is one of two: how far the accuracy lies below the half
    /// that a coin gets right. What the model predicts without the shortcut must differ.
    pub fn of_counterexamples(accuracy: &ClusteredAccuracy, otherwise: &Otherwise) -> Self {
        let examples = accuracy.proportion().total;
        if examples < LEAST_EXAMPLES {
            return Reliance::doubted(Doubt::FewWrong(examples));
        }
        if accuracy.trust() == Trust::NotEstimable {
            return Reliance::doubted(Doubt::OneCluster);
        }
        let Interval { low, high } = accuracy.interval();
        let interval = DifferenceInterval { interval: Interval { low: 0.5 - high, high: 0.5 - low }, is_zero_left_out: false };
        let rate = accuracy.proportion().rate().unwrap_or(0.5);
        let found = match Reliance::of_excess(Excess { estimate: 0.5 - rate, interval }, BELOW_A_COIN) {
            Reliance::CannotTell { excess, .. } => {
                let (accuracy, border) = (format!("{} % {}", points(rate), bracket(accuracy.interval())), points(0.5 - BELOW_A_COIN));
                let why = Doubt::Interval(format!("accuracy across templates is {accuracy}, and the threshold is {border} %"));
                Reliance::CannotTell { why, excess }
            }
            Reliance::ReliesOn(excess) => match otherwise.doubt() {
                Some(why) => Reliance::CannotTell { why, excess: Some(excess) },
                None => Reliance::ReliesOn(excess),
            },
            not => not,
        };
        found.given(otherwise.informative)
    }

    /// The verdict if its model is known to be better than the majority baseline, or not: not to follow a shortcut says nothing about a model whose
    /// predictions say nothing about the gold labels.
    pub fn given(self, informative: Informative) -> Self {
        match (informative, self) {
            (Informative::MostlyMissing, found) => Reliance::CannotTell { why: Doubt::MostlyMissing, excess: found.excess() },
            (Informative::NotAboveMajority, Reliance::DoesNotRelyOn(excess)) => {
                Reliance::CannotTell { why: Doubt::NotAboveMajority, excess: Some(excess) }
            }
            (_, found) => found,
        }
    }

    fn doubted(why: Doubt) -> Self {
        Reliance::CannotTell { why, excess: None }
    }

    fn of_excess(excess: Excess, margin: f64) -> Self {
        let Interval { low, high } = excess.interval.interval;
        if low > margin {
            Reliance::ReliesOn(excess)
        } else if high < margin {
            Reliance::DoesNotRelyOn(excess)
        } else {
            let why = format!("the excess is {}, and the threshold is {} points", excess.written(), points(margin));
            Reliance::CannotTell { why: Doubt::Interval(why), excess: Some(excess) }
        }
    }

    /// The verdict as one of three terms.
    pub fn verdict(&self) -> &'static str {
        match self {
            Reliance::ReliesOn(_) => "relies on",
            Reliance::DoesNotRelyOn(_) => "does not rely on",
            Reliance::CannotTell { .. } => "inconclusive",
        }
    }

    /// The verdict as the end of a sentence on a model and a shortcut.
    pub fn clause(&self) -> String {
        match self {
            Reliance::ReliesOn(excess) => format!("the model relies on it (excess {})", excess.written()),
            Reliance::DoesNotRelyOn(excess) if self.is_slight() => {
                let border = points(MARGIN);
                format!(
                    "the model does not rely on it, but leans slightly on it (excess {}; above {border} counts as reliance)",
                    excess.written()
                )
            }
            Reliance::DoesNotRelyOn(excess) => format!("the model does not rely on it (excess {})", excess.written()),
            Reliance::CannotTell { why, .. } => format!("inconclusive: {why}"),
        }
    }

    /// Whether the model does not rely on the shortcut, yet follows it significantly more often than it would without it.
    pub fn is_slight(&self) -> bool {
        matches!(self, Reliance::DoesNotRelyOn(excess) if excess.interval.interval.low > 0.0)
    }

    /// The excess where it can be estimated.
    pub fn excess(&self) -> Option<Excess> {
        match self {
            Reliance::ReliesOn(excess) | Reliance::DoesNotRelyOn(excess) => Some(*excess),
            Reliance::CannotTell { excess, .. } => *excess,
        }
    }
}

/// What a model predicts where a set's shortcut does not apply.
#[derive(Debug, Clone, PartialEq)]
pub struct Otherwise {
    /// Whether all pairs of the set, with the shortcut right or wrong, get the same prediction.
    pub predictions: PredictionVariety,
    /// How often the shortcut's label is predicted, wrongly, for examples to which it does not apply, where there are such examples.
    pub same_error: Option<ClusteredAccuracy>,
    /// Whether the model is better than the majority baseline.
    pub informative: Informative,
}

impl Otherwise {
    /// Why a low accuracy on counterexamples may have another reason than the shortcut. A model that predicts the shortcut's label for half of the other
    /// wrong examples, too, need not take the shortcut; where there are none to see this, one that always gives the same label need not.
    fn doubt(&self) -> Option<Doubt> {
        let known = self.same_error.filter(|share| share.proportion().total >= LEAST_EXAMPLES && share.trust() != Trust::NotEstimable);
        match known {
            Some(share) => (share.interval().high >= 0.5).then(|| Doubt::WithoutItToo(share.proportion().rate().unwrap_or(0.0))),
            None => (self.predictions == PredictionVariety::Same).then_some(Doubt::SameLabel),
        }
    }
}

/// Whether a model gives the examples of a set different answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PredictionVariety {
    /// One label for all.
    Same,
    /// Several labels.
    Several,
}

impl PredictionVariety {
    /// Of these predictions.
    pub fn of<T: PartialEq>(predictions: impl IntoIterator<Item = T>) -> Self {
        let mut predictions = predictions.into_iter();
        let first = predictions.next();
        if predictions.any(|one| Some(one) != first) { PredictionVariety::Several } else { PredictionVariety::Same }
    }
}

impl Excess {
    /// The estimate with its interval: `5.7 points [3.6, 8.1]`.
    pub(crate) fn written(self) -> String {
        format!("{} points {}", points(self.estimate), difference_bracket(self.interval))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::{Rng, Seed};

    fn share(right: u64, rows: u64) -> ClusteredAccuracy {
        ClusteredAccuracy::of_counts((0..rows).map(|row| (u64::from(row < right), 1)))
    }

    /// Nothing is known but that predictions vary or not.
    fn only(predictions: PredictionVariety) -> Otherwise {
        Otherwise { predictions, same_error: None, informative: Informative::Yes }
    }

    const SEVERAL: Otherwise = Otherwise { predictions: PredictionVariety::Several, same_error: None, informative: Informative::Yes };

    fn verdict(with: [u64; 2], without: [u64; 2]) -> &'static str {
        Reliance::of_shares(&share(with[0], with[1]), &share(without[0], without[1])).verdict()
    }

    #[test]
    fn the_excess_decides() {
        assert_eq!(verdict([95, 100], [5, 100]), "relies on");
        assert_eq!(verdict([30, 100], [3, 300]), "relies on");
        assert_eq!(verdict([3, 100], [3, 100]), "does not rely on");
        assert_eq!(verdict([15, 100], [3, 100]), "inconclusive");
        // A model that always predicts this label also predicts it without the shortcut.
        assert_eq!(verdict([100, 100], [100, 100]), "does not rely on");
    }

    #[test]
    fn fewer_than_thirty_examples_give_no_verdict() {
        assert_eq!(verdict([29, 29], [0, 1000]), "inconclusive");
        assert_eq!(verdict([1000, 1000], [0, 29]), "inconclusive");
        assert_eq!(verdict([30, 30], [0, 30]), "relies on");
        let why = Reliance::of_shares(&share(8, 8), &share(0, 100)).clause();
        assert_eq!(why, "inconclusive: the heuristic is wrong on only 8 examples, and at least 30 are needed");
    }

    #[test]
    fn one_template_gives_no_verdict() {
        let one = ClusteredAccuracy::of_counts([(980, 1000)]);
        assert_eq!(Reliance::of_shares(&one, &share(0, 1000)).verdict(), "inconclusive");
        assert_eq!(Reliance::of_counterexamples(&ClusteredAccuracy::of_counts([(0, 1000)]), &SEVERAL).verdict(), "inconclusive");
    }

    #[test]
    fn counterexamples_are_held_against_a_coin() {
        let of = |right, rows, answers| Reliance::of_counterexamples(&share(right, rows), &only(answers)).verdict();
        assert_eq!(of(4, 250, PredictionVariety::Several), "relies on");
        assert_eq!(of(4, 250, PredictionVariety::Same), "inconclusive");
        assert_eq!(of(250, 250, PredictionVariety::Same), "does not rely on");
        assert_eq!(of(150, 250, PredictionVariety::Several), "does not rely on");
        assert_eq!(of(110, 250, PredictionVariety::Several), "inconclusive");
        assert_eq!(of(0, 29, PredictionVariety::Several), "inconclusive");
    }

    #[test]
    fn a_model_that_predicts_entailment_anyway_is_not_said_to_take_the_shortcut_of_a_set() {
        let with = |predictions, entailed: u64| {
            Reliance::of_counterexamples(
                &share(0, 250),
                &Otherwise { predictions, same_error: Some(share(entailed, 400)), informative: Informative::Yes },
            )
        };
        // Three quarters of the other non-entailed pairs: HANS says nothing about its heuristics, whether or not a few predictions differ.
        for variety in [PredictionVariety::Same, PredictionVariety::Several] {
            let found = with(variety, 300).clause();
            let why = "inconclusive: it also predicts entailment for 75.0 % of the non-entailed original pairs without full overlap";
            assert_eq!(found, why);
        }
        // The overlap model gives every pair of HANS the same label, and other pairs another.
        assert_eq!(with(PredictionVariety::Same, 4).verdict(), "relies on");
    }

    #[test]
    fn thresholds_of_sets_are_given_as_accuracies() {
        let found = Reliance::of_counterexamples(&share(110, 250), &SEVERAL).clause();
        assert_eq!(found, "inconclusive: accuracy across templates is 44.0 % [38.0, 50.2], and the threshold is 45.0 %");
    }

    #[test]
    fn not_to_follow_a_shortcut_says_nothing_about_a_model_that_knows_nothing() {
        let of = |with: [u64; 2], informative| Reliance::of_shares(&share(with[0], with[1]), &share(3, 100)).given(informative).verdict();
        let all = [Informative::Yes, Informative::NotAboveMajority, Informative::MostlyMissing];
        assert_eq!(all.map(|one| of([3, 100], one)), ["does not rely on", "inconclusive", "inconclusive"]);
        assert_eq!(all.map(|one| of([95, 100], one)), ["relies on", "relies on", "inconclusive"]);
    }

    #[test]
    fn a_small_significant_excess_is_said() {
        let found = Reliance::of_shares(&share(57, 1000), &share(2, 5000));
        assert_eq!(found.verdict(), "does not rely on");
        let said = "the model does not rely on it, but leans slightly on it (excess 5.7 points [4.4, 7.3]; above 10.0 counts as reliance)";
        assert_eq!(found.clause(), said);
    }

    /// How many of so many models are said to rely on a shortcut.
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
                let found = relying(2000, &name, |rng| Reliance::of_counterexamples(&draw(rng, clusters, size, 1.0 - chance), &SEVERAL));
                assert!(found <= most, "{found} of 2000 random models rely on a shortcut of a set ({name})");
            }
        }
        let large = relying(2000, "large", |rng| Reliance::of_shares(&draw(rng, 300, 1, 0.5), &draw(rng, 300, 1, 0.5)));
        let large_set = relying(2000, "large set", |rng| Reliance::of_counterexamples(&draw(rng, 300, 1, 0.5), &SEVERAL));
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
            assert_ne!(Reliance::of_counterexamples(&share(rows, rows), &SEVERAL).verdict(), "relies on");
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
        assert_eq!(of(20, 10, 100), "inconclusive");
        assert_eq!(of(29, 0, 29), "inconclusive");
    }
}
