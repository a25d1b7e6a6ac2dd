//! The standard report on one model's answers to one set.

use super::layout::{grouped, percent};
use super::{Block, Cell, Column, Matrix, Provenance, Report, SCHEMA_VERSION, Section, Table};
use crate::score::{Confusion, Score};
use crate::scoring::{Judged, Scoring};
use acidtest_nli::UnknownName;

/// What the report is about.
#[derive(Debug, Clone)]
pub struct Evaluation<'a> {
    /// The headline.
    pub title: String,
    /// The judged rows.
    pub judged: &'a Judged<'a>,
    /// What to break the score down by: one section for each list of tags.
    pub by: &'a [Vec<String>],
    /// Where the rows and answers come from.
    pub provenance: Provenance,
}

/// Overall score, scores per label, confusion matrix and one section for each breakdown.
pub fn evaluation_report(evaluation: Evaluation<'_>) -> Result<Report, UnknownName> {
    let Evaluation { title, judged, by, provenance } = evaluation;
    let score = Score::of(judged);
    let mut sections = vec![overall(judged.scoring, &score), labels(&score), confusion(&score.confusion)];
    for tags in by {
        sections.push(breakdown(judged, tags)?);
    }
    Ok(Report { schema_version: SCHEMA_VERSION, title, provenance, sections })
}

fn overall(scoring: Scoring, score: &Score) -> Section {
    let mut notes = vec![
        match scoring {
            Scoring::ThreeWay => "Scored three-way: an answer is right if it is the gold label.",
            Scoring::MergedAnswers => "Scored two-way: neutral and contradiction are both taken as non-entailment.",
            Scoring::SummedScores => {
                "Scored two-way: the probabilities of neutral and contradiction are added before the answer is chosen."
            }
        }
        .to_string(),
    ];
    if let Some((label, majority)) = score.majority() {
        notes.push(format!("Always answering {label} would be right in {:.1} %.", percent(majority.count, majority.total)));
    }
    notes.extend(left_out(score.missing, "labelled rows have no prediction and are counted as wrong."));
    notes.extend(left_out(score.unlabelled, "rows have no gold label and are left out."));
    let columns = ["rows", "accuracy", "macro F1", "missing", "unlabelled"];
    let row = vec![
        Cell::text("all"),
        Cell::Count { count: score.accuracy.total },
        Cell::rate(score.accuracy),
        Cell::number(score.macro_f1, 3),
        Cell::Count { count: score.missing },
        Cell::Count { count: score.unlabelled },
    ];
    section("overall", "Overall", notes, Block::Table(table(&["set"], &columns, vec![row])))
}

fn left_out(count: u64, what: &str) -> Option<String> {
    (count > 0).then(|| format!("{} {what}", grouped(count)))
}

fn labels(score: &Score) -> Section {
    let rows = score.labels.iter().map(|label| {
        vec![
            Cell::text(label.label.name()),
            Cell::rate(label.precision),
            Cell::rate(label.recall),
            Cell::number(label.f1, 3),
            Cell::Count { count: label.recall.total },
        ]
    });
    let table = table(&["label"], &["precision", "recall", "F1", "support"], rows.collect());
    section("labels", "By label", Vec::new(), Block::Table(table))
}

fn confusion(confusion: &Confusion) -> Section {
    let names: Vec<String> = confusion.classes.iter().map(|class| class.to_string()).collect();
    let missing = confusion.missing.iter().any(|count| *count > 0);
    let row = |(counts, absent): (&Vec<u64>, &u64)| {
        let absent = missing.then_some(*absent);
        counts.iter().copied().chain(absent).map(|count| Cell::Count { count }).collect()
    };
    let matrix = Matrix {
        row_title: "gold".to_string(),
        column_title: "answer".to_string(),
        column_names: names.iter().cloned().chain(missing.then(|| "missing".to_string())).collect(),
        row_names: names,
        cells: confusion.counts.iter().zip(&confusion.missing).map(row).collect(),
    };
    section("confusion", "Confusion matrix", Vec::new(), Block::Matrix(matrix))
}

fn breakdown(judged: &Judged, tags: &[String]) -> Result<Section, UnknownName> {
    let rows = judged.breakdown(tags)?.into_iter().map(|group| {
        let score = group.score;
        let golds = score.labels.iter().filter(|label| label.recall.total > 0).count();
        // With one gold label the mean F1 says nothing that the accuracy does not.
        let macro_f1 = score.macro_f1.filter(|_| golds > 1);
        let values = [Cell::Count { count: score.accuracy.total }, Cell::rate(score.accuracy), Cell::number(macro_f1, 3)];
        group.values.iter().map(Cell::text).chain(values).collect()
    });
    let keys: Vec<&str> = tags.iter().map(String::as_str).collect();
    let table = table(&keys, &["rows", "accuracy", "macro F1"], rows.collect());
    Ok(section(&format!("by {}", tags.join(",")), &format!("By {}", tags.join(" and ")), Vec::new(), Block::Table(table)))
}

fn section(name: &str, title: &str, notes: Vec<String>, block: Block) -> Section {
    Section { name: name.to_string(), title: title.to_string(), notes, blocks: vec![block] }
}

fn table(keys: &[&str], values: &[&str], rows: Vec<Vec<Cell>>) -> Table {
    let columns = keys.iter().map(|name| Column::left(*name)).chain(values.iter().map(|name| Column::right(*name))).collect();
    Table { key_columns: keys.len(), columns, rows }
}
