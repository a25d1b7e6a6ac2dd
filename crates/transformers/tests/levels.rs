//! Scores tiny models of every architecture with each set of vector instructions that the machine has. The process is limited to one at a
//! time, so this file has one test.
#![allow(clippy::unwrap_used)] // A test that cannot read its golden file has failed.

use acidtest_neural::Featurizer;
use acidtest_neural::{ComputePrecision, Level, PairFeatures, levels, use_level};
use acidtest_nli::Pair;
use acidtest_threads::Threads;
use acidtest_transformers::Transformer;
use std::path::{Path, PathBuf};

fn models() -> Vec<PathBuf> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(golden).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.join("golden.json").is_file());
    folders.sort();
    folders
}

fn open(folder: &Path, threads: usize) -> Transformer {
    Transformer::open(folder, None, ComputePrecision::F32, &Threads::new(threads.try_into().unwrap()).unwrap()).unwrap()
}

fn pairs(model: &Transformer) -> Vec<PairFeatures> {
    let words = ["man", "is", "playing", "a", "guitar", "on", "the", "street", "no", "dog", "."];
    let sentence =
        |length: usize, first: usize| (0..length).map(|word| words[(first + word * 3) % words.len()]).collect::<Vec<_>>().join(" ");
    (0..40)
        .map(|pair| model.subwords.features(&Pair::plain(&sentence(1 + pair % 9, pair), &sentence(1 + pair * 5 % 7, pair + 3))))
        .collect()
}

/// The scores of all pairs together, checked against those of each alone.
fn scores(model: &Transformer) -> Vec<f32> {
    let pairs = pairs(model);
    let all: Vec<&PairFeatures> = pairs.iter().collect();
    let scores = model.classifier.scores(&all).unwrap();
    for (place, pair) in all.iter().enumerate() {
        assert_eq!(scores.row(place), model.classifier.scores(&[pair]).unwrap().row(0), "{}, pair {place}", model.architecture);
    }
    scores.data
}

#[test]
fn avx2_and_avx512_give_the_same_bits_for_any_number_of_threads() {
    for folder in models() {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let mut fused: Option<(Level, Vec<f32>)> = None;
        // Its weights are packed for the best level.
        let first = open(&folder, 2);
        for level in levels() {
            use_level(level);
            let found = scores(&first);
            for threads in [1, 3] {
                assert!(found == scores(&open(&folder, threads)), "{name}, {level:?}, {threads} threads");
            }
            if level == Level::Portable {
                let Some((_, fused)) = &fused else { continue };
                assert!(found.iter().zip(fused).all(|(one, other)| (one - other).abs() < 1e-3), "{name}: portable code");
                continue;
            }
            match &fused {
                Some((other, expected)) => assert!(found == *expected, "{name}: {level:?} and {other:?} differ"),
                None => fused = Some((level, found)),
            }
        }
    }
}
