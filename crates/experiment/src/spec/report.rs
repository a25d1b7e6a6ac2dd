//! How a report is given out.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Where a report goes, and in which form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReportSpec {
    /// The form.
    pub format: ReportFormat,
    /// The file [default: standard output].
    pub output: Option<PathBuf>,
    /// Folder for the report as a page with all examples.
    pub page: Option<PathBuf>,
}

/// The form of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReportFormat {
    /// Aligned text.
    #[default]
    Terminal,
    /// The documented JSON form.
    Json,
    /// One value a line.
    Csv,
    /// Tables for a page or an issue.
    Markdown,
    /// Tables for a paper (booktabs).
    Latex,
}
