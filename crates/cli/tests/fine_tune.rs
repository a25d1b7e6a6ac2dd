//! `acidtest train --model FOLDER`: a tiny transformer that is fine-tuned, undisturbed and killed.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use acidtest_files::ContentHash;
use common::{acidtest, run};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../transformers/golden").join(name)
}

/// A folder with corpora in which the last word of the hypothesis determines the label, and the tiny BERT in `base`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let row = |n: usize| {
        let (ending, label) = [("sleeping", "entailment"), ("playing", "neutral"), ("at the cafe", "contradiction"), ("no", "-")][n % 4];
        let who = ["dog", "man", "woman", "player"][n / 4 % 4];
        let place = ["on the street", "at the cafe", "on a guitar"][n / 16 % 3];
        let marks = ".?,-".chars().cycle().skip(n % 7).take(1 + n / 48 % 9).collect::<String>();
        format!(
            "{{\"pairID\": \"{n}\", \"sentence1\": \"A {who} is {place} {marks}\", \"sentence2\": \"The {who} is {ending}.\", \"gold_label\": \"{label}\"}}\n"
        )
    };
    fs::write(folder.path().join("train.jsonl"), (0..400).map(row).collect::<String>()).unwrap();
    fs::write(folder.path().join("mix.jsonl"), (1000..1200).map(row).collect::<String>()).unwrap();
    fs::write(folder.path().join("dev.jsonl"), (2000..2080).map(row).collect::<String>()).unwrap();
    copy_model("bert", &folder.path().join("base"));
    folder
}

fn copy_model(name: &str, to: &Path) {
    fs::create_dir(to).unwrap();
    for name in [
        format!("{name}/config.json"),
        format!("{name}/model.safetensors"),
        format!("{name}/tokenizer.json"),
        format!("{name}/tokenizer_config.json"),
    ] {
        fs::copy(golden(&name), to.join(Path::new(&name).file_name().unwrap())).unwrap();
    }
}

/// Changes a JSON file.
fn change(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut value: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    change(&mut value);
    fs::write(path, value.to_string()).unwrap();
}

const SMALL: [&str; 4] = ["learning_rate=0.01", "epochs=8", "batch_size=16", "dropout=0"];

fn train<'a>(output: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    train_with(output, &SMALL, more)
}

fn train_with<'a>(output: &'a str, settings: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["train", "--model", "base", "--train", "train.jsonl", "--dev", "dev.jsonl", "-o", output];
    settings.iter().for_each(|setting| arguments.extend(["--set", setting]));
    arguments.extend(more);
    arguments
}

/// What a command that must succeed says on standard error.
#[track_caller]
fn said(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {said}");
    said
}

/// The message of a command that must be refused, which is one line.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{arguments:?}: {said}");
    said
}

fn about(model: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(model.join("acidtest.json")).unwrap()).unwrap()
}

fn files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// The tensors of a folder, as bytes.
fn tensors(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let bytes = fs::read(folder.join("model.safetensors")).unwrap();
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let header: BTreeMap<String, Value> = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    let offset = |tensor: &Value, end: usize| 8 + length + tensor["data_offsets"][end].as_u64().unwrap() as usize;
    let tensors = header.into_iter().filter(|(name, _)| name != "__metadata__");
    tensors.map(|(name, tensor)| (name, bytes[offset(&tensor, 0)..offset(&tensor, 1)].to_vec())).collect()
}

/// The bytes of everything that determines the model.
fn model(folder: &Path) -> Vec<Vec<u8>> {
    ["config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors", "seen.bin"]
        .map(|name| fs::read(folder.join(name)).unwrap())
        .into()
}

#[test]
fn a_fine_tuned_transformer_learns_and_its_folder_is_a_model() {
    let folder = folder();
    let path = folder.path();
    let shown = acidtest(path, &train("out", &[]));
    assert!(shown.starts_with("out: bert trained for 8 epochs in "), "{shown}");
    let names = ["acidtest.json", "config.json", "log.jsonl", "model.safetensors", "seen.bin", "tokenizer.json", "tokenizer_config.json"];
    assert_eq!(files(&path.join("out")), [&names[..], &["training.html"]].concat());
    let about = about(&path.join("out"));
    let accuracy = about["dev_accuracy"].as_f64().unwrap();
    assert!(accuracy > 0.9, "{about:#}");
    assert_eq!((&about["model"], &about["data"][0]["unlabelled"]), (&"bert".into(), &100.into()));
    assert_eq!((&about["base"]["folder"], &about["training"]["learning_rate"]), (&"base".into(), &0.01.into()));
    assert!(about["command"].as_str().unwrap().contains("train --model base"), "{about:#}");
    // The accuracy is that of the folder, opened again.
    let table = acidtest(path, &["evaluate", "--data", "dev.jsonl", "--model", "out", "--format", "csv"]);
    let line = table.lines().find(|line| line.starts_with("overall,original,accuracy,")).unwrap();
    let told: f64 = line.split(',').nth(3).unwrap().parse().unwrap();
    assert!((told - accuracy).abs() < 1e-9, "{line}");
    let log = fs::read_to_string(path.join("out/log.jsonl")).unwrap();
    assert!(log.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()) && log.contains("dev_accuracy"));
    let page = fs::read_to_string(path.join("out/training.html")).unwrap();
    assert!(page.contains("polyline") && page.contains("warmup_ratio"));
    // The base is as it was.
    assert!(
        ["config.json", "model.safetensors"]
            .iter()
            .all(|name| fs::read(path.join("base").join(name)).unwrap() == fs::read(golden("bert").join(name)).unwrap())
    );
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
fn a_training_killed_ten_times_ends_with_the_same_files() {
    let folder = folder();
    let path = folder.path();
    let more = ["--mix", "mix.jsonl=0.5", "--augment", "negation=40", "--augment", "hans=30", "--checkpoint-minutes", "0"];
    let settings = ["epochs=3", "dropout=0.1", "batch_size=8", "gradient_accumulation_steps=3", "frozen_layers=1", "layer_decay=0.9"];
    let command = |output: &'static str, threads: &'static str| {
        let mut arguments = train_with(output, &settings, &more);
        arguments.extend(["--threads", threads]);
        arguments
    };
    acidtest(path, &command("undisturbed", "2"));
    let mut moments = acidtest_nli::Seed::new(u64::from(std::process::id())).rng();
    let mut moment = || Duration::from_micros(moments.below(30_000) as u64);
    // In the first moments, before anything is written.
    let mut kills = u32::from(killed(path, &command("killed", "1"), || true, moment()));
    // Then each time after it has continued from the last checkpoint.
    let state = || fs::metadata(path.join("killed/state.safetensors")).and_then(|state| state.modified()).ok();
    while kills < 10 {
        let before = state();
        let threads = ["1", "2", "3"][kills as usize % 3];
        if !killed(path, &command("killed", threads), || state() != before, moment()) {
            break;
        }
        kills += 1;
        assert!(
            path.join("killed/config.json").exists()
                || !run(path, &["evaluate", "--data", "dev.jsonl", "--model", "killed"]).status.success()
        );
    }
    acidtest(path, &command("killed", "1"));
    assert!(kills >= 3, "the training was killed {kills} times only");
    assert!(model(&path.join("killed")) == model(&path.join("undisturbed")), "killed {kills} times, other files");
    assert_eq!(files(&path.join("killed")), files(&path.join("undisturbed")));
}

#[test]
fn a_finished_folder_is_left_alone_and_other_commands_are_refused() {
    let folder = folder();
    let path = folder.path();
    acidtest(path, &train("out", &[]));
    let before = model(&path.join("out"));
    assert!(acidtest(path, &train("out", &[])).contains("already trained by this command, nothing to do"));
    let message = refused(path, &train("out", &["--seed", "2"]));
    assert!(message.contains("contains a model trained with other settings or data"), "{message}");
    // Another base is another training, even under the same name.
    change(&path.join("base/config.json"), |config| config["layer_norm_eps"] = 1e-6.into());
    assert!(refused(path, &train("out", &[])).contains("trained with other settings or data"));
    let message = refused(path, &train("base", &[]));
    assert!(message.contains("--output: invalid value `base`: expected another folder than that of the model"), "{message}");
    let network = ["train", "--model", "cbow", "--train", "train.jsonl", "-o", "out"];
    assert!(refused(path, &network).contains("out: contains a model trained with other settings or data"));
    let lexical = ["train", "--model", "lexical", "--train", "train.jsonl", "-o", "out"];
    assert!(refused(path, &lexical).contains("out"));
    assert!(model(&path.join("out")) == before);
    // An unfinished folder is not a model.
    let begun = || path.join("begun/state.safetensors").exists();
    assert!(killed(path, &train_with("begun", &["epochs=1000"], &["--checkpoint-minutes", "0"]), begun, Duration::ZERO));
    let message = refused(path, &["evaluate", "--data", "dev.jsonl", "--model", "begun"]);
    assert!(message.contains("begun: training is not finished; run its command again"), "{message}");
    let message = refused(path, &train("begun", &[]));
    assert!(message.contains("contains an unfinished training run with other settings or data"), "{message}");
}

#[test]
fn a_model_whose_files_have_changed_since_is_refused_with_a_remedy() {
    let folder = folder();
    let path = folder.path();
    acidtest(path, &train("out", &[]));
    let ask = ["evaluate", "--data", "dev.jsonl", "--model", "out"];
    for name in ["config.json", "model.safetensors", "tokenizer.json", "seen.bin"] {
        let bytes = fs::read(path.join("out").join(name)).unwrap();
        let changed = if name.ends_with("json") { [&bytes[..], b"\n"].concat() } else { [&bytes[..bytes.len() - 1], b"x"].concat() };
        fs::write(path.join("out").join(name), changed).unwrap();
        let message = refused(path, &ask);
        assert!(message.contains(&format!("out/{name}: is missing or has changed since the model was fine-tuned")), "{message}");
        assert!(message.contains("or remove acidtest.json and seen.bin to use the model as it is"), "{message}");
        fs::write(path.join("out").join(name), bytes).unwrap();
    }
    let text = fs::read_to_string(path.join("out/acidtest.json")).unwrap();
    fs::write(path.join("out/acidtest.json"), text.replace("\"seed\": 1", "\"seed\": 2")).unwrap();
    assert!(refused(path, &ask).contains("acidtest.json: its content does not match the `hash` at its end"));
    for name in ["acidtest.json", "seen.bin"] {
        fs::remove_file(path.join("out").join(name)).unwrap();
    }
    acidtest(path, &ask);
}

#[test]
fn reports_say_which_examples_a_model_was_fine_tuned_on_then_and_before() {
    let folder = folder();
    let path = folder.path();
    acidtest(path, &train_with("first", &["epochs=1"], &[]));
    let second = ["train", "--model", "first", "--train", "mix.jsonl", "--epochs", "1", "-o", "second"];
    acidtest(path, &second);
    let earlier = &about(&path.join("second"))["base"]["fine_tuned"];
    assert_eq!(earlier["data"][0]["path"], "train.jsonl");
    let overlap = |model: &str| {
        let shown = acidtest(path, &["evaluate", "--data", "train.jsonl", "--model", model]);
        shown.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let trained_on = |shown: &str| shown.contains("was trained on 300 of the 400 examples in the data");
    assert!(trained_on(&overlap("first")), "{}", overlap("first"));
    assert!(trained_on(&overlap("second")));
    assert!(!overlap("base").contains("was trained on"));
}

#[test]
fn labels_can_be_two_way_or_merged() {
    let folder = folder();
    let path = folder.path();
    // A new head for two labels.
    let message = said(path, &train("two", &["--set", "num_labels=2"]));
    assert!(message.contains("base: has no classification head for entailment, non-entailment"), "{message}");
    assert!(message.contains("classifier.weight, classifier.bias"), "{message}");
    assert!(about(&path.join("two"))["dev_accuracy"].as_f64().unwrap() > 0.9);
    let config: Value = serde_json::from_str(&fs::read_to_string(path.join("two/config.json")).unwrap()).unwrap();
    assert_eq!(config["id2label"], serde_json::json!({"0": "entailment", "1": "non-entailment"}));
    // The head of a two-way model stays, and it is said what becomes of three labels.
    fs::rename(path.join("base"), path.join("three")).unwrap();
    fs::rename(path.join("two"), path.join("base")).unwrap();
    let message = said(path, &train("again", &[]));
    assert!(message.contains("base: has two outputs, so neutral and contradiction are learnt as non-entailment"), "{message}");
    assert!(!message.contains("classification head"), "{message}");
    let message = said(path, &train("new-head", &["--set", "num_labels=3"]));
    assert!(message.contains("has no classification head for entailment, neutral, contradiction"), "{message}");
    // Two-way data for three outputs: non-entailment is treated as neutral, as for other networks.
    let text = fs::read_to_string(path.join("train.jsonl")).unwrap();
    let merged = text.replace("\"neutral\"", "\"non-entailment\"").replace("\"contradiction\"", "\"non-entailment\"");
    fs::write(path.join("train.jsonl"), merged).unwrap();
    fs::rename(path.join("base"), path.join("two")).unwrap();
    fs::rename(path.join("three"), path.join("base")).unwrap();
    acidtest(path, &train("merged", &[]));
    let shown = acidtest(path, &["predict", "--model", "merged", "--data", "dev.jsonl", "-o", "-"]);
    assert!(shown.contains("\"label\": \"neutral\"") && !shown.contains("\"label\": \"contradiction\""), "{shown}");
}

#[test]
fn unusual_models_and_data_are_trained_or_refused_with_a_reason() {
    let folder = folder();
    let path = folder.path();
    // Batches are not padded, so a tokenizer needs no pad token.
    change(&path.join("base/tokenizer_config.json"), |config| drop(config.as_object_mut().unwrap().remove("pad_token")));
    change(&path.join("base/config.json"), |config| config["pad_token_id"] = Value::Null);
    acidtest(path, &train("no-pad", &[]));
    assert!(about(&path.join("no-pad"))["dev_accuracy"].as_f64().unwrap() > 0.9);
    // With all layers frozen, only the head changes.
    acidtest(path, &train("frozen", &["--set", "frozen_layers=2"]));
    let [before, after] = ["base", "frozen"].map(|folder| tensors(&path.join(folder)));
    for (name, numbers) in after {
        let is_head = name.starts_with("bert.pooler.") || name.starts_with("classifier.");
        assert_eq!(before[&name] != numbers, is_head, "{name}");
    }
    let check = |more: &[&str], message: &str| {
        let found = refused(path, &train("none", more));
        assert!(found.contains(message), "{found}");
        assert!(!path.join("none").exists());
    };
    check(
        &["--set", "frozen_layers=3"],
        "setting `frozen_layers`: invalid value 3 of 2 layers: expected at most as many layers as there are",
    );
    check(&["--set", "layer_decay=2"], "setting `layer_decay`: invalid value 2: expected a number above 0, at most 1");
    check(&["--set", "weight_decay=nan"], "setting `weight_decay`: invalid");
    check(&["--set", "max_length=7"], "setting `max_length`: invalid value 7: expected at least 8");
    check(&["--set", "warm_up_ratio=0.1"], "unknown setting `warm_up_ratio`; did you mean `warmup_ratio`?");
    check(&["--shuffle-words"], "--shuffle-words: does not apply to transformers");
    fs::write(path.join("vectors.txt"), "dog 0.1 0.2 0.3\n").unwrap();
    check(&["--embeddings", "vectors.txt"], "vectors.txt: `base` does not use word vectors; leave them out");
    check(&["--preset", "hasn"], "unknown preset `hasn`; did you mean `hans`?");
    let rate = |rate: &'static str| train_with("none", &[rate, "epochs=1"], &[]);
    assert!(refused(path, &rate("learning_rate=0")).contains("setting `learning_rate`: invalid value 0: expected a number above 0"));
    let diverged = run(path, &rate("learning_rate=1e30"));
    let message = String::from_utf8(diverged.stderr).unwrap();
    assert!(!diverged.status.success() && message.contains("try a smaller learning_rate"), "{message}");
    assert!(!path.join("none/config.json").exists());
    // A corpus of one label.
    let text = fs::read_to_string(path.join("train.jsonl")).unwrap();
    let one: String = text.lines().filter(|line| line.contains("\"neutral\"")).map(|line| format!("{line}\n")).collect();
    fs::write(path.join("train.jsonl"), one).unwrap();
    let message = said(path, &train("one", &[]));
    assert!(message.contains("all training examples have the same label"), "{message}");
}

#[test]
fn folders_that_cannot_be_fine_tuned_are_refused() {
    let folder = folder();
    let path = folder.path();
    let check = |model: &str, message: &str| {
        let found = refused(path, &["train", "--model", model, "--train", "train.jsonl", "-o", "out"]);
        assert!(found.contains(message), "{found}");
        assert!(!path.join("out").exists());
    };
    fs::create_dir(path.join("empty")).unwrap();
    check("empty", "empty: cannot be trained: it has no config.json with a `model_type`");
    check("models/none", "unknown model to train `models/none`");
    fs::write(path.join("base/model.json"), "{}").unwrap();
    check("base", "base: has both model.json and config.json");
    fs::remove_file(path.join("base/model.json")).unwrap();
    fs::write(path.join("base/model.safetensors"), "cut").unwrap();
    check("base", "base/model.safetensors: not a whole safetensors file");
    let preset = refused(path, &["train", "--model", "esim", "--preset", "hans", "--train", "train.jsonl", "-o", "out"]);
    assert!(preset.contains("the preset `hans` is for transformers"), "{preset}");
}

#[test]
fn a_preset_is_its_settings() {
    let folder = folder();
    let path = folder.path();
    let train = |output: &'static str, more: &[&'static str]| {
        acidtest(path, &[&["train", "--model", "base", "--train", "train.jsonl", "-o", output, "--epochs", "1"], more].concat());
        fs::read(path.join(output).join("model.safetensors")).unwrap()
    };
    let preset = train("preset", &["--preset", "hans"]);
    let settings = ["schedule=linear-from-start", "epsilon=1e-6", "bias_correction=off", "dropout=0.1", "max_length=128"];
    let spelt = train("settings", &settings.iter().flat_map(|setting| ["--set", *setting]).collect::<Vec<_>>());
    assert!(preset == spelt && preset != train("default", &["--set", "dropout=0.1"]));
    assert_eq!(about(&path.join("preset"))["training"]["bias_correction"], "off");
}

#[test]
fn every_architecture_is_fine_tuned_from_the_command_line() {
    let folder = folder();
    let path = folder.path();
    for name in ["albert", "bart", "deberta-v2", "deberta-v3", "distilbert", "electra", "modernbert", "mpnet", "roberta", "xlm-roberta"] {
        fs::remove_dir_all(path.join("base")).unwrap();
        copy_model(name, &path.join("base"));
        acidtest(path, &train_with(name, &["learning_rate=0.005", "epochs=1", "dropout=0"], &[]));
        let listed: Value = about(&path.join(name))["files"].clone();
        for (file, hash) in listed.as_object().unwrap() {
            assert_eq!(
                ContentHash::of(&fs::read(path.join(name).join(file)).unwrap()).to_string(),
                hash.as_str().unwrap(),
                "{name}/{file}"
            );
        }
        acidtest(path, &["evaluate", "--data", "dev.jsonl", "--model", name]);
    }
}
