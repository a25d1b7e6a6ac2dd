//! `acidtest gate`: whether models are good enough, and no worse than they were.

use crate::flags::{RunFlags, SessionFlags};
use crate::options::refuse_same;
use crate::progress::Terminal;
use crate::show::{print_all, visible};
use crate::{Failed, Inconclusive, Refused, failed};
use acidtest_evaluate::checks::{Decided, InconclusiveRule, Outcome};
use acidtest_experiment::spec::{AnnotationForm, CheckKind, GateSpec};
use acidtest_experiment::{Error, GateFinished, GateResults, gate, shorten_names, with_column};
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Check that models are good enough, and no worse than they were
///
/// A check is of a set: `clean` (the original examples), a challenge such as `negation`, or `all`. `MODEL:SET` checks one model only, and
/// `SET/TAG=VALUE` one group of a set, such as `clean/genre=fiction`. Only the challenges that checks look at are made, unless --challenge names others.
///
/// --fail-under compares the estimated accuracy with the bound. Drops are tested: paired, exact, and corrected for all checks of the command (Holm). With 0 points
/// a significant drop fails. With a margin, a check passes where a larger drop is excluded, fails where a smaller one is, and is inconclusive otherwise.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Gate {
    /// File of a gate: checks, and the run that they are about (see docs/gate.md); flags add to it
    #[arg(long, value_name = "GATE.toml")]
    config: Option<PathBuf>,
    /// Fail if the estimated accuracy on a set is under so many percent, such as `negation=70`
    #[arg(long, value_name = "SET=PERCENT", help_heading = "Checks")]
    fail_under: Vec<String>,
    /// Fail if accuracy drops by more than so many points from the original examples to those made from them, such as `negation=5`; 0 for any
    /// significant drop
    #[arg(long, value_name = "SET=POINTS", help_heading = "Checks")]
    max_drop: Vec<String>,
    /// Fail if accuracy drops by more than so many points from the baseline, such as `all=1`; 0 for any significant drop
    #[arg(long, value_name = "SET=POINTS", help_heading = "Checks")]
    max_regression: Vec<String>,
    /// Predictions of an earlier run on the same data, which --write-baseline wrote; models are compared by their names
    #[arg(long, value_name = "FILE", help_heading = "Checks")]
    baseline: Option<PathBuf>,
    /// The model of the baseline to compare with, where this run has only one, of another name
    #[arg(long, value_name = "NAME", help_heading = "Checks")]
    baseline_model: Option<String>,
    /// Write the predictions of this run for later ones to be compared with, if the gate passes
    #[arg(long, value_name = "FILE", help_heading = "Checks")]
    write_baseline: Option<PathBuf>,
    /// What inconclusive checks count as [default: an outcome of their own, exit code 4]
    #[arg(long, value_enum, help_heading = "Checks")]
    inconclusive: Option<InconclusiveCounts>,
    /// File for the outcomes in JUnit's form; inconclusive checks are failures, or skipped with --inconclusive pass
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    junit: Option<PathBuf>,
    /// Also print checks that did not pass as annotations
    #[arg(long, value_enum, value_name = "SERVICE", help_heading = "Report")]
    annotations: Option<Annotations>,
    /// Folder for the report of the run as a page (index.html), with all examples
    #[arg(long, value_name = "FOLDER", help_heading = "Report")]
    report: Option<PathBuf>,
    #[command(flatten)]
    run: RunFlags,
    #[command(flatten)]
    session: SessionFlags,
}

const EXAMPLES: &str = "Exit codes: 0 passed; 3 failed; 4 inconclusive; 2 refused before any model was asked; 1 something else went wrong

Examples:
  acidtest gate --data dev.jsonl --model mine=process:./model.py --fail-under clean=80 --max-drop negation=5
  acidtest gate --data dev.jsonl --model mine=models/esim --write-baseline released.json
  acidtest gate --data dev.jsonl --model mine=models/new --baseline released.json --max-regression all=0 --junit gate.xml
  acidtest gate --data dev.jsonl --model mine=predictions.jsonl --fail-under clean/genre=fiction=75
  acidtest gate --config gate.toml --annotations github";

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
    /// Checks and prints.
    pub(crate) fn run(self) -> Result<()> {
        let mut spec = self.spec().map_err(Refused)?;
        let (checks, outputs) = spec.resolve().map_err(|error| Refused(error.into()))?;
        if let Some(challenges) = checks.challenges().filter(|_| !self.run.names_challenges()) {
            spec.run.challenges = challenges.to_vec();
        }
        let terminal = Terminal::new();
        let session = self.session.session(&terminal)?;
        let run = spec.run.resolve_without_models(&session).map_err(refused)?;
        let results = gate(&run, &spec.run, &checks, &session).map_err(refused)?;
        let finished = results.finish(outputs, &session)?;
        let command = session.command.clone();
        drop(terminal);
        print_all(&shown(&results, &finished, &command))?;
        outcome(&results)
    }

    /// What file and flags say together.
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
        spec.report = once("--report", spec.report, self.report.clone(), &file)?;
        spec.run = self.run.added_to(spec.run, &file)?;
        shorten_names(&mut spec.run.models);
        // What is called as it is named needs no name; a program goes by its command, as in a run.
        for model in spec.run.models.iter_mut().filter(|model| model.name.as_ref() == Some(&model.model)) {
            model.name = None;
        }
        self.refuse_inputs(&spec)?;
        Ok(spec)
    }

    /// Refuses outputs that are read, before they are begun.
    fn refuse_inputs(&self, spec: &GateSpec) -> Result<()> {
        let models = spec.run.models.iter().map(|model| with_column(&model.model).0);
        let named = self.run.inputs().chain(spec.run.data.files.clone()).chain(spec.run.evaluation.train.files.clone());
        let inputs: Vec<PathBuf> = named.chain(models).chain(spec.baseline.clone()).chain(self.config.clone()).collect();
        spec.junit.iter().chain(&spec.write_baseline).try_for_each(|output| refuse_same(&inputs, output))
    }
}

/// What the file or the flag says; not both.
fn once<T>(flag: &str, in_file: Option<T>, given: Option<T>, file: &str) -> Result<Option<T>> {
    match (in_file, given) {
        (Some(_), Some(_)) => Err(anyhow::anyhow!("{file} says it too (expected one of the two)")).context(flag.to_string()),
        (in_file, given) => Ok(given.or(in_file)),
    }
}

/// What a user can mend in the command is refused; everything else went wrong.
fn refused(error: Error) -> anyhow::Error {
    match error {
        Error::Gate { .. }
        | Error::Spec(_)
        | Error::UnknownName(_)
        | Error::UnknownModel { .. }
        | Error::Settings(_)
        | Error::SameName { .. } => Refused(error.into()).into(),
        other => failed(other),
    }
}

/// The outcome as the end of the program.
fn outcome(results: &GateResults<'_>) -> Result<()> {
    let (failed, inconclusive, all) = (results.count(Outcome::Failed), results.count(Outcome::Inconclusive), results.checks.len());
    match results.outcome() {
        Outcome::Passed => Ok(()),
        Outcome::Failed => Err(Failed(format!("the gate failed: {failed} of {} failed{}", counted(all), undecided(inconclusive))).into()),
        Outcome::Inconclusive => Err(Inconclusive(format!("the gate is inconclusive: {inconclusive} of {}", counted(all))).into()),
    }
}

fn counted(checks: usize) -> String {
    if checks == 1 { "1 check".to_string() } else { format!("{checks} checks") }
}

fn undecided(inconclusive: usize) -> String {
    if inconclusive == 0 { String::new() } else { format!(", {inconclusive} inconclusive") }
}

/// The width that sentences are wrapped at.
const WIDTH: usize = 110;

/// Pieces of text in lines of at most [`WIDTH`] letters, each after the indent.
fn filled<'t>(pieces: impl Iterator<Item = &'t str>, indent: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + piece.chars().count() <= WIDTH => line.push_str(&format!(" {piece}")),
            _ => lines.push(format!("{indent}{piece}")),
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// A paragraph.
fn wrapped(text: &str) -> String {
    filled(text.split(' '), "")
}

/// Figures, whose lines end after commas and semicolons where that is possible.
fn figures(text: &str) -> String {
    let marked = text.replace(", ", ",\n").replace("; ", ";\n");
    let is_short = |clause: &str| clause.chars().count() + FIGURES.len() <= WIDTH;
    let pieces = marked.lines().flat_map(|clause| if is_short(clause) { vec![clause] } else { clause.split(' ').collect() });
    filled(pieces, FIGURES)
}

/// What figures are indented by.
const FIGURES: &str = "              ";

/// All checks, those that did not pass first.
fn shown(results: &GateResults<'_>, finished: &GateFinished, command: &str) -> String {
    let (failed, inconclusive, all) = (results.count(Outcome::Failed), results.count(Outcome::Inconclusive), results.checks.len());
    let mut text = match (results.outcome(), all) {
        (_, 0) => "No checks.\n".to_string(),
        (outcome, _) => {
            let word = if outcome == Outcome::Inconclusive { "is inconclusive" } else { outcome.name() };
            let passed = results.count(Outcome::Passed);
            format!("The gate {word}: {passed} of {} passed, {failed} failed, {inconclusive} inconclusive\n", counted(all))
        }
    };
    let mut checks: Vec<&Decided> = results.checks.iter().collect();
    checks.sort_by_key(|check| std::cmp::Reverse(check.outcome));
    let mut last = None;
    for check in &checks {
        let head = format!("{:<12}  {}", check.outcome.name(), check.check.asked());
        // What passed needs less room.
        let space = if check.outcome == Outcome::Passed && last == Some(Outcome::Passed) { "" } else { "\n" };
        last = Some(check.outcome);
        text.push_str(&format!("{space}{head}\n{}", figures(&check.found())));
    }
    let bounds = checks.iter().any(|check| check.check.paired().is_none());
    let drops = checks.iter().any(|check| check.check.paired().is_some());
    if bounds || drops {
        text.push('\n');
    }
    if bounds {
        text.push_str(&wrapped(
            "--fail-under compares the estimate with the bound; its interval (95 %, clustered Wilson) decides nothing.",
        ));
    }
    if drops {
        text.push_str(&wrapped(
            "Drops are tested by the exact sign-flip test of clusters, one-sided, with Holm's correction over the checks of this command.",
        ));
    }
    if bounds || drops {
        text.push_str(&wrapped(&results.holds_for));
    }
    if results.count(Outcome::Passed) < all {
        text.push_str(&format!("\nReproduce: {command}\n"));
    }
    if let Some(file) = &finished.baseline_written {
        text.push_str(&format!("\nThe baseline is written to {}.\n", visible(file)));
    }
    if finished.baseline_kept_back {
        text.push_str("\nNo baseline was written, as the gate did not pass.\n");
    }
    text + finished.annotations.as_deref().unwrap_or_default()
}
