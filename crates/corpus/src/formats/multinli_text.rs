//! MultiNLI and SNLI tab-separated text.

use super::tab_cells::Cells;
use super::{Encoding, FormatEntry, KeptTags, gold_name};
use acidtest_nli::{Example, tag};

pub(super) static ENTRY: FormatEntry = FormatEntry {
    name: "multinli-text",
    summary: "MultiNLI and SNLI tab-separated text, without quoting or other tags (.txt)",
    ending: "txt",
    claims: &["txt"],
    tags: KeptTags::Only(|name| matches!(name, tag::PROMPT | tag::GENRE)),
    encoding: Encoding::Lines {
        header: "gold_label\tsentence1_binary_parse\tsentence2_binary_parse\tsentence1_parse\tsentence2_parse\tsentence1\tsentence2\tpromptID\tpairID\tgenre\tlabel1\tlabel2\tlabel3\tlabel4\tlabel5\n",
        encode,
    },
};

/// The number of columns for annotators.
const VOTES: usize = 5;

fn encode(example: &Example<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    let mut cells = Cells::new(out);
    cells.add(gold_name(example.gold));
    cells.add_sentences(&example.pair);
    cells.add_tag(example, tag::PROMPT);
    cells.add(&example.pair.id);
    cells.add_tag(example, tag::GENRE);
    (0..VOTES).for_each(|number| cells.add_vote(example, number));
    cells.end()
}
