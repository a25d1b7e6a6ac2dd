//! Analyses that need the texts of the examples: labels of reference heuristics, and lengths.

use crate::misleading::LexicalPredictions;
use acidtest_evaluate::analysis::diagnosis::{Availability, Diagnosis, DiagnosisResult, HeuristicAnswers};
use acidtest_evaluate::analysis::lengths::Lengths;
use acidtest_evaluate::analysis::{AnalysisError, Candidate};
use acidtest_evaluate::report::grouped;
use acidtest_model::heuristic::{HEURISTICS, HypothesisOnly};
use acidtest_nli::{Example, Judgment, Label, Pair};
use std::collections::HashMap;

/// What heuristics are learned from.
#[derive(Clone, Copy, Default)]
pub struct HeuristicInputs<'a> {
    /// Training examples of the hypothesis-only heuristic; without any it is skipped, and the report says so.
    pub training: &'a [Example<'static>],
    /// The predictions of a lexical model, if one was given.
    pub words: Option<&'a LexicalPredictions>,
}

/// Compares the models' predictions with the labels of every reference heuristic.
pub fn diagnosis(
    examples: &[Example<'_>],
    candidates: &[Candidate<'_>],
    inputs: HeuristicInputs<'_>,
) -> Result<DiagnosisResult, AnalysisError> {
    let pairs: Vec<&Pair<'_>> = examples.iter().map(|example| &example.pair).collect();
    let mut parsed_here = 0;
    let mut heuristics: Vec<HeuristicAnswers<'_>> = Vec::new();
    for heuristic in &HEURISTICS {
        let answers = if pairs.iter().any(|pair| heuristic.needs.are_met_by(pair)) {
            let said = heuristic.answers(&pairs);
            parsed_here = parsed_here.max(said.parsed_here);
            Availability::Given(said.answers)
        } else {
            Availability::Skipped { reason: "the examples have no text".to_string() }
        };
        heuristics.push(HeuristicAnswers {
            name: heuristic.name,
            description: heuristic.summary,
            wrong_where: heuristic.wrong_where,
            answers,
        });
    }
    heuristics.push(hypothesis_only(examples, inputs.training));
    heuristics.extend(inputs.words.map(LexicalPredictions::heuristic));
    let diagnosis = Diagnosis { candidates, heuristics: &heuristics, by: &[] };
    let mut found = diagnosis.diagnose()?;
    if parsed_here > 0 {
        let (parsed_here, examples) = (grouped(parsed_here as u64), grouped(examples.len() as u64));
        found.notes.push(format!(
            "{parsed_here} of {examples} examples have no usable parse of the premise: constituents come from Acidtest's own parser."
        ));
    }
    Ok(found)
}

/// The predictions of a model that sees only the hypothesis, by id; empty without training examples of two labels.
pub(crate) fn hypothesis_only_labels<'e>(
    examples: impl IntoIterator<Item = &'e Example<'e>>,
    training: &[Example<'_>],
) -> Option<HashMap<&'e str, Option<Judgment>>> {
    let model = HypothesisOnly::fit(labelled_hypotheses(training)).ok()?;
    Some(examples.into_iter().map(|example| (example.pair.id.as_ref(), model.answer(&example.pair))).collect())
}

fn labelled_hypotheses<'t>(training: &'t [Example<'_>]) -> impl Iterator<Item = (&'t str, Label)> {
    training.iter().filter_map(|example| match example.gold {
        Some(Judgment::Exact(label)) => Some((example.pair.hypothesis.text.as_ref(), label)),
        _ => None,
    })
}

fn hypothesis_only(examples: &[Example<'_>], training: &[Example<'_>]) -> HeuristicAnswers<'static> {
    let answers = match HypothesisOnly::fit(labelled_hypotheses(training)) {
        Ok(model) => Availability::Given(examples.iter().map(|example| model.answer(&example.pair)).collect()),
        Err(_) => Availability::Skipped { reason: "no labelled training examples were given to learn it from".to_string() },
    };
    HeuristicAnswers {
        name: "hypothesis-only",
        description: "the label can be predicted from the hypothesis alone",
        wrong_where: "pairs whose hypothesis suggests another label",
        answers,
    }
}

/// The number of words of each example's sentences.
pub fn lengths(examples: &[Example<'_>]) -> Vec<Lengths> {
    let words = |text: &str| text.split_whitespace().count() as u32;
    let of =
        |example: &Example<'_>| Lengths { premise: words(&example.pair.premise.text), hypothesis: words(&example.pair.hypothesis.text) };
    examples.iter().map(of).collect()
}
