//! `acidtest train`, undisturbed and killed.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use acidtest_experiment::open_model;
use acidtest_files::{ContentHash, seal_json};
use acidtest_threads::Threads;
use common::{acidtest, run};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The message of a command that must be refused.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

/// A folder with two corpora in which the last word of the hypothesis determines the label.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let row = |n: usize| {
        let (ending, label) = [("outside", "entailment"), ("tall", "neutral"), ("asleep", "contradiction"), ("sad", "-")][n % 4];
        let who = ["dog", "man", "girl", "boy", "cat", "woman", "child"][n % 7];
        let place = ["park", "street", "garden", "yard", "square"][n % 5];
        format!(
            "{{\"pairID\": \"{n}\", \"sentence1\": \"A {who} runs in the {place} at {n} o'clock.\", \"sentence2\": \"The {who} is {ending}.\", \"gold_label\": \"{label}\"}}\n"
        )
    };
    fs::write(folder.path().join("train.jsonl"), (0..400).map(row).collect::<String>()).unwrap();
    fs::write(folder.path().join("mix.jsonl"), (1000..1200).map(row).collect::<String>()).unwrap();
    fs::write(folder.path().join("dev.jsonl"), (2000..2080).map(row).collect::<String>()).unwrap();
    fs::write(folder.path().join("vectors.txt"), "dog 0.1 0.2 0.3\nthe 0.5 -0.5 0.25\nzebra 1 2 3\n").unwrap();
    folder
}

const SMALL: [&str; 12] = [
    "--set",
    "hidden=6",
    "--set",
    "epochs=4",
    "--set",
    "learning_rate=0.02",
    "--set",
    "dropout=0.1",
    "--set",
    "batch_size=16",
    "--set",
    "patience=2",
];

fn train<'a>(model: &'a str, output: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["train", "--model", model, "--train", "train.jsonl", "--dev", "dev.jsonl", "-o", output];
    // A setting may be given only once, so a test's value replaces the small default.
    let key = |setting: &str| setting.split_once('=').map(|(key, _)| key.to_string());
    for pair in SMALL.chunks(2).filter(|pair| !more.iter().any(|given| key(given).is_some() && key(given) == key(pair[1]))) {
        arguments.extend(pair);
    }
    arguments.extend(more);
    arguments
}

fn weights(folder: &Path, model: &str) -> Vec<u8> {
    fs::read(folder.join(model).join("weights.safetensors")).unwrap()
}

#[test]
fn every_network_learns_and_its_folder_can_predict() {
    let folder = folder();
    let path = folder.path();
    let networks = acidtest_experiment::TRAINABLE.names().into_iter().filter(|name| acidtest_model::lexical::CATALOG.get(name).is_none());
    for name in networks {
        acidtest(path, &train(name, name, &["--embeddings", "vectors.txt"]));
        let about: serde_json::Value = serde_json::from_str(&fs::read_to_string(path.join(name).join("model.json")).unwrap()).unwrap();
        assert!(about["dev_accuracy"].as_f64().unwrap() > 0.8, "{name}: {about}");
        assert_eq!(about["data"][0]["unlabelled"], 100);
        let table = acidtest(path, &["evaluate", "--data", "dev.jsonl", "--model", name, "--format", "csv"]);
        let line = table.lines().find(|line| line.starts_with("overall,original,accuracy,")).unwrap();
        let told: f64 = line.split(',').nth(3).unwrap().parse().unwrap();
        assert!((told - about["dev_accuracy"].as_f64().unwrap()).abs() < 1e-9, "{name}: {line}");
        let log = fs::read_to_string(path.join(name).join("log.jsonl")).unwrap();
        assert!(log.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()) && log.contains("dev_accuracy"));
        assert!(fs::read_to_string(path.join(name).join("training.html")).unwrap().contains("polyline"));
    }
}

#[test]
fn a_model_json_begins_with_the_models_name() {
    let folder = folder();
    acidtest(folder.path(), &train("cbow", "model", &[]));
    let about = fs::read_to_string(folder.path().join("model/model.json")).unwrap();
    assert!(about.starts_with("{\n  \"model\": \"cbow\","), "{about}");
    let vocabulary = fs::read_to_string(folder.path().join("model/vocabulary.txt")).unwrap();
    // A word that occurs once and has no vector is unknown.
    assert!(vocabulary.lines().any(|word| word == "garden") && !vocabulary.lines().any(|word| word == "399"), "{vocabulary}");
    let left: Vec<String> =
        fs::read_dir(folder.path().join("model")).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(left.len(), 6, "{left:?}");
}

/// Starts the training, kills it some time after `until` is true, and returns whether it was still running.
fn killed(folder: &Path, arguments: &[&str], until: impl Fn() -> bool, after: Duration) -> bool {
    let mut child = Command::new(env!("CARGO_BIN_EXE_acidtest"))
        .current_dir(folder)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while child.try_wait().unwrap().is_none() && !until() {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(after);
    let running = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    running
}

#[test]
fn a_training_killed_at_any_moment_ends_with_the_same_weights() {
    let folder = folder();
    let path = folder.path();
    let more =
        ["--mix", "mix.jsonl=0.15", "--augment", "negation=40", "--augment", "hans=30", "--shuffle-words", "--checkpoint-minutes", "0"];
    let command = |output: &'static str, threads: &'static str| {
        let mut arguments = train("esim", output, &more);
        arguments.extend(["--threads", threads]);
        arguments
    };
    acidtest(path, &command("undisturbed", "2"));
    let mut moments = acidtest_nli::Seed::new(u64::from(std::process::id())).rng();
    let mut moment = || Duration::from_micros(moments.below(40_000) as u64);
    // In the first moments, before anything is written.
    let mut kills = u32::from(killed(path, &command("killed", "1"), || true, moment()));
    // Then each time after it has continued from the last checkpoint.
    let state = || fs::metadata(path.join("killed/state.safetensors")).and_then(|state| state.modified()).ok();
    for _ in 0..12 {
        let before = state();
        if !killed(path, &command("killed", "1"), || state() != before, moment()) {
            break;
        }
        kills += 1;
    }
    acidtest(path, &command("killed", "1"));
    assert!(kills >= 2, "the training was killed {kills} times only");
    assert!(weights(path, "killed") == weights(path, "undisturbed"), "killed {kills} times, other weights");
    let accuracies = |model: &str| -> Vec<String> {
        let log = fs::read_to_string(path.join(model).join("log.jsonl")).unwrap();
        let part = |line: &str| line.split("\"examples_per_second\"").next().unwrap().to_string();
        log.lines().filter(|line| line.contains("dev_accuracy")).map(part).collect()
    };
    assert_eq!(accuracies("killed"), accuracies("undisturbed"));
}

#[test]
fn a_finished_folder_is_left_alone_and_another_commands_folder_is_refused() {
    let folder = folder();
    let path = folder.path();
    acidtest(path, &train("cbow", "model", &[]));
    let before = weights(path, "model");
    assert!(acidtest(path, &train("cbow", "model", &[])).contains("already trained by this command, nothing to do"));
    let message = refused(path, &train("cbow", "model", &["--seed", "2"]));
    assert!(message.contains("contains a model trained with other settings or data"), "{message}");
    let message = refused(path, &train("cbow", "model", &["--column", "premise=sentence2", "--column", "hypothesis=sentence1"]));
    assert!(message.contains("trained with other settings or data"), "{message}");
    assert!(weights(path, "model") == before);
    // Before the first checkpoint, other settings can do no harm.
    let begun = || path.join("begun/training.json").exists();
    assert!(killed(path, &train("esim", "begun", &["--set", "hidden=200"]), begun, Duration::ZERO));
    assert!(!path.join("begun/state.safetensors").exists());
    let begun = || path.join("begun/state.safetensors").exists();
    assert!(killed(path, &train("esim", "begun", &["--set", "hidden=199", "--checkpoint-minutes", "0"]), begun, Duration::ZERO));
    let message = refused(path, &train("esim", "begun", &["--set", "hidden=201"]));
    assert!(message.contains("contains an unfinished training run with other settings or data"), "{message}");
    let message = refused(path, &["evaluate", "--data", "dev.jsonl", "--model", "begun"]);
    assert!(message.contains("begun: training is not finished; run its command again"), "{message}");
    fs::remove_file(path.join("model/vocabulary.txt")).unwrap();
    let message = refused(path, &train("cbow", "model", &[]));
    assert!(message.contains("model/vocabulary.txt: No such file") && message.contains("remove the folder to train again"), "{message}");
    fs::create_dir(path.join("other")).unwrap();
    fs::write(path.join("other/notes.txt"), "mine").unwrap();
    assert!(refused(path, &train("cbow", "other", &[])).contains("contains files that do not belong to a model"));
}

#[test]
fn examples_that_a_challenge_cannot_make_are_reported() {
    let folder = folder();
    let output = run(folder.path(), &train("cbow", "model", &["--augment", "negation=500", "--set", "epochs=1"]));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("negation: only 300 of 500 examples could be made\n"), "{told}");
}

#[test]
fn antonym_pairs_are_made_from_training_examples_alone_and_each_is_used_once() {
    let folder = folder();
    let row = |n: usize, text: &str| {
        format!("{{\"pairID\": \"{n}\", \"sentence1\": \"{text}\", \"sentence2\": \"{text}\", \"gold_label\": \"entailment\"}}\n")
    };
    // Each sentence stands on both sides of two examples.
    let train_text = ["The tea was hot.", "The bridge was old.", "The shop was open."];
    let corpus: String = train_text.iter().chain(&train_text).enumerate().map(|(n, text)| row(n, text)).collect();
    fs::write(folder.path().join("train.jsonl"), corpus).unwrap();
    fs::write(folder.path().join("dev.jsonl"), row(7, "The road was dry.") + &row(8, "The room was empty.")).unwrap();
    fs::write(folder.path().join("mix.jsonl"), row(9, "The lake was deep.")).unwrap();
    let more = ["--augment", "antonym=20000", "--mix", "mix.jsonl=0.5", "--set", "epochs=1"];
    let output = run(folder.path(), &train("cbow", "model", &more));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && told.contains("antonym: only 3 of 20,000 examples could be made\n"), "{told}");
}

#[test]
fn truncated_inputs_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let row = |id: u32, words: usize| {
        let premise = vec!["dogs"; words].join(" ");
        format!("{{\"pairID\": \"{id}\", \"sentence1\": \"{premise}\", \"sentence2\": \"Dogs.\", \"gold_label\": \"entailment\"}}\n")
    };
    fs::write(folder.path().join("in.jsonl"), row(1, 60) + &row(2, 61)).unwrap();
    for verb in ["predict", "evaluate"] {
        let output = run(folder.path(), &[verb, "--model", "esim-small", "--data", "in.jsonl"]);
        let told = String::from_utf8(output.stderr).unwrap() + &String::from_utf8(output.stdout).unwrap();
        let expected = "esim-small: 1 input was truncated to the maximum length of the model.";
        assert!(output.status.success() && told.contains(expected), "{verb}: {told}");
    }
    let shown = acidtest(
        folder.path(),
        &[
            "run",
            "--model",
            "esim-small",
            "--data",
            "in.jsonl",
            "--challenge",
            "length-mismatch",
            "--set",
            "length-mismatch.fragments=keep",
        ],
    );
    // One is too long in both sets, the other only after it was lengthened.
    assert!(shown.contains("esim-small: 2 inputs were truncated"), "{shown}");
}

#[test]
fn half_precision_halves_the_file() {
    let folder = folder();
    let path = folder.path();
    acidtest(path, &train("decomposable", "whole", &[]));
    acidtest(path, &train("decomposable", "half", &["--set", "weights=f16"]));
    let (whole, half) = (weights(path, "whole").len(), weights(path, "half").len());
    assert!(half * 10 < whole * 7, "{half} of {whole}");
}

#[test]
fn impossible_trainings_are_refused_in_one_line() {
    let folder = folder();
    let path = folder.path();
    let check = |more: &[&str], message: &str| {
        let found = refused(path, &train("esim", "model", more));
        assert!(found.contains(message) && found.trim_end().lines().count() == 1, "{found}");
    };
    check(&["--set", "hiden=3"], "unknown setting `hiden`; did you mean `hidden`?");
    check(&["--set", "hidden=0"], "setting `hidden`: invalid value 0");
    check(&["--mix", "mix.jsonl=2"], "--mix: invalid value `mix.jsonl=2`: expected FILE=SHARE");
    check(&["--mix", "=0.5"], "--mix: invalid value `=0.5`: expected FILE=SHARE");
    check(
        &["--embeddings", "vectors.txt", "--set", "embedding_dimension=300"],
        "setting `embedding_dimension`: invalid value 300: the embeddings have 3 numbers per word",
    );
    check(&["--augment", "negatoin=3"], "did you mean `negation`?");
    check(&["--embeddings", "none.txt"], "none.txt: no such file or folder");
    check(&["--checkpoint-minutes", "-1"], "--checkpoint-minutes: invalid value `-1`");
    fs::write(path.join("broken.txt"), "dog 1 2\ncat 1\n").unwrap();
    check(&["--embeddings", "broken.txt"], "broken.txt:2: 1 numbers, but the first line has 2");
    let unlabelled = fs::read_to_string(path.join("train.jsonl")).unwrap();
    let unlabelled: String = unlabelled.lines().filter(|line| line.contains("\"-\"")).map(|line| format!("{line}\n")).collect();
    fs::write(path.join("train.jsonl"), unlabelled).unwrap();
    check(&[], "train.jsonl: no example has a gold label");
    assert!(!path.join("model").exists(), "nothing is left of a training that was not begun");
}

/// Updates the hashes of a model folder to match its files.
fn sealed(model: &Path, change: impl Fn(String) -> String) {
    let about = change(fs::read_to_string(model.join("model.json")).unwrap());
    let mut about: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&about).unwrap();
    about.remove("hash");
    for (name, hash) in about["files"].as_object_mut().unwrap() {
        *hash = ContentHash::of(&fs::read(model.join(name)).unwrap()).to_string().into();
    }
    fs::write(model.join("model.json"), seal_json(&serde_json::to_string_pretty(&about).unwrap())).unwrap();
}

#[test]
fn a_damaged_model_folder_is_refused() {
    let folder = folder();
    let path = folder.path();
    acidtest(path, &train("cbow", "model", &[]));
    let ask = ["evaluate", "--data", "dev.jsonl", "--model", "model"];
    let vocabulary = fs::read_to_string(path.join("model/vocabulary.txt")).unwrap();
    fs::write(path.join("model/vocabulary.txt"), vocabulary.clone() + "extra\n").unwrap();
    let message = refused(path, &ask);
    assert!(message.contains("model/vocabulary.txt: its content has changed since it was written"), "{message}");
    assert!(message.contains("copy the folder again, or train the model again") && message.lines().count() == 1, "{message}");
    sealed(&path.join("model"), |about| about);
    assert!(refused(path, &ask).contains("vocabulary.txt: it implies that `words`"));
    fs::write(path.join("model/vocabulary.txt"), vocabulary).unwrap();
    let bytes = weights(path, "model");
    fs::write(path.join("model/weights.safetensors"), &bytes[..bytes.len() / 2]).unwrap();
    sealed(&path.join("model"), |about| about);
    assert!(refused(path, &ask).contains("weights.safetensors: not a safetensors file"));
}

#[test]
fn every_flipped_bit_of_a_model_folder_is_noticed() {
    let folder = folder();
    let (path, model) = (folder.path(), folder.path().join("model"));
    acidtest(path, &train("esim", "model", &[]));
    let threads = Threads::all_cores().unwrap();
    for name in ["model.json", "vocabulary.txt", "weights.safetensors"] {
        let bytes = fs::read(model.join(name)).unwrap();
        let step = (bytes.len() * 8 / 500).max(1);
        for bit in (0..bytes.len() * 8).step_by(step) {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            fs::write(model.join(name), changed).unwrap();
            let message = open_model(&model, &threads).err().unwrap_or_else(|| panic!("{name}, bit {bit}")).to_string();
            assert!(message.contains(name) && message.lines().count() == 1, "{name}, bit {bit}: {message}");
        }
        fs::write(model.join(name), bytes).unwrap();
    }
    assert!(open_model(&model, &threads).is_ok());
}

#[test]
fn weights_that_are_not_finite_or_have_wrong_sizes_are_refused_even_with_matching_hashes() {
    let folder = folder();
    let (path, model) = (folder.path(), folder.path().join("model"));
    acidtest(path, &train("esim", "model", &[]));
    let ask = ["predict", "--data", "dev.jsonl", "--model", "model", "-o", "out.jsonl"];
    let about = fs::read_to_string(model.join("model.json")).unwrap();
    for (from, to, message) in [
        ("\"hidden\": 6", "\"hidden\": 1000000000000000000", "setting `hidden`: invalid value 1000000000000000000"),
        ("\"hidden\": 6", "\"hidden\": 60000", "the network has 60000 x 480000; was the file made with other settings?"),
        ("\"dimension\": 100", "\"dimension\": 18446744073709551615", "bytes are too few for a network whose size `dimension`"),
        ("\"dimension\": 100", "\"dimension\": 101", "tensor `embeddings` is "),
        ("\"classes\": 3", "\"classes\": 1000000000000", "1000000000000 classes (expected 2 or 3)"),
    ] {
        assert!(about.contains(from), "{about}");
        sealed(&model, |_| about.replace(from, to));
        let found = refused(path, &ask);
        assert!(found.contains(message) && found.lines().count() == 1, "{found}");
    }
    let mut bytes = weights(path, "model");
    let end = bytes.len();
    bytes[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    fs::write(model.join("weights.safetensors"), bytes).unwrap();
    sealed(&model, |_| about.clone());
    let found = refused(path, &ask);
    assert!(found.contains("weights.safetensors: tensor `") && found.contains("has numbers that are NaN or infinite"), "{found}");
    assert!(!path.join("out.jsonl").exists());
}

#[test]
fn a_folder_without_hashes_must_be_trained_again() {
    let folder = folder();
    acidtest(folder.path(), &train("cbow", "model", &[]));
    let path = folder.path().join("model/model.json");
    let mut about: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    about.retain(|key, _| key != "hash" && key != "files");
    fs::write(&path, serde_json::to_string_pretty(&about).unwrap()).unwrap();
    let message = refused(folder.path(), &["predict", "--data", "dev.jsonl", "--model", "model"]);
    assert!(message.contains("model/model.json: ") && message.contains("written by an earlier version"), "{message}");
    assert!(message.contains("train the model again") && message.lines().count() == 1, "{message}");
}

#[test]
fn a_model_that_is_scored_on_its_own_training_examples_is_noted() {
    let folder = folder();
    let path = folder.path();
    let (row, others) = {
        let text = fs::read_to_string(path.join("train.jsonl")).unwrap();
        let mut lines = text.lines();
        (lines.next().unwrap().to_string(), fs::read_to_string(path.join("dev.jsonl")).unwrap())
    };
    let mixed = format!("{row}\n{others}").replace("\"pairID\": \"", "\"pairID\": \"mixed-");
    fs::write(path.join("mixed.jsonl"), &mixed).unwrap();
    let rows = mixed.lines().count();
    acidtest(path, &train("cbow", "network", &[]));
    acidtest(path, &["train", "--model", "lexical", "--train", "train.jsonl", "-o", "words"]);
    assert!(fs::metadata(path.join("network/seen.bin")).unwrap().len() <= 8 * 400);
    for model in ["network", "words"] {
        let expected = format!("{model} was trained on 1 of the {rows} examples in the data");
        for verb in [vec!["evaluate"], vec!["run", "--challenge", "none"]] {
            let shown = acidtest(path, &[&verb[..], &["--data", "mixed.jsonl", "--model", model]].concat());
            let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains(&expected), "{shown}");
        }
        let shown = acidtest(path, &["evaluate", "--data", "dev.jsonl", "--model", model]);
        assert!(!shown.contains("was trained on"), "{shown}");
    }
}
