//! The rows of the example browser, on their way into files.
//!
//! `data/index-N.js` holds the codes of the filters of 50,000 rows, `data/text-N.js` the ids, sentences, scores, tags and changes of 2,000.

use super::facets::{ANSWER, Facet, Facets, GOLD, MOST_TAGS, MOST_VALUES, RIGHT, SET, judgment_code};
use super::{BrowserRow, MisleadingWords};
use crate::report::layout::one_line;
use acidtest_nli::{Change, Label, Side};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use std::collections::BTreeMap;

const ROWS_IN_TEXT: usize = 2_000;
const ROWS_IN_INDEX: usize = 50_000;
/// Sets have a name each; there are never so many.
const MOST_SETS: usize = u16::MAX as usize - 1;

/// Rows that wait for their files to be full.
#[derive(Debug, Default)]
pub(super) struct Rows {
    rows: usize,
    text: Texts,
    index: Index,
    sets: Facet,
    tags: Vec<TagFilter>,
}

/// The filter for one tag, and its codes for the rows of the index file in the making.
#[derive(Debug)]
struct TagFilter {
    facet: Facet,
    codes: Vec<u16>,
    state: State,
}

#[derive(Debug, PartialEq)]
enum State {
    Filters,
    /// The tag has too many values to choose from.
    Overflowed,
}

#[derive(Debug, Default)]
struct Index {
    sets: Vec<u16>,
    /// Gold, answer and right, packed.
    outcomes: Vec<u16>,
}

impl Rows {
    pub(super) fn add<Failure>(
        &mut self,
        row: BrowserRow<'_>,
        sink: &mut impl FnMut(&str, &[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.text.add(&row);
        self.add_codes(&row);
        self.rows += 1;
        if self.rows.is_multiple_of(ROWS_IN_TEXT) {
            self.write_text(sink)?;
        }
        if self.rows.is_multiple_of(ROWS_IN_INDEX) {
            self.write_index(sink)?;
        }
        Ok(())
    }

    /// Gives out what is left.
    pub(super) fn finish<Failure>(mut self, sink: &mut impl FnMut(&str, &[u8]) -> Result<(), Failure>) -> Result<Facets, Failure> {
        if !self.rows.is_multiple_of(ROWS_IN_TEXT) {
            self.write_text(sink)?;
        }
        if !self.rows.is_multiple_of(ROWS_IN_INDEX) {
            self.write_index(sink)?;
        }
        self.sets.name = SET.to_string();
        let mut facets = Facets::fixed(self.sets);
        let tags = self.tags.into_iter().filter(|tag| tag.state == State::Filters).map(|tag| tag.facet);
        facets.extend(tags);
        Ok(Facets { rows: self.rows, rows_in_text: ROWS_IN_TEXT, rows_in_index: ROWS_IN_INDEX, facets })
    }

    fn add_codes(&mut self, row: &BrowserRow) {
        self.index.sets.push(self.sets.code(row.set, MOST_SETS).unwrap_or(0));
        let right = row.right.map_or(0, |right| if right { 1 } else { 2 });
        self.index.outcomes.push(judgment_code(row.gold) | judgment_code(row.answer) << 3 | right << 6);
        let place = self.index.sets.len();
        for (name, value) in row.tags.iter() {
            if let Some(tag) = self.tag(name).filter(|tag| tag.state == State::Filters) {
                match tag.facet.code(value, MOST_VALUES) {
                    // Rows before this one may not have had the tag.
                    Some(code) => {
                        tag.codes.resize(place - 1, 0);
                        tag.codes.push(code);
                    }
                    None => *tag = TagFilter { facet: Facet::new(name), codes: Vec::new(), state: State::Overflowed },
                }
            }
        }
    }

    /// The filter for a tag, if there can be one.
    fn tag(&mut self, name: &str) -> Option<&mut TagFilter> {
        let known = self.tags.iter().position(|tag| tag.facet.name == name);
        // A tag of such a name would be taken for the fact itself.
        let taken = [SET, GOLD, ANSWER, RIGHT].contains(&name);
        match known {
            Some(at) => self.tags.get_mut(at),
            None if taken || self.tags.len() >= MOST_TAGS => None,
            None => {
                self.tags.push(TagFilter { facet: Facet::new(name), codes: Vec::new(), state: State::Filters });
                self.tags.last_mut()
            }
        }
    }

    fn write_text<Failure>(&mut self, sink: &mut impl FnMut(&str, &[u8]) -> Result<(), Failure>) -> Result<(), Failure> {
        let number = (self.rows - 1) / ROWS_IN_TEXT;
        let texts = std::mem::take(&mut self.text);
        sink(&format!("data/text-{number}.js"), script("text", number, &texts.columns()).as_bytes())
    }

    fn write_index<Failure>(&mut self, sink: &mut impl FnMut(&str, &[u8]) -> Result<(), Failure>) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Columns<'a> {
            set: Codes,
            outcome: Codes,
            tags: BTreeMap<&'a str, Codes>,
        }
        let number = (self.rows - 1) / ROWS_IN_INDEX;
        let index = std::mem::take(&mut self.index);
        let rows = index.sets.len();
        let mut tags = BTreeMap::new();
        for tag in self.tags.iter_mut().filter(|tag| tag.state == State::Filters && !tag.codes.is_empty()) {
            tag.codes.resize(rows, 0);
            tags.insert(tag.facet.name.as_str(), Codes::of(&tag.codes));
            tag.codes.clear();
        }
        let columns = Columns { set: Codes::of(&index.sets), outcome: Codes::of(&index.outcomes), tags };
        sink(&format!("data/index-{number}.js"), script("index", number, &columns).as_bytes())
    }
}

/// A call of one of the page's functions.
fn script(function: &str, number: usize, columns: &impl Serialize) -> String {
    let columns = serde_json::to_string(columns).expect("columns have text keys and text values");
    format!("acidtest.{function}({number},{columns});\n")
}

/// A column of codes in base64, of one byte or two (the lower first) each.
#[derive(Debug, Serialize)]
struct Codes {
    bytes: u8,
    base64: String,
}

impl Codes {
    fn of(codes: &[u16]) -> Self {
        let narrow: Option<Vec<u8>> = codes.iter().map(|code| u8::try_from(*code).ok()).collect();
        match narrow {
            Some(codes) => Codes { bytes: 1, base64: STANDARD.encode(codes) },
            None => {
                let wide: Vec<u8> = codes.iter().flat_map(|code| code.to_le_bytes()).collect();
                Codes { bytes: 2, base64: STANDARD.encode(wide) }
            }
        }
    }
}

/// The texts of the rows of one chunk, column by column, each row on its line.
#[derive(Debug, Default)]
struct Texts {
    rows: usize,
    ids: String,
    premises: String,
    hypotheses: String,
    scores: String,
    /// Values in the order in which they come up, and the code of every row so far.
    tags: BTreeMap<String, (Facet, Vec<u16>)>,
    changes: Vec<(usize, Side, usize, usize, String)>,
    misled: Vec<MisledRow>,
}

/// How the words of a row of the chunk mislead.
#[derive(Debug, Serialize)]
struct MisledRow {
    row: usize,
    score: f64,
    toward: Label,
    probabilities: [f64; 3],
    features: Vec<(String, f64)>,
}

impl MisledRow {
    fn new(row: usize, misled: &MisleadingWords) -> Self {
        let rounded = |number: f64| (number * 1e4).round() / 1e4;
        MisledRow {
            row,
            score: rounded(misled.score),
            toward: misled.toward,
            probabilities: misled.probabilities.map(rounded),
            features: misled.features.iter().map(|(feature, push)| (one_line(feature), rounded(*push))).collect(),
        }
    }
}

impl Texts {
    fn add(&mut self, row: &BrowserRow) {
        let columns = [(&mut self.ids, row.id), (&mut self.premises, row.premise), (&mut self.hypotheses, row.hypothesis)];
        for (column, text) in columns {
            if self.rows > 0 {
                column.push('\n');
            }
            // Offsets of changes stay true: every letter is replaced by one letter.
            column.push_str(&one_line(text));
        }
        if self.rows > 0 {
            self.scores.push('\n');
        }
        if let Some(scores) = row.scores {
            let scores: Vec<String> = scores.values().iter().copied().map(short_number).collect();
            self.scores.push_str(&scores.join(" "));
        }
        for (name, value) in row.tags.iter() {
            if !self.tags.contains_key(name) {
                self.tags.insert(name.to_string(), (Facet::new(name), Vec::new()));
            }
            let (values, codes) = self.tags.get_mut(name).expect("it is there by now");
            let code = values.code(value, ROWS_IN_TEXT).expect("a chunk has no more values than rows");
            codes.resize(self.rows, 0);
            codes.push(code);
        }
        self.changes.extend(row.changes.iter().filter_map(|change| placed(self.rows, row, change)));
        self.misled.extend(row.misled.map(|misled| MisledRow::new(self.rows, misled)));
        self.rows += 1;
    }

    fn columns(mut self) -> impl Serialize {
        #[derive(Serialize)]
        struct Tag {
            name: String,
            values: Vec<String>,
            codes: Codes,
        }
        #[derive(Serialize)]
        struct Columns {
            rows: usize,
            id: String,
            premise: String,
            hypothesis: String,
            scores: String,
            tags: Vec<Tag>,
            changes: Vec<(usize, Side, usize, usize, String)>,
            misled: Vec<MisledRow>,
        }
        let rows = self.rows;
        let tag = |(name, (facet, mut codes)): (String, (Facet, Vec<u16>))| {
            codes.resize(rows, 0);
            Tag { name, values: facet.values, codes: Codes::of(&codes) }
        };
        // Without any scores the column is empty, not so many empty lines.
        let scores = if self.scores.len() + 1 == rows { String::new() } else { std::mem::take(&mut self.scores) };
        let tags = std::mem::take(&mut self.tags).into_iter().map(tag).collect();
        let Texts { ids: id, premises: premise, hypotheses: hypothesis, changes, misled, .. } = self;
        Columns { rows, id, premise, hypothesis, scores, tags, changes, misled }
    }
}

/// A change with its ends in the units of a browser's strings (UTF-16); `None` if it lies outside its sentence.
fn placed(row: usize, of: &BrowserRow, change: &Change) -> Option<(usize, Side, usize, usize, String)> {
    let text = match change.side {
        Side::Premise => of.premise,
        Side::Hypothesis => of.hypothesis,
    };
    if change.start > change.end || change.end > text.chars().count() {
        return None;
    }
    let units = |letters: usize| text.chars().take(letters).map(char::len_utf16).sum();
    Some((row, change.side, units(change.start), units(change.end), one_line(&change.before)))
}

/// Three digits after the point are enough to look at.
fn short_number(number: f64) -> String {
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_short() {
        assert_eq!([0.5, 1.0, 0.0, -0.0001, 10.0, 2.3456].map(short_number), ["0.5", "1", "0", "0", "10", "2.346"]);
    }

    #[test]
    fn codes_take_a_second_byte_only_where_they_must() {
        let codes = |codes: &[u16]| (Codes::of(codes).bytes, Codes::of(codes).base64);
        assert_eq!(codes(&[1, 255]), (1, STANDARD.encode([1, 255])));
        assert_eq!(codes(&[1, 256]), (2, STANDARD.encode([1, 0, 0, 1])));
    }
}
