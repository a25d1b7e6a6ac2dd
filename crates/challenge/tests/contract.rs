//! What every challenge of the catalog must keep to.

#![allow(clippy::unwrap_used)]

use acidtest_challenge::{CATALOG, Coverage, Entry, Maker, Mode, Settings};
use acidtest_lingua::Tree;
use acidtest_nli::{Example, Label, Pair, Sentence, Side, tag};
use proptest::prelude::*;

fn maker(entry: &Entry, mode: Mode) -> Maker {
    Maker::new(entry, &Settings::default(), mode, 1).unwrap()
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
fn the_example_of_each_entry_is_what_it_makes() {
    for entry in CATALOG {
        let sentence = Sentence { text: entry.example.before.into(), parse: entry.example.parse.map(Into::into), binary_parse: None };
        let other = Sentence::plain("Nobody knows.");
        let before = match entry.example.side {
            Side::Premise => example("1", sentence, other),
            Side::Hypothesis => example("1", other, sentence),
        };
        let maker = maker(entry, Mode::Clean);
        let made = maker.make(&before, &mut Coverage::default());
        assert_eq!(made[0].pair.side(entry.example.side).text, entry.example.after, "{}", entry.name);
    }
}

#[test]
fn rows_carry_their_origin_and_what_changed() {
    for entry in CATALOG {
        let before = example("7", parsed(), parsed());
        let maker = maker(entry, Mode::Clean);
        let mut coverage = Coverage::default();
        for made in maker.make(&before, &mut coverage) {
            assert_eq!(made.pair.id, format!("7/{}", entry.name));
            assert_eq!(made.tags.get(tag::PARENT), Some("7"));
            assert_eq!(made.tags.get(tag::CHALLENGE), Some(entry.name));
            assert_eq!(made.tags.get(tag::SEED), Some("1"));
            let change = &made.changes[0];
            let text: Vec<char> = made.pair.side(change.side).text.chars().collect();
            let mut back: String = text[..change.start].iter().collect();
            back.push_str(&change.before);
            back.extend(&text[change.end..]);
            assert_eq!(back, before.pair.side(change.side).text, "{}: undoing the change gives the old text", entry.name);
        }
        assert_eq!((coverage.read, coverage.applicable), (1, 1), "{}", entry.name);
    }
}

#[test]
fn text_and_trees_tell_the_same_words() {
    for entry in CATALOG {
        let before = example("7", parsed(), parsed());
        let maker = maker(entry, Mode::Clean);
        for made in maker.make(&before, &mut Coverage::default()) {
            let sentence = made.pair.side(made.changes[0].side);
            let parse = Tree::read(sentence.parse.as_deref().unwrap()).unwrap();
            let binary = Tree::read(sentence.binary_parse.as_deref().unwrap()).unwrap();
            let words: String = parse.leaves().map(|leaf| if matches!(leaf.word, "``" | "''") { "\"" } else { leaf.word }).collect();
            assert_eq!(words, sentence.text.replace(' ', ""), "{}", entry.name);
            let of = |tree: &Tree<'_>| tree.leaves().map(|leaf| leaf.word.to_string()).collect::<Vec<_>>();
            assert_eq!(of(&parse), of(&binary), "{}", entry.name);
        }
    }
}

#[test]
fn a_row_gives_the_same_whatever_came_before_it() {
    for entry in CATALOG {
        for mode in [Mode::Clean, Mode::AsPublished] {
            let first = maker(entry, mode);
            let second = maker(entry, mode);
            let row = example("7", parsed(), parsed());
            first.make(&example("8", parsed(), parsed()), &mut Coverage::default());
            let one = first.make(&row, &mut Coverage::default());
            let two = second.make(&row, &mut Coverage::default());
            assert_eq!(one, two, "{}", entry.name);
        }
    }
}

#[test]
fn an_unknown_setting_is_refused_and_named() {
    for entry in CATALOG {
        let settings = Settings::parse(["sied=premise"]).unwrap();
        let error = Maker::new(entry, &settings, Mode::Clean, 1).err().unwrap().to_string();
        assert!(error.contains("unknown field `sied`") && error.contains("`side`"), "{error}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_a_challenge_panic(text in "\\PC{0,30}", parse in prop::option::of("[()A-c .]{0,20}")) {
        for entry in CATALOG {
            for mode in [Mode::Clean, Mode::AsPublished] {
                let sentence = Sentence { text: text.as_str().into(), parse: parse.as_deref().map(Into::into), binary_parse: parse.as_deref().map(Into::into) };
                let row = example("x", sentence.clone(), sentence);
                maker(entry, mode).make(&row, &mut Coverage::default());
            }
        }
    }
}
