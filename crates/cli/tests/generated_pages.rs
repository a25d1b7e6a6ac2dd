//! The generated pages of the documentation are what the program prints.
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[test]
fn the_glossary_page_is_what_the_program_prints() {
    let page = std::fs::read_to_string(root().join("docs/glossary.md")).unwrap();
    let remedy = "docs/glossary.md is out of date; write it with: cargo run -p acidtest -- glossary --markdown > docs/glossary.md";
    assert!(page == printed(&["glossary", "--markdown"]), "{remedy}");
}

#[test]
fn the_reference_of_commands_is_what_the_program_prints() {
    let page = std::fs::read_to_string(root().join("docs/reference.md")).unwrap();
    let remedy = "docs/reference.md is out of date; write it with: cargo run -p acidtest -- reference > docs/reference.md";
    assert!(page == printed(&["reference"]), "{remedy}");
}

#[test]
fn the_picture_of_the_terminal_is_what_run_prints() {
    let picture = std::fs::read_to_string(root().join("docs/pictures/terminal.svg")).unwrap();
    let drawn: Vec<String> = picture.split("<text ").skip(1).map(|text| drawn_text(text.split("</text>").next().unwrap())).collect();
    let printed = printed(&["run"]);
    let lines = printed.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let expected: Vec<&str> = std::iter::once("$ acidtest run").chain(lines).take(drawn.len()).collect();
    assert!(drawn.len() > 20);
    assert_eq!(drawn, expected, "docs/pictures is out of date; redraw it with: scripts/pictures.sh");
}

/// The characters of a line of the picture, without its tags.
fn drawn_text(line: &str) -> String {
    let text: String = line.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text).collect();
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x27;", "'"), ("\u{a0}", " "), ("&amp;", "&")];
    entities.iter().fold(text, |text, (entity, character)| text.replace(entity, character)).trim_end().to_string()
}

#[test]
fn a_term_is_explained_with_its_source() {
    let text = printed(&["glossary", "clustered", "wilson", "interval"]);
    assert!(text.starts_with("clustered Wilson interval\n\n  The 95 % interval of an accuracy"), "{text}");
    assert!(text.ends_with("\n  Source: Wilson 1927; clustering: docs/statistics.md\n"), "{text}");
}

#[test]
fn an_unknown_term_is_answered_with_the_nearest() {
    let output = run(&["glossary", "holms"]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with("acidtest: unknown glossary term `holms`; did you mean `holm`?"), "{message}");
}

fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_acidtest")).args(arguments).output().unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
