//! The ways in which challenges come by their examples.

use crate::WordClassSource;
use crate::hans::{Generated, Row, TemplateSet};
use crate::resources::ScorerError;
use acidtest_nli::{Change, Example, Judgment, Rng, Sentence, Side, Tags};
use std::ops::ControlFlow;

/// A challenge that was made, by how it comes by its examples.
pub enum Kind {
    /// By rewriting those of a corpus.
    Rewrite(Box<dyn Rewrite>),
    /// By generating them.
    Generate(Box<dyn Generate>),
    /// By selecting those of a corpus that are hard.
    Select(Box<dyn Select>),
}

/// A way to make harder examples from the examples of a corpus.
pub trait Rewrite: Send + Sync {
    /// The examples made from one, or why there are none.
    fn rewrite<'a>(&self, example: &Example<'a>, rng: &mut Rng) -> Result<Vec<Rewritten<'a>>, NotApplicable>;

    /// The order in which the examples of the set are written.
    fn order(&self) -> Order {
        Order::AsRead
    }

    /// Where the word classes come from that the examples made of this one depend on; `None` where they depend on none.
    fn word_classes(&self, _: &Example<'_>) -> Option<WordClassSource> {
        None
    }
}

/// A way to make examples without a corpus.
///
/// The examples come in parts, each with random numbers of its own, so that parts can be made in any order and on any thread.
pub trait Generate: Send + Sync {
    /// The templates that the examples come from.
    fn templates(&self) -> &TemplateSet;

    /// How many parts there are.
    fn parts(&self) -> usize;

    /// The most examples that a part has; `None` where it may have any number.
    fn most_in_part(&self) -> Option<usize>;

    /// Gives the examples of one part to `take`, in order, with the numbers they have in the whole, until it breaks off.
    fn run_part(&self, part: usize, take: &mut dyn FnMut(&Row<'_>) -> ControlFlow<()>) -> Generated;
}

impl dyn Generate + '_ {
    /// Gives every example to `take`, in order; stops at its first error.
    pub fn run<E>(&self, mut take: impl FnMut(&Row<'_>) -> Result<(), E>) -> Result<Generated, E> {
        let mut generated = Generated::default();
        for part in 0..self.parts() {
            generated += self.try_part(part, &mut take)?;
        }
        Ok(generated)
    }

    /// Gives the examples of one part to `take`, in order; stops at its first error.
    pub fn try_part<E>(&self, part: usize, mut take: impl FnMut(&Row<'_>) -> Result<(), E>) -> Result<Generated, E> {
        let mut failed = None;
        let generated = self.run_part(part, &mut |row| match take(row) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        });
        failed.map_or(Ok(generated), Err)
    }
}

/// A way to take the hard examples out of a corpus; they keep their ids and are not changed.
pub trait Select: Send + Sync {
    /// Whether an example belongs to the set.
    fn select(&self, example: &Example<'_>) -> Result<Selected, ScorerError>;
}

/// What came of looking at an example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selected {
    /// It belongs to the set, and gets these tags.
    Yes(Tags<'static>),
    /// It does not, for this reason.
    No(NotApplicable),
}

/// A changed example, before it gets its id and tags.
#[derive(Debug, Clone)]
pub struct Rewritten<'a> {
    /// The premise, changed or not.
    pub premise: Sentence<'a>,
    /// The hypothesis, changed or not.
    pub hypothesis: Sentence<'a>,
    /// The gold label of the changed pair.
    pub gold: Option<Judgment>,
    /// What is different.
    pub changes: Vec<Change>,
}

impl<'a> Rewritten<'a> {
    /// The example with another sentence on one side and the same gold label.
    pub fn of_side(example: &Example<'a>, side: Side, sentence: Sentence<'a>, change: Change) -> Self {
        let (premise, hypothesis) = match side {
            Side::Premise => (sentence, example.pair.hypothesis.clone()),
            Side::Hypothesis => (example.pair.premise.clone(), sentence),
        };
        Rewritten { premise, hypothesis, gold: example.gold, changes: vec![change] }
    }
}

/// Why a challenge made nothing of an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NotApplicable(pub &'static str);

/// The order of the examples of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As those of the corpus come.
    AsRead,
    /// By premise, as in the released stress tests.
    ByPremise,
}
