//! Scores by tag.

use crate::join::Item;
use crate::natural_order;
use crate::score::{Score, Tally};
use crate::scoring::Judged;
use acidtest_nli::{Judgment, Named, UnknownName, find};
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

/// The name by which examples are grouped by gold label, as if it were a tag.
pub const GOLD: &str = "gold";
/// The value of a tag that an example does not have.
pub const NO_VALUE: &str = "(none)";

/// Examples that share the values of some tags.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The values, one for each tag.
    pub values: Vec<String>,
    /// The score of these examples.
    pub score: Score,
}

impl Judged<'_> {
    /// The score of each group of examples that share the values of these tags.
    ///
    /// Groups are sorted by value: gold labels as in [`crate::Scoring::classes`], others in natural order (numbers within names by value),
    /// and examples without the tag last. A tag that no example has is an error.
    pub fn breakdown<T: AsRef<str>>(&self, tags: &[T]) -> Result<Vec<Group>, UnknownName> {
        for tag in tags {
            self.require_tag(tag.as_ref())?;
        }
        let mut places: HashMap<Vec<Value>, usize> = HashMap::new();
        let mut tallies: Vec<Tally> = Vec::new();
        let mut values = Vec::with_capacity(tags.len());
        for (item, outcome) in self.joined.items.iter().zip(&self.outcomes) {
            values.clear();
            values.extend(tags.iter().map(|tag| Value::of(item, tag.as_ref())));
            let place = places.get(&values).copied().unwrap_or_else(|| {
                tallies.push(Tally::empty(self.scoring));
                places.insert(values.clone(), tallies.len() - 1);
                tallies.len() - 1
            });
            tallies[place].add(item, *outcome);
        }
        let mut sorted: Vec<(Vec<Value>, usize)> = places.into_iter().collect();
        sorted.sort_unstable();
        let mut scores: Vec<Option<Score>> = tallies.into_iter().map(|tally| Some(tally.score())).collect();
        let group = |(values, place): (Vec<Value>, usize)| {
            let values = values.iter().map(|value| value.text().to_string()).collect();
            scores[place].take().map(|score| Group { values, score })
        };
        Ok(sorted.into_iter().filter_map(group).collect())
    }

    /// The names of all tags of the examples, and [`GOLD`].
    pub fn tags(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::from([GOLD]);
        for (name, _) in self.joined.items.iter().flat_map(|item| item.tags.iter()) {
            // Nearly every example has the same tags as the one before it.
            if !names.contains(name) {
                names.insert(name);
            }
        }
        names
    }

    /// Whether an example has this tag.
    pub fn has_tag(&self, name: &str) -> bool {
        self.joined.items.iter().any(|item| item.tags.get(name).is_some())
    }

    fn require_tag(&self, name: &str) -> Result<(), UnknownName> {
        if name == GOLD || self.has_tag(name) {
            return Ok(());
        }
        let known: Vec<TagName> = self.tags().into_iter().map(TagName).collect();
        find("tag", &known, name).map(|_| ())
    }
}

struct TagName<'a>(&'a str);

impl Named for TagName<'_> {
    fn name(&self) -> &str {
        self.0
    }
}

/// The value of a tag, in the order of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Value<'a> {
    Gold(Judgment),
    Text(&'a str),
    None,
}

impl<'a> Value<'a> {
    fn of(item: &Item<'a>, tag: &str) -> Self {
        let value = if tag == GOLD { item.gold.map(Value::Gold) } else { item.tags.get(tag).map(Value::Text) };
        value.unwrap_or(Value::None)
    }

    fn text(&self) -> &'a str {
        match self {
            Value::Gold(gold) => gold.name(),
            Value::Text(text) => text,
            Value::None => NO_VALUE,
        }
    }
}

impl Ord for Value<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Value::Gold(left), Value::Gold(right)) => left.cmp(right),
            (Value::Text(left), Value::Text(right)) => natural_order::compare(left, right),
            (Value::None, Value::None) => Ordering::Equal,
            (Value::None, _) => Ordering::Greater,
            (_, Value::None) => Ordering::Less,
            (Value::Gold(_), Value::Text(_)) => Ordering::Less,
            (Value::Text(_), Value::Gold(_)) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Value<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::Joined;
    use crate::scoring::Scoring;
    use acidtest_nli::{Label, LabelNames, Prediction, Tags};

    /// Groups examples of a gold label and a `template` (`.` for none), all predicted as entailment; expects the values and sizes of the groups.
    #[track_caller]
    fn check(rows: &[(&str, &str)], tags: &[&str], expected: &[&str]) {
        let template = |(_, template): &(&str, &str)| {
            let mut tags = Tags::default();
            if *template != "." {
                tags.set("template", template.to_string());
            }
            tags
        };
        let row_tags: Vec<Tags<'_>> = rows.iter().map(template).collect();
        let item =
            |((gold, _), tags): (&(&str, &str), _)| Item { gold: LabelNames::default().gold(gold).unwrap(), tags, ..Item::default() };
        let items: Vec<Item<'_>> = rows.iter().zip(&row_tags).map(item).collect();
        let predictions = vec![Prediction::of(Label::Entailment); items.len()];
        let joined = Joined::in_order(&items, &predictions).unwrap();
        let found = match Scoring::MergedAnswers.judge(joined).unwrap().breakdown(tags) {
            Ok(groups) => groups.iter().map(|group| format!("{} {}", group.values.join("/"), group.score.accuracy.total)).collect(),
            Err(error) => vec![error.to_string()],
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn values_are_in_natural_order_and_untagged_examples_last() {
        check(&[("e", "."), ("e", "temp10"), ("n", "temp2"), ("e", "temp10")], &["template"], &["temp2 1", "temp10 2", "(none) 1"]);
    }

    #[test]
    fn gold_is_grouped_like_a_tag_in_the_order_of_the_labels() {
        check(&[("c", "a"), ("-", "a"), ("n", "a"), ("e", "a")], &[GOLD], &["entailment 1", "neutral 1", "contradiction 1", "(none) 0"]);
    }

    #[test]
    fn two_tags_are_combined_into_groups() {
        check(&[("n", "b"), ("n", "a"), ("e", "b"), ("n", "b")], &["template", GOLD], &["a/neutral 1", "b/entailment 1", "b/neutral 2"]);
    }

    #[test]
    fn a_tag_that_no_example_has_is_an_error_with_a_suggestion() {
        let error = "unknown tag `tempalte`; did you mean `template`? (known: gold, template)";
        check(&[("e", "a")], &["tempalte"], &[error]);
    }
}
