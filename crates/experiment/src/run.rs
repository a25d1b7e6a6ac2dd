//! Every model through every challenge: one report.

use crate::asking::{ModelPredictions, ask};
use crate::data::LoadedData;
use crate::error::Error;
use crate::evaluate::{cache_options, model_options, seen_note, truncation_note, with_recorded};
use crate::evaluation_rules::EvaluationRules;
use crate::findings::{HeuristicInputs, diagnosis};
use crate::misleading::LexicalWitness;
use crate::models::NamedModel;
use crate::results::{Results, judge_all};
use crate::session::Session;
use crate::sets::{MadeSets, Role, TestSet, items_of_all, make_all};
use acidtest_challenge::Challenge;
use acidtest_evaluate::analysis::compositional::RunGrouping;
use acidtest_evaluate::analysis::reliance::{AnswerVariety, Reliance};
use acidtest_evaluate::analysis::templates::{self, template_cell};
use acidtest_evaluate::analysis::{Candidate, Testing, stressed};
use acidtest_evaluate::measurement::{Measurement, Metric, SetId, Subject};
use acidtest_evaluate::report::{Cell, Provenance, Report, Section, SectionId, Table, TableColumn};
use acidtest_evaluate::statistics::Proportion;
use acidtest_evaluate::{GOLD, Generalisation, Judged, Score, Scoring};
use acidtest_nli::{Judgment, Label, tag};
use std::collections::BTreeMap;

/// Puts every model through every challenge: makes the sets, asks the models, scores and explains.
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
    let made = make_all(data, challenges, session)?;
    rules.require_cluster_tag(made.sets.iter().flat_map(|set| set.examples.iter()))?;
    run_made(made, (data, models, challenges, rules), session)
}

/// Data, models, challenges and rules.
pub(crate) type RunParts<'p, 'd> = (&'d LoadedData, &'p [NamedModel], &'d [Challenge], &'p EvaluationRules);

/// The same with sets that are made already.
pub(crate) fn run_made<'d>(
    made: MadeSets<'d>,
    (data, models, challenges, rules): RunParts<'_, 'd>,
    session: &Session<'_>,
) -> Result<Results<'d>, Error> {
    let MadeSets { sets, mut notes } = made;
    let lexical = rules.witness(&data.examples, session)?;
    let asked = |model: &NamedModel| ask(model, &sets, rules.ask_rules(data), session);
    let predictions: Vec<ModelPredictions> = models.iter().map(asked).collect::<Result<_, _>>()?;
    notes.extend(predictions.iter().filter_map(|model| truncation_note(&model.name, model.truncated)));
    notes.extend(predictions.iter().filter_map(seen_note));
    let title = rules.title.clone().unwrap_or_else(|| {
        let names: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
        format!("{} under stress", names.join(", "))
    });
    let mut options = of_challenges("mode", challenges, |challenge| challenge.mode().name().to_string());
    options.extend(model_options(models));
    options.extend(cache_options(&predictions));
    let seeds = of_challenges("challenges", challenges, Challenge::seed);
    let provenance = session.provenance(with_recorded(data, models), seeds, options);
    let report = {
        let items = items_of_all(&sets, &rules.clusters);
        let judged = judge_all(&sets, &items, &predictions, (rules.missing, rules.scoring))?;
        notes.extend(two_way_note(judged.first().and_then(|sets| sets.first()), rules));
        let about = RunAbout { title, notes, provenance, lexical: lexical.as_ref(), rules };
        session.threads.run(|| run_report(&sets, &predictions, &judged, about))?
    };
    models.iter().try_for_each(NamedModel::finished)?;
    let is_detail: fn(&SectionId) -> bool = |id| {
        use SectionId::{Diagnosis, DiagnosisBy, Flips, NewTemplates, Stressed};
        matches!(id, Stressed | Flips(_) | NewTemplates | Diagnosis | DiagnosisBy(_))
    };
    Ok(Results { report, sets, predictions, is_detail, lexical, missing: rules.missing, scoring: rules.scoring })
}

/// That all rows are scored two-way, where nobody asked for it but the gold labels.
fn two_way_note(original: Option<&Judged<'_>>, rules: &EvaluationRules) -> Option<String> {
    let original = original.filter(|judged| judged.scoring != Scoring::ThreeWay && rules.scoring.is_none())?;
    let golds = || original.joined.items.iter().filter_map(|item| item.gold);
    let (two_way, all) = (golds().filter(|gold| *gold == Judgment::NotEntailment).count(), golds().count());
    Some(format!(
        "{two_way} of {all} rows have the gold label non-entailment, so that all rows are scored two-way: neutral and contradiction count as \
         non-entailment."
    ))
}

/// A value that all challenges share, under one name; where they differ, that of each under the name and its own.
fn of_challenges<T: PartialEq>(name: &str, challenges: &[Challenge], value: impl Fn(&Challenge) -> T) -> BTreeMap<String, T> {
    let Some(first) = challenges.first().map(&value) else { return BTreeMap::new() };
    if challenges.iter().all(|challenge| value(challenge) == first) {
        return BTreeMap::from([(name.to_string(), first)]);
    }
    challenges.iter().map(|challenge| (format!("{name} {}", challenge.name()), value(challenge))).collect()
}

impl Results<'_> {
    /// Says in the report, a sentence each, what was left out before the run began, such as challenges whose needs were not met.
    pub fn add_left_out(&mut self, sentences: impl IntoIterator<Item = String>) {
        let sentences: Vec<String> = sentences.into_iter().collect();
        if sentences.is_empty() {
            return;
        }
        let sections = &mut self.report.sections;
        match sections.iter_mut().find(|section| section.id == SectionId::LeftOut) {
            Some(section) => section.notes.extend(sentences),
            None => {
                let after_sets = sections.iter().position(|section| section.id == SectionId::Sets).map_or(0, |place| place + 1);
                sections.insert(after_sets, left_out_section(sentences));
            }
        }
    }
}

fn left_out_section(sentences: Vec<String>) -> Section {
    Section::sentences(SectionId::LeftOut, "Left out", sentences)
}

/// What is known of a run beside its predictions.
struct RunAbout<'a> {
    title: String,
    notes: Vec<String>,
    provenance: Provenance,
    lexical: Option<&'a LexicalWitness>,
    rules: &'a EvaluationRules,
}

/// What came of the run: verdict, one table of all sets, where words mislead, what each challenge costs, and the shortcuts.
fn run_report(sets: &[TestSet<'_>], models: &[ModelPredictions], judged: &[Vec<Judged<'_>>], about: RunAbout<'_>) -> Result<Report, Error> {
    let RunAbout { title, notes, provenance, lexical, rules } = about;
    let scores: Vec<Vec<Score>> = (0..sets.len()).map(|place| judged.iter().map(|sets| Score::of(&sets[place])).collect()).collect();
    let unit = Generalisation::of(judged.first().into_iter().flatten());
    let mut sections = vec![sets_section(sets, models, &scores, &unit)];
    if !notes.is_empty() {
        sections.push(left_out_section(notes));
    }
    let ids: Vec<SetId> = sets.iter().map(|set| set.id.clone()).collect();
    let mut measured = measured_sets(&ids, models, judged, &scores);
    for tags in &rules.by {
        let (section, groups) = breakdown(tags, sets, models, judged)?;
        sections.push(section);
        measured.extend(groups);
    }
    let mut verdict = Vec::new();
    let testing = Testing::default();
    for (n, model) in models.iter().enumerate() {
        let own: Vec<Proportion> = scores.iter().map(|scores| scores[n].accuracy).collect();
        let reliance = reliance_of(sets, &judged[n]);
        let (start, end) = (standing(&model.name, sets, &own), heuristics_sentences(sets, &own, &reliance));
        let challenges: Vec<&Judged<'_>> =
            sets.iter().zip(&judged[n]).filter(|(set, _)| set.role == Role::Perturbed).map(|(_, judged)| judged).collect();
        if challenges.is_empty() {
            verdict.push(format!("{start}; no challenge was made.{end}"));
            continue;
        }
        let found = stressed::compare(&judged[n][0], &challenges, &testing)?;
        let stress = stressed::no_better_than_majority(&judged[n][0], &testing)?.unwrap_or_else(|| stress_sentence(&found));
        verdict.push(format!("{start}; {stress}{end}"));
        sections.extend(stressed_sections(&model.name, &found));
        measured.extend(found.measurements(&model.name, &sets[0].id, &ids));
    }
    sections.extend(new_templates_section(sets, models, judged));
    measured.extend(over_templates(sets, models, judged));
    let candidates: Vec<Candidate<'_>> =
        models.iter().zip(judged).map(|(model, judged)| Candidate { name: &model.name, judged: &judged[0] }).collect();
    let words = lexical.map(|lexical| &lexical.words);
    if let Some(words) = words {
        let found = words.table(&sets[0].examples, &candidates, RunGrouping::Apart)?;
        sections.insert(1, found.section());
        let names: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
        measured.extend(found.measurements(&names, &sets[0].id));
    }
    if sets[0].examples.iter().any(|example| !example.pair.hypothesis.text.is_empty()) {
        let found = diagnosis(&sets[0].examples, &candidates, HeuristicInputs { training: &rules.training, words })?;
        sections.extend(found.sections());
        measured.extend(found.measurements(&sets[0].id));
    }
    sections.insert(0, Section::sentences(SectionId::Verdict, "Verdict", verdict));
    let mut report = Report::new(title, provenance, sections);
    report.measure(measured);
    Ok(report)
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
    let (mut rows, mut measured, mut unknown) = (Vec::new(), Vec::new(), None);
    for (place, set) in sets.iter().enumerate() {
        let groups = match judged.iter().map(|sets| sets[place].breakdown(tags)).collect::<Result<Vec<_>, _>>() {
            Ok(groups) => groups,
            Err(error) => {
                unknown.get_or_insert(error);
                continue;
            }
        };
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
    columns.extend(["rows", "clusters"].map(TableColumn::right));
    columns.extend(models.iter().map(|model| TableColumn::right(&model.name)));
    let unit = Generalisation::of(judged.first().into_iter().flatten()).sentence_of_sets();
    let title = format!("Accuracy by {}", tags.join(" and "));
    let table = Table { key_columns, columns, rows };
    Ok((Section::table(SectionId::By(tags.join(",")), title, vec![unit], table), measured))
}

/// What the challenges cost one model, under its name.
fn stressed_sections(model: &str, found: &stressed::StressResult) -> Vec<Section> {
    let unchanged = |id: &SectionId| match id {
        SectionId::Flips(name) => found.challenges.iter().any(|challenge| challenge.name == *name && challenge.changed().count == 0),
        _ => false,
    };
    // A table of flips where nothing flipped says nothing.
    found.sections().into_iter().filter(|section| !unchanged(&section.id)).map(|section| section.of_model(model)).collect()
}

/// How a model does where nothing is meant to mislead it.
fn standing(model: &str, sets: &[TestSet<'_>], scores: &[Proportion]) -> String {
    let easy = sets.iter().zip(scores).filter(|(set, _)| set.role == Role::Easy);
    let easy: String = easy.map(|(set, score)| format!("{} on {} pairs, ", percent(*score), set.name())).collect();
    format!("{model}: {easy}{} on clean rows", percent(scores[0]))
}

/// What the sets of each challenge that is split by heuristic and label show, each sentence after a blank; nothing without them.
fn heuristics_sentences(sets: &[TestSet<'_>], scores: &[Proportion], reliance: &[SetReliance<'_>]) -> String {
    let mut titles: Vec<&str> =
        sets.iter().filter(|set| set.id.value(tag::HEURISTIC).is_some()).filter_map(|set| set.made_by.as_deref()).collect();
    titles.dedup();
    titles.into_iter().filter_map(|title| heuristics_sentence(title, sets, scores, reliance)).collect()
}

/// What the sets of one challenge show: the heuristics that its pairs are made to contradict.
fn heuristics_sentence(title: &str, sets: &[TestSet<'_>], scores: &[Proportion], reliance: &[SetReliance<'_>]) -> Option<String> {
    let own = || sets.iter().zip(scores).filter(|(set, _)| set.made_by.as_deref() == Some(title));
    let sum = |gold: Judgment| {
        let own = own().filter(|(set, _)| set.id.value(GOLD) == Some(gold.name()));
        own.fold(Proportion { count: 0, total: 0 }, |sum, (_, score)| Proportion {
            count: sum.count + score.count,
            total: sum.total + score.total,
        })
    };
    let (entailed, not) = (sum(Label::Entailment.into()), sum(Judgment::NotEntailment));
    if entailed.total == 0 || not.total == 0 {
        return None;
    }
    let told = |wanted: &str| {
        let own = reliance.iter().filter(|one| one.made_by == Some(title) && one.reliance.verdict() == wanted);
        // Heuristics of one reason stand before it together.
        let mut by_reason: Vec<(Option<&str>, Vec<&str>)> = Vec::new();
        for one in own {
            let why = if let Reliance::CannotTell { why, .. } = &one.reliance { Some(why.as_str()) } else { None };
            match by_reason.iter_mut().find(|(known, _)| *known == why) {
                Some((_, names)) => names.push(one.heuristic),
                None => by_reason.push((why, vec![one.heuristic])),
            }
        }
        let part = |(why, names): &(Option<&str>, Vec<&str>)| match why {
            Some(why) => format!("{} ({why})", names.join(", ")),
            None => names.join(", "),
        };
        by_reason.iter().map(part).collect::<Vec<_>>()
    };
    let verdicts = [("relies on", "it relies on"), ("does not rely on", "it does not rely on"), ("cannot tell", "cannot tell for")];
    let verdicts = verdicts.map(|(verdict, words)| (words, told(verdict)));
    let verdicts: String =
        verdicts.iter().filter(|(_, names)| !names.is_empty()).map(|(words, names)| format!("; {words} {}", names.join(", "))).collect();
    let (entailed, not) = (percent(entailed), percent(not));
    Some(format!(" On {title} it is right on {entailed} of the entailed and on {not} of the non-entailed pairs{verdicts}."))
}

/// One model on a set of pairs that are all made to contradict a heuristic.
struct SetReliance<'a> {
    set: &'a str,
    heuristic: &'a str,
    made_by: Option<&'a str>,
    reliance: Reliance,
}

/// Whether a model relies on the heuristics that sets are made to contradict, judged by new templates. That it does not always give the same
/// answer is seen on all sets.
fn reliance_of<'a>(sets: &'a [TestSet<'_>], judged: &[Judged<'_>]) -> Vec<SetReliance<'a>> {
    let mut answers = judged.iter().flat_map(|judged| judged.scored().map(|(_, outcome)| outcome.answer.map(Judgment::is_entailment)));
    let first = answers.next();
    let variety = if answers.any(|answer| Some(answer) != first) { AnswerVariety::Several } else { AnswerVariety::Same };
    let of = |(set, judged): (&'a TestSet<'_>, &Judged<'_>)| {
        let heuristic = set.id.value(tag::HEURISTIC).filter(|_| set.id.value(GOLD) == Some(Judgment::NotEntailment.name()))?;
        let reliance = Reliance::of_counterexamples(&judged.over_templates()?, variety);
        Some(SetReliance { set: set.name(), heuristic, made_by: set.made_by.as_deref(), reliance })
    };
    sets.iter().zip(judged).filter_map(of).collect()
}

/// The accuracies of that section as measurements.
fn over_templates(sets: &[TestSet<'_>], models: &[ModelPredictions], judged: &[Vec<Judged<'_>>]) -> Vec<Measurement> {
    let mut found = Vec::new();
    for (place, set) in sets.iter().enumerate() {
        for (model, judged) in models.iter().zip(judged) {
            let subject = Subject { model: &model.name, set: &set.id, scoring: Some(judged[place].scoring) };
            found.extend(judged[place].over_templates().and_then(|accuracy| subject.over_templates(&accuracy)));
        }
    }
    found
}

/// Every model on every set that is generated from templates, with templates as clusters; nothing without such sets.
fn new_templates_section(sets: &[TestSet<'_>], models: &[ModelPredictions], judged: &[Vec<Judged<'_>>]) -> Option<Section> {
    let mut rows = Vec::new();
    let mut verdicts = false;
    for (place, set) in sets.iter().enumerate() {
        for (model, judged) in models.iter().zip(judged) {
            let Some(found) = judged[place].over_templates().filter(|found| found.proportion().total > 0) else { continue };
            let own = reliance_of(sets, judged).into_iter().find(|one| one.set == set.name());
            verdicts |= own.is_some();
            rows.push(vec![
                Cell::text(set.name()),
                Cell::text(&model.name),
                Cell::Count { count: found.proportion().total },
                Cell::Count { count: found.clusters() },
                template_cell(&found),
                own.map_or(Cell::Empty {}, |own| Cell::text(own.reliance.verdict())),
            ]);
        }
    }
    let mut notes = vec![templates::UNIT.to_string()];
    notes.extend(verdicts.then(templates::rule));
    let table = Table::keyed(&["set", "model"], &["rows", "templates", "new templates", "verdict"], rows);
    (!table.rows.is_empty()).then(|| Section::table(SectionId::NewTemplates, "New templates", notes, table))
}

fn percent(share: Proportion) -> String {
    share.rate().map_or("-".to_string(), |rate| format!("{:.1} %", 100.0 * rate))
}

/// What the challenges cost a model: the largest sure loss, on the rows that both sets have.
fn stress_sentence(found: &stressed::StressResult) -> String {
    let loss = |challenge: &&stressed::ChallengeEffect| challenge.drop.counts.difference();
    let sure = found.challenges.iter().filter(|challenge| challenge.holm_p < found.alpha && loss(challenge) > 0.0);
    let worst = sure.max_by(|a, b| loss(a).total_cmp(&loss(b)));
    match worst {
        Some(worst) => format!(
            "{} costs it {:.1} points (from {} to {} on the same rows).",
            worst.name,
            100.0 * loss(&worst),
            percent(worst.clean),
            percent(worst.stressed)
        ),
        None => "no challenge surely lowers it.".to_string(),
    }
}

fn sets_section(sets: &[TestSet<'_>], models: &[ModelPredictions], scores: &[Vec<Score>], unit: &Generalisation) -> Section {
    let notes = vec![format!("Accuracy with 95 % clustered Wilson intervals. {}", unit.sentence_of_sets())];
    let mut columns = vec![TableColumn::left("set"), TableColumn::right("rows")];
    columns.extend(models.iter().map(|model| TableColumn::right(&model.name)));
    // What is easy stands above what is not.
    let easy = |set: &TestSet<'_>| set.role == Role::Easy;
    let mut order: Vec<(&TestSet<'_>, &Vec<Score>)> = sets.iter().zip(scores).collect();
    order.sort_by_key(|(set, _)| !easy(set));
    let rows = order.into_iter().map(|(set, scores)| {
        let labelled = set.examples.iter().filter(|example| example.gold.is_some()).count() as u64;
        let mut cells = vec![Cell::text(set.name()), Cell::Count { count: labelled }];
        cells.extend(scores.iter().map(|score| Cell::clustered(&score.clustered)));
        cells
    });
    Section::table(SectionId::Sets, "Accuracy on every set", notes, Table { key_columns: 1, columns, rows: rows.collect() })
}
