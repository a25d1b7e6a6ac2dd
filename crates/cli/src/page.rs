//! Reports as a folder with a page, and checks for continuous integration.

use crate::Failed;
use crate::options::refuse_same;
use crate::show::{ShowFlags, print_text, screen};
use acidtest_evaluate::checks::Check;
use acidtest_evaluate::report::Report;
use acidtest_experiment::spec::ReportSpec;
use acidtest_experiment::{ReportTarget, Results, with_column};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// The page and the checks.
#[derive(Args)]
pub(crate) struct PageFlags {
    /// Folder for the report as a page (index.html), with all examples
    #[arg(long, value_name = "FOLDER", help_heading = "Report")]
    report: Option<PathBuf>,
    /// Fail with exit code 3 if an accuracy is under this, such as `negation=0.7` (all models) or `clean=85%`
    #[arg(long, value_name = "SET=ACCURACY", help_heading = "Checks")]
    fail_under: Vec<String>,
    /// Fail with exit code 3 if a rate is significantly lower than in this earlier report (made with --format json)
    #[arg(long, value_name = "REPORT.json", help_heading = "Checks")]
    baseline: Option<PathBuf>,
    /// File for the checks in JUnit's form
    #[arg(long, value_name = "FILE", help_heading = "Checks")]
    junit: Option<PathBuf>,
}

impl PageFlags {
    /// What the flags say, with how the report is shown; rules, baselines and folders that cannot work are refused before any model is
    /// asked, and so are files for the report or the checks that are read: corpora, predictions, the baseline, models.
    pub(crate) fn resolve(&self, show: &ShowFlags, inputs: impl IntoIterator<Item = PathBuf>) -> Result<ReportTarget> {
        let spec = ReportSpec {
            page: self.report.clone(),
            fail_under: self.fail_under.clone(),
            baseline: self.baseline.clone(),
            junit: self.junit.clone(),
            ..show.spec()
        };
        let target = spec.resolve()?;
        let inputs: Vec<PathBuf> =
            inputs.into_iter().chain(self.baseline.clone()).map(|path| with_column(&path.to_string_lossy()).0).collect();
        show.output().into_iter().chain(self.junit.as_deref()).try_for_each(|output| refuse_same(&inputs, output))?;
        Ok(target)
    }
}

/// Makes the checks, writes report, page and checks together, and shows what goes to no file.
pub(crate) fn finish(target: &ReportTarget, results: &Results<'_>) -> Result<()> {
    let finished = target.finish(results, screen(target.output.as_deref()))?;
    print_text(finished.shown)?;
    fail(&finished.checks)
}

/// The same for a report whose examples are not at hand.
pub(crate) fn finish_stored(target: &ReportTarget, report: &Report) -> Result<()> {
    let finished = target.finish_stored(report, screen(target.output.as_deref()))?;
    print_text(finished.shown)?;
    fail(&finished.checks)
}

/// Fails if a check does, and says which.
fn fail(checks: &[Check]) -> Result<()> {
    let failed: Vec<&Check> = checks.iter().filter(|check| !check.passed).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let told: Vec<String> = failed.iter().map(|check| format!("{}: {}", check.name, check.message)).collect();
    Err(Failed(format!("{} of {} checks failed\n  {}", failed.len(), checks.len(), told.join("\n  "))).into())
}
