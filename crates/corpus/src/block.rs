//! Blocks of rows of one file, which any thread can parse.

use crate::blocks::{LineBlock, Lines};
use crate::ids::id_hash;
use crate::layouts::Header;
use crate::layouts::json::RowReader;
use crate::reader::{BadRows, IdSource, ReadOptions, Unlabelled};
use crate::{CorpusError, RowProblem, passage};
use acidtest_nli::{Example, LooseLabels, content_id};
use std::sync::Arc;

/// Unparsed rows of one file.
pub struct Block {
    pub(crate) path: Arc<str>,
    pub(crate) file: usize,
    pub(crate) options: Arc<ReadOptions>,
    pub(crate) content: Content,
    /// The lines with duplicate ids, in order, if those are skipped.
    pub(crate) duplicates: Vec<u64>,
}

pub(crate) enum Content {
    Json(LineBlock),
    /// A text on each line.
    Texts(LineBlock),
    Table(LineBlock, Arc<Header>),
    /// Rows of formats that only one thread can parse.
    Rows(Vec<PlacedRow<'static>>, LooseLabels),
}

/// A row with its line, parsed or not.
pub(crate) type PlacedRow<'b> = (u64, Result<Example<'b>, RowProblem>);

/// A row with its line.
pub struct Row<'b> {
    /// The line, from 1; the row, from 1, in Parquet.
    pub line: u64,
    /// The example.
    pub example: Example<'b>,
}

impl Block {
    /// The index of the file.
    pub fn file(&self) -> usize {
        self.file
    }

    /// Parses the rows.
    pub fn examples(&self) -> Examples<'_> {
        let rows = match &self.content {
            Content::Json(block) => Rows::Json(block.lines(), Box::default()),
            Content::Texts(block) => Rows::Texts(block.lines()),
            Content::Table(block, header) => Rows::Table(block.lines(), header),
            Content::Rows(rows, _) => Rows::Read(rows.iter()),
        };
        let loose = if let Content::Rows(_, loose) = self.content { loose } else { LooseLabels::default() };
        Examples { block: self, rows, ids: Vec::new(), read: 0, skipped: 0, gaps: Vec::new(), unlabelled: 0, loose, failed: None }
    }
}

/// The examples of a block, in order. Rows that cannot be read are skipped and counted, or the first of them ends the block, depending on the options
/// of the reader.
pub struct Examples<'b> {
    block: &'b Block,
    rows: Rows<'b>,
    /// The line and the hash of the id of each row whose id comes from the file.
    ids: Vec<(u64, u64)>,
    read: u64,
    skipped: u64,
    /// The positions of the rows without an example, counted from 0 in the block.
    gaps: Vec<u64>,
    /// Rows without a gold label.
    unlabelled: u64,
    /// Ambiguous labels.
    loose: LooseLabels,
    failed: Option<CorpusError>,
}

enum Rows<'b> {
    Json(Lines<'b>, Box<RowReader<'b>>),
    Texts(Lines<'b>),
    Table(Lines<'b>, &'b Header),
    Read(std::slice::Iter<'b, PlacedRow<'static>>),
}

/// The counts of a block.
pub(crate) struct BlockCounts {
    pub(crate) ids: Vec<(u64, u64)>,
    pub(crate) read: u64,
    pub(crate) skipped: u64,
    pub(crate) unlabelled: u64,
    pub(crate) loose: LooseLabels,
    pub(crate) failed: Option<CorpusError>,
}

impl<'b> Examples<'b> {
    /// The index of the file.
    pub fn file(&self) -> usize {
        self.block.file
    }

    fn error(&self, line: u64, problem: RowProblem) -> CorpusError {
        CorpusError::Row { path: self.block.path.to_string(), line, problem }
    }

    /// The counts of the rows that were read.
    pub(crate) fn into_counts(self) -> BlockCounts {
        BlockCounts {
            ids: self.ids,
            read: self.read,
            skipped: self.skipped,
            unlabelled: self.unlabelled,
            loose: self.loose,
            failed: self.failed,
        }
    }

    /// The positions of the rows without an example, counted from 0 in the block.
    pub(crate) fn take_gaps(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.gaps)
    }

    /// Records that the row at this position has no example.
    fn pass_over(&mut self) {
        self.gaps.push(self.read + self.gaps.len() as u64);
    }

    fn next_row(&mut self) -> Option<PlacedRow<'b>> {
        let options = &self.block.options;
        match &mut self.rows {
            Rows::Json(lines, reader) => reader.next(lines, options, &mut self.loose),
            Rows::Texts(lines) => lines.next().map(|(line, text)| (line, text.map(passage::line))),
            Rows::Table(lines, header) => {
                let (line, text) = lines.next()?;
                Some((line, text.and_then(|text| header.read_line(text, options, &mut self.loose))))
            }
            Rows::Read(rows) => rows.next().map(|(line, row)| (*line, row.clone())),
        }
    }
}

impl<'b> Iterator for Examples<'b> {
    type Item = Row<'b>;

    fn next(&mut self) -> Option<Row<'b>> {
        while self.failed.is_none() {
            let (line, row) = self.next_row()?;
            let mut example = match row {
                Ok(example) => example,
                Err(_) if self.block.options.bad_rows == BadRows::Skip => {
                    self.skipped += 1;
                    self.pass_over();
                    continue;
                }
                Err(problem) => {
                    self.failed = Some(self.error(line, problem));
                    return None;
                }
            };
            // A gold key has no content to make an id from.
            if self.block.options.ids == IdSource::Content && !example.pair.premise.text.is_empty() {
                example.pair.id = content_id(&example.pair.premise.text, &example.pair.hypothesis.text).into();
            }
            if self.block.duplicates.binary_search(&line).is_ok() {
                self.skipped += 1;
                self.pass_over();
                continue;
            }
            if example.gold.is_none() {
                self.unlabelled += 1;
                if self.block.options.unlabelled == Unlabelled::Drop {
                    self.pass_over();
                    continue;
                }
            }
            self.ids.extend(id_hash(&example.pair.id).map(|hash| (line, hash)));
            self.read += 1;
            return Some(Row { line, example });
        }
        None
    }
}
