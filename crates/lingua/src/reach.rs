//! Limits on the length of analysed texts.
//!
//! An analysis takes several hundred bytes per word, so a line of many megabytes would exhaust the memory. Only the beginning of such a text is
//! analysed, and callers can check this ([`is_within_reach`]) and report it.

/// The number of bytes of a text that are analysed.
pub const REACH: usize = 1 << 20;

/// The longest parse that is read: brackets and tags take several times as much space as the text.
const LONGEST_PARSE: usize = 8 * REACH;

/// How far before the limit white space is searched.
const NEAR: usize = 4096;

/// Whether a text is analysed completely.
pub fn is_within_reach(text: &str) -> bool {
    text.len() <= REACH
}

/// Whether a parse is read; a longer one is ignored.
pub fn is_parse_within_reach(parse: &str) -> bool {
    parse.len() <= LONGEST_PARSE
}

/// The part of a text that is analysed: all of it, or its first [`REACH`] bytes up to nearby white space.
///
/// ```
/// use acidtest_lingua::reach::{REACH, within_reach};
/// assert_eq!(within_reach("It rains."), "It rains.");
/// assert!(within_reach(&"word ".repeat(REACH)).ends_with("word"));
/// ```
pub fn within_reach(text: &str) -> &str {
    if is_within_reach(text) {
        return text;
    }
    let end = (REACH - 3..=REACH).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let near = (end - NEAR..end).find(|&at| text.is_char_boundary(at)).unwrap_or(end);
    text[near..end].rfind(char::is_whitespace).map_or(&text[..end], |at| &text[..near + at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_ends_between_two_words_or_characters() {
        let words = "ab ".repeat(REACH);
        assert!(within_reach(&words).len() > REACH - 4 && within_reach(&words).ends_with("ab"));
        let word = "é".repeat(REACH);
        assert_eq!(within_reach(&word).len(), REACH);
        let odd = format!("a{word}");
        assert_eq!(within_reach(&odd).len(), REACH - 1);
    }
}
