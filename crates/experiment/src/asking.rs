//! Asking a model about every set.

use crate::answers::judge;
use crate::error::Error;
use crate::models::{LabelOrder, ModelSource, NamedModel};
use crate::session::{Progress, Session};
use crate::sets::TestSet;
use acidtest_evaluate::analysis::doctor;
use acidtest_evaluate::{Item, Judged, Missing, Predictions, Scoring};
use acidtest_model::{Model, ModelError};
use acidtest_nli::{Answer, Example, Judgment, Key, Label, Pair, Prediction};
use std::collections::HashMap;

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

/// Asks a model about every set. Where its label order may be wrong, the first set is asked by itself and looked at before the others.
pub(crate) fn ask(model: &NamedModel, sets: &[TestSet<'_>], check: OrderCheck, session: &Session<'_>) -> Result<ModelPredictions, Error> {
    let mut asked = ModelPredictions { name: model.name.clone(), labels: model.labels, predictions: Vec::new(), truncated: 0 };
    let check = if model.order == LabelOrder::Known { OrderCheck::Skip } else { check };
    match &model.source {
        ModelSource::Recorded { answers, .. } => {
            asked.predictions = recorded(answers, sets, &model.name)?;
            asked.check_order(&sets[0], check)?;
        }
        ModelSource::Model(source) => {
            let total = sets.iter().map(|set| set.examples.len() as u64).sum();
            let mut asking = Asking { model: source.as_ref(), name: &model.name, session, done: 0, total };
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
    done: u64,
    total: u64,
}

impl Asking<'_> {
    /// The predictions for these sets. All pairs are given to the model at once: it may encode a sentence once that stands in many of them.
    fn ask(&mut self, sets: &[TestSet<'_>]) -> Result<Vec<Predictions>, Error> {
        let pairs: Vec<Pair<'_>> = sets.iter().flat_map(|set| set.examples.iter()).map(|example| example.pair.borrowed()).collect();
        let mut predictions: Vec<Option<Prediction>> = vec![None; pairs.len()];
        self.model.predict(&pairs, &mut |place, prediction| {
            self.session.check_cancelled().map_err(|_| ModelError::Cancelled)?;
            predictions[place] = Some(prediction);
            self.done += 1;
            self.session.progress(Progress { task: self.name, unit: "pairs", done: self.done, total: Some(self.total) });
            Ok(())
        })?;
        let mut predictions = predictions.into_iter();
        let of_set = |set: &TestSet<'_>| {
            let own: Option<Vec<Prediction>> = predictions.by_ref().take(set.examples.len()).collect();
            own.map(Predictions::InOrder).ok_or(Error::Model(ModelError::Silent))
        };
        sets.iter().map(of_set).collect()
    }
}

/// Recorded predictions by set; with several sets they must have ids.
fn recorded(answers: &[Answer], sets: &[TestSet<'_>], model: &str) -> Result<Vec<Predictions>, Error> {
    if sets.len() == 1 {
        return Ok(vec![Predictions::Keyed(answers.to_vec())]);
    }
    let mut by_id: HashMap<&str, &Answer> = HashMap::with_capacity(answers.len());
    for answer in answers {
        match &answer.key {
            Key::Id(id) => _ = by_id.insert(id, answer),
            Key::Row(_) => return Err(Error::NoIds { model: model.to_string(), purpose: "which set" }),
        }
    }
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
