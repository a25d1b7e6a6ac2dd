//! `acidtest corpus`: inspects, converts, splits and samples corpora.

mod audit;
mod convert;
mod sample;
mod split;
mod stats;
mod tags;

use anyhow::Result;
use clap::Subcommand;

/// What there is to do with corpora.
#[derive(Subcommand)]
pub(crate) enum Corpus {
    Stats(stats::Stats),
    Audit(audit::AuditRows),
    Tags(tags::TagRows),
    Convert(convert::Convert),
    Split(split::SplitRows),
    Sample(sample::SampleRows),
}

impl Corpus {
    pub(crate) fn run(self) -> Result<()> {
        match self {
            Corpus::Stats(verb) => verb.run(),
            Corpus::Tags(verb) => verb.run(),
            Corpus::Audit(verb) => verb.run(),
            Corpus::Convert(verb) => verb.run(),
            Corpus::Split(verb) => verb.run(),
            Corpus::Sample(verb) => verb.run(),
        }
    }
}
