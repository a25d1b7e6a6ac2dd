//! `acidtest evaluate`: predictions against gold labels.

use crate::options::{ReadFlags, files, tell_skipped};
use crate::show::{ShowFlags, inputs, provenance};
use acidtest_challenge::hans::{HUMAN_ACCURACY, HumanAccuracy};
use acidtest_corpus::{ColumnNames, InputFile, PredictionOptions, ReadOptions, read_all, read_predictions};
use acidtest_evaluate::analysis::hans::{Reference, hans_section};
use acidtest_evaluate::report::{Evaluation, evaluation_report};
use acidtest_evaluate::{Item, Missing, Scoring};
use acidtest_experiment::{item, judge};
use acidtest_nli::{Answer, LabelNames, Named};
use anyhow::{Context, Result, anyhow};
use clap::Args;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Score predictions against gold labels
///
/// Predictions are joined to rows by id, or by row number where they have none. A gold key without text (id, label, tags) is enough.
#[derive(Args)]
pub struct Evaluate {
    /// Corpora or gold keys that have the right answers
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    #[command(flatten)]
    predictions: PredictionFlags,
    /// Tag to break scores down by, such as `genre`, `subcase`, `gold`, or two at once: `heuristic,gold`
    #[arg(long, value_name = "TAG[,TAG]")]
    by: Vec<String>,
    /// How answers are held against gold: three-way, merged-answers or summed-scores [default: three-way, or merged-answers where gold
    /// only knows non-entailment]
    #[arg(long, value_name = "RULE")]
    scoring: Option<String>,
    /// Count rows without a prediction as wrong, instead of stopping
    #[arg(long)]
    allow_missing: bool,
    #[command(flatten)]
    read: ReadFlags,
    #[command(flatten)]
    show: ShowFlags,
}

/// Where the predictions are and how they are written.
#[derive(Args)]
pub struct PredictionFlags {
    /// File of predictions
    #[arg(long, value_name = "FILE")]
    predictions: PathBuf,
    /// Order of numbered labels and of score columns in the predictions, such as `C,E,N`
    #[arg(long, value_name = "ORDER")]
    labels: Option<String>,
    /// Name of the column or field that holds the answers
    #[arg(long, value_name = "NAME")]
    prediction_column: Option<String>,
}

impl PredictionFlags {
    /// The path as given.
    pub fn path(&self) -> &Path {
        &self.predictions
    }

    /// Reads the answers; the second part is the file's content hash.
    pub fn read(&self) -> Result<(Vec<Answer>, String)> {
        let mut columns = ColumnNames::default();
        if let Some(name) = &self.prediction_column {
            columns.set(&format!("label={name}")).map_err(|message| anyhow!("--prediction-column: {message}"))?;
        }
        let labels = self.labels.as_deref().map(LabelNames::from_order).transpose().map_err(|error| anyhow!("--labels: {error}"))?;
        Ok(read_predictions(&InputFile::new(&self.predictions), &PredictionOptions { labels, columns })?)
    }
}

impl Evaluate {
    /// Scores and shows.
    pub fn run(self) -> Result<()> {
        let options = ReadOptions { keys_allowed: true, ..self.read.options()? };
        let corpus = read_all(files(&self.data)?, options)?;
        tell_skipped(corpus.skipped);
        let items: Vec<Item> = corpus.examples.iter().map(item).collect();
        let (answers, hash) = self.predictions.read()?;
        let missing = if self.allow_missing { Missing::CountAsWrong } else { Missing::Refuse };
        let predictions = self.predictions.path().display().to_string();
        let scoring = self.scoring.as_deref().map(|name| acidtest_nli::find("scoring", &Scoring::ALL, name)).transpose()?.copied();
        let judged = judge(&items, &answers, missing, scoring).with_context(|| predictions.clone())?;
        let by: Vec<Vec<String>> = self.by.iter().map(|tags| tags.split(',').map(str::to_string).collect()).collect();
        let mut files = inputs("data", &corpus.files, items.len() as u64);
        files.extend(inputs("predictions", &[(predictions.clone(), hash)], answers.len() as u64));
        let options = BTreeMap::from([("scoring".to_string(), judged.scoring.name().to_string())]);
        let title = format!("Evaluation of {predictions}");
        let mut report =
            evaluation_report(Evaluation { title, judged: &judged, by: &by, provenance: provenance(files, BTreeMap::new(), options) })?;
        report.sections.extend(hans_section(&judged, &people()));
        self.show.show(&report)
    }
}

/// People's accuracy on HANS.
fn people() -> [Reference; 2] {
    HUMAN_ACCURACY.map(|HumanAccuracy { who, all, entailment, non_entailment }| Reference {
        name: who,
        entailment,
        non_entailment,
        all: Some(all),
    })
}
