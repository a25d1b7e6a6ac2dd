//! Filters that look at what noun phrases refer to: of `some towns` or `towns`, one thing and its opposite can both be true.

use super::candidate::Candidate;
use super::lists::Lists;
use super::sentence::{Sentence, TextKind};
use acidtest_lingua::parse::Relation;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::wordnet::PartOfSpeech;

/// Whether the noun phrase is the subject of a general statement: `a good teacher needs patience`.
fn is_any_of_a_kind(candidate: &Candidate<'_, '_>) -> bool {
    let sentence = candidate.sentence;
    let Some(noun) = candidate.noun().filter(|&noun| sentence.relation(noun) == Relation::Nsubj) else { return false };
    let Some(verb) = sentence.head(noun).map(|head| sentence.child(head, &[Relation::Cop]).unwrap_or(head)) else { return false };
    let indefinite = sentence.determiners(noun).any(|child| matches!(sentence.lower(child), "a" | "an" | "any"));
    let attributive = candidate.part == PartOfSpeech::Noun || sentence.relation(candidate.at) == Relation::Amod;
    let general = matches!(sentence.tag(verb), Tag::VBZ | Tag::VBP) && Lists::get().is_in("stative", sentence.lemma(verb));
    attributive && indefinite && general
}

/// Whether the noun phrase is one of two groups of which the same may be said: `the women of the island are tall`.
fn is_described_group(candidate: &Candidate<'_, '_>) -> bool {
    let (sentence, at) = (candidate.sentence, candidate.at);
    let Some(noun) = candidate.noun().filter(|&noun| sentence.relation(noun) == Relation::Nsubj) else { return false };
    let attributive = candidate.part == PartOfSpeech::Noun || sentence.relation(at) == Relation::Amod;
    let present =
        sentence.head(noun).and_then(|head| sentence.child(head, &[Relation::Cop])).is_some_and(|verb| sentence.tag(verb) == Tag::VBP);
    attributive && present && sentence.tag(noun) == Tag::NNS
}

/// Whether the noun phrase is a subject with a superlative of which something is said that may be true of its opposite too: `the largest payment came
/// late`. Where it is said what it is, it cannot: `the largest town is Paris`.
fn is_superlative_subject(candidate: &Candidate<'_, '_>) -> bool {
    let (sentence, at) = (candidate.sentence, candidate.at);
    let superlative = sentence.tag(at) == Tag::JJS || (at > 0 && sentence.lower(at - 1) == "most");
    let Some(noun) = candidate.noun().filter(|_| superlative && sentence.relation(at) == Relation::Amod) else { return false };
    let Some(predicate) = sentence.head(noun).filter(|_| sentence.relation(noun).is_subject()) else { return false };
    sentence.child(predicate, &[Relation::Cop]).is_none() || sentence.tag(predicate).is_adjective()
}

/// The head of the clause that a word stands in.
fn clause_of(sentence: &Sentence<'_>, at: usize) -> Option<usize> {
    sentence.path(at).into_iter().find(|&above| sentence.subject_of(above).is_some())
}

fn is_scene(candidate: &Candidate<'_, '_>) -> bool {
    candidate.sentence.kind() == TextKind::Scene
}

/// Whether a noun phrase is a bare plural.
fn is_bare_plural(sentence: &Sentence<'_>, noun: usize) -> bool {
    sentence.tag(noun) == Tag::NNS && sentence.determiners(noun).next().is_none()
}

/// Whether an adjective stands for those who are so: `the poor`.
fn is_nominal(candidate: &Candidate<'_, '_>) -> bool {
    let (sentence, at) = (candidate.sentence, candidate.at);
    candidate.part == PartOfSpeech::Adjective
        && !sentence.is_predicative(at)
        && sentence.children(at).any(|child| child < at && matches!(sentence.relation(child), Relation::Det | Relation::NmodPoss))
}

/// Whether the word is a noun that stands by itself: `peace`, `in winter`.
fn is_bare_noun(candidate: &Candidate<'_, '_>) -> bool {
    candidate.part == PartOfSpeech::Noun && candidate.sentence.determiners(candidate.at).next().is_none()
}

/// Whether the noun phrase, or the subject of its clause, speaks of a kind and not of certain things.
pub(super) fn is_generic(candidate: &Candidate<'_, '_>) -> bool {
    let (sentence, at) = (candidate.sentence, candidate.at);
    if is_nominal(candidate) {
        return true;
    }
    if is_scene(candidate) {
        return false;
    }
    let subject = clause_of(sentence, at).and_then(|clause| sentence.subject_of(clause));
    let generic_subject = |subject: usize| {
        let generic_pronoun =
            matches!(sentence.lower(subject), "you" | "one" | "people" | "everyone" | "anyone" | "someone" | "everybody" | "somebody");
        generic_pronoun || is_bare_plural(sentence, subject)
    };
    is_bare_noun(candidate)
        || is_any_of_a_kind(candidate)
        || is_described_group(candidate)
        || is_superlative_subject(candidate)
        || candidate.noun().is_some_and(|noun| is_bare_plural(sentence, noun))
        || subject.is_some_and(generic_subject)
}

/// Whether the noun phrase, or the subject of its clause, is quantified.
pub(super) fn is_quantified(candidate: &Candidate<'_, '_>) -> bool {
    let (sentence, at) = (candidate.sentence, candidate.at);
    if is_scene(candidate) {
        return false;
    }
    let quantified = |noun: usize| {
        let is_cue = |place: usize| place != at && Lists::get().is_cue("quantifier", sentence.lower(place));
        sentence.children(noun).any(|child| child < noun && is_cue(child)) || is_cue(noun)
    };
    let subject = clause_of(sentence, at).and_then(|clause| sentence.subject_of(clause));
    let above = sentence.path(at).into_iter().skip(1).filter(|&above| sentence.tag(above).is_noun());
    candidate.noun().is_some_and(quantified) || subject.is_some_and(quantified) || above.into_iter().any(quantified)
}

/// Whether the sentence says that something exists.
pub(super) fn is_existential(candidate: &Candidate<'_, '_>) -> bool {
    let sentence = candidate.sentence;
    let path = sentence.path(candidate.at);
    let there = |at: usize| sentence.tag(at) == Tag::EX && sentence.head(at).is_some_and(|head| path.contains(&head));
    !is_scene(candidate) && (0..sentence.len()).any(there)
}

/// Whether nothing is said of anybody: an order, a heading. A noun phrase that describes a scene is no such thing.
pub(super) fn lacks_subject(candidate: &Candidate<'_, '_>) -> bool {
    let sentence = candidate.sentence;
    let Some(root) = sentence.root() else { return true };
    let has_subject = sentence.subject_of(root).is_some() || sentence.child(root, &[Relation::Expl, Relation::Csubj]).is_some();
    !is_scene(candidate) && (!has_subject || is_imperative(candidate))
}

/// Whether the word stands in an order within a longer sentence: a verb in its base form without subject, auxiliary or `to`.
fn is_imperative(candidate: &Candidate<'_, '_>) -> bool {
    let sentence = candidate.sentence;
    let orders = |predicate: usize| {
        let verb = sentence.child(predicate, &[Relation::Cop]).unwrap_or(predicate);
        let helped = sentence
            .children(predicate)
            .any(|child| matches!(sentence.tag(child), Tag::MD | Tag::TO) || sentence.relation(child) == Relation::Aux);
        sentence.tag(verb) == Tag::VB && !helped && sentence.subject_of(predicate).is_none()
    };
    sentence.path(candidate.at).into_iter().any(orders)
}
