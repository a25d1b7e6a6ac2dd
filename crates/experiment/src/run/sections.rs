//! The report of a run: verdict, main table, then the evidence.

use super::main_table::{self, ModelResults};
use super::{RunAbout, excluded_section, heuristics, leaderboard, verdict};
use crate::asking::ModelPredictions;
use crate::error::Error;
use crate::findings::{HeuristicInputs, diagnosis};
use crate::sets::{Role, TestSet};
use acidtest_evaluate::analysis::compositional::RunGrouping;
use acidtest_evaluate::analysis::perturbation::{self, StressResult};
use acidtest_evaluate::analysis::{Candidate, Testing};
use acidtest_evaluate::measurement::{Measurement, Metric, SetId, Subject};
use acidtest_evaluate::report::{Cell, Report, Section, SectionId, Table, TableColumn, untagged};
use acidtest_evaluate::{Generalisation, Judged, Score};

/// What came of the run: the verdict, the leaderboard, one table of all sets per model, what was excluded, where words mislead, what changes under
/// each challenge, and the shortcuts.
pub(super) fn report(
    sets: &[TestSet<'_>],
    models: &[ModelPredictions],
    judged: &[Vec<Judged<'_>>],
    about: RunAbout<'_>,
) -> Result<Report, Error> {
    let RunAbout { title, notes, provenance, lexical, review, rules } = about;
    let scores: Vec<Vec<Score>> = (0..sets.len()).map(|place| judged.iter().map(|sets| Score::of(&sets[place])).collect()).collect();
    let unit = Generalisation::of(judged.first().into_iter().flatten());
    let ids: Vec<SetId> = sets.iter().map(|set| set.id.clone()).collect();
    let mut measured = measured_sets(&ids, models, judged, &scores);
    let (mut sentences, mut results, mut details) = (Vec::new(), Vec::new(), Vec::new());
    for (n, model) in models.iter().enumerate() {
        let found = model_results(sets, model, &judged[n], scores.iter().map(|scores| &scores[n]).collect())?;
        sentences.extend(verdict::sentences(sets, &found, perturbation::no_better_than_majority(&judged[n][0], &Testing::default())?));
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
    let candidates: Vec<Candidate<'_>> =
        models.iter().zip(judged).map(|(model, judged)| Candidate { name: &model.name, judged: &judged[0] }).collect();
    if let Some((section, corrected)) = review.map(|review| review.correct(&candidates, &sets[0].id)).transpose()?.flatten() {
        sections.push(section);
        measured.extend(corrected);
    }
    let words = lexical.map(|lexical| &lexical.words);
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
    sections.extend(details);
    sections.extend(heuristics::new_templates_section(sets, models, judged));
    measured.extend(heuristics::over_templates(sets, models, judged));
    if sets[0].examples.iter().any(|example| !example.pair.hypothesis.text.is_empty()) {
        let found = diagnosis(&sets[0].examples, &candidates, HeuristicInputs { training: &rules.training, words })?;
        sections.extend(found.sections());
        measured.extend(found.measurements(&sets[0].id));
    }
    let mut report = Report::new(title, provenance, sections);
    report.measure(measured);
    Ok(report)
}

/// Scores, drops and reliance of one model.
fn model_results<'a>(
    sets: &'a [TestSet<'_>],
    model: &'a ModelPredictions,
    judged: &[Judged<'_>],
    scores: Vec<&'a Score>,
) -> Result<ModelResults<'a>, Error> {
    let perturbed: Vec<&Judged<'_>> =
        sets.iter().zip(judged).filter(|(set, _)| set.role == Role::Perturbed).map(|(_, judged)| judged).collect();
    let stress = match perturbed.is_empty() {
        true => None,
        false => Some(perturbation::compare(&judged[0], &perturbed, &Testing::default())?),
    };
    Ok(ModelResults { model, scores, stress, reliance: heuristics::reliance_of(sets, judged) })
}

/// Every model's accuracy on every set.
fn measured_sets(ids: &[SetId], models: &[ModelPredictions], judged: &[Vec<Judged<'_>>], scores: &[Vec<Score>]) -> Vec<Measurement> {
    let of = |(place, set): (usize, &SetId)| {
        let measured = models.iter().zip(judged).zip(&scores[place]).filter_map(move |((model, judged), score)| {
            let subject = Subject { model: &model.name, set, scoring: Some(judged[place].scoring) };
            Some(subject.share(Metric::Accuracy, score.accuracy)?.within(score.interval))
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
    for (place, set) in sets.iter().enumerate() {
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
                let found = Subject { model: &model.name, set: &set.id, scoring: Some(scoring) }.share(Metric::Accuracy, score.accuracy);
                measured.extend(found.map(|found| found.within(score.interval).of_group(tags.iter().map(String::as_str), &group.values)));
            }
            rows.push(cells);
        }
    }
    // A tag that some sets have is broken down where it is; HANS has no genres.
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
    // Where no prediction changed there is nothing to show.
    found.sections().into_iter().filter(|section| !unchanged(&section.id)).map(|section| section.of_model(model)).collect()
}
