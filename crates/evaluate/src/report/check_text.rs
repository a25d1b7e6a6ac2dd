//! Checks as text; those that did not pass come first.

use crate::analysis::wording::counted;
use crate::checks::{Checked, Outcome};

/// All checks with their figures, and what decided them. `notes` say how predictions were scored and what
/// intervals and p values hold for, `command` how to get the same again.
pub fn render(checks: &[Checked<'_>], outcome: Outcome, notes: &[&str], command: &str) -> String {
    let mut text = format!("{}\n", headline(checks, outcome));
    let mut sorted: Vec<Checked<'_>> = checks.to_vec();
    sorted.sort_by_key(|check| std::cmp::Reverse(check.outcome()));
    let mut last = None;
    for check in &sorted {
        let head = headed(check.outcome().name(), &check.asked());
        // What passed needs less room.
        let space = if check.outcome() == Outcome::Passed && last == Some(Outcome::Passed) { "" } else { "\n" };
        last = Some(check.outcome());
        text.push_str(&format!("{space}{head}{}", figures(&check.found())));
    }
    if !checks.is_empty() {
        text.push('\n');
        decided_by(checks).into_iter().chain(notes.iter().copied()).for_each(|sentence| text.push_str(&wrapped(sentence)));
    }
    if checks.iter().any(|check| check.outcome() != Outcome::Passed) {
        text.push_str(&format!("\nReproduce: {command}\n"));
    }
    text
}

/// The outcome in one line, for the end of a program.
pub fn summary(checks: &[Checked<'_>], outcome: Outcome) -> String {
    let count = |outcome: Outcome| checks.iter().filter(|check| check.outcome() == outcome).count();
    let (failed, inconclusive, all) = (count(Outcome::Failed), count(Outcome::Inconclusive), counted(checks.len(), "check"));
    match outcome {
        Outcome::Passed => format!("the gate passed: {all}"),
        Outcome::Failed if inconclusive == 0 => format!("the gate failed: {failed} of {all} failed"),
        Outcome::Failed => format!("the gate failed: {failed} of {all} failed, {inconclusive} inconclusive"),
        Outcome::Inconclusive => format!("the gate is inconclusive: {inconclusive} of {all}"),
    }
}

fn headline(checks: &[Checked<'_>], outcome: Outcome) -> String {
    if checks.is_empty() {
        return "No checks.".to_string();
    }
    let count = |outcome: Outcome| checks.iter().filter(|check| check.outcome() == outcome).count();
    let [passed, failed, inconclusive] = [Outcome::Passed, Outcome::Failed, Outcome::Inconclusive].map(count);
    let word = if outcome == Outcome::Inconclusive { "is inconclusive" } else { outcome.name() };
    format!("The gate {word}: {passed} of {} passed, {failed} failed, {inconclusive} inconclusive", counted(checks.len(), "check"))
}

/// How the two sorts of checks are decided, as far as there are any.
fn decided_by(checks: &[Checked<'_>]) -> Vec<&'static str> {
    let (drops, bounds): (Vec<Checked<'_>>, Vec<Checked<'_>>) = checks.iter().copied().partition(|check| check.result.paired.is_some());
    let bound = "Accuracy checks compare the estimate with the bound; the interval (95 %, clustered Wilson) is for information only.";
    let drop = "Drops are tested with the exact one-sided sign-flip test over clusters and Hochberg correction for the number of checks; p values are for the null hypothesis of no drop, and margins are compared with the interval.";
    [(bound, bounds), (drop, drops)].into_iter().filter(|(_, checks)| !checks.is_empty()).map(|(sentence, _)| sentence).collect()
}

/// The width that sentences are wrapped at.
const WIDTH: usize = 80;

/// Pieces of text in lines of at most [`WIDTH`] characters, each after the indent.
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

/// Figures, in lines that end after commas and semicolons if possible.
fn figures(text: &str) -> String {
    let text = with_whole_intervals(text);
    let marked = text.replace(", ", ",\n").replace("; ", ";\n");
    let is_short = |clause: &str| clause.chars().count() + FIGURES.len() <= WIDTH;
    let pieces = marked.lines().flat_map(|clause| if is_short(clause) { vec![clause] } else { clause.split(' ').collect() });
    filled(pieces, FIGURES).replace(WITHIN, " ")
}

/// What stands for a blank at which no line ends.
const WITHIN: char = '\u{a0}';

/// The text with intervals that stay on one line.
fn with_whole_intervals(text: &str) -> String {
    let mut is_within = false;
    let kept = |letter: char| {
        is_within = letter == '[' || (is_within && letter != ']');
        if is_within && letter == ' ' { WITHIN } else { letter }
    };
    text.chars().map(kept).collect()
}

/// An outcome and its requirement, with continuation lines indented like figures.
fn headed(outcome: &str, asked: &str) -> String {
    let lines = filled(asked.split(' '), FIGURES);
    format!("{outcome:<0$}{1}", FIGURES.len(), &lines[FIGURES.len()..])
}

/// The indent of figures.
const FIGURES: &str = "              ";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::{Check, Rule, decide};
    use crate::measurement::{Measurement, Metric, SetId, Subject};
    use crate::statistics::clustered::ClusteredAccuracy;

    /// Checks of 7 of 10 examples, in so many clusters.
    fn decided(percents: &[f64], clusters: &[(u64, u64)]) -> Vec<Measurement> {
        let set = SetId::of("original", Vec::new(), &[]);
        let subject = Subject { model: "mine", set: &set, scoring: None };
        let measured = subject.clustered(Metric::Accuracy, &ClusteredAccuracy::of_counts(clusters.iter().copied())).unwrap();
        let check = |percent: &f64| Check { rule: Rule::FailUnder(*percent), measured: measured.clone(), paired: None };
        decide(percents.iter().map(check).collect()).unwrap()
    }

    fn single() -> Vec<(u64, u64)> {
        (0..10).map(|row| (u64::from(row < 7), 1)).collect()
    }

    #[test]
    fn an_accuracy_of_one_cluster_has_no_interval_across_clusters() {
        let found = |clusters: &[(u64, u64)]| Checked::all(&decided(&[80.0], clusters))[0].found();
        assert_eq!(
            found(&[(7, 10)]),
            "70.0 % (7/10), interval not estimable from one cluster (within it [39.7, 89.2]), 10 examples in 1 cluster"
        );
        assert!(found(&[(4, 5), (3, 5)]).contains("] from 2 clusters, 10 examples in 2 clusters"), "{}", found(&[(4, 5), (3, 5)]));
    }

    #[test]
    fn what_failed_stands_first_with_the_command() {
        let text = render(
            &Checked::all(&decided(&[60.0, 80.0], &single())),
            Outcome::Failed,
            &["Intervals generalise to new premises."],
            "acidtest gate",
        );
        let expected = "\
The gate failed: 1 of 2 checks passed, 1 failed, 0 inconclusive

failed        mine on original: accuracy of at least 80 %
              70.0 % (7/10) [39.7, 89.2], 10 examples in 10 clusters

passed        mine on original: accuracy of at least 60 %
              70.0 % (7/10) [39.7, 89.2], 10 examples in 10 clusters

Accuracy checks compare the estimate with the bound; the interval (95 %,
clustered Wilson) is for information only.
Intervals generalise to new premises.

Reproduce: acidtest gate
";
        assert_eq!(text, expected);
    }

    #[test]
    fn intervals_stay_on_one_line() {
        let text = figures("drops by 19.43 points (65.80 % -> 46.37 %), within [15.33, 23.65] (one-sided 95 % each), p < 0.001");
        assert!(text.contains("[15.33, 23.65]"), "{text}");
    }

    #[test]
    fn figures_end_their_lines_after_commas() {
        let clause = "x".repeat(60);
        assert_eq!(figures(&format!("{clause}, {clause}")), format!("{FIGURES}{clause},\n{FIGURES}{clause}\n"));
    }
}
