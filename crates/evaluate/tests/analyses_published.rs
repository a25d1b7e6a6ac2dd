//! The analyses on released predictions give what statsmodels and the papers give.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use acidtest_evaluate::analysis::arms::{Arm, ArmComparison, Claim};
use acidtest_evaluate::analysis::comparison::{Comparison, ComparisonResult, Pairing};
use acidtest_evaluate::analysis::diagnosis::{Availability, Diagnosis, HeuristicAnswers};
use acidtest_evaluate::analysis::lengths::{BinWidths, Lengths, by_length};
use acidtest_evaluate::analysis::runs::RunTable;
use acidtest_evaluate::analysis::{Candidate, Testing, doctor, errors, runs};
use acidtest_evaluate::report::{Provenance, Report, Section, terminal};
use acidtest_evaluate::statistics::permutation::{LabelPermutation, Verdict};
use acidtest_evaluate::{Item, Judged, Missing, Scoring, Unit, join};
use acidtest_nli::{Answer, Key, Label, LabelNames, Prediction, Seed};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::fs::{File, read_to_string};
use std::io::Read;
use std::path::PathBuf;

/// A file of the data folder; without it these tests say so and do nothing.
fn data(file: &str) -> Option<String> {
    let folder = std::env::var_os("ACIDTEST_DATA").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")));
    if !folder.is_dir() {
        eprintln!("skipped: there is no data folder at {} (set ACIDTEST_DATA)", folder.display());
        return None;
    }
    if !file.ends_with(".gz") {
        return Some(read_to_string(folder.join(file)).unwrap());
    }
    let mut text = String::new();
    GzDecoder::new(File::open(folder.join(file)).unwrap()).read_to_string(&mut text).unwrap();
    Some(text)
}

fn shown(sections: Vec<Section>) -> String {
    let report = Report::new("", Provenance::default(), sections);
    terminal::render(&report, terminal::TerminalOptions::default())
}

fn judged<'a>(scoring: Scoring, items: &'a [Item<'a>], answers: &'a [Answer]) -> Judged<'a> {
    scoring.judge(join(items, answers, Missing::Refuse).unwrap()).unwrap()
}

/// MultiNLI dev with the answers of ten BERT seeds; every row is its own cluster.
struct Seeds {
    items: Vec<Item<'static>>,
    lengths: Vec<Lengths>,
    answers: Vec<Vec<Answer>>,
    /// For each row, the place of the first one with its premise.
    premises: Vec<u64>,
}

impl Seeds {
    fn read() -> Option<Seeds> {
        let (corpus, predictions) = (data("mnli/mnli_dev_matched.jsonl.gz")?, data("predictions/bert_ten_seeds_mnli_dev.csv.gz")?);
        let names = LabelNames::default();
        let (mut items, mut lengths, mut premises) = (Vec::new(), Vec::new(), Vec::new());
        let mut known: HashMap<String, u64> = HashMap::new();
        for (row, line) in corpus.lines().enumerate() {
            let row_data: Value = serde_json::from_str(line).unwrap();
            let gold = names.gold(row_data["gold_label"].as_str().unwrap()).unwrap();
            let genre = row_data["genre"].as_str().map(|genre| ("genre", genre.to_string()));
            items.push(Item { cluster: row as u64, ..common::item(row.to_string(), gold, genre) });
            premises.push(*known.entry(row_data["sentence1"].as_str().unwrap().to_string()).or_insert(row as u64));
            let words = |key: &str| row_data[key].as_str().unwrap().split_whitespace().count() as u32;
            lengths.push(Lengths { premise: words("sentence1"), hypothesis: words("sentence2") });
        }
        let answer = |row: usize, text: &str| Answer {
            key: Key::Row(row),
            prediction: Prediction::of(names.judgment(text).unwrap()),
            line: row as u64 + 2,
        };
        let seed = |seed: usize| {
            let fields = predictions.lines().skip(1).map(|line| line.split(',').nth(seed).unwrap());
            fields.enumerate().map(|(row, text)| answer(row, text)).collect()
        };
        Some(Seeds { items, lengths, answers: (1..=10).map(seed).collect(), premises })
    }

    fn judged(&self) -> Vec<Judged<'_>> {
        self.answers.iter().map(|answers| judged(Scoring::ThreeWay, &self.items, answers)).collect()
    }

    fn compare(&self, seeds: &[usize], by: &[Vec<String>]) -> ComparisonResult {
        let judged = self.judged();
        let names: Vec<String> = seeds.iter().map(|seed| format!("seed {seed}")).collect();
        let candidates: Vec<Candidate> =
            seeds.iter().zip(&names).map(|(seed, name)| Candidate { name, judged: &judged[seed - 1] }).collect();
        Comparison { candidates: &candidates, by, pairing: Pairing::Every, testing: Testing::default() }.compare().unwrap()
    }
}

fn near(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "{found} is not {expected}");
}

#[test]
fn two_seeds_differ_as_statsmodels_has_it() {
    let Some(seeds) = Seeds::read() else { return };
    // a, b: whether the seeds are right, by row; d = a.astype(int) - b.astype(int)
    // counts (a & ~b).sum(), (~a & b).sum(); p statsmodels.stats.contingency_tables.mcnemar(table, exact=True).pvalue
    // interval statsmodels.stats.weightstats.DescrStatsW(d).zconfint_mean()
    let check = |first: usize, second: usize, counts: [u64; 2], p: f64, interval: [f64; 2]| {
        let found = seeds.compare(&[first, second], &[]).overall.pairs[0].paired;
        assert_eq!([found.counts.first_only, found.counts.second_only], counts);
        near(found.p, p, 1e-12);
        let wald = found.counts.wald_at(0.95);
        near(wald.low, interval[0], 1e-12);
        near(wald.high, interval[1], 1e-12);
        // The score interval differs from Wald's in the fifth digit at this size.
        near(found.interval.interval.low, interval[0], 4e-5);
        near(found.interval.interval.high, interval[1], 4e-5);
    };
    check(1, 2, [275, 274], 1.0, [-0.00457725518017856, 0.004781024920372141]);
    check(9, 4, [370, 291], 0.002389439012917149, [0.0029170819382838154, 0.013180727537009105]);
}

#[test]
fn corrections_over_all_genres_are_those_of_statsmodels() {
    let Some(seeds) = Seeds::read() else { return };
    let found = seeds.compare(&[9, 4], &[vec!["genre".to_string()]]);
    // p mcnemar(...) of all rows, a table of one test, and of each genre; of the genres
    // statsmodels.stats.multitest.multipletests(p, method="holm") and method="fdr_bh"
    let expected = [
        ("", 0.002389439012917149, 0.002389439012917149),
        ("fiction", 0.6362786075249514, 0.3181393037624757),
        ("government", 1.0, 1.0),
        ("slate", 0.6818248389948258, 0.3409124194974129),
        ("telephone", 0.3467302184253221, 0.20803813105519325),
        ("travel", 1.0, 0.7407592963071024),
        ("(none)", 0.03400969351546534, 0.03400969351546534),
    ];
    let all = [&found.overall].into_iter().chain(&found.groups[0].groups);
    for (rows, (name, holm, benjamini_hochberg)) in all.zip(expected) {
        assert_eq!(rows.values.concat(), name);
        near(rows.pairs[0].holm_p, holm, 1e-10);
        near(rows.pairs[0].benjamini_hochberg_p, benjamini_hochberg, 1e-10);
    }
    insta::assert_snapshot!(shown(found.sections()));
}

#[test]
fn no_seed_is_significantly_worse_than_the_best() {
    let Some(seeds) = Seeds::read() else { return };
    let found = seeds.compare(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], &[]);
    // multipletests([mcnemar(...) of seed 9 against each other seed], method="holm") gives 0.0215 for seed 4; but that seed 9 is the best is seen in the same
    // data, and of all 45 pairs none is significant.
    assert_eq!(found.ranking.best, 8);
    assert_eq!(found.ranking.tied, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(found.ranking.tests, 45);
    near(found.ranking.others[3].p, 0.02150495 / 9.0, 1e-9);
    near(found.ranking.others[3].adjusted_p, 0.02150495 / 9.0 * 45.0, 1e-7);
    insta::assert_snapshot!(found.sentences().join("\n"));
}

#[test]
fn ten_seeds_are_one_model() {
    let Some(seeds) = Seeds::read() else { return };
    let judged = seeds.judged();
    let names: Vec<String> = (1..=10).map(|seed| format!("seed {seed}")).collect();
    let candidates: Vec<Candidate> = names.iter().zip(&judged).map(|(name, judged)| Candidate { name, judged }).collect();
    insta::assert_snapshot!(runs::compare(&candidates, &[]).unwrap().sentences().join("\n"));
}

#[test]
fn halves_of_the_seeds_of_one_model_are_not_two_ways_of_training() {
    let Some(mut seeds) = Seeds::read() else { return };
    for (item, premise) in seeds.items.iter_mut().zip(&seeds.premises) {
        (item.cluster, item.unit) = (*premise, Unit::Premise);
    }
    let judged = seeds.judged();
    let candidates: Vec<Candidate> = judged.iter().map(|judged| Candidate { name: "seed", judged }).collect();
    let arms = [Arm { name: "a", seeds: &candidates[..3] }, Arm { name: "b", seeds: &candidates[3..6] }];
    let found = ArmComparison { arms: &arms, by: &[], pairing: Pairing::Every, testing: Testing::default() }.compare().unwrap();
    let pair = found.overall.pairs[0];
    // scipy.stats.ttest_ind(accuracies[:3], accuracies[3:6], equal_var=False).pvalue
    near(pair.new_examples.p, 0.0056, 5e-5);
    near(pair.new_seeds.unwrap().p, 0.0537, 5e-5);
    assert_eq!(pair.claim(0.05), Claim::NotSignificant);
    let interval = pair.wider_interval().unwrap();
    assert!(interval.contains(0.0) && pair.new_examples.interval.interval.low > 0.0, "{pair:?}");
}

#[test]
fn bert_and_esim_on_hans_differ_for_the_same_templates_and_not_for_new_ones() {
    let (Some(mut items), Some(bert), Some(esim)) = (hans_items(), hans_answers("bert"), hans_answers("esim")) else { return };
    for (row, item) in items.iter_mut().enumerate() {
        (item.template, item.cluster, item.unit) = (Some(item.cluster), row as u64, Unit::Template);
    }
    let compared = |items: &[Item<'_>], bert: &[Answer], esim: &[Answer]| {
        let judged = [bert, esim].map(|answers| judged(Scoring::MergedAnswers, items, answers));
        let candidates = [Candidate { name: "bert", judged: &judged[0] }, Candidate { name: "esim", judged: &judged[1] }];
        Comparison { candidates: &candidates, by: &[], pairing: Pairing::Every, testing: Testing::default() }.compare().unwrap()
    };
    let all = compared(&items, &bert, &esim);
    assert!(all.overall.pairs[0].paired.p < 1e-15);
    let over = all.over_templates.unwrap()[0].paired;
    assert_eq!(over.clusters, 30);
    near(over.p, 0.058, 5e-4);
    // Five subcases that all differ one way: no p value below 2/16 is possible.
    let chosen: Vec<bool> =
        items.iter().map(|item| item.tags.get("heuristic") == Some("lexical_overlap") && !item.gold.unwrap().is_entailment()).collect();
    let ids: HashSet<&str> = items.iter().zip(&chosen).filter(|(_, chosen)| **chosen).map(|(item, _)| item.id).collect();
    let part: Vec<Item<'_>> = items.iter().filter(|item| ids.contains(item.id)).copied().collect();
    let of_part = |answers: &[Answer]| {
        let is_in = |answer: &&Answer| matches!(&answer.key, Key::Id(id) if ids.contains(id.as_str()));
        answers.iter().filter(is_in).cloned().collect::<Vec<Answer>>()
    };
    let found = compared(&part, &of_part(&bert), &of_part(&esim));
    let over = found.over_templates.unwrap()[0].paired;
    assert_eq!((over.clusters, over.p), (5, 0.25));
    near(over.difference(), 0.154, 5e-4);
}

#[test]
fn a_hundred_runs_by_subcase() {
    let Some(text) = data("hans/hundred_bert_runs.csv") else { return };
    let mut lines = text.trim_start_matches('\u{feff}').lines().map(|line| line.split(',').collect::<Vec<_>>());
    // Before the 30 subcases stand the name, MNLI accuracy, six means and their mean.
    let columns = lines.next().unwrap()[9..].iter().map(|name| name.to_string()).collect();
    let rows: Vec<Vec<&str>> = lines.filter(|fields| fields[0].starts_with("Run ")).collect();
    let table = RunTable {
        column_title: "subcase".to_string(),
        runs: rows.iter().map(|row| row[0].to_string()).collect(),
        columns,
        accuracies: rows.iter().map(|row| row[9..].iter().map(|field| field.parse().unwrap()).collect()).collect(),
    };
    assert_eq!((table.runs.len(), table.columns.len()), (100, 30));
    insta::assert_snapshot!(shown(vec![table.section().unwrap()]));
}

#[test]
fn the_doctor_finds_every_misreading_of_a_seed() {
    let Some(seeds) = Seeds::read() else { return };
    for written in LabelPermutation::ALL {
        let mut answers = seeds.answers[0].clone();
        for answer in &mut answers {
            answer.prediction = Prediction::of(written.meaning(answer.prediction.answer.label().unwrap()));
        }
        let judged = judged(Scoring::ThreeWay, &seeds.items, &answers);
        let found = doctor::examine(&judged, Label::ALL).unwrap();
        // Reading the answers again in the order that the doctor names brings back what the model meant.
        let order = found.better_labels().unwrap_or(Label::ALL);
        for (answer, meant) in answers.iter().zip(&seeds.answers[0]) {
            let read = answer.prediction.answer.label().unwrap();
            assert_eq!(Some(order[read.index()]), meant.prediction.answer.label(), "{written}: {}", found.sentence());
        }
        assert_eq!(found.better_labels().is_none(), written == LabelPermutation::GIVEN, "{}", found.sentence());
    }
}

#[test]
fn the_doctor_does_not_guess_from_fifty_random_answers() {
    let Some(seeds) = Seeds::read() else { return };
    for number in 0..200 {
        let mut rng = Seed::new(number).rng();
        let draw = |row| Answer { key: Key::Row(row), prediction: Prediction::of(Label::ALL[rng.below(3)]), line: 0 };
        let answers: Vec<Answer> = (0..50).map(draw).collect();
        let judged = judged(Scoring::ThreeWay, &seeds.items[..50], &answers);
        assert_eq!(doctor::examine(&judged, Label::ALL).unwrap().diagnosis.verdict, Verdict::CannotTell);
    }
}

#[test]
fn errors_and_lengths_of_a_seed() {
    let Some(seeds) = Seeds::read() else { return };
    let judged = &seeds.judged()[0];
    let mut sections = errors::count_errors(judged, &[]).unwrap().sections();
    sections.push(by_length(judged, &seeds.lengths, BinWidths::default()).unwrap().section());
    insta::assert_snapshot!(shown(sections));
}

/// HANS rows as released; subcases are the clusters, since the key has no templates.
fn hans_items() -> Option<Vec<Item<'static>>> {
    let mut subcases: Vec<String> = Vec::new();
    let mut items = Vec::new();
    for line in data("hans/released_key.tsv.gz")?.lines().skip(1) {
        let [id, gold, heuristic, subcase] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let cluster = subcases.iter().position(|known| known == subcase).unwrap_or_else(|| {
            subcases.push(subcase.to_string());
            subcases.len() - 1
        });
        let gold = LabelNames::default().gold(gold).unwrap();
        items.push(Item { cluster: cluster as u64, ..common::item(id.to_string(), gold, [("heuristic", heuristic.to_string())]) });
    }
    Some(items)
}

fn hans_answers(model: &str) -> Option<Vec<Answer>> {
    let answer = |(line, text): (usize, &str)| {
        let (id, label) = text.split_once(',').unwrap();
        let prediction = Prediction::of(LabelNames::default().judgment(label).unwrap());
        Answer { key: Key::Id(id.to_string()), prediction, line: line as u64 + 1 }
    };
    Some(data(&format!("hans/predictions/{model}.csv.gz"))?.lines().enumerate().skip(1).map(answer).collect())
}

#[test]
fn four_models_follow_lexical_overlap_on_hans() {
    let Some(items) = hans_items() else { return };
    let models = [("DA", "decomposable_attention"), ("ESIM", "esim"), ("SPINN", "spinn"), ("BERT", "bert")];
    let answers: Vec<Vec<Answer>> = models.iter().map(|(_, file)| hans_answers(file).unwrap()).collect();
    let judged: Vec<Judged> = answers.iter().map(|answers| judged(Scoring::MergedAnswers, &items, answers)).collect();
    let candidates: Vec<Candidate> = models.iter().zip(&judged).map(|((name, _), judged)| Candidate { name, judged }).collect();
    // Every pair of HANS has full lexical overlap, so the heuristic says entailment everywhere.
    let overlap = HeuristicAnswers {
        name: "lexical-overlap",
        description: "a hypothesis whose words all stand in the premise is entailed",
        wrong_where: "non-entailed pairs with full overlap",
        answers: Availability::Given(vec![Some(Label::Entailment.into()); items.len()]),
    };
    let by = ["heuristic".to_string()];
    let diagnosis = Diagnosis { candidates: &candidates, heuristics: &[overlap], by: &by };
    let found = diagnosis.diagnose().unwrap();
    // To follow the heuristic where it is wrong is to err: these are the complements of table 3's right half (McCoy et al. 2019).
    let table_3 = [[0.01, 0.02, 0.03], [0.01, 0.02, 0.01], [0.02, 0.06, 0.11], [0.16, 0.04, 0.16]];
    for (following, accuracies) in found.heuristics[0].models.iter().zip(table_3) {
        let [constituent, lexical, subsequence] = [0, 1, 2].map(|group| 1.0 - following.groups[group].1.proportion().rate().unwrap());
        for (found, published) in [lexical, subsequence, constituent].into_iter().zip(accuracies) {
            near(found, published, 0.005 + 1e-9);
        }
    }
    let mut sections = found.sections();
    sections.push(errors::by_heuristic(&judged[3]).unwrap());
    insta::assert_snapshot!(shown(sections));
}

#[test]
fn unanswered_rows_leave_nothing_to_examine() {
    let items = [Item { id: "a", gold: Some(Label::Neutral.into()), ..Item::default() }, Item { id: "b", ..Item::default() }];
    let answers = [Answer { key: Key::Id("b".to_string()), prediction: Prediction::of(Label::Neutral), line: 1 }];
    let judged = Scoring::ThreeWay.judge(join(&items, &answers, Missing::CountAsWrong).unwrap()).unwrap();
    let error = doctor::examine(&judged, Label::ALL).unwrap_err();
    assert_eq!(error.to_string(), "none of the 2 examples has a gold label and a prediction");
}
