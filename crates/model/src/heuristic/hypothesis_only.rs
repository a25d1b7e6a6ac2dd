//! A heuristic that never sees the premise: the labels that words of the hypothesis go with in labelled rows.
//!
//! Naive Bayes over the words of the hypothesis and its pairs of neighbouring words, each counted once a row. It is small on purpose: what it
//! gets right, the words of the hypothesis alone give away (Gururangan et al. 2018; Poliak et al. 2018).

use acidtest_lingua::overlap::words;
use acidtest_nli::{Judgment, Label, Pair};
use std::collections::{BTreeSet, HashMap};

/// Labelled rows that teach nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the hypothesis-only heuristic learns from rows of at least two labels, and found {labels} in {rows} labelled rows: give training data"
)]
pub struct NothingToLearn {
    /// Labelled rows.
    pub rows: u64,
    /// Different labels among them.
    pub labels: usize,
}

/// Labels by the words of the hypothesis.
#[derive(Debug, Clone)]
pub struct HypothesisOnly {
    /// Rows of each label.
    rows: [u64; 3],
    /// Rows of each label that have the word or the two words.
    with: HashMap<String, [u32; 3]>,
}

impl HypothesisOnly {
    /// Counts the words of labelled hypotheses.
    pub fn fit<'p>(rows: impl IntoIterator<Item = (&'p str, Label)>) -> Result<Self, NothingToLearn> {
        let mut model = HypothesisOnly { rows: [0; 3], with: HashMap::new() };
        for (hypothesis, label) in rows {
            model.rows[label.index()] += 1;
            for feature in features(hypothesis) {
                model.with.entry(feature).or_default()[label.index()] += 1;
            }
        }
        let labels = model.rows.iter().filter(|&&count| count > 0).count();
        if labels < 2 {
            return Err(NothingToLearn { rows: model.rows.iter().sum(), labels });
        }
        // A word seen once says nothing and takes most of the room.
        model.with.retain(|_, counts| counts.iter().sum::<u32>() > 1);
        Ok(model)
    }

    /// The most probable label; the earlier one where two are equal, and none where no word of the hypothesis is known.
    pub fn answer(&self, pair: &Pair<'_>) -> Option<Judgment> {
        let known: Vec<&[u32; 3]> = features(&pair.hypothesis.text).iter().filter_map(|feature| self.with.get(feature)).collect();
        if known.is_empty() {
            return None;
        }
        let mut best = (f64::NEG_INFINITY, Label::Entailment);
        for label in Label::ALL.into_iter().filter(|label| self.rows[label.index()] > 0) {
            let rows = self.rows[label.index()] as f64;
            let evidence: f64 = known.iter().map(|counts| ((f64::from(counts[label.index()]) + 1.0) / (rows + 2.0)).ln()).sum();
            let score = rows.ln() + evidence;
            if score > best.0 {
                best = (score, label);
            }
        }
        Some(best.1.into())
    }
}

/// The different words and pairs of neighbouring words, in a fixed order.
fn features(hypothesis: &str) -> BTreeSet<String> {
    let words = words(hypothesis);
    let pairs: Vec<String> = words.windows(2).map(|pair| pair.join(" ")).collect();
    words.into_iter().chain(pairs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: [(&str, Label); 6] = [
        ("A man is outside.", Label::Entailment),
        ("People are outside.", Label::Entailment),
        ("A tall man waits for his wife.", Label::Neutral),
        ("A sad man waits.", Label::Neutral),
        ("Nobody is there.", Label::Contradiction),
        ("Nobody waits.", Label::Contradiction),
    ];

    #[track_caller]
    fn check(hypothesis: &str, expected: Option<Label>) {
        let model = HypothesisOnly::fit(ROWS).unwrap();
        assert_eq!(model.answer(&Pair::plain("Anything.", hypothesis)), expected.map(Judgment::from));
    }

    #[test]
    fn words_speak_for_the_labels_they_came_with() {
        check("They are outside.", Some(Label::Entailment));
        check("A man waits.", Some(Label::Neutral));
        check("Nobody sleeps.", Some(Label::Contradiction));
    }

    #[test]
    fn unknown_words_say_nothing() {
        check("Quite unheard of.", None);
        check("", None);
    }

    #[test]
    fn one_label_teaches_nothing() {
        let error = HypothesisOnly::fit(ROWS.into_iter().take(2)).unwrap_err();
        assert_eq!((error.rows, error.labels), (2, 1));
        assert!(HypothesisOnly::fit([]).is_err());
    }
}
