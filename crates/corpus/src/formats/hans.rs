//! HANS tab-separated text.

use super::tab_cells::Cells;
use super::{Encoding, FormatEntry, KeptTags};
use acidtest_nli::{Example, tag};

pub(super) static ENTRY: FormatEntry = FormatEntry {
    name: "hans",
    summary: "HANS tab-separated text",
    ending: "txt",
    claims: &[],
    tags: KeptTags::Only(|name| matches!(name, tag::HEURISTIC | tag::SUBCASE | tag::TEMPLATE)),
    encoding: Encoding::Lines {
        header: "gold_label\tsentence1_binary_parse\tsentence2_binary_parse\tsentence1_parse\tsentence2_parse\tsentence1\tsentence2\tpairID\theuristic\tsubcase\ttemplate\n",
        encode,
    },
};

fn encode(example: &Example<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    let gold = example.gold.ok_or("it has no label, which the HANS format cannot represent")?;
    let mut cells = Cells::new(out);
    cells.add(if gold.is_entailment() { "entailment" } else { "non-entailment" });
    cells.add_sentences(&example.pair);
    cells.add(&example.pair.id);
    [tag::HEURISTIC, tag::SUBCASE, tag::TEMPLATE].iter().for_each(|name| cells.add_tag(example, name));
    cells.end()
}
