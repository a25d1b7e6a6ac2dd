//! Where reports go: a file or the front end, a page, and checks for continuous integration.

use crate::error::Error;
use crate::page::seal_page;
use crate::results::Results;
use crate::spec::{ReportFormat, ReportSections};
use acidtest_evaluate::checks::{AccuracyBound, Check, against_baseline};
use acidtest_evaluate::report::terminal::TerminalStyle;
use acidtest_evaluate::report::{Report, csv, json, junit, latex, markdown, terminal};
use acidtest_files::{FileError, Output, Sealed, note_read, publish_all, write_file};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What a [`ReportSpec`](crate::spec::ReportSpec) says, resolved.
pub struct ReportTarget {
    /// The form.
    pub format: ReportFormat,
    /// Which sections the text has.
    pub sections: ReportSections,
    /// The file; without one the front end shows the text.
    pub output: Option<PathBuf>,
    /// The folder of the page.
    pub page: Option<PathBuf>,
    /// Least accuracies.
    pub bounds: Vec<AccuracyBound>,
    /// The report that this one is checked against.
    pub baseline: Option<Report>,
    /// File for the checks in JUnit's form.
    pub junit: Option<PathBuf>,
}

/// How text is laid out where it is shown.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    /// Columns.
    pub width: usize,
    /// With or without colours.
    pub style: TerminalStyle,
}

/// The level at which a drop below the baseline is believed.
const ALPHA: f64 = 0.05;

impl ReportTarget {
    /// Writes a report to its file; without one, gives the text for the front end to show.
    pub fn write(&self, report: &Report, screen: Screen) -> Result<Option<String>, Error> {
        let text = self.render(report, screen);
        let Some(path) = &self.output else { return Ok(Some(text)) };
        write_file(path, text.as_bytes())?;
        Ok(None)
    }

    /// Makes the checks and writes everything that was asked for: the report, the page with all examples, the checks; all of them appear, or none.
    ///
    /// Text has only the main sections, unless all were asked for.
    pub fn finish(&self, results: &Results<'_>, screen: Screen) -> Result<Finished, Error> {
        let page = self.page.as_deref().map(|folder| results.seal_page(folder)).transpose()?;
        if self.sections == ReportSections::All || self.format != ReportFormat::Terminal {
            return self.publish(&results.report, self.render(&results.report, screen), page);
        }
        let mut short = results.report.clone();
        short.sections.retain(|section| !(results.is_detail)(&section.id));
        self.publish(&results.report, self.render(&short, screen), page)
    }

    /// The same for a report whose examples are not at hand.
    pub fn finish_stored(&self, report: &Report, screen: Screen) -> Result<Finished, Error> {
        let page = self.page.as_deref().map(|folder| seal_page(folder, report, &[])).transpose()?;
        self.publish(report, self.render(report, screen), page)
    }

    fn publish(&self, report: &Report, text: String, page: Option<Sealed>) -> Result<Finished, Error> {
        let checks = self.checks(report)?;
        let mut sealed = Vec::from_iter(page);
        let shown = match &self.output {
            Some(path) => {
                sealed.push(seal_text(path, &text)?);
                None
            }
            None => Some(text),
        };
        if let Some(path) = &self.junit {
            sealed.push(seal_text(path, &junit::render("acidtest", &checks))?);
        }
        publish_all(sealed)?;
        Ok(Finished { shown, checks })
    }

    fn render(&self, report: &Report, screen: Screen) -> String {
        match self.format {
            ReportFormat::Terminal => terminal::render(report, screen.width, screen.style),
            ReportFormat::Json => json::render(report),
            ReportFormat::Csv => csv::render(report),
            ReportFormat::Markdown => markdown::render(report),
            ReportFormat::Latex => latex::render(report),
        }
    }

    fn checks(&self, report: &Report) -> Result<Vec<Check>, Error> {
        let mut checks = Vec::new();
        for bound in &self.bounds {
            checks.extend(bound.check(&report.measurements).map_err(|source| Error::Check { field: "report.fail_under", source })?);
        }
        if let Some(before) = &self.baseline {
            let found = against_baseline(&report.measurements, &before.measurements);
            let found = found.map_err(|source| Error::Check { field: "report.baseline", source })?;
            checks.extend(found.iter().map(|found| found.check(ALPHA)));
        }
        Ok(checks)
    }
}

/// What came of a report that was written.
pub struct Finished {
    /// The text, where it goes to no file.
    pub shown: Option<String>,
    /// What the checks found.
    pub checks: Vec<Check>,
}

fn seal_text(path: &Path, text: &str) -> Result<Sealed, FileError> {
    let mut output = Output::create(path)?;
    output.write(text.as_bytes())?;
    output.seal()
}

fn read_small(path: &Path, megabytes: u64) -> std::io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take((megabytes << 20) + 1).read_to_string(&mut text)?;
    if text.len() as u64 > megabytes << 20 {
        return Err(std::io::Error::other(format!("the file is larger than {megabytes} MB (is this a report?)")));
    }
    Ok(text)
}

/// The largest report that is read.
const LARGEST_REPORT_MB: u64 = 64;

/// Reads a report that was written in JSON.
pub fn read_report(path: &Path) -> Result<Report, Error> {
    let name = || path.display().to_string();
    note_read(path);
    let text = read_small(path, LARGEST_REPORT_MB).map_err(|source| Error::File { path: name(), source })?;
    json::read(&text).map_err(|source| Error::Report { path: name(), source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use crate::spec::{ModelSpec, ReportSpec, RunSpec};

    #[test]
    fn a_report_is_written_and_checked() {
        let (folder, session) = (tempfile::tempdir().unwrap(), Session::quiet().unwrap());
        let run = RunSpec { models: vec![ModelSpec::parse("overlap")], challenges: vec!["negation".to_string()], ..RunSpec::default() };
        let run = run.resolve(&session).unwrap();
        let results = run.run(&session).unwrap();
        let screen = Screen { width: 120, style: TerminalStyle::Plain };
        let (stored, checks) = (folder.path().join("report.json"), folder.path().join("checks.xml"));
        let target = |spec: ReportSpec| spec.resolve().unwrap();

        let file = target(ReportSpec { format: ReportFormat::Json, output: Some(stored.clone()), ..ReportSpec::default() });
        assert_eq!(file.finish(&results, screen).unwrap().shown, None);
        assert_eq!(read_report(&stored).unwrap(), results.report);

        let text = |sections| target(ReportSpec { sections, ..ReportSpec::default() }).finish(&results, screen).unwrap().shown.unwrap();
        assert!(text(ReportSections::All).len() > text(ReportSections::Main).len());

        let bounds = vec!["clean=0".to_string(), "negation=1".to_string()];
        let spec = ReportSpec { fail_under: bounds, baseline: Some(stored), junit: Some(checks.clone()), ..ReportSpec::default() };
        let found = target(spec).finish(&results, screen).unwrap().checks;
        assert!(found[0].passed && !found[1].passed && found[2..].iter().all(|check| check.passed));
        assert!(std::fs::read_to_string(checks).unwrap().contains("<testsuite"));
        let unwritten = folder.path().join("unwritten.json");
        let unknown = target(ReportSpec {
            fail_under: vec!["nowhere=0.5".to_string()],
            output: Some(unwritten.clone()),
            page: Some(folder.path().join("page")),
            ..ReportSpec::default()
        });
        let error = unknown.finish(&results, screen).err().unwrap().to_string();
        assert!(error.starts_with("report.fail_under: there is no set `nowhere`"), "{error}");
        assert!(!unwritten.exists() && !folder.path().join("page").exists(), "all outputs appear, or none");
    }
}
