//! Process models with real processes.

#![allow(clippy::unwrap_used)]

use acidtest_model::{Model, ModelError, ProcessInput, ProcessModel, ProcessSettings};
use acidtest_nli::{Label, LabelNames, Pair, Prediction};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The common code of these models: `answer(pair)` predicts entailment for hypotheses that begin with `e`, contradiction for `c`, else neutral.
const PRELUDE: &str = r#"
import json, os, sys, time
def label(pair): return {"e": "entailment", "c": "contradiction"}.get(pair["hypothesis"][:1], "neutral")
def answer(pair): print(json.dumps({"id": pair["id"], "label": label(pair)}), flush=True)
"#;

/// A user's model in Python, with its own folder.
struct Script {
    folder: TempDir,
}

impl Script {
    fn new(body: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("model.py"), format!("{PRELUDE}{body}")).unwrap();
        Script { folder }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn start(&self, settings: ProcessSettings) -> ProcessModel {
        ProcessModel::start(&format!("cd '{}' && python3 -S model.py", self.folder.path().display()), settings).unwrap()
    }

    /// Predicts these hypotheses.
    fn ask(&self, settings: ProcessSettings, hypotheses: &[String]) -> Result<Vec<Prediction>, ModelError> {
        self.start(settings).predictions(&pairs(hypotheses))
    }
}

fn pairs(hypotheses: &[String]) -> Vec<Pair<'_>> {
    hypotheses.iter().map(|hypothesis| Pair::plain("p", hypothesis)).collect()
}

fn hypotheses(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{}{number}", ["e", "n", "c"][number * number % 5 % 3])).collect()
}

fn right(hypotheses: &[String]) -> Vec<Prediction> {
    let label = |hypothesis: &String| match &hypothesis[..1] {
        "e" => Label::Entailment,
        "c" => Label::Contradiction,
        _ => Label::Neutral,
    };
    hypotheses.iter().map(|hypothesis| Prediction::of(label(hypothesis))).collect()
}

/// The model predicts `count` pairs correctly.
#[track_caller]
fn check(body: &str, settings: ProcessSettings, count: usize) {
    let hypotheses = hypotheses(count);
    assert_eq!(Script::new(body).ask(settings, &hypotheses).unwrap(), right(&hypotheses));
}

/// The model fails with a message that contains all of this.
#[track_caller]
fn check_error(body: &str, settings: ProcessSettings, parts: &[&str]) -> ModelError {
    let started = Instant::now();
    let error = Script::new(body).ask(settings, &hypotheses(5)).unwrap_err();
    let message = error.to_string();
    parts.iter().for_each(|part| assert!(message.contains(part), "`{part}` is not in: {message}"));
    assert!(started.elapsed() < Duration::from_secs(10), "the model was not ended in time");
    error
}

const PLAIN: &str = "for line in sys.stdin: answer(json.loads(line))";

fn settings() -> ProcessSettings {
    ProcessSettings { timeout_seconds: 10.0, ..Default::default() }
}

#[test]
fn a_plain_loop_answers_with_any_batch_and_number_of_workers() {
    check(PLAIN, settings(), 1000);
    check(PLAIN, ProcessSettings { batch_size: 1, ..settings() }, 50);
    check(PLAIN, ProcessSettings { batch_size: 7, workers: 3, ..settings() }, 200);
    check(PLAIN, settings(), 0);
}

#[test]
fn the_example_in_the_documentation_answers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let model = ProcessModel::start(&format!("cd '{}' && python3 examples/process_model.py", root.display()), settings()).unwrap();
    let pairs = [Pair::plain("The doctor saw the judge.", "The judge saw the doctor."), Pair::plain("Zoë left.", "Zoë slept.")];
    assert_eq!(model.predictions(&pairs).unwrap(), [Prediction::of(Label::Entailment), Prediction::of(Label::Neutral)]);
    let documentation = fs::read_to_string(root.join("docs/process-models.md")).unwrap();
    let example = fs::read_to_string(root.join("examples/process_model.py")).unwrap();
    assert!(documentation.contains(&example), "docs/process-models.md does not show examples/process_model.py as it is");
}

#[test]
fn answers_may_come_in_any_order() {
    let body = r#"
held = []
for line in sys.stdin:
    held.append(json.loads(line))
    if len(held) == 10:
        for pair in reversed(held): answer(pair)
        held = []
"#;
    check(body, ProcessSettings { batch_size: 10, ..settings() }, 200);
    check(body, ProcessSettings { batch_size: 25, ..settings() }, 200);
}

#[test]
fn a_model_that_reads_all_its_input_first_needs_its_input_closed() {
    let body = "for pair in [json.loads(line) for line in sys.stdin]: answer(pair)";
    check(body, ProcessSettings { input: ProcessInput::EndsWithCall, batch_size: 500, workers: 2, ..settings() }, 500);
    let parts = ["returned no prediction for 0.5 s with 5 pairs waiting", "the end of its input"];
    check_error(body, ProcessSettings { timeout_seconds: 0.5, ..settings() }, &parts);
}

#[test]
fn a_model_can_be_called_again_whether_its_input_stays_open_or_not() {
    for input in [ProcessInput::StaysOpen, ProcessInput::EndsWithCall] {
        let script = Script::new(&format!("open('starts', 'a').write('x')\n{PLAIN}"));
        let model = script.start(ProcessSettings { input, restarts: 0, ..settings() });
        for count in [3, 1, 40] {
            let hypotheses = hypotheses(count);
            assert_eq!(model.predictions(&pairs(&hypotheses)).unwrap(), right(&hypotheses), "{input:?}");
        }
        let starts = fs::read_to_string(script.path("starts")).unwrap().len();
        assert_eq!(starts, if input == ProcessInput::StaysOpen { 1 } else { 3 });
    }
}

#[test]
fn pairs_with_the_same_id_are_distinguished_and_ids_are_not_sent() {
    let body = r#"
for line in sys.stdin:
    pair = json.loads(line)
    assert sorted(pair) == ["hypothesis", "id", "premise"] and "63735n" not in line
    answer(pair)
"#;
    let pair = |hypothesis| Pair { id: "63735n".into(), ..Pair::plain("p", hypothesis) };
    let answers = Script::new(body).start(settings()).predictions(&[pair("e"), pair("c"), pair("e")]).unwrap();
    assert_eq!(answers, [Label::Entailment, Label::Contradiction, Label::Entailment].map(Prediction::of));
}

#[test]
fn scores_follow_the_order_that_was_set() {
    let body = r#"for line in sys.stdin: print(json.dumps({"id": int(json.loads(line)["id"]), "scores": [0.5, 0.25, 0.125]}))"#;
    let settings = ProcessSettings { labels: LabelNames::from_order("C,E,N").unwrap(), ..settings() };
    let answers = Script::new(body).ask(settings, &hypotheses(1)).unwrap();
    assert_eq!(answers, [Prediction::from_scores([0.25, 0.125, 0.5])]);
}

#[test]
fn a_python_model_need_not_flush() {
    check(
        "for line in sys.stdin:\n    pair = json.loads(line); print(json.dumps({'id': pair['id'], 'label': label(pair)}))",
        settings(),
        20,
    );
}

#[test]
fn a_model_that_crashes_continues_where_it_stopped() {
    // It exits at every 40th line that it reads, with some pairs answered and others pending.
    let body = r#"
for count, line in enumerate(sys.stdin):
    if count == 40: os.kill(os.getpid(), 9)
    answer(json.loads(line))
"#;
    check(body, ProcessSettings { restarts: 5, ..settings() }, 200);
    check(body, ProcessSettings { restarts: 5, workers: 2, batch_size: 8, ..settings() }, 200);
}

#[test]
fn a_half_written_answer_of_a_crash_is_not_an_answer() {
    let body = r#"
crashed = os.path.exists("crashed")
for count, line in enumerate(sys.stdin):
    if count == 3 and not crashed:
        open("crashed", "w").close()
        sys.stdout.write('{"id": "3", "la'); sys.stdout.flush(); sys.exit(4)
    answer(json.loads(line))
"#;
    check(body, ProcessSettings { restarts: 1, ..settings() }, 20);
}

#[test]
fn too_many_crashes_are_an_error_with_status_and_last_lines() {
    let body = r#"
answer(json.loads(input()))
print("out of memory in layer 3", file=sys.stderr)
sys.exit(17)
"#;
    let parts = ["exit status: 17", "with 2 pairs unanswered", "after 2 restarts", "out of memory in layer 3"];
    let error = check_error(body, ProcessSettings { restarts: 2, ..settings() }, &parts);
    assert!(matches!(error, ModelError::Ended { .. }));
    let killed = "answer(json.loads(input())); os.kill(os.getpid(), 9)";
    // The shell reports the signal as 128 + 9, unless it was replaced by the command.
    let message = Script::new(killed).ask(ProcessSettings { restarts: 0, ..settings() }, &hypotheses(5)).unwrap_err().to_string();
    assert!(message.contains("signal: 9") || message.contains("exit status: 137"), "{message}");
}

#[test]
fn a_command_that_cannot_be_run_is_reported_immediately() {
    let model = ProcessModel::start("no-such-model --fast", ProcessSettings { restarts: 1000, ..settings() }).unwrap();
    let message = model.predictions(&[Pair::plain("p", "h")]).unwrap_err().to_string();
    assert!(message.contains("`no-such-model --fast` exited (exit status: 127)") && message.contains("not found"), "{message}");
    assert!(message.contains("after 0 restarts"), "{message}");
}

#[test]
fn an_invalid_answer_is_quoted() {
    let line = |text: &str| format!("pair = json.loads(input()); print({text:?}); time.sleep(60)");
    check_error(&line("Loading weights..."), settings(), &["wrote `Loading weights...`", "expected one line per pair", "standard error"]);
    check_error(
        &line(r#"{"id": "0", "label": "maybe"}"#),
        settings(),
        &[r#"wrote `{"id": "0", "label": "maybe"}`"#, "`maybe` is not a label"],
    );
    check_error(
        &line(r#"{"id": "99", "label": "e"}"#),
        settings(),
        &[r#"wrote `{"id": "99", "label": "e"}`"#, "no pair with this id was sent"],
    );
    let twice = "pair = json.loads(input()); answer(pair); answer(pair); time.sleep(60)";
    check_error(twice, settings(), &[r#"wrote `{"id": "0", "label": "entailment"}`"#, "already has a prediction"]);
    check_error("sys.stdout.write('x' * 3000000); time.sleep(60)", settings(), &["wrote `xxx", "does not end within"]);
}

#[test]
fn a_model_works_again_after_an_error() {
    let body = r#"
for line in sys.stdin:
    pair = json.loads(line)
    if pair["hypothesis"] == "bad": print("garbage")
    else: answer(pair)
"#;
    let model = Script::new(body);
    let model = model.start(settings());
    assert!(model.predictions(&[Pair::plain("p", "e"), Pair::plain("p", "bad"), Pair::plain("p", "c")]).is_err());
    assert_eq!(model.predictions(&[Pair::plain("p", "c")]).unwrap(), [Prediction::of(Label::Contradiction)]);
}

#[test]
fn a_silent_model_times_out_with_its_last_lines() {
    let model = ProcessModel::start("echo loading >&2; sleep 60", ProcessSettings { timeout_seconds: 1.5, ..settings() }).unwrap();
    let error = model.predictions(&pairs(&hypotheses(5))).unwrap_err();
    let ModelError::TimedOut { unanswered, stderr, .. } = &error else { panic!("{error}") };
    assert_eq!((*unanswered, stderr.as_slice()), (5, ["loading".to_string()].as_slice()));
    assert!(error.to_string().contains("returned no prediction for 1.5 s with 5 pairs waiting"), "{error}");
}

#[test]
fn a_model_that_does_not_read_times_out() {
    let long = vec!["e".repeat(1 << 20); 8];
    let error = Script::new("time.sleep(60)").ask(ProcessSettings { timeout_seconds: 0.5, ..settings() }, &long).unwrap_err();
    assert!(matches!(error, ModelError::TimedOut { .. }), "{error}");
}

#[test]
fn much_output_on_stderr_does_not_block_a_model() {
    let flood = "\nfor line in sys.stdin:\n    sys.stderr.write('warning ' * 20000 + '\\n'); answer(json.loads(line))";
    check(flood, settings(), 100);
    let body = "sys.stderr.write('noise\\n' * 100000 + 'the last word\\n'); sys.exit(1)";
    let error = check_error(body, ProcessSettings { restarts: 0, ..settings() }, &["the last word"]);
    let ModelError::Ended { stderr, .. } = error else { panic!("{error}") };
    assert_eq!(stderr.len(), 60);
}

#[test]
fn no_more_pairs_are_sent_than_may_be_pending() {
    // Each answer is delayed until no more input arrives, so the input received is what was sent.
    let body = r#"
import select
pending, held = b"", []
os.set_blocking(0, False)
while True:
    ready, _, _ = select.select([0], [], [], 0.05)
    if ready:
        chunk = os.read(0, 1 << 20)
        if not chunk: break
        *lines, pending = (pending + chunk).split(b"\n")
        held += lines
    elif held:
        if len(held) > 6: sys.exit("%d pairs in hand" % len(held))
        for line in held: answer(json.loads(line))
        held = []
"#;
    check(body, ProcessSettings { batch_size: 6, restarts: 0, ..settings() }, 20);
}

#[test]
fn a_dropped_model_is_ended_with_its_child_processes() {
    // One exits at the end of its input; the other and its child process must be killed.
    for body in ["open('pid', 'w').write(str(os.getpid()))\nfor line in sys.stdin: answer(json.loads(line))", STUBBORN] {
        let script = Script::new(body);
        let model = script.start(settings());
        model.predictions(&[Pair::plain("p", "e")]).unwrap();
        let started = Instant::now();
        drop(model);
        assert!(started.elapsed() < Duration::from_secs(5));
        for pid in fs::read_to_string(script.path("pid")).unwrap().split_whitespace() {
            let gone = (0..100).any(|_| {
                std::thread::sleep(Duration::from_millis(10));
                let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
                // An orphan that is not reaped remains as a zombie, which no longer runs.
                stat.is_empty() || stat.contains(") Z ")
            });
            assert!(gone, "process {pid} still runs");
        }
    }
}

const STUBBORN: &str = r#"
import subprocess
child = subprocess.Popen(["sleep", "60"])
open("pid", "w").write("%d %d" % (os.getpid(), child.pid))
answer(json.loads(input()))
time.sleep(60)
"#;
