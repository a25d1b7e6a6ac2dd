//! `acidtest corpus tags`: the annotation tags of MultiNLI.

use crate::options::{ReadFlags, ThreadFlags, files, tell_skipped};
use crate::predictions::AnswerFlags;
use crate::show::{ShowFlags, inputs, provenance};
use acidtest_corpus::{Corpus, FileRead, Format, Writer, read_all};
use acidtest_evaluate::report::{Block, Cell, Column, Report, Section, Table};
use acidtest_evaluate::statistics::Proportion;
use acidtest_evaluate::{Item, Missing, Predictions};
use acidtest_experiment::judge;
use acidtest_nli::Example;
use acidtest_survey::annotation::{Annotation, Mode, TagRow, TagStatistics, TagTable, annotate};
use acidtest_threads::{Threads, in_order};
use anyhow::{Context, Result};
use clap::Args;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};

/// Annotation tags of MultiNLI (table 5), as a table and on each row
///
/// Words are matched as whole tokens, and parts of speech come from the parses or, where a row has none, from our own tagger; --as-published
/// matches substrings of the parses as the authors did.
#[derive(Args)]
pub struct TagRows {
    /// Corpora: files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Match as the authors' script does, substrings included
    #[arg(long)]
    as_published: bool,
    /// Where the rows go with their tags
    #[arg(long, value_name = "OUT")]
    rows: Option<PathBuf>,
    /// File of predictions, for the accuracy on each tag
    #[arg(long, value_name = "FILE")]
    predictions: Option<PathBuf>,
    #[command(flatten)]
    answers: AnswerFlags,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: ReadFlags,
    #[command(flatten)]
    show: ShowFlags,
}

impl TagRows {
    /// Tags and shows.
    pub fn run(self) -> Result<()> {
        let threads = self.threads.threads()?;
        let mut corpus = read_all(files(&self.files)?, self.read.options()?, &threads)?;
        tell_skipped(corpus.skipped);
        let mut sources = inputs("data", &corpus.files);
        let right = match &self.predictions {
            Some(path) => {
                let (right, file) = right_answers(path, &self.answers, &corpus)?;
                sources.extend(inputs("predictions", &[file]));
                Some(right)
            }
            None => None,
        };
        let mode = if self.as_published { Mode::AsPublished } else { Mode::Clean };
        let annotations = annotated(&corpus.examples, mode, &threads);
        let mut table = TagTable::default();
        for (n, (example, annotation)) in corpus.examples.iter_mut().zip(annotations).enumerate() {
            table.add(&annotation, example.gold, right.as_ref().and_then(|right| right[n]));
            for tag in annotation.present() {
                example.tags.set(tag, "yes");
            }
            for tag in annotation.unknown() {
                example.tags.set(tag, "unknown");
            }
        }
        if let Some(path) = &self.rows {
            let mut writer = Writer::create(path, Format::of_path(path))?;
            corpus.examples.iter().try_for_each(|example| writer.write(example))?;
            writer.finish()?;
        }
        let options = BTreeMap::from([("mode".to_string(), if self.as_published { "as-published" } else { "clean" }.to_string())]);
        let report =
            Report::new("Annotation tags", provenance(sources, BTreeMap::new(), options), vec![section(&table.finish(), right.is_some())]);
        self.show.show(&report)
    }
}

/// The tags of every row, in order.
fn annotated(examples: &[Example<'static>], mode: Mode, threads: &Threads) -> Vec<Annotation> {
    const ROWS: usize = 512;
    let mut parts = examples.chunks(ROWS);
    let mut found = Vec::with_capacity(examples.len());
    let work = |part: &[Example<'static>]| Ok(part.iter().map(|example| annotate(example, mode)).collect::<Vec<_>>());
    let done = in_order::<_, _, Infallible>(
        threads,
        || Ok(parts.next()),
        work,
        |part| {
            found.extend(part);
            Ok(())
        },
    );
    match done {
        Ok(()) => found,
    }
}

/// For each row whether the prediction is right; `None` for rows without gold.
fn right_answers(path: &Path, flags: &AnswerFlags, corpus: &Corpus) -> Result<(Vec<Option<bool>>, FileRead)> {
    let (answers, file) = flags.read(path)?;
    let predictions = Predictions::Keyed(answers);
    let items: Vec<Item> = corpus.examples.iter().map(Item::of).collect();
    let judged = judge(&items, &predictions, Missing::Refuse, None).with_context(|| path.display().to_string())?;
    let right = judged.outcomes.iter().map(|outcome| outcome.map(|outcome| outcome.is_right())).collect();
    Ok((right, file))
}

fn section(found: &TagStatistics, with_predictions: bool) -> Section {
    let mut columns =
        vec![Column::left("tag"), Column::right("frequency"), Column::left("most frequent label"), Column::right("its share")];
    if with_predictions {
        columns.push(Column::right("accuracy"));
    }
    columns.push(Column::right("unknown"));
    let row = |row: &TagRow| {
        let rate = |share: acidtest_survey::Share| Cell::rate(Proportion { count: share.count, total: share.total });
        let label = row.most_frequent_label.as_ref();
        let mut cells = vec![
            Cell::text(row.name),
            rate(row.frequency),
            label.map_or(Cell::Empty {}, |label| Cell::text(label.label)),
            label.map_or(Cell::Empty {}, |label| rate(label.share)),
        ];
        if with_predictions {
            cells.push(row.accuracy.map_or(Cell::Empty {}, rate));
        }
        cells.push(Cell::Count { count: row.unknown });
        cells
    };
    let mut notes = Vec::new();
    if found.tagged_here > 0 {
        let rows = found.all.frequency.total;
        notes.push(format!(
            "{} of {rows} rows have a sentence without a parse: its parts of speech come from our own tagger.",
            found.tagged_here
        ));
    }
    if found.tags.iter().any(|row| row.unknown > 0) {
        notes.push("Unknown: rows without the parse that the tag is looked up in.".to_string());
    }
    let rows = std::iter::once(&found.all).chain(&found.tags).map(row).collect();
    Section::new("tags", "Tags of MultiNLI, table 5", notes, vec![Block::Table(Table { key_columns: 1, columns, rows })])
}
