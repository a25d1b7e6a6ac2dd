//! Table 5 of the MultiNLI paper for any corpus: how often each tag occurs, with which label, and with which accuracy.

use super::{Annotation, TAGS, TagKind};
use crate::Share;
use acidtest_lingua::view::Origin;
use acidtest_nli::{Judgment, Label};
use serde::Serialize;

/// Counts examples for the table.
#[derive(Debug, Clone, Default)]
pub struct TagTable {
    all: Counts,
    tagged_here: u64,
    /// For each of [`TAGS`].
    tags: [Counts; TAGS.len()],
}

/// The counts of the examples with a tag.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    present: u64,
    unknown: u64,
    judgments: [u64; JUDGMENTS.len()],
    accuracy: Share,
}

/// The judgments in the order that breaks ties.
const JUDGMENTS: [Judgment; 4] =
    [Judgment::Exact(Label::Entailment), Judgment::Exact(Label::Neutral), Judgment::Exact(Label::Contradiction), Judgment::NotEntailment];

/// The finished table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TagStatistics {
    /// The whole corpus.
    pub all: TagRow,
    /// Examples whose parts of speech come from our tagger, because they have no parse.
    pub tagged_here: u64,
    /// Every tag, in the order of [`TAGS`].
    pub tags: Vec<TagRow>,
}

/// A line of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TagRow {
    /// The tag's name.
    pub name: &'static str,
    /// What a pair with the tag has.
    pub description: &'static str,
    /// What the tag is based on; `None` for the whole corpus.
    pub kind: Option<TagKind>,
    /// Examples with the tag, of those where it is known.
    pub frequency: Share,
    /// Examples where it is unknown.
    pub unknown: u64,
    /// The most frequent label among the labelled examples with the tag; `None` if there are none.
    pub most_frequent_label: Option<LabelShare>,
    /// Correct predictions on examples with the tag; `None` without predictions.
    pub accuracy: Option<Share>,
}

/// A label and its share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LabelShare {
    /// The label's name, `non-entailment` in two-way sets.
    pub label: &'static str,
    /// Examples with the label, of all labelled examples.
    pub share: Share,
}

impl TagTable {
    /// Adds an example: its tags, its gold label, and whether the prediction is correct, if there is one.
    pub fn add(&mut self, tags: &Annotation, gold: Option<Judgment>, correct: Option<bool>) {
        self.all.add(gold, correct);
        self.tagged_here += u64::from(tags.origin() == Origin::Ours);
        for (at, counts) in self.tags.iter_mut().enumerate() {
            if tags.present >> at & 1 == 1 {
                counts.add(gold, correct);
            }
            counts.unknown += u64::from(tags.unknown >> at & 1);
        }
    }

    /// Adds the counts of another part of the corpus.
    pub fn merge(&mut self, other: &TagTable) {
        self.all.merge(&other.all);
        self.tagged_here += other.tagged_here;
        self.tags.iter_mut().zip(&other.tags).for_each(|(counts, more)| counts.merge(more));
    }

    /// The table of all examples added.
    pub fn finish(&self) -> TagStatistics {
        let rows = self.all.present;
        let line = |(tag, counts): (&super::AnnotationTag, &Counts)| counts.line(rows, (tag.name, tag.description), Some(tag.kind()));
        TagStatistics {
            all: self.all.line(rows, ("all", "the whole corpus"), None),
            tagged_here: self.tagged_here,
            tags: TAGS.iter().zip(&self.tags).map(line).collect(),
        }
    }
}

impl Counts {
    fn add(&mut self, gold: Option<Judgment>, correct: Option<bool>) {
        self.present += 1;
        if let Some(at) = gold.and_then(|gold| JUDGMENTS.iter().position(|&judgment| judgment == gold)) {
            self.judgments[at] += 1;
        }
        if let Some(correct) = correct {
            self.accuracy.add(correct);
        }
    }

    fn merge(&mut self, other: &Counts) {
        self.present += other.present;
        self.unknown += other.unknown;
        self.judgments.iter_mut().zip(other.judgments).for_each(|(sum, more)| *sum += more);
        self.accuracy.merge(other.accuracy);
    }

    fn line(&self, rows: u64, (name, description): (&'static str, &'static str), kind: Option<TagKind>) -> TagRow {
        let total = self.judgments.iter().sum();
        // Of equal maxima the last wins, so iterate backwards.
        let most = (0..JUDGMENTS.len()).rev().max_by_key(|&at| self.judgments[at]).filter(|_| total > 0);
        TagRow {
            name,
            description,
            kind,
            frequency: Share { count: self.present, total: rows - self.unknown },
            unknown: self.unknown,
            most_frequent_label: most
                .map(|at| LabelShare { label: JUDGMENTS[at].name(), share: Share { count: self.judgments[at], total } }),
            accuracy: (self.accuracy.total > 0).then_some(self.accuracy),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotation::{AnnotationMode, annotate};
    use Label::*;
    use acidtest_nli::{Example, Pair};

    fn table(rows: &[(&str, Option<Label>, Option<bool>)]) -> TagTable {
        let mut table = TagTable::default();
        for &(hypothesis, gold, correct) in rows {
            let example = Example { pair: Pair::plain("", hypothesis), ..Example::default() };
            table.add(&annotate(&example, AnnotationMode::Clean), gold.map(Judgment::Exact), correct);
        }
        table
    }

    #[track_caller]
    fn line(table: &TagTable, name: &str) -> TagRow {
        table.finish().tags.into_iter().find(|row| row.name == name).unwrap()
    }

    #[test]
    fn a_tag_has_its_own_labels_and_accuracy() {
        let mut found = table(&[("not", Some(Contradiction), Some(true)), ("never", Some(Neutral), Some(false)), ("so", None, None)]);
        found.merge(&table(&[("nor", Some(Contradiction), None)]));
        let negation = line(&found, "negation");
        assert_eq!(negation.frequency, Share { count: 3, total: 4 });
        assert_eq!(negation.most_frequent_label, Some(LabelShare { label: "contradiction", share: Share { count: 2, total: 3 } }));
        assert_eq!(negation.accuracy, Some(Share { count: 1, total: 2 }));
    }

    #[test]
    fn examples_with_an_unknown_tag_are_not_in_its_total() {
        let mut table = TagTable::default();
        let example = Example { pair: Pair::plain("", "may"), ..Example::default() };
        table.add(&annotate(&example, AnnotationMode::AsPublished), Some(Neutral.into()), None);
        let modal = line(&table, "modal");
        assert_eq!((modal.frequency, modal.unknown), (Share::default(), 1));
        assert_eq!((modal.most_frequent_label, modal.accuracy), (None, None));
    }

    #[test]
    fn examples_tagged_by_our_tagger_are_counted() {
        let mut found = table(&[("He may go.", None, None)]);
        let mut pair = Pair::plain("", "");
        pair.premise.parse = Some("(ROOT (MD may))".into());
        pair.hypothesis.parse = Some("(ROOT (NN ice))".into());
        found.add(&annotate(&Example { pair, ..Example::default() }, AnnotationMode::Clean), None, None);
        assert_eq!(found.finish().tagged_here, 1);
        assert_eq!(line(&found, "modal").frequency, Share { count: 2, total: 2 });
    }

    #[test]
    fn a_tie_goes_to_the_label_with_the_lower_number() {
        let found = table(&[("not", Some(Contradiction), None), ("not", Some(Neutral), None)]);
        assert_eq!(line(&found, "negation").most_frequent_label.unwrap().label, "neutral");
    }
}
