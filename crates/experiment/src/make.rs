//! Writing challenge sets: read, make and write block by block, or generate; with what is known about each set beside it.

mod generated;

pub use generated::{GeneratedSet, template_counts};

use crate::corpus_tools::Destination;
use crate::data::{Data, note_skipped};
use crate::error::Error;
use crate::session::Session;
use crate::spec::ChallengeSpec;
use acidtest_challenge::{Challenge, Coverage, Order, Resources};
use acidtest_corpus::{EncodedRows, Encoder, Examples, IdPolicy, InputFile, LoopCounts, ReadOptions, Reader, Writer, for_blocks};
use acidtest_files::{FileError, Output, Sealed, publish_all};
use acidtest_nli::Example;
use serde_json::{Value, json};
use std::path::Path;

/// A set to write.
pub struct SetToWrite<'s> {
    /// The challenge, as it was asked for.
    pub spec: &'s ChallengeSpec,
    /// The challenge, set up.
    pub challenge: &'s Challenge,
    /// Where the set goes.
    pub to: Destination<'s>,
}

/// A set that was written.
pub struct WrittenSet {
    /// The challenge.
    pub name: &'static str,
    /// What came of it.
    pub outcome: SetOutcome,
}

/// What came of a set.
pub enum SetOutcome {
    /// It was made from the examples of corpora.
    Made(Coverage),
    /// It was generated.
    Generated(GeneratedSet),
}

/// Makes sets and writes them, each with `NAME.about.json` beside it; all of them appear, or none.
pub fn write_sets(
    data: Option<&Data>,
    sets: &[SetToWrite<'_>],
    resources: &Resources,
    session: &Session<'_>,
) -> Result<Vec<WrittenSet>, Error> {
    let (mut sealed, mut written) = (Vec::new(), Vec::new());
    for set in sets {
        let mut about = about(set, resources);
        let outcome = match (set.challenge.generator(), data) {
            (Some(generator), _) => {
                let (made, file) = generated::write(generator, set.to, session)?;
                sealed.push(file);
                made.describe(generator.templates(), &mut about);
                SetOutcome::Generated(made)
            }
            (None, Some(Data::Files(files, options))) => {
                let (coverage, counts, file) = made(set, files.clone(), options.clone(), session)?;
                sealed.push(file);
                describe(&mut about, &coverage, &counts);
                note_skipped(counts.skipped, session);
                SetOutcome::Made(coverage)
            }
            (None, _) => return Err(Error::NoCorpus { challenge: set.challenge.name() }),
        };
        sealed.extend(seal_about(set.to.path, &about)?);
        written.push(WrittenSet { name: set.challenge.name(), outcome });
    }
    publish_all(sealed)?;
    Ok(written)
}

/// What is known about a set before it is made.
fn about(set: &SetToWrite<'_>, resources: &Resources) -> Value {
    let mut about = json!({
        "tool_version": env!("CARGO_PKG_VERSION"),
        "challenge": set.challenge.name(),
        "source": set.challenge.entry().source,
        "mode": set.challenge.mode().name(),
        "seed": set.challenge.seed(),
        "settings": set.spec.settings,
    });
    if let Some(scorer) = resources.scorer.as_ref().filter(|_| !set.challenge.entry().needs.is_empty()) {
        about["model"] = json!(scorer.identity());
    }
    if !resources.exclude.is_empty() {
        about["excluded_pairs"] = json!(resources.exclude.len());
    }
    about
}

/// Examples of one block, made and encoded.
#[derive(Default)]
struct MadeBlock {
    rows: EncodedRows,
    /// Examples that are sorted before they are written.
    unsorted: Vec<Example<'static>>,
    coverage: Coverage,
}

/// Makes a set from corpora; its file is complete but not yet in its place.
fn made(
    set: &SetToWrite<'_>,
    files: Vec<InputFile>,
    options: ReadOptions,
    session: &Session<'_>,
) -> Result<(Coverage, LoopCounts, Sealed), Error> {
    let mut writer = Writer::create(set.to.path, set.to.format)?;
    let encoder = writer.encoder();
    let mut coverage = Coverage::default();
    let mut unsorted: Vec<Example<'static>> = Vec::new();
    let counts = for_blocks(
        &mut Reader::new(files, options),
        session.loop_options(IdPolicy::Unique),
        |examples| made_of(set.challenge, examples, &encoder),
        |made| {
            coverage.add(&made.coverage);
            unsorted.extend(made.unsorted);
            Ok::<(), Error>(writer.write_rows(&made.rows)?)
        },
    )?;
    unsorted.sort_by(|a, b| a.pair.premise.text.cmp(&b.pair.premise.text));
    unsorted.iter().try_for_each(|row| writer.write(row))?;
    Ok((coverage, counts, writer.seal()?))
}

fn made_of(challenge: &Challenge, examples: &mut Examples<'_>, encoder: &Encoder) -> Result<MadeBlock, Error> {
    let mut made = MadeBlock { rows: EncodedRows::of_block(), ..MadeBlock::default() };
    for row in examples {
        for example in challenge.rows(&row.example, &mut made.coverage)? {
            match challenge.order() {
                Order::AsRead => encoder.add(&example, &mut made.rows)?,
                Order::ByPremise => made.unsorted.push(example.into_owned()),
            }
        }
    }
    Ok(made)
}

/// Adds what came of the examples to what is known about the set.
fn describe(about: &mut Value, coverage: &Coverage, counts: &LoopCounts) {
    let inputs: Vec<Value> = counts.files.iter().map(|file| json!({ "path": file.name, "hash": file.hash, "rows": file.rows })).collect();
    about["inputs"] = Value::Array(inputs);
    about["coverage"] = json!(coverage);
    about["skipped"] = json!(counts.skipped);
}

/// What is known about a set, in a file beside it; nothing for a set on standard output.
fn seal_about(output: &Path, about: &Value) -> Result<Option<Sealed>, FileError> {
    if output.as_os_str() == "-" {
        return Ok(None);
    }
    let mut name = output.as_os_str().to_owned();
    name.push(".about.json");
    let mut file = Output::create(Path::new(&name))?;
    file.write(format!("{about:#}\n").as_bytes())?;
    file.seal().map(Some)
}
