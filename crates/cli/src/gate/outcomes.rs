//! The outcomes of a gate, for reading.

use acidtest_evaluate::checks::{Decided, Outcome};
use acidtest_experiment::{GateFinished, GateResults};

/// A number of checks.
pub(super) fn counted(checks: usize) -> String {
    if checks == 1 { "1 check".to_string() } else { format!("{checks} checks") }
}

/// The width that sentences are wrapped at.
const WIDTH: usize = 110;

/// Pieces of text in lines of at most [`WIDTH`] letters, each after the indent.
fn filled<'t>(pieces: impl Iterator<Item = &'t str>, indent: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + piece.chars().count() <= WIDTH => line.push_str(&format!(" {piece}")),
            _ => lines.push(format!("{indent}{piece}")),
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// A paragraph.
fn wrapped(text: &str) -> String {
    filled(text.split(' '), "")
}

/// Figures, whose lines end after commas and semicolons where that is possible.
fn figures(text: &str) -> String {
    let marked = text.replace(", ", ",\n").replace("; ", ";\n");
    let is_short = |clause: &str| clause.chars().count() + FIGURES.len() <= WIDTH;
    let pieces = marked.lines().flat_map(|clause| if is_short(clause) { vec![clause] } else { clause.split(' ').collect() });
    filled(pieces, FIGURES)
}

/// What figures are indented by.
const FIGURES: &str = "              ";

/// All checks, those that did not pass first.
pub(super) fn shown(results: &GateResults<'_>, finished: &GateFinished, command: &str) -> String {
    let (failed, inconclusive, all) = (results.count(Outcome::Failed), results.count(Outcome::Inconclusive), results.checks.len());
    let mut text = match (results.outcome(), all) {
        (_, 0) => "No checks; the predictions are written as a baseline.\n".to_string(),
        (outcome, _) => {
            let word = if outcome == Outcome::Inconclusive { "is inconclusive" } else { outcome.name() };
            let passed = results.count(Outcome::Passed);
            format!("The gate {word}: {passed} of {} passed, {failed} failed, {inconclusive} inconclusive\n", counted(all))
        }
    };
    let mut checks: Vec<&Decided> = results.checks.iter().collect();
    checks.sort_by_key(|check| std::cmp::Reverse(check.outcome));
    let mut last = None;
    for check in &checks {
        let head = format!("{:<12}  {}", check.outcome.name(), check.check.asked());
        // What passed needs less room.
        let space = if check.outcome == Outcome::Passed && last == Some(Outcome::Passed) { "" } else { "\n" };
        last = Some(check.outcome);
        text.push_str(&format!("{space}{head}\n{}", figures(&check.found())));
    }
    let bounds = checks.iter().any(|check| check.check.paired().is_none());
    let drops = checks.iter().any(|check| check.check.paired().is_some());
    if bounds || drops {
        text.push('\n');
    }
    if bounds {
        text.push_str(&wrapped(
            "--fail-under compares the estimate with the bound; its interval (95 %, clustered Wilson) decides nothing.",
        ));
    }
    if drops {
        text.push_str(&wrapped(
            "Drops are tested by the exact sign-flip test of clusters, one-sided, with Holm's correction over the checks of this command.",
        ));
    }
    if bounds || drops {
        text.push_str(&wrapped(&results.holds_for));
    }
    if results.count(Outcome::Passed) < all {
        text.push_str(&format!("\nReproduce: {command}\n"));
    }
    if finished.baseline_kept_back {
        text.push_str("\nNo baseline was written, as the gate did not pass.\n");
    }
    text + finished.annotations.as_deref().unwrap_or_default()
}
