//! How a report is given out, and what is checked in it.

use super::SpecError;
use crate::error::Error;
use crate::page::check_page_folder;
use crate::report_target::{ReportTarget, read_report};
use acidtest_evaluate::checks::AccuracyBound;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Where a report goes, in which form, and what is checked in it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReportSpec {
    /// The form.
    pub format: ReportFormat,
    /// Which sections the text has; the other forms have all.
    pub sections: ReportSections,
    /// The file [default: the front end shows it].
    pub output: Option<PathBuf>,
    /// Folder for the report as a page with all examples.
    pub page: Option<PathBuf>,
    /// Least accuracies, `SET=ACCURACY` each.
    pub fail_under: Vec<String>,
    /// An earlier report in JSON, which accuracies must not be significantly below.
    pub baseline: Option<PathBuf>,
    /// File for the checks in JUnit's form.
    pub junit: Option<PathBuf>,
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

/// Which sections a report in text has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReportSections {
    /// Those that a reader looks at first.
    #[default]
    Main,
    /// All.
    All,
}

impl ReportSpec {
    /// Reads bounds and baseline, and refuses a folder that holds anything but an older page: before any model is asked.
    pub fn resolve(&self) -> Result<ReportTarget, Error> {
        let bound = |text: &String| {
            AccuracyBound::read(text)
                .map_err(|_| SpecError::new("report.fail_under", text, "SET=ACCURACY, such as negation=0.7 or clean=85%"))
        };
        if let (Some(path), true, None) = (&self.junit, self.fail_under.is_empty(), &self.baseline) {
            let expected = "checks to write there: least accuracies, or a baseline";
            return Err(SpecError::new("report.junit", path.display().to_string(), expected).into());
        }
        self.page.as_deref().map_or(Ok(()), check_page_folder)?;
        Ok(ReportTarget {
            format: self.format,
            sections: self.sections,
            output: self.output.clone(),
            page: self.page.clone(),
            bounds: self.fail_under.iter().map(bound).collect::<Result<_, _>>()?,
            baseline: self.baseline.as_deref().map(read_report).transpose()?,
            junit: self.junit.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_and_baselines_are_read_at_once() {
        let refused = |spec: ReportSpec| spec.resolve().err().unwrap().to_string();
        let spec = ReportSpec { fail_under: vec!["clean=1.5".to_string()], ..ReportSpec::default() };
        assert!(refused(spec).starts_with("report.fail_under: invalid value `clean=1.5`: expected SET=ACCURACY"));
        let spec = ReportSpec { baseline: Some(PathBuf::from("nowhere.json")), ..ReportSpec::default() };
        assert!(refused(spec).starts_with("nowhere.json: "));
        assert!(serde_json::from_str::<ReportSpec>(r#"{"fail_over": []}"#).is_err());
    }
}
