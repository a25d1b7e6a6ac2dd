//! Times the way from 30,000 rows and answers to a report: `cargo run --release -p acidtest-evaluate --example score_speed`.

use acidtest_evaluate::measurement::SetId;
use acidtest_evaluate::report::{Evaluation, Provenance, evaluation_report, json, terminal};
use acidtest_evaluate::{Item, Missing, Scoring, join};
use acidtest_nli::{Answer, Example, Judgment, Key, Label, Prediction};
use std::time::Instant;

const ROWS: usize = 30_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let examples: Vec<Example<'static>> = (0..ROWS).map(example).collect();
    let items: Vec<Item<'_>> = examples.iter().map(Item::of).collect();
    // The answers come in another order: 7,919 is prime, so every row comes up once.
    let answers: Vec<Answer> = (0..ROWS).map(|at| answer(at * 7_919 % ROWS, at as u64)).collect();
    let set = SetId::of("all", Vec::new(), &examples);
    let by = [vec!["subcase".to_string()], vec!["heuristic".to_string(), "gold".to_string()]];
    let mut times: [Vec<f64>; 4] = Default::default();
    for _ in 0..21 {
        let start = Instant::now();
        let joined = join(&items, &answers, Missing::Refuse)?;
        let after_join = Instant::now();
        let judged = Scoring::MergedAnswers.judge(joined)?;
        let after_judge = Instant::now();
        let report = evaluation_report(Evaluation {
            title: String::new(),
            model: "model",
            set: &set,
            judged: &judged,
            by: &by,
            provenance: Provenance::default(),
        })?;
        let after_report = Instant::now();
        let length = json::render(&report).len()
            + terminal::render(
                &report,
                terminal::TerminalOptions { width: 120, style: terminal::TerminalStyle::Coloured, ..terminal::TerminalOptions::default() },
            )
            .len();
        std::hint::black_box(length);
        let stops = [start, after_join, after_judge, after_report, Instant::now()];
        for (times, stop) in times.iter_mut().zip(stops.windows(2)) {
            times.push((stop[1] - stop[0]).as_secs_f64() * 1e3);
        }
    }
    for (name, times) in ["join", "judge", "report with two breakdowns", "render JSON and terminal"].iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        println!("{name}: median {:.2} ms of {} runs", times[times.len() / 2], times.len());
    }
    Ok(())
}

fn example(row: usize) -> Example<'static> {
    let gold = if row.is_multiple_of(2) { Label::Entailment.into() } else { Judgment::NotEntailment };
    let mut example = Example { gold: Some(gold), ..Example::default() };
    example.pair.id = format!("ex{row}").into();
    example.pair.premise.text = format!("premise {}", row / 10).into();
    example.tags.set("heuristic", ["lexical_overlap", "subsequence", "constituent"][row % 3]);
    example.tags.set("subcase", format!("subcase{}", row % 30));
    example
}

fn answer(row: usize, line: u64) -> Answer {
    Answer { key: Key::Id(format!("ex{row}")), prediction: Prediction::of(Label::ALL[row % 7 % 3]), line }
}
