//! MultiNLI and SNLI JSON lines.

use super::json_text::{JsonRow, line};
use super::{Encoding, FormatEntry, KeptTags, gold_name};
use acidtest_nli::{Example, tag};

pub(super) static ENTRY: FormatEntry = FormatEntry {
    name: "multinli",
    summary: "MultiNLI and SNLI JSON lines",
    ending: "jsonl",
    claims: &[],
    tags: KeptTags::Only(is_field),
    encoding: Encoding::Lines { header: "", encode },
};

fn encode(example: &Example<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    line(out, |row| {
        votes(example, row);
        fields(example, row);
        row.raw(b"}");
    });
    Ok(())
}

/// Begins the object with the list of votes.
pub(super) fn votes(example: &Example<'_>, row: &mut JsonRow<'_>) {
    row.key(b"{\"annotator_labels\":[");
    for (n, vote) in example.votes.0.iter().enumerate() {
        if n > 0 {
            row.raw(b",");
        }
        row.string(vote.judgment.name());
    }
    row.raw(b"]");
}

/// The other fields, in the order of the published files.
pub(super) fn fields(example: &Example<'_>, row: &mut JsonRow<'_>) {
    for (name, text) in example.tags.iter().filter(|(name, _)| is_field(name)) {
        row.raw(b",");
        row.named(name, text);
    }
    row.value(b",\"gold_label\":\"", gold_name(example.gold));
    row.value(b",\"pairID\":\"", &example.pair.id);
    let premise = &example.pair.premise;
    row.value(b",\"sentence1\":\"", &premise.text);
    row.optional(b",\"sentence1_binary_parse\":\"", premise.binary_parse.as_deref());
    row.optional(b",\"sentence1_parse\":\"", premise.parse.as_deref());
    let hypothesis = &example.pair.hypothesis;
    row.value(b",\"sentence2\":\"", &hypothesis.text);
    row.optional(b",\"sentence2_binary_parse\":\"", hypothesis.binary_parse.as_deref());
    row.optional(b",\"sentence2_parse\":\"", hypothesis.parse.as_deref());
}

/// Whether the tag is a field in MultiNLI, SNLI or HANS.
pub(super) fn is_field(name: &str) -> bool {
    matches!(name, tag::CAPTION | tag::GENRE | tag::HEURISTIC | tag::PROMPT | tag::SUBCASE | tag::TEMPLATE)
}
