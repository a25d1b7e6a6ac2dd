//! Articles, and the number of the nouns behind them.

use super::LISTS;
use crate::words::Words;
use acidtest_lingua::inflect::indefinite_article;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::wordnet::{PartOfSpeech, WordNet};

/// `a apple`, `an dog`.
pub(super) fn is_wrong(words: &Words<'_>, at: usize) -> bool {
    let article = words.lower(at);
    let next = words.form(at + 1);
    // `an mp3 player`, `a UW player`, `a U.S. Navy jacket`: how letters are read aloud is not in the rules.
    let is_spelt_out =
        next.contains(|letter: char| letter.is_ascii_digit() || letter == '.') || next.len() > 1 && !next.contains(char::is_lowercase);
    let is_known = next.starts_with(char::is_alphabetic) && !is_spelt_out && words.lower(at + 1) != "ukulele";
    matches!(article, "a" | "an") && is_known && indefinite_article(next) != article
}

/// The last noun of the phrase that a determiner opens.
fn noun_after(words: &Words<'_>, at: usize) -> Option<usize> {
    let mut noun = at + 1;
    while matches!(words.tag(noun), Some(Tag::JJ | Tag::VBN | Tag::VBG | Tag::JJR)) || (noun > at + 1 && words.tag(noun) == Some(Tag::CC)) {
        noun += 1;
    }
    while words.is_noun(noun) && words.is_noun(noun + 1) {
        noun += 1;
    }
    words.is_noun(noun).then_some(noun)
}

/// `a hiking equipment`, `a sunglasses`.
pub(super) fn is_before_uncountable(words: &Words<'_>, at: usize) -> bool {
    // `a snow filled field`.
    let is_last = |noun: usize| !matches!(words.tag(noun + 1), Some(Tag::VBN | Tag::VBG | Tag::JJ | Tag::CC | Tag::Hyphen));
    matches!(words.lower(at), "a" | "an" | "another")
        && noun_after(words, at).is_some_and(|noun| LISTS.has("uncountable", words.lower(noun)) && is_last(noun))
}

/// `a group of woman`.
pub(super) fn is_group_of_one(words: &Words<'_>, at: usize) -> bool {
    if !matches!(words.lower(at), "group" | "bunch" | "crowd" | "couple" | "pair" | "number" | "team") || words.lower(at + 1) != "of" {
        return false;
    }
    let mut noun = at + 2;
    while matches!(words.tag(noun), Some(Tag::JJ | Tag::VBN | Tag::VBG | Tag::CD)) {
        noun += 1;
    }
    let goes_on = |tag: Tag| tag.is_noun() || matches!(tag, Tag::POS | Tag::CC | Tag::Hyphen);
    words.tag(noun) == Some(Tag::NN) && LISTS.has("counted", words.lower(noun)) && !words.tag(noun + 1).is_some_and(goes_on)
}

/// `gray slack`: a noun that only has a plural.
pub(super) fn is_half_of_a_pair(words: &Words<'_>, at: usize) -> bool {
    let goes_on = |tag: Tag| tag.is_noun() || matches!(tag, Tag::POS | Tag::Hyphen | Tag::CC | Tag::JJ);
    let is_short = words.lower(at) == "short"
        && words.before(at) == "and"
        && matches!(words.tag(at + 1), Some(Tag::RB | Tag::IN | Tag::VBZ | Tag::Stop));
    is_short || words.tag(at) == Some(Tag::NN) && LISTS.has("halves", words.lower(at)) && !words.tag(at + 1).is_some_and(goes_on)
}

/// `an electronically mixer`.
pub(super) fn is_adverb_for_adjective(words: &Words<'_>, at: usize) -> bool {
    matches!(words.tag(at), Some(Tag::RB | Tag::JJ))
        && words.lower(at).ends_with("ly")
        && matches!(words.tag_before(at), Some(Tag::DT | Tag::PRPS))
        && words.is_common_noun(at + 1)
        && !WordNet::get().has(words.lower(at), PartOfSpeech::Adjective)
}

/// `a dogs`, `two dog`, `these dog`, `a couple pints`: a determiner or number before a noun, or before its adjectives, that has another number.
pub(super) fn has_other_number(words: &Words<'_>, at: usize) -> bool {
    let mut noun = at + 1;
    while matches!(words.tag(noun), Some(Tag::JJ | Tag::JJR | Tag::JJS | Tag::VBN)) || (noun > at + 1 && words.tag(noun) == Some(Tag::CC)) {
        noun += 1;
    }
    let is_plural_form = |word: &str| matches!(word, "women" | "men" | "children");
    let goes_on = |tag: Tag| tag.is_noun() || tag == Tag::POS;
    let tag = words.tag(noun).filter(|_| !words.tag(noun + 1).is_some_and(goes_on) && !words.lower(noun).ends_with("ss"));
    match words.lower(at) {
        // `a few dogs`, `a hundred dogs`.
        "a" | "an" => {
            let counts = |word: &str| matches!(word, "few" | "many" | "great" | "good" | "couple" | "dozen");
            let is_plural = tag == Some(Tag::NNS) || tag == Some(Tag::NN) && is_plural_form(words.lower(noun));
            is_plural && words.lower(noun) != "discus" && !(at + 1..noun).any(|between| counts(words.lower(between)))
        }
        // `as another stands at the door`.
        "another" if matches!(words.tag(noun + 1), Some(Tag::IN | Tag::DT | Tag::RP | Tag::RB)) && noun == at + 1 => false,
        "this" | "another" | "each" | "every" => tag == Some(Tag::NNS),
        "couple" | "lot" => {
            let is_verb_at_end = words.tag(at + 1) == Some(Tag::VBZ) && words.tag(at + 2) == Some(Tag::Stop);
            words.before(at) == "a" && (words.tag(at + 1) == Some(Tag::NNS) || is_verb_at_end)
        }
        // `a man and women`.
        "man" | "woman" => {
            matches!(words.before(at), "a" | "an") && words.lower(at + 1) == "and" && matches!(words.lower(at + 2), "men" | "women")
        }
        "two" | "three" | "four" if matches!(words.lower(at + 1), "man" | "woman") && words.tag(at + 2) == Some(Tag::NNS) => true,
        "these" | "those" | "several" | "many" | "two" | "three" | "four" | "five" | "six" | "seven" | "eight" | "nine" | "ten" => {
            tag == Some(Tag::NN)
                && words.lower(noun) != "people"
                && !is_uninflected(words.lower(noun))
                && !words.lower(noun).ends_with("ing")
        }
        _ => false,
    }
}

fn is_uninflected(noun: &str) -> bool {
    matches!(
        noun,
        "fish"
            | "sheep"
            | "craft"
            | "youth"
            | "deer"
            | "police"
            | "aircraft"
            | "year"
            | "men"
            | "women"
            | "children"
            | "dozen"
            | "male"
            | "female"
    )
}

/// A single person or thing without an article at the beginning, as in a headline: `Man in a hat`, `Group of people`, `Large green lawn`.
pub(super) fn begins_as_headline(words: &Words<'_>, at: usize) -> bool {
    let is_subject = || {
        LISTS.has("counted", words.lower(0))
            && (words.lower(1).ends_with("ing") || matches!(words.tag(1), Some(Tag::VBG | Tag::VBZ | Tag::VBN | Tag::IN)))
    };
    at == 0 && (LISTS.has("headlines", words.lower(0)) && !words.is_noun(1) || is_subject() || is_described(words))
}

/// `Smiling bald, black man in sunglasses`, `Indoor scene of a woman`.
fn is_described(words: &Words<'_>) -> bool {
    let is_part = |at: usize| {
        matches!(words.tag(at), Some(Tag::JJ | Tag::VBN)) || at == 0 && words.tag(at) == Some(Tag::VBG) || at > 0 && words.lower(at) == ","
    };
    let noun = (0..words.len()).find(|&at| !is_part(at)).unwrap_or(0);
    let is_counted = LISTS.has("counted", words.lower(noun)) || words.lower(noun) == "scene";
    noun > 0 && words.tag(noun) == Some(Tag::NN) && is_counted && !words.is_noun(noun + 1) && words.tag(noun + 1) != Some(Tag::POS)
}

/// A singular noun that can be counted and has no determiner: `looking at bridge`, `wearing hat`, `blue shorts and yellow shirt`.
pub(super) fn is_bare(words: &Words<'_>, at: usize) -> bool {
    let is_head = matches!(words.tag(at), Some(Tag::NN | Tag::NNP)) && !words.is_noun(at + 1) && !is_joined(words, at);
    let start = start_of(words, at);
    let is_counted = LISTS.has("counted", words.lower(at)) || start < at && LISTS.has("described", words.lower(at));
    if !is_head || !is_counted || words.is_capital(at) && at > 0 && !words.lower(at).ends_with("-shirt") {
        return false;
    }
    let before = start.checked_sub(1);
    let Some(before) = before else { return true };
    match words.tag(before) {
        // `the menu of street cafe`, `in front of house`, but `a kind of dog`.
        Some(Tag::IN) if words.lower(before) == "of" => {
            let follows_noun = before > 0 && words.is_noun(before - 1) && !LISTS.has("kinds", words.lower(before - 1));
            // `a flip off of dock`.
            follows_noun || matches!(words.before(before), "off" | "inside" | "outside")
        }
        // `as boy pulls a door`.
        Some(Tag::IN) if matches!(words.lower(before), "as" | "while") => {
            matches!(words.tag(at + 1), Some(Tag::VBZ | Tag::VBP | Tag::VBD)) && words.lower(at + 1).len() > 1
        }
        // `a button up shirt`, `a fenced in yard`.
        Some(Tag::IN | Tag::RP)
            if matches!(words.lower(before), "up" | "down" | "in")
                && (before > 1 && words.tag_before(before) == Some(Tag::VBN) && words.tag(before - 2) == Some(Tag::DT)
                    || matches!(words.before(before), "button" | "zip" | "lace")) =>
        {
            false
        }
        // `huddled over book`.
        Some(Tag::RP) => matches!(words.lower(before), "over" | "on" | "around"),
        // `wearing jeans, green t-shirt and sandals`.
        Some(Tag::Comma) => {
            start < at && words.tag_before(before) == Some(Tag::NNS) && words.lowers(0..before).any(|word| word == "wearing")
        }
        Some(Tag::IN | Tag::TO) => !may_be_bare_after(words.lower(before)) && !is_repeated(words, start, at),
        Some(Tag::VBG | Tag::VBZ | Tag::VBP) => !matches!(words.lemma(before).as_str(), "play" | "be" | "turn"),
        // `and second man is walking`.
        Some(Tag::CC) => start < at && (joins_plural(words, before) || matches!(words.lower(start), "second" | "third")),
        _ => false,
    }
}

/// Whether what follows may take the noun further, or be a pair with it: `between mother and child`.
fn is_joined(words: &Words<'_>, at: usize) -> bool {
    let is_start = start_of(words, at) == 0;
    match words.tag(at + 1) {
        Some(Tag::POS | Tag::Hyphen | Tag::JJ | Tag::CD) => true,
        Some(Tag::CC) => !is_start && start_of(words, at) == at && words.is_noun(at + 2),
        // `a girl in shop, on laptops`.
        Some(Tag::Comma) => {
            let first = start_of(words, at);
            !is_start && words.tag_before(first) != Some(Tag::IN) && !(first < at && words.before(first) == "wearing")
        }
        _ => false,
    }
}

/// Where the words before a noun that belong to it begin, without its determiner.
fn start_of(words: &Words<'_>, noun: usize) -> usize {
    let mut start = noun;
    while start > 0 {
        let before = start - 1;
        let is_part = match words.tag(before) {
            Some(Tag::JJ | Tag::JJR | Tag::NN | Tag::NNP | Tag::NNPS) => true,
            Some(Tag::NNS) => false,
            Some(Tag::VBN) => true,
            // `a smiling man`, and not `a man wearing hat`.
            Some(Tag::VBG) => {
                matches!(words.tag_before(before), Some(Tag::DT | Tag::JJ | Tag::PRPS | Tag::Comma))
                    || matches!(words.lower(before), "looking" | "loving")
            }
            Some(Tag::RB) => matches!(words.tag_before(before), Some(Tag::DT)),
            Some(Tag::CC) => matches!(words.tag(start), Some(Tag::JJ)) && matches!(words.tag_before(before), Some(Tag::JJ)),
            _ => false,
        };
        if !is_part {
            break;
        }
        start = before;
    }
    start
}

fn may_be_bare_after(word: &str) -> bool {
    matches!(word, "by" | "as" | "per" | "like" | "than" | "from" | "for" | "via" | "that" | "while")
}

/// `from table to table`, `in between`.
fn is_repeated(words: &Words<'_>, start: usize, at: usize) -> bool {
    start == at && words.all().filter(|word| *word == words.lower(at)).count() > 1
}

/// Whether a conjunction follows a plural without a determiner: `blue shorts and yellow shirt`.
fn joins_plural(words: &Words<'_>, conjunction: usize) -> bool {
    let Some(noun) = conjunction.checked_sub(1) else { return false };
    let start = start_of(words, noun);
    words.tag(noun) == Some(Tag::NNS) && matches!(words.tag_before(start), Some(Tag::IN | Tag::VBG | Tag::VBZ | Tag::VBP))
}
