//! Temporary files and folders: their names, and the list of those that this process is writing.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

const PREFIX: &str = ".acidtest-";
const SUFFIX: &str = ".part";

/// Whether a file of this name was being written when its process was killed, or is being written now.
pub fn is_temporary_name(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// Removes the temporary files that a killed process has left in a folder which nobody else is writing to.
pub fn remove_leftovers(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if is_temporary_name(&entry.file_name().to_string_lossy()) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// Removes everything that is being written, and folders that were made for it and are empty.
///
/// Gives what this process had finished before. From then on nothing more can be begun or finished: whoever tries waits for ever. It is for a program
/// that has been told to stop and ends right after.
pub fn remove_unfinished() -> Vec<PathBuf> {
    let registry = registry();
    for path in &registry.temporaries {
        // Nobody is left to hear of a failure.
        let _ = remove(path);
    }
    // A folder comes after the folders it lies in.
    for folder in registry.folders.iter().rev() {
        let _ = std::fs::remove_dir(folder);
    }
    let finished = registry.finished.iter().cloned().collect();
    std::mem::forget(registry);
    finished
}

/// The files and folders that this process has finished, for an error that comes after them.
pub fn finished() -> Vec<PathBuf> {
    registry().finished.iter().cloned().collect()
}

/// The outputs that were finished before the others could be; nothing without any.
pub fn finished_note(outputs: &[PathBuf]) -> String {
    match outputs {
        [] => String::new(),
        _ => {
            let names: Vec<String> = outputs.iter().map(|output| output.display().to_string()).collect();
            format!("; already finished: {}", names.join(", "))
        }
    }
}

/// What this process is writing. Names are given, taken and removed while it is held, so that [`remove_unfinished`] never sees half a step.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    temporaries: BTreeSet<PathBuf>,
    folders: BTreeSet<PathBuf>,
    /// What is in its place, as the user named it.
    pub(crate) finished: BTreeSet<PathBuf>,
    /// Folders that were looked through for what killed processes have left.
    swept: BTreeSet<PathBuf>,
}

static REGISTRY: Mutex<Registry> =
    Mutex::new(Registry { temporaries: BTreeSet::new(), folders: BTreeSet::new(), finished: BTreeSet::new(), swept: BTreeSet::new() });

/// A temporary file that nobody has locked is left behind by a killed process, unless it is so new that it is about to be locked.
const LEFT_AFTER: Duration = Duration::from_secs(10);

pub(crate) fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Registry {
    /// Adds a file that is there, such as a lock, to what is removed in the end.
    pub(crate) fn add(&mut self, path: PathBuf) -> Temporary {
        self.temporaries.insert(path.clone());
        Temporary { path, _locked: None }
    }

    /// The same, locked as long as it has its name: other processes that write to the folder see that it is not left behind.
    fn add_locked(&mut self, path: PathBuf, file: Option<File>) -> Temporary {
        // Where files cannot be locked, nobody takes this one for a leftover either.
        self.temporaries.insert(path.clone());
        Temporary { path, _locked: file.filter(|file| file.try_lock().is_ok()) }
    }

    /// Removes what killed processes have left in a folder, once for each folder.
    fn sweep(&mut self, folder: &Path) {
        if !self.swept.insert(folder.to_path_buf()) {
            return;
        }
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for entry in entries.flatten().filter(|entry| is_temporary_name(&entry.file_name().to_string_lossy())) {
            if !self.temporaries.contains(&entry.path()) && is_left_behind(&entry.path()) {
                // Another process may have been quicker.
                let _ = remove(&entry.path());
            }
        }
    }

    /// Makes a folder that is to be removed again if it stays empty; whether it was not there before.
    pub(crate) fn make_folder(&mut self, path: &Path) -> io::Result<bool> {
        match std::fs::create_dir(path) {
            Ok(()) => Ok(self.folders.insert(path.to_path_buf())),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes a folder that was made, if it is empty.
    pub(crate) fn drop_folder(&mut self, path: &Path) {
        self.folders.remove(path);
        // It holds something by now, or somebody else has removed it.
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

    /// Gives it another name, under which it stays.
    pub(crate) fn rename(&self, to: &Path, registry: &mut Registry) -> io::Result<()> {
        std::fs::rename(&self.path, to)?;
        registry.temporaries.remove(&self.path);
        Ok(())
    }

    /// Leaves it where it is, for good.
    pub(crate) fn keep(&self, registry: &mut Registry) {
        registry.temporaries.remove(&self.path);
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut registry = registry();
        if registry.temporaries.remove(&self.path) {
            // What cannot be removed has a name that says what it is.
            let _ = remove(&self.path);
        }
    }
}

/// Whether no process is writing a temporary file or folder any more.
fn is_left_behind(path: &Path) -> bool {
    let old = |modified: SystemTime| modified.elapsed().is_ok_and(|age| age >= LEFT_AFTER);
    let is_old = std::fs::symlink_metadata(path).and_then(|data| data.modified()).is_ok_and(old);
    is_old && File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

/// The folder in which a file lies.
pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn remove(path: &Path) -> io::Result<()> {
    if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }
}

/// The system's error without the name of the temporary file, which nobody asked for.
fn own_message(error: io::Error) -> io::Error {
    let text = error.to_string();
    let own = text.split(" at path \"").next().unwrap_or(&text);
    io::Error::new(error.kind(), own.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftovers_go_and_other_files_stay() {
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
    fn what_a_killed_process_left_goes_and_what_is_being_written_stays() {
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
