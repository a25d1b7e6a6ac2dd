//! Which challenges the checks need, before any data is read.

use super::GateProblem;
use crate::data::EASY;
use crate::error::Error;
use crate::sets::ORIGINAL;
use crate::spec::{ALL, ChallengeSpec, CheckKind, RunSpec, chosen_challenges};
use acidtest_challenge::{Build, CATALOG, ChallengeEntry, Resources};
use acidtest_evaluate::baseline::Baseline;
use acidtest_nli::UnknownName;

/// The sets that a run can have, as far as they are known before they are made.
pub(crate) struct SetChoice {
    challenges: Vec<&'static ChallengeEntry>,
    /// Sets that no challenge makes.
    others: Vec<&'static str>,
}

impl SetChoice {
    /// The sets of this run.
    pub(crate) fn of_run(run: &RunSpec) -> Result<Self, Error> {
        let (chosen, left_out) = chosen_challenges(&run.challenges, &ChallengeSpec::default(), &Resources::default())?;
        // Challenges that need a lexical model are made if there is one.
        let with_model = left_out.iter().filter(|_| run.evaluation.lexical.is_some()).map(|left_out| left_out.name);
        let names = chosen.iter().map(|spec| spec.name.as_str()).chain(with_model);
        let others = if run.data.files.is_empty() { vec![ORIGINAL, EASY] } else { vec![ORIGINAL] };
        Ok(SetChoice { challenges: names.filter_map(|name| CATALOG.get(name)).collect(), others })
    }

    /// The challenges that make the sets of a check; `all` with a baseline means the sets of the baseline.
    pub(crate) fn challenges(&self, kind: CheckKind, key: &str, baseline: Option<&Baseline>) -> Result<Vec<String>, GateProblem> {
        let is_known = |set: &&str| *set == ALL || self.others.contains(set) || self.maker(set).is_some();
        let name = readings(key).find(is_known).or_else(|| readings(key).next()).unwrap_or(key);
        let perturbing =
            || self.challenges.iter().filter(|entry| matches!(entry.build, Build::Rewrite(_))).map(|entry| entry.name.to_string());
        match baseline {
            _ if kind == CheckKind::MaxDrop && name == ALL && perturbing().next().is_some() => Ok(perturbing().collect()),
            _ if kind == CheckKind::MaxDrop
                && is_known(&name)
                && !self.maker(name).is_some_and(|maker| perturbing().any(|own| own == maker)) =>
            {
                Err(GateProblem::NotPerturbed { set: name.to_string(), known: perturbing().collect() })
            }
            Some(baseline) if name == ALL => Ok(baseline.sets.iter().filter_map(|set| self.maker(&set.name)).map(str::to_string).collect()),
            _ if name == ALL => Ok(self.challenges.iter().map(|entry| entry.name.to_string()).collect()),
            _ if self.others.contains(&name) => Ok(Vec::new()),
            _ => match self.maker(name) {
                Some(challenge) => Ok(vec![challenge.to_string()]),
                None => Err(renamed(name).unwrap_or_else(|| UnknownName::among("set", self.names(), name).into())),
            },
        }
    }

    /// The challenge that makes the set of this name.
    fn maker(&self, set: &str) -> Option<&'static str> {
        let makes = |entry: &&&ChallengeEntry| {
            let part = set.strip_prefix(entry.name).and_then(|part| part.strip_prefix('-'));
            set == entry.name || (part.is_some() && !entry.split_by.is_empty())
        };
        self.challenges.iter().find(makes).map(|entry| entry.name)
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        [ALL].into_iter().chain(self.others.iter().copied()).chain(self.challenges.iter().map(|entry| entry.name))
    }
}

/// The new name of a set that was renamed.
fn renamed(set: &str) -> Option<GateProblem> {
    let new = match set {
        "clean" => ORIGINAL,
        "plain" => EASY,
        _ => return None,
    };
    Some(GateProblem::RenamedSet { old: set.to_string(), new })
}

/// The possible sets of `[MODEL:]SET[/TAG=VALUE]`, the likeliest first. No set has a colon or slash in its name, but models and values
/// may.
fn readings(key: &str) -> impl Iterator<Item = &str> {
    let ends = key.match_indices('/').map(|(place, _)| place).chain([key.len()]);
    ends.map(|end| &key[..end]).map(|text| text.rsplit_once(':').map_or(text, |(_, set)| set))
}
