//! The files of an HTML report.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use acidtest_evaluate::measurement::{Metric, SetId, Subject};
use acidtest_evaluate::report::html::{BrowserRow, MisleadingWords, ReportFolder};
use acidtest_evaluate::report::{Cell, CrossTable, Provenance, Report, ReportBlock, Section, SectionId, Table, TableColumn, Text};
use acidtest_evaluate::statistics::Proportion;
use acidtest_nli::{Change, Judgment, Label, Side, Tags};
use serde_json::Value;
use std::collections::BTreeMap;
use std::convert::Infallible;

const MARKUP: &str = "</script><script>alert(1)</script>";

type Files = BTreeMap<String, String>;

fn report(sections: Vec<Section>) -> Report {
    Report::new("a & b", Provenance::default(), sections)
}

fn section(name: &'static str, block: ReportBlock) -> Section {
    Section::new(SectionId::from(name.to_string()), name, Vec::new(), vec![block])
}

fn row<'a>(id: &'a str, tags: &'a Tags<'a>) -> BrowserRow<'a> {
    let gold = Some(Judgment::Exact(Label::Neutral));
    let answer = Some(Judgment::Exact(Label::Entailment));
    let (premise, hypothesis) = ("All dogs bark.", "Dogs bark.");
    BrowserRow { set: "mnli", id, premise, hypothesis, gold, answer, right: Some(false), scores: None, tags, changes: &[], misled: None }
}

/// The folder of a report with so many rows, each of which `change` may make into another.
fn files(report: &Report, rows: usize, change: impl Fn(usize, BrowserRow<'_>, &mut dyn FnMut(BrowserRow<'_>))) -> Files {
    let mut files = Files::new();
    let mut folder = ReportFolder::new(report, |path: &str, content: &[u8]| {
        let before = files.insert(path.to_string(), String::from_utf8(content.to_vec()).unwrap());
        assert_eq!(before, None, "{path} is written once");
        Ok::<(), Infallible>(())
    });
    for number in 0..rows {
        let (id, tags) = (format!("r{number}"), Tags::default());
        change(number, row(&id, &tags), &mut |row| folder.add(row).unwrap());
    }
    folder.finish().unwrap();
    files
}

fn plain(_: usize, row: BrowserRow<'_>, add: &mut dyn FnMut(BrowserRow<'_>)) {
    add(row);
}

/// The argument of the call that a data file makes.
fn columns(files: &Files, path: &str) -> Value {
    let call = &files[path];
    let (_, columns) = call.split_once(',').unwrap();
    serde_json::from_str(columns.strip_suffix(");\n").unwrap()).unwrap()
}

fn manifest(files: &Files) -> Value {
    let (_, rest) = files["index.html"].split_once("id=\"manifest\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_report_without_rows_is_one_file() {
    let files = files(&report(Vec::new()), 0, plain);
    assert_eq!(files.keys().collect::<Vec<_>>(), ["index.html"]);
    assert!(!files["index.html"].contains("id=\"examples\""));
}

#[test]
fn texts_and_index_are_cut_into_chunks() {
    let report = report(Vec::new());
    let exact = files(&report, 4_000, plain);
    assert_eq!(exact.keys().collect::<Vec<_>>(), ["data/index-0.js", "data/text-0.js", "data/text-1.js", "index.html"]);
    let more = files(&report, 50_001, plain);
    assert_eq!(more.keys().filter(|path| path.contains("index-")).count(), 2);
    assert_eq!(more.keys().filter(|path| path.contains("text-")).count(), 26);
    assert_eq!(columns(&more, "data/text-25.js")["id"], "r50000");
}

#[test]
fn no_text_of_a_row_or_report_becomes_markup() {
    let rows = vec![vec![Cell::text(MARKUP), Cell::rate(Proportion { count: 1, total: 2 })]; 7];
    let table = Table::new(1, vec![TableColumn::left(MARKUP), TableColumn::right("accuracy")], rows);
    let matrix = CrossTable {
        row_title: MARKUP.to_string(),
        column_title: MARKUP.to_string(),
        row_names: vec![MARKUP.to_string()],
        column_names: vec![MARKUP.to_string()],
        cells: vec![vec![Cell::Count { count: 1 }]],
    };
    let blocks = [ReportBlock::Table(table), ReportBlock::Matrix(matrix), ReportBlock::Text(Text { text: MARKUP.to_string() })];
    let mut report = report(blocks.into_iter().map(|block| section(MARKUP, block)).collect());
    report.sections.push(section("verdict", ReportBlock::Text(Text { text: MARKUP.to_string() })));
    report.title = MARKUP.to_string();
    report.provenance.command = MARKUP.to_string();
    let files = files(&report, 1, |_, row, add| {
        let mut tags = Tags::default();
        tags.set(MARKUP, MARKUP);
        add(BrowserRow { set: MARKUP, id: MARKUP, premise: MARKUP, tags: &tags, ..row });
    });
    assert_eq!(files["index.html"].matches("alert(1)</script>").count(), 0);
    assert_eq!(manifest(&files)["facets"][4]["values"][0], MARKUP);
    assert_eq!(columns(&files, "data/text-0.js")["premise"], MARKUP);
}

#[test]
fn a_tag_that_names_rows_is_no_filter_but_is_shown() {
    let files = files(&report(Vec::new()), 600, |number, row, add| {
        let mut tags = Tags::default();
        tags.set("parent", format!("p{number}"));
        tags.set("genre", ["fiction", "travel"][number % 2]);
        add(BrowserRow { tags: &tags, ..row });
    });
    let names: Vec<Value> = manifest(&files)["facets"].as_array().unwrap().iter().map(|facet| facet["name"].clone()).collect();
    assert_eq!(names, ["set", "gold", "answer", "right", "genre"]);
    let tags = columns(&files, "data/text-0.js")["tags"].clone();
    assert_eq!((&tags[1]["name"], &tags[1]["values"][599]), (&"parent".into(), &"p599".into()));
}

#[test]
fn changes_are_placed_in_the_units_of_browsers() {
    let files = files(&report(Vec::new()), 1, |_, row, add| {
        let change = |start, end| Change { side: Side::Premise, start, end, before: "x".to_string(), from: None };
        add(BrowserRow { premise: "😀 dog\nbarks", changes: &[change(2, 5), change(9, 99)], ..row });
    });
    let columns = columns(&files, "data/text-0.js");
    assert_eq!(columns["changes"].to_string(), r#"[[0,"premise",3,6,"x"]]"#);
    assert_eq!(columns["premise"], "😀 dog barks");
}

#[test]
fn names_of_a_table_lead_to_their_rows_only_where_there_are_such_rows() {
    let row = |name: &str| vec![Cell::text(name), Cell::Count { count: 1 }];
    let table = Table::new(1, vec![TableColumn::left("set"), TableColumn::right("rows")], vec![row("mnli"), row("hans")]);
    let files = files(&report(vec![section("sets", ReportBlock::Table(table))]), 1, plain);
    assert!(files["index.html"].contains("<a href=\"#examples?set=mnli\">mnli</a>"));
    assert!(!files["index.html"].contains("#examples?set=hans"));
}

#[test]
fn a_sink_that_fails_ends_the_folder() {
    let report = report(Vec::new());
    let mut folder = ReportFolder::new(&report, |path: &str, _: &[u8]| Err(format!("no room for {path}")));
    let tags = Tags::default();
    folder.add(row("a", &tags)).unwrap();
    assert_eq!(folder.finish(), Err("no room for data/text-0.js".to_string()));
}

#[test]
fn what_misleads_stands_beside_its_row() {
    let features = vec![("(sitting, standing)\n".to_string(), 1.23456)];
    let misled = MisleadingWords { score: 0.92584, toward: Label::Contradiction, probabilities: [0.05, 0.025, 0.925], features };
    let files = files(&report(Vec::new()), 2, |number, row, add| add(BrowserRow { misled: (number == 1).then_some(&misled), ..row }));
    assert_eq!(
        columns(&files, "data/text-0.js")["misled"].to_string(),
        r#"[{"features":[["(sitting, standing) ",1.2346]],"probabilities":[0.05,0.025,0.925],"row":1,"score":0.9258,"toward":"contradiction"}]"#
    );
}

#[test]
fn tables_of_a_page_show_what_was_measured() {
    let rate = |count: u64| Cell::rate(Proportion { count, total: 100 });
    let number = Cell::number(Some(0.123), 3);
    let overall = Table::keyed(&["set"], &["accuracy", "macro F1"], vec![vec![Cell::text("all"), rate(11), number.clone()]]);
    let by = Table::keyed(&["genre"], &["accuracy", "macro F1"], vec![vec![Cell::text("fiction"), rate(12), number]]);
    let sections = [("overall", overall), ("by genre", by)].map(|(name, table)| section(name, ReportBlock::Table(table)));
    let set = SetId { name: "all".to_string(), group: Vec::new(), hash: "x".to_string() };
    let subject = Subject { model: "m", set: &set, scoring: None };
    let accuracy = |count: u64| subject.share(Metric::Accuracy, Proportion { count, total: 100 }).unwrap();
    let mut report = report(sections.into());
    report.measure([accuracy(77), subject.number(Metric::MacroF1, 0.751), accuracy(88).of_group(["genre"], &["fiction".to_string()])]);
    let page = &files(&report, 0, plain)["index.html"];
    let shown = |text: &str| page.contains(&format!("<span>{text} %</span>"));
    assert!(shown("77.0") && shown("88.0") && !shown("11.0") && !shown("12.0"));
    // What was not measured stays as the table has it.
    assert!(page.contains(">0.751<") && page.contains(">0.123<"));
}

#[test]
fn the_sets_of_a_run_are_shown_by_set_and_model() {
    let row = |name: &str, count| vec![Cell::text(name), Cell::rate(Proportion { count, total: 10 })];
    let table = |model: &str, count| {
        let rows = vec![row("original", count), row("hans-yes", count)];
        ReportBlock::Table(Table::keyed(&["set"], &["accuracy"], rows).titled(model))
    };
    let mut report = report(vec![section("sets", table("a", 1)), section("sets", table("b", 2))]);
    let group = vec![("gold".to_string(), "yes".to_string())];
    let set = SetId { name: "hans-yes".to_string(), group, hash: "x".to_string() };
    report.measure(Subject { model: "b", set: &set, scoring: None }.share(Metric::Accuracy, Proportion { count: 9, total: 10 }));
    let page = &files(&report, 0, plain)["index.html"];
    let shown = |text: &str| page.matches(&format!("<span>{text} %</span>")).count();
    assert_eq!((shown("10.0"), shown("20.0"), shown("90.0")), (2, 1, 1));
}
