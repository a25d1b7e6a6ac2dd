//! JSON arrays of objects, split into rows while reading, so that the file is never held in memory as a whole.

use super::{CorpusFile, OpenResult, Opening};
use crate::block::Content;
use crate::blocks::LineBlock;
use crate::input::{InputFile, OpenedFile};
use crate::{CorpusError, RowProblem};
use acidtest_files::ContentHash;
use std::io::Read;

/// Bytes read at a time.
const CHUNK: usize = 64 << 10;

/// The size of a block of rows.
const TOGETHER: usize = 256 << 10;

/// The longest row.
const LONGEST_ROW_MB: usize = 64;

/// Opens an array.
pub(super) fn open(opened: OpenedFile, opening: &Opening<'_>) -> OpenResult {
    let mut rows = ArrayRows { blocks: ArrayBlocks::new(opening.file.clone(), opened), first: None };
    rows.first = rows.blocks.next()?;
    if let Some(first) = rows.first.as_ref().filter(|_| opening.options.columns.any_given()) {
        super::json::check_columns(first, opening)?;
    }
    Ok(Box::new(rows))
}

struct ArrayRows {
    blocks: ArrayBlocks,
    first: Option<LineBlock>,
}

impl CorpusFile for ArrayRows {
    fn next(&mut self) -> Result<Option<Content>, CorpusError> {
        let block = match self.first.take() {
            Some(block) => Some(block),
            None => self.blocks.next()?,
        };
        Ok(block.map(Content::Json))
    }

    fn content_hash(&self) -> ContentHash {
        self.blocks.content_hash()
    }
}

/// Yields the items of an array as lines, numbered like the items.
pub(crate) struct ArrayBlocks {
    file: InputFile,
    opened: OpenedFile,
    buffer: Vec<u8>,
    /// Input that was read and not processed yet.
    unread: std::ops::Range<usize>,
    place: Place,
    next_item: u64,
}

/// The state of the scanner before the next byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    BeforeArray,
    /// Before an item or, if there is none yet, the end.
    BeforeItem {
        first: bool,
    },
    InItem {
        depth: u32,
        string: bool,
        escaped: bool,
    },
    BehindItem,
    BehindArray,
}

impl ArrayBlocks {
    pub(crate) fn new(file: InputFile, opened: OpenedFile) -> Self {
        ArrayBlocks { file, opened, buffer: vec![0; CHUNK], unread: 0..0, place: Place::BeforeArray, next_item: 1 }
    }

    /// The content hash of what was read.
    pub(crate) fn content_hash(&self) -> ContentHash {
        self.opened.content_hash()
    }

    /// The next items, one per line, or `None` after the last.
    pub(crate) fn next(&mut self) -> Result<Option<LineBlock>, CorpusError> {
        let (first_item, mut items, mut start) = (self.next_item, Vec::new(), 0);
        while items.len() < TOGETHER || matches!(self.place, Place::InItem { .. }) {
            let Some(byte) = self.next_byte()? else {
                if self.place != Place::BehindArray {
                    return Err(self.error(RowProblem::Array("it ends early")));
                }
                break;
            };
            let before = self.place;
            self.place = self.after(byte)?;
            if matches!(before, Place::InItem { .. }) || matches!(self.place, Place::InItem { .. }) {
                items.push(in_one_line(byte, before));
                if items.len() - start > LONGEST_ROW_MB << 20 {
                    return Err(self.error(RowProblem::TooLong(LONGEST_ROW_MB)));
                }
            }
            if self.place == Place::BehindItem && before != Place::BehindItem {
                items.push(b'\n');
                start = items.len();
                self.next_item += 1;
            }
        }
        Ok(if items.is_empty() { None } else { Some(LineBlock::of_bytes(items, first_item)) })
    }

    fn next_byte(&mut self) -> Result<Option<u8>, CorpusError> {
        if self.unread.is_empty() {
            let read = loop {
                match self.opened.read(&mut self.buffer) {
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    other => break other,
                }
            };
            self.unread = 0..read.map_err(|error| self.file.broken(self.next_item, &error))?;
        }
        Ok(self.unread.next().map(|at| self.buffer[at]))
    }

    /// The state after this byte.
    fn after(&self, byte: u8) -> Result<Place, CorpusError> {
        Ok(match (self.place, byte) {
            (Place::InItem { depth, string: true, escaped: false }, b'"') => Place::InItem { depth, string: false, escaped: false },
            (Place::InItem { depth, string: true, escaped }, byte) => {
                Place::InItem { depth, string: true, escaped: byte == b'\\' && !escaped }
            }
            (Place::InItem { depth, .. }, b'"') => Place::InItem { depth, string: true, escaped: false },
            (Place::InItem { depth, .. }, b'{' | b'[') => Place::InItem { depth: depth.saturating_add(1), string: false, escaped: false },
            (Place::InItem { depth: 1, .. }, b'}' | b']') => Place::BehindItem,
            (Place::InItem { depth, .. }, b'}' | b']') => Place::InItem { depth: depth - 1, string: false, escaped: false },
            (place @ Place::InItem { .. }, _) => place,
            (place, b' ' | b'\t' | b'\n' | b'\r') => place,
            (Place::BeforeArray, b'[') => Place::BeforeItem { first: true },
            (Place::BeforeItem { .. }, b'{') => Place::InItem { depth: 1, string: false, escaped: false },
            (Place::BeforeItem { first: true } | Place::BehindItem, b']') => Place::BehindArray,
            (Place::BehindItem, b',') => Place::BeforeItem { first: false },
            (Place::BeforeItem { .. }, _) => return Err(self.error(RowProblem::Array("an item is not an object"))),
            (Place::BehindArray, _) => return Err(self.error(RowProblem::Array("there is text after the closing bracket"))),
            _ => return Err(self.error(RowProblem::Array("a comma is missing between two objects"))),
        })
    }

    fn error(&self, problem: RowProblem) -> CorpusError {
        CorpusError::Row { path: self.file.name(), line: self.next_item, problem }
    }
}

/// A byte of an item whose lines are joined; a line break within a string stays an error.
fn in_one_line(byte: u8, before: Place) -> u8 {
    match (byte, before) {
        (b'\n' | b'\r', Place::InItem { string: true, .. }) => 1,
        (b'\n' | b'\r', _) => b' ',
        (byte, _) => byte,
    }
}

#[cfg(test)]
mod tests {
    use crate::{BadRows, CorpusError, InputFile, LoopOptions, ReadOptions, Reader, read_source};
    use acidtest_threads::Threads;

    fn read(text: &str, bad_rows: BadRows) -> Result<crate::Corpus, CorpusError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.json");
        std::fs::write(&path, text).unwrap();
        let options = ReadOptions { bad_rows, ..ReadOptions::default() };
        let threads = Threads::new(std::num::NonZeroUsize::MIN).unwrap();
        read_source(&mut Reader::new(vec![InputFile::new(path)], options), LoopOptions::new(&threads, Default::default()))
    }

    #[track_caller]
    fn check(text: &str, premises: &[&str]) {
        let corpus = read(text, BadRows::Refuse).unwrap();
        let found: Vec<&str> = corpus.examples.iter().map(|example| example.pair.premise.text.as_ref()).collect();
        assert_eq!(found, premises, "{text}");
    }

    #[test]
    fn arrays_are_read_in_one_line_and_in_many() {
        check(r#"[{"premise": "A", "hypothesis": "B"}, {"premise":"}]\"\\","hypothesis":"B"}]"#, &["A", "}]\"\\"]);
        check("\n [\n  {\n    \"premise\": \"A\",\n    \"hypothesis\": \"B\",\n    \"tags\": {\"x\": \"[{\"}\n  }\n]\n", &["A"]);
        let many: Vec<String> = (0..20_000).map(|n| format!("{{\"premise\": \"A {n}\", \"hypothesis\": \"B\", \"x\": [1]}}")).collect();
        let corpus = read(&format!("[{}]", many.join(",")), BadRows::Refuse).unwrap();
        assert!(corpus.examples.len() == 20_000 && corpus.examples[19_999].pair.premise.text == "A 19999");
    }

    #[test]
    fn invalid_arrays_are_refused_with_the_row() {
        let refused = |text: &str| read(text, BadRows::Refuse).err().unwrap().to_string();
        let row = r#"{"premise": "A", "hypothesis": "B"}"#;
        for (text, expected) in [
            (format!("[{row}, {row}"), "in.json:3: not a JSON array of objects: it ends early"),
            (format!("[{row}, 3]"), "in.json:2: not a JSON array of objects: an item is not an object"),
            (format!("[{row} {row}]"), "in.json:2: not a JSON array of objects: a comma"),
            (format!("[{row}] {row}"), "in.json:2: not a JSON array of objects: there is text after the closing bracket"),
            (format!("[{row},]"), "in.json:2: not a JSON array of objects: an item is not an object"),
            (format!("[{row}, {{\"premise\": 1, \"hypothesis\": \"B\"}}]"), "in.json:2: the premise must be text, not a number"),
            (format!("[{row}, {{\"premise\": \"a\nb\", \"hypothesis\": \"B\"}}]"), "in.json:2: not a JSON object: control character"),
            ("[]".to_string(), "in.json:1: the file is empty"),
        ] {
            assert!(refused(&text).contains(expected), "{text}: {}", refused(&text));
        }
        let skipped = read(&format!("[{row}, {{\"premise\": [], \"hypothesis\": \"B\"}}, {row}]"), BadRows::Skip).unwrap();
        assert_eq!((skipped.examples.len(), skipped.skipped), (2, 1));
    }
}
