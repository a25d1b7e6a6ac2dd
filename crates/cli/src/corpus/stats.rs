//! `acidtest corpus stats`: what is in a corpus.

use crate::flags::{DataFlags, ThreadFlags};
use crate::progress::Terminal;
use crate::show::ShowFlags;
use acidtest_experiment::statistics;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Show label counts, lengths, agreement, overlap, duplicates and leakage
#[derive(Args)]
#[command(long_about = include_str!("../help/corpus-stats.txt"), after_long_help = include_str!("../examples/corpus-stats.txt"))]
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

impl Stats {
    pub(crate) fn run(self) -> Result<()> {
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let report = statistics(self.read.spec(&self.files)?.resolve_text()?, &session)?;
        self.show.show(&report)
    }
}
