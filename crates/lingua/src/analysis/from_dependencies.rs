//! Grammatical functions from a dependency parse.

use super::{Analysis, Clause, Constituent, ConstituentKind, Modifier, ModifierKind, Phrase, Voice};
use crate::{analyzer::AnalyzedSentence, parse::Relation, tag::Tag};

impl Analysis {
    /// Converts our own parse of a sentence.
    pub fn from_sentence(sentence: &AnalyzedSentence) -> Analysis {
        let view = DependencyView { sentence };
        let words = sentence.words.iter().map(|word| (word.form.clone(), Some(word.tag))).collect();
        let mut analysis = Analysis { words, ..Analysis::default() };
        for at in 0..sentence.words.len() {
            analysis.clauses.extend(view.clause(at));
            analysis.modifiers.extend(view.modifier(at));
            view.constituents(at, &mut analysis.constituents);
        }
        analysis.sorted()
    }
}

struct DependencyView<'s> {
    sentence: &'s AnalyzedSentence,
}

impl DependencyView<'_> {
    fn relation(&self, at: usize) -> Relation {
        self.sentence.words[at].relation
    }

    fn tag(&self, at: usize) -> Tag {
        self.sentence.words[at].tag
    }

    fn head(&self, at: usize) -> Option<usize> {
        self.sentence.words[at].head.checked_sub(1)
    }

    fn children(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.sentence.words.len()).filter(move |&word| self.head(word) == Some(at))
    }

    fn child(&self, at: usize, wanted: impl Fn(Relation) -> bool) -> Option<usize> {
        self.children(at).find(|&child| wanted(self.relation(child)))
    }

    /// The span of a word's subtree, excluding children whose relation is in `leave_out`.
    fn span(&self, at: usize, leave_out: &dyn Fn(usize) -> bool) -> (usize, usize) {
        let (mut start, mut end) = (at, at + 1);
        for child in self.children(at).filter(|&child| !leave_out(child)) {
            let (from, to) = self.span(child, &|_| false);
            (start, end) = (start.min(from), end.max(to));
        }
        (start, end)
    }

    /// The noun phrase headed by a word: its dependents as a noun, excluding those it has as a predicate.
    fn nominal(&self, at: usize) -> Phrase {
        use Relation::*;
        let outside = |child: usize| {
            let relation = self.relation(child);
            let clausal = matches!(
                relation,
                Case | Mark | Cop | Aux | Cc | Punct | Parataxis | Discourse | Advcl | Ccomp | Expl | Orphan | CcPreconj
            );
            clausal || relation.is_subject() || (relation == Advmod && child < at && self.child(at, |relation| relation == Cop).is_some())
        };
        let (start, end) = self.span(at, &outside);
        Phrase { head: at, start, end }
    }

    fn is_nominal(&self, at: usize) -> bool {
        let tag = self.tag(at);
        let pronoun = matches!(tag, Tag::PRP | Tag::WP | Tag::EX)
            || (matches!(tag, Tag::DT | Tag::WDT | Tag::CD) && self.relation(at) != Relation::Det);
        let inside = matches!(
            self.relation(at),
            Relation::Compound
                | Relation::Flat
                | Relation::Fixed
                | Relation::Nummod
                | Relation::Det
                | Relation::Amod
                | Relation::Goeswith
                | Relation::DetPredet
        );
        (tag.is_noun() || pronoun) && !inside
    }

    fn clause(&self, at: usize) -> Option<Clause> {
        let copula = self.child(at, |relation| relation == Relation::Cop);
        let is_verb = self.tag(at).is_verb()
            && !matches!(
                self.relation(at),
                Relation::Aux | Relation::AuxPass | Relation::Cop | Relation::Amod | Relation::Compound | Relation::Case | Relation::Mark
            );
        if copula.is_none() && !is_verb {
            return None;
        }
        let passive = self.child(at, |relation| matches!(relation, Relation::AuxPass | Relation::NsubjPass)).is_some();
        // Coordinated verbs share their subject: "sat down and read".
        let own = self.child(at, Relation::is_subject);
        let shared =
            || self.head(at).filter(|_| self.relation(at) == Relation::Conj).and_then(|first| self.child(first, Relation::is_subject));
        let subject = own.or_else(shared).map(|subject| self.nominal(subject));
        let object = self.child(at, |relation| relation == Relation::Obj).filter(|_| copula.is_none()).map(|object| self.nominal(object));
        let voice = match (copula, passive) {
            (Some(_), _) => Voice::Copular,
            (None, true) => Voice::Passive,
            (None, false) => Voice::Active,
        };
        Some(Clause { verb: copula.unwrap_or(at), subject, object, voice })
    }

    fn modifier(&self, at: usize) -> Option<Modifier> {
        let head = self.head(at)?;
        let kind = match self.relation(at) {
            Relation::Amod => ModifierKind::Adjective,
            Relation::Advmod if !matches!(self.sentence.words[at].form.to_lowercase().as_str(), "not" | "n't") => ModifierKind::Adverb,
            Relation::Nummod => ModifierKind::Number,
            Relation::Compound if self.tag(at).is_noun() => ModifierKind::Noun,
            _ => return None,
        };
        Some(Modifier { word: at, head, kind })
    }

    fn constituents(&self, at: usize, constituents: &mut Vec<Constituent>) {
        let mut push = |kind: ConstituentKind, (start, end): (usize, usize)| {
            constituents.push(Constituent { kind, phrase: Phrase { head: at, start, end } })
        };
        if self.is_nominal(at) {
            let nominal = self.nominal(at);
            push(ConstituentKind::NounPhrase, (nominal.start, nominal.end));
            if let Some(case) =
                self.child(at, |relation| relation == Relation::Case).filter(|&case| case < at && self.tag(case) != Tag::POS)
            {
                push(ConstituentKind::PrepositionalPhrase, (case.min(nominal.start), nominal.end));
            }
        }
        let Some(clause) = self.clause(at) else { return };
        let is_root = self.relation(at) == Relation::Root;
        let joins = |child: usize| matches!(self.relation(child), Relation::Mark | Relation::Cc);
        let edge_marks = |child: usize| self.relation(child) == Relation::Punct && !is_root;
        let conjunct = |child: usize| self.relation(child) == Relation::Conj && !is_root;
        let whole = self.span(at, &|child| joins(child) || edge_marks(child) || conjunct(child));
        // From the first auxiliary, or the verb itself, to the end of the clause, excluding final punctuation.
        let first = self
            .children(at)
            .filter(|&child| matches!(self.relation(child), Relation::Aux | Relation::AuxPass | Relation::Cop))
            .fold(clause.verb.min(at), usize::min);
        let after = self.span(at, &|child| {
            child < first
                || joins(child)
                || self.relation(child) == Relation::Punct
                || self.relation(child) == Relation::Parataxis
                || conjunct(child)
        });
        push(ConstituentKind::VerbPhrase, (first, after.1));
        if clause.subject.is_some_and(|subject| subject.start < first) && self.child(at, Relation::is_subject).is_some() {
            push(ConstituentKind::Sentence, whole);
        }
        let marker = self.child(at, |relation| relation == Relation::Mark).filter(|&mark| self.tag(mark) != Tag::TO);
        if let Some(mark) = marker {
            push(ConstituentKind::SubordinateClause, (mark.min(whole.0), whole.1));
        } else if matches!(self.relation(at), Relation::AclRelcl) {
            push(ConstituentKind::SubordinateClause, whole);
        }
    }
}
