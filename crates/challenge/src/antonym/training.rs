//! How often the two words of an antonym pair stand on different sides of a contradiction in training data (Naik et al. 2018, section 4.3).

use super::candidate::Forms;
use super::lists::Lists;
use super::tags::pair_name;
use acidtest_lingua::wordnet::{PartOfSpeech, WordNet, WordNetRelation};
use acidtest_nli::{Example, Judgment, Label};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

/// Counts of contradictions by antonym pair: the one word in the premise, the other in the hypothesis, either way round.
///
/// Words are compared by their dictionary forms, whatever their word class.
///
/// ```
/// use acidtest_challenge::TrainingCounts;
/// use acidtest_nli::{Example, Label, Pair};
/// let mut counts = TrainingCounts::default();
/// let pair = Pair::plain("An old man sleeps.", "A young man sleeps.");
/// counts.add(&Example { pair, gold: Some(Label::Contradiction.into()), ..Example::default() });
/// assert_eq!(counts.of("young", "old"), 1);
/// assert_eq!(counts.of("hot", "cold"), 0);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrainingCounts {
    counts: BTreeMap<String, u64>,
    contradictions: u64,
}

impl TrainingCounts {
    /// Counts a training example; only contradictions count.
    pub fn add(&mut self, example: &Example<'_>) {
        if example.gold != Some(Judgment::Exact(Label::Contradiction)) {
            return;
        }
        self.contradictions += 1;
        let (premise, hypothesis) = (opposed_words(&example.pair.premise.text), opposed_words(&example.pair.hypothesis.text));
        let partners = &PARTNERS.partners;
        let mut found = BTreeSet::new();
        for word in &premise {
            let of_word = partners.get(word).into_iter().flatten();
            found.extend(of_word.filter(|partner| hypothesis.contains(*partner)).map(|partner| pair_name(word, partner)));
        }
        for pair in found {
            *self.counts.entry(pair).or_default() += 1;
        }
    }

    /// Adds the counts of another part of the training data.
    pub fn merge(&mut self, other: &TrainingCounts) {
        self.contradictions += other.contradictions;
        for (pair, count) in &other.counts {
            *self.counts.entry(pair.clone()).or_default() += count;
        }
    }

    /// How many contradictions have the two words on different sides.
    pub fn of(&self, word: &str, antonym: &str) -> u64 {
        self.counts.get(&pair_name(word, antonym)).copied().unwrap_or(0)
    }

    /// How many contradictions were counted.
    pub fn contradictions(&self) -> u64 {
        self.contradictions
    }
}

/// Words with their antonyms: those of our list and those of WordNet.
struct Partners {
    forms: Forms,
    listed: Forms,
    partners: HashMap<&'static str, BTreeSet<&'static str>>,
}

static PARTNERS: LazyLock<Partners> = LazyLock::new(|| {
    let mut partners: HashMap<&'static str, BTreeSet<&'static str>> = HashMap::new();
    let mut add = |word: &'static str, antonym: &'static str| {
        partners.entry(word).or_default().insert(antonym);
        partners.entry(antonym).or_default().insert(word);
    };
    Lists::get().pairs.iter().for_each(|pair| add(pair.word, pair.antonym));
    for synset in WordNet::get().synsets().filter(|synset| synset.related(WordNetRelation::Antonym).next().is_some()) {
        for word in synset.words() {
            synset.related_words(word, WordNetRelation::Antonym).into_iter().for_each(|(antonym, _)| add(word, antonym));
        }
    }
    Partners { forms: Forms::of_wordnet(&PartOfSpeech::ALL), listed: Forms::of_antonyms(), partners }
});

/// The dictionary forms of the words of a text that have an antonym.
fn opposed_words(text: &str) -> BTreeSet<&'static str> {
    let mut words = BTreeSet::new();
    for word in text.split(|letter: char| !letter.is_alphabetic() && letter != '-') {
        let lower = word.to_lowercase();
        words.extend(PARTNERS.forms.lemmas(&lower));
        words.extend(PARTNERS.listed.lemmas(&lower));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Pair;

    fn counts(examples: &[(&str, &str, Label)]) -> TrainingCounts {
        let mut counts = TrainingCounts::default();
        for (premise, hypothesis, label) in examples {
            counts.add(&Example { pair: Pair::plain(premise, hypothesis), gold: Some((*label).into()), ..Example::default() });
        }
        counts
    }

    #[test]
    fn words_count_by_dictionary_form_either_way_round_and_once_per_contradiction() {
        let counts = counts(&[
            ("Men sleep, a man snores.", "Women wake.", Label::Contradiction),
            ("A woman sleeps.", "The man runs.", Label::Contradiction),
            ("A man sleeps.", "A woman sleeps.", Label::Neutral),
            ("A man and a woman sleep.", "Nobody sleeps.", Label::Contradiction),
        ]);
        assert_eq!((counts.of("man", "woman"), counts.of("woman", "man"), counts.contradictions()), (2, 2, 3));
        assert_eq!(counts.of("front", "back"), 0);
    }

    #[test]
    fn listed_pairs_that_wordnet_does_not_have_count_too() {
        let counts = counts(&[("The street is crowded.", "The street is empty.", Label::Contradiction)]);
        assert_eq!(counts.of("empty", "crowded"), 1);
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let rows = [("It is hot.", "It is cold.", Label::Contradiction), ("It is cold.", "It is hotter.", Label::Contradiction)];
        let mut merged = counts(&rows[..1]);
        merged.merge(&counts(&rows[1..]));
        assert_eq!(merged, counts(&rows));
        assert_eq!(merged.of("hot", "cold"), 2);
    }
}
