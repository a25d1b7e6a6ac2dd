//! Comma separated values, with quoting.

use super::tabs::Header;
use super::{CorpusFile, Layout, OpenResult, Opening, TextFile};
use crate::block::Content;
use crate::input::{Allowance, BoundedReader, InputFile, OpenedFile};
use crate::{BadRows, CorpusError, ReadOptions, RowProblem};
use acidtest_files::ContentHash;
use acidtest_nli::{Example, LooseLabels};
use std::sync::Arc;

pub(super) const LAYOUT: Layout = Layout::Text {
    recognises: |first, options| first.contains(',') && Header::is_header(first, ',', options),
    open: |text, opening| open_quoted(text, opening, b','),
};

/// Rows that are read at a time, by one thread.
const ROWS: usize = 1024;
const ROWS_MB: usize = 4;

/// The longest row: a quotation mark that is never closed would take in the rest of the file.
const LONGEST_ROW_MB: u64 = 64;

/// Opens a table with quoting and any separator.
pub(super) fn open_quoted(text: TextFile, opening: &Opening<'_>, separator: u8) -> OpenResult {
    Ok(Box::new(Commas::open(text, opening, separator)?))
}

struct Commas {
    file: InputFile,
    options: Arc<ReadOptions>,
    reader: csv::Reader<BoundedReader<OpenedFile>>,
    allowance: Allowance,
    header: Header,
    separator: u8,
}

impl Commas {
    fn open(text: TextFile, opening: &Opening<'_>, separator: u8) -> Result<Self, CorpusError> {
        let line = text.line;
        let first = text.first.unwrap_or_default();
        if opening.options.bad_rows == BadRows::Refuse {
            first.all_utf8().map_err(|(line, problem)| opening.error(line, problem))?;
        }
        let (bounded, allowance) = BoundedReader::new(text.blocks.reopened(first), LONGEST_ROW_MB);
        let mut reader = csv::ReaderBuilder::new().flexible(true).delimiter(separator).from_reader(bounded);
        let names = reader.headers().map_err(|error| opening.error(line, RowProblem::Csv(error.to_string())))?;
        let header = Header::new(names.iter(), opening.options).map_err(|problem| opening.error(line, problem))?;
        Ok(Commas { file: opening.file.clone(), options: Arc::clone(opening.options), reader, allowance, header, separator })
    }
}

impl CorpusFile for Commas {
    fn next(&mut self) -> Result<Option<Content>, CorpusError> {
        let mut rows = Vec::new();
        let mut loose = LooseLabels::default();
        let mut record = csv::StringRecord::new();
        let mut bytes = 0;
        while rows.len() < ROWS && bytes < ROWS_MB << 20 {
            let line = self.reader.position().line();
            self.allowance.renew();
            match self.reader.read_record(&mut record) {
                Ok(false) => break,
                Ok(true) => {
                    let line = record.position().map_or(line, csv::Position::line);
                    bytes += record.as_slice().len();
                    let row = self.header.read(record.iter().map(Into::into), &self.options, &mut loose).map(Example::into_owned);
                    rows.push((line, row));
                }
                Err(error) => {
                    let line = error.position().map_or(line, csv::Position::line);
                    let problem = match error.into_kind() {
                        csv::ErrorKind::Utf8 { err, .. } => RowProblem::Csv(err.to_string()),
                        csv::ErrorKind::Io(error) => return Err(self.file.broken(line, &error)),
                        other => RowProblem::Csv(format!("{other:?}")),
                    };
                    rows.push((line, Err(problem)));
                }
            }
        }
        Ok(if rows.is_empty() { None } else { Some(Content::Rows(rows, loose)) })
    }

    fn content_hash(&self) -> ContentHash {
        self.reader.get_ref().inner.content_hash()
    }

    fn notes(&self) -> Vec<String> {
        let quoted = (self.separator == b'\t')
            .then_some("read as tab separated with quoted cells, going by the first lines; the quotation marks are removed");
        quoted.map(str::to_string).into_iter().collect()
    }
}
