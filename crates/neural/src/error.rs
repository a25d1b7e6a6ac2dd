//! What can go wrong, each a thing the user can act on.

use std::path::PathBuf;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NeuralError {
    /// A batch has not one label for each pair.
    #[error("a batch of {pairs} pairs has {labels} labels (expected one for each pair)")]
    UnevenBatch {
        /// How many pairs there are.
        pairs: usize,
        /// How many labels there are.
        labels: usize,
    },
    /// A batch without pairs has no loss.
    #[error("the batch is empty; give it at least one pair")]
    EmptyBatch,
    /// The pairs of a batch have different numbers of sentences.
    #[error("pair {pair} of the batch has {found} sentences (expected {expected})")]
    UnevenPairs {
        /// Which pair, counted from 0.
        pair: usize,
        /// How many sentences it has.
        found: usize,
        /// How many the first pair has.
        expected: usize,
    },
    /// The sentences of a batch do not have the same columns.
    #[error("the sentences of a batch differ in their columns: `{column}` is not the same in all of them")]
    UnlikeColumns {
        /// The column.
        column: &'static str,
    },
    /// A column has not one entry for each word.
    #[error("the column `{column}` has {found} entries for a sentence of {expected} words")]
    ColumnLength {
        /// The column.
        column: &'static str,
        /// How many entries it has.
        found: usize,
        /// How many words the sentence has.
        expected: usize,
    },
    /// The words of a sentence cannot be put in another order.
    #[error("words cannot be shuffled: the column `{column}` is a tree over them")]
    NoWordOrder {
        /// The column.
        column: &'static str,
    },
    /// A label is not one of the classes.
    #[error("pair {pair} of the batch: label {label} (expected 0 to {})", .classes - 1)]
    UnknownLabel {
        /// Which pair, counted from 0.
        pair: usize,
        /// The label found.
        label: usize,
        /// How many classes there are.
        classes: usize,
    },
    /// An id is none of those that the network knows.
    #[error("pair {pair} of the batch: id {id} of `{column}` is outside the {size} known ones")]
    UnknownId {
        /// Which pair, counted from 0.
        pair: usize,
        /// The column that holds it.
        column: &'static str,
        /// The id found.
        id: u32,
        /// How many ids the network knows.
        size: usize,
    },
    /// A size that the network needs is not given.
    #[error("no size `{name}` is given, which the network needs (was it made for another featurizer?)")]
    MissingSize {
        /// The size's name.
        name: &'static str,
    },
    /// The model was trained with another featurizer.
    #[error("the featurizer is `{found}` (expected `{expected}`)")]
    OtherFeaturizer {
        /// The name found.
        found: String,
        /// The featurizer of the network.
        expected: &'static str,
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
    /// The vectors of a file do not have the size that was asked for.
    #[error("setting `embedding_dimension`: invalid value {found}: the embeddings have {vectors} numbers per word")]
    Dimension {
        /// The size that was asked for.
        found: usize,
        /// The size of the vectors.
        vectors: usize,
    },
    /// A setting has a value that it cannot have.
    #[error("setting `{setting}`: invalid value {found}: expected {expected}")]
    Setting {
        /// The setting's name.
        setting: &'static str,
        /// Its value.
        found: String,
        /// What it may be.
        expected: &'static str,
    },
    /// Settings that are not understood.
    #[error("model settings: {0}")]
    Settings(#[from] serde_json::Error),
    /// No network has this name.
    #[error(transparent)]
    UnknownNetwork(#[from] acidtest_nli::UnknownName),
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
    /// A file of text is not text.
    #[error("{path}: not UTF-8")]
    NotText {
        /// The file.
        path: PathBuf,
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
    /// A weight is infinite or not a number.
    #[error("{path}: tensor `{name}` has numbers that are NaN or infinite; the weights are damaged, train the model again")]
    NotFinite {
        /// The file.
        path: PathBuf,
        /// The tensor's name.
        name: String,
    },
    /// A size is larger than a file could hold.
    #[error("{path}: {bytes} bytes are too few for a network whose size `{name}` is {size}; was the file made with other settings?")]
    SizeBeyondFile {
        /// The file.
        path: PathBuf,
        /// The name of the size.
        name: String,
        /// The size.
        size: usize,
        /// How long the file is.
        bytes: usize,
    },
    /// A vocabulary cannot be read.
    #[error("{path}:{line}: {problem}; expected one word per line")]
    Vocabulary {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A file without the state of a training, or with one that cannot be read.
    #[error("{path}: not a checkpoint; is it a weights file?")]
    NotAState {
        /// The file.
        path: PathBuf,
    },
    /// The loss became infinite or not a number.
    #[error("the loss of step {step} is {loss}; try a smaller learning_rate or max_gradient_norm")]
    Diverged {
        /// The step, counted from 0.
        step: u64,
        /// The loss.
        loss: f32,
    },
}

/// A result with this crate's error.
pub type Result<T> = std::result::Result<T, NeuralError>;
