//! Tables of results: one run a line, one accuracy a column.

use crate::input::BoundedReader;
use crate::{CorpusError, InputFile, RowProblem};
use acidtest_files::ContentHash;

/// Accuracies of several runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResultTable {
    /// The names of the runs.
    pub runs: Vec<String>,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// One list a run.
    pub accuracies: Vec<Vec<f64>>,
    /// Lines that are no runs, such as means, by their first cell; empty lines are not counted.
    pub left_out: Vec<String>,
    /// The content hash of the file.
    pub hash: ContentHash,
}

/// The largest table, decompressed: all of it is held in memory.
const LARGEST_TABLE_MB: u64 = 64;

/// What spreadsheets call lines that sum up the others.
const SUMMARIES: &[&str] = &[
    "",
    "mean",
    "average",
    "median",
    "minimum",
    "min",
    "maximum",
    "max",
    "range",
    "standard deviation",
    "std",
    "stdev",
    "sd",
    "variance",
    "total",
];

/// Reads a table with a header; the first column names the run. Lines named after a summary (`Mean`, `Maximum`) are no runs.
///
/// Only columns whose names begin with one of the prefixes are read; without prefixes, all are.
pub fn read_result_table(file: &InputFile, prefixes: &[String]) -> Result<ResultTable, CorpusError> {
    let path = file.name();
    let at = |line: u64, message: String| CorpusError::Row { path: path.clone(), line, problem: RowProblem::Csv(message) };
    let (bounded, _) = BoundedReader::new(file.open()?, LARGEST_TABLE_MB);
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bounded);
    let header = reader.headers().map_err(|error| at(1, error.to_string()))?.clone();
    let wanted = |name: &str| prefixes.is_empty() || prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()));
    let places: Vec<usize> = (1..header.len()).filter(|&place| wanted(&header[place])).collect();
    if places.is_empty() {
        return Err(at(1, format!("no such column (found {})", header.iter().collect::<Vec<_>>().join(", "))));
    }
    let mut records = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| at(error.position().map_or(1, csv::Position::line), error.to_string()))?;
        if record.iter().any(|cell| !cell.trim().is_empty()) {
            records.push(record);
        }
    }
    let mut table = ResultTable { columns: places.iter().map(|&place| header[place].to_string()).collect(), ..Default::default() };
    for record in &records {
        let name = record.get(0).unwrap_or_default().trim().to_string();
        if SUMMARIES.contains(&name.to_ascii_lowercase().as_str()) {
            table.left_out.push(name);
            continue;
        }
        let line = record.position().map_or(1, csv::Position::line);
        let accuracy = |&place: &usize| {
            let cell = record.get(place).unwrap_or_default().trim();
            let value = cell.parse::<f64>().ok().filter(|value| (0.0..=1.0).contains(value));
            value.ok_or_else(|| at(line, format!("`{cell}` is not an accuracy from 0 to 1")))
        };
        table.accuracies.push(places.iter().map(accuracy).collect::<Result<_, _>>()?);
        table.runs.push(name);
    }
    table.hash = reader.into_inner().inner.content_hash();
    if table.runs.is_empty() { Err(CorpusError::Empty { path }) } else { Ok(table) }
}
