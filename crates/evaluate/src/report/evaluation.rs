//! The standard report on one model's predictions for one set.

use super::layout::percent;
use super::{Cell, CrossTable, Provenance, Report, ReportBlock, Section, SectionId, Table};
use crate::analysis::contrasts::Contrasts;
use crate::analysis::findings::by_tags;
use crate::analysis::slices::Slice;
use crate::breakdown::{Group, NO_VALUE};
use crate::generalisation::Generalisation;
use crate::measurement::{Measurement, Metric, SetId, Subject};
use crate::score::{Confusion, LabelScore, Score};
use crate::scoring::{Judged, Scoring};
use acidtest_nli::{UnknownName, grouped};

/// The content of the report.
#[derive(Debug, Clone)]
pub struct Evaluation<'a> {
    /// The headline.
    pub title: String,
    /// The model.
    pub model: &'a str,
    /// The set.
    pub set: &'a SetId,
    /// The scored predictions.
    pub judged: &'a Judged<'a>,
    /// Lists of tags to break the score down by, one section each.
    pub by: &'a [Vec<String>],
    /// Where examples and predictions come from.
    pub provenance: Provenance,
}

/// Overall score, scores per label, confusion matrix and one section for each breakdown.
pub fn evaluation_report(evaluation: Evaluation<'_>) -> Result<Report, UnknownName> {
    let Evaluation { title, model, set, judged, by, provenance } = evaluation;
    let subject = Subject { model, set, scoring: Some(judged.scoring) };
    let score = Score::of(judged);
    let unit = Generalisation::of([judged]);
    let sections = vec![overall(&set.name, judged.scoring, &score, &unit), labels(&score, &unit), confusion(&score.confusion)];
    let mut report = Report::new(title, provenance, sections);
    let mut all: Vec<Measurement> = measured(subject, &score, score.macro_f1).chain(measured_labels(subject, &score)).collect();
    for tags in by {
        let groups = judged.breakdown(tags)?;
        report.sections.push(breakdown(&groups, tags, by_tags(judged, tags)?, &unit));
        for Group { values, score } in &groups {
            let names = || tags.iter().map(String::as_str);
            all.extend(measured(subject, score, macro_f1(score)).map(|one| one.of_group(names(), values)));
        }
    }
    report.measure(all);
    Ok(report)
}

/// How intervals of shares are computed.
const INTERVALS: &str = "95 % Wilson intervals over clusters.";

fn overall(set: &str, scoring: Scoring, score: &Score, unit: &Generalisation) -> Section {
    let mut caption = vec![
        format!("n = {} labelled examples.", grouped(score.accuracy.total)),
        INTERVALS.to_string(),
        match scoring {
            Scoring::ThreeWay => "Three-way scoring: a prediction is correct if it is the gold label.",
            Scoring::MergedAnswers => "Two-way scoring: neutral and contradiction both count as non-entailment.",
            Scoring::SummedScores => {
                "Two-way scoring: the probabilities of neutral and contradiction are added before the label is chosen."
            }
        }
        .to_string(),
    ];
    // Where all gold labels are the same, nothing can be better than always predicting it.
    if let Some((label, majority)) = score.majority().filter(|(_, majority)| majority.count < majority.total) {
        caption.push(format!("Majority baseline (always {label}): {:.1} %.", percent(majority.count, majority.total)));
    }
    caption.push(unit.sentence());
    let mut notes = Vec::new();
    notes.extend(excluded(
        score.missing,
        "labelled example has no prediction and counts as wrong.",
        "labelled examples have no prediction and count as wrong.",
    ));
    notes.extend(excluded(score.unlabelled, "example has no gold label and is excluded.", "examples have no gold label and are excluded."));
    let columns = ["n", "accuracy", "macro F1", "missing", "unlabelled"];
    let row = vec![
        Cell::text(set),
        Cell::Count { count: score.accuracy.total },
        Cell::clustered(&score.clustered),
        Cell::number(score.macro_f1, 3),
        Cell::Count { count: score.missing },
        Cell::Count { count: score.unlabelled },
    ];
    Section::table(SectionId::Overall, "Overall", notes, Table::keyed(&["set"], &columns, vec![row])).captioned(caption)
}

/// A note on one or several examples, if there are any.
fn excluded(count: u64, one: &str, several: &str) -> Option<String> {
    let what = if count == 1 { one } else { several };
    (count > 0).then(|| format!("{} {what}", grouped(count)))
}

fn labels(score: &Score, unit: &Generalisation) -> Section {
    let rows = score.labels.iter().map(|label| {
        vec![
            Cell::text(label.label.name()),
            Cell::clustered(&label.clustered_precision),
            Cell::clustered(&label.clustered_recall),
            Cell::number(label.f1, 3),
            Cell::Count { count: label.recall.total },
        ]
    });
    let table = Table::keyed(&["label"], &["precision", "recall", "F1", "support"], rows.collect());
    Section::table(SectionId::Labels, "By label", Vec::new(), table).captioned([INTERVALS.to_string(), unit.sentence_of_sets()])
}

fn confusion(confusion: &Confusion) -> Section {
    let names: Vec<String> = confusion.classes.iter().map(|class| class.to_string()).collect();
    let missing = confusion.missing.iter().any(|count| *count > 0);
    let row = |(counts, absent): (&Vec<u64>, &u64)| {
        let absent = missing.then_some(*absent);
        counts.iter().copied().chain(absent).map(|count| Cell::Count { count }).collect()
    };
    let matrix = CrossTable {
        row_title: "gold".to_string(),
        column_title: "prediction".to_string(),
        column_names: names.iter().cloned().chain(missing.then(|| "missing".to_string())).collect(),
        row_names: names,
        cells: confusion.counts.iter().zip(&confusion.missing).map(row).collect(),
    };
    let n: u64 = confusion.counts.iter().flatten().chain(&confusion.missing).sum();
    let caption = format!("n = {} labelled examples, by gold label (rows) and prediction (columns).", grouped(n));
    Section::new(SectionId::Confusion, "Confusion matrix", Vec::new(), vec![ReportBlock::Matrix(matrix)]).captioned([caption])
}

fn breakdown(groups: &[Group], tags: &[String], (slices, contrasts): (Vec<Slice>, Contrasts), unit: &Generalisation) -> Section {
    let contrast = |values: &[String]| slices.iter().zip(&contrasts.groups).find(|(slice, _)| slice.values == values)?.1.as_ref();
    let is_tested = contrasts.tested > 1;
    let rows = groups.iter().map(|group| {
        let score = &group.score;
        let values = [
            Cell::Count { count: score.accuracy.total },
            Cell::Count { count: score.clustered.clusters() },
            Cell::of_group(&score.clustered),
            Cell::number(macro_f1(score), 3),
        ];
        let rest = is_tested.then(|| contrast(&group.values).map_or(Cell::Empty {}, |found| found.cell()));
        group.values.iter().map(Cell::text).chain(values).chain(rest).collect()
    });
    let columns = ["n", "clusters", "accuracy", "macro F1"].into_iter().chain(is_tested.then_some("vs. rest"));
    let table = Table::keyed(tags, &columns.collect::<Vec<_>>(), rows.collect());
    let title = format!("By {}", tags.join(" and "));
    let section = Section::table(SectionId::By(tags.join(",")), title, untagged(groups, tags).into_iter().collect(), table);
    let mut caption = vec![INTERVALS.to_string()];
    caption.extend(contrasts.caption());
    if groups.iter().any(|group| group.values.iter().any(|value| value == NO_VALUE)) && is_tested {
        caption.push(format!("The group {NO_VALUE} is not among the rest."));
    }
    caption.push(unit.sentence_of_sets());
    section.captioned(caption)
}

/// The number of examples that lack one of the tags, as a sentence; `None` if all have them.
pub fn untagged(groups: &[Group], tags: &[String]) -> Option<String> {
    let without = groups.iter().filter(|group| group.values.iter().any(|value| value == NO_VALUE));
    let count: u64 = without.map(|group| group.score.accuracy.total).sum();
    let all: u64 = groups.iter().map(|group| group.score.accuracy.total).sum();
    let have = if count == 1 { "has" } else { "have" };
    (count > 0).then(|| format!("{} of {} examples {have} no {}: group {NO_VALUE}.", grouped(count), grouped(all), tags.join(" or ")))
}

/// With one gold label, macro F1 adds nothing to accuracy.
fn macro_f1(score: &Score) -> Option<f64> {
    let golds = score.labels.iter().filter(|label| label.recall.total > 0).count();
    score.macro_f1.filter(|_| golds > 1)
}

/// Accuracy and macro F1 of some examples.
fn measured(subject: Subject<'_>, score: &Score, macro_f1: Option<f64>) -> impl Iterator<Item = Measurement> {
    let mean = macro_f1.map(|value| subject.number(Metric::MacroF1, value));
    subject.clustered(Metric::Accuracy, &score.clustered).into_iter().chain(mean)
}

/// Precision, recall and F1 of each label.
fn measured_labels(subject: Subject<'_>, score: &Score) -> Vec<Measurement> {
    let of = |label: &LabelScore| {
        let shares = [(Metric::Precision, &label.clustered_precision), (Metric::Recall, &label.clustered_recall)];
        let shares = shares.into_iter().filter_map(|(metric, found)| subject.clustered(metric, found));
        let all: Vec<Measurement> = shares.chain(label.f1.map(|value| subject.number(Metric::F1, value))).collect();
        let name = [label.label.name().to_string()];
        all.into_iter().map(move |one| one.of_group(["label"], &name)).collect::<Vec<_>>()
    };
    score.labels.iter().flat_map(of).collect()
}
