//! `acidtest corpus`: inspects, converts, splits and samples corpora.

mod audit;
mod convert;
mod frames;
mod sample;
mod split;
mod stats;
mod tags;

use anyhow::Result;
use clap::Subcommand;

/// The subcommands of `corpus`.
#[derive(Subcommand)]
pub(crate) enum CorpusVerb {
    Stats(stats::Stats),
    Audit(audit::AuditRows),
    Tags(tags::TagRows),
    Frames(frames::CountFrames),
    Convert(convert::Convert),
    Split(split::SplitRows),
    Sample(sample::SampleRows),
}

impl CorpusVerb {
    pub(crate) fn run(self) -> Result<()> {
        match self {
            CorpusVerb::Stats(verb) => verb.run(),
            CorpusVerb::Tags(verb) => verb.run(),
            CorpusVerb::Audit(verb) => verb.run(),
            CorpusVerb::Frames(verb) => verb.run(),
            CorpusVerb::Convert(verb) => verb.run(),
            CorpusVerb::Split(verb) => verb.run(),
            CorpusVerb::Sample(verb) => verb.run(),
        }
    }
}
