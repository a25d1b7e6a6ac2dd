//! A run: models, challenges, and the data they are made from.

use super::{ALL, ChallengeSpec, DataSpec, EvaluationSpec, ExcludedChallenge, ModelSpec, SpecError, chosen_challenges};
use crate::data::LoadedData;
use crate::embedded::EMBEDDED;
use crate::error::Error;
use crate::evaluation_rules::EvaluationRules;
use crate::models::{NamedModel, open_models};
use crate::results::Results;
use crate::run::run;
use crate::scorer::ScoringModel;
use crate::session::Session;
use acidtest_challenge::{ANALYSIS, CATALOG, Challenge, Mode, Resources};
use acidtest_nli::Settings;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunSpec {
    /// Corpora to make the challenges from [default: the built-in ones].
    pub data: DataSpec,
    /// The models [default: all built-in ones; without data, a network and the shortcut that it relies on].
    pub models: Vec<ModelSpec>,
    /// Names of challenges, or `all`: every challenge whose requirements are met.
    pub challenges: Vec<String>,
    /// Settings by challenge, overriding those that it has in a run.
    pub settings: BTreeMap<String, Map<String, Value>>,
    /// Whether to follow the papers or their authors' scripts.
    pub mode: Mode,
    /// The seed of the challenges.
    pub seed: u64,
    /// How predictions are scored and explained.
    pub evaluation: EvaluationSpec,
}

impl Default for RunSpec {
    fn default() -> Self {
        RunSpec {
            data: DataSpec::default(),
            models: Vec::new(),
            challenges: vec![ALL.to_string()],
            settings: BTreeMap::new(),
            mode: Mode::Clean,
            seed: 1,
            evaluation: EvaluationSpec::default(),
        }
    }
}

/// A run with all models opened and all data read.
pub struct ResolvedRun {
    /// The examples.
    pub data: LoadedData,
    /// The models.
    pub models: Vec<NamedModel>,
    /// The challenges.
    pub challenges: Vec<Challenge>,
    /// Challenges that `all` excludes because a requirement is not met; the report names them.
    pub left_out: Vec<ExcludedChallenge>,
    /// Notes on how challenges were made; the report includes them.
    pub notes: Vec<String>,
    /// How predictions are scored and explained.
    pub rules: EvaluationRules,
}

impl ResolvedRun {
    /// Makes the sets, collects predictions, scores and explains them.
    pub fn run(&self, session: &Session<'_>) -> Result<Results<'_>, Error> {
        let mut results = run(&self.data, &self.models, &self.challenges, &self.rules, session)?;
        results.add_excluded(self.left_out.iter().map(|left_out| format!("{left_out}.")).chain(self.notes.iter().cloned()));
        Ok(results)
    }
}

/// The models of a run without models or data: a network, and the shortcut that it relies on.
const SHOWN: [&str; 2] = ["esim-small", "overlap"];

impl RunSpec {
    /// Adds a setting of a challenge, `CHALLENGE.KEY=VALUE`.
    pub fn add_setting(&mut self, text: &str) -> Result<(), Error> {
        let wrong = || SpecError::new("run.settings", text, "CHALLENGE.KEY=VALUE, such as hans.per_subcase=100");
        let (name, pair) = text.split_once('.').ok_or_else(wrong)?;
        let Value::Object(given) = Settings::parse([pair])?.as_json() else { return Err(wrong().into()) };
        let settings = self.settings.entry(name.to_string()).or_default();
        for (key, value) in given {
            if settings.contains_key(&key) {
                return Err(SpecError::new(format!("run.settings.{name}.{key}"), value.to_string(), "each setting once").into());
            }
            settings.insert(key, value);
        }
        Ok(())
    }

    /// Opens the models, sets the challenges up and reads the corpora.
    pub fn resolve(&self, session: &Session<'_>) -> Result<ResolvedRun, Error> {
        let mut run = self.resolve_without_models(session)?;
        run.models = self.open_models(&run, session)?;
        run.rules.title = run.rules.title.or_else(|| self.title(&run.models));
        Ok(run)
    }

    /// The same without models, since starting a program may take long.
    pub fn resolve_without_models(&self, session: &Session<'_>) -> Result<ResolvedRun, Error> {
        self.data.refuse_unused()?;
        let rules = self.evaluation.resolve(session)?;
        let (mut challenges, left_out) = self.challenges(&rules)?;
        let data = match self.data.files.is_empty() {
            true => LoadedData::embedded(),
            // Without a challenge no text is needed: saved predictions can be scored with a gold key alone.
            false if self.challenges.is_empty() => self.data.resolve()?.load(session)?,
            false => self.data.resolve_text()?.load(session)?,
        };
        let notes = self.use_own_parse(&mut challenges, &data)?;
        // Generated examples have tags of their own, which are checked once they exist.
        if challenges.iter().all(|challenge| challenge.generator().is_none()) {
            rules.require_cluster_tag(&data.examples)?;
        }
        Ok(ResolvedRun { data, models: Vec::new(), challenges, left_out, notes, rules })
    }

    /// Switches challenges to our own parser if examples lack the parse that they use by default; returns a note for each.
    fn use_own_parse(&self, challenges: &mut [Challenge], data: &LoadedData) -> Result<Vec<String>, Error> {
        let mut notes = Vec::new();
        for challenge in challenges {
            let name = challenge.name();
            let lacking = data.examples.iter().filter(|example| challenge.lacks_tree(example)).count();
            if lacking == 0 || self.settings.get(name).is_some_and(|settings| settings.contains_key(ANALYSIS)) {
                continue;
            }
            let Value::Object(settings) = challenge.settings().clone() else { continue };
            let spec = ChallengeSpec { name: name.to_string(), settings, mode: challenge.mode(), seed: challenge.seed() };
            *challenge = spec.with_own_parse().resolve(&Resources::default())?;
            let all = data.examples.len();
            notes.push(format!("{name} uses Acidtest's own parser: {lacking} of {all} examples have no parse in the corpus."));
        }
        Ok(notes)
    }

    /// Opens the models, given data that was already read.
    pub(crate) fn open_models(&self, run: &ResolvedRun, session: &Session<'_>) -> Result<Vec<NamedModel>, Error> {
        open_models(&self.models_or_defaults(), run.data.label_counts(), session)
    }

    /// The names that the opened models will have.
    pub(crate) fn model_names(&self) -> Result<Vec<String>, Error> {
        self.models_or_defaults().iter().map(ModelSpec::opened_name).collect()
    }

    fn models_or_defaults(&self) -> Vec<ModelSpec> {
        let names: Vec<&str> = match (self.models.is_empty(), self.data.files.is_empty()) {
            (false, _) => return self.models.clone(),
            (true, true) => SHOWN.to_vec(),
            (true, false) => EMBEDDED.names().into_iter().chain(acidtest_model::CATALOG.names()).collect(),
        };
        names.into_iter().map(ModelSpec::parse).collect()
    }

    fn title(&self, models: &[NamedModel]) -> Option<String> {
        match (self.models.is_empty(), self.data.files.is_empty()) {
            (true, true) => Some("Stress test of a small trained network and the overlap heuristic".to_string()),
            (true, false) => Some("Stress test of built-in models".to_string()),
            (false, true) => {
                let names: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
                Some(format!("{} on the embedded pairs", names.join(", ")))
            }
            (false, false) => None,
        }
    }

    /// Whether a challenge is requested by name or by a setting, not only by `all`.
    fn names(&self, challenge: &str) -> bool {
        let named = self.challenges.iter().flat_map(|names| names.split(',')).any(|name| name.trim() == challenge);
        named || self.settings.contains_key(challenge)
    }

    fn challenges(&self, rules: &EvaluationRules) -> Result<(Vec<Challenge>, Vec<ExcludedChallenge>), Error> {
        let scorer = rules.lexical.as_ref().map(ScoringModel::of);
        let resources = Resources { scorer, ..Resources::default() };
        let like = ChallengeSpec { mode: self.mode, seed: self.seed, ..ChallengeSpec::default() };
        let (mut specs, left_out) = chosen_challenges(&self.challenges, &like, &resources)?;
        specs.retain(|spec| spec.name != REPEATED || self.names(REPEATED));
        for (name, settings) in &self.settings {
            CATALOG.find(name)?;
            let Some(spec) = specs.iter_mut().find(|spec| spec.name == *name) else {
                let given = Value::Object(settings.clone()).to_string();
                return Err(SpecError::new(format!("run.settings.{name}"), given, "settings of a challenge of this run").into());
            };
            spec.settings.extend(settings.clone());
        }
        let challenges = specs.into_iter().map(|spec| spec.in_run()?.resolve(&resources)).collect::<Result<_, _>>()?;
        Ok((challenges, left_out))
    }
}

/// A challenge that `all` excludes in a run: by default it adds a negated tautology, which nearly repeats `negation`.
const REPEATED: &str = "tautology";

impl ChallengeSpec {
    /// The same with the settings of a run, which makes fewer pairs; explicit settings are kept.
    pub fn in_run(mut self) -> Result<Self, Error> {
        for (key, value) in self.entry()?.in_run {
            self.settings.entry(*key).or_insert_with(|| Value::from(*value));
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redundant_challenge_is_made_only_if_named() {
        let rules = EvaluationSpec::default().resolve(&session()).unwrap();
        let made = |challenges: &[&str]| {
            let spec = RunSpec { challenges: challenges.iter().map(|name| name.to_string()).collect(), ..RunSpec::default() };
            spec.challenges(&rules).unwrap().0.iter().map(|challenge| challenge.name().to_string()).collect::<Vec<_>>()
        };
        let all = made(&["all"]);
        assert!(all.iter().any(|name| name == "negation") && !all.iter().any(|name| name == "tautology"), "{all:?}");
        assert_eq!(made(&["tautology"]), ["tautology"]);
        assert!(made(&["all,tautology"]).iter().any(|name| name == "tautology"));
    }

    #[test]
    fn a_run_uses_our_own_parser_if_the_corpus_has_no_parses() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("plain.jsonl");
        std::fs::write(&file, "{\"premise\": \"A dog chases a cat.\", \"hypothesis\": \"It runs.\", \"label\": \"entailment\"}\n").unwrap();
        let run = |settings: &[&str]| {
            let mut spec = RunSpec {
                data: DataSpec::of_files([&file]),
                challenges: vec!["subject-object-swap".to_string()],
                models: vec![ModelSpec::parse("overlap")],
                ..RunSpec::default()
            };
            settings.iter().for_each(|setting| spec.add_setting(setting).unwrap());
            let resolved = spec.resolve(&session()).unwrap();
            let notes = resolved.notes.clone();
            let sets = resolved.run(&session()).map(|results| results.sets.iter().map(|set| set.name().to_string()).collect::<Vec<_>>());
            (notes, sets.map_err(|error| error.to_string()))
        };
        let (notes, sets) = run(&[]);
        assert_eq!(notes, ["subject-object-swap uses Acidtest's own parser: 1 of 1 examples have no parse in the corpus."]);
        assert_eq!(sets.unwrap(), ["original", "subject-object-swap-test", "subject-object-swap-control"]);
        let (notes, sets) = run(&["subject-object-swap.analysis=strict"]);
        assert!(notes.is_empty() && sets.unwrap_err().contains("needs a Penn-style parse of every sentence"));
    }

    fn session() -> Session<'static> {
        Session::quiet().unwrap()
    }

    fn refused(spec: &RunSpec) -> String {
        spec.resolve(&session()).err().unwrap().to_string()
    }

    fn hans(settings: &[&str]) -> RunSpec {
        let mut spec = RunSpec { challenges: vec!["hans".to_string()], models: vec![ModelSpec::parse("overlap")], ..RunSpec::default() };
        settings.iter().for_each(|setting| spec.add_setting(setting).unwrap());
        spec
    }

    fn pairs(spec: &RunSpec) -> u64 {
        let resolved = spec.resolve(&session()).unwrap();
        let results = resolved.run(&session()).unwrap();
        results.sets.iter().filter(|set| set.name().starts_with("hans")).map(|set| set.examples.len() as u64).sum()
    }

    #[test]
    fn a_run_makes_fewer_pairs_of_hans_by_default() {
        assert_eq!(pairs(&hans(&[])), 1500);
        assert_eq!(pairs(&hans(&["hans.per_subcase=2"])), 60);
        let key: RunSpec = serde_json::from_str(r#"{"challenges": ["hans"], "settings": {"hans": {"per_subcase": 2}}}"#).unwrap();
        assert_eq!(key.settings, hans(&["hans.per_subcase=2"]).settings);
    }

    #[test]
    fn settings_must_name_a_challenge_of_the_run_and_be_given_once() {
        let mut spec = hans(&["hans.per_subcase=2"]);
        let twice = spec.add_setting("hans.per_subcase=3").unwrap_err().to_string();
        assert_eq!(twice, "run.settings.hans.per_subcase: invalid value `3`: expected each setting once");
        assert!(spec.add_setting("per_subcase=3").unwrap_err().to_string().starts_with("run.settings: invalid value `per_subcase=3`"));
        assert!(refused(&hans(&["hanns.per_subcase=3"])).contains("did you mean `hans`?"));
        assert!(refused(&hans(&["negation.side=premise"])).starts_with("run.settings.negation: invalid value"));
    }

    #[test]
    fn reading_options_without_corpora_are_refused() {
        let data = DataSpec { labels: Some("C,E,N".to_string()), ..DataSpec::default() };
        assert!(refused(&RunSpec { data, ..RunSpec::default() }).starts_with("data.labels: invalid value `C,E,N`"));
    }

    #[test]
    fn settings_only_for_comparisons_are_refused() {
        let run = |evaluation: &str| {
            let evaluation = serde_json::from_str(evaluation).unwrap();
            let resolved = RunSpec { evaluation, ..hans(&["hans.per_subcase=1"]) }.resolve(&session()).unwrap();
            resolved.run(&session()).err().unwrap().to_string()
        };
        assert!(run(r#"{"pairing": "every"}"#).starts_with("evaluation.pairing: invalid value `every`"));
        assert!(run(r#"{"runs": "one-model"}"#).starts_with("evaluation.runs: invalid value `one-model`"));
        assert!(run(r#"{"surplus": "ignore"}"#).starts_with("evaluation.surplus: invalid value `ignore`"));
    }

    #[test]
    fn every_set_with_the_tag_is_broken_down() {
        let by = |tag: &str| {
            let evaluation = EvaluationSpec { by: vec![tag.to_string()], ..EvaluationSpec::default() };
            RunSpec { evaluation, ..hans(&["hans.per_subcase=1"]) }
        };
        let resolved = by("subcase").resolve(&session()).unwrap();
        let results = resolved.run(&session()).unwrap();
        let grouped = results.report.measurements.iter().filter(|one| one.group.iter().any(|(tag, _)| tag == "subcase"));
        assert_eq!(grouped.count(), 30);
        let resolved = by("subcsae").resolve(&session()).unwrap();
        assert!(resolved.run(&session()).err().unwrap().to_string().contains("`subcsae`"));
    }
}
