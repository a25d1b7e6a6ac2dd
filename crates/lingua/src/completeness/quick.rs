//! Sentences that are complete at a glance: nothing has to be built or parsed to tell.
//!
//! What is accepted here is complete by the full rules too; a test walks sentences of all kinds through both.

use super::{Incompleteness, ends_in_stop, has_open_end};
use crate::view::View;
use memchr::memmem;

/// Whether a sentence is plainly a complete statement: it ends in a stop, and its clause begins with a subject and a finite verb.
///
/// With a Penn-style parse, that is read from the brackets. Without one, it is read from the first two words (`It was`, `They have`).
pub(super) fn is_complete(view: &View<'_>) -> bool {
    ends_in_stop(view.text())
        && !has_open_end(view.text())
        && match view.parse() {
            Some(parse) => main_clause(parse) == Some(Ok(())) && !contains(parse, b"(UH "),
            None => begins_with_subject_and_verb(view.text()),
        }
}

/// What the main clause of a bracketed parse lacks, where its first brackets tell: a phrase that is no clause, or a subject and the first verb.
pub(super) fn main_clause(parse: &str) -> Option<Result<(), Incompleteness>> {
    let top = parse.strip_prefix("(ROOT (")?;
    let Some(clause) = top.strip_prefix("S ").filter(|clause| clause.starts_with("(NP ")) else {
        let is_phrase = ["NP ", "FRAG ", "PP ", "ADJP ", "ADVP ", "X ", "INTJ "].iter().any(|label| top.starts_with(label));
        return is_phrase.then_some(Err(Incompleteness::NoMainClause));
    };
    let verb_phrase = memmem::find(clause.as_bytes(), b"(VP (")?;
    let (before, verb) = (&clause.as_bytes()[..verb_phrase], &clause.as_bytes()[verb_phrase + b"(VP (".len()..]);
    let is_one_of = |tags: &[&[u8]]| tags.iter().any(|tag| verb.starts_with(tag));
    if !is_balanced(before) {
        None
    } else if is_one_of(&[b"VBZ ", b"VBP ", b"VBD ", b"MD "]) {
        Some(Ok(()))
    } else {
        is_one_of(&[b"VBG ", b"VBN "]).then_some(Err(Incompleteness::NoMainClause))
    }
}

/// Whether every bracket that is opened is closed, so that what follows is a part of the same phrase.
fn is_balanced(brackets: &[u8]) -> bool {
    let count = |bracket: u8| brackets.iter().filter(|&&byte| byte == bracket).count();
    count(b'(') == count(b')')
}

fn contains(text: &str, part: &[u8]) -> bool {
    memmem::find(text.as_bytes(), part).is_some()
}

/// Whether a text of one sentence begins with a pronoun as its subject and an auxiliary, or with both in one word (`it's`).
fn begins_with_subject_and_verb(text: &str) -> bool {
    let mut words = text.split(' ');
    let (Some(first), Some(second)) = (words.next(), words.next()) else { return false };
    let is_one = |word: &str, known: &[&str]| known.iter().any(|known| known.eq_ignore_ascii_case(word));
    let begins = is_one(first, &SHORTENED) || (is_one(first, &SUBJECTS) && is_one(second, &FINITE));
    // Hesitations, words that are said again and sentences that begin with a heading are for the full rules.
    begins && words.clone().count() > 0 && is_one_plain_sentence(text)
}

/// Whether no mark inside the text may end a sentence and no word is said twice in a row.
fn is_one_plain_sentence(text: &str) -> bool {
    let inner = text.trim_end_matches(['.', '!']);
    let mut last = "";
    let repeats = inner.split(' ').any(|word| std::mem::replace(&mut last, word).eq_ignore_ascii_case(word));
    let hesitates = || inner.split(' ').any(|word| ["uh", "um", "er", "hm", "uh,", "um,"].contains(&word));
    !inner.contains(['.', '!', '?', ':', ';', '"', '(', '…', '“']) && !repeats && !hesitates()
}

/// Pronouns that are subjects at the beginning of a sentence.
const SUBJECTS: [&str; 7] = ["i", "he", "she", "it", "we", "they", "there"];
/// Finite forms that follow a subject.
const FINITE: [&str; 28] = [
    "is", "are", "was", "were", "am", "has", "have", "had", "does", "did", "do", "will", "would", "can", "could", "should", "may", "might",
    "must", "isn't", "aren't", "wasn't", "weren't", "hasn't", "didn't", "doesn't", "don't", "can't",
];
/// A subject and its verb in one word.
const SHORTENED: [&str; 12] =
    ["i'm", "it's", "he's", "she's", "we're", "they're", "there's", "i've", "we've", "they've", "i'll", "they'll"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tree;
    use crate::completeness::{full_rules, penn};

    fn is_plain_complete(text: &str) -> bool {
        is_complete(&View::plain(text))
    }

    #[test]
    fn plain_statements_are_complete_at_a_glance() {
        for text in ["He was late for the train.", "There is a large park.", "It's a fine day!", "They don't know the way."] {
            assert!(is_plain_complete(text), "{text}");
            assert_eq!(full_rules(&View::plain(text)), None, "{text}");
        }
    }

    #[test]
    fn everything_else_is_left_to_the_full_rules() {
        for text in [
            "He was late for the the train.",
            "It was a uh pier and beam house.",
            "He was late. A heading.",
            "He was late",
            "It is.",
            "I had thought...",
            "They met Mr.",
            "The clock that stopped.",
            "Had he known.",
            "",
        ] {
            assert!(!is_plain_complete(text), "{text}");
        }
    }

    #[test]
    fn the_brackets_of_a_plain_clause_are_enough() {
        let check = |parse: &str, expected: bool| {
            let view = View::new("A dog runs.", Some(parse), None);
            assert_eq!(is_complete(&view), expected, "{parse}");
            if let Some(found) = main_clause(parse) {
                assert_eq!(found.err(), penn::incompleteness(&Tree::read(parse).unwrap()), "{parse}");
            }
        };
        check("(ROOT (S (NP (DT A) (NN dog)) (VP (VBZ runs)) (. .)))", true);
        check("(ROOT (S (NP (DT A) (NN dog)) (ADVP (RB often)) (VP (MD will) (VP (VB run))) (. .)))", true);
        check("(ROOT (S (NP (DT A) (NN dog)) (VP (VBG running)) (. .)))", false);
        check("(ROOT (S (NP (NP (DT A) (NN dog)) (SBAR (WHNP (WDT that)) (S (VP (VBZ runs))))) (. .)))", false);
        check("(ROOT (NP (NP (DT A) (NN dog)) (VP (VBZ runs)) (. .)))", false);
        check("(ROOT (S (NP (DT A) (UH uh) (NN dog)) (VP (VBZ runs)) (. .)))", false);
        check("(ROOT (S (VP (VB Run)) (. .)))", false);
    }
}
