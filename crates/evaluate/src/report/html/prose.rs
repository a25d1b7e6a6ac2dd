//! Sentences of a report, with links to examples and to the glossary.

use super::Page;
use super::escape::escaped;
use super::terms::term_at;

impl Page<'_> {
    /// A sentence as HTML; `model` is the model of the section, if it has one.
    pub(super) fn prose(&self, text: &str, model: Option<&str>) -> String {
        let model = model.or_else(|| self.named_model(text));
        let text = typeset(text);
        let text = text.as_str();
        let mut written = String::new();
        let mut rest = text;
        let mut before = None;
        let mut linked = Vec::new();
        while !rest.is_empty() {
            let begins = before.is_none_or(is_border);
            let link = self.links.iter().filter(|link| begins && link.is_for(text)).find(|link| begins_with(rest, link.words()));
            // Only the first occurrence of a term in a sentence is a link.
            let term = term_at(rest).filter(|(term, _)| begins && link.is_none() && !linked.contains(&term.slug));
            let address = link.and_then(|link| link.address(self.facets, model));
            let length = if let (Some(link), Some(address)) = (link, address) {
                written.push_str(&format!("<a href=\"{address}\">{}</a>", escaped(link.words())));
                link.words().len()
            } else if let Some((term, length)) = term {
                linked.push(term.slug);
                written.push_str(&self.term_link(term, &rest[..length]));
                length
            } else {
                let word = word_length(rest);
                written.push_str(&escaped(&rest[..word]));
                word
            };
            before = rest[..length].chars().next_back();
            rest = &rest[length..];
        }
        written
    }

    /// The model that a sentence names first.
    fn named_model(&self, text: &str) -> Option<&str> {
        let begins = |at: &usize| text[..*at].chars().next_back().is_none_or(is_border);
        let starts = text.char_indices().map(|(at, _)| at).filter(begins);
        let named = |at: usize| self.facets.models.iter().filter(|model| begins_with(&text[at..], model)).max_by_key(|model| model.len());
        starts.into_iter().find_map(named).map(String::as_str)
    }
}

/// The sentence with an arrow for `->`, and without line breaks before units and inside comparisons.
fn typeset(text: &str) -> String {
    const NO_BREAK: &str = "\u{a0}";
    let text = text.replace(" -> ", &format!("{NO_BREAK}→{NO_BREAK}")).replace(" %", &format!("{NO_BREAK}%"));
    text.replace("p < ", &format!("p{NO_BREAK}<{NO_BREAK}")).replace("p = ", &format!("p{NO_BREAK}={NO_BREAK}"))
}

/// Whether the text begins with the name and the name ends there.
pub(super) fn begins_with(text: &str, name: &str) -> bool {
    text.strip_prefix(name).is_some_and(|rest| rest.chars().next().is_none_or(is_border))
}

pub(super) fn is_border(letter: char) -> bool {
    !(letter.is_alphanumeric() || letter == '-' || letter == '_')
}

/// The number of bytes up to the next possible start of a name.
fn word_length(text: &str) -> usize {
    let mut letters = text.char_indices();
    let first = letters.next().is_none_or(|(_, letter)| is_border(letter));
    letters.find(|(_, letter)| first || is_border(*letter)).map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_ends_where_a_word_does() {
        assert!(begins_with("negation drops", "negation") && begins_with("negation", "negation") && begins_with("negation: x", "negation"));
        assert!(!begins_with("negation-words", "negation") && !begins_with("negations", "negation"));
    }

    #[test]
    fn figures_stay_on_one_line() {
        assert_eq!(typeset("drops (67.2 % -> 43.9 %, p < 0.001)"), "drops (67.2\u{a0}%\u{a0}→\u{a0}43.9\u{a0}%, p\u{a0}<\u{a0}0.001)");
    }

    #[test]
    fn words_are_cut_at_borders() {
        assert_eq!([word_length("ab cd"), word_length(" cd"), word_length("é"), word_length("")], [2, 1, 2, 0]);
    }
}
