//! Scores, intervals and reports for NLI predictions.
//!
//! [`Predictions::join`] joins predictions to their examples, [`Scoring`] scores each against gold and
//! gives [`Judged`] examples, [`Score`] counts them, overall or by tags, and a [`report::Report`] shows the results.
//!
//! Plain data in, plain data out: nothing here reads files or the environment, and nothing prints.

pub mod analysis;
pub mod baseline;
mod breakdown;
pub mod checks;
mod generalisation;
pub mod glossary;
mod join;
pub mod measurement;
mod natural_order;
pub mod report;
mod score;
mod scoring;
pub mod statistics;

pub use breakdown::{GOLD, Group, NO_VALUE};
pub use generalisation::Generalisation;
pub use join::{ClusterRule, Item, JoinError, Joined, JoinedExample, Missing, Names, Predictions, Unit, join};
pub use score::{Confusion, LabelScore, Score};
pub use scoring::{Judged, ScoredAnswer, Scoring, ScoringError};
