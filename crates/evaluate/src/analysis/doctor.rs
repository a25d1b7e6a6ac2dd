//! Checks whether the model's labels were read in the right order.

use super::AnalysisError;
use super::wording::{count, counted, number, p_cell, p_value, points};
use crate::measurement::{Measurement, Metric, Subject};
use crate::report::{Cell, ReportBlock, Section, SectionId};
use crate::scoring::Judged;
use crate::statistics::permutation::{GoldScale, LabelOrderTest, LabelPermutation, Trial, Verdict, diagnose, diagnose_two_way};
use acidtest_nli::{Judgment, Label};

/// The result of the check.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelOrderResult {
    /// The verdict with its evidence.
    pub diagnosis: LabelOrderTest,
    /// The order that the labels were read in, by output number.
    pub given: [Label; 3],
    /// The number of examples with a gold label and an exact prediction; only these count.
    pub rows: usize,
    /// The number of labelled examples without an exact prediction.
    pub left_out: usize,
}

/// Tries all six orders of the labels on predictions that were read in the given order. If a gold label is only "not entailment", all examples are
/// scored two-way.
pub fn examine(judged: &Judged<'_>, given: [Label; 3]) -> Result<LabelOrderResult, AnalysisError> {
    let exact = |judgment: Judgment| judgment.label();
    let (mut gold, mut answers, mut left_out) = (Vec::new(), Vec::new(), 0);
    for (row_gold, row) in judged.joined.labelled() {
        // The scoring rule may have merged the predicted labels, so this uses the prediction itself.
        match row.prediction.and_then(|prediction| exact(prediction.answer)) {
            Some(answer) => {
                gold.push(row_gold);
                answers.push(answer);
            }
            None => left_out += 1,
        }
    }
    if gold.is_empty() {
        return Err(AnalysisError::NoLabelledRows { rows: judged.joined.items.len() });
    }
    let diagnosis = match gold.iter().copied().map(exact).collect::<Option<Vec<Label>>>() {
        Some(gold) => diagnose(&gold, &answers)?,
        None => diagnose_two_way(&gold.iter().map(|gold| gold.is_entailment()).collect::<Vec<bool>>(), &answers)?,
    };
    Ok(LabelOrderResult { diagnosis, given, rows: gold.len(), left_out })
}

impl LabelOrderResult {
    /// The order to use instead of the given one, if another is significantly better.
    pub fn better_labels(&self) -> Option<[Label; 3]> {
        match self.diagnosis.verdict {
            Verdict::Better { order, .. } => Some(order.correct(self.given)),
            Verdict::Holds | Verdict::CannotTell => None,
        }
    }

    /// The order of the gold labels' numbers to use instead of the usual one, if another order is significantly better and the predictions are right.
    pub fn better_gold(&self) -> Option<[Label; 3]> {
        let Verdict::Better { order, .. } = self.diagnosis.verdict else { return None };
        // Two-way gold labels are words, or numbers whose order was given.
        if self.diagnosis.scale == GoldScale::TwoWay {
            return None;
        }
        let meant = |read: Label| Label::ALL.into_iter().find(|answer| order.meaning(*answer) == read).unwrap_or(read);
        Some(Label::ALL.map(meant))
    }

    /// The verdict in one sentence.
    pub fn sentence(&self) -> String {
        let examples = counted(self.rows, "example");
        let given = self.diagnosis.trials[0].accuracy.rate().unwrap_or(0.0);
        let given_order = initials(self.given);
        match self.diagnosis.verdict {
            Verdict::Holds if self.diagnosis.scale == GoldScale::TwoWay => format!(
                "Entailment is read correctly: no order that maps another output to entailment comes close to the {} % of {given_order} on {examples}.",
                points(given)
            ),
            Verdict::Holds => {
                format!(
                    "The label order {given_order} is correct: no other order comes close to its accuracy of {} % on {examples}.",
                    points(given)
                )
            }
            Verdict::Better { order, accuracy, p } => {
                let moved: Vec<Label> = Label::ALL.into_iter().filter(|label| order.meaning(*label) != *label).collect();
                let swapped = match moved[..] {
                    [one, other] => format!("; {one} and {other} seem to be swapped"),
                    _ => String::new(),
                };
                format!(
                    "The label order is wrong: {given_order} gives {} % on {examples}, {right} gives {} % ({}){swapped}.",
                    points(given),
                    points(accuracy),
                    p_value(p),
                    right = initials(order.correct(self.given))
                )
            }
            Verdict::CannotTell => {
                format!(
                    "The label order is inconclusive: on {examples}, no order is significantly better than all others; {given_order} gives {} %.",
                    points(given)
                )
            }
        }
    }

    /// Accuracy and kappa of the predictions in each order.
    pub fn measurements(&self, subject: Subject<'_>) -> Vec<Measurement> {
        let of = |trial: &Trial| {
            let order = initials(trial.order.correct(self.given));
            let accuracy = subject.share(Metric::Accuracy, trial.accuracy);
            let kappa = subject.number(Metric::Kappa, trial.kappa.value);
            accuracy.into_iter().chain([kappa]).map(move |one| one.with("label order", order.as_str()))
        };
        self.diagnosis.trials.iter().flat_map(of).collect()
    }

    /// The orders that two-way gold labels cannot distinguish.
    pub fn tie_note(&self) -> Option<String> {
        let best = self.diagnosis.trials[self.diagnosis.best].order;
        let tied = self.diagnosis.tied_with(best)?;
        let (best, tied) = (initials(best.correct(self.given)), initials(tied.correct(self.given)));
        Some(format!(
            "Gold labels and scoring are two-way: {best} and {tied} cannot be distinguished, because neutral and contradiction both count as non-entailment."
        ))
    }

    /// The verdict and all six orders, from the highest to the lowest accuracy.
    pub fn section(&self) -> Section {
        let mut notes = vec![self.sentence()];
        if self.left_out > 0 {
            notes.push(format!("Excluded: {} without a three-way prediction.", counted(self.left_out, "labelled example")));
        }
        notes.extend(self.tie_note());
        let mut by_accuracy: Vec<(usize, &Trial)> = self.diagnosis.trials.iter().enumerate().collect();
        by_accuracy.sort_by_key(|(_, trial)| std::cmp::Reverse(trial.accuracy.count));
        let rows = by_accuracy.into_iter().map(|(place, trial)| {
            let best = self.diagnosis.trials[self.diagnosis.best].order;
            let tied = self.diagnosis.tied_with(best) == Some(trial.order);
            let standing = match place {
                _ if place == self.diagnosis.best => "best",
                _ if tied => "tied with the best",
                _ if trial.order == LabelPermutation::GIVEN => "given",
                _ => "",
            };
            let p = if place == self.diagnosis.best || tied { Cell::Empty {} } else { p_cell(self.diagnosis.p_values[place]) };
            vec![
                Cell::text(initials(trial.order.correct(self.given))),
                Cell::rate(trial.accuracy),
                number(trial.kappa.value, 3),
                p,
                count(trial.accuracy.count),
                Cell::text(standing),
            ]
        });
        let table = ReportBlock::table(&["order"], &["accuracy", "kappa", "p vs. the best", "correct", "standing"], rows.collect());
        Section::new(SectionId::LabelOrder, "Label order", notes, vec![table])
            .captioned(["Intervals and p values treat every example as its own cluster.".to_string()])
    }
}

/// An order in initials, such as `C,E,N`.
pub fn initials(labels: [Label; 3]) -> String {
    let initial = |label| match label {
        Label::Entailment => "E",
        Label::Neutral => "N",
        Label::Contradiction => "C",
    };
    labels.map(initial).join(",")
}
