//! Small networks and batches for the tests of several files.

use crate::classifier::{Classifier, Definition};
use crate::embeddings::Embeddings;
use crate::features::PairFeatures;
use crate::featurizers::words::pair_of_ids;
use crate::inputs::Inputs;
use crate::networks::{CATALOG, NetworkSettings};
use crate::sizes::Sizes;
use acidtest_nli::Seed;
use acidtest_threads::Threads;
use serde_json::{Value, json};

/// A pool of this many threads.
pub(crate) fn threads(count: usize) -> Threads {
    Threads::new(count.try_into().unwrap()).unwrap()
}

/// A network of the catalog for ten words, with a hidden layer of size five.
pub(crate) fn small(name: &str, threads: &Threads) -> Classifier {
    let definition = definition(name, json!({"hidden": 5}), (10, 4));
    Classifier::new(&definition, Some(&Embeddings::random(4)), Seed::new(1), threads).unwrap()
}

/// A network of the catalog with three classes and these settings, for this vocabulary size and embedding dimension.
pub(crate) fn definition(name: &str, settings: Value, (words, dimension): (usize, usize)) -> Definition {
    let settings = NetworkSettings::with(CATALOG.find(name).unwrap(), &settings).unwrap();
    Definition { settings, sizes: Sizes::new([("words", words), ("dimension", dimension)]), classes: 3 }
}

/// A batch of sentences given as word ids, with labels if there are any.
pub(crate) fn batch<S: AsRef<[u32]>>(pairs: &[(S, S)], labels: &[usize]) -> Inputs {
    let features: Vec<PairFeatures> =
        pairs.iter().map(|(premise, hypothesis)| pair_of_ids(premise.as_ref(), hypothesis.as_ref())).collect();
    let inputs = Inputs::of_pairs(&features.iter().collect::<Vec<_>>()).unwrap();
    if labels.is_empty() { inputs } else { inputs.labelled(labels.to_vec()).unwrap() }
}
