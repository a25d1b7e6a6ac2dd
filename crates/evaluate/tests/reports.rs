//! What reports look like, and that their JSON form is the documented one.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use acidtest_evaluate::checks::{Check, PairedEvidence, Rule, decide};
use acidtest_evaluate::measurement::{Against, HoldsFor, Measurement, Metric, SetId, Subject};
use acidtest_evaluate::report::{
    Bar, Bars, Cell, Curve, Evaluation, IntervalMark, PForm, Point, PointsInterval, Provenance, Report, ReportBlock, ReportInput, RowGroup,
    Table, Text, evaluation_report,
};
use acidtest_evaluate::report::{csv, json, latex, markdown, terminal};
use acidtest_evaluate::statistics::clustered::{ClusteredAccuracy, ClusteredDifference, DifferenceInterval};
use acidtest_evaluate::statistics::{Interval, Proportion};
use acidtest_evaluate::{Item, Judged, Missing, Scoring, join};
use acidtest_nli::{Answer, Key};
use acidtest_nli::{LabelNames, Prediction};
use serde_json::Value;
use std::collections::BTreeSet;

/// Rows of gold label, answer (`.` for none) and genre, so many times.
const ROWS: [(&str, &str, &str, usize); 9] = [
    ("entailment", "entailment", "fiction", 410),
    ("entailment", "neutral", "travel", 31),
    ("neutral", "neutral", "fiction", 290),
    ("neutral", "entailment", "travel", 88),
    ("contradiction", "contradiction", "fiction", 377),
    ("contradiction", "neutral", "9/11", 25),
    ("contradiction", ".", "9/11", 2),
    ("-", "neutral", "9/11", 4),
    ("neutral", "neutral", "", 1),
];

fn items_and_answers() -> (Vec<Item<'static>>, Vec<Answer>) {
    let names = LabelNames::default();
    let (mut items, mut answers) = (Vec::new(), Vec::new());
    for (gold, answer, genre, times) in ROWS {
        for _ in 0..times {
            let tags = (!genre.is_empty()).then(|| ("genre", genre.to_string()));
            let item = common::item(format!("row{}", items.len()), names.gold(gold).unwrap(), tags);
            if let Ok(answer) = names.judgment(answer) {
                answers.push(Answer { key: Key::Id(item.id.to_string()), prediction: Prediction::of(answer), line: items.len() as u64 });
            }
            items.push(item);
        }
    }
    (items, answers)
}

fn report(by: &[&[&str]]) -> Report {
    let (items, answers) = items_and_answers();
    let judged: Judged = Scoring::ThreeWay.judge(join(&items, &answers, Missing::CountAsWrong).unwrap()).unwrap();
    let input = |role: &str, path: &str, rows| ReportInput {
        role: role.into(),
        path: path.into(),
        rows,
        hash: "xxh3:0123456789abcdef".into(),
        ..ReportInput::default()
    };
    let provenance = Provenance {
        tool_version: "0.1.0".to_string(),
        command: "acidtest evaluate --data dev.jsonl --predictions bert.csv --allow-missing --by genre".to_string(),
        seeds: [("bootstrap".to_string(), 1)].into(),
        inputs: vec![input("data", "dev.jsonl", items.len() as u64), input("predictions", "bert.csv", answers.len() as u64)],
        options: [("scoring".to_string(), "three-way".to_string())].into(),
    };
    let by: Vec<Vec<String>> = by.iter().map(|tags| tags.iter().map(|tag| tag.to_string()).collect()).collect();
    let set = SetId { name: "original".to_string(), group: Vec::new(), hash: "xxh3-sum:0123456789abcdef".to_string() };
    let title = "bert.csv on dev.jsonl".to_string();
    evaluation_report(Evaluation { title, model: "bert.csv", set: &set, judged: &judged, by: &by, provenance }).unwrap()
}

/// A report with every kind of block, cell and measurement.
fn report_of_everything() -> Report {
    let mut report = report(&[&["genre"], &["genre", "gold"]]);
    report.provenance.inputs[0].skipped = 2;
    report.provenance.inputs[0].notes.push("the labels 0, 1, 2 are read as usual".to_string());
    let bar = |label: &str, count, total| Bar { label: label.to_string(), value: Cell::rate(Proportion { count, total }) };
    let bars = Bars { measure: "follows the heuristic".to_string(), bars: vec![bar("overlap", 1938, 2000), bar("negation | not", 12, 40)] };
    let text = "On non-entailed pairs with full overlap this model follows the overlap heuristic in 97 % of the examples, more often than \
                chance.";
    let points = [1.25, 0.75, 0.5].into_iter().zip(1..).map(|(value, at)| Point { at: f64::from(at), value }).collect();
    let curve = Curve { measure: "loss".to_string(), across: "epochs".to_string(), points, digits: 2, marked: Some(2) };
    let group = vec![("heuristic".to_string(), "constituent".to_string())];
    let set = SetId { name: "hans-constituent".to_string(), group, hash: "xxh3-sum:fedcba9876543210".to_string() };
    let number = Subject { model: "bert.csv", set: &set, scoring: None }
        .number(Metric::Difference, 0.25)
        .within_difference(DifferenceInterval { interval: Interval { low: 0.0, high: 0.3 }, is_zero_left_out: true })
        .tested(1.0 / 3.0);
    let clean = report.measurements[0].set.clone();
    report.measure(
        [Against::Set(clean), Against::Model("esim.csv".to_string())]
            .map(|against| Measurement { against: Some(against), ..number.clone() }),
    );
    report.measure([Measurement { holds_for: Some(HoldsFor::NewTemplates), ..number.clone() }]);
    let within = DifferenceInterval { interval: Interval { low: 0.0, high: 0.3 }, is_zero_left_out: true };
    let one_cluster =
        Measurement { interval: None, mark: Some(IntervalMark::FewClusters(3)), group: vec![("a".to_string(), "b".to_string())], ..number };
    report.measure([one_cluster.within_one_cluster_difference(within, 0.01)]);
    report.measure(decide(checks(Subject { model: "bert.csv", set: &set, scoring: None })).unwrap());
    let cells = vec![
        Cell::text("bert.csv"),
        Cell::p(1.8626e-9, PForm::Rounded),
        Cell::p(1.8626e-9, PForm::Exact),
        Cell::clustered(&ClusteredAccuracy::of_counts([(30, 40), (10, 40), (20, 40)])),
        Cell::clustered(&ClusteredAccuracy::of_counts([(30, 40)])),
        Cell::Difference {
            points: 2.5,
            interval: Some(PointsInterval { low: 0.0, high: 5.25, is_zero_left_out: true }),
            p: Some(0.04),
            mark: Some(IntervalMark::FewClusters(3)),
        },
    ];
    report.sections[2].model = Some("bert.csv".to_string());
    report.sections[0].blocks.extend([
        ReportBlock::Bars(bars),
        ReportBlock::Text(Text { text: text.to_string() }),
        ReportBlock::Curve(curve),
        ReportBlock::Table(Table {
            groups: vec![RowGroup { name: "networks".to_string(), first_row: 0 }],
            ..Table::keyed(&["model"], &["p", "exact p", "few", "one", "drop"], vec![cells]).titled("Of one model")
        }),
    ]);
    report
}

/// One check of each rule; the last has the predictions of the baseline.
fn checks(subject: Subject<'_>) -> Vec<Check> {
    let (now, before, clusters) = ([true, false, true, false, true, true], [true; 6], [0, 1, 2, 3, 4, 5]);
    let paired = |identical: bool, meaningless: Option<&str>| PairedEvidence {
        before: Proportion::of(&before),
        now: Proportion::of(&now),
        difference: ClusteredDifference::of(&now, &before, &clusters).unwrap(),
        identical,
        meaningless: meaningless.map(str::to_string),
    };
    let accuracy = subject.clustered(Metric::Accuracy, &ClusteredAccuracy::of_counts([(3, 4), (1, 4)])).unwrap();
    let regression = Measurement { against: Some(Against::Baseline("bert.csv".to_string())), ..subject.number(Metric::Drop, 0.0) };
    vec![
        Check { rule: Rule::FailUnder(80.0), measured: accuracy, paired: None },
        Check {
            rule: Rule::MaxDrop(5.0),
            measured: subject.number(Metric::Drop, 0.0),
            paired: Some(Box::new(paired(false, Some("it guesses")))),
        },
        Check { rule: Rule::MaxRegression(0.0), measured: regression, paired: Some(Box::new(paired(true, None))) },
    ]
}

#[test]
fn terminal_with_bars() {
    insta::assert_snapshot!(terminal::render(
        &report_of_everything(),
        terminal::TerminalOptions { width: 120, ..terminal::TerminalOptions::default() }
    ));
}

#[test]
fn terminal_without_room_for_bars() {
    insta::assert_snapshot!(terminal::render(
        &report(&[&["genre"]]),
        terminal::TerminalOptions { width: 60, ..terminal::TerminalOptions::default() }
    ));
}

#[test]
fn terminal_in_colour() {
    let coloured = terminal::render(
        &report(&[]),
        terminal::TerminalOptions { width: 100, style: terminal::TerminalStyle::Coloured, ..terminal::TerminalOptions::default() },
    );
    insta::assert_snapshot!(coloured.replace('\u{1b}', "ESC"));
}

#[test]
fn colour_changes_nothing_but_the_colour() {
    let report = report_of_everything();
    let coloured = terminal::render(
        &report,
        terminal::TerminalOptions { width: 100, style: terminal::TerminalStyle::Coloured, ..terminal::TerminalOptions::default() },
    );
    let mut plain = String::new();
    for (at, part) in coloured.split('\u{1b}').enumerate() {
        plain.push_str(if at == 0 { part } else { part.split_once('m').unwrap().1 });
    }
    let trimmed: Vec<&str> = plain.lines().map(str::trim_end).collect();
    assert_eq!(
        trimmed.join("\n") + "\n",
        terminal::render(&report, terminal::TerminalOptions { width: 100, ..terminal::TerminalOptions::default() })
    );
}

#[test]
fn as_markdown() {
    insta::assert_snapshot!(markdown::render(&report_of_everything()));
}

#[test]
fn as_latex() {
    insta::assert_snapshot!(latex::render(&report_of_everything()));
}

#[test]
fn as_csv() {
    insta::assert_snapshot!(csv::render(&report_of_everything()));
}

#[test]
fn as_json() {
    insta::assert_snapshot!(json::render(&report(&[&["genre"]])));
}

#[test]
fn json_is_read_back_as_it_was() {
    let report = report_of_everything();
    assert_eq!(json::read(&json::render(&report)).unwrap(), report);
}

#[test]
fn every_key_that_is_written_is_documented_and_the_other_way_round() {
    let mut written = BTreeSet::new();
    let value = serde_json::from_str(&json::render(&report_of_everything())).unwrap();
    collect_keys("report", &value, &mut written);
    let schema = include_str!("../../../docs/report-schema.md");
    let key = |line: &str| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_string());
    let documented: BTreeSet<String> = schema.lines().filter_map(key).collect();
    assert_eq!(written, documented);
}

/// Adds `object.key` for every key; an object is named by its kind, or else by the key that holds it.
fn collect_keys(name: &str, value: &Value, keys: &mut BTreeSet<String>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect_keys(name, value, keys)),
        // In these two the keys are names that the user or a command gave.
        Value::Object(_) if name == "seeds" || name == "options" => {}
        Value::Object(object) => {
            let name = match object.get("kind") {
                Some(kind) if name == "blocks" => format!("{} block", kind.as_str().unwrap()),
                Some(kind) => format!("{} cell", kind.as_str().unwrap()),
                None => name.to_string(),
            };
            for (key, value) in object {
                keys.insert(format!("{name}.{key}"));
                collect_keys(key, value, keys);
            }
        }
        _ => {}
    }
}

#[test]
fn a_measurement_stands_once_however_many_there_are() {
    let set = SetId { name: "all".to_string(), group: Vec::new(), hash: "x".to_string() };
    let number = |n: u32| Subject { model: "m", set: &set, scoring: None }.number(Metric::F1, 0.5).of_group(["id"], &[n.to_string()]);
    let mut report = Report::new("many", Provenance::default(), Vec::new());
    // Comparing each with each would take minutes.
    report.measure((0..100_000).map(number));
    report.measure((99_990..100_010).map(number));
    assert_eq!(report.measurements.len(), 100_010);
    assert_eq!(report.measurements[100_009].group, [("id".to_string(), "100009".to_string())]);
}
