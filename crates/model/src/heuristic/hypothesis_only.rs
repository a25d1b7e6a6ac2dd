//! A heuristic that never sees the premise: it learns which words of the hypothesis go with which label.
//!
//! Naive Bayes over the words and bigrams of the hypothesis, each counted once per example. It is small on purpose: what it
//! predicts correctly can be predicted from the words of the hypothesis alone (Gururangan et al. 2018; Poliak et al. 2018).

use acidtest_lingua::overlap::words;
use acidtest_nli::{Judgment, Label, Pair};
use std::collections::{BTreeSet, HashMap};

/// Training examples from which nothing can be learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the hypothesis-only heuristic needs training examples with at least two labels, and found {labels} in {rows} labelled examples")]
pub struct NothingToLearn {
    /// The number of labelled examples.
    pub rows: u64,
    /// The number of distinct labels.
    pub labels: usize,
}

/// Predicts labels from the words of the hypothesis.
#[derive(Debug, Clone)]
pub struct HypothesisOnly {
    /// The number of examples of each label.
    rows: [u64; 3],
    /// The number of examples of each label that contain the word or bigram.
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
        // Words seen once carry little information and take most of the memory.
        model.with.retain(|_, counts| counts.iter().sum::<u32>() > 1);
        Ok(model)
    }

    /// The most probable label; the earlier one if two are equal, and `None` if no word of the hypothesis is known.
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

/// The distinct words and bigrams, in a fixed order.
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
    fn words_predict_the_label_they_occurred_with() {
        check("They are outside.", Some(Label::Entailment));
        check("A man waits.", Some(Label::Neutral));
        check("Nobody sleeps.", Some(Label::Contradiction));
    }

    #[test]
    fn unknown_words_give_no_label() {
        check("Quite unheard of.", None);
        check("", None);
    }

    #[test]
    fn training_needs_two_labels() {
        let error = HypothesisOnly::fit(ROWS.into_iter().take(2)).unwrap_err();
        assert_eq!((error.rows, error.labels), (2, 1));
        assert!(HypothesisOnly::fit([]).is_err());
    }
}
