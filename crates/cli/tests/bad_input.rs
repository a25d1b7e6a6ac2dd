//! Bad input: one line that says where, what and what to do; a non-zero exit code; no output file.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn acidtest(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_acidtest")).current_dir(folder).args(arguments).stdin(Stdio::null()).output().unwrap()
}

const ROW: &str = r#"{"gold_label": "neutral", "sentence1": "A man sleeps.", "sentence2": "A man is dreaming.", "pairID": "@"}"#;

fn row(id: usize) -> String {
    ROW.replace('@', &id.to_string())
}

/// Runs in a new folder and compares the one line on standard error with the expected one.
#[track_caller]
fn check(prepare: impl FnOnce(&Path), arguments: &[&str], expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let output = acidtest(folder.path(), arguments);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(message.lines().count(), 1, "one line: {message}");
    assert!(message.starts_with("acidtest: "), "{message}");
    assert!(message.contains(expected), "expected `{expected}` in `{message}`");
    assert!(!output.status.success());
    assert!(output.stdout.is_empty());
    let left: Vec<String> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    assert!(!left.iter().any(|name| name.starts_with("out") || name.ends_with(".part")), "left behind: {left:?}");
}

const NEGATE: &[&str] = &["challenge", "negation", "--from", "in.jsonl", "-o", "out.jsonl"];

fn write(name: &'static str, text: impl Into<Vec<u8>>) -> impl FnOnce(&Path) {
    let text = text.into();
    move |folder: &Path| fs::write(folder.join(name), text).unwrap()
}

#[test]
fn a_missing_file() {
    check(|_| (), NEGATE, "in.jsonl: no such file or folder");
}

#[test]
fn a_folder_without_corpora() {
    check(
        |folder| fs::create_dir(folder.join("empty")).unwrap(),
        &["challenge", "negation", "--from", "empty", "-o", "out.jsonl"],
        "empty: no corpus in this folder",
    );
}

#[test]
fn an_empty_file() {
    check(write("in.jsonl", ""), NEGATE, "in.jsonl:1: the file is empty");
    check(write("in.jsonl", "\n\n"), NEGATE, "in.jsonl:1: the file is empty");
}

#[test]
fn truncated_json_far_down() {
    let mut rows: Vec<String> = (1..=70_000).map(row).collect();
    rows.push(row(70_001)[..60].to_string());
    check(write("in.jsonl", rows.join("\n")), NEGATE, "in.jsonl:70001: not a JSON object: EOF while parsing a string");
}

#[test]
fn a_tab_line_with_too_few_columns() {
    let text = "gold_label\tsentence1\tsentence2\nneutral\tA\tB\nneutral\tA\n";
    check(write("in.jsonl", text), NEGATE, "in.jsonl:3: 2 columns, but the header has 3");
}

#[test]
fn invalid_utf8() {
    let mut bytes = format!("{}\n{}\n", row(1), row(2)).into_bytes();
    let at = bytes.len() - 20;
    bytes[at] = 0xff;
    check(write("in.jsonl", bytes), NEGATE, "in.jsonl:2: not UTF-8 (byte ");
}

#[test]
fn an_unknown_label() {
    let text = format!("{}\n{}\n", row(1), row(2).replace("neutral", "perhaps"));
    check(write("in.jsonl", text), NEGATE, "in.jsonl:2: `perhaps` is not a label (expected entailment, neutral, contradiction");
}

#[test]
fn a_duplicate_id_in_every_verb() {
    let text = format!("{}\n{}\n{}\n", row(1), row(2), row(1));
    let message = "in.jsonl:3: duplicate id \"1\" (first seen at line 1); ids must be unique, or pass --ids content";
    for arguments in [
        "challenge negation --from in.jsonl -o out.jsonl",
        "challenge identify in.jsonl -o out.jsonl",
        "corpus convert in.jsonl -o out.txt",
        "corpus sample 1 in.jsonl -o out.jsonl",
        "corpus split in.jsonl --part a=0.5 -o out",
        "corpus split in.jsonl --by genre -o out",
        "corpus stats in.jsonl",
        "corpus audit in.jsonl",
        "corpus tags in.jsonl",
        "predict --model overlap --data in.jsonl -o out.jsonl",
        "evaluate --model overlap --data in.jsonl",
        "run --model overlap --data in.jsonl",
        "train --model lexical --train in.jsonl -o out",
        "train --model cbow --train in.jsonl --dev in.jsonl -o out",
    ] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        check(write("in.jsonl", text.clone()), &arguments, message);
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("in.jsonl"), &text).unwrap();
        let by_content = acidtest(folder.path(), &[&arguments, &["--ids", "content"][..]].concat());
        let told = String::from_utf8_lossy(&by_content.stderr).into_owned();
        assert!(!told.contains("duplicate id"), "{arguments:?}: {told}");
    }
}

#[test]
fn a_duplicate_id_in_another_file_and_in_standard_input() {
    let prepare = |folder: &Path| {
        fs::write(folder.join("a.jsonl"), row(1)).unwrap();
        fs::write(folder.join("b.jsonl"), format!("\n{}\n{}\n", row(2), row(1))).unwrap();
    };
    let arguments = ["corpus", "convert", "a.jsonl", "b.jsonl", "-o", "out.jsonl"];
    check(prepare, &arguments, "b.jsonl:3: duplicate id \"1\" (first seen at line 1 of a.jsonl); ids must be unique");
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_acidtest"));
    let child = child.current_dir(folder.path()).args(["corpus", "stats", "-"]).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    child.stdin.take().unwrap().write_all(format!("{}\n{}\n", row(1), row(1)).as_bytes()).unwrap();
    let message = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    assert_eq!(message, "acidtest: standard input:2: duplicate id \"1\"; ids must be unique, or pass --ids content\n");
}

#[test]
fn training_and_development_rows_may_share_ids() {
    let folder = tempfile::tempdir().unwrap();
    let labels = ["entailment", "neutral", "contradiction"];
    let rows: String = (0..30).map(|n| row(n).replace("neutral", labels[n % 3]) + "\n").collect();
    fs::write(folder.path().join("in.jsonl"), rows).unwrap();
    let output = acidtest(folder.path(), &["train", "--model", "lexical", "--train", "in.jsonl", "--dev", "in.jsonl", "-o", "out"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn rows_that_are_not_text_are_skipped_and_counted_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = [row(1).as_bytes(), b"\n", b"{\"sentence1\": \"\xff\"}\n", row(2).as_bytes()].concat();
    fs::write(folder.path().join("in.jsonl"), bytes).unwrap();
    let output = acidtest(folder.path(), &[NEGATE, &["--skip-bad-rows"]].concat());
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("2 examples made") && message.contains("1 row could not be read and was skipped"), "{message}");
}

#[test]
fn duplicate_ids_and_rows_of_tables_that_are_not_text_are_skipped_too() {
    let skipped = |bytes: &[u8], told: &str| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("in.jsonl"), bytes).unwrap();
        let output = acidtest(folder.path(), &[NEGATE, &["--skip-bad-rows", "--unlabelled", "keep"]].concat());
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains("2 examples made") && message.contains(told), "{message}");
    };
    let rows = format!("{}\n{}\n{}\n", row(1), row(1), row(2));
    skipped(rows.as_bytes(), "1 row could not be read and was skipped");
    let comma = b"pairID,sentence1,sentence2\n1,A man sleeps.,A man is dreaming.\n2,\xff,B\n3,A man sleeps.,\"In bed, a man is dreaming.\"\n1,A,B\n";
    skipped(comma, "2 rows could not be read and were skipped");
    let tabs = b"pairID\tsentence1\tsentence2\n1\tA man sleeps.\tA man is dreaming.\n2\t\xff\tB\n3\tA man sleeps.\tA man is dreaming.\n";
    skipped(tabs, "1 row could not be read and was skipped");
}

#[test]
fn a_misspelt_column_in_every_layout() {
    let arguments = [NEGATE, &["--column", "label=verdcit", "--column", "id=nr"]].concat();
    let told = "in.jsonl:1: no column `nr`, `verdcit` (did you mean `verdict`?) (found ";
    check(write("in.jsonl", "premise,hypothesis,verdict\nA man sleeps.,A man dreams.,neutral\n"), &arguments, told);
    check(write("in.jsonl", "premise\thypothesis\tverdict\nA man sleeps.\tA man dreams.\tneutral\n"), &arguments, told);
    let json = r#"{"premise": "A man sleeps.", "hypothesis": "A man dreams.", "verdict": "neutral"}"#;
    check(write("in.jsonl", format!("{json}\n{json}\n")), &arguments, told);
}

#[test]
fn a_column_that_some_rows_leave_out() {
    let folder = tempfile::tempdir().unwrap();
    let rows = r#"{"premise": "A", "hypothesis": "B"}
{"premise": "A", "hypothesis": "B", "verdict": "neutral"}
"#;
    fs::write(folder.path().join("in.jsonl"), rows).unwrap();
    let output = acidtest(folder.path(), &["corpus", "convert", "in.jsonl", "-o", "-", "--column", "label=verdict"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("neutral"));
}

#[test]
fn control_characters_of_files_and_paths_are_escaped() {
    let text = format!("{}\n", row(1).replace("neutral", "\\u001b[2J\\u0007"));
    check(write("in.jsonl", text), NEGATE, "`\\u{1b}[2J\\u{7}` is not a label");
    check(|_| (), &["corpus", "stats", "a\x1b[31m\nb"], "a\\u{1b}[31m b: no such file");
}

#[test]
fn a_line_of_70_megabytes() {
    let text = format!("{}\n{{\"sentence1\": \"{}\"}}\n", row(1), "a".repeat(70 << 20));
    check(write("in.jsonl", text), NEGATE, "in.jsonl:2: the line is longer than 64 MB");
}

#[test]
fn a_row_of_very_many_fields() {
    let fields: String = (0..200_000).rev().map(|field| format!(", \"f{field:06}\": 1")).collect();
    let text = format!("{}{fields}}}\n", row(1).trim_end_matches('}'));
    check(write("in.jsonl", text), NEGATE, "in.jsonl:1: more than 10000 fields");
}

#[test]
fn a_quotation_mark_that_is_not_closed_in_predictions() {
    let prepare = |folder: &Path| {
        fs::write(folder.join("in.jsonl"), row(1)).unwrap();
        fs::write(folder.join("p.csv"), format!("id,label\n1,\"neutral\n{}", "2,neutral\n".repeat(7 << 20))).unwrap();
    };
    let arguments = ["evaluate", "--data", "in.jsonl", "--predictions", "p.csv"];
    check(prepare, &arguments, "p.csv:2: cannot be read further: a row of more than 64 MB");
}

/// Runs with this limit on the address space in kilobytes, and returns the message.
#[cfg(target_os = "linux")]
fn limited(folder: &Path, kilobytes: usize, arguments: &str) -> String {
    let command = format!("ulimit -v {kilobytes}; '{}' {arguments} --threads 1", env!("CARGO_BIN_EXE_acidtest"));
    let output = Command::new("sh").current_dir(folder).args(["-c", &command]).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{arguments}: {said}");
    said
}

#[cfg(target_os = "linux")]
#[test]
fn a_line_of_16_megabytes_is_read_and_recognised_by_its_beginning() {
    let folder = tempfile::tempdir().unwrap();
    let long = "a ".repeat(8 << 20);
    fs::write(folder.path().join("in.jsonl"), format!("{}\n{}\n", row(1), row(2).replace("A man sleeps.", &long))).unwrap();
    let said = |arguments| limited(folder.path(), 1_000_000, arguments);
    let made = said("challenge negation --from in.jsonl -o out.jsonl");
    assert!(made.contains("a sentence of more than 1 MB"), "{made}");
    let predicted = said("predict --data in.jsonl --model overlap -o predictions.jsonl");
    assert!(predicted.contains("1 input was truncated"), "{predicted}");
    let run = said("run --data in.jsonl --model overlap --model negation-word");
    assert!(run.contains("1 input was truncated"), "{run}");
    said("corpus stats in.jsonl");
    for verb in ["corpus audit in.jsonl", "corpus tags in.jsonl"] {
        let looked = said(verb);
        assert!(looked.contains("1 example has a text of more than 1 MB"), "{looked}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_line_of_text_is_analysed_in_pieces() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.txt"), format!("{}\nIt rains.\n", "It rains. ".repeat(30_000))).unwrap();
    let said = limited(folder.path(), 1_000_000, "analyze in.txt --format conllu -o out.txt");
    assert_eq!(said, "1 text was longer than 128 KB and analysed in pieces\n");
    let written = fs::read_to_string(folder.path().join("out.txt")).unwrap();
    assert_eq!(written.matches("# text = It rains.").count(), 30_001);
    assert!(written.contains("# sent_id = 1.2-1\n") && written.contains("# sent_id = 2-1\n"));
    let ids: Vec<&str> = written.lines().filter(|line| line.starts_with("# sent_id")).collect();
    assert_eq!(ids.iter().collect::<std::collections::BTreeSet<_>>().len(), ids.len());
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_sentence_takes_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.txt"), "a ".repeat(400_000)).unwrap();
    // Keeping buffers of the whole sentence for each of its pieces took five gigabytes.
    limited(folder.path(), 1_500_000, "analyze in.txt -o out.txt");
}

/// A sparse file of this many megabytes of zeros.
fn large(name: &'static str, megabytes: u64) -> impl FnOnce(&Path) {
    move |folder: &Path| fs::File::create(folder.join(name)).unwrap().set_len(megabytes << 20).unwrap()
}

#[test]
fn files_that_are_read_into_memory_have_a_size_limit() {
    check(large("big.json", 65), &["report", "big.json"], "big.json: the file is larger than 64 MB");
    check(large("big.csv", 65), &["compare", "--results", "big.csv"], "more than 64 MB");
    let arguments = ["challenge", "hans", "--set", "grammar=big.grammar", "-o", "out.txt"];
    check(large("big.grammar", 17), &arguments, "the file is larger than 16 MB");
    // An unclosed quotation mark turns the rest of the file into one row.
    let text = format!("premise,hypothesis\nA,\"B\n{}", "a man, a plan\n".repeat(5 << 20));
    check(write("in.jsonl", text), NEGATE, "in.jsonl:2: cannot be read further: a row of more than 64 MB");
}

#[test]
fn more_processes_than_can_be_started() {
    let arguments = ["predict", "--model", "process:cat", "--workers", "100000", "--data", "in.jsonl", "-o", "out.jsonl"];
    check(write("in.jsonl", row(1)), &arguments, "--workers: invalid value `100000`: expected a number from 1 to 256");
}

#[test]
fn archives_and_xml_are_named() {
    check(write("in.jsonl", b"PK\x03\x04\xff\x00"), NEGATE, "in.jsonl: a zip archive is not supported; unpack it first");
    check(write("in.jsonl", "<?xml version=\"1.0\"?>\n<fracas-problems/>\n"), NEGATE, "in.jsonl:1: XML is not supported; convert it");
    let tabbed = "\n<?xml version=\"1.0\"?>\t<fracas-problems/>\n";
    check(write("in.jsonl", tabbed), NEGATE, "in.jsonl:2: XML is not supported; convert it");
}

#[test]
fn an_unknown_challenge() {
    let arguments = ["challenge", "negatoin", "--from", "in.jsonl", "-o", "out.jsonl"];
    check(write("in.jsonl", row(1)), &arguments, "unknown challenge `negatoin`; did you mean `negation`?");
}

#[test]
fn an_unknown_setting() {
    let arguments = [NEGATE, &["--set", "sied=premise"]].concat();
    check(write("in.jsonl", row(1)), &arguments, "`negation` has no setting `sied`; did you mean `side`?");
}

#[test]
fn an_output_that_cannot_be_written() {
    let arguments = ["challenge", "negation", "--from", "in.jsonl", "-o", "nowhere/out.jsonl"];
    check(write("in.jsonl", row(1)), &arguments, "nowhere/out.jsonl: cannot be written: No such file or directory");
    let arguments = ["challenge", "negation", "--from", "in.jsonl", "-o", "."];
    check(write("in.jsonl", row(1)), &arguments, ".: cannot be written: is a folder; expected a file name");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.jsonl"), row(1)).unwrap();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_acidtest"))
        .current_dir(folder.path())
        .args(["challenge", "negation", "--from", "in.jsonl", "-o", "-"])
        .stdout(full)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("standard output: cannot be written: No space left on device"), "{message}");
    assert!(!output.status.success());
}

#[test]
fn a_gzip_that_ends_early() {
    let rows: Vec<String> = (1..=2000).map(row).collect();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(rows.join("\n").as_bytes()).unwrap();
    let bytes = encoder.finish().unwrap();
    check(write("in.jsonl", &bytes[..bytes.len() / 2]), NEGATE, ": cannot be read further: the compressed data ends early");
}

const EVALUATE: &[&str] = &["evaluate", "--data", "in.jsonl", "--predictions", "predictions.jsonl"];

#[test]
fn predictions_for_another_file() {
    let prepare = |folder: &Path| {
        fs::write(folder.join("in.jsonl"), format!("{}\n{}\n", row(1), row(2))).unwrap();
        fs::write(folder.join("predictions.jsonl"), "{\"id\": \"x\", \"label\": \"neutral\"}\n").unwrap();
    };
    check(prepare, EVALUATE, "predictions.jsonl: ");
    check(prepare, EVALUATE, "predictions for another file?");
}

#[test]
fn missing_and_surplus_predictions() {
    let prepare = |folder: &Path| {
        fs::write(folder.join("in.jsonl"), format!("{}\n{}\n", row(1), row(2))).unwrap();
        fs::write(folder.join("predictions.jsonl"), "{\"id\": \"1\", \"label\": \"neutral\"}\n").unwrap();
    };
    check(prepare, EVALUATE, "--allow-missing");
    let prepare = |folder: &Path| {
        fs::write(folder.join("in.jsonl"), format!("{}\n", row(1))).unwrap();
        fs::write(folder.join("predictions.jsonl"), "id,label\n1,neutral\n2,neutral\n").unwrap();
    };
    check(prepare, EVALUATE, "`2`");
}

#[test]
fn scores_without_an_order() {
    let prepare = |folder: &Path| {
        fs::write(folder.join("in.jsonl"), row(1)).unwrap();
        fs::write(folder.join("predictions.jsonl"), "0.1 0.2 0.7\n").unwrap();
    };
    check(prepare, EVALUATE, "predictions.jsonl:1: three score columns without names; pass their order with --labels");
}

#[test]
fn bad_rows_are_skipped_and_counted_on_request() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.jsonl"), format!("{}\n{{\n{}\n", row(1), row(2))).unwrap();
    let output = acidtest(folder.path(), &[NEGATE, &["--skip-bad-rows"]].concat());
    assert!(output.status.success());
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("2 examples made") && message.contains("1 row could not be read and was skipped"), "{message}");
    assert_eq!(fs::read_to_string(folder.path().join("out.jsonl")).unwrap().lines().count(), 2);
}

#[test]
fn a_model_that_must_be_trained_first() {
    check(|_| (), &["run", "--model", "bilstm"], "`bilstm` has no weights yet; train it with `acidtest train --model bilstm");
}

#[test]
fn a_report_never_overwrites_its_inputs() {
    let prepare = |folder: &Path| {
        fs::write(folder.join("in.jsonl"), row(1)).unwrap();
        fs::create_dir(folder.join("model")).unwrap();
        fs::write(folder.join("model/model.json"), "{}").unwrap();
    };
    let own = "in.jsonl: would overwrite an input; choose another name for the output";
    check(prepare, &["evaluate", "--data", "in.jsonl", "--model", "overlap", "-o", "./in.jsonl"], own);
    check(prepare, &["run", "--data", "in.jsonl", "--model", "overlap", "-o", "in.jsonl"], own);
    check(prepare, &["compare", "in.jsonl", "in.jsonl@x", "--data", "in.jsonl", "-o", "in.jsonl"], own);
    let of_model = "model/new.txt: is inside model, which is an input; choose another place for the output";
    check(prepare, &["evaluate", "--data", "in.jsonl", "--model", "model", "-o", "model/new.txt"], of_model);
    let of_model = "model/new.csv: is inside model, which is an input; choose another place for the output";
    check(prepare, &["predict", "--data", "in.jsonl", "--model", "model", "-o", "model/new.csv"], of_model);
}

#[test]
fn a_model_given_twice() {
    check(|_| (), &["run", "--model", "overlap", "--model", "overlap"], "two models are named `overlap`");
}

#[test]
fn hans_is_among_the_challenges_of_a_run() {
    check(|_| {}, &["run", "--challenge", "hanns"], "did you mean `hans`");
}

/// Starts a challenge set from standard input, which stays open, and waits until its output file exists. Exactly these signals are ignored, whatever
/// the tests inherited.
#[cfg(target_os = "linux")]
fn begun(folder: &Path, ignored: &str) -> (std::process::Child, std::process::ChildStdin) {
    let mut command = Command::new("env");
    command.arg("--default-signal=INT,TERM,HUP");
    if !ignored.is_empty() {
        command.arg(format!("--ignore-signal={ignored}"));
    }
    command.arg(env!("CARGO_BIN_EXE_acidtest")).args(["challenge", "negation", "--from", "-", "-o", "out.jsonl"]);
    let mut child = command.current_dir(folder).stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(format!("{}\n", row(1)).as_bytes()).unwrap();
    let begun = || fs::read_dir(folder).unwrap().any(|entry| entry.unwrap().file_name().to_string_lossy().ends_with(".part"));
    for _ in 0..1000 {
        if begun() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    (child, input)
}

#[cfg(target_os = "linux")]
fn signal(child: &std::process::Child, signal: &str) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_program_removes_its_partial_output() {
    for name in ["-INT", "-TERM", "-HUP"] {
        let folder = tempfile::tempdir().unwrap();
        let (mut child, input) = begun(folder.path(), "");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no output was begun");
        signal(&child, name);
        assert_eq!(child.wait().unwrap().code(), Some(130));
        drop(input);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "something is left behind");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_is_ignored_leaves_the_others_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let (mut child, _input) = begun(folder.path(), "HUP,INT");
    signal(&child, "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "something is left behind");
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let (mut child, input) = begun(folder.path(), "HUP");
    signal(&child, "-HUP");
    std::thread::sleep(std::time::Duration::from_millis(100));
    drop(input);
    assert!(child.wait().unwrap().success());
    assert!(folder.path().join("out.jsonl").is_file());
}

#[test]
fn flags_for_predictions_need_a_file_of_predictions() {
    let prepare = || write("in.jsonl", row(1));
    let missing = "overlap: no such file or folder";
    check(prepare(), &["evaluate", "--data", "in.jsonl", "--predictions", "overlap"], missing);
    check(prepare(), &["doctor", "--data", "in.jsonl", "--predictions", "overlap"], missing);
    check(prepare(), &["corpus", "tags", "in.jsonl", "--predictions", "overlap"], missing);
    check(prepare(), &["corpus", "tags", "in.jsonl", "--labels", "C,E,N"], "--labels: there are no predictions to read");
}

#[test]
fn arguments_that_would_be_ignored_are_refused() {
    let nothing_read = "expected nothing, because there is no corpus to read";
    check(|_| (), &["run", "--column", "foo=bar"], &format!("--column: invalid value `foo=bar`: {nothing_read}"));
    check(|_| (), &["run", "--skip-bad-rows"], &format!("--skip-bad-rows: invalid value `skip`: {nothing_read}"));
    check(|_| (), &["run", "--model", "overlap", "--subset"], "--subset: invalid value `ignore`: expected saved predictions");
    let twice = "--column: invalid value `premise=b`: expected each field once";
    let prepare = || write("in.jsonl", row(1));
    check(prepare(), &["corpus", "stats", "in.jsonl", "--column", "premise=a", "--column", "premise=b"], twice);
    let twice = "the setting `times` is given twice";
    check(prepare(), &["challenge", "tautology", "--from", "in.jsonl", "-o", "-", "--set", "times=2", "--set", "times=3"], twice);
    let twice = "--set hans.per_subcase: invalid value `3`: expected each setting once";
    check(|_| (), &["run", "--set", "hans.per_subcase=2", "--set", "hans.per_subcase=3"], twice);
}

#[test]
fn a_wrong_label_order_names_the_flag_that_sets_it() {
    let expected = "invalid value `X,Y,Z`: expected two or three different labels";
    check(|_| (), &["run", "--model", "process:cat", "--labels", "X,Y,Z"], &format!("--labels: {expected}"));
    let prepare = || write("in.jsonl", row(1));
    check(prepare(), &["corpus", "stats", "in.jsonl", "--data-labels", "X,Y,Z"], &format!("--data-labels: {expected}"));
    check(|_| (), &["run", "--model", "process:cat", "--batch-size", "0"], "--batch-size: invalid value `0`: expected at least 1");
    check(|_| (), &["run", "--model", "process:cat", "--timeout", "0"], "--timeout: invalid value `0`: expected a positive number");
}
