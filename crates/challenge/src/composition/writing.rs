//! Spelling and grammar errors of a sentence, as far as words and tags show them: what is wrong in it would be wrong in every pair.

mod articles;
mod clauses;
mod spelling;
mod verbs;

#[cfg(test)]
mod tests;

use super::word_lists::WordLists;
use super::words::Words;
use crate::NotApplicable;
use std::sync::LazyLock;

/// A sentence that is not used, because its pairs would have its errors.
pub(crate) const SLIP: NotApplicable = NotApplicable("a spelling or grammar error in the sentence");

static LISTS: LazyLock<WordLists> = LazyLock::new(|| WordLists::read(include_str!("../../data/composition/writing.tsv")));

/// What is wrong with a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slip {
    Misspelt,
    Capital,
    SplitWord,
    Doubled,
    Marks,
    Apostrophe,
    WrongArticle,
    WrongNumber,
    NoArticle,
    NoPreposition,
    Disagreement,
    VerbForm,
    Comma,
}

/// Whether a sentence is written without errors.
pub(crate) fn check_writing(words: &Words<'_>, text: &str) -> Result<(), NotApplicable> {
    match first_slip(words, text) {
        Some(_) => Err(SLIP),
        None => Ok(()),
    }
}

/// The first error that is found, and at which word.
pub(crate) fn first_slip(words: &Words<'_>, text: &str) -> Option<(Slip, usize)> {
    type Check = fn(&Words<'_>, usize) -> bool;
    const CHECKS: [(Slip, Check); 26] = [
        (Slip::Misspelt, spelling::is_misspelt),
        (Slip::Capital, spelling::lacks_capital),
        (Slip::Capital, spelling::has_wrong_capital),
        (Slip::SplitWord, spelling::is_split),
        (Slip::Doubled, spelling::is_doubled),
        (Slip::Marks, spelling::has_stray_mark),
        (Slip::Apostrophe, spelling::lacks_apostrophe),
        (Slip::Apostrophe, spelling::has_stray_apostrophe),
        (Slip::WrongArticle, articles::is_wrong),
        (Slip::WrongArticle, articles::is_before_uncountable),
        (Slip::WrongNumber, articles::has_other_number),
        (Slip::NoArticle, articles::begins_as_headline),
        (Slip::NoArticle, articles::is_bare),
        (Slip::NoPreposition, verbs::lacks_preposition),
        (Slip::NoPreposition, verbs::passed_for_past),
        (Slip::VerbForm, verbs::lays_for_lies),
        (Slip::VerbForm, verbs::is_base_after_be),
        (Slip::Disagreement, verbs::disagrees),
        (Slip::Disagreement, verbs::disagrees_with_first_noun),
        (Slip::Disagreement, verbs::disagrees_in_relative_clause),
        (Slip::Disagreement, verbs::disagrees_in_clause),
        (Slip::Disagreement, verbs::disagrees_with_pair),
        (Slip::VerbForm, clauses::has_wrong_verbs),
        (Slip::Comma, clauses::is_spliced),
        (Slip::Comma, clauses::closes_a_list),
        (Slip::Comma, clauses::opens_and_does_not_close),
    ];
    if spelling::lacks_blank(text) {
        return Some((Slip::Marks, 0));
    }
    CHECKS.iter().find_map(|(slip, is_slip)| (0..words.len()).find(|&at| is_slip(words, at)).map(|at| (*slip, at)))
}
