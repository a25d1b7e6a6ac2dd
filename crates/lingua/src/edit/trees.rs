//! The trees of an edited sentence, assembled from pieces of the original brackets.
//!
//! New words take the position of the first word that they replace; a moved phrase takes the position of the largest phrases that it
//! replaces. A phrase without words is removed, and in a binary tree so is one with a single child.

use super::{EditError, Fill, Hole, Plan};
use crate::tree::{Node, Tree};
use crate::view::View;
use std::ops::Range;

/// The bracketed text of an edited tree.
pub(super) fn render(tree: &Tree<'_>, text: &str, plan: &Plan, view: &View<'_>) -> Result<String, EditError> {
    let renderer = Renderer::new(tree, text, plan);
    if renderer.leaves != view.words().len() {
        return Err(EditError::WordsDiffer);
    }
    if plan.holes.iter().all(Hole::stays) {
        return Ok(renderer.respelled_in_place());
    }
    let items = renderer.items(0);
    match items.len() {
        0 => Err(EditError::NothingLeft),
        1 => Ok(items.concat()),
        _ if renderer.is_binary => Ok(branched(items)),
        _ => Ok(format!("(FRAG {})", items.join(" "))),
    }
}

impl Hole {
    /// Whether its words stay in place; their letters may change.
    fn stays(&self) -> bool {
        matches!(self.fill.as_slice(), [Fill::Moved(words)] if *words == self.words)
    }

    /// Whether it does no more than respell this word where it stands.
    pub(super) fn is_respelling_of(&self, word: usize) -> bool {
        self.stays() && self.words == (word..word + 1)
    }

    fn covers(&self, words: &Range<usize>) -> bool {
        !self.words.is_empty() && self.words.start <= words.start && words.end <= self.words.end
    }

    fn is_new(&self) -> bool {
        self.fill.iter().all(|fill| matches!(fill, Fill::New(_)))
    }
}

struct Renderer<'r, 't> {
    text: &'r str,
    nodes: &'r [Node<'t>],
    /// The words of each node.
    words: Vec<Range<usize>>,
    leaves: usize,
    is_binary: bool,
    plan: &'r Plan,
}

impl<'r, 't> Renderer<'r, 't> {
    fn new(tree: &'r Tree<'t>, text: &'r str, plan: &'r Plan) -> Self {
        let nodes = tree.nodes();
        let mut before = Vec::with_capacity(nodes.len() + 1);
        let mut leaves = 0;
        for node in nodes {
            before.push(leaves);
            leaves += usize::from(node.word.is_some());
        }
        before.push(leaves);
        let words = nodes.iter().enumerate().map(|(at, node)| before[at]..before[node.end]).collect();
        let is_binary = nodes.iter().all(|node| node.label.is_empty());
        Renderer { text, nodes, words, leaves, is_binary, plan }
    }

    /// The whole text with words respelled in place.
    fn respelled_in_place(&self) -> String {
        let mut out = String::with_capacity(self.text.len() + 8);
        let mut at = 0;
        for (node, words) in self.nodes.iter().zip(&self.words) {
            let (Some(word), Some(respelling)) = (node.word, self.plan.respelled.get(&words.start)) else { continue };
            let inside = &self.text[node.bytes.clone()];
            let start = node.bytes.start + inside.rfind(word).unwrap_or_default();
            out.push_str(&self.text[at..start]);
            out.push_str(&escaped(&respelling.of(word)));
            at = start + word.len();
        }
        out.push_str(&self.text[at..]);
        out
    }

    /// The result for a node: nothing, itself, or several siblings.
    fn items(&self, at: usize) -> Vec<String> {
        let (node, words) = (&self.nodes[at], &self.words[at]);
        if !self.is_touched(words) {
            return vec![self.text[node.bytes.clone()].to_string()];
        }
        let root = at == 0 && node.word.is_none();
        if let Some(hole) = self.plan.holes.iter().find(|hole| !root && hole.covers(words)) {
            if words.start != hole.words.start {
                return self.inserted_after(words);
            }
            // New words take the position of the first replaced word, at any depth.
            if node.word.is_some() || !hole.is_new() {
                let mut items = self.inserted(words.start);
                items.extend(self.filled(hole));
                items.extend(self.inserted_after(words));
                return items;
            }
        }
        if let Some(word) = node.word {
            let mut items = self.inserted(words.start);
            items.push(self.leaf(node.label, word));
            items.extend(self.inserted_after(words));
            return items;
        }
        self.phrase(node.label, self.children(at).flat_map(|child| self.one_of(self.items(child))).collect())
    }

    /// In a binary tree, the siblings that replace one node are grouped into one phrase.
    fn one_of(&self, items: Vec<String>) -> Vec<String> {
        if items.len() > 1 && self.is_binary { vec![branched(items)] } else { items }
    }

    /// Whether these words change, or something is inserted before them or at the end of the sentence.
    fn is_touched(&self, words: &Range<usize>) -> bool {
        let end = if words.end == self.leaves { words.end + 1 } else { words.end };
        self.plan.holes.iter().any(|hole| hole.words.start < end && words.start < hole.words.end.max(hole.words.start + 1))
    }

    /// The nodes inserted before a word.
    fn inserted(&self, word: usize) -> Vec<String> {
        let here = self.plan.holes.iter().filter(|hole| hole.words == (word..word));
        here.flat_map(|hole| self.filled(hole)).collect()
    }

    /// The nodes inserted at the end of the sentence, if these are its last words.
    fn inserted_after(&self, words: &Range<usize>) -> Vec<String> {
        if words.end == self.leaves { self.inserted(self.leaves) } else { Vec::new() }
    }

    fn filled(&self, hole: &Hole) -> Vec<String> {
        let mut items = Vec::new();
        for fill in &hole.fill {
            match fill {
                Fill::New(words) => items.extend(words.iter().map(|(form, tag)| self.new_leaf(tag, form))),
                Fill::Moved(words) => self.pieces(0, words, &mut items),
            }
        }
        items
    }

    /// Collects the largest phrases inside the moved span.
    fn pieces(&self, at: usize, moved: &Range<usize>, items: &mut Vec<String>) {
        let words = &self.words[at];
        let root = at == 0 && self.nodes[at].word.is_none();
        if !root && moved.start <= words.start && words.end <= moved.end {
            items.push(self.moved(at));
        } else if moved.start < words.end && words.start < moved.end {
            self.children(at).for_each(|child| self.pieces(child, moved, items));
        }
    }

    /// A moved node: its words may be respelled, nothing else changes.
    fn moved(&self, at: usize) -> String {
        let node = &self.nodes[at];
        if self.plan.respelled.range(self.words[at].clone()).next().is_none() {
            return self.text[node.bytes.clone()].to_string();
        }
        match node.word {
            Some(word) => {
                let respelled = self.plan.respelled.get(&self.words[at].start).map(|respelling| escaped(&respelling.of(word)));
                self.leaf(node.label, respelled.as_deref().unwrap_or(word))
            }
            None => self.phrase(node.label, self.children(at).map(|child| self.moved(child)).collect()).concat(),
        }
    }

    fn phrase(&self, label: &str, items: Vec<String>) -> Vec<String> {
        if items.is_empty() {
            return Vec::new();
        }
        if label.is_empty() && self.is_binary {
            return vec![branched(items)];
        }
        vec![if label.is_empty() { format!("( {} )", items.join(" ")) } else { format!("({label} {})", items.join(" ")) }]
    }

    fn leaf(&self, tag: &str, word: &str) -> String {
        if tag.is_empty() { word.to_string() } else { format!("({tag} {word})") }
    }

    fn new_leaf(&self, tag: &str, form: &str) -> String {
        let word = escaped(form);
        if self.is_binary { word } else { format!("({tag} {word})") }
    }

    fn children(&self, at: usize) -> impl Iterator<Item = usize> {
        let end = self.nodes[at].end;
        let first = Some(at + 1).filter(|child| *child < end);
        std::iter::successors(first, move |&child| Some(self.nodes[child].end).filter(|next| *next < end))
    }
}

/// Nests siblings as `( 0 ( 1 ( 2 .. ) ) )`; a single one is returned as it is.
fn branched(items: Vec<String>) -> String {
    let count = items.len();
    let mut out = String::with_capacity(items.iter().map(|item| item.len() + 4).sum());
    for (n, item) in items.iter().enumerate() {
        out.push_str(if n + 1 < count { "( " } else { "" });
        out.push_str(item);
        out.push_str(if n + 1 < count { " " } else { "" });
    }
    out.push_str(&" )".repeat(count - 1));
    out
}

/// A word with brackets escaped as in trees.
fn escaped(form: &str) -> String {
    form.replace('(', "-LRB-").replace(')', "-RRB-")
}
