//! Reports about corpora: what is in them, their annotation tags, and what a model could exploit.

mod audit;
mod frames;
mod stats;
mod tags;

pub use audit::{AuditRequest, audit};
pub use frames::{FramesRequest, verb_frames};
pub use stats::statistics;
pub use tags::{annotation_tags, write_examples};

use acidtest_lingua::reach::is_within_reach;
use acidtest_nli::Example;

/// How many examples have a sentence that is so long that its beginning is looked into.
fn long_examples(examples: &[Example<'_>]) -> usize {
    let is_long = |example: &&Example<'_>| {
        [&example.pair.premise, &example.pair.hypothesis].into_iter().any(|sentence| !is_within_reach(&sentence.text))
    };
    examples.iter().filter(is_long).count()
}

/// What is said of them; nothing if there are none.
fn reach_note(long: usize) -> Option<String> {
    match long {
        0 => None,
        1 => Some("1 example has a text of more than 1 MB; only its beginning was read.".to_string()),
        _ => Some(format!("{long} examples have a text of more than 1 MB; only its beginning was read.")),
    }
}
