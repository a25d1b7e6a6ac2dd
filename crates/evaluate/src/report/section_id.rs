//! Identifiers of sections.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// What a section is about; [`SectionId::name`] is its name in files, which stays the same between runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub enum SectionId {
    /// The main findings.
    Verdict,
    /// Accuracy on every set of a run, and the drop under every challenge.
    Sets,
    /// Models by their accuracy under perturbation.
    Leaderboard,
    /// Counts, raw p values and power of a comparison.
    ComparisonCounts,
    /// What could not be made or scored.
    Excluded,
    /// The score of a whole set.
    Overall,
    /// Scores of each label.
    Labels,
    /// Gold labels against predictions.
    Confusion,
    /// Results as the paper on HANS shows them.
    Hans,
    /// Entailed and non-entailed pairs by heuristic.
    GoldByHeuristic,
    /// Accuracy where words mislead.
    Compositional,
    /// Original against perturbed examples.
    Perturbed,
    /// Errors of all kinds.
    Errors,
    /// Errors by gold label and prediction.
    ErrorKinds,
    /// Errors on antonym and numeric pairs.
    Competence,
    /// Sets with matched controls.
    Controls,
    /// Antonym pairs by which models get them right.
    AntonymGroups,
    /// Accuracy by length.
    Lengths,
    /// Which shortcuts the model uses.
    Diagnosis,
    /// Models on the same examples.
    Comparison,
    /// Results for new templates.
    NewTemplates,
    /// Training methods, by several seeds of each.
    Arms,
    /// Accuracy on valid labels.
    LabelNoise,
    /// Accuracy corrected by the labels of judges.
    CorrectedAccuracy,
    /// What judges say of the examples of a set.
    Validity,
    /// Labels of a set against those of judges.
    JudgedLabels,
    /// How far judges agree.
    JudgeAgreement,
    /// What each judge says.
    Judges,
    /// Items that judges do not confirm.
    DoubtfulItems,
    /// The spread of runs of one model.
    Runs,
    /// How well each order of the labels fits.
    LabelOrder,
    /// Lexically-misleading scores.
    MisleadingScores,
    /// How they are distributed.
    MisleadingHistogram,
    /// Examples of a corpus by label.
    CorpusLabels,
    /// Words and parses of a corpus.
    Sentences,
    /// Agreement of annotators.
    Agreement,
    /// Hypotheses similar to their premise.
    Overlap,
    /// Duplicates and leakage.
    Repetition,
    /// Examples that support and contradict the overlap heuristics.
    Heuristics,
    /// The same by genre.
    HeuristicsByGenre,
    /// Label-indicative words.
    Cues,
    /// Hypotheses with a negation.
    Negation,
    /// Words of negation.
    NegationWords,
    /// Length of the hypothesis by label.
    HypothesisLengths,
    /// Examples that contradict a heuristic.
    Contradicting,
    /// Annotation tags of MultiNLI.
    AnnotationTags,
    /// How often verbs occur in the frames that a grammar needs.
    VerbFrames,
    /// The verbs of a grammar's word classes that occur often enough.
    VerbClasses,
    /// Distinct pairs of the templates of a grammar.
    Templates,
    /// Pairs that a grammar makes.
    Recognised,
    /// What a file says of pairs against what its grammar says.
    StatedTags,
    /// Pairs that several templates make.
    Ambiguous,
    /// Pairs by subcase.
    Subcases,
    /// Pairs that no template makes.
    Unrecognised,
    /// Training curves.
    TrainingCurves,
    /// The epochs of a training.
    Epochs,
    /// Scores by the values of these tags, joined by commas.
    By(String),
    /// Predictions that change under this challenge.
    PredictionChanges(String),
    /// [`SectionId::Diagnosis`] by the values of these tags, joined by commas.
    DiagnosisBy(String),
    /// [`SectionId::Comparison`] by the values of these tags, joined by commas.
    ComparisonBy(String),
    /// [`SectionId::Runs`] by the values of these tags, joined by commas.
    RunsBy(String),
    /// [`SectionId::Validity`] by the values of this tag.
    ValidityBy(String),
    /// A section that this version does not know, read from a file.
    Other(String),
}

/// The sections whose names have no variable part.
const FIXED: [SectionId; 56] = [
    SectionId::Verdict,
    SectionId::Sets,
    SectionId::Leaderboard,
    SectionId::ComparisonCounts,
    SectionId::Excluded,
    SectionId::Overall,
    SectionId::Labels,
    SectionId::Confusion,
    SectionId::Hans,
    SectionId::GoldByHeuristic,
    SectionId::Compositional,
    SectionId::Perturbed,
    SectionId::Errors,
    SectionId::ErrorKinds,
    SectionId::Competence,
    SectionId::Controls,
    SectionId::AntonymGroups,
    SectionId::Lengths,
    SectionId::Diagnosis,
    SectionId::Comparison,
    SectionId::NewTemplates,
    SectionId::Arms,
    SectionId::LabelNoise,
    SectionId::CorrectedAccuracy,
    SectionId::Validity,
    SectionId::JudgedLabels,
    SectionId::JudgeAgreement,
    SectionId::Judges,
    SectionId::DoubtfulItems,
    SectionId::Runs,
    SectionId::LabelOrder,
    SectionId::MisleadingScores,
    SectionId::MisleadingHistogram,
    SectionId::CorpusLabels,
    SectionId::Sentences,
    SectionId::Agreement,
    SectionId::Overlap,
    SectionId::Repetition,
    SectionId::Heuristics,
    SectionId::HeuristicsByGenre,
    SectionId::Cues,
    SectionId::Negation,
    SectionId::NegationWords,
    SectionId::HypothesisLengths,
    SectionId::Contradicting,
    SectionId::AnnotationTags,
    SectionId::VerbFrames,
    SectionId::VerbClasses,
    SectionId::Templates,
    SectionId::Recognised,
    SectionId::StatedTags,
    SectionId::Ambiguous,
    SectionId::Subcases,
    SectionId::Unrecognised,
    SectionId::TrainingCurves,
    SectionId::Epochs,
];

type OfText = fn(String) -> SectionId;

/// The prefixes of the names that end in tags or a challenge.
const VARIABLE: [(OfText, &str); 6] = [
    (SectionId::By, "by "),
    (SectionId::PredictionChanges, "prediction changes "),
    (SectionId::DiagnosisBy, "diagnosis by "),
    (SectionId::ComparisonBy, "comparison by "),
    (SectionId::RunsBy, "runs by "),
    (SectionId::ValidityBy, "validity by "),
];

impl SectionId {
    /// The name in files.
    pub fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(match self {
            SectionId::Verdict => "verdict",
            SectionId::Sets => "sets",
            SectionId::Leaderboard => "leaderboard",
            SectionId::ComparisonCounts => "comparison counts",
            SectionId::Excluded => "excluded",
            SectionId::Overall => "overall",
            SectionId::Labels => "labels",
            SectionId::Confusion => "confusion",
            SectionId::Hans => "hans",
            SectionId::GoldByHeuristic => "gold by heuristic",
            SectionId::Compositional => "compositional",
            SectionId::Perturbed => "original vs perturbed",
            SectionId::Errors => "errors",
            SectionId::ErrorKinds => "error kinds",
            SectionId::Competence => "competence",
            SectionId::Controls => "controls",
            SectionId::AntonymGroups => "antonym groups",
            SectionId::Lengths => "lengths",
            SectionId::Diagnosis => "diagnosis",
            SectionId::Comparison => "comparison",
            SectionId::NewTemplates => "new templates",
            SectionId::Arms => "arms",
            SectionId::LabelNoise => "label noise",
            SectionId::CorrectedAccuracy => "corrected accuracy",
            SectionId::Validity => "validity",
            SectionId::JudgedLabels => "judged labels",
            SectionId::JudgeAgreement => "judge agreement",
            SectionId::Judges => "judges",
            SectionId::DoubtfulItems => "doubtful items",
            SectionId::Runs => "runs",
            SectionId::LabelOrder => "doctor",
            SectionId::MisleadingScores => "lms",
            SectionId::MisleadingHistogram => "lms histogram",
            SectionId::CorpusLabels => "corpus labels",
            SectionId::Sentences => "sentences",
            SectionId::Agreement => "agreement",
            SectionId::Overlap => "overlap",
            SectionId::Repetition => "repetition",
            SectionId::Heuristics => "heuristics",
            SectionId::HeuristicsByGenre => "heuristics by genre",
            SectionId::Cues => "cues",
            SectionId::Negation => "negation",
            SectionId::NegationWords => "negation words",
            SectionId::HypothesisLengths => "hypothesis lengths",
            SectionId::Contradicting => "contradicting",
            SectionId::AnnotationTags => "tags",
            SectionId::VerbFrames => "verb frames",
            SectionId::VerbClasses => "verb classes",
            SectionId::Templates => "templates",
            SectionId::Recognised => "recognised",
            SectionId::StatedTags => "stated tags",
            SectionId::Ambiguous => "ambiguous",
            SectionId::Subcases => "subcases",
            SectionId::Unrecognised => "unrecognised",
            SectionId::TrainingCurves => "curves",
            SectionId::Epochs => "epochs",
            SectionId::Other(name) => name,
            SectionId::By(what) => return format!("by {what}").into(),
            SectionId::PredictionChanges(what) => return format!("prediction changes {what}").into(),
            SectionId::DiagnosisBy(what) => return format!("diagnosis by {what}").into(),
            SectionId::ComparisonBy(what) => return format!("comparison by {what}").into(),
            SectionId::RunsBy(what) => return format!("runs by {what}").into(),
            SectionId::ValidityBy(what) => return format!("validity by {what}").into(),
        })
    }
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

/// Reads the name from a file.
impl From<String> for SectionId {
    fn from(name: String) -> Self {
        if let Some(id) = FIXED.into_iter().find(|id| id.name() == name) {
            return id;
        }
        let variable = VARIABLE.into_iter().find_map(|(section, start)| Some(section(name.strip_prefix(start)?.to_string())));
        variable.unwrap_or(SectionId::Other(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_section_is_found_by_its_name() {
        let variable = [
            "by genre,gold",
            "prediction changes negation",
            "diagnosis by half",
            "comparison by genre",
            "runs by subcase",
            "validity by genre",
            "of tomorrow",
        ];
        let fixed = FIXED.into_iter().map(|id| id.name().into_owned());
        for name in fixed.chain(variable.map(str::to_string)) {
            let id: SectionId = serde_json::from_value(name.clone().into()).unwrap();
            assert_eq!(serde_json::to_value(&id).unwrap(), name);
        }
        assert_eq!(SectionId::from("by genre".to_string()), SectionId::By("genre".to_string()));
        assert_eq!(SectionId::from("of tomorrow".to_string()), SectionId::Other("of tomorrow".to_string()));
    }

    #[test]
    fn no_two_sections_share_a_name() {
        let names: BTreeSet<String> = FIXED.into_iter().map(|id| id.name().into_owned()).collect();
        assert_eq!(names.len(), FIXED.len());
    }
}
