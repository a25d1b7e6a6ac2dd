//! The real program: what labels mean in data and predictions, and what is said where they do not say so themselves.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::{acidtest, run};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// What the program says when it refuses, in one line.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

/// A folder with a table of these labels, in which every premise is another one.
fn folder(labels: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = labels.iter().enumerate().map(|(n, label)| format!("{n},A dog runs at {n}.,It runs.,{label},g{n}\n")).collect();
    fs::write(folder.path().join("data.csv"), format!("id,premise,hypothesis,label,genre\n{rows}")).unwrap();
    folder
}

fn golds(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let text = acidtest(folder, &[&["corpus", "convert", "data.csv", "-o", "-"], arguments].concat());
    text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["gold_label"].as_str().unwrap().to_string()).collect()
}

#[test]
fn numbers_of_two_labels_are_refused_until_their_order_is_given() {
    let folder = folder(&["0", "1", "1", "0"]);
    let path = folder.path();
    for arguments in [
        vec!["corpus", "convert", "data.csv", "-o", "out.jsonl"],
        vec!["corpus", "stats", "data.csv"],
        vec!["evaluate", "--data", "data.csv", "--model", "overlap"],
        vec!["run", "--data", "data.csv", "--model", "overlap"],
        vec!["train", "--model", "lexical", "--train", "data.csv", "-o", "words"],
        vec!["challenge", "negation", "--from", "data.csv", "-o", "set.jsonl"],
    ] {
        let said = refused(path, &arguments);
        assert!(
            said.contains("data.csv: the labels are numbers below 2") && said.contains("--data-labels entailment,not_entailment"),
            "{said}"
        );
    }
    assert_eq!(fs::read_dir(path).unwrap().count(), 1, "nothing is left behind");
    let [e, not] = ["entailment", "non-entailment"];
    assert_eq!(golds(path, &["--data-labels", "entailment,not_entailment"]), [e, not, not, e]);
    assert_eq!(golds(path, &["--data-labels", "not_entailment,entailment"]), [not, e, e, not]);
}

#[test]
fn the_usual_order_of_three_numbers_is_said() {
    let folder = folder(&["0", "1", "2", "-1"]);
    let path = folder.path();
    let said = String::from_utf8(run(path, &["corpus", "convert", "data.csv", "-o", "out.csv"]).stderr).unwrap();
    assert!(
        said.contains("data.csv: the labels 0, 1, 2 are read as entailment, neutral, contradiction, as is usual: the data does not say"),
        "{said}"
    );
    assert!(said.contains("1 row has no gold label"), "{said}");
    let report: Value = serde_json::from_str(&acidtest(path, &["corpus", "stats", "data.csv", "--format", "json"])).unwrap();
    assert!(report["provenance"]["inputs"][0]["notes"][0].as_str().unwrap().contains("as is usual"), "{report}");
    // In words, and with what was a column as a column.
    let written = fs::read_to_string(path.join("out.csv")).unwrap();
    assert!(written.starts_with("id,premise,hypothesis,label,genre\n0,A dog runs at 0.,It runs.,entailment,g0\n"), "{written}");
    assert_eq!(golds(path, &["--data-labels", "C,E,N"]), ["contradiction", "entailment", "neutral", "-"]);
}

#[test]
fn numbers_in_another_order_than_the_usual_one_are_noticed_by_what_models_predict() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    // As in CommitmentBank: 0, 1, 2 are entailment, contradiction, neutral.
    let labels = ["entailment", "contradiction", "neutral"];
    let row = |n: usize| format!("{n},A dog runs at {n}.,It runs.,{}\n", n % 3);
    fs::write(path.join("data.csv"), format!("id,premise,hypothesis,label\n{}", (0..90).map(row).collect::<String>())).unwrap();
    let answers: String = (0..90).map(|n| format!("{n},{}\n", labels[n % 3])).collect();
    fs::write(path.join("answers.csv"), format!("id,label\n{answers}")).unwrap();
    let arguments = ["evaluate", "--data", "data.csv", "--predictions", "answers.csv"];
    let output = run(path, &arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("Pass --labels E,C,N, --data-labels E,C,N if the numbers in the data mean that"), "{said}");
    acidtest(path, &[&arguments[..], &["--data-labels", "E,C,N"]].concat());
}

#[test]
fn what_stands_beside_the_data_says_what_numbers_mean() {
    let folder = folder(&["0", "1", "1"]);
    let path = folder.path();
    let info = r#"{"features": {"label": {"names": ["not_entailment", "entailment"], "_type": "ClassLabel"}}}"#;
    fs::write(path.join("dataset_info.json"), info).unwrap();
    assert_eq!(golds(path, &[]), ["non-entailment", "entailment", "entailment"]);
    let said = String::from_utf8(run(path, &["corpus", "convert", "data.csv", "-o", "-"]).stderr).unwrap();
    assert!(said.contains("the labels 0, 1, ... are non-entailment, entailment, as dataset_info.json says"), "{said}");
    assert_eq!(golds(path, &["--data-labels", "entailment,not_entailment"])[0], "entailment", "what the user says comes first");
}

#[test]
fn parquet_says_what_its_numbers_mean() {
    let folder = folder(&["entailment", "non-entailment"]);
    let path = folder.path();
    acidtest(path, &["corpus", "convert", "data.csv", "-o", "data.parquet"]);
    let bytes = fs::read(path.join("data.parquet")).unwrap();
    let names = br#""names":["entailment","non-entailment"]"#;
    assert!(bytes.windows(names.len()).any(|window| window == names));
    acidtest(path, &["corpus", "convert", "data.parquet", "-o", "back.csv"]);
    assert_eq!(fs::read(path.join("back.csv")).unwrap(), fs::read(path.join("data.csv")).unwrap());
}

#[test]
fn words_of_the_user_are_labels_of_data_and_of_predictions() {
    let folder = folder(&["SUPPORTS", "REFUTES", "NOT ENOUGH INFO", "DISPUTED"]);
    let path = folder.path();
    let map = "SUPPORTS=entailment,REFUTES=contradiction,NOT ENOUGH INFO=neutral,disputed=-";
    let said = refused(path, &["corpus", "stats", "data.csv"]);
    assert!(said.contains("data.csv:2: `SUPPORTS` is not a label") && said.contains("--label-map WORD=LABEL"), "{said}");
    assert_eq!(golds(path, &["--label-map", map]), ["entailment", "contradiction", "neutral", "-"]);
    fs::write(path.join("answers.csv"), "id,label\n0,SUPPORTS\n1,REFUTES\n2,LABEL_0\n").unwrap();
    let arguments = ["evaluate", "--data", "data.csv", "--predictions", "answers.csv", "--format", "json", "--label-map"];
    let report: Value = serde_json::from_str(&acidtest(path, &[&arguments[..], &[&format!("{map},LABEL_0=neutral")]].concat())).unwrap();
    let accuracy = report["measurements"].as_array().unwrap().iter().find(|found| found["metric"] == "accuracy").unwrap();
    assert_eq!(accuracy["value"], 1.0, "{accuracy}");
    let said = refused(path, &["corpus", "stats", "data.csv", "--label-map", "0=entailment"]);
    assert!(said.contains("--label-map: invalid value `0=entailment`"), "{said}");
    let said = refused(path, &["corpus", "stats", "data.csv", "--label-map", "SUPPORTS"]);
    assert!(said.contains("--label-map: `SUPPORTS` names no label"), "{said}");
    let said = refused(path, &["corpus", "stats", "data.csv", "--label-map", "a=entailment,A=neutral"]);
    assert!(said.contains("--label-map: `A` is both"), "{said}");
}

#[test]
fn yes_and_no_need_a_third_label_or_a_word() {
    let three = folder(&["yes", "no", "unknown"]);
    assert_eq!(golds(three.path(), &[]), ["entailment", "contradiction", "neutral"]);
    let two = folder(&["yes", "no"]);
    let said = refused(two.path(), &["corpus", "stats", "data.csv"]);
    assert!(said.contains("--label-map no=contradiction or --label-map no=non-entailment"), "{said}");
    assert_eq!(golds(two.path(), &["--label-map", "no=non-entailment"]), ["entailment", "non-entailment"]);
    let glue = folder(&["entailment", "not_entailment"]);
    assert_eq!(golds(glue.path(), &[]), ["entailment", "non-entailment"]);
}

#[test]
fn rows_without_a_label_are_left_out_of_test_sets_unless_asked_for() {
    let folder = folder(&["entailment", "-", "neutral"]);
    let path = folder.path();
    let made = |more: &[&str]| {
        let arguments = [&["challenge", "negation", "--from", "data.csv", "-o", "set.jsonl"], more].concat();
        let said = String::from_utf8(run(path, &arguments).stderr).unwrap();
        (fs::read_to_string(path.join("set.jsonl")).unwrap().lines().count(), said.contains("1 not applicable: no gold label"))
    };
    assert_eq!(made(&[]), (2, true));
    assert_eq!(made(&["--unlabelled", "keep"]), (3, false));
    assert_eq!(golds(path, &[]).len(), 3, "a conversion keeps them");
    assert_eq!(golds(path, &["--unlabelled", "drop"]).len(), 2);
    let said = refused(path, &["corpus", "convert", "data.csv", "--to", "hans", "-o", "out.txt"]);
    assert!(said.contains("--unlabelled drop"), "{said}");
    fs::write(path.join("hidden.csv"), "id,premise,hypothesis,label\n1,A,B,hidden\n").unwrap();
    let said = refused(path, &["challenge", "negation", "--from", "hidden.csv", "-o", "none.jsonl"]);
    assert!(said.contains("none of the 1 rows has a gold label; --unlabelled keep"), "{said}");
}

#[test]
fn skipped_rows_leave_a_trace_in_the_report() {
    let folder = folder(&["entailment", "maybe", "neutral"]);
    let text = acidtest(folder.path(), &["evaluate", "--data", "data.csv", "--model", "overlap", "--skip-bad-rows", "--format", "json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    let input = &report["provenance"]["inputs"][0];
    assert_eq!((&input["rows"], &input["skipped"]), (&Value::from(3), &Value::from(1)), "{input}");
    let text = acidtest(folder.path(), &["corpus", "stats", "data.csv", "--skip-bad-rows"]);
    assert!(text.contains("1 left out, as they could not be read"), "{text}");
}

#[test]
fn predictions_by_another_column_are_told_which() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let rows: String = (0..5).map(|n| format!("x{n},A dog runs at {n}.,It runs.,neutral\n")).collect();
    fs::write(path.join("data.csv"), format!("index,premise,hypothesis,label\n{rows}")).unwrap();
    let answers: String = (0..5).map(|n| format!("x{n},neutral\n")).collect();
    fs::write(path.join("answers.csv"), format!("id,label\n{answers}")).unwrap();
    let arguments = ["evaluate", "--data", "data.csv", "--predictions", "answers.csv"];
    let said = refused(path, &arguments);
    assert!(said.contains("the column `index` of the data has what 5 of them are for; pass --column id=index"), "{said}");
    acidtest(path, &[&arguments[..], &["--column", "id=index"]].concat());
}

#[test]
fn outputs_of_unknown_endings_and_tags_that_no_row_has_are_refused() {
    let folder = folder(&["entailment", "neutral"]);
    let path = folder.path();
    for arguments in [
        vec!["predict", "--model", "overlap", "--data", "data.csv", "-o", "x.xlsx"],
        vec!["lms", "data.csv", "--model", "words", "--rows", "x.xlsx"],
    ] {
        let said = refused(path, &arguments);
        assert!(said.contains("x.xlsx: unknown ending `.xlsx`"), "{said}");
    }
    let said = refused(path, &["corpus", "split", "data.csv", "--by", "gerne", "-o", "parts"]);
    assert!(said.contains("none of the 2 rows has the tag `gerne`"), "{said}");
    assert_eq!(fs::read_dir(path).unwrap().count(), 1, "nothing is left behind");
}

/// The big corpora; nothing where they are not at hand.
fn data(file: &str) -> Option<PathBuf> {
    let root = std::env::var_os("ACIDTEST_DATA")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")), PathBuf::from);
    let found = Some(root.join(file)).filter(|path| path.exists());
    if found.is_none() {
        eprintln!("skipped: no {file}");
    }
    found
}

#[test]
fn hans_stays_two_way_in_every_table() {
    let Some(hans) = data("hans/heuristics_evaluation_set.txt.gz") else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let hans = hans.to_str().unwrap();
    let scoring = |file: &str| {
        let text = acidtest(path, &["evaluate", "--data", file, "--model", "overlap", "--by", "heuristic,gold", "--format", "json"]);
        let report: Value = serde_json::from_str(&text).unwrap();
        (report["provenance"]["options"]["scoring"].clone(), report["sections"].clone())
    };
    let original = scoring(hans);
    assert_ne!(original.0, "three-way");
    for name in ["hans.csv", "hans.parquet", "hans.jsonl.gz"] {
        let format = if name.ends_with(".gz") { vec!["--to", "hf"] } else { Vec::new() };
        acidtest(path, &[&["corpus", "convert", hans, "-o", name], &format[..]].concat());
        assert!(scoring(name) == original, "{name}");
    }
}

#[test]
fn the_doctor_scores_hans_two_way_and_says_what_it_cannot_tell() {
    let (Some(key), Some(answers)) = (data("hans/released_key.tsv.gz"), data("hans/predictions")) else { return };
    let mut files: Vec<PathBuf> = fs::read_dir(answers).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 4);
    for file in files {
        let (key, file) = (key.to_str().unwrap(), file.to_str().unwrap());
        let text = acidtest(Path::new("."), &["doctor", "--data", key, "--predictions", file]);
        assert!(text.contains("30,000") && !text.contains("left out"), "{text}");
        assert!(text.contains("Gold labels are two-way, and so is the score: cannot tell E,N,C from E,C,N"), "{text}");
        assert_eq!(text.matches("cannot be told from the best").count(), 1, "{text}");
    }
}

#[test]
fn a_table_of_results_is_not_taken_together_unasked() {
    let Some(runs) = data("hans/hundred_bert_runs.csv") else { return };
    let runs = runs.to_str().unwrap();
    let said = refused(Path::new("."), &["runs", runs]);
    assert!(said.contains("must not be taken together: ") && said.contains("--columns"), "{said}");
    acidtest(Path::new("."), &["runs", runs, "--columns", "ln_,sn_,cn_"]);
}

#[cfg(unix)]
#[test]
fn programs_that_answer_two_numbers_are_refused_until_their_order_is_given() {
    let folder = folder(&["entailment", "non-entailment", "entailment", "non-entailment"]);
    let path = folder.path();
    let model = "process:sed -u 's/.*\"id\":\"\\([0-9]*\\)\".*/\\1/' | while read id; do echo \"{\\\"id\\\": \\\"$id\\\", \\\"label\\\": $((id % 2))}\"; done";
    for verb in [vec!["evaluate"], vec!["run", "--challenge", "none"], vec!["predict", "-o", "out.jsonl"]] {
        let said = refused(path, &[&verb[..], &["--data", "data.csv", "--model", model]].concat());
        assert!(said.contains("the labels are numbers below 2") && said.contains("--labels entailment,not_entailment"), "{said}");
    }
    assert!(!path.join("out.jsonl").exists());
    let order = ["--labels", "not_entailment,entailment"];
    let shown = acidtest(path, &[&["evaluate", "--data", "data.csv", "--model", model], &order[..]].concat());
    assert!(shown.contains("0.0 %"), "{shown}");
}

#[test]
fn a_wrong_order_is_noticed_where_gold_is_two_way() {
    let gold: Vec<&str> = (0..60).map(|n| if n % 2 == 0 { "entailment" } else { "non-entailment" }).collect();
    let folder = folder(&gold);
    let path = folder.path();
    // Entailment and contradiction exchanged.
    let answer = |n: usize| if n.is_multiple_of(2) { "contradiction" } else { ["entailment", "neutral"][n / 2 % 2] };
    let answers: String = (0..60).map(|n| format!("{n},{}\n", answer(n))).collect();
    fs::write(path.join("p.csv"), format!("id,label\n{answers}")).unwrap();
    for arguments in [
        vec!["evaluate", "--data", "data.csv", "--predictions", "p.csv"],
        vec!["run", "--data", "data.csv", "--model", "p.csv", "--challenge", "none"],
    ] {
        let output = run(path, &arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains("wrong order") && said.contains("Gold labels are two-way") && said.contains("--labels N,C,E"), "{said}");
    }
}
