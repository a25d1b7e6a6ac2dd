//! SICK tab-separated text.

use super::tab_cells::Cells;
use super::{Encoding, FormatEntry, KeptTags, gold_name};
use acidtest_nli::Example;

pub(super) static ENTRY: FormatEntry = FormatEntry {
    name: "sick",
    summary: "SICK tab-separated text",
    ending: "txt",
    claims: &[],
    tags: KeptTags::Only(|_| false),
    encoding: Encoding::Lines { header: "pair_ID\tsentence_A\tsentence_B\tentailment_judgment\n", encode },
};

fn encode(example: &Example<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    let mut cells = Cells::new(out);
    cells.add(&example.pair.id);
    cells.add(&example.pair.premise.text);
    cells.add(&example.pair.hypothesis.text);
    cells.add(&gold_name(example.gold).to_ascii_uppercase());
    cells.end()
}
