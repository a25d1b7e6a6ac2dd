//! Every number in the tables of a report is also among its measurements, for programs.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::acidtest;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

const RUNS: &str = "run,ln_a,ln_b\n1,0.84,0.1\n2,0.85,0.5\n3,0.8,0.25\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::copy(tests.join("tests/fixtures/parsed.jsonl"), folder.path().join("parsed.jsonl")).unwrap();
    std::fs::copy(tests.join("../corpus/data/sample.jsonl"), folder.path().join("sample.jsonl")).unwrap();
    std::fs::write(folder.path().join("runs.csv"), RUNS).unwrap();
    for model in ["overlap", "majority", "negation-word"] {
        acidtest(folder.path(), &["predict", "--model", model, "--data", "parsed.jsonl", "-o", &format!("{model}.jsonl")]);
    }
    acidtest(folder.path(), &["train", "--model", "lexical", "--train", "sample.jsonl", "-o", "words"]);
    review(folder.path());
    acidtest(folder.path(), &["challenge", "hans", "--set", "per_subcase=2", "-o", "hans.jsonl"]);
    folder
}

/// Two judges of ten examples, who do not always agree.
fn review(folder: &Path) {
    acidtest(folder, &["review", "parsed.jsonl", "-n", "10", "--judges", "2", "-o", "review"]);
    for (sheet, name, answers) in [("judge-1", "ann", ["neutral", "e"]), ("judge-2", "ben", ["n", "c"])] {
        let text = std::fs::read_to_string(folder.join(format!("review/{sheet}.csv"))).unwrap();
        let filled = |(number, line): (usize, &str)| match line.strip_suffix(",,,,") {
            Some(line) => format!("{line},{},g,{},\n", answers[number % 2], 1 + number % 3),
            None => format!("{line}\n"),
        };
        std::fs::write(folder.join(format!("review/{name}.csv")), text.lines().enumerate().map(filled).collect::<String>()).unwrap();
    }
}

/// The measurements of a report, without duplicates.
fn measured(report: &Value, command: &str) -> Vec<Value> {
    let list = report["measurements"].as_array().unwrap();
    assert!(!list.is_empty(), "{command} has no measurements");
    let mut places = HashSet::new();
    for one in list {
        let place = ["model", "set", "group", "metric", "against", "holds_for"].map(|key| one[key].to_string());
        assert!(places.insert(place), "{command}: twice {one}");
        assert!(one["value"].is_number(), "{command}: {one}");
        let hash = one["set"]["hash"].as_str().unwrap();
        assert!(hash.split_once(':').is_some_and(|(_, digits)| digits.len() == 32), "{command}: {one}");
        if let (Some(count), Some(total)) = (one["counts"]["count"].as_f64(), one["counts"]["total"].as_f64()) {
            assert!((one["value"].as_f64().unwrap() - count / total).abs() < 1e-8, "{command}: {one}");
        }
    }
    list.clone()
}

/// The shares in the tables of a report, by section.
fn shares(report: &Value) -> BTreeMap<String, Vec<(u64, u64)>> {
    let mut found: BTreeMap<String, Vec<(u64, u64)>> = BTreeMap::new();
    for section in report["sections"].as_array().unwrap() {
        let blocks = section["blocks"].as_array().unwrap();
        let rows = blocks.iter().filter_map(|block| block["rows"].as_array()).flatten();
        let cells = rows.flat_map(|row| row.as_array().unwrap()).filter(|cell| cell["kind"] == "rate");
        let counts = cells.map(|cell| (cell["count"].as_u64().unwrap(), cell["total"].as_u64().unwrap()));
        found.entry(section["name"].to_string()).or_default().extend(counts.filter(|(_, total)| *total > 0));
    }
    found
}

#[test]
fn every_share_of_a_table_is_a_measurement() {
    let folder = folder();
    let mut unmeasured = Vec::new();
    for command in [
        "corpus stats parsed.jsonl sample.jsonl",
        "corpus audit parsed.jsonl",
        "corpus tags parsed.jsonl",
        "corpus frames parsed.jsonl",
        "corpus tags parsed.jsonl --predictions overlap.jsonl",
        "challenge identify hans.jsonl",
        "lexical score --model words parsed.jsonl",
        "compare --results runs.csv --columns ln_",
        "doctor --data parsed.jsonl --predictions overlap.jsonl",
        "review --score review/ann.csv review/ben.csv --by gold --by genre",
        "evaluate --data parsed.jsonl --model overlap --by genre",
        "compare overlap.jsonl majority.jsonl negation-word.jsonl --data parsed.jsonl --no-doctor --runs --by genre",
        "run --model overlap --challenge negation",
    ] {
        let arguments: Vec<&str> = command.split(' ').chain(["--format", "json"]).collect();
        let report: Value = serde_json::from_str(&acidtest(folder.path(), &arguments)).unwrap();
        let counts = |one: &Value| Some((one["counts"]["count"].as_u64()?, one["counts"]["total"].as_u64()?));
        let known: HashSet<(u64, u64)> = measured(&report, command).iter().filter_map(counts).collect();
        for (section, shares) in shares(&report) {
            let missing: Vec<_> = shares.iter().filter(|share| !known.contains(share)).collect();
            if !missing.is_empty() {
                unmeasured.push(format!("{command}: {section} shows {missing:?}"));
            }
        }
    }
    assert!(unmeasured.is_empty(), "not measured:\n{}", unmeasured.join("\n"));
}

#[test]
fn every_cell_of_a_run_table_is_a_measurement() {
    let folder = folder();
    let report: Value =
        serde_json::from_str(&acidtest(folder.path(), &["compare", "--results", "runs.csv", "--columns", "ln_", "--format", "json"]))
            .unwrap();
    let list = measured(&report, "runs");
    let of = |metric: &str| list.iter().filter(|one| one["metric"] == metric).collect::<Vec<_>>();
    assert_eq!((of("accuracy").len(), of("deviation").len(), list.len()), (6, 2, 8));
    let one = list.iter().find(|one| one["model"] == "2" && one["group"][0][1] == "ln_b").unwrap();
    assert_eq!(one["value"], 0.5);
}

/// 40 pairs of one premise, and two files of predictions: all right, and always neutral.
fn one_premise(folder: &Path) {
    let (mut pairs, mut right, mut neutral) = (String::new(), "id,label\n".to_string(), "id,label\n".to_string());
    for row in 0..40 {
        let label = if row % 4 == 0 { "neutral" } else { "entailment" };
        pairs += &format!(
            "{{\"id\": \"r{row}\", \"premise\": \"It rains.\", \"hypothesis\": \"It is wet {row}.\", \"label\": \"{label}\", \"genre\": \"g\"}}\n"
        );
        right += &format!("r{row},{label}\n");
        neutral += &format!("r{row},neutral\n");
    }
    for (name, text) in [("pairs.jsonl", pairs), ("right.csv", right), ("neutral.csv", neutral)] {
        std::fs::write(folder.join(name), text).unwrap();
    }
}

#[test]
fn one_cluster_has_no_interval_across_clusters_and_one_within() {
    let folder = tempfile::tempdir().unwrap();
    one_premise(folder.path());
    for command in [
        "evaluate --data pairs.jsonl --predictions neutral.csv --no-doctor --by genre --valid-labels 95/100",
        "compare right.csv neutral.csv --data pairs.jsonl --no-doctor --by genre",
        "compare --arm a=right.csv,neutral.csv --arm b=overlap,majority --data pairs.jsonl --no-doctor",
        "run --data pairs.jsonl --model neutral.csv --challenge none --no-doctor --by genre",
        "run --data pairs.jsonl --model majority --challenge negation",
    ] {
        let arguments: Vec<&str> = command.split(' ').chain(["--format", "json"]).collect();
        let report: Value = serde_json::from_str(&acidtest(folder.path(), &arguments)).unwrap();
        let list = measured(&report, command);
        let across: Vec<&Value> = list.iter().filter(|one| one["interval"].is_object()).collect();
        assert!(across.is_empty(), "{command}: {across:?}");
        let accuracy = list.iter().find(|one| one["metric"] == "accuracy" && one["counts"].is_object()).unwrap();
        assert!(accuracy["within_cluster"]["low"].as_f64() < accuracy["value"].as_f64(), "{command}: {accuracy}");
    }
    let report =
        acidtest(folder.path(), &["compare", "right.csv", "neutral.csv", "--data", "pairs.jsonl", "--no-doctor", "--format", "json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    let difference = report["measurements"].as_array().unwrap().iter().find(|one| one["metric"] == "difference").unwrap();
    // 30 : 0 of 40, as the text says: within this cluster [59.7, 85.8], p < 0.001; p = 1 across clusters.
    let within = &difference["within_cluster"];
    let close = |key: &str, expected: f64| (within[key].as_f64().unwrap() - expected).abs() < 0.0006;
    assert!(close("low", 0.597) && close("high", 0.858) && close("p", 0.0), "{difference}");
    assert_eq!(difference["p"], 1.0);
}
