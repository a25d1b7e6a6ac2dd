//! Who does what to whom: the core of a sentence, whichever analysis it comes from.

use acidtest_lingua::tag::Tag;
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

/// The words of a sentence with their tags.
#[derive(Debug)]
pub(super) struct Words<'v> {
    words: Vec<(&'v str, String, Option<Tag>)>,
}

impl<'v> Words<'v> {
    /// These words.
    pub(super) fn new(words: impl Iterator<Item = (&'v str, Option<Tag>)>) -> Self {
        Words { words: words.map(|(form, tag)| (form, form.to_lowercase(), tag)).collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn form(&self, at: usize) -> &'v str {
        self.words[at].0
    }

    /// The word in small letters; empty after the end.
    pub(super) fn lower(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.1.as_str())
    }

    pub(super) fn tag(&self, at: usize) -> Option<Tag> {
        self.words.get(at)?.2
    }

    pub(super) fn is_noun(&self, at: usize) -> bool {
        self.tag(at).is_some_and(Tag::is_noun)
    }

    /// The words of a range in small letters.
    pub(super) fn lowers(&self, range: Range<usize>) -> impl Iterator<Item = &str> {
        range.map(|at| self.lower(at))
    }

    /// The words of a range, joined by spaces.
    pub(super) fn text(&self, range: Range<usize>) -> String {
        range.map(|at| self.form(at)).collect::<Vec<_>>().join(" ")
    }
}
