//! The word lists of the set: `crates/challenge/data/composition/swap.tsv`.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Whether a word is a form of `be`.
pub(super) fn is_be(word: &str) -> bool {
    ["is", "are", "was", "were", "be", "been", "being", "am", "'s", "'re", "'m"].iter().any(|form| word.eq_ignore_ascii_case(form))
}

/// Whether a word makes a passive with the participle behind it.
pub(super) fn makes_passive(word: &str) -> bool {
    is_be(word) || ["get", "gets", "got", "getting"].iter().any(|form| word.eq_ignore_ascii_case(form))
}

/// Words by class.
pub(super) struct Lists {
    classes: HashMap<&'static str, HashSet<&'static str>>,
}

static LISTS: LazyLock<Lists> = LazyLock::new(Lists::read);

impl Lists {
    /// The shipped lists.
    pub(super) fn get() -> &'static Lists {
        &LISTS
    }

    fn read() -> Lists {
        let mut classes: HashMap<&'static str, HashSet<&'static str>> = HashMap::new();
        for line in include_str!("../../../data/composition/swap.tsv").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (class, words) = line.split_once('\t').unwrap_or((line, ""));
            classes.entry(class).or_default().extend(words.split(' '));
        }
        Lists { classes }
    }

    /// Whether a word is in a class; a class that does not exist has no words.
    pub(super) fn has(&self, class: &str, word: &str) -> bool {
        self.classes.get(class).is_some_and(|words| words.contains(word))
    }

    /// Whether a word in small letters stands for a time.
    pub(super) fn is_time(&self, word: &str) -> bool {
        self.has("time", word)
    }
}
