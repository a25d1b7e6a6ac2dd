//! Pairs of sentences, and what a corpus knows about them.

use crate::{Judgment, Tags, Votes};
use std::borrow::Cow;
use xxhash_rust::xxh3::xxh3_128;

/// A sentence, with its parses if the corpus has them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sentence<'a> {
    /// The text as a reader sees it.
    pub text: Cow<'a, str>,
    /// The bracketed Penn-style parse.
    pub parse: Option<Cow<'a, str>>,
    /// The unlabelled binary-branching parse.
    pub binary_parse: Option<Cow<'a, str>>,
}

impl<'a> Sentence<'a> {
    /// A sentence without parses.
    pub fn plain(text: impl Into<Cow<'a, str>>) -> Self {
        Sentence { text: text.into(), parse: None, binary_parse: None }
    }

    /// The same sentence, borrowing its text.
    pub fn borrowed(&self) -> Sentence<'_> {
        Sentence {
            text: Cow::Borrowed(&self.text),
            parse: self.parse.as_deref().map(Cow::Borrowed),
            binary_parse: self.binary_parse.as_deref().map(Cow::Borrowed),
        }
    }

    /// The same sentence, owning its text.
    pub fn into_owned(self) -> Sentence<'static> {
        let own = |text: Cow<'a, str>| Cow::Owned(text.into_owned());
        Sentence { text: own(self.text), parse: self.parse.map(own), binary_parse: self.binary_parse.map(own) }
    }
}

/// A premise and a hypothesis: the input of a model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pair<'a> {
    /// Unique within a set.
    pub id: Cow<'a, str>,
    /// The sentence assumed to be true.
    pub premise: Sentence<'a>,
    /// The sentence whose relation to the premise is predicted.
    pub hypothesis: Sentence<'a>,
}

impl<'a> Pair<'a> {
    /// A pair of plain sentences, with an id made from their content.
    pub fn plain(premise: &'a str, hypothesis: &'a str) -> Self {
        Pair { id: content_id(premise, hypothesis).into(), premise: Sentence::plain(premise), hypothesis: Sentence::plain(hypothesis) }
    }

    /// The sentence on one side.
    pub fn side(&self, side: Side) -> &Sentence<'a> {
        match side {
            Side::Premise => &self.premise,
            Side::Hypothesis => &self.hypothesis,
        }
    }

    /// The same pair, borrowing its texts.
    pub fn borrowed(&self) -> Pair<'_> {
        Pair { id: Cow::Borrowed(&self.id), premise: self.premise.borrowed(), hypothesis: self.hypothesis.borrowed() }
    }

    /// The same pair, owning its texts.
    pub fn into_owned(self) -> Pair<'static> {
        Pair { id: self.id.into_owned().into(), premise: self.premise.into_owned(), hypothesis: self.hypothesis.into_owned() }
    }
}

/// One of the two sentences of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The sentence assumed to be true.
    Premise,
    /// The sentence whose relation to the premise is predicted.
    Hypothesis,
}

impl Side {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Side::Premise => "premise",
            Side::Hypothesis => "hypothesis",
        }
    }
}

/// A span of a perturbed example's text that differs from the original.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Change {
    /// The sentence that was changed.
    pub side: Side,
    /// Where the new text begins, in characters from the start of the changed sentence.
    pub start: usize,
    /// Where the new text ends.
    pub end: usize,
    /// The text it replaces; empty for an insertion.
    pub before: String,
    /// The side that the new sentence was made from, if it is the other side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Side>,
}

/// A pair with everything a corpus knows about it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Example<'a> {
    /// The input of a model.
    pub pair: Pair<'a>,
    /// The gold label; `None` for an unlabelled example.
    pub gold: Option<Judgment>,
    /// The labels of individual annotators.
    pub votes: Votes,
    /// Metadata of the example.
    pub tags: Tags<'a>,
    /// What a challenge changed.
    pub changes: Vec<Change>,
}

impl Example<'_> {
    /// The sentence of a side as it was before a challenge changed it; changes that do not fit the text are ignored.
    pub fn unchanged(&self, side: Side) -> Cow<'_, str> {
        let text: &str = &self.pair.side(side).text;
        let changes = || self.changes.iter().filter(|change| change.side == side);
        if changes().next().is_none() {
            return Cow::Borrowed(text);
        }
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let restored = || {
            let (mut restored, mut at) = (String::with_capacity(text.len()), 0);
            for change in changes() {
                restored.push_str(text.get(at..*places.get(change.start)?)?);
                restored.push_str(&change.before);
                at = *places.get(change.end)?;
            }
            restored.push_str(text.get(at..)?);
            Some(restored)
        };
        restored().map_or(Cow::Borrowed(text), Cow::Owned)
    }

    /// The same example, owning its texts.
    pub fn into_owned(self) -> Example<'static> {
        Example { pair: self.pair.into_owned(), gold: self.gold, votes: self.votes, tags: self.tags.into_owned(), changes: self.changes }
    }
}

/// The id of a pair that has none in its corpus: `#` and a hash of its text, which does not depend on the order of examples.
pub fn content_id(premise: &str, hypothesis: &str) -> String {
    format!("#{:016x}", content_hash(premise, hypothesis))
}

/// A hash of the two texts, which identifies a pair whatever its id and label.
pub fn content_hash(premise: &str, hypothesis: &str) -> u64 {
    let mut content = Vec::with_capacity(premise.len() + hypothesis.len() + 1);
    content.extend_from_slice(premise.as_bytes());
    content.push(0);
    content.extend_from_slice(hypothesis.as_bytes());
    (xxh3_128(&content) >> 64) as u64
}

/// Whether an id (or its parent's) was made from content: equal ids then mean equal pairs, and a set may contain them twice.
pub fn is_content_id(id: &str) -> bool {
    let digits = id.strip_prefix('#').and_then(|rest| rest.get(..16));
    digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_undone_on_the_side_they_were_made_on() {
        let change = |start, end, before: &str| Change { side: Side::Premise, start, end, before: before.to_string(), from: None };
        let mut example = Example { pair: Pair::plain("Två gamla hus.", "Två hus."), ..Example::default() };
        example.changes = vec![change(0, 3, "Ett"), change(4, 9, "nytt")];
        assert_eq!((&*example.unchanged(Side::Premise), &*example.unchanged(Side::Hypothesis)), ("Ett nytt hus.", "Två hus."));
        example.changes = vec![change(4, 90, "nytt")];
        assert_eq!(example.unchanged(Side::Premise), "Två gamla hus.", "a change that does not fit is ignored");
    }

    #[test]
    fn content_ids_tell_the_sides_apart() {
        assert_ne!(content_id("ab", "c"), content_id("a", "bc"));
        assert!(is_content_id(&content_id("a", "b")));
        assert!(is_content_id(&format!("{}/negation", content_id("a", "b"))));
        assert!(!is_content_id("63735n"));
        assert!(!is_content_id("#1"));
    }
}
