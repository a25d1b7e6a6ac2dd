//! What judges say of the examples of a set: how many labels are valid, how many pairs are grammatical, how far the judges agree.
//!
//! The form is that of Naik et al. 2018, section 3: the share of items of which a majority of the judges says so.

mod question;
mod sections;

pub use question::{AnswerChoice, LabelScale, Question};

use crate::measurement::{Measurement, Metric, SetId, Subject};
use crate::report::FEWEST_EXAMPLES;
use crate::statistics::Proportion;
use crate::statistics::agreement::{Agreement, AnswerCounts, fleiss, krippendorff, pairwise};
use acidtest_nli::Judgment;
use std::collections::{BTreeMap, BTreeSet};

/// An example that was judged.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewedItem {
    /// Its number in the sheets.
    pub number: usize,
    /// Its id in the set.
    pub id: String,
    /// The label that the set gives it.
    pub gold: Option<Judgment>,
    /// Named facts about it.
    pub tags: BTreeMap<String, String>,
    /// The sentence that is given as true.
    pub premise: String,
    /// The sentence that is judged.
    pub hypothesis: String,
    /// For each question, what each judge answered: the number of the answer among [`Question::choices`].
    pub answers: Vec<Vec<Option<usize>>>,
    /// What judges wrote beside it.
    pub notes: Vec<String>,
}

/// The judgements of all judges.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// The name of the set.
    pub set: String,
    /// What was asked.
    pub questions: Vec<Question>,
    /// The judges.
    pub judges: Vec<String>,
    /// Which labels are distinguished.
    pub scale: LabelScale,
    /// What was judged.
    pub items: Vec<ReviewedItem>,
}

/// What more than half of those who answered say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Majority {
    /// Nobody answered.
    Unanswered,
    /// No answer has more than half.
    Split,
    /// The number of the answer, on the scale of the review.
    Answer(usize),
}

/// How an item fares under a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// Nobody answered, or there is no label to agree with.
    Excluded,
    /// The majority says that it is as it should be.
    Good,
    /// The majority says that it is not.
    Bad,
    /// There is no majority.
    Split,
}

impl Review {
    /// How many judges gave each answer to a question about an item.
    fn counts(&self, item: &ReviewedItem, question: usize) -> AnswerCounts {
        let mut counts = vec![0; self.questions[question].answers(self.scale).len()];
        for answer in item.answers[question].iter().flatten() {
            counts[self.merged(question, *answer)] += 1;
        }
        counts
    }

    /// An answer on the scale of the review.
    fn merged(&self, question: usize, answer: usize) -> usize {
        match (self.questions[question], self.scale) {
            (Question::Label, LabelScale::TwoWay) => answer.min(1),
            _ => answer,
        }
    }

    /// What the majority answers to a question about an item.
    pub fn majority(&self, item: &ReviewedItem, question: usize) -> Majority {
        let counts = self.counts(item, question);
        let given: u64 = counts.iter().sum();
        match counts.iter().position(|&count| 2 * count > given) {
            _ if given == 0 => Majority::Unanswered,
            Some(answer) => Majority::Answer(answer),
            None => Majority::Split,
        }
    }

    /// The label that the majority of the judges gives an item, where labels were asked for and there is a majority.
    pub fn label(&self, item: &ReviewedItem) -> Option<Judgment> {
        let question = self.questions.iter().position(|question| *question == Question::Label)?;
        match self.majority(item, question) {
            Majority::Answer(answer) => Some(self.scale.labels()[answer]),
            Majority::Unanswered | Majority::Split => None,
        }
    }

    fn outcome(&self, item: &ReviewedItem, question: usize) -> Outcome {
        let majority = self.majority(item, question);
        let is_good = |answer: usize| match self.questions[question] {
            Question::Label => item.gold.map(|gold| self.scale.labels()[answer].agrees_with(gold)),
            Question::Relation | Question::Grammar | Question::Difficulty => Some(answer == 0),
        };
        match majority {
            Majority::Unanswered => Outcome::Excluded,
            Majority::Split => {
                if self.questions[question] == Question::Label && item.gold.is_none() {
                    Outcome::Excluded
                } else {
                    Outcome::Split
                }
            }
            Majority::Answer(answer) => match is_good(answer) {
                None => Outcome::Excluded,
                Some(true) => Outcome::Good,
                Some(false) => Outcome::Bad,
            },
        }
    }

    /// Of the items that were judged, those of which a majority says that they are as they should be; one without a majority is not.
    fn share<'i>(&self, items: impl IntoIterator<Item = &'i ReviewedItem>, question: usize) -> Proportion {
        let outcomes: Vec<Outcome> = items.into_iter().map(|item| self.outcome(item, question)).collect();
        let count = |wanted: fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| wanted(outcome)).count() as u64;
        Proportion { count: count(|outcome| *outcome == Outcome::Good), total: count(|outcome| *outcome != Outcome::Excluded) }
    }

    /// Of the items that were judged by this question, the share that the majority finds as it should be; nothing if it was not asked.
    pub fn validity(&self, asked: Question) -> Option<Proportion> {
        let question = self.questions.iter().position(|question| *question == asked)?;
        Some(self.share(&self.items, question))
    }

    /// The same by one judge alone.
    fn share_of_judge(&self, judge: usize, question: usize) -> Proportion {
        let alone = |item: &ReviewedItem| {
            let answers = item.answers.iter().map(|judges| vec![judges[judge]]).collect();
            ReviewedItem { answers, ..item.clone() }
        };
        self.share(&self.items.iter().map(alone).collect::<Vec<_>>(), question)
    }

    /// Answers that were not given, over all judges.
    fn unanswered(&self, question: usize) -> u64 {
        self.items.iter().flat_map(|item| &item.answers[question]).filter(|answer| answer.is_none()).count() as u64
    }

    fn splits(&self, question: usize) -> u64 {
        self.items.iter().filter(|item| self.outcome(item, question) == Outcome::Split).count() as u64
    }

    /// The agreement of two or more judges on a question: the share of agreeing pairs, kappa and alpha.
    fn agreement(&self, question: usize) -> Option<(f64, Agreement, Agreement)> {
        let counts: Vec<AnswerCounts> = self.items.iter().map(|item| self.counts(item, question)).collect();
        Some((pairwise(&counts)?, fleiss(&counts), krippendorff(&counts)))
    }

    /// Whether at least two values of a tag have enough items for a share.
    pub fn has_large_groups(&self, tag: &str) -> bool {
        self.groups(tag).iter().filter(|(_, items)| items.len() as u64 >= FEWEST_EXAMPLES).count() > 1
    }

    /// Tags by which the items fall into a few groups.
    pub fn tags(&self) -> Vec<String> {
        let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (name, value) in self.items.iter().flat_map(|item| &item.tags) {
            values.entry(name).or_default().insert(value);
        }
        values.into_iter().filter(|(_, values)| (2..=MOST_VALUES).contains(&values.len())).map(|(name, _)| name.to_string()).collect()
    }

    /// The items of each value of a tag; `gold` stands for the label of the set.
    fn groups(&self, tag: &str) -> Vec<(String, Vec<&ReviewedItem>)> {
        let value = |item: &ReviewedItem| match tag {
            crate::GOLD => item.gold.map_or(crate::NO_VALUE, Judgment::name).to_string(),
            tag => item.tags.get(tag).map_or(crate::NO_VALUE, String::as_str).to_string(),
        };
        let mut groups: BTreeMap<String, Vec<&ReviewedItem>> = BTreeMap::new();
        self.items.iter().for_each(|item| groups.entry(value(item)).or_default().push(item));
        groups.into_iter().collect()
    }

    /// Everything as measurements: shares under `property`, agreement under `question`.
    pub fn measurements(&self, set: &SetId, by: &[String]) -> Vec<Measurement> {
        let subject = Subject::corpus(set);
        let mut measured = vec![subject.examples(self.items.len() as u64)];
        for (number, question) in self.questions.iter().enumerate() {
            let share = |counts: Proportion| Some(subject.share(Metric::Share, counts)?.with("property", question.property()));
            measured.extend(share(self.share(&self.items, number)));
            for tag in by {
                let groups = self.groups(tag).into_iter();
                measured.extend(groups.filter_map(|(value, items)| Some(share(self.share(items, number))?.with(tag, value))));
            }
            if self.judges.len() > 1 {
                let judges = self.judges.iter().enumerate();
                measured.extend(judges.filter_map(|(judge, name)| Some(share(self.share_of_judge(judge, number))?.with("judge", name))));
            }
            let Some((pairs, kappa, alpha)) = self.agreement(number) else { continue };
            measured.push(
                subject.number(Metric::Share, pairs).with("property", "pairs of judges that agree").with("question", question.name()),
            );
            for (metric, found) in [(Metric::Kappa, kappa), (Metric::Alpha, alpha)] {
                let Some(value) = found.value else { continue };
                let one = subject.number(metric, value).with("question", question.name());
                measured.push(found.interval.map_or(one.clone(), |interval| one.within(interval)));
            }
        }
        measured
    }
}

/// A tag with more values is not a breakdown but a list.
const MOST_VALUES: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Label;

    fn item(number: usize, gold: Label, label: &[Option<usize>], grammar: &[Option<usize>]) -> ReviewedItem {
        ReviewedItem {
            number,
            id: format!("id-{number}"),
            gold: Some(gold.into()),
            tags: BTreeMap::from([(
                "antonym_type".to_string(),
                if number.is_multiple_of(2) { "gradable" } else { "relational" }.to_string(),
            )]),
            premise: format!("premise {number}"),
            hypothesis: format!("hypothesis {number}"),
            answers: vec![label.to_vec(), grammar.to_vec()],
            notes: Vec::new(),
        }
    }

    fn review(items: Vec<ReviewedItem>) -> Review {
        let judges = ["ann", "ben", "cy"].map(str::to_string).to_vec();
        Review {
            set: "antonym".to_string(),
            questions: vec![Question::Label, Question::Grammar],
            judges,
            scale: LabelScale::ThreeWay,
            items,
        }
    }

    const C: Option<usize> = Some(2);
    const N: Option<usize> = Some(1);
    const E: Option<usize> = Some(0);

    #[test]
    fn a_majority_is_more_than_half_of_those_who_answered() {
        let of = |answers: &[Option<usize>]| {
            let found = review(vec![item(1, Label::Contradiction, answers, answers)]);
            found.majority(&found.items[0], 0)
        };
        assert_eq!(of(&[C, C, N]), Majority::Answer(2));
        assert_eq!(of(&[C, N, E]), Majority::Split);
        assert_eq!(of(&[C, N, None]), Majority::Split);
        assert_eq!(of(&[None, N, None]), Majority::Answer(1));
        assert_eq!(of(&[None, None, None]), Majority::Unanswered);
    }

    #[test]
    fn items_without_a_majority_count_as_not_agreeing_and_unanswered_ones_not_at_all() {
        let found = review(vec![
            item(1, Label::Contradiction, &[C, C, N], &[E, E, E]),
            item(2, Label::Contradiction, &[C, N, E], &[E, N, N]),
            item(3, Label::Contradiction, &[N, N, C], &[E, E, None]),
            item(4, Label::Contradiction, &[None, None, None], &[E, E, E]),
        ]);
        assert_eq!(found.validity(Question::Label), Some(Proportion { count: 1, total: 3 }));
        assert_eq!(found.validity(Question::Grammar), Some(Proportion { count: 3, total: 4 }));
        assert_eq!(found.validity(Question::Difficulty), None);
        assert_eq!((found.splits(0), found.unanswered(0), found.unanswered(1)), (1, 3, 1));
        assert_eq!(found.label(&found.items[2]), Some(Label::Neutral.into()));
        assert_eq!(found.label(&found.items[1]), None);
    }

    #[test]
    fn two_way_sets_merge_neutral_and_contradiction() {
        let mut found = review(vec![item(1, Label::Contradiction, &[C, N, E], &[E, E, E])]);
        found.items[0].gold = Some(Judgment::NotEntailment);
        found.scale = LabelScale::TwoWay;
        assert_eq!(found.validity(Question::Label), Some(Proportion { count: 1, total: 1 }));
        assert_eq!(found.label(&found.items[0]), Some(Judgment::NotEntailment));
    }

    #[test]
    fn every_share_is_measured_once() {
        let found = review((1..=6).map(|number| item(number, Label::Contradiction, &[C, C, N], &[E, E, N])).collect());
        let set = SetId { name: "antonym".to_string(), group: Vec::new(), hash: String::new() };
        let measured = found.measurements(&set, &found.tags());
        let keys: BTreeSet<String> = measured.iter().map(|one| format!("{:?}", one.key())).collect();
        assert_eq!(keys.len(), measured.len());
        let of_judge = |name: &str| {
            let wanted = [("property".to_string(), "label correct".to_string()), ("judge".to_string(), name.to_string())];
            measured.iter().find(|one| one.group == wanted).unwrap().value
        };
        assert_eq!((of_judge("ann"), of_judge("cy")), (1.0, 0.0));
        assert!(measured.iter().any(|one| one.metric == Metric::Alpha));
    }

    #[test]
    fn a_tag_needs_two_values_with_enough_items() {
        let found = |items: usize| {
            let mut found = review((1..=items).map(|number| item(number, Label::Contradiction, &[C], &[E])).collect());
            found.judges.truncate(1);
            let values = found.items.iter_mut().zip(["a", "b"].iter().cycle());
            values.for_each(|(item, value)| item.tags = BTreeMap::from([("kind".to_string(), value.to_string())]));
            found
        };
        assert!(found(60).has_large_groups("kind") && !found(59).has_large_groups("kind"));
        let small = ["kind".to_string()];
        let sections = found(2).sections(&[], &small);
        let note = "No breakdown by kind, because fewer than two of its values have at least 30 items.";
        assert_eq!(sections[1].notes, [note]);
    }

    #[test]
    fn a_single_judge_has_no_agreement() {
        let mut found = review(vec![item(1, Label::Contradiction, &[C], &[E]), item(2, Label::Contradiction, &[N], &[N])]);
        found.judges.truncate(1);
        let sections = found.sections(&[], &[]);
        assert!(sections.iter().all(|section| section.id != crate::report::SectionId::JudgeAgreement));
        assert!(sections[0].notes[0].starts_with("The judge agrees with the gold label on 50.0 %"), "{:?}", sections[0].notes);
    }
}
