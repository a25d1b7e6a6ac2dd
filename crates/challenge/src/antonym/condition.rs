//! Whether the conditions of a listed pair hold.

use super::candidate::Candidate;
use super::lists::{Condition, Lists};
use super::sentence::TextKind;
use acidtest_lingua::parse::Relation;
use acidtest_lingua::tag::Tag;

/// Whether all conditions hold of a word.
pub(super) fn hold(conditions: &[Condition], candidate: &Candidate<'_, '_>) -> bool {
    conditions.iter().all(|condition| holds(condition, candidate))
}

fn holds(condition: &Condition, candidate: &Candidate<'_, '_>) -> bool {
    let (sentence, at) = (candidate.sentence, candidate.at);
    let noun = candidate.noun();
    let in_list = |list: &str, place: Option<usize>| place.is_some_and(|place| is_in_list(candidate, list, place));
    let determiner = |words: &[&str]| {
        noun.is_some_and(|noun| {
            let fits = |child: usize| words.contains(&sentence.lower(child)) || sentence.relation(child) == Relation::NmodPoss;
            sentence.determiners(noun).any(fits)
        })
    };
    let object = || sentence.child(at, &[Relation::Obj]);
    let infinitive = || {
        let is_infinitive = |child: usize| sentence.children(child).any(|mark| sentence.tag(mark) == Tag::TO);
        sentence.children(at).any(|child| matches!(sentence.relation(child), Relation::Xcomp | Relation::Advcl) && is_infinitive(child))
    };
    match condition {
        Condition::Predicative => sentence.is_predicative(at),
        Condition::Attributive => sentence.relation(at) == Relation::Amod,
        Condition::Head(list) => in_list(list, noun),
        Condition::NotHead(list) => !in_list(list, noun),
        Condition::Subject(list) => in_list(list, sentence.subject_of(at)),
        Condition::Object(list) => in_list(list, object()),
        Condition::NotNext(words) => !words.contains(&sentence.lower(at + 1)),
        Condition::Next(words) => words.contains(&sentence.lower(at + 1)),
        Condition::After(words) => (at.saturating_sub(3)..at).any(|before| words.contains(&sentence.lower(before))),
        Condition::Definite => determiner(&["the", "this", "that", "these", "those"]),
        Condition::Determiner => noun.is_some_and(|noun| sentence.determiners(noun).next().is_some()),
        Condition::NoArticle => {
            at == 0 || !matches!(sentence.lower(at - 1), "a" | "an" | "the" | "very" | "so" | "too" | "as" | "these" | "those")
        }
        Condition::NoPossessor => sentence.child(at, &[Relation::NmodPoss]).is_none(),
        Condition::HasObject => object().is_some(),
        Condition::NoObject => object().is_none(),
        Condition::NoParticle => sentence.child(at, &[Relation::CompoundPrt]).is_none(),
        Condition::Infinitive => infinitive(),
        Condition::NoInfinitive => !infinitive(),
        Condition::NotWith(list) => {
            !noun.is_some_and(|noun| sentence.children(noun).any(|child| child != at && Lists::get().is_in(list, sentence.lower(child))))
        }
        Condition::Scene => sentence.kind() == TextKind::Scene,
        Condition::Singular => matches!(sentence.tag(at), Tag::NN),
        Condition::SingularNoun => noun.is_some_and(|noun| sentence.tag(noun) == Tag::NN),
        Condition::Impersonal => noun.is_none_or(|noun| matches!(sentence.lower(noun), "it" | "this" | "that")),
        Condition::Past => sentence.kind() == TextKind::Scene || (0..sentence.len()).any(|verb| sentence.tag(verb) == Tag::VBD),
        Condition::NoClause => sentence.child(at, &[Relation::Ccomp, Relation::Xcomp, Relation::Advcl]).is_none(),
        Condition::NoAdjective => !(at + 1 < sentence.len() && sentence.tag(at + 1).is_adjective()),
        Condition::OutsideSubject => !sentence.path(at).into_iter().any(|above| sentence.relation(above).is_subject()),
        Condition::PlainDegree => sentence.tag(at) == Tag::JJ && (at == 0 || !matches!(sentence.lower(at - 1), "more" | "most")),
    }
}

/// Whether a noun is in a list; pronouns stand for persons.
fn is_in_list(candidate: &Candidate<'_, '_>, list: &str, place: usize) -> bool {
    let sentence = candidate.sentence;
    let lower = sentence.lower(place);
    if sentence.tag(place) == Tag::PRP {
        return list == "person" && matches!(lower, "i" | "he" | "she" | "we" | "him" | "her");
    }
    if sentence.tag(place).is_proper_noun() {
        return list == "person" && sentence.is_in_name_of_person(place) && sentence.is_predicative(candidate.at);
    }
    let lists = Lists::get();
    lists.is_in(list, sentence.lemma(place)) || lists.is_in(list, lower)
}
