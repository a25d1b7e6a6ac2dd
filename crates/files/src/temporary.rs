//! Temporary files and folders: their names, and the list of those that this process is writing.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

const PREFIX: &str = ".acidtest-";
const SUFFIX: &str = ".part";

/// Whether this is the name of a temporary file, being written or left behind by a killed process.
pub fn is_temporary_name(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// Removes the temporary files that a killed process left in a folder that nobody else writes to.
pub fn remove_leftovers(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if is_temporary_name(&entry.file_name().to_string_lossy()) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// Removes everything that is being written, and empty folders that were created for it.
///
/// Returns the outputs that were finished before. From then on no output can be started or finished: any attempt blocks for ever. This is for a program
/// that was interrupted and exits right afterwards.
pub fn remove_unfinished() -> Vec<PathBuf> {
    let registry = registry();
    for path in &registry.temporaries {
        // There is nobody to report a failure to.
        let _ = remove(path);
    }
    // Inner folders come after the folders that contain them.
    for folder in registry.folders.iter().rev() {
        let _ = std::fs::remove_dir(folder);
    }
    let finished = registry.finished.iter().cloned().collect();
    std::mem::forget(registry);
    finished
}

/// The files and folders that this process has finished, for an error message that follows them.
pub fn finished() -> Vec<PathBuf> {
    registry().finished.iter().cloned().collect()
}

/// A note that names the outputs that were finished; empty if there are none.
pub fn finished_note(outputs: &[PathBuf]) -> String {
    match outputs {
        [] => String::new(),
        _ => {
            let names: Vec<String> = outputs.iter().map(|output| output.display().to_string()).collect();
            format!("; already finished: {}", names.join(", "))
        }
    }
}

/// The outputs of this process. Files are created, renamed and removed under its lock, so that [`remove_unfinished`] never sees half a step.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    temporaries: BTreeSet<PathBuf>,
    folders: BTreeSet<PathBuf>,
    /// Finished outputs, as the user named them.
    pub(crate) finished: BTreeSet<PathBuf>,
    /// Folders that were checked for files left by killed processes.
    swept: BTreeSet<PathBuf>,
}

static REGISTRY: Mutex<Registry> =
    Mutex::new(Registry { temporaries: BTreeSet::new(), folders: BTreeSet::new(), finished: BTreeSet::new(), swept: BTreeSet::new() });

/// A temporary file that nobody has locked was left by a killed process, unless it is so new that it is about to be locked.
const LEFT_AFTER: Duration = Duration::from_secs(10);

pub(crate) fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Registry {
    /// Registers an existing file, such as a lock, for removal at the end.
    pub(crate) fn add(&mut self, path: PathBuf) -> Temporary {
        self.temporaries.insert(path.clone());
        Temporary { path, _locked: None }
    }

    /// The same, locked until it is renamed: other processes that write to the folder see that it is in use.
    fn add_locked(&mut self, path: PathBuf, file: Option<File>) -> Temporary {
        // Where files cannot be locked, other processes do not remove it either.
        self.temporaries.insert(path.clone());
        Temporary { path, _locked: file.filter(|file| file.try_lock().is_ok()) }
    }

    /// Removes files left by killed processes from a folder, once per folder.
    fn sweep(&mut self, folder: &Path) {
        if !self.swept.insert(folder.to_path_buf()) {
            return;
        }
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for entry in entries.flatten().filter(|entry| is_temporary_name(&entry.file_name().to_string_lossy())) {
            if !self.temporaries.contains(&entry.path()) && is_left_behind(&entry.path()) {
                // Another process may have removed it already.
                let _ = remove(&entry.path());
            }
        }
    }

    /// Creates a folder that is removed again if it stays empty; returns whether it is new.
    pub(crate) fn make_folder(&mut self, path: &Path) -> io::Result<bool> {
        match std::fs::create_dir(path) {
            Ok(()) => Ok(self.folders.insert(path.to_path_buf())),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes a folder that was created here, if it is empty.
    pub(crate) fn drop_folder(&mut self, path: &Path) {
        self.folders.remove(path);
        // It is no longer empty, or somebody else has removed it.
        let _ = std::fs::remove_dir(path);
    }
}

/// A file or folder that is removed when this is dropped, unless it was renamed.
#[derive(Debug)]
pub(crate) struct Temporary {
    path: PathBuf,
    _locked: Option<File>,
}

impl Temporary {
    /// A new file in a folder.
    pub(crate) fn file(folder: &Path) -> io::Result<(Self, File)> {
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o644));
        }
        let mut registry = registry();
        registry.sweep(folder);
        let made = builder.prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder).map_err(own_message)?;
        let (file, path) = made.keep().map_err(|error| error.error)?;
        let locked = file.try_clone().ok();
        Ok((registry.add_locked(path, locked), file))
    }

    /// A new folder in a folder.
    pub(crate) fn folder(parent: &Path) -> io::Result<Self> {
        let mut registry = registry();
        registry.sweep(parent);
        let made = tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempdir_in(parent).map_err(own_message)?;
        let path = made.keep();
        let opened = File::open(&path).ok();
        Ok(registry.add_locked(path, opened))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Renames it to its final name.
    pub(crate) fn rename(&self, to: &Path, registry: &mut Registry) -> io::Result<()> {
        std::fs::rename(&self.path, to)?;
        registry.temporaries.remove(&self.path);
        Ok(())
    }

    /// Leaves it where it is.
    pub(crate) fn keep(&self, registry: &mut Registry) {
        registry.temporaries.remove(&self.path);
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut registry = registry();
        if registry.temporaries.remove(&self.path) {
            // If it cannot be removed, its name says that it is temporary.
            let _ = remove(&self.path);
        }
    }
}

/// Whether no process is writing this temporary file or folder any more.
fn is_left_behind(path: &Path) -> bool {
    let old = |modified: SystemTime| modified.elapsed().is_ok_and(|age| age >= LEFT_AFTER);
    let is_old = std::fs::symlink_metadata(path).and_then(|data| data.modified()).is_ok_and(old);
    is_old && File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

/// The folder that contains a file.
pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn remove(path: &Path) -> io::Result<()> {
    if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }
}

/// The system's error without the name of the temporary file, which means nothing to a user.
fn own_message(error: io::Error) -> io::Error {
    let text = error.to_string();
    let own = text.split(" at path \"").next().unwrap_or(&text);
    io::Error::new(error.kind(), own.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_leftover_temporary_files_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        for name in [".acidtest-x.part", ".acidtest-x", "x.part"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        std::fs::create_dir(folder.path().join(".acidtest-folder.part")).unwrap();
        remove_leftovers(folder.path()).unwrap();
        let mut left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".acidtest-x", "x.part"]);
    }

    #[cfg(unix)]
    #[test]
    fn files_of_killed_processes_are_removed_and_files_in_use_stay() {
        let folder = tempfile::tempdir().unwrap();
        let make_old = |name: &str| {
            let file = File::options().create(true).append(true).open(folder.path().join(name)).unwrap();
            file.set_modified(SystemTime::now() - LEFT_AFTER).unwrap();
            file
        };
        drop(make_old(".acidtest-left.part"));
        drop(make_old("x.part"));
        let writing = make_old(".acidtest-writing.part");
        writing.lock().unwrap();
        std::fs::write(folder.path().join(".acidtest-new.part"), "").unwrap();
        let left_folder = folder.path().join(".acidtest-folder.part");
        std::fs::create_dir(&left_folder).unwrap();
        File::open(&left_folder).unwrap().set_modified(SystemTime::now() - LEFT_AFTER).unwrap();
        let (own, _) = Temporary::file(folder.path()).unwrap();
        let mut left: Vec<PathBuf> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        left.retain(|path| path != own.path());
        left.sort();
        assert_eq!(left, [".acidtest-new.part", ".acidtest-writing.part", "x.part"].map(|name| folder.path().join(name)));
        // Its own file is locked as long as it has its name, also when all has been written.
        make_old(&own.path().file_name().unwrap().to_string_lossy());
        assert!(!is_left_behind(own.path()));
    }

    #[test]
    fn a_dropped_temporary_is_removed_and_a_renamed_one_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (dropped, _) = Temporary::file(folder.path()).unwrap();
        assert!(is_temporary_name(&dropped.path().file_name().unwrap().to_string_lossy()));
        drop(dropped);
        let (renamed, _) = Temporary::file(folder.path()).unwrap();
        renamed.rename(&folder.path().join("done"), &mut registry()).unwrap();
        drop(renamed);
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["done"]);
    }
}
