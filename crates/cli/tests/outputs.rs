//! Outputs: existing files, formats by extension, and places that cannot be written.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::{acidtest, run};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// A folder with a corpus of twelve premises.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let row = |n: usize| {
        format!(
            "{{\"pairID\": \"{n}\", \"sentence1\": \"A dog runs at {n}.\", \"sentence2\": \"It is not asleep.\", \"gold_label\": \"neutral\", \"genre\": \"g{}\"}}\n",
            n % 2
        )
    };
    fs::write(folder.path().join("corpus.jsonl"), (0..12).map(row).collect::<String>()).unwrap();
    folder
}

/// The one line that the program prints when it refuses.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    // The record that a split keeps.
    names.retain(|name| name != ".acidtest-split");
    names.sort();
    names
}

#[test]
fn a_conversion_names_the_tags_that_a_format_cannot_hold() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    acidtest(path, &["challenge", "hans", "--set", "per_subcase=1", "-o", "hans.jsonl"]);
    let said = |to: &[&str]| String::from_utf8(run(path, &[&["corpus", "convert", "hans.jsonl", "-o"], to].concat()).stderr).unwrap();
    let kept = "acidtest, hf, csv, tsv and parquet keep all tags\n";
    let text = said(&["hans.txt"]);
    assert!(
        text.contains(&format!(
            "the tags `category`, `heuristic`, `subcase` and `template` cannot be written as multinli-text and were dropped; {kept}"
        )),
        "{text}"
    );
    let own = said(&["own.txt", "--to", "hans"]);
    assert!(own.contains(&format!("own.txt: the tag `category` cannot be written as hans and was dropped; {kept}")), "{own}");
    let csv = said(&["hans.csv"]);
    assert!(!csv.contains("dropped"), "{csv}");
    let all =
        format!("the tags `category`, `heuristic`, `subcase` and `template` cannot be written as multinli-text and were dropped; {kept}");
    let others: [(&[&str], String); 4] = [
        (&["corpus", "sample", "1", "hans.jsonl", "--to", "multinli-text"], format!("standard output: {all}")),
        (&["challenge", "hans", "--set", "per_subcase=1", "--to", "multinli-text", "-o", "made.txt"], format!("made.txt: {all}")),
        (&["challenge", "identify", "hans.jsonl", "--to", "multinli-text", "-o", "found.txt"], format!("found.txt: {all}")),
        (&["corpus", "audit", "hans.jsonl", "--contradicting", "odd.txt"], "odd.txt: the tags `category`, `contradicts`, ".to_string()),
    ];
    for (arguments, expected) in others {
        let said = String::from_utf8(run(path, arguments).stderr).unwrap();
        assert!(said.contains(&expected), "{arguments:?}: {said}");
    }
}

const SPLIT: [&str; 9] = ["corpus", "split", "corpus.jsonl", "-o", "parts", "--part", "dev=0.5", "--part", "test=0.25"];

#[test]
fn a_split_into_a_used_folder_is_refused_and_force_replaces_all_old_parts() {
    let folder = folder();
    let path = folder.path();
    acidtest(path, &SPLIT);
    let (before, test) = (names(&path.join("parts")), fs::read(path.join("parts/test.jsonl")).unwrap());
    assert_eq!(before, ["dev.jsonl", "test.jsonl"]);
    let again = ["corpus", "split", "corpus.jsonl", "-o", "parts", "--seed", "2", "--part", "dev=0.5"];
    let message = refused(path, &again);
    assert!(message.contains("parts: not empty (`") && message.contains("pass --force to replace"), "{message}");
    assert_eq!((names(&path.join("parts")), fs::read(path.join("parts/test.jsonl")).unwrap()), (before, test));
    let forced: Vec<&str> = again.into_iter().chain(["--force"]).collect();
    acidtest(path, &forced);
    assert_eq!(names(&path.join("parts")), ["dev.jsonl"]);
    // An empty folder is accepted.
    fs::create_dir(path.join("empty")).unwrap();
    acidtest(path, &["corpus", "split", "corpus.jsonl", "-o", "empty", "--by", "genre"]);
    assert_eq!(names(&path.join("empty")), ["g0.jsonl", "g1.jsonl"]);
}

#[test]
fn force_removes_only_old_parts_and_never_an_input() {
    let folder = folder();
    let path = folder.path();
    acidtest(path, &SPLIT);
    let forced =
        |more: &'static [&'static str]| -> Vec<&str> { SPLIT.into_iter().chain(["--force"]).chain(more.iter().copied()).collect() };
    fs::write(path.join("parts/thesis.txt"), "years of work").unwrap();
    assert!(refused(path, &forced(&[])).contains("parts: `thesis.txt` was not written by an earlier split"));
    assert_eq!(names(&path.join("parts")), ["dev.jsonl", "test.jsonl", "thesis.txt"]);
    fs::remove_file(path.join("parts/thesis.txt")).unwrap();
    // A corpus beside the parts, or a part that was changed, is not removed.
    fs::copy(path.join("corpus.jsonl"), path.join("parts/mine.jsonl")).unwrap();
    assert!(refused(path, &forced(&[])).contains("parts: `mine.jsonl` was not written by an earlier split"));
    fs::remove_file(path.join("parts/mine.jsonl")).unwrap();
    let dev = fs::read(path.join("parts/dev.jsonl")).unwrap();
    fs::copy(path.join("corpus.jsonl"), path.join("parts/dev.jsonl")).unwrap();
    assert!(refused(path, &forced(&[])).contains("parts: `dev.jsonl` was not written by an earlier split"));
    fs::write(path.join("parts/dev.jsonl"), dev).unwrap();
    let own = ["corpus", "split", "parts/dev.jsonl", "-o", "parts", "--part", "new=0.5", "--force"];
    assert!(refused(path, &own).contains("parts/dev.jsonl: would overwrite an input"));
    assert_eq!(names(&path.join("parts")), ["dev.jsonl", "test.jsonl"]);
    // A failed split leaves the old parts.
    fs::write(path.join("bad.jsonl"), "{\"sentence1\": 3}\n").unwrap();
    refused(path, &["corpus", "split", "bad.jsonl", "-o", "parts", "--part", "new=0.5", "--force"]);
    assert_eq!(names(&path.join("parts")), ["dev.jsonl", "test.jsonl"]);
}

#[test]
fn an_unknown_ending_is_refused_unless_a_format_is_given() {
    let folder = folder();
    let path = folder.path();
    for verb in [
        ["corpus", "convert", "corpus.jsonl", "-o", "x.xlsx"].as_slice(),
        &["corpus", "sample", "3", "corpus.jsonl", "-o", "x.xlsx"],
        &["challenge", "negation", "--from", "corpus.jsonl", "-o", "x.xlsx"],
        &["challenge", "hans", "--set", "per_subcase=1", "-o", "x.xlsx"],
    ] {
        let message = refused(path, verb);
        assert!(message.contains("x.xlsx: unknown file extension `.xlsx`; use .jsonl, .json, .csv, .tsv, .txt or .parquet"), "{message}");
        assert!(message.contains("--to: ") && message.contains("acidtest") && message.contains("glue"), "{message}");
        assert_eq!(names(path), ["corpus.jsonl"]);
        let given: Vec<&str> = verb.iter().copied().chain(["--to", "csv"]).collect();
        acidtest(path, &given);
        names(path).iter().filter(|name| *name != "corpus.jsonl").for_each(|name| fs::remove_file(path.join(name)).unwrap());
    }
    for verb in [["corpus", "tags", "corpus.jsonl", "--rows", "x.xlsx"], ["corpus", "audit", "corpus.jsonl", "--contradicting", "x.xlsx"]] {
        let message = refused(path, &verb);
        assert!(message.contains("x.xlsx: unknown file extension `.xlsx`") && !message.contains("--to"), "{message}");
        assert_eq!(names(path), ["corpus.jsonl"]);
    }
    for name in ["a.jsonl", "a.json", "a.csv", "a.tsv", "a.txt", "a.parquet", "a.csv.gz", "a.jsonl.zst", "plain"] {
        acidtest(path, &["corpus", "convert", "corpus.jsonl", "-o", name]);
    }
}

#[test]
fn challenges_that_fail_leave_no_folder() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("bad.jsonl"), "{\"sentence1\": 3}\n").unwrap();
    for arguments in [
        ["challenge", "all", "--from", "bad.jsonl", "-o", "sets"].as_slice(),
        &["challenge", "all", "--from", "missing.jsonl", "-o", "sets"],
        &["challenge", "all", "--from", "bad.jsonl", "-o", "deep/sets"],
        &["challenge", "negation,tautology", "--from", "bad.jsonl", "-o", "sets"],
        &["challenge", "all", "--from", "corpus.jsonl", "--set", "hans.per_subcase=no", "-o", "sets"],
        &["challenge", "all", "--from", "corpus.jsonl", "--set", "hans.grammar=missing", "-o", "sets"],
    ] {
        let output = run(path, arguments);
        assert_ne!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(names(path), ["bad.jsonl", "corpus.jsonl"], "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Runs a shell command in which `acidtest` is the program.
#[cfg(unix)]
fn shell(folder: &Path, line: &str) -> std::process::Output {
    let line = line.replace("acidtest", env!("CARGO_BIN_EXE_acidtest"));
    Command::new("sh").current_dir(folder).args(["-c", &line]).stdin(Stdio::null()).output().unwrap()
}

#[test]
#[cfg(unix)]
fn a_closed_standard_output_is_an_error_and_a_reader_that_has_seen_enough_is_none() {
    let folder = folder();
    for command in ["corpus convert corpus.jsonl -o -", "corpus sample 2 corpus.jsonl", "corpus stats corpus.jsonl", "list models"] {
        let closed = shell(folder.path(), &format!("acidtest {command} >&-"));
        let said = String::from_utf8(closed.stderr).unwrap();
        assert_eq!(closed.status.code(), Some(1), "{command}: {said}");
        assert!(said.contains("standard output") && said.contains("it is closed") && said.lines().count() == 1, "{command}: {said}");
        let thrown_away = shell(folder.path(), &format!("acidtest {command} >/dev/null && acidtest {command} 1<>/dev/null"));
        assert_eq!(thrown_away.status.code(), Some(0), "{command}");
        let head = shell(folder.path(), &format!("{{ acidtest {command}; echo $? >code; }} | true; cat code"));
        assert_eq!(String::from_utf8(head.stdout).unwrap().trim(), "0", "{command}");
    }
    let full = shell(folder.path(), "acidtest corpus convert corpus.jsonl -o - >/dev/full");
    assert_eq!(full.status.code(), Some(1));
    // Nothing is written to standard output, so nothing is lost.
    let file = shell(folder.path(), "acidtest corpus convert corpus.jsonl -o out.csv >&-");
    assert_eq!(file.status.code(), Some(0), "{}", String::from_utf8_lossy(&file.stderr));
}

#[test]
fn a_page_says_where_it_is_and_what_it_replaces() {
    let folder = tempfile::tempdir().unwrap();
    let said = |model: &str| {
        let output = run(folder.path(), &["run", "--model", model, "--challenge", "negation", "--no-doctor", "--report", "page"]);
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(said("overlap").lines().last(), Some("report written to page/index.html"));
    assert_eq!(said("majority").lines().last(), Some("report written to page/index.html, in place of an older report"));
    assert!(std::fs::read_to_string(folder.path().join("page/index.html")).unwrap().contains("majority"));
}

#[test]
fn a_page_of_a_single_file_has_its_examples_inside() {
    let folder = folder();
    let path = folder.path();
    let evaluate = ["evaluate", "--data", "corpus.jsonl", "--model", "overlap"];
    let with = |more: &[&str]| run(path, &evaluate.iter().chain(more).copied().collect::<Vec<_>>());
    assert!(with(&["--report", "page", "--single-file"]).status.success());
    assert_eq!(names(&path.join("page")), ["index.html"]);
    let said = String::from_utf8(with(&["--report", "page.html", "--single-file"]).stderr).unwrap();
    assert_eq!(said.lines().last(), Some("report written to page.html"));
    let (file, inside) = (path.join("page.html"), "A dog runs at 11.");
    assert!(fs::read_to_string(&file).unwrap().contains(inside));
    // A file that is not a page of Acidtest is not overwritten.
    fs::write(&file, "mine").unwrap();
    assert_eq!(with(&["--report", "page.html", "--single-file"]).status.code(), Some(1));
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    assert_eq!(with(&["--single-file"]).status.code(), Some(2), "there is no page to put anything into");
}

/// The paragraphs of the verdict of a page that have no link to examples.
fn findings_without_examples(page: &Path) -> Vec<String> {
    let page = fs::read_to_string(page.join("index.html")).unwrap();
    let verdict = page.split_once("<div class=\"verdict\">").unwrap().1.split_once("</div>").unwrap().0;
    let paragraphs = verdict.split("<p>").skip(1).filter(|paragraph| !paragraph.contains("href=\"#examples?"));
    paragraphs.map(|paragraph| paragraph.trim_end_matches("</p>").to_string()).collect()
}

#[test]
fn every_finding_of_a_page_leads_to_its_examples() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let labels = ["entailment", "neutral", "contradiction"];
    let mut corpus = "premise,hypothesis,label,id,genre\n".to_string();
    let mut files = [(); 2].map(|()| "id,label\n".to_string());
    for n in 0..900 {
        let genre = ["fiction", "travel"][usize::from(n % 4 == 0)];
        corpus += &format!("The number {n} man does not sleep in the house.,Man {n} is not at home.,{},{n},{genre}\n", labels[n % 3]);
        // The first model confuses neutral with entailment, the second is often wrong about travel.
        let first = if n % 3 == 1 && n % 2 == 0 { 0 } else { n % 3 };
        let second = if n % 4 == 0 { (n + 1) % 3 } else { first };
        files[0] += &format!("{n},{}\n", labels[first]);
        files[1] += &format!("{n},{}\n", labels[second]);
    }
    fs::write(path.join("c.csv"), corpus).unwrap();
    fs::write(path.join("a.csv"), &files[0]).unwrap();
    fs::write(path.join("b.csv"), &files[1]).unwrap();

    acidtest(path, &["evaluate", "--data", "c.csv", "--predictions", "a.csv", "--by", "genre", "--no-doctor", "--report", "evaluated"]);
    assert_eq!(findings_without_examples(&path.join("evaluated")), Vec::<String>::new());
    let page = fs::read_to_string(path.join("evaluated/index.html")).unwrap();
    assert!(page.contains("<a href=\"#examples?gold=neutral&amp;prediction=entailment\">predicting entailment for neutral</a>"), "{page}");

    acidtest(path, &["compare", "--data", "c.csv", "a.csv", "b.csv", "--by", "genre", "--no-doctor", "--report", "compared"]);
    let [power] = &findings_without_examples(&path.join("compared"))[..] else { panic!("one sentence is not about examples") };
    assert!(power.contains("inimum detectable difference"), "{power}");
    let page = fs::read_to_string(path.join("compared/index.html")).unwrap();
    for link in [
        "#examples?model=a&amp;right=right&amp;b%20is=wrong\">a is significantly better than b<",
        "#examples?model=a&amp;right=right&amp;b%20is=wrong&amp;genre=travel\">a is better than b on travel<",
    ] {
        assert!(page.contains(link), "{link}");
    }

    let challenges = ["--challenge", "negation", "--challenge", "hans", "--set", "hans.per_subcase=2"];
    let run = [&["run", "--data", "c.csv", "--model", "overlap", "--no-doctor", "--report", "run"][..], &challenges].concat();
    acidtest(path, &run);
    assert_eq!(findings_without_examples(&path.join("run")), Vec::<String>::new());
}
