//! A sentence as a whole: why nothing can be made of it.

use super::lists::Lists;
use crate::NotApplicable;
use crate::words::Words;
use acidtest_lingua::negation::is_negation;

pub(super) const NEGATED: NotApplicable = NotApplicable("negation");
pub(super) const QUESTION: NotApplicable = NotApplicable("question");
pub(super) const SPEECH: NotApplicable = NotApplicable("quoted speech, or more than one sentence");
pub(super) const LONG: NotApplicable = NotApplicable("more than 40 words");

const MOST_WORDS: usize = 40;

/// Whether the text alone rules a sentence out.
pub(super) fn check_text(text: &str) -> Result<(), NotApplicable> {
    let text = text.trim_end_matches(|mark: char| mark.is_whitespace() || matches!(mark, '"' | '\'' | ')'));
    if text.ends_with('?') {
        return Err(QUESTION);
    }
    if text.contains(['"', '\u{201c}', '\u{201d}', '?', '!', ';', ':', '(']) || text.trim_end_matches('.').contains(". ") {
        return Err(SPEECH);
    }
    let words = || text.split(|letter: char| letter.is_whitespace() || letter == '.' || letter == ',').filter(|word| !word.is_empty());
    if words().count() > MOST_WORDS {
        return Err(LONG);
    }
    if words().any(|word| is_negation(&word.to_lowercase().replace('\u{2019}', "'")) || word.eq_ignore_ascii_case("without")) {
        return Err(NEGATED);
    }
    Ok(())
}

/// Whether a sentence has a word of a list, so that a modifier about the same matter may follow or clash.
pub(super) fn speaks_of(words: &Words<'_>, list: &str) -> bool {
    (0..words.len()).any(|at| Lists::get().is_in(list, words.lower(at)) || Lists::get().is_in(list, &words.lemma(at)))
}
