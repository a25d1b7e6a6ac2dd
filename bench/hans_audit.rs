//! The audit's table of heuristics and its rows per second on a JSONL corpus:
//! `cargo bench -p acidtest-survey --bench hans_audit -- FILE.jsonl.gz`.

use acidtest_lingua::overlap::Matching;
use acidtest_nli::{Example, LabelNames, Pair, Sentence, tag};
use acidtest_survey::audit::{Audit, AuditSettings};
use std::io::{BufRead, BufReader};
use std::time::Instant;

fn main() {
    let Some(path) = std::env::args().skip(1).find(|argument| !argument.starts_with("--")) else {
        return println!("pass a JSONL corpus (.gz) to audit");
    };
    let file = std::fs::File::open(&path).expect("the corpus can be opened");
    let rows: Vec<Example<'static>> =
        BufReader::new(flate2::read::MultiGzDecoder::new(file)).lines().map(|line| example(&line.expect("text"))).collect();
    for matching in [Matching::Words, Matching::AsPublished] {
        let start = Instant::now();
        let mut audit = Audit::new(AuditSettings { matching, words_per_label: 8, ..Default::default() });
        for row in &rows {
            audit.add(row);
        }
        let seconds = start.elapsed().as_secs_f64();
        let report = audit.finish();
        println!(
            "{path}, {matching:?}: {:.0} rows/s, {} without gold, {} without parse",
            rows.len() as f64 / seconds,
            report.without_gold,
            report.without_parse
        );
        for table in &report.heuristics {
            println!(
                "  {:<16} supporting {:>6}  contradicting {:>5}  {:?}",
                table.heuristic.name(),
                table.all.supporting,
                table.all.contradicting,
                table.by_label
            );
        }
        if matching == Matching::AsPublished {
            for cues in &report.cues {
                let words: Vec<String> = cues.words.iter().map(|cue| format!("{} {:.2}", cue.word, cue.information)).collect();
                println!("  {:<14} {}", cues.label, words.join(", "));
            }
            for (negation, length) in report.negation.iter().zip(&report.lengths) {
                println!("  {:<14} negated {:.1} %, mean length {:.2}", negation.label, 100.0 * negation.share, length.mean);
            }
        }
    }
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
    let mut example = Example { pair, gold, ..Example::default() };
    if let Some(genre) = row["genre"].as_str() {
        example.tags.set(tag::GENRE, genre.to_string());
    }
    example
}
