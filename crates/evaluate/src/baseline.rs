//! Baselines: the predictions of a run, one byte each, with hashes of the sets, for a paired test with a later run.

use crate::measurement::{content_sum, example_hash};
use crate::scoring::{Judged, Scoring};
use acidtest_nli::{Example, Judgment, Label, Named, grouped};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The `format` of a baseline.
pub const FORMAT: &str = "acidtest-baseline";

/// The version of the format that is written and read.
pub const SCHEMA_VERSION: u32 = 2;

/// The predictions of an earlier run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// [`FORMAT`].
    pub format: String,
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The version of the program that wrote it.
    pub tool_version: String,
    /// The command that wrote it.
    pub command: String,
    /// The seeds of the challenges, by what they are for.
    pub seeds: BTreeMap<String, u64>,
    /// How the sets were made and the models called.
    pub options: BTreeMap<String, String>,
    /// The sets.
    pub sets: Vec<BaselineSet>,
    /// The models.
    pub models: Vec<BaselineModel>,
    /// The hash of everything before it in the file.
    #[serde(default, skip_serializing)]
    pub hash: String,
}

/// A set of a baseline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineSet {
    /// Its name.
    pub name: String,
    /// The scoring rule.
    pub scoring: Scoring,
    /// How many examples it has.
    pub examples: u64,
    /// The number of labelled examples: the length of the predictions.
    pub labelled: u64,
    /// A hash of all ids, gold labels and texts, in any order.
    pub hash: String,
    /// A hash of all texts.
    pub texts: String,
    /// A hash of all texts with their gold labels.
    pub labels: String,
}

/// A model of a baseline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineModel {
    /// Its name.
    pub name: String,
    /// For each set, the predictions for its labelled examples in the order of the examples' hashes: `e`, `n`, `c`, `x` for non-entailment, `-` if missing.
    pub answers: BTreeMap<String, String>,
}

impl BaselineSet {
    /// The description of these examples.
    pub fn of(name: &str, scoring: Scoring, examples: &[Example<'_>]) -> Self {
        let text = |example: &Example<'_>| [example.pair.premise.text.to_string(), example.pair.hypothesis.text.to_string()];
        let with_label = |example: &Example<'_>| {
            let [premise, hypothesis] = text(example);
            [premise, hypothesis, example.gold.map_or("-", Judgment::name).to_string()]
        };
        BaselineSet {
            name: name.to_string(),
            scoring,
            examples: examples.len() as u64,
            labelled: examples.iter().filter(|example| example.gold.is_some()).count() as u64,
            hash: crate::measurement::SetId::of(name, Vec::new(), examples).hash,
            texts: content_sum(examples.iter().map(text)),
            labels: content_sum(examples.iter().map(with_label)),
        }
    }

    /// How the other set of this name differs; `None` if they are the same.
    pub fn differs_from(&self, other: &BaselineSet) -> Option<String> {
        if self.examples != other.examples {
            return Some(format!("it has {} examples, not {}", grouped(self.examples), grouped(other.examples)));
        }
        if self.texts != other.texts {
            return Some("its premises or hypotheses differ".to_string());
        }
        if self.labels != other.labels {
            return Some("its gold labels differ".to_string());
        }
        if self.hash != other.hash {
            return Some("the ids of its examples differ".to_string());
        }
        (self.scoring != other.scoring).then(|| format!("it is scored by the rule {}, not {}", self.scoring.name(), other.scoring.name()))
    }
}

/// The indices of the labelled examples in an order that does not depend on the file.
fn order(examples: &[Example<'_>]) -> Vec<usize> {
    let labelled = examples.iter().enumerate().filter(|(_, example)| example.gold.is_some());
    let mut order: Vec<(u128, usize)> = labelled.map(|(place, example)| (example_hash(example), place)).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, place)| place).collect()
}

/// The predictions for the labelled examples, one letter each.
pub fn encode(examples: &[Example<'_>], judged: &Judged<'_>) -> String {
    order(examples).into_iter().map(|place| letter(judged.outcomes[place].and_then(|outcome| outcome.answer))).collect()
}

/// The predictions as [`encode`] wrote them, one per example in the order of `examples`.
pub fn decode(examples: &[Example<'_>], answers: &str) -> Vec<Option<Judgment>> {
    let mut found = vec![None; examples.len()];
    for (place, letter) in order(examples).into_iter().zip(answers.chars()) {
        found[place] = answer(letter).flatten();
    }
    found
}

const LETTERS: [(char, Option<Judgment>); 5] = [
    ('e', Some(Judgment::Exact(Label::Entailment))),
    ('n', Some(Judgment::Exact(Label::Neutral))),
    ('c', Some(Judgment::Exact(Label::Contradiction))),
    ('x', Some(Judgment::NotEntailment)),
    ('-', None),
];

fn letter(answer: Option<Judgment>) -> char {
    LETTERS.iter().find(|(_, other)| *other == answer).map_or('-', |(letter, _)| *letter)
}

fn answer(letter: char) -> Option<Option<Judgment>> {
    LETTERS.iter().find(|(other, _)| *other == letter).map(|(_, answer)| *answer)
}

impl Baseline {
    /// The set of this name.
    pub fn set(&self, name: &str) -> Option<&BaselineSet> {
        self.sets.iter().find(|set| set.name == name)
    }

    /// The model of this name.
    pub fn model(&self, name: &str) -> Option<&BaselineModel> {
        self.models.iter().find(|model| model.name == name)
    }

    /// The names of its models.
    pub fn model_names(&self) -> Vec<&str> {
        self.models.iter().map(|model| model.name.as_str()).collect()
    }

    /// An inconsistency in it, if there is one.
    pub fn fault(&self) -> Option<String> {
        for model in &self.models {
            for set in &self.sets {
                let Some(answers) = model.answers.get(&set.name) else {
                    return Some(format!("the model `{}` has no predictions for the set `{}`", model.name, set.name));
                };
                if answers.len() as u64 != set.labelled || answers.chars().any(|letter| answer(letter).is_none()) {
                    return Some(format!("the predictions of the model `{}` do not match the set `{}`", model.name, set.name));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::{Item, Joined};
    use acidtest_nli::{Pair, Prediction, Sentence};

    fn example(id: &str, gold: Option<Judgment>) -> Example<'static> {
        let sentence = |text: String| Sentence::plain(text);
        Example {
            pair: Pair { id: id.to_string().into(), premise: sentence(format!("p{id}")), hypothesis: sentence("h".to_string()) },
            gold,
            ..Example::default()
        }
    }

    fn encoded(examples: &[Example<'_>], answers: &[Judgment], scoring: Scoring) -> String {
        let items: Vec<Item<'_>> = examples.iter().map(Item::of).collect();
        let predictions: Vec<Prediction> = answers.iter().map(|answer| Prediction::of(*answer)).collect();
        encode(examples, &scoring.judge(Joined::in_order(&items, &predictions).unwrap()).unwrap())
    }

    #[test]
    fn decoded_predictions_match_their_examples_in_any_order() {
        let neutral: Judgment = Label::Neutral.into();
        let mut rows: Vec<(Example<'_>, Judgment)> =
            (0..40).map(|n| (example(&n.to_string(), (n % 5 != 0).then_some(neutral)), Judgment::Exact(Label::ALL[n % 3]))).collect();
        let split = |rows: &[(Example<'static>, Judgment)]| -> (Vec<Example<'static>>, Vec<Judgment>) { rows.iter().cloned().unzip() };
        let (examples, answers) = split(&rows);
        let text = encoded(&examples, &answers, Scoring::ThreeWay);
        assert_eq!(text.len(), 32, "one letter for each labelled example");
        rows.reverse();
        rows.swap(3, 30);
        let (examples, answers) = split(&rows);
        assert_eq!(encoded(&examples, &answers, Scoring::ThreeWay), text);
        let expected: Vec<Option<Judgment>> = rows.iter().map(|(example, answer)| example.gold.map(|_| *answer)).collect();
        assert_eq!(decode(&examples, &text), expected);
        assert_eq!(
            encoded(&examples[..2], &answers[..2], Scoring::MergedAnswers).chars().filter(|letter| !"ex".contains(*letter)).count(),
            0
        );
    }

    #[test]
    fn every_letter_is_read_back() {
        for (letter_of, answer_of) in LETTERS {
            assert_eq!((letter(answer_of), answer(letter_of)), (letter_of, Some(answer_of)));
        }
        assert_eq!(answer('z'), None);
    }
}
