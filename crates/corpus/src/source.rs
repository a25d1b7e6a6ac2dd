//! The one loop over the examples of corpora: block by block, by several threads, in order.

use crate::block::{Block, BlockCounts, Examples};
use crate::ids::{IdCheck, IdPolicy};
use crate::reader::{BadRows, ReadOptions, Reader};
use crate::{CorpusError, InputFile};
use acidtest_files::ContentHash;
use acidtest_nli::Example;
use acidtest_threads::{Threads, in_order, one_by_one};
use std::sync::atomic::{AtomicBool, Ordering};

/// Something that gives examples in blocks, such as files.
pub trait BlockSource: Send {
    /// The next block, or `None` after the last.
    fn next_block(&mut self) -> Result<Option<Block>, CorpusError>;

    /// The files that were read to their end.
    fn finished(&self) -> &[FinishedFile];

    /// The same source from its beginning; nothing for one that can be read only once.
    fn again(&self) -> Option<Box<dyn BlockSource>>;
}

/// A file that a source has read to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedFile {
    /// The name as the user gave it.
    pub name: String,
    /// Its content hash.
    pub hash: ContentHash,
}

/// How a loop over examples is done.
#[derive(Debug, Clone, Copy)]
pub struct LoopOptions<'t> {
    /// The threads that work on blocks.
    pub threads: &'t Threads,
    /// Which ids may stand twice.
    pub ids: IdPolicy,
    /// Ends the loop with [`CorpusError::Cancelled`] before the next block once it is true.
    pub cancel: Option<&'t AtomicBool>,
    /// How many blocks are worked on at a time.
    pub at_once: BlocksAtOnce,
}

/// How many blocks are worked on at a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BlocksAtOnce {
    /// As many as there are threads.
    #[default]
    OnePerThread,
    /// One: for work that must not be done twice at once, or that is itself split among all threads.
    One,
}

impl<'t> LoopOptions<'t> {
    /// A loop that works on as many blocks at a time as there are threads, and cannot be cancelled.
    pub fn new(threads: &'t Threads, ids: IdPolicy) -> Self {
        LoopOptions { threads, ids, cancel: None, at_once: BlocksAtOnce::default() }
    }

    fn check_cancelled(&self) -> Result<(), CorpusError> {
        match self.cancel {
            Some(cancel) if cancel.load(Ordering::Relaxed) => Err(CorpusError::Cancelled),
            _ => Ok(()),
        }
    }
}

/// What a loop over examples has read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoopCounts {
    /// Examples that were read.
    pub read: u64,
    /// Rows that could not be read and were skipped.
    pub skipped: u64,
    /// The files, with their rows and hashes.
    pub files: Vec<FileRead>,
}

/// A file that was read to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRead {
    /// The name as the user gave it.
    pub name: String,
    /// Its content hash.
    pub hash: ContentHash,
    /// How many rows it has, readable or not.
    pub rows: u64,
}

/// Gives the examples of each block to `work`, on several threads, and the results to `finish`, in the order of the blocks.
///
/// Only a few blocks are in memory at a time. The first error in the order of the rows ends the loop: of a row that cannot be read, of an id
/// that is not unique, of `work` or of `finish`.
pub fn for_blocks<R: Send, E: From<CorpusError> + Send>(
    source: &mut dyn BlockSource,
    options: LoopOptions<'_>,
    work: impl Fn(&mut Examples<'_>) -> Result<R, E> + Sync,
    mut finish: impl FnMut(R) -> Result<(), E> + Send,
) -> Result<LoopCounts, E> {
    let mut ids = IdCheck::new(options.ids, source.again());
    // Skipped rows must be known before a block is worked on, one block after another.
    let mut skipped_ids = IdCheck::new(options.ids, None);
    let mut counts = LoopCounts::default();
    let mut rows_by_file: Vec<u64> = Vec::new();
    let next = || {
        options.check_cancelled()?;
        let mut block = source.next_block()?;
        if let Some(block) = block.as_mut().filter(|block| block.options.bad_rows == BadRows::Skip) {
            skipped_ids.skip_duplicates(block);
        }
        Ok(block)
    };
    let work = |block: Block| {
        let mut examples = block.examples();
        let result = work(&mut examples);
        // Rows that the work did not ask for are read and counted all the same.
        if result.is_ok() {
            examples.by_ref().for_each(drop);
        }
        let counts = examples.into_counts();
        Ok((block, counts, result))
    };
    let finish = |(block, of_block, result): (Block, BlockCounts, Result<R, E>)| {
        let BlockCounts { ids: hashes, read, skipped, failed } = of_block;
        // The ids are those of rows before the one that failed, so that they come first.
        if block.options.bad_rows == BadRows::Refuse {
            ids.check(&block, &hashes)?;
        }
        let result = result?;
        if let Some(failed) = failed {
            return Err(failed.into());
        }
        rows_by_file.resize(rows_by_file.len().max(block.file() + 1), 0);
        rows_by_file[block.file()] += read + skipped;
        counts.read += read;
        counts.skipped += skipped;
        finish(result)
    };
    match options.at_once {
        BlocksAtOnce::OnePerThread => in_order(options.threads, next, work, finish),
        BlocksAtOnce::One => one_by_one(options.threads, next, work, finish),
    }?;
    let files = source.finished().iter().zip(rows_by_file);
    counts.files = files.map(|(file, rows)| FileRead { name: file.name.clone(), hash: file.hash, rows }).collect();
    Ok(counts)
}

/// A whole corpus in memory.
pub struct Corpus {
    /// The rows, in order.
    pub examples: Vec<Example<'static>>,
    /// Rows left out because they could not be read.
    pub skipped: u64,
    /// The files, with their rows.
    pub files: Vec<FileRead>,
}

/// Reads all rows of all files; ids must be unique.
pub fn read_all(files: Vec<InputFile>, options: ReadOptions, threads: &Threads) -> Result<Corpus, CorpusError> {
    read_source(&mut Reader::new(files, options), LoopOptions::new(threads, IdPolicy::Unique))
}

/// Reads everything that a source gives.
pub fn read_source(source: &mut dyn BlockSource, options: LoopOptions<'_>) -> Result<Corpus, CorpusError> {
    let mut examples = Vec::new();
    let counts = for_blocks(
        source,
        options,
        |rows| Ok(rows.map(|row| row.example.into_owned()).collect::<Vec<_>>()),
        |rows| {
            examples.extend(rows);
            Ok::<(), CorpusError>(())
        },
    )?;
    Ok(Corpus { examples, skipped: counts.skipped, files: counts.files })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::IdSource;
    use std::path::Path;

    const ROW: &str = r#"{"premise": "A @", "hypothesis": "B", "id": "@"}"#;

    /// Writes a file of rows with these ids; `!` is a line that cannot be read.
    fn file(folder: &Path, name: &str, ids: &[&str]) -> InputFile {
        let row = |id: &&str| if *id == "!" { "{".to_string() } else { ROW.replace('@', id) };
        std::fs::write(folder.join(name), ids.iter().map(row).collect::<Vec<_>>().join("\n")).unwrap();
        InputFile::new(folder.join(name))
    }

    /// The ids in the order in which they are finished, or the error without the folder's name.
    fn looped(files: &[&[&str]], options: ReadOptions, ids: IdPolicy) -> Result<String, String> {
        let mut found = Vec::new();
        for threads in [1, 3] {
            let folder = tempfile::tempdir().unwrap();
            let files = files.iter().zip(["a", "b"]).map(|(ids, name)| file(folder.path(), name, ids)).collect();
            let threads = Threads::new(threads.try_into().unwrap()).unwrap();
            let mut read = Vec::new();
            let counts = for_blocks(
                &mut Reader::new(files, options.clone()),
                LoopOptions::new(&threads, ids),
                |examples| Ok(examples.map(|row| row.example.pair.id.into_owned()).collect::<Vec<_>>()),
                |ids| {
                    read.extend(ids);
                    Ok::<(), CorpusError>(())
                },
            );
            let place = format!("{}/", folder.path().display());
            found.push(match counts {
                Ok(counts) => {
                    assert_eq!(counts.read, read.len() as u64);
                    Ok(format!("{} skipped {}", read.join(" "), counts.skipped))
                }
                Err(error) => Err(error.to_string().replace(&place, "")),
            });
        }
        assert_eq!(found[0], found[1], "one thread, then three");
        found.remove(0)
    }

    #[test]
    fn a_duplicate_id_is_refused_with_both_places() {
        let check = |files: &[&[&str]], ids| looped(files, ReadOptions::default(), ids);
        let same = Err("a:3: duplicate id \"1\" (first seen at line 1); ids must be unique".to_string());
        assert_eq!(check(&[&["1", "2", "1", "2"]], IdPolicy::Unique), same);
        let other = Err("b:2: duplicate id \"2\" (first seen at line 2 of a); ids must be unique".to_string());
        assert_eq!(check(&[&["1", "2"], &["3", "2"]], IdPolicy::Unique), other);
        assert_eq!(check(&[&["1", "1"]], IdPolicy::Unchecked), Ok("1 1 skipped 0".to_string()));
    }

    #[test]
    fn a_cancelled_loop_takes_no_more_blocks() {
        let folder = tempfile::tempdir().unwrap();
        let files: Vec<InputFile> = ["a", "b", "c"].map(|name| file(folder.path(), name, &[name])).into();
        let threads = Threads::new(2.try_into().unwrap()).unwrap();
        for at_once in [BlocksAtOnce::OnePerThread, BlocksAtOnce::One] {
            let (cancel, mut finished) = (AtomicBool::new(false), 0);
            let options = LoopOptions { cancel: Some(&cancel), at_once, ..LoopOptions::new(&threads, IdPolicy::Unique) };
            let result = for_blocks(
                &mut Reader::new(files.clone(), ReadOptions::default()),
                options,
                |_| {
                    cancel.store(true, Ordering::Relaxed);
                    Ok(())
                },
                |()| {
                    finished += 1;
                    Ok::<(), CorpusError>(())
                },
            );
            assert!(matches!(result, Err(CorpusError::Cancelled)) && (1..3).contains(&finished), "{at_once:?}: {finished}");
        }
    }

    #[test]
    fn the_first_error_in_the_order_of_rows_is_told() {
        let check = |ids: &[&str]| looped(&[ids], ReadOptions::default(), IdPolicy::Unique).unwrap_err();
        assert!(check(&["1", "1", "!"]).starts_with("a:2: duplicate id"));
        assert!(check(&["1", "!", "1"]).starts_with("a:2: not a JSON object"));
    }

    #[test]
    fn bad_rows_are_skipped_on_request() {
        let skip = ReadOptions { bad_rows: BadRows::Skip, ..ReadOptions::default() };
        assert_eq!(looped(&[&["!", "1", "!", "2"]], skip, IdPolicy::Unique), Ok("1 2 skipped 2".to_string()));
    }

    #[test]
    fn duplicate_ids_are_skipped_on_request() {
        let skip = ReadOptions { bad_rows: BadRows::Skip, ..ReadOptions::default() };
        let found = looped(&[&["1", "2", "1", "!"], &["2", "3", "3"]], skip.clone(), IdPolicy::Unique);
        assert_eq!(found, Ok("1 2 3 skipped 4".to_string()));
        assert_eq!(looped(&[&["1", "1"]], skip, IdPolicy::Unchecked), Ok("1 1 skipped 0".to_string()));
    }

    #[test]
    fn content_ids_are_taken_whatever_the_file_says() {
        let content = ReadOptions { ids: IdSource::Content, ..ReadOptions::default() };
        let found = looped(&[&["1", "2", "1"]], content, IdPolicy::Unique).unwrap();
        let ids: Vec<&str> = found.split(' ').take(3).collect();
        assert!(ids.iter().all(|id| acidtest_nli::is_content_id(id)), "{found}");
        assert!(ids[0] == ids[2] && ids[0] != ids[1], "{found}");
    }
}
