//! What the program says of how sure its numbers are.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::{acidtest, run};
use std::fmt::Write;
use std::path::Path;

/// Writes pairs, one line each: premise, gold label, and tags as `"name": "value"`.
fn write_pairs(folder: &Path, pairs: &[(String, &str, String)]) {
    let mut lines = String::new();
    for (row, (premise, label, tags)) in pairs.iter().enumerate() {
        let tags = if tags.is_empty() { String::new() } else { format!(", {tags}") };
        writeln!(lines, "{{\"id\": \"r{row}\", \"premise\": \"{premise}\", \"hypothesis\": \"It rains.\", \"label\": \"{label}\"{tags}}}")
            .unwrap();
    }
    std::fs::write(folder.join("pairs.jsonl"), lines).unwrap();
}

/// 60 pairs of 60 premises by 6 authors, the last 2 without one.
fn by_author(folder: &Path) {
    let author = |row: usize| if row < 58 { format!("\"author\": \"a{}\"", row % 6) } else { String::new() };
    let pairs: Vec<(String, &str, String)> =
        (0..60).map(|row| (format!("Premise {row}."), if row % 3 == 0 { "neutral" } else { "entailment" }, author(row))).collect();
    write_pairs(folder, &pairs);
}

#[test]
fn clusters_are_the_values_of_a_tag_and_pairs_without_it_are_told() {
    let folder = tempfile::tempdir().unwrap();
    by_author(folder.path());
    let shown = acidtest(folder.path(), &["evaluate", "--data", "pairs.jsonl", "--model", "majority", "--cluster", "author"]);
    let said = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("new values of `author`, as examples of one value are one cluster (8 clusters of 60 examples)"), "{shown}");
    assert!(said.contains("2 examples without `author` are each a cluster of their own"), "{shown}");
    let default = acidtest(folder.path(), &["evaluate", "--data", "pairs.jsonl", "--model", "majority"]);
    assert!(default.contains("hold for new premises"), "{default}");
    // All pairs of an author are as good or bad together, so that the interval is another.
    let interval = |text: &str| text.lines().find(|line| line.trim_start().starts_with("all ")).unwrap().to_string();
    assert_ne!(interval(&shown), interval(&default));
}

#[test]
fn a_tag_that_no_pair_has_is_refused_before_models_are_asked() {
    let folder = tempfile::tempdir().unwrap();
    by_author(folder.path());
    for verb in [
        &["evaluate", "--data", "pairs.jsonl", "--model", "process:touch asked"][..],
        &["compare", "process:touch asked", "majority", "--data", "pairs.jsonl"],
        &["run", "--data", "pairs.jsonl", "--model", "process:touch asked", "--challenge", "negation"],
    ] {
        let output = run(folder.path(), &[verb, &["--cluster", "autor"]].concat());
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{verb:?}: {error}");
        assert!(error.contains("--cluster: invalid value `autor`: expected a tag that examples have: author"), "{verb:?}: {error}");
        assert!(!folder.path().join("asked").exists(), "{verb:?}: the model was asked");
    }
}
