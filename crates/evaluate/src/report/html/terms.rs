//! Glossary terms on the page: links where they occur, and their meaning at the end.

use super::Page;
use super::escape::escaped;
use super::prose::is_border;
use super::sections::{Fold, section};
use crate::glossary::{GLOSSARY, Term, TermGroup};
use std::sync::LazyLock;

/// The names of terms in lower case, the longest first.
static PHRASES: LazyLock<Vec<(String, &'static Term)>> = LazyLock::new(|| {
    let mut phrases = Vec::new();
    for term in GLOSSARY.iter() {
        let name = term.name.split(" (").next().unwrap_or(term.name).to_lowercase();
        let aliases = term.aliases.iter().map(|alias| alias.replace('-', " "));
        // Single words are linked only if they are statistical terms; others are mostly ordinary words.
        let is_statistical = matches!(term.group, TermGroup::Intervals | TermGroup::Tests);
        let is_phrase = |phrase: &String| phrase.contains(' ') || is_statistical && phrase.len() > 3;
        phrases.extend([name].into_iter().chain(aliases).filter(is_phrase).map(|phrase| (phrase, term)));
    }
    phrases.sort_by(|(a, _), (b, _)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    phrases.dedup_by(|(a, _), (b, _)| a == b);
    phrases
});

/// The term at the start of a text, and the length of its name in bytes.
pub(super) fn term_at(text: &str) -> Option<(&'static Term, usize)> {
    let begins = |phrase: &str| {
        let start = text.get(..phrase.len())?;
        let ends = text[phrase.len()..].chars().next().is_none_or(is_border);
        (ends && start.eq_ignore_ascii_case(phrase)).then_some(phrase.len())
    };
    PHRASES.iter().find_map(|(phrase, term)| Some((*term, begins(phrase)?)))
}

impl Page<'_> {
    /// A link with this text to the meaning of a term.
    pub(super) fn term_link(&self, term: &'static Term, words: &str) -> String {
        self.terms.borrow_mut().insert(term.slug);
        format!("<a class=\"term\" href=\"#term-{}\">{}</a>", term.slug, escaped(words))
    }

    /// A sign after the heading of a column that the glossary explains.
    pub(super) fn explained(&self, name: &str) -> String {
        let found = |text: &str| {
            let wanted = text.trim().to_lowercase().replace(' ', "-");
            GLOSSARY.iter().find(|term| term.slug == wanted || term.aliases.contains(&wanted.as_str()))
        };
        let Some(term) = found(name).or_else(|| found(name.split(" (").next()?)) else { return String::new() };
        self.terms.borrow_mut().insert(term.slug);
        let title = escaped(term.name);
        format!("<a class=\"term sign\" href=\"#term-{}\" aria-label=\"Definition of {title}\" title=\"{title}\">?</a>", term.slug)
    }

    /// The meaning of all terms that the page links to.
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
    fn terms_are_found_in_any_case_and_as_whole_words() {
        let found = |text: &str| term_at(text).map(|(term, bytes)| (term.slug, text[..bytes].to_string()));
        assert_eq!(found("Clustered Wilson interval, 95 %"), Some(("clustered-wilson", "Clustered Wilson interval".to_string())));
        assert_eq!(found("clusters of premises"), Some(("cluster", "clusters".to_string())));
        assert_eq!(found("clustering"), None);
        assert_eq!(found("original"), None);
    }
}
