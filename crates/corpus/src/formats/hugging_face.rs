//! Hugging Face style JSON lines: `premise`, `hypothesis`, `label` as a number.

use super::json_text::{string, value};
use super::{Encoding, FormatEntry, number};
use acidtest_nli::Example;
use std::io::Write;

pub(super) static ENTRY: FormatEntry = FormatEntry {
    name: "hf",
    summary: "JSON lines with id, premise, hypothesis and a numbered label",
    ending: "jsonl",
    claims: &[],
    encoding: Encoding::Lines { header: "", encode },
};

fn encode(example: &Example<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    out.extend_from_slice(b"{\"id\":");
    string(&example.pair.id, out);
    value(b",\"premise\":\"", &example.pair.premise.text, out);
    value(b",\"hypothesis\":\"", &example.pair.hypothesis.text, out);
    writeln!(out, ",\"label\":{}}}", number(example.gold)).map_err(|error| error.to_string())
}
