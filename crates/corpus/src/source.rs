//! The loop over the examples of corpora: in blocks, by several threads, in order.

use crate::block::{Block, BlockCounts, Examples};
use crate::ids::{IdCheck, IdPolicy};
use crate::reader::{BadRows, ReadOptions, Reader, Unlabelled};
use crate::{CorpusError, InputFile};
use acidtest_files::ContentHash;
use acidtest_nli::{Example, LabelDoubt, LooseLabels};
use acidtest_threads::{Threads, in_order, one_by_one};
use std::sync::atomic::{AtomicBool, Ordering};

/// A source of examples in blocks, such as files.
pub trait BlockSource: Send {
    /// The next block, or `None` after the last.
    fn next_block(&mut self) -> Result<Option<Block>, CorpusError>;

    /// The files that were read completely.
    fn finished(&self) -> &[FinishedFile];

    /// The same source from its beginning; `None` for one that can only be read once.
    fn again(&self) -> Option<Box<dyn BlockSource>>;
}

/// A file that was read completely.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedFile {
    /// The name as the user gave it.
    pub name: String,
    /// Its content hash.
    pub hash: ContentHash,
    /// What was inferred from its content, where another reading is possible.
    pub notes: Vec<String>,
    /// The meaning of its numbered labels, if the data has it.
    pub label_names: Option<String>,
}

/// Options of a loop over examples.
#[derive(Debug, Clone, Copy)]
pub struct LoopOptions<'t> {
    /// The threads that work on blocks.
    pub threads: &'t Threads,
    /// Which ids may occur twice.
    pub ids: IdPolicy,
    /// Cancels the loop with [`CorpusError::Cancelled`] before the next block once it is true.
    pub cancel: Option<&'t AtomicBool>,
    /// How many blocks are processed at a time.
    pub at_once: BlocksAtOnce,
}

/// How many blocks are processed at a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BlocksAtOnce {
    /// As many as there are threads.
    #[default]
    OnePerThread,
    /// One: for work that must not run concurrently, or that uses all threads itself.
    One,
}

impl<'t> LoopOptions<'t> {
    /// A loop that processes as many blocks at a time as there are threads, and cannot be cancelled.
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
    /// Unlabelled examples, skipped or not.
    pub unlabelled: u64,
    /// Unlabelled examples that were skipped.
    pub left_out: u64,
    /// The files, with their rows and hashes.
    pub files: Vec<FileRead>,
}

/// A file that was read completely.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRead {
    /// The name as the user gave it.
    pub name: String,
    /// Its content hash.
    pub hash: ContentHash,
    /// The number of rows, readable or not.
    pub rows: u64,
    /// The number of rows that could not be read and were skipped.
    pub skipped: u64,
    /// What was inferred from its content or assumed, where another reading is possible; one sentence each.
    pub notes: Vec<String>,
    /// Whether its labels are numbers that were read in the usual order by default.
    pub assumed_labels: bool,
}

impl FileRead {
    /// A file whose rows were all read, without notes.
    pub fn new(name: String, hash: ContentHash, rows: u64) -> Self {
        FileRead { name, hash, rows, skipped: 0, notes: Vec::new(), assumed_labels: false }
    }
}

/// The counts of one file.
#[derive(Debug, Clone, Default)]
struct FileCounts {
    rows: u64,
    skipped: u64,
    /// Unlabelled rows, if those are skipped.
    left_out: u64,
    loose: LooseLabels,
    /// Whether the user gave the meaning of numbers.
    order_given: bool,
}

impl FileCounts {
    /// Adds a block. The first one with ambiguous labels decides whether they are refused.
    fn add(&mut self, block: &Block, of_block: &BlockCounts) -> Result<(), CorpusError> {
        let undecided = !self.loose.any();
        self.order_given |= block.options.labels.order_is_given();
        let left_out = if block.options.unlabelled == Unlabelled::Drop { of_block.unlabelled } else { 0 };
        self.rows += of_block.read + of_block.skipped + left_out;
        self.left_out += left_out;
        self.skipped += of_block.skipped;
        self.loose.add(of_block.loose);
        match self.loose.doubt() {
            Some(doubt) if undecided || doubt == LabelDoubt::WordsAndNumbers => {
                Err(CorpusError::DoubtfulLabels { path: block.path.to_string(), doubt })
            }
            _ => Ok(()),
        }
    }

    fn finished(self, file: &FinishedFile) -> FileRead {
        let FinishedFile { name, hash, mut notes, label_names } = file.clone();
        notes.extend(label_names.filter(|_| self.loose.has_named_numbers()));
        if self.loose.has_numbers() {
            notes.push(
                "the labels 0, 1, 2 are read as entailment, neutral, contradiction, the usual order, because the data do not define them"
                    .to_string(),
            );
        }
        FileRead { name, hash, rows: self.rows, skipped: self.skipped, notes, assumed_labels: self.loose.has_numbers() }
    }
}

/// Passes the examples of each block to `work`, on several threads, and the results to `finish`, in the order of the blocks.
///
/// Only a few blocks are in memory at a time. The first error in row order ends the loop: of a row that cannot be read, a duplicate
/// id, `work` or `finish`.
pub fn for_blocks<R: Send, E: From<CorpusError> + Send>(
    source: &mut dyn BlockSource,
    options: LoopOptions<'_>,
    work: impl Fn(&mut Examples<'_>) -> Result<R, E> + Sync,
    mut finish: impl FnMut(R) -> Result<(), E> + Send,
) -> Result<LoopCounts, E> {
    let mut ids = IdCheck::new(options.ids, source.again());
    // Rows to skip must be known before a block is processed, so this is done sequentially.
    let mut skipped_ids = IdCheck::new(options.ids, None);
    let mut counts = LoopCounts::default();
    let mut by_file: Vec<FileCounts> = Vec::new();
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
        // Rows that `work` did not consume are read and counted too.
        if result.is_ok() {
            examples.by_ref().for_each(drop);
        }
        let counts = examples.into_counts();
        Ok((block, counts, result))
    };
    let finish = |(block, mut of_block, result): (Block, BlockCounts, Result<R, E>)| {
        // These ids are of rows before the one that failed, so they are checked first.
        if block.options.bad_rows == BadRows::Refuse {
            ids.check(&block, &of_block.ids)?;
        }
        let result = result?;
        if let Some(failed) = of_block.failed.take() {
            return Err(failed.into());
        }
        by_file.resize(by_file.len().max(block.file() + 1), FileCounts::default());
        by_file[block.file()].add(&block, &of_block)?;
        counts.read += of_block.read;
        counts.skipped += of_block.skipped;
        counts.unlabelled += of_block.unlabelled;
        finish(result)
    };
    match options.at_once {
        BlocksAtOnce::OnePerThread => in_order(options.threads, next, work, finish),
        BlocksAtOnce::One => one_by_one(options.threads, next, work, finish),
    }?;
    if counts.read > counts.unlabelled
        && let Some(given) = by_file.iter().position(|file| file.order_given)
        && !by_file.iter().any(|file| file.loose.has_ordered_numbers())
    {
        let path = source.finished().get(given).map(|file| file.name.clone()).unwrap_or_default();
        return Err(CorpusError::UnusedOrder { path }.into());
    }
    counts.left_out = by_file.iter().map(|file| file.left_out).sum();
    if let (0, Some(file)) = (counts.read, source.finished().first().filter(|_| counts.left_out > 0)) {
        return Err(CorpusError::NoneLabelled { path: file.name.clone(), rows: counts.unlabelled }.into());
    }
    counts.files = source.finished().iter().zip(by_file).map(|(file, counts)| counts.finished(file)).collect();
    Ok(counts)
}

/// A whole corpus in memory.
pub struct Corpus {
    /// The examples, in order.
    pub examples: Vec<Example<'static>>,
    /// Rows that could not be read and were skipped.
    pub skipped: u64,
    /// The positions of all rows without an example, counted from 0 over all files.
    pub gaps: Vec<u64>,
    /// The files, with their rows.
    pub files: Vec<FileRead>,
}

/// Reads all examples of all files; ids must be unique.
pub fn read_all(files: Vec<InputFile>, options: ReadOptions, threads: &Threads) -> Result<Corpus, CorpusError> {
    read_source(&mut Reader::new(files, options), LoopOptions::new(threads, IdPolicy::Unique))
}

/// Reads a source completely.
pub fn read_source(source: &mut dyn BlockSource, options: LoopOptions<'_>) -> Result<Corpus, CorpusError> {
    let (mut examples, mut gaps) = (Vec::new(), Vec::new());
    let counts = for_blocks(
        source,
        options,
        |rows| Ok((rows.by_ref().map(|row| row.example.into_owned()).collect::<Vec<_>>(), rows.take_gaps())),
        |(read, of_block): (Vec<Example<'static>>, Vec<u64>)| {
            let before = (examples.len() + gaps.len()) as u64;
            gaps.extend(of_block.into_iter().map(|place| before + place));
            examples.extend(read);
            Ok::<(), CorpusError>(())
        },
    )?;
    Ok(Corpus { examples, skipped: counts.skipped, gaps, files: counts.files })
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
    fn the_first_error_in_row_order_is_reported() {
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
    fn rows_without_an_example_are_located_over_all_files() {
        let folder = tempfile::tempdir().unwrap();
        let files = vec![file(folder.path(), "a", &["!", "1", "!", "2"]), file(folder.path(), "b", &["3", "1", "4"])];
        let threads = Threads::new(std::num::NonZeroUsize::MIN).unwrap();
        let corpus = read_all(files, ReadOptions { bad_rows: BadRows::Skip, ..ReadOptions::default() }, &threads).unwrap();
        assert_eq!((corpus.gaps, corpus.examples.len()), (vec![0, 2, 5], 4));
    }

    #[test]
    fn duplicate_ids_are_skipped_on_request() {
        let skip = ReadOptions { bad_rows: BadRows::Skip, ..ReadOptions::default() };
        let found = looped(&[&["1", "2", "1", "!"], &["2", "3", "3"]], skip.clone(), IdPolicy::Unique);
        assert_eq!(found, Ok("1 2 3 skipped 4".to_string()));
        assert_eq!(looped(&[&["1", "1"]], skip, IdPolicy::Unchecked), Ok("1 1 skipped 0".to_string()));
    }

    #[test]
    fn unlabelled_rows_are_skipped_on_request() {
        let folder = tempfile::tempdir().unwrap();
        let threads = Threads::new(2.try_into().unwrap()).unwrap();
        let read = |labels: &[&str], unlabelled| {
            let row = |(id, label): (usize, &&str)| format!(r#"{{"premise": "A", "hypothesis": "B", "id": "{id}", "label": "{label}"}}"#);
            let path = folder.path().join("rows");
            std::fs::write(&path, labels.iter().enumerate().map(row).collect::<Vec<_>>().join("\n")).unwrap();
            let mut source = Reader::new(vec![InputFile::new(path)], ReadOptions { unlabelled, ..ReadOptions::default() });
            for_blocks(&mut source, LoopOptions::new(&threads, IdPolicy::Unique), |_| Ok(()), |()| Ok::<(), CorpusError>(()))
        };
        let counts = |found: LoopCounts| (found.read, found.unlabelled, found.files[0].rows);
        assert_eq!(counts(read(&["e", "-", "n"], Unlabelled::Drop).unwrap()), (2, 1, 3));
        assert_eq!(counts(read(&["e", "-", "n"], Unlabelled::Keep).unwrap()), (3, 1, 3));
        let refused = read(&["-", "hidden"], Unlabelled::Drop).unwrap_err().to_string();
        assert!(refused.ends_with("rows: none of the 2 rows has a gold label"), "{refused}");
        assert_eq!(counts(read(&["-", "hidden"], Unlabelled::Keep).unwrap()), (2, 2, 2));
    }

    #[test]
    fn two_numbered_labels_are_refused_and_an_assumed_order_is_noted() {
        let folder = tempfile::tempdir().unwrap();
        let threads = Threads::new(2.try_into().unwrap()).unwrap();
        let read = |labels: &[&str], order: Option<&str>| {
            let path = folder.path().join("rows.csv");
            let rows: String = labels.iter().map(|label| format!("A,B,{label}\n")).collect();
            std::fs::write(&path, format!("premise,hypothesis,label\n{rows}")).unwrap();
            let labels = order.map_or_else(Default::default, |order| acidtest_nli::LabelNames::from_order(order).unwrap());
            read_all(vec![InputFile::new(path)], ReadOptions { labels, ..ReadOptions::default() }, &threads)
        };
        let refused = |labels: &[&str]| read(labels, None).err().unwrap().to_string();
        assert!(
            refused(&["0", "1", "1"]).contains("rows.csv: the labels are the numbers 0 and 1 without names"),
            "{}",
            refused(&["0", "1"])
        );
        assert!(refused(&["yes", "no"]).contains("`no` could mean contradiction or non-entailment"));
        let three = read(&["0", "1", "2"], None).unwrap();
        assert_eq!(three.files[0].notes.len(), 1, "{:?}", three.files[0].notes);
        let given = read(&["0", "1"], Some("not_entailment,entailment")).unwrap();
        assert!(given.files[0].notes.is_empty());
        assert_eq!(given.examples[0].gold, Some(acidtest_nli::Judgment::NotEntailment));
    }

    #[test]
    fn content_ids_replace_the_ids_of_the_file() {
        let content = ReadOptions { ids: IdSource::Content, ..ReadOptions::default() };
        let found = looped(&[&["1", "2", "1"]], content, IdPolicy::Unique).unwrap();
        let ids: Vec<&str> = found.split(' ').take(3).collect();
        assert!(ids.iter().all(|id| acidtest_nli::is_content_id(id)), "{found}");
        assert!(ids[0] == ids[2] && ids[0] != ids[1], "{found}");
    }
}
