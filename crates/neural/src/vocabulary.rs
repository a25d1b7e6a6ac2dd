//! The vocabulary of a network.

use crate::error::{NeuralError, Result};
use std::collections::HashMap;
use std::path::Path;

/// The id of every unknown word.
pub const UNKNOWN: u32 = 0;

/// Words with their ids; 0 is for unknown words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vocabulary {
    words: Vec<String>,
    ids: HashMap<String, u32>,
}

impl Vocabulary {
    /// These words, numbered from 1 in order; a repeated word keeps its first id.
    pub fn new(words: impl IntoIterator<Item = String>) -> Self {
        let mut vocabulary = Vocabulary::default();
        for word in words {
            if !vocabulary.ids.contains_key(&word) {
                vocabulary.words.push(word.clone());
                vocabulary.ids.insert(word, vocabulary.words.len() as u32);
            }
        }
        vocabulary
    }

    /// The number of ids, including that of unknown words.
    pub fn size(&self) -> usize {
        self.words.len() + 1
    }

    /// The id of a word; [`UNKNOWN`] if it is not in the vocabulary.
    pub fn id(&self, word: &str) -> u32 {
        self.ids.get(word).copied().unwrap_or(UNKNOWN)
    }

    /// The words in the order of their ids, from 1.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The text of a vocabulary file: one word per line, in the order of their ids.
    pub fn to_text(&self) -> String {
        self.words.iter().flat_map(|word| [word.as_str(), "\n"]).collect()
    }

    /// Reads the text of a vocabulary file; `path` is for messages.
    pub fn from_text(text: &str, path: &Path) -> Result<Self> {
        let vocabulary = Vocabulary::new(text.lines().map(str::to_owned));
        if let Some(line) = text.lines().position(str::is_empty) {
            return Err(NeuralError::Vocabulary { path: path.to_owned(), line: line + 1, problem: "the line is empty" });
        }
        if vocabulary.words.len() < text.lines().count() {
            let twice = text.lines().zip(1..).find(|(word, id)| vocabulary.id(word) != *id);
            let line = twice.map_or(1, |(_, line)| line as usize);
            return Err(NeuralError::Vocabulary { path: path.to_owned(), line, problem: "duplicate word" });
        }
        Ok(vocabulary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_start_at_one_and_other_words_are_unknown() {
        let vocabulary = Vocabulary::new(["dog", "cat", "dog"].map(String::from));
        assert_eq!(["dog", "cat", "cow"].map(|word| vocabulary.id(word)), [1, 2, UNKNOWN]);
        assert_eq!(vocabulary.size(), 3);
    }

    #[test]
    fn a_vocabulary_survives_a_round_trip() {
        let vocabulary = Vocabulary::new(["the", "n't", "\u{e9}t\u{e9}"].map(String::from));
        assert_eq!(Vocabulary::from_text(&vocabulary.to_text(), Path::new("v")).unwrap(), vocabulary);
    }

    #[test]
    fn a_broken_file_is_refused_with_its_line() {
        let check = |text: &str, message: &str| {
            assert_eq!(Vocabulary::from_text(text, Path::new("v.txt")).unwrap_err().to_string(), message);
        };
        check("a\n\nb\n", "v.txt:2: the line is empty; expected one word per line");
        check("a\nb\na\n", "v.txt:3: duplicate word; expected one word per line");
    }
}
