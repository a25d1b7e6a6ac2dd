//! `acidtest corpus split`: parts that share no premise, or genres.

use crate::flags::{DataFlags, ThreadFlags, UnlabelledRows};
use crate::progress::Terminal;
use crate::show::{counted, grouped, visible};
use acidtest_corpus::Split;
use acidtest_experiment::{OldParts, SplitFolder, SplitInto, split};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Split a corpus into parts that share no premise, or by genre
#[derive(Args)]
#[command(long_about = include_str!("../help/corpus-split.txt"), after_long_help = include_str!("../examples/corpus-split.txt"))]
pub(crate) struct SplitRows {
    /// Corpora: files or folders
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Part with its share or number of examples, such as `train=0.8` or `dev=1000`; may be repeated
    #[arg(long, value_name = "NAME=SIZE", conflicts_with = "by", required_unless_present = "by")]
    part: Vec<String>,
    /// Write one file for each value of this tag, such as `genre`
    #[arg(long, value_name = "TAG")]
    by: Option<String>,
    /// Folder for the parts
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// Replace the parts that an earlier split wrote to the folder; refused if it contains other or changed files
    #[arg(long)]
    force: bool,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What to do with examples without a gold label
    #[arg(long, value_enum, value_name = "ACTION", default_value_t = UnlabelledRows::Keep)]
    unlabelled: UnlabelledRows,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
}

impl SplitRows {
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
            eprintln!("{}: {}", visible(&name), counted(rows, "example"));
        }
        if made.left_over > 0 {
            eprintln!("{} examples are in no part", grouped(made.left_over));
        }
        Ok(())
    }
}
