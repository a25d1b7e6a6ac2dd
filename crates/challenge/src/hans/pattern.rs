//! Shapes as sequences of words, to find the shape of a pair and to check whether two shapes can generate the same pair.

use super::expand::{Flat, Word};
use super::set::{ClassTable, Shape};
use std::collections::HashMap;

/// No entry of a class.
pub(super) const NONE: u16 = u16::MAX;

/// The words of a shape; words of several tokens are already chosen.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    pub(super) shape: u32,
    /// Slots whose word is chosen because it has several tokens.
    pub(super) chosen: Vec<(usize, u16)>,
    pub(super) premise: Vec<Element>,
    pub(super) hypothesis: Vec<Element>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Word(u32),
    Slot(usize),
}

/// Numbers for distinct words.
#[derive(Debug, Clone, Default)]
pub(super) struct Numbers(HashMap<String, u32>);

impl Numbers {
    pub(super) fn of(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.0.get(word) {
            return number;
        }
        let number = self.0.len() as u32;
        self.0.insert(word.to_string(), number);
        number
    }

    pub(super) fn get(&self, word: &str) -> Option<u32> {
        self.0.get(word).copied()
    }
}

/// The patterns of a shape: one, and one for each choice of words with several tokens.
pub(super) fn patterns(shape: u32, slots: &[usize], sides: [&Flat; 2], classes: &[ClassTable], words: &mut Numbers) -> Vec<Pattern> {
    let mut choices: Vec<Vec<(usize, u16)>> = vec![Vec::new()];
    for (slot, &class) in slots.iter().enumerate() {
        let long = &classes[class].long;
        if long.is_empty() {
            continue;
        }
        let longer = choices.iter().flat_map(|chosen| {
            long.iter().map(|&entry| {
                let mut chosen = chosen.clone();
                chosen.push((slot, entry));
                chosen
            })
        });
        let longer: Vec<_> = longer.collect();
        choices.extend(longer);
    }
    let mut made = Vec::with_capacity(choices.len());
    for chosen in choices {
        let [premise, hypothesis] = sides.map(|tree| {
            let mut elements = Vec::new();
            add_elements(tree, slots, &chosen, classes, words, &mut elements);
            elements
        });
        made.push(Pattern { shape, chosen, premise, hypothesis });
    }
    made
}

fn add_elements(
    tree: &Flat,
    slots: &[usize],
    chosen: &[(usize, u16)],
    classes: &[ClassTable],
    words: &mut Numbers,
    out: &mut Vec<Element>,
) {
    let mut add_words = |text: &str, out: &mut Vec<Element>| out.extend(text.split_whitespace().map(|word| Element::Word(words.of(word))));
    match tree {
        Flat::Phrase { children, .. } => children.iter().for_each(|child| add_elements(child, slots, chosen, classes, words, out)),
        Flat::TextOnly(text) | Flat::Leaf { word: Word::Fixed(text), .. } => add_words(text, out),
        Flat::Leaf { word: Word::Slot(slot), .. } => match chosen.iter().find(|(other, _)| other == slot) {
            Some(&(_, entry)) => add_words(&classes[slots[*slot]].entries[usize::from(entry)].text(), out),
            None => out.push(Element::Slot(*slot)),
        },
    }
}

/// Whether some pair may match both patterns; `false` is certain.
pub(super) fn may_coincide(a: &Pattern, b: &Pattern, shapes: &[Shape], classes: &[ClassTable]) -> bool {
    if a.premise.len() != b.premise.len() || a.hypothesis.len() != b.hypothesis.len() {
        return false;
    }
    let class = |pattern: &Pattern, slot: usize| &classes[shapes[pattern.shape as usize].classes[slot]];
    let meet = |x: Element, y: Element| match (x, y) {
        (Element::Word(x), Element::Word(y)) => x == y,
        (Element::Slot(slot), Element::Word(word)) => class(a, slot).entry_of(word) != NONE,
        (Element::Word(word), Element::Slot(slot)) => class(b, slot).entry_of(word) != NONE,
        (Element::Slot(x), Element::Slot(y)) => class(a, x).shares_words_with(class(b, y)),
    };
    if !a.premise.iter().zip(&b.premise).all(|(&x, &y)| meet(x, y)) {
        return false;
    }
    a.hypothesis.iter().zip(&b.hypothesis).all(|(&x, &y)| {
        let place = |pattern: &Pattern, element: Element| pattern.premise.iter().position(|&other| other == element);
        let elsewhere = match (x, y) {
            // A word would occur twice in the premise, where drawn words do not repeat.
            (Element::Slot(_), Element::Slot(_)) => matches!((place(a, x), place(b, y)), (Some(p), Some(q)) if p != q),
            _ => false,
        };
        !elsewhere && meet(x, y)
    })
}
