//! Specs: the content of a command line, a TOML file or a Python call as plain data.
//!
//! A flag, a key and an argument of the same name mean the same, because all of them fill these structs. Every spec has defaults, refuses
//! unknown fields, and has a `resolve` that returns the resolved object, or an error that names the field. Entry points take resolved objects, so that
//! closures and tables in memory can be used without a spec.

mod arms;
mod challenge;
mod data;
mod evaluation;
mod gate;
mod model;
mod report;
mod run;
mod train;

pub use arms::ModelsByArm;
pub use challenge::{ALL, ChallengeSpec, ExcludedChallenge, add_settings, chosen_challenges};
pub use data::{BadRowRule, DataSpec, IdRule, UnlabelledRule, parse_columns, parse_label_map};
pub use evaluation::{ArmSpec, EvaluationSpec, LabelOrderRule, MissingRule, PairingRule, RunsRule, SurplusRule};
pub use gate::{AnnotationForm, CheckKind, GateSpec};
pub(crate) use model::is_name;
pub use model::{ModelSpec, give_setting, give_settings};
pub use report::{ReportFormat, ReportSections, ReportSpec};
pub use run::{ResolvedRun, RunSpec};
pub use train::{AugmentSpec, MixSpec, TrainSpec};

/// An invalid field of a spec. The front end adds the flag, key or argument.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: invalid value `{value}`: expected {expected}")]
pub struct SpecError {
    /// The field, with the spec that it belongs to: `data.labels`, `model.settings.workers`.
    pub field: String,
    /// Its value, as given.
    pub value: String,
    /// What is accepted.
    pub expected: String,
}

impl SpecError {
    /// A field whose value cannot be used.
    pub fn new(field: impl Into<String>, value: impl Into<String>, expected: impl Into<String>) -> Self {
        SpecError { field: field.into(), value: value.into(), expected: expected.into() }
    }
}
