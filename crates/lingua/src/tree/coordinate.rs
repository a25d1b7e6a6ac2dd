//! Joining a clause to a sentence, before its final punctuation: `He left .` and `and true is true` give `He left and true is true .`
//!
//! This is done for every row of large corpora, so the tree is not built: its places are found from its end, and the new tree
//! is put together from pieces of the old text. Building and printing [`Tree`]s took three times as long for the whole row.

use super::brackets::{OpenBrackets, gives_open};
use super::{Node, Tree, TreeError};
use memchr::memrchr2;

/// A clause to be joined to sentences, as it stands in either kind of tree.
#[derive(Debug, Clone)]
pub struct CoordinatedClause {
    /// All that is said, as a reader sees it.
    words: String,
    /// Conjunction and clause, `(CC and) (S ..)`, as often as they are said.
    labelled: String,
    /// The same parts branched to the right, without the brackets that close them: ` ( and ( true ( is true ) )`.
    binary: String,
    /// The same where nothing follows: the last part is no branch of its own.
    last_binary: String,
    /// How many parts there are.
    parts: usize,
}

impl CoordinatedClause {
    /// A clause from its conjunction, its text and its Penn-style parse, said so many times; the binary form follows from the parse.
    pub fn new(conjunction: &str, text: &str, parse: &Tree<'_>, times: usize) -> Self {
        let words = vec![format!("{conjunction} {text}"); times].join(" ");
        let labelled = vec![format!("(CC {conjunction}) {parse}"); times].join(" ");
        let clause = parse.binarised().to_string();
        let binary = format!(" ( {conjunction} ( {clause}").repeat(times);
        let before = &binary[..binary.len() - clause.len() - "( ".len()];
        CoordinatedClause { words, labelled, last_binary: format!("{before}{clause}"), binary, parts: 2 * times }
    }

    /// All that is said, as a reader sees it.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// A Penn-style parse with the clause before its final punctuation, or at its end where it has none; `None` for one without words.
    ///
    /// The sentence becomes a coordination of its own kind: `(S (S ..) (CC and) (S ..) (. .))`.
    pub fn join_to_parse(&self, parse: &str) -> Result<Option<String>, TreeError> {
        let parse = parse.trim_ascii();
        if parse.starts_with('(') != parse.ends_with(')') {
            return Tree::read(parse).map(|_| None);
        }
        let mut innermost = None;
        let layout = Layout::of(parse, |bracket| _ = innermost.get_or_insert(bracket))?;
        let (phrase, place) = match (layout.stop, innermost) {
            _ if !layout.has_words => return Ok(None),
            (Some(stop), Some(innermost)) => (innermost, stop),
            (Some(_), None) => return Ok(Some(format!("(FRAG {parse} {})", self.labelled))),
            // A single word is no phrase that could be coordinated.
            (None, _) if !parse.starts_with('(') || leaf_at(parse, 0).is_some() => {
                return Ok(Some(format!("(FRAG {parse} {})", self.labelled)));
            }
            (None, _) => end_of_sentence(parse),
        };
        let label = label_at(parse, phrase);
        let content = phrase + 1 + label.len();
        let first = if matches!(label, "ROOT" | "") { "FRAG" } else { label };
        // Brackets that balance and are no tree all the same, such as `( a)`.
        let Some(before) = parse.get(content..place).map(str::trim) else {
            return Tree::read(parse).map(|_| None);
        };
        let mut out = String::with_capacity(parse.len() + self.labelled.len() + first.len() + 8);
        out.push_str(&parse[..content]);
        out.push_str(" (");
        out.push_str(first);
        out.push(' ');
        out.push_str(before);
        out.push_str(") ");
        out.push_str(&self.labelled);
        if layout.stop.is_some() {
            out.push(' ');
        }
        out.push_str(&parse[place..]);
        Ok(Some(out))
    }

    /// A binary parse with the clause before its final punctuation, branching to the right; `None` for one without words.
    pub fn join_to_binary_parse(&self, parse: &str) -> Result<Option<String>, TreeError> {
        let parse = parse.trim_ascii();
        if parse.starts_with('(') != parse.ends_with(')') {
            return Tree::read(parse).map(|_| None);
        }
        let mut open = OpenBrackets::default();
        let layout = Layout::of(parse, |bracket| open.push(bracket))?;
        if !layout.has_words {
            return Ok(None);
        }
        let mut out = String::with_capacity(parse.len() + self.binary.len() + 2 * self.parts + 64);
        out.push_str("( ");
        match layout.stop {
            Some(stop) => push_before(parse, stop, open.all(), &mut out),
            None => out.push_str(parse),
        }
        let behind = &parse[layout.stop.unwrap_or(parse.len())..];
        let separates = |c: char| matches!(c, ' ' | '(' | ')' | '\t' | '\n' | '\r' | '\x0c');
        let mut stops = behind.split(separates).filter(|word| !word.is_empty()).peekable();
        out.push_str(if stops.peek().is_some() { &self.binary } else { &self.last_binary });
        let mut count = self.parts;
        while let Some(stop) = stops.next() {
            out.push_str(if stops.peek().is_some() { " ( " } else { " " });
            out.push_str(stop);
            count += 1;
        }
        close(count, &mut out);
        Ok(Some(out))
    }
}

/// Places in a bracketed text, found from its end.
#[derive(Debug)]
struct Layout {
    /// Where the punctuation begins that ends the sentence: a leaf's bracket, or the word itself in a binary parse.
    stop: Option<usize>,
    /// Whether there is anything but punctuation.
    has_words: bool,
}

impl Layout {
    /// Gives `open` the brackets that are open where the final punctuation begins, the innermost first.
    fn of(text: &str, open: impl FnMut(usize)) -> Result<Self, TreeError> {
        let stop = plain_stop(text);
        let mut layout = Layout { stop, has_words: false };
        let mut rest = &text[..stop.unwrap_or(text.len())];
        layout.has_words = loop {
            if ends_in_word(rest) {
                break true;
            }
            match last_leaf(rest) {
                Some((at, tag, word)) if is_final_punctuation(tag, word) => {
                    layout.stop = Some(at);
                    rest = &rest[..at];
                }
                leaf => break leaf.is_some(),
            }
        };
        if layout.stop.is_none() && !layout.has_words {
            return Err(TreeError::Empty);
        }
        if !gives_open(text, layout.stop.unwrap_or(text.len()), open) {
            // The reader of trees says what is wrong with the brackets.
            Tree::read(text)?;
        }
        Ok(layout)
    }
}

/// Where the last leaf begins if it is a full stop in the form that nearly every sentence has: `(. .)))`, and `) . ) )` in a binary parse.
fn plain_stop(text: &str) -> Option<usize> {
    let of_binary = || text.strip_suffix(". ) )").filter(|before| before.ends_with(") "));
    text.strip_suffix("(. .)))").or_else(of_binary).map(str::len)
}

/// Whether the last leaf is plainly a word, as nearly every leaf before the final stop is: it ends in a letter or digit, and its tag is not one of
/// punctuation. If not, the leaf itself must be read.
///
/// Only two places of the leaf are looked for, because every search costs a mispredicted branch: together about 2 % of the time of `bench/challenge.py`.
fn ends_in_word(text: &str) -> bool {
    let bytes = text.as_bytes();
    let separates = |byte: &u8| SEPARATES[usize::from(*byte)];
    let Some(last) = bytes.iter().rposition(|byte| !separates(byte)).filter(|&at| bytes[at].is_ascii_alphanumeric()) else { return false };
    match memrchr2(b'(', b')', &bytes[..last]) {
        // Without a blank, this is the label of a phrase whose leaves were cut off.
        Some(open) if bytes[open] == b'(' => {
            bytes[open + 1..last].iter().any(separates) && !matches!(bytes[open + 1], b'.' | b'\'' | b'`' | b'-')
        }
        _ => true,
    }
}

/// The last leaf of a text that may be cut off behind it: where it begins, its tag and its word.
fn last_leaf(text: &str) -> Option<(usize, &str, &str)> {
    let bytes = text.as_bytes();
    let separates = |byte: &u8| SEPARATES[usize::from(*byte)];
    // Closing brackets, and opening ones of phrases whose leaves were cut off, are no leaves.
    let end = bytes.iter().rposition(|byte| !separates(byte))? + 1;
    let start = bytes[..end].iter().rposition(separates).map_or(0, |at| at + 1);
    let word = &text[start..end];
    // In a Penn parse the word is the end of `(TAG word`, and a label without words is the end of `(LABEL`.
    if start > 0 && bytes[start - 1] == b'(' {
        return last_leaf(&text[..start - 1]);
    }
    // The bracket before the word is that of its leaf, if it opens one and a tag stands behind it.
    let bracket = bytes[..start].iter().rposition(|byte| matches!(byte, b'(' | b')')).filter(|&at| bytes[at] == b'(');
    let Some(bracket) = bracket else { return Some((start, "", word)) };
    match bytes[bracket + 1..end].iter().position(|byte| *byte == b' ') {
        Some(blank @ 1..) => Some((bracket, &text[bracket + 1..bracket + 1 + blank], &text[bracket + 2 + blank..end])),
        _ => Some((start, "", word)),
    }
}

/// Whether a byte stands between words and brackets, or is a bracket.
const SEPARATES: [bool; 256] = {
    let mut separates = [false; 256];
    let (bytes, mut n) = (b" ()\t\n\r", 0);
    while n < bytes.len() {
        separates[bytes[n] as usize] = true;
        n += 1;
    }
    separates
};

/// The sentence's own bracket, below `ROOT` if it is a phrase, and the place where it closes.
fn end_of_sentence(text: &str) -> (usize, usize) {
    let last = text.len() - 1;
    let below = Some(label_at(text, 0)).filter(|label| *label == "ROOT");
    let sentence = below.and_then(|label| text[1 + label.len()..].find('(').map(|at| 1 + label.len() + at));
    match sentence.filter(|&at| leaf_at(text, at).is_none()) {
        Some(sentence) => (sentence, text[..last].trim_end().len() - 1),
        None => (0, last),
    }
}

/// Copies a binary parse up to `stop`; the phrases that this leaves with one part go.
fn push_before(text: &str, stop: usize, open: &[usize], out: &mut String) {
    // Phrases that hold nothing but punctuation go with it.
    let mut cut = stop;
    while let Some(bracket) = text[..cut].trim_end().strip_suffix('(').map(str::len) {
        cut = bracket;
    }
    let first = open.iter().position(|bracket| *bracket < cut).unwrap_or(open.len());
    let open = &open[first..];
    // The innermost phrase loses its second part; one that begins with a phrase that lost it has only that left.
    let is_dropped = |place: usize| place == 0 || text[open[place] + 1..open[place - 1]].trim_start().is_empty();
    let kept = (0..open.len()).filter(|&place| !is_dropped(place)).count();
    let mut from = 0;
    for place in (0..open.len()).rev().filter(|&place| is_dropped(place)) {
        out.push_str(text[from..open[place]].trim_start());
        from = open[place] + 1;
    }
    out.push_str(text[from..cut].trim());
    close(kept, out);
}

/// Writes closing brackets of a binary parse.
fn close(mut count: usize, out: &mut String) {
    const CLOSING: &str = " ) ) ) ) ) ) ) ) ) ) ) ) ) ) ) )";
    while count > 0 {
        let now = count.min(CLOSING.len() / 2);
        out.push_str(&CLOSING[..2 * now]);
        count -= now;
    }
}

/// The label behind the bracket at `at`; empty in a binary parse.
fn label_at(text: &str, at: usize) -> &str {
    token_at(text, at + 1)
}

fn token_at(text: &str, at: usize) -> &str {
    let rest = &text.as_bytes()[at..];
    let length = rest.iter().position(|byte| matches!(byte, b'(' | b')' | b' ' | b'\t' | b'\n' | b'\r')).unwrap_or(rest.len());
    &text[at..at + length]
}

/// The leaf whose bracket stands at `at`, as tag, word and the place after it.
fn leaf_at(text: &str, at: usize) -> Option<(&str, &str, usize)> {
    let tag = label_at(text, at);
    let start = at + 1 + tag.len();
    let length = text.as_bytes()[start..].iter().position(|byte| matches!(byte, b'(' | b')'))?;
    let word = text[start..start + length].trim_ascii();
    let closed = text.as_bytes()[start + length] == b')';
    (closed && !tag.is_empty() && !word.is_empty()).then_some((tag, word, start + length + 1))
}

/// Whether a sentence ends in a stop, an exclamation mark, a question mark or an ellipsis, quotes and brackets aside.
pub fn ends_in_stop(parse: &str) -> bool {
    let stop = Layout::of(parse.trim_ascii(), |_| {}).ok().and_then(|layout| layout.stop);
    stop.is_some_and(|stop| parse[stop..].contains(['.', '!', '?', '…']))
}

/// Stops and whatever may close a sentence behind them; a word such as `U.S.` is none.
fn is_final_punctuation(tag: &str, word: &str) -> bool {
    let closes = |c| matches!(c, '.' | '!' | '?' | '"' | '\'' | '`' | ')' | ']' | '…' | '”' | '’');
    matches!(tag, "." | "''" | "``" | "-RRB-") || word == "-RRB-" || word.chars().all(closes)
}

impl<'a> Tree<'a> {
    /// The tree without labels and one-child phrases, every phrase with more than two parts branching to the right.
    pub fn binarised(&self) -> Tree<'a> {
        let mut nodes = Vec::with_capacity(self.nodes.len());
        self.binarise_into(0, &mut nodes);
        Tree { nodes }
    }

    fn binarise_into(&self, at: usize, out: &mut Vec<Node<'a>>) {
        if let Some(word) = self.nodes[at].word {
            // A leaf of two words (`ice cream`) is two words to a binary parse.
            let words: Vec<&str> = word.split_ascii_whitespace().collect();
            return branch_right(words.len(), out, |n, out| {
                let end = out.len() + 1;
                out.push(Node { label: "", word: Some(words[n]), end, bytes: 0..0 });
            });
        }
        let children = self.children(at);
        branch_right(children.len(), out, |n, out| self.binarise_into(children[n], out));
    }
}

/// Writes `count` parts as `( 0 ( 1 ( 2 .. ) ) )`; one part stands alone.
fn branch_right<'a>(count: usize, out: &mut Vec<Node<'a>>, mut part: impl FnMut(usize, &mut Vec<Node<'a>>)) {
    let mut open = Vec::with_capacity(count);
    for n in 0..count {
        if n + 1 < count {
            open.push(out.len());
            out.push(Node { label: "", word: None, end: 0, bytes: 0..0 });
        }
        part(n, out);
    }
    let end = out.len();
    for at in open {
        out[at].end = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn clause(times: usize) -> CoordinatedClause {
        CoordinatedClause::new("and", "true is true", &Tree::read("(S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true))))").unwrap(), times)
    }

    #[track_caller]
    fn check(sentence: &str, times: usize, expected: Option<&str>) {
        let joined = match sentence.starts_with("( ") || !sentence.starts_with('(') {
            true => clause(times).join_to_binary_parse(sentence),
            false => clause(times).join_to_parse(sentence),
        };
        assert_eq!(joined, Ok(expected.map(str::to_string)));
    }

    #[test]
    fn the_clause_stands_before_the_final_stop() {
        check(
            "(ROOT (S (NP (PRP He)) (VP (VBD left)) (. .)))",
            1,
            Some("(ROOT (S (S (NP (PRP He)) (VP (VBD left))) (CC and) (S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true)))) (. .)))"),
        );
        check("( He ( left . ) )", 1, Some("( ( He left ) ( and ( ( true ( is true ) ) . ) ) )"));
        check(
            "( ( The man ) ( ( saw ( the dog ) ) . ) )",
            1,
            Some("( ( ( The man ) ( saw ( the dog ) ) ) ( and ( ( true ( is true ) ) . ) ) )"),
        );
    }

    #[test]
    fn closing_quotes_stay_behind_the_stop() {
        check(
            "(ROOT (S (`` ``) (NP (PRP He)) (VP (VBD left)) (. .) ('' '')))",
            1,
            Some(
                "(ROOT (S (S (`` ``) (NP (PRP He)) (VP (VBD left))) (CC and) (S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true)))) (. .) ('' '')))",
            ),
        );
        check("( `` ( He ( left ( . '' ) ) ) )", 1, Some("( ( `` ( He left ) ) ( and ( ( true ( is true ) ) ( . '' ) ) ) )"));
    }

    #[test]
    fn without_a_stop_the_clause_stands_at_the_end() {
        check(
            "(ROOT (NP (DT A) (NN dog)))",
            1,
            Some("(ROOT (NP (NP (DT A) (NN dog)) (CC and) (S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true))))))"),
        );
        check(
            "(ROOT (FRAG (. .) (NN dog)))",
            1,
            Some("(ROOT (FRAG (FRAG (. .) (NN dog)) (CC and) (S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true))))))"),
        );
        check("(NN dog)", 1, Some("(FRAG (NN dog) (CC and) (S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true)))))"));
        check("(ROOT (NN dog))", 1, Some("(ROOT (FRAG (NN dog)) (CC and) (S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true)))))"));
        check("( A dog )", 1, Some("( ( A dog ) ( and ( true ( is true ) ) ) )"));
        check("Yes", 1, Some("( Yes ( and ( true ( is true ) ) ) )"));
        check("( Yes . )", 1, Some("( Yes ( and ( ( true ( is true ) ) . ) ) )"));
    }

    #[test]
    fn a_clause_can_be_said_twice() {
        check("( He left )", 2, Some("( ( He left ) ( and ( ( true ( is true ) ) ( and ( true ( is true ) ) ) ) ) )"));
        check(
            "(S (NP (PRP He)) (VP (VBD left)))",
            2,
            Some(
                "(S (S (NP (PRP He)) (VP (VBD left))) (CC and) (S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true)))) (CC and) (S (NP (JJ true)) (VP (VBZ is) (ADJP (JJ true)))))",
            ),
        );
    }

    #[test]
    fn a_sentence_of_stops_has_no_place_for_a_clause() {
        check("(ROOT (. .))", 1, None);
        check("( . . )", 1, None);
    }

    #[test]
    fn broken_brackets_are_refused() {
        assert_eq!(clause(1).join_to_parse("(S (NP (DT The)"), Err(TreeError::Unclosed(3)));
        assert_eq!(clause(1).join_to_binary_parse("( a b ) )"), Err(TreeError::Trailing(8)));
        assert_eq!(clause(1).join_to_parse(" "), Err(TreeError::Empty));
    }

    #[test]
    fn phrases_with_more_than_two_parts_branch_to_the_right() {
        let tree = Tree::read("(ROOT (S (NP (DT The) (NN ice cream)) (VP (VBD was) (VP (VBN eaten))) (. .)))").unwrap();
        assert_eq!(tree.binarised().to_string(), "( ( The ( ice cream ) ) ( ( was eaten ) . ) )");
    }

    /// A random binary tree over these words, as text.
    fn binary(words: &[&str], shape: u64) -> String {
        if let [word] = words {
            return word.to_string();
        }
        let cut = 1 + (shape as usize) % (words.len() - 1);
        format!("( {} {} )", binary(&words[..cut], shape / 3), binary(&words[cut..], shape / 5))
    }

    proptest! {
        #[test]
        fn any_binary_tree_keeps_its_words_and_stays_binary(words in prop::collection::vec("[a-c]{1,3}|[.?]", 1..9), shape: u64) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let text = binary(&words, shape);
            if let Some(joined) = clause(1).join_to_binary_parse(&text).unwrap() {
                let tree = Tree::read(&joined).unwrap();
                let stops = words.iter().rev().take_while(|word| matches!(**word, "." | "?")).count();
                let mut expected = words[..words.len() - stops].to_vec();
                expected.extend(["and", "true", "is", "true"]);
                expected.extend(&words[words.len() - stops..]);
                prop_assert_eq!(tree.leaves().map(|leaf| leaf.word).collect::<Vec<_>>(), expected);
                prop_assert_eq!(tree.binarised().to_string(), joined);
            }
        }

        #[test]
        fn what_is_clearly_a_word_is_no_final_punctuation(text in "[()NS.'` a\n-]{0,12}|\\((NN|\\.|''|-RRB-|S)?[ (]{0,2}(a|\\.|-RRB-)?[ )]{0,2}") {
            let word = last_leaf(&text).is_some_and(|(_, tag, word)| !is_final_punctuation(tag, word));
            prop_assert!(word || !ends_in_word(&text), "{}", text);
        }

        #[test]
        fn no_text_makes_joining_panic(text in "[()A-c .é'\n-]{0,40}") {
            let to_parse = clause(1).join_to_parse(&text);
            let to_binary = clause(1).join_to_binary_parse(&text);
            let Ok(tree) = Tree::read(&text) else { return Ok(()) };
            let binary = tree.nodes.iter().all(|node| node.label.is_empty());
            let joined = if binary { to_binary } else { to_parse };
            if let Ok(Some(joined)) = joined {
                prop_assert!(Tree::read(&joined).is_ok(), "{} became {}", text, joined);
            }
        }
    }
}
