//! Stress tests: sets of examples with known gold labels that are meant to require understanding rather than shortcuts.
//!
//! [`CATALOG`] has all challenges of every [kind](ChallengeKind): those that rewrite examples of a corpus, make pairs from its single
//! sentences, generate pairs from a grammar, or select examples. To add one, write a file with its [`ChallengeEntry`] and its
//! implementation, and list both here; listings, documentation and contract tests iterate over the catalog.
//!
//! ```
//! use acidtest_challenge::{CATALOG, Challenge, Coverage, Mode, Resources};
//! use acidtest_nli::{Example, Pair, Settings};
//! let challenge = Challenge::new(CATALOG.find("negation")?, &Settings::default(), Mode::Clean, 1, &Resources::default())?;
//! let example = Example { pair: Pair::plain("It rains.", "It is wet."), ..Example::default() };
//! let made = challenge.rows(&example, &mut Coverage::default())?;
//! assert_eq!(made[0].pair.hypothesis.text, "It is wet and false is not true.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod antonym;
mod case;
mod challenge;
mod composition;
mod compositional;
mod coverage;
mod entry;
mod explain;
mod generator;
pub mod hans;
mod kind;
mod numeric;
mod pair;
mod resources;
mod selection;
mod sentences;
mod spelling;
mod tautology;
mod word_lists;
mod words;
mod writing;

pub use antonym::TrainingCounts;
pub use case::{Case, CaseOutcome, CaseSentence};
pub use challenge::{CONTROL, Challenge, ChallengeError, TEST};
pub use composition::{ANALYSIS, AnalysisSource, ModifierCounts, ModifierSlot, ModifierTable};
pub use coverage::Coverage;
pub use entry::{Build, ChallengeEntry, Family, LabelEffect, Mode, Need, PerPart, Request};
pub use explain::{ExplainedSentence, Explanation};
pub use generator::{Generate, GeneratedExample, GenerationCounts, GroupSize};
pub use kind::{ChallengeKind, Made, NotApplicable, Order, Rewrite, Rewritten, Select, Selection};
pub use pair::PairView;
pub use resources::{LexicalScorer, Resources, ScorerError};
pub use selection::{Selected, SetSelection};
pub use sentences::{FromSentences, PairChoice, SentencePair, SentenceVersion, ShareLimit, Sides, SourceSentence, Trace, TreeNeed};

use acidtest_nli::Catalog;

/// The catalog of challenges.
pub static CATALOG: Catalog<ChallengeEntry> = Catalog::new(
    "challenge",
    &[
        tautology::WORD_OVERLAP,
        tautology::NEGATION,
        tautology::LENGTH_MISMATCH,
        tautology::TAUTOLOGY,
        spelling::SWAP,
        spelling::KEYBOARD,
        spelling::SWAP_CONTENT,
        spelling::SWAP_FUNCTION,
        numeric::NUMERIC,
        hans::HANS,
        compositional::COMPOSITIONAL,
        antonym::ANTONYM,
        composition::SUBJECT_OBJECT_SWAP,
        composition::ADDED_MODIFIER,
        composition::WORD_SHUFFLE,
    ],
);
