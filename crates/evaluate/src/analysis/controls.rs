//! Sets with matched controls (after Nie et al. 2018, tables 2 and 4): what a model predicts, and whether it is right on an example and on its control.
//!
//! An example and its control have the same hypothesis and different gold labels. A model that looks at words only fails the examples, one that rejects whatever sounds
//! unnatural fails the controls, and nothing that reads the hypothesis alone is right on both.

use super::wording::{clustered_share, count, counted};
use crate::generalisation::Generalisation;
use crate::measurement::{Measurement, Metric, SetId, Subject};
use crate::report::{Cell, FEWEST_EXAMPLES, ReportBlock, Section, SectionId, Table, TableColumn};
use crate::scoring::{Judged, ScoredAnswer, Scoring};
use crate::statistics::clustered::ClusteredAccuracy;
use acidtest_nli::{Judgment, Label, Tags, tag};
use std::collections::{BTreeMap, HashMap};

/// The labels in the order of the paper's tables.
const LABELS: [Label; 3] = [Label::Entailment, Label::Contradiction, Label::Neutral];

/// One model on the sets that have matched controls.
#[derive(Debug, Clone, PartialEq)]
pub struct ControlledResult {
    /// The model.
    pub model: String,
    /// Each part of each challenge.
    pub parts: Vec<PartResult>,
    /// Each challenge with its controls.
    pub joint: Vec<JointResult>,
    generalisation: Generalisation,
    scoring: Scoring,
}

/// One model on the examples or the controls of a challenge.
#[derive(Debug, Clone, PartialEq)]
pub struct PartResult {
    /// The challenge.
    pub challenge: String,
    /// `test` or `control`.
    pub part: String,
    /// The share of correct predictions.
    pub accuracy: ClusteredAccuracy,
    /// How often entailment, contradiction and neutral are predicted.
    pub shares: [ClusteredAccuracy; 3],
    /// The accuracy of a model that reads the hypothesis alone, where one was trained.
    pub hypothesis_only: Option<ClusteredAccuracy>,
}

/// One model on the examples of a challenge that have a control.
#[derive(Debug, Clone, PartialEq)]
pub struct JointResult {
    /// The challenge.
    pub challenge: String,
    /// Correct on the example.
    pub test: ClusteredAccuracy,
    /// Correct on its control.
    pub control: ClusteredAccuracy,
    /// Correct on both.
    pub both: ClusteredAccuracy,
}

/// A challenge and a part of its set; the tests come before their controls.
type PartKey<'t> = (&'t str, std::cmp::Reverse<&'t str>);
/// The id, the cluster and the outcome of an example.
type Scored<'t> = (&'t str, u64, ScoredAnswer);

/// The part of an example that has, or is, a matched control.
fn part_of<'t>(tags: &'t Tags<'_>) -> Option<(&'t str, &'t str)> {
    Some((tags.get(tag::CHALLENGE)?, tags.get(tag::PART)?))
}

/// A model on all examples of these sets that have, or are, matched controls; nothing without any. The map has the predictions of a model that reads the
/// hypothesis alone, by id, where there is one.
pub fn with_controls<'j, 'a: 'j>(
    model: &str,
    judged: impl IntoIterator<Item = &'j Judged<'a>>,
    hypothesis_only: Option<&HashMap<&str, Option<Judgment>>>,
) -> Option<ControlledResult> {
    let judged: Vec<&Judged<'_>> = judged.into_iter().collect();
    let mut parts: BTreeMap<PartKey<'_>, Vec<Scored<'_>>> = BTreeMap::new();
    let mut controls: HashMap<(&str, &str), ScoredAnswer> = HashMap::new();
    for (item, outcome) in judged.iter().flat_map(|judged| judged.scored()) {
        let Some((challenge, part)) = part_of(item.tags) else { continue };
        parts.entry((challenge, std::cmp::Reverse(part))).or_default().push((item.id, item.cluster, outcome));
        if let Some(of) = item.tags.get(tag::CONTROL_OF) {
            controls.insert((challenge, of), outcome);
        }
    }
    let first = judged.first().filter(|_| !parts.is_empty())?;
    let mut joint = Vec::new();
    for ((challenge, _), examples) in &parts {
        let paired = examples.iter().filter_map(|(id, cluster, outcome)| Some((*cluster, *outcome, *controls.get(&(*challenge, *id))?)));
        let paired: Vec<(u64, ScoredAnswer, ScoredAnswer)> = paired.collect();
        if paired.is_empty() {
            continue;
        }
        let clusters: Vec<u64> = paired.iter().map(|(cluster, ..)| *cluster).collect();
        let share = |rule: &dyn Fn(ScoredAnswer, ScoredAnswer) -> bool| {
            ClusteredAccuracy::of(&paired.iter().map(|(_, test, control)| rule(*test, *control)).collect::<Vec<_>>(), &clusters)
        };
        joint.push(JointResult {
            challenge: challenge.to_string(),
            test: share(&|test, _| test.is_right()),
            control: share(&|_, control| control.is_right()),
            both: share(&|test, control| test.is_right() && control.is_right()),
        });
    }
    let part = |((challenge, part), examples): (PartKey<'_>, Vec<Scored<'_>>)| {
        let clusters: Vec<u64> = examples.iter().map(|(_, cluster, _)| *cluster).collect();
        let share = |rule: &dyn Fn(&str, ScoredAnswer) -> bool| {
            ClusteredAccuracy::of(&examples.iter().map(|(id, _, outcome)| rule(id, *outcome)).collect::<Vec<_>>(), &clusters)
        };
        PartResult {
            challenge: challenge.to_string(),
            part: part.0.to_string(),
            accuracy: share(&|_, outcome| outcome.is_right()),
            shares: LABELS.map(|label| share(&|_, outcome| outcome.answer == Some(label.into()))),
            hypothesis_only: hypothesis_only
                .map(|said| share(&|id, outcome| said.get(id).copied().flatten().is_some_and(|label| label == outcome.gold))),
        }
    };
    let (scoring, generalisation) = (first.scoring, Generalisation::of(judged.iter().copied()));
    let parts = parts.into_iter().map(part).collect();
    Some(ControlledResult { model: model.to_string(), parts, joint, generalisation, scoring })
}

/// The sets of all models: accuracy with the shares of the labels, and examples together with their controls.
pub fn controls_section(results: &[ControlledResult]) -> Option<Section> {
    let first = results.first()?;
    let several = results.len() > 1;
    let keys = |model: &str, challenge: &str| {
        let model = several.then(|| Cell::text(model));
        model.into_iter().chain([Cell::text(challenge)]).collect::<Vec<_>>()
    };
    let table = |key: &[&str], columns: &[&str], rows: Vec<Vec<Cell>>| {
        let keys: Vec<TableColumn> = several.then_some("model").into_iter().chain(key.iter().copied()).map(TableColumn::left).collect();
        let key_columns = keys.len();
        Table::new(key_columns, keys.into_iter().chain(columns.iter().copied().map(TableColumn::right)).collect(), rows)
    };
    let has_baseline = results.iter().flat_map(|result| &result.parts).any(|part| part.hypothesis_only.is_some());
    let part_row = |result: &ControlledResult, part: &PartResult| {
        let mut cells = keys(&result.model, &part.challenge);
        cells.push(Cell::text(&part.part));
        cells.push(count(part.accuracy.proportion().total));
        cells.push(Cell::of_group(&part.accuracy));
        cells.extend(part.shares.iter().map(Cell::of_group));
        if has_baseline {
            cells.push(part.hypothesis_only.as_ref().map_or(Cell::Empty {}, Cell::of_group));
        }
        cells
    };
    let joint_row = |result: &ControlledResult, joint: &JointResult| {
        let mut cells = keys(&result.model, &joint.challenge);
        cells.push(count(joint.both.proportion().total));
        cells.extend([&joint.test, &joint.control, &joint.both].map(Cell::of_group));
        cells
    };
    let parts = results.iter().flat_map(|result| result.parts.iter().map(|part| part_row(result, part)).collect::<Vec<_>>()).collect();
    let joint: Vec<Vec<Cell>> =
        results.iter().flat_map(|result| result.joint.iter().map(|joint| joint_row(result, joint)).collect::<Vec<_>>()).collect();
    let mut columns = vec!["n", "accuracy", "entailment", "contradiction", "neutral"];
    columns.extend(has_baseline.then_some("hypothesis only"));
    let mut blocks =
        vec![ReportBlock::Table(table(&["challenge", "part"], &columns, parts).titled("Accuracy and share of each predicted label"))];
    if !joint.is_empty() {
        let joint = table(&["challenge"], &["n", "example", "control", "both"], joint);
        blocks.push(ReportBlock::Table(joint.titled("Accuracy on examples that have a control, on their controls, and on both")));
    }
    let notes = results.iter().flat_map(ControlledResult::sentences).collect();
    let meaning = "An example and its control have the same hypothesis: a model that only looks at words fails on the examples, and one that rejects \
                   unnatural sentences fails on the controls.";
    let mut captions = vec![meaning.to_string()];
    if !has_baseline {
        captions.push("No hypothesis-only baseline, because no training data were given.".to_string());
    }
    captions.push(first.generalisation.sentence_of_sets());
    Some(Section::new(SectionId::Controls, "Sets with matched controls", notes, blocks).captioned(captions))
}

impl ControlledResult {
    /// One sentence for each challenge that has controls.
    fn sentences(&self) -> impl Iterator<Item = String> {
        self.joint.iter().map(|joint| {
            let total = joint.both.proportion().total;
            if total < FEWEST_EXAMPLES {
                let examples = counted(total as usize, "example");
                return format!(
                    "{} on {}: only {examples} with a control, and at least {FEWEST_EXAMPLES} are needed.",
                    self.model, joint.challenge
                );
            }
            let entailed = self
                .parts
                .iter()
                .find(|part| part.challenge == joint.challenge && part.part == "test")
                .map(|part| format!("; it predicts entailment for {} of all examples", clustered_share(&part.shares[0])));
            format!(
                "{} on {}: on {} with a control, accuracy is {}; on their controls, {}; both are correct in {}{}.",
                self.model,
                joint.challenge,
                counted(total as usize, "example"),
                clustered_share(&joint.test),
                clustered_share(&joint.control),
                clustered_share(&joint.both),
                entailed.unwrap_or_default()
            )
        })
    }

    /// The same numbers, typed.
    pub fn measurements(&self, set: &SetId) -> Vec<Measurement> {
        let subject = Subject { model: &self.model, set, scoring: Some(self.scoring) };
        let mut all = Vec::new();
        for part in &self.parts {
            let of_part = |found: Measurement| found.with(tag::CHALLENGE, &part.challenge).with(tag::PART, &part.part);
            all.extend(subject.clustered(Metric::Accuracy, &part.accuracy).map(of_part));
            for (label, share) in LABELS.iter().zip(&part.shares) {
                all.extend(subject.clustered(Metric::Share, share).map(|found| of_part(found).with("prediction", label.name())));
            }
            let baseline = part.hypothesis_only.as_ref().and_then(|accuracy| subject.clustered(Metric::Accuracy, accuracy));
            all.extend(baseline.map(|found| of_part(found).with("baseline", "hypothesis only")));
        }
        for joint in &self.joint {
            for (what, share) in [("example", &joint.test), ("control", &joint.control), ("both", &joint.both)] {
                let found = subject.clustered(Metric::Accuracy, share);
                all.extend(found.map(|found| found.with(tag::CHALLENGE, &joint.challenge).with("correct with a control", what)));
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::{Item, Missing, Predictions};
    use acidtest_nli::Prediction;

    /// Id, part, the example that a control belongs to, gold label.
    const ROWS: [(&str, &str, &str, Label); 5] = [
        ("a", "test", "", Label::Neutral),
        ("a/control", "control", "a", Label::Entailment),
        ("b", "test", "", Label::Neutral),
        ("b/control", "control", "b", Label::Entailment),
        ("c", "test", "", Label::Neutral),
    ];

    fn found(predictions: [Label; 5]) -> ControlledResult {
        let tags: Vec<Tags<'static>> = ROWS
            .iter()
            .map(|(_, part, of, _)| {
                let mut tags = Tags::default();
                tags.set(tag::CHALLENGE, "added-modifier");
                tags.set(tag::PART, *part);
                if !of.is_empty() {
                    tags.set(tag::CONTROL_OF, *of);
                }
                tags
            })
            .collect();
        let items: Vec<Item<'_>> = ROWS
            .iter()
            .zip(&tags)
            .zip(0..)
            .map(|((row, tags), cluster)| Item { id: row.0, gold: Some(row.3.into()), tags, cluster, ..Item::default() })
            .collect();
        let predictions = Predictions::InOrder(predictions.map(Prediction::of).to_vec());
        let judged = Scoring::ThreeWay.judge(predictions.join(&items, Missing::Refuse).unwrap()).unwrap();
        let always = ROWS.iter().map(|row| (row.0, Some(Judgment::from(Label::Neutral)))).collect();
        with_controls("m", [&judged], Some(&always)).unwrap()
    }

    fn rate(share: &ClusteredAccuracy) -> (u64, u64) {
        (share.proportion().count, share.proportion().total)
    }

    #[test]
    fn examples_count_together_with_their_controls() {
        use Label::{Entailment as E, Neutral as N};
        let result = found([N, E, N, N, E]);
        let joint = &result.joint[0];
        assert_eq!([rate(&joint.test), rate(&joint.control), rate(&joint.both)], [(2, 2), (1, 2), (1, 2)], "c has no control");
        assert_eq!(rate(&result.parts[0].accuracy), (2, 3));
        assert_eq!(result.parts[0].shares.each_ref().map(rate), [(1, 3), (0, 3), (2, 3)]);
    }

    #[test]
    fn what_rejects_everything_fails_the_controls_and_what_accepts_everything_fails_the_examples() {
        let rejects = found([Label::Neutral; 5]);
        assert_eq!((rate(&rejects.joint[0].test), rate(&rejects.joint[0].both)), ((2, 2), (0, 2)));
        let accepts = found([Label::Entailment; 5]);
        assert_eq!((rate(&accepts.joint[0].control), rate(&accepts.joint[0].both)), ((2, 2), (0, 2)));
    }

    #[test]
    fn the_hypothesis_alone_is_a_baseline_for_both_parts() {
        let result = found([Label::Entailment; 5]);
        let baselines: Vec<(u64, u64)> = result.parts.iter().filter_map(|part| part.hypothesis_only.as_ref()).map(rate).collect();
        assert_eq!(baselines, [(3, 3), (0, 2)]);
    }

    #[test]
    fn few_examples_show_counts_and_support_no_sentence() {
        let section = controls_section(&[found([Label::Neutral; 5])]).unwrap();
        assert_eq!(section.notes, ["m on added-modifier: only 2 examples with a control, and at least 30 are needed."]);
        let page = format!("{section:?}");
        assert!(page.contains("CountsOnly") && !page.contains("mark: None") && !page.contains("Rough"), "{page}");
    }

    #[test]
    fn every_share_is_a_measurement() {
        let result = found([Label::Entailment; 5]);
        let set = SetId::of("x", Vec::new(), &[]);
        assert_eq!(result.measurements(&set).len(), 2 * (1 + 3 + 1) + 3);
        assert!(controls_section(&[result]).is_some() && controls_section(&[]).is_none());
    }
}
