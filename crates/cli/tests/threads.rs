//! `--threads 1` uses one thread in every verb: processor time never exceeds running time.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::acidtest;
use std::fs;
use std::path::Path;

/// Processor seconds of finished child processes, from Linux's `/proc`.
fn child_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    // The name of the program, in brackets, may contain blanks.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks: f64 = fields[13].parse::<f64>().unwrap() + fields[14].parse::<f64>().unwrap();
    ticks / 100.0
}

/// Processor seconds and wall seconds of a command.
fn measured(folder: &Path, arguments: &[&str]) -> (f64, f64) {
    let (before, started) = (child_seconds(), std::time::Instant::now());
    acidtest(folder, arguments);
    let wall = started.elapsed().as_secs_f64();
    (child_seconds() - before, wall)
}

#[test]
fn one_thread_is_one_busy_thread() {
    let folder = tempfile::tempdir().unwrap();
    let sample = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/data/sample.jsonl")).unwrap();
    // Large enough that every command runs for a while; ids stay unique.
    let copies =
        (0..20).flat_map(|copy| sample.lines().map(move |line| line.replace("\"pairID\": \"", &format!("\"pairID\": \"{copy}-")) + "\n"));
    fs::write(folder.path().join("in.jsonl"), copies.collect::<String>()).unwrap();
    let texts = sample.lines().filter_map(|line| line.split("\"sentence1\": \"").nth(1)?.split('"').next());
    fs::write(folder.path().join("text.txt"), texts.map(|text| format!("{text}\n")).collect::<String>()).unwrap();
    let train = ["train", "--model", "lexical", "--train", "in.jsonl", "-o", "words", "--set", "folds=2", "--threads", "1"];
    let commands: [&[&str]; 16] = [
        &train,
        &["train", "--model", "esim", "--train", "in.jsonl", "-o", "esim", "--set", "hidden=32", "--set", "epochs=1", "--threads", "1"],
        &["run", "--data", "in.jsonl", "--model", "esim-small", "--challenge", "negation,hans", "--lexical", "words", "--threads", "1"],
        &["evaluate", "--data", "in.jsonl", "--model", "words", "--lexical", "words", "--threads", "1"],
        &["corpus", "audit", "in.jsonl", "--threads", "1"],
        &["predict", "--data", "in.jsonl", "--model", "esim-small", "-o", "answers.jsonl", "--threads", "1"],
        &["compare", "--data", "in.jsonl", "answers.jsonl", "words", "--threads", "1"],
        &["doctor", "--data", "in.jsonl", "--predictions", "answers.jsonl", "--threads", "1"],
        &["lexical", "score", "in.jsonl", "--model", "words", "--threads", "1"],
        &["lexical", "explain", "--model", "words", "in.jsonl", "-o", "why.txt", "--threads", "1"],
        &["analyze", "text.txt", "--threads", "1"],
        &["corpus", "stats", "in.jsonl", "--threads", "1"],
        &["corpus", "tags", "in.jsonl", "--threads", "1"],
        &["corpus", "sample", "100", "in.jsonl", "-o", "drawn.jsonl", "--threads", "1"],
        &["corpus", "split", "in.jsonl", "--by", "genre", "-o", "parts", "--threads", "1"],
        &["challenge", "all", "--from", "in.jsonl", "-o", "sets", "--threads", "1"],
    ];
    for command in commands {
        let (processor, wall) = measured(folder.path(), command);
        // User and system time have a resolution of 10 ms, so short commands may seem to take a few ticks longer.
        assert!(processor < 1.1 * wall + 0.03, "{command:?}: the processor was busy for {processor:.2} s of {wall:.2} s");
    }
}
