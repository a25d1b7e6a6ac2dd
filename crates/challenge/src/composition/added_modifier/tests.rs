//! The edge cases of the rules, each by the sentence that showed it.

use super::sentence::NEGATED;
use super::table::table_of;
use super::*;
use crate::writing::SLIP;
use crate::{Challenge, Coverage, Mode, Resources};
use acidtest_nli::{Example, Pair, Sentence, Settings};
use std::sync::Arc;

const SEEN: &[(&str, &str)] = &[
    ("old", "man"),
    ("old", "car"),
    ("old", "friend"),
    ("old", "woman"),
    ("old", "people"),
    ("old", "jacket"),
    ("large", "man"),
    ("large", "pool"),
    ("large", "picture"),
    ("large", "dog"),
    ("large", "cake"),
    ("large", "plate"),
    ("large", "field"),
    ("large", "woman"),
    ("large", "bench"),
    ("large", "person"),
    ("large", "cat"),
    ("large", "grass"),
    ("large", "ball"),
    ("large", "top"),
    ("large", "street"),
    ("large", "city"),
    ("large", "table"),
    ("young", "man"),
    ("young", "woman"),
    ("young", "baby"),
    ("young", "worker"),
    ("young", "dog"),
    ("colorful", "man"),
    ("colorful", "hat"),
    ("colorful", "jacket"),
    ("red", "jacket"),
    ("red", "car"),
    ("red", "man"),
    ("happy", "man"),
    ("happy", "woman"),
    ("wooden", "bench"),
    ("wooden", "table"),
];

fn made_with(text: &str, settings: &[&str]) -> Result<Vec<(String, String, String)>, Vec<&'static str>> {
    let resources = Resources { modifiers: Some(Arc::new(table_of(SEEN, 3))), ..Resources::default() };
    let settings = std::iter::once("analysis=parse").chain(settings.iter().copied());
    let challenge = Challenge::new(&ADDED_MODIFIER, &Settings::parse(settings).unwrap(), Mode::Clean, 1, &resources).unwrap();
    let example = Example { pair: Pair::plain(text, ""), ..Example::default() };
    let explanation = challenge.explain(&example).unwrap();
    if explanation.made.is_empty() {
        return Err(explanation.sentences.iter().take(1).filter_map(|sentence| sentence.reason).collect());
    }
    let made = explanation.made.iter().filter(|made| made.tags.get(tag::PART) == Some(TEST));
    Ok(made
        .map(|made| {
            let text = |sentence: &Sentence<'_>| sentence.text.to_string();
            (made.tags.get(tag::MODIFIER).unwrap_or_default().to_string(), text(&made.pair.premise), text(&made.pair.hypothesis))
        })
        .collect())
}

/// The two sentences of the pair with this modifier, in alphabetical order.
#[track_caller]
fn check(text: &str, settings: &[&str], modifier: &str, mut expected: [&str; 2]) {
    let made = made_with(text, settings).unwrap_or_else(|reasons| panic!("{text}: {reasons:?}"));
    let (_, premise, hypothesis) = made.iter().find(|(own, ..)| own == modifier).unwrap_or_else(|| panic!("{made:?}"));
    let mut found = [premise.as_str(), hypothesis.as_str()];
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[track_caller]
fn check_not(text: &str, settings: &[&str], modifier: &str) {
    let made = made_with(text, settings).unwrap_or_default();
    assert!(made.iter().all(|(own, ..)| own != modifier), "{made:?}");
}

#[test]
fn articles_follow_the_modifier_both_ways() {
    check(
        "A man in a green jacket is working on a car.",
        &[],
        "old",
        ["An old man in a green jacket is working on a car.", "A man in a green jacket is working on an old car."],
    );
}

#[test]
fn a_participle_that_belongs_to_the_noun_is_not_left_behind() {
    let seen = "Dogs play near a man dressed in playing jackets.";
    let made = made_with(seen, &[]).unwrap_or_default();
    assert!(
        made.iter().all(|(_, premise, hypothesis)| !premise.contains("playing old") && !hypothesis.contains("playing old")),
        "{made:?}"
    );
}

#[test]
fn other_phrases_with_adjectives_do_not_matter() {
    check(
        "A man and two small children are playing in a pool.",
        &[],
        "large",
        ["A large man and two small children are playing in a pool.", "A man and two small children are playing in a large pool."],
    );
}

#[test]
fn an_adjective_of_another_class_is_allowed_by_option_only() {
    let text = "A shirtless man talks to his friend.";
    check_not(text, &[], "old");
    check(
        text,
        &["existing_adjectives=other-class"],
        "old",
        ["An old shirtless man talks to his friend.", "A shirtless man talks to his old friend."],
    );
    check_not("A young man talks to his friend.", &["existing_adjectives=other-class"], "old");
    check_not("A naive man talks to his friend.", &["existing_adjectives=other-class"], "old");
}

#[test]
fn the_order_of_adjectives_is_kept() {
    check(
        "A white dog is lying on a wooden bench.",
        &["existing_adjectives=other-class"],
        "large",
        ["A large white dog is lying on a wooden bench.", "A white dog is lying on a large wooden bench."],
    );
}

#[test]
fn colours_and_patterns_are_not_for_people() {
    check_not("A man wears a hat.", &[], "colorful");
    check_not("A man stands beside a car.", &[], "red");
    check("A man puts a jacket into a car.", &[], "red", ["A man puts a red jacket into a car.", "A man puts a jacket into a red car."]);
}

#[test]
fn nationalities_are_never_added() {
    let example = Example { pair: Pair::plain("A Chinese woman walks.", "A Chinese street."), ..Example::default() };
    let mut table = ModifierTable::default();
    table.add(ModifierCounts::of(&example));
    assert_eq!(table.pairs(1), 0);
}

#[test]
fn nouns_of_place_and_pictures_take_no_modifier() {
    check_not("A man holds a bikini top.", &[], "large");
    check_not("A man is posing for a picture.", &[], "large");
}

#[test]
fn a_noun_that_stands_in_the_sentence_twice_takes_no_modifier() {
    check_not("Cakes and one of the cakes are near a man.", &[], "large");
}

#[test]
fn sentences_with_slips_are_left_alone() {
    assert_eq!(made_with("A dog is lying the grass near a man.", &[]), Err(vec![SLIP.0]));
    assert_eq!(made_with("A man and a woman is standing near a pool.", &[]), Err(vec![SLIP.0]));
    assert_eq!(made_with("Two man throw a ball to a dog.", &[]), Err(vec![SLIP.0]));
    assert_eq!(made_with("A men throws a ball to a dog.", &[]), Err(vec![SLIP.0]));
    assert_eq!(made_with("Man in a car throws a ball to a dog.", &[]), Err(vec![SLIP.0]));
    assert_eq!(made_with("Man standing near a dog throws a ball.", &[]), Err(vec![SLIP.0]));
    assert_eq!(made_with("An asian man throws a ball to a dog.", &[]), Err(vec![SLIP.0]));
    assert_eq!(made_with("A man thorws a ball to a dog.", &[]), Err(vec![SLIP.0]));
}

#[test]
fn sentences_with_slips_are_used_if_asked_for() {
    check(
        "A man with red-hair stands near a dog.",
        &["writing=any"],
        "large",
        ["A large man with red-hair stands near a dog.", "A man with red-hair stands near a large dog."],
    );
    assert_eq!(made_with("A man with red-hair stands near a dog.", &[]), Err(vec![SLIP.0]));
}

#[test]
fn negation_rules_a_sentence_out() {
    assert_eq!(made_with("A man is not near a pool.", &[]), Err(vec![NEGATED.0]));
}

#[test]
fn nouns_that_may_stand_for_the_same_thing_do_not_share_a_modifier() {
    check_not("A man and a person sit on a rock.", &[], "large");
    check_not("A man greets the worker.", &[], "young");
    check_not("A man is a worker.", &[], "young");
    check_not("A man, a worker, sits.", &[], "young");
}

#[test]
fn what_a_noun_implies_is_not_added_to_it() {
    check_not("A woman holds a baby.", &[], "young");
}

#[test]
fn parts_and_wholes_do_not_share_a_modifier() {
    check_not("There is a street in a city.", &[], "large");
}

#[test]
fn a_modifier_before_two_joined_nouns_would_belong_to_both() {
    check_not("Dogs and cats play.", &[], "large");
    check("The dogs and the cats play.", &[], "large", ["The large dogs and the cats play.", "The dogs and the large cats play."]);
}

#[test]
fn feelings_are_not_added_where_a_sentence_speaks_of_them() {
    check("A man sits near a woman.", &[], "happy", ["A happy man sits near a woman.", "A man sits near a happy woman."]);
    check_not("A man smiles at a woman.", &[], "happy");
}

#[test]
fn a_modifier_that_is_there_already_is_not_added() {
    check_not("A man and a woman sit near a large tree.", &[], "large");
    check_not("A man sits near a dog that is small.", &[], "large");
}

#[test]
fn modifiers_must_be_seen_often_enough() {
    check_not("A man sits near a woman.", &["seen_at_least=4"], "happy");
}

#[test]
fn plurals_without_an_article_take_a_modifier_and_its_capital() {
    check("Dogs run across a field.", &[], "large", ["Large dogs run across a field.", "Dogs run across a large field."]);
}

#[test]
fn a_noun_at_the_beginning_loses_its_capital_even_if_the_parse_takes_it_for_a_name() {
    let resources = Resources { modifiers: Some(Arc::new(table_of(SEEN, 3))), ..Resources::default() };
    let challenge = Challenge::new(&ADDED_MODIFIER, &Settings::parse(["analysis=parse"]).unwrap(), Mode::Clean, 1, &resources).unwrap();
    let tree = "(ROOT (S (NP (NNPS Dogs)) (VP (VBP run) (PP (IN across) (NP (DT a) (NN field)))) (. .)))";
    let premise = Sentence { text: "Dogs run across a field.".into(), parse: Some(tree.into()), binary_parse: None };
    let pair = Pair { premise, ..Pair::plain("", "") };
    let example = Example { pair, ..Example::default() };
    let made = challenge.rows(&example, &mut Coverage::default()).unwrap();
    let texts: Vec<&str> = made.iter().flat_map(|made| [&*made.pair.premise.text, &*made.pair.hypothesis.text]).collect();
    assert!(texts.contains(&"Large dogs run across a field."), "{texts:?}");
}

#[test]
fn hypotheses_are_used_by_option_only() {
    let resources = Resources { modifiers: Some(Arc::new(table_of(SEEN, 3))), ..Resources::default() };
    let example = Example { pair: Pair::plain("Nobody knows.", "A man sits near a woman."), ..Example::default() };
    for (sides, made) in [("premise", false), ("both", true)] {
        let settings = Settings::parse(["analysis=parse", &format!("sides={sides}")]).unwrap();
        let challenge = Challenge::new(&ADDED_MODIFIER, &settings, Mode::Clean, 1, &resources).unwrap();
        assert_eq!(!challenge.rows(&example, &mut Coverage::default()).unwrap().is_empty(), made);
    }
}

#[test]
fn the_control_has_the_modifier_on_both_nouns() {
    let resources = Resources { modifiers: Some(Arc::new(table_of(&[("old", "man"), ("old", "car")], 3))), ..Resources::default() };
    let settings = Settings::parse(["analysis=parse"]).unwrap();
    let challenge = Challenge::new(&ADDED_MODIFIER, &settings, Mode::Clean, 1, &resources).unwrap();
    let example = Example { pair: Pair::plain("A man is washing a car.", ""), ..Example::default() };
    let made = challenge.rows(&example, &mut Coverage::default()).unwrap();
    let [test, control] = made.as_slice() else { panic!("{made:?}") };
    assert_eq!((test.gold, control.gold), (Some(Label::Neutral.into()), Some(Label::Entailment.into())));
    assert_eq!(control.pair.premise.text, "An old man is washing an old car.");
    assert_eq!(control.pair.hypothesis.text, test.pair.hypothesis.text);
}

#[test]
fn a_group_of_people_and_what_stands_in_front_of_something_take_modifiers() {
    check(
        "A group of men stand in front of a pool.",
        &[],
        "large",
        ["A group of large men stand in front of a pool.", "A group of men stand in front of a large pool."],
    );
    check_not("The top of a table is near a man.", &[], "large");
}
