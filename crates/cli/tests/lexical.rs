//! A lexical model is trained, used and scored, and a damaged folder is refused.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn acidtest(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_acidtest")).current_dir(folder).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The output of a command that must succeed, standard error after standard output.
#[track_caller]
fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = acidtest(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout) + &text(&output.stderr)
}

/// Runs a command that must fail with one line containing this text.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str], expected: &str) {
    let output = acidtest(folder, arguments);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.contains(expected), "expected `{expected}` in `{message}`");
    assert!(output.stdout.is_empty());
}

/// A folder with the sample corpus, the last examples of which are in a separate file.
fn prepared() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/data/sample.jsonl");
    let sample = fs::read_to_string(sample).unwrap();
    let lines: Vec<&str> = sample.lines().collect();
    let (train, dev) = lines.split_at(180);
    fs::write(folder.path().join("train.jsonl"), train.join("\n")).unwrap();
    fs::write(folder.path().join("dev.jsonl"), dev.join("\n")).unwrap();
    folder
}

const TRAIN: &[&str] = &["train", "--model", "lexical", "--train", "train.jsonl", "--dev", "dev.jsonl", "-o", "model"];

fn with<'a>(arguments: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [arguments, more].concat()
}

fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| (path.file_name().unwrap().into(), fs::read(&path).unwrap())).collect()
}

#[test]
fn a_model_is_trained_used_and_scored() {
    let folder = prepared();
    let folder = folder.path();
    let printed = done(folder, TRAIN);
    for part in
        ["training       177 examples, 3 without a label excluded", "tried          penalty 32", "gradient norm", "dev accuracy", "memory"]
    {
        assert!(printed.contains(part), "expected `{part}` in {printed}");
    }
    let about: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("model/model.json")).unwrap()).unwrap();
    assert!(fs::read_to_string(folder.join("model/model.json")).unwrap().starts_with("{\n  \"model\": \"lexical\""));
    assert_eq!(about["training"]["files"][0]["path"], "train.jsonl");

    // The dev accuracy of the training equals that of `predict` and of `evaluate`.
    done(folder, &["predict", "--model", "model", "--data", "dev.jsonl", "-o", "answers.jsonl"]);
    done(folder, &["predict", "--model", "model", "--data", "dev.jsonl", "-o", "answers.csv", "--threads", "2"]);
    let by_model = done(folder, &["evaluate", "--data", "dev.jsonl", "--model", "model", "--format", "csv"]);
    let by_lines = done(folder, &["evaluate", "--data", "dev.jsonl", "--predictions", "answers.jsonl", "--no-doctor", "--format", "csv"]);
    let by_columns = done(folder, &["evaluate", "--data", "dev.jsonl", "--predictions", "answers.csv", "--no-doctor", "--format", "csv"]);
    let numbers = |text: &str| text.lines().filter(|line| line.contains("accuracy")).map(str::to_string).collect::<Vec<_>>();
    assert!(!numbers(&by_model).is_empty());
    assert_eq!(numbers(&by_model), numbers(&by_lines));
    assert_eq!(numbers(&by_model), numbers(&by_columns));
    let right = about["dev_right"].as_u64().unwrap();
    assert!(numbers(&by_model)[0].contains(&right.to_string()), "{right}: {:?}", numbers(&by_model));
}

#[test]
fn threads_and_runs_write_the_same_bytes() {
    let folder = prepared();
    let folder = folder.path();
    done(folder, &with(TRAIN, &["--set", "folds=3", "--threads", "1"]));
    let one = files(&folder.join("model"));
    assert_eq!(one.len(), 4);
    done(folder, &with(TRAIN, &["--set", "folds=3", "--threads", "3"]));
    assert_eq!(one, files(&folder.join("model")));
    let predict =
        |threads: &str| done(folder, &["predict", "--model", "model", "--data", "train.jsonl", "dev.jsonl", "--threads", threads]);
    assert_eq!(predict("1"), predict("3"));
}

#[test]
fn every_lexical_model_is_listed_and_can_be_trained() {
    let folder = prepared();
    let listed = done(folder.path(), &["list", "models"]);
    for name in ["lexical", "hypothesis-only", "premise-only"] {
        assert!(listed.contains(&format!("  {name}\n")), "{listed}");
        let arguments = ["train", "--model", name, "--train", "train.jsonl", "--set", "penalty=2", "-o", name];
        assert!(done(folder.path(), &arguments).starts_with(&format!("{name} written to {name}\n")));
        let answers = done(folder.path(), &["predict", "--model", &format!("./{name}"), "--data", "dev.jsonl"]);
        assert_eq!(answers.lines().filter(|line| line.starts_with("{\"id\": ")).count(), 102);
    }
}

#[test]
fn examples_without_labels_or_parses_get_predictions() {
    let folder = prepared();
    let folder = folder.path();
    done(folder, &with(TRAIN, &["--set", "penalty=2"]));
    fs::write(folder.join("new.csv"), "premise,hypothesis\nA dog runs.,A dog sleeps.\nA dog runs.,A dog sleeps.\n").unwrap();
    let printed = done(folder, &["predict", "--model", "model", "--data", "new.csv"]);
    assert!(printed.contains("2 of 2 examples have no parse"), "{printed}");
    assert_eq!(printed.lines().filter(|line| line.contains("\"scores\": [")).count(), 2);
}

#[test]
fn impossible_trainings_are_refused_in_one_line_and_write_nothing() {
    let folder = prepared();
    let folder = folder.path();
    refused(folder, &with(TRAIN, &["--set", "penalty=-1"]), "setting `penalty`: invalid value -1");
    refused(folder, &with(TRAIN, &["--set", "hidden=300"]), "has no setting `hidden`");
    refused(
        folder,
        &with(TRAIN, &["--checkpoint-minutes", "1"]),
        "--checkpoint-minutes: applies to networks, and `lexical` is not one; leave it out",
    );
    refused(folder, &["train", "--model", "lexicall", "--train", "train.jsonl", "-o", "model"], "did you mean `lexical`?");
    refused(folder, &["train", "--model", "lexical", "--train", "none.jsonl", "-o", "model"], "none.jsonl: no such file");
    refused(
        folder,
        &["train", "--model", "lexical", "--train", "train.jsonl", "-o", "no/such/folder"],
        "no/such/folder: cannot be written",
    );
    fs::write(folder.join("unlabelled.csv"), "premise,hypothesis\nA dog.,A cat.\n").unwrap();
    refused(
        folder,
        &["train", "--model", "lexical", "--train", "unlabelled.csv", "-o", "model"],
        "no training example has one of the labels",
    );
    let train_on_double = ["train", "--model", "lexical", "--train", "train.jsonl", "train.jsonl", "-o", "model"];
    refused(folder, &train_on_double, "(first seen at line 1)");
    refused(folder, &["train", "--model", "lexical", "--train", "train.jsonl", "-o", "train.jsonl"], "not a trained model");
    refused(folder, &["predict", "--model", "model", "--data", "dev.jsonl"], "unknown model `model`");
    refused(folder, &["predict", "--model", "train.jsonl", "--data", "dev.jsonl", "-o", "out.jsonl"], "train.jsonl");
    refused(folder, &["predict", "--model", "overlap", "--data", "dev.jsonl", "-o", "./dev.jsonl"], "dev.jsonl: would overwrite an input");
    refused(folder, &["predict", "--model", "majority", "--data", "-"], "model `majority`: standard input cannot be read twice");
    let left: Vec<PathBuf> = files(folder).into_iter().map(|(name, _)| name).collect();
    assert_eq!(left, ["dev.jsonl", "train.jsonl", "unlabelled.csv"].map(PathBuf::from));
}

#[test]
fn other_models_are_not_replaced() {
    let folder = prepared();
    let folder = folder.path();
    fs::create_dir(folder.join("model")).unwrap();
    let (other, none) = ("model: contains another model; choose a new or empty folder", "model: exists and is not a trained model");
    for (about, message) in [("{\"model\": \"esim\"}", other), ("{}", none), ("[not json", none)] {
        fs::write(folder.join("model/model.json"), about).unwrap();
        refused(folder, TRAIN, message);
        assert_eq!(fs::read_to_string(folder.join("model/model.json")).unwrap(), about);
    }
}

#[test]
fn a_damaged_folder_is_named() {
    let folder = prepared();
    let folder = folder.path();
    done(folder, &with(TRAIN, &["--set", "penalty=2"]));
    let weights = folder.join("model/weights.bin");
    let bytes = fs::read(&weights).unwrap();
    fs::write(&weights, &bytes[..bytes.len() - 7]).unwrap();
    let predict = ["predict", "--model", "model", "--data", "dev.jsonl", "-o", "out.jsonl"];
    refused(folder, &predict, "weights.bin: the content has changed since it was written");
    assert!(!folder.join("out.jsonl").exists());
}
