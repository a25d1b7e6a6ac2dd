//! A bracketed text is refused, or its tree survives a round trip through text.

#![no_main]

use acidtest_lingua::{Tree, analysis::Analysis};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(tree) = Tree::read(text) else { return };
    let printed = tree.to_string();
    let again = Tree::read(&printed).expect("what is printed can be read");
    assert_eq!(printed, again.to_string());
    // A leaf with two words is two leaves of a binary tree.
    let words = |tree: &Tree| -> Vec<String> {
        tree.leaves().flat_map(|leaf| leaf.word.split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
    };
    let binary = tree.binarised();
    assert_eq!(words(&tree), words(&binary), "binarising keeps the words");
    let analysis = Analysis::from_tree(&tree);
    analysis.main_clause();
});
