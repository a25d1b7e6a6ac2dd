//! Antonyms.

use super::{PartOfSpeech, SynsetId, WordNet, WordNetRelation};

/// Whether an antonym is direct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Directness {
    /// WordNet lists the two words as antonyms.
    Direct,
    /// The word is a satellite, and the head of its adjective cluster has the antonym: `soggy`, through `wet`, to `dry`.
    Indirect,
}

/// An antonym of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Antonym {
    /// The antonym.
    pub word: &'static str,
    /// Its synset.
    pub synset: SynsetId,
    /// The sense of the word that has this antonym, from 1.
    pub sense: usize,
    /// Whether it is direct.
    pub directness: Directness,
}

impl WordNet {
    /// The antonyms of a lemma, by sense, direct ones first within a sense.
    ///
    /// ```
    /// use acidtest_lingua::wordnet::{Directness, PartOfSpeech, WordNet};
    /// let net = WordNet::get();
    /// assert_eq!(net.antonyms("hot", PartOfSpeech::Adjective)[0].word, "cold");
    /// let soggy = &net.antonyms("soggy", PartOfSpeech::Adjective)[0];
    /// assert_eq!((soggy.word, soggy.directness), ("dry", Directness::Indirect));
    /// ```
    pub fn antonyms(&'static self, lemma: &str, part: PartOfSpeech) -> Vec<Antonym> {
        let senses = self.senses(lemma, part).iter().zip(1..);
        senses.flat_map(|(&(synset, _), sense)| self.antonyms_of_sense(lemma, synset, sense)).collect()
    }

    /// The antonyms of a word in one of its senses.
    pub fn antonyms_of(&'static self, lemma: &str, synset: SynsetId) -> Vec<Antonym> {
        let part = self.synset(synset).part();
        let sense = self.senses(lemma, part).iter().position(|&(id, _)| id == synset).map_or(0, |place| place + 1);
        self.antonyms_of_sense(lemma, synset, sense)
    }

    fn antonyms_of_sense(&'static self, lemma: &str, id: SynsetId, sense: usize) -> Vec<Antonym> {
        let synset = self.synset(id);
        let antonym = |directness| {
            move |(word, synset): (&'static str, super::Synset<'static>)| Antonym { word, synset: synset.id(), sense, directness }
        };
        let mut found: Vec<Antonym> =
            synset.related_words(lemma, WordNetRelation::Antonym).into_iter().map(antonym(Directness::Direct)).collect();
        if synset.is_satellite() {
            for head in synset.related(WordNetRelation::Similar) {
                for word in head.words() {
                    found.extend(head.related_words(word, WordNetRelation::Antonym).into_iter().map(antonym(Directness::Indirect)));
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn antonym_pairs_are_as_many_as_wordnet_has() {
        let net = WordNet::get();
        // Most pairs are listed from both words and are counted once; a few are listed from one only.
        let count = |part: PartOfSpeech| {
            let mut pairs = std::collections::BTreeSet::new();
            for synset in net.synsets().filter(|synset| synset.part() == part) {
                for pointer in synset.pointers().filter(|pointer| pointer.relation == WordNetRelation::Antonym) {
                    let (own, other) = ((synset.id(), pointer.from), (pointer.target, pointer.to));
                    pairs.insert((own.min(other), own.max(other)));
                }
            }
            pairs.len()
        };
        assert_eq!(PartOfSpeech::ALL.map(count), [1_076, 549, 2_012, 355]);
    }

    #[test]
    fn nearly_every_satellite_has_an_antonym() {
        let net = WordNet::get();
        let reaches = |synset: &super::super::Synset<'static>| {
            synset.words().next().is_some_and(|word| !net.antonyms_of(word, synset.id()).is_empty())
        };
        let count = net.synsets().filter(|synset| synset.is_satellite()).filter(reaches).count();
        assert_eq!(count, 10_686);
    }

    #[test]
    fn some_words_have_no_antonym() {
        assert!(WordNet::get().antonyms("dog", PartOfSpeech::Noun).is_empty());
        assert!(WordNet::get().antonyms("blarg", PartOfSpeech::Noun).is_empty());
    }
}
