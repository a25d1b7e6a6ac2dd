//! Pronouns that have nobody to stand for.

use super::LISTS;
use crate::composition::added_modifier::is_living;
use crate::words::Words;
use acidtest_lingua::tag::Tag;
use acidtest_lingua::wordnet::{PartOfSpeech, WordNet};

/// `his` or `her` in a sentence that speaks of nobody it could mean: `Women hold her bags`, `A woman carries a bucket on his shoulder`.
pub(super) fn has_no_antecedent(words: &Words<'_>, at: usize) -> bool {
    let others = match words.lower(at) {
        "his" | "himself" => "female",
        "herself" => "male",
        "her" if words.tag(at) == Some(Tag::PRPS) => "male",
        _ => return false,
    };
    !(0..words.len()).any(|noun| may_be_meant(words, noun, others))
}

/// Whether a word may stand for one person or animal that is not of the other sex.
fn may_be_meant(words: &Words<'_>, at: usize, others: &str) -> bool {
    // `one`, `another`, `a second`: a word that is a noun by itself.
    let stands_alone = !words.is_noun(at + 1);
    match (words.lower(at), words.tag(at)) {
        ("he" | "male", _) => others == "female",
        ("she" | "female", _) => others == "male",
        ("one" | "another" | "other" | "third" | "second" | "each" | "elderly" | "someone" | "somebody" | "everyone", _) => stands_alone,
        (lower, Some(Tag::NN)) => {
            let lemma = words.lemma(at);
            !LISTS.has(others, &lemma)
                && (is_living(&lemma) || LISTS.has("words", lower) || !LISTS.has("things", lower) && may_be_somebody(&lemma))
        }
        (lower, Some(Tag::NNP)) => !LISTS.has(others, lower),
        _ => false,
    }
}

/// Whether a noun means a person or an animal in any of its senses: `driver`, `climber`, `star`, `figure`.
fn may_be_somebody(noun: &str) -> bool {
    let net = WordNet::get();
    let is_somebody = |name: &str| matches!(name, "person.n.01" | "animal.n.01" | "figure.n.04");
    net.senses(noun, PartOfSpeech::Noun).iter().any(|&(id, _)| {
        let synset = net.synset(id);
        is_somebody(&synset.name()) || synset.ancestors().iter().any(|above| is_somebody(&above.name()))
    })
}
