//! Sentences of a report, with links to the examples of the sets that they name.

use super::Page;
use super::escape::escaped;
use super::facets::{RIGHT, SET};

impl Page<'_> {
    /// A sentence, safe to put into the page; `model` is the one that it is about, where the section says so.
    pub(super) fn prose(&self, text: &str, model: Option<&str>) -> String {
        let model = model.or_else(|| self.named_model(text));
        let mut written = String::new();
        let mut rest = text;
        let mut before = None;
        while !rest.is_empty() {
            let set = self.linked_sets.iter().filter(|_| before.is_none_or(is_border)).find(|set| names(rest, set));
            let address = set.and_then(|set| self.facets.address(model, &[(SET, set), (RIGHT, "wrong")]));
            let length = match (set, address) {
                (Some(set), Some(address)) => {
                    written.push_str(&format!("<a href=\"{address}\">{}</a>", escaped(set)));
                    set.len()
                }
                _ => {
                    let word = word_length(rest);
                    written.push_str(&escaped(&rest[..word]));
                    word
                }
            };
            before = rest[..length].chars().next_back();
            rest = &rest[length..];
        }
        written
    }

    /// The model that a sentence begins with.
    fn named_model(&self, text: &str) -> Option<&str> {
        let models = self.facets.models.iter().filter(|model| names(text, model));
        models.max_by_key(|model| model.len()).map(String::as_str)
    }
}

/// Whether the text begins with the name and the name ends there.
fn names(text: &str, name: &str) -> bool {
    text.strip_prefix(name).is_some_and(|rest| rest.chars().next().is_none_or(is_border))
}

fn is_border(letter: char) -> bool {
    !(letter.is_alphanumeric() || letter == '-' || letter == '_')
}

/// The bytes up to where the next name could begin.
fn word_length(text: &str) -> usize {
    let mut letters = text.char_indices();
    let first = letters.next().map_or(true, |(_, letter)| is_border(letter));
    letters.find(|(_, letter)| first || is_border(*letter)).map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_ends_where_a_word_does() {
        assert!(names("negation drops", "negation") && names("negation", "negation") && names("negation: x", "negation"));
        assert!(!names("negation-words", "negation") && !names("negations", "negation"));
    }

    #[test]
    fn words_are_cut_at_borders() {
        assert_eq!([word_length("ab cd"), word_length(" cd"), word_length("é"), word_length("")], [2, 1, 2, 0]);
    }
}
