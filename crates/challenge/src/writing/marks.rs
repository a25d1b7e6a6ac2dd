//! Apostrophes, hyphens, quotation marks and spaces.

use crate::composition::added_modifier::{is_living, is_modifier};
use crate::words::Words;
use acidtest_lingua::tag::Tag;

/// A hyphen at the edge of a word, or an ampersand: `soccer- two`, `hats&`.
pub(super) fn has_stray_mark(words: &Words<'_>, at: usize) -> bool {
    let word = words.lower(at);
    let has_letters = word.contains(char::is_alphabetic);
    let is_glued = word.ends_with('-') && !word.starts_with('-') || word.contains('&') || word.ends_with('\'') && !word.ends_with("s'");
    has_letters && is_glued || matches!(word, "--" | "-" | "/")
}

/// A comma with no blank after it, or an end that is no end.
pub(super) fn lacks_blank(text: &str) -> bool {
    let glued = text.match_indices(',').any(|(at, _)| text[at + 1..].starts_with(char::is_alphabetic));
    // `hats& coats`.
    let joined = text.match_indices('&').any(|(at, _)| text[..at].ends_with(|letter: char| letter.is_lowercase()));
    // `a crowd.d.`
    let stops = text.match_indices('.').any(|(at, _)| {
        text[at + 1..].starts_with(|letter: char| letter.is_ascii_lowercase())
            && text[..at].rsplit(' ').next().is_some_and(|word| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase()))
    });
    // `m??tro`.
    let questions = text.match_indices('?').any(|(at, _)| text[at + 1..].starts_with(char::is_alphanumeric));
    // `difficult., you know`.
    let doubled = text.match_indices(".,").any(|(at, _)| {
        text[..at].rsplit(' ').next().is_some_and(|word| word.len() > 4 && word.bytes().all(|byte| byte.is_ascii_lowercase()))
    });
    // Tokens of a corpus: `Orientalism 's premises`, `did n't`.
    let tokens = text.contains(" 's ") || text.contains(" n't ");
    glued
        || joined
        || stops
        || doubled
        || tokens
        || questions
        || text.contains(" ,")
        || text.contains(" .")
        || text.trim_end().ends_with([',', ';', '-'])
}

/// `her daughters clothes`, `on there knees`, `in it's mouth`.
pub(super) fn lacks_apostrophe(words: &Words<'_>, at: usize) -> bool {
    let is_in_phrase = |at: usize| matches!(words.tag_before(at), Some(Tag::IN | Tag::VBG | Tag::VBZ | Tag::TO | Tag::VBP));
    match words.lower(at) {
        // `the ladies room`.
        "ladies" | "mens" | "womens" => words.tag(at + 1) == Some(Tag::NN) || words.before(at) == "a",
        "there" => is_in_phrase(at) && (words.is_common_noun(at + 1) || words.tag(at + 1) == Some(Tag::JJ) && words.is_common_noun(at + 2)),
        "its" => matches!(words.lower(at + 1), "a" | "an" | "the"),
        // `continue it's efforts`, `It's tells the story`.
        "it" => {
            let is_owner =
                is_in_phrase(at) || words.tag_before(at) == Some(Tag::VB) && words.before(at) != "let" || words.is_common_noun(at + 2);
            words.lower(at + 1) == "'s" && (is_owner || words.tag(at + 2) == Some(Tag::VBZ))
        }
        _ => {
            // `a clowns nose`, `her daughters clothes`: the article, or the two plurals, show that the first noun is an owner.
            let is_person = || is_living(&words.lemma(at));
            let is_owner = match words.tag_before(at) {
                Some(Tag::DT) if matches!(words.before(at), "a" | "an") => words.is_common_noun(at + 1),
                Some(Tag::DT | Tag::PRPS) => words.tag(at + 1) == Some(Tag::NNS),
                _ => false,
            };
            // `a conductors hat`, whatever it is taken for.
            let is_plural = || {
                let word = words.lower(at);
                words.before(at) == "a"
                    && word.len() > 5
                    && word.strip_suffix('s').is_some_and(|one| !one.ends_with(['s', 'u', 'i']) && is_living(one))
            };
            is_owner && (words.tag(at) == Some(Tag::NNS) && is_person() || words.tag(at) == Some(Tag::NN) && is_plural())
        }
    }
}

/// A possessor without what it possesses: `a man in khaki's is building`.
pub(super) fn has_stray_apostrophe(words: &Words<'_>, at: usize) -> bool {
    words.tag(at) == Some(Tag::POS)
        && matches!(words.tag(at + 1), Some(Tag::VBZ | Tag::VBP | Tag::VBD | Tag::IN | Tag::Comma | Tag::CC | Tag::Stop | Tag::DT))
}

/// Two plurals, the first of them people: `all wear ladies hats`, or a verb in the singular that was taken for a noun: `people dresses in blue`.
pub(super) fn lacks_apostrophe_before_plural(words: &Words<'_>, at: usize) -> bool {
    let is_people = |at: usize| words.tag(at) == Some(Tag::NNS) && is_living(&words.lemma(at));
    let next = at + 1;
    is_people(at) && words.tag(next) == Some(Tag::NNS) && words.lower(next).ends_with('s') && !is_living(&words.lemma(next))
}

/// A colour or the like as an owner: `for a woman in pink's attention`.
pub(super) fn owns_as_colour(words: &Words<'_>, at: usize) -> bool {
    words.tag(at) == Some(Tag::POS) && at > 1 && words.before(at - 1) == "in" && words.before(at).len() > 2 && is_modifier(words.before(at))
}

/// A bracket without its partner.
pub(super) fn has_stray_bracket(text: &str) -> bool {
    [['(', ')'], ['[', ']']].into_iter().any(|[opening, closing]| {
        let mut open = 0i32;
        let mut is_wrong = false;
        for letter in text.chars() {
            open += i32::from(letter == opening) - i32::from(letter == closing);
            is_wrong |= open < 0;
        }
        is_wrong || open > 0
    })
}

/// A quotation mark without its partner, or on the wrong side of a blank: `a sign that reads' open'`.
pub(super) fn has_stray_quote(text: &str) -> bool {
    let mut is_open = false;
    for (at, mark) in text.match_indices(['"', '\u{201c}', '\u{201d}']) {
        let (before, after) = (text[..at].chars().next_back(), text[at + mark.len()..].chars().next());
        let is_blank = |letter: Option<char>| letter.is_none_or(char::is_whitespace);
        let is_misplaced = if is_open {
            is_blank(before) || after.is_some_and(char::is_alphanumeric)
        } else {
            is_blank(after) || before.is_some_and(char::is_alphanumeric)
        };
        if is_misplaced {
            return true;
        }
        is_open = !is_open;
    }
    // An apostrophe at the end of a word that is no possessor: `wasted'`.
    let opens = |at: usize| text[..at].ends_with(' ') && text[at + 1..].starts_with(char::is_alphanumeric);
    let closes = |at: usize| {
        text[..at].ends_with(|letter: char| letter.is_alphanumeric() && letter != 's') && !text[at + 1..].starts_with(char::is_alphanumeric)
    };
    let count = |is_such: &dyn Fn(usize) -> bool| text.match_indices('\'').filter(|(at, _)| is_such(*at)).count();
    is_open || count(&closes) > count(&opens)
}
