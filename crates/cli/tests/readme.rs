//! The documentation is true: its commands are run, and their output must be the one shown.
//!
//! A `console` block is run, all blocks of a page one after another in one folder. Lines that begin with `$` are commands; the lines below are the
//! output, line for line, where `...` stands for any number of lines. Commands of `sh` blocks name files that only the reader has: the program
//! must accept them up to the missing file.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PAGES: [&str; 22] = [
    "README.md",
    "CONTRIBUTING.md",
    "docs/quick-start.md",
    "docs/challenges.md",
    "docs/compositional.md",
    "docs/statistics.md",
    "docs/label-order.md",
    "docs/two-way-scoring.md",
    "docs/gate.md",
    "docs/how-to/compare.md",
    "docs/how-to/own-corpus.md",
    "docs/how-to/train-a-baseline.md",
    "docs/how-to/review.md",
    "docs/how-to/fact-checking.md",
    "docs/transformers.md",
    "docs/reports.md",
    "docs/process-models.md",
    "docs/formats.md",
    "docs/training.md",
    "docs/lexical.md",
    "docs/analyze.md",
    "docs/neural.md",
];

/// The files of the repository that the commands read.
const FILES: [&str; 2] = ["crates/corpus/data/sample.jsonl", "examples/process_model.py"];

#[test]
fn console_blocks_show_what_their_commands_print() {
    for page in PAGES {
        let folder = tempfile::tempdir().unwrap();
        for file in FILES {
            let copy = folder.path().join(file);
            std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
            std::fs::copy(root().join(file), copy).unwrap();
        }
        for step in steps(page, "console") {
            let output = run(&step.command, folder.path());
            let printed = String::from_utf8_lossy(&output.stdout);
            let shown: Vec<&str> = step.shown.iter().map(String::as_str).collect();
            assert!(matches(&shown, &lines(&printed)), "{page}:{}: `{}` prints\n{printed}", step.line, step.command);
        }
    }
}

#[test]
fn sh_blocks_fail_only_for_missing_files() {
    for page in PAGES {
        for step in steps(page, "sh") {
            let program = step.command.split_whitespace().next().unwrap_or_default();
            if program.starts_with("./") {
                assert!(root().join(program).is_file(), "{page}:{}: there is no {program}", step.line);
                continue;
            }
            let Some(command) = as_installed(&step.command) else { continue };
            let folder = tempfile::tempdir().unwrap();
            let output = run(&command, folder.path());
            let printed = String::from_utf8_lossy(&output.stdout);
            let known = output.status.success() || printed.to_lowercase().contains("no such file");
            assert!(known, "{page}:{}: `{}` prints\n{printed}", step.line, step.command);
        }
    }
}

#[test]
fn links_between_pages_lead_somewhere() {
    const OTHERS: [&str; 8] = [
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "docs/index.md",
        "docs/SUMMARY.md",
        "docs/hans.md",
        "docs/grammar.md",
        "docs/lingua.md",
        "docs/report-schema.md",
    ];
    for page in PAGES.into_iter().chain(OTHERS) {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        let folder = root().join(page).parent().unwrap().to_path_buf();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap_or_default();
            if !path.is_empty() && !path.contains("://") {
                assert!(folder.join(path).exists(), "{page}: {link} leads nowhere");
            }
        }
    }
}

#[test]
fn every_challenge_is_described() {
    let pages = ["docs/challenges.md", "docs/composition.md", "docs/added-modifier.md"]
        .map(|page| std::fs::read_to_string(root().join(page)).unwrap());
    for entry in &acidtest_challenge::CATALOG {
        let row = format!("| `{}` |", entry.name);
        assert!(pages.iter().any(|page| page.contains(&row)), "no page on challenges has a row for {}", entry.name);
    }
}

#[test]
fn the_table_of_crates_is_what_the_manifests_say() {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for name in crates() {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("ARCHITECTURE.md has no row for the crate {name}"));
        let knows = row.trim_end_matches('|').rsplit('|').next().unwrap_or_default();
        let told: BTreeSet<&str> = knows.split('`').skip(1).step_by(2).collect();
        let manifest = std::fs::read_to_string(root().join("crates").join(&name).join("Cargo.toml")).unwrap();
        let section = manifest.split("\n[dependencies]").nth(1).unwrap_or_default().split("\n[").next().unwrap_or_default();
        let known = section.lines().filter_map(|line| line.strip_prefix("acidtest-")?.split(['.', ' ']).next()).collect();
        assert_eq!(told, known, "what the crate {name} knows: ARCHITECTURE.md, then its manifest");
    }
}

#[test]
fn no_library_prints_or_reads_the_environment() {
    const WORDS: [&str; 7] = ["println!(", "print!(", "dbg!(", "env::var", "env::args", "io::stderr(", "env::current_dir"];
    let folders = crates().into_iter().map(|name| root().join("crates").join(name).join("src"));
    for folder in folders.filter(|folder| folder.join("lib.rs").is_file()) {
        for file in sources(&folder) {
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                assert!(!WORDS.iter().any(|word| line.contains(word)), "{}: {line}", file.display());
            }
        }
    }
}

/// Rayon's iterators start its global pool where no pool is at work; what `threads` offers instead does not.
#[test]
fn only_one_crate_uses_rayon() {
    for name in crates().iter().filter(|name| *name != "threads") {
        let manifest = std::fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
        assert!(
            !manifest.lines().any(|line| line.starts_with("rayon")),
            "crates/{name}/Cargo.toml: use acidtest-threads in place of rayon"
        );
    }
}

#[test]
fn the_command_line_stays_small() {
    let files = sources(&root().join("crates/cli/src"));
    let production = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).unwrap();
        text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().lines().count()
    };
    for file in &files {
        assert!(production(file) <= 250, "{} has over 250 lines", file.display());
    }
    let all: usize = files.iter().map(production).sum();
    assert!(all < 3000, "{all} lines: what is no flag, printing, progress or exit code belongs to `experiment`");
}

fn crates() -> Vec<String> {
    let folders = std::fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<String> = folders
        .filter(|folder| folder.join("Cargo.toml").is_file())
        .map(|folder| folder.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.len() > 5, "{names:?}");
    names
}

/// The Rust files of a folder that are not tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        }
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files
}

/// A command of a page and what the page shows below it.
struct Step {
    line: usize,
    command: String,
    shown: Vec<String>,
}

/// The commands in the blocks of one kind, in their order.
fn steps(page: &str, kind: &str) -> Vec<Step> {
    let text = std::fs::read_to_string(root().join(page)).unwrap();
    let mut steps: Vec<Step> = Vec::new();
    let mut block = None;
    let mut goes_on = false;
    for (n, line) in text.lines().enumerate() {
        if let Some(info) = line.strip_prefix("```") {
            block = if block.is_some() { None } else { Some(info.trim()) };
            continue;
        }
        if block != Some(kind) {
            continue;
        }
        let (part, begins) = match line.strip_prefix("$ ") {
            Some(command) => (command, true),
            None => (line, kind == "sh"),
        };
        if goes_on {
            steps.last_mut().unwrap().command.push_str(part.trim_start().trim_end_matches('\\'));
        } else if begins {
            if part.trim().is_empty() || part.starts_with('#') {
                continue;
            }
            steps.push(Step { line: n + 1, command: part.trim_end_matches('\\').to_string(), shown: Vec::new() });
        } else {
            let step = steps.last_mut().unwrap_or_else(|| panic!("{page}:{}: output before any command", n + 1));
            step.shown.push(line.trim_end().to_string());
            continue;
        }
        goes_on = part.ends_with('\\');
    }
    steps
}

/// The command as after installation; `None` for a command of another program.
fn as_installed(command: &str) -> Option<String> {
    let arguments = command.strip_prefix("cargo run --release -p acidtest -- ").or_else(|| command.strip_prefix("acidtest "))?;
    Some(format!("acidtest {arguments}"))
}

/// Runs a command in a shell with the program on the path; standard error is merged into standard output.
fn run(command: &str, folder: &Path) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_acidtest"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let command = as_installed(command).unwrap_or_else(|| command.to_string());
    let script = format!("exec 2>&1; {command}");
    // Each test has its own cache of predictions.
    Command::new("sh").args(["-c", &script]).current_dir(folder).env("PATH", path).env("XDG_CACHE_HOME", folder).output().unwrap()
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).collect()
}

/// Whether the output is what the page shows; `...` stands for any number of lines.
fn matches(shown: &[&str], printed: &[&str]) -> bool {
    match shown {
        [] => printed.is_empty(),
        ["...", rest @ ..] => (0..=printed.len()).any(|at| matches(rest, &printed[at..])),
        [line, rest @ ..] => printed.first() == Some(line) && matches(rest, &printed[1..]),
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn dots_stand_for_any_number_of_lines() {
    assert!(matches(&["a", "...", "c"], &["a", "b", "b", "c"]));
    assert!(matches(&["a", "...", "c"], &["a", "c"]));
    assert!(!matches(&["a", "c"], &["a", "b", "c"]));
    assert!(!matches(&["a", "..."], &["b"]));
    assert!(!matches(&["a"], &["a", "b"]));
}
