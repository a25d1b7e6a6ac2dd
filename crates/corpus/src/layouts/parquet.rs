//! Parquet, whose columns are named as those of other tables.

use super::tabs::Header;
use super::{CorpusFile, Layout, Opening};
use crate::block::Content;
use crate::input::{InputFile, OpenedFile};
use crate::{CorpusError, ReadOptions, RowProblem};
use acidtest_files::ContentHash;
use acidtest_nli::Example;
use parquet::basic::Compression;
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
        let mut columns = reader.metadata().row_groups().iter().flat_map(|group| group.columns());
        if let Some(name) = columns.find_map(|column| unread(column.compression())) {
            return Err(opening.error(1, RowProblem::Compression(name)));
        }
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
            let cells: Result<Vec<_>, RowProblem> = row.get_column_iter().map(|(_, value)| text(value)).collect();
            let read = |cells: Vec<Option<String>>| {
                let cells = cells.into_iter().map(|cell| cell.map(Cow::Owned));
                self.header.read_cells(cells, &self.options).map(Example::into_owned)
            };
            rows.push((self.next_row, cells.and_then(read)));
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

/// A cell as text; nothing for `null`.
fn text(value: &Value) -> Result<Option<String>, RowProblem> {
    // Tables with gaps hold whole numbers as floating point numbers, and the gaps as NaN.
    let number = |value: f64| match value {
        value if value.is_nan() => None,
        value if value.fract() == 0.0 && value.abs() < 1e15 => Some(format!("{value:.0}")),
        value => Some(value.to_string()),
    };
    Ok(match value {
        Value::Str(text) => Some(text.clone()),
        Value::Null => None,
        Value::Bytes(bytes) => match std::str::from_utf8(bytes.data()) {
            Ok(text) => Some(text.to_string()),
            Err(error) => return Err(RowProblem::CellNotUtf8(error.valid_up_to() + 1)),
        },
        Value::Float(value) => number(f64::from(*value)),
        Value::Double(value) => number(*value),
        other => Some(other.to_string()),
    })
}

/// The name of a compression that is not read.
fn unread(compression: Compression) -> Option<&'static str> {
    match compression {
        Compression::BROTLI(_) => Some("Brotli"),
        Compression::LZ4 | Compression::LZ4_RAW => Some("LZ4"),
        Compression::LZO => Some("LZO"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BadRows, LoopOptions, Reader, read_source};
    use acidtest_nli::{Judgment, Label};
    use acidtest_threads::Threads;
    use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
    use parquet::file::writer::SerializedFileWriter;

    /// Reads a file of premises as bytes, hypotheses `B` and labels as floating point numbers.
    fn read(rows: &[(Option<&[u8]>, Option<f64>)], bad_rows: BadRows) -> Result<crate::Corpus, CorpusError> {
        let schema = "message schema { OPTIONAL BYTE_ARRAY premise; REQUIRED BYTE_ARRAY hypothesis (STRING); OPTIONAL DOUBLE label; }";
        let schema = Arc::new(parquet::schema::parser::parse_message_type(schema).unwrap());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.parquet");
        let mut writer = SerializedFileWriter::new(std::fs::File::create(&path).unwrap(), schema, Default::default()).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let premises: Vec<ByteArray> = rows.iter().filter_map(|row| row.0).map(|bytes| ByteArray::from(bytes.to_vec())).collect();
        let levels: Vec<i16> = rows.iter().map(|row| i16::from(row.0.is_some())).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&premises, Some(&levels), None).unwrap();
        column.close().unwrap();
        let hypotheses = vec![ByteArray::from("B"); rows.len()];
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&hypotheses, None, None).unwrap();
        column.close().unwrap();
        let labels: Vec<f64> = rows.iter().filter_map(|row| row.1).collect();
        let levels: Vec<i16> = rows.iter().map(|row| i16::from(row.1.is_some())).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<DoubleType>().write_batch(&labels, Some(&levels), None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        writer.close().unwrap();
        let options = ReadOptions { bad_rows, ..ReadOptions::default() };
        let threads = Threads::new(std::num::NonZeroUsize::MIN).unwrap();
        read_source(&mut Reader::new(vec![InputFile::new(path)], options), LoopOptions::new(&threads, Default::default()))
    }

    #[test]
    fn a_missing_premise_and_bytes_that_are_no_text_are_bad_rows() {
        let rows: [(Option<&[u8]>, Option<f64>); 3] = [(Some(b"A"), Some(1.0)), (None, Some(0.0)), (Some(b"a\xff"), Some(0.0))];
        let skipped = read(&rows, BadRows::Skip).unwrap();
        assert_eq!((skipped.examples.len(), skipped.skipped), (1, 2));
        let refused = |rows| read(rows, BadRows::Refuse).err().unwrap().to_string();
        assert!(refused(&rows).contains(":2: no premise"), "{}", refused(&rows));
        assert!(refused(&rows[2..]).contains(":1: not UTF-8 (byte 2 of a cell)"), "{}", refused(&rows[2..]));
    }

    #[test]
    fn whole_numbers_in_floating_point_are_labels() {
        let found = read(&[(Some(b"A"), Some(2.0)), (Some(b"A"), None), (Some(b"A"), Some(f64::NAN))], BadRows::Refuse).unwrap();
        let gold: Vec<_> = found.examples.iter().map(|example| example.gold).collect();
        assert_eq!(gold, [Some(Judgment::Exact(Label::Contradiction)), None, None]);
        assert!(read(&[(Some(b"A"), Some(0.5))], BadRows::Refuse).is_err());
    }

    #[test]
    fn compressions_that_are_not_read_are_named() {
        assert_eq!(unread(Compression::LZ4_RAW), Some("LZ4"));
        assert_eq!(unread(Compression::BROTLI(Default::default())), Some("Brotli"));
        assert_eq!(unread(Compression::SNAPPY), None);
    }
}
