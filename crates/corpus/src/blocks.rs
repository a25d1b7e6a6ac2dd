//! A file as blocks of whole lines, each small enough for the processor's cache and large enough to be worth passing to another thread.

use crate::input::{InputFile, OpenedFile};
use crate::spare::Spare;
use crate::{CorpusError, RowProblem};
use acidtest_files::ContentHash;
use std::io::Read;

/// Bytes read at a time.
const BLOCK: usize = 256 << 10;

/// Room in a buffer for a longer rest of the block before, so that it can be used again.
const ROOM: usize = 16 << 10;

/// The longest line that can be a row.
const LONGEST_LINE_MB: usize = 64;

/// Whole lines of a file.
#[derive(Debug, Default)]
pub(crate) struct LineBlock {
    pub text: String,
    /// The number of the first line, from 1.
    pub first_line: u64,
    /// Lines that are not UTF-8, which are empty in the text, with the position of the first invalid byte, from 1.
    invalid: Vec<(u64, usize)>,
    /// The bytes as read, if not all of them are UTF-8.
    raw: Option<Vec<u8>>,
    /// Where the buffer of the text is returned.
    spare: Spare,
}

impl Drop for LineBlock {
    fn drop(&mut self) {
        self.spare.give(std::mem::take(&mut self.text).into_bytes());
    }
}

/// Cuts an open file into blocks of lines.
pub(crate) struct LineBlocks {
    file: InputFile,
    opened: OpenedFile,
    /// The unfinished line at the end of the last block.
    rest: Vec<u8>,
    next_line: u64,
    ended: bool,
    spare: Spare,
}

impl LineBlocks {
    pub(crate) fn new(file: InputFile, opened: OpenedFile) -> Self {
        LineBlocks { file, opened, rest: Vec::new(), next_line: 1, ended: false, spare: Spare::default() }
    }

    /// The content hash of what was read.
    pub(crate) fn content_hash(&self) -> ContentHash {
        self.opened.content_hash()
    }

    /// The file from its first block on, for readers that split it into rows themselves.
    pub(crate) fn reopened(mut self, mut first: LineBlock) -> OpenedFile {
        let mut bytes = first.raw.take().unwrap_or_else(|| std::mem::take(&mut first.text).into_bytes());
        bytes.append(&mut self.rest);
        self.opened.push_front(bytes);
        self.opened
    }

    /// The next lines, or `None` at the end of the file.
    pub(crate) fn next(&mut self) -> Result<Option<LineBlock>, CorpusError> {
        if self.ended {
            return Ok(None);
        }
        let mut filled = self.rest.len();
        let mut bytes = self.spare.take();
        if bytes.capacity() < filled + BLOCK {
            bytes = Vec::with_capacity(filled + BLOCK + ROOM);
        }
        if bytes.len() < filled + BLOCK {
            bytes.resize(filled + BLOCK, 0);
        }
        bytes[..filled].copy_from_slice(&self.rest);
        self.rest.clear();
        loop {
            let searched = filled;
            let (read, broken) = fill(&mut *self.opened.text, &mut bytes[searched..searched + BLOCK]);
            filled += read;
            if let Some(error) = broken {
                return Err(self.file.broken(self.next_line + lines_in(&bytes[..filled]), &error));
            }
            if read == 0 {
                self.ended = true;
                break;
            }
            if let Some(at) = memchr::memrchr(b'\n', &bytes[searched..filled]) {
                // The rest begins the next block.
                self.rest.extend_from_slice(&bytes[searched + at + 1..filled]);
                filled = searched + at + 1;
                break;
            }
            if filled > LONGEST_LINE_MB << 20 {
                return Err(self.row_error(self.next_line, RowProblem::TooLong(LONGEST_LINE_MB)));
            }
            bytes.resize(filled + BLOCK, 0);
        }
        bytes.truncate(filled);
        if bytes.is_empty() {
            return Ok(None);
        }
        let first_line = self.next_line;
        self.next_line += lines_in(&bytes);
        let mut block = LineBlock::of_bytes(bytes, first_line);
        block.spare = self.spare.clone();
        Ok(Some(block))
    }

    /// The next lines, all of which must be UTF-8.
    pub(crate) fn next_text(&mut self) -> Result<Option<LineBlock>, CorpusError> {
        let block = self.next()?;
        let valid = block.as_ref().map_or(Ok(()), LineBlock::all_utf8);
        valid.map_err(|(line, problem)| self.row_error(line, problem))?;
        Ok(block)
    }

    fn row_error(&self, line: u64, problem: RowProblem) -> CorpusError {
        CorpusError::Row { path: self.file.name(), line, problem }
    }
}

/// Reads until the buffer is full or the file ends; an error comes with how much was read before it.
fn fill(file: &mut dyn Read, buffer: &mut [u8]) -> (usize, Option<std::io::Error>) {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return (filled, Some(error)),
        }
    }
    (filled, None)
}

fn lines_in(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

impl LineBlock {
    /// Whole lines as they were read.
    pub(crate) fn of_bytes(bytes: Vec<u8>, first_line: u64) -> Self {
        // Most blocks are ASCII, which is faster to check.
        let text = match bytes.is_ascii() {
            // SAFETY: ASCII is UTF-8.
            #[allow(unsafe_code)]
            true => Ok(unsafe { String::from_utf8_unchecked(bytes) }),
            false => String::from_utf8(bytes),
        };
        match text {
            Ok(text) => LineBlock { text, first_line, invalid: Vec::new(), raw: None, spare: Spare::default() },
            Err(error) => LineBlock::with_invalid(error.into_bytes(), first_line),
        }
    }

    /// Removes the header.
    pub(crate) fn drop_first_line(&mut self) {
        let length = self.text.lines().take_while(|line| line.trim_ascii().is_empty()).count() + 1;
        for _ in 0..length {
            let end = self.text.find('\n').map_or(self.text.len(), |at| at + 1);
            self.text.drain(..end);
            if let Some(raw) = &mut self.raw {
                let end = memchr::memchr(b'\n', raw).map_or(raw.len(), |at| at + 1);
                raw.drain(..end);
            }
            self.first_line += 1;
        }
    }

    /// The lines with their numbers, without blank ones.
    pub(crate) fn lines(&self) -> Lines<'_> {
        Lines { rest: &self.text, number: self.first_line, invalid: &self.invalid }
    }

    /// The lines of a block all of which are UTF-8.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (u64, &str)> {
        self.lines().filter_map(|(line, text)| Some((line, text.ok()?)))
    }

    /// The first line that is not UTF-8, if there is one.
    pub(crate) fn all_utf8(&self) -> Result<(), (u64, RowProblem)> {
        self.invalid.first().map_or(Ok(()), |&(line, byte)| Err((line, RowProblem::NotUtf8(byte))))
    }

    fn with_invalid(bytes: Vec<u8>, first_line: u64) -> Self {
        let text = String::with_capacity(bytes.len());
        let mut block = LineBlock { text, first_line, invalid: Vec::new(), raw: None, spare: Spare::default() };
        for (line, bytes) in (first_line..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            match std::str::from_utf8(bytes) {
                Ok(text) => block.text.push_str(text),
                Err(error) => {
                    block.text.push('\n');
                    block.invalid.push((line, error.valid_up_to() + 1));
                }
            }
        }
        block.raw = Some(bytes);
        block
    }
}

/// The lines of a block that are not blank, with their numbers.
pub(crate) struct Lines<'b> {
    rest: &'b str,
    number: u64,
    invalid: &'b [(u64, usize)],
}

impl<'b> Lines<'b> {
    /// The lines that are left, also blank ones.
    pub(crate) fn rest(&self) -> &'b str {
        self.rest
    }

    /// Skips the next line, which is UTF-8 and of this length with its line end, and returns its number.
    pub(crate) fn skip_line(&mut self, length: usize) -> u64 {
        self.rest = &self.rest[length..];
        self.number += 1;
        self.number - 1
    }
}

impl<'b> Iterator for Lines<'b> {
    type Item = (u64, Result<&'b str, RowProblem>);

    fn next(&mut self) -> Option<Self::Item> {
        while !self.rest.is_empty() {
            let number = self.number;
            let (line, after) = match memchr::memchr(b'\n', self.rest.as_bytes()) {
                Some(at) => (&self.rest[..at], &self.rest[at + 1..]),
                None => (self.rest, ""),
            };
            (self.rest, self.number) = (after, number + 1);
            if let [(invalid, byte), later @ ..] = self.invalid
                && *invalid == number
            {
                self.invalid = later;
                return Some((number, Err(RowProblem::NotUtf8(*byte))));
            }
            let line = line.strip_suffix('\r').unwrap_or(line);
            if !line.trim_ascii().is_empty() {
                return Some((number, Ok(line)));
            }
        }
        None
    }
}
