//! `acidtest corpus sample`: a random sample.

use crate::flags::{DataFlags, ThreadFlags, UnlabelledRows};
use crate::progress::Terminal;
use crate::show::grouped;
use acidtest_experiment::{Destination, sample};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Draw a random sample
#[derive(Args)]
#[command(long_about = include_str!("../help/corpus-sample.txt"), after_long_help = include_str!("../examples/corpus-sample.txt"))]
pub(crate) struct SampleRows {
    /// Number of examples
    #[arg(value_name = "N")]
    rows: usize,
    /// Corpora: files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write to this file; `-` is standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// Format to write (see `acidtest list formats`) [default: by file extension, else acidtest]
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What to do with examples without a gold label
    #[arg(long, value_enum, value_name = "ACTION", default_value_t = UnlabelledRows::Keep)]
    unlabelled: UnlabelledRows,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
}

impl SampleRows {
    pub(crate) fn run(self) -> Result<()> {
        let to = Destination::new(&self.output, self.to.as_deref())?;
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let sampled = sample(self.unlabelled.of(self.read.spec(&self.files)?).resolve_text()?, self.rows, self.seed, to, &session)?;
        drop(terminal);
        eprintln!("{} of {} examples drawn", grouped(sampled.drawn), grouped(sampled.read));
        Ok(())
    }
}
