//! An interrupted command leaves its inputs and finished outputs and nothing else; a killed one leaves no partial file under its final name.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How often each command is stopped, at moments spread over its running time.
const MOMENTS: u32 = 7;

/// Rows of the input: enough for every command to take a while.
const ROWS: usize = 6000;

/// All files under a folder, by their paths in it; folders end in a slash.
type Listing = BTreeMap<String, Vec<u8>>;

fn listing(folder: &Path) -> Listing {
    fn walk(root: &Path, folder: &Path, found: &mut Listing) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                found.insert(format!("{name}/"), Vec::new());
                walk(root, &path, found);
            } else {
                found.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    let mut found = Listing::new();
    walk(folder, folder, &mut found);
    found
}

fn rows() -> String {
    let sample = include_str!("../../corpus/data/sample.jsonl");
    let rows = sample.lines().cycle().take(ROWS).enumerate();
    rows.map(|(n, row)| row.replacen("\"pairID\": \"", &format!("\"pairID\": \"{n}-"), 1) + "\n").collect()
}

fn prepared(input: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("in.jsonl"), input).unwrap();
    folder
}

fn command(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new("env");
    command.arg("--default-signal=INT,TERM,HUP").arg(env!("CARGO_BIN_EXE_acidtest")).args(arguments.split(' '));
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn stopped(folder: &Path, arguments: &str, signal: &str, after: Duration) -> ExitStatus {
    let mut child = command(folder, arguments).spawn().unwrap();
    std::thread::sleep(after);
    // It may have finished already.
    let _ = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status().unwrap();
    child.wait().unwrap()
}

/// Stops the command at several moments and compares the files with those of a complete run.
#[track_caller]
fn check(arguments: &str) {
    let input = rows();
    let before = listing(prepared(&input).path());
    let folder = prepared(&input);
    let started = Instant::now();
    assert!(command(folder.path(), arguments).status().unwrap().success(), "{arguments}");
    let time = started.elapsed();
    let done = listing(folder.path());
    assert!(done.len() > before.len(), "{arguments}: nothing is written");
    for moment in 0..=MOMENTS {
        let after = time * moment / MOMENTS;
        let folder = prepared(&input);
        let status = stopped(folder.path(), arguments, "-TERM", after);
        let left = listing(folder.path());
        let names = left.keys().collect::<Vec<_>>();
        assert!(left == before || left == done, "{arguments}: interrupted after {after:?}, {status}: {names:?}");
        let folder = prepared(&input);
        stopped(folder.path(), arguments, "-KILL", after);
        for (name, bytes) in listing(folder.path()) {
            let temporary = PathBuf::from(&name).components().any(|part| part.as_os_str().to_string_lossy().starts_with(".acidtest-"));
            assert!(
                temporary || name.ends_with('/') || done.get(&name) == Some(&bytes),
                "{arguments}: killed after {after:?}: {name} is partial"
            );
        }
    }
}

#[test]
fn convert() {
    check("corpus convert in.jsonl -o out.txt.gz");
}

#[test]
fn split_gives_all_parts_or_none() {
    check("corpus split in.jsonl --part train=0.8 --part dev=0.2 -o deep/parts");
    check("corpus split in.jsonl --by genre -o parts");
}

#[test]
fn predict() {
    check("predict --model overlap --data in.jsonl -o out.csv.zst");
}

#[test]
fn challenges_give_all_sets_or_none() {
    check("challenge negation --from in.jsonl -o out.jsonl");
    check("challenge all --from in.jsonl -o sets");
}

#[test]
fn hans() {
    check("challenge hans --set per_subcase=300 -o hans.txt");
}

#[test]
fn report_folder() {
    check("run --data in.jsonl --model overlap --challenge negation --report page");
}

#[test]
fn train_lexical() {
    check("train --model lexical --train in.jsonl -o model");
}

#[test]
fn an_interrupted_command_stops_its_process_model() {
    let folder = prepared(&rows());
    let model = "process:echo $$ >pid; sleep 60";
    let mut child = Command::new("env");
    child.arg("--default-signal=INT,TERM,HUP").arg(env!("CARGO_BIN_EXE_acidtest"));
    child.args(["evaluate", "--data", "in.jsonl", "--no-cache", "--model", model]).current_dir(folder.path());
    let mut child = child.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let started = Instant::now();
    let pid = loop {
        let text = std::fs::read_to_string(folder.path().join("pid")).unwrap_or_default();
        if text.ends_with('\n') {
            break text.trim().to_string();
        }
        assert!(started.elapsed() < Duration::from_secs(60), "the model never started");
        std::thread::sleep(Duration::from_millis(10));
    };
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let runs = || {
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        state.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty() && !rest.trim_start().starts_with('Z'))
    };
    let ended = Instant::now();
    while runs() {
        assert!(ended.elapsed() < Duration::from_secs(10), "the model is still running");
        std::thread::sleep(Duration::from_millis(10));
    }
}
