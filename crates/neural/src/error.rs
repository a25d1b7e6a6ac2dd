//! What can go wrong, each a thing the user can act on.

use std::path::PathBuf;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The lists of a batch have different lengths.
    #[error("a batch needs as many premises ({premises}) as hypotheses ({hypotheses}) and labels ({labels})")]
    UnevenBatch {
        /// How many premises there are.
        premises: usize,
        /// How many hypotheses there are.
        hypotheses: usize,
        /// How many labels there are.
        labels: usize,
    },
    /// A batch without pairs has no loss.
    #[error("the batch is empty; give it at least one pair")]
    EmptyBatch,
    /// A label is not one of the classes.
    #[error("pair {pair} of the batch: label {label} is not 0, 1 or 2")]
    UnknownLabel {
        /// Which pair, counted from 0.
        pair: usize,
        /// The label found.
        label: usize,
    },
    /// A word id is not in the vocabulary.
    #[error("pair {pair} of the batch: word id {id} is outside the vocabulary of {vocabulary_size} words")]
    UnknownWord {
        /// Which pair, counted from 0.
        pair: usize,
        /// The id found.
        id: u32,
        /// How many words the network knows.
        vocabulary_size: usize,
    },
    /// A known vector belongs to no word of the vocabulary.
    #[error("a vector is given for word id {id}, outside the vocabulary of {vocabulary_size} words")]
    UnknownVector {
        /// The id found.
        id: u32,
        /// How many words the network knows.
        vocabulary_size: usize,
    },
    /// A vector does not fit the embeddings it is added to.
    #[error("the vector of word {id} has {found} numbers, the embeddings have {expected}")]
    EmbeddingSize {
        /// The word's id.
        id: u32,
        /// How many numbers the vector has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A setting makes no sense.
    #[error("setting `{setting}`: {found} will not do (expected {expected})")]
    Setting {
        /// The setting's name.
        setting: &'static str,
        /// Its value.
        found: String,
        /// What would do.
        expected: &'static str,
    },
    /// No model has this name, or its settings are not understood.
    #[error("model settings: {0}")]
    Settings(#[from] serde_json::Error),
    /// A file could not be written.
    #[error(transparent)]
    Output(#[from] acidtest_files::FileError),
    /// A file could not be read.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file is not in the safetensors format.
    #[error("{path}: not a safetensors file: {source}")]
    Format {
        /// The file.
        path: PathBuf,
        /// What the reader says.
        source: safetensors::SafeTensorError,
    },
    /// A tensor is missing from a file.
    #[error("{path}: no tensor `{name}`; was the file made with other settings?")]
    MissingTensor {
        /// The file.
        path: PathBuf,
        /// The tensor's name.
        name: String,
    },
    /// A tensor in a file has another shape or type than the network.
    #[error("{path}: tensor `{name}` is {found}, the network has {expected}; was the file made with other settings?")]
    TensorShape {
        /// The file.
        path: PathBuf,
        /// The tensor's name.
        name: String,
        /// What the file has.
        found: String,
        /// What the network needs.
        expected: String,
    },
    /// A weight is larger than half of the bits can say.
    #[error("{path}: tensor `{name}` has numbers too large for 16 bits; keep all 32 (weights=f32)")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The tensor's name.
        name: String,
    },
    /// A vocabulary cannot be read.
    #[error("{path}:{line}: {problem} (expected one word a line)")]
    Vocabulary {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A file without the state of a training, or with one that cannot be read.
    #[error("{path}: no state of a training that can be read; is it a weights file?")]
    NotAState {
        /// The file.
        path: PathBuf,
    },
    /// The loss became infinite or not a number.
    #[error("the loss of step {step} is {loss}; a smaller learning rate or a lower clip may help")]
    Diverged {
        /// The step, counted from 0.
        step: u64,
        /// The loss.
        loss: f32,
    },
}

/// A result with this crate's error.
pub type Result<T> = std::result::Result<T, Error>;
