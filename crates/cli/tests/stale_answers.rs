//! Cached predictions of a process model are not reused for a model that has changed.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A model that always predicts this label and counts its inputs in the file `asked`.
fn write_model(folder: &Path, label: &str) {
    let code = format!(
        "import json, sys\nfor line in sys.stdin:\n    open('asked', 'a').write('x')\n    print(json.dumps({{'id': json.loads(line)['id'], 'label': '{label}'}}), flush=True)\n"
    );
    fs::write(folder.join("model.py"), code).unwrap();
}

/// Standard output and standard error of `evaluate` for the model, with more arguments.
fn evaluated(folder: &Path, more: &[&str]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_acidtest"))
        .args(["evaluate", "--data", "in.jsonl", "--no-doctor", "--model", "process:python3 model.py", "--cache", "cache"])
        .args(more)
        .current_dir(folder)
        .output()
        .unwrap();
    let (shown, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{said}");
    (shown, said)
}

fn asked(folder: &Path) -> usize {
    let count = fs::read_to_string(folder.join("asked")).unwrap_or_default().len();
    let _ = fs::remove_file(folder.join("asked"));
    count
}

#[test]
fn predictions_of_a_finished_run_are_reused_only_on_request() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let sample: Vec<&str> = include_str!("../../corpus/data/sample.jsonl").lines().take(40).collect();
    fs::write(folder.join("in.jsonl"), sample.join("\n") + "\n").unwrap();
    let accuracy = |shown: &str| shown.lines().find(|line| line.trim_start().starts_with("original ")).unwrap().to_string();

    write_model(folder, "entailment");
    let (first, _) = evaluated(folder, &[]);
    let all = asked(folder);
    assert!(all > 30);
    write_model(folder, "neutral");
    let (second, said) = evaluated(folder, &[]);
    assert_eq!(asked(folder), all, "the new model is asked");
    assert_ne!(accuracy(&first), accuracy(&second));
    assert!(!said.contains("from the cache"), "{said}");

    evaluated(folder, &["--model-version", "1"]);
    assert_eq!(asked(folder), all);
    let (_, said) = evaluated(folder, &["--model-version", "1"]);
    assert_eq!(asked(folder), 0);
    assert!(said.contains("predictions from the cache (cache)"), "{said}");
    evaluated(folder, &["--model-version", "2"]);
    assert_eq!(asked(folder), all, "another version is another model");

    evaluated(folder, &["--reuse"]);
    assert_eq!(asked(folder), all);
    evaluated(folder, &["--reuse"]);
    assert_eq!(asked(folder), 0);
    evaluated(folder, &[]);
    assert_eq!(asked(folder), all, "what was kept for --reuse is not scored without it");
    evaluated(folder, &["--refresh"]);
    assert_eq!(asked(folder), all);
    evaluated(folder, &["--reuse"]);
    assert_eq!(asked(folder), all, "--refresh forgets what was kept");
}

#[test]
fn a_gate_never_scores_cached_predictions_of_an_earlier_run() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let sample: Vec<&str> = include_str!("../../corpus/data/sample.jsonl").lines().take(40).collect();
    fs::write(folder.join("in.jsonl"), sample.join("\n") + "\n").unwrap();
    write_model(folder, "entailment");
    evaluated(folder, &["--reuse"]);
    let all = asked(folder);
    let gate = ["gate", "--data", "in.jsonl", "--model", "process:python3 model.py", "--cache", "cache", "--fail-under", "original=2"];
    let output = Command::new(env!("CARGO_BIN_EXE_acidtest")).args(gate).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(asked(folder), all);
}

#[test]
fn one_command_under_two_names_is_refused_with_both_names() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    write_model(folder, "entailment");
    let models = ["--model", "a=process:python3 model.py", "--model", "b=process:python3 model.py"];
    let output = Command::new(env!("CARGO_BIN_EXE_acidtest")).args(["run"]).args(models).current_dir(folder).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("`a` and `b` are the same command `process:python3 model.py`"), "{said}");
}

#[test]
fn built_in_models_need_no_cache_folder() {
    let folder = TempDir::new().unwrap();
    let run = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_acidtest"));
        command.args(["evaluate", "--model", "overlap", "--data"]).arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/data/sample.jsonl"));
        command.args(more).env_remove("HOME").env_remove("XDG_CACHE_HOME").current_dir(folder.path()).output().unwrap()
    };
    assert!(run(&[]).status.success());
    let said = String::from_utf8(run(&["--reuse"]).stderr).unwrap();
    assert!(said.contains("--reuse: there is no cache folder; pass one with --cache"), "{said}");
}
