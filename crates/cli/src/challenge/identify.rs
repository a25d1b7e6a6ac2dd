//! `acidtest challenge identify`: gives HANS pairs back what their file has lost.

use super::hans::{format_of, grammar};
use crate::flags::{DataFlags, ThreadFlags};
use crate::options::{files, tell_skipped};
use crate::show::{FormatFlag, inputs, provenance};
use acidtest_challenge::Mode;
use acidtest_challenge::hans::{Identifier, TemplateSet};
use acidtest_corpus::Format;
use acidtest_evaluate::report::{Block, Cell, Column, Report, Section, Table};
use acidtest_evaluate::statistics::Proportion;
use acidtest_experiment::{Identified, IdentifyRequest, identify_rows};
use anyhow::Result;
use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Find heuristic, subcase, template and parses of HANS pairs that have lost them
///
/// Rows are written with the tags heuristic, subcase, template and category, and with parses where they have none. A pair that several
/// templates make has them all in the tag `readings`.
#[derive(Args)]
pub struct Identify {
    /// Corpora: files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Where the rows go; `-` for standard output, instead of the report
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Grammar that made the pairs (see docs/grammar.md) [default: that of HANS]
    #[arg(long, value_name = "FILE")]
    grammar: Option<PathBuf>,
    /// Format of the rows (see `acidtest list formats`) [default: told by the output's name (.txt is HANS text), else our own]
    #[arg(long, value_name = "FORMAT", requires = "output")]
    to: Option<String>,
    #[command(flatten)]
    threads: ThreadFlags,
    #[command(flatten)]
    read: DataFlags,
    #[command(flatten)]
    format: FormatFlag,
}

impl Identify {
    /// Identifies and shows.
    pub fn run(self) -> Result<()> {
        let grammar = grammar(self.grammar.as_deref())?;
        let sets = [grammar.set_up(Mode::AsPublished)?, grammar.set_up(Mode::Clean)?];
        let identifier = Identifier::new(&sets);
        let format = match &self.output {
            Some(output) => format_of(self.to.as_deref(), output)?,
            None => Format::ACIDTEST,
        };
        let found = identify_rows(IdentifyRequest {
            identifier: &identifier,
            files: files(&self.files)?,
            options: self.read.options()?,
            output: self.output.clone(),
            format,
            threads: &self.threads.threads()?,
        })?;
        tell_skipped(found.skipped);
        if self.output.as_ref().is_some_and(|output| output.as_os_str() == "-") {
            let (unique, ambiguous) = (found.unique_rows(), found.ambiguous_rows());
            eprintln!("{} rows: {unique} with one reading, {ambiguous} with several, {} not recognised", found.rows, found.unrecognised);
            return Ok(());
        }
        let report = Report::new(
            "Where HANS pairs come from",
            provenance(inputs("data", &found.files), BTreeMap::new(), BTreeMap::new()),
            sections(&found, &sets[0]),
        );
        self.format.show(&report)
    }
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

fn section(name: &'static str, title: &str, notes: &[&str], columns: Vec<Column>, rows: Vec<Vec<Cell>>) -> Section {
    let notes = notes.iter().map(|note| note.to_string()).collect();
    let blocks = vec![Block::Table(Table { key_columns: 1, columns, rows })];
    Section::new(name, title, notes, blocks)
}

fn rate(count: u64, total: u64) -> Cell {
    Cell::rate(Proportion { count, total })
}

fn recognised(found: &Identified) -> Section {
    let counts = [
        ("one reading", found.unique_rows()),
        ("several readings", found.ambiguous_rows()),
        ("not recognised", found.unrecognised),
        ("recognised, but a word repeats", found.repeated_word),
    ];
    let row = |(name, count): (&str, u64)| vec![Cell::text(name), Cell::Count { count }, rate(count, found.rows)];
    let columns = vec![Column::left(""), Column::right("rows"), Column::right("share")];
    section("recognised", "Recognised", &[], columns, counts.map(row).into())
}

fn agreement(found: &Identified) -> Option<Section> {
    let agreement = &found.agreement;
    let counts =
        [("label", agreement.label), ("heuristic", agreement.heuristic), ("subcase", agreement.subcase), ("template", agreement.template)];
    let row = |(name, (same, said)): (&str, (u64, u64))| vec![Cell::text(name), Cell::Count { count: said }, rate(same, said)];
    let rows: Vec<Vec<Cell>> = counts.into_iter().filter(|(_, (_, said))| *said > 0).map(row).collect();
    let columns = vec![Column::left(""), Column::right("rows that say it"), Column::right("the same as found")];
    let notes = ["Of rows with one reading."];
    (!rows.is_empty()).then(|| section("agreement", "What the file says of its rows", &notes, columns, rows))
}

fn ambiguous(found: &Identified) -> Section {
    let row = |(subcases, rows): (&Vec<String>, &u64)| vec![Cell::text(subcases.join(" | ")), Cell::Count { count: *rows }];
    let columns = vec![Column::left("subcases"), Column::right("rows")];
    section("ambiguous", "Several readings", &[], columns, found.ambiguous.iter().map(row).collect())
}

fn subcases(found: &Identified, set: &TemplateSet) -> Section {
    let rows = set.subcases().iter().filter_map(|subcase| found.unique.get(&subcase.name).map(|rows| (subcase, *rows)));
    let row = |(subcase, count): (&acidtest_challenge::hans::Subcase, u64)| {
        vec![Cell::text(&subcase.name), Cell::text(&subcase.heuristic), Cell::text(subcase.gold.name()), Cell::Count { count }]
    };
    let columns = vec![Column::left("subcase"), Column::left("heuristic"), Column::left("label"), Column::right("rows")];
    section("subcases", "Rows with one reading", &[], columns, rows.map(row).collect())
}

fn unrecognised(found: &Identified) -> Section {
    let rows = found.first_unrecognised.iter().map(|row| [&row.id, &row.premise, &row.hypothesis].map(Cell::text).into());
    let columns = ["id", "premise", "hypothesis"].map(Column::left).into();
    section("unrecognised", "The first rows that are not recognised", &[], columns, rows.collect())
}
