//! Joining a clause to a sentence, before its final punctuation: `He left .` and `and true is true` give `He left and true is true .`

use super::{Node, Tree};
use std::borrow::Cow;

/// A clause to be joined to sentences, as it stands in either kind of tree.
#[derive(Debug, Clone)]
pub struct Clause {
    /// The conjunction's leaf and the clause, once labelled and once binary.
    labelled: Vec<Node<'static>>,
    binary: Vec<Node<'static>>,
}

impl Clause {
    /// A clause from its conjunction and its Penn-style parse; the binary form follows from the parse.
    pub fn new(conjunction: &str, parse: &Tree<'_>) -> Self {
        let leaf = |label: &str| Node { label: Cow::Owned(label.to_string()), word: Some(Cow::Owned(conjunction.to_string())), end: 1 };
        let owned = |node: &Node<'_>| Node {
            label: Cow::Owned(node.label.to_string()),
            word: node.word.as_ref().map(|word| Cow::Owned(word.to_string())),
            end: node.end + 1,
        };
        let mut labelled = vec![leaf("CC")];
        labelled.extend(parse.nodes.iter().map(owned));
        let mut binary = vec![leaf("")];
        binary.extend(parse.binarised().nodes.iter().map(owned));
        Clause { labelled, binary }
    }
}

impl<'a> Tree<'a> {
    /// The tree without labels and one-child phrases, every phrase with more than two parts branching to the right.
    pub fn binarised(&self) -> Tree<'static> {
        let mut nodes = Vec::with_capacity(self.nodes.len());
        self.binarise_into(0, &mut nodes);
        Tree { nodes }
    }

    fn binarise_into(&self, at: usize, out: &mut Vec<Node<'static>>) {
        if let Some(word) = &self.nodes[at].word {
            // A leaf of two words (`ice cream`) is two words to a binary parse.
            let words: Vec<&str> = word.split_whitespace().collect();
            return branch_right(words.len(), out, &mut |n, out| {
                let end = out.len() + 1;
                out.push(Node { label: Cow::Borrowed(""), word: Some(Cow::Owned(words[n].to_string())), end });
            });
        }
        let children = self.children(at);
        branch_right(children.len(), out, &mut |n, out| self.binarise_into(children[n], out));
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

    /// The sentence with the clause before its final punctuation, or at its end where it has none; `None` for a tree without words.
    ///
    /// A labelled tree becomes a coordination of its own kind, `(S (S ..) (CC and) (S ..) (. .))`; a binary one branches to the right.
    pub fn joined(&self, clause: &Clause) -> Option<Tree<'a>> {
        let stop = self.final_punctuation();
        if stop == Some(self.first_leaf()) {
            return None;
        }
        let binary = self.nodes.iter().all(|node| node.label.is_empty());
        Some(if binary { self.joined_binary(clause, stop) } else { self.joined_labelled(clause, stop) })
    }

    fn joined_labelled(&self, clause: &Clause, stop: Option<usize>) -> Tree<'a> {
        let (phrase, place) = match stop {
            Some(stop) => (self.parent(stop).unwrap_or(0), stop),
            None => {
                let sentence = usize::from(self.nodes.len() > 1 && self.nodes[0].label == "ROOT" && self.nodes[1].word.is_none());
                (sentence, self.nodes[sentence].end)
            }
        };
        // The first part of the coordination: what stood in the phrase before the stop.
        let label = match self.nodes[phrase].label.as_ref() {
            "ROOT" | "" => Cow::Borrowed("FRAG"),
            _ => self.nodes[phrase].label.clone(),
        };
        let added = 1 + clause.labelled.len();
        let mut nodes = Vec::with_capacity(self.nodes.len() + added);
        nodes.extend(self.nodes[..=phrase].iter().map(|node| shifted(node, if node.end > phrase + 1 { added } else { 0 })));
        nodes.push(Node { label, word: None, end: place + 1 });
        nodes.extend(self.nodes[phrase + 1..place].iter().map(|node| shifted(node, if node.end > place { added } else { 1 })));
        nodes.extend(clause.labelled.iter().map(|node| shifted(node, place + 1)));
        nodes.extend(self.nodes[place..].iter().map(|node| shifted(node, added)));
        Tree { nodes }
    }

    fn joined_binary(&self, clause: &Clause, stop: Option<usize>) -> Tree<'a> {
        let mut nodes = Vec::with_capacity(self.nodes.len() + clause.binary.len() + 6);
        let phrase = |nodes: &mut Vec<Node<'a>>| nodes.push(Node { label: Cow::Borrowed(""), word: None, end: 0 });
        phrase(&mut nodes);
        self.without_from(stop, &mut nodes);
        let second = nodes.len();
        phrase(&mut nodes);
        nodes.push(shifted(&clause.binary[0], nodes.len()));
        let stops: Vec<&Node<'a>> = self.nodes[stop.unwrap_or(self.nodes.len())..].iter().filter(|node| node.word.is_some()).collect();
        let third = (!stops.is_empty()).then(|| {
            phrase(&mut nodes);
            nodes.len() - 1
        });
        let base = nodes.len();
        nodes.extend(clause.binary[1..].iter().map(|node| Node { end: node.end - 1 + base, ..node.clone() }));
        branch_right(stops.len(), &mut nodes, &mut |n, nodes| {
            let end = nodes.len() + 1;
            nodes.push(Node { end, ..stops[n].clone() });
        });
        let end = nodes.len();
        for at in [Some(0), Some(second), third].into_iter().flatten() {
            nodes[at].end = end;
        }
        Tree { nodes }
    }

    /// Copies the tree up to the leaf at `stop`, which with all that follows is left out; the phrase that it leaves with one part goes.
    fn without_from(&self, stop: Option<usize>, out: &mut Vec<Node<'a>>) {
        let base = out.len();
        let Some(stop) = stop else {
            out.extend(self.nodes.iter().map(|node| shifted(node, base)));
            return;
        };
        // Phrases that hold nothing but punctuation go with it.
        let mut cut = stop;
        while let Some(parent) = self.parent(cut)
            && parent + 1 == cut
        {
            cut = parent;
        }
        let dropped = self.parent(cut);
        for (at, node) in self.nodes[..cut].iter().enumerate() {
            if Some(at) == dropped {
                continue;
            }
            let past = |place: usize| usize::from(dropped.is_some_and(|dropped| place > dropped));
            out.push(Node { end: base + node.end.min(cut) - past(node.end.min(cut)), ..node.clone() });
        }
    }

    /// The first leaf of the punctuation that ends the sentence.
    fn final_punctuation(&self) -> Option<usize> {
        let leaves = self.nodes.iter().enumerate().rev().filter_map(|(at, node)| node.word.as_deref().map(|word| (at, node, word)));
        let punctuation = leaves.take_while(|(_, node, word)| is_final_punctuation(&node.label, word));
        punctuation.last().map(|(at, ..)| at)
    }

    fn first_leaf(&self) -> usize {
        self.nodes.iter().position(|node| node.word.is_some()).unwrap_or(0)
    }
}

/// Stops and whatever may close a sentence behind them; a word such as `U.S.` is none.
fn is_final_punctuation(tag: &str, word: &str) -> bool {
    let by_tag = matches!(tag, "." | "''" | "``" | "-RRB-");
    by_tag || matches!(word, "-RRB-") || word.chars().all(|c| matches!(c, '.' | '!' | '?' | '"' | '\'' | '`' | ')' | ']' | '…' | '”' | '’'))
}

fn shifted<'a>(node: &Node<'a>, by: usize) -> Node<'a> {
    Node { end: node.end + by, ..node.clone() }
}

/// Writes `count` parts as `( 0 ( 1 ( 2 .. ) ) )`; one part stands alone.
fn branch_right<'a>(count: usize, out: &mut Vec<Node<'a>>, part: &mut dyn FnMut(usize, &mut Vec<Node<'a>>)) {
    let mut open = Vec::with_capacity(count);
    for n in 0..count {
        if n + 1 < count {
            open.push(out.len());
            out.push(Node { label: Cow::Borrowed(""), word: None, end: 0 });
        }
        part(n, out);
    }
    let end = out.len();
    for at in open {
        out[at].end = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sentence: &str, expected: Option<&str>) {
        let parse = Tree::read("(S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true))))").unwrap();
        let clause = Clause::new("and", &parse);
        let joined = Tree::read(sentence).unwrap().joined(&clause).map(|tree| tree.to_string());
        assert_eq!(joined.as_deref(), expected);
        if let Some(joined) = joined {
            assert_eq!(Tree::read(&joined).unwrap(), Tree::read(sentence).unwrap().joined(&clause).unwrap(), "node ends are right");
        }
    }

    #[test]
    fn the_clause_stands_before_the_final_stop() {
        check(
            "(ROOT (S (NP (PRP He)) (VP (VBD left)) (. .)))",
            Some("(ROOT (S (S (NP (PRP He)) (VP (VBD left))) (CC and) (S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true)))) (. .)))"),
        );
        check("( He ( left . ) )", Some("( ( He left ) ( and ( ( true ( is true ) ) . ) ) )"));
    }

    #[test]
    fn closing_quotes_stay_behind_the_stop() {
        check(
            "(ROOT (S (`` ``) (NP (PRP He)) (VP (VBD left)) (. .) ('' '')))",
            Some(
                "(ROOT (S (S (`` ``) (NP (PRP He)) (VP (VBD left))) (CC and) (S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true)))) (. .) ('' '')))",
            ),
        );
        check("( `` ( He ( left ( . '' ) ) ) )", Some("( ( `` ( He left ) ) ( and ( ( true ( is true ) ) ( . '' ) ) ) )"));
    }

    #[test]
    fn without_a_stop_the_clause_stands_at_the_end() {
        check(
            "(ROOT (NP (DT A) (NN dog)))",
            Some("(ROOT (NP (NP (DT A) (NN dog)) (CC and) (S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true))))))"),
        );
        check("( A dog )", Some("( ( A dog ) ( and ( true ( is true ) ) ) )"));
        check("Yes", Some("( Yes ( and ( true ( is true ) ) ) )"));
    }

    #[test]
    fn a_sentence_of_stops_has_no_place_for_a_clause() {
        check("(ROOT (. .))", None);
        check("( . . )", None);
    }

    #[test]
    fn phrases_with_more_than_two_parts_branch_to_the_right() {
        let tree = Tree::read("(ROOT (S (NP (DT The) (NN ice cream)) (VP (VBD was) (VP (VBN eaten))) (. .)))").unwrap();
        assert_eq!(tree.binarised().to_string(), "( ( The ( ice cream ) ) ( ( was eaten ) . ) )");
    }
}
