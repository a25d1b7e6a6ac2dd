//! `acidtest gate`: checks that models are good enough and no worse than before.

use crate::exit::{Ending, failed};
use crate::flags::{RunFlags, SessionFlags};
use crate::options::refuse_same;
use crate::page::{PageFlags, PageNote};
use crate::progress::Terminal;
use crate::show::print_all;
use acidtest_evaluate::checks::{InconclusiveRule, Outcome};
use acidtest_evaluate::report::check_text;
use acidtest_experiment::spec::{AnnotationForm, CheckKind, GateSpec};
use acidtest_experiment::{Error, GateResults, PageTarget, gate, shorten_names, with_column};
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Fail the build when a model gets worse
#[derive(Args)]
#[command(long_about = include_str!("help/gate.txt"), after_long_help = include_str!("examples/gate.txt"))]
pub(crate) struct Gate {
    /// File that defines the checks and the run (see docs/gate.md); flags add to its settings
    #[arg(long, value_name = "GATE.toml")]
    config: Option<PathBuf>,
    /// Fail if the accuracy on a set is below this percentage, such as `negation=70`; may be repeated
    #[arg(long, value_name = "SET=PERCENT", help_heading = "Checks")]
    fail_under: Vec<String>,
    /// Fail if accuracy drops by more than this many points from the original to the perturbed examples, such as `negation=5`; 0 for any significant drop
    #[arg(long, value_name = "SET=POINTS", help_heading = "Checks")]
    max_drop: Vec<String>,
    /// Fail if accuracy drops by more than this many points from the baseline, such as `all=1`; 0 for any significant drop
    #[arg(long, value_name = "SET=POINTS", help_heading = "Checks")]
    max_regression: Vec<String>,
    /// Baseline written by --write-baseline on the same data; models are matched by name
    #[arg(long, value_name = "FILE", help_heading = "Checks")]
    baseline: Option<PathBuf>,
    /// Baseline model to compare with, if this run's only model has another name
    #[arg(long, value_name = "NAME", help_heading = "Checks")]
    baseline_model: Option<String>,
    /// Write the predictions of this run as a baseline, if the gate passes
    #[arg(long, value_name = "FILE", help_heading = "Checks")]
    write_baseline: Option<PathBuf>,
    /// What inconclusive checks count as [default: inconclusive, exit code 4]
    #[arg(long, value_enum, value_name = "OUTCOME", help_heading = "Checks")]
    inconclusive: Option<InconclusiveCounts>,
    /// Write the outcomes as JUnit XML; inconclusive checks are failures, or skipped with --inconclusive pass
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    junit: Option<PathBuf>,
    /// Also print checks that did not pass as annotations of a CI service
    #[arg(long, value_enum, value_name = "SERVICE", help_heading = "Report")]
    annotations: Option<Annotations>,
    #[command(flatten)]
    page: PageFlags,
    #[command(flatten)]
    run: RunFlags,
    #[command(flatten)]
    session: SessionFlags,
}

#[derive(Clone, Copy, ValueEnum)]
enum InconclusiveCounts {
    /// They do not fail the gate
    Pass,
    /// They fail the gate
    Fail,
}

#[derive(Clone, Copy, ValueEnum)]
enum Annotations {
    /// GitHub Actions
    Github,
}

impl Gate {
    pub(crate) fn run(self) -> Result<()> {
        let mut spec = self.spec().map_err(Ending::Refused)?;
        let (checks, outputs) = spec.resolve().map_err(|error| Ending::Refused(error.into()))?;
        if let Some(challenges) = checks.challenges().filter(|_| !self.run.names_challenges()) {
            spec.run.challenges = challenges.to_vec();
        }
        let terminal = Terminal::new();
        let session = self.session.session(&terminal)?;
        let run = spec.run.resolve_without_models(&session).map_err(|error| Ending::Refused(error.into()))?;
        let results = gate(&run, &spec.run, &checks, &session).map_err(refused)?;
        let note = PageNote::before(outputs.page().map(PageTarget::index));
        let finished = results.finish(outputs, &session)?;
        let command = session.command.clone();
        drop(terminal);
        print_all(&results.text(&finished, &command))?;
        note.say();
        outcome(&results)
    }

    /// The spec made from the file and the flags.
    fn spec(&self) -> Result<GateSpec> {
        let file = self.config.as_deref().map(|path| path.display().to_string()).unwrap_or_default();
        let mut spec = self.config.as_deref().map(GateSpec::read).transpose()?.unwrap_or_default();
        let checks = [
            (CheckKind::FailUnder, &self.fail_under),
            (CheckKind::MaxDrop, &self.max_drop),
            (CheckKind::MaxRegression, &self.max_regression),
        ];
        for (kind, texts) in checks {
            texts.iter().try_for_each(|text| spec.add_check(kind, text))?;
        }
        spec.baseline = once("--baseline", spec.baseline, self.baseline.clone(), &file)?;
        spec.baseline_model = once("--baseline-model", spec.baseline_model, self.baseline_model.clone(), &file)?;
        spec.write_baseline = once("--write-baseline", spec.write_baseline, self.write_baseline.clone(), &file)?;
        let inconclusive = self.inconclusive.map(|counts| match counts {
            InconclusiveCounts::Pass => InconclusiveRule::Pass,
            InconclusiveCounts::Fail => InconclusiveRule::Fail,
        });
        spec.inconclusive = once("--inconclusive", spec.inconclusive, inconclusive, &file)?;
        spec.junit = once("--junit", spec.junit, self.junit.clone(), &file)?;
        let annotations = self.annotations.map(|Annotations::Github| AnnotationForm::Github);
        spec.annotations = once("--annotations", spec.annotations, annotations, &file)?;
        let (page, form) = self.page.target().map(|page| (page.path, page.form)).unzip();
        spec.report_form = form.unwrap_or(spec.report_form);
        spec.report = once("--report", spec.report, page, &file)?;
        spec.run = self.run.added_to(spec.run, &file)?;
        shorten_names(&mut spec.run.models);
        // An unnamed program is named after its command, as in a run.
        for model in spec.run.models.iter_mut().filter(|model| model.name.as_ref() == Some(&model.model)) {
            model.name = None;
        }
        self.refuse_inputs(&spec)?;
        Ok(spec)
    }

    /// Refuses outputs that are also inputs, before anything is written.
    fn refuse_inputs(&self, spec: &GateSpec) -> Result<()> {
        let models = spec.run.models.iter().map(|model| with_column(&model.model).0);
        let named = self.run.inputs().chain(spec.run.data.files.clone()).chain(spec.run.evaluation.train.files.clone());
        let inputs: Vec<PathBuf> = named.chain(models).chain(spec.baseline.clone()).chain(self.config.clone()).collect();
        spec.junit.iter().chain(&spec.write_baseline).try_for_each(|output| refuse_same(&inputs, output))
    }
}

/// The value from the file or from the flag; both is an error.
fn once<T>(flag: &str, in_file: Option<T>, given: Option<T>, file: &str) -> Result<Option<T>> {
    match (in_file, given) {
        (Some(_), Some(_)) => Err(anyhow::anyhow!("also set in {file}; remove one of the two")).context(flag.to_string()),
        (in_file, given) => Ok(given.or(in_file)),
    }
}

/// Maps errors to exits: problems found before any model was queried are usage errors, labels in the wrong order stop the gate, and the rest are errors.
fn refused(error: Error) -> anyhow::Error {
    match error {
        Error::BeforeAsking(error) => Ending::Refused((*error).into()).into(),
        Error::WrongOrder { .. } => Ending::Stopped(failed(error, 1).to_string()).into(),
        other => other.into(),
    }
}

/// The outcome as an exit.
fn outcome(results: &GateResults<'_>) -> Result<()> {
    let summary = check_text::summary(&results.checks(), results.outcome());
    match results.outcome() {
        Outcome::Passed => Ok(()),
        Outcome::Failed => Err(Ending::Failed(summary).into()),
        Outcome::Inconclusive => Err(Ending::Inconclusive(summary).into()),
    }
}
