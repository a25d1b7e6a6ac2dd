//! The Rust side of `bench/neural_accuracy.py`: trains a network from given weights on given batches and prints the accuracy after each epoch.
//!
//! `accuracy SETTINGS.json WEIGHTS.safetensors WORK.json`

use acidtest_neural::featurizers::words::pair_of_ids;
use acidtest_neural::{Classifier, Definition, Inputs, NetworkSettings, PairFeatures, Sizes, Trainer, TrainerSettings};
use acidtest_threads::Threads;
use std::path::Path;

#[derive(serde::Deserialize)]
struct Work {
    training: TrainerSettings,
    train: Pairs,
    dev: Pairs,
    /// The batches of each epoch, each a list of indices into `train`.
    epochs: Vec<Vec<Vec<usize>>>,
}

#[derive(serde::Deserialize)]
struct Pairs {
    premises: Vec<Vec<u32>>,
    hypotheses: Vec<Vec<u32>>,
    labels: Vec<usize>,
}

impl Pairs {
    fn features(&self) -> Vec<PairFeatures> {
        self.premises.iter().zip(&self.hypotheses).map(|(premise, hypothesis)| pair_of_ids(premise, hypothesis)).collect()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, settings, weights, work] = &arguments[..] else {
        return Err("usage: accuracy SETTINGS.json WEIGHTS.safetensors WORK.json".into());
    };
    let settings = NetworkSettings::from_json(&std::fs::read_to_string(settings)?)?;
    let work: Work = serde_json::from_str(&std::fs::read_to_string(work)?)?;
    let bytes = std::fs::read(weights)?;
    let shape = safetensors::SafeTensors::deserialize(&bytes)?.tensor("embeddings")?.shape().to_vec();
    let definition = Definition { settings, sizes: Sizes::new([("words", shape[0]), ("dimension", shape[1])]), classes: 3 };
    let classifier = Classifier::from_bytes(&definition, &bytes, Path::new(weights), &Threads::all_cores()?)?;
    let mut trainer = Trainer::new(classifier, work.training)?;
    let (train, dev) = (work.train.features(), work.dev.features());
    for epoch in &work.epochs {
        for rows in epoch {
            let labels: Vec<usize> = rows.iter().map(|&row| work.train.labels[row]).collect();
            let pairs: Vec<&PairFeatures> = rows.iter().map(|&row| &train[row]).collect();
            trainer.step(&Inputs::of_pairs(&pairs)?.labelled(labels)?)?;
        }
        let accuracy = accuracy(trainer.classifier(), &dev, &work.dev.labels)?;
        println!("{accuracy}");
        trainer.end_epoch(accuracy);
    }
    Ok(())
}

/// Accuracy: the share of pairs whose highest score is that of the gold label.
fn accuracy(network: &Classifier, pairs: &[PairFeatures], labels: &[usize]) -> Result<f64, acidtest_neural::NeuralError> {
    let scores = network.scores(&pairs.iter().collect::<Vec<_>>())?;
    let answer = |scores: &[f32]| (0..3).max_by(|&left, &right| scores[left].total_cmp(&scores[right])).unwrap_or(0);
    let right = labels.iter().enumerate().filter(|(pair, label)| answer(scores.row(*pair)) == **label).count();
    Ok(right as f64 / labels.len() as f64)
}
