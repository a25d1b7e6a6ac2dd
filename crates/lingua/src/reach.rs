//! How much of a text is looked into.
//!
//! Analyses keep several hundred bytes for every word, so that a line of many megabytes would fill any memory. Whatever makes words of a text reads its
//! beginning, and whoever asks can tell ([`is_within_reach`]) and say so.

/// The bytes of a text that are looked into.
pub const REACH: usize = 1 << 20;

/// The longest parse that is read: brackets and tags take several times the room of their text.
const LONGEST_PARSE: usize = 8 * REACH;

/// How far before the end white space is looked for.
const NEAR: usize = 4096;

/// Whether all of a text is looked into.
pub fn is_within_reach(text: &str) -> bool {
    text.len() <= REACH
}

/// Whether a parse is read; a longer one is as good as none.
pub fn is_parse_within_reach(parse: &str) -> bool {
    parse.len() <= LONGEST_PARSE
}

/// The part of a text that is looked into: all of it, or its first [`REACH`] bytes up to white space, where there is any near.
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
