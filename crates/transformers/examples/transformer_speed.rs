//! The program that `bench/transformer_speed.py` times: scores pairs of token ids, or says how fast this machine multiplies.
//!
//!     transformer_speed FOLDER IDS_FILE ROUNDS THREADS
//!
//! Commands come on standard input, one per line: `sorted` and `file` score all pairs and answer with seconds, `logits` with a JSON list,
//! `peak` with the f32 operations per second that the processor can do.

#[path = "../../neural/examples/peak/mod.rs"]
mod peak;

use acidtest_neural::{ComputePrecision, PairFeatures};
use acidtest_threads::{Grain, Threads, for_each};
use acidtest_transformers::Transformer;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Instant;

#[derive(Deserialize)]
struct Work {
    pairs: Vec<IdPair>,
    batch: usize,
}

#[derive(Deserialize)]
struct IdPair {
    ids: Vec<u32>,
    type_ids: Option<Vec<u32>>,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, ids_file, _rounds, threads] = arguments.as_slice() else {
        bail!("usage: transformer_speed FOLDER IDS_FILE ROUNDS THREADS")
    };
    let threads = Threads::new(threads.parse().context("THREADS is a number from 1")?)?;
    let model = Transformer::open(Path::new(folder), None, ComputePrecision::F32, &threads)?;
    let Work { pairs, batch }: Work = serde_json::from_slice(&std::fs::read(ids_file)?)?;
    let pairs: Vec<PairFeatures> = pairs
        .into_iter()
        .map(|IdPair { ids, type_ids }| {
            let types = type_ids.unwrap_or_else(|| vec![0; ids.len()]);
            model.subwords.of_ids(ids, types)
        })
        .collect();
    let all: Vec<&PairFeatures> = pairs.iter().collect();
    let mut sorted = all.clone();
    sorted.sort_by_key(|pair| pair.words());
    let score = |pairs: &[&PairFeatures]| -> Result<String> {
        let start = Instant::now();
        for batch in pairs.chunks(batch.max(1)) {
            model.classifier.scores(batch)?;
        }
        Ok(start.elapsed().as_secs_f64().to_string())
    };
    for line in std::io::stdin().lock().lines() {
        let answer = match line?.trim() {
            "file" => score(&all)?,
            "sorted" => score(&sorted)?,
            "logits" => {
                let scores = model.classifier.scores(&all)?;
                let rows: Vec<&[f32]> = (0..scores.rows).map(|row| scores.row(row)).collect();
                serde_json::to_string(&rows)?
            }
            "peak" => peak_operations(&threads).to_string(),
            other => bail!("unknown command `{other}`"),
        };
        println!("{answer}");
        std::io::stdout().flush()?;
    }
    Ok(())
}

/// The f32 operations per second of all threads together, at best.
fn peak_operations(threads: &Threads) -> f64 {
    let jobs: Vec<()> = vec![(); threads.count()];
    let seconds = (0..20).map(|_| {
        let start = Instant::now();
        threads.run(|| for_each(jobs.clone(), Grain::Single, |()| peak::billion_operations()));
        start.elapsed().as_secs_f64()
    });
    threads.count() as f64 * 1e9 / seconds.fold(f64::INFINITY, f64::min)
}
