//! `acidtest corpus sample`: rows at random.

use crate::options::{ReadFlags, ThreadFlags, files, tell_skipped};
use acidtest_corpus::{CorpusError, FORMATS, Format, IdPolicy, LoopOptions, Reader, Sampler, Writer, for_blocks};
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
    threads: ThreadFlags,
    #[command(flatten)]
    read: ReadFlags,
}

impl SampleRows {
    /// Draws.
    pub fn run(self) -> Result<()> {
        let format = match &self.to {
            Some(name) => *FORMATS.find(name)?,
            None => Format::of_path(&self.output),
        };
        let mut sampler = Sampler::new(self.seed, self.rows);
        let counts = for_blocks(
            &mut Reader::new(files(&self.files)?, self.read.options()?),
            LoopOptions { threads: &self.threads.threads()?, ids: IdPolicy::Unique },
            |examples| {
                let mut part = Sampler::new(self.seed, self.rows);
                examples.for_each(|row| part.add(&row.example));
                Ok(part)
            },
            |part| {
                sampler.merge(part);
                Ok::<(), CorpusError>(())
            },
        )?;
        let sample = sampler.finish();
        let mut writer = Writer::create(&self.output, format)?;
        sample.iter().try_for_each(|example| writer.write(example))?;
        writer.finish()?;
        eprintln!("{} of {} rows drawn", sample.len(), counts.read);
        tell_skipped(counts.skipped);
        Ok(())
    }
}
