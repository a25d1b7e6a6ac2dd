//! Tests whether a model's labels were read in the right order. A model whose output 0 means "contradiction", read as "entailment", seems useless.
//!
//! All six orders are tried. The order with the highest accuracy is accepted only if
//!
//! 1. it is better than each of the five others by the exact McNemar test, Holm-adjusted for the five, at [`ALPHA`], and
//! 2. its predictions agree with the gold labels beyond chance: the 95 % interval of its Cohen's kappa lies above 0 and, if it is not the
//!    given order, above the interval of the given order.
//!
//! The second rule is for models that nearly always predict the same label and for sets with one gold label: there the order that maps the
//! most frequent prediction to the most frequent gold label wins by far, which means nothing. Everything else is [`Verdict::CannotTell`].
//!
//! Two-way gold labels cannot distinguish orders that differ only in neutral and contradiction: such orders tie and are not compared with each other.

use super::error::same_length;
use super::kappa::{self, Kappa};
use super::{Interval, Proportion, StatisticsError, mcnemar, multiple};
use acidtest_nli::Label;
use std::fmt;

/// The level at which an order is accepted; strict, because the verdict stops a run.
pub const ALPHA: f64 = 0.001;

/// A renaming of labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LabelPermutation([Label; 3]);

impl LabelPermutation {
    /// The given order.
    pub const GIVEN: LabelPermutation = LabelPermutation(Label::ALL);

    /// All six, the given one first.
    pub const ALL: [LabelPermutation; 6] = {
        use Label::{Contradiction as C, Entailment as E, Neutral as N};
        [
            LabelPermutation([E, N, C]),
            LabelPermutation([E, C, N]),
            LabelPermutation([N, E, C]),
            LabelPermutation([N, C, E]),
            LabelPermutation([C, E, N]),
            LabelPermutation([C, N, E]),
        ]
    };

    /// The label that a prediction read as this label stands for.
    pub fn meaning(self, read: Label) -> Label {
        self.0[read.index()]
    }

    /// The corrected order, by output number, if `labels` was given.
    pub fn correct(self, labels: [Label; 3]) -> [Label; 3] {
        labels.map(|label| self.meaning(label))
    }
}

impl fmt::Display for LabelPermutation {
    /// The meaning of entailment, neutral and contradiction by initials, as in `C,E,N`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let initial = |label| match label {
            Label::Entailment => "E",
            Label::Neutral => "N",
            Label::Contradiction => "C",
        };
        f.pad(&self.0.map(initial).join(","))
    }
}

/// The scores of the predictions in one order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// The order.
    pub order: LabelPermutation,
    /// The share of correct predictions.
    pub accuracy: Proportion,
    /// Agreement with gold beyond chance.
    pub kappa: Kappa,
}

/// Whether the given order is right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// The given order is significantly the best.
    Holds,
    /// Another order is significantly better.
    Better {
        /// That order.
        order: LabelPermutation,
        /// Its accuracy.
        accuracy: f64,
        /// The Holm-adjusted p value against the given order.
        p: f64,
    },
    /// No order is significantly the best.
    CannotTell,
}

/// The verdict and its evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelOrderTest {
    /// Whether the given order is right.
    pub verdict: Verdict,
    /// All six orders as in [`LabelPermutation::ALL`].
    pub trials: [Trial; 6],
    /// The index of the most accurate order, the first of several.
    pub best: usize,
    /// The Holm-adjusted p values of the best order against each, as in [`LabelPermutation::ALL`]; 1 for itself and for an order that ties by necessity.
    pub p_values: [f64; 6],
    /// Which labels the gold labels distinguish.
    pub scale: GoldScale,
}

/// Which labels gold labels distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoldScale {
    /// Entailment, neutral and contradiction.
    ThreeWay,
    /// Entailment and everything else.
    TwoWay,
}

impl LabelPermutation {
    /// Whether gold labels of this scale cannot distinguish two orders.
    fn ties_with(self, other: LabelPermutation, scale: GoldScale) -> bool {
        let entailment = |order: LabelPermutation| order.0.iter().position(|meaning| *meaning == Label::Entailment);
        scale == GoldScale::TwoWay && entailment(self) == entailment(other)
    }
}

impl LabelOrderTest {
    /// The order that the gold labels cannot distinguish from this one, if there is one.
    pub fn tied_with(&self, order: LabelPermutation) -> Option<LabelPermutation> {
        LabelPermutation::ALL.into_iter().find(|other| *other != order && other.ties_with(order, self.scale))
    }
}

/// Tries all six orders on predictions for examples with two-way gold labels.
pub fn diagnose_two_way(entailed: &[bool], answers: &[Label]) -> Result<LabelOrderTest, StatisticsError> {
    same_length("answers", entailed.len(), answers.len())?;
    // Non-entailment is counted as neutral, in gold labels and predictions.
    let mut counts = [[0u64; 3]; 3];
    for (entailed, answer) in entailed.iter().zip(answers) {
        counts[answer.index()][usize::from(!entailed)] += 1;
    }
    judged(&counts, entailed.len() as u64, GoldScale::TwoWay)
}

/// Tries all six orders on predictions for examples with these gold labels.
pub fn diagnose(gold: &[Label], answers: &[Label]) -> Result<LabelOrderTest, StatisticsError> {
    same_length("answers", gold.len(), answers.len())?;
    // By prediction, then by gold label: all six orders can be scored from these nine counts.
    let mut counts = [[0u64; 3]; 3];
    for (gold, answer) in gold.iter().zip(answers) {
        counts[answer.index()][gold.index()] += 1;
    }
    judged(&counts, gold.len() as u64, GoldScale::ThreeWay)
}

/// The verdict from counts by prediction, then by gold label.
fn judged(counts: &[[u64; 3]; 3], rows: u64, scale: GoldScale) -> Result<LabelOrderTest, StatisticsError> {
    if rows == 0 {
        return Err(StatisticsError::Empty { what: "rows" });
    }
    let mut trials = Vec::with_capacity(6);
    for order in LabelPermutation::ALL {
        trials.push(trial(order, counts, rows, scale)?);
    }
    let trials: [Trial; 6] = std::array::from_fn(|place| trials[place]);
    // The first of several best, so the given order wins a tie.
    let best = (0..6).rev().max_by_key(|&place| trials[place].accuracy.count).unwrap_or(0);
    let ties = |one: usize, other: usize| trials[one].order.ties_with(trials[other].order, scale);
    // Of orders that necessarily tie, one represents all.
    let told_apart =
        |place: usize| place != best && !ties(place, best) && !(0..place).any(|earlier| earlier != best && ties(earlier, place));
    let others: Vec<usize> = (0..6).filter(|&place| told_apart(place)).collect();
    let raw: Vec<f64> = others.iter().map(|&place| against(trials[best].order, trials[place].order, counts, scale)).collect();
    let adjusted = multiple::holm(&raw)?;
    let mut p_values = [1.0; 6];
    for (&place, p) in others.iter().zip(&adjusted) {
        (0..6).filter(|&other| other == place || ties(other, place)).for_each(|other| p_values[other] = *p);
    }
    let sure = adjusted.iter().all(|p| *p < ALPHA);
    let verdict = verdict(&trials, best, sure, &p_values);
    Ok(LabelOrderTest { verdict, trials, best, p_values, scale })
}

fn trial(order: LabelPermutation, counts: &[[u64; 3]; 3], total: u64, scale: GoldScale) -> Result<Trial, StatisticsError> {
    let mut renamed = [[0; 3]; 3];
    for read in Label::ALL {
        let meaning = on_scale(order.meaning(read), scale).index();
        renamed[meaning].iter_mut().zip(counts[read.index()]).for_each(|(sum, count)| *sum += count);
    }
    let right = (0..3).map(|label| renamed[label][label]).sum();
    Ok(Trial { order, accuracy: Proportion { count: right, total }, kappa: kappa::cohen(&renamed)? })
}

/// The exact McNemar p value of one order against another.
fn against(one: LabelPermutation, other: LabelPermutation, counts: &[[u64; 3]; 3], scale: GoldScale) -> f64 {
    let (mut one_only, mut other_only) = (0, 0);
    for read in Label::ALL {
        let (a, b) = (on_scale(one.meaning(read), scale), on_scale(other.meaning(read), scale));
        if a != b {
            one_only += counts[read.index()][a.index()];
            other_only += counts[read.index()][b.index()];
        }
    }
    mcnemar::exact(one_only, other_only)
}

/// The judgment that this scale compares.
fn on_scale(label: Label, scale: GoldScale) -> Label {
    if scale == GoldScale::TwoWay && label == Label::Contradiction { Label::Neutral } else { label }
}

fn verdict(trials: &[Trial; 6], best: usize, sure: bool, p_values: &[f64; 6]) -> Verdict {
    let kappa: Interval = trials[best].kappa.interval();
    if !sure || kappa.low <= 0.0 {
        return Verdict::CannotTell;
    }
    if best == 0 {
        return Verdict::Holds;
    }
    if kappa.low <= trials[0].kappa.interval().high {
        return Verdict::CannotTell;
    }
    let accuracy = trials[best].accuracy.rate().unwrap_or(0.0);
    Verdict::Better { order: trials[best].order, accuracy, p: p_values[0] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Seed;
    use proptest::prelude::*;

    #[test]
    fn two_way_gold_identifies_entailment_and_the_other_two_tie() {
        let (gold, answers) = answered(600, 0.8, 4);
        let entailed: Vec<bool> = gold.iter().map(|gold| *gold == Label::Entailment).collect();
        let given = diagnose_two_way(&entailed, &answers).unwrap();
        assert_eq!(given.verdict, Verdict::Holds);
        assert_eq!((given.best, given.trials[0].accuracy, given.trials[1].kappa), (0, given.trials[1].accuracy, given.trials[0].kappa));
        assert_eq!(given.tied_with(LabelPermutation::GIVEN), Some(LabelPermutation::ALL[1]));
        assert_eq!(given.p_values[1], 1.0);
        // Contradiction and entailment swapped.
        let turned: Vec<Label> = answers.iter().map(|answer| LabelPermutation::ALL[5].meaning(*answer)).collect();
        let Verdict::Better { order, .. } = diagnose_two_way(&entailed, &turned).unwrap().verdict else { panic!("not found") };
        assert_eq!(order.meaning(Label::Contradiction), Label::Entailment);
        assert_eq!(diagnose(&gold, &answers).unwrap().tied_with(LabelPermutation::GIVEN), None);
    }

    /// Gold labels and predictions that are correct with this probability and otherwise one of the other two.
    fn answered(rows: usize, accuracy: f64, seed: u64) -> (Vec<Label>, Vec<Label>) {
        let mut rng = Seed::new(seed).rng();
        (0..rows)
            .map(|_| {
                let gold = rng.below(3);
                let shift = if rng.unit() < accuracy { 0 } else { 1 + rng.below(2) };
                (Label::ALL[gold], Label::ALL[(gold + shift) % 3])
            })
            .unzip()
    }

    fn verdict_of(gold: &[Label], answers: &[Label]) -> Verdict {
        diagnose(gold, answers).unwrap().verdict
    }

    #[test]
    fn every_wrong_order_is_detected() {
        let (gold, answers) = answered(1000, 0.85, 1);
        for written in LabelPermutation::ALL {
            let misread: Vec<Label> = answers.iter().map(|&answer| written.meaning(answer)).collect();
            let found = verdict_of(&gold, &misread);
            if written == LabelPermutation::GIVEN {
                assert_eq!(found, Verdict::Holds);
                continue;
            }
            let Verdict::Better { order, accuracy, p } = found else { panic!("{written}: {found:?}") };
            let restored: Vec<Label> = misread.iter().map(|&answer| order.meaning(answer)).collect();
            assert_eq!(restored, answers, "{written}");
            assert!((accuracy - 0.85).abs() < 0.04 && p < 1e-6);
        }
    }

    #[test]
    fn fifty_random_predictions_are_not_enough() {
        let told = (0..2000).filter(|&seed| {
            let (gold, answers) = answered(50, 1.0 / 3.0, seed);
            verdict_of(&gold, &answers) != Verdict::CannotTell
        });
        assert_eq!(told.count(), 0);
    }

    #[test]
    fn a_hundred_predictions_of_a_good_model_are_enough() {
        let held = (0..200).filter(|&seed| {
            let (gold, answers) = answered(100, 0.85, seed);
            verdict_of(&gold, &answers) == Verdict::Holds
        });
        assert!(held.count() > 195);
    }

    #[test]
    fn a_constant_model_gives_no_verdict() {
        let gold: Vec<Label> = (0..9000).map(|row| if row < 4000 { Label::Neutral } else { Label::ALL[row % 3] }).collect();
        assert_eq!(verdict_of(&gold, &vec![Label::Entailment; 9000]), Verdict::CannotTell);
    }

    #[test]
    fn a_set_with_one_gold_label_gives_no_verdict() {
        let (_, answers) = answered(900, 0.9, 3);
        assert_eq!(verdict_of(&vec![Label::Contradiction; 900], &vec![Label::Entailment; 900]), Verdict::CannotTell);
        assert_eq!(verdict_of(&vec![Label::Contradiction; 900], &answers), Verdict::CannotTell);
    }

    #[test]
    fn an_order_names_what_each_output_means() {
        let order = LabelPermutation::ALL[4];
        assert_eq!(order.to_string(), "C,E,N");
        assert_eq!(order.meaning(Label::Neutral), Label::Entailment);
        use Label::{Contradiction, Entailment, Neutral};
        assert_eq!(order.correct([Contradiction, Neutral, Entailment]), [Neutral, Entailment, Contradiction]);
    }

    #[test]
    fn missing_predictions_are_an_error() {
        assert!(diagnose(&[Label::Neutral], &[]).is_err());
        assert!(diagnose(&[], &[]).is_err());
    }

    proptest! {
        #[test]
        fn trials_match_counting_one_by_one(rows in prop::collection::vec((0usize..3, 0usize..3), 1..60)) {
            let (gold, answers): (Vec<Label>, Vec<Label>) =
                rows.iter().map(|&(gold, answer)| (Label::ALL[gold], Label::ALL[answer])).unzip();
            let found = diagnose(&gold, &answers).unwrap();
            for (trial, order) in found.trials.iter().zip(LabelPermutation::ALL) {
                let right = gold.iter().zip(&answers).filter(|&(&gold, &answer)| order.meaning(answer) == gold).count() as u64;
                prop_assert_eq!(trial.accuracy, Proportion { count: right, total: rows.len() as u64 });
                prop_assert!(right <= found.trials[found.best].accuracy.count);
            }
        }
    }
}
