//! Transformers in the Hugging Face format as models, with the golden folder of a tiny BERT.
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::{acidtest, run};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../transformers/golden").join(name)
}

/// A folder with forty examples in `in.jsonl` and a copy of the tiny BERT in `tiny`.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let sample: Vec<&str> = include_str!("../../corpus/data/sample.jsonl").lines().take(40).collect();
    fs::write(folder.path().join("in.jsonl"), sample.join("\n") + "\n").unwrap();
    fs::create_dir(folder.path().join("tiny")).unwrap();
    for name in ["config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"] {
        fs::copy(golden("bert").join(name), folder.path().join("tiny").join(name)).unwrap();
    }
    folder
}

/// The message of a command that must fail.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(!output.status.success(), "{arguments:?}");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

const EVALUATE: [&str; 6] = ["evaluate", "--data", "in.jsonl", "--no-doctor", "--model", "tiny"];

#[test]
fn a_folder_is_a_model_whose_report_says_how_it_was_run() {
    let folder = folder();
    let words = |shown: String| shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = words(acidtest(folder.path(), &EVALUATE));
    assert!(shown.contains("bert in f32") && shown.contains("outputs read as entailment, neutral, contradiction"), "{shown}");
    acidtest(folder.path(), &["predict", "--data", "in.jsonl", "--model", "mine=tiny", "-o", "one.jsonl", "--threads", "1"]);
    acidtest(folder.path(), &["predict", "--data", "in.jsonl", "--model", "mine=tiny", "-o", "two.jsonl", "--threads", "2"]);
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(read("one.jsonl"), read("two.jsonl"));
}

#[test]
fn cached_predictions_are_not_those_of_a_changed_model() {
    let folder = folder();
    let evaluate = || {
        let arguments: Vec<&str> = EVALUATE.into_iter().chain(["--cache", "cache"]).collect();
        let output = run(folder.path(), &arguments);
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (first, said) = evaluate();
    assert!(!said.contains("from the cache"), "{said}");
    let (second, said) = evaluate();
    assert!(said.contains("from the cache"), "{said}");
    let accuracy = |shown: &str| shown.lines().find(|line| line.trim_start().starts_with("original ")).map(str::to_string);
    assert_eq!(accuracy(&first), accuracy(&second));
    let config = folder.path().join("tiny/config.json");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.replace("\"hidden_act\": \"gelu\"", "\"hidden_act\": \"relu\"")).unwrap();
    let (_, said) = evaluate();
    assert!(!said.contains("from the cache"), "{said}");
}

#[test]
fn labels_without_a_meaning_need_an_order() {
    let folder = folder();
    fs::copy(golden("variants/label-n/config.json"), folder.path().join("tiny/config.json")).unwrap();
    let message = refused(folder.path(), &EVALUATE);
    assert!(message.contains("LABEL_0, LABEL_1, LABEL_2") && message.contains("pass the order with --labels"), "{message}");
    let labelled: Vec<&str> = EVALUATE.into_iter().chain(["--labels", "C,E,N"]).collect();
    let shown = acidtest(folder.path(), &labelled).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("outputs read as contradiction, entailment, neutral"), "{shown}");
}

#[test]
fn a_folder_of_two_models_is_refused() {
    let folder = folder();
    fs::write(folder.path().join("tiny/model.json"), "{}").unwrap();
    let message = refused(folder.path(), &EVALUATE);
    assert!(message.contains("both model.json and config.json"), "{message}");
}

#[test]
fn weights_of_other_formats_are_refused_with_a_remedy() {
    let folder = folder();
    fs::rename(folder.path().join("tiny/model.safetensors"), folder.path().join("tiny/pytorch_model.bin")).unwrap();
    let message = refused(folder.path(), &EVALUATE);
    assert!(message.contains("only pytorch_model.bin") && message.contains("save_pretrained"), "{message}");
}

#[test]
fn a_report_names_the_precision_and_how_far_it_agrees_with_f32_or_is_refused() {
    let folder = folder();
    for (precision, kernel) in [("bf16", "AVX-512 vdpbf16ps"), ("int8", "AVX-512 vpdpbusd")] {
        let output = run(folder.path(), &EVALUATE.into_iter().chain(["--precision", precision]).collect::<Vec<_>>());
        let (shown, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        let predict = ["predict", "--data", "in.jsonl", "--model", "tiny", "--precision", precision, "-o", "out.jsonl"];
        if !output.status.success() {
            // This processor cannot, so nothing is computed in its place.
            assert!(said.contains(&format!("--precision: invalid value `{precision}`: expected f32, because")), "{said}");
            assert_eq!(said.lines().count(), 1, "{said}");
            assert_eq!(refused(folder.path(), &predict), said);
            let named: Vec<&str> = EVALUATE.into_iter().chain(["--precision"]).collect();
            assert_eq!(refused(folder.path(), &[&named[..], &[&format!("tiny={precision}")]].concat()), said);
            continue;
        }
        let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.contains(&format!("bert in {precision} ({kernel} kernel)")), "{shown}");
        assert!(shown.contains("of the first 40 predictions are those of f32"), "{shown}");
        let said = String::from_utf8(run(folder.path(), &predict).stderr).unwrap();
        assert!(said.contains("of the first 40 predictions are those of f32"), "{said}");
    }
}

#[test]
fn an_unknown_precision_is_refused() {
    let folder = folder();
    let with = |given: &[&str]| refused(folder.path(), &EVALUATE.into_iter().chain(given.iter().copied()).collect::<Vec<_>>());
    assert!(with(&["--precision", "f64"]).contains("--precision: invalid value `f64`: expected one of `f32`, `bf16`, `int8`"));
    assert!(with(&["--precision", "mine=f32"]).contains("--precision: invalid value `mine=f32`: expected the name of one of the models"));
    let rule = refused(folder.path(), &["evaluate", "--data", "in.jsonl", "--model", "overlap", "--precision", "f32"]);
    assert!(rule.contains("--precision: does not apply to any of the models; leave it out"), "{rule}");
    let shown = acidtest(folder.path(), &EVALUATE.into_iter().chain(["--precision", "tiny=f32"]).collect::<Vec<_>>());
    assert!(shown.contains("bert in f32"), "{shown}");
}
