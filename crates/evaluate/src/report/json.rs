//! Reports as JSON.

use super::{Report, SCHEMA_VERSION};
use serde::Deserialize;
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_128;

/// Why a text cannot be read as a report.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The text is not JSON, or not that of a report.
    #[error("this is not an Acidtest report: {0}")]
    NotAReport(#[from] serde_json::Error),
    /// The report has another version.
    #[error(
        "the report has schema version {found}, and only version {SCHEMA_VERSION} can be read; create it again with this version of acidtest"
    )]
    OtherVersion {
        /// The version it has.
        found: u32,
    },
    /// The report was changed after it was written.
    #[error("the report was damaged or changed after it was written: its checksum does not match; create it again")]
    Changed,
}

/// The key of the checksum, next to those of the report.
const CHECKSUM: &str = "checksum";

/// The report as indented JSON, with a line end.
pub fn render(report: &Report) -> String {
    let mut text = serde_json::to_string_pretty(report).expect("a report has only text keys and values that JSON has");
    let written: Value = serde_json::from_str(&text).expect("what was written can be read");
    text.truncate(text.len() - "\n}".len());
    text.push_str(&format!(",\n  \"{CHECKSUM}\": \"{}\"\n}}\n", checksum(&written)));
    text
}

/// A hash of a report as JSON, independent of whitespace and the order of keys.
fn checksum(report: &Value) -> String {
    format!("xxh3:{:032x}", xxh3_128(report.to_string().as_bytes()))
}

/// Reads a report.
pub fn read(text: &str) -> Result<Report, ReadError> {
    #[derive(Deserialize)]
    struct Version {
        schema_version: u32,
    }
    // The version is checked first: a report of another version may not have the right keys.
    let Version { schema_version } = serde_json::from_str(text)?;
    if schema_version != SCHEMA_VERSION {
        return Err(ReadError::OtherVersion { found: schema_version });
    }
    let mut written: Value = serde_json::from_str(text)?;
    let stated = written.as_object_mut().and_then(|report| report.remove(CHECKSUM));
    if stated.is_none_or(|stated| stated != checksum(&written)) {
        return Err(ReadError::Changed);
    }
    Ok(serde_json::from_str(text)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::{Metric, SetId, Subject};
    use crate::report::Provenance;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(read(text).unwrap_err().to_string(), expected);
    }

    #[test]
    fn every_changed_digit_is_noticed() {
        let mut report = Report::new("Evaluation", Provenance::default(), Vec::new());
        report.measure([Subject::corpus(&SetId::of("clean", Vec::new(), &[])).number(Metric::Kappa, 0.1 + 0.2)]);
        let text = render(&report);
        assert_eq!(read(&text).unwrap(), report);
        assert_eq!(read(&text.replace("  ", "")).unwrap(), report);
        for at in 0..text.len() {
            for bit in 0..7 {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                let changed = String::from_utf8(bytes).unwrap();
                // Whitespace between values does not matter.
                assert!(read(&changed).is_err() || changed.split_whitespace().eq(text.split_whitespace()), "{changed}");
            }
        }
        let without = text.lines().filter(|line| !line.contains(CHECKSUM)).collect::<String>().replace("],}", "]}");
        assert_eq!(read(&without).unwrap_err().to_string(), ReadError::Changed.to_string());
    }

    #[test]
    fn other_versions_and_other_files_are_refused() {
        check(
            r#"{"schema_version": 7, "pages": []}"#,
            "the report has schema version 7, and only version 4 can be read; create it again with this version of acidtest",
        );
        check("{}", "this is not an Acidtest report: missing field `schema_version` at line 1 column 2");
        check("{", "this is not an Acidtest report: EOF while parsing an object at line 1 column 1");
    }
}
