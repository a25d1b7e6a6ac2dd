//! Comma separated values as spreadsheets write them: quoted cells, any of three separators, any line ending.

use super::problem::SheetProblem;

/// A row with the line on which it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record {
    pub line: u64,
    pub cells: Vec<String>,
}

/// What cells may be separated by.
const SEPARATORS: [char; 3] = [',', ';', '\t'];

/// All rows of a text, whose separator is recognised by its first line; a spreadsheet may name it before that (`sep=;`).
pub(super) fn read(text: &str) -> Result<Vec<Record>, (u64, SheetProblem)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let first = text.lines().next().unwrap_or_default();
    let named = first.trim_end().strip_prefix("sep=").and_then(|rest| rest.chars().next().filter(|_| rest.chars().count() == 1));
    let (body, line) = match named {
        Some(_) => (text.split_once('\n').map_or("", |(_, rest)| rest), 2),
        None => (text, 1),
    };
    let times = |separator: char| body.lines().next().unwrap_or_default().matches(separator).count();
    let most = SEPARATORS.into_iter().rev().max_by_key(|separator| times(*separator)).unwrap_or(',');
    Scanner { rest: body.chars().peekable(), line, separator: named.unwrap_or(most) }.records()
}

struct Scanner<'t> {
    rest: std::iter::Peekable<std::str::Chars<'t>>,
    line: u64,
    separator: char,
}

/// What follows a cell.
#[derive(PartialEq, Eq)]
enum After {
    Cell,
    Line,
    End,
}

impl Scanner<'_> {
    fn records(mut self) -> Result<Vec<Record>, (u64, SheetProblem)> {
        let mut records = Vec::new();
        while self.rest.peek().is_some() {
            let (line, mut cells) = (self.line, Vec::new());
            loop {
                let quoted = self.rest.next_if_eq(&'"').is_some();
                let (cell, after) = if quoted { self.quoted()? } else { self.plain() };
                cells.push(cell);
                if after != After::Cell {
                    break;
                }
            }
            records.push(Record { line, cells });
        }
        Ok(records)
    }

    fn plain(&mut self) -> (String, After) {
        let mut cell = String::new();
        loop {
            match self.after() {
                Some(after) => return (cell, after),
                None => cell.extend(self.rest.next()),
            }
        }
    }

    /// What follows here, if the cell is at its end; line endings are stepped over.
    fn after(&mut self) -> Option<After> {
        match self.rest.peek() {
            None => Some(After::End),
            Some(letter) if *letter == self.separator => {
                self.rest.next();
                Some(After::Cell)
            }
            Some('\r' | '\n') => {
                if self.rest.next() == Some('\r') {
                    self.rest.next_if_eq(&'\n');
                }
                self.line += 1;
                Some(After::Line)
            }
            Some(_) => None,
        }
    }

    fn quoted(&mut self) -> Result<(String, After), (u64, SheetProblem)> {
        let (begin, mut cell) = (self.line, String::new());
        loop {
            match self.rest.next() {
                None => return Err((begin, SheetProblem::OpenQuote)),
                Some('"') if self.rest.next_if_eq(&'"').is_some() => cell.push('"'),
                Some('"') => {
                    let line = self.line;
                    return self.after().map(|after| (cell, after)).ok_or((line, SheetProblem::AfterQuote));
                }
                Some('\r') => {
                    // One line ending inside a cell, however it is written.
                    self.rest.next_if_eq(&'\n');
                    self.line += 1;
                    cell.push('\n');
                }
                Some(letter) => {
                    self.line += u64::from(letter == '\n');
                    cell.push(letter);
                }
            }
        }
    }
}

/// Adds a row; every cell is quoted where it must be.
pub(super) fn add_row<'c>(text: &mut String, cells: impl IntoIterator<Item = &'c str>) {
    for (place, cell) in cells.into_iter().enumerate() {
        if place > 0 {
            text.push(',');
        }
        if cell.contains([',', ';', '\t', '"', '\n', '\r']) || cell.trim() != cell {
            text.push('"');
            text.push_str(&cell.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(cell);
        }
    }
    text.push('\n');
}

/// Letters with which a spreadsheet begins a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

fn would_be_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(FORMULA)
}

/// A text that no spreadsheet takes for a formula: an apostrophe stands before it where it is needed.
pub(super) fn guarded(text: &str) -> String {
    if would_be_formula(text) { format!("'{text}") } else { text.to_string() }
}

/// The text that [`guarded`] was given; a spreadsheet may have dropped the apostrophe.
pub(super) fn unguarded(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| would_be_formula(rest)).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &[(u64, &[&str])]) {
        let found = read(text).unwrap();
        let found: Vec<(u64, Vec<&str>)> =
            found.iter().map(|record| (record.line, record.cells.iter().map(String::as_str).collect())).collect();
        let expected: Vec<(u64, Vec<&str>)> = expected.iter().map(|(line, cells)| (*line, cells.to_vec())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_spreadsheets_write_is_read() {
        check("a,b\n1,\"x, \"\"y\"\"\"\n", &[(1, &["a", "b"]), (2, &["1", "x, \"y\""])]);
        check("\u{feff}a;b\r\n1;\"x\r\ny\"\r\n2;,\r\n", &[(1, &["a", "b"]), (2, &["1", "x\ny"]), (4, &["2", ","])]);
        check("sep=;\r\na;b\r\n", &[(2, &["a", "b"])]);
        check("a\tb\r1\t2", &[(1, &["a", "b"]), (2, &["1", "2"])]);
        check("a,b\n,\n", &[(1, &["a", "b"]), (2, &["", ""])]);
        check("", &[]);
    }

    #[test]
    fn broken_quotes_are_refused_where_they_begin() {
        assert_eq!(read("a,b\n1,\"x\n2,y\n").unwrap_err(), (2, SheetProblem::OpenQuote));
        assert_eq!(read("a,b\n1,\"x\"y\n").unwrap_err(), (2, SheetProblem::AfterQuote));
    }

    #[test]
    fn formulas_are_guarded_and_read_back() {
        for text in ["=1+1", "+x", "-x", "@x", "'=x", "''-x", "'quoted'", "plain", "", "'", "\t=x"] {
            let cell = guarded(text);
            assert!(!cell.starts_with(FORMULA), "{cell:?}");
            assert_eq!(unguarded(&cell), text);
        }
        assert_eq!(guarded("'quoted'"), "'quoted'");
        assert_eq!(unguarded("=x"), "=x", "a spreadsheet that dropped the apostrophe");
    }

    proptest! {
        #[test]
        fn every_table_is_read_as_it_was_written(rows in prop::collection::vec(prop::collection::vec("[ab,;\t\"'=\n é-]{0,6}", 3), 1..6)) {
            let mut text = "x,y,z\n".to_string();
            let guard = |cell: &String| guarded(cell);
            for row in &rows {
                let cells: Vec<String> = row.iter().map(guard).collect();
                add_row(&mut text, cells.iter().map(String::as_str));
            }
            let found = read(&text).unwrap();
            let cells: Vec<Vec<&str>> = found[1..].iter().map(|record| record.cells.iter().map(|cell| unguarded(cell)).collect()).collect();
            let expected: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
            prop_assert_eq!(cells, expected);
        }

        #[test]
        fn any_text_is_read_or_refused_with_a_line_of_it(text in "[a\",;\t\n\r=]{0,40}") {
            let lines = text.matches(['\n', '\r']).count() as u64 + 1;
            match read(&text) {
                Ok(records) => prop_assert!(records.iter().all(|record| (1..=lines).contains(&record.line) && !record.cells.is_empty())),
                Err((line, _)) => prop_assert!((1..=lines).contains(&line)),
            }
        }
    }
}
