//! Filters that look at the word and its neighbours: names, compounds, fixed phrases, other words of the pair.

use super::candidate::{Candidate, forms_of};
use super::lists::{Lists, PhrasePart};
use super::scope::is_cue_in_scope;
use super::sentence::TextKind;
use acidtest_lingua::parse::Relation;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::wordnet::{PartOfSpeech, WordNet};

/// Whether the word belongs to a name, or is written like one.
pub(super) fn is_name(candidate: &Candidate<'_, '_>) -> bool {
    let (sentence, at) = (candidate.sentence, candidate.at);
    let form = sentence.words()[at].form.as_str();
    let capitals = form.chars().filter(|letter| letter.is_uppercase()).count();
    let first = (0..at).all(|before| !sentence.words()[before].form.contains(char::is_alphabetic));
    let described_name = candidate.part == PartOfSpeech::Adjective
        && sentence.relation(at) == Relation::Amod
        && candidate.noun().is_some_and(|noun| sentence.tag(noun).is_proper_noun());
    let next_is_name = candidate.part != PartOfSpeech::Verb
        && sentence.words().get(at + 1).is_some_and(|next| next.form != "I" && next.form.starts_with(char::is_uppercase));
    let vocative = sentence.path(at).into_iter().any(|above| sentence.relation(above) == Relation::Vocative);
    sentence.is_in_name(at) || next_is_name || vocative || capitals > 1 || (capitals == 1 && !first) || described_name
}

/// Whether the word is a part of something longer: a compound, a verb with its particle, a word with hyphens, quoted words.
pub(super) fn is_compound(candidate: &Candidate<'_, '_>) -> bool {
    let (sentence, at) = (candidate.sentence, candidate.at);
    let part_of = |relation| {
        matches!(
            relation,
            Relation::Compound | Relation::CompoundPrt | Relation::Flat | Relation::Fixed | Relation::Goeswith | Relation::List
        )
    };
    part_of(sentence.relation(at))
        || sentence.children(at).any(|child| part_of(sentence.relation(child)))
        || is_joined(candidate)
        || ends_an_adjective(candidate)
        || is_entry(candidate)
}

/// Whether a noun before the adjective belongs to it: `a world famous museum`.
fn ends_an_adjective(candidate: &Candidate<'_, '_>) -> bool {
    let (sentence, at) = (candidate.sentence, candidate.at);
    if candidate.part != PartOfSpeech::Adjective || at == 0 {
        return false;
    }
    let is_on_noun = candidate.noun().is_some_and(|noun| noun > at);
    // `six feet tall`, `79 m (260 ft) wide`.
    let is_measured = sentence.head(at - 1) == Some(at) && !sentence.relation(at - 1).is_subject() || sentence.lower(at - 1) == ")";
    (is_on_noun || is_measured) && (sentence.tag(at - 1).is_noun() || sentence.lower(at - 1) == ")")
}

/// Whether a hyphen, slash or quotation mark is beside the word.
fn is_joined(candidate: &Candidate<'_, '_>) -> bool {
    let word = &candidate.sentence.words()[candidate.at];
    let before = candidate.source[..word.start].chars().next_back();
    let after = candidate.source[word.end..].chars().next();
    let joins = |mark: char| matches!(mark, '-' | '\u{2013}' | '\u{2014}' | '/' | '"' | '`' | '\u{201c}' | '\u{201d}' | '\u{2018}' | '*');
    before.is_some_and(|mark| joins(mark) || mark == '\'') || after.is_some_and(joins)
}

/// Whether the word and its neighbour are an entry of WordNet: `black hole`; but a `young man` is a young man.
fn is_entry(candidate: &Candidate<'_, '_>) -> bool {
    let (sentence, at) = (candidate.sentence, candidate.at);
    let net = WordNet::get();
    let entry = |first: usize, second: usize| {
        let is_word = |at: usize| sentence.lower(at).bytes().all(|byte| byte.is_ascii_lowercase());
        let second_is_noun = sentence.tag(second).is_noun();
        second_is_noun
            && is_word(first)
            && is_word(second)
            && !matches!(sentence.tag(first), Tag::DT | Tag::IN | Tag::PRPS | Tag::CD)
            && !Lists::get().is_in("person", sentence.lemma(second))
            && net.has(&format!("{}_{}", sentence.lower(first), sentence.lemma(second)), PartOfSpeech::Noun)
    };
    (at + 1 < sentence.len() && entry(at, at + 1)) || (at > 0 && candidate.part == PartOfSpeech::Noun && entry(at - 1, at))
}

/// Whether the word is a part of a fixed phrase.
pub(super) fn is_in_phrase(candidate: &Candidate<'_, '_>) -> bool {
    let form = candidate.sentence.lower(candidate.at);
    let lists = Lists::get();
    let by_form = lists.phrases_with(form).any(|(phrase, place)| matches(candidate, phrase, place));
    by_form || (form != candidate.lemma && lists.phrases_with(candidate.lemma).any(|(phrase, place)| matches(candidate, phrase, place)))
}

/// Whether a phrase stands in the sentence with the candidate at one of its places.
fn matches(candidate: &Candidate<'_, '_>, phrase: &[PhrasePart], place: usize) -> bool {
    let at = candidate.at;
    after(candidate, &phrase[place + 1..], at + 1) && before(candidate, &phrase[..place], at)
}

fn is_one_of(candidate: &Candidate<'_, '_>, at: usize, words: &[&str]) -> bool {
    let sentence = candidate.sentence;
    at < sentence.len() && (words.contains(&sentence.lower(at)) || words.contains(&sentence.lemma(at)))
}

/// Whether the rest of a phrase follows from a place on.
fn after(candidate: &Candidate<'_, '_>, rest: &[PhrasePart], at: usize) -> bool {
    match rest {
        [] => true,
        [PhrasePart::Word(words), rest @ ..] => is_one_of(candidate, at, words) && after(candidate, rest, at + 1),
        [PhrasePart::Gap, rest @ ..] => (at..=at + 3).any(|next| after(candidate, rest, next)),
    }
}

/// Whether the beginning of a phrase ends before a place.
fn before(candidate: &Candidate<'_, '_>, rest: &[PhrasePart], end: usize) -> bool {
    match rest {
        [] => true,
        [rest @ .., PhrasePart::Word(words)] => end > 0 && is_one_of(candidate, end - 1, words) && before(candidate, rest, end - 1),
        [rest @ .., PhrasePart::Gap] => (end.saturating_sub(3)..=end).rev().any(|next| before(candidate, rest, next)),
    }
}

/// Whether an antonym of the word is in the text already.
pub(super) fn is_antonym_present(candidate: &Candidate<'_, '_>) -> bool {
    let lists = Lists::get();
    let mut words = candidate.text.iter().flat_map(|sentence| sentence.all_lower());
    words.any(|word| lists.is_form_of_antonym(candidate.part, candidate.lemma, word))
}

/// Whether the sentence speaks of several of a kind: `another`, `each`, `both`.
pub(super) fn has_others(candidate: &Candidate<'_, '_>) -> bool {
    match candidate.part {
        PartOfSpeech::Noun => candidate.sentence.all_lower().any(|word| Lists::get().is_cue("other", word)),
        _ => is_cue_in_scope(candidate, "other"),
    }
}

/// Whether the same word is in the text twice.
pub(super) fn is_repeated(candidate: &Candidate<'_, '_>) -> bool {
    let forms: Vec<String> = forms_of(candidate.lemma, candidate.part).collect();
    let mut uses = candidate.text.iter().flat_map(|sentence| sentence.all_lower()).filter(|word| forms.iter().any(|form| form == word));
    uses.nth(1).is_some()
}

/// Whether the noun is a relative of somebody, who may have others: `his brother`.
pub(super) fn is_kin_of_somebody(candidate: &Candidate<'_, '_>) -> bool {
    let (sentence, at) = (candidate.sentence, candidate.at);
    let kin = candidate.part == PartOfSpeech::Noun && Lists::get().is_in("kin", candidate.lemma);
    let possessor = || {
        sentence.child(at, &[Relation::NmodPoss]).is_some() || sentence.children(at).any(|child| sentence.relation(child) == Relation::Nmod)
    };
    kin && sentence.kind() == TextKind::Other && possessor()
}

/// Whether a word such as `only` or `also` goes with the word or what it depends on.
pub(super) fn has_focus(candidate: &Candidate<'_, '_>) -> bool {
    depends_on_path(candidate, "focus")
}

/// Whether a cue of a filter depends on the word or on anything above it.
pub(super) fn depends_on_path(candidate: &Candidate<'_, '_>, filter: &str) -> bool {
    let sentence = candidate.sentence;
    let is_cue = |at: usize| at != candidate.at && Lists::get().is_cue(filter, sentence.lower(at));
    sentence.path(candidate.at).into_iter().any(|above| sentence.children(above).any(is_cue))
}
