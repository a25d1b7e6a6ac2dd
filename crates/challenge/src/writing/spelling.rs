//! Misspelt words, capitals, and words that are split, joined or doubled.

use super::LISTS;
use crate::composition::added_modifier::is_modifier;
use crate::words::{Words, noun_lemma};
use acidtest_lingua::dictionary::is_english_word;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::wordnet::{PartOfSpeech, WordNet};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The second words of the list `split`, by the first.
static SPLIT: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut split: HashMap<&str, Vec<&str>> = HashMap::new();
    for (first, second) in LISTS.of("split").filter_map(|words| words.split_once('_')) {
        split.entry(first).or_default().push(second);
    }
    split
});

/// A word in small letters that neither the spelling dictionary nor WordNet has, or that is hardly ever meant: `thorws`, `dinning`.
pub(super) fn is_misspelt(words: &Words<'_>, at: usize) -> bool {
    let word = words.lower(at);
    if LISTS.has("wrong", word) {
        return true;
    }
    let may_be_name = words.is_capital(at) && (at > 0 || words.tag(at).is_some_and(Tag::is_proper_noun));
    let is_short_slip = || word.len() == 2 && !LISTS.has("short", word) && words.form(at) == word;
    let is_plain = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    // `med-evil`: each part of a word with hyphens.
    if word.contains('-') && !may_be_name && !is_known(word) {
        return word.split('-').any(|part| part.len() >= 3 && is_plain(part) && !LISTS.has("prefixes", part) && !is_known(part));
    }
    let is_single = word.len() == 1 && words.form(at) == word && !matches!(word, "a" | "i" | "o" | "s" | "t" | "x" | "n" | "c")
        || word == "n" && words.tag(at + 1) == Some(Tag::DT);
    is_plain(word) && !may_be_name && (is_single || is_short_slip() || word.len() >= 3 && !is_known(word))
}

fn is_known(word: &str) -> bool {
    let is_listed = |word: &str| is_english_word(word) || LISTS.has("words", word) || is_modifier(word) || !spellings(word).is_empty();
    // `unconfident`, `nontransportation`: a known word with a prefix.
    let has_prefix = || {
        let rest = ["un", "non", "re", "over", "under", "mis", "pre", "anti", "co", "sub", "super", "inter", "multi"]
            .into_iter()
            .filter_map(|prefix| word.strip_prefix(prefix));
        rest.into_iter().any(|rest| rest.len() >= 5 && is_listed(rest))
    };
    is_listed(word) || has_prefix()
}

/// How WordNet writes the dictionary forms of a word, by part of speech.
fn spellings(lower: &str) -> Vec<&'static str> {
    let net = WordNet::get();
    let bases = PartOfSpeech::ALL.into_iter().flat_map(|part| net.morphy(lower, part).into_iter().map(move |base| (base, part)));
    bases.filter_map(|(base, part)| net.spelling(&base, part)).collect()
}

/// A name or an adjective of one that is written small: `asian`, `olympics`.
pub(super) fn lacks_capital(words: &Words<'_>, at: usize) -> bool {
    let word = words.lower(at);
    if words.is_capital(at) || at == 0 && word.len() < 3 {
        return false;
    }
    if LISTS.has("capitals", word) || word == "eastern" && words.before(at) == "middle" {
        return true;
    }
    if word.len() < 3
        || word.contains('.')
        || is_english_word(word)
        || LISTS.has("words", word)
        || LISTS.has("trademarks", word)
        || is_modifier(word)
    {
        return false;
    }
    let spellings = spellings(word);
    !spellings.is_empty() && spellings.iter().all(|spelling| spelling.starts_with(char::is_uppercase))
}

/// A common noun with a capital in the middle of a sentence, and not as part of a name: `a Saxophone`.
pub(super) fn has_wrong_capital(words: &Words<'_>, at: usize) -> bool {
    let is_plain = |form: &str| form.chars().filter(|letter| letter.is_uppercase()).count() == 1 && form.len() > 2;
    if at == 0 || !words.is_capital(at) || !is_plain(words.form(at)) || words.is_capital(at + 1) || (at > 1 && words.is_capital(at - 1)) {
        return false;
    }
    let is_determined = |at: usize| {
        matches!(words.tag_before(at), Some(Tag::DT | Tag::PRPS | Tag::CD | Tag::JJ | Tag::VBG | Tag::VBZ | Tag::CC | Tag::IN))
            || at == 1 && is_english_word(words.lower(0))
    };
    let spellings = spellings(words.lower(at));
    let is_adjective = words.tag(at) == Some(Tag::JJ) && words.tag_before(at) == Some(Tag::DT);
    (words.is_noun(at) || is_adjective || words.tag(at).is_some_and(Tag::is_verb))
        && !LISTS.has("names", words.lower(at))
        && is_determined(at)
        && is_english_word(words.lower(at))
        && !spellings.is_empty()
        && spellings.iter().all(|spelling| spelling.starts_with(char::is_lowercase))
}

/// An article or pronoun with a capital in the middle of a sentence: `grants and The 400`.
pub(super) fn has_capital_article(words: &Words<'_>, at: usize) -> bool {
    let before = words.form(at.saturating_sub(1));
    at > 1
        && matches!(words.form(at), "The" | "This" | "These" | "It" | "They" | "He" | "She" | "There" | "And" | "But" | "We")
        && !words.is_capital(at + 1)
        && before.chars().all(|letter| letter.is_lowercase() || letter == ',')
        && words.form(at + 1).chars().next().is_some_and(char::is_alphanumeric)
}

/// A word that is written as two, or a pair of prepositions that is wrong in English: `along side`, `with on`.
pub(super) fn is_split(words: &Words<'_>, at: usize) -> bool {
    let next = words.lower(at + 1);
    !next.is_empty() && !words.is_capital(at + 1) && SPLIT.get(words.lower(at)).is_some_and(|seconds| seconds.contains(&next))
}

/// `the the`, `a the`.
pub(super) fn is_doubled(words: &Words<'_>, at: usize) -> bool {
    let (word, next) = (words.lower(at), words.lower(at + 1));
    let is_determiner = |word: &str| matches!(word, "a" | "an" | "the" | "his" | "her" | "their");
    if matches!(word, "a" | "an" | "the") && matches!(next, "this" | "these" | "those" | "my" | "its" | "our" | "your") {
        return true;
    }
    word == next && word.contains(char::is_alphabetic) || is_determiner(word) && is_determiner(next) && !(word == "her" && next != "the")
}

/// An adjective and its noun with a hyphen between them: `a woman with red-hair`.
pub(super) fn is_hyphenated_noun(words: &Words<'_>, at: usize) -> bool {
    let goes_on = words.is_noun(at + 1)
        || matches!(words.tag(at + 1), Some(Tag::JJ | Tag::VBN | Tag::Hyphen))
        || words.tag(at + 1) == Some(Tag::CC) && !words.lower(at).ends_with("-hair");
    let Some((adjective, noun)) = words.lower(at).split_once('-').filter(|_| !goes_on) else { return false };
    let is_noun = words.is_noun(at) || noun == "hair";
    is_noun
        && (is_modifier(adjective) || noun == "hair")
        && WordNet::get().has(&noun_lemma(noun, "NNS"), PartOfSpeech::Noun)
        && !is_english_word(words.lower(at))
        && spellings(words.lower(at)).is_empty()
}
