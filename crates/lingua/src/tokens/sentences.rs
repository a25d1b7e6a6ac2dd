//! Sentence segmentation.

use sentencex::languages::{English, Language};
use std::ops::Range;

/// The byte ranges of the sentences of a text, without white space at their edges.
///
/// ```
/// use acidtest_lingua::tokens::sentences;
/// let text = "Mr. Smith came. He left!";
/// let found: Vec<&str> = sentences(text).into_iter().map(|range| &text[range]).collect();
/// assert_eq!(found, ["Mr. Smith came.", "He left!"]);
/// ```
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    if is_one(text) {
        push_trimmed(text, 0..text.len(), &mut ranges);
        return ranges;
    }
    let mut from = 0;
    while from < text.len() {
        let window = from..from + window_length(&text[from..]);
        let mut ends = sentence_ends(&text[window.clone()]);
        // The last sentence of a window may continue after it, so it is read again with the text that follows.
        if window.end < text.len() && ends.len() > 1 {
            ends.pop();
        }
        let mut start = from;
        for end in ends.into_iter().map(|end| window.start + end) {
            push_trimmed(text, start..end, &mut ranges);
            start = end;
        }
        if start == from || window.end == text.len() {
            push_trimmed(text, start..window.end, &mut ranges);
            start = window.end;
        }
        from = start;
    }
    ranges
}

/// Where the sentences of a short text end.
fn sentence_ends(text: &str) -> Vec<usize> {
    let (mut ends, mut from) = (Vec::new(), 0);
    // The crate's function for any language prints to standard error for texts of over a thousand bytes.
    for boundary in (English {}).get_sentence_boundaries(text) {
        // Searched again in the text, so that the ranges are in bytes whatever unit the crate uses.
        let Some(at) = text[from..].find(boundary.text) else { continue };
        if at > 0 {
            ends.push(from + at);
        }
        from += at + boundary.text.len();
        ends.push(from);
    }
    ends
}

/// The crate takes quadratic time, so long texts are passed in pieces of this many bytes.
const WINDOW: usize = 4096;

/// The length of the next window: all of a short text, otherwise up to white space if possible.
fn window_length(text: &str) -> usize {
    if text.len() <= WINDOW {
        return text.len();
    }
    let end = (0..=WINDOW).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    text[..end].char_indices().rfind(|(_, letter)| letter.is_whitespace()).map_or(end, |(at, space)| at + space.len_utf8())
}

/// Whether the text is clearly a single sentence, as most are: the crate would take many times longer.
fn is_one(text: &str) -> bool {
    let body = text.trim_end().trim_end_matches(['.', '!', '?']);
    text.is_ascii() && !body.contains(['.', '!', '?', '\n', '\r'])
}

fn push_trimmed(text: &str, range: Range<usize>, ranges: &mut Vec<Range<usize>>) {
    let part = &text[range.clone()];
    let body = part.trim();
    if body.is_empty() {
        return;
    }
    let start = range.start + (part.len() - part.trim_start().len());
    // A closing quote or bracket by itself belongs to the sentence before it.
    if let Some(last) = ranges.last_mut().filter(|_| !body.contains(char::is_alphanumeric)) {
        last.end = start + body.len();
        return;
    }
    ranges.push(start..start + body.len());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_closing_quote_is_not_a_sentence() {
        let text = "\"Off you go! \"";
        assert_eq!(sentences(text), vec![Range { start: 0, end: text.len() }]);
        let (mut ranges, text) = (Vec::new(), "Go! \"");
        push_trimmed(text, 0..3, &mut ranges);
        push_trimmed(text, 3..5, &mut ranges);
        assert_eq!(ranges, vec![Range { start: 0, end: 5 }]);
    }

    #[test]
    fn the_shortcut_agrees_with_the_crate() {
        for text in ["A dog runs.", " A dog runs?! ", "So", "He said: \"no\"; she left...", "a, b; c: d - e"] {
            assert!(is_one(text), "{text}");
            let whole: Vec<&str> = (English {}).get_sentence_boundaries(text).iter().map(|boundary| boundary.text).collect();
            assert_eq!(whole.concat().trim(), text.trim());
            assert_eq!(whole.iter().filter(|part| !part.trim().is_empty()).count(), 1, "{text}: {whole:?}");
        }
        assert!(!is_one("It rained. We stayed.") && !is_one("It rained\nWe stayed"));
    }

    #[test]
    fn a_long_text_has_the_sentences_of_its_pieces() {
        let piece = "Mr. Smith came home at 3.5 miles an hour. He left again! ";
        let text = piece.repeat(500);
        let found = sentences(&text);
        assert_eq!(found.len(), 1000);
        assert!(found.iter().all(|range| ["Mr. Smith came home at 3.5 miles an hour.", "He left again!"].contains(&&text[range.clone()])));
        let without_end = "é".repeat(10_000);
        assert_eq!(sentences(&without_end).iter().map(|range| range.len()).sum::<usize>(), without_end.len());
    }

    proptest! {
        #[test]
        fn sentences_cover_everything_except_white_space(text in "\\PC{0,60}|([A-Z]?[a-z]{1,4}[.?!]? ){0,9}") {
            let mut at = 0;
            for range in sentences(&text) {
                prop_assert!(text[at..range.start].trim().is_empty());
                prop_assert!(!text[range.clone()].trim().is_empty());
                at = range.end;
            }
            prop_assert!(text[at..].trim().is_empty());
        }
    }
}
