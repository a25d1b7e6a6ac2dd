//! Reports as plain data, and their renderers, which only lay it out.
//!
//! The JSON form of these types is documented key by key in `docs/report-schema.md`.

pub mod annotations;
mod cell;
pub mod check_text;
pub mod csv;
mod evaluation;
pub mod html;
pub mod json;
pub mod junit;
pub mod latex;
mod layout;
pub mod markdown;
mod section_id;
pub mod terminal;

pub use cell::{Cell, IntervalMark, PForm, PointsInterval};
pub(crate) use cell::{FEWEST_EXAMPLES, SMALL_GROUP, nine_digits, significance_mark};
pub use evaluation::{Evaluation, evaluation_report, untagged};
pub use section_id::SectionId;

use crate::measurement::Measurement;
pub use acidtest_nli::{counted, grouped};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// The version of the JSON form: it grows when a key is renamed, taken away or given another meaning, not when one is added.
pub const SCHEMA_VERSION: u32 = 4;

/// The result of a command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The version of the form, [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The headline.
    pub title: String,
    /// How to reproduce it.
    pub provenance: Provenance,
    /// The findings, for readers.
    pub sections: Vec<Section>,
    /// The measurements, for programs.
    pub measurements: Vec<Measurement>,
}

impl Report {
    /// A report of these sections, without measurements.
    pub fn new(title: impl Into<String>, provenance: Provenance, sections: Vec<Section>) -> Self {
        Report { schema_version: SCHEMA_VERSION, title: title.into(), provenance, sections, measurements: Vec::new() }
    }

    /// The measurements of models and sets, without those that a gate checked.
    pub fn measured(&self) -> impl Iterator<Item = &Measurement> {
        self.measurements.iter().filter(|one| one.check.is_none())
    }

    /// Adds measurements, but none a second time. They are best given many at once.
    pub fn measure(&mut self, measurements: impl IntoIterator<Item = Measurement>) {
        self.measurements.extend(measurements);
        let mut known = HashSet::with_capacity(self.measurements.len());
        let mut is_new = Vec::with_capacity(self.measurements.len());
        for one in &self.measurements {
            is_new.push(known.insert((
                &one.model,
                one.scoring,
                &one.against,
                one.key(),
                one.check.as_ref().map(|check| check.rule.name()),
            )));
        }
        let mut is_new = is_new.into_iter();
        self.measurements.retain(|_| is_new.next().unwrap_or(true));
    }
}

/// What is needed to reproduce the results.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The version of the tool.
    pub tool_version: String,
    /// The command as it was given.
    pub command: String,
    /// Seeds by purpose.
    pub seeds: BTreeMap<String, u64>,
    /// What was read.
    pub inputs: Vec<ReportInput>,
    /// Settings that affect the results, including defaults.
    pub options: BTreeMap<String, String>,
}

/// A file that was read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ReportInput {
    /// What it was used for, such as `data` or `predictions`.
    pub role: String,
    /// Its path as given.
    pub path: String,
    /// The number of rows.
    pub rows: u64,
    /// A hash of its content, with the name of the hash function before a colon.
    pub hash: String,
    /// The number of rows that could not be read and were skipped.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub skipped: u64,
    /// What was inferred from its content or assumed, where another reading is possible.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A part of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// What it is about; programs find it by this.
    #[serde(rename = "name")]
    pub id: SectionId,
    /// The model that it is about, in a report with one such section per model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The headline.
    pub title: String,
    /// The findings, in sentences.
    pub notes: Vec<String>,
    /// How to read the numbers: which examples, tests and intervals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caption: Vec<String>,
    /// The numbers.
    pub blocks: Vec<ReportBlock>,
}

impl Section {
    /// A section about all models of the report.
    ///
    /// The caption explains the marks of intervals and p values.
    pub fn new(id: SectionId, title: impl Into<String>, notes: Vec<String>, blocks: Vec<ReportBlock>) -> Self {
        let caption = explained_marks(&blocks);
        Section { id, model: None, title: title.into(), notes, caption, blocks }
    }

    /// Adds sentences on how to read the numbers, before those on marks.
    pub fn captioned(self, sentences: impl IntoIterator<Item = String>) -> Self {
        let caption = sentences.into_iter().chain(self.caption).collect();
        Section { caption, ..self }
    }

    /// A section of one table.
    pub fn table(id: SectionId, title: impl Into<String>, notes: Vec<String>, table: Table) -> Self {
        Section::new(id, title, notes, vec![ReportBlock::Table(table)])
    }

    /// A section of sentences only.
    pub fn sentences(id: SectionId, title: impl Into<String>, sentences: Vec<String>) -> Self {
        Section::new(id, title, sentences, Vec::new())
    }

    /// The section as that of one model, which is added to the title.
    pub fn of_model(self, model: &str) -> Self {
        Section { title: format!("{model}: {}", self.title), model: Some(model.to_string()), ..self }
    }

    /// The section's name followed by the model's: a unique name for files.
    pub fn key(&self) -> String {
        let model = self.model.iter().map(|model| format!(" {model}"));
        format!("{}{}", self.id, model.collect::<String>())
    }
}

/// A part of a section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ReportBlock {
    /// Rows and columns.
    Table(Table),
    /// A bar for each value.
    Bars(Bars),
    /// Counts or rates by two variables.
    Matrix(CrossTable),
    /// A curve.
    Curve(Curve),
    /// A paragraph.
    Text(Text),
}

/// What `~` behind an interval means.
const ROUGH: &str = "~ marks an approximate interval of a share near 0 or 100 %: fewer than 5 clusters differ from the rest, so its true coverage may be below 95 %.";

const ONE_CLUSTER: &str = "All examples are in one cluster, which says nothing about new clusters; the interval is for this cluster only.";

const COUNTS_ONLY: &str = "Groups with fewer than 30 examples or fewer than 10 effective clusters show counts only.";

const SIGNIFICANCE: &str = "* p < 0.05, ** p < 0.01, *** p < 0.001, adjusted for multiple tests; intervals (95 %) are not adjusted.";

/// The same where no table has more than one test, so that there is nothing to adjust for.
const SIGNIFICANCE_OF_ONE: &str = "* p < 0.05, ** p < 0.01, *** p < 0.001.";

/// A sentence for every kind of mark that some blocks have.
fn explained_marks(blocks: &[ReportBlock]) -> Vec<String> {
    let has =
        |wanted: fn(&IntervalMark) -> bool| blocks.iter().flat_map(ReportBlock::cells).filter_map(Cell::mark).any(|mark| wanted(&mark));
    let tested = |cell: &Cell| matches!(cell, Cell::Difference { p: Some(_), .. });
    // The tests of one table belong together.
    let tests = blocks.iter().map(|block| block.cells().filter(|cell| tested(cell)).count()).max().unwrap_or(0);
    let marks = [
        (tests > 1, SIGNIFICANCE),
        (tests == 1, SIGNIFICANCE_OF_ONE),
        (has(|mark| *mark == IntervalMark::Rough), ROUGH),
        (has(|mark| matches!(mark, IntervalMark::OneCluster(_))), ONE_CLUSTER),
        (has(|mark| *mark == IntervalMark::CountsOnly), COUNTS_ONLY),
    ];
    marks.into_iter().filter(|(is_there, _)| *is_there).map(|(_, sentence)| sentence.to_string()).collect()
}

impl ReportBlock {
    /// All its cells.
    fn cells(&self) -> Box<dyn Iterator<Item = &Cell> + '_> {
        match self {
            ReportBlock::Table(table) => Box::new(table.rows.iter().flatten()),
            ReportBlock::Bars(bars) => Box::new(bars.bars.iter().map(|bar| &bar.value)),
            ReportBlock::Matrix(matrix) => Box::new(matrix.cells.iter().flatten()),
            ReportBlock::Curve(_) | ReportBlock::Text(_) => Box::new(std::iter::empty()),
        }
    }

    /// A table, as [`Table::keyed`] makes it.
    pub fn table<W: AsRef<str>>(words: &[W], numbers: &[&str], rows: Vec<Vec<Cell>>) -> Self {
        ReportBlock::Table(Table::keyed(words, numbers, rows))
    }
}

/// Rows and columns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Its title, if a section has several tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The number of columns on the left that name the row.
    pub key_columns: usize,
    /// The columns.
    pub columns: Vec<TableColumn>,
    /// The rows; each has a cell for each column.
    pub rows: Vec<Vec<Cell>>,
    /// Groups of rows, from top to bottom; empty if they are not grouped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<RowGroup>,
}

/// A group of rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowGroup {
    /// What they have in common.
    pub name: String,
    /// The index of its first row; the group ends where the next begins.
    pub first_row: usize,
}

impl Table {
    /// A table of these columns and rows.
    pub fn new(key_columns: usize, columns: Vec<TableColumn>, rows: Vec<Vec<Cell>>) -> Self {
        Table { title: None, key_columns, columns, rows, groups: Vec::new() }
    }

    /// The same under a title.
    pub fn titled(self, title: impl Into<String>) -> Self {
        Table { title: Some(title.into()), ..self }
    }

    /// The name of the group that begins with this row, if one does.
    pub(crate) fn group_at(&self, row: usize) -> Option<&str> {
        self.groups.iter().find(|group| group.first_row == row).map(|group| group.name.as_str())
    }

    /// A table whose rows are named by the columns on the left and have numbers in the others.
    pub fn keyed<W: AsRef<str>>(words: &[W], numbers: &[&str], rows: Vec<Vec<Cell>>) -> Self {
        let words = words.iter().map(|name| TableColumn::left(name.as_ref()));
        let key_columns = words.len();
        let columns = words.chain(numbers.iter().map(|name| TableColumn::right(*name))).collect();
        Table::new(key_columns, columns, rows)
    }
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableColumn {
    /// What is in the column.
    pub name: String,
    /// Its alignment.
    pub alignment: Alignment,
}

impl TableColumn {
    /// A column of words.
    pub fn left(name: impl Into<String>) -> Self {
        TableColumn { name: name.into(), alignment: Alignment::Left }
    }

    /// A column of numbers.
    pub fn right(name: impl Into<String>) -> Self {
        TableColumn { name: name.into(), alignment: Alignment::Right }
    }
}

/// The alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Alignment {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A chart with one bar for each value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bars {
    /// What the bars measure.
    pub measure: String,
    /// The bars from top to bottom.
    pub bars: Vec<Bar>,
}

/// One bar.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// The label of the bar.
    pub label: String,
    /// The value that determines its length.
    pub value: Cell,
}

/// Counts or rates by two variables, such as gold label and prediction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CrossTable {
    /// The variable of the rows.
    pub row_title: String,
    /// The variable of the columns.
    pub column_title: String,
    /// The name of each row.
    pub row_names: Vec<String>,
    /// The name of each column.
    pub column_names: Vec<String>,
    /// The rows; each has a cell for each column.
    pub cells: Vec<Vec<Cell>>,
}

/// A curve, such as the loss during training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// The variable of the vertical axis.
    pub measure: String,
    /// The variable of the horizontal axis.
    pub across: String,
    /// The points, from left to right.
    pub points: Vec<Point>,
    /// The number of significant decimals of a value.
    pub digits: u8,
    /// The index of the point to highlight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marked: Option<usize>,
}

/// A point of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Its position on the horizontal axis.
    pub at: f64,
    /// Its position on the vertical axis.
    pub value: f64,
}

impl Curve {
    /// The curve as a table, for formats without graphics.
    pub fn table(&self) -> Table {
        let place = |at: f64| Cell::number(Some(at), if at.fract() == 0.0 { 0 } else { 2 });
        let row = |point: &Point| vec![place(point.at), Cell::number(Some(point.value), self.digits)];
        let columns = vec![TableColumn::right(&self.across), TableColumn::right(&self.measure)];
        Table::new(1, columns, self.points.iter().map(row).collect())
    }
}

/// A paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// The text.
    pub text: String,
}
