//! The words that rules go by, from `data/numeric/words.txt`.

use std::sync::LazyLock;

/// A list of words and phrases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    Conditional,
    Modal,
    Instruction,
    Arithmetic,
    Circumstance,
    Quantifier,
    Month,
    Clock,
    Label,
    Comparator,
    Approximation,
    Exactness,
    Range,
    Definite,
    Every,
    Time,
    After,
    Universal,
    Unit,
    Currency,
    Group,
    Container,
}

const NAMES: [(List, &str); 22] = [
    (List::Conditional, "conditional"),
    (List::Modal, "modal"),
    (List::Instruction, "instruction"),
    (List::Arithmetic, "arithmetic"),
    (List::Circumstance, "circumstance"),
    (List::Quantifier, "quantifier"),
    (List::Month, "month"),
    (List::Clock, "clock"),
    (List::Label, "label"),
    (List::Comparator, "comparator"),
    (List::Approximation, "approximation"),
    (List::Exactness, "exactness"),
    (List::Range, "range"),
    (List::Definite, "definite"),
    (List::Every, "every"),
    (List::Time, "time"),
    (List::After, "after"),
    (List::Universal, "universal"),
    (List::Unit, "unit"),
    (List::Currency, "currency"),
    (List::Group, "group"),
    (List::Container, "container"),
];

const FILE: &str = include_str!("../../data/numeric/words.txt");

/// Every phrase of every list, by its words.
static PHRASES: LazyLock<Vec<Vec<Vec<&'static str>>>> = LazyLock::new(|| {
    let sections = sections(FILE);
    let of_list = |name: &str| sections.iter().find(|(section, _)| *section == name).map(|(_, phrases)| phrases.clone());
    NAMES.iter().map(|(_, name)| of_list(name).unwrap_or_default()).collect()
});

/// The sections of the file with their phrases.
fn sections(file: &'static str) -> Vec<(&'static str, Vec<Vec<&'static str>>)> {
    let mut sections: Vec<(&str, Vec<Vec<&str>>)> = Vec::new();
    for line in file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            sections.push((name, Vec::new()));
        } else if let Some((_, phrases)) = sections.last_mut() {
            let words = |phrase: &'static str| phrase.split_whitespace().collect::<Vec<_>>();
            phrases.extend(line.split(',').map(words).filter(|words| !words.is_empty()));
        }
    }
    sections
}

impl List {
    fn phrases(self) -> &'static [Vec<&'static str>] {
        &PHRASES[self as usize]
    }

    /// Whether a word in lower case is one of the list.
    pub(super) fn has(self, word: &str) -> bool {
        self.phrases().iter().any(|phrase| matches!(phrase.as_slice(), [only] if *only == word))
    }

    /// Whether a phrase of the list stands anywhere.
    pub(super) fn is_in<W: AsRef<str>>(self, words: &[W]) -> bool {
        (0..words.len()).any(|at| self.begins(&words[at..]))
    }

    /// Whether the words begin with a phrase of the list.
    pub(super) fn begins<W: AsRef<str>>(self, words: &[W]) -> bool {
        self.phrases().iter().any(|phrase| words.len() >= phrase.len() && is(phrase, &words[..phrase.len()]))
    }

    /// Whether the words end in a phrase of the list.
    pub(super) fn ends<W: AsRef<str>>(self, words: &[W]) -> bool {
        self.phrases().iter().any(|phrase| words.len() >= phrase.len() && is(phrase, &words[words.len() - phrase.len()..]))
    }
}

fn is<W: AsRef<str>>(phrase: &[&str], words: &[W]) -> bool {
    phrase.iter().zip(words).all(|(one, other)| *one == other.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_every_list_and_no_other() {
        let mut found: Vec<&str> = sections(FILE).into_iter().map(|(name, _)| name).collect();
        let mut expected = NAMES.map(|(_, name)| name).to_vec();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
        for (place, (list, name)) in NAMES.iter().enumerate() {
            assert_eq!(*list as usize, place, "{name}");
            assert!(!list.phrases().is_empty(), "{name}");
        }
        assert_eq!(FILE.to_lowercase().lines().skip(3).collect::<Vec<_>>(), FILE.lines().skip(3).collect::<Vec<_>>());
    }

    #[test]
    fn phrases_are_found_by_their_words() {
        let words = ["biking", "at", "least", "10"];
        assert!(List::Comparator.ends(&words[..3]) && !List::Comparator.ends(&words));
        assert!(List::Comparator.is_in(&words) && List::Comparator.begins(&words[1..]));
        assert!(List::Modal.has("can") && !List::Modal.has("supposed"));
    }
}
