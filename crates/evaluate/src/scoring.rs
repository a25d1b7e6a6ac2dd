//! How predictions are scored against gold labels.

use crate::join::{Item, Joined, quoted};
use crate::statistics::clustered::ClusteredAccuracy;
use acidtest_nli::{Judgment, Label, Named, Prediction, Scores};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// How predictions are scored: a property of the test set, not of a single example.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scoring {
    /// The prediction must be the gold label.
    ThreeWay,
    /// Entailment against the rest; predictions of neutral and contradiction count as non-entailment.
    MergedAnswers,
    /// Entailment against the rest; the probabilities of neutral and contradiction are added before the label is chosen. Two-way scores
    /// are compared as they are.
    ///
    /// Entailment is predicted if its probability is at least that of the other two together. Scores that are not probabilities
    /// (negative, or not summing to 1) are converted with the softmax function. Which of the two they are is decided for the
    /// predictions as a whole, because single logits can look like probabilities: they are probabilities if
    /// those of at least half of the labelled examples are. An example that does not fit is then an error.
    SummedScores,
}

impl Scoring {
    /// All rules; [`acidtest_nli::find`] looks them up by name.
    pub const ALL: [Scoring; 3] = [Scoring::ThreeWay, Scoring::MergedAnswers, Scoring::SummedScores];

    /// The rule that follows from the gold labels of a set: three-way, unless one of them is only "not entailment".
    pub fn for_gold(gold: impl IntoIterator<Item = Judgment>) -> Self {
        let two_way = gold.into_iter().any(|gold| gold == Judgment::NotEntailment);
        if two_way { Scoring::MergedAnswers } else { Scoring::ThreeWay }
    }

    /// The classes of gold labels and predictions, in the order of reports.
    pub fn classes(self) -> &'static [Judgment] {
        match self {
            Scoring::ThreeWay => &Scores::THREE,
            Scoring::MergedAnswers | Scoring::SummedScores => &Scores::TWO,
        }
    }

    /// The class of the rule that a label belongs to; none where it does not say which of two it means.
    pub fn class_of(self, label: Judgment) -> Option<Judgment> {
        match self {
            Scoring::ThreeWay => Some(label).filter(|label| *label != Judgment::NotEntailment),
            Scoring::MergedAnswers | Scoring::SummedScores => Some(two_way(label.is_entailment())),
        }
    }

    /// Scores every prediction against gold.
    pub fn judge(self, joined: Joined<'_>) -> Result<Judged<'_>, ScoringError> {
        let scores = match self {
            Scoring::SummedScores => ScoreKind::of(&joined),
            Scoring::ThreeWay | Scoring::MergedAnswers => ScoreKind::Raw,
        };
        let outcomes = joined.examples().map(|example| match example.item.gold {
            None => Ok(None),
            Some(gold) => {
                let gold = self.gold(gold, example.item)?;
                let answer = example.prediction.map(|prediction| self.answer(prediction, scores));
                let at = |problem: Unscorable| {
                    let line = example.prediction.and_then(|prediction| joined.line(prediction));
                    problem.at(quoted(example.item.id), line)
                };
                Ok(Some(ScoredAnswer { gold, answer: answer.transpose().map_err(at)? }))
            }
        });
        let outcomes = outcomes.collect::<Result<_, _>>()?;
        Ok(Judged { scoring: self, joined, outcomes })
    }

    /// The class that a label falls into.
    pub(crate) fn class(self, label: Judgment) -> Judgment {
        match self {
            Scoring::ThreeWay => label,
            Scoring::MergedAnswers | Scoring::SummedScores => two_way(label.is_entailment()),
        }
    }

    fn gold(self, gold: Judgment, item: &Item<'_>) -> Result<Judgment, ScoringError> {
        match self {
            Scoring::ThreeWay if gold == Judgment::NotEntailment => Err(ScoringError::TwoWayGold { id: quoted(item.id) }),
            Scoring::ThreeWay => Ok(gold),
            Scoring::MergedAnswers | Scoring::SummedScores => Ok(two_way(gold.is_entailment())),
        }
    }

    /// The class of a prediction.
    fn answer(self, prediction: &Prediction, scores: ScoreKind) -> Result<Judgment, Unscorable> {
        match self {
            Scoring::ThreeWay if prediction.answer == Judgment::NotEntailment => Err(Unscorable::TwoWayAnswer),
            Scoring::ThreeWay if matches!(prediction.scores, Some(Scores::Two(_))) => Err(Unscorable::TwoWayScores),
            Scoring::ThreeWay => Ok(prediction.answer),
            Scoring::MergedAnswers => Ok(two_way(prediction.answer.is_entailment())),
            Scoring::SummedScores => {
                let given = prediction.scores.ok_or(Unscorable::NoScores)?;
                scores.entailed(given).map(two_way).ok_or(Unscorable::BadScores(given))
            }
        }
    }
}

/// Why a prediction cannot be scored, before its line is known.
enum Unscorable {
    TwoWayAnswer,
    TwoWayScores,
    NoScores,
    BadScores(Scores),
}

impl Unscorable {
    fn at(self, id: String, line: Option<u64>) -> ScoringError {
        match self {
            Unscorable::TwoWayAnswer => ScoringError::TwoWayAnswer { id, line },
            Unscorable::TwoWayScores => ScoringError::TwoWayScores { id, line },
            Unscorable::NoScores => ScoringError::NoScores { id, line },
            Unscorable::BadScores(scores) => ScoringError::BadScores { id, line, scores },
        }
    }
}

impl Named for Scoring {
    fn name(&self) -> &str {
        match self {
            Scoring::ThreeWay => "three-way",
            Scoring::MergedAnswers => "merged-answers",
            Scoring::SummedScores => "summed-scores",
        }
    }
}

fn two_way(entailment: bool) -> Judgment {
    if entailment { Label::Entailment.into() } else { Judgment::NotEntailment }
}

/// What the numbers in a predictions file are.
#[derive(Clone, Copy)]
enum ScoreKind {
    Probabilities,
    Raw,
}

impl ScoreKind {
    /// Probabilities are often written with two digits; three of them then sum to 1 within this tolerance.
    const ROUNDING: f64 = 0.02;

    fn of(joined: &Joined) -> Self {
        let predictions = joined.labelled().filter_map(|(_, row)| row.prediction);
        let (mut probabilities, mut raw) = (0, 0);
        for scores in predictions.filter_map(|prediction| prediction.scores) {
            if ScoreKind::look_like_probabilities(scores.values()) {
                probabilities += 1;
            } else {
                raw += 1;
            }
        }
        if probabilities >= raw { ScoreKind::Probabilities } else { ScoreKind::Raw }
    }

    fn look_like_probabilities(scores: &[f64]) -> bool {
        scores.iter().all(|score| *score >= 0.0) && (scores.iter().sum::<f64>() - 1.0).abs() <= ScoreKind::ROUNDING
    }

    /// Whether entailment is at least as probable as the rest together; `None` for numbers that cannot be probabilities.
    fn entailed(self, scores: Scores) -> Option<bool> {
        let values = scores.values();
        let usable = match self {
            ScoreKind::Probabilities => ScoreKind::look_like_probabilities(values),
            ScoreKind::Raw => values.iter().all(|score| score.is_finite()),
        };
        let three = |scores: [f64; 3]| match self {
            ScoreKind::Probabilities => scores,
            ScoreKind::Raw => softmax(scores),
        };
        usable.then(|| match scores {
            Scores::Three(scores) => {
                let [entailment, neutral, contradiction] = three(scores);
                entailment >= neutral + contradiction
            }
            // The softmax function is monotonic for two scores.
            Scores::Two([entailment, not_entailment]) => entailment >= not_entailment,
        })
    }
}

fn softmax(scores: [f64; 3]) -> [f64; 3] {
    let highest = scores.into_iter().fold(f64::MIN, f64::max);
    let powers = scores.map(|score| (score - highest).exp());
    let sum: f64 = powers.iter().sum();
    powers.map(|power| power / sum)
}

/// Why predictions cannot be scored.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ScoringError {
    /// A prediction of non-entailment, which is ambiguous in three-way scoring.
    #[error(
        "{}the prediction for {id} is `non-entailment`, which three-way scoring cannot score against gold; \
         score two-way with the rule merged-answers",
        at(.line)
    )]
    TwoWayAnswer {
        /// The example, in quotes.
        id: String,
        /// The line of the prediction, if it was read from a file.
        line: Option<u64>,
    },
    /// Scores of entailment and non-entailment only, from a model with two classes.
    #[error(
        "{}the prediction for {id} has scores for entailment and non-entailment only, which three-way scoring cannot score \
         against gold; score two-way with the rule merged-answers",
        at(.line)
    )]
    TwoWayScores {
        /// The example, in quotes.
        id: String,
        /// The line of the prediction, if it was read from a file.
        line: Option<u64>,
    },
    /// A gold label of non-entailment, which is ambiguous in three-way scoring.
    #[error("the gold label of {id} is `non-entailment`, which three-way scoring cannot use; score two-way with the rule merged-answers")]
    TwoWayGold {
        /// The example, in quotes.
        id: String,
    },
    /// A prediction without the scores that the rule needs.
    #[error(
        "{}the prediction for {id} has no scores to add up; give scores for all labels, or score the labels alone \
         with the rule merged-answers",
        at(.line)
    )]
    NoScores {
        /// The example, in quotes.
        id: String,
        /// The line of the prediction, if it was read from a file.
        line: Option<u64>,
    },
    /// Scores that cannot be probabilities.
    #[error(
        "{}the scores {scores} of {id} are not probabilities; \
         give finite numbers, which add up to 1 if those of the other rows do",
        at(.line)
    )]
    BadScores {
        /// The example, in quotes.
        id: String,
        /// The line of the prediction, if it was read from a file.
        line: Option<u64>,
        /// The scores.
        scores: Scores,
    },
}

/// The line of a prediction, at the start of a message.
fn at(line: &Option<u64>) -> String {
    line.map_or(String::new(), |line| format!("line {line}: "))
}

/// Gold label and prediction of one example, both as classes of the scoring rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoredAnswer {
    /// The gold label.
    pub gold: Judgment,
    /// The prediction; `None` if it is missing, which counts as wrong.
    pub answer: Option<Judgment>,
}

impl ScoredAnswer {
    /// Whether the prediction is correct.
    pub fn is_right(self) -> bool {
        self.answer == Some(self.gold)
    }
}

/// The examples of a set with their scored predictions.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged<'a> {
    /// The scoring rule.
    pub scoring: Scoring,
    /// Examples and predictions.
    pub joined: Joined<'a>,
    /// The outcome of each of `joined.items`; `None` for unlabelled ones.
    pub outcomes: Vec<Option<ScoredAnswer>>,
}

impl<'a> Judged<'a> {
    /// The labelled examples with their outcomes, in the order of the set.
    pub fn scored(&self) -> impl Iterator<Item = (&'a Item<'a>, ScoredAnswer)> {
        self.joined.items.iter().zip(&self.outcomes).filter_map(|(item, outcome)| outcome.map(|outcome| (item, outcome)))
    }

    /// For each labelled example, whether the prediction is correct.
    pub fn right(&self) -> Vec<bool> {
        self.scored().map(|(_, outcome)| outcome.is_right()).collect()
    }

    /// For each labelled example, the number of its template; `None` unless every example has one.
    pub fn templates(&self) -> Option<Vec<u32>> {
        let mut numbers = HashMap::new();
        let number = |(item, _): (&Item<'_>, ScoredAnswer)| {
            let next = numbers.len() as u32;
            item.template.map(|template| *numbers.entry(template).or_insert(next))
        };
        self.scored().map(number).collect()
    }

    /// The accuracy with templates as clusters, which generalises to new templates; `None` unless every example has one.
    pub fn over_templates(&self) -> Option<ClusteredAccuracy> {
        self.templates().map(|templates| ClusteredAccuracy::of(&self.right(), &templates))
    }

    /// For each labelled example, the number of its cluster: 0, 1, ... in the order in which they first occur.
    pub fn clusters(&self) -> Vec<u32> {
        let mut numbers = HashMap::new();
        self.scored()
            .map(|(item, _)| {
                let next = numbers.len() as u32;
                *numbers.entry(item.cluster).or_insert(next)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::{Missing, join};
    use acidtest_nli::{Answer, Key, LabelNames};

    /// Scores examples of one gold label each; expects `+` for a correct and `-` for a wrong prediction, or the error.
    #[track_caller]
    fn check(scoring: Scoring, rows: &[(&str, Prediction)], expected: &str) {
        let gold = |text: &str| LabelNames::default().gold(text).unwrap();
        let items: Vec<_> = rows.iter().map(|(text, _)| Item { id: text, gold: gold(text), ..Item::default() }).collect();
        let predictions = rows.iter().map(|(_, prediction)| prediction.clone()).enumerate();
        let answers: Vec<_> =
            predictions.map(|(row, prediction)| Answer { key: Key::Row(row), prediction, line: row as u64 + 1 }).collect();
        let found = match scoring.judge(join(&items, &answers, Missing::Refuse).unwrap()) {
            Ok(judged) => judged.right().iter().map(|right| if *right { '+' } else { '-' }).collect(),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected);
    }

    fn label(text: &str) -> Prediction {
        Prediction::of(LabelNames::default().judgment(text).unwrap())
    }

    #[test]
    fn three_way_scoring_needs_the_exact_label() {
        check(Scoring::ThreeWay, &[("e", label("e")), ("n", label("c")), ("-", label("n"))], "+-");
    }

    #[test]
    fn three_way_scoring_refuses_non_entailment() {
        let advice = "score two-way with the rule merged-answers";
        let answer = "line 2: the prediction for `n` is `non-entailment`, which three-way scoring cannot score against gold";
        check(Scoring::ThreeWay, &[("e", label("e")), ("n", label("non-entailment"))], &format!("{answer}; {advice}"));
        let gold = "the gold label of `non-entailment` is `non-entailment`, which three-way scoring cannot use";
        check(Scoring::ThreeWay, &[("non-entailment", label("n"))], &format!("{gold}; {advice}"));
    }

    #[test]
    fn merged_answers_are_entailment_or_not() {
        let rows = [("n", label("c")), ("non-entailment", label("n")), ("e", label("non-entailment")), ("c", label("e"))];
        check(Scoring::MergedAnswers, &rows, "++--");
    }

    #[test]
    fn summed_scores_differ_from_merged_answers() {
        let row = ("non-entailment", Prediction::from_scores([0.4, 0.35, 0.25]));
        check(Scoring::MergedAnswers, std::slice::from_ref(&row), "-");
        check(Scoring::SummedScores, &[row], "+");
    }

    #[test]
    fn logits_are_recognised_even_if_one_example_looks_like_probabilities() {
        let raw = ("e", Prediction::from_scores([2.0, -1.0, 0.5]));
        let looks_like_probabilities = Prediction::from_scores([0.6, 0.2, 0.2]);
        check(Scoring::SummedScores, &[raw.clone(), raw.clone(), ("e", looks_like_probabilities)], "++-");
        check(Scoring::SummedScores, &[("e", Prediction::from_scores([0.6, 0.2, 0.2]))], "+");
    }

    #[test]
    fn scores_are_needed_for_summing_and_must_fit_the_others() {
        let expected = "line 1: the prediction for `e` has no scores to add up; give scores for all labels, or score the labels \
                        alone with the rule merged-answers";
        check(Scoring::SummedScores, &[("e", label("e"))], expected);
        let expected = "line 2: the scores [0.9, 0.9, 0.1] of `n` are not probabilities; give finite numbers, which \
                        add up to 1 if those of the other rows do";
        let rows = [("e", Prediction::from_scores([0.6, 0.2, 0.2])), ("n", Prediction::from_scores([0.9, 0.9, 0.1]))];
        check(Scoring::SummedScores, &rows, expected);
        let expected = "line 1: the scores [NaN, 0.0, 0.0] of `e` are not probabilities; give finite numbers, which add \
                        up to 1 if those of the other rows do";
        check(Scoring::SummedScores, &[("e", Prediction::from_scores([f64::NAN, 0.0, 0.0]))], expected);
    }

    #[test]
    fn two_way_scores_are_compared_as_they_are() {
        let rows = [
            ("n", Prediction::from_scores([0.4, 0.6])),
            ("e", Prediction::from_scores([0.5, 0.5])),
            ("e", Prediction::from_scores([0.3, 0.4, 0.3])),
        ];
        check(Scoring::SummedScores, &rows, "++-");
        check(Scoring::MergedAnswers, &rows, "++-");
        check(Scoring::SummedScores, &[("e", Prediction::from_scores([1.5, -2.0])), ("e", Prediction::from_scores([-2.0, 1.0]))], "+-");
        let expected = "line 1: the scores [inf, 0.0] of `e` are not probabilities; give finite numbers, which add up to 1 if those of the \
                        other rows do";
        check(Scoring::SummedScores, &[("e", Prediction::from_scores([f64::INFINITY, 0.0]))], expected);
    }

    #[test]
    fn three_way_scoring_refuses_a_model_with_two_classes() {
        let expected = "line 1: the prediction for `e` has scores for entailment and non-entailment only, which three-way scoring cannot score \
                        against gold; score two-way with the rule merged-answers";
        check(Scoring::ThreeWay, &[("e", Prediction::from_scores([0.9, 0.1]))], expected);
    }

    #[test]
    fn the_rule_follows_the_gold_labels() {
        let gold = [Label::Entailment.into(), Label::Neutral.into()];
        assert_eq!(Scoring::for_gold(gold), Scoring::ThreeWay);
        assert_eq!(Scoring::for_gold([gold[0], Judgment::NotEntailment]), Scoring::MergedAnswers);
    }

    #[test]
    fn predictions_of_a_called_model_have_no_line_numbers() {
        let (items, predictions) =
            ([Item { id: "a", gold: Some(Label::Neutral.into()), ..Item::default() }], [Prediction::of(Judgment::NotEntailment)]);
        let error = Scoring::ThreeWay.judge(Joined::in_order(&items, &predictions).unwrap()).unwrap_err().to_string();
        assert!(error.starts_with("the prediction for `a` is `non-entailment`"), "{error}");
    }

    #[test]
    fn clusters_are_numbered_by_first_occurrence() {
        let item = |cluster| Item { gold: Some(Label::Neutral.into()), cluster, ..Item::default() };
        let items = [item(70), item(7), item(70)];
        let predictions = [Label::Neutral; 3].map(Prediction::of);
        assert_eq!(Scoring::ThreeWay.judge(Joined::in_order(&items, &predictions).unwrap()).unwrap().clusters(), [0, 1, 0]);
        assert!(Joined::in_order(&items, &predictions[1..]).is_err());
    }
}
