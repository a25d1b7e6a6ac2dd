//! `acidtest challenge compositional`: the rows whose words mislead.

use super::make;
use crate::flags::{DataFlags, ThreadFlags};
use crate::lms::lambda;
use crate::options::refuse_same;
use crate::progress::Terminal;
use acidtest_challenge::Resources;
use acidtest_experiment::spec::ChallengeSpec;
use acidtest_experiment::{Destination, ScoringModel};
use anyhow::Result;
use clap::Args;
use serde_json::{Map, Value};
use std::path::PathBuf;

/// Take the rows out of a corpus whose words mislead
///
/// The rows are not changed and keep their ids, so that predictions for the whole corpus can be scored with `evaluate --subset`. Each has its
/// lexically-misleading score in the tag `lms`. Rows that the lexical model was trained on are scored by models that did not see them.
#[derive(Args)]
pub(super) struct Compositional {
    /// Folder of a trained lexical model
    #[arg(long, value_name = "FOLDER")]
    model: PathBuf,
    /// Least score of a row: the probability that the lexical model gives to a wrong label
    #[arg(long, value_name = "LAMBDA", default_value_t = 0.7, value_parser = lambda)]
    lambda: f64,
    /// Corpora to take the rows from: files, folders, or `-` for standard input
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    from: Vec<PathBuf>,
    /// Where the set goes; `-` for standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Format of the set (see `acidtest list formats`) [default: told by the output's name, else our own]
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
}

impl Compositional {
    /// Makes the set.
    pub(super) fn run(self) -> Result<()> {
        refuse_same(&self.from, &self.output)?;
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let resources = Resources { scorer: Some(ScoringModel::open(&self.model)?), ..Resources::default() };
        let settings = Map::from_iter([("lambda".to_string(), Value::from(self.lambda))]);
        let spec = ChallengeSpec { name: "compositional".to_string(), settings, ..ChallengeSpec::default() };
        let to = Destination::new(&self.output, self.to.as_deref())?;
        make(Some(self.read.spec(&self.from)?.resolve_text()?), &[(spec, to)], &resources, &session)
    }
}
