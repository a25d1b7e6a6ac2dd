//! The word lists of the set: `crates/challenge/data/composition/swap.tsv`.

use crate::word_lists::WordLists;
use std::sync::LazyLock;

/// Whether a word is a form of `be`.
pub(super) fn is_be(word: &str) -> bool {
    ["is", "are", "was", "were", "be", "been", "being", "am", "'s", "'re", "'m"].iter().any(|form| word.eq_ignore_ascii_case(form))
}

/// Whether a word makes a passive with the participle behind it.
pub(super) fn makes_passive(word: &str) -> bool {
    is_be(word) || ["get", "gets", "got", "getting"].iter().any(|form| word.eq_ignore_ascii_case(form))
}

/// The shipped lists.
pub(super) struct Lists(WordLists);

static LISTS: LazyLock<Lists> = LazyLock::new(|| Lists(WordLists::read(include_str!("../../../data/composition/swap.tsv"))));

impl Lists {
    /// The shipped lists.
    pub(super) fn get() -> &'static Lists {
        &LISTS
    }

    /// Whether a word is in a class; a class that does not exist has no words.
    pub(super) fn has(&self, class: &str, word: &str) -> bool {
        self.0.has(class, word)
    }

    /// Whether a word in small letters stands for a time.
    pub(super) fn is_time(&self, word: &str) -> bool {
        self.has("time", word)
    }
}
