//! Random changes to the files of a model: it is refused in one line or gives finite scores, and never panics.
#![allow(clippy::unwrap_used)] // A test that cannot prepare its folder has failed.

use acidtest_neural::ComputePrecision;
use acidtest_nli::Pair;
use acidtest_threads::Threads;
use acidtest_transformers::Transformer;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const MODELS: [&str; 6] = ["albert", "bart", "bert", "deberta-v3", "modernbert", "mpnet"];

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(name)
}

/// Values that sizes, names and lists do not expect.
fn values() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(0),
        json!(1),
        json!(-1),
        json!(3),
        json!(65_535),
        json!(u64::MAX),
        json!(0.5),
        json!(1e300),
        json!(""),
        json!("[SEP]"),
        json!([]),
        json!({}),
        json!([[0]]),
    ]
}

/// The number of values in a JSON document.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(parts) => parts.iter().map(count).sum(),
        Value::Object(parts) => parts.values().map(count).sum(),
        _ => 0,
    }
}

/// Replaces the value with this number; returns how many were passed if there are fewer.
fn replace(value: &mut Value, place: usize, new: &Value) -> usize {
    if place == 0 {
        *value = new.clone();
        return 0;
    }
    let mut left = place - 1;
    let parts: Vec<&mut Value> = match value {
        Value::Array(parts) => parts.iter_mut().collect(),
        Value::Object(parts) => parts.values_mut().collect(),
        _ => Vec::new(),
    };
    for part in parts {
        let size = count(part);
        if left < size {
            return replace(part, left, new);
        }
        left -= size;
    }
    left
}

/// Opens a folder and scores a pair.
fn complaint(folder: &Path) -> Option<String> {
    let threads = Threads::new(1.try_into().unwrap()).unwrap();
    match Transformer::open(folder, None, ComputePrecision::F32, &threads) {
        Err(error) => error.to_string().contains('\n').then(|| format!("more than a line: {error}")),
        Ok(model) => {
            let features = model.subwords.encode_all(&[Pair::plain("A man is playing, 2 of 3.", "The dog is not ﬁne.")]).ok()?;
            let scores = model.classifier.scores(&features.iter().collect::<Vec<_>>()).ok()?;
            scores.data.iter().any(|score| !score.is_finite()).then(|| format!("scores {:?}", scores.data))
        }
    }
}

/// A copy of a golden folder with one file changed.
fn changed(model: &str, file: &str, change: impl Fn(Vec<u8>) -> Vec<u8>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"] {
        let bytes = std::fs::read(golden(model).join(name)).unwrap();
        std::fs::write(folder.path().join(name), if name == file { change(bytes) } else { bytes }).unwrap();
    }
    folder
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_changed_value_is_refused_or_harmless(
        model in proptest::sample::select(&MODELS[..]),
        file in proptest::sample::select(&["config.json", "tokenizer.json", "tokenizer_config.json"][..]),
        place in any::<proptest::sample::Index>(),
        new in proptest::sample::select(values()),
    ) {
        let folder = changed(model, file, |bytes| {
            let mut value: Value = serde_json::from_slice(&bytes).unwrap();
            let place = place.index(count(&value));
            replace(&mut value, place, &new);
            value.to_string().into_bytes()
        });
        prop_assert_eq!(complaint(folder.path()), None);
    }

    #[test]
    fn changed_bytes_are_refused_or_harmless(
        model in proptest::sample::select(&MODELS[..]),
        file in proptest::sample::select(&["config.json", "tokenizer.json", "model.safetensors"][..]),
        place in any::<proptest::sample::Index>(),
        new in proptest::collection::vec(any::<u8>(), 0..4),
    ) {
        let folder = changed(model, file, |mut bytes| {
            // Of the weights only the header: a changed number is another model.
            let end = if file == "model.safetensors" { 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize } else { bytes.len() };
            let start = place.index(end);
            bytes.splice(start..(start + new.len().max(1)).min(end), new.iter().copied());
            bytes
        });
        prop_assert_eq!(complaint(folder.path()), None);
    }
}
