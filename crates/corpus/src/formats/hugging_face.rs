//! Hugging Face style JSON lines: `id`, `premise`, `hypothesis`, `label` as a word, and tags as fields. JSON lines have no metadata for numbered labels.

use super::json_text::line;
use super::{Encoding, FormatEntry, KeptTags, gold_name};
use crate::field::tag_column;
use acidtest_nli::Example;

pub(super) static ENTRY: FormatEntry = FormatEntry {
    name: "hf",
    summary: "JSON lines with the fields id, premise, hypothesis, label and tags, as in Hugging Face datasets",
    ending: "jsonl",
    claims: &[],
    tags: KeptTags::All,
    encoding: Encoding::Lines { header: "", encode },
};

pub(super) fn encode(example: &Example<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    line(out, |row| {
        row.value(b"{\"id\":\"", &example.pair.id);
        row.value(b",\"premise\":\"", &example.pair.premise.text);
        row.value(b",\"hypothesis\":\"", &example.pair.hypothesis.text);
        row.value(b",\"label\":\"", gold_name(example.gold));
        for (name, text) in example.tags.iter() {
            row.raw(b",");
            row.named(&tag_column(name), text);
        }
        row.raw(b"}");
    });
    Ok(())
}
