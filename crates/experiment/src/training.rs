//! Training: from corpora to a trained network in a folder.
//!
//! A training run is the same for the same request: examples, batches, weights. It can be killed at any moment; the same request again goes on where
//! the last state was written, and ends with the same weights.

mod augment;
mod embeddings;
mod epoch;
mod examples;
mod folder;
mod gathering;
mod log;
mod page;
mod prepare;
mod run;
mod seen;
mod settings;

pub use augment::{Augmentation, ExampleAmount, Redraw};
pub use epoch::WordOrder;
pub use folder::{LOG_FILE, PAGE_FILE};
pub(crate) use folder::{TRAINING_FILE, WEIGHTS_FILE};
pub use log::LogLine;
pub(crate) use run::SavedFeaturizer;
pub(crate) use run::train_network;
pub use run::{NetworkOutcome, TrainedNetwork, TrainingEvent, TrainingProgress};
pub(crate) use seen::{SEEN_FILE, SeenPairs};
pub use settings::{AllSettings, OptimiserName, ScheduleName, TrainingSettings, settings_text};

use crate::data::Data;
use crate::session::{Cancelled, Session};
use crate::train::MixedData;
use acidtest_challenge::ChallengeError;
use acidtest_corpus::{CorpusError, InputFile};
use acidtest_neural::NetworkSettings;
use acidtest_nli::UnknownName;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// The training of a network.
pub(crate) struct NetworkTraining<'r> {
    pub network: NetworkSettings,
    /// How text becomes what the network reads.
    pub featurizer: serde_json::Value,
    pub settings: TrainingSettings,
    /// Examples to learn from.
    pub train: Data,
    /// Examples of which every epoch draws a new share.
    pub mix: Vec<MixedData>,
    /// Examples to know the best weights by.
    pub dev: Option<Data>,
    /// Word vectors to begin with.
    pub embeddings: Option<InputFile>,
    /// Challenges whose examples are added.
    pub augment: Vec<Augmentation>,
    pub order: WordOrder,
    pub seed: u64,
    pub session: &'r Session<'r>,
    /// The folder of the model.
    pub output: PathBuf,
    /// How often a state is written.
    pub checkpoint: Duration,
    /// Command and version of the program, for the record.
    pub command: String,
    pub version: String,
}

/// A file that a training run has used.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataUsed {
    /// What for: `train`, `mix`, `dev` or `embeddings`.
    pub role: String,
    /// Its name as given.
    pub path: String,
    /// Its content hash.
    pub hash: String,
    /// Labelled rows, or vectors that were kept.
    pub rows: u64,
    /// Rows without a gold label, left out.
    pub unlabelled: u64,
    /// Rows that could not be read, left out.
    pub skipped: u64,
    /// The share that every epoch draws, as given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<String>,
}

/// A training run that cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// Reading or writing failed.
    #[error("{0}")]
    Corpus(#[from] CorpusError),
    /// Writing failed.
    #[error(transparent)]
    File(#[from] acidtest_files::FileError),
    /// The network refuses something.
    #[error(transparent)]
    Network(#[from] acidtest_neural::NeuralError),
    /// A network that is too large for the machine.
    #[error(
        "training this network takes about {:.1} GB of memory, and {:.1} GB are available (expected smaller layers, a smaller batch or a larger machine)",
        *.needed as f64 / 1e9,
        *.available as f64 / 1e9
    )]
    Memory {
        /// Bytes that it takes.
        needed: u64,
        /// Bytes that there are.
        available: u64,
    },
    /// A name that nothing has.
    #[error("{0}")]
    UnknownName(#[from] UnknownName),
    /// The caller cancelled the training; run again, it continues.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Data that has to be read twice and cannot be.
    #[error("standard input cannot be read twice")]
    ReadTwice,
    /// No examples to learn from.
    #[error("there are no training examples")]
    NoExamples,
    /// Word vectors for a network that has no use for them.
    #[error("{path}: `{network}` has no word vectors; leave them out")]
    NoVectors {
        /// The file.
        path: String,
        /// The network.
        network: &'static str,
    },
    /// A setting with an invalid value.
    #[error("setting `{key}`: {message}")]
    Setting {
        /// The key.
        key: String,
        /// What is wrong, and what to do.
        message: String,
    },
    /// A challenge refuses its settings.
    #[error(transparent)]
    Challenge(#[from] ChallengeError),
    /// Settings could not be written or read as JSON.
    #[error("settings: {0}")]
    Json(#[from] serde_json::Error),
    /// A line of the word vectors is broken.
    #[error("{path}:{line}: {message}")]
    Embeddings {
        /// The file.
        path: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        message: String,
    },
    /// A corpus without labels.
    #[error("{path}: no example has a gold label; pass --column label=NAME to name the column")]
    NothingLabelled {
        /// The file.
        path: String,
    },
    /// The folder cannot be used.
    #[error("{path}: {source}; choose a folder that can be created")]
    Folder {
        /// The folder.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// The folder holds other things.
    #[error("{path}: contains other files than a model; choose a new or empty folder")]
    Foreign {
        /// The folder.
        path: String,
    },
    /// Another process is training in the folder.
    #[error("{path}: in use by another training; wait for it to finish, or choose another folder")]
    InUse {
        /// The folder.
        path: String,
    },
    /// The folder was begun with another request.
    #[error(
        "{path}: contains an unfinished training with other settings or data; run its command again (see training.json in it), choose another folder, or remove this one"
    )]
    OtherTraining {
        /// The folder.
        path: String,
    },
    /// The folder was begun by another version of the program.
    #[error(
        "{path}: contains an unfinished training by version {begun}, and this is version {own}; finish it with that version, or choose another folder"
    )]
    OtherVersion {
        /// The folder.
        path: String,
        /// The version that began it.
        begun: String,
        /// This version.
        own: String,
    },
    /// The folder holds a model that was trained with another request.
    #[error("{path}: contains a model trained with other settings or data; choose another folder, or remove this one")]
    OtherModel {
        /// The folder.
        path: String,
    },
    /// The folder holds the model that was asked for, but not all of it.
    #[error("{0}; remove the folder to train again")]
    Damaged(String),
    /// The state in the folder is not one of this program.
    #[error("{path}: the checkpoint cannot be read ({message}); remove the folder to start again")]
    State {
        /// The file.
        path: String,
        /// What is wrong with it.
        message: String,
    },
}
