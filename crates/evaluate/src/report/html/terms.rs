//! Terms of the glossary on the page: links where they come up, and their meaning at the end.

use super::Page;
use super::escape::escaped;
use super::prose::is_border;
use super::sections::{Fold, section};
use crate::glossary::{GLOSSARY, Term, TermGroup};
use std::sync::LazyLock;

/// What a sentence can call a term, in lower case, with the term; the longest first.
static PHRASES: LazyLock<Vec<(String, &'static Term)>> = LazyLock::new(|| {
    let mut phrases = Vec::new();
    for term in GLOSSARY.iter() {
        let name = term.name.split(" (").next().unwrap_or(term.name).to_lowercase();
        let aliases = term.aliases.iter().map(|alias| alias.replace('-', " "));
        // A single word is a term only where it is one of statistics; elsewhere it is mostly just a word.
        let is_statistical = matches!(term.group, TermGroup::Intervals | TermGroup::Tests);
        let is_phrase = |phrase: &String| phrase.contains(' ') || is_statistical && phrase.len() > 3;
        phrases.extend([name].into_iter().chain(aliases).filter(is_phrase).map(|phrase| (phrase, term)));
    }
    phrases.sort_by(|(a, _), (b, _)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    phrases.dedup_by(|(a, _), (b, _)| a == b);
    phrases
});

/// The term that a text begins with, and how many bytes name it.
pub(super) fn term_at(text: &str) -> Option<(&'static Term, usize)> {
    let begins = |phrase: &str| {
        let start = text.get(..phrase.len())?;
        let ends = text[phrase.len()..].chars().next().is_none_or(is_border);
        (ends && start.eq_ignore_ascii_case(phrase)).then_some(phrase.len())
    };
    PHRASES.iter().find_map(|(phrase, term)| Some((*term, begins(phrase)?)))
}

impl Page<'_> {
    /// A link to the meaning of a term, behind these words.
    pub(super) fn term_link(&self, term: &'static Term, words: &str) -> String {
        self.terms.borrow_mut().insert(term.slug);
        format!("<a class=\"term\" href=\"#term-{}\">{}</a>", term.slug, escaped(words))
    }

    /// A sign behind the head of a column that the glossary explains.
    pub(super) fn explained(&self, name: &str) -> String {
        let found = |text: &str| {
            let wanted = text.trim().to_lowercase().replace(' ', "-");
            GLOSSARY.iter().find(|term| term.slug == wanted || term.aliases.contains(&wanted.as_str()))
        };
        let Some(term) = found(name).or_else(|| found(name.split(" (").next()?)) else { return String::new() };
        self.terms.borrow_mut().insert(term.slug);
        let title = escaped(term.name);
        format!("<a class=\"term sign\" href=\"#term-{}\" aria-label=\"What is meant by {title}\" title=\"{title}\">?</a>", term.slug)
    }

    /// The meaning of all terms that the page has links to.
    pub(super) fn glossary(&self) -> Option<String> {
        let used = self.terms.borrow();
        let entry = |term: &Term| {
            format!(
                "<div id=\"term-{}\" tabindex=\"-1\"><dt>{}</dt><dd>{} <cite>{}</cite></dd></div>",
                term.slug,
                escaped(term.name),
                escaped(term.meaning),
                escaped(term.source)
            )
        };
        let entries: String = GLOSSARY.iter().filter(|term| used.contains(term.slug)).map(entry).collect();
        (!entries.is_empty()).then(|| section("glossary", "Glossary", Fold::Closed, &format!("<dl class=\"glossary\">{entries}</dl>")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_found_in_any_case_and_end_where_words_do() {
        let found = |text: &str| term_at(text).map(|(term, bytes)| (term.slug, text[..bytes].to_string()));
        assert_eq!(found("Clustered Wilson interval, 95 %"), Some(("clustered-wilson", "Clustered Wilson interval".to_string())));
        assert_eq!(found("clusters of premises"), Some(("cluster", "clusters".to_string())));
        assert_eq!(found("clustering"), None);
        assert_eq!(found("original"), None);
    }
}
