//! The settings: word classes, direction, limit, and filters that are switched off.

use super::filter::{FILTERS, SwitchedOff};
use crate::{ChallengeError, Request};
use acidtest_lingua::wordnet::PartOfSpeech;
use acidtest_nli::{Catalog, Named, Rng};
use serde::{Deserialize, Serialize};

/// Settings as users give them.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AntonymSettings {
    /// Which of the two sentences is the premise.
    pub(super) direction: Direction,
    /// The largest share of the set that one antonym pair may have.
    pub(super) most_per_pair: f64,
    /// The word classes that are changed, separated by commas.
    pub(super) parts: String,
    /// What becomes of `he` and `she` where a noun changes its gender.
    pub(super) pronouns: Pronouns,
    /// The filters that are switched off, separated by commas.
    pub(super) without: String,
}

impl Default for AntonymSettings {
    fn default() -> Self {
        AntonymSettings {
            direction: Direction::Drawn,
            most_per_pair: 0.05,
            parts: "noun,adjective".to_string(),
            pronouns: Pronouns::Skip,
            without: String::new(),
        }
    }
}

/// Which of the two sentences is the premise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Direction {
    /// Either, drawn for each pair.
    Drawn,
    /// Each in turn: two pairs per change.
    Both,
    /// The sentence as it was.
    Forward,
    /// The changed sentence.
    Backward,
}

/// Where the changed sentence stands in one pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Changed {
    /// In the hypothesis.
    Hypothesis,
    /// In the premise.
    Premise,
}

impl Direction {
    /// Where the changed sentence stands in each of the pairs of one change.
    pub(super) fn places(self, rng: &mut Rng) -> &'static [Changed] {
        let drawn = rng.below(2);
        match self {
            Direction::Forward => &[Changed::Hypothesis],
            Direction::Backward => &[Changed::Premise],
            Direction::Both => &[Changed::Hypothesis, Changed::Premise],
            Direction::Drawn if drawn == 0 => &[Changed::Hypothesis],
            Direction::Drawn => &[Changed::Premise],
        }
    }
}

/// What becomes of pronouns where a noun changes its gender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Pronouns {
    /// Sentences with such pronouns are left alone.
    Skip,
    /// They change with the noun, if it is the only one that they can refer to.
    Swap,
}

/// A word class as users name it.
struct PartEntry {
    name: &'static str,
    part: PartOfSpeech,
}

impl Named for PartEntry {
    fn name(&self) -> &str {
        self.name
    }
}

static PARTS: Catalog<PartEntry> = Catalog::new(
    "word class",
    &[
        PartEntry { name: "noun", part: PartOfSpeech::Noun },
        PartEntry { name: "adjective", part: PartOfSpeech::Adjective },
        PartEntry { name: "verb", part: PartOfSpeech::Verb },
        PartEntry { name: "adverb", part: PartOfSpeech::Adverb },
    ],
);

/// The name of a word class in settings, word lists and tags.
pub(super) fn part_name(part: PartOfSpeech) -> &'static str {
    PARTS.iter().find(|entry| entry.part == part).map_or("", |entry| entry.name)
}

/// The word class of a name.
pub(super) fn part_of_name(name: &str) -> Option<PartOfSpeech> {
    PARTS.get(name).map(|entry| entry.part)
}

impl AntonymSettings {
    /// The word classes and the filters that are switched off, or what is wrong with the settings.
    pub(super) fn resolve(&self, request: &Request<'_>) -> Result<(Vec<PartOfSpeech>, SwitchedOff), ChallengeError> {
        let parts = each(&self.parts, |name| PARTS.find(name).map(|entry| entry.part)).map_err(|error| request.refused(error))?;
        if parts.is_empty() {
            return Err(request.refused("`parts` has no word class; expected one or more of noun, adjective, verb, adverb").into());
        }
        let off = each(&self.without, |name| FILTERS.find(name).map(|entry| entry.filter)).map_err(|error| request.refused(error))?;
        if !(self.most_per_pair > 0.0 && self.most_per_pair <= 1.0) {
            let message =
                format!("invalid `most_per_pair` {}; expected a share above 0 and at most 1 (1 for no limit)", self.most_per_pair);
            return Err(request.refused(message).into());
        }
        Ok((parts, SwitchedOff(off)))
    }
}

/// What each of the names between commas stands for.
fn each<T>(names: &str, find: impl Fn(&str) -> Result<T, acidtest_nli::UnknownName>) -> Result<Vec<T>, String> {
    let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.map(|name| find(name).map_err(|error| error.to_string())).collect()
}
