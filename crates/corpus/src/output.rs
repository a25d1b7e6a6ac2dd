//! Output files that appear whole or not at all.

use crate::CorpusError;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that is being written; `-` is standard output. Dropped before [`Output::finish`], it leaves nothing behind.
pub struct Output {
    path: PathBuf,
    sink: Sink,
}

enum Sink {
    Standard(io::Stdout),
    Plain(NamedTempFile),
    Gzip(flate2::write::GzEncoder<BufWriter<NamedTempFile>>),
    Zstd(zstd::stream::write::Encoder<'static, BufWriter<NamedTempFile>>),
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
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o644));
        }
        let file = builder.prefix(".acidtest-").suffix(".part").tempfile_in(folder);
        // The system's own message would name the temporary file, which nobody asked for.
        let file = file.map_err(|error| unwritten(own_message(error)))?;
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
        let whole = |writer: BufWriter<NamedTempFile>| writer.into_inner().map_err(|error| unwritten(error.into_error()));
        let file = match self.sink {
            Sink::Standard(mut stdout) => return stdout.flush().map_err(unwritten),
            Sink::Plain(file) => file,
            Sink::Gzip(encoder) => whole(encoder.finish().map_err(unwritten)?)?,
            Sink::Zstd(encoder) => whole(encoder.finish().map_err(unwritten)?)?,
        };
        file.persist(&path).map(|_| ()).map_err(|error| unwritten(error.error))
    }

    pub(crate) fn unwritten(&self, source: io::Error) -> CorpusError {
        CorpusError::Unwritten { path: self.name(), source }
    }
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
