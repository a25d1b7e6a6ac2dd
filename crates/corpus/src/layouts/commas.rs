//! Comma-separated values, with quoting.

mod quote_check;

use super::tabs::Header;
use super::{CorpusFile, Layout, OpenResult, Opening, TextFile};
use crate::block::Content;
use crate::blocks::{LineBlock, LineBlocks};
use crate::input::{Allowance, BoundedReader, InputFile, OpenedFile};
use crate::{BadRows, CorpusError, ReadOptions, RowProblem};
use acidtest_files::ContentHash;
use acidtest_nli::{Example, LooseLabels};
use quote_check::QuoteCheck;
use std::sync::Arc;

pub(super) const LAYOUT: Layout = Layout::Text {
    recognises: |first, options| first.contains(',') && Header::is_header(first, ',', options),
    open: |text, opening| open_quoted(text, opening, b','),
};

/// Rows that are read at a time, by one thread.
const ROWS: usize = 1024;
const ROWS_MB: usize = 4;

/// The longest row: an unclosed quotation mark would take in the rest of the file.
const LONGEST_ROW_MB: u64 = 64;

/// Opens a table with quoting and any separator.
pub(super) fn open_quoted(text: TextFile, opening: &Opening<'_>, separator: u8) -> OpenResult {
    Ok(Box::new(Commas::open(text, opening, separator)?))
}

/// Rows of a table with quoting.
pub(super) struct Commas {
    file: InputFile,
    options: Arc<ReadOptions>,
    reader: csv::Reader<BoundedReader<QuoteCheck<OpenedFile>>>,
    allowance: Allowance,
    header: Header,
    /// What shows that tab-separated cells are quoted: the header, or this line.
    shown_by: Option<TabsShownBy>,
    /// The lines before those that the reader sees.
    lines_before: u64,
    /// How many records were read, the header included if the reader saw it.
    records: u64,
}

enum TabsShownBy {
    Header,
    Line(u64),
}

impl Commas {
    fn open(text: TextFile, opening: &Opening<'_>, separator: u8) -> Result<Self, CorpusError> {
        let line = text.line;
        let first = text.first.unwrap_or_default();
        if opening.options.bad_rows == BadRows::Refuse {
            first.all_utf8().map_err(|(line, problem)| opening.error(line, problem))?;
        }
        let is_tabs = separator == b'\t';
        let checked = if is_tabs { QuoteCheck::tabs(text.blocks.reopened(first), 1) } else { QuoteCheck::off(text.blocks.reopened(first)) };
        let (bounded, allowance) = BoundedReader::new(checked, LONGEST_ROW_MB);
        let mut reader = csv::ReaderBuilder::new().flexible(true).delimiter(separator).from_reader(bounded);
        let names = reader.headers().map_err(|error| opening.error(line, RowProblem::Csv(error.to_string())))?;
        let header = Header::new(names.iter(), opening.options).map_err(|problem| opening.error(line, problem))?;
        let (file, options) = (opening.file.clone(), Arc::clone(opening.options));
        let shown_by = is_tabs.then_some(TabsShownBy::Header);
        Ok(Commas { file, options, reader, allowance, header, shown_by, lines_before: 0, records: 1 })
    }

    /// Tab-separated rows from this block on, in which a cell was found to be quoted; the header is known.
    pub(super) fn after_header(
        (blocks, first): (LineBlocks, LineBlock),
        (file, options): (&InputFile, &Arc<ReadOptions>),
        (header, quoted_line): (Header, u64),
    ) -> Self {
        let first_line = first.first_line;
        let checked = QuoteCheck::tabs(blocks.reopened(first), first_line);
        let (bounded, allowance) = BoundedReader::new(checked, LONGEST_ROW_MB);
        let reader = csv::ReaderBuilder::new().flexible(true).has_headers(false).delimiter(b'\t').from_reader(bounded);
        let shown_by = Some(TabsShownBy::Line(quoted_line));
        Commas {
            file: file.clone(),
            options: Arc::clone(options),
            reader,
            allowance,
            header,
            shown_by,
            lines_before: first_line - 1,
            records: 0,
        }
    }
}

impl CorpusFile for Commas {
    fn next(&mut self) -> Result<Option<Content>, CorpusError> {
        let mut rows = Vec::new();
        let mut loose = LooseLabels::default();
        let mut record = csv::StringRecord::new();
        let mut bytes = 0;
        while rows.len() < ROWS && bytes < ROWS_MB << 20 {
            let line = self.lines_before + self.reader.position().line();
            self.allowance.renew();
            let found = self.reader.read_record(&mut record);
            self.records += 1;
            match found {
                Ok(false) => break,
                Ok(true) => {
                    let line = record.position().map_or(line, |at| self.lines_before + at.line());
                    bytes += record.as_slice().len();
                    if let Some(line) = self.reader.get_mut().inner.broken_cell(self.records - 1) {
                        rows.push((line, Err(RowProblem::AfterQuote)));
                        continue;
                    }
                    let row = self.header.read(record.iter().map(Into::into), &self.options, &mut loose).map(Example::into_owned);
                    rows.push((line, row));
                }
                Err(error) => {
                    let line = error.position().map_or(line, |at| self.lines_before + at.line());
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
        self.reader.get_ref().inner.inner.content_hash()
    }

    fn notes(&self) -> Vec<String> {
        let by = match self.shown_by {
            None => return Vec::new(),
            Some(TabsShownBy::Header) => "the header".to_string(),
            Some(TabsShownBy::Line(line)) => format!("line {line}"),
        };
        vec![format!("read as tab-separated with quoted cells, because {by} is quoted; the quotation marks were removed")]
    }
}
