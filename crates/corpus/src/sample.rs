//! The corpus that the binary carries with it.

use crate::{ReadOptions, json};
use acidtest_nli::Example;

const SAMPLE: &str = include_str!("../data/sample.jsonl");

/// The embedded sample: pairs in MultiNLI's form, ten genres, all labels, with parses and votes.
pub fn embedded_sample() -> Vec<Example<'static>> {
    let options = ReadOptions::default();
    let rows = SAMPLE.lines().map(|line| json::read_row(line, &options));
    rows.map(|row| row.expect("a test reads every row of the sample")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::{Consensus, Judgment, tag};
    use std::collections::BTreeSet;

    #[test]
    fn the_sample_has_ten_genres_and_gold_that_follows_from_votes() {
        let sample = embedded_sample();
        assert!(sample.len() >= 200);
        let genres: BTreeSet<_> = sample.iter().filter_map(|example| example.tags.get(tag::GENRE)).collect();
        assert_eq!(genres.len(), 10);
        for example in &sample {
            let by_votes = match example.votes.consensus() {
                Consensus::Gold(label) => Some(Judgment::Exact(label)),
                Consensus::None => None,
            };
            assert_eq!(example.gold, by_votes, "{}", example.pair.id);
        }
    }
}
