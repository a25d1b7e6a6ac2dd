//! The audit on small corpora and on the released ones.

use super::*;
use acidtest_nli::{Pair, Sentence, tag};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

fn example(premise: &str, parse: Option<&str>, hypothesis: &str, gold: &str) -> Example<'static> {
    let mut pair = Pair::plain(premise, hypothesis).into_owned();
    pair.premise.binary_parse = parse.map(|parse| parse.to_string().into());
    let gold = acidtest_nli::LabelNames::default().gold(gold).unwrap();
    Example { pair, gold, ..Example::default() }
}

fn stances(finding: HeuristicFinding) -> [Stance; 3] {
    OverlapHeuristic::ALL.map(|heuristic| finding.stance(heuristic))
}

#[test]
fn examples_support_or_contradict_each_heuristic_that_applies() {
    use Stance::{Contradicts, Silent, Supports};
    let mut audit = Audit::new(AuditSettings::default());
    let mut check = |example: &Example<'_>, expected| assert_eq!(stances(audit.add(example)), expected);
    let parse = Some("( ( If ( ( the artist ) slept ) ) ( , ( ( the actor ) ( ran . ) ) ) )");
    let premise = "If the artist slept, the actor ran.";
    check(&example(premise, parse, "The artist slept.", "neutral"), [Contradicts; 3]);
    check(&example(premise, parse, "The actor ran.", "entailment"), [Supports; 3]);
    check(&example(premise, parse, "The actor slept.", "contradiction"), [Contradicts, Silent, Silent]);
    check(&example(premise, None, "The artist slept.", "non-entailment"), [Contradicts; 3]);
    check(&example(premise, None, "The actor", "entailment"), [Supports; 3]);
    check(&example(premise, None, "Slept the actor", "entailment"), [Supports, Supports, Silent]);
    check(&example(premise, Some("( ( broken"), "The artist slept.", "entailment"), [Supports; 3]);
    check(&example(premise, parse, "The actor ran.", "-"), [Silent; 3]);
    check(&example(premise, parse, "The actor sang.", "entailment"), [Silent; 3]);
    let report = audit.finish();
    assert_eq!((report.rows, report.without_gold, report.without_parse), (9, 1, 0));
    assert_eq!((report.parsed_here, report.unreadable_parses), (4, 1));
    let counts: Vec<(u64, u64)> = report.heuristics.iter().map(|table| (table.all.supporting, table.all.contradicting)).collect();
    assert_eq!(counts, [(4, 3), (4, 2), (3, 2)]);
    let labels = [("entailment", 4), ("neutral", 1), ("contradiction", 1), ("non-entailment", 1)];
    assert_eq!(report.heuristics[0].by_label, labels);
}

#[test]
fn without_a_binary_parse_the_published_comparison_has_no_constituents() {
    let mut audit = Audit::new(AuditSettings { matching: Matching::AsPublished, ..Default::default() });
    let finding = audit.add(&example("He ran .", None, "He ran .", "neutral"));
    assert_eq!(stances(finding), [Stance::Contradicts, Stance::Contradicts, Stance::Silent]);
    let report = audit.finish();
    assert_eq!((report.without_parse, report.parsed_here), (1, 0));
}

#[test]
fn examples_in_a_batch_give_the_same_findings_as_alone() {
    let rows = [
        example("If the artist slept, the actor ran.", None, "The artist slept.", "neutral"),
        example("The man sits on a chair.", None, "A chair.", "-"),
        example("The man sits on a chair.", None, "A chair.", "entailment"),
        example("The man sits on a chair.", None, "The man sits", "contradiction"),
    ];
    let (mut together, mut alone) = (Audit::new(AuditSettings::default()), Audit::new(AuditSettings::default()));
    assert_eq!(together.add_all(&rows), rows.iter().map(|row| alone.add(row)).collect::<Vec<_>>());
    assert_eq!(together.finish(), alone.finish());
}

#[test]
fn genres_are_counted_and_ids_are_kept_up_to_a_limit() {
    let mut audit = Audit::new(AuditSettings { kept_ids: 1, ..Default::default() });
    for (genre, gold) in [("travel", "neutral"), ("travel", "entailment"), ("fiction", "neutral")] {
        let mut row = example("He ran.", None, "He ran", gold);
        row.tags.set(tag::GENRE, genre);
        audit.add(&row);
    }
    let mut twice = audit.clone();
    twice.merge(audit.clone());
    let report = audit.finish();
    let genres: Vec<_> =
        report.heuristics[0].by_genre.iter().map(|(genre, counts)| (genre.as_str(), counts.supporting, counts.contradicting)).collect();
    assert_eq!(genres, [("fiction", 0, 1), ("travel", 1, 1)]);
    assert_eq!(report.heuristics[0].contradicting_ids.len(), 1);
    let twice = twice.finish();
    assert_eq!((twice.heuristics[0].all.contradicting, twice.heuristics[0].contradicting_ids.len()), (4, 1));
    assert_eq!(twice.lengths[1].histogram[&2], 4);
}

#[test]
fn label_indicative_words_follow_the_smoothed_counts() {
    let mut audit = Audit::new(AuditSettings { smoothing: 1.0, words_per_label: 1, ..Default::default() });
    for (hypothesis, gold) in [("nobody ran", "contradiction"), ("nobody slept", "contradiction"), ("someone ran", "entailment")] {
        audit.add(&example("x", None, hypothesis, gold));
    }
    let report = audit.finish();
    // Counts with 1 added: nobody (1, 3), ran (2, 2), slept (1, 2), someone (2, 1); by label 6 and 8; 14 in all.
    let (entailment, contradiction) = (&report.cues[0].words[0], &report.cues[1].words[0]);
    assert_eq!((entailment.word.as_str(), contradiction.word.as_str()), ("someone", "nobody"));
    assert!((contradiction.information - f64::ln(3.0 * 14.0 / (4.0 * 8.0))).abs() < 1e-12);
    assert!((entailment.information - f64::ln(2.0 * 14.0 / (3.0 * 6.0))).abs() < 1e-12);
    assert_eq!((contradiction.hypotheses, contradiction.share), (2, 1.0));
}

#[test]
fn negation_and_length_are_counted_by_label() {
    let mut audit = Audit::new(AuditSettings::default());
    for (hypothesis, gold) in [("He isn't here, not here.", "contradiction"), ("Yes.", "contradiction"), ("He is here now.", "entailment")]
    {
        audit.add(&example("x", None, hypothesis, gold));
    }
    let report = audit.finish();
    let negated: Vec<_> = report.negation.iter().map(|row| (row.label, row.negated, row.hypotheses)).collect();
    assert_eq!(negated, [("entailment", 0, 1), ("contradiction", 1, 2)]);
    let word = |name: &str| report.negation_words.iter().find(|row| row.word == name).unwrap().by_label.clone();
    assert_eq!(word("n't"), [("entailment", 0), ("contradiction", 1)]);
    assert_eq!(word("not"), [("entailment", 0), ("contradiction", 1)]);
    assert_eq!((report.lengths[1].mean, report.lengths[1].quartiles), (3.0, [1, 1, 5]));
    assert!(serde_json::to_string(&report).unwrap().contains("\"heuristic\":\"lexical_overlap\""));
}

/// A file of the data folder, if available.
fn data(name: &str) -> Option<Box<dyn BufRead>> {
    let folder = std::env::var_os("ACIDTEST_DATA")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")), PathBuf::from);
    let path = folder.join(name);
    let Ok(file) = std::fs::File::open(&path) else {
        eprintln!("skipped: {} is not there", path.display());
        return None;
    };
    Some(if name.ends_with(".gz") {
        Box::new(BufReader::new(flate2::read::MultiGzDecoder::new(file)))
    } else {
        Box::new(BufReader::new(file))
    })
}

#[test]
fn all_released_contradicting_examples_are_found_as_published() {
    let Some(file) = data("hans/mnli_contradicting_examples.tsv") else { return };
    let mut audit = Audit::new(AuditSettings { matching: Matching::AsPublished, ..Default::default() });
    for line in file.lines() {
        let line = line.unwrap();
        let [premise, hypothesis, gold] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let finding = audit.add(&example(premise, None, hypothesis, gold));
        assert_eq!(finding.stance(OverlapHeuristic::LexicalOverlap), Stance::Contradicts, "{line}");
    }
    assert_eq!(audit.finish().heuristics[0].all, SupportCounts { supporting: 0, contradicting: 261 });
}

#[test]
fn snli_supports_the_heuristics_more_than_it_contradicts_them() {
    for matching in [Matching::Words, Matching::AsPublished] {
        let mut audit = Audit::new(AuditSettings { matching, ..Default::default() });
        let Some(file) = data("snli/snli_1.0_test_even.jsonl.gz") else { return };
        for line in file.lines() {
            let row: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
            let text = |key: &str| row[key].as_str().unwrap().to_string();
            let mut row = example(&text("sentence1"), Some(&text("sentence1_binary_parse")), &text("sentence2"), &text("gold_label"));
            row.pair.premise = Sentence { parse: Some(text("sentence1_parse").into()), ..row.pair.premise };
            audit.add(&row);
        }
        let report = audit.finish();
        assert_eq!((report.rows, report.without_parse), (5000, 0));
        eprintln!("{matching:?}: {:?}", report.heuristics.iter().map(|table| table.all).collect::<Vec<_>>());
        assert!(report.heuristics.iter().all(|table| table.all.supporting > table.all.contradicting));
    }
}
