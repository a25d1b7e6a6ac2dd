//! Speech that breaks off, begins again or asks, read from the words of a transcript.

use super::quick::WordKey;
use super::{Incompleteness, cut_off, ends_in_stop, transcript};
use crate::tag::Tag;

/// A word with its tag.
pub(super) type Spoken<'w> = (&'w str, Option<Tag>);

/// What spoken words lack.
pub(super) fn incompleteness(text: &str, words: &[(&str, Option<Tag>)]) -> Option<Incompleteness> {
    let is_word = |word: &str| word.contains(char::is_alphanumeric);
    let words: Vec<Spoken<'_>> = words.iter().copied().filter(|(word, _)| is_word(word)).collect();
    if hesitates(&words) || begins_again(&words) || text.trim_start().starts_with([',', ';', ')']) {
        return Some(Incompleteness::BrokenOff);
    }
    if ends_in_stop(text) {
        return None;
    }
    if words.first().is_some_and(|(word, _)| is_one(word, &CAUSES)) {
        return Some(Incompleteness::Subordinate);
    }
    if asks(&words) {
        return Some(Incompleteness::Question);
    }
    let spoken = if transcript::is_transcript(text) { transcript::incompleteness(text, &words) } else { None };
    let cut = || cut_off::is_cut_off(&words) || cut_off::begins_cut_off(text, words.first());
    spoken.or_else(|| cut().then_some(Incompleteness::BrokenOff))
}

/// Whether a word is in a list, in small or large letters.
pub(super) fn is_one(word: &str, known: &[&str]) -> bool {
    known.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Whether there is a hesitation after the first words: `it was a uh pier and beam house`.
fn hesitates(words: &[Spoken<'_>]) -> bool {
    let opening = words.iter().take_while(|(word, _)| is_hesitation(word) || is_one(word, &OPENINGS)).count();
    words[opening..].iter().any(|(word, _)| is_hesitation(word))
}

pub(super) fn is_hesitation(word: &str) -> bool {
    is_one(word, &HESITATIONS)
}

/// Whether words are said again: `the the car`, `that's that's good`, `they've they know`, `i like i mean i like`.
fn begins_again(words: &[Spoken<'_>]) -> bool {
    let is = |at: usize, tag: Tag| words[at].1 == Some(tag);
    let same = |a: usize, b: usize| b < words.len() && words[a].0.eq_ignore_ascii_case(words[b].0);
    let is_pronoun = |at: usize| is(at, Tag::PRP) || is_one(words[at].0, &["i", "that", "it"]);
    (0..words.len()).any(|at| {
        let doubled = same(at, at + 1) && !is_one(words[at].0, &MAY_BE_DOUBLED) && !is(at, Tag::CD) && !is(at, Tag::NNP);
        let two_again = same(at, at + 2) && same(at + 1, at + 3) && !is(at, Tag::CD) && !is(at, Tag::NNP);
        // `and that's but you have to be a member`
        let contraction = || is_one(words[at].0, &["'s", "’s", "'re", "’re", "'m", "’m"]);
        let dropped = at > 0 && at + 1 < words.len() && is(at + 1, Tag::CC) && contraction() && is_pronoun(at - 1);
        let shortened = same(at, at + 2) && words[at + 1].0.starts_with(['\'', '’']);
        let pair_again = |gap: usize| same(at, at + gap) && same(at + 1, at + gap + 1) && !is(at + 1, Tag::NN);
        doubled || two_again || dropped || ((shortened || [2, 4].into_iter().any(pair_again)) && is_pronoun(at))
    })
}

/// Whether somebody is asked: an auxiliary before a pronoun, at the beginning or after a clause (`i don't know do you agree`).
fn asks(words: &[Spoken<'_>]) -> bool {
    words.windows(2).enumerate().any(|(at, pair)| {
        let replies = || at > 0 && is_one(words[at - 1].0, &["so", "nor", "neither", "than", "as"]);
        let offers = pair[1].0.eq_ignore_ascii_case("about") && is_one(pair[0].0, &OFFERS);
        offers || (is_one(pair[1].0, &ASKED) && is_one(pair[0].0, &INVERTED) && !replies())
    })
}

/// Whether a word, or a word and the one before it, may be a hesitation, a question, a small `i` or the beginning of a subordinate clause, or is
/// several words to a parse.
pub(super) fn is_suspect(before: WordKey, word: WordKey) -> bool {
    const HESITATION_KEYS: [WordKey; HESITATIONS.len()] = WordKey::all(HESITATIONS);
    const CAUSE_KEYS: [WordKey; CAUSES.len()] = WordKey::all(CAUSES);
    const SEVERAL_KEYS: [WordKey; SEVERAL_WORDS.len()] = WordKey::all(SEVERAL_WORDS);
    const ASKED_KEYS: [WordKey; ASKED.len()] = WordKey::all(ASKED);
    const INVERTED_KEYS: [WordKey; INVERTED.len()] = WordKey::all(INVERTED);
    const OFFER_KEYS: [WordKey; OFFERS.len()] = WordKey::all(OFFERS);
    const ABOUT: WordKey = WordKey::of(b"about");
    const I: WordKey = WordKey::of(b"i");
    word == I
        || HESITATION_KEYS.contains(&word)
        || CAUSE_KEYS.contains(&word)
        || SEVERAL_KEYS.contains(&word)
        || (ASKED_KEYS.contains(&word) && INVERTED_KEYS.contains(&before))
        || (word == ABOUT && OFFER_KEYS.contains(&before))
}

const HESITATIONS: [&str; 13] = ["uh", "um", "er", "hm", "hmm", "huh", "uh-huh", "um-hum", "uh-hum", "mhm", "mm-hmm", "hum-um", "huh-uh"];
/// Auxiliaries that stand before whoever is asked.
const INVERTED: [&str; 10] = ["do", "does", "did", "are", "can", "could", "would", "have", "were", "will"];
/// Who is asked.
const ASKED: [&str; 6] = ["you", "they", "we", "he", "she", "y'all"];
/// Words before `about` that make a suggestion.
const OFFERS: [&str; 2] = ["what", "how"];
const CAUSES: [&str; 3] = ["because", "'cause", "cause"];
/// Words that parses divide.
const SEVERAL_WORDS: [&str; 6] = ["cannot", "gonna", "gotta", "wanna", "gimme", "whatcha"];
/// What speakers begin with before they say something.
const OPENINGS: [&str; 12] = ["and", "but", "so", "well", "oh", "yeah", "yes", "no", "okay", "right", "or", "now"];
const MAY_BE_DOUBLED: [&str; 6] = ["had", "that", "very", "so", "really", "no"];
