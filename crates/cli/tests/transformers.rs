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
fn a_damaged_folder_is_still_recognised_as_a_transformer() {
    let check = |damage: fn(&Path), part: &str| {
        let folder = folder();
        damage(&folder.path().join("tiny"));
        let message = refused(folder.path(), &EVALUATE);
        assert!(message.contains(part) && !message.contains("trained model"), "{message}");
    };
    check(|tiny| fs::remove_file(tiny.join("config.json")).unwrap(), "tiny/config.json: No such file");
    check(|tiny| fs::write(tiny.join("config.json"), "{\"model_type\": \"be").unwrap(), "tiny/config.json: not valid JSON");
    check(|tiny| fs::write(tiny.join("config.json"), "{}").unwrap(), "tiny/config.json: no `model_type`");
    // As adapters are saved.
    let bare = |tiny: &Path| {
        fs::read_dir(tiny).unwrap().for_each(|entry| fs::remove_file(entry.unwrap().path()).unwrap());
        fs::write(tiny.join("adapter_config.json"), "{}").unwrap();
    };
    check(bare, "tiny: holds an adapter (adapter_config.json) without its base model");
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
        assert!(shown.contains("of the first 40 predictions agree with f32"), "{shown}");
        let said = String::from_utf8(run(folder.path(), &predict).stderr).unwrap();
        assert!(said.contains("of the first 40 predictions agree with f32"), "{said}");
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

/// Forty examples, of which every fourth has a long premise.
fn with_long_premises(folder: &Path) {
    let text = fs::read_to_string(folder.join("in.jsonl")).unwrap();
    let rows = text.lines().enumerate().map(|(number, line)| {
        let mut row: serde_json::Value = serde_json::from_str(line).unwrap();
        if number % 4 == 0 {
            row["sentence1"] = format!("{} {}", row["sentence1"].as_str().unwrap(), "The man is at the cafe. ".repeat(40)).into();
            let own = row.as_object_mut().unwrap();
            own.retain(|name, _| !name.contains("parse"));
        }
        row.to_string() + "\n"
    });
    fs::write(folder.join("long.jsonl"), rows.collect::<String>()).unwrap();
}

#[test]
fn long_premises_are_read_in_parts_that_reports_count() {
    let folder = folder();
    with_long_premises(folder.path());
    let predict = |how: &[&str], output: &str| {
        let arguments = ["predict", "--data", "long.jsonl", "--model", "tiny", "-o", output].into_iter().chain(how.iter().copied());
        let ran = run(folder.path(), &arguments.collect::<Vec<_>>());
        assert!(ran.status.success());
        let lines = fs::read_to_string(folder.path().join(output)).unwrap();
        (String::from_utf8(ran.stderr).unwrap(), lines.lines().map(str::to_string).collect::<Vec<_>>())
    };
    let (said, cut) = predict(&[], "cut.jsonl");
    assert!(said.contains("inputs were truncated") && !said.contains("parts"), "{said}");
    for (how, name) in [("windows", "longer premises in overlapping windows"), ("sentences", "longer premises sentence by sentence")] {
        let (said, one) = predict(&["--long", how, "--threads", "1"], "one.jsonl");
        assert!(said.contains(name) && said.contains("premises were longer than the model reads and scored in"), "{said}");
        assert!(!said.contains("truncated"), "{said}");
        let (_, two) = predict(&["--long", &format!("tiny={how}"), "--threads", "2"], "two.jsonl");
        assert_eq!(one, two);
        let counts: Vec<u64> =
            one.iter().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["parts"].as_u64().unwrap_or(1)).collect();
        let (long, parts) = (counts.iter().filter(|count| **count > 1).count(), counts.iter().filter(|count| **count > 1).sum::<u64>());
        assert!(
            long >= 10 && said.contains(&format!("{long} premises were longer than the model reads and scored in {parts} parts")),
            "{said}"
        );
        // What fits has the same bits, and the others differ from the truncated ones.
        for ((cut, line), count) in cut.iter().zip(&one).zip(&counts) {
            assert_eq!(cut == line, *count == 1, "{cut}\n{line}");
        }
        // A file of predictions is counted like the model.
        let shown = acidtest(folder.path(), &["evaluate", "--data", "long.jsonl", "--no-doctor", "--predictions", "one.jsonl"]);
        let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.contains(&format!("{long} premises were longer than the model reads and scored in {parts} parts")), "{shown}");
    }
}

#[test]
fn predictions_in_parts_are_cached_apart_and_kept_when_a_run_continues() {
    let folder = folder();
    with_long_premises(folder.path());
    let evaluate = |how: &str| {
        let arguments = ["evaluate", "--data", "long.jsonl", "--no-doctor", "--model", "tiny", "--cache", "cache", "--long", how];
        let output = run(folder.path(), &arguments);
        assert!(output.status.success());
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let shown = ["truncate", "windows", "sentences"].map(|how| {
        let (shown, said) = evaluate(how);
        assert!(!said.contains("from the cache"), "{how}: {said}");
        let (again, said) = evaluate(how);
        assert!(said.contains("from the cache"), "{how}: {said}");
        let scores = |shown: &str| shown.lines().filter(|line| !line.contains("cache")).map(str::to_string).collect::<Vec<_>>();
        assert_eq!(scores(&shown), scores(&again), "{how}");
        shown
    });
    assert!(shown[1].contains("scored in") && shown[1] != shown[2]);
}

#[test]
fn only_transformers_read_long_premises_in_parts() {
    let folder = folder();
    let with = |given: &[&str]| refused(folder.path(), &EVALUATE.into_iter().chain(given.iter().copied()).collect::<Vec<_>>());
    assert!(with(&["--long", "chunks"]).contains("--long: invalid value `chunks`: expected one of `truncate`, `windows`, `sentences`"));
    let compare = ["compare", "tiny", "overlap", "--data", "in.jsonl", "--no-doctor", "--long", "overlap=windows"];
    let message = refused(folder.path(), &compare);
    assert!(message.contains("--long: invalid value `overlap=windows`: expected a model that has this setting before `=`"), "{message}");
    let message = refused(folder.path(), &["evaluate", "--data", "in.jsonl", "--model", "overlap", "--long", "windows"]);
    assert!(message.contains("--long: does not apply to any of the models"), "{message}");
}
