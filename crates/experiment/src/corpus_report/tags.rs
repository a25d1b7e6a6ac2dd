//! The annotation tags of MultiNLI, as a table and on each example.

use super::{long_examples, reach_note};
use crate::answers::judge;
use crate::asking::require_same_texts;
use crate::corpus_tools::lost_tags;
use crate::data::LoadedData;
use crate::error::Error;
use crate::evaluate::{original, with_recorded};
use crate::models::{ModelSource, NamedModel};
use crate::row_numbers::placed;
use crate::session::Session;
use acidtest_corpus::{Format, Writer};
use acidtest_evaluate::measurement::{Measurement, Metric, SetId, Subject};
use acidtest_evaluate::report::{Cell, Report, ReportBlock, Section, SectionId, Table, TableColumn};
use acidtest_evaluate::statistics::Proportion;
use acidtest_evaluate::{Missing, Predictions};
use acidtest_nli::Example;
use acidtest_survey::annotation::{Annotation, AnnotationMode, TagRow, TagStatistics, TagTable, annotate};
use acidtest_threads::in_order;
use std::collections::BTreeMap;
use std::path::Path;

/// Tags every example, counts the tags, and adds them to the examples.
pub fn annotation_tags(
    data: &mut LoadedData,
    mode: AnnotationMode,
    predictions: Option<&NamedModel>,
    session: &Session<'_>,
) -> Result<Report, Error> {
    let right = predictions.map(|model| right_predictions(data, model)).transpose()?;
    let annotations = annotated(&data.examples, mode, session)?;
    let mut table = TagTable::default();
    for (n, (example, annotation)) in data.examples.iter_mut().zip(annotations).enumerate() {
        table.add(&annotation, example.gold, right.as_ref().and_then(|right| right[n]));
        for tag in annotation.present() {
            example.tags.set(tag, "yes");
        }
        for tag in annotation.unknown() {
            example.tags.set(tag, "unknown");
        }
    }
    let name = if mode == AnnotationMode::AsPublished { "as-published" } else { "clean" };
    let options = BTreeMap::from([("mode".to_string(), name.to_string())]);
    let sources = with_recorded(data, predictions.map_or(&[], std::slice::from_ref));
    let found = table.finish();
    let measured = measured(&found, &original(data).id, predictions.map(|model| model.name.as_str()));
    let mut report = Report::new(
        "Annotation tags".to_string(),
        session.provenance(sources, BTreeMap::new(), options),
        vec![section(&found, right.is_some(), reach_note(long_examples(&data.examples)))],
    );
    report.measure(measured);
    Ok(report)
}

/// Writes examples in the format that the file name implies, with a note on tags that it has no room for.
pub fn write_examples(examples: &[Example<'_>], path: &Path, session: &Session<'_>) -> Result<(), Error> {
    let mut writer = Writer::create(path, Format::of_path(path)?)?;
    examples.iter().try_for_each(|example| writer.write(example))?;
    lost_tags(&writer).iter().for_each(|note| session.note(note));
    Ok(writer.finish()?)
}

/// The tags of every example, in order.
fn annotated(examples: &[Example<'static>], mode: AnnotationMode, session: &Session<'_>) -> Result<Vec<Annotation>, Error> {
    const TOGETHER: usize = 512;
    let mut parts = examples.chunks(TOGETHER);
    let mut found = Vec::with_capacity(examples.len());
    in_order(
        &session.threads,
        || {
            session.check_cancelled()?;
            Ok::<_, Error>(parts.next())
        },
        |part: &[Example<'static>]| Ok(part.iter().map(|example| annotate(example, mode)).collect::<Vec<_>>()),
        |part| {
            found.extend(part);
            Ok(())
        },
    )?;
    Ok(found)
}

/// For each example, whether the saved prediction is correct; `None` for unlabelled examples.
fn right_predictions(data: &LoadedData, model: &NamedModel) -> Result<Vec<Option<bool>>, Error> {
    let ModelSource::Recorded { answers, pairs, .. } = &model.source else {
        return Err(Error::NotRecorded { model: model.name.clone() });
    };
    let set = original(data);
    let (answers, pairs) = placed((answers, pairs), &data.gaps, data.examples.len(), &model.name)?;
    require_same_texts((&answers, &pairs), std::slice::from_ref(&set), &model.name)?;
    let (items, predictions) = (set.items(), Predictions::Keyed(answers.into_owned()));
    let judged = judge(&items, &predictions, Missing::Refuse, None).map_err(|source| Error::Judge {
        model: model.name.clone(),
        set: set.name().to_string(),
        source,
    })?;
    Ok(judged.outcomes.iter().map(|outcome| outcome.map(|outcome| outcome.is_right())).collect())
}

/// How frequent each tag is, the share of its most frequent label, and the accuracy of predictions on its examples.
fn measured(found: &TagStatistics, set: &SetId, model: Option<&str>) -> Vec<Measurement> {
    let corpus = Subject::corpus(set);
    let counts = |share: acidtest_survey::Share| Proportion { count: share.count, total: share.total };
    let mut measured = Vec::new();
    for row in std::iter::once(&found.all).chain(&found.tags) {
        let tagged = |one: Measurement| if row.kind.is_some() { one.with("tag", row.name) } else { one };
        measured.extend(corpus.share(Metric::Share, counts(row.frequency)).map(|one| tagged(one).with("property", "tagged")));
        if let Some(label) = &row.most_frequent_label {
            measured.extend(corpus.share(Metric::Share, counts(label.share)).map(|one| tagged(one).with("gold", label.label)));
        }
        if let (Some(model), Some(accuracy)) = (model, row.accuracy) {
            let subject = Subject { model, ..corpus };
            measured.extend(subject.share(Metric::Accuracy, counts(accuracy)).map(tagged));
        }
    }
    measured
}

fn section(found: &TagStatistics, with_predictions: bool, long: Option<String>) -> Section {
    let mut columns = vec![
        TableColumn::left("tag"),
        TableColumn::right("frequency"),
        TableColumn::left("most frequent label"),
        TableColumn::right("its share"),
    ];
    if with_predictions {
        columns.push(TableColumn::right("accuracy"));
    }
    columns.push(TableColumn::right("unknown"));
    let row = |row: &TagRow| {
        let rate = |share: acidtest_survey::Share| Cell::rate_of_group(Proportion { count: share.count, total: share.total });
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
    let mut notes: Vec<String> = long.into_iter().collect();
    if found.tagged_here > 0 {
        let examples = found.all.frequency.total;
        notes.push(format!(
            "{} of {examples} examples have a sentence without a parse, whose parts of speech come from Acidtest's own tagger.",
            found.tagged_here
        ));
    }
    if found.tags.iter().any(|row| row.unknown > 0) {
        notes.push("Unknown: examples without the parse that the tag needs.".to_string());
    }
    let rows = std::iter::once(&found.all).chain(&found.tags).map(row).collect();
    Section::new(
        SectionId::AnnotationTags,
        "Annotation tags (MultiNLI, table 5)",
        notes,
        vec![ReportBlock::Table(Table::new(1, columns, rows))],
    )
}
