//! Hugging Face style JSON lines: `id`, `premise`, `hypothesis`, `label` as a word, and tags as fields. JSON lines cannot say what numbers mean.

use super::json_text::{string, value};
use super::{Encoding, FormatEntry, gold_name};
use crate::field::tag_column;
use acidtest_nli::Example;

pub(super) static ENTRY: FormatEntry = FormatEntry {
    name: "hf",
    summary: "JSON lines with the fields id, premise, hypothesis, label and tags, as in Hugging Face datasets",
    ending: "jsonl",
    claims: &[],
    encoding: Encoding::Lines { header: "", encode },
};

pub(super) fn encode(example: &Example<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    out.extend_from_slice(b"{\"id\":");
    string(&example.pair.id, out);
    value(b",\"premise\":\"", &example.pair.premise.text, out);
    value(b",\"hypothesis\":\"", &example.pair.hypothesis.text, out);
    value(b",\"label\":\"", gold_name(example.gold), out);
    for (name, text) in example.tags.iter() {
        out.push(b',');
        string(&tag_column(name), out);
        value(b":\"", text, out);
    }
    out.extend_from_slice(b"}\n");
    Ok(())
}
