//! The program that `bench/transformer_speed.py` times: scores pairs of token ids, fine-tunes on them, or says how fast this machine
//! multiplies.
//!
//!     transformer_speed [train | bf16 | int8] FOLDER IDS_FILE ROUNDS THREADS
//!
//! Commands come on standard input, one per line: `sorted` and `file` score all pairs and answer with seconds, `train` (only after the
//! word `train`) fine-tunes on all of them, `logits` answers with a JSON list, `agreement` with the number of pairs that have the
//! predictions of f32, `peak` with the f32 operations per second that the processor can do.

#[path = "../../neural/examples/peak/mod.rs"]
mod peak;

use acidtest_neural::{ComputePrecision, Inputs, Optimiser, PairFeatures, Schedule, Trainer, TrainerSettings};
use acidtest_nli::Seed;
use acidtest_threads::{Grain, Threads, for_each};
use acidtest_transformers::{TrainingStart, Transformer};
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
    #[serde(default)]
    label: usize,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (mode, rest) = match arguments.split_first() {
        Some((first, rest)) if rest.len() == 4 => (first.as_str(), rest),
        _ => ("f32", arguments.as_slice()),
    };
    let [folder, ids_file, _rounds, threads] = rest else {
        bail!("usage: transformer_speed [train | bf16 | int8] FOLDER IDS_FILE ROUNDS THREADS")
    };
    let threads = Threads::new(threads.parse().context("THREADS is a number from 1")?)?;
    let work: Work = serde_json::from_slice(&std::fs::read(ids_file)?)?;
    match mode {
        "train" => time_training(Path::new(folder), work, &threads),
        "bf16" => time_scoring(Path::new(folder), work, ComputePrecision::Bf16, &threads),
        "int8" => time_scoring(Path::new(folder), work, ComputePrecision::Int8, &threads),
        _ => time_scoring(Path::new(folder), work, ComputePrecision::F32, &threads),
    }
}

/// Answers each command with what `answer` says to it.
fn serve(threads: &Threads, mut answer: impl FnMut(&str) -> Result<String>) -> Result<()> {
    for line in std::io::stdin().lock().lines() {
        match line?.trim() {
            "peak" => println!("{}", peak_operations(threads)),
            other => println!("{}", answer(other)?),
        }
        std::io::stdout().flush()?;
    }
    Ok(())
}

fn time_scoring(folder: &Path, work: Work, precision: ComputePrecision, threads: &Threads) -> Result<()> {
    let model = Transformer::open(folder, None, precision, threads)?;
    let Work { pairs, batch } = work;
    let pairs: Vec<PairFeatures> = pairs.into_iter().map(|pair| pair.features(&model)).collect();
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
    serve(threads, |command| match command {
        "file" => score(&all),
        "sorted" => score(&sorted),
        "agreement" => {
            let (own, exact) = (model.classifier.scores(&all)?, model.classifier.scores_in_f32(&all)?);
            Ok((0..own.rows).filter(|&row| highest(own.row(row)) == highest(exact.row(row))).count().to_string())
        }
        "logits" => {
            let scores = model.classifier.scores(&all)?;
            let rows: Vec<&[f32]> = (0..scores.rows).map(|row| scores.row(row)).collect();
            Ok(serde_json::to_string(&rows)?)
        }
        other => bail!("unknown command `{other}`"),
    })
}

/// The place of the highest logit.
fn highest(row: &[f32]) -> usize {
    (0..row.len()).max_by(|&one, &other| row[one].total_cmp(&row[other])).unwrap_or(0)
}

/// One batch after the other, sorted by length, with AdamW at a rate of 2e-5 and a weight decay of 0.01, without clipping.
fn time_training(folder: &Path, work: Work, threads: &Threads) -> Result<()> {
    let start = TrainingStart { labels: Some(3), ..TrainingStart::new(Seed::new(1)) };
    let model = Transformer::for_training(folder, &start, threads)?;
    let Work { pairs, batch } = work;
    let mut pairs: Vec<(usize, PairFeatures)> = pairs.into_iter().map(|pair| (pair.label, pair.features(&model))).collect();
    pairs.sort_by_key(|(_, pair)| pair.words());
    let batches = pairs.chunks(batch.max(1)).map(|batch| {
        let features: Vec<&PairFeatures> = batch.iter().map(|(_, pair)| pair).collect();
        Ok(Inputs::of_pairs(&features)?.labelled(batch.iter().map(|(label, _)| *label).collect())?)
    });
    let batches = batches.collect::<Result<Vec<Inputs>>>()?;
    let optimiser: Optimiser = serde_json::from_value(serde_json::json!({"name": "adamw"}))?;
    let settings = TrainerSettings { optimiser, learning_rate: 2e-5, schedule: Schedule::Constant, clip: None };
    let mut trainer = Trainer::new(model.classifier, settings)?;
    serve(threads, |command| {
        if command != "train" {
            bail!("unknown command `{command}`");
        }
        let start = Instant::now();
        for batch in &batches {
            trainer.step(batch)?;
        }
        Ok(start.elapsed().as_secs_f64().to_string())
    })
}

impl IdPair {
    fn features(self, model: &Transformer) -> PairFeatures {
        let types = self.type_ids.unwrap_or_else(|| vec![0; self.ids.len()]);
        model.subwords.of_ids(self.ids, types)
    }
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
