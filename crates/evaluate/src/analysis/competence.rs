//! What the competence tests of Naik et al. 2018 show beyond accuracy: which errors a model makes (section 4.3, table 7), and which antonym pairs
//! two models get right or wrong.

use super::wording::{clustered_share, count, counted, number};
use super::{AnalysisError, Candidate, require_same_rows};
use crate::generalisation::Generalisation;
use crate::measurement::{Measurement, Metric, SetId, Subject};
use crate::report::{Cell, ReportBlock, Section, SectionId, Table, TableColumn};
use crate::scoring::{Judged, ScoredAnswer};
use crate::statistics::Proportion;
use crate::statistics::clustered::ClusteredAccuracy;
use acidtest_nli::{Judgment, Tags, tag};
use std::collections::{BTreeMap, BTreeSet};

/// The errors on antonym or numeric pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct CompetenceErrors {
    /// Gold label, wrong prediction, and how many of all errors are of this kind; the most frequent first.
    pub kinds: Vec<(Judgment, Judgment, ClusteredAccuracy)>,
    /// For each phrase of a numeric set, its accuracy.
    pub phrases: Vec<(String, ClusteredAccuracy)>,
    errors: usize,
    generalisation: Generalisation,
}

/// The errors of a model on a set that has antonym or numeric pairs; nothing for other sets, and for predictions without errors.
pub fn competence_errors(judged: &Judged<'_>) -> Option<CompetenceErrors> {
    let scored: Vec<(&Tags<'_>, ScoredAnswer, u32)> =
        judged.scored().zip(judged.clusters()).map(|((row, outcome), cluster)| (row.tags, outcome, cluster)).collect();
    let has = |name: &str| scored.iter().any(|(tags, _, _)| tags.get(name).is_some());
    if !has(tag::ANTONYM_PAIR) && !has(tag::NUMBER_PHRASE) {
        return None;
    }
    let share = |among: &dyn Fn(&Tags<'_>, ScoredAnswer) -> bool, rule: &dyn Fn(ScoredAnswer) -> bool| {
        let chosen = scored.iter().filter(|(tags, outcome, _)| among(tags, *outcome));
        let (held, clusters): (Vec<bool>, Vec<u32>) = chosen.map(|(_, outcome, cluster)| (rule(*outcome), *cluster)).unzip();
        ClusteredAccuracy::of(&held, &clusters)
    };
    let kinds: BTreeSet<(Judgment, Judgment)> =
        scored.iter().filter_map(|(_, outcome, _)| Some((outcome.gold, outcome.answer?))).filter(|(gold, answer)| gold != answer).collect();
    let mut kinds: Vec<(Judgment, Judgment, ClusteredAccuracy)> = kinds
        .into_iter()
        .map(|(gold, answer)| {
            let of_kind = |outcome: ScoredAnswer| outcome.gold == gold && outcome.answer == Some(answer);
            (gold, answer, share(&|_, outcome| !outcome.is_right(), &of_kind))
        })
        .collect();
    kinds.sort_by_key(|(_, _, share)| std::cmp::Reverse(share.proportion().count));
    let phrases: BTreeSet<&str> = scored.iter().filter_map(|(tags, _, _)| tags.get(tag::NUMBER_PHRASE)).collect();
    let accuracy = |phrase: &&str| {
        let found = share(&|tags, _| tags.get(tag::NUMBER_PHRASE) == Some(phrase), &ScoredAnswer::is_right);
        (phrase.to_string(), found)
    };
    let errors = scored.iter().filter(|(_, outcome, _)| !outcome.is_right()).count();
    let phrases = phrases.iter().map(accuracy).collect();
    Some(CompetenceErrors { kinds, phrases, errors, generalisation: Generalisation::of([judged]) })
}

impl CompetenceErrors {
    /// How many errors of each kind, and accuracy by phrase.
    pub fn section(&self) -> Section {
        let mut notes = Vec::new();
        if let Some((gold, answer, share)) = self.kinds.first() {
            let errors = counted(self.errors, "error");
            notes.push(format!("The most frequent error is predicting {answer} for {gold} pairs: {} of {errors}.", clustered_share(share)));
        }
        let row = |(gold, answer, share): &(Judgment, Judgment, ClusteredAccuracy)| {
            vec![Cell::text(gold.name()), Cell::text(answer.name()), Cell::of_group(share), count(share.proportion().count)]
        };
        let columns = ["gold", "prediction"].map(TableColumn::left).into_iter();
        let columns = columns.chain(["share of all errors", "errors"].map(TableColumn::right)).collect();
        let mut blocks = vec![ReportBlock::Table(Table::new(2, columns, self.kinds.iter().map(row).collect()))];
        if !self.phrases.is_empty() {
            let row = |(phrase, accuracy): &(String, ClusteredAccuracy)| {
                vec![Cell::text(phrase), Cell::of_group(accuracy), count(accuracy.proportion().total)]
            };
            blocks.push(ReportBlock::table(&["phrase"], &["accuracy", "n"], self.phrases.iter().map(row).collect()));
        }
        let caption = self.generalisation.sentence_of_sets();
        Section::new(SectionId::Competence, "Errors on the competence test", notes, blocks).captioned([caption])
    }

    /// The same numbers, typed.
    pub fn measurements(&self, subject: Subject<'_>) -> Vec<Measurement> {
        let kind = |(gold, answer, share): &(Judgment, Judgment, ClusteredAccuracy)| {
            let found = subject.clustered(Metric::Errors, share)?;
            Some(found.with("of all errors, gold", gold.name()).with("prediction", answer.name()))
        };
        let phrase = |(phrase, accuracy): &(String, ClusteredAccuracy)| {
            Some(subject.clustered(Metric::Accuracy, accuracy)?.with(tag::NUMBER_PHRASE, phrase))
        };
        self.kinds.iter().filter_map(kind).chain(self.phrases.iter().filter_map(phrase)).collect()
    }
}

/// Which antonym pairs two models get right or wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct AntonymGroups {
    /// The two models.
    pub models: [String; 2],
    /// Both right, both wrong, only the first right, only the second right.
    pub groups: [AntonymGroup; 4],
}

/// The antonym pairs of the examples of one outcome.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AntonymGroup {
    /// How many examples.
    pub examples: u64,
    /// How many examples have antonyms of each type.
    pub types: BTreeMap<String, u64>,
    /// The distinct pairs, with how many contradictions of the training data have them, where that is known.
    pub pairs: BTreeMap<String, Option<u64>>,
    /// The examples to show, by their places in the set, with their antonym pairs: the first example of each of a few pairs.
    pub shown: Vec<(usize, String)>,
}

/// How many examples of each group are shown.
const SHOWN: usize = 3;

impl AntonymGroup {
    /// Counts an example with this place in the set.
    fn add(&mut self, place: usize, pair: &str, kind: &str, seen: Option<u64>) {
        self.examples += 1;
        *self.types.entry(kind.to_string()).or_default() += 1;
        let is_new = self.pairs.insert(pair.to_string(), seen).is_none();
        if is_new && self.shown.len() < SHOWN {
            self.shown.push((place, pair.to_string()));
        }
    }

    /// Of the pairs whose counts in the training data are known, how many are there at all.
    pub fn seen(&self) -> Proportion {
        let known: Vec<u64> = self.pairs.values().copied().flatten().collect();
        Proportion { count: known.iter().filter(|count| **count > 0).count() as u64, total: known.len() as u64 }
    }

    /// How often a pair is in the training data, on average; none where that is not known.
    pub fn mean_count(&self) -> Option<f64> {
        let known: Vec<u64> = self.pairs.values().copied().flatten().collect();
        (!known.is_empty()).then(|| known.iter().sum::<u64>() as f64 / known.len() as f64)
    }
}

/// Sorts antonym pairs by which of two models is right: the best and the worst of several. Nothing for sets without antonym pairs.
pub fn antonym_groups(candidates: &[Candidate<'_>]) -> Result<Option<AntonymGroups>, AnalysisError> {
    require_same_rows(candidates)?;
    let right = |candidate: &Candidate<'_>| candidate.judged.right().iter().filter(|right| **right).count();
    let (first, second) = match candidates {
        [first, second] => (first, second),
        _ => {
            let best = candidates.iter().max_by_key(|candidate| right(candidate));
            let worst = candidates.iter().min_by_key(|candidate| right(candidate));
            match (best, worst) {
                (Some(best), Some(worst)) if candidates.len() > 2 => (best, worst),
                _ => return Ok(None),
            }
        }
    };
    let mut groups: [AntonymGroup; 4] = Default::default();
    let places = first.judged.outcomes.iter().enumerate().filter_map(|(place, outcome)| outcome.map(|_| place));
    for (place, ((row, a), (_, b))) in places.zip(first.judged.scored().zip(second.judged.scored())) {
        let Some(pair) = row.tags.get(tag::ANTONYM_PAIR) else { continue };
        let group = match (a.is_right(), b.is_right()) {
            (true, true) => &mut groups[0],
            (false, false) => &mut groups[1],
            (true, false) => &mut groups[2],
            (false, true) => &mut groups[3],
        };
        let seen = row.tags.get(tag::TRAINING_COUNT).and_then(|count| count.parse().ok());
        group.add(place, pair, row.tags.get(tag::ANTONYM_TYPE).unwrap_or("unknown"), seen);
    }
    let found = groups.iter().any(|group| group.examples > 0);
    Ok(found.then(|| AntonymGroups { models: [first.name.to_string(), second.name.to_string()], groups }))
}

impl AntonymGroups {
    fn named(&self) -> impl Iterator<Item = (String, &AntonymGroup)> {
        let [first, second] = &self.models;
        let names = ["both right".to_string(), "both wrong".to_string(), format!("only {first} right"), format!("only {second} right")];
        names.into_iter().zip(&self.groups)
    }

    fn types(&self) -> BTreeSet<&str> {
        self.groups.iter().flat_map(|group| group.types.keys().map(String::as_str)).collect()
    }

    /// The groups with their pairs, how often these are in the training data, and their types.
    pub fn section(&self) -> Section {
        let knows = self.groups.iter().any(|group| group.mean_count().is_some());
        let row = |(name, group): (String, &AntonymGroup)| {
            let mut cells = vec![Cell::text(name), count(group.examples), count(group.pairs.len() as u64)];
            if knows {
                cells.extend([Cell::rate_of_group(group.seen()), group.mean_count().map_or(Cell::number(None, 1), |mean| number(mean, 1))]);
            }
            cells
        };
        let mut columns = vec!["examples", "pairs"];
        if knows {
            columns.extend(["seen in training", "mean count"]);
        }
        let pairs = ReportBlock::table(&["predictions"], &columns, self.named().map(row).collect());
        let types: Vec<&str> = self.types().into_iter().collect();
        let row = |(name, group): (String, &AntonymGroup)| {
            let share = |kind: &&str| {
                Cell::rate_of_group(Proportion { count: group.types.get(*kind).copied().unwrap_or(0), total: group.examples })
            };
            [Cell::text(name)].into_iter().chain(types.iter().map(share)).collect()
        };
        let by_type = ReportBlock::table(&["predictions"], &types, self.named().map(row).collect());
        let note = match knows {
            true => "A pair was seen in training if a contradiction there has one word in the premise and the other in the hypothesis.",
            false => "Build the set with training data to see how often each pair occurs in contradictions there.",
        };
        Section::new(SectionId::AntonymGroups, "Antonym pairs by prediction", vec![note.to_string()], vec![pairs, by_type])
    }

    /// A few examples of each group, of different antonym pairs; `texts` gives the sentences of the example at a place in the set.
    pub fn examples<'t>(&self, texts: impl Fn(usize) -> (&'t str, &'t str)) -> ReportBlock {
        let texts = &texts;
        let rows = self.named().flat_map(|(name, group)| {
            group.shown.iter().map(move |(place, pair)| {
                let (premise, hypothesis) = texts(*place);
                vec![Cell::text(format!("{name}: {pair}")), Cell::text(premise), Cell::text(hypothesis)]
            })
        });
        ReportBlock::table(&["predictions: antonyms", "premise", "hypothesis"], &[], rows.collect())
    }

    /// The same numbers, typed.
    pub fn measurements(&self, set: &SetId) -> Vec<Measurement> {
        let subject = Subject::corpus(set);
        let of_group = |(name, group): (String, &AntonymGroup)| {
            let share =
                |what: &str, value: &str, counts| Some(subject.share(Metric::Share, counts)?.with("predictions", &name).with(what, value));
            let seen = share("antonym pairs", "seen in training", group.seen());
            let types =
                group.types.iter().map(|(kind, &count)| share(tag::ANTONYM_TYPE, kind, Proportion { count, total: group.examples }));
            let mut all = vec![subject.examples(group.examples).with("predictions", &name)];
            all.extend(seen.into_iter().chain(types.flatten()));
            all
        };
        self.named().flat_map(of_group).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::{Item, Missing, Predictions};
    use crate::scoring::Scoring;
    use acidtest_nli::{Label, Prediction};

    /// A pair with its antonyms, type and training count, and what two models predict.
    type Row = (&'static str, &'static str, &'static str, Label, Label);

    const ROWS: [Row; 5] = [
        ("new-old", "gradable", "3", Label::Contradiction, Label::Contradiction),
        ("man-woman", "complementary", "40", Label::Contradiction, Label::Entailment),
        ("man-woman", "complementary", "40", Label::Entailment, Label::Entailment),
        ("dead-alive", "complementary", "0", Label::Entailment, Label::Neutral),
        ("buy-sell", "relational", "0", Label::Neutral, Label::Contradiction),
    ];

    fn tags() -> Vec<Tags<'static>> {
        let tags = |(pair, kind, seen, _, _): &Row| {
            let mut tags = Tags::default();
            tags.set(tag::ANTONYM_PAIR, *pair);
            tags.set(tag::ANTONYM_TYPE, *kind);
            tags.set(tag::TRAINING_COUNT, *seen);
            tags
        };
        ROWS.iter().map(tags).collect()
    }

    fn predictions(answer: impl Fn(&Row) -> Label) -> Predictions {
        Predictions::InOrder(ROWS.iter().map(|row| Prediction::of(answer(row))).collect())
    }

    fn judged<'a>(items: &'a [Item<'a>], predictions: &'a Predictions) -> Judged<'a> {
        Scoring::ThreeWay.judge(predictions.join(items, Missing::Refuse).unwrap()).unwrap()
    }

    #[test]
    fn errors_are_counted_by_gold_label_and_prediction() {
        let tags = tags();
        let gold = Some(Label::Contradiction.into());
        let items: Vec<Item<'_>> = tags.iter().zip(0..).map(|(tags, cluster)| Item { gold, tags, cluster, ..Item::default() }).collect();
        let predictions = predictions(|row| row.3);
        let found = competence_errors(&judged(&items, &predictions)).unwrap();
        let counts: Vec<(Judgment, u64)> = found.kinds.iter().map(|(_, answer, share)| (*answer, share.proportion().count)).collect();
        assert_eq!(counts, [(Label::Entailment.into(), 2), (Label::Neutral.into(), 1)]);
        assert_eq!(found.kinds[0].2.proportion().total, 3);
        let plain: Vec<Item<'_>> = (0..5).map(|cluster| Item { gold, cluster, ..Item::default() }).collect();
        assert_eq!(competence_errors(&judged(&plain, &predictions)), None, "no antonym pairs");
    }

    #[test]
    fn antonym_pairs_are_sorted_by_which_model_is_right() {
        let tags = tags();
        let gold = Some(Label::Contradiction.into());
        let items: Vec<Item<'_>> = tags.iter().zip(0..).map(|(tags, cluster)| Item { gold, tags, cluster, ..Item::default() }).collect();
        let (first, second) = (predictions(|row| row.3), predictions(|row| row.4));
        let (a, b) = (judged(&items, &first), judged(&items, &second));
        let candidates = [Candidate { name: "a", judged: &a }, Candidate { name: "b", judged: &b }];
        let AntonymGroups { groups: [right, wrong, only_a, only_b], .. } = antonym_groups(&candidates).unwrap().unwrap();
        assert_eq!([&right, &wrong, &only_a, &only_b].map(|group| group.examples), [1, 2, 1, 1]);
        assert_eq!((wrong.pairs.len(), wrong.seen(), wrong.mean_count()), (2, Proportion { count: 1, total: 2 }, Some(20.0)));
        assert_eq!((only_b.types["relational"], only_b.mean_count()), (1, Some(0.0)));
        assert_eq!([&right, &wrong, &only_a, &only_b].map(places), [vec![0], vec![2, 3], vec![1], vec![4]]);
    }

    fn places(group: &AntonymGroup) -> Vec<usize> {
        group.shown.iter().map(|(place, _)| *place).collect()
    }

    #[test]
    fn groups_show_examples_of_different_antonym_pairs() {
        let pairs = ["a-b", "a-b", "c-d", "a-b", "e-f", "g-h"];
        let mut group = AntonymGroup::default();
        for (at, pair) in pairs.iter().enumerate() {
            group.add(at, pair, "gradable", None);
        }
        assert_eq!(places(&group), [0, 2, 4], "the first of each pair");
        let mut few = AntonymGroup::default();
        few.add(7, "a-b", "gradable", None);
        few.add(9, "a-b", "gradable", None);
        assert_eq!(places(&few), [7]);
    }

    #[test]
    fn examples_are_shown_with_their_sentences() {
        let tags = tags();
        let gold = Some(Label::Contradiction.into());
        let items: Vec<Item<'_>> = tags.iter().zip(0..).map(|(tags, cluster)| Item { gold, tags, cluster, ..Item::default() }).collect();
        let (first, second) = (predictions(|row| row.3), predictions(|row| row.4));
        let (a, b) = (judged(&items, &first), judged(&items, &second));
        let found = antonym_groups(&[Candidate { name: "a", judged: &a }, Candidate { name: "b", judged: &b }]).unwrap().unwrap();
        let texts: Vec<(String, String)> = ROWS.iter().enumerate().map(|(at, _)| (format!("p{at}"), format!("h{at}"))).collect();
        let shown = found.examples(|at| (texts[at].0.as_str(), texts[at].1.as_str()));
        let ReportBlock::Table(table) = shown else { panic!("a table") };
        let words = |row: &Vec<Cell>| {
            row.iter().map(|cell| if let Cell::Text { text } = cell { text.clone() } else { String::new() }).collect::<Vec<_>>()
        };
        assert_eq!(words(&table.rows[0]), ["both right: new-old", "p0", "h0"]);
        assert_eq!(words(&table.rows[4]), ["only b right: buy-sell", "p4", "h4"]);
        assert_eq!(table.rows.len(), 5);
    }
}
