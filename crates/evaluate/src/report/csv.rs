//! Reports as comma-separated values, one value per line.
//!
//! The columns are `section,row,column,value,count,total,low,high`: `section` is the section's name, followed by the title of the table if it
//! has one; `row` and `column` name the cell;
//! `value` is the share (from 0 to 1), number, count or text of the cell; `count` and `total` are filled for rates
//! only, `low` and `high` for rates and differences, which are in points.
//! Values are written in full, not rounded. Empty cells, notes and paragraphs are omitted.

use super::{Cell, Point, PointsInterval, Report, ReportBlock, Table};
use std::borrow::Cow;

/// The report as one tidy table.
pub fn render(report: &Report) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |record: [&str; 8]| writer.write_record(record).expect("memory takes every record");
    write(["section", "row", "column", "value", "count", "total", "low", "high"]);
    for section in &report.sections {
        for block in &section.blocks {
            let title = if let ReportBlock::Table(Table { title: Some(title), .. }) = block { format!(" {title}") } else { String::new() };
            let key = section.key() + &title;
            for (row, column, cell) in values(block) {
                let Some([value, count, total, low, high]) = fields(&cell) else { continue };
                write([&key, &row, column, &value, &count, &total, &low, &high]);
            }
        }
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("all fields are text")
}

/// The cells of a block with the names of their row and column.
fn values(block: &ReportBlock) -> Vec<(String, &str, Cow<'_, Cell>)> {
    match block {
        ReportBlock::Text(_) => Vec::new(),
        ReportBlock::Bars(bars) => {
            bars.bars.iter().map(|bar| (bar.label.clone(), bars.measure.as_str(), Cow::Borrowed(&bar.value))).collect()
        }
        ReportBlock::Curve(curve) => {
            let value = |point: &Point| Cow::Owned(Cell::number(Some(point.value), curve.digits));
            curve.points.iter().map(|point| (point.at.to_string(), curve.measure.as_str(), value(point))).collect()
        }
        ReportBlock::Matrix(matrix) => {
            let rows = matrix.row_names.iter().zip(&matrix.cells);
            let cells = rows.flat_map(|(row, cells)| cells.iter().zip(&matrix.column_names).map(move |cell| (row, cell)));
            cells.map(|(row, (cell, column))| (row.clone(), column.as_str(), Cow::Borrowed(cell))).collect()
        }
        ReportBlock::Table(table) => {
            let mut values = Vec::new();
            for cells in &table.rows {
                let (key, cells) = cells.split_at(table.key_columns.min(cells.len()));
                let row = key.iter().filter_map(fields).map(|[value, ..]| value).collect::<Vec<_>>().join(" / ");
                let columns = table.columns.iter().skip(table.key_columns);
                values.extend(cells.iter().zip(columns).map(|(cell, column)| (row.clone(), column.name.as_str(), Cow::Borrowed(cell))));
            }
            values
        }
    }
}

/// Value, count, total, low and high of a cell; `None` for an empty one.
fn fields(cell: &Cell) -> Option<[String; 5]> {
    let value = |value: String| Some([value, String::new(), String::new(), String::new(), String::new()]);
    match cell {
        Cell::Empty {} => None,
        Cell::Text { text } => value(text.clone()),
        Cell::Count { count } => value(count.to_string()),
        Cell::Number { value: number, .. } | Cell::P { value: number, .. } => value(number.to_string()),
        Cell::Difference { points, interval, .. } => {
            let end = |end: fn(&PointsInterval) -> f64| interval.as_ref().map_or_else(String::new, |interval| end(interval).to_string());
            Some([points.to_string(), String::new(), String::new(), end(|interval| interval.low), end(|interval| interval.high)])
        }
        Cell::Rate { count, total, low, high, .. } => {
            let share = *count as f64 / *total as f64;
            Some([share.to_string(), count.to_string(), total.to_string(), low.to_string(), high.to_string()])
        }
    }
}
