//! Writing corpora in the formats that other tools read.

use crate::formats::{EncodeNumberedLine, Encoding, Format, TableShape, encode_waiting};
use crate::layouts::json::RowReader;
use crate::spare::Spare;
use crate::{CorpusError, ReadOptions};
use acidtest_files::{FileError, Output, Sealed, Spool, publish_all};
use acidtest_nli::{Example, LooseLabels};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Writes examples to an output, in order.
pub struct Writer {
    format: Format,
    name: String,
    sink: Sink,
    /// Tags that the format has no room for.
    lost: BTreeSet<String>,
    /// Buffers of rows that were written.
    spare: Spare,
}

enum Sink {
    Lines(Output),
    /// With the number of the next row.
    NumberedLines(Output, EncodeNumberedLine, u64),
    Table(Box<WaitingTable>),
}

/// Buffered rows of a table, until all are known.
struct WaitingTable {
    output: Output,
    rows: Spool,
    shape: TableShape,
}

impl Writer {
    /// Begins an output with the format's header.
    pub fn create(path: &Path, format: Format) -> Result<Self, CorpusError> {
        let mut output = Output::create(path)?;
        let name = output.name();
        let sink = match format.encoding() {
            Encoding::Lines { header, .. } => {
                output.write(header.as_bytes())?;
                Sink::Lines(output)
            }
            Encoding::NumberedLines { header, encode } => {
                output.write(header.as_bytes())?;
                Sink::NumberedLines(output, *encode, 0)
            }
            Encoding::Table(_) => Sink::Table(Box::new(WaitingTable { output, rows: Spool::new(path), shape: TableShape::default() })),
        };
        Ok(Writer { format, name, sink, lost: BTreeSet::new(), spare: Spare::default() })
    }

    /// The format that is written.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The output's name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tags of the written rows that the format has no room for.
    pub fn lost_tags(&self) -> &BTreeSet<String> {
        &self.lost
    }

    /// Writes one row.
    pub fn write(&mut self, example: &Example<'_>) -> Result<(), CorpusError> {
        let mut row = EncodedRows::default();
        self.encoder().add(example, &mut row)?;
        self.write_rows(&row)
    }

    /// The encoder of rows for this writer, usable on any thread.
    pub fn encoder(&self) -> Encoder {
        Encoder { format: self.format, output: self.name.clone(), spare: self.spare.clone() }
    }

    /// Writes rows that were encoded by this writer's [`Encoder`].
    pub fn write_rows(&mut self, rows: &EncodedRows) -> Result<(), CorpusError> {
        let EncodedRows { bytes, examples, shape, lost, .. } = rows;
        self.lost.extend(lost.iter().filter(|tag| !self.lost.contains(*tag)).cloned().collect::<Vec<_>>());
        match &mut self.sink {
            Sink::Lines(output) => Ok(output.write(bytes)?),
            Sink::Table(table) => {
                table.shape.merge(shape);
                Ok(table.rows.write(bytes)?)
            }
            Sink::NumberedLines(output, encode, next) => {
                let mut bytes = Vec::new();
                for example in examples {
                    encode(example, *next, &mut bytes).map_err(|reason| not_held(self.format, &self.name, example, reason))?;
                    *next += 1;
                }
                Ok(output.write(&bytes)?)
            }
        }
    }

    /// Completes the output under its final name.
    pub fn finish(self) -> Result<(), CorpusError> {
        Ok(publish_all(vec![self.seal()?])?)
    }

    /// Completes the output under a temporary name, to appear together with others.
    pub fn seal(self) -> Result<Sealed, CorpusError> {
        match self.sink {
            Sink::Lines(output) | Sink::NumberedLines(output, ..) => Ok(output.seal()?),
            Sink::Table(table) => {
                let Encoding::Table(begin) = self.format.encoding() else { unreachable!("only tables wait") };
                let WaitingTable { output, rows, shape } = *table;
                let mut writer = begin(output, &shape)?;
                let unread = |source| FileError::Unwritten { path: self.name.clone(), source };
                for line in BufReader::new(rows.into_reader()?).lines() {
                    let line = line.map_err(unread)?;
                    let row = RowReader::default().read(&line, &ReadOptions::default(), &mut LooseLabels::default());
                    writer.write(&row.map_err(|problem| unread(std::io::Error::other(problem.to_string())))?)?;
                }
                writer.seal()
            }
        }
    }
}

/// Encodes rows for a [`Writer`], on any thread.
#[derive(Debug, Clone)]
pub struct Encoder {
    format: Format,
    output: String,
    spare: Spare,
}

/// Encoded rows for a [`Writer`].
#[derive(Debug, Default)]
pub struct EncodedRows {
    bytes: Vec<u8>,
    /// Rows of formats that number their rows: only the writer can encode them.
    examples: Vec<Example<'static>>,
    /// The shape of a table: properties of all its rows.
    shape: TableShape,
    /// Tags that the format has no room for.
    lost: BTreeSet<String>,
    /// Where the buffer is returned.
    spare: Option<Spare>,
}

impl Drop for EncodedRows {
    fn drop(&mut self) {
        if let Some(spare) = &self.spare {
            spare.give(std::mem::take(&mut self.bytes));
        }
    }
}

impl Encoder {
    /// Encodes rows for outputs in this format; `output` is what errors name.
    pub fn new(format: Format, output: &Path) -> Self {
        Encoder { format, output: output.display().to_string(), spare: Spare::default() }
    }

    /// No rows, with capacity for about one block of a file.
    pub fn rows_of_block(&self) -> EncodedRows {
        let mut bytes = self.spare.take();
        bytes.clear();
        bytes.reserve(BLOCK_ROOM);
        EncodedRows { bytes, examples: Vec::new(), shape: TableShape::default(), lost: BTreeSet::new(), spare: Some(self.spare.clone()) }
    }

    /// Adds a row.
    pub fn add(&self, example: &Example<'_>, rows: &mut EncodedRows) -> Result<(), CorpusError> {
        self.format.add_lost_tags(example, &mut rows.lost);
        match self.format.encoding() {
            Encoding::Lines { encode, .. } => {
                encode(example, &mut rows.bytes).map_err(|reason| not_held(self.format, &self.output, example, reason))
            }
            Encoding::Table(_) => {
                rows.shape.add(example);
                encode_waiting(example, &mut rows.bytes).map_err(|reason| not_held(self.format, &self.output, example, reason))
            }
            Encoding::NumberedLines { .. } => {
                rows.examples.push(example.clone().into_owned());
                Ok(())
            }
        }
    }
}

fn not_held(format: Format, output: &str, example: &Example<'_>, reason: String) -> CorpusError {
    CorpusError::NotHeld { path: output.to_string(), id: example.pair.id.to_string(), format: format.name(), reason }
}

impl EncodedRows {
    /// The bytes so far, for rows that are generated directly in the writer's format.
    pub fn text(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Whether the buffer is large enough to be written.
    pub fn is_large(&self) -> bool {
        self.bytes.len() >= LARGE_BYTES || self.examples.len() >= LARGE_ROWS
    }

    /// Removes all rows.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.examples.clear();
        self.lost.clear();
        self.shape = TableShape::default();
    }
}

/// Blocks are a quarter of a megabyte; challenges make them a little longer.
const BLOCK_ROOM: usize = 384 << 10;
/// The size from which buffered rows are written.
const LARGE_BYTES: usize = 1 << 16;
/// About the same size in rows.
const LARGE_ROWS: usize = 256;

/// One row as a line, for tests of other files.
#[cfg(test)]
pub(crate) fn encoded(format: Format, example: &Example<'_>) -> Vec<u8> {
    let mut rows = EncodedRows::default();
    Encoder::new(format, Path::new("-")).add(example, &mut rows).unwrap();
    std::mem::take(&mut rows.bytes)
}
