//! A report is plain data; renderers only lay it out.
//!
//! The JSON form of these types is documented key by key in `docs/report-schema.md`.

pub mod annotations;
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

pub use evaluation::{Evaluation, evaluation_report};
pub use section_id::SectionId;

use crate::measurement::Measurement;
use crate::statistics::clustered::{ClusteredAccuracy, Trust};
use crate::statistics::{Interval, Proportion};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// The version of the JSON form: it grows when a key is renamed, taken away or given another meaning, not when one is added.
pub const SCHEMA_VERSION: u32 = 2;

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
    /// How many of its rows could not be read and were left out.
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
    /// What a reader should know beside the numbers.
    pub notes: Vec<String>,
    /// The numbers.
    pub blocks: Vec<ReportBlock>,
}

impl Section {
    /// A section about all models of the report.
    ///
    /// Marks of intervals are explained in a note.
    pub fn new(id: SectionId, title: impl Into<String>, mut notes: Vec<String>, blocks: Vec<ReportBlock>) -> Self {
        let marks: Vec<IntervalMark> = blocks.iter().flat_map(ReportBlock::cells).filter_map(Cell::mark).collect();
        let has = |wanted: fn(&IntervalMark) -> bool| marks.iter().any(wanted);
        if has(|mark| *mark == IntervalMark::Rough) {
            notes.push(ROUGH.to_string());
        }
        if has(|mark| matches!(mark, IntervalMark::OneCluster(_))) {
            notes.push(ONE_CLUSTER.to_string());
        }
        if has(|mark| *mark == IntervalMark::CountsOnly) {
            notes.push(COUNTS_ONLY.to_string());
        }
        Section { id, model: None, title: title.into(), notes, blocks }
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
const ROUGH: &str = "~ marks a rough interval of a share near 0 or 100 %: fewer than 5 clusters keep it from there, so that it may cover less than it should.";

const ONE_CLUSTER: &str =
    "Not estimable: all examples are of one cluster, which says nothing of new ones; the interval is that within the cluster.";

const COUNTS_ONLY: &str = "Groups of fewer than 10 clusters (as if all were of one size) show counts alone.";

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
    /// How many columns at the left name the row.
    pub key_columns: usize,
    /// The columns.
    pub columns: Vec<TableColumn>,
    /// The rows; each has a cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table whose rows are named by words at the left and hold numbers at the right.
    pub fn keyed<W: AsRef<str>>(words: &[W], numbers: &[&str], rows: Vec<Vec<Cell>>) -> Self {
        let words = words.iter().map(|name| TableColumn::left(name.as_ref()));
        let key_columns = words.len();
        let columns = words.chain(numbers.iter().map(|name| TableColumn::right(*name))).collect();
        Table { key_columns, columns, rows }
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
        Table { key_columns: 1, columns, rows: self.points.iter().map(row).collect() }
    }
}

/// A paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// The words.
    pub text: String,
}

/// One value, with all that is needed to show it in any form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Cell {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// How many.
    Count {
        /// The count.
        count: u64,
    },
    /// So many of so many, at least one, with the interval of their share.
    Rate {
        /// How many have the property.
        count: u64,
        /// How many there are.
        total: u64,
        /// The lower end of the interval.
        low: f64,
        /// The upper end of the interval.
        high: f64,
        /// What a reader must know of the interval.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mark: Option<IntervalMark>,
    },
    /// The p value of a test.
    P {
        /// The p value.
        value: f64,
        /// How it is shown.
        form: PForm,
    },
    /// Any other number.
    Number {
        /// The number.
        value: f64,
        /// How many digits after the point say something.
        digits: u8,
    },
    /// Nothing to show.
    Empty {},
}

/// What a reader must know of the interval of a share.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntervalMark {
    /// So few clusters have an error, or a right example, that it may cover less than it should.
    Rough,
    /// It rests on this number of clusters, which is small.
    FewClusters(u64),
    /// All examples are of one cluster, which says nothing of others; this is the interval within it.
    OneCluster(Interval),
    /// A small group, of which only counts are shown.
    CountsOnly,
}

/// How a p value is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PForm {
    /// To four digits, and below 0.001 as that.
    Rounded,
    /// With its exponent, down to 1e-15.
    Exact,
}

impl PForm {
    /// The value as text: `0.0428`, `< 0.001`, `1.9e-9`, `< 1e-15`.
    pub(crate) fn written(self, value: f64) -> String {
        match self {
            _ if value >= 0.001 => format!("{value:.4}"),
            PForm::Rounded => "< 0.001".to_string(),
            PForm::Exact if value < 1e-15 => "< 1e-15".to_string(),
            PForm::Exact => format!("{value:.1e}"),
        }
    }
}

impl Cell {
    pub(crate) fn mark(&self) -> Option<IntervalMark> {
        if let Cell::Rate { mark, .. } = self { *mark } else { None }
    }

    /// Whether the interval of a rate can be drawn.
    pub(crate) fn has_interval(&self) -> bool {
        matches!(self, Cell::Rate { mark: None | Some(IntervalMark::Rough | IntervalMark::FewClusters(_)), .. })
    }

    /// A cell of words.
    pub fn text(text: impl Into<String>) -> Self {
        Cell::Text { text: text.into() }
    }

    /// A proportion with its Wilson interval; empty of nothing.
    pub fn rate(proportion: Proportion) -> Self {
        Cell::rate_within(proportion, proportion.wilson())
    }

    /// A proportion with an interval that was found in another way; empty of nothing.
    pub fn rate_within(proportion: Proportion, interval: Interval) -> Self {
        if proportion.total == 0 {
            return Cell::Empty {};
        }
        let Proportion { count, total } = proportion;
        Cell::Rate { count, total, low: rounded(interval.low), high: rounded(interval.high), mark: None }
    }

    /// A share of examples in clusters with its clustered Wilson interval, marked where that rests on little; empty of nothing.
    pub fn clustered(share: &ClusteredAccuracy) -> Self {
        let proportion = share.proportion();
        let mark = match share.trust() {
            Trust::Full => None,
            Trust::Rough => Some(IntervalMark::Rough),
            Trust::FewClusters => Some(IntervalMark::FewClusters(share.clusters())),
            Trust::NotEstimable => {
                let Interval { low, high } = proportion.wilson();
                Some(IntervalMark::OneCluster(Interval { low: rounded(low), high: rounded(high) }))
            }
        };
        let interval = if share.trust() == Trust::NotEstimable { Interval { low: 0.0, high: 1.0 } } else { share.interval() };
        Cell::rate_within(proportion, interval).marked(mark)
    }

    /// The same for one of many groups, of which those that tell little show counts alone.
    pub fn of_group(share: &ClusteredAccuracy) -> Self {
        let cell = Cell::clustered(share);
        if share.equal_clusters() < SMALL_GROUP { cell.marked(Some(IntervalMark::CountsOnly)) } else { cell }
    }

    /// The same rate with another mark; other cells stay as they are.
    pub(crate) fn marked(self, mark: Option<IntervalMark>) -> Self {
        match self {
            Cell::Rate { count, total, low, high, .. } => Cell::Rate { count, total, low, high, mark },
            other => other,
        }
    }

    /// The p value of a test.
    pub fn p(value: f64, form: PForm) -> Self {
        // Nine digits: logarithms may differ in their last bits between platforms.
        Cell::P { value: format!("{value:.8e}").parse().unwrap_or(value), form }
    }

    /// A number with so many digits after the point; empty where there is none.
    pub fn number(value: Option<f64>, digits: u8) -> Self {
        match value {
            Some(value) if value.is_finite() => Cell::Number { value, digits },
            _ => Cell::Empty {},
        }
    }
}

/// Groups with fewer equal clusters show counts alone.
pub(crate) const SMALL_GROUP: f64 = 10.0;

/// Logarithms and roots may differ in their last bits between platforms; a report must not.
fn rounded(share: f64) -> f64 {
    (share * 1e9).round() / 1e9
}
