//! Noun phrases that can take a modifier: a determiner, a possessor or a number, adjectives if they are allowed, and nouns.

use super::lists::{Lists, ModifierClass, NounClass};
use super::nouns::class_of;
use super::settings::Existing;
use crate::NotApplicable;
use crate::words::Words;
use acidtest_lingua::View;
use acidtest_lingua::analyzer::{AnalyzedSentence, Word};
use acidtest_lingua::parse::Relation;
use acidtest_lingua::tag::Tag;
use std::ops::Range;

pub(super) const ADJECTIVE: NotApplicable = NotApplicable("noun with an adjective");
pub(super) const UNKNOWN_ADJECTIVE: NotApplicable = NotApplicable("noun with an adjective of an unknown class");
pub(super) const DETERMINER: NotApplicable = NotApplicable("quantifying or demonstrative determiner");
pub(super) const BARE: NotApplicable = NotApplicable("singular noun without a determiner");
pub(super) const SHAPE: NotApplicable = NotApplicable("noun phrase of an unsupported form");
pub(super) const NOUN: NotApplicable = NotApplicable("noun that takes no modifier");
pub(super) const CLASS: NotApplicable = NotApplicable("noun that is not a concrete thing");
pub(super) const CONTEXT: NotApplicable = NotApplicable("noun in a fixed, possessive or partitive phrase");
pub(super) const COPULA: NotApplicable = NotApplicable("noun that is a predicate or an apposition");

/// A noun phrase that can take a modifier. Indices are those of the words of the view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NounPhrase {
    /// The first word.
    pub(super) start: usize,
    /// The adjectives that it already has, with their classes.
    pub(super) adjectives: Vec<(usize, ModifierClass)>,
    /// The first noun.
    pub(super) first_noun: usize,
    /// The last noun, its head.
    pub(super) head: usize,
    /// The dictionary form of the head.
    pub(super) lemma: String,
    /// What the head stands for.
    pub(super) class: NounClass,
}

/// Where a base noun phrase begins, and its last word.
pub(super) type Span = (usize, usize);

/// The base noun phrases of the corpus's tree: those without a phrase inside.
pub(super) fn of_tree(view: &View<'_>) -> Vec<Span> {
    let Some(tree) = view.penn_tree() else { return Vec::new() };
    let phrases = tree.phrases();
    let is_base = |place: usize| phrases.get(place + 1).is_none_or(|(_, start, _)| *start >= phrases[place].2);
    let base = phrases.iter().enumerate().filter(|(place, (label, ..))| label.split(['-', '=']).next() == Some("NP") && is_base(*place));
    base.map(|(_, (_, start, end))| (*start, end - 1)).collect()
}

/// The base noun phrases of our own parse: common nouns with the determiners, numbers, adjectives and nouns before them that depend on them.
pub(super) fn of_parse(sentence: &AnalyzedSentence) -> Vec<Span> {
    let mut spans = Vec::new();
    for (at, word) in sentence.words.iter().enumerate() {
        if !matches!(word.tag, Tag::NN | Tag::NNS) || !heads_phrase(sentence, at) {
            continue;
        }
        let mut start = at;
        while start > 0 && belongs(sentence, start - 1, at) {
            start -= 1;
        }
        if sentence.words[..start].iter().all(|before| before.head != at + 1 || !is_part(before.relation)) {
            spans.push((start, at));
        }
    }
    spans
}

/// Whether a noun is a referent of its own: no part of a name or compound, no predicate, no apposition and without one.
fn heads_phrase(sentence: &AnalyzedSentence, at: usize) -> bool {
    use Relation::{Appos, Compound, Cop, Flat, NmodDesc, NmodUnmarked, Vocative};
    !matches!(sentence.words[at].relation, Compound | Flat | Appos | NmodDesc | NmodUnmarked | Vocative)
        && !sentence.words.iter().any(|word| word.head == at + 1 && matches!(word.relation, Cop | Appos | Flat))
}

/// Whether a word before a noun is part of its base phrase.
fn belongs(sentence: &AnalyzedSentence, word: usize, noun: usize) -> bool {
    let Word { head, relation, .. } = &sentence.words[word];
    let direct = *head == noun + 1 && is_part(*relation);
    // The first noun of `ice cream cone`.
    let nested = *relation == Relation::Compound
        && head.checked_sub(1).is_some_and(|above| {
            above > word && above < noun && sentence.words[above].relation == Relation::Compound && sentence.words[above].head == noun + 1
        });
    direct || nested
}

fn is_part(relation: Relation) -> bool {
    use Relation::{Amod, Compound, Det, NmodPoss, Nummod};
    matches!(relation, Det | NmodPoss | Nummod | Amod | Compound)
}

impl NounPhrase {
    /// The phrase of a span, or why it cannot take a modifier.
    pub(super) fn read(words: &Words<'_>, (start, head): Span, existing: Existing) -> Result<Self, NotApplicable> {
        if !words.is_common_noun(head) || words.is_capital(head) && head > 0 {
            return Err(SHAPE);
        }
        let mut at = start;
        let has_determiner = is_determiner(words, at)?;
        at += usize::from(has_determiner);
        let has_number = words.tag(at) == Some(Tag::CD) && at < head;
        if has_number && !is_plain_number(words.lower(at)) {
            return Err(SHAPE);
        }
        at += usize::from(has_number);
        let mut adjectives = Vec::new();
        let is_adjective = |at: usize| words.tag(at).is_some_and(|tag| tag.is_adjective()) || is_listed_adjective(words, at);
        while at < head && is_adjective(at) {
            let class = Lists::get().class_of(words.lower(at));
            match (existing, class) {
                (Existing::None, _) => return Err(ADJECTIVE),
                (Existing::OtherClass, None) => return Err(UNKNOWN_ADJECTIVE),
                (Existing::OtherClass, Some(class)) => adjectives.push((at, class)),
            }
            at += 1;
        }
        if !(at..=head).all(|noun| words.is_common_noun(noun)) || (at..head).any(|noun| words.is_capital(noun) && noun > 0) {
            return Err(SHAPE);
        }
        if (at..head).any(|noun| Lists::get().class_of(words.lower(noun)).is_some()) {
            return Err(ADJECTIVE);
        }
        if words.tag(head) == Some(Tag::NN) && !has_determiner && !has_number {
            return Err(BARE);
        }
        // `brightly colored costumes`, `cowboy hats`: the phrase begins further left than the parse says.
        let goes_on = |tag: Tag| tag.is_noun() || tag.is_adjective() || matches!(tag, Tag::VBN | Tag::CD | Tag::POS | Tag::PRPS | Tag::DT);
        // `dressed in running clothes`.
        let is_of_noun = || words.tag(start - 1) == Some(Tag::VBG) && words.tag_before(start - 1) == Some(Tag::IN);
        if start == at && start > 0 && (words.tag(start - 1).is_some_and(goes_on) || is_of_noun()) {
            return Err(SHAPE);
        }
        let lemma = words.lemma(head);
        if ["places", "amounts", "bodies", "vague", "images", "unique"].iter().any(|list| Lists::get().is_in(list, &lemma)) {
            return Err(NOUN);
        }
        let class = class_of(&lemma).ok_or(CLASS)?;
        check_context(words, start, head)?;
        Ok(NounPhrase { start, adjectives, first_noun: at, head, lemma, class })
    }

    /// Whether the phrase is definite by its article.
    pub(super) fn is_definite(&self, words: &Words) -> bool {
        words.lower(self.start) == "the"
    }

    /// Whether it begins with a determiner, a possessor or a number.
    pub(super) fn is_bare(&self) -> bool {
        self.start == self.first_noun
    }

    /// Where a modifier of this class goes; none where it clashes with an adjective that is there.
    pub(super) fn place_for(&self, class: ModifierClass) -> Option<usize> {
        if self.adjectives.iter().any(|(_, own)| own.clashes(class)) {
            return None;
        }
        Some(self.adjectives.iter().find(|(_, own)| *own > class).map_or(self.first_noun, |(place, _)| *place))
    }

    /// The nouns before the head.
    pub(super) fn compound(&self) -> Range<usize> {
        self.first_noun..self.head
    }
}

/// Whether the phrase begins with a determiner that leaves open what it is about.
fn is_determiner(words: &Words<'_>, at: usize) -> Result<bool, NotApplicable> {
    match words.tag(at) {
        Some(Tag::PRPS) => Ok(true),
        Some(Tag::DT) if matches!(words.lower(at), "a" | "an" | "the") => Ok(true),
        Some(Tag::DT | Tag::PDT) => Err(DETERMINER),
        _ => Ok(false),
    }
}

fn is_plain_number(word: &str) -> bool {
    matches!(word, "two" | "three" | "four" | "five" | "six" | "seven" | "eight" | "nine" | "ten")
}

/// A colour that is tagged as a noun: `an orange shirt`.
fn is_listed_adjective(words: &Words<'_>, at: usize) -> bool {
    words.tag(at) == Some(Tag::NN) && Lists::get().class_of(words.lower(at)).is_some()
}

/// Whether the words around a phrase leave it free to take a modifier.
fn check_context(words: &Words<'_>, start: usize, head: usize) -> Result<(), NotApplicable> {
    let (before, after) = (words.before(start), words.lower(head + 1));
    let fixed = matches!(before, "like" | "as" | "than" | "'s" | "'" | "-" | "or" | "per")
        || before == "of" && !is_free_after_of(words, start, head);
    let follows = matches!(after, "of" | "'s" | "'" | "-" | "or" | "/" | "like")
        || matches!(words.tag(head + 1), Some(Tag::NN | Tag::NNS | Tag::NNP | Tag::CD | Tag::JJ | Tag::POS | Tag::Hyphen));
    if fixed || follows {
        return Err(CONTEXT);
    }
    let is_be = |word: &str| {
        matches!(word, "is" | "are" | "was" | "were" | "be" | "been" | "'re" | "become" | "becomes" | "becoming" | "named" | "called")
    };
    let expletive = start >= 2 && words.lower(start - 2) == "there";
    if is_be(before) && !expletive {
        return Err(COPULA);
    }
    // `A man, a plumber, ...`: two phrases with nothing but a comma between them.
    if before == "," && start >= 2 && words.is_common_noun(start - 2) || after == "," && is_phrase_start(words, head + 2) {
        return Err(COPULA);
    }
    Ok(())
}

/// Whether a phrase after `of` is the thing itself: `a group of men`, or `in front of a house`.
fn is_free_after_of(words: &Words<'_>, start: usize, head: usize) -> bool {
    let Some(governor) = start.checked_sub(2) else { return false };
    let people = start == head && words.tag(head) == Some(Tag::NNS) || words.lower(head) == "people";
    match words.lower(governor) {
        "front" | "top" => matches!(words.before(governor), "in" | "on"),
        "outside" | "inside" | "out" => true,
        "group" | "groups" | "crowd" | "bunch" | "couple" | "pair" | "team" | "line" | "row" | "gathering" => people,
        _ => false,
    }
}

fn is_phrase_start(words: &Words<'_>, at: usize) -> bool {
    matches!(words.tag(at), Some(Tag::DT | Tag::PRPS | Tag::CD | Tag::NN | Tag::NNS | Tag::NNP))
}
