//! `acidtest corpus audit`: what a model could exploit in a corpus.

use crate::flags::{DataFlags, ThreadFlags};
use crate::progress::Terminal;
use crate::show::ShowFlags;
use acidtest_experiment::{AuditRequest, audit};
use acidtest_lingua::overlap::Matching;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Find annotation artefacts that a model could exploit
#[derive(Args)]
#[command(long_about = include_str!("../help/corpus-audit.txt"), after_long_help = include_str!("../examples/corpus-audit.txt"))]
pub(crate) struct AuditRows {
    /// Corpora: files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Match as the HANS authors' script does: tokens with punctuation, substrings, binary parses
    #[arg(long)]
    as_published: bool,
    /// Write the examples that contradict a heuristic to this file, with its name in the tag `contradicts`
    #[arg(long, value_name = "OUT")]
    contradicting: Option<PathBuf>,
    /// Number of contradicting examples to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    list: usize,
    /// Number of label-indicative words to show for each label
    #[arg(long, value_name = "N", default_value_t = 10)]
    words: usize,
    /// PMI smoothing: constant added to every word-label count
    #[arg(long, value_name = "NUMBER", default_value_t = 100.0, value_parser = smoothing)]
    smoothing: f64,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
    #[command(flatten)]
    show: ShowFlags,
}

fn smoothing(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a number above 0".to_string())
}

impl AuditRows {
    pub(crate) fn run(self) -> Result<()> {
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let spec = AuditRequest {
            matching: if self.as_published { Matching::AsPublished } else { Matching::Words },
            contradicting: self.contradicting,
            list: self.list,
            words: self.words,
            smoothing: self.smoothing,
        };
        let report = audit(self.read.spec(&self.files)?.resolve_text()?, &spec, &session)?;
        self.show.show(&report)
    }
}
