//! What can go wrong with a file, with its path and what the system says.

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
        /// What the system says.
        source: io::Error,
    },
    /// One of several files cannot be given its name, and others have theirs already.
    #[error("{path}: cannot be written: {source} (already written: {})", .finished.join(", "))]
    PartlyWritten {
        /// The file that failed.
        path: String,
        /// The files that are in their places.
        finished: Vec<String>,
        /// What the system says.
        source: io::Error,
    },
    /// It is read by the same command.
    #[error("{input}: would overwrite an input; choose another name for the output")]
    AlsoRead {
        /// The output as given.
        path: String,
        /// The input as given.
        input: String,
    },
    /// It would lie in a folder that is read by the same command.
    #[error("{path}: is inside {input}, which is an input; choose another place for the output")]
    InsideInput {
        /// The output as given.
        path: String,
        /// The folder as given.
        input: String,
    },
    /// Two outputs have one name.
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
    /// An error of writing this path.
    pub fn unwritten(path: &Path, source: io::Error) -> Self {
        FileError::Unwritten { path: path.display().to_string(), source }
    }
}
