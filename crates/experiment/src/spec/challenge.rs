//! Challenges as users name them: by name, several at once, or all.

use crate::error::Error;
use acidtest_challenge::{CATALOG, Challenge, ChallengeEntry, Mode, Need, Resources};
use acidtest_nli::Settings;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A challenge to make.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChallengeSpec {
    /// Its name in the catalog.
    pub name: String,
    /// Its settings, on top of its defaults.
    pub settings: Map<String, Value>,
    /// What the paper means, or what its authors' scripts did.
    pub mode: Mode,
    /// The seed of all random choices.
    pub seed: u64,
}

impl Default for ChallengeSpec {
    fn default() -> Self {
        ChallengeSpec { name: String::new(), settings: Map::new(), mode: Mode::Clean, seed: 1 }
    }
}

/// A challenge that was left out of `all`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExcludedChallenge {
    /// Its name.
    pub name: &'static str,
    /// What it needs and is not at hand.
    pub need: Need,
}

/// The name that stands for every challenge whose needs are met.
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

/// The challenges of a list of names, each once, in the order of the catalog for `all`; with those that `all` cannot make.
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
        for entry in &CATALOG {
            match entry.missing(resources) {
                Some(need) => left_out.push(ExcludedChallenge { name: entry.name, need }),
                None => choose(entry.name),
            }
        }
    }
    left_out.retain(|left_out| !chosen.iter().any(|chosen| chosen.name == left_out.name));
    Ok((chosen, left_out))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(names: &[&str]) -> (Vec<String>, Vec<&'static str>) {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        let (chosen, left_out) = chosen_challenges(&names, &ChallengeSpec::default(), &Resources::default()).unwrap();
        (chosen.into_iter().map(|spec| spec.name).collect(), left_out.into_iter().map(|left_out| left_out.name).collect())
    }

    #[test]
    fn several_names_may_stand_in_one_text_and_none_counts_twice() {
        assert_eq!(chosen(&["hans,negation", "negation"]).0, ["hans", "negation"]);
    }

    #[test]
    fn all_is_everything_whose_needs_are_met_and_the_rest_is_named() {
        let (chosen, left_out) = chosen(&["all"]);
        assert!(chosen.contains(&"hans".to_string()) && chosen.contains(&"negation".to_string()));
        assert_eq!(left_out, ["compositional"]);
        assert_eq!(chosen.len() + left_out.len(), CATALOG.iter().count());
    }

    #[test]
    fn an_unknown_name_is_refused() {
        let error = chosen_challenges(&["negatoin".to_string()], &ChallengeSpec::default(), &Resources::default()).err().unwrap();
        assert!(error.to_string().contains("did you mean `negation`?"), "{error}");
    }
}
