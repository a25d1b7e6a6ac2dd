//! Folders that appear complete or not at all, and folders that are created for outputs.

use crate::temporary::{Temporary, parent, registry};
use crate::{FileError, Sealed, publish_all, refuse_inputs};
use std::io;
use std::path::{Path, PathBuf};

/// A folder that is being written. If it is dropped before [`OutputFolder::finish`], nothing is left behind.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
    target: PathBuf,
    temporary: Temporary,
}

impl OutputFolder {
    /// Starts a folder. An existing folder of this name is replaced at the end, so the caller must have checked that it may be.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        refuse_inputs(path)?;
        let unwritten = |source| FileError::unwritten(path, source);
        let target = if path.exists() { path.canonicalize().map_err(unwritten)? } else { path.to_path_buf() };
        let temporary = Temporary::folder(parent(&target)).map_err(unwritten)?;
        Ok(OutputFolder { path: path.to_path_buf(), target, temporary })
    }

    /// Writes a file into the folder; its name may contain subfolders.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FileError> {
        io::Write::write_all(&mut self.file(name)?, bytes).map_err(|source| self.unwritten(source))
    }

    /// Creates a file in the folder that is written piece by piece; its name may contain subfolders.
    pub fn file(&self, name: &str) -> Result<std::fs::File, FileError> {
        let path = self.temporary.path().join(name);
        // No file is created while the folder is being removed.
        let _held = registry();
        let file = std::fs::create_dir_all(parent(&path)).and_then(|()| std::fs::File::create(&path));
        file.map_err(|source| self.unwritten(source))
    }

    /// Moves the folder to its final name; the old folder is only removed once the new one is in place.
    pub fn finish(self) -> Result<(), FileError> {
        publish_all(vec![self.seal()?])
    }

    /// Completes the folder under its temporary name, for [`publish_all`].
    pub fn seal(self) -> Result<Sealed, FileError> {
        set_readable(self.temporary.path()).map_err(|source| self.unwritten(source))?;
        let OutputFolder { path, target, temporary } = self;
        Sealed::folder(path, target, temporary)
    }

    fn unwritten(&self, source: io::Error) -> FileError {
        FileError::unwritten(&self.path, source)
    }
}

/// Temporary folders are private; finished ones get the usual permissions.
fn set_readable(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755))?;
    }
    let _ = folder;
    Ok(())
}

/// A folder for outputs that are written later. When dropped, it is removed if it was created here and is still empty.
#[derive(Debug)]
pub struct MadeFolder {
    /// The folders that did not exist before, outermost first.
    made: Vec<PathBuf>,
}

impl MadeFolder {
    /// Creates the folder and its missing parents.
    pub fn at(path: &Path) -> Result<Self, FileError> {
        let mut folder = MadeFolder { made: Vec::new() };
        let missing: Vec<&Path> = path.ancestors().filter(|path| !path.as_os_str().is_empty() && !path.is_dir()).collect();
        for ancestor in missing.into_iter().rev() {
            let made = registry().make_folder(ancestor);
            if made.map_err(|source| FileError::unwritten(path, source))? {
                folder.made.push(ancestor.to_path_buf());
            }
        }
        Ok(folder)
    }
}

impl Drop for MadeFolder {
    fn drop(&mut self) {
        for folder in self.made.iter().rev() {
            registry().drop_folder(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn a_finished_folder_replaces_the_old_one_and_a_dropped_one_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        for name in ["first", "deep/second"] {
            let output = OutputFolder::create(&path).unwrap();
            output.write(name, b"x").unwrap();
            output.finish().unwrap();
        }
        let dropped = OutputFolder::create(&path).unwrap();
        dropped.write("third", b"x").unwrap();
        drop(dropped);
        assert_eq!((names(folder.path()), names(&path)), (vec!["report".to_string()], vec!["deep".to_string()]));
    }

    #[test]
    fn a_folder_whose_parent_is_missing_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let error = OutputFolder::create(&folder.path().join("nowhere/report")).unwrap_err();
        assert!(error.to_string().ends_with("report: cannot be written: No such file or directory (os error 2)"), "{error}");
    }

    #[test]
    fn a_created_folder_that_stays_empty_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b");
        drop(MadeFolder::at(&path).unwrap());
        assert!(names(folder.path()).is_empty());
        let made = MadeFolder::at(&path).unwrap();
        std::fs::write(path.join("file"), "").unwrap();
        drop(made);
        assert!(path.join("file").is_file());
        std::fs::create_dir(folder.path().join("own")).unwrap();
        drop(MadeFolder::at(&folder.path().join("own")).unwrap());
        assert!(folder.path().join("own").is_dir());
    }
}
