//! Frames from a Penn tree.

use super::{Complementiser, Complements, Frame, Gap, VerbUse, is_adverbial_head, is_time};
use crate::analysis::head_child;
use crate::lemma::lemma_of;
use crate::tag::Tag;
use crate::tree::{Node, Tree};

/// The verbs of a tree with their frames, in order.
pub fn verb_uses_of_tree(tree: &Tree<'_>) -> Vec<VerbUse> {
    let view = TreeView::new(tree.nodes());
    let leaves = (0..view.nodes.len()).filter(|&at| view.nodes[at].word.is_some());
    leaves.enumerate().filter_map(|(word, at)| view.verb_use(word, at)).collect()
}

struct TreeView<'t> {
    nodes: &'t [Node<'t>],
    parents: Vec<Option<usize>>,
}

/// Who governs a verb phrase.
enum Governor {
    /// An auxiliary, by its lemma.
    Auxiliary(String),
    /// No verb: the node below which the verb phrase, or the coordination that it is part of, stands.
    Node {
        parent: usize,
        top: usize,
    },
    Nothing,
}

impl<'t> TreeView<'t> {
    fn new(nodes: &'t [Node<'t>]) -> Self {
        let (mut parents, mut open): (Vec<Option<usize>>, Vec<usize>) = (Vec::with_capacity(nodes.len()), Vec::new());
        for at in 0..nodes.len() {
            while open.last().is_some_and(|&last| nodes[last].end <= at) {
                open.pop();
            }
            parents.push(open.last().copied());
            open.push(at);
        }
        TreeView { nodes, parents }
    }

    fn children(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[at].end;
        let is_phrase = self.nodes[at].word.is_none();
        let next = move |child: usize| Some(child).filter(|&child| is_phrase && child < end);
        std::iter::successors(next(at + 1), move |&child| next(self.nodes[child].end))
    }

    /// The label without function tags.
    fn label(&self, at: usize) -> &'t str {
        self.nodes[at].label.split(['-', '=']).next().unwrap_or_default()
    }

    fn is(&self, at: usize, label: &str) -> bool {
        self.nodes[at].word.is_none() && self.label(at) == label
    }

    /// The tag of a verb.
    fn verb_tag(&self, at: usize) -> Option<Tag> {
        self.nodes[at].word.and_then(|_| Tag::from_name(self.nodes[at].label)).filter(|tag| tag.is_verb())
    }

    fn lower(&self, at: usize) -> String {
        self.nodes[at].word.unwrap_or_default().to_lowercase()
    }

    /// The head word of a phrase.
    fn head(&self, mut at: usize) -> &'t str {
        loop {
            if let Some(word) = self.nodes[at].word {
                return word;
            }
            let children: Vec<usize> = self.children(at).collect();
            let labels: Vec<&str> = children.iter().map(|&child| self.label(child)).collect();
            match children.get(head_child(self.label(at), &labels)) {
                Some(&child) => at = child,
                None => return "",
            }
        }
    }

    fn verb_use(&self, word: usize, at: usize) -> Option<VerbUse> {
        let tag = self.verb_tag(at)?;
        let phrase = self.parents[at].filter(|&parent| self.is(parent, "VP"))?;
        let form = self.nodes[at].word?;
        let lemma = lemma_of(form, tag);
        if lemma == "be" || (is_auxiliary(&lemma) && self.continues(phrase, at)) {
            return None;
        }
        let found = |frames, complementiser| Some(VerbUse { word, form: form.to_owned(), tag, frames, complementiser });
        let governor = self.governor(phrase);
        if matches!(tag, Tag::VBN | Tag::VBD) {
            match governor {
                Governor::Auxiliary(auxiliary) if matches!(auxiliary.as_str(), "be" | "get") => {
                    return found(vec![Frame::Passive], None);
                }
                Governor::Node { parent, top } if tag == Tag::VBN && self.is(parent, "NP") && self.children(parent).next() != Some(top) => {
                    return found(vec![Frame::Participle], None);
                }
                // "Advised by the lawyer, he left": neither active nor on a noun.
                Governor::Node { parent, top } if tag == Tag::VBN && !self.has_subject(parent, top) => return None,
                Governor::Nothing if tag == Tag::VBN => return None,
                _ => {}
            }
        }
        let mut complements = self.complements(phrase, at);
        complements.gap = self.gap(phrase);
        found(complements.frames(), complements.clause)
    }

    /// Whether a verb phrase goes on with the verb's own inner verb phrase, as auxiliaries do.
    fn continues(&self, phrase: usize, verb: usize) -> bool {
        let after = self.children(phrase).filter(|&child| child > verb);
        after.take_while(|&child| self.label(child) != "CC").any(|child| self.is(child, "VP"))
    }

    fn governor(&self, phrase: usize) -> Governor {
        let mut top = phrase;
        while let Some(parent) = self.parents[top] {
            if !matches!(self.label(parent), "VP" | "SQ" | "SINV" | "SBARQ") {
                return Governor::Node { parent, top };
            }
            let before = self.children(parent).take_while(|&child| child < top);
            let verb = before.filter(|&child| self.verb_tag(child).is_some() || self.nodes[child].label == "MD").last();
            match verb {
                // "ran and was helped": a verb before a conjunction is no auxiliary.
                Some(verb) if self.children(parent).any(|child| child > verb && child < top && self.label(child) == "CC") => {}
                Some(verb) => {
                    let tag = self.verb_tag(verb).unwrap_or(Tag::MD);
                    return Governor::Auxiliary(lemma_of(self.nodes[verb].word.unwrap_or_default(), tag));
                }
                None if self.label(parent) != "VP" => return Governor::Node { parent, top },
                None => {}
            }
            top = parent;
        }
        Governor::Nothing
    }

    /// Whether a noun phrase stands before the verb phrase in its clause.
    fn has_subject(&self, clause: usize, verb_phrase: usize) -> bool {
        let before = self.children(clause).take_while(|&child| child < verb_phrase);
        matches!(self.label(clause), "S" | "SQ" | "SINV")
            && before.into_iter().any(|child| self.is(child, "NP") && !self.is_time_phrase(child))
    }

    fn is_time_phrase(&self, at: usize) -> bool {
        self.nodes[at].label == "NP-TMP" || is_time(self.head(at))
    }

    fn complements(&self, phrase: usize, verb: usize) -> Complements {
        let mut found = Complements::default();
        let mut after_comma = false;
        for child in self.children(phrase).filter(|&child| child > verb) {
            match self.label(child) {
                "," => after_comma = true,
                _ if self.nodes[child].word.is_some() => {}
                "NP" if !self.is_time_phrase(child) => found.has_object = true,
                "SBAR" => self.subordinate(child, &mut found),
                "S" => self.bare_clause(child, after_comma, &mut found),
                // "helped build a house"; after a conjunction it is another predicate.
                "VP" => found.has_other |= self.continues(phrase, verb),
                _ => {}
            }
        }
        found
    }

    fn subordinate(&self, at: usize, found: &mut Complements) {
        let Some(first) = self.children(at).next() else { return };
        match (self.label(first), self.nodes[first].word.is_some()) {
            ("IN" | "DT" | "WDT", true) if self.lower(first) == "that" => found.clause = Some(Complementiser::That),
            ("IN", true) if self.lower(first) == "whether" => found.has_other = true,
            ("S", false) => self.bare_clause(first, false, found),
            ("SBAR", false) => self.subordinate(first, found),
            // A clause of time says nothing of what the verb takes: "slept when it rained".
            ("WHADVP", false) if self.head(first).eq_ignore_ascii_case("when") => {}
            ("WHNP" | "WHADVP" | "WHPP" | "WHADJP", false) => found.has_other = true,
            _ => {}
        }
    }

    fn bare_clause(&self, at: usize, after_comma: bool, found: &mut Complements) {
        let predicate = self.children(at).find(|&child| self.is(child, "VP"));
        match predicate {
            Some(predicate) if self.has_subject(at, predicate) && self.is_finite(predicate) => found.clause = Some(Complementiser::Bare),
            // "saw the judge leave", "helped him up".
            Some(predicate) if self.has_subject(at, predicate) => found.has_object = true,
            // "ran, shouting": beside the verb, not with it.
            Some(_) => found.has_other |= !after_comma,
            None => match self.children(at).find(|&child| self.is(child, "S")) {
                Some(inner) => self.bare_clause(inner, after_comma, found),
                None => found.has_object |= self.children(at).any(|child| self.is(child, "NP")),
            },
        }
    }

    fn is_finite(&self, verb_phrase: usize) -> bool {
        let first = self
            .children(verb_phrase)
            .find(|&child| self.is(child, "VP") || self.verb_tag(child).is_some() || matches!(self.nodes[child].label, "MD" | "TO"));
        match first {
            Some(inner) if self.is(inner, "VP") => self.is_finite(inner),
            Some(verb) => matches!(self.nodes[verb].label, "VBD" | "VBZ" | "VBP" | "MD"),
            None => false,
        }
    }

    /// Where the object of a verb phrase may be, if not inside it.
    fn gap(&self, phrase: usize) -> Gap {
        let mut top = phrase;
        let mut is_infinitive = false;
        let clause = loop {
            let Some(parent) = self.parents[top] else { return Gap::None };
            match self.label(parent) {
                "VP" => is_infinitive |= self.children(parent).any(|child| child < top && self.nodes[child].label == "TO"),
                "S" | "SQ" if self.has_subject(parent, top) => break parent,
                // "the man who he wanted to see": the infinitive has no subject of its own.
                "S" if self.parents[parent].is_some_and(|above| self.is(above, "VP")) => {}
                // "a book to read".
                "S" if is_infinitive && self.is_relative(parent) => return Gap::Unknown,
                _ => return Gap::None,
            }
            top = parent;
        };
        let Some(above) = self.parents[clause].filter(|&above| matches!(self.label(above), "SBAR" | "SBARQ")) else { return Gap::None };
        let introduced = self.children(above).next().filter(|&first| first != clause);
        let is_gapped = match introduced {
            Some(first) => self.is(first, "WHNP"),
            None => self.modifies_noun(above),
        };
        if !is_gapped {
            return Gap::None;
        }
        if self.strands_preposition(phrase) { Gap::Unknown } else { Gap::Object }
    }

    /// Whether an infinitive without a subject modifies a noun.
    fn is_relative(&self, clause: usize) -> bool {
        let above = self.parents[clause];
        let above = above.filter(|&above| self.is(above, "SBAR")).map_or(above, |above| self.parents[above]);
        above.is_some_and(|above| self.is(above, "NP"))
    }

    /// Whether a clause without a pronoun modifies a noun: `the judge the doctor saw`, but not `the day the doctor left`.
    fn modifies_noun(&self, clause: usize) -> bool {
        let Some(above) = self.parents[clause].filter(|&above| self.is(above, "NP")) else { return false };
        let noun = self.children(above).find(|&child| self.is(child, "NP") && child < clause);
        noun.is_some_and(|noun| !is_adverbial_head(self.head(noun)))
    }

    /// `the chair he sat on`: a preposition without its noun phrase.
    fn strands_preposition(&self, phrase: usize) -> bool {
        self.children(phrase).any(|child| {
            let alone = self.is(child, "PP") && self.children(child).all(|part| self.nodes[part].word.is_some());
            alone
                || (self.nodes[child].word.is_some()
                    && matches!(self.nodes[child].label, "IN" | "TO")
                    && self.children(phrase).last() == Some(child))
        })
    }
}

fn is_auxiliary(lemma: &str) -> bool {
    matches!(lemma, "be" | "have" | "do" | "get")
}
