//! No verb overwrites its inputs, also not through links.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::{acidtest, run};
use std::path::Path;
use std::process::Command;

const ROWS: &str = "premise,hypothesis,label,id,genre\n\
    A man sleeps in the old house.,A man is awake.,contradiction,1,x y\n\
    A dog runs in the park.,A dog runs.,entailment,2,x_y\n\
    Two boys play football.,The boys are brothers.,neutral,3,none\n\
    A woman reads a long book.,A woman reads.,entailment,4,\n";
const PREDICTIONS: &str = "id,label\n1,contradiction\n2,entailment\n3,neutral\n4,entailment\n";
const RUNS: &str = "run,a,b\n1,0.84,0.1\n2,0.85,0.5\n";

/// A folder with a file of each kind that is read, and a folder of a trained model.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("c.csv", ROWS), ("p.csv", PREDICTIONS), ("runs.csv", RUNS), ("text.txt", "A dog runs.\n")] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let stored = acidtest(folder.path(), &["evaluate", "--data", "c.csv", "--predictions", "p.csv", "--no-doctor", "--format", "json"]);
    std::fs::write(folder.path().join("r.json"), stored).unwrap();
    acidtest(folder.path(), &["gate", "--data", "c.csv", "--model", "overlap", "--challenge", "none", "--write-baseline", "b.json"]);
    std::fs::write(folder.path().join("gate.toml"), "[fail_under]\nclean = 50\n").unwrap();
    // A model without folds only scores examples that it was not trained on.
    std::fs::write(folder.path().join("t.csv"), ROWS.replace("A ", "One ").replace("Two", "Three")).unwrap();
    acidtest(folder.path(), &["train", "--model", "lexical", "--train", "t.csv", "-o", "words"]);
    folder
}

/// Every verb with its outputs; `@` is replaced by another name of the input.
const COMMANDS: &[(&str, &str)] = &[
    ("run --data c.csv --model overlap --challenge negation -o @", "c.csv"),
    ("gate --data c.csv --model overlap --fail-under clean=50 --junit @", "c.csv"),
    ("gate --data c.csv --model overlap --write-baseline @", "c.csv"),
    ("gate --data c.csv --model mine=p.csv --fail-under clean=50 --junit @", "p.csv"),
    ("gate --data c.csv --model overlap --baseline b.json --max-regression original=1 --write-baseline @", "b.json"),
    ("gate --data c.csv --model overlap --config gate.toml --junit @", "gate.toml"),
    ("challenge negation --from c.csv -o @", "c.csv"),
    ("challenge hans --set per_subcase=1 --exclude c.csv -o @", "c.csv"),
    ("challenge identify c.csv -o @", "c.csv"),
    ("challenge compositional --lexical words --set lambda=0 --from c.csv -o @", "c.csv"),
    ("predict --model overlap --data c.csv -o @", "c.csv"),
    ("evaluate --data c.csv --predictions p.csv --no-doctor -o @", "c.csv"),
    ("evaluate --data c.csv --predictions p.csv --no-doctor -o @", "p.csv"),
    ("evaluate --data c.csv --model mine=p.csv --no-doctor -o @", "p.csv"),
    ("evaluate --data c.csv --predictions p.csv@label --no-doctor -o @", "p.csv"),
    ("compare p.csv overlap --data c.csv --no-doctor -o @", "p.csv"),
    ("lexical score c.csv --model words -o @", "c.csv"),
    ("lexical score c.csv --model words --rows @", "c.csv"),
    ("lexical explain c.csv --model words -o @", "c.csv"),
    ("compare --results runs.csv --columns a,b -o @", "runs.csv"),
    ("doctor --data c.csv --predictions p.csv -o @", "p.csv"),
    ("doctor --data c.csv --predictions p.csv -o @", "c.csv"),
    ("report r.json -o @", "r.json"),
    ("corpus stats c.csv -o @", "c.csv"),
    ("corpus audit c.csv -o @", "c.csv"),
    ("corpus audit c.csv --contradicting @", "c.csv"),
    ("corpus tags c.csv -o @", "c.csv"),
    ("corpus tags c.csv --rows @", "c.csv"),
    ("corpus tags c.csv --predictions p.csv -o @", "p.csv"),
    ("corpus convert c.csv -o @", "c.csv"),
    ("corpus sample 2 c.csv -o @", "c.csv"),
    ("analyze text.txt -o @", "text.txt"),
];

#[track_caller]
fn refused(folder: &Path, command: &str, input: &str) {
    let before = std::fs::read(folder.join(input)).unwrap();
    let arguments: Vec<&str> = command.split(' ').collect();
    let output = run(folder, &arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let refused = if command.starts_with("gate ") { 2 } else { 1 };
    assert_eq!(output.status.code(), Some(refused), "{command}: {said}");
    assert!(said.contains("would overwrite an input"), "{command}: {said}");
    assert_eq!(std::fs::read(folder.join(input)).unwrap(), before, "{command}");
}

#[test]
fn no_verb_writes_over_an_input_or_a_link_to_it() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    for (command, input) in COMMANDS {
        refused(folder.path(), &command.replace('@', input).replace(&format!("p.csv{input}label"), "p.csv@label"), input);
    }
    for input in ["c.csv", "p.csv", "r.json", "runs.csv", "text.txt", "b.json", "gate.toml"] {
        std::fs::hard_link(at(input), at(&format!("hard-{input}"))).unwrap();
    }
    for (command, input) in COMMANDS.iter().filter(|(command, _)| !command.contains("@label")) {
        refused(folder.path(), &command.replace('@', &format!("./hard-{input}")), input);
    }
}

#[test]
fn a_part_is_not_written_over_the_corpus_and_standard_input_counts() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    std::fs::copy(at("c.csv"), at("train.csv")).unwrap();
    acidtest(folder.path(), &["corpus", "convert", "c.csv", "-o", "train.jsonl"]);
    acidtest(folder.path(), &["corpus", "split", "train.jsonl", "--part", "train=0.5", "-o", "parts"]);
    refused(folder.path(), "corpus split parts/train.jsonl --part train=0.5 --part dev=0.5 -o parts --force", "parts/train.jsonl");
    let stdin = std::fs::File::open(at("train.jsonl")).unwrap();
    let arguments = ["corpus", "stats", "-", "-o", "train.jsonl"];
    let output = Command::new(env!("CARGO_BIN_EXE_acidtest")).current_dir(folder.path()).args(arguments).stdin(stdin).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn values_of_a_tag_that_would_share_a_file_are_refused() {
    let folder = folder();
    let rows = |without: &str| ROWS.lines().filter(|row| !row.ends_with(without)).map(|row| format!("{row}\n")).collect::<String>();
    for (without, values) in [("y", ["examples without the tag", "the value `none`"]), (",none", ["the value `x y`", "the value `x_y`"])] {
        std::fs::write(folder.path().join("c.csv"), rows(without)).unwrap();
        let output = run(folder.path(), &["corpus", "split", "c.csv", "--by", "genre", "-o", "parts"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1) && values.iter().all(|value| said.contains(value)), "{said}");
    }
    assert!(!folder.path().join("parts").exists());
}
