//! The figures of the SNLI and MultiNLI papers, computed from the corpora.

// The lint exempts unit tests but not helpers of integration tests.
#![allow(clippy::unwrap_used)]

use acidtest_lingua::Tree;
use acidtest_nli::{Example, Label, LabelNames, Pair, Sentence, Tags, Votes, tag};
use acidtest_survey::annotation::{TAGS, TagStatistics};
use acidtest_survey::{AnnotationMode, CorpusStatistics, Share, Statistics, TagTable, annotate, root_label, view};
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The lines of a corpus; none, with a message, if it is missing.
fn lines(name: &str) -> Option<Vec<Value>> {
    let fallback = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let path = std::env::var_os("ACIDTEST_DATA").map_or_else(fallback, PathBuf::from).join(name);
    let Ok(file) = File::open(&path) else {
        eprintln!("skipped: {} is missing (set ACIDTEST_DATA)", path.display());
        return None;
    };
    let lines = BufReader::new(flate2::read::MultiGzDecoder::new(file)).lines();
    Some(lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect())
}

fn example(row: &Value) -> Example<'_> {
    let sentence = |side: u8| {
        let field = |name: &str| row.get(format!("sentence{side}{name}")).and_then(Value::as_str);
        let text = field("").or_else(|| row.get(["premise", "hypothesis"][usize::from(side) - 1])?.as_str()).unwrap();
        Sentence { text: text.into(), parse: field("_parse").map(Into::into), binary_parse: field("_binary_parse").map(Into::into) }
    };
    let names = LabelNames::default();
    let label = |value: &Value| names.gold(value.as_str().unwrap()).unwrap();
    let votes: Vec<Label> =
        row.get("annotator_labels").and_then(Value::as_array).into_iter().flatten().filter_map(|vote| label(vote)?.label()).collect();
    let gold = row.get("gold_label").or_else(|| row.get("label")).and_then(label);
    let pair = Pair { id: "".into(), premise: sentence(1), hypothesis: sentence(2) };
    let mut tags = Tags::default();
    if let Some(genre) = row.get("genre").and_then(Value::as_str) {
        tags.set(tag::GENRE, genre);
    }
    Example { pair, gold, votes: votes.into_iter().collect::<Votes>(), tags, changes: Vec::new() }
}

fn statistics(rows: &[Value]) -> CorpusStatistics {
    let mut statistics = Statistics::default();
    rows.iter().for_each(|row| statistics.add(0, &example(row)));
    statistics.finish()
}

fn tags(rows: &[Value], mode: AnnotationMode) -> TagStatistics {
    let mut table = TagTable::default();
    for row in rows {
        let example = example(row);
        // The published table excludes unlabelled examples.
        if example.gold.is_some() {
            table.add(&annotate(&example, mode), example.gold, None);
        }
    }
    table.finish()
}

/// Compares a share with a percentage as printed in a paper.
#[track_caller]
fn check(share: Share, percent: &str) {
    let found = format!("{:.1}", 100.0 * share.ratio().unwrap());
    assert_eq!(found, percent, "{share:?}");
}

const TRAIN: &str = "snli/snli_1.0_train_100k.jsonl.gz";
const TEST: &str = "snli/snli_1.0_test_even.jsonl.gz";

#[test]
fn training_examples_have_the_lengths_and_roots_of_table_3() {
    let Some(rows) = lines(TRAIN) else { return };
    let found = statistics(&rows);
    assert_eq!(format!("{:.2}", found.total.premise.mean_words.unwrap()), "13.96");
    check(found.total.premise.sentence_parses, "73.6");
    check(found.total.hypothesis.sentence_parses, "88.8");
    assert_eq!((found.total.rows, found.total.labels.unlabelled), (100_000, 110));
    // The paper, on all of SNLI: 2.5 % by deletion, 1.6 % by one word, 29 % over 37 % of overlap.
    let published = found.total.overlap_as_published;
    check(published.deletion, "2.3");
    check(published.addition, "0.8");
    check(published.substitution_or_move, "0.9");
    check(published.high_overlap, "31.6");
}

#[test]
fn test_examples_have_the_agreement_of_table_2() {
    let Some(rows) = lines(TEST) else { return };
    let agreement = statistics(&rows).total.agreement;
    check(agreement.gold_is_author, "91.3");
    check(agreement.no_gold, "2.0");
    check(agreement.unanimous, "53.8");
    check(agreement.individual_is_gold, "87.8");
    check(agreement.individual_is_author, "84.4");
    assert_eq!(agreement.fleiss_kappa.rows, 4_994);
    assert_eq!(format!("{:.4}", agreement.fleiss_kappa.value.unwrap()), "0.6589");
}

#[test]
fn published_tags_have_the_frequencies_of_table_5() {
    let Some(rows) = lines(TEST) else { return };
    let found = tags(&rows, AnnotationMode::AsPublished);
    // The SNLI column of the table is for the whole dev set; this is half of the test set.
    let table = [
        ("pronoun", 34.0),
        ("quantifier", 33.0),
        ("modal", 0.5),
        ("negation", 5.0),
        ("wh-term", 5.0),
        ("belief-verb", 0.5),
        ("time-term", 19.0),
        ("discourse-marker", 0.5),
        ("presupposition-trigger", 8.0),
        ("comparative-superlative", 3.0),
        ("conditional", 4.0),
        ("tense-match", 62.0),
        ("interjection", 0.5),
        ("length-20-up", 0.5),
    ];
    for (name, percent) in table {
        let row = found.tags.iter().find(|row| row.name == name).unwrap();
        let ratio = 100.0 * row.frequency.ratio().unwrap();
        assert!((ratio - percent).abs() < 2.5, "{name}: {ratio:.1} %, the paper has {percent} %");
        assert_eq!(row.unknown, 0, "{name}");
    }
}

#[test]
fn examples_without_parses_are_tagged_by_our_tagger() {
    let Some(rows) = lines("snli/snli_1.0_dev_text.jsonl.gz") else { return };
    let found = tags(&rows, AnnotationMode::Clean);
    assert_eq!(found.tagged_here, found.all.frequency.count);
    assert!(found.tags.iter().all(|row| row.unknown == 0));
    let published = tags(&rows, AnnotationMode::AsPublished);
    assert_eq!(published.tagged_here, 0);
    assert!(published.tags.iter().all(|row| row.unknown == found.all.frequency.count));
}

#[test]
fn our_tagger_finds_the_tags_that_the_parses_have() {
    let Some(rows) = lines(TEST) else { return };
    let mut agree = vec![0; TAGS.len()];
    for row in &rows {
        let mut example = example(row);
        let with_parses = annotate(&example, AnnotationMode::Clean).present();
        for sentence in [&mut example.pair.premise, &mut example.pair.hypothesis] {
            (sentence.parse, sentence.binary_parse) = (None, None);
        }
        let without = annotate(&example, AnnotationMode::Clean).present();
        for (count, tag) in agree.iter_mut().zip(TAGS) {
            *count += usize::from(with_parses.contains(&tag.name) == without.contains(&tag.name));
        }
    }
    for (count, tag) in agree.into_iter().zip(TAGS) {
        let share = count as f64 / rows.len() as f64;
        // The first verb of a caption is often a participle in one reading and a finite verb or noun in the other.
        let least = if tag.name == "tense-match" { 0.85 } else { 0.98 };
        assert!(share >= least, "{}: {:.1} % of the rows agree", tag.name, 100.0 * share);
    }
}

#[test]
fn the_plain_split_counts_nearly_as_many_words_as_the_parser() {
    let Some(rows) = lines(TEST) else { return };
    let (mut parsed, mut plain) = (Statistics::default(), Statistics::default());
    for row in &rows {
        let mut example = example(row);
        parsed.add(0, &example);
        for sentence in [&mut example.pair.premise, &mut example.pair.hypothesis] {
            (sentence.parse, sentence.binary_parse) = (None, None);
        }
        plain.add(0, &example);
    }
    let (parsed, plain) = (parsed.finish().total.premise.words as f64, plain.finish().total.premise.words as f64);
    assert!((plain / parsed - 1.0).abs() < 0.01, "{plain} words of {parsed}");
}

#[test]
fn premises_of_a_genre_are_as_long_as_in_table_3() {
    let Some(rows) = lines("mnli/mnli_dev_matched.jsonl.gz") else { return };
    let found = statistics(&rows);
    for (genre, words) in [("fiction", 14.4), ("government", 24.4), ("slate", 21.4), ("telephone", 25.9), ("travel", 24.9)] {
        let mean = found.by_genre[genre].premise.mean_words.unwrap();
        // The table counts the parser's words of all examples; these are the dev examples with our plain tokenisation.
        assert!((mean - words).abs() < 1.0, "{genre}: {mean:.1} words, the paper has {words}");
    }
    assert_eq!(found.without_genre.rows, 9_815 - 6_937);
}

#[test]
fn a_few_premises_of_snli_occur_in_two_of_its_parts() {
    let parts = [TRAIN, TEST, "snli/snli_1.0_dev_text.jsonl.gz"].map(lines);
    let [Some(train), Some(test), Some(dev)] = parts else { return };
    let mut all = Statistics::default();
    for (file, rows) in [train, test, dev].iter().enumerate().rev() {
        let mut part = Statistics::default();
        rows.iter().for_each(|row| part.add(file, &example(row)));
        all.merge(part);
    }
    let found = all.finish();
    let shared: Vec<_> = found.leakage.between.iter().map(|files| (files.first, files.second, files.premises)).collect();
    assert_eq!(shared, [(0, 1, 1), (0, 2, 4), (1, 2, 1)]);
    assert_eq!(found.leakage.by_file.iter().map(|file| file.rows.count).collect::<Vec<_>>(), [15, 4, 15]);
    assert_eq!((found.duplicates.repeated.count, found.duplicates.with_another_label.count), (120, 25));
}

#[test]
fn scanning_a_parse_finds_the_leaves_of_its_tree() {
    let Some(rows) = lines(TEST) else { return };
    for row in &rows {
        let pair = example(row).pair;
        for sentence in [&pair.premise, &pair.hypothesis] {
            let parse = sentence.parse.as_deref().unwrap();
            let tree = Tree::read(parse).unwrap();
            assert_eq!(view(sentence).leaves(), tree.leaves().collect::<Vec<_>>());
            assert_eq!(root_label(parse), Some(tree.sentence_label()));
        }
    }
}
