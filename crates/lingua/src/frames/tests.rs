//! Each frame, from a tree and from our own parse of the same sentence.

use super::*;
use crate::{Tree, tokens::detokenize};

fn summary(uses: &[VerbUse]) -> String {
    let one = |found: &VerbUse| {
        let frames: Vec<&str> = found.frames.iter().map(|frame| frame.name()).collect();
        let bare = if found.complementiser == Some(Complementiser::Bare) { " without that" } else { "" };
        format!("{}: {}{bare}", found.lemma(), frames.join(" + "))
    };
    uses.iter().map(one).collect::<Vec<_>>().join("; ")
}

#[track_caller]
fn check_tree(tree: &str, expected: &str) {
    assert_eq!(summary(&verb_uses_of_tree(&Tree::read(tree).unwrap())), expected, "from the tree");
}

#[track_caller]
fn check_text(text: &str, expected: &str) {
    assert_eq!(summary(&verb_uses(&View::plain(text))), expected, "from our parse of {text}");
}

/// The same frames with and without the tree.
#[track_caller]
fn check(tree: &str, expected: &str) {
    check_tree(tree, expected);
    let tree = Tree::read(tree).unwrap();
    check_text(&detokenize(tree.leaves().map(|leaf| leaf.word)), expected);
}

#[test]
fn an_object_is_a_noun_phrase_after_the_verb() {
    check("(ROOT (S (NP (DT The) (NN doctor)) (VP (VBD saw) (NP (DT the) (NN judge))) (. .)))", "see: object");
    check(
        "(ROOT (S (NP (DT The) (NN doctor)) (VP (MD may) (VP (VB have) (VP (VBN helped) (NP (DT the) (NN judge))))) (. .)))",
        "help: object",
    );
}

#[test]
fn a_verb_without_object_and_clause_has_no_object() {
    check("(ROOT (S (NP (DT The) (NN doctor)) (VP (VBD slept) (PP (IN in) (NP (DT the) (NN office)))) (. .)))", "sleep: no object");
    check("(ROOT (S (NP (DT The) (NN man)) (VP (VBD slept) (NP (DT all) (NN day))) (. .)))", "sleep: no object");
}

#[test]
fn clauses_are_counted_with_and_without_that() {
    check(
        "(ROOT (S (NP (DT The) (NN doctor)) (VP (VBD believed) (SBAR (IN that) (S (NP (DT the) (NN judge)) (VP (VBD slept))))) (. .)))",
        "believe: clause; sleep: no object",
    );
    check(
        "(ROOT (S (NP (DT The) (NN doctor)) (VP (VBD believed) (SBAR (S (NP (DT the) (NN judge)) (VP (VBD slept))))) (. .)))",
        "believe: clause without that; sleep: no object",
    );
}

#[test]
fn indirect_questions_are_no_clauses_of_the_kind() {
    check(
        "(ROOT (S (NP (PRP She)) (VP (VBD knew) (SBAR (WHADVP (WRB where)) (S (NP (DT the) (NN judge)) (VP (VBD slept))))) (. .)))",
        "know: ; sleep: no object",
    );
    check(
        "(ROOT (S (NP (PRP She)) (VP (VBD asked) (SBAR (IN whether) (S (NP (DT the) (NN judge)) (VP (VBD slept))))) (. .)))",
        "ask: ; sleep: no object",
    );
}

#[test]
fn an_object_and_a_clause_both_count() {
    check(
        "(ROOT (S (NP (PRP She)) (VP (VBD told) (NP (PRP him)) (SBAR (IN that) (S (NP (PRP it)) (VP (VBD rained))))) (. .)))",
        "tell: object + clause; rain: no object",
    );
}

#[test]
fn the_gap_of_an_object_relative_is_an_object() {
    check(
        "(ROOT (S (NP (PRP I)) (VP (VBP know) (NP (NP (DT the) (NN judge)) (SBAR (WHNP (WP who)) (S (NP (DT the) (NN doctor)) (VP (VBD saw)))))) (. .)))",
        "know: object; see: object",
    );
    check(
        "(ROOT (S (NP (PRP She)) (VP (VBD found) (NP (NP (DT the) (NN book)) (SBAR (S (NP (PRP he)) (VP (VBD wrote)))))) (. .)))",
        "find: object; write: object",
    );
    check(
        "(ROOT (S (NP (PRP I)) (VP (VBP know) (NP (NP (DT the) (NN judge)) (SBAR (WHNP (WP who)) (S (VP (VBD danced)))))) (. .)))",
        "know: object; dance: no object",
    );
    check_tree(
        "(ROOT (S (NP (NP (DT The) (NN judge)) (SBAR (WHNP (WP who)) (S (NP (DT the) (NN doctor)) (VP (VBD saw))))) (VP (VBD slept)) (. .)))",
        "see: object; sleep: no object",
    );
}

#[test]
fn what_a_gap_stands_for_is_not_guessed() {
    check_tree("(ROOT (NP (NP (DT The) (NN chair)) (SBAR (WHNP (WDT that)) (S (NP (PRP he)) (VP (VBD slept) (PP (IN on)))))))", "sleep: ");
    check_tree("(ROOT (NP (NP (DT the) (NN day)) (SBAR (S (NP (PRP he)) (VP (VBD left))))))", "leave: no object");
    check_tree("(ROOT (NP (NP (DT a) (NN book)) (SBAR (S (VP (TO to) (VP (VB read)))))))", "read: ");
    check_tree("(ROOT (SBARQ (WHNP (WP What)) (SQ (VBD did) (NP (PRP he)) (VP (VB see))) (. ?)))", "see: object");
}

#[test]
fn passives_are_their_own_frame() {
    check(
        "(ROOT (S (NP (DT The) (NN judge)) (VP (VBD was) (VP (VBN helped) (PP (IN by) (NP (DT the) (NN doctor))))) (. .)))",
        "help: passive",
    );
    check("(ROOT (S (NP (DT The) (NN judge)) (VP (VBZ has) (VP (VBN been) (VP (VBN helped)))) (. .)))", "help: passive");
    check_tree("(ROOT (SQ (VBD Was) (NP (DT the) (NN judge)) (VP (VBN helped)) (. ?)))", "help: passive");
    check_tree(
        "(ROOT (S (NP (PRP He)) (VP (VBD was) (VP (VP (VBN helped)) (CC and) (VP (VBN advised)))) (. .)))",
        "help: passive; advise: passive",
    );
}

#[test]
fn a_participle_on_a_noun_is_reduced() {
    check(
        "(ROOT (S (NP (NP (DT The) (NNS books)) (VP (VBN written) (PP (IN by) (NP (DT the) (NN doctor))))) (VP (VBP are) (ADJP (JJ old))) (. .)))",
        "write: reduced participle",
    );
    check_tree(
        "(ROOT (S (NP (NP (DT The) (NNS students)) (VP (VBN helped) (PP (IN in) (NP (DT the) (NN office))))) (VP (VBD slept)) (. .)))",
        "help: reduced participle; sleep: no object",
    );
    check_tree("(ROOT (NP (NP (DT A) (NN man)) (VP (VBG reading) (NP (DT a) (NN book)))))", "read: object");
    check_tree(
        "(ROOT (S (S (VP (VBN Advised) (PP (IN by) (NP (PRP her))))) (, ,) (NP (PRP he)) (VP (VBD left)) (. .)))",
        "leave: no object",
    );
}

#[test]
fn auxiliaries_and_copulas_are_not_counted() {
    check("(ROOT (S (NP (DT The) (NN judge)) (VP (VBD was) (ADJP (JJ angry))) (. .)))", "");
    check("(ROOT (S (NP (DT The) (NN judge)) (VP (VBD did) (RB not) (VP (VB sleep))) (. .)))", "sleep: no object");
    check("(ROOT (S (NP (DT The) (NN judge)) (VP (VBZ has) (NP (DT a) (NN dog))) (. .)))", "have: object");
}

#[test]
fn infinitives_are_no_frame_and_small_clauses_have_an_object() {
    check_tree("(ROOT (S (NP (PRP He)) (VP (VBD hoped) (S (VP (TO to) (VP (VB sleep))))) (. .)))", "hope: ; sleep: no object");
    check_tree(
        "(ROOT (S (NP (PRP He)) (VP (VBD saw) (S (NP (DT the) (NN judge)) (VP (VB leave)))) (. .)))",
        "see: object; leave: no object",
    );
}

#[test]
fn verbs_side_by_side_share_their_object() {
    check_text("The doctor saw and helped the judge.", "see: object; help: object");
    check_tree(
        "(ROOT (S (NP (DT The) (NN doctor)) (VP (VBD saw) (CC and) (VBD helped) (NP (DT the) (NN judge))) (. .)))",
        "see: object; help: object",
    );
    check_tree(
        "(ROOT (S (NP (DT The) (NN doctor)) (VP (VP (VBD danced)) (CC and) (VP (VBD saw) (NP (DT the) (NN judge)))) (. .)))",
        "dance: no object; see: object",
    );
}

#[test]
fn every_sentence_of_a_text_is_read() {
    check_text("The doctor slept. The judge saw him.", "sleep: no object; see: object");
}

#[test]
fn counts_add_up() {
    let mut counts = FrameCounts::default();
    for text in ["He believed it rained.", "He believed that it rained.", "He believed the judge."] {
        verb_uses(&View::plain(text)).iter().filter(|found| found.lemma() == "believe").for_each(|found| counts.add(found));
    }
    let expected = FrameCounts { object: 1, clause: 2, clause_without_that: 1, ..FrameCounts::default() };
    assert_eq!(counts, expected);
    counts += expected;
    assert_eq!((counts.clause, counts.of(Frame::Object)), (4, 2));
}
