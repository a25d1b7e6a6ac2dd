//! Original examples and the perturbed examples made from them: how far accuracy drops under each challenge, and which predictions change.

use super::AnalysisError;
use super::paired::{Paired, Testing, holm};
use super::standing::Standing;
use super::wording::{count, counted, grouped, p_cell, p_value, points};
use crate::breakdown::NO_VALUE;
use crate::generalisation::Generalisation;
use crate::measurement::{Against, Measurement, Metric, SetId, Subject};
use crate::natural_order;
use crate::report::{Cell, CrossTable, ReportBlock, Section, SectionId};
use crate::scoring::{Judged, ScoredAnswer, Scoring};
use crate::statistics::Proportion;
use crate::statistics::clustered::ClusteredAccuracy;
use acidtest_nli::{Judgment, tag};
use std::collections::{BTreeMap, HashMap};

/// The effect of the challenges on one model.
#[derive(Debug, Clone, PartialEq)]
pub struct StressResult {
    /// How the predictions were scored; its classes are those of the tables of changes.
    pub scoring: Scoring,
    /// One entry per challenge.
    pub challenges: Vec<ChallengeEffect>,
    /// Labelled perturbed examples whose parent is not among the labelled original ones.
    pub orphans: usize,
    /// The significance level.
    pub alpha: f64,
    /// What the drops generalise to: the clusters are those of the parents.
    pub generalisation: Generalisation,
}

/// One challenge against the examples it was made from.
#[derive(Debug, Clone, PartialEq)]
pub struct ChallengeEffect {
    /// Its name, from the tag `challenge`.
    pub name: String,
    /// Accuracy on the parents, each counted as often as it has perturbed examples.
    pub original: Proportion,
    /// Accuracy on the perturbed examples.
    pub perturbed: Proportion,
    /// Accuracy on the parents, on the perturbed examples, and the share of changed predictions, over the clusters of the parents.
    pub shares: ClusteredShares,
    /// Original minus perturbed accuracy, over the clusters of the parents.
    pub drop: Paired,
    /// Holm's adjusted p value over all challenges.
    pub holm_p: f64,
    /// Which predictions became which, most frequent first, including those that stayed the same.
    pub changes: Vec<PredictionChange>,
}

/// The accuracies of a challenge, by cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClusteredShares {
    /// Correct predictions for the parents.
    pub original: ClusteredAccuracy,
    /// Correct predictions for the perturbed examples.
    pub perturbed: ClusteredAccuracy,
    /// Predictions that changed.
    pub changed: ClusteredAccuracy,
}

/// Examples with a certain prediction for the original and for the perturbed pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PredictionChange {
    /// The prediction for the parent; `None` if it is missing.
    pub original: Option<Judgment>,
    /// The prediction for the perturbed example.
    pub perturbed: Option<Judgment>,
    /// How many examples.
    pub examples: u64,
    /// How many of them were correct before.
    pub correct_before: u64,
    /// How many of them are correct after.
    pub correct_after: u64,
}

impl PredictionChange {
    /// Whether the prediction differs.
    pub fn is_change(self) -> bool {
        self.original != self.perturbed
    }
}

/// How drops are tested and their intervals found.
pub fn method(challenges: usize) -> String {
    let adjusted = match challenges {
        0 | 1 => "one test, so its p value is not adjusted",
        _ => "p values adjusted for all tests (Tarone-Holm)",
    };
    format!("Exact sign-flip test over clusters (McNemar's test where each example is its own cluster), {adjusted}; Tango intervals.")
}

impl ChallengeEffect {
    /// Accuracy before and after: `65.8 % -> 44.3 %`.
    pub fn levels(&self) -> String {
        let percent = |share: Proportion| format!("{} %", points(share.rate().unwrap_or(0.0)));
        format!("{} -> {}", percent(self.original), percent(self.perturbed))
    }

    /// The drop with its interval and the mark of its p value.
    pub fn drop_cell(&self) -> Cell {
        self.drop.cell(self.holm_p)
    }

    /// Examples whose prediction changed.
    pub fn changed(&self) -> Proportion {
        let changed = self.changes.iter().filter(|change| change.is_change()).map(|change| change.examples).sum();
        Proportion { count: changed, total: self.perturbed.total }
    }
}

/// Joins the examples of all perturbed sets to the originals that they name in their tag `parent`; a perturbed set may contain original examples too.
///
/// Challenges are distinguished by the tag `challenge`, and sorted by name.
pub fn compare(original: &Judged<'_>, perturbed: &[&Judged<'_>], testing: &Testing) -> Result<StressResult, AnalysisError> {
    if perturbed.iter().any(|set| set.scoring != original.scoring) {
        return Err(AnalysisError::DifferentScoring { first: "original examples".to_string(), second: "perturbed examples".to_string() });
    }
    // Examples of the same text may share an id and have different labels.
    let mut parents: HashMap<(&str, Option<Judgment>), (u32, ScoredAnswer)> = HashMap::new();
    // Parents with one premise are dependent, and so are the examples made from them.
    for (cluster, (item, outcome)) in original.clusters().into_iter().zip(original.scored()) {
        parents.entry((item.id, Some(outcome.gold))).or_insert((cluster, outcome));
        parents.entry((item.id, None)).or_insert((cluster, outcome));
    }
    let named_by_challenge = perturbed.iter().any(|set| set.has_tag(tag::CHALLENGE));
    let mut groups: Vec<(Option<&str>, Vec<Match>)> = Vec::new();
    let (mut rows, mut orphans) = (0, 0);
    for (item, after) in perturbed.iter().flat_map(|set| set.scored()) {
        rows += 1;
        // Examples without the tag are originals in the same set.
        let Some(parent) = item.tags.get(tag::PARENT) else { continue };
        let of_label = parents.get(&(parent, Some(after.gold))).or_else(|| parents.get(&(parent, None)));
        let Some(&(cluster, before)) = of_label else {
            orphans += 1;
            continue;
        };
        let name = if named_by_challenge { item.tags.get(tag::CHALLENGE) } else { Some("all") };
        // The examples of one challenge are adjacent, so the last group is nearly always the right one.
        let place = groups.iter().rposition(|(other, _)| *other == name).unwrap_or_else(|| {
            groups.push((name, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(Match { cluster, before, after });
    }
    if groups.is_empty() {
        return Err(AnalysisError::NoParents { rows, original: original.scored().count() });
    }
    groups.sort_by(|(a, _), (b, _)| match (a, b) {
        (Some(a), Some(b)) => natural_order::compare(a, b),
        _ => a.is_none().cmp(&b.is_none()),
    });
    let challenges = groups.iter().map(|(name, rows)| challenge(name.unwrap_or(NO_VALUE).to_string(), rows, testing));
    let mut challenges = challenges.collect::<Result<Vec<_>, _>>()?;
    let adjusted = holm(challenges.iter().map(|challenge| challenge.drop), testing.plan.alpha)?;
    for (challenge, p) in challenges.iter_mut().zip(adjusted) {
        challenge.holm_p = p;
    }
    let generalisation = Generalisation::of([original]);
    Ok(StressResult { scoring: original.scoring, challenges, orphans, alpha: testing.plan.alpha, generalisation })
}

/// Why drops are not informative, if the model is not significantly better than the majority baseline.
pub fn no_better_than_majority(original: &Judged<'_>, testing: &Testing) -> Result<Option<String>, AnalysisError> {
    let standing = Standing::of(original, testing)?.filter(|standing| standing.place.is_not_above());
    Ok(standing.and_then(|standing| standing.clause()).map(|clause| format!("{clause}, so drops are not informative")))
}

/// A perturbed example with its parent.
#[derive(Clone, Copy)]
struct Match {
    /// The cluster of the parent.
    cluster: u32,
    before: ScoredAnswer,
    after: ScoredAnswer,
}

fn challenge(name: String, rows: &[Match], testing: &Testing) -> Result<ChallengeEffect, AnalysisError> {
    let before: Vec<bool> = rows.iter().map(|row| row.before.is_right()).collect();
    let after: Vec<bool> = rows.iter().map(|row| row.after.is_right()).collect();
    let clusters: Vec<u32> = rows.iter().map(|row| row.cluster).collect();
    let drop = Paired::of(&before, &after, &clusters, testing)?;
    let changed: Vec<bool> = rows.iter().map(|row| row.before.answer != row.after.answer).collect();
    let share = |rows: &[bool]| ClusteredAccuracy::of(rows, &clusters);
    let shares = ClusteredShares { original: share(&before), perturbed: share(&after), changed: share(&changed) };
    let mut changes: BTreeMap<(Option<Judgment>, Option<Judgment>), PredictionChange> = BTreeMap::new();
    for row in rows {
        let (original, perturbed) = (row.before.answer, row.after.answer);
        let change = changes.entry((original, perturbed)).or_insert(PredictionChange {
            original,
            perturbed,
            examples: 0,
            correct_before: 0,
            correct_after: 0,
        });
        change.examples += 1;
        change.correct_before += u64::from(row.before.is_right());
        change.correct_after += u64::from(row.after.is_right());
    }
    let mut changes: Vec<PredictionChange> = changes.into_values().collect();
    changes.sort_by_key(|change| std::cmp::Reverse(change.examples));
    Ok(ChallengeEffect {
        name,
        original: Proportion::of(&before),
        perturbed: Proportion::of(&after),
        shares,
        drop,
        holm_p: drop.p,
        changes,
    })
}

impl StressResult {
    /// The drop under each challenge and how many predictions change; `sets` are those of the challenges, by name.
    pub fn measurements(&self, model: &str, original: &SetId, sets: &[SetId]) -> Vec<Measurement> {
        let of = |challenge: &ChallengeEffect| {
            let set = sets.iter().find(|set| set.name == challenge.name)?;
            let subject = Subject { model, set, scoring: Some(self.scoring) };
            let drop = challenge.drop.measured(subject.number(Metric::Drop, challenge.drop.difference()), challenge.holm_p);
            let drop = Measurement { against: Some(Against::Set(original.clone())), ..drop };
            let changed = subject.clustered(Metric::Changed, &challenge.shares.changed)?;
            // A challenge may leave some of the original examples alone, so accuracy on its parents is a number of its own.
            let parents = Subject { set: original, ..subject }.clustered(Metric::Accuracy, &challenge.shares.original)?;
            let parents = parents.with("parents of", &challenge.name);
            Some([drop, Measurement { against: Some(Against::Set(original.clone())), ..changed }, parents])
        };
        self.challenges.iter().filter_map(of).flatten().collect()
    }

    /// One sentence per challenge.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences: Vec<String> = self.challenges.iter().map(|challenge| self.about(challenge)).collect();
        if self.orphans > 0 {
            let have = if self.orphans == 1 { "has" } else { "have" };
            let perturbed = counted(self.orphans, "perturbed example");
            sentences.push(format!("{perturbed} {have} no parent among the original examples and could not be paired."));
        }
        sentences
    }

    /// Challenges under which accuracy drops significantly, the largest drop first.
    pub fn significant_drops(&self) -> Vec<&ChallengeEffect> {
        let drop = |challenge: &ChallengeEffect| challenge.drop.difference();
        let mut drops: Vec<_> = self.challenges.iter().filter(|one| one.holm_p < self.alpha && drop(one) > 0.0).collect();
        drops.sort_by(|a, b| drop(b).total_cmp(&drop(a)));
        drops
    }

    fn about(&self, challenge: &ChallengeEffect) -> String {
        let name = &challenge.name;
        let examples = counted(challenge.perturbed.total as usize, "example");
        let (drop, interval, p) = (challenge.drop.difference(), challenge.drop.bracket(), p_value(challenge.holm_p));
        let moved = match drop {
            _ if challenge.holm_p >= self.alpha => {
                let few = challenge.drop.too_few_clusters().map(|why| format!("; {why}")).unwrap_or_default();
                format!("{name}: no significant drop, {} points {interval} on {examples} ({p}{few})", points(drop))
            }
            drop if drop > 0.0 => {
                format!("{name}: accuracy drops by {} points {interval}, {} on {examples} ({p})", points(drop), challenge.levels())
            }
            drop => {
                let gain = challenge.drop.mirrored_bracket();
                format!("{name}: accuracy rises by {} points {gain}, {} on {examples} ({p})", points(-drop), challenge.levels())
            }
        };
        let Some(change) = challenge.changes.iter().find(|change| change.is_change()) else {
            return format!("{moved}; no prediction changes.");
        };
        let label = |prediction: Option<Judgment>| prediction.map_or("no prediction", |label| label.name());
        format!(
            "{moved}; {} % of the predictions change, most often from {} to {} ({}, {} of them correct before).",
            points(challenge.changed().rate().unwrap_or(0.0)),
            label(change.original),
            label(change.perturbed),
            counted(change.examples as usize, "example"),
            grouped(change.correct_before as usize)
        )
    }

    /// The drops under all challenges, then the predictions that each changes.
    pub fn sections(&self) -> Vec<Section> {
        let rows = self.challenges.iter().map(|challenge| {
            let drop = &challenge.drop;
            vec![
                Cell::text(&challenge.name),
                count(challenge.perturbed.total),
                count(drop.clusters as u64),
                Cell::clustered(&challenge.shares.original),
                Cell::clustered(&challenge.shares.perturbed),
                challenge.drop_cell(),
                p_cell(challenge.holm_p),
                count(drop.counts.first_only),
                count(drop.counts.second_only),
                Cell::clustered(&challenge.shares.changed),
            ]
        });
        let columns = [
            "n",
            "clusters",
            "original",
            "perturbed",
            "drop (points)",
            "p (Holm)",
            "correct to wrong",
            "wrong to correct",
            "prediction changes",
        ];
        let table = ReportBlock::table(&["challenge"], &columns, rows.collect());
        let caption = [
            "Accuracy on the perturbed examples and on the original examples they were made from. Drop: original minus perturbed accuracy, in points."
                .to_string(),
            format!("{} A perturbed example is in the cluster of its parent.", self.generalisation.sentence_of_sets()),
            method(self.challenges.len()),
        ];
        let drops = Section::new(SectionId::Perturbed, "Original vs. perturbed", self.sentences(), vec![table]).captioned(caption);
        let mut sections = vec![drops];
        sections.extend(self.challenges.iter().map(|challenge| {
            let blocks = vec![self.matrix(challenge), change_table(challenge)];
            let id = SectionId::PredictionChanges(challenge.name.clone());
            let caption = "Examples by the prediction for the original pair and the prediction for the perturbed pair.".to_string();
            Section::new(id, format!("Prediction changes under {}", challenge.name), Vec::new(), blocks).captioned([caption])
        }));
        sections
    }

    fn matrix(&self, challenge: &ChallengeEffect) -> ReportBlock {
        let missing = challenge.changes.iter().any(|change| change.original.is_none() || change.perturbed.is_none());
        let answers: Vec<Option<Judgment>> = self.scoring.classes().iter().copied().map(Some).chain(missing.then_some(None)).collect();
        let names: Vec<String> = answers.iter().map(|answer| answer.map_or("missing".to_string(), |answer| answer.to_string())).collect();
        let rows = |original: Option<Judgment>, perturbed: Option<Judgment>| {
            let changes = challenge.changes.iter().filter(|change| change.original == original && change.perturbed == perturbed);
            count(changes.map(|change| change.examples).sum())
        };
        let cells = answers.iter().map(|&original| answers.iter().map(|&perturbed| rows(original, perturbed)).collect()).collect();
        ReportBlock::Matrix(CrossTable {
            row_title: "original".to_string(),
            column_title: "perturbed".to_string(),
            row_names: names.clone(),
            column_names: names,
            cells,
        })
    }
}

fn change_table(challenge: &ChallengeEffect) -> ReportBlock {
    let name = |prediction: Option<Judgment>| Cell::text(prediction.map_or("missing", |label| label.name()));
    let rows = challenge.changes.iter().filter(|change| change.is_change()).map(|change| {
        let numbers = [change.examples, change.correct_before, change.correct_after].map(count);
        [name(change.original), name(change.perturbed)].into_iter().chain(numbers).collect()
    });
    ReportBlock::table(&["original prediction", "perturbed prediction"], &["examples", "correct before", "correct after"], rows.collect())
}
