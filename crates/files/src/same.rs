//! Whether two paths are one place.

use std::path::Path;

/// Whether both paths lead to the same file or folder, by whatever name; a place where nothing is yet is the same as no other.
pub fn same_place(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| path.canonicalize().ok();
    place(a).is_some_and(|a| Some(a) == place(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_names_of_a_file_are_the_same_place() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        assert!(!same_place(&file, &file));
        std::fs::write(&file, "").unwrap();
        assert!(same_place(&file, &folder.path().join("./file")));
        assert!(!same_place(&file, folder.path()));
    }
}
