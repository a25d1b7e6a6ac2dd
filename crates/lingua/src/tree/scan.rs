//! The leaves of a parse, without building the tree.

use super::Leaf;

/// The leaves of a Penn parse, in one scan of the bracketed text; unbalanced brackets are tolerated.
///
/// A leaf is the text between an opening bracket and the closing one right after it. If only words and tags are needed, this takes a
/// fraction of the time of [`Tree::read`](super::Tree::read).
///
/// ```
/// use acidtest_lingua::tree::scan_leaves;
/// let words: Vec<&str> = scan_leaves("(ROOT (S (NP (DT The) (NN doctor)) (VP (VBD left))))").map(|leaf| leaf.word).collect();
/// assert_eq!(words, ["The", "doctor", "left"]);
/// ```
pub fn scan_leaves(parse: &str) -> impl Iterator<Item = Leaf<'_>> {
    let bytes = parse.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            // A leaf begins at the last opening bracket before the next closing one.
            let close = at + memchr::memchr(b')', bytes.get(at..)?)?;
            let inside = &parse[at..close];
            at = close + 1;
            let leaf = memchr::memrchr(b'(', inside.as_bytes()).and_then(|open| leaf(&inside[open + 1..]));
            if leaf.is_some() {
                return leaf;
            }
        }
    })
}

fn leaf(inner: &str) -> Option<Leaf<'_>> {
    let (tag, word) = inner.split_at(inner.bytes().position(|byte| byte.is_ascii_whitespace())?);
    let word = word.trim_ascii();
    (!tag.is_empty() && !word.is_empty()).then_some(Leaf { tag, word })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tree;

    #[test]
    fn the_leaves_are_those_of_the_tree() {
        let parse = "(ROOT (S (NP (NNP Al-Qaida)) (VP (VBZ is) (RB n't) (ADJP (JJ 1\\/2))) (. .)))";
        let scanned: Vec<Leaf<'_>> = scan_leaves(parse).collect();
        let tree = Tree::read(parse).unwrap();
        assert_eq!(scanned, tree.leaves().collect::<Vec<_>>());
    }

    #[test]
    fn unbalanced_brackets_are_tolerated() {
        for parse in ["", ")", "((", "(NN", "(NN dog", "()", "( )", "(NN )", ")(NN dog)"] {
            assert!(scan_leaves(parse).count() <= 1, "{parse}");
        }
    }
}
