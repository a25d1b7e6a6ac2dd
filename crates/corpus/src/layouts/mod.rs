//! The layouts of files, recognised by content, never by name.

mod array;
mod arrow;
mod commas;
pub(crate) mod json;
mod parquet;
mod parts;
mod tabs;
mod texts;

pub(crate) use array::ArrayBlocks;
pub(crate) use tabs::Header;

use crate::block::Content;
use crate::blocks::{LineBlock, LineBlocks};
use crate::input::{InputFile, OpenedFile};
use crate::{CorpusError, Passages, ReadOptions, RowProblem, class_names};
use acidtest_files::ContentHash;
use std::io::Read;
use std::sync::Arc;

/// All layouts, in the order in which they are tried.
const LAYOUTS: &[Layout] = &[parquet::LAYOUT, arrow::STREAM, arrow::FILE, json::LAYOUT, tabs::LAYOUT, commas::LAYOUT];

/// A layout of rows in a file.
enum Layout {
    /// Recognised by the first bytes.
    Binary { magic: [u8; MAGIC], open: fn(OpenedFile, &Opening<'_>) -> OpenResult },
    /// Recognised by the first line that is not blank.
    Text { recognises: fn(&str, &ReadOptions) -> bool, open: fn(TextFile, &Opening<'_>) -> OpenResult },
}

type OpenResult = Result<Box<dyn CorpusFile>, CorpusError>;

/// The number of bytes that distinguish binary layouts.
const MAGIC: usize = 4;

/// An open file that gives its rows in blocks.
pub(crate) trait CorpusFile: Send {
    /// The next rows, or `None` after the last.
    fn next(&mut self) -> Result<Option<Content>, CorpusError>;

    /// The content hash of what was read.
    fn content_hash(&self) -> ContentHash;

    /// What was inferred from the content, where another reading is possible; one sentence each.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// The meaning of its numbered labels, if the file itself has it.
    fn label_names(&self) -> Option<String> {
        None
    }
}

/// The file that is being opened.
struct Opening<'o> {
    file: &'o InputFile,
    options: &'o Arc<ReadOptions>,
}

/// A file of lines of which the first block is read.
struct TextFile {
    blocks: LineBlocks,
    first: Option<LineBlock>,
    /// The first line that is not blank.
    line: u64,
    text: String,
}

/// Opens a file in any layout, and returns how its rows are read: metadata beside it may define its labels.
pub(crate) fn open(file: &InputFile, options: &Arc<ReadOptions>) -> Result<(Box<dyn CorpusFile>, Arc<ReadOptions>), CorpusError> {
    let unknown = !options.labels.numbers_are_known();
    let found = unknown.then(|| class_names::beside(file, &options.columns)).flatten();
    let options = ReadOptions::with_class_names(options, found);
    Ok((open_layout(&Opening { file, options: &options })?, options))
}

fn open_layout(opening: &Opening<'_>) -> OpenResult {
    let Opening { file, options } = opening;
    let mut opened = file.open()?;
    let mut start = Vec::new();
    (&mut opened.text).take(MAGIC as u64).read_to_end(&mut start).map_err(|error| file.broken(1, &error))?;
    for layout in LAYOUTS {
        if let Layout::Binary { magic, open } = layout
            && start == magic
        {
            opened.push_front(start);
            return open(opened, opening);
        }
    }
    opened.push_front(start);
    opened.skip_byte_order_mark().map_err(|error| file.broken(1, &error))?;
    let (first, blank_lines) = opened.first_byte().map_err(|error| file.broken(1, &error))?;
    match first {
        // Its first line may be the whole file.
        Some(b'[') => return array::open(opened, opening),
        Some(b'<') => return Err(opening.error(blank_lines + 1, RowProblem::Xml)),
        _ => {}
    }
    let text = TextFile::begin(LineBlocks::new((*file).clone(), opened), opening)?;
    for layout in LAYOUTS {
        if let Layout::Text { recognises, open } = layout
            && recognises(&text.text, options)
        {
            return open(text, opening);
        }
    }
    match (texts::is_named_so(file), options.passages) {
        (true, Passages::Accept) => texts::open(text),
        (true, Passages::Refuse) => Err(opening.error(text.line, RowProblem::NoHypotheses("plain text"))),
        (false, _) => Err(opening.error(text.line, RowProblem::UnknownFormat)),
    }
}

impl Opening<'_> {
    fn error(&self, line: u64, problem: RowProblem) -> CorpusError {
        CorpusError::Row { path: self.file.name(), line, problem }
    }
}

impl TextFile {
    fn begin(mut blocks: LineBlocks, opening: &Opening<'_>) -> Result<Self, CorpusError> {
        let empty = || CorpusError::Empty { path: opening.file.name() };
        // A block may consist of blank lines.
        loop {
            let first = blocks.next()?.ok_or_else(empty)?;
            let Some((line, text)) = first.lines().next() else { continue };
            let text = text.map_err(|problem| opening.error(line, problem))?.to_string();
            return Ok(TextFile { blocks, first: Some(first), line, text });
        }
    }

    /// The next block with any lines in it.
    fn next(&mut self) -> Result<Option<LineBlock>, CorpusError> {
        loop {
            let block = match self.first.take() {
                Some(block) => Some(block),
                None => self.blocks.next()?,
            };
            match block {
                Some(block) if block.lines().next().is_none() => continue,
                block => return Ok(block),
            }
        }
    }
}
