//! Normalises words for counting and comparing.

/// Writes a word in lower case with straight apostrophes to `folded`, replacing its content.
///
/// ```
/// let mut folded = String::new();
/// acidtest_lingua::fold::fold("DIDN’T", &mut folded);
/// assert_eq!(folded, "didn't");
/// ```
pub fn fold(word: &str, folded: &mut String) {
    folded.clear();
    if word.is_ascii() {
        folded.push_str(word);
        folded.make_ascii_lowercase();
    } else {
        let lower = word.chars().flat_map(char::to_lowercase);
        folded.extend(lower.map(|letter| if letter == '’' { '\'' } else { letter }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_content_is_replaced_and_letters_of_any_script_are_lower_cased() {
        let mut folded = "before".to_string();
        for (word, expected) in [("The", "the"), ("", ""), ("ÉTÉ", "été"), ("I’M", "i'm"), ("1\\/2", "1\\/2")] {
            fold(word, &mut folded);
            assert_eq!(folded, expected);
        }
    }
}
