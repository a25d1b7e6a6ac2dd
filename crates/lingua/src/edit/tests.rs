use super::*;
use crate::Tree;
use crate::align::spans;
use proptest::prelude::*;

const TEXT: &str = "The old dog chased two men.";
const PARSE: &str = "(ROOT (S (NP (DT The) (JJ old) (NN dog)) (VP (VBD chased) (NP (CD two) (NNS men))) (. .)))";
const BINARY: &str = "( ( The ( old dog ) ) ( ( chased ( two men ) ) . ) )";

#[track_caller]
fn check(edit: impl Fn(&mut Edit<'_, '_>), text: &str, parse: &str, binary: &str) {
    let view = View::new(TEXT, Some(PARSE), Some(BINARY));
    let mut edits = view.edit();
    edit(&mut edits);
    let edited = edits.finish().unwrap();
    assert_eq!(edited.text, text);
    assert_eq!(edited.parse.as_deref(), Some(parse));
    assert_eq!(edited.binary_parse.as_deref(), Some(binary));
    assert_eq!(undo(text, &edited.changes).as_deref(), Some(TEXT), "{:?}", edited.changes);
}

#[test]
fn phrases_are_swapped_in_text_and_trees() {
    check(
        |edit| _ = edit.swap(0..3, 4..6),
        "Two men chased the old dog.",
        "(ROOT (S (NP (CD Two) (NNS men)) (VP (VBD chased) (NP (DT the) (JJ old) (NN dog))) (. .)))",
        "( ( Two men ) ( ( chased ( the ( old dog ) ) ) . ) )",
    );
}

#[test]
fn several_changes_are_applied_together() {
    check(
        |edit| _ = edit.replace(1..2, "young").replace(3..4, "was chasing").insert(4, &[("exactly", "RB")]),
        "The young dog was chasing exactly two men.",
        "(ROOT (S (NP (DT The) (JJ young) (NN dog)) (VP (VBD was) (VBD chasing) (NP (RB exactly) (CD two) (NNS men))) (. .)))",
        "( ( The ( young dog ) ) ( ( ( was chasing ) ( ( exactly two ) men ) ) . ) )",
    );
}

#[test]
fn the_rest_of_a_phrase_is_kept() {
    check(
        |edit| _ = edit.delete(1..2),
        "The dog chased two men.",
        "(ROOT (S (NP (DT The) (NN dog)) (VP (VBD chased) (NP (CD two) (NNS men))) (. .)))",
        "( ( The dog ) ( ( chased ( two men ) ) . ) )",
    );
    check(
        |edit| _ = edit.delete(4..6),
        "The old dog chased.",
        "(ROOT (S (NP (DT The) (JJ old) (NN dog)) (VP (VBD chased)) (. .)))",
        "( ( The ( old dog ) ) ( chased . ) )",
    );
    check(
        |edit| _ = edit.delete(0..1),
        "Old dog chased two men.",
        "(ROOT (S (NP (JJ Old) (NN dog)) (VP (VBD chased) (NP (CD two) (NNS men))) (. .)))",
        "( ( Old dog ) ( ( chased ( two men ) ) . ) )",
    );
}

#[test]
fn moved_words_change_case() {
    check(
        |edit| _ = edit.move_to(4..6, 0).insert(3, &[("never", "RB")]),
        "Two men the old dog never chased.",
        "(ROOT (S (NP (NP (CD Two) (NNS men)) (DT the) (JJ old) (NN dog)) (VP (RB never) (VBD chased)) (. .)))",
        "( ( ( ( Two men ) the ) ( old dog ) ) ( ( never chased ) . ) )",
    );
}

#[test]
fn an_insertion_before_the_final_stop_is_preceded_by_a_space() {
    check(
        |edit| _ = edit.insert(6, &[("today", "NN")]),
        "The old dog chased two men today.",
        "(ROOT (S (NP (DT The) (JJ old) (NN dog)) (VP (VBD chased) (NP (CD two) (NNS men))) (NN today) (. .)))",
        "( ( The ( old dog ) ) ( ( chased ( two men ) ) ( today . ) ) )",
    );
}

#[test]
fn a_clause_can_be_joined_together_with_other_changes() {
    let parse = Tree::read("(S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true))))").unwrap();
    let clause: &'static CoordinatedClause = Box::leak(Box::new(CoordinatedClause::new("and", "true is true", &parse, 1)));
    check(
        |edit| _ = edit.replace(6..7, "!").join(clause),
        "The old dog chased two men and true is true!",
        "(ROOT (S (S (NP (DT The) (JJ old) (NN dog)) (VP (VBD chased) (NP (CD two) (NNS men)))) (CC and) (S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true)))) (. !)))",
        "( ( ( The ( old dog ) ) ( chased ( two men ) ) ) ( and ( ( true ( is true ) ) ! ) ) )",
    );
}

#[test]
fn a_name_keeps_its_capital() {
    let view = View::new("Mary saw him.", Some("(ROOT (S (NP (NNP Mary)) (VP (VBD saw) (NP (PRP him))) (. .)))"), None);
    let edited = view.edit().insert(0, &[("yesterday", "NN")]).finish().unwrap();
    assert_eq!(edited.text, "Yesterday Mary saw him.");
}

#[test]
fn overlapping_changes_are_refused() {
    let view = View::new(TEXT, Some(PARSE), Some(BINARY));
    assert_eq!(view.edit().swap(0..3, 2..4).finish(), Err(EditError::Overlap(2)));
    assert_eq!(view.edit().delete(5..9).finish(), Err(EditError::OutOfRange(5, 9)));
    assert_eq!(view.edit().delete(0..7).finish(), Err(EditError::NothingLeft));
    assert_eq!(view.edit().replace_span(0..2, "x").finish(), Err(EditError::OutOfRange(usize::MAX, usize::MAX)));
    let differ = View::new(TEXT, Some(PARSE), Some("( The dog )"));
    assert_eq!(differ.edit().replace(0..1, "A").finish(), Err(EditError::WordsDiffer));
}

#[test]
fn an_edit_without_changes_changes_nothing() {
    let view = View::new(TEXT, Some(PARSE), Some(BINARY));
    let edited = view.edit().finish().unwrap();
    assert_eq!((edited.text.as_str(), edited.parse.as_deref(), edited.changes.len()), (TEXT, Some(PARSE), 0));
}

/// A random binary tree and a random labelled tree over these words.
fn trees(words: &[String], shape: u64) -> (String, String) {
    fn tree(words: &[String], shape: u64, leaf: &dyn Fn(&str) -> String, open: &str, close: &str) -> String {
        if let [word] = words {
            return leaf(word);
        }
        let cut = 1 + (shape as usize) % (words.len() - 1);
        let left = tree(&words[..cut], shape / 3, leaf, open, close);
        format!("{open} {left} {}{close}", tree(&words[cut..], shape / 5, leaf, open, close))
    }
    let penn = tree(words, shape, &|word| format!("(NN {word})"), "(NP", ")");
    (format!("(ROOT {penn})"), tree(words, shape / 7, &str::to_string, "(", " )"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn any_edits_keep_text_and_trees_in_step_and_can_be_undone(
        words in prop::collection::vec("[A-Ca-cé]{1,3}", 1..9),
        stop in prop::option::of("[.!]"),
        shape: u64,
        operations in prop::collection::vec((0..6u8, 0..9usize, 0..4usize, 0..9usize, 0..4usize), 1..4),
    ) {
        let mut words = words;
        let mut text = words.join(" ");
        if let Some(stop) = stop {
            text.push_str(&stop);
            words.push(stop);
        }
        let (parse, binary) = trees(&words, shape);
        let view = View::new(&text, Some(&parse), Some(&binary));
        let mut edit = view.edit();
        for (operation, a, a_length, b, b_length) in operations {
            match operation {
                0 => edit.replace(a..a + a_length, "xx Yy"),
                1 => edit.insert(a, &[("zz", "JJ")]),
                2 => edit.delete(a..a + a_length),
                3 => edit.move_to(a..a + a_length, b),
                4 => edit.swap(a..a + a_length, b..b + b_length),
                _ => edit.replace(a..a + 1, "qq"),
            };
        }
        let Ok(edited) = edit.finish() else { return Ok(()) };
        prop_assert_eq!(undo(&edited.text, &edited.changes), Some(text.clone()), "{:?}", edited);
        let of = |tree: &Option<String>| -> Vec<String> {
            let tree = tree.as_deref().unwrap();
            Tree::read(tree).unwrap_or_else(|error| panic!("{tree}: {error}")).leaves().map(|leaf| leaf.word.to_string()).collect()
        };
        let (penn, binary) = (of(&edited.parse), of(&edited.binary_parse));
        prop_assert_eq!(&penn, &binary, "{:?}", edited);
        prop_assert!(spans(penn.iter().map(String::as_str), &edited.text).iter().all(Option::is_some), "{:?}", edited);
        prop_assert_eq!(penn.concat(), edited.text.replace(' ', ""));
        let tree = edited.binary_parse.as_deref().unwrap();
        prop_assert_eq!(Tree::read(tree).unwrap().binarised().to_string(), tree, "stays binary");
    }
}
