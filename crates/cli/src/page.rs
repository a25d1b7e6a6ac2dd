//! Reports as a folder with a page, and checks for continuous integration.

use crate::Failed;
use crate::lexical::{Lexical, with_band};
use crate::options::refuse_same;
use crate::predictions::with_column;
use crate::show::ShowFlags;
use acidtest_evaluate::checks::{AccuracyBound, Check, against_baseline};
use acidtest_evaluate::report::html::{BrowserRow, Folder};
use acidtest_evaluate::report::{Report, json, junit};
use acidtest_evaluate::{Judged, Outcome};
use acidtest_files::{OutputFolder, write_file};
use acidtest_nli::Example;
use anyhow::{Context, Result, bail};
use clap::Args;
use std::path::{Path, PathBuf};

/// The page and the checks.
#[derive(Args)]
pub struct PageFlags {
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

/// Rows of one set with one model's answers, for the page.
pub struct PageRows<'a> {
    /// The set, and the model where there are several.
    pub set: String,
    /// The rows.
    pub examples: &'a [Example<'static>],
    /// The same rows, judged.
    pub judged: &'a Judged<'a>,
    /// What words alone say of them, where a lexical model was given.
    pub lexical: Option<&'a Lexical>,
}

/// What our own pages say of themselves.
const GENERATOR: &str = "name=\"generator\" content=\"acidtest\"";

/// The level at which a drop below the baseline is believed.
const ALPHA: f64 = 0.05;

impl PageFlags {
    /// Refuses rules, baselines and folders that cannot work, before any model is asked.
    pub fn check(&self) -> Result<()> {
        self.bounds()?;
        self.earlier().map(|_| ())?;
        self.report.as_deref().map_or(Ok(()), check_folder)
    }

    /// Refuses to write the report or the checks over anything that is read: corpora, predictions, the baseline, models.
    pub fn check_outputs(&self, show: &ShowFlags, inputs: impl IntoIterator<Item = PathBuf>) -> Result<()> {
        let inputs: Vec<PathBuf> = inputs.into_iter().chain(self.baseline.clone()).map(|path| with_column(&path).0).collect();
        show.output().into_iter().chain(self.junit.as_deref()).try_for_each(|output| refuse_same(&inputs, output))
    }

    fn earlier(&self) -> Result<Option<Report>> {
        let Some(path) = &self.baseline else { return Ok(None) };
        let text = std::fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
        Ok(Some(json::read(&text).with_context(|| path.display().to_string())?))
    }

    /// Writes the page if one was asked for, then makes the checks.
    pub fn finish(&self, report: &Report, rows: &[PageRows<'_>]) -> Result<()> {
        if let Some(folder) = &self.report {
            write_folder(folder, |sink| {
                let mut page = Folder::new(report, sink);
                for part in rows {
                    for (n, example) in part.examples.iter().enumerate() {
                        let misled = part.lexical.map_or(Ok(None), |lexical| lexical.misled(n, example))?;
                        let tags = misled.as_ref().map_or_else(|| example.tags.clone(), |misled| with_band(&example.tags, misled));
                        page.add(BrowserRow { tags: &tags, misled: misled.as_ref(), ..browser_row(part, n, example) })?;
                    }
                }
                page.finish()
            })?;
        }
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

fn browser_row<'a>(part: &'a PageRows<'_>, n: usize, example: &'a Example<'static>) -> BrowserRow<'a> {
    let outcome: Option<Outcome> = part.judged.outcomes[n];
    let prediction = part.judged.joined.predictions[n];
    BrowserRow {
        set: &part.set,
        id: &example.pair.id,
        premise: &example.pair.premise.text,
        hypothesis: &example.pair.hypothesis.text,
        gold: example.gold,
        answer: prediction.map(|prediction| prediction.answer),
        right: outcome.map(Outcome::is_right),
        scores: prediction.and_then(|prediction| prediction.scores),
        tags: &example.tags,
        changes: &example.changes,
        misled: None,
    }
}

/// Fills a folder that appears whole or not at all; an older report in its place is replaced.
pub fn write_folder(folder: &Path, fill: impl FnOnce(&mut dyn FnMut(&str, &[u8]) -> Result<()>) -> Result<()>) -> Result<()> {
    check_folder(folder)?;
    let output = OutputFolder::create(folder)?;
    fill(&mut |name, bytes| Ok(output.write(name, bytes)?))?;
    Ok(output.finish()?)
}

/// Refuses a folder that holds anything but an older report of ours.
pub fn check_folder(folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    let page = std::fs::read_to_string(folder.join("index.html")).unwrap_or_default();
    let empty = folder.is_dir() && std::fs::read_dir(folder)?.next().is_none();
    if empty || page.contains(GENERATOR) {
        return Ok(());
    }
    bail!("{}: is there already and is no report (expected a new or empty folder)", folder.display())
}
