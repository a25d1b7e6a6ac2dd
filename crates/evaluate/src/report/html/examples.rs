//! Writes the examples of the browser into data files.
//!
//! `index-N` holds the codes of the filters of 50,000 examples, `text-N` the ids, sentences, scores, tags and changes of 2,000. An example is stored
//! once, with the predictions of all models, and refers to its original by position.

use super::BrowserExample;
use super::codes::Codes;
use super::facets::{Facet, Facets, MOST_TAGS, MOST_VALUES, PARENT, SET, is_fixed, is_right_facet, judgment_code, outcome_code};
use super::texts::Texts;
use acidtest_nli::Judgment;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

const EXAMPLES_IN_TEXT: usize = 2_000;
const EXAMPLES_IN_INDEX: usize = 50_000;
/// More sets than any report has.
const MOST_SETS: usize = u16::MAX as usize - 1;

/// A file of data for the page's scripts.
#[derive(Debug)]
pub(super) struct DataFile {
    /// The function of the page that takes it.
    pub kind: &'static str,
    pub number: usize,
    /// Its content in JSON, safe inside a script element.
    pub json: String,
}

impl DataFile {
    fn of(kind: &'static str, number: usize, columns: &impl Serialize) -> Self {
        let json = serde_json::to_string(columns).expect("columns have text keys and text values");
        DataFile { kind, number, json: json.replace('<', "\\u003c") }
    }
}

/// Examples that are buffered until their files are full.
#[derive(Debug, Default)]
pub(super) struct Examples {
    models: Vec<String>,
    count: usize,
    text: Texts,
    index: Index,
    sets: Facet,
    tags: Vec<TagFilter>,
    has_two_way_gold: bool,
    /// The positions of the examples of the first set, from which others are made: examples with the same text may share an id and have
    /// different labels.
    originals: HashMap<(String, Option<Judgment>), u32>,
}

/// The filter for one tag, and its codes for the examples of the current index file.
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
    golds: Vec<u16>,
    /// The position of the original, counted from 1.
    parents: Vec<u32>,
    /// For each model: prediction, whether it is correct and whether it changed, packed.
    outcomes: Vec<Vec<u16>>,
}

impl Examples {
    pub(super) fn of_models(models: Vec<String>) -> Self {
        let index = Index::of_models(models.len());
        Examples { models, index, ..Examples::default() }
    }

    /// Adds an example; returns the files that it completes.
    pub(super) fn add(&mut self, example: &BrowserExample<'_>) -> Vec<DataFile> {
        self.text.add(example);
        self.add_codes(example);
        self.count += 1;
        let text = self.count.is_multiple_of(EXAMPLES_IN_TEXT).then(|| self.text_file());
        let index = self.count.is_multiple_of(EXAMPLES_IN_INDEX).then(|| self.index_file());
        text.into_iter().chain(index).collect()
    }

    /// The remaining files, and all filters.
    pub(super) fn finish(mut self) -> (Vec<DataFile>, Facets) {
        let text = (!self.count.is_multiple_of(EXAMPLES_IN_TEXT)).then(|| self.text_file());
        let index = (!self.count.is_multiple_of(EXAMPLES_IN_INDEX)).then(|| self.index_file());
        self.sets.name = SET.to_string();
        let mut facets = Facets::fixed(self.sets, &self.models);
        facets.extend(self.tags.into_iter().filter(|tag| tag.state == State::Filters).map(|tag| tag.facet));
        let (in_text, in_index) = (EXAMPLES_IN_TEXT, EXAMPLES_IN_INDEX);
        let facets =
            Facets { examples: self.count, in_text, in_index, models: self.models, facets, has_two_way_gold: self.has_two_way_gold };
        (text.into_iter().chain(index).collect(), facets)
    }

    fn add_codes(&mut self, example: &BrowserExample<'_>) {
        self.has_two_way_gold |= example.gold == Some(Judgment::NotEntailment);
        let set = self.sets.code(example.set, MOST_SETS).unwrap_or(0);
        let place = self.count as u32 + 1;
        if set == 1 && example.parent.is_none() {
            for gold in [example.gold, None] {
                self.originals.entry((example.id.to_string(), gold)).or_insert(place);
            }
        }
        let original = example.parent.and_then(|parent| {
            let of = |gold| self.originals.get(&(parent.to_string(), gold));
            of(example.gold).or_else(|| of(None))
        });
        self.index.sets.push(set);
        self.index.golds.push(judgment_code(example.gold));
        self.index.parents.push(original.copied().unwrap_or(0));
        for (model, outcomes) in self.index.outcomes.iter_mut().enumerate() {
            outcomes.push(example.predictions.get(model).map_or(0, outcome_code));
        }
        let place = self.index.sets.len();
        // The original is shown beside the example, so its id needs no filter.
        for (name, value) in example.tags.iter().filter(|(name, value)| !(*name == PARENT && example.parent == Some(*value))) {
            if let Some(tag) = self.tag(name).filter(|tag| tag.state == State::Filters) {
                match tag.facet.code(value, MOST_VALUES) {
                    // Examples before this one may not have had the tag.
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
        match known {
            Some(at) => self.tags.get_mut(at),
            // A tag with this name would be mistaken for a built-in filter.
            None if is_fixed(name) || self.models.iter().any(|model| is_right_facet(model) == name) => None,
            None if self.tags.len() >= MOST_TAGS => None,
            None => {
                self.tags.push(TagFilter { facet: Facet::new(name), codes: Vec::new(), state: State::Filters });
                self.tags.last_mut()
            }
        }
    }

    fn text_file(&mut self) -> DataFile {
        let texts = std::mem::take(&mut self.text);
        DataFile::of("text", (self.count - 1) / EXAMPLES_IN_TEXT, &texts.columns())
    }

    fn index_file(&mut self) -> DataFile {
        #[derive(Serialize)]
        struct Columns<'a> {
            set: Codes,
            gold: Codes,
            #[serde(skip_serializing_if = "Option::is_none")]
            parent: Option<Codes>,
            models: Vec<Codes>,
            tags: BTreeMap<&'a str, Codes>,
        }
        let index = std::mem::replace(&mut self.index, Index::of_models(self.models.len()));
        let examples = index.sets.len();
        let mut tags = BTreeMap::new();
        for tag in self.tags.iter_mut().filter(|tag| tag.state == State::Filters && !tag.codes.is_empty()) {
            tag.codes.resize(examples, 0);
            tags.insert(tag.facet.name.as_str(), Codes::of(&tag.codes));
            tag.codes.clear();
        }
        let columns = Columns {
            set: Codes::of(&index.sets),
            gold: Codes::of(&index.golds),
            parent: index.parents.iter().any(|place| *place > 0).then(|| Codes::of_places(&index.parents)),
            models: index.outcomes.iter().map(|outcomes| Codes::of(outcomes)).collect(),
            tags,
        };
        DataFile::of("index", (self.count - 1) / EXAMPLES_IN_INDEX, &columns)
    }
}

impl Index {
    fn of_models(models: usize) -> Self {
        Index { outcomes: vec![Vec::new(); models], ..Index::default() }
    }
}
