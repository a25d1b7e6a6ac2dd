//! Premises that are too long: the windows of `transformers` (`golden/windows.py`), sentences as pairs of their own, and bounded memory.
#![allow(clippy::unwrap_used)] // A test that cannot open its model has failed.

use acidtest_lingua::tokens::sentences;
use acidtest_neural::{Column, ComputePrecision, PairFeatures};
use acidtest_threads::Threads;
use acidtest_transformers::{LongPremises, OVERLAP, Transformer};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

#[derive(Deserialize)]
struct Case {
    model: String,
    length: usize,
    pairs: Vec<WindowedPair>,
}

#[derive(Deserialize)]
struct WindowedPair {
    premise: String,
    hypothesis: String,
    windows: Vec<Vec<u32>>,
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(name)
}

fn open(folder: &Path) -> Transformer {
    let threads = Threads::new(2.try_into().unwrap()).unwrap();
    Transformer::open(folder, None, ComputePrecision::F32, &threads).unwrap_or_else(|error| panic!("{error}"))
}

/// A golden model that reads pairs of this length.
fn open_with_length(name: &str, length: usize) -> Transformer {
    let folder = tempfile::tempdir().unwrap();
    for file in ["config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"] {
        std::fs::copy(golden(name).join(file), folder.path().join(file)).unwrap();
    }
    let path = folder.path().join("config.json");
    let mut config: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    if name == "deberta-v3" {
        config["max_position_embeddings"] = json!(length);
    }
    std::fs::write(&path, config.to_string()).unwrap();
    let model = open(folder.path());
    assert_eq!(model.subwords.longest(), length, "{name}");
    model
}

fn ids(features: &PairFeatures) -> &[u32] {
    match &features.sentences[0].columns[0] {
        (_, Column::Ids(ids)) => ids,
        _ => panic!("the first column is not the tokens"),
    }
}

#[test]
fn windows_are_those_of_transformers() {
    let cases: Vec<Case> = serde_json::from_slice(&std::fs::read(golden("windows.json")).unwrap()).unwrap();
    let mut several = 0;
    for Case { model: name, length, pairs } in cases {
        let model = open_with_length(&name, length);
        for WindowedPair { premise, hypothesis, windows } in pairs {
            let parts = model.subwords.encode_parts(&premise, &hypothesis, LongPremises::Windows).unwrap();
            let found: Vec<&[u32]> = parts.iter().map(ids).collect();
            assert_eq!(found, windows, "{name}, {length} tokens: {premise}");
            assert!(parts.iter().all(|part| !part.truncated), "{name}");
            several += usize::from(windows.len() > 3);
        }
    }
    assert!(several > 5, "{several}");
}

#[test]
fn a_long_hypothesis_is_truncated_and_leaves_half_of_the_tokens_to_each_window() {
    let model = open(&golden("bert"));
    let long = "the man is not at the cafe . ".repeat(20);
    for way in [LongPremises::Windows, LongPremises::Sentences] {
        // A premise that fits beside the rest of the hypothesis is read whole.
        let short = model.subwords.encode_parts("A dog.", &long, way).unwrap();
        assert_eq!(short, [model.subwords.encode("A dog.", &long).unwrap()]);
        assert!(short[0].truncated);
        let both = model.subwords.encode_parts(&long, &long, way).unwrap();
        assert!(both.len() > 4 && both.iter().all(|part| part.truncated && ids(part).len() <= 64), "{}", both.len());
    }
    let both = model.subwords.encode_parts(&long, &long, LongPremises::Windows).unwrap();
    assert_eq!(both[0], model.subwords.encode(&long, &long).unwrap());
}

#[test]
fn a_sentence_is_read_as_if_it_were_the_premise() {
    let model = open(&golden("bert"));
    let texts = ["The man is on the street.", "A dog is sleeping at the cafe!", "Is the woman playing?", "A woman plays."];
    let premise = texts.join(" ") + " " + &texts.join(" ") + " " + &texts.join(" ");
    let parts = model.subwords.encode_parts(&premise, "The dog sleeps.", LongPremises::Sentences).unwrap();
    let expected: Vec<PairFeatures> =
        texts.iter().cycle().take(12).map(|text| model.subwords.encode(text, "The dog sleeps.").unwrap()).collect();
    assert_eq!(parts, expected);
    // A sentence that is itself too long is read in windows.
    let endless = "the man and the dog and the woman and ".repeat(20);
    let parts = model.subwords.encode_parts(&format!("A dog. {endless}. No."), "The dog sleeps.", LongPremises::Sentences).unwrap();
    let alone = model.subwords.encode_parts(&format!("{endless}."), "The dog sleeps.", LongPremises::Windows).unwrap();
    assert!(alone.len() > 3);
    assert_eq!(parts.len(), alone.len() + 2);
    assert_eq!(parts[1..=alone.len()].iter().map(ids).collect::<Vec<_>>(), alone.iter().map(ids).collect::<Vec<_>>());
}

#[test]
fn a_text_without_sentences_still_has_a_part() {
    let model = open(&golden("roberta"));
    let blank = " ".repeat(400);
    let parts = model.subwords.encode_parts(&blank, "A dog.", LongPremises::Sentences).unwrap();
    assert_eq!(parts, model.subwords.encode_parts(&blank, "A dog.", LongPremises::Windows).unwrap());
    assert!(parts.len() > 1);
}

/// The tokens of premise and hypothesis in a part: [CLS] premise [SEP] hypothesis [SEP].
fn sides(part: &[u32]) -> (&[u32], &[u32]) {
    let separator = part.iter().position(|id| Some(id) == part.last()).unwrap();
    (&part[1..separator], &part[separator + 1..part.len() - 1])
}

static BERT: LazyLock<Transformer> = LazyLock::new(|| open(&golden("bert")));
static ROBERTA: LazyLock<Transformer> = LazyLock::new(|| open(&golden("roberta")));
static SHORT_DEBERTA: LazyLock<Transformer> = LazyLock::new(|| open_with_length("deberta-v3", 64));
static WHOLE: LazyLock<Transformer> = LazyLock::new(|| open_with_length("deberta-v3", 10_000));
static DEBERTA: LazyLock<Transformer> = LazyLock::new(|| open_with_length("deberta-v3", 300));

fn text(most: usize) -> impl Strategy<Value = String> {
    let word = prop_oneof![
        6 => prop::sample::select(vec!["the", "dog", "man", "is", "sleeping", "at", "a", "cafe", ".", "!", "No", "\n", "Mr."]),
        1 => prop::sample::select(vec!["[SEP]", "</s>", "猫", "👩‍👩‍👧", "\u{0}", "zzzzzzzzzzzzzzzzzzzz", "e\u{301}"]),
    ];
    prop::collection::vec(word, 0..most).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parts_fit_begin_as_truncated_pairs_do_and_leave_nothing_out(premise in text(400), hypothesis in text(60)) {
        for model in [&*BERT, &*ROBERTA, &*DEBERTA] {
            let subwords = &model.subwords;
            let parts = |way| subwords.encode_parts(&premise, &hypothesis, way).unwrap();
            let cut = subwords.encode(&premise, &hypothesis).unwrap();
            prop_assert_eq!(&parts(LongPremises::Truncate), std::slice::from_ref(&cut));
            let (windows, by_sentence) = (parts(LongPremises::Windows), parts(LongPremises::Sentences));
            prop_assert!(windows.iter().chain(&by_sentence).all(|part| ids(part).len() <= subwords.longest()));
            prop_assert_eq!(ids(&windows[0]), ids(&cut), "the first window is what is left of a truncated pair");
            if windows.len() == 1 {
                prop_assert_eq!(&windows[0], &cut);
                prop_assert_eq!(&by_sentence[0], &cut);
                prop_assert_eq!(by_sentence.len(), 1);
            } else {
                prop_assert!(cut.truncated);
                prop_assert!(by_sentence.len() >= sentences(&premise).len().min(2));
            }
        }
    }

    #[test]
    fn windows_overlap_and_together_are_the_premise(premise in 1_usize..900, hypothesis in 0_usize..200) {
        let text = |words: usize| ["the", "dog", "man", "is", "at", "a"].iter().cycle().take(words).copied().collect::<Vec<_>>().join(" ");
        let (premise, hypothesis) = (text(premise), text(hypothesis));
        let whole = WHOLE.subwords.encode(&premise, &hypothesis).unwrap();
        let (whole_premise, whole_hypothesis) = sides(ids(&whole));
        for (model, length) in [(&*SHORT_DEBERTA, 64), (&*DEBERTA, 300)] {
            let parts = model.subwords.encode_parts(&premise, &hypothesis, LongPremises::Windows).unwrap();
            if parts.len() == 1 {
                continue;
            }
            let (parts, hypotheses): (Vec<&[u32]>, Vec<&[u32]>) = parts.iter().map(|part| sides(ids(part))).unzip();
            let window = length - 3 - hypotheses[0].len();
            prop_assert!(hypotheses.iter().all(|own| *own == hypotheses[0]));
            prop_assert!(whole_hypothesis.starts_with(hypotheses[0]));
            prop_assert!(hypotheses[0].len() == whole_hypothesis.len() || hypotheses[0].len() >= (length - 3) / 2);
            prop_assert!(parts[..parts.len() - 1].iter().all(|part| part.len() == window));
            let overlap = OVERLAP.min(window / 2);
            let mut joined = parts[0].to_vec();
            for part in &parts[1..] {
                prop_assert!(part.len() > overlap, "a part that repeats only what was read");
                prop_assert_eq!(&joined[joined.len() - overlap..], &part[..overlap]);
                joined.extend_from_slice(&part[overlap..]);
            }
            prop_assert_eq!(joined, whole_premise);
        }
    }
}
