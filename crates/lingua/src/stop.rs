//! Finds the end of a sentence, where words can be added.

use crate::abbreviations::keeps_its_stop;
use crate::edit::TextChange;

/// The position before the final stop of a text, or its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StopPlace {
    /// The byte before which words are inserted.
    at: usize,
    /// The stop to add if that of an abbreviation also ended the sentence.
    stop: &'static str,
}

impl StopPlace {
    /// The text with the words inserted, and the change.
    pub(crate) fn insert(self, text: &str, words: &str) -> (String, TextChange) {
        let StopPlace { at, stop } = self;
        let mut new = String::with_capacity(text.len() + words.len() + stop.len() + 1);
        new.push_str(&text[..at]);
        // If a space precedes the stop (`left .`), it is kept before the stop.
        let spaced = text[..at].ends_with(char::is_whitespace);
        if !spaced {
            new.push(' ');
        }
        new.push_str(words);
        if spaced {
            new.push(' ');
        }
        new.push_str(stop);
        let (start, end) = (characters(&text[..at]), new.len());
        let change = TextChange { start, end: start + characters(&new[at..end]), before: String::new() };
        new.push_str(&text[at..]);
        (new, change)
    }
}

fn characters(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// Whether a full stop that ends an abbreviation also ends the sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SharedStop {
    /// `in the U.S.` is a whole sentence: its final stop has both functions.
    Yes,
    /// The text merely ends in an abbreviation.
    No,
}

/// The position before the final stop of the text, or its end; `None` for a text without words.
///
/// Final quotes and spaces stay after it; the full stops of `3.5`, `Mr.` and `U.S.` do not count.
pub(crate) fn final_stop(text: &str, shared: impl Fn() -> SharedStop) -> Option<StopPlace> {
    let body = text.trim_end();
    let before_run = match body.as_bytes() {
        // Nearly all sentences end in a letter and a full stop.
        [.., b'a'..=b'z', b'.'] => &body[..body.len() - 1],
        _ => body.trim_end_matches(|c: char| is_stop(c) || is_closing(c) || c.is_whitespace()),
    };
    if !before_run.contains(char::is_alphanumeric) {
        return None;
    }
    let run = &body[before_run.len()..];
    let Some(stop) = run.find(is_stop).map(|at| before_run.len() + at) else {
        return Some(StopPlace { at: body.len(), stop: "" });
    };
    if let Some(after) = abbreviation_end(body, stop) {
        let second_stop = body[after..].contains(is_stop);
        let stop = if second_stop || shared() == SharedStop::No { "" } else { "." };
        return Some(StopPlace { at: after, stop });
    }
    Some(StopPlace { at: stop, stop: "" })
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…')
}

fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | '”' | '’' | '»' | ')' | ']' | '}')
}

/// The end of an abbreviation whose full stop is at `stop`.
fn abbreviation_end(text: &str, stop: usize) -> Option<usize> {
    if !text[stop..].starts_with('.') || text[stop + 1..].starts_with('.') {
        return None;
    }
    let start = text[..stop]
        .rfind(|c: char| !(c.is_alphanumeric() || c == '.'))
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    let word = &text[start..stop];
    let initials = word.contains('.') && word.split('.').all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic));
    (initials || keeps_its_stop(word)).then_some(stop + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::undo;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let (new, change) = final_stop(text, || SharedStop::Yes).unwrap().insert(text, "and true is true");
        assert_eq!(new, expected);
        assert_eq!(undo(&new, &[change]).as_deref(), Some(text));
    }

    #[test]
    fn words_are_inserted_before_the_final_stop() {
        check("He left.", "He left and true is true.");
        check("It cost 3.5 dollars.", "It cost 3.5 dollars and true is true.");
        check("It cost 3.5", "It cost 3.5 and true is true");
        check("Mr. Smith left. He was tired!", "Mr. Smith left. He was tired and true is true!");
        check("Really?!", "Really and true is true?!");
        check("Well...", "Well and true is true...");
    }

    #[test]
    fn the_stop_of_an_abbreviation_stays_with_it() {
        check("They live in the U.S.", "They live in the U.S. and true is true.");
        check("Was it in the U.S.?", "Was it in the U.S. and true is true?");
        check("He saw \"the U.S.\"", "He saw \"the U.S. and true is true.\"");
        check("We met at 9 a.m.", "We met at 9 a.m. and true is true.");
    }

    #[test]
    fn quotes_and_spacing_are_kept() {
        check("\"He left.\"", "\"He left and true is true.\"");
        check("He said \"yes\".", "He said \"yes\" and true is true.");
        check("He said \"yes\"", "He said \"yes\" and true is true");
        check("The doctor left .", "The doctor left and true is true .");
        check("Everyone likes it ", "Everyone likes it and true is true ");
        check("He left (see above).", "He left (see above) and true is true.");
    }

    #[test]
    fn a_text_of_stops_has_no_position() {
        assert_eq!(final_stop(" ... ", || SharedStop::Yes), None);
        assert_eq!(final_stop("", || SharedStop::Yes), None);
    }

    proptest! {
        #[test]
        fn removing_the_words_restores_the_text(text in "[a-cA-C .!?\"'é3)U]{0,24}") {
            if let Some(place) = final_stop(&text, || SharedStop::Yes) {
                let (new, change) = place.insert(&text, "and true is true");
                prop_assert_eq!(undo(&new, &[change]), Some(text));
            }
        }
    }
}
