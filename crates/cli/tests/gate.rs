//! Gates: what passes, what fails, what is inconclusive, and what is refused before any model runs.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::{acidtest, run};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

const LABELS: [&str; 3] = ["entailment", "neutral", "contradiction"];

/// A corpus of this many examples, each with its own premise, in the genres `fiction` and `travel`.
fn corpus(examples: usize) -> String {
    let mut text = "premise,hypothesis,label,id,genre\n".to_string();
    for n in 0..examples {
        let genre = ["fiction", "travel"][n % 2];
        writeln!(text, "The number {n} man sleeps in the old house.,Man {n} is at home.,{},{n},{genre}", LABELS[n % 3]).unwrap();
    }
    text
}

/// Predictions that are wrong on these examples.
fn predictions(examples: usize, wrong: impl Fn(usize) -> bool) -> String {
    let mut text = "id,label\n".to_string();
    for n in 0..examples {
        writeln!(text, "{n},{}", LABELS[(n + usize::from(wrong(n))) % 3]).unwrap();
    }
    text
}

/// A folder with a corpus of 1,000 examples and predictions: `old` is right on 86.2 %, `new` loses 37 of them and gains 12.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    write("c.csv", corpus(1000));
    write("old.csv", predictions(1000, |n| n < 138));
    write("new.csv", predictions(1000, |n| (12..138 + 37).contains(&n)));
    write("other-wrong.csv", predictions(1000, |n| n < 138).replace("\n0,neutral\n", "\n0,contradiction\n"));
    folder
}

struct Ended {
    code: Option<i32>,
    said: String,
    shown: String,
}

fn gate(folder: &Path, arguments: &[&str]) -> Ended {
    let output = run(folder, &[&["gate"], arguments].concat());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ended { code: output.status.code(), said: text(&output.stderr), shown: text(&output.stdout) }
}

/// A gate over the corpus with `m` as the name of a file of predictions.
fn of_model(folder: &Path, file: &str, arguments: &[&str]) -> Ended {
    gate(folder, &[&["--data", "c.csv", "--model", &format!("m={file}")], arguments].concat())
}

fn with_baseline() -> tempfile::TempDir {
    let folder = folder();
    let written = of_model(folder.path(), "old.csv", &["--challenge", "none", "--write-baseline", "b.json"]);
    assert_eq!(written.code, Some(0), "{}", written.said);
    assert!(written.shown.contains("The baseline was written to b.json, with predictions for\n  original ("), "{}", written.shown);
    folder
}

#[track_caller]
fn ends(found: &Ended, code: i32, shown: &str) {
    assert_eq!(found.code, Some(code), "{}{}", found.shown, found.said);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&found.shown).contains(&words(shown)), "{}", found.shown);
}

#[test]
fn a_paired_test_finds_a_drop_that_two_separate_accuracies_would_hide() {
    let folder = with_baseline();
    let compared = acidtest(folder.path(), &["compare", "old.csv", "new.csv", "--data", "c.csv", "--no-doctor", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&compared).unwrap();
    let found = report["measurements"].as_array().unwrap().iter().find(|one| one["metric"] == "difference").unwrap();
    assert!((found["p"].as_f64().unwrap() - 0.0005).abs() < 0.0001, "{found}");
    // An unpaired test of 862 and 837 in 1,000 gives z = 1.56, p = 0.06.
    let found = of_model(folder.path(), "new.csv", &["--baseline", "b.json", "--max-regression", "original=0"]);
    ends(&found, 3, "m on original: no significant drop from the baseline drops by 2.5 points (86.2 % -> 83.7 %)");
    ends(&found, 3, "p < 0.001, 1,000 examples in 1,000 clusters");
}

#[test]
fn identical_predictions_pass_whatever_the_margin_and_the_order_of_the_files() {
    let folder = with_baseline();
    for margin in ["all=0", "original=0.01", "m:original=1"] {
        let found = of_model(folder.path(), "old.csv", &["--baseline", "b.json", "--max-regression", margin]);
        ends(&found, 0, "predictions identical to those of the baseline (86.2 %)");
    }
    let corpus = corpus(1000);
    let (head, rows) = corpus.split_once('\n').unwrap();
    let mut rows: Vec<&str> = rows.lines().collect();
    rows.reverse();
    fs::write(folder.path().join("c.csv"), format!("{head}\n{}\n", rows.join("\n"))).unwrap();
    let found = of_model(folder.path(), "old.csv", &["--baseline", "b.json", "--max-regression", "all=0.01"]);
    ends(&found, 0, "predictions identical to those of the baseline (86.2 %)");
    // Equally accurate with different predictions: this does not show that the models are the same.
    let found = of_model(folder.path(), "other-wrong.csv", &["--baseline", "b.json", "--max-regression", "all=0.01"]);
    ends(&found, 4, "no difference (86.2 % -> 86.2 %), within [-0.3, 0.3]");
}

#[test]
fn three_outcomes_have_three_exit_codes_and_an_option_decides_the_third() {
    let folder = with_baseline();
    let check = |margin: &str, more: &[&str]| {
        of_model(folder.path(), "new.csv", &[&["--baseline", "b.json", "--max-regression", margin], more].concat())
    };
    ends(&check("original=5", &[]), 0, "The gate passed: 1 of 1 check passed");
    ends(&check("original=1", &[]), 3, "The gate failed: 0 of 1 check passed, 1 failed");
    ends(&check("original=2.5", &[]), 4, "The gate is inconclusive: 0 of 1 check passed, 0 failed, 1 inconclusive");
    ends(&check("original=2.5", &["--inconclusive", "fail"]), 3, "inconclusive  m on original: must not drop by more than 2.5 points");
    ends(&check("original=2.5", &["--inconclusive", "pass"]), 0, "inconclusive  m on original: must not drop by more than 2.5 points");
    assert!(check("original=2.5", &[]).said.ends_with("acidtest: the gate is inconclusive: 1 of 1 check\n"));
    assert!(check("original=1", &[]).said.ends_with("acidtest: the gate failed: 1 of 1 check failed\n"));
}

#[test]
fn a_check_agrees_with_the_measurements_of_a_run() {
    let folder = folder();
    let run = ["run", "--data", "c.csv", "--model", "m=new.csv", "--challenge", "none", "--by", "genre", "--format", "json"];
    let report: serde_json::Value = serde_json::from_str(&acidtest(folder.path(), &run)).unwrap();
    let measured: Vec<&serde_json::Value> = report["measurements"].as_array().unwrap().iter().collect();
    for (set, group) in [("original", serde_json::Value::Null), ("original/genre=fiction", serde_json::json!([["genre", "fiction"]]))] {
        let own = |one: &&&serde_json::Value| one["metric"] == "accuracy" && one["model"] == "m" && one["group"] == group;
        let [found] = measured.iter().filter(own).collect::<Vec<_>>()[..] else { panic!("{set} is not measured once") };
        let percent = |value: &serde_json::Value| format!("{:.1}", 100.0 * value.as_f64().unwrap());
        let [count, total] = ["count", "total"].map(|key| acidtest_nli::grouped(&found["counts"][key]));
        let counts = format!("{} % ({count}/{total})", percent(&found["value"]));
        let interval = format!("[{}, {}]", percent(&found["interval"]["low"]), percent(&found["interval"]["high"]));
        let checked = of_model(folder.path(), "new.csv", &["--fail-under", &format!("{set}=50")]);
        ends(&checked, 0, &format!("{counts} {interval}"));
    }
}

#[test]
fn the_checks_of_a_gate_are_measurements_of_its_report() {
    let folder = with_baseline();
    let found = of_model(
        folder.path(),
        "new.csv",
        &[
            "--challenge",
            "none",
            "--fail-under",
            "original=90",
            "--fail-under",
            "original/genre=fiction=50",
            "--baseline",
            "b.json",
            "--max-regression",
            "original=0",
            "--report",
            "page",
            "--junit",
            "gate.xml",
        ],
    );
    ends(&found, 3, "1 of 3 checks passed, 2 failed, 0 inconclusive");
    let text = fs::read_to_string(folder.path().join("page/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let all = report["measurements"].as_array().unwrap();
    let checks: Vec<&serde_json::Value> = all.iter().filter(|one| one["check"].is_object()).collect();
    let seen: Vec<String> = checks.iter().map(|one| format!("{} {}", one["check"]["rule"], one["check"]["outcome"])).collect();
    let expected = ["{\"fail-under\":50.0} \"passed\"", "{\"fail-under\":90.0} \"failed\"", "{\"max-regression\":0.0} \"failed\""];
    let sorted = |mut list: Vec<String>| {
        list.sort();
        list
    };
    assert_eq!(sorted(seen), sorted(expected.map(str::to_string).to_vec()), "{checks:?}");
    // Accuracies of sets and groups equal the measured ones.
    for check in checks.iter().filter(|one| one["metric"] == "accuracy") {
        let same = |one: &&serde_json::Value| {
            one["check"].is_null() && ["model", "set", "group", "metric"].iter().all(|key| one[*key] == check[*key])
        };
        let measured = all.iter().find(same).unwrap();
        assert!(["value", "counts", "interval", "clusters"].iter().all(|key| measured[*key] == check[*key]), "{measured} {check}");
    }
    let drop = checks.iter().find(|one| one["metric"] == "drop").unwrap();
    assert_eq!((&drop["against"]["baseline"], &drop["counts"]["total"], &drop["clusters"]), (&"m".into(), &1000.into(), &1000.into()));
    assert_eq!(drop["value"], 0.025);
    let junit = fs::read_to_string(folder.path().join("gate.xml")).unwrap();
    let ends = &drop["check"]["paired"]["one_sided"];
    let points = |value: &serde_json::Value| format!("{:.1}", 100.0 * value.as_f64().unwrap());
    let written = format!("drops by 2.5 points (86.2 % -&gt; 83.7 %), within [{}, {}]", points(&ends["low"]), points(&ends["high"]));
    assert!(junit.contains(&written), "{written}: {junit}");
    // The saved report can be rendered again.
    acidtest(folder.path(), &["report", "page/report.json"]);
}

#[test]
fn an_accuracy_of_one_cluster_is_checked_without_an_interval_across_clusters() {
    let folder = tempfile::tempdir().unwrap();
    let mut data = "premise,hypothesis,label,id\n".to_string();
    (0..40).for_each(|n| writeln!(data, "The man sleeps.,Man {n} sleeps.,{},{n}", LABELS[n % 3]).unwrap());
    fs::write(folder.path().join("c.csv"), data).unwrap();
    fs::write(folder.path().join("m.csv"), predictions(40, |n| n < 10)).unwrap();
    let found = of_model(folder.path(), "m.csv", &["--challenge", "none", "--fail-under", "original=80", "--junit", "g.xml"]);
    let said = "75.0 % (30/40), interval not estimable from one cluster (within it [59.8, 85.8]), 40 examples in 1 cluster";
    ends(&found, 3, said);
    assert!(fs::read_to_string(folder.path().join("g.xml")).unwrap().contains(said));
}

#[test]
fn a_gate_that_failed_lists_every_check_and_the_command_that_reproduces_it() {
    let folder = with_baseline();
    let found = of_model(
        folder.path(),
        "new.csv",
        &[
            "--baseline",
            "b.json",
            "--max-regression",
            "original=0",
            "--fail-under",
            "original/genre=fiction=85",
            "--fail-under",
            "m:original=83.7",
        ],
    );
    ends(&found, 3, "The gate failed: 1 of 3 checks passed, 2 failed, 0 inconclusive");
    ends(&found, 3, "failed        m on original/genre=fiction: accuracy of at least 85 %");
    ends(&found, 3, "passed        m on original: accuracy of at least 83.7 %");
    ends(&found, 3, "Accuracy checks compare the estimate with the bound");
    let command = found.shown.lines().find_map(|line| line.strip_prefix("Reproduce: acidtest ")).unwrap();
    let again = format!("{} {command}", env!("CARGO_BIN_EXE_acidtest"));
    let again = Command::new("sh").current_dir(folder.path()).args(["-c", &again]).output().unwrap();
    assert_eq!((again.status.code(), String::from_utf8(again.stdout).unwrap()), (Some(3), found.shown));
}

/// A model that leaves a trace when it is run.
#[cfg(unix)]
fn witness(folder: &Path) -> String {
    let script = "touch asked\nn=0\nwhile read -r line; do echo '{\"id\": \"'$n'\", \"label\": \"neutral\"}'; n=$((n + 1)); done\n";
    fs::write(folder.join("model.sh"), script).unwrap();
    "w=process:sh model.sh".to_string()
}

/// The command is refused in one line before the model runs, and nothing is written.
#[cfg(unix)]
#[track_caller]
fn refused(folder: &Path, arguments: &[&str], expected: &str) {
    let model = witness(folder);
    let names = || fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect::<std::collections::BTreeSet<_>>();
    let before = names();
    let found = gate(folder, &[&["--data", "c.csv", "--model", &model, "--no-cache"], arguments].concat());
    assert_eq!(found.code, Some(2), "{arguments:?}: {}{}", found.shown, found.said);
    assert!(found.said.starts_with(&format!("acidtest: {expected}")), "{arguments:?}: {}", found.said);
    assert_eq!((found.said.lines().count(), found.shown.as_str()), (1, ""), "{}", found.said);
    assert_eq!(names(), before, "{arguments:?}");
}

#[cfg(unix)]
#[test]
fn checks_that_cannot_work_are_refused_before_the_model_runs() {
    let folder = with_baseline();
    let check = |arguments: &[&str], expected: &str| refused(folder.path(), arguments, expected);
    check(&[], "there is nothing to check; set ");
    check(&["--fail-under", "negatoin=70"], "--fail-under: unknown set `negatoin`; did you mean `negation`?");
    check(&["--fail-under", "clean=70"], "--fail-under: the set `clean` is now called `original`");
    check(&["--fail-under", "easy-pairs=70"], "--fail-under: unknown set `easy-pairs`");
    check(&["--challenge", "tautology", "--max-drop", "negation=70"], "--max-drop: unknown set `negation`");
    check(&["--fail-under", "hans-nothing=70"], "--fail-under: unknown set `hans-nothing`");
    check(&["--fail-under", "v:original=70"], "--fail-under: unknown model `v`; did you mean `w`?");
    check(&["--fail-under", "original/gnere=fiction=70"], "--fail-under: unknown tag `gnere`; did you mean `genre`?");
    check(&["--fail-under", "original/genre=fictoin=70"], "--fail-under: genre: unknown value `fictoin`; did you mean `fiction`?");
    check(&["--fail-under", "original/fiction=70"], "--fail-under: `fiction` is not a group");
    for number in ["nan", "inf", "-1", "0", "0.7", "1", "101", "x", ""] {
        let text = format!("original={number}");
        check(&["--fail-under", &text], "--fail-under: invalid value `original=");
    }
    for number in ["nan", "-1", "100", "1e9", "x", ""] {
        let text = format!("negation={number}");
        check(&["--max-drop", &text], "--max-drop: invalid value `negation=");
    }
    check(&["--fail-under", "original"], "--fail-under: invalid value `original`");
    check(&["--fail-under", "=50"], "--fail-under: invalid value `=50`");
    check(&["--max-drop", "original=5"], "--max-drop: `original` is not made from the original examples");
    check(&["--max-drop", "hans=5"], "--max-drop: `hans` is not made from the original examples");
    check(&["--challenge", "none", "--max-drop", "all=5"], "--max-drop: `all` is not made from the original examples");
    check(&["--fail-under", "original=50", "--fail-under", "original=60"], "--fail-under: `original` is given twice, with 50 and with 60");
    check(
        &["--fail-under", "original=50", "--fail-under", "w:original=50"],
        "--fail-under: `original=50` and `w:original=50` both check `w` on `original`",
    );
    check(&["--max-regression", "original=0"], "--max-regression: there is no baseline to compare with");
    check(&["--baseline", "b.json"], "--baseline: nothing is compared with the baseline");
    check(&["--baseline-model", "m", "--fail-under", "original=50"], "--baseline-model: nothing is compared with the baseline");
    check(&["--junit", "x.xml"], "--junit: there is nothing to check");
    check(&["--inconclusive", "pass", "--write-baseline", "x.json"], "--inconclusive: there is nothing to check");
    check(&["--fail-under", "original=50", "--by", "genre"], "--by: has no effect on checks");
    check(&["--fail-under", "original=50", "--train", "c.csv"], "--train: has no effect on checks");
    check(&["--fail-under", "original=50", "--lexical", "words"], "--lexical: has no effect on checks");
    check(&["--fail-under", "original=50", "--cluster", "gnere"], "--cluster: ");
    check(&["--fail-under", "original=50", "--junit", "nowhere/x.xml"], "nowhere/x.xml: cannot be written");
    check(&["--fail-under", "original=50", "--write-baseline", "nowhere/x.json"], "nowhere/x.json: cannot be written");
    check(&["--fail-under", "original=50", "--report", "nowhere/page"], "nowhere/page: cannot be written");
    check(&["--fail-under", "original=50", "--junit", "x", "--write-baseline", "x"], "x: is the name of two outputs");
    check(&["--fail-under", "original=50", "--junit", "-"], "--junit: invalid value `-`: expected a file");
    check(&["--write-baseline", "x.json.gz"], "--write-baseline: invalid value `x.json.gz`: expected a name without .gz");
    check(&["--config", "nowhere.toml"], "nowhere.toml: ");
    assert!(!folder.path().join("asked").exists());
}

#[test]
fn the_page_of_a_gate_can_be_a_single_file() {
    let folder = folder();
    let path = folder.path();
    let passed = of_model(path, "old.csv", &["--fail-under", "original=50", "--report", "page.html", "--single-file"]);
    assert_eq!((passed.code, passed.said.lines().last()), (Some(0), Some("report written to page.html")), "{}", passed.said);
    assert!(fs::read_to_string(path.join("page.html")).unwrap().contains("The number 998 man sleeps"));

    fs::write(path.join("gate.toml"), "report = \"page\"\nreport_form = \"single-file\"\nfail_under.original = 50\n").unwrap();
    let passed = of_model(path, "old.csv", &["--config", "gate.toml"]);
    assert_eq!(passed.code, Some(0), "{}", passed.said);
    let mut names: Vec<_> = fs::read_dir(path.join("page")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["index.html", "report.json"], "the report for programs is beside the page in a folder");

    fs::write(path.join("gate.toml"), "report_form = \"single-file\"\nfail_under.original = 50\n").unwrap();
    let refused = of_model(path, "old.csv", &["--config", "gate.toml"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.said.contains("--single-file: has no effect on checks, only on the report"), "{}", refused.said);
    let unwritable = of_model(path, "old.csv", &["--fail-under", "original=50", "--report", "nowhere/page.html", "--single-file"]);
    assert_eq!(unwritable.code, Some(2), "{}", unwritable.said);
}

#[cfg(unix)]
#[test]
fn baselines_that_do_not_fit_are_refused_before_the_model_runs() {
    let folder = with_baseline();
    let at = |name: &str| folder.path().join(name);
    let check = |arguments: &[&str], expected: &str| refused(folder.path(), arguments, expected);
    let regression = |file: &'static str| ["--baseline", file, "--max-regression", "original=0", "--baseline-model", "m"];
    check(&regression("nowhere.json"), "--baseline: nowhere.json: ");
    check(&regression("c.csv"), "--baseline: c.csv: not a baseline file, or damaged");
    let report = ["evaluate", "--data", "c.csv", "--predictions", "old.csv", "--no-doctor", "--format", "json", "-o", "r.json"];
    acidtest(folder.path(), &report);
    check(&regression("r.json"), "--baseline: r.json: this is a report, which does not contain the predictions that a baseline needs");
    let text = fs::read_to_string(at("b.json")).unwrap();
    fs::write(at("d.json"), text.replace("ennc", "encn").replace("nce", "nec")).unwrap();
    check(&regression("d.json"), "--baseline: d.json: its content does not match the `hash` at its end");
    check(
        &["--baseline", "b.json", "--max-regression", "original=0"],
        "--max-regression: b.json: the baseline has no model `w` (it has: m); name the model",
    );
    check(
        &["--baseline", "b.json", "--max-regression", "original=0", "--baseline-model", "m", "--model", "overlap"],
        "--max-regression: the run has 2 models",
    );
    check(
        &["--baseline", "b.json", "--max-regression", "negation=0", "--baseline-model", "m"],
        "--baseline: b.json: the set `negation` is in this run but not in the baseline",
    );
    check(
        &["--scoring", "merged-answers", "--baseline", "b.json", "--max-regression", "original=0", "--baseline-model", "m"],
        "--baseline: b.json: the set `original` differs from that of the baseline: it is scored by the rule merged-answers, not three-way",
    );
    let other = |from: &str, to: &str, what: &str| {
        let corpus = corpus(1000);
        assert!(corpus.contains(from));
        fs::write(at("c.csv"), corpus.replacen(from, to, 1)).unwrap();
        let expected = format!("--baseline: b.json: the set `original` differs from that of the baseline: {what}");
        refused(folder.path(), &regression("b.json"), &expected);
    };
    other("Man 7 is at home.", "Man 7 is away.", "its premises or hypotheses differ");
    other("Man 7 is at home.,neutral", "Man 7 is at home.,contradiction", "its gold labels differ");
    other(",999,travel", ",1999,travel", "the ids of its examples differ");
    other("The number 7 man sleeps in the old house.,Man 7 is at home.,neutral,7,travel\n", "", "it has 999 examples, not 1,000");
    assert!(!at("asked").exists());
}

#[test]
fn a_baseline_on_snli_is_refused_for_mnli() {
    let folder = tempfile::tempdir().unwrap();
    let row = |n: usize, corpus: &str| {
        let (pair, genre) = if corpus == "snli" { ("captionID", "c") } else { ("promptID", "fiction") };
        let label = LABELS[n % 3];
        format!(
            "{{\"gold_label\": \"{label}\", \"pairID\": \"{n}\", \"{pair}\": \"{n}\", \"genre\": \"{genre}\", \
             \"sentence1\": \"A {corpus} man sleeps.\", \"sentence2\": \"The man rests for {n} days.\"}}\n"
        )
    };
    for corpus in ["snli", "mnli"] {
        fs::write(folder.path().join(format!("{corpus}.jsonl")), (0..30).map(|n| row(n, corpus)).collect::<String>()).unwrap();
    }
    let run = |corpus: &str, more: &[&str]| gate(folder.path(), &[&["--data", corpus, "--model", "overlap"], more].concat());
    let checks = ["--baseline", "b.json", "--max-regression", "all=0"];
    assert_eq!(run("snli.jsonl", &["--challenge", "negation", "--write-baseline", "b.json"]).code, Some(0));
    ends(&run("snli.jsonl", &checks), 0, "The gate passed: 2 of 2 checks passed");
    let found = run("mnli.jsonl", &checks);
    assert_eq!(found.code, Some(2), "{}", found.shown);
    assert!(
        found.said.contains("the set `original` differs from that of the baseline: its premises or hypotheses differ"),
        "{}",
        found.said
    );
}

#[test]
fn all_means_every_set_of_the_baseline_and_none_may_be_missing() {
    let folder = tempfile::tempdir().unwrap();
    let run = |more: &[&str]| gate(folder.path(), &[&["--model", "overlap"], more].concat());
    assert_eq!(run(&["--challenge", "negation,tautology", "--write-baseline", "b.json"]).code, Some(0));
    let checks = ["--baseline", "b.json", "--max-regression", "all=0"];
    ends(&run(&checks), 0, "4 of 4 checks passed");
    let found = run(&[&checks[..], &["--challenge", "negation"]].concat());
    assert!(found.code == Some(2) && found.said.contains("the set `tautology` is in the baseline but not in this run"), "{}", found.said);
    let found = run(&[&checks[..], &["--challenge", "negation,tautology,hans"]].concat());
    assert!(found.code == Some(2) && found.said.contains("is in this run but not in the baseline"), "{}", found.said);
    // Another seed generates other pairs.
    assert_eq!(run(&["--challenge", "spelling-swap", "--write-baseline", "s.json"]).code, Some(0));
    let found = run(&["--seed", "2", "--baseline", "s.json", "--max-regression", "spelling-swap=0"]);
    assert!(found.code == Some(2) && found.said.contains("(its seed is 2, that of the baseline 1)"), "{}", found.said);
}

#[test]
fn a_set_that_turns_out_empty_never_passes() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("c.csv"),
        "premise,hypothesis,label,id\nDogs are animals.,Dogs are animals.,entailment,1\nCats are here.,Dogs are here.,contradiction,2\n",
    )
    .unwrap();
    let run = |more: &[&str]| gate(folder.path(), &[&["--data", "c.csv", "--model", "overlap"], more].concat());
    for check in [["--max-drop", "spelling-swap-function=0"], ["--fail-under", "spelling-swap-function=50"], ["--fail-under", "all=2"]] {
        let found = run(&check);
        assert!(
            found.code == Some(2) && found.said.contains("`spelling-swap-function` has no labelled example, so the check could never fail"),
            "{}{}",
            found.shown,
            found.said
        );
    }
    fs::write(folder.path().join("c.csv"), "premise,hypothesis,label,id\nDogs.,Dogs.,-,1\n").unwrap();
    let found = run(&["--fail-under", "original=50"]);
    assert!(found.code == Some(2) && found.said.contains("`original` has no labelled example"), "{}{}", found.shown, found.said);
}

#[test]
fn a_model_at_chance_level_does_not_pass_a_drop_check() {
    let folder = tempfile::tempdir().unwrap();
    let found = gate(folder.path(), &["--model", "majority", "--max-drop", "negation=5"]);
    ends(&found, 4, "not significantly different from the majority baseline (always entailment: 34.8 %, p = 1.0000)");
}

#[test]
fn a_challenge_that_lowers_a_model_fails_and_names_both_accuracies() {
    let folder = tempfile::tempdir().unwrap();
    let found = gate(folder.path(), &["--model", "esim-small", "--max-drop", "negation=5", "--max-drop", "length-mismatch=20"]);
    ends(
        &found,
        3,
        "failed esim-small on negation: must not drop by more than 5 points from the original examples drops by 20.9 points (67.6 % -> 46.7 %)",
    );
    ends(&found, 3, "passed esim-small on length-mismatch: must not drop by more than 20 points");
    // A challenge that is split into sets stands for all of them.
    let found = gate(folder.path(), &["--model", "esim-small", "--fail-under", "hans=50"]);
    ends(&found, 3, "The gate failed: 3 of 6 checks passed, 3 failed");
    let found = gate(folder.path(), &["--model", "esim-small", "--fail-under", "hans-subsequence-entailment=50"]);
    ends(&found, 0, "1 of 1 check passed");
}

#[test]
fn junit_and_annotations_agree_with_the_text() {
    let folder = with_baseline();
    let run = |more: &[&str]| {
        let arguments = [
            "--baseline",
            "b.json",
            "--max-regression",
            "original=2.5",
            "--fail-under",
            "original=90",
            "--junit",
            "x.xml",
            "--annotations",
            "github",
        ];
        of_model(folder.path(), "new.csv", &[&arguments, more].concat())
    };
    let found = run(&[]);
    let page = fs::read_to_string(folder.path().join("x.xml")).unwrap();
    assert!(page.contains("tests=\"2\" failures=\"2\" errors=\"0\" skipped=\"0\""), "{page}");
    assert!(page.contains("<failure type=\"inconclusive\"") && page.contains("Reproduce: acidtest gate --data c.csv"), "{page}");
    let lines: Vec<&str> = found.shown.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(lines.len(), 2);
    assert!(
        lines[0].starts_with("::error title=acidtest gate failed::m on original: accuracy of at least 90 %25: 83.7 %25 (837/1,000)"),
        "{lines:?}"
    );
    assert!(lines[1].starts_with("::error title=acidtest gate inconclusive::"), "{lines:?}");
    let found = run(&["--inconclusive", "pass"]);
    let page = fs::read_to_string(folder.path().join("x.xml")).unwrap();
    assert!(page.contains("failures=\"1\" errors=\"0\" skipped=\"1\""), "{page}");
    assert!(found.shown.contains("\n::warning title=acidtest gate inconclusive::"), "{}", found.shown);
}

#[test]
fn a_baseline_is_written_only_if_the_gate_passes() {
    let folder = with_baseline();
    let run = |file: &str, bound: &str| of_model(folder.path(), file, &["--fail-under", bound, "--write-baseline", "next.json"]);
    let found = run("old.csv", "original=90");
    ends(&found, 3, "No baseline was written because the gate did not pass.");
    assert!(!folder.path().join("next.json").exists());
    assert_eq!(run("old.csv", "original=80").code, Some(0));
    assert_eq!(of_model(folder.path(), "old.csv", &["--baseline", "next.json", "--max-regression", "original=0"]).code, Some(0));
}

#[test]
fn saved_predictions_need_only_a_gold_key() {
    let folder = folder();
    let key: String = std::iter::once("id,label\n".to_string()).chain((0..1000).map(|n| format!("{n},{}\n", LABELS[n % 3]))).collect();
    fs::write(folder.path().join("key.csv"), key).unwrap();
    let found = gate(folder.path(), &["--data", "key.csv", "--model", "old.csv", "--fail-under", "original=86"]);
    ends(&found, 0, "old on original: accuracy of at least 86 % 86.2 % (862/1,000)");
    fs::write(folder.path().join("lines.csv"), predictions(1000, |_| false).replace("id,", "row,")).unwrap();
    let by_place = |more: &[&str]| gate(folder.path(), &[&["--data", "c.csv", "--model", "lines.csv@label", "--no-doctor"], more].concat());
    ends(&by_place(&["--fail-under", "original=86"]), 0, "100.0 % (1,000/1,000)");
    let found = by_place(&["--fail-under", "negation=86"]);
    assert!(found.code == Some(1) && found.said.ends_with("; pass --challenge none to score the data alone\n"), "{}", found.said);
    let found = gate(folder.path(), &["--data", "key.csv", "--model", "overlap", "--fail-under", "original=86"]);
    assert!(found.code == Some(1) && found.said.contains("has no text, which a model needs"), "{}", found.said);
}

#[test]
fn a_config_file_is_equivalent_to_flags() {
    let folder = with_baseline();
    let write = |text: &str| fs::write(folder.path().join("gate.toml"), text).unwrap();
    let run = |more: &[&str]| gate(folder.path(), &[&["--config", "gate.toml"], more].concat());
    write(
        "baseline = \"b.json\"\ninconclusive = \"pass\"\n\n[fail_under]\n\"m:original\" = 80\n\"original/genre=travel\" = 70.5\n\n[max_regression]\nall = 2.5\n\n\
         [run]\ndata.files = [\"c.csv\"]\n\n[[run.models]]\nname = \"m\"\nmodel = \"new.csv\"\n",
    );
    let found = run(&[]);
    ends(&found, 0, "The gate passed: 2 of 3 checks passed, 0 failed, 1 inconclusive");
    ends(&run(&["--fail-under", "original/genre=fiction=90"]), 3, "The gate failed: 2 of 4 checks passed, 1 failed, 1 inconclusive");
    let refused = |text: Option<&str>, more: &[&str], expected: &str| {
        text.iter().for_each(|text| write(text));
        let found = run(more);
        assert!(found.code == Some(2) && found.said.starts_with(&format!("acidtest: {expected}")), "{}{}", found.shown, found.said);
    };
    refused(None, &["--model", "old.csv"], "--model: also set by `run.models` in gate.toml; remove one of the two");
    refused(None, &["--baseline", "c.json"], "--baseline: also set in gate.toml; remove one of the two");
    refused(None, &["--fail-under", "m:original=85"], "--fail-under: `m:original` is given twice, with 80 and with 85");
    refused(Some("[fail_over]\noriginal = 80\n"), &[], "gate.toml:1: unknown field `fail_over`");
    refused(Some("[fail_under]\noriginal = 80\n\n[run]\nchalenges = []\n"), &[], "gate.toml:5: unknown field `chalenges`");
    refused(Some("[fail_under]\noriginal = nan\n"), &[], "--fail-under: invalid value `original=NaN`");
    refused(Some("[fail_under]\noriginal = \"80\"\n"), &[], "gate.toml:2: ");
    refused(Some("[fail_under\n"), &[], "gate.toml:1: ");
    refused(Some("[fail_under]\noriginal = 80\noriginal = 81\n"), &[], "gate.toml:3: duplicate key");
}

#[test]
fn the_cluster_tag_defines_the_clusters() {
    let folder = with_baseline();
    let arguments = ["--baseline", "b.json", "--max-regression", "original=0"];
    let found = of_model(folder.path(), "new.csv", &[&arguments[..], &["--cluster", "genre"]].concat());
    ends(&found, 4, "1,000 examples in 2 clusters");
    ends(&found, 4, "Intervals and p values generalise to new values of `genre` (examples that share a value form one cluster).");
    let found = of_model(folder.path(), "new.csv", &arguments);
    ends(&found, 3, "Intervals and p values generalise to new premises (examples that share a premise form one cluster).");
}

#[test]
fn the_help_explains_checks_and_exit_codes() {
    let folder = tempfile::tempdir().unwrap();
    let found = gate(folder.path(), &["--help"]);
    for text in ["`MODEL:SET` checks one model only", "0 passed, 3 failed, 4 inconclusive, 5 stopped because labels", "SET/TAG=VALUE"] {
        ends(&found, 0, text);
    }
}

/// A lexical model is accepted if a check needs the examples that it selects.
#[test]
fn a_challenge_that_needs_a_lexical_model_is_checked_with_one() {
    let folder = folder();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/data/sample.jsonl");
    acidtest(folder.path(), &["train", "--model", "lexical", "--train", sample, "--set", "folds=5", "-o", "words"]);
    let run = |more: &[&str]| {
        gate(folder.path(), &[&["--data", sample, "--model", "majority", "--fail-under", "compositional=99"], more].concat())
    };
    ends(&run(&["--lexical", "words", "--set", "compositional.lambda=0.3"]), 3, "majority on compositional: accuracy of at least 99 %");
    let found = run(&[]);
    assert!(
        found.code == Some(2) && found.said.ends_with("; `compositional` needs a lexical model: pass its folder with --lexical\n"),
        "{}",
        found.said
    );
}

#[test]
fn the_config_file_of_the_documentation_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/gate.md")).unwrap();
    let text = page.split_once("```toml\n").unwrap().1.split_once("```").unwrap().0;
    fs::write(folder.path().join("gate.toml"), text).unwrap();
    // The whole file is accepted up to the baseline, which only the user has.
    let found = gate(folder.path(), &["--config", "gate.toml"]);
    assert!(found.code == Some(2) && found.said.starts_with("acidtest: --baseline: released.json: no such file"), "{}", found.said);
}

#[cfg(unix)]
#[test]
fn a_process_model_is_run_and_named() {
    let folder = folder();
    let model = witness(folder.path());
    let run = |model: &str, bound: &str| {
        gate(folder.path(), &["--data", "c.csv", "--model", model, "--no-cache", "--no-doctor", "--fail-under", bound])
    };
    ends(&run(&model, "w:original=30"), 0, "w on original: accuracy of at least 30 % 33.3 % (333/1,000)");
    // Without a name, the command is the name.
    ends(&run("process:sh model.sh", "sh model.sh:original=30"), 0, "sh model.sh on original");
}

#[test]
fn a_model_that_loses_everything_fails_however_few_clusters_each_check_has() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    let genre = |n: usize| n / 6;
    let rows = (0..24).map(|n| format!("P {n}.,H.,{},{n},g{}\n", LABELS[n % 3], genre(n)));
    write("c.csv", "premise,hypothesis,label,id,genre\n".to_string() + &rows.collect::<String>());
    write("right.csv", predictions(24, |_| false));
    write("wrong.csv", predictions(24, |_| true));
    write("first.csv", predictions(24, |n| genre(n) == 0));
    let run = |file: &str, more: &[&str]| of_model(folder.path(), file, &[&["--challenge", "none", "--no-doctor"], more].concat());
    assert_eq!(run("right.csv", &["--write-baseline", "b.json"]).code, Some(0));
    let checks = ["g0", "g1", "g2", "g3"].map(|genre| format!("original/genre={genre}=0"));
    let checks: Vec<&str> = checks.iter().flat_map(|check| ["--max-regression", check.as_str()]).chain(["--baseline", "b.json"]).collect();
    ends(&run("wrong.csv", &checks), 3, "The gate failed: 0 of 4 checks passed, 4 failed");
    // Losing six of six clusters is not significant among four checks, but must not pass.
    ends(&run("first.csv", &checks), 4, "even errors in all 6 clusters would not be significant among 4 tests");
}

#[test]
fn a_gate_says_how_it_scores_and_refuses_mixed_gold_labels() {
    let folder = folder();
    let path = folder.path();
    ends(&of_model(path, "old.csv", &["--fail-under", "original=80"]), 0, "Predictions are scored three-way.");
    let mixed = corpus(1000).replacen(",neutral,", ",not_entailment,", 1);
    fs::write(path.join("c.csv"), mixed).unwrap();
    let found = of_model(path, "old.csv", &["--fail-under", "original=80"]);
    assert_eq!(found.code, Some(2), "{}", found.shown);
    assert!(found.said.starts_with("acidtest: --scoring: 1 of the 1000 gold labels of `original` are non-entailment"), "{}", found.said);
    let found = of_model(path, "old.csv", &["--fail-under", "original=80", "--scoring", "merged-answers"]);
    ends(&found, 0, "Predictions are scored two-way (merged-answers: neutral and contradiction count as non-entailment).");
}

#[test]
fn usage_errors_and_wrong_label_orders_have_their_own_exit_codes() {
    let folder = folder();
    let path = folder.path();
    fs::create_dir(path.join("empty")).unwrap();
    let code = |arguments: &[&str]| gate(path, &[arguments, &["--fail-under", "original=50"]].concat()).code;
    assert_eq!(code(&["--data", "c.csv", "--model", "overlap", "--set", "x.y=3"]), Some(2));
    assert_eq!(code(&["--data", "c.csv", "--model", "empty"]), Some(2));
    assert_eq!(code(&["--data", "empty", "--model", "overlap"]), Some(2));
    assert_eq!(code(&["--data", "c.csv", "--model", "it's mine=overlap"]), Some(2));
    // Every prediction is the label after the correct one.
    fs::write(path.join("turned.csv"), predictions(1000, |_| true)).unwrap();
    let found = of_model(path, "turned.csv", &["--fail-under", "original=50"]);
    assert!(found.code == Some(5) && found.said.contains("--no-doctor"), "{:?} {}", found.code, found.said);
}

#[test]
fn a_rise_is_reported_with_the_interval_of_the_rise() {
    let folder = with_baseline();
    fs::write(folder.path().join("better.csv"), predictions(1000, |n| n < 130)).unwrap();
    let found = of_model(folder.path(), "better.csv", &["--baseline", "b.json", "--max-regression", "original=0"]);
    ends(&found, 0, "rises by 0.8 points (86.2 % -> 87.0 %), within [0.5, 1.4] (one-sided 95 % each)");
}
