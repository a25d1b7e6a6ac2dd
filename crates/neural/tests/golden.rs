//! Compares the logits, gradients and ten losses of every network with the same network in PyTorch (`golden/make_golden.py`).
#![allow(clippy::unwrap_used)] // A test that cannot read its golden file has failed.

use acidtest_neural::featurizers::words::pair_of_ids;
use acidtest_neural::parameters::Gradient;
use acidtest_neural::{CATALOG, Classifier, Definition, Inputs, NetworkSettings, PairFeatures, Sizes, Trainer, TrainerSettings};
use acidtest_threads::Threads;
use safetensors::SafeTensors;
use std::path::{Path, PathBuf};

/// Both sides sum in f32, but in different orders.
const TOLERANCE: f32 = 2e-5;

#[derive(serde::Deserialize)]
struct Note {
    settings: NetworkSettings,
    premises: Vec<Vec<u32>>,
    hypotheses: Vec<Vec<u32>>,
    labels: Vec<usize>,
    learning_rate: f32,
    clip: f32,
}

fn golden_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "safetensors"));
    files.sort();
    files
}

fn numbers(file: &SafeTensors<'_>, name: &str) -> Vec<f32> {
    let tensor = file.tensor(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    tensor.data().as_chunks::<4>().0.iter().map(|&number| f32::from_le_bytes(number)).collect()
}

fn check_close(what: &str, found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= TOLERANCE * (1.0 + expected.abs()), "{what}, number {place}: {found} is not {expected}");
    }
}

/// A dense gradient, with zeros for the rows that the batch did not use.
fn full(gradient: &Gradient, rows: usize, columns: usize) -> Vec<f32> {
    match gradient {
        Gradient::None => vec![0.0; rows * columns],
        Gradient::Dense(matrix) => matrix.data.clone(),
        Gradient::Rows { ids, values } => {
            let mut full = vec![0.0; rows * columns];
            for (row, &id) in ids.iter().enumerate() {
                full[id as usize * columns..][..columns].copy_from_slice(values.row(row));
            }
            full
        }
    }
}

fn check(path: &Path) {
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let bytes = std::fs::read(path).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let (_, header) = SafeTensors::read_metadata(&bytes).unwrap();
    let note: Note = serde_json::from_str(&header.metadata().as_ref().unwrap()["acidtest"]).unwrap();
    let pairs: Vec<PairFeatures> =
        note.premises.iter().zip(&note.hypotheses).map(|(premise, hypothesis)| pair_of_ids(premise, hypothesis)).collect();
    let pairs: Vec<&PairFeatures> = pairs.iter().collect();
    let batch = Inputs::of_pairs(&pairs).unwrap().labelled(note.labels).unwrap();
    let shape = file.tensor("embeddings").unwrap().shape().to_vec();
    let sizes = Sizes::new([("words", shape[0]), ("dimension", shape[1])]);
    let definition = Definition { settings: note.settings, sizes, classes: 3 };
    let mut network = Classifier::load(&definition, path, &Threads::all_cores().unwrap()).unwrap();

    check_close(&format!("{name}: logits"), &network.scores_of_batch(&batch).unwrap().data, &numbers(&file, "logits"));
    check_close(&format!("{name}: logits in two steps"), &network.scores(&pairs).unwrap().data, &numbers(&file, "logits"));

    let losses = numbers(&file, "losses");
    let loss = network.loss_and_gradients(&batch).unwrap();
    check_close(&format!("{name}: loss"), &[loss], &losses[..1]);
    let mut compared = 0;
    for (parameter, gradient) in network.parameters().iter().zip(network.gradients().iter()) {
        let tensor = format!("gradient:{}", parameter.name);
        if file.names().iter().any(|name| **name == tensor) {
            let found = full(gradient, parameter.value.rows, parameter.value.columns);
            check_close(&format!("{name}: {tensor}"), &found, &numbers(&file, &tensor));
            compared += 1;
        }
    }
    assert_eq!(compared, file.names().iter().filter(|name| name.starts_with("gradient:")).count(), "{name}: gradients left over");

    let training = TrainerSettings { learning_rate: note.learning_rate, clip: Some(note.clip), ..TrainerSettings::default() };
    let mut trainer = Trainer::new(network, training).unwrap();
    let found: Vec<f32> = (0..losses.len()).map(|_| trainer.step(&batch).unwrap().loss).collect();
    check_close(&format!("{name}: losses"), &found, &losses);
}

#[test]
fn logits_gradients_and_ten_losses_agree_with_pytorch() {
    golden_files().iter().for_each(|path| check(path));
}

#[test]
fn every_network_has_a_golden_file() {
    let names: Vec<String> = golden_files().iter().map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    for entry in &CATALOG {
        assert!(names.iter().any(|name| name == entry.name), "{}", entry.name);
    }
}
