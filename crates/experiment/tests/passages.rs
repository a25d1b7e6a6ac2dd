//! Challenges that make pairs from single sentences also read word problems and plain texts.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use acidtest_challenge::{CATALOG, Challenge, Mode, Resources};
use acidtest_corpus::{Format, InputFile, ReadOptions};
use acidtest_experiment::spec::UnlabelledRule;
use acidtest_experiment::{Data, Destination, Session, SetToWrite, explain_example, write_sets};
use acidtest_nli::Settings;
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;

const PROBLEMS: &str = concat!(
    r#"{"question": "Deborah bought 48 pens. How many pens has she?", "answer": "She has 48 pens.\n#### 48"}"#,
    "\n",
    r#"{"question": "A ship left London with 240 people. It sank.", "options": ["A)1", "B)2 m"], "rationale": "B", "correct": "B"}"#,
    "\n",
);

fn challenge(name: &str) -> Challenge {
    Challenge::new(CATALOG.find(name).unwrap(), &Settings::default(), Mode::Clean, 1, &Resources::default()).unwrap()
}

fn data(folder: &Path, name: &str, content: &str) -> Data {
    std::fs::write(folder.join(name), content).unwrap();
    Data::Files(vec![InputFile::new(folder.join(name))], ReadOptions::default())
}

/// Writes the sets of these challenges to a folder; in errors, the folder's name is removed.
fn written(folder: &Path, data: &Data, challenges: &[&str]) -> Result<Vec<Value>, String> {
    let challenges: Vec<Challenge> = challenges.iter().map(|name| challenge(name)).collect();
    let paths: Vec<_> = challenges.iter().map(|challenge| folder.join(format!("{}.jsonl", challenge.name()))).collect();
    let to = paths.iter().map(|path| Destination { path, format: Format::ACIDTEST });
    let set = |(challenge, to)| SetToWrite { challenge, to, unlabelled: UnlabelledRule::Drop };
    let sets: Vec<SetToWrite<'_>> = challenges.iter().zip(to).map(set).collect();
    let outcome = write_sets(Some(data), &sets, &Resources::default(), &Session::quiet().unwrap());
    outcome.map_err(|error| error.to_string().replace(&format!("{}/", folder.display()), ""))?;
    Ok(std::fs::read_to_string(&paths[0]).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn word_problems_give_three_pairs_per_usable_sentence() {
    let folder = TempDir::new().unwrap();
    let set = written(folder.path(), &data(folder.path(), "problems.jsonl", PROBLEMS), &["numeric"]).unwrap();
    let labels: Vec<&str> = set.iter().map(|row| row["gold_label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["entailment", "contradiction", "neutral"].repeat(2));
    assert_eq!(set[0]["sentence1"], "Deborah bought 48 pens.");
    assert_eq!((&set[5]["sentence2"], &set[5]["tags"]["number"]), (&"A ship left London with 240 people.".into(), &"240".into()));
    assert_eq!((&set[0]["tags"]["passage"], &set[3]["tags"]["answer"]), (&"gsm8k".into(), &"2 m".into()));
}

#[test]
fn plain_texts_are_read_too() {
    let folder = TempDir::new().unwrap();
    let text = "Deborah left. She bought 48 pens in London.\n\nThe sea was calm.\n";
    assert_eq!(written(folder.path(), &data(folder.path(), "news.txt", text), &["numeric"]).unwrap().len(), 3);
}

#[track_caller]
fn refused(name: &str, content: &str, challenges: &[&str], expected: &str) {
    let folder = TempDir::new().unwrap();
    let data = data(folder.path(), name, content);
    let error = written(folder.path(), &data, challenges).unwrap_err();
    assert!(error.starts_with(expected) && !error.contains('\n'), "{error}");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, [name], "nothing was written");
}

#[test]
fn challenges_that_need_pairs_refuse_texts() {
    refused("p.jsonl", PROBLEMS, &["negation"], "p.jsonl:1: a word problem, without a hypothesis: expected pairs");
    refused("p.jsonl", PROBLEMS, &["numeric", "negation"], "p.jsonl:1: a word problem, without a hypothesis: expected pairs");
    refused("p.txt", "It rains.\n", &["negation"], "p.txt:1: plain text, without a hypothesis: expected pairs");
}

#[test]
fn texts_without_a_usable_sentence_are_refused() {
    let none = "no sentence gives a pair for `numeric`";
    refused("p.txt", "It rains.\nIt snows.\n", &["numeric"], &format!("p.txt: {none} (2: no number); nothing was written"));
    let pair = r#"{"premise": "It rains in 1970.", "hypothesis": "No.", "label": "neutral"}"#;
    refused(
        "p.jsonl",
        pair,
        &["numeric"],
        &format!("p.jsonl: {none} (1: no name of a person, place or organisation; 1: no number); nothing was written"),
    );
    refused("p.jsonl", r#"{"question": "Tom has 5 pens.", "answer": "5"}"#, &["numeric"], "p.jsonl:1: not a word problem of AQuA or GSM8K");
}

#[test]
fn a_text_can_be_explained() {
    let folder = TempDir::new().unwrap();
    let data = data(folder.path(), "p.jsonl", &PROBLEMS.replacen('{', r#"{"id": "7", "#, 1));
    let told = explain_example(&data, &challenge("numeric"), "7/numeric", &Session::quiet().unwrap()).unwrap();
    assert!(told.contains("`48`: made") && told.contains("nothing made: no number"), "{told}");
}
