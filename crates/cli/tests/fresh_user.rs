//! What a first-time user reads in verdicts, and how typical mistakes are answered.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::{acidtest, run};
use std::fs;
use std::path::Path;

/// Text in one line, because sentences are wrapped.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The message of a command that must fail.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(!output.status.success(), "{arguments:?}");
    one_line(&String::from_utf8(output.stderr).unwrap())
}

/// A folder with 300 examples, predictions in words (`a.csv`), the same as numbers in another order (`b.csv`), and by row number (`rows.csv`).
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let labels = ["entailment", "neutral", "contradiction"];
    let table = |head: &str, row: &dyn Fn(usize) -> String| (0..300).fold(format!("{head}\n"), |text, n| text + &row(n) + "\n");
    // Nine of ten are correct.
    let said = |n: usize| if n.is_multiple_of(10) { (n + 1) % 3 } else { n % 3 };
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    write(
        "data.csv",
        table("id,premise,hypothesis,label,note", &|n| format!("{n},A dog runs at {n}.,It runs.,{},\"a \"\"b\"\"\"", labels[n % 3])),
    );
    write("a.csv", table("id,prediction", &|n| format!("{n},{}", labels[said(n)])));
    write("b.csv", table("id,prediction", &|n| format!("{n},{}", (said(n) + 1) % 3)));
    write("rows.csv", table("index,prediction", &|n| format!("{n},{}", labels[said(n)])));
    write("one.csv", table("bert", &|n| labels[said(n)].to_string()));
    folder
}

#[test]
fn the_verdict_of_a_run_names_the_shortcut_that_the_model_takes_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let of = |model: &str| one_line(&acidtest(folder.path(), &["run", "--model", model, "--challenge", "hans,negation"]));
    let negation = of("negation-word");
    assert!(negation.contains("negation-word relies on the negation-word heuristic (excess 100.0 points"), "{negation}");
    assert!(negation.contains("Whether it relies on the lexical-overlap, subsequence and constituent heuristics"), "{negation}");
    assert!(!negation.contains("It relies on the lexical-overlap"), "{negation}");
    let overlap = of("overlap");
    assert!(overlap.contains("It relies on the lexical-overlap, subsequence and constituent heuristics."), "{overlap}");
}

#[test]
fn models_with_the_same_predictions_are_called_identical() {
    let folder = folder();
    let text = one_line(&acidtest(folder.path(), &["compare", "x=a.csv", "y=rows.csv", "--data", "data.csv"]));
    assert!(text.contains("x and y make the same prediction on every example."), "{text}");
}

#[test]
fn each_model_of_a_comparison_may_have_its_own_label_order() {
    let folder = folder();
    let said = refused(folder.path(), &["compare", "a=a.csv", "b=b.csv", "--data", "data.csv"]);
    assert!(said.contains("Pass --labels b=C,E,N"), "{said}");
    let text = acidtest(folder.path(), &["compare", "a=a.csv", "b=b.csv", "--data", "data.csv", "--labels", "b=C,E,N"]);
    assert!(one_line(&text).contains("a and b make the same prediction on every example."), "{text}");
    let said = refused(folder.path(), &["compare", "a=a.csv", "b=b.csv", "--data", "data.csv", "--labels", "c=C,E,N"]);
    assert!(said.contains("--labels: invalid value `c=C,E,N`: expected the name of one of the models before `=`"), "{said}");
}

#[test]
fn a_limit_keeps_the_rows_of_the_index() {
    let folder = folder();
    let text = acidtest(folder.path(), &["evaluate", "--data", "data.csv", "--predictions", "rows.csv", "--limit", "50"]);
    assert!(one_line(&text).contains("accuracy 90.0 %"), "{text}");
}

#[test]
fn a_program_that_is_named_without_its_scheme_is_recognised() {
    let folder = folder();
    fs::write(folder.path().join("neg.py"), "import sys, json\nprint(1)\n").unwrap();
    for (model, command) in [("neg.py", "process:python3 neg.py"), ("python3 neg.py", "process:python3 neg.py")] {
        let said = refused(folder.path(), &["evaluate", "--data", "data.csv", "--model", model]);
        assert!(said.contains(&format!("this looks like a program; write `{command}` to run it")), "{said}");
    }
    let said = refused(folder.path(), &["evaluate", "--data", "data.csv", "--model", "process:"]);
    assert!(said.contains("expected a command after `process:`"), "{said}");
}

#[test]
fn a_named_column_of_a_bare_list_is_read() {
    let folder = folder();
    let text = acidtest(folder.path(), &["evaluate", "--data", "data.csv", "--predictions", "one.csv@bert"]);
    assert!(one_line(&text).contains("accuracy 90.0 %"), "{text}");
    let said = refused(folder.path(), &["evaluate", "--data", "data.csv", "--predictions", "one.csv"]);
    assert!(said.ends_with("no column of predictions (found bert); pass FILE@COLUMN or --prediction-column COLUMN to name it"), "{said}");
    let said = refused(folder.path(), &["evaluate", "--data", "data.csv", "--predictions", "a.csv@predicton"]);
    assert!(said.contains("did you mean `prediction`?"), "{said}");
}

#[test]
fn an_empty_file_of_predictions_is_called_empty() {
    let folder = folder();
    for text in ["", "id,prediction\n"] {
        fs::write(folder.path().join("empty.csv"), text).unwrap();
        let said = refused(folder.path(), &["evaluate", "--data", "data.csv", "--predictions", "empty.csv"]);
        assert!(said.contains("empty.csv: there are no predictions in this file"), "{said}");
    }
}

#[test]
fn tabs_keep_quotes_and_tags() {
    let folder = folder();
    acidtest(folder.path(), &["corpus", "convert", "data.csv", "-o", "data.tsv"]);
    let text = fs::read_to_string(folder.path().join("data.tsv")).unwrap();
    assert!(text.starts_with("\"id\"\t\"premise\"\t\"hypothesis\"\t\"label\"\t\"note\"\n"), "{text}");
    assert!(text.contains("\t\"a \"\"b\"\"\"\n"), "{text}");
    acidtest(folder.path(), &["corpus", "convert", "data.tsv", "-o", "back.csv"]);
    assert_eq!(fs::read_to_string(folder.path().join("back.csv")).unwrap(), fs::read_to_string(folder.path().join("data.csv")).unwrap());
}

#[test]
fn misplaced_and_missing_arguments_are_answered_with_the_flag() {
    let folder = folder();
    let said = refused(folder.path(), &["challenge", "negation", "data.csv", "-o", "out.jsonl"]);
    assert!(said.contains("unexpected argument `data.csv`; did you mean --from data.csv?"), "{said}");
    let said = refused(folder.path(), &["evaluate", "--data", "data.csv"]);
    assert!(said.contains("--predictions") && said.contains("--model"), "{said}");
    let said = refused(folder.path(), &["lexical", "explain", "--model", "words"]);
    assert!(said.contains("--premise"), "{said}");
    let said = refused(folder.path(), &["evaluate", "--data", "data.csv", "--column", "prem=foo", "--model", "overlap"]);
    assert!(said.contains("--column: invalid value `prem=foo`: expected premise=NAME, hypothesis=NAME, label=NAME or id=NAME"), "{said}");
    let said = refused(folder.path(), &["run", "--data", "data.csv", "--model", "rows.csv"]);
    assert!(said.contains("the predictions have no ids, so they cannot be matched to the examples of several challenge sets"), "{said}");
}

#[test]
fn latex_has_the_main_sections_or_those_that_are_named() {
    let folder = folder();
    let latex = |more: &[&str]| {
        let arguments = ["evaluate", "--data", "data.csv", "--predictions", "a.csv", "--format", "latex"];
        acidtest(folder.path(), &[&arguments[..], more].concat())
    };
    let (main, all, one) = (latex(&[]), latex(&["--details"]), latex(&["--table", "confusion"]));
    assert!(!main.contains("tab:errors") && all.contains("tab:errors"), "{main}");
    assert_eq!(one.matches("\\begin{table}").count(), 1, "{one}");
    let arguments = ["evaluate", "--data", "data.csv", "--predictions", "a.csv", "--table", "confusoin"];
    let said = refused(folder.path(), &arguments);
    assert!(said.contains("unknown section `confusoin`; did you mean `confusion`?"), "{said}");
}

#[test]
fn a_model_that_is_replaced_is_named() {
    let folder = folder();
    let train = ["train", "--model", "lexical", "--train", "data.csv", "--set", "penalty=1", "-o", "words"];
    let said = |output: std::process::Output| String::from_utf8(output.stderr).unwrap();
    assert!(!said(run(folder.path(), &train)).contains("replaced"));
    assert!(said(run(folder.path(), &train)).contains("words: the older model in this folder is replaced"));
}

#[test]
fn a_missing_baseline_is_answered_with_how_to_write_one() {
    let folder = folder();
    let arguments = ["gate", "--data", "data.csv", "--model", "m=a.csv", "--baseline", "baseline.json", "--max-regression", "original=1"];
    let said = refused(folder.path(), &arguments);
    assert!(said.contains("baseline.json: no such file; write one with `acidtest gate --write-baseline FILE`"), "{said}");
}

#[test]
fn swapped_columns_are_noticed() {
    let folder = folder();
    let rows: String = (0..40).map(|n| format!("{n},It runs.,A large dog runs across the street at {n}.,neutral\n")).collect();
    fs::write(folder.path().join("swapped.csv"), format!("id,premise,hypothesis,label\n{rows}")).unwrap();
    let output = run(folder.path(), &["evaluate", "--data", "swapped.csv", "--model", "majority"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("the hypothesis is longer than the premise in 100 % of the pairs: are the two columns swapped?"), "{said}");
    let output = run(folder.path(), &["evaluate", "--data", "data.csv", "--model", "majority"]);
    assert!(!String::from_utf8(output.stderr).unwrap().contains("swapped"));
}

#[test]
fn a_model_with_few_predictions_gets_no_verdict_on_shortcuts() {
    let folder = folder();
    let few: String = (0..20).map(|n| format!("{n},entailment\n")).collect();
    fs::write(folder.path().join("few.csv"), format!("id,prediction\n{few}")).unwrap();
    let text = one_line(&acidtest(
        folder.path(),
        &["evaluate", "--data", "data.csv", "--predictions", "few.csv", "--allow-missing", "--no-doctor"],
    ));
    assert!(text.contains("significantly below the majority baseline"), "{text}");
    assert!(text.contains("Whether few.csv relies on shortcuts"), "{text}");
    assert!(!text.contains("does not rely on"), "{text}");
}
