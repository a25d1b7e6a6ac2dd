//! Recovers the HANS columns of pairs from their texts.

use crate::corpus_tools::lost_tags;
use crate::data::Data;
use crate::session::Session;
use acidtest_challenge::hans::{CATEGORY, HansRow, Identifier, Reading, WordRepetition};
use acidtest_corpus::{CorpusError, EncodedRows, Encoder, Examples, FileRead, Format, IdPolicy, Writer, for_blocks};
use acidtest_files::InputGuard;
use acidtest_nli::{Example, Judgment, Side, tag};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The tag of a pair with several readings: all of them, as `subcase/template/category`, separated by bars.
pub const READINGS: &str = "readings";
/// The tag of a pair whose premise repeats a word, so that the generator would not make it.
pub const REPEATED_WORD: &str = "repeated_word";
/// How many pairs without a reading are listed.
const KEPT: usize = 10;

/// What to identify, and where to write it.
pub struct IdentifyRequest<'r, 's> {
    /// The templates.
    pub identifier: &'r Identifier<'s>,
    /// The examples.
    pub data: Data,
    /// The output, if any; `-` is standard output.
    pub output: Option<PathBuf>,
    /// Its format.
    pub format: Format,
}

/// The result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identified {
    /// The number of pairs.
    pub rows: u64,
    /// Pairs with one reading, by subcase.
    pub unique: BTreeMap<String, u64>,
    /// Pairs with several readings, by their subcases.
    pub ambiguous: BTreeMap<Vec<String>, u64>,
    /// Pairs without a reading.
    pub unrecognised: u64,
    /// The first pairs without a reading.
    pub first_unrecognised: Vec<Unrecognised>,
    /// Recognised pairs in which a word is repeated.
    pub repeated_word: u64,
    /// How pairs with one reading agree with the tags of the file.
    pub agreement: ReadingAgreement,
    /// Rows that could not be read and were skipped.
    pub skipped: u64,
    /// Name and content hash of each file.
    pub files: Vec<FileRead>,
}

/// The maximum length of a text in a report.
const LISTED: usize = 1000;

/// A text for reports, shortened if it is very long.
pub(crate) fn listed_text(text: &str) -> String {
    match text.char_indices().nth(LISTED) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text.to_string(),
    }
}

/// A pair that no template generates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unrecognised {
    /// Its id.
    pub id: String,
    /// Its premise, shortened if it is very long.
    pub premise: String,
    /// Its hypothesis.
    pub hypothesis: String,
}

/// For pairs with one reading whose file has the tag: how many agree, and how many there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadingAgreement {
    /// The gold label.
    pub label: (u64, u64),
    /// The heuristic.
    pub heuristic: (u64, u64),
    /// The subcase.
    pub subcase: (u64, u64),
    /// The template.
    pub template: (u64, u64),
}

impl Identified {
    /// The number of pairs with one reading.
    pub fn unique_rows(&self) -> u64 {
        self.unique.values().sum()
    }

    /// The number of pairs with several readings.
    pub fn ambiguous_rows(&self) -> u64 {
        self.ambiguous.values().sum()
    }

    fn count(&mut self, example: &Example<'_>, readings: &[Reading<'_>]) {
        self.rows += 1;
        self.repeated_word += u64::from(readings.iter().any(|reading| reading.words == WordRepetition::Repeat));
        match readings {
            [] => {
                self.unrecognised += 1;
                if self.first_unrecognised.len() < KEPT {
                    self.first_unrecognised.push(Unrecognised {
                        id: example.pair.id.to_string(),
                        premise: listed_text(&example.pair.premise.text),
                        hypothesis: listed_text(&example.pair.hypothesis.text),
                    });
                }
            }
            [reading] => {
                let subcase = reading.row.subcase();
                match self.unique.get_mut(&subcase.name) {
                    Some(count) => *count += 1,
                    None => _ = self.unique.insert(subcase.name.clone(), 1),
                }
                self.agreement.count(example, &reading.row);
            }
            several => {
                let subcases: BTreeSet<&str> = several.iter().map(|reading| reading.row.subcase().name.as_str()).collect();
                *self.ambiguous.entry(subcases.into_iter().map(str::to_string).collect()).or_default() += 1;
            }
        }
    }

    fn add(&mut self, later: Identified) {
        self.rows += later.rows;
        self.unrecognised += later.unrecognised;
        self.repeated_word += later.repeated_word;
        later.unique.into_iter().for_each(|(subcase, rows)| *self.unique.entry(subcase).or_default() += rows);
        later.ambiguous.into_iter().for_each(|(subcases, rows)| *self.ambiguous.entry(subcases).or_default() += rows);
        let room = KEPT - self.first_unrecognised.len();
        self.first_unrecognised.extend(later.first_unrecognised.into_iter().take(room));
        let ReadingAgreement { label, heuristic, subcase, template } = later.agreement;
        let own = &mut self.agreement;
        for (own, more) in
            [(&mut own.label, label), (&mut own.heuristic, heuristic), (&mut own.subcase, subcase), (&mut own.template, template)]
        {
            *own = (own.0 + more.0, own.1 + more.1);
        }
    }
}

impl ReadingAgreement {
    fn count(&mut self, example: &Example<'_>, row: &HansRow<'_>) {
        let hold = |counts: &mut (u64, u64), said: Option<bool>| {
            if let Some(same) = said {
                *counts = (counts.0 + u64::from(same), counts.1 + 1);
            }
        };
        // A two-way set labels contradictions as non-entailment, which is not a disagreement.
        let same_label = |said: Judgment| match (said.label(), row.gold().label()) {
            (Some(said), Some(gold)) => said == gold,
            _ => said.is_entailment() == row.gold().is_entailment(),
        };
        hold(&mut self.label, example.gold.map(same_label));
        // A file with several possibilities separates them by bars.
        let said = |name: &str, found: &str| example.tags.get(name).map(|said| said.split('|').any(|said| said.trim() == found));
        hold(&mut self.heuristic, said(tag::HEURISTIC, &row.subcase().heuristic));
        hold(&mut self.subcase, said(tag::SUBCASE, &row.subcase().name));
        hold(&mut self.template, said(tag::TEMPLATE, &row.template().id));
    }
}

/// Looks up every pair and writes it with the result: tags, and parses if it has none.
pub(crate) fn identify_rows(request: IdentifyRequest<'_, '_>, session: &Session<'_>) -> Result<Identified, CorpusError> {
    let IdentifyRequest { identifier, data, output, format } = request;
    let _guard = InputGuard::new();
    let mut source = data.source();
    let mut writer = output.as_deref().map(|path| Writer::create(path, format)).transpose()?;
    let encoder = writer.as_ref().map(Writer::encoder);
    let mut all = Identified::default();
    let counts = for_blocks(
        &mut *source,
        session.loop_options(IdPolicy::Unique),
        |examples| identified(identifier, examples, encoder.as_ref()),
        |(found, rows)| {
            all.add(found);
            writer.as_mut().map_or(Ok(()), |writer| writer.write_rows(&rows))
        },
    )?;
    if let Some(writer) = writer {
        lost_tags(&writer).iter().for_each(|note| session.note(note));
        writer.finish()?;
    }
    all.skipped = counts.skipped;
    all.files = counts.files;
    Ok(all)
}

fn identified(
    identifier: &Identifier<'_>,
    examples: &mut Examples<'_>,
    encoder: Option<&Encoder>,
) -> Result<(Identified, EncodedRows), CorpusError> {
    let (mut found, mut rows) = (Identified::default(), encoder.map(Encoder::rows_of_block).unwrap_or_default());
    for row in examples {
        let mut example = row.example;
        let readings = identifier.readings(&example.pair.premise.text, &example.pair.hypothesis.text);
        found.count(&example, &readings);
        if let Some(encoder) = encoder {
            complete(&mut example, &readings);
            encoder.add(&example, &mut rows)?;
        }
    }
    Ok((found, rows))
}

/// A field of a reading.
type FieldOf = fn(&HansRow<'_>) -> String;

/// Adds what all readings agree on, and the readings themselves if there are several.
fn complete(example: &mut Example<'_>, readings: &[Reading<'_>]) {
    let Some(first) = readings.first().map(|reading| &reading.row) else { return };
    let agreed = |value: FieldOf| {
        let own = value(first);
        readings[1..].iter().all(|reading| value(&reading.row) == own).then_some(own)
    };
    let tags: [(&str, FieldOf); 4] = [
        (tag::HEURISTIC, |row| row.subcase().heuristic.clone()),
        (tag::SUBCASE, |row| row.subcase().name.clone()),
        (tag::TEMPLATE, |row| row.template().id.clone()),
        (CATEGORY, |row| row.category().name.clone()),
    ];
    for (name, value) in tags {
        // If readings differ, the tag of the file is kept.
        if let Some(value) = agreed(value) {
            example.tags.set(name, value);
        }
    }
    if readings.len() > 1 {
        let reading = |Reading { row, .. }: &Reading<'_>| format!("{}/{}/{}", row.subcase().name, row.template().id, row.category().name);
        example.tags.set(READINGS, readings.iter().map(reading).collect::<Vec<_>>().join(" | "));
    }
    if readings.iter().all(|reading| reading.words == WordRepetition::Repeat) {
        example.tags.set(REPEATED_WORD, "yes");
    }
    let absent = |parse: &Option<std::borrow::Cow<'_, str>>| parse.as_deref().is_none_or(|parse| parse.trim().is_empty());
    let premise = &mut example.pair.premise;
    if absent(&premise.parse) {
        premise.parse = agreed(|row| row.parse(Side::Premise)).map(Into::into);
    }
    if absent(&premise.binary_parse) {
        premise.binary_parse = agreed(|row| row.binary_parse(Side::Premise)).map(Into::into);
    }
    let hypothesis = &mut example.pair.hypothesis;
    if absent(&hypothesis.parse) {
        hypothesis.parse = agreed(|row| row.parse(Side::Hypothesis)).map(Into::into);
    }
    if absent(&hypothesis.binary_parse) {
        hypothesis.binary_parse = agreed(|row| row.binary_parse(Side::Hypothesis)).map(Into::into);
    }
}
