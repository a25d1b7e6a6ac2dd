//! Errors of this crate; each one can be acted on by the user.

use acidtest_neural::NeuralError;
use std::path::PathBuf;

/// A folder that is not a usable model, or a pair that cannot be scored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransformerError {
    /// A file of the folder cannot be read.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A JSON file of the folder is damaged.
    #[error("{path}: not valid JSON: {message}")]
    Json {
        /// The file.
        path: PathBuf,
        /// What the reader says.
        message: String,
    },
    /// A key of config.json is missing or has an unusable value.
    #[error("{path}: {problem}")]
    Config {
        /// The file.
        path: PathBuf,
        /// The key and what is expected.
        problem: String,
    },
    /// No architecture has this name.
    #[error("{path}: unknown model_type `{found}`; supported: {}", .known.join(", "))]
    UnknownArchitecture {
        /// The file.
        path: PathBuf,
        /// The name.
        found: String,
        /// All known names.
        known: Vec<&'static str>,
    },
    /// The folder needs Python code of its own.
    #[error("{path}: the model brings its own code (`auto_map`), which is not run; use a process model that loads it in Python")]
    OwnCode {
        /// The file.
        path: PathBuf,
    },
    /// The folder holds an adapter, not a model.
    #[error(
        "{folder}: holds an adapter (adapter_config.json) without its base model; merge them in Python (`merge_and_unload()`, then `save_pretrained`)"
    )]
    Adapter {
        /// The folder.
        folder: PathBuf,
    },
    /// The weights are in a format that is not read.
    #[error(
        "{folder}: no model.safetensors, only {found}; convert it in Python: `AutoModelForSequenceClassification.from_pretrained(F).save_pretrained(F)`"
    )]
    OtherWeights {
        /// The folder.
        folder: PathBuf,
        /// The file that is there.
        found: &'static str,
    },
    /// There are no weights.
    #[error("{folder}: no weights; expected model.safetensors, or model.safetensors.index.json with its parts")]
    NoWeights {
        /// The folder.
        folder: PathBuf,
    },
    /// The tokenizer is in a format that is not read.
    #[error("{folder}: no tokenizer.json, only {found}; convert it in Python: `AutoTokenizer.from_pretrained(F).save_pretrained(F)`")]
    OtherTokenizer {
        /// The folder.
        folder: PathBuf,
        /// The file that is there.
        found: &'static str,
    },
    /// There is no tokenizer.
    #[error("{folder}: no tokenizer; expected tokenizer.json, vocab.txt, or vocab.json with merges.txt")]
    NoTokenizer {
        /// The folder.
        folder: PathBuf,
    },
    /// A tokenizer file is damaged.
    #[error("{path}: not a usable tokenizer: {message}")]
    Tokenizer {
        /// The file.
        path: PathBuf,
        /// What the reader says.
        message: String,
    },
    /// A text cannot be encoded.
    #[error("{path}: the tokenizer cannot encode a pair: {message}")]
    Encoding {
        /// The tokenizer's file.
        path: PathBuf,
        /// What the tokenizer says.
        message: String,
    },
    /// A safetensors file is damaged.
    #[error("{path}: not a safetensors file: {message}")]
    Weights {
        /// The file.
        path: PathBuf,
        /// What the reader says.
        message: String,
    },
    /// The index names a part that lacks a tensor, or a file outside the folder.
    #[error("{path}: {problem}")]
    Index {
        /// The index.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The meaning of the outputs is unknown.
    #[error(
        "{path}: the labels are {found}, which does not say what they mean; usual orders are E,N,C (most recent models), C,E,N (textattack, \
         old GLUE scripts, cross-encoders) and C,N,E (roberta-large-mnli, bart-large-mnli)"
    )]
    NamelessLabels {
        /// config.json.
        path: PathBuf,
        /// The names that are there.
        found: String,
    },
    /// The labels are not those of natural language inference.
    #[error(
        "{path}: the labels are {found}, not those of natural language inference; expected names such as entailment, neutral and contradiction"
    )]
    OtherLabels {
        /// config.json.
        path: PathBuf,
        /// The names that are there.
        found: String,
    },
    /// There is another number of labels than outputs.
    #[error("{path}: id2label has {labels} labels, but the weights have {outputs} outputs")]
    LabelCount {
        /// config.json.
        path: PathBuf,
        /// The number of labels.
        labels: usize,
        /// The number of rows of the last weight.
        outputs: usize,
    },
    /// The order of labels that the user gave does not fit the outputs.
    #[error("labels `{given}`: {expected}")]
    GivenLabels {
        /// The order.
        given: String,
        /// What fits.
        expected: String,
    },
    /// An error of the network itself.
    #[error(transparent)]
    Network(#[from] NeuralError),
}

/// A result with [`TransformerError`].
pub type Result<T> = std::result::Result<T, TransformerError>;
