//! Finds the templates of a pair, for files without template columns.

use super::pattern::{Element, NONE, Pattern};
use super::row::{HansRow, MOST_SLOTS};
use super::set::TemplateSet;

/// Finds the templates that can generate a pair.
#[derive(Debug)]
pub struct Identifier<'s> {
    sets: Vec<Finder<'s>>,
}

/// A way to generate a pair.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'s> {
    /// Subcase, template, category, slots and parses; its number is meaningless.
    pub row: HansRow<'s>,
    /// Whether the generator would produce this pair.
    pub words: WordRepetition,
}

/// Whether a drawn word occurs twice in the premise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordRepetition {
    /// No word repeats: the generator produces such pairs.
    Differ,
    /// A word repeats: the pair matches the template, but the generator rejects it.
    Repeat,
}

impl<'s> Identifier<'s> {
    /// Tries the sets in order until one has a reading for a pair; commonly as published, then clean.
    pub fn new(sets: impl IntoIterator<Item = &'s TemplateSet>) -> Self {
        Identifier { sets: sets.into_iter().map(Finder::new).collect() }
    }

    pub(super) fn of_set(set: &'s TemplateSet) -> Self {
        Identifier::new([set])
    }

    /// All readings of a pair, in the order of the grammar; empty if no template generates it.
    ///
    /// Words may be separated by spaces, or have commas and full stops attached.
    pub fn readings(&self, premise: &str, hypothesis: &str) -> Vec<Reading<'s>> {
        let mut found = Vec::new();
        for finder in &self.sets {
            finder.find(premise, hypothesis, &mut found);
            if !found.is_empty() {
                break;
            }
        }
        found
    }
}

/// The patterns of one set as a trie.
#[derive(Debug)]
struct Finder<'s> {
    set: &'s TemplateSet,
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    edges: Vec<(Edge, usize)>,
    /// The patterns whose premise ends here.
    ends: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edge {
    Word(u32),
    Class(usize),
}

impl<'s> Finder<'s> {
    fn new(set: &'s TemplateSet) -> Self {
        let mut finder = Finder { set, nodes: vec![Node::default()] };
        for (n, pattern) in set.patterns.iter().enumerate() {
            let mut at = 0;
            for element in &pattern.premise {
                let edge = match *element {
                    Element::Word(word) => Edge::Word(word),
                    Element::Slot(slot) => Edge::Class(set.shapes[pattern.shape as usize].classes[slot]),
                };
                at = finder.step(at, edge);
            }
            finder.nodes[at].ends.push(n);
        }
        finder
    }

    fn step(&mut self, at: usize, edge: Edge) -> usize {
        if let Some(&(_, next)) = self.nodes[at].edges.iter().find(|(other, _)| *other == edge) {
            return next;
        }
        self.nodes.push(Node::default());
        let next = self.nodes.len() - 1;
        self.nodes[at].edges.push((edge, next));
        next
    }

    fn find(&self, premise: &str, hypothesis: &str, found: &mut Vec<Reading<'s>>) {
        let (mut premise_words, mut hypothesis_words) = (Vec::with_capacity(24), Vec::with_capacity(16));
        if !self.numbers(premise, &mut premise_words) || !self.numbers(hypothesis, &mut hypothesis_words) {
            return;
        }
        let mut ends = Vec::new();
        self.walk(0, &premise_words, &mut ends);
        ends.sort_unstable();
        found.extend(ends.iter().filter_map(|&n| self.reading(&self.set.patterns[n], &premise_words, &hypothesis_words)));
    }

    fn walk(&self, at: usize, words: &[u32], ends: &mut Vec<usize>) {
        let node = &self.nodes[at];
        let Some((&word, rest)) = words.split_first() else { return ends.extend(&node.ends) };
        for &(edge, next) in &node.edges {
            let fits = match edge {
                Edge::Word(other) => other == word,
                Edge::Class(class) => self.set.classes[class].entry_of(word) != NONE,
            };
            if fits {
                self.walk(next, rest, ends);
            }
        }
    }

    /// The reading of a pair whose premise matches the pattern, if its hypothesis matches too.
    fn reading(&self, pattern: &Pattern, premise: &[u32], hypothesis: &[u32]) -> Option<Reading<'s>> {
        if pattern.hypothesis.len() != hypothesis.len() {
            return None;
        }
        let classes = &self.set.shapes[pattern.shape as usize].classes;
        let mut drawn = [NONE; MOST_SLOTS];
        for &(slot, entry) in &pattern.chosen {
            drawn[slot] = entry;
        }
        for (element, &word) in pattern.premise.iter().zip(premise).chain(pattern.hypothesis.iter().zip(hypothesis)) {
            match *element {
                Element::Word(other) if other != word => return None,
                Element::Word(_) => {}
                Element::Slot(slot) => {
                    let entry = self.set.classes[classes[slot]].entry_of(word);
                    if entry == NONE || (drawn[slot] != NONE && drawn[slot] != entry) {
                        return None;
                    }
                    drawn[slot] = entry;
                }
            }
        }
        let row = HansRow { set: self.set, shape: pattern.shape, drawn, number: 0 };
        let words = if row.words_differ() { WordRepetition::Differ } else { WordRepetition::Repeat };
        Some(Reading { row, words })
    }

    /// The numbers of the words of a sentence; `false` if the grammar lacks one.
    fn numbers(&self, sentence: &str, numbers: &mut Vec<u32>) -> bool {
        sentence.split_ascii_whitespace().all(|token| self.token(token, numbers))
    }

    fn token(&self, token: &str, numbers: &mut Vec<u32>) -> bool {
        let known = |word: &str| self.set.words.get(word);
        // Only the first word of a sentence is capitalised.
        let uncapitalised = |word: &str| {
            let mut letters = word.chars();
            let first = letters.next().filter(|first| first.is_uppercase() && numbers.is_empty())?;
            known(&first.to_lowercase().chain(letters).collect::<String>())
        };
        if let Some(number) = known(token).or_else(|| uncapitalised(token)) {
            numbers.push(number);
            return true;
        }
        let Some(mark) = token.chars().last().filter(|mark| matches!(mark, '.' | ',' | '?' | '!')) else { return false };
        let (word, mark) = token.split_at(token.len() - mark.len_utf8());
        !word.is_empty() && self.token(word, numbers) && self.token(mark, numbers)
    }
}
