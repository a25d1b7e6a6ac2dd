//! Reading corpora block by block, whatever their format.

use crate::block::{Block, Content, PlacedRow};
use crate::blocks::{LineBlock, LineBlocks};
use crate::columns::Header;
use crate::field::ColumnNames;
use crate::input::{InputFile, Opened};
use crate::parquet_file::ParquetRows;
use crate::source::BlockSource;
use crate::{CorpusError, RowProblem};
use acidtest_files::ContentHash;
use acidtest_nli::{Example, LabelNames};
use std::collections::VecDeque;
use std::io::Read;
use std::sync::Arc;

/// How to read a corpus.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// What numbers mean as labels.
    pub labels: LabelNames,
    /// The user's names for columns.
    pub columns: ColumnNames,
    /// What becomes of rows that cannot be read.
    pub bad_rows: BadRows,
    /// Whether rows with an id and a label but no text (a gold key) are accepted.
    pub keys_allowed: bool,
    /// Where the ids of rows come from.
    pub ids: IdSource,
}

/// Where the ids of rows come from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum IdSource {
    /// From the file; rows without one are named after their content.
    #[default]
    File,
    /// From the content of each row, whatever the file says.
    Content,
}

/// What becomes of rows that cannot be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BadRows {
    /// The first one ends the work.
    #[default]
    Refuse,
    /// They are left out and counted.
    Skip,
}

/// Gives the files of a corpus in blocks, one after another.
pub struct Reader {
    all: Vec<InputFile>,
    files: VecDeque<InputFile>,
    options: Arc<ReadOptions>,
    current: Option<OpenCorpus>,
    finished: Vec<FileRead>,
}

/// A file that was read to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRead {
    /// The name as the user gave it.
    pub name: String,
    /// Its content hash.
    pub hash: ContentHash,
    /// How many rows it has, readable or not.
    pub rows: u64,
}

struct OpenCorpus {
    name: Arc<str>,
    file: usize,
    body: Body,
    rows: u64,
}

enum Body {
    Json(LineBlocks, Option<LineBlock>),
    Table(LineBlocks, Option<LineBlock>, Arc<Header>),
    Csv(Box<csv::Reader<Opened>>, Header),
    Parquet(Box<ParquetRows>),
}

impl Reader {
    /// A reader of these files.
    pub fn new(files: Vec<InputFile>, options: ReadOptions) -> Self {
        Reader { all: files.clone(), files: files.into(), options: Arc::new(options), current: None, finished: Vec::new() }
    }
}

impl BlockSource for Reader {
    fn next_block(&mut self) -> Result<Option<Block>, CorpusError> {
        loop {
            let Some(current) = &mut self.current else {
                let Some(file) = self.files.pop_front() else { return Ok(None) };
                self.current = Some(OpenCorpus::open(file, self.finished.len(), &self.options)?);
                continue;
            };
            if let Some(content) = current.next(&self.options)? {
                current.rows += content.rows();
                return Ok(Some(Block {
                    path: Arc::clone(&current.name),
                    file: current.file,
                    options: Arc::clone(&self.options),
                    content,
                }));
            }
            if current.rows == 0 {
                return Err(CorpusError::Empty { path: current.name.to_string() });
            }
            let hash = current.content_hash();
            self.finished.push(FileRead { name: current.name.to_string(), hash, rows: current.rows });
            self.current = None;
        }
    }

    fn finished(&self) -> &[FileRead] {
        &self.finished
    }

    fn again(&self) -> Option<Box<dyn BlockSource>> {
        let repeatable = self.all.iter().all(InputFile::can_be_read_again);
        repeatable.then(|| Box::new(Reader::new(self.all.clone(), (*self.options).clone())) as Box<dyn BlockSource>)
    }
}

impl OpenCorpus {
    fn open(file: InputFile, number: usize, options: &ReadOptions) -> Result<Self, CorpusError> {
        let name: Arc<str> = file.name().into();
        let body = Body::open(file, options)?;
        Ok(OpenCorpus { name, file: number, body, rows: 0 })
    }

    fn next(&mut self, options: &ReadOptions) -> Result<Option<Content>, CorpusError> {
        Ok(match &mut self.body {
            Body::Json(blocks, first) => next_lines(blocks, first)?.map(Content::Json),
            Body::Table(blocks, first, header) => next_lines(blocks, first)?.map(|block| Content::Table(block, Arc::clone(header))),
            Body::Csv(reader, header) => csv_rows(reader, header, &self.name, options)?.map(Content::Rows),
            Body::Parquet(rows) => rows.next(options, &self.name)?.map(Content::Rows),
        })
    }

    fn content_hash(&self) -> ContentHash {
        match &self.body {
            Body::Json(blocks, _) | Body::Table(blocks, ..) => blocks.content_hash(),
            Body::Csv(reader, _) => reader.get_ref().content_hash(),
            Body::Parquet(rows) => rows.content_hash(),
        }
    }
}

fn next_lines(blocks: &mut LineBlocks, first: &mut Option<LineBlock>) -> Result<Option<LineBlock>, CorpusError> {
    loop {
        let block = match first.take() {
            Some(block) => Some(block),
            None => blocks.next()?,
        };
        match block {
            Some(block) if block.lines().next().is_none() => continue,
            block => return Ok(block),
        }
    }
}

impl Body {
    /// Tells the format by the first bytes.
    fn open(file: InputFile, options: &ReadOptions) -> Result<Self, CorpusError> {
        let path = file.name();
        let at = |line, problem| CorpusError::Row { path: path.clone(), line, problem };
        let mut opened = file.open()?;
        let mut start = Vec::new();
        (&mut opened.text).take(4).read_to_end(&mut start).map_err(|error| file.broken(1, &error))?;
        if start == b"PAR1" {
            return Ok(Body::Parquet(Box::new(ParquetRows::open(start, opened, &file, options)?)));
        }
        let mut start = &start[..];
        // A byte order mark says nothing in UTF-8.
        start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
        opened.push_front(start.to_vec());
        let mut blocks = LineBlocks::new(file.clone(), opened);
        let Some(mut first) = blocks.next()? else { return Err(CorpusError::Empty { path }) };
        let Some((line, text)) = first.lines().next() else { return Err(CorpusError::Empty { path }) };
        let text = text.map_err(|problem| at(line, problem))?;
        if text.starts_with('{') {
            return Ok(Body::Json(blocks, Some(first)));
        }
        if text.starts_with('[') {
            return Err(at(line, RowProblem::JsonArray));
        }
        if text.contains('\t') {
            let header = Header::new(text.split('\t'), options).map_err(|problem| at(line, problem))?;
            first.drop_first_line();
            return Ok(Body::Table(blocks, Some(first), Arc::new(header)));
        }
        if !text.contains(',') || !Header::is_header(text, ',', options) {
            return Err(at(line, RowProblem::UnknownFormat));
        }
        first.all_utf8().map_err(|(line, problem)| at(line, problem))?;
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(blocks.reopened(first));
        let names = reader.headers().map_err(|error| at(line, RowProblem::Csv(error.to_string())))?;
        let header = Header::new(names.iter(), options).map_err(|problem| at(line, problem))?;
        Ok(Body::Csv(Box::new(reader), header))
    }
}

/// Rows that are read at a time by formats that only one thread can read.
const ROWS: usize = 1024;

fn csv_rows(
    reader: &mut csv::Reader<Opened>,
    header: &Header,
    path: &str,
    options: &ReadOptions,
) -> Result<Option<Vec<PlacedRow>>, CorpusError> {
    let mut rows = Vec::new();
    let mut record = csv::StringRecord::new();
    while rows.len() < ROWS {
        let line = reader.position().line();
        match reader.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {
                let line = record.position().map_or(line, csv::Position::line);
                let row = header.read(record.iter().map(Into::into), options).map(Example::into_owned);
                rows.push((line, row));
            }
            Err(error) => {
                let line = error.position().map_or(line, csv::Position::line);
                let problem = match error.into_kind() {
                    csv::ErrorKind::Utf8 { err, .. } => RowProblem::Csv(err.to_string()),
                    csv::ErrorKind::Io(error) => {
                        return Err(CorpusError::Broken { path: path.to_string(), line, reason: error.to_string() });
                    }
                    other => RowProblem::Csv(format!("{other:?}")),
                };
                rows.push((line, Err(problem)));
            }
        }
    }
    Ok(if rows.is_empty() { None } else { Some(rows) })
}
