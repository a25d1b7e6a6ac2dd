//! Making a challenge set from corpora: read, rewrite and write, block by block.

use acidtest_challenge::{Challenge, ChallengeError, Coverage, Order};
use acidtest_corpus::{
    CorpusError, EncodedRows, Encoder, Examples, Format, IdPolicy, InputFile, LoopCounts, LoopOptions, ReadOptions, Reader, Writer,
    for_blocks,
};
use acidtest_files::{FileError, Output, Sealed, publish_all};
use acidtest_model::LexicalError;
use acidtest_nli::Example;
use acidtest_threads::Threads;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What to make, from what, and where to.
pub struct SetRequest<'r> {
    /// The challenge.
    pub challenge: &'r Challenge,
    /// The corpora.
    pub files: Vec<InputFile>,
    /// How to read them.
    pub options: ReadOptions,
    /// Where the set goes; `-` is standard output.
    pub output: PathBuf,
    /// How it is written.
    pub format: Format,
    /// The threads that work on it.
    pub threads: &'r Threads,
    /// What is kept about the set beside it: settings, mode, seed.
    pub about: Value,
}

/// A set that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedSet {
    /// What came of the rows.
    pub coverage: Coverage,
    /// Rows left out because they could not be read.
    pub skipped: u64,
}

/// A set that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    /// Reading or writing failed.
    #[error("{0}")]
    Corpus(#[from] CorpusError),
    /// The set could not be given its name.
    #[error(transparent)]
    File(#[from] FileError),
    /// The challenge could not be made from a row.
    #[error(transparent)]
    Challenge(#[from] ChallengeError),
    /// The lexical model could not be asked.
    #[error(transparent)]
    Lexical(#[from] LexicalError),
    /// No row has a label to be misled about.
    #[error(
        "{files}: none of the rows has an exact gold label, which a score needs (expected entailment, neutral or contradiction; --column label=NAME names the column)"
    )]
    NothingToScore {
        /// The files that were read.
        files: String,
    },
}

/// Rows of one block, made and encoded.
#[derive(Default)]
struct Made {
    rows: EncodedRows,
    /// Rows that are sorted before they are written.
    unsorted: Vec<Example<'static>>,
    coverage: Coverage,
}

/// Makes a set and writes it, with `NAME.about.json` beside it; nothing is left behind where anything fails.
pub fn make_set(request: SetRequest<'_>) -> Result<ClosedSet, SetError> {
    let (set, files) = seal_set(request)?;
    publish_all(files)?;
    Ok(set)
}

/// Makes a set whose files are complete but not yet in their places, so that several sets can appear together.
pub fn seal_set(request: SetRequest<'_>) -> Result<(ClosedSet, Vec<Sealed>), SetError> {
    let SetRequest { challenge, files, options, output, format, threads, mut about } = request;
    let mut writer = Writer::create(&output, format)?;
    let encoder = writer.encoder();
    let mut coverage = Coverage::default();
    let mut unsorted: Vec<Example<'static>> = Vec::new();
    let counts = for_blocks(
        &mut Reader::new(files, options),
        LoopOptions { threads, ids: IdPolicy::Unique },
        |examples| made_of(challenge, examples, &encoder),
        |made| {
            coverage.add(&made.coverage);
            unsorted.extend(made.unsorted);
            Ok::<(), SetError>(writer.write_rows(&made.rows)?)
        },
    )?;
    unsorted.sort_by(|a, b| a.pair.premise.text.cmp(&b.pair.premise.text));
    unsorted.iter().try_for_each(|row| writer.write(row))?;
    let set = ClosedSet { coverage, skipped: counts.skipped };
    let mut sealed = vec![writer.seal()?];
    describe(&mut about, &set, &counts);
    sealed.extend(seal_about(&output, &about)?);
    Ok((set, sealed))
}

fn made_of(challenge: &Challenge, examples: &mut Examples<'_>, encoder: &Encoder) -> Result<Made, SetError> {
    let mut made = Made::default();
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

/// Adds what came of the rows to what is known about the set.
fn describe(about: &mut Value, set: &ClosedSet, counts: &LoopCounts) {
    let inputs: Vec<Value> = counts.files.iter().map(|file| json!({ "path": file.name, "hash": file.hash, "rows": file.rows })).collect();
    if let Value::Object(about) = about {
        about.insert("inputs".to_string(), Value::Array(inputs));
        about.insert("coverage".to_string(), json!(set.coverage));
        about.insert("skipped".to_string(), json!(set.skipped));
    }
}

/// What is known about a set, in a file beside it; nothing for a set on standard output.
pub(crate) fn seal_about(output: &Path, about: &Value) -> Result<Option<Sealed>, FileError> {
    if output.as_os_str() == "-" {
        return Ok(None);
    }
    let mut name = output.as_os_str().to_owned();
    name.push(".about.json");
    let mut file = Output::create(Path::new(&name))?;
    file.write(format!("{about:#}\n").as_bytes())?;
    file.seal().map(Some)
}
