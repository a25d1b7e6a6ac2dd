//! Tests of the built-in grammar and its sets.

mod controls;
mod frames;
mod parses;
mod published;
mod written;

use super::*;
use crate::Mode;
use acidtest_nli::Side;
use std::collections::{BTreeMap, HashSet};
use std::convert::Infallible;

fn set(mode: Mode) -> TemplateSet {
    Grammar::built_in().set_up(mode).unwrap()
}

fn texts(row: &HansRow<'_>) -> (String, String) {
    (row.text(Side::Premise), row.text(Side::Hypothesis))
}

fn rows<'s>(set: &'s TemplateSet, settings: GeneratorSettings) -> (Vec<HansRow<'s>>, Generated) {
    let mut rows = Vec::new();
    let Ok(generated) = Generator::new(set, settings).unwrap().run(|row| {
        rows.push(*row);
        Ok::<(), Infallible>(())
    });
    (rows, generated)
}

/// One row of every shape of every template.
fn one_of_each_shape(set: &TemplateSet) -> Vec<HansRow<'_>> {
    let settings = GeneratorSettings { amount: Amount::PerSubcase(300), ..Default::default() };
    let (rows, _) = rows(set, settings);
    let mut seen = HashSet::new();
    let firsts: Vec<HansRow<'_>> = rows.into_iter().filter(|row| seen.insert(row.shape)).collect();
    assert_eq!(firsts.len(), set.shapes.len(), "300 draws find every shape");
    firsts
}

#[test]
fn the_grammar_has_the_published_subcases_templates_and_categories() {
    for mode in [Mode::Clean, Mode::AsPublished] {
        let set = set(mode);
        assert_eq!(set.subcases().len(), 30);
        assert_eq!(set.templates().len(), 60);
        let per_heuristic = |heuristic: &str| {
            let of_heuristic = |place: usize| set.subcases()[place].heuristic == heuristic;
            set.categories().iter().filter(|category| of_heuristic(category.subcase)).count()
        };
        assert_eq!(["lexical_overlap", "subsequence", "constituent"].map(per_heuristic), [33, 34, 47], "114 in all");
        assert!(set.subcases().iter().all(|subcase| subcase.gold.is_entailment() == (subcase.name.as_bytes()[1] == b'e')));
    }
    let entries: usize = Grammar::built_in().subcases.iter().map(|subcase| subcase.templates.len()).sum();
    assert_eq!(entries, 66);
}

#[test]
fn the_number_of_pairs_agrees_with_enumeration() {
    for mode in [Mode::Clean, Mode::AsPublished] {
        let set = set(mode);
        let small: Vec<String> =
            set.subcases().iter().filter(|subcase| subcase.pairs < 100_000).map(|subcase| subcase.name.clone()).collect();
        assert!(small.len() >= 5, "{small:?}");
        let settings = GeneratorSettings { amount: Amount::All, subcases: small, ..Default::default() };
        let (rows, _) = rows(&set, settings);
        let mut by_template: BTreeMap<&str, u128> = BTreeMap::new();
        let mut by_category: BTreeMap<&str, u128> = BTreeMap::new();
        for row in &rows {
            *by_template.entry(&row.template().id).or_default() += 1;
            *by_category.entry(&row.category().name).or_default() += 1;
        }
        for template in set.templates().iter().filter(|template| by_template.contains_key(template.id.as_str())) {
            assert_eq!(by_template[template.id.as_str()], template.pairs, "{}", template.id);
        }
        for category in set.categories().iter().filter(|category| by_category.contains_key(category.name.as_str())) {
            assert_eq!(by_category[category.name.as_str()], category.pairs, "{}", category.name);
        }
        let different: HashSet<_> = rows.iter().map(|row| (row.subcase().name.as_str(), texts(row))).collect();
        assert_eq!(different.len(), rows.len());
    }
}

#[test]
fn subject_object_swap_has_the_expected_number_of_pairs() {
    assert_eq!(set(Mode::Clean).templates()[0].pairs, 32 * 30 * 16);
}

#[test]
fn template_shares_follow_the_weights() {
    let set = set(Mode::AsPublished);
    let (rows, generated) = rows(&set, GeneratorSettings { seed: 5, ..Default::default() });
    assert_eq!(rows.len(), 30_000);
    assert!((0.16..0.19).contains(&generated.rejection_rate()), "{}", generated.rejection_rate());
    check_shares(&set, &rows);
}

/// Compares the template frequencies in 30 times 1,000 rows with the weights, by a chi-square test.
#[track_caller]
fn check_shares(set: &TemplateSet, rows: &[HansRow<'_>]) {
    let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
    rows.iter().for_each(|row| *counts.entry(&row.template().id).or_default() += 1.0);
    let expected = |template: &Template| 1000.0 * template.share;
    let parts = set.templates().iter().map(|template| (counts[template.id.as_str()] - expected(template)).powi(2) / expected(template));
    let statistic: f64 = parts.sum();
    // 60 templates in 30 subcases have 30 degrees of freedom, of which 59.7 is the 0.1 % point.
    assert_eq!((set.templates().len(), set.subcases().len()), (60, 30));
    assert!(statistic < 59.7, "{statistic}");
}

#[test]
fn no_premise_repeats_a_word() {
    let (set, singular) = (set(Mode::AsPublished), |word: &str| {
        word.strip_suffix("ies").map_or(word.trim_end_matches('s').to_string(), |stem| format!("{stem}y"))
    });
    let (rows, _) = rows(&set, GeneratorSettings { amount: Amount::PerSubcase(200), ..Default::default() });
    for row in rows {
        let premise = row.text(Side::Premise);
        let words: Vec<String> = premise.split(' ').filter(|word| *word != "the").map(singular).collect();
        assert_eq!(words.iter().collect::<HashSet<_>>().len(), words.len(), "{premise}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_in_any_order_of_parts() {
    let set = set(Mode::AsPublished);
    let make = |order: fn(usize) -> Vec<usize>, seed| {
        let settings = GeneratorSettings { amount: Amount::PerSubcase(100), seed, ..Default::default() };
        let generator = Generator::new(&set, settings).unwrap();
        let mut parts = vec![Vec::new(); generator.parts()];
        for part in order(generator.parts()) {
            let Ok(_) = generator.run_part(part, |row| {
                row.write_hans_text(&mut parts[part]);
                Ok::<(), std::convert::Infallible>(())
            });
        }
        parts.concat()
    };
    let forwards = |parts: usize| (0..parts).collect();
    assert_eq!(make(forwards, 3), make(|parts| (0..parts).rev().collect(), 3));
    assert_ne!(make(forwards, 3), make(forwards, 4));
    let text = String::from_utf8(make(forwards, 3)).unwrap();
    let ids: Vec<&str> = text.lines().map(|line| line.split('\t').nth(7).unwrap()).collect();
    assert_eq!(ids, (0..3000).map(|n| format!("ex{n}")).collect::<Vec<_>>());
}

#[test]
fn excluded_pairs_are_not_generated() {
    let set = set(Mode::AsPublished);
    let (first, _) = rows(&set, GeneratorSettings::default());
    let exclude: Vec<_> = first.iter().map(texts).collect();
    // With the same seed, the same pairs are drawn first and must all be rejected.
    let (second, generated) = rows(&set, GeneratorSettings { exclude: exclude.clone(), ..Default::default() });
    assert_eq!(second.len(), 30_000);
    assert!(generated.rejected.excluded >= 30_000);
    let first: HashSet<_> = exclude.into_iter().collect();
    assert!(second.iter().all(|row| !first.contains(&texts(row))));
}

#[test]
fn subcases_can_be_chosen_and_withheld() {
    let set = set(Mode::Clean);
    let name = |name: &str| vec![name.to_string()];
    let made = |settings| rows(&set, GeneratorSettings { amount: Amount::PerSubcase(3), ..settings }).0;
    let chosen = made(GeneratorSettings { subcases: name("ce_adverb"), ..Default::default() });
    assert!(chosen.len() == 3 && chosen.iter().all(|row| row.subcase().name == "ce_adverb"));
    let rest = made(GeneratorSettings { withhold: name("ce_adverb"), ..Default::default() });
    assert!(rest.len() == 87 && rest.iter().all(|row| row.subcase().name != "ce_adverb"));
    // A subcase has the same pairs alone and together with others.
    let all = made(GeneratorSettings::default());
    assert_eq!(all[87..].iter().map(texts).collect::<Vec<_>>(), chosen.iter().map(texts).collect::<Vec<_>>());
}

#[test]
fn every_category_can_be_sampled() {
    let set = set(Mode::AsPublished);
    let (rows, _) = rows(&set, GeneratorSettings { amount: Amount::PerCategory(20), ..Default::default() });
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    rows.iter().for_each(|row| *counts.entry(&row.category().name).or_default() += 1);
    assert_eq!((counts.len(), rows.len()), (114, 2280));
    assert!(counts.values().all(|&count| count == 20));
    assert!(counts.contains_key("cn_embedded_under_verb:temp52:believed"));
    assert!(counts.contains_key("cn_embedded_under_if:temp50:whether or not"));
    assert!(counts.contains_key("le_passive:passive"));
}

#[track_caller]
fn check_refused(settings: GeneratorSettings, expected: &str) {
    let set = set(Mode::Clean);
    assert_eq!(Generator::new(&set, settings).unwrap_err().to_string(), expected);
}

#[test]
fn requesting_more_pairs_than_exist_is_refused() {
    let swap = || vec!["ln_subject/object_swap".to_string()];
    let exclude = vec![("The doctor saw the judge .".to_string(), "The judge saw the doctor .".to_string())];
    let settings = GeneratorSettings { amount: Amount::PerSubcase(15_361), subcases: swap(), ..Default::default() };
    check_refused(settings, "`ln_subject/object_swap`: cannot generate 15361 pairs; there are only 15360");
    let settings = GeneratorSettings { amount: Amount::PerSubcase(15_360), subcases: swap(), exclude, ..Default::default() };
    check_refused(settings, "`ln_subject/object_swap`: cannot generate 15360 pairs; there are only 15359 that are not excluded (1 are)");
    let settings = GeneratorSettings { subcases: swap(), withhold: swap(), ..Default::default() };
    check_refused(settings, "no subcase is left to generate pairs for");
    let unknown = GeneratorSettings { subcases: vec!["ln_swap".to_string()], ..Default::default() };
    let message = Generator::new(&set(Mode::Clean), unknown).unwrap_err().to_string();
    assert!(message.starts_with("unknown subcase `ln_swap`"), "{message}");
}

#[test]
fn all_pairs_can_be_drawn() {
    let set = set(Mode::Clean);
    let settings =
        GeneratorSettings { amount: Amount::PerSubcase(15_360), subcases: vec!["ln_subject/object_swap".into()], ..Default::default() };
    let (rows, generated) = rows(&set, settings);
    assert_eq!(rows.iter().map(texts).collect::<HashSet<_>>().len(), 15_360);
    assert!(generated.rejected.repeated_pair > 0);
}

#[test]
fn an_example_has_the_fields_of_its_line() {
    let set = set(Mode::AsPublished);
    let (rows, _) = rows(&set, GeneratorSettings { amount: Amount::PerSubcase(1), ..Default::default() });
    for row in rows {
        let mut line = Vec::new();
        row.write_hans_text(&mut line);
        let example = row.example();
        let tag = |name: &str| example.tags.get(name).unwrap().to_string();
        let (premise, hypothesis) = (&example.pair.premise, &example.pair.hypothesis);
        let fields = [
            example.gold.unwrap().name().to_string(),
            premise.binary_parse.as_deref().unwrap().to_string(),
            hypothesis.binary_parse.as_deref().unwrap().to_string(),
            premise.parse.as_deref().unwrap().to_string(),
            hypothesis.parse.as_deref().unwrap().to_string(),
            premise.text.to_string(),
            hypothesis.text.to_string(),
            example.pair.id.to_string(),
            tag("heuristic"),
            tag("subcase"),
            tag("template"),
        ];
        assert_eq!(String::from_utf8(line).unwrap(), format!("{}\n", fields.join("\t")));
    }
}
