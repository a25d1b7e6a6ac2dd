//! Word lists that ship with the program: lines of a class, a tab and words.

use std::collections::{HashMap, HashSet};

/// Words by class.
#[derive(Debug)]
pub(crate) struct WordLists {
    classes: HashMap<&'static str, HashSet<&'static str>>,
}

impl WordLists {
    /// The lists of a file; lines that begin with `#` are comments.
    pub(crate) fn read(text: &'static str) -> WordLists {
        let mut classes: HashMap<&'static str, HashSet<&'static str>> = HashMap::new();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (class, words) = line.split_once('\t').unwrap_or((line, ""));
            classes.entry(class).or_default().extend(words.split_whitespace());
        }
        WordLists { classes }
    }

    /// The words of a class, in no order.
    pub(crate) fn of(&self, class: &str) -> impl Iterator<Item = &'static str> {
        self.classes.get(class).into_iter().flatten().copied()
    }

    /// Whether a word is in a class; a class that does not exist has no words.
    pub(crate) fn has(&self, class: &str, word: &str) -> bool {
        self.classes.get(class).is_some_and(|words| words.contains(word))
    }
}
