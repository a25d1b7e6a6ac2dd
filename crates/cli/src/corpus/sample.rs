//! `acidtest corpus sample`: rows at random.

use crate::options::{ReadFlags, files, tell_skipped};
use acidtest_corpus::{BadRows, Format, Reader, Sampler, Writer};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Draw rows at random
///
/// A sample depends on the seed and the rows, not on their order; 100 rows are the first of 1,000 rows with the same seed.
#[derive(Args)]
pub struct SampleRows {
    /// How many rows
    rows: usize,
    /// Corpora: files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Where the sample goes; `-` for standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// Format to write (see `acidtest list formats`) [default: told by the output's name, else our own]
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Seed of the draw
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    read: ReadFlags,
}

impl SampleRows {
    /// Draws.
    pub fn run(self) -> Result<()> {
        let format = match &self.to {
            Some(name) => Format::named(name)?,
            None => Format::of_path(&self.output),
        };
        let mut reader = Reader::new(files(&self.files)?, self.read.options()?);
        let mut sampler = Sampler::new(self.seed, self.rows);
        let (mut read, mut skipped) = (0u64, 0);
        while let Some(block) = reader.next_block()? {
            for row in block.rows() {
                match row {
                    Ok(row) => sampler.add(&row.example),
                    Err(_) if block.bad_rows() == BadRows::Skip => {
                        skipped += 1;
                        continue;
                    }
                    Err(error) => return Err(error.into()),
                }
                read += 1;
            }
        }
        let sample = sampler.finish();
        let mut writer = Writer::create(&self.output, format)?;
        sample.iter().try_for_each(|example| writer.write(example))?;
        writer.finish()?;
        eprintln!("{} of {read} rows drawn", sample.len());
        tell_skipped(skipped);
        Ok(())
    }
}
