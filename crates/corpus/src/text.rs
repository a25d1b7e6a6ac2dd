//! Plain text as blocks of whole lines or paragraphs, for work that is done piece by piece.

use crate::input::{InputFile, OpenedFile};
use crate::{CorpusError, RowProblem};
use std::collections::VecDeque;
use std::io::Read;
use std::sync::Arc;

/// What text is cut into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextUnit {
    /// Every line stands for itself.
    Line,
    /// Lines that follow each other stand together; blank lines stand between paragraphs.
    Paragraph,
}

/// Gives text files in blocks, one after another; gzip and zstd are seen through.
///
/// A block is what can be had without waiting, so that whoever types or pipes lines is answered line by line.
pub struct TextReader {
    files: VecDeque<InputFile>,
    unit: TextUnit,
    current: Option<OpenText>,
    opened: usize,
    buffer: Vec<u8>,
}

struct OpenText {
    file: InputFile,
    number: usize,
    name: Arc<str>,
    opened: OpenedFile,
    /// What the last block broke off.
    rest: Vec<u8>,
    next_line: u64,
}

/// Whole units of one file, not yet known to be text.
#[derive(Debug)]
pub struct TextBlock {
    path: Arc<str>,
    file: usize,
    unit: TextUnit,
    first_line: u64,
    bytes: Vec<u8>,
}

/// A line or paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPiece<'b> {
    /// The number of its first line, from 1.
    pub line: u64,
    /// The text, without the line end at its end.
    pub text: &'b str,
}

/// Bytes asked for at a time.
const CHUNK: usize = 64 << 10;

/// The longest line or paragraph.
const LONGEST_MB: usize = 1;

impl TextReader {
    /// A reader of these files.
    pub fn new(files: Vec<InputFile>, unit: TextUnit) -> Self {
        TextReader { files: files.into(), unit, current: None, opened: 0, buffer: vec![0; CHUNK] }
    }

    /// The next block, or `None` after the last file.
    pub fn next_block(&mut self) -> Result<Option<TextBlock>, CorpusError> {
        loop {
            let Some(current) = &mut self.current else {
                let Some(file) = self.files.pop_front() else { return Ok(None) };
                let (name, opened) = (file.name().into(), file.open()?);
                self.current = Some(OpenText { file, number: self.opened, name, opened, rest: Vec::new(), next_line: 1 });
                self.opened += 1;
                continue;
            };
            match current.next(self.unit, &mut self.buffer)? {
                Some(block) => return Ok(Some(block)),
                None => self.current = None,
            }
        }
    }
}

impl OpenText {
    fn next(&mut self, unit: TextUnit, buffer: &mut [u8]) -> Result<Option<TextBlock>, CorpusError> {
        let mut bytes = std::mem::take(&mut self.rest);
        loop {
            let read = match self.opened.text.read(buffer) {
                Ok(read) => read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(self.file.broken(self.next_line + lines_in(&bytes), &error)),
            };
            let searched = bytes.len();
            bytes.extend_from_slice(&buffer[..read]);
            if read == 0 {
                break;
            }
            if let Some(end) = last_end(&bytes, searched, unit) {
                self.rest = bytes.split_off(end);
                break;
            }
            if bytes.len() > LONGEST_MB << 20 {
                return Err(CorpusError::Row {
                    path: self.name.to_string(),
                    line: self.next_line,
                    problem: RowProblem::TextTooLong(LONGEST_MB),
                });
            }
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        let first_line = self.next_line;
        self.next_line += lines_in(&bytes);
        // A byte order mark says nothing in UTF-8.
        if first_line == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        Ok(Some(TextBlock { path: Arc::clone(&self.name), file: self.number, unit, first_line, bytes }))
    }
}

/// Where the last whole unit ends, looked for in what is new.
fn last_end(bytes: &[u8], searched: usize, unit: TextUnit) -> Option<usize> {
    match unit {
        TextUnit::Line => memchr::memrchr(b'\n', &bytes[searched..]).map(|at| searched + at + 1),
        TextUnit::Paragraph => {
            // A blank line is told by the line end before it, which may have come earlier.
            let mut end = bytes.len();
            while let Some(at) = memchr::memrchr(b'\n', &bytes[..end]) {
                let line_start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |before| before + 1);
                if bytes[line_start..at].trim_ascii().is_empty() {
                    return Some(at + 1);
                }
                if line_start < searched {
                    return None;
                }
                end = line_start;
            }
            None
        }
    }
}

fn lines_in(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

impl TextBlock {
    /// The number of the file, from 0.
    pub fn file(&self) -> usize {
        self.file
    }

    /// The name of the file.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The lines or paragraphs that are not blank, up to the first line that is not UTF-8, and the error about that line.
    pub fn pieces(&self) -> (Vec<TextPiece<'_>>, Option<CorpusError>) {
        let (text, error) = match std::str::from_utf8(&self.bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let valid = &self.bytes[..error.valid_up_to()];
                let line_start = memchr::memrchr(b'\n', valid).map_or(0, |at| at + 1);
                let problem = RowProblem::NotUtf8(valid.len() - line_start + 1);
                let error = CorpusError::Row { path: self.path.to_string(), line: self.first_line + lines_in(valid), problem };
                (std::str::from_utf8(&valid[..line_start]).unwrap_or_default(), Some(error))
            }
        };
        (pieces(text, self.first_line, self.unit), error)
    }
}

fn pieces(text: &str, first_line: u64, unit: TextUnit) -> Vec<TextPiece<'_>> {
    let mut pieces: Vec<TextPiece<'_>> = Vec::new();
    // Where the piece that goes on began.
    let mut open: Option<(u64, usize)> = None;
    let (mut at, mut number) = (0, first_line);
    for line in text.split_inclusive('\n') {
        let body = line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
        let end = at + body.len();
        if body.trim().is_empty() {
            open = None;
        } else if let (Some((_, start)), Some(last)) = (open, pieces.last_mut()) {
            last.text = &text[start..end];
        } else {
            pieces.push(TextPiece { line: number, text: body });
            open = (unit == TextUnit::Paragraph).then_some((number, at));
        }
        at += line.len();
        number += 1;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(unit: TextUnit, text: &str, expected: &[(u64, &str)]) {
        let found: Vec<(u64, &str)> = pieces(text, 1, unit).into_iter().map(|piece| (piece.line, piece.text)).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn lines_stand_for_themselves_and_blank_ones_for_nothing() {
        check(TextUnit::Line, "a b\r\n\n  \nc\td", &[(1, "a b"), (4, "c\td")]);
        check(TextUnit::Line, "", &[]);
        check(TextUnit::Line, "\n", &[]);
    }

    #[test]
    fn paragraphs_go_on_to_a_blank_line() {
        check(TextUnit::Paragraph, "a\nb\r\n\r\nc\n \nd", &[(1, "a\nb"), (4, "c"), (6, "d")]);
    }

    #[test]
    fn a_block_ends_with_a_whole_unit() {
        assert_eq!(last_end(b"a\nb", 0, TextUnit::Line), Some(2));
        assert_eq!(last_end(b"a\nb", 2, TextUnit::Line), None);
        assert_eq!(last_end(b"a\n\nb\n", 0, TextUnit::Paragraph), Some(3));
        assert_eq!(last_end(b"a\n \t\r\nb", 0, TextUnit::Paragraph), Some(6));
        assert_eq!(last_end(b"a\n\nb", 2, TextUnit::Paragraph), Some(3));
        assert_eq!(last_end(b"a\nb\nc\n", 0, TextUnit::Paragraph), None);
    }

    #[test]
    fn what_stands_before_a_bad_byte_is_kept_up_to_its_line() {
        let bytes = b"one\ntwo\nth\xffree\nfour\n".to_vec();
        let block = TextBlock { path: "f".into(), file: 0, unit: TextUnit::Line, first_line: 5, bytes };
        let (pieces, error) = block.pieces();
        assert_eq!(pieces.len(), 2);
        assert_eq!(error.unwrap().to_string(), "f:7: not UTF-8 (byte 3 of the line)");
    }

    #[test]
    fn files_follow_each_other_and_lines_are_counted_in_each() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["1.txt", "2.txt"].map(|name| folder.path().join(name));
        let long = format!("{}\nend\n", "word ".repeat(40_000));
        std::fs::write(&paths[0], &long).unwrap();
        std::fs::write(&paths[1], "\u{feff}x").unwrap();
        let mut reader = TextReader::new(paths.map(InputFile::new).into(), TextUnit::Line);
        let mut found = Vec::new();
        while let Some(block) = reader.next_block().unwrap() {
            found.extend(block.pieces().0.iter().map(|piece| (block.file(), piece.line, piece.text.len())));
        }
        assert_eq!(found, [(0, 1, 200_000), (0, 2, 3), (1, 1, 1)]);
    }
}
