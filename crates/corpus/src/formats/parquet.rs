//! The columns of Hugging Face as Parquet, with the names of the labels in the metadata, as `datasets` reads and writes them.

use super::{Encoding, FormatEntry, KeptTags, TableShape, WriteRows};
use crate::CorpusError;
use crate::class_names::KEY;
use acidtest_files::{FileError, Output, Sealed};
use acidtest_nli::{Example, Judgment};
use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use serde_json::{Map, Value, json};
use std::sync::Arc;

pub(super) static ENTRY: FormatEntry = FormatEntry {
    name: "parquet",
    summary: "Parquet with the same columns, labels as Hugging Face's ClassLabel",
    ending: "parquet",
    claims: &["parquet"],
    tags: KeptTags::All,
    encoding: Encoding::Table(|output, shape| Ok(Box::new(ParquetWriter::new(output, shape)?))),
};

/// The column of the label, after id, premise and hypothesis.
const LABEL_COLUMN: usize = 3;

/// Writes rows in groups.
struct ParquetWriter {
    writer: SerializedFileWriter<Output>,
    name: String,
    tags: Vec<String>,
    labels: &'static [Judgment],
    /// The cells of texts, without the label: the three fields, then the tags. `None` for a tag that a row does not have.
    columns: Vec<Vec<Option<ByteArray>>>,
    golds: Vec<i64>,
}

/// The number of rows in a row group.
const GROUP: usize = 64 << 10;

impl ParquetWriter {
    fn new(output: Output, shape: &TableShape) -> Result<Self, CorpusError> {
        let name = output.name();
        let unwritten = |error| failed(&name, error);
        let schema = schema(shape).map_err(unwritten)?;
        let metadata = vec![KeyValue::new(KEY.to_string(), metadata(shape).to_string())];
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).set_key_value_metadata(Some(metadata));
        let writer = SerializedFileWriter::new(output, Arc::new(schema), Arc::new(properties.build())).map_err(unwritten)?;
        let tags: Vec<String> = shape.tags.iter().cloned().collect();
        let columns = vec![Vec::new(); LABEL_COLUMN + tags.len()];
        Ok(ParquetWriter { writer, name, tags, labels: shape.labels(), columns, golds: Vec::new() })
    }

    fn flush(&mut self) -> Result<(), CorpusError> {
        let golds = std::mem::take(&mut self.golds);
        let columns: Vec<_> = self.columns.iter_mut().map(std::mem::take).collect();
        if golds.is_empty() {
            return Ok(());
        }
        write_group(&mut self.writer, &columns, &golds).map_err(|error| failed(&self.name, error))
    }
}

/// The columns; all are optional, as in `datasets`.
fn schema(shape: &TableShape) -> Result<Type, ParquetError> {
    let mut fields = Vec::new();
    for (place, name) in shape.columns().enumerate() {
        let field = if place == LABEL_COLUMN {
            Type::primitive_type_builder(&name, PhysicalType::INT64)
        } else {
            Type::primitive_type_builder(&name, PhysicalType::BYTE_ARRAY).with_logical_type(Some(LogicalType::String))
        };
        fields.push(Arc::new(field.with_repetition(Repetition::OPTIONAL).build()?));
    }
    Type::group_type_builder("schema").with_fields(fields).build()
}

/// The metadata of `datasets` about the columns.
fn metadata(shape: &TableShape) -> Value {
    let names: Vec<&str> = shape.labels().iter().map(|judgment| judgment.name()).collect();
    let feature = |place: usize| match place {
        LABEL_COLUMN => json!({ "names": names, "_type": "ClassLabel" }),
        _ => json!({ "dtype": "string", "_type": "Value" }),
    };
    let features: Map<String, Value> = shape.columns().enumerate().map(|(place, name)| (name.into_owned(), feature(place))).collect();
    json!({ "info": { "features": features } })
}

impl WriteRows for ParquetWriter {
    fn write(&mut self, example: &Example<'_>) -> Result<(), CorpusError> {
        let pair = &example.pair;
        let fields = [pair.id.as_ref(), &pair.premise.text, &pair.hypothesis.text].map(Some);
        let tags = self.tags.iter().map(|tag| example.tags.get(tag));
        for (column, cell) in self.columns.iter_mut().zip(fields.into_iter().chain(tags)) {
            column.push(cell.map(|cell| ByteArray::from(cell.as_bytes().to_vec())));
        }
        let number = |gold: Judgment| self.labels.iter().position(|label| *label == gold);
        // Hugging Face's value for unlabelled examples.
        self.golds.push(example.gold.and_then(number).map_or(-1, |number| number as i64));
        if self.golds.len() >= GROUP { self.flush() } else { Ok(()) }
    }

    fn seal(mut self: Box<Self>) -> Result<Sealed, CorpusError> {
        self.flush()?;
        let name = self.name;
        Ok(self.writer.into_inner().map_err(|error| failed(&name, error))?.seal()?)
    }
}

fn write_group(writer: &mut SerializedFileWriter<Output>, columns: &[Vec<Option<ByteArray>>], golds: &[i64]) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    let (before, behind) = columns.split_at(LABEL_COLUMN);
    let cells = before.iter().map(Some).chain([None]).chain(behind.iter().map(Some));
    for cells in cells {
        let Some(mut open) = group.next_column()? else { break };
        match cells {
            Some(cells) => {
                let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
                let present: Vec<ByteArray> = cells.iter().flatten().cloned().collect();
                open.typed::<ByteArrayType>().write_batch(&present, Some(&levels), None)?;
            }
            None => {
                open.typed::<Int64Type>().write_batch(golds, Some(&vec![1; golds.len()]), None)?;
            }
        }
        open.close()?;
    }
    group.close()?;
    Ok(())
}

fn failed(path: &str, error: ParquetError) -> CorpusError {
    FileError::Unwritten { path: path.to_string(), source: std::io::Error::other(error.to_string()) }.into()
}
