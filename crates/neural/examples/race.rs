//! The Rust side of `bench/neural.py`: reads a command a line, answers with a number a line.
//!
//! `race SETTINGS.json BATCHES.json`, then one command per line: `train N` (seconds to train on the first N batches), `score N` (seconds
//! to score the pairs of the first N batches in one call), `score-batches N` (the same, batch by batch), `memory` (peak bytes), `peak N`
//! (seconds for N billion multiply-add operations in registers, on one thread).

mod peak;

use acidtest_neural::featurizers::words::pair_of_ids;
use acidtest_neural::{Classifier, Definition, Embeddings, Inputs, NetworkSettings, PairFeatures, Sizes, Trainer, TrainerSettings};
use acidtest_nli::Seed;
use acidtest_threads::Threads;
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

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, settings, work] = &arguments[..] else { return Err("usage: race SETTINGS.json BATCHES.json".into()) };
    let settings = NetworkSettings::from_json(&std::fs::read_to_string(settings)?)?;
    let work: Work = serde_json::from_str(&std::fs::read_to_string(work)?)?;
    let sizes = Sizes::new([("words", work.vocabulary), ("dimension", work.dimension)]);
    let definition = Definition { settings, sizes, classes: 3 };
    let batches: Vec<Batch> = work.batches.iter().map(Batch::of).collect::<Result<_, _>>()?;
    // The benchmark sets `RAYON_NUM_THREADS` to give both sides the same number of threads.
    let count = std::env::var("RAYON_NUM_THREADS").ok().and_then(|count| count.parse().ok());
    let threads = count.map_or_else(Threads::all_cores, Threads::new)?;
    let network = Classifier::new(&definition, Some(&Embeddings::random(work.dimension)), Seed::new(1), &threads)?;
    let mut trainer = Trainer::new(network, TrainerSettings::default())?;
    // Train inside the pool, as a training program would, so that steps do not have to switch threads.
    threads.run(|| answer(&mut trainer, &batches))?;
    Ok(())
}

/// The pairs of a batch, and the same batch as network inputs.
struct Batch {
    pairs: Vec<PairFeatures>,
    inputs: Inputs,
}

impl Batch {
    fn of(pairs: &Pairs) -> Result<Self, acidtest_neural::NeuralError> {
        let features = pairs.premises.iter().zip(&pairs.hypotheses).map(|(premise, hypothesis)| pair_of_ids(premise, hypothesis));
        let features: Vec<PairFeatures> = features.collect();
        let inputs = Inputs::of_pairs(&features.iter().collect::<Vec<_>>())?.labelled(pairs.labels.clone())?;
        Ok(Batch { pairs: features, inputs })
    }
}

fn answer(trainer: &mut Trainer, batches: &[Batch]) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (command, count) = line.split_once(' ').unwrap_or((&line, "0"));
        let count: usize = count.parse()?;
        let start = Instant::now();
        match command {
            "train" => {
                for batch in batches.iter().cycle().take(count) {
                    trainer.step(&batch.inputs)?;
                }
                println!("{}", start.elapsed().as_secs_f64());
            }
            "score" => {
                let pairs: Vec<&PairFeatures> = batches.iter().take(count).flat_map(|batch| &batch.pairs).collect();
                trainer.classifier().scores(&pairs)?;
                println!("{}", start.elapsed().as_secs_f64());
            }
            "score-batches" => {
                for batch in batches.iter().cycle().take(count) {
                    trainer.classifier().scores_of_batch(&batch.inputs)?;
                }
                println!("{}", start.elapsed().as_secs_f64());
            }
            "memory" => println!("{}", peak_memory()),
            "peak" => {
                (0..count).for_each(|_| peak::billion_operations());
                println!("{}", start.elapsed().as_secs_f64());
            }
            other => return Err(format!("no command `{other}`").into()),
        }
    }
    Ok(())
}

/// The peak resident memory of the process on Linux; 0 elsewhere.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    line.split_whitespace().next().and_then(|number| number.parse::<u64>().ok()).unwrap_or(0) * 1024
}
