//! Generates sets, and counts the distinct examples that can be generated.

use crate::corpus_tools::Destination;
use crate::error::Error;
use crate::session::Session;
use crate::spec::{ChallengeSpec, SpecError};
use acidtest_challenge::{Challenge, Generate, GeneratedExample, GenerationCounts, GroupSize, Resources};
use acidtest_corpus::{CorpusError, EncodedRows, Encoder, Writer};
use acidtest_evaluate::report::{Cell, Report, ReportBlock, Section, SectionId, Table, TableColumn};
use acidtest_files::Sealed;
use acidtest_threads::in_order;
use serde_json::Value;
use std::collections::BTreeMap;

/// Parts with more examples are written while they are generated, by one thread: several threads would keep them in memory.
const MOST_EXAMPLES_HELD: usize = 20_000;

/// Generates a set; its file is complete but has a temporary name.
pub(super) fn write(generator: &dyn Generate, to: Destination<'_>, session: &Session<'_>) -> Result<(GenerationCounts, Sealed), Error> {
    let mut writer = Writer::create(to.path, to.format)?;
    let as_text = generator.text_format() == Some(to.format.name());
    let job = Job { generator, encoder: ExampleEncoder { encoder: writer.encoder(), as_text } };
    let held = generator.most_in_part().is_some_and(|examples| examples <= MOST_EXAMPLES_HELD);
    let counts = if session.threads.count() > 1 && held { job.by_part(&mut writer, session)? } else { job.streamed(&mut writer)? };
    Ok((counts, writer.seal()?))
}

struct Job<'g> {
    generator: &'g dyn Generate,
    encoder: ExampleEncoder,
}

impl Job<'_> {
    fn streamed(&self, writer: &mut Writer) -> Result<GenerationCounts, Error> {
        let mut rows = EncodedRows::default();
        let counts = self.generator.run(|example| {
            self.encoder.add(example, &mut rows)?;
            if rows.is_large() {
                writer.write_rows(&rows)?;
                rows.clear();
            }
            Ok::<(), CorpusError>(())
        })?;
        writer.write_rows(&rows)?;
        Ok(counts)
    }

    /// Every part has its own random numbers, so threads can generate different parts.
    fn by_part(&self, writer: &mut Writer, session: &Session<'_>) -> Result<GenerationCounts, Error> {
        let mut parts = 0..self.generator.parts();
        let mut all = GenerationCounts::default();
        in_order(
            &session.threads,
            || Ok(parts.next()),
            |part| {
                let mut rows = EncodedRows::default();
                let counts = self.generator.try_part(part, |example| self.encoder.add(example, &mut rows))?;
                Ok((rows, counts))
            },
            |(rows, counts)| {
                session.check_cancelled()?;
                all += counts;
                Ok::<(), Error>(writer.write_rows(&rows)?)
            },
        )?;
        Ok(all)
    }
}

/// Encodes generated examples; a generator's own text format is written without building them, which is several times as fast.
struct ExampleEncoder {
    encoder: Encoder,
    as_text: bool,
}

impl ExampleEncoder {
    fn add(&self, generated: &dyn GeneratedExample, rows: &mut EncodedRows) -> Result<(), CorpusError> {
        if self.as_text && generated.write_text(rows.text()) {
            return Ok(());
        }
        self.encoder.add(&generated.example(), rows)
    }
}

/// The number of distinct examples that a challenge can generate, by group.
pub fn count_examples(spec: &ChallengeSpec, resources: &Resources, session: &Session<'_>) -> Result<Report, Error> {
    let mut spec = spec.clone();
    if let Some(per_part) = spec.entry()?.per_part() {
        // Otherwise a challenge with fewer examples than the default could not be counted.
        spec.settings.insert(per_part.setting.to_string(), Value::from(per_part.all));
    }
    let challenge = spec.resolve(resources)?;
    let inventory = challenge.generator().map(Generate::inventory).unwrap_or_default();
    match inventory.first() {
        Some(first) => Ok(counted(&challenge, &first.shared, &inventory, session)),
        None => Err(SpecError::new("count", challenge.name(), "a challenge that generates its examples and can count them").into()),
    }
}

fn counted(challenge: &Challenge, names: &[(&'static str, String)], inventory: &[GroupSize], session: &Session<'_>) -> Report {
    let columns: Vec<TableColumn> = names.iter().map(|(name, _)| TableColumn::left(*name)).collect();
    let key_columns = columns.len();
    let mut all = vec![Cell::Empty {}; key_columns + 1];
    all[0] = Cell::text("all");
    all.push(count_cell(inventory.iter().map(|group| group.distinct).sum()));
    let rows = inventory.iter().map(size_row).chain([all]).collect();
    let columns = columns.into_iter().chain([TableColumn::right("share of draws"), TableColumn::right("distinct pairs")]).collect();
    let notes = vec!["Pairs in which no drawn word repeats; no more than these can be generated.".to_string()];
    let section =
        Section::new(SectionId::Templates, "Distinct pairs", notes, vec![ReportBlock::Table(Table::new(key_columns, columns, rows))]);
    let options = BTreeMap::from([("mode".to_string(), challenge.mode().name().to_string())]);
    let title = format!("Templates of {}", challenge.title());
    Report::new(title, session.provenance(Vec::new(), BTreeMap::new(), options), vec![section])
}

fn size_row(group: &GroupSize) -> Vec<Cell> {
    let shared = group.shared.iter().map(|(_, value)| Cell::text(value));
    shared.chain([Cell::number(Some(group.share), 3), count_cell(group.distinct)]).collect()
}

fn count_cell(count: u128) -> Cell {
    u64::try_from(count).map_or_else(|_| Cell::text(count.to_string()), |count| Cell::Count { count })
}
