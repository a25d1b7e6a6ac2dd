//! Pronouns that no longer fit where a noun changes its gender.

use super::candidate::Candidate;
use super::lists::Lists;
use super::sentence::Sentence;
use acidtest_lingua::inflect::like;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::wordnet::PartOfSpeech;

/// A pronoun of the text, by sentence and place, with what it becomes.
pub(super) type Swap = (usize, usize, String);

/// What must change with the noun: nothing, pronouns, or nobody can tell.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Agreement {
    /// No pronoun has a gender, or the noun has none.
    Nothing,
    /// These pronouns; the noun is the only one that they can refer to.
    Swaps(Vec<Swap>),
    /// Pronouns that may refer to somebody else.
    Unclear,
}

/// What must change where the noun changes its gender.
pub(super) fn agreement(candidate: &Candidate<'_, '_>) -> Agreement {
    if !is_gendered(candidate.part, candidate.lemma) {
        return Agreement::Nothing;
    }
    let places =
        || candidate.text.iter().enumerate().flat_map(|(number, sentence)| (0..sentence.len()).map(move |at| (number, sentence, at)));
    let mut swaps = Vec::new();
    for (number, sentence, at) in places() {
        if let Some(other) = swapped(sentence.lower(at), sentence.tag(at)) {
            swaps.push((number, at, like(&sentence.words()[at].form, other)));
        }
    }
    let kin = |(_, sentence, at): (usize, &Sentence<'_>, usize)| {
        let other = !(std::ptr::eq(sentence, candidate.sentence) && at == candidate.at);
        other && sentence.tag(at).is_noun() && Lists::get().is_in("gendered-kin", &sentence.lemma(at))
    };
    if places().any(kin) {
        return Agreement::Unclear;
    }
    if swaps.is_empty() {
        return Agreement::Nothing;
    }
    let people = places().filter(|(_, sentence, at)| {
        sentence.is_in_name(*at) || (sentence.tag(*at).is_noun() && Lists::get().is_in("person", &sentence.lemma(*at)))
    });
    if people.count() == 1 { Agreement::Swaps(swaps) } else { Agreement::Unclear }
}

fn is_gendered(part: PartOfSpeech, lemma: &str) -> bool {
    Lists::get().is_in("gendered", lemma) && matches!(part, PartOfSpeech::Noun | PartOfSpeech::Adjective)
}

/// The pronoun of the other gender.
fn swapped(pronoun: &str, tag: Tag) -> Option<&'static str> {
    Some(match pronoun {
        "he" => "she",
        "she" => "he",
        "him" => "her",
        "his" if tag == Tag::PRPS => "her",
        "his" => "hers",
        "her" if tag == Tag::PRPS => "his",
        "her" => "him",
        "hers" => "his",
        "himself" => "herself",
        "herself" => "himself",
        _ => return None,
    })
}
