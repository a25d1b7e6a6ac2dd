//! Tokens cover all of a text except white space, no sentence splits a token, and rejoining the tokens gives the text.

#![no_main]

use acidtest_lingua::tokens::{detokenize, penn_leaves, rejoin, sentences, tokenize};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let tokens = tokenize(text);
    let mut at = 0;
    for token in &tokens {
        assert!(token.start < token.end);
        assert!(text[at..token.start].chars().all(char::is_whitespace));
        at = token.end;
    }
    assert!(text[at..].chars().all(char::is_whitespace));
    let forms: Vec<&str> = tokens.iter().map(|token| token.text(text)).collect();
    assert_eq!(rejoin(text, &tokens, &forms), text, "joining what was not changed gives the text");
    detokenize(forms.iter().copied());
    for leaf in penn_leaves(text) {
        assert!(!leaf.is_empty() && !leaf.contains(|letter: char| letter.is_whitespace() || "()".contains(letter)));
    }
    let mut at = 0;
    for range in sentences(text) {
        assert!(range.start >= at && range.end <= text.len());
        assert!(text[at..range.start].chars().all(char::is_whitespace));
        at = range.end;
    }
});
