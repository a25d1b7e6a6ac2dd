//! The whole line: from corpora through challenges and models to reports.

mod answers;
mod run;
mod set;

pub use answers::{item, judge};
pub use run::{NamedModel, RunError, run_report};
pub use set::{ClosedSet, SetError, SetRequest, make_set};
