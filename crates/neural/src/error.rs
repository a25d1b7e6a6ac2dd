//! Errors of this crate; each one can be acted on by the user.

use std::path::PathBuf;

/// An error in building, training, saving or loading a network.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NeuralError {
    /// The number of labels of a batch differs from its number of pairs.
    #[error("a batch of {pairs} pairs has {labels} labels (expected one for each pair)")]
    UnevenBatch {
        /// The number of pairs.
        pairs: usize,
        /// The number of labels.
        labels: usize,
    },
    /// A batch without pairs has no loss.
    #[error("the batch is empty; give it at least one pair")]
    EmptyBatch,
    /// The pairs of a batch have different numbers of sentences.
    #[error("pair {pair} of the batch has {found} sentences (expected {expected})")]
    UnevenPairs {
        /// The index of the pair, from 0.
        pair: usize,
        /// Its number of sentences.
        found: usize,
        /// The number of sentences of the first pair.
        expected: usize,
    },
    /// The sentences of a batch do not have the same columns.
    #[error("the sentences of a batch differ in their columns: `{column}` is not the same in all of them")]
    UnlikeColumns {
        /// The column.
        column: &'static str,
    },
    /// A column does not have one entry per word.
    #[error("the column `{column}` has {found} entries for a sentence of {expected} words")]
    ColumnLength {
        /// The column.
        column: &'static str,
        /// Its number of entries.
        found: usize,
        /// The number of words in the sentence.
        expected: usize,
    },
    /// A sentence's words cannot be reordered, because a column (such as a tree) depends on their order.
    #[error("words cannot be shuffled: the column `{column}` is a tree over them")]
    NoWordOrder {
        /// The column.
        column: &'static str,
    },
    /// A label is out of range.
    #[error("pair {pair} of the batch: label {label} (expected 0 to {})", .classes - 1)]
    UnknownLabel {
        /// The index of the pair, from 0.
        pair: usize,
        /// The label.
        label: usize,
        /// The number of classes.
        classes: usize,
    },
    /// An id is out of range.
    #[error("pair {pair} of the batch: id {id} of `{column}` is outside the {size} known ones")]
    UnknownId {
        /// The index of the pair, from 0.
        pair: usize,
        /// The column that has the id.
        column: &'static str,
        /// The id.
        id: u32,
        /// The number of ids that the network knows.
        size: usize,
    },
    /// A size that the network requires is missing.
    #[error("the size `{name}`, which the network needs, is missing; was it made for another featurizer?")]
    MissingSize {
        /// The name of the size.
        name: &'static str,
    },
    /// The model was trained with another featurizer.
    #[error("the featurizer is `{found}` (expected `{expected}`)")]
    OtherFeaturizer {
        /// The featurizer that the model was trained with.
        found: String,
        /// The featurizer of the network.
        expected: &'static str,
    },
    /// A pretrained vector has the id of no word in the vocabulary.
    #[error("a vector is given for word id {id}, outside the vocabulary of {vocabulary_size} words")]
    UnknownVector {
        /// The id found.
        id: u32,
        /// The size of the vocabulary.
        vocabulary_size: usize,
    },
    /// A vector has the wrong dimension.
    #[error("the vector of word {id} has {found} numbers, the embeddings have {expected}")]
    EmbeddingSize {
        /// The word's id.
        id: u32,
        /// Its dimension.
        found: usize,
        /// The expected dimension.
        expected: usize,
    },
    /// The vectors of a file do not have the requested dimension.
    #[error("setting `embedding_dimension`: invalid value {found}: the embeddings have {vectors} numbers per word")]
    Dimension {
        /// The requested dimension.
        found: usize,
        /// The dimension of the vectors.
        vectors: usize,
    },
    /// A setting has an invalid value.
    #[error("setting `{setting}`: invalid value {found}: expected {expected}")]
    Setting {
        /// The setting's name.
        setting: &'static str,
        /// Its value.
        found: String,
        /// What is accepted.
        expected: &'static str,
    },
    /// The settings are not valid JSON for this network.
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
        /// The error of the system.
        source: std::io::Error,
    },
    /// A text file is not valid UTF-8.
    #[error("{path}: not UTF-8")]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// A file is not valid safetensors.
    #[error("{path}: not a safetensors file: {source}")]
    Format {
        /// The file.
        path: PathBuf,
        /// The error of the safetensors reader.
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
    /// A tensor in a file has another shape or type than in the network.
    #[error("{path}: tensor `{name}` is {found}, the network has {expected}; was the file made with other settings?")]
    TensorShape {
        /// The file.
        path: PathBuf,
        /// The tensor's name.
        name: String,
        /// Its shape or type in the file.
        found: String,
        /// The shape or type in the network.
        expected: String,
    },
    /// A weight is too large for 16-bit floating point.
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
    /// A size is larger than the file itself, so the file cannot match it.
    #[error("{path}: {bytes} bytes are too few for a network whose size `{name}` is {size}; was the file made with other settings?")]
    SizeBeyondFile {
        /// The file.
        path: PathBuf,
        /// The name of the size.
        name: String,
        /// The size.
        size: usize,
        /// The length of the file.
        bytes: usize,
    },
    /// A vocabulary file cannot be read.
    #[error("{path}:{line}: {problem}; expected one word per line")]
    Vocabulary {
        /// The file.
        path: PathBuf,
        /// The line number, from 1.
        line: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A file does not hold a readable training state.
    #[error("{path}: not a checkpoint; is it a weights file?")]
    NotAState {
        /// The file.
        path: PathBuf,
    },
    /// The loss became infinite or NaN.
    #[error("the loss of step {step} is {loss}; try a smaller learning_rate or max_gradient_norm")]
    Diverged {
        /// The step, from 0.
        step: u64,
        /// The loss.
        loss: f32,
    },
    /// The gradients became infinite or NaN.
    #[error("the gradients of step {step} have the norm {norm}; try a smaller learning_rate")]
    Exploded {
        /// The step, from 0.
        step: u64,
        /// Their norm.
        norm: f32,
    },
    /// The scores became infinite or NaN.
    #[error("a score is {score} after step {step}; try a smaller learning_rate")]
    NoScore {
        /// The number of steps so far.
        step: u64,
        /// The score.
        score: f32,
    },
    /// Text cannot be turned into features.
    #[error("{0}")]
    Features(String),
}

/// A result with [`NeuralError`].
pub type Result<T> = std::result::Result<T, NeuralError>;
