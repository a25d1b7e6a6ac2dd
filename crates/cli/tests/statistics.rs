//! Intervals, p values and clusters in the output of the program.

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
fn clusters_are_the_values_of_a_tag_and_pairs_without_it_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    by_author(folder.path());
    let shown = acidtest(folder.path(), &["evaluate", "--data", "pairs.jsonl", "--model", "majority", "--cluster", "author"]);
    let said = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("new values of `author` (examples that share a value form one cluster); 8 clusters of 60 examples"), "{shown}");
    assert!(said.contains("each of the 2 examples without `author` is its own cluster"), "{shown}");
    let default = acidtest(folder.path(), &["evaluate", "--data", "pairs.jsonl", "--model", "majority"]);
    let flat = default.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("generalise to new premises"), "{default}");
    // All pairs of an author are right or wrong together, so the interval is wider.
    let interval = |text: &str| text.lines().find(|line| line.trim_start().starts_with("original ")).unwrap().to_string();
    assert_ne!(interval(&shown), interval(&default));
}

#[test]
fn a_tag_that_no_pair_has_is_refused_before_models_run() {
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

/// Predictions for 60 pairs: two columns of seeds for each of two arms, and more on request.
fn seeds(folder: &Path, columns: usize) {
    by_author(folder);
    let mut lines = format!("id,{}\n", (0..columns).map(|seed| format!("s{seed}")).collect::<Vec<_>>().join(","));
    for row in 0..60 {
        let answers = (0..columns).map(|seed| if (row + seed) % (3 + seed) == 0 { "neutral" } else { "entailment" });
        writeln!(lines, "r{row},{}", answers.collect::<Vec<_>>().join(",")).unwrap();
    }
    std::fs::write(folder.join("p.csv"), lines).unwrap();
}

#[test]
fn arms_are_compared_over_examples_and_over_seeds() {
    let folder = tempfile::tempdir().unwrap();
    seeds(folder.path(), 6);
    let compare = |arms: &[&str]| {
        let flags = arms.iter().flat_map(|arm| ["--arm", arm]);
        let command: Vec<&str> = ["compare", "--data", "pairs.jsonl", "--no-doctor"].into_iter().chain(flags).collect();
        run(folder.path(), &command)
    };
    let shown = |arms: &[&str]| {
        let output = compare(arms);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let three = shown(&["old=p.csv@s0,p.csv@s1,p.csv@s2", "new=p.csv@s3,p.csv@s4,p.csv@s5"]);
    assert!(three.starts_with("Comparison of old (3 seeds), new (3 seeds)"), "{three}");
    assert!(three.contains("For these trained models on new examples:") && three.contains("For new seeds:"), "{three}");
    assert!(three.contains("As training methods,") || three.contains("As a training method,"), "{three}");
    // The seeds of an arm may be given one by one.
    let one_by_one = shown(&["old=p.csv@s0", "new=p.csv@s3,p.csv@s4", "old=p.csv@s1,p.csv@s2", "new=p.csv@s5"]);
    let verdict = |text: &str| text.split("old: Runs").next().unwrap().to_string();
    assert_eq!(verdict(&three), verdict(&one_by_one));
    let two = shown(&["old=p.csv@s0,p.csv@s1", "new=p.csv@s3,p.csv@s4,p.csv@s5"]);
    assert!(two.contains("No claim about the training methods: at least 3 seeds of each are needed, and one has only 2."), "{two}");
    let refused = |arms: &[&str]| {
        let output = compare(arms);
        assert!(!output.status.success(), "{arms:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    std::fs::copy(folder.path().join("p.csv"), folder.path().join("copy.csv")).unwrap();
    let copies = refused(&["old=p.csv@s0,p.csv@s1,copy.csv@s0", "new=p.csv@s3,p.csv@s4,p.csv@s5"]);
    assert!(copies.contains("`p@s0` and `copy@s0` of old have the same predictions (expected another seed, not a copy)"), "{copies}");
    assert!(refused(&["old=p.csv@s0,p.csv@s1"]).contains("--arm: invalid value `old`: expected another arm to compare it with"));
    assert!(refused(&["old", "new=p.csv@s1"]).contains("--arm: invalid value `old`: expected NAME=MODEL,MODEL..."));
    assert!(refused(&["old=p.csv@s0,", "new=p.csv@s1"]).contains("--arm: invalid value `old=p.csv@s0,`"));
    assert!(refused(&["old=p.csv@s0,p.csv@s1", "new=p.csv@s1"]).contains("p.csv@s1"));
}

#[test]
fn accuracy_on_valid_labels_is_shown_beside_the_observed_one() {
    let folder = tempfile::tempdir().unwrap();
    // 1,000 pairs of 1,000 premises, of which 800 have the label that the model always gives.
    let pairs: Vec<(String, &str, String)> =
        (0..1000).map(|row| (format!("Premise {row}."), if row % 5 == 0 { "neutral" } else { "entailment" }, String::new())).collect();
    write_pairs(folder.path(), &pairs);
    let command = ["evaluate", "--data", "pairs.jsonl", "--model", "majority", "--valid-labels"];
    let shown = acidtest(folder.path(), &[&command[..], &["95/100"]].concat());
    let said = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("is between 78.9 % and 84.2 %") && said.contains("84.2 % [80.6, 90.6] if it never does"), "{shown}");
    let output = run(folder.path(), &[&command[..], &["105/100"]].concat());
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("--valid-labels: invalid value `105/100`: expected VALID/JUDGED"), "{error}");
}

#[test]
fn one_template_supports_claims_about_sentences_but_not_about_templates() {
    let folder = tempfile::tempdir().unwrap();
    let pairs: Vec<(String, &str, String)> = (0..100)
        .map(|row| {
            (
                format!("Premise {row}."),
                if row == 0 { "neutral" } else { "entailment" },
                "\"heuristic\": \"h\", \"template\": \"t1\"".to_string(),
            )
        })
        .collect();
    write_pairs(folder.path(), &pairs);
    let shown = acidtest(folder.path(), &["compare", "majority", "overlap", "--data", "pairs.jsonl", "--no-doctor"]);
    let said = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("majority is significantly better than overlap by 98.0 points") && said.contains("(p < 0.001)"), "{shown}");
    assert!(
        said.contains("New templates: not estimable for majority and overlap, because all examples come from one template."),
        "{shown}"
    );
    let shown = acidtest(folder.path(), &["evaluate", "--data", "pairs.jsonl", "--model", "majority"]);
    assert!(shown.contains("New templates: not estimable, because all pairs come from one template."), "{shown}");
}

#[test]
fn a_column_called_template_in_another_corpus_does_not_change_the_clusters() {
    let folder = tempfile::tempdir().unwrap();
    let pairs: Vec<(String, &str, String)> =
        (0..60).map(|row| (format!("Premise {}.", row / 3), "entailment", format!("\"template\": \"t{}\"", row % 4))).collect();
    write_pairs(folder.path(), &pairs);
    let shown = acidtest(folder.path(), &["evaluate", "--data", "pairs.jsonl", "--model", "majority"]);
    let said = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("generalise to new premises") && !said.contains("templates"), "{shown}");
}

#[test]
fn the_caption_of_a_table_with_one_test_mentions_no_correction() {
    let folder = tempfile::tempdir().unwrap();
    seeds(folder.path(), 3);
    let shown = |models: &[&str]| {
        let text = acidtest(folder.path(), &[&["compare", "--data", "pairs.jsonl", "--no-doctor"], models].concat());
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let (one, adjusted) = (shown(&["p.csv@s0", "p.csv@s1"]), "adjusted for multiple tests");
    assert!(one.contains("one test, so its p value is not adjusted") && one.contains("*** p < 0.001.") && !one.contains(adjusted), "{one}");
    let three = shown(&["p.csv@s0", "p.csv@s1", "p.csv@s2"]);
    assert!(three.contains("adjusted for 2 comparisons (Tarone-Holm)") && three.contains(adjusted), "{three}");
    // One model and one challenge: the tables of the run have one test each.
    let run = acidtest(folder.path(), &["run", "--data", "pairs.jsonl", "--model", "overlap", "--challenge", "negation"]);
    let run = run.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(run.contains("*** p < 0.001") && !run.contains(adjusted), "{run}");
}
