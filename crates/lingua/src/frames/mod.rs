//! Subcategorisation frames: what a verb occurs with in a sentence.
//!
//! Frames are read from the Penn tree that a corpus carries, else from our own dependency parse. A verb may occur in several at once
//! (`told him that it rained` has an object and a clause), or in none that is told apart here (`wanted to leave`).
//!
//! ```
//! use acidtest_lingua::{View, frames::{Frame, verb_uses}};
//! let view = View::plain("The doctor believed that the judge slept.");
//! let uses = verb_uses(&view);
//! assert_eq!((uses[0].lemma().as_str(), uses[0].frames.as_slice()), ("believe", &[Frame::Clause][..]));
//! assert_eq!((uses[1].lemma().as_str(), uses[1].frames.as_slice()), ("sleep", &[Frame::NoObject][..]));
//! ```

mod from_dependencies;
mod from_tree;
#[cfg(test)]
mod tests;

pub use from_tree::verb_uses_of_tree;

use crate::lemma::lemma_of;
use crate::tag::Tag;
use crate::view::View;
use std::ops::AddAssign;

/// What a verb occurs with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Frame {
    /// A direct object; the gap of an object relative clause or of a question is one.
    Object,
    /// A finite clause as its complement, with or without `that`.
    Clause,
    /// Neither object nor clause.
    NoObject,
    /// In the passive.
    Passive,
    /// As a past participle that modifies a noun: `the senators paid in the office`.
    Participle,
}

impl Frame {
    /// All frames, in the order in which reports show them.
    pub const ALL: [Frame; 5] = [Frame::Object, Frame::Clause, Frame::NoObject, Frame::Passive, Frame::Participle];

    /// What reports and files call it.
    pub fn name(self) -> &'static str {
        match self {
            Frame::Object => "object",
            Frame::Clause => "clause",
            Frame::NoObject => "no object",
            Frame::Passive => "passive",
            Frame::Participle => "reduced participle",
        }
    }
}

/// What introduces a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Complementiser {
    /// `that`.
    That,
    /// Nothing.
    Bare,
}

/// An occurrence of a verb that is neither an auxiliary nor a copula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerbUse {
    /// Its place among the words of its sentence.
    pub word: usize,
    /// The verb as written.
    pub form: String,
    /// Its Penn tag.
    pub tag: Tag,
    /// The frames, in order, each once.
    pub frames: Vec<Frame>,
    /// What introduces its clause, where it has one.
    pub complementiser: Option<Complementiser>,
}

impl VerbUse {
    /// The dictionary form of the verb.
    pub fn lemma(&self) -> String {
        lemma_of(&self.form, self.tag)
    }
}

/// How often a verb occurs in each frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FrameCounts {
    /// With an object.
    pub object: u64,
    /// With a clause.
    pub clause: u64,
    /// Of these, without `that`.
    pub clause_without_that: u64,
    /// With neither.
    pub no_object: u64,
    /// In the passive.
    pub passive: u64,
    /// As a reduced participle.
    pub participle: u64,
}

impl FrameCounts {
    /// Counts one occurrence.
    pub fn add(&mut self, found: &VerbUse) {
        for frame in &found.frames {
            *self.of_mut(*frame) += 1;
        }
        self.clause_without_that += u64::from(found.complementiser == Some(Complementiser::Bare));
    }

    /// How often it occurs in a frame.
    pub fn of(&self, frame: Frame) -> u64 {
        match frame {
            Frame::Object => self.object,
            Frame::Clause => self.clause,
            Frame::NoObject => self.no_object,
            Frame::Passive => self.passive,
            Frame::Participle => self.participle,
        }
    }

    fn of_mut(&mut self, frame: Frame) -> &mut u64 {
        match frame {
            Frame::Object => &mut self.object,
            Frame::Clause => &mut self.clause,
            Frame::NoObject => &mut self.no_object,
            Frame::Passive => &mut self.passive,
            Frame::Participle => &mut self.participle,
        }
    }
}

impl AddAssign for FrameCounts {
    fn add_assign(&mut self, other: Self) {
        Frame::ALL.into_iter().for_each(|frame| *self.of_mut(frame) += other.of(frame));
        self.clause_without_that += other.clause_without_that;
    }
}

/// The verbs of a text with their frames: from the corpus's Penn tree where there is one, else from our own parse of all its sentences.
pub fn verb_uses(view: &View<'_>) -> Vec<VerbUse> {
    match view.penn_tree() {
        Some(tree) => verb_uses_of_tree(tree),
        None => view.document().sentences.iter().flat_map(from_dependencies::verb_uses_of_sentence).collect(),
    }
}

/// What was found around a verb in the active voice, before it is a frame.
#[derive(Debug, Clone, Copy, Default)]
struct Complements {
    has_object: bool,
    clause: Option<Complementiser>,
    /// A complement that is no frame: an infinitive, a gerund, an indirect question.
    has_other: bool,
    gap: Gap,
}

/// Whether an object may be missing because it stands elsewhere.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Gap {
    /// It is not.
    #[default]
    None,
    /// It stands before the clause: `the judge who the doctor saw`, `what he saw`.
    Object,
    /// It cannot be told: `the chair he sat on`, `a book to read`.
    Unknown,
}

impl Complements {
    fn frames(self) -> Vec<Frame> {
        let mut frames = Vec::with_capacity(1);
        let is_complete = !self.has_object && self.clause.is_none() && !self.has_other;
        if self.has_object || (is_complete && self.gap == Gap::Object) {
            frames.push(Frame::Object);
        }
        if self.clause.is_some() {
            frames.push(Frame::Clause);
        }
        if is_complete && self.gap == Gap::None {
            frames.push(Frame::NoObject);
        }
        frames
    }
}

/// Nouns that a relative clause without a pronoun completes, and not as its object: `the day he left`.
const ADVERBIAL_HEADS: &[&str] = &["way", "reason", "moment", "fact", "place", "minute", "second", "instant", "manner"];

/// Words for times, which are no objects though they look like them: `slept all day`.
const TIMES: &[&str] = &[
    "today",
    "tomorrow",
    "yesterday",
    "tonight",
    "day",
    "days",
    "week",
    "weeks",
    "month",
    "months",
    "year",
    "years",
    "morning",
    "afternoon",
    "evening",
    "night",
    "time",
    "times",
    "hour",
    "hours",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

fn is_time(word: &str) -> bool {
    TIMES.contains(&word.to_lowercase().as_str())
}

fn is_adverbial_head(word: &str) -> bool {
    is_time(word) || ADVERBIAL_HEADS.contains(&word.to_lowercase().as_str())
}
