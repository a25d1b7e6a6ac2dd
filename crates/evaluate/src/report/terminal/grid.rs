//! Tables in columns of text that fit a given width.
//!
//! A table that is too wide is reduced step by step: bars are dropped first, then headings and text are broken over lines, and columns that still do not
//! fit go into a second table below the first, with the same row names. No column is omitted.

use super::text::{INDENT, folded};
use super::{BAR_WIDTH, FAINT, GROUP, SIGNIFICANT, TerminalOptions, interval_bar};
use crate::report::layout::CellText;
use crate::report::{Alignment, Cell, RowGroup, Table, TableColumn};
use unicode_width::UnicodeWidthStr;

/// The space between two columns.
pub(super) const GAP: usize = 2;

/// Text in cells is not broken into lines shorter than this.
const SHORTEST_LINE: usize = 20;

/// Longer words of a heading are broken.
const LONGEST_WORD: usize = 16;

/// The table as lines.
pub(super) fn grid(table: &Table, options: TerminalOptions) -> Vec<String> {
    let lines = columns_of(table, options);
    match grouped(table) {
        // Blank lines only occur between two tables of the same rows.
        Some(grouped) if lines.iter().any(String::is_empty) => columns_of(&grouped, options),
        _ => lines,
    }
}

/// The table with the first key column moved to lines of its own, if several rows share its values.
fn grouped(table: &Table) -> Option<Table> {
    if table.key_columns < 2 || !table.groups.is_empty() {
        return None;
    }
    let mut groups: Vec<RowGroup> = Vec::new();
    for (first_row, row) in table.rows.iter().enumerate() {
        let name = row.first()?.written().head;
        if groups.last().is_none_or(|last| last.name != name) {
            groups.push(RowGroup { name, first_row });
        }
    }
    let rows = table.rows.iter().map(|row| row[1..].to_vec()).collect();
    let columns = table.columns[1..].to_vec();
    (groups.len() < table.rows.len()).then(|| Table { groups, ..Table::new(table.key_columns - 1, columns, rows) })
}

fn columns_of(table: &Table, options: TerminalOptions) -> Vec<String> {
    let cells = |at: usize| table.rows.iter().map(move |row| row.get(at).unwrap_or(&Cell::Empty {}));
    let columns = table.columns.iter().enumerate().map(|(at, column)| MeasuredColumn::of(column, cells(at), options));
    let mut columns: Vec<MeasuredColumn<'_>> = columns.collect();
    if let (Some(first), Some(group)) = (columns.first_mut(), table.groups.first()) {
        first.indent_from(group.first_row);
    }
    let room = options.width.saturating_sub(INDENT.len());
    let mut lines = Vec::new();
    let panels = panels(&columns, table.key_columns, room);
    for panel in &panels {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let columns: Vec<&MeasuredColumn<'_>> = panel.iter().map(|&at| &columns[at]).collect();
        // A bar in the last of several tables would make it look different from the others.
        let bars = if panels.len() == 1 { Bars::WhereTheyFit } else { Bars::None };
        lines.extend(drawn(&columns, table, (room, bars), options));
    }
    lines
}

/// A column before layout.
struct MeasuredColumn<'a> {
    name: String,
    alignment: Alignment,
    cells: Vec<(CellText, &'a Cell)>,
    /// The widest head and tail of its cells.
    head: usize,
    tail: usize,
    /// Its minimum width.
    least: usize,
}

impl<'a> MeasuredColumn<'a> {
    fn of(column: &TableColumn, cells: impl Iterator<Item = &'a Cell>, options: TerminalOptions) -> Self {
        let shown = |written: CellText| CellText { head: options.letters.shown(&written.head), tail: options.letters.shown(&written.tail) };
        let cells: Vec<_> = cells.map(|cell| (shown(cell.written()), cell)).collect();
        let widest = |part: fn(&CellText) -> &str| cells.iter().map(|(written, _)| part(written).width()).max().unwrap_or(0);
        let (head, tail) = (widest(|written| &written.head), widest(|written| &written.tail));
        let name = options.letters.shown(&column.name);
        let name_least = name.split_whitespace().map(UnicodeWidthStr::width).max().unwrap_or(0).min(LONGEST_WORD);
        let words =
            cells.iter().filter(|(_, cell)| matches!(cell, Cell::Text { .. })).map(|(text, _)| text.head.width()).max().unwrap_or(0);
        let numbers = cells.iter().filter(|(_, cell)| !matches!(cell, Cell::Text { .. }));
        let numbers = if numbers.clone().count() == 0 { 0 } else { numbers.map(|(text, _)| text.head.width()).max().unwrap_or(0) + tail };
        let least = name_least.max(words.min(SHORTEST_LINE)).max(numbers);
        MeasuredColumn { name, alignment: column.alignment, cells, head, tail, least }
    }

    /// Indents the rows of groups.
    fn indent_from(&mut self, row: usize) {
        self.cells.iter_mut().skip(row).for_each(|(text, _)| text.head.insert_str(0, INDENT));
        self.head = self.cells.iter().map(|(text, _)| text.head.width()).max().unwrap_or(0);
        self.least = self.least.max(self.head.min(SHORTEST_LINE + INDENT.len()));
    }

    /// The width of its cells, unbroken.
    fn body(&self) -> usize {
        self.least.max(self.head + self.tail)
    }

    /// The width with the heading on one line.
    fn full(&self) -> usize {
        self.body().max(self.name.width())
    }

    fn has_rates(&self) -> bool {
        self.cells.iter().any(|(_, cell)| cell.has_interval())
    }

    fn lines(&self, row: usize, width: usize) -> Vec<String> {
        let (written, _) = &self.cells[row];
        let whole = match self.alignment {
            Alignment::Left => format!("{}{}", written.head, written.tail),
            Alignment::Right if self.head + self.tail > width => format!("{}{}", written.head, written.tail),
            Alignment::Right => aligned(&written.head, self.head, Alignment::Right) + &aligned(&written.tail, self.tail, Alignment::Left),
        };
        let lines = if whole.width() > width { folded(&whole, width) } else { vec![whole] };
        lines.iter().map(|line| aligned(line, width, self.alignment)).collect()
    }
}

/// The columns of each table, by index: those that name the rows, and as many others as fit.
fn panels(columns: &[MeasuredColumn<'_>], key_columns: usize, room: usize) -> Vec<Vec<usize>> {
    let keys: Vec<usize> = (0..key_columns.min(columns.len())).collect();
    let width = |panel: &[usize]| panel.iter().map(|&at| columns[at].least + GAP).sum::<usize>().saturating_sub(GAP);
    let mut panels = vec![keys.clone()];
    for at in keys.len()..columns.len() {
        let mut wider = panels.last().cloned().unwrap_or_default();
        wider.push(at);
        if width(&wider) <= room || wider.len() == keys.len() + 1 {
            panels.pop();
        } else {
            wider = keys.iter().copied().chain([at]).collect();
        }
        panels.push(wider);
    }
    panels
}

/// The width of each column: cells get the width they need before headings do, and narrow columns before wide ones.
fn widths(columns: &[&MeasuredColumn<'_>], room: usize) -> Vec<usize> {
    let mut widths: Vec<usize> = columns.iter().map(|column| column.least).collect();
    let gaps = GAP * columns.len().saturating_sub(1);
    let mut left = room.saturating_sub(widths.iter().sum::<usize>() + gaps);
    let (bodies, full) = (columns.iter().map(|column| column.body()), columns.iter().map(|column| column.full()));
    for (wanted, is_body) in [(bodies.collect::<Vec<usize>>(), true), (full.collect(), false)] {
        let mut order: Vec<usize> = (0..columns.len()).collect();
        order.sort_by_key(|&at| wanted[at].saturating_sub(widths[at]));
        for at in order {
            let more = wanted[at].saturating_sub(widths[at]).min(left);
            // A heading that has to be broken anyway needs no extra width.
            if is_body || widths[at] + more == wanted[at] {
                widths[at] += more;
                left -= more;
            }
        }
    }
    widths
}

/// Whether bars are drawn after rates.
#[derive(Clone, Copy, PartialEq)]
enum Bars {
    WhereTheyFit,
    None,
}

/// Columns that fit, with bars after rates if there is room.
fn drawn(columns: &[&MeasuredColumn<'_>], table: &Table, (room, wanted): (usize, Bars), options: TerminalOptions) -> Vec<String> {
    let widths = widths(columns, room);
    let mut left = room.saturating_sub(widths.iter().sum::<usize>() + GAP * columns.len().saturating_sub(1));
    let mut bars = vec![false; columns.len()];
    for (bar, _) in bars.iter_mut().zip(columns).filter(|(_, column)| wanted == Bars::WhereTheyFit && column.has_rates()) {
        *bar = left >= BAR_WIDTH + GAP;
        left -= if *bar { BAR_WIDTH + GAP } else { 0 };
    }
    let gap = " ".repeat(GAP);
    let joined = |cells: Vec<String>| (INDENT.to_string() + &cells.join(&gap)).trim_end().to_string();
    let names: Vec<Vec<String>> = columns.iter().zip(&widths).map(|(column, &width)| folded(&column.name, width)).collect();
    let height = names.iter().map(Vec::len).max().unwrap_or(1);
    let mut lines = Vec::new();
    for line in 0..height {
        let cell = |at: usize| {
            // Headings are aligned with the line above the cells.
            let name = (line + names[at].len()).checked_sub(height).and_then(|line| names[at].get(line)).map_or("", String::as_str);
            let scale = match (bars[at], line + 1 == height) {
                (true, true) => format!("{gap}0{:>width$}", 100, width = BAR_WIDTH - 1),
                (true, false) => " ".repeat(GAP + BAR_WIDTH),
                (false, _) => String::new(),
            };
            options.paint(FAINT, &(aligned(name, widths[at], columns[at].alignment) + &scale))
        };
        lines.push(joined((0..columns.len()).map(cell).collect()));
    }
    let body = Body { columns, widths: &widths, bars: &bars };
    for row in 0..table.rows.len() {
        if let Some(group) = table.group_at(row) {
            lines.push(format!("{INDENT}{}", options.paint(GROUP, &options.letters.shown(group))));
        }
        lines.extend(body.row(row, options).into_iter().map(joined));
    }
    lines
}

/// Columns with their widths.
struct Body<'a> {
    columns: &'a [&'a MeasuredColumn<'a>],
    widths: &'a [usize],
    bars: &'a [bool],
}

impl Body<'_> {
    /// The cells of a row, line by line.
    fn row(&self, row: usize, options: TerminalOptions) -> Vec<Vec<String>> {
        let lines: Vec<Vec<String>> = self.columns.iter().zip(self.widths).map(|(column, &width)| column.lines(row, width)).collect();
        let height = lines.iter().map(Vec::len).max().unwrap_or(1);
        let cell = |at: usize, line: usize| {
            let empty = " ".repeat(self.widths[at]);
            let text = lines[at].get(line).unwrap_or(&empty);
            let value = self.columns[at].cells[row].1;
            let text = if is_significant(value) { options.paint(SIGNIFICANT, text) } else { text.clone() };
            let bar = match value {
                _ if !self.bars[at] => String::new(),
                Cell::Rate { count, total, low, high, .. } if value.has_interval() && line == 0 => {
                    format!("{}{}", " ".repeat(GAP), interval_bar(*count as f64 / *total as f64, (*low, *high), options))
                }
                _ => " ".repeat(GAP + BAR_WIDTH),
            };
            text + &bar
        };
        (0..height).map(|line| (0..lines.len()).map(|at| cell(at, line)).collect()).collect()
    }
}

fn is_significant(cell: &Cell) -> bool {
    matches!(cell, Cell::Difference { p: Some(p), .. } if *p < 0.05)
}

fn aligned(text: &str, width: usize, alignment: Alignment) -> String {
    let space = " ".repeat(width.saturating_sub(text.width()));
    match alignment {
        Alignment::Left => format!("{text}{space}"),
        Alignment::Right => format!("{space}{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::TableColumn;

    fn lines(table: &Table, width: usize) -> Vec<String> {
        grid(table, TerminalOptions { width, ..TerminalOptions::default() })
    }

    #[test]
    fn wide_letters_take_two_columns() {
        let rows = vec![vec![Cell::text("日本"), Cell::Count { count: 1 }], vec![Cell::text("abcd"), Cell::Count { count: 22 }]];
        let table = Table::new(1, vec![TableColumn::left("tag"), TableColumn::right("rows")], rows);
        assert_eq!(lines(&table, 80), ["  tag   rows", "  日本     1", "  abcd    22"]);
    }

    #[test]
    fn headings_are_broken_before_anything_else() {
        let table = Table::keyed(&["model"], &["only the first"], vec![vec![Cell::text("a"), Cell::Count { count: 7 }]]);
        assert_eq!(lines(&table, 16), ["          only", "           the", "  model  first", "  a          7"]);
    }

    #[test]
    fn columns_that_do_not_fit_are_in_a_second_table() {
        let numbers = (1..=3).map(|count| Cell::Count { count: count * 100_000 });
        let row = [Cell::text("a")].into_iter().chain(numbers).collect();
        let table = Table::keyed(&["model"], &["one", "two", "three"], vec![row]);
        assert_eq!(
            lines(&table, 26),
            ["  model      one      two", "  a      100,000  200,000", "", "  model    three", "  a      300,000"]
        );
    }

    #[test]
    fn long_names_of_models_are_broken_over_lines() {
        let row = |name: &str| vec![Cell::text(name), Cell::Count { count: 1 }];
        let table = Table::keyed(&["model"], &["examples"], vec![row("roberta-large-mnli-finetuned-on-everything"), row("b")]);
        let found = lines(&table, 40);
        assert_eq!(
            found,
            [
                "  model                         examples",
                "  roberta-large-mnli-                  1",
                "  finetuned-on-everything",
                "  b                                    1"
            ]
        );
    }

    #[test]
    fn groups_of_rows_have_a_line_of_their_own() {
        let row = |name: &str| vec![Cell::text(name), Cell::Count { count: 1 }];
        let group = |name: &str, first_row| RowGroup { name: name.to_string(), first_row };
        let table = Table::keyed(&["set"], &["n"], vec![row("a"), row("b")]);
        let table = Table { groups: vec![group("noise", 1)], ..table };
        assert_eq!(lines(&table, 80), ["  set  n", "  a    1", "  noise", "    b  1"]);
    }

    #[test]
    fn a_shared_name_is_above_its_rows_if_there_is_no_room_for_a_column() {
        let row = |genre: &str, model: &str| vec![Cell::text(genre), Cell::text(model), Cell::Count { count: 1 }, Cell::Count { count: 2 }];
        let rows = vec![row("fiction", "a"), row("fiction", "b"), row("travel", "a")];
        let table = Table::keyed(&["genre", "model"], &["first", "second"], rows);
        assert_eq!(lines(&table, 80)[1], "  fiction  a          1       2");
        assert_eq!(
            lines(&table, 24),
            [
                "  model  first  second",
                "  fiction",
                "    a        1       2",
                "    b        1       2",
                "  travel",
                "    a        1       2"
            ]
        );
    }

    #[test]
    fn no_line_of_any_table_is_too_wide() {
        let rate = || Cell::rate(crate::statistics::Proportion { count: 10, total: 100 });
        for columns in 1..12 {
            let names: Vec<String> = (0..columns).map(|at| format!("model-with-a-long-name-{at}")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let row = [Cell::text("a-name-that-is-rather-long-for-a-row")].into_iter().chain((0..columns).map(|_| rate())).collect();
            let table = Table::keyed(&["set"], &names, vec![row]);
            assert!(lines(&table, 80).iter().all(|line| line.width() <= 80), "{columns}");
        }
    }
}
