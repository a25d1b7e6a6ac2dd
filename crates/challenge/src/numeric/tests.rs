//! What becomes of single sentences.

use super::NUMERIC;
use super::rules::{RULES, Rule};
use crate::{Challenge, Coverage, Mode, Resources};
use acidtest_nli::{Example, Label, Pair, Settings, tag};

/// The pairs made from one sentence, as label, premise and hypothesis, and why numbers were left alone.
fn made(text: &str, settings: &Settings, seed: u64) -> (Vec<(Label, String, String)>, Coverage) {
    let challenge = Challenge::new(&NUMERIC, settings, Mode::Clean, seed, &Resources::default()).unwrap();
    let mut example = Example { pair: Pair::plain(text, ""), ..Example::default() };
    example.tags.set(tag::PASSAGE, "text");
    let mut coverage = Coverage::default();
    let rows = challenge.rows(&example, &mut coverage).unwrap();
    let row =
        |row: &Example<'_>| (row.gold.unwrap().label().unwrap(), row.pair.premise.text.to_string(), row.pair.hypothesis.text.to_string());
    (rows.iter().map(row).collect(), coverage)
}

fn any() -> Settings {
    Settings::default().with("entity", "any")
}

fn only(rules: &[&Rule]) -> Settings {
    let on = |rule: &Rule| rules.iter().any(|other| other.name == rule.name);
    RULES.iter().filter(|rule| !on(rule)).fold(any(), |settings, rule| settings.with(rule.name, "off"))
}

#[test]
fn every_rule_stops_one_sentence_and_lets_another_pass() {
    let mut wrong = Vec::new();
    for rule in RULES {
        let (pairs, coverage) = made(rule.stopped, &only(&[rule]), 1);
        let counted = coverage.not_applicable.contains_key(rule.reason) || coverage.skipped.contains_key(rule.reason);
        if !pairs.is_empty() || !counted {
            wrong.push(format!("{} does not stop `{}`: {coverage:?}", rule.name, rule.stopped));
        }
        let (without, coverage) = made(rule.stopped, &only(&[]), 1);
        if without.len() != 3 {
            wrong.push(format!("{} is not what stops `{}`: {coverage:?}", rule.name, rule.stopped));
        }
        let (passed, coverage) = made(rule.passed, &any(), 1);
        if passed.len() != 3 {
            wrong.push(format!("{} or another stops `{}`: {coverage:?}", rule.name, rule.passed));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
