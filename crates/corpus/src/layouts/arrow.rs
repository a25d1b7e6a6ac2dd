//! Arrow's stream format, in which Hugging Face `datasets` saves to disk (`save_to_disk`), and its file format, which holds a stream.
//!
//! A stream is a message with the schema, then one for every batch of rows: metadata as a FlatBuffer, then the buffers of all columns. Every offset in the
//! metadata is checked against the bytes read, so that a damaged file is always an error. Columns of plain values are read; nested columns are skipped and
//! reported.

mod flat_buffer;

use super::tabs::Header;
use super::{CorpusFile, Layout, OpenResult, Opening};
use crate::block::Content;
use crate::input::{InputFile, OpenedFile};
use crate::{CorpusError, ReadOptions, RowProblem, class_names};
use acidtest_files::ContentHash;
use acidtest_nli::{Example, LooseLabels};
use flat_buffer::{Table, Vector};
use std::borrow::Cow;
use std::io::Read;
use std::sync::Arc;

pub(super) const STREAM: Layout = Layout::Binary { magic: [0xff; 4], open: |opened, opening| open(opened, opening, 0) };
pub(super) const FILE: Layout = Layout::Binary { magic: *b"ARRO", open: |opened, opening| open(opened, opening, FILE_MARK) };

/// Bytes before the stream of a file.
const FILE_MARK: u64 = 8;

/// The number of rows per block.
const ROWS: usize = 1024;

/// The longest metadata of a message, and the longest batch.
const LONGEST_METADATA: u64 = 64 << 20;
const LONGEST_BATCH: u64 = 1 << 30;

/// Kinds of messages.
const SCHEMA: u8 = 1;
const RECORD_BATCH: u8 = 3;

fn open(mut opened: OpenedFile, opening: &Opening<'_>, mark: u64) -> OpenResult {
    let file = opening.file;
    std::io::copy(&mut (&mut opened).take(mark), &mut std::io::sink()).map_err(|error| file.broken(1, &error))?;
    let mut stream = Stream { file: file.clone(), opened, next_row: 1 };
    let message = stream.next()?.filter(|message| message.kind == SCHEMA);
    let message = message.ok_or_else(|| stream.broken("it does not begin with a schema"))?;
    let schema = Schema::read(&message).ok_or_else(|| stream.broken("the schema is damaged"))?;
    let names = schema.metadata.as_deref().and_then(|json| class_names::of_metadata(json, &opening.options.columns));
    let options = ReadOptions::with_class_names(opening.options, names);
    let header = Header::new(schema.columns.iter().map(|column| column.name.as_str()), &options);
    let header = header.map_err(|problem| opening.error(1, problem))?;
    Ok(Box::new(ArrowRows { stream, options, header, columns: schema.columns, batch: None }))
}

struct ArrowRows {
    stream: Stream,
    options: Arc<ReadOptions>,
    header: Header,
    columns: Vec<Column>,
    /// The batch that is being read, and its next row.
    batch: Option<(Batch, usize)>,
}

impl CorpusFile for ArrowRows {
    fn next(&mut self) -> Result<Option<Content>, CorpusError> {
        let (mut rows, mut loose) = (Vec::new(), LooseLabels::default());
        while rows.is_empty() {
            let (batch, next) = match &mut self.batch {
                Some((batch, next)) if *next < batch.rows => (batch, next),
                _ => {
                    let Some(batch) = self.stream.next_batch(&self.columns)? else { return Ok(None) };
                    let (batch, next) = self.batch.insert((batch, 0));
                    (batch, next)
                }
            };
            for row in *next..batch.rows.min(*next + ROWS) {
                let cells: Option<Vec<Cell>> = batch.columns.iter().map(|column| column.cell(&batch.body, row)).collect();
                let cells = cells.ok_or_else(|| self.stream.broken("a column ends early"))?;
                let cells: Result<Vec<Option<String>>, RowProblem> = cells.into_iter().collect();
                let mut read = |cells: Vec<Option<String>>| {
                    let cells = cells.into_iter().map(|cell| cell.map(Cow::Owned));
                    self.header.read_cells(cells, &self.options, &mut loose).map(Example::into_owned)
                };
                rows.push((self.stream.next_row, cells.and_then(&mut read)));
                self.stream.next_row += 1;
                *next += 1;
            }
        }
        Ok(Some(Content::Rows(rows, loose)))
    }

    fn content_hash(&self) -> ContentHash {
        self.stream.opened.content_hash()
    }

    fn notes(&self) -> Vec<String> {
        let other: Vec<&str> = self.columns.iter().filter(|column| column.kind == Kind::Other).map(|column| column.name.as_str()).collect();
        if other.is_empty() { Vec::new() } else { vec![format!("columns without plain values are ignored: {}", other.join(", "))] }
    }

    fn label_names(&self) -> Option<String> {
        self.options.labels.named()
    }
}

/// A cell as text; `None` for `null`.
type Cell = Result<Option<String>, RowProblem>;

/// The messages of a file.
struct Stream {
    file: InputFile,
    opened: OpenedFile,
    /// The number of the row that comes next, for errors.
    next_row: u64,
}

/// A message: its metadata, and its body if it has rows.
struct Message {
    kind: u8,
    metadata: Vec<u8>,
    body: Vec<u8>,
}

impl Message {
    /// What the message holds.
    fn header(&self) -> Option<Table<'_>> {
        Table::root(&self.metadata)?.table(2)
    }
}

impl Stream {
    /// The next message, or `None` at the end.
    fn next(&mut self) -> Result<Option<Message>, CorpusError> {
        let mut length = self.number()?;
        // Older writers omit the marker before the length.
        if length == u32::MAX {
            length = self.number()?;
        }
        // A stream without this end may have lost batches.
        if length == 0 {
            return Ok(None);
        }
        let metadata = self.bytes(u64::from(length), LONGEST_METADATA)?;
        let about = Table::root(&metadata).and_then(|message| Some((message.byte(1)?, message.long(3).unwrap_or(0))));
        let (kind, length) = about.ok_or_else(|| self.broken("the metadata of a message is damaged"))?;
        let length = u64::try_from(length).map_err(|_| self.broken("the metadata of a message is damaged"))?;
        let body = self.bytes(length, LONGEST_BATCH)?;
        Ok(Some(Message { kind, metadata, body }))
    }

    /// The next rows.
    fn next_batch(&mut self, columns: &[Column]) -> Result<Option<Batch>, CorpusError> {
        while let Some(message) = self.next()? {
            if message.kind != RECORD_BATCH {
                continue;
            }
            let compressed = message.header().is_some_and(|batch| batch.table(3).is_some());
            if compressed {
                let problem = RowProblem::Compression("Arrow's own compression");
                return Err(CorpusError::Row { path: self.file.name(), line: self.next_row, problem });
            }
            let batch = Batch::read(message, columns).ok_or_else(|| self.broken("the metadata of a batch is damaged"))?;
            if batch.rows > 0 {
                return Ok(Some(batch));
            }
        }
        Ok(None)
    }

    /// A number of four bytes.
    fn number(&mut self) -> Result<u32, CorpusError> {
        let bytes = self.bytes(4, 4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// This many bytes; memory is allocated only as they arrive.
    fn bytes(&mut self, length: u64, longest: u64) -> Result<Vec<u8>, CorpusError> {
        if length > longest {
            return Err(self.broken(&format!("a message of more than {} MB (write smaller batches)", longest >> 20)));
        }
        let mut bytes = Vec::new();
        (&mut self.opened).take(length).read_to_end(&mut bytes).map_err(|error| self.file.broken(self.next_row, &error))?;
        if (bytes.len() as u64) < length { Err(self.broken("it ends early")) } else { Ok(bytes) }
    }

    fn broken(&self, reason: &str) -> CorpusError {
        CorpusError::Broken { path: self.file.name(), line: self.next_row, reason: reason.to_string() }
    }
}

struct Schema {
    columns: Vec<Column>,
    /// The metadata of `datasets` about the columns.
    metadata: Option<String>,
}

/// A column of the schema.
#[derive(Debug, Clone)]
struct Column {
    name: String,
    kind: Kind,
    /// The number of its field nodes and buffers, including those of nested columns.
    nodes: usize,
    buffers: usize,
}

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Null,
    Integer {
        bytes: usize,
        signed: bool,
    },
    Single,
    Double,
    Bool,
    /// Texts with offsets of four or eight bytes.
    Text {
        place: usize,
    },
    /// Nested types, which are not read.
    Other,
}

/// The maximum number of columns, including nested ones.
const MOST_COLUMNS: usize = 4096;

impl Schema {
    fn read(message: &Message) -> Option<Self> {
        let schema = message.header()?;
        // Any other value is big-endian.
        if schema.short(0).unwrap_or(0) != 0 {
            return None;
        }
        let mut room = MOST_COLUMNS;
        let columns = schema.vector(1)?.tables().map(|field| column(field?, &mut room)).collect::<Option<Vec<Column>>>()?;
        let entries = schema.vector(2).into_iter().flat_map(Vector::tables).flatten();
        let mut metadata = entries.filter(|entry| entry.text(0) == Some(class_names::KEY)).filter_map(|entry| entry.text(1));
        let metadata = metadata.next().map(str::to_string);
        Some(Schema { columns, metadata })
    }
}

fn column(field: Table<'_>, room: &mut usize) -> Option<Column> {
    let (nodes, buffers) = shape(field, room)?;
    let kind_of = field.table(3);
    let integer = || {
        let (bits, signed) = (kind_of?.int(0).unwrap_or(0), kind_of?.byte(1).unwrap_or(0) != 0);
        matches!(bits, 8 | 16 | 32 | 64).then_some(Kind::Integer { bytes: bits as usize / 8, signed })
    };
    let kind = match field.byte(2)? {
        // The texts of a dictionary are in separate messages.
        _ if field.table(4).is_some() => Kind::Other,
        1 => Kind::Null,
        2 => integer()?,
        3 => match kind_of?.short(0).unwrap_or(0) {
            1 => Kind::Single,
            2 => Kind::Double,
            _ => Kind::Other,
        },
        4 | 5 => Kind::Text { place: 4 },
        19 | 20 => Kind::Text { place: 8 },
        6 => Kind::Bool,
        _ => Kind::Other,
    };
    Some(Column { name: field.text(0).unwrap_or_default().to_string(), kind, nodes, buffers })
}

/// The number of field nodes and buffers of a column; `None` for unknown types and if there are too many columns.
fn shape(field: Table<'_>, room: &mut usize) -> Option<(usize, usize)> {
    *room = room.checked_sub(1)?;
    let own = match field.byte(2)? {
        _ if field.table(4).is_some() => return Some((1, 2)),
        1 => 0,
        2 | 3 | 6..=11 | 15 | 18 => 2,
        4 | 5 | 19 | 20 => 3,
        12 | 17 | 21 => 2,
        13 | 16 => 1,
        _ => return None,
    };
    let (mut nodes, mut buffers) = (1, own);
    for child in field.vector(5).into_iter().flat_map(Vector::tables) {
        let (more_nodes, more_buffers) = shape(child?, room)?;
        (nodes, buffers) = (nodes + more_nodes, buffers + more_buffers);
    }
    Some((nodes, buffers))
}

/// Rows of all columns.
struct Batch {
    rows: usize,
    body: Vec<u8>,
    columns: Vec<ColumnBuffers>,
}

/// The position of a column's values in the body.
struct ColumnBuffers {
    kind: Kind,
    /// One bit per row that has a value; `None` if all have one.
    valid: Option<Span>,
    /// Values, or the offsets of texts.
    values: Span,
    /// The texts.
    texts: Span,
}

/// A range that is checked to be within the body.
#[derive(Clone, Copy, Default)]
struct Span {
    start: usize,
    length: usize,
}

impl Span {
    fn of(self, body: &[u8]) -> &[u8] {
        &body[self.start..self.start + self.length]
    }
}

impl Batch {
    fn read(message: Message, columns: &[Column]) -> Option<Self> {
        let batch = message.header()?;
        let rows = usize::try_from(batch.long(0).unwrap_or(0)).ok()?;
        let (nodes, buffers) = (batch.vector(1)?, batch.vector(2)?);
        let length = message.body.len();
        let span = |place: usize| {
            let (start, size) = buffers.pair(place)?;
            let (start, size) = (usize::try_from(start).ok()?, usize::try_from(size).ok()?);
            (start.checked_add(size)? <= length).then_some(Span { start, length: size })
        };
        let (mut node, mut buffer) = (0, 0);
        let mut found = Vec::with_capacity(columns.len());
        for column in columns {
            let (in_column, missing) = nodes.pair(node)?;
            if usize::try_from(in_column).ok()? != rows {
                return None;
            }
            let mut buffers = ColumnBuffers { kind: column.kind, valid: None, values: Span::default(), texts: Span::default() };
            if !matches!(column.kind, Kind::Null | Kind::Other) {
                buffers.valid = if missing == 0 { None } else { Some(span(buffer)?) };
                buffers.values = span(buffer + 1)?;
                if matches!(column.kind, Kind::Text { .. }) {
                    buffers.texts = span(buffer + 2)?;
                }
            }
            found.push(buffers);
            node += column.nodes;
            buffer += column.buffers;
        }
        // Otherwise a batch of nulls could have any number of rows.
        if rows > 0 && found.iter().all(|column| column.values.length == 0) {
            return None;
        }
        Some(Batch { rows, body: message.body, columns: found })
    }
}

impl ColumnBuffers {
    /// The cell of a row; `None` if the column ends before it.
    fn cell(&self, body: &[u8], row: usize) -> Option<Cell> {
        let bit = |span: Span| Some(span.of(body).get(row / 8)? >> (row % 8) & 1 == 1);
        if let Some(valid) = self.valid
            && !bit(valid)?
        {
            return Some(Ok(None));
        }
        let values = self.values.of(body);
        let number = |at: usize, bytes: usize| values.get(at.checked_mul(bytes)?..at.checked_add(1)?.checked_mul(bytes)?);
        // In tables with missing values, integers are stored as floating point numbers and missing values as NaN.
        let float = |value: f64| match value {
            value if value.is_nan() => None,
            value if value.fract() == 0.0 && value.abs() < 1e15 => Some(format!("{value:.0}")),
            value => Some(value.to_string()),
        };
        Some(Ok(match self.kind {
            Kind::Null | Kind::Other => None,
            Kind::Bool => Some(bit(self.values)?.to_string()),
            Kind::Single => float(f64::from(f32::from_le_bytes(number(row, 4)?.try_into().ok()?))),
            Kind::Double => float(f64::from_le_bytes(number(row, 8)?.try_into().ok()?)),
            Kind::Integer { bytes, signed } => Some(integer(number(row, bytes)?, signed)),
            Kind::Text { place } => {
                let at = |row: usize| usize::try_from(integer(number(row, place)?, true).parse::<i64>().ok()?).ok();
                let text = self.texts.of(body).get(at(row)?..at(row + 1)?)?;
                match std::str::from_utf8(text) {
                    Ok(text) => Some(text.to_string()),
                    Err(error) => return Some(Err(RowProblem::CellNotUtf8(error.valid_up_to() + 1))),
                }
            }
        }))
    }
}

/// A little-endian integer of up to eight bytes.
fn integer(bytes: &[u8], signed: bool) -> String {
    let mut number = [0; 8];
    number[..bytes.len()].copy_from_slice(bytes);
    if signed && bytes.last().is_some_and(|last| *last >= 0x80) {
        number[bytes.len()..].fill(0xff);
    }
    if signed { i64::from_le_bytes(number).to_string() } else { u64::from_le_bytes(number).to_string() }
}
