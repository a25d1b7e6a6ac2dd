//! ANLI's JSON lines.

use super::json_text::line;
use super::{Encoding, FormatEntry, KeptTags};
use acidtest_nli::Example;

pub(super) static ENTRY: FormatEntry = FormatEntry {
    name: "anli",
    summary: "ANLI's JSON lines",
    ending: "jsonl",
    claims: &[],
    tags: KeptTags::Only(|_| false),
    encoding: Encoding::Lines { header: "", encode },
};

fn encode(example: &Example<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    let gold = example.gold.ok_or("it has no label")?;
    let label = gold.label().ok_or_else(|| format!("the format cannot hold the two-way label {gold}; use acidtest, hf, csv or parquet"))?;
    line(out, |row| {
        row.value(b"{\"uid\":\"", &example.pair.id);
        row.value(b",\"context\":\"", &example.pair.premise.text);
        row.value(b",\"hypothesis\":\"", &example.pair.hypothesis.text);
        row.value(b",\"label\":\"", &label.name()[..1]);
        row.raw(b"}");
    });
    Ok(())
}
