//! The columns of Hugging Face as comma separated values, with labels in words.

use super::{Encoding, FormatEntry, TableShape, WriteRows, gold_name};
use crate::CorpusError;
use crate::predictions::add_csv_line;
use acidtest_files::{Output, Sealed};
use acidtest_nli::Example;

pub(super) static ENTRY: FormatEntry = FormatEntry {
    name: "csv",
    summary: "CSV with the same columns",
    ending: "csv",
    claims: &["csv"],
    encoding: Encoding::Table(|output, shape| Ok(Box::new(CsvWriter::new(output, shape)?))),
};

struct CsvWriter {
    output: Output,
    tags: Vec<String>,
    rows: Vec<u8>,
}

/// Bytes of rows that are worth a call of the system.
const LARGE: usize = 1 << 16;

impl CsvWriter {
    fn new(output: Output, shape: &TableShape) -> Result<Self, CorpusError> {
        let mut rows = Vec::new();
        let columns: Vec<_> = shape.columns().collect();
        add_csv_line(columns.iter().map(AsRef::as_ref), &mut rows);
        Ok(CsvWriter { output, tags: shape.tags.iter().cloned().collect(), rows })
    }
}

impl WriteRows for CsvWriter {
    fn write(&mut self, example: &Example<'_>) -> Result<(), CorpusError> {
        let pair = &example.pair;
        let fields = [pair.id.as_ref(), &pair.premise.text, &pair.hypothesis.text, gold_name(example.gold)];
        let tags = self.tags.iter().map(|tag| example.tags.get(tag).unwrap_or_default());
        add_csv_line(fields.into_iter().chain(tags), &mut self.rows);
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
