//! What can be set: word classes, direction, limit, pronouns, and each filter.

use super::filter::{FILTERS, SwitchedOff};
use crate::writing::Writing;
use crate::{ChallengeError, Request};
use acidtest_lingua::wordnet::PartOfSpeech;
use acidtest_nli::{Catalog, Named, Rng, UnknownName};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Settings as users give them. The filters have a setting each beside these.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct AntonymSettings {
    /// Which of the two sentences is the premise.
    pub(super) direction: Direction,
    /// The largest share of the set that one antonym pair may have.
    pub(super) most_per_pair: f64,
    /// The word classes that are changed, separated by commas.
    pub(super) parts: String,
    /// What becomes of `he` and `she` where a noun changes its gender.
    pub(super) pronouns: Pronouns,
    /// Whether sentences with spelling and grammar errors are used.
    pub(super) writing: Writing,
}

impl Default for AntonymSettings {
    fn default() -> Self {
        AntonymSettings {
            direction: Direction::Drawn,
            most_per_pair: 0.05,
            parts: "noun,adjective".to_string(),
            pronouns: Pronouns::Skip,
            writing: Writing::Checked,
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

/// The settings with their defaults: all filters are on.
pub(super) fn defaults() -> Value {
    let mut settings = json!(AntonymSettings::default());
    for entry in FILTERS {
        settings[entry.name] = json!(ON);
    }
    settings
}

const ON: &str = "on";
const OFF: &str = "off";

/// The settings of a request, its word classes and the filters that are off.
pub(super) fn read(request: &Request<'_>) -> Result<(AntonymSettings, Vec<PartOfSpeech>, SwitchedOff), ChallengeError> {
    let settings: AntonymSettings = request.settings()?;
    let names = settings.parts.split(',').map(str::trim).filter(|name| !name.is_empty());
    let parts: Result<Vec<PartOfSpeech>, UnknownName> = names.map(|name| PARTS.find(name).map(|entry| entry.part)).collect();
    let parts = parts.map_err(|error| request.refused(format!("parts: {error}")))?;
    if parts.is_empty() {
        return Err(request.refused("parts: not a word class: expected one or more of noun, adjective, verb, adverb").into());
    }
    if !(settings.most_per_pair > 0.0 && settings.most_per_pair <= 1.0) {
        let message =
            format!("most_per_pair: invalid value {}: expected a share above 0, and at most 1 (no limit)", settings.most_per_pair);
        return Err(request.refused(message).into());
    }
    let mut off = Vec::new();
    for entry in FILTERS {
        match request.settings[entry.name].as_str() {
            Some(ON) => {}
            Some(OFF) => off.push(entry.filter),
            _ => {
                let found = &request.settings[entry.name];
                return Err(request.refused(format!("{}: invalid value {found}: expected {ON} or {OFF}", entry.name)).into());
            }
        }
    }
    Ok((settings, parts, SwitchedOff(off)))
}
