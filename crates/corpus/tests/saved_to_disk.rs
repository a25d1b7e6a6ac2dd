//! Folders that `save_to_disk` of Hugging Face `datasets` writes. The one here has three rows, two classes with names, and columns of many kinds.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use acidtest_corpus::{Corpus, CorpusError, ReadOptions, read_all, resolve};
use acidtest_nli::{Judgment, Label};
use acidtest_threads::Threads;
use std::path::{Path, PathBuf};

fn saved() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/saved_to_disk")
}

fn read(path: &Path) -> Result<Corpus, CorpusError> {
    let threads = Threads::new(std::num::NonZeroUsize::MIN).unwrap();
    read_all(resolve(&[path])?, ReadOptions::default(), &threads)
}

#[test]
fn rows_labels_and_plain_columns_are_read() {
    let corpus = read(&saved()).unwrap();
    let pairs: Vec<(&str, &str)> =
        corpus.examples.iter().map(|example| (example.pair.premise.text.as_ref(), example.pair.hypothesis.text.as_ref())).collect();
    assert_eq!(pairs, [("A man sleeps.", "He is asleep."), ("Zoë runs 🙂", "She \"moves\"."), ("x", "y")]);
    let golds: Vec<_> = corpus.examples.iter().map(|example| example.gold).collect();
    assert_eq!(golds, [Some(Label::Entailment.into()), Some(Judgment::NotEntailment), None]);
    let tags = |row: usize| corpus.examples[row].tags.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ");
    assert_eq!(tags(0), "genre=fiction hard=true idx=7 weight=0.5");
    assert_eq!(tags(1), "hard=false idx=-8 weight=2");
    assert_eq!(tags(2), "genre=travel idx=9");
    let notes = corpus.files[0].notes.join("; ");
    assert!(notes.contains("ignored: votes") && notes.contains("0, 1, ... are non-entailment, entailment"), "{notes}");
}

#[test]
fn only_what_the_state_lists_is_read() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["state.json", "dataset_info.json", "data-00000-of-00001.arrow"] {
        std::fs::copy(saved().join(name), folder.path().join(name)).unwrap();
    }
    std::fs::copy(saved().join("data-00000-of-00001.arrow"), folder.path().join("cache-0.arrow")).unwrap();
    assert_eq!(read(folder.path()).unwrap().examples.len(), 3);
    // Splits in separate folders.
    let splits = tempfile::tempdir().unwrap();
    std::fs::write(splits.path().join("dataset_dict.json"), r#"{"splits": ["train"]}"#).unwrap();
    std::fs::rename(folder.path(), splits.path().join("train")).unwrap();
    assert_eq!(read(splits.path()).unwrap().examples.len(), 3);
}

#[test]
fn a_damaged_file_is_an_error_or_has_as_many_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.arrow");
    let whole = std::fs::read(saved().join("data-00000-of-00001.arrow")).unwrap();
    let check = |bytes: &[u8], what: &str| {
        std::fs::write(&path, bytes).unwrap();
        let found = read(&path);
        assert!(found.as_ref().map_or(true, |corpus| corpus.examples.len() == 3), "{what}");
        found.is_err()
    };
    assert!(!check(&whole, "nothing"));
    for length in 0..whole.len() {
        assert!(check(&whole[..length], &format!("cut at {length}")), "cut at {length}");
    }
    for at in 0..whole.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= change;
            check(&bytes, &format!("byte {at} changed by {change:#x}"));
        }
    }
}
