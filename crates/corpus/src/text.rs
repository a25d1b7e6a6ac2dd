//! Plain text as blocks of whole lines or paragraphs.

use crate::input::{InputFile, OpenedFile};
use crate::{CorpusError, RowProblem};
use std::collections::VecDeque;
use std::io::Read;
use std::sync::Arc;

/// The units of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextUnit {
    /// Every line is a unit.
    Line,
    /// Paragraphs, separated by blank lines.
    Paragraph,
}

/// Reads text files in blocks, one after another; gzip and zstd are decompressed.
///
/// A block is what can be read without waiting, so that typed or piped lines are processed one by one.
pub struct TextReader {
    files: VecDeque<InputFile>,
    unit: TextUnit,
    current: Option<OpenText>,
    opened: usize,
    buffer: Vec<u8>,
    cut: u64,
}

struct OpenText {
    file: InputFile,
    number: usize,
    name: Arc<str>,
    opened: OpenedFile,
    /// The unfinished unit at the end of the last block.
    rest: Vec<u8>,
    next_line: u64,
    /// The number of pieces so far of a unit that is too long for one block.
    given: u64,
}

/// Whole units of one file, or a piece of one that is too long, not yet validated as UTF-8.
#[derive(Debug)]
pub struct TextBlock {
    path: Arc<str>,
    file: usize,
    unit: TextUnit,
    first_line: u64,
    /// The number, from 1, of the first piece if a long unit was cut.
    piece: Option<u64>,
    bytes: Vec<u8>,
}

/// A line or paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPiece<'b> {
    /// The number of its first line, from 1.
    pub line: u64,
    /// The number of this piece, from 1, if the line or paragraph was cut.
    pub piece: Option<u64>,
    /// The text, without its final line end.
    pub text: &'b str,
}

/// The number of bytes requested at a time.
const CHUNK: usize = 64 << 10;

/// The longest piece in KB; a longer line or paragraph is cut.
pub const LONGEST_PIECE_KB: usize = 128;

/// How far before the end of a piece a good place to cut is searched for.
const NEAR: usize = 4096;

impl TextReader {
    /// A reader of these files.
    pub fn new(files: Vec<InputFile>, unit: TextUnit) -> Self {
        TextReader { files: files.into(), unit, current: None, opened: 0, buffer: vec![0; CHUNK], cut: 0 }
    }

    /// The number of lines or paragraphs that were so long that they were cut into pieces, which are treated as units.
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// The next block, or `None` after the last file.
    pub fn next_block(&mut self) -> Result<Option<TextBlock>, CorpusError> {
        loop {
            let Some(current) = &mut self.current else {
                let Some(file) = self.files.pop_front() else { return Ok(None) };
                let (name, opened) = (file.name().into(), file.open()?);
                self.current = Some(OpenText { file, number: self.opened, name, opened, rest: Vec::new(), next_line: 1, given: 0 });
                self.opened += 1;
                continue;
            };
            match current.next(self.unit, &mut self.buffer, &mut self.cut)? {
                Some(block) => return Ok(Some(block)),
                None => self.current = None,
            }
        }
    }
}

impl OpenText {
    fn next(&mut self, unit: TextUnit, buffer: &mut [u8], cut: &mut u64) -> Result<Option<TextBlock>, CorpusError> {
        let mut bytes = std::mem::take(&mut self.rest);
        let given = std::mem::take(&mut self.given);
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
            if bytes.len() > LONGEST_PIECE_KB << 10 {
                self.rest = bytes.split_off(good_cut(&bytes));
                self.given = given + 1;
                *cut += u64::from(given == 0);
                break;
            }
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        let first_line = self.next_line;
        self.next_line += lines_in(&bytes);
        // A byte order mark has no meaning in UTF-8.
        if first_line == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        let piece = (given > 0 || self.given > 0).then_some(given + 1);
        Ok(Some(TextBlock { path: Arc::clone(&self.name), file: self.number, unit, first_line, piece, bytes }))
    }
}

/// The end of the last whole unit, searched for in the new bytes.
fn last_end(bytes: &[u8], searched: usize, unit: TextUnit) -> Option<usize> {
    match unit {
        TextUnit::Line => memchr::memrchr(b'\n', &bytes[searched..]).map(|at| searched + at + 1),
        TextUnit::Paragraph => {
            // A blank line is recognised by the line end before it, which may be in an earlier block.
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

/// Where a piece of a text that is too long ends: after the last end of a sentence that is near, else after white space, else after a character.
fn good_cut(bytes: &[u8]) -> usize {
    let end = bytes.len();
    let near = end.saturating_sub(NEAR);
    let spaces = || (near..end).rev().filter(|&at| bytes[at].is_ascii_whitespace());
    let after_stop = |at: &usize| *at > near && matches!(bytes[*at - 1], b'.' | b'!' | b'?');
    let at = spaces().find(after_stop).or_else(|| spaces().next()).map(|at| at + 1);
    // The last character may be incomplete.
    at.unwrap_or_else(|| (near..end).rev().find(|&at| bytes[at] & 0xc0 != 0x80).filter(|&at| at > 0).unwrap_or(end))
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
        let mut found = pieces(text, self.first_line, self.unit);
        if let Some(first) = found.first_mut().filter(|first| first.line == self.first_line) {
            first.piece = self.piece;
        }
        (found, error)
    }
}

fn pieces(text: &str, first_line: u64, unit: TextUnit) -> Vec<TextPiece<'_>> {
    let mut pieces: Vec<TextPiece<'_>> = Vec::new();
    // The start of the piece that continues.
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
            pieces.push(TextPiece { line: number, piece: None, text: body });
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
    fn every_line_is_a_unit_and_blank_lines_are_skipped() {
        check(TextUnit::Line, "a b\r\n\n  \nc\td", &[(1, "a b"), (4, "c\td")]);
        check(TextUnit::Line, "", &[]);
        check(TextUnit::Line, "\n", &[]);
    }

    #[test]
    fn paragraphs_end_at_a_blank_line() {
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
    fn lines_before_an_invalid_byte_are_kept() {
        let bytes = b"one\ntwo\nth\xffree\nfour\n".to_vec();
        let block = TextBlock { path: "f".into(), file: 0, unit: TextUnit::Line, first_line: 5, piece: None, bytes };
        let (pieces, error) = block.pieces();
        assert_eq!(pieces.len(), 2);
        assert_eq!(error.unwrap().to_string(), "f:7: not UTF-8 (byte 3 of the line)");
    }

    #[test]
    fn a_very_long_line_is_cut_between_sentences_words_or_characters() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.txt");
        let most = LONGEST_PIECE_KB << 10;
        for (unit, end) in [("It is so. No end ", "so. "), ("word ", " "), ("é", "é")] {
            let long = unit.repeat(5 * most / unit.len());
            std::fs::write(&path, format!("{long}\nend\n")).unwrap();
            let mut reader = TextReader::new(vec![InputFile::new(&path)], TextUnit::Line);
            let mut found: Vec<(u64, Option<u64>, String)> = Vec::new();
            while let Some(block) = reader.next_block().unwrap() {
                let (pieces, error) = block.pieces();
                assert!(error.is_none(), "{error:?}");
                found.extend(pieces.iter().map(|piece| (piece.line, piece.piece, piece.text.to_string())));
            }
            assert_eq!(found.pop(), Some((2, None, "end".to_string())));
            assert!(found.len() >= 4 && found.iter().all(|(line, _, text)| *line == 1 && text.len() <= most + CHUNK));
            assert!(found.iter().map(|(_, piece, _)| *piece).eq((1..=found.len() as u64).map(Some)));
            assert!(found[0].2.ends_with(end));
            assert_eq!(found.into_iter().map(|(.., text)| text).collect::<String>(), long);
            assert_eq!(reader.cut(), 1);
        }
    }

    #[test]
    fn files_follow_each_other_and_lines_are_counted_in_each() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["1.txt", "2.txt"].map(|name| folder.path().join(name));
        let long = format!("{}\nend\n", "word ".repeat(20_000));
        std::fs::write(&paths[0], &long).unwrap();
        std::fs::write(&paths[1], "\u{feff}x").unwrap();
        let mut reader = TextReader::new(paths.map(InputFile::new).into(), TextUnit::Line);
        let mut found = Vec::new();
        while let Some(block) = reader.next_block().unwrap() {
            found.extend(block.pieces().0.iter().map(|piece| (block.file(), piece.line, piece.text.len())));
        }
        assert_eq!(found, [(0, 1, 100_000), (0, 2, 3), (1, 1, 1)]);
    }
}
