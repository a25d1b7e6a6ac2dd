//! `acidtest corpus split`: parts that share no premise, or genres.

use crate::options::{ReadFlags, files, tell_skipped};
use acidtest_corpus::{BadRows, Format, InputFile, ReadOptions, Reader, Split, Splitter, Writer};
use acidtest_files::{MadeFolder, publish_all};
use acidtest_nli::Example;
use anyhow::{Result, bail};
use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;

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
    read: ReadFlags,
}

impl SplitRows {
    /// Splits.
    pub fn run(self) -> Result<()> {
        let inputs = files(&self.files)?;
        if inputs.iter().any(InputFile::is_standard_input) {
            bail!("a split reads its input twice: give it a file, not standard input");
        }
        let options = self.read.options()?;
        let split = Split::parse(self.part.iter().map(String::as_str))?;
        let _folder = MadeFolder::at(&self.output)?;
        let mut parts = Parts { folder: self.output.clone(), open: BTreeMap::new() };
        let mut left_over = 0u64;
        let skipped = match &self.by {
            Some(tag) => each_row(&inputs, &options, |example| {
                let value = example.tags.get(tag).unwrap_or("none").to_string();
                parts.write(&value, example)
            })?,
            None => {
                let mut numbers = Vec::new();
                each_row(&inputs, &options, |example| {
                    numbers.push(Splitter::number(self.seed, example));
                    Ok(())
                })?;
                let splitter = Splitter::new(self.seed, &split, numbers)?;
                each_row(&inputs, &options, |example| match splitter.part(example) {
                    Some(part) => parts.write(&split.parts[part].0, example),
                    None => {
                        left_over += 1;
                        Ok(())
                    }
                })?
            }
        };
        parts.finish()?;
        if left_over > 0 {
            eprintln!("{left_over} rows belong to no part");
        }
        tell_skipped(skipped);
        Ok(())
    }
}

/// The parts that are being written.
struct Parts {
    folder: PathBuf,
    open: BTreeMap<String, (Writer, u64)>,
}

impl Parts {
    fn write(&mut self, name: &str, example: &Example<'_>) -> Result<()> {
        // A tag's value may hold characters that no file name should.
        let name: String = name.chars().map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' }).collect();
        if !self.open.contains_key(&name) {
            let path = self.folder.join(format!("{name}.jsonl"));
            self.open.insert(name.clone(), (Writer::create(&path, Format::Acidtest)?, 0));
        }
        if let Some((writer, rows)) = self.open.get_mut(&name) {
            writer.write(example)?;
            *rows += 1;
        }
        Ok(())
    }

    fn finish(self) -> Result<()> {
        let mut files = Vec::new();
        let mut told = String::new();
        for (name, (writer, rows)) in self.open {
            files.extend(writer.seal()?);
            told += &format!("{name}: {rows} rows\n");
        }
        publish_all(files)?;
        eprint!("{told}");
        Ok(())
    }
}

/// Gives every row to `take`; the number of rows that could not be read is returned.
fn each_row(inputs: &[InputFile], options: &ReadOptions, mut take: impl FnMut(&Example<'_>) -> Result<()>) -> Result<u64> {
    let mut reader = Reader::new(inputs.to_vec(), options.clone());
    let mut skipped = 0;
    while let Some(block) = reader.next_block()? {
        for row in block.rows() {
            match row {
                Ok(row) => take(&row.example)?,
                Err(_) if block.bad_rows() == BadRows::Skip => skipped += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(skipped)
}
