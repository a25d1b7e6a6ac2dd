//! The report of a run: verdict, main table, then the evidence.

use super::heuristics::OnOriginal;
use super::main_table::{self, ModelResults, in_order};
use super::{RunAbout, excluded_section, heuristics, leaderboard, verdict};
use crate::asking::ModelPredictions;
use crate::error::Error;
use crate::evaluation_rules::EvaluationRules;
use crate::findings::{HeuristicInputs, diagnosis, hypothesis_only_labels};
use crate::sets::{Role, TestSet};
use acidtest_evaluate::analysis::compositional::RunGrouping;
use acidtest_evaluate::analysis::controls::{ControlledResult, controls_section, with_controls};
use acidtest_evaluate::analysis::diagnosis::HeuristicErrors;
use acidtest_evaluate::analysis::perturbation::{self, StressResult};
use acidtest_evaluate::analysis::standing::{Informative, Standing};
use acidtest_evaluate::analysis::{Candidate, Testing};
use acidtest_evaluate::measurement::{Measurement, Metric, SetId, Subject};
use acidtest_evaluate::report::{Cell, Report, Section, SectionId, Table, TableColumn, untagged};
use acidtest_evaluate::{Generalisation, Judged, Score};
use acidtest_nli::tag;

/// The report: verdict, leaderboard, one table of all sets per model, exclusions, where words mislead, prediction changes under
/// each challenge, and shortcuts.
pub(super) fn report(
    sets: &[TestSet<'_>],
    models: &[ModelPredictions],
    judged: &[Vec<Judged<'_>>],
    about: RunAbout<'_>,
) -> Result<(Report, Vec<HeuristicErrors>), Error> {
    let RunAbout { title, notes, provenance, lexical, review, rules } = about;
    let scores: Vec<Vec<Score>> = (0..sets.len()).map(|place| judged.iter().map(|sets| Score::of(&sets[place])).collect()).collect();
    let unit = Generalisation::of(judged.first().into_iter().flatten());
    let ids: Vec<SetId> = sets.iter().map(|set| set.id.clone()).collect();
    let mut measured = measured_sets(&ids, models, judged, &scores);
    let candidates: Vec<Candidate<'_>> =
        models.iter().zip(judged).map(|(model, judged)| Candidate { name: &model.name, judged: &judged[0] }).collect();
    let words = lexical.map(|lexical| &lexical.words);
    let shortcuts = match sets[0].examples.iter().any(|example| !example.pair.hypothesis.text.is_empty()) {
        true => Some(diagnosis(&sets[0].examples, &candidates, HeuristicInputs { training: &rules.training, words })?),
        false => None,
    };
    let (mut sentences, mut results, mut details) = (Vec::new(), Vec::new(), Vec::new());
    for (n, model) in models.iter().enumerate() {
        let standing = Standing::of(&judged[n][0], &Testing::default())?;
        let informative = standing.as_ref().map_or(Informative::Yes, Standing::informative);
        let original = OnOriginal { diagnosis: shortcuts.as_ref().map(|found| (found, n)), informative };
        let found = model_results(sets, model, (&judged[n], &original), scores.iter().map(|scores| &scores[n]).collect())?;
        sentences.extend(verdict::sentences(sets, &found, standing.as_ref(), shortcuts.as_ref()));
        if let Some(stress) = &found.stress {
            details.extend(perturbation_sections(&model.name, stress));
            measured.extend(stress.measurements(&model.name, &sets[0].id, &ids));
        }
        results.push(found);
    }
    let mut sections = vec![Section::sentences(SectionId::Verdict, "Verdict", sentences)];
    sections.extend(leaderboard::section(sets, models, judged)?);
    measured.extend(leaderboard::measurements(sets, models, judged));
    sections.push(main_table::section(sets, &results, &unit));
    if let Some((section, corrected)) = review.map(|review| review.correct(&candidates, &sets[0].id)).transpose()?.flatten() {
        sections.push(section);
        measured.extend(corrected);
    }
    if let Some(words) = words {
        let found = words.table(&sets[0].examples, &candidates, RunGrouping::Apart)?;
        sections.push(found.section());
        let names: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
        measured.extend(found.measurements(&names, &sets[0].id));
    }
    sections.extend((!notes.is_empty()).then(|| excluded_section(notes)));
    for tags in &rules.by {
        let (section, groups) = breakdown(tags, sets, models, judged)?;
        sections.push(section);
        measured.extend(groups);
    }
    let (controls, controlled) = controls_of(sets, models, judged, rules);
    sections.extend(controls);
    measured.extend(controlled);
    sections.extend(details);
    sections.extend(heuristics::new_templates_section(sets, &results));
    measured.extend(heuristics::over_templates(sets, models, judged));
    let mut heuristic_errors = Vec::new();
    if let Some(found) = shortcuts {
        sections.extend(found.sections());
        measured.extend(found.measurements(&sets[0].id));
        heuristic_errors = found.heuristic_errors();
    }
    let mut report = Report::new(title, provenance, sections);
    report.measure(measured);
    Ok((report, heuristic_errors))
}

/// All models on the sets that have matched controls.
fn controls_of(
    sets: &[TestSet<'_>],
    models: &[ModelPredictions],
    judged: &[Vec<Judged<'_>>],
    rules: &EvaluationRules,
) -> (Option<Section>, Vec<Measurement>) {
    let is_own = |set: &TestSet<'_>| set.id.value(tag::PART).is_some();
    let own: Vec<&TestSet<'_>> = sets.iter().filter(|set| is_own(set)).collect();
    let Some(together) = SetId::together("sets with controls", own.iter().map(|set| &set.id)) else { return (None, Vec::new()) };
    let baseline = hypothesis_only_labels(own.iter().flat_map(|set| set.examples.iter()), &rules.training);
    let of_model = |(model, judged): (&ModelPredictions, &Vec<Judged<'_>>)| {
        let judged = sets.iter().zip(judged).filter(|(set, _)| is_own(set)).map(|(_, judged)| judged);
        with_controls(&model.name, judged, baseline.as_ref())
    };
    let found: Vec<ControlledResult> = models.iter().zip(judged).filter_map(of_model).collect();
    (controls_section(&found), found.iter().flat_map(|found| found.measurements(&together)).collect())
}

/// Scores, drops and reliance of one model.
fn model_results<'a>(
    sets: &'a [TestSet<'_>],
    model: &'a ModelPredictions,
    (judged, original): (&[Judged<'_>], &OnOriginal<'_>),
    scores: Vec<&'a Score>,
) -> Result<ModelResults<'a>, Error> {
    let perturbed: Vec<&Judged<'_>> =
        sets.iter().zip(judged).filter(|(set, _)| set.role == Role::Perturbed).map(|(_, judged)| judged).collect();
    let mut stress = match perturbed.is_empty() {
        true => None,
        false => Some(perturbation::compare(&judged[0], &perturbed, &Testing::default())?),
    };
    let order = in_order(sets);
    if let Some(found) = &mut stress {
        found.challenges.sort_by_key(|challenge| order.iter().position(|(_, set)| set.name() == challenge.name));
    }
    let over_templates = judged.iter().map(Judged::over_templates).collect();
    Ok(ModelResults { model, scores, over_templates, stress, reliance: heuristics::reliance_of(sets, judged, original) })
}

/// Every model's accuracy on every set.
fn measured_sets(ids: &[SetId], models: &[ModelPredictions], judged: &[Vec<Judged<'_>>], scores: &[Vec<Score>]) -> Vec<Measurement> {
    let of = |(place, set): (usize, &SetId)| {
        let measured = models.iter().zip(judged).zip(&scores[place]).filter_map(move |((model, judged), score)| {
            let subject = Subject { model: &model.name, set, scoring: Some(judged[place].scoring) };
            subject.clustered(Metric::Accuracy, &score.clustered)
        });
        measured.collect::<Vec<_>>()
    };
    ids.iter().enumerate().flat_map(of).collect()
}

/// Every model's accuracy on the groups of every set that has these tags.
fn breakdown(
    tags: &[String],
    sets: &[TestSet<'_>],
    models: &[ModelPredictions],
    judged: &[Vec<Judged<'_>>],
) -> Result<(Section, Vec<Measurement>), Error> {
    let (mut rows, mut measured, mut unknown, mut untagged_notes) = (Vec::new(), Vec::new(), None, Vec::new());
    for (place, set) in in_order(sets) {
        let groups = match judged.iter().map(|sets| sets[place].breakdown(tags)).collect::<Result<Vec<_>, _>>() {
            Ok(groups) => groups,
            Err(error) => {
                unknown.get_or_insert(error);
                continue;
            }
        };
        let without = groups.first().and_then(|groups| untagged(groups, tags));
        untagged_notes.extend(without.map(|without| format!("{}: {without}", set.name())));
        for (at, group) in groups.first().into_iter().flatten().enumerate() {
            let mut cells: Vec<Cell> = std::iter::once(set.name()).chain(group.values.iter().map(String::as_str)).map(Cell::text).collect();
            cells.push(Cell::Count { count: group.score.accuracy.total });
            cells.push(Cell::Count { count: group.score.clustered.clusters() });
            for ((model, groups), judged) in models.iter().zip(&groups).zip(judged) {
                let scoring = judged[place].scoring;
                let score = &groups[at].score;
                cells.push(Cell::of_group(&score.clustered));
                let subject = Subject { model: &model.name, set: &set.id, scoring: Some(scoring) };
                let found = subject.clustered(Metric::Accuracy, &score.clustered);
                measured.extend(found.map(|found| found.of_group(tags.iter().map(String::as_str), &group.values)));
            }
            rows.push(cells);
        }
    }
    // A tag that only some sets have is used for those; HANS has no genres.
    if let Some(unknown) = unknown.filter(|_| rows.is_empty()) {
        return Err(unknown.into());
    }
    let mut columns: Vec<TableColumn> = std::iter::once("set").chain(tags.iter().map(String::as_str)).map(TableColumn::left).collect();
    let key_columns = columns.len();
    columns.extend(["n", "clusters"].map(TableColumn::right));
    columns.extend(models.iter().map(|model| TableColumn::right(&model.name)));
    let unit = Generalisation::of(judged.first().into_iter().flatten()).sentence_of_sets();
    let title = format!("Accuracy by {}", tags.join(" and "));
    let table = Table::new(key_columns, columns, rows);
    let section = Section::table(SectionId::By(tags.join(",")), title, untagged_notes, table);
    Ok((section.captioned(["Accuracy with 95 % Wilson intervals over clusters.".to_string(), unit]), measured))
}

/// The drops and changed predictions of one model, under its name.
fn perturbation_sections(model: &str, found: &StressResult) -> Vec<Section> {
    let unchanged = |id: &SectionId| match id {
        SectionId::PredictionChanges(name) => {
            found.challenges.iter().any(|challenge| challenge.name == *name && challenge.changed().count == 0)
        }
        _ => false,
    };
    // Challenges without prediction changes have no section.
    found.sections().into_iter().filter(|section| !unchanged(&section.id)).map(|section| section.of_model(model)).collect()
}
