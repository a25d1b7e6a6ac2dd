//! Parquet, whose columns are named as those of other tables.

use super::tabs::Header;
use super::{CorpusFile, Layout, Opening};
use crate::block::Content;
use crate::input::{InputFile, OpenedFile};
use crate::{CorpusError, ReadOptions};
use acidtest_files::ContentHash;
use acidtest_nli::Example;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field as Value;
use parquet::record::reader::RowIter;
use std::borrow::Cow;
use std::io::Read;
use std::sync::Arc;

pub(super) const LAYOUT: Layout =
    Layout::Binary { magic: *b"PAR1", open: |opened, opening| Ok(Box::new(ParquetRows::open(opened, opening)?)) };

/// Rows that are read at a time.
const ROWS: usize = 1024;

/// The rows of a Parquet file.
struct ParquetRows {
    file: InputFile,
    options: Arc<ReadOptions>,
    rows: RowIter<'static>,
    header: Header,
    next_row: u64,
    hash: ContentHash,
}

impl ParquetRows {
    fn open(mut opened: OpenedFile, opening: &Opening<'_>) -> Result<Self, CorpusError> {
        let file = opening.file;
        // The directory of a Parquet file stands at its end, so that it is read whole; it is compressed already.
        let mut bytes = Vec::new();
        opened.text.read_to_end(&mut bytes).map_err(|error| file.broken(1, &error))?;
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).map_err(|error| broken(file, 1, &error))?;
        let schema = reader.metadata().file_metadata().schema_descr();
        let names: Vec<String> = schema.root_schema().get_fields().iter().map(|field| field.name().to_string()).collect();
        let header = Header::new(names.iter().map(String::as_str), opening.options).map_err(|problem| opening.error(1, problem))?;
        Ok(ParquetRows {
            file: file.clone(),
            options: Arc::clone(opening.options),
            rows: RowIter::from_file_into(Box::new(reader)),
            header,
            next_row: 1,
            hash: opened.content_hash(),
        })
    }
}

impl CorpusFile for ParquetRows {
    fn next(&mut self) -> Result<Option<Content>, CorpusError> {
        let mut rows = Vec::new();
        while rows.len() < ROWS {
            let Some(row) = self.rows.next() else { break };
            let row = row.map_err(|error| broken(&self.file, self.next_row, &error))?;
            let cells = row.get_column_iter().map(|(_, value)| Cow::Owned(text(value)));
            rows.push((self.next_row, self.header.read(cells, &self.options).map(Example::into_owned)));
            self.next_row += 1;
        }
        Ok(if rows.is_empty() { None } else { Some(Content::Rows(rows)) })
    }

    fn content_hash(&self) -> ContentHash {
        self.hash
    }
}

fn broken(file: &InputFile, line: u64, error: &ParquetError) -> CorpusError {
    CorpusError::Broken { path: file.name(), line, reason: error.to_string() }
}

fn text(value: &Value) -> String {
    match value {
        Value::Str(text) => text.clone(),
        Value::Null => String::new(),
        Value::Bytes(bytes) => String::from_utf8_lossy(bytes.data()).into_owned(),
        other => other.to_string(),
    }
}
