//! Sentences that are complete at a glance: nothing has to be built or parsed to tell.
//!
//! What is accepted here is complete by the full rules too; a test walks sentences of all kinds through both.

use super::{Incompleteness, cut_off, ends_in_stop, has_open_end, speech};
use crate::clause_type::is_question;
use crate::view::View;
use memchr::{memchr_iter, memrchr};

/// Whether a sentence is plainly a complete statement: its clause begins with a subject and a finite verb, and nothing suggests unfinished speech.
///
/// With a Penn-style parse, the clause is read from the brackets. Without one, it is read from the first two words (`It was`, `They have`).
pub(super) fn is_complete(view: &View<'_>) -> bool {
    let text = view.text();
    if has_open_end(text) {
        return false;
    }
    match view.parse() {
        Some(parse) => {
            let is_clause = main_clause(parse) == Some(Ok(())) && !has_interjection(parse);
            is_clause && (ends_in_stop(text) || (is_fluent(text, parse) && !is_question(text)))
        }
        None => ends_in_stop(text) && begins_with_subject_and_verb(text),
    }
}

/// Whether a text without a final stop has no sign of unfinished speech: no word of hesitation, no repetition, no question, no open end.
///
/// Only texts of letters, blanks and commas are decided here, so that their words are those of the parse. Words are compared by their [`WordKey`]s.
fn is_fluent(text: &str, parse: &str) -> bool {
    // What begins with a small letter may be a transcript or cut off at its beginning.
    let Some(tag) = last_tag(parse).filter(|_| text.starts_with(|first: char| first.is_ascii_uppercase())) else { return false };
    let mut words = [WordKey::NONE; MOST_WORDS];
    let mut count = 0;
    for word in text.as_bytes().split(|&byte| byte == b' ').filter(|word| !word.is_empty()) {
        let letters = word.strip_suffix(b",").unwrap_or(word);
        if count == MOST_WORDS || !letters.iter().all(u8::is_ascii_alphabetic) {
            return false;
        }
        words[count] = WordKey::of(letters);
        count += 1;
    }
    let words = &words[..count];
    let is_again = |at: usize, gap: usize| at > gap && words[at] == words[at - gap] && words[at - 1] == words[at - gap - 1];
    let is_suspect = |at: usize| {
        let before = if at > 0 { words[at - 1] } else { WordKey::NONE };
        words[at] == before || is_again(at, 2) || is_again(at, 4) || speech::is_suspect(before, words[at])
    };
    let [.., before, last] = *words else { return false };
    cut_off::is_plain_end(before, last, tag) && !(0..count).any(is_suspect)
}

/// The longest text that is decided at a glance.
const MOST_WORDS: usize = 32;

/// A word's length and first letters, in small letters: the keys of equal words are equal, those of different words nearly always differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WordKey(u64);

impl WordKey {
    /// The key of no word.
    pub(super) const NONE: WordKey = WordKey(0);

    /// The key of a word of ASCII letters.
    pub(super) const fn of(word: &[u8]) -> Self {
        let (mut key, mut at) = (word.len() as u64 & 0xff, 0);
        while at < word.len() && at < 7 {
            key = key << 8 | (word[at] | 0x20) as u64;
            at += 1;
        }
        WordKey(key)
    }

    /// The keys of several words.
    pub(super) const fn all<const N: usize>(words: [&str; N]) -> [WordKey; N] {
        let (mut keys, mut at) = ([WordKey::NONE; N], 0);
        while at < N {
            keys[at] = WordKey::of(words[at].as_bytes());
            at += 1;
        }
        keys
    }
}

/// The tag of the last leaf of a bracketed parse.
fn last_tag(parse: &str) -> Option<&str> {
    let leaf = &parse[memrchr(b'(', parse.as_bytes())? + 1..];
    leaf.split_once(' ').map(|(tag, _)| tag)
}

/// What the main clause of a bracketed parse lacks, where its first brackets tell: a phrase that is no clause, or a subject and the first verb.
pub(super) fn main_clause(parse: &str) -> Option<Result<(), Incompleteness>> {
    let top = parse.strip_prefix("(ROOT (")?;
    let Some(clause) = top.strip_prefix("S ").filter(|clause| clause.starts_with("(NP ")) else {
        let (label, _) = top.split_once(' ')?;
        let is_phrase = matches!(label, "NP" | "FRAG" | "PP" | "ADJP" | "ADVP" | "X" | "INTJ");
        return is_phrase.then_some(Err(Incompleteness::NoMainClause));
    };
    let clause = clause.as_bytes();
    // Letters of labels are rare in texts, so that searching for one is faster than for all of them.
    let verb_phrase = memchr_iter(b'V', clause).find(|&at| at > 0 && clause[at - 1] == b'(' && clause[at..].starts_with(b"VP ("))?;
    let (before, verb) = (&clause[..verb_phrase - 1], &clause[verb_phrase + b"VP (".len()..]);
    if !is_balanced(before) {
        return None;
    }
    match verb {
        [b'V', b'B', b'Z' | b'P' | b'D', b' ', ..] | [b'M', b'D', b' ', ..] => Some(Ok(())),
        [b'V', b'B', b'G' | b'N', b' ', ..] => Some(Err(Incompleteness::NoMainClause)),
        _ => None,
    }
}

/// Whether every bracket that is opened is closed, so that what follows is a part of the same phrase.
fn is_balanced(brackets: &[u8]) -> bool {
    brackets.iter().fold(0, |open, byte| open + isize::from(*byte == b'(') - isize::from(*byte == b')')) == 0
}

/// Whether a bracketed parse has a hesitation or another interjection.
fn has_interjection(parse: &str) -> bool {
    let parse = parse.as_bytes();
    memchr_iter(b'U', parse).any(|at| at > 0 && parse[at - 1] == b'(' && parse[at..].starts_with(b"UH "))
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
    use proptest::prelude::*;

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

    #[test]
    fn captions_without_a_stop_are_complete_if_nothing_is_said_again_or_left_open() {
        let check = |rest: &[(&str, &str)], expected: bool| {
            let (text, parse) = caption(rest);
            assert_eq!(is_complete(&View::new(&text, Some(&parse), None)), expected, "{text}");
        };
        check(&[("DT", "the"), ("NN", "rope"), (",", ","), ("NN", "today")], true);
        check(&[("DT", "the"), ("DT", "the"), ("NN", "rope")], false);
        check(&[("DT", "the"), ("NN", "rope"), ("CC", "but")], false);
        check(&[("DT", "the"), ("NN", "rope"), ("RB", "just")], false);
        check(&[("VBP", "are"), ("PRP", "they"), ("JJ", "late")], false);
        check(&[("UH", "um"), ("DT", "a"), ("NN", "rope")], false);
    }

    /// `A dog pulls ..` with its parse.
    fn caption(rest: &[(&str, &str)]) -> (String, String) {
        let text: String = rest.iter().map(|(_, word)| format!(" {word}")).collect();
        let leaves: String = rest.iter().map(|(tag, word)| format!(" ({tag} {word})")).collect();
        (format!("A dog pulls{}", text.replace(" ,", ",")), format!("(ROOT (S (NP (DT A) (NN dog)) (VP (VBZ pulls){leaves})))"))
    }

    proptest! {
        #[test]
        fn what_is_complete_at_a_glance_is_complete_by_the_full_rules(rest in prop::collection::vec(prop::sample::select(TAGGED.to_vec()), 0..8)) {
            let (text, parse) = caption(&rest);
            let view = View::new(&text, Some(&parse), None);
            if is_complete(&view) {
                prop_assert_eq!(full_rules(&view), None, "{}", text);
            }
        }
    }

    /// Words that the rules of speech are about, and others.
    const TAGGED: [(&str, &str); 26] = [
        ("NN", "rope"),
        ("DT", "the"),
        ("DT", "a"),
        ("PRP", "it"),
        ("PRP", "they"),
        ("PRP", "you"),
        ("PRP", "I"),
        ("VBP", "are"),
        ("VBP", "do"),
        ("MD", "can"),
        ("CC", "and"),
        ("IN", "of"),
        ("IN", "because"),
        ("WP", "what"),
        ("IN", "about"),
        ("UH", "uh"),
        ("NN", "er"),
        ("RB", "just"),
        ("RB", "not"),
        ("TO", "to"),
        (",", ","),
        ("VBZ", "'s"),
        ("CD", "two"),
        ("NNP", "Rover"),
        ("PRP$", "her"),
        ("NN", "dog"),
    ];
}
