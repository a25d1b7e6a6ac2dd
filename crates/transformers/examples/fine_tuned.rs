//! Fine-tunes a model for a few steps, saves it, and prints its logits as JSON, for `bench/fine_tuned.py`.
//!
//!     cargo run --release -p acidtest-transformers --example fine_tuned -- FOLDER OUTPUT [STEPS] [COPIES]
//!
//! COPIES repeats the built-in pairs in every batch, to measure a step of a usual size.

use acidtest_neural::{Inputs, Optimiser, PairFeatures, Schedule, Trainer, TrainerSettings};
use acidtest_nli::Seed;
use acidtest_threads::Threads;
use acidtest_transformers::{TrainingStart, Transformer};
use std::error::Error;
use std::path::Path;
use std::time::Instant;

const PAIRS: [(&str, &str, usize); 6] = [
    ("A man is playing a guitar on the street.", "A man is outside.", 0),
    ("A woman is on the street, and the dog is sleeping at no cafe.", "The woman is sleeping.", 1),
    ("No dog is playing.", "The dog is playing on a guitar.", 2),
    ("Is the dog playing, or is the woman playing? The man on the street is not at the cafe.", "The players' dog is sleeping.", 1),
    ("The man is not at the cafe.", "The man is at the cafe.", 2),
    ("Two men are playing on the street.", "Men are playing.", 0),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, output, rest @ ..] = arguments.as_slice() else { return Err("expected FOLDER OUTPUT [STEPS] [COPIES]".into()) };
    let number = |place: usize, default: usize| rest.get(place).map_or(Ok(default), |text| text.parse::<usize>());
    let (steps, copies) = (number(0, 3)?, number(1, 1)?);
    let threads = Threads::all_cores()?;
    let mut model =
        Transformer::for_training(Path::new(folder), &TrainingStart { labels: Some(3), ..TrainingStart::new(Seed::new(1)) }, &threads)?;
    eprintln!("initialised: {}", model.initialised().join(", "));
    let features =
        PAIRS.iter().map(|(premise, hypothesis, _)| model.subwords.encode(premise, hypothesis)).collect::<Result<Vec<_>, _>>()?;
    let pairs: Vec<&PairFeatures> = features.iter().cycle().take(copies * features.len()).collect();
    let labels = PAIRS.iter().map(|(_, _, label)| *label).cycle().take(pairs.len()).collect();
    let batch = Inputs::of_pairs(&pairs)?.labelled(labels)?;
    let optimiser: Optimiser = serde_json::from_value(serde_json::json!({"name": "adamw"}))?;
    let schedule = Schedule::linear(0.1, steps.max(1) as u64);
    let settings = TrainerSettings { optimiser, learning_rate: 1e-4, schedule, clip: Some(1.0) };
    let mut trainer = Trainer::new(model.classifier, settings)?;
    let mut fastest = f64::INFINITY;
    for _ in 0..steps {
        let start = Instant::now();
        let loss = trainer.step(&batch)?.loss;
        fastest = fastest.min(start.elapsed().as_secs_f64());
        eprintln!("loss {loss:.4}");
    }
    eprintln!("{} words a batch, fastest step {:.1} ms", batch.words(), fastest * 1e3);
    model.classifier = trainer.into_classifier();
    let before = peak_memory();
    model.save(Path::new(output))?;
    eprintln!("peak memory {before} MB before saving, {} MB after", peak_memory());
    let scores = model.classifier.scores(&features.iter().collect::<Vec<_>>())?;
    let logits: Vec<&[f32]> = (0..scores.rows).map(|row| scores.row(row)).collect();
    let texts = PAIRS.map(|(premise, hypothesis, _)| [premise, hypothesis]);
    println!(
        "{}",
        serde_json::json!({"pairs": texts, "labels": model.outputs.order(), "length": model.subwords.longest(), "logits": logits})
    );
    Ok(())
}

/// In MB; 0 where the system does not say.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}
