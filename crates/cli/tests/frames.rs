//! Selectional control: counting verbs by frame, and sets restricted to frequent verbs.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const GRAMMAR: &str = "\
class people NN
  doctor judge actor

class verbs
  admired thanked

subcase swap: overlap, non-entailment

template one weight 1
  premise    (S (NP (DT the) (* $a:people)) (VP (VBD $v:verbs) (NP (DT the) (* $b:people))) (. .))
  hypothesis (S (NP (DT the) (* $b)) (VP (VBD $v) (NP (DT the) (* $a))) (. .))
";

const ROWS: [&str; 4] = [
    "id\tpremise\thypothesis\tlabel",
    "a\tThe judge who the doctor admires is old.\tThe doctor admired a judge.\tentailment",
    "b\tThe judge was thanked by the doctor.\tShe believed that he slept.\tneutral",
    "c\tShe believed he slept.\tNobody thanked them.\tneutral",
];

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("own.grammar"), GRAMMAR).unwrap();
    fs::write(folder.path().join("train.tsv"), ROWS.join("\n")).unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/data/sample.jsonl");
    fs::copy(sample, folder.path().join("sample.jsonl")).unwrap();
    folder
}

fn acidtest(folder: &Path, command: &str) -> Output {
    let arguments = command.split(' ');
    Command::new(env!("CARGO_BIN_EXE_acidtest")).current_dir(folder).args(arguments).stdin(Stdio::null()).output().unwrap()
}

#[track_caller]
fn succeed(folder: &Path, command: &str) -> String {
    let output = acidtest(folder, command);
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a command that must fail with one line containing this text and write nothing.
#[track_caller]
fn fail(folder: &Path, command: &str, expected: &str) {
    let before = fs::read_dir(folder).unwrap().count();
    let output = acidtest(folder, command);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success(), "{command}");
    assert!(message.contains(expected) && message.lines().count() == 1, "{message}");
    assert_eq!(fs::read_dir(folder).unwrap().count(), before, "{command} left a file");
}

/// The rows of a section's table, with the text or count of each cell.
fn table(report: &Value, section: &str) -> Vec<Vec<String>> {
    let section = report["sections"].as_array().unwrap().iter().find(|found| found["name"] == section).unwrap();
    let cell =
        |cell: &Value| cell["text"].as_str().map_or_else(|| cell["count"].as_u64().map_or("-".into(), |n| n.to_string()), str::to_string);
    let rows = section["blocks"][0]["rows"].as_array().unwrap();
    rows.iter().map(|row| row.as_array().unwrap().iter().map(cell).collect()).collect()
}

fn report(folder: &Path, command: &str) -> Value {
    serde_json::from_str(&succeed(folder, &format!("{command} --format json"))).unwrap()
}

#[test]
fn verbs_of_a_users_grammar_are_counted() {
    let folder = folder();
    let found = report(folder.path(), "corpus frames train.tsv --grammar own.grammar --threshold 2");
    let expected = [["admired", "object 2", "ok"], ["thanked", "object 1", "too rare"]];
    assert_eq!(table(&found, "verb frames"), expected);
    assert_eq!(table(&found, "verb classes"), [["verbs", "object", "2", "1", "thanked"]]);
    let measured = found["measurements"].as_array().unwrap();
    let admired = measured.iter().find(|one| one["group"] == json!([["verb", "admired"], ["frame", "object"]])).unwrap();
    assert_eq!((&admired["metric"], &admired["value"]), (&json!("occurrences"), &json!(2.0)));
}

#[test]
fn the_verbs_of_hans_are_counted_in_the_frames_of_its_templates() {
    let folder = folder();
    let found = report(folder.path(), "corpus frames train.tsv");
    let rows = table(&found, "verb frames");
    let row = |verb: &str| rows.iter().find(|row| row[0] == verb).unwrap()[1..].to_vec();
    assert_eq!(row("believed"), ["object 0  clause 2 (1 without that)  passive 0", "too rare"]);
    assert_eq!(row("thanked"), ["object 1  passive 1", "ok"]);
    assert_eq!(row("slept"), ["no object 2", "ok"]);
    let notes = found["sections"][0]["notes"].to_string();
    assert!(notes.contains("3 examples") && notes.contains("Threshold in each frame: 1 (50 in the 392,702"), "{notes}");
    assert!(notes.contains("of 83 verb-frame pairs reach the threshold"), "{notes}");
}

#[test]
fn counts_and_sets_do_not_depend_on_threads() {
    let folder = folder();
    let made = |threads: &str| {
        let counts = report(folder.path(), &format!("corpus frames sample.jsonl --threads {threads}"));
        let command = "challenge hans --frames-from sample.jsonl --set subcases=ln_conjunction,cn_adverb --set per_subcase=20";
        let set = succeed(folder.path(), &format!("{command} -o - --threads {threads}"));
        (counts["sections"].clone(), counts["measurements"].clone(), set)
    };
    assert_eq!(made("1"), made("2"));
}

#[test]
fn a_set_uses_frequent_verbs_only_and_records_the_counts() {
    let folder = folder();
    let command = "challenge hans --set grammar=own.grammar --set per_subcase=all --frames-from train.tsv --frame-threshold 2 -o set.jsonl";
    succeed(folder.path(), command);
    let rows = fs::read_to_string(folder.path().join("set.jsonl")).unwrap();
    let verbs: BTreeSet<String> = rows
        .lines()
        .map(|row| serde_json::from_str::<Value>(row).unwrap()["sentence1"].as_str().unwrap().split(' ').nth(2).unwrap().to_string())
        .collect();
    assert_eq!((rows.lines().count(), verbs.into_iter().collect::<Vec<_>>()), (6, vec!["admired".to_string()]));
    let about: Value = serde_json::from_str(&fs::read_to_string(folder.path().join("set.jsonl.about.json")).unwrap()).unwrap();
    let frames = &about["frames"];
    assert_eq!((&frames["threshold"], &frames["examples"], &frames["strict"]), (&json!(2), &json!(3), &json!(false)));
    assert_eq!(frames["excluded"], json!({ "verbs": ["thanked"] }));
    assert_eq!((&frames["verbs"]["thanked"]["object"], &frames["verbs"]["thanked"]["passive"]), (&json!(1), &json!(1)));
    assert_eq!(frames["inputs"][0]["path"], "train.tsv");
    succeed(folder.path(), "challenge hans --set grammar=own.grammar --set per_subcase=all -o all.jsonl");
    let about = fs::read_to_string(folder.path().join("all.jsonl.about.json")).unwrap();
    assert!(!about.contains("\"frames\""), "{about}");
}

#[test]
fn impossible_requests_are_refused_in_one_line() {
    let folder = folder();
    let make = "challenge hans --set grammar=own.grammar --set per_subcase=2 --frames-from train.tsv -o set.jsonl";
    fail(folder.path(), &format!("{make} --frame-threshold 3"), "own.grammar:4: no verb of class `verbs` occurs at least 3 times");
    fail(folder.path(), &format!("{make} --frame-threshold 3"), "it is needed by swap; lower --frame-threshold, or leave subcases out");
    fail(folder.path(), "challenge negation --from train.tsv --frames-from train.tsv -o set.jsonl", "--frames-from: applies to hans");
    fail(folder.path(), "corpus frames train.tsv --grammar none.grammar", "none.grammar");
    fs::write(
        folder.path().join("mood.grammar"),
        GRAMMAR
            .replace("(VBD $v:verbs) (NP (DT the) (* $b:people))", "(VBD was) (NP (NN $b:people))")
            .replace("(VBD $v) (NP (DT the) (* $a))", "(VBD was) (NP (NN $a))"),
    )
    .unwrap();
    fail(folder.path(), "corpus frames train.tsv --grammar mood.grammar", "mood.grammar: none of its template verbs occurs in a frame");
    for command in ["challenge hans --strict-frames -o set.jsonl", "corpus frames train.tsv --threshold 0"] {
        assert_eq!(acidtest(folder.path(), command).status.code(), Some(2), "{command}");
    }
}
