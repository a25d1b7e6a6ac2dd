//! The columns of Hugging Face as Parquet.

use super::{Encoding, FormatEntry, WriteRows, number};
use crate::CorpusError;
use acidtest_files::{FileError, Output, Sealed};
use acidtest_nli::Example;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use std::sync::Arc;

pub(super) static ENTRY: FormatEntry = FormatEntry {
    name: "parquet",
    summary: "the same as Parquet (.parquet)",
    ending: "parquet",
    claims: &["parquet"],
    encoding: Encoding::Groups(|output| Ok(Box::new(ParquetWriter::new(output)?))),
};

/// Writes rows in groups.
struct ParquetWriter {
    writer: SerializedFileWriter<Output>,
    name: String,
    columns: [Vec<ByteArray>; 3],
    labels: Vec<i32>,
}

/// Rows held before they are written as one group.
const GROUP: usize = 64 << 10;

impl ParquetWriter {
    fn new(output: Output) -> Result<Self, CorpusError> {
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

    fn flush(&mut self) -> Result<(), CorpusError> {
        let columns = std::mem::take(&mut self.columns);
        let labels = std::mem::take(&mut self.labels);
        if labels.is_empty() {
            return Ok(());
        }
        write_group(&mut self.writer, &columns, &labels).map_err(|error| failed(&self.name, error))
    }
}

impl WriteRows for ParquetWriter {
    fn write(&mut self, example: &Example<'_>) -> Result<(), CorpusError> {
        let cells = [&example.pair.id, &example.pair.premise.text, &example.pair.hypothesis.text];
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.push(ByteArray::from(cell.as_bytes().to_vec()));
        }
        self.labels.push(number(example.gold));
        if self.labels.len() >= GROUP { self.flush() } else { Ok(()) }
    }

    fn seal(mut self: Box<Self>) -> Result<Sealed, CorpusError> {
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
