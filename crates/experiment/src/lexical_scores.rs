//! Lexically-misleading scores of corpora, as a report and a page.

use crate::data::{Data, inputs, note_read, set_of_files};
use crate::error::Error;
use crate::lms::{KeptRow, LmsRequest, score_rows};
use crate::misleading::with_band;
use crate::page::{PageTarget, seal_filled};
use crate::session::Session;
use crate::trained::open_lexical;
use acidtest_evaluate::analysis::misleading::LAMBDAS;
use acidtest_evaluate::report::Report;
use acidtest_evaluate::report::html::{BrowserExample, BrowserPrediction};
use acidtest_files::publish_all;
use acidtest_nli::Prediction;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The model to score with, and the outputs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LexicalScores {
    /// Folder of a trained lexical model.
    pub model: PathBuf,
    /// Further values of λ to count examples for.
    pub lambdas: Vec<f64>,
    /// File for the score of each example.
    pub rows: Option<PathBuf>,
    /// Where the report goes as a page.
    pub page: Option<PageTarget>,
}

/// Computes the lexically-misleading score of every example (Nie et al. 2018).
pub fn score_words(data: Data, wanted: &LexicalScores, session: &Session<'_>) -> Result<Report, Error> {
    wanted.page.as_ref().map_or(Ok(()), PageTarget::check)?;
    let model = open_lexical(&wanted.model)?;
    let mut lambdas: Vec<f64> = LAMBDAS.into_iter().chain(wanted.lambdas.iter().copied()).collect();
    lambdas.sort_by(f64::total_cmp);
    lambdas.dedup();
    let request =
        LmsRequest { model: &model, data, lambdas, rows: wanted.rows.clone(), keep_from: wanted.page.is_some().then_some(LAMBDAS[0]) };
    let found = score_rows(request, session)?;
    note_read(&found.files, session);
    let names: Vec<&str> = found.files.iter().map(|file| file.name.as_str()).collect();
    let options = BTreeMap::from([("lexical model".to_string(), wanted.model.display().to_string())]);
    let mut report = Report::new(
        format!("How misleading the words are in {}", names.join(", ")),
        session.provenance(inputs("data", &found.files), BTreeMap::new(), options),
        found.counts.sections(),
    );
    report.measure(found.counts.measurements(&wanted.model.display().to_string(), &set_of_files(&found.files)));
    if let Some(target) = &wanted.page {
        let models = ["lexical model".to_string()];
        let fill = |page: &mut TakeExample<'_>| found.kept.iter().try_for_each(|row| add(page, row));
        publish_all(vec![seal_filled(target, &report, &models, fill)?])?;
    }
    Ok(report)
}

type TakeExample<'t> = dyn FnMut(BrowserExample<'_>) -> Result<(), Error> + 't;

fn add(page: &mut TakeExample<'_>, row: &KeptRow) -> Result<(), Error> {
    let answer = Prediction::from_scores(row.misled.probabilities).answer;
    let tags = with_band(&row.example.tags, &row.misled);
    let right = row.example.gold.map(|gold| gold == answer);
    page(BrowserExample {
        set: "CS_0.5",
        id: &row.example.pair.id,
        parent: None,
        premise: &row.example.pair.premise.text,
        hypothesis: &row.example.pair.hypothesis.text,
        gold: row.example.gold,
        predictions: &[BrowserPrediction { answer: Some(answer), right, ..BrowserPrediction::default() }],
        tags: &tags,
        changes: &row.example.changes,
        misled: Some(&row.misled),
    })
}
