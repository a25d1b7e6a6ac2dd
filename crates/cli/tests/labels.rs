//! The meaning of labels in data and predictions, and what is reported where it is not stated.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::{acidtest, run};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The one line that the program prints when it refuses.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

/// A folder with a table of these labels, each with its own premise.
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
            said.contains("data.csv: the labels are the numbers 0 and 1 without names")
                && said.contains("--data-labels entailment,not_entailment"),
            "{said}"
        );
    }
    assert_eq!(fs::read_dir(path).unwrap().count(), 1, "nothing is left behind");
    let [e, not] = ["entailment", "non-entailment"];
    assert_eq!(golds(path, &["--data-labels", "entailment,not_entailment"]), [e, not, not, e]);
    assert_eq!(golds(path, &["--data-labels", "not_entailment,entailment"]), [not, e, e, not]);
}

#[test]
fn the_assumed_order_of_three_numbers_is_reported() {
    let folder = folder(&["0", "1", "2", "-1"]);
    let path = folder.path();
    let said = String::from_utf8(run(path, &["corpus", "convert", "data.csv", "-o", "out.csv"]).stderr).unwrap();
    assert!(
        said.contains("data.csv: the labels 0, 1, 2 are read as entailment, neutral, contradiction, the usual order, because the data do not define them"),
        "{said}"
    );
    assert!(said.contains("1 example has no gold label"), "{said}");
    let report: Value = serde_json::from_str(&acidtest(path, &["corpus", "stats", "data.csv", "--format", "json"])).unwrap();
    assert!(report["provenance"]["inputs"][0]["notes"][0].as_str().unwrap().contains("the usual order"), "{report}");
    // As words, in a column.
    let written = fs::read_to_string(path.join("out.csv")).unwrap();
    assert!(written.starts_with("id,premise,hypothesis,label,genre\n0,A dog runs at 0.,It runs.,entailment,g0\n"), "{written}");
    assert_eq!(golds(path, &["--data-labels", "C,E,N"]), ["contradiction", "entailment", "neutral", "-"]);
}

#[test]
fn an_unusual_order_of_numbers_is_noticed_from_predictions() {
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
    assert!(said.contains("Pass --labels E,C,N, --data-labels E,C,N if the numbers in the data have this order"), "{said}");
    acidtest(path, &[&arguments[..], &["--data-labels", "E,C,N"]].concat());
}

#[test]
fn metadata_beside_the_data_defines_the_numbers() {
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
fn parquet_metadata_defines_the_numbers() {
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
fn label_words_of_the_user_apply_to_data_and_predictions() {
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
    let said = refused(path, &["corpus", "stats", "data.csv", "--label-map", "0=what"]);
    assert!(said.contains("--label-map: invalid value `0=what`"), "{said}");
    let said = refused(path, &["corpus", "stats", "data.csv", "--label-map", "SUPPORTS"]);
    assert!(said.contains("--label-map: invalid value `SUPPORTS`"), "{said}");
    let said = refused(path, &["corpus", "stats", "data.csv", "--label-map", "a=entailment,A=neutral"]);
    assert!(said.contains(": expected each word once"), "{said}");
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
fn unlabelled_examples_are_excluded_from_test_sets_unless_requested() {
    let folder = folder(&["entailment", "-", "neutral"]);
    let path = folder.path();
    let made = |more: &[&str]| {
        let arguments = [&["challenge", "negation", "--from", "data.csv", "-o", "set.jsonl"], more].concat();
        let said = String::from_utf8(run(path, &arguments).stderr).unwrap();
        (fs::read_to_string(path.join("set.jsonl")).unwrap().lines().count(), said.contains("not applicable to 1: no gold label"))
    };
    assert_eq!(made(&[]), (2, true));
    assert_eq!(made(&["--unlabelled", "keep"]), (3, false));
    assert_eq!(golds(path, &[]).len(), 3, "a conversion keeps them");
    assert_eq!(golds(path, &["--unlabelled", "drop"]).len(), 2);
    let said = refused(path, &["corpus", "convert", "data.csv", "--to", "hans", "-o", "out.txt"]);
    assert!(said.contains("--unlabelled drop"), "{said}");
    fs::write(path.join("hidden.csv"), "id,premise,hypothesis,label\n1,A,B,hidden\n").unwrap();
    let said = refused(path, &["challenge", "negation", "--from", "hidden.csv", "-o", "none.jsonl"]);
    assert!(said.contains("none of the 1 rows has a gold label; pass --unlabelled keep"), "{said}");
}

#[test]
fn skipped_rows_are_counted_in_the_report() {
    let folder = folder(&["entailment", "maybe", "neutral"]);
    let text = acidtest(folder.path(), &["evaluate", "--data", "data.csv", "--model", "overlap", "--skip-bad-rows", "--format", "json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    let input = &report["provenance"]["inputs"][0];
    assert_eq!((&input["rows"], &input["skipped"]), (&Value::from(3), &Value::from(1)), "{input}");
    let text = acidtest(folder.path(), &["corpus", "stats", "data.csv", "--skip-bad-rows"]);
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("1 skipped because they could not be read"), "{text}");
}

#[test]
fn predictions_with_other_ids_are_told_which_column_fits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let rows: String = (0..5).map(|n| format!("x{n},A dog runs at {n}.,It runs.,neutral\n")).collect();
    fs::write(path.join("data.csv"), format!("index,premise,hypothesis,label\n{rows}")).unwrap();
    let answers: String = (0..5).map(|n| format!("x{n},neutral\n")).collect();
    fs::write(path.join("answers.csv"), format!("id,label\n{answers}")).unwrap();
    let arguments = ["evaluate", "--data", "data.csv", "--predictions", "answers.csv"];
    let said = refused(path, &arguments);
    assert!(said.contains("5 of them match the column `index` of the data; pass --column id=index"), "{said}");
    acidtest(path, &[&arguments[..], &["--column", "id=index"]].concat());
}

#[test]
fn outputs_of_unknown_endings_and_tags_that_no_row_has_are_refused() {
    let folder = folder(&["entailment", "neutral"]);
    let path = folder.path();
    for arguments in [
        vec!["predict", "--model", "overlap", "--data", "data.csv", "-o", "x.xlsx"],
        vec!["lexical", "score", "data.csv", "--model", "words", "--rows", "x.xlsx"],
    ] {
        let said = refused(path, &arguments);
        assert!(said.contains("x.xlsx: unknown file extension `.xlsx`"), "{said}");
    }
    let said = refused(path, &["corpus", "split", "data.csv", "--by", "gerne", "-o", "parts"]);
    assert!(said.contains("none of the 2 examples has the tag `gerne`"), "{said}");
    assert_eq!(fs::read_dir(path).unwrap().count(), 1, "nothing is left behind");
}

/// The folder of the real corpora, if available.
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
fn the_doctor_scores_hans_two_way_and_says_which_orders_are_indistinguishable() {
    let (Some(key), Some(answers)) = (data("hans/released_key.tsv.gz"), data("hans/predictions")) else { return };
    let mut files: Vec<PathBuf> = fs::read_dir(answers).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 4);
    for file in files {
        let (key, file) = (key.to_str().unwrap(), file.to_str().unwrap());
        let text = acidtest(Path::new("."), &["doctor", "--data", key, "--predictions", file]);
        assert!(text.contains("30,000") && !text.contains("excluded"), "{text}");
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains("Gold labels and scoring are two-way: E,N,C and E,C,N cannot be distinguished"), "{text}");
        assert_eq!(text.matches("tied with the best").count(), 1, "{text}");
    }
}

#[test]
fn columns_of_a_results_table_are_not_averaged_without_a_request() {
    let Some(runs) = data("hans/hundred_bert_runs.csv") else { return };
    let runs = runs.to_str().unwrap();
    let said = refused(Path::new("."), &["compare", "--results", runs]);
    assert!(said.contains("several result columns") && said.contains("--columns"), "{said}");
    acidtest(Path::new("."), &["compare", "--results", runs, "--columns", "ln_,sn_,cn_"]);
}

#[test]
fn labels_that_would_be_guesses_are_refused_with_a_remedy() {
    let check = |labels: &[&str], more: &[&str], expected: &str| {
        let folder = folder(labels);
        let said = refused(folder.path(), &[&["corpus", "stats", "data.csv"], more].concat());
        assert!(said.contains(expected), "{said}");
    };
    check(
        &["1", "2", "1"],
        &[],
        "data.csv: the labels are numbers without 0, perhaps counted from 1, and their meaning is not defined; say what each means",
    );
    check(&["entailment", "2", "neutral"], &[], "data.csv: some labels are words and others are numbers");
    check(&["entailment", "neutral"], &["--data-labels", "C,E,N"], "no label is a number, so the order of numbered labels has no effect");
    let codes = folder(&["-1", "0", "1"]);
    let found = golds(codes.path(), &["--label-map=-1=contradiction,0=neutral,1=entailment"]);
    assert_eq!(found, ["contradiction", "neutral", "entailment"]);
    let both = folder(&["entailment", "2"]);
    assert_eq!(golds(both.path(), &["--label-map", "2=contradiction"]), ["entailment", "contradiction"]);
}

#[test]
fn duplicate_columns_and_keys_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.csv"), "id,premise,hypothesis,label,label\n1,a.,b.,neutral,entailment\n").unwrap();
    assert!(refused(folder.path(), &["corpus", "stats", "a.csv"]).contains("a.csv:2: `label` occurs twice"));
    let row = "{\"id\": \"1\", \"premise\": \"a.\", \"hypothesis\": \"b.\", \"label\": \"neutral\", \"label\": \"entailment\"}\n";
    fs::write(folder.path().join("a.jsonl"), row).unwrap();
    assert!(refused(folder.path(), &["corpus", "stats", "a.jsonl"]).contains("a.jsonl:1: `label` occurs twice"));
}

#[test]
fn the_gold_labels_of_the_data_are_not_taken_for_predictions() {
    let folder = folder(&["entailment", "neutral", "contradiction"]);
    let path = folder.path();
    let score = |file: &str| refused(path, &["evaluate", "--data", "data.csv", "--predictions", file, "--no-doctor"]);
    assert!(score("data.csv").contains("`label` may be the gold label (found id, premise, hypothesis, label, genre)"));
    fs::write(path.join("both.csv"), "id,label,pred\n0,entailment,neutral\n1,neutral,neutral\n2,contradiction,neutral\n").unwrap();
    let said = score("both.csv");
    assert!(
        said.contains(
            "both.csv:1: `label` may be the gold label (found id, label, pred); pass --prediction-column NAME to name the predictions"
        ),
        "{said}"
    );
    let shown =
        acidtest(path, &["evaluate", "--data", "data.csv", "--predictions", "both.csv", "--prediction-column", "pred", "--no-doctor"]);
    assert!(shown.contains("33.3"), "{shown}");
    // A gold key is data without text.
    fs::write(path.join("key.csv"), "id,label\n0,entailment\n1,neutral\n2,contradiction\n").unwrap();
    let said = refused(path, &["evaluate", "--data", "key.csv", "--predictions", "key.csv", "--no-doctor"]);
    assert!(said.contains("key.csv: this is key.csv itself, whose labels are the gold labels"), "{said}");
}

#[test]
fn skipped_rows_do_not_shift_predictions_by_row_number() {
    let folder = folder(&["entailment", "what", "contradiction"]);
    let path = folder.path();
    fs::write(path.join("p.txt"), "entailment\nneutral\ncontradiction\n").unwrap();
    let output = run(path, &["evaluate", "--data", "data.csv", "--skip-bad-rows", "--predictions", "p.txt", "--no-doctor"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("p.txt: its predictions are joined by row number, but 1 of the data's 3 rows were skipped"), "{said}");
    // Row numbers of all rows are unambiguous: the last is not among the two remaining examples.
    let accuracy = |verb: &[&str], predictions: &str| {
        fs::write(path.join("p.csv"), predictions).unwrap();
        run(path, &[verb, &["data.csv", "--skip-bad-rows", "--predictions", "p.csv"]].concat())
    };
    for verb in [&["evaluate", "--no-doctor", "--data"][..], &["doctor", "--data"], &["corpus", "tags"]] {
        for predictions in ["index,label\n2,c\n0,e\n1,n\n", "index,label\n2,c\n0,e\n"] {
            let output = accuracy(verb, predictions);
            let shown = String::from_utf8_lossy(&output.stdout).into_owned();
            // The row of all examples in the table of tags: their frequency and the accuracy on them.
            let all_right = |line: &str| line.trim_start().starts_with("all ") && line.matches("2 of 2").count() == 2;
            let right = shown.contains("100.0 %") || shown.lines().any(all_right);
            assert!(output.status.success() && right, "{verb:?}: {shown} {}", String::from_utf8_lossy(&output.stderr));
        }
        // These may be the two remaining examples or the first two rows.
        let output = accuracy(verb, "index,label\n0,e\n1,c\n");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            said.contains("expected predictions with ids, or with a column `index` that numbers all rows of the data from 0"),
            "{said}"
        );
    }
}

#[test]
fn invalid_row_numbers_are_refused() {
    let folder = folder(&["entailment", "neutral"]);
    let path = folder.path();
    for (index, said) in [
        ("1.5", "p.jsonl:1: `1.5` is not a row number (expected a whole number of at least 0)"),
        ("\"x\"", "p.jsonl:1: `\"x\"` is not a row number"),
        ("0", "line 1 has a row number and line 2 has none; number all predictions or none"),
    ] {
        fs::write(path.join("p.jsonl"), format!("{{\"index\": {index}, \"label\": \"e\"}}\n{{\"label\": \"n\"}}\n")).unwrap();
        let output = run(path, &["evaluate", "--data", "data.csv", "--predictions", "p.jsonl", "--no-doctor"]);
        let found = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && found.contains(said), "{found}");
    }
}

#[test]
fn ties_of_scores_are_counted() {
    let folder = folder(&["entailment", "neutral", "contradiction"]);
    let scores = "id,entailment,neutral,contradiction\n0,0.4,0.4,0.2\n1,0.1,0.7,0.2\n2,0.5,0,0.5\n";
    fs::write(folder.path().join("p.csv"), scores).unwrap();
    let shown = acidtest(folder.path(), &["evaluate", "--data", "data.csv", "--predictions", "p.csv", "--no-doctor"]);
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("2 of 3 predictions have tied highest scores"), "{shown}");
    fs::copy(folder.path().join("p.csv"), folder.path().join("q.csv")).unwrap();
    for (command, named) in [
        ("compare --data data.csv p.csv q.csv --no-doctor", "p: 2 of 3"),
        ("compare --data data.csv --arm a=p.csv --arm b=overlap --no-doctor", "p: 2 of 3"),
        ("run --data data.csv --model p.csv --challenge none --no-doctor", "p.csv: 2 of 3"),
        ("gate --data data.csv --model p.csv --challenge none --no-doctor --fail-under original=2", "p: 2 of 3"),
        ("doctor --data data.csv --predictions p.csv", "2 of 3"),
    ] {
        let shown = acidtest(folder.path(), &command.split(' ').collect::<Vec<_>>());
        let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&format!("{named} predictions have tied highest scores")), "{command}: {shown}");
    }
}

#[test]
fn files_without_predictions_are_named() {
    let folder = folder(&["entailment", "neutral", "contradiction"]);
    let path = folder.path();
    acidtest(path, &["corpus", "convert", "data.csv", "-o", "data.parquet"]);
    fs::create_dir(path.join("sub")).unwrap();
    fs::write(path.join("p.txt"), "entailment\n".repeat(5)).unwrap();
    let score = |file: &str| refused(path, &["evaluate", "--data", "data.csv", "--predictions", file, "--no-doctor"]);
    assert!(score("data.parquet").contains("data.parquet: predictions are not read from Parquet"));
    assert!(score("sub").contains("sub: ") && score("sub").contains("this is a folder (expected a file)"), "{}", score("sub"));
    let said = score("p.txt");
    assert!(said.contains("2 of 5 predictions are for rows beyond the end of the data: it has 3") && !said.contains("--subset"), "{said}");
    let said = refused(path, &["report", "sub"]);
    assert!(said.contains("this is a folder (expected a report in JSON)"), "{said}");
    acidtest(path, &["corpus", "convert", "data.csv", "-o", "data.jsonl.gz"]);
    assert!(refused(path, &["report", "data.jsonl.gz"]).contains("the file is compressed; unpack it first"));
    let said = refused(path, &["evaluate", "--data", "data.csv", "--model", "it's mine=overlap"]);
    assert!(said.contains("NAME=MODEL: invalid value `it's mine`: expected a name of letters, digits, `_`, `.` and `-` only"), "{said}");
}

#[cfg(unix)]
#[test]
fn process_models_with_two_numbered_labels_are_refused_until_their_order_is_given() {
    let folder = folder(&["entailment", "non-entailment", "entailment", "non-entailment"]);
    let path = folder.path();
    let model = "process:sed -u 's/.*\"id\":\"\\([0-9]*\\)\".*/\\1/' | while read id; do echo \"{\\\"id\\\": \\\"$id\\\", \\\"label\\\": $((id % 2))}\"; done";
    for verb in [vec!["evaluate"], vec!["run", "--challenge", "none"], vec!["predict", "-o", "out.jsonl"]] {
        let said = refused(path, &[&verb[..], &["--data", "data.csv", "--model", model]].concat());
        assert!(said.contains("the labels are the numbers 0 and 1") && said.contains("--labels entailment,not_entailment"), "{said}");
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
    // Entailment and contradiction swapped.
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
        assert!(
            said.contains("label order is wrong")
                && said.contains("Gold labels and scoring are two-way")
                && said.contains("--labels N,C,E"),
            "{said}"
        );
    }
}

#[test]
fn duplicate_predictions_are_refused() {
    let folder = folder(&["entailment", "neutral", "contradiction"]);
    let path = folder.path();
    let row = |fields: &str| (0..3).map(|id| format!("{{\"id\": \"{id}\", {fields}}}\n")).collect::<String>();
    for (name, text, said) in [
        (
            "p.csv",
            "id,prediction,predicted_label\n0,e,n\n1,e,n\n2,e,n\n".to_string(),
            "p.csv:1: several columns of predictions: prediction, predicted_label; pass FILE@COLUMN or --prediction-column",
        ),
        ("p.jsonl", row("\"prediction\": \"e\", \"answer\": \"n\""), "p.jsonl:1: several columns of predictions: answer, prediction"),
        ("q.jsonl", row("\"label\": \"e\", \"label\": \"n\""), "q.jsonl:1: `label` occurs twice"),
        ("r.jsonl", row("\"scores\": {\"e\": 1, \"e\": 0, \"n\": 0, \"c\": 0}"), "r.jsonl:1: `e` occurs twice"),
    ] {
        fs::write(path.join(name), text).unwrap();
        let output = run(path, &["evaluate", "--data", "data.csv", "--predictions", name, "--no-doctor"]);
        let found = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && found.contains(said), "{name}: {found}");
    }
    let named =
        acidtest(path, &["evaluate", "--data", "data.csv", "--predictions", "p.csv", "--prediction-column", "prediction", "--no-doctor"]);
    assert!(named.contains("33.3"), "{named}");
}

#[test]
fn a_model_that_is_always_wrong_is_below_the_majority_baseline() {
    let folder = folder(&["entailment", "neutral", "contradiction"].repeat(10));
    let rows: String = (0..30).map(|id| format!("{id},{}\n", ["neutral", "contradiction", "entailment"][id % 3])).collect();
    fs::write(folder.path().join("p.csv"), format!("id,label\n{rows}")).unwrap();
    let shown = acidtest(folder.path(), &["evaluate", "--data", "data.csv", "--predictions", "p.csv", "--no-doctor"]);
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("significantly below the majority baseline") && !words.contains("not significantly above"), "{shown}");
}

#[test]
fn every_scoring_verb_reports_unlabelled_examples_and_missing_predictions() {
    let folder = folder(&["entailment", "neutral", "contradiction", "-", "-"]);
    fs::write(folder.path().join("p.csv"), "id,label\n0,e\n1,n\n").unwrap();
    fs::write(folder.path().join("q.csv"), "id,label\n0,e\n1,n\n2,c\n").unwrap();
    for command in [
        "compare --data data.csv p.csv q.csv --no-doctor --allow-missing",
        "run --data data.csv --model p.csv --challenge none --no-doctor --allow-missing",
        "gate --data data.csv --model p.csv --challenge none --no-doctor --allow-missing --fail-under original=2",
    ] {
        let shown = acidtest(folder.path(), &command.split(' ').collect::<Vec<_>>());
        let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("1 of 3 labelled examples have no prediction and count as wrong."), "{command}: {shown}");
        assert!(words.contains("examples have no gold label and are not scored."), "{command}: {shown}");
    }
}
