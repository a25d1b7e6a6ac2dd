//! The fields of a row under all the names that public corpora give them.

/// A field that has a meaning to us; every other column is kept as a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The name of the pair.
    Id,
    /// The sentence that is given as true.
    Premise,
    /// The sentence that is judged.
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
    /// One annotator's label, in a column of its own.
    Vote,
    /// A map of tags, in our own format.
    Tags,
    /// What a challenge changed, in our own format.
    Changes,
}

/// Names by field; where a row has several names for one field, the earlier one wins and the others are tags.
const NAMES: &[(Field, &[&str])] = &[
    (Field::Id, &["pairID", "pair_ID", "pairId", "pair_id", "uid", "id", "example_id"]),
    (Field::Premise, &["sentence1", "premise", "context", "sentence_A", "document", "doc", "evidence", "text1"]),
    (Field::Hypothesis, &["sentence2", "hypothesis", "sentence_B", "claim", "text2"]),
    (Field::Label, &["gold_label", "label", "entailment_judgment", "entailment_label", "gold"]),
    (Field::PremiseParse, &["sentence1_parse"]),
    (Field::HypothesisParse, &["sentence2_parse"]),
    (Field::PremiseBinaryParse, &["sentence1_binary_parse"]),
    (Field::HypothesisBinaryParse, &["sentence2_binary_parse"]),
    (Field::Votes, &["annotator_labels"]),
    (Field::Vote, &["label1", "label2", "label3", "label4", "label5"]),
    (Field::Tags, &["tags"]),
    (Field::Changes, &["changes"]),
];

/// The user's own names for columns, on top of the public ones.
#[derive(Debug, Clone, Default)]
pub struct ColumnNames {
    given: Vec<(Field, String)>,
}

impl ColumnNames {
    /// Reads `premise=NAME`, `hypothesis=NAME`, `label=NAME` or `id=NAME`.
    pub fn set(&mut self, text: &str) -> Result<(), String> {
        let expected = "expected premise=NAME, hypothesis=NAME, label=NAME or id=NAME";
        let (field, name) = text.split_once('=').ok_or_else(|| format!("`{text}` names no column ({expected})"))?;
        let field = match field {
            "premise" => Field::Premise,
            "hypothesis" => Field::Hypothesis,
            "label" => Field::Label,
            "id" => Field::Id,
            other => return Err(format!("`{other}` is no field ({expected})")),
        };
        self.given.push((field, name.to_string()));
        Ok(())
    }

    /// The name that the user gave a field.
    pub fn given(&self, field: Field) -> Option<&str> {
        self.given.iter().find(|(other, _)| *other == field).map(|(_, name)| name.as_str())
    }

    /// The field of this name, and how far down the list of its names it stands (0 is the best).
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

fn public_field(name: &str) -> Option<(Field, u8)> {
    for (field, names) in NAMES {
        if let Some(rank) = names.iter().position(|known| *known == name) {
            return Some((*field, if *field == Field::Vote { 0 } else { rank as u8 }));
        }
    }
    None
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
}
