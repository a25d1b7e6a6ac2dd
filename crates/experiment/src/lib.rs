//! The whole line: from corpora through challenges and models to reports.

mod answers;
mod findings;
mod run;
mod set;

pub use answers::{JudgeError, item, judge};
pub use findings::{diagnosis, lengths};
pub use run::{Asked, NamedModel, RunError, Source, TestSet, ask, make_sets, run_report};
pub use set::{ClosedSet, SetError, SetRequest, make_set};
