//! The relations of Universal Dependencies that English treebanks use.

use std::fmt;

/// A Universal Dependencies relation, with its subtype.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Relation {
    /// Clause modifying a noun, `acl`.
    Acl,
    /// Relative clause, `acl:relcl`.
    AclRelcl,
    /// Adverbial clause, `advcl`.
    Advcl,
    /// Relative clause on a clause, `advcl:relcl`.
    AdvclRelcl,
    /// Adverb, `advmod`.
    Advmod,
    /// Adjective on a noun, `amod`.
    Amod,
    /// Apposition, `appos`.
    Appos,
    /// Auxiliary verb, `aux`.
    Aux,
    /// Auxiliary of the passive, `aux:pass`.
    AuxPass,
    /// Preposition, postposition or possessive mark, `case`.
    Case,
    /// Coordinating conjunction, `cc`.
    Cc,
    /// First half of *both .. and*, `cc:preconj`.
    CcPreconj,
    /// Clause as complement, `ccomp`.
    Ccomp,
    /// Part of a compound, `compound`.
    Compound,
    /// Particle of a verb, `compound:prt`.
    CompoundPrt,
    /// Conjunct, `conj`.
    Conj,
    /// Copula, `cop`.
    Cop,
    /// Clause as subject, `csubj`.
    Csubj,
    /// Clause as subject of a nested clause, `csubj:outer`.
    CsubjOuter,
    /// Clause as passive subject, `csubj:pass`.
    CsubjPass,
    /// Unspecified relation, `dep`.
    Dep,
    /// Determiner, `det`.
    Det,
    /// Determiner before a determiner, `det:predet`.
    DetPredet,
    /// Interjection, `discourse`.
    Discourse,
    /// Dislocated element, `dislocated`.
    Dislocated,
    /// Expletive, `expl`.
    Expl,
    /// Part of a fixed expression, `fixed`.
    Fixed,
    /// Part of a name, `flat`.
    Flat,
    /// Rest of a wrongly split word, `goeswith`.
    Goeswith,
    /// Indirect object, `iobj`.
    Iobj,
    /// Item of a list, `list`.
    List,
    /// Marker of a subordinate clause, `mark`.
    Mark,
    /// Nominal on a noun, `nmod`.
    Nmod,
    /// Descriptive nominal, `nmod:desc`.
    NmodDesc,
    /// Possessor, `nmod:poss`.
    NmodPoss,
    /// Nominal on a noun, without a preposition, `nmod:unmarked`.
    NmodUnmarked,
    /// Subject, `nsubj`.
    Nsubj,
    /// Subject of a nested clause, `nsubj:outer`.
    NsubjOuter,
    /// Subject of a passive, `nsubj:pass`.
    NsubjPass,
    /// Number, `nummod`.
    Nummod,
    /// Object, `obj`.
    Obj,
    /// Oblique nominal, `obl`.
    Obl,
    /// Agent of a passive, `obl:agent`.
    OblAgent,
    /// Oblique nominal without a preposition, `obl:unmarked`.
    OblUnmarked,
    /// Orphan of an elided clause, `orphan`.
    Orphan,
    /// Juxtaposed clause, `parataxis`.
    Parataxis,
    /// Punctuation, `punct`.
    Punct,
    /// Overridden disfluency, `reparandum`.
    Reparandum,
    /// Head of the sentence, `root`.
    Root,
    /// Vocative, `vocative`.
    Vocative,
    /// Open complement, `xcomp`.
    Xcomp,
}

/// Every relation with its written name, in the order of the enum.
#[rustfmt::skip]
const NAMES: [(Relation, &str); 51] = [
    (Relation::Acl, "acl"), (Relation::AclRelcl, "acl:relcl"), (Relation::Advcl, "advcl"), (Relation::AdvclRelcl, "advcl:relcl"),
    (Relation::Advmod, "advmod"), (Relation::Amod, "amod"), (Relation::Appos, "appos"), (Relation::Aux, "aux"),
    (Relation::AuxPass, "aux:pass"), (Relation::Case, "case"), (Relation::Cc, "cc"), (Relation::CcPreconj, "cc:preconj"),
    (Relation::Ccomp, "ccomp"), (Relation::Compound, "compound"), (Relation::CompoundPrt, "compound:prt"),
    (Relation::Conj, "conj"), (Relation::Cop, "cop"), (Relation::Csubj, "csubj"), (Relation::CsubjOuter, "csubj:outer"),
    (Relation::CsubjPass, "csubj:pass"), (Relation::Dep, "dep"), (Relation::Det, "det"), (Relation::DetPredet, "det:predet"),
    (Relation::Discourse, "discourse"), (Relation::Dislocated, "dislocated"), (Relation::Expl, "expl"),
    (Relation::Fixed, "fixed"), (Relation::Flat, "flat"), (Relation::Goeswith, "goeswith"), (Relation::Iobj, "iobj"),
    (Relation::List, "list"), (Relation::Mark, "mark"), (Relation::Nmod, "nmod"), (Relation::NmodDesc, "nmod:desc"),
    (Relation::NmodPoss, "nmod:poss"), (Relation::NmodUnmarked, "nmod:unmarked"), (Relation::Nsubj, "nsubj"),
    (Relation::NsubjOuter, "nsubj:outer"), (Relation::NsubjPass, "nsubj:pass"), (Relation::Nummod, "nummod"),
    (Relation::Obj, "obj"), (Relation::Obl, "obl"), (Relation::OblAgent, "obl:agent"), (Relation::OblUnmarked, "obl:unmarked"),
    (Relation::Orphan, "orphan"), (Relation::Parataxis, "parataxis"), (Relation::Punct, "punct"),
    (Relation::Reparandum, "reparandum"), (Relation::Root, "root"), (Relation::Vocative, "vocative"), (Relation::Xcomp, "xcomp"),
];

impl Relation {
    /// The number of relations.
    pub const COUNT: usize = NAMES.len();

    /// All relations in order.
    pub fn all() -> impl Iterator<Item = Relation> {
        NAMES.iter().map(|&(relation, _)| relation)
    }

    /// The relation as treebanks write it: `nsubj:pass`.
    pub fn name(self) -> &'static str {
        NAMES[self as usize].1
    }

    /// The relation without its subtype: `nsubj` for `nsubj:pass`.
    pub fn base_name(self) -> &'static str {
        self.name().split(':').next().unwrap_or_default()
    }

    /// The relation of this name; an unknown subtype falls back to its base.
    ///
    /// ```
    /// use acidtest_lingua::parse::Relation;
    /// assert_eq!(Relation::from_name("acl:relcl"), Some(Relation::AclRelcl));
    /// assert_eq!(Relation::from_name("obj:lvc"), Some(Relation::Obj));
    /// ```
    pub fn from_name(name: &str) -> Option<Relation> {
        let exact = NAMES.iter().find(|(_, written)| *written == name);
        let base = || NAMES.iter().find(|(_, written)| Some(*written) == name.split(':').next());
        exact.or_else(base).map(|&(relation, _)| relation)
    }

    /// The relation with this number.
    pub fn from_number(number: usize) -> Option<Relation> {
        NAMES.get(number).map(|&(relation, _)| relation)
    }

    /// A nominal subject of any kind.
    pub fn is_subject(self) -> bool {
        matches!(self, Relation::Nsubj | Relation::NsubjPass | Relation::NsubjOuter)
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_survive_a_round_trip_through_name_and_number() {
        for (number, relation) in Relation::all().enumerate() {
            assert_eq!(Relation::from_name(relation.name()), Some(relation));
            assert_eq!(Relation::from_number(number), Some(relation));
            assert_eq!(relation as usize, number);
        }
    }
}
