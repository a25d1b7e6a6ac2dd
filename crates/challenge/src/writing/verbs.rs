//! Verbs: agreement with the subject, forms, and prepositions that are missing.

use super::LISTS;
use crate::composition::added_modifier::is_living;
use crate::words::Words;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::wordnet::{PartOfSpeech, WordNet};

/// Verbs that take no object right after them: `is lying the grass`.
pub(super) fn lacks_preposition(words: &Words<'_>, at: usize) -> bool {
    words.tag(at).is_some_and(Tag::is_verb)
        && LISTS.has("intransitive", &words.lemma(at))
        && matches!(words.lower(at + 1), "a" | "an" | "the" | "his" | "her" | "their")
        && !matches!((words.lower(at + 2), words.lower(at + 3)), ("same" | "lot" | "bit" | "little", _) | (_, "way"))
        || lacks_part(words, at)
}

/// `standing front of a cafe`, `in front a statue`, `a small boy in is walking`, `a boy with dark and a woman`.
fn lacks_part(words: &Words<'_>, at: usize) -> bool {
    match words.lower(at) {
        "front" => {
            words.lower(at + 1) == "of" && words.tag_before(at).is_some_and(Tag::is_verb)
                || words.before(at) == "in" && matches!(words.lower(at + 1), "a" | "an" | "the")
        }
        "in" | "with" | "of" | "at" if matches!(words.lower(at + 1), "is" | "are") => words.is_common_noun(at.saturating_sub(1)),
        "with" => {
            let is_colour = matches!(words.lower(at + 1), "dark" | "light" | "blond" | "brown" | "black" | "long" | "short");
            (is_colour || words.tag(at + 1) == Some(Tag::JJ)) && words.lower(at + 2) == "and" && words.tag(at + 3) == Some(Tag::DT)
        }
        _ => false,
    }
}

/// `walks passed a building`.
pub(super) fn passed_for_past(words: &Words<'_>, at: usize) -> bool {
    const MOTION: [&str; 6] = ["walk", "run", "ride", "drive", "go", "fly"];
    let stem =
        |word: &str| MOTION.iter().any(|verb| word.strip_prefix(verb).is_some_and(|end| matches!(end, "" | "s" | "es" | "ing" | "ning")));
    words.lower(at) == "passed" && (stem(words.before(at)) || matches!(words.before(at), "riding" | "driving" | "walked" | "ran"))
}

/// `a boy in playing`, for `is playing`.
pub(super) fn in_for_is(words: &Words<'_>, at: usize) -> bool {
    let is_action = matches!(
        words.lower(at + 1),
        "playing" | "sitting" | "standing" | "walking" | "riding" | "running" | "holding" | "wearing" | "looking" | "jumping" | "sleeping"
    );
    words.lower(at) == "in" && is_action && at > 0 && words.is_common_noun(at - 1) && is_living(&words.lemma(at - 1))
}

/// A verb that was taken for a plural, where its sentence has another verb or the verb has no subject: `A man wearing a hat grins`, `as walks around`.
pub(super) fn is_left_over(words: &Words<'_>, at: usize) -> bool {
    let is_link = |before: usize| matches!(words.lower(before), "while" | "as" | "that" | "who" | "which" | "when");
    if words.tag(at) == Some(Tag::VBZ) {
        // `as is`.
        return matches!(words.before(at), "as" | "while") && words.tag(at + 1).is_some_and(|tag| tag != Tag::Stop);
    }
    if words.tag(at) != Some(Tag::NNS) || at == 0 {
        return false;
    }
    match words.lower(at) {
        "grins" | "smiles" | "laughs" | "poses" => words.is_noun(at - 1) && !(0..at).any(is_link),
        "walks" | "stands" | "sits" | "looks" | "runs" | "jumps" => matches!(words.before(at), "as" | "while"),
        _ => false,
    }
}

/// `is laying on the grass`: `lay` takes an object.
pub(super) fn lays_for_lies(words: &Words<'_>, at: usize) -> bool {
    if !matches!(words.lower(at), "laying" | "lays") || !words.tag(at).is_some_and(Tag::is_verb) {
        return false;
    }
    // `a laying dog`.
    if words.before(at) == "a" && words.lower(at) == "laying" {
        return true;
    }
    let skips = usize::from(matches!(words.lower(at + 1), "down" | "out" | "there" | "back"));
    let next = words.tag(at + 1 + skips);
    next.is_none() || matches!(next, Some(Tag::IN | Tag::TO | Tag::Stop | Tag::Comma | Tag::CC | Tag::VBG | Tag::RB | Tag::JJ))
}

/// `is play`, `are stands`, `is run along the road`, `appears to blowing`, `and had sitting`.
pub(super) fn is_base_after_be(words: &Words<'_>, at: usize) -> bool {
    match words.lower(at) {
        "is" | "are" | "was" | "were" => {
            let is_form_of_run = matches!(words.lower(at + 1), "run" | "come" | "go" | "sit" | "stand" | "walk" | "ride" | "jump");
            matches!(words.tag(at + 1), Some(Tag::VB | Tag::VBZ | Tag::VBP))
                || is_form_of_run
                    && matches!(
                        words.lower(at + 2),
                        "in" | "on" | "along" | "down" | "up" | "through" | "across" | "around" | "toward" | "towards"
                    )
        }
        "been" | "be" => words.tag(at + 1) == Some(Tag::VB),
        "to" => {
            let starts = ["appear", "seem", "attempt", "try", "prepare", "begin", "start", "want", "ready", "about"];
            words.tag(at + 1) == Some(Tag::VBG)
                && at > 0
                && (starts.contains(&words.lemma(at - 1).as_str()) || starts.contains(&words.before(at)))
        }
        "had" => words.tag(at + 1) == Some(Tag::VBG) && words.before(at) == "and",
        _ => false,
    }
}

/// A second finite verb with nothing to join it to the first: `A man leans against a wall while holding a cup is looking down`.
pub(super) fn is_second(words: &Words<'_>, at: usize) -> bool {
    let is_be = |at: usize| matches!(words.lower(at), "is" | "are");
    let is_finite = |at: usize| {
        is_be(at)
            || words.tag(at) == Some(Tag::VBZ)
                && words.tag(at + 1).is_some_and(|tag| matches!(tag, Tag::IN | Tag::DT | Tag::PRPS | Tag::RP | Tag::TO))
    };
    let follows = words.is_common_noun(at.saturating_sub(1)) || words.before(at) == "on";
    if at == 0 || !is_be(at) || !follows || words.tag(at + 1) != Some(Tag::VBG) {
        return false;
    }
    let Some(first) = (0..at).rev().find(|&before| is_finite(before)) else { return false };
    // `while holding` begins no clause that could have the verb.
    let joins = |between: usize| match words.tag(between) {
        Some(Tag::CC | Tag::WDT | Tag::WP | Tag::WRB | Tag::Comma | Tag::Colon | Tag::EX) => true,
        Some(Tag::IN) => {
            matches!(
                words.lower(between),
                "that"
                    | "as"
                    | "because"
                    | "while"
                    | "if"
                    | "so"
                    | "though"
                    | "although"
                    | "where"
                    | "when"
                    | "after"
                    | "before"
                    | "until"
                    | "whether"
                    | "like"
            ) && words.tag(between + 1) != Some(Tag::VBG)
        }
        _ => false,
    };
    let leads = |before: usize| {
        matches!(words.tag(before), Some(Tag::WDT | Tag::WP | Tag::WRB)) || matches!(words.lower(before), "that" | "as" | "while" | "where")
    };
    first > 0 && words.tag(first.saturating_sub(1)) != Some(Tag::PRP) && !(first + 1..at).any(joins) && !(0..first).any(leads)
}

/// The same verb twice: `Two women walk with purses walk down the street`.
pub(super) fn is_repeated(words: &Words<'_>, at: usize) -> bool {
    let is_finite = |at: usize| matches!(words.tag(at), Some(Tag::VBZ | Tag::VBP));
    let joins = |between: usize| {
        matches!(words.tag(between), Some(Tag::CC | Tag::WDT | Tag::WP | Tag::WRB | Tag::Comma | Tag::Colon | Tag::EX | Tag::PRP))
            || matches!(words.lower(between), "while" | "as" | "that")
    };
    let is_base = words.tag(at) == Some(Tag::VB) && words.is_common_noun(at.saturating_sub(1));
    (is_finite(at) || is_base)
        && !matches!(words.lower(at), "is" | "are" | "has" | "have" | "do" | "does")
        && (0..at).rev().take_while(|&before| !joins(before)).any(|before| is_finite(before) && words.lower(before) == words.lower(at))
}

/// A base form after a single subject: `A person on a bike get airborne`, `a house build into a tree`.
pub(super) fn lacks_ending(words: &Words<'_>, at: usize) -> bool {
    if !matches!(words.tag(at), Some(Tag::VB | Tag::VBP)) || !words.is_common_noun(at.saturating_sub(1)) || at == 0 {
        return false;
    }
    if words.lower(at) == "build" && words.tag(at - 1) == Some(Tag::NN) && words.tag(at + 1) == Some(Tag::IN) {
        return true;
    }
    // `The big kid understand it`.
    let subject = (1..at).all(|between| matches!(words.tag(between), Some(Tag::JJ | Tag::NN)));
    let has_object = || matches!(words.tag(at + 1), Some(Tag::DT | Tag::PRP | Tag::PRPS | Tag::IN));
    let is_lone =
        matches!(words.lower(0), "the" | "this" | "that" | "a" | "an") && subject && words.tag(at - 1) == Some(Tag::NN) && has_object();
    if is_lone
        && !is_collective(words.lower(at - 1))
        && words.tag(at) == Some(Tag::VBP)
        && !matches!(words.lower(at), "'re" | "'ve" | "are" | "were" | "have")
    {
        return true;
    }
    let opens = |before: usize| {
        matches!(
            words.tag(before),
            Some(
                Tag::CC
                    | Tag::NNS
                    | Tag::MD
                    | Tag::TO
                    | Tag::VBZ
                    | Tag::VBD
                    | Tag::VBP
                    | Tag::WDT
                    | Tag::WP
                    | Tag::PRP
                    | Tag::CD
                    | Tag::Comma
            )
        ) || LISTS.has("perceived", &words.lemma(before))
            || is_collective(words.lower(before))
            || matches!(words.lower(before), "men" | "women" | "people" | "children")
    };
    matches!(words.lower(0), "a" | "an" | "one" | "another") && !(0..at).any(opens)
}

/// Two subjects between commas with a verb in the singular: `A woman in brown, and a man in orange, plays a game`.
pub(super) fn disagrees_after_commas(words: &Words<'_>, at: usize) -> bool {
    let is_and =
        |at: usize| words.lower(at) == "and" && words.before(at) == "," && matches!(words.lower(at + 1), "a" | "an" | "another" | "one");
    let is_person = |at: usize| words.is_common_noun(at) && is_living(&words.lemma(at));
    let is_finite = |at: usize| matches!(words.tag(at), Some(Tag::VBZ | Tag::VBP | Tag::VBD | Tag::MD));
    let Some(and) = (1..at).find(|&before| is_and(before)) else { return false };
    words.tag(at) == Some(Tag::VBZ)
        && words.before(at) == ","
        && !(0..at).any(is_finite)
        && (and + 1..(and + 4).min(at)).any(is_person)
        && (0..3.min(and)).any(is_person)
}

/// A finite verb right after its subject that has the other number: `a man and a woman is`, `the dogs is`, `a man are`.
pub(super) fn disagrees(words: &Words<'_>, at: usize) -> bool {
    let singular_verb = matches!(words.lower(at), "is" | "was" | "has");
    let plural_verb = matches!(words.lower(at), "are" | "were" | "have");
    let other_verb =
        words.tag(at) == Some(Tag::VBZ) && matches!(words.tag(at + 1), Some(Tag::IN | Tag::DT | Tag::PRPS | Tag::TO | Tag::RB | Tag::JJ));
    if at == 0 || !(singular_verb || plural_verb || other_verb) || !words.is_common_noun(at - 1) {
        return false;
    }
    // `A couple is standing, women is wearing sunglasses`.
    if singular_verb && matches!(words.lower(at - 1), "women" | "men") && (at == 1 || words.before(at - 1) == ",") {
        return true;
    }
    let subject = at - 1;
    let start = phrase_start(words, subject);
    if words.before(start) == "and" && start >= 2 && words.is_common_noun(start - 2) {
        return (singular_verb || other_verb) && begins_clause(words, phrase_start(words, start - 2));
    }
    if other_verb {
        return false;
    }
    let plural = words.tag(subject) == Some(Tag::NNS) || matches!(words.lower(subject), "men" | "women" | "children" | "kids");
    // What stands before decides otherwise: `a man with two dogs is` is right.
    begins_clause(words, start) && !is_collective(words.lower(subject)) && if plural { singular_verb } else { plural_verb }
}

fn is_collective(noun: &str) -> bool {
    matches!(
        noun,
        "group"
            | "groups"
            | "family"
            | "team"
            | "band"
            | "crowd"
            | "couple"
            | "people"
            | "pair"
            | "police"
            | "number"
            | "lot"
            | "bunch"
            | "variety"
            | "series"
            | "row"
            | "line"
            | "set"
            | "class"
            | "crew"
            | "audience"
            | "handful"
            | "dozen"
            | "majority"
            | "herd"
            | "pack"
            | "trio"
            | "rest"
            | "half"
            | "most"
            | "gathering"
            | "collection"
            | "flock"
            | "army"
            | "squad"
            | "staff"
    )
}

/// The first word of the noun phrase that ends in a noun.
fn phrase_start(words: &Words<'_>, noun: usize) -> usize {
    let mut start = noun;
    while start > 0 && matches!(words.tag(start - 1), Some(Tag::NN | Tag::NNS | Tag::JJ | Tag::DT | Tag::CD | Tag::PRPS)) {
        start -= 1;
        if matches!(words.tag(start), Some(Tag::DT | Tag::PRPS)) {
            break;
        }
    }
    start
}

fn begins_clause(words: &Words<'_>, start: usize) -> bool {
    start == 0 || matches!(words.before(start), "while" | "as" | "that")
}

/// The first finite verb of a sentence that begins with its subject, if nothing but phrases stand between, disagrees with the subject's noun:
/// `A man in a hat are`, `Two men plays`.
pub(super) fn disagrees_with_first_noun(words: &Words<'_>, at: usize) -> bool {
    let Some(head) = first_noun(words).filter(|head| *head < at) else { return false };
    let Some(is_singular) = is_singular_verb(words, at, head) else { return false };
    let is_phrase = |between: usize| {
        let is_link = matches!(words.lower(between), "while" | "as" | "because" | "when" | "that" | "who" | "which" | "and");
        let fits = matches!(
            words.tag(between),
            Some(
                Tag::IN
                    | Tag::DT
                    | Tag::JJ
                    | Tag::NN
                    | Tag::NNS
                    | Tag::PRPS
                    | Tag::CD
                    | Tag::VBG
                    | Tag::RB
                    | Tag::NNP
                    | Tag::VBN
                    | Tag::POS
            )
        );
        fits && !is_link
    };
    if !(head + 1..at).all(is_phrase) || is_collective(words.lower(head)) || words.tag(head + 1) == Some(Tag::POS) {
        return false;
    }
    match words.tag(head) {
        // `The splendour of the grounds testify to it`.
        Some(Tag::NN) => {
            !is_singular
                && (matches!(words.lower(0), "a" | "an" | "one" | "another") || words.lower(0) == "the" && words.lower(head + 1) == "of")
        }
        Some(Tag::NNS) => is_singular && !matches!(words.lower(0), "a" | "an"),
        _ => false,
    }
}

/// Whether a word is a finite verb in the singular, or in the plural; nothing for other words, and for nouns that may have been taken for verbs.
fn is_singular_verb(words: &Words<'_>, at: usize, subject: usize) -> Option<bool> {
    let is_singular = match (words.lower(at), words.tag(at)) {
        ("is" | "was" | "has", _) => return Some(true),
        ("are" | "were" | "have", _) => return Some(false),
        (_, Some(Tag::VBZ)) => true,
        (_, Some(Tag::VBP)) => false,
        _ => return None,
    };
    let lemma = words.lemma(at);
    let is_no_noun = !WordNet::get().has(&lemma, PartOfSpeech::Noun) || matches!(lemma.as_str(), "sit" | "stand" | "walk" | "run" | "look");
    let is_between = subject + 1 == at && matches!(words.tag(at + 1), Some(Tag::IN | Tag::DT | Tag::PRPS | Tag::CD | Tag::TO));
    let follows_noun =
        words.is_common_noun(at - 1) && matches!(words.tag(at + 1), Some(Tag::IN | Tag::DT | Tag::PRPS | Tag::TO | Tag::Stop));
    (is_between || is_no_noun && follows_noun).then_some(is_singular)
}

/// The head of the noun phrase at the beginning.
fn first_noun(words: &Words<'_>) -> Option<usize> {
    let mut at = 0;
    while matches!(words.tag(at), Some(Tag::DT | Tag::CD | Tag::JJ | Tag::PRPS | Tag::VBN | Tag::RB))
        || at == 1 && words.tag(at) == Some(Tag::VBG)
    {
        at += 1;
    }
    while words.is_noun(at) && words.is_noun(at + 1) {
        at += 1;
    }
    words.is_common_noun(at).then_some(at)
}

/// `a man who are`, `people who is`.
pub(super) fn disagrees_in_relative_clause(words: &Words<'_>, at: usize) -> bool {
    if !matches!(words.lower(at), "who" | "that" | "which") || at == 0 || !words.is_common_noun(at - 1) {
        return false;
    }
    // `a man that wearing glasses`.
    if words.lower(at) != "that" && words.tag(at + 1) == Some(Tag::VBG) || words.lower(at + 1) == "wearing" {
        return true;
    }
    let start = phrase_start(words, at - 1);
    let is_plural_verb = matches!(words.lower(at + 1), "are" | "were" | "have");
    let is_singular_verb = matches!(words.lower(at + 1), "is" | "was" | "has");
    match words.tag(at - 1) {
        Some(Tag::NN) => {
            is_plural_verb
                && matches!(words.lower(start), "a" | "an" | "one")
                && !is_collective(words.lower(at - 1))
                && words.before(start) != "and"
        }
        Some(Tag::NNS) => is_singular_verb && begins_clause(words, start),
        _ => false,
    }
}

/// `while others watches`, `as two players runs`: the subject of a clause right before its verb.
pub(super) fn disagrees_in_clause(words: &Words<'_>, at: usize) -> bool {
    if !matches!(words.lower(at), "while" | "as") {
        return false;
    }
    let mut noun = at + 1;
    while matches!(words.tag(noun), Some(Tag::DT | Tag::CD | Tag::JJ)) || words.is_noun(noun) && words.is_noun(noun + 1) {
        noun += 1;
    }
    words.tag(noun) == Some(Tag::NNS) && words.tag(noun + 1) == Some(Tag::VBZ) && !is_collective(words.lower(noun))
}

/// `A pair of sunglasses are`.
pub(super) fn disagrees_with_pair(words: &Words<'_>, at: usize) -> bool {
    words.lower(at) == "pair"
        && words.lower(at + 1) == "of"
        && (at + 2..(at + 6).min(words.len()))
            .any(|noun| LISTS.has("pairs", words.lower(noun)) && matches!(words.lower(noun + 1), "are" | "were" | "have"))
}
