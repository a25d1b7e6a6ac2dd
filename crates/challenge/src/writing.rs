//! Spelling and grammar errors of a sentence, as far as words and tags show them: what is wrong in it would be wrong in every pair.

mod articles;
mod clauses;
mod gaps;
mod marks;
mod pronouns;
mod spelling;
mod verbs;

#[cfg(test)]
mod tests;

use super::word_lists::WordLists;
use super::words::Words;
use crate::NotApplicable;
use acidtest_lingua::View;
use acidtest_lingua::analyzer::AnalyzedSentence;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// A sentence that is not used, because its pairs would have its errors.
pub(crate) const SLIP: NotApplicable = NotApplicable("a spelling or grammar error in the sentence");

static LISTS: LazyLock<WordLists> = LazyLock::new(|| WordLists::read(include_str!("../data/writing/words.tsv")));

/// What is wrong with a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slip {
    Misspelt,
    Capital,
    WrongCapital,
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
    Gap,
    Hyphen,
    Fragment,
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

impl Writing {
    /// Whether every sentence of a text is written well enough; by our own analysis.
    pub(crate) fn check_text(self, view: &View<'_>) -> Result<(), NotApplicable> {
        if self == Writing::Any {
            return Ok(());
        }
        let text = view.text();
        let first = text.chars().find(|letter| letter.is_alphanumeric());
        let is_wrong = |sentence: &AnalyzedSentence| {
            let words = Words::new(sentence.words.iter().map(|word| (word.form.as_str(), Some(word.tag))));
            let (start, end) = (sentence.words.first().map_or(0, |word| word.start), sentence.words.last().map_or(0, |word| word.end));
            first_slip_in(&words, &text[start..end], Text::Any).is_some()
        };
        let begins_small = first.is_some_and(char::is_lowercase);
        // `on her own.They check`.
        let is_glued = text.match_indices('.').any(|(at, _)| {
            text[at + 1..].starts_with(char::is_uppercase)
                && text[..at].rsplit(' ').next().is_some_and(|word| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase()))
        });
        if begins_small || is_glued || text.trim().contains("  ") || view.document().sentences.iter().any(is_wrong) {
            Err(SLIP)
        } else {
            Ok(())
        }
    }
}

/// The first error that is found, and at which word.
pub(crate) fn first_slip(words: &Words<'_>, text: &str) -> Option<(Slip, usize)> {
    first_slip_in(words, text, Text::Caption)
}

/// What a sentence comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    /// A description of a picture, in which few names occur and nobody is known from other sentences.
    Caption,
    /// Anything.
    Any,
}

/// The first error that is found in a sentence of some text, and at which word.
pub(crate) fn first_slip_in(words: &Words<'_>, text: &str, kind: Text) -> Option<(Slip, usize)> {
    type Check = fn(&Words<'_>, usize) -> bool;
    // `the Senate`, and `his hand` where another sentence says whose.
    const IN_CAPTIONS: [Slip; 2] = [Slip::WrongCapital, Slip::Pronoun];
    const CHECKS: [(Slip, Check); 52] = [
        (Slip::Misspelt, spelling::is_misspelt),
        (Slip::Capital, spelling::lacks_capital),
        (Slip::WrongCapital, spelling::has_wrong_capital),
        (Slip::Capital, spelling::has_capital_article),
        (Slip::SplitWord, spelling::is_split),
        (Slip::SplitWord, spelling::is_hyphenated_noun),
        (Slip::Doubled, spelling::is_doubled),
        (Slip::Marks, marks::has_stray_mark),
        (Slip::Apostrophe, marks::lacks_apostrophe),
        (Slip::Apostrophe, marks::lacks_apostrophe_before_plural),
        (Slip::Apostrophe, marks::has_stray_apostrophe),
        (Slip::Apostrophe, marks::owns_as_colour),
        (Slip::Hyphen, gaps::lacks_hyphen),
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
        (Slip::NoPreposition, gaps::is_in_what_is_ridden),
        (Slip::Gap, gaps::lacks_noun),
        (Slip::Gap, gaps::lacks_verb),
        (Slip::Fragment, gaps::is_cut_off),
        (Slip::Fragment, gaps::begins_with_participle),
        (Slip::VerbForm, verbs::lays_for_lies),
        (Slip::VerbForm, verbs::is_base_after_be),
        (Slip::VerbForm, verbs::is_left_over),
        (Slip::VerbForm, verbs::is_second),
        (Slip::VerbForm, verbs::is_repeated),
        (Slip::Disagreement, verbs::lacks_ending),
        (Slip::Disagreement, verbs::disagrees),
        (Slip::Disagreement, verbs::disagrees_with_first_noun),
        (Slip::Disagreement, verbs::disagrees_in_relative_clause),
        (Slip::Disagreement, verbs::disagrees_in_clause),
        (Slip::Disagreement, verbs::disagrees_with_pair),
        (Slip::VerbForm, clauses::has_wrong_verbs),
        (Slip::Comma, clauses::is_spliced),
        (Slip::Comma, clauses::is_run_on),
        (Slip::Comma, clauses::closes_a_list),
        (Slip::Comma, clauses::opens_and_does_not_close),
        (Slip::Comma, clauses::splits_subject_and_verb),
        (Slip::Comma, clauses::lacks_comma),
        (Slip::Comma, clauses::lacks_conjunction),
        (Slip::NoPreposition, clauses::joins_noun_and_phrase),
        (Slip::NoPreposition, clauses::is_inside_a_person),
        (Slip::Disagreement, verbs::disagrees_after_commas),
        (Slip::Pronoun, pronouns::has_no_antecedent),
    ];
    if marks::lacks_blank(text) || marks::has_stray_quote(text) || marks::has_stray_bracket(text) {
        return Some((Slip::Marks, 0));
    }
    let asked = CHECKS.iter().filter(|(slip, _)| kind == Text::Caption || !IN_CAPTIONS.contains(slip));
    asked.into_iter().find_map(|(slip, is_slip)| (0..words.len()).find(|&at| is_slip(words, at)).map(|at| (*slip, at)))
}
