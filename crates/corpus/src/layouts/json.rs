//! JSON rows: MultiNLI, SNLI, ANLI, Hugging Face style and our own, distinguished by the field names of each row.

mod flat;

use super::parts::{MOST_TAGS, Parts};
use super::{CorpusFile, Layout, Opening, TextFile};
use crate::block::{Content, PlacedRow};
use crate::blocks::{LineBlock, Lines};
use crate::field::{ColumnNames, Field, tag_of_column};
use crate::{CorpusError, ReadOptions, RowProblem};
use acidtest_files::ContentHash;
use acidtest_nli::{Example, LooseLabels, Tags};
use flat::KeyOrder;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

pub(super) const LAYOUT: Layout = Layout::Text {
    recognises: |first, _| first.starts_with('{'),
    open: |text, opening| {
        if let Some(first) = text.first.as_ref().filter(|_| opening.options.columns.any_given()) {
            check_columns(first, opening)?;
        }
        Ok(Box::new(JsonLines(text)))
    },
};

/// Refuses a file none of whose first rows has a column that the user named; rows may leave out fields, such as the label.
pub(super) fn check_columns(first: &LineBlock, opening: &Opening<'_>) -> Result<(), CorpusError> {
    let mut found: Vec<String> = Vec::new();
    for (_, line) in first.texts() {
        // An invalid row is reported when it is read.
        for name in serde_json::from_str::<BTreeMap<String, IgnoredAny>>(line).unwrap_or_default().into_keys() {
            if !found.contains(&name) {
                found.push(name);
            }
        }
        if found.is_empty() || opening.options.columns.check(found.iter().map(String::as_str)).is_ok() {
            return Ok(());
        }
    }
    opening.options.columns.check(found.iter().map(String::as_str)).map_err(|problem| opening.error(first.first_line, problem))
}

struct JsonLines(TextFile);

impl CorpusFile for JsonLines {
    fn next(&mut self) -> Result<Option<Content>, CorpusError> {
        Ok(self.0.next()?.map(Content::Json))
    }

    fn content_hash(&self) -> ContentHash {
        self.0.blocks.content_hash()
    }
}

/// Reads rows of one text, one after another; the keys of a row speed up the next ones.
#[derive(Default)]
pub(crate) struct RowReader<'a> {
    keys: KeyOrder<'a>,
    parts: Parts<'a>,
}

impl<'a> RowReader<'a> {
    /// Reads one row.
    pub(crate) fn read(&mut self, line: &'a str, options: &ReadOptions, loose: &mut LooseLabels) -> Result<Example<'a>, RowProblem> {
        match self.take_flat(line, options).filter(|length| *length == line.len()) {
            Some(_) => self.parts.take_example(options, loose),
            None => self.full(line, options, loose),
        }
    }

    /// Reads the next row of a block, with the number of its line.
    pub(crate) fn next(&mut self, lines: &mut Lines<'a>, options: &ReadOptions, loose: &mut LooseLabels) -> Option<PlacedRow<'a>> {
        if let Some(length) = self.take_flat(lines.rest(), options) {
            return Some((lines.skip_line(length), self.parts.take_example(options, loose)));
        }
        let (number, line) = lines.next()?;
        Some((number, line.and_then(|line| self.full(line, options, loose))))
    }

    fn take_flat(&mut self, lines: &'a str, options: &ReadOptions) -> Option<usize> {
        flat::read(lines, &options.columns, &mut self.keys, &mut self.parts)
    }

    /// Reads a row that is not plain, of which some fields may have been taken.
    fn full(&mut self, line: &'a str, options: &ReadOptions, loose: &mut LooseLabels) -> Result<Example<'a>, RowProblem> {
        self.parts.clear();
        full_row(line, options, loose)
    }
}

/// Reads one row of any form.
fn full_row<'a>(line: &'a str, options: &ReadOptions, loose: &mut LooseLabels) -> Result<Example<'a>, RowProblem> {
    let json = |error: serde_json::Error| RowProblem::Json(plain_message(&error));
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let mut parts = RowSeed { names: &options.columns }.deserialize(&mut deserializer).map_err(json)?;
    deserializer.end().map_err(json)?;
    parts.take_example(options, loose)
}

struct RowSeed<'n> {
    names: &'n ColumnNames,
}

impl<'de> DeserializeSeed<'de> for RowSeed<'_> {
    type Value = Parts<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Parts<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RowSeed<'_> {
    type Value = Parts<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parts<'de>, A::Error> {
        let mut parts = Parts::default();
        while let Some(name) = map.next_key_seed(Text)? {
            let mut name = name.unwrap_or_default();
            let field = self.names.field(&name);
            if field.is_none() && tag_of_column(&name).len() < name.len() {
                name = tag_of_column(&name).to_string().into();
            }
            match field {
                Some((Field::Votes, _)) => map.next_value_seed(EachText(&mut parts.votes))?,
                Some((Field::Annotators, _)) => parts.annotators = Some(map.next_value()?),
                Some((Field::Tags, _)) => map.next_value_seed(TagMap(&mut parts.tags))?,
                Some((Field::Changes, _)) => parts.changes = map.next_value()?,
                Some((side @ (Field::Premise | Field::Hypothesis), rank)) => {
                    let (text, other) = map.next_value_seed(Sentence)?;
                    if let Some(found) = other {
                        parts.not_text.push((side, rank, found));
                    }
                    parts.set(name, field, text);
                }
                _ => {
                    let text = map.next_value_seed(Text)?;
                    parts.set(name, field, text);
                }
            }
        }
        Ok(parts)
    }
}

/// Any JSON value as text: strings as they are, numbers as written, lists and objects as JSON, `null` as `None`.
pub(crate) struct Text;

impl<'de> DeserializeSeed<'de> for Text {
    type Value = Option<Cow<'de, str>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Text {
    type Value = Option<Cow<'de, str>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(text.to_string())))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(number.to_string())))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(number.to_string())))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(number.to_string())))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Some(Cow::Borrowed(if value { "true" } else { "false" })))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element::<serde_json::Value>()? {
            items.push(item);
        }
        Ok(Some(Cow::Owned(serde_json::Value::Array(items).to_string())))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut object = serde_json::Map::new();
        while let Some((key, value)) = map.next_entry()? {
            object.insert(key, value);
        }
        Ok(Some(Cow::Owned(serde_json::Value::Object(object).to_string())))
    }
}

/// Any JSON value as text, and its type if it is not a string.
struct Sentence;

type SentenceValue<'de> = (Option<Cow<'de, str>>, Option<&'static str>);

impl<'de> DeserializeSeed<'de> for Sentence {
    type Value = SentenceValue<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Sentence {
    type Value = SentenceValue<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok((Text.visit_borrowed_str(text)?, None))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok((Text.visit_str(text)?, None))
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok((None, None))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok((Text.visit_i64(number)?, Some("a number")))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok((Text.visit_u64(number)?, Some("a number")))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        Ok((Text.visit_f64(number)?, Some("a number")))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok((Text.visit_bool(value)?, Some("a truth value")))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        Ok((Text.visit_seq(seq)?, Some("a list")))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Ok((Text.visit_map(map)?, Some("an object")))
    }
}

/// A list whose items are added as texts.
struct EachText<'v, 'de>(&'v mut Vec<Cow<'de, str>>);

impl<'de> DeserializeSeed<'de> for EachText<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for EachText<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of labels")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(text) = seq.next_element_seed(Text)? {
            self.0.extend(text);
        }
        Ok(())
    }
}

/// An object whose values are added as tags.
struct TagMap<'v, 'de>(&'v mut Tags<'de>);

impl<'de> DeserializeSeed<'de> for TagMap<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TagMap<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of tags")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key_seed(Text)? {
            // One too many is enough to refuse the row.
            if let (Some(name), Some(value)) = (name, map.next_value_seed(Text)?)
                && self.0.len() <= MOST_TAGS
            {
                self.0.set(name, value);
            }
        }
        Ok(())
    }

    // Other corpora may use this name for other content, which becomes a tag.
    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.0.set("tags", text.to_string());
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        if let Some(list) = Text.visit_seq(seq)? {
            self.0.set("tags", list);
        }
        Ok(())
    }
}

/// The parser's message without its line number, which is always 1 for a row.
fn plain_message(error: &serde_json::Error) -> String {
    error.to_string().replace(" at line 1 column ", " at column ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;

    #[track_caller]
    fn check(line: &str, annotators: &[Option<&str>], tag: Option<&str>) {
        let options = ReadOptions::default();
        let read = |line| RowReader::default().read(line, &options, &mut LooseLabels::default()).unwrap();
        let example = read(line);
        assert_eq!(example.votes.0.iter().map(|vote| vote.annotator.as_deref()).collect::<Vec<_>>(), annotators, "{line}");
        assert_eq!(example.tags.get("annotators"), tag, "{line}");
        let mut written = Vec::new();
        written.extend(crate::writer::encoded(Format::ACIDTEST, &example));
        assert_eq!(read(std::str::from_utf8(&written).unwrap().trim_end()), example, "{line}");
    }

    #[test]
    fn annotators_are_read_and_written() {
        let row =
            |rest: &str| format!(r#"{{"premise": "A", "hypothesis": "B", "annotator_labels": ["neutral", "", "non-entailment"]{rest}}}"#);
        check(&row(""), &[None, None], None);
        check(&row(r#", "annotators": ["ann \"a\"", null, "bo"]"#), &[Some("ann \"a\""), Some("bo")], None);
        check(&row(r#", "annotators": [null, null, "bo"]"#), &[None, Some("bo")], None);
    }

    #[test]
    fn a_sentence_that_is_not_a_string_is_an_invalid_row() {
        for (value, found) in
            [("3", "a number"), ("[\"a\"]", "a list"), ("{}", "an object"), ("true", "a truth value"), ("-1.5", "a number")]
        {
            let line = format!(r#"{{"premise": "A", "hypothesis": {value}}}"#);
            let refused = full_row(&line, &ReadOptions::default(), &mut LooseLabels::default()).unwrap_err();
            assert_eq!(refused, RowProblem::NotText { field: "hypothesis", found }, "{line}");
        }
        // If another field has the sentence, this one is a tag.
        let line = r#"{"premise": "A", "hypothesis": "B", "evidence": ["x"], "context": null}"#;
        let example = full_row(line, &ReadOptions::default(), &mut LooseLabels::default()).unwrap();
        assert_eq!((example.pair.premise.text.as_ref(), example.tags.get("evidence")), ("A", Some(r#"["x"]"#)));
    }

    #[test]
    fn a_field_that_does_not_fit_the_votes_is_a_tag() {
        let row = |rest: &str| format!(r#"{{"premise": "A", "hypothesis": "B", "annotator_labels": ["neutral"], "annotators": {rest}}}"#);
        check(&row(r#"["a","b"]"#), &[None], Some(r#"["a","b"]"#));
        check(&row("3"), &[None], Some("3"));
        check(&row(r#""three""#), &[None], Some("three"));
        check(&row("null"), &[None], None);
    }
}
