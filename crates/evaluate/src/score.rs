//! Scores of sets of examples.

use crate::join::Item;
use crate::scoring::{Judged, ScoredAnswer, Scoring};
use crate::statistics::clustered::ClusteredAccuracy;
use crate::statistics::{Interval, Proportion};
use acidtest_nli::Judgment;

/// The score of a set of examples.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// Correct predictions among the labelled examples.
    pub accuracy: Proportion,
    /// The clustered Wilson interval of the accuracy.
    pub interval: Interval,
    /// The accuracy by cluster.
    pub clustered: ClusteredAccuracy,
    /// Scores of each class, in the order of [`Scoring::classes`].
    pub labels: Vec<LabelScore>,
    /// The mean F1 of the classes that occur as gold label or prediction; `None` without labelled examples.
    pub macro_f1: Option<f64>,
    /// Gold labels against predictions.
    pub confusion: Confusion,
    /// Examples that are excluded because they have no gold label.
    pub unlabelled: u64,
    /// Labelled examples without a prediction, counted as wrong.
    pub missing: u64,
}

/// Precision, recall and F1 of a class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LabelScore {
    /// The class.
    pub label: Judgment,
    /// Correct predictions among the predictions of this class.
    pub precision: Proportion,
    /// Correct predictions among the examples of this class; the total is its support.
    pub recall: Proportion,
    /// The precision by cluster, for its interval.
    pub clustered_precision: ClusteredAccuracy,
    /// The recall by cluster.
    pub clustered_recall: ClusteredAccuracy,
    /// The harmonic mean of the two, which has no interval; `None` for a class that is neither a gold label nor a prediction.
    pub f1: Option<f64>,
}

/// Counts of gold labels against predictions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confusion {
    /// The classes of rows and columns.
    pub classes: &'static [Judgment],
    /// One list for each gold class, with the counts of its predictions.
    pub counts: Vec<Vec<u64>>,
    /// For each gold class, the number of examples without a prediction.
    pub missing: Vec<u64>,
}

impl Confusion {
    fn empty(scoring: Scoring) -> Self {
        let classes = scoring.classes();
        Confusion { classes, counts: vec![vec![0; classes.len()]; classes.len()], missing: vec![0; classes.len()] }
    }

    /// The number of examples with this gold class.
    pub fn support(&self, class: usize) -> u64 {
        self.counts[class].iter().sum::<u64>() + self.missing[class]
    }

    /// The number of predictions of this class.
    pub fn answers(&self, class: usize) -> u64 {
        self.counts.iter().map(|row| row[class]).sum()
    }

    fn add(&mut self, outcome: ScoredAnswer) {
        let place = |class: Judgment| self.classes.iter().position(|other| *other == class);
        // Outcomes use the classes of this rule.
        let gold = place(outcome.gold).expect("gold is one of the classes");
        match outcome.answer {
            None => self.missing[gold] += 1,
            Some(answer) => self.counts[gold][place(answer).expect("an answer is one of the classes")] += 1,
        }
    }
}

impl Score {
    /// The score of all examples.
    pub fn of(judged: &Judged) -> Self {
        let mut tally = Tally::empty(judged.scoring);
        for (item, outcome) in judged.joined.items.iter().zip(&judged.outcomes) {
            tally.add(item, *outcome);
        }
        tally.score()
    }

    /// The most frequent gold class, and the accuracy of always predicting it; `None` without labelled examples.
    pub fn majority(&self) -> Option<(Judgment, Proportion)> {
        let mut best: Option<&LabelScore> = None;
        for label in self.labels.iter().filter(|label| label.recall.total > 0) {
            if best.is_none_or(|best| label.recall.total > best.recall.total) {
                best = Some(label);
            }
        }
        best.map(|best| (best.label, Proportion { count: best.recall.total, total: self.accuracy.total }))
    }
}

/// Counts from which a score is computed.
#[derive(Debug)]
pub(crate) struct Tally {
    confusion: Confusion,
    unlabelled: u64,
    outcomes: Vec<ScoredAnswer>,
    clusters: Vec<u64>,
}

impl Tally {
    pub(crate) fn empty(scoring: Scoring) -> Self {
        Tally { confusion: Confusion::empty(scoring), unlabelled: 0, outcomes: Vec::new(), clusters: Vec::new() }
    }

    pub(crate) fn add(&mut self, item: &Item<'_>, outcome: Option<ScoredAnswer>) {
        match outcome {
            None => self.unlabelled += 1,
            Some(outcome) => {
                self.confusion.add(outcome);
                self.outcomes.push(outcome);
                self.clusters.push(item.cluster);
            }
        }
    }

    pub(crate) fn score(self) -> Score {
        let clustered = self.clustered(|_| true);
        let labels: Vec<LabelScore> = (0..self.confusion.classes.len()).map(|class| self.label_score(class)).collect();
        let Tally { confusion, unlabelled, .. } = self;
        let classes = 0..confusion.classes.len();
        let right: u64 = classes.clone().map(|class| confusion.counts[class][class]).sum();
        let total: u64 = classes.map(|class| confusion.support(class)).sum();
        let f1: Vec<f64> = labels.iter().filter_map(|label| label.f1).collect();
        Score {
            accuracy: Proportion { count: right, total },
            interval: clustered.interval(),
            clustered,
            macro_f1: (!f1.is_empty()).then(|| f1.iter().sum::<f64>() / f1.len() as f64),
            missing: confusion.missing.iter().sum(),
            labels,
            confusion,
            unlabelled,
        }
    }

    /// Correct predictions among the examples that satisfy the rule, by cluster.
    fn clustered(&self, rule: impl Fn(ScoredAnswer) -> bool) -> ClusteredAccuracy {
        let rows = self.outcomes.iter().zip(&self.clusters).filter(|(outcome, _)| rule(**outcome));
        let (right, clusters): (Vec<bool>, Vec<u64>) = rows.map(|(outcome, cluster)| (outcome.is_right(), *cluster)).unzip();
        ClusteredAccuracy::of(&right, &clusters)
    }

    fn label_score(&self, class: usize) -> LabelScore {
        let confusion = &self.confusion;
        let (label, count) = (confusion.classes[class], confusion.counts[class][class]);
        let (answers, support) = (confusion.answers(class), confusion.support(class));
        LabelScore {
            label,
            precision: Proportion { count, total: answers },
            recall: Proportion { count, total: support },
            clustered_precision: self.clustered(|outcome| outcome.answer == Some(label)),
            clustered_recall: self.clustered(|outcome| outcome.gold == label),
            f1: (answers + support > 0).then(|| 2.0 * count as f64 / (answers + support) as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::{Item, Missing, join};
    use acidtest_nli::{Answer, Key, Label, LabelNames, Prediction};

    /// The score of examples such as `en` (gold entailment, predicted neutral); `.` is none.
    fn score(scoring: Scoring, rows: &str) -> Score {
        let names = LabelNames::default();
        let read = |letter: char| (letter != '.').then(|| names.judgment(&letter.to_string()).unwrap());
        let (mut items, mut answers) = (Vec::new(), Vec::new());
        for row in rows.split_whitespace() {
            let mut letters = row.chars();
            items.push(Item { gold: read(letters.next().unwrap()), ..Item::default() });
            let answer = read(letters.next().unwrap());
            answers.extend(answer.map(|answer| Answer { key: Key::Row(items.len() - 1), prediction: Prediction::of(answer), line: 0 }));
        }
        // A file needs at least one prediction: an unlabelled example at the end has one.
        items.push(Item::default());
        answers.push(Answer { key: Key::Row(items.len() - 1), prediction: Prediction::of(Label::Neutral), line: 0 });
        Score::of(&scoring.judge(join(&items, &answers, Missing::CountAsWrong).unwrap()).unwrap())
    }

    #[test]
    fn every_label_has_precision_recall_and_f1() {
        let score = score(Scoring::ThreeWay, "ee ee en nn nc cn");
        assert_eq!(score.accuracy, Proportion { count: 3, total: 6 });
        let rates = score.labels.iter().map(|label| (label.precision.rate(), label.recall.rate(), label.f1));
        let expected =
            [(Some(1.0), Some(2.0 / 3.0), Some(0.8)), (Some(1.0 / 3.0), Some(0.5), Some(0.4)), (Some(0.0), Some(0.0), Some(0.0))];
        assert_eq!(rates.collect::<Vec<_>>(), expected);
        assert!((score.macro_f1.unwrap() - 0.4).abs() < 1e-12);
        assert_eq!(score.confusion.counts, [[2, 1, 0], [0, 1, 1], [0, 1, 0]]);
    }

    #[test]
    fn a_class_that_never_occurs_does_not_count_in_the_mean() {
        let score = score(Scoring::ThreeWay, "ee nn");
        assert_eq!(score.labels[2].f1, None);
        assert_eq!(score.macro_f1, Some(1.0));
    }

    #[test]
    fn missing_predictions_are_wrong_and_unlabelled_examples_are_excluded() {
        let score = score(Scoring::ThreeWay, "ee e. .n ..");
        assert_eq!((score.accuracy, score.missing, score.unlabelled), (Proportion { count: 1, total: 2 }, 1, 3));
        assert_eq!(score.labels[0].recall, Proportion { count: 1, total: 2 });
        assert_eq!(score.labels[0].precision, Proportion { count: 1, total: 1 });
    }

    #[test]
    fn two_way_scores_have_two_classes() {
        let score = score(Scoring::MergedAnswers, "nc ne ee");
        assert_eq!(score.confusion.counts, [[1, 0], [1, 1]]);
    }

    #[test]
    fn the_majority_class_is_the_most_frequent_gold() {
        let majority = score(Scoring::ThreeWay, "ee ne nn c.").majority().unwrap();
        assert_eq!((majority.0.name(), majority.1), ("neutral", Proportion { count: 2, total: 4 }));
        assert_eq!(score(Scoring::ThreeWay, ".e").majority(), None);
    }
}
