//! Sentences whose verbs do not agree with their subjects: what is made from them would be as ungrammatical as they are.

use super::{Rule, Stops};
use crate::numeric::candidate::Candidate;
use crate::numeric::lists::List;
use acidtest_lingua::analyzer::Word;
use acidtest_lingua::parse::Relation;
use acidtest_lingua::tag::Tag;

pub(super) const AGREEMENT: Rule = Rule {
    name: "agreement",
    reason: "subject and verb, or tense and time, do not agree",
    stops: Stops::Number(|candidate| {
        let words = candidate.words();
        let after_to = words.windows(2).any(|pair| pair[0].tag == Tag::TO && matches!(pair[1].tag, Tag::VBZ | Tag::VBD));
        let disagrees = |(place, word): (usize, &Word)| word.relation.is_subject() && disagrees(candidate, place, word);
        after_to || is_past_in_present(candidate) || words.iter().enumerate().any(disagrees)
    }),
    stopped: "The apples plus the box weighs 12 pounds.",
    passed: "The box weighs 12 pounds.",
};

/// Whether a time in the past goes with a verb in the present: `last year they have`.
fn is_past_in_present(candidate: &Candidate<'_>) -> bool {
    let root = candidate.words().iter().position(|word| word.relation == Relation::Root);
    let verb = root.and_then(|root| finite_verb(candidate, root));
    let past = candidate.lower.windows(2).any(|pair| pair[0] == "last" && matches!(pair[1].as_str(), "year" | "month" | "week" | "night"));
    (past || candidate.lower.iter().any(|word| word == "yesterday")) && verb.is_some_and(|verb| matches!(verb.tag, Tag::VBZ | Tag::VBP))
}

/// One or several.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GrammaticalNumber {
    Singular,
    Plural,
}

fn disagrees(candidate: &Candidate<'_>, place: usize, subject: &Word) -> bool {
    let Some(predicate) = candidate.head_of(place) else { return false };
    let Some(verb) = finite_verb(candidate, predicate) else { return false };
    match (number_of_subject(candidate, place, subject), number_of_verb(verb)) {
        (Some(subject), Some(verb)) => subject != verb,
        _ => false,
    }
}

/// The verb that agrees with the subject of a predicate: the predicate itself or the first of its auxiliaries.
fn finite_verb<'v>(candidate: &Candidate<'v>, predicate: usize) -> Option<&'v Word> {
    let auxiliary = |word: &Word| matches!(word.relation, Relation::Aux | Relation::AuxPass | Relation::Cop);
    let first = candidate.dependents(predicate).find(|(_, word)| auxiliary(word)).map(|(_, word)| word);
    Some(first.unwrap_or(&candidate.words()[predicate]))
}

/// What the form of a verb says of its subject. Verbs whose past is their base form say nothing where the tag is in doubt.
fn number_of_verb(verb: &Word) -> Option<GrammaticalNumber> {
    const SAME_PAST: [&str; 17] = [
        "cut", "put", "read", "hit", "set", "let", "cost", "hurt", "spread", "split", "bet", "quit", "shut", "cast", "beat", "shed", "fit",
    ];
    let form = verb.form.to_lowercase();
    match (verb.tag, form.as_str()) {
        (_, "was") | (Tag::VBZ, _) => Some(GrammaticalNumber::Singular),
        (_, "were") => Some(GrammaticalNumber::Plural),
        // A base form that is taken for a past tense is one that lacks its ending.
        (Tag::VBP | Tag::VBD, form) if !SAME_PAST.contains(&form) && (verb.tag == Tag::VBP || verb.lemma() == form) => {
            Some(GrammaticalNumber::Plural)
        }
        _ => None,
    }
}

/// Whether a subject is one thing or several, where that can be told.
fn number_of_subject(candidate: &Candidate<'_>, place: usize, subject: &Word) -> Option<GrammaticalNumber> {
    let joined = |word: &Word| word.relation == Relation::Conj;
    let mut dependents = candidate.dependents(place);
    if dependents.any(|(_, word)| joined(word)) {
        let or = |(_, word): (usize, &Word)| matches!(word.form.to_lowercase().as_str(), "or" | "nor");
        return if candidate.dependents(place).any(or) { None } else { Some(GrammaticalNumber::Plural) };
    }
    // Amounts and groups go with either: `5 dollars is`, `a pair of shoes are`.
    let counted = candidate.dependents(place).any(|(_, word)| word.relation == Relation::Nummod);
    if counted || List::Group.has(&candidate.lower[place]) {
        return None;
    }
    match (subject.tag, subject.form.to_lowercase().as_str()) {
        (_, "he" | "she" | "it") | (Tag::NN | Tag::NNP, _) => Some(GrammaticalNumber::Singular),
        (_, "they" | "we" | "you") | (Tag::NNS, _) => Some(GrammaticalNumber::Plural),
        _ => None,
    }
}
