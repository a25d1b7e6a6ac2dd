//! `acidtest analyze`: its three output formats, and how it answers bad input.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn acidtest(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_acidtest"))
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A program that stopped early does not read all of its input.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// The standard output for a text that must be accepted.
#[track_caller]
fn printed(arguments: &[&str], input: &str) -> String {
    let output = acidtest(Path::new("."), arguments, input.as_bytes());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

const JSON: &[&str] = &["analyze", "--format", "json"];
const CONLLU: &[&str] = &["analyze", "--format", "conllu"];

#[test]
fn json_has_every_documented_field() {
    let line = printed(JSON, "\nMary paid $2.5 million in London.\n");
    let text: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!((text["path"].as_str(), text["line"].as_u64()), (Some("standard input"), Some(2)));
    let sentence = &text["sentences"][0];
    let paid = &sentence["words"][1];
    let expected = serde_json::json!({"form": "paid", "start": 5, "end": 9, "lemma": "pay", "universal": "VERB", "tag": "VBD", "head": 0, "relation": "root"});
    assert_eq!(*paid, expected);
    let money = serde_json::json!({"kind": "money", "text": "$2.5 million", "start": 10, "end": 22, "value": 2_500_000.0, "unit": "$"});
    assert_eq!(sentence["numbers"], serde_json::json!([money]));
    let names: Vec<(&str, &str)> =
        sentence["names"].as_array().unwrap().iter().map(|name| (name["text"].as_str().unwrap(), name["kind"].as_str().unwrap())).collect();
    assert!(names.contains(&("London", "LOCATION")), "{names:?}");
    let clause = &sentence["clauses"][0];
    assert_eq!((clause["verb"].as_u64(), clause["voice"].as_str()), (Some(2), Some("active")));
    assert_eq!(clause["subject"], serde_json::json!({"head": 1, "first": 1, "last": 1}));
    // The documentation names every field.
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/analyze.md")).unwrap();
    for name in fields(&text) {
        assert!(page.contains(&format!("`{name}`")), "docs/analyze.md does not describe `{name}`");
    }
}

/// All names of fields, nested ones too.
fn fields(value: &serde_json::Value) -> Vec<String> {
    match value {
        serde_json::Value::Object(object) => {
            object.iter().flat_map(|(name, value)| std::iter::once(name.clone()).chain(fields(value))).collect()
        }
        serde_json::Value::Array(values) => values.iter().flat_map(fields).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn conllu_is_read_back_as_the_same_words() {
    let out = printed(CONLLU, "He didn't go. She did!\r\n\r\nTab\there.\n");
    let sentences = acidtest_lingua::conllu::read(&out).unwrap();
    let forms: Vec<String> =
        sentences.iter().map(|sentence| sentence.iter().map(|row| row.form.as_str()).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(forms, ["He did n't go .", "She did !", "Tab here ."]);
    let ids: Vec<&str> = out.lines().filter_map(|line| line.strip_prefix("# sent_id = ")).collect();
    assert_eq!(ids, ["1-1", "1-2", "3-1"]);
}

#[test]
fn empty_input_gives_empty_output() {
    for format in ["table", "conllu", "json"] {
        for input in ["", "\n", " \r\n\t\n\n"] {
            assert_eq!(printed(&["analyze", "--format", format], input), "", "{format} {input:?}");
        }
    }
}

#[test]
fn paragraphs_are_read_as_one_text() {
    let text = "The old man\nsaw two dogs.\n\nHe left.\n";
    let sentences = |by: &str| acidtest_lingua::conllu::read(&printed(&[CONLLU, &["--by", by]].concat(), text)).unwrap().len();
    assert_eq!((sentences("line"), sentences("paragraph")), (3, 2));
}

/// Blank lines that fill more than half of a block, so that few sentences are read in many blocks.
fn blank_lines() -> String {
    "\n".repeat(40_000)
}

#[test]
fn any_number_of_threads_prints_the_same() {
    let row = |n: u32| format!("Row {n}: the old man didn't see {n} dogs in Paris 🙂, did he?\n{}", blank_lines());
    let text: String = (0..8).map(row).collect();
    for format in ["table", "conllu", "json"] {
        let with = |threads: &str| printed(&["analyze", "--format", format, "--threads", threads], &text);
        let one = with("1");
        assert!(["Row 0", "Row 7"].iter().all(|row| one.contains(row)), "{one}");
        assert_eq!(one, with("3"), "{format}");
    }
}

#[test]
fn a_line_that_is_not_utf8_is_an_error_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let blank = blank_lines();
    let mut bytes = format!("It rains.\n{blank}{blank}It snows.\n").into_bytes();
    bytes.extend(b"It \xff rains.\nIt rains.\n");
    fs::write(folder.path().join("in.txt"), &bytes).unwrap();
    for threads in ["1", "3"] {
        let output = acidtest(folder.path(), &[CONLLU, &["--threads", threads, "in.txt"]].concat(), b"");
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "acidtest: in.txt:80003: not UTF-8 (byte 4 of the line)\n");
        let sentences = acidtest_lingua::conllu::read(&String::from_utf8(output.stdout).unwrap()).unwrap();
        assert_eq!(sentences.len(), 2, "what stands before it is printed");
    }
    let output = acidtest(folder.path(), &[CONLLU, &["-o", "out.conllu", "in.txt"]].concat(), b"");
    assert!(!output.status.success() && !folder.path().join("out.conllu").exists());
}

#[test]
fn bad_arguments_are_reported_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("texts")).unwrap();
    for (file, message) in [("missing.txt", "missing.txt: no such file or folder"), ("texts", "texts: is a folder; expected a text file")] {
        let output = acidtest(folder.path(), &["analyze", file], b"");
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(String::from_utf8_lossy(&output.stderr), format!("acidtest: {message}\n"));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_line_of_a_megabyte_is_analysed() {
    let long = ["extraordinarily-long-hyphenated-words-are-words-too"; 40].join("-");
    let text = format!("{long} and ").repeat(500);
    assert!(text.len() > 1_000_000);
    let output = acidtest(Path::new("."), CONLLU, text.as_bytes());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "1 text was longer than 128 KB and analysed in pieces\n");
    let out = String::from_utf8(output.stdout).unwrap();
    let words: usize = acidtest_lingua::conllu::read(&out).unwrap().iter().map(Vec::len).sum();
    assert_eq!(words, 1_000);
}

#[test]
fn output_names_the_file_of_each_text() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "It rains.").unwrap();
    fs::write(folder.path().join("b.txt"), "It snows.").unwrap();
    let output = acidtest(folder.path(), &[CONLLU, &["a.txt", "b.txt"]].concat(), b"");
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.contains("# sent_id = 1-1-1\n") && out.contains("# sent_id = 2-1-1\n"), "{out}");
    assert!(out.contains("# path = b.txt\n"));
    let output = acidtest(folder.path(), &["analyze", "a.txt", "b.txt"], b"");
    assert!(String::from_utf8(output.stdout).unwrap().contains("b.txt:1:1  It snows.\n"));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = tempfile::tempdir().unwrap();
    // More output than a pipe buffers.
    fs::write(folder.path().join("in.txt"), "It rains.\n".repeat(1_000)).unwrap();
    let script = format!("set -o pipefail; '{}' analyze in.txt | head -1", env!("CARGO_BIN_EXE_acidtest"));
    let output = Command::new("bash").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1:1  It rains.\n");
    assert!(output.status.success());
}

const PLAIN_ROWS: &str = "id,premise,hypothesis,label
1,The old man saw two dogs.,The old man,e
2,The old man saw two dogs.,saw two,n
3,If it rains we stay.,It rains.,n
";

#[test]
fn every_verb_parses_examples_that_have_no_parse() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("rows.csv"), PLAIN_ROWS).unwrap();
    let run = |arguments: &[&str]| {
        let output = acidtest(folder.path(), arguments, b"");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (_, told) = run(&["challenge", "spelling-swap-content", "--from", "rows.csv", "-o", "set.jsonl"]);
    let made = "spelling-swap-content: 1 example made from 1 of 3; not applicable to 2: no word that can be misspelt; parts of speech of 1 from Acidtest's own tagger\n";
    assert_eq!(told, made);
    let about = fs::read_to_string(folder.path().join("set.jsonl.about.json")).unwrap();
    let about: serde_json::Value = serde_json::from_str(&about).unwrap();
    assert_eq!(about["coverage"]["word_classes"], serde_json::json!({"our tagger": 1}));
    let (tags, _) = run(&["corpus", "tags", "rows.csv"]);
    let flat = tags.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        flat.contains("3 of 3 examples have a sentence without a parse, whose parts of speech come from Acidtest's own tagger."),
        "{tags}"
    );
    let tense: Vec<&str> = tags.lines().filter(|line| line.trim_start().starts_with("tense-match")).collect();
    assert!(tense.iter().any(|line| line.contains(" 2 of 3 ")) && tense.iter().any(|line| line.ends_with(" 0")), "{tags}");
    let tagged = |threads: &str| {
        run(&["corpus", "tags", "rows.csv", "--rows", "tagged.jsonl", "--threads", threads]);
        fs::read_to_string(folder.path().join("tagged.jsonl")).unwrap()
    };
    assert!(tagged("1").contains(r#""tense-match":"yes""#));
    assert_eq!(tagged("1"), tagged("3"));
    let (audit, _) = run(&["corpus", "audit", "rows.csv"]);
    let note = "3 of 3 examples have no usable parse of the premise: constituents come from Acidtest's own parser.";
    assert!(audit.split_whitespace().collect::<Vec<_>>().join(" ").contains(note), "{audit}");
    let constituent = audit.lines().find(|line| line.trim_start().starts_with("constituent")).unwrap();
    assert_eq!(constituent.split_whitespace().take(3).collect::<Vec<_>>(), ["constituent", "1", "1"], "{audit}");
    let (diagnosis, _) = run(&["evaluate", "--data", "rows.csv", "--model", "overlap", "--details"]);
    assert!(diagnosis.replace("\n  ", " ").contains("constituents come from Acidtest's own parser"), "{diagnosis}");
    assert!(!diagnosis.contains("The constituent heuristic was skipped"), "{diagnosis}");
}
