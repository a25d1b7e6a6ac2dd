//! What becomes of single sentences.

use super::NUMERIC;
use super::rules::{RULES, Rule};
use crate::{Challenge, Coverage, Mode, Resources};
use acidtest_lingua::Tree;
use acidtest_lingua::edit::{TextChange, undo};
use acidtest_nli::{Change, Example, Label, Pair, Sentence, Settings, Side, tag};
use std::collections::BTreeSet;

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
    RULES.iter().filter(|rule| !on(rule)).fold(any().with("writing", "any"), |settings, rule| settings.with(rule.name, "off"))
}

#[test]
fn sentences_with_errors_are_not_used_unless_asked_for() {
    let text = "Tom has 8 red ties an a hat.";
    let (pairs, coverage) = made(text, &any(), 1);
    assert!(pairs.is_empty() && coverage.not_applicable.contains_key(crate::writing::SLIP.0), "{coverage:?}");
    assert_eq!(made(text, &any().with("writing", "any"), 1).0.len(), 3);
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

#[test]
fn a_number_that_touches_a_comma_is_skipped() {
    skipped("Tom has red ties,10 blue ties.", RULES.iter().find(|rule| rule.name == "hyphen").unwrap().reason);
    let text = "Tom has 8 red ties,10 blue ties and some pink ties.";
    let (pairs, _) = made(text, &only(&[RULES.iter().find(|rule| rule.name == "hyphen").unwrap()]), 1);
    assert!(
        pairs.iter().all(|(_, premise, hypothesis)| premise.contains("ties,10 blue") && hypothesis.contains("ties,10 blue")),
        "{pairs:?}"
    );
}

/// Why nothing is made of a sentence, or of its numbers where each has a reason of its own.
fn reasons(text: &str) -> BTreeSet<&'static str> {
    let (pairs, coverage) = made(text, &any(), 1);
    assert!(pairs.is_empty(), "{text}: {pairs:?}");
    let reasons: BTreeSet<&str> = coverage.not_applicable.keys().chain(coverage.skipped.keys()).copied().collect();
    reasons.into_iter().filter(|reason| *reason != super::NONE_LEFT.0).collect()
}

#[track_caller]
fn skipped(text: &str, reason: &str) {
    let found = reasons(text);
    assert!(found.contains(reason), "{text}: {found:?}");
}

#[test]
fn what_only_looks_like_a_quantity_is_skipped() {
    skipped("Biking at least 10 miles was fun.", "a comparison before the number");
    skipped("Sadat succeeded Nasser in 1970.", "a year");
    let both = reasons("The church was built more than 100 years after the 5th century.");
    assert_eq!(both.into_iter().collect::<Vec<_>>(), ["the number is in a phrase of time, limit or purpose"]);
    let both = made("The church was built more than 100 years after the 5th century.", &any().with("circumstance", "off"), 1).1.skipped;
    assert_eq!(both.into_keys().collect::<Vec<_>>(), ["a comparison before the number", "an ordinal"]);
    skipped("The valley is home to the two religions who revere it.", "a number that is too small or too large");
    skipped("The valley is home to the five religions who revere it.", "a definite number, such as `these two` or `his three`");
    skipped("Jane had a 16-day reign.", "no number");
    skipped("My number is (555) 512-8581.", "a list, a remark in brackets or letters used as names");
    skipped("The share fell from 0.36 to 0.25.", "a number with decimals");
    skipped("The effect is seen in Table 1.", "no number");
    skipped("He attended one of the two public hearings.", "a number that is too small or too large");
    skipped("He attended one of the four public hearings.", "a definite number, such as `these two` or `his three`");
    skipped("A yo-yo costs him every 6 minutes.", "`every`, `each` or `per` before the number");
    skipped("In eight years he is a man.", "a measure after `in`, `by`, `after`, `before` and the like, or one whose end points are given");
    skipped("The sides are in the ratio 5 : 3.", "a total, a share, a ratio or a comparison of numbers");
    skipped("She used 1/4 cup and 3/4 pint.", "a fraction");
    skipped("Some 72,000 people came.", "a quantifier such as `many` or `often`");
    skipped("Ray weighs 10 pounds less than Ann.", "the number is in a phrase of time, limit or purpose");
    skipped(
        "He rents it for 4 days from Thursday to Sunday.",
        "a measure after `in`, `by`, `after`, `before` and the like, or one whose end points are given",
    );
}

#[test]
fn millions_decimals_and_per_cent_are_changed_by_setting() {
    let text = "The agency received $545 million.";
    skipped(text, "a number with a word such as `million`");
    for (label, premise, hypothesis) in made(text, &any().with("scales", "change"), 1).0 {
        for sentence in [premise, hypothesis] {
            assert!(sentence.contains('$') && sentence.ends_with(" million."), "{label:?}: {sentence}");
        }
    }
    skipped("The pen costs $3.50.", "a number with decimals");
    let (pairs, _) = made("The pen costs $7.50.", &any().with("decimals", "change"), 1);
    assert_eq!(pairs.len(), 3);
    assert!(pairs[0].2.contains("than $") && pairs[0].2.contains('.'), "{}", pairs[0].2);
    skipped("He ate 40% of his food.", "a per cent figure");
    assert_eq!(made("The cake contains 40% sugar.", &only(&[]).with("percent", "change"), 1).0.len(), 3);
}

/// Every hypothesis that a sentence gives with many seeds, with its label.
fn hypotheses(text: &str, settings: &Settings) -> BTreeSet<(&'static str, String)> {
    let of_seed = |seed| made(text, settings, seed).0.into_iter();
    let changed = |(label, premise, hypothesis): (Label, String, String)| match label {
        Label::Neutral => {
            assert_eq!(hypothesis, text);
            (label.name(), premise)
        }
        _ => {
            assert_eq!(premise, text);
            (label.name(), hypothesis)
        }
    };
    (0..60).flat_map(of_seed).map(changed).collect()
}

fn without_digits(hypotheses: BTreeSet<(&'static str, String)>) -> BTreeSet<(&'static str, String)> {
    hypotheses.into_iter().map(|(label, text)| (label, text.replace(|letter: char| letter.is_ascii_digit(), ""))).collect()
}

#[track_caller]
fn check_forms(text: &str, settings: &Settings, expected: &[(&'static str, &str)]) {
    let expected: BTreeSet<_> = expected.iter().map(|(label, text)| (*label, text.to_string())).collect();
    assert_eq!(without_digits(hypotheses(text, settings)), expected);
}

#[test]
fn a_bound_does_not_say_how_much_something_definite_is() {
    let stopped = [
        "A car is moving at the speed of 80 miles per hour.",
        "Tom paid the price of $30 per ticket.",
        "Tom surveyed his class of 45 students.",
        "Tom won a prize in each of 9 games.",
        "At the end of 4 days, Tom left.",
        "Tom bought a board that measures 12 inches by 6 inches.",
    ];
    for text in stopped {
        assert_eq!(made(text, &any(), 1).0, [], "{text}");
    }
    for text in
        ["A car is moving at a speed of 80 miles per hour.", "Tom bought a box of 12 apples.", "Tom walked to the school with 9 books."]
    {
        assert_eq!(made(text, &any(), 1).0.len(), 3, "{text}");
    }
}

#[test]
fn the_exact_reading_is_the_papers() {
    check_forms(
        "Tim has 350 pens.",
        &any(),
        &[
            ("contradiction", "Tim has  pens."),
            ("contradiction", "Tim has fewer than  pens."),
            ("contradiction", "Tim has more than  pens."),
            ("entailment", "Tim has fewer than  pens."),
            ("entailment", "Tim has more than  pens."),
            ("neutral", "Tim has fewer than  pens."),
            ("neutral", "Tim has more than  pens."),
        ],
    );
}

#[test]
fn the_strict_reading_holds_under_at_least_too() {
    let strict = any().with("reading", "strict");
    let found = hypotheses("Tim has 350 pens.", &strict);
    let contradictions: Vec<_> = found.iter().filter(|(label, _)| *label == "contradiction").collect();
    assert_eq!(contradictions, [&("contradiction", "Tim has fewer than 350 pens.".to_string())]);
    check_forms(
        "Tim has 350 pens.",
        &strict,
        &[
            ("contradiction", "Tim has fewer than  pens."),
            ("entailment", "Tim has more than  pens."),
            ("neutral", "Tim has more than  pens."),
        ],
    );
    // There is no number below three that leaves a plural and a gap of two.
    assert!(made("Tim has three pens.", &strict, 1).0.is_empty() && made("Tim has three pens.", &any(), 1).0.len() == 3);
}

#[test]
fn labels_follow_from_the_numbers() {
    for text in ["Tim has 350 pens.", "Tim has three pens.", "Tim paid $1,200 for it.", "Twelve boys ran home."] {
        let value = acidtest_lingua::numbers::find_numbers(text)[0].value;
        for (label, changed) in hypotheses(text, &any()) {
            let other = acidtest_lingua::numbers::find_numbers(&changed)[0].value;
            let lower = changed.to_lowercase();
            let (more, less) = (lower.contains("more than"), lower.contains("fewer than") || lower.contains("less than"));
            let holds = match (more, less) {
                (true, _) => value > other,
                (_, true) => value < other,
                _ => value == other,
            };
            assert_eq!(label != "contradiction", holds, "{text} {label} {changed}");
            assert!(other == value || ((other - value).abs() >= 2.0 && (other - value).abs() >= 0.2 * value), "{changed}");
        }
    }
}

#[test]
fn phrases_stand_before_the_currency_and_the_style_is_kept() {
    let paid = hypotheses("Tim paid $1,200 for it.", &any());
    assert!(paid.iter().any(|(_, text)| text.starts_with("Tim paid more than $")), "{paid:?}");
    assert!(
        paid.iter().all(|(_, text)| text.contains('$') && text.contains(',') | text.contains("00 ") && !text.contains("fewer")),
        "{paid:?}"
    );
    let rupees = hypotheses("Tim paid Rs. 500 for it.", &any());
    assert!(rupees.iter().any(|(_, text)| text.starts_with("Tim paid less than Rs. ")), "{rupees:?}");
    let words = hypotheses("Tim has three pens.", &any());
    assert!(words.iter().all(|(_, text)| !text.contains(|letter: char| letter.is_ascii_digit())), "{words:?}");
    let measures = hypotheses("Tim ran 12 miles.", &any());
    assert!(measures.iter().any(|(_, text)| text.contains("less than")) && measures.iter().all(|(_, text)| !text.contains("fewer")));
    let said = hypotheses("The story is 50 pages.", &any());
    assert!(said.iter().all(|(_, text)| !text.contains("fewer")), "{said:?}");
}

#[test]
fn fewer_stands_before_what_is_counted_and_less_before_measures() {
    for text in [
        "His donation was 8 bags of toys.",
        "There are 180 school days in the year.",
        "Joe had 400 data points.",
        "The flock is 170 ducks.",
    ] {
        let said = hypotheses(text, &any());
        assert!(said.iter().any(|(_, text)| text.contains("fewer than")), "{text} {said:?}");
        assert!(said.iter().all(|(_, text)| !text.contains("less than")), "{said:?}");
    }
    for text in ["The poem is 26 lines long.", "The hall has 800 sq ft.", "His pulse is 400 beats per minute.", "Tim drank 12 cups."] {
        let said = hypotheses(text, &any());
        assert!(said.iter().any(|(_, text)| text.contains("less than")), "{text} {said:?}");
        assert!(said.iter().all(|(_, text)| !text.contains("fewer than")), "{said:?}");
    }
}

#[test]
fn capitals_follow_the_first_word() {
    let three = hypotheses("Three boys ran home.", &any());
    assert!(three.contains(&("contradiction", "More than three boys ran home.".to_string())), "{three:?}");
    assert!(three.iter().any(|(_, text)| text.starts_with("Fewer than ")), "{three:?}");
    assert!(three.iter().any(|(label, text)| *label == "contradiction" && text.split(' ').nth(1) == Some("boys")), "{three:?}");
    let digits = hypotheses("12 boys ran home.", &any());
    assert!(digits.contains(&("contradiction", "More than 12 boys ran home.".to_string())), "{digits:?}");
    let quoted = hypotheses("three boys ran home.", &only(&[]));
    assert!(quoted.contains(&("contradiction", "more than three boys ran home.".to_string())), "{quoted:?}");
}

#[test]
fn a_name_is_needed_unless_said_otherwise() {
    let required = Settings::default();
    assert_eq!(made("The girl has 12 pens.", &required, 1).1.not_applicable.into_keys().collect::<Vec<_>>(), [super::NO_NAME.0]);
    assert_eq!(made("Deborah has 12 pens.", &required, 1).0.len(), 3);
}

#[test]
fn trees_change_with_the_text() {
    let parse = "(ROOT (S (NP (NNP Tim)) (VP (VBD paid) (NP (QP ($ $) (CD 1,200)))) (. .)))";
    let binary = "( Tim ( ( paid ( $ 1,200 ) ) . ) )";
    let sentence = Sentence { text: "Tim paid $1,200.".into(), parse: Some(parse.into()), binary_parse: Some(binary.into()) };
    let mut seen = BTreeSet::new();
    for seed in 0..20 {
        let challenge = Challenge::new(&NUMERIC, &any(), Mode::Clean, seed, &Resources::default()).unwrap();
        let example =
            Example { pair: Pair { id: "1".into(), premise: sentence.clone(), hypothesis: Sentence::plain("x") }, ..Example::default() };
        for row in challenge.rows(&example, &mut Coverage::default()).unwrap() {
            for side in [&row.pair.premise, &row.pair.hypothesis] {
                for tree in [&side.parse, &side.binary_parse] {
                    let tree = Tree::read(tree.as_deref().unwrap()).unwrap();
                    let words: String = tree.leaves().map(|leaf| leaf.word).collect();
                    assert_eq!(words, side.text.replace(' ', ""));
                    seen.insert(tree.leaves().count());
                }
            }
        }
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), [5, 7]);
}

#[test]
fn changes_lead_back_to_the_sentence_and_tags_say_what_was_changed() {
    let text = "Tim has cement. Three boys gave Ann $1,200. She left.";
    let challenge = Challenge::new(&NUMERIC, &any(), Mode::Clean, 4, &Resources::default()).unwrap();
    let mut example = Example { pair: Pair::plain(text, ""), ..Example::default() };
    example.tags.set(tag::PASSAGE, "text");
    let rows = challenge.rows(&example, &mut Coverage::default()).unwrap();
    assert_eq!(rows.len(), 3);
    for row in &rows {
        let undone = |side: Side| {
            let changes = row.changes.iter().filter(|change| change.side == side);
            let changes: Vec<TextChange> =
                changes.map(|Change { start, end, before, .. }| TextChange { start: *start, end: *end, before: before.clone() }).collect();
            undo(&row.pair.side(side).text, &changes).unwrap()
        };
        assert_eq!([undone(Side::Premise), undone(Side::Hypothesis)], ["Three boys gave Ann $1,200."; 2].map(str::to_string));
        assert!(matches!(row.tags.get(tag::NUMBER), Some("Three" | "$1,200")));
        assert!(matches!(row.tags.get(tag::NUMBER_PHRASE), Some("more than" | "less than" | "number")));
    }
}

#[test]
fn a_rule_that_is_not_known_is_refused_with_the_nearest() {
    let error = |settings: Settings| Challenge::new(&NUMERIC, &settings, Mode::Clean, 1, &Resources::default()).err().unwrap().to_string();
    let unknown = error(Settings::default().with("modals", "off"));
    assert!(unknown.starts_with("`numeric` has no setting `modals`; did you mean `modal`?"), "{unknown}");
    assert_eq!(error(Settings::default().with("modal", false)), "setting of `numeric`: modal: invalid value false: expected on or off");
    assert!(error(Settings::default().with("smallest", 1)).starts_with("setting of `numeric`: smallest, largest: invalid values 1, 9999"));
}

#[test]
fn the_released_script_takes_any_sentence_with_a_whole_number() {
    let challenge = Challenge::new(&NUMERIC, &any(), Mode::AsPublished, 1, &Resources::default()).unwrap();
    let example = Example { pair: Pair::plain("If it takes 10 men 6 hours ?", "In 1970 ."), ..Example::default() };
    let rows = challenge.rows(&example, &mut Coverage::default()).unwrap();
    assert_eq!(rows.len(), 6);
    assert!(rows[0].pair.hypothesis.text.contains(" than ") && rows[0].pair.premise.text.contains("10 men"));
    assert_eq!((&rows[2].pair.premise.text, &rows[2].pair.hypothesis.text), (&rows[0].pair.hypothesis.text, &rows[0].pair.premise.text));
}

#[test]
fn the_manual_lists_every_setting_and_shows_what_each_rule_stops() {
    let manual = include_str!("../../../../docs/challenges.md");
    for key in super::settings::defaults().as_object().unwrap().keys() {
        assert!(manual.contains(&format!("`{key}`")), "{key}");
    }
    for rule in RULES {
        assert!(manual.contains(&format!("| `{}` |", rule.name)) && manual.contains(&format!("| {} |", rule.stopped)), "{}", rule.name);
    }
}
