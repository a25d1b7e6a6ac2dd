//! Errors of corpora.

use acidtest_files::FileError;
use std::io;

/// A file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// The ending of an output does not imply a format for predictions or scores.
    #[error("{path}: unknown file extension `{ending}`; use .jsonl, .json, .ndjson or .csv, also with .gz or .zst")]
    UnknownPredictionEnding {
        /// The output.
        path: String,
        /// Its ending, with the dot.
        ending: String,
    },
    /// The ending of an output does not imply a format.
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
        /// The system's message.
        source: io::Error,
    },
    /// A compressed file or archive of an unsupported kind.
    #[error("{path}: {kind} is not supported; unpack it first (gzip and Zstandard are read directly)")]
    Archive {
        /// The file.
        path: String,
        /// The kind.
        kind: &'static str,
    },
    /// Predictions in a format that is only supported for corpora.
    #[error("{path}: predictions are not read from Parquet (expected comma-separated values or JSON lines)")]
    ParquetPredictions {
        /// The file.
        path: String,
    },
    /// A folder without a corpus.
    #[error(
        "{path}: no corpus in this folder; expected files ending in .jsonl, .json, .txt, .tsv, .csv, .parquet or .arrow, also with .gz or .zst"
    )]
    NoCorpora {
        /// The folder.
        path: String,
    },
    /// A file of predictions that has none.
    #[error("{path}: there are no predictions in this file, which is empty or has only a header")]
    NoPredictions {
        /// The file.
        path: String,
    },
    /// A file without rows.
    #[error("{path}:1: the file is empty; expected at least one example")]
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
    /// A file that is truncated or cannot be decompressed.
    #[error("{path}:{line}: cannot be read further: {reason}; is the file complete?")]
    Broken {
        /// The file.
        path: String,
        /// The line that could not be read to its end.
        line: u64,
        /// What is wrong.
        reason: String,
    },
    /// An invalid row.
    #[error("{path}:{line}: {problem}")]
    Row {
        /// The file.
        path: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong, and what is accepted.
        problem: RowProblem,
    },
    /// A duplicate id.
    #[error("{path}:{line}: duplicate id \"{id}\"{}; ids must be unique", seen(.path, .first))]
    DuplicateId {
        /// The file.
        path: String,
        /// The line of the second row, from 1.
        line: u64,
        /// The id.
        id: String,
        /// Where it occurred first; `None` for input that can only be read once.
        first: Option<Place>,
    },
    /// Ambiguous labels.
    #[error("{path}: {doubt}")]
    DoubtfulLabels {
        /// The file.
        path: String,
        /// Why they are ambiguous.
        doubt: acidtest_nli::LabelDoubt,
    },
    /// An order of numbered labels was given, but labels are words.
    #[error("{path}: no label is a number, so the order of numbered labels has no effect")]
    UnusedOrder {
        /// The file.
        path: String,
    },
    /// No row has a gold label, and unlabelled rows are skipped.
    #[error("{path}: none of the {rows} rows has a gold label")]
    NoneLabelled {
        /// The first file.
        path: String,
        /// The number of skipped rows.
        rows: u64,
    },
    /// Ambiguous labels of predictions.
    #[error("{path}: {doubt}")]
    DoubtfulAnswers {
        /// The file.
        path: String,
        /// Why they are ambiguous.
        doubt: acidtest_nli::LabelDoubt,
    },
    /// The caller cancelled the work.
    #[error("cancelled")]
    Cancelled,
    /// Output that cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A row that the output format cannot represent.
    #[error("{path}: example `{id}` cannot be written as {format}: {reason}")]
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
    /// A tab- or comma-separated line with another number of columns than the header.
    #[error("{found} columns, but the header has {expected}")]
    Columns {
        /// Columns of this line.
        found: usize,
        /// Columns of the header.
        expected: usize,
    },
    /// Invalid quoting and the like.
    #[error("not a valid CSV line: {0}")]
    Csv(String),
    /// A quoted cell with text after its closing quotation mark.
    #[error("text after the closing quotation mark of a cell; quote all cells or none")]
    AfterQuote,
    /// Nothing that could be the premise, and so on.
    #[error("no {field} (found {found})")]
    NoField {
        /// The field.
        field: &'static str,
        /// The names that were found.
        found: String,
    },
    /// Columns that were named and are missing.
    #[error("no column {missing} (found {found})")]
    NoColumns {
        /// The missing columns, with the most similar names.
        missing: String,
        /// The names that were found.
        found: String,
    },
    /// A table of results with several possible columns.
    #[error("the table has several result columns ({found})")]
    WhichColumns {
        /// The columns.
        found: String,
    },
    /// Columns of results that a table does not have.
    #[error("no column matches `{missing}` (found {found})")]
    NoResults {
        /// The missing columns.
        missing: String,
        /// The columns.
        found: String,
    },
    /// An unknown label.
    #[error(transparent)]
    Label(#[from] acidtest_nli::UnknownLabel),
    /// A label that is not that of the highest score.
    #[error("{0}")]
    OtherScore(String),
    /// A label that is not that of the highest named score.
    #[error("{0}")]
    OtherNamedScore(String),
    /// Invalid UTF-8.
    #[error("not UTF-8 (byte {0} of the line)")]
    NotUtf8(usize),
    /// Invalid UTF-8 in a cell.
    #[error("not UTF-8 (byte {0} of a cell)")]
    CellNotUtf8(usize),
    /// Parquet with an unsupported compression.
    #[error("compressed with {0}, which is not supported; write the file with Snappy, gzip, Zstandard or no compression")]
    Compression(&'static str),
    /// XML, such as that of FraCaS.
    #[error(
        "XML is not supported; convert it to JSON lines or a table with the columns id, premise, hypothesis and label (yes, no and unknown, as in \
         FraCaS, are known labels)"
    )]
    Xml,
    /// A premise or hypothesis that is not a string.
    #[error("the {field} must be text, not {found}")]
    NotText {
        /// The field.
        field: &'static str,
        /// Its type.
        found: &'static str,
    },
    /// A text without a hypothesis, for work that needs pairs.
    #[error(
        "{0}, without a hypothesis: expected pairs of premise and hypothesis (texts and word problems are read only to make challenges from single \
         sentences, such as numeric)"
    )]
    NoHypotheses(&'static str),
    /// An invalid word problem of AQuA or GSM8K.
    #[error("not a word problem of AQuA or GSM8K: {0}")]
    Problem(&'static str),
    /// A line that is too long for a row.
    #[error("the line is longer than {0} MB; is this a corpus with one example per line?")]
    TooLong(usize),
    /// A row with too many fields.
    #[error("more than {0} fields would be kept as tags; is this a corpus?")]
    ManyFields(usize),
    /// An unknown format.
    #[error("unknown format; expected JSON lines, a tab- or comma-separated header that names premise and hypothesis, or Parquet")]
    UnknownFormat,
    /// An invalid JSON array.
    #[error("not a JSON array of objects: {0}")]
    Array(&'static str),
    /// Unnamed score columns, whose order is unknown.
    #[error("three score columns without names")]
    ScoreOrder,
    /// A table of predictions without a column of labels or scores.
    #[error("no column of predictions (found {found})")]
    NoAnswers {
        /// The names that were found.
        found: String,
    },
    /// The only possible column of predictions may be the gold labels.
    #[error("`{column}` may be the gold label (found {found})")]
    GoldOrPrediction {
        /// The column.
        column: String,
        /// The names that were found.
        found: String,
    },
    /// Several columns that may contain the predictions.
    #[error("several columns of predictions: {found}")]
    SeveralPredictions {
        /// Their names.
        found: String,
    },
    /// A duplicate column or key.
    #[error("`{name}` occurs twice (expected once)")]
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
