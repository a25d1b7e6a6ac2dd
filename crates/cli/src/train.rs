//! `acidtest train`: lexical models and networks trained on corpora, and transformers fine-tuned on them.

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

/// Train a baseline or network, or fine-tune a transformer
#[derive(Args)]
#[command(long_about = include_str!("help/train.txt"), after_long_help = include_str!("examples/train.txt"))]
pub(crate) struct Train {
    /// Model to train (see `acidtest list models`), or the folder of a transformer to fine-tune
    #[arg(long, value_name = "NAME|FOLDER")]
    model: String,
    /// Training corpora
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    train: Vec<PathBuf>,
    /// Development corpora, to choose settings and for early stopping
    #[arg(long, value_name = "FILE", num_args = 1..)]
    dev: Vec<PathBuf>,
    /// Folder to write the model to
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// Settings of a published recipe, such as `hans` for transformers (see `acidtest list models`); other settings go before them
    #[arg(long, value_name = "NAME", help_heading = "Settings")]
    preset: Option<String>,
    /// Maximum number of epochs [default: 10, transformers 3; lexical models train until they converge]
    #[arg(long, value_name = "N", help_heading = "Settings")]
    epochs: Option<u64>,
    /// Initial learning rate of a network [default: 0.0004], highest one of a transformer [default: 0.00002]
    #[arg(long, value_name = "RATE", help_heading = "Settings")]
    learning_rate: Option<f64>,
    /// Examples per batch of a network or transformer [default: 32]
    #[arg(long, value_name = "N", help_heading = "Settings")]
    batch_size: Option<u64>,
    /// Any setting of the model or its training, such as `hidden=300` or `dropout=0.2` (see `acidtest list models`); may be repeated
    #[arg(long, value_name = "KEY=VALUE", help_heading = "Settings")]
    set: Vec<String>,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Add a random share of another corpus, resampled in every epoch, such as `snli.jsonl=0.15`
    #[arg(long, value_name = "FILE=SHARE", help_heading = "Networks")]
    mix: Vec<String>,
    /// Pretrained word vectors in GloVe's text format
    #[arg(long, value_name = "FILE", help_heading = "Networks")]
    embeddings: Option<PathBuf>,
    /// Shuffle the words of every training sentence
    #[arg(long, help_heading = "Networks")]
    shuffle_words: bool,
    /// Add this many examples of a challenge, made from the training examples, such as `negation=5000`; `hans=30000` adds generated pairs
    ///
    /// Settings of the challenge may follow: `subject-object-swap=20000,sides=both`.
    #[arg(long, value_name = "CHALLENGE=N[,KEY=VALUE]", help_heading = "Networks")]
    augment: Vec<String>,
    /// Minutes between checkpoints [default: 3]
    #[arg(long, value_name = "MINUTES", allow_negative_numbers = true, help_heading = "Networks")]
    checkpoint_minutes: Option<f64>,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
}

impl Train {
    pub(crate) fn run(self) -> Result<()> {
        let started = Instant::now();
        let terminal = Terminal::new();
        let session = self.threads.session(&terminal)?;
        let outcome = train(self.spec()?.resolve()?, &session)?;
        drop(terminal);
        print_all(&outcome.summary(&self.output.display().to_string(), started.elapsed()))
    }

    fn spec(&self) -> Result<TrainSpec> {
        let flags = [
            self.epochs.map(|epochs| format!("epochs={epochs}")),
            self.learning_rate.map(|rate| format!("learning_rate={rate}")),
            self.batch_size.map(|size| format!("batch_size={size}")),
        ];
        let settings = Settings::parse(self.set.iter().chain(flags.iter().flatten()).map(String::as_str))?.as_json();
        Ok(TrainSpec {
            model: self.model.clone(),
            preset: self.preset.clone(),
            settings: settings.as_object().cloned().unwrap_or_default(),
            train: self.read.spec(&self.train)?,
            mix: MixSpec::parse_all(&self.mix, |files| self.read.spec(files))?,
            dev: self.read.spec(&self.dev)?,
            augment: self.augment.iter().map(|augment| AugmentSpec::parse(augment)).collect::<Result<_, _>>()?,
            embeddings: self.embeddings.clone(),
            word_order: if self.shuffle_words { WordOrder::Shuffled } else { WordOrder::Kept },
            seed: self.seed,
            checkpoint_minutes: self.checkpoint_minutes,
            output: self.output.clone(),
        })
    }
}
