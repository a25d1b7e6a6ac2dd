//! What rows can be filtered by.

use super::escape::address_part;
use crate::breakdown::NO_VALUE;
use acidtest_nli::{Judgment, Label};
use serde::Serialize;
use std::collections::HashMap;

/// A tag with more values than this names rows rather than groups of them: it is shown with the row, but there is no filter for it.
pub(super) const MOST_VALUES: usize = 500;
/// So many tags have a filter; a form with more would help nobody.
pub(super) const MOST_TAGS: usize = 24;

/// The judgments in the order of their codes, which begin at 1; code 0 is none.
const JUDGMENTS: [Judgment; 4] =
    [Judgment::Exact(Label::Entailment), Judgment::Exact(Label::Neutral), Judgment::Exact(Label::Contradiction), Judgment::NotEntailment];

/// The code of a judgment.
pub(super) fn judgment_code(judgment: Option<Judgment>) -> u16 {
    judgment.and_then(|judgment| JUDGMENTS.iter().position(|other| *other == judgment)).map_or(0, |at| at as u16 + 1)
}

/// The filters that every report has beside those for tags.
pub(super) const SET: &str = "set";
pub(super) const GOLD: &str = "gold";
pub(super) const ANSWER: &str = "answer";
pub(super) const RIGHT: &str = "right";

/// The values of one filter; a row's code is a value's place counted from 1, or 0 for none.
#[derive(Debug, Default, Serialize)]
pub(super) struct Facet {
    pub name: String,
    pub values: Vec<String>,
    #[serde(skip)]
    codes: HashMap<String, u16>,
}

impl Facet {
    pub(super) fn new(name: &str) -> Self {
        Facet { name: name.to_string(), ..Facet::default() }
    }

    fn fixed<'a>(name: &str, values: impl IntoIterator<Item = &'a str>) -> Self {
        Facet { values: values.into_iter().map(str::to_string).collect(), ..Facet::new(name) }
    }

    /// The code of a value, which is taken up if it is new; `None` if there are too many values.
    pub(super) fn code(&mut self, value: &str, most: usize) -> Option<u16> {
        if let Some(code) = self.codes.get(value) {
            return Some(*code);
        }
        if self.values.len() >= most {
            return None;
        }
        self.values.push(value.to_string());
        let code = self.values.len() as u16;
        self.codes.insert(value.to_string(), code);
        Some(code)
    }
}

/// All filters, and where the rows lie.
#[derive(Debug, Serialize)]
pub(super) struct Facets {
    /// How many rows there are, in each text chunk but the last, and in each index file but the last.
    pub rows: usize,
    pub rows_in_text: usize,
    pub rows_in_index: usize,
    pub facets: Vec<Facet>,
}

impl Facets {
    /// The four fixed filters in the order in which index files pack them, then the tags.
    pub(super) fn fixed(sets: Facet) -> Vec<Facet> {
        let judgments = JUDGMENTS.map(Judgment::name);
        vec![sets, Facet::fixed(GOLD, judgments), Facet::fixed(ANSWER, judgments), Facet::fixed(RIGHT, ["right", "wrong"])]
    }

    /// The facts that the page's scripts start from, safe inside a script element.
    pub(super) fn manifest(&self) -> String {
        serde_json::to_string(self).expect("facets are text and numbers").replace('<', "\\u003c")
    }

    /// The address of the rows with these values; `None` where the browser cannot show just them.
    pub(super) fn address(&self, values: &[(&str, &str)]) -> Option<String> {
        // Tables call it what it is, files what it has always been called.
        let values: Vec<(&str, &str)> =
            values.iter().map(|&(name, value)| (if name == "prediction" { ANSWER } else { name }, value)).collect();
        let known = |(name, value): &(&str, &str)| {
            let facet = self.facets.iter().find(|facet| facet.name == *name);
            facet.is_some_and(|facet| *value == NO_VALUE || facet.values.iter().any(|other| other == value))
        };
        if self.rows == 0 || values.is_empty() || !values.iter().all(known) {
            return None;
        }
        let parts: Vec<String> = values.iter().map(|(name, value)| format!("{}={}", address_part(name), address_part(value))).collect();
        Some(format!("#examples?{}", parts.join("&amp;")))
    }
}
