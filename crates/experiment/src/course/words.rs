//! From sentences to the words that networks know.

use super::settings::{Case, CourseSettings};
use acidtest_lingua::tokens::tokenize;
use serde::{Deserialize, Serialize};

/// How a sentence is cut into words.
///
/// Words always come from the text, cut by the Penn conventions; the leaves of a parse are never looked at, so that a sentence has the same
/// words with and without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordRule {
    /// How they are spelt.
    pub case: Case,
    /// How many are read; 0 for all.
    pub most_words: usize,
}

impl WordRule {
    /// The rule that these settings ask for.
    pub fn of(settings: &CourseSettings) -> Self {
        WordRule { case: settings.case, most_words: settings.most_words }
    }

    /// Whether a sentence has more words than are read.
    pub fn cuts(&self, text: &str) -> bool {
        // Most sentences are shorter even in letters.
        self.most_words > 0 && text.len() > self.most_words && tokenize(text).len() > self.most_words
    }

    /// The words of a sentence.
    pub fn words<'t>(&self, text: &'t str) -> impl Iterator<Item = String> + use<'t> {
        let most = if self.most_words == 0 { usize::MAX } else { self.most_words };
        let case = self.case;
        tokenize(text).into_iter().take(most).map(move |token| spelt(token.text(text), case))
    }
}

/// The word with straight quotes, in the asked case.
fn spelt(word: &str, case: Case) -> String {
    let word = word.replace(['\u{2018}', '\u{2019}'], "'").replace(['\u{201c}', '\u{201d}'], "\"");
    match case {
        Case::Lower => word.to_lowercase(),
        Case::Kept => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(case: Case, most_words: usize, text: &str, expected: &[&str]) {
        let words: Vec<String> = WordRule { case, most_words }.words(text).collect();
        assert_eq!(words, expected);
    }

    #[test]
    fn words_are_cut_spelt_and_counted() {
        check(Case::Lower, 0, "She can\u{2019}t go.", &["she", "ca", "n't", "go", "."]);
        check(Case::Kept, 2, "She can't go.", &["She", "ca"]);
        check(Case::Lower, 0, "", &[]);
        let cuts = |most_words| WordRule { case: Case::Lower, most_words }.cuts("She can't go.");
        assert_eq!([0, 4, 5, 100].map(cuts), [false, true, false, false]);
    }
}
