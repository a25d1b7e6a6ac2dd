//! Joining a clause to a sentence, before its final punctuation: `He left .` and `and true is true` give `He left and true is true .`

use super::{Node, Tree};
use std::borrow::Cow;

/// A clause to be joined to sentences, as it stands in either kind of tree.
#[derive(Debug, Clone)]
pub struct Clause {
    /// Conjunction and clause in turn, as in a Penn-style parse.
    labelled: Vec<Node<'static>>,
    /// The same parts as in a binary parse.
    binary: Vec<Tree<'static>>,
}

impl Clause {
    /// A clause from its conjunction and its Penn-style parse, said so many times; the binary form follows from the parse.
    pub fn new(conjunction: &str, parse: &Tree<'_>, times: usize) -> Self {
        let leaf = |label: &str| Node { label: Cow::Owned(label.to_string()), word: Some(Cow::Owned(conjunction.to_string())), end: 1 };
        let mut labelled: Vec<Node<'static>> = Vec::new();
        let mut binary = Vec::new();
        for _ in 0..times {
            labelled.push(Node { end: labelled.len() + 1, ..leaf("CC") });
            let base = labelled.len();
            labelled.extend(parse.nodes.iter().map(|node| Node { end: node.end + base, ..node.clone().into_owned() }));
            binary.push(Tree { nodes: vec![leaf("")] });
            binary.push(parse.binarised());
        }
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
            return branch_right(words.len(), out, |n, out| {
                let end = out.len() + 1;
                out.push(Node { label: Cow::Borrowed(""), word: Some(Cow::Owned(words[n].to_string())), end });
            });
        }
        let children = self.children(at);
        branch_right(children.len(), out, |n, out| self.binarise_into(children[n], out));
    }

    /// The sentence with the clause before its final punctuation, or at its end where it has none; `None` for a tree without words.
    ///
    /// A labelled tree becomes a coordination of its own kind, `(S (S ..) (CC and) (S ..) (. .))`; a binary one branches to the right.
    pub fn joined<'b>(&'b self, clause: &'b Clause) -> Option<Tree<'b>> {
        let stop = self.final_punctuation();
        if stop == self.nodes.iter().position(|node| node.word.is_some()) {
            return None;
        }
        let binary = self.nodes.iter().all(|node| node.label.is_empty());
        Some(if binary { self.joined_binary(clause, stop) } else { self.joined_labelled(clause, stop) })
    }

    /// Whether the sentence ends in a stop, an exclamation mark, a question mark or an ellipsis, quotes and brackets aside.
    pub fn ends_in_stop(&self) -> bool {
        self.final_punctuation().is_some_and(|at| {
            self.nodes[at..].iter().filter_map(|node| node.word.as_deref()).any(|word| word.contains(['.', '!', '?', '…']))
        })
    }

    fn joined_labelled<'b>(&'b self, clause: &'b Clause, stop: Option<usize>) -> Tree<'b> {
        let (phrase, place) = match stop {
            Some(stop) => (self.parent(stop).unwrap_or(0), stop),
            None => {
                let sentence = usize::from(self.nodes.len() > 1 && self.nodes[0].label == "ROOT" && self.nodes[1].word.is_none());
                (sentence, self.nodes[sentence].end)
            }
        };
        // The first part of the coordination: what stood in the phrase before the stop.
        let label = match self.nodes[phrase].label.as_ref() {
            "ROOT" | "" => "FRAG",
            label => label,
        };
        let added = 1 + clause.labelled.len();
        let mut nodes = Vec::with_capacity(self.nodes.len() + added);
        nodes.extend(self.nodes[..=phrase].iter().map(|node| node.moved(if node.end > phrase + 1 { added } else { 0 })));
        nodes.push(Node { label: Cow::Borrowed(label), word: None, end: place + 1 });
        nodes.extend(self.nodes[phrase + 1..place].iter().map(|node| node.moved(if node.end > place { added } else { 1 })));
        nodes.extend(clause.labelled.iter().map(|node| node.moved(place + 1)));
        nodes.extend(self.nodes[place..].iter().map(|node| node.moved(added)));
        Tree { nodes }
    }

    fn joined_binary<'b>(&'b self, clause: &'b Clause, stop: Option<usize>) -> Tree<'b> {
        let stops: Vec<usize> = (stop.unwrap_or(self.nodes.len())..self.nodes.len()).filter(|&at| self.nodes[at].word.is_some()).collect();
        let mut nodes = Vec::with_capacity(self.nodes.len() + 5 * clause.binary.len() + 6);
        branch_right(1 + clause.binary.len() + stops.len(), &mut nodes, |part, nodes| {
            let base = nodes.len();
            match part.checked_sub(1) {
                None => self.copy_before(stop, nodes),
                Some(n) if n < clause.binary.len() => nodes.extend(clause.binary[n].nodes.iter().map(|node| node.moved(base))),
                Some(n) => nodes.push(Node { end: base + 1, ..self.nodes[stops[n - clause.binary.len()]].moved(0) }),
            }
        });
        Tree { nodes }
    }

    /// Copies the tree up to the leaf at `stop`, which with all that follows is left out; the phrase that it leaves with one part goes.
    fn copy_before<'b>(&'b self, stop: Option<usize>, out: &mut Vec<Node<'b>>) {
        let base = out.len();
        let Some(stop) = stop else {
            out.extend(self.nodes.iter().map(|node| node.moved(base)));
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
            let end = node.end.min(cut);
            let end = end - usize::from(dropped.is_some_and(|dropped| end > dropped));
            out.push(Node { end: base + end, ..node.moved(0) });
        }
    }

    /// The first leaf of the punctuation that ends the sentence.
    fn final_punctuation(&self) -> Option<usize> {
        let leaves = self.nodes.iter().enumerate().rev().filter_map(|(at, node)| node.word.as_deref().map(|word| (at, node, word)));
        let punctuation = leaves.take_while(|(_, node, word)| is_final_punctuation(&node.label, word));
        punctuation.last().map(|(at, ..)| at)
    }
}

/// Stops and whatever may close a sentence behind them; a word such as `U.S.` is none.
fn is_final_punctuation(tag: &str, word: &str) -> bool {
    let closes = |c| matches!(c, '.' | '!' | '?' | '"' | '\'' | '`' | ')' | ']' | '…' | '”' | '’');
    matches!(tag, "." | "''" | "``" | "-RRB-") || word == "-RRB-" || word.chars().all(closes)
}

/// Writes `count` parts as `( 0 ( 1 ( 2 .. ) ) )`; one part stands alone.
fn branch_right<'a>(count: usize, out: &mut Vec<Node<'a>>, mut part: impl FnMut(usize, &mut Vec<Node<'a>>)) {
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
    fn check(sentence: &str, times: usize, expected: Option<&str>) {
        let parse = Tree::read("(S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true))))").unwrap();
        let clause = Clause::new("and", &parse, times);
        let sentence = Tree::read(sentence).unwrap();
        let joined = sentence.joined(&clause);
        let printed = joined.as_ref().map(|tree| tree.to_string());
        assert_eq!(printed.as_deref(), expected);
        if let Some(printed) = &printed {
            assert_eq!(Tree::read(printed).ok(), joined, "node ends are right");
        }
    }

    #[test]
    fn the_clause_stands_before_the_final_stop() {
        check(
            "(ROOT (S (NP (PRP He)) (VP (VBD left)) (. .)))",
            1,
            Some("(ROOT (S (S (NP (PRP He)) (VP (VBD left))) (CC and) (S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true)))) (. .)))"),
        );
        check("( He ( left . ) )", 1, Some("( ( He left ) ( and ( ( true ( is true ) ) . ) ) )"));
    }

    #[test]
    fn closing_quotes_stay_behind_the_stop() {
        check(
            "(ROOT (S (`` ``) (NP (PRP He)) (VP (VBD left)) (. .) ('' '')))",
            1,
            Some(
                "(ROOT (S (S (`` ``) (NP (PRP He)) (VP (VBD left))) (CC and) (S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true)))) (. .) ('' '')))",
            ),
        );
        check("( `` ( He ( left ( . '' ) ) ) )", 1, Some("( ( `` ( He left ) ) ( and ( ( true ( is true ) ) ( . '' ) ) ) )"));
    }

    #[test]
    fn without_a_stop_the_clause_stands_at_the_end() {
        check(
            "(ROOT (NP (DT A) (NN dog)))",
            1,
            Some("(ROOT (NP (NP (DT A) (NN dog)) (CC and) (S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true))))))"),
        );
        check("( A dog )", 1, Some("( ( A dog ) ( and ( true ( is true ) ) ) )"));
        check("Yes", 1, Some("( Yes ( and ( true ( is true ) ) ) )"));
    }

    #[test]
    fn a_clause_can_be_said_twice() {
        check("( He left )", 2, Some("( ( He left ) ( and ( ( true ( is true ) ) ( and ( true ( is true ) ) ) ) ) )"));
        check(
            "(S (NP (PRP He)) (VP (VBD left)))",
            2,
            Some(
                "(S (S (NP (PRP He)) (VP (VBD left))) (CC and) (S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true)))) (CC and) (S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true)))))",
            ),
        );
    }

    #[test]
    fn a_sentence_of_stops_has_no_place_for_a_clause() {
        check("(ROOT (. .))", 1, None);
        check("( . . )", 1, None);
    }

    #[test]
    fn phrases_with_more_than_two_parts_branch_to_the_right() {
        let tree = Tree::read("(ROOT (S (NP (DT The) (NN ice cream)) (VP (VBD was) (VP (VBN eaten))) (. .)))").unwrap();
        assert_eq!(tree.binarised().to_string(), "( ( The ( ice cream ) ) ( ( was eaten ) . ) )");
    }
}
