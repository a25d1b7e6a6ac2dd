//! What can be wrong with the files of a review.

use acidtest_challenge::{CATALOG, LabelEffect};
use acidtest_nli::{Example, tag};

/// Why a judge's sheet is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SheetProblem {
    /// A quotation mark that is never closed.
    #[error("a quoted cell begins here and never ends")]
    OpenQuote,
    /// Text behind a quoted cell.
    #[error("text follows the closing quotation mark of a cell (expected a separator or the end of the line)")]
    AfterQuote,
    /// Bytes that are no UTF-8.
    #[error("not UTF-8 (save the sheet as \"CSV UTF-8\")")]
    NotUtf8,
    /// A file that is far too large.
    #[error("the file is larger than {megabytes} MB (is this a sheet?)")]
    TooLarge {
        /// The largest size that is read.
        megabytes: u64,
    },
    /// No row at all.
    #[error("the file is empty (expected a sheet of this review)")]
    Empty,
    /// A column that a sheet does not have.
    #[error("unknown column `{found}` (expected {})", .expected.join(", "))]
    UnknownColumn {
        /// The name.
        found: String,
        /// The columns of the sheets.
        expected: Vec<String>,
    },
    /// A column twice.
    #[error("the column `{column}` occurs twice")]
    DoubleColumn {
        /// The name.
        column: String,
    },
    /// A column that is not there.
    #[error("no column `{column}` (expected {})", .expected.join(", "))]
    NoColumn {
        /// The name.
        column: String,
        /// The columns of the sheets.
        expected: Vec<String>,
    },
    /// More cells than columns.
    #[error("{found} cells for {columns} columns")]
    SurplusCells {
        /// How many cells.
        found: usize,
        /// How many columns.
        columns: usize,
    },
    /// A number that no item has.
    #[error("`{found}` is not the number of an item (expected 1 to {items})")]
    UnknownItem {
        /// The cell.
        found: String,
        /// How many items there are.
        items: usize,
    },
    /// An item twice.
    #[error("item {item} occurs twice (first at line {first})")]
    DoubleItem {
        /// Its number.
        item: usize,
        /// Where it stands first.
        first: u64,
    },
    /// Other sentences than those that were drawn.
    #[error("the sentences of item {item} differ from those of the review (the sheet is from another review, or was edited: restore them)")]
    OtherText {
        /// Its number.
        item: usize,
    },
    /// No judge's name.
    #[error("no name in the column `judge`")]
    NoJudge,
    /// Two judges in one sheet.
    #[error("the judge is `{found}`, but `{first}` in the lines above (expected one judge per sheet)")]
    OtherJudge {
        /// The name here.
        found: String,
        /// The name above.
        first: String,
    },
    /// A judge who has another sheet.
    #[error("the judge `{judge}` has another sheet: {other} (expected one sheet per judge)")]
    SameJudge {
        /// The name.
        judge: String,
        /// The other sheet.
        other: String,
    },
    /// A word that is no answer.
    #[error("`{found}` is not an answer to `{question}` (expected {}, or nothing)", .expected.join(", "))]
    UnknownAnswer {
        /// The cell.
        found: String,
        /// The question.
        question: &'static str,
        /// What may be answered.
        expected: Vec<&'static str>,
    },
    /// Items that are not in the sheet.
    #[error("the sheet lacks {missing} of {items} items, such as item {first} (leave the answers empty, but keep the rows)")]
    MissingItems {
        /// How many.
        missing: usize,
        /// Of how many.
        items: usize,
        /// The first of them.
        first: usize,
    },
    /// Nothing was answered.
    #[error("no question is answered")]
    NoAnswers,
}

/// Why a review cannot be drawn, scored or stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReviewProblem {
    /// A folder that holds something else than an untouched review.
    #[error("exists and is not empty; choose a new or empty folder")]
    UsedFolder,
    /// A folder with judgements, or with other files.
    #[error("`{name}` in it has changed since an earlier review wrote it and may contain judgements; choose another folder")]
    Judged {
        /// The file.
        name: String,
    },
    /// Examples of a challenge that does not claim valid labels.
    #[error("the labels of `{challenge}` are not claimed to be valid, so there is nothing to review or correct")]
    UnclaimedLabels {
        /// The challenge.
        challenge: &'static str,
    },
    /// Nothing can be drawn.
    #[error("none of {examples} examples {what}")]
    NothingToDraw {
        /// How many there are.
        examples: u64,
        /// What is missing.
        what: &'static str,
    },
    /// A file that is no key, or a damaged one.
    #[error("not {what}: {detail}")]
    Unreadable {
        /// What it should be.
        what: &'static str,
        /// What is wrong.
        detail: String,
    },
    /// A set that is another than the one that was judged.
    #[error("these are not the examples that were judged (hash {found}, judged {expected}); name the set that the sheets were drawn from")]
    OtherSet {
        /// The hash of the set.
        found: String,
        /// The hash in the key.
        expected: String,
    },
}

impl ReviewProblem {
    /// The problem with examples whose labels nobody claims to be valid.
    pub(crate) fn of_labels(examples: &[Example<'_>]) -> Result<(), ReviewProblem> {
        let made_by = |example: &Example<'_>| example.tags.get(tag::CHALLENGE).and_then(|name| CATALOG.get(name));
        let unclaimed = examples.iter().filter_map(made_by).find(|entry| entry.label == LabelEffect::Unclaimed);
        unclaimed.map_or(Ok(()), |entry| Err(ReviewProblem::UnclaimedLabels { challenge: entry.name }))
    }
}
