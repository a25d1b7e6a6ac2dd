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

/// The definition of a format in a file of `formats/`.
pub(crate) struct FormatEntry {
    name: &'static str,
    summary: &'static str,
    /// The file extension.
    ending: &'static str,
    /// The file extensions that select this format.
    claims: &'static [&'static str],
    tags: KeptTags,
    encoding: Encoding,
}

/// The tags that a format has room for.
pub(crate) enum KeptTags {
    All,
    Only(fn(&str) -> bool),
}

/// How rows become bytes.
pub(crate) enum Encoding {
    /// Each row is a line, so any thread can encode it.
    Lines { header: &'static str, encode: EncodeLine },
    /// Numbered lines, from 0.
    NumberedLines { header: &'static str, encode: EncodeNumberedLine },
    /// A table with one column per tag, so all rows must be known before the first is written.
    Table(BeginTable),
}

/// Begins a table of this shape.
pub(crate) type BeginTable = fn(Output, &TableShape) -> Result<Box<dyn WriteRows>, CorpusError>;

/// The shape of a table: properties of all its rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct TableShape {
    /// The tags of any row.
    pub(crate) tags: BTreeSet<String>,
    /// Whether a gold label is neutral or contradiction.
    three_way: bool,
    /// Whether a gold label is non-entailment.
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

/// Appends a row to a text; the error says why the format cannot represent it.
pub(crate) type EncodeLine = fn(&Example<'_>, &mut Vec<u8>) -> Result<(), String>;
pub(crate) type EncodeNumberedLine = fn(&Example<'_>, u64, &mut Vec<u8>) -> Result<(), String>;

/// A writer for formats that are not lines.
pub(crate) trait WriteRows: Send {
    fn write(&mut self, example: &Example<'_>) -> Result<(), CorpusError>;
    fn seal(self: Box<Self>) -> Result<Sealed, CorpusError>;
}

impl Format {
    /// Our own JSON lines, which are lossless.
    pub const ACIDTEST: Format = Format(&acidtest::ENTRY);
    /// MultiNLI's and SNLI's tab-separated text.
    pub const MULTINLI_TEXT: Format = Format(&multinli_text::ENTRY);
    /// HANS tab-separated text.
    pub const HANS: Format = Format(&hans::ENTRY);

    /// The name that users type.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// What it is, in one line.
    pub fn summary(self) -> &'static str {
        self.0.summary
    }

    /// The file extension.
    pub fn ending(self) -> &'static str {
        self.0.ending
    }

    /// The format for a file name; our own for standard output and names without an extension. Unknown extensions are refused.
    pub fn of_path(path: &Path) -> Result<Self, CorpusError> {
        let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
        let Some((_, ending)) = name.rsplit_once('.') else { return Ok(Format::ACIDTEST) };
        let claimed = FORMATS.iter().find(|format| format.0.claims.contains(&ending)).copied();
        claimed.ok_or_else(|| CorpusError::UnknownEnding { path: path.display().to_string(), ending: format!(".{ending}") })
    }

    /// Adds the tags of an example that the format has no room for.
    pub(crate) fn add_lost_tags(self, example: &Example<'_>, lost: &mut BTreeSet<String>) {
        if let KeptTags::Only(keeps) = self.0.tags {
            let new = example.tags.iter().map(|(name, _)| name).filter(|name| !keeps(name) && !lost.contains(*name));
            lost.extend(new.map(str::to_string).collect::<Vec<_>>());
        }
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

/// Adds a row in the form in which rows of tables are buffered.
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
    fn the_file_extension_selects_the_format() {
        let of = |name: &str| Format::of_path(Path::new(name)).unwrap().name();
        assert_eq!((of("a.csv"), of("a.PARQUET"), of("a.tsv.gz"), of("a.txt")), ("csv", "parquet", "tsv", "multinli-text"));
        assert_eq!((of("a.jsonl.zst"), of("-"), of("csv")), ("acidtest", "acidtest", "acidtest"));
        assert_eq!((of("a.json"), of("v1.5/out"), of("out.gz")), ("acidtest", "acidtest", "acidtest"));
    }

    #[test]
    fn an_unknown_extension_is_refused() {
        for name in ["x.xlsx", "x.xlsx.gz", "x.jsonl.bz2", "x.jsonl.", "snli_1.0_dev"] {
            let message = Format::of_path(Path::new(name)).unwrap_err().to_string();
            assert!(
                message.starts_with(&format!("{name}: unknown file extension `.")) && message.contains(".jsonl, .json, .csv"),
                "{message}"
            );
        }
    }

    #[test]
    fn no_two_formats_have_the_same_extension() {
        let mut claims: Vec<&str> = FORMATS.iter().flat_map(|format| format.0.claims).copied().collect();
        let all = claims.len();
        claims.sort_unstable();
        claims.dedup();
        assert_eq!(claims.len(), all);
    }
}
