//! Runs every network with each set of vector instructions that the machine has. The process is limited to one at a time, so this file has
//! one test.
#![allow(clippy::unwrap_used)] // A network that cannot be made has failed.

use acidtest_neural::featurizers::words::pair_of_ids;
use acidtest_neural::{
    CATALOG, Classifier, Definition, Embeddings, Inputs, Level, NetworkSettings, PairFeatures, Sizes, Trainer, TrainerSettings,
};
use acidtest_neural::{levels, use_level};
use acidtest_nli::Seed;
use acidtest_threads::Threads;
use serde_json::json;

const WORDS: usize = 40;
const DIMENSION: usize = 21;

fn network(name: &str, threads: usize) -> Classifier {
    let settings = json!({"hidden": 37, "dropout": 0.1, "word_vectors": "trained"});
    let settings = NetworkSettings::with(CATALOG.find(name).unwrap(), &settings).unwrap();
    let definition = Definition { settings, sizes: Sizes::new([("words", WORDS), ("dimension", DIMENSION)]), classes: 3 };
    let threads = Threads::new(threads.try_into().unwrap()).unwrap();
    Classifier::new(&definition, Some(&Embeddings::random(DIMENSION)), Seed::new(1), &threads).unwrap()
}

fn pairs() -> Vec<PairFeatures> {
    let sentence = |length: usize, first: usize| -> Vec<u32> { (0..length).map(|word| ((first + word * 7) % WORDS) as u32).collect() };
    (0..60).map(|pair| pair_of_ids(&sentence(1 + pair % 19, pair), &sentence(pair * 5 % 11, pair + 3))).collect()
}

/// The scores of all pairs together, checked against those of each alone, and the losses of three steps of training.
fn results(name: &str, threads: usize) -> Vec<f32> {
    let (network, pairs) = (network(name, threads), pairs());
    let all: Vec<&PairFeatures> = pairs.iter().collect();
    let scores = network.scores(&all).unwrap();
    for (place, pair) in all.iter().enumerate() {
        assert_eq!(scores.row(place), network.scores(&[pair]).unwrap().row(0), "{name}, pair {place}");
    }
    let batch = Inputs::of_pairs(&all).unwrap().labelled((0..all.len()).map(|pair| pair % 3).collect()).unwrap();
    let mut trainer = Trainer::new(network, TrainerSettings::default()).unwrap();
    let losses = (0..3).map(|_| trainer.step(&batch).unwrap().loss);
    scores.data.into_iter().chain(losses).collect()
}

#[test]
fn avx2_and_avx512_give_the_same_bits_for_any_number_of_threads() {
    for entry in &CATALOG {
        let mut fused: Option<(Level, Vec<f32>)> = None;
        for level in levels() {
            use_level(level);
            let found = results(entry.name, 1);
            assert!(found.iter().all(|number| number.is_finite()), "{}, {level:?}", entry.name);
            assert!(found == results(entry.name, 3), "{}, {level:?}: threads", entry.name);
            if level == Level::Portable {
                let Some((_, fused)) = &fused else { continue };
                let close = found.iter().zip(fused).all(|(one, other)| (one - other).abs() < 1e-3);
                assert!(close, "{}: portable code", entry.name);
                continue;
            }
            match &fused {
                Some((other, expected)) => assert!(found == *expected, "{}: {level:?} and {other:?} differ", entry.name),
                None => fused = Some((level, found)),
            }
        }
    }
}
