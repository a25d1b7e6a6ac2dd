//! Splits corpora into parts that share no premise, or into one file per value of a tag.

use super::split_record::{is_recorded, recorded, seal_record};
use crate::data::{Data, note_written};
use crate::error::Error;
use crate::session::Session;
use acidtest_corpus::{
    BlockSource, CorpusError, EncodedRows, Encoder, Format, IdPolicy, InputFile, LoopCounts, LoopOptions, Split, Splitter, Writer,
    for_blocks,
};
use acidtest_files::{FileError, InputGuard, MadeFolder, publish_all, refuse_inputs};
use acidtest_nli::Example;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

/// The format of the parts.
const FORMAT: Format = Format::ACIDTEST;

/// How a corpus is split.
#[derive(Debug, Clone, PartialEq)]
pub enum SplitInto {
    /// Parts that share no premise.
    Parts(Split),
    /// One part per value of this tag.
    Values(String),
}

/// Parts that were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitParts {
    /// Name and number of examples of each part.
    pub parts: Vec<(String, u64)>,
    /// The number of examples in no part.
    pub left_over: u64,
}

/// What happens to the parts of an earlier split in the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OldParts {
    /// The folder must be new or empty: an old part may share premises with new ones.
    Refused,
    /// Parts that the earlier split recorded are removed when the new ones are complete; a folder with other files is refused.
    Replaced,
}

/// Where the parts are written.
#[derive(Debug, Clone, Copy)]
pub struct SplitFolder<'f> {
    /// The folder.
    pub path: &'f Path,
    /// What happens to old parts in it.
    pub old: OldParts,
}

/// Splits corpora; all parts appear in the folder, or none.
pub fn split(data: Data, into: &SplitInto, seed: u64, to: SplitFolder<'_>, session: &Session<'_>) -> Result<SplitParts, Error> {
    let folder = to.path;
    if matches!(&data, Data::Files(files, _) if files.iter().any(InputFile::is_standard_input)) {
        return Err(Error::ReadTwice);
    }
    let _guard = InputGuard::new();
    let old = old_parts(to)?;
    // A split that fails leaves no folder behind.
    let _folder = MadeFolder::at(folder)?;
    let rows = || data.clone().source();
    let how = session.loop_options(IdPolicy::Unique);
    let mut parts = Parts { folder: folder.to_path_buf(), open: BTreeMap::new() };
    let counts = match into {
        SplitInto::Values(tag) => parts.fill(rows(), how, |example| Some(Part::of_value(example.tags.get(tag))))?,
        SplitInto::Parts(wanted) => {
            let splitter = Splitter::new(seed, wanted, numbers(rows(), how, seed)?)?;
            parts.fill(rows(), how, |example| splitter.part(example).map(|part| Part::named(&wanted.parts[part].0)))?
        }
    };
    if let SplitInto::Values(tag) = into
        && parts.open.keys().all(|part| part.value.is_none())
    {
        return Err(Error::NoSuchTag { tag: tag.clone(), rows: counts.read });
    }
    let parts = parts.finish(&old)?;
    note_written(&counts, session);
    let left_over = counts.read - parts.iter().map(|(_, rows)| rows).sum::<u64>();
    Ok(SplitParts { parts, left_over })
}

/// The old parts that will be replaced.
fn old_parts(SplitFolder { path, old }: SplitFolder<'_>) -> Result<Vec<PathBuf>, Error> {
    if !path.is_dir() {
        return Ok(Vec::new());
    }
    let unusable = |source| FileError::Unwritten { path: path.display().to_string(), source };
    let (mut parts, listed) = (Vec::new(), recorded(path));
    for entry in std::fs::read_dir(path).map_err(unusable)? {
        let entry = entry.map_err(unusable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        match old {
            OldParts::Refused => return Err(Error::UsedFolder { folder: path.display().to_string(), name }),
            OldParts::Replaced if !is_recorded(&listed, &entry.path()) => {
                return Err(Error::OtherThings { folder: path.display().to_string(), name });
            }
            OldParts::Replaced => parts.push(entry.path()),
        }
    }
    parts.sort();
    Ok(parts)
}

/// The random number of every example's premise.
fn numbers(mut rows: Box<dyn BlockSource>, how: LoopOptions<'_>, seed: u64) -> Result<Vec<u64>, CorpusError> {
    let mut numbers = Vec::new();
    for_blocks(
        &mut *rows,
        how,
        |examples| Ok(examples.map(|row| Splitter::number(seed, &row.example)).collect::<Vec<_>>()),
        |part| {
            numbers.extend(part);
            Ok::<(), CorpusError>(())
        },
    )?;
    Ok(numbers)
}

/// A part: its file name, and the value that its examples share.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    name: String,
    /// `None` for a named part, and for examples without the tag.
    value: Option<String>,
}

/// The name of the part for examples without the tag.
const WITHOUT: &str = "none";

impl Part {
    fn named(name: &str) -> Self {
        Part { name: name.to_string(), value: None }
    }

    fn of_value(value: Option<&str>) -> Self {
        Part { name: file_name(value.unwrap_or(WITHOUT)), value: value.map(str::to_string) }
    }

    fn about(&self) -> String {
        self.value.as_ref().map_or("examples without the tag".to_string(), |value| format!("the value `{value}`"))
    }
}

/// Replaces characters that file names should not contain.
fn file_name(value: &str) -> String {
    value.chars().map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' }).collect()
}

/// The parts that are being written, with their numbers of examples.
struct Parts {
    folder: PathBuf,
    open: BTreeMap<Part, (Writer, u64)>,
}

impl Parts {
    /// Writes every example to its part, if it belongs to one.
    fn fill(
        &mut self,
        mut rows: Box<dyn BlockSource>,
        how: LoopOptions<'_>,
        part_of: impl Fn(&Example<'_>) -> Option<Part> + Sync,
    ) -> Result<LoopCounts, Error> {
        let encoder = Encoder::new(FORMAT, &self.folder);
        for_blocks(
            &mut *rows,
            how,
            |examples| {
                let mut parts: BTreeMap<Part, (EncodedRows, u64)> = BTreeMap::new();
                for row in examples {
                    let Some(name) = part_of(&row.example) else { continue };
                    let (part, rows) = parts.entry(name).or_default();
                    encoder.add(&row.example, part)?;
                    *rows += 1;
                }
                Ok(parts)
            },
            |parts| parts.into_iter().try_for_each(|(name, (part, rows))| self.write(name, &part, rows)),
        )
    }

    fn write(&mut self, part: Part, encoded: &EncodedRows, rows: u64) -> Result<(), Error> {
        if let Some(other) = self.open.keys().find(|other| other.name == part.name && **other != part) {
            let name = part.name.clone();
            return Err(Error::SameFileName { name, first: other.about(), second: part.about() });
        }
        let (writer, written) = match self.open.entry(part) {
            Entry::Occupied(open) => open.into_mut(),
            Entry::Vacant(new) => {
                let path = self.folder.join(format!("{}.{}", new.key().name, FORMAT.ending()));
                new.insert((Writer::create(&path, FORMAT)?, 0))
            }
        };
        *written += rows;
        Ok(writer.write_rows(encoded)?)
    }

    /// Moves all parts to their final names, replacing the old ones, and returns their numbers of examples.
    fn finish(self, old: &[PathBuf]) -> Result<Vec<(String, u64)>, Error> {
        let (mut parts, mut sizes) = (Vec::new(), Vec::new());
        for (part, (writer, rows)) in self.open {
            parts.push((format!("{}.{}", part.name, FORMAT.ending()), writer.seal()?));
            sizes.push((part.name, rows));
        }
        let record = seal_record(&self.folder, &parts)?;
        old.iter().try_for_each(|part| refuse_inputs(part))?;
        // Old parts are removed first: an interruption may leave parts missing, which is noticed, but never old ones among new ones.
        for part in old {
            std::fs::remove_file(part).map_err(|source| FileError::Unwritten { path: part.display().to_string(), source })?;
        }
        publish_all(parts.into_iter().map(|(_, part)| part).chain([record]).collect())?;
        Ok(sizes)
    }
}
