//! The challenge shown in CONTRIBUTING.md, compiled and run.

#![allow(clippy::unwrap_used)]

// So that `use crate::` in the shown file means the same as in this crate.
pub use acidtest_challenge::*;

#[path = "shouting/challenge.rs"]
mod shouting;

use acidtest_nli::{Example, Settings};

static ENTRY: ChallengeEntry = shouting::SHOUTING;

fn made(example: &Example<'_>) -> Vec<Example<'static>> {
    let challenge = Challenge::new(&ENTRY, &Settings::default(), Mode::Clean, 1, &Resources::default()).unwrap();
    let made = challenge.rows(example, &mut Coverage::default()).unwrap();
    made.into_iter().map(Example::into_owned).collect()
}

#[test]
fn the_file_is_identical_to_the_guide() {
    let guide = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../CONTRIBUTING.md")).unwrap();
    let indented = |line: &str| if line.is_empty() { String::new() } else { format!("   {line}") };
    let code: Vec<String> = include_str!("shouting/challenge.rs").lines().map(indented).collect();
    assert!(guide.contains(&code.join("\n")), "CONTRIBUTING.md does not show crates/challenge/tests/shouting/challenge.rs");
}

#[test]
fn its_examples_are_correct() {
    for case in ENTRY.examples {
        let made = made(&case.example());
        match case.outcome {
            CaseOutcome::Made { hypothesis, .. } => assert_eq!(made[0].pair.hypothesis.text, hypothesis),
            CaseOutcome::NotApplicable(_) => assert!(made.is_empty()),
        }
    }
}

#[test]
fn the_trees_are_capitalised_too() {
    let mut example = ENTRY.examples[0].example();
    example.pair.hypothesis.parse = Some("(ROOT (S (NP (PRP It)) (VP (VBZ rains)) (. .)))".into());
    let made = made(&example);
    assert_eq!(made[0].pair.hypothesis.parse.as_deref(), Some("(ROOT (S (NP (PRP IT)) (VP (VBZ RAINS)) (. .)))"));
}
