//! Compares tiny random models of every architecture with PyTorch (`golden/make_golden.py`): token ids, hidden states, logits, gradients
//! and ten losses. What is not compared with PyTorch but with itself is in `golden/training.rs`.
#![allow(clippy::unwrap_used)] // A test that cannot read its golden file has failed.

use acidtest_neural::parameters::{Decay, Gradient};
use acidtest_neural::{Column, ComputePrecision, Featurizer, Inputs, Optimiser, PairFeatures, Trainer, TrainerSettings};
use acidtest_nli::Pair;
use acidtest_threads::Threads;
use acidtest_transformers::{CATALOG, TOKENS, TYPES, Transformer};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[path = "golden/training.rs"]
mod training;

#[derive(Deserialize)]
struct Golden {
    pairs: Vec<GoldenPair>,
    training: Training,
    length: usize,
}

#[derive(Deserialize)]
struct GoldenPair {
    premise: String,
    hypothesis: String,
    ids: Vec<u32>,
    /// Only where the tokenizer gives them.
    type_ids: Option<Vec<u32>>,
    truncated: bool,
    logits: Vec<f32>,
    hidden: Option<Vec<Vec<f32>>>,
}

#[derive(Deserialize)]
struct Training {
    batch: Vec<usize>,
    labels: Vec<usize>,
    loss: f32,
    gradient_norms: BTreeMap<String, f32>,
    gradients: BTreeMap<String, Vec<f32>>,
    learning_rate: f32,
    betas: [f32; 2],
    epsilon: f32,
    weight_decay: f32,
    no_decay: Vec<String>,
    /// Before each of ten steps of AdamW on the same batch.
    losses: Vec<f32>,
}

fn golden_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")
}

/// The golden cases: a folder with a golden.json each.
fn cases() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir(golden_folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.join("golden.json").is_file());
    folders.sort();
    folders
}

fn golden(folder: &Path) -> Golden {
    serde_json::from_slice(&std::fs::read(folder.join("golden.json")).unwrap()).unwrap()
}

fn open(folder: &Path, threads: usize) -> Transformer {
    let threads = Threads::new(threads.try_into().unwrap()).unwrap();
    Transformer::open(folder, None, ComputePrecision::F32, &threads).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn check_close(what: &str, found: &[f32], expected: &[f32], tolerance: f32) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= tolerance * (1.0 + expected.abs()), "{what}, number {place}: {found} is not {expected}");
    }
}

fn features(model: &Transformer, pairs: &[GoldenPair]) -> Vec<PairFeatures> {
    pairs.iter().map(|pair| model.subwords.features(&Pair::plain(&pair.premise, &pair.hypothesis))).collect()
}

#[test]
fn token_ids_are_those_of_transformers() {
    for folder in cases() {
        let (golden, model) = (golden(&folder), open(&folder, 1));
        assert_eq!(model.subwords.longest(), golden.length, "{}", folder.display());
        for (pair, features) in golden.pairs.iter().zip(features(&model, &golden.pairs)) {
            let column = |name: &str| features.sentences[0].columns.iter().find(|(own, _)| *own == name).map(|(_, column)| column.clone());
            let what = format!("{}: {}", folder.display(), pair.premise);
            assert_eq!(column(TOKENS), Some(Column::Ids(pair.ids.clone())), "{what}");
            assert_eq!(features.truncated, pair.truncated, "{what}");
            if let (Some(types), Some(expected)) = (column(TYPES), &pair.type_ids) {
                assert_eq!(types, Column::Ids(expected.clone()), "{what}");
            }
        }
    }
}

#[test]
fn hidden_states_and_logits_agree_with_pytorch() {
    for folder in cases() {
        let (golden, model) = (golden(&folder), open(&folder, 2));
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let features = features(&model, &golden.pairs);
        let scores = model.classifier.scores(&features.iter().collect::<Vec<_>>()).unwrap();
        for (place, (pair, features)) in golden.pairs.iter().zip(&features).enumerate() {
            let inputs = Inputs::of_pairs(&[features]).unwrap();
            let states = model.classifier.hidden_states(&inputs).unwrap();
            for (layer, expected) in pair.hidden.iter().flatten().enumerate() {
                check_close(&format!("{name}: pair {place}, state {layer}"), states[layer].row(0), expected, 5e-5);
            }
            check_close(&format!("{name}: logits of pair {place}"), scores.row(place), &pair.logits, 5e-5);
        }
    }
}

#[test]
fn scores_alone_and_together_are_bit_identical_for_any_number_of_threads() {
    for folder in cases() {
        let golden = golden(&folder);
        let scores = |threads: usize, copies: usize| {
            let model = open(&folder, threads);
            let features = features(&model, &golden.pairs);
            let many: Vec<&PairFeatures> = features.iter().cycle().take(features.len() * copies).collect();
            let scores = model.classifier.scores(&many).unwrap();
            let alone: Vec<Vec<f32>> = features.iter().map(|pair| model.classifier.scores(&[pair]).unwrap().data).collect();
            for (place, own) in many.iter().enumerate().map(|(place, _)| (place, &alone[place % features.len()])) {
                assert_eq!(scores.row(place), own.as_slice(), "{}", folder.display());
            }
            alone
        };
        assert_eq!(scores(1, 2), scores(3, 40), "{}", folder.display());
    }
}

#[test]
fn losses_and_gradients_agree_with_pytorch() {
    for folder in cases() {
        let (golden, mut model) = (golden(&folder), open(&folder, 2));
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let inputs = training_batch(&model, &golden);
        let loss = model.classifier.loss_and_gradients(&inputs).unwrap();
        check_close(&format!("{name}: loss"), &[loss], &[golden.training.loss], 5e-5);
        let (parameters, gradients) = (model.classifier.parameters(), model.classifier.gradients());
        let mut compared = 0;
        for (parameter, gradient) in parameters.iter().zip(gradients.iter()) {
            let Some(&expected) = golden.training.gradient_norms.get(&parameter.name) else { panic!("{name}: {}", parameter.name) };
            let found = gradient.numbers().iter().map(|number| number * number).sum::<f32>().sqrt();
            let is_table = matches!(gradient, Gradient::None);
            assert!(!is_table || expected < 1e-5, "{name}: {} has no gradient", parameter.name);
            // A bias of the keys has no effect, so its gradient is only noise.
            assert!((found - expected).abs() <= 2e-4 * expected + 2e-5, "{name}: {}: {found} is not {expected}", parameter.name);
            if let Some(whole) = golden.training.gradients.get(&parameter.name) {
                let largest = whole.iter().fold(0f32, |largest, number| largest.max(number.abs()));
                let wrong = gradient.numbers().iter().zip(whole).any(|(found, expected)| (found - expected).abs() > 2e-4 * largest + 1e-6);
                assert!(!wrong && gradient.numbers().len() == whole.len(), "{name}: the gradient of {}", parameter.name);
            }
            compared += 1;
        }
        assert_eq!(compared, golden.training.gradient_norms.len(), "{name}: gradients left over");
    }
}

/// The training batch of a case.
fn training_batch(model: &Transformer, golden: &Golden) -> Inputs {
    training_part(model, golden, 0..golden.training.batch.len())
}

/// Some pairs of the training batch.
fn training_part(model: &Transformer, golden: &Golden, range: std::ops::Range<usize>) -> Inputs {
    let features = features(model, &golden.pairs);
    let batch: Vec<&PairFeatures> = golden.training.batch[range.clone()].iter().map(|&place| &features[place]).collect();
    Inputs::of_pairs(&batch).unwrap().labelled(golden.training.labels[range].to_vec()).unwrap()
}

/// A trainer with the optimiser of the golden files.
fn trainer(model: Transformer, training: &Training) -> Trainer {
    let Training { learning_rate, betas: [first_decay, second_decay], epsilon, weight_decay, .. } = *training;
    let optimiser = Optimiser::AdamW { first_decay, second_decay, epsilon, weight_decay, bias_correction: Default::default() };
    let settings = TrainerSettings { optimiser, learning_rate, clip: None, ..TrainerSettings::default() };
    Trainer::new(model.classifier, settings).unwrap()
}

#[test]
fn ten_losses_of_adamw_agree_with_pytorch() {
    for folder in cases() {
        let (golden, model) = (golden(&folder), open(&folder, 2));
        let inputs = training_batch(&model, &golden);
        let spared = |parameter: &&acidtest_neural::parameters::Parameter| parameter.decay == Decay::Skipped;
        let mut names: Vec<&str> = model.classifier.parameters().iter().filter(spared).map(|parameter| parameter.name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, golden.training.no_decay, "{}", folder.display());
        let mut trainer = trainer(model, &golden.training);
        let losses: Vec<f32> = (0..10).map(|_| trainer.step(&inputs).unwrap().loss).collect();
        check_close(&format!("{}: losses", folder.display()), &losses, &golden.training.losses, 1e-4);
    }
}

#[test]
fn every_architecture_has_a_golden_folder() {
    let types: Vec<String> = cases()
        .iter()
        .map(|folder| {
            let config: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.join("config.json")).unwrap()).unwrap();
            config["model_type"].as_str().unwrap().to_owned()
        })
        .collect();
    // CamemBERT is RoBERTa under another name.
    for name in CATALOG.names().into_iter().filter(|name| *name != "camembert") {
        assert!(types.iter().any(|own| own == name), "{name}");
    }
}

/// A golden folder with some files of a variant in place of its own.
#[derive(Deserialize)]
struct Variant {
    base: String,
    leave_out: Vec<String>,
    ids: Option<Vec<Vec<u32>>>,
    logits: Option<Vec<Vec<f32>>>,
}

/// The files of a variant beside those of its base.
fn merged(folder: &Path) -> (Variant, tempfile::TempDir) {
    let variant: Variant = serde_json::from_slice(&std::fs::read(folder.join("variant.json")).unwrap()).unwrap();
    let merged = tempfile::tempdir().unwrap();
    for from in [golden_folder().join(&variant.base).as_path(), folder] {
        for file in std::fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()) {
            let own = file.file_name().unwrap().to_string_lossy().into_owned();
            if from == folder || !variant.leave_out.contains(&own) {
                std::fs::copy(&file, merged.path().join(own)).unwrap();
            }
        }
    }
    (variant, merged)
}

#[test]
fn unusual_files_give_the_same_scores() {
    let mut tried = 0;
    for entry in std::fs::read_dir(golden_folder().join("variants")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let (variant, merged) = merged(&folder);
        let base = golden_folder().join(&variant.base);
        if name == "label-n" {
            let refused =
                Transformer::open(merged.path(), None, ComputePrecision::F32, &Threads::all_cores().unwrap()).err().unwrap().to_string();
            assert!(refused.contains("LABEL_0, LABEL_1, LABEL_2") && refused.contains("C,E,N"), "{refused}");
            continue;
        }
        let (golden, model) = (golden(&base), open(merged.path(), 1));
        for (place, pair) in golden.pairs.iter().enumerate() {
            let features = model.subwords.encode(&pair.premise, &pair.hypothesis).unwrap();
            let ids = variant.ids.as_ref().map_or(&pair.ids, |ids| &ids[place]);
            let (_, column) = &features.sentences[0].columns[0];
            assert_eq!(column, &Column::Ids(ids.clone()), "{name}: {}", pair.premise);
            let expected = variant.logits.as_ref().map_or(&pair.logits, |logits| &logits[place]);
            let found = model.classifier.scores(&[&features]).unwrap();
            check_close(&format!("{name}: pair {place}"), &found.data, expected, 5e-5);
        }
        tried += 1;
    }
    assert!(tried >= 10, "{tried}");
}
