//! Complements: a word may take a preposition that its antonym does not take: `known for its food`, but not `unknown for its food`.

use super::candidate::Candidate;
use super::lists::Lists;
use acidtest_lingua::parse::Relation;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::wordnet::PartOfSpeech;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The prepositions that antonyms take, by word.
static TAKEN: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let lines = include_str!("../../data/antonym/complements.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once('\t')).map(|(word, prepositions)| (word, prepositions.split(' ').collect())).collect()
});

/// Negations that do not take what the words take that they negate: `unknown for`.
const OTHERWISE: [&str; 5] = ["unknown", "imperfect", "unremarkable", "infamous", "unpopular"];

/// Whether the antonym can stand before what follows the word: no complement, or one that it takes as well.
pub(super) fn fits(candidate: &Candidate<'_, '_>, antonym: &str) -> bool {
    let Some(preposition) = governed(candidate) else { return true };
    let is_person = || candidate.part == PartOfSpeech::Noun && Lists::get().is_in("person", candidate.lemma);
    let takes = |word: &str| TAKEN.get(word).is_some_and(|taken| taken.contains(&preposition));
    takes(antonym) || is_negation(candidate.lemma, antonym) && !OTHERWISE.contains(&antonym) || is_person()
}

/// Whether one word is the other with a prefix that negates: what the one takes, the other takes as well.
fn is_negation(word: &str, antonym: &str) -> bool {
    let negates = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|prefix| matches!(prefix, "un" | "in" | "im" | "ir" | "il" | "dis" | "non"))
    };
    let ends = |long: &str, short: &str| {
        let stem = |word: &str, ending: &str| word.strip_suffix(ending).map(str::to_string);
        stem(long, "less").is_some_and(|root| stem(short, "ful") == Some(root))
    };
    negates(antonym, word) || negates(word, antonym) || ends(antonym, word) || ends(word, antonym)
}

/// The preposition right after the word that begins a phrase or clause depending on it, if it is one that words choose.
fn governed<'s>(candidate: &'s Candidate<'_, '_>) -> Option<&'s str> {
    const CHOSEN: [&str; 13] =
        ["of", "for", "to", "with", "about", "over", "against", "toward", "towards", "from", "between", "upon", "into"];
    let (sentence, at) = (candidate.sentence, candidate.at);
    let preposition = sentence.lower(at + 1);
    if !CHOSEN.contains(&preposition) || !matches!(candidate.part, PartOfSpeech::Noun | PartOfSpeech::Adjective) {
        return None;
    }
    // `easy to read`: any adjective may have an infinitive.
    let is_infinitive = at + 2 < sentence.len() && sentence.tag(at + 1) == Tag::TO && matches!(sentence.tag(at + 2), Tag::VB | Tag::RB);
    let depends = sentence.children(at).any(|child| {
        child > at + 1
            && sentence.children(child).any(|mark| mark == at + 1 && matches!(sentence.relation(mark), Relation::Case | Relation::Mark))
    });
    (depends && !is_infinitive).then_some(preposition)
}

/// Whether an adjective stands alone after its noun: `the work necessary`. Few can.
pub(super) fn is_postposed(candidate: &Candidate<'_, '_>) -> bool {
    let (sentence, at) = (candidate.sentence, candidate.at);
    let follows_noun = at > 0 && matches!(sentence.tag(at - 1), Tag::NN | Tag::NNS);
    // `a river deep and wide`, `a man aware of the danger`.
    let goes_on = at + 1 < sentence.len() && matches!(sentence.tag(at + 1), Tag::IN | Tag::TO | Tag::CC | Tag::NN | Tag::NNS | Tag::JJ);
    candidate.part == PartOfSpeech::Adjective
        && follows_noun
        && !goes_on
        && matches!(sentence.relation(at), Relation::Amod | Relation::Acl | Relation::Advmod)
        && sentence.child(at, &[Relation::Cop]).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negations_take_what_the_words_take_that_they_negate() {
        assert!(is_negation("happy", "unhappy") && is_negation("useless", "useful") && is_negation("impossible", "possible"));
        assert!(!is_negation("improvement", "deterioration") && !is_negation("good", "bad"));
    }

    #[test]
    fn every_listed_word_is_an_antonym_with_prepositions() {
        let is_antonym = |word: &str| Lists::get().pairs.iter().any(|pair| pair.antonym == word);
        for (word, prepositions) in TAKEN.iter() {
            assert!(is_antonym(word) && prepositions.iter().all(|preposition| !preposition.is_empty()), "{word}");
        }
    }
}
