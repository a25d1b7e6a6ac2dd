//! Our own JSON lines: MultiNLI's fields, annotators, tags and changes.

use super::json_text::{JsonRow, line};
use super::multinli::{fields, is_field, votes};
use super::{Encoding, FormatEntry, KeptTags};
use acidtest_nli::{Example, Side};

pub(super) static ENTRY: FormatEntry = FormatEntry {
    name: "acidtest",
    summary: "JSON lines with MultiNLI's fields, tags and changes (the default)",
    ending: "jsonl",
    claims: &["jsonl", "json"],
    tags: KeptTags::All,
    encoding: Encoding::Lines { header: "", encode },
};

fn encode(example: &Example<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    line(out, |row| {
        votes(example, row);
        if example.votes.0.iter().any(|vote| vote.annotator.is_some()) {
            annotators(example, row);
        }
        fields(example, row);
        tags(example, row);
        if !example.changes.is_empty() {
            changes(example, row);
        }
        row.raw(b"}");
    });
    Ok(())
}

/// The annotators of the votes; `null` for an unknown one.
fn annotators(example: &Example<'_>, row: &mut JsonRow<'_>) {
    row.key(b",\"annotators\":[");
    for (n, vote) in example.votes.0.iter().enumerate() {
        if n > 0 {
            row.raw(b",");
        }
        match &vote.annotator {
            Some(annotator) => row.string(annotator),
            None => row.raw(b"null"),
        }
    }
    row.raw(b"]");
}

fn tags(example: &Example<'_>, row: &mut JsonRow<'_>) {
    let mut open = false;
    for (name, text) in example.tags.iter().filter(|(name, _)| !is_field(name)) {
        match open {
            true => row.raw(b","),
            false => row.key(b",\"tags\":{"),
        }
        open = true;
        row.named(name, text);
    }
    if open {
        row.raw(b"}");
    }
}

fn changes(example: &Example<'_>, row: &mut JsonRow<'_>) {
    row.key(b",\"changes\":[");
    for (n, change) in example.changes.iter().enumerate() {
        if n > 0 {
            row.raw(b",");
        }
        row.value(b"{\"side\":\"", change.side.name());
        row.key(b",\"start\":");
        row.number(change.start);
        row.key(b",\"end\":");
        row.number(change.end);
        row.value(b",\"before\":\"", &change.before);
        row.optional(b",\"from\":\"", change.from.map(Side::name));
        row.raw(b"}");
    }
    row.raw(b"]");
}
