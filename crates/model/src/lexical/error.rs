//! Errors of lexical models and their training.

use acidtest_files::FileError;
use std::io;
use std::path::Path;

/// A lexical model that cannot be trained, written, read or used.
#[derive(Debug, thiserror::Error)]
pub enum LexicalError {
    /// The caller cancelled the training.
    #[error("cancelled")]
    Cancelled,
    /// A file of the folder cannot be opened.
    #[error("{path}: cannot be read: {source}")]
    Unread {
        /// The file.
        path: String,
        /// The system's message.
        source: io::Error,
    },
    /// A file of the folder is not what was written.
    #[error("{path}: {problem}; the model folder is damaged, train the model again")]
    Broken {
        /// The file.
        path: String,
        /// What is wrong.
        problem: String,
    },
    /// A folder of another version.
    #[error("{path}: written in format {found}, but this version reads format {expected}; train the model again")]
    Format {
        /// The file.
        path: String,
        /// The format of the folder.
        found: u32,
        /// The format that can be read.
        expected: u32,
    },
    /// The path of the new folder is taken.
    #[error("{path}: exists and is not a trained model; choose a new name, an empty folder, or a model to replace")]
    Occupied {
        /// The path.
        path: String,
    },
    /// The folder cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// No labelled training examples.
    #[error("no training example has one of the labels entailment, neutral, contradiction ({unlabelled} have none)")]
    NoRows {
        /// Examples without a label.
        unlabelled: u64,
    },
    /// No labelled development examples.
    #[error("no development example has one of the labels entailment, neutral, contradiction ({unlabelled} have none)")]
    NoDevRows {
        /// Examples without a label.
        unlabelled: u64,
    },
    /// An invalid setting.
    #[error("setting `{name}`: invalid value {found}: expected {expected}")]
    Setting {
        /// Its name.
        name: &'static str,
        /// Its value.
        found: String,
        /// What is accepted.
        expected: &'static str,
    },
    /// A training example, and no fold model that has not seen it.
    #[error("{folder}: the model was trained on example `{id}`, and has no folds to score training examples with")]
    NoFolds {
        /// The pair.
        id: String,
        /// The folder of the model.
        folder: String,
    },
}

impl LexicalError {
    pub(super) fn unread(path: &Path, source: io::Error) -> Self {
        LexicalError::Unread { path: path.display().to_string(), source }
    }

    pub(super) fn broken(path: &Path, problem: impl Into<String>) -> Self {
        LexicalError::Broken { path: path.display().to_string(), problem: problem.into() }
    }
}
