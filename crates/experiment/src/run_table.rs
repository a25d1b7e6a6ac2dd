//! The variation of runs of one model, from a table of their results.

use crate::data::inputs;
use crate::error::Error;
use crate::session::Session;
use acidtest_corpus::{FileRead, InputFile, read_result_table};
use acidtest_evaluate::analysis::AnalysisError;
use acidtest_evaluate::analysis::runs::RunTable;
use acidtest_evaluate::measurement::SetId;
use acidtest_evaluate::report::Report;
use std::collections::BTreeMap;
use std::path::Path;

/// Reads a table with one run per line and one accuracy per column, restricted to the given columns (see [`read_result_table`]); `title` is the title of
/// the columns. Lines that are not runs are reported.
pub fn run_table(table: &Path, columns: &[String], title: &str, session: &Session<'_>) -> Result<Report, Error> {
    let file = InputFile::new(table);
    let table = read_result_table(&file, columns)?;
    if !table.left_out.is_empty() {
        session.note(&format!("{} lines are not runs and were skipped: {}", table.left_out.len(), table.left_out.join(", ")));
    }
    let source = FileRead::new(file.name(), table.hash, table.runs.len() as u64);
    let source_hash = source.hash.to_string();
    let column_title = title.to_string();
    let found = RunTable { column_title, runs: table.runs, columns: table.columns, accuracies: table.accuracies };
    let provenance = session.provenance(inputs("results", &[source]), BTreeMap::new(), BTreeMap::new());
    let set = SetId::of_files(file.name(), [source_hash.as_str()]);
    let mut report = Report::new(format!("Runs of {}", file.name()), provenance, vec![found.section().map_err(AnalysisError::from)?]);
    report.measure(found.measurements(&set).map_err(AnalysisError::from)?);
    Ok(report)
}
