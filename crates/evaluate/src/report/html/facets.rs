//! What examples can be filtered by.

use super::BrowserPrediction;
use super::escape::address_part;
use crate::breakdown::NO_VALUE;
use acidtest_nli::{Judgment, Label, tag};
use serde::Serialize;
use std::collections::HashMap;

/// A tag with more values than this names examples rather than groups of them: it is shown with the example, but there is no filter for it.
pub(super) const MOST_VALUES: usize = 500;
/// The maximum number of tags with a filter.
pub(super) const MOST_TAGS: usize = 24;

/// The judgments in the order of their codes, which begin at 1; code 0 is none.
const JUDGMENTS: [Judgment; 4] =
    [Judgment::Exact(Label::Entailment), Judgment::Exact(Label::Neutral), Judgment::Exact(Label::Contradiction), Judgment::NotEntailment];

/// The code of a judgment.
pub(super) fn judgment_code(judgment: Option<Judgment>) -> u16 {
    judgment.and_then(|judgment| JUDGMENTS.iter().position(|other| *other == judgment)).map_or(0, |at| at as u16 + 1)
}

/// A prediction, whether it is correct and whether it changed, in three, two and two bits.
pub(super) fn outcome_code(prediction: &BrowserPrediction) -> u16 {
    let told = |fact: Option<bool>| fact.map_or(0, |holds| if holds { 1 } else { 2 });
    judgment_code(prediction.answer) | told(prediction.right) << 3 | told(prediction.changed) << 5
}

/// The filters that every report has beside those for tags. Those from `PREDICTION` on belong to the selected model.
pub(super) const SET: &str = "set";
pub(super) const GOLD: &str = "gold";
pub(super) const MODELS: &str = "models";
pub(super) const PREDICTION: &str = "prediction";
pub(super) const ORIGINAL_PREDICTION: &str = "original prediction";
pub(super) const RIGHT: &str = "right";
pub(super) const CHANGED: &str = "changed";
/// The suffix of the filters for whether a reference heuristic predicts the gold label.
pub(super) const HEURISTIC_FACET: &str = " heuristic";
/// The tag that names the original.
pub(super) const PARENT: &str = tag::PARENT;

/// Names that the page itself uses in addresses.
const ADDRESS: [&str; 3] = ["model", "q", "page"];

/// Whether the page itself uses this name.
pub(super) fn is_fixed(name: &str) -> bool {
    [SET, GOLD, MODELS, PREDICTION, ORIGINAL_PREDICTION, RIGHT, CHANGED].contains(&name) || ADDRESS.contains(&name)
}

/// The filter for whether a model is correct, independent of the selected model; there is one for each of several models.
pub(super) fn is_right_facet(model: &str) -> String {
    format!("{model} is")
}

/// The filter for the variable of a column.
fn filter_name(name: &str) -> &str {
    match name {
        "answer" => PREDICTION,
        "gold label" => GOLD,
        other => other,
    }
}

/// The values of one filter; an example's code is the position of its value, counted from 1, or 0 for none.
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

    /// The code of a value, which is added if it is new; `None` if there are too many values.
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

/// All filters, and the numbers of examples in the data files.
#[derive(Debug, Serialize)]
pub(super) struct Facets {
    /// The number of examples in total, in each text file but the last, and in each index file but the last.
    pub examples: usize,
    pub in_text: usize,
    pub in_index: usize,
    pub models: Vec<String>,
    pub facets: Vec<Facet>,
    /// Whether some gold label is non-entailment.
    #[serde(skip)]
    pub has_two_way_gold: bool,
}

impl Facets {
    /// The fixed filters.
    pub(super) fn fixed(sets: Facet, models: &[String]) -> Vec<Facet> {
        let judgments = JUDGMENTS.map(Judgment::name);
        let of_model = |model: &String| Facet::fixed(&is_right_facet(model), ["right", "wrong"]);
        let of_models = models.iter().filter(|_| models.len() > 1).map(of_model);
        let of_all = vec![
            sets,
            Facet::fixed(GOLD, judgments),
            Facet::fixed(PREDICTION, judgments),
            Facet::fixed(ORIGINAL_PREDICTION, judgments),
            Facet::fixed(RIGHT, ["right", "wrong"]),
            Facet::fixed(CHANGED, ["changed", "unchanged"]),
            Facet::fixed(MODELS, ["agree", "disagree"]),
        ];
        of_all.into_iter().chain(of_models).collect()
    }

    /// The initial data of the page's scripts, safe inside a script element.
    pub(super) fn manifest(&self) -> String {
        serde_json::to_string(self).expect("facets are text and numbers").replace('<', "\\u003c")
    }

    /// Whether examples can be filtered by this value.
    pub(super) fn has(&self, name: &str, value: &str) -> bool {
        self.facets.iter().any(|facet| facet.name == name && facet.values.iter().any(|other| other == value))
    }

    /// The address of the examples with these values for a model; `None` if the browser cannot show exactly these.
    pub(super) fn address(&self, model: Option<&str>, values: &[(&str, &str)]) -> Option<String> {
        let values: Vec<(&str, &str)> = values.iter().map(|&(name, value)| (filter_name(name), value)).collect();
        let known = |(name, value): &(&str, &str)| {
            let facet = self.facets.iter().find(|facet| facet.name == *name);
            facet.is_some_and(|facet| *value == NO_VALUE || facet.values.iter().any(|other| other == value))
        };
        if self.examples == 0 || values.is_empty() || !values.iter().all(known) {
            return None;
        }
        let model = model.filter(|model| self.models.len() > 1 && self.models.iter().any(|other| other == model));
        let all = model.map(|model| ("model", model)).into_iter().chain(values.iter().copied());
        let parts: Vec<String> = all.map(|(name, value)| format!("{}={}", address_part(name), address_part(value))).collect();
        Some(format!("#examples?{}", parts.join("&amp;")))
    }
}
