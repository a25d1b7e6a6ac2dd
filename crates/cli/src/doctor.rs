//! `acidtest doctor`: were the labels read in the right order?

use crate::Failed;
use crate::options::{ReadFlags, ThreadFlags, files, tell_skipped};
use crate::predictions::AnswerFlags;
use crate::show::{ShowFlags, inputs, provenance};
use acidtest_corpus::{ReadOptions, read_all};
use acidtest_evaluate::analysis::doctor::examine;
use acidtest_evaluate::report::Report;
use acidtest_evaluate::{Item, Missing, Predictions};
use acidtest_experiment::judge;
use anyhow::{Context, Result};
use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Find out whether the labels of predictions are read in the right order
///
/// All six orders are tried. Exit code 0 where the given order holds or nothing can be told, 3 where another order is surely right.
#[derive(Args)]
pub struct Doctor {
    /// Corpora or gold keys that have the right answers
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// File of predictions
    #[arg(long, value_name = "FILE")]
    predictions: PathBuf,
    #[command(flatten)]
    answers: AnswerFlags,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: ReadFlags,
    #[command(flatten)]
    show: ShowFlags,
}

impl Doctor {
    /// Examines and shows.
    pub fn run(self) -> Result<()> {
        let threads = self.threads.threads()?;
        let corpus = read_all(files(&self.data)?, ReadOptions { keys_allowed: true, ..self.read.options()? }, &threads)?;
        tell_skipped(corpus.skipped);
        let items: Vec<Item> = corpus.examples.iter().map(Item::of).collect();
        let (answers, file) = self.answers.read(&self.predictions)?;
        let predictions = Predictions::Keyed(answers);
        let name = file.name.clone();
        let judged = judge(&items, &predictions, Missing::CountAsWrong, None).with_context(|| name.clone())?;
        let examined = examine(&judged, self.answers.order()?)?;
        let mut sources = inputs("data", &corpus.files);
        sources.extend(inputs("predictions", &[file]));
        let report =
            Report::new(format!("Label order of {name}"), provenance(sources, BTreeMap::new(), BTreeMap::new()), vec![examined.section()]);
        self.show.show(&report)?;
        match examined.better_labels() {
            Some(_) => Err(Failed("the given order of the labels is wrong".to_string()).into()),
            None => Ok(()),
        }
    }
}
