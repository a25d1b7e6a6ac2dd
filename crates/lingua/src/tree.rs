//! Bracketed trees: Penn-style parses and the unlabelled binary parses derived from them.
//!
//! A [`Tree`] keeps its nodes in textual order, as offsets into the text that it was read from.
//! [`Edit`](crate::edit::Edit) splices that text at these offsets, so brackets always balance.
//!
//! ```
//! use acidtest_lingua::Tree;
//! let tree = Tree::read("(ROOT (S (NP (DT The) (NN doctor)) (VP (VBD left)) (. .)))").unwrap();
//! let words: Vec<&str> = tree.leaves().map(|leaf| leaf.word).collect();
//! assert_eq!(words, ["The", "doctor", "left", "."]);
//! assert_eq!(tree.to_string(), "(ROOT (S (NP (DT The) (NN doctor)) (VP (VBD left)) (. .)))");
//! ```

mod brackets;
mod coordinate;
mod scan;

pub use coordinate::{CoordinatedClause, ends_in_stop};
pub use scan::scan_leaves;

use std::fmt;
use std::ops::Range;

/// A bracketed tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree<'a> {
    /// In textual order; the root is first.
    nodes: Vec<Node<'a>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node<'a> {
    /// Phrase label or part of speech; empty in a binary parse.
    pub(crate) label: &'a str,
    /// The word of a leaf; `None` for a phrase.
    pub(crate) word: Option<&'a str>,
    /// The index after the last node below this one.
    pub(crate) end: usize,
    /// Its byte span in the text that it was read from, brackets included; empty in a tree that was not read.
    pub(crate) bytes: Range<usize>,
}

/// A word of a tree with its part of speech.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf<'t> {
    /// The Penn tag; empty in a binary parse.
    pub tag: &'t str,
    /// The word as in the tree (`-LRB-` for an opening bracket).
    pub word: &'t str,
}

/// Text that is not one bracketed tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// There is nothing to read.
    #[error("the tree is empty")]
    Empty,
    /// A bracket is not closed.
    #[error("the bracket at byte {0} is not closed")]
    Unclosed(usize),
    /// Something follows the tree's last bracket.
    #[error("unexpected text at byte {0}, after the end of the tree")]
    Trailing(usize),
    /// A phrase has neither words nor phrases in it.
    #[error("the phrase at byte {0} has no words")]
    NoWords(usize),
}

impl<'a> Tree<'a> {
    /// Reads a Penn-style parse such as `(ROOT (S ...))` or a binary parse such as `( ( The doctor ) ( left . ) )`.
    pub fn read(text: &'a str) -> Result<Self, TreeError> {
        let mut reader = Reader { text, at: 0, nodes: Vec::with_capacity(text.len() / 8 + 4), open: Vec::with_capacity(32) };
        reader.read()?;
        Ok(Tree { nodes: reader.nodes })
    }

    /// The words with their tags, in order.
    pub fn leaves(&self) -> impl DoubleEndedIterator<Item = Leaf<'a>> {
        self.nodes.iter().filter_map(|node| node.word.map(|word| Leaf { tag: node.label, word }))
    }

    /// The nodes in textual order; the root is first.
    pub(crate) fn nodes(&self) -> &[Node<'a>] {
        &self.nodes
    }

    /// The label of the sentence: the root's own, or that of its only child if the root is `ROOT` or has no label.
    pub fn sentence_label(&self) -> &'a str {
        let root = &self.nodes[0];
        let below = self.nodes.get(1).filter(|_| root.word.is_none() && (root.label == "ROOT" || root.label.is_empty()));
        below.map_or(root.label, |node| node.label)
    }

    /// The constituents as (label, first word, word after the last), in the order in which they open; words count from 0.
    pub fn phrases(&self) -> Vec<(&'a str, usize, usize)> {
        let mut words_before = Vec::with_capacity(self.nodes.len() + 1);
        let mut words = 0;
        for node in &self.nodes {
            words_before.push(words);
            words += usize::from(node.word.is_some());
        }
        words_before.push(words);
        let phrases = self.nodes.iter().enumerate().filter(|(_, node)| node.word.is_none());
        phrases.map(|(at, node)| (node.label, words_before[at], words_before[node.end])).collect()
    }

    /// Appends the tree to `out`.
    pub fn write(&self, out: &mut String) {
        let mut open: Vec<usize> = Vec::with_capacity(32);
        for (at, node) in self.nodes.iter().enumerate() {
            if at > 0 {
                out.push(' ');
            }
            match node.word {
                Some(word) if node.label.is_empty() => out.push_str(word),
                Some(word) => {
                    out.push('(');
                    out.push_str(node.label);
                    out.push(' ');
                    out.push_str(word);
                    out.push(')');
                }
                None => {
                    out.push('(');
                    out.push_str(node.label);
                    open.push(at);
                }
            }
            while let Some(&phrase) = open.last()
                && self.nodes[phrase].end == at + 1
            {
                out.push_str(if self.nodes[phrase].label.is_empty() { " )" } else { ")" });
                open.pop();
            }
        }
    }

    fn children(&self, at: usize) -> Vec<usize> {
        let mut children = Vec::new();
        let mut child = at + 1;
        while child < self.nodes[at].end {
            children.push(child);
            child = self.nodes[child].end;
        }
        children
    }
}

impl fmt::Display for Tree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::with_capacity(self.nodes.len() * 8);
        self.write(&mut out);
        f.write_str(&out)
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    nodes: Vec<Node<'a>>,
    /// The open brackets: index in `nodes`, byte offset.
    open: Vec<(usize, usize)>,
}

impl<'a> Reader<'a> {
    fn read(&mut self) -> Result<(), TreeError> {
        let bytes = self.text.as_bytes();
        loop {
            self.skip_space();
            let Some(&byte) = bytes.get(self.at) else { break };
            if !self.nodes.is_empty() && self.open.is_empty() {
                return Err(TreeError::Trailing(self.at));
            }
            match byte {
                b'(' => self.open_phrase(),
                b')' => self.close_phrase()?,
                _ => {
                    let start = self.at;
                    let word = self.token();
                    self.push(Node { label: "", word: Some(word), end: 0, bytes: start..self.at });
                }
            }
        }
        match self.open.last() {
            Some(&(_, byte)) => Err(TreeError::Unclosed(byte)),
            None if self.nodes.is_empty() => Err(TreeError::Empty),
            None => Ok(()),
        }
    }

    fn open_phrase(&mut self) {
        let bracket = self.at;
        self.open.push((self.nodes.len(), bracket));
        self.at += 1;
        // A binary parse has a space in place of the label.
        let label = self.token();
        self.push(Node { label, word: None, end: 0, bytes: bracket..bracket });
        if label.is_empty() {
            return;
        }
        // A bracket with a label and bare words is one leaf: `(DT The)`, and also `(NN ice cream)`.
        self.skip_space();
        let start = self.at;
        let Some(length) = memchr::memchr2(b'(', b')', &self.text.as_bytes()[start..]) else { return };
        if length == 0 || self.text.as_bytes()[start + length] == b'(' {
            return;
        }
        let word = self.text[start..start + length].trim_ascii_end();
        self.at = start + length + 1;
        self.open.pop();
        let leaf = self.nodes.len() - 1;
        self.nodes[leaf].word = Some(word);
        self.nodes[leaf].bytes.end = self.at;
    }

    fn close_phrase(&mut self) -> Result<(), TreeError> {
        let (phrase, byte) = self.open.pop().ok_or(TreeError::Trailing(self.at))?;
        if phrase + 1 == self.nodes.len() {
            return Err(TreeError::NoWords(byte));
        }
        self.nodes[phrase].end = self.nodes.len();
        self.at += 1;
        self.nodes[phrase].bytes.end = self.at;
        Ok(())
    }

    fn push(&mut self, mut node: Node<'a>) {
        node.end = self.nodes.len() + 1;
        self.nodes.push(node);
    }

    fn token(&mut self) -> &'a str {
        let rest = &self.text.as_bytes()[self.at..];
        let length = rest.iter().position(|byte| matches!(byte, b'(' | b')') || byte.is_ascii_whitespace()).unwrap_or(rest.len());
        let token = &self.text[self.at..self.at + length];
        self.at += length;
        token
    }

    fn skip_space(&mut self) {
        while self.text.as_bytes().get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, TreeError>) {
        let found = Tree::read(text).map(|tree| tree.to_string());
        assert_eq!(found, expected.map(str::to_string), "reading {text}");
    }

    #[test]
    fn trees_are_printed_as_they_were_read() {
        for text in [
            "(ROOT (S (NP (DT The) (NN doctor)) (VP (VBD left)) (. .)))",
            "( ( The doctor ) ( left . ) )",
            "(NP (DT the) (NN ice cream))",
            "Yes",
            "( Yes . )",
            "(ROOT (NP (NNP São) (NNP Paulo)))",
        ] {
            check(text, Ok(text));
        }
        check("(ROOT\n  (S (VP (VB Go))))", Ok("(ROOT (S (VP (VB Go))))"));
    }

    #[test]
    fn broken_brackets_are_refused() {
        check("", Err(TreeError::Empty));
        check("(S (NP (DT The)", Err(TreeError::Unclosed(3)));
        check("(S (NP (DT The))) )", Err(TreeError::Trailing(18)));
        check("(S (NP))", Err(TreeError::NoWords(3)));
        check(")", Err(TreeError::Trailing(0)));
    }

    #[test]
    fn phrases_know_their_words() {
        let tree = Tree::read("(ROOT (S (NP (DT The) (NN doctor)) (VP (VBD left)) (. .)))").unwrap();
        assert_eq!(tree.phrases(), [("ROOT", 0, 4), ("S", 0, 4), ("NP", 0, 2), ("VP", 2, 3)]);
        assert_eq!(tree.sentence_label(), "S");
    }

    #[test]
    fn nodes_know_their_bytes() {
        let text = "(ROOT (S (NP (NN ice cream)) (VP (VBZ melts))))";
        let tree = Tree::read(text).unwrap();
        let bytes: Vec<&str> = tree.nodes.iter().map(|node| &text[node.bytes.clone()]).collect();
        assert_eq!(bytes[1], "(S (NP (NN ice cream)) (VP (VBZ melts)))");
        assert_eq!(bytes[2..4], ["(NP (NN ice cream))", "(NN ice cream)"]);
        let binary = "( ( ice cream ) melts )";
        let tree = Tree::read(binary).unwrap();
        assert_eq!(&binary[tree.nodes[4].bytes.clone()], "melts");
    }

    #[test]
    fn unusual_spaces_are_words() {
        for text in ["\t\u{b}", "(NN \u{a0})", "(S (NN \u{2003}) (NN a))"] {
            let tree = Tree::read(text).unwrap();
            let words = |tree: &Tree| tree.leaves().map(|leaf| leaf.word.to_string()).collect::<Vec<_>>();
            assert_eq!(words(&tree.binarised()), words(&tree), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_and_what_is_read_is_stable(text in "[()A-c .é\n-]{0,40}") {
            if let Ok(tree) = Tree::read(&text) {
                let printed = tree.to_string();
                let again = Tree::read(&printed).expect("what we print can be read").to_string();
                prop_assert_eq!(printed, again);
            }
        }
    }
}
