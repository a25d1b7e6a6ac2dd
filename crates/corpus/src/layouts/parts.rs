//! Makes an example from fields, for tables and JSON alike.

use crate::field::Field;
use crate::{ReadOptions, RowProblem, passage};
use acidtest_nli::{Change, Example, LooseLabels, Tags, Vote, content_id};
use std::borrow::Cow;
use std::sync::Arc;

/// The fields of a row before they are given meaning.
#[derive(Default)]
pub(super) struct Parts<'a> {
    slots: [Option<(u8, Cow<'a, str>)>; SINGLE_FIELDS],
    pub(super) votes: Vec<Cow<'a, str>>,
    pub(super) annotators: Option<serde_json::Value>,
    pub(super) tags: Tags<'a>,
    /// Whether there were too many tags.
    pub(super) crowded: bool,
    pub(super) changes: Vec<Change>,
    /// Fields that could be the premise or hypothesis but are not strings: field, rank and type.
    pub(super) not_text: Vec<(Field, u8, &'static str)>,
    /// A duplicate name.
    repeated: Option<Cow<'a, str>>,
}

/// The maximum number of tags of a row: each is inserted in order, which takes longer the more there are.
pub(super) const MOST_TAGS: usize = 10_000;

/// The fields before [`Field::Votes`] have one text each.
const SINGLE_FIELDS: usize = Field::Votes as usize;

impl<'a> Parts<'a> {
    /// Takes a text field under the name that the file gives it; `null` is the same as no field.
    #[inline]
    pub(super) fn set(&mut self, name: Cow<'a, str>, field: Option<(Field, u8)>, text: Option<Cow<'a, str>>) {
        let Some(text) = text else { return };
        if self.tags.len() > MOST_TAGS {
            self.crowded = true;
            return;
        }
        match field {
            Some((Field::Vote | Field::Votes, _)) => self.votes.push(text),
            Some((field, rank)) if (field as usize) < SINGLE_FIELDS => {
                let slot = &mut self.slots[field as usize];
                match slot {
                    // A second name for the same thing is kept as a tag.
                    Some((same, _)) if *same == rank => self.repeated = Some(name),
                    Some((better, _)) if *better < rank => self.tags.set(name, text),
                    _ => *slot = Some((rank, text)),
                }
            }
            _ => self.tags.set(name, text),
        }
    }

    /// The same for a text that exists and needed no decoding.
    #[inline(always)]
    pub(super) fn set_plain(&mut self, name: &'a str, field: Option<(Field, u8)>, text: &'a str) {
        match field {
            // Passing the text by value would copy it several times.
            Some((field, rank)) if (field as usize) < SINGLE_FIELDS && self.slots[field as usize].is_none() => {
                self.slots[field as usize] = Some((rank, Cow::Borrowed(text)));
            }
            field => self.set(Cow::Borrowed(name), field, Some(Cow::Borrowed(text))),
        }
    }

    /// The example made from these fields, which are consumed.
    pub(super) fn take_example(&mut self, options: &ReadOptions, loose: &mut LooseLabels) -> Result<Example<'a>, RowProblem> {
        let example = self.example(options, loose);
        self.clear();
        example
    }

    /// Clears all fields and keeps their memory.
    pub(super) fn clear(&mut self) {
        self.slots.fill(None);
        self.votes.clear();
        self.annotators = None;
        self.tags = Tags::default();
        self.crowded = false;
        self.changes = Vec::new();
        self.not_text.clear();
        self.repeated = None;
    }

    fn example(&mut self, options: &ReadOptions, loose: &mut LooseLabels) -> Result<Example<'a>, RowProblem> {
        if let Some(name) = self.repeated.take() {
            return Err(RowProblem::Repeated { name: name.into_owned() });
        }
        if self.crowded || self.tags.len() > MOST_TAGS {
            return Err(RowProblem::ManyFields(MOST_TAGS));
        }
        for &(field, rank, found) in &self.not_text {
            if matches!(&self.slots[field as usize], Some((taken, _)) if *taken == rank) {
                let field = if field == Field::Premise { "premise" } else { "hypothesis" };
                return Err(RowProblem::NotText { field, found });
            }
        }
        let mut take = |field: Field| self.slots[field as usize].take().map(|(_, text)| text);
        let id = take(Field::Id);
        let label = take(Field::Label);
        let mut example = Example::default();
        let (premise, hypothesis) = (take(Field::Premise), take(Field::Hypothesis));
        let sides = [
            (&mut example.pair.premise, premise, Field::PremiseParse, Field::PremiseBinaryParse),
            (&mut example.pair.hypothesis, hypothesis, Field::HypothesisParse, Field::HypothesisBinaryParse),
        ];
        let mut texts = 0;
        for (sentence, text, parse, binary_parse) in sides {
            texts += usize::from(text.is_some());
            sentence.text = text.unwrap_or_default();
            // Corpora leave missing parses empty.
            sentence.parse = take(parse).filter(|parse| !parse.is_empty());
            sentence.binary_parse = take(binary_parse).filter(|parse| !parse.is_empty());
        }
        // A gold key has an id and no text, a word problem has another text; everything else must have both sentences.
        let is_key = texts == 0 && id.is_some() && label.is_some() && options.keys_allowed;
        if texts == 0 && !is_key && passage::is_problem(&self.tags) {
            return passage::problem(id, std::mem::take(&mut self.tags), options);
        }
        if texts < 2 && !is_key {
            let field = if example.pair.premise.text.is_empty() { "premise" } else { "hypothesis" };
            let found = self.tags.iter().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
            return Err(RowProblem::NoField { field, found: if found.is_empty() { "nothing else".to_string() } else { found } });
        }
        example.gold = match label {
            Some(label) => options.labels.read(&label, loose)?,
            None => None,
        };
        let annotators = self.annotators.take().and_then(|found| self.annotators_of_votes(found));
        example.votes.0.reserve_exact(self.votes.len());
        let mut of_votes = LooseLabels::default();
        for (n, vote) in self.votes.iter().enumerate() {
            // Text files leave the columns of missing annotators empty.
            if let Some(judgment) = options.labels.read(vote, &mut of_votes)? {
                let annotator = annotators.as_ref().and_then(|names| names[n].clone());
                example.votes.0.push(Vote { judgment, annotator });
            }
        }
        loose.add_votes(of_votes);
        example.pair.id = match id {
            Some(id) if !id.is_empty() => id,
            _ => content_id(&example.pair.premise.text, &example.pair.hypothesis.text).into(),
        };
        example.tags = std::mem::take(&mut self.tags);
        example.changes = std::mem::take(&mut self.changes);
        Ok(example)
    }
}

impl Parts<'_> {
    /// The annotators, one name or `null` for each vote. Other corpora may use this name for other content, which becomes a tag.
    fn annotators_of_votes(&mut self, found: serde_json::Value) -> Option<Vec<Option<Arc<str>>>> {
        use serde_json::Value;
        let names = found.as_array().filter(|names| names.len() == self.votes.len());
        let names = names.filter(|names| names.iter().all(|name| name.is_null() || name.is_string()));
        if let Some(names) = names {
            return Some(names.iter().map(|name| name.as_str().map(Arc::from)).collect());
        }
        match found {
            Value::Null => {}
            Value::String(text) => self.tags.set("annotators", text),
            other => self.tags.set("annotators", other.to_string()),
        }
        None
    }
}
