//! The main clause in a Penn-style parse.

use super::Incompleteness;
use crate::tree::Tree;

/// What the main clause of a tree lacks.
pub(super) fn incompleteness(tree: &Tree<'_>) -> Option<Incompleteness> {
    let top = match tree.nodes()[0].label {
        "ROOT" | "TOP" | "" if tree.nodes().len() > 1 => 1,
        _ => 0,
    };
    match label(tree, top) {
        "SQ" | "SBARQ" => Some(Incompleteness::Question),
        "SBAR" => Some(Incompleteness::Subordinate),
        "S" | "SINV" => of_clause(tree, top),
        _ => Some(Incompleteness::NoMainClause),
    }
}

/// What a clause lacks: it has a subject and a finite verb phrase, or is a coordination whose last clause has.
fn of_clause(tree: &Tree<'_>, clause: usize) -> Option<Incompleteness> {
    let parts = children(tree, clause);
    if let Some(verb_phrase) = parts.iter().copied().find(|&part| label(tree, part) == "VP") {
        let finite = is_finite(tree, verb_phrase);
        let subject = parts
            .iter()
            .any(|&part| matches!(label(tree, part), "NP" | "SBAR" | "S" | "WHNP") && (part < verb_phrase || is_inverted(tree, clause)));
        return match (finite, subject) {
            (true, true) => None,
            (_, false) if starts_with_base_form(tree, verb_phrase) => Some(Incompleteness::Order),
            _ => Some(Incompleteness::NoMainClause),
        };
    }
    // `Next to the wall stands a clock`: the verb is a child of the clause itself.
    if is_inverted(tree, clause) && parts.iter().any(|&part| is_finite_tag(label(tree, part))) {
        return None;
    }
    match parts.iter().copied().rev().find(|&part| label(tree, part) == "S") {
        Some(last) => of_clause(tree, last),
        None => Some(Incompleteness::NoMainClause),
    }
}

fn is_inverted(tree: &Tree<'_>, clause: usize) -> bool {
    label(tree, clause) == "SINV"
}

/// Whether the verbs of a verb phrase are finite; of coordinated phrases the last counts.
fn is_finite(tree: &Tree<'_>, verb_phrase: usize) -> bool {
    let parts = children(tree, verb_phrase);
    match parts.iter().copied().find(|&part| is_verb_tag(label(tree, part))) {
        Some(verb) => is_finite_tag(label(tree, verb)),
        None => parts.iter().copied().rev().find(|&part| label(tree, part) == "VP").is_some_and(|last| is_finite(tree, last)),
    }
}

/// Whether the first verb of a phrase is in the base form of orders; taggers also call it a present tense.
fn starts_with_base_form(tree: &Tree<'_>, verb_phrase: usize) -> bool {
    let first = tree.nodes()[verb_phrase..tree.nodes()[verb_phrase].end].iter().find(|node| node.word.is_some() && is_verb_tag(node.label));
    first.is_some_and(|verb| matches!(verb.label, "VB" | "VBP"))
}

fn is_verb_tag(tag: &str) -> bool {
    tag.starts_with("VB") || tag == "MD"
}

fn is_finite_tag(tag: &str) -> bool {
    matches!(tag, "VBD" | "VBZ" | "VBP" | "MD")
}

/// A label without its function: `NP` of `NP-SBJ`.
fn label<'t>(tree: &Tree<'t>, node: usize) -> &'t str {
    let label = tree.nodes()[node].label;
    label.split(['-', '=']).next().filter(|label| !label.is_empty()).unwrap_or(label)
}

fn children(tree: &Tree<'_>, node: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut child = node + 1;
    while child < tree.nodes()[node].end {
        found.push(child);
        child = tree.nodes()[child].end;
    }
    found
}
