//! Review sheets: people judge a sample of a set without seeing its labels, and what they say is counted and kept beside the set.

mod csv;
mod draw;
mod key;
mod page;
mod problem;
mod score;
mod sheet;
mod stored;

pub use draw::{DrawnReview, OldReview, ReviewSpec, draw_review};
pub use key::KEY_FILE;
pub use problem::{ReviewProblem, SheetProblem};
pub use score::{ScoreRequest, ScoredReview, score_review};
pub(crate) use stored::stored_review;
