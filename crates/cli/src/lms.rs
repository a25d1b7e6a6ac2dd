//! `acidtest lms`: how far the words of each row mislead.

use crate::lexical::{open_lexical, with_band};
use crate::options::{ReadFlags, ThreadFlags, files, refuse_same, tell_skipped};
use crate::page::write_folder;
use crate::show::{ShowFlags, inputs, provenance};
use acidtest_evaluate::analysis::misleading::LAMBDAS;
use acidtest_evaluate::report::Report;
use acidtest_evaluate::report::html::{BrowserRow, Folder};
use acidtest_experiment::{KeptRow, LmsRequest, score_rows};
use acidtest_nli::Prediction;
use anyhow::Result;
use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Score how far the words of each row mislead a model that sees nothing else
///
/// The lexically-misleading score of a row is the largest probability that a lexical model gives a wrong label; CS_λ are the rows with a score
/// of at least λ (Nie et al. 2018). Rows that the model was trained on are scored by models that did not see them.
#[derive(Args)]
pub struct Lms {
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
    read: ReadFlags,
    #[command(flatten)]
    show: ShowFlags,
}

/// A λ as users give it.
pub fn lambda(text: &str) -> Result<f64, String> {
    let lambda = text.parse().ok().filter(|lambda| (0.0..=1.0).contains(lambda));
    lambda.ok_or_else(|| "expected a number from 0 to 1".to_string())
}

impl Lms {
    /// Scores and shows.
    pub fn run(self) -> Result<()> {
        if let Some(folder) = &self.report {
            crate::page::check_folder(folder)?;
        }
        if let Some(rows) = &self.rows {
            refuse_same(&self.data, rows)?;
        }
        let model = open_lexical(&self.model)?;
        let mut lambdas: Vec<f64> = LAMBDAS.into_iter().chain(self.lambda).collect();
        lambdas.sort_by(f64::total_cmp);
        lambdas.dedup();
        let found = score_rows(LmsRequest {
            model: &model,
            files: files(&self.data)?,
            options: self.read.options()?,
            lambdas,
            rows: self.rows,
            keep_from: self.report.is_some().then_some(LAMBDAS[0]),
            threads: &self.threads.threads()?,
        })?;
        tell_skipped(found.skipped);
        let options = BTreeMap::from([("lexical model".to_string(), self.model.display().to_string())]);
        let names: Vec<&str> = found.files.iter().map(|file| file.name.as_str()).collect();
        let report = Report::new(
            format!("How far words mislead in {}", names.join(", ")),
            provenance(inputs("data", &found.files), BTreeMap::new(), options),
            found.counts.sections(),
        );
        self.show.show(&report)?;
        let Some(folder) = &self.report else { return Ok(()) };
        write_folder(folder, |sink| {
            let mut page = Folder::new(&report, sink);
            for row in &found.kept {
                let answer = Prediction::from_scores(row.misled.probabilities).answer;
                let tags = with_band(&row.example.tags, &row.misled);
                page.add(BrowserRow {
                    answer: Some(answer),
                    right: row.example.gold.map(|gold| gold == answer),
                    tags: &tags,
                    ..plain(row)
                })?;
            }
            page.finish()
        })
    }
}

fn plain(row: &KeptRow) -> BrowserRow<'_> {
    BrowserRow {
        set: "CS_0.5",
        id: &row.example.pair.id,
        premise: &row.example.pair.premise.text,
        hypothesis: &row.example.pair.hypothesis.text,
        gold: row.example.gold,
        answer: None,
        right: None,
        scores: None,
        tags: &row.example.tags,
        changes: &row.example.changes,
        misled: Some(&row.misled),
    }
}
