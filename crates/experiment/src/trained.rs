//! Trained models: model folders, written by training and used by every entry point.

use crate::trainable::TRAINABLE;
use crate::training::{LOG_FILE, PAGE_FILE, SEEN_FILE, TRAINING_FILE};
use crate::transformer::FINE_TUNED_FILE;
use acidtest_files::{ContentHash, ContentHasher, note_read};
use acidtest_model::lexical;
use acidtest_model::{LexicalError, LexicalModel, Model};
use acidtest_threads::Threads;
use serde::Deserialize;
use std::path::Path;

/// The file that describes a model folder.
pub const ABOUT_FILE: &str = "model.json";

/// A model folder that does not exist or cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TrainedError {
    /// The folder does not contain a model.
    #[error(
        "{folder}: not a trained model: there is no {ABOUT_FILE} in it, and no config.json with a `model_type`; expected the folder of a model"
    )]
    NotAModel {
        /// The folder.
        folder: String,
    },
    /// A file was given instead of the folder.
    #[error("{file}: is a file; expected the folder of a trained model")]
    IsAFile {
        /// The file.
        file: String,
    },
    /// The folder does not exist.
    #[error("{folder}: no such folder; expected the folder of a trained model")]
    NoFolder {
        /// The folder.
        folder: String,
    },
    /// The training run in the folder has not finished.
    #[error("{folder}: training is not finished; run its command again to continue (the command is in {folder}/{TRAINING_FILE})")]
    Unfinished {
        /// The folder.
        folder: String,
    },
    /// The description of the folder cannot be read.
    #[error("{path}: {message}; expected the folder of a trained model with all its files")]
    About {
        /// The file.
        path: String,
        /// The reason.
        message: String,
    },
    /// A file has changed since training.
    #[error("{path}: {problem}; copy the folder again, or train the model again")]
    Damaged {
        /// The file.
        path: String,
        /// The problem.
        problem: String,
    },
    /// A file of a fine-tuned transformer has changed since.
    #[error(
        "{path}: is missing or has changed since the model was fine-tuned, so that {FINE_TUNED_FILE} describes another model; \
         copy the folder again, or remove {FINE_TUNED_FILE} and {SEEN_FILE} to use the model as it is"
    )]
    ChangedSince {
        /// The file.
        path: String,
    },
    /// The files do not form a valid network.
    #[error("{0}; expected the folder of a trained model with all its files")]
    Network(String),
    /// This version does not know the model.
    #[error("{path}: unknown model `{model}`; this version knows: {}", .known.join(", "))]
    UnknownModel {
        /// The file that names it.
        path: String,
        /// The model's name.
        model: String,
        /// All known names.
        known: Vec<&'static str>,
    },
    /// A model that is not lexical was given where a lexical model is required.
    #[error("{folder}: `{model}` is not a lexical model; expected one of: {}", lexical::CATALOG.names().join(", "))]
    NotLexical {
        /// The folder.
        folder: String,
        /// The model in it.
        model: String,
    },
    /// The folder contains another model.
    #[error("{folder}: contains another model; choose a new or empty folder")]
    OtherModel {
        /// The folder.
        folder: String,
    },
    /// The lexical model cannot be used.
    #[error(transparent)]
    Lexical(#[from] LexicalError),
}

/// The start of every folder's description.
#[derive(Deserialize)]
struct About {
    model: String,
}

/// Whether this is the folder of a trained model.
pub fn is_trained_model(folder: &Path) -> bool {
    folder.join(ABOUT_FILE).is_file()
}

/// A hash of the files that determine predictions: all files of the folder except the training records.
pub fn model_hash(folder: &Path) -> std::io::Result<ContentHash> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if ![ABOUT_FILE, LOG_FILE, PAGE_FILE].contains(&name.as_str()) && !name.starts_with('.') {
            files.push(name);
        }
    }
    files.sort();
    let mut hash = ContentHasher::default();
    for name in files {
        hash.update(name.as_bytes());
        std::io::copy(&mut std::fs::File::open(folder.join(name))?, &mut hash)?;
    }
    Ok(hash.hash())
}

/// Loads a trained model from its folder, to predict on these threads.
pub fn open_model(folder: &Path, threads: &Threads) -> Result<Box<dyn Model>, TrainedError> {
    let path = folder.join(ABOUT_FILE);
    if !path.is_file() && folder.join(TRAINING_FILE).is_file() {
        return Err(TrainedError::Unfinished { folder: folder.display().to_string() });
    }
    if !path.is_file() {
        return Err(no_model(folder));
    }
    note_read(folder);
    let model = model_name(folder)?;
    match TRAINABLE.get(&model) {
        Some(entry) => entry.open(folder, threads),
        None => Err(TrainedError::UnknownModel { path: path.display().to_string(), model, known: TRAINABLE.names() }),
    }
}

/// Explains why there is no model at this path.
fn no_model(path: &Path) -> TrainedError {
    let name = path.display().to_string();
    match path {
        path if path.is_dir() => TrainedError::NotAModel { folder: name },
        path if path.exists() => TrainedError::IsAFile { file: name },
        _ => TrainedError::NoFolder { folder: name },
    }
}

/// The name of the model in a folder.
fn model_name(folder: &Path) -> Result<String, TrainedError> {
    let path = folder.join(ABOUT_FILE);
    let unreadable = |message: String| TrainedError::About { path: path.display().to_string(), message };
    let text = std::fs::read_to_string(&path).map_err(|error| unreadable(error.to_string()))?;
    let about: About = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
    Ok(about.model)
}

/// Loads a lexical model from its folder.
pub fn open_lexical(folder: &Path) -> Result<LexicalModel, TrainedError> {
    if !is_trained_model(folder) {
        return Err(no_model(folder));
    }
    note_read(folder);
    let model = model_name(folder)?;
    if lexical::CATALOG.get(&model).is_none() {
        return Err(TrainedError::NotLexical { folder: folder.display().to_string(), model });
    }
    Ok(LexicalModel::load(folder)?)
}

/// Refuses to overwrite anything but an older lexical model.
pub(crate) fn refuse_other_model(folder: &Path) -> Result<(), TrainedError> {
    if is_trained_model(folder) && !model_name(folder).is_ok_and(|name| lexical::CATALOG.get(&name).is_some()) {
        return Err(TrainedError::OtherModel { folder: folder.display().to_string() });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(about: Option<&str>) -> String {
        let folder = tempfile::tempdir().unwrap();
        if let Some(about) = about {
            std::fs::write(folder.path().join(ABOUT_FILE), about).unwrap();
        }
        open_model(folder.path(), &Threads::all_cores().unwrap()).err().unwrap().to_string()
    }

    #[test]
    fn the_hash_depends_on_weights_not_on_times() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("weights.safetensors", "1");
        write(ABOUT_FILE, r#"{"seconds": 1}"#);
        let first = model_hash(folder.path()).unwrap();
        write(ABOUT_FILE, r#"{"seconds": 2}"#);
        assert_eq!(model_hash(folder.path()).unwrap(), first);
        write("weights.safetensors", "2");
        assert_ne!(model_hash(folder.path()).unwrap(), first);
    }

    #[test]
    fn a_folder_without_a_model_is_refused() {
        assert!(refused(None).contains("not a trained model"));
        assert!(refused(Some("{")).contains("EOF while parsing"));
        assert!(refused(Some(r#"{"model": "telepathy"}"#)).contains("unknown model `telepathy`"));
        let absent = open_lexical(Path::new("nowhere")).err().map(|error| error.to_string());
        assert_eq!(absent.as_deref(), Some("nowhere: no such folder; expected the folder of a trained model"));
    }
}
