//! Labels, and the judgments that corpora and models express with them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The relation of a premise to a hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// The hypothesis is true whenever the premise is.
    Entailment,
    /// The premise leaves the hypothesis open.
    Neutral,
    /// The hypothesis is false whenever the premise is true.
    Contradiction,
}

impl Label {
    /// All labels, in the order of their numbers 0, 1, 2.
    pub const ALL: [Label; 3] = [Label::Entailment, Label::Neutral, Label::Contradiction];

    /// The label's place in [`Label::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// The label's full name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Label::Entailment => "entailment",
            Label::Neutral => "neutral",
            Label::Contradiction => "contradiction",
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a corpus or a model says of a pair: an exact label, or only that it is not entailment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Judgment {
    /// One of the three labels.
    Exact(Label),
    /// Neutral or contradiction, as in HANS and other two-way sets.
    NotEntailment,
}

impl Judgment {
    /// All judgments, exact ones first, in the order of their numbers.
    pub const ALL: [Judgment; 4] = [
        Judgment::Exact(Label::Entailment),
        Judgment::Exact(Label::Neutral),
        Judgment::Exact(Label::Contradiction),
        Judgment::NotEntailment,
    ];

    /// The judgment's place in [`Judgment::ALL`].
    pub fn index(self) -> usize {
        match self {
            Judgment::Exact(label) => label.index(),
            Judgment::NotEntailment => Label::ALL.len(),
        }
    }

    /// Whether both say the same, on the coarser of their two scales: `non-entailment` agrees with neutral and with contradiction.
    pub fn agrees_with(self, other: Judgment) -> bool {
        match (self, other) {
            (Judgment::Exact(label), Judgment::Exact(other)) => label == other,
            _ => self.is_entailment() == other.is_entailment(),
        }
    }

    /// Whether this says entailment.
    pub fn is_entailment(self) -> bool {
        self == Judgment::Exact(Label::Entailment)
    }

    /// The exact label, where there is one.
    pub fn label(self) -> Option<Label> {
        match self {
            Judgment::Exact(label) => Some(label),
            Judgment::NotEntailment => None,
        }
    }

    /// The name as written in files: a label's name or `non-entailment`.
    pub fn name(self) -> &'static str {
        match self {
            Judgment::Exact(label) => label.name(),
            Judgment::NotEntailment => "non-entailment",
        }
    }
}

impl From<Label> for Judgment {
    fn from(label: Label) -> Self {
        Judgment::Exact(label)
    }
}

impl fmt::Display for Judgment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that no convention uses for a label.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a label (expected {expected})")]
pub struct UnknownLabel {
    /// The text in question.
    pub found: String,
    /// What would do.
    pub expected: String,
}

/// What the numbers 0, 1, 2 stand for in a file; words mean the same everywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelNames {
    numbered: Vec<Judgment>,
}

impl Default for LabelNames {
    /// 0, 1, 2 are entailment, neutral, contradiction.
    fn default() -> Self {
        LabelNames { numbered: Label::ALL.map(Judgment::Exact).to_vec() }
    }
}

impl LabelNames {
    /// Reads an order such as `C,E,N` or `entailment,not_entailment`: the meaning of 0, 1, ...
    pub fn from_order(order: &str) -> Result<Self, UnknownLabel> {
        let unknown = |found: &str| UnknownLabel {
            found: found.to_string(),
            expected: "two or three different labels in the order of their numbers, such as `C,E,N` or `entailment,not_entailment`"
                .to_string(),
        };
        let mut numbered = Vec::new();
        for name in order.split(',') {
            let judgment = word(name.trim()).ok_or_else(|| unknown(name.trim()))?;
            if numbered.contains(&judgment) {
                return Err(unknown(order));
            }
            numbered.push(judgment);
        }
        if !(2..=3).contains(&numbered.len()) {
            return Err(unknown(order));
        }
        Ok(LabelNames { numbered })
    }

    /// The judgments in the order of their numbers.
    pub fn order(&self) -> &[Judgment] {
        &self.numbered
    }

    /// Reads a gold label: `None` for a row that is kept without one (`-`, `hidden`, `-1`, empty).
    #[inline]
    pub fn gold(&self, text: &str) -> Result<Option<Judgment>, UnknownLabel> {
        match text {
            "entailment" => Ok(Some(Judgment::Exact(Label::Entailment))),
            "neutral" => Ok(Some(Judgment::Exact(Label::Neutral))),
            "contradiction" => Ok(Some(Judgment::Exact(Label::Contradiction))),
            "-" | "-1" | "hidden" | "" => Ok(None),
            other => self.judgment(other).map(Some),
        }
    }

    /// Reads a judgment, which must be there.
    pub fn judgment(&self, text: &str) -> Result<Judgment, UnknownLabel> {
        let text = text.trim();
        let numbered = || text.parse::<usize>().ok().and_then(|number| self.numbered.get(number).copied());
        word(text).or_else(numbered).ok_or_else(|| UnknownLabel {
            found: text.chars().take(40).collect(),
            expected: format!("entailment, neutral, contradiction, non-entailment, e/n/c, or a number below {}", self.numbered.len()),
        })
    }
}

/// The judgment that a word stands for, in any spelling that a public corpus uses.
fn word(text: &str) -> Option<Judgment> {
    let lower = text.to_ascii_lowercase();
    Some(match lower.as_str() {
        "entailment" | "entailed" | "entails" | "e" | "true" => Label::Entailment.into(),
        "neutral" | "n" | "neither" | "unknown" => Label::Neutral.into(),
        "contradiction" | "contradictory" | "contradicts" | "c" | "false" => Label::Contradiction.into(),
        "non-entailment" | "non_entailment" | "not_entailment" | "not-entailment" | "not entailment" => Judgment::NotEntailment,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let names = LabelNames::default();
        let found = names.gold(text).map_or_else(|error| error.to_string(), |gold| gold.map_or("none".into(), |j| j.to_string()));
        assert_eq!(found, expected, "reading `{text}`");
    }

    #[test]
    fn every_public_spelling_is_read() {
        for text in ["entailment", "ENTAILMENT", "e", "E", "0", "True"] {
            check(text, "entailment");
        }
        for text in ["neutral", "n", "N", "1", "Neither"] {
            check(text, "neutral");
        }
        for text in ["contradiction", "contradictory", "c", "C", "2", "False"] {
            check(text, "contradiction");
        }
        for text in ["non-entailment", "not_entailment"] {
            check(text, "non-entailment");
        }
        for text in ["-", "hidden", "-1", ""] {
            check(text, "none");
        }
    }

    #[test]
    fn judgments_agree_on_the_coarser_scale() {
        let [e, n, c, not] = Judgment::ALL;
        assert!(not.agrees_with(n) && c.agrees_with(not) && not.agrees_with(not) && n.agrees_with(n));
        assert!(!not.agrees_with(e) && !e.agrees_with(not) && !n.agrees_with(c));
        assert_eq!(Judgment::ALL.map(Judgment::index), [0, 1, 2, 3]);
    }

    #[test]
    fn an_unknown_label_is_named() {
        check("maybe", "`maybe` is not a label (expected entailment, neutral, contradiction, non-entailment, e/n/c, or a number below 3)");
    }

    #[test]
    fn numbers_follow_the_given_order() {
        let names = LabelNames::from_order("C,E,N").unwrap();
        assert_eq!(names.judgment("0"), Ok(Label::Contradiction.into()));
        let two_way = LabelNames::from_order("entailment,not_entailment").unwrap();
        assert_eq!(two_way.judgment("1"), Ok(Judgment::NotEntailment));
        assert!(two_way.judgment("2").is_err());
        assert!(LabelNames::from_order("E,E,N").is_err());
        assert!(LabelNames::from_order("E").is_err());
    }
}
