//! Gets a model's predictions for every set.

use crate::answers::judge;
use crate::error::{Error, IdsNeeded};
use crate::models::{LabelOrder, ModelSource, NamedModel};
use crate::row_numbers::placed;
use crate::session::{Progress, Session};
use crate::sets::{ORIGINAL, TestSet};
use crate::spec::SurplusRule;
use acidtest_evaluate::analysis::doctor::{self, initials};
use acidtest_evaluate::{Item, Judged, Missing, Predictions, Scoring, join};
use acidtest_model::{Calls, Model, ModelError};
use acidtest_nli::{Answer, Example, Judgment, Key, Label, Pair, Prediction, content_hash, grouped, tag};
use acidtest_threads::in_order;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};

/// A model's predictions for every set.
pub struct ModelPredictions {
    /// The model's name.
    pub name: String,
    /// The order in which its labels were read.
    pub labels: [Label; 3],
    /// Its predictions, set by set.
    pub predictions: Vec<Predictions>,
    /// How many predictions came from a cache, and its path, for the provenance of reports; `None` if none did.
    pub cached: Option<String>,
    /// The number of examples that are longer than the model's maximum input, in any set; an example perturbed by several challenges counts once.
    pub truncated: usize,
    /// How many inputs, in all sets together, were read in parts.
    pub parts: PartCounts,
    /// How the model computes and what its outputs mean, if it says so.
    pub description: Option<String>,
    /// The number of examples of the first set, and how many of these the model was trained on; `None` if not known.
    pub seen: Option<(usize, usize)>,
}

/// What is checked before predictions for the other sets are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OrderCheck {
    /// It is an error if another label order fits significantly better.
    Refuse,
    /// Nothing.
    Skip,
}

/// What is refused before models predict.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AskRules<'d> {
    /// Labels in the wrong order.
    pub order: OrderCheck,
    /// Saved predictions for examples that no set has.
    pub surplus: SurplusRule,
    /// Whether the order of the gold labels was assumed; models that know their labels show whether it is right.
    pub assumed_labels: bool,
    /// The indices of rows that were skipped, so that the other examples' indices differ from their rows in the file.
    pub gaps: &'d [u64],
}

/// Gets a model's predictions for every set. If its label order may be wrong, the first set is predicted and checked before the others.
pub(crate) fn ask(model: &NamedModel, sets: &[TestSet<'_>], rules: AskRules<'_>, session: &Session<'_>) -> Result<ModelPredictions, Error> {
    let mut asked = ModelPredictions {
        name: model.name.clone(),
        labels: model.labels,
        predictions: Vec::new(),
        cached: None,
        truncated: 0,
        parts: PartCounts::default(),
        description: None,
        seen: None,
    };
    let check = match model.order {
        LabelOrder::Known => OrderCheck::Skip,
        LabelOrder::Learnt if !rules.assumed_labels => OrderCheck::Skip,
        LabelOrder::Learnt | LabelOrder::Stated => rules.order,
    };
    let check_order =
        |asked: &ModelPredictions| asked.check_order(&sets[0], check, OrderDoubt { model: model.order, data: rules.assumed_labels });
    match &model.source {
        ModelSource::Recorded { answers, pairs, .. } => {
            let (answers, pairs) = placed((answers, pairs), rules.gaps, sets[0].examples.len(), &model.name)?;
            require_same_texts((&answers, &pairs), sets, &model.name)?;
            asked.predictions = recorded(&answers, sets, rules.surplus, &model.name)?;
            check_order(&asked)?;
        }
        ModelSource::Model(source) => {
            require_text(sets)?;
            let total = sets.iter().map(|set| set.examples.len() as u64).sum();
            let asking = Asking { model: source.as_ref(), name: &model.name, session, done: AtomicU64::new(0), total };
            let first = if check == OrderCheck::Refuse { 1 } else { sets.len() };
            let compared: Vec<Pair<'_>> = sets[0].examples.iter().take(COMPARED).map(|example| example.pair.clone()).collect();
            asked.description = described(source.as_ref(), &compared)?;
            asked.seen = seen_examples(source.as_ref(), &sets[0]);
            asked.predictions = asking.ask(&sets[..first])?;
            source.answers_are_clear()?;
            check_order(&asked)?;
            asked.predictions.extend(asking.ask(&sets[first..])?);
            source.answers_are_clear()?;
            if let Some((used, file)) = source.cached().filter(|(used, _)| *used > 0) {
                let folder = file.parent().unwrap_or(&file).display().to_string();
                let (used, total) = (grouped(used), grouped(total));
                session.note(&format!("{}: {used} of {total} predictions from the cache ({folder})", model.name));
                asked.cached = Some(format!("{used} of {total} predictions ({folder})"));
            }
        }
    }
    let mut truncated = HashSet::new();
    for (set, predictions) in sets.iter().zip(&asked.predictions) {
        for (example, prediction) in long_inputs(set, predictions) {
            asked.parts.add(prediction);
            if prediction.truncated {
                truncated.insert(example.tags.get(tag::PARENT).unwrap_or(&example.pair.id));
            }
        }
    }
    asked.truncated = truncated.len();
    Ok(asked)
}

/// The number of pairs on which a model of reduced precision is compared with a precise one.
pub(crate) const COMPARED: usize = 200;

/// How a model computes and what its outputs mean, and how far it agrees with a more precise computation on the first pairs.
pub(crate) fn described(model: &dyn Model, first: &[Pair<'_>]) -> Result<Option<String>, Error> {
    let clauses: Vec<String> = model.description().into_iter().chain(model.agreement(first)?).collect();
    Ok((!clauses.is_empty()).then(|| clauses.join("; ")))
}

/// How many inputs were longer than the model reads, and in how many parts they were read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PartCounts {
    /// The inputs of more than one part.
    pub inputs: usize,
    /// Their parts.
    pub parts: usize,
}

impl PartCounts {
    /// Counts a prediction whose input was read in parts.
    pub(crate) fn add(&mut self, prediction: &Prediction) {
        if prediction.parts > 1 {
            self.inputs += 1;
            self.parts += prediction.parts as usize;
        }
    }
}

/// The number of examples of a set that the model was trained on, and the size of the set.
fn seen_examples(model: &dyn Model, set: &TestSet<'_>) -> Option<(usize, usize)> {
    let saw = set.examples.iter().map(|example| model.saw(&example.pair)).collect::<Option<Vec<bool>>>()?;
    Some((saw.iter().filter(|saw| **saw).count(), saw.len()))
}

/// The examples of a set whose input was truncated or read in parts, with their predictions.
fn long_inputs<'s>(set: &'s TestSet<'_>, predictions: &'s Predictions) -> Vec<(&'s Example<'s>, &'s Prediction)> {
    let is_long = |prediction: &Prediction| prediction.truncated || prediction.parts > 1;
    match predictions {
        Predictions::InOrder(predictions) => set.examples.iter().zip(predictions).filter(|(_, prediction)| is_long(prediction)).collect(),
        Predictions::Keyed(answers) => {
            let long = answers.iter().filter(|answer| is_long(&answer.prediction));
            let long: HashMap<&Key, &Prediction> = long.map(|answer| (&answer.key, &answer.prediction)).collect();
            if long.is_empty() {
                return Vec::new();
            }
            let found = |(place, example): (usize, &'s Example<'_>)| {
                let keys = [Key::Row(place), Key::Index(place), Key::Id(example.pair.id.to_string())];
                Some((example, *keys.iter().find_map(|key| long.get(key))?))
            };
            set.examples.iter().enumerate().filter_map(found).collect()
        }
    }
}

/// Whether a label order is uncertain.
#[derive(Clone, Copy)]
struct OrderDoubt {
    /// How the model's label order is known.
    model: LabelOrder,
    /// Whether the data's label order was assumed.
    data: bool,
}

/// A model that is predicting.
struct Asking<'a> {
    model: &'a dyn Model,
    name: &'a str,
    session: &'a Session<'a>,
    done: AtomicU64,
    total: u64,
}

/// The number of pairs per call of a thread.
const PAIRS_OF_A_CALL: usize = 512;

impl Asking<'_> {
    /// The predictions for these sets.
    fn ask(&self, sets: &[TestSet<'_>]) -> Result<Vec<Predictions>, Error> {
        match self.model.calls() {
            Calls::Parallel => self.ask_in_parallel(sets),
            Calls::OneAtATime | Calls::OneForAll => self.ask_at_once(sets),
        }
    }

    /// Every thread predicts some pairs, whose features are in memory only meanwhile.
    fn ask_in_parallel(&self, sets: &[TestSet<'_>]) -> Result<Vec<Predictions>, Error> {
        let mut parts =
            sets.iter().enumerate().flat_map(|(place, set)| set.examples.chunks(PAIRS_OF_A_CALL).map(move |part| (place, part)));
        let mut predictions: Vec<Vec<Prediction>> = sets.iter().map(|set| Vec::with_capacity(set.examples.len())).collect();
        in_order(
            &self.session.threads,
            || Ok(parts.next()),
            |(place, part)| Ok::<_, Error>((place, self.call(part.iter())?)),
            |(place, more)| {
                predictions[place].extend(more);
                Ok(())
            },
        )?;
        Ok(predictions.into_iter().map(Predictions::InOrder).collect())
    }

    /// Passes all pairs to the model in one call, so that it can encode repeated sentences once.
    fn ask_at_once(&self, sets: &[TestSet<'_>]) -> Result<Vec<Predictions>, Error> {
        let mut predictions = self.call(sets.iter().flat_map(|set| set.examples.iter()))?.into_iter();
        Ok(sets.iter().map(|set| Predictions::InOrder(predictions.by_ref().take(set.examples.len()).collect())).collect())
    }

    /// Calls the model once.
    fn call<'e>(&self, examples: impl Iterator<Item = &'e Example<'e>>) -> Result<Vec<Prediction>, Error> {
        let pairs: Vec<Pair<'_>> = examples.map(|example| example.pair.borrowed()).collect();
        let mut predictions: Vec<Option<Prediction>> = vec![None; pairs.len()];
        self.model.predict(&pairs, &mut |place, prediction| {
            self.session.check_cancelled().map_err(|_| ModelError::Cancelled)?;
            predictions[place] = Some(prediction);
            let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
            self.session.progress(Progress { task: self.name, unit: "pairs", done, total: Some(self.total) });
            Ok(())
        })?;
        predictions.into_iter().collect::<Option<Vec<Prediction>>>().ok_or(Error::Model(ModelError::Silent))
    }
}

/// Fails for an example without text: a gold key only works with saved predictions.
fn require_text(sets: &[TestSet<'_>]) -> Result<(), Error> {
    let mut examples = sets.iter().flat_map(|set| set.examples.iter());
    match examples.find(|example| example.pair.premise.text.is_empty()) {
        Some(example) => Err(Error::NoText { id: example.pair.id.to_string() }),
        None => Ok(()),
    }
}

/// Fails if a prediction was made for another text than the example with its id or row number: challenge sets with other settings or seeds have the same ids.
pub(crate) fn require_same_texts((answers, pairs): (&[Answer], &[Option<u64>]), sets: &[TestSet<'_>], model: &str) -> Result<(), Error> {
    if pairs.iter().all(Option::is_none) {
        return Ok(());
    }
    let has_text = |example: &&Example<'_>| !(example.pair.premise.text.is_empty() && example.pair.hypothesis.text.is_empty());
    let hash = |example: &Example<'_>| content_hash(&example.pair.premise.text, &example.pair.hypothesis.text);
    let mut by_id: HashMap<&str, Vec<u64>> = HashMap::new();
    for example in sets.iter().flat_map(|set| set.examples.iter()).filter(has_text) {
        by_id.entry(example.pair.id.as_ref()).or_default().push(hash(example));
    }
    let of_place = |place: usize| sets.first().and_then(|set| set.examples.get(place)).filter(has_text).map(|example| vec![hash(example)]);
    let is_other = |(answer, pair): &(&Answer, &Option<u64>)| {
        let Some(pair) = pair else { return false };
        let known = match &answer.key {
            Key::Id(id) => by_id.get(id.as_str()).cloned(),
            Key::Row(place) | Key::Index(place) => of_place(*place),
        };
        known.is_some_and(|known| !known.contains(pair))
    };
    let mut other = answers.iter().zip(pairs).filter(is_other);
    let Some((first, _)) = other.next() else { return Ok(()) };
    let first_row = match &first.key {
        Key::Id(id) => format!("`{id}`"),
        Key::Row(place) | Key::Index(place) => format!("row {}", place + 1),
    };
    Err(Error::OtherTexts { model: model.to_string(), first: first_row, count: 1 + other.count(), answers: answers.len() })
}

/// Saved predictions by set; with several sets they need ids. Each must be for an example of one of the sets, unless surplus predictions are ignored.
fn recorded(answers: &[Answer], sets: &[TestSet<'_>], surplus: SurplusRule, model: &str) -> Result<Vec<Predictions>, Error> {
    if sets.len() == 1 && surplus == SurplusRule::Refuse {
        return Ok(vec![Predictions::Keyed(answers.to_vec())]);
    }
    // An example may be in several sets.
    let (mut items, mut known): (Vec<Item<'_>>, HashSet<&str>) = (Vec::new(), HashSet::new());
    for example in sets.iter().flat_map(|set| set.examples.iter()) {
        if known.insert(example.pair.id.as_ref()) {
            items.push(Item::of(example));
        }
    }
    let (mut own, mut by_id): (Vec<Answer>, HashMap<&str, &Answer>) = (Vec::new(), HashMap::new());
    for answer in answers {
        let id = match &answer.key {
            Key::Id(id) => id,
            Key::Row(place) | Key::Index(place) if sets.len() == 1 && surplus == SurplusRule::IgnoreLater => {
                own.extend((*place < sets[0].examples.len()).then(|| answer.clone()));
                continue;
            }
            Key::Row(_) | Key::Index(_) => {
                let needed = if sets.len() == 1 { IdsNeeded::PartOfASet } else { IdsNeeded::SeveralSets };
                return Err(Error::NoIds { model: model.to_string(), needed });
            }
        };
        if surplus == SurplusRule::Refuse || known.contains(id.as_str()) {
            own.push(answer.clone());
            by_id.entry(id).or_insert(answer);
        }
    }
    if sets.len() == 1 {
        return Ok(vec![Predictions::Keyed(own)]);
    }
    join(&items, &own, Missing::CountAsWrong).map_err(|source| Error::Judge {
        model: model.to_string(),
        set: ORIGINAL.to_string(),
        source: source.into(),
    })?;
    let of = |example: &Example<'_>| by_id.get(example.pair.id.as_ref()).map(|answer| (*answer).clone());
    Ok(sets.iter().map(|set| Predictions::Keyed(set.examples.iter().filter_map(of).collect())).collect())
}

impl ModelPredictions {
    /// The predictions for the set at this index, scored against gold.
    pub(crate) fn judged<'a>(
        &'a self,
        place: usize,
        set: &TestSet<'_>,
        items: &'a [Item<'a>],
        rules: (Missing, Option<Scoring>),
    ) -> Result<Judged<'a>, Error> {
        judge(items, &self.predictions[place], rules.0, rules.1).map_err(|source| Error::Judge {
            model: self.name.clone(),
            set: set.name().to_string(),
            source,
        })
    }

    /// Fails if another label order fits the first set significantly better; two-way gold labels show which label is entailment.
    fn check_order(&self, set: &TestSet<'_>, check: OrderCheck, doubt: OrderDoubt) -> Result<(), Error> {
        let exact = |judgment: Judgment| judgment.label().is_some();
        if check == OrderCheck::Skip || set.examples.iter().all(|example| example.gold.is_none()) {
            return Ok(());
        }
        let items = set.items();
        let judged = self.judged(0, set, &items, (Missing::CountAsWrong, None))?;
        if !judged.joined.labelled().any(|(_, example)| example.prediction.is_some_and(|prediction| exact(prediction.answer))) {
            return Ok(());
        }
        let examined = doctor::examine(&judged, self.labels)?;
        match examined.better_labels() {
            Some(better) => Err(Error::WrongOrder {
                model: self.name.clone(),
                verdict: [Some(examined.sentence()), examined.tie_note()].into_iter().flatten().collect::<Vec<_>>().join(" "),
                better: (doubt.model == LabelOrder::Stated).then(|| initials(better)),
                better_data: examined.better_gold().filter(|_| doubt.data).map(initials),
            }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::LoadedData;
    use crate::run::run;
    use crate::spec::{ChallengeSpec, EvaluationSpec};
    use acidtest_challenge::{Challenge, Mode, Resources};
    use acidtest_corpus::{FileRead, embedded_sample};
    use acidtest_files::ContentHash;
    use acidtest_model::FunctionModel;

    fn data() -> LoadedData {
        LoadedData { examples: embedded_sample().into_iter().take(6).collect(), ..LoadedData::default() }
    }

    fn challenge(name: &str, mode: Mode, seed: u64) -> Challenge {
        let spec = ChallengeSpec { name: name.to_string(), mode, seed, ..ChallengeSpec::default() };
        spec.resolve(&Resources::default()).unwrap()
    }

    fn recorded_model(answers: Vec<Answer>) -> NamedModel {
        let file = FileRead::new("p.jsonl".to_string(), ContentHash::of(b"p"), answers.len() as u64);
        let source = ModelSource::Recorded { pairs: vec![None; answers.len()], answers, file, column: crate::models::AnswerColumn::Usual };
        NamedModel { name: "p".to_string(), source, labels: Label::ALL, order: LabelOrder::Known, hash: None }
    }

    /// Correct predictions for the original examples and those of the challenge.
    fn right_answers(data: &LoadedData, challenge: &Challenge) -> Vec<Answer> {
        let session = Session::quiet().unwrap();
        let made = crate::sets::make(data, challenge, &session).unwrap();
        let examples = data.examples.iter().chain(made.sets.iter().flat_map(|set| set.examples.iter()));
        let answer = |(place, example): (usize, &Example<'_>)| Answer {
            key: Key::Id(example.pair.id.to_string()),
            prediction: Prediction::of(example.gold.unwrap().label().unwrap()),
            line: place as u64 + 1,
        };
        examples.enumerate().map(answer).collect()
    }

    #[test]
    fn recorded_predictions_of_a_run_are_joined_with_all_sets_at_once() {
        let (data, session) = (data(), Session::quiet().unwrap());
        let challenges = [challenge("negation", Mode::Clean, 1)];
        let right = right_answers(&data, &challenges[0]);
        let ran = |answers: &[Answer], surplus| {
            let spec = EvaluationSpec { surplus, ..EvaluationSpec::default() };
            run(&data, &[recorded_model(answers.to_vec())], &challenges, &spec.resolve(&session).unwrap(), &session)
                .map(|results| results.report)
        };
        assert!(ran(&right, SurplusRule::Refuse).is_ok());
        let mut double = right.clone();
        double.push(Answer { line: 99, prediction: Prediction::of(Label::Neutral), ..right[0].clone() });
        let error = ran(&double, SurplusRule::Refuse).err().unwrap().to_string();
        assert!(error.starts_with("p: 1 id has more than one prediction") && error.contains("on lines 1 and 99"), "{error}");
        let mut unknown = right.clone();
        unknown.push(Answer { line: 99, key: Key::Id("nobody".to_string()), ..right[0].clone() });
        let error = ran(&unknown, SurplusRule::Refuse).err().unwrap().to_string();
        assert!(error.starts_with("p: 1 of ") && error.contains("`nobody`"), "{error}");
        assert!(ran(&unknown, SurplusRule::Ignore).is_ok());
    }

    #[test]
    fn a_truncated_example_counts_once_in_all_sets() {
        let (data, session) = (data(), Session::quiet().unwrap());
        let challenges = [challenge("negation", Mode::Clean, 1), challenge("tautology", Mode::Clean, 1)];
        let mut lengths: Vec<usize> = data.examples.iter().map(|example| example.pair.premise.text.len()).collect();
        lengths.sort_unstable();
        let limit = lengths[2];
        let long = move |pair: &Pair<'_>| pair.premise.text.len() > limit;
        let expected = lengths.iter().filter(|length| **length > limit).count();
        assert!(expected > 1 && expected < data.examples.len());
        let model = FunctionModel::new(move |pair: &Pair<'_>| Prediction { truncated: long(pair), ..Prediction::of(Label::Neutral) });
        let rules = EvaluationSpec::default().resolve(&session).unwrap();
        let found = run(&data, &[NamedModel::new("m", model)], &challenges, &rules, &session).unwrap();
        assert_eq!(found.predictions[0].truncated, expected);
        // The same with a file of predictions.
        let mut answers = right_answers(&data, &challenges[0]);
        answers.iter_mut().for_each(|answer| answer.prediction.truncated = true);
        let found = run(&data, &[recorded_model(answers)], &challenges[..1], &rules, &session).unwrap();
        assert_eq!(found.predictions[0].truncated, data.examples.len());
    }

    #[test]
    fn a_run_records_prediction_files_and_the_seed_and_mode_of_each_challenge() {
        let (data, session) = (data(), Session::quiet().unwrap());
        let challenges = [challenge("negation", Mode::Clean, 1), challenge("spelling-swap", Mode::AsPublished, 2)];
        let model = NamedModel::new("m", FunctionModel::new(|_: &Pair<'_>| Prediction::of(Label::Neutral)));
        let found =
            run(&data, &[model], &challenges, &EvaluationSpec::default().resolve(&session).unwrap(), &session).unwrap().report.provenance;
        let seeds: Vec<(&str, u64)> = found.seeds.iter().map(|(name, seed)| (name.as_str(), *seed)).collect();
        assert_eq!(seeds, [("challenges negation", 1), ("challenges spelling-swap", 2)]);
        assert_eq!(found.options["mode negation"], "clean");
        assert_eq!(found.options["mode spelling-swap"], "as-published");
        let one = [challenge("negation", Mode::Clean, 7)];
        let recorded = recorded_model(right_answers(&data, &one[0]));
        let found =
            run(&data, &[recorded], &one, &EvaluationSpec::default().resolve(&session).unwrap(), &session).unwrap().report.provenance;
        assert_eq!((found.seeds["challenges"], found.options["mode"].as_str()), (7, "clean"));
        assert_eq!(found.inputs.iter().map(|input| input.role.as_str()).collect::<Vec<_>>(), ["predictions"]);
    }

    #[test]
    fn a_gold_key_cannot_be_predicted_by_a_model() {
        let (mut data, session) = (data(), Session::quiet().unwrap());
        data.examples[2].pair.premise.text = "".into();
        data.examples[2].pair.hypothesis.text = "".into();
        let model = NamedModel::new("m", FunctionModel::new(|_: &Pair<'_>| Prediction::of(Label::Neutral)));
        let result = run(&data, &[model], &[], &EvaluationSpec::default().resolve(&session).unwrap(), &session);
        assert!(matches!(result, Err(Error::NoText { id }) if id == data.examples[2].pair.id));
    }
}
