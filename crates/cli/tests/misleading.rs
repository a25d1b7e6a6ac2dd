//! Uses of a lexical model: scores, subsets, explanations, reports.

#![allow(clippy::unwrap_used)]

mod common;

use common::{acidtest, run};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The one line that the program prints when it fails.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(!output.status.success(), "{arguments:?} succeeds");
    String::from_utf8(output.stderr).unwrap()
}

/// A folder with the sample corpus as `in.jsonl` and, in `model`, a model with folds trained on it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/data/sample.jsonl");
    fs::copy(sample, folder.path().join("in.jsonl")).unwrap();
    train(folder.path(), "in.jsonl", "model", "folds=3");
    folder
}

fn train(folder: &Path, corpus: &str, model: &str, folds: &str) {
    acidtest(folder, &["train", "--model", "lexical", "--train", corpus, "--set", "penalty=0.1", "--set", folds, "-o", model]);
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The scores that `lexical score --rows` writes: id, and the rest of the row.
fn scores(folder: &Path, model: &str, corpus: &str) -> BTreeMap<String, Value> {
    acidtest(folder, &["lexical", "score", "--model", model, corpus, "--rows", "rows.jsonl"]);
    let rows = json_lines(&fs::read_to_string(folder.join("rows.jsonl")).unwrap());
    rows.into_iter().map(|row| (row["id"].as_str().unwrap().to_string(), row)).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// The row of a table of a report whose first cell has this text.
fn table_row<'r>(report: &'r Value, section: &str, name: &str) -> &'r Vec<Value> {
    let sections = report["sections"].as_array().unwrap();
    let section = sections.iter().find(|found| found["name"] == section).unwrap_or_else(|| panic!("no section {section}"));
    let tables = section["blocks"].as_array().unwrap().iter().filter(|block| block["kind"] == "table");
    let mut rows = tables.flat_map(|table| table["rows"].as_array().unwrap());
    rows.find(|row| row[0]["text"] == name).unwrap_or_else(|| panic!("no row {name} in {section}")).as_array().unwrap()
}

#[test]
fn every_labelled_example_has_a_score() {
    let folder = folder();
    let report = acidtest(folder.path(), &["lexical", "score", "--model", "model", "in.jsonl", "--lambda", "0.4", "--format", "json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    let rows = scores(folder.path(), "model", "in.jsonl");
    assert_eq!(rows.len(), 278);
    for row in rows.values() {
        let labels = ["entailment", "neutral", "contradiction"];
        let wrong = labels.iter().zip(row["scores"].as_array().unwrap()).filter(|(label, _)| row["gold"] != **label);
        let most = wrong.map(|(_, score)| number(score)).fold(0.0, f64::max);
        assert_eq!(number(&row["lms"]), most, "{row}");
    }
    for lambda in [0.4, 0.5, 0.6, 0.7, 0.95] {
        let size = rows.values().filter(|row| number(&row["lms"]) >= lambda).count();
        assert_eq!(table_row(&report, "lms", &format!("CS_{lambda}"))[1]["count"], size, "{lambda}");
    }
    let notes = report["sections"][0]["notes"].to_string();
    assert!(notes.contains("In the training data: 278 examples") && notes.contains("4 examples without a three-way gold label"), "{notes}");
}

#[test]
fn no_example_is_scored_by_a_model_that_saw_its_label() {
    let folder = folder();
    let text = fs::read_to_string(folder.path().join("in.jsonl")).unwrap();
    let other =
        text.replacen("\"gold_label\": \"entailment\", \"pairID\": \"101e\"", "\"gold_label\": \"neutral\", \"pairID\": \"101e\"", 1);
    assert_ne!(text, other);
    fs::write(folder.path().join("other.jsonl"), other).unwrap();
    train(folder.path(), "other.jsonl", "other", "folds=3");
    let (before, after) = (scores(folder.path(), "model", "in.jsonl"), scores(folder.path(), "other", "in.jsonl"));
    let change = |id: &str| {
        let pairs = before[id]["scores"].as_array().unwrap().iter().zip(after[id]["scores"].as_array().unwrap());
        pairs.map(|(before, after)| (number(before) - number(after)).abs()).fold(0.0, f64::max)
    };
    // Changing the label of one example changes the scores of others, but not of that example or others with its premise.
    assert!(before.keys().any(|id| change(id) > 0.001));
    for id in before.keys().filter(|id| id.starts_with("101")) {
        assert!(change(id) < 0.001, "{id} moves by {}", change(id));
    }
}

#[test]
fn training_examples_need_folds_to_be_scored() {
    let folder = folder();
    train(folder.path(), "in.jsonl", "plain", "folds=0");
    let error = refused(folder.path(), &["lexical", "score", "--model", "plain", "in.jsonl", "--rows", "rows.csv"]);
    assert!(error.contains("was trained on") && error.contains("--set folds=5") && error.lines().count() == 1, "{error}");
    assert!(!folder.path().join("rows.csv").exists());
    let premise = ["lexical", "explain", "--model", "plain", "--premise", "A dog barks.", "--hypothesis", "A dog is loud."];
    assert!(acidtest(folder.path(), &premise).contains("entailment"));
}

#[test]
fn a_compositional_set_consists_of_unchanged_examples() {
    let folder = folder();
    let make = |threads: &str, out: &str| {
        let from = ["challenge", "compositional", "--set", "lambda=0.5", "--lexical", "model", "--from", "in.jsonl"];
        acidtest(folder.path(), &[&from[..], &["-o", out, "--threads", threads]].concat());
        fs::read_to_string(folder.path().join(out)).unwrap()
    };
    let set = make("1", "one.jsonl");
    assert_eq!(set, make("4", "four.jsonl"));
    let scores = scores(folder.path(), "model", "in.jsonl");
    let expected = scores.values().filter(|row| number(&row["lms"]) >= 0.5).count();
    let rows = json_lines(&set);
    assert_eq!(rows.len(), expected);
    assert!(expected > 10, "too few rows to see anything");
    let whole = json_lines(&fs::read_to_string(folder.path().join("in.jsonl")).unwrap());
    for row in &rows {
        let original = whole.iter().find(|original| original["pairID"] == row["pairID"]).unwrap();
        assert_eq!([&row["sentence1"], &row["sentence2_parse"]], [&original["sentence1"], &original["sentence2_parse"]]);
        let lms: f64 = row["tags"]["lms"].as_str().unwrap().parse().unwrap();
        assert!((lms - number(&scores[row["pairID"].as_str().unwrap()]["lms"])).abs() < 1e-4);
        assert_eq!(row["tags"]["lambda"], "0.5");
    }
    let about: Value = serde_json::from_str(&fs::read_to_string(folder.path().join("one.jsonl.about.json")).unwrap()).unwrap();
    assert_eq!((&about["challenge"], &about["settings"]["lambda"]), (&"compositional".into(), &0.5.into()));
    assert_eq!(about["coverage"]["made"], expected);
    assert_eq!(about["coverage"]["not_applicable"]["no gold label"], 4);
    assert!(acidtest(folder.path(), &["list", "challenges"]).contains("acidtest challenge NAME --lexical FOLDER --from FILE -o OUT"));
}

/// A prediction of neutral for every example, by id.
fn neutral(folder: &Path) {
    let rows = json_lines(&fs::read_to_string(folder.join("in.jsonl")).unwrap());
    let lines: String = rows.iter().map(|row| format!("{},neutral\n", row["pairID"].as_str().unwrap())).collect();
    fs::write(folder.join("neutral.csv"), format!("pairID,prediction\n{lines}")).unwrap();
}

#[test]
fn predictions_for_a_corpus_can_be_scored_on_its_subset() {
    let folder = folder();
    neutral(folder.path());
    let from = ["challenge", "compositional", "--set", "lambda=0.5", "--lexical", "model", "--from", "in.jsonl", "-o", "cs.jsonl"];
    acidtest(folder.path(), &from);
    let evaluate = ["evaluate", "--data", "cs.jsonl", "--predictions", "neutral.csv", "--no-doctor", "--format", "json"];
    assert!(refused(folder.path(), &evaluate).contains("examples that are not in the data"));
    let report: Value = serde_json::from_str(&acidtest(folder.path(), &[&evaluate[..], &["--subset"]].concat())).unwrap();
    let rows = fs::read_to_string(folder.path().join("cs.jsonl")).unwrap().lines().count();
    assert_eq!(table_row(&report, "overall", "original")[1]["count"], rows);
}

#[test]
fn evaluate_shows_accuracy_where_words_mislead_and_who_follows_them() {
    let folder = folder();
    neutral(folder.path());
    let evaluate = ["evaluate", "--data", "in.jsonl", "--predictions", "neutral.csv", "--no-doctor", "--lexical", "model"];
    let report = acidtest(folder.path(), &[&evaluate[..], &["--format", "json", "--report", "page"]].concat());
    let report: Value = serde_json::from_str(&report).unwrap();
    let scores = scores(folder.path(), "model", "in.jsonl");
    let hard = |row: &&Value| number(&row["lms"]) >= 0.5;
    let sizes = [scores.len(), scores.values().filter(hard).count()];
    let neutrals = scores.values().filter(hard).filter(|row| row["gold"] == "neutral").count();
    let rows = table_row(&report, "compositional", "n");
    assert_eq!([&rows[1]["count"], &rows[2]["count"]], [&Value::from(sizes[0]), &Value::from(sizes[1])]);
    let model = table_row(&report, "compositional", "neutral.csv");
    assert_eq!([&model[2]["count"], &model[2]["total"]], [&Value::from(neutrals), &Value::from(sizes[1])]);
    assert!(number(&table_row(&report, "compositional", "one annotator")[1]["count"]) > 0.0);
    assert!(table_row(&report, "compositional", "majority")[1]["total"] == sizes[0]);
    assert_eq!(table_row(&report, "diagnosis", "lexical")[1]["text"], "neutral.csv");
    let page = fs::read_to_string(folder.path().join("page/data/text-0.js")).unwrap();
    assert_eq!(page.matches("\"toward\":").count(), sizes[1]);
}

#[test]
fn runs_are_shown_with_their_mean() {
    let folder = folder();
    neutral(folder.path());
    fs::copy(folder.path().join("neutral.csv"), folder.path().join("again.csv")).unwrap();
    let compare = ["compare", "neutral.csv", "again.csv", "--data", "in.jsonl", "--runs", "--no-doctor", "--lexical", "model"];
    let report: Value = serde_json::from_str(&acidtest(folder.path(), &[&compare[..], &["--format", "json"]].concat())).unwrap();
    let (one, mean) = (table_row(&report, "compositional", "again"), table_row(&report, "compositional", "mean of 2 runs"));
    assert_eq!(2.0 * number(&one[1]["count"]), number(&mean[1]["count"]));
}

#[test]
fn run_compares_models_with_the_lexical_model() {
    let folder = folder();
    let run = ["run", "--data", "in.jsonl", "--model", "overlap", "--challenge", "negation", "--lexical", "model", "--details"];
    let text = acidtest(folder.path(), &run);
    assert!(text.contains("Where words mislead") && text.contains("pairs whose words suggest another label"), "{text}");
}

#[test]
fn predictions_are_explained_by_words() {
    let folder = folder();
    let pair =
        ["lexical", "explain", "--model", "model", "--premise", "The rain fell.", "--hypothesis", "Nobody saw no rain.", "--gold", "e"];
    let text = acidtest(folder.path(), &pair);
    assert!(text.contains("premise    The rain fell.") && text.contains("score (LMS) 0.") && text.contains("hypothesis: no"), "{text}");
    let rows = json_lines(&acidtest(folder.path(), &["lexical", "explain", "--model", "model", "in.jsonl", "--format", "json"]));
    assert_eq!(rows.len(), 282);
    let scores = scores(folder.path(), "model", "in.jsonl");
    for row in rows.iter().filter(|row| !row["gold"].is_null()) {
        assert_eq!(row["lms"], scores[row["id"].as_str().unwrap()]["lms"]);
        // Bias and feature weights give the probabilities.
        let sum = |label: &str| {
            let features = row["features"].as_array().unwrap().iter().map(|feature| number(&feature["weights"][label]));
            number(&row["bias"][label]) + features.sum::<f64>()
        };
        let powers = ["entailment", "neutral", "contradiction"].map(|label| sum(label).exp());
        let expected = powers[0] / powers.iter().sum::<f64>();
        assert!((number(&row["probabilities"]["entailment"]) - expected).abs() < 1e-3, "{row}");
    }
}

#[test]
fn the_page_of_the_scores_shows_what_misleads() {
    let folder = folder();
    acidtest(folder.path(), &["lexical", "score", "--model", "model", "in.jsonl", "--report", "page"]);
    let scores = scores(folder.path(), "model", "in.jsonl");
    let rows = scores.values().filter(|row| number(&row["lms"]) >= 0.5).count();
    let page = fs::read_to_string(folder.path().join("page/data/text-0.js")).unwrap();
    assert_eq!(page.matches("\"toward\":").count(), rows);
}

#[test]
fn invalid_arguments_are_refused_in_one_line() {
    let folder = folder();
    let check = |arguments: &[&str], message: &str| {
        let error = refused(folder.path(), arguments);
        assert!(error.contains(message), "{arguments:?}: {error}");
    };
    check(&["lexical", "score", "--model", "nowhere", "in.jsonl"], "nowhere: no such folder");
    check(&["lexical", "score", "--model", "model", "in.jsonl", "--lambda", "1.5"], "expected a number from 0 to 1");
    fs::create_dir(folder.path().join("network")).unwrap();
    fs::write(folder.path().join("network/model.json"), "{\"model\": \"esim\"}").unwrap();
    check(&["lexical", "explain", "--model", "network", "in.jsonl"], "`esim` is not a lexical model");
    check(
        &["lexical", "explain", "--model", "model", "--premise", "A.", "--hypothesis", "B.", "--gold", "non-entailment"],
        "--gold: invalid value `non-entailment`",
    );
    fs::write(folder.path().join("key.csv"), "id,label\n1,neutral\n").unwrap();
    fs::write(folder.path().join("answers.csv"), "id,label\n1,entailment\n").unwrap();
    check(&["evaluate", "--data", "key.csv", "--predictions", "answers.csv", "--lexical", "model"], "expected a corpus with text");
}

#[test]
fn unlabelled_examples_have_no_score() {
    let folder = folder();
    let row = r#"{"gold_label": "-", "sentence1": "A man sleeps.", "sentence2": "A man dreams.", "pairID": "1"}"#;
    fs::write(folder.path().join("open.jsonl"), row).unwrap();
    let message = refused(folder.path(), &["lexical", "score", "--model", "model", "open.jsonl", "--rows", "rows.jsonl"]);
    assert!(message.contains("open.jsonl: no example has a gold label to score against"), "{message}");
    assert!(!folder.path().join("rows.jsonl").exists());
}
