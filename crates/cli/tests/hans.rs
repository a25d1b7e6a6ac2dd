//! HANS: generating, identifying, auditing and scoring.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Runs the program in a folder.
fn acidtest(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_acidtest")).current_dir(folder).args(arguments).stdin(Stdio::null()).output().unwrap()
}

/// The standard output of a command that must succeed.
#[track_caller]
fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let output = acidtest(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a command that must fail with one line containing this text and write nothing.
#[track_caller]
fn fail(folder: &Path, arguments: &[&str], expected: &str) {
    let before = fs::read_dir(folder).unwrap().count();
    let output = acidtest(folder, arguments);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success(), "{arguments:?}");
    assert!(message.contains(expected), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert_eq!(fs::read_dir(folder).unwrap().count(), before, "{arguments:?} left a file");
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn rows(path: &Path) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(json).collect()
}

/// The table of a section of a JSON report, as rows of text: the count of a rate, `-` for an empty cell.
fn table(report: &str, section: &str) -> Vec<Vec<String>> {
    let report = json(report);
    let section = report["sections"].as_array().unwrap().iter().find(|found| found["name"] == section).unwrap();
    let cell = |cell: &Value| match cell["kind"].as_str().unwrap() {
        "text" => cell["text"].as_str().unwrap().to_string(),
        "empty" => "-".to_string(),
        "number" => cell["value"].to_string(),
        _ => cell["count"].to_string(),
    };
    let rows = section["blocks"][0]["rows"].as_array().unwrap();
    rows.iter().map(|row| row.as_array().unwrap().iter().map(cell).collect()).collect()
}

fn pairs(path: &Path) -> BTreeSet<(String, String)> {
    rows(path).iter().map(|row| (row["sentence1"].as_str().unwrap().to_string(), row["sentence2"].as_str().unwrap().to_string())).collect()
}

/// A file of the real corpora, if available.
fn data(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("ACIDTEST_DATA")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")), PathBuf::from);
    let path = folder.join(name);
    if !path.exists() {
        eprintln!("skipped: {} is not there", path.display());
        return None;
    }
    Some(path)
}

#[test]
fn a_set_has_parses_and_tags_in_our_format() {
    let folder = TempDir::new().unwrap();
    succeed(folder.path(), &["challenge", "hans", "--set", "per_subcase=3", "-o", "set.jsonl"]);
    let rows = rows(&folder.path().join("set.jsonl"));
    assert_eq!(rows.len(), 90);
    let ids: BTreeSet<&str> = rows.iter().map(|row| row["pairID"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 90);
    for row in &rows {
        for field in ["sentence1", "sentence2", "sentence1_parse", "sentence2_parse", "sentence1_binary_parse", "sentence2_binary_parse"] {
            assert!(!row[field].as_str().unwrap().is_empty());
        }
        for tag in ["heuristic", "subcase", "template", "category"] {
            assert!(row[tag].is_string() || row["tags"][tag].is_string(), "{row}");
        }
    }
}

#[test]
fn both_writers_of_hans_text_agree() {
    let folder = TempDir::new().unwrap();
    succeed(folder.path(), &["challenge", "hans", "--set", "per_subcase=5", "--as-published", "-o", "set.txt"]);
    succeed(folder.path(), &["challenge", "hans", "--set", "per_subcase=5", "--as-published", "-o", "set.jsonl"]);
    succeed(folder.path(), &["corpus", "convert", "set.jsonl", "--to", "hans", "-o", "converted.txt"]);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("set.txt"), read("converted.txt"));
    assert!(read("set.txt").starts_with("gold_label\tsentence1_binary_parse\t"));
}

#[test]
fn one_and_two_threads_write_the_same_bytes() {
    let folder = TempDir::new().unwrap();
    for (name, threads) in [("one", "1"), ("two", "2")] {
        for ending in ["txt", "jsonl"] {
            let output = format!("{name}.{ending}");
            succeed(folder.path(), &["challenge", "hans", "--set", "per_subcase=40", "--seed", "7", "--threads", threads, "-o", &output]);
        }
    }
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(read("one.txt"), read("two.txt"));
    assert_eq!(read("one.jsonl"), read("two.jsonl"));
    let about = |name: &str| json(&String::from_utf8(read(name)).unwrap());
    assert_eq!(about("one.txt.about.json"), about("two.jsonl.about.json"));
}

#[test]
fn excluded_pairs_are_not_generated() {
    let folder = TempDir::new().unwrap();
    let make = |extra: &[&str], output: &str| {
        // Half of all pairs of the smallest subcase, so that many would otherwise be drawn again.
        let mut arguments = vec!["challenge", "hans", "--set", "subcases=se_understood_object", "--set", "per_subcase=1344", "-o", output];
        arguments.extend(extra);
        succeed(folder.path(), &arguments);
        pairs(&folder.path().join(output))
    };
    let first = make(&[], "first.jsonl");
    let second = make(&["--exclude", "first.jsonl"], "second.jsonl");
    assert_eq!((first.len(), second.len(), first.intersection(&second).count()), (1344, 1344, 0));
    let arguments =
        ["challenge", "hans", "--set", "subcases=se_understood_object", "--exclude", "first.jsonl", "--exclude", "second.jsonl"];
    let none_left = "`se_understood_object`: cannot generate 1 pairs; there are only 0 that are not excluded (2688 are)";
    fail(folder.path(), &[&arguments[..], &["--set", "per_subcase=1", "-o", "third.jsonl"]].concat(), none_left);
}

#[test]
fn as_many_pairs_are_generated_as_were_counted() {
    let folder = TempDir::new().unwrap();
    succeed(folder.path(), &["challenge", "hans", "--set", "subcases=se_understood_object", "--set", "per_subcase=all", "-o", "all.jsonl"]);
    let counted = succeed(folder.path(), &["challenge", "hans", "--count", "--set", "subcases=se_understood_object", "--format", "json"]);
    let made = pairs(&folder.path().join("all.jsonl")).len().to_string();
    assert_eq!(table(&counted, "templates").last().unwrap().last(), Some(&made));
    let about = json(&fs::read_to_string(folder.path().join("all.jsonl.about.json")).unwrap());
    let template = about["templates"].as_array().unwrap().iter().find(|template| template["subcase"] == "se_understood_object").unwrap();
    assert_eq!((&template["distinct_pairs"], &template["rows"]), (&Value::from(2688), &Value::from(2688)));
}

#[test]
fn categories_are_sampled_evenly() {
    let folder = TempDir::new().unwrap();
    succeed(folder.path(), &["challenge", "hans", "--set", "per_category=20", "-o", "set.jsonl"]);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows(&folder.path().join("set.jsonl")) {
        *counts.entry(row["tags"]["category"].as_str().unwrap().to_string()).or_default() += 1;
    }
    assert_eq!(counts.len(), 114);
    assert!(counts.values().all(|count| *count == 20), "{counts:?}");
}

#[test]
fn withheld_subcases_are_left_out_and_the_others_stay_as_they_are() {
    let folder = TempDir::new().unwrap();
    succeed(folder.path(), &["challenge", "hans", "--set", "per_subcase=5", "-o", "all.jsonl"]);
    succeed(folder.path(), &["challenge", "hans", "--set", "per_subcase=5", "--set", "withhold=ln_passive", "-o", "some.jsonl"]);
    let subcases = |name: &str| {
        let subcase = |row: &Value| row["subcase"].as_str().unwrap().to_string();
        rows(&folder.path().join(name)).iter().map(subcase).collect::<BTreeSet<_>>()
    };
    let left_out: Vec<String> = subcases("all.jsonl").difference(&subcases("some.jsonl")).cloned().collect();
    assert_eq!(left_out, ["ln_passive"]);
    assert!(pairs(&folder.path().join("some.jsonl")).is_subset(&pairs(&folder.path().join("all.jsonl"))));
}

#[test]
fn mistakes_are_answered_in_one_line() {
    let folder = TempDir::new().unwrap();
    let hans = |extra: &[&'static str]| [&["challenge", "hans", "-o", "set.jsonl"], extra].concat();
    fail(folder.path(), &hans(&["--set", "subcases=ln_pasive"]), "unknown subcase `ln_pasive`; did you mean `ln_passive`?");
    fail(folder.path(), &hans(&["--set", "per_subcase=2689"]), "`se_understood_object`: cannot generate 2689 pairs; there are only 2688");
    fail(folder.path(), &hans(&["--to", "hnas"]), "did you mean `hans`?");
    fail(folder.path(), &hans(&["--to", "anli"]), "cannot hold the two-way label non-entailment");
    fail(folder.path(), &hans(&["--set", "grammar=none.txt"]), "none.txt: cannot be read");
    fail(folder.path(), &hans(&["--exclude", "none.txt"]), "--exclude: none.txt");
    fs::write(
        folder.path().join("my.grammar"),
        "class nouns NN\n  doctor\nsubcase one: h, entailment\ntemplate t weight 1\n  premise (S (NN $a:nuns))\n  hypothesis (S (NN $a))\n",
    )
    .unwrap();
    fail(folder.path(), &hans(&["--set", "grammar=my.grammar"]), "my.grammar:5: ");
}

#[test]
fn pairs_of_a_users_grammar_are_identified_with_all_readings() {
    let folder = TempDir::new().unwrap();
    let template = |id: &str, slot: &str| {
        format!("template {id} weight 1\n  premise (S (NN ${slot}:nouns) (VBD ran) (. .))\n  hypothesis (S (NN ${slot}) (. .))\n")
    };
    let grammar = format!(
        "class nouns NN\n  doctor judge\nsubcase one: h, entailment\n{}subcase two: h, neutral\n{}",
        template("t1", "a"),
        template("t2", "b")
    );
    fs::write(folder.path().join("my.grammar"), grammar).unwrap();
    succeed(folder.path(), &["challenge", "hans", "--set", "grammar=my.grammar", "--set", "per_subcase=all", "-o", "set.jsonl"]);
    let set = rows(&folder.path().join("set.jsonl"));
    assert_eq!(
        set.iter().map(|row| row["gold_label"].as_str().unwrap()).collect::<Vec<_>>(),
        ["entailment", "entailment", "neutral", "neutral"]
    );
    fs::write(folder.path().join("bare.csv"), "premise,hypothesis,label\nDoctor ran.,Doctor.,neutral\nA zebra ran.,A zebra.,neutral\n")
        .unwrap();
    let arguments = ["challenge", "identify", "bare.csv", "--grammar", "my.grammar", "-o", "found.jsonl", "--format", "json"];
    let report = succeed(folder.path(), &arguments);
    assert_eq!(table(&report, "ambiguous"), [["one | two", "1"]]);
    assert_eq!(table(&report, "unrecognised")[0][1], "A zebra ran.");
    let found = rows(&folder.path().join("found.jsonl"));
    assert_eq!(found[0]["tags"]["readings"], "one/t1/one:t1 | two/t2/two:t2");
    assert_eq!(found[0]["heuristic"], "h");
    assert_eq!(found[0]["subcase"], Value::Null);
    assert_eq!(found[0]["sentence1_parse"], "(ROOT (S (NN Doctor) (VBD ran) (. .)))");
    assert_eq!(found[1]["heuristic"], Value::Null);
}

#[test]
fn missing_annotation_columns_are_recovered() {
    let folder = TempDir::new().unwrap();
    for mode in [&["--as-published"][..], &[]] {
        succeed(folder.path(), &[&["challenge", "hans", "--set", "per_subcase=30", "-o", "set.jsonl"], mode].concat());
        succeed(folder.path(), &["corpus", "convert", "set.jsonl", "-o", "bare.csv"]);
        succeed(folder.path(), &["challenge", "identify", "bare.csv", "-o", "found.jsonl"]);
        let (set, found) = (rows(&folder.path().join("set.jsonl")), rows(&folder.path().join("found.jsonl")));
        // The clean mode differs from the published one in tags and leaves of a few words, which the text does not show.
        for (row, found) in set.iter().zip(&found) {
            assert_eq!((&row["tags"], &row["subcase"], &row["sentence1"]), (&found["tags"], &found["subcase"], &found["sentence1"]));
            if !mode.is_empty() {
                assert_eq!(row["sentence1_parse"], found["sentence1_parse"]);
                assert_eq!(row["sentence2_binary_parse"], found["sentence2_binary_parse"]);
            }
        }
        assert_eq!(set.len(), found.len());
    }
}

#[test]
fn released_pairs_are_all_recognised() {
    let Some(path) = data("hans/heuristics_evaluation_set.txt.gz") else { return };
    let folder = TempDir::new().unwrap();
    let report = succeed(folder.path(), &["challenge", "identify", path.to_str().unwrap(), "--format", "json"]);
    let counts: Vec<String> = table(&report, "recognised").into_iter().map(|row| row[1].clone()).collect();
    assert_eq!(counts, ["30000", "0", "0", "0"]);
    let stated = table(&report, "stated tags");
    assert_eq!(stated[2], ["subcase", "30000", "30000"]);
}

#[test]
fn an_audit_finds_what_contradicts_each_heuristic() {
    let folder = TempDir::new().unwrap();
    let lines = [
        "id\tpremise\thypothesis\tlabel\tgenre\tsentence1_parse",
        "a\tThe judge saw the doctor.\tThe doctor saw the judge.\tneutral\tfiction\t(S (NP (DT The) (NN judge)) (VP (VBD saw) (NP (DT the) (NN doctor))))",
        "b\tThe judge saw the doctor.\tThe doctor.\tentailment\tfiction\t(S (NP (DT The) (NN judge)) (VP (VBD saw) (NP (DT the) (NN doctor))))",
        "c\tThe judge saw the doctor.\tThe judge saw.\tcontradiction\ttravel\t(S (NP (DT The) (NN judge)) (VP (VBD saw) (NP (DT the) (NN doctor))))",
        "d\tThe judge saw the doctor.\tNobody slept.\tcontradiction\ttravel\t(S (NP (DT The) (NN judge)) (VP (VBD saw) (NP (DT the) (NN doctor))))",
    ];
    fs::write(folder.path().join("rows.tsv"), lines.join("\n")).unwrap();
    let report = succeed(folder.path(), &["corpus", "audit", "rows.tsv", "--contradicting", "found.jsonl", "--format", "json"]);
    let heuristics: Vec<Vec<String>> = table(&report, "heuristics").into_iter().map(|row| row[..3].to_vec()).collect();
    assert_eq!(heuristics, [["lexical_overlap", "1", "2"], ["subsequence", "1", "1"], ["constituent", "1", "0"]]);
    assert_eq!(table(&report, "heuristics by genre")[1], ["travel", "0", "1", "0", "1", "0", "0"]);
    assert_eq!(table(&report, "negation").into_iter().map(|row| row[2].clone()).collect::<Vec<_>>(), ["0", "0", "1"]);
    let found = rows(&folder.path().join("found.jsonl"));
    let tags: Vec<&str> = found.iter().map(|row| row["tags"]["contradicts"].as_str().unwrap()).collect();
    assert_eq!(tags, ["lexical_overlap", "lexical_overlap | subsequence"]);
}

#[test]
fn released_contradicting_examples_are_all_found() {
    let Some(path) = data("hans/mnli_contradicting_examples.tsv") else { return };
    let folder = TempDir::new().unwrap();
    let text = format!("sentence1\tsentence2\tgold_label\n{}", fs::read_to_string(path).unwrap());
    fs::write(folder.path().join("released.tsv"), text).unwrap();
    let report = succeed(folder.path(), &["corpus", "audit", "--as-published", "released.tsv", "--format", "json"]);
    assert_eq!(table(&report, "heuristics")[0][..3], ["lexical_overlap", "0", "261"]);
}

#[test]
fn an_evaluation_on_hans_shows_human_accuracy() {
    let folder = TempDir::new().unwrap();
    succeed(folder.path(), &["challenge", "hans", "--set", "per_subcase=2", "-o", "set.txt"]);
    let answers: Vec<String> = (0..60).map(|n| format!("ex{n},entailment")).collect();
    fs::write(folder.path().join("answers.csv"), format!("pairID,gold_label\n{}\n", answers.join("\n"))).unwrap();
    let report = succeed(folder.path(), &["evaluate", "--data", "set.txt", "--predictions", "answers.csv", "--format", "json"]);
    let rows = table(&report, "hans");
    assert_eq!(rows[0], ["lexical-overlap", "10", "0", "10"]);
    assert_eq!(rows[4], ["95 Mechanical Turk workers", "75.0 %", "77.0 %", "76.0 %"]);
    let report = json(&report);
    let section = report["sections"].as_array().unwrap().iter().find(|section| section["name"] == "hans").unwrap();
    assert_eq!(section["blocks"][1]["bars"].as_array().unwrap().len(), 30);
}

#[test]
fn hans_is_listed() {
    let text = succeed(Path::new("."), &["list", "challenges"]);
    assert!(text.contains("  hans (structure)\n") && text.contains("per_subcase=1000"), "{text}");
}
