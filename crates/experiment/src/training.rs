//! Trains networks: from corpora to a model folder.
//!
//! The same request always gives the same examples, batches and weights. A training run may be killed at any moment; repeating the
//! request resumes it from the last checkpoint and gives the same weights.

mod augment;
mod embeddings;
mod epoch;
mod examples;
mod fine_tuned;
mod fine_tuning;
mod folder;
mod from_scratch;
mod gathering;
mod learner;
mod log;
mod page;
mod prepare;
mod preset;
mod run;
mod seen;
mod settings;

pub use augment::{Augmentation, ExampleAmount, Redraw};
pub use epoch::{WordOrder, batch_order};
pub(crate) use fine_tuned::FineTuned;
pub use fine_tuning::{FineTuningSchedule, FineTuningSettings, WordEmbeddings};
pub use folder::{LOG_FILE, PAGE_FILE};
pub(crate) use folder::{TRAINING_FILE, WEIGHTS_FILE};
pub(crate) use from_scratch::{FromScratch, SavedFeaturizer};
pub(crate) use learner::Learner;
pub use log::LogLine;
pub use preset::{PRESETS, Preset, PresetModels};
pub(crate) use run::train_network;
pub use run::{NetworkOutcome, TrainedNetwork, TrainingEvent, TrainingProgress};
pub(crate) use seen::{SEEN_FILE, SeenPairs};
pub use settings::{AllSettings, OptimiserName, ScheduleName, TrainingSettings, settings_text};

use crate::data::Data;
use crate::session::{Cancelled, Session};
use crate::train::MixedData;
use acidtest_challenge::ChallengeError;
use acidtest_corpus::{CorpusError, InputFile};
use acidtest_nli::UnknownName;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// The training of a network.
pub(crate) struct NetworkTraining<'r> {
    /// Training examples.
    pub train: Data,
    /// Examples from which every epoch samples a new share.
    pub mix: Vec<MixedData>,
    /// Development examples, for model selection.
    pub dev: Option<Data>,
    /// Initial word vectors.
    pub embeddings: Option<InputFile>,
    /// Challenges whose examples are added.
    pub augment: Vec<Augmentation>,
    pub order: WordOrder,
    pub seed: u64,
    pub session: &'r Session<'r>,
    /// The folder of the model.
    pub output: PathBuf,
    /// The time between checkpoints.
    pub checkpoint: Duration,
    /// Command and program version, for the record.
    pub command: String,
    pub version: String,
}

/// A file that a training run used.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataUsed {
    /// Its role: `train`, `mix`, `dev` or `embeddings`.
    pub role: String,
    /// Its name as given.
    pub path: String,
    /// Its content hash.
    pub hash: String,
    /// The number of labelled rows used, or of vectors kept.
    pub rows: u64,
    /// The number of rows without a gold label, which were excluded.
    pub unlabelled: u64,
    /// The number of unreadable rows, which were skipped.
    pub skipped: u64,
    /// The share that every epoch samples, as given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<String>,
}

/// An error in a training run.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// Reading or writing failed.
    #[error("{0}")]
    Corpus(#[from] CorpusError),
    /// Writing failed.
    #[error(transparent)]
    File(#[from] acidtest_files::FileError),
    /// An error of the network.
    #[error(transparent)]
    Network(#[from] acidtest_neural::NeuralError),
    /// An error of a transformer.
    #[error(transparent)]
    Transformer(#[from] acidtest_transformers::TransformerError),
    /// A preset without a recipe for the model.
    #[error("the preset `{preset}` is for {models}; leave it out, or choose such a model")]
    OtherPreset {
        /// The preset.
        preset: &'static str,
        /// What it is for.
        models: String,
    },
    /// The network needs more memory than is available.
    #[error(
        "training this network needs about {:.1} GB of memory, and only {:.1} GB are available (expected smaller layers, a smaller batch or a larger machine)",
        *.needed as f64 / 1e9,
        *.available as f64 / 1e9
    )]
    Memory {
        /// The bytes needed.
        needed: u64,
        /// The bytes available.
        available: u64,
    },
    /// An unknown name.
    #[error("{0}")]
    UnknownName(#[from] UnknownName),
    /// The caller cancelled the training run; repeating the request resumes it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Standard input cannot be read twice.
    #[error("standard input cannot be read twice")]
    ReadTwice,
    /// There are no training examples.
    #[error("there are no training examples")]
    NoExamples,
    /// Word vectors were given for a network that does not use them.
    #[error("{path}: `{network}` does not use word vectors; leave them out")]
    NoVectors {
        /// The file.
        path: String,
        /// The network.
        network: String,
    },
    /// A setting with an invalid value.
    #[error("setting `{key}`: {message}")]
    Setting {
        /// The key.
        key: String,
        /// What is wrong, and how to fix it.
        message: String,
    },
    /// A challenge refuses its settings.
    #[error(transparent)]
    Challenge(#[from] ChallengeError),
    /// Settings could not be written or read as JSON.
    #[error("settings: {0}")]
    Json(#[from] serde_json::Error),
    /// A line of the word vectors is malformed.
    #[error("{path}:{line}: {message}")]
    Embeddings {
        /// The file.
        path: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        message: String,
    },
    /// A corpus has no labelled examples.
    #[error("{path}: no example has a gold label; pass --column label=NAME to name the column")]
    NothingLabelled {
        /// The file.
        path: String,
    },
    /// The output folder cannot be used.
    #[error("{path}: {source}; choose a folder that can be created")]
    Folder {
        /// The folder.
        path: String,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The output folder contains other files.
    #[error("{path}: contains files that do not belong to a model; choose a new or empty folder")]
    Foreign {
        /// The folder.
        path: String,
    },
    /// Another process is training in the folder.
    #[error("{path}: in use by another training run; wait until it finishes, or choose another folder")]
    InUse {
        /// The folder.
        path: String,
    },
    /// The folder contains an unfinished training run of another request.
    #[error(
        "{path}: contains an unfinished training run with other settings or data; run its command again (see training.json in it), choose another folder, or remove this one"
    )]
    OtherTraining {
        /// The folder.
        path: String,
    },
    /// The folder contains an unfinished training run of another version.
    #[error(
        "{path}: contains an unfinished training run by version {begun}, and this is version {own}; finish it with that version, or choose another folder"
    )]
    OtherVersion {
        /// The folder.
        path: String,
        /// The version that started it.
        begun: String,
        /// This version.
        own: String,
    },
    /// The folder contains a model that was trained with another request.
    #[error("{path}: contains a model trained with other settings or data; choose another folder, or remove this one")]
    OtherModel {
        /// The folder.
        path: String,
    },
    /// The folder contains the requested model, but some of its files are missing or damaged.
    #[error("{0}; remove the folder to train again")]
    Damaged(String),
    /// The checkpoint in the folder cannot be used.
    #[error("{path}: the checkpoint cannot be read ({message}); remove the folder to start again")]
    State {
        /// The file.
        path: String,
        /// The reason.
        message: String,
    },
}
