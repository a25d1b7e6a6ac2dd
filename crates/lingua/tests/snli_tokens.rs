//! Compares the tokenizer with the leaves of SNLI's parses.

use acidtest_lingua::tokens::penn_leaves;
use flate2::read::GzDecoder;
use std::{
    collections::BTreeSet,
    fs::File,
    io::{BufRead, BufReader},
    path::PathBuf,
};

fn data(name: &str) -> PathBuf {
    let folder = std::env::var_os("ACIDTEST_DATA").map_or_else(|| PathBuf::from("../../../shared/data"), PathBuf::from);
    folder.join(name)
}

#[test]
fn snli_sentences_are_tokenised_like_their_parses() {
    let path = data("snli/snli_1.0_test_even.jsonl.gz");
    let Ok(file) = File::open(&path) else {
        println!("skipped: {} is not there (set ACIDTEST_DATA)", path.display());
        return;
    };
    let mut pairs = BTreeSet::new();
    for line in BufReader::new(GzDecoder::new(file)).lines() {
        let row: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        for side in ["sentence1", "sentence2"] {
            let parse = row[format!("{side}_parse")].as_str().unwrap();
            let leaves: Vec<&str> = parse.split_whitespace().filter_map(|part| part.split_once(')').map(|(leaf, _)| leaf)).collect();
            pairs.insert((row[side].as_str().unwrap().to_owned(), leaves.join(" ")));
        }
    }
    let wrong: Vec<_> = pairs.iter().filter(|(text, leaves)| penn_leaves(text).join(" ") != *leaves).collect();
    for (text, leaves) in wrong.iter().take(30) {
        println!("ours:   {}\nleaves: {leaves}\n", penn_leaves(text).join(" "));
    }
    let share = 100.0 * (1.0 - wrong.len() as f64 / pairs.len() as f64);
    println!("{share:.2} % of {} sentences are cut as in their parse", pairs.len());
    assert!(share >= 99.9, "only {share:.2} %");
}
