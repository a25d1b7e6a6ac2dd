//! Reviews, from drawing sheets to corrected accuracy, and what is refused.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::{acidtest, run};
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;

/// A set of 200 pairs whose labels are all contradiction, though every tenth pair is neutral by its text.
fn set() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let pair = |number: usize| {
        let (hypothesis, kind) = if number.is_multiple_of(10) { ("Somebody sings.", "open") } else { ("No dog sleeps.", "opposite") };
        let premise = format!("Dog number {number} sleeps.");
        format!(
            r#"{{"id": "p{number}", "premise": "{premise}", "hypothesis": "{hypothesis}", "label": "contradiction", "kind": "{kind}"}}"#
        ) + "\n"
    };
    std::fs::write(folder.path().join("set.jsonl"), (0..200).map(pair).collect::<String>()).unwrap();
    // A model that is always right: neutral for every tenth, contradiction for the others.
    let prediction = |number: usize| format!("p{number},{}\n", if number.is_multiple_of(10) { "neutral" } else { "contradiction" });
    let all = (0..200).map(prediction).collect::<String>();
    std::fs::write(folder.path().join("knows.csv"), format!("id,prediction\n{all}")).unwrap();
    std::fs::write(folder.path().join("parrot.csv"), format!("id,prediction\n{}", all.replace("neutral", "contradiction"))).unwrap();
    folder
}

/// The sheet of a judge who judges correctly; `change` may alter it.
fn judged(folder: &Path, sheet: &str, name: &str, change: impl Fn(&str) -> String) {
    let text = std::fs::read_to_string(folder.join("review").join(sheet)).unwrap();
    let line = |line: &str| match line.strip_suffix(",,") {
        Some(start) => format!("{start},{},", if line.contains("sings") { "neutral" } else { "contradiction" }),
        None => line.to_string(),
    };
    let answered: Vec<String> = text.lines().map(line).collect();
    std::fs::write(folder.join(name), change(&answered.join("\n"))).unwrap();
}

fn drawn() -> TempDir {
    let folder = set();
    acidtest(folder.path(), &["review", "set.jsonl", "-n", "100", "--questions", "label", "--judges", "2", "-o", "review"]);
    judged(folder.path(), "judge-1.csv", "ann.csv", str::to_string);
    judged(folder.path(), "judge-2.csv", "ben.csv", |text| text.replace("judge-2", "ben"));
    folder
}

const SCORE: [&str; 6] = ["review", "--score", "ann.csv", "ben.csv", "--key", "review/review.json"];

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(!output.status.success(), "{arguments:?} is not refused");
    String::from_utf8_lossy(&output.stderr).trim_end().to_string()
}

#[test]
fn a_review_corrects_the_accuracy_for_label_errors() {
    let folder = drawn();
    let text = acidtest(folder.path(), &SCORE);
    assert!(text.contains("The majority of the judges agrees with the gold label on 89.0 %"), "{text}");
    assert!(text.contains("Krippendorff's alpha") && text.contains("No breakdown by kind"), "{text}");
    assert!(folder.path().join("set.jsonl.review.json").is_file());
    let report: Value = serde_json::from_str(&acidtest(
        folder.path(),
        &["evaluate", "--data", "set.jsonl", "--predictions", "knows.csv", "--no-doctor", "--format", "json"],
    ))
    .unwrap();
    let of = |report: &Value, metric: &str, model: &str| {
        let list = report["measurements"].as_array().unwrap().clone();
        list.into_iter()
            .find(|one| one["metric"] == metric && one["model"].as_str().unwrap().starts_with(model) && one["group"].is_null())
            .unwrap()
    };
    let (raw, corrected) = (of(&report, "accuracy", "knows.csv"), of(&report, "corrected-accuracy", "knows.csv"));
    assert_eq!(raw["value"], 0.9);
    // About ten of the hundred judged pairs are neutral, so the uncorrected accuracy is about ten points too low.
    assert!((corrected["value"].as_f64().unwrap() - 1.0).abs() < 0.04, "{corrected}");
    assert!(corrected["interval"]["low"].as_f64().unwrap() > 0.9, "{corrected}");
    let compared: Value = serde_json::from_str(&acidtest(
        folder.path(),
        &["compare", "knows.csv", "parrot.csv", "--data", "set.jsonl", "--no-doctor", "--format", "json"],
    ))
    .unwrap();
    let parrot = of(&compared, "corrected-accuracy", "parrot")["value"].as_f64().unwrap();
    assert!((parrot - 0.9).abs() < 0.04, "right on all labels of the set, and wrong on every tenth pair: {parrot}");
    let all = acidtest(folder.path(), &["run", "--data", "set.jsonl", "--model", "overlap", "--challenge", "none", "--no-doctor"]);
    assert!(all.contains("Accuracy corrected for label errors"), "{all}");
}

#[test]
fn a_review_of_other_examples_is_noted_and_ignored() {
    let folder = drawn();
    acidtest(folder.path(), &SCORE);
    let arguments = ["evaluate", "--data", "set.jsonl", "--predictions", "knows.csv", "--subset", "--limit", "50", "--no-doctor"];
    let output = run(folder.path(), &arguments);
    let (text, notes) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && !text.contains("corrected for label errors"), "{text}{notes}");
    assert!(notes.contains("set.jsonl.review.json: this review is of other examples and is not used"), "{notes}");
    let damaged = folder.path().join("set.jsonl.review.json");
    std::fs::write(&damaged, std::fs::read_to_string(&damaged).unwrap().replacen("neutral", "entailment", 1)).unwrap();
    let refused = refused(folder.path(), &arguments);
    assert!(refused.contains("set.jsonl.review.json: not the stored result of a review: its content does not match"), "{refused}");
}

#[test]
fn a_set_that_keeps_its_labels_has_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/data/sample.jsonl");
    acidtest(folder.path(), &["challenge", "negation", "--from", sample.to_str().unwrap(), "-o", "negation.jsonl"]);
    acidtest(folder.path(), &["review", "negation.jsonl", "-n", "20", "--questions", "relation", "--judges", "1", "-o", "review"]);
    let text = std::fs::read_to_string(folder.path().join("review/judge-1.csv")).unwrap();
    let line = |(number, line): (usize, &str)| match line.strip_suffix(",,") {
        Some(start) => format!("{start},{},\n", if number == 1 { "changed" } else { "same" }),
        None => format!("{line}\n"),
    };
    std::fs::write(folder.path().join("review/ann.csv"), text.lines().enumerate().map(line).collect::<String>()).unwrap();
    let scored = acidtest(folder.path(), &["review", "--score", "review/ann.csv"]);
    assert!(scored.contains("The judge finds the relation unchanged on 95.0 % [76.4, 99.1] of 20 items."), "{scored}");
    assert!(!scored.contains("kappa"), "{scored}");
    let text = acidtest(folder.path(), &["evaluate", "--data", "negation.jsonl", "--model", "overlap", "--no-doctor"]);
    assert!(text.contains("at least %") && text.contains("19 of 20 judged examples"), "{text}");
}

#[test]
fn what_cannot_be_scored_is_refused_with_its_place() {
    let folder = drawn();
    let spoiled = |change: &dyn Fn(&str) -> String| {
        judged(folder.path(), "judge-2.csv", "ben.csv", change);
        refused(folder.path(), &SCORE)
    };
    assert_eq!(
        spoiled(&|text| text.replacen("neutral", "sometimes", 1)).split_once(": `").unwrap().1,
        "sometimes` is not an answer to `label` (expected entailment, e, neutral, n, contradiction, c, or nothing)"
    );
    let edited = spoiled(&|text| text.replacen("sleeps", "sleep", 1));
    assert!(edited.starts_with("acidtest: ben.csv:2: the sentences of item "), "{edited}");
    let twice = spoiled(&|text| text.replace("judge-2", "JUDGE-1"));
    assert_eq!(twice, "acidtest: ben.csv:2: the judge `JUDGE-1` has another sheet: ann.csv (expected one sheet per judge)");
    let short = spoiled(&|text| text.lines().take(51).collect::<Vec<_>>().join("\n"));
    assert!(short.starts_with("acidtest: ben.csv:51: the sheet lacks 50 of 100 items, such as item "), "{short}");
    let foreign = refused(folder.path(), &["review", "--score", "set.jsonl", "--key", "review/review.json"]);
    assert!(foreign.starts_with("acidtest: set.jsonl:1: unknown column "), "{foreign}");
    let other = refused(folder.path(), &["review", "--score", "ann.csv", "--key", "review/review.json", "--store", "knows.csv"]);
    assert!(other.starts_with("acidtest: knows.csv"), "{other}");
    let no_key = refused(folder.path(), &["review", "--score", "ann.csv"]);
    assert!(no_key.starts_with("acidtest: review.json: No such file"), "{no_key}");
    assert!(!folder.path().join("set.jsonl.review.json").exists(), "nothing is stored");
}

#[test]
fn what_cannot_be_drawn_is_refused_and_leaves_nothing() {
    let folder = drawn();
    let used = refused(folder.path(), &["review", "set.jsonl", "-o", "review"]);
    assert_eq!(
        used,
        "acidtest: review: exists and is not empty; choose a new or empty folder, or pass --force to replace an untouched review"
    );
    judged(folder.path(), "judge-1.csv", "review/judge-1.csv", str::to_string);
    let filled = refused(folder.path(), &["review", "set.jsonl", "-o", "review", "--force"]);
    assert!(filled.starts_with("acidtest: review: `judge-1.csv` in it has changed since an earlier review wrote it"), "{filled}");
    let unknown = refused(folder.path(), &["review", "set.jsonl", "--questions", "labels", "-o", "new"]);
    assert!(unknown.starts_with("acidtest: unknown question `labels`; did you mean `label`?"), "{unknown}");
    let both = refused(folder.path(), &["review", "set.jsonl", "--questions", "label,relation", "-o", "new"]);
    assert!(both.starts_with("acidtest: --questions: invalid value `label,relation`: expected label or relation, not both"), "{both}");
    let nowhere = refused(folder.path(), &["review", "nowhere.jsonl", "-o", "new"]);
    assert!(nowhere.contains("nowhere.jsonl"), "{nowhere}");
    assert!(!folder.path().join("new").exists());
    let no_folder = run(folder.path(), &["review", "set.jsonl"]);
    assert_eq!(no_folder.status.code(), Some(2));
}

#[test]
fn every_form_of_the_report_is_written() {
    let folder = drawn();
    for format in ["json", "csv", "markdown", "latex", "terminal"] {
        let file = format!("report.{format}");
        let arguments: Vec<&str> = SCORE.into_iter().chain(["--format", format, "-o", &file, "--report", "page"]).collect();
        acidtest(folder.path(), &arguments);
        let text = std::fs::read_to_string(folder.path().join(&file)).unwrap();
        assert!(text.contains("label correct"), "{format}: {text}");
    }
    assert!(std::fs::read_to_string(folder.path().join("page/index.html")).unwrap().contains("label correct"));
    let again = acidtest(folder.path(), &["report", "report.json"]);
    assert!(again.contains("Review of set"), "{again}");
}
