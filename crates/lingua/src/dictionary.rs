//! A spelling dictionary: whether a string of letters is an English word.

use crate::packed_text::inflate_text;
use std::sync::LazyLock;

/// All words, sorted.
static WORDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let text: &'static str = inflate_text(include_bytes!("../data/english_words.txt.z")).leak();
    text.lines().collect()
});

/// Whether a lower-case word is in the spelling dictionary, which has common words with their inflected forms, but no names.
///
/// ```
/// use acidtest_lingua::dictionary::is_english_word;
/// assert!(is_english_word("form") && is_english_word("three") && !is_english_word("fomr"));
/// ```
pub fn is_english_word(word: &str) -> bool {
    WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_sorted_and_in_lower_case() {
        assert!(WORDS.len() > 60_000 && WORDS.is_sorted());
        assert!(WORDS.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase())));
    }

    #[test]
    fn words_produced_by_typing_errors_are_known() {
        for word in ["no", "nor", "bot", "nit", "tow", "there", "three", "eh", "em", "ti", "from", "on", "saw", "was"] {
            assert!(is_english_word(word), "{word}");
        }
        for word in ["teh", "adn", "swa", "London", "odl", ""] {
            assert!(!is_english_word(word), "{word}");
        }
    }
}
