//! `acidtest corpus frames`: how often a corpus has the verbs of a grammar in the frames that its templates need.

use crate::flags::{DataFlags, ThreadFlags};
use crate::progress::Terminal;
use crate::show::ShowFlags;
use acidtest_challenge::hans::FrameStrictness;
use acidtest_experiment::{FrameOptions, FramesRequest, grammar_named, verb_frames};
use anyhow::{Context, Result};
use clap::Args;
use std::path::PathBuf;

/// Count the verbs of a grammar by subcategorisation frame
#[derive(Args)]
#[command(long_about = include_str!("../help/corpus-frames.txt"), after_long_help = include_str!("../examples/corpus-frames.txt"))]
pub(crate) struct CountFrames {
    /// Training corpora: files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Grammar whose verbs are counted: `hans`, or a file (see docs/grammar.md)
    #[arg(long, value_name = "hans|FILE", default_value = "hans")]
    grammar: PathBuf,
    /// Minimum number of occurrences in a frame [default: 50 in 392,702 examples, scaled to the corpus]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    threshold: Option<u64>,
    /// Also exclude verbs that are too rare as passives or reduced participles
    #[arg(long)]
    strict_frames: bool,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
    #[command(flatten)]
    show: ShowFlags,
}

impl CountFrames {
    pub(crate) fn run(self) -> Result<()> {
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let grammar = grammar_named(&self.grammar).context("--grammar")?;
        let strictness = if self.strict_frames { FrameStrictness::All } else { FrameStrictness::Active };
        let request = FramesRequest { grammar: &grammar, options: FrameOptions { threshold: self.threshold, strictness } };
        let report = verb_frames(self.read.spec(&self.files)?.resolve_text()?, request, &session)?;
        self.show.show(&report)
    }
}
