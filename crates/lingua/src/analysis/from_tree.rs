//! Grammatical functions from a Penn tree.

use super::{Analysis, Clause, Constituent, ConstituentKind, Modifier, ModifierKind, Phrase, Voice, head_child};
use crate::{tag::Tag, tree::Tree};

/// A phrase or a word of the tree.
struct Node<'t> {
    label: &'t str,
    start: usize,
    end: usize,
    children: Vec<usize>,
    /// The head word.
    head: usize,
    is_word: bool,
}

const COPULAS: &[&str] =
    &["be", "is", "are", "was", "were", "am", "been", "being", "'s", "'re", "'m", "seems", "seem", "seemed", "becomes", "became", "become"];
const BE: &[&str] = &["be", "is", "are", "was", "were", "am", "been", "being", "'s", "'re", "'m", "get", "gets", "got", "getting"];
const TIMES: &[&str] = &[
    "today",
    "tomorrow",
    "yesterday",
    "tonight",
    "day",
    "week",
    "month",
    "year",
    "morning",
    "afternoon",
    "evening",
    "night",
    "time",
    "times",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "days",
    "weeks",
    "months",
    "years",
    "hour",
    "hours",
];

impl Analysis {
    /// Converts a Penn tree; a binary parse has no labels, so it only gives words.
    pub fn from_tree(tree: &Tree) -> Analysis {
        let leaves: Vec<_> = tree.leaves().collect();
        let words = leaves.iter().map(|leaf| (leaf.word.to_owned(), Tag::from_name(leaf.tag))).collect();
        let mut analysis = Analysis { words, ..Analysis::default() };
        let nodes = nodes(tree);
        for (at, node) in nodes.iter().enumerate().filter(|(_, node)| !node.is_word) {
            if let Some(kind) = ConstituentKind::from_label(node.label) {
                analysis.constituents.push(Constituent { kind, phrase: phrase(node) });
            }
            match node.label.split('-').next().unwrap_or_default() {
                "VP" => analysis.clauses.extend(clause(&nodes, at, &leaves)),
                "NP" => modifiers_of_noun(&nodes, node, &mut analysis.modifiers),
                _ => {}
            }
            if matches!(node.label, "VP" | "S" | "SINV" | "SQ") {
                modifiers_of_verb(&nodes, node, &leaves, &mut analysis.modifiers);
            }
        }
        analysis.sorted()
    }
}

fn phrase(node: &Node) -> Phrase {
    Phrase { head: node.head, start: node.start, end: node.end }
}

/// The tree as a list of nodes, parents before children.
fn nodes<'t>(tree: &'t Tree) -> Vec<Node<'t>> {
    let phrases = tree.phrases();
    let leaves: Vec<_> = tree.leaves().collect();
    let mut nodes: Vec<Node> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut next_phrase = phrases.iter().peekable();
    for (place, leaf) in leaves.iter().enumerate() {
        while open.last().is_some_and(|&last| nodes[last].end <= place) {
            open.pop();
        }
        while let Some(&&(label, start, end)) = next_phrase.peek().filter(|(_, start, _)| *start <= place) {
            next_phrase.next();
            add(&mut nodes, &open, Node { label, start, end, children: Vec::new(), head: start, is_word: false });
            open.push(nodes.len() - 1);
        }
        add(&mut nodes, &open, Node { label: leaf.tag, start: place, end: place + 1, children: Vec::new(), head: place, is_word: true });
    }
    // Children follow their parents, so going backwards every child's head is known.
    for at in (0..nodes.len()).rev() {
        if nodes[at].is_word {
            continue;
        }
        let labels: Vec<&str> = nodes[at].children.iter().map(|&child| nodes[child].label.split('-').next().unwrap_or_default()).collect();
        let head = nodes[at].children.get(head_child(nodes[at].label, &labels)).map(|&child| nodes[child].head);
        nodes[at].head = head.unwrap_or(nodes[at].start);
    }
    nodes
}

fn add<'t>(nodes: &mut Vec<Node<'t>>, open: &[usize], node: Node<'t>) {
    if let Some(&parent) = open.last() {
        let number = nodes.len();
        nodes[parent].children.push(number);
    }
    nodes.push(node);
}

fn parent_of(nodes: &[Node], at: usize) -> Option<usize> {
    (0..at).rev().find(|&node| nodes[node].children.contains(&at))
}

/// The clause of a verb phrase, unless its main verb is in a verb phrase inside it.
fn clause(nodes: &[Node], at: usize, leaves: &[crate::tree::Leaf]) -> Option<Clause> {
    let node = &nodes[at];
    let lower = |word: usize| leaves[word].word.to_lowercase();
    let is_verb = |child: usize| Tag::from_name(nodes[child].label).is_some_and(Tag::is_verb);
    let inner = |child: &&usize| nodes[**child].label == "VP";
    // "is selling": the main verb is in the inner phrase. "ran and sat": the outer phrase has no verb of its own.
    let verb = node.children.iter().copied().find(|&child| nodes[child].is_word && is_verb(child))?;
    if node.children.iter().filter(inner).any(|&child| child > verb) {
        return None;
    }
    let verb_word = nodes[verb].start;
    // Up through auxiliaries and coordination to the clause.
    let mut top = at;
    let mut passive = false;
    while let Some(parent) = parent_of(nodes, top).filter(|&parent| nodes[parent].label == "VP") {
        let auxiliary = nodes[parent].children.iter().rev().copied().find(|&child| child < top && nodes[child].is_word && is_verb(child));
        passive |= top == at
            && nodes[verb].label == "VBN"
            && auxiliary.is_some_and(|auxiliary| BE.contains(&lower(nodes[auxiliary].start).as_str()));
        top = parent;
    }
    let subject = parent_of(nodes, top).filter(|&parent| nodes[parent].label.starts_with('S')).and_then(|parent| {
        let before =
            |child: &&usize| **child < top && nodes[**child].label.split('-').next() == Some("NP") && !is_time(nodes, **child, leaves);
        nodes[parent].children.iter().rev().find(before).map(|&child| phrase(&nodes[child]))
    });
    let copular = COPULAS.contains(&lower(verb_word).as_str());
    let object = node
        .children
        .iter()
        .find(|&&child| child > verb && nodes[child].label.split('-').next() == Some("NP") && !is_time(nodes, child, leaves))
        .filter(|_| !copular && !passive)
        .map(|&child| phrase(&nodes[child]));
    let voice = if passive {
        Voice::Passive
    } else if copular {
        Voice::Copular
    } else {
        Voice::Active
    };
    Some(Clause { verb: verb_word, subject, object, voice })
}

fn is_time(nodes: &[Node], at: usize, leaves: &[crate::tree::Leaf]) -> bool {
    nodes[at].label == "NP-TMP" || TIMES.contains(&leaves[nodes[at].head].word.to_lowercase().as_str())
}

fn modifiers_of_noun(nodes: &[Node], node: &Node, modifiers: &mut Vec<Modifier>) {
    for &child in &node.children {
        let child = &nodes[child];
        let kind = match child.label {
            "JJ" | "JJR" | "JJS" | "ADJP" | "VBN" | "VBG" => ModifierKind::Adjective,
            "CD" | "QP" => ModifierKind::Number,
            "NN" | "NNS" | "NNP" | "NNPS" => ModifierKind::Noun,
            _ => continue,
        };
        if child.head < node.head {
            modifiers.push(Modifier { word: child.head, head: node.head, kind });
        }
    }
}

fn modifiers_of_verb(nodes: &[Node], node: &Node, leaves: &[crate::tree::Leaf], modifiers: &mut Vec<Modifier>) {
    // An adverb modifies the last verb of a chain of auxiliaries.
    let mut verb = node;
    while let Some(&inner) = verb.children.iter().find(|&&child| nodes[child].label == "VP") {
        verb = &nodes[inner];
    }
    for &child in &node.children {
        let child = &nodes[child];
        let negates = matches!(leaves[child.head].word.to_lowercase().as_str(), "not" | "n't");
        if matches!(child.label, "ADVP" | "RB") && verb.head != child.head && !negates {
            modifiers.push(Modifier { word: child.head, head: verb.head, kind: ModifierKind::Adverb });
        }
    }
}
