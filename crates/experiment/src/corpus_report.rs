//! Reports about corpora: what is in them, their annotation tags, and what a model could exploit.

mod audit;
mod stats;
mod tags;

pub use audit::{AuditRequest, audit};
pub use stats::statistics;
pub use tags::{annotation_tags, write_examples};
