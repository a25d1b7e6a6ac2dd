//! Scores tiny models in fewer bits than f32, on processors that can.
#![allow(clippy::unwrap_used)] // A model that cannot be opened has failed.

use acidtest_neural::{ComputePrecision, Featurizer, PairFeatures};
use acidtest_nli::Pair;
use acidtest_threads::Threads;
use acidtest_transformers::{Result, Transformer};
use std::path::{Path, PathBuf};

fn models() -> Vec<PathBuf> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(golden).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.join("golden.json").is_file());
    folders
}

fn open(folder: &Path, precision: ComputePrecision, threads: usize) -> Result<Transformer> {
    Transformer::open(folder, None, precision, &Threads::new(threads.try_into().unwrap()).unwrap())
}

fn pairs(model: &Transformer) -> Vec<PairFeatures> {
    let words = ["man", "is", "playing", "a", "guitar", "on", "the", "street", "no", "dog", "."];
    let sentence =
        |length: usize, first: usize| (0..length).map(|word| words[(first + word * 3) % words.len()]).collect::<Vec<_>>().join(" ");
    (0..40)
        .map(|pair| model.subwords.features(&Pair::plain(&sentence(1 + pair % 9, pair), &sentence(1 + pair * 5 % 7, pair + 3))))
        .collect()
}

/// Compares scores in this precision with those of f32, which may differ by this share of the largest one.
fn check(precision: ComputePrecision, share: f32) {
    for folder in models() {
        let model = match open(&folder, precision, 1) {
            Ok(model) => model,
            Err(refused) => {
                let refused = refused.to_string();
                assert!(precision.kernel().is_err() && refused.contains("precision") && !refused.contains('\n'), "{refused}");
                continue;
            }
        };
        let name = format!("{} in {}", folder.file_name().unwrap().to_string_lossy(), precision.name());
        assert_eq!((model.precision, model.kernel), (precision, precision.kernel().unwrap()));
        let pairs = pairs(&model);
        let all: Vec<&PairFeatures> = pairs.iter().collect();
        let scores = model.classifier.scores(&all).unwrap();
        for (place, pair) in all.iter().enumerate() {
            assert_eq!(model.classifier.scores(&[pair]).unwrap().row(0), scores.row(place), "{name}, pair {place}");
        }
        assert!(open(&folder, precision, 3).unwrap().classifier.scores(&all).unwrap() == scores, "{name}: threads");
        let exact = open(&folder, ComputePrecision::F32, 2).unwrap().classifier.scores(&all).unwrap();
        assert!(model.classifier.scores_in_f32(&all).unwrap() == exact, "{name}: its f32");
        assert!(scores != exact, "{name}: the bits of f32");
        let largest = exact.data.iter().fold(0f32, |largest, number| largest.max(number.abs()));
        let far = scores.data.iter().zip(&exact.data).map(|(one, other)| (one - other).abs()).fold(0f32, f32::max);
        assert!(far < share * largest.max(1.0), "{name}: {far} from logits of up to {largest}");
    }
}

#[test]
fn scores_in_bf16_are_near_those_of_f32_and_do_not_depend_on_batch_or_threads() {
    check(ComputePrecision::Bf16, 0.1);
}

#[test]
fn scores_in_int8_are_near_those_of_f32_and_do_not_depend_on_batch_or_threads() {
    check(ComputePrecision::Int8, 0.2);
}
