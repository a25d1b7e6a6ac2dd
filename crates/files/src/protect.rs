//! Keeps inputs from being overwritten.

use crate::FileError;
use std::collections::BTreeSet;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// While one of these exists, no file that the process has read since the first of them was created can be overwritten.
///
/// A program holds one for its whole run; a library that reads and writes in one call holds one for that call. An output is refused if it is a file
/// that was read, a link to one, or a file in a folder that was read, and so is a folder that would replace one that contains
/// such files.
#[derive(Debug)]
pub struct InputGuard(());

/// The identity of a file, whatever its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Identity {
    /// Device and inode number, where the system has them; hard links share them.
    number: Option<(u64, u64)>,
    path: PathBuf,
}

/// A file or folder that was read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Input {
    identity: Identity,
    is_folder: bool,
    /// The path as given.
    name: PathBuf,
}

struct Inputs {
    guards: usize,
    read: BTreeSet<Input>,
}

static INPUTS: Mutex<Inputs> = Mutex::new(Inputs { guards: 0, read: BTreeSet::new() });

fn inputs() -> MutexGuard<'static, Inputs> {
    INPUTS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl InputGuard {
    /// Protects files that are read from now on.
    #[must_use = "inputs are guarded until it is dropped"]
    pub fn new() -> Self {
        inputs().guards += 1;
        InputGuard(())
    }
}

impl Default for InputGuard {
    fn default() -> Self {
        InputGuard::new()
    }
}

impl Drop for InputGuard {
    fn drop(&mut self) {
        let mut inputs = inputs();
        inputs.guards -= 1;
        if inputs.guards == 0 {
            inputs.read.clear();
        }
    }
}

/// Records that a file or folder is read. Missing files, pipes and devices need no protection; `-` is standard input.
pub fn note_read(path: &Path) {
    let mut inputs = inputs();
    if inputs.guards > 0 {
        inputs.read.extend(Input::of(path));
    }
}

/// Fails if writing to this path would overwrite an input that an [`InputGuard`] protects.
pub fn refuse_inputs(output: &Path) -> Result<(), FileError> {
    if output.as_os_str() == "-" {
        return Ok(());
    }
    let inputs = inputs();
    let found = Identity::of(output);
    let place = found.as_ref().map_or_else(|| place_to_be(output), |found| Some(found.path.clone()));
    for input in &inputs.read {
        let is_same = found.as_ref().is_some_and(|found| found.is(&input.identity));
        let holds_it = place.as_ref().is_some_and(|place| input.identity.path.starts_with(place));
        if is_same || holds_it {
            return Err(FileError::AlsoRead { path: output.display().to_string(), input: input.name.display().to_string() });
        }
        if input.is_folder && place.as_ref().is_some_and(|place| place.starts_with(&input.identity.path)) {
            return Err(FileError::InsideInput { path: output.display().to_string(), input: input.name.display().to_string() });
        }
    }
    Ok(())
}

/// The absolute path of a file that does not exist yet.
fn place_to_be(output: &Path) -> Option<PathBuf> {
    let folder = crate::temporary::parent(output).canonicalize().ok()?;
    Some(folder.join(output.file_name()?))
}

impl Input {
    fn of(path: &Path) -> Option<Self> {
        let real = if path.as_os_str() == "-" { Path::new("/dev/stdin") } else { path };
        let found = real.metadata().ok()?;
        let is_folder = found.is_dir();
        if !is_folder && !found.is_file() {
            return None;
        }
        Some(Input { identity: Identity::new(real, &found)?, is_folder, name: path.to_path_buf() })
    }
}

impl Identity {
    fn of(path: &Path) -> Option<Self> {
        Identity::new(path, &path.metadata().ok()?)
    }

    fn new(path: &Path, found: &Metadata) -> Option<Self> {
        Some(Identity { number: number(found), path: path.canonicalize().ok()? })
    }

    fn is(&self, other: &Identity) -> bool {
        (self.number.is_some() && self.number == other.number) || self.path == other.path
    }
}

#[cfg(unix)]
fn number(found: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn number(_: &Metadata) -> Option<(u64, u64)> {
    None
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::{Output, OutputFolder, write_file};

    // Guards are process-wide, so inputs of one test stay protected while another test runs.

    #[test]
    fn an_input_is_not_overwritten_under_any_of_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("data"), "rows").unwrap();
        std::fs::hard_link(at("data"), at("hard")).unwrap();
        std::os::unix::fs::symlink("data", at("soft")).unwrap();
        let _guard = InputGuard::new();
        note_read(&at("soft"));
        for name in ["data", "hard", "soft", "./data"] {
            let error = write_file(&at(name), b"report").unwrap_err();
            assert!(matches!(error, FileError::AlsoRead { .. }), "{name}: {error}");
        }
        write_file(&at("other"), b"report").unwrap();
        assert_eq!(std::fs::read_to_string(at("data")).unwrap(), "rows");
    }

    #[test]
    fn an_output_that_was_begun_before_its_place_was_read_is_not_published() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        std::fs::write(&path, "rows").unwrap();
        let _guard = InputGuard::new();
        let mut output = Output::create(&path).unwrap();
        output.write(b"report").unwrap();
        note_read(&path);
        assert!(matches!(output.finish(), Err(FileError::AlsoRead { .. })));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "rows");
    }

    #[test]
    fn a_folder_that_is_read_takes_no_file_and_one_with_an_input_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["model", "page"] {
            std::fs::create_dir(at(name)).unwrap();
            std::fs::write(at(name).join("file"), "1").unwrap();
        }
        let _guard = InputGuard::new();
        note_read(&at("model"));
        note_read(&at("page/file"));
        assert!(matches!(write_file(&at("model/new"), b""), Err(FileError::InsideInput { .. })));
        assert!(matches!(OutputFolder::create(&at("model")), Err(FileError::AlsoRead { .. })));
        assert!(matches!(OutputFolder::create(&at("page")), Err(FileError::AlsoRead { .. })));
        write_file(&at("page/new"), b"").unwrap();
    }
}
