//! `acidtest run`: models through every challenge.

use crate::options::{ReadFlags, files, tell_skipped};
use crate::show::{ShowFlags, inputs, provenance};
use acidtest_challenge::{CATALOG, Maker, Mode, Settings};
use acidtest_corpus::{embedded_sample, read_all};
use acidtest_evaluate::report::Input;
use acidtest_experiment::{NamedModel, run_report};
use acidtest_model::TrainingLabels;
use acidtest_nli::Example;
use anyhow::Result;
use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Put models through every challenge and print one table
///
/// Without arguments, the built-in reference models are put through challenges made from an embedded sample corpus.
#[derive(Args)]
pub struct Run {
    /// Corpora to make the challenges from [default: the embedded sample]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    data: Vec<PathBuf>,
    /// Models to run (see `acidtest list models`) [default: all built-in ones]
    #[arg(long, value_name = "NAME")]
    model: Vec<String>,
    /// Challenges to make (see `acidtest list challenges`) [default: all]
    #[arg(long, value_name = "NAME")]
    challenge: Vec<String>,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Follow the authors' released scripts, quirks included, instead of what the papers mean
    #[arg(long)]
    as_published: bool,
    #[command(flatten)]
    read: ReadFlags,
    #[command(flatten)]
    show: ShowFlags,
}

impl Run {
    /// Runs and prints.
    pub fn run(self) -> Result<()> {
        let (examples, inputs) = self.corpus()?;
        let mode = if self.as_published { Mode::AsPublished } else { Mode::Clean };
        let chosen = |name: &str| self.challenge.is_empty() || self.challenge.iter().any(|chosen| chosen == name);
        for name in &self.challenge {
            acidtest_nli::find("challenge", CATALOG, name)?;
        }
        let entries = CATALOG.iter().filter(|entry| chosen(entry.name));
        let makers = entries.map(|entry| Maker::new(entry, &Settings::default(), mode, self.seed)).collect::<Result<Vec<_>, _>>()?;
        let models = self.models(&examples)?;
        let options = BTreeMap::from([("mode".to_string(), if self.as_published { "as-published" } else { "clean" }.to_string())]);
        let seeds = BTreeMap::from([("challenges".to_string(), self.seed)]);
        let title = match self.data.is_empty() {
            true => "Reference models on the embedded sample".to_string(),
            false => "Models under stress".to_string(),
        };
        let report = run_report(title, &examples, &makers, &models, provenance(inputs, seeds, options))?;
        self.show.show(&report)
    }

    fn corpus(&self) -> Result<(Vec<Example<'static>>, Vec<Input>)> {
        if self.data.is_empty() {
            let sample = embedded_sample();
            let input = Input {
                role: "data".to_string(),
                path: "embedded sample".to_string(),
                rows: sample.len() as u64,
                hash: acidtest_corpus::embedded_sample_hash(),
            };
            return Ok((sample, vec![input]));
        }
        let corpus = read_all(files(&self.data)?, self.read.options()?)?;
        tell_skipped(corpus.skipped);
        let inputs = inputs("data", &corpus.files, corpus.examples.len() as u64);
        Ok((corpus.examples, inputs))
    }

    fn models(&self, examples: &[Example<'static>]) -> Result<Vec<NamedModel>> {
        let mut labels = TrainingLabels::default();
        for label in examples.iter().filter_map(|example| example.gold?.label()) {
            labels.0[label.index()] += 1;
        }
        let names: Vec<&str> = match self.model.is_empty() {
            true => acidtest_model::CATALOG.iter().map(|entry| entry.name).collect(),
            false => self.model.iter().map(String::as_str).collect(),
        };
        let mut models = Vec::new();
        for name in names {
            let entry = acidtest_nli::find("model", acidtest_model::CATALOG, name)?;
            models.push(NamedModel { name: name.to_string(), model: (entry.build)(labels) });
        }
        Ok(models)
    }
}
