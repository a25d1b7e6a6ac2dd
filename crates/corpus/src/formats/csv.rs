//! The columns of Hugging Face as comma- or tab-separated values, with labels as words and quoting where necessary.

use super::{Encoding, FormatEntry, KeptTags, TableShape, WriteRows, gold_name};
use crate::CorpusError;
use crate::predictions::{add_csv_line, add_line};
use acidtest_files::{Output, Sealed};
use acidtest_nli::Example;

pub(super) static ENTRY: FormatEntry = FormatEntry {
    name: "csv",
    summary: "CSV with the same columns",
    ending: "csv",
    claims: &["csv"],
    tags: KeptTags::All,
    encoding: Encoding::Table(|output, shape| Ok(Box::new(SeparatedWriter::new(output, shape, b',')))),
};

pub(super) static TSV: FormatEntry = FormatEntry {
    name: "tsv",
    summary: "the same columns, separated by tabs and quoted as in CSV",
    ending: "tsv",
    claims: &["tsv"],
    tags: KeptTags::All,
    encoding: Encoding::Table(|output, shape| Ok(Box::new(SeparatedWriter::new(output, shape, b'\t')))),
};

struct SeparatedWriter {
    separator: u8,
    output: Output,
    tags: Vec<String>,
    rows: Vec<u8>,
}

/// The size from which buffered rows are written.
const LARGE: usize = 1 << 16;

impl SeparatedWriter {
    fn new(output: Output, shape: &TableShape, separator: u8) -> Self {
        let mut rows = Vec::new();
        let columns: Vec<_> = shape.columns().collect();
        let names = columns.iter().map(AsRef::as_ref);
        match separator {
            b',' => add_csv_line(names, &mut rows),
            // Tab-separated tables are often unquoted; a quoted header shows that this one is not.
            _ => add_line(names, separator, csv::QuoteStyle::Always, &mut rows),
        }
        SeparatedWriter { separator, output, tags: shape.tags.iter().cloned().collect(), rows }
    }
}

impl WriteRows for SeparatedWriter {
    fn write(&mut self, example: &Example<'_>) -> Result<(), CorpusError> {
        let pair = &example.pair;
        let fields = [pair.id.as_ref(), &pair.premise.text, &pair.hypothesis.text, gold_name(example.gold)];
        let tags = self.tags.iter().map(|tag| example.tags.get(tag).unwrap_or_default());
        add_line(fields.into_iter().chain(tags), self.separator, csv::QuoteStyle::Necessary, &mut self.rows);
        if self.rows.len() > LARGE {
            self.output.write(&self.rows)?;
            self.rows.clear();
        }
        Ok(())
    }

    fn seal(mut self: Box<Self>) -> Result<Sealed, CorpusError> {
        self.output.write(&self.rows)?;
        Ok(self.output.seal()?)
    }
}
