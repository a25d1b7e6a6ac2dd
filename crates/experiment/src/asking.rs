//! Asking a model about every set.

use crate::answers::judge;
use crate::error::Error;
use crate::models::{LabelOrder, ModelSource, NamedModel};
use crate::session::{Progress, Session};
use crate::sets::{TestSet, WHOLE};
use crate::spec::SurplusRule;
use acidtest_evaluate::analysis::doctor;
use acidtest_evaluate::{Item, Judged, Missing, Predictions, Scoring, join};
use acidtest_model::{Calls, Model, ModelError};
use acidtest_nli::{Answer, Example, Judgment, Key, Label, Pair, Prediction};
use acidtest_threads::in_order;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};

/// A model's predictions for every set.
pub struct ModelPredictions {
    /// The model's name.
    pub name: String,
    /// The order in which its outputs were read.
    pub labels: [Label; 3],
    /// Its predictions, set by set.
    pub predictions: Vec<Predictions>,
    /// How many examples of all sets are longer than what the model reads.
    pub truncated: usize,
}

/// What is checked before the other sets are asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OrderCheck {
    /// Another order of the labels that fits significantly better is an error.
    Refuse,
    /// Nothing.
    Skip,
}

/// What is refused when models are asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AskRules {
    /// Labels in the wrong order.
    pub order: OrderCheck,
    /// Recorded predictions for examples that no set has.
    pub surplus: SurplusRule,
}

/// Asks a model about every set. Where its label order may be wrong, the first set is asked by itself and looked at before the others.
pub(crate) fn ask(model: &NamedModel, sets: &[TestSet<'_>], rules: AskRules, session: &Session<'_>) -> Result<ModelPredictions, Error> {
    let mut asked = ModelPredictions { name: model.name.clone(), labels: model.labels, predictions: Vec::new(), truncated: 0 };
    let check = if model.order == LabelOrder::Known { OrderCheck::Skip } else { rules.order };
    match &model.source {
        ModelSource::Recorded { answers, .. } => {
            asked.predictions = recorded(answers, sets, rules.surplus, &model.name)?;
            asked.check_order(&sets[0], check)?;
        }
        ModelSource::Model(source) => {
            require_text(sets)?;
            let total = sets.iter().map(|set| set.examples.len() as u64).sum();
            let asking = Asking { model: source.as_ref(), name: &model.name, session, done: AtomicU64::new(0), total };
            let first = if check == OrderCheck::Refuse { 1 } else { sets.len() };
            asked.predictions = asking.ask(&sets[..first])?;
            asked.check_order(&sets[0], check)?;
            asked.predictions.extend(asking.ask(&sets[first..])?);
        }
    }
    let truncated = |predictions: &Predictions| match predictions {
        Predictions::InOrder(predictions) => predictions.iter().filter(|prediction| prediction.truncated).count(),
        Predictions::Keyed(answers) => answers.iter().filter(|answer| answer.prediction.truncated).count(),
    };
    asked.truncated = asked.predictions.iter().map(truncated).sum();
    Ok(asked)
}

/// A model that is being asked.
struct Asking<'a> {
    model: &'a dyn Model,
    name: &'a str,
    session: &'a Session<'a>,
    done: AtomicU64,
    total: u64,
}

/// Pairs that one thread asks about at a time.
const PAIRS_OF_A_CALL: usize = 512;

impl Asking<'_> {
    /// The predictions for these sets.
    fn ask(&self, sets: &[TestSet<'_>]) -> Result<Vec<Predictions>, Error> {
        match self.model.calls() {
            Calls::Parallel => self.ask_in_parallel(sets),
            Calls::OneAtATime | Calls::OneForAll => self.ask_at_once(sets),
        }
    }

    /// Every thread asks about some pairs, which are in memory no longer than that.
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

    /// All pairs are given to the model at once: it may encode a sentence once that stands in many of them.
    fn ask_at_once(&self, sets: &[TestSet<'_>]) -> Result<Vec<Predictions>, Error> {
        let mut predictions = self.call(sets.iter().flat_map(|set| set.examples.iter()))?.into_iter();
        Ok(sets.iter().map(|set| Predictions::InOrder(predictions.by_ref().take(set.examples.len()).collect())).collect())
    }

    /// Asks the model once.
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

/// Fails on an example without text: a gold key goes with recorded predictions alone.
fn require_text(sets: &[TestSet<'_>]) -> Result<(), Error> {
    let mut examples = sets.iter().flat_map(|set| set.examples.iter());
    match examples.find(|example| example.pair.premise.text.is_empty()) {
        Some(example) => Err(Error::NoText { id: example.pair.id.to_string() }),
        None => Ok(()),
    }
}

/// Recorded predictions by set; with several sets they must have ids. Each must be for an example of one of the sets, unless others are ignored.
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
        let Key::Id(id) = &answer.key else {
            let purpose = if sets.len() == 1 { "a larger set" } else { "which set" };
            return Err(Error::NoIds { model: model.to_string(), purpose });
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
        set: WHOLE.to_string(),
        source: source.into(),
    })?;
    let of = |example: &Example<'_>| by_id.get(example.pair.id.as_ref()).map(|answer| (*answer).clone());
    Ok(sets.iter().map(|set| Predictions::Keyed(set.examples.iter().filter_map(of).collect())).collect())
}

impl ModelPredictions {
    /// The predictions for the set at this place, scored against gold.
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

    /// Fails where another order of the labels fits the first set significantly better.
    fn check_order(&self, set: &TestSet<'_>, check: OrderCheck) -> Result<(), Error> {
        let exact = |judgment: Judgment| judgment.label().is_some();
        let mut gold = set.examples.iter().filter_map(|example| example.gold).peekable();
        if check == OrderCheck::Skip || gold.peek().is_none() || !gold.all(exact) {
            return Ok(());
        }
        let items = set.items();
        let judged = self.judged(0, set, &items, (Missing::CountAsWrong, None))?;
        if !judged.joined.labelled().any(|(_, example)| example.prediction.is_some_and(|prediction| exact(prediction.answer))) {
            return Ok(());
        }
        let examined = doctor::examine(&judged, self.labels)?;
        match examined.better_labels() {
            Some(_) => Err(Error::WrongOrder { model: self.name.clone(), verdict: examined.sentence() }),
            None => Ok(()),
        }
    }
}
