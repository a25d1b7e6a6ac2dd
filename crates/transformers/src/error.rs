//! Errors of this crate; each one can be acted on by the user.

use acidtest_neural::NeuralError;
use std::path::PathBuf;

/// A folder that is not a usable model, or a pair that cannot be scored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransformerError {
    /// A file of the folder cannot be read.
    #[error("{path}: {source}; copy the folder again, and see that its files can be read")]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A JSON file of the folder is damaged.
    #[error("{path}: not valid JSON: {}; copy the file again", one_line(.message))]
    Json {
        /// The file.
        path: PathBuf,
        /// What the reader says.
        message: String,
    },
    /// A key of config.json is missing or has an unusable value.
    #[error("{path}: {}; is the file complete, and of this model?", one_line(.problem))]
    Config {
        /// The file.
        path: PathBuf,
        /// The key and what is expected.
        problem: String,
    },
    /// No architecture has this name.
    #[error("{path}: unknown model_type `{}`; supported: {}", one_line(.found), .known.join(", "))]
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
    #[error(
        "{path}: not a usable tokenizer: {}; copy it again, or save it in Python: \
         `AutoTokenizer.from_pretrained(F).save_pretrained(F)`",
        one_line(.message)
    )]
    Tokenizer {
        /// The file.
        path: PathBuf,
        /// What the reader says.
        message: String,
    },
    /// A text cannot be encoded.
    #[error("{path}: the tokenizer cannot encode a pair: {}; is it the tokenizer of this model?", one_line(.message))]
    Encoding {
        /// The tokenizer's file.
        path: PathBuf,
        /// What the tokenizer says.
        message: String,
    },
    /// A safetensors file is damaged.
    #[error(
        "{path}: not a whole safetensors file: {}; copy it again (an LFS pointer or a download that stopped looks like this)",
        one_line(.message)
    )]
    Weights {
        /// The file.
        path: PathBuf,
        /// What the reader says.
        message: String,
    },
    /// The index is damaged, or names a file that is not in the folder.
    #[error("{path}: {}; copy the folder again", one_line(.problem))]
    Index {
        /// The index.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The meaning of the outputs is unknown.
    #[error(
        "{path}: the labels are {}, which does not say what they mean; usual orders are {usual}",
        one_line(.found)
    )]
    NamelessLabels {
        /// config.json.
        path: PathBuf,
        /// The names that are there.
        found: String,
        /// The usual orders of as many labels.
        usual: &'static str,
    },
    /// The labels are not those of natural language inference.
    #[error(
        "{path}: the labels are {}, not those of natural language inference; expected names such as entailment, neutral and contradiction",
        one_line(.found)
    )]
    OtherLabels {
        /// config.json.
        path: PathBuf,
        /// The names that are there.
        found: String,
    },
    /// There is another number of labels than outputs.
    #[error("{path}: id2label has {labels} labels, but the weights have {outputs} outputs; expected as many")]
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
    /// The weights lack a tensor.
    #[error("{path}: no tensor `{name}`; are the weights those of this config.json, with the classification head?")]
    MissingTensor {
        /// The file.
        path: PathBuf,
        /// The tensor.
        name: String,
    },
    /// A tensor has another shape or type than config.json says.
    #[error("{path}: tensor `{name}` is {found} (expected {expected}); are the weights those of this config.json?")]
    Misshapen {
        /// The file.
        path: PathBuf,
        /// The tensor.
        name: String,
        /// Its shape or type.
        found: String,
        /// What config.json asks for.
        expected: String,
    },
    /// A weight is infinite or not a number.
    #[error(
        "{path}: tensor `{name}` has numbers that are NaN or infinite; copy the file again, or take weights from before the training diverged"
    )]
    NotFinite {
        /// The file.
        path: PathBuf,
        /// The tensor.
        name: String,
    },
    /// An error of the network itself.
    #[error(transparent)]
    Network(#[from] NeuralError),
}

impl From<acidtest_files::FileError> for TransformerError {
    fn from(error: acidtest_files::FileError) -> Self {
        NeuralError::from(error).into()
    }
}

/// What a file says, as a part of a line that is not too long.
fn one_line(text: &str) -> String {
    const MOST: usize = 300;
    let plain: String = text.chars().take(MOST).map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect();
    if text.chars().nth(MOST).is_some() { plain + "…" } else { plain }
}

impl TransformerError {
    /// An error in building the network of a folder, in the words of its files.
    pub(crate) fn in_folder(error: NeuralError, config: PathBuf) -> Self {
        match error {
            NeuralError::MissingTensor { path, name } => TransformerError::MissingTensor { path, name },
            NeuralError::TensorShape { path, name, found, expected } => TransformerError::Misshapen { path, name, found, expected },
            NeuralError::NotFinite { path, name } => TransformerError::NotFinite { path, name },
            NeuralError::File { path, source } => TransformerError::File { path, source },
            NeuralError::Setting { setting, found, expected } => {
                TransformerError::Config { path: config, problem: format!("`{setting}` is {found} (expected {expected})") }
            }
            NeuralError::Settings(error) => {
                // Its line is not one of the file.
                let text = error.to_string();
                let problem = text.split(" at line ").next().unwrap_or_default().to_owned();
                TransformerError::Config { path: config, problem }
            }
            other => other.into(),
        }
    }
}

/// A result with [`TransformerError`].
pub type Result<T> = std::result::Result<T, TransformerError>;
