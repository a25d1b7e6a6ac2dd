//! Stress tests: each takes examples and gives changed examples whose right answer is known.
//!
//! [`CATALOG`] lists them all. To add one, write a file with a type that implements [`Challenge`], and add its module and its entry here:
//! listing, documentation and contract tests walk the list.

mod coverage;
pub mod hans;
mod placement;
mod settings;
mod spelling;
mod tautology;

pub use coverage::{Coverage, WordClassSource};
pub use settings::{Settings, SettingsError};

use acidtest_nli::{Change, Example, Judgment, Named, Rng, Seed, Sentence, Side, tag};

/// A way to make harder rows from the rows of a corpus.
pub trait Challenge: Send + Sync {
    /// The rows made from one row, or why there are none.
    fn rewrite<'a>(&self, example: &Example<'a>, rng: &mut Rng) -> Result<Vec<Rewrite<'a>>, NotApplicable>;

    /// The order in which the rows of the set are written.
    fn order(&self) -> Order {
        Order::AsRead
    }

    /// Where the word classes come from that the rows made of this one depend on; `None` where they depend on none.
    fn word_classes(&self, _: &Example<'_>) -> Option<WordClassSource> {
        None
    }
}

/// A changed row, before it gets its id and tags.
#[derive(Debug, Clone)]
pub struct Rewrite<'a> {
    /// The premise, changed or not.
    pub premise: Sentence<'a>,
    /// The hypothesis, changed or not.
    pub hypothesis: Sentence<'a>,
    /// The right answer to the changed pair.
    pub gold: Option<Judgment>,
    /// What is different.
    pub changes: Vec<Change>,
}

impl<'a> Rewrite<'a> {
    /// The example with another sentence on one side and the same right answer.
    pub fn of_side(example: &Example<'a>, side: Side, sentence: Sentence<'a>, change: Change) -> Self {
        let (premise, hypothesis) = match side {
            Side::Premise => (sentence, example.pair.hypothesis.clone()),
            Side::Hypothesis => (example.pair.premise.clone(), sentence),
        };
        Rewrite { premise, hypothesis, gold: example.gold, changes: vec![change] }
    }
}

/// Why a challenge made nothing of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NotApplicable(pub &'static str);

/// The order of the rows of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As the rows of the corpus come.
    AsRead,
    /// By premise, as in the released stress tests.
    ByPremise,
}

/// What the paper means, or what its authors' scripts did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// What the paper means.
    Clean,
    /// The released sets with their quirks, so that numbers can be compared with the paper's.
    AsPublished,
}

/// A challenge as the catalog lists it.
pub struct Entry {
    /// The name that users type.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Paper and section.
    pub source: &'static str,
    /// A row and what becomes of it.
    pub example: BeforeAfter,
    /// Makes the challenge from its settings.
    pub build: Build,
}

/// Makes a challenge from settings and mode.
pub type Build = fn(&Settings, Mode) -> Result<Box<dyn Challenge>, SettingsError>;

/// An example that is documentation and test at once.
pub struct BeforeAfter {
    /// The sentence that is changed.
    pub side: Side,
    /// Its parse, for challenges that need one.
    pub parse: Option<&'static str>,
    /// The sentence as it was.
    pub before: &'static str,
    /// The sentence as it is with seed 1.
    pub after: &'static str,
}

impl Named for Entry {
    fn name(&self) -> &str {
        self.name
    }
}

/// All challenges.
pub const CATALOG: &[Entry] = &[
    tautology::WORD_OVERLAP,
    tautology::NEGATION,
    tautology::LENGTH_MISMATCH,
    tautology::TAUTOLOGY,
    spelling::SWAP,
    spelling::KEYBOARD,
    spelling::SWAP_CONTENT,
    spelling::SWAP_FUNCTION,
];

/// Makes the rows of one named challenge: ids, tags and random numbers are given here, the same way for all.
pub struct Maker {
    name: &'static str,
    challenge: Box<dyn Challenge>,
    seed_number: String,
    seed: Seed,
}

impl Maker {
    /// A maker for an entry of the catalog.
    pub fn new(entry: &Entry, settings: &Settings, mode: Mode, seed: u64) -> Result<Self, SettingsError> {
        let challenge = (entry.build)(settings, mode)?;
        Ok(Maker { name: entry.name, challenge, seed_number: seed.to_string(), seed: Seed::new(seed).child(entry.name) })
    }

    /// The challenge's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The order in which the rows of the set are written.
    pub fn order(&self) -> Order {
        self.challenge.order()
    }

    /// The challenge rows of one row; the coverage counts what came of it.
    pub fn make<'a>(&'a self, example: &Example<'a>, coverage: &mut Coverage) -> Vec<Example<'a>> {
        let mut rng = self.seed.child(&example.pair.id).rng();
        let rewrites = match self.challenge.rewrite(example, &mut rng) {
            Ok(rewrites) => rewrites,
            Err(reason) => {
                coverage.not_applicable(reason);
                return Vec::new();
            }
        };
        coverage.made(rewrites.len());
        if let Some(source) = self.challenge.word_classes(example) {
            coverage.word_classes_from(source);
        }
        let mut made = Vec::with_capacity(rewrites.len());
        for (n, rewrite) in rewrites.into_iter().enumerate() {
            let mut new = Example {
                pair: acidtest_nli::Pair {
                    id: self.id(&example.pair.id, n).into(),
                    premise: rewrite.premise,
                    hypothesis: rewrite.hypothesis,
                },
                gold: rewrite.gold,
                votes: example.votes.clone(),
                tags: example.tags.clone(),
                changes: rewrite.changes,
            };
            new.tags.set(tag::CHALLENGE, self.name);
            new.tags.set(tag::PARENT, example.pair.id.clone());
            new.tags.set(tag::SEED, self.seed_number.as_str());
            made.push(new);
        }
        made
    }

    fn id(&self, parent: &str, n: usize) -> String {
        let mut id = String::with_capacity(parent.len() + self.name.len() + 4);
        id.push_str(parent);
        id.push('/');
        id.push_str(self.name);
        if n > 0 {
            id.push_str(&format!("/{}", n + 1));
        }
        id
    }
}
