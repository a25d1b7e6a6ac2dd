//! Explains predictions of a lexical model by words.

mod layout;

pub use layout::ExplanationLayout;

use crate::data::{Data, note_read};
use crate::error::Error;
use crate::session::Session;
use acidtest_corpus::{IdPolicy, for_blocks};
use acidtest_files::Output;
use acidtest_model::lexical::{Explanation, Feature, FeatureWeight};
use acidtest_model::{LexicalError, LexicalModel};
use acidtest_nli::{Label, Misleading, Pair, Prediction};
use serde_json::{Value, json};

/// A pair with the explanation of its prediction.
pub struct ExplainedPair<'a> {
    /// The pair.
    pub pair: &'a Pair<'a>,
    /// Its gold label, if it is known.
    pub gold: Option<Label>,
    /// Probabilities and features.
    pub why: Explanation,
    /// The model that explained it.
    pub by: ExplainedBy,
}

/// Which model explains a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExplainedBy {
    /// A model that was not trained on it.
    Unseen,
    /// The full model, which was trained on it.
    TrainedOnIt,
}

/// Explains every example of corpora, in order; `show` writes one explanation.
pub fn explain_all(
    data: Data,
    model: &LexicalModel,
    output: &mut Output,
    show: &(dyn Fn(&ExplainedPair<'_>, &mut String) + Sync),
    session: &Session<'_>,
) -> Result<(), Error> {
    let counts = for_blocks(
        &mut *data.source(),
        session.loop_options(IdPolicy::Unique),
        |examples| {
            let mut text = String::new();
            for row in examples {
                let gold = row.example.gold.and_then(|gold| gold.label());
                show(&ExplainedPair::of(model, &row.example.pair, gold)?, &mut text);
            }
            Ok(text)
        },
        |text| Ok::<(), Error>(output.write(text.as_bytes())?),
    )?;
    note_read(&counts.files, session);
    Ok(())
}

impl<'a> ExplainedPair<'a> {
    /// Uses the model that was not trained on the pair, if the folder has one.
    pub fn of(model: &LexicalModel, pair: &'a Pair<'a>, gold: Option<Label>) -> Result<Self, LexicalError> {
        let (why, by) = match model.unseen_explain(pair) {
            Ok(why) => (why, ExplainedBy::Unseen),
            Err(LexicalError::NoFolds { .. }) => (model.explain(pair), ExplainedBy::TrainedOnIt),
            Err(error) => return Err(error),
        };
        Ok(ExplainedPair { pair, gold, why, by })
    }

    /// The lexically-misleading score, if the gold label is known.
    pub fn misleading(&self) -> Option<Misleading> {
        self.gold.map(|gold| Misleading::of(self.why.probabilities, gold))
    }

    /// The features with the largest weight for one label, relative to the other label or to the mean of all.
    pub fn pushes(&self, label: Label, against: Option<Label>, most: usize) -> Vec<(&Feature, f64)> {
        let push = |weights: [f64; 3]| {
            let other = against.map_or(weights.iter().sum::<f64>() / 3.0, |other| weights[other.index()]);
            weights[label.index()] - other
        };
        let mut pushes: Vec<(&Feature, f64)> =
            self.why.features.iter().map(|found| (&found.feature, push(found.weights))).filter(|(_, push)| *push > 0.0).collect();
        pushes.sort_by(|a, b| b.1.total_cmp(&a.1));
        pushes.truncate(most);
        pushes
    }

    /// The explanation as JSON.
    pub fn json(&self) -> Value {
        let misleading = self.misleading();
        let features = |found: &FeatureWeight| {
            let (premise, hypothesis) = match &found.feature {
                Feature::Premise(word) => (Some(word), None),
                Feature::Hypothesis(word) => (None, Some(word)),
                Feature::Cross(premise, hypothesis) => (Some(premise), Some(hypothesis)),
            };
            json!({ "premise": premise, "hypothesis": hypothesis, "weights": by_label(found.weights) })
        };
        json!({
            "id": self.pair.id,
            "premise": self.pair.premise.text,
            "hypothesis": self.pair.hypothesis.text,
            "gold": self.gold.map(Label::name),
            "answer": Prediction::from_scores(self.why.probabilities).answer.name(),
            "probabilities": by_label(self.why.probabilities),
            "lms": misleading.map(|found| rounded(found.score)),
            "toward": misleading.map(|found| found.toward.name()),
            "trained_on": self.by == ExplainedBy::TrainedOnIt,
            "bias": by_label(self.why.bias),
            "features": self.why.features.iter().map(features).collect::<Vec<_>>(),
        })
    }
}

/// Numbers under the names of their labels.
fn by_label(numbers: [f64; 3]) -> Value {
    Label::ALL
        .into_iter()
        .map(|label| (label.name().to_string(), json!(rounded(numbers[label.index()]))))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
