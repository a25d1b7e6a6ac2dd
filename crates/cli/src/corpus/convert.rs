//! `acidtest corpus convert`: another format.

use crate::flags::{DataFlags, ThreadFlags, UnlabelledRows};
use crate::progress::Terminal;
use acidtest_experiment::{Destination, convert};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Write corpora in another format
///
/// The formats of the input are told by content; several files and folders become one output.
#[derive(Args)]
pub(crate) struct Convert {
    /// Corpora: files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Where the rows go; `-` for standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Format to write (see `acidtest list formats`) [default: told by the output's ending; our own without one]
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// What becomes of rows without a gold label
    #[arg(long, value_enum, default_value_t = UnlabelledRows::Keep)]
    unlabelled: UnlabelledRows,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
}

impl Convert {
    /// Converts.
    pub(crate) fn run(self) -> Result<()> {
        let to = Destination::new(&self.output, self.to.as_deref())?;
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let rows = convert(self.unlabelled.of(self.read.spec(&self.files)?).resolve_text()?, to, &session)?;
        drop(terminal);
        eprintln!("{rows} rows written as {}", to.format.name());
        Ok(())
    }
}
