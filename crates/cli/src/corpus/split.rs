//! `acidtest corpus split`: parts that share no premise, or genres.

use crate::flags::{DataFlags, ThreadFlags, UnlabelledRows};
use crate::progress::Terminal;
use crate::show::visible;
use acidtest_corpus::Split;
use acidtest_experiment::{OldParts, SplitFolder, SplitInto, split};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Cut a corpus into parts that share no premise, or into one file for each value of a tag
#[derive(Args)]
pub(crate) struct SplitRows {
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
    /// Replace the parts that an earlier split wrote to the folder; any other or changed file in it is refused
    #[arg(long)]
    force: bool,
    /// Seed of the split
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What becomes of rows without a gold label
    #[arg(long, value_enum, default_value_t = UnlabelledRows::Keep)]
    unlabelled: UnlabelledRows,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
}

impl SplitRows {
    /// Splits.
    pub(crate) fn run(self) -> Result<()> {
        let into = match &self.by {
            Some(tag) => SplitInto::Values(tag.clone()),
            None => SplitInto::Parts(Split::parse(self.part.iter().map(String::as_str))?),
        };
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let to = SplitFolder { path: &self.output, old: if self.force { OldParts::Replaced } else { OldParts::Refused } };
        let made = split(self.unlabelled.of(self.read.spec(&self.files)?).resolve_text()?, &into, self.seed, to, &session)?;
        drop(terminal);
        for (name, rows) in made.parts {
            eprintln!("{}: {rows} rows", visible(&name));
        }
        if made.left_over > 0 {
            eprintln!("{} rows belong to no part", made.left_over);
        }
        Ok(())
    }
}
