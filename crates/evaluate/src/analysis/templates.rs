//! Accuracy with templates as clusters: what generated pairs show for new templates, rather than for new sentences from the same templates.

use super::hans::{is_hans, place};
use super::paired::Testing;
use super::reliance::{BELOW_A_COIN, Doubt, LEAST_EXAMPLES, Otherwise, PredictionVariety, Reliance};
use super::standing::{Informative, Standing};
use super::wording::{clustered_share, count, counted, points};
use crate::breakdown::GOLD;
use crate::measurement::{Measurement, Subject};
use crate::report::{Cell, ReportBlock, Section, SectionId};
use crate::scoring::Judged;
use crate::statistics::clustered::{ClusteredAccuracy, Trust};
use acidtest_nli::{Judgment, Label, tag};
use std::collections::BTreeMap;

/// One model on a set whose pairs are all generated from templates.
#[derive(Debug, Clone, PartialEq)]
pub struct NewTemplates {
    /// The accuracy on all pairs.
    pub all: ClusteredAccuracy,
    /// By heuristic and gold label, entailed pairs first, for sets with the tags of HANS.
    pub heuristics: Vec<HeuristicTemplates>,
}

/// One heuristic of a HANS set.
#[derive(Debug, Clone, PartialEq)]
pub struct HeuristicTemplates {
    /// Its name.
    pub name: String,
    /// Accuracy on entailed pairs, where it is right, and on non-entailed pairs, where it is wrong.
    pub accuracies: [ClusteredAccuracy; 2],
    /// Whether the model relies on it.
    pub reliance: Reliance,
}

/// For each pair, whether it is predicted correctly, and the number of its template.
type RightByTemplate = (Vec<bool>, Vec<u32>);

/// What the predictions show for new templates; `None` unless every pair is generated from one.
pub fn new_templates(judged: &Judged<'_>) -> Option<NewTemplates> {
    let templates = judged.templates()?;
    let all = judged.over_templates().filter(|all| all.proportion().total > 0)?;
    if !is_hans(judged) {
        return Some(NewTemplates { all, heuristics: Vec::new() });
    }
    let mut by_heuristic: BTreeMap<(usize, &str), [RightByTemplate; 2]> = BTreeMap::new();
    for ((item, outcome), &template) in judged.scored().zip(&templates) {
        let heuristic = item.tags.get(tag::HEURISTIC).unwrap_or_default();
        let [entailed, other] = by_heuristic.entry((place(heuristic), heuristic)).or_default();
        let (right, clusters) = if outcome.gold.is_entailment() { entailed } else { other };
        right.push(outcome.is_right());
        clusters.push(template);
    }
    let predictions = PredictionVariety::of(judged.scored().map(|(_, outcome)| outcome.answer));
    let standing = Standing::of(judged, &Testing::default()).ok().flatten();
    let informative = standing.map_or(Informative::Yes, |standing| standing.informative());
    let otherwise = Otherwise { predictions, same_error: None, informative };
    let heuristic = |((_, name), parts): ((usize, &str), [RightByTemplate; 2])| {
        let accuracies = parts.map(|(right, clusters)| ClusteredAccuracy::of(&right, &clusters));
        HeuristicTemplates { name: name.to_string(), reliance: Reliance::of_counterexamples(&accuracies[1], &otherwise), accuracies }
    };
    Some(NewTemplates { all, heuristics: by_heuristic.into_iter().map(heuristic).collect() })
}

/// The accuracy over templates, or a remark that one template says nothing about others.
pub fn template_cell(accuracy: &ClusteredAccuracy) -> Cell {
    match (accuracy.proportion().total, accuracy.trust()) {
        (0, _) => Cell::Empty {},
        (_, Trust::NotEstimable) => Cell::text("not estimable"),
        _ => Cell::clustered(accuracy),
    }
}

/// The caption that says what intervals over templates generalise to.
pub const UNIT: &str = "Intervals in this table treat all pairs of one template as a cluster, so they generalise to new templates. Intervals \
                        in the other tables generalise only to new sentences from the same templates.";

impl NewTemplates {
    /// Whether the model relies on the heuristics, one sentence each.
    pub fn sentences(&self) -> Vec<String> {
        let about = |one: &HeuristicTemplates| {
            let (name, accuracy) = (one.name.replace('_', "-"), clustered_share(&one.accuracies[1]));
            let seen = format!(
                "accuracy on the non-entailed pairs is {accuracy}, over {}",
                counted(one.accuracies[1].clusters() as usize, "template")
            );
            match &one.reliance {
                Reliance::CannotTell { why: Doubt::Interval(_), .. } => {
                    format!("New templates: whether the model relies on the {name} heuristic is inconclusive: {seen}.")
                }
                Reliance::CannotTell { why, .. } => {
                    format!("New templates: whether the model relies on the {name} heuristic is inconclusive: {why}.")
                }
                Reliance::ReliesOn(_) => format!("New templates: the model relies on the {name} heuristic: {seen}."),
                Reliance::DoesNotRelyOn(_) => format!("New templates: the model does not rely on the {name} heuristic: {seen}."),
            }
        };
        if self.all.trust() == Trust::NotEstimable {
            return vec!["New templates: not estimable, because all pairs come from one template.".to_string()];
        }
        self.heuristics.iter().map(about).collect()
    }

    /// The accuracies over templates, of all pairs and by heuristic and gold label.
    pub fn measurements(&self, subject: Subject<'_>) -> Vec<Measurement> {
        let mut all: Vec<Measurement> = subject.over_templates(&self.all).into_iter().collect();
        for one in &self.heuristics {
            for (gold, accuracy) in [Judgment::from(Label::Entailment), Judgment::NotEntailment].into_iter().zip(&one.accuracies) {
                let of_group = |found: Measurement| found.with(tag::HEURISTIC, &one.name).with(GOLD, gold.name());
                all.extend(subject.over_templates(accuracy).map(of_group));
            }
        }
        all
    }

    /// The accuracies over templates with the verdicts.
    pub fn section(&self) -> Section {
        let row = |name: &str, gold: &str, accuracy: &ClusteredAccuracy, verdict: Cell| {
            let counts = [accuracy.proportion().total, accuracy.clusters()].map(count);
            [Cell::text(name), Cell::text(gold)].into_iter().chain(counts).chain([template_cell(accuracy), verdict]).collect::<Vec<Cell>>()
        };
        let mut rows = vec![row("all", "all", &self.all, Cell::Empty {})];
        for one in &self.heuristics {
            let [entailed, other] = &one.accuracies;
            let name = one.name.replace('_', "-");
            rows.push(row(&name, Label::Entailment.name(), entailed, Cell::Empty {}));
            rows.push(row(&name, Judgment::NotEntailment.name(), other, Cell::text(one.reliance.verdict())));
        }
        let caption = [UNIT.to_string()].into_iter().chain((!self.heuristics.is_empty()).then(rule));
        let table = ReportBlock::table(&["heuristic", "gold label"], &["n", "templates", "accuracy", "verdict"], rows);
        Section::new(SectionId::NewTemplates, "New templates", self.sentences(), vec![table]).captioned(caption)
    }
}

/// The rule behind verdicts on sets of counterexamples.
pub fn rule() -> String {
    format!(
        "Verdict: a model relies on a heuristic if the interval of its accuracy on non-entailed pairs lies below {border} % (chance is 50 %), and \
         does not if it lies above. The result is inconclusive otherwise, with fewer than {LEAST_EXAMPLES} pairs, or if the model also predicts entailment where the heuristic does not apply.",
        border = points(0.5 - BELOW_A_COIN)
    )
}
