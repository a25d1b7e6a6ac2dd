//! `acidtest corpus stats`: what is in a corpus.

use crate::flags::{DataFlags, ThreadFlags};
use crate::progress::Terminal;
use crate::show::ShowFlags;
use acidtest_experiment::statistics;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Show label counts, lengths, agreement, overlap, duplicates and leakage
///
/// You get tables for all examples and by genre; with several files also which premises and examples they share.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Stats {
    /// Corpora: files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
    #[command(flatten)]
    show: ShowFlags,
}

const EXAMPLES: &str = "Examples:
  acidtest corpus stats dev.jsonl
  acidtest corpus stats train.jsonl dev.jsonl --format json -o stats.json";

impl Stats {
    /// Counts and shows.
    pub(crate) fn run(self) -> Result<()> {
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let report = statistics(self.read.spec(&self.files)?.resolve_text()?, &session)?;
        self.show.show(&report)
    }
}
