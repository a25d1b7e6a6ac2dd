//! Reading corpora block by block, whatever their format.

use crate::blocks::{LineBlock, LineBlocks};
use crate::columns::Header;
use crate::field::ColumnNames;
use crate::input::{InputFile, Opened};
use crate::parquet_file::ParquetRows;
use crate::{CorpusError, RowProblem, json};
use acidtest_files::ContentHash;
use acidtest_nli::{Example, LabelNames, is_content_id};
use std::collections::{HashSet, VecDeque};
use std::io::Read;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// How to read a corpus.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// What numbers mean as labels.
    pub labels: LabelNames,
    /// The user's names for columns.
    pub columns: ColumnNames,
    /// What becomes of rows that cannot be read.
    pub bad_rows: BadRows,
    /// Whether rows with an id and a label but no text (a gold key) will do.
    pub keys_allowed: bool,
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

/// Rows of one file, to be read by any thread.
pub struct Block {
    path: Arc<str>,
    file: usize,
    options: Arc<ReadOptions>,
    content: Content,
}

enum Content {
    Json(LineBlock),
    Table(LineBlock, Arc<Header>),
    /// Rows of formats that only one thread can read.
    Rows(Vec<(u64, Result<Example<'static>, RowProblem>)>),
}

impl Content {
    fn rows(&self) -> u64 {
        match self {
            Content::Json(block) | Content::Table(block, _) => block.lines().count() as u64,
            Content::Rows(rows) => rows.len() as u64,
        }
    }
}

/// A row with its place.
pub struct Row<'b> {
    /// The line, from 1; the row, from 1, in Parquet.
    pub line: u64,
    /// What was read.
    pub example: Example<'b>,
}

/// The rows of a block.
pub type Rows<'b> = Box<dyn Iterator<Item = Result<Row<'b>, CorpusError>> + 'b>;

impl Reader {
    /// A reader of these files.
    pub fn new(files: Vec<InputFile>, options: ReadOptions) -> Self {
        Reader { files: files.into(), options: Arc::new(options), current: None, finished: Vec::new() }
    }

    /// The next block, or `None` after the last file.
    pub fn next_block(&mut self) -> Result<Option<Block>, CorpusError> {
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

    /// Every file that was read to its end.
    pub fn finished(&self) -> &[FileRead] {
        &self.finished
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
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(blocks.reopened(first));
        let names = reader.headers().map_err(|error| at(line, RowProblem::Csv(error.to_string())))?;
        let header = Header::new(names.iter(), options).map_err(|problem| at(line, problem))?;
        Ok(Body::Csv(Box::new(reader), header))
    }
}

/// Rows that are read at a time by formats that only one thread can read.
const ROWS: usize = 1024;

type PlacedRows = Vec<(u64, Result<Example<'static>, RowProblem>)>;

fn csv_rows(
    reader: &mut csv::Reader<Opened>,
    header: &Header,
    path: &str,
    options: &ReadOptions,
) -> Result<Option<PlacedRows>, CorpusError> {
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

impl Block {
    /// The number of the file that the rows are from, from 0.
    pub fn file(&self) -> usize {
        self.file
    }

    /// The rows, or what is wrong with them; where bad rows are skipped, they are errors all the same, for the caller to count.
    pub fn rows(&self) -> Rows<'_> {
        match &self.content {
            Content::Json(block) => Box::new(block.lines().map(|(line, text)| self.placed(line, json::read_row(text, &self.options)))),
            Content::Table(block, header) => {
                Box::new(block.lines().map(|(line, text)| self.placed(line, header.read_line(text, &self.options))))
            }
            Content::Rows(rows) => Box::new(rows.iter().map(|(line, row)| self.placed(*line, row.clone()))),
        }
    }

    fn placed<'b>(&self, line: u64, row: Result<Example<'b>, RowProblem>) -> Result<Row<'b>, CorpusError> {
        row.map(|example| Row { line, example }).map_err(|problem| self.error(line, problem))
    }

    /// Whether rows that cannot be read are to be skipped.
    pub fn bad_rows(&self) -> BadRows {
        self.options.bad_rows
    }

    /// An error about a line of this block.
    pub fn error(&self, line: u64, problem: RowProblem) -> CorpusError {
        CorpusError::Row { path: self.path.to_string(), line, problem }
    }
}

/// The ids of a corpus so far, as hashes: eight bytes a row.
#[derive(Debug, Default)]
pub struct SeenIds {
    hashes: HashSet<u64, std::hash::BuildHasherDefault<AlreadyHashed>>,
}

impl SeenIds {
    /// The hash under which an id is remembered; `None` for an id made from content, which may stand twice.
    pub fn hash(id: &str) -> Option<u64> {
        (!is_content_id(id)).then(|| xxh3_64(id.as_bytes()))
    }

    /// Remembers an id by its hash, and says whether it is new.
    pub fn insert(&mut self, hash: u64) -> bool {
        self.hashes.insert(hash)
    }

    /// Refuses a row of the block whose id stood on an earlier row; of each row its line and its id's hash are given.
    pub fn check(&mut self, block: &Block, ids: &[(u64, Option<u64>)]) -> Result<(), CorpusError> {
        for (line, hash) in ids {
            if hash.is_none_or(|hash| self.insert(hash)) {
                continue;
            }
            let double = block.rows().filter_map(Result::ok).find(|row| row.line == *line);
            let id = double.map(|row| row.example.pair.id.into_owned()).unwrap_or_default();
            return Err(block.error(*line, RowProblem::DoubleId(id)));
        }
        Ok(())
    }
}

/// Ids are hashed before they are kept, so the set need not do it again.
#[derive(Debug, Default)]
struct AlreadyHashed(u64);

impl std::hash::Hasher for AlreadyHashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64(bytes);
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

/// A whole corpus in memory.
pub struct Corpus {
    /// The rows, in order.
    pub examples: Vec<Example<'static>>,
    /// Rows left out because they could not be read.
    pub skipped: u64,
    /// The files, with their rows.
    pub files: Vec<FileRead>,
}

/// Reads all rows of all files; double ids are refused.
pub fn read_all(files: Vec<InputFile>, options: ReadOptions) -> Result<Corpus, CorpusError> {
    let mut reader = Reader::new(files, options);
    let mut corpus = Corpus { examples: Vec::new(), skipped: 0, files: Vec::new() };
    let mut seen = SeenIds::default();
    while let Some(block) = reader.next_block()? {
        for row in block.rows() {
            match row {
                Ok(Row { line, example }) => {
                    if SeenIds::hash(&example.pair.id).is_some_and(|hash| !seen.insert(hash)) {
                        return Err(block.error(line, RowProblem::DoubleId(example.pair.id.into_owned())));
                    }
                    corpus.examples.push(example.into_owned());
                }
                Err(_) if block.bad_rows() == BadRows::Skip => corpus.skipped += 1,
                Err(error) => return Err(error),
            }
        }
    }
    corpus.files = reader.finished().to_vec();
    Ok(corpus)
}
