//! The words of a text, as the heuristics compare them.

/// The words in lower case, without the punctuation around them; a dash or a slash ends a word, a hyphen or an apostrophe does not.
pub(super) fn words(text: &str) -> Vec<String> {
    let between = |letter: char| letter.is_whitespace() || matches!(letter, '—' | '–' | '/' | '…');
    let bare =
        text.split(between).flat_map(|part| part.split("--")).map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()));
    bare.filter(|word| !word.is_empty()).map(|word| word.to_lowercase().replace('’', "'")).collect()
}

/// The letters and digits of the words, run together, so that `doesn't` and the leaves `does n't` are the same.
pub(super) fn letters<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    words.into_iter().flat_map(str::chars).filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(words(text), expected);
    }

    #[test]
    fn words_are_bare_and_lower() {
        check("The \"well-known\" doctor, Ann, left.", &["the", "well-known", "doctor", "ann", "left"]);
        check("It doesn’t -- really .", &["it", "doesn't", "really"]);
        check("yes—no/maybe--so ...", &["yes", "no", "maybe", "so"]);
        check(" . ", &[]);
    }
}
