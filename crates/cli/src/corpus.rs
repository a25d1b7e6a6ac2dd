//! `acidtest corpus`: inspects, converts, splits and samples corpora.

mod audit;
mod convert;
mod sample;
mod split;
mod stats;
mod tags;

use anyhow::Result;
use clap::Subcommand;

/// Examples of the verb.
pub(crate) const EXAMPLES: &str = "Examples:
  acidtest corpus stats dev.jsonl
  acidtest corpus convert dev.jsonl -o dev.parquet
  acidtest corpus sample 10 dev.jsonl -o ten.jsonl";

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
    /// Does it.
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
