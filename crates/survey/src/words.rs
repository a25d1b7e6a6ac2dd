//! The words of a sentence, taken from its parse if it has one.
//!
//! Counting words needs no tree: the bracketed text is scanned once, so malformed brackets do not matter.

use acidtest_lingua::View;
use acidtest_lingua::abbreviations::keeps_its_stop;
use acidtest_lingua::tree::scan_leaves;
use acidtest_lingua::view::binary_words;
use acidtest_nli::Sentence;

/// Yields the words of a sentence in order: the tokens of its binary parse, else the leaves of its Penn parse, else those of a simple tokenisation.
///
/// Punctuation marks are words, as in the parses.
pub fn each_word<'s>(sentence: &'s Sentence<'_>, mut see: impl FnMut(&'s str)) {
    if let Some(parse) = filled(&sentence.binary_parse) {
        binary_words(parse).for_each(see);
    } else if let Some(parse) = filled(&sentence.parse) {
        scan_leaves(parse).for_each(|leaf| see(leaf.word));
    } else {
        sentence.text.split_whitespace().for_each(|chunk| split_chunk(chunk, &mut see));
    }
}

/// The sentence with its parses.
pub fn view<'s>(sentence: &'s Sentence<'_>) -> View<'s> {
    View::new(&sentence.text, sentence.parse.as_deref(), sentence.binary_parse.as_deref())
}

/// The label of the sentence in a Penn parse: the root's own, or that of its first child if the root is `ROOT` or has no label.
pub fn root_label(parse: &str) -> Option<&str> {
    let label = |text| opened(text).map(|inner: &str| &inner[..inner.find(ends_label).unwrap_or(inner.len())]);
    let root = label(parse)?;
    if root != "ROOT" && !root.is_empty() {
        return Some(root);
    }
    let below = opened(parse)?[root.len()..].trim_start();
    label(below).or((root == "ROOT").then_some(root))
}

/// A parse that is not blank: tab-separated files have empty columns.
pub(crate) fn filled(parse: &Option<impl AsRef<str>>) -> Option<&str> {
    parse.as_ref().map(AsRef::as_ref).filter(|parse| !parse.trim_ascii().is_empty())
}

/// The tokens of a binary parse with its brackets, which the published overlap counts too.
pub(crate) fn binary_tokens(parse: &str) -> impl Iterator<Item = &str> {
    // Only ASCII space: the parser keeps `1 1/2` together with a no-break space.
    parse.split_ascii_whitespace()
}

/// Whether a token of a binary parse is a bracket of the tree, not a word.
pub(crate) fn is_bracket(token: &str) -> bool {
    token == "(" || token == ")"
}

/// Whether a token is a punctuation mark: it has no letter or digit, or is a bracket as the parser writes it (`-LRB-`).
pub(crate) fn is_punctuation(word: &str) -> bool {
    let no_letter = match word.is_ascii() {
        true => !word.bytes().any(|byte| byte.is_ascii_alphanumeric()),
        false => !word.chars().any(char::is_alphanumeric),
    };
    no_letter || matches!(word, "-LRB-" | "-RRB-" | "-LSB-" | "-RSB-" | "-LCB-" | "-RCB-")
}

fn opened(text: &str) -> Option<&str> {
    text.trim_start().strip_prefix('(')
}

fn ends_label(letter: char) -> bool {
    matches!(letter, '(' | ')') || letter.is_ascii_whitespace()
}

/// Tokenises the text between two spaces as the parser does: punctuation at both ends and clitics are split off.
fn split_chunk<'s>(chunk: &'s str, see: &mut impl FnMut(&'s str)) {
    const OPENING: &str = "\"'`“”‘’([{<$#*";
    const CLOSING: &str = "\"'`“”‘’)]}>.,;:!?%…*";
    // `'s` alone is a word, not a quotation mark and a letter.
    if is_clitic(chunk) {
        return see(chunk);
    }
    let body = chunk.trim_start_matches(|letter| OPENING.contains(letter));
    let core = body.trim_end_matches(|letter| CLOSING.contains(letter));
    let before = &chunk[..chunk.len() - body.len()];
    let (core, after) = match body[core.len()..].strip_prefix('.') {
        Some(_) if is_abbreviation(core) => body.split_at(core.len() + 1),
        _ => body.split_at(core.len()),
    };
    each_run(before, see);
    split_clitics(core, see);
    each_run(after, see);
}

/// Yields every run of one punctuation mark: `...` and two single quotes are one word each.
fn each_run<'s>(marks: &'s str, see: &mut impl FnMut(&'s str)) {
    let mut rest = marks;
    while let Some(first) = rest.chars().next() {
        let (run, after) = rest.split_at(rest.len() - rest.trim_start_matches(first).len());
        see(run);
        rest = after;
    }
}

fn split_clitics<'s>(core: &'s str, see: &mut impl FnMut(&'s str)) {
    if core.is_empty() {
        return;
    }
    if core.eq_ignore_ascii_case("cannot") {
        see(&core[..3]);
        return see(&core[3..]);
    }
    let Some(apostrophe) = core.rfind(['\'', '’']) else { return see(core) };
    let is_negation = core[..apostrophe].ends_with(['n', 'N']) && core[apostrophe..].ends_with(['t', 'T']);
    let start = if is_negation { apostrophe - 1 } else { apostrophe };
    if start == 0 || !is_clitic(&core[start..]) {
        return see(core);
    }
    split_clitics(&core[..start], see);
    see(&core[start..]);
}

fn is_clitic(text: &str) -> bool {
    let mut letters = text.chars();
    let mut first = letters.next();
    let is_negation = matches!(first, Some('n' | 'N'));
    if is_negation {
        first = letters.next();
    }
    if !matches!(first, Some('\'' | '’')) {
        return false;
    }
    let tail = letters.as_str();
    let is = |clitic: &&str| tail.eq_ignore_ascii_case(clitic);
    if is_negation { is(&"t") } else { ["s", "re", "ve", "ll", "d", "m"].iter().any(is) }
}

/// Whether the full stop after this belongs to it: `U.S.`, `J.`, `Mr.`
fn is_abbreviation(core: &str) -> bool {
    let initial = core.len() == 1 && core != "I" && core.bytes().all(|byte| byte.is_ascii_uppercase());
    initial || keeps_its_stop(core) || core.split('.').all(|part| part.len() == 1) && core.contains('.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_lingua::Tree;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let sentence = Sentence::plain(text);
        let mut words = Vec::new();
        each_word(&sentence, |word| words.push(word));
        assert_eq!(words.join(" "), expected);
    }

    #[test]
    fn plain_text_is_split_at_marks_and_clitics() {
        check("He doesn't, \"really\".", "He does n't , \" really \" .");
        check("It’s Mr. Dow's U.S. car...", "It ’s Mr. Dow 's U.S. car ...");
        check("They cannot've", "They can not 've");
        check("I cannot! ('tis)", "I can not ! ( ' tis )");
        check("'s -- 3.5%", "'s -- 3.5 %");
        check("", "");
    }

    #[test]
    fn parses_come_before_text() {
        let mut sentence = Sentence::plain("one two three");
        sentence.parse = Some("(ROOT (NP (CD one) (CD two)))".into());
        let tagged: Vec<(&str, &str)> = view(&sentence).leaves().iter().map(|leaf| (leaf.tag, leaf.word)).collect();
        assert_eq!(tagged, [("CD", "one"), ("CD", "two")]);
        sentence.binary_parse = Some("( one )".into());
        let mut words = Vec::new();
        each_word(&sentence, |word| words.push(word));
        assert_eq!(words, ["one"]);
    }

    #[test]
    fn an_empty_parse_is_ignored() {
        let mut sentence = Sentence::plain("Yes.");
        sentence.parse = Some(" ".into());
        sentence.binary_parse = Some("".into());
        assert_eq!(view(&sentence).leaves().len(), 2);
    }

    #[test]
    fn the_root_is_the_phrase_below_root() {
        for (parse, label) in [
            ("(ROOT (S (NP (PRP It))))", Some("S")),
            ("(ROOT\n  (SBARQ (WP Who)))", Some("SBARQ")),
            ("(S (NP (PRP It)))", Some("S")),
            ("( (FRAG (UH Oh)))", Some("FRAG")),
            ("", None),
            ("ROOT", None),
        ] {
            assert_eq!(root_label(parse), label, "{parse}");
        }
    }

    proptest! {
        #[test]
        fn scanning_agrees_with_reading_the_tree(words in prop::collection::vec("[a-z'.,-]{1,6}", 1..8)) {
            let parse = words.iter().rev().fold(String::new(), |tree, word| format!("(S (NN {word}) {tree})")).replace(" )", ")");
            let parse = format!("(ROOT {parse})");
            let tree = Tree::read(&parse).unwrap();
            prop_assert_eq!(scan_leaves(&parse).collect::<Vec<_>>(), tree.leaves().collect::<Vec<_>>());
            prop_assert_eq!(root_label(&parse), Some(tree.sentence_label()));
        }

        #[test]
        fn splitting_loses_no_letter(text in "\\PC{0,40}") {
            let sentence = Sentence::plain(text.as_str());
            let mut joined = String::new();
            each_word(&sentence, |word| joined.push_str(word));
            prop_assert_eq!(joined, text.split_whitespace().collect::<String>());
        }
    }
}
