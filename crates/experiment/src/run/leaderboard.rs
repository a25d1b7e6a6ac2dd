//! The leaderboard: three or more models, ranked by accuracy under perturbation.

use super::heuristics::listed;
use crate::asking::ModelPredictions;
use crate::error::Error;
use crate::sets::{Role, TestSet};
use acidtest_evaluate::analysis::{AnalysisError, Paired, Testing, adjusted};
use acidtest_evaluate::measurement::{Measurement, Metric, SetId, Subject};
use acidtest_evaluate::report::{Cell, Section, SectionId, Table};
use acidtest_evaluate::statistics::clustered::ClusteredAccuracy;
use acidtest_evaluate::{Judged, Score};
use std::collections::HashMap;

/// What the ranks mean.
const RANKS: &str = "Rank: 1 plus the number of models that are significantly better on all perturbed examples together \
                     (or on the original examples, where there are none). Exact sign-flip test over clusters; p values are adjusted for \
                     all pairs of models (Tarone-Holm).";

/// One model on all perturbed examples.
struct Ranked<'a> {
    name: &'a str,
    original: Cell,
    right: Vec<bool>,
    perturbed: ClusteredAccuracy,
}

/// The name of all perturbed sets together.
const PERTURBED: &str = "perturbed";

/// The accuracy of every model on all perturbed examples together; empty without a leaderboard.
pub(super) fn measurements(sets: &[TestSet<'_>], models: &[ModelPredictions], judged: &[Vec<Judged<'_>>]) -> Vec<Measurement> {
    let places: Vec<usize> = (0..sets.len()).filter(|&place| sets[place].role == Role::Perturbed).collect();
    let Some(set) = SetId::together(PERTURBED, places.iter().map(|&place| &sets[place].id)).filter(|_| models.len() > 2) else {
        return Vec::new();
    };
    let of = |(model, judged): (&ModelPredictions, &Vec<Judged<'_>>)| {
        let right: Vec<bool> = places.iter().flat_map(|&place| judged[place].right()).collect();
        let clusters = clusters_of(&places, judged);
        let subject = Subject { model: &model.name, set: &set, scoring: places.first().map(|&place| judged[place].scoring) };
        subject.clustered(Metric::Accuracy, &ClusteredAccuracy::of(&right, &clusters))
    };
    models.iter().zip(judged).filter_map(of).collect()
}

/// The models by accuracy, with ties by significance; `None` for one or two models.
pub(super) fn section(sets: &[TestSet<'_>], models: &[ModelPredictions], judged: &[Vec<Judged<'_>>]) -> Result<Option<Section>, Error> {
    if models.len() < 3 {
        return Ok(None);
    }
    let is_perturbed = sets.iter().any(|set| set.role == Role::Perturbed);
    let role = if is_perturbed { Role::Perturbed } else { Role::Original };
    let places: Vec<usize> = (0..sets.len()).filter(|&place| sets[place].role == role).collect();
    let clusters = clusters_of(&places, &judged[0]);
    let mut ranked: Vec<Ranked<'_>> = Vec::new();
    for (model, judged) in models.iter().zip(judged) {
        let right: Vec<bool> = places.iter().flat_map(|&place| judged[place].right()).collect();
        let perturbed = ClusteredAccuracy::of(&right, &clusters);
        ranked.push(Ranked { name: &model.name, original: Cell::clustered(&Score::of(&judged[0]).clustered), right, perturbed });
    }
    ranked.sort_by_key(|one| std::cmp::Reverse(one.perturbed.proportion().count));
    let (ranks, behind_first) = ranks(&ranked, &clusters)?;
    let rows: Vec<Vec<Cell>> = ranked
        .iter()
        .zip(&ranks)
        .map(|(one, rank)| {
            let mut cells = vec![Cell::text(one.name), Cell::Count { count: *rank as u64 }, one.original.clone()];
            cells.extend(is_perturbed.then(|| Cell::clustered(&one.perturbed)));
            cells
        })
        .collect();
    let columns: &[&str] = if is_perturbed { &["rank", "original", "all perturbed"] } else { &["rank", "original"] };
    let best: Vec<String> = ranked.iter().zip(&ranks).filter(|(_, rank)| **rank == 1).map(|(one, _)| one.name.to_string()).collect();
    let note = match &best[..] {
        [one] if behind_first == ranked.len() - 1 => format!("{one} is significantly better than all other models."),
        [one] => format!("No model is significantly better than {one}."),
        several => format!("{} are not significantly different from each other, and no model is significantly better.", listed(several)),
    };
    let table = Table::keyed(&["model"], columns, rows);
    Ok(Some(Section::table(SectionId::Leaderboard, "Leaderboard", vec![note], table).captioned([RANKS.to_string()])))
}

/// The clusters of the examples of several sets; examples made from one premise are in one cluster, whatever their set.
fn clusters_of(places: &[usize], judged: &[Judged<'_>]) -> Vec<u32> {
    let mut numbers: HashMap<u64, u32> = HashMap::new();
    let scored = places.iter().flat_map(|&place| judged[place].scored());
    let number = |cluster: u64| {
        let next = numbers.len() as u32;
        *numbers.entry(cluster).or_insert(next)
    };
    scored.map(|(item, _)| item.cluster).map(number).collect()
}

/// The rank of each model, and how many models are significantly worse than the first.
fn ranks(ranked: &[Ranked<'_>], clusters: &[u32]) -> Result<(Vec<usize>, usize), AnalysisError> {
    let testing = Testing::default();
    let pairs: Vec<(usize, usize)> =
        (0..ranked.len()).flat_map(|first| (first + 1..ranked.len()).map(move |second| (first, second))).collect();
    let tests = pairs.iter().map(|&(first, second)| Paired::of(&ranked[first].right, &ranked[second].right, clusters, &testing));
    let tests = tests.collect::<Result<Vec<_>, _>>()?;
    let adjusted = adjusted(&tests, &testing)?;
    let (mut ranks, mut behind_first) = (vec![1; ranked.len()], 0);
    for ((&(first, second), test), p) in pairs.iter().zip(&tests).zip(adjusted) {
        // The first of a pair has the higher accuracy.
        if p < testing.plan.alpha && test.difference() > 0.0 {
            ranks[second] += 1;
            behind_first += usize::from(first == 0);
        }
    }
    Ok((ranks, behind_first))
}
