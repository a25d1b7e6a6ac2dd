//! Where reports go: a file or the front end, a page, and checks for continuous integration.

use crate::error::Error;
use crate::results::Results;
use crate::spec::{ReportFormat, ReportSections};
use acidtest_evaluate::checks::{AccuracyBound, Check, against_baseline};
use acidtest_evaluate::report::terminal::TerminalStyle;
use acidtest_evaluate::report::{Report, csv, json, junit, latex, markdown, terminal};
use acidtest_files::{note_read, write_file};
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
        let text = match self.format {
            ReportFormat::Terminal => terminal::render(report, screen.width, screen.style),
            ReportFormat::Json => json::render(report),
            ReportFormat::Csv => csv::render(report),
            ReportFormat::Markdown => markdown::render(report),
            ReportFormat::Latex => latex::render(report),
        };
        let Some(path) = &self.output else { return Ok(Some(text)) };
        write_file(path, text.as_bytes())?;
        Ok(None)
    }

    /// The same for results; text has only the main sections, unless all were asked for.
    pub fn write_results(&self, results: &Results<'_>, screen: Screen) -> Result<Option<String>, Error> {
        if self.sections == ReportSections::All || self.format != ReportFormat::Terminal {
            return self.write(&results.report, screen);
        }
        let mut short = results.report.clone();
        short.sections.retain(|section| !(results.is_detail)(&section.id));
        self.write(&short, screen)
    }

    /// Writes the page with all examples, where one was asked for.
    pub fn write_page(&self, results: &Results<'_>) -> Result<(), Error> {
        self.page.as_deref().map_or(Ok(()), |folder| results.write_page(folder))
    }

    /// The same for a report whose examples are not at hand.
    pub fn write_page_of(&self, report: &Report) -> Result<(), Error> {
        self.page.as_deref().map_or(Ok(()), |folder| crate::page::write_page(folder, report, &[]))
    }

    /// Makes the checks, and writes them to their file where there is one.
    pub fn check(&self, report: &Report) -> Result<Vec<Check>, Error> {
        let mut checks = Vec::new();
        for bound in &self.bounds {
            checks.extend(bound.check(&report.measurements).map_err(|source| Error::Check { field: "report.fail_under", source })?);
        }
        if let Some(before) = &self.baseline {
            let found = against_baseline(&report.measurements, &before.measurements);
            let found = found.map_err(|source| Error::Check { field: "report.baseline", source })?;
            checks.extend(found.iter().map(|found| found.check(ALPHA)));
        }
        if let Some(path) = &self.junit {
            write_file(path, junit::render("acidtest", &checks).as_bytes())?;
        }
        Ok(checks)
    }
}

/// Reads a report that was written in JSON.
pub fn read_report(path: &Path) -> Result<Report, Error> {
    let name = || path.display().to_string();
    note_read(path);
    let text = std::fs::read_to_string(path).map_err(|source| Error::File { path: name(), source })?;
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
        assert_eq!(file.write_results(&results, screen).unwrap(), None);
        assert_eq!(read_report(&stored).unwrap(), results.report);

        let text = |sections| target(ReportSpec { sections, ..ReportSpec::default() }).write_results(&results, screen).unwrap().unwrap();
        assert!(text(ReportSections::All).len() > text(ReportSections::Main).len());

        let bounds = vec!["clean=0".to_string(), "negation=1".to_string()];
        let spec = ReportSpec { fail_under: bounds, baseline: Some(stored), junit: Some(checks.clone()), ..ReportSpec::default() };
        let found = target(spec).check(&results.report).unwrap();
        assert!(found[0].passed && !found[1].passed && found[2..].iter().all(|check| check.passed));
        assert!(std::fs::read_to_string(checks).unwrap().contains("<testsuite"));
        let unknown = ReportSpec { fail_under: vec!["nowhere=0.5".to_string()], ..ReportSpec::default() };
        assert!(
            target(unknown).check(&results.report).unwrap_err().to_string().starts_with("report.fail_under: there is no set `nowhere`")
        );
    }
}
