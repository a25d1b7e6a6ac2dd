//! Reports as a folder with a page, and checks for continuous integration.

use crate::Failed;
use crate::options::refuse_same;
use crate::show::ShowFlags;
use acidtest_evaluate::checks::{AccuracyBound, Check, against_baseline};
use acidtest_evaluate::report::{Report, json, junit};
use acidtest_experiment::{Results, check_page_folder, with_column};
use acidtest_files::write_file;
use anyhow::{Context, Result};
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

/// The level at which a drop below the baseline is believed.
const ALPHA: f64 = 0.05;

impl PageFlags {
    /// Refuses rules, baselines and folders that cannot work, before any model is asked.
    pub(crate) fn check(&self) -> Result<()> {
        self.bounds()?;
        self.earlier().map(|_| ())?;
        Ok(self.report.as_deref().map_or(Ok(()), check_page_folder)?)
    }

    /// Refuses to write the report or the checks over anything that is read: corpora, predictions, the baseline, models.
    pub(crate) fn check_outputs(&self, show: &ShowFlags, inputs: impl IntoIterator<Item = PathBuf>) -> Result<()> {
        let inputs: Vec<PathBuf> =
            inputs.into_iter().chain(self.baseline.clone()).map(|path| with_column(&path.to_string_lossy()).0).collect();
        show.output().into_iter().chain(self.junit.as_deref()).try_for_each(|output| refuse_same(&inputs, output))
    }

    fn earlier(&self) -> Result<Option<Report>> {
        let Some(path) = &self.baseline else { return Ok(None) };
        let text = std::fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
        Ok(Some(json::read(&text).with_context(|| path.display().to_string())?))
    }

    /// Writes the page if one was asked for, then makes the checks.
    pub(crate) fn finish(&self, results: &Results<'_>) -> Result<()> {
        if let Some(folder) = &self.report {
            results.write_page(folder)?;
        }
        self.finish_checks(&results.report)
    }

    /// The same for a report that was stored without its examples.
    pub(crate) fn finish_stored(&self, report: &Report) -> Result<()> {
        if let Some(folder) = &self.report {
            acidtest_experiment::write_page(folder, report, &[])?;
        }
        self.finish_checks(report)
    }

    fn finish_checks(&self, report: &Report) -> Result<()> {
        let checks = self.checks(report)?;
        if let Some(path) = &self.junit {
            write_file(path, junit::render("acidtest", &checks).as_bytes())?;
        }
        let failed: Vec<&Check> = checks.iter().filter(|check| !check.passed).collect();
        match failed.first() {
            None => Ok(()),
            Some(first) => {
                Err(Failed(format!("{} of {} checks failed; {}: {}", failed.len(), checks.len(), first.name, first.message)).into())
            }
        }
    }

    fn checks(&self, report: &Report) -> Result<Vec<Check>> {
        let mut checks = Vec::new();
        for bound in self.bounds()? {
            checks.extend(bound.check(&report.measurements).context("--fail-under")?);
        }
        if let Some(before) = self.earlier()? {
            let found = against_baseline(&report.measurements, &before.measurements).context("--baseline")?;
            checks.extend(found.iter().map(|found| found.check(ALPHA)));
        }
        Ok(checks)
    }

    fn bounds(&self) -> Result<Vec<AccuracyBound>> {
        self.fail_under.iter().map(|text| AccuracyBound::read(text).context("--fail-under")).collect()
    }
}
