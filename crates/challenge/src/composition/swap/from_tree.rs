//! The core of a sentence from the Penn-style parse of the corpus.

use super::core::{Core, Form, Nominal, Rest};
use super::lists::{self, Lists};
use super::reasons::*;
use crate::NotApplicable;
use acidtest_lingua::Tree;
use acidtest_lingua::tree::Leaf;

/// The core of the main clause.
pub(super) fn core(tree: &Tree<'_>, leaves: &[Leaf<'_>]) -> Result<Core, NotApplicable> {
    let phrases = Phrases::of(tree, leaves);
    if phrases.phrases.is_empty() { Err(NO_CLAUSE) } else { phrases.core() }
}

/// The phrases of a tree in the order in which they open, with their parents.
struct Phrases<'t> {
    phrases: Vec<Phrase<'t>>,
    leaves: &'t [Leaf<'t>],
}

struct Phrase<'t> {
    label: &'t str,
    start: usize,
    end: usize,
    parent: usize,
}

/// A child of a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    Phrase(usize),
    Word(usize),
}

impl<'t> Phrases<'t> {
    fn of(tree: &Tree<'t>, leaves: &'t [Leaf<'t>]) -> Self {
        let mut phrases: Vec<Phrase<'t>> = Vec::with_capacity(24);
        for (label, start, end) in tree.phrases() {
            let mut parent = phrases.len().saturating_sub(1);
            while parent > 0 && phrases[parent].end <= start {
                parent = phrases[parent].parent;
            }
            phrases.push(Phrase { label: label.split(['-', '=']).next().unwrap_or_default(), start, end, parent });
        }
        Phrases { phrases, leaves }
    }

    fn items(&self, at: usize) -> Vec<Item> {
        let phrase = &self.phrases[at];
        let mut items = Vec::with_capacity(4);
        let (mut word, mut child) = (phrase.start, at + 1);
        while word < phrase.end {
            while child < self.phrases.len() && self.phrases[child].parent != at {
                child += 1;
            }
            match self.phrases.get(child).filter(|found| found.start == word) {
                Some(found) => {
                    items.push(Item::Phrase(child));
                    word = found.end;
                    child += 1;
                }
                None => {
                    items.push(Item::Word(word));
                    word += 1;
                }
            }
        }
        items
    }

    fn label(&self, item: Item) -> &'t str {
        match item {
            Item::Phrase(at) => self.phrases[at].label,
            Item::Word(at) => self.leaves[at].tag,
        }
    }

    fn tag(&self, word: usize) -> &'t str {
        self.leaves[word].tag
    }

    fn lower_is(&self, word: usize, other: &str) -> bool {
        self.leaves[word].word.eq_ignore_ascii_case(other)
    }

    fn is_mark(&self, item: Item) -> bool {
        matches!(item, Item::Word(at) if matches!(self.tag(at), "." | "''" | "``"))
    }

    fn core(&self) -> Result<Core, NotApplicable> {
        let mut top = 0;
        // Down to the first phrase that is more than its only part.
        loop {
            let items: Vec<Item> = self.items(top).into_iter().filter(|item| !self.is_mark(*item)).collect();
            match items[..] {
                [Item::Phrase(only)] => top = only,
                [] | [Item::Word(_)] => return Err(NO_CLAUSE),
                _ => break,
            }
        }
        match self.phrases[top].label {
            "S" => self.clause(top),
            "NP" | "FRAG" => self.caption(top),
            "SINV" | "SQ" | "SBARQ" => Err(QUESTION),
            _ => Err(NO_CLAUSE),
        }
    }

    /// A sentence with a subject and a predicate.
    fn clause(&self, at: usize) -> Result<Core, NotApplicable> {
        let items: Vec<Item> = self.items(at).into_iter().filter(|item| !self.is_mark(*item)).collect();
        if items.iter().any(|&item| matches!(self.label(item), "CC" | ":")) {
            return Err(COORDINATION);
        }
        let place = items.iter().position(|&item| self.label(item) == "VP").ok_or(NO_CLAUSE)?;
        if place + 1 != items.len() {
            return Err(OTHER_PARTS);
        }
        let subject = items[..place].iter().rposition(|&item| self.label(item) == "NP").ok_or(NO_CLAUSE)?;
        // `A man in a hat, he is cleaning a pool`.
        if items[..subject].iter().any(|&item| self.label(item) == "NP" && !self.is_time(item)) {
            return Err(OTHER_PARTS);
        }
        if items[subject + 1..place].iter().any(|&item| self.label(item) == ",") {
            return Err(COMMA);
        }
        if !items[subject + 1..place].iter().all(|&item| matches!(self.label(item), "ADVP" | "RB")) {
            return Err(OTHER_PARTS);
        }
        let (Item::Phrase(subject), Item::Phrase(predicate)) = (items[subject], items[place]) else { return Err(NO_CLAUSE) };
        let words = self.phrases[subject].start..self.phrases[subject].end;
        self.predicate(predicate, self.subject(subject, words)?)
    }

    /// A noun phrase with a participle, as captions are.
    fn caption(&self, at: usize) -> Result<Core, NotApplicable> {
        let items: Vec<Item> = self.items(at).into_iter().filter(|item| !self.is_mark(*item)).collect();
        let (&Item::Phrase(first), Some(&Item::Phrase(last))) = (items.first().ok_or(NO_CLAUSE)?, items.last()) else {
            return Err(NO_CLAUSE);
        };
        if self.phrases[first].label != "NP" || self.phrases[last].label != "VP" {
            return Err(NO_CLAUSE);
        }
        let between = &items[1..items.len() - 1];
        if between.iter().any(|&item| self.label(item) == ",") {
            return Err(COMMA);
        }
        if !between.iter().all(|&item| matches!(self.label(item), "PP" | "ADJP" | "VP")) {
            return Err(OTHER_PARTS);
        }
        let words = self.phrases[first].start..self.phrases[last].start;
        self.predicate(last, self.subject(first, words)?)
    }

    fn subject(&self, at: usize, words: std::ops::Range<usize>) -> Result<Nominal, NotApplicable> {
        if self.tag(words.start) == "EX" {
            return Err(EXPLETIVE);
        }
        let (base, head) = self.base(at)?;
        if base.start != words.start {
            return Err(NO_NOUN);
        }
        Ok(Nominal { words, head, base_end: base.end })
    }

    /// The verb and object of a verb phrase, through its auxiliaries.
    fn predicate(&self, at: usize, subject: Nominal) -> Result<Core, NotApplicable> {
        let mut phrase = at;
        let mut auxiliaries = Vec::new();
        let (verb, after) = loop {
            let items = self.items(phrase);
            let is_verb = |item: &Item| matches!(item, Item::Word(at) if self.tag(*at).starts_with("VB") || self.tag(*at) == "MD");
            let is_predicate = |item: &Item| self.label(*item) == "VP";
            if items.iter().any(|&item| matches!(self.label(item), "CC" | "CONJP")) {
                return Err(COORDINATION);
            }
            let place = items.iter().position(is_verb).ok_or(NO_CLAUSE)?;
            let Item::Word(verb) = items[place] else { return Err(NO_CLAUSE) };
            if !items[..place].iter().all(|&item| matches!(self.label(item), "ADVP" | "RB")) {
                return Err(OTHER_PARTS);
            }
            match items[place + 1..].iter().find(|item| is_predicate(item)) {
                Some(&Item::Phrase(inner)) => {
                    let between = items[place + 1..].iter().take_while(|item| !is_predicate(item));
                    if !between.into_iter().all(|&item| matches!(self.label(item), "ADVP" | "RB")) {
                        return Err(OTHER_PARTS);
                    }
                    auxiliaries.push(verb);
                    phrase = inner;
                }
                _ => break (verb, items[place + 1..].to_vec()),
            }
        };
        let word = |at: usize| self.leaves[at].word;
        let form = match (auxiliaries.last().map(|&last| word(last)), self.tag(verb)) {
            (None, "VBG") => Form::Fragment,
            (None, "VBN") => return Err(PASSIVE),
            (Some(last), "VBN" | "VBD") if lists::makes_passive(last) => return Err(PASSIVE),
            _ if lists::is_be(word(verb)) => return Err(COPULA),
            _ => Form::Clause,
        };
        let (particle, after) = match after.first() {
            Some(&Item::Phrase(first)) if self.phrases[first].label == "PRT" => {
                let particle = Some(self.phrases[first].start).filter(|_| self.phrases[first].end == self.phrases[first].start + 1);
                (Some(particle.ok_or(OTHER_PARTS)?), &after[1..])
            }
            Some(&Item::Word(first)) if self.tag(first) == "RP" => (Some(first), &after[1..]),
            _ => (None, &after[..]),
        };
        let Some(&Item::Phrase(found)) = after.first().filter(|&&item| self.label(item) == "NP") else { return Err(NO_OBJECT) };
        if after[1..].iter().any(|&item| self.label(item) == "NP" && !self.is_time(item)) {
            return Err(TWO_OBJECTS);
        }
        let (base, head) = self.base(found)?;
        let words = base.start..self.extended(found)?;
        let rest = if words.end < self.phrases[found].end { Rest::Modifiers } else { Rest::Nothing };
        let object = Nominal { words, head, base_end: base.end };
        Ok(Core { form, subject, auxiliaries, verb, particle, object, rest })
    }

    fn is_time(&self, item: Item) -> bool {
        let Item::Phrase(at) = item else { return false };
        (self.phrases[at].start..self.phrases[at].end).any(|word| Lists::get().is_time(&self.leaves[word].word.to_lowercase()))
    }

    /// The base phrase of a noun phrase, and its head noun.
    fn base(&self, at: usize) -> Result<(std::ops::Range<usize>, usize), NotApplicable> {
        let items = self.items(at);
        if let Some(&Item::Phrase(first)) = items.first()
            && self.phrases[first].label == "NP"
            && self.tag(self.phrases[first].end - 1) != "POS"
        {
            return self.base(first);
        }
        let (start, end) = (self.phrases[at].start, self.flat_end(&items)?);
        let conjunction = (start..end).find(|&word| self.tag(word) == "CC" && word > start && self.tag(word - 1).starts_with("NN"));
        let before = conjunction.unwrap_or(end);
        let is_head = |tag: &str| tag.starts_with("NN") || tag == "PRP";
        let head = (start..before).rev().find(|&word| is_head(self.tag(word))).ok_or(NO_NOUN)?;
        if head + 1 != before {
            return Err(NO_NOUN);
        }
        Ok((start..before, head))
    }

    /// Where the nouns of a phrase without phrases of its own end; what else is in it stays where it is.
    fn flat_end(&self, items: &[Item]) -> Result<usize, NotApplicable> {
        let mut end = None;
        for &item in items {
            match (item, self.label(item)) {
                (Item::Word(at), tag) if tag.starts_with("NN") || tag == "PRP" => end = Some(at + 1),
                (Item::Phrase(at), "NP" | "NX" | "NML") if self.tag(self.phrases[at].end - 1).starts_with("NN") => {
                    end = Some(self.phrases[at].end);
                }
                (Item::Word(_), "IN" | "TO" | "RP" | "VBZ" | "VBP" | "VBD" | "VB" | "MD" | "WDT" | "WP" | ",") => break,
                (Item::Phrase(_), label) if !matches!(label, "ADJP" | "QP" | "NP" | "NX" | "NML" | "UCP") => break,
                _ => {}
            }
        }
        end.ok_or(NO_NOUN)
    }

    /// Where a noun phrase ends that keeps its `of` phrase and its conjuncts and nothing else.
    fn extended(&self, at: usize) -> Result<usize, NotApplicable> {
        let items = self.items(at);
        let first = match items.first() {
            Some(&Item::Phrase(first)) if self.phrases[first].label == "NP" && self.tag(self.phrases[first].end - 1) != "POS" => first,
            _ => return self.flat_end(&items),
        };
        let mut end = self.extended(first)?;
        let mut rest = items[1..].iter().copied();
        // What was left out of a part stays where it is, and so does all behind it.
        if end < self.phrases[first].end {
            return match rest.any(|item| matches!(self.label(item), "CC" | "CONJP")) {
                true => Err(COORDINATION),
                false => Ok(end),
            };
        }
        while let Some(item) = rest.next() {
            match (item, self.label(item)) {
                (Item::Phrase(of), "PP") if self.lower_is(self.phrases[of].start, "of") => {
                    let inner = self.items(of).into_iter().find(|&item| self.label(item) == "NP");
                    let Some(Item::Phrase(inner)) = inner else { return Err(NO_NOUN) };
                    end = self.extended(inner)?;
                    if end < self.phrases[of].end {
                        break;
                    }
                }
                (Item::Word(_), "CC") => match rest.next() {
                    Some(Item::Phrase(other)) if self.phrases[other].label == "NP" => {
                        end = self.extended(other)?;
                        if end < self.phrases[other].end {
                            break;
                        }
                    }
                    _ => return Err(COORDINATION),
                },
                (_, ",") => return Err(COMMA),
                _ => break,
            }
        }
        match rest.any(|item| matches!(self.label(item), "CC" | "CONJP")) {
            true => Err(COORDINATION),
            false => Ok(end),
        }
    }
}
