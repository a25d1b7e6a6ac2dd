//! Where reports are written: to a file or the front end, and as a page.

use crate::error::Error;
use crate::page::{PageExamples, PageTarget, seal_page};
use crate::results::Results;
use crate::review::ScoredReview;
use crate::spec::{ReportFormat, ReportSections};
use acidtest_evaluate::report::terminal::TerminalOptions;
use acidtest_evaluate::report::{Report, csv, json, latex, markdown, terminal};
use acidtest_files::{FileError, Output, Sealed, note_read, publish_all, write_file};
use acidtest_nli::UnknownName;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A resolved [`ReportSpec`](crate::spec::ReportSpec).
pub struct ReportTarget {
    /// The format.
    pub format: ReportFormat,
    /// Which sections the text has.
    pub sections: ReportSections,
    /// Only these sections, by name; empty for all.
    pub tables: Vec<String>,
    /// The file; `None` if the front end shows the text.
    pub output: Option<PathBuf>,
    /// Where the page is written.
    pub page: Option<PageTarget>,
}

impl ReportTarget {
    /// Writes a report to its file; without one, returns the text for the front end.
    pub fn write(&self, report: &Report, screen: TerminalOptions) -> Result<Option<String>, Error> {
        let text = self.render(&self.chosen(report)?, screen);
        let Some(path) = &self.output else { return Ok(Some(text)) };
        write_file(path, text.as_bytes())?;
        Ok(None)
    }

    /// Writes the report and the page with all examples; both appear, or none. Returns the text if there is no file for it.
    ///
    /// Text has only the main sections, unless all were requested.
    pub fn finish(&self, results: &Results<'_>, screen: TerminalOptions) -> Result<Option<String>, Error> {
        let page = self.page.as_ref().map(|page| results.seal_page(page)).transpose()?;
        let is_short = self.sections == ReportSections::Main && matches!(self.format, ReportFormat::Terminal | ReportFormat::Latex);
        if self.tables.is_empty() && !is_short {
            return self.publish(self.render(&results.report, screen), page);
        }
        let mut part = self.chosen(&results.report)?;
        if self.tables.is_empty() {
            part.sections.retain(|section| !(results.is_detail)(&section.id));
        }
        self.publish(self.render(&part, screen), page)
    }

    /// The same for the scores of a review, with the files that are stored beside the set.
    pub fn finish_review(&self, scored: &ScoredReview, screen: TerminalOptions) -> Result<Option<String>, Error> {
        let page = self.page.as_ref().map(|page| seal_page(page, &scored.report, &PageExamples::default(), &[])).transpose()?;
        let stored = scored.stored.as_ref().map(|(path, text)| seal_text(path, text)).transpose()?;
        self.publish(self.render(&scored.report, screen), page.into_iter().chain(stored))
    }

    /// The same for a stored report, which has no examples.
    pub fn finish_stored(&self, report: &Report, screen: TerminalOptions) -> Result<Option<String>, Error> {
        let page = self.page.as_ref().map(|page| seal_page(page, report, &PageExamples::default(), &[])).transpose()?;
        self.publish(self.render(&self.chosen(report)?, screen), page)
    }

    /// The report with the requested sections in its own order; all if none was requested.
    fn chosen(&self, report: &Report) -> Result<Report, Error> {
        let mut part = report.clone();
        if self.tables.is_empty() {
            return Ok(part);
        }
        let known: BTreeSet<String> = report.sections.iter().map(|section| section.id.to_string()).collect();
        if let Some(unknown) = self.tables.iter().find(|name| !known.contains(*name)) {
            let names: Vec<&str> = known.iter().map(String::as_str).collect();
            return Err(UnknownName::among("section", names, unknown).into());
        }
        part.sections.retain(|section| self.tables.contains(&section.id.to_string()));
        Ok(part)
    }

    fn publish(&self, text: String, others: impl IntoIterator<Item = Sealed>) -> Result<Option<String>, Error> {
        let mut sealed = Vec::from_iter(others);
        let shown = match &self.output {
            Some(path) => {
                sealed.push(seal_text(path, &text)?);
                None
            }
            None => Some(text),
        };
        publish_all(sealed)?;
        Ok(shown)
    }

    fn render(&self, report: &Report, screen: TerminalOptions) -> String {
        match self.format {
            ReportFormat::Terminal => terminal::render(report, screen),
            ReportFormat::Json => json::render(report),
            ReportFormat::Csv => csv::render(report),
            ReportFormat::Markdown => markdown::render(report),
            ReportFormat::Latex => latex::render(report),
        }
    }
}

fn seal_text(path: &Path, text: &str) -> Result<Sealed, FileError> {
    let mut output = Output::create(path)?;
    output.write(text.as_bytes())?;
    output.seal()
}

fn read_small(path: &Path, megabytes: u64) -> std::io::Result<String> {
    if path.is_dir() {
        return Err(std::io::Error::other("this is a folder (expected a report in JSON)"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take((megabytes << 20) + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > megabytes << 20 {
        return Err(std::io::Error::other(format!("the file is larger than {megabytes} MB (is this a report?)")));
    }
    if [&[0x1f, 0x8b][..], &[0x28, 0xb5, 0x2f, 0xfd]].iter().any(|magic| bytes.starts_with(magic)) {
        return Err(std::io::Error::other("the file is compressed; unpack it first"));
    }
    String::from_utf8(bytes).map_err(|_| std::io::Error::other("not UTF-8 (expected a report in JSON)"))
}

/// The largest report that is read.
const LARGEST_REPORT_MB: u64 = 64;

/// Reads a JSON report.
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
    fn a_report_is_written_and_read() {
        let (folder, session) = (tempfile::tempdir().unwrap(), Session::quiet().unwrap());
        let run = RunSpec { models: vec![ModelSpec::parse("overlap")], challenges: vec!["negation".to_string()], ..RunSpec::default() };
        let run = run.resolve(&session).unwrap();
        let results = run.run(&session).unwrap();
        let screen = TerminalOptions::default();
        let stored = folder.path().join("report.json");
        let target = |spec: ReportSpec| spec.resolve().unwrap();

        let file = target(ReportSpec { format: ReportFormat::Json, output: Some(stored.clone()), ..ReportSpec::default() });
        assert_eq!(file.finish(&results, screen).unwrap(), None);
        assert_eq!(read_report(&stored).unwrap(), results.report);

        let text = |sections| target(ReportSpec { sections, ..ReportSpec::default() }).finish(&results, screen).unwrap().unwrap();
        assert!(text(ReportSections::All).len() > text(ReportSections::Main).len());

        // A folder cannot be written as a file: the page must not appear either.
        let unwritten =
            ReportSpec { output: Some(folder.path().to_path_buf()), page: Some(folder.path().join("page")), ..ReportSpec::default() };
        assert!(target(unwritten).finish(&results, screen).is_err());
        assert!(!folder.path().join("page").exists(), "all outputs appear, or none");
    }
}
