//! Every model through every challenge: one report.

use crate::answers::{JudgeError, judge};
use crate::findings::{Learnt, diagnosis};
use crate::hans::HansError;
use crate::misleading::WordsAlone;
use acidtest_challenge::hans::{Amount, Generator, GeneratorSettings, Grammar};
use acidtest_challenge::{Challenge, ChallengeError, Coverage, Mode};
use acidtest_evaluate::analysis::compositional::Together;
use acidtest_evaluate::analysis::{AnalysisError, Candidate, Testing, doctor, stressed};
use acidtest_evaluate::measurement::{GroupValues, Measurement, Metric, SetId, Subject};
use acidtest_evaluate::report::{Cell, Column, Provenance, Report, Section, SectionId, Table};
use acidtest_evaluate::statistics::Proportion;
use acidtest_evaluate::{GOLD, Item, Judged, Missing, Predictions, Score, Scoring};
use acidtest_model::{Model, ModelError};
use acidtest_nli::{Answer, Example, Judgment, Key, Label, Pair, Prediction, Seed, tag};
use std::collections::HashMap;

/// Rows that models are asked about, under a name.
pub struct TestSet {
    /// What it is known by: its name in tables (`clean` or a challenge's), what its rows share, and its content.
    pub id: SetId,
    /// The rows.
    pub examples: Vec<Example<'static>>,
    /// What it is held against.
    pub role: Role,
}

/// What a set is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Nothing: the others are held against it.
    Clean,
    /// The clean rows that it was made from.
    Challenge,
    /// Nothing: its rows come from elsewhere.
    Apart,
}

/// A model under the name that the report shows.
pub struct NamedModel {
    /// The name.
    pub name: String,
    /// Where its answers come from.
    pub source: Source,
    /// The order in which its outputs were read.
    pub labels: [Label; 3],
    /// Whether that order may be wrong.
    pub order: LabelOrder,
}

/// How the order of a model's labels is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelOrder {
    /// The model answers in our own labels.
    Known,
    /// Somebody said so, or it was taken for granted.
    Stated,
}

/// Where a model's answers come from.
pub enum Source {
    /// Something that can be asked.
    Model(Box<dyn Model>),
    /// Answers that were recorded before, by id.
    Recorded(Vec<Answer>),
}

/// A model's answers to every set.
pub struct Asked {
    name: String,
    labels: [Label; 3],
    order: LabelOrder,
    answers: Vec<Predictions>,
    /// Rows of all sets that are longer than what the model reads.
    cut_short: usize,
}

/// A run that could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A model did not answer.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Answers and rows do not go together.
    #[error("model `{model}`, set `{set}`: {source}")]
    Judge {
        /// The model.
        model: String,
        /// The set.
        set: String,
        /// What is wrong.
        source: JudgeError,
    },
    /// An analysis could not be made.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// Recorded answers that do not say which row they are for.
    #[error("model `{model}`: predictions by row number go with `acidtest evaluate`; a run needs them by id, for the rows of every set")]
    NoIds {
        /// The model.
        model: String,
    },
    /// The labels were read in the wrong order.
    #[error("model `{model}`: {verdict}")]
    WrongOrder {
        /// The model.
        model: String,
        /// What is wrong, and what would do.
        verdict: String,
    },
}

impl TestSet {
    /// A set of these rows.
    pub fn new(name: impl Into<String>, role: Role, examples: Vec<Example<'static>>) -> Self {
        TestSet::part(name, Vec::new(), role, examples)
    }

    /// A set of these rows, which are those of a larger set that share these values.
    pub fn part(name: impl Into<String>, group: GroupValues, role: Role, examples: Vec<Example<'static>>) -> Self {
        TestSet { id: SetId::of(name, group, &examples), examples, role }
    }

    /// The name in tables.
    pub fn name(&self) -> &str {
        &self.id.name
    }

    /// What scoring needs of its examples.
    pub fn items(&self) -> Vec<Item<'_>> {
        self.examples.iter().map(Item::of).collect()
    }

    /// Whether its rows are HANS'.
    fn is_hans(&self) -> bool {
        self.id.value(tag::HEURISTIC).is_some()
    }
}

/// HANS, so many pairs of each subcase, as six sets: heuristics by right answer, as in the paper's table 3.
pub fn hans_sets(per_subcase: usize, mode: Mode, seed: u64) -> Result<Vec<TestSet>, HansError> {
    let set = Grammar::built_in().set_up(mode)?;
    let settings = GeneratorSettings { amount: Amount::PerSubcase(per_subcase), seed, ..GeneratorSettings::default() };
    let mut sets: Vec<(String, Judgment, Vec<Example<'static>>)> = Vec::new();
    Generator::new(&set, settings)?.run::<HansError>(|row| {
        let (example, gold) = (row.example(), row.gold());
        let heuristic = example.tags.get(tag::HEURISTIC).unwrap_or_default();
        match sets.iter_mut().find(|(known, known_gold, _)| known == heuristic && *known_gold == gold) {
            Some((_, _, examples)) => examples.push(example),
            None => sets.push((heuristic.to_string(), gold, vec![example])),
        }
        Ok(())
    })?;
    // Entailed pairs stand above non-entailed ones.
    sets.sort_by_key(|(_, gold, _)| !gold.is_entailment());
    let part = |(heuristic, gold, examples): (String, Judgment, _)| {
        let gold_name = if gold.is_entailment() { "entailed" } else { "not" };
        let name = format!("hans-{}-{gold_name}", heuristic.trim_start_matches("lexical_"));
        let group = vec![(tag::HEURISTIC.to_string(), heuristic), (GOLD.to_string(), gold.name().to_string())];
        TestSet::part(name, group, Role::Apart, examples)
    };
    Ok(sets.into_iter().map(part).collect())
}

/// The clean rows, and every challenge made from them, with notes of what could not be made.
pub fn make_sets(examples: Vec<Example<'static>>, challenges: &[Challenge]) -> Result<(Vec<TestSet>, Vec<String>), ChallengeError> {
    let mut notes = Vec::new();
    let unlabelled = examples.iter().filter(|example| example.gold.is_none()).count();
    if unlabelled > 0 {
        notes.push(format!("{unlabelled} rows have no gold label and are left out."));
    }
    let mut sets = Vec::new();
    for challenge in challenges {
        let mut coverage = Coverage::default();
        let mut made = Vec::new();
        for example in &examples {
            made.extend(challenge.rows(example, &mut coverage)?.into_iter().map(Example::into_owned));
        }
        let set = TestSet::new(challenge.name(), Role::Challenge, made);
        notes.extend(
            coverage.not_applicable.iter().map(|(reason, count)| format!("{}: {count} rows not applicable: {reason}.", challenge.name())),
        );
        if !set.examples.is_empty() {
            sets.push(set);
        }
    }
    sets.insert(0, TestSet::new("clean", Role::Clean, examples));
    Ok((sets, notes))
}

/// Asks a model about every set; the first set is held against all orders of the labels before the others are asked.
///
/// `tell` hears how far the model is: its name, pairs answered, pairs in all.
pub fn ask(model: NamedModel, sets: &[TestSet], tell: &mut dyn FnMut(&str, usize, usize)) -> Result<Asked, RunError> {
    let total = sets.iter().map(|set| set.examples.len()).sum();
    let mut done = 0;
    let NamedModel { name, source, labels, order } = model;
    let mut asked = Asked { name, labels, order, answers: Vec::new(), cut_short: 0 };
    if let Source::Recorded(answers) = &source
        && answers.iter().any(|answer| matches!(answer.key, Key::Row(_)))
    {
        return Err(RunError::NoIds { model: asked.name });
    }
    let recorded: Option<HashMap<&str, &Answer>> = match &source {
        Source::Recorded(answers) => Some(
            answers
                .iter()
                .filter_map(|answer| match &answer.key {
                    Key::Id(id) => Some((id.as_str(), answer)),
                    Key::Row(_) => None,
                })
                .collect(),
        ),
        Source::Model(_) => None,
    };
    for (n, set) in sets.iter().enumerate() {
        let answers = match (&source, &recorded) {
            (Source::Model(model), _) => {
                let pairs: Vec<Pair<'static>> = set.examples.iter().map(|example| example.pair.clone()).collect();
                let mut predictions: Vec<Option<Prediction>> = vec![None; pairs.len()];
                model.predict(&pairs, &mut |place, prediction| {
                    predictions[place] = Some(prediction);
                    done += 1;
                    tell(&asked.name, done, total);
                    Ok(())
                })?;
                asked.cut_short += predictions.iter().flatten().filter(|prediction| prediction.truncated).count();
                Predictions::InOrder(predictions.into_iter().flatten().collect())
            }
            (Source::Recorded(_), by_id) => {
                let of = |example: &Example<'_>| {
                    by_id.as_ref().and_then(|by_id| by_id.get(example.pair.id.as_ref())).map(|answer| (*answer).clone())
                };
                Predictions::Keyed(set.examples.iter().filter_map(of).collect())
            }
        };
        asked.answers.push(answers);
        if n == 0 && asked.order == LabelOrder::Stated {
            asked.check_order(set)?;
        }
    }
    Ok(asked)
}

impl Asked {
    /// The model's predictions for the set at this place, scored against gold.
    fn judged<'a>(&'a self, place: usize, set: &TestSet, items: &'a [Item<'a>], scoring: Option<Scoring>) -> Result<Judged<'a>, RunError> {
        judge(items, &self.answers[place], Missing::Refuse, scoring).map_err(|source| RunError::Judge {
            model: self.name.clone(),
            set: set.name().to_string(),
            source,
        })
    }

    /// How many rows of all sets are longer than what the model reads.
    pub fn cut_short(&self) -> usize {
        self.cut_short
    }

    /// The model's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn check_order(&self, set: &TestSet) -> Result<(), RunError> {
        let mut gold = set.examples.iter().filter_map(|example| example.gold).peekable();
        if gold.peek().is_none() || gold.any(|gold| gold == Judgment::NotEntailment) {
            return Ok(());
        }
        let items = set.items();
        let judged = self.judged(0, set, &items, None)?;
        let examined = doctor::examine(&judged, self.labels)?;
        if examined.better_labels().is_none() {
            return Ok(());
        }
        Err(RunError::WrongOrder { model: self.name.clone(), verdict: examined.sentence() })
    }
}

/// Every model's predictions for every set, joined and scored once: for each model, the sets in their order.
pub fn judge_all<'a>(sets: &[TestSet], items: &'a [Vec<Item<'a>>], asked: &'a [Asked]) -> Result<Vec<Vec<Judged<'a>>>, RunError> {
    // Clean rows and challenges are compared, and so are scored by one rule.
    let compared = sets.iter().filter(|set| set.role != Role::Apart).flat_map(|set| &set.examples);
    let scoring = Scoring::for_gold(compared.filter_map(|example| example.gold));
    let of = |model: &'a Asked| {
        let sets = sets.iter().zip(items).enumerate();
        sets.map(|(place, (set, items))| model.judged(place, set, items, (set.role != Role::Apart).then_some(scoring))).collect()
    };
    asked.iter().map(of).collect()
}

/// What is known of a run beside its answers.
pub struct RunAbout<'a> {
    /// The headline of the report.
    pub title: String,
    /// What could not be made.
    pub notes: Vec<String>,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// What a lexical model says of the clean rows, where one was given.
    pub words: Option<&'a WordsAlone>,
    /// The seed of all random choices.
    pub seed: u64,
}

/// What came of the run: verdict, one table of all sets, where words mislead, what each challenge costs, and the shortcuts.
///
/// `judged` has each model's sets, as [`judge_all`] gives them.
pub fn run_report(sets: &[TestSet], asked: &[Asked], judged: &[Vec<Judged<'_>>], about: RunAbout<'_>) -> Result<Report, RunError> {
    let RunAbout { title, notes, provenance, words, seed } = about;
    let scores: Vec<Vec<Proportion>> =
        (0..sets.len()).map(|place| judged.iter().map(|sets| Score::of(&sets[place]).accuracy).collect()).collect();
    let mut sections = vec![sets_section(sets, asked, &scores)];
    if !notes.is_empty() {
        sections.push(Section::sentences(SectionId::LeftOut, "Left out", notes));
    }
    let ids: Vec<SetId> = sets.iter().map(|set| set.id.clone()).collect();
    let mut measured = measured_sets(&ids, asked, &scores);
    let mut verdict = Vec::new();
    let testing = Testing::new(Seed::new(seed).child("stressed"));
    for (n, model) in asked.iter().enumerate() {
        let own: Vec<Proportion> = scores.iter().map(|scores| scores[n]).collect();
        let (start, end) = (standing(&model.name, sets, &own), hans_sentence(sets, &own));
        let challenges: Vec<&Judged<'_>> =
            sets.iter().zip(&judged[n]).filter(|(set, _)| set.role == Role::Challenge).map(|(_, judged)| judged).collect();
        if challenges.is_empty() {
            verdict.push(format!("{start}; no challenge was made.{end}"));
            continue;
        }
        let found = stressed::compare(&judged[n][0], &challenges, &testing)?;
        verdict.push(format!("{start}; {}{end}", stress_sentence(&found)));
        sections.extend(stressed_sections(&model.name, &found));
        measured.extend(found.measurements(&model.name, &sets[0].id, &ids));
    }
    let candidates: Vec<Candidate<'_>> =
        asked.iter().zip(judged).map(|(model, judged)| Candidate { name: &model.name, judged: &judged[0] }).collect();
    if let Some(words) = words {
        let found = words.table(&sets[0].examples, &candidates, Together::Apart, seed)?;
        sections.insert(1, found.section());
        let models: Vec<&str> = asked.iter().map(|model| model.name.as_str()).collect();
        measured.extend(found.measurements(&models, &sets[0].id));
    }
    let found = diagnosis(&sets[0].examples, &candidates, Learnt { training: &[], words }, seed)?;
    sections.extend(found.sections());
    measured.extend(found.measurements(&sets[0].id));
    let verdict = Section::sentences(SectionId::Verdict, "Verdict", verdict);
    sections.insert(0, verdict);
    let mut report = Report::new(title, provenance, sections);
    report.measure(measured);
    Ok(report)
}

/// Every model's accuracy on every set.
fn measured_sets(ids: &[SetId], asked: &[Asked], scores: &[Vec<Proportion>]) -> Vec<Measurement> {
    let of = |(set, scores)| {
        let models = asked.iter().zip(scores as &Vec<Proportion>);
        models.filter_map(move |(model, score)| Subject { model: &model.name, set }.share(Metric::Accuracy, *score))
    };
    ids.iter().zip(scores).flat_map(of).collect()
}

/// What the challenges cost one model, under its name.
fn stressed_sections(model: &str, found: &stressed::Stressed) -> Vec<Section> {
    let unchanged = |id: &SectionId| match id {
        SectionId::Flips(name) => found.challenges.iter().any(|challenge| challenge.name == *name && challenge.changed().count == 0),
        _ => false,
    };
    // A table of flips where nothing flipped says nothing.
    found.sections().into_iter().filter(|section| !unchanged(&section.id)).map(|section| section.of_model(model)).collect()
}

/// How a model does where nothing is meant to mislead it.
fn standing(model: &str, sets: &[TestSet], scores: &[Proportion]) -> String {
    let easy = sets.iter().zip(scores).filter(|(set, _)| set.role == Role::Apart && !set.is_hans());
    let easy: String = easy.map(|(set, score)| format!("{} on {} pairs, ", percent(*score), set.name())).collect();
    format!("{model}: {easy}{} on clean rows", percent(scores[0]))
}

/// What HANS shows, after a blank; nothing without it.
fn hans_sentence(sets: &[TestSet], scores: &[Proportion]) -> String {
    let sum = |gold: Judgment| {
        let own =
            sets.iter().zip(scores).filter(|(set, _)| set.is_hans() && set.id.value(GOLD) == Some(gold.name())).map(|(_, score)| score);
        own.fold(Proportion { count: 0, total: 0 }, |sum, score| Proportion {
            count: sum.count + score.count,
            total: sum.total + score.total,
        })
    };
    let (entailed, not) = (sum(Label::Entailment.into()), sum(Judgment::NotEntailment));
    let (Some(right), Some(resisted)) = (entailed.rate(), not.rate()) else { return String::new() };
    let why = if right > 0.8 && resisted < 0.2 { ": shared words are enough for it to say entailment" } else { "" };
    format!(" On HANS it is right on {} of the pairs that follow and on {} of those that do not{why}.", percent(entailed), percent(not))
}

fn percent(share: Proportion) -> String {
    share.rate().map_or("-".to_string(), |rate| format!("{:.1} %", 100.0 * rate))
}

/// What the challenges cost a model: the largest sure loss, on the rows that both sets have.
fn stress_sentence(found: &stressed::Stressed) -> String {
    let loss = |challenge: &&stressed::Challenge| challenge.drop.counts.difference();
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

fn sets_section(sets: &[TestSet], asked: &[Asked], scores: &[Vec<Proportion>]) -> Section {
    let notes = vec!["Accuracy with 95 % Wilson intervals.".to_string()];
    let mut columns = vec![Column::left("set"), Column::right("rows")];
    columns.extend(asked.iter().map(|model| Column::right(&model.name)));
    // What is easy stands above what is not.
    let easy = |set: &TestSet| set.role == Role::Apart && !set.is_hans();
    let mut order: Vec<(&TestSet, &Vec<Proportion>)> = sets.iter().zip(scores).collect();
    order.sort_by_key(|(set, _)| !easy(set));
    let rows = order.into_iter().map(|(set, scores)| {
        let labelled = set.examples.iter().filter(|example| example.gold.is_some()).count() as u64;
        let mut cells = vec![Cell::text(set.name()), Cell::Count { count: labelled }];
        cells.extend(scores.iter().map(|score| Cell::rate(*score)));
        cells
    });
    Section::table(SectionId::Sets, "Accuracy on every set", notes, Table { key_columns: 1, columns, rows: rows.collect() })
}
