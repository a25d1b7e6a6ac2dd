//! Help: every verb says what the user gets and ends in examples, which are run here; names of earlier versions are answered with the new ones.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The verbs in the order of `--help`, with the first line of their own.
const VERBS: [(&str, &str); 15] = [
    ("run", "Stress-test models and say where they break"),
    ("evaluate", "Score a model or saved predictions"),
    ("compare", "Test whether models differ on the same examples"),
    ("gate", "Fail the build when a model gets worse"),
    ("doctor", "Diagnose label order, ids and models that will not start"),
    ("predict", "Save a model's predictions"),
    ("train", "Train a baseline or network, or fine-tune a transformer"),
    ("challenge", "Build a challenge set"),
    ("review", "Have people judge a sample of a set, and score their judgements"),
    ("lexical", "Find examples that words alone get wrong"),
    ("corpus", "Inspect, convert, split and sample corpora"),
    ("analyze", "Parse English sentences"),
    ("report", "Render a saved report"),
    ("list", "List challenges, models and formats"),
    ("glossary", "Explain a metric or test"),
];

/// Nested verbs.
const NESTED: [&str; 10] = [
    "challenge identify",
    "lexical score",
    "lexical explain",
    "corpus stats",
    "corpus audit",
    "corpus tags",
    "corpus frames",
    "corpus convert",
    "corpus split",
    "corpus sample",
];

#[test]
fn verbs_are_listed_in_order_with_their_first_line() {
    let help = printed(&acidtest(&["--help"]));
    let listed: Vec<(&str, &str)> = section(&help, "Commands:").filter_map(|line| line.trim().split_once("  ")).collect();
    let listed: Vec<(&str, &str)> = listed.into_iter().map(|(verb, line)| (verb, line.trim())).collect();
    let own: Vec<&(&str, &str)> = listed.iter().filter(|(verb, _)| *verb != "help").collect();
    assert_eq!(own, VERBS.iter().collect::<Vec<_>>(), "{help}");
    assert!(help.contains("2 usage error") && help.contains("130 interrupted"), "{help}");
}

#[test]
fn long_help_begins_with_the_line_of_the_verb_and_short_help_has_no_examples() {
    for (verb, line) in VERBS {
        let long = printed(&acidtest(&[verb, "--help"]));
        assert_eq!(long.lines().next(), Some(line));
        assert!(long.lines().nth(2).is_some_and(|line| line.starts_with("You get ")), "{verb}: {long}");
        let short = printed(&acidtest(&[verb, "-h"]));
        assert_eq!(short.lines().next(), Some(line));
        assert!(!short.contains("Examples:") && short.len() < long.len(), "{verb}: {short}");
    }
}

#[test]
fn every_example_of_the_help_runs() {
    let folder = prepared();
    let verbs = VERBS.iter().map(|(verb, _)| *verb).chain(NESTED);
    for verb in std::iter::once("").chain(verbs) {
        let words: Vec<&str> = verb.split(' ').filter(|word| !word.is_empty()).chain(["--help"]).collect();
        let help = printed(&acidtest(&words));
        let is_wide = |line: &&str| line.chars().count() > 80 && !line.starts_with("Usage:");
        assert_eq!(help.lines().find(is_wide), None, "{verb}");
        let examples = section(&help, "Examples:").collect::<Vec<_>>().join("\n").replace("\\\n", "");
        let examples: Vec<&str> = examples.lines().map(str::trim).collect();
        assert!((2..=3).contains(&examples.len()), "{verb}: {help}");
        for example in examples {
            let output = shell(example, folder.path());
            assert!(output.status.success(), "{example}\n{}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

#[test]
fn verbs_flags_and_settings_of_earlier_versions_are_answered_with_the_new_ones() {
    let folder = prepared();
    let check = |command: &str, code: i32, expected: &str| {
        let output = shell(command, folder.path());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), stderr.lines().count()), (Some(code), 1), "{command}: {stderr}");
        assert!(stderr.contains(expected), "{command}: {stderr}");
    };
    check("acidtest lms dev.jsonl --model words", 2, "`lms` is now `acidtest lexical score`");
    check("acidtest explain dev.jsonl --model words", 2, "`explain` is now `acidtest lexical explain`");
    check("acidtest runs results.csv", 2, "`runs` is now `acidtest compare --results TABLE`");
    check("acidtest run --model process:cat --batch 8", 2, "`--batch` is now `--batch-size`");
    check("acidtest run --model process:cat --time-out=8", 2, "`--time-out` is now `--timeout`");
    check("acidtest run --fail-under negation=70", 2, "`--fail-under` is now `acidtest gate --fail-under SET=PERCENT`");
    check("acidtest train --model cbow --train train.jsonl --set batch=8 -o x", 1, "it is now called `batch_size`");
    check("acidtest train --model lexical --train train.jsonl --set passes=8 -o x", 1, "it is now called `epochs`");
}

#[test]
fn completions_and_a_man_page_of_every_verb_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let output = shell("acidtest packaging dist", folder.path());
    assert!(output.status.success(), "{output:?}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join("dist").join(name)).unwrap_or_else(|_| panic!("no {name}"));
    let shells = ["completions/acidtest.bash", "completions/_acidtest", "completions/acidtest.fish"].map(read);
    for (verb, line) in VERBS {
        assert!(read(&format!("man/acidtest-{verb}.1")).replace("\\*(Aq", "'").replace('\\', "").contains(line), "{verb}");
        assert!(shells.iter().all(|completions| completions.contains(verb)), "{verb}");
    }
    for verb in NESTED {
        read(&format!("man/acidtest-{}.1", verb.replace(' ', "-")));
    }
    for hidden in ["packaging", "reference"] {
        assert!(!folder.path().join(format!("dist/man/acidtest-{hidden}.1")).exists());
    }
}

/// The indented lines below a heading.
fn section<'t>(text: &'t str, heading: &'t str) -> impl Iterator<Item = &'t str> {
    text.lines().skip_while(move |line| *line != heading).skip(1).take_while(|line| line.starts_with("  "))
}

fn acidtest(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_acidtest")).args(arguments).output().unwrap()
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs a command in a shell with the program on the path.
fn shell(command: &str, folder: &Path) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_acidtest"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let cache = folder.join("cache");
    Command::new("sh").args(["-c", command]).current_dir(folder).env("PATH", path).env("XDG_CACHE_HOME", cache).output().unwrap()
}

/// A folder with the files that examples name.
fn prepared() -> TempDir {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let sample = std::fs::read_to_string(root.join("crates/corpus/data/sample.jsonl")).unwrap();
    let half = |keep: fn(usize) -> bool| {
        sample.lines().enumerate().filter(|(n, _)| keep(*n)).map(|(_, line)| format!("{line}\n")).collect::<String>()
    };
    std::fs::write(at("dev.jsonl"), half(|n| n % 2 == 0)).unwrap();
    std::fs::write(at("train.jsonl"), half(|n| n % 2 == 1)).unwrap();
    std::fs::copy(root.join("examples/process_model.py"), at("model.py")).unwrap();
    std::fs::write(at("sentences.txt"), "The old man saw two dogs.\n").unwrap();
    std::fs::write(at("results.csv"), "run,ln_a,sn_b,cn_c\n1,0.9,0.8,0.7\n2,0.8,0.7,0.8\n3,0.7,0.9,0.6\n").unwrap();
    std::fs::write(at("gate.toml"), "[fail_under]\nnegation = 30\n\n[[run.models]]\nmodel = \"esim-small\"\n").unwrap();
    std::fs::create_dir_all(at("models/bert")).unwrap();
    for name in ["config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"] {
        std::fs::copy(root.join("crates/transformers/golden/bert").join(name), at("models/bert").join(name)).unwrap();
    }
    for command in [
        "acidtest train --model lexical --train train.jsonl --set folds=5 --set penalty=1 -o words",
        "acidtest evaluate --data dev.jsonl --model overlap --format json -o report.json",
        "acidtest challenge hans --set per_subcase=1 -o hans.txt",
        "acidtest challenge negation --from dev.jsonl -o negation.jsonl",
        "acidtest review dev.jsonl -n 10 --questions label --judges 2 -o judged",
        "sed '2,$s/,,$/,neutral,/' judged/judge-1.csv > judged/ann.csv",
        "sed '2,$s/,,$/,neutral,/' judged/judge-2.csv > judged/ben.csv",
        "acidtest predict --model overlap --data dev.jsonl -o bert.csv",
        "acidtest predict --model majority --data dev.jsonl -o roberta.csv",
    ] {
        let output = shell(command, folder.path());
        assert!(output.status.success(), "{command}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    // One table with a column of predictions for each model.
    let column = |name: &str| std::fs::read_to_string(at(name)).unwrap();
    let (bert, roberta) = (column("bert.csv"), column("roberta.csv"));
    let cells = |line: &str| line.split(',').take(2).map(str::to_string).collect::<Vec<_>>();
    let rows =
        bert.lines().zip(roberta.lines()).skip(1).map(|(one, other)| format!("{},{},{}\n", cells(one)[0], cells(one)[1], cells(other)[1]));
    std::fs::write(at("predictions.csv"), format!("id,bert,roberta\n{}", rows.collect::<String>())).unwrap();
    folder
}
