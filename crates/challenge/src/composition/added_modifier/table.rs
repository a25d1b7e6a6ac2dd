//! Which nouns a corpus has with which modifiers, and how often.

use super::lists::Lists;
use crate::words::noun_lemma;
use acidtest_lingua::View;
use acidtest_lingua::inflect::plural;
use acidtest_lingua::tree::Leaf;
use acidtest_nli::{Example, Seed};
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, OnceLock};

/// How often each listed modifier stands on each noun, in distinct sentences of a corpus.
///
/// A sentence that a corpus repeats counts once, so that a premise with several hypotheses is no more than one witness. The counts do not depend on the
/// order of the sentences.
///
/// ```
/// use acidtest_challenge::{ModifierCounts, ModifierTable};
/// use acidtest_nli::{Example, Pair};
/// let example = Example { pair: Pair::plain("An old man sits.", "An old man sits on two old chairs."), ..Example::default() };
/// let mut table = ModifierTable::default();
/// table.add(ModifierCounts::of(&example));
/// table.add(ModifierCounts::of(&example));
/// assert_eq!((table.count("old", "man"), table.count("old", "chair")), (2, 1));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModifierTable {
    /// By noun, then by modifier.
    counts: BTreeMap<String, BTreeMap<&'static str, u32>>,
    forms: HashSet<String>,
    sentences: HashSet<u64>,
}

/// A place for a table that is counted after a challenge is set up.
#[derive(Debug, Default)]
pub struct ModifierSlot(OnceLock<Arc<ModifierTable>>);

impl ModifierSlot {
    /// A slot with the table that is known already, if one is.
    pub fn new(known: Option<Arc<ModifierTable>>) -> Self {
        ModifierSlot(known.map_or_else(OnceLock::new, OnceLock::from))
    }

    /// The table, once it is there.
    pub fn get(&self) -> Option<&ModifierTable> {
        self.0.get().map(Arc::as_ref)
    }

    /// Fills the slot; one that is filled stays as it is.
    pub fn fill(&self, table: Arc<ModifierTable>) {
        let _ = self.0.set(table);
    }
}

/// The modifiers of the nouns of one example, before they are added to a table.
#[derive(Debug, Clone, Default)]
pub struct ModifierCounts {
    sentences: Vec<(u64, Vec<(&'static str, String)>)>,
}

impl ModifierCounts {
    /// Those of both sentences, by the tags of the corpus's parse if there is one, else by our tagger.
    pub fn of(example: &Example<'_>) -> Self {
        let mut found = ModifierCounts::default();
        for sentence in [&example.pair.premise, &example.pair.hypothesis] {
            if has_modifier(&sentence.text) {
                let pairs = modified_nouns(&View::new(&sentence.text, sentence.parse.as_deref(), sentence.binary_parse.as_deref()));
                if !pairs.is_empty() {
                    found.sentences.push((Seed::new(0).child(&sentence.text).number(), pairs));
                }
            }
        }
        found
    }
}

impl ModifierTable {
    /// Adds the counts of an example; sentences that were added before do not count again.
    pub fn add(&mut self, counts: ModifierCounts) {
        for (sentence, pairs) in counts.sentences {
            if !self.sentences.insert(sentence) {
                continue;
            }
            for (modifier, noun) in pairs {
                if !self.counts.contains_key(&noun) {
                    self.forms.extend([plural(&noun), noun.clone()]);
                }
                *self.counts.entry(noun).or_default().entry(modifier).or_default() += 1;
            }
        }
    }

    /// How often a modifier stands on a noun, which is given by its dictionary form.
    pub fn count(&self, modifier: &str, noun: &str) -> u32 {
        self.counts.get(noun).and_then(|modifiers| modifiers.get(modifier)).copied().unwrap_or(0)
    }

    /// How many distinct sentences have a modifier on a noun.
    pub fn sentences(&self) -> usize {
        self.sentences.len()
    }

    /// How many pairs of a modifier and a noun were seen at least so often.
    pub fn pairs(&self, seen_at_least: u32) -> usize {
        self.counts.values().flat_map(BTreeMap::values).filter(|count| **count >= seen_at_least).count()
    }

    /// The modifiers that both nouns were seen with at least so often, in alphabetical order.
    pub(super) fn shared(&self, nouns: [&str; 2], seen_at_least: u32) -> Vec<&'static str> {
        let Some((first, second)) = self.counts.get(nouns[0]).zip(self.counts.get(nouns[1])) else { return Vec::new() };
        let often = |count: Option<&u32>| count.is_some_and(|count| *count >= seen_at_least);
        first.iter().filter(|(modifier, count)| often(Some(count)) && often(second.get(*modifier))).map(|(modifier, _)| *modifier).collect()
    }

    /// Whether a word in lower case can be a noun of the table.
    pub(super) fn has_form(&self, word: &str) -> bool {
        self.forms.contains(word)
    }
}

/// Whether a text has any listed modifier: a quick look before anything is tagged.
fn has_modifier(text: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '-').any(|word| {
        if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Lists::get().addable(&word.to_lowercase()).is_some();
        }
        Lists::get().addable(word).is_some()
    })
}

/// The listed modifiers of a sentence with the dictionary forms of the nouns that they describe.
fn modified_nouns(view: &View<'_>) -> Vec<(&'static str, String)> {
    let leaves = view.leaves();
    let mut pairs = Vec::new();
    for (at, leaf) in leaves.iter().enumerate().filter(|(_, leaf)| leaf.tag == "JJ") {
        let Some(modifier) = Lists::get().addable(&leaf.word.to_lowercase()) else { continue };
        if let Some(noun) = noun_after(leaves, at).or_else(|| subject_before(leaves, at)) {
            pairs.push((modifier.word, noun_lemma(noun.word, noun.tag)));
        }
    }
    pairs
}

fn is_noun(leaf: &Leaf<'_>) -> bool {
    matches!(leaf.tag, "NN" | "NNS")
}

/// The last noun of the adjectives and nouns that follow an adjective.
fn noun_after<'l, 'a>(leaves: &'l [Leaf<'a>], at: usize) -> Option<&'l Leaf<'a>> {
    leaves[at + 1..].iter().take_while(|leaf| leaf.tag == "JJ" || is_noun(leaf)).filter(|leaf| is_noun(leaf)).last()
}

/// The noun before a form of `be` that an adjective is the predicate of: `the man is very old`.
fn subject_before<'l, 'a>(leaves: &'l [Leaf<'a>], at: usize) -> Option<&'l Leaf<'a>> {
    let before = leaves[..at].iter().rposition(|leaf| leaf.tag != "RB")?;
    let is_be = matches!(leaves[before].word, "is" | "are" | "was" | "were");
    leaves[..before].last().filter(|leaf| is_be && is_noun(leaf))
}

/// Counts of the modifiers of nouns, as tests need them.
#[cfg(test)]
pub(super) fn table_of(pairs: &[(&str, &str)], times: u32) -> ModifierTable {
    let mut table = ModifierTable::default();
    for (modifier, noun) in pairs {
        for n in 0..times {
            let pair = acidtest_nli::Pair::plain("", "");
            let mut counts = ModifierCounts::of(&Example { pair, ..Example::default() });
            let word = Lists::get().addable(modifier).map_or("", |listed| listed.word);
            counts.sentences.push((Seed::new(u64::from(n)).child(modifier).child(noun).number(), vec![(word, (*noun).to_string())]));
            table.add(counts);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Pair;

    fn counted(texts: &[&str]) -> ModifierTable {
        let mut table = ModifierTable::default();
        for text in texts {
            table.add(ModifierCounts::of(&Example { pair: Pair::plain(text, ""), ..Example::default() }));
        }
        table
    }

    #[test]
    fn adjectives_count_with_the_head_of_their_phrase() {
        let table = counted(&["A small old man holds a large soccer ball.", "Two old men sit."]);
        assert_eq!((table.count("old", "man"), table.count("small", "man")), (2, 1));
        assert_eq!((table.count("large", "ball"), table.count("large", "soccer")), (1, 0));
        assert_eq!(table.pairs(2), 1);
    }

    #[test]
    fn a_sentence_that_is_repeated_counts_once_and_the_order_does_not_matter() {
        let texts = ["A large dog is running.", "There is a large dog.", "A large dog is running."];
        let backwards: Vec<&str> = texts.iter().rev().copied().collect();
        assert_eq!(counted(&texts).count("large", "dog"), 2);
        assert_eq!(counted(&texts), counted(&backwards));
    }

    #[test]
    fn predicates_describe_their_subjects() {
        let table = counted(&["The man is very old.", "The people are happy.", "A person was happy."]);
        assert_eq!((table.count("old", "man"), table.count("happy", "person")), (1, 2));
    }

    #[test]
    fn adjectives_that_are_never_added_do_not_count() {
        let table = counted(&["A Chinese man sits in several chairs.", "A shirtless man sits."]);
        assert_eq!(table.pairs(1), 0);
    }

    #[test]
    fn shared_modifiers_were_seen_with_both_nouns_often_enough() {
        let table =
            counted(&["An old man.", "The old man is asleep.", "An old car.", "There is an old car.", "A young man.", "A red car."]);
        assert_eq!(table.shared(["man", "car"], 2), ["old"]);
        assert_eq!(table.shared(["man", "car"], 3), [""; 0]);
        assert!(table.has_form("cars") && !table.has_form("sleeps"));
    }
}
