//! The Rust side of `bench/neural_accuracy.py`: trains a network from given weights on given batches and prints the accuracy after each epoch.
//!
//! `accuracy SETTINGS.json WEIGHTS.safetensors WORK.json`

use acidtest_neural::{Batch, Network, Settings, Trainer, Training};
use std::path::Path;

#[derive(serde::Deserialize)]
struct Work {
    training: Training,
    train: Pairs,
    dev: Pairs,
    /// For each epoch its batches, each a list of rows of `train`.
    epochs: Vec<Vec<Vec<usize>>>,
}

#[derive(serde::Deserialize)]
struct Pairs {
    premises: Vec<Vec<u32>>,
    hypotheses: Vec<Vec<u32>>,
    labels: Vec<usize>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, settings, weights, work] = &arguments[..] else {
        return Err("usage: accuracy SETTINGS.json WEIGHTS.safetensors WORK.json".into());
    };
    let settings = Settings::from_json(&std::fs::read_to_string(settings)?)?;
    let work: Work = serde_json::from_str(&std::fs::read_to_string(work)?)?;
    let mut trainer = Trainer::new(Network::load(&settings, Path::new(weights))?, work.training)?;
    for epoch in &work.epochs {
        for rows in epoch {
            let side = |sentences: &[Vec<u32>]| -> Vec<Vec<u32>> { rows.iter().map(|&row| sentences[row].clone()).collect() };
            let labels: Vec<usize> = rows.iter().map(|&row| work.train.labels[row]).collect();
            trainer.step(&Batch::new(&side(&work.train.premises), &side(&work.train.hypotheses), &labels)?)?;
        }
        let accuracy = accuracy(trainer.network(), &work.dev)?;
        println!("{accuracy}");
        trainer.end_epoch(accuracy);
    }
    Ok(())
}

/// The share of pairs whose highest score is that of their label.
fn accuracy(network: &Network, pairs: &Pairs) -> Result<f64, acidtest_neural::Error> {
    let scores = network.scores_of_many(&pairs.premises, &pairs.hypotheses)?;
    let answer = |scores: &[f32; 3]| (0..3).max_by(|&left, &right| scores[left].total_cmp(&scores[right])).unwrap_or(0);
    let right = scores.iter().zip(&pairs.labels).filter(|(scores, label)| answer(scores) == **label).count();
    Ok(right as f64 / scores.len() as f64)
}
