//! The vocabulary of natural language inference.
//!
//! All other crates of Acidtest use these types. This crate depends on none of them and does no input or output.
//!
//! A [`Pair`] is the input of a model: two sentences and an id. It has no gold label and no tags, so a model cannot see them.
//! An [`Example`] is a pair with its gold label and metadata. A [`Prediction`] is a model's label for a pair.

mod agreement;
mod catalog;
mod count;
mod example;
mod judgment;
mod loose;
mod misleading;
mod prediction;
mod seed;
mod settings;
pub mod tag;
mod votes;

pub use agreement::FleissKappa;
pub use catalog::{Catalog, Named, UnknownName, find};
pub use count::{counted, grouped};
pub use example::{Change, Example, Pair, Sentence, Side, content_hash, content_id, is_content_id};
pub use judgment::{AnswerProblem, Judgment, Label, LabelNames, UnknownLabel};
pub use loose::{LabelDoubt, LooseLabels};
pub use misleading::Misleading;
pub use prediction::{Answer, IncompleteScores, Key, Prediction, Scores};
pub use seed::{Rng, Seed};
pub use settings::{Settings, SettingsError};
pub use tag::Tags;
pub use votes::{Vote, Votes};
