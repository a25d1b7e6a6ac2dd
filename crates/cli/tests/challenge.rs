//! `acidtest challenge` with every kind of challenge: settings, resources, several sets at once.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::{acidtest, run};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const SAMPLE: &str = include_str!("../../corpus/data/sample.jsonl");

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("in.jsonl"), SAMPLE).unwrap();
    folder
}

fn with_words() -> TempDir {
    let folder = folder();
    acidtest(folder.path(), &["train", "--model", "lexical", "--train", "in.jsonl", "--set", "folds=5", "-o", "words"]);
    folder
}

/// A grammar with one heuristic, two subcases and few pairs.
fn own_grammar(folder: &Path) {
    let template =
        |id: &str| format!("template {id} weight 1\n  premise (S (NN $a:nouns) (VBD ran) (. .))\n  hypothesis (S (NN $a) (. .))\n");
    let text = format!(
        "class nouns NN\n  doctor judge\nsubcase one: running, entailment\n{}subcase two: running, non-entailment\n{}",
        template("t1"),
        template("t2")
    );
    fs::write(folder.join("own.grammar"), text).unwrap();
}

fn rows(path: &Path) -> usize {
    fs::read_to_string(path).unwrap().lines().count()
}

#[track_caller]
fn refused(folder: &Path, arguments: &[&str], expected: &str) {
    let output = run(folder, arguments);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && message.contains(expected) && message.lines().count() == 1, "{arguments:?}: {message}");
    assert!(!folder.join("sets").exists(), "{arguments:?} left a folder");
}

#[test]
fn several_challenges_take_settings_by_name() {
    let folder = folder();
    let several = ["challenge", "hans,negation", "--from", "in.jsonl", "-o", "sets"];
    acidtest(folder.path(), &[&several[..], &["--set", "hans.per_subcase=2", "--set", "negation.statement=green is not red"]].concat());
    assert_eq!(rows(&folder.path().join("sets/hans.jsonl")), 60);
    assert!(fs::read_to_string(folder.path().join("sets/negation.jsonl")).unwrap().contains("green is not red"));
    fs::remove_dir_all(folder.path().join("sets")).unwrap();
    refused(
        folder.path(),
        &[&several[..], &["--set", "per_subcase=2"]].concat(),
        "--set: invalid value `per_subcase=2`: expected CHALLENGE.KEY=VALUE",
    );
    refused(folder.path(), &[&several[..], &["--set", "tautology.x=2"]].concat(), "and `tautology` is not one");
}

#[test]
fn a_lexical_model_is_named_the_same_way_for_one_challenge_several_and_all() {
    let folder = with_words();
    for (names, output) in [("compositional,negation", "two"), ("all", "all")] {
        let made = ["challenge", names, "--lexical", "words", "--set", "compositional.lambda=0.5", "--from", "in.jsonl", "-o", output];
        acidtest(folder.path(), &made);
        assert!(rows(&folder.path().join(output).join("compositional.jsonl")) > 0);
        let about = fs::read_to_string(folder.path().join(output).join("negation.jsonl.about.json")).unwrap();
        assert!(!about.contains("\"model\""), "negation asks no model: {about}");
    }
    assert_eq!(
        fs::read(folder.path().join("two/compositional.jsonl")).unwrap(),
        fs::read(folder.path().join("all/compositional.jsonl")).unwrap()
    );
    let without = ["challenge", "compositional,negation", "--from", "in.jsonl", "-o", "sets"];
    refused(folder.path(), &without, "needs a lexical model; pass the folder of one with --lexical");
}

#[test]
fn standard_input_is_read_once_for_all_sets() {
    let folder = folder();
    let input = fs::File::open(folder.path().join("in.jsonl")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_acidtest"));
    command.current_dir(folder.path()).args(["challenge", "negation,spelling-swap", "--from", "-", "-o", "sets"]);
    assert!(command.stdin(Stdio::from(input)).stderr(Stdio::null()).status().unwrap().success());
    for name in ["negation", "spelling-swap"] {
        acidtest(folder.path(), &["challenge", name, "--from", "in.jsonl", "-o", "alone.jsonl"]);
        let together = fs::read(folder.path().join(format!("sets/{name}.jsonl"))).unwrap();
        assert!(together == fs::read(folder.path().join("alone.jsonl")).unwrap(), "{name}");
    }
}

/// A command that reads the sample from standard input: whether it succeeded, and its standard error.
fn from_standard_input(folder: &Path, arguments: &[&str]) -> (bool, String) {
    let input = fs::File::open(folder.join("in.jsonl")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_acidtest"));
    let output = command.current_dir(folder).args(arguments).stdin(Stdio::from(input)).output().unwrap();
    (output.status.success(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn all_sets_can_be_made_from_standard_input() {
    let folder = folder();
    let all = ["challenge", "all", "--from", "-", "--set", "hans.per_subcase=2", "-o", "all"];
    let (is_made, notes) = from_standard_input(folder.path(), &all);
    assert!(is_made, "{notes}");
    assert!(notes.contains("added-modifier was skipped: it reads the corpus twice, and standard input can be read only once"), "{notes}");
    assert!(notes.contains("subject-object-swap uses Acidtest's own parser, because standard input can be read only once"), "{notes}");
    assert!(folder.path().join("all/negation.jsonl").exists() && !folder.path().join("all/added-modifier.jsonl").exists());
    let named = ["challenge", "all,added-modifier", "--from", "-", "--set", "hans.per_subcase=2", "-o", "named"];
    let (is_made, error) = from_standard_input(folder.path(), &named);
    assert!(!is_made && error.contains("standard input cannot be read twice; pass files"), "{error}");
    let (is_made, notes) = from_standard_input(folder.path(), &[&all[..6], &["--modifiers-from", "in.jsonl", "-o", "counted"]].concat());
    assert!(is_made && folder.path().join("counted/added-modifier.jsonl").exists(), "{notes}");
}

#[test]
fn flags_and_settings_are_named_as_they_were_given() {
    let folder = folder();
    let seen = ["challenge", "negation", "--from", "in.jsonl", "--seen-at-least", "2", "-o", "out.jsonl"];
    refused(folder.path(), &seen, "--seen-at-least: only added-modifier uses it");
    fs::write(folder.path().join("plain.tsv"), "premise\thypothesis\tlabel\nA dog chases a cat.\tA cat runs.\tneutral\n").unwrap();
    let tree = "(with several challenges, --set subject-object-swap.analysis=parse)";
    refused(folder.path(), &["challenge", "negation,subject-object-swap", "--from", "plain.tsv", "-o", "sets"], tree);
    let alone = ["challenge", "subject-object-swap", "--from", "plain.tsv", "-o", "out.jsonl"];
    refused(folder.path(), &alone, "; pass --set analysis=parse to use Acidtest's own parser");
}

#[test]
fn a_grammar_with_too_few_pairs_can_still_be_counted() {
    let folder = folder();
    own_grammar(folder.path());
    let counted = acidtest(folder.path(), &["challenge", "hans", "--count", "--set", "grammar=own.grammar", "--format", "csv"]);
    assert!(counted.contains("running / entailment / one / t1,distinct pairs,2"), "{counted}");
    refused(folder.path(), &["challenge", "negation", "--count"], "--count: invalid value `negation`");
    refused(folder.path(), &["challenge", "hans,negation", "--count"], "--count: expected a single challenge, not 2");
}

#[test]
fn a_run_says_which_challenges_of_all_were_skipped() {
    let folder = folder();
    let report = acidtest(folder.path(), &["run", "--data", "in.jsonl", "--model", "overlap", "--set", "hans.per_subcase=2"]);
    assert!(report.contains("compositional was skipped: it needs a trained lexical model"), "{report}");
    let named = acidtest(folder.path(), &["run", "--data", "in.jsonl", "--model", "overlap", "--challenge", "negation"]);
    assert!(!named.contains("compositional"), "{named}");
}

#[test]
fn a_report_calls_only_hans_by_its_name() {
    let folder = folder();
    own_grammar(folder.path());
    let one = ["run", "--data", "in.jsonl", "--model", "overlap", "--challenge", "hans"];
    let hans = acidtest(folder.path(), &[&one[..], &["--set", "hans.per_subcase=2"]].concat());
    assert!(hans.contains("HANS: overlap predicts entailment for"), "{hans}");
    let own = ["--set", "grammar=own.grammar", "--set", "per_subcase=2"];
    let own_in_run = ["--set", "hans.grammar=own.grammar", "--set", "hans.per_subcase=2"];
    let report = acidtest(folder.path(), &[&one[..], &own_in_run].concat());
    assert!(report.contains("own.grammar: overlap predicts entailment for") && !report.contains("HANS"), "{report}");
    acidtest(folder.path(), &[&["challenge", "hans", "-o", "own.jsonl"], &own[..]].concat());
    let evaluated = acidtest(folder.path(), &["evaluate", "--data", "own.jsonl", "--model", "overlap"]);
    assert!(!evaluated.contains("HANS") && !evaluated.contains("Mechanical Turk"), "{evaluated}");
    assert!(evaluated.contains("accuracy by heuristic and gold label"), "{evaluated}");
}

#[test]
fn the_list_says_how_each_kind_of_challenge_is_made() {
    let list = acidtest(Path::new("."), &["list", "challenges"]);
    for usage in ["NAME --from FILE -o OUT", "NAME -o OUT", "NAME --lexical FOLDER --from FILE -o OUT"] {
        assert!(list.contains(&format!("(acidtest challenge {usage})")), "{list}");
    }
    for entry in &acidtest_challenge::CATALOG {
        assert!(list.contains(&format!("  {} ({})\n", entry.name, entry.family.name())), "{list}");
    }
}

#[test]
fn flags_that_no_challenge_uses_are_refused() {
    let folder = with_words();
    let check = |arguments: &[&str], expected: &str| {
        refused(folder.path(), arguments, expected);
        assert!(!folder.path().join("out.jsonl").exists());
    };
    check(&["challenge", "hans", "--from", "in.jsonl", "-o", "out.jsonl"], "--from: hans generates its pairs and reads no corpus");
    check(
        &["challenge", "negation", "--from", "in.jsonl", "--exclude", "in.jsonl", "-o", "out.jsonl"],
        "--exclude: negation generates no pairs",
    );
    check(
        &["challenge", "negation", "--from", "in.jsonl", "--lexical", "words", "-o", "out.jsonl"],
        "--lexical: negation needs no lexical model",
    );
    check(
        &["challenge", "hans", "--set", "per_subcase=0", "-o", "out.jsonl"],
        "per_subcase: expected a number of pairs, 1 or more, or `all`",
    );
}

#[test]
fn a_run_says_that_two_way_gold_labels_make_all_scoring_two_way() {
    let folder = folder();
    let mixed =
        format!("{SAMPLE}{{\"pairID\": \"two\", \"sentence1\": \"A.\", \"sentence2\": \"B.\", \"gold_label\": \"non-entailment\"}}\n");
    fs::write(folder.path().join("mixed.jsonl"), mixed).unwrap();
    let shown = acidtest(folder.path(), &["run", "--data", "mixed.jsonl", "--model", "overlap", "--challenge", "negation"]);
    let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("have the gold label non-entailment, so all are scored two-way"), "{shown}");
}
