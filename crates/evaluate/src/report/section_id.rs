//! What sections are known by.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// What a section is about; [`SectionId::name`] is its name in files, which stays the same between runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub enum SectionId {
    /// What a reader should take away.
    Verdict,
    /// Accuracy on every set of a run.
    Sets,
    /// What could not be made or judged.
    LeftOut,
    /// The score of a whole set.
    Overall,
    /// Scores of each label.
    Labels,
    /// Gold labels against predictions.
    Confusion,
    /// Scores by the values of these tags, joined by commas.
    By(String),
    /// Results as the paper on HANS shows them.
    Hans,
    /// Accuracy where words mislead.
    Compositional,
    /// Original against perturbed examples.
    Stressed,
    /// Predictions that change under this challenge.
    Flips(String),
    /// Errors of all kinds.
    Errors,
    /// Errors by gold label and prediction.
    ErrorKinds,
    /// Accuracy by length.
    Lengths,
    /// Which shortcuts are taken.
    Diagnosis,
    /// The same by the values of these tags, joined by commas.
    DiagnosisBy(String),
    /// Models on the same examples.
    Comparison,
    /// The same by the values of these tags, joined by commas.
    ComparisonBy(String),
    /// Any other section, by its name.
    Other(Cow<'static, str>),
}

impl SectionId {
    /// The name in files.
    pub fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(match self {
            SectionId::Verdict => "verdict",
            SectionId::Sets => "sets",
            SectionId::LeftOut => "left-out",
            SectionId::Overall => "overall",
            SectionId::Labels => "labels",
            SectionId::Confusion => "confusion",
            SectionId::Hans => "hans",
            SectionId::Compositional => "compositional",
            SectionId::Stressed => "stressed",
            SectionId::Errors => "errors",
            SectionId::ErrorKinds => "error kinds",
            SectionId::Lengths => "lengths",
            SectionId::Diagnosis => "diagnosis",
            SectionId::Comparison => "comparison",
            SectionId::Other(name) => name,
            SectionId::By(tags) => return format!("by {tags}").into(),
            SectionId::Flips(challenge) => return format!("flips {challenge}").into(),
            SectionId::DiagnosisBy(tags) => return format!("diagnosis by {tags}").into(),
            SectionId::ComparisonBy(tags) => return format!("comparison by {tags}").into(),
        })
    }

    /// The sections whose names have no variable part.
    const FIXED: [SectionId; 14] = [
        SectionId::Verdict,
        SectionId::Sets,
        SectionId::LeftOut,
        SectionId::Overall,
        SectionId::Labels,
        SectionId::Confusion,
        SectionId::Hans,
        SectionId::Compositional,
        SectionId::Stressed,
        SectionId::Errors,
        SectionId::ErrorKinds,
        SectionId::Lengths,
        SectionId::Diagnosis,
        SectionId::Comparison,
    ];
}

impl fmt::Display for SectionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name())
    }
}

impl From<SectionId> for String {
    fn from(id: SectionId) -> Self {
        id.name().into_owned()
    }
}

impl<T: Into<Cow<'static, str>>> From<T> for SectionId {
    /// The section of this name.
    fn from(name: T) -> Self {
        let name = name.into();
        let fixed = SectionId::FIXED.into_iter().find(|id| id.name() == name);
        let variable = || {
            let begun = |start: &str| name.strip_prefix(start).map(str::to_string);
            let of = [
                begun("by ").map(SectionId::By),
                begun("flips ").map(SectionId::Flips),
                begun("diagnosis by ").map(SectionId::DiagnosisBy),
                begun("comparison by ").map(SectionId::ComparisonBy),
            ];
            of.into_iter().flatten().next()
        };
        fixed.or_else(variable).unwrap_or(SectionId::Other(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_back_to_its_section() {
        let variable = ["by genre,gold", "flips negation", "diagnosis by half", "comparison by genre", "runs", "lms histogram"];
        let fixed = SectionId::FIXED.into_iter().map(|id| id.name().into_owned());
        for name in fixed.chain(variable.map(str::to_string)) {
            let id = SectionId::from(name.clone());
            assert_eq!(id.name(), name);
            assert_eq!(serde_json::from_str::<SectionId>(&serde_json::to_string(&id).unwrap()).unwrap(), id);
        }
        assert_eq!(SectionId::from("by genre"), SectionId::By("genre".to_string()));
        assert_eq!(SectionId::from("runs"), SectionId::Other("runs".into()));
    }
}
