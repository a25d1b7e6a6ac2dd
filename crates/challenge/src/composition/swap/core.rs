//! Who does what to whom: the core of a sentence, whichever analysis it comes from.

pub(super) use crate::words::Words;
use std::ops::Range;

/// Subject, verb and object of a sentence, by the indices of its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Core {
    /// A sentence with a finite verb, or a caption without.
    pub(super) form: Form,
    /// The subject with everything in it, up to the verb or what stands before it.
    pub(super) subject: Nominal,
    /// The auxiliaries.
    pub(super) auxiliaries: Vec<usize>,
    /// The main verb.
    pub(super) verb: usize,
    /// A particle between verb and object.
    pub(super) particle: Option<usize>,
    /// The object: its base phrase with an `of` phrase or conjuncts.
    pub(super) object: Nominal,
    /// Whether modifiers of the object follow, which stay where they are.
    pub(super) rest: Rest,
}

impl Core {
    /// Whether two analyses have the same core. What a phrase after the object belongs to makes no difference to it.
    pub(super) fn agrees(&self, other: &Core) -> bool {
        let verb = |core: &Core| (core.form, core.verb, core.particle);
        verb(self) == verb(other) && self.subject == other.subject && self.object == other.object && self.auxiliaries == other.auxiliaries
    }
}

/// A noun phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Nominal {
    /// The words that move.
    pub(super) words: Range<usize>,
    /// The head noun.
    pub(super) head: usize,
    /// Where the base phrase ends: the head noun with what stands before it.
    pub(super) base_end: usize,
}

/// Whether a sentence has a finite verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// It has.
    Clause,
    /// It is a caption such as `A man riding a horse.`
    Fragment,
}

/// What follows the object in its own phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// Nothing.
    Nothing,
    /// Modifiers that stay where they are.
    Modifiers,
}
