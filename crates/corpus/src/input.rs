//! Files and folders as the user names them, opened and decompressed.

use crate::CorpusError;
use acidtest_files::{ContentHash, ContentHasher, note_read};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// A file to read; `-` is standard input.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct InputFile {
    path: PathBuf,
}

const ENDINGS: &[&str] = &["jsonl", "json", "ndjson", "txt", "tsv", "csv", "parquet", "arrow"];

/// Metadata files that Hugging Face `datasets` writes beside data.
const ABOUT_DATA: &[&str] = &["dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json"];

/// The first bytes of unsupported archives and compressed files.
const ARCHIVES: &[(&[u8], &str)] =
    &[(b"PK\x03\x04", "a zip archive"), (b"\xfd7zXZ", "an xz file"), (b"BZh", "a bzip2 file"), (b"7z\xbc\xaf", "a 7z archive")];

/// The files of the user's paths: a folder stands for the corpora in it, in the order of their names.
pub fn resolve<P: AsRef<Path>>(paths: &[P]) -> Result<Vec<InputFile>, CorpusError> {
    let mut files = Vec::new();
    for path in paths {
        let path = path.as_ref();
        if path.is_dir() {
            let found = corpora_in(path, &mut HashSet::new())?;
            if found.is_empty() {
                return Err(CorpusError::NoCorpora { path: path.display().to_string() });
            }
            files.extend(found);
        } else {
            files.push(InputFile { path: path.to_path_buf() });
        }
    }
    Ok(files)
}

/// The corpora in a folder and its subfolders; each folder is visited once, because links may form cycles.
fn corpora_in(folder: &Path, seen: &mut HashSet<PathBuf>) -> Result<Vec<InputFile>, CorpusError> {
    let unopened = |source| CorpusError::Unopened { path: folder.display().to_string(), source };
    if !seen.insert(folder.canonicalize().map_err(unopened)?) {
        return Ok(Vec::new());
    }
    if let Some(saved) = saved_files(folder) {
        return Ok(saved);
    }
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unopened)? {
        paths.push(entry.map_err(unopened)?.path());
    }
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(corpora_in(&path, seen)?);
        } else if has_corpus_ending(&path) {
            files.push(InputFile { path });
        }
    }
    Ok(files)
}

/// The files of a data set that `save_to_disk` of Hugging Face `datasets` has written, as its `state.json` lists them; other files are caches.
fn saved_files(folder: &Path) -> Option<Vec<InputFile>> {
    let mut text = String::new();
    File::open(folder.join("state.json")).ok()?.take(LARGEST_STATE).read_to_string(&mut text).ok()?;
    let state: serde_json::Value = serde_json::from_str(&text).ok()?;
    let file = |entry: &serde_json::Value| Some(InputFile { path: folder.join(entry.get("filename")?.as_str()?) });
    state.get("_data_files")?.as_array()?.iter().map(file).collect()
}

/// The size limit of the list of files.
const LARGEST_STATE: u64 = 4 << 20;

fn has_corpus_ending(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    // Files about a set that were written beside it are not corpora.
    if name.starts_with('.') || name.ends_with(".about.json") || name.ends_with(".review.json") || ABOUT_DATA.contains(&name.as_str()) {
        return false;
    }
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
    name.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

impl InputFile {
    /// The file at a path; `-` is standard input.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        InputFile { path: path.into() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The path as the user gave it.
    pub fn name(&self) -> String {
        if self.is_standard_input() { "standard input".to_string() } else { self.path.display().to_string() }
    }

    /// Whether this is `-`.
    pub fn is_standard_input(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// Registers the file as an input, so that it is not overwritten (see [`acidtest_files::InputGuard`]).
    pub fn note_read(&self) {
        note_read(&self.path);
    }

    /// Whether the file can be opened a second time: standard input and pipes cannot.
    pub(crate) fn can_be_read_again(&self) -> bool {
        !self.is_standard_input() && self.path.metadata().is_ok_and(|found| found.is_file())
    }

    /// Whether this is an uncompressed file on disk that begins with these bytes.
    pub(crate) fn is_plain(&self, magic: &[u8; 4]) -> bool {
        let mut start = [0; 4];
        self.can_be_read_again() && File::open(&self.path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *magic
    }

    /// Opens the file, decompressing gzip and zstd.
    pub(crate) fn open(&self) -> Result<OpenedFile, CorpusError> {
        self.note_read();
        if !self.is_standard_input() && self.path.is_dir() {
            return Err(CorpusError::Unopened { path: self.name(), source: io::Error::other("this is a folder (expected a file)") });
        }
        let raw: Box<dyn Read + Send> = if self.is_standard_input() {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(&self.path).map_err(|source| match source.kind() {
                io::ErrorKind::NotFound => CorpusError::Missing { path: self.name() },
                _ => CorpusError::Unopened { path: self.name(), source },
            })?)
        };
        let hash = Arc::new(Mutex::new(ContentHasher::default()));
        let mut raw = BufReader::with_capacity(1 << 16, HashingReader { inner: raw, hash: Arc::clone(&hash) });
        let start = raw.fill_buf().map_err(|error| self.broken(1, &error))?;
        if let Some((_, kind)) = ARCHIVES.iter().find(|(magic, _)| start.starts_with(magic)) {
            return Err(CorpusError::Archive { path: self.name(), kind });
        }
        let text: Box<dyn Read + Send> = if start.starts_with(&[0x1f, 0x8b]) {
            Box::new(flate2::read::MultiGzDecoder::new(raw))
        } else if start.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
            Box::new(zstd::stream::read::Decoder::with_buffer(raw).map_err(|error| self.broken(1, &error))?)
        } else if let Some(order) = ByteOrder::of_mark(start) {
            Box::new(Utf16Reader { inner: raw, order, rest: Vec::new(), text: Vec::new() })
        } else {
            Box::new(raw)
        };
        Ok(OpenedFile { text, hash })
    }

    pub(crate) fn broken(&self, line: u64, error: &io::Error) -> CorpusError {
        let reason = match error.kind() {
            io::ErrorKind::UnexpectedEof => "the compressed data ends early".to_string(),
            _ => error.to_string(),
        };
        CorpusError::Broken { path: self.name(), line, reason }
    }
}

/// The maximum number of blanks before the first byte that shows the layout.
const MOST_BLANKS: usize = 4096;

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// An open file: its text, and the hash of the bytes on disk that were read so far.
pub(crate) struct OpenedFile {
    pub text: Box<dyn Read + Send>,
    hash: Arc<Mutex<ContentHasher>>,
}

impl OpenedFile {
    /// Puts bytes that were read too early back to the front.
    pub(crate) fn push_front(&mut self, bytes: Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let rest = std::mem::replace(&mut self.text, Box::new(io::empty()));
        self.text = Box::new(io::Cursor::new(bytes).chain(rest));
    }

    /// Whether the file begins with these bytes; nothing is consumed.
    pub(crate) fn begins_with(&mut self, bytes: &[u8]) -> io::Result<bool> {
        let mut start = Vec::new();
        (&mut self.text).take(bytes.len() as u64).read_to_end(&mut start)?;
        let begins = start == bytes;
        self.push_front(start);
        Ok(begins)
    }

    /// Skips a byte order mark, which has no meaning in UTF-8.
    pub(crate) fn skip_byte_order_mark(&mut self) -> io::Result<()> {
        let mut start = Vec::new();
        (&mut self.text).take(MARK.len() as u64).read_to_end(&mut start)?;
        if start != MARK {
            self.push_front(start);
        }
        Ok(())
    }

    /// The first byte that is not blank, and the number of line ends before it; nothing is consumed. Only a few thousand bytes are examined.
    pub(crate) fn first_byte(&mut self) -> io::Result<(Option<u8>, u64)> {
        let mut start = Vec::new();
        while start.iter().all(u8::is_ascii_whitespace) && start.len() < MOST_BLANKS {
            let more = (&mut self.text).take(64).read_to_end(&mut start)?;
            if more == 0 {
                break;
            }
        }
        let at = start.iter().position(|byte| !byte.is_ascii_whitespace());
        let lines = memchr::memchr_iter(b'\n', &start[..at.unwrap_or(start.len())]).count() as u64;
        let first = at.map(|at| start[at]);
        self.push_front(start);
        Ok((first, lines))
    }

    /// The content hash of what was read.
    pub(crate) fn content_hash(&self) -> ContentHash {
        self.hash.lock().map(|hash| hash.hash()).unwrap_or_default()
    }
}

impl Read for OpenedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.text.read(buffer)
    }
}

/// The order of the two bytes of a unit of UTF-16.
#[derive(Clone, Copy)]
enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    /// The order that a byte order mark shows.
    fn of_mark(start: &[u8]) -> Option<Self> {
        match start {
            [0xff, 0xfe, ..] => Some(ByteOrder::Little),
            [0xfe, 0xff, ..] => Some(ByteOrder::Big),
            _ => None,
        }
    }
}

/// Converts UTF-16 to UTF-8, including the byte order mark.
struct Utf16Reader<R> {
    inner: R,
    order: ByteOrder,
    /// Bytes of an incomplete character.
    rest: Vec<u8>,
    /// Decoded text that was not read yet.
    text: Vec<u8>,
}

impl<R: Read> Utf16Reader<R> {
    /// Reads more text; returns whether there was any.
    fn refill(&mut self) -> io::Result<bool> {
        let mut buffer = [0; 8192];
        let length = self.inner.read(&mut buffer)?;
        self.rest.extend_from_slice(&buffer[..length]);
        let unit = |pair: &[u8]| match self.order {
            ByteOrder::Little => u16::from_le_bytes([pair[0], pair[1]]),
            ByteOrder::Big => u16::from_be_bytes([pair[0], pair[1]]),
        };
        let mut units: Vec<u16> = self.rest.chunks_exact(2).map(unit).collect();
        // The first half of a surrogate pair is kept until the second arrives.
        if length > 0 && units.last().is_some_and(|last| (0xd800..0xdc00).contains(last)) {
            units.pop();
        }
        self.rest.drain(..2 * units.len());
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "not UTF-16, although it begins with the byte order mark of UTF-16");
        let text = String::from_utf16(&units).map_err(|_| wrong())?;
        if length == 0 && !self.rest.is_empty() {
            return Err(wrong());
        }
        self.text = text.into_bytes();
        Ok(length > 0 || !self.text.is_empty())
    }
}

impl<R: Read> Read for Utf16Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.text.is_empty() {
            if !self.refill()? {
                return Ok(0);
            }
        }
        let length = buffer.len().min(self.text.len());
        buffer[..length].copy_from_slice(&self.text[..length]);
        self.text.drain(..length);
        Ok(length)
    }
}

/// A reader with a limit, which can be renewed; reading more is an error.
pub(crate) struct BoundedReader<R> {
    pub(crate) inner: R,
    allowance: Arc<AtomicU64>,
    megabytes: u64,
}

/// Renews the limit of a [`BoundedReader`].
pub(crate) struct Allowance {
    left: Arc<AtomicU64>,
    megabytes: u64,
}

impl Allowance {
    pub(crate) fn renew(&self) {
        self.left.store(self.megabytes << 20, Ordering::Relaxed);
    }
}

impl<R> BoundedReader<R> {
    pub(crate) fn new(inner: R, megabytes: u64) -> (Self, Allowance) {
        let left = Arc::new(AtomicU64::new(megabytes << 20));
        (BoundedReader { inner, allowance: Arc::clone(&left), megabytes }, Allowance { left, megabytes })
    }
}

impl<R: Read> Read for BoundedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        let left = self.allowance.load(Ordering::Relaxed).checked_sub(length as u64);
        let too_long = || io::Error::other(format!("a row of more than {} MB", self.megabytes));
        self.allowance.store(left.ok_or_else(too_long)?, Ordering::Relaxed);
        Ok(length)
    }
}

struct HashingReader<R> {
    inner: R,
    hash: Arc<Mutex<ContentHasher>>,
}

impl<R: Read> Read for HashingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        if let Ok(mut hash) = self.hash.lock() {
            hash.update(&buffer[..length]);
        }
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_folder_that_links_to_itself_is_read_once() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.jsonl"), "{}").unwrap();
        std::os::unix::fs::symlink(folder.path(), folder.path().join("again")).unwrap();
        std::fs::create_dir(folder.path().join("below")).unwrap();
        std::fs::write(folder.path().join("below/b.jsonl"), "{}").unwrap();
        std::os::unix::fs::symlink("..", folder.path().join("below/up")).unwrap();
        let found: Vec<String> = resolve(&[folder.path()]).unwrap().iter().map(InputFile::name).collect();
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn utf_16_is_read_in_both_orders() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.tsv");
        let text = "\u{feff}premise\tn\u{e9}\u{1f600}\n".repeat(3000);
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            let bytes: Vec<u8> = text.encode_utf16().flat_map(order).collect();
            std::fs::write(&path, &bytes).unwrap();
            let mut read = String::new();
            InputFile::new(&path).open().unwrap().read_to_string(&mut read).unwrap();
            assert!(read == text);
            std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
            assert!(InputFile::new(&path).open().unwrap().read_to_string(&mut read).is_err());
        }
    }

    #[test]
    fn reading_beyond_the_limit_is_an_error() {
        let (mut reader, allowance) = BoundedReader::new(io::repeat(b'a').take(3 << 20), 1);
        let mut half = vec![0; 1 << 19];
        for _ in 0..3 {
            reader.read_exact(&mut half).unwrap();
            allowance.renew();
        }
        let refused = reader.read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(refused.to_string(), "a row of more than 1 MB");
    }
}
