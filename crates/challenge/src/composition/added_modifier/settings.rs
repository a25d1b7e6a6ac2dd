//! What can be set: how often modifiers must have been seen, adjectives that are already there, the limit per modifier.

use crate::writing::Writing;
use crate::{AnalysisSource, ChallengeError, Request, Sides};
use serde::{Deserialize, Serialize};

/// Settings as users give them.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AddedModifierSettings {
    /// Which parse the noun phrases come from.
    pub(super) analysis: AnalysisSource,
    /// Whether a noun may have adjectives already.
    pub(super) existing_adjectives: Existing,
    /// The largest share of the set that one modifier may have.
    pub(super) most_per_modifier: f64,
    /// How often a modifier must have been seen with each of the two nouns.
    pub(super) seen_at_least: u32,
    /// The sentences that pairs are made from.
    pub(super) sides: Sides,
    /// Whether sentences with spelling and grammar errors are used.
    pub(super) writing: Writing,
}

impl Default for AddedModifierSettings {
    fn default() -> Self {
        AddedModifierSettings {
            analysis: AnalysisSource::Strict,
            existing_adjectives: Existing::None,
            most_per_modifier: 0.15,
            seen_at_least: 3,
            sides: Sides::Premise,
            writing: Writing::Checked,
        }
    }
}

/// Whether a noun that takes a modifier may have adjectives already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Existing {
    /// It must have none.
    None,
    /// It may have adjectives of other classes.
    OtherClass,
}

/// The settings of a request.
pub(super) fn read(request: &Request<'_>) -> Result<AddedModifierSettings, ChallengeError> {
    let settings: AddedModifierSettings = request.settings()?;
    if !(settings.most_per_modifier > 0.0 && settings.most_per_modifier <= 1.0) {
        let found = settings.most_per_modifier;
        let message = format!("most_per_modifier: invalid value {found}: expected a share above 0, and at most 1 (no limit)");
        return Err(request.refused(message).into());
    }
    if settings.seen_at_least == 0 {
        return Err(request.refused("seen_at_least: invalid value 0: expected 1 or more").into());
    }
    Ok(settings)
}
