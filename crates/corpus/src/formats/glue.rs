//! GLUE tab-separated MNLI, whose rows are numbered.

use super::tab_cells::Cells;
use super::{Encoding, FormatEntry, KeptTags, gold_name};
use acidtest_nli::{Example, tag};

pub(super) static ENTRY: FormatEntry = FormatEntry {
    name: "glue",
    summary: "GLUE tab-separated MNLI",
    ending: "tsv",
    claims: &[],
    tags: KeptTags::Only(|name| matches!(name, tag::PROMPT | tag::GENRE)),
    encoding: Encoding::NumberedLines {
        header: "index\tpromptID\tpairID\tgenre\tsentence1_binary_parse\tsentence2_binary_parse\tsentence1_parse\tsentence2_parse\tsentence1\tsentence2\tlabel1\tgold_label\n",
        encode,
    },
};

fn encode(example: &Example<'_>, number: u64, out: &mut Vec<u8>) -> Result<(), String> {
    let mut cells = Cells::new(out);
    cells.add(&number.to_string());
    cells.add_tag(example, tag::PROMPT);
    cells.add(&example.pair.id);
    cells.add_tag(example, tag::GENRE);
    cells.add_sentences(&example.pair);
    cells.add_vote(example, 0);
    cells.add(gold_name(example.gold));
    cells.end()
}
