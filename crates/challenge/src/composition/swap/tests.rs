//! The edge cases of the set, by name.

use super::*;
use crate::{CATALOG, CONTROL, Challenge, ChallengeError, Coverage, Mode, Resources};
use acidtest_nli::{Example, Pair, Sentence, Settings};

/// What becomes of a sentence: hypothesis and premise of the control, or the reason why there is none.
fn outcome(text: &str, parse: Option<&str>, settings: &[&str]) -> Result<(String, Option<String>), String> {
    let settings = Settings::parse(settings.iter().copied()).unwrap();
    let entry = CATALOG.find("subject-object-swap").unwrap();
    let challenge = Challenge::new(entry, &settings, Mode::Clean, 1, &Resources::default()).unwrap();
    let sentence = Sentence { text: text.into(), parse: parse.map(Into::into), binary_parse: None };
    let pair = Pair { id: "1".into(), premise: sentence, hypothesis: Sentence { text: "Nobody knows.".into(), ..Sentence::default() } };
    let example = Example { pair, ..Example::default() };
    let mut coverage = Coverage::default();
    let made = challenge.rows(&example, &mut coverage).unwrap();
    match made.as_slice() {
        [] => Err(coverage.not_applicable.keys().next().unwrap().to_string()),
        [test, rest @ ..] => {
            assert_eq!((&*test.pair.premise.text, test.gold), (text, Some(Label::Contradiction.into())));
            for control in rest {
                assert_eq!(control.tags.get(tag::PART), Some(CONTROL));
                assert_eq!(control.tags.get(tag::CONTROL_OF), Some(&*test.pair.id));
                assert_eq!(control.pair.hypothesis.text, test.pair.hypothesis.text);
                assert_eq!(control.gold, Some(Label::Entailment.into()));
            }
            Ok((test.pair.hypothesis.text.to_string(), rest.first().map(|control| control.pair.premise.text.to_string())))
        }
    }
}

#[track_caller]
fn makes(text: &str, hypothesis: &str, control: Option<&str>) {
    let found = outcome(text, None, &["analysis=parse"]);
    assert_eq!(found, Ok((hypothesis.to_string(), control.map(str::to_string))), "{text}");
}

#[track_caller]
fn leaves_out(text: &str, reason: NotApplicable) {
    assert_eq!(outcome(text, None, &["analysis=parse"]), Err(reason.0.to_string()), "{text}");
}

#[track_caller]
fn tree_leaves_out(text: &str, parse: &str, reason: NotApplicable) {
    assert_eq!(outcome(text, Some(parse), &["analysis=tree"]), Err(reason.0.to_string()), "{text}");
}

#[test]
fn the_whole_subject_changes_places_with_the_object() {
    makes(
        "A man in a blue outfit is riding a small horse.",
        "A small horse is riding a man in a blue outfit.",
        Some("A man in a blue outfit is being ridden by a small horse."),
    );
    makes("Two men paint a curb.", "A curb paints two men.", Some("Two men are painted by a curb."));
    makes("A dog chased the cats.", "The cats chased a dog.", Some("A dog was chased by the cats."));
    makes("The girl has kicked two balls.", "Two balls have kicked the girl.", Some("The girl has been kicked by two balls."));
}

#[test]
fn an_of_phrase_and_conjuncts_move_with_the_object() {
    makes(
        "A girl carries a bouquet of flowers.",
        "A bouquet of flowers carries a girl.",
        Some("A girl is carried by a bouquet of flowers."),
    );
    makes("A man carries a bag and a hat.", "A bag and a hat carry a man.", Some("A man is carried by a bag and a hat."));
}

#[test]
fn a_caption_gets_its_verb() {
    makes("A dog pulling a rope.", "A rope is pulling a dog.", Some("A dog is being pulled by a rope."));
    makes("A woman pushing two carts.", "Two carts are pushing a woman.", Some("A woman is being pushed by two carts."));
}

#[test]
fn a_pair_of_things_is_singular() {
    makes(
        "A man is wearing a pair of sunglasses.",
        "A pair of sunglasses is wearing a man.",
        Some("A man is being worn by a pair of sunglasses."),
    );
    makes("A man pushes a pair of dogs.", "A pair of dogs push a man.", Some("A man is pushed by a pair of dogs."));
}

#[test]
fn pronouns_change_their_case() {
    makes("He is chasing a dog.", "A dog is chasing him.", Some("He is being chased by a dog."));
    makes("They chase the dog.", "The dog chases them.", Some("They are chased by the dog."));
}

#[test]
fn capitals_stay_with_names_alone() {
    makes("Asian people push a cart.", "A cart pushes Asian people.", Some("Asian people are pushed by a cart."));
    makes("Workers push a cart.", "A cart pushes workers.", Some("Workers are pushed by a cart."));
}

#[test]
fn riding_a_horse_while_wearing_gear_has_no_control() {
    makes("A man is riding a horse while wearing gear.", "A horse is riding a man while wearing gear.", None);
}

#[test]
fn a_pronoun_after_the_object_would_change_its_referent() {
    leaves_out("A man is holding a box with some items in it.", PRONOUN_AFTER);
}

#[test]
fn one_small_dog_chases_another() {
    let tree = "(ROOT (S (NP (CD One) (JJ small) (NN dog)) (VP (VBZ chases) (NP (DT another))) (. .)))";
    tree_leaves_out("One small dog chases another.", tree, NO_NOUN);
    assert!(outcome("One small dog chases another.", None, &["analysis=parse"]).is_err());
}

#[test]
fn two_objects_are_left_alone() {
    leaves_out("A man gives a lady a hug.", TWO_OBJECTS);
}

#[test]
fn coordinated_verbs_are_left_alone() {
    leaves_out("The man holds a drink and uses his cellphone.", COORDINATION);
}

#[test]
fn an_event_is_no_object() {
    leaves_out("A man is running a marathon.", EVENT);
}

#[test]
fn a_passive_is_left_alone() {
    leaves_out("The man is being chased by a dog.", PASSIVE);
}

#[test]
fn a_polka_dot_is_no_verb() {
    let tree = "(ROOT (S (NP (NNP Polka)) (VP (VBP dot) (NP (NP (NN shirt)) (CC and) (NP (NNS glasses)))) (. .)))";
    assert!(outcome("Polka dot shirt and glasses.", Some(tree), &["analysis=tree"]).is_err());
    assert!(outcome("Polka dot shirt and glasses.", Some(tree), &["analysis=strict"]).is_err());
}

#[test]
fn a_premise_whose_words_do_not_agree_is_left_alone() {
    leaves_out("A half naked women is riding a horse.", NUMBER);
}

#[test]
fn a_possessor_keeps_its_spacing() {
    makes("A man opens a red car's door.", "A red car's door opens a man.", Some("A man is opened by a red car's door."));
}

#[test]
fn a_like_phrase_has_no_control() {
    makes("A man blows bubbles like a young child.", "Bubbles blow a man like a young child.", None);
}

#[test]
fn a_phrase_of_the_object_that_stays_has_no_control() {
    let tree = "(ROOT (NP (NP (DT A) (NN girl)) (VP (VBG pushing) (NP (NP (DT a) (NN toy) (NN baby)) (PP (IN in) (NP (DT a) (NN stroller))))) (. .)))";
    let found = outcome("A girl pushing a toy baby in a stroller.", Some(tree), &["analysis=tree"]);
    assert_eq!(found, Ok(("A toy baby is pushing a girl in a stroller.".to_string(), None)));
}

#[test]
fn a_place_and_a_clause_with_its_own_subject_allow_a_control() {
    let tree = "(ROOT (S (NP (DT A) (NN man)) (VP (VBZ plays) (NP (NP (DT a) (NN guitar)) (PP (IN in) (NP (NP (NN front)) (PP (IN of) (NP (DT a) (NN wall))))))) (. .)))";
    let found = outcome("A man plays a guitar in front of a wall.", Some(tree), &["analysis=tree"]);
    let control = Some("A man is played by a guitar in front of a wall.".to_string());
    assert_eq!(found, Ok(("A guitar plays a man in front of a wall.".to_string(), control)));
    makes(
        "A horse pulls a cart while two men watch.",
        "A cart pulls a horse while two men watch.",
        Some("A horse is pulled by a cart while two men watch."),
    );
    makes("A man rides a horse while wearing gear.", "A horse rides a man while wearing gear.", None);
}

#[test]
fn captions_get_their_capital_and_their_stop() {
    let tree = "(ROOT (S (NP (DT a) (NN man)) (VP (VBZ rides) (NP (DT a) (NN horse)))))";
    let entry = CATALOG.find("subject-object-swap").unwrap();
    let challenge = Challenge::new(entry, &Settings::parse(["analysis=tree"]).unwrap(), Mode::Clean, 1, &Resources::default()).unwrap();
    let premise = Sentence { text: "a man rides a horse".into(), parse: Some(tree.into()), binary_parse: None };
    let example = Example { pair: Pair { premise, ..Pair::plain("", "") }, ..Example::default() };
    let made = challenge.rows(&example, &mut Coverage::default()).unwrap();
    let texts: Vec<[&str; 2]> = made.iter().map(|made| [&*made.pair.premise.text, &*made.pair.hypothesis.text]).collect();
    assert_eq!(texts, [["A man rides a horse.", "A horse rides a man."], ["A man is ridden by a horse.", "A horse rides a man."]]);
    assert_eq!(
        made[0].pair.premise.parse.as_deref(),
        Some("(ROOT (S (NP (DT A) (NN man)) (VP (VBZ rides) (NP (DT a) (NN horse))) (. .)))")
    );
    assert_eq!(made[0].changes.iter().filter(|change| change.side == Side::Premise).count(), 2);
}

#[test]
fn verbs_that_readers_found_wrong_are_left_out() {
    leaves_out("A skier overlooks a mountain.", SYMMETRIC);
    for text in ["A boy points a statue.", "A man crashes a car.", "A man grazes a sheep.", "The man lends a hand."] {
        leaves_out(text, LIGHT);
    }
    leaves_out("A man is riding a horse along side a road.", SLIP);
}

#[test]
fn occupied_by_is_no_control() {
    makes("Two men occupy a small boat.", "A small boat occupies two men.", None);
}

#[test]
fn a_participle_that_is_tagged_as_past_is_left_alone() {
    let tree = "(ROOT (S (NP (DT A) (NN man)) (VP (VBD digging) (NP (DT a) (NN hole))) (. .)))";
    tree_leaves_out("A man digging a hole.", tree, VERB_FORM);
}

#[test]
fn spray_painting_is_one_verb() {
    let tree =
        "(ROOT (NP (NP (DT A) (NN man) (NN spray)) (VP (VBG painting) (NP (DT a) (NN logo)) (PP (IN onto) (NP (DT a) (NN wall)))) (. .)))";
    tree_leaves_out("A man spray painting a logo onto a wall.", tree, VERB_FORM);
}

#[test]
fn two_subjects_are_being_held() {
    let tree = "(ROOT (NP (NP (NP (DT A) (NN girl)) (CC and) (NP (DT a) (NN boy))) (VP (VBG carrying) (NP (DT a) (NN dog))) (. .)))";
    let found = outcome("A girl and a boy carrying a dog.", Some(tree), &["analysis=tree"]);
    let control = Some("A girl and a boy are being carried by a dog.".to_string());
    assert_eq!(found, Ok(("A dog is carrying a girl and a boy.".to_string(), control)));
}

#[test]
fn verbs_that_hold_both_ways_are_left_alone() {
    leaves_out("A man is touching a wall.", SYMMETRIC);
    leaves_out("A woman is hugging a man.", MUTUAL);
    leaves_out("A man has a dog.", LIGHT);
}

#[test]
fn what_would_be_no_sentence_is_left_alone() {
    leaves_out("A man rides a horse or a donkey.", DISJUNCTION);
    leaves_out("A man is not riding a horse.", NEGATION);
    leaves_out("A man can lift a horse.", MODAL);
    leaves_out("A man is raising his hand.", BODY_PART);
    leaves_out("A man is washing himself.", REFLEXIVE);
    leaves_out("A man pushes another man.", SAME_HEAD);
    leaves_out("A older man pushes a cart.", SLIP);
    leaves_out("An older man plying a guitar in a band.", SLIP);
    leaves_out("Man pushes cart.", BARE);
    leaves_out("A boy riding a bike while a girl watches.", OTHER_VERB);
    leaves_out("A painting covers a wall.", DEPICTION);
}

#[test]
fn sentences_with_errors_are_used_if_asked_for() {
    let text = "An older man is plying a guitar.";
    leaves_out(text, SLIP);
    let found = outcome(text, None, &["analysis=parse", "writing=any"]);
    assert_eq!(found.map(|(hypothesis, _)| hypothesis), Ok("A guitar is plying an older man.".to_string()));
}

#[test]
fn tags_tell_same_words_and_reversible_pairs() {
    let tags = |text: &str| {
        let entry = CATALOG.find("subject-object-swap").unwrap();
        let settings = Settings::parse(["analysis=parse"]).unwrap();
        let challenge = Challenge::new(entry, &settings, Mode::Clean, 1, &Resources::default()).unwrap();
        let example = Example { pair: Pair::plain(text, ""), ..Example::default() };
        let made = challenge.rows(&example, &mut Coverage::default()).unwrap();
        [tag::SAME_WORDS, tag::REVERSIBLE, tag::PART].map(|name| made[0].tags.get(name).unwrap().to_string())
    };
    assert_eq!(tags("The dog chases a man."), ["true", "true", "test"]);
    assert_eq!(tags("The dogs chase a ball."), ["false", "false", "test"]);
    assert_eq!(tags("A dog chasing a cat."), ["false", "true", "test"]);
}

#[test]
fn strict_and_tree_stop_without_a_tree() {
    let entry = CATALOG.find("subject-object-swap").unwrap();
    for analysis in ["analysis=strict", "analysis=tree"] {
        let settings = Settings::parse([analysis]).unwrap();
        let challenge = Challenge::new(entry, &settings, Mode::Clean, 1, &Resources::default()).unwrap();
        let example = Example { pair: Pair { id: "7".into(), ..Pair::plain("A dog chases a cat.", "") }, ..Example::default() };
        let error = challenge.rows(&example, &mut Coverage::default()).unwrap_err();
        assert!(matches!(error, ChallengeError::NoTree { name: "subject-object-swap", ref id } if id == "7"), "{error}");
        assert!(challenge.lacks_tree(&example));
    }
}

#[test]
fn strict_leaves_out_what_the_parses_see_differently() {
    let text = "A woman is pulling a cart.";
    let right = "(ROOT (S (NP (DT A) (NN woman)) (VP (VBZ is) (VP (VBG pulling) (NP (DT a) (NN cart)))) (. .)))";
    let wrong = "(ROOT (S (NP (DT A)) (VP (NN woman) (VBZ is) (VP (VBG pulling) (NP (DT a) (NN cart)))) (. .)))";
    assert!(outcome(text, Some(right), &[]).is_ok());
    assert!(outcome(text, Some(wrong), &[]).is_err());
}

#[test]
fn hypotheses_are_used_where_both_sides_are_asked_for() {
    let entry = CATALOG.find("subject-object-swap").unwrap();
    let count = |settings: &[&str]| {
        let settings = Settings::parse(settings.iter().copied()).unwrap();
        let challenge = Challenge::new(entry, &settings, Mode::Clean, 1, &Resources::default()).unwrap();
        let example = Example { pair: Pair::plain("A dog chases a cat.", "A dog chases a ball."), ..Example::default() };
        challenge.rows(&example, &mut Coverage::default()).unwrap().len()
    };
    assert_eq!(count(&["analysis=parse", "controls=none"]), 1);
    assert_eq!(count(&["analysis=parse", "controls=none", "sides=both"]), 2);
    assert_eq!(count(&["analysis=parse", "sides=both"]), 4);
}
