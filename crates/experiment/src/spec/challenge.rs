//! Challenges as users name them: by name, several at once, or all.

use super::SpecError;
use crate::error::Error;
use acidtest_challenge::{CATALOG, Challenge, ChallengeEntry, LabelEffect, Mode, Need, Resources};
use acidtest_nli::Settings;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// A challenge to make.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChallengeSpec {
    /// Its name in the catalog.
    pub name: String,
    /// Its settings, overriding its defaults.
    pub settings: Map<String, Value>,
    /// Whether to follow the paper or the authors' scripts.
    pub mode: Mode,
    /// The seed of all random choices.
    pub seed: u64,
}

impl Default for ChallengeSpec {
    fn default() -> Self {
        ChallengeSpec { name: String::new(), settings: Map::new(), mode: Mode::Clean, seed: 1 }
    }
}

/// A challenge that `all` excludes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExcludedChallenge {
    /// Its name.
    pub name: &'static str,
    /// The missing resource.
    pub need: Need,
}

impl fmt::Display for ExcludedChallenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} was skipped: it needs {}", self.name, self.need.name())
    }
}

/// The name for every challenge whose requirements are met, except those without valid labels, whose drops say nothing about a model.
pub const ALL: &str = "all";

impl ChallengeSpec {
    /// The challenge of this name, with its default settings.
    pub fn named(name: impl Into<String>) -> Self {
        ChallengeSpec { name: name.into(), ..ChallengeSpec::default() }
    }

    /// The entry of the catalog.
    pub fn entry(&self) -> Result<&'static ChallengeEntry, Error> {
        Ok(CATALOG.find(&self.name)?)
    }

    /// Sets the challenge up.
    pub fn resolve(&self, resources: &Resources) -> Result<Challenge, Error> {
        let settings = Settings::from_map(self.settings.clone());
        Ok(Challenge::new(self.entry()?, &settings, self.mode, self.seed, resources)?)
    }
}

/// The challenges of a list of names, without duplicates, in the order of the catalog for `all`; with those that `all` excludes.
pub fn chosen_challenges(
    names: &[String],
    like: &ChallengeSpec,
    resources: &Resources,
) -> Result<(Vec<ChallengeSpec>, Vec<ExcludedChallenge>), Error> {
    let (mut chosen, mut left_out): (Vec<ChallengeSpec>, Vec<ExcludedChallenge>) = (Vec::new(), Vec::new());
    let mut choose = |name: &str| {
        if !chosen.iter().any(|other| other.name == name) {
            chosen.push(ChallengeSpec { name: name.to_string(), ..like.clone() });
        }
    };
    for name in names.iter().flat_map(|names| names.split(',')).map(str::trim) {
        if name != ALL {
            choose(CATALOG.find(name)?.name);
            continue;
        }
        for entry in CATALOG.iter().filter(|entry| entry.label != LabelEffect::Unclaimed) {
            match entry.missing(resources) {
                Some(need) => left_out.push(ExcludedChallenge { name: entry.name, need }),
                None => choose(entry.name),
            }
        }
    }
    left_out.retain(|left_out| !chosen.iter().any(|chosen| chosen.name == left_out.name));
    Ok((chosen, left_out))
}

/// Adds settings to their challenges: `CHALLENGE.KEY=VALUE`, or `KEY=VALUE` if there is only one challenge.
pub fn add_settings(specs: &mut [ChallengeSpec], settings: &[String]) -> Result<(), Error> {
    let mut own: Vec<Vec<&str>> = specs.iter().map(|_| Vec::new()).collect();
    for setting in settings {
        let key = setting.split('=').next().unwrap_or_default();
        let (place, pair) = match key.split_once('.') {
            Some((name, _)) => {
                CATALOG.find(name)?;
                let place = specs.iter().position(|spec| spec.name == name);
                let expected = || format!("a setting of a chosen challenge, and `{name}` is not one");
                (place.ok_or_else(|| SpecError::new("challenge.settings", setting, expected()))?, &setting[name.len() + 1..])
            }
            None if specs.len() == 1 => (0, setting.as_str()),
            None => {
                let expected = "CHALLENGE.KEY=VALUE, because there are several challenges, such as hans.per_subcase=100";
                return Err(SpecError::new("challenge.settings", setting, expected).into());
            }
        };
        own[place].push(pair);
    }
    for (spec, own) in specs.iter_mut().zip(own) {
        spec.settings.extend(Settings::parse(own)?.as_json().as_object().cloned().unwrap_or_default());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_settings(names: &str, settings: &[&str]) -> Result<Vec<Map<String, Value>>, String> {
        let (mut specs, _) = chosen_challenges(&[names.to_string()], &ChallengeSpec::default(), &Resources::default()).unwrap();
        let settings: Vec<String> = settings.iter().map(|setting| setting.to_string()).collect();
        add_settings(&mut specs, &settings).map_err(|error| error.to_string())?;
        Ok(specs.into_iter().map(|spec| spec.settings).collect())
    }

    #[test]
    fn settings_go_to_the_challenge_they_name_or_to_the_only_one() {
        let several = with_settings("hans,negation", &["hans.per_subcase=2", "negation.statement=4.5 is no more than 5"]).unwrap();
        assert_eq!((&several[0]["per_subcase"], &several[1]["statement"]), (&2.into(), &"4.5 is no more than 5".into()));
        let one = with_settings("hans", &["per_subcase=2", "hans.withhold=ln_passive"]).unwrap();
        assert_eq!((&one[0]["per_subcase"], &one[0]["withhold"]), (&2.into(), &"ln_passive".into()));
    }

    #[test]
    fn settings_of_an_unused_challenge_are_refused() {
        let refused = |settings: &str| with_settings("hans,negation", &[settings]).unwrap_err();
        assert!(refused("per_subcase=2").contains("expected CHALLENGE.KEY=VALUE"), "{}", refused("per_subcase=2"));
        assert!(refused("tautology.statement=2").contains("and `tautology` is not one"), "{}", refused("tautology.statement=2"));
        assert!(refused("hanns.per_subcase=2").contains("did you mean `hans`?"), "{}", refused("hanns.per_subcase=2"));
    }

    fn chosen(names: &[&str]) -> (Vec<String>, Vec<&'static str>) {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        let (chosen, left_out) = chosen_challenges(&names, &ChallengeSpec::default(), &Resources::default()).unwrap();
        (chosen.into_iter().map(|spec| spec.name).collect(), left_out.into_iter().map(|left_out| left_out.name).collect())
    }

    #[test]
    fn names_may_be_separated_by_commas_and_duplicates_are_removed() {
        assert_eq!(chosen(&["hans,negation", "negation"]).0, ["hans", "negation"]);
    }

    #[test]
    fn all_includes_challenges_whose_needs_are_met_and_names_the_rest() {
        let (chosen, left_out) = chosen(&["all"]);
        assert!(chosen.contains(&"hans".to_string()) && chosen.contains(&"negation".to_string()));
        assert_eq!(left_out, ["compositional"]);
        assert!(!chosen.contains(&"word-shuffle".to_string()), "its labels are not claimed valid");
        assert_eq!(chosen.len() + left_out.len() + 1, CATALOG.iter().count());
    }

    #[test]
    fn an_unknown_name_is_refused() {
        let error = chosen_challenges(&["negatoin".to_string()], &ChallengeSpec::default(), &Resources::default()).err().unwrap();
        assert!(error.to_string().contains("did you mean `negation`?"), "{error}");
    }
}
