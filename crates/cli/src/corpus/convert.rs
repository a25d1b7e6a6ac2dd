//! `acidtest corpus convert`: another format.

use crate::flags::{DataFlags, ThreadFlags, UnlabelledRows};
use crate::progress::Terminal;
use crate::show::grouped;
use acidtest_experiment::{Destination, convert};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Convert corpora to another format
#[derive(Args)]
#[command(long_about = include_str!("../help/corpus-convert.txt"), after_long_help = include_str!("../examples/corpus-convert.txt"))]
pub(crate) struct Convert {
    /// Corpora: files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write to this file; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Format to write (see `acidtest list formats`) [default: by file extension, else acidtest]
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// What to do with examples without a gold label
    #[arg(long, value_enum, value_name = "ACTION", default_value_t = UnlabelledRows::Keep)]
    unlabelled: UnlabelledRows,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
}

impl Convert {
    pub(crate) fn run(self) -> Result<()> {
        let to = Destination::new(&self.output, self.to.as_deref())?;
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let rows = convert(self.unlabelled.of(self.read.spec(&self.files)?).resolve_text()?, to, &session)?;
        drop(terminal);
        eprintln!("{} examples written as {}", grouped(rows), to.format.name());
        Ok(())
    }
}
