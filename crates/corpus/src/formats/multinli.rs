//! MultiNLI and SNLI JSON lines.

use super::json_text::{optional, value};
use super::{Encoding, FormatEntry, gold_name};
use acidtest_nli::{Example, tag};

pub(super) static ENTRY: FormatEntry = FormatEntry {
    name: "multinli",
    summary: "MultiNLI and SNLI JSON lines",
    ending: "jsonl",
    claims: &[],
    encoding: Encoding::Lines { header: "", encode },
};

fn encode(example: &Example<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    votes(example, out);
    fields(example, out);
    out.extend_from_slice(b"}\n");
    Ok(())
}

/// Begins the object with the list of votes.
pub(super) fn votes(example: &Example<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"annotator_labels\":[");
    for (n, vote) in example.votes.0.iter().enumerate() {
        out.extend_from_slice(if n > 0 { b",\"" } else { b"\"" });
        out.extend_from_slice(vote.judgment.name().as_bytes());
        out.push(b'"');
    }
    out.push(b']');
}

/// The other fields, in the order of the published files.
pub(super) fn fields(example: &Example<'_>, out: &mut Vec<u8>) {
    for (name, text) in example.tags.iter().filter(|(name, _)| is_field(name)) {
        out.extend_from_slice(b",\"");
        out.extend_from_slice(name.as_bytes());
        value(b"\":\"", text, out);
    }
    value(b",\"gold_label\":\"", gold_name(example.gold), out);
    value(b",\"pairID\":\"", &example.pair.id, out);
    let premise = &example.pair.premise;
    value(b",\"sentence1\":\"", &premise.text, out);
    optional(b",\"sentence1_binary_parse\":\"", premise.binary_parse.as_deref(), out);
    optional(b",\"sentence1_parse\":\"", premise.parse.as_deref(), out);
    let hypothesis = &example.pair.hypothesis;
    value(b",\"sentence2\":\"", &hypothesis.text, out);
    optional(b",\"sentence2_binary_parse\":\"", hypothesis.binary_parse.as_deref(), out);
    optional(b",\"sentence2_parse\":\"", hypothesis.parse.as_deref(), out);
}

/// Whether MultiNLI, SNLI or HANS have the tag as a field of its own.
pub(super) fn is_field(name: &str) -> bool {
    matches!(name, tag::CAPTION | tag::GENRE | tag::HEURISTIC | tag::PROMPT | tag::SUBCASE | tag::TEMPLATE)
}
