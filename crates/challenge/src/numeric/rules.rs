//! What is left alone: every rule has a name, by which it can be switched off, and shows a sentence that it stops and one that it lets pass.

mod agreement;
mod number;
mod sentence;

use super::candidate::Candidate;
use acidtest_lingua::view::View;

/// A reason to leave a sentence or a number alone.
pub(super) struct Rule {
    /// The setting that switches it off.
    pub(super) name: &'static str,
    /// What is counted where it stops something.
    pub(super) reason: &'static str,
    /// Where it looks, and whether it stops what it sees.
    pub(super) stops: Stops,
    /// A sentence that it stops.
    #[cfg_attr(not(test), expect(dead_code, reason = "shown to readers and checked by tests"))]
    pub(super) stopped: &'static str,
    /// A sentence that it lets pass, as all other rules do.
    #[cfg_attr(not(test), expect(dead_code, reason = "shown to readers and checked by tests"))]
    pub(super) passed: &'static str,
}

/// Where a rule looks.
pub(super) enum Stops {
    /// At the words of the sentence, before it is parsed.
    Sentence(fn(&Words<'_>) -> bool),
    /// At a number with the parse around it.
    Number(fn(&Candidate<'_>) -> bool),
}

/// A sentence before it is parsed.
pub(super) struct Words<'v> {
    /// The text.
    pub(super) text: &'v str,
    /// What stands between blanks, in lower case, without the marks at both ends.
    pub(super) lower: Vec<String>,
}

impl<'v> Words<'v> {
    /// The words of a sentence.
    pub(super) fn of(view: &View<'v>) -> Self {
        let text = view.text();
        let lower = view.whitespace_words().iter().map(|range| text[range.clone()].to_lowercase().replace('’', "'")).collect();
        Words { text, lower }
    }
}

/// All rules, in the order in which they are asked.
pub(super) const RULES: &[Rule] = &[
    sentence::QUESTION,
    sentence::INSTRUCTION,
    sentence::CONDITIONAL,
    sentence::MODAL,
    sentence::NEGATION,
    sentence::ARITHMETIC,
    sentence::CIRCUMSTANCE,
    sentence::QUANTIFIER,
    sentence::FORMULA,
    sentence::ENUMERATION,
    number::YEAR,
    number::DATE,
    number::LABEL,
    number::HYPHEN,
    number::COMPARATOR,
    number::APPROXIMATION,
    number::EXACTNESS,
    number::RANGE,
    number::EVERY,
    number::DEFINITE,
    number::TIME,
    number::AFTER,
    number::LIST,
    number::NOUN,
    number::DENOMINATION,
    number::NAME,
    number::REPEATED,
    number::GENERAL,
    number::CONSTANT,
    number::CLAUSE,
    agreement::AGREEMENT,
];
