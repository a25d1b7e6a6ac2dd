//! Word sense disambiguation: simplified Lesk, as published and improved.

use super::{PartOfSpeech, Synset, SynsetId, WordNet, WordNetRelation};
use crate::{lemma::lemma_of, tag::Tag};
use std::collections::HashSet;

/// Simplified Lesk exactly as NLTK implemented it in 2018.
///
/// The set of context tokens is compared with the words of each definition, split at white space, without lower-casing, stemming or stop
/// words. Ties go to the greatest synset name. `part` is a letter of WordNet (`n`, `v`, `a`, `s`, `r`); as in NLTK, `a` excludes
/// satellites.
///
/// ```
/// use acidtest_lingua::wordnet::{WordNet, lesk_as_published};
/// let sense = lesk_as_published(["I", "went", "to", "the", "bank", "to", "deposit", "money", "."], "bank", Some('n'));
/// assert_eq!(WordNet::get().synset(sense.unwrap()).name(), "savings_bank.n.02");
/// ```
pub fn lesk_as_published<'a>(context: impl IntoIterator<Item = &'a str>, word: &str, part: Option<char>) -> Option<SynsetId> {
    let net = WordNet::get();
    let context: HashSet<&str> = context.into_iter().collect();
    let letter = |synset: &Synset| if synset.is_satellite() { 's' } else { synset.part().letter() };
    let candidates =
        net.synsets_of_form(word).into_iter().map(|id| net.synset(id)).filter(|synset| part.is_none_or(|part| letter(synset) == part));
    let overlap = |synset: &Synset| {
        let definition = synset.definition();
        definition.split_whitespace().filter(|word| context.contains(word)).collect::<HashSet<_>>().len()
    };
    candidates.map(|synset| ((overlap(&synset), synset.name()), synset.id())).max_by(|left, right| left.0.cmp(&right.0)).map(|(_, id)| id)
}

/// A sense with its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disambiguation {
    /// The chosen sense.
    pub synset: SynsetId,
    /// Its score: shared words plus the prior of its frequency.
    pub score: f64,
}

/// Words that say nothing about the meaning of their neighbours.
#[rustfmt::skip]
const STOP_WORDS: &[&str] = &[
    "a", "about", "all", "an", "and", "any", "as", "at", "be", "by", "can", "do", "etc", "for", "from", "have", "he", "her", "his", "i",
    "if", "in", "into", "it", "its", "make", "may", "more", "most", "not", "of", "on", "one", "or", "other", "out", "she", "so", "some",
    "something", "someone", "somebody", "such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "to",
    "up", "use", "used", "very", "was", "we", "were", "what", "when", "which", "who", "will", "with", "would", "you", "your", "no",
];

/// The best sense of a word in a sentence, given all its words with their tags.
///
/// Lemmas are compared, without stop words. Glosses, examples and the glosses of related synsets count. Frequent senses have a higher
/// prior, so without evidence the most frequent sense is chosen.
///
/// ```
/// use acidtest_lingua::{tag::Tag, wordnet::{WordNet, lesk}};
/// let sentence = [("the", Tag::DT), ("bank", Tag::NN), ("of", Tag::IN), ("the", Tag::DT), ("river", Tag::NN)];
/// let sense = lesk(&sentence, 1).unwrap().synset;
/// assert_eq!(WordNet::get().synset(sense).name(), "bank.n.01");
/// ```
pub fn lesk(sentence: &[(&str, Tag)], place: usize) -> Option<Disambiguation> {
    let net = WordNet::get();
    let &(form, tag) = sentence.get(place)?;
    let part = PartOfSpeech::of_tag(tag)?;
    let lemma = lemma_of(form, tag);
    let senses = net.senses(&lemma.to_lowercase(), part);
    let context: HashSet<String> = sentence
        .iter()
        .enumerate()
        .filter(|&(at, (_, tag))| at != place && tag.is_content())
        .map(|(_, (form, tag))| lemma_of(form, *tag).to_lowercase())
        .filter(|word| !STOP_WORDS.contains(&word.as_str()))
        .collect();
    let total: f64 = senses.iter().map(|&(_, count)| f64::from(count) + 0.5).sum();
    let mut best: Option<Disambiguation> = None;
    for (rank, &(id, count)) in senses.iter().enumerate() {
        let prior = ((f64::from(count) + 0.5) / total).ln() - 0.05 * rank as f64;
        let score = 2.2 * evidence(&net.synset(id), &context, &lemma) + prior;
        if best.is_none_or(|best| score > best.score) {
            best = Some(Disambiguation { synset: id, score });
        }
    }
    best
}

/// How much of the context occurs in and around a synset; words in nearer synsets weigh more.
fn evidence(synset: &Synset, context: &HashSet<String>, lemma: &str) -> f64 {
    let mut found: HashSet<&String> = HashSet::new();
    let mut sum = 0.0;
    let mut look = |text: &str, weight: f64| {
        for word in text.split(|letter: char| !letter.is_alphanumeric() && letter != '-') {
            let word = word.to_lowercase();
            let base = base(&word);
            let hit = context.get(&word).or_else(|| context.get(base.as_str()));
            if let Some(hit) = hit.filter(|hit| *hit != lemma)
                && found.insert(hit)
            {
                sum += weight;
            }
        }
    };
    look(synset.gloss(), 1.0);
    synset.words().for_each(|word| look(&word.replace('_', " "), 1.0));
    for relation in [
        WordNetRelation::Hypernym,
        WordNetRelation::Similar,
        WordNetRelation::Derivation,
        WordNetRelation::Attribute,
        WordNetRelation::Pertainym,
    ] {
        for other in synset.related(relation) {
            look(other.gloss(), 0.6);
            other.words().for_each(|word| look(&word.replace('_', " "), 0.6));
        }
    }
    for other in synset.hyponyms().take(40) {
        look(other.gloss(), 0.3);
        other.words().for_each(|word| look(&word.replace('_', " "), 0.3));
    }
    sum
}

/// The lemma without a tag, for the words of glosses.
fn base(word: &str) -> String {
    let net = WordNet::get();
    [PartOfSpeech::Noun, PartOfSpeech::Verb]
        .into_iter()
        .find_map(|part| net.morphy(word, part).into_iter().next())
        .unwrap_or_else(|| word.to_owned())
}
