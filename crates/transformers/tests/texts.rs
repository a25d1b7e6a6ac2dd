//! Unusual texts: every architecture gives finite scores, says what it truncated and never panics.
#![allow(clippy::unwrap_used)] // A test that cannot open its model has failed.

use acidtest_neural::{Column, ComputePrecision, Featurizer, PairFeatures};
use acidtest_nli::Pair;
use acidtest_threads::Threads;
use acidtest_transformers::Transformer;
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(name)
}

fn open(folder: &Path) -> Transformer {
    Transformer::open(folder, None, ComputePrecision::F32, &Threads::new(2.try_into().unwrap()).unwrap())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The tiny models of all architectures, by the names of their folders.
static MODELS: LazyLock<Vec<(String, Transformer)>> = LazyLock::new(|| {
    let folders = std::fs::read_dir(golden("")).unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<PathBuf> = folders.filter(|folder| folder.join("golden.json").is_file()).collect();
    folders.sort();
    folders.iter().map(|folder| (folder.file_name().unwrap().to_string_lossy().into_owned(), open(folder))).collect()
});

fn ids(features: &PairFeatures) -> &[u32] {
    match &features.sentences[0].columns[0] {
        (_, Column::Ids(ids)) => ids,
        _ => panic!("the first column is not the tokens"),
    }
}

/// What is wrong with the scores of some pairs.
fn complaint((name, model): &(String, Transformer), texts: &[(&str, &str)]) -> Option<String> {
    let pairs: Vec<Pair<'_>> = texts.iter().map(|(premise, hypothesis)| Pair::plain(premise, hypothesis)).collect();
    let features = match model.subwords.encode_all(&pairs) {
        Ok(features) => features,
        Err(error) => return Some(error.to_string()),
    };
    if let Some(long) = features.iter().find(|features| ids(features).len() > model.subwords.longest()) {
        return Some(format!("{name}: {} tokens", ids(long).len()));
    }
    if features.iter().zip(&pairs).any(|(features, pair)| ids(features) != ids(&model.subwords.features(pair))) {
        return Some(format!("{name}: a pair alone has other tokens"));
    }
    match model.classifier.scores(&features.iter().collect::<Vec<_>>()) {
        Ok(scores) => scores.data.iter().any(|score| !score.is_finite()).then(|| format!("{name}: {:?}", scores.data)),
        Err(error) => Some(format!("{name}: {error}")),
    }
}

#[test]
fn unusual_texts_have_finite_scores() {
    let long = "antidisestablishmentarianism".repeat(10);
    let texts = [
        ("", ""),
        ("A man is playing.", ""),
        ("", "A man is playing."),
        ("   ", "\t\n"),
        ("a\u{0}b\u{7}c\u{1b}[0m", "\u{200b}\u{feff}\u{ad}"),
        ("[SEP]", "[CLS] [SEP] [PAD] [MASK] [UNK]"),
        ("</s>", "<s> </s> <pad> <mask> <unk>"),
        (&long, &long),
        ("👩‍👩‍👧‍👦🏳️‍🌈", "🫠🫠🫠"),
        ("الرجل يعزف على الغيتار", "\u{202e}נעים מאוד\u{202c}"),
        ("ﬁ ½ Ａ", "e\u{301}\u{301}\u{301}"),
        ("\u{e000}\u{10ffff}", "\u{fffd}"),
    ];
    let complaints: Vec<String> = MODELS.iter().filter_map(|model| complaint(model, &texts)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(MODELS.len() >= 10);
}

#[test]
fn long_texts_are_truncated_and_flagged() {
    let long = "a man is playing ".repeat(25_000);
    let longer = "the dog sleeps . ".repeat(25_000);
    for (name, model) in MODELS.iter() {
        let longest = model.subwords.longest();
        for (premise, hypothesis) in [(long.as_str(), "A dog."), ("A dog.", long.as_str()), (&long, &longer), (&long, "")] {
            let features = model.subwords.encode(premise, hypothesis).unwrap();
            assert!(features.truncated, "{name}");
            assert_eq!(ids(&features).len(), longest, "{name}");
            let scores = model.classifier.scores(&[&features]).unwrap();
            assert!(scores.data.iter().all(|score| score.is_finite()), "{name}");
        }
        assert!(!model.subwords.encode("A dog.", "").unwrap().truncated, "{name}");
    }
}

/// A golden BERT with one more special token than embeddings.
fn with_extra_token() -> (tempfile::TempDir, Transformer) {
    let folder = tempfile::tempdir().unwrap();
    for file in ["config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"] {
        std::fs::copy(golden("bert").join(file), folder.path().join(file)).unwrap();
    }
    let path = folder.path().join("tokenizer.json");
    let mut tokenizer: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    tokenizer["added_tokens"].as_array_mut().unwrap().push(serde_json::json!({"id": 40, "content": "[EXTRA]", "single_word": false,
        "lstrip": false, "rstrip": false, "normalized": false, "special": true}));
    std::fs::write(&path, tokenizer.to_string()).unwrap();
    let model = open(folder.path());
    (folder, model)
}

#[test]
fn a_token_without_an_embedding_is_an_error_and_not_a_wrong_score() {
    let (_folder, model) = with_extra_token();
    let (good, bad) = (Pair::plain("A dog.", "A man."), Pair::plain("A dog [EXTRA].", "A man."));
    let message = model.subwords.encode_all(&[good.clone(), bad.clone()]).err().unwrap().to_string();
    assert!(message.contains("`[EXTRA]`") && message.contains("33 embeddings"), "{message}");
    assert!(model.classifier.scores(&[&model.subwords.features(&good)]).is_ok());
    assert!(model.classifier.scores(&[&model.subwords.features(&bad)]).is_err());
}

/// Texts of all characters, with some that tokenizers treat in their own way.
fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => any::<String>(),
        2 => "[a-z ,.]{0,40}",
        1 => prop_oneof![
            Just("[SEP]"), Just("[CLS]"), Just("[MASK]"), Just("</s>"), Just("<s>"), Just("<mask>"), Just("##ing"), Just("▁"), Just("Ġ"),
            Just("\u{200d}"), Just("\u{0}"), Just("''``"), Just("  "),
        ].prop_map(str::to_owned),
    ];
    proptest::collection::vec(part, 0..6).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_texts_have_finite_scores(premise in text(), hypothesis in text()) {
        for model in MODELS.iter() {
            let found = complaint(model, &[(&premise, &hypothesis)]);
            prop_assert!(found.is_none(), "{}", found.unwrap_or_default());
        }
    }
}
