//! The lines of the protocol: a question to the process, an answer from it.

use acidtest_nli::{Judgment, LabelNames, LooseLabels, Pair, Prediction, Scores};
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::borrow::Cow;
use std::{fmt, io};

/// Appends the line for a pair.
///
/// The line is pure ASCII, so it is read correctly whatever encoding the process expects, and no character can be mistaken for
/// the end of a line.
pub(super) fn write_question(id: u64, pair: &Pair<'_>, out: &mut Vec<u8>) {
    let question = Question { id, premise: &pair.premise.text, hypothesis: &pair.hypothesis.text };
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, Ascii);
    question.serialize(&mut serializer).expect("writing text to memory does not fail");
    out.push(b'\n');
}

/// A parsed line of the process.
#[derive(Debug, PartialEq)]
pub(super) struct Answer {
    /// The id of the question.
    pub id: u64,
    /// The prediction.
    pub prediction: Prediction,
    /// Whether the label is ambiguous.
    pub loose: LooseLabels,
}

/// The expected form of an answer, for error messages.
pub(super) const EXPECTED: &str = "expected one line per pair, such as {\"id\": \"0\", \"label\": \"neutral\"} or \
    {\"id\": \"0\", \"scores\": {\"entailment\": 0.1, \"neutral\": 0.7, \"contradiction\": 0.2}}, and everything else on standard error";

/// Parses an answer, or says what is wrong with it.
pub(super) fn read_answer(line: &[u8], names: &LabelNames) -> Result<Answer, String> {
    let line: Line<'_> = serde_json::from_slice(line).map_err(|error| {
        let error = error.to_string();
        // Every line is parsed by itself, so its line number is always 1 and carries no information.
        format!("{}; {EXPECTED}", error.replace(" at line 1 column ", " at column "))
    })?;
    let is_list = matches!(line.scores, Some(WrittenScores::List(_)));
    let scores = line.scores.map(|scores| by_class(&scores, names)).transpose()?;
    let mut loose = LooseLabels::default();
    let prediction = match (line.label, scores) {
        (Some(label), Some(scores)) if is_list => {
            let answer = names.answer_beside(&label.0, &scores, &mut loose).map_err(|error| error.to_string())?;
            Prediction::with_scores(answer, Some(scores))
        }
        (Some(label), Some(scores)) => {
            let answer = judgment(&label.0, names, &mut loose)?;
            if !scores.allow(answer) {
                return Err(format!("the label is `{}`, but the highest score is that of {}", label.0, scores.best()));
            }
            Prediction::with_scores(answer, Some(scores))
        }
        (Some(label), None) => Prediction::of(judgment(&label.0, names, &mut loose)?),
        (None, Some(scores)) => Prediction::from_scores(scores),
        (None, None) => return Err(format!("the line has neither `label` nor `scores`; {EXPECTED}")),
    };
    let id = line.id.0.parse().map_err(|_| format!("`{}` is not the id of a pair; return each `id` unchanged", line.id.0))?;
    Ok(Answer { id, prediction: Prediction { truncated: line.truncated, ..prediction }, loose })
}

/// A name keeps its meaning; `LABEL_1` is a number, unless the user gave it a meaning.
fn judgment(text: &str, names: &LabelNames, loose: &mut LooseLabels) -> Result<Judgment, String> {
    let number = text.strip_prefix("LABEL_").filter(|_| names.judgment(text).is_err());
    names.read_judgment(number.unwrap_or(text), loose).map_err(|error| error.to_string())
}

/// The scores by class: a list is in the order of the numbered labels.
fn by_class(scores: &WrittenScores<'_>, names: &LabelNames) -> Result<Scores, String> {
    let named = match scores {
        WrittenScores::List(list) => {
            if list.len() != names.order().len() {
                return Err(format!(
                    "`scores` has {} numbers for {} labels; expected one for each label, or an object with the labels' names",
                    list.len(),
                    names.order().len()
                ));
            }
            names.order().iter().copied().zip(list.iter().copied()).collect()
        }
        WrittenScores::Named(named) => {
            let named_score = |(name, score): &(Cow<'_, str>, f64)| Ok((judgment(name, names, &mut LooseLabels::default())?, *score));
            named.iter().map(named_score).collect::<Result<Vec<_>, String>>()?
        }
    };
    Scores::of_named(named).map_err(|error| error.to_string())
}

struct Question<'a> {
    id: u64,
    premise: &'a str,
    hypothesis: &'a str,
}

impl Serialize for Question<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Question", 3)?;
        fields.serialize_field("id", &format_args!("{}", self.id))?;
        fields.serialize_field("premise", self.premise)?;
        fields.serialize_field("hypothesis", self.hypothesis)?;
        fields.end()
    }
}

/// JSON on one line, with all non-ASCII characters escaped.
struct Ascii;

impl serde_json::ser::Formatter for Ascii {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        if fragment.is_ascii() {
            return writer.write_all(fragment.as_bytes());
        }
        for character in fragment.chars() {
            if character.is_ascii() {
                writer.write_all(&[character as u8])?;
                continue;
            }
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
        }
        Ok(())
    }
}

#[derive(serde::Deserialize)]
#[serde(expecting = "an object such as {\"id\": \"0\", \"label\": \"neutral\"}")]
struct Line<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow, default)]
    label: Option<Text<'a>>,
    #[serde(borrow, default)]
    scores: Option<WrittenScores<'a>>,
    #[serde(default)]
    truncated: bool,
}

/// A string, or an integer as its digits.
struct Text<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a whole number")
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(text.to_string())))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(number.to_string())))
    }
}

enum WrittenScores<'a> {
    /// In the order of the numbered labels.
    List(Vec<f64>),
    Named(Vec<(Cow<'a, str>, f64)>),
}

impl<'de: 'a, 'a> Deserialize<'de> for WrittenScores<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScoresVisitor)
    }
}

struct ScoresVisitor;

impl<'de> Visitor<'de> for ScoresVisitor {
    type Value = WrittenScores<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of numbers or an object with a number for each label")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut scores = Vec::with_capacity(3);
        while let Some(score) = list.next_element()? {
            scores.push(score);
        }
        Ok(WrittenScores::List(scores))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let mut scores = Vec::with_capacity(3);
        while let Some((Text(name), score)) = object.next_entry::<Text<'de>, f64>()? {
            scores.push((name, score));
        }
        Ok(WrittenScores::Named(scores))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Label;

    #[track_caller]
    fn check(line: &str, expected: Prediction) {
        let names = LabelNames::from_order("C,E,N").unwrap();
        let answer = read_answer(line.as_bytes(), &names).unwrap();
        assert_eq!((answer.id, answer.prediction), (7, expected), "{line}");
    }

    #[track_caller]
    fn check_refused(line: &str, reason: &str) {
        let problem = read_answer(line.as_bytes(), &LabelNames::default()).unwrap_err();
        assert!(problem.contains(reason), "{line}: {problem}");
    }

    #[test]
    fn labels_and_scores_are_read_in_every_shape() {
        check(r#"{"id": "7", "label": "ENTAILMENT"}"#, Prediction::of(Label::Entailment));
        check(r#"{"id": 7, "label": "not_entailment"}"#, Prediction::of(Judgment::NotEntailment));
        check(r#"{"label": 0, "id": "7", "premise": "not ours"}"#, Prediction::of(Label::Contradiction));
        check(r#"{"id": "7", "label": "\u0065"}"#, Prediction::of(Label::Entailment));
        check(r#"{"id": "7", "scores": [0.5, 0.25, 0]}"#, Prediction::from_scores([0.25, 0.0, 0.5]));
        check(r#"{"id": "7", "scores": {"N": -1, "e": 2.5, "contradiction": 0}}"#, Prediction::from_scores([2.5, -1.0, 0.0]));
        let both = Prediction::with_scores(Label::Contradiction, Some([0.25, 0.0, 0.5].into()));
        check(r#"{"id": "7", "label": "contradiction", "scores": [0.5, 0.25, 0]}"#, both);
        let named = Prediction::with_scores(Label::Neutral, Some([2.5, 2.5, 0.0].into()));
        check(r#"{"id": "7", "label": "neutral", "scores": {"N": 2.5, "e": 2.5, "contradiction": 0}}"#, named);
        check(r#"{"id": "7", "label": "LABEL_0"}"#, Prediction::of(Label::Contradiction));
        let cut = Prediction { truncated: true, ..Prediction::of(Label::Neutral) };
        check(r#"{"id": "7", "label": "neutral", "truncated": true}"#, cut);
    }

    #[test]
    fn two_scores_are_read_by_name_or_in_a_two_way_order() {
        check(r#"{"id": "7", "scores": {"not_entailment": 0.75, "entailment": 0.25}}"#, Prediction::from_scores([0.25, 0.75]));
        let two_way = LabelNames::from_order("not_entailment,entailment").unwrap();
        let answer = read_answer(br#"{"id": "7", "scores": [0.75, 0.25]}"#, &two_way).unwrap();
        assert_eq!(answer.prediction, Prediction::from_scores([0.25, 0.75]));
        assert!(read_answer(br#"{"id": "7", "scores": [0.5, 0.25, 0.25]}"#, &two_way).is_err());
    }

    #[test]
    fn an_invalid_answer_is_refused_with_the_reason() {
        check_refused("Loading weights", "expected one line per pair");
        check_refused(r#"{"label": "e"}"#, "missing field `id`");
        check_refused(r#"{"id": "7"}"#, "neither `label` nor `scores`");
        check_refused(r#"{"id": "7", "label": null}"#, "neither `label` nor `scores`");
        check_refused(r#"{"id": "7", "label": "maybe"}"#, "`maybe` is not a label");
        check_refused(r#"{"id": "7", "label": "neutral", "scores": [0.5, 0.25, 0]}"#, "the label is `neutral`, but in the order");
        check_refused(r#"{"id": "seven", "label": "e"}"#, "`seven` is not the id of a pair");
        check_refused(
            r#"{"id": "7", "label": "neutral", "scores": {"N": -1, "e": 2.5, "contradiction": 0}}"#,
            "the label is `neutral`, but the highest score is that of entailment",
        );
        check_refused(r#"{"id": "7", "scores": [0.5, 0.5]}"#, "`scores` has 2 numbers for 3 labels");
        check_refused(r#"{"id": "7", "scores": {"e": 1, "n": 0}}"#, "entailment, neutral and contradiction once each");
        check_refused(r#"{"id": "7", "scores": {"e": 1, "E": 0, "n": 0}}"#, "entailment, neutral and contradiction once each");
        check_refused(r#"{"id": "7", "scores": [NaN, 0, 0]}"#, "at column");
        check_refused(r#"{"id": "7", "label": "e"} {"id": "8", "label": "e"}"#, "trailing characters");
    }

    #[test]
    fn a_question_is_one_line_of_ascii() {
        let mut line = Vec::new();
        write_question(3, &Pair::plain("Zoë said \"hi\"\n", "👍\u{2028}"), &mut line);
        let expected = r#"{"id":"3","premise":"Zo\u00eb said \"hi\"\n","hypothesis":"\ud83d\udc4d\u2028"}"#;
        assert_eq!(String::from_utf8(line).unwrap(), format!("{expected}\n"));
    }
}
