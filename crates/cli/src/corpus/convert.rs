//! `acidtest corpus convert`: another format.

use crate::flags::{DataFlags, ThreadFlags, UnlabelledRows};
use crate::progress::Terminal;
use acidtest_experiment::{Destination, convert};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Convert corpora to another format
///
/// You get one file with the examples of all inputs, whose formats are recognised by content.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Convert {
    /// Corpora: files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write to this file; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Format to write (see `acidtest list formats`) [default: by file extension; acidtest without one]
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// What to do with examples without a gold label
    #[arg(long, value_enum, default_value_t = UnlabelledRows::Keep)]
    unlabelled: UnlabelledRows,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
}

const EXAMPLES: &str = "Examples:
  acidtest corpus convert dev.jsonl -o dev.csv
  acidtest corpus convert dev.jsonl --to hf --unlabelled drop -o dev-hf.jsonl";

impl Convert {
    /// Converts.
    pub(crate) fn run(self) -> Result<()> {
        let to = Destination::new(&self.output, self.to.as_deref())?;
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let rows = convert(self.unlabelled.of(self.read.spec(&self.files)?).resolve_text()?, to, &session)?;
        drop(terminal);
        eprintln!("{rows} examples written as {}", to.format.name());
        Ok(())
    }
}
