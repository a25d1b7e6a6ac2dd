//! The evidence for the checks of a gate: accuracies as the run measured them, and paired examples for drops.

use super::plan::PlannedCheck;
use crate::error::Error;
use crate::results::Results;
use crate::sets::ORIGINAL;
use acidtest_evaluate::Judged;
use acidtest_evaluate::analysis::{AnalysisError, Testing, perturbation};
use acidtest_evaluate::baseline::{Baseline, decode};
use acidtest_evaluate::checks::{Check, CheckedRows, PairedEvidence, Rule, against_answers, against_parents};
use acidtest_evaluate::measurement::{Against, Measurement, Metric, Subject};
use acidtest_evaluate::statistics::Proportion;

/// A run with its predictions, and what they are compared with.
pub(super) struct GateEvidence<'e, 'd> {
    /// The run.
    pub results: &'e Results<'d>,
    /// For each model, every set scored.
    pub judged: &'e [Vec<Judged<'e>>],
    /// The baseline, where there is one.
    pub baseline: Option<&'e Baseline>,
}

impl GateEvidence<'_, '_> {
    /// A check with what was measured.
    pub(super) fn of(&self, planned: &PlannedCheck) -> Result<Check, Error> {
        let own = &self.judged[planned.model];
        let group = planned.group.as_ref().map(|(tag, value)| (tag.as_str(), value.as_str()));
        let rows = CheckedRows { judged: &own[planned.set], group };
        let (measured, paired) = match planned.rule {
            Rule::FailUnder(_) => (self.accuracy(planned, rows), None),
            Rule::MaxDrop(_) => {
                let mut found = against_parents(rows, &own[0]).map_err(AnalysisError::from)?;
                found.meaningless = self.meaningless(planned.model)?;
                (self.drop(planned, Against::Set(self.results.sets[0].id.clone())), Some(found))
            }
            Rule::MaxRegression(_) => {
                let earlier = planned.earlier.clone().unwrap_or_default();
                (self.drop(planned, Against::Baseline(earlier)), Some(self.against_baseline(planned, rows)?))
            }
        };
        Ok(Check { rule: planned.rule, measured, paired: paired.map(Box::new) })
    }

    fn subject(&self, planned: &PlannedCheck) -> Subject<'_> {
        Subject {
            model: &self.results.predictions[planned.model].name,
            set: &self.results.sets[planned.set].id,
            scoring: Some(self.judged[planned.model][planned.set].scoring),
        }
    }

    /// The accuracy that the run measured. For a group that the run did not measure, it is measured here.
    fn accuracy(&self, planned: &PlannedCheck, rows: CheckedRows<'_>) -> Measurement {
        let subject = self.subject(planned);
        let group: Vec<(String, String)> = planned.group.iter().cloned().collect();
        let is_wanted = |one: &&Measurement| {
            let of_all = one.against.is_none() && one.holds_for.is_none() && one.scoring == subject.scoring;
            one.metric == Metric::Accuracy && one.model == subject.model && one.set == *subject.set && one.group == group && of_all
        };
        let known = self.results.report.measured().find(is_wanted).cloned();
        known
            .or_else(|| Some(Measurement { group: group.clone(), ..subject.clustered(Metric::Accuracy, &rows.accuracy())? }))
            .unwrap_or_else(
                // No example was scored, so the check cannot pass.
                || Measurement {
                    group: group.clone(),
                    counts: Some(Proportion { count: 0, total: 0 }),
                    ..subject.number(Metric::Accuracy, 0.0)
                },
            )
    }

    /// A drop whose value follows from its pairs.
    fn drop(&self, planned: &PlannedCheck, against: Against) -> Measurement {
        let group = planned.group.iter().cloned().collect();
        Measurement { group, against: Some(against), ..self.subject(planned).number(Metric::Drop, 0.0) }
    }

    /// Why drops are not meaningful for a model that is no better than the majority baseline.
    fn meaningless(&self, model: usize) -> Result<Option<String>, Error> {
        let original = &self.judged[model][0];
        let why = perturbation::no_better_than_majority(original, &Testing::default())?;
        Ok(why.map(|why| {
            let accuracy = 100.0 * CheckedRows { judged: original, group: None }.accuracy().proportion().rate().unwrap_or(0.0);
            format!("its accuracy on {ORIGINAL} is {accuracy:.1} %, {why}")
        }))
    }

    /// The examples paired with the predictions of the baseline.
    fn against_baseline(&self, planned: &PlannedCheck, rows: CheckedRows<'_>) -> Result<PairedEvidence, Error> {
        let set = &self.results.sets[planned.set];
        let answers = self.baseline.and_then(|baseline| baseline.model(planned.earlier.as_deref()?)?.answers.get(set.name()));
        let answers = decode(&set.examples, answers.map_or("", String::as_str));
        Ok(against_answers(rows, &answers).map_err(AnalysisError::from)?)
    }
}
