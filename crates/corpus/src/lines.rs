//! Text files that are not corpora, line by line.

use crate::CorpusError;
use crate::blocks::LineBlocks;
use crate::input::InputFile;
use acidtest_files::ContentHash;

/// Passes every line that is not blank to `take` with its number, from 1, and returns the file's content hash; gzip and Zstandard are
/// decompressed.
pub fn each_line<E: From<CorpusError>>(file: &InputFile, mut take: impl FnMut(u64, &str) -> Result<(), E>) -> Result<ContentHash, E> {
    let opened = file.open()?;
    let mut blocks = LineBlocks::new(file.clone(), opened);
    let mut lines = 0u64;
    while let Some(block) = blocks.next_text()? {
        for (line, text) in block.texts() {
            take(line, text)?;
            lines += 1;
        }
    }
    if lines == 0 {
        return Err(CorpusError::NoLines { path: file.name() }.into());
    }
    Ok(blocks.content_hash())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_with_their_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.txt");
        std::fs::write(&path, "a 1\n\nb 2\n").unwrap();
        let mut seen = Vec::new();
        let hash = each_line::<CorpusError>(&InputFile::new(&path), |line, text| {
            seen.push((line, text.to_string()));
            Ok(())
        });
        assert_eq!(seen, [(1, "a 1".to_string()), (3, "b 2".to_string())]);
        assert_eq!(hash.unwrap(), ContentHash::of(b"a 1\n\nb 2\n"));
    }

    #[test]
    fn an_empty_file_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let refused = each_line::<CorpusError>(&InputFile::new(file.path()), |_, _| Ok(())).unwrap_err();
        assert!(refused.to_string().ends_with("the file is empty; expected lines of text"), "{refused}");
    }
}
