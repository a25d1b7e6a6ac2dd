//! `acidtest corpus`: looks into corpora, converts, splits and samples them.

mod audit;
mod convert;
mod sample;
mod split;
mod stats;
mod tags;

use anyhow::Result;
use clap::Subcommand;

/// Look into corpora, convert, split and sample them
#[derive(Subcommand)]
pub(crate) enum CorpusVerb {
    /// Counts, lengths, agreement, overlap, duplicates and leakage of corpora
    Stats(stats::Stats),
    /// Annotation tags of MultiNLI, as a table and on each row
    Tags(tags::TagRows),
    /// What a model could exploit: overlap heuristics, telling words, negation, length
    Audit(audit::AuditRows),
    /// Write corpora in another format
    Convert(convert::Convert),
    /// Cut a corpus into parts that share no premise, or into its genres
    Split(split::SplitRows),
    /// Draw rows at random
    Sample(sample::SampleRows),
}

impl CorpusVerb {
    /// Does it.
    pub(crate) fn run(self) -> Result<()> {
        match self {
            CorpusVerb::Stats(verb) => verb.run(),
            CorpusVerb::Tags(verb) => verb.run(),
            CorpusVerb::Audit(verb) => verb.run(),
            CorpusVerb::Convert(verb) => verb.run(),
            CorpusVerb::Split(verb) => verb.run(),
            CorpusVerb::Sample(verb) => verb.run(),
        }
    }
}
