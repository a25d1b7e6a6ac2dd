//! The core of a sentence from our own dependency parse.

use super::core::{Core, Form, Nominal, Rest};
use super::reasons::*;
use crate::NotApplicable;
use acidtest_lingua::analyzer::AnalyzedSentence;
use acidtest_lingua::parse::Relation;
use acidtest_lingua::tag::Tag;
use std::ops::Range;

/// The core of the main clause.
pub(super) fn core(sentence: &AnalyzedSentence) -> Result<Core, NotApplicable> {
    let words = Dependencies { sentence };
    let root = (0..sentence.words.len()).find(|&at| words.relation(at) == Relation::Root).ok_or(NO_CLAUSE)?;
    match words.tag(root) {
        tag if tag.is_verb() => words.clause(root),
        tag if tag.is_noun() => words.caption(root),
        _ if words.children(root).any(|child| words.relation(child) == Relation::Cop) => Err(COPULA),
        _ => Err(NO_CLAUSE),
    }
}

struct Dependencies<'s> {
    sentence: &'s AnalyzedSentence,
}

impl Dependencies<'_> {
    fn relation(&self, at: usize) -> Relation {
        self.sentence.words[at].relation
    }

    fn tag(&self, at: usize) -> Tag {
        self.sentence.words[at].tag
    }

    fn lower_is(&self, at: usize, other: &str) -> bool {
        self.sentence.words[at].form.eq_ignore_ascii_case(other)
    }

    fn children(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.sentence.words.len()).filter(move |&child| self.sentence.words[child].head == at + 1)
    }

    /// The words below a word and itself, unless a child is left out with all below it.
    fn below(&self, at: usize, is_left_out: &dyn Fn(usize) -> bool, found: &mut Vec<usize>) {
        found.push(at);
        for child in self.children(at).filter(|&child| !is_left_out(child)) {
            self.below(child, is_left_out, found);
        }
    }

    /// The words below a word and itself, where they stand together.
    fn range(&self, at: usize, is_left_out: &dyn Fn(usize) -> bool) -> Result<Range<usize>, NotApplicable> {
        let mut words = Vec::new();
        self.below(at, is_left_out, &mut words);
        let (first, last) = (words.iter().min().copied().unwrap_or(at), words.iter().max().copied().unwrap_or(at));
        if last - first + 1 == words.len() { Ok(first..last + 1) } else { Err(NOT_TOGETHER) }
    }

    fn clause(&self, verb: usize) -> Result<Core, NotApplicable> {
        if self.children(verb).any(|child| self.relation(child) == Relation::Expl) {
            return Err(EXPLETIVE);
        }
        let mut subjects = self.children(verb).filter(|&child| child < verb && self.relation(child).is_subject());
        let subject = subjects.next().ok_or(NO_CLAUSE)?;
        if subjects.next().is_some() {
            return Err(OTHER_PARTS);
        }
        let words = self.range(subject, &|child| self.relation(child) == Relation::Punct)?;
        let is_predicate = |child: usize| matches!(self.relation(child), Relation::Aux | Relation::AuxPass | Relation::Cop);
        let first = self.children(verb).filter(|&child| is_predicate(child)).fold(verb, usize::min);
        let words = words.start..self.up_to(words.end, first)?;
        self.predicate(verb, self.subject(subject, words)?)
    }

    /// Where a subject ends that goes up to the verb; adverbs before the verb stay with it.
    fn up_to(&self, end: usize, verb: usize) -> Result<usize, NotApplicable> {
        let last = (end..verb).rev().find(|&at| self.tag(at) != Tag::RB).map_or(end, |at| at + 1);
        if (end..last).any(|at| self.relation(at) == Relation::Punct) { Err(COMMA) } else { Ok(last) }
    }

    /// A noun with a participle, as captions are.
    fn caption(&self, noun: usize) -> Result<Core, NotApplicable> {
        if self.children(noun).any(|child| self.relation(child) == Relation::Cop) {
            return Err(COPULA);
        }
        let is_predicate = |&child: &usize| child > noun && self.relation(child) == Relation::Acl && self.tag(child) == Tag::VBG;
        let verb = self.children(noun).filter(is_predicate).last().ok_or(NO_CLAUSE)?;
        let after = |child: usize| child > verb && self.relation(child) != Relation::Punct;
        if self.children(noun).any(after) {
            return Err(OTHER_PARTS);
        }
        let words = self.range(noun, &|child| child == verb || self.relation(child) == Relation::Punct)?;
        let words = words.start..self.up_to(words.end, verb)?;
        self.predicate(verb, self.subject(noun, words)?)
    }

    fn subject(&self, head: usize, words: Range<usize>) -> Result<Nominal, NotApplicable> {
        let base = self.base(head)?;
        if base.start != words.start {
            return Err(NO_NOUN);
        }
        // `4 people`, where the number was not found to belong to the noun.
        if words.start > 0 && self.relation(words.start - 1) != Relation::Punct {
            return Err(OTHER_PARTS);
        }
        Ok(Nominal { words, head, base_end: base.end })
    }

    fn predicate(&self, verb: usize, subject: Nominal) -> Result<Core, NotApplicable> {
        let mut core_object = None;
        let (mut auxiliaries, mut particle) = (Vec::new(), None);
        for child in self.children(verb) {
            match self.relation(child) {
                Relation::Obj if core_object.is_some() => return Err(TWO_OBJECTS),
                Relation::Obj => core_object = Some(child),
                Relation::Iobj => return Err(TWO_OBJECTS),
                Relation::AuxPass | Relation::NsubjPass | Relation::CsubjPass => return Err(PASSIVE),
                Relation::Cop => return Err(COPULA),
                Relation::Expl => return Err(EXPLETIVE),
                Relation::Conj | Relation::Parataxis | Relation::Cc => return Err(COORDINATION),
                Relation::Aux => auxiliaries.push(child),
                Relation::CompoundPrt => particle = Some(child),
                // A second predicate: `makes a man happy`.
                Relation::Xcomp | Relation::Ccomp | Relation::Csubj => return Err(OTHER_PARTS),
                _ => {}
            }
        }
        let head = core_object.filter(|&object| object > verb).ok_or(NO_OBJECT)?;
        let base = self.base(head)?;
        let stays = |child: usize| self.stays(child);
        let words = self.range(head, &stays)?;
        let expected = particle.unwrap_or(verb) + 1;
        if particle.is_some_and(|particle| particle != verb + 1) || words.start != expected || base.start != words.start {
            return Err(NOT_TOGETHER);
        }
        let mut all = Vec::new();
        self.below(head, &|child| self.relation(child) == Relation::Punct, &mut all);
        let rest = if all.iter().any(|&word| word >= words.end) { Rest::Modifiers } else { Rest::Nothing };
        let form = match (auxiliaries.is_empty(), self.tag(verb)) {
            (true, Tag::VBG) => Form::Fragment,
            (true, Tag::VBN) => return Err(PASSIVE),
            _ => Form::Clause,
        };
        let object = Nominal { words, head, base_end: base.end };
        Ok(Core { form, subject, auxiliaries, verb, particle, object, rest })
    }

    /// The head noun with what stands before it.
    fn base(&self, head: usize) -> Result<Range<usize>, NotApplicable> {
        if !self.tag(head).is_noun() && self.tag(head) != Tag::PRP {
            return Err(NO_NOUN);
        }
        let base = self.range(head, &|child| child > head && self.sentence.words[child].head == head + 1)?;
        if base.end == head + 1 { Ok(base) } else { Err(NO_NOUN) }
    }

    /// Whether a word of the object stays where it is, with all below it: everything after its noun but an `of` phrase and conjuncts.
    fn stays(&self, child: usize) -> bool {
        let head = self.sentence.words[child].head.saturating_sub(1);
        if child < head {
            return false;
        }
        match self.relation(child) {
            Relation::Nmod => !self.children(child).any(|case| self.relation(case) == Relation::Case && self.lower_is(case, "of")),
            Relation::Conj | Relation::Cc => !self.tag(head).is_noun(),
            Relation::Case => self.tag(child) != Tag::POS,
            _ => true,
        }
    }
}
