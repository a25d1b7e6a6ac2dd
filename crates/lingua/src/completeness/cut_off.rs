//! Writing that was cut, read from the words of a text without a stop: `issues related`, `that we have often`.

use super::quick::WordKey;
use super::speech::{Spoken, is_one};
use crate::tag::Tag;

/// Whether something should follow the last words of a text that has no stop.
pub(super) fn is_cut_off(words: &[Spoken<'_>]) -> bool {
    words.last().is_some_and(is_left_open) || adjectives_lack_noun(words) || verb_lacks_object(words)
}

/// Whether the beginning of a text is missing: it begins with a small letter where its commas show that it is writing.
pub(super) fn begins_cut_off(text: &str, first: Option<&Spoken<'_>>) -> bool {
    use Tag::*;
    let small = text.trim_start().starts_with(char::is_lowercase) && text.contains([',', ';', '(']);
    let may_begin = first.is_some_and(|(_, tag)| matches!(tag, Some(PRP | PRPS | DT | EX | CC | UH | RB)));
    small && !may_begin
}

/// Whether something must follow a last word.
fn is_left_open((word, tag): &Spoken<'_>) -> bool {
    tag.is_some_and(is_open) || is_one(word, &LEFT_OPEN)
}

/// Whether something must follow a word of this tag.
fn is_open(tag: Tag) -> bool {
    matches!(tag, Tag::CC | Tag::TO | Tag::PRPS | Tag::WPS | Tag::IN | Tag::MD | Tag::UH)
}

/// Whether a text without a stop is plainly not cut off after its last two words, given as keys, of which the last has this tag.
pub(super) fn is_plain_end(before: WordKey, last: WordKey, tag: &str) -> bool {
    use Tag::*;
    const LEFT_OPEN_KEYS: [WordKey; LEFT_OPEN.len()] = WordKey::all(LEFT_OPEN);
    const PROGRESSIVE_KEYS: [WordKey; 4] = WordKey::all(["is", "are", "was", "were"]);
    let Some(tag) = Tag::from_name(tag) else { return false };
    let may_end = match tag {
        JJ | RB | VB => false,
        VBG => PROGRESSIVE_KEYS.contains(&before),
        tag => !is_open(tag),
    };
    may_end && !LEFT_OPEN_KEYS.contains(&last)
}

/// Whether a text ends in several adjectives whose noun is missing: `that recent legislative and regulatory`.
fn adjectives_lack_noun(words: &[Spoken<'_>]) -> bool {
    let adjectives = words.iter().rev().take_while(|(_, tag)| matches!(tag, Some(Tag::JJ | Tag::CC))).count();
    let several = words.iter().rev().take(adjectives).filter(|(_, tag)| *tag == Some(Tag::JJ)).count() > 1;
    let opens = |&(word, tag): &Spoken<'_>| {
        tag == Some(Tag::PRPS) || is_one(word, &["that", "the", "a", "an", "of", "for", "with", "by", "in", "on", "from"])
    };
    several && words.iter().rev().nth(adjectives).is_some_and(opens)
}

/// Whether a text ends in a verb or adverb that announces more: `a risk of introducing`, `could be efficiently`, `would begin`.
fn verb_lacks_object(words: &[Spoken<'_>]) -> bool {
    use Tag::*;
    let [.., (before, before_tag), (last, tag)] = words else { return false };
    let manner = *tag == Some(RB) && last.ends_with("ly") && is_one(before, &["be", "is", "are", "was", "were", "been"]);
    let perfect = *tag == Some(RB) && is_one(before, &["have", "has", "had"]);
    let gerund = *tag == Some(VBG) && matches!(before_tag, Some(IN | NN | NNS | CC));
    let needs_object = *tag == Some(VB) && is_one(last, &TAKE_OBJECTS);
    manner || perfect || gerund || needs_object
}

/// Verbs that hardly ever stand without an object.
const TAKE_OBJECTS: [&str; 22] = [
    "begin",
    "include",
    "provide",
    "require",
    "allow",
    "ensure",
    "enable",
    "involve",
    "reflect",
    "build",
    "address",
    "achieve",
    "maintain",
    "introduce",
    "obtain",
    "establish",
    "create",
    "produce",
    "use",
    "make",
    "get",
    "take",
];
const LEFT_OPEN: [&str; 42] = [
    "just",
    "not",
    "n't",
    "a",
    "an",
    "the",
    "every",
    "is",
    "are",
    "was",
    "were",
    "am",
    "be",
    "'s",
    "'re",
    "'m",
    "so",
    "like",
    "i",
    "yeah",
    "okay",
    "ok",
    "bye",
    "bye-bye",
    "know",
    "though",
    "because",
    "if",
    "or",
    "and",
    "but",
    "my",
    "your",
    "of",
    "quite",
    "very",
    "than",
    "such",
    "that",
    "related",
    "including",
    "regarding",
];
