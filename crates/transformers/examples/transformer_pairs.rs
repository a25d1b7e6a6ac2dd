//! The program that `bench/transformer_check.py` compares with PyTorch and transformers: prints what a model reads and gives for pairs.
//!
//!     transformer_pairs FOLDER < PAIRS
//!
//! Every line of the input is a JSON object with `premise` and `hypothesis`. The first line of the output has the milliseconds that
//! opening the folder took; every other line has the token ids of a pair, whether it was truncated, and its logits.

use acidtest_neural::{Column, ComputePrecision, PairFeatures};
use acidtest_threads::Threads;
use acidtest_transformers::Transformer;
use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::json;
use std::io::BufRead;
use std::path::Path;
use std::time::Instant;

#[derive(Deserialize)]
struct TextPair {
    premise: String,
    hypothesis: String,
}

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).context("usage: transformer_pairs FOLDER < PAIRS")?;
    let threads = Threads::all_cores()?;
    let start = Instant::now();
    let model = Transformer::open(Path::new(&folder), None, ComputePrecision::F32, &threads)?;
    println!("{}", json!({ "milliseconds": start.elapsed().as_secs_f64() * 1e3, "length": model.subwords.longest() }));
    let mut features = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let TextPair { premise, hypothesis } = serde_json::from_str(&line?)?;
        features.push(model.subwords.encode(&premise, &hypothesis)?);
    }
    let scores = model.classifier.scores(&features.iter().collect::<Vec<&PairFeatures>>())?;
    for (row, features) in features.iter().enumerate() {
        let (_, Column::Ids(ids)) = &features.sentences[0].columns[0] else { continue };
        println!("{}", json!({ "ids": ids, "truncated": features.truncated, "logits": scores.row(row) }));
    }
    Ok(())
}
