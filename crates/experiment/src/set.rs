//! Making a challenge set from corpora: read, rewrite and write, block by block.

use acidtest_challenge::{Challenge, ChallengeError, Coverage, Order};
use acidtest_corpus::{BadRows, Block, CorpusError, Format, InputFile, ReadOptions, Reader, SeenIds, Writer, encode, in_order};
use acidtest_files::{FileError, Output, Sealed, publish_all};
use acidtest_model::LexicalError;
use acidtest_nli::Example;
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
    /// How many threads work on it.
    pub threads: usize,
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
    #[error(transparent)]
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
struct Done {
    block: Block,
    /// Of each row that was read: its line and its id's hash.
    ids: Vec<(u64, Option<u64>)>,
    rows: Encoded,
    coverage: Coverage,
    skipped: u64,
}

enum Encoded {
    Bytes(Vec<u8>),
    Examples(Vec<Example<'static>>),
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
    let mut reader = Reader::new(files, options);
    let mut seen = SeenIds::default();
    let mut set = ClosedSet { coverage: Coverage::default(), skipped: 0 };
    let mut waiting: Vec<Example<'static>> = Vec::new();
    // Parquet and GLUE number their rows, and sorted sets are written last: those rows go to the writer one by one.
    let one_by_one = matches!(format, Format::Parquet | Format::Glue) || challenge.order() == Order::ByPremise;
    in_order(
        threads,
        || Ok(reader.next_block()?),
        |block| made_of(challenge, block, format, one_by_one, &output),
        |done| {
            seen.check(&done.block, &done.ids)?;
            set.coverage.add(&done.coverage);
            set.skipped += done.skipped;
            match done.rows {
                Encoded::Bytes(bytes) => writer.write_encoded(&bytes)?,
                Encoded::Examples(rows) if challenge.order() == Order::ByPremise => waiting.extend(rows),
                Encoded::Examples(rows) => rows.iter().try_for_each(|row| writer.write(row))?,
            }
            Ok::<(), SetError>(())
        },
    )?;
    waiting.sort_by(|a, b| a.pair.premise.text.cmp(&b.pair.premise.text));
    waiting.iter().try_for_each(|row| writer.write(row))?;
    let mut sealed: Vec<Sealed> = writer.seal()?.into_iter().collect();
    describe(&mut about, &set, &reader);
    sealed.extend(seal_about(&output, &about)?);
    Ok((set, sealed))
}

fn made_of(challenge: &Challenge, block: Block, format: Format, one_by_one: bool, output: &Path) -> Result<Done, SetError> {
    let mut done_ids = Vec::new();
    let mut coverage = Coverage::default();
    let mut skipped = 0;
    let mut bytes = Vec::with_capacity(if one_by_one { 0 } else { 512 << 10 });
    let mut examples = Vec::new();
    for row in block.rows() {
        let row = match row {
            Ok(row) => row,
            Err(_) if block.bad_rows() == BadRows::Skip => {
                skipped += 1;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        done_ids.push((row.line, SeenIds::hash(&row.example.pair.id)));
        for made in challenge.rows(&row.example, &mut coverage)? {
            if one_by_one {
                examples.push(made.into_owned());
                continue;
            }
            encode(format, &made, 0, &mut bytes).map_err(|reason| CorpusError::NotHeld {
                path: output.display().to_string(),
                id: made.pair.id.to_string(),
                format: format.name(),
                reason,
            })?;
        }
    }
    let rows = if one_by_one { Encoded::Examples(examples) } else { Encoded::Bytes(bytes) };
    Ok(Done { block, ids: done_ids, rows, coverage, skipped })
}

/// Adds what came of the rows to what is known about the set.
fn describe(about: &mut Value, set: &ClosedSet, reader: &Reader) {
    let inputs: Vec<Value> =
        reader.finished().iter().map(|file| json!({ "path": file.name, "hash": file.hash, "rows": file.rows })).collect();
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
