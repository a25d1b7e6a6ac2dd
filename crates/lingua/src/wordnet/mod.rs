//! WordNet 3.0, embedded: synsets, glosses, antonyms, hypernyms, derivations.
//!
//! The database is decompressed on first use, the glosses on first use of a gloss.

mod antonyms;
mod lesk;
mod morphy;
pub mod packed;

pub use antonyms::{Antonym, Directness};
pub use lesk::{Disambiguation, lesk, lesk_as_published};

use crate::packed_text::{inflate, inflate_text};
use packed::VarintReader;
use std::{collections::HashMap, ops::Range, sync::LazyLock};

static NET: LazyLock<WordNet> = LazyLock::new(|| {
    WordNet::unpack(&inflate(include_bytes!("../../data/wordnet.bin.z"))).expect("the shipped net is whole, as a test reads it through")
});
static GLOSSES: LazyLock<Lines> = LazyLock::new(|| Lines::new(inflate_text(include_bytes!("../../data/glosses.txt.z"))));
static EXCEPTIONS: LazyLock<Exceptions> = LazyLock::new(|| Exceptions::new(&inflate_text(include_bytes!("../../data/exceptions.txt.z"))));

/// The parts of speech of WordNet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PartOfSpeech {
    /// Nouns, `n`.
    Noun,
    /// Verbs, `v`.
    Verb,
    /// Adjectives, `a`, including satellites.
    Adjective,
    /// Adverbs, `r`.
    Adverb,
}

impl PartOfSpeech {
    /// All parts of speech, in WordNet's order.
    pub const ALL: [PartOfSpeech; 4] = [PartOfSpeech::Noun, PartOfSpeech::Verb, PartOfSpeech::Adjective, PartOfSpeech::Adverb];

    /// WordNet's letter: `n`, `v`, `a`, `r`.
    pub fn letter(self) -> char {
        ['n', 'v', 'a', 'r'][self as usize]
    }

    /// The part of speech for a Penn tag, if WordNet has it.
    pub fn of_tag(tag: crate::tag::Tag) -> Option<PartOfSpeech> {
        if tag.is_noun() {
            Some(PartOfSpeech::Noun)
        } else if tag.is_verb() {
            Some(PartOfSpeech::Verb)
        } else if tag.is_adjective() {
            Some(PartOfSpeech::Adjective)
        } else {
            tag.is_adverb().then_some(PartOfSpeech::Adverb)
        }
    }
}

/// A relation between synsets, or between words of synsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum WordNetRelation {
    /// Antonym, between words.
    Antonym,
    /// The more general synset.
    Hypernym,
    /// The class of an instance.
    InstanceHypernym,
    /// From a satellite adjective to its head, or back.
    Similar,
    /// A derivationally related word, between words.
    Derivation,
    /// The noun for which an adjective is a value.
    Attribute,
    /// What an adjective pertains to, or the adjective that an adverb is derived from.
    Pertainym,
    /// See also.
    AlsoSee,
    /// What a verb entails.
    Entailment,
    /// What a verb causes.
    Cause,
    /// The whole of a part.
    PartHolonym,
    /// The group of a member.
    MemberHolonym,
}

/// Hyponyms are derived from hypernyms.
const RELATIONS: [(WordNetRelation, &str); 12] = [
    (WordNetRelation::Antonym, "!"),
    (WordNetRelation::Hypernym, "@"),
    (WordNetRelation::InstanceHypernym, "@i"),
    (WordNetRelation::Similar, "&"),
    (WordNetRelation::Derivation, "+"),
    (WordNetRelation::Attribute, "="),
    (WordNetRelation::Pertainym, "\\"),
    (WordNetRelation::AlsoSee, "^"),
    (WordNetRelation::Entailment, "*"),
    (WordNetRelation::Cause, ">"),
    (WordNetRelation::PartHolonym, "#p"),
    (WordNetRelation::MemberHolonym, "#m"),
];

impl WordNetRelation {
    /// The relation with this symbol in WordNet's files; `None` for relations that are not kept.
    pub fn from_symbol(symbol: &str) -> Option<WordNetRelation> {
        RELATIONS.iter().find(|(_, written)| *written == symbol).map(|&(relation, _)| relation)
    }
}

/// Identifies a synset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SynsetId(u32);

#[derive(Debug)]
struct Entry {
    part: PartOfSpeech,
    is_satellite: bool,
    words: Range<u32>,
    pointers: Range<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Pointer {
    relation: WordNetRelation,
    /// The number of its source word, from 1; 0 for the whole synset.
    from: u8,
    to: u8,
    target: SynsetId,
}

/// Lines of a text by number.
#[derive(Debug)]
struct Lines {
    text: String,
    ends: Vec<u32>,
}

impl Lines {
    fn new(text: String) -> Lines {
        let mut ends: Vec<u32> = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end as u32).collect();
        ends.push(text.len() as u32);
        Lines { text, ends }
    }

    fn get(&self, number: u32) -> &str {
        let number = number as usize;
        let begin = if number == 0 { 0 } else { self.ends[number - 1] as usize + 1 };
        &self.text[begin..self.ends[number] as usize]
    }

    fn find(&self, line: &str) -> Option<u32> {
        let numbers: Range<u32> = 0..self.ends.len() as u32;
        let (mut low, mut high) = (numbers.start, numbers.end);
        while low < high {
            let middle = (low + high) / 2;
            match self.get(middle).cmp(line) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

/// Irregular forms with their base, by part of speech.
#[derive(Debug)]
pub(crate) struct Exceptions {
    bases: [HashMap<String, Vec<String>>; 4],
}

impl Exceptions {
    fn new(text: &str) -> Exceptions {
        let mut bases: [HashMap<String, Vec<String>>; 4] = Default::default();
        for line in text.lines() {
            let mut fields = line.split(' ');
            let (Some(letter), Some(form), Some(base)) = (fields.next(), fields.next(), fields.next()) else { continue };
            let Some(part) = PartOfSpeech::ALL.into_iter().find(|part| letter.starts_with(part.letter())) else { continue };
            bases[part as usize].entry(form.to_owned()).or_default().push(base.to_owned());
        }
        Exceptions { bases }
    }

    /// The bases of an irregular form.
    pub(crate) fn get(&self, form: &str, part: PartOfSpeech) -> &[String] {
        self.bases[part as usize].get(form).map_or(&[], Vec::as_slice)
    }

    /// Every irregular form with its base.
    pub(crate) fn pairs(&self, part: PartOfSpeech) -> impl Iterator<Item = (&str, &str)> {
        self.bases[part as usize].iter().flat_map(|(form, bases)| bases.iter().map(move |base| (form.as_str(), base.as_str())))
    }
}

/// The irregular forms that WordNet lists.
pub(crate) fn exceptions() -> &'static Exceptions {
    &EXCEPTIONS
}

/// The database.
#[derive(Debug)]
pub struct WordNet {
    words: Lines,
    entries: Vec<Entry>,
    synset_words: Vec<u32>,
    pointers: Vec<Pointer>,
    /// The range of senses of each word and part of speech, sorted.
    sense_index: Vec<(u32, Range<u32>)>,
    senses: Vec<(SynsetId, u32)>,
    /// The hyponyms of all synsets, and the start of those of each.
    hyponyms: Vec<SynsetId>,
    hyponym_begins: Vec<u32>,
}

impl WordNet {
    /// The built-in database; decompressed on the first call.
    pub fn get() -> &'static WordNet {
        &NET
    }

    fn unpack(bytes: &[u8]) -> Option<WordNet> {
        let mut reader = VarintReader::new(bytes);
        let length = reader.number()? as usize;
        let words = Lines::new(String::from_utf8(reader.take(length)?.to_vec()).ok()?);
        let count = reader.number()?;
        let (mut entries, mut synset_words, mut pointers) = (Vec::with_capacity(count as usize), Vec::new(), Vec::new());
        for number in 0..count {
            let kind = reader.number()?;
            let (first_word, first_pointer) = (synset_words.len() as u32, pointers.len() as u32);
            for _ in 0..reader.number()? {
                synset_words.push(reader.number()? as u32);
            }
            for _ in 0..reader.number()? {
                let relation = RELATIONS.get(usize::from(reader.byte()?))?.0;
                let (from, to) = (reader.byte()?, reader.byte()?);
                let target = SynsetId((number as i64 + reader.signed()?) as u32);
                pointers.push(Pointer { relation, from, to, target });
            }
            entries.push(Entry {
                part: *PartOfSpeech::ALL.get((kind / 2) as usize)?,
                is_satellite: kind % 2 == 1,
                words: first_word..synset_words.len() as u32,
                pointers: first_pointer..pointers.len() as u32,
            });
        }
        let (mut sense_index, mut senses) = (Vec::new(), Vec::new());
        for _ in 0..reader.number()? {
            let key = reader.number()? as u32;
            let begin = senses.len() as u32;
            for _ in 0..reader.number()? {
                senses.push((SynsetId(reader.number()? as u32), reader.number()? as u32));
            }
            sense_index.push((key, begin..senses.len() as u32));
        }
        let mut net =
            WordNet { words, entries, synset_words, pointers, sense_index, senses, hyponyms: Vec::new(), hyponym_begins: Vec::new() };
        net.turn_hypernyms();
        Some(net)
    }

    /// Derives the hyponyms of every synset from the hypernyms.
    fn turn_hypernyms(&mut self) {
        let mut pairs: Vec<(SynsetId, SynsetId)> = Vec::new();
        for synset in self.synsets() {
            let above = |pointer: &&Pointer| matches!(pointer.relation, WordNetRelation::Hypernym | WordNetRelation::InstanceHypernym);
            pairs.extend(synset.pointers().filter(above).map(|pointer| (pointer.target, synset.id)));
        }
        pairs.sort_unstable();
        let mut begins = Vec::with_capacity(self.entries.len() + 1);
        for id in 0..=self.entries.len() as u32 {
            let from = begins.last().map_or(0, |&begin| begin as usize);
            let skip = pairs[from..].iter().take_while(|(above, _)| above.0 < id).count();
            begins.push((from + skip) as u32);
        }
        self.hyponym_begins = begins;
        self.hyponyms = pairs.into_iter().map(|(_, below)| below).collect();
    }

    /// The senses of a lower-case lemma, the most frequent first, with their frequencies in tagged text.
    pub fn senses(&self, lemma: &str, part: PartOfSpeech) -> &[(SynsetId, u32)] {
        let found = self.words.find(lemma).or_else(|| self.words.find(&lemma.replace(' ', "_")));
        let Some(word) = found else { return &[] };
        let Ok(place) = self.sense_index.binary_search_by_key(&(word * 4 + part as u32), |entry| entry.0) else { return &[] };
        let range = &self.sense_index[place].1;
        &self.senses[range.start as usize..range.end as usize]
    }

    /// Whether a lemma is in the database.
    ///
    /// ```
    /// use acidtest_lingua::wordnet::{PartOfSpeech, WordNet};
    /// assert!(WordNet::get().has("ice cream", PartOfSpeech::Noun));
    /// assert!(!WordNet::get().has("dogs", PartOfSpeech::Noun));
    /// ```
    pub fn has(&self, lemma: &str, part: PartOfSpeech) -> bool {
        !self.senses(lemma, part).is_empty()
    }

    /// The spelling of a word in its most frequent sense: `Iraqi` for `iraqi`.
    pub fn spelling(&self, lemma: &str, part: PartOfSpeech) -> Option<&str> {
        let &(first, _) = self.senses(lemma, part).first()?;
        self.synset(first).words().find(|word| word.eq_ignore_ascii_case(lemma))
    }

    /// A synset.
    pub fn synset(&self, id: SynsetId) -> Synset<'_> {
        Synset { net: self, id }
    }

    /// All synsets in order.
    pub fn synsets(&self) -> impl Iterator<Item = Synset<'_>> {
        (0..self.entries.len() as u32).map(|id| self.synset(SynsetId(id)))
    }
}

/// A set of words with one meaning.
#[derive(Debug, Clone, Copy)]
pub struct Synset<'n> {
    net: &'n WordNet,
    id: SynsetId,
}

impl<'n> Synset<'n> {
    fn entry(&self) -> &'n Entry {
        &self.net.entries[self.id.0 as usize]
    }

    /// Its id.
    pub fn id(&self) -> SynsetId {
        self.id
    }

    /// Its part of speech.
    pub fn part(&self) -> PartOfSpeech {
        self.entry().part
    }

    /// Whether it is a satellite: an adjective in the cluster of a head adjective, which has the antonyms.
    pub fn is_satellite(&self) -> bool {
        self.entry().is_satellite
    }

    /// Its words; spaces are written as underscores.
    pub fn words(&self) -> impl Iterator<Item = &'n str> + use<'n> {
        let net = self.net;
        let range = self.entry().words.clone();
        net.synset_words[range.start as usize..range.end as usize].iter().map(|&word| net.words.get(word))
    }

    /// Its name in the style of NLTK: first word, part of speech and sense number.
    ///
    /// ```
    /// use acidtest_lingua::wordnet::{PartOfSpeech, WordNet};
    /// let (dog, _) = WordNet::get().senses("dog", PartOfSpeech::Noun)[0];
    /// assert_eq!(WordNet::get().synset(dog).name(), "dog.n.01");
    /// ```
    pub fn name(&self) -> String {
        let word = self.words().next().unwrap_or_default().to_lowercase();
        let letter = if self.is_satellite() { 's' } else { self.part().letter() };
        let senses = self.net.senses(&word, self.part());
        let number = senses.iter().position(|&(id, _)| id == self.id).map_or(1, |place| place + 1);
        format!("{word}.{letter}.{number:02}")
    }

    /// The gloss: definition and examples.
    pub fn gloss(&self) -> &'static str {
        GLOSSES.get(self.id.0)
    }

    /// The gloss without its examples.
    pub fn definition(&self) -> String {
        let mut definition = String::new();
        for (place, part) in self.gloss().split('"').enumerate() {
            if place % 2 == 0 {
                definition.push_str(part);
            }
        }
        definition.trim_end_matches([' ', ';']).replace("; ;", ";").trim().to_owned()
    }

    /// The examples of the gloss.
    pub fn examples(&self) -> impl Iterator<Item = &'static str> {
        self.gloss().split('"').skip(1).step_by(2)
    }

    /// The synsets that a relation leads to.
    pub fn related(&self, relation: WordNetRelation) -> impl Iterator<Item = Synset<'n>> {
        let net = self.net;
        self.pointers().filter(move |pointer| pointer.relation == relation).map(move |pointer| net.synset(pointer.target))
    }

    /// The words that one of the synset's words is related to, each with its synset.
    pub fn related_words(&self, word: &str, relation: WordNetRelation) -> Vec<(&'n str, Synset<'n>)> {
        let place = self.words().position(|own| own.eq_ignore_ascii_case(word)).map_or(0, |place| place + 1);
        let net = self.net;
        self.pointers()
            .filter(|pointer| pointer.relation == relation && (pointer.from == 0 || usize::from(pointer.from) == place))
            .filter_map(|pointer| {
                let synset = net.synset(pointer.target);
                synset.words().nth(usize::from(pointer.to.max(1)) - 1).map(|word| (word, synset))
            })
            .collect()
    }

    /// The hyponyms, including instances.
    pub fn hyponyms(&self) -> impl Iterator<Item = Synset<'n>> {
        let net = self.net;
        let (begin, end) = (net.hyponym_begins[self.id.0 as usize] as usize, net.hyponym_begins[self.id.0 as usize + 1] as usize);
        net.hyponyms[begin..end].iter().map(|&id| net.synset(id))
    }

    /// All direct and indirect hypernyms, nearest first.
    pub fn ancestors(&self) -> Vec<Synset<'n>> {
        let mut found: Vec<Synset<'n>> = Vec::new();
        let mut at = 0;
        let mut here = *self;
        loop {
            for above in here.related(WordNetRelation::Hypernym).chain(here.related(WordNetRelation::InstanceHypernym)) {
                if !found.iter().any(|known| known.id == above.id) {
                    found.push(above);
                }
            }
            let Some(&next) = found.get(at) else { return found };
            here = next;
            at += 1;
        }
    }

    fn pointers(&self) -> impl Iterator<Item = &'n Pointer> + use<'n> {
        let range = self.entry().pointers.clone();
        self.net.pointers[range.start as usize..range.end as usize].iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wordnet_has_the_known_numbers_of_synsets() {
        let count = |part: PartOfSpeech| WordNet::get().synsets().filter(|synset| synset.part() == part).count();
        assert_eq!(PartOfSpeech::ALL.map(count), [82_115, 13_767, 18_156, 3_621]);
        assert_eq!(WordNet::get().synsets().filter(|synset| synset.is_satellite()).count(), 10_693);
    }

    #[test]
    fn every_synset_has_a_gloss_and_words() {
        for synset in WordNet::get().synsets() {
            assert!(!synset.gloss().is_empty());
            assert!(synset.words().next().is_some_and(|word| !word.is_empty()));
        }
    }

    #[test]
    fn a_dog_is_an_animal() {
        let net = WordNet::get();
        let dog = net.synset(net.senses("dog", PartOfSpeech::Noun)[0].0);
        assert!(dog.ancestors().iter().any(|synset| synset.name() == "animal.n.01"));
        assert!(dog.related(WordNetRelation::Hypernym).all(|above| above.hyponyms().any(|below| below.id() == dog.id())));
        assert!(dog.definition().starts_with("a member of the genus Canis"));
        assert_eq!(dog.examples().collect::<Vec<_>>(), ["the dog barked all night"]);
    }

    #[test]
    fn destruction_is_derived_from_destroy() {
        let net = WordNet::get();
        let destroy = net.synset(net.senses("destroy", PartOfSpeech::Verb)[0].0);
        let words: Vec<&str> = destroy.related_words("destroy", WordNetRelation::Derivation).into_iter().map(|(word, _)| word).collect();
        assert!(words.contains(&"destruction"), "{words:?}");
    }
}
