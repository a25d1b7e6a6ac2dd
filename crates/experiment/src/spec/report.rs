//! The format and destination of a report.

use crate::error::Error;
use crate::page::PageTarget;
use crate::report_target::ReportTarget;
use crate::spec::SpecError;
use acidtest_evaluate::report::html::PageForm;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The format and destination of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReportSpec {
    /// The format.
    pub format: ReportFormat,
    /// Which sections text and LaTeX have; the other formats have all.
    pub sections: ReportSections,
    /// Only these sections, by their names in JSON; not available for JSON, which always has the whole report.
    pub tables: Vec<String>,
    /// The file [default: returned to the front end].
    pub output: Option<PathBuf>,
    /// Folder for the report as a page with all examples.
    pub page: Option<PathBuf>,
    /// Whether the examples are in files beside the page or inside it; a single file may be named directly, ending in `.html`.
    pub page_form: PageForm,
}

/// The format of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReportFormat {
    /// Aligned text.
    #[default]
    Terminal,
    /// The documented JSON format.
    Json,
    /// One value per line.
    Csv,
    /// Markdown tables.
    Markdown,
    /// LaTeX tables (booktabs).
    Latex,
}

/// Which sections a text report has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReportSections {
    /// The main sections.
    #[default]
    Main,
    /// All.
    All,
}

impl ReportSpec {
    /// Refuses a folder with anything but an older page, before any model is called.
    pub fn resolve(&self) -> Result<ReportTarget, Error> {
        let page = self.page.clone().map(|path| PageTarget { path, form: self.page_form });
        page.as_ref().map_or(Ok(()), PageTarget::check)?;
        if let (ReportFormat::Json, Some(table)) = (self.format, self.tables.first()) {
            return Err(SpecError::new("report.tables", table, "another format, because JSON always holds the whole report").into());
        }
        Ok(ReportTarget { format: self.format, sections: self.sections, tables: self.tables.clone(), output: self.output.clone(), page })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_other_things_and_unknown_fields_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("notes.txt"), "").unwrap();
        let spec = ReportSpec { page: Some(folder.path().to_path_buf()), ..ReportSpec::default() };
        assert!(spec.resolve().err().unwrap().to_string().contains("exists and is not a report"));
        assert!(serde_json::from_str::<ReportSpec>(r#"{"fail_under": []}"#).is_err());
    }
}
