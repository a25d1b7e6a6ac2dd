//! Parquet: Hugging Face style columns, in and out.

use crate::columns::Header;
use crate::input::{InputFile, Opened};
use crate::write::number;
use crate::{CorpusError, ReadOptions, RowProblem};
use acidtest_files::{ContentHash, FileError, Output, Sealed};
use acidtest_nli::Example;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::Field as Value;
use parquet::record::reader::RowIter;
use std::borrow::Cow;
use std::io::Read;
use std::sync::Arc;

/// Rows that are read at a time.
const ROWS: usize = 1024;

/// The rows of a Parquet file.
pub(crate) struct ParquetRows {
    rows: RowIter<'static>,
    header: Header,
    next_row: u64,
    hash: ContentHash,
}

impl ParquetRows {
    /// Opens a file whose first bytes were read already.
    pub fn open(start: Vec<u8>, mut opened: Opened, file: &InputFile, options: &ReadOptions) -> Result<Self, CorpusError> {
        // The directory of a Parquet file stands at its end, so that it is read whole; it is compressed already.
        let mut bytes = start;
        opened.text.read_to_end(&mut bytes).map_err(|error| file.broken(1, &error))?;
        let broken = |error: parquet::errors::ParquetError| CorpusError::Broken { path: file.name(), line: 1, reason: error.to_string() };
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).map_err(broken)?;
        let schema = reader.metadata().file_metadata().schema_descr();
        let names: Vec<String> = schema.root_schema().get_fields().iter().map(|field| field.name().to_string()).collect();
        let header = Header::new(names.iter().map(String::as_str), options).map_err(|problem| CorpusError::Row {
            path: file.name(),
            line: 1,
            problem,
        })?;
        Ok(ParquetRows { rows: RowIter::from_file_into(Box::new(reader)), header, next_row: 1, hash: opened.content_hash() })
    }

    pub fn content_hash(&self) -> ContentHash {
        self.hash
    }

    /// The next rows, or `None` after the last.
    #[allow(clippy::type_complexity)]
    pub fn next(
        &mut self,
        options: &ReadOptions,
        path: &str,
    ) -> Result<Option<Vec<(u64, Result<Example<'static>, RowProblem>)>>, CorpusError> {
        let mut rows = Vec::new();
        while rows.len() < ROWS {
            let Some(row) = self.rows.next() else { break };
            let broken = |error: parquet::errors::ParquetError| CorpusError::Broken {
                path: path.to_string(),
                line: self.next_row,
                reason: error.to_string(),
            };
            let row = row.map_err(broken)?;
            let cells = row.get_column_iter().map(|(_, value)| Cow::Owned(text(value)));
            rows.push((self.next_row, self.header.read(cells, options).map(Example::into_owned)));
            self.next_row += 1;
        }
        Ok(if rows.is_empty() { None } else { Some(rows) })
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Str(text) => text.clone(),
        Value::Null => String::new(),
        Value::Bytes(bytes) => String::from_utf8_lossy(bytes.data()).into_owned(),
        other => other.to_string(),
    }
}

/// Writes rows in groups.
pub(crate) struct ParquetWriter {
    writer: SerializedFileWriter<Output>,
    name: String,
    columns: [Vec<ByteArray>; 3],
    labels: Vec<i32>,
}

/// Rows held before they are written as one group.
const GROUP: usize = 64 << 10;

impl ParquetWriter {
    pub fn new(output: Output) -> Result<Self, CorpusError> {
        let schema = "message schema {
            REQUIRED BYTE_ARRAY id (STRING);
            REQUIRED BYTE_ARRAY premise (STRING);
            REQUIRED BYTE_ARRAY hypothesis (STRING);
            REQUIRED INT32 label;
        }";
        let name = output.name();
        let unwritten = |error| failed(&name, error);
        let schema = Arc::new(parquet::schema::parser::parse_message_type(schema).map_err(unwritten)?);
        let properties = Arc::new(WriterProperties::builder().set_compression(Compression::SNAPPY).build());
        let writer = SerializedFileWriter::new(output, schema, properties).map_err(unwritten)?;
        Ok(ParquetWriter { writer, name, columns: Default::default(), labels: Vec::new() })
    }

    pub fn write(&mut self, example: &Example<'_>) -> Result<(), CorpusError> {
        let cells = [&example.pair.id, &example.pair.premise.text, &example.pair.hypothesis.text];
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.push(ByteArray::from(cell.as_bytes().to_vec()));
        }
        self.labels.push(number(example.gold));
        if self.labels.len() >= GROUP { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), CorpusError> {
        let columns = std::mem::take(&mut self.columns);
        let labels = std::mem::take(&mut self.labels);
        if labels.is_empty() {
            return Ok(());
        }
        write_group(&mut self.writer, &columns, &labels).map_err(|error| failed(&self.name, error))
    }

    pub fn seal(mut self) -> Result<Sealed, CorpusError> {
        self.flush()?;
        let name = self.name;
        Ok(self.writer.into_inner().map_err(|error| failed(&name, error))?.seal()?)
    }
}

fn write_group(
    writer: &mut SerializedFileWriter<Output>,
    columns: &[Vec<ByteArray>; 3],
    labels: &[i32],
) -> Result<(), parquet::errors::ParquetError> {
    let mut group = writer.next_row_group()?;
    for column in columns {
        if let Some(mut open) = group.next_column()? {
            open.typed::<ByteArrayType>().write_batch(column, None, None)?;
            open.close()?;
        }
    }
    if let Some(mut open) = group.next_column()? {
        open.typed::<Int32Type>().write_batch(labels, None, None)?;
        open.close()?;
    }
    group.close()?;
    Ok(())
}

fn failed(path: &str, error: parquet::errors::ParquetError) -> CorpusError {
    FileError::Unwritten { path: path.to_string(), source: std::io::Error::other(error.to_string()) }.into()
}
