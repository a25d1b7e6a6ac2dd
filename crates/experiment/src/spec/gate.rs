//! Gates: a run and its checks.

use super::{ALL, RunSpec, SpecError};
use crate::error::Error;
use crate::gate::{GateChecks, GateOutputs, GateProblem, SetChoice, read_baseline};
use crate::page::PageTarget;
use acidtest_challenge::{CATALOG, Need};
use acidtest_evaluate::baseline::Baseline;
use acidtest_evaluate::checks::{InconclusiveRule, Rule};
use acidtest_evaluate::report::html::PageForm;
use acidtest_files::{FileError, Output, note_read};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A run and its checks. A check applies to `[MODEL:]SET[/TAG=VALUE]`, where the set `all` means every set.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GateSpec {
    /// Minimum accuracies, in percent.
    pub fail_under: BTreeMap<String, f64>,
    /// Maximum drops from the original to the perturbed examples, in points; 0 means no margin.
    pub max_drop: BTreeMap<String, f64>,
    /// Maximum drops from the baseline, in points; 0 means no margin.
    pub max_regression: BTreeMap<String, f64>,
    /// The predictions of an earlier run.
    pub baseline: Option<PathBuf>,
    /// The model of the baseline to compare the only model of the run with [default: the one of the same name].
    pub baseline_model: Option<String>,
    /// File for the predictions of this run; only written if the gate passes.
    pub write_baseline: Option<PathBuf>,
    /// What inconclusive checks count as [default: an outcome of their own].
    pub inconclusive: Option<InconclusiveRule>,
    /// File for the outcomes as JUnit XML.
    pub junit: Option<PathBuf>,
    /// The CI service for which annotations are written.
    pub annotations: Option<AnnotationForm>,
    /// Folder for the report of the run as a page with all examples.
    pub report: Option<PathBuf>,
    /// Whether the examples are in files beside that page or inside it; a single file may be named itself, with the ending `.html`.
    pub report_form: PageForm,
    /// The run. If its challenges are `all`, only those that the checks need are made.
    pub run: RunSpec,
}

/// The CI service of annotations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AnnotationForm {
    /// Those of GitHub Actions.
    Github,
}

/// The three kinds of checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckKind {
    /// A minimum accuracy.
    FailUnder,
    /// A maximum drop from the original examples.
    MaxDrop,
    /// A maximum drop from the baseline.
    MaxRegression,
}

impl CheckKind {
    const ALL: [CheckKind; 3] = [CheckKind::FailUnder, CheckKind::MaxDrop, CheckKind::MaxRegression];

    /// The field of the spec.
    pub(crate) fn field(self) -> &'static str {
        match self {
            CheckKind::FailUnder => "gate.fail_under",
            CheckKind::MaxDrop => "gate.max_drop",
            CheckKind::MaxRegression => "gate.max_regression",
        }
    }

    fn expected(self) -> &'static str {
        match self {
            CheckKind::FailUnder => "SET=PERCENT, such as negation=70: above 1 and at most 100 (0.7 would be 0.7 %)",
            CheckKind::MaxDrop => "SET=POINTS, such as negation=5: at least 0 (no significant drop) and below 100",
            CheckKind::MaxRegression => "SET=POINTS, such as original=1.5: at least 0 (no significant drop) and below 100",
        }
    }

    fn rule(self, number: f64) -> Option<Rule> {
        match self {
            // A share given instead of a percentage would make a check that never fails.
            CheckKind::FailUnder => (number > 1.0 && number <= 100.0).then_some(Rule::FailUnder(number)),
            CheckKind::MaxDrop => (0.0..100.0).contains(&number).then_some(Rule::MaxDrop(number.abs())),
            CheckKind::MaxRegression => (0.0..100.0).contains(&number).then_some(Rule::MaxRegression(number.abs())),
        }
    }
}

/// The largest gate file that is read.
const LARGEST_FILE: u64 = 1 << 20;

impl GateSpec {
    /// Reads a gate from a TOML file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let file_error = |source| Error::File { path: path.display().to_string(), source };
        note_read(path);
        let mut text = String::new();
        File::open(path).and_then(|file| file.take(LARGEST_FILE + 1).read_to_string(&mut text)).map_err(file_error)?;
        if text.len() as u64 > LARGEST_FILE {
            return Err(file_error(std::io::Error::other("the file is larger than 1 MB; is it a gate.toml?")));
        }
        toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
            let message = error.message().replace('\n', " ");
            GateProblem::File { path: path.display().to_string(), line, message }.at("gate")
        })
    }

    /// Adds a check, `[MODEL:]SET[/TAG=VALUE]=NUMBER`.
    pub fn add_check(&mut self, kind: CheckKind, text: &str) -> Result<(), Error> {
        let wrong = || SpecError::new(kind.field(), text, kind.expected());
        let (key, number) = text.rsplit_once('=').ok_or_else(wrong)?;
        let number: f64 = number.trim().trim_end_matches('%').trim_end().parse().map_err(|_| wrong())?;
        let checks = match kind {
            CheckKind::FailUnder => &mut self.fail_under,
            CheckKind::MaxDrop => &mut self.max_drop,
            CheckKind::MaxRegression => &mut self.max_regression,
        };
        match checks.insert(key.trim().to_string(), number) {
            Some(other) => Err(GateProblem::GivenTwice { key: key.to_string(), first: other, second: number }.at(kind.field())),
            None => Ok(()),
        }
    }

    fn checks(&self, kind: CheckKind) -> &BTreeMap<String, f64> {
        match kind {
            CheckKind::FailUnder => &self.fail_under,
            CheckKind::MaxDrop => &self.max_drop,
            CheckKind::MaxRegression => &self.max_regression,
        }
    }

    /// Resolves everything except the run: reads the checks and the baseline, validates them, and creates the output files.
    pub fn resolve(&self) -> Result<(GateChecks, GateOutputs), Error> {
        let mut checks = Vec::new();
        for kind in CheckKind::ALL {
            for (key, number) in self.checks(kind) {
                let wrong = || SpecError::new(kind.field(), format!("{key}={number}"), kind.expected());
                let rule = kind.rule(*number).filter(|_| !key.is_empty()).ok_or_else(wrong)?;
                checks.push((kind, key.clone(), rule));
            }
        }
        self.refuse_unused()?;
        let baseline =
            self.baseline.as_deref().map(|path| Ok::<_, Error>((path.display().to_string(), read_baseline(path)?))).transpose()?;
        let choices = self.set_choices(baseline.as_ref().map(|(_, baseline)| baseline))?;
        let checks = GateChecks { checks, baseline, baseline_model: self.baseline_model.clone(), inconclusive: self.inconclusive, choices };
        Ok((checks, self.outputs()?))
    }

    /// Refuses a gate without checks, and options that no check uses.
    fn refuse_unused(&self) -> Result<(), Error> {
        let regressions = !self.max_regression.is_empty();
        let any = regressions || !self.fail_under.is_empty() || !self.max_drop.is_empty();
        match self {
            GateSpec { baseline: None, .. } if regressions => Err(GateProblem::NoBaseline.at("gate.max_regression")),
            GateSpec { baseline: Some(_), .. } if !regressions => Err(GateProblem::NoRegressions.at("gate.baseline")),
            GateSpec { baseline_model: Some(_), .. } if !regressions => Err(GateProblem::NoRegressions.at("gate.baseline_model")),
            GateSpec { junit: Some(_), .. } if !any => Err(GateProblem::NothingToCheck.at("gate.junit")),
            GateSpec { annotations: Some(_), .. } if !any => Err(GateProblem::NothingToCheck.at("gate.annotations")),
            GateSpec { inconclusive: Some(_), .. } if !any => Err(GateProblem::NothingToCheck.at("gate.inconclusive")),
            GateSpec { write_baseline: None, .. } if !any => Err(GateProblem::NothingToCheck.at("gate")),
            GateSpec { report: None, report_form: PageForm::SingleFile, .. } => Err(GateProblem::OnlyInReport.at("gate.report_form")),
            GateSpec { report: None, run, .. } if !run.evaluation.by.is_empty() => Err(GateProblem::OnlyInReport.at("evaluation.by")),
            GateSpec { report: None, run, .. } if !run.evaluation.train.files.is_empty() => {
                Err(GateProblem::OnlyInReport.at("evaluation.train"))
            }
            _ => Ok(()),
        }
    }

    /// The challenges that the checks need. Sets that no challenge of the run can make are refused.
    fn set_choices(&self, baseline: Option<&Baseline>) -> Result<Option<Vec<String>>, Error> {
        let chosen = SetChoice::of_run(&self.run)?;
        let mut names = Vec::new();
        for kind in CheckKind::ALL {
            for key in self.checks(kind).keys() {
                let sets = baseline.filter(|_| kind == CheckKind::MaxRegression);
                names.extend(chosen.challenges(kind, key, sets).map_err(|problem| problem.at(kind.field()))?);
            }
        }
        let any = CheckKind::ALL.iter().any(|kind| !self.checks(*kind).is_empty());
        let is_narrowed = any && self.run.challenges == [ALL];
        let needs_model = |name: &&String| CATALOG.get(name).is_some_and(|entry| entry.needs.contains(&Need::LexicalModel));
        if is_narrowed && self.report.is_none() && self.run.evaluation.lexical.is_some() && !names.iter().any(|name| needs_model(&name)) {
            return Err(GateProblem::OnlyInReport.at("evaluation.lexical"));
        }
        let wanted = CATALOG.names().into_iter().filter(|name| names.iter().any(|other| other == name));
        Ok(is_narrowed.then(|| wanted.map(str::to_string).collect()))
    }

    fn outputs(&self) -> Result<GateOutputs, Error> {
        let begin = |path: &Option<PathBuf>, field: &'static str| -> Result<Option<Output>, Error> {
            let Some(path) = path else { return Ok(None) };
            if path.as_os_str() == "-" {
                return Err(SpecError::new(field, "-", "a file, because the outcomes are printed on standard output").into());
            }
            Ok(Some(Output::create(path)?))
        };
        if let Some(path) =
            self.write_baseline.as_ref().filter(|path| path.extension().is_some_and(|ending| ending == "gz" || ending == "zst"))
        {
            let expected = "a name without .gz or .zst, because baselines are not compressed";
            return Err(SpecError::new("gate.write_baseline", path.display().to_string(), expected).into());
        }
        if let (Some(first), Some(second)) = (&self.junit, &self.write_baseline)
            && first == second
        {
            return Err(FileError::WrittenTwice { path: first.display().to_string() }.into());
        }
        let page = self.report.clone().map(|path| PageTarget { path, form: self.report_form });
        page.as_ref().map_or(Ok(()), PageTarget::check_writable)?;
        Ok(GateOutputs {
            junit: begin(&self.junit, "gate.junit")?,
            baseline: begin(&self.write_baseline, "gate.write_baseline")?,
            page,
            annotations: self.annotations,
        })
    }
}
