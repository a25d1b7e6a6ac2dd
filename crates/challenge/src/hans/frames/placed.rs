//! The verbs of one shape of a template, with their frames.

use super::verb_lemma;
use crate::hans::expand::{Expansion, Flat, Tag as LeafTag, Word};
use crate::hans::render::ClassWord;
use acidtest_lingua::Tree;
use acidtest_lingua::frames::{Frame, verb_uses_of_tree};
use acidtest_lingua::tag::Tag;
use std::collections::HashMap;

/// A verb in a sentence of a template.
#[derive(Debug, Clone)]
pub(in crate::hans) struct PlacedVerb {
    pub(in crate::hans) source: VerbSource,
    pub(in crate::hans) word: String,
    tag: Tag,
    pub(in crate::hans) frames: Vec<Frame>,
}

impl PlacedVerb {
    pub(in crate::hans) fn lemma(&self) -> String {
        verb_lemma(&self.word, self.tag)
    }
}

/// The source of a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::hans) enum VerbSource {
    /// Drawn from a class: the indices of the class and the word.
    Entry { class: usize, entry: usize },
    /// Written in the tree.
    Fixed,
}

/// The verbs of premise and hypothesis with the frames in which they occur; a drawn verb is listed once for each word of its class.
pub(in crate::hans) fn placed_verbs(expansion: &Expansion, entries: &[&[ClassWord]]) -> Vec<PlacedVerb> {
    let mut placed = Vec::new();
    for tree in [&*expansion.premise, &*expansion.hypothesis] {
        let sentence = Sentence::new(tree, expansion, entries);
        for at in 0..sentence.leaves.len() {
            sentence.verbs_at(at, &mut placed);
        }
    }
    placed
}

/// A sentence of a template, with a word for every slot.
struct Sentence<'e> {
    tree: &'e Flat,
    leaves: Vec<Leaf<'e>>,
    entries: &'e [&'e [ClassWord]],
}

/// A leaf, with the words that can fill it.
struct Leaf<'e> {
    tag: &'e LeafTag,
    word: &'e Word,
    class: Option<usize>,
}

impl<'e> Sentence<'e> {
    fn new(tree: &'e Flat, expansion: &'e Expansion, entries: &'e [&'e [ClassWord]]) -> Self {
        let mut leaves = Vec::new();
        collect(tree, expansion, &mut leaves);
        Sentence { tree, leaves, entries }
    }

    /// The tag of a leaf filled with a word.
    fn tag(&self, leaf: &'e Leaf<'e>, entry: Option<usize>) -> &'e str {
        match (leaf.tag, leaf.class.zip(entry)) {
            (LeafTag::Fixed(tag), _) => tag,
            (LeafTag::OfWord, Some((class, entry))) => self.entries[class][entry].tag.as_deref().unwrap_or_default(),
            (LeafTag::OfWord, None) => "",
        }
    }

    fn verbs_at(&self, at: usize, placed: &mut Vec<PlacedVerb>) {
        let leaf = &self.leaves[at];
        let verb_tag = |entry| Tag::from_name(self.tag(leaf, entry)).filter(|tag| tag.is_verb());
        let Some(class) = leaf.class else {
            let (Some(tag), Word::Fixed(word)) = (verb_tag(None), leaf.word) else { return };
            let frames = self.frames_at(at, word, tag);
            if !frames.is_empty() {
                placed.push(PlacedVerb { source: VerbSource::Fixed, word: word.clone(), tag, frames });
            }
            return;
        };
        // Words with the same tag occur in the same frames, unless they are auxiliaries.
        let mut known = HashMap::new();
        for (entry, word) in self.entries[class].iter().enumerate() {
            let Some(tag) = verb_tag(Some(entry)) else { continue };
            let text = word.text();
            let auxiliary = Some(verb_lemma(&text, tag)).filter(|lemma| matches!(lemma.as_str(), "be" | "have" | "do" | "get"));
            let frames: &mut Vec<Frame> = known.entry((tag, auxiliary)).or_insert_with(|| self.frames_at(at, &text, tag));
            let frames = frames.clone();
            if !frames.is_empty() {
                placed.push(PlacedVerb { source: VerbSource::Entry { class, entry }, word: text, tag, frames });
            }
        }
    }

    /// The frames of a verb at a leaf.
    fn frames_at(&self, at: usize, word: &str, tag: Tag) -> Vec<Frame> {
        let mut parse = String::from("(ROOT ");
        let mut leaf = 0;
        self.write(self.tree, (at, word, tag), &mut leaf, &mut parse);
        parse.push(')');
        let uses = Tree::read(&parse).map(|tree| verb_uses_of_tree(&tree)).unwrap_or_default();
        uses.into_iter().find(|found| found.word == at).map(|found| found.frames).unwrap_or_default()
    }

    fn write(&self, tree: &Flat, verb: (usize, &str, Tag), leaf: &mut usize, out: &mut String) {
        match tree {
            Flat::TextOnly(_) => {}
            Flat::Phrase { label, children } => {
                out.push('(');
                out.push_str(label);
                for child in children.iter().filter(|child| !matches!(***child, Flat::TextOnly(_))) {
                    out.push(' ');
                    self.write(child, verb, leaf, out);
                }
                out.push(')');
            }
            Flat::Leaf { .. } => {
                let own = &self.leaves[*leaf];
                let (tag, word) = match (own.word, own.class) {
                    _ if *leaf == verb.0 => (verb.2.name(), verb.1.to_string()),
                    (Word::Fixed(words), _) => (self.tag(own, None), words.clone()),
                    (Word::Slot(_), Some(class)) => {
                        (self.tag(own, Some(0)), self.entries[class].first().map(ClassWord::text).unwrap_or_default())
                    }
                    (Word::Slot(_), None) => ("", String::new()),
                };
                out.push_str(&format!("({tag} {word})"));
                *leaf += 1;
            }
        }
    }
}

fn collect<'e>(tree: &'e Flat, expansion: &'e Expansion, leaves: &mut Vec<Leaf<'e>>) {
    match tree {
        Flat::TextOnly(_) => {}
        Flat::Phrase { children, .. } => children.iter().for_each(|child| collect(child, expansion, leaves)),
        Flat::Leaf { tag, word } => {
            let class = if let Word::Slot(slot) = word { Some(expansion.slots[*slot].class) } else { None };
            leaves.push(Leaf { tag, word, class });
        }
    }
}
