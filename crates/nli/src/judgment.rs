//! Labels, and the judgments that corpora and models express with them.

use crate::{LooseLabels, Scores};
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

/// A label as a corpus or a model gives it: one of three, or only "not entailment".
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

    /// Whether both agree on the coarser of their two scales: `non-entailment` agrees with neutral and with contradiction.
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

/// A text that is not a label in any known convention.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a label (expected {expected})")]
pub struct UnknownLabel {
    /// The text in question.
    pub found: String,
    /// What is accepted.
    pub expected: String,
}

/// How labels are written in a file: numbers by their order, other words by a map. Words of public corpora always keep their meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelNames {
    numbered: Vec<Judgment>,
    /// Whether the order was given; otherwise it is the usual one.
    stated: bool,
    /// What the data itself says about its numbers.
    named: Option<NamedNumbers>,
    /// The user's words in lower case; `None` for a word that means "no label".
    words: Vec<(String, Option<Judgment>)>,
}

impl Default for LabelNames {
    /// 0, 1, 2 are entailment, neutral, contradiction.
    fn default() -> Self {
        LabelNames { numbered: Label::ALL.map(Judgment::Exact).to_vec(), stated: false, named: None, words: Vec::new() }
    }
}

/// The meaning of a number that the data names, or a name that no convention knows.
type NamedNumber = Result<Option<Judgment>, UnknownLabel>;

/// The names that the data gives its numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NamedNumbers {
    numbers: Vec<NamedNumber>,
    /// Where they were found.
    source: String,
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
        Ok(LabelNames { numbered, stated: true, ..LabelNames::default() })
    }

    /// Also reads this word or number of the user's, in any case; the meaning `-` is "no label".
    pub fn with_word(mut self, text: &str, meaning: &str) -> Result<Self, UnknownLabel> {
        let unknown = |found: &str, expected: &str| UnknownLabel { found: found.to_string(), expected: expected.to_string() };
        let text = text.trim().to_lowercase();
        if text.is_empty() {
            return Err(unknown(&text, "a word or a number before the sign"));
        }
        let meaning = match meaning.trim() {
            "-" => None,
            other => {
                Some(word(other).ok_or_else(|| unknown(other, "entailment, neutral, contradiction, non-entailment, or `-` for no label"))?)
            }
        };
        if self.words.iter().any(|(known, other)| *known == text && *other != meaning) {
            return Err(unknown(&text, "each word once"));
        }
        self.words.push((text, meaning));
        Ok(self)
    }

    /// Also uses the data's names for its numbers, unless the user gave an order; names that are numbers themselves are ignored.
    /// An unknown name is an error where its number is read.
    pub fn with_names(mut self, names: &[String], source: &str) -> Self {
        if !self.stated && !names.iter().all(|name| name.trim().parse::<f64>().is_ok()) {
            let numbers = names.iter().map(|name| self.gold(name)).collect();
            self.named = Some(NamedNumbers { numbers, source: source.to_string() });
        }
        self
    }

    /// Whether the user gave an order.
    pub fn order_is_given(&self) -> bool {
        self.stated
    }

    /// Whether the user or the data says what numbers mean.
    pub fn numbers_are_known(&self) -> bool {
        self.stated || self.named.is_some()
    }

    /// The judgments in the order of their numbers.
    pub fn order(&self) -> &[Judgment] {
        &self.numbered
    }

    /// The user's words and their meanings.
    pub fn words(&self) -> &[(String, Option<Judgment>)] {
        &self.words
    }

    /// What the data says about its numbers, as a sentence.
    pub fn named(&self) -> Option<String> {
        let name = |number: &NamedNumber| match number {
            Ok(judgment) => judgment.map_or("no label", Judgment::name).to_string(),
            Err(unknown) => unknown.found.clone(),
        };
        let NamedNumbers { numbers, source } = self.named.as_ref()?;
        let names: Vec<String> = numbers.iter().map(name).collect();
        Some(format!("the labels 0, 1, ... are {}, as {source} says", names.join(", ")))
    }

    /// Reads a gold label: `None` for an unlabelled example (`-`, `hidden`, `-1`, empty).
    #[inline]
    pub fn gold(&self, text: &str) -> Result<Option<Judgment>, UnknownLabel> {
        self.read(text, &mut LooseLabels::default())
    }

    /// Also records labels whose meaning is ambiguous.
    #[inline]
    pub fn read(&self, text: &str, loose: &mut LooseLabels) -> Result<Option<Judgment>, UnknownLabel> {
        match text {
            "entailment" if self.words.is_empty() => {
                loose.words = true;
                Ok(Some(Judgment::Exact(Label::Entailment)))
            }
            "neutral" if self.words.is_empty() => {
                (loose.words, loose.neutral) = (true, true);
                Ok(Some(Judgment::Exact(Label::Neutral)))
            }
            "contradiction" if self.words.is_empty() => {
                loose.words = true;
                Ok(Some(Judgment::Exact(Label::Contradiction)))
            }
            "-" | "-1" | "hidden" | "" if self.words.is_empty() => Ok(None),
            other => self.read_other(other, loose),
        }
    }

    fn read_other(&self, text: &str, loose: &mut LooseLabels) -> Result<Option<Judgment>, UnknownLabel> {
        let text = text.trim();
        if !self.words.is_empty() {
            let lower = text.to_lowercase();
            if let Some((_, meaning)) = self.words.iter().find(|(known, _)| *known == lower) {
                loose.neutral |= *meaning == Some(Judgment::Exact(Label::Neutral));
                return Ok(*meaning);
            }
            if matches!(text, "-" | "-1" | "hidden" | "") {
                return Ok(None);
            }
        }
        if let Some(judgment) = word(text) {
            loose.neutral |= judgment == Judgment::Exact(Label::Neutral);
            loose.no |= is_no(text);
            loose.words = true;
            return Ok(Some(judgment));
        }
        let number = text.parse::<usize>().ok();
        if let (Some(NamedNumbers { numbers: named, .. }), Some(number)) = (&self.named, number) {
            loose.named = true;
            return named.get(number).cloned().unwrap_or_else(|| Err(unknown_label(text, named.len())));
        }
        let judgment = number.and_then(|number| self.numbered.get(number)).ok_or_else(|| unknown_label(text, self.numbered.len()))?;
        match (self.stated, number.and_then(|number| loose.numbers.get_mut(number))) {
            (false, Some(seen)) => *seen = true,
            _ => loose.ordered = true,
        }
        Ok(Some(*judgment))
    }

    /// Reads a label that must not be missing.
    pub fn judgment(&self, text: &str) -> Result<Judgment, UnknownLabel> {
        self.read_judgment(text, &mut LooseLabels::default())
    }

    /// Also records labels whose meaning is ambiguous.
    pub fn read_judgment(&self, text: &str, loose: &mut LooseLabels) -> Result<Judgment, UnknownLabel> {
        let found = self.read(text.trim(), loose)?;
        found.ok_or_else(|| unknown_label(text.trim(), self.numbered.len()))
    }
}

/// Predictions of models, whose labels may be in another order.
impl LabelNames {
    /// Reads a predicted label. A number, also as `LABEL_1`, is an index into the order. If the user gave an order of three labels, a name counts as its usual
    /// number, so that labels in the wrong order can be corrected. The user's own words keep the meaning the user gave them.
    pub fn answer(&self, text: &str, loose: &mut LooseLabels) -> Result<Judgment, UnknownLabel> {
        let text = text.trim();
        let own = |text: &str| self.words.iter().any(|(word, _)| *word == text.to_lowercase());
        if own(text) {
            return self.read_judgment(text, loose);
        }
        let number = text.strip_prefix("LABEL_").unwrap_or(text);
        let judgment = self.read_judgment(number, loose)?;
        let is_name = number.len() == text.len() && text.parse::<usize>().is_err();
        let place = judgment.label().filter(|_| is_name && self.stated && self.numbered.len() == Label::ALL.len()).map(Label::index);
        Ok(place.map_or(judgment, |place| self.numbered[place]))
    }

    /// Reads a predicted label with its scores, which are in the order of the numbers. A name must be that of the highest score, or its usual number as in
    /// [`LabelNames::answer`]; otherwise the order is wrong.
    pub fn answer_beside(&self, text: &str, scores: &Scores, loose: &mut LooseLabels) -> Result<Judgment, AnswerProblem> {
        let renamed = self.answer(text, loose)?;
        let plain = self.read_judgment(text.trim().strip_prefix("LABEL_").unwrap_or(text.trim()), loose).unwrap_or(renamed);
        if text.trim().parse::<usize>().is_ok() || text.trim().starts_with("LABEL_") && self.words.is_empty() {
            return Ok(renamed);
        }
        [plain, renamed].into_iter().find(|answer| scores.allow(*answer)).ok_or_else(|| AnswerProblem::OtherScore {
            label: text.trim().chars().take(40).collect(),
            best: scores.best(),
            order: self.numbered.iter().map(|judgment| judgment.name()).collect::<Vec<_>>().join(", "),
        })
    }

    /// Reads a predicted label with named scores: it must be the label of the highest score.
    pub fn answer_beside_named(&self, text: &str, scores: &Scores, loose: &mut LooseLabels) -> Result<Judgment, AnswerProblem> {
        let renamed = self.answer(text, loose)?;
        let plain = self.read_judgment(text.trim().strip_prefix("LABEL_").unwrap_or(text.trim()), loose).unwrap_or(renamed);
        let fits = [plain, renamed].into_iter().find(|answer| scores.allow(*answer));
        fits.ok_or_else(|| AnswerProblem::OtherNamedScore { label: text.trim().chars().take(40).collect(), best: scores.best() })
    }
}

/// A prediction that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerProblem {
    /// The label is unknown.
    #[error(transparent)]
    Unknown(#[from] UnknownLabel),
    /// The label is not that of the highest score.
    #[error("the label is `{label}`, but in the order {order} the highest score is that of {best}")]
    OtherScore {
        /// The label as written.
        label: String,
        /// The class of the highest score.
        best: Judgment,
        /// The order in which the scores were read.
        order: String,
    },
    /// The label is not that of the highest named score.
    #[error("the label is `{label}`, but the highest score is that of {best}")]
    OtherNamedScore {
        /// The label as written.
        label: String,
        /// The class of the highest score.
        best: Judgment,
    },
}

fn unknown_label(text: &str, numbers: usize) -> UnknownLabel {
    UnknownLabel {
        found: text.chars().take(40).collect(),
        expected: format!("entailment, neutral, contradiction, non-entailment, e/n/c, yes/no/unknown, or a number below {numbers}"),
    }
}

/// The meaning of a word, in any spelling that public corpora use.
fn word(text: &str) -> Option<Judgment> {
    let lower = text.to_ascii_lowercase();
    Some(match lower.as_str() {
        "entailment" | "entailed" | "entails" | "e" | "true" | "yes" => Label::Entailment.into(),
        "neutral" | "n" | "neither" | "unknown" | "undef" => Label::Neutral.into(),
        "contradiction" | "contradictory" | "contradicts" | "c" | "false" | "no" => Label::Contradiction.into(),
        "non-entailment" | "non_entailment" | "not_entailment" | "not-entailment" | "not entailment" | "non entailment" => {
            Judgment::NotEntailment
        }
        _ => return None,
    })
}

/// Whether a word means "no", which two-way data also uses.
fn is_no(text: &str) -> bool {
    text.eq_ignore_ascii_case("no") || text.eq_ignore_ascii_case("false")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LabelDoubt;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let names = LabelNames::default();
        let found = names.gold(text).map_or_else(|error| error.to_string(), |gold| gold.map_or("none".into(), |j| j.to_string()));
        assert_eq!(found, expected, "reading `{text}`");
    }

    #[test]
    fn every_public_spelling_is_read() {
        for text in ["entailment", "ENTAILMENT", "e", "E", "0", "True", "yes"] {
            check(text, "entailment");
        }
        for text in ["neutral", "n", "N", "1", "Neither", "unknown"] {
            check(text, "neutral");
        }
        for text in ["contradiction", "contradictory", "c", "C", "2", "False", "no"] {
            check(text, "contradiction");
        }
        for text in ["non-entailment", "not_entailment", "Not Entailment"] {
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
        check(
            "maybe",
            "`maybe` is not a label (expected entailment, neutral, contradiction, non-entailment, e/n/c, yes/no/unknown, or a number below 3)",
        );
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

    fn doubt(names: &LabelNames, texts: &[&str]) -> Option<LabelDoubt> {
        let mut loose = LooseLabels::default();
        for text in texts {
            names.read(text, &mut loose).unwrap();
        }
        loose.doubt()
    }

    #[test]
    fn numbers_of_two_labels_and_yes_and_no_alone_are_ambiguous() {
        let usual = LabelNames::default();
        assert_eq!(doubt(&usual, &["0", "1", "-1", "1"]), Some(LabelDoubt::TwoNumbers));
        assert_eq!(doubt(&usual, &["0", "1", "2"]), None);
        assert_eq!(doubt(&usual, &["1", "2"]), Some(LabelDoubt::NoZero));
        assert_eq!(doubt(&usual, &["entailment", "neutral", "2"]), Some(LabelDoubt::WordsAndNumbers));
        assert_eq!(doubt(&usual, &["yes", "No"]), Some(LabelDoubt::YesNo));
        assert_eq!(doubt(&usual, &["True", "False"]), Some(LabelDoubt::YesNo));
        assert_eq!(doubt(&usual, &["yes", "no", "unknown"]), None);
        assert_eq!(doubt(&usual, &["entailment", "not_entailment", "-"]), None);
        assert_eq!(doubt(&LabelNames::from_order("not_entailment,entailment").unwrap(), &["0", "1"]), None);
        let mapped = usual.with_word("no", "non-entailment").unwrap();
        assert_eq!(doubt(&mapped, &["yes", "no"]), None);
    }

    #[test]
    fn words_and_numbers_of_the_user_come_first() {
        let names = LabelNames::default().with_word("SUPPORTS", "entailment").unwrap();
        let names = names.with_word("not enough info", "N").unwrap().with_word("LABEL_0", "contradiction").unwrap();
        let names = names.with_word("entailment", "-").unwrap();
        let gold = |text| names.gold(text).unwrap();
        assert_eq!((gold("supports"), gold("NOT ENOUGH INFO")), (Some(Label::Entailment.into()), Some(Label::Neutral.into())));
        assert_eq!(
            (gold("LABEL_0"), gold("entailment"), gold("no")),
            (Some(Label::Contradiction.into()), None, Some(Label::Contradiction.into()))
        );
        assert!(names.gold("REFUTES").is_err());
        let codes = [("-1", "contradiction"), ("0", "neutral"), ("1", "entailment")];
        let codes = codes.iter().fold(LabelNames::default(), |names, (word, meaning)| names.with_word(word, meaning).unwrap());
        let read: Vec<_> = ["-1", "0", "1", "-"].iter().map(|text| codes.gold(text).unwrap().map(Judgment::name)).collect();
        assert_eq!(read, [Some("contradiction"), Some("neutral"), Some("entailment"), None]);
        for (word, meaning) in [("", "entailment"), ("x", "y"), ("supports", "neutral")] {
            assert!(names.clone().with_word(word, meaning).is_err(), "{word}={meaning}");
        }
    }

    #[test]
    fn a_predicted_label_must_be_that_of_the_highest_score() {
        let beside = |order: Option<&str>, text: &str, scores: [f64; 3]| {
            let names = order.map_or_else(LabelNames::default, |order| LabelNames::from_order(order).unwrap());
            names.answer_beside(text, &scores.into(), &mut LooseLabels::default()).ok()
        };
        let [e, n, c] = Label::ALL.map(|label| Some(Judgment::Exact(label)));
        // Scores are by class: entailment, neutral, contradiction.
        assert_eq!(beside(None, "neutral", [0.1, 0.8, 0.1]), n);
        assert_eq!(beside(None, "neutral", [0.4, 0.4, 0.2]), n, "one of two that are equal");
        assert_eq!(beside(None, "neutral", [0.1, 0.1, 0.8]), None);
        assert_eq!(beside(None, "not_entailment", [0.1, 0.1, 0.8]), Some(Judgment::NotEntailment));
        assert_eq!(beside(Some("C,E,N"), "neutral", [0.1, 0.8, 0.1]), n, "a name that is right");
        assert_eq!(beside(Some("C,E,N"), "neutral", [0.8, 0.1, 0.1]), e, "a name in the same wrong order as the scores");
        assert_eq!(beside(Some("C,E,N"), "neutral", [0.1, 0.1, 0.8]), None);
        assert_eq!(beside(Some("C,E,N"), "0", [0.8, 0.1, 0.1]), c, "a number says nothing about the order");
    }

    #[test]
    fn data_says_what_its_numbers_mean() {
        let strings = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let named = LabelNames::default().with_names(&strings(&["not_entailment", "entailment"]), "a file");
        assert_eq!(named.gold("0"), Ok(Some(Judgment::NotEntailment)));
        assert_eq!(doubt(&named, &["0", "1"]), None);
        assert!(named.gold("2").is_err());
        assert_eq!(named.named().unwrap(), "the labels 0, 1, ... are non-entailment, entailment, as a file says");
        let given = LabelNames::from_order("C,E,N").unwrap().with_names(&strings(&["entailment", "neutral", "contradiction"]), "a file");
        assert_eq!(given.gold("0"), Ok(Some(Label::Contradiction.into())), "what the user says comes first");
        let unknown = LabelNames::default().with_names(&strings(&["entailment", "REFUTES"]), "a file");
        assert_eq!((unknown.gold("0"), unknown.gold("1").unwrap_err().found), (Ok(Some(Label::Entailment.into())), "REFUTES".to_string()));
        let numbers = LabelNames::default().with_names(&strings(&["0", "1"]), "a file");
        assert_eq!(doubt(&numbers, &["0", "1"]), Some(LabelDoubt::TwoNumbers));
    }
}
