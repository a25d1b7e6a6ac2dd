//! How values are written in text formats.

use super::{Cell, CrossTable, IntervalMark, PointsInterval, Provenance, ReportInput, TableColumn, significance_mark};
use acidtest_nli::grouped;

/// A cell as text; numbers that are aligned at their decimal point have two parts.
pub(crate) struct CellText {
    /// The part that is right-aligned, so that units line up.
    pub head: String,
    /// The part that follows: an interval.
    pub tail: String,
}

impl Cell {
    pub(crate) fn written(&self) -> CellText {
        let (head, tail) = match self {
            Cell::Text { text } => (one_line(text), String::new()),
            Cell::Count { count } => (grouped(*count), String::new()),
            Cell::Rate { count, total, mark: Some(IntervalMark::CountsOnly), .. } => {
                (format!("{} of {}", grouped(*count), grouped(*total)), String::new())
            }
            Cell::Rate { count, total, low, high, mark } => {
                let within = |low: f64, high: f64| format!("[{:.1}, {:.1}]", 100.0 * low, 100.0 * high);
                let tail = match mark {
                    None | Some(IntervalMark::CountsOnly) => format!(" {}", within(*low, *high)),
                    Some(IntervalMark::Rough) => format!(" {}~", within(*low, *high)),
                    Some(IntervalMark::FewClusters(clusters)) => format!(" {} ({clusters} clusters)", within(*low, *high)),
                    Some(IntervalMark::OneCluster(own)) => format!(" (one cluster: {})", within(own.low, own.high)),
                };
                (format!("{:.1} %", percent(*count, *total)), tail)
            }
            Cell::Difference { points, interval, p, mark } => written_difference(*points, *interval, *p, *mark),
            Cell::P { value, form } => (form.written(*value), String::new()),
            Cell::Number { value, digits } => (format!("{value:.0$}", usize::from(*digits)), String::new()),
            Cell::Empty {} => ("–".to_string(), String::new()),
        };
        CellText { head, tail }
    }
}

/// A difference in points, with its interval and the mark of its p value.
fn written_difference(points: f64, interval: Option<PointsInterval>, p: Option<f64>, mark: Option<IntervalMark>) -> (String, String) {
    let head = format!("{points:.1}");
    let head = if head == "-0.0" { "0.0".to_string() } else { head };
    let within = match (interval, mark) {
        (Some(interval), Some(IntervalMark::FewClusters(clusters))) => format!(" {} ({clusters} clusters)", interval.written()),
        (Some(interval), _) => format!(" {}", interval.written()),
        (None, _) => " (not estimable)".to_string(),
    };
    let significance = p.map(significance_mark).filter(|mark| !mark.is_empty()).map(|mark| format!(" {mark}"));
    (head, within + &significance.unwrap_or_default())
}

/// A share in percent.
pub(super) fn percent(count: u64, total: u64) -> f64 {
    100.0 * count as f64 / total as f64
}

/// A matrix as a table whose first column names the rows.
pub(super) fn matrix_table(matrix: &CrossTable) -> (Vec<TableColumn>, Vec<Vec<Cell>>) {
    let corner = TableColumn::left(format!("{} ↓ {} →", matrix.row_title, matrix.column_title));
    let columns = [corner].into_iter().chain(matrix.column_names.iter().map(TableColumn::right)).collect();
    let row = |(name, cells): (&String, &Vec<Cell>)| [Cell::text(name)].into_iter().chain(cells.iter().cloned()).collect();
    (columns, matrix.row_names.iter().zip(&matrix.cells).map(row).collect())
}

/// The provenance as names and values.
pub(super) fn provenance_lines(from: &Provenance) -> Vec<(String, String)> {
    let mut lines = vec![("command".to_string(), from.command.clone()), ("version".to_string(), from.tool_version.clone())];
    lines.extend(from.inputs.chunk_by(|a, b| a.role == b.role).flat_map(input_lines));
    lines.extend(from.seeds.iter().map(|(name, seed)| (format!("seed for {name}"), seed.to_string())));
    lines.extend(from.options.iter().map(|(name, value)| (name.clone(), value.clone())));
    lines
}

/// The files of one role. Columns of one file share a line, and a note on several files has a line of its own.
fn input_lines(inputs: &[ReportInput]) -> Vec<(String, String)> {
    let is_same_file =
        |a: &ReportInput, b: &ReportInput| a.hash == b.hash && a.rows == b.rows && a.skipped == b.skipped && a.notes == b.notes;
    let files: Vec<&[ReportInput]> = inputs.chunk_by(is_same_file).collect();
    let noted = |note: &String| files.iter().filter(|file| file[0].notes.contains(note)).count();
    let mut lines = Vec::new();
    let mut shared: Vec<&String> = Vec::new();
    for file in &files {
        let ReportInput { role, rows, hash, skipped, notes, .. } = &file[0];
        let names: Vec<&str> = file.iter().map(|input| input.path.as_str()).collect();
        let skipped = (*skipped > 0).then(|| format!("; {} skipped because they could not be read", grouped(skipped)));
        let (of_several, own): (Vec<&String>, Vec<&String>) = notes.iter().partition(|note| noted(note) > 1);
        let own: String = own.iter().map(|note| format!("; {note}")).collect();
        lines.push((role.clone(), format!("{} ({} rows, {hash}{}{own})", names.join(", "), grouped(rows), skipped.unwrap_or_default())));
        shared.extend(of_several.into_iter().filter(|note| !shared.contains(note)).collect::<Vec<_>>());
    }
    let role = &inputs[0].role;
    lines.extend(shared.into_iter().map(|note| match noted(note) {
        all if all == files.len() => (format!("{role}, all files"), note.clone()),
        some => (format!("{role}, {some} of {} files", files.len()), note.clone()),
    }));
    lines
}

/// Text from a file must not contain line breaks or control characters.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, hash: &str, notes: &[&str]) -> ReportInput {
        let notes = notes.iter().map(|note| note.to_string()).collect();
        ReportInput { role: "predictions".to_string(), path: path.to_string(), rows: 9815, hash: hash.to_string(), skipped: 0, notes }
    }

    fn lines(inputs: &[ReportInput]) -> Vec<String> {
        input_lines(inputs).into_iter().map(|(name, value)| format!("{name}: {value}")).collect()
    }

    #[test]
    fn columns_of_one_file_share_its_hash() {
        let inputs = [file("runs.csv@a", "h:1", &["by row"]), file("runs.csv@b", "h:1", &["by row"])];
        assert_eq!(lines(&inputs), ["predictions: runs.csv@a, runs.csv@b (9,815 rows, h:1; by row)"]);
    }

    #[test]
    fn a_note_on_several_files_is_given_once() {
        let inputs = [file("a.csv", "h:1", &["by row"]), file("b.csv", "h:2", &["by row", "gzip"]), file("c.csv", "h:3", &[])];
        assert_eq!(
            lines(&inputs),
            [
                "predictions: a.csv (9,815 rows, h:1)",
                "predictions: b.csv (9,815 rows, h:2; gzip)",
                "predictions: c.csv (9,815 rows, h:3)",
                "predictions, 2 of 3 files: by row",
            ]
        );
        assert_eq!(lines(&inputs[..2])[2], "predictions, all files: by row");
    }
}
