//! Predictions of a lexical model for the examples of a report; training examples are scored by a fold model that did not see them.

use crate::error::Error;
use crate::spec::SpecError;
use crate::trained::open_lexical;
use acidtest_evaluate::analysis::compositional::{Compositional, CompositionalResult, RunGrouping};
use acidtest_evaluate::analysis::diagnosis::{Availability, HeuristicAnswers};
use acidtest_evaluate::analysis::misleading::LAMBDAS;
use acidtest_evaluate::analysis::{AnalysisError, Candidate};
use acidtest_evaluate::report::html::MisleadingWords;
use acidtest_model::{LexicalError, LexicalModel};
use acidtest_nli::{Example, Label, Misleading, Pair, Prediction, Tags, Votes};
use acidtest_threads::{Grain, Threads, map};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A lexical model's predictions for every example of a set.
pub struct LexicalPredictions {
    /// The probabilities of every example with text.
    probabilities: Vec<Option<[f64; 3]>>,
    /// The score of every example with text and an exact gold label.
    misleading: Vec<Option<Misleading>>,
}

/// The number of features in the figure of the paper.
const FEATURES: usize = 3;

impl LexicalPredictions {
    /// Scores every example; training examples by a fold model that did not see them.
    pub fn of(model: &LexicalModel, examples: &[Example<'_>], threads: &Threads) -> Result<Self, LexicalError> {
        let ask = |example: &Example<'_>| has_text(&example.pair).then(|| model.unseen_probabilities(&example.pair)).transpose();
        let probabilities: Vec<Option<[f64; 3]>> =
            threads.run(|| map(examples, Grain::AtLeast(1), ask)).into_iter().collect::<Result<_, _>>()?;
        let misleading = probabilities
            .iter()
            .zip(examples)
            .map(|(probabilities, example)| Some(Misleading::of((*probabilities)?, example.gold?.label()?)))
            .collect();
        Ok(LexicalPredictions { probabilities, misleading })
    }

    /// The lexically-misleading score of an example; `None` without text or an exact gold label.
    pub fn misleading(&self, row: usize) -> Option<Misleading> {
        self.misleading[row]
    }

    /// The model as a heuristic of the diagnosis.
    pub(crate) fn heuristic(&self) -> HeuristicAnswers<'static> {
        let answer = |probabilities: &Option<[f64; 3]>| probabilities.map(|probabilities| Prediction::from_scores(probabilities).answer);
        HeuristicAnswers {
            name: "lexical",
            description: "the label follows from words and pairs of words alone",
            wrong_where: "pairs whose words suggest another label",
            answers: Availability::Given(self.probabilities.iter().map(answer).collect()),
        }
    }

    /// The models' accuracy where words mislead.
    pub fn table(
        &self,
        examples: &[Example<'_>],
        candidates: &[Candidate<'_>],
        together: RunGrouping,
    ) -> Result<CompositionalResult, AnalysisError> {
        let scores: Vec<Option<f64>> = self.misleading.iter().map(|found| found.map(|found| found.score)).collect();
        let votes: Vec<Votes> = examples.iter().map(|example| example.votes.clone()).collect();
        Compositional { candidates, together, scores: &scores, votes: &votes }.look()
    }
}

/// A lexical model for a report.
#[derive(Clone)]
pub struct OpenLexical {
    /// Its folder.
    pub folder: PathBuf,
    /// The model.
    pub model: Arc<LexicalModel>,
}

impl OpenLexical {
    /// Opens the folder of a lexical model.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        Ok(OpenLexical { folder: folder.to_path_buf(), model: Arc::new(open_lexical(folder)?) })
    }

    /// Scores every example.
    pub(crate) fn witness(&self, examples: &[Example<'_>], threads: &Threads) -> Result<LexicalWitness, Error> {
        if examples.iter().all(|example| example.pair.hypothesis.text.is_empty()) {
            let expected = "a corpus with text for a lexical model, not a gold key";
            return Err(SpecError::new("evaluation.lexical", self.folder.display().to_string(), expected).into());
        }
        let words = LexicalPredictions::of(&self.model, examples, threads)?;
        Ok(LexicalWitness { model: Arc::clone(&self.model), words })
    }
}

/// A lexical model with its predictions for the examples of a report.
pub struct LexicalWitness {
    model: Arc<LexicalModel>,
    /// The predictions.
    pub words: LexicalPredictions,
}

impl LexicalWitness {
    /// Why the words of an example mislead, if its score reaches the smallest usual λ.
    pub fn misled(&self, place: usize, example: &Example<'_>) -> Result<Option<MisleadingWords>, LexicalError> {
        let gold = example.gold.and_then(|gold| gold.label());
        match (self.words.misleading(place).filter(|found| found.is_in(LAMBDAS[0])), gold) {
            (Some(_), Some(gold)) => Ok(Some(why_misled(&self.model, &example.pair, gold)?)),
            _ => Ok(None),
        }
    }
}

/// The tag by which the page filters examples with misleading words.
pub const MISLED: &str = "misled";

/// The tags of an example with the range of its score.
pub fn with_band<'a>(tags: &Tags<'a>, misled: &MisleadingWords) -> Tags<'a> {
    let mut tags = tags.clone();
    let from = LAMBDAS.iter().rposition(|lambda| misled.score >= *lambda);
    let end = |at: usize| LAMBDAS.get(at).copied().unwrap_or(1.0);
    let band = from.map_or(format!("less than {}", LAMBDAS[0]), |at| format!("{} to {}", end(at), end(at + 1)));
    tags.set(MISLED, band);
    tags
}

fn has_text(pair: &Pair<'_>) -> bool {
    !pair.premise.text.is_empty() || !pair.hypothesis.text.is_empty()
}

/// Why the words of an example mislead: the features with the largest weight for the wrong label relative to gold.
pub fn why_misled(model: &LexicalModel, pair: &Pair<'_>, gold: Label) -> Result<MisleadingWords, LexicalError> {
    let explanation = model.unseen_explain(pair)?;
    let Misleading { score, toward } = Misleading::of(explanation.probabilities, gold);
    let push = |weights: [f64; 3]| weights[toward.index()] - weights[gold.index()];
    let mut features: Vec<(String, f64)> =
        explanation.features.iter().map(|found| (found.feature.to_string(), push(found.weights))).filter(|(_, push)| *push > 0.0).collect();
    features.sort_by(|a, b| b.1.total_cmp(&a.1));
    features.truncate(FEATURES);
    Ok(MisleadingWords { score, toward, probabilities: explanation.probabilities, features })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_begin_at_their_lambda() {
        let band = |score: f64| {
            let misled = MisleadingWords { score, toward: Label::Neutral, probabilities: [0.0; 3], features: Vec::new() };
            with_band(&Tags::default(), &misled).get(MISLED).unwrap_or_default().to_string()
        };
        assert_eq!([0.4, 0.5, 0.7, 0.99].map(band), ["less than 0.5", "0.5 to 0.6", "0.7 to 0.95", "0.95 to 1"]);
    }
}
