//! `acidtest corpus split`: parts that share no premise, or genres.

use crate::options::{ReadFlags, ThreadFlags, files, tell_skipped};
use acidtest_corpus::{
    CorpusError, EncodedRows, Encoder, Format, IdPolicy, InputFile, LoopCounts, LoopOptions, Reader, Split, Splitter, Writer, for_blocks,
};
use acidtest_files::{MadeFolder, publish_all};
use acidtest_nli::Example;
use anyhow::{Result, bail};
use clap::Args;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;

/// How parts are written.
const FORMAT: Format = Format::ACIDTEST;

/// Cut a corpus into parts that share no premise, or into one file for each value of a tag
#[derive(Args)]
pub struct SplitRows {
    /// Corpora: files or folders
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// A part and its share or number of rows, such as `train=0.8` or `dev=1000`
    #[arg(long, value_name = "NAME=SIZE", conflicts_with = "by", required_unless_present = "by")]
    part: Vec<String>,
    /// Make one file for each value of this tag, such as `genre`
    #[arg(long, value_name = "TAG")]
    by: Option<String>,
    /// Folder for the parts
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// Seed of the split
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: ReadFlags,
}

impl SplitRows {
    /// Splits.
    pub fn run(self) -> Result<()> {
        let inputs = files(&self.files)?;
        if inputs.iter().any(InputFile::is_standard_input) {
            bail!("a split reads its input twice: give it a file, not standard input");
        }
        let (options, threads) = (self.read.options()?, self.threads.threads()?);
        let split = Split::parse(self.part.iter().map(String::as_str))?;
        let _folder = MadeFolder::at(&self.output)?;
        let rows = || Reader::new(inputs.clone(), options.clone());
        let how = LoopOptions { threads: &threads, ids: IdPolicy::Unique };
        let mut parts = Parts { folder: self.output.clone(), open: BTreeMap::new() };
        let counts = match &self.by {
            Some(tag) => parts.fill(rows(), how, |example| Some(file_name(example.tags.get(tag).unwrap_or("none"))))?,
            None => {
                let splitter = Splitter::new(self.seed, &split, self.numbers(rows(), how)?)?;
                parts.fill(rows(), how, |example| splitter.part(example).map(|part| split.parts[part].0.clone()))?
            }
        };
        let left_over = counts.read - parts.finish()?;
        if left_over > 0 {
            eprintln!("{left_over} rows belong to no part");
        }
        tell_skipped(counts.skipped);
        Ok(())
    }

    /// The random number of every row's premise.
    fn numbers(&self, mut rows: Reader, how: LoopOptions<'_>) -> Result<Vec<u64>, CorpusError> {
        let mut numbers = Vec::new();
        for_blocks(
            &mut rows,
            how,
            |examples| Ok(examples.map(|row| Splitter::number(self.seed, &row.example)).collect::<Vec<_>>()),
            |part| {
                numbers.extend(part);
                Ok::<(), CorpusError>(())
            },
        )?;
        Ok(numbers)
    }
}

/// A tag's value may hold characters that no file name should.
fn file_name(value: &str) -> String {
    value.chars().map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' }).collect()
}

/// The parts that are being written, with how many rows each has.
struct Parts {
    folder: PathBuf,
    open: BTreeMap<String, (Writer, u64)>,
}

impl Parts {
    /// Writes every row to the part that it belongs to, if it belongs to any.
    fn fill(
        &mut self,
        mut rows: Reader,
        how: LoopOptions<'_>,
        part_of: impl Fn(&Example<'_>) -> Option<String> + Sync,
    ) -> Result<LoopCounts, CorpusError> {
        let encoder = Encoder::new(FORMAT, &self.folder);
        for_blocks(
            &mut rows,
            how,
            |examples| {
                let mut parts: BTreeMap<String, (EncodedRows, u64)> = BTreeMap::new();
                for row in examples {
                    let Some(name) = part_of(&row.example) else { continue };
                    let (part, rows) = parts.entry(name).or_default();
                    encoder.add(&row.example, part)?;
                    *rows += 1;
                }
                Ok(parts)
            },
            |parts| parts.into_iter().try_for_each(|(name, (part, rows))| self.write(name, &part, rows)),
        )
    }

    fn write(&mut self, name: String, part: &EncodedRows, rows: u64) -> Result<(), CorpusError> {
        let (writer, written) = match self.open.entry(name) {
            Entry::Occupied(open) => open.into_mut(),
            Entry::Vacant(new) => {
                let path = self.folder.join(format!("{}.{}", new.key(), FORMAT.ending()));
                new.insert((Writer::create(&path, FORMAT)?, 0))
            }
        };
        *written += rows;
        writer.write_rows(part)
    }

    /// Lets all parts appear, says how many rows each has, and gives their sum.
    fn finish(self) -> Result<u64> {
        let mut files = Vec::new();
        let (mut told, mut all) = (String::new(), 0);
        for (name, (writer, rows)) in self.open {
            files.push(writer.seal()?);
            told += &format!("{name}: {rows} rows\n");
            all += rows;
        }
        publish_all(files)?;
        eprint!("{told}");
        Ok(all)
    }
}
