//! Whether models are good enough: a run whose outcome passes, fails, or cannot be told.
//!
//! What a gate asks is looked at before any model is asked: sets, groups, models and baselines that do not fit are refused.

mod baseline_file;
mod choice;
mod plan;
mod problem;

pub use baseline_file::read_baseline;
pub use problem::GateProblem;

pub(crate) use choice::SetChoice;

use crate::error::Error;
use crate::models::NamedModel;
use crate::page::PageTarget;
use crate::results::{Results, judge_all, scoring_rules};
use crate::run::run_made;
use crate::session::Session;
use crate::sets::{MadeSets, ORIGINAL, TestSet, items_of_all, make_all};
use crate::spec::{AnnotationForm, CheckKind, ResolvedRun, RunSpec};
use crate::visible::visible;
use acidtest_evaluate::analysis::{AnalysisError, Testing, perturbation};
use acidtest_evaluate::baseline::{Baseline, decode};
use acidtest_evaluate::checks::{
    Check, CheckedRows, Decided, Evidence, InconclusiveRule, Outcome, Rule, against_answers, against_parents, decide,
};
use acidtest_evaluate::report::annotations::github;
use acidtest_evaluate::report::{check_text, junit};
use acidtest_evaluate::{Generalisation, Judged, Scoring};
use acidtest_files::{Output, publish_all};
use plan::PlannedCheck;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What is asked of the models of a run.
pub struct GateChecks {
    /// The checks: what kind, of what, and the rule.
    pub(crate) checks: Vec<(CheckKind, String, Rule)>,
    /// The file and what is in it.
    pub(crate) baseline: Option<(String, Baseline)>,
    /// The model of the baseline that the only model of the run is compared with.
    pub(crate) baseline_model: Option<String>,
    /// What inconclusive checks count as.
    pub(crate) inconclusive: Option<InconclusiveRule>,
    /// The challenges that the checks look at, where not all are to be made.
    pub(crate) choices: Option<Vec<String>>,
}

/// Where the outcomes go; files are begun before any model is asked.
pub struct GateOutputs {
    pub(crate) junit: Option<Output>,
    pub(crate) baseline: Option<Output>,
    pub(crate) page: Option<PathBuf>,
    pub(crate) annotations: Option<AnnotationForm>,
}

/// What came of a gate.
pub struct GateResults<'d> {
    /// The run.
    pub results: Results<'d>,
    /// The checks, in the order of their kinds.
    pub checks: Vec<Decided>,
    /// What inconclusive checks count as.
    pub inconclusive: Option<InconclusiveRule>,
    /// What intervals and p values hold for, in one sentence.
    pub holds_for: String,
    /// How predictions are scored against gold, in one sentence.
    pub scored_by: String,
}

/// What was written, and what is to be printed.
pub struct GateFinished {
    /// Annotations, line by line.
    pub annotations: Option<String>,
    /// Whether a baseline was asked for and not written, as the gate did not pass.
    pub baseline_kept_back: bool,
    /// The file that a baseline was written to.
    pub baseline_written: Option<String>,
}

impl GateChecks {
    /// The challenges that the checks look at, where not all are to be made.
    pub fn challenges(&self) -> Option<&[String]> {
        self.choices.as_deref()
    }
}

/// Makes the sets, refuses checks that do not fit them, opens and asks the models, and decides. The run has no models yet: a gate that is refused starts none.
pub fn gate<'d>(run: &'d ResolvedRun, spec: &RunSpec, checks: &GateChecks, session: &Session<'_>) -> Result<GateResults<'d>, Error> {
    let (made, planned, models) = before_asking(run, spec, checks, session).map_err(|error| match error {
        Error::Cancelled(cancelled) => Error::Cancelled(cancelled),
        other => Error::BeforeAsking(Box::new(other)),
    })?;
    let results = run_made(made, (&run.data, &models, &run.challenges, &run.rules), session)?;
    let (found, holds_for, scored_by) = {
        let items = items_of_all(&results.sets, &run.rules.clusters);
        let judged = judge_all(&results.sets, &items, &results.predictions, (results.missing, results.scoring))?;
        let names: Vec<&str> = results.predictions.iter().map(|model| model.name.as_str()).collect();
        let checked: BTreeSet<usize> = planned.iter().map(|check| check.set).collect();
        let own = judged.first().map(|sets| Generalisation::of(checked.iter().map(|&set| &sets[set])));
        let found = planned.iter().map(|check| found(check, checks, &results.sets, &names, &judged)).collect::<Result<Vec<_>, _>>()?;
        let scored_by = scored_by(&checked, &results);
        (found, own.map(|own| own.sentence_of_sets()).unwrap_or_default(), scored_by)
    };
    let checks_decided = decide(found).map_err(AnalysisError::from)?;
    Ok(GateResults { results, checks: checks_decided, inconclusive: checks.inconclusive, holds_for, scored_by })
}

/// Everything that a gate needs before a model is asked.
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

/// How the sets that are checked are scored; those with another rule than the first are named.
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

/// A check with what it rests on.
fn found(
    planned: &PlannedCheck,
    checks: &GateChecks,
    sets: &[TestSet<'_>],
    names: &[&str],
    judged: &[Vec<Judged<'_>>],
) -> Result<Check, Error> {
    let own = &judged[planned.model];
    let group = planned.group.as_ref().map(|(tag, value)| (tag.as_str(), value.as_str()));
    let rows = CheckedRows { judged: &own[planned.set], group };
    let paired = |found| Evidence::Paired(Box::new(found));
    let evidence = match planned.rule {
        Rule::FailUnder(_) => Evidence::Accuracy(rows.accuracy()),
        Rule::MaxDrop(_) => {
            let mut found = against_parents(rows, &own[0]).map_err(AnalysisError::from)?;
            found.meaningless = perturbation::no_better_than_majority(&own[0], &Testing::default())?.map(|why| {
                let accuracy = 100.0 * CheckedRows { judged: &own[0], group: None }.accuracy().proportion().rate().unwrap_or(0.0);
                format!("its accuracy on {ORIGINAL} is {accuracy:.1} %, {why}")
            });
            paired(found)
        }
        Rule::MaxRegression(_) => {
            let answers = checks.baseline.as_ref().and_then(|(_, baseline)| {
                let model = baseline.model(planned.earlier.as_deref()?)?;
                model.answers.get(sets[planned.set].name())
            });
            let answers = answers.map_or("", String::as_str);
            paired(against_answers(rows, &decode(&sets[planned.set].examples, answers)).map_err(AnalysisError::from)?)
        }
    };
    Ok(Check { rule: planned.rule, model: names[planned.model].to_string(), set: planned.place(sets), evidence })
}

impl GateResults<'_> {
    /// The checks for people, and what became of the outputs; `command` gives the same again.
    pub fn text(&self, finished: &GateFinished, command: &str) -> String {
        let mut text = check_text::render(&self.checks, self.outcome(), &[&self.scored_by, &self.holds_for], command);
        if let Some(file) = &finished.baseline_written {
            let sets: Vec<String> =
                self.results.sets.iter().map(|set| format!("  {} ({} examples)\n", set.name(), set.examples.len())).collect();
            text.push_str(&format!("\nThe baseline was written to {}, with predictions for\n{}", visible(file), sets.concat()));
        }
        if finished.baseline_kept_back {
            text.push_str("\nNo baseline was written because the gate did not pass.\n");
        }
        text + finished.annotations.as_deref().unwrap_or_default()
    }

    /// The outcome of all checks together.
    pub fn outcome(&self) -> Outcome {
        match (self.checks.iter().map(|check| check.outcome).max().unwrap_or(Outcome::Passed), self.inconclusive) {
            (Outcome::Inconclusive, Some(InconclusiveRule::Pass)) => Outcome::Passed,
            (Outcome::Inconclusive, Some(InconclusiveRule::Fail)) => Outcome::Failed,
            (outcome, _) => outcome,
        }
    }

    /// How many checks have this outcome.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.checks.iter().filter(|check| check.outcome == outcome).count()
    }

    /// Writes everything that was asked for; all of it appears, or none. A baseline is written where the gate passes.
    pub fn finish(&self, outputs: GateOutputs, session: &Session<'_>) -> Result<GateFinished, Error> {
        let mut sealed = Vec::new();
        if let Some(folder) = &outputs.page {
            sealed.push(self.results.seal_page(&PageTarget::folder(folder))?);
        }
        let counts = self.inconclusive.unwrap_or(InconclusiveRule::Fail);
        if let Some(mut file) = outputs.junit {
            file.write(junit::render("acidtest gate", &self.checks, counts, &session.command).as_bytes())?;
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
        let annotations = outputs.annotations.map(|AnnotationForm::Github| github(&self.checks, counts));
        Ok(GateFinished { annotations, baseline_kept_back, baseline_written })
    }
}
