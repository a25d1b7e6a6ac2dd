//! The Rust side of `bench/neural.py`: reads a command a line, answers with a number a line.
//!
//! `race SETTINGS.json BATCHES.json`; commands: `train N`, `score N` (seconds for the first N batches), `memory` (peak bytes),
//! `peak N` (seconds for N times a billion operations of the innermost loop in one thread).

use acidtest_neural::matrix::Matrix;
use acidtest_neural::product::{Packed, Sum, product};
use acidtest_neural::{Batch, Embeddings, Network, Settings, Trainer, Training};
use acidtest_nli::Seed;
use std::io::BufRead;
use std::time::Instant;

#[derive(serde::Deserialize)]
struct Work {
    vocabulary: usize,
    dimension: usize,
    batches: Vec<Pairs>,
}

#[derive(serde::Deserialize)]
struct Pairs {
    premises: Vec<Vec<u32>>,
    hypotheses: Vec<Vec<u32>>,
    labels: Vec<usize>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, settings, work] = &arguments[..] else { return Err("usage: race SETTINGS.json BATCHES.json".into()) };
    let settings = Settings::from_json(&std::fs::read_to_string(settings)?)?;
    let work: Work = serde_json::from_str(&std::fs::read_to_string(work)?)?;
    let batches: Vec<Batch> =
        work.batches.iter().map(|pairs| Batch::new(&pairs.premises, &pairs.hypotheses, &pairs.labels)).collect::<Result<_, _>>()?;
    let network = Network::new(&settings, work.vocabulary, &Embeddings::random(work.dimension), Seed::new(1))?;
    let mut trainer = Trainer::new(network, Training::default())?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (command, count) = line.split_once(' ').unwrap_or((&line, "0"));
        let count: usize = count.parse()?;
        let start = Instant::now();
        match command {
            "train" => {
                for batch in batches.iter().cycle().take(count) {
                    trainer.step(batch)?;
                }
                println!("{}", start.elapsed().as_secs_f64());
            }
            "score" => {
                for batch in batches.iter().cycle().take(count) {
                    trainer.network().scores(batch)?;
                }
                println!("{}", start.elapsed().as_secs_f64());
            }
            "memory" => println!("{}", peak_memory()),
            "peak" => {
                (0..count).for_each(|_| billion_operations());
                println!("{}", start.elapsed().as_secs_f64());
            }
            other => return Err(format!("no command `{other}`").into()),
        }
    }
    Ok(())
}

/// The most memory the process has ever held, as Linux counts it; 0 elsewhere.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    line.split_whitespace().next().and_then(|number| number.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// A product that never leaves the nearest cache, again and again.
fn billion_operations() {
    let (rows, depth, columns) = (8, 125, 48);
    let left = Matrix::from_vec(rows, depth, vec![0.5; rows * depth]);
    let packed = Packed::new(Matrix::from_vec(depth, columns, vec![0.25; depth * columns]).view());
    let mut output = Matrix::zeros(rows, columns);
    let repeats = 1_000_000_000 / (2 * rows * depth * columns);
    (0..repeats).for_each(|_| product(left.view(), &packed, output.view_mut(), Sum::Replace));
}
