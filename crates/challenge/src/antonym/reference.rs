//! Filters that look at what noun phrases refer to: of `some towns` or `towns`, one thing and its opposite can both be true.

use super::candidate::Candidate;
use super::lists::Lists;
use super::sentence::{Sentence, TextKind};
use acidtest_lingua::parse::Relation;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::wordnet::PartOfSpeech;

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

/// Whether the word is a noun that stands by itself: `peace`, `in winter`.
fn is_bare_noun(candidate: &Candidate<'_, '_>) -> bool {
    candidate.part == PartOfSpeech::Noun && candidate.sentence.determiners(candidate.at).next().is_none()
}

/// Whether the noun phrase, or the subject of its clause, speaks of a kind and not of certain things.
pub(super) fn is_generic(candidate: &Candidate<'_, '_>) -> bool {
    let (sentence, at) = (candidate.sentence, candidate.at);
    if is_scene(candidate) {
        return false;
    }
    let subject = clause_of(sentence, at).and_then(|clause| sentence.subject_of(clause));
    let generic_subject = |subject: usize| {
        let generic_pronoun =
            matches!(sentence.lower(subject), "you" | "one" | "people" | "everyone" | "anyone" | "someone" | "everybody" | "somebody");
        generic_pronoun || is_bare_plural(sentence, subject)
    };
    is_bare_noun(candidate) || candidate.noun().is_some_and(|noun| is_bare_plural(sentence, noun)) || subject.is_some_and(generic_subject)
}

/// Whether the noun phrase, or the subject of its clause, is quantified.
pub(super) fn is_quantified(candidate: &Candidate<'_, '_>) -> bool {
    let (sentence, at) = (candidate.sentence, candidate.at);
    if is_scene(candidate) {
        return false;
    }
    let quantified = |noun: usize| {
        let is_cue = |place: usize| place != at && Lists::get().is_cue("quantifiers", sentence.lower(place));
        sentence.children(noun).any(|child| child < noun && is_cue(child)) || is_cue(noun)
    };
    let subject = clause_of(sentence, at).and_then(|clause| sentence.subject_of(clause));
    candidate.noun().is_some_and(quantified) || subject.is_some_and(quantified)
}

/// Whether the sentence says that something exists.
pub(super) fn is_existential(candidate: &Candidate<'_, '_>) -> bool {
    let sentence = candidate.sentence;
    !is_scene(candidate) && (0..sentence.len()).any(|at| sentence.tag(at) == Tag::EX)
}

/// Whether nothing is said of anybody: an order, a heading. A noun phrase that describes a scene is no such thing.
pub(super) fn lacks_subject(candidate: &Candidate<'_, '_>) -> bool {
    let sentence = candidate.sentence;
    let Some(root) = sentence.root() else { return true };
    let has_subject = sentence.subject_of(root).is_some() || sentence.child(root, &[Relation::Expl, Relation::Csubj]).is_some();
    !is_scene(candidate) && !has_subject
}
