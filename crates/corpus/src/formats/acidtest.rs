//! Our own JSON lines: MultiNLI's fields, who voted, tags, and what was changed.

use super::json_text::{number, string, value};
use super::multinli::{fields, is_field, votes};
use super::{Encoding, FormatEntry};
use acidtest_nli::Example;

pub(super) static ENTRY: FormatEntry = FormatEntry {
    name: "acidtest",
    summary: "JSON lines with MultiNLI's fields, tags and what was changed (the default)",
    ending: "jsonl",
    claims: &["jsonl", "json"],
    encoding: Encoding::Lines { header: "", encode },
};

fn encode(example: &Example<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    votes(example, out);
    if example.votes.0.iter().any(|vote| vote.annotator.is_some()) {
        annotators(example, out);
    }
    fields(example, out);
    tags(example, out);
    if !example.changes.is_empty() {
        changes(example, out);
    }
    out.extend_from_slice(b"}\n");
    Ok(())
}

/// Who voted, beside the list of votes; `null` for an unknown annotator.
fn annotators(example: &Example<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"annotators\":[");
    for (n, vote) in example.votes.0.iter().enumerate() {
        if n > 0 {
            out.push(b',');
        }
        match &vote.annotator {
            Some(annotator) => string(annotator, out),
            None => out.extend_from_slice(b"null"),
        }
    }
    out.push(b']');
}

fn tags(example: &Example<'_>, out: &mut Vec<u8>) {
    let mut open = false;
    for (name, text) in example.tags.iter().filter(|(name, _)| !is_field(name)) {
        out.extend_from_slice(if open { b"," } else { b",\"tags\":{" });
        open = true;
        string(name, out);
        out.push(b':');
        string(text, out);
    }
    if open {
        out.push(b'}');
    }
}

fn changes(example: &Example<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"changes\":[");
    for (n, change) in example.changes.iter().enumerate() {
        out.extend_from_slice(if n > 0 { b",{\"side\":\"" } else { b"{\"side\":\"" });
        out.extend_from_slice(change.side.name().as_bytes());
        out.extend_from_slice(b"\",\"start\":");
        number(change.start, out);
        out.extend_from_slice(b",\"end\":");
        number(change.end, out);
        value(b",\"before\":\"", &change.before, out);
        if let Some(from) = change.from {
            value(b",\"from\":\"", from.name(), out);
        }
        out.push(b'}');
    }
    out.push(b']');
}
