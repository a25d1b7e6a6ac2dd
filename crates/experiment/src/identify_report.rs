//! Which templates pairs come from, as a report.

use crate::data::{inputs, note_read, set_of_files};
use crate::error::Error;
use crate::identify::{Identified, IdentifyRequest, identify_rows};
use crate::session::Session;
use acidtest_challenge::hans::TemplateSet;
use acidtest_evaluate::measurement::{Measurement, Metric, Subject};
use acidtest_evaluate::report::{Cell, Report, ReportBlock, Section, SectionId, Table, TableColumn};
use acidtest_evaluate::statistics::Proportion;
use acidtest_nli::tag;
use std::collections::BTreeMap;

/// Looks up every pair in the templates of a grammar, and reports the result.
pub fn identify(request: IdentifyRequest<'_, '_>, set: &TemplateSet, session: &Session<'_>) -> Result<(Identified, Report), Error> {
    let found = identify_rows(request, session)?;
    note_read(&found.files, session);
    let provenance = session.provenance(inputs("data", &found.files), BTreeMap::new(), BTreeMap::new());
    let mut report = Report::new("Templates of HANS pairs", provenance, sections(&found, set));
    report.measure(measured(&found, Subject::corpus(&set_of_files(&found.files))));
    Ok((found, report))
}

/// How many pairs have one reading, several or none, and how many of each subcase.
fn measured(found: &Identified, subject: Subject<'_>) -> Vec<Measurement> {
    let readings = [("one", found.unique_rows()), ("several", found.ambiguous_rows()), ("none", found.unrecognised)];
    let share = |(readings, count): (&str, u64)| {
        Some(subject.share(Metric::Share, Proportion { count, total: found.rows })?.with("readings", readings))
    };
    let subcases = found.unique.iter().map(|(subcase, count)| subject.examples(*count).with(tag::SUBCASE, subcase.as_str()));
    readings.into_iter().filter_map(share).chain(subcases).collect()
}

fn sections(found: &Identified, set: &TemplateSet) -> Vec<Section> {
    let mut sections = vec![recognised(found)];
    if let Some(section) = agreement(found) {
        sections.push(section);
    }
    if !found.ambiguous.is_empty() {
        sections.push(ambiguous(found));
    }
    if !found.unique.is_empty() {
        sections.push(subcases(found, set));
    }
    if !found.first_unrecognised.is_empty() {
        sections.push(unrecognised(found));
    }
    sections
}

fn section(id: SectionId, title: &str, notes: &[&str], columns: Vec<TableColumn>, rows: Vec<Vec<Cell>>) -> Section {
    let blocks = vec![ReportBlock::Table(Table::new(1, columns, rows))];
    Section::new(id, title, Vec::new(), blocks).captioned(notes.iter().map(|note| note.to_string()))
}

fn rate(count: u64, total: u64) -> Cell {
    Cell::rate_of_group(Proportion { count, total })
}

fn recognised(found: &Identified) -> Section {
    let counts = [
        ("one reading", found.unique_rows()),
        ("several readings", found.ambiguous_rows()),
        ("not recognised", found.unrecognised),
        ("recognised, but with a repeated word", found.repeated_word),
    ];
    let row = |(name, count): (&str, u64)| vec![Cell::text(name), Cell::Count { count }, rate(count, found.rows)];
    let columns = vec![TableColumn::left(""), TableColumn::right("examples"), TableColumn::right("share")];
    section(SectionId::Recognised, "Recognised", &[], columns, counts.map(row).into())
}

fn agreement(found: &Identified) -> Option<Section> {
    let agreement = &found.agreement;
    let counts =
        [("label", agreement.label), ("heuristic", agreement.heuristic), ("subcase", agreement.subcase), ("template", agreement.template)];
    let row = |(name, (same, said)): (&str, (u64, u64))| vec![Cell::text(name), Cell::Count { count: said }, rate(same, said)];
    let rows: Vec<Vec<Cell>> = counts.into_iter().filter(|(_, (_, said))| *said > 0).map(row).collect();
    let columns = vec![TableColumn::left(""), TableColumn::right("examples that state it"), TableColumn::right("agrees with the grammar")];
    let notes = ["Based on the examples with one reading."];
    (!rows.is_empty()).then(|| section(SectionId::StatedTags, "What the file states", &notes, columns, rows))
}

fn ambiguous(found: &Identified) -> Section {
    let row = |(subcases, rows): (&Vec<String>, &u64)| vec![Cell::text(subcases.join(" | ")), Cell::Count { count: *rows }];
    let columns = vec![TableColumn::left("subcases"), TableColumn::right("examples")];
    section(SectionId::Ambiguous, "Several readings", &[], columns, found.ambiguous.iter().map(row).collect())
}

fn subcases(found: &Identified, set: &TemplateSet) -> Section {
    let rows = set.subcases().iter().filter_map(|subcase| found.unique.get(&subcase.name).map(|rows| (subcase, *rows)));
    let row = |(subcase, count): (&acidtest_challenge::hans::Subcase, u64)| {
        vec![Cell::text(&subcase.name), Cell::text(&subcase.heuristic), Cell::text(subcase.gold.name()), Cell::Count { count }]
    };
    let columns =
        vec![TableColumn::left("subcase"), TableColumn::left("heuristic"), TableColumn::left("label"), TableColumn::right("examples")];
    section(SectionId::Subcases, "Examples with one reading", &[], columns, rows.map(row).collect())
}

fn unrecognised(found: &Identified) -> Section {
    let rows = found.first_unrecognised.iter().map(|row| [&row.id, &row.premise, &row.hypothesis].map(Cell::text).into());
    let columns = ["id", "premise", "hypothesis"].map(TableColumn::left).into();
    section(SectionId::Unrecognised, "First unrecognised examples", &[], columns, rows.collect())
}
