//! Which models and sets the checks of a gate apply to, before any model is called.

use super::{GateChecks, GateProblem};
use crate::error::Error;
use crate::results::scoring_rules;
use crate::sets::{Role, TestSet};
use crate::spec::{ALL, CheckKind, ResolvedRun};
use acidtest_evaluate::baseline::{Baseline, BaselineSet};
use acidtest_evaluate::checks::{Rule, belongs};
use acidtest_evaluate::{GOLD, Item};
use acidtest_nli::{Judgment, UnknownName};
use std::collections::{BTreeMap, BTreeSet};

/// A tag, or `gold`, and its value.
type TagValue = (String, String);

/// A check of one model on one set or a group of it.
pub(super) struct PlannedCheck {
    pub rule: Rule,
    /// The index of the model.
    pub model: usize,
    /// The index of the set.
    pub set: usize,
    /// The group of examples; `None` for all.
    pub group: Option<TagValue>,
    /// The model of the baseline to compare with.
    pub earlier: Option<String>,
}

impl PlannedCheck {
    /// Set and group.
    pub(super) fn place(&self, sets: &[TestSet<'_>]) -> String {
        let group = self.group.as_ref().map(|(tag, value)| format!("/{tag}={value}"));
        format!("{}{}", sets[self.set].name(), group.unwrap_or_default())
    }
}

/// The checks, one for each model and set that they name; invalid ones are refused.
pub(super) fn plan(run: &ResolvedRun, models: &[String], sets: &[TestSet<'_>], checks: &GateChecks) -> Result<Vec<PlannedCheck>, Error> {
    let planner = Planner { run, models, sets, checks };
    let mut planned = Vec::new();
    // What has been checked, and by which check.
    let mut seen: BTreeMap<(&str, usize, usize, Option<TagValue>), String> = BTreeMap::new();
    for (kind, key, rule) in &checks.checks {
        let at = |problem: GateProblem| problem.at(kind.field());
        for check in planner.of_key(*kind, key, *rule).map_err(at)? {
            let given = format!("{key}={}", rule.number());
            let place = format!("`{}` on `{}`", models[check.model], check.place(sets));
            let of_examples = (kind.field(), check.model, check.set, check.group.clone());
            if let Some(first) = seen.insert(of_examples, given.clone()) {
                return Err(at(GateProblem::CheckedTwice { first, second: given, place }));
            }
            planned.push(check);
        }
    }
    planner.refuse_mixed_gold()?;
    if let Some((path, baseline)) = &checks.baseline {
        planner.require_same_data(path, baseline, &planned)?;
    }
    Ok(planned)
}

struct Planner<'p, 's> {
    run: &'p ResolvedRun,
    models: &'p [String],
    sets: &'p [TestSet<'s>],
    checks: &'p GateChecks,
}

impl Planner<'_, '_> {
    fn of_key(&self, kind: CheckKind, key: &str, rule: Rule) -> Result<Vec<PlannedCheck>, GateProblem> {
        let (models, rest) = self.models(key);
        let (set, group) = match rest.split_once('/') {
            Some((set, group)) => {
                let pair = group.split_once('=').filter(|(tag, value)| !tag.is_empty() && !value.is_empty());
                (set, Some(pair.ok_or_else(|| GateProblem::NoGroup { group: group.to_string() })?))
            }
            None => (rest, None),
        };
        let sets = self.grouped(self.sets_of(kind, set)?, set, group)?;
        let mut planned = Vec::new();
        for &model in &models {
            let earlier = if kind == CheckKind::MaxRegression { Some(self.earlier(model)?) } else { None };
            let group = group.map(|(tag, value)| (tag.to_string(), value.to_string()));
            planned.extend(sets.iter().map(|&set| PlannedCheck { rule, model, set, group: group.clone(), earlier: earlier.clone() }));
        }
        Ok(planned)
    }

    /// Refuses two-way and three-way gold labels in one set: a single non-entailment label would decide how all are scored.
    fn refuse_mixed_gold(&self) -> Result<(), Error> {
        for set in self.sets.iter().filter(|_| self.run.rules.scoring.is_none()) {
            let golds = || set.examples.iter().filter_map(|example| example.gold);
            let two_way = golds().filter(|gold| *gold == Judgment::NotEntailment).count();
            if two_way > 0 && golds().any(|gold| gold.label().is_some() && !gold.is_entailment()) {
                let problem = GateProblem::MixedGold { set: set.name().to_string(), two_way, all: golds().count() };
                return Err(problem.at("evaluation.scoring"));
            }
        }
        Ok(())
    }

    /// The models that a check names, and the rest of the check.
    fn models<'k>(&self, key: &'k str) -> (Vec<usize>, &'k str) {
        let named = self.models.iter().enumerate().filter_map(|(place, model)| {
            let rest = key.strip_prefix(model.as_str())?.strip_prefix(':')?;
            Some((place, rest))
        });
        match named.min_by_key(|(_, rest)| rest.len()) {
            Some((place, rest)) => (vec![place], rest),
            None => ((0..self.models.len()).collect(), key),
        }
    }

    /// The sets of this name.
    fn sets_of(&self, kind: CheckKind, name: &str) -> Result<Vec<usize>, GateProblem> {
        let all = self.sets.iter().enumerate();
        let fits = |set: &TestSet<'_>| kind != CheckKind::MaxDrop || set.role == Role::Perturbed;
        let perturbed = || self.sets.iter().filter(|set| set.role == Role::Perturbed).map(|set| set.name().to_string()).collect();
        if name == ALL {
            // A challenge that makes no examples must not silently remove a check.
            if let Some(challenge) = self.run.challenges.iter().find(|challenge| !self.sets.iter().any(|set| is_of(set, challenge.name())))
            {
                return Err(GateProblem::Empty { set: challenge.name().to_string() });
            }
            let sets: Vec<usize> = all.filter(|(_, set)| fits(set)).map(|(place, _)| place).collect();
            return if sets.is_empty() { Err(GateProblem::NotPerturbed { set: ALL.to_string(), known: perturbed() }) } else { Ok(sets) };
        }
        let is_challenge = self.run.challenges.iter().any(|challenge| challenge.name() == name);
        let sets: Vec<usize> =
            all.filter(|(_, set)| set.name() == name || (is_challenge && is_of(set, name))).map(|(place, _)| place).collect();
        if sets.is_empty() {
            return Err(if is_challenge { GateProblem::Empty { set: name.to_string() } } else { self.unknown(name) });
        }
        match sets.iter().all(|&set| fits(&self.sets[set])) {
            true => Ok(sets),
            false => Err(GateProblem::NotPerturbed { set: name.to_string(), known: perturbed() }),
        }
    }

    /// The error for an unknown set; the part before a colon may be a model that is not in the run.
    fn unknown(&self, name: &str) -> GateProblem {
        let sets = || self.sets.iter().map(|set| set.name());
        match name.rsplit_once(':') {
            Some((model, set)) if set == ALL || sets().any(|known| known == set) => {
                UnknownName::among("model", self.models.iter().map(String::as_str), model).into()
            }
            _ => UnknownName::among("set", [ALL].into_iter().chain(sets()), name).into(),
        }
    }

    /// The sets that have examples to check; a tag or value that none of them has is refused.
    fn grouped(&self, sets: Vec<usize>, name: &str, group: Option<(&str, &str)>) -> Result<Vec<usize>, GateProblem> {
        let items = |set: usize| self.sets[set].examples.iter().map(Item::of).filter(|item| item.gold.is_some());
        let Some((tag, value)) = group else {
            return match sets.iter().find(|&&set| items(set).next().is_none()) {
                Some(&set) => Err(GateProblem::Empty { set: self.sets[set].name().to_string() }),
                None => Ok(sets),
            };
        };
        let chosen: Vec<usize> = sets.iter().copied().filter(|&set| items(set).any(|item| belongs(&item, (tag, value)))).collect();
        // A named set must have the group; of `all` sets, those that have it are checked.
        if !chosen.is_empty() && (name == ALL || chosen.len() == sets.len()) {
            return Ok(chosen);
        }
        let (mut tags, mut values) = (BTreeSet::from([GOLD.to_string()]), BTreeSet::new());
        for &set in &sets {
            for item in items(set) {
                for (name, own) in item.tags.iter() {
                    if !tags.contains(name) {
                        tags.insert(name.to_string());
                    }
                    if name == tag && values.len() < LISTED && !values.contains(own) {
                        values.insert(own.to_string());
                    }
                }
                if tag == GOLD {
                    values.extend(item.gold.map(Judgment::name).map(str::to_string));
                }
            }
        }
        if values.is_empty() {
            return Err(UnknownName::among("tag", tags.iter().map(String::as_str), tag).into());
        }
        let unknown = UnknownName::among("value", values.iter().map(String::as_str), value);
        Err(GateProblem::UnknownValue { tag: tag.to_string(), unknown })
    }

    /// The model of the baseline to compare this one with.
    fn earlier(&self, model: usize) -> Result<String, GateProblem> {
        let models = self.models.len();
        if self.checks.baseline_model.is_some() && models > 1 {
            return Err(GateProblem::SeveralModels { models });
        }
        let name = self.checks.baseline_model.as_ref().unwrap_or(&self.models[model]);
        match &self.checks.baseline {
            Some((path, baseline)) if baseline.model(name).is_none() => Err(GateProblem::NotInBaseline {
                path: path.clone(),
                model: name.clone(),
                known: baseline.model_names().into_iter().map(str::to_string).collect(),
            }),
            _ => Ok(name.clone()),
        }
    }

    /// Refuses a baseline whose sets differ from the checked ones.
    fn require_same_data(&self, path: &str, baseline: &Baseline, planned: &[PlannedCheck]) -> Result<(), Error> {
        let at = |problem: GateProblem| problem.at("gate.baseline");
        let one_sided =
            |set: &str, where_it_is: &'static str| at(GateProblem::OneSided { path: path.to_string(), set: set.to_string(), where_it_is });
        let all = self
            .checks
            .checks
            .iter()
            .any(|(kind, key, _)| *kind == CheckKind::MaxRegression && self.models(key).1.split('/').next() == Some(ALL));
        if let Some(missing) = baseline.sets.iter().find(|set| all && !self.sets.iter().any(|own| own.name() == set.name)) {
            return Err(one_sided(&missing.name, "in the baseline but not in this run"));
        }
        let rules = scoring_rules(self.sets, self.run.rules.scoring);
        let compared: BTreeSet<usize> = planned.iter().filter(|check| check.earlier.is_some()).map(|check| check.set).collect();
        for set in compared {
            let own = &self.sets[set];
            let Some(earlier) = baseline.set(own.name()) else { return Err(one_sided(own.name(), "in this run but not in the baseline")) };
            if let Some(what) = BaselineSet::of(own.name(), rules[set], &own.examples).differs_from(earlier) {
                return Err(at(GateProblem::OtherData {
                    path: path.to_string(),
                    set: own.name().to_string(),
                    what,
                    seeds: self.other_seed(baseline),
                }));
            }
        }
        Ok(())
    }

    /// A note that the challenges were made with another seed, if that explains the difference.
    fn other_seed(&self, baseline: &Baseline) -> String {
        let own = self.run.challenges.first().map(|challenge| challenge.seed());
        match (own, baseline.seeds.get("challenges")) {
            (Some(own), Some(earlier)) if own != *earlier => format!(" (its seed is {own}, that of the baseline {earlier})"),
            _ => String::new(),
        }
    }
}

/// The number of values of a tag that a message lists.
const LISTED: usize = 40;

/// Whether a set was made by this challenge.
fn is_of(set: &TestSet<'_>, challenge: &str) -> bool {
    set.name() == challenge || (set.made_by.is_some() && set.name().strip_prefix(challenge).is_some_and(|part| part.starts_with('-')))
}
