//! Rules about whole sentences. They need no parse, so that only sentences that they let pass are parsed.

use super::{Rule, Stops, Words};
use crate::numeric::lists::List;
use acidtest_lingua::negation::is_negation;

pub(super) const QUESTION: Rule = Rule {
    name: "question",
    reason: "the sentence is a question",
    stops: Stops::Sentence(|words| words.text.contains('?')),
    stopped: "Did Tom buy 12 apples?",
    passed: "Tom bought 12 apples.",
};

pub(super) const INSTRUCTION: Rule = Rule {
    name: "instruction",
    reason: "the sentence begins with an instruction or a question word",
    stops: Stops::Sentence(|words| words.lower.first().is_some_and(|first| List::Instruction.has(first))),
    stopped: "Show Tom 12 apples.",
    passed: "Tom shows Ann 12 apples.",
};

pub(super) const CONDITIONAL: Rule = Rule {
    name: "conditional",
    reason: "a condition or an assumption",
    stops: Stops::Sentence(|words| List::Conditional.is_in(&words.lower)),
    stopped: "Tom is happy if he has 12 apples.",
    passed: "Tom is happy and has 12 apples.",
};

pub(super) const MODAL: Rule = Rule {
    name: "modal",
    reason: "a modal verb, a wish or a plan",
    stops: Stops::Sentence(|words| List::Modal.is_in(&words.lower)),
    stopped: "Tom can carry 12 apples.",
    passed: "Tom carries 12 apples.",
};

pub(super) const NEGATION: Rule = Rule {
    name: "negation",
    reason: "a negation word",
    stops: Stops::Sentence(|words| words.lower.iter().any(|word| is_negation(word) || word == "without")),
    stopped: "Tom didn't eat 12 apples.",
    passed: "Tom ate 12 apples.",
};

pub(super) const ARITHMETIC: Rule = Rule {
    name: "arithmetic",
    reason: "a total, a share, a ratio or a comparison of numbers",
    stops: Stops::Sentence(|words| List::Arithmetic.is_in(&words.lower)),
    stopped: "Tom bought twice as many pears as Ann, who bought 12 apples.",
    passed: "Tom bought pears, and Ann bought 12 apples.",
};

pub(super) const CIRCUMSTANCE: Rule = Rule {
    name: "circumstance",
    reason: "the number is in a phrase of time, limit or purpose",
    stops: Stops::Sentence(|words| List::Circumstance.is_in(&words.lower)),
    stopped: "Tom has enough money for 12 apples.",
    passed: "Tom has money and 12 apples.",
};

pub(super) const QUANTIFIER: Rule = Rule {
    name: "quantifier",
    reason: "a quantifier such as `many` or `often`",
    stops: Stops::Sentence(|words| List::Quantifier.is_in(&words.lower)),
    stopped: "Many shops sell 12 kinds of apples.",
    passed: "Those shops sell 12 kinds of apples.",
};

pub(super) const FORMULA: Rule = Rule {
    name: "formula",
    reason: "a formula",
    stops: Stops::Sentence(|words| words.text.contains(['=', '+', '*', '×', '÷', '^', '<', '>', '√', '\\', '_', '∠', '°', '¢', '|'])),
    stopped: "Tom has 12 apples = 6 pairs.",
    passed: "Tom has 12 apples and 6 pears.",
};

pub(super) const ENUMERATION: Rule = Rule {
    name: "enumeration",
    reason: "a list, a remark in brackets or letters used as names",
    stops: Stops::Sentence(|words| {
        words.text.contains([':', ';', '(', ')', '[', ']', '{', '}', '"', '“', '”', '—', '–']) || has_letter_names(words)
    }),
    stopped: "Tom has 12 apples (red ones).",
    passed: "Tom has 12 red apples.",
};

/// Whether single letters stand for people and things: `A, B and C can do a work`, `Train X`.
fn has_letter_names(words: &Words<'_>) -> bool {
    let marked: Vec<&str> = words.text.split_whitespace().collect();
    let letter = |(place, word): (usize, &&str)| {
        let bare = word.trim_end_matches([',', '.', '\'']).trim_end_matches("'s");
        let single = matches!(bare.as_bytes(), [letter] if letter.is_ascii_uppercase());
        // `A` is an article and `I` a pronoun, unless a mark or `and` follows.
        let follows =
            bare.len() < word.len() || marked.get(place + 1).is_some_and(|next| matches!(*next, "and" | "&" | "is" | "does" | "has"));
        single && (!matches!(bare, "A" | "I") || (bare == "A" && (follows || place > 0)))
    };
    marked.iter().enumerate().any(letter)
}
