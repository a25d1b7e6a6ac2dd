//! Every model against the logits, gradients and ten losses of the same model in PyTorch (`golden/make_golden.py`).
#![allow(clippy::unwrap_used)] // A test that cannot read its golden file has failed.

use acidtest_neural::parameters::Gradient;
use acidtest_neural::{Batch, CATALOG, Network, Settings, Trainer, Training};
use safetensors::SafeTensors;
use std::path::{Path, PathBuf};

/// Both sides add up in 32 bits, in another order.
const TOLERANCE: f32 = 2e-5;

#[derive(serde::Deserialize)]
struct Note {
    settings: Settings,
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

/// Gradients with zeros for the rows that the batch did not use.
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
    let batch = Batch::new(&note.premises, &note.hypotheses, &note.labels).unwrap();
    let mut network = Network::load(&note.settings, path).unwrap();

    let logits: Vec<f32> = network.scores(&batch).unwrap().concat();
    check_close(&format!("{name}: logits"), &logits, &numbers(&file, "logits"));

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

    let training = Training { learning_rate: note.learning_rate, clip: Some(note.clip), ..Training::default() };
    let mut trainer = Trainer::new(network, training).unwrap();
    let found: Vec<f32> = (0..losses.len()).map(|_| trainer.step(&batch).unwrap().loss).collect();
    check_close(&format!("{name}: losses"), &found, &losses);
}

#[test]
fn logits_gradients_and_ten_losses_are_those_of_pytorch() {
    golden_files().iter().for_each(|path| check(path));
}

#[test]
fn every_listed_model_has_a_golden_file() {
    let names: Vec<String> = golden_files().iter().map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    for entry in CATALOG {
        assert!(names.iter().any(|name| name == entry.name), "{}", entry.name);
    }
}
