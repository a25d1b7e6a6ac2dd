//! The change itself: the antonym in the form of the word, the article before it, pronouns.

use super::candidate::Candidate;
use super::gender::Swap;
use super::sentence::Sentence;
use crate::NotApplicable;
use acidtest_lingua::View;
use acidtest_lingua::edit::Edited;
use acidtest_lingua::inflect::{comparative, indefinite_article, inflect, like, superlative};
use acidtest_lingua::tag::Tag;
use acidtest_lingua::wordnet::PartOfSpeech;

const NO_FORM: NotApplicable = NotApplicable("antonym without this form");
const NOT_IN_TEXT: NotApplicable = NotApplicable("text and parse have different words");

/// The sentence with the antonym in place of the word.
pub(super) fn changed(view: &View<'_>, candidate: &Candidate<'_, '_>, antonym: &str, swaps: &[Swap]) -> Result<Edited, NotApplicable> {
    let (sentence, at) = (candidate.sentence, candidate.at);
    let place = place_of(view, sentence, at)?;
    let word = &sentence.words()[at];
    let (first, form) = match degree_in_words(candidate, antonym) {
        Some(form) => (place.checked_sub(1).ok_or(NOT_IN_TEXT)?, form),
        None => (place, inflect(antonym, word.tag).ok_or(NO_FORM)?),
    };
    let form = like(view.words()[first].form, &form);
    let mut edit = view.edit();
    edit.replace(first..place + 1, &form);
    if let Some(before) = first.checked_sub(1) {
        let article = view.words()[before].form;
        let fitting = indefinite_article(&form);
        if matches!(article.to_lowercase().as_str(), "a" | "an") && !article.eq_ignore_ascii_case(fitting) {
            edit.replace(before..before + 1, &like_first(article, fitting));
        }
    }
    for (number, at, pronoun) in swaps {
        let sentence = candidate.text.get(*number).ok_or(NOT_IN_TEXT)?;
        let place = place_of(view, sentence, *at)?;
        edit.replace(place..place + 1, pronoun);
    }
    Ok(edit.finish()?)
}

/// The word of the view that a word of our own analysis is.
pub(super) fn place_of(view: &View<'_>, sentence: &Sentence<'_>, at: usize) -> Result<usize, NotApplicable> {
    let word = &sentence.words()[at];
    let words = view.words();
    let fits = |place: &usize| words[*place].span.as_ref().is_some_and(|span| span.start == word.start && span.end == word.end);
    (0..words.len()).find(fits).ok_or(NOT_IN_TEXT)
}

/// The comparative or superlative in one word in the place of two: `cheaper` for `more expensive`. None where the word before can stay.
fn degree_in_words(candidate: &Candidate<'_, '_>, antonym: &str) -> Option<String> {
    let (sentence, at) = (candidate.sentence, candidate.at);
    let plain = matches!(sentence.tag(at), Tag::JJ | Tag::RB) && matches!(candidate.part, PartOfSpeech::Adjective | PartOfSpeech::Adverb);
    let before = at.checked_sub(1).filter(|&before| plain && sentence.head(before) == Some(at))?;
    let form = match sentence.lower(before) {
        "more" => comparative(antonym),
        "most" => superlative(antonym),
        _ => return None,
    };
    (!form.contains(' ')).then_some(form)
}

/// A single capital is that of a sentence, not of a word in capitals.
fn like_first(model: &str, word: &str) -> String {
    if model.starts_with(char::is_uppercase) { acidtest_lingua::inflect::capitalised(word) } else { word.to_string() }
}
