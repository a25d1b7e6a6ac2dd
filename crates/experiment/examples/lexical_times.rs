//! Times the parts of the lexical model for `bench/lexical.py` and prints one line of JSON.

use acidtest_corpus::{InputFile, ReadOptions, read_all};
use acidtest_model::lexical::{LexicalSettings, LexicalTrainer, TrainedLexicalModel, Variant};
use acidtest_model::{LexicalModel, Model};
use acidtest_nli::{Pair, Seed};
use acidtest_threads::Threads;
use std::error::Error;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        // How many passes are needed for an accuracy on dev.
        ["passes", train, dev, penalty, accuracy] => {
            let settings = LexicalSettings { penalty: Some(penalty.parse()?), target_accuracy: accuracy.parse()?, ..Default::default() };
            println!("{{\"passes\": {}}}", trained(train, dev, settings)?.0.passes);
        }
        // The time of training alone, after feature extraction; 0 passes for training to convergence.
        ["fit", train, dev, penalty, passes] => {
            let settings = LexicalSettings { penalty: Some(penalty.parse()?), epochs: passes.parse()?, ..Default::default() };
            let (trained, seconds) = trained(train, dev, settings)?;
            println!("{{\"fit_seconds\": {seconds}, \"passes\": {}}}", trained.passes);
        }
        ["score", folder, data, threads] => {
            let threads = Threads::new(threads.parse()?)?;
            let model = LexicalModel::load(Path::new(folder))?.on(&threads);
            let rows = read_all(vec![InputFile::new(data)], ReadOptions::default(), &threads)?.examples;
            let pairs: Vec<Pair<'_>> = rows.into_iter().map(|row| row.pair).collect();
            // Warm up the threads, which in the program run before the first block.
            model.predictions(&pairs[..pairs.len().min(1000)])?;
            let started = Instant::now();
            let answers = std::hint::black_box(model.predictions(&pairs)?);
            println!("{{\"pairs_a_second\": {}}}", answers.len() as f64 / started.elapsed().as_secs_f64());
        }
        ["load", folder] => {
            let started = Instant::now();
            let model = LexicalModel::load(Path::new(folder))?;
            let time = started.elapsed().as_secs_f64() * 1e3;
            println!("{{\"load_milliseconds\": {time}, \"rows\": {}}}", model.about().training.rows);
        }
        _ => return Err("expected passes, fit, score or load with their arguments; see bench/lexical.py".into()),
    }
    Ok(())
}

/// The model, and the training time in seconds after all rows were read.
fn trained(train: &str, dev: &str, settings: LexicalSettings) -> Result<(TrainedLexicalModel, f64), Box<dyn Error>> {
    let mut trainer = LexicalTrainer::new(Variant::Lexical, settings, Seed::new(1))?;
    let batch = |path: &str| -> Result<_, Box<dyn Error>> {
        let mut batch = trainer.batch();
        for row in read_all(vec![InputFile::new(path)], ReadOptions::default(), &Threads::all_cores()?)?.examples {
            batch.add(&row.pair, row.gold.and_then(|gold| gold.label()));
        }
        Ok(batch)
    };
    let (train, dev) = (batch(train)?, batch(dev)?);
    trainer.learn(&train);
    trainer.hold_out(dev);
    let started = Instant::now();
    let trained = trainer.train(&Threads::new(NonZeroUsize::MIN)?, &|_| (), &|| false)?;
    Ok((trained, started.elapsed().as_secs_f64()))
}
