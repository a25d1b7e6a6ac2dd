//! Reports for terminals.

mod grid;
mod text;

use super::layout::{matrix_table, provenance_lines};
use super::{Bars, Cell, Report, ReportBlock, Section, SectionId, Table, TableColumn};
use anstyle::{AnsiColor, Style as Paint};
use grid::{GAP, grid};
use text::wrapped;
use unicode_width::UnicodeWidthStr;

/// Whether the text is coloured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TerminalStyle {
    /// Plain text, for files and pipes.
    #[default]
    Plain,
    /// Escape codes for bold, dim and colour.
    Coloured,
}

/// The character set of a terminal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Letters {
    /// Unicode.
    #[default]
    Unicode,
    /// ASCII: bars are drawn with `=` and `o`, an arrow is `->`.
    Ascii,
}

/// Properties of the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerminalOptions {
    /// Its columns.
    pub width: usize,
    /// Whether to use colours.
    pub style: TerminalStyle,
    /// Its character set.
    pub letters: Letters,
}

impl Default for TerminalOptions {
    /// Text for a file: 80 columns, no colours.
    fn default() -> Self {
        TerminalOptions { width: 80, style: TerminalStyle::Plain, letters: Letters::Unicode }
    }
}

const TITLE: Paint = Paint::new().bold();
const SECTION: Paint = AnsiColor::Cyan.on_default().bold();
const FAINT: Paint = Paint::new().dimmed();
const GROUP: Paint = Paint::new().italic();
const SIGNIFICANT: Paint = AnsiColor::Yellow.on_default().bold();
const BAR: Paint = AnsiColor::Green.on_default();

/// The width of an interval bar in characters.
const BAR_WIDTH: usize = 20;

impl TerminalOptions {
    fn paint(self, paint: Paint, text: &str) -> String {
        match self.style {
            TerminalStyle::Plain => text.to_string(),
            TerminalStyle::Coloured if text.trim().is_empty() => text.to_string(),
            TerminalStyle::Coloured => format!("{paint}{text}{paint:#}"),
        }
    }

    fn headline(self, paint: Paint, text: &str) -> Vec<String> {
        text::folded(&self.letters.shown(text), self.width).iter().map(|line| self.paint(paint, line)).collect()
    }

    fn faint(self, text: &str) -> Vec<String> {
        wrapped(text, self.width, self.letters).iter().map(|line| self.paint(FAINT, line)).collect()
    }
}

/// The report in lines of at most the terminal's width; interval bars are drawn if they fit.
pub fn render(report: &Report, options: TerminalOptions) -> String {
    let mut page = options.headline(TITLE, &report.title);
    for section in &report.sections {
        page.push(String::new());
        page.extend(rendered_section(section, options));
    }
    page.push(String::new());
    for (name, value) in provenance_lines(&report.provenance) {
        page.extend(options.faint(&format!("{name}: {value}")));
    }
    page.join("\n") + "\n"
}

/// Findings, numbers, and how to read them.
fn rendered_section(section: &Section, options: TerminalOptions) -> Vec<String> {
    let mut lines = options.headline(SECTION, &section.title);
    for (at, note) in section.notes.iter().enumerate() {
        if at > 0 && section.id == SectionId::Verdict {
            lines.push(String::new());
        }
        let note = wrapped(note, options.width, options.letters);
        let painted = note.iter().map(|line| if section.id == SectionId::Verdict { options.paint(TITLE, line) } else { line.clone() });
        lines.extend(painted);
    }
    for (at, block) in section.blocks.iter().enumerate() {
        if at > 0 || !section.notes.is_empty() {
            lines.push(String::new());
        }
        lines.extend(rendered(block, options));
    }
    if !section.caption.is_empty() && !section.blocks.is_empty() {
        lines.push(String::new());
    }
    lines.extend(options.faint(&section.caption.join(" ")).into_iter().filter(|line| !line.trim().is_empty()));
    lines
}

fn rendered(block: &ReportBlock, options: TerminalOptions) -> Vec<String> {
    match block {
        ReportBlock::Text(text) => wrapped(&text.text, options.width, options.letters),
        ReportBlock::Table(table) => {
            let title = table.title.as_ref().map(|title| wrapped(title, options.width, options.letters));
            let title = title.map(|lines| lines.iter().map(|line| options.paint(TITLE, line)).collect::<Vec<_>>());
            title.into_iter().flatten().chain(grid(table, options)).collect()
        }
        ReportBlock::Bars(bars) => {
            let rows = bars.bars.iter().map(|bar| vec![Cell::text(&bar.label), bar.value.clone()]).collect();
            let table = Table::new(1, vec![TableColumn::left(""), TableColumn::right(&bars.measure)], rows);
            with_lengths(grid(&table, options), bars, options)
        }
        ReportBlock::Curve(curve) => grid(&curve.table(), options),
        ReportBlock::Matrix(matrix) => {
            let (columns, rows) = matrix_table(matrix);
            grid(&Table::new(1, columns, rows), options)
        }
    }
}

/// The longest bar of a count or number.
const LONGEST: usize = 48;

/// Adds bars of counts and numbers to the lines of their grid, on a scale from 0 to the largest; rates already have theirs.
fn with_lengths(mut lines: Vec<String>, bars: &Bars, options: TerminalOptions) -> Vec<String> {
    let value = |cell: &Cell| match cell {
        Cell::Count { count } => *count as f64,
        Cell::Number { value, .. } => *value,
        _ => 0.0,
    };
    let values: Vec<f64> = bars.bars.iter().map(|bar| value(&bar.value)).collect();
    let largest = values.iter().copied().fold(0.0, f64::max);
    let used = lines.iter().map(|line| line.width()).max().unwrap_or(0) + GAP;
    let room = options.width.saturating_sub(used).min(LONGEST);
    // Negative values would need another scale, and a label that is broken over lines leaves no room.
    if largest == 0.0 || room == 0 || lines.len() != values.len() + 1 || values.iter().any(|value| *value < 0.0) {
        return lines;
    }
    let [_, bar, _] = options.letters.bar();
    for (line, value) in lines.iter_mut().skip(1).zip(values).filter(|(_, value)| *value > 0.0) {
        let length = ((value / largest * room as f64).round() as usize).max(1);
        line.push_str(&format!("{}{}", " ".repeat(GAP), options.paint(BAR, &bar.to_string().repeat(length))));
    }
    lines
}

/// An interval on a scale from 0 to 100 %, such as `·····━━●━━···`.
fn interval_bar(rate: f64, (low, high): (f64, f64), options: TerminalOptions) -> String {
    // 100 % belongs to the last character.
    let place = |share: f64| ((share * BAR_WIDTH as f64) as usize).min(BAR_WIDTH - 1);
    let [middle, bar, scale] = options.letters.bar();
    let (rate, low, high) = (place(rate), place(low), place(high));
    let drawn: String = (low..=high).map(|at| if at == rate { middle } else { bar }).collect();
    let dots = |count: usize| options.paint(FAINT, &scale.to_string().repeat(count));
    format!("{}{}{}", dots(low), options.paint(BAR, &drawn), dots(BAR_WIDTH - 1 - high))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rate: f64, low: f64, high: f64, expected: &str) {
        assert_eq!(interval_bar(rate, (low, high), TerminalOptions::default()), expected);
    }

    #[test]
    fn a_bar_shows_the_interval_on_a_scale_to_100() {
        check(0.5, 0.4, 0.6, "········━━●━━·······");
        check(0.0, 0.0, 0.01, "●···················");
        check(1.0, 0.9, 1.0, "··················━●");
    }

    #[test]
    fn bars_are_drawn_in_ascii_without_unicode() {
        let options = TerminalOptions { letters: Letters::Ascii, ..TerminalOptions::default() };
        assert_eq!(interval_bar(0.5, (0.4, 0.6), options), "........==o==.......");
    }

    #[test]
    fn counts_have_bars_as_long_as_they_are_large() {
        let bar = |label: &str, count: u64| super::super::Bar { label: label.to_string(), value: Cell::Count { count } };
        let bars = Bars { measure: "rows".to_string(), bars: vec![bar("a", 4), bar("b", 0), bar("c", 1)] };
        let lines = rendered(&ReportBlock::Bars(bars), TerminalOptions { width: 19, ..TerminalOptions::default() });
        assert_eq!(lines, ["     rows", "  a     4  ━━━━━━━━", "  b     0", "  c     1  ━━"]);
    }
}
