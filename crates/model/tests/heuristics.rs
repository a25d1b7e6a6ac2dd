//! The heuristics on the real corpora.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use acidtest_model::heuristic::{HEURISTICS, HypothesisOnly};
use acidtest_nli::{Judgment, LabelNames, Pair, Sentence};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

/// The lines of a corpus; none, with a message, if it is missing.
fn data(file: &str) -> Option<impl Iterator<Item = String>> {
    let folder = std::env::var_os("ACIDTEST_DATA").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")));
    if !folder.is_dir() {
        eprintln!("skipped: there is no data folder at {} (set ACIDTEST_DATA)", folder.display());
        return None;
    }
    Some(BufReader::new(GzDecoder::new(File::open(folder.join(file)).unwrap())).lines().map(Result::unwrap))
}

/// Pairs of JSON lines with their gold labels.
fn labelled(lines: impl Iterator<Item = String>, label: &str) -> Vec<(Pair<'static>, Judgment)> {
    let text = |row: &Value, names: [&str; 2]| names.iter().find_map(|name| row[name].as_str()).unwrap_or_default().to_string();
    let mut rows = Vec::new();
    for line in lines {
        let row: Value = serde_json::from_str(&line).unwrap();
        let Some(gold) = LabelNames::default().gold(row[label].as_str().unwrap()).unwrap() else { continue };
        let premise = Sentence {
            parse: row["sentence1_parse"].as_str().map(|parse| parse.to_string().into()),
            ..Sentence::plain(text(&row, ["sentence1", "premise"]))
        };
        rows.push((Pair { id: "".into(), premise, hypothesis: Sentence::plain(text(&row, ["sentence2", "hypothesis"])) }, gold));
    }
    rows
}

/// How often a heuristic applies, and how often it is then correct.
fn tally(heuristic: &str, rows: &[(Pair<'_>, Judgment)]) -> (usize, usize) {
    let heuristic = HEURISTICS.find(heuristic).unwrap();
    let answered: Vec<bool> = rows.iter().filter_map(|(pair, gold)| Some((heuristic.answer)(pair)? == *gold)).collect();
    (answered.len(), answered.iter().filter(|&&right| right).count())
}

#[test]
fn the_overlap_heuristics_apply_to_hans_as_annotated() {
    let Some(lines) = data("hans/heuristics_evaluation_set.txt.gz") else { return };
    let overlap = HEURISTICS.find("lexical-overlap").unwrap();
    let subsequence = HEURISTICS.find("subsequence").unwrap();
    let (mut rows, mut missed) = (0, Vec::new());
    for line in lines.skip(1) {
        let [_, premise, hypothesis, _, heuristic, ..] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let pair = Pair::plain(premise, hypothesis);
        rows += 1;
        if (overlap.answer)(&pair).is_none() || (heuristic != "lexical_overlap" && (subsequence.answer)(&pair).is_none()) {
            missed.push(line);
        }
    }
    assert_eq!((rows, missed), (30_000, Vec::<String>::new()));
}

#[test]
fn counts_on_mnli_dev() {
    let Some(lines) = data("mnli/mnli_dev_matched.jsonl.gz") else { return };
    let rows = labelled(lines, "gold_label");
    let found = ["lexical-overlap", "subsequence", "constituent", "negation-word", "length"].map(|name| tally(name, &rows));
    // Counted independently with regular expressions over the same files, except constituents, which come from our own parser where there is no parse.
    let [overlap, subsequence, constituent, negation, length] = found;
    assert_eq!([overlap, subsequence, negation, length], [(237, 210), (71, 69), (2142, 1205), (1682, 747)]);
    assert!(constituent.0 > 10 && constituent.0 <= subsequence.0, "{constituent:?} among {subsequence:?}");
}

#[test]
fn counts_on_snli_test_with_its_parses() {
    let Some(lines) = data("snli/snli_1.0_test_even.jsonl.gz") else { return };
    let rows = labelled(lines, "gold_label");
    let found = ["lexical-overlap", "subsequence", "constituent", "negation-word", "length"].map(|name| tally(name, &rows));
    assert_eq!(found, [(180, 179), (41, 40), (4, 4), (106, 73), (519, 267)]);
}

#[test]
fn the_hypothesis_only_heuristic_is_far_above_chance() {
    let (Some(train), Some(dev)) = (data("snli/snli_1.0_train_100k.jsonl.gz"), data("snli/snli_1.0_dev_text.jsonl.gz")) else { return };
    let train = labelled(train.take(30_000), "gold_label");
    let model = HypothesisOnly::fit(train.iter().filter_map(|(pair, gold)| Some((pair.hypothesis.text.as_ref(), gold.label()?)))).unwrap();
    let dev = labelled(dev, "label");
    let right = dev.iter().filter(|(pair, gold)| model.answer(pair) == Some(*gold)).count();
    let share = right as f64 / dev.len() as f64;
    assert!(share > 0.55, "{share}");
}
