//! `acidtest train`: models learnt from corpora.

use crate::flags::{DataFlags, ThreadFlags};
use crate::progress::Terminal;
use crate::show::print_all;
use acidtest_experiment::spec::{AugmentSpec, MixSpec, TrainSpec};
use acidtest_experiment::train;
use acidtest_experiment::training::WordOrder;
use acidtest_nli::Settings;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;
use std::time::Instant;

/// Train a model and write it to a folder
///
/// The folder can be asked by `predict`, `evaluate` and `run` as `--model FOLDER`.
#[derive(Args)]
pub(crate) struct Train {
    /// Name of the model (see `acidtest list models`)
    #[arg(long, value_name = "NAME")]
    model: String,
    /// Corpora to learn from
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    train: Vec<PathBuf>,
    /// Corpora to choose settings by and to know when to stop
    #[arg(long, value_name = "FILE", num_args = 1..)]
    dev: Vec<PathBuf>,
    /// Folder to write the model to
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// Setting of the model or of its training, such as `hidden=300` or `patience=5` (see `acidtest list models`)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Corpus from which every epoch draws a new random share, such as `snli.jsonl=0.15`
    #[arg(long, value_name = "FILE=SHARE", help_heading = "Networks")]
    mix: Vec<String>,
    /// Word vectors to begin with, in GloVe's text form; only those of known words are kept
    #[arg(long, value_name = "FILE", help_heading = "Networks")]
    embeddings: Option<PathBuf>,
    /// Put the words of every sentence in random order while the network learns
    #[arg(long, help_heading = "Networks")]
    shuffle_words: bool,
    /// Rows of a challenge to add, made from the training rows, such as `negation=5000`; `hans=30000` adds pairs of HANS' grammar
    #[arg(long, value_name = "CHALLENGE=ROWS", help_heading = "Networks")]
    augment: Vec<String>,
    /// Minutes between two states from which a training that was killed goes on [default: 3]
    #[arg(long, value_name = "MINUTES", allow_negative_numbers = true, help_heading = "Networks")]
    checkpoint_minutes: Option<f64>,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
}

impl Train {
    /// Trains.
    pub(crate) fn run(self) -> Result<()> {
        let started = Instant::now();
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let outcome = train(self.spec()?.resolve()?, &session)?;
        drop(terminal);
        print_all(&outcome.summary(&self.output.display().to_string(), started.elapsed()))
    }

    fn spec(&self) -> Result<TrainSpec> {
        let settings = Settings::parse(self.set.iter().map(String::as_str))?.as_json();
        Ok(TrainSpec {
            model: self.model.clone(),
            settings: settings.as_object().cloned().unwrap_or_default(),
            train: self.read.spec(&self.train)?,
            mix: self.mix.iter().map(|mix| self.mixed(mix)).collect::<Result<_>>()?,
            dev: self.read.spec(&self.dev)?,
            augment: self.augment.iter().map(|augment| AugmentSpec::parse(augment)).collect::<Result<_, _>>()?,
            embeddings: self.embeddings.clone(),
            word_order: if self.shuffle_words { WordOrder::Shuffled } else { WordOrder::Kept },
            seed: self.seed,
            checkpoint_minutes: self.checkpoint_minutes,
            output: self.output.clone(),
        })
    }

    /// A corpus to mix in, read as all the others.
    fn mixed(&self, mix: &str) -> Result<MixSpec> {
        let MixSpec { data, share } = MixSpec::parse(mix)?;
        Ok(MixSpec { data: self.read.spec(&data.files)?, share })
    }
}
