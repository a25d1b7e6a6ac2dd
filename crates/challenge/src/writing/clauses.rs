//! Clauses that are joined by nothing but a comma, and commas that come alone.

use crate::composition::added_modifier::is_living;
use crate::words::Words;
use acidtest_lingua::tag::Tag;

fn is_finite(words: &Words<'_>, at: usize) -> bool {
    // A past tense is often a participle that was taken for one: `his arms raised`.
    matches!(words.lower(at), "is" | "are" | "was" | "were" | "had")
        || matches!(words.tag(at), Some(Tag::VBZ | Tag::VBP))
            && !matches!(words.tag_before(at), Some(Tag::CC | Tag::TO | Tag::RB | Tag::DT | Tag::JJ))
}

fn is_link(word: &str) -> bool {
    matches!(
        word,
        "while"
            | "as"
            | "and"
            | "but"
            | "who"
            | "that"
            | "which"
            | "where"
            | "when"
            | "so"
            | "because"
            | "with"
            | "whose"
            | "or"
            | "though"
            | "although"
            | "after"
            | "before"
    )
}

/// A comma between two sentences: `Three men play music, one is on the piano`.
pub(super) fn is_spliced(words: &Words<'_>, at: usize) -> bool {
    if words.lower(at) != "," || is_link(words.lower(0)) || words.tag(0) == Some(Tag::IN) {
        return false;
    }
    // The subject of the second sentence and its verb.
    let mut next = at + 1;
    let is_pronoun = matches!(words.lower(next), "he" | "she" | "it" | "they" | "one" | "another" | "there" | "some" | "others" | "both");
    if is_pronoun {
        next += 1;
    } else if matches!(words.tag(next), Some(Tag::DT | Tag::CD | Tag::PRPS)) {
        next += 1;
        while matches!(words.tag(next), Some(Tag::JJ | Tag::NN | Tag::NNS | Tag::VBN)) {
            next += 1;
        }
        if !words.is_common_noun(next - 1) && words.lower(next - 1) != "few" {
            return false;
        }
        // `the catcher behind him has`.
        if words.tag(next) == Some(Tag::IN) && words.tag(next + 1) == Some(Tag::PRP) {
            next += 2;
        }
    } else {
        return false;
    }
    // `Two boys at play, there are two women in the background`.
    if words.lower(at + 1) == "there" && is_finite(words, next) {
        return true;
    }
    is_finite(words, next) && (0..at).any(|before| is_finite(words, before))
        || is_finite(words, next) && is_pronoun && (0..at).any(|before| words.tag(before) == Some(Tag::VBG))
}

/// A comma between two sentences of which the second begins with a pronoun: `We hated the restaurant, it was really cheap`.
pub(super) fn is_run_on(words: &Words<'_>, at: usize) -> bool {
    let is_verb = |at: usize| matches!(words.tag(at), Some(Tag::VBZ | Tag::VBP | Tag::VBD | Tag::MD));
    let is_pronoun = |at: usize| matches!(words.lower(at), "i" | "he" | "she" | "it" | "they" | "we" | "you" | "this");
    let reports = || {
        let lemma = words.lemma(at + 2);
        [
            "say", "think", "believe", "guess", "know", "suppose", "explain", "add", "claim", "argue", "write", "tell", "ask", "reply",
            "seem", "mean", "note", "report", "admit", "observe", "hope",
        ]
        .contains(&lemma.as_str())
    };
    words.lower(at) == ","
        && words.all().filter(|word| *word == ",").count() == 1
        && is_pronoun(at + 1)
        && is_verb(at + 2)
        && !reports()
        && (is_pronoun(0) || matches!(words.tag(0), Some(Tag::DT | Tag::PRP | Tag::PRPS)))
        && (1..at).any(is_verb)
        && !(0..words.len()).any(|word| {
            is_link(words.lower(word)) && !matches!(words.lower(word), "with" | "and" | "or" | "as" | "so")
                || matches!(words.lower(word), "if" | "until" | "since" | "once" | "like" | "whether" | "more")
        })
        && !words.all().any(|word| matches!(word, "\"" | "''" | "``" | "'" | ":" | ";"))
}

/// A clause that has a subject and no verb, or two verbs with nothing to join them: `while another person playing the drums`, `A man is a shirt is holding`.
pub(super) fn has_wrong_verbs(words: &Words<'_>, at: usize) -> bool {
    let has_tag = |tags: &[Tag], at: usize| words.tag(at).is_some_and(|tag| tags.contains(&tag));
    match words.lower(at) {
        "while" => {
            let has_subject = has_tag(&[Tag::DT, Tag::CD, Tag::NNS], at + 1);
            let is_verb = |later: usize| has_tag(&[Tag::VBZ, Tag::VBP, Tag::VBD, Tag::MD], later) || is_finite(words, later);
            has_subject && !(at + 1..words.len()).any(is_verb) && (at + 1..words.len()).any(|later| words.tag(later) == Some(Tag::VBG))
        }
        "is" | "are" if has_tag(&[Tag::DT], at + 1) => {
            let mut next = at + 2;
            while has_tag(&[Tag::JJ, Tag::NN, Tag::NNS, Tag::VBN], next) {
                next += 1;
            }
            next > at + 2 && matches!(words.lower(next), "is" | "are") && words.tag_before(at) != Some(Tag::EX)
        }
        "he" | "she" => has_tag(&[Tag::VBP, Tag::VB], at + 1) && (at == 0 || !words.tag_before(at).is_some_and(Tag::is_verb)),
        _ => false,
    }
}

/// A comma between a subject that ends in a list and its verb: `A man wearing a cap, and a shirt, is standing`.
pub(super) fn closes_a_list(words: &Words<'_>, at: usize) -> bool {
    let starts = (0..at).rev().find(|&before| words.lower(before) == ",");
    words.lower(at) == ","
        && matches!(words.lower(at + 1), "is" | "are")
        && starts
            .is_some_and(|start| words.lower(start + 1) == "and" && !(start + 1..at).any(|between| words.tag(between) == Some(Tag::VBG)))
}

/// A comma after the subject and none before its verb, or the other way round: `A woman, standing near a statue is reading`.
pub(super) fn opens_and_does_not_close(words: &Words<'_>, at: usize) -> bool {
    let is_only = words.lower(at) == "," && words.all().filter(|word| *word == ",").count() == 1;
    if !is_only || at == 0 || is_link(words.lower(0)) || words.tag(0) == Some(Tag::IN) {
        return false;
    }
    let has_verb_before = (0..at).any(|before| is_finite(words, before));
    if has_verb_before || (0..at).any(|before| is_link(words.lower(before)) && !matches!(words.lower(before), "and" | "with" | "or")) {
        return false;
    }
    // `A man in a hat, is riding`.
    if is_finite(words, at + 1) {
        return true;
    }
    let opens = matches!(words.tag(at + 1), Some(Tag::VBG | Tag::VBN)) || matches!(words.lower(at + 1), "one" | "with" | "all" | "both");
    let Some(verb) = (at + 1..words.len()).find(|&later| is_finite(words, later)) else { return false };
    opens && !(at + 1..verb).any(|between| is_link(words.lower(between)) && !matches!(words.lower(between), "and" | "with" | "or"))
}

/// A comma right before the first finite verb and none that it closes: `A woman in a hat, a boy, and a dog, are walking`.
pub(super) fn splits_subject_and_verb(words: &Words<'_>, at: usize) -> bool {
    let commas = || (0..=at).filter(|&comma| words.lower(comma) == ",").count();
    // `with a tattoo, and wearing a hat`.
    let is_list = || (1..at).any(|and| words.lower(and) == "and" && words.before(and) == ",");
    words.lower(at) == ","
        && is_finite(words, at + 1)
        && !is_link(words.lower(0))
        && words.tag(0) != Some(Tag::IN)
        && !(0..at)
            .any(|before| is_finite(words, before) || is_link(words.lower(before)) && !matches!(words.lower(before), "and" | "with" | "or"))
        && commas() % 2 == 1
        && !is_list()
}

/// A second verb after a comma, with nothing to join it to the first: `A woman sits on a sofa, with her feet up, works on her laptop`.
pub(super) fn lacks_conjunction(words: &Words<'_>, at: usize) -> bool {
    let is_verb = |at: usize| words.tag(at) == Some(Tag::VBZ);
    words.lower(at) == ","
        && is_verb(at + 1)
        && !(0..words.len()).any(|before| is_link(words.lower(before)) && !matches!(words.lower(before), "with" | "and"))
        && words.tag(0) == Some(Tag::DT)
        && (0..at).any(|before| is_finite(words, before) && words.is_common_noun(before - 1))
        && !(at + 1..words.len()).any(|later| words.lower(later) == "and" && matches!(words.tag(later + 1), Some(Tag::VBZ | Tag::RB)))
}

/// Nouns that follow each other with nothing between them: `Two people a man and a woman`, `A man woman and a child`.
pub(super) fn lacks_comma(words: &Words<'_>, at: usize) -> bool {
    let is_person = |at: usize| matches!(words.lower(at), "man" | "woman" | "boy" | "girl" | "men" | "women" | "boys" | "girls");
    let is_apposition = words.tag(at) == Some(Tag::NNS)
        && is_living(&words.lemma(at))
        && (matches!(words.lower(at + 1), "a" | "an" | "one") && words.is_common_noun(at + 2)
            || words.lower(at + 1) == "one" && words.tag(at + 2) == Some(Tag::VBG))
        && !(0..at).any(|before| words.tag(before).is_some_and(|tag| tag.is_verb() || tag == Tag::IN));
    is_person(at) && is_person(at + 1) || is_apposition
}

/// `A man and in a black vest`.
pub(super) fn joins_noun_and_phrase(words: &Words<'_>, at: usize) -> bool {
    words.lower(at) == "and"
        && matches!(words.lower(at + 1), "in" | "with" | "on")
        && !(0..at).any(|before| words.tag(before).is_some_and(|tag| tag.is_verb() || tag == Tag::IN || tag == Tag::Comma))
}

/// A person in another, for `and`: `A man in an elderly woman`, `Women in children`.
pub(super) fn is_inside_a_person(words: &Words<'_>, at: usize) -> bool {
    let mut noun = at + 1;
    while matches!(words.tag(noun), Some(Tag::DT | Tag::JJ | Tag::CD)) {
        noun += 1;
    }
    let is_person =
        matches!(words.lower(noun), "man" | "woman" | "boy" | "girl" | "child" | "men" | "women" | "boys" | "girls" | "children");
    let goes_on = words.tag(noun + 1).is_some_and(|tag| tag.is_noun() || matches!(tag, Tag::POS | Tag::Hyphen));
    words.lower(at) == "in" && is_person && !goes_on && at > 0 && words.is_common_noun(at - 1) && is_living(&words.lemma(at - 1))
}
