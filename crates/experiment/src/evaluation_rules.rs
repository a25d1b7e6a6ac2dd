//! How predictions are scored, compared and explained, with everything opened and read.

use crate::asking::{AskRules, OrderCheck};
use crate::error::Error;
use crate::misleading::{LexicalWitness, OpenLexical};
use crate::models::{ModelSource, NamedModel};
use crate::session::Session;
use crate::spec::{LabelOrderRule, PairingRule, RunsRule, SpecError, SurplusRule};
use acidtest_evaluate::{ClusterRule, Missing, Scoring};
use acidtest_nli::Example;
use std::collections::BTreeSet;

/// What an [`EvaluationSpec`](crate::spec::EvaluationSpec) says, resolved.
pub struct EvaluationRules {
    /// The tags of each breakdown.
    pub by: Vec<Vec<String>>,
    /// Which examples are one cluster.
    pub clusters: ClusterRule,
    /// The scoring rule; without one the gold labels say which.
    pub scoring: Option<Scoring>,
    /// What becomes of examples without a prediction.
    pub missing: Missing,
    /// What becomes of recorded predictions for examples that are not in the data.
    pub surplus: SurplusRule,
    /// What becomes of a model whose labels are read in the wrong order.
    pub label_order: LabelOrderRule,
    /// Which models are compared with which.
    pub pairing: PairingRule,
    /// Whether the models are runs of one model.
    pub runs: RunsRule,
    /// Examples to learn the hypothesis-only heuristic from.
    pub training: Vec<Example<'static>>,
    /// A lexical model to show accuracy by where words alone mislead.
    pub lexical: Option<OpenLexical>,
    /// The headline of the report.
    pub title: Option<String>,
}

impl EvaluationRules {
    /// What the lexical model says of the examples, where there is one.
    pub(crate) fn witness(&self, examples: &[Example<'_>], session: &Session<'_>) -> Result<Option<LexicalWitness>, Error> {
        self.lexical.as_ref().map(|lexical| lexical.witness(examples, &session.threads)).transpose()
    }

    /// What is refused when models are asked.
    pub(crate) fn ask_rules(&self) -> AskRules {
        let order = match self.label_order {
            LabelOrderRule::Refuse => OrderCheck::Refuse,
            LabelOrderRule::Accept => OrderCheck::Skip,
        };
        AskRules { order, surplus: self.surplus }
    }

    /// Refuses clusters by a tag that none of these examples has; best called before models are opened.
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
            true => "a tag that examples have; these have none".to_string(),
            false => format!("a tag that examples have: {}", names.into_iter().collect::<Vec<_>>().join(", ")),
        };
        Err(SpecError::new("evaluation.cluster", tag, expected))
    }

    /// Refuses what only a comparison of models looks at.
    pub(crate) fn refuse_comparison(&self) -> Result<(), SpecError> {
        let refuse =
            |field: &str, value: &str| Err(SpecError::new(format!("evaluation.{field}"), value, "a comparison of models to use it in"));
        match self {
            EvaluationRules { pairing: PairingRule::Every, .. } => refuse("pairing", "every"),
            EvaluationRules { runs: RunsRule::OneModel, .. } => refuse("runs", "one-model"),
            _ => Ok(()),
        }
    }

    /// Refuses to leave out recorded predictions where none are recorded.
    pub(crate) fn refuse_surplus(&self, models: &[NamedModel]) -> Result<(), SpecError> {
        let recorded = |model: &NamedModel| matches!(model.source, ModelSource::Recorded { .. });
        if self.surplus == SurplusRule::Refuse || models.iter().any(recorded) {
            return Ok(());
        }
        Err(SpecError::new(
            "evaluation.surplus",
            "ignore",
            "recorded predictions to leave some out of; a model that is asked has none to spare",
        ))
    }
}
