//! Makes text from files safe to print on a terminal.

use std::borrow::Cow;

/// Escapes control characters, which could control the terminal; line breaks are kept.
pub fn visible(text: &str) -> Cow<'_, str> {
    let hidden = |letter: char| {
        let changes_direction = matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        (letter.is_control() && letter != '\n') || changes_direction
    };
    if !text.contains(hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if hidden(letter) { shown.extend(letter.escape_unicode()) } else { shown.push(letter) }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_line_breaks_kept() {
        assert_eq!(visible("a\x1b[31m\x07\u{9b}\u{202e}\nb"), "a\\u{1b}[31m\\u{7}\\u{9b}\\u{202e}\nb");
        assert!(matches!(visible("déjà vu\n"), Cow::Borrowed(_)));
    }
}
