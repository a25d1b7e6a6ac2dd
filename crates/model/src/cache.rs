//! Cached predictions on disk, so that a run that was killed continues without calling the model again.
//!
//! One append-only file per model. An embedded database would commit every prediction,
//! which costs a flush to disk; a record in a plain file survives the death of the process as soon as it is written.

mod cached;
mod record;

pub use cached::{CachedModel, Keep};

use crate::ModelError;
use acidtest_files::{FileError, lock};
use acidtest_nli::{Pair, Prediction};
use record::{ByKey, Key};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use xxhash_rust::xxh3::xxh3_128;

/// The cached predictions of one model.
///
/// Only one process at a time can open them. A prediction that [`put`](AnswerCache::put) has stored survives `kill -9`; one that
/// [`sync`](AnswerCache::sync) has flushed survives a power failure.
pub struct AnswerCache {
    path: PathBuf,
    skipped_bytes: u64,
    store: Mutex<Store>,
}

struct Store {
    file: File,
    header_length: u64,
    /// The offset of the next record.
    end: u64,
    answers: ByKey<Prediction>,
}

impl AnswerCache {
    /// Opens the cached predictions of a model in a folder, which is created if necessary.
    ///
    /// `model` must identify everything that the predictions depend on.
    pub fn open(folder: &Path, model: &str) -> Result<Self, ModelError> {
        let path = folder.join(format!("{:032x}.answers", xxh3_128(model.as_bytes())));
        fs::create_dir_all(folder).map_err(|source| failed(folder, source))?;
        let file =
            File::options().read(true).write(true).create(true).truncate(false).open(&path).map_err(|source| failed(&path, source))?;
        lock(&file, &path).map_err(|error| match error {
            FileError::InUse { path } => ModelError::CacheInUse { path },
            FileError::Unwritten { path, source } | FileError::PartlyWritten { path, source, .. } => ModelError::Cache { path, source },
            other => ModelError::Cache { path: path.display().to_string(), source: std::io::Error::other(other) },
        })?;
        let header = header(model);
        let header_length = header.len() as u64;
        let mut store = Store { file, header_length, end: header_length, answers: ByKey::default() };
        match store.load(header.as_bytes()).map_err(|source| failed(&path, source))? {
            Loaded::Answers { skipped_bytes } => Ok(AnswerCache { path, skipped_bytes, store: Mutex::new(store) }),
            Loaded::Foreign => Err(ModelError::CacheForeign { path: path.display().to_string() }),
        }
    }

    /// The cached prediction for a pair, identified by its two texts.
    pub fn get(&self, pair: &Pair<'_>) -> Option<Prediction> {
        self.get_key(Key::of(pair))
    }

    /// Stores the prediction for a pair; an existing one is kept.
    pub fn put(&self, pair: &Pair<'_>, prediction: &Prediction) -> Result<(), ModelError> {
        self.put_key(Key::of(pair), prediction)
    }

    /// Flushes all predictions to disk.
    pub fn sync(&self) -> Result<(), ModelError> {
        self.store().file.sync_data().map_err(|source| failed(&self.path, source))
    }

    /// The number of cached predictions.
    pub fn len(&self) -> usize {
        self.store().answers.len()
    }

    /// Whether the cache is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of bytes that are not complete records, such as half a record of a run that was killed. They are skipped.
    pub fn skipped_bytes(&self) -> u64 {
        self.skipped_bytes
    }

    /// The file of the cache.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes all predictions.
    pub fn clear(&self) -> Result<(), ModelError> {
        self.store().clear().map_err(|source| failed(&self.path, source))
    }

    fn get_key(&self, key: Key) -> Option<Prediction> {
        self.store().answers.get(&key).cloned()
    }

    fn put_key(&self, key: Key, prediction: &Prediction) -> Result<(), ModelError> {
        self.store().put(key, prediction).map_err(|source| failed(&self.path, source))
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Loaded {
    Answers { skipped_bytes: u64 },
    Foreign,
}

impl Store {
    /// Reads the records, and prepares the file for more.
    fn load(&mut self, header: &[u8]) -> io::Result<Loaded> {
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes)?;
        if !bytes.starts_with(header) {
            // A run that was killed while creating the file leaves part of a header.
            if !header.starts_with(&bytes) {
                return Ok(Loaded::Foreign);
            }
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(header)?;
            return Ok(Loaded::Answers { skipped_bytes: 0 });
        }
        let mut skipped_bytes = 0;
        let mut at = header.len();
        while at < bytes.len() {
            // A checksum is only valid at its own offset, so records after damaged bytes are found by trying every offset.
            let Some((key, prediction, length)) = record::read(&bytes[at..], at as u64) else {
                skipped_bytes += 1;
                at += 1;
                continue;
            };
            self.answers.entry(key).or_insert(prediction);
            at += length;
            self.end = at as u64;
        }
        self.cut()?;
        Ok(Loaded::Answers { skipped_bytes })
    }

    fn put(&mut self, key: Key, prediction: &Prediction) -> io::Result<()> {
        if self.answers.contains_key(&key) {
            return Ok(());
        }
        let record = record::write(key, prediction, self.end);
        if let Err(error) = self.file.write_all(&record) {
            // A full disk may leave half a record; the next one must not follow it.
            self.cut()?;
            return Err(error);
        }
        self.end += record.len() as u64;
        self.answers.insert(key, prediction.clone());
        Ok(())
    }

    /// Truncates the file after the last record.
    fn clear(&mut self) -> io::Result<()> {
        self.answers.clear();
        self.end = self.header_length;
        self.cut()
    }

    fn cut(&mut self) -> io::Result<()> {
        if self.file.metadata()?.len() > self.end {
            self.file.set_len(self.end)?;
        }
        self.file.seek(SeekFrom::Start(self.end)).map(drop)
    }
}

/// The first line of the file, which tells a human reader whose predictions these are.
fn header(model: &str) -> String {
    format!("acidtest answers 1 {}\n", serde_json::Value::from(model))
}

fn failed(path: &Path, source: io::Error) -> ModelError {
    ModelError::Cache { path: path.display().to_string(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Label;

    fn answer(number: usize) -> Prediction {
        let label = Label::ALL[number % 3];
        if number.is_multiple_of(2) { Prediction::of(label) } else { Prediction::from_scores([number as f64, 0.5, -1.0]) }
    }

    fn fill(folder: &Path, numbers: std::ops::Range<usize>) -> PathBuf {
        let cache = AnswerCache::open(folder, "m").unwrap();
        for number in numbers {
            cache.put(&Pair::plain(&number.to_string(), "h"), &answer(number)).unwrap();
        }
        cache.path.clone()
    }

    #[track_caller]
    fn check(folder: &Path, expected: &[usize], skipped_bytes: bool) {
        let cache = AnswerCache::open(folder, "m").unwrap();
        assert_eq!(cache.len(), expected.len());
        for &number in expected {
            assert_eq!(cache.get(&Pair::plain(&number.to_string(), "h")), Some(answer(number)), "answer {number}");
        }
        assert_eq!(cache.skipped_bytes() > 0, skipped_bytes);
    }

    #[test]
    fn predictions_are_stored_once_per_model() {
        let folder = tempfile::tempdir().unwrap();
        let path = fill(folder.path(), 0..4);
        let size = fs::metadata(&path).unwrap().len();
        fill(folder.path(), 0..4);
        assert_eq!(fs::metadata(&path).unwrap().len(), size);
        check(folder.path(), &[0, 1, 2, 3], false);
        assert!(AnswerCache::open(folder.path(), "another").unwrap().is_empty());
    }

    #[test]
    fn a_truncated_file_keeps_every_complete_prediction_and_accepts_more() {
        let folder = tempfile::tempdir().unwrap();
        let path = fill(folder.path(), 0..3);
        let bytes = fs::read(&path).unwrap();
        let header = header("m").len();
        let ends = [header, header + 26, header + 76, header + 102];
        assert_eq!(bytes.len(), ends[3]);
        for end in 0..bytes.len() {
            fs::write(&path, &bytes[..end]).unwrap();
            let whole = ends[1..].iter().filter(|&&record_end| record_end <= end).count();
            check(folder.path(), &[0, 1, 2][..whole], end > header && !ends.contains(&end));
            fill(folder.path(), 7..8);
            check(folder.path(), &[&[0, 1, 2][..whole], &[7]].concat(), false);
        }
    }

    #[test]
    fn damage_loses_only_the_damaged_records() {
        let folder = tempfile::tempdir().unwrap();
        let path = fill(folder.path(), 0..3);
        let mut bytes = fs::read(&path).unwrap();
        bytes[header("m").len() + 30..][..8].fill(0);
        fs::write(&path, &bytes).unwrap();
        check(folder.path(), &[0, 2], true);
        fill(folder.path(), 1..2);
        check(folder.path(), &[0, 1, 2], true);
    }

    #[test]
    fn a_cache_in_use_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let _first = AnswerCache::open(folder.path(), "m").unwrap();
        let error = AnswerCache::open(folder.path(), "m").err().unwrap();
        assert!(matches!(error, ModelError::CacheInUse { .. }), "{error}");
    }

    #[test]
    fn a_foreign_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = fill(folder.path(), 0..1);
        fs::write(&path, "my thesis").unwrap();
        let error = AnswerCache::open(folder.path(), "m").err().unwrap();
        assert!(matches!(error, ModelError::CacheForeign { .. }), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "my thesis");
    }
}
