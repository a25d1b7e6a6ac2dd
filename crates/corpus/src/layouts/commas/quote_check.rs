//! Finds cells with text after their closing quotation mark, as in `"No," he said.`: CSV readers would drop the marks and keep the text.

use std::collections::VecDeque;
use std::io::{self, Read};

/// The state of the scanner before the next byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    RecordStart,
    CellStart,
    Plain,
    Quoted,
    /// After a mark within a quoted cell, which ends it or is the first of two.
    AfterMark,
}

/// Passes bytes on and examines the cells in them.
pub(super) struct QuoteCheck<R> {
    pub(super) inner: R,
    /// The separator of cells; `None` if nothing is checked.
    separator: Option<u8>,
    place: Place,
    line: u64,
    record: u64,
    /// Records with such a cell, counted from 0, and its line.
    found: VecDeque<(u64, u64)>,
}

impl<R> QuoteCheck<R> {
    /// Checks tab-separated cells; the first byte is on this line.
    pub(super) fn tabs(inner: R, line: u64) -> Self {
        QuoteCheck { inner, separator: Some(b'\t'), place: Place::RecordStart, line, record: 0, found: VecDeque::new() }
    }

    /// Passes everything on.
    pub(super) fn off(inner: R) -> Self {
        QuoteCheck { inner, separator: None, place: Place::RecordStart, line: 1, record: 0, found: VecDeque::new() }
    }

    /// The line of the first such cell of a record, if it has one; records must be queried in order.
    pub(super) fn broken_cell(&mut self, record: u64) -> Option<u64> {
        while self.found.front().is_some_and(|(earlier, _)| *earlier < record) {
            self.found.pop_front();
        }
        self.found.front().filter(|(own, _)| *own == record).map(|(_, line)| *line)
    }

    fn look(&mut self, byte: u8, separator: u8) {
        let is_end = matches!(byte, b'\n' | b'\r');
        self.place = match (self.place, byte) {
            (Place::Quoted, b'"') => Place::AfterMark,
            (Place::Quoted, _) => Place::Quoted,
            (Place::AfterMark, b'"') => Place::Quoted,
            // Blank lines are not records.
            (Place::RecordStart, _) if is_end => Place::RecordStart,
            (Place::RecordStart | Place::CellStart, b'"') => Place::Quoted,
            (_, other) if other == separator => Place::CellStart,
            _ if is_end => {
                self.record += 1;
                Place::RecordStart
            }
            (Place::AfterMark, _) => {
                self.found.push_back((self.record, self.line));
                Place::Plain
            }
            _ => Place::Plain,
        };
        self.line += u64::from(byte == b'\n');
    }
}

impl<R: Read> Read for QuoteCheck<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        if let Some(separator) = self.separator {
            buffer[..length].iter().for_each(|byte| self.look(*byte, separator));
        }
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_after_a_closing_mark_is_found_with_its_record_and_line() {
        let text = "a\t\"b\"\n\n\"c \"\"d\"\"\"\te\r\n\"two\nlines\"\tf\n\"No,\" he said.\tg\nx \"y\" z\t\"\"\n";
        let mut check = QuoteCheck::tabs(text.as_bytes(), 1);
        check.read_to_end(&mut Vec::new()).unwrap();
        assert_eq!((0..5).map(|record| check.broken_cell(record)).collect::<Vec<_>>(), [None, None, None, Some(6), None]);
    }
}
