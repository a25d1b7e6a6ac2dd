//! `acidtest lexical score`: how strongly the words of each example mislead.

use crate::flags::{DataFlags, ThreadFlags};
use crate::options::refuse_same;
use crate::page::{PageFlags, PageNote};
use crate::progress::Terminal;
use crate::show::ShowFlags;
use acidtest_corpus::PredictionForm;
use acidtest_experiment::{LexicalScores, PageTarget, score_words};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Score how strongly the words of each example mislead
#[derive(Args)]
#[command(long_about = include_str!("../help/lexical-score.txt"), after_long_help = include_str!("../examples/lexical-score.txt"))]
pub(crate) struct Score {
    /// Corpora: files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    data: Vec<PathBuf>,
    /// Lexical model: a folder written by `acidtest train --model lexical`
    #[arg(long, value_name = "FOLDER")]
    model: PathBuf,
    /// Also count CS_λ for this λ, beside 0.5, 0.6, 0.7 and 0.95; may be repeated
    #[arg(long, value_name = "LAMBDA", value_parser = lambda)]
    lambda: Vec<f64>,
    /// Write the id, gold label, score and probabilities of each example to this file: CSV if it ends in .csv, else JSON lines
    #[arg(long, value_name = "OUT")]
    rows: Option<PathBuf>,
    #[command(flatten)]
    page: PageFlags,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
    #[command(flatten)]
    show: ShowFlags,
}

/// A λ as users give it.
pub(crate) fn lambda(text: &str) -> Result<f64, String> {
    let lambda = text.parse().ok().filter(|lambda| (0.0..=1.0).contains(lambda));
    lambda.ok_or_else(|| "expected a number from 0 to 1".to_string())
}

impl Score {
    pub(crate) fn run(self) -> Result<()> {
        let page = self.page.target();
        page.as_ref().map_or(Ok(()), PageTarget::check)?;
        if let Some(rows) = &self.rows {
            PredictionForm::of_path(rows)?;
            refuse_same(&self.data, rows)?;
        }
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let data = self.read.spec(&self.data)?.resolve_text()?;
        let scores = LexicalScores { model: self.model, lambdas: self.lambda, rows: self.rows, page };
        let note = PageNote::before(scores.page.as_ref().map(PageTarget::index));
        let report = score_words(data, &scores, &session)?;
        self.show.show(&report)?;
        note.say();
        Ok(())
    }
}
