//! The kinds of challenges, by how they make examples.

use crate::resources::ScorerError;
use crate::{FromSentences, Generate, PairView};
use acidtest_lingua::edit::{EditError, Edited};
use acidtest_lingua::view::Origin;
use acidtest_nli::{Example, Judgment, Rng, Side, Tags};

/// A challenge, by how it makes examples.
pub enum ChallengeKind {
    /// Rewrites examples of a corpus.
    Rewrite(Box<dyn Rewrite>),
    /// Makes pairs from single sentences of a corpus.
    FromSentences(Box<dyn FromSentences>),
    /// Generates examples.
    Generate(Box<dyn Generate>),
    /// Selects hard examples of a corpus.
    Select(Box<dyn Select>),
}

/// Makes harder examples from the examples of a corpus.
pub trait Rewrite: Send + Sync {
    /// The examples made from one, or why there are none.
    fn rewrite(&self, pair: &PairView<'_>, rng: &mut Rng) -> Result<Vec<Rewritten>, NotApplicable>;

    /// The order in which the examples are written.
    fn order(&self) -> Order {
        Order::AsRead
    }

    /// The side whose parse it uses. Unparsed sentences of that side are parsed in batches, which is faster than one at a time.
    fn parsed_side(&self) -> Option<Side> {
        None
    }

    /// The source of the word classes that the result depends on; `None` if it depends on none.
    fn word_classes(&self, _: &PairView<'_>) -> Option<Origin> {
        None
    }
}

/// Selects the hard examples of a corpus; they keep their ids and texts.
pub trait Select: Send + Sync {
    /// Whether an example belongs to the set.
    fn select(&self, example: &Example<'_>) -> Result<Selection, ScorerError>;
}

/// The outcome for an example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// It belongs to the set, with these additional tags.
    Yes(Tags<'static>),
    /// It does not belong to the set, for this reason.
    No(NotApplicable),
}

/// A changed example, before it gets its id and tags.
#[derive(Debug, Clone)]
pub struct Rewritten {
    /// The new premise.
    pub premise: Made,
    /// The new hypothesis.
    pub hypothesis: Made,
    /// The gold label of the new pair.
    pub gold: Option<Judgment>,
    /// Additional tags.
    pub tags: Tags<'static>,
}

/// Where a sentence of a new example comes from.
#[derive(Debug, Clone)]
pub enum Made {
    /// The sentence of this side, unchanged.
    Kept(Side),
    /// The sentence of this side, edited.
    Edited(Side, Edited),
}

impl Rewritten {
    /// The pair with one sentence changed and the same gold label.
    pub fn of_side(pair: &PairView<'_>, side: Side, edited: Edited) -> Self {
        let (mut premise, mut hypothesis) = (Made::Kept(Side::Premise), Made::Kept(Side::Hypothesis));
        match side {
            Side::Premise => premise = Made::Edited(side, edited),
            Side::Hypothesis => hypothesis = Made::Edited(side, edited),
        }
        Rewritten { premise, hypothesis, gold: pair.gold(), tags: Tags::default() }
    }
}

/// Why a challenge makes no example.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NotApplicable(pub &'static str);

impl From<EditError> for NotApplicable {
    fn from(error: EditError) -> Self {
        NotApplicable(match error {
            EditError::Tree(_) => "the parse is not a bracketed tree",
            EditError::NoWords => "the sentence has no words",
            EditError::ParseWithoutWords => "the parse has no words",
            EditError::WordsDiffer => "text and parses have different words",
            EditError::Overlap(_) => "two changes affect the same words",
            EditError::OutOfRange(..) => "the word to be changed is not in the text",
            EditError::NothingLeft => "no word would be left",
        })
    }
}

/// The order of the examples of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// In the order of the corpus.
    AsRead,
    /// By premise, as in the released stress tests.
    ByPremise,
}
