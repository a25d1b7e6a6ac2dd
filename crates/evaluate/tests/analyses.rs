//! What the analyses say, and that their sections are read back as they were written.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use acidtest_evaluate::analysis::arms::{Arm, ArmComparison, ArmsResult, Claim};
use acidtest_evaluate::analysis::comparison::{Comparison, Pairing};
use acidtest_evaluate::analysis::diagnosis::{Availability, Diagnosis, HeuristicAnswers};
use acidtest_evaluate::analysis::lengths::{BinWidths, Lengths, by_length};
use acidtest_evaluate::analysis::runs::RunTable;
use acidtest_evaluate::analysis::templates::new_templates;
use acidtest_evaluate::analysis::{AnalysisError, Candidate, Testing, doctor, errors, perturbation, runs};
use acidtest_evaluate::measurement::{HoldsFor, Metric, SetId, Subject};
use acidtest_evaluate::report::{Provenance, Report, Section, json, terminal};
use acidtest_evaluate::{Item, Judged, Missing, Scoring, join};
use acidtest_nli::{Answer, Judgment, Key, Label, LabelNames, Prediction, Seed};
use proptest::prelude::*;

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

/// How the sections look, which are also read back from JSON.
#[track_caller]
fn shown(sections: Vec<Section>) -> String {
    let report = Report::new("Analysis", Provenance::default(), sections);
    assert_eq!(json::read(&json::render(&report)).unwrap(), report);
    terminal::render(&report, terminal::TerminalOptions::default())
}

/// Rows that are each a cluster, with the tags given as `name=value`.
fn items(rows: impl Iterator<Item = (Judgment, Vec<(&'static str, String)>)>) -> Vec<Item<'static>> {
    let item = |(row, (gold, tags)): (usize, _)| Item { cluster: row as u64, ..common::item(format!("row{row}"), Some(gold), tags) };
    rows.enumerate().map(item).collect()
}

/// Answers by place.
fn answers(labels: impl Iterator<Item = Judgment>) -> Vec<Answer> {
    labels.enumerate().map(|(row, label)| Answer { key: Key::Row(row), prediction: Prediction::of(label), line: row as u64 + 1 }).collect()
}

fn judged<'a>(scoring: Scoring, items: &'a [Item<'a>], answers: &'a [Answer]) -> Judged<'a> {
    scoring.judge(join(items, answers, Missing::CountAsWrong).unwrap()).unwrap()
}

/// 900 rows of three genres, labels in turn.
fn genre_rows() -> Vec<Item<'static>> {
    items((0..900).map(|row| (Label::ALL[row % 3].into(), vec![("genre", ["fiction", "travel", "slate"][row / 300].to_string())])))
}

/// Right answers, but the next label on rows where the rule says so.
fn err(items: &[Item<'_>], wrong: impl Fn(usize) -> bool) -> Vec<Answer> {
    let next = |gold: Judgment| Label::ALL[(gold.label().unwrap().index() + 1) % 3].into();
    answers(items.iter().enumerate().map(|(row, item)| if wrong(row) { next(item.gold.unwrap()) } else { item.gold.unwrap() }))
}

#[test]
fn comparison_of_three_models() {
    let items = genre_rows();
    let (a, b, c) = (
        err(&items, |row| row % 10 == 0),
        err(&items, |row| row % 10 == 1),
        err(&items, |row| row % 10 == 0 || (row < 300 && row % 3 == 0)),
    );
    let judged: Vec<Judged> = [&a, &b, &c].map(|answers| judged(Scoring::ThreeWay, &items, answers)).into();
    let candidates: Vec<Candidate> =
        ["one", "two", "three"].into_iter().zip(&judged).map(|(name, judged)| Candidate { name, judged }).collect();
    let by = [names(&["genre"])];
    let found = Comparison { candidates: &candidates, by: &by, pairing: Pairing::Every, testing: Testing::default() }.compare().unwrap();
    assert_eq!(found.ranking.tied, [0, 1]);
    insta::assert_snapshot!(shown(found.sections()));
}

#[test]
fn comparison_of_dependent_rows() {
    let mut items = genre_rows();
    for (row, item) in items.iter_mut().enumerate() {
        item.cluster = row as u64 / 30;
    }
    let (a, b) = (err(&items, |row| row % 300 < 20), err(&items, |row| row % 300 < 80));
    let (a, b) = (judged(Scoring::ThreeWay, &items, &a), judged(Scoring::ThreeWay, &items, &b));
    let candidates = [Candidate { name: "old", judged: &a }, Candidate { name: "new", judged: &b }];
    let found =
        Comparison { candidates: &candidates, by: &[], pairing: Pairing::WithFirst, testing: Testing::default() }.compare().unwrap();
    assert!(found.overall.pairs[0].paired.counts.exact_p() < 1e-40, "McNemar takes all rows for independent");
    insta::assert_snapshot!(found.sentences().join("\n"));
}

#[test]
fn a_model_that_is_no_better_than_the_most_frequent_label_is_told_so() {
    let items = genre_rows();
    let told = |wrong: &dyn Fn(usize) -> bool| {
        perturbation::no_better_than_majority(&judged(Scoring::ThreeWay, &items, &err(&items, wrong)), &Testing::default()).unwrap()
    };
    assert_eq!(told(&|row| row % 10 == 0), None);
    let said = told(&|row| row % 3 > 0).unwrap();
    assert!(
        said.starts_with("not significantly different from the majority baseline") && said.ends_with("drops are not informative"),
        "{said}"
    );
}

#[test]
fn rows_that_share_an_id_are_told_apart_by_their_label() {
    let twice = |parent: Option<&'static str>| -> Vec<Item<'static>> {
        let tags = || parent.map(|parent| ("parent", parent.to_string()));
        [Label::Entailment, Label::Neutral].map(|gold| common::item("#same".to_string(), Some(gold.into()), tags())).to_vec()
    };
    let (original, perturbed) = (twice(None), twice(Some("#same")));
    let given = answers([Label::Entailment; 2].map(Judgment::from).into_iter());
    let (original, perturbed) = (judged(Scoring::ThreeWay, &original, &given), judged(Scoring::ThreeWay, &perturbed, &given));
    let found = perturbation::compare(&original, &[&perturbed], &Testing::default()).unwrap();
    assert_eq!((found.challenges[0].original.count, found.challenges[0].perturbed.count), (1, 1));
}

#[test]
fn pairs_of_one_template_say_nothing_of_other_templates() {
    let mut items = genre_rows();
    for (row, item) in items.iter_mut().enumerate() {
        (item.cluster, item.template) = (row as u64, Some(7));
    }
    let (a, b) = (err(&items, |_| false), err(&items, |row| row >= 20));
    let (a, b) = (judged(Scoring::ThreeWay, &items, &a), judged(Scoring::ThreeWay, &items, &b));
    let candidates = [Candidate { name: "old", judged: &a }, Candidate { name: "new", judged: &b }];
    let found =
        Comparison { candidates: &candidates, by: &[], pairing: Pairing::WithFirst, testing: Testing::default() }.compare().unwrap();
    let (same, other) = (found.overall.pairs[0].paired, found.over_templates.as_ref().unwrap()[0]);
    assert!(same.p < 1e-200 && same.interval.interval.low > 0.9, "{same:?}");
    assert_eq!((other.paired.p, other.paired.clusters), (1.0, 1));
    let said = found.sentences().join("\n");
    assert!(said.contains("New templates: not estimable for old and new, because all examples come from one template."), "{said}");
    let section = found.sections().into_iter().find(|section| section.title == "New templates").unwrap();
    assert!(
        terminal::render(&Report::new("", Provenance::default(), vec![section]), terminal::TerminalOptions::default())
            .contains("not estimable")
    );
}

#[test]
fn each_table_is_corrected_for_its_own_tests() {
    let items = genre_rows();
    let (a, b) = (err(&items, |row| row % 9 == 0), err(&items, |row| row % 9 == 0 || row % 50 == 1));
    let (a, b) = (judged(Scoring::ThreeWay, &items, &a), judged(Scoring::ThreeWay, &items, &b));
    let candidates = [Candidate { name: "old", judged: &a }, Candidate { name: "new", judged: &b }];
    let compared = |by: &[Vec<String>]| {
        Comparison { candidates: &candidates, by, pairing: Pairing::WithFirst, testing: Testing::default() }.compare().unwrap()
    };
    let (alone, grouped) = (compared(&[]), compared(&[vec!["genre".to_string()]]));
    assert_eq!(grouped.overall.pairs, alone.overall.pairs);
    assert_eq!(alone.overall.pairs[0].holm_p, alone.overall.pairs[0].paired.p);
    let sections = grouped.sections();
    let by_genre = sections.iter().find(|section| section.title == "Comparison by genre").unwrap();
    let note = by_genre.caption.join(" ");
    let tests = grouped.groups[0].groups.len();
    assert!(note.contains(&format!("adjusted for the {tests} tests in this table")), "{note}");
}

#[test]
fn what_holds_for_new_templates_is_measured() {
    let mut items = genre_rows();
    for (row, item) in items.iter_mut().enumerate() {
        (item.cluster, item.template) = (row as u64, Some(row as u64 % 20));
    }
    let (a, b) = (err(&items, |_| false), err(&items, |row| row % 20 < 8));
    let (a, b) = (judged(Scoring::ThreeWay, &items, &a), judged(Scoring::ThreeWay, &items, &b));
    let set = SetId::of("all", Vec::new(), &[]);
    let found = new_templates(&b).unwrap().measurements(Subject { model: "new", set: &set, scoring: None });
    assert_eq!((found.len(), found[0].holds_for, found[0].value), (1, Some(HoldsFor::NewTemplates), 0.6));
    let over = found[0].interval.unwrap();
    let candidates = [Candidate { name: "old", judged: &a }, Candidate { name: "new", judged: &b }];
    let compared =
        Comparison { candidates: &candidates, by: &[], pairing: Pairing::WithFirst, testing: Testing::default() }.compare().unwrap();
    let measured = compared.measurements(&set);
    let difference = measured.iter().find(|one| one.holds_for.is_some()).unwrap();
    assert_eq!((difference.metric, difference.p), (Metric::Difference, Some(2f64.powi(-7))));
    let same = measured.iter().find(|one| one.model == "new" && one.metric == Metric::Accuracy).unwrap().interval.unwrap();
    assert!(over.low < same.low - 0.05 && over.high > same.high + 0.05, "{over:?} and {same:?}");
    // A report keeps both.
    let mut report = Report::new("", Provenance::default(), Vec::new());
    report.measure(measured.iter().cloned());
    assert_eq!(report.measurements.len(), measured.len());
}

/// Arms of so many seeds each; seed `n` of an arm errs on every tenth row and on as many rows of its own as `own` says.
fn compared_arms(seeds: [usize; 2], own: impl Fn(usize, usize) -> usize) -> (ArmsResult, String) {
    let items = genre_rows();
    let given: Vec<Vec<Vec<Answer>>> = (0..2)
        .map(|arm| (0..seeds[arm]).map(|seed| err(&items, |row| row % 10 == 0 || (row % 10 == 1 && row / 10 < own(arm, seed)))).collect())
        .collect();
    let judged: Vec<Vec<Judged>> =
        given.iter().map(|arm| arm.iter().map(|answers| judged(Scoring::ThreeWay, &items, answers)).collect()).collect();
    let candidates: Vec<Vec<Candidate>> =
        judged.iter().map(|arm| arm.iter().map(|judged| Candidate { name: "seed", judged }).collect()).collect();
    let arms = [Arm { name: "old", seeds: &candidates[0] }, Arm { name: "new", seeds: &candidates[1] }];
    let by = [names(&["genre"])];
    let found = ArmComparison { arms: &arms, by: &by, pairing: Pairing::WithFirst, testing: Testing::default() }.compare().unwrap();
    let sections = shown(found.sections());
    (found, sections)
}

#[test]
fn a_claim_about_ways_of_training_rests_on_both_questions() {
    // Always worse by 30 to 32 rows: sure by examples and by seeds.
    let (found, shown) = compared_arms([3, 3], |arm, seed| 30 * arm + seed);
    let pair = found.overall.pairs[0];
    assert_eq!(pair.claim(0.05), Claim::FirstIsBetter);
    assert!(pair.larger_p().unwrap() >= pair.new_examples.p && pair.larger_p().unwrap() >= pair.new_seeds.unwrap().p);
    insta::assert_snapshot!(shown);
    // One bad seed makes the arm worse on these examples, and says nothing of new seeds.
    let (found, _) = compared_arms([3, 3], |arm, seed| if (arm, seed) == (1, 2) { 90 } else { seed });
    let pair = found.overall.pairs[0];
    assert!(pair.new_examples.p < 1e-6 && pair.new_seeds.unwrap().p > 0.3, "{pair:?}");
    assert_eq!(pair.claim(0.05), Claim::NotSignificant);
    assert!(pair.wider_interval().unwrap().contains(0.0));
}

#[test]
fn two_seeds_claim_nothing() {
    let (found, _) = compared_arms([3, 2], |arm, seed| 60 * arm + seed);
    let pair = found.overall.pairs[0];
    assert!(pair.new_examples.p < 1e-6 && pair.new_seeds.unwrap().p < 0.05, "{pair:?}");
    assert_eq!((pair.claim(0.05), pair.holm_p), (Claim::TooFewSeeds, 1.0));
    let said = found.sentences().join(" ");
    assert!(said.contains("No claim about the training methods: at least 3 seeds of each are needed, and one has only 2."), "{said}");
    let (found, _) = compared_arms([1, 1], |arm, _| 60 * arm);
    assert_eq!((found.overall.pairs[0].new_seeds, found.overall.pairs[0].claim(0.05)), (None, Claim::TooFewSeeds));
}

#[test]
fn seeds_that_do_not_differ_claim_nothing() {
    let (found, shown) = compared_arms([3, 4], |arm, _| 60 * arm);
    assert_eq!(found.overall.pairs[0].claim(0.05), Claim::SeedsDoNotDiffer);
    assert!(shown.contains("not estimable"), "{shown}");
    // Unequal numbers of seeds: the difference is that of the means, and copies of a seed prove nothing more.
    let (once, _) = compared_arms([1, 1], |arm, _| 60 * arm);
    let (once, often) = (once.overall.pairs[0].new_examples, found.overall.pairs[0].new_examples);
    assert!((once.difference() - often.difference()).abs() < 1e-12 && once.p == often.p, "{once:?} and {often:?}");
    assert!((once.interval.interval.low - often.interval.interval.low).abs() < 1e-9);
}

#[test]
fn models_with_other_rows_are_refused() {
    let items = genre_rows();
    let all = err(&items, |_| false);
    let (whole, part) = (judged(Scoring::ThreeWay, &items, &all), judged(Scoring::ThreeWay, &items[..300], &all[..300]));
    let compare = |candidates: &[Candidate]| {
        Comparison { candidates, by: &[], pairing: Pairing::Every, testing: Testing::default() }.compare().unwrap_err().to_string()
    };
    let (one, two) = (Candidate { name: "a", judged: &whole }, Candidate { name: "b", judged: &part });
    assert_eq!(compare(&[one, two]), "`a` has 900 labelled examples and `b` has 300: both must have predictions for the same examples");
    assert_eq!(compare(&[one, one]), "two models are named `a`: give each its own name");
    assert_eq!(compare(&[one]), "1 models were given, and at least 2 are needed");
    let by = [names(&["gener"])];
    let candidates = [one, Candidate { name: "b", judged: &whole }];
    let error =
        Comparison { candidates: &candidates, by: &by, pairing: Pairing::Every, testing: Testing::default() }.compare().unwrap_err();
    assert_eq!(error.to_string(), "unknown tag `gener`; did you mean `genre`? (known: genre, gold)");
}

#[test]
fn runs_of_one_model() {
    let items = genre_rows();
    let answers: Vec<Vec<Answer>> =
        (0..4).map(|run| err(&items, |row| row % 7 == 0 || row % 50 == run || (run == 2 && row % 40 == 3))).collect();
    let judged: Vec<Judged> = answers.iter().map(|answers| judged(Scoring::ThreeWay, &items, answers)).collect();
    let names_of = ["seed 1", "seed 2", "seed 3", "seed 4"];
    let candidates: Vec<Candidate> = names_of.into_iter().zip(&judged).map(|(name, judged)| Candidate { name, judged }).collect();
    insta::assert_snapshot!(shown(runs::compare(&candidates, &[names(&["genre"])]).unwrap().sections()));
}

#[test]
fn runs_by_subcase() {
    let table = RunTable {
        column_title: "subcase".to_string(),
        runs: names(&["run 0", "run 1", "run 2"]),
        columns: names(&["ln_passive", "le_passive"]),
        accuracies: vec![vec![0.013, 0.998], vec![0.003, 1.0], vec![0.4, 0.99]],
    };
    insta::assert_snapshot!(shown(vec![table.section().unwrap()]));
    let ragged = RunTable { accuracies: vec![vec![0.5, 0.5], vec![0.5]], runs: names(&["a", "b"]), ..table };
    assert_eq!(ragged.section().unwrap_err().to_string(), "1 accuracies of a run for 2 rows: there must be one for every row");
}

/// 300 original rows; two challenges of 300 and 600 rows made from them.
fn original_and_perturbed() -> (Vec<Item<'static>>, Vec<Item<'static>>) {
    let original = items((0..300).map(|row| (Label::ALL[row % 3].into(), Vec::new())));
    let tags = |row: usize| {
        let challenge = if row < 300 { "negation" } else { "spelling" };
        vec![("challenge", challenge.to_string()), ("parent", format!("row{}", row % 300))]
    };
    let perturbed = items((0..900).map(|row| (Label::ALL[row % 3].into(), tags(row))));
    (original, perturbed)
}

#[test]
fn original_against_perturbed() {
    let (original, mut perturbed) = original_and_perturbed();
    let tags = [("challenge", "spelling".to_string()), ("parent", "elsewhere".to_string())];
    perturbed[899] = Item { cluster: 899, ..common::item("row899".to_string(), perturbed[899].gold, tags) };
    let before = err(&original, |row| row % 10 == 0);
    let after = answers(perturbed.iter().enumerate().map(|(row, item)| match row {
        0..150 => Label::Contradiction.into(),
        _ if row % 10 == 0 => Label::Neutral.into(),
        _ => item.gold.unwrap(),
    }));
    let (original, perturbed) = (judged(Scoring::ThreeWay, &original, &before), judged(Scoring::ThreeWay, &perturbed, &after));
    let found = perturbation::compare(&original, &[&perturbed], &Testing::default()).unwrap();
    assert_eq!(found.challenges[1].drop.clusters, 300);
    insta::assert_snapshot!(shown(found.sections()));
}

#[test]
fn perturbed_examples_of_another_source_are_refused() {
    let (original, perturbed) = original_and_perturbed();
    let (before, after) = (err(&original, |_| false), err(&perturbed, |_| false));
    let (original, perturbed) = (judged(Scoring::ThreeWay, &original, &before), judged(Scoring::ThreeWay, &perturbed, &after));
    let error = perturbation::compare(&original, &[&original], &Testing::default()).unwrap_err();
    assert_eq!(error, AnalysisError::NoParents { rows: 300, original: 300 });
    assert!(perturbation::compare(&original, &[&perturbed], &Testing::default()).is_ok());
}

#[test]
fn errors_by_answer_and_gold() {
    let items = genre_rows();
    let answers = answers(items.iter().enumerate().map(|(row, item)| match row % 12 {
        3 | 5 => Label::Neutral.into(),
        8 => Label::Entailment.into(),
        _ => item.gold.unwrap(),
    }));
    let judged = judged(Scoring::ThreeWay, &items, &answers[..899]);
    insta::assert_snapshot!(shown(errors::count_errors(&judged, &names(&["genre"])).unwrap().sections()));
}

#[test]
fn entailment_against_non_entailment_by_heuristic() {
    let gold = |row: usize| if row.is_multiple_of(2) { Label::Entailment.into() } else { Judgment::NotEntailment };
    let heuristic = |row: usize| vec![("heuristic", if row < 200 { "lexical_overlap" } else { "constituent" }.to_string())];
    let items = items((0..400).map(|row| (gold(row), heuristic(row))));
    let answers = answers((0..400).map(|row| if row < 200 || row % 4 < 2 { Label::Entailment.into() } else { Label::Neutral.into() }));
    insta::assert_snapshot!(shown(vec![errors::by_heuristic(&judged(Scoring::MergedAnswers, &items, &answers)).unwrap()]));
}

#[test]
fn accuracy_by_length() {
    let items = genre_rows();
    let answers = err(&items, |row| row % 100 > 60 && row % 2 == 0);
    let lengths: Vec<Lengths> = (0..900).map(|row| Lengths { premise: row % 100, hypothesis: 3 + row % 7 }).collect();
    let judged = judged(Scoring::ThreeWay, &items, &answers);
    insta::assert_snapshot!(shown(vec![by_length(&judged, &lengths, BinWidths::default()).unwrap().section()]));
}

#[test]
fn a_misread_order_is_named_as_the_option_takes_it() {
    let items = genre_rows();
    // The outputs mean C, E, N and were read as E, N, C.
    let names = LabelNames::from_order("C,E,N").unwrap();
    let read = |gold: Judgment| Label::ALL[names.order().iter().position(|meant| *meant == gold).unwrap()].into();
    let answers =
        answers(items.iter().enumerate().map(|(row, item)| if row % 10 == 0 { Label::Neutral.into() } else { read(item.gold.unwrap()) }));
    let found = doctor::examine(&judged(Scoring::ThreeWay, &items, &answers), Label::ALL).unwrap();
    assert_eq!(found.better_labels(), Some([Label::Contradiction, Label::Entailment, Label::Neutral]));
    insta::assert_snapshot!(shown(vec![found.section()]));
}

/// 600 rows of two labels; an overlap heuristic that applies to the first 300.
fn overlap_rows() -> (Vec<Item<'static>>, Vec<Option<Judgment>>) {
    let rows = items((0..600).map(|row| (Label::ALL[row % 2].into(), vec![("half", (row / 150).to_string())])));
    (rows, (0..600).map(|row| (row < 300).then_some(Label::Entailment.into())).collect())
}

#[test]
fn diagnosis_of_two_models() {
    let (items, overlap) = overlap_rows();
    let shortcut = answers((0..600).map(|row| if row < 290 { Label::Entailment.into() } else { items[row].gold.unwrap() }));
    let sound = err(&items, |row| row % 20 == 1);
    let judged: Vec<Judged> = [&shortcut, &sound].map(|answers| judged(Scoring::ThreeWay, &items, answers)).into();
    let candidates = [Candidate { name: "shortcut", judged: &judged[0] }, Candidate { name: "sound", judged: &judged[1] }];
    let guess = |row: usize| Some(Label::ALL[row / 7 % 3].into());
    let heuristics = [
        HeuristicAnswers {
            name: "lexical-overlap",
            description: "a hypothesis whose words all stand in the premise is entailed",
            wrong_where: "non-entailed pairs with full overlap",
            answers: Availability::Given(overlap),
        },
        HeuristicAnswers {
            name: "hypothesis-only",
            description: "the words of the hypothesis give the label away",
            wrong_where: "pairs whose hypothesis alone points to a wrong label",
            answers: Availability::Given((0..600).map(guess).collect()),
        },
        HeuristicAnswers {
            name: "constituent",
            description: "a hypothesis that is a phrase of the premise's parse is entailed",
            wrong_where: "non-entailed pairs whose hypothesis is a phrase of the premise",
            answers: Availability::Skipped { reason: "no row has a parse of its premise".to_string() },
        },
    ];
    let by = names(&["half"]);
    let diagnosis = Diagnosis { candidates: &candidates, heuristics: &heuristics, by: &by };
    let found = diagnosis.diagnose().unwrap();
    assert_eq!(found.heuristics[0].models[0].where_wrong.proportion().count, 145);
    insta::assert_snapshot!(shown(found.sections()));
    let alone = Diagnosis { candidates: &candidates[..1], heuristics: &heuristics[..1], by: &[] };
    insta::assert_snapshot!(alone.diagnose().unwrap().sentences().join("\n"));
}

/// The sentence on an overlap heuristic that applies to half of the rows, of which half are not entailed; `answer` says what a model answers.
fn overlap_sentence(rows: usize, answer: impl FnMut(usize, Judgment, bool) -> Judgment) -> String {
    let items = items((0..rows).map(|row| (Label::ALL[row % 3].into(), Vec::new())));
    let applies = |row: usize| (row / 3).is_multiple_of(2);
    let mut answer = answer;
    let given = answers(items.iter().enumerate().map(|(row, item)| answer(row, item.gold.unwrap(), applies(row))));
    let judged = judged(Scoring::ThreeWay, &items, &given);
    let heuristic = HeuristicAnswers {
        name: "overlap",
        description: "",
        wrong_where: "non-entailed pairs with full overlap",
        answers: Availability::Given((0..rows).map(|row| applies(row).then_some(Label::Entailment.into())).collect()),
    };
    let candidates = [Candidate { name: "m", judged: &judged }];
    let found = Diagnosis { candidates: &candidates, heuristics: &[heuristic], by: &[] }.diagnose().unwrap();
    found.sentences().remove(0)
}

/// The one verdict that a sentence ends in.
#[track_caller]
fn verdict_of(sentence: &str) -> &'static str {
    let verdicts = ["relies on it", "does not rely on it", "inconclusive"];
    let found: Vec<&str> = verdicts.into_iter().filter(|verdict| sentence.contains(verdict)).collect();
    let [verdict] = found[..] else { panic!("{} verdicts in: {sentence}", found.len()) };
    verdict
}

#[test]
fn a_sentence_on_a_shortcut_ends_in_one_of_three_verdicts() {
    let follower = |_: usize, gold: Judgment, applies: bool| if applies { Label::Entailment.into() } else { gold };
    let right = |_: usize, gold: Judgment, _: bool| gold;
    assert_eq!(verdict_of(&overlap_sentence(900, follower)), "relies on it");
    assert_eq!(verdict_of(&overlap_sentence(900, right)), "does not rely on it");
    // What always predicts the same label follows no shortcut, and knows nothing either.
    assert_eq!(verdict_of(&overlap_sentence(900, |_, _, _| Label::Entailment.into())), "inconclusive");
    // 20 of 60 rows contradict the heuristic.
    let few = overlap_sentence(60, follower);
    assert_eq!(verdict_of(&few), "inconclusive");
    assert!(few.contains("the heuristic is wrong on only 20 examples, and at least 30 are needed"), "{few}");
    for seed in 0..300 {
        let mut rng = Seed::new(seed).rng();
        let random = overlap_sentence([60, 120, 300, 900][seed as usize % 4], |_, _, _| Label::ALL[rng.below(3)].into());
        assert_ne!(verdict_of(&random), "relies on it", "{random}");
    }
}

#[test]
fn a_heuristic_that_is_never_wrong_proves_nothing() {
    let items = items((0..9).map(|_| (Label::Entailment.into(), Vec::new())));
    let answers = err(&items, |row| row == 0);
    let judged = judged(Scoring::ThreeWay, &items, &answers);
    let heuristic = HeuristicAnswers {
        name: "overlap",
        description: "",
        wrong_where: "nowhere",
        answers: Availability::Given(vec![Some(Label::Entailment.into()); 9]),
    };
    let candidates = [Candidate { name: "m", judged: &judged }];
    let found = Diagnosis { candidates: &candidates, heuristics: &[heuristic], by: &[] }.diagnose().unwrap();
    assert_eq!(found.heuristics[0].models[0].kappa, None);
    assert_eq!(
        found.sentences(),
        ["The overlap heuristic is never wrong on the 9 examples it applies to: whether this model follows it blindly is inconclusive."]
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn swapping_two_models_mirrors_the_comparison(rows in prop::collection::vec((any::<bool>(), any::<bool>(), 0u64..9), 2..60)) {
        let mut items = items(rows.iter().map(|_| (Label::Neutral.into(), Vec::new())));
        for (item, row) in items.iter_mut().zip(&rows) {
            item.cluster = row.2;
        }
        let (a, b) = (err(&items, |row| !rows[row].0), err(&items, |row| !rows[row].1));
        let (a, b) = (judged(Scoring::ThreeWay, &items, &a), judged(Scoring::ThreeWay, &items, &b));
        let (a, b) = (Candidate { name: "a", judged: &a }, Candidate { name: "b", judged: &b });
        let paired = |candidates: &[Candidate]| {
            let comparison = Comparison { candidates, by: &[], pairing: Pairing::Every, testing: Testing::default() };
            comparison.compare().unwrap().overall.pairs[0]
        };
        let (one, other) = (paired(&[a, b]), paired(&[b, a]));
        prop_assert_eq!(one.paired.difference(), -other.paired.difference());
        prop_assert_eq!(one.paired.p, other.paired.p);
        prop_assert!((0.0..=1.0).contains(&one.paired.p) && one.holm_p >= one.paired.p);
    }

    #[test]
    fn every_paired_example_is_counted_once(labels in prop::collection::vec((0usize..3, 0usize..3, 0usize..3), 1..60)) {
        let original = items(labels.iter().map(|row| (Label::ALL[row.0].into(), Vec::new())));
        let perturbed = items(labels.iter().enumerate().map(|(at, row)| (Label::ALL[row.0].into(), vec![("parent", format!("row{at}"))])));
        let (before, after) = (answers(labels.iter().map(|row| Label::ALL[row.1].into())), answers(labels.iter().map(|row| Label::ALL[row.2].into())));
        let (original, perturbed) = (judged(Scoring::ThreeWay, &original, &before), judged(Scoring::ThreeWay, &perturbed, &after));
        let found = perturbation::compare(&original, &[&perturbed], &Testing::default()).unwrap();
        let challenge = &found.challenges[0];
        prop_assert_eq!(challenge.changes.iter().map(|change| change.examples).sum::<u64>(), labels.len() as u64);
        prop_assert_eq!(challenge.changes.iter().map(|change| change.correct_before).sum::<u64>(), challenge.original.count);
        prop_assert_eq!(challenge.changes.iter().map(|change| change.correct_after).sum::<u64>(), challenge.perturbed.count);
    }
}
