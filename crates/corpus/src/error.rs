//! What can be wrong with a corpus, said so that the user can act on it.

use acidtest_files::FileError;
use std::io;

/// A file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// The name of an output does not say how predictions or scores are to be written.
    #[error("{path}: unknown file extension `{ending}`; use .jsonl, .json, .ndjson or .csv, also with .gz or .zst")]
    UnknownPredictionEnding {
        /// The output.
        path: String,
        /// Its ending, with the dot.
        ending: String,
    },
    /// The name of an output does not say in which format it is to be written.
    #[error("{path}: unknown file extension `{ending}`; use .jsonl, .json, .csv, .tsv, .txt or .parquet, also with .gz or .zst")]
    UnknownEnding {
        /// The output.
        path: String,
        /// Its ending, with the dot.
        ending: String,
    },
    /// No such file.
    #[error("{path}: no such file or folder")]
    Missing {
        /// The path as given.
        path: String,
    },
    /// The file is there but cannot be opened.
    #[error("{path}: cannot be opened: {source}")]
    Unopened {
        /// The path as given.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// A compressed file or archive of a kind that is not read.
    #[error("{path}: {kind} is not supported; unpack it first (gzip and Zstandard are read directly)")]
    Archive {
        /// The file.
        path: String,
        /// The kind.
        kind: &'static str,
    },
    /// Predictions in a form that only corpora are read in.
    #[error("{path}: predictions are not read from Parquet (expected comma separated values or JSON lines)")]
    ParquetPredictions {
        /// The file.
        path: String,
    },
    /// A folder without a corpus in it.
    #[error(
        "{path}: no corpus in this folder; expected files ending in .jsonl, .json, .txt, .tsv, .csv, .parquet or .arrow, also with .gz or .zst"
    )]
    NoCorpora {
        /// The folder.
        path: String,
    },
    /// A file without rows.
    #[error("{path}:1: the file is empty; expected a corpus with at least one row")]
    Empty {
        /// The file.
        path: String,
    },
    /// A text file without lines.
    #[error("{path}:1: the file is empty; expected lines of text")]
    NoLines {
        /// The file.
        path: String,
    },
    /// A file that breaks off or cannot be decompressed.
    #[error("{path}:{line}: cannot be read further: {reason}; is the file complete?")]
    Broken {
        /// The file.
        path: String,
        /// The line that could not be read to its end.
        line: u64,
        /// What is wrong.
        reason: String,
    },
    /// A row that is not what it should be.
    #[error("{path}:{line}: {problem}")]
    Row {
        /// The file.
        path: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong, and what would do.
        problem: RowProblem,
    },
    /// An id that stood on an earlier row.
    #[error("{path}:{line}: duplicate id \"{id}\"{}; ids must be unique", seen(.path, .first))]
    DuplicateId {
        /// The file.
        path: String,
        /// The line of the second row, from 1.
        line: u64,
        /// The id.
        id: String,
        /// Where it stood first; nothing for input that can be read only once.
        first: Option<Place>,
    },
    /// Labels whose meaning cannot be told.
    #[error("{path}: {doubt}")]
    DoubtfulLabels {
        /// The file.
        path: String,
        /// Why not.
        doubt: acidtest_nli::LabelDoubt,
    },
    /// An order of numbered labels for labels that are words.
    #[error("{path}: no label is a number, so the order of numbered labels has no effect")]
    UnusedOrder {
        /// The file.
        path: String,
    },
    /// No row has a gold label, and rows without one are left out.
    #[error("{path}: none of the {rows} rows has a gold label")]
    NoneLabelled {
        /// The first file.
        path: String,
        /// How many rows were left out.
        rows: u64,
    },
    /// Labels of predictions whose meaning cannot be told.
    #[error("{path}: {doubt}")]
    DoubtfulAnswers {
        /// The file.
        path: String,
        /// Why not.
        doubt: acidtest_nli::LabelDoubt,
    },
    /// The caller ended the work.
    #[error("cancelled")]
    Cancelled,
    /// Output that cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A row that the output format has no way to hold.
    #[error("{path}: row `{id}` cannot be written as {format}: {reason}")]
    NotHeld {
        /// The output.
        path: String,
        /// The row.
        id: String,
        /// The format.
        format: &'static str,
        /// Why not.
        reason: String,
    },
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: u64,
}

fn seen(path: &str, first: &Option<Place>) -> String {
    match first {
        None => String::new(),
        Some(first) if first.path == path => format!(" (first seen at line {})", first.line),
        Some(first) => format!(" (first seen at line {} of {})", first.line, first.path),
    }
}

/// What is wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RowProblem {
    /// Not a JSON object.
    #[error("not a JSON object: {0}")]
    Json(String),
    /// A tab or comma separated line of another length than its header.
    #[error("{found} columns, but the header has {expected}")]
    Columns {
        /// Columns of this line.
        found: usize,
        /// Columns of the header.
        expected: usize,
    },
    /// A quoted field that does not end, and the like.
    #[error("not a valid CSV line: {0}")]
    Csv(String),
    /// Nothing that could be the premise, and so on.
    #[error("no {field} (found {found})")]
    NoField {
        /// What is missing.
        field: &'static str,
        /// The names that are there.
        found: String,
    },
    /// Columns that the user named and the file does not have.
    #[error("no column {missing} (found {found})")]
    NoColumns {
        /// What was asked for, with the nearest names.
        missing: String,
        /// The names that are there.
        found: String,
    },
    /// A table of results of which nobody said what is to be read.
    #[error("the table has several columns of results ({found}), and they are not taken together unless you say which")]
    WhichColumns {
        /// The columns.
        found: String,
    },
    /// Columns of results that a table does not have.
    #[error("no column matches `{missing}` (found {found})")]
    NoResults {
        /// What was asked for.
        missing: String,
        /// The columns.
        found: String,
    },
    /// A label that no convention knows.
    #[error(transparent)]
    Label(#[from] acidtest_nli::UnknownLabel),
    /// A label that is not that of the highest score.
    #[error("{0}")]
    OtherScore(String),
    /// A label beside named scores, the highest of which is that of another class.
    #[error("{0}")]
    OtherNamedScore(String),
    /// Bytes that are not text.
    #[error("not UTF-8 (byte {0} of the line)")]
    NotUtf8(usize),
    /// A cell whose bytes are not text.
    #[error("not UTF-8 (byte {0} of a cell)")]
    CellNotUtf8(usize),
    /// Parquet with a compression that is not read.
    #[error("compressed with {0}, which is not supported; write the file with Snappy, gzip, Zstandard or no compression")]
    Compression(&'static str),
    /// XML, such as that of FraCaS.
    #[error(
        "XML is not supported; convert it to JSON lines or a table with the columns id, premise, hypothesis and label (yes, no and unknown, as in \
         FraCaS, are known labels)"
    )]
    Xml,
    /// A premise or hypothesis that is a number, a list and the like.
    #[error("the {field} must be text, not {found}")]
    NotText {
        /// The field.
        field: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// A text without a hypothesis, for work that needs pairs.
    #[error(
        "{0}, without a hypothesis: expected pairs of premise and hypothesis (texts and word problems are read only to make challenges from single \
         sentences, such as numeric)"
    )]
    NoHypotheses(&'static str),
    /// A word problem that is not as those of AQuA and GSM8K are.
    #[error("not a word problem of AQuA or GSM8K: {0}")]
    Problem(&'static str),
    /// A line that no row could be.
    #[error("the line is longer than {0} MB; is this a corpus with one example per line?")]
    TooLong(usize),
    /// A row of more fields than any corpus has.
    #[error("more than {0} fields would be kept as tags; is this a corpus?")]
    ManyFields(usize),
    /// A first line that says nothing about the format.
    #[error("unknown format; expected JSON lines, a tab or comma separated header that names premise and hypothesis, or Parquet")]
    UnknownFormat,
    /// An array that does not go on as one should.
    #[error("not a JSON array of objects: {0}")]
    Array(&'static str),
    /// Scores whose order nobody said.
    #[error("three score columns without names")]
    ScoreOrder,
    /// A table of predictions without a column of labels or scores.
    #[error("no column of predictions (found {found})")]
    NoAnswers {
        /// The names that are there.
        found: String,
    },
    /// A column that is taken for predictions where nothing else is there, beside what makes it a column of gold labels.
    #[error("`{column}` may be the gold label (found {found})")]
    GoldOrPrediction {
        /// The column.
        column: String,
        /// The names that are there.
        found: String,
    },
    /// A column or key that stands in a row twice.
    #[error("`{name}` is there twice (expected each column once)")]
    Repeated {
        /// Its name.
        name: String,
    },
    /// A prediction that cannot be read.
    #[error("{0}")]
    Prediction(String),
}

impl From<acidtest_nli::AnswerProblem> for RowProblem {
    fn from(problem: acidtest_nli::AnswerProblem) -> Self {
        match problem {
            acidtest_nli::AnswerProblem::Unknown(unknown) => RowProblem::Label(unknown),
            other @ acidtest_nli::AnswerProblem::OtherScore { .. } => RowProblem::OtherScore(other.to_string()),
            other @ acidtest_nli::AnswerProblem::OtherNamedScore { .. } => RowProblem::OtherNamedScore(other.to_string()),
        }
    }
}
