//! Writing another number into a sentence, with or without `more than` before it.

use super::candidate::Candidate;
use crate::NotApplicable;
use acidtest_lingua::edit::{EditError, Edited};
use acidtest_lingua::inflect::capitalised;
use acidtest_lingua::numbers::NumberStyle;
use acidtest_lingua::tokens::tokenize;
use acidtest_lingua::view::View;
use std::ops::Range;

/// What comes before a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phrase {
    /// Nothing: another number.
    None,
    MoreThan,
    LessThan,
}

impl Phrase {
    /// The phrase in tags.
    pub(super) fn tag(self) -> &'static str {
        match self {
            Phrase::None => "number",
            Phrase::MoreThan => "more than",
            Phrase::LessThan => "less than",
        }
    }

    /// The first word of the phrase before a number, with its Penn tag; the second is `than`.
    fn word(self, candidate: &Candidate<'_>) -> Option<&'static str> {
        match self {
            Phrase::None => None,
            Phrase::MoreThan => Some("more"),
            Phrase::LessThan if candidate.is_counted() => Some("fewer"),
            Phrase::LessThan => Some("less"),
        }
    }
}

/// The sentence with this value in the place of its number, and the phrase before it.
pub(super) fn write(view: &View<'_>, candidate: &Candidate<'_>, phrase: Phrase, value: f64) -> Result<Edited, NotApplicable> {
    let number = candidate.number;
    let start = candidate.words()[candidate.first].start;
    let (words, head) = (words_of(view, number.start..number.end)?, words_of(view, start..number.end)?);
    let mut written = number.write(value).ok_or(NotApplicable("no other number that is written the same way"))?;
    let opens = !view.text()[..start].contains(char::is_alphanumeric);
    let mut edit = view.edit();
    if let Some(word) = phrase.word(candidate) {
        let text = view.text();
        if opens && number.style() == NumberStyle::Words && starts_upper(&text[start..]) {
            written = written.chars().next().into_iter().flat_map(char::to_lowercase).chain(written.chars().skip(1)).collect();
        }
        // The edit gives the sentence's capital to a word that comes first, unless the sentence began with digits.
        let first = if opens && !text[start..].starts_with(char::is_alphabetic) { capitalised(word) } else { word.to_string() };
        edit.insert(head.start, &[(&first, "JJR"), ("than", "IN")]);
    }
    if value != number.value {
        let (place, with) = difference(view, words, &written);
        edit.replace(place, &with);
    }
    Ok(edit.finish()?)
}

fn starts_upper(text: &str) -> bool {
    text.starts_with(char::is_uppercase)
}

/// The words of the view that lie in these bytes, all of them whole.
fn words_of(view: &View<'_>, bytes: Range<usize>) -> Result<Range<usize>, NotApplicable> {
    let place = |at: usize, end: fn(&Range<usize>) -> usize| {
        let found = view.words().iter().position(|word| word.span.as_ref().is_some_and(|span| end(span) == at));
        found.ok_or_else(|| NotApplicable::from(EditError::WordsDiffer))
    };
    Ok(place(bytes.start, |span| span.start)?..place(bytes.end, |span| span.end)? + 1)
}

/// The words that differ between the old number and the new one, so that its sign and unit stay as they are.
fn difference(view: &View<'_>, words: Range<usize>, written: &str) -> (Range<usize>, String) {
    let new: Vec<&str> = tokenize(written).into_iter().map(|token| token.text(written)).collect();
    let old: Vec<&str> = view.words()[words.clone()].iter().map(|word| word.form).collect();
    let shared = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| pairs.take_while(|(one, other)| one == other).count();
    let room = old.len().min(new.len()).saturating_sub(1);
    let front = shared(&mut old.iter().zip(&new)).min(room);
    let back = shared(&mut old.iter().rev().zip(new.iter().rev())).min(room - front);
    (words.start + front..words.end - back, new[front..new.len() - back].join(" "))
}
