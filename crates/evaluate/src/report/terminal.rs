//! Reports for reading in a terminal.

use super::layout::{CellText, matrix_table, one_line, provenance_lines};
use super::{Alignment, Bars, Cell, Report, ReportBlock, TableColumn};
use anstyle::{AnsiColor, Style as Paint};
use unicode_width::UnicodeWidthStr;

/// Whether the text is coloured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TerminalStyle {
    /// Text alone, for files and pipes.
    #[default]
    Plain,
    /// Escape codes for bold, dim and colour.
    Coloured,
}

const TITLE: Paint = Paint::new().bold();
const SECTION: Paint = AnsiColor::Cyan.on_default().bold();
const FAINT: Paint = Paint::new().dimmed();
const BAR: Paint = AnsiColor::Green.on_default();

/// How many characters an interval bar has.
const BAR_WIDTH: usize = 20;
const INDENT: &str = "  ";
const GAP: usize = 2;

impl TerminalStyle {
    fn paint(self, paint: Paint, text: &str) -> String {
        match self {
            TerminalStyle::Plain => text.to_string(),
            TerminalStyle::Coloured if text.trim().is_empty() => text.to_string(),
            TerminalStyle::Coloured => format!("{paint}{text}{paint:#}"),
        }
    }
}

/// The report in so many columns; interval bars are drawn where they fit.
pub fn render(report: &Report, width: usize, style: TerminalStyle) -> String {
    let mut page = vec![style.paint(TITLE, &one_line(&report.title))];
    for section in &report.sections {
        page.extend([String::new(), style.paint(SECTION, &one_line(&section.title))]);
        for note in &section.notes {
            page.extend(wrapped(note, width).iter().map(|line| style.paint(FAINT, line)));
        }
        for (at, block) in section.blocks.iter().enumerate() {
            if at > 0 || !section.notes.is_empty() {
                page.push(String::new());
            }
            page.extend(rendered(block, width, style));
        }
    }
    page.push(String::new());
    for (name, value) in provenance_lines(&report.provenance) {
        page.extend(wrapped(&format!("{name}: {value}"), width).iter().map(|line| style.paint(FAINT, line)));
    }
    page.join("\n") + "\n"
}

fn rendered(block: &ReportBlock, width: usize, style: TerminalStyle) -> Vec<String> {
    match block {
        ReportBlock::Text(text) => wrapped(&text.text, width),
        ReportBlock::Table(table) => grid(&table.columns, &table.rows, width, style),
        ReportBlock::Bars(bars) => {
            let rows: Vec<_> = bars.bars.iter().map(|bar| vec![Cell::text(&bar.label), bar.value.clone()]).collect();
            let lines = grid(&[TableColumn::left(""), TableColumn::right(&bars.measure)], &rows, width, style);
            with_lengths(lines, bars, width, style)
        }
        ReportBlock::Curve(curve) => {
            let table = curve.table();
            grid(&table.columns, &table.rows, width, style)
        }
        ReportBlock::Matrix(matrix) => {
            let (columns, rows) = matrix_table(matrix);
            grid(&columns, &rows, width, style)
        }
    }
}

/// A column as it will be set.
struct MeasuredColumn<'a> {
    name: String,
    alignment: Alignment,
    cells: Vec<(CellText, &'a Cell)>,
    /// The widest head and the widest tail.
    head: usize,
    tail: usize,
    bar: BarDrawing,
}

#[derive(Clone, Copy, PartialEq)]
enum BarDrawing {
    Drawn,
    Left,
}

impl<'a> MeasuredColumn<'a> {
    fn of(column: &TableColumn, cells: impl Iterator<Item = &'a Cell>) -> Self {
        let cells: Vec<_> = cells.map(|cell| (cell.written(), cell)).collect();
        let widest = |part: fn(&CellText) -> &str| cells.iter().map(|(written, _)| part(written).width()).max().unwrap_or(0);
        let (head, tail) = (widest(|written| &written.head), widest(|written| &written.tail));
        MeasuredColumn { name: one_line(&column.name), alignment: column.alignment, cells, head, tail, bar: BarDrawing::Left }
    }

    /// The width without the bar.
    fn width(&self) -> usize {
        self.name.width().max(self.head + self.tail)
    }

    fn has_rates(&self) -> bool {
        self.cells.iter().any(|(_, cell)| cell.has_interval())
    }

    fn header(&self, style: TerminalStyle) -> String {
        let scale = match self.bar {
            BarDrawing::Drawn => format!("{}0{:>width$}", " ".repeat(GAP), 100, width = BAR_WIDTH - 1),
            BarDrawing::Left => String::new(),
        };
        style.paint(FAINT, &(aligned(&self.name, self.width(), self.alignment) + &scale))
    }

    fn line(&self, row: usize, style: TerminalStyle) -> String {
        let (written, cell) = &self.cells[row];
        let text = match self.alignment {
            Alignment::Left => format!("{}{}", written.head, written.tail),
            Alignment::Right => {
                let head = aligned(&written.head, self.head, Alignment::Right);
                head + &aligned(&written.tail, self.tail, Alignment::Left)
            }
        };
        let text = aligned(&text, self.width(), self.alignment);
        match (self.bar, cell) {
            (BarDrawing::Left, _) => text,
            (BarDrawing::Drawn, Cell::Rate { count, total, low, high, .. }) if cell.has_interval() => {
                format!("{text}{}{}", " ".repeat(GAP), interval_bar(*count as f64 / *total as f64, *low, *high, style))
            }
            (BarDrawing::Drawn, _) => text + &" ".repeat(GAP + BAR_WIDTH),
        }
    }
}

/// A table whose columns stand below each other.
fn grid(columns: &[TableColumn], rows: &[Vec<Cell>], width: usize, style: TerminalStyle) -> Vec<String> {
    let cells = |at: usize| rows.iter().map(move |row| row.get(at).unwrap_or(&Cell::Empty {}));
    let mut columns: Vec<_> = columns.iter().enumerate().map(|(at, column)| MeasuredColumn::of(column, cells(at))).collect();
    let mut used = INDENT.len() + columns.iter().map(|column| column.width() + GAP).sum::<usize>();
    for column in columns.iter_mut().filter(|column| column.has_rates()) {
        if used + BAR_WIDTH <= width {
            used += BAR_WIDTH + GAP;
            column.bar = BarDrawing::Drawn;
        }
    }
    let joined = |cells: Vec<String>| (INDENT.to_string() + &cells.join(&" ".repeat(GAP))).trim_end().to_string();
    let mut lines = vec![joined(columns.iter().map(|column| column.header(style)).collect())];
    lines.extend((0..rows.len()).map(|row| joined(columns.iter().map(|column| column.line(row, style)).collect())));
    lines
}

/// The longest bar of a count or a number.
const LONGEST: usize = 48;

/// Bars of counts and numbers behind the lines of their grid, on a scale from 0 to the largest; rates have theirs by then.
fn with_lengths(mut lines: Vec<String>, bars: &Bars, width: usize, style: TerminalStyle) -> Vec<String> {
    let value = |cell: &Cell| match cell {
        Cell::Count { count } => *count as f64,
        Cell::Number { value, .. } => *value,
        _ => 0.0,
    };
    let values: Vec<f64> = bars.bars.iter().map(|bar| value(&bar.value)).collect();
    let largest = values.iter().copied().fold(0.0, f64::max);
    let used = lines.iter().map(|line| line.width()).max().unwrap_or(0) + GAP;
    let room = width.saturating_sub(used).min(LONGEST);
    // A bar to the left of 0 would need a scale of its own.
    if largest == 0.0 || values.iter().any(|value| *value < 0.0) {
        return lines;
    }
    for (line, value) in lines.iter_mut().skip(1).zip(values).filter(|(_, value)| *value > 0.0) {
        let length = ((value / largest * room as f64).round() as usize).max(1);
        line.push_str(&format!("{}{}", " ".repeat(GAP), style.paint(BAR, &"━".repeat(length))));
    }
    lines
}

fn aligned(text: &str, width: usize, alignment: Alignment) -> String {
    let space = " ".repeat(width.saturating_sub(text.width()));
    match alignment {
        Alignment::Left => format!("{text}{space}"),
        Alignment::Right => format!("{space}{text}"),
    }
}

/// An interval on a scale from 0 to 100 %, such as `·····━━●━━···`.
fn interval_bar(rate: f64, low: f64, high: f64, style: TerminalStyle) -> String {
    // Past the ends nothing is drawn, so 100 % belongs to the last character.
    let place = |share: f64| ((share * BAR_WIDTH as f64) as usize).min(BAR_WIDTH - 1);
    let (rate, low, high) = (place(rate), place(low), place(high));
    let drawn: String = (low..=high).map(|at| if at == rate { '●' } else { '━' }).collect();
    let dots = |count: usize| style.paint(FAINT, &"·".repeat(count));
    format!("{}{}{}", dots(low), style.paint(BAR, &drawn), dots(BAR_WIDTH - 1 - high))
}

/// The words in lines of at most the width, indented.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = INDENT.to_string();
    for word in one_line(text).split_whitespace() {
        if line.width() + 1 + word.width() > width && line.trim() != "" {
            lines.push(std::mem::replace(&mut line, INDENT.to_string()));
        }
        if line.trim() != "" {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rate: f64, low: f64, high: f64, expected: &str) {
        assert_eq!(interval_bar(rate, low, high, TerminalStyle::Plain), expected);
    }

    #[test]
    fn a_bar_shows_the_interval_on_a_scale_to_100() {
        check(0.5, 0.4, 0.6, "········━━●━━·······");
        check(0.0, 0.0, 0.01, "●···················");
        check(1.0, 0.9, 1.0, "··················━●");
    }

    #[test]
    fn wide_letters_take_two_columns() {
        let rows = [vec![Cell::text("日本"), Cell::Count { count: 1 }], vec![Cell::text("abcd"), Cell::Count { count: 22 }]];
        let lines = grid(&[TableColumn::left("tag"), TableColumn::right("rows")], &rows, 80, TerminalStyle::Plain);
        assert_eq!(lines, ["  tag   rows", "  日本     1", "  abcd    22"]);
    }

    #[test]
    fn counts_have_bars_as_long_as_they_are_large() {
        let bar = |label: &str, count: u64| super::super::Bar { label: label.to_string(), value: Cell::Count { count } };
        let bars = Bars { measure: "rows".to_string(), bars: vec![bar("a", 4), bar("b", 0), bar("c", 1)] };
        let lines = rendered(&ReportBlock::Bars(bars), 19, TerminalStyle::Plain);
        assert_eq!(lines, ["     rows", "  a     4  ━━━━━━━━", "  b     0", "  c     1  ━━"]);
    }

    #[test]
    fn text_is_wrapped_at_words() {
        assert_eq!(wrapped("one two three", 11), ["  one two", "  three"]);
        assert_eq!(wrapped("incomprehensibilities", 5), ["  incomprehensibilities"]);
    }

    #[test]
    fn text_from_files_cannot_steer_the_terminal() {
        assert_eq!(wrapped("a\u{1b}[31mb", 40), ["  a [31mb"]);
    }
}
