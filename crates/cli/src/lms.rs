//! `acidtest lms`: how far the words of each row mislead.

use crate::flags::{DataFlags, ThreadFlags};
use crate::options::refuse_same;
use crate::page::PageNote;
use crate::progress::Terminal;
use crate::show::ShowFlags;
use acidtest_corpus::PredictionForm;
use acidtest_experiment::{LexicalScores, check_page_folder, score_words};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Score how far the words of each row mislead a model that sees nothing else
///
/// The lexically-misleading score of a row is the largest probability that a lexical model gives a wrong label; CS_λ are the rows with a score
/// of at least λ (Nie et al. 2018). Rows that the model was trained on are scored by models that did not see them.
#[derive(Args)]
pub(crate) struct Lms {
    /// Corpora: files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    data: Vec<PathBuf>,
    /// Folder of a trained lexical model
    #[arg(long, value_name = "FOLDER")]
    model: PathBuf,
    /// Another λ to count the rows of, beside 0.5, 0.6, 0.7 and 0.95
    #[arg(long, value_name = "LAMBDA", value_parser = lambda)]
    lambda: Vec<f64>,
    /// File for each row's id, gold label, score and probabilities: comma separated (.csv), else JSON lines
    #[arg(long, value_name = "OUT")]
    rows: Option<PathBuf>,
    /// Folder for the report as a page (index.html), with the rows of CS_0.5 and the words that mislead
    #[arg(long, value_name = "FOLDER", help_heading = "Report")]
    report: Option<PathBuf>,
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

impl Lms {
    /// Scores and shows.
    pub(crate) fn run(self) -> Result<()> {
        if let Some(folder) = &self.report {
            check_page_folder(folder)?;
        }
        if let Some(rows) = &self.rows {
            PredictionForm::of_path(rows)?;
            refuse_same(&self.data, rows)?;
        }
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let data = self.read.spec(&self.data)?.resolve_text()?;
        let scores = LexicalScores { model: self.model, lambdas: self.lambda, rows: self.rows, page: self.report };
        let note = PageNote::before(scores.page.as_ref().map(|folder| folder.join("index.html")));
        let report = score_words(data, &scores, &session)?;
        self.show.show(&report)?;
        note.say();
        Ok(())
    }
}
