//! The fields of a row, with the names that public corpora give them.

use crate::RowProblem;
use acidtest_nli::UnknownName;
use std::borrow::Cow;

/// The number of characters of a list of columns that an error shows.
pub(crate) const LONGEST_LIST: usize = 200;

/// A known field; every other column is kept as a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The id of the pair.
    Id,
    /// The premise.
    Premise,
    /// The hypothesis.
    Hypothesis,
    /// The gold label.
    Label,
    /// The premise's Penn-style parse.
    PremiseParse,
    /// The hypothesis's Penn-style parse.
    HypothesisParse,
    /// The premise's binary parse.
    PremiseBinaryParse,
    /// The hypothesis's binary parse.
    HypothesisBinaryParse,
    /// All annotators' labels, as a list.
    Votes,
    /// The annotator of each label of that list, in our own format.
    Annotators,
    /// One annotator's label, in a column of its own.
    Vote,
    /// A map of tags, in our own format.
    Tags,
    /// What a challenge changed, in our own format.
    Changes,
}

/// The user's own names for columns, on top of the public ones.
#[derive(Debug, Clone, Default)]
pub struct ColumnNames {
    given: Vec<(Field, String)>,
}

impl ColumnNames {
    /// Reads `premise=NAME`, `hypothesis=NAME`, `label=NAME` or `id=NAME`; the error says what is expected.
    pub fn set(&mut self, text: &str) -> Result<(), String> {
        let expected = || "premise=NAME, hypothesis=NAME, label=NAME or id=NAME".to_string();
        let (field, name) = text.split_once('=').ok_or_else(expected)?;
        let field = match field {
            "premise" => Field::Premise,
            "hypothesis" => Field::Hypothesis,
            "label" => Field::Label,
            "id" => Field::Id,
            _ => return Err(expected()),
        };
        self.given.push((field, name.to_string()));
        Ok(())
    }

    /// The name that the user gave a field.
    pub fn given(&self, field: Field) -> Option<&str> {
        self.given.iter().find(|(other, _)| *other == field).map(|(_, name)| name.as_str())
    }

    /// Refuses a file without any of the columns that the user named; `found` are its columns.
    pub(crate) fn check<'n>(&self, found: impl Iterator<Item = &'n str> + Clone) -> Result<(), RowProblem> {
        let missing = self.given.iter().filter(|(_, name)| !found.clone().any(|other| other == name));
        let told: Vec<String> = missing
            .map(|(_, name)| match UnknownName::among("column", found.clone(), name).nearest {
                Some(nearest) => format!("`{name}` (did you mean `{nearest}`?)"),
                None => format!("`{name}`"),
            })
            .collect();
        if told.is_empty() {
            return Ok(());
        }
        let found: String = found.collect::<Vec<_>>().join(", ").chars().take(LONGEST_LIST).collect();
        Err(RowProblem::NoColumns { missing: told.join(", "), found })
    }

    /// Whether the user named any column.
    pub(crate) fn any_given(&self) -> bool {
        !self.given.is_empty()
    }

    /// The field with this name, and the rank of the name (0 is the best).
    #[inline]
    pub(crate) fn field(&self, name: &str) -> Option<(Field, u8)> {
        if let Some((field, _)) = self.given.iter().find(|(_, given)| given == name) {
            return Some((*field, 0));
        }
        let (field, rank) = public_field(name)?;
        // A field that the user named has no other name.
        if self.given.iter().any(|(given, _)| *given == field) { None } else { Some((field, rank + 1)) }
    }
}

/// The prefix of columns for tags that have the name of a field.
const TAG_PREFIX: &str = "tag:";

/// The column of a tag in tables and flat JSON.
pub(crate) fn tag_column(tag: &str) -> Cow<'_, str> {
    let plain = !tag.is_empty() && public_field(tag).is_none() && !tag.starts_with(TAG_PREFIX);
    if plain { Cow::Borrowed(tag) } else { Cow::Owned(format!("{TAG_PREFIX}{tag}")) }
}

/// The tag of a column that is not a field.
#[inline]
pub(crate) fn tag_of_column(column: &str) -> &str {
    column.strip_prefix(TAG_PREFIX).unwrap_or(column)
}

/// If a row has several names for one field, the one with the lowest rank wins and the others are tags.
fn public_field(name: &str) -> Option<(Field, u8)> {
    Some(match name {
        "sentence1" => (Field::Premise, 0),
        "premise" => (Field::Premise, 1),
        "context" => (Field::Premise, 2),
        "sentence_A" => (Field::Premise, 3),
        "document" => (Field::Premise, 4),
        "doc" => (Field::Premise, 5),
        "evidence" => (Field::Premise, 6),
        "text1" => (Field::Premise, 7),
        "sentence2" => (Field::Hypothesis, 0),
        "hypothesis" => (Field::Hypothesis, 1),
        "sentence_B" => (Field::Hypothesis, 2),
        "claim" => (Field::Hypothesis, 3),
        "text2" => (Field::Hypothesis, 4),
        "gold_label" => (Field::Label, 0),
        "label" => (Field::Label, 1),
        "entailment_judgment" => (Field::Label, 2),
        "entailment_label" => (Field::Label, 3),
        "gold" => (Field::Label, 4),
        "pairID" => (Field::Id, 0),
        "pair_ID" => (Field::Id, 1),
        "pair_id" => (Field::Id, 2),
        "uid" => (Field::Id, 3),
        "id" => (Field::Id, 4),
        "example_id" => (Field::Id, 5),
        "sentence1_parse" => (Field::PremiseParse, 0),
        "sentence2_parse" => (Field::HypothesisParse, 0),
        "sentence1_binary_parse" => (Field::PremiseBinaryParse, 0),
        "sentence2_binary_parse" => (Field::HypothesisBinaryParse, 0),
        "annotator_labels" => (Field::Votes, 0),
        "annotators" => (Field::Annotators, 0),
        "label1" | "label2" | "label3" | "label4" | "label5" => (Field::Vote, 0),
        "tags" => (Field::Tags, 0),
        "changes" => (Field::Changes, 0),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn given_names_come_first() {
        let mut names = ColumnNames::default();
        assert_eq!(names.field("sentence1"), Some((Field::Premise, 1)));
        names.set("premise=passage").unwrap();
        assert_eq!(names.field("passage"), Some((Field::Premise, 0)));
        assert_eq!(names.field("sentence1"), None);
        assert!(names.set("premiss=x").is_err());
    }

    #[test]
    fn a_tag_never_becomes_a_field() {
        for tag in ["genre", "sentence1", "label", "tag:genre", "tag:", "", "tags", "a b"] {
            let column = tag_column(tag);
            assert_eq!(ColumnNames::default().field(&column), None, "{tag}");
            assert_eq!(tag_of_column(&column), tag);
        }
        assert_eq!(tag_column("genre"), "genre");
    }

    #[test]
    fn all_missing_columns_are_named_with_the_nearest() {
        let mut names = ColumnNames::default();
        names.set("label=verdcit").unwrap();
        names.set("id=number").unwrap();
        names.set("premise=passage").unwrap();
        let found = ["passage", "claim", "verdict"];
        let refused = names.check(found.into_iter()).unwrap_err().to_string();
        assert_eq!(refused, "no column `verdcit` (did you mean `verdict`?), `number` (found passage, claim, verdict)");
        assert_eq!(names.check(["passage", "verdcit", "number"].into_iter()), Ok(()));
    }
}
