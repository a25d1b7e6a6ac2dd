//! Pins the output of every verb: digests of what the program prints and writes, compared with `digests.txt`.
//!
//! A case is a command and one of its outputs: standard output (`-> stdout`) or a file (`-> FILE`). Commands of a story run one after the other in
//! their own folder; stories run in parallel. Standard error is not pinned. Before an output is hashed:
//!
//! - the version of the program is replaced by a dash on lines that contain it (`tool_version`, the line `version` of a report);
//! - the command in a report is replaced by a dash, as the case is named after it;
//! - the checksum of a report is replaced by a dash, as it covers version and command;
//! - Parquet files and compressed files are excluded, as their bytes depend on libraries; a later command of the story reads them back;
//! - the output of a training is excluded, as it contains time and memory;
//! - predictions of the embedded network lose their scores, as rounding may differ between processors.
//!
//! A report in JSON has a second case, `-> numbers`: only its numbers, sorted, which stay the same when wording or order of sections changes.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

#[allow(dead_code, reason = "commands may end with 3 here, which the other helper refuses")]
mod common;

use common::run;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use xxhash_rust::xxh3::xxh3_64;

/// How to accept changed digests.
const ACCEPT: &str = "ACIDTEST_DIGESTS=write cargo test -p acidtest --test digests";

/// The names are listed here, not taken from the catalogs, so that none can disappear unnoticed. A new name changes the digest of `list`.
const CHALLENGES: [&str; 8] = [
    "word-overlap",
    "negation",
    "length-mismatch",
    "tautology",
    "spelling-swap",
    "spelling-keyboard",
    "spelling-swap-content",
    "spelling-swap-function",
];
const FORMATS: [&str; 11] = ["acidtest", "multinli", "multinli-text", "hans", "glue", "hf", "csv", "tsv", "parquet", "anli", "sick"];
const MODELS: [&str; 3] = ["majority", "overlap", "negation-word"];
const CORPORA: [&str; 2] = ["sample", "parsed"];

const SENTENCES: &str = "\
The old man saw two dogs in the park.
Mary didn't pay $2.5 million in London, did she?
\"We can't wait,\" Okafor said on Tuesday.
The doctors who the lawyer thanked slept.
Nobody was told that 37% of the boats had been sold.

If it rains, the children will run home. They won't stay!
THE REPORT OF 1997 FOUND NOTHING.
The café near São Bento serves crème brûlée 🙂 until midnight.
He's the mayor's brother, isn't he?
Running quickly, she passed three-quarters of them (1/2 of the girls).
Fish
";

const RUNS: &str = "run,dev,ln_passive,sn_NP/S\n1,0.84,0.1,0.2\n2,0.85,0.5,0.2\n3,0.83,0.4,0.7\nmean,0.84,0.33,0.37\n";

/// The commands of every story. Spaces separate arguments; `~` stands for a space within one.
fn stories() -> Vec<Vec<String>> {
    let mut stories = Vec::new();
    for corpus in CORPORA {
        let mut sets = Vec::new();
        for mode in ["", " --as-published"] {
            let folder = if mode.is_empty() { "clean" } else { "published" };
            let one = |name: &str| format!("challenge {name} --from {corpus}.jsonl -o -{mode}");
            sets.extend(CHALLENGES.map(one));
            sets.push(format!("challenge all --from {corpus}.jsonl -o {folder}{mode}"));
        }
        sets.push(format!("challenge spelling-swap --from {corpus}.jsonl -o - --seed 7"));
        sets.push(format!("challenge negation --from {corpus}.jsonl -o - --to multinli"));
        sets.push(format!("challenge tautology --from {corpus}.jsonl -o - --set statement=snow~is~white"));
        stories.push(sets);
    }
    stories.extend([hans(), lexical()]);
    for corpus in CORPORA {
        stories.push(conversions(corpus));
        stories.push(surveys(corpus));
        stories.push(answers(corpus));
    }
    stories.push(models_under_stress());
    stories.push(gates());
    stories.push(reviews());
    stories.push(others());
    stories
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim().to_string()).filter(|line| !line.is_empty()).collect()
}

fn reviews() -> Vec<String> {
    lines(
        "
        review sample.jsonl -n 20 -o sheets
        review sample.jsonl -n 5 --questions grammar --judges 1 --seed 2 -o grammar
        ",
    )
}

fn hans() -> Vec<String> {
    let mut story = Vec::new();
    for mode in ["", " --as-published"] {
        for (amount, output) in [("per_subcase=5", "set.jsonl"), ("per_subcase=5", "set.txt"), ("per_category=3", "set.jsonl")] {
            story.push(format!("challenge hans --set {amount} -o {output}{mode}"));
        }
        story.push(format!("challenge hans --count --format json{mode}"));
        story.push(format!("challenge hans --set grammar=own.grammar --set per_subcase=all -o own.jsonl{mode}"));
    }
    story.extend(lines(
        "
        challenge hans --set per_subcase=5 -o - --seed 2
        challenge hans --set per_subcase=3 -o - --to multinli-text
        challenge hans --set per_subcase=4 -o - --set subcases=ln_passive,cn_adverb
        challenge hans --set per_subcase=2 -o - --set withhold=ln_passive
        challenge hans --set per_subcase=2 -o plain.txt
        challenge hans --set per_subcase=5 --set subcases=ln_conjunction,cn_adverb --frames-from sample.jsonl -o frequent.jsonl
        challenge hans --set per_subcase=2 -o - --exclude plain.txt
        corpus convert plain.txt --to glue -o lost.tsv
        challenge identify lost.tsv -o found.jsonl --format json
        evaluate --data plain.txt --model overlap --by heuristic,gold --by subcase --format json
        corpus audit plain.txt --format json
        ",
    ));
    story
}

/// A lexical model and the commands that use it.
fn lexical() -> Vec<String> {
    lines(
        "
        train --model lexical --train sample.jsonl --dev parsed.jsonl --set folds=5 --set penalty=0.1 -o words
        train --model hypothesis-only --train sample.jsonl --set folds=3 -o hypothesis
        train --model premise-only --train parsed.jsonl -o premise --seed 2
        predict --model words --data parsed.jsonl
        predict --model words --data sample.jsonl -o sample.csv
        predict --model hypothesis --data parsed.jsonl
        predict --model hypothesis --data sample.jsonl -o hypothesis.csv
        predict --model premise --data parsed.jsonl
        challenge compositional --lexical words --set lambda=0.5 --from sample.jsonl -o misleading.jsonl
        challenge compositional --lexical words --set lambda=0.4 --from parsed.jsonl -o -
        lexical score sample.jsonl --model words --rows scores.jsonl --format json
        lexical score parsed.jsonl --model words --lambda 0.4 --rows scores.csv
        lexical explain parsed.jsonl --model words
        lexical explain parsed.jsonl --model hypothesis --format json
        lexical explain --model words --premise A~man~sleeps. --hypothesis Nobody~sleeps. --gold contradiction
        evaluate --data sample.jsonl --model words --lexical words --format json
        compare sample.csv hypothesis.csv --data sample.jsonl --lexical words --format json --no-doctor
        ",
    )
}

fn conversions(corpus: &str) -> Vec<String> {
    let input = |format: &str| match format {
        // These formats have no way to mark an unlabelled example.
        "anli" | "hans" => format!("{corpus}-labelled.jsonl"),
        // These formats cannot contain a tab.
        "multinli-text" | "glue" | "sick" => format!("{corpus}-flat.jsonl"),
        _ => format!("{corpus}.jsonl"),
    };
    let mut story = Vec::new();
    for format in FORMATS {
        story.push(format!("corpus convert {} --to {format} -o {corpus}-rows.{format}", input(format)));
        story.push(format!("corpus convert {corpus}-rows.{format} -o back-from-{format}.jsonl"));
    }
    for ending in ["gz", "zst"] {
        story.push(format!("corpus convert {corpus}.jsonl -o {corpus}-rows.jsonl.{ending}"));
        story.push(format!("corpus convert {corpus}-rows.jsonl.{ending} -o -"));
    }
    story.push(format!("corpus sample 20 {corpus}.jsonl"));
    story.push(format!("corpus sample 7 {corpus}.jsonl --seed 2 --to hf"));
    story.push(format!("corpus split {corpus}.jsonl --part train=0.7 --part dev=5 -o parts"));
    story.push(format!("corpus split {corpus}.jsonl --by genre -o genres"));
    story
}

fn surveys(corpus: &str) -> Vec<String> {
    let mut story = Vec::new();
    for form in ["terminal", "json"] {
        story.push(format!("corpus stats {corpus}.jsonl --format {form}"));
        story.push(format!("corpus frames {corpus}.jsonl --format {form}"));
        story.push(format!("corpus audit {corpus}.jsonl --contradicting contradicting.jsonl --format {form}"));
        story.push(format!("corpus tags {corpus}.jsonl --rows tagged.jsonl --format {form}"));
    }
    story.push(format!("corpus audit {corpus}.jsonl --as-published --smoothing 1 --list 3 --words 4 --format json"));
    story.push(format!("corpus tags {corpus}.jsonl --as-published --rows tagged-as-published.jsonl --format json"));
    story
}

/// Predictions of reference models, and the commands that read them.
fn answers(corpus: &str) -> Vec<String> {
    let mut story = Vec::new();
    for model in MODELS {
        story.push(format!("predict --model {model} --data {corpus}.jsonl -o {model}.jsonl"));
        story.push(format!("evaluate --data {corpus}.jsonl --model {model} --by genre --format json"));
        story.push(format!("doctor --data {corpus}.jsonl --predictions {model}.jsonl --format json"));
    }
    story.push(format!("predict --model esim-small --data {corpus}.jsonl"));
    story.push(format!("evaluate --data {corpus}.jsonl --predictions overlap.jsonl --scoring merged-answers --details"));
    story.push(format!("evaluate --data {corpus}.jsonl --model overlap --train {corpus}.jsonl --report page"));
    for form in ["csv", "markdown", "latex"] {
        story.push(format!("evaluate --data {corpus}.jsonl --model overlap --by gold --format {form}"));
    }
    let files = "majority.jsonl overlap.jsonl negation-word.jsonl";
    for more in ["--format json", "--every-pair --by genre --format json", "--runs --format json", "--details"] {
        story.push(format!("compare {files} --data {corpus}.jsonl --no-doctor {more}"));
    }
    story.push(format!("corpus tags {corpus}.jsonl --predictions overlap.jsonl --format json"));
    story
}

fn models_under_stress() -> Vec<String> {
    let models: Vec<String> = MODELS.iter().map(|model| format!("--model {model}")).collect();
    let models = models.join(" ");
    vec![
        format!("run {models} --format json --set hans.per_subcase=2"),
        format!("run {models} --data parsed.jsonl --format json --as-published -o stored.json"),
        format!("run {models} --data parsed.jsonl --challenge negation --challenge hans --set hans.per_subcase=2 --details --seed 2"),
        "report stored.json".to_string(),
        "report stored.json --format markdown".to_string(),
        "report stored.json --format csv --report page".to_string(),
    ]
}

fn gates() -> Vec<String> {
    lines(
        "
        gate --data sample.jsonl --model m=overlap --model negation-word --challenge negation,spelling-swap,hans --set hans.per_subcase=2 --write-baseline b.json
        gate --data sample.jsonl --model m=overlap --set hans.per_subcase=2 --baseline b.json --max-regression all=1 --annotations github
        gate --data sample.jsonl --model m=negation-word --baseline b.json --max-regression original=0 --max-drop negation=5 --fail-under original/gold=neutral=90 --junit gate.xml --annotations github
        gate --data sample.jsonl --model negation-word --fail-under all/gold=neutral=10 --challenge tautology,hans --set hans.per_subcase=2
        ",
    )
}

fn others() -> Vec<String> {
    let mut story = lines(
        "
        list
        compare --results runs.csv --columns ln_,sn_
        compare --results runs.csv --columns * --format json
        doctor --data parsed.jsonl --predictions turned.jsonl --labels C,E,N --format json
        doctor --data parsed.jsonl --predictions turned.jsonl --labels E,N,C --format json
        evaluate --data parsed.jsonl --predictions turned.jsonl --labels E,N,C --format json --allow-missing
        ",
    );
    for form in ["table", "conllu", "json"] {
        story.push(format!("analyze sentences.txt --format {form}"));
        story.push(format!("analyze sentences.txt --by paragraph --format {form}"));
    }
    story
}

/// A folder with all files that the commands read.
fn folder() -> tempfile::TempDir {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    for (name, path) in [("sample", "../corpus/data/sample.jsonl"), ("parsed", "tests/fixtures/parsed.jsonl")] {
        let text = fs::read_to_string(tests.join(path)).unwrap();
        let flat: Vec<&str> = text.lines().filter(|row| !row.contains("\\tbark")).collect();
        let labelled: Vec<&str> = flat.iter().copied().filter(|row| !row.contains("\"gold_label\": \"-\"")).collect();
        write(&format!("{name}-flat.jsonl"), &(flat.join("\n") + "\n"));
        write(&format!("{name}-labelled.jsonl"), &(labelled.join("\n") + "\n"));
        write(&format!("{name}.jsonl"), &text);
    }
    // Scores in the order contradiction, entailment, neutral, mostly for the gold label.
    let parsed = fs::read_to_string(folder.path().join("parsed.jsonl")).unwrap();
    let turned = parsed.lines().enumerate().map(|(n, row)| {
        let row: Value = serde_json::from_str(row).unwrap();
        let gold = ["contradiction", "entailment", "neutral"].iter().position(|label| row["gold_label"] == *label).unwrap_or(0);
        let mut scores = [0.125, 0.125, 0.125];
        scores[(gold + usize::from(n % 7 == 0)) % 3] = 0.75;
        format!("{{\"id\": {}, \"scores\": {scores:?}}}\n", row["pairID"])
    });
    write("turned.jsonl", &turned.collect::<String>());
    write("sentences.txt", SENTENCES);
    write("runs.csv", RUNS);
    fs::copy(tests.join("tests/fixtures/own.grammar"), folder.path().join("own.grammar")).unwrap();
    folder
}

/// Runs commands one after the other in a new folder; returns their outputs, ready to be hashed, by the name of the case.
fn outputs(story: &[String], more: &str) -> Vec<(String, Vec<u8>)> {
    let folder = folder();
    let mut before = files(folder.path());
    let mut outputs = Vec::new();
    for command in story {
        let line = format!("{command}{more}");
        let arguments: Vec<String> = line.split(' ').map(|argument| argument.replace('~', " ")).collect();
        let output = run(folder.path(), &arguments.iter().map(String::as_str).collect::<Vec<_>>());
        // A failed check still writes its outputs.
        let code = output.status.code();
        assert!(matches!(code, Some(0 | 3 | 4)), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        let mut add = |place: &str, bytes: &[u8]| {
            // Weights are binary and hashed as they are.
            let Ok(text) = std::str::from_utf8(bytes) else {
                outputs.push((format!("{command} -> {place}"), bytes.to_vec()));
                return;
            };
            if let Some(numbers) = numbers(text) {
                outputs.push((format!("{command} -> {place} numbers"), numbers.into_bytes()));
            }
            outputs.push((format!("{command} -> {place}"), normal(&line, text).into_bytes()));
        };
        if !output.stdout.is_empty() && !command.starts_with("train ") {
            add("stdout", &output.stdout);
        }
        if let Some(code @ (3 | 4)) = code {
            add("exit code", code.to_string().as_bytes());
        }
        let after = files(folder.path());
        for (path, bytes) in after.iter().filter(|(path, bytes)| before.get(*path) != Some(bytes)) {
            let name = path.strip_prefix(folder.path()).unwrap().display().to_string();
            if ![".parquet", ".gz", ".zst"].iter().any(|ending| name.ends_with(ending)) {
                add(&name, bytes);
            }
        }
        before = after;
    }
    outputs
}

/// Every file in a folder and its subfolders, with its bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.append(&mut files(&path));
        } else {
            let bytes = fs::read(&path).unwrap();
            found.insert(path, bytes);
        }
    }
    found
}

/// An output without what may differ between versions and processors.
fn normal(command: &str, text: &str) -> String {
    if command.starts_with("predict --model esim-small") {
        return text.lines().map(|line| format!("{}\n", line.split(", \"scores\"").next().unwrap_or(line))).collect();
    }
    let text = text.replace(&format!("acidtest {command}"), "-");
    // Its hash covers the version.
    let is_baseline = text.contains("\"format\": \"acidtest-baseline\"");
    let without_version = |line: &str| match line {
        _ if line.contains("version") => line.replace(env!("CARGO_PKG_VERSION"), "-"),
        _ if line.starts_with("  \"checksum\": \"xxh3:") => "  \"checksum\": \"-\"".to_string(),
        _ if line.starts_with("  \"hash\": \"xxh3:") && is_baseline => "  \"hash\": \"-\"".to_string(),
        _ => line.to_string(),
    };
    text.split('\n').map(without_version).collect::<Vec<_>>().join("\n")
}

/// The numbers of a report in JSON, sorted; nothing for other texts.
fn numbers(text: &str) -> Option<String> {
    let report: Value = serde_json::from_str(text).ok()?;
    let mut numbers = Vec::new();
    collect(report.get("sections")?, &mut numbers);
    numbers.sort();
    Some(numbers.join("\n"))
}

fn collect(value: &Value, numbers: &mut Vec<String>) {
    match value {
        Value::Number(number) => numbers.push(number.to_string()),
        Value::Array(values) => values.iter().for_each(|value| collect(value, numbers)),
        Value::Object(values) => values.values().for_each(|value| collect(value, numbers)),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// The digest of every case.
fn digests() -> BTreeMap<String, String> {
    let waiting = Mutex::new(stories());
    let found = Mutex::new(BTreeMap::new());
    let work = || {
        // Release the lock before the story runs.
        let next = || waiting.lock().unwrap().pop();
        while let Some(story) = next() {
            for (name, bytes) in outputs(&story, "") {
                let digest = format!("{:016x}", xxh3_64(&bytes));
                let earlier = found.lock().unwrap().insert(name.clone(), digest);
                assert!(earlier.is_none(), "two cases are called `{name}`");
            }
        }
    };
    std::thread::scope(|scope| (0..3).for_each(|_| drop(scope.spawn(work))));
    found.into_inner().unwrap()
}

#[test]
fn every_output_has_its_pinned_digest() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/digests.txt");
    let found = digests();
    if std::env::var_os("ACIDTEST_DIGESTS").is_some_and(|value| value == "write") {
        let text: String = found.iter().map(|(name, digest)| format!("{digest}  {name}\n")).collect();
        fs::write(path, text).unwrap();
        return;
    }
    let text = fs::read_to_string(path).unwrap();
    let pinned: BTreeMap<&str, &str> =
        text.lines().map(|line| line.split_once("  ").unwrap()).map(|(digest, name)| (name, digest)).collect();
    let mut changes = String::new();
    for (name, digest) in &found {
        match pinned.get(name.as_str()) {
            Some(old) if old == digest => {}
            Some(old) => writeln!(changes, "  changed  {old} -> {digest}  {name}").unwrap(),
            None => writeln!(changes, "  new      {digest}  {name}").unwrap(),
        }
    }
    for (name, old) in pinned.iter().filter(|(name, _)| !found.contains_key(**name)) {
        writeln!(changes, "  missing  {old}  {name}").unwrap();
    }
    assert!(changes.is_empty(), "outputs differ from tests/digests.txt:\n{changes}If every change is meant, accept them by: {ACCEPT}");
}

#[test]
fn outputs_are_the_same_for_any_number_of_threads() {
    let mut story = lines(
        "
        challenge all --from parsed.jsonl -o clean
        challenge all --from sample.jsonl -o published --as-published
        challenge hans --set per_subcase=5 -o set.jsonl
        challenge identify set.jsonl -o found.jsonl --format json
        corpus stats sample.jsonl --format json
        corpus audit sample.jsonl --format json
        corpus tags sample.jsonl --rows tagged.jsonl --format json
        predict --model overlap --data sample.jsonl
        predict --model esim-small --data parsed.jsonl
        analyze sentences.txt --format json
        run --model overlap --data parsed.jsonl --format json
        train --model lexical --train parsed.jsonl -o words
        lexical score sample.jsonl --model words --rows scores.jsonl --format json
        lexical explain sample.jsonl --model words --format json
        ",
    );
    story.push("challenge compositional --lexical words --from sample.jsonl -o -".to_string());
    let (one, two) = (outputs(&story, " --threads 1"), outputs(&story, " --threads 2"));
    assert_eq!(one.len(), two.len());
    for (one, two) in one.iter().zip(&two) {
        assert!(one == two, "{} differs with two threads", one.0);
    }
}
