//! A report is plain data; renderers only lay it out.
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
pub(crate) use cell::{SMALL_GROUP, nine_digits, significance_mark};
pub use evaluation::{Evaluation, evaluation_report, untagged};
pub use layout::grouped;
pub use section_id::SectionId;

use crate::measurement::Measurement;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// The version of the JSON form: it grows when a key is renamed, taken away or given another meaning, not when one is added.
pub const SCHEMA_VERSION: u32 = 3;

/// What a command found out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The version of the form, [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The headline.
    pub title: String,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// The findings, for readers.
    pub sections: Vec<Section>,
    /// What was measured, for programs.
    pub measurements: Vec<Measurement>,
}

impl Report {
    /// A report of these findings, without measurements.
    pub fn new(title: impl Into<String>, provenance: Provenance, sections: Vec<Section>) -> Self {
        Report { schema_version: SCHEMA_VERSION, title: title.into(), provenance, sections, measurements: Vec::new() }
    }

    /// Adds measurements, but none a second time. They are best given many at once.
    pub fn measure(&mut self, measurements: impl IntoIterator<Item = Measurement>) {
        self.measurements.extend(measurements);
        let mut known = HashSet::with_capacity(self.measurements.len());
        let mut is_new = Vec::with_capacity(self.measurements.len());
        for one in &self.measurements {
            is_new.push(known.insert((&one.model, one.scoring, &one.against, one.key())));
        }
        let mut is_new = is_new.into_iter();
        self.measurements.retain(|_| is_new.next().unwrap_or(true));
    }
}

/// What is needed to get the same numbers again.
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
    /// Choices that bear on the numbers, defaults included.
    pub options: BTreeMap<String, String>,
}

/// A file that was read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ReportInput {
    /// What it was read for, such as `data` or `predictions`.
    pub role: String,
    /// Its path as given.
    pub path: String,
    /// How many rows it has.
    pub rows: u64,
    /// A hash of its content, with the name of the hash function before a colon.
    pub hash: String,
    /// How many of its rows could not be read and were skipped.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub skipped: u64,
    /// What was told by its content or taken for granted, where another reading is possible.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A part of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// What it is about, by which programs find it.
    #[serde(rename = "name")]
    pub id: SectionId,
    /// The model that it is about, in a report on several of which each has a section of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The headline.
    pub title: String,
    /// What was found, in sentences.
    pub notes: Vec<String>,
    /// How to read the numbers: what they are of, how they were tested and what the intervals are.
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

    /// The same with sentences on how to read the numbers, before those on marks.
    pub fn captioned(self, sentences: impl IntoIterator<Item = String>) -> Self {
        let caption = sentences.into_iter().chain(self.caption).collect();
        Section { caption, ..self }
    }

    /// A section of one table.
    pub fn table(id: SectionId, title: impl Into<String>, notes: Vec<String>, table: Table) -> Self {
        Section::new(id, title, notes, vec![ReportBlock::Table(table)])
    }

    /// A section of sentences alone.
    pub fn sentences(id: SectionId, title: impl Into<String>, sentences: Vec<String>) -> Self {
        Section::new(id, title, sentences, Vec::new())
    }

    /// The section as that of one model, which the title then names.
    pub fn of_model(self, model: &str) -> Self {
        Section { title: format!("{model}: {}", self.title), model: Some(model.to_string()), ..self }
    }

    /// The section's name with the model's behind it: a text for files that have one name for each section.
    pub fn key(&self) -> String {
        let model = self.model.iter().map(|model| format!(" {model}"));
        format!("{}{}", self.id, model.collect::<String>())
    }
}

/// One thing to look at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ReportBlock {
    /// Rows and columns.
    Table(Table),
    /// A bar for each value.
    Bars(Bars),
    /// Counts or rates by two things.
    Matrix(CrossTable),
    /// A number that changes.
    Curve(Curve),
    /// A paragraph.
    Text(Text),
}

/// What `~` behind an interval means.
const ROUGH: &str = "~ marks an approximate interval of a share near 0 or 100 %: fewer than 5 clusters differ from the rest, so its true coverage may be below 95 %.";

const ONE_CLUSTER: &str =
    "One cluster: all examples belong to it, which says nothing about new clusters; the interval is for this cluster only.";

const COUNTS_ONLY: &str = "Groups of fewer than 10 clusters (effective number) show counts only.";

const SIGNIFICANCE: &str = "* p < 0.05, ** p < 0.01, *** p < 0.001, adjusted for multiple tests; intervals (95 %) are not adjusted.";

/// A sentence for every kind of mark that some blocks have.
fn explained_marks(blocks: &[ReportBlock]) -> Vec<String> {
    let has =
        |wanted: fn(&IntervalMark) -> bool| blocks.iter().flat_map(ReportBlock::cells).filter_map(Cell::mark).any(|mark| wanted(&mark));
    let tested = |cell: &Cell| matches!(cell, Cell::Difference { p: Some(_), .. });
    let marks = [
        (blocks.iter().flat_map(ReportBlock::cells).any(tested), SIGNIFICANCE),
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
    /// What it shows, where a section has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// How many columns at the left name the row.
    pub key_columns: usize,
    /// The columns.
    pub columns: Vec<TableColumn>,
    /// The rows; each has a cell for each column.
    pub rows: Vec<Vec<Cell>>,
    /// What rows belong together, from top to bottom; none where they are not grouped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<RowGroup>,
}

/// Rows of a table that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowGroup {
    /// What they have in common.
    pub name: String,
    /// The first of them, counted from 0; the group ends where the next begins.
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

    /// A table whose rows are named by words at the left and hold numbers at the right.
    pub fn keyed<W: AsRef<str>>(words: &[W], numbers: &[&str], rows: Vec<Vec<Cell>>) -> Self {
        let words = words.iter().map(|name| TableColumn::left(name.as_ref()));
        let key_columns = words.len();
        let columns = words.chain(numbers.iter().map(|name| TableColumn::right(*name))).collect();
        Table::new(key_columns, columns, rows)
    }
}

/// The head of a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableColumn {
    /// What is in the column.
    pub name: String,
    /// To which side it is set.
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

/// To which side a column is set.
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
    /// What the bar stands for.
    pub label: String,
    /// How long it is.
    pub value: Cell,
}

/// Counts or rates by two things, such as gold and answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CrossTable {
    /// What the rows stand for.
    pub row_title: String,
    /// What the columns stand for.
    pub column_title: String,
    /// The name of each row.
    pub row_names: Vec<String>,
    /// The name of each column.
    pub column_names: Vec<String>,
    /// The rows; each has a cell for each column.
    pub cells: Vec<Vec<Cell>>,
}

/// A number that changes while another one grows, as the loss does in training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// What changes.
    pub measure: String,
    /// What it changes with.
    pub across: String,
    /// The points, from left to right.
    pub points: Vec<Point>,
    /// How many digits after the point of a value say something.
    pub digits: u8,
    /// The point to look at, counted from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marked: Option<usize>,
}

/// A point of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Where it is.
    pub at: f64,
    /// How high it is.
    pub value: f64,
}

impl Curve {
    /// The curve as rows and columns, for forms that draw nothing.
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
    /// The words.
    pub text: String,
}
