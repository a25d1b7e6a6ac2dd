//! Gates: a run whose checks pass, fail, or are inconclusive.
//!
//! All checks are validated before any model is called: sets, groups, models and baselines that do not fit are refused.

mod baseline_file;
mod choice;
mod evidence;
mod plan;
mod problem;

pub use baseline_file::read_baseline;
pub use problem::GateProblem;

pub(crate) use choice::SetChoice;

use crate::error::Error;
use crate::models::NamedModel;
use crate::notes::{model_notes, unlabelled_note};
use crate::page::PageTarget;
use crate::results::{Results, judge_all, scoring_rules};
use crate::run::run_made;
use crate::session::Session;
use crate::sets::{MadeSets, items_of_all, make_all};
use crate::spec::{AnnotationForm, CheckKind, ResolvedRun, RunSpec};
use crate::visible::visible;
use acidtest_evaluate::analysis::AnalysisError;
use acidtest_evaluate::baseline::Baseline;
use acidtest_evaluate::checks::{Checked, InconclusiveRule, Outcome, Rule, decide};
use acidtest_evaluate::report::annotations::github;
use acidtest_evaluate::report::{check_text, counted, junit};
use acidtest_evaluate::{Generalisation, Scoring};
use acidtest_files::{Output, publish_all};
use evidence::GateEvidence;
use plan::PlannedCheck;
use std::collections::BTreeSet;

/// The checks of a gate.
pub struct GateChecks {
    /// The checks: kind, set and rule.
    pub(crate) checks: Vec<(CheckKind, String, Rule)>,
    /// The file of the baseline, and its content.
    pub(crate) baseline: Option<(String, Baseline)>,
    /// The model of the baseline with which the only model of the run is compared.
    pub(crate) baseline_model: Option<String>,
    /// What inconclusive checks count as.
    pub(crate) inconclusive: Option<InconclusiveRule>,
    /// The challenges that the checks need, unless all are made.
    pub(crate) choices: Option<Vec<String>>,
}

/// Where the outcomes are written; files are started before any model is called.
pub struct GateOutputs {
    pub(crate) junit: Option<Output>,
    pub(crate) baseline: Option<Output>,
    pub(crate) page: Option<PageTarget>,
    pub(crate) annotations: Option<AnnotationForm>,
}

/// The result of a gate.
pub struct GateResults<'d> {
    /// The run; the measurements of its report hold the checks, in the order of their kinds.
    pub results: Results<'d>,
    /// What inconclusive checks count as.
    pub inconclusive: Option<InconclusiveRule>,
    /// What intervals and p values generalise to, in one sentence.
    pub holds_for: String,
    /// How predictions are scored against gold, in one sentence.
    pub scored_by: String,
    /// Notes on the predictions, such as tied scores; one sentence each.
    pub notes: Vec<String>,
}

/// What was written, and what to print.
pub struct GateFinished {
    /// Annotations, line by line.
    pub annotations: Option<String>,
    /// Whether a requested baseline was not written because the gate did not pass.
    pub baseline_kept_back: bool,
    /// The file that a baseline was written to.
    pub baseline_written: Option<String>,
}

impl GateOutputs {
    /// The folder or file of the page, if one is written.
    pub fn page(&self) -> Option<&PageTarget> {
        self.page.as_ref()
    }
}

impl GateChecks {
    /// The challenges that the checks need, unless all are made.
    pub fn challenges(&self) -> Option<&[String]> {
        self.choices.as_deref()
    }
}

/// Makes the sets, validates the checks, opens and calls the models, and decides. The run has no models yet, so an invalid gate starts
/// none.
pub fn gate<'d>(run: &'d ResolvedRun, spec: &RunSpec, checks: &GateChecks, session: &Session<'_>) -> Result<GateResults<'d>, Error> {
    let (made, planned, models) = before_asking(run, spec, checks, session).map_err(|error| match error {
        Error::Cancelled(cancelled) => Error::Cancelled(cancelled),
        other => Error::BeforeAsking(Box::new(other)),
    })?;
    let mut results = run_made(made, (&run.data, &models, &run.challenges, &run.rules), session)?;
    let (found, holds_for, scored_by, notes) = {
        let items = items_of_all(&results.sets, &run.rules.clusters);
        let judged = judge_all(&results.sets, &items, &results.predictions, (results.missing, results.scoring))?;
        let checked: BTreeSet<usize> = planned.iter().map(|check| check.set).collect();
        let own = judged.first().map(|sets| Generalisation::of(checked.iter().map(|&set| &sets[set])));
        let evidence =
            GateEvidence { results: &results, judged: &judged, baseline: checks.baseline.as_ref().map(|(_, baseline)| baseline) };
        let found = planned.iter().map(|check| evidence.of(check)).collect::<Result<Vec<_>, _>>()?;
        let unlabelled = checked.iter().filter_map(|&set| unlabelled_note(results.sets[set].name(), &judged.first()?[set]));
        let of_models = results.predictions.iter().zip(&judged).flat_map(|(model, judged)| model_notes(model, judged));
        let notes = unlabelled.chain(of_models).collect();
        (found, own.map(|own| own.sentence_of_sets()).unwrap_or_default(), scored_by(&checked, &results), notes)
    };
    // Groups that only a check uses are measured too.
    results.report.measure(found.iter().filter(|check| check.paired.is_none()).map(|check| check.measured.clone()).collect::<Vec<_>>());
    results.report.measure(decide(found).map_err(AnalysisError::from)?);
    Ok(GateResults { results, inconclusive: checks.inconclusive, holds_for, scored_by, notes })
}

/// Everything before the first model is called.
fn before_asking<'d>(
    run: &'d ResolvedRun,
    spec: &RunSpec,
    checks: &GateChecks,
    session: &Session<'_>,
) -> Result<(MadeSets<'d>, Vec<PlannedCheck>, Vec<NamedModel>), Error> {
    run.rules.refuse_comparison()?;
    run.rules.refuse_valid_labels()?;
    let made = make_all(&run.data, &run.challenges, session)?;
    run.rules.require_cluster_tag(made.sets.iter().flat_map(|set| set.examples.iter()))?;
    let planned = plan::plan(run, &spec.model_names()?, &made.sets, checks)?;
    let models = spec.open_models(run, session)?;
    run.rules.refuse_surplus(&models)?;
    run.rules.refuse_data_as_predictions(&run.data, &models)?;
    Ok((made, planned, models))
}

/// How the checked sets are scored; those with another rule than the first are named.
fn scored_by(checked: &BTreeSet<usize>, results: &Results<'_>) -> String {
    let rules = scoring_rules(&results.sets, results.scoring);
    let mut by_rule: Vec<(Scoring, Vec<&str>)> = Vec::new();
    for &set in checked {
        match by_rule.iter_mut().find(|(rule, _)| *rule == rules[set]) {
            Some((_, sets)) => sets.push(results.sets[set].name()),
            None => by_rule.push((rules[set], vec![results.sets[set].name()])),
        }
    }
    let about = |rule: Scoring| match rule {
        Scoring::ThreeWay => "three-way",
        Scoring::MergedAnswers => "two-way (merged-answers: neutral and contradiction count as non-entailment)",
        Scoring::SummedScores => "two-way (summed-scores: the scores of neutral and contradiction are added)",
    };
    match &by_rule[..] {
        [] => String::new(),
        [(rule, _)] => format!("Predictions are scored {}.", about(*rule)),
        several => {
            let of_rule = |(rule, sets): &(Scoring, Vec<&str>)| format!("{} on {}", about(*rule), sets.join(", "));
            format!("Predictions are scored {}.", several.iter().map(of_rule).collect::<Vec<_>>().join("; "))
        }
    }
}

impl GateResults<'_> {
    /// The checks as text, with notes on the outputs; `command` reproduces them.
    pub fn text(&self, finished: &GateFinished, command: &str) -> String {
        let notes: Vec<&str> = [&self.scored_by, &self.holds_for].into_iter().chain(&self.notes).map(String::as_str).collect();
        let mut text = check_text::render(&self.checks(), self.outcome(), &notes, command);
        if let Some(file) = &finished.baseline_written {
            let sets: Vec<String> =
                self.results.sets.iter().map(|set| format!("  {} ({})\n", set.name(), counted(set.examples.len(), "example"))).collect();
            text.push_str(&format!("\nThe baseline was written to {}, with predictions for\n{}", visible(file), sets.concat()));
        }
        if finished.baseline_kept_back {
            text.push_str("\nNo baseline was written because the gate did not pass.\n");
        }
        text + finished.annotations.as_deref().unwrap_or_default()
    }

    /// The checks, as the measurements of the report have them.
    pub fn checks(&self) -> Vec<Checked<'_>> {
        Checked::all(&self.results.report.measurements)
    }

    /// The outcome of all checks together.
    pub fn outcome(&self) -> Outcome {
        match (self.checks().into_iter().map(Checked::outcome).max().unwrap_or(Outcome::Passed), self.inconclusive) {
            (Outcome::Inconclusive, Some(InconclusiveRule::Pass)) => Outcome::Passed,
            (Outcome::Inconclusive, Some(InconclusiveRule::Fail)) => Outcome::Failed,
            (outcome, _) => outcome,
        }
    }

    /// The number of checks with this outcome.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.checks().into_iter().filter(|check| check.outcome() == outcome).count()
    }

    /// Writes all outputs, or none. A baseline is only written if the gate passes.
    pub fn finish(&self, outputs: GateOutputs, session: &Session<'_>) -> Result<GateFinished, Error> {
        let mut sealed = Vec::new();
        if let Some(page) = &outputs.page {
            sealed.push(self.results.seal_page_with_report(page)?);
        }
        let counts = self.inconclusive.unwrap_or(InconclusiveRule::Fail);
        if let Some(mut file) = outputs.junit {
            file.write(junit::render("acidtest gate", &self.checks(), counts, &session.command).as_bytes())?;
            sealed.push(file.seal()?);
        }
        let passed = self.outcome() == Outcome::Passed;
        let baseline_kept_back = outputs.baseline.is_some() && !passed;
        let mut baseline_written = None;
        if let (Some(mut file), true) = (outputs.baseline, passed) {
            baseline_written = Some(file.name());
            file.write(baseline_file::text(&self.results)?.as_bytes())?;
            sealed.push(file.seal()?);
        }
        publish_all(sealed)?;
        let annotations = outputs.annotations.map(|AnnotationForm::Github| github(&self.checks(), counts));
        Ok(GateFinished { annotations, baseline_kept_back, baseline_written })
    }
}
