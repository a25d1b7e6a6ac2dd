//! The whole way from corpus to score.

#![allow(clippy::unwrap_used)]

mod common;

use common::acidtest;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/data/sample.jsonl")
}

/// A folder with the sample corpus in it as `in.jsonl`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(sample(), folder.path().join("in.jsonl")).unwrap();
    folder
}

fn challenges() -> Vec<&'static str> {
    let rewriting = acidtest_challenge::CATALOG.iter().filter(|entry| matches!(entry.build, acidtest_challenge::Build::Rewrite(_)));
    rewriting.map(|entry| entry.name).collect()
}

#[test]
fn run_without_arguments_shows_every_challenge_and_hans() {
    let table = acidtest(Path::new("."), &["run"]);
    // With its default statement, tautology repeats negation; the labels of word-shuffle are not claimed valid.
    for name in challenges().into_iter().filter(|name| !["tautology", "word-shuffle"].contains(name)) {
        assert!(table.contains(name), "{name} is not in\n{table}");
    }
    for name in ["esim-small", "overlap", "easy-pairs", "lexical-overlap", "constituent", "non-entailed"] {
        assert!(table.contains(name), "{name} is not in\n{table}");
    }
}

/// The accuracy of a model on a set, by the report's CSV form.
fn accuracy(csv: &str, set: &str, model: &str) -> f64 {
    let start = format!("sets {model},{set},accuracy,");
    let line = csv.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{set}, {model}:\n{csv}"));
    line[start.len()..].split(',').next().unwrap().parse().unwrap()
}

#[test]
fn the_embedded_network_shows_what_the_papers_found() {
    let csv = acidtest(Path::new("."), &["run", "--format", "csv"]);
    assert!(accuracy(&csv, "easy-pairs", "esim-small") > 0.8);
    let on_hans = |model: &str, heuristic: &str, gold: &str| {
        let own = |line: &&str| line.starts_with(&format!("\"sets {model} on HANS")) && line.contains(&format!(",{heuristic},{gold},"));
        let line = csv.lines().find(own).unwrap_or_else(|| panic!("{model}, {heuristic}, {gold}:\n{csv}"));
        let (_, values) = line.split_once(&format!(",{gold},")).unwrap();
        values.split(',').next().unwrap().parse::<f64>().unwrap()
    };
    for heuristic in ["lexical-overlap", "subsequence", "constituent"] {
        assert!(on_hans("esim-small", heuristic, "entailed") > 0.9, "{heuristic}");
        assert!(on_hans("esim-small", heuristic, "non-entailed") < 0.1, "{heuristic}");
        assert_eq!(on_hans("overlap", heuristic, "non-entailed"), 0.0, "{heuristic}");
    }
}

#[test]
fn hans_can_be_added_to_the_users_data() {
    let folder = folder();
    let arguments =
        ["run", "--data", "in.jsonl", "--model", "overlap", "--challenge", "hans", "--set", "hans.per_subcase=2", "--format", "csv"];
    let csv = acidtest(folder.path(), &arguments);
    let accuracies = |line: &&str| line.contains(",accuracy,") || line.contains(",entailed,") || line.contains(",non-entailed,");
    let sets: Vec<&str> = csv.lines().filter(|line| line.contains("sets overlap")).filter(accuracies).collect();
    assert_eq!(sets.len(), 7, "{csv}");
    assert!(sets.iter().any(|line| line.contains(",subsequence,entailed,1,")), "{csv}");
}

#[test]
fn a_network_answers_the_same_for_any_number_of_threads() {
    let few = ["run", "--model", "esim-small", "--challenge", "hans", "--set", "hans.per_subcase=2", "--format", "csv"];
    let run = |threads: &str| acidtest(Path::new("."), &[&few[..], &["--threads", threads]].concat());
    assert_eq!(run("1"), run("2"));
}

#[test]
fn list_shows_every_entry_with_its_example() {
    let list = acidtest(Path::new("."), &["list"]).split_whitespace().collect::<Vec<_>>().join(" ");
    for entry in &acidtest_challenge::CATALOG {
        assert!(list.contains(entry.name) && list.contains(entry.summary), "{}", entry.name);
        let shown = |case: &acidtest_challenge::Case| match case.outcome {
            acidtest_challenge::CaseOutcome::Made { premise, hypothesis, .. } if entry.reads_sentences() => Some((premise, hypothesis)),
            _ => case.differences().first().map(|&(_, before, after)| (before, after)),
        };
        let shown = entry.examples.iter().find_map(shown);
        assert!(shown.is_none_or(|(first, second)| list.contains(first) && list.contains(second)), "{}", entry.name);
    }
}

#[test]
fn a_set_is_the_same_for_any_number_of_threads_and_for_its_halves() {
    let folder = folder();
    let text = fs::read_to_string(folder.path().join("in.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    fs::write(folder.path().join("first.jsonl"), lines[..100].join("\n") + "\n").unwrap();
    fs::write(folder.path().join("second.jsonl"), lines[100..].join("\n") + "\n").unwrap();
    let make = |name: &str, input: &str, threads: &str| {
        acidtest(folder.path(), &["challenge", name, "--from", input, "-o", "out.jsonl", "--threads", threads]);
        fs::read_to_string(folder.path().join("out.jsonl")).unwrap()
    };
    for name in challenges() {
        let whole = make(name, "in.jsonl", "1");
        assert_eq!(make(name, "in.jsonl", "2"), whole, "{name}");
        assert_eq!(make(name, "first.jsonl", "2") + &make(name, "second.jsonl", "1"), whole, "{name}");
    }
}

#[test]
fn coverage_is_stored_beside_the_set() {
    let folder = folder();
    acidtest(folder.path(), &["challenge", "spelling-swap-function", "--from", "in.jsonl", "-o", "out.jsonl", "--seed", "7"]);
    let about = fs::read_to_string(folder.path().join("out.jsonl.about.json")).unwrap();
    let about: serde_json::Value = serde_json::from_str(&about).unwrap();
    assert_eq!(about["seed"], 7);
    let rows = fs::read_to_string(folder.path().join("out.jsonl")).unwrap().lines().count();
    assert_eq!(about["coverage"]["made"], rows);
    assert_eq!(about["coverage"]["read"], 282);
    assert!(about["inputs"][0]["hash"].as_str().unwrap().starts_with("xxh3:"));
}

#[test]
fn a_made_set_can_be_scored() {
    let folder = folder();
    acidtest(folder.path(), &["challenge", "negation", "--from", "in.jsonl", "-o", "out.jsonl"]);
    let set = fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
    let answers: Vec<String> = set
        .lines()
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            format!("{{\"id\": {}, \"label\": \"contradiction\"}}", row["pairID"])
        })
        .collect();
    fs::write(folder.path().join("predictions.jsonl"), answers.join("\n")).unwrap();
    let arguments = ["evaluate", "--data", "out.jsonl", "--predictions", "predictions.jsonl", "--by", "genre", "--format", "json"];
    let report: serde_json::Value = serde_json::from_str(&acidtest(folder.path(), &arguments)).unwrap();
    let overall = &report["sections"][1]["blocks"][0]["rows"][0];
    assert_eq!(overall[2]["count"], 85, "as many as there are contradictions: {overall}");
    assert_eq!(overall[2]["total"], 249, "without the examples that have no complete hypothesis");
    assert_eq!(report["schema_version"], 4);
}

#[test]
fn every_format_that_is_written_is_read_again() {
    let folder = folder();
    let rows = fs::read_to_string(folder.path().join("in.jsonl")).unwrap();
    let labelled: Vec<&str> = rows.lines().filter(|row| !row.contains("\"gold_label\": \"-\"")).collect();
    assert_eq!(labelled.len(), 278);
    fs::write(folder.path().join("labelled.jsonl"), labelled.join("\n")).unwrap();
    for name in acidtest_corpus::FORMATS.names() {
        // ANLI and HANS have no way to mark an unlabelled example.
        let input = if matches!(name, "anli" | "hans") { "labelled.jsonl" } else { "in.jsonl" };
        acidtest(folder.path(), &["corpus", "convert", input, "--to", name, "-o", "there"]);
        acidtest(folder.path(), &["corpus", "convert", "there", "--to", "hf", "-o", "back"]);
        acidtest(folder.path(), &["corpus", "convert", input, "--to", "hf", "-o", "direct"]);
        let read = |file: &str| fs::read_to_string(folder.path().join(file)).unwrap();
        // HANS has two labels only, SICK and ANLI have no tags, and GLUE numbers its rows.
        let fields: &[&str] = match name {
            "hans" => &["id", "premise", "hypothesis"],
            "anli" | "sick" | "glue" => &["id", "premise", "hypothesis", "label"],
            _ => &["id", "premise", "hypothesis", "label", "genre", "promptID"],
        };
        let rows = |text: String| -> Vec<Vec<Value>> {
            let row = |line: &str| serde_json::from_str::<Value>(line).unwrap();
            text.lines().map(|line| fields.iter().map(|field| row(line)[field].clone()).collect()).collect()
        };
        assert_eq!(rows(read("back")), rows(read("direct")), "{name}");
        if matches!(name, "acidtest" | "hf" | "csv" | "parquet") {
            assert_eq!(read("back"), read("direct"), "{name}");
        }
    }
}

#[test]
fn our_own_format_keeps_everything() {
    let folder = folder();
    acidtest(folder.path(), &["challenge", "tautology", "--from", "in.jsonl", "-o", "set.jsonl"]);
    acidtest(folder.path(), &["corpus", "convert", "set.jsonl", "-o", "again.jsonl.zst"]);
    acidtest(folder.path(), &["corpus", "convert", "again.jsonl.zst", "-o", "back.jsonl"]);
    let read = |file: &str| fs::read_to_string(folder.path().join(file)).unwrap();
    assert_eq!(read("back.jsonl"), read("set.jsonl"));
}

#[test]
fn a_sample_does_not_depend_on_the_order_of_rows() {
    let folder = folder();
    let text = fs::read_to_string(folder.path().join("in.jsonl")).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.reverse();
    fs::write(folder.path().join("reversed.jsonl"), lines.join("\n")).unwrap();
    let large = acidtest(folder.path(), &["corpus", "sample", "100", "in.jsonl"]);
    assert_eq!(acidtest(folder.path(), &["corpus", "sample", "100", "reversed.jsonl"]), large);
    assert!(large.starts_with(&acidtest(folder.path(), &["corpus", "sample", "10", "in.jsonl"])));
}

#[test]
fn statistics_and_tags_are_shown() {
    let folder = folder();
    let statistics = acidtest(folder.path(), &["corpus", "stats", "in.jsonl"]);
    assert!(statistics.contains("Fleiss'") && statistics.contains("telephone"));
    acidtest(folder.path(), &["corpus", "tags", "in.jsonl", "--rows", "tagged.jsonl"]);
    assert!(fs::read_to_string(folder.path().join("tagged.jsonl")).unwrap().contains("\"negation\":\"yes\""));
}

#[test]
fn runs_are_read_from_a_table_with_its_summaries_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let table = "run,dev,ln_passive,sn_NP/S\n1,0.84,0.1,0.2\n2,0.85,0.5,0.2\nmean,0.845,0.3,0.2\n,,,\n";
    fs::write(folder.path().join("runs.csv"), table).unwrap();
    let report = acidtest(folder.path(), &["compare", "--results", "runs.csv", "--columns", "ln_,sn_"]);
    assert!(report.contains("2 runs: mean 25.0 %") && report.contains("ln_passive") && !report.contains("84.50"), "{report}");
}
