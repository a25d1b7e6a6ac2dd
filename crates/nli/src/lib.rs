//! The vocabulary of natural language inference.
//!
//! Every other crate of Acidtest speaks in these types. This one knows no other crate of ours and does no input or output.
//!
//! A [`Pair`] is what a model is asked about: two sentences and an id, no gold label and no tags, so that leakage cannot be
//! written. An [`Example`] is a pair with everything a corpus knows about it. A [`Prediction`] is what a model answered.

mod agreement;
mod catalog;
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
pub use example::{Change, Example, Pair, Sentence, Side, content_hash, content_id, is_content_id};
pub use judgment::{AnswerProblem, Judgment, Label, LabelNames, UnknownLabel};
pub use loose::{LabelDoubt, LooseLabels};
pub use misleading::Misleading;
pub use prediction::{Answer, IncompleteScores, Key, Prediction, Scores};
pub use seed::{Rng, Seed};
pub use settings::{Settings, SettingsError};
pub use tag::Tags;
pub use votes::{Vote, Votes};
