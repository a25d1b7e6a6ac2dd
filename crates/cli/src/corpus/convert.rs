//! `acidtest corpus convert`: another format.

use crate::options::{ReadFlags, ThreadFlags, files, tell_skipped};
use acidtest_corpus::{EncodedRows, FORMATS, Format, IdPolicy, LoopOptions, Reader, Writer, for_blocks};
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
    threads: ThreadFlags,
    #[command(flatten)]
    read: ReadFlags,
}

impl Convert {
    /// Converts.
    pub fn run(self) -> Result<()> {
        let format = match &self.to {
            Some(name) => *FORMATS.find(name)?,
            None => Format::of_path(&self.output),
        };
        let mut writer = Writer::create(&self.output, format)?;
        let encoder = writer.encoder();
        let counts = for_blocks(
            &mut Reader::new(files(&self.files)?, self.read.options()?),
            LoopOptions { threads: &self.threads.threads()?, ids: IdPolicy::Unique },
            |examples| {
                let mut rows = EncodedRows::default();
                for row in examples {
                    encoder.add(&row.example, &mut rows)?;
                }
                Ok(rows)
            },
            |rows| writer.write_rows(&rows),
        )?;
        writer.finish()?;
        eprintln!("{} rows written as {}", counts.read, format.name());
        tell_skipped(counts.skipped);
        Ok(())
    }
}
