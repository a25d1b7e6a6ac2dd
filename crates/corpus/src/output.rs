//! Output files that appear whole or not at all.

use crate::CorpusError;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::NamedTempFile;

/// A file that is being written; `-` is standard output. Dropped before [`Output::finish`], it leaves nothing behind.
///
/// A link is kept and its target replaced; what is no regular file (a pipe, a device) is written to as it is.
pub struct Output {
    path: PathBuf,
    sink: Sink,
}

enum Sink {
    Standard(io::Stdout),
    Plain(Place),
    Gzip(flate2::write::GzEncoder<BufWriter<Place>>),
    Zstd(zstd::stream::write::Encoder<'static, BufWriter<Place>>),
}

/// Where bytes go until the end.
enum Place {
    /// A file that is to take the name `target` when it is whole.
    Part { file: NamedTempFile, target: PathBuf, _unfinished: Unfinished },
    /// A pipe or a device, which cannot be replaced.
    Direct(File),
}

impl Output {
    /// Begins to write; a name that ends in `.gz` or `.zst` is compressed.
    pub fn create(path: &Path) -> Result<Self, CorpusError> {
        if path.as_os_str() == "-" {
            return Ok(Output { path: path.to_path_buf(), sink: Sink::Standard(io::stdout()) });
        }
        let unwritten = |source| CorpusError::Unwritten { path: path.display().to_string(), source };
        if path.is_dir() {
            return Err(unwritten(io::Error::new(io::ErrorKind::IsADirectory, "this is a folder (expected the name of a file)")));
        }
        let file = Place::open(path).map_err(unwritten)?;
        let ending = path.extension().and_then(|ending| ending.to_str());
        let sink = match ending {
            Some("gz") => Sink::Gzip(flate2::write::GzEncoder::new(BufWriter::new(file), flate2::Compression::default())),
            Some("zst") => Sink::Zstd(zstd::stream::write::Encoder::new(BufWriter::new(file), 3).map_err(unwritten)?),
            _ => Sink::Plain(file),
        };
        Ok(Output { path: path.to_path_buf(), sink })
    }

    /// The path as the user gave it.
    pub fn name(&self) -> String {
        if self.is_standard_output() { "standard output".to_string() } else { self.path.display().to_string() }
    }

    /// Whether this is `-`.
    pub fn is_standard_output(&self) -> bool {
        matches!(self.sink, Sink::Standard(_))
    }

    /// Writes bytes; they are best given in large pieces.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), CorpusError> {
        let result = match &mut self.sink {
            Sink::Standard(stdout) => stdout.write_all(bytes),
            Sink::Plain(file) => file.write_all(bytes),
            Sink::Gzip(encoder) => encoder.write_all(bytes),
            Sink::Zstd(encoder) => encoder.write_all(bytes),
        };
        result.map_err(|source| self.unwritten(source))
    }

    /// Ends the file and lets it appear under its name.
    pub fn finish(self) -> Result<(), CorpusError> {
        let path = self.path;
        let unwritten = |source| CorpusError::Unwritten { path: path.display().to_string(), source };
        let whole = |writer: BufWriter<Place>| writer.into_inner().map_err(|error| unwritten(error.into_error()));
        let place = match self.sink {
            Sink::Standard(mut stdout) => return stdout.flush().map_err(unwritten),
            Sink::Plain(place) => place,
            Sink::Gzip(encoder) => whole(encoder.finish().map_err(unwritten)?)?,
            Sink::Zstd(encoder) => whole(encoder.finish().map_err(unwritten)?)?,
        };
        place.finish().map_err(unwritten)
    }

    pub(crate) fn unwritten(&self, source: io::Error) -> CorpusError {
        CorpusError::Unwritten { path: self.name(), source }
    }
}

impl Place {
    fn open(path: &Path) -> io::Result<Place> {
        let found = path.metadata();
        if found.is_ok_and(|found| !found.is_file()) {
            return Ok(Place::Direct(File::options().write(true).open(path)?));
        }
        let target = link_target(path)?;
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o644));
        }
        let file = builder.prefix(".acidtest-").suffix(".part").tempfile_in(folder);
        // The system's own message would name the temporary file, which nobody asked for.
        let file = file.map_err(own_message)?;
        Ok(Place::Part { _unfinished: Unfinished::new(file.path()), file, target })
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Place::Part { file, target, .. } => file.persist(&target).map(|_| ()).map_err(|error| error.error),
            Place::Direct(mut file) => file.flush(),
        }
    }
}

impl Write for Place {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Place::Part { file, .. } => file.write(bytes),
            Place::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Place::Part { file, .. } => file.flush(),
            Place::Direct(file) => file.flush(),
        }
    }
}

/// The temporary files and folders of all that is being written.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Something that is being written: for as long as this lives, [`remove_unfinished`] takes the file or folder away.
pub struct Unfinished(PathBuf);

impl Unfinished {
    /// A temporary file or folder.
    pub fn new(path: &Path) -> Self {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_path_buf());
        Unfinished(path.to_path_buf())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.0);
    }
}

/// Takes away everything that is being written, for a program that is told to stop in the middle and ends right after.
pub fn remove_unfinished() {
    for path in UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        // One that has just got its name is not there any more, and nobody is left to hear of another failure.
        let _ = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    }
}

/// As many links in a row as systems follow.
const MOST_LINKS: usize = 40;

/// The file that a path stands for when its links are followed; it need not be there yet.
fn link_target(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        if !target.is_symlink() {
            return Ok(target);
        }
        let next = std::fs::read_link(&target)?;
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(io::Error::other("too many links follow each other"))
}

/// The system's error without the name of the temporary file that it is wrapped in.
fn own_message(error: io::Error) -> io::Error {
    let text = error.to_string();
    let own = text.split(" at path \"").next().unwrap_or(&text);
    io::Error::new(error.kind(), own.to_string())
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Standard(stdout) => stdout.write(bytes),
            Sink::Plain(file) => file.write(bytes),
            Sink::Gzip(encoder) => encoder.write(bytes),
            Sink::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::io::Read;

    fn written(path: &Path, text: &str) {
        let mut output = Output::create(path).unwrap();
        output.write(text.as_bytes()).unwrap();
        output.finish().unwrap();
    }

    #[test]
    fn a_link_stays_and_its_target_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("far")).unwrap();
        let (link, target) = (folder.path().join("link"), folder.path().join("far/target"));
        std::os::unix::fs::symlink("far/target", &link).unwrap();
        for text in ["made through the link", "replaced"] {
            written(&link, text);
            assert!(link.is_symlink());
            assert_eq!(std::fs::read_to_string(&target).unwrap(), text);
        }
        let round = folder.path().join("round");
        std::os::unix::fs::symlink("round", &round).unwrap();
        assert!(Output::create(&round).is_err());
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
        written(&pipe, "through the pipe");
        assert_eq!(reader.join().unwrap(), "through the pipe");
        assert!(pipe.metadata().unwrap().file_type().is_fifo());
        written(Path::new("/dev/null"), "nobody reads this");
        assert!(Path::new("/dev/null").metadata().unwrap().file_type().is_char_device());
    }
}
