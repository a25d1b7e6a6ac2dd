//! The glossary: every metric, test, interval and finding that a report prints, in two sentences and with its source.
//!
//! `acidtest glossary`, `docs/glossary.md` and the HTML page all show these entries; terms are explained nowhere else.

mod terms;
mod text;

pub use text::{explained, list};

use acidtest_nli::{Catalog, Named, UnknownName};
use std::fmt::Write;

/// All terms, group by group.
pub static GLOSSARY: Catalog<Term> = Catalog::new("glossary term", terms::TERMS);

/// A term and what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// The name in commands and anchors: lower-case letters, digits and hyphens.
    pub slug: &'static str,
    /// The term as reports and papers write it.
    pub name: &'static str,
    /// Other spellings that find it, as slugs.
    pub aliases: &'static [&'static str],
    /// The heading under which it is listed.
    pub group: TermGroup,
    /// What it means, in two sentences.
    pub meaning: &'static str,
    /// The paper and section, or our own documentation, that defines it.
    pub source: &'static str,
}

impl Named for Term {
    #[allow(clippy::misnamed_getters, reason = "a catalog finds terms by what users type")]
    fn name(&self) -> &str {
        self.slug
    }
}

/// A heading of the glossary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermGroup {
    /// Labels, examples and test sets.
    Data,
    /// Families of challenges.
    Challenges,
    /// Accuracy and other scores.
    Scores,
    /// Intervals and what they rest on.
    Intervals,
    /// Significance tests and corrections.
    Tests,
    /// Heuristics, and verdicts on models that follow them.
    Shortcuts,
    /// Agreement of annotators, artefacts of corpora.
    Corpora,
    /// Gates and the diagnosis of label orders.
    Checks,
}

impl TermGroup {
    /// All groups, in the order of the glossary.
    pub const ALL: [TermGroup; 8] = [
        TermGroup::Data,
        TermGroup::Challenges,
        TermGroup::Scores,
        TermGroup::Intervals,
        TermGroup::Tests,
        TermGroup::Shortcuts,
        TermGroup::Corpora,
        TermGroup::Checks,
    ];

    /// The heading.
    pub fn title(self) -> &'static str {
        match self {
            TermGroup::Data => "Examples and test sets",
            TermGroup::Challenges => "Families of challenges",
            TermGroup::Scores => "Scores",
            TermGroup::Intervals => "Intervals",
            TermGroup::Tests => "Tests and corrections",
            TermGroup::Shortcuts => "Shortcuts and findings",
            TermGroup::Corpora => "Corpora and annotators",
            TermGroup::Checks => "Gates and label order",
        }
    }

    /// The terms of the group, in order.
    pub fn terms(self) -> impl Iterator<Item = &'static Term> {
        GLOSSARY.iter().filter(move |term| term.group == self)
    }
}

/// The term with this slug, name or alias, in any spelling; an error suggests the nearest slug.
pub fn find(text: &str) -> Result<&'static Term, UnknownName> {
    let wanted = slug_of(text);
    let matches = |term: &&Term| term.slug == wanted || slug_of(term.name) == wanted || term.aliases.contains(&wanted.as_str());
    GLOSSARY.iter().find(matches).map_or_else(|| GLOSSARY.find(&wanted), Ok)
}

/// The glossary as a page of Markdown.
pub fn markdown() -> String {
    let mut page = String::from(
        "# Glossary\n\nThe terms that reports use, each explained in two sentences, with their sources. `acidtest glossary TERM` prints an entry.\n",
    );
    for group in TermGroup::ALL {
        let _ = write!(page, "\n## {}\n", group.title());
        for term in group.terms() {
            let name = term.name.replace('*', "\\*");
            let _ = write!(
                page,
                "\n<a id=\"term-{}\"></a>\n\n**{name}** (`{}`): {}\n*Source: {}.*\n",
                term.slug, term.slug, term.meaning, term.source
            );
        }
    }
    page
}

/// Lower-case letters and digits, with one hyphen for anything between them; apostrophes are dropped.
fn slug_of(text: &str) -> String {
    let lower = text.to_lowercase().replace(['\'', '’'], "").replace('λ', "lambda");
    let words: Vec<&str> = lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[track_caller]
    fn check(text: &str, slug: &str) {
        assert_eq!(find(text).map(|term| term.slug), Ok(slug));
    }

    #[test]
    fn a_term_is_found_by_slug_name_and_alias() {
        check("fleiss-kappa", "fleiss-kappa");
        check("Fleiss' kappa", "fleiss-kappa");
        check("CS_λ", "cs-lambda");
        check("Holm", "holm");
        check("pmi", "label-indicative-words");
    }

    #[test]
    fn a_misspelt_term_is_answered_with_the_nearest() {
        let error = find("mcnemra").unwrap_err();
        assert!(error.to_string().starts_with("unknown glossary term `mcnemra`; did you mean `mcnemar`?"), "{error}");
    }

    #[test]
    fn no_two_terms_share_a_name_or_alias() {
        let mut seen = BTreeSet::new();
        for term in &GLOSSARY {
            assert_eq!(slug_of(term.slug), term.slug);
            let spellings: BTreeSet<String> = [term.slug, term.name].iter().chain(term.aliases).map(|spelling| slug_of(spelling)).collect();
            for spelling in spellings {
                assert!(seen.insert(spelling.clone()), "{spelling} is there twice");
            }
        }
    }

    #[test]
    fn every_term_has_two_sentences_and_a_source() {
        for term in &GLOSSARY {
            // A full stop ends a sentence where a capital letter or nothing follows.
            let ends = term
                .meaning
                .match_indices(". ")
                .filter(|(at, _)| term.meaning[at + 2..].starts_with(|next: char| next.is_uppercase() || next == '"'))
                .count();
            assert_eq!(ends, 1, "{}: {}", term.slug, term.meaning);
            assert!(term.meaning.ends_with('.'), "{}", term.slug);
            assert!(!term.source.is_empty() && !term.source.ends_with('.'), "{}", term.slug);
        }
    }

    #[test]
    fn terms_are_in_the_order_of_their_groups() {
        let listed: Vec<&str> = TermGroup::ALL.into_iter().flat_map(|group| group.terms().map(|term| term.slug)).collect();
        assert_eq!(listed, GLOSSARY.names());
    }
}
