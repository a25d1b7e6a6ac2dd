//! Making a HANS set: from a template set to a file, with what is known about it beside it.

use crate::set::seal_about;
use acidtest_challenge::hans::{Amount, Generated, Generator, GeneratorError, GeneratorSettings, GrammarError, Row, Template, TemplateSet};
use acidtest_corpus::{BadRows, CorpusError, Format, InputFile, ReadOptions, Reader, Writer, encode, in_order};
use acidtest_files::{FileError, Sealed, publish_all};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Bytes of rows that are gathered before they are written.
const WRITTEN_AT_ONCE: usize = 1 << 16;
/// Subcases with more rows than this are written as they are made, by one thread: several would hold them all in memory.
const MOST_ROWS_HELD: usize = 20_000;

/// What to make and where to.
pub struct HansRequest<'r> {
    /// The templates.
    pub set: &'r TemplateSet,
    /// How many rows of which.
    pub settings: GeneratorSettings,
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
pub struct HansSet {
    /// Rows, draws and rejections.
    pub generated: Generated,
    /// Rows of each template, in the order of [`TemplateSet::templates`].
    pub rows_by_template: Vec<u64>,
}

/// A set that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum HansError {
    /// The grammar cannot be used.
    #[error(transparent)]
    Grammar(#[from] GrammarError),
    /// The settings cannot be met.
    #[error(transparent)]
    Settings(#[from] GeneratorError),
    /// Reading or writing failed.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The set could not be given its name.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Makes a set and writes it, with `NAME.about.json` beside it; nothing is left behind where anything fails.
pub fn make_hans(request: HansRequest<'_>) -> Result<HansSet, HansError> {
    let HansRequest { set, settings, output, format, threads, mut about } = request;
    let held = match settings.amount {
        Amount::PerSubcase(rows) | Amount::PerCategory(rows) => rows <= MOST_ROWS_HELD,
        Amount::All => false,
    };
    let generator = Generator::new(set, settings)?;
    let mut writer = Writer::create(&output, format)?;
    let mut counts = TemplateCounts::of(set);
    // Parquet and GLUE number their rows: those go to the writer one by one.
    let one_by_one = matches!(format, Format::Parquet | Format::Glue);
    let generated = if one_by_one {
        generator.run(|row| {
            counts.count(row);
            writer.write(&row.example())
        })?
    } else if threads > 1 && held {
        by_part(&generator, set, threads, |row, out| encode_row(format, row, &output, out), &mut writer, &mut counts)?
    } else {
        streamed(&generator, |row, out| encode_row(format, row, &output, out), &mut writer, &mut counts)?
    };
    let mut sealed: Vec<Sealed> = writer.seal()?.into_iter().collect();
    let made = HansSet { generated, rows_by_template: counts.rows };
    if let Value::Object(about) = &mut about {
        about.insert("generated".to_string(), json!(made.generated));
        about.insert("rejection_rate".to_string(), json!(made.generated.rejection_rate()));
        about.insert("templates".to_string(), templates(set, &made.rows_by_template));
    }
    sealed.extend(seal_about(&output, &about)?);
    publish_all(sealed)?;
    Ok(made)
}

/// Premise and hypothesis of every row, and how many rows could not be read and were left out.
pub fn pairs_of(files: Vec<InputFile>, options: ReadOptions) -> Result<(Vec<(String, String)>, u64), CorpusError> {
    let mut reader = Reader::new(files, options);
    let (mut pairs, mut skipped) = (Vec::new(), 0);
    while let Some(block) = reader.next_block()? {
        for row in block.rows() {
            match row {
                Ok(row) => {
                    pairs.push((row.example.pair.premise.text.into_owned(), row.example.pair.hypothesis.text.into_owned()));
                }
                Err(_) if block.bad_rows() == BadRows::Skip => skipped += 1,
                Err(error) => return Err(error),
            }
        }
    }
    Ok((pairs, skipped))
}

fn streamed(
    generator: &Generator<'_>,
    encode: impl Fn(&Row<'_>, &mut Vec<u8>) -> Result<(), CorpusError>,
    writer: &mut Writer,
    counts: &mut TemplateCounts<'_>,
) -> Result<Generated, CorpusError> {
    let mut buffer = Vec::with_capacity(2 * WRITTEN_AT_ONCE);
    let generated = generator.run(|row| {
        counts.count(row);
        encode(row, &mut buffer)?;
        if buffer.len() >= WRITTEN_AT_ONCE {
            writer.write_encoded(&buffer)?;
            buffer.clear();
        }
        Ok::<(), CorpusError>(())
    })?;
    writer.write_encoded(&buffer)?;
    Ok(generated)
}

/// Every subcase has random numbers of its own, so that threads can make different ones.
fn by_part<'s>(
    generator: &Generator<'s>,
    set: &'s TemplateSet,
    threads: usize,
    encode: impl Fn(&Row<'_>, &mut Vec<u8>) -> Result<(), CorpusError> + Sync,
    writer: &mut Writer,
    counts: &mut TemplateCounts<'s>,
) -> Result<Generated, CorpusError> {
    let mut parts = 0..generator.parts();
    let mut all = Generated::default();
    in_order(
        threads,
        || Ok(parts.next()),
        |part| {
            let (mut bytes, mut counts) = (Vec::new(), TemplateCounts::of(set));
            let generated = generator.run_part(part, |row| {
                counts.count(row);
                encode(row, &mut bytes)
            })?;
            Ok((bytes, generated, counts.rows))
        },
        |(bytes, generated, rows)| {
            all += generated;
            counts.rows.iter_mut().zip(rows).for_each(|(count, more)| *count += more);
            writer.write_encoded(&bytes)
        },
    )?;
    Ok(all)
}

fn encode_row(format: Format, row: &Row<'_>, output: &Path, out: &mut Vec<u8>) -> Result<(), CorpusError> {
    if format == Format::Hans {
        row.write_hans_text(out);
        return Ok(());
    }
    encode(format, &row.example(), 0, out).map_err(|reason| CorpusError::NotHeld {
        path: output.display().to_string(),
        id: row.id(),
        format: format.name(),
        reason,
    })
}

/// Rows of each template.
struct TemplateCounts<'s> {
    places: HashMap<&'s str, usize>,
    rows: Vec<u64>,
}

impl<'s> TemplateCounts<'s> {
    fn of(set: &'s TemplateSet) -> Self {
        let places = set.templates().iter().enumerate().map(|(place, template)| (template.id.as_str(), place)).collect();
        TemplateCounts { places, rows: vec![0; set.templates().len()] }
    }

    fn count(&mut self, row: &Row<'_>) {
        if let Some(&place) = self.places.get(row.template().id.as_str()) {
            self.rows[place] += 1;
        }
    }
}

fn templates(set: &TemplateSet, rows: &[u64]) -> Value {
    let entry = |(template, rows): (&Template, &u64)| {
        json!({
            "subcase": set.subcases()[template.subcase].name,
            "template": template.id,
            "share": template.share,
            "rows": rows,
            "distinct_pairs": whole(template.pairs),
        })
    };
    set.templates().iter().zip(rows).map(entry).collect()
}

/// A number as JSON has it: those that are too large are text.
fn whole(number: u128) -> Value {
    u64::try_from(number).map_or_else(|_| json!(number.to_string()), |number| json!(number))
}
