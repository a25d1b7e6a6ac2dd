//! Runs: every model on every challenge, in one report.

mod heuristics;
mod leaderboard;
mod main_table;
mod sections;
mod verdict;

pub(crate) use heuristics::{listed, pairs_of, verdicts};

use crate::asking::{ModelPredictions, ask};
use crate::data::LoadedData;
use crate::error::Error;
use crate::evaluate::{cache_options, model_options, with_recorded};
use crate::evaluation_rules::EvaluationRules;
use crate::misleading::LexicalWitness;
use crate::models::NamedModel;
use crate::notes::model_notes;
use crate::results::{Results, judge_all};
use crate::review::stored_review;
use crate::session::Session;
use crate::sets::{MadeSets, items_of_all, make_all};
use acidtest_challenge::Challenge;
use acidtest_evaluate::analysis::corrected::SetReview;
use acidtest_evaluate::report::{Provenance, Section, SectionId};
use acidtest_evaluate::{Judged, Scoring};
use acidtest_nli::Judgment;
use std::collections::BTreeMap;

/// Stress-tests every model: makes the sets of every challenge, collects predictions, scores and explains them.
pub fn run<'d>(
    data: &'d LoadedData,
    models: &[NamedModel],
    challenges: &'d [Challenge],
    rules: &EvaluationRules,
    session: &Session<'_>,
) -> Result<Results<'d>, Error> {
    rules.refuse_comparison()?;
    rules.refuse_valid_labels()?;
    rules.refuse_surplus(models)?;
    rules.refuse_data_as_predictions(data, models)?;
    let made = make_all(data, challenges, session)?;
    rules.require_cluster_tag(made.sets.iter().flat_map(|set| set.examples.iter()))?;
    run_made(made, (data, models, challenges, rules), session)
}

/// Data, models, challenges and rules.
pub(crate) type RunParts<'p, 'd> = (&'d LoadedData, &'p [NamedModel], &'d [Challenge], &'p EvaluationRules);

/// The same for sets that were already made.
pub(crate) fn run_made<'d>(
    made: MadeSets<'d>,
    (data, models, challenges, rules): RunParts<'_, 'd>,
    session: &Session<'_>,
) -> Result<Results<'d>, Error> {
    let MadeSets { sets, mut notes } = made;
    let lexical = rules.witness(&data.examples, session)?;
    let review = stored_review(data, &sets[0].id, session)?;
    let asked = |model: &NamedModel| ask(model, &sets, rules.ask_rules(data), session);
    let predictions: Vec<ModelPredictions> = models.iter().map(asked).collect::<Result<_, _>>()?;
    let title = rules.title.clone().unwrap_or_else(|| {
        let names: Vec<String> = models.iter().map(|model| model.name.clone()).collect();
        format!("Stress test of {}", listed(&names))
    });
    let mut options = of_challenges("mode", challenges, |challenge| challenge.mode().name().to_string());
    options.extend(model_options(models));
    options.extend(cache_options(&predictions));
    let seeds = of_challenges("challenges", challenges, Challenge::seed);
    let provenance = session.provenance(with_recorded(data, models), seeds, options);
    let (report, heuristic_errors) = {
        let items = items_of_all(&sets, &rules.clusters);
        let judged = judge_all(&sets, &items, &predictions, (rules.missing, rules.scoring))?;
        notes.extend(predictions.iter().zip(&judged).flat_map(|(model, judged)| model_notes(model, judged)));
        notes.extend(two_way_note(judged.first().and_then(|sets| sets.first()), rules));
        let about = RunAbout { title, notes, provenance, lexical: lexical.as_ref(), review: review.as_ref(), rules };
        session.threads.run(|| sections::report(&sets, &predictions, &judged, about))?
    };
    models.iter().try_for_each(NamedModel::finished)?;
    let is_detail: fn(&SectionId) -> bool = |id| {
        use SectionId::{Diagnosis, DiagnosisBy, NewTemplates, Perturbed, PredictionChanges};
        matches!(id, Perturbed | PredictionChanges(_) | NewTemplates | Diagnosis | DiagnosisBy(_))
    };
    Ok(Results { report, sets, predictions, is_detail, lexical, heuristic_errors, missing: rules.missing, scoring: rules.scoring })
}

/// A note that all examples are scored two-way, if only the gold labels require it.
fn two_way_note(original: Option<&Judged<'_>>, rules: &EvaluationRules) -> Option<String> {
    let original = original.filter(|judged| judged.scoring != Scoring::ThreeWay && rules.scoring.is_none())?;
    let golds = || original.joined.items.iter().filter_map(|item| item.gold);
    let (two_way, all) = (golds().filter(|gold| *gold == Judgment::NotEntailment).count(), golds().count());
    Some(format!(
        "{two_way} of {all} examples have the gold label non-entailment, so all are scored two-way: neutral and contradiction count as \
         non-entailment."
    ))
}

/// A value that all challenges share, under `name`; if they differ, each value under `name` and the challenge.
fn of_challenges<T: PartialEq>(name: &str, challenges: &[Challenge], value: impl Fn(&Challenge) -> T) -> BTreeMap<String, T> {
    let Some(first) = challenges.first().map(&value) else { return BTreeMap::new() };
    if challenges.iter().all(|challenge| value(challenge) == first) {
        return BTreeMap::from([(name.to_string(), first)]);
    }
    challenges.iter().map(|challenge| (format!("{name} {}", challenge.name()), value(challenge))).collect()
}

impl Results<'_> {
    /// Adds what was excluded before the run to the report, such as challenges that lack a resource; one sentence each.
    pub fn add_excluded(&mut self, sentences: impl IntoIterator<Item = String>) {
        let sentences: Vec<String> = sentences.into_iter().collect();
        if sentences.is_empty() {
            return;
        }
        let sections = &mut self.report.sections;
        match sections.iter_mut().find(|section| section.id == SectionId::Excluded) {
            Some(section) => section.notes.extend(sentences),
            None => {
                let after_sets = sections.iter().position(|section| section.id == SectionId::Sets).map_or(0, |place| place + 1);
                sections.insert(after_sets, excluded_section(sentences));
            }
        }
    }
}

fn excluded_section(sentences: Vec<String>) -> Section {
    Section::sentences(SectionId::Excluded, "Excluded", sentences)
}

/// Facts about a run besides its predictions.
struct RunAbout<'a> {
    title: String,
    notes: Vec<String>,
    provenance: Provenance,
    lexical: Option<&'a LexicalWitness>,
    review: Option<&'a SetReview>,
    rules: &'a EvaluationRules,
}
