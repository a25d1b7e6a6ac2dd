//! What can be set.

use super::rules::{RULES, Rule};
use crate::writing::Writing;
use crate::{ChallengeError, Request};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Which sentences and numbers are used, and what a number is taken to mean. The rules have a setting each beside these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct NumericSettings {
    /// Whether a sentence must have the name of a person, place or organisation.
    pub(super) entity: Entity,
    /// What a number means.
    pub(super) reading: Reading,
    /// Numbers with decimals.
    pub(super) decimals: Kind,
    /// Shares of a hundred.
    pub(super) percent: Kind,
    /// Numbers with a word such as `million`.
    pub(super) scales: Kind,
    /// The least number that is changed.
    pub(super) smallest: u32,
    /// The largest number that is changed.
    pub(super) largest: u32,
    /// The most words of a sentence.
    pub(super) longest: usize,
    /// Which word problems are used, by their answers.
    pub(super) answer: Answer,
    /// The most lines of a word problem's rationale; 0 for any number.
    pub(super) rationale_lines: usize,
    /// Whether sentences with spelling and grammar errors are used.
    pub(super) writing: Writing,
}

/// Whether a sentence must have a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Entity {
    Required,
    Any,
}

/// What a number means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Reading {
    /// `five` is exactly five, as the paper takes it.
    Exact,
    /// Labels hold if `five` means at least five, too.
    Strict,
}

/// Whether numbers of a kind are changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Leave,
    Change,
}

/// Which word problems are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Answer {
    /// Those whose right answer is a number above 1.
    Number,
    Any,
}

impl Default for NumericSettings {
    fn default() -> Self {
        NumericSettings {
            entity: Entity::Required,
            reading: Reading::Exact,
            decimals: Kind::Leave,
            percent: Kind::Leave,
            scales: Kind::Leave,
            smallest: 3,
            largest: 9999,
            longest: 35,
            answer: Answer::Number,
            rationale_lines: 5,
            writing: Writing::Checked,
        }
    }
}

/// The settings with their defaults: all rules are on.
pub(super) fn defaults() -> Value {
    let mut settings = json!(NumericSettings::default());
    for rule in RULES {
        settings[rule.name] = json!(ON);
    }
    settings
}

const ON: &str = "on";
const OFF: &str = "off";

/// The settings of a request, and the rules that are on.
pub(super) fn read(request: &Request<'_>) -> Result<(NumericSettings, Vec<&'static Rule>), ChallengeError> {
    let settings: NumericSettings = request.settings()?;
    if settings.smallest < 2 || settings.largest < settings.smallest {
        let message = format!(
            "smallest, largest: invalid values {}, {}: expected at least 2 and at least `smallest`",
            settings.smallest, settings.largest
        );
        return Err(request.refused(message).into());
    }
    let mut rules = Vec::new();
    for rule in RULES {
        match request.settings[rule.name].as_str() {
            Some(ON) => rules.push(rule),
            Some(OFF) => {}
            _ => {
                let found = &request.settings[rule.name];
                return Err(request.refused(format!("{}: invalid value {found}: expected {ON} or {OFF}", rule.name)).into());
            }
        }
    }
    Ok((settings, rules))
}
