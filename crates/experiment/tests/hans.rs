//! The reference heuristics on HANS: correct on entailed pairs and wrong on non-entailed ones, as the paper says of any model that uses a
//! heuristic.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use acidtest_challenge::Mode;
use acidtest_challenge::hans::{Amount, Generator, GeneratorSettings, Grammar};
use acidtest_evaluate::{Item, Missing, Predictions};
use acidtest_experiment::judge;
use acidtest_model::heuristic::HEURISTICS;
use acidtest_nli::{Example, Judgment, Prediction};
use std::convert::Infallible;

/// The accuracy of a heuristic on its pairs in HANS: entailed, non-entailed.
fn accuracies(mode: Mode, heuristic: &str, aimed_at: &str) -> [f64; 2] {
    let set = Grammar::built_in().set_up(mode).unwrap();
    let settings = GeneratorSettings { amount: Amount::PerSubcase(200), ..Default::default() };
    let mut examples: Vec<Example<'static>> = Vec::new();
    let Ok(_) = Generator::new(&set, settings).unwrap().run(|row| {
        if row.subcase().heuristic == aimed_at {
            examples.push(row.example());
        }
        Ok::<(), Infallible>(())
    });
    let heuristic = HEURISTICS.find(heuristic).unwrap();
    let items: Vec<Item> = examples.iter().map(Item::of).collect();
    // A heuristic that does not predict entailment predicts non-entailment.
    let answer = |example: &Example<'static>| Prediction::of((heuristic.answer)(&example.pair).unwrap_or(Judgment::NotEntailment));
    let predictions = Predictions::InOrder(examples.iter().map(answer).collect());
    let judged = judge(&items, &predictions, Missing::Refuse, None).unwrap();
    let groups = judged.breakdown(&["gold"]).unwrap();
    assert_eq!(groups.iter().map(|group| group.values[0].as_str()).collect::<Vec<_>>(), ["entailment", "non-entailment"]);
    assert_eq!(groups.iter().map(|group| group.score.accuracy.total).collect::<Vec<_>>(), [1000, 1000]);
    [0, 1].map(|at| groups[at].score.accuracy.rate().unwrap())
}

#[track_caller]
fn check(heuristic: &str, aimed_at: &str) {
    for mode in [Mode::Clean, Mode::AsPublished] {
        assert_eq!(accuracies(mode, heuristic, aimed_at), [1.0, 0.0], "{mode:?}");
    }
}

#[test]
fn the_lexical_overlap_heuristic_fails_on_every_non_entailed_pair() {
    check("lexical-overlap", "lexical_overlap");
}

#[test]
fn the_subsequence_heuristic_fails_on_every_non_entailed_pair() {
    check("subsequence", "subsequence");
}

#[test]
fn the_constituent_heuristic_fails_on_every_non_entailed_pair() {
    check("constituent", "constituent");
}

#[test]
fn a_wider_heuristic_also_fails_on_pairs_of_the_narrower_ones() {
    check("lexical-overlap", "constituent");
    check("subsequence", "constituent");
    check("lexical-overlap", "subsequence");
}
