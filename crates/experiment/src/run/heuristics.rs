//! Sets that support and contradict heuristics, as in HANS: entailed and non-entailed pairs of each heuristic.

use super::main_table::ModelResults;
use crate::asking::ModelPredictions;
use crate::sets::TestSet;
use acidtest_evaluate::analysis::diagnosis::DiagnosisResult;
use acidtest_evaluate::analysis::reliance::{Otherwise, PredictionVariety, Reliance};
use acidtest_evaluate::analysis::standing::Informative;
use acidtest_evaluate::analysis::templates::{self, template_cell};
use acidtest_evaluate::measurement::{Measurement, Subject};
use acidtest_evaluate::report::{Cell, Section, SectionId, Table};
use acidtest_evaluate::statistics::Proportion;
use acidtest_evaluate::statistics::clustered::ClusteredAccuracy;
use acidtest_evaluate::{GOLD, Judged};
use acidtest_model::heuristic::HEURISTICS;
use acidtest_nli::{Judgment, Label, Named, tag};

/// One model on a set of pairs that all contradict a heuristic.
pub(super) struct SetReliance<'a> {
    set: &'a str,
    heuristic: &'a str,
    made_by: Option<&'a str>,
    /// How often the model predicts entailment, which is wrong for all of these pairs.
    entailment: Proportion,
    reliance: Reliance,
}

/// Whether the examples of a set share a heuristic and a gold label.
pub(super) fn is_of_heuristic(set: &TestSet<'_>) -> bool {
    set.id.value(tag::HEURISTIC).is_some() && set.id.value(GOLD).is_some()
}

/// What the original examples show about a model.
pub(super) struct OnOriginal<'a> {
    /// How closely it follows each heuristic there, if the examples have text.
    pub(super) diagnosis: Option<(&'a DiagnosisResult, usize)>,
    /// Whether it is better than the majority baseline.
    pub(super) informative: Informative,
}

impl OnOriginal<'_> {
    /// How often the heuristic's label is predicted wrongly where neither this nor another heuristic of the sets applies: those of HANS
    /// apply only to pairs with full overlap.
    /// only to pairs with full overlap.
    fn same_error(&self, heuristic: &str) -> Option<ClusteredAccuracy> {
        let (found, model) = self.diagnosis?;
        let known = ["lexical-overlap", "subsequence", "constituent"].contains(&shown(heuristic).as_str());
        let overlap = found.heuristics.iter().find(|one| known && one.name == "lexical-overlap")?;
        overlap.models[model].elsewhere
    }
}

/// Whether a model relies on the heuristics that sets contradict, judged over templates and compared with its errors elsewhere.
pub(super) fn reliance_of<'a>(sets: &'a [TestSet<'_>], judged: &[Judged<'_>], original: &OnOriginal<'_>) -> Vec<SetReliance<'a>> {
    let of_challenge = |title: Option<&str>| {
        let own = sets.iter().zip(judged).filter(|(set, _)| is_of_heuristic(set) && set.made_by.as_deref() == title);
        PredictionVariety::of(own.flat_map(|(_, judged)| judged.scored().map(|(_, outcome)| outcome.answer.map(Judgment::is_entailment))))
    };
    let of = |(set, judged): (&'a TestSet<'_>, &Judged<'_>)| {
        let heuristic = set.id.value(tag::HEURISTIC).filter(|_| set.id.value(GOLD) == Some(Judgment::NotEntailment.name()))?;
        let otherwise = Otherwise {
            predictions: of_challenge(set.made_by.as_deref()),
            same_error: original.same_error(heuristic),
            informative: original.informative,
        };
        let reliance = Reliance::of_counterexamples(&judged.over_templates()?, &otherwise);
        let entailed: Vec<bool> = judged.scored().map(|(_, outcome)| outcome.answer.is_some_and(Judgment::is_entailment)).collect();
        let entailment = Proportion::of(&entailed);
        Some(SetReliance { set: set.name(), heuristic, made_by: set.made_by.as_deref(), entailment, reliance })
    };
    sets.iter().zip(judged).filter_map(of).collect()
}

/// The heuristics, by their names in reports, for which sets decide whether a model relies on them.
pub(super) fn settled(reliance: &[SetReliance<'_>]) -> Vec<String> {
    let told = reliance.iter().filter(|one| !matches!(one.reliance, Reliance::CannotTell { .. }));
    told.map(|one| shown(one.heuristic)).collect()
}

/// The name of a heuristic in reports: `lexical-overlap`, which HANS spells `lexical_overlap`.
fn shown(heuristic: &str) -> String {
    heuristic.replace('_', "-")
}

/// The titles of the challenges that test heuristics, each once.
fn titles<'s>(sets: &'s [TestSet<'_>]) -> Vec<&'s str> {
    let mut titles: Vec<&str> = sets.iter().filter(|set| is_of_heuristic(set)).filter_map(|set| set.made_by.as_deref()).collect();
    titles.dedup();
    titles
}

/// One table per challenge that tests heuristics: accuracy on entailed and non-entailed pairs, and the verdict.
pub(super) fn tables(sets: &[TestSet<'_>], model: &ModelResults<'_>) -> Vec<Table> {
    titles(sets).into_iter().map(|title| table(title, sets, model)).collect()
}

fn table(title: &str, sets: &[TestSet<'_>], model: &ModelResults<'_>) -> Table {
    let results = || model.scores.iter().zip(&model.over_templates);
    let own = || sets.iter().zip(results()).filter(|(set, _)| set.made_by.as_deref() == Some(title));
    let mut heuristics: Vec<&str> = own().filter_map(|(set, _)| set.id.value(tag::HEURISTIC)).collect();
    let mut seen = Vec::new();
    heuristics.retain(|heuristic| {
        !seen.contains(heuristic) && {
            seen.push(*heuristic);
            true
        }
    });
    let row = |heuristic: &str| {
        let of = |gold: Judgment| {
            own().find(|(set, _)| set.id.value(tag::HEURISTIC) == Some(heuristic) && set.id.value(GOLD) == Some(gold.name()))
        };
        let pairs = [of(Label::Entailment.into()), of(Judgment::NotEntailment)];
        let n = pairs.iter().flatten().map(|(_, (score, _))| score.accuracy.total).sum();
        let own = model.reliance.iter().find(|one| one.made_by == Some(title) && one.heuristic == heuristic);
        let mut cells = vec![Cell::text(shown(heuristic)), Cell::Count { count: n }];
        cells.extend(pairs.map(|pair| match pair {
            Some((_, (_, Some(over_templates)))) => template_cell(over_templates),
            Some((_, (score, None))) => Cell::clustered(&score.clustered),
            None => Cell::Empty {},
        }));
        cells.push(own.map_or(Cell::Empty {}, |own| Cell::text(own.reliance.verdict())));
        cells
    };
    let rows = heuristics.into_iter().map(row).collect();
    let table = Table::keyed(&["heuristic"], &["n", "entailed", "non-entailed", "verdict"], rows);
    table.titled(format!("{} on {title}, accuracy on entailed and non-entailed pairs", model.model.name))
}

/// The findings of the challenges that test heuristics, one sentence each.
pub(super) fn sentences(sets: &[TestSet<'_>], model: &ModelResults<'_>) -> Vec<String> {
    titles(sets).into_iter().filter_map(|title| sentence(title, sets, model)).collect()
}

fn sentence(title: &str, sets: &[TestSet<'_>], model: &ModelResults<'_>) -> Option<String> {
    let own: Vec<&SetReliance<'_>> = model.reliance.iter().filter(|one| one.made_by == Some(title)).collect();
    if own.is_empty() {
        return None;
    }
    let entailed = sets
        .iter()
        .zip(&model.scores)
        .filter(|(set, _)| set.made_by.as_deref() == Some(title) && set.id.value(GOLD) == Some(Label::Entailment.name()));
    let entailed = entailed.fold(Proportion { count: 0, total: 0 }, |sum, (_, score)| Proportion {
        count: sum.count + score.accuracy.count,
        total: sum.total + score.accuracy.total,
    });
    let shares: Vec<String> =
        own.iter().enumerate().map(|(at, one)| format!("{} of {}", percent(one.entailment), pairs_of(one.heuristic, at))).collect();
    let correct =
        if entailed.total == 0 { String::new() } else { format!("; it is correct on {} of the entailed pairs", percent(entailed)) };
    let verdicts = verdicts(&own.iter().map(|one| (one.heuristic, &one.reliance)).collect::<Vec<_>>());
    Some(format!("{title}: {} predicts entailment for {}{correct}.{verdicts}", model.model.name, listed(&shares)))
}

/// The non-entailed pairs of a heuristic in the field's terms, shortened after the first item of a list.
pub(crate) fn pairs_of(heuristic: &str, place: usize) -> String {
    let known = HEURISTICS.iter().find(|known| known.name() == shown(heuristic)).map(|known| known.wrong_where);
    let known = known.map_or_else(|| format!("non-entailed pairs of {heuristic}"), str::to_string);
    match known.strip_prefix("non-entailed pairs ") {
        Some(rest) if place > 0 => format!("those {rest}"),
        _ => format!("the {known}"),
    }
}

/// Which heuristics a model relies on, which it does not, and which are undecided; each sentence is preceded by a space.
pub(crate) fn verdicts(own: &[(&str, &Reliance)]) -> String {
    ["relies on", "does not rely on", "inconclusive"].iter().filter_map(|verdict| told(own, verdict)).collect()
}

/// The heuristics with one verdict. Undecided heuristics are grouped by reason.
fn told(own: &[(&str, &Reliance)], verdict: &str) -> Option<String> {
    let mut by_reason: Vec<(Option<String>, Vec<String>)> = Vec::new();
    for (heuristic, reliance) in own.iter().filter(|(_, reliance)| reliance.verdict() == verdict) {
        let why = if let Reliance::CannotTell { why, .. } = reliance { Some(why.to_string()) } else { None };
        let name = shown(heuristic);
        match by_reason.iter_mut().find(|(known, _)| *known == why) {
            Some((_, names)) => names.push(name),
            None => by_reason.push((why, vec![name])),
        }
    }
    let heuristics = |names: &[String]| format!("the {} {}", listed(names), if names.len() == 1 { "heuristic" } else { "heuristics" });
    let part = |(why, names): &(Option<String>, Vec<String>)| match why {
        Some(why) => format!(" Whether it relies on {} is inconclusive: {why}.", heuristics(names)),
        None => format!(" It {verdict} {}.", heuristics(names)),
    };
    (!by_reason.is_empty()).then(|| by_reason.iter().map(part).collect())
}

/// The accuracies over templates as measurements.
pub(super) fn over_templates(sets: &[TestSet<'_>], models: &[ModelPredictions], judged: &[Vec<Judged<'_>>]) -> Vec<Measurement> {
    let mut found = Vec::new();
    for (place, set) in sets.iter().enumerate() {
        for (model, judged) in models.iter().zip(judged) {
            let subject = Subject { model: &model.name, set: &set.id, scoring: Some(judged[place].scoring) };
            found.extend(judged[place].over_templates().and_then(|accuracy| subject.over_templates(&accuracy)));
        }
    }
    found
}

/// A section with every model on every set that is generated from templates, with templates as clusters; `None` without such sets.
pub(super) fn new_templates_section(sets: &[TestSet<'_>], models: &[ModelResults<'_>]) -> Option<Section> {
    let mut rows = Vec::new();
    for (place, set) in sets.iter().enumerate() {
        for model in models {
            let Some(found) = model.over_templates[place].filter(|found| found.proportion().total > 0) else { continue };
            let own = model.reliance.iter().find(|one| one.set == set.name());
            rows.push(vec![
                Cell::text(set.name()),
                Cell::text(&model.model.name),
                Cell::Count { count: found.proportion().total },
                Cell::Count { count: found.clusters() },
                template_cell(&found),
                own.map_or(Cell::Empty {}, |own| Cell::text(own.reliance.verdict())),
            ]);
        }
    }
    let mut caption = vec![templates::UNIT.to_string()];
    caption.extend(models.iter().any(|model| !model.reliance.is_empty()).then(templates::rule));
    let table = Table::keyed(&["set", "model"], &["n", "templates", "accuracy", "verdict"], rows);
    (!table.rows.is_empty()).then(|| Section::table(SectionId::NewTemplates, "New templates", Vec::new(), table).captioned(caption))
}

pub(super) fn percent(share: Proportion) -> String {
    share.rate().map_or("-".to_string(), |rate| format!("{:.1} %", 100.0 * rate))
}

/// Names in a sentence: `a, b and c`.
pub(crate) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}
