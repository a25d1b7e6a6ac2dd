//! `acidtest train`: models learnt from corpora.

mod lexical;
mod network;
mod progress;

use crate::options::{ReadFlags, ThreadFlags};
use acidtest_nli::Named;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Train a model and write it to a folder
///
/// The folder can be asked by `predict`, `evaluate` and `run` as `--model FOLDER`.
#[derive(Args)]
pub struct Train {
    /// Name of the model (see `acidtest list models`)
    #[arg(long, value_name = "NAME")]
    pub model: String,
    /// Corpora to learn from
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub train: Vec<PathBuf>,
    /// Corpora to choose settings by and to know when to stop
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub dev: Vec<PathBuf>,
    /// Folder to write the model to
    #[arg(short, long, value_name = "FOLDER")]
    pub output: PathBuf,
    /// Setting of the model or of its training, such as `hidden=300` or `patience=5` (see `acidtest list models`)
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub network: network::NetworkFlags,
    #[command(flatten)]
    pub threads: ThreadFlags,
    #[command(flatten)]
    pub read: ReadFlags,
}

/// A model that can be trained.
pub struct Trainable {
    /// The name that users type.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// Its settings, with their defaults.
    pub settings: Vec<(String, String)>,
    /// Trains it.
    pub train: fn(&Train) -> Result<()>,
}

impl Named for Trainable {
    fn name(&self) -> &str {
        self.name
    }
}

pub use network::training_settings;

/// Every model that can be trained.
pub fn trainable() -> Vec<Trainable> {
    lexical::trainable().into_iter().chain(network::trainable()).collect()
}

impl Train {
    /// Trains.
    pub fn run(self) -> Result<()> {
        let trainable = trainable();
        let chosen = acidtest_nli::find("model to train", &trainable, &self.model)?;
        (chosen.train)(&self)
    }
}
