//! What judges are asked, and what they may answer.

use acidtest_nli::{Judgment, Label, Named};
use serde::{Deserialize, Serialize};

/// A question about a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Question {
    /// Which label the pair has.
    Label,
    /// Whether a change altered the relation of premise and hypothesis.
    Relation,
    /// Whether both sentences are grammatical.
    Grammar,
    /// How hard the label is to find for a person.
    Difficulty,
}

/// An answer that judges may give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct AnswerChoice {
    /// The word in sheets.
    pub value: &'static str,
    /// The key on the page, which is also read in sheets.
    pub key: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// Which labels are distinguished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LabelScale {
    /// Entailment, neutral, contradiction.
    ThreeWay,
    /// Entailment or not, as in HANS: judges' neutral and contradiction are merged.
    TwoWay,
}

impl LabelScale {
    /// The labels of the scale, in the order of their numbers.
    pub fn labels(self) -> &'static [Judgment] {
        const THREE: [Judgment; 3] =
            [Judgment::Exact(Label::Entailment), Judgment::Exact(Label::Neutral), Judgment::Exact(Label::Contradiction)];
        const TWO: [Judgment; 2] = [Judgment::Exact(Label::Entailment), Judgment::NotEntailment];
        match self {
            LabelScale::ThreeWay => &THREE,
            LabelScale::TwoWay => &TWO,
        }
    }
}

const LABEL: [AnswerChoice; 3] = [
    AnswerChoice { value: "entailment", key: "e", meaning: "if the premise is true, the hypothesis is true" },
    AnswerChoice { value: "neutral", key: "n", meaning: "the premise leaves open whether the hypothesis is true" },
    AnswerChoice { value: "contradiction", key: "c", meaning: "if the premise is true, the hypothesis is false" },
];
const RELATION: [AnswerChoice; 3] = [
    AnswerChoice { value: "same", key: "s", meaning: "the changed pair has the label of the original" },
    AnswerChoice { value: "changed", key: "c", meaning: "the changed pair has another label" },
    AnswerChoice { value: "unclear", key: "x", meaning: "one of the two pairs cannot be judged" },
];
const GRAMMAR: [AnswerChoice; 2] = [
    AnswerChoice { value: "grammatical", key: "g", meaning: "both sentences are grammatical" },
    AnswerChoice { value: "ungrammatical", key: "u", meaning: "at least one sentence is not" },
];
const DIFFICULTY: [AnswerChoice; 3] = [
    AnswerChoice { value: "trivial", key: "1", meaning: "the label is obvious" },
    AnswerChoice { value: "needs thought", key: "2", meaning: "the label needs some thought" },
    AnswerChoice { value: "hard", key: "3", meaning: "the label is hard to find" },
];

impl Question {
    /// All questions, in the order of their columns.
    pub const ALL: [Question; 4] = [Question::Label, Question::Relation, Question::Grammar, Question::Difficulty];

    /// The name in files, which is also the column of a sheet.
    pub fn name(self) -> &'static str {
        match self {
            Question::Label => "label",
            Question::Relation => "relation",
            Question::Grammar => "grammar",
            Question::Difficulty => "difficulty",
        }
    }

    /// The question as judges read it.
    pub fn text(self) -> &'static str {
        match self {
            Question::Label => "Which label does the pair have?",
            Question::Relation => "Does the change alter the relation between premise and hypothesis?",
            Question::Grammar => "Are both sentences grammatical?",
            Question::Difficulty => "How hard is it to find the label?",
        }
    }

    /// What judges may answer.
    pub fn choices(self) -> &'static [AnswerChoice] {
        match self {
            Question::Label => &LABEL,
            Question::Relation => &RELATION,
            Question::Grammar => &GRAMMAR,
            Question::Difficulty => &DIFFICULTY,
        }
    }

    /// The answers as they are counted: those that judges may give, or the labels of a coarser scale.
    pub(super) fn answers(self, scale: LabelScale) -> Vec<&'static str> {
        match self {
            Question::Label => scale.labels().iter().map(|label| label.name()).collect(),
            other => other.choices().iter().map(|choice| choice.value).collect(),
        }
    }

    /// What is said of an item that is as it should be.
    pub fn property(self) -> &'static str {
        match self {
            Question::Label => "label correct",
            Question::Relation => "relation unchanged",
            Question::Grammar => "grammatical",
            Question::Difficulty => "trivial for people",
        }
    }
}

impl Named for Question {
    fn name(&self) -> &str {
        Question::name(*self)
    }
}
