//! Sets that are generated from a grammar.

use crate::corpus_tools::Destination;
use crate::error::Error;
use crate::session::Session;
use acidtest_challenge::hans::{Generated, HansRow, Template, TemplateSet};
use acidtest_challenge::{Generate, Mode};
use acidtest_corpus::{CorpusError, EncodedRows, Encoder, Format, Writer};
use acidtest_evaluate::report::{Cell, Report, ReportBlock, Section, SectionId, Table, TableColumn};
use acidtest_files::Sealed;
use acidtest_threads::in_order;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};

/// Parts with more pairs than this are written as they are made, by one thread: several would hold them all in memory.
const MOST_PAIRS_HELD: usize = 20_000;

/// A set that was generated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedSet {
    /// Pairs, draws and rejections.
    pub generated: Generated,
    /// How many templates gave pairs.
    pub templates: usize,
    /// How many different pairs those templates have.
    pub distinct: u128,
    /// Pairs of each template, in the order of [`TemplateSet::templates`].
    rows_by_template: Vec<u64>,
}

impl GeneratedSet {
    fn new(generated: Generated, rows_by_template: Vec<u64>, set: &TemplateSet) -> Self {
        let used = || set.templates().iter().zip(&rows_by_template).filter(|(_, rows)| **rows > 0).map(|(template, _)| template);
        let (templates, distinct) = (used().count(), used().map(|template| template.pairs).sum());
        GeneratedSet { generated, templates, distinct, rows_by_template }
    }

    /// Adds what was generated to what is known about the set.
    pub(super) fn describe(&self, set: &TemplateSet, about: &mut Value) {
        let entry = |(template, rows): (&Template, &u64)| {
            json!({
                "subcase": set.subcases()[template.subcase].name,
                "template": template.id,
                "share": template.share,
                "rows": rows,
                "distinct_pairs": whole(template.pairs),
            })
        };
        about["generated"] = json!(self.generated);
        about["rejection_rate"] = json!(self.generated.rejection_rate());
        about["templates"] = set.templates().iter().zip(&self.rows_by_template).map(entry).collect();
    }
}

/// Generates a set; its file is complete but not yet in its place.
pub(super) fn write(generator: &dyn Generate, to: Destination<'_>, session: &Session<'_>) -> Result<(GeneratedSet, Sealed), Error> {
    let mut writer = Writer::create(to.path, to.format)?;
    let job = Job { generator, encoder: RowEncoder { encoder: writer.encoder(), format: to.format } };
    let held = generator.most_in_part().is_some_and(|rows| rows <= MOST_PAIRS_HELD);
    let (generated, rows) =
        if session.threads.count() > 1 && held { job.by_part(&mut writer, session)? } else { job.streamed(&mut writer)? };
    Ok((GeneratedSet::new(generated, rows, generator.templates()), writer.seal()?))
}

struct Job<'g> {
    generator: &'g dyn Generate,
    encoder: RowEncoder,
}

impl Job<'_> {
    fn streamed(&self, writer: &mut Writer) -> Result<(Generated, Vec<u64>), Error> {
        let mut counts = TemplateCounts::of(self.generator.templates());
        let mut rows = EncodedRows::default();
        let generated = self.generator.run(|row| {
            counts.count(row);
            self.encoder.add(row, &mut rows)?;
            if rows.is_large() {
                writer.write_rows(&rows)?;
                rows.clear();
            }
            Ok::<(), CorpusError>(())
        })?;
        writer.write_rows(&rows)?;
        Ok((generated, counts.rows))
    }

    /// Every part has random numbers of its own, so that threads can make different ones.
    fn by_part(&self, writer: &mut Writer, session: &Session<'_>) -> Result<(Generated, Vec<u64>), Error> {
        let set = self.generator.templates();
        let mut parts = 0..self.generator.parts();
        let (mut all, mut counts) = (Generated::default(), vec![0; set.templates().len()]);
        in_order(
            &session.threads,
            || Ok(parts.next()),
            |part| {
                let (mut rows, mut counts) = (EncodedRows::default(), TemplateCounts::of(set));
                let generated = self.generator.try_part(part, |row| {
                    counts.count(row);
                    self.encoder.add(row, &mut rows)
                })?;
                Ok((rows, generated, counts.rows))
            },
            |(rows, generated, rows_by_template)| {
                session.check_cancelled()?;
                all += generated;
                counts.iter_mut().zip(rows_by_template).for_each(|(count, more)| *count += more);
                Ok::<(), Error>(writer.write_rows(&rows)?)
            },
        )?;
        Ok((all, counts))
    }
}

/// Encodes generated pairs; the format of HANS itself is written without building examples, which makes it several times as fast.
struct RowEncoder {
    encoder: Encoder,
    format: Format,
}

impl RowEncoder {
    fn add(&self, row: &HansRow<'_>, rows: &mut EncodedRows) -> Result<(), CorpusError> {
        if self.format == Format::HANS {
            row.write_hans_text(rows.text());
            return Ok(());
        }
        self.encoder.add(&row.example(), rows)
    }
}

/// Pairs of each template.
struct TemplateCounts<'s> {
    places: HashMap<&'s str, usize>,
    rows: Vec<u64>,
}

impl<'s> TemplateCounts<'s> {
    fn of(set: &'s TemplateSet) -> Self {
        let places = set.templates().iter().enumerate().map(|(place, template)| (template.id.as_str(), place)).collect();
        TemplateCounts { places, rows: vec![0; set.templates().len()] }
    }

    fn count(&mut self, row: &HansRow<'_>) {
        if let Some(&place) = self.places.get(row.template().id.as_str()) {
            self.rows[place] += 1;
        }
    }
}

/// A number as JSON has it: those that are too large are text.
fn whole(number: u128) -> Value {
    u64::try_from(number).map_or_else(|_| json!(number.to_string()), |number| json!(number))
}

/// How many different pairs each template has, of the subcases that are wanted.
pub fn template_counts(title: &str, set: &TemplateSet, wanted: &dyn Fn(&str) -> bool, mode: Mode, session: &Session<'_>) -> Report {
    let wanted = |template: &&Template| wanted(&set.subcases()[template.subcase].name);
    let templates: Vec<&Template> = set.templates().iter().filter(wanted).collect();
    let total: u128 = templates.iter().map(|template| template.pairs).sum();
    let mut rows: Vec<Vec<Cell>> = templates.iter().map(|template| template_row(set, template)).collect();
    rows.push([Cell::text("all"), Cell::Empty {}, Cell::Empty {}, Cell::Empty {}, Cell::Empty {}, pairs(total)].to_vec());
    let columns = vec![
        TableColumn::left("heuristic"),
        TableColumn::left("label"),
        TableColumn::left("subcase"),
        TableColumn::left("template"),
        TableColumn::right("share of draws"),
        TableColumn::right("distinct pairs"),
    ];
    let notes = vec!["Pairs in which no drawn word repeats; more than these cannot be asked for.".to_string()];
    let section =
        Section::new(SectionId::Templates, "Distinct pairs", notes, vec![ReportBlock::Table(Table { key_columns: 4, columns, rows })]);
    let options = BTreeMap::from([("mode".to_string(), mode.name().to_string())]);
    Report::new(title, session.provenance(Vec::new(), BTreeMap::new(), options), vec![section])
}

fn template_row(set: &TemplateSet, template: &Template) -> Vec<Cell> {
    let subcase = &set.subcases()[template.subcase];
    vec![
        Cell::text(&subcase.heuristic),
        Cell::text(subcase.gold.name()),
        Cell::text(&subcase.name),
        Cell::text(&template.id),
        Cell::number(Some(template.share), 3),
        pairs(template.pairs),
    ]
}

fn pairs(count: u128) -> Cell {
    u64::try_from(count).map_or_else(|_| Cell::text(count.to_string()), |count| Cell::Count { count })
}
