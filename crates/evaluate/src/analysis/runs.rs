//! Several runs of one model that differ only in the seed: how far their results vary, and how much of that is due to the examples.

use super::slices::{pick, slices};
use super::wording::{counted, in_points, listed, points, spread_in_points};
use super::{AnalysisError, Candidate, require_same_rows};
use crate::measurement::{Measurement, Metric, SetId, Subject};
use crate::report::{Cell, ReportBlock, Section, SectionId};
use crate::scoring::Scoring;
use crate::statistics::StatisticsError;
use crate::statistics::runs::{Runs, Spread, Variance, spread_by_column};

/// Runs on the same examples.
#[derive(Debug, Clone, PartialEq)]
pub struct RunComparison {
    /// The names of the runs.
    pub names: Vec<String>,
    /// Each run's accuracy on all examples.
    pub accuracies: Vec<f64>,
    /// The number of examples.
    pub rows: usize,
    /// All examples.
    pub overall: Runs,
    /// Groups of examples, for each list of tags.
    pub groups: Vec<RunsByTag>,
}

/// The groups of a list of tags.
#[derive(Debug, Clone, PartialEq)]
pub struct RunsByTag {
    /// The tags.
    pub tags: Vec<String>,
    /// Values, number of examples and variation of the runs; groups of a single example, which have no variance between examples, are omitted.
    pub groups: Vec<(Vec<String>, usize, Runs)>,
}

/// Compares at least two runs on the same examples, overall and by lists of tags.
pub fn compare(runs: &[Candidate<'_>], by: &[Vec<String>]) -> Result<RunComparison, AnalysisError> {
    if runs.len() < 2 {
        return Err(AnalysisError::TooFewModels { found: runs.len(), needed: 2 });
    }
    require_same_rows(runs)?;
    let right: Vec<Vec<bool>> = runs.iter().map(|run| run.judged.right()).collect();
    let rows = right[0].len();
    let overall = Runs::of(&right)?;
    let mut groups = Vec::new();
    for tags in by {
        let mut found = Vec::new();
        for slice in slices(runs[0].judged, tags)?.into_iter().filter(|slice| slice.rows.len() > 1) {
            let part: Vec<Vec<bool>> = right.iter().map(|run| pick(run, &slice.rows)).collect();
            found.push((slice.values, slice.rows.len(), Runs::of(&part)?));
        }
        groups.push(RunsByTag { tags: tags.clone(), groups: found });
    }
    let accuracy = |run: &Vec<bool>| run.iter().filter(|&&right| right).count() as f64 / rows as f64;
    Ok(RunComparison {
        names: runs.iter().map(|run| run.name.to_string()).collect(),
        accuracies: right.iter().map(accuracy).collect(),
        rows,
        overall,
        groups,
    })
}

impl RunComparison {
    /// The findings.
    pub fn sentences(&self) -> Vec<String> {
        let variance = self.overall.variance;
        let [items, runs, rest] = variance.shares();
        let error = |error: f64| format!("{} points", points(error));
        vec![
            about_spread(self.overall.accuracy, &self.names, &self.accuracies),
            format!(
                "Of the variance of correctness over {}, {} % is between examples, {} % between runs, and {} % is run-by-example \
                 interaction; two runs agree on {} % of the examples.",
                counted(self.rows, "example"),
                points(items),
                points(runs),
                points(rest),
                points(self.overall.agreement)
            ),
            format!(
                "The accuracy of one run has a standard error of {} due to the sample of examples and of {} due to the seed; more examples reduce only \
                 the first.",
                error(variance.error_from_items()),
                error(variance.error_from_runs())
            ),
        ]
    }

    /// The variation of the runs, on all examples and in each group.
    pub fn measurements(&self, set: &SetId, scoring: Scoring) -> Vec<Measurement> {
        let subject = Subject { model: "", set, scoring: Some(scoring) };
        let deviation = |runs: Runs| subject.number(Metric::Deviation, runs.accuracy.standard_deviation);
        let groups = self.groups.iter().flat_map(|by| {
            let tags = || by.tags.iter().map(String::as_str);
            by.groups.iter().map(move |(values, _, runs)| deviation(*runs).of_group(tags(), values))
        });
        [deviation(self.overall)].into_iter().chain(groups).collect()
    }

    /// One section for all examples and one for each list of tags.
    pub fn sections(&self) -> Vec<Section> {
        let runs = self.names.iter().zip(&self.accuracies).map(|(name, &accuracy)| vec![Cell::text(name), in_points(accuracy)]);
        let blocks = vec![
            ReportBlock::table(&["examples"], &SPREAD, vec![spread_row(&["all".to_string()], self.overall)]),
            ReportBlock::table(&["run"], &["accuracy"], runs.collect()),
        ];
        let mut sections = vec![Section::new(SectionId::Runs, "Runs", self.sentences(), blocks)];
        sections.extend(self.groups.iter().map(|by| {
            let rows = by.groups.iter().map(|(values, _, runs)| spread_row(values, *runs)).collect();
            Section::new(
                SectionId::RunsBy(by.tags.join(",")),
                format!("Runs by {}", listed(&by.tags)),
                Vec::new(),
                vec![ReportBlock::table(&by.tags, &SPREAD, rows)],
            )
        }));
        sections
    }
}

const SPREAD: [&str; 8] =
    ["mean", "standard deviation", "lowest", "highest", "between examples", "between runs", "interaction", "agreement"];

fn spread_row(values: &[String], runs: Runs) -> Vec<Cell> {
    let shares = runs.variance.shares().map(spread_in_points);
    let cells = values.iter().map(Cell::text).chain(spread_cells(runs.accuracy)).chain(shares);
    cells.chain([in_points(runs.agreement)]).collect()
}

fn spread_cells(spread: Spread) -> [Cell; 4] {
    [in_points(spread.mean), spread_in_points(spread.standard_deviation), in_points(spread.low), in_points(spread.high)]
}

fn about_spread(spread: Spread, names: &[String], results: &[f64]) -> String {
    let named = |value: f64| results.iter().position(|&result| result == value).map_or("", |at| names[at].as_str());
    format!(
        "{}: mean {} %, standard deviation {:.2} points, from {} % ({}) to {} % ({}).",
        counted(spread.runs, "run"),
        points(spread.mean),
        100.0 * spread.standard_deviation,
        points(spread.low),
        named(spread.low),
        points(spread.high),
        named(spread.high)
    )
}

/// Results of runs by subcase, without the predictions behind them.
#[derive(Debug, Clone, PartialEq)]
pub struct RunTable {
    /// The title of the columns, such as `subcase`.
    pub column_title: String,
    /// The names of the runs.
    pub runs: Vec<String>,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// One list per run, with an accuracy for each column.
    pub accuracies: Vec<Vec<f64>>,
}

impl RunTable {
    /// The spread of every column.
    pub fn spreads(&self) -> Result<Vec<Spread>, StatisticsError> {
        if self.accuracies.len() != self.runs.len() {
            return Err(StatisticsError::Lengths { what: "lists of accuracies", expected: self.runs.len(), found: self.accuracies.len() });
        }
        let spreads = spread_by_column(&self.accuracies)?;
        if spreads.len() != self.columns.len() {
            return Err(StatisticsError::Lengths { what: "accuracies of a run", expected: self.columns.len(), found: spreads.len() });
        }
        Ok(spreads)
    }

    /// Every accuracy of the table, and the variation of the runs in each column; `set` is the set it was measured on.
    pub fn measurements(&self, set: &SetId) -> Result<Vec<Measurement>, StatisticsError> {
        let of = |model: &str, metric: Metric, value: f64, column: &str| {
            Subject { model, set, scoring: None }.number(metric, value).with(&self.column_title, column)
        };
        let mut found = Vec::new();
        for (run, accuracies) in self.runs.iter().zip(&self.accuracies) {
            found.extend(self.columns.iter().zip(accuracies).map(|(column, value)| of(run, Metric::Accuracy, *value, column)));
        }
        let deviations = self.columns.iter().zip(self.spreads()?);
        found.extend(deviations.map(|(column, spread)| of("", Metric::Deviation, spread.standard_deviation, column)));
        Ok(found)
    }

    /// The spread of the mean over columns, that of every column, and the components of variance.
    pub fn section(&self) -> Result<Section, StatisticsError> {
        let spreads = self.spreads()?;
        let means: Vec<f64> = self.accuracies.iter().map(|run| run.iter().sum::<f64>() / run.len() as f64).collect();
        let [columns, runs, rest] = Variance::of_table(&self.accuracies)?.shares();
        let mut notes = vec![about_spread(Spread::of(&means)?, &self.runs, &means)];
        notes.push(format!(
            "Of the variance of the accuracies, {} % is between values of {title}, {} % between runs, and {} % is run-by-{title} \
             interaction.",
            points(columns),
            points(runs),
            points(rest),
            title = self.column_title
        ));
        if let Some((widest, spread)) = spreads.iter().enumerate().max_by(|a, b| a.1.range().total_cmp(&b.1.range())) {
            notes.push(format!(
                "Runs differ most on {}: from {} % to {} %.",
                self.columns[widest],
                points(spread.low),
                points(spread.high)
            ));
        }
        let row = |(name, spread): (&String, &Spread)| [Cell::text(name)].into_iter().chain(spread_cells(*spread)).collect();
        let rows = self.columns.iter().zip(&spreads).map(row).collect();
        let block: ReportBlock = ReportBlock::table(&[&self.column_title], &SPREAD[..4], rows);
        Ok(Section::new(SectionId::RunsBy(self.column_title.clone()), format!("Runs by {}", self.column_title), notes, vec![block]))
    }
}
