//! Reports as JSON, and back.

use super::{Report, SCHEMA_VERSION};
use serde::Deserialize;

/// Why a text is no report that can be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The text is not JSON, or not that of a report.
    #[error("this is not a report of acidtest: {0}")]
    NotAReport(#[from] serde_json::Error),
    /// The report was written in another form.
    #[error(
        "the report has schema version {found}, and only version {SCHEMA_VERSION} can be read; make it again with this version of acidtest"
    )]
    OtherVersion {
        /// The version it has.
        found: u32,
    },
}

/// The report as indented JSON, with a line end.
pub fn render(report: &Report) -> String {
    let mut text = serde_json::to_string_pretty(report).expect("a report has only text keys and values that JSON has");
    text.push('\n');
    text
}

/// Reads a report back.
pub fn read(text: &str) -> Result<Report, ReadError> {
    #[derive(Deserialize)]
    struct Version {
        schema_version: u32,
    }
    // The version comes first: a report of another version may not even have the right keys.
    let Version { schema_version } = serde_json::from_str(text)?;
    if schema_version != SCHEMA_VERSION {
        return Err(ReadError::OtherVersion { found: schema_version });
    }
    Ok(serde_json::from_str(text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(read(text).unwrap_err().to_string(), expected);
    }

    #[test]
    fn other_versions_and_other_files_are_refused() {
        check(
            r#"{"schema_version": 7, "pages": []}"#,
            "the report has schema version 7, and only version 2 can be read; make it again with this version of acidtest",
        );
        check("{}", "this is not a report of acidtest: missing field `schema_version` at line 1 column 2");
        check("{", "this is not a report of acidtest: EOF while parsing an object at line 1 column 1");
    }
}
