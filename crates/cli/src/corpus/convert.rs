//! `acidtest corpus convert`: another format.

use crate::options::{ReadFlags, files, tell_skipped};
use acidtest_corpus::{BadRows, Format, Reader, RowProblem, SeenIds, Writer};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Write corpora in another format
///
/// The formats of the input are told by content; several files and folders become one output.
#[derive(Args)]
pub struct Convert {
    /// Corpora: files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Where the rows go; `-` for standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Format to write (see `acidtest list formats`) [default: told by the output's name, else our own]
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    #[command(flatten)]
    read: ReadFlags,
}

impl Convert {
    /// Converts.
    pub fn run(self) -> Result<()> {
        let format = match &self.to {
            Some(name) => Format::named(name)?,
            None => Format::of_path(&self.output),
        };
        let mut reader = Reader::new(files(&self.files)?, self.read.options()?);
        let mut writer = Writer::create(&self.output, format)?;
        let (mut rows, mut skipped) = (0u64, 0);
        let mut seen = SeenIds::default();
        while let Some(block) = reader.next_block()? {
            for row in block.rows() {
                let row = match row {
                    Err(_) if block.bad_rows() == BadRows::Skip => {
                        skipped += 1;
                        continue;
                    }
                    row => row?,
                };
                if SeenIds::hash(&row.example.pair.id).is_some_and(|hash| !seen.insert(hash)) {
                    return Err(block.error(row.line, RowProblem::DoubleId(row.example.pair.id.into_owned())).into());
                }
                writer.write(&row.example)?;
                rows += 1;
            }
        }
        writer.finish()?;
        eprintln!("{rows} rows written as {}", format.name());
        tell_skipped(skipped);
        Ok(())
    }
}
