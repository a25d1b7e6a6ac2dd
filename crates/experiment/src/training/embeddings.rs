//! Reads word vectors in GloVe's text format: a word and its numbers per line.

use super::TrainingError;
use crate::session::Session;
use acidtest_corpus::{InputFile, each_line};
use acidtest_files::ContentHash;
use acidtest_neural::{KnownVectors, VectorsWanted};
use std::collections::HashSet;

/// The maximum dimension that is accepted.
const LONGEST_VECTOR: usize = 4096;

/// Reads the requested vectors of a file, and its content hash.
pub(crate) fn read_vectors(
    file: &InputFile,
    wanted: &VectorsWanted,
    session: &Session<'_>,
) -> Result<(KnownVectors, ContentHash), TrainingError> {
    let mut vectors = KnownVectors::default();
    let mut lines = 0u64;
    let mut known = HashSet::new();
    let path = file.name();
    let wrong = |line: u64, message: String| TrainingError::Embeddings { path: path.clone(), line, message };
    let hash = each_line(file, |line, text| {
        session.check_cancelled()?;
        // word2vec's text format begins with two counts.
        if line == 1 && text.split(' ').count() == 2 && text.split(' ').all(|part| part.parse::<u64>().is_ok()) {
            return Ok(());
        }
        lines += 1;
        let (word, rest) = text.split_once(' ').ok_or_else(|| wrong(line, "no numbers; expected a word and its vector".into()))?;
        let rest = rest.trim_end();
        if vectors.dimension == 0 {
            vectors.dimension = rest.split(' ').count();
            if vectors.dimension > LONGEST_VECTOR {
                return Err(wrong(line, format!("{} numbers; expected at most {LONGEST_VECTOR}", vectors.dimension)));
            }
        } else if rest.bytes().filter(|&byte| byte == b' ').count() + 1 != vectors.dimension {
            let found = rest.split(' ').count();
            // GloVe's largest file has words with spaces, which our tokens never have.
            if found > vectors.dimension && rest.split(' ').next().is_some_and(|part| part.parse::<f32>().is_err()) {
                return Ok(());
            }
            return Err(wrong(line, format!("{found} numbers, but the first line has {}", vectors.dimension)));
        }
        let among_first = lines <= wanted.first as u64;
        // The vocabulary file has one word per line: an empty word or one with a space could be written, but not read again.
        let writable = !word.is_empty() && !word.contains(char::is_whitespace);
        if !writable || !(among_first || wanted.words.contains(word)) || !known.insert(word.to_string()) {
            return Ok(());
        }
        for number in rest.split(' ') {
            let read: f32 = number.parse().map_err(|_| wrong(line, format!("`{number}` is not a number")))?;
            if !read.is_finite() {
                return Err(wrong(line, format!("`{number}` is not a finite number")));
            }
            vectors.numbers.push(read);
        }
        vectors.words.push(word.to_string());
        Ok(())
    })?;
    Ok((vectors, hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, wanted: &[&str], most_others: usize) -> Result<KnownVectors, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("v.txt");
        std::fs::write(&path, text).unwrap();
        let wanted = VectorsWanted { words: wanted.iter().map(|word| word.to_string()).collect(), first: most_others };
        read_vectors(&InputFile::new(&path), &wanted, &Session::quiet().unwrap())
            .map(|(vectors, _)| vectors)
            .map_err(|error| error.to_string().split("v.txt").nth(1).unwrap_or_default().to_string())
    }

    #[test]
    fn wanted_words_and_the_first_ones_are_kept() {
        let vectors = read("the 1 2\nof 3 4\ndog 5 6\ncat 7 8\n", &["dog"], 1).unwrap();
        assert_eq!(vectors.iter().collect::<Vec<_>>(), [("the", &[1.0, 2.0][..]), ("dog", &[5.0, 6.0])]);
        assert_eq!(read("2 2\nthe 1 2\ndog 5 6\n", &["dog"], 0).unwrap().words, ["dog"]);
    }

    #[test]
    fn empty_words_and_words_with_spaces_are_skipped() {
        assert_eq!(read("the 1 2\n. . . 3 4\ndog 5 6\n", &["dog"], 0).unwrap().words, ["dog"]);
        assert_eq!(read(" 1 2\na\u{a0}b 3 4\ndog 5 6\n", &[], 3).unwrap().words, ["dog"]);
    }

    #[test]
    fn a_broken_line_is_named() {
        assert_eq!(read("the 1 2\nof 3\n", &[], 0).unwrap_err(), ":2: 1 numbers, but the first line has 2");
        let bomb = format!("the{}\n", " 1".repeat(5000));
        assert_eq!(read(&bomb, &["the"], 0).unwrap_err(), ":1: 5000 numbers; expected at most 4096");
        assert_eq!(read("the 1 x\n", &["the"], 0).unwrap_err(), ":1: `x` is not a number");
        assert_eq!(read("the\n", &["the"], 0).unwrap_err(), ":1: no numbers; expected a word and its vector");
    }
}
