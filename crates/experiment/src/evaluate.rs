//! One model on one corpus: scores, breakdowns, errors and shortcuts.

use crate::asking::{ModelPredictions, ask};
use crate::data::{LoadedData, inputs};
use crate::error::Error;
use crate::evaluation_rules::EvaluationRules;
use crate::findings::{HeuristicInputs, diagnosis, hypothesis_only_labels, lengths};
use crate::misleading::LexicalWitness;
use crate::models::{ModelSource, NamedModel};
use crate::notes::{description_note, long_notes, seen_note, tie_note};
use crate::results::{Results, judge_all};
use crate::review::{ReviewProblem, stored_review};
use crate::run::{listed, pairs_of, verdicts};
use crate::session::Session;
use crate::sets::{ORIGINAL, Role, TestSet, items_of_all};
use acidtest_challenge::hans::{Grammar, HUMAN_ACCURACY, HumanAccuracy};
use acidtest_evaluate::Judged;
use acidtest_evaluate::analysis::Candidate;
use acidtest_evaluate::analysis::competence::competence_errors;
use acidtest_evaluate::analysis::compositional::RunGrouping;
use acidtest_evaluate::analysis::controls::{controls_section, with_controls};
use acidtest_evaluate::analysis::corrected::SetReview;
use acidtest_evaluate::analysis::diagnosis::HeuristicErrors;
use acidtest_evaluate::analysis::errors::count_errors;
use acidtest_evaluate::analysis::findings::findings;
use acidtest_evaluate::analysis::hans::{Reference, hans_measurements, hans_section};
use acidtest_evaluate::analysis::label_noise::{label_noise_measurements, label_noise_section};
use acidtest_evaluate::analysis::lengths::{BinWidths, by_length};
use acidtest_evaluate::analysis::templates::{HeuristicTemplates, new_templates};
use acidtest_evaluate::measurement::{SetId, Subject};
use acidtest_evaluate::report::{Evaluation, Provenance, Report, ReportInput, Section, SectionId, evaluation_report};
use acidtest_nli::{Example, Named, tag};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Scores a model on a corpus, and reports its errors and the shortcuts it uses.
pub fn evaluate<'d>(
    data: &'d LoadedData,
    model: &NamedModel,
    rules: &EvaluationRules,
    session: &Session<'_>,
) -> Result<Results<'d>, Error> {
    rules.refuse_comparison()?;
    rules.refuse_surplus(std::slice::from_ref(model))?;
    rules.refuse_data_as_predictions(data, std::slice::from_ref(model))?;
    let sets = vec![original(data)];
    rules.require_cluster_tag(&data.examples)?;
    let predictions = vec![ask(model, &sets, rules.ask_rules(data), session)?];
    let lexical = rules.witness(&data.examples, session)?;
    let review = stored_review(data, &sets[0].id, session)?;
    let (report, heuristic_errors) = {
        let items = items_of_all(&sets, &rules.clusters);
        let judged = judge_all(&sets, &items, &predictions, (rules.missing, rules.scoring))?;
        let sources = with_recorded(data, std::slice::from_ref(model));
        let (set, judged_set) = (&sets[0].id, &judged[0][0]);
        let (lexical, review) = (lexical.as_ref(), review.as_ref());
        let scored = Scored { data, set, predictions: &predictions[0], judged: judged_set, lexical, review };
        let mut options = BTreeMap::from([("scoring".to_string(), judged[0][0].scoring.name().to_string())]);
        options.extend(model_options(std::slice::from_ref(model)));
        options.extend(cache_options(&predictions));
        let provenance = session.provenance(sources, BTreeMap::new(), options);
        session.threads.run(|| scored.report(rules, provenance))?
    };
    let is_detail: fn(&SectionId) -> bool = |id| {
        use SectionId::{Diagnosis, DiagnosisBy, ErrorKinds, Errors, Lengths};
        matches!(id, Errors | ErrorKinds | Lengths | Diagnosis | DiagnosisBy(_))
    };
    model.finished()?;
    Ok(Results { report, sets, predictions, is_detail, lexical, heuristic_errors, missing: rules.missing, scoring: rules.scoring })
}

/// Everything that the report of an evaluation needs.
struct Scored<'a> {
    data: &'a LoadedData,
    set: &'a SetId,
    predictions: &'a ModelPredictions,
    judged: &'a Judged<'a>,
    lexical: Option<&'a LexicalWitness>,
    review: Option<&'a SetReview>,
}

impl Scored<'_> {
    fn report(&self, rules: &EvaluationRules, provenance: Provenance) -> Result<(Report, Vec<HeuristicErrors>), Error> {
        let Scored { data, set, predictions, judged, lexical, review } = *self;
        let by = &rules.by;
        let title = rules.title.clone().unwrap_or_else(|| format!("Evaluation of {}", predictions.name));
        let name = predictions.name.as_str();
        let mut report = evaluation_report(Evaluation { title, model: name, set, judged, by, provenance })?;
        if let Some(overall) = report.sections.first_mut() {
            overall.notes.extend(description_note(predictions));
            overall.notes.extend(long_notes(name, predictions.truncated, predictions.parts).into_iter().flatten());
            overall.notes.extend(tie_note([judged]));
            overall.notes.extend(seen_note(predictions));
        }
        if let Some(valid) = rules.valid_labels {
            ReviewProblem::of_labels(&data.examples).map_err(|problem| Error::Review { path: set.name.clone(), problem })?;
            report.sections.insert(1, label_noise_section(judged, valid)?);
            report.measure(label_noise_measurements(judged, valid, Subject { model: name, set, scoring: Some(judged.scoring) })?);
        }
        if let Some((section, measured)) = review.map(|review| review.correct(&[Candidate { name, judged }], set)).transpose()?.flatten() {
            report.sections.insert(1, section);
            report.measure(measured);
        }
        let (name_of_set, people) = heuristic_set(&data.examples);
        report.sections.extend(hans_section(judged, name_of_set, &people));
        if let Some(found) = new_templates(judged) {
            report.sections.push(found.section());
            report.measure(found.measurements(Subject { model: name, set, scoring: Some(judged.scoring) }));
        }
        report.measure(hans_measurements(judged, name, set));
        let candidates = [Candidate { name, judged }];
        let words = lexical.map(|lexical| &lexical.words);
        if let Some(words) = words {
            let found = words.table(&data.examples, &candidates, RunGrouping::Apart)?;
            report.sections.push(found.section());
            report.measure(found.measurements(&[name], set));
        }
        let mut verdict = findings(name, judged, by)?;
        verdict.extend(heuristic_findings(name, judged, name_of_set));
        let subject = Subject { model: name, set, scoring: Some(judged.scoring) };
        let errors = count_errors(judged, by.first().map_or(&[][..], Vec::as_slice))?;
        report.sections.extend(errors.sections());
        report.measure(errors.measurements(subject));
        let baseline = hypothesis_only_labels(&data.examples, &rules.training);
        if let Some(found) = with_controls(name, [judged], baseline.as_ref()) {
            report.measure(found.measurements(set));
            report.sections.extend(controls_section(&[found]));
        }
        if let Some(found) = competence_errors(judged) {
            report.sections.push(found.section());
            report.measure(found.measurements(subject));
        }
        let mut heuristic_errors = Vec::new();
        if data.has_text() {
            let found = by_length(judged, &lengths(&data.examples), BinWidths::default())?;
            report.sections.push(found.section());
            report.measure(found.measurements(subject));
            let found = diagnosis(&data.examples, &candidates, HeuristicInputs { training: &rules.training, words })?;
            verdict.extend(found.relied_on(name, "on these examples", &[]));
            report.sections.extend(found.sections());
            report.measure(found.measurements(set));
            heuristic_errors = found.heuristic_errors();
        }
        report.sections.insert(0, Section::sentences(SectionId::Verdict, "Verdict", verdict));
        Ok((report, heuristic_errors))
    }
}

/// The whole corpus as one set.
pub(crate) fn original(data: &LoadedData) -> TestSet<'_> {
    TestSet::new(ORIGINAL, Vec::new(), Role::Original, Cow::Borrowed(&data.examples[..]))
}

/// The inputs: the data, and files of saved predictions.
pub(crate) fn with_recorded(data: &LoadedData, models: &[NamedModel]) -> Vec<ReportInput> {
    let recorded = models.iter().filter_map(|model| match &model.source {
        ModelSource::Recorded { file, .. } => Some(file.clone()),
        ModelSource::Model(_) => None,
    });
    data.inputs.iter().cloned().chain(inputs("predictions", &recorded.collect::<Vec<_>>())).collect()
}

/// For the provenance: the hash of each model's weights, if it has one.
pub(crate) fn model_options(models: &[NamedModel]) -> Vec<(String, String)> {
    models.iter().filter_map(|model| Some((format!("model {}", model.name), model.hash.clone()?))).collect()
}

/// For the provenance: how many predictions came from a cache.
pub(crate) fn cache_options(predictions: &[ModelPredictions]) -> Vec<(String, String)> {
    predictions.iter().filter_map(|model| Some((format!("cache {}", model.name), model.cached.clone()?))).collect()
}

/// The verdict of a set that tests heuristics on a model, in one sentence; `None` for other sets.
fn heuristic_findings(model: &str, judged: &Judged<'_>, set: &str) -> Option<String> {
    let heuristics = new_templates(judged).map(|found| found.heuristics).unwrap_or_default();
    let about = |(at, one): (usize, &HeuristicTemplates)| {
        let non_entailed = one.accuracies[1].proportion();
        let share = 100.0 * (1.0 - non_entailed.rate()?);
        Some(format!("{share:.1} % of {}", pairs_of(&one.name, at)))
    };
    let shares: Vec<String> = heuristics.iter().enumerate().filter_map(about).collect();
    let verdicts = verdicts(&heuristics.iter().map(|one| (one.name.as_str(), &one.reliance)).collect::<Vec<_>>());
    (!shares.is_empty()).then(|| format!("{set}: {model} predicts entailment for {}.{verdicts}", listed(&shares)))
}

/// The title of a set with the tags of HANS, and human accuracy on it; pairs of another grammar are not HANS, and human accuracy on them
/// is not known.
fn heuristic_set(examples: &[Example<'_>]) -> (&'static str, Vec<Reference>) {
    let subcases: BTreeSet<&str> = examples.iter().filter_map(|example| example.tags.get(tag::SUBCASE)).collect();
    let all_in = |grammar: &Grammar| subcases.iter().all(|subcase| grammar.subcase_names().any(|known| known == *subcase));
    match subcases.is_empty() || all_in(&Grammar::built_in()) {
        true => ("HANS", people().to_vec()),
        false => ("Pairs of another grammar", Vec::new()),
    }
}

/// Human accuracy on HANS.
fn people() -> [Reference; 2] {
    HUMAN_ACCURACY.map(|HumanAccuracy { who, all, entailment, non_entailment }| Reference {
        name: who,
        entailment,
        non_entailment,
        all: Some(all),
    })
}
