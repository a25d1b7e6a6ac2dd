//! Output files that appear complete or not at all, alone or several together.

use crate::reserve::{Policy, Reserved};
use crate::temporary::{Registry, Temporary, parent, registry};
use crate::{FileError, refuse_inputs, standard_output};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, IoSlice, Write};
use std::path::{Path, PathBuf};

/// What messages call `-`.
const STANDARD_OUTPUT: &str = "standard output";

/// A file that is being written; `-` is standard output. If it is dropped before [`Output::finish`], nothing is left behind.
///
/// Symbolic links are followed and kept. Pipes and devices are written to directly. A name that ends in `.gz` or
/// `.zst` is compressed.
pub struct Output {
    path: PathBuf,
    sink: Sink,
}

/// A complete file or folder that still has a temporary name. If it is dropped, nothing is left behind.
#[derive(Debug)]
pub struct Sealed {
    path: PathBuf,
    /// `None` for standard output, pipes and devices, which have already been written.
    waiting: Option<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    temporary: Temporary,
    target: PathBuf,
    /// For a folder, where the old folder is moved.
    aside: Option<Temporary>,
}

impl Sealed {
    /// The temporary path; `None` for standard output, pipes and devices.
    pub fn waiting_at(&self) -> Option<&Path> {
        self.waiting.as_ref().map(|waiting| waiting.temporary.path())
    }

    /// A folder that is complete under a temporary name.
    pub(crate) fn folder(path: PathBuf, target: PathBuf, temporary: Temporary) -> Result<Self, FileError> {
        // A folder cannot be renamed onto one that is not empty.
        let aside = Temporary::folder(parent(&target)).map_err(|source| FileError::unwritten(&path, source))?;
        Ok(Sealed { path, waiting: Some(Waiting { temporary, target, aside: Some(aside) }) })
    }
}

impl Waiting {
    /// Renames it to its final name.
    fn publish(&self, registry: &mut Registry) -> io::Result<()> {
        match &self.aside {
            None => self.temporary.rename(&self.target, registry),
            Some(aside) => self.replace_folder(aside, registry),
        }
    }

    /// The old folder is only removed once the new one is in place.
    fn replace_folder(&self, aside: &Temporary, registry: &mut Registry) -> io::Result<()> {
        let old = aside.path().join("old");
        if self.target.exists() {
            std::fs::rename(&self.target, &old)?;
        }
        let result = self.temporary.rename(&self.target, registry);
        if result.is_err() && old.exists() && std::fs::rename(&old, &self.target).is_err() {
            // The old folder must not be lost, even if it cannot be moved back.
            aside.keep(registry);
        }
        result
    }
}

enum Sink {
    Standard(io::Stdout),
    Plain(Place),
    Gzip(flate2::write::GzEncoder<BufWriter<Place>>),
    Zstd(zstd::stream::write::Encoder<'static, BufWriter<Place>>),
}

/// The file that is being written.
struct Place {
    file: File,
    reserved: Reserved,
    /// Bytes that wait for the next write.
    rest: Vec<u8>,
    /// Nothing for a pipe or a device, which cannot be replaced.
    waiting: Option<Waiting>,
}

impl Output {
    /// Starts an output.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        if path.as_os_str() == "-" {
            let stdout = standard_output().map_err(|source| FileError::Unwritten { path: STANDARD_OUTPUT.to_string(), source })?;
            return Ok(Output { path: path.to_path_buf(), sink: Sink::Standard(stdout) });
        }
        let unwritten = |source| FileError::unwritten(path, source);
        if path.is_dir() {
            return Err(unwritten(io::Error::new(io::ErrorKind::IsADirectory, "is a folder; expected a file name")));
        }
        refuse_inputs(path)?;
        let place = Place::open(path).map_err(unwritten)?;
        let sink = match path.extension().and_then(|ending| ending.to_str()) {
            Some("gz") => Sink::Gzip(flate2::write::GzEncoder::new(BufWriter::new(place), flate2::Compression::default())),
            Some("zst") => Sink::Zstd(zstd::stream::write::Encoder::new(BufWriter::new(place), 3).map_err(unwritten)?),
            _ => Sink::Plain(place),
        };
        Ok(Output { path: path.to_path_buf(), sink })
    }

    /// The path as the user gave it.
    pub fn name(&self) -> String {
        if self.is_standard_output() { STANDARD_OUTPUT.to_string() } else { self.path.display().to_string() }
    }

    /// Whether this is `-`.
    pub fn is_standard_output(&self) -> bool {
        matches!(self.sink, Sink::Standard(_))
    }

    /// Writes bytes, preferably in large pieces.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.writer().write_all(bytes).map_err(|source| FileError::Unwritten { path: self.name(), source })
    }

    /// Completes the file and moves it to its final name.
    pub fn finish(self) -> Result<(), FileError> {
        publish_all(vec![self.seal()?])
    }

    /// Completes the file under its temporary name, for [`publish_all`].
    pub fn seal(self) -> Result<Sealed, FileError> {
        let name = self.name();
        let Output { path, sink } = self;
        let unwritten = |source| FileError::Unwritten { path: name.clone(), source };
        let whole = |writer: BufWriter<Place>| writer.into_inner().map_err(|error| unwritten(error.into_error()));
        let mut place = match sink {
            Sink::Standard(mut stdout) => {
                stdout.flush().map_err(unwritten)?;
                return Ok(Sealed { path, waiting: None });
            }
            Sink::Plain(place) => place,
            Sink::Gzip(encoder) => whole(encoder.finish().map_err(unwritten)?)?,
            Sink::Zstd(encoder) => whole(encoder.finish().map_err(unwritten)?)?,
        };
        place.write_with_rest(&[]).map_err(unwritten)?;
        place.reserved.release_rest(&place.file).map_err(unwritten)?;
        Ok(Sealed { path, waiting: place.waiting })
    }

    fn writer(&mut self) -> &mut dyn Write {
        match &mut self.sink {
            Sink::Standard(stdout) => stdout,
            Sink::Plain(place) => place,
            Sink::Gzip(encoder) => encoder,
            Sink::Zstd(encoder) => encoder,
        }
    }
}

/// Moves several complete files and folders to their final names.
///
/// An interruption leaves all of them in place or none. If the system refuses one, the error names those that are in place.
pub fn publish_all(files: Vec<Sealed>) -> Result<(), FileError> {
    let mut targets = BTreeSet::new();
    for Sealed { path, waiting } in &files {
        let Some(Waiting { target, .. }) = waiting else { continue };
        refuse_inputs(path)?;
        if !targets.insert(target.canonicalize().unwrap_or_else(|_| target.clone())) {
            return Err(FileError::WrittenTwice { path: path.display().to_string() });
        }
    }
    let mut finished = Vec::new();
    let mut registry = registry();
    let mut failed = None;
    for Sealed { path, waiting } in &files {
        let Some(waiting) = waiting else { continue };
        if let Err(source) = waiting.publish(&mut registry) {
            let path = path.display().to_string();
            failed = Some((path, source));
            break;
        }
        finished.push(path.display().to_string());
        registry.finished.insert(path.clone());
    }
    // Those that were not renamed remove themselves on drop, which takes this lock.
    drop(registry);
    match failed {
        None => Ok(()),
        Some((path, source)) if finished.is_empty() => Err(FileError::Unwritten { path, source }),
        Some((path, source)) => Err(FileError::PartlyWritten { path, finished, source }),
    }
}

/// Writes a whole file.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mut output = Output::create(path)?;
    output.write(bytes)?;
    output.finish()
}

/// Writes a whole file and flushes it to disk, so that it survives a power failure.
pub fn write_file_synced(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    write_pieces_synced(path, |file| file.write_all(bytes).map_err(|source| FileError::unwritten(path, source)))
}

/// The same for a file that is written piece by piece, preferably large ones.
pub fn write_pieces_synced<E: From<FileError>>(path: &Path, write: impl FnOnce(&mut File) -> Result<(), E>) -> Result<(), E> {
    refuse_inputs(path)?;
    let unwritten = |source| FileError::unwritten(path, source);
    let mut place = Place::open(path).map_err(unwritten)?;
    write(&mut place.file)?;
    if place.waiting.is_some() {
        place.file.sync_all().map_err(unwritten)?;
    }
    Ok(publish_all(vec![Sealed { path: path.to_path_buf(), waiting: place.waiting }])?)
}

impl Place {
    fn open(path: &Path) -> io::Result<Place> {
        let found = path.metadata();
        if found.is_ok_and(|found| !found.is_file()) {
            return Ok(Place {
                file: File::options().write(true).open(path)?,
                reserved: Reserved::default(),
                rest: Vec::new(),
                waiting: None,
            });
        }
        let target = link_target(path)?;
        let (temporary, file) = Temporary::file(parent(&target))?;
        // Where a file is replaced, ext4 writes the new bytes to disk before the rename, but only those whose space was not reserved.
        let policy = if target.exists() { Policy::Never } else { Policy::InSteps };
        let waiting = Waiting { temporary, target, aside: None };
        Ok(Place { file, reserved: Reserved::new(policy), rest: Vec::new(), waiting: Some(waiting) })
    }

    /// Writes the bytes that wait, and these.
    fn write_with_rest(&mut self, bytes: &[u8]) -> io::Result<()> {
        let length = self.rest.len() + bytes.len();
        self.reserved.before_writing(&self.file, length);
        let mut pieces = [IoSlice::new(&self.rest), IoSlice::new(bytes)];
        let mut left = &mut pieces[..];
        IoSlice::advance_slices(&mut left, 0);
        while !left.is_empty() {
            match self.file.write_vectored(left) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => IoSlice::advance_slices(&mut left, written),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.reserved.wrote(length);
        self.rest.clear();
        Ok(())
    }
}

impl Write for Place {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (now, later) = bytes.split_at(self.reserved.due(self.rest.len(), bytes.len()));
        if !now.is_empty() {
            self.write_with_rest(now)?;
        }
        self.rest.extend_from_slice(later);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        // A flush would end a block of compressed data early.
        Ok(())
    }
}

/// The number of links that systems follow.
const MOST_LINKS: usize = 40;

/// The path with all links followed; the file need not exist yet.
fn link_target(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        if !target.is_symlink() {
            return Ok(target);
        }
        let next = std::fs::read_link(&target)?;
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(io::Error::other("too many symbolic links"))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::io::Read;

    fn listing(folder: &Path) -> Vec<String> {
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    fn sealed(path: &Path, text: &str) -> Sealed {
        let mut output = Output::create(path).unwrap();
        output.write(text.as_bytes()).unwrap();
        output.seal().unwrap()
    }

    #[test]
    fn a_link_stays_and_its_target_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("far")).unwrap();
        let (link, target) = (folder.path().join("link"), folder.path().join("far/target"));
        std::os::unix::fs::symlink("far/target", &link).unwrap();
        for text in ["made through the link", "replaced"] {
            write_file(&link, text.as_bytes()).unwrap();
            assert!(link.is_symlink());
            assert_eq!(std::fs::read_to_string(&target).unwrap(), text);
        }
        let round = folder.path().join("round");
        std::os::unix::fs::symlink("round", &round).unwrap();
        assert!(Output::create(&round).is_err());
    }

    #[test]
    fn bytes_that_wait_for_the_next_write_are_not_lost() {
        let folder = tempfile::tempdir().unwrap();
        let pieces: [usize; 9] = [(1 << 20) - 1, 5, 0, 7, 60 << 10, 300_001, 1, 400_000, 9];
        let bytes: Vec<u8> = (0..pieces.iter().sum::<usize>()).map(|n| (n % 251) as u8).collect();
        // A file that is replaced is written as the bytes come.
        for path in [folder.path().join("new"), folder.path().join("new")] {
            let (mut output, mut rest) = (Output::create(&path).unwrap(), &bytes[..]);
            for piece in pieces {
                output.write(&rest[..piece]).unwrap();
                rest = &rest[piece..];
            }
            output.finish().unwrap();
            assert!(std::fs::read(&path).unwrap() == bytes);
        }
    }

    #[test]
    fn pipes_and_devices_are_written_to_and_stay() {
        use std::os::unix::fs::FileTypeExt;
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe.gz");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || {
                let mut text = String::new();
                flate2::read::GzDecoder::new(File::open(pipe).unwrap()).read_to_string(&mut text).unwrap();
                text
            }
        });
        write_file(&pipe, b"through the pipe").unwrap();
        assert_eq!(reader.join().unwrap(), "through the pipe");
        assert!(pipe.metadata().unwrap().file_type().is_fifo());
        write_file(Path::new("/dev/null"), b"nobody reads this").unwrap();
        assert!(Path::new("/dev/null").metadata().unwrap().file_type().is_char_device());
    }

    #[test]
    fn nothing_appears_before_all_are_published() {
        let folder = tempfile::tempdir().unwrap();
        let files = ["a", "b"].map(|name| sealed(&folder.path().join(name), name));
        assert!(listing(folder.path()).iter().all(|name| crate::is_temporary_name(name)));
        publish_all(files.into()).unwrap();
        assert_eq!(listing(folder.path()), ["a", "b"]);
        drop(sealed(&folder.path().join("c"), "never published"));
        assert_eq!(listing(folder.path()), ["a", "b"]);
    }

    #[test]
    fn a_file_and_a_folder_appear_together_and_two_outputs_need_two_names() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("page")).unwrap();
        std::fs::write(at("page/old"), "").unwrap();
        let page = crate::OutputFolder::create(&at("page")).unwrap();
        page.write("new", b"x").unwrap();
        let files = vec![sealed(&at("a"), "a"), page.seal().unwrap()];
        assert_eq!((at("a").exists(), at("page/old").exists()), (false, true));
        publish_all(files).unwrap();
        assert_eq!((listing(folder.path()), listing(&at("page"))), (vec!["a".to_string(), "page".to_string()], vec!["new".to_string()]));
        let error = publish_all(vec![sealed(&at("b"), "1"), sealed(&at("b"), "2")]).unwrap_err();
        assert!(matches!(error, FileError::WrittenTwice { .. }), "{error}");
        assert_eq!(listing(folder.path()), ["a", "page"]);
    }

    #[test]
    fn a_failure_names_the_outputs_that_are_in_place() {
        let folder = tempfile::tempdir().unwrap();
        let files = ["a", "b", "c"].map(|name| sealed(&folder.path().join(name), name));
        // A folder that holds something cannot be replaced by a file.
        std::fs::create_dir_all(folder.path().join("b/x")).unwrap();
        let error = publish_all(files.into()).unwrap_err();
        let a = folder.path().join("a").display().to_string();
        assert!(matches!(&error, FileError::PartlyWritten { finished, .. } if *finished == [a]), "{error}");
        assert_eq!(listing(folder.path()), ["a", "b"]);
    }

    #[test]
    fn a_synced_file_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights");
        write_file_synced(&path, b"1 2 3").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"1 2 3");
        assert_eq!(listing(folder.path()), ["weights"]);
    }
}
