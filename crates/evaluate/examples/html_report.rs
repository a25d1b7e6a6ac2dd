//! Writes the HTML report of a made-up model on made-up examples, to look at, to test in a browser and to measure:
//! `cargo run --release -p acidtest-evaluate --example html_report -- 500000 FOLDER`.
//!
//! Sentences are nonsense of the length of those of MultiNLI (111 and 56 letters in the mean, and what the challenges add). The same number of examples gives the same
//! folder.

use acidtest_evaluate::measurement::{Against, Measurement, Metric, SetId, Subject};
use acidtest_evaluate::report::html::{BrowserExample, BrowserPrediction, MisleadingWords, PageForm, ReportPage};
use acidtest_evaluate::report::{Bar, Bars, Cell, CrossTable, Provenance, Report, ReportBlock, ReportInput, Section, SectionId, Text};
use acidtest_evaluate::statistics::Proportion;
use acidtest_nli::{Change, Judgment, Label, Rng, Seed, Side, Tags};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (rows, folder, form) = match arguments.as_slice() {
        [rows, folder] => (rows, folder, PageForm::Folder),
        [rows, folder, form] if form == "--single-file" => (rows, folder, PageForm::SingleFile),
        _ => return Err("usage: html_report EXAMPLES FOLDER [--single-file]".into()),
    };
    let (rows, folder) = (rows.parse::<usize>()?, Path::new(folder));
    let mut counts = Counts::default();
    (0..rows).for_each(|number| counts.add(&MadeUp::row(number)));
    let report = report(&counts, rows as u64);

    std::fs::create_dir_all(folder.join("data"))?;
    let (mut bytes, mut files, mut index) = (0, 0, 0);
    let mut spent = std::time::Duration::ZERO;
    let sink = |path: &str, content: &[u8]| {
        bytes += content.len();
        files += 1;
        index = content.len();
        std::fs::write(folder.join(path), content)
    };
    let mut page = ReportPage::new(&report, form, sink).of_models(MODELS.map(str::to_string));
    // Originals come before what is made of them.
    for place in 0..SETS.len() {
        for number in (place..rows).step_by(SETS.len()) {
            let row = MadeUp::row(number);
            let start = Instant::now();
            row.show(|example| page.add(example))?;
            spent += start.elapsed();
        }
    }
    let start = Instant::now();
    page.finish()?;
    spent += start.elapsed();
    println!(
        "{rows} examples: {files} files, {:.1} MB, of which index.html {:.2} MB, written in {:.2} s",
        bytes as f64 / 1e6,
        index as f64 / 1e6,
        spent.as_secs_f64()
    );
    Ok(())
}

const MODELS: [&str; 2] = ["first", "second"];
const SETS: [&str; 5] = ["mnli", "negation", "word-overlap", "spelling", "hans"];
const GENRES: [&str; 5] = ["fiction", "government", "slate", "telephone", "travel"];
const HEURISTICS: [&str; 3] = ["lexical_overlap", "subsequence", "constituent"];

/// An example with everything that a browser shows.
struct MadeUp {
    set: &'static str,
    id: String,
    premise: String,
    hypothesis: String,
    gold: Judgment,
    answer: Judgment,
    /// The prediction for the original.
    clean: Judgment,
    /// What another model predicts.
    second: Judgment,
    parent: Option<String>,
    scores: [f64; 3],
    tags: Tags<'static>,
    changes: Vec<Change>,
    misled: Option<MisleadingWords>,
}

impl MadeUp {
    fn row(number: usize) -> Self {
        let mut rng = Seed::new(1).child(&number.to_string()).rng();
        let set = SETS[number % SETS.len()];
        let label = Label::ALL[rng.below(3)];
        let mut row = MadeUp {
            set,
            id: format!("{}{}", 10_000 + number, ["e", "n", "c"][label.index()]),
            premise: sentence(&mut rng, 92),
            hypothesis: sentence(&mut rng, 38),
            gold: label.into(),
            answer: label.into(),
            clean: label.into(),
            second: Label::ALL[number / SETS.len() % 3].into(),
            parent: None,
            scores: [0.0; 3],
            tags: Tags::default(),
            changes: Vec::new(),
            misled: None,
        };
        let mut error = 0.15;
        let original = PERTURBED.contains(&set).then(|| MadeUp::row(number / SETS.len() * SETS.len()));
        if let Some(original) = &original {
            row.premise = original.premise.clone();
            row.hypothesis = original.hypothesis.clone();
            row.gold = original.gold;
        }
        match set {
            "hans" => {
                let heuristic = rng.below(3);
                let subcase = rng.below(10);
                row.tags.set("heuristic", HEURISTICS[heuristic]);
                row.tags.set("subcase", format!("{}{}_{}", &HEURISTICS[heuristic][..1], ["n", "e"][subcase / 5], SUBCASES[subcase]));
                row.tags.set("template", format!("temp{}", 10 * heuristic + subcase));
                row.gold = if subcase < 5 { Judgment::NotEntailment } else { Label::Entailment.into() };
                error = if subcase < 5 { 0.95 - 0.07 * (subcase + heuristic) as f64 } else { 0.03 };
            }
            _ => {
                let genre = GENRES[rng.below(5)];
                let genre = original.as_ref().and_then(|original| original.tags.get("genre")).unwrap_or(genre).to_string();
                row.tags.set("genre", genre);
            }
        }
        let insertion = match set {
            "negation" => " and false is not true",
            "word-overlap" => " and true is true",
            _ => "",
        };
        if !insertion.is_empty() {
            let start = row.hypothesis.chars().count() - 1;
            row.hypothesis.insert_str(row.hypothesis.len() - 1, insertion);
            row.changes.push(Change { side: Side::Hypothesis, start, end: start + insertion.len(), before: String::new(), from: None });
            error = 0.38;
        }
        if set == "spelling" {
            let word = row.premise.split(' ').nth(1).unwrap_or("it").to_string();
            let start = row.premise.find(' ').map_or(0, |at| at + 1);
            let swapped: String = word.chars().rev().collect();
            row.premise.replace_range(start..start + word.len(), &swapped);
            row.changes.push(Change { side: Side::Premise, start, end: start + word.len(), before: word, from: None });
            error = 0.27;
        }
        // Text that would be markup must be shown as it is.
        if number == 7 {
            row.premise = "<script>document.title = 'owned'</script> & \"quotes\" <b>bold</b> are text.".to_string();
            row.tags.set("genre", "<img src=x onerror=alert(1)>");
        }
        row.answer(error, &mut rng);
        if let Some(original) = original {
            row.tags.set("challenge", set);
            row.tags.set("parent", original.id.clone());
            (row.clean, row.parent) = (original.answer, Some(original.id));
        }
        if set == "mnli" && number.is_multiple_of(4) && label != Label::Entailment {
            row.tags.set("lexical-overlap heuristic", "wrong");
        }
        if set == "mnli" && number.is_multiple_of(50) {
            let toward = Label::ALL[(label.index() + 1) % 3];
            row.tags.set("misleading", "CS_0.5");
            let features = [("not", 2.31), ("(sitting, <b>standing</b>)", 1.2), ("standing", 0.4)];
            let features = features.map(|(feature, push)| (feature.to_string(), push)).to_vec();
            let mut probabilities = [0.2; 3];
            probabilities[toward.index()] = 0.6;
            row.misled = Some(MisleadingWords { score: 0.6, toward, probabilities, features });
        }
        row
    }

    fn answer(&mut self, error: f64, rng: &mut Rng) {
        let right = self.gold.label().unwrap_or(Label::Neutral);
        let other = Label::ALL[(right.index() + 1 + rng.below(2)) % 3];
        let chosen = match (rng.unit() < error, self.gold) {
            (false, _) => right,
            (true, Judgment::NotEntailment) => Label::Entailment,
            (true, _) => other,
        };
        let sure = 0.4 + 0.59 * rng.unit();
        let rest = (1.0 - sure) * rng.unit();
        self.scores = [(1.0 - sure) - rest; 3];
        self.scores[(chosen.index() + 1) % 3] = rest;
        self.scores[chosen.index()] = sure;
        let two_way = self.set == "hans" && chosen != Label::Entailment;
        self.answer = if two_way { Judgment::NotEntailment } else { chosen.into() };
    }

    fn is_right(&self) -> bool {
        self.gold == self.answer
    }

    fn show<T>(&self, take: impl FnOnce(BrowserExample<'_>) -> T) -> T {
        let changed = self.parent.as_ref().map(|_| self.clean != self.answer);
        let first =
            BrowserPrediction { answer: Some(self.answer), right: Some(self.is_right()), changed, scores: Some(self.scores.into()) };
        let right = Some(self.gold == self.second);
        let second = BrowserPrediction { answer: Some(self.second), right, changed: changed.map(|_| false), scores: None };
        take(BrowserExample {
            set: self.set,
            id: &self.id,
            parent: self.parent.as_deref(),
            premise: &self.premise,
            hypothesis: &self.hypothesis,
            gold: Some(self.gold),
            predictions: &[first, second],
            tags: &self.tags,
            changes: &self.changes,
            misled: self.misled.as_ref(),
        })
    }
}

/// The sets that are made from the first.
const PERTURBED: [&str; 3] = ["negation", "word-overlap", "spelling"];

const SUBCASES: [&str; 10] = [
    "subject/object_swap",
    "preposition",
    "relative_clause",
    "passive",
    "conjunction",
    "around_prepositional_phrase",
    "around_relative_clause",
    "conjunction",
    "relative_clause",
    "passive",
];
const WORDS: [&str; 56] = [
    "the",
    "of",
    "a",
    "and",
    "to",
    "in",
    "that",
    "it",
    "was",
    "is",
    "for",
    "on",
    "as",
    "with",
    "his",
    "by",
    "at",
    "from",
    "which",
    "had",
    "museum",
    "government",
    "people",
    "report",
    "village",
    "island",
    "service",
    "program",
    "analysis",
    "question",
    "century",
    "morning",
    "looked",
    "turned",
    "provides",
    "considered",
    "remember",
    "believe",
    "opened",
    "visited",
    "required",
    "described",
    "small",
    "ancient",
    "federal",
    "important",
    "local",
    "beautiful",
    "never",
    "almost",
    "quickly",
    "however",
    "already",
    "because",
    "street",
    "costs",
];

/// Words until they have at least so many letters, and often some more.
fn sentence(rng: &mut Rng, letters: usize) -> String {
    let length = letters / 2 + rng.below(letters) + usize::from(rng.below(12) == 0) * letters;
    let mut sentence = "The".to_string();
    while sentence.len() < length + 8 {
        sentence.push(' ');
        sentence.push_str(WORDS[rng.below(WORDS.len())]);
    }
    sentence + "."
}

/// What the report counts.
#[derive(Default)]
struct Counts {
    sets: BTreeMap<&'static str, Proportion>,
    subcases: BTreeMap<(String, String), Proportion>,
    confusion: [[u64; 3]; 3],
    flips: [[u64; 3]; 3],
}

impl Counts {
    fn add(&mut self, row: &MadeUp) {
        count(self.sets.entry(row.set).or_insert(Proportion { count: 0, total: 0 }), row.is_right());
        if let (Some(heuristic), Some(subcase)) = (row.tags.get("heuristic"), row.tags.get("subcase")) {
            let key = (heuristic.to_string(), subcase.to_string());
            count(self.subcases.entry(key).or_insert(Proportion { count: 0, total: 0 }), row.is_right());
        }
        if let (Some(gold), Some(answer), Some(clean)) = (row.gold.label(), row.answer.label(), row.clean.label()) {
            self.confusion[gold.index()][answer.index()] += 1;
            self.flips[clean.index()][answer.index()] += u64::from(!row.changes.is_empty());
        }
    }
}

fn count(proportion: &mut Proportion, right: bool) {
    proportion.count += u64::from(right);
    proportion.total += 1;
}

fn report(counts: &Counts, rows: u64) -> Report {
    let section = |name: &'static str, title: &str, note: &str, block: ReportBlock| {
        Section::new(
            SectionId::from(name.to_string()),
            title,
            Some(note.to_string()).filter(|note| !note.is_empty()).into_iter().collect(),
            vec![block],
        )
    };
    let sets = counts.sets.iter().map(|(set, right)| vec![Cell::text(*set), Cell::Count { count: right.total }, Cell::rate(*right)]);
    let subcases = counts.subcases.iter().map(|((heuristic, subcase), right)| {
        vec![Cell::text(heuristic), Cell::text(subcase), Cell::Count { count: right.total }, Cell::rate(*right)]
    });
    let share = |count, total| Cell::rate(Proportion { count, total });
    let bar = |label: &str, value: Cell| Bar { label: label.to_string(), value };
    let follows = vec![
        bar("lexical overlap", share(1_938, 2_000)),
        bar("subsequence", share(1_702, 2_000)),
        bar("negation word means contradiction", share(412, 900)),
        bar("hypothesis only", share(301, 900)),
    ];
    let drops = ["negation", "word-overlap", "spelling"].iter().zip([-23.1, -22.8, 1.4]);
    let drops = drops.map(|(set, drop)| bar(set, Cell::Number { value: drop, digits: 1 })).collect();
    let compared = ["mnli", "negation", "hans"].map(|set| {
        let of = |count| share(count, 2_000);
        vec![Cell::text(set), of(1_690), of(1_655), of(1_702), Cell::Number { value: 0.0123, digits: 4 }, Cell::text("tied")]
    });
    let rate = |set: &str| counts.sets.get(set).and_then(|right| right.rate()).map_or(0.0, |rate| 100.0 * rate);
    let lead = format!(
        "The model is right in {:.1} % of the original examples and in {:.1} % when negation adds a tautology.",
        rate("mnli"),
        rate("negation")
    );
    let mut verdict = section("verdict", "Verdict", "", sentence_block(&lead));
    let findings = [
        "It predicts entailment for 96.9 % [96.0, 97.6] of the non-entailed pairs with full lexical overlap.",
        "The most frequent error is predicting neutral for entailment: 412 examples (21.0 % of 1,962 errors).",
        "first is significantly better than second by 40.2 points [38.9, 41.5] (p < 0.001).",
    ];
    verdict.blocks.extend(findings.map(sentence_block));
    let mut diagnosis = section(
        "diagnosis",
        "Shortcut diagnosis",
        "",
        ReportBlock::Bars(Bars { measure: "follows the heuristic where it is wrong".to_string(), bars: follows }),
    )
    .captioned(["How often the model predicts the heuristic's label on examples where the heuristic is wrong.".to_string()]);
    diagnosis.notes.push("On non-entailed pairs with full overlap, first follows the lexical-overlap heuristic in 15.1 %.".to_string());
    diagnosis.blocks.push(sentence_block("A model that understood would be near 0 %; one that takes the shortcut, near 100 %."));
    let stressed = |model: &str| {
        let row = |set: &&str| vec![Cell::text(*set), Cell::Number { value: 12.5, digits: 1 }];
        let table = ReportBlock::table(&["challenge"], &["drop"], PERTURBED.iter().map(row).collect());
        section("original vs perturbed", "Original vs. perturbed", "negation drops by 12.5 points.", table).of_model(model)
    };
    let mut report = Report::new(
        "A made-up model on made-up stress tests",
        Provenance {
            tool_version: "0.1.0".to_string(),
            command: format!("html_report {rows}"),
            seeds: [("rows".to_string(), 1)].into(),
            inputs: vec![ReportInput {
                role: "data".to_string(),
                path: "nonsense.jsonl".to_string(),
                rows,
                hash: "xxh3:0123456789abcdef".to_string(),
                ..ReportInput::default()
            }],
            options: [("scoring".to_string(), "three-way".to_string())].into(),
        },
        vec![
            verdict,
            section(
                "sets",
                "All sets",
                "Intervals are 95 % Wilson score intervals.",
                ReportBlock::table(&["set"], &["n", "accuracy"], sets.collect()),
            ),
            section(
                "by heuristic,subcase",
                "By heuristic and subcase",
                "",
                ReportBlock::table(&["heuristic", "subcase"], &["n", "accuracy"], subcases.collect()),
            ),
            section("confusion", "Confusion matrix", "Three-way examples alone.", matrix("gold", "prediction", &counts.confusion)),
            section(
                "flips",
                "Prediction changes",
                "Predictions for the original example and for the perturbed one.",
                matrix("original", "perturbed", &counts.flips),
            ),
            section("drops", "Drops", "", ReportBlock::Bars(Bars { measure: "paired difference in points".to_string(), bars: drops })),
            diagnosis,
            section(
                "comparison",
                "Comparison of three models",
                "",
                ReportBlock::table(&["set"], &["first", "second", "third", "p (Holm)", "verdict"], compared.to_vec()),
            ),
            stressed("first"),
            stressed("second"),
        ],
    );
    report.measure(measured(counts));
    report
}

/// The accuracy of both models on every set, and what the challenges cost the first.
fn measured(counts: &Counts) -> Vec<Measurement> {
    let set = |name: &str| SetId { name: name.to_string(), group: Vec::new(), hash: "none".to_string() };
    let mut measured = Vec::new();
    for (name, right) in &counts.sets {
        for model in MODELS {
            let accuracy = Subject { model, set: &set(name), scoring: None }.share(Metric::Accuracy, *right);
            measured.extend(accuracy);
        }
        let rates = counts.sets.get("mnli").and_then(|clean| clean.rate()).zip(right.rate());
        if let Some((before, after)) = rates.filter(|_| PERTURBED.contains(name)) {
            let drop = Subject { model: "first", set: &set(name), scoring: None }.number(Metric::Drop, before - after).tested(0.0001);
            measured.push(Measurement { against: Some(Against::Set(set("mnli"))), ..drop });
        }
    }
    let all = Subject { model: MODELS[0], set: &set("mnli"), scoring: None }.number(Metric::Difference, 0.402).tested(0.0001);
    measured.push(Measurement { against: Some(Against::Model(MODELS[1].to_string())), ..all });
    measured
}

fn sentence_block(text: &str) -> ReportBlock {
    ReportBlock::Text(Text { text: text.to_string() })
}

fn matrix(row_title: &str, column_title: &str, counts: &[[u64; 3]; 3]) -> ReportBlock {
    let names = || Label::ALL.map(|label| label.name().to_string()).to_vec();
    let cells = counts.iter().map(|row| row.map(|count| Cell::Count { count }).to_vec()).collect();
    let (row_title, column_title) = (row_title.to_string(), column_title.to_string());
    ReportBlock::Matrix(CrossTable { row_title, column_title, row_names: names(), column_names: names(), cells })
}
