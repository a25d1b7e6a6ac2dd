//! Errors of files, with path and the system's message.

use std::io;
use std::path::Path;

/// A file or folder that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be written.
    #[error("{path}: cannot be written: {source}")]
    Unwritten {
        /// The path as given.
        path: String,
        /// The system's message.
        source: io::Error,
    },
    /// One of several outputs cannot be renamed to its final name, and others already have theirs.
    #[error("{path}: cannot be written: {source} (already written: {})", .finished.join(", "))]
    PartlyWritten {
        /// The file that failed.
        path: String,
        /// The outputs that are in place.
        finished: Vec<String>,
        /// The system's message.
        source: io::Error,
    },
    /// It is also an input of the command.
    #[error("{input}: would overwrite an input; choose another name for the output")]
    AlsoRead {
        /// The output as given.
        path: String,
        /// The input as given.
        input: String,
    },
    /// It would be inside a folder that is an input of the command.
    #[error("{path}: is inside {input}, which is an input; choose another place for the output")]
    InsideInput {
        /// The output as given.
        path: String,
        /// The folder as given.
        input: String,
    },
    /// Two outputs have the same path.
    #[error("{path}: is the name of two outputs; rename one of them")]
    WrittenTwice {
        /// The path as given.
        path: String,
    },
    /// Another process has locked it.
    #[error("{path}: in use by another process")]
    InUse {
        /// The path as given.
        path: String,
    },
}

impl FileError {
    /// The error of writing to this path.
    pub fn unwritten(path: &Path, source: io::Error) -> Self {
        FileError::Unwritten { path: path.display().to_string(), source }
    }
}
