//! Tests of the parses.

use super::*;
use acidtest_lingua::Tree;

#[test]
fn text_and_both_parses_agree_in_every_shape() {
    for mode in [Mode::Clean, Mode::AsPublished] {
        let set = set(mode);
        for row in one_of_each_shape(&set) {
            for side in [Side::Premise, Side::Hypothesis] {
                let parse = row.parse(side);
                let tree = Tree::read(&parse).unwrap();
                assert_eq!(tree.to_string(), parse);
                assert_eq!(tree.binarised().to_string(), row.binary_parse(side), "{parse}");
                let words: Vec<&str> = tree.leaves().map(|leaf| leaf.word).collect();
                // The repeated article of temp15 is only in the text.
                assert_eq!(words.join(" "), row.text(side).replace("the the", "the"));
                if mode == Mode::Clean {
                    assert_eq!(words.join(" "), row.text(side));
                    let plural = |word: &str| word.ends_with('s') && word != "class";
                    assert!(
                        tree.leaves().filter(|leaf| leaf.tag.starts_with("NN")).all(|leaf| plural(leaf.word) == (leaf.tag == "NNS")),
                        "{parse}"
                    );
                }
            }
        }
    }
}

/// Checks the parses of a pair of the released set that the grammar must generate.
#[track_caller]
fn check(mode: Mode, premise: &str, hypothesis: &str, expected: [&str; 4]) {
    let set = set(mode);
    let readings = Identifier::new([&set]).readings(premise, hypothesis);
    let row = readings.first().expect("the grammar makes the pair").row;
    let found =
        [row.parse(Side::Premise), row.parse(Side::Hypothesis), row.binary_parse(Side::Premise), row.binary_parse(Side::Hypothesis)];
    assert_eq!(found, expected);
    assert_eq!(texts(&row), (premise.to_string(), hypothesis.to_string()));
}

#[test]
fn a_simple_sentence() {
    check(
        Mode::AsPublished,
        "The doctor saw the judges .",
        "The judges saw the doctor .",
        [
            "(ROOT (S (NP (DT The) (NN doctor)) (VP (VBD saw) (NP (DT the) (NNS judges))) (. .)))",
            "(ROOT (S (NP (DT The) (NNS judges)) (VP (VBD saw) (NP (DT the) (NN doctor))) (. .)))",
            "( ( The doctor ) ( ( saw ( the judges ) ) . ) )",
            "( ( The judges ) ( ( saw ( the doctor ) ) . ) )",
        ],
    );
}

#[test]
fn prepositions_of_several_words() {
    check(
        Mode::AsPublished,
        "The doctor in front of the judge ran .",
        "The judge ran .",
        [
            "(ROOT (S (NP (NP (DT The) (NN doctor)) (PP (IN in) (NP (NP (NN front)) (PP (IN of) (NP (NP (DT the) (NN judge))))))) (VP (VBD ran)) (. .)))",
            "(ROOT (S (NP (DT The) (NN judge)) (VP (VBD ran)) (. .)))",
            "( ( ( The doctor ) ( in ( front ( of ( the judge ) ) ) ) ) ( ran . ) )",
            "( ( The judge ) ( ran . ) )",
        ],
    );
    check(
        Mode::AsPublished,
        "The authors called the judge next to the doctors .",
        "The authors called the judge .",
        [
            "(ROOT (S (NP (DT The) (NNS authors)) (VP (VBD called) (NP (NP (DT the) (NN judge)) (ADVP (JJ next) (PP (TO to) (NP (DT the) (NNS doctors)))))) (. .)))",
            "(ROOT (S (NP (DT The) (NNS authors)) (VP (VBD called) (NP (DT the) (NN judge))) (. .)))",
            "( ( The authors ) ( ( called ( ( the judge ) ( next ( to ( the doctors ) ) ) ) ) . ) )",
            "( ( The authors ) ( ( called ( the judge ) ) . ) )",
        ],
    );
}

#[test]
fn relative_clauses_of_either_gap() {
    check(
        Mode::AsPublished,
        "The athlete who the judges admired called the manager .",
        "The judges admired the athlete .",
        [
            "(ROOT (S (NP (NP (DT The) (NN athlete)) (SBAR (WHNP (WP who)) (S (NP (DT the) (NNS judges)) (VP (VBD admired))))) (VP (VBD called) (NP (DT the) (NN manager))) (. .)))",
            "(ROOT (S (NP (DT The) (NNS judges)) (VP (VBD admired) (NP (DT the) (NN athlete))) (. .)))",
            "( ( ( The athlete ) ( who ( ( the judges ) admired ) ) ) ( ( called ( the manager ) ) . ) )",
            "( ( The judges ) ( ( admired ( the athlete ) ) . ) )",
        ],
    );
    check(
        Mode::AsPublished,
        "The artists avoided the senators that thanked the tourists .",
        "The artists avoided the senators .",
        [
            "(ROOT (S (NP (DT The) (NNS artists)) (VP (VBD avoided) (NP (NP (DT the) (NNS senators)) (SBAR (WHNP (WDT that)) (S (VP (VBD thanked) (NP (DT the) (NNS tourists))))))) (. .)))",
            "(ROOT (S (NP (DT The) (NNS artists)) (VP (VBD avoided) (NP (DT the) (NNS senators))) (. .)))",
            "( ( The artists ) ( ( avoided ( ( the senators ) ( that ( thanked ( the tourists ) ) ) ) ) . ) )",
            "( ( The artists ) ( ( avoided ( the senators ) ) . ) )",
        ],
    );
}

#[test]
fn passives_and_reduced_relatives() {
    check(
        Mode::AsPublished,
        "The senators were helped by the manager .",
        "The senators helped the manager .",
        [
            "(ROOT (S (NP (DT The) (NNS senators)) (VP (VBD were) (VP (VBN helped) (PP (IN by) (NP (DT the) (NN manager))))) (. .)))",
            "(ROOT (S (NP (DT The) (NNS senators)) (VP (VBD helped) (NP (DT the) (NN manager))) (. .)))",
            "( ( The senators ) ( ( were ( helped ( by ( the manager ) ) ) ) . ) )",
            "( ( The senators ) ( ( helped ( the manager ) ) . ) )",
        ],
    );
    check(
        Mode::AsPublished,
        "The senators paid in the office danced .",
        "The senators paid in the office .",
        [
            "(ROOT (S (NP (NP (DT The) (NNS senators)) (VP (VBN paid) (PP (IN in) (NP (DT the) (NN office))))) (VP (VBD danced)) (. .)))",
            "(ROOT (S (NP (DT The) (NNS senators)) (VP (VBD paid) (PP (IN in) (NP (DT the) (NN office)))) (. .)))",
            "( ( ( The senators ) ( paid ( in ( the office ) ) ) ) ( danced . ) )",
            "( ( The senators ) ( ( paid ( in ( the office ) ) ) . ) )",
        ],
    );
}

#[test]
fn clauses_in_clauses() {
    check(
        Mode::AsPublished,
        "Whether or not the senators ran , the judge slept .",
        "The senators ran .",
        [
            "(ROOT (S (SBAR (IN Whether) (CC or) (RB not) (S (NP (DT the) (NNS senators)) (VP (VBD ran)))) (, ,) (S (NP (DT the) (NN judge)) (VP (VBD slept))) (. .)))",
            "(ROOT (S (NP (DT The) (NNS senators)) (VP (VBD ran)) (. .)))",
            "( ( Whether ( or ( not ( ( the senators ) ran ) ) ) ) ( , ( ( ( the judge ) slept ) . ) ) )",
            "( ( The senators ) ( ran . ) )",
        ],
    );
    check(
        Mode::AsPublished,
        "In case the senators ran , the judge slept .",
        "The judge slept .",
        [
            "(ROOT (S (SBAR (PP (IN In) (NP (NN case))) (S (NP (DT the) (NNS senators)) (VP (VBD ran)))) (, ,) (S (NP (DT the) (NN judge)) (VP (VBD slept))) (. .)))",
            "(ROOT (S (NP (DT The) (NN judge)) (VP (VBD slept)) (. .)))",
            "( ( ( In case ) ( ( the senators ) ran ) ) ( , ( ( ( the judge ) slept ) . ) ) )",
            "( ( The judge ) ( slept . ) )",
        ],
    );
    check(
        Mode::AsPublished,
        "Before the actors presented the doctors arrived .",
        "The actors presented the doctors .",
        [
            "(ROOT (S (SBAR (IN Before) (S (NP (DT the) (NNS actors)) (VP (VBD presented)))) (NP (DT the) (NNS doctors)) (VP (VBD arrived)) (. .)))",
            "(ROOT (S (NP (DT The) (NNS actors)) (VP (VBD presented) (NP (DT the) (NNS doctors))) (. .)))",
            "( ( Before ( ( the actors ) presented ) ) ( ( the doctors ) ( arrived . ) ) )",
            "( ( The actors ) ( ( presented ( the doctors ) ) . ) )",
        ],
    );
    check(
        Mode::AsPublished,
        "The managers heard the secretary resigned .",
        "The managers heard the secretary .",
        [
            "(ROOT (S (NP (DT The) (NNS managers)) (VP (VBD heard) (SBAR (S (NP (DT the) (NN secretary)) (VP (VBD resigned))))) (. .)))",
            "(ROOT (S (NP (DT The) (NNS managers)) (VP (VBD heard) (NP (DT the) (NN secretary))) (. .)))",
            "( ( The managers ) ( ( heard ( ( the secretary ) resigned ) ) . ) )",
            "( ( The managers ) ( ( heard ( the secretary ) ) . ) )",
        ],
    );
    check(
        Mode::AsPublished,
        "Without a doubt the artist slept .",
        "The artist slept .",
        [
            "(ROOT (S (PP (IN Without) (NP (DT a) (NN doubt))) (S (NP (DT the) (NN artist)) (VP (VBD slept))) (. .)))",
            "(ROOT (S (NP (DT The) (NN artist)) (VP (VBD slept)) (. .)))",
            "( ( Without ( a doubt ) ) ( ( ( the artist ) slept ) . ) )",
            "( ( The artist ) ( slept . ) )",
        ],
    );
}

#[test]
fn quirks_are_reproduced_as_published_and_corrected_in_clean_mode() {
    let plural_object = |tag: &str| {
        [
            format!("(ROOT (S (NP (JJ Angry) (NNS tourists)) (VP (VBD helped) (NP (DT the) ({tag} lawyers))) (. .)))"),
            format!("(ROOT (S (NP (NNS Tourists)) (VP (VBD helped) (NP (DT the) ({tag} lawyers))) (. .)))"),
            "( ( Angry tourists ) ( ( helped ( the lawyers ) ) . ) )".to_string(),
            "( Tourists ( ( helped ( the lawyers ) ) . ) )".to_string(),
        ]
    };
    for (mode, tag) in [(Mode::AsPublished, "NN"), (Mode::Clean, "NNS")] {
        let expected = plural_object(tag);
        check(mode, "Angry tourists helped the lawyers .", "Tourists helped the lawyers .", [0, 1, 2, 3].map(|n| expected[n].as_str()));
    }
    for (mode, leaves) in [(Mode::AsPublished, "(NN ice cream)"), (Mode::Clean, "(NN ice) (NN cream)")] {
        let parse = format!("(ROOT (S (NP (DT The) (NN author)) (VP (VBD ate) (NP (DT the) {leaves})) (. .)))");
        let expected = [
            parse.as_str(),
            "(ROOT (S (NP (DT The) (NN author)) (VP (VBD ate)) (. .)))",
            "( ( The author ) ( ( ate ( the ( ice cream ) ) ) . ) )",
            "( ( The author ) ( ate . ) )",
        ];
        check(mode, "The author ate the ice cream .", "The author ate .", expected);
    }
    let premise = "The actor saw the doctor who helped the judge .";
    for (mode, hypothesis) in [(Mode::AsPublished, "The doctor saw the the judge ."), (Mode::Clean, "The doctor saw the judge .")] {
        let expected = [
            "(ROOT (S (NP (DT The) (NN actor)) (VP (VBD saw) (NP (NP (DT the) (NN doctor)) (SBAR (WHNP (WP who)) (S (VP (VBD helped) (NP (DT the) (NN judge))))))) (. .)))",
            "(ROOT (S (NP (DT The) (NN doctor)) (VP (VBD saw) (NP (DT the) (NN judge))) (. .)))",
            "( ( The actor ) ( ( saw ( ( the doctor ) ( who ( helped ( the judge ) ) ) ) ) . ) )",
            "( ( The doctor ) ( ( saw ( the judge ) ) . ) )",
        ];
        check(mode, premise, hypothesis, expected);
    }
    let draws = |mode| set(mode).classes.iter().map(|class| class.draws.len() - class.entries.len()).sum::<usize>();
    assert_eq!((draws(Mode::AsPublished), draws(Mode::Clean)), (1, 0), "town is drawn twice as often");
    assert_eq!(Grammar::built_in().quirks().len(), 4);
}
