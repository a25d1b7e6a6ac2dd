//! What the texts of the rows add to their scores: the answers of the reference heuristics, and lengths.

use acidtest_evaluate::analysis::diagnosis::{Availability, Diagnosed, Diagnosis, HeuristicAnswers};
use acidtest_evaluate::analysis::lengths::Lengths;
use acidtest_evaluate::analysis::{AnalysisError, Candidate};
use acidtest_evaluate::statistics::bootstrap::Resampling;
use acidtest_model::heuristic::{HEURISTICS, HypothesisOnly};
use acidtest_nli::{Example, Judgment, Seed};

/// Holds the models' answers against those of every reference heuristic.
///
/// The hypothesis-only heuristic is learnt from the training rows; without any it is left out, and the report says so.
pub fn diagnosis(
    examples: &[Example<'static>],
    candidates: &[Candidate<'_>],
    training: &[Example<'static>],
    by: &[String],
    seed: u64,
) -> Result<Diagnosed, AnalysisError> {
    let mut heuristics: Vec<HeuristicAnswers<'_>> = HEURISTICS
        .iter()
        .map(|heuristic| {
            let met = examples.iter().any(|example| heuristic.needs.are_met_by(&example.pair));
            let answers = if met {
                Availability::Given(examples.iter().map(|example| (heuristic.answer)(&example.pair)).collect())
            } else {
                Availability::Skipped { reason: "the rows have no parses (or no text)".to_string() }
            };
            HeuristicAnswers { name: heuristic.name, description: heuristic.summary, wrong_where: heuristic.wrong_where, answers }
        })
        .collect();
    heuristics.push(hypothesis_only(examples, training));
    let diagnosis = Diagnosis { candidates, heuristics: &heuristics, by, resampling: Resampling::new(Seed::new(seed).child("diagnosis")) };
    diagnosis.diagnose()
}

fn hypothesis_only(examples: &[Example<'static>], training: &[Example<'static>]) -> HeuristicAnswers<'static> {
    let rows = training.iter().filter_map(|example| match example.gold {
        Some(Judgment::Exact(label)) => Some((example.pair.hypothesis.text.as_ref(), label)),
        _ => None,
    });
    let answers = match HypothesisOnly::fit(rows) {
        Ok(model) => Availability::Given(examples.iter().map(|example| model.answer(&example.pair)).collect()),
        Err(_) => Availability::Skipped { reason: "there are no labelled training rows to learn it from".to_string() },
    };
    HeuristicAnswers {
        name: "hypothesis-only",
        description: "the label that the words of the hypothesis suggest by themselves",
        wrong_where: "pairs whose hypothesis suggests another label",
        answers,
    }
}

/// The words of each row's sentences, where there is text.
pub fn lengths(examples: &[Example<'static>]) -> Vec<Lengths> {
    let words = |text: &str| text.split_whitespace().count() as u32;
    let of = |example: &Example<'static>| Lengths {
        premise: words(&example.pair.premise.text),
        hypothesis: words(&example.pair.hypothesis.text),
    };
    examples.iter().map(of).collect()
}
