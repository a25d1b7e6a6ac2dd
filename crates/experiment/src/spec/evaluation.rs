//! How predictions are scored, compared and explained.

use super::{DataSpec, SpecError};
use crate::error::Error;
use crate::evaluation_rules::EvaluationRules;
use crate::misleading::OpenLexical;
use crate::session::Session;
use acidtest_evaluate::statistics::Proportion;
use acidtest_evaluate::{ClusterRule, Missing, Scoring};
use acidtest_nli::{Example, Named};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How predictions are scored, compared and explained.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EvaluationSpec {
    /// Tags to break scores down by, each one tag or several separated by commas; a run breaks down every set that has them.
    pub by: Vec<String>,
    /// The tag whose values are the clusters for intervals and p values [default: examples with the same premise; each generated pair by itself].
    pub cluster: Option<String>,
    /// The scoring rule [default: three-way, or merged-answers if gold labels are two-way].
    pub scoring: Option<String>,
    /// How examples without a prediction are handled.
    pub missing: MissingRule,
    /// How saved predictions for examples that are not in the data are handled.
    pub surplus: SurplusRule,
    /// How a wrong label order is handled.
    pub label_order: LabelOrderRule,
    /// Which models are compared with which; only for comparisons.
    pub pairing: PairingRule,
    /// Whether the models are runs of one model; only for comparisons.
    pub runs: RunsRule,
    /// Training methods, each with the names of its models; only for comparisons.
    pub arms: Vec<ArmSpec>,
    /// How many of the checked labels are valid, such as `95/100`; only for evaluations.
    pub valid_labels: Option<String>,
    /// Training examples of the hypothesis-only heuristic.
    pub train: DataSpec,
    /// Folder of a trained lexical model, to report accuracy where words alone mislead.
    pub lexical: Option<PathBuf>,
    /// The headline of the report.
    pub title: Option<String>,
}

impl Default for EvaluationSpec {
    fn default() -> Self {
        EvaluationSpec {
            by: Vec::new(),
            cluster: None,
            scoring: None,
            missing: MissingRule::Refuse,
            surplus: SurplusRule::Refuse,
            label_order: LabelOrderRule::Refuse,
            pairing: PairingRule::WithFirst,
            runs: RunsRule::Separate,
            arms: Vec::new(),
            valid_labels: None,
            train: DataSpec::default(),
            lexical: None,
            title: None,
        }
    }
}

/// A training method and its trained models.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ArmSpec {
    /// The name in reports.
    pub name: String,
    /// The names of its models, one per seed.
    pub models: Vec<String>,
}

/// How labelled examples without a prediction are handled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissingRule {
    /// They are an error.
    #[default]
    Refuse,
    /// They count as wrong.
    CountAsWrong,
}

/// How predictions for examples that are not in the data are handled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SurplusRule {
    /// They are an error.
    #[default]
    Refuse,
    /// They are ignored, for data that is a subset of the predicted examples.
    Ignore,
    /// The same for data that is the beginning of the predicted examples, so predictions may be joined by row number.
    IgnoreLater,
}

/// How a wrong label order is handled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LabelOrderRule {
    /// It is refused.
    #[default]
    Refuse,
    /// It is scored anyway.
    Accept,
}

/// Which models are compared with which.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairingRule {
    /// Each with the first.
    #[default]
    WithFirst,
    /// Every pair.
    Every,
}

/// Whether several models are runs of one model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunsRule {
    /// They are different models.
    #[default]
    Separate,
    /// They are runs of one model, whose variation is reported.
    OneModel,
}

impl EvaluationSpec {
    /// Reads what the spec names: the scoring rule, the training corpora, the lexical model.
    pub fn resolve(&self, session: &Session<'_>) -> Result<EvaluationRules, Error> {
        Ok(EvaluationRules {
            by: self.by.iter().map(|tags| tags.split(',').map(str::to_string).collect()).collect(),
            clusters: self.cluster.clone().map_or(ClusterRule::Premise, ClusterRule::Tag),
            scoring: self.scoring()?,
            missing: match self.missing {
                MissingRule::Refuse => Missing::Refuse,
                MissingRule::CountAsWrong => Missing::CountAsWrong,
            },
            surplus: self.surplus,
            label_order: self.label_order,
            pairing: self.pairing,
            runs: self.runs,
            arms: self.arms.clone(),
            valid_labels: self.valid_labels()?,
            training: self.training(session)?,
            lexical: self.lexical.as_deref().map(OpenLexical::open).transpose()?,
            title: self.title.clone(),
        })
    }

    fn scoring(&self) -> Result<Option<Scoring>, SpecError> {
        let Some(name) = &self.scoring else { return Ok(None) };
        let found = Scoring::ALL.into_iter().find(|scoring| scoring.name() == name);
        let expected = || format!("one of: {}", Scoring::ALL.map(|scoring| scoring.name().to_string()).join(", "));
        found.map(Some).ok_or_else(|| SpecError::new("evaluation.scoring", name, expected()))
    }

    fn valid_labels(&self) -> Result<Option<Proportion>, SpecError> {
        let Some(text) = &self.valid_labels else { return Ok(None) };
        let read = || {
            let (count, total) = text.split_once('/')?;
            let (count, total) = (count.trim().parse().ok()?, total.trim().parse().ok()?);
            (0 < count && count <= total).then_some(Proportion { count, total })
        };
        let expected = "VALID/JUDGED with at least one valid label, such as 95/100";
        read().map(Some).ok_or_else(|| SpecError::new("evaluation.valid_labels", text, expected))
    }

    fn training(&self, session: &Session<'_>) -> Result<Vec<Example<'static>>, Error> {
        if self.train.files.is_empty() {
            self.train.refuse_unused()?;
            return Ok(Vec::new());
        }
        Ok(self.train.resolve()?.load(session)?.examples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(spec: &EvaluationSpec) -> String {
        spec.resolve(&Session::quiet().unwrap()).err().unwrap().to_string()
    }

    #[test]
    fn a_spec_is_read_by_name_and_unknown_fields_are_refused() {
        let spec: EvaluationSpec = serde_json::from_str(r#"{"by": ["genre,gold"], "missing": "count-as-wrong"}"#).unwrap();
        let rules = spec.resolve(&Session::quiet().unwrap()).unwrap();
        assert_eq!(rules.missing, Missing::CountAsWrong);
        assert_eq!(rules.by, [["genre", "gold"]]);
        assert!(serde_json::from_str::<EvaluationSpec>(r#"{"bye": ["genre"]}"#).is_err());
    }

    #[test]
    fn an_unknown_scoring_rule_is_refused() {
        let spec = EvaluationSpec { scoring: Some("two-way".to_string()), ..EvaluationSpec::default() };
        let expected = "evaluation.scoring: invalid value `two-way`: expected one of: three-way, merged-answers, summed-scores";
        assert_eq!(refused(&spec), expected);
    }

    #[test]
    fn valid_labels_cannot_exceed_the_judged_ones() {
        let spec = |text: &str| EvaluationSpec { valid_labels: Some(text.to_string()), ..EvaluationSpec::default() };
        let rules = spec("95/100").resolve(&Session::quiet().unwrap()).unwrap();
        assert_eq!(rules.valid_labels, Some(Proportion { count: 95, total: 100 }));
        for wrong in ["0.95", "95", "101/100", "0/100", "0/0", "-1/2", "95/100/2", ""] {
            assert!(refused(&spec(wrong)).starts_with(&format!("evaluation.valid_labels: invalid value `{wrong}`: expected VALID/JUDGED")));
        }
    }

    #[test]
    fn training_corpora_and_lexical_models_are_opened_on_resolve() {
        let spec = EvaluationSpec { train: DataSpec::of_files(["nowhere.jsonl"]), ..EvaluationSpec::default() };
        assert!(refused(&spec).starts_with("nowhere.jsonl: "));
        let spec = EvaluationSpec { lexical: Some(PathBuf::from("nowhere")), ..EvaluationSpec::default() };
        assert!(refused(&spec).starts_with("nowhere: no such folder"));
        let spec = EvaluationSpec { train: DataSpec { labels: Some("C,E,N".to_string()), ..DataSpec::default() }, ..spec };
        assert!(refused(&spec).starts_with("data.labels: invalid value `C,E,N`: expected nothing"));
    }
}
