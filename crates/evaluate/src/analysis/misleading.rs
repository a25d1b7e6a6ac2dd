//! The lexically-misleading score (LMS) of Nie et al. 2018, section 5.3.
//!
//! A model that sees which words occur in a pair, but not how they are combined, gives each label a probability. The score of an
//! example is the largest probability of a wrong label. CS_λ is the set of examples with a score of at least λ: predicting them takes more than words.

use super::wording::{counted, share};
use crate::measurement::{Measurement, Metric, SetId, Subject};
use crate::report::{Bar, Bars, Cell, ReportBlock, Section, SectionId};
use crate::scoring::Scoring;
use crate::statistics::Proportion;
use acidtest_nli::{Label, Misleading, Prediction};

/// The values of λ in the paper.
pub const LAMBDAS: [f64; 4] = [0.5, 0.6, 0.7, 0.95];

/// The name of CS_λ in reports.
pub fn subset_name(lambda: f64) -> String {
    format!("CS_{lambda}")
}

/// The bars of the histogram.
const BINS: usize = 20;

/// The scores of the examples of a corpus, counted one by one.
#[derive(Debug, Clone, PartialEq)]
pub struct MisleadingCounts {
    lambdas: Vec<f64>,
    /// Scored examples by gold label.
    all: [u64; 3],
    /// The same for each CS_λ.
    subsets: Vec<[u64; 3]>,
    bins: [u64; BINS],
    /// Examples that the lexical model predicts correctly.
    right: u64,
    /// Examples that the lexical model was trained on.
    trained_on: u64,
    /// Examples without a parse, which our tagger tagged.
    tagged: u64,
    /// Examples without an exact gold label.
    left_out: u64,
}

impl MisleadingCounts {
    /// No examples yet; the subsets are those of these λ, in this order.
    pub fn new(lambdas: &[f64]) -> Self {
        MisleadingCounts {
            lambdas: lambdas.to_vec(),
            all: [0; 3],
            subsets: vec![[0; 3]; lambdas.len()],
            bins: [0; BINS],
            right: 0,
            trained_on: 0,
            tagged: 0,
            left_out: 0,
        }
    }

    /// Counts an example, given the lexical model's probabilities.
    pub fn add(&mut self, probabilities: [f64; 3], gold: Label) -> Misleading {
        let found = Misleading::of(probabilities, gold);
        self.all[gold.index()] += 1;
        self.right += u64::from(Prediction::from_scores(probabilities).answer == gold.into());
        self.bins[((found.score * BINS as f64) as usize).min(BINS - 1)] += 1;
        for (lambda, subset) in self.lambdas.iter().zip(&mut self.subsets) {
            subset[gold.index()] += u64::from(found.is_in(*lambda));
        }
        found
    }

    /// Records that a counted example was in the training data.
    pub fn trained_on(&mut self) {
        self.trained_on += 1;
    }

    /// Records that a counted example has no parse, so that our tagger tagged it.
    pub fn tagged(&mut self) {
        self.tagged += 1;
    }

    /// Counts an example that has no score because its gold label is not exact.
    pub fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// Merges the counts of another part of the corpus, for the same λ.
    pub fn merge(&mut self, other: &MisleadingCounts) {
        let add = |sums: &mut [u64], more: &[u64]| sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        add(&mut self.all, &other.all);
        add(&mut self.bins, &other.bins);
        self.subsets.iter_mut().zip(&other.subsets).for_each(|(subset, more)| add(subset, more));
        self.right += other.right;
        self.trained_on += other.trained_on;
        self.tagged += other.tagged;
        self.left_out += other.left_out;
    }

    /// The number of examples with a score.
    pub fn rows(&self) -> u64 {
        self.all.iter().sum()
    }

    /// Accuracy of the lexical model, the size of each CS_λ, and the share of each label in it and in all examples.
    pub fn measurements(&self, model: &str, set: &SetId) -> Vec<Measurement> {
        let subject = Subject { model, set, scoring: Some(Scoring::ThreeWay) };
        let mut found = vec![subject.share(Metric::Accuracy, Proportion { count: self.right, total: self.rows() })];
        let subsets = self.lambdas.iter().map(|lambda| subset_name(*lambda)).zip(self.subsets.iter().copied());
        for (name, subset) in [("all".to_string(), self.all)].into_iter().chain(subsets) {
            let part = |count, total| Some(subject.share(Metric::Share, Proportion { count, total })?.with("part", &*name));
            let size = subset.iter().sum();
            found.push(part(size, self.rows()));
            let labels = Label::ALL.into_iter().zip(subset);
            found.extend(labels.map(|(label, count)| Some(part(count, size)?.with("gold", label.name()))));
        }
        found.into_iter().flatten().collect()
    }

    /// Sizes and labels of the subsets, and a histogram.
    pub fn sections(&self) -> Vec<Section> {
        let names = ["all".to_string()].into_iter().chain(self.lambdas.iter().map(|lambda| subset_name(*lambda)));
        let counts = [self.all].into_iter().chain(self.subsets.iter().copied());
        let rows = names.zip(counts).map(|(name, by_label)| {
            let size: u64 = by_label.iter().sum();
            let of_all = if name == "all" { Cell::Empty {} } else { Cell::rate(Proportion { count: size, total: self.rows() }) };
            let labels = by_label.map(|count| Cell::rate_of_group(Proportion { count, total: size }));
            [Cell::text(name), Cell::Count { count: size }, of_all].into_iter().chain(labels).collect()
        });
        let labels = Label::ALL.map(|label| format!("gold {label}"));
        let values: Vec<&str> = ["n", "share of all"].into_iter().chain(labels.iter().map(String::as_str)).collect();
        let bars = self.bins.iter().enumerate().map(|(bin, count)| {
            let end = |bin: usize| bin as f64 / BINS as f64;
            Bar { label: format!("{:.2} to {:.2}", end(bin), end(bin + 1)), value: Cell::Count { count: *count } }
        });
        let histogram = ReportBlock::Bars(Bars { measure: "examples by score".to_string(), bars: bars.collect() });
        vec![
            Section::new(
                SectionId::MisleadingScores,
                "Lexically-misleading scores",
                self.notes(),
                vec![ReportBlock::table(&["set"], &values, rows.collect())],
            )
            .captioned([
                "The lexically-misleading score of an example is the largest probability that the lexical model gives to a wrong label; CS_λ is the set \
                 of examples with a score of at least λ. Wilson intervals; every example is its own cluster."
                    .to_string(),
            ]),
            Section::new(SectionId::MisleadingHistogram, "Histogram of the scores", Vec::new(), vec![histogram]),
        ]
    }

    fn notes(&self) -> Vec<String> {
        let right = Proportion { count: self.right, total: self.rows() };
        let mut notes = vec![format!(
            "The lexical model is correct on {} of {}.",
            share(right, right.wilson()),
            counted(self.rows() as usize, "example")
        )];
        if self.trained_on > 0 {
            let examples = counted(self.trained_on as usize, "example");
            notes.push(format!("In the training data: {examples}, each scored by a model that was not trained on it."));
        }
        if self.tagged > 0 {
            let examples = counted(self.tagged as usize, "example");
            notes.push(format!("Without a parse: {examples}; their parts of speech come from Acidtest's own tagger."));
        }
        if self.left_out > 0 {
            notes.push(format!("Excluded: {} without a three-way gold label.", counted(self.left_out as usize, "example")));
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Label::*;

    /// Three examples: scores of 0.7, 0.5 and 0.1.
    fn counts() -> MisleadingCounts {
        let mut counts = MisleadingCounts::new(&[0.5, 0.7]);
        counts.add([0.3, 0.7, 0.0], Entailment);
        counts.add([0.5, 0.5, 0.0], Neutral);
        counts.add([0.1, 0.1, 0.8], Contradiction);
        counts
    }

    #[test]
    fn examples_are_counted_by_subset_label_and_bar() {
        let mut counts = counts();
        counts.leave_out();
        assert_eq!((counts.rows(), counts.right, counts.left_out), (3, 1, 1));
        assert_eq!(counts.subsets, [[1, 1, 0], [1, 0, 0]]);
        assert_eq!([2, 10, 13, 14].map(|bin| counts.bins[bin]), [1, 1, 0, 1]);
        let mut whole = MisleadingCounts::new(&[0.5, 0.7]);
        whole.add([0.0, 1.0, 0.0], Entailment);
        assert_eq!(whole.bins[BINS - 1], 1);
    }

    #[test]
    fn merged_parts_equal_the_whole() {
        let mut parts = MisleadingCounts::new(&[0.5, 0.7]);
        let mut part = counts();
        part.trained_on();
        part.tagged();
        parts.merge(&part);
        assert_eq!(parts, part);
        let notes = parts.sections()[0].notes.join(" ");
        assert!(notes.contains("correct on 33.3 %") && notes.contains("In the training data: 1 example"), "{notes}");
        assert!(notes.contains("Without a parse: 1 example"), "{notes}");
    }
}
