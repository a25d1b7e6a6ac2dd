//! The files of an HTML report.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use acidtest_evaluate::measurement::{Against, Measurement, Metric, SetId, Subject};
use acidtest_evaluate::report::html::{BrowserExample, BrowserPrediction, MisleadingWords, PageForm, ReportPage};
use acidtest_evaluate::report::{Cell, CrossTable, Provenance, Report, ReportBlock, Section, SectionId, Table, TableColumn, Text};
use acidtest_evaluate::statistics::Proportion;
use acidtest_nli::{Change, Judgment, Label, Side, Tags};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
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

const WRONG: BrowserPrediction =
    BrowserPrediction { answer: Some(Judgment::Exact(Label::Entailment)), right: Some(false), changed: None, scores: None };

fn example<'a>(id: &'a str, tags: &'a Tags<'a>) -> BrowserExample<'a> {
    BrowserExample {
        set: "mnli",
        id,
        parent: None,
        premise: "All dogs bark.",
        hypothesis: "Dogs bark.",
        gold: Some(Judgment::Exact(Label::Neutral)),
        predictions: &[WRONG],
        tags,
        changes: &[],
        misled: None,
    }
}

type Add<'a> = dyn FnMut(BrowserExample<'_>) + 'a;

/// The folder of a report with so many examples, each of which `change` may make into another.
fn files(report: &Report, count: usize, change: impl Fn(usize, BrowserExample<'_>, &mut Add<'_>)) -> Files {
    files_of(report, PageForm::Folder, count, change)
}

fn files_of(report: &Report, form: PageForm, count: usize, change: impl Fn(usize, BrowserExample<'_>, &mut Add<'_>)) -> Files {
    let mut files = Files::new();
    let sink = |path: &str, content: &[u8]| {
        let before = files.insert(path.to_string(), String::from_utf8(content.to_vec()).unwrap());
        assert_eq!(before, None, "{path} is written once");
        Ok::<(), Infallible>(())
    };
    let mut page = ReportPage::new(report, form, sink).of_models(["m".to_string()]);
    for number in 0..count {
        let (id, tags) = (format!("r{number}"), Tags::default());
        change(number, example(&id, &tags), &mut |example| page.add(example).unwrap());
    }
    page.finish().unwrap();
    files
}

fn plain(_: usize, example: BrowserExample<'_>, add: &mut Add<'_>) {
    add(example);
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
    let files = files(&report, 1, |_, example, add| {
        let mut tags = Tags::default();
        tags.set(MARKUP, MARKUP);
        add(BrowserExample { set: MARKUP, id: MARKUP, premise: MARKUP, tags: &tags, ..example });
    });
    assert_eq!(files["index.html"].matches("alert(1)</script>").count(), 0);
    assert_eq!(manifest(&files)["facets"][7]["values"][0], MARKUP);
    assert_eq!(columns(&files, "data/text-0.js")["premise"], MARKUP);
}

#[test]
fn a_tag_that_names_rows_is_no_filter_but_is_shown() {
    let files = files(&report(Vec::new()), 600, |number, example, add| {
        let mut tags = Tags::default();
        tags.set("parent", format!("p{number}"));
        tags.set("genre", ["fiction", "travel"][number % 2]);
        add(BrowserExample { tags: &tags, ..example });
    });
    let names: Vec<Value> = manifest(&files)["facets"].as_array().unwrap().iter().map(|facet| facet["name"].clone()).collect();
    assert_eq!(names[..2], ["set", "gold"]);
    assert_eq!(names.last(), Some(&"genre".into()));
    assert!(!names.contains(&"parent".into()));
    let tags = columns(&files, "data/text-0.js")["tags"].clone();
    assert_eq!((&tags[1]["name"], &tags[1]["values"][599]), (&"parent".into(), &"p599".into()));
}

#[test]
fn changes_are_placed_in_the_units_of_browsers() {
    let files = files(&report(Vec::new()), 1, |_, example, add| {
        let change = |start, end| Change { side: Side::Premise, start, end, before: "x".to_string(), from: None };
        add(BrowserExample { premise: "😀 dog\nbarks", changes: &[change(2, 5), change(9, 99)], ..example });
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
    let mut page = ReportPage::new(&report, PageForm::Folder, |path: &str, _: &[u8]| Err(format!("no room for {path}")));
    let tags = Tags::default();
    page.add(example("a", &tags)).unwrap();
    assert_eq!(page.finish(), Err("no room for data/text-0.js".to_string()));
}

#[test]
fn what_misleads_stands_beside_its_row() {
    let features = vec![("(sitting, standing)\n".to_string(), 1.23456)];
    let misled = MisleadingWords { score: 0.92584, toward: Label::Contradiction, probabilities: [0.05, 0.025, 0.925], features };
    let files =
        files(&report(Vec::new()), 2, |number, example, add| add(BrowserExample { misled: (number == 1).then_some(&misled), ..example }));
    assert_eq!(
        columns(&files, "data/text-0.js")["misled"].to_string(),
        r#"[{"example":1,"features":[["(sitting, standing) ",1.2346]],"probabilities":[0.05,0.025,0.925],"score":0.9258,"toward":"contradiction"}]"#
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

#[test]
fn an_example_is_stored_once_with_all_predictions_and_the_place_of_its_original() {
    let report = report(Vec::new());
    let mut files = Files::new();
    let sink = |path: &str, content: &[u8]| {
        files.insert(path.to_string(), String::from_utf8(content.to_vec()).unwrap());
        Ok::<(), Infallible>(())
    };
    let mut page = ReportPage::new(&report, PageForm::Folder, sink).of_models(["a", "b"].map(str::to_string));
    let mut tags = Tags::default();
    let other = BrowserPrediction { answer: Some(Judgment::Exact(Label::Neutral)), right: Some(true), ..WRONG };
    page.add(BrowserExample { predictions: &[WRONG, other], ..example("x", &tags.clone()) }).unwrap();
    tags.set("parent", "x");
    let changed = [BrowserPrediction { changed: Some(false), ..WRONG }, BrowserPrediction { changed: Some(true), ..WRONG }];
    page.add(BrowserExample { set: "negation", parent: Some("x"), predictions: &changed, ..example("x/negation", &tags) }).unwrap();
    page.finish().unwrap();
    let index = columns(&files, "data/index-0.js");
    // Entailment, wrong; then unchanged and changed.
    let codes = |model: usize| STANDARD.decode(index["models"][model]["base64"].as_str().unwrap()).unwrap();
    assert_eq!((codes(0), codes(1)), (vec![1 | 2 << 3, 1 | 2 << 3 | 2 << 5], vec![2 | 1 << 3, 1 | 2 << 3 | 1 << 5]));
    let parents = STANDARD.decode(index["parent"]["base64"].as_str().unwrap()).unwrap();
    assert_eq!(parents, [0, 0, 0, 0, 1, 0, 0, 0]);
    assert_eq!(columns(&files, "data/text-0.js")["tags"], serde_json::json!([]));
}

#[test]
fn a_single_file_has_its_examples_inside_and_may_load_nothing() {
    let files = files_of(&report(Vec::new()), PageForm::SingleFile, 2_001, |_, example, add| {
        add(BrowserExample { premise: MARKUP, ..example });
    });
    assert_eq!(files.keys().collect::<Vec<_>>(), ["index.html"]);
    let page = &files["index.html"];
    for inside in ["data-index-0", "data-text-0", "data-text-1"] {
        assert!(page.contains(&format!("<script type=\"application/json\" id=\"{inside}\">")), "{inside}");
    }
    assert_eq!(page.matches("alert(1)</script>").count(), 0);
    let policy = page.split_once("script-src ").unwrap().1.split_once(';').unwrap().0;
    assert!(policy.starts_with("'sha256-") && !policy.contains(' '), "{policy}");
}

/// A report of two models on an original set and one that is made from it.
fn run_report() -> Report {
    let of = |model: &str| Section::sentences(SectionId::Perturbed, "Drops", vec!["negation drops.".to_string()]).of_model(model);
    let mut report = report(vec![of("a"), of("b")]);
    report.sections.push(Section::sentences(SectionId::Verdict, "Verdict", vec!["b: negation drops, negations do not.".to_string()]));
    let set = |name: &str| SetId { name: name.to_string(), group: Vec::new(), hash: "x".to_string() };
    for model in ["a", "b"] {
        for (name, count) in [("mnli", 80), ("negation", 55), ("tautology", 79)] {
            let (set, original) = (set(name), set("mnli"));
            let subject = Subject { model, set: &set, scoring: None };
            report.measure(subject.share(Metric::Accuracy, Proportion { count, total: 100 }));
            if name != "mnli" {
                let drop = subject.number(Metric::Drop, 0.8 - count as f64 / 100.0).tested(0.004);
                report.measure([Measurement { against: Some(Against::Set(original)), ..drop }]);
            }
        }
    }
    report
}

fn of_sets(report: &Report) -> String {
    let mut page = String::new();
    let sink = |path: &str, content: &[u8]| {
        if path == "index.html" {
            page = String::from_utf8(content.to_vec()).unwrap();
        }
        Ok::<(), Infallible>(())
    };
    let mut made = ReportPage::new(report, PageForm::Folder, sink).of_models(["a", "b"].map(str::to_string));
    for set in ["mnli", "negation", "tautology"] {
        made.add(BrowserExample { set, predictions: &[WRONG, WRONG], ..example("x", &Tags::default()) }).unwrap();
    }
    made.finish().unwrap();
    page
}

#[test]
fn the_first_picture_shows_every_model_on_every_set_with_its_drop() {
    let page = of_sets(&run_report());
    let map = page.split_once("id=\"overview\"").unwrap().1.split_once("</figure>").unwrap().0;
    assert_eq!(map.matches("55.0 <small>−25.0**</small>").count(), 2);
    assert!(map.contains("href=\"#examples?model=b&amp;set=negation&amp;right=wrong\""), "{map}");
    assert!(map.contains("class=\"h1\"") && map.contains("class=\"h5\""), "a drop of 25 of 30 points, and one of 1");
}

#[test]
fn the_first_picture_shows_sets_of_fewer_than_thirty_examples_in_grey_with_their_counts() {
    let mut report = run_report();
    for (name, total) in [("mnli", 29), ("tautology", 30)] {
        let set = SetId { name: format!("{name}-{total}"), group: Vec::new(), hash: "y".to_string() };
        let subject = Subject { model: "a", set: &set, scoring: None };
        report.measure(subject.share(Metric::Accuracy, Proportion { count: 15, total }));
    }
    let page = &files(&report, 0, plain)["index.html"];
    let map = page.split_once("id=\"overview\"").unwrap().1.split_once("</figure>").unwrap().0;
    assert!(map.contains("<td class=\"few\"><span>15 of 29</span>"), "{map}");
    assert!(map.contains("<td class=\"h5\"><span>50.0</span>"), "{map}");
}

#[test]
fn sentences_lead_to_the_examples_of_the_sets_that_they_name() {
    let page = of_sets(&run_report());
    let link = "<a href=\"#examples?model=b&amp;set=negation&amp;right=wrong\">negation</a>";
    assert!(page.contains(&format!("<p>b: {link} drops, negations do not.</p>")));
}

#[test]
fn sections_of_several_models_are_one_section() {
    let page = of_sets(&run_report());
    assert_eq!(page.matches("<section id=\"original-vs-perturbed").count(), 1);
    assert_eq!(page.matches("class=\"panel\"").count(), 2);
    assert!(page.contains(">Drops</h2>"));
}

#[test]
fn groups_of_fewer_than_thirty_examples_are_grey() {
    let rate = |total: u64| Cell::rate(Proportion { count: 10, total });
    let rows = vec![vec![Cell::text("few"), rate(29)], vec![Cell::text("enough"), rate(30)]];
    let table = Table::keyed(&["group"], &["accuracy"], rows);
    let page = &files(&report(vec![section("by genre", ReportBlock::Table(table))]), 0, plain)["index.html"];
    assert_eq!(page.matches("<tr class=\"few\">").count(), 1);
    assert!(page.contains("Grey: fewer than 30 examples."));
}
