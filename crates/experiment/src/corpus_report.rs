//! Reports about corpora: statistics, annotation tags, and artefacts that a model could exploit.

mod audit;
mod frames;
mod stats;
mod tags;

pub use audit::{AuditRequest, audit};
pub use frames::{FramesRequest, verb_frames};
pub use stats::statistics;
pub use tags::{annotation_tags, write_examples};

use acidtest_lingua::reach::is_within_reach;
use acidtest_nli::{Example, grouped};

/// The number of examples with a sentence that is too long to be analysed completely.
fn long_examples(examples: &[Example<'_>]) -> usize {
    let is_long = |example: &&Example<'_>| {
        [&example.pair.premise, &example.pair.hypothesis].into_iter().any(|sentence| !is_within_reach(&sentence.text))
    };
    examples.iter().filter(is_long).count()
}

/// A note about them; `None` if there are none.
fn reach_note(long: usize) -> Option<String> {
    match long {
        0 => None,
        1 => Some("1 example has a text of more than 1 MB; only its beginning was read.".to_string()),
        _ => Some(format!("{} examples have a text of more than 1 MB; only its beginning was read.", grouped(long))),
    }
}
