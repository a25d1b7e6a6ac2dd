//! The contract of every challenge in the catalog.

#![allow(clippy::unwrap_used)]

use acidtest_challenge::{
    Build, CATALOG, Case, CaseOutcome, Challenge, ChallengeEntry, ChallengeError, Coverage, LabelEffect, LexicalScorer, Mode,
    ModifierCounts, ModifierTable, Need, PairView, Resources, ScorerError,
};
use acidtest_lingua::Tree;
use acidtest_lingua::edit::{TextChange, undo};
use acidtest_nli::{Change, Example, Label, Pair, Sentence, Settings, Side, tag};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A lexical model with constant predictions.
struct Says([f64; 3]);

impl LexicalScorer for Says {
    fn unseen_probabilities(&self, _: &Pair<'_>) -> Result<[f64; 3], ScorerError> {
        Ok(self.0)
    }

    fn identity(&self) -> String {
        format!("{:?}", self.0)
    }
}

fn resources(probabilities: [f64; 3]) -> Resources {
    Resources { scorer: Some(Arc::new(Says(probabilities))), ..with_modifiers() }
}

/// Modifier counts for the nouns in the catalog's examples.
fn with_modifiers() -> Resources {
    let mut table = ModifierTable::default();
    for sentence in ["There is an old NOUN.", "An old NOUN is here.", "They see an old NOUN."] {
        for noun in ["man", "car", "clock"] {
            let text = sentence.replace("NOUN", noun);
            table.add(ModifierCounts::of(&Example { pair: Pair::plain(&text, ""), ..Example::default() }));
        }
    }
    Resources { modifiers: Some(Arc::new(table)), ..Resources::default() }
}

fn challenge(entry: &'static ChallengeEntry, mode: Mode) -> Challenge {
    Challenge::new(entry, &Settings::default(), mode, 1, &resources([0.9, 0.05, 0.05])).unwrap()
}

fn of_case(entry: &'static ChallengeEntry, case: &Case) -> Challenge {
    let resources = case.probabilities.map_or_else(with_modifiers, resources);
    Challenge::new(entry, &Settings::default(), Mode::Clean, 1, &resources).unwrap()
}

/// The challenges that make examples from a corpus.
fn from_corpora() -> impl Iterator<Item = &'static ChallengeEntry> {
    CATALOG.iter().filter(|entry| !matches!(entry.build, Build::Generate { .. }))
}

fn example<'a>(id: &'a str, premise: Sentence<'a>, hypothesis: Sentence<'a>) -> Example<'a> {
    Example { pair: Pair { id: id.into(), premise, hypothesis }, gold: Some(Label::Neutral.into()), ..Default::default() }
}

const PARSED: (&str, &str, &str) = (
    "\"The old clock isn't right.\"",
    "(ROOT (S (`` ``) (NP (DT The) (JJ old) (NN clock)) (VP (VBZ is) (RB n't) (ADJP (JJ right))) (. .) ('' '')))",
    "( `` ( ( The ( old clock ) ) ( ( is ( n't right ) ) ( . '' ) ) ) )",
);

fn parsed() -> Sentence<'static> {
    Sentence { text: PARSED.0.into(), parse: Some(PARSED.1.into()), binary_parse: Some(PARSED.2.into()) }
}

#[test]
fn names_are_unique() {
    let names: BTreeSet<&str> = CATALOG.names().into_iter().collect();
    assert_eq!(names.len(), CATALOG.entries().len());
}

#[test]
fn every_entry_has_an_applicable_and_an_inapplicable_example() {
    for entry in &CATALOG {
        let made = |case: &Case| matches!(case.outcome, CaseOutcome::Made { .. });
        assert!(entry.examples.iter().any(made), "{}", entry.name);
        let generates = matches!(entry.build, Build::Generate { .. });
        assert!(generates || !entry.examples.iter().all(made), "{} has no example that is not applicable", entry.name);
    }
}

#[test]
fn the_examples_of_each_entry_are_correct() {
    for entry in from_corpora() {
        for case in entry.examples {
            let challenge = of_case(entry, case);
            let mut coverage = Coverage::default();
            let before = case.example();
            let made = challenge.rows(&before, &mut coverage).unwrap();
            match case.outcome {
                CaseOutcome::Made { premise, hypothesis, gold } => {
                    assert!(!made.is_empty(), "{}: {coverage}", entry.name);
                    let pair = &made[0].pair;
                    assert_eq!((&*pair.premise.text, &*pair.hypothesis.text), (premise, hypothesis), "{}", entry.name);
                    assert_eq!(made[0].gold, Some(gold), "{}", entry.name);
                }
                CaseOutcome::NotApplicable(reason) => {
                    assert!(made.is_empty(), "{}", entry.name);
                    assert_eq!(coverage.not_applicable.keys().collect::<Vec<_>>(), [&reason], "{}", entry.name);
                }
            }
        }
    }
}

#[test]
fn the_examples_of_a_generator_are_in_its_set() {
    for entry in &CATALOG {
        let challenge = challenge(entry, Mode::Clean);
        let Some(generator) = challenge.generator() else { continue };
        let mut wanted: Vec<CaseOutcome> = entry.examples.iter().map(|case| case.outcome).collect();
        let found = |outcome: &CaseOutcome, example: &Example<'_>| match outcome {
            CaseOutcome::Made { premise, hypothesis, gold } => {
                let pair = &example.pair;
                (&*pair.premise.text, &*pair.hypothesis.text, example.gold) == (*premise, *hypothesis, Some(*gold))
            }
            CaseOutcome::NotApplicable(_) => false,
        };
        let Ok(generated) = generator.run(|row| {
            let example = row.example();
            wanted.retain(|outcome| !found(outcome, &example));
            Ok::<(), std::convert::Infallible>(())
        });
        assert_eq!(wanted, [], "{}: not among {} examples", entry.name, generated.examples);
        assert!(challenge.rows(&example("1", parsed(), parsed()), &mut Coverage::default()).is_err());
    }
}

#[test]
fn a_missing_resource_is_named() {
    for entry in &CATALOG {
        let built = Challenge::new(entry, &Settings::default(), Mode::Clean, 1, &Resources::default());
        assert_eq!(built.is_err(), entry.missing(&Resources::default()).is_some(), "{}", entry.name);
        assert_eq!(built.is_err(), entry.needs.contains(&Need::LexicalModel), "{}", entry.name);
    }
}

/// Calls `see` with each example that an entry makes from its own examples and from a parsed pair, and the original.
fn each_made(entry: &'static ChallengeEntry, mut see: impl FnMut(&Example<'_>, &Example<'_>)) {
    let mut seen = 0;
    let mut make = |challenge: &Challenge, before: &Example<'_>| {
        for made in challenge.rows(before, &mut Coverage::default()).unwrap() {
            see(before, &made);
            seen += 1;
        }
    };
    for case in entry.examples {
        make(&of_case(entry, case), &case.example());
    }
    make(&challenge(entry, Mode::Clean), &example("7", parsed(), parsed()));
    assert!(seen > 0, "{}", entry.name);
}

fn rewriting() -> impl Iterator<Item = &'static ChallengeEntry> {
    CATALOG.iter().filter(|entry| matches!(entry.build, Build::Rewrite(_)))
}

fn from_sentences() -> impl Iterator<Item = &'static ChallengeEntry> {
    CATALOG.iter().filter(|entry| entry.reads_sentences())
}

/// The original sentence of a side, with the side that it was made from.
fn undone(made: &Example<'_>, side: Side) -> (Side, Option<String>) {
    let changes: Vec<&Change> = made.changes.iter().filter(|change| change.side == side).collect();
    let from = changes.iter().find_map(|change| change.from).unwrap_or(side);
    let text_change = |change: &&Change| TextChange { start: change.start, end: change.end, before: change.before.clone() };
    let changes: Vec<TextChange> = changes.iter().map(text_change).collect();
    (from, undo(&made.pair.side(side).text, &changes))
}

#[test]
fn pairs_made_from_a_sentence_record_it() {
    for entry in from_sentences() {
        assert_eq!(entry.label, LabelEffect::Sets, "{}", entry.name);
        each_made(entry, |before, made| {
            assert!(made.gold.is_some() && !made.changes.is_empty(), "{}", entry.name);
            let [premise, hypothesis] = [Side::Premise, Side::Hypothesis].map(|side| undone(made, side).1.unwrap());
            assert_eq!(premise, hypothesis, "{}", entry.name);
            let source = [&before.pair.premise.text, &before.pair.hypothesis.text];
            assert!(source.iter().any(|text| **text == premise), "{}: {premise}", entry.name);
            for side in [Side::Premise, Side::Hypothesis].into_iter().filter(|side| made.changes.iter().any(|change| change.side == *side))
            {
                assert_eq!(*before.pair.side(undone(made, side).0).text, premise, "{}", entry.name);
            }
        });
    }
}

#[test]
fn new_examples_record_their_origin() {
    for entry in rewriting().chain(from_sentences()) {
        each_made(entry, |before, made| {
            assert!(made.pair.id.starts_with(&format!("{}/{}", before.pair.id, entry.name)), "{}", made.pair.id);
            assert_eq!(made.tags.get(tag::PARENT), Some(&*before.pair.id));
            assert_eq!(made.tags.get(tag::CHALLENGE), Some(entry.name));
            assert_eq!(made.tags.get(tag::SEED), Some("1"));
        });
    }
}

#[test]
fn undoing_the_changes_restores_the_sentences() {
    for entry in rewriting() {
        each_made(entry, |before, made| {
            assert!(!made.changes.is_empty(), "{}", entry.name);
            for side in [Side::Premise, Side::Hypothesis] {
                let (from, text) = undone(made, side);
                assert_eq!(text.as_deref(), Some(&*before.pair.side(from).text), "{}: {side:?}", entry.name);
            }
        });
    }
}

#[test]
fn pairs_from_single_sentences_have_the_sentence_and_an_edited_copy() {
    for entry in CATALOG.iter().filter(|entry| entry.reads_sentences()) {
        let mut seen = 0;
        for case in entry.examples {
            let before = case.example();
            for made in of_case(entry, case).rows(&before, &mut Coverage::default()).unwrap() {
                let sides = [Side::Premise, Side::Hypothesis];
                assert!(sides.iter().any(|&side| made.changes.iter().any(|change| change.side == side)), "{}", entry.name);
                let [premise, hypothesis] = sides.map(|side| undone(&made, side).1.unwrap());
                assert_eq!(premise, hypothesis, "{}: both come from one sentence", entry.name);
                assert!(sides.iter().any(|&side| *before.pair.side(side).text == premise), "{}", entry.name);
                assert_eq!(made.tags.get(tag::PARENT), Some(&*before.pair.id));
                assert!(entry.label == LabelEffect::Keeps || made.gold.is_some(), "{}", entry.name);
                seen += 1;
            }
        }
        assert!(seen > 0, "{}", entry.name);
    }
}

#[test]
fn labels_are_kept_if_the_entry_says_so() {
    for entry in rewriting().filter(|entry| entry.label == LabelEffect::Keeps) {
        each_made(entry, |before, made| assert_eq!(made.gold, before.gold, "{}", entry.name));
    }
}

#[test]
fn sharing_views_does_not_change_the_examples() {
    let before = example("7", parsed(), parsed());
    let shared = PairView::new(&before);
    for entry in from_corpora() {
        let challenge = challenge(entry, Mode::Clean);
        let (mut together, mut alone) = (Coverage::default(), Coverage::default());
        assert_eq!(challenge.rows_of(&shared, &mut together).unwrap(), challenge.rows(&before, &mut alone).unwrap(), "{}", entry.name);
        assert_eq!(together, alone);
    }
}

#[test]
fn selected_examples_are_not_changed() {
    for entry in CATALOG.iter().filter(|entry| matches!(entry.build, Build::Select(_))) {
        let before = example("7", parsed(), parsed());
        let challenge = challenge(entry, Mode::Clean);
        let made = challenge.rows(&before, &mut Coverage::default()).unwrap();
        assert_eq!((&made[0].pair, made[0].gold), (&before.pair, before.gold), "{}", entry.name);
        assert!(made[0].changes.is_empty(), "{}", entry.name);
    }
}

#[test]
fn text_and_trees_have_the_same_words() {
    for entry in rewriting().chain(from_sentences()) {
        each_made(entry, |_, made| {
            for sentence in [&made.pair.premise, &made.pair.hypothesis] {
                let read = |parse: &Option<std::borrow::Cow<'_, str>>| -> Option<Vec<String>> {
                    let tree = Tree::read(parse.as_deref()?).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
                    Some(tree.leaves().map(|leaf| leaf.word.to_string()).collect())
                };
                let (parse, binary) = (read(&sentence.parse), read(&sentence.binary_parse));
                assert!(parse.is_none() || binary.is_none() || parse == binary, "{}", entry.name);
                let Some(words) = parse.or(binary) else { continue };
                let words: String = words.iter().map(|word| if matches!(word.as_str(), "``" | "''") { "\"" } else { word }).collect();
                assert_eq!(words, sentence.text.replace(' ', ""), "{}", entry.name);
            }
        });
    }
}

#[test]
fn the_result_for_an_example_does_not_depend_on_others() {
    for entry in from_corpora() {
        for mode in [Mode::Clean, Mode::AsPublished] {
            let first = challenge(entry, mode);
            let second = challenge(entry, mode);
            let row = example("7", parsed(), parsed());
            first.rows(&example("8", parsed(), parsed()), &mut Coverage::default()).unwrap();
            let one = first.rows(&row, &mut Coverage::default()).unwrap();
            let two = second.rows(&row, &mut Coverage::default()).unwrap();
            assert_eq!(one, two, "{}", entry.name);
        }
    }
}

#[test]
fn settings_survive_a_round_trip() {
    for entry in &CATALOG {
        let challenge = challenge(entry, Mode::Clean);
        let written = serde_json::to_string(challenge.settings()).unwrap();
        let again = Settings::from(serde_json::from_str::<serde_json::Map<_, _>>(&written).unwrap());
        let again = Challenge::new(entry, &again, Mode::Clean, 1, &resources([0.9, 0.05, 0.05])).unwrap();
        assert_eq!(again.settings(), challenge.settings(), "{}", entry.name);
    }
}

#[test]
fn an_unknown_setting_is_refused_with_a_suggestion() {
    for entry in &CATALOG {
        let known = (entry.defaults)().as_object().unwrap().keys().next().unwrap().clone();
        let settings = Settings::parse([format!("{known}x=1").as_str()]).unwrap();
        let error = Challenge::new(entry, &settings, Mode::Clean, 1, &Resources::default()).err().unwrap().to_string();
        assert!(error.contains(&format!("has no setting `{known}x`; did you mean `{known}`?")), "{error}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_a_challenge_panic(text in "\\PC{0,30}", parse in prop::option::of("[()A-c .]{0,20}")) {
        for entry in from_corpora() {
            for mode in [Mode::Clean, Mode::AsPublished] {
                let sentence = Sentence { text: text.as_str().into(), parse: parse.as_deref().map(Into::into), binary_parse: parse.as_deref().map(Into::into) };
                let row = example("x", sentence.clone(), sentence);
                let challenge = challenge(entry, mode);
                let made = challenge.rows(&row, &mut Coverage::default());
                let is_fine = matches!(made, Ok(_) | Err(ChallengeError::NoTree { .. }));
                prop_assert!(is_fine, "{}", entry.name);
            }
        }
    }
}
