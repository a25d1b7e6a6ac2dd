//! The features of a pair: words of each side, and pairs of words.

use super::words::{ClassSource, KeptWords, each_word};
use acidtest_lingua::hash::mix;
use acidtest_lingua::reach::is_within_reach;
use acidtest_nli::{Pair, Sentence};
use std::fmt;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// A binary feature.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// The premise contains the word.
    Premise(String),
    /// The hypothesis contains the word.
    Hypothesis(String),
    /// The premise contains the first word and the hypothesis the second.
    Cross(String, String),
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Feature::Premise(word) => f.pad(&format!("premise: {word}")),
            Feature::Hypothesis(word) => f.pad(&format!("hypothesis: {word}")),
            Feature::Cross(premise, hypothesis) => f.pad(&format!("({premise}, {hypothesis})")),
        }
    }
}

/// The features of each trainable model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// Words of the premise, of the hypothesis, and pairs of them.
    Lexical,
    /// Words of the hypothesis only.
    HypothesisOnly,
    /// Words of the premise only.
    PremiseOnly,
}

impl Variant {
    /// The name that users type.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Lexical => "lexical",
            Variant::HypothesisOnly => "hypothesis-only",
            Variant::PremiseOnly => "premise-only",
        }
    }

    fn sees_premise(self) -> bool {
        self != Variant::HypothesisOnly
    }

    fn sees_hypothesis(self) -> bool {
        self != Variant::PremiseOnly
    }
}

/// The distinct kept words of both sides as 64-bit hashes, in the order in which they first occur.
///
/// With a hundred thousand distinct words, the chance of a collision is one in four billion.
#[derive(Debug, Clone, Default)]
pub(super) struct WordHashes {
    pub premise: Vec<u64>,
    pub hypothesis: Vec<u64>,
}

/// Buffers that are reused from pair to pair.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    folded: String,
    pub words: WordHashes,
    /// Whether all words of the last pair were read, without truncation.
    pub whole: bool,
    /// The keys of the pair's features.
    pub keys: Vec<u64>,
    /// The table entry at the first probe of each key.
    pub places: Vec<u64>,
    last_premise: LastPremise,
}

/// The premise that was read last: corpora have several examples per premise, mostly in sequence.
#[derive(Debug, Clone, Default)]
struct LastPremise {
    text: String,
    parse: String,
    read: Option<(KeptWords, SideRead)>,
}

impl LastPremise {
    /// The result of reading it, if it is this premise.
    fn same(&self, premise: &Sentence<'_>, kept: KeptWords) -> Option<SideRead> {
        let (read, how) = self.read?;
        let same = read == kept && self.parse == premise.parse.as_deref().unwrap_or_default() && self.text == premise.text;
        same.then_some(how)
    }

    fn set(&mut self, premise: &Sentence<'_>, kept: KeptWords, how: SideRead) {
        self.text.clear();
        self.text.push_str(&premise.text);
        self.parse.clear();
        self.parse.push_str(premise.parse.as_deref().unwrap_or_default());
        self.read = Some((kept, how));
    }
}

impl Scratch {
    /// Reads the words of a pair, and returns whether our tagger was needed.
    pub(super) fn read(&mut self, pair: &Pair<'_>, variant: Variant, kept: KeptWords) -> ClassSource {
        let mut of_premise = SideRead { source: ClassSource::Parse, whole: true };
        if variant.sees_premise() {
            of_premise = match self.last_premise.same(&pair.premise, kept) {
                Some(how) => how,
                None => {
                    let how = read_side(&pair.premise, kept, &mut self.folded, &mut self.words.premise);
                    self.last_premise.set(&pair.premise, kept, how);
                    how
                }
            };
        }
        let mut of_hypothesis = SideRead { source: ClassSource::Parse, whole: true };
        if variant.sees_hypothesis() {
            of_hypothesis = read_side(&pair.hypothesis, kept, &mut self.folded, &mut self.words.hypothesis);
        }
        self.whole = of_premise.whole && of_hypothesis.whole;
        if of_premise.source == ClassSource::Tagger { of_premise.source } else { of_hypothesis.source }
    }

    /// Computes the keys of all features of the pair that was read.
    pub(super) fn make_keys(&mut self, keys: Keys) {
        let WordHashes { premise, hypothesis } = &self.words;
        self.keys.clear();
        self.keys.extend(premise.iter().map(|word| keys.premise(*word)));
        self.keys.extend(hypothesis.iter().map(|word| keys.hypothesis(*word)));
        for premise in premise {
            self.keys.extend(hypothesis.iter().map(|hypothesis| keys.cross(*premise, *hypothesis)));
        }
    }
}

/// The maximum number of distinct words of a sentence: every word of one side is paired with every word of the other.
const MOST_WORDS: usize = 1024;

/// The result of reading a sentence.
#[derive(Debug, Clone, Copy)]
struct SideRead {
    source: ClassSource,
    /// Whether it was read without truncation.
    whole: bool,
}

fn read_side(sentence: &Sentence<'_>, kept: KeptWords, folded: &mut String, hashes: &mut Vec<u64>) -> SideRead {
    hashes.clear();
    let mut whole = is_within_reach(&sentence.text);
    let source = each_word(sentence, kept, folded, |word| {
        let hash = word_hash(word);
        if !hashes.contains(&hash) {
            match hashes.len() {
                MOST_WORDS => whole = false,
                _ => hashes.push(hash),
            }
        }
    });
    SideRead { source, whole }
}

/// The hash of a word; never 0.
pub(super) fn word_hash(word: &str) -> u64 {
    xxh3_64(word.as_bytes()).max(1)
}

/// The distinct kept words of both sides, as text.
pub(super) fn spelt(pair: &Pair<'_>, variant: Variant, kept: KeptWords) -> [Vec<String>; 2] {
    let mut folded = String::new();
    [(variant.sees_premise(), &pair.premise), (variant.sees_hypothesis(), &pair.hypothesis)].map(|(seen, sentence)| {
        let mut words: Vec<String> = Vec::new();
        if seen {
            each_word(sentence, kept, &mut folded, |word| {
                if words.len() < MOST_WORDS && !words.iter().any(|other| other == word) {
                    words.push(word.to_string());
                }
            });
        }
        words
    })
}

/// How features become the keys under which their weights are stored; another seed gives other keys.
///
/// A model is stored with the first seed for which no feature collides with another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Keys(pub u64);

const PREMISE: u64 = 0x7072_656d_6973_6521;
const HYPOTHESIS: u64 = 0x6879_706f_7468_6573;

impl Keys {
    /// The key of a word of the premise.
    #[inline]
    pub(super) fn premise(self, word: u64) -> u64 {
        mix(word.wrapping_add(self.0), PREMISE)
    }

    /// The key of a word of the hypothesis.
    #[inline]
    pub(super) fn hypothesis(self, word: u64) -> u64 {
        mix(word.wrapping_add(self.0), HYPOTHESIS)
    }

    /// The key of a pair of words, one of the premise and one of the hypothesis.
    #[inline]
    pub(super) fn cross(self, premise: u64, hypothesis: u64) -> u64 {
        mix(premise.wrapping_add(self.0), hypothesis.rotate_left(32))
    }
}

/// The hash of a pair's texts; parses, id and label do not count.
pub(super) fn pair_hash(pair: &Pair<'_>) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(pair.premise.text.as_bytes());
    hash.update(&[0]);
    hash.update(pair.hypothesis.text.as_bytes());
    hash.digest()
}

/// The fold of all examples of a premise.
pub(super) fn fold_of(premise: u64, folds: usize) -> usize {
    (premise % folds.max(1) as u64) as usize
}

/// The hash of a premise's text, which determines the fold.
pub(super) fn premise_hash(pair: &Pair<'_>) -> u64 {
    xxh3_64(pair.premise.text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_counts_once_and_sides_are_apart() {
        let mut scratch = Scratch::default();
        let pair = Pair::plain("A dog sees a dog.", "A dog sleeps.");
        assert_eq!(scratch.read(&pair, Variant::Lexical, KeptWords::Content), ClassSource::Tagger);
        assert_eq!((scratch.words.premise.len(), scratch.words.hypothesis.len()), (2, 2));
        let dog = scratch.words.premise[0];
        assert_eq!(dog, scratch.words.hypothesis[0]);
        let keys = Keys(0);
        assert_ne!(keys.premise(dog), keys.hypothesis(dog));
        assert_ne!(keys.cross(dog, 7), keys.cross(7, dog));
        assert_eq!(spelt(&pair, Variant::HypothesisOnly, KeptWords::Content), [vec![], vec!["dog".to_string(), "sleeps".to_string()]]);
    }

    #[test]
    fn a_variant_sees_its_side_alone() {
        let counts = |variant| {
            let mut scratch = Scratch::default();
            scratch.read(&Pair::plain("A dog runs.", "A cat sleeps."), variant, KeptWords::Content);
            (scratch.words.premise.len(), scratch.words.hypothesis.len())
        };
        assert_eq!(counts(Variant::HypothesisOnly), (0, 2));
        assert_eq!(counts(Variant::PremiseOnly), (2, 0));
        assert_eq!(counts(Variant::Lexical), (2, 2));
    }

    #[test]
    fn earlier_pairs_do_not_matter() {
        let parsed = Sentence { text: "A dog.".into(), parse: Some("(NP (DT A) (NN dog))".into()), binary_parse: None };
        let otherwise = Sentence { parse: Some("(NP (DT A) (IN dog))".into()), ..parsed.clone() };
        let plain = Sentence::plain("A dog.");
        let premises = [parsed.clone(), parsed.clone(), otherwise, plain.clone(), plain, parsed];
        let mut scratch = Scratch::default();
        for premise in premises {
            let pair = Pair { premise, ..Pair::plain("", "It sleeps.") };
            let mut fresh = Scratch::default();
            let source = scratch.read(&pair, Variant::Lexical, KeptWords::Content);
            assert_eq!(source, fresh.read(&pair, Variant::Lexical, KeptWords::Content));
            assert_eq!(scratch.words.premise, fresh.words.premise);
            assert_eq!(scratch.words.hypothesis, fresh.words.hypothesis);
        }
    }

    #[test]
    fn pairs_are_identified_by_their_texts() {
        assert_ne!(pair_hash(&Pair::plain("ab", "c")), pair_hash(&Pair::plain("a", "bc")));
        let renamed = Pair { id: "other".into(), ..Pair::plain("a", "b") };
        assert_eq!(pair_hash(&renamed), pair_hash(&Pair::plain("a", "b")));
    }
}
