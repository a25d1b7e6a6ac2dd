//! Compares the grammar with the released evaluation set.

use super::*;
use crate::hans::pattern::may_coincide;
use std::io::Read;
use std::path::PathBuf;

/// The rows of the released set as columns, if the data is available.
fn released() -> Option<Vec<Vec<String>>> {
    let folder = std::env::var_os("ACIDTEST_DATA")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")), PathBuf::from);
    let path = folder.join("hans/heuristics_evaluation_set.txt.gz");
    let Ok(file) = std::fs::File::open(&path) else {
        eprintln!("skipped: {} is not there", path.display());
        return None;
    };
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
    Some(text.lines().skip(1).map(|line| line.split('\t').map(str::to_string).collect()).collect())
}

#[test]
fn every_released_pair_has_one_reading_in_its_own_subcase() {
    let Some(rows) = released() else { return };
    let set = set(Mode::AsPublished);
    let identifier = Identifier::new([&set]);
    for row in &rows {
        let readings = identifier.readings(&row[1], &row[2]);
        let [reading] = readings.as_slice() else { panic!("{} readings of {row:?}", readings.len()) };
        assert_eq!(reading.words, WordRepetition::Differ, "{row:?}");
        assert_eq!(reading.row.subcase().name, row[5], "{row:?}");
        assert_eq!(reading.row.subcase().heuristic, row[4]);
        assert_eq!(reading.row.gold().name(), row[0]);
        assert_eq!(texts(&reading.row), (row[1].clone(), row[2].clone()));
    }
    assert_eq!(rows.len(), 30_000);
}

#[test]
fn template_frequencies_of_the_released_set_agree_with_the_weights() {
    let Some(released) = released() else { return };
    let set = set(Mode::AsPublished);
    let identifier = Identifier::new([&set]);
    let of_subcase = |row: &Vec<String>| {
        let mut readings = identifier.readings(&row[1], &row[2]).into_iter().map(|reading| reading.row);
        readings.find(|reading| reading.subcase().name == row[5]).unwrap()
    };
    let rows: Vec<HansRow<'_>> = released.iter().map(of_subcase).collect();
    check_shares(&set, &rows);
}

#[test]
fn no_pair_of_hans_has_two_readings() {
    for mode in [Mode::Clean, Mode::AsPublished] {
        let set = set(mode);
        for (n, pattern) in set.patterns.iter().enumerate() {
            let rival = set.patterns[..n].iter().find(|other| may_coincide(other, pattern, &set.shapes, &set.classes));
            assert!(
                rival.is_none(),
                "{:?}",
                [pattern, rival.unwrap()].map(|pattern| &set.templates()[set.shapes[pattern.shape as usize].template].id)
            );
        }
    }
}

#[test]
fn a_pair_of_two_subcases_has_two_readings() {
    let lines = "class nouns NN\n  doctor judge\n\
                 subcase one: h, entailment\ntemplate t1 weight 1\n  premise (S (* $a:nouns) (. .))\n  hypothesis (S (* $a) (. .))\n\
                 subcase two: h, neutral\ntemplate t2 weight 1\n  premise (S (NN $b:nouns) (. .))\n  hypothesis (S (NN $b) (. .))\n";
    let set = Grammar::read(lines, "two").unwrap().set_up(Mode::Clean).unwrap();
    let readings = Identifier::new([&set]).readings("Judge .", "Judge .");
    assert_eq!(readings.iter().map(|reading| reading.row.subcase().name.as_str()).collect::<Vec<_>>(), ["one", "two"]);
}

#[test]
fn attached_punctuation_is_accepted_and_unknown_words_have_no_reading() {
    let set = set(Mode::AsPublished);
    let identifier = Identifier::new([&set]);
    let subcases = |premise, hypothesis| {
        identifier.readings(premise, hypothesis).iter().map(|reading| reading.row.subcase().name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(subcases("If the artist slept, the actor ran.", "The artist slept."), ["cn_embedded_under_if"]);
    assert_eq!(subcases("If the artist slept, the actor ran.", "The artist ran."), Vec::<String>::new());
    assert_eq!(subcases("A zebra ran.", ""), Vec::<String>::new());
    assert_eq!(subcases("", ""), Vec::<String>::new());
    let readings = identifier.readings("The doctor saw the doctor .", "The doctor saw the doctor .");
    assert_eq!(readings[0].words, WordRepetition::Repeat);
}

#[test]
fn a_reading_names_its_slots() {
    let set = set(Mode::AsPublished);
    let readings = Identifier::new([&set]).readings("The senator near the lawyer danced .", "The lawyer danced .");
    let slots: Vec<(&str, String)> = readings[0].row.slots().collect();
    let expected = [("a.noun", "senator"), ("pp.preposition", "near"), ("pp.of.noun", "lawyer"), ("vp.verb", "danced")];
    assert_eq!(slots, expected.map(|(name, word)| (name, word.to_string())));
}

#[test]
fn clean_pairs_are_found_when_the_published_set_has_no_reading() {
    let (published, clean) = (set(Mode::AsPublished), set(Mode::Clean));
    let identifier = Identifier::new([&published, &clean]);
    let premise = "The actor saw the doctor who helped the judge .";
    for hypothesis in ["The doctor saw the the judge .", "The doctor saw the judge ."] {
        assert_eq!(identifier.readings(premise, hypothesis)[0].row.template().id, "temp15", "{hypothesis}");
    }
}
