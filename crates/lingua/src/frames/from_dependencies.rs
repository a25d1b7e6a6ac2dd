//! Frames from a dependency parse.

use super::{Complementiser, Complements, Frame, Gap, VerbUse, is_adverbial_head};
use crate::analyzer::AnalyzedSentence;
use crate::lemma::lemma_of;
use crate::parse::Relation;
use crate::tag::Tag;

/// The verbs of a sentence with their frames, in order.
pub(super) fn verb_uses_of_sentence(sentence: &AnalyzedSentence) -> Vec<VerbUse> {
    let mut children = vec![Vec::new(); sentence.words.len()];
    for (at, word) in sentence.words.iter().enumerate() {
        if let Some(head) = word.head.checked_sub(1) {
            children[head].push(at);
        }
    }
    let view = DependencyView { sentence, children };
    (0..sentence.words.len()).filter_map(|at| view.verb_use(at)).collect()
}

struct DependencyView<'s> {
    sentence: &'s AnalyzedSentence,
    /// The dependents of every word, in order.
    children: Vec<Vec<usize>>,
}

/// Relations in which a verb form is no predicate.
const NO_PREDICATE: [Relation; 8] =
    [Relation::Aux, Relation::AuxPass, Relation::Cop, Relation::Amod, Relation::Compound, Relation::Case, Relation::Mark, Relation::Fixed];

impl DependencyView<'_> {
    fn tag(&self, at: usize) -> Tag {
        self.sentence.words[at].tag
    }

    fn relation(&self, at: usize) -> Relation {
        self.sentence.words[at].relation
    }

    fn lower(&self, at: usize) -> String {
        self.sentence.words[at].form.to_lowercase()
    }

    fn head(&self, at: usize) -> Option<usize> {
        self.sentence.words[at].head.checked_sub(1)
    }

    fn child(&self, at: usize, wanted: impl Fn(Relation) -> bool) -> Option<usize> {
        self.children[at].iter().copied().find(|&child| wanted(self.relation(child)))
    }

    fn has(&self, at: usize, relation: Relation) -> bool {
        self.child(at, |found| found == relation).is_some()
    }

    fn verb_use(&self, at: usize) -> Option<VerbUse> {
        let (tag, form) = (self.tag(at), &self.sentence.words[at].form);
        if !tag.is_verb() || NO_PREDICATE.contains(&self.relation(at)) || self.has(at, Relation::Cop) || lemma_of(form, tag) == "be" {
            return None;
        }
        let found = |frames, complementiser| Some(VerbUse { word: at, form: form.clone(), tag, frames, complementiser });
        let is_past = matches!(tag, Tag::VBN | Tag::VBD);
        if is_past && self.is_passive(at) {
            return found(vec![Frame::Passive], None);
        }
        match self.relation(at) {
            Relation::Acl if is_past && self.is_bare(at) => return found(vec![Frame::Participle], None),
            // "Advised by the lawyer, he left": neither active nor on a noun.
            _ if tag == Tag::VBN && self.is_bare(at) => return None,
            _ => {}
        }
        let complements = self.complements(at);
        found(complements.frames(), complements.clause)
    }

    /// In the passive, or joined to a verb that is: `was helped and advised`.
    fn is_passive(&self, at: usize) -> bool {
        let own = self.child(at, |relation| matches!(relation, Relation::AuxPass | Relation::NsubjPass | Relation::CsubjPass)).is_some();
        let joined = || self.first_conjunct(at).is_some_and(|first| self.tag(at) == Tag::VBN && self.is_bare(at) && self.is_passive(first));
        own || joined()
    }

    /// Without auxiliary and subject.
    fn is_bare(&self, at: usize) -> bool {
        let supported = |at| self.child(at, |relation| relation == Relation::Aux || relation.is_subject()).is_some();
        !supported(at) && self.first_conjunct(at).is_none_or(|first| self.tag(first) != Tag::VBN || !supported(first))
    }

    fn first_conjunct(&self, at: usize) -> Option<usize> {
        self.head(at).filter(|&first| self.relation(at) == Relation::Conj && self.tag(first).is_verb() && first < at)
    }

    fn complements(&self, at: usize) -> Complements {
        let mut found = Complements { has_object: self.has_object(at), gap: self.gap(at), ..Complements::default() };
        for &child in &self.children[at] {
            match self.relation(child) {
                Relation::Ccomp => self.complement(child, &mut found),
                Relation::Xcomp => found.has_other = true,
                _ => {}
            }
        }
        found
    }

    /// An object of its own, or one that verbs side by side share: `saw and helped the judge`.
    fn has_object(&self, at: usize) -> bool {
        let own = |at: usize| self.child(at, |relation| matches!(relation, Relation::Obj | Relation::Iobj));
        let of_first = || self.first_conjunct(at).and_then(own).is_some_and(|object| object > at);
        let of_next = || {
            let next = self.children[at].iter().copied().find(|&child| self.relation(child) == Relation::Conj && self.tag(child).is_verb());
            next.is_some_and(|next| {
                (at + 1..next).all(|between| self.relation(between) == Relation::Cc) && own(next).is_some_and(|object| object > next)
            })
        };
        own(at).is_some() || of_first() || of_next()
    }

    fn complement(&self, clause: usize, found: &mut Complements) {
        let mark = self.children[clause].iter().copied().find(|&child| self.relation(child) == Relation::Mark && child < clause);
        match mark.map(|mark| self.lower(mark)).as_deref() {
            Some("that") => found.clause = Some(Complementiser::That),
            Some(_) => found.has_other = true,
            None if self.asks(clause) => found.has_other = true,
            None if self.is_finite(clause) => found.clause = Some(Complementiser::Bare),
            // "saw the judge leave".
            None if self.child(clause, Relation::is_subject).is_some() => found.has_object = true,
            None => found.has_other = true,
        }
    }

    /// Whether a clause begins with a word such as `what` or `where`.
    fn asks(&self, clause: usize) -> bool {
        let asks = |at: usize| matches!(self.tag(at), Tag::WP | Tag::WRB | Tag::WDT | Tag::WPS);
        let before = self.children[clause].iter().copied().filter(|&child| child < clause);
        asks(clause) || before.into_iter().any(|child| asks(child) || self.children[child].iter().any(|&part| part < clause && asks(part)))
    }

    fn is_finite(&self, clause: usize) -> bool {
        let finite = |at: usize| matches!(self.tag(at), Tag::VBD | Tag::VBZ | Tag::VBP | Tag::MD);
        let helpers = self.children[clause]
            .iter()
            .copied()
            .filter(|&child| matches!(self.relation(child), Relation::Aux | Relation::AuxPass | Relation::Cop));
        finite(clause) || helpers.into_iter().any(finite)
    }

    /// Where the object of a verb may be, if it has none.
    fn gap(&self, at: usize) -> Gap {
        let is_infinitive = self.children[at].iter().any(|&child| self.tag(child) == Tag::TO && child < at);
        match self.relation(at) {
            // "a book to read".
            Relation::Acl if is_infinitive => Gap::Unknown,
            Relation::AclRelcl => self.gap_in_relative(at),
            // "the man who he wanted to see".
            Relation::Xcomp => self.head(at).map_or(Gap::None, |above| self.gap(above)),
            _ => Gap::None,
        }
    }

    fn gap_in_relative(&self, at: usize) -> Gap {
        let relative = |word: usize| matches!(self.tag(word), Tag::WP | Tag::WDT | Tag::WRB) || (self.lower(word) == "that" && word < at);
        let subject = self.child(at, Relation::is_subject);
        if subject.is_none_or(relative) {
            return Gap::None;
        }
        let pronoun = self.children[at].iter().copied().find(|&child| child < at && relative(child));
        let noun = self.head(at);
        match pronoun.map(|pronoun| (self.relation(pronoun), self.tag(pronoun))) {
            Some((_, Tag::WRB) | (Relation::Obl | Relation::Advmod, _)) => Gap::None,
            None if noun.is_some_and(|noun| is_adverbial_head(&self.sentence.words[noun].form)) => Gap::None,
            _ if self.strands_preposition(at) => Gap::Unknown,
            _ => Gap::Object,
        }
    }

    /// `the chair he sat on`: a preposition without its noun.
    fn strands_preposition(&self, at: usize) -> bool {
        let stranded = |child: &usize| *child > at && matches!(self.tag(*child), Tag::IN | Tag::TO) && self.children[*child].is_empty();
        self.children[at].iter().any(stranded)
    }
}
