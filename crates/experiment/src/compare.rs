//! Several models on the same examples: paired differences, intervals, significance.

use crate::asking::{ModelPredictions, ask};
use crate::data::LoadedData;
use crate::error::Error;
use crate::evaluate::{cache_options, original, with_recorded};
use crate::evaluation_rules::EvaluationRules;
use crate::findings::{HeuristicInputs, diagnosis};
use crate::models::NamedModel;
use crate::notes::{model_notes, unlabelled_note};
use crate::results::{Results, judge_all};
use crate::review::stored_review;
use crate::run::listed;
use crate::session::Session;
use crate::sets::items_of_all;
use crate::spec::{PairingRule, RunsRule};
use acidtest_evaluate::analysis::arms::{Arm, ArmComparison};
use acidtest_evaluate::analysis::comparison::{Comparison, Pairing};
use acidtest_evaluate::analysis::competence::antonym_groups;
use acidtest_evaluate::analysis::compositional::RunGrouping;
use acidtest_evaluate::analysis::diagnosis::HeuristicErrors;
use acidtest_evaluate::analysis::{Candidate, Testing, runs};
use acidtest_evaluate::measurement::SetId;
use acidtest_evaluate::report::{Report, Section, SectionId};
use std::collections::BTreeMap;

/// Tests whether models differ on the same examples, and where.
pub fn compare<'d>(
    data: &'d LoadedData,
    models: &[NamedModel],
    rules: &EvaluationRules,
    session: &Session<'_>,
) -> Result<Results<'d>, Error> {
    rules.refuse_surplus(models)?;
    rules.refuse_data_as_predictions(data, models)?;
    rules.refuse_valid_labels()?;
    rules.require_arms(models)?;
    let sets = vec![original(data)];
    rules.require_cluster_tag(&data.examples)?;
    let predictions: Vec<ModelPredictions> =
        models.iter().map(|model| ask(model, &sets, rules.ask_rules(data), session)).collect::<Result<_, _>>()?;
    let lexical = rules.witness(&data.examples, session)?;
    let review = stored_review(data, &sets[0].id, session)?;
    let (report, heuristic_errors) = {
        let items = items_of_all(&sets, &rules.clusters);
        let judged = judge_all(&sets, &items, &predictions, (rules.missing, rules.scoring))?;
        let candidates: Vec<Candidate<'_>> =
            predictions.iter().zip(&judged).map(|(model, judged)| Candidate { name: &model.name, judged: &judged[0] }).collect();
        rules.refuse_copies(&candidates)?;
        let words = lexical.as_ref().map(|lexical| &lexical.words);
        let inputs = HeuristicInputs { training: &rules.training, words };
        let names: Vec<String> = predictions.iter().map(|model| model.name.clone()).collect();
        let title = rules.title.clone().unwrap_or_else(|| format!("Comparison of {}", listed(&names)));
        let options = cache_options(&predictions).into_iter().collect();
        let mut report = Report::new(title, session.provenance(with_recorded(data, models), BTreeMap::new(), options), Vec::new());
        let heuristic_errors = session.threads.run(|| fill(&mut report, data, &sets[0].id, &candidates, inputs, rules))?;
        // The verdict comes first; the notes belong to the scores.
        if let Some(scores) = report.sections.get_mut(1) {
            scores.notes.extend(judged.first().and_then(|judged| unlabelled_note(sets[0].name(), &judged[0])));
            scores.notes.extend(predictions.iter().zip(&judged).flat_map(|(model, judged)| model_notes(model, judged)));
        }
        if let Some((section, measured)) = review.map(|review| review.correct(&candidates, &sets[0].id)).transpose()?.flatten() {
            let after =
                report.sections.iter().position(|section| section.id == SectionId::ComparisonCounts).unwrap_or(report.sections.len());
            report.sections.insert(after, section);
            report.measure(measured);
        }
        (report, heuristic_errors)
    };
    let is_detail: fn(&SectionId) -> bool =
        |id| matches!(id, SectionId::ComparisonCounts | SectionId::Diagnosis | SectionId::DiagnosisBy(_));
    models.iter().try_for_each(NamedModel::finished)?;
    Ok(Results { report, sets, predictions, is_detail, lexical, heuristic_errors, missing: rules.missing, scoring: rules.scoring })
}

/// Fills the report: verdict and differences of models or arms, variation of runs, where words mislead, and shortcuts.
fn fill(
    report: &mut Report,
    data: &LoadedData,
    set: &SetId,
    candidates: &[Candidate<'_>],
    inputs: HeuristicInputs<'_>,
    rules: &EvaluationRules,
) -> Result<Vec<HeuristicErrors>, Error> {
    let by = &rules.by;
    let pairing = match rules.pairing {
        PairingRule::WithFirst => Pairing::WithFirst,
        PairingRule::Every => Pairing::Every,
    };
    let testing = Testing::default();
    if rules.arms.is_empty() {
        let compared = Comparison { candidates, by, pairing, testing }.compare()?;
        report.sections.push(Section::sentences(SectionId::Verdict, "Verdict", compared.sentences()));
        report.sections.extend(compared.sections());
        report.measure(compared.measurements(set));
    } else {
        let seeds = rules.seeds_of_arms(candidates)?;
        let arms: Vec<Arm<'_>> = rules.arms.iter().zip(&seeds).map(|(arm, seeds)| Arm { name: &arm.name, seeds }).collect();
        let compared = ArmComparison { arms: &arms, by, pairing, testing }.compare()?;
        if rules.title.is_none() {
            report.title = compared.title();
        }
        report.sections.push(Section::sentences(SectionId::Verdict, "Verdict", compared.sentences()));
        report.sections.extend(compared.sections());
        report.measure(compared.measurements(set));
        for arm in arms.iter().filter(|arm| arm.seeds.len() > 1) {
            report.sections.extend(runs::compare(arm.seeds, by)?.sections().into_iter().map(|section| section.of_model(arm.name)));
        }
    }
    let together = match rules.runs {
        RunsRule::Separate => RunGrouping::Apart,
        RunsRule::OneModel => {
            let found = runs::compare(candidates, by)?;
            report.sections.extend(found.sections());
            report.measure(found.measurements(set, candidates[0].judged.scoring));
            RunGrouping::Runs
        }
    };
    if let Some(found) = antonym_groups(candidates)? {
        let mut section = found.section();
        if data.has_text() {
            let texts = |place: usize| (&*data.examples[place].pair.premise.text, &*data.examples[place].pair.hypothesis.text);
            section.blocks.push(found.examples(texts));
        }
        report.sections.push(section);
        report.measure(found.measurements(set));
    }
    if let Some(words) = inputs.words {
        let found = words.table(&data.examples, candidates, together)?;
        report.sections.push(found.section());
        let names: Vec<&str> = candidates.iter().map(|candidate| candidate.name).collect();
        report.measure(found.measurements(&names, set));
    }
    if !data.has_text() {
        return Ok(Vec::new());
    }
    let found = diagnosis(&data.examples, candidates, inputs)?;
    report.sections.extend(found.sections());
    report.measure(found.measurements(set));
    Ok(found.heuristic_errors())
}
