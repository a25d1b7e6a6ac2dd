//! `acidtest corpus sample`: rows at random.

use crate::flags::{DataFlags, ThreadFlags, UnlabelledRows};
use crate::progress::Terminal;
use acidtest_experiment::{Destination, sample};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Draw rows at random
///
/// A sample depends on the seed and the rows, not on their order; 100 rows are the first of 1,000 rows with the same seed.
#[derive(Args)]
pub(crate) struct SampleRows {
    /// How many rows
    rows: usize,
    /// Corpora: files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Where the sample goes; `-` for standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// Format to write (see `acidtest list formats`) [default: told by the output's ending; our own without one]
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Seed of the draw
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What becomes of rows without a gold label
    #[arg(long, value_enum, default_value_t = UnlabelledRows::Keep)]
    unlabelled: UnlabelledRows,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
}

impl SampleRows {
    /// Draws.
    pub(crate) fn run(self) -> Result<()> {
        let to = Destination::new(&self.output, self.to.as_deref())?;
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let sampled = sample(self.unlabelled.of(self.read.spec(&self.files)?).resolve_text()?, self.rows, self.seed, to, &session)?;
        drop(terminal);
        eprintln!("{} of {} rows drawn", sampled.drawn, sampled.read);
        Ok(())
    }
}
