//! `acidtest challenge compositional`: the rows whose words mislead.

use crate::flags::{DataFlags, ThreadFlags};
use crate::lms::lambda;
use crate::options::{files, refuse_same, tell_skipped};
use acidtest_challenge::{CATALOG, Challenge, Mode, Resources};
use acidtest_corpus::{FORMATS, Format};
use acidtest_experiment::{ScoringModel, SetRequest, make_set, open_lexical};
use acidtest_nli::Settings;
use anyhow::Result;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

/// Take the rows out of a corpus whose words mislead
///
/// The rows are not changed and keep their ids, so that predictions for the whole corpus can be scored with `evaluate --subset`. Each has its
/// lexically-misleading score in the tag `lms`. Rows that the lexical model was trained on are scored by models that did not see them.
#[derive(Args)]
pub struct Compositional {
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
    pub fn run(self) -> Result<()> {
        refuse_same(&self.from, &self.output)?;
        let scorer = ScoringModel { model: open_lexical(&self.model)?, name: self.model.display().to_string() };
        let resources = Resources { scorer: Some(Arc::new(scorer)), ..Resources::default() };
        let settings = Settings::parse([format!("lambda={}", self.lambda).as_str()])?;
        let entry = CATALOG.find("compositional")?;
        let challenge = Challenge::new(entry, &settings, Mode::Clean, 1, &resources)?;
        let format = match &self.to {
            Some(name) => *FORMATS.find(name)?,
            None => Format::of_path(&self.output),
        };
        let about = json!({
            "tool_version": env!("CARGO_PKG_VERSION"),
            "challenge": "compositional",
            "source": entry.source,
            "settings": { "lambda": self.lambda, "model": self.model.display().to_string() },
            "ids": "those of the rows that were read",
        });
        let set = make_set(SetRequest {
            challenge: &challenge,
            files: files(&self.from)?,
            options: self.read.options()?,
            output: self.output,
            format,
            threads: &self.threads.threads()?,
            about,
        })?;
        eprintln!("compositional: {}", set.coverage);
        tell_skipped(set.skipped);
        Ok(())
    }
}
