//! Tables of results: one run per line, one accuracy per column.

use crate::input::BoundedReader;
use crate::{CorpusError, InputFile, RowProblem};
use acidtest_files::ContentHash;
use std::collections::BTreeSet;

/// Accuracies of several runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResultTable {
    /// The names of the runs.
    pub runs: Vec<String>,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// One list per run.
    pub accuracies: Vec<Vec<f64>>,
    /// Lines that are not runs, such as means, by their first cell; empty lines are not counted.
    pub left_out: Vec<String>,
    /// The content hash of the file.
    pub hash: ContentHash,
}

/// The largest table, decompressed: all of it is held in memory.
const LARGEST_TABLE_MB: u64 = 64;

/// Names of summary lines in spreadsheets.
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

/// The requested columns among `names`, which are all but the first: by name, by prefix, by a pattern in which `*` stands for anything, or as a range
/// (`ln_passive..cn_adverb`). The error contains what matches none of them.
fn places_of(wanted: &[String], names: &[&str]) -> Result<Vec<usize>, String> {
    let mut places = BTreeSet::new();
    for wanted in wanted {
        let place = |name: &str| names.iter().position(|other| *other == name);
        let found: Vec<usize> = match wanted.split_once("..").map(|(first, last)| (place(first), place(last))) {
            _ if place(wanted).is_some() => place(wanted).into_iter().collect(),
            Some((Some(first), Some(last))) => (first..=last).collect(),
            Some(_) => Vec::new(),
            None => (0..names.len()).filter(|&at| matches(wanted, names[at])).collect(),
        };
        if found.is_empty() {
            return Err(wanted.clone());
        }
        places.extend(found);
    }
    Ok(places.into_iter().collect())
}

/// Whether a name has this prefix or matches this pattern.
fn matches(wanted: &str, name: &str) -> bool {
    let mut parts = wanted.split('*');
    let Some(rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, within)) = parts.split_last() else { return true };
    let mut rest = rest;
    for part in within {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Reads a table with a header; the first column names the run. Summary lines (`Mean`, `Maximum`) are skipped.
///
/// A table may contain several kinds of results, which must not be averaged: of a table with more than one column, the user must choose which are read, by
/// name, prefix, pattern with `*`, or range (`FIRST..LAST`).
pub fn read_result_table(file: &InputFile, wanted: &[String]) -> Result<ResultTable, CorpusError> {
    let path = file.name();
    let at = |line: u64, message: String| CorpusError::Row { path: path.clone(), line, problem: RowProblem::Csv(message) };
    let (bounded, _) = BoundedReader::new(file.open()?, LARGEST_TABLE_MB);
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bounded);
    let header = reader.headers().map_err(|error| at(1, error.to_string()))?.clone();
    let names: Vec<&str> = header.iter().skip(1).collect();
    let refused = |problem| CorpusError::Row { path: path.clone(), line: 1, problem };
    let found = || names.join(", ");
    if wanted.is_empty() && names.len() > 1 {
        return Err(refused(RowProblem::WhichColumns { found: found() }));
    }
    let places = match wanted {
        [] => (0..names.len()).collect(),
        wanted => places_of(wanted, &names).map_err(|missing| refused(RowProblem::NoResults { missing, found: found() }))?,
    };
    if places.is_empty() {
        return Err(at(1, "no result column after the names of the runs".to_string()));
    }
    let places: Vec<usize> = places.into_iter().map(|place| place + 1).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(wanted: &[&str]) -> Result<Vec<String>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.csv");
        std::fs::write(&path, "run,MNLI dev,ln_a,ln_b,sn_a,sn_c..d\n1,0.8,0.1,0.2,0.3,0.4\nmean,1,1,1,1,1\n").unwrap();
        let wanted: Vec<String> = wanted.iter().map(|name| name.to_string()).collect();
        let found = read_result_table(&InputFile::new(&path), &wanted).map_err(|error| error.to_string())?;
        assert_eq!((found.runs, found.left_out), (vec!["1".to_string()], vec!["mean".to_string()]));
        Ok(found.columns)
    }

    #[test]
    fn columns_are_chosen_by_name_prefix_pattern_or_range() {
        let columns = |wanted: &[&str]| read(wanted).unwrap().join(" ");
        assert_eq!(columns(&["ln_", "sn_a"]), "ln_a ln_b sn_a");
        assert_eq!(columns(&["*_a"]), "ln_a sn_a");
        assert_eq!(columns(&["ln_b..sn_a"]), "ln_b sn_a");
        assert_eq!(columns(&["sn_c..d"]), "sn_c..d");
        assert_eq!(columns(&["*"]), "MNLI dev ln_a ln_b sn_a sn_c..d");
        assert_eq!(columns(&["s*_*d", "ln_a"]), "ln_a sn_c..d");
    }

    #[test]
    fn a_table_of_several_columns_is_not_read_as_one() {
        let refused = |wanted: &[&str]| read(wanted).unwrap_err();
        assert!(refused(&[]).contains("runs.csv:1: the table has several result columns (MNLI dev, ln_a"));
        assert!(refused(&["ln_", "qn_"]).contains("runs.csv:1: no column matches `qn_` (found MNLI dev, ln_a"));
        assert!(refused(&["ln_a..qn_a"]).contains("`ln_a..qn_a`"));
        assert!(refused(&["*x"]).contains("`*x`"));
    }
}
