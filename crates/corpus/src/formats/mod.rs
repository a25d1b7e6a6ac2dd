//! The formats that corpora are written in: one file for each.

mod acidtest;
mod anli;
mod csv;
mod glue;
mod hans;
mod hugging_face;
mod json_text;
mod multinli;
mod multinli_text;
mod parquet;
mod sick;
mod tab_cells;

use crate::CorpusError;
use crate::field::tag_column;
use acidtest_files::{Output, Sealed};
use acidtest_nli::{Catalog, Example, Judgment, Label, Named, Scores};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

/// All formats, in the order in which they are listed.
pub static FORMATS: Catalog<Format> = Catalog::new("format", &LIST);

static LIST: [Format; 11] = [
    Format::ACIDTEST,
    Format(&multinli::ENTRY),
    Format::MULTINLI_TEXT,
    Format::HANS,
    Format(&glue::ENTRY),
    Format(&hugging_face::ENTRY),
    Format(&csv::ENTRY),
    Format(&csv::TSV),
    Format(&parquet::ENTRY),
    Format(&anli::ENTRY),
    Format(&sick::ENTRY),
];

/// A format of corpora.
#[derive(Clone, Copy)]
pub struct Format(&'static FormatEntry);

/// What a file of `formats/` says of its format.
pub(crate) struct FormatEntry {
    name: &'static str,
    summary: &'static str,
    /// How names of such files end.
    ending: &'static str,
    /// The endings by which a file name asks for this format.
    claims: &'static [&'static str],
    encoding: Encoding,
}

/// How rows become bytes.
pub(crate) enum Encoding {
    /// Each row is a line by itself, so that any thread can encode it.
    Lines { header: &'static str, encode: EncodeLine },
    /// Lines that carry their number, from 0.
    NumberedLines { header: &'static str, encode: EncodeNumberedLine },
    /// A table with a column for every tag of any row, so that all rows are known before the first is written.
    Table(BeginTable),
}

/// Begins a table of this shape.
pub(crate) type BeginTable = fn(Output, &TableShape) -> Result<Box<dyn WriteRows>, CorpusError>;

/// What is known of all rows of a table together.
#[derive(Debug, Clone, Default)]
pub(crate) struct TableShape {
    /// The tags of any row.
    pub(crate) tags: BTreeSet<String>,
    /// Whether a gold label is neutral or contradiction.
    three_way: bool,
    /// Whether a gold label says only that it is not entailment.
    two_way: bool,
}

impl TableShape {
    /// Adds a row.
    pub(crate) fn add(&mut self, example: &Example<'_>) {
        for (tag, _) in example.tags.iter().filter(|(tag, _)| !self.tags.contains(*tag)).collect::<Vec<_>>() {
            self.tags.insert(tag.to_string());
        }
        match example.gold {
            Some(Judgment::NotEntailment) => self.two_way = true,
            Some(Judgment::Exact(Label::Neutral | Label::Contradiction)) => self.three_way = true,
            Some(Judgment::Exact(Label::Entailment)) | None => {}
        }
    }

    /// Adds rows that were counted elsewhere.
    pub(crate) fn merge(&mut self, other: &TableShape) {
        self.tags.extend(other.tags.iter().filter(|tag| !self.tags.contains(*tag)).cloned().collect::<Vec<_>>());
        self.three_way |= other.three_way;
        self.two_way |= other.two_way;
    }

    /// The labels in the order of their numbers.
    fn labels(&self) -> &'static [Judgment] {
        match self {
            TableShape { two_way: false, .. } => &Judgment::ALL[..Label::ALL.len()],
            TableShape { three_way: true, .. } => &Judgment::ALL,
            TableShape { .. } => &Scores::TWO,
        }
    }

    /// The names of all columns.
    fn columns(&self) -> impl Iterator<Item = Cow<'_, str>> {
        FIELDS.into_iter().map(Cow::Borrowed).chain(self.tags.iter().map(|tag| tag_column(tag)))
    }
}

/// The first columns of tables.
const FIELDS: [&str; 4] = ["id", "premise", "hypothesis", "label"];

/// Adds a row to the end of a text; the error says why the format cannot hold it.
pub(crate) type EncodeLine = fn(&Example<'_>, &mut Vec<u8>) -> Result<(), String>;
pub(crate) type EncodeNumberedLine = fn(&Example<'_>, u64, &mut Vec<u8>) -> Result<(), String>;

/// Writes rows in a way of its own.
pub(crate) trait WriteRows: Send {
    fn write(&mut self, example: &Example<'_>) -> Result<(), CorpusError>;
    fn seal(self: Box<Self>) -> Result<Sealed, CorpusError>;
}

impl Format {
    /// Our own JSON lines, which hold everything.
    pub const ACIDTEST: Format = Format(&acidtest::ENTRY);
    /// MultiNLI's and SNLI's tab separated text.
    pub const MULTINLI_TEXT: Format = Format(&multinli_text::ENTRY);
    /// HANS' tab separated text.
    pub const HANS: Format = Format(&hans::ENTRY);

    /// The name that users type.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// What it is, in one line.
    pub fn summary(self) -> &'static str {
        self.0.summary
    }

    /// How names of such files end.
    pub fn ending(self) -> &'static str {
        self.0.ending
    }

    /// The format that a file name asks for; our own for standard output and names without an ending. An ending that is none of ours is refused.
    pub fn of_path(path: &Path) -> Result<Self, CorpusError> {
        let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
        let Some((_, ending)) = name.rsplit_once('.') else { return Ok(Format::ACIDTEST) };
        let claimed = FORMATS.iter().find(|format| format.0.claims.contains(&ending)).copied();
        claimed.ok_or_else(|| CorpusError::UnknownEnding { path: path.display().to_string(), ending: format!(".{ending}") })
    }

    pub(crate) fn encoding(self) -> &'static Encoding {
        &self.0.encoding
    }
}

impl Named for Format {
    fn name(&self) -> &str {
        self.0.name
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Format {}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

/// Adds a row in the form in which rows of tables wait to be written.
pub(crate) fn encode_waiting(example: &Example<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    hugging_face::encode(example, out)
}

/// The label as MultiNLI writes it.
fn gold_name(gold: Option<Judgment>) -> &'static str {
    gold.map_or("-", Judgment::name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_asks_for_a_format() {
        let of = |name: &str| Format::of_path(Path::new(name)).unwrap().name();
        assert_eq!((of("a.csv"), of("a.PARQUET"), of("a.tsv.gz"), of("a.txt")), ("csv", "parquet", "tsv", "multinli-text"));
        assert_eq!((of("a.jsonl.zst"), of("-"), of("csv")), ("acidtest", "acidtest", "acidtest"));
        assert_eq!((of("a.json"), of("v1.5/out"), of("out.gz")), ("acidtest", "acidtest", "acidtest"));
    }

    #[test]
    fn an_unknown_ending_is_refused() {
        for name in ["x.xlsx", "x.xlsx.gz", "x.jsonl.bz2", "x.jsonl.", "snli_1.0_dev"] {
            let message = Format::of_path(Path::new(name)).unwrap_err().to_string();
            assert!(
                message.starts_with(&format!("{name}: unknown file extension `.")) && message.contains(".jsonl, .json, .csv"),
                "{message}"
            );
        }
    }

    #[test]
    fn no_two_formats_claim_an_ending() {
        let mut claims: Vec<&str> = FORMATS.iter().flat_map(|format| format.0.claims).copied().collect();
        let all = claims.len();
        claims.sort_unstable();
        claims.dedup();
        assert_eq!(claims.len(), all);
    }
}
