//! Measures what it costs to ask another process: pairs per second through a process that only echoes.
//!
//! `cargo run --release -p acidtest-model --example process_throughput -- PAIRS`

use acidtest_model::{AnswerCache, CachedModel, Keep, Model, ProcessModel, ProcessSettings};
use acidtest_nli::{Label, Pair, Prediction};
use std::error::Error;
use std::io::{BufRead, BufReader, BufWriter, Write, stdin, stdout};
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let argument = std::env::args().nth(1).unwrap_or_else(|| "500000".to_string());
    if argument == "echo" {
        return echo();
    }
    let count: usize = argument.parse()?;
    let premises: Vec<String> = (0..count).map(|number| format!("The doctor near the {number} actors saw the tall judge.")).collect();
    let pairs: Vec<Pair<'_>> = premises.iter().map(|premise| Pair::plain(premise, "The actors saw the judge.")).collect();
    let command = format!("'{}' echo", std::env::current_exe()?.display());

    println!("{count} pairs through an echoing process");
    for batch in [64, 256, 4096] {
        let model = ProcessModel::start(&command, ProcessSettings { batch_size: batch, ..Default::default() })?;
        measure(&format!("batch {batch}"), &model, &pairs)?;
    }
    let folder = std::env::temp_dir().join(format!("acidtest-throughput-{}", std::process::id()));
    let model = ProcessModel::start(&command, ProcessSettings::default())?;
    let cached = CachedModel::new(model, AnswerCache::open(&folder, "echo")?, Keep::ForLater);
    measure("batch 256, answers stored", &cached, &pairs)?;
    measure("all from the store", &cached, &pairs)?;
    drop(cached);
    let started = Instant::now();
    let reopened = AnswerCache::open(&folder, "echo")?.len();
    println!("{:<28}{:>10.1} ms for {reopened} answers", "opening the store", started.elapsed().as_secs_f64() * 1e3);
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

fn measure(name: &str, model: &dyn Model, pairs: &[Pair<'_>]) -> Result<(), Box<dyn Error>> {
    let started = Instant::now();
    let answers = model.predictions(pairs)?;
    let seconds = started.elapsed().as_secs_f64();
    let expected = Prediction::of(Label::Entailment);
    if answers.len() != pairs.len() || answers.iter().any(|answer| *answer != expected) {
        return Err("the echo did not answer entailment to every pair".into());
    }
    println!("{name:<28}{:>10.0} pairs/s", pairs.len() as f64 / seconds);
    Ok(())
}

/// Answers every line with its own text and a label, and flushes when there is nothing more to read at once.
fn echo() -> Result<(), Box<dyn Error>> {
    let mut input = BufReader::with_capacity(1 << 16, stdin().lock());
    let mut output = BufWriter::with_capacity(1 << 16, stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        output.write_all(line.trim_ascii_end().strip_suffix(b"}").ok_or("a question ends in `}`")?)?;
        output.write_all(b",\"label\":\"entailment\"}\n")?;
        line.clear();
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
    Ok(())
}
