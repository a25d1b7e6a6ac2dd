//! What words alone say of rows, and how far they mislead: a lexical model as a witness, never asked about a row that it was trained on.

use acidtest_evaluate::analysis::compositional::{Compositional, CompositionalFound, Together};
use acidtest_evaluate::analysis::diagnosis::{Availability, HeuristicAnswers};
use acidtest_evaluate::analysis::misleading::Misleading;
use acidtest_evaluate::analysis::{AnalysisError, Candidate};
use acidtest_evaluate::report::html::Misled;
use acidtest_evaluate::statistics::bootstrap::Resampling;
use acidtest_model::{LexicalError, LexicalModel};
use acidtest_nli::{Example, Label, Pair, Prediction, Seed, Votes};
use std::num::NonZeroUsize;

/// What a lexical model says of every row of a set.
pub struct WordsAlone {
    /// Probabilities of every row that has text.
    probabilities: Vec<Option<[f64; 3]>>,
    /// The score of every row that has text and an exact gold label.
    misleading: Vec<Option<Misleading>>,
}

/// As many features as the figure of the paper shows.
const FEATURES: usize = 3;

impl WordsAlone {
    /// Asks the model about every row, on all cores; a row that it was trained on is answered by a model that did not see it.
    pub fn of(model: &LexicalModel, examples: &[Example<'static>]) -> Result<Self, LexicalError> {
        let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let share = examples.len().div_ceil(threads).max(1);
        let ask = |examples: &[Example<'static>]| -> Result<Vec<Option<[f64; 3]>>, LexicalError> {
            examples.iter().map(|example| has_text(&example.pair).then(|| model.unseen_probabilities(&example.pair)).transpose()).collect()
        };
        let mut probabilities = Vec::with_capacity(examples.len());
        std::thread::scope(|scope| {
            let parts: Vec<_> = examples.chunks(share).map(|part| scope.spawn(move || ask(part))).collect();
            for part in parts {
                probabilities.extend(part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            Ok::<(), LexicalError>(())
        })?;
        let misleading = probabilities
            .iter()
            .zip(examples)
            .map(|(probabilities, example)| Some(Misleading::of((*probabilities)?, example.gold?.label()?)))
            .collect();
        Ok(WordsAlone { probabilities, misleading })
    }

    /// How far the words of a row mislead; `None` for a row without text or without an exact gold label.
    pub fn misleading(&self, row: usize) -> Option<Misleading> {
        self.misleading[row]
    }

    /// The model as a heuristic of the diagnosis.
    pub(crate) fn heuristic(&self) -> HeuristicAnswers<'static> {
        let answer = |probabilities: &Option<[f64; 3]>| probabilities.map(|probabilities| Prediction::from_scores(probabilities).answer);
        HeuristicAnswers {
            name: "lexical",
            description: "the label that words and pairs of words suggest, however they are put together",
            wrong_where: "pairs whose words suggest another label",
            answers: Availability::Given(self.probabilities.iter().map(answer).collect()),
        }
    }

    /// How the models do where words mislead.
    pub fn table(
        &self,
        examples: &[Example<'static>],
        candidates: &[Candidate<'_>],
        together: Together,
        seed: u64,
    ) -> Result<CompositionalFound, AnalysisError> {
        let scores: Vec<Option<f64>> = self.misleading.iter().map(|found| found.map(|found| found.score)).collect();
        let votes: Vec<Votes> = examples.iter().map(|example| example.votes.clone()).collect();
        let resampling = Resampling::new(Seed::new(seed).child("compositional"));
        Compositional { candidates, together, scores: &scores, votes: &votes, resampling }.look()
    }
}

fn has_text(pair: &Pair<'_>) -> bool {
    !pair.premise.text.is_empty() || !pair.hypothesis.text.is_empty()
}

/// Why the words of a row mislead: the features that speak most for the wrong label and against gold.
pub fn why_misled(model: &LexicalModel, pair: &Pair<'_>, gold: Label) -> Result<Misled, LexicalError> {
    let explanation = model.unseen_explain(pair)?;
    let Misleading { score, toward } = Misleading::of(explanation.probabilities, gold);
    let push = |weights: [f64; 3]| weights[toward.index()] - weights[gold.index()];
    let mut features: Vec<(String, f64)> =
        explanation.features.iter().map(|found| (found.feature.to_string(), push(found.weights))).filter(|(_, push)| *push > 0.0).collect();
    features.sort_by(|a, b| b.1.total_cmp(&a.1));
    features.truncate(FEATURES);
    Ok(Misled { score, toward, probabilities: explanation.probabilities, features })
}
