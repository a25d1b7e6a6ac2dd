//! The main table of a run: every model's accuracy on every set, and its drop under every challenge.

use super::heuristics::{self, SetReliance};
use crate::asking::ModelPredictions;
use crate::sets::{Role, TestSet};
use acidtest_challenge::Family;
use acidtest_evaluate::analysis::perturbation::{self, StressResult};
use acidtest_evaluate::analysis::templates;
use acidtest_evaluate::report::{Cell, ReportBlock, RowGroup, Section, SectionId, Table};
use acidtest_evaluate::statistics::clustered::ClusteredAccuracy;
use acidtest_evaluate::{Generalisation, Score};

/// The results of one model.
pub(super) struct ModelResults<'a> {
    pub(super) model: &'a ModelPredictions,
    /// Its scores on the sets, in their order.
    pub(super) scores: Vec<&'a Score>,
    /// Its accuracies with templates as clusters, on the sets that are generated from templates.
    pub(super) over_templates: Vec<Option<ClusteredAccuracy>>,
    /// Its drops, if a challenge was made from the original examples.
    pub(super) stress: Option<StressResult>,
    /// Whether it relies on the heuristics that sets contradict.
    pub(super) reliance: Vec<SetReliance<'a>>,
}

/// One table per model, and one more for each challenge that tests heuristics.
pub(super) fn section(sets: &[TestSet<'_>], models: &[ModelResults<'_>], unit: &Generalisation) -> Section {
    let mut blocks = Vec::new();
    for model in models {
        blocks.push(ReportBlock::Table(accuracies(sets, model).titled(&model.model.name)));
        blocks.extend(heuristics::tables(sets, model).into_iter().map(ReportBlock::Table));
    }
    let mut caption = vec!["n: labelled examples. Accuracy with 95 % Wilson intervals over clusters.".to_string()];
    if let Some(challenges) = models.iter().filter_map(|model| Some(model.stress.as_ref()?.challenges.len())).max() {
        caption.push(
            "Drop: accuracy on the original examples minus accuracy on the perturbed examples made from them, in points.".to_string(),
        );
        caption.push(perturbation::method(challenges));
    }
    caption.push(unit.sentence_of_sets());
    if models.iter().any(|model| !model.reliance.is_empty()) {
        caption.push("In the tables of heuristics, intervals and verdicts generalise to new templates.".to_string());
        caption.push(templates::rule());
    }
    Section::new(SectionId::Sets, "Accuracy and drop by challenge", Vec::new(), blocks).captioned(caption)
}

/// The sets in the order of all tables, with their places: easy pairs first, challenges of one family together, sets that test heuristics last.
pub(super) fn in_order<'a, 's>(sets: &'a [TestSet<'s>]) -> Vec<(usize, &'a TestSet<'s>)> {
    let mut order: Vec<(usize, &TestSet<'_>)> = sets.iter().enumerate().collect();
    order.sort_by_key(|(_, set)| (heuristics::is_of_heuristic(set), set.role != Role::Easy, set.family));
    order
}

fn accuracies(sets: &[TestSet<'_>], model: &ModelResults<'_>) -> Table {
    let drop = |set: &TestSet<'_>| {
        let effect = model.stress.iter().flat_map(|stress| &stress.challenges).find(|challenge| challenge.name == set.name());
        effect.filter(|_| set.role == Role::Perturbed).map_or(Cell::Empty {}, |effect| effect.drop_cell())
    };
    let (mut rows, mut groups): (Vec<Vec<Cell>>, Vec<RowGroup>) = (Vec::new(), Vec::new());
    let mut family: Option<Family> = None;
    for (place, set) in in_order(sets).into_iter().filter(|(_, set)| !heuristics::is_of_heuristic(set)) {
        if let Some(own) = set.family.filter(|own| Some(*own) != family) {
            groups.push(RowGroup { name: own.name().to_string(), first_row: rows.len() });
            family = Some(own);
        }
        let score = model.scores[place];
        rows.push(vec![Cell::text(set.name()), Cell::Count { count: score.accuracy.total }, Cell::of_set(&score.clustered), drop(set)]);
    }
    let table = match model.stress {
        Some(_) => Table::keyed(&["set"], &["n", "accuracy", "drop (points)"], rows),
        None => {
            rows.iter_mut().for_each(|row| row.truncate(3));
            Table::keyed(&["set"], &["n", "accuracy"], rows)
        }
    };
    Table { groups, ..table }
}
