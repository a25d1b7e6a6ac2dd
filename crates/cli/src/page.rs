//! Reports as a folder with a page.

use crate::options::refuse_same;
use crate::show::{ShowFlags, print_text, screen, visible};
use acidtest_evaluate::report::Report;
use acidtest_evaluate::report::html::PageForm;
use acidtest_experiment::spec::ReportSpec;
use acidtest_experiment::{PageTarget, ReportTarget, Results, with_column};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// The page.
#[derive(Args)]
pub(crate) struct PageFlags {
    /// Write an HTML report with its examples to this folder (index.html)
    #[arg(long, value_name = "FOLDER", help_heading = "Report")]
    report: Option<PathBuf>,
    /// Embed the examples in the page, so that it is a single file; FOLDER may then be a file name that ends in .html
    #[arg(long, requires = "report", help_heading = "Report")]
    single_file: bool,
}

impl PageFlags {
    /// The spec made from the flags. Folders that cannot be written, and report files that are also inputs (corpora, predictions, models), are refused
    /// before any model is queried.
    pub(crate) fn resolve(&self, show: &ShowFlags, inputs: impl IntoIterator<Item = PathBuf>) -> Result<ReportTarget> {
        let (page, page_form) = self.target().map(|page| (page.path, page.form)).unzip();
        let target = ReportSpec { page, page_form: page_form.unwrap_or_default(), ..show.spec() }.resolve()?;
        let inputs: Vec<PathBuf> = inputs.into_iter().map(|path| with_column(&path.to_string_lossy()).0).collect();
        show.output().map_or(Ok(()), |output| refuse_same(&inputs, output))?;
        Ok(target)
    }

    /// The folder or file of the page, if one is written.
    pub(crate) fn target(&self) -> Option<PageTarget> {
        let form = if self.single_file { PageForm::SingleFile } else { PageForm::Folder };
        self.report.clone().map(|path| PageTarget { path, form })
    }
}

/// Reports where the page was written and whether it replaced an older one.
pub(crate) struct PageNote {
    page: Option<PathBuf>,
    replaces: bool,
}

impl PageNote {
    /// Notes whether the page will replace an older one, before it is written.
    pub(crate) fn before(page: Option<PathBuf>) -> Self {
        PageNote { replaces: page.as_ref().is_some_and(|page| page.exists()), page }
    }

    /// Prints the note.
    pub(crate) fn say(self) {
        if let Some(page) = self.page {
            let older = if self.replaces { ", in place of an older report" } else { "" };
            eprintln!("report written to {}{older}", visible(&page.display().to_string()));
        }
    }
}

/// Writes report and page together, and prints the report if it has no file.
pub(crate) fn finish(target: &ReportTarget, results: &Results<'_>) -> Result<()> {
    let note = PageNote::before(target.page.as_ref().map(PageTarget::index));
    print_text(target.finish(results, screen(target.output.as_deref()))?)?;
    note.say();
    Ok(())
}

/// The same for a stored report, which has no examples.
pub(crate) fn finish_stored(target: &ReportTarget, report: &Report) -> Result<()> {
    let note = PageNote::before(target.page.as_ref().map(PageTarget::index));
    print_text(target.finish_stored(report, screen(target.output.as_deref()))?)?;
    note.say();
    Ok(())
}
