//! Spelling and grammar errors of a sentence, as far as words and tags show them: what is wrong in it would be wrong in every pair.

mod articles;
mod clauses;
mod marks;
mod pronouns;
mod spelling;
mod verbs;

#[cfg(test)]
mod tests;

use super::word_lists::WordLists;
use super::words::Words;
use crate::NotApplicable;
use serde::{Deserialize, Serialize};
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
    Pronoun,
}

/// Which sentences are used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Writing {
    /// Those in which no error is found.
    #[default]
    Checked,
    /// All, which gives more pairs for training.
    Any,
}

impl Writing {
    /// Whether a sentence is written well enough.
    pub(crate) fn check(self, words: &Words<'_>, text: &str) -> Result<(), NotApplicable> {
        match self {
            Writing::Checked if first_slip(words, text).is_some() => Err(SLIP),
            Writing::Checked | Writing::Any => Ok(()),
        }
    }
}

/// The first error that is found, and at which word.
pub(crate) fn first_slip(words: &Words<'_>, text: &str) -> Option<(Slip, usize)> {
    type Check = fn(&Words<'_>, usize) -> bool;
    const CHECKS: [(Slip, Check); 39] = [
        (Slip::Misspelt, spelling::is_misspelt),
        (Slip::Capital, spelling::lacks_capital),
        (Slip::Capital, spelling::has_wrong_capital),
        (Slip::SplitWord, spelling::is_split),
        (Slip::SplitWord, spelling::is_hyphenated_noun),
        (Slip::Doubled, spelling::is_doubled),
        (Slip::Marks, marks::has_stray_mark),
        (Slip::Apostrophe, marks::lacks_apostrophe),
        (Slip::Apostrophe, marks::lacks_apostrophe_before_plural),
        (Slip::Apostrophe, marks::has_stray_apostrophe),
        (Slip::WrongArticle, articles::is_wrong),
        (Slip::WrongArticle, articles::is_before_uncountable),
        (Slip::WrongNumber, articles::has_other_number),
        (Slip::WrongNumber, articles::is_group_of_one),
        (Slip::WrongNumber, articles::is_half_of_a_pair),
        (Slip::VerbForm, articles::is_adverb_for_adjective),
        (Slip::NoArticle, articles::begins_as_headline),
        (Slip::NoArticle, articles::is_bare),
        (Slip::NoPreposition, verbs::lacks_preposition),
        (Slip::NoPreposition, verbs::passed_for_past),
        (Slip::NoPreposition, verbs::in_for_is),
        (Slip::VerbForm, verbs::lays_for_lies),
        (Slip::VerbForm, verbs::is_base_after_be),
        (Slip::VerbForm, verbs::is_left_over),
        (Slip::Disagreement, verbs::disagrees),
        (Slip::Disagreement, verbs::disagrees_with_first_noun),
        (Slip::Disagreement, verbs::disagrees_in_relative_clause),
        (Slip::Disagreement, verbs::disagrees_in_clause),
        (Slip::Disagreement, verbs::disagrees_with_pair),
        (Slip::VerbForm, clauses::has_wrong_verbs),
        (Slip::Comma, clauses::is_spliced),
        (Slip::Comma, clauses::closes_a_list),
        (Slip::Comma, clauses::opens_and_does_not_close),
        (Slip::Comma, clauses::splits_subject_and_verb),
        (Slip::Comma, clauses::lacks_comma),
        (Slip::Comma, clauses::lacks_conjunction),
        (Slip::NoPreposition, clauses::joins_noun_and_phrase),
        (Slip::NoPreposition, clauses::is_inside_a_person),
        (Slip::Pronoun, pronouns::has_no_antecedent),
    ];
    if marks::lacks_blank(text) || marks::has_stray_quote(text) {
        return Some((Slip::Marks, 0));
    }
    CHECKS.iter().find_map(|(slip, is_slip)| (0..words.len()).find(|&at| is_slip(words, at)).map(|at| (*slip, at)))
}
