//! Reading CoNLL-U fails with the number of the bad line, or gives sentences that are not empty.

#![no_main]

use acidtest_lingua::conllu;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match conllu::read(text) {
    Ok(sentences) => assert!(sentences.iter().all(|sentence| !sentence.is_empty())),
    Err(error) => assert!(error.line >= 1 && error.line <= text.lines().count()),
});
