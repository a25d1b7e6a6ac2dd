//! How predictions are scored, compared and explained, with all files read.

use crate::asking::{AskRules, OrderCheck};
use crate::data::LoadedData;
use crate::error::Error;
use crate::misleading::{LexicalWitness, OpenLexical};
use crate::models::{AnswerColumn, ModelSource, NamedModel};
use crate::session::Session;
use crate::spec::{ArmSpec, LabelOrderRule, PairingRule, RunsRule, SpecError, SurplusRule};
use acidtest_evaluate::analysis::Candidate;
use acidtest_evaluate::statistics::Proportion;
use acidtest_evaluate::{ClusterRule, Missing, Scoring};
use acidtest_nli::Example;
use std::collections::BTreeSet;

/// A resolved [`EvaluationSpec`](crate::spec::EvaluationSpec).
pub struct EvaluationRules {
    /// The tags of each breakdown.
    pub by: Vec<Vec<String>>,
    /// Which examples form a cluster.
    pub clusters: ClusterRule,
    /// The scoring rule; by default, the gold labels determine it.
    pub scoring: Option<Scoring>,
    /// How examples without a prediction are handled.
    pub missing: Missing,
    /// How saved predictions for examples that are not in the data are handled.
    pub surplus: SurplusRule,
    /// How a wrong label order is handled.
    pub label_order: LabelOrderRule,
    /// Which models are compared with which.
    pub pairing: PairingRule,
    /// Whether the models are runs of one model.
    pub runs: RunsRule,
    /// Training methods, each with the names of its models; empty if models are compared one by one.
    pub arms: Vec<ArmSpec>,
    /// How many of the checked labels are valid, if that is known.
    pub valid_labels: Option<Proportion>,
    /// Training examples of the hypothesis-only heuristic.
    pub training: Vec<Example<'static>>,
    /// A lexical model, to report accuracy where words alone mislead.
    pub lexical: Option<OpenLexical>,
    /// The headline of the report.
    pub title: Option<String>,
}

impl EvaluationRules {
    /// The lexical model's predictions for the examples, if there is one.
    pub(crate) fn witness(&self, examples: &[Example<'_>], session: &Session<'_>) -> Result<Option<LexicalWitness>, Error> {
        self.lexical.as_ref().map(|lexical| lexical.witness(examples, &session.threads)).transpose()
    }

    /// What is refused before models predict.
    pub(crate) fn ask_rules<'d>(&self, data: &'d LoadedData) -> AskRules<'d> {
        let order = match self.label_order {
            LabelOrderRule::Refuse => OrderCheck::Refuse,
            LabelOrderRule::Accept => OrderCheck::Skip,
        };
        AskRules { order, surplus: self.surplus, assumed_labels: data.assumed_labels, gaps: &data.gaps }
    }

    /// Refuses a cluster tag that none of these examples has; call it before models are opened.
    pub fn require_cluster_tag<'e>(&self, examples: impl IntoIterator<Item = &'e Example<'e>> + Clone) -> Result<(), SpecError> {
        let ClusterRule::Tag(tag) = &self.clusters else { return Ok(()) };
        let examples = || examples.clone().into_iter();
        if examples().any(|example| example.tags.get(tag).is_some()) {
            return Ok(());
        }
        let mut names: BTreeSet<&str> = BTreeSet::new();
        for (name, _) in examples().flat_map(|example| example.tags.iter()) {
            if !names.contains(name) {
                names.insert(name);
            }
        }
        let expected = match names.is_empty() {
            true => "a tag that the examples have".to_string(),
            false => format!("a tag that examples have: {}", names.into_iter().collect::<Vec<_>>().join(", ")),
        };
        Err(SpecError::new("evaluation.cluster", tag, expected))
    }

    /// Refuses settings that only apply to a comparison of models.
    pub(crate) fn refuse_comparison(&self) -> Result<(), SpecError> {
        let refuse = |field: &str, value: &str| {
            Err(SpecError::new(format!("evaluation.{field}"), value, "nothing, because it applies only to a comparison of models"))
        };
        match self {
            EvaluationRules { pairing: PairingRule::Every, .. } => refuse("pairing", "every"),
            EvaluationRules { runs: RunsRule::OneModel, .. } => refuse("runs", "one-model"),
            EvaluationRules { arms, .. } if !arms.is_empty() => refuse("arms", &arms[0].name),
            _ => Ok(()),
        }
    }

    /// Refuses settings that only apply to the evaluation of one model on one set.
    pub(crate) fn refuse_valid_labels(&self) -> Result<(), SpecError> {
        match self.valid_labels {
            None => Ok(()),
            Some(Proportion { count, total }) => {
                let value = format!("{count}/{total}");
                Err(SpecError::new("evaluation.valid_labels", value, "nothing, because it applies only to the evaluation of one model"))
            }
        }
    }

    /// Refuses arms that do not match these models: each model belongs to one arm.
    pub(crate) fn require_arms(&self, models: &[NamedModel]) -> Result<(), SpecError> {
        let Some(first) = self.arms.first() else { return Ok(()) };
        let refuse = |value: &str, expected: String| Err(SpecError::new("evaluation.arms", value, expected));
        if self.runs == RunsRule::OneModel {
            return Err(SpecError::new("evaluation.runs", "one-model", "no arms, because their spread is always shown"));
        }
        if self.arms.len() < 2 {
            return refuse(&first.name, "at least two arms to compare".to_string());
        }
        let mut names = BTreeSet::new();
        let mut seeds = BTreeSet::new();
        for arm in &self.arms {
            if arm.name.trim().is_empty() || !names.insert(&arm.name) {
                return refuse(&arm.name, "a different name for each arm".to_string());
            }
            if arm.models.is_empty() {
                return refuse(&arm.name, "at least one model of the arm".to_string());
            }
            for seed in &arm.models {
                if !models.iter().any(|model| model.name == *seed) {
                    return refuse(seed, "the name of a model".to_string());
                }
                if !seeds.insert(seed) {
                    return refuse(seed, "each model in only one arm".to_string());
                }
            }
        }
        match models.iter().find(|model| !seeds.contains(&model.name)) {
            Some(model) => refuse(&model.name, "every model in an arm".to_string()),
            None => Ok(()),
        }
    }

    /// Refuses seeds of one arm with identical predictions, which suggest a copied file. A few labels may agree by chance; scores do not.
    pub(crate) fn refuse_copies(&self, candidates: &[Candidate<'_>]) -> Result<(), Error> {
        let arms = self.arms.iter().map(|arm| arm.name.clone()).zip(self.seeds_of_arms(candidates)?);
        for (arm, seeds) in arms {
            for (place, second) in seeds.iter().enumerate() {
                if let Some(first) = seeds[..place].iter().find(|first| is_copy(first, second)) {
                    return Err(Error::SameSeed { arm, first: first.name.to_string(), second: second.name.to_string() });
                }
            }
        }
        Ok(())
    }

    /// The models of each arm.
    pub(crate) fn seeds_of_arms<'c>(&self, candidates: &[Candidate<'c>]) -> Result<Vec<Vec<Candidate<'c>>>, SpecError> {
        let find = |name: &String| {
            let found = candidates.iter().find(|candidate| candidate.name == name).copied();
            found.ok_or_else(|| SpecError::new("evaluation.arms", name, "the name of a model"))
        };
        self.arms.iter().map(|arm| arm.models.iter().map(find).collect()).collect()
    }

    /// Refuses predictions that are the data itself, unless a column was named: they would be its gold labels.
    pub(crate) fn refuse_data_as_predictions(&self, data: &LoadedData, models: &[NamedModel]) -> Result<(), Error> {
        for model in models {
            let ModelSource::Recorded { file, column: AnswerColumn::Usual, .. } = &model.source else { continue };
            let hash = file.hash.to_string();
            if let Some(input) = data.inputs.iter().find(|input| input.hash == hash) {
                return Err(Error::DataAsPredictions { file: file.name.clone(), data: input.path.clone() });
            }
        }
        Ok(())
    }

    /// Refuses to ignore surplus predictions if no predictions are saved.
    pub(crate) fn refuse_surplus(&self, models: &[NamedModel]) -> Result<(), SpecError> {
        let recorded = |model: &NamedModel| matches!(model.source, ModelSource::Recorded { .. });
        if self.surplus == SurplusRule::Refuse || models.iter().any(recorded) {
            return Ok(());
        }
        Err(SpecError::new("evaluation.surplus", "ignore", "saved predictions among the models"))
    }
}

/// With fewer examples, two models may predict the same labels by chance.
const TELLING_EXAMPLES: usize = 30;

/// Whether two models have identical predictions and scores.
fn is_copy(first: &Candidate<'_>, second: &Candidate<'_>) -> bool {
    let predictions =
        |candidate: &Candidate<'_>| candidate.judged.joined.examples().map(|example| example.prediction.cloned()).collect::<Vec<_>>();
    let (first, second) = (predictions(first), predictions(second));
    let scored = first.iter().flatten().any(|prediction| prediction.scores.is_some());
    (scored || first.len() >= TELLING_EXAMPLES) && first == second
}
