//! Notes that qualify a model's scores: examples without gold labels, missing predictions, truncated inputs, examples it was trained on,
//! tied scores.

use crate::asking::{ModelPredictions, PartCounts};
use acidtest_evaluate::Judged;
use acidtest_evaluate::report::grouped;

/// All notes on a model's predictions for these sets, with its name.
pub(crate) fn model_notes<'j>(model: &ModelPredictions, judged: &'j [Judged<'j>]) -> Vec<String> {
    let tied = tie_note(judged).map(|note| format!("{}: {note}", model.name));
    let [truncated, parts] = long_notes(&model.name, model.truncated, model.parts);
    [description_note(model), missing_note(&model.name, judged), truncated, parts, seen_note(model), tied].into_iter().flatten().collect()
}

/// How many examples of a set have no gold label.
pub(crate) fn unlabelled_note(set: &str, judged: &Judged<'_>) -> Option<String> {
    let (unlabelled, all) = (judged.outcomes.iter().filter(|outcome| outcome.is_none()).count(), judged.outcomes.len());
    (unlabelled > 0).then(|| format!("{set}: {} of {} examples have no gold label and are not scored.", grouped(unlabelled), grouped(all)))
}

/// How a model computes and what its outputs mean; `None` if it does not say so.
pub(crate) fn description_note(model: &ModelPredictions) -> Option<String> {
    model.description.as_ref().map(|text| format!("{}: {text}.", model.name))
}

/// How many labelled examples have no prediction.
fn missing_note(model: &str, judged: &[Judged<'_>]) -> Option<String> {
    let outcomes = || judged.iter().flat_map(|judged| judged.outcomes.iter().flatten());
    let missing = outcomes().filter(|outcome| outcome.answer.is_none()).count();
    let all = grouped(outcomes().count());
    (missing > 0).then(|| format!("{model}: {} of {all} labelled examples have no prediction and count as wrong.", grouped(missing)))
}

/// A note that a model is scored on examples that it was trained on; `None` if there are none.
pub(crate) fn seen_note(model: &ModelPredictions) -> Option<String> {
    let (seen, all) = model.seen.filter(|(seen, _)| *seen > 0)?;
    let (name, seen, all) = (&model.name, grouped(seen), grouped(all));
    Some(format!("{name} was trained on {seen} of the {all} examples in the data; its accuracy on new examples may be lower."))
}

/// Notes that inputs were truncated, and that inputs were read in parts, if any were.
pub(crate) fn long_notes(model: &str, truncated: usize, parts: PartCounts) -> [Option<String>; 2] {
    let PartCounts { inputs, parts } = parts;
    let noun = if inputs == 1 { "premise was" } else { "premises were" };
    let read = || format!("{model}: {} {noun} longer than the model reads and scored in {} parts.", grouped(inputs), grouped(parts));
    [truncation_note(model, truncated), (inputs > 0).then(read)]
}

/// A note that inputs were truncated; `None` if none was.
fn truncation_note(model: &str, examples: usize) -> Option<String> {
    match examples {
        0 => None,
        1 => Some(format!("{model}: 1 input was truncated to the maximum length of the model.")),
        _ => Some(format!("{model}: {} inputs were truncated to the maximum length of the model.", grouped(examples))),
    }
}

/// A note on predictions that were chosen among equal scores.
pub(crate) fn tie_note<'j>(judged: impl IntoIterator<Item = &'j Judged<'j>>) -> Option<String> {
    let (mut tied, mut all) = (0, 0);
    for example in judged.into_iter().flat_map(|judged| judged.joined.examples()) {
        let Some(prediction) = example.prediction else { continue };
        all += 1;
        tied += usize::from(prediction.scores.is_some_and(|scores| scores.is_tied()));
    }
    (tied > 0).then(|| {
        format!(
            "{} of {} predictions have tied highest scores; unless the file gives a label, the first of entailment, neutral and \
             contradiction is used.",
            grouped(tied),
            grouped(all)
        )
    })
}
