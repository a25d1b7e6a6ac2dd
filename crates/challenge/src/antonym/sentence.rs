//! A sentence as the filters see it: its words with tags and relations, from our own parse.

use super::lists::Lists;
use acidtest_lingua::analyzer::{AnalyzedSentence, Word};
use acidtest_lingua::names::NameKind;
use acidtest_lingua::parse::Relation;
use acidtest_lingua::tag::Tag;
use std::cell::OnceCell;

/// An analysed sentence.
#[derive(Debug)]
pub(super) struct Sentence<'v> {
    words: &'v [Word],
    lower: Vec<String>,
    analyzed: &'v AnalyzedSentence,
    genre: OnceCell<TextKind>,
}

/// What kind of text a sentence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextKind {
    /// It describes what is going on in one scene, as captions do: somebody is doing something, or a noun phrase alone.
    Scene,
    /// Any other.
    Other,
}

impl<'v> Sentence<'v> {
    pub(super) fn new(analyzed: &'v AnalyzedSentence) -> Self {
        let lower = analyzed.words.iter().map(|word| word.form.to_lowercase().replace('\u{2019}', "'")).collect();
        Sentence { words: &analyzed.words, lower, analyzed, genre: OnceCell::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn words(&self) -> &'v [Word] {
        self.words
    }

    /// A word in lower case; nothing beyond the ends.
    pub(super) fn lower(&self, at: usize) -> &str {
        self.lower.get(at).map_or("", String::as_str)
    }

    pub(super) fn all_lower(&self) -> impl Iterator<Item = &str> {
        self.lower.iter().map(String::as_str)
    }

    pub(super) fn tag(&self, at: usize) -> Tag {
        self.words[at].tag
    }

    pub(super) fn relation(&self, at: usize) -> Relation {
        self.words[at].relation
    }

    /// The dictionary form in lower case.
    pub(super) fn lemma(&self, at: usize) -> String {
        self.words[at].lemma().to_lowercase()
    }

    pub(super) fn head(&self, at: usize) -> Option<usize> {
        self.words[at].head.checked_sub(1)
    }

    /// The words that depend on a word.
    pub(super) fn children(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().filter(move |(_, word)| word.head == at + 1).map(|(place, _)| place)
    }

    pub(super) fn child(&self, at: usize, relations: &[Relation]) -> Option<usize> {
        self.children(at).find(|&child| relations.contains(&self.relation(child)))
    }

    /// The word and all it depends on, up to the root.
    pub(super) fn path(&self, at: usize) -> Vec<usize> {
        let mut path = vec![at];
        while let Some(head) = path.last().and_then(|&last| self.head(last)).filter(|head| !path.contains(head)) {
            path.push(head);
        }
        path
    }

    pub(super) fn root(&self) -> Option<usize> {
        self.words.iter().position(|word| word.head == 0)
    }

    pub(super) fn is_in_name(&self, at: usize) -> bool {
        self.analyzed.names.iter().any(|name| (name.start..name.end).contains(&at))
    }

    pub(super) fn is_in_name_of_person(&self, at: usize) -> bool {
        self.analyzed.names.iter().any(|name| name.kind == NameKind::Person && (name.start..name.end).contains(&at))
    }

    /// Whether an adjective is a predicate: `is cold`, `looks cold`.
    pub(super) fn is_predicative(&self, at: usize) -> bool {
        match self.relation(at) {
            Relation::Xcomp => self.head(at).is_some_and(|head| Lists::get().is_in("linking", &self.lemma(head))),
            Relation::Conj => self.head(at).is_some_and(|head| self.tag(head).is_adjective() && self.is_predicative(head)),
            Relation::Root | Relation::Ccomp | Relation::Advcl | Relation::Parataxis | Relation::AclRelcl | Relation::Acl => {
                self.child(at, &[Relation::Cop]).is_some()
            }
            _ => false,
        }
    }

    /// The subject of the clause that a predicate heads.
    pub(super) fn subject_of(&self, predicate: usize) -> Option<usize> {
        const SUBJECTS: &[Relation] = &[Relation::Nsubj, Relation::NsubjPass, Relation::NsubjOuter, Relation::Csubj];
        let own = self.child(predicate, SUBJECTS);
        own.or_else(|| match self.relation(predicate) {
            Relation::Conj | Relation::Xcomp => self.head(predicate).and_then(|head| self.subject_of(head)),
            Relation::AclRelcl | Relation::Acl => self.head(predicate),
            _ => None,
        })
    }

    /// The noun that an adjective describes, on it or as its predicate.
    pub(super) fn described(&self, adjective: usize) -> Option<usize> {
        match self.relation(adjective) {
            Relation::Amod => self.head(adjective),
            Relation::Conj if self.head(adjective).is_some_and(|head| self.tag(head).is_adjective()) => {
                self.head(adjective).and_then(|head| self.described(head))
            }
            _ => self.subject_of(adjective),
        }
    }

    /// The determiner, number or possessor of a noun.
    pub(super) fn determiners(&self, noun: usize) -> impl Iterator<Item = usize> + '_ {
        let determines = |relation| {
            matches!(relation, Relation::Det | Relation::DetPredet | Relation::NmodPoss | Relation::Nummod | Relation::CcPreconj)
        };
        self.children(noun).filter(move |&child| determines(self.relation(child)))
    }

    /// What kind of text it is.
    pub(super) fn kind(&self) -> TextKind {
        *self.genre.get_or_init(|| self.find_kind())
    }

    /// A scene has somebody or an animal in it, a participle or no finite verb at all, and nobody who speaks or is spoken to; it is not in the past.
    fn find_kind(&self) -> TextKind {
        let Some(root) = self.root() else { return TextKind::Other };
        let speaker =
            |word: &str| matches!(word, "i" | "you" | "we" | "me" | "us" | "my" | "your" | "our" | "they" | "it" | "this" | "that");
        if self.all_lower().any(speaker) || (0..self.len()).any(|at| self.tag(at) == Tag::VBD || self.tag(at) == Tag::MD) {
            return TextKind::Other;
        }
        let actor =
            if self.tag(root).is_noun() && self.child(root, &[Relation::Cop]).is_none() { Some(root) } else { self.subject_of(root) };
        let Some(actor) = actor else { return TextKind::Other };
        let is_actor = self.tag(actor).is_noun() && {
            let lemma = self.lemma(actor);
            Lists::get().is_in("person", &lemma) || Lists::get().is_in("animal", &lemma)
        };
        let main_verb = |at: usize| self.tag(at) == Tag::VBG && (at == root || self.path(at).contains(&actor));
        let progressive = (0..self.len()).any(main_verb);
        let finite = (0..self.len()).any(|at| matches!(self.tag(at), Tag::VBZ | Tag::VBP));
        if is_actor && (progressive || !finite) { TextKind::Scene } else { TextKind::Other }
    }
}
