//! ANLI's JSON lines.

use super::json_text::{string, value};
use super::{Encoding, FormatEntry};
use acidtest_nli::{Example, Judgment};

pub(super) static ENTRY: FormatEntry = FormatEntry {
    name: "anli",
    summary: "ANLI's JSON lines",
    ending: "jsonl",
    claims: &[],
    encoding: Encoding::Lines { header: "", encode },
};

fn encode(example: &Example<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    let label = example.gold.and_then(Judgment::label).ok_or("it has no three-way label")?;
    out.extend_from_slice(b"{\"uid\":");
    string(&example.pair.id, out);
    value(b",\"context\":\"", &example.pair.premise.text, out);
    value(b",\"hypothesis\":\"", &example.pair.hypothesis.text, out);
    value(b",\"label\":\"", &label.name()[..1], out);
    out.extend_from_slice(b"}\n");
    Ok(())
}
