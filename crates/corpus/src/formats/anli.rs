//! ANLI's JSON lines.

use super::json_text::line;
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
    line(out, |row| {
        row.value(b"{\"uid\":\"", &example.pair.id);
        row.value(b",\"context\":\"", &example.pair.premise.text);
        row.value(b",\"hypothesis\":\"", &example.pair.hypothesis.text);
        row.value(b",\"label\":\"", &label.name()[..1]);
        row.raw(b"}");
    });
    Ok(())
}
