//! How a table fits the width of a page: type size, line breaks in long columns, and several tables for many columns.

use super::text::escaped;
use crate::report::layout::one_line;
use crate::report::{Alignment, Cell, Table, TableColumn};

/// The width of the text of an article in 11 pt on A4 paper, in points.
const TEXT_WIDTH: f64 = 360.0;

/// A type size with the width of an average letter and the space between two columns, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
struct TypeSize {
    command: &'static str,
    letter: f64,
    column_space: f64,
}

const NORMAL: TypeSize = TypeSize { command: "", letter: 5.3, column_space: 12.0 };
const SMALL: TypeSize = TypeSize { command: "\\small\\setlength{\\tabcolsep}{4pt}", letter: 4.85, column_space: 8.0 };
const FOOTNOTE: TypeSize = TypeSize { command: "\\footnotesize\\setlength{\\tabcolsep}{3pt}", letter: 4.45, column_space: 6.0 };

/// Layouts from the most to the least spacious: a type size, and the number of letters after which words and names are broken.
const LAYOUTS: [(TypeSize, usize); 6] =
    [(NORMAL, usize::MAX), (SMALL, usize::MAX), (SMALL, 40), (FOOTNOTE, 40), (FOOTNOTE, 30), (FOOTNOTE, 22)];

/// Layouts for parts that are still too wide, with one column beside the names of the rows.
const NARROW_LAYOUTS: [(TypeSize, usize); 3] = [(FOOTNOTE, 18), (FOOTNOTE, 14), (FOOTNOTE, SHORTEST_HEADING)];

/// Headings are broken into lines of at least this many letters.
const SHORTEST_HEADING: usize = 10;

/// Where the interval of a value is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Intervals {
    /// After the value.
    Beside,
    /// Below the value, in smaller type, so that more columns fit.
    Below,
}

impl Intervals {
    /// Below the values where three or more models are columns.
    pub(super) fn of(table: &Table, models: &[&str]) -> Self {
        match table.columns.iter().filter(|column| models.contains(&column.name.as_str())).count() {
            0..3 => Intervals::Beside,
            _ => Intervals::Below,
        }
    }
}

/// A part of a table that fits the page, with its layout.
pub(super) struct Fitted {
    pub table: Table,
    intervals: Intervals,
    size: TypeSize,
    longest: usize,
}

/// The table, or parts of its columns if there are too many; every part has the columns that name the rows.
pub(super) fn fitted(table: &Table, intervals: Intervals) -> Vec<Fitted> {
    if let Some((size, longest)) = LAYOUTS.into_iter().find(|(size, longest)| width(table, intervals, *size, *longest) <= TEXT_WIDTH) {
        return vec![Fitted { table: table.clone(), intervals, size, longest }];
    }
    let (size, longest) = LAYOUTS[LAYOUTS.len() - 1];
    let keys: Vec<usize> = (0..table.key_columns.min(table.columns.len())).collect();
    let mut parts: Vec<Vec<usize>> = vec![keys.clone()];
    for column in keys.len()..table.columns.len() {
        let with: Vec<usize> = parts.last().into_iter().flatten().copied().chain([column]).collect();
        let is_first = with.len() == keys.len() + 1;
        if is_first || width(&columns_of(table, &with), intervals, size, longest) <= TEXT_WIDTH {
            parts.pop();
            parts.push(with);
        } else {
            parts.push(keys.iter().copied().chain([column]).collect());
        }
    }
    // A part has room for larger type than the whole.
    parts.iter().map(|part| spacious(columns_of(table, part), intervals, size, longest)).collect()
}

fn spacious(table: Table, intervals: Intervals, size: TypeSize, longest: usize) -> Fitted {
    let mut layouts = LAYOUTS.into_iter().chain(NARROW_LAYOUTS);
    let found = layouts.find(|(size, longest)| width(&table, intervals, *size, *longest) <= TEXT_WIDTH);
    let (size, longest) = found.unwrap_or((size, longest));
    Fitted { table, intervals, size, longest }
}

fn columns_of(table: &Table, columns: &[usize]) -> Table {
    let rows = table.rows.iter().map(|row| columns.iter().filter_map(|&at| row.get(at).cloned()).collect()).collect();
    let heads = columns.iter().map(|&at| table.columns[at].clone()).collect();
    Table { columns: heads, rows, ..table.clone() }
}

impl Fitted {
    /// Commands for the type size, before the table.
    pub(super) fn size(&self) -> &'static str {
        self.size.command
    }

    /// The specification of the columns.
    pub(super) fn columns(&self) -> String {
        let of = |(at, column): (usize, &TableColumn)| match (self.is_broken(at), column.alignment) {
            (true, _) => format!("p{{{:.0}pt}}", self.longest as f64 * self.size.letter),
            (false, Alignment::Left) => "l".to_string(),
            (false, Alignment::Right) => "r".to_string(),
        };
        self.table.columns.iter().enumerate().map(of).collect()
    }

    /// The heading of a column, in lines no longer than its values if it can be broken.
    pub(super) fn heading(&self, at: usize) -> String {
        let column = &self.table.columns[at];
        let lines = heading_lines(&column.name, widest(&self.table, at, self.intervals).min(self.longest));
        if self.is_broken(at) || lines.len() < 2 {
            return self.cell(at, &Cell::text(&column.name));
        }
        let side = match column.alignment {
            Alignment::Left => 'l',
            Alignment::Right => 'r',
        };
        format!("\\shortstack[{side}]{{{}}}", lines.iter().map(|line| escaped(line)).collect::<Vec<_>>().join("\\\\"))
    }

    fn is_broken(&self, at: usize) -> bool {
        is_broken(&self.table, at, self.intervals, self.longest)
    }

    /// A value; one that is broken into lines is not justified.
    pub(super) fn cell(&self, at: usize, cell: &Cell) -> String {
        let written = cell.written();
        if self.intervals == Intervals::Below && written.tail.starts_with(" [") {
            return format!("\\shortstack[r]{{{}\\\\{{\\scriptsize {}}}}}", escaped(&written.head), escaped(written.tail.trim_start()));
        }
        let text = escaped(&written.head) + &escaped(&written.tail);
        match (self.is_broken(at), self.table.columns[at].alignment) {
            (true, Alignment::Left) => format!("\\raggedright\\let\\\\\\tabularnewline {text}"),
            (true, Alignment::Right) => format!("\\raggedleft\\let\\\\\\tabularnewline {text}"),
            (false, _) => text,
        }
    }
}

/// Whether the words or names of a column are broken into lines. Numbers never are.
fn is_broken(table: &Table, at: usize, intervals: Intervals, longest: usize) -> bool {
    let is_text = table.rows.iter().filter_map(|row| row.get(at)).all(|cell| matches!(cell, Cell::Text { .. } | Cell::Empty {}));
    is_text && widest(table, at, intervals) > longest
}

/// The estimated width in points.
fn width(table: &Table, intervals: Intervals, size: TypeSize, longest: usize) -> f64 {
    let letters = |at: usize| {
        let own = if is_broken(table, at, intervals, longest) { longest } else { widest(table, at, intervals) };
        let lines = heading_lines(&table.columns[at].name, own.min(longest));
        own.max(lines.iter().map(|line| line.chars().count()).max().unwrap_or(0))
    };
    (0..table.columns.len()).map(|at| letters(at) as f64 * size.letter + size.column_space).sum::<f64>() - size.column_space
}

/// The letters of the longest value of a column.
fn widest(table: &Table, at: usize, intervals: Intervals) -> usize {
    let letters = |cell: &Cell| {
        let written = cell.written();
        let (head, tail) = (written.head.chars().count(), written.tail.chars().count());
        if intervals == Intervals::Below { head.max(tail.saturating_sub(1)) } else { head + tail }
    };
    table.rows.iter().filter_map(|row| row.get(at)).map(letters).max().unwrap_or(0)
}

fn heading_lines(name: &str, most: usize) -> Vec<String> {
    let most = most.max(SHORTEST_HEADING);
    let mut lines: Vec<String> = Vec::new();
    for word in one_line(name).split_whitespace().flat_map(|word| pieces(word, most)) {
        let word = word.as_str();
        match lines.last_mut().filter(|line| line.chars().count() + 1 + word.chars().count() <= most) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_string()),
        }
    }
    lines
}

/// A word in pieces of at most `most` letters, such as the name of a file: cut after a sign if there is one, otherwise anywhere.
fn pieces(word: &str, most: usize) -> Vec<String> {
    let mut pieces: Vec<String> = vec![String::new()];
    for part in word.split_inclusive(['_', '@', '/', '-', '.', ':']) {
        let fits = |piece: &String| piece.chars().count() + part.chars().count() <= most;
        if !pieces.last().is_some_and(fits) {
            pieces.push(String::new());
        }
        for letter in part.chars() {
            if pieces.last().is_some_and(|piece| piece.chars().count() == most) {
                pieces.push(String::new());
            }
            if let Some(piece) = pieces.last_mut() {
                piece.push(letter);
            }
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::PointsInterval;

    fn table(columns: usize, value: &str) -> Table {
        let heads = std::iter::once(TableColumn::left("name")).chain((1..columns).map(|n| TableColumn::right(format!("column {n}"))));
        let row = std::iter::once(Cell::text(value)).chain((1..columns).map(|_| Cell::text("84.8 % [84.1, 85.6]")));
        Table::new(1, heads.collect(), vec![row.collect()])
    }

    #[test]
    fn a_narrow_table_is_set_in_normal_type() {
        let [part] = &fitted(&table(2, "m"), Intervals::Beside)[..] else { panic!("one table") };
        assert_eq!((part.size(), part.columns().as_str()), ("", "lr"));
    }

    #[test]
    fn long_names_are_broken_into_lines_and_numbers_are_not() {
        let long = "a model with a name that is as long as that of a file, folder and column together";
        let [part] = &fitted(&table(2, long), Intervals::Beside)[..] else { panic!("one table") };
        assert_eq!(part.columns(), "p{194pt}r");
        assert_eq!(part.cell(0, &Cell::text("a_b")), r"\raggedright\let\\\tabularnewline a\_\allowbreak{}b");
    }

    #[test]
    fn many_columns_become_several_tables_that_all_name_their_rows() {
        let parts = fitted(&table(12, "model"), Intervals::Beside);
        assert!(parts.len() > 1);
        let names: Vec<&str> = parts.iter().flat_map(|part| part.table.columns.iter().skip(1)).map(|column| column.name.as_str()).collect();
        assert_eq!(names.len(), 11, "every column once");
        assert!(parts.iter().all(|part| part.table.columns[0].name == "name"));
    }

    #[test]
    fn with_intervals_below_the_values_more_columns_fit() {
        let share = Cell::Difference {
            points: 19.3,
            interval: Some(PointsInterval { low: 14.4, high: 24.3, is_zero_left_out: false }),
            p: None,
            mark: None,
        };
        let row: Vec<Cell> = std::iter::once(Cell::text("spelling-swap-function")).chain(vec![share; 4]).collect();
        let heads = ["set", "a", "b", "c", "d"].map(TableColumn::right).to_vec();
        let wide = Table::new(1, heads, vec![row]);
        assert!(Intervals::of(&wide, &["a", "b", "c", "d"]) == Intervals::Below && Intervals::of(&wide, &["a", "b"]) == Intervals::Beside);
        let [part] = &fitted(&wide, Intervals::Below)[..] else { panic!("one table") };
        assert_eq!(part.cell(1, &wide.rows[0][1]), r"\shortstack[r]{19.3\\{\scriptsize [14.4, 24.3]}}");
    }

    #[test]
    fn every_part_fits_the_text_width() {
        let model = "checkpoints/roberta-large-mnli-finetuned-on-everything-we-have.predictions.jsonl@prediction_of_epoch_3";
        let rate = |_| Cell::Rate { count: 8_480, total: 10_000, low: 0.84, high: 0.85, mark: None };
        for (keys, models) in [(1, 1), (1, 2), (2, 4), (3, 9)] {
            let names = (0..keys).map(|n| TableColumn::left(format!("{model}{n}")));
            let heads: Vec<TableColumn> = names.chain((0..models).map(|n| TableColumn::right(format!("{model}{n}")))).collect();
            let row: Vec<Cell> = (0..keys).map(|_| Cell::text(model)).chain((0..models).map(rate)).collect();
            for intervals in [Intervals::Beside, Intervals::Below] {
                for part in fitted(&Table::new(keys, heads.clone(), vec![row.clone()]), intervals) {
                    let width = width(&part.table, intervals, part.size, part.longest);
                    assert!(width <= TEXT_WIDTH, "{keys} keys, {models} models: {width}");
                }
            }
        }
    }

    #[test]
    fn a_long_name_in_a_heading_is_broken_after_a_sign() {
        assert_eq!(heading_lines("predictions.csv@roberta_large", 12), ["predictions.", "csv@roberta_", "large"]);
        assert_eq!(heading_lines("abcdefghijklmnop", 10), ["abcdefghij", "klmnop"]);
    }

    #[test]
    fn a_long_heading_is_broken_to_the_width_of_its_values() {
        assert_eq!(
            heading_lines("minimum detectable difference (80 % power)", 4),
            ["minimum", "detectable", "difference", "(80 %", "power)"]
        );
    }
}
