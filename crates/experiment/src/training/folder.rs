//! The folder of a training run: its files, its lock, and cleaning up.

use super::TrainingError;
use crate::transformer::FINE_TUNED_FILE;
use acidtest_files::{FileError, LockFile, MadeFolder, is_temporary_name, remove_leftovers, write_file};
use acidtest_transformers::is_transformer;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The weights of a trained network.
pub(crate) const WEIGHTS_FILE: &str = "weights.safetensors";
/// The training log.
pub const LOG_FILE: &str = "log.jsonl";
/// The training curves as an HTML page.
pub const PAGE_FILE: &str = "training.html";
/// Identifies the training run in progress; removed when it ends.
pub(crate) const TRAINING_FILE: &str = "training.json";
/// The checkpoint.
const STATE_FILE: &str = "state.safetensors";
/// The best weights so far.
const BEST_FILE: &str = "best.safetensors";
const LOCK_FILE: &str = ".lock";

/// The state of a folder before a training run starts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FolderState {
    /// Empty or missing.
    Empty,
    /// An unfinished training run.
    Begun {
        /// The hash that identifies it.
        identity: String,
        /// The version of the program that started it.
        version: String,
    },
    /// A trained model, with the identity of its training run if it has one.
    Finished(Option<String>),
}

/// A locked folder.
pub(crate) struct TrainingFolder {
    path: PathBuf,
    // Dropped before the folder, which is only removed if it is empty.
    _lock: LockFile,
    _made: MadeFolder,
}

impl TrainingFolder {
    /// Locks the folder and creates it if necessary; refuses one with other files, or in use.
    pub(super) fn take(path: &Path) -> Result<(Self, FolderState), TrainingError> {
        let unusable = |source: io::Error| TrainingError::Folder { path: path.display().to_string(), source };
        look(path)?;
        let failed = |error| match error {
            FileError::InUse { .. } => TrainingError::InUse { path: path.display().to_string() },
            FileError::Unwritten { source, .. } | FileError::PartlyWritten { source, .. } => unusable(source),
            other => other.into(),
        };
        let made = MadeFolder::at(path).map_err(failed)?;
        let lock = LockFile::take(&path.join(LOCK_FILE)).map_err(failed)?;
        // Check again: another training run may have started or ended before the lock was taken.
        let found = look(path)?;
        remove_leftovers(path).map_err(unusable)?;
        Ok((TrainingFolder { path: path.to_path_buf(), _lock: lock, _made: made }, found))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn state(&self) -> PathBuf {
        self.path.join(STATE_FILE)
    }

    pub(super) fn best(&self) -> PathBuf {
        self.path.join(BEST_FILE)
    }

    pub(super) fn weights(&self) -> PathBuf {
        self.path.join(WEIGHTS_FILE)
    }

    /// Records the identity of the training run.
    pub(super) fn begin(&self, identity: &str, command: &str, version: &str) -> Result<(), TrainingError> {
        let about = serde_json::json!({ "identity": identity, "command": command, "version": version });
        self.write(TRAINING_FILE, format!("{about:#}\n"))
    }

    /// Writes a file; it appears complete or not at all.
    pub(super) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result<(), TrainingError> {
        Ok(write_file(&self.path.join(name), content.as_ref())?)
    }

    /// Removes the files that only an unfinished training run needs.
    pub(super) fn clean(&self) -> Result<(), TrainingError> {
        for name in [STATE_FILE, BEST_FILE, TRAINING_FILE] {
            match fs::remove_file(self.path.join(name)) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(TrainingError::Folder { path: self.path.join(name).display().to_string(), source });
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The state of the folder; one with other files is refused.
fn look(path: &Path) -> Result<FolderState, TrainingError> {
    let unusable = |source: io::Error| TrainingError::Folder { path: path.display().to_string(), source };
    let said = |name: &str, key: &str| -> Option<String> {
        let text = fs::read_to_string(path.join(name)).ok()?;
        let about: serde_json::Value = serde_json::from_str(&text).ok()?;
        about[key].as_str().map(str::to_owned)
    };
    if !path.exists() {
        return Ok(FolderState::Empty);
    }
    if path.join(crate::ABOUT_FILE).is_file() {
        return Ok(FolderState::Finished(said(crate::ABOUT_FILE, "identity")));
    }
    // The configuration of a transformer is written last.
    if is_transformer(path) {
        return Ok(FolderState::Finished(said(FINE_TUNED_FILE, "identity")));
    }
    if let Some(identity) = said(TRAINING_FILE, "identity") {
        return Ok(FolderState::Begun { identity, version: said(TRAINING_FILE, "version").unwrap_or_default() });
    }
    for entry in fs::read_dir(path).map_err(unusable)? {
        let name = entry.map_err(unusable)?.file_name();
        let name = name.to_string_lossy();
        // An early kill may leave the lock or a temporary file.
        if name != LOCK_FILE && !is_temporary_name(&name) {
            return Err(TrainingError::Foreign { path: path.display().to_string() });
        }
    }
    Ok(FolderState::Empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_reports_its_state() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep").join("model");
        let (taken, found) = TrainingFolder::take(&path).unwrap();
        assert_eq!(found, FolderState::Empty);
        assert!(TrainingFolder::take(&path).err().unwrap().to_string().contains("in use by another training"));
        taken.begin("xxh3:1", "acidtest train", "0.1.0").unwrap();
        drop(taken);
        let (taken, found) = TrainingFolder::take(&path).unwrap();
        assert_eq!(found, FolderState::Begun { identity: "xxh3:1".to_string(), version: "0.1.0".to_string() });
        taken.write(crate::ABOUT_FILE, r#"{"model": "esim", "identity": "xxh3:1"}"#).unwrap();
        taken.clean().unwrap();
        drop(taken);
        assert_eq!(look(&path).unwrap(), FolderState::Finished(Some("xxh3:1".to_string())));
    }

    #[test]
    fn a_training_run_that_never_started_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        drop(TrainingFolder::take(&path).unwrap());
        assert!(!path.exists());
    }

    #[test]
    fn a_folder_with_other_files_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("thesis.tex"), "").unwrap();
        assert!(TrainingFolder::take(folder.path()).err().unwrap().to_string().contains("contains files that do not belong to a model"));
        assert!(folder.path().join("thesis.tex").exists());
        fs::write(folder.path().join("file"), "").unwrap();
        assert!(TrainingFolder::take(&folder.path().join("file")).is_err());
    }
}
