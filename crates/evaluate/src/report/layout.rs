//! How values are written in text formats.

use super::{Cell, CrossTable, IntervalMark, PointsInterval, Provenance, ReportInput, TableColumn, significance_mark};

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

/// A count with a comma before every three digits.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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
    let input = |input: &ReportInput| {
        let skipped = (input.skipped > 0).then(|| format!("; {} skipped because they could not be read", grouped(input.skipped)));
        let notes: String = input.notes.iter().map(|note| format!("; {note}")).collect();
        format!("{} ({} rows, {}{}{notes})", input.path, grouped(input.rows), input.hash, skipped.unwrap_or_default())
    };
    lines.extend(from.inputs.iter().map(|file| (file.role.clone(), input(file))));
    lines.extend(from.seeds.iter().map(|(name, seed)| (format!("seed {name}"), seed.to_string())));
    lines.extend(from.options.iter().map(|(name, value)| (name.clone(), value.clone())));
    lines
}

/// Text from a file must not contain line breaks or control characters.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_by_three() {
        assert_eq!([0, 999, 1000, 30_000, 1_234_567].map(grouped), ["0", "999", "1,000", "30,000", "1,234,567"]);
    }
}
