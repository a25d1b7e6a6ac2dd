//! The kinds of damage.

mod configs;
mod tokenizers;
mod weights;

use serde_json::Value;
use std::path::Path;

/// A kind of damage to a copy of a golden folder.
pub(crate) struct Damage {
    pub what: &'static str,
    /// The golden folder.
    pub base: &'static str,
    pub damage: Box<dyn Fn(&Path)>,
    pub outcome: Outcome,
}

/// What happens when the folder is opened.
pub(crate) enum Outcome {
    /// The error names the file (or the folder, if empty) and has this part.
    Refused { file: &'static str, part: &'static str },
    /// The damage does no harm.
    Opened,
}

/// All kinds of damage.
pub(crate) fn all() -> Vec<Damage> {
    weights::all().into_iter().chain(configs::all()).chain(tokenizers::all()).collect()
}

fn refused(what: &'static str, base: &'static str, (file, part): (&'static str, &'static str), damage: impl Fn(&Path) + 'static) -> Damage {
    Damage { what, base, damage: Box::new(damage), outcome: Outcome::Refused { file, part } }
}

fn harmless(what: &'static str, base: &'static str, damage: impl Fn(&Path) + 'static) -> Damage {
    Damage { what, base, damage: Box::new(damage), outcome: Outcome::Opened }
}

fn remove(folder: &Path, file: &str) {
    std::fs::remove_file(folder.join(file)).unwrap();
}

fn write(folder: &Path, file: &str, contents: impl AsRef<[u8]>) {
    std::fs::write(folder.join(file), contents).unwrap();
}

/// A folder in the place of a file.
fn directory(folder: &Path, file: &str) {
    remove(folder, file);
    std::fs::create_dir(folder.join(file)).unwrap();
}

/// A link to nothing in the place of a file.
fn broken_link(folder: &Path, file: &str) {
    remove(folder, file);
    std::os::unix::fs::symlink("../blobs/0123", folder.join(file)).unwrap();
}

fn cut(folder: &Path, file: &str, length: impl Fn(usize) -> usize) {
    let mut bytes = std::fs::read(folder.join(file)).unwrap();
    bytes.truncate(length(bytes.len()));
    write(folder, file, bytes);
}

/// Changes a JSON file.
fn edit(folder: &Path, file: &str, change: impl Fn(&mut Value)) {
    let mut value: Value = serde_json::from_slice(&std::fs::read(folder.join(file)).unwrap()).unwrap();
    change(&mut value);
    write(folder, file, value.to_string());
}
