//! Joins predictions to their examples.

use acidtest_nli::{Answer, Example, Judgment, Key, Prediction, Side, Tags, is_content_id, tag};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use xxhash_rust::xxh3::xxh3_64;

/// What scoring needs of an example: no text, and nothing copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item<'a> {
    /// The id of the example.
    pub id: &'a str,
    /// The gold label; `None` for an unlabelled example.
    pub gold: Option<Judgment>,
    /// Metadata by which scores are broken down.
    pub tags: &'a Tags<'a>,
    /// The cluster: examples with the same number share a premise and are dependent. A generated example is a cluster of its own.
    pub cluster: u64,
    /// The template or subcase that the example is generated from; `None` if the clusters are the values of a tag.
    pub template: Option<u64>,
    /// The unit of its cluster.
    pub unit: Unit<'a>,
}

/// The unit of an example's cluster, which determines what results generalise to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Unit<'a> {
    /// The example itself.
    #[default]
    Example,
    /// All examples with its premise.
    Premise,
    /// The example itself, which represents new sentences of the same template.
    Template,
    /// All examples with the same value of this tag.
    Tag(&'a str),
    /// The example itself, because it lacks this tag.
    Untagged(&'a str),
}

/// Which examples form a cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ClusterRule {
    /// Those with the same premise; each generated example by itself.
    #[default]
    Premise,
    /// Those with the same value of this tag.
    Tag(String),
}

static NO_TAGS: Tags<'static> = Tags::NONE;

impl Default for Item<'_> {
    fn default() -> Self {
        Item { id: "", gold: None, tags: &NO_TAGS, cluster: 0, template: None, unit: Unit::Example }
    }
}

impl<'a> Item<'a> {
    /// What scoring needs of this example. Examples with the same premise are dependent. Results for generated examples generalise to new sentences from
    /// the same templates, so each of them is a cluster of its own.
    pub fn of(example: &'a Example<'_>) -> Self {
        let id = example.pair.id.as_ref();
        let own = |name: &str| example.tags.get(name);
        // A column of this name in somebody else's corpus says nothing about how its pairs were made.
        let is_generated = own(tag::HEURISTIC).is_some() || (own(tag::CHALLENGE).is_some() && own(tag::PARENT).is_none());
        let template = own(tag::TEMPLATE).or_else(|| own(tag::SUBCASE)).filter(|_| is_generated);
        let template = template.map(|template| xxh3_64(template.as_bytes()));
        // Premises that a challenge changed in different ways are still one premise.
        let premise = example.unchanged(Side::Premise);
        let (unit, text) = match (template, premise.is_empty()) {
            (Some(_), _) => (Unit::Template, id),
            (None, true) => (Unit::Example, id),
            (None, false) => (Unit::Premise, premise.as_ref()),
        };
        Item { id, gold: example.gold, tags: &example.tags, cluster: xxh3_64(text.as_bytes()), template, unit }
    }

    /// The same, with the cluster that this rule gives it.
    pub fn clustered(example: &'a Example<'_>, rule: &'a ClusterRule) -> Self {
        let item = Item::of(example);
        match rule {
            ClusterRule::Premise => item,
            ClusterRule::Tag(tag) => {
                let value = example.tags.get(tag);
                let unit = if value.is_some() { Unit::Tag(tag) } else { Unit::Untagged(tag) };
                // A value must not collide with the id of an example without one.
                let cluster = value.map_or_else(|| xxh3_64(item.id.as_bytes()), |value| xxh3_64(format!("\u{1}{value}").as_bytes()));
                Item { cluster, template: None, unit, ..item }
            }
        }
    }
}

/// A model's predictions for a set.
#[derive(Debug, Clone, PartialEq)]
pub enum Predictions {
    /// One per example, in the order of the set.
    InOrder(Vec<Prediction>),
    /// As in a file: in any order, each with the id or the index of its example.
    Keyed(Vec<Answer>),
}

impl Predictions {
    /// Joins every prediction to its example.
    pub fn join<'a>(&'a self, items: &'a [Item<'a>], missing: Missing) -> Result<Joined<'a>, JoinError> {
        match self {
            Predictions::InOrder(predictions) => Joined::in_order(items, predictions),
            Predictions::Keyed(answers) => join(items, answers, missing),
        }
    }
}

/// What to do about a labelled example without a prediction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Missing {
    /// Report it as an error in the files.
    #[default]
    Refuse,
    /// Count it as a wrong prediction.
    CountAsWrong,
}

/// An example and its prediction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JoinedExample<'a> {
    /// The example.
    pub item: &'a Item<'a>,
    /// Its prediction, if there is one.
    pub prediction: Option<&'a Prediction>,
}

/// All examples of a set, in order, with their predictions.
#[derive(Debug, Clone, PartialEq)]
pub struct Joined<'a> {
    /// The examples, including unlabelled ones.
    pub items: &'a [Item<'a>],
    /// The prediction for each of them, if there is one.
    pub predictions: Vec<Option<&'a Prediction>>,
    /// The lines the predictions were read from, for error messages; empty if a model was called.
    answers: &'a [Answer],
}

impl<'a> Joined<'a> {
    /// Joins one prediction for each example, in the order of the set.
    pub fn in_order(items: &'a [Item<'a>], predictions: &'a [Prediction]) -> Result<Self, JoinError> {
        if items.len() != predictions.len() {
            return Err(JoinError::OtherCount { examples: items.len(), predictions: predictions.len() });
        }
        Ok(Joined { items, predictions: predictions.iter().map(Some).collect(), answers: &[] })
    }

    /// All examples with their predictions.
    pub fn examples(&self) -> impl Iterator<Item = JoinedExample<'a>> {
        self.items.iter().zip(&self.predictions).map(|(item, prediction)| JoinedExample { item, prediction: *prediction })
    }

    /// The labelled examples, with their gold labels.
    pub fn labelled(&self) -> impl Iterator<Item = (Judgment, JoinedExample<'a>)> {
        self.examples().filter_map(|example| example.item.gold.map(|gold| (gold, example)))
    }

    /// The line that a prediction was read from.
    pub(crate) fn line(&self, prediction: &Prediction) -> Option<u64> {
        self.answers.iter().find(|answer| std::ptr::eq(&answer.prediction, prediction)).map(|answer| answer.line)
    }
}

/// The first few of many names, and their number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    /// The first few.
    pub first: Vec<String>,
    /// The number of names.
    pub count: usize,
}

/// The number of names that an error lists.
const FEW: usize = 3;

impl Names {
    fn of<T: fmt::Display>(names: impl ExactSizeIterator<Item = T>) -> Self {
        Names { count: names.len(), first: names.take(FEW).map(|name| name.to_string()).collect() }
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.first.join(", "))?;
        match self.count - self.first.len() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// Why predictions and examples do not match.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// There are no predictions.
    #[error("there are no predictions for the {rows} examples of the data")]
    NoAnswers {
        /// Examples of the set.
        rows: usize,
    },
    /// A model returned more or fewer predictions than there are pairs.
    #[error("{predictions} predictions for {examples} examples; expected one for each")]
    OtherCount {
        /// Examples of the set.
        examples: usize,
        /// Predictions of the model.
        predictions: usize,
    },
    /// Some predictions have an id and others do not.
    #[error("line {by_id} has an id and line {by_row} has none; give an id to all predictions or to none")]
    MixedKeys {
        /// A line with an id.
        by_id: u64,
        /// A line without.
        by_row: u64,
    },
    /// Answers with a row number and answers without one in one file.
    #[error("line {numbered} has a row number and line {unnumbered} has none; number all predictions or none")]
    MixedNumbers {
        /// A line with a number.
        numbered: u64,
        /// A line without.
        unnumbered: u64,
    },
    /// No answer has the id of a row.
    #[error(
        "none of the {answers} predictions (the first is for {answer}) matches one of the {rows} examples of the data \
         (the first is {item}); are these predictions for another file?"
    )]
    NothingMatches {
        /// The number of predictions.
        answers: usize,
        /// The example of the first prediction.
        answer: String,
        /// The number of examples.
        rows: usize,
        /// The id of the first example.
        item: String,
    },
    /// No prediction has the id of an example, but many have the value of a column of the data.
    #[error(
        "none of the {answers} predictions (the first is for {answer}) has the id of one of the {rows} examples of the data (the first is {item}), but \
         {matching} of them match the column `{column}` of the data"
    )]
    OtherColumn {
        /// The number of predictions.
        answers: usize,
        /// The example of the first prediction.
        answer: String,
        /// The number of examples.
        rows: usize,
        /// The id of the first example.
        item: String,
        /// The column.
        column: String,
        /// The number of predictions with a value of it.
        matching: usize,
    },
    /// Several examples share an id, so a prediction by id is ambiguous.
    #[error("{} by several examples of the data: {names}; ids must be unique", ids(.names.count, "is shared", "are shared"))]
    DoubleRows {
        /// The ids.
        names: Names,
    },
    /// Rows of predictions without an id.
    #[error(
        "line {line}: the prediction has an empty id, and so have others; give every row its id, or leave the column out to match by row"
    )]
    EmptyIds {
        /// The first of them.
        line: u64,
    },
    /// Several predictions for one example.
    #[error("{} more than one prediction: {names}; keep one for each", ids(.names.count, "has", "have"))]
    DoubleAnswers {
        /// The ids, with the lines of their predictions.
        names: Names,
    },
    /// Predictions for examples that are not in the set.
    #[error("{} of {answers} predictions are for examples that are not in the data: {names}; are these predictions for another file?", .names.count)]
    Surplus {
        /// The examples they are for.
        names: Names,
        /// The number of predictions.
        answers: usize,
    },
    /// Predictions for row numbers that the set does not have.
    #[error(
        "{surplus} of {answers} predictions are for rows beyond the end of the data: it has {rows} rows, and the predictions have no ids; are these predictions for another file?"
    )]
    SurplusRows {
        /// The number of predictions without an example.
        surplus: usize,
        /// The number of predictions.
        answers: usize,
        /// The number of examples.
        rows: usize,
    },
    /// Labelled examples without a prediction.
    #[error("{} of {labelled} labelled examples have no prediction: {names}", .names.count)]
    Missing {
        /// The ids of the examples.
        names: Names,
        /// The number of labelled examples.
        labelled: usize,
    },
}

fn ids(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 id {one}") } else { format!("{count} ids {many}") }
}

/// Joins every prediction to its example, whatever the order of the predictions.
///
/// Unlabelled examples may have a prediction and need none. Ids made from the content of a pair may occur several times; these examples
/// share a prediction, which may be repeated if it is the same.
pub fn join<'a>(items: &'a [Item<'a>], answers: &'a [Answer], missing: Missing) -> Result<Joined<'a>, JoinError> {
    let by_id = answers.iter().filter(|answer| matches!(answer.key, Key::Id(_))).map(|answer| answer.line).min();
    let first = |wanted: fn(&Key) -> bool| answers.iter().filter(|answer| wanted(&answer.key)).map(|answer| answer.line).min();
    if let (Some(unnumbered), Some(numbered)) = (first(|key| matches!(key, Key::Row(_))), first(|key| matches!(key, Key::Index(_)))) {
        return Err(JoinError::MixedNumbers { numbered, unnumbered });
    }
    let by_row = first(|key| key.place().is_some());
    let predictions = match (by_id, by_row) {
        (None, None) => return Err(JoinError::NoAnswers { rows: items.len() }),
        (Some(by_id), Some(by_row)) => return Err(JoinError::MixedKeys { by_id, by_row }),
        (None, Some(_)) => by_place(items, answers)?,
        (Some(_), None) => by_ids(items, answers)?,
    };
    let joined = Joined { items, predictions, answers };
    if missing == Missing::Refuse {
        let absent: Vec<_> = joined.labelled().filter(|(_, row)| row.prediction.is_none()).map(|(_, row)| quoted(row.item.id)).collect();
        if !absent.is_empty() {
            return Err(JoinError::Missing { names: Names::of(absent.into_iter()), labelled: joined.labelled().count() });
        }
    }
    Ok(joined)
}

fn by_place<'a>(items: &[Item<'_>], answers: &'a [Answer]) -> Result<Vec<Option<&'a Prediction>>, JoinError> {
    let mut predictions: Vec<Option<&Prediction>> = vec![None; items.len()];
    let mut surplus = Vec::new();
    for answer in answers {
        let Some(place) = answer.key.place() else { continue };
        match predictions.get_mut(place) {
            None => surplus.push(answer),
            Some(Some(_)) => return Err(double_answers(answers)),
            Some(prediction) => *prediction = Some(&answer.prediction),
        }
    }
    if surplus.is_empty() { Ok(predictions) } else { Err(surplus_answers(items, answers, surplus)) }
}

fn by_ids<'a>(items: &[Item<'_>], answers: &'a [Answer]) -> Result<Vec<Option<&'a Prediction>>, JoinError> {
    let mut slots: HashMap<&str, Slot> = HashMap::with_capacity(answers.len());
    for answer in answers {
        let Key::Id(id) = &answer.key else { continue };
        let slot = slots.entry(id).or_insert(Slot { answer, rows: 0 });
        if std::ptr::eq(slot.answer, answer) {
            continue;
        }
        if !is_content_id(id) || slot.answer.prediction != answer.prediction {
            return Err(double_answers(answers));
        }
        // Which of several equal predictions is kept must not depend on their order.
        if answer.line < slot.answer.line {
            slot.answer = answer;
        }
    }
    let mut double = Vec::new();
    let mut predictions = Vec::with_capacity(items.len());
    for item in items {
        let slot = slots.get_mut(item.id);
        predictions.push(slot.as_ref().map(|slot| &slot.answer.prediction));
        let Some(slot) = slot else { continue };
        slot.rows += 1;
        if slot.rows == 2 && !is_content_id(item.id) {
            double.push(quoted(item.id));
        }
    }
    if !double.is_empty() {
        return Err(JoinError::DoubleRows { names: Names::of(double.into_iter()) });
    }
    let surplus: Vec<_> = slots.into_values().filter(|slot| slot.rows == 0).map(|slot| slot.answer).collect();
    if surplus.is_empty() { Ok(predictions) } else { Err(surplus_answers(items, answers, surplus)) }
}

/// A prediction, and the number of examples that use it.
struct Slot<'a> {
    answer: &'a Answer,
    rows: usize,
}

fn surplus_answers(items: &[Item<'_>], answers: &[Answer], mut surplus: Vec<&Answer>) -> JoinError {
    surplus.sort_by_key(|answer| (answer.line, &answer.key));
    if let Some(item) = items.first().filter(|_| surplus.len() == answers.len()) {
        let (answer, item, answers) = (surplus[0].key.to_string(), quoted(item.id), answers.len());
        return match matching_column(items, &surplus) {
            Some((column, matching)) => JoinError::OtherColumn { answers, answer, rows: items.len(), item, column, matching },
            None => JoinError::NothingMatches { answers, answer, rows: items.len(), item },
        };
    }
    if surplus.iter().any(|answer| answer.key.place().is_some()) {
        return JoinError::SurplusRows { surplus: surplus.len(), answers: answers.len(), rows: items.len() };
    }
    JoinError::Surplus { names: Names::of(surplus.iter().map(|answer| &answer.key)), answers: answers.len() }
}

/// The tag whose values most of the predictions match, and how many; `None` if it is not most of them, or if no value is unique.
fn matching_column(items: &[Item<'_>], answers: &[&Answer]) -> Option<(String, usize)> {
    let id = |answer: &&Answer| match &answer.key {
        Key::Id(id) => Some(id.clone()),
        Key::Row(_) | Key::Index(_) => None,
    };
    let wanted: HashSet<String> = answers.iter().filter_map(id).collect();
    let mut found: BTreeMap<&str, HashSet<&str>> = BTreeMap::new();
    let mut repeated: HashSet<&str> = HashSet::new();
    for (name, value) in items.iter().flat_map(|item| item.tags.iter()).filter(|(_, value)| wanted.contains(*value)) {
        if !found.entry(name).or_default().insert(value) {
            repeated.insert(name);
        }
    }
    let (name, values) = found.into_iter().filter(|(name, _)| !repeated.contains(name)).max_by_key(|(_, values)| values.len())?;
    (2 * values.len() > wanted.len()).then(|| (name.to_string(), values.len()))
}

fn double_answers(answers: &[Answer]) -> JoinError {
    let mut all: BTreeMap<&Key, Vec<&Answer>> = BTreeMap::new();
    for answer in answers {
        all.entry(&answer.key).or_default().push(answer);
    }
    let allowed = |key: &Key, answers: &[&Answer]| {
        let content = matches!(key, Key::Id(id) if is_content_id(id));
        content && answers.iter().all(|answer| answer.prediction == answers[0].prediction)
    };
    let mut double: Vec<(Vec<u64>, &Key)> = Vec::new();
    for (key, answers) in all {
        if answers.len() > 1 && !allowed(key, &answers) {
            let mut lines: Vec<u64> = answers.iter().map(|answer| answer.line).collect();
            lines.sort_unstable();
            double.push((lines, key));
        }
    }
    double.sort();
    if let [(lines, Key::Id(id))] = double.as_slice()
        && id.is_empty()
    {
        return JoinError::EmptyIds { line: lines[0] };
    }
    JoinError::DoubleAnswers { names: Names::of(double.iter().map(|(lines, key)| format!("{key} on lines {} and {}", lines[0], lines[1]))) }
}

/// An id as messages show it: ids come from files, and a message is one line.
pub(crate) fn quoted(id: &str) -> String {
    const LONG: usize = 60;
    let mut letters = id.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    let start: String = letters.by_ref().take(LONG).collect();
    if letters.next().is_some() { format!("`{start}...`") } else { format!("`{start}`") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::{Label, Prediction, content_id};
    use proptest::prelude::*;

    fn item(id: &str) -> Item<'_> {
        Item { id, gold: Some(Label::Neutral.into()), ..Item::default() }
    }

    fn lines(joined: &Joined<'_>) -> String {
        joined.predictions.iter().map(|found| found.map_or("-".to_string(), |found| joined.line(found).unwrap().to_string())).collect()
    }

    fn answers(ids: &[&str]) -> Vec<Answer> {
        let answer = |(line, id): (usize, &&str)| {
            let key = id.parse().map_or_else(|_| Key::Id(id.to_string()), Key::Row);
            Answer { key, prediction: Prediction::of(Label::Neutral), line: line as u64 + 1 }
        };
        ids.iter().enumerate().map(answer).collect()
    }

    /// Examples `a`, `b`, `c` and `d`, of which `d` is unlabelled, with predictions for the given ids (numbers are indices).
    #[track_caller]
    fn check(ids: &[&str], missing: Missing, expected: &str) {
        let mut items = ["a", "b", "c", "d"].map(item);
        items[3].gold = None;
        let answers = answers(ids);
        let found = match join(&items, &answers, missing) {
            Ok(joined) => lines(&joined),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn predictions_are_joined_to_examples_in_any_order() {
        check(&["c", "a", "b"], Missing::Refuse, "231-");
        check(&["2", "0", "1"], Missing::Refuse, "231-");
    }

    #[test]
    fn the_column_that_matches_the_predictions_is_named() {
        let tags = |n: usize| {
            let mut tags = Tags::default();
            tags.set("index", format!("x{n}"));
            tags.set("genre", "x1");
            tags
        };
        let tags: Vec<Tags<'static>> = (0..4).map(tags).collect();
        let items: Vec<Item<'_>> = tags.iter().map(|tags| Item { tags, ..item("#1234567812345678") }).collect();
        let error = |ids: &[&str]| join(&items, &answers(ids), Missing::Refuse).unwrap_err().to_string();
        let found = error(&["x0", "x2", "x1", "y"]);
        assert!(found.ends_with("but 3 of them match the column `index` of the data"), "{found}");
        assert!(error(&["x1", "y", "z"]).contains("are these predictions for another file?"));
    }

    #[test]
    fn an_unlabelled_example_may_have_a_prediction() {
        check(&["d", "c", "a", "b"], Missing::Refuse, "3421");
    }

    #[test]
    fn missing_predictions_are_named_unless_they_count_as_wrong() {
        check(&["b"], Missing::Refuse, "2 of 3 labelled examples have no prediction: `a`, `c`");
        check(&["b"], Missing::CountAsWrong, "-1--");
        check(&[], Missing::CountAsWrong, "there are no predictions for the 4 examples of the data");
    }

    #[test]
    fn surplus_predictions_are_named() {
        let expected = "4 of 7 predictions are for examples that are not in the data: `v`, `w`, `x` and 1 more; \
                        are these predictions for another file?";
        check(&["a", "b", "c", "v", "w", "x", "y"], Missing::CountAsWrong, expected);
        // Without ids, none can be ignored.
        let expected = "1 of 4 predictions are for rows beyond the end of the data: it has 4 rows, and the predictions have no ids; \
                        are these predictions for another file?";
        check(&["0", "1", "2", "4"], Missing::Refuse, expected);
    }

    #[test]
    fn predictions_for_another_file_are_recognised() {
        let expected = "none of the 2 predictions (the first is for `ex1`) matches one of the 4 examples of the data (the first is `a`); \
                        are these predictions for another file?";
        check(&["ex1", "ex2"], Missing::CountAsWrong, expected);
    }

    #[test]
    fn duplicate_predictions_are_named_with_their_lines() {
        let expected = "2 ids have more than one prediction: `b` on lines 1 and 3, `a` on lines 2 and 4; keep one for each";
        check(&["b", "a", "b", "a"], Missing::CountAsWrong, expected);
        let expected = "1 id has more than one prediction: row 1 (counted from 0) on lines 1 and 2; keep one for each";
        check(&["1", "1"], Missing::CountAsWrong, expected);
    }

    #[test]
    fn an_id_cannot_make_a_message_long() {
        assert_eq!(quoted("two\nlines"), "`two lines`");
        assert_eq!(quoted(&"é".repeat(1000)), format!("`{}...`", "é".repeat(60)));
    }

    #[test]
    fn ids_and_places_do_not_mix() {
        let expected = "line 1 has an id and line 2 has none; give an id to all predictions or to none";
        check(&["a", "1"], Missing::CountAsWrong, expected);
    }

    #[test]
    fn examples_with_the_same_id_are_refused() {
        let items = ["a", "a", "b"].map(item);
        let error = join(&items, &answers(&["a", "b"]), Missing::Refuse).unwrap_err();
        assert_eq!(error.to_string(), "1 id is shared by several examples of the data: `a`; ids must be unique");
        assert!(join(&items, &answers(&["0", "1", "2"]), Missing::Refuse).is_ok());
    }

    #[test]
    fn equal_pairs_share_a_prediction() {
        let id = content_id("a man sleeps", "a man rests");
        let items = [item(&id), item(&id)];
        let mut answers = answers(&[&id, &id]);
        let joined = join(&items, &answers, Missing::Refuse).unwrap();
        assert_eq!(lines(&joined), "11");
        answers[1].prediction = Prediction::of(Label::Entailment);
        assert!(matches!(join(&items, &answers, Missing::Refuse), Err(JoinError::DoubleAnswers { .. })));
    }

    proptest! {
        #[test]
        fn any_permutation_of_the_answers_gives_the_same(
            ids in proptest::collection::vec(prop_oneof!["[a-d]", "#(0{16}|1{16})"], 1..12),
            order in Just((0..12).collect::<Vec<usize>>()).prop_shuffle(),
            missing in prop_oneof![Just(Missing::Refuse), Just(Missing::CountAsWrong)],
        ) {
            let items: Vec<Item> = ["a", "b", "c", "#0000000000000000", "#0000000000000000", "#1111111111111111"].map(item).into();
            let sorted = answers(&ids.iter().map(String::as_str).collect::<Vec<_>>());
            let shuffled: Vec<Answer> = order.iter().filter_map(|&at| sorted.get(at).cloned()).collect();
            let lines_of = |answers: &[Answer]| join(&items, answers, missing).map(|joined| lines(&joined));
            prop_assert_eq!(lines_of(&sorted), lines_of(&shuffled));
        }
    }
}
