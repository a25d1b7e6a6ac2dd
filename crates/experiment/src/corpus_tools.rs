//! Converts, samples and splits corpora.

mod split;
mod split_record;

pub use split::{OldParts, SplitFolder, SplitInto, SplitParts, split};

use crate::data::{Data, note_written};
use crate::error::Error;
use crate::run::listed;
use crate::session::Session;
use acidtest_corpus::{CorpusError, FORMATS, Format, IdPolicy, Sampler, Writer, for_blocks};
use acidtest_files::{InputGuard, refuse_inputs};
use std::path::Path;

/// Where examples are written, and in which format.
#[derive(Debug, Clone, Copy)]
pub struct Destination<'d> {
    /// The file; `-` is standard output.
    pub path: &'d Path,
    /// The format.
    pub format: Format,
}

impl<'d> Destination<'d> {
    /// A file in the format of this name, or in the one that its ending implies.
    pub fn new(path: &'d Path, format: Option<&str>) -> Result<Self, Error> {
        let format = match format {
            Some(name) => *FORMATS.find(name)?,
            None => Format::of_path(path).map_err(Error::NoFormat)?,
        };
        Ok(Destination { path, format })
    }

    /// The same for sets that have a text format of their own, which a `.txt` file gets.
    pub fn with_own_text(path: &'d Path, format: Option<&str>, own_text: Option<&str>) -> Result<Self, Error> {
        let to = Destination::new(path, format)?;
        match own_text.filter(|_| format.is_none() && to.format == Format::MULTINLI_TEXT) {
            Some(_) => Destination::new(path, own_text),
            None => Ok(to),
        }
    }
}

/// Converts corpora to another format; returns the number of examples.
pub fn convert(data: Data, to: Destination<'_>, session: &Session<'_>) -> Result<u64, Error> {
    let _guard = InputGuard::new();
    let mut source = data.source();
    let mut writer = Writer::create(to.path, to.format)?;
    let encoder = writer.encoder();
    let counts = for_blocks(
        &mut *source,
        session.loop_options(IdPolicy::Unique),
        |examples| {
            let mut rows = encoder.rows_of_block();
            for row in examples {
                encoder.add(&row.example, &mut rows)?;
            }
            Ok(rows)
        },
        |rows| writer.write_rows(&rows),
    )?;
    let lost = lost_tags(&writer);
    writer.finish()?;
    note_written(&counts, session);
    lost.iter().for_each(|note| session.note(note));
    Ok(counts.read)
}

/// A note that names the tags that the format has no room for.
pub(crate) fn lost_tags(writer: &Writer) -> Option<String> {
    let lost: Vec<String> = writer.lost_tags().iter().map(|tag| format!("`{tag}`")).collect();
    let (tags, were) = if lost.len() == 1 { ("tag", "was") } else { ("tags", "were") };
    (!lost.is_empty()).then(|| {
        format!(
            "{}: the {tags} {} cannot be written as {} and {were} dropped; acidtest, hf, csv, tsv and parquet keep all tags",
            writer.name(),
            listed(&lost),
            writer.format().name(),
        )
    })
}

/// A sample that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampled {
    /// The number of sampled examples.
    pub drawn: u64,
    /// The number of examples they were sampled from.
    pub read: u64,
}

/// Draws a random sample and writes it.
pub fn sample(data: Data, size: usize, seed: u64, to: Destination<'_>, session: &Session<'_>) -> Result<Sampled, Error> {
    let _guard = InputGuard::new();
    let mut source = data.source();
    // An output that is also an input is refused before everything is read.
    refuse_inputs(to.path)?;
    let mut sampler = Sampler::new(seed, size);
    let counts = for_blocks(
        &mut *source,
        session.loop_options(IdPolicy::Unique),
        |examples| {
            let mut part = Sampler::new(seed, size);
            examples.for_each(|row| part.add(&row.example));
            Ok(part)
        },
        |part| {
            sampler.merge(part);
            Ok::<(), CorpusError>(())
        },
    )?;
    let drawn = sampler.finish();
    let mut writer = Writer::create(to.path, to.format)?;
    drawn.iter().try_for_each(|example| writer.write(example))?;
    let lost = lost_tags(&writer);
    writer.finish()?;
    note_written(&counts, session);
    lost.iter().for_each(|note| session.note(note));
    Ok(Sampled { drawn: drawn.len() as u64, read: counts.read })
}
