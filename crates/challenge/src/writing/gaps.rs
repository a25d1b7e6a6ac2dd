//! Words that are missing: a noun behind its article, a verb behind its subject, a hyphen, and sentences that are cut off.

use super::LISTS;
use crate::words::Words;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::wordnet::{PartOfSpeech, WordNet};

/// An article or possessive that no noun follows: `reading a from a piece`, `in a plaid is standing`, `above his ahead before a group`.
pub(super) fn lacks_noun(words: &Words<'_>, at: usize) -> bool {
    let ends = |at: usize| {
        matches!(words.tag(at), Some(Tag::IN | Tag::VBZ | Tag::VBP | Tag::VBD | Tag::MD | Tag::Stop))
            || words.tag(at) == Some(Tag::RB) && matches!(words.lower(at), "next" | "outside" | "inside")
    };
    // `in a plaid is standing`: an adjective that may be taken for a noun.
    if words.lower(at) == "a" && matches!(words.lower(at + 1), "plaid" | "floral" | "checkered" | "striped") && ends(at + 2) {
        return true;
    }
    match words.lower(at) {
        "a" | "an" if words.form(at) != "A" || at == 0 => {
            let mut next = at + 1;
            while words.tag(next) == Some(Tag::JJ) {
                next += 1;
            }
            // `a few of them`, `a little before noon`, `a public is entitled`.
            let stands_alone = |word: &str| {
                matches!(word, "few" | "little" | "lot" | "bit" | "good" | "great" | "many" | "hundred" | "thousand" | "while")
                    || word.ends_with("ese")
            };
            let is_noun_by_itself = next > at + 1 && (stands_alone(words.lower(next - 1)) || words.is_capital(next - 1));
            let is_person = |word: &str| matches!(word, "blond" | "blonde" | "brunette" | "elderly" | "individual" | "native" | "musical");
            // `ride a moped on`: a noun that was taken for an adjective.
            let is_adjective = next == at + 1 || WordNet::get().has(words.lower(next - 1), PartOfSpeech::Adjective);
            is_adjective
                && !is_noun_by_itself
                && !is_person(words.lower(next.saturating_sub(1)))
                && (ends(next) || words.tag(next) == Some(Tag::TO) || next > at + 1 && matches!(words.lower(next), "a" | "an"))
                // A preposition that was taken for one: `an up close look`.
                && !(words.tag(next) == Some(Tag::IN) && words.tag(next + 1).is_some_and(|tag| tag.is_adjective() || matches!(tag, Tag::RB | Tag::CD | Tag::VBN | Tag::VBG) || tag.is_noun() && next == at + 1))
        }
        "his" | "their" | "its" | "my" | "your" | "our" if words.tag(at) == Some(Tag::PRPS) => {
            words.tag(at + 1) == Some(Tag::IN)
                && words.tag(at + 2).is_none_or(|tag| matches!(tag, Tag::DT | Tag::Stop | Tag::PRPS | Tag::IN))
                || words.tag(at + 1) == Some(Tag::RB) && matches!(words.tag(at + 2), Some(Tag::IN | Tag::Stop | Tag::Comma))
                || matches!(words.lower(at + 1), "they" | "their" | "his" | "her" | "its" | "the" | "our")
        }
        _ => false,
    }
}

/// A clause whose subject has no verb: `as they on their trek`, `where there booths`, `to help they see`.
pub(super) fn lacks_verb(words: &Words<'_>, at: usize) -> bool {
    let is_subject = |at: usize| matches!(words.lower(at), "they" | "he" | "she" | "we" | "i");
    match words.lower(at) {
        "as" | "while" => {
            is_subject(at + 1) && matches!(words.lower(at + 2), "on" | "in" | "at" | "with" | "the" | "a" | "his" | "her" | "their" | "our")
        }
        "where" | "that" => words.lower(at + 1) == "there" && words.tag(at + 2) == Some(Tag::NNS),
        "help" | "helps" | "helping" | "let" | "lets" | "with" | "of" | "beside" | "behind" => {
            is_subject(at + 1)
                && !words.tag(at + 2).is_some_and(|tag| matches!(tag, Tag::CD | Tag::CC | Tag::Stop))
                && words.lower(at + 1) != "i"
        }
        // `her son and her are eating`.
        "and" => {
            matches!(words.lower(at + 1), "him" | "her" | "them" | "me" | "us")
                && matches!(words.lower(at + 2), "is" | "are" | "was" | "were" | "have" | "has")
        }
        _ => false,
    }
}

/// Parts of an adjective with no hyphen between them: `one armed handstand`, `tree lined street`, `three year old child`.
pub(super) fn lacks_hyphen(words: &Words<'_>, at: usize) -> bool {
    let next = words.lower(at + 1);
    let is_before_noun = |at: usize| words.is_common_noun(at);
    match words.lower(at) {
        "one" | "two" | "three" | "four" | "five" | "six" | "seven" | "eight" | "nine" | "ten" => {
            let is_part = matches!(next, "armed" | "legged" | "handed" | "wheeled" | "eyed" | "story" | "storey" | "sided" | "tiered");
            let is_first = matches!(next, "armed" | "handed" | "eyed");
            let is_age = matches!(next, "year" | "month" | "years") && words.lower(at + 2) == "old";
            is_part && is_before_noun(at + 2) && (words.lower(at) == "one" || !is_first)
                || is_age && (next != "years" || is_before_noun(at + 3))
        }
        "all" => {
            matches!(next, "white" | "black" | "red" | "blue" | "green" | "pink" | "terrain")
                && is_before_noun(at + 2)
                && words.tag(at + 2) == Some(Tag::NN)
        }
        _ => {
            // `orange colored`, `old looking`.
            let is_described = words.tag(at) == Some(Tag::JJ) && matches!(next, "colored" | "coloured" | "looking" | "shaped" | "sized");
            (words.is_common_noun(at) && next != "looking" || is_described)
                && words.lower(at).len() > 1
                && LISTS.has("joined", next)
                && is_before_noun(at + 2)
                && !words.lower(at).ends_with('s')
                // `a tin filled with sand`, `a man clad as a king`.
                && !matches!(words.tag(at + 2), Some(Tag::IN))
        }
    }
}

/// What somebody is on, with `in`: `in his bicycle`, `in a skateboard`.
pub(super) fn is_in_what_is_ridden(words: &Words<'_>, at: usize) -> bool {
    if words.lower(at) != "in" || !matches!(words.tag(at + 1), Some(Tag::DT | Tag::PRPS)) {
        return false;
    }
    let mut noun = at + 2;
    while matches!(words.tag(noun), Some(Tag::JJ | Tag::CD)) {
        noun += 1;
    }
    let goes_on = words
        .tag(noun + 1)
        .is_some_and(|tag| tag.is_noun() || matches!(tag, Tag::POS | Tag::Hyphen | Tag::VBN | Tag::VBG) && tag != Tag::VBG);
    LISTS.has("ridden", words.lower(noun))
        && words.is_common_noun(noun)
        && !goes_on
        && !matches!(words.before(at), "interest" | "interested" | "hole")
}

/// A sentence that ends where it cannot: `He climbed the Mt.`, `moved from the land to the`.
pub(super) fn is_cut_off(words: &Words<'_>, at: usize) -> bool {
    let is_last = at + 1 == words.len()
        || (at + 1..words.len()).all(|later| words.tag(later) == Some(Tag::Stop) || !words.form(later).contains(char::is_alphanumeric));
    if !is_last || at == 0 || !words.form(at).contains(char::is_alphabetic) {
        return false;
    }
    let word = words.lower(at).trim_end_matches('.');
    let is_initial = words.form(at).ends_with('.') && word.len() == 1 && words.form(at).starts_with(char::is_uppercase) && word != "i";
    let is_title = matches!(
        words.lower(at),
        "mt" | "mt." | "mr." | "mrs." | "dr." | "gen." | "sen." | "rep." | "gov." | "lt." | "col." | "e.g." | "i.e." | "vs."
    );
    is_initial
        || is_title
        || matches!(words.tag(at), Some(Tag::DT | Tag::PRPS | Tag::CC))
            && matches!(word, "the" | "a" | "an" | "his" | "their" | "its" | "my" | "our" | "your" | "and" | "or" | "but")
        || matches!(word, "than" | "because" | "while" | "whose")
}

/// An action of nobody: `Looking down on a man`, where no verb is finite.
pub(super) fn begins_with_participle(words: &Words<'_>, at: usize) -> bool {
    at == 0
        && words.tag(0) == Some(Tag::VBG)
        && matches!(words.tag(1), Some(Tag::IN | Tag::RP | Tag::DT | Tag::PRPS | Tag::CD | Tag::RB))
        && !(1..words.len()).any(|later| matches!(words.tag(later), Some(Tag::VBZ | Tag::VBP | Tag::VBD | Tag::MD)))
}
