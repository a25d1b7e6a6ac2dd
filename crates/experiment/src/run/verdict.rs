//! The verdict of a run on each model.

use super::heuristics::{self, listed, percent};
use super::main_table::ModelResults;
use crate::sets::{Role, TestSet};
use acidtest_evaluate::analysis::diagnosis::DiagnosisResult;
use acidtest_evaluate::analysis::perturbation::{ChallengeEffect, StressResult};
use acidtest_evaluate::analysis::standing::Standing;

/// The verdict on one model: its accuracy compared with guessing, its significant drops by size, and the heuristics that it relies on,
/// both on the sets that contradict them and on the original examples.
pub(super) fn sentences(
    sets: &[TestSet<'_>],
    model: &ModelResults<'_>,
    standing: Option<&Standing>,
    shortcuts: Option<&DiagnosisResult>,
) -> Vec<String> {
    let weak = standing.filter(|standing| standing.place.is_not_above()).and_then(Standing::clause);
    let stress = match (&model.stress, weak) {
        (None, _) => "; no challenge was applied to these examples.".to_string(),
        (Some(_), Some(clause)) => format!(", {clause}, so drops are not informative."),
        (Some(stress), None) => format!(". {}", drops(stress)),
    };
    let mut sentences = vec![format!("{}{stress}", position(sets, model))];
    sentences.extend(heuristics::sentences(sets, model));
    let settled = heuristics::settled(&model.reliance);
    sentences.extend(shortcuts.and_then(|found| found.relied_on(&model.model.name, "on the original examples", &settled)));
    sentences
}

/// How a model does on the original examples.
fn position(sets: &[TestSet<'_>], model: &ModelResults<'_>) -> String {
    let of_role = |role: Role| sets.iter().zip(&model.scores).filter(move |(set, _)| set.role == role);
    let easy: String = of_role(Role::Easy).map(|(set, score)| format!("{} on {}, ", percent(score.accuracy), set.name())).collect();
    let original: String =
        of_role(Role::Original).map(|(_, score)| format!("{} on the original examples", percent(score.accuracy))).collect();
    format!("{}: {easy}{original}", model.model.name)
}

fn drops(stress: &StressResult) -> String {
    let drops = stress.significant_drops();
    let size = |one: &&ChallengeEffect| format!("{:.1} points ({}) under {}", 100.0 * one.drop.difference(), one.levels(), one.name);
    let all = stress.challenges.len();
    let others: Vec<String> =
        stress.challenges.iter().filter(|one| !drops.iter().any(|drop| drop.name == one.name)).map(|one| one.name.clone()).collect();
    match (drops.len(), others.is_empty()) {
        (0, _) if all == 1 => format!("No significant drop under {}.", listed(&others)),
        (0, _) => format!("No significant drop under any of the {all} challenges."),
        (_, true) => format!("Accuracy drops by {}.", listed(&drops.iter().map(size).collect::<Vec<_>>())),
        (_, false) => {
            let drops = listed(&drops.iter().map(size).collect::<Vec<_>>());
            format!("Accuracy drops by {drops}. No significant drop under {}.", listed(&others))
        }
    }
}
