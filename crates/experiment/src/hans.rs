//! Making a HANS set: from a template set to a file, with what is known about it beside it.

use crate::set::seal_about;
use acidtest_challenge::hans::{Amount, Generated, Generator, GeneratorError, GeneratorSettings, GrammarError, Row, Template, TemplateSet};
use acidtest_corpus::{
    CorpusError, EncodedRows, Encoder, Format, IdPolicy, InputFile, LoopOptions, ReadOptions, Reader, Writer, for_blocks,
};
use acidtest_files::{FileError, publish_all};
use acidtest_threads::{Threads, in_order};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::PathBuf;

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
    /// The threads that work on it.
    pub threads: &'r Threads,
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
    #[error("{0}")]
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
    let encoder = RowEncoder { encoder: writer.encoder(), format };
    let generated = if threads.count() > 1 && held {
        by_part(&generator, set, threads, &encoder, &mut writer, &mut counts)?
    } else {
        streamed(&generator, &encoder, &mut writer, &mut counts)?
    };
    let mut sealed = vec![writer.seal()?];
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
pub fn pairs_of(files: Vec<InputFile>, options: ReadOptions, threads: &Threads) -> Result<(Vec<(String, String)>, u64), CorpusError> {
    let mut pairs = Vec::new();
    let counts = for_blocks(
        &mut Reader::new(files, options),
        LoopOptions { threads, ids: IdPolicy::Unchecked },
        |examples| {
            let texts = examples.map(|row| (row.example.pair.premise.text.into_owned(), row.example.pair.hypothesis.text.into_owned()));
            Ok(texts.collect::<Vec<_>>())
        },
        |texts| {
            pairs.extend(texts);
            Ok::<(), CorpusError>(())
        },
    )?;
    Ok((pairs, counts.skipped))
}

fn streamed(
    generator: &Generator<'_>,
    encoder: &RowEncoder,
    writer: &mut Writer,
    counts: &mut TemplateCounts<'_>,
) -> Result<Generated, CorpusError> {
    let mut rows = EncodedRows::default();
    let generated = generator.run(|row| {
        counts.count(row);
        encoder.add(row, &mut rows)?;
        if rows.is_large() {
            writer.write_rows(&rows)?;
            rows.clear();
        }
        Ok::<(), CorpusError>(())
    })?;
    writer.write_rows(&rows)?;
    Ok(generated)
}

/// Every subcase has random numbers of its own, so that threads can make different ones.
fn by_part<'s>(
    generator: &Generator<'s>,
    set: &'s TemplateSet,
    threads: &Threads,
    encoder: &RowEncoder,
    writer: &mut Writer,
    counts: &mut TemplateCounts<'s>,
) -> Result<Generated, CorpusError> {
    let mut parts = 0..generator.parts();
    let mut all = Generated::default();
    in_order(
        threads,
        || Ok(parts.next()),
        |part| {
            let (mut rows, mut counts) = (EncodedRows::default(), TemplateCounts::of(set));
            let generated = generator.run_part(part, |row| {
                counts.count(row);
                encoder.add(row, &mut rows)
            })?;
            Ok((rows, generated, counts.rows))
        },
        |(rows, generated, rows_by_template)| {
            all += generated;
            counts.rows.iter_mut().zip(rows_by_template).for_each(|(count, more)| *count += more);
            writer.write_rows(&rows)
        },
    )?;
    Ok(all)
}

/// Encodes rows of HANS; the format of HANS itself is written without building examples, which makes it several times as fast.
struct RowEncoder {
    encoder: Encoder,
    format: Format,
}

impl RowEncoder {
    fn add(&self, row: &Row<'_>, rows: &mut EncodedRows) -> Result<(), CorpusError> {
        if self.format == Format::HANS {
            row.write_hans_text(rows.text());
            return Ok(());
        }
        self.encoder.add(&row.example(), rows)
    }
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
