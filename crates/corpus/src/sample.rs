//! The embedded corpora.

use crate::ReadOptions;
use crate::layouts::json;
use acidtest_files::ContentHash;
use acidtest_nli::Example;

const SAMPLE: &str = include_str!("../data/sample.jsonl");
const PLAIN: &str = include_str!("../data/plain.jsonl");

/// The embedded sample: pairs in MultiNLI's form, ten genres, all labels, with parses and votes.
pub fn embedded_sample() -> Vec<Example<'static>> {
    rows_of(SAMPLE)
}

/// Easy pairs: 50 everyday premises, each with an unambiguous hypothesis of each label.
pub fn plain_pairs() -> Vec<Example<'static>> {
    rows_of(PLAIN)
}

fn rows_of(text: &'static str) -> Vec<Example<'static>> {
    let options = ReadOptions::default();
    let rows = text.lines().map(|line| json::RowReader::default().read(line, &options, &mut Default::default()));
    rows.map(|row| row.expect("a test reads every row")).collect()
}

/// The content hash of the plain pairs.
pub fn plain_pairs_hash() -> ContentHash {
    ContentHash::of(PLAIN.as_bytes())
}

/// The content hash of the embedded sample.
pub fn embedded_sample_hash() -> ContentHash {
    ContentHash::of(SAMPLE.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::tag;
    use std::collections::BTreeSet;

    #[test]
    fn plain_pairs_have_each_label_once_for_each_premise() {
        let plain = plain_pairs();
        assert_eq!(plain.len(), 150);
        for premise in plain.chunks(3) {
            assert!(premise.iter().all(|example| example.pair.premise == premise[0].pair.premise));
            let labels: Vec<_> = premise.iter().filter_map(|example| example.gold?.label()).collect();
            assert_eq!(labels, acidtest_nli::Label::ALL);
        }
    }

    #[test]
    fn the_sample_has_ten_genres_and_gold_that_follows_from_votes() {
        let sample = embedded_sample();
        assert!(sample.len() >= 200);
        let genres: BTreeSet<_> = sample.iter().filter_map(|example| example.tags.get(tag::GENRE)).collect();
        assert_eq!(genres.len(), 10);
        for example in &sample {
            assert_eq!(example.gold, example.votes.consensus(), "{}", example.pair.id);
        }
    }
}
