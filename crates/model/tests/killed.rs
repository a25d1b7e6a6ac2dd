//! Runs that are killed at random moments and started again.
//!
//! The killed run must be a separate process: this same program, started with `ask FOLDER COMMAND`. It queries the model for the pairs, caches the
//! predictions in the folder, and writes the number of a pair and its label once the prediction is stored.

#![allow(clippy::unwrap_used)]

use acidtest_model::{AnswerCache, CachedModel, Keep, Model, ProcessInput, ProcessModel, ProcessSettings};
use acidtest_nli::{Pair, Prediction, Seed};
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write, stdout};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const CHECKS: [(&str, fn()); 2] = [
    (
        "a_run_killed_at_ten_random_moments_loses_nothing_and_asks_nothing_again",
        a_run_killed_at_ten_random_moments_loses_nothing_and_asks_nothing_again,
    ),
    (
        "a_model_killed_at_ten_random_moments_answers_like_an_undisturbed_one",
        a_model_killed_at_ten_random_moments_answers_like_an_undisturbed_one,
    ),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, cache, command] = arguments.as_slice()
        && first == "ask"
    {
        return ask(Path::new(cache), command);
    }
    let filters: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    for (name, check) in CHECKS {
        if !filters.is_empty() && !filters.iter().any(|filter| name.contains(*filter)) {
            continue;
        }
        if arguments.iter().any(|argument| argument == "--list") {
            println!("{name}: test");
            continue;
        }
        check();
        println!("test {name} ... ok");
    }
}

const PAIRS: usize = 500;
const KILLS: usize = 10;

/// Records every premise that it receives, then answers with a delay.
const MODEL: &str = r#"
import json, os, sys, time
open("pid", "w").write(str(os.getpid()))
log = open("asked", "a", buffering=1)
for line in sys.stdin:
    pair = json.loads(line)
    print(pair["premise"], file=log)
    time.sleep(0.001)
    number = int(pair["premise"])
    scores = [number * number % 7, number * number % 11, number % 5]
    print(json.dumps({"id": pair["id"], "scores": scores}), flush=True)
"#;

fn command(folder: &Path) -> String {
    fs::write(folder.join("model.py"), MODEL).unwrap();
    format!("cd '{}' && exec python3 -S model.py", folder.display())
}

fn premises() -> Vec<String> {
    (0..PAIRS).map(|number| number.to_string()).collect()
}

fn pairs(premises: &[String]) -> Vec<Pair<'_>> {
    premises.iter().map(|premise| Pair::plain(premise, "h")).collect()
}

fn ask(cache: &Path, command: &str) {
    let model = ProcessModel::start(command, ProcessSettings { batch_size: 16, ..Default::default() }).unwrap();
    let cache = AnswerCache::open(cache, &model.identity().unwrap()).unwrap();
    let mut out = stdout();
    let mut print = |place: usize, prediction: Prediction| {
        writeln!(out, "{place}\t{}", prediction.answer).and_then(|()| out.flush()).unwrap();
        Ok(())
    };
    CachedModel::new(model, cache, Keep::ForLater).predict(&pairs(&premises()), &mut print).unwrap();
}

fn start_asking(cache: &Path, command: &str) -> Child {
    let this = std::env::current_exe().unwrap();
    Command::new(this).arg("ask").arg(cache).arg(command).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap()
}

/// The numbers of the pairs that were queried since the last call.
fn asked(folder: &Path) -> Vec<usize> {
    let log = fs::read_to_string(folder.join("asked")).unwrap_or_default();
    let _ = fs::remove_file(folder.join("asked"));
    log.lines().map(|line| line.parse().unwrap()).collect()
}

fn stored(cache: &Path, command: &str) -> Vec<Option<Prediction>> {
    // A model whose input is closed after each call is not started before the first call.
    let settings = ProcessSettings { input: ProcessInput::EndsWithCall, ..Default::default() };
    let identity = ProcessModel::start(command, settings).unwrap().identity();
    let cache = AnswerCache::open(cache, &identity.unwrap()).unwrap();
    pairs(&premises()).iter().map(|pair| cache.get(pair)).collect()
}

/// Waits until the model of a killed run has seen the end of its input.
fn wait_for_end(folder: &Path) {
    let Ok(pid) = fs::read_to_string(folder.join("pid")) else { return };
    let started = Instant::now();
    while fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z ")) {
        assert!(started.elapsed() < Duration::from_secs(5), "the model outlives the run");
        thread::sleep(Duration::from_millis(2));
    }
}

fn a_run_killed_at_ten_random_moments_loses_nothing_and_asks_nothing_again() {
    let folder = tempfile::tempdir().unwrap();
    let (command, cache) = (command(folder.path()), folder.path().join("cache"));
    let undisturbed = ProcessModel::start(&command, ProcessSettings::default()).unwrap().predictions(&pairs(&premises())).unwrap();
    asked(folder.path());

    let mut rng = Seed::new(20).child("kills").rng();
    let mut known = BTreeSet::new();
    for kill in 0..KILLS {
        let mut asker = start_asking(&cache, &command);
        let mut lines = BufReader::new(asker.stdout.take().unwrap()).lines();
        // At a random new prediction plus a random delay, so the kill may happen anywhere between two predictions.
        let enough = known.len() + rng.below(20);
        let mut acknowledged: Vec<String> = lines.by_ref().take(enough).map(Result::unwrap).collect();
        thread::sleep(Duration::from_micros(rng.below(3000) as u64));
        asker.kill().unwrap();
        asker.wait().unwrap();
        acknowledged.extend(lines.map_while(Result::ok).filter(|line| line.contains('\t')));
        wait_for_end(folder.path());

        let asked = asked(folder.path());
        let answers = stored(&cache, &command);
        for &number in &asked {
            assert!(!known.contains(&number), "kill {kill}: pair {number} was asked after its answer was stored");
        }
        assert_eq!(asked.iter().collect::<BTreeSet<_>>().len(), asked.len(), "kill {kill}: a pair was asked twice in one run");
        for line in &acknowledged {
            let number: usize = line.split('\t').next().unwrap().parse().unwrap();
            assert!(answers[number].is_some(), "kill {kill}: the answer to pair {number} was acknowledged and lost");
        }
        let now: BTreeSet<usize> = (0..PAIRS).filter(|&number| answers[number].is_some()).collect();
        assert!(now.is_superset(&known), "kill {kill}: a stored answer was lost");
        assert!(now.len() < PAIRS, "kill {kill} came too late to disturb anything");
        known = now;
    }
    assert!(known.len() > KILLS, "the kills came too early to leave anything");

    let asker = start_asking(&cache, &command).wait_with_output().unwrap();
    assert!(asker.status.success());
    let asked: BTreeSet<usize> = asked(folder.path()).into_iter().collect();
    assert_eq!(asked, (0..PAIRS).filter(|number| !known.contains(number)).collect(), "the last run asks exactly what is missing");
    let mut printed: Vec<String> = String::from_utf8(asker.stdout).unwrap().lines().map(str::to_string).collect();
    printed.sort();
    let mut expected: Vec<String> = undisturbed.iter().enumerate().map(|(number, answer)| format!("{number}\t{}", answer.answer)).collect();
    expected.sort();
    assert_eq!(printed, expected, "every pair is answered once");
    let answers: Vec<Prediction> = stored(&cache, &command).into_iter().flatten().collect();
    assert_eq!(answers, undisturbed);
}

fn a_model_killed_at_ten_random_moments_answers_like_an_undisturbed_one() {
    let folder = tempfile::tempdir().unwrap();
    let command = command(folder.path());
    let premises = premises();
    let undisturbed = ProcessModel::start(&command, ProcessSettings::default()).unwrap().predictions(&pairs(&premises)).unwrap();

    let model = ProcessModel::start(&command, ProcessSettings { restarts: KILLS, ..Default::default() }).unwrap();
    let mut rng = Seed::new(21).child("kills").rng();
    let mut next_kill = 1 + rng.below(20);
    let (mut count, mut kills) = (0, 0);
    let mut answers: Vec<Option<Prediction>> = vec![None; PAIRS];
    let mut dead = String::new();
    model
        .predict(&pairs(&premises), &mut |place, prediction| {
            assert_eq!(answers[place].replace(prediction), None, "pair {place} was answered twice");
            count += 1;
            let pid = fs::read_to_string(folder.path().join("pid")).unwrap();
            if kills < KILLS && count >= next_kill && pid != dead {
                thread::sleep(Duration::from_micros(rng.below(3000) as u64));
                assert!(Command::new("kill").args(["-9", &pid]).status().unwrap().success());
                dead = pid;
                kills += 1;
                next_kill = count + 1 + rng.below(20);
            }
            Ok(())
        })
        .unwrap();
    assert_eq!(kills, KILLS);
    assert_eq!(answers.into_iter().map(Option::unwrap).collect::<Vec<_>>(), undisturbed);
}
