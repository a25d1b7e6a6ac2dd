//! The record of a split, kept beside its parts, so that a later split replaces nothing else.

use acidtest_files::{ContentHash, ContentHasher, FileError, FileHashes, Output, Sealed};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The file that lists the parts; its name begins with a dot, so it is never read as a corpus.
const RECORD: &str = ".acidtest-split";

/// The parts that an earlier split recorded in the folder, with their hashes; empty if there is no record.
pub(super) fn recorded(folder: &Path) -> FileHashes {
    let text = std::fs::read_to_string(folder.join(RECORD)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Whether a file is exactly a recorded part.
pub(super) fn is_recorded(listed: &FileHashes, path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    listed.get(&name).is_some_and(|hash| hash_of(path).is_ok_and(|found| found == *hash))
}

/// The record of complete parts, to be published together with them.
pub(super) fn seal_record(folder: &Path, parts: &[(String, Sealed)]) -> Result<Sealed, FileError> {
    let mut listed = FileHashes::new();
    for (name, part) in parts {
        let path = part.waiting_at().map_or_else(|| folder.join(name), Path::to_path_buf);
        let hash = hash_of(&path).map_err(|source| FileError::Unwritten { path: path.display().to_string(), source })?;
        listed.insert(name.clone(), hash);
    }
    let text = serde_json::to_string_pretty(&listed).expect("names and hashes are JSON");
    let mut output = Output::create(&folder.join(RECORD))?;
    output.write((text + "\n").as_bytes())?;
    output.seal()
}

fn hash_of(path: &Path) -> io::Result<ContentHash> {
    let (mut file, mut hasher, mut buffer) = (File::open(path)?, ContentHasher::default(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hasher.hash()),
            length => hasher.update(&buffer[..length]),
        }
    }
}
