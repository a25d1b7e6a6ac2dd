//! Aligns the words of a tree with the text that was parsed.

use std::ops::Range;

/// The byte span of each word in the text; `None` for a word that is not found.
///
/// Words may have their Penn Treebank spellings: `-LRB-` for an opening bracket, double back-quotes for an opening quotation mark.
///
/// ```
/// let text = "He said \"no\".";
/// let spans = acidtest_lingua::align::spans(["He", "said", "``", "no", "''", "."], text);
/// assert_eq!(spans[3], Some(9..11));
/// ```
pub fn spans<'w>(words: impl IntoIterator<Item = &'w str>, text: &str) -> Vec<Option<Range<usize>>> {
    let mut at = 0;
    let mut spans = Vec::new();
    for word in words {
        let start = at + text[at..].len() - text[at..].trim_start().len();
        let here = length_at(word, &text[start..]).map(|length| start..start + length);
        // After a missing word, the next one may be further on.
        let span = here.or_else(|| further_on(word, text, start));
        if let Some(span) = &span {
            at = span.end;
        }
        spans.push(span);
    }
    spans
}

/// How far ahead a missing word is searched, in bytes.
const WINDOW: usize = 24;

fn further_on(word: &str, text: &str, start: usize) -> Option<Range<usize>> {
    let boundaries = text[start..].char_indices().map(|(offset, _)| start + offset).take_while(|at| at - start <= WINDOW);
    let begins_word = |at: &usize| !text[..*at].ends_with(|c: char| c.is_alphanumeric());
    boundaries.filter(begins_word).find_map(|at| length_at(word, &text[at..]).map(|length| at..at + length))
}

/// The number of bytes that the word covers at the beginning of the text, or `None` if the text does not begin with it.
fn length_at(word: &str, text: &str) -> Option<usize> {
    let spellings: &[&str] = match word {
        "-LRB-" => &["("],
        "-RRB-" => &[")"],
        "-LSB-" => &["["],
        "-RSB-" => &["]"],
        "-LCB-" => &["{"],
        "-RCB-" => &["}"],
        "``" | "''" | "\"" => &["\"", "''", "``", "“", "”", "„", "«", "»"],
        "`" | "'" => &["'", "`", "‘", "’"],
        "..." => &["...", "…", ". . ."],
        "--" => &["--", "—", "–"],
        _ => &[],
    };
    if let Some(spelling) = spellings.iter().find(|spelling| text.starts_with(**spelling)) {
        return Some(spelling.len());
    }
    let mut rest = text;
    let mut letters = word.chars().peekable();
    while let Some(letter) = letters.next() {
        // The treebank escapes slashes and asterisks.
        if letter == '\\' && matches!(letters.peek(), Some('/' | '*')) {
            continue;
        }
        let next = rest.chars().next()?;
        let same = next == letter || next.to_lowercase().eq(letter.to_lowercase()) || (letter == '\'' && next == '’');
        if !same {
            return None;
        }
        rest = &rest[next.len_utf8()..];
    }
    Some(text.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &[&str], text: &str, expected: &[Option<&str>]) {
        let found: Vec<Option<&str>> = spans(words.iter().copied(), text).into_iter().map(|span| span.map(|span| &text[span])).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn treebank_spellings_are_found() {
        check(
            &["I", "do", "n't", "-LRB-", "know", "-RRB-"],
            "I don't (know)",
            &[Some("I"), Some("do"), Some("n't"), Some("("), Some("know"), Some(")")],
        );
        check(&["U.S.", "."], "U.S.", &[Some("U.S."), None]);
        check(&["and\\/or", "...", "''"], "and/or…”", &[Some("and/or"), Some("…"), Some("”")]);
    }

    #[test]
    fn after_a_missing_word_the_next_one_is_found() {
        check(&["#", "20", "notes"], "£20 notes", &[None, Some("20"), Some("notes")]);
    }
}
