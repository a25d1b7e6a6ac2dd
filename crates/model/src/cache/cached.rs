//! A model whose answers are kept.

use super::AnswerCache;
use crate::{AnswerTaker, Model, ModelError};
use acidtest_nli::{Pair, Prediction};
use std::collections::HashMap;

/// A model that is asked only what it has not answered before.
pub struct CachedModel<M> {
    model: M,
    cache: AnswerCache,
}

impl<M: Model> CachedModel<M> {
    /// Joins a model and the answers that it gave before.
    pub fn new(model: M, cache: AnswerCache) -> Self {
        CachedModel { model, cache }
    }

    /// The stored answers.
    pub fn cache(&self) -> &AnswerCache {
        &self.cache
    }
}

impl<M: Model> Model for CachedModel<M> {
    fn answer(&self, pairs: &[Pair<'_>]) -> Result<Vec<Prediction>, ModelError> {
        let mut answers: Vec<Option<Prediction>> = vec![None; pairs.len()];
        self.answer_each(pairs, &mut |place, prediction| {
            answers[place] = Some(prediction);
            Ok(())
        })?;
        Ok(answers.into_iter().map(|answer| answer.expect("every pair is answered")).collect())
    }

    /// Hands over the stored answers first. A new answer is stored before it is handed over.
    fn answer_each(&self, pairs: &[Pair<'_>], taker: &mut AnswerTaker<'_>) -> Result<(), ModelError> {
        let mut missing: Vec<Pair<'_>> = Vec::new();
        // For each missing pair the places of all pairs of its content: a pair that stands in a set twice is asked once.
        let mut places: Vec<Vec<usize>> = Vec::new();
        let mut by_content: HashMap<(&str, &str), usize> = HashMap::new();
        for (place, pair) in pairs.iter().enumerate() {
            if let Some(prediction) = self.cache.get(pair) {
                taker(place, prediction)?;
                continue;
            }
            let at = *by_content.entry((&pair.premise.text, &pair.hypothesis.text)).or_insert(missing.len());
            if at == missing.len() {
                missing.push(pair.clone());
                places.push(Vec::new());
            }
            places[at].push(place);
        }
        if missing.is_empty() {
            return Ok(());
        }
        self.model.answer_each(&missing, &mut |at, prediction| {
            self.cache.put(&missing[at], &prediction)?;
            places[at].iter().try_for_each(|&place| taker(place, prediction.clone()))
        })?;
        self.cache.sync()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::Label;
    use std::sync::Mutex;

    /// Answers by the first letter of the hypothesis and keeps what it was asked.
    #[derive(Default)]
    struct Listener(Mutex<Vec<String>>);

    impl Model for Listener {
        fn answer(&self, pairs: &[Pair<'_>]) -> Result<Vec<Prediction>, ModelError> {
            self.0.lock().unwrap().extend(pairs.iter().map(|pair| pair.hypothesis.text.to_string()));
            let label = |pair: &Pair<'_>| if pair.hypothesis.text.starts_with('e') { Label::Entailment } else { Label::Neutral };
            Ok(pairs.iter().map(|pair| Prediction::of(label(pair))).collect())
        }
    }

    #[track_caller]
    fn check(model: &CachedModel<Listener>, hypotheses: &[&str], asked: &[&str]) {
        let pairs: Vec<Pair<'_>> = hypotheses.iter().map(|hypothesis| Pair::plain("p", hypothesis)).collect();
        let expected = Listener::default().answer(&pairs).unwrap();
        assert_eq!(model.answer(&pairs).unwrap(), expected);
        assert_eq!(std::mem::take(&mut *model.model.0.lock().unwrap()), asked);
    }

    #[test]
    fn only_what_is_missing_is_asked_and_that_once() {
        let folder = tempfile::tempdir().unwrap();
        let model = CachedModel::new(Listener::default(), AnswerCache::open(folder.path(), "m").unwrap());
        check(&model, &["e1", "n1", "e1"], &["e1", "n1"]);
        check(&model, &["n2", "n1", "e1"], &["n2"]);
        check(&model, &["n1"], &[]);
        assert_eq!(model.cache().len(), 3);
    }
}
