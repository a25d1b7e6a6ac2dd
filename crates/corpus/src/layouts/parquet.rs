//! Parquet, whose columns are named as those of other tables.

use super::tabs::Header;
use super::{CorpusFile, Layout, Opening};
use crate::block::Content;
use crate::caught::caught;
use crate::class_names;
use crate::input::{InputFile, OpenedFile};
use crate::{CorpusError, ReadOptions, RowProblem};
use acidtest_files::{ContentHash, scratch_file};
use acidtest_nli::{Example, LooseLabels};
use parquet::basic::{Compression, ConvertedType, Repetition};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field as Value;
use parquet::record::reader::RowIter;
use parquet::schema::types::{ColumnDescPtr, Type, TypePtr};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::Arc;

/// The first bytes of the file.
const MAGIC: &[u8; 4] = b"PAR1";

pub(super) const LAYOUT: Layout =
    Layout::Binary { magic: *MAGIC, open: |opened, opening| Ok(Box::new(ParquetRows::open(opened, opening)?)) };

/// The number of rows read at a time, and their maximum size unless one row is larger.
const ROWS: usize = 1024;
const ROWS_MB: usize = 4;

/// The largest file that is unpacked from gzip or zstd, or read from standard input.
const LARGEST_UNPACKED_GB: u64 = 4;

/// The rows of a Parquet file.
struct ParquetRows {
    file: InputFile,
    options: Arc<ReadOptions>,
    flat: FlatColumns,
    /// Nested columns, read as rows of only those.
    nested: Option<(Vec<usize>, RowIter<'static>)>,
    header: Header,
    next_row: u64,
    hash: ContentHash,
}

/// A cell as text; `None` for `null`.
type Cell = Result<Option<String>, RowProblem>;

/// Cells of a column, with its position in the table.
type PlacedCells = (usize, Vec<Cell>);

impl ParquetRows {
    fn open(mut opened: OpenedFile, opening: &Opening<'_>) -> Result<Self, CorpusError> {
        let file = opening.file;
        let on_disk = seekable(file, &mut opened).map_err(|error| file.broken(1, &error))?;
        let again = || on_disk.try_clone().map_err(|error| file.broken(1, &error));
        let (pages, nested_pages) = (again()?, again()?);
        let reader = guarded(|| SerializedFileReader::new(pages)).map_err(|error| broken(file, 1, &error))?;
        let mut columns = reader.metadata().row_groups().iter().flat_map(|group| group.columns());
        if let Some(name) = columns.find_map(|column| unread(column.compression())) {
            return Err(opening.error(1, RowProblem::Compression(name)));
        }
        let about = reader.metadata().file_metadata();
        let metadata = about.key_value_metadata().into_iter().flatten().find(|entry| entry.key == class_names::KEY);
        let names = metadata.and_then(|entry| class_names::of_metadata(entry.value.as_ref()?, &opening.options.columns));
        let options = ReadOptions::with_class_names(opening.options, names);
        let fields: Vec<TypePtr> = about.schema_descr().root_schema().get_fields().to_vec();
        let header = Header::new(fields.iter().map(|field| field.name()), &options).map_err(|problem| opening.error(1, problem))?;
        let is_flat = |field: &TypePtr| field.is_primitive() && field.get_basic_info().repetition() != Repetition::REPEATED;
        let nested: Vec<usize> = (0..fields.len()).filter(|&place| !is_flat(&fields[place])).collect();
        let nested = match nested.is_empty() {
            true => None,
            false => Some(guarded(|| nested_rows(nested, &fields, nested_pages)).map_err(|error| broken(file, 1, &error))?),
        };
        let schema = about.schema_descr();
        let leaves = (0..schema.num_columns()).map(|leaf| (schema.get_column_root_idx(leaf), leaf));
        let places = leaves.filter(|(place, _)| is_flat(&fields[*place])).collect();
        let flat = FlatColumns { reader, places, next_group: 0, columns: Vec::new(), left: 0, together: ROWS };
        Ok(ParquetRows { file: file.clone(), options, flat, nested, header, next_row: 1, hash: opened.content_hash() })
    }

    /// The cells of the next rows, column by column.
    fn next_columns(&mut self) -> Result<Option<Vec<Vec<Cell>>>, ParquetError> {
        let Some((rows, flat)) = self.flat.next()? else { return Ok(None) };
        let mut columns: Vec<Vec<Cell>> = vec![Vec::new(); self.header.len()];
        for (place, cells) in flat {
            columns[place] = cells;
        }
        if let Some((places, iter)) = &mut self.nested {
            for _ in 0..rows {
                let row = iter.next().ok_or_else(|| ParquetError::General("columns of different lengths".to_string()))??;
                for (place, (_, value)) in places.iter().zip(row.get_column_iter()) {
                    columns[*place].push(text(value));
                }
            }
        }
        Ok(Some(columns))
    }
}

impl CorpusFile for ParquetRows {
    fn next(&mut self) -> Result<Option<Content>, CorpusError> {
        let found = guarded(|| self.next_columns()).map_err(|error| broken(&self.file, self.next_row, &error))?;
        let Some(columns) = found else { return Ok(None) };
        let mut loose = LooseLabels::default();
        let mut columns: Vec<_> = columns.into_iter().map(Vec::into_iter).collect();
        let mut rows = Vec::new();
        loop {
            let cells: Vec<Cell> = columns.iter_mut().filter_map(Iterator::next).collect();
            if cells.is_empty() {
                return Ok(Some(Content::Rows(rows, loose)));
            }
            let cells: Result<Vec<Option<String>>, RowProblem> = cells.into_iter().collect();
            let mut read = |cells: Vec<Option<String>>| {
                let cells = cells.into_iter().map(|cell| cell.map(Cow::Owned));
                self.header.read_cells(cells, &self.options, &mut loose).map(Example::into_owned)
            };
            rows.push((self.next_row, cells.and_then(&mut read)));
            self.next_row += 1;
        }
    }

    fn content_hash(&self) -> ContentHash {
        self.hash
    }

    fn label_names(&self) -> Option<String> {
        self.options.labels.named()
    }
}

/// Columns of plain values, read batch by batch.
struct FlatColumns {
    reader: SerializedFileReader<File>,
    /// Positions among the columns of the table and among the leaves of the file.
    places: Vec<(usize, usize)>,
    next_group: usize,
    /// The columns of the group that is being read.
    columns: Vec<(usize, ColumnReader, ColumnDescPtr)>,
    /// Rows of the group that are not read yet, and how many of them are read at a time.
    left: usize,
    together: usize,
}

impl FlatColumns {
    /// How many rows come next, and their cells by column; `None` after the last.
    fn next(&mut self) -> Result<Option<(usize, Vec<PlacedCells>)>, ParquetError> {
        while self.left == 0 {
            if self.next_group == self.reader.num_row_groups() {
                return Ok(None);
            }
            let group = self.reader.get_row_group(self.next_group)?;
            self.next_group += 1;
            self.left = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
            let bytes = usize::try_from(group.metadata().total_byte_size()).unwrap_or(usize::MAX);
            self.together = (ROWS_MB << 20).checked_div(bytes / self.left.max(1)).map_or(ROWS, |rows| rows.clamp(1, ROWS));
            let column = |&(place, leaf): &(usize, usize)| {
                let descr = group.metadata().schema_descr().column(leaf);
                Ok::<_, ParquetError>((place, group.get_column_reader(leaf)?, descr))
            };
            self.columns = self.places.iter().map(column).collect::<Result<_, _>>()?;
        }
        let rows = self.left.min(self.together);
        self.left -= rows;
        let cells = self.columns.iter_mut().map(|(place, column, descr)| Ok((*place, cells(column, descr, rows)?)));
        Ok(Some((rows, cells.collect::<Result<_, ParquetError>>()?)))
    }
}

/// The next cells of a column.
fn cells(column: &mut ColumnReader, descr: &ColumnDescPtr, rows: usize) -> Result<Vec<Cell>, ParquetError> {
    match column {
        ColumnReader::BoolColumnReader(reader) => typed(reader, descr, rows, |value| text(&Value::convert_bool(descr, value))),
        ColumnReader::Int32ColumnReader(reader) => typed(reader, descr, rows, |value| text(&Value::convert_int32(descr, value))),
        ColumnReader::Int64ColumnReader(reader) => typed(reader, descr, rows, |value| text(&Value::convert_int64(descr, value))),
        ColumnReader::Int96ColumnReader(reader) => typed(reader, descr, rows, |value| text(&Value::convert_int96(descr, value))),
        ColumnReader::FloatColumnReader(reader) => typed(reader, descr, rows, |value| text(&Value::convert_float(descr, value))),
        ColumnReader::DoubleColumnReader(reader) => typed(reader, descr, rows, |value| text(&Value::convert_double(descr, value))),
        ColumnReader::ByteArrayColumnReader(reader) => typed(reader, descr, rows, |value| of_bytes(descr, value)),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => typed(reader, descr, rows, |value| of_bytes(descr, value.into())),
    }
}

/// The next cells of a column of one type.
fn typed<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    descr: &ColumnDescPtr,
    rows: usize,
    cell: impl Fn(T::T) -> Cell,
) -> Result<Vec<Cell>, ParquetError> {
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    let mut read = 0;
    while read < rows {
        let (more, _, _) = reader.read_records(rows - read, Some(&mut levels), None, &mut values)?;
        if more == 0 {
            return Err(ParquetError::General(format!("the column `{}` ends early", descr.name())));
        }
        read += more;
    }
    if descr.max_def_level() == 0 {
        return Ok(values.into_iter().map(cell).collect());
    }
    let mut values = values.into_iter();
    let found = levels.iter().map(|&level| if level < descr.max_def_level() { Ok(None) } else { values.next().map_or(Ok(None), &cell) });
    Ok(found.collect())
}

/// A cell of bytes: text, whatever its declared type, or an encoded number.
fn of_bytes(descr: &ColumnDescPtr, value: ByteArray) -> Cell {
    match descr.converted_type() {
        ConvertedType::DECIMAL | ConvertedType::INTERVAL => match Value::convert_byte_array(descr, value) {
            Ok(value) => text(&value),
            Err(_) => Ok(None),
        },
        _ => text(&Value::Bytes(value)),
    }
}

/// The rows of these columns alone.
fn nested_rows(places: Vec<usize>, fields: &[TypePtr], pages: File) -> Result<(Vec<usize>, RowIter<'static>), ParquetError> {
    let reader = SerializedFileReader::new(pages)?;
    let root = reader.metadata().file_metadata().schema_descr().root_schema().name().to_string();
    let nested = places.iter().map(|&place| Arc::clone(&fields[place])).collect();
    let schema = Type::group_type_builder(&root).with_fields(nested).build()?;
    Ok((places, RowIter::from_file_into(Box::new(reader)).project(Some(schema))?))
}

/// The file with random access, which Parquet needs: itself, or a copy of input that can only be read once.
fn seekable(file: &InputFile, opened: &mut OpenedFile) -> io::Result<File> {
    if file.is_plain(MAGIC) {
        // The hash is that of all its bytes.
        io::copy(opened, &mut io::sink())?;
        return File::open(file.path());
    }
    let mut copy = scratch_file()?;
    let most = LARGEST_UNPACKED_GB << 30;
    let copied = io::copy(&mut opened.take(most), &mut copy)?;
    if copied == most {
        return Err(io::Error::other(format!("larger than {LARGEST_UNPACKED_GB} GB when unpacked (unpack it first)")));
    }
    copy.flush()?;
    Ok(copy)
}

/// The library panics on some damaged pages.
fn guarded<T>(work: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    caught(work).unwrap_or_else(|| Err(ParquetError::General("its pages are damaged".to_string())))
}

fn broken(file: &InputFile, line: u64, error: &ParquetError) -> CorpusError {
    CorpusError::Broken { path: file.name(), line, reason: error.to_string() }
}

/// A value as text.
fn text(value: &Value) -> Cell {
    // In tables with missing values, integers are stored as floating point numbers and missing values as NaN.
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

/// The name of an unsupported compression.
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
        let plain = read_premises("", rows, bad_rows);
        // What the file says of its bytes makes no difference.
        let typed = read_premises("(STRING)", rows, bad_rows);
        assert_eq!(plain.map(|corpus| corpus.examples).ok(), typed.as_ref().map(|corpus| corpus.examples.clone()).ok());
        typed
    }

    fn read_premises(kind: &str, rows: &[(Option<&[u8]>, Option<f64>)], bad_rows: BadRows) -> Result<crate::Corpus, CorpusError> {
        let schema = "message schema { OPTIONAL BYTE_ARRAY premise KIND; REQUIRED BYTE_ARRAY hypothesis (STRING); OPTIONAL DOUBLE label; }";
        let schema = Arc::new(parquet::schema::parser::parse_message_type(&schema.replace("KIND", kind)).unwrap());
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
    fn a_missing_premise_and_invalid_utf8_are_invalid_rows() {
        let rows: [(Option<&[u8]>, Option<f64>); 4] =
            [(Some(b"A"), Some(2.0)), (None, Some(0.0)), (Some(b"a\xff"), Some(2.0)), (Some(b"B"), Some(0.0))];
        let skipped = read(&rows, BadRows::Skip).unwrap();
        assert_eq!((skipped.examples.len(), skipped.skipped), (2, 2));
        let refused = |rows| read(rows, BadRows::Refuse).err().unwrap().to_string();
        assert!(refused(&rows).contains(":2: no premise"), "{}", refused(&rows));
        assert!(refused(&rows[2..]).contains(":1: not UTF-8 (byte 2 of a cell)"), "{}", refused(&rows[2..]));
    }

    #[test]
    fn whole_numbers_in_floating_point_are_labels() {
        let labels = [Some(2.0), None, Some(f64::NAN), Some(0.0)].map(|label| (Some(&b"A"[..]), label));
        let found = read(&labels, BadRows::Refuse).unwrap();
        let gold: Vec<_> = found.examples.iter().map(|example| example.gold).collect();
        assert_eq!(gold, [Some(Judgment::Exact(Label::Contradiction)), None, None, Some(Judgment::Exact(Label::Entailment))]);
        assert!(read(&[(Some(b"A"), Some(0.5))], BadRows::Refuse).is_err());
    }

    #[test]
    fn a_file_within_gzip_or_zstd_is_read_as_it_is_without() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.parquet");
        let mut writer = crate::Writer::create(&path, crate::Format::of_path(&path).unwrap()).unwrap();
        for n in 0..3000 {
            let pair = acidtest_nli::Pair { id: n.to_string().into(), ..acidtest_nli::Pair::plain("A dog barks.", "A dog.") };
            writer.write(&Example { pair, gold: Some(Label::Neutral.into()), ..Example::default() }).unwrap();
        }
        writer.finish().unwrap();
        let whole = std::fs::read(&path).unwrap();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&whole).unwrap();
        let packed = [("a.gz", gzip.finish().unwrap()), ("a.zst", zstd::encode_all(whole.as_slice(), 1).unwrap())];
        let threads = Threads::new(1.try_into().unwrap()).unwrap();
        let read = |path| {
            read_source(
                &mut Reader::new(vec![InputFile::new(path)], ReadOptions::default()),
                LoopOptions::new(&threads, Default::default()),
            )
        };
        let plain = read(path).unwrap();
        assert_eq!((plain.examples.len(), plain.files[0].hash), (3000, ContentHash::of(&whole)));
        for (name, bytes) in packed {
            std::fs::write(folder.path().join(name), &bytes).unwrap();
            let found = read(folder.path().join(name)).unwrap();
            assert_eq!(found.files[0].hash, ContentHash::of(&bytes));
            assert!(found.examples == plain.examples);
        }
    }

    #[test]
    fn unsupported_compressions_are_named() {
        assert_eq!(unread(Compression::LZ4_RAW), Some("LZ4"));
        assert_eq!(unread(Compression::BROTLI(Default::default())), Some("Brotli"));
        assert_eq!(unread(Compression::SNAPPY), None);
    }

    #[test]
    fn no_damage_makes_reading_panic() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.parquet");
        let mut writer = crate::Writer::create(&path, crate::Format::of_path(&path).unwrap()).unwrap();
        for n in 0..20 {
            let pair = acidtest_nli::Pair { id: n.to_string().into(), ..acidtest_nli::Pair::plain("A dog barks.", "A dog.") };
            writer.write(&Example { pair, gold: Some(Label::Neutral.into()), ..Example::default() }).unwrap();
        }
        writer.finish().unwrap();
        let whole = std::fs::read(&path).unwrap();
        let threads = Threads::new(1.try_into().unwrap()).unwrap();
        let mut refused = 0;
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << (at % 8);
            std::fs::write(&path, damaged).unwrap();
            let mut reader = Reader::new(vec![InputFile::new(&path)], ReadOptions::default());
            refused += usize::from(read_source(&mut reader, LoopOptions::new(&threads, Default::default())).is_err());
        }
        assert!(refused > whole.len() / 4, "{refused} of {}", whole.len());
    }
}
