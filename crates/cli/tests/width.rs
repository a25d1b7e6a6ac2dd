//! Every report fits a terminal of 80 columns, whatever its models are called.
//!
//! Three things may be longer, as breaking them would make them useless: a path or an id longer than a line, and the command that `gate` prints
//! to reproduce a failure.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::{acidtest, run};
use std::path::Path;

const LONG: &str = "a-model-with-a-very-long-name-that-somebody-gave-it-in-a-hurry-2026-11-18";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::copy(tests.join("tests/fixtures/parsed.jsonl"), folder.path().join("parsed.jsonl")).unwrap();
    std::fs::copy(tests.join("../corpus/data/sample.jsonl"), folder.path().join("sample.jsonl")).unwrap();
    std::fs::write(folder.path().join("runs.csv"), "run,ln_a,ln_b\n1,0.84,0.1\n2,0.85,0.5\n3,0.8,0.25\n").unwrap();
    let made = [
        "train --model lexical --train sample.jsonl --set folds=5 -o words".to_string(),
        "challenge hans --set per_subcase=4 -o hans.jsonl".to_string(),
        "predict --model overlap --data hans.jsonl -o on-hans.jsonl".to_string(),
        "challenge antonym --from sample.jsonl -o antonym.jsonl".to_string(),
        "predict --model overlap --data antonym.jsonl -o on-antonym.jsonl".to_string(),
        "predict --model esim-small --data antonym.jsonl -o also-antonym.jsonl".to_string(),
    ];
    let predicted = ["overlap", "majority", "negation-word", "esim-small"]
        .map(|model| format!("predict --model {model} --data sample.jsonl -o {model}.jsonl"));
    for command in made.iter().chain(&predicted) {
        acidtest(folder.path(), &command.split(' ').collect::<Vec<_>>());
    }
    folder
}

/// Lines over 80 columns that are neither one word, such as a path or an id, nor the command that reproduces a failure.
fn too_wide(text: &str) -> Vec<&str> {
    let may_be_wide = |line: &str| line.split_whitespace().count() == 1 || line.starts_with("Reproduce: ");
    text.lines().filter(|line| line.chars().count() > 80 && !may_be_wide(line)).collect()
}

#[test]
fn no_report_is_wider_than_eighty_columns() {
    let folder = folder();
    let (two, four) = ("overlap.jsonl majority.jsonl", "overlap.jsonl majority.jsonl negation-word.jsonl esim-small.jsonl");
    let arms = "--arm a=overlap.jsonl,majority.jsonl --arm b=negation-word.jsonl,esim-small.jsonl";
    let commands = [
        "run --details".to_string(),
        "run --model overlap --by genre --details".to_string(),
        "run --model overlap --model majority --model negation-word --model esim-small --details".to_string(),
        format!("run --model {LONG}=overlap --model b-{LONG}=majority --model c-{LONG}=negation-word --details"),
        "evaluate --data sample.jsonl --model overlap --by genre --by genre,gold --details".to_string(),
        format!("evaluate --data sample.jsonl --model {LONG}=overlap --lexical words --details"),
        "evaluate --data hans.jsonl --predictions on-hans.jsonl --by subcase --details".to_string(),
        format!("compare {two} --data sample.jsonl --details"),
        format!("compare {two} --data sample.jsonl --by genre --details"),
        format!("compare {four} --data sample.jsonl --every-pair --by genre --runs --details"),
        format!("compare {LONG}=overlap.jsonl b-{LONG}=majority.jsonl --data sample.jsonl --by genre --details"),
        format!("compare {arms} --data sample.jsonl --by genre --details"),
        format!("compare {LONG}=on-antonym.jsonl b-{LONG}=also-antonym.jsonl --data antonym.jsonl"),
        "compare --results runs.csv --columns ln_".to_string(),
        "doctor --data sample.jsonl --predictions overlap.jsonl".to_string(),
        "lexical score --model words parsed.jsonl".to_string(),
        "corpus stats parsed.jsonl sample.jsonl".to_string(),
        "corpus audit parsed.jsonl".to_string(),
        "corpus tags parsed.jsonl".to_string(),
        "corpus frames parsed.jsonl sample.jsonl --strict-frames".to_string(),
        "challenge identify hans.jsonl".to_string(),
        "gate --data sample.jsonl --model a-model-with-a-long-name=overlap --fail-under original=2 --max-drop negation=50".to_string(),
    ];
    let mut wide = Vec::new();
    for command in &commands {
        let output = run(folder.path(), &command.split(' ').collect::<Vec<_>>());
        let shown = String::from_utf8(output.stdout).unwrap();
        assert!(!shown.is_empty(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        wide.extend(too_wide(&shown).into_iter().map(|line| format!("{command}:\n{line}")));
    }
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}

#[test]
fn a_terminal_without_utf_8_is_shown_ascii() {
    let command = std::process::Command::new(env!("CARGO_BIN_EXE_acidtest"))
        .args(["run", "--model", "overlap", "--challenge", "negation", "--details"])
        .env_remove("LC_CTYPE")
        .env("LC_ALL", "C")
        .output()
        .unwrap();
    let shown = String::from_utf8(command.stdout).unwrap();
    assert!(shown.is_ascii() && shown.contains("overlap"), "{shown}");
}
