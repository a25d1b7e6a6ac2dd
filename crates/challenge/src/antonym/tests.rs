use super::*;
use crate::{CATALOG, Challenge, Coverage, Resources, SetSelection};
use acidtest_nli::{Example, Pair, Sentence as NliSentence, Settings};
use std::collections::BTreeSet;

/// What became of a sentence: the changes with the new sentences, and why words were left alone.
struct Outcome {
    made: Vec<(String, String)>,
    reasons: BTreeSet<&'static str>,
}

fn challenge(settings: &[&str], mode: Mode) -> Challenge {
    let settings = Settings::parse(settings.iter().copied().chain(["direction=forward"])).unwrap();
    Challenge::new(CATALOG.find("antonym").unwrap(), &settings, mode, 1, &Resources::default()).unwrap()
}

fn example(text: &str) -> Example<'_> {
    Example { pair: Pair::plain(text, "Nobody knows."), ..Example::default() }
}

fn outcome(text: &str, settings: &[&str]) -> Outcome {
    let (challenge, example) = (challenge(settings, Mode::Clean), example(text));
    let mut coverage = Coverage::default();
    let rows = challenge.rows(&example, &mut coverage).unwrap();
    let made = rows.iter().map(|row| (row.tags.get(tag::ANTONYM).unwrap().to_string(), row.pair.hypothesis.text.to_string())).collect();
    let reasons = coverage.skipped.keys().copied().chain(coverage.not_applicable.keys().copied()).collect();
    Outcome { made, reasons }
}

/// A sentence of which this is made.
#[track_caller]
fn check(text: &str, changed: &str) {
    check_with(text, &[], changed);
}

#[track_caller]
fn check_with(text: &str, settings: &[&str], changed: &str) {
    let outcome = outcome(text, settings);
    let found = outcome.made.iter().any(|(_, sentence)| sentence == changed);
    assert!(found, "{text}: {:?}, {:?}", outcome.made, outcome.reasons);
}

/// A sentence of which nothing is made, for this reason among others.
#[track_caller]
fn check_left_alone(text: &str, filter: Filter) {
    let outcome = outcome(text, &[]);
    assert!(outcome.made.is_empty(), "{text}: {:?}", outcome.made);
    assert!(outcome.reasons.contains(reason(filter).0), "{text}: {:?}", outcome.reasons);
}

/// A filter stops one sentence and lets another pass; switched off, it stops neither.
#[track_caller]
fn check_filter(filter: Filter, stopped: &str, (passes, changed): (&str, &str)) {
    check_left_alone(stopped, filter);
    check(passes, changed);
    let name = FILTERS.iter().find(|entry| entry.filter == filter).unwrap().name;
    let without = outcome(stopped, &[&format!("{name}=off")]);
    assert!(!without.reasons.contains(reason(filter).0), "{name} is switched off");
}

#[test]
fn words_keep_number_degree_article_and_capitals() {
    check("Two men are sitting on a bench.", "Two women are sitting on a bench.");
    check("The best player on the field is a teacher.", "The worst player on the field is a teacher.");
    check("Their new house is cheaper.", "Their new house is more expensive.");
    check("Their new house is more expensive.", "Their new house is cheaper.");
    check("An elderly man is reading a newspaper.", "A young man is reading a newspaper.");
    check("A reliable engine powers the boat.", "An unreliable engine powers the boat.");
    check("Female singers are standing on the stage.", "Male singers are standing on the stage.");
}

#[test]
fn blanks_and_marks_stay() {
    check_with("The  coffee was hot , he said .", &["writing=any"], "The  coffee was cold , he said .");
}

#[test]
fn verbs_and_adverbs_are_changed_where_asked() {
    check_with("The boy pushed the cart.", &["parts=verb"], "The boy pulled the cart.");
    check_with("The children are playing outside.", &["parts=adverb"], "The children are playing inside.");
    assert!(outcome("The boy sat on a bench.", &["parts=adjective"]).made.is_empty());
}

#[test]
fn edge_cases_of_nouns_and_adjectives() {
    check_left_alone("Dinard does not have a public swimming pool.", Filter::Negation);
    check("It is not possible for net foreign investment to improve.", "It is not impossible for net foreign investment to improve.");
    assert!(outcome("My oldest child is five years old.", &[]).made.is_empty());
    assert!(outcome("He was adored by the poor in Paris.", &[]).made.is_empty());
    assert!(outcome("The white house is fully tapped.", &[]).made.is_empty());
    assert!(outcome("The performance was a good deal.", &[]).made.is_empty());
    assert!(outcome("The board set the program's long term goals.", &[]).made.is_empty());
    assert!(outcome("It is the first time he's added such a track.", &[]).made.is_empty());
    assert!(outcome("The line goes from right to left.", &[]).made.is_empty());
    check(
        "A small brown dog is being chased by a black dog with a ball in his mouth.",
        "A large brown dog is being chased by a black dog with a ball in his mouth.",
    );
}

#[test]
fn what_fits_only_one_of_the_two_words_is_left_alone() {
    check_left_alone("A teacher is standing behind a blond headed writer.", Filter::Phrases);
    check_left_alone("A blond haired teacher is looking at the mailman.", Filter::Phrases);
    check_left_alone("It is sad that the dog got hurt.", Filter::Phrases);
    check_left_alone("The guard was armed with two pistols.", Filter::Phrases);
    check_left_alone("The crowd was excited about the trip.", Filter::Phrases);
    check("The crowd was excited.", "The crowd was bored.");
    check("A blond teacher is looking at the mailman.", "A dark-haired teacher is looking at the mailman.");
}

#[test]
fn each_filter_stops_what_it_is_for_and_no_more() {
    let house = ("The new house is expensive.", "The new house is cheap.");
    check_filter(Filter::Names, "The Old Bridge is in Mostar.", ("The old bridge is in the town.", "The new bridge is in the town."));
    check_filter(Filter::Questions, "Is the house expensive?", house);
    check_filter(Filter::Questions, "He knew how expensive it was.", house);
    check_filter(
        Filter::Subject,
        "We are talking, please be polite.",
        ("We are talking, and he was polite.", "We are talking, and he was rude."),
    );
    check_filter(Filter::Length, "Very expensive.", house);
    check_filter(Filter::Spoken, "um the house is expensive", house);
    check_filter(Filter::Negation, "The house is not expensive.", ("He said that it was possible.", "He said that it was impossible."));
    check_filter(
        Filter::Negation,
        "Nobody lives in the large house.",
        ("The house is large, but there is no garden.", "The house is small, but there is no garden."),
    );
    check_filter(Filter::Modals, "The house might be expensive.", house);
    check_filter(Filter::Attitudes, "He wanted the new house.", ("He bought the new house.", "He bought the old house."));
    check_filter(Filter::Conditionals, "If it rains, the ground is wet.", ("The ground is wet.", "The ground is dry."));
    check_filter(
        Filter::Disjunction,
        "The house is expensive or ugly.",
        ("The house is expensive and pretty.", "The house is cheap and pretty."),
    );
    check_filter(
        Filter::Comparisons,
        "The house is as expensive as a castle.",
        ("The house is bigger than the barn.", "The house is smaller than the barn."),
    );
    check_filter(
        Filter::Examples,
        "The sights include a large church.",
        ("The guide showed us a large church.", "The guide showed us a small church."),
    );
    check_filter(Filter::Focus, "He also owns an expensive farm.", ("He owns an expensive farm.", "He owns a cheap farm."));
    check_filter(Filter::Time, "The water is sometimes cold.", ("The water is cold.", "The water is hot."));
    check_filter(
        Filter::Others,
        "A man is sitting next to another man.",
        ("A man is sitting next to a tree.", "A woman is sitting next to a tree."),
    );
    check_filter(Filter::Phrases, "The firm made a good living.", ("The firm made a good cake.", "The firm made a bad cake."));
    check_filter(Filter::Compounds, "It was a so-called \"safe\" house.", ("It was a safe street.", "It was a dangerous street."));
    check_filter(
        Filter::Present,
        "A man and a woman are sitting on a bench.",
        ("A man is sitting on a bench.", "A woman is sitting on a bench."),
    );
    check_filter(Filter::Repeated, "A man is looking at a man on a horse.", ("A man is looking at a dog.", "A woman is looking at a dog."));
    check_filter(Filter::Kinship, "His brother left the village.", ("The king left the village.", "The queen left the village."));
    check_filter(
        Filter::Purpose,
        "The gardener came to sell the expensive house.",
        ("The gardener saw that the grass was dry.", "The gardener saw that the grass was wet."),
    );
    check_filter(Filter::Existential, "There is a large park in the town.", ("The town has a large park.", "The town has a small park."));
    check_filter(Filter::Subject, "Visit the old church.", ("A young man sitting on a bench.", "An old man sitting on a bench."));
    check_filter(Filter::Generic, "Old houses burn quickly.", ("The old house burned quickly.", "The new house burned quickly."));
    check_filter(
        Filter::Quantifiers,
        "Some of the offices are very unhelpful.",
        ("The office is very unhelpful.", "The office is very helpful."),
    );
    check_filter(Filter::Conditions, "He showed a deep interest.", ("He fell into a deep hole.", "He fell into a shallow hole."));
    check_filter(Filter::Senses, "The ground is totally flat.", ("The ground is totally dry.", "The ground is totally wet."));
    check_filter(
        Filter::Complement,
        "The town is famous for its wines.",
        ("The town is unhappy with its wines.", "The town is happy with its wines."),
    );
    check_filter(
        Filter::Complement,
        "The new law was an improvement over the old one.",
        ("The new law was an improvement.", "The new law was a deterioration."),
    );
    check_filter(Filter::Postposed, "The amount of work necessary is one hour.", ("The work was necessary.", "The work was unnecessary."));
    check_filter(Filter::Compounds, "It is a world famous museum.", ("It is a famous museum.", "It is an unknown museum."));
    check_filter(Filter::Compounds, "The wall was six feet tall.", ("The woman was tall.", "The woman was short."));
    check_filter(Filter::Gender, "A man is washing his hands.", ("A man is washing the dishes.", "A woman is washing the dishes."));
}

#[test]
fn contexts_in_which_a_pair_does_not_contradict_are_left_alone() {
    for text in [
        // Somebody can be both.
        "Two teachers are following a lecture.",
        "A doctor is studying at a desk.",
        "The creditor left the meeting.",
        // The one takes a clause, the other does not; `I'm afraid` is an apology.
        "I'm sure their spouses have read the book.",
        "I'm afraid we shan't require his services.",
        "He was certain that the train had left.",
        // A word of degree.
        "It is awful hard.",
        // Elsewhere it may be the same.
        "The area on the southern coast here is grassy.",
        "The women of Martinique are legendary.",
        "Working parents left teens unsupervised during the afternoons.",
        "The clerk listed the improvements made to the operations.",
    ] {
        let outcome = outcome(text, &[]);
        assert!(outcome.made.is_empty(), "{text}: {:?}", outcome.made);
    }
    check("I am sure of it.", "I am unsure of it.");
    check("The child was afraid of the dog.", "The child was unafraid of the dog.");
    check("The meal was awful.", "The meal was wonderful.");
    check("They landed on the southern coast.", "They landed on the northern coast.");
    check("The women of the village walked home.", "The men of the village walked home.");
}

#[test]
fn sentences_with_errors_are_not_used_unless_asked_for() {
    for text in ["An older ladies sits in the hot sun.", "the soup was hot.", "The soup was verry hot.", "The soup was hot (and good."] {
        let left = outcome(text, &[]);
        assert!(left.made.is_empty() && left.reasons.contains(crate::writing::SLIP.0), "{text}: {:?}, {:?}", left.made, left.reasons);
        assert!(!outcome(text, &["writing=any"]).made.is_empty(), "{text}");
    }
}

#[test]
fn pronouns_can_change_with_the_noun() {
    check_with("A man is washing his hands.", &["pronouns=swap"], "A woman is washing her hands.");
    check_with("The woman said that she hurt herself.", &["pronouns=swap"], "The man said that he hurt himself.");
    let two = outcome("A man is talking to a teacher about his car.", &["pronouns=swap"]);
    assert!(two.reasons.contains(reason(Filter::Gender).0), "{:?}", two.made);
}

#[test]
fn without_the_list_wordnet_gives_antonyms_but_blocked_ones_never() {
    let all = outcome("The company paid the worker.", &["pair=off"]);
    assert!(all.made.iter().all(|(change, _)| change != "worker>nonworker"), "{:?}", all.made);
    check_with("The meal was alcoholic.", &["pair=off"], "The meal was nonalcoholic.");
}

#[test]
fn the_noun_decides_between_antonyms() {
    check("An old man is walking a dog.", "A young man is walking a dog.");
    check("A man in an old car is waving.", "A man in a new car is waving.");
}

#[test]
fn both_directions_give_two_pairs_and_drawn_ones_differ() {
    let text =
        ["The soup was hot.", "The tea was hot.", "The road was dry.", "The sea was calm.", "The bridge was old.", "The shop was open."];
    let make = |setting: &str, text: &str| {
        let settings = Settings::parse([setting]).unwrap();
        let challenge = Challenge::new(CATALOG.find("antonym").unwrap(), &settings, Mode::Clean, 1, &Resources::default()).unwrap();
        let example = example(text);
        let rows = challenge.rows(&example, &mut Coverage::default()).unwrap();
        rows.iter().map(|row| row.pair.premise.text == text).collect::<Vec<bool>>()
    };
    assert_eq!(make("direction=both", text[0]), [true, false]);
    assert_eq!(make("direction=backward", text[0]), [false]);
    let drawn: BTreeSet<bool> = text.iter().flat_map(|text| make("direction=drawn", text)).collect();
    assert_eq!(drawn.len(), 2);
}

#[test]
fn unknown_filters_word_classes_and_shares_are_refused() {
    let error = |setting: &str| {
        let settings = Settings::parse([setting]).unwrap();
        Challenge::new(CATALOG.find("antonym").unwrap(), &settings, Mode::Clean, 1, &Resources::default()).err().unwrap().to_string()
    };
    assert!(error("negations=off").contains("has no setting `negations`; did you mean `negation`?"), "{}", error("negations=off"));
    assert_eq!(error("negation=no"), "setting of `antonym`: negation: invalid value \"no\": expected on or off");
    assert!(error("parts=nouns").contains("unknown word class `nouns`; did you mean `noun`?"), "{}", error("parts=nouns"));
    assert!(error("parts=").contains("not a word class"));
    assert!(error("most_per_pair=0").contains("expected a share above 0"));
    assert!(error("direction=sideways").contains("unknown variant `sideways`"));
}

#[test]
fn a_pair_is_tagged_and_counted_in_training_data() {
    let mut counts = TrainingCounts::default();
    let pair = Pair::plain("The soup is hot.", "The soup is cold.");
    counts.add(&Example { pair, gold: Some(Label::Contradiction.into()), ..Example::default() });
    let resources = Resources { training: Some(Arc::new(counts)), ..Resources::default() };
    let challenge = Challenge::new(CATALOG.find("antonym").unwrap(), &Settings::default(), Mode::Clean, 1, &resources).unwrap();
    let example = example("The tea is hot.");
    let rows = challenge.rows(&example, &mut Coverage::default()).unwrap();
    let tags = [tag::ANTONYM, tag::ANTONYM_PAIR, tag::ANTONYM_TYPE, tag::WORD_CLASS, tag::TRAINING_COUNT];
    assert_eq!(tags.map(|name| rows[0].tags.get(name).unwrap()), ["hot>cold", "cold-hot", "gradable", "adjective", "1"]);
    assert_eq!(rows[0].gold, Some(Label::Contradiction.into()));
}

#[test]
fn the_corpus_and_our_parse_must_agree_on_the_word_class() {
    let text = "The hot soup steamed.";
    let parsed = |parse: &'static str| {
        let premise = NliSentence { text: text.into(), parse: Some(parse.into()), binary_parse: None };
        let pair = Pair { id: "1".into(), premise, hypothesis: NliSentence::plain("Nobody knows.") };
        let (challenge, example) = (challenge(&[], Mode::Clean), Example { pair, ..Example::default() });
        challenge.rows(&example, &mut Coverage::default()).unwrap().len()
    };
    assert_eq!(parsed("(ROOT (S (NP (DT The) (JJ hot) (NN soup)) (VP (VBD steamed)) (. .)))"), 1);
    assert_eq!(parsed("(ROOT (S (NP (DT The) (RB hot) (NN soup)) (VP (VBD steamed)) (. .)))"), 0);
}

#[test]
fn as_published_takes_every_noun_sense_with_an_antonym_and_the_first_substring() {
    let (challenge, example) = (
        challenge(&[], Mode::AsPublished),
        Example { pair: Pair::plain("the man saw a woman", "a woman sat with the man"), ..Example::default() },
    );
    let rows = challenge.rows(&example, &mut Coverage::default()).unwrap();
    let texts: Vec<(&str, &str)> = rows.iter().map(|row| (&*row.pair.premise.text, &*row.pair.hypothesis.text)).collect();
    // Of the premise the changed sentence is the hypothesis, of the hypothesis it is the premise; `man` is found inside `woman` too, but stands before it.
    assert!(texts.contains(&("the man saw a woman", "the woman saw a woman")), "{texts:?}");
    assert!(texts.contains(&("a man sat with the man", "a woman sat with the man")), "{texts:?}");
    assert!(texts.contains(&("the man saw a woman", "the man saw a man")), "{texts:?}");
    assert!(SetSelection::of(&challenge).is_some());
}
