//! Clean rows against the stressed rows that were made from them: what each challenge costs, and which answers flip.

use super::AnalysisError;
use super::paired::{Paired, Testing, holm};
use super::wording::{count, counted, grouped, in_points, p_cell, p_value, points};
use crate::breakdown::NO_VALUE;
use crate::generalisation::Generalisation;
use crate::measurement::{Against, Measurement, Metric, SetId, Subject};
use crate::natural_order;
use crate::report::{Cell, CrossTable, ReportBlock, Section, SectionId};
use crate::score::Score;
use crate::scoring::{Judged, ScoredAnswer, Scoring};
use crate::statistics::Proportion;
use crate::statistics::clustered::ClusteredAccuracy;
use acidtest_nli::{Judgment, tag};
use std::collections::{BTreeMap, HashMap};

/// What the challenges cost one model.
#[derive(Debug, Clone, PartialEq)]
pub struct StressResult {
    /// How the predictions were scored; its classes stand in the flip tables.
    pub scoring: Scoring,
    /// One entry a challenge.
    pub challenges: Vec<ChallengeEffect>,
    /// Labelled stressed rows whose parent is not among the labelled clean rows.
    pub orphans: usize,
    /// The level at which a drop is believed.
    pub alpha: f64,
    /// What drops say of others: the clusters are those of the parents.
    pub generalisation: Generalisation,
}

/// One challenge against the rows it was made from.
#[derive(Debug, Clone, PartialEq)]
pub struct ChallengeEffect {
    /// Its name, from the tag `challenge`.
    pub name: String,
    /// Accuracy on the parents, each counted as often as it has stressed rows.
    pub clean: Proportion,
    /// Accuracy on the stressed rows.
    pub stressed: Proportion,
    /// Accuracy on the parents, on the stressed rows, and the share of changed answers, over the clusters of the parents.
    pub shares: ClusteredShares,
    /// Clean less stressed, over the clusters of the parents.
    pub drop: Paired,
    /// Holm's adjusted p value over all challenges.
    pub holm_p: f64,
    /// Which clean answers became which stressed answers, most frequent first; those that stayed too.
    pub flips: Vec<Flip>,
}

/// The shares of a challenge, cluster by cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClusteredShares {
    /// Right answers to the parents.
    pub clean: ClusteredAccuracy,
    /// Right answers to the stressed rows.
    pub stressed: ClusteredAccuracy,
    /// Answers that changed.
    pub changed: ClusteredAccuracy,
}

/// Rows whose clean answer and stressed answer are these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flip {
    /// The answer to the parent; `None` where it is missing.
    pub clean: Option<Judgment>,
    /// The answer to the stressed row.
    pub stressed: Option<Judgment>,
    /// How many rows.
    pub rows: u64,
    /// How many of them had the right answer before.
    pub right_before: u64,
    /// How many of them have the right answer after.
    pub right_after: u64,
}

impl Flip {
    /// Whether the answer is another one than before.
    pub fn is_change(self) -> bool {
        self.clean != self.stressed
    }
}

impl ChallengeEffect {
    /// Rows whose answer changed.
    pub fn changed(&self) -> Proportion {
        let changed = self.flips.iter().filter(|flip| flip.is_change()).map(|flip| flip.rows).sum();
        Proportion { count: changed, total: self.stressed.total }
    }
}

/// Joins the rows of all stressed sets to the clean rows that they name in their tag `parent`; a stressed set may hold clean rows too.
///
/// Challenges are told apart by the tag `challenge`, in the order of their names.
pub fn compare(clean: &Judged<'_>, stressed: &[&Judged<'_>], testing: &Testing) -> Result<StressResult, AnalysisError> {
    if stressed.iter().any(|set| set.scoring != clean.scoring) {
        return Err(AnalysisError::DifferentScoring { first: "clean rows".to_string(), second: "stressed rows".to_string() });
    }
    // Rows of the same text may share an id and have different labels.
    let mut parents: HashMap<(&str, Option<Judgment>), (u32, ScoredAnswer)> = HashMap::new();
    // Parents of one premise depend on each other, and what is made of them does too.
    for (cluster, (item, outcome)) in clean.clusters().into_iter().zip(clean.scored()) {
        parents.entry((item.id, Some(outcome.gold))).or_insert((cluster, outcome));
        parents.entry((item.id, None)).or_insert((cluster, outcome));
    }
    let named_by_challenge = stressed.iter().any(|set| set.has_tag(tag::CHALLENGE));
    let mut groups: Vec<(Option<&str>, Vec<Match>)> = Vec::new();
    let (mut rows, mut orphans) = (0, 0);
    for (item, after) in stressed.iter().flat_map(|set| set.scored()) {
        rows += 1;
        // Rows without the tag are clean ones that stand in the same set.
        let Some(parent) = item.tags.get(tag::PARENT) else { continue };
        let of_label = parents.get(&(parent, Some(after.gold))).or_else(|| parents.get(&(parent, None)));
        let Some(&(cluster, before)) = of_label else {
            orphans += 1;
            continue;
        };
        let name = if named_by_challenge { item.tags.get(tag::CHALLENGE) } else { Some("all") };
        // The rows of one challenge stand together, so that the last group is the one nearly always.
        let place = groups.iter().rposition(|(other, _)| *other == name).unwrap_or_else(|| {
            groups.push((name, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(Match { cluster, before, after });
    }
    if groups.is_empty() {
        return Err(AnalysisError::NoParents { rows, clean: clean.scored().count() });
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
    let generalisation = Generalisation::of([clean]);
    Ok(StressResult { scoring: clean.scoring, challenges, orphans, alpha: testing.plan.alpha, generalisation })
}

/// Why drops say nothing of a model, where it is not significantly better than always giving the most frequent label.
pub fn no_better_than_majority(original: &Judged<'_>, testing: &Testing) -> Result<Option<String>, AnalysisError> {
    let Some((label, share)) = Score::of(original).majority() else { return Ok(None) };
    let majority: Vec<bool> = original.scored().map(|(_, outcome)| outcome.gold == label).collect();
    let found = Paired::of(&original.right(), &majority, &original.clusters(), testing)?;
    let is_better = found.difference() > 0.0 && found.p < testing.plan.alpha;
    let share = points(share.rate().unwrap_or(0.0));
    Ok((!is_better).then(|| {
        let p = p_value(found.p);
        let where_it_is =
            if found.difference() < 0.0 && found.p < testing.plan.alpha { "significantly below" } else { "not significantly above" };
        format!("that is {where_it_is} the {share} % of always answering {label} ({p}), so that no drop says anything about it.")
    }))
}

/// A stressed row beside its parent.
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
    let shares = ClusteredShares { clean: share(&before), stressed: share(&after), changed: share(&changed) };
    let mut flips: BTreeMap<(Option<Judgment>, Option<Judgment>), Flip> = BTreeMap::new();
    for row in rows {
        let (clean, stressed) = (row.before.answer, row.after.answer);
        let flip = flips.entry((clean, stressed)).or_insert(Flip { clean, stressed, rows: 0, right_before: 0, right_after: 0 });
        flip.rows += 1;
        flip.right_before += u64::from(row.before.is_right());
        flip.right_after += u64::from(row.after.is_right());
    }
    let mut flips: Vec<Flip> = flips.into_values().collect();
    flips.sort_by_key(|flip| std::cmp::Reverse(flip.rows));
    Ok(ChallengeEffect { name, clean: Proportion::of(&before), stressed: Proportion::of(&after), shares, drop, holm_p: drop.p, flips })
}

impl StressResult {
    /// What each challenge costs and how many predictions it changes; `sets` are those of the challenges, by name.
    pub fn measurements(&self, model: &str, clean: &SetId, sets: &[SetId]) -> Vec<Measurement> {
        let of = |challenge: &ChallengeEffect| {
            let set = sets.iter().find(|set| set.name == challenge.name)?;
            let subject = Subject { model, set, scoring: Some(self.scoring) };
            let drop = subject
                .number(Metric::Drop, challenge.drop.difference())
                .within_difference(challenge.drop.interval)
                .tested(challenge.holm_p);
            let drop = Measurement { against: Some(Against::Set(clean.clone())), ..drop };
            let changed = subject.share(Metric::Changed, challenge.changed())?.within(challenge.shares.changed.interval());
            Some([drop, Measurement { against: Some(Against::Set(clean.clone())), ..changed }])
        };
        self.challenges.iter().filter_map(of).flatten().collect()
    }

    /// One sentence a challenge.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences: Vec<String> = self.challenges.iter().map(|challenge| self.about(challenge)).collect();
        if self.orphans > 0 {
            let have = if self.orphans == 1 { "has" } else { "have" };
            sentences
                .push(format!("{} {have} no parent among the clean rows and could not be paired.", counted(self.orphans, "stressed row")));
        }
        sentences
    }

    fn about(&self, challenge: &ChallengeEffect) -> String {
        let (clean, stressed) = (challenge.clean.rate().unwrap_or(0.0), challenge.stressed.rate().unwrap_or(0.0));
        let rows = counted(challenge.stressed.total as usize, "row");
        let levels = format!("from {} % to {} % on {rows} ({})", points(clean), points(stressed), p_value(challenge.holm_p));
        let (drop, loss) = (challenge.drop.difference(), challenge.drop.bracket());
        let moved = match drop {
            _ if challenge.holm_p >= self.alpha => {
                let few = challenge.drop.too_few_clusters().map(|why| format!("; {why}")).unwrap_or_default();
                format!("{} shows no sure loss: {} points {loss}, {levels}{few}", challenge.name, points(drop))
            }
            drop if drop > 0.0 => format!("{} costs {} points {loss}, {levels}", challenge.name, points(drop)),
            drop => {
                let gain = challenge.drop.mirrored_bracket();
                format!("{} gains {} points {gain}, {levels}", challenge.name, points(-drop))
            }
        };
        let changes = challenge.flips.iter().find(|flip| flip.is_change());
        let Some(flip) = changes else { return format!("{moved}; no answer changed.") };
        let name = |answer: Option<Judgment>| answer.map_or("no answer", |answer| answer.name());
        format!(
            "{moved}; {} % of the answers changed, most often from {} to {} ({} rows, {} of them right before).",
            points(challenge.changed().rate().unwrap_or(0.0)),
            name(flip.clean),
            name(flip.stressed),
            grouped(flip.rows as usize),
            grouped(flip.right_before as usize)
        )
    }

    /// The drops of all challenges, then the flips of each.
    pub fn sections(&self) -> Vec<Section> {
        let rows = self.challenges.iter().map(|challenge| {
            let drop = &challenge.drop;
            let mut cells = vec![
                Cell::text(&challenge.name),
                count(challenge.stressed.total),
                count(drop.clusters as u64),
                Cell::clustered(&challenge.shares.clean),
                Cell::clustered(&challenge.shares.stressed),
                in_points(drop.difference()),
            ];
            cells.extend(drop.end_cells());
            cells.extend([count(drop.counts.first_only), count(drop.counts.second_only), p_cell(challenge.holm_p)]);
            cells.push(Cell::clustered(&challenge.shares.changed));
            cells
        });
        let columns = [
            "rows",
            "clusters",
            "clean",
            "stressed",
            "drop",
            "from",
            "to",
            "right to wrong",
            "wrong to right",
            "p (Holm)",
            "answer changed",
        ];
        let table = ReportBlock::table(&["challenge"], &columns, rows.collect());
        let mut notes = self.sentences();
        notes.push(format!(
            "{} The clusters are those of the parents. p values are corrected over the challenges by Holm's method after Tarone's, intervals are not.",
            self.generalisation.sentence_of_sets()
        ));
        let mut sections = vec![Section::new(SectionId::Stressed, "Clean against stressed", notes, vec![table])];
        sections.extend(self.challenges.iter().map(|challenge| {
            let notes = vec!["Which answers to the clean row became which answers to the stressed row.".to_string()];
            let blocks = vec![self.matrix(challenge), flip_table(challenge)];
            Section::new(SectionId::Flips(challenge.name.clone()), format!("Flips of {}", challenge.name), notes, blocks)
        }));
        sections
    }

    fn matrix(&self, challenge: &ChallengeEffect) -> ReportBlock {
        let missing = challenge.flips.iter().any(|flip| flip.clean.is_none() || flip.stressed.is_none());
        let answers: Vec<Option<Judgment>> = self.scoring.classes().iter().copied().map(Some).chain(missing.then_some(None)).collect();
        let names: Vec<String> = answers.iter().map(|answer| answer.map_or("missing".to_string(), |answer| answer.to_string())).collect();
        let rows = |clean: Option<Judgment>, stressed: Option<Judgment>| {
            let flips = challenge.flips.iter().filter(|flip| flip.clean == clean && flip.stressed == stressed);
            count(flips.map(|flip| flip.rows).sum())
        };
        let cells = answers.iter().map(|&clean| answers.iter().map(|&stressed| rows(clean, stressed)).collect()).collect();
        ReportBlock::Matrix(CrossTable {
            row_title: "clean".to_string(),
            column_title: "stressed".to_string(),
            row_names: names.clone(),
            column_names: names,
            cells,
        })
    }
}

fn flip_table(challenge: &ChallengeEffect) -> ReportBlock {
    let name = |answer: Option<Judgment>| Cell::text(answer.map_or("missing", |answer| answer.name()));
    let rows = challenge
        .flips
        .iter()
        .filter(|flip| flip.is_change())
        .map(|flip| vec![name(flip.clean), name(flip.stressed), count(flip.rows), count(flip.right_before), count(flip.right_after)]);
    ReportBlock::table(&["clean answer", "stressed answer"], &["rows", "right before", "right after"], rows.collect())
}
