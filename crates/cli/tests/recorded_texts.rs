//! Predictions saved for one set are not scored against another set with the same ids.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::{acidtest, run};
use serde_json::Value;
use std::fs;

#[test]
fn predictions_for_another_seed_of_a_challenge_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let row = |n: usize| {
        format!(
            "{{\"pairID\": \"{n}\", \"gold_label\": \"neutral\", \"sentence1\": \"A man sleeps.\", \"sentence2\": \"Somebody slowly counts sheep {n}.\"}}\n"
        )
    };
    fs::write(path.join("in.jsonl"), (0..20).map(row).collect::<String>()).unwrap();
    for seed in ["1", "2"] {
        acidtest(path, &["challenge", "spelling-swap", "--from", "in.jsonl", "--seed", seed, "-o", &format!("s{seed}.jsonl")]);
    }
    for (file, other) in [("p.jsonl", "p.csv"), ("p.csv", "p.jsonl")] {
        acidtest(path, &["predict", "--model", "overlap", "--data", "s1.jsonl", "-o", file]);
        acidtest(path, &["evaluate", "--data", "s1.jsonl", "--predictions", file]);
        for arguments in [
            vec!["evaluate", "--data", "s2.jsonl", "--predictions", file],
            vec!["compare", file, "overlap", "--data", "s2.jsonl"],
            vec!["doctor", "--data", "s2.jsonl", "--predictions", file],
            vec!["corpus", "tags", "s2.jsonl", "--predictions", file],
        ] {
            let output = run(path, &arguments);
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
            assert!(said.contains("of 20 predictions were made for texts that differ") && said.contains("another seed"), "{said}");
        }
        let _ = fs::remove_file(path.join(other));
    }
}

#[test]
fn prediction_files_without_text_hashes_are_noted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let row = "{\"pairID\": \"a\", \"gold_label\": \"neutral\", \"sentence1\": \"A man sleeps.\", \"sentence2\": \"It rains.\"}\n";
    fs::write(path.join("in.jsonl"), row).unwrap();
    fs::write(path.join("foreign.csv"), "id,label\na,neutral\n").unwrap();
    acidtest(path, &["predict", "--model", "overlap", "--data", "in.jsonl", "-o", "own.jsonl"]);
    let notes = |file: &str| {
        let report = acidtest(path, &["evaluate", "--data", "in.jsonl", "--predictions", file, "--format", "json"]);
        let report: Value = serde_json::from_str(&report).unwrap();
        report["provenance"]["inputs"][1]["notes"].to_string()
    };
    fs::write(path.join("numbered.csv"), "index,label\n0,neutral\n").unwrap();
    fs::write(path.join("lines.txt"), "neutral\n").unwrap();
    for (file, how) in [("foreign.csv", "id"), ("numbered.csv", "row number"), ("lines.txt", "position in the file")] {
        assert!(notes(file).contains(&format!("matched by {how} only: the file has no text hashes")), "{}", notes(file));
    }
    assert_eq!(notes("own.jsonl"), "null");
}
