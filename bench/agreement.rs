//! Compares our tagger and parser with the parses of a corpus, and measures rows per second without parses:
//! `cargo bench -p acidtest-survey --bench agreement -- FILE.jsonl.gz`.
//!
//! Prints, for each annotation tag of MultiNLI, the share of rows on which both agree; for hypotheses that are a contiguous subsequence of their
//! premise, which are constituents by the corpus's parse and which by ours; and rows per second of `corpus tags` and `corpus audit` on one thread,
//! without loading the models.

use acidtest_lingua::Tree;
use acidtest_lingua::analyzer::Analyzer;
use acidtest_lingua::overlap::{is_parsed_phrase, is_phrase, is_run, words};
use acidtest_nli::{Example, LabelNames, Pair, Sentence};
use acidtest_survey::annotation::TAGS;
use acidtest_survey::audit::{Audit, AuditSettings};
use acidtest_survey::{AnnotationMode, TagTable, annotate};
use std::io::{BufRead, BufReader};
use std::time::Instant;

fn main() {
    let Some(path) = std::env::args().skip(1).find(|argument| !argument.starts_with("--")) else {
        return println!("pass a JSONL corpus with parses (.gz), such as snli_1.0_test.jsonl.gz");
    };
    let file = std::fs::File::open(&path).expect("the corpus can be opened");
    let lines = BufReader::new(flate2::read::MultiGzDecoder::new(file)).lines();
    let parsed: Vec<Example<'static>> = lines.map(|line| example(&line.expect("text"))).collect();
    let plain: Vec<Example<'static>> = parsed.iter().map(without_parses).collect();
    println!("{path}: {} rows", parsed.len());
    tags(&parsed, &plain);
    constituents(&parsed);
    speeds(&plain);
}

fn tags(parsed: &[Example<'_>], plain: &[Example<'_>]) {
    let mut agree = vec![0; TAGS.len()];
    let mut counts = vec![(0, 0); TAGS.len()];
    for (parsed, plain) in parsed.iter().zip(plain) {
        let (theirs, ours) = (annotate(parsed, AnnotationMode::Clean).present(), annotate(plain, AnnotationMode::Clean).present());
        for (at, tag) in TAGS.iter().enumerate() {
            let (theirs, ours) = (theirs.contains(&tag.name), ours.contains(&tag.name));
            agree[at] += usize::from(theirs == ours);
            counts[at].0 += usize::from(theirs);
            counts[at].1 += usize::from(ours);
        }
    }
    println!("{:<26} {:>10} {:>10} {:>10}", "tag", "by parse", "by tagger", "agree");
    for ((tag, agree), (theirs, ours)) in TAGS.iter().zip(agree).zip(counts) {
        println!("{:<26} {theirs:>10} {ours:>10} {:>8.2} %", tag.name, 100.0 * agree as f64 / parsed.len() as f64);
    }
}

fn constituents(parsed: &[Example<'_>]) {
    let (mut both, mut theirs_alone, mut ours_alone, mut neither) = (0u32, Vec::new(), Vec::new(), 0u32);
    for example in parsed {
        let (premise, part) = (&example.pair.premise, words(&example.pair.hypothesis.text));
        if !is_run(&part, &words(&premise.text)) {
            continue;
        }
        let Some(tree) = premise.parse.as_deref().and_then(|parse| Tree::read(parse).ok()) else { continue };
        let line = format!("{} | {}", premise.text, example.pair.hypothesis.text);
        match (is_phrase(&part, &tree), is_parsed_phrase(&part, &Analyzer::shared().analyze(&premise.text))) {
            (true, true) => both += 1,
            (true, false) => theirs_alone.push(line),
            (false, true) => ours_alone.push(line),
            (false, false) => neither += 1,
        }
    }
    let share = |part: u32, rest: usize| 100.0 * f64::from(part) / (part as usize + rest).max(1) as f64;
    let rows = both as usize + neither as usize + theirs_alone.len() + ours_alone.len();
    println!("constituents among {rows} hypotheses that are a contiguous subsequence of their premise:");
    println!("  both {both}, only by the corpus {}, only by ours {}, neither {neither}", theirs_alone.len(), ours_alone.len());
    println!(
        "  precision {:.1} %, recall {:.1} %, agree {:.1} %",
        share(both, ours_alone.len()),
        share(both, theirs_alone.len()),
        share(both + neither, theirs_alone.len() + ours_alone.len())
    );
    for (name, lines) in [("parse alone", &theirs_alone), ("ours alone", &ours_alone)] {
        lines.iter().take(12).for_each(|line| println!("  {name}: {line}"));
    }
}

fn speeds(plain: &[Example<'_>]) {
    let start = Instant::now();
    let mut table = TagTable::default();
    plain.iter().for_each(|example| table.add(&annotate(example, AnnotationMode::Clean), example.gold, None));
    println!("corpus tags without parses: {:.0} rows/s ({} tagged)", rate(plain, start), table.finish().tagged_here);
    let start = Instant::now();
    let mut audit = Audit::new(AuditSettings::default());
    plain.chunks(256).for_each(|rows| drop(audit.add_all(rows)));
    println!("corpus audit without parses: {:.0} rows/s ({} by our parser)", rate(plain, start), audit.finish().parsed_here);
}

fn rate(rows: &[Example<'_>], start: Instant) -> f64 {
    rows.len() as f64 / start.elapsed().as_secs_f64()
}

fn without_parses(example: &Example<'static>) -> Example<'static> {
    let mut plain = example.clone();
    for sentence in [&mut plain.pair.premise, &mut plain.pair.hypothesis] {
        (sentence.parse, sentence.binary_parse) = (None, None);
    }
    plain
}

fn example(line: &str) -> Example<'static> {
    let row: serde_json::Value = serde_json::from_str(line).expect("a JSON object");
    let text = |key: &str| row[key].as_str().map(|text| text.to_string().into());
    let sentence = |n: u8| Sentence {
        text: text(&format!("sentence{n}")).unwrap_or_default(),
        parse: text(&format!("sentence{n}_parse")),
        binary_parse: text(&format!("sentence{n}_binary_parse")),
    };
    let pair = Pair { id: text("pairID").unwrap_or_default(), premise: sentence(1), hypothesis: sentence(2) };
    let gold = LabelNames::default().gold(row["gold_label"].as_str().unwrap_or("-")).expect("a label");
    Example { pair, gold, ..Example::default() }
}
