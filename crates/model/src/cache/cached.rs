//! A model with a cache.

use super::AnswerCache;
use super::record::{ByKey, Key};
use crate::{Calls, Model, ModelError, PredictionTaker};
use acidtest_nli::Pair;
use std::collections::hash_map::Entry;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A model that is only called for pairs that are not in its cache.
pub struct CachedModel<M> {
    model: M,
    cache: AnswerCache,
    keep: Keep,
    /// How many predictions of earlier runs were used.
    used: AtomicUsize,
    /// The pairs that this run predicted: using their predictions again says nothing about earlier runs.
    predicted_now: Mutex<ByKey<()>>,
}

/// How long predictions are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Until the run finishes, so that an interrupted run can continue: the command may run another model next time.
    UntilFinished,
    /// For later runs: the user vouches that the model is still the same.
    ForLater,
}

impl<M: Model> CachedModel<M> {
    /// A model with its cache.
    pub fn new(model: M, cache: AnswerCache, keep: Keep) -> Self {
        CachedModel { model, cache, keep, used: AtomicUsize::new(0), predicted_now: Mutex::default() }
    }

    /// A thread that failed leaves the set valid.
    fn now(&self) -> MutexGuard<'_, ByKey<()>> {
        self.predicted_now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cache.
    pub fn cache(&self) -> &AnswerCache {
        &self.cache
    }
}

impl<M: Model> Model for CachedModel<M> {
    /// Passes on the cached predictions first. A new prediction is stored before it is passed on.
    fn predict(&self, pairs: &[Pair<'_>], take: &mut PredictionTaker<'_>) -> Result<(), ModelError> {
        let mut missing: Vec<Pair<'_>> = Vec::new();
        // The key of each missing pair, and the indices of all pairs with its texts: duplicates are predicted once.
        let mut wanted: Vec<(Key, Places)> = Vec::new();
        let mut by_key: ByKey<usize> = ByKey::default();
        for (place, pair) in pairs.iter().enumerate() {
            let key = Key::of(pair);
            if let Some(prediction) = self.cache.get_key(key) {
                if !self.now().contains_key(&key) {
                    self.used.fetch_add(1, Ordering::Relaxed);
                }
                take(place, prediction)?;
                continue;
            }
            match by_key.entry(key) {
                Entry::Occupied(at) => wanted[*at.get()].1.others.push(place),
                Entry::Vacant(vacant) => {
                    vacant.insert(missing.len());
                    missing.push(pair.clone());
                    wanted.push((key, Places { first: place, others: Vec::new() }));
                }
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        self.model.predict(&missing, &mut |at, prediction| {
            let (key, places) = &wanted[at];
            self.cache.put_key(*key, &prediction)?;
            self.now().insert(*key, ());
            places.others.iter().try_for_each(|&place| take(place, prediction.clone()))?;
            take(places.first, prediction)
        })?;
        self.cache.sync()
    }

    fn identity(&self) -> Option<String> {
        self.model.identity()
    }

    fn calls(&self) -> Calls {
        self.model.calls()
    }

    fn description(&self) -> Option<String> {
        self.model.description()
    }

    fn agreement(&self, first: &[Pair<'_>]) -> Result<Option<String>, ModelError> {
        self.model.agreement(first)
    }

    fn reads_word_classes(&self) -> bool {
        self.model.reads_word_classes()
    }

    fn cached(&self) -> Option<(usize, PathBuf)> {
        Some((self.used.load(Ordering::Relaxed), self.cache.path().to_path_buf()))
    }

    fn saw(&self, pair: &Pair<'_>) -> Option<bool> {
        self.model.saw(pair)
    }

    /// Ambiguous labels are not kept either: the next run would trust them.
    fn answers_are_clear(&self) -> Result<(), ModelError> {
        let clear = self.model.answers_are_clear();
        if clear.is_err() {
            self.cache.clear()?;
        }
        clear
    }

    fn finished(&self) -> Result<(), ModelError> {
        match self.keep {
            Keep::UntilFinished => self.cache.clear(),
            Keep::ForLater => Ok(()),
        }
    }
}

/// The indices of pairs with the same texts. Most occur once, which needs no list.
struct Places {
    first: usize,
    others: Vec<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::{Label, Prediction};

    /// Predicts by the first letter of the hypothesis, and records the pairs it was called with.
    #[derive(Default)]
    struct Listener(Mutex<Vec<String>>);

    impl Model for Listener {
        fn predict(&self, pairs: &[Pair<'_>], take: &mut PredictionTaker<'_>) -> Result<(), ModelError> {
            self.0.lock().unwrap().extend(pairs.iter().map(|pair| pair.hypothesis.text.to_string()));
            let label = |pair: &Pair<'_>| if pair.hypothesis.text.starts_with('e') { Label::Entailment } else { Label::Neutral };
            pairs.iter().enumerate().try_for_each(|(place, pair)| take(place, Prediction::of(label(pair))))
        }
    }

    #[track_caller]
    fn check(model: &CachedModel<Listener>, hypotheses: &[&str], asked: &[&str]) {
        let pairs: Vec<Pair<'_>> = hypotheses.iter().map(|hypothesis| Pair::plain("p", hypothesis)).collect();
        let expected = Listener::default().predictions(&pairs).unwrap();
        assert_eq!(model.predictions(&pairs).unwrap(), expected);
        assert_eq!(std::mem::take(&mut *model.model.0.lock().unwrap()), asked);
    }

    #[test]
    fn only_missing_predictions_are_requested_and_each_once() {
        let folder = tempfile::tempdir().unwrap();
        let model = CachedModel::new(Listener::default(), AnswerCache::open(folder.path(), "m").unwrap(), Keep::UntilFinished);
        check(&model, &["e1", "n1", "e1"], &["e1", "n1"]);
        check(&model, &["n2", "n1", "e1"], &["n2"]);
        check(&model, &["n1"], &[]);
        assert_eq!(model.cache().len(), 3);
    }

    #[test]
    fn only_predictions_of_earlier_runs_count_as_cached() {
        let folder = tempfile::tempdir().unwrap();
        let open = || CachedModel::new(Listener::default(), AnswerCache::open(folder.path(), "m").unwrap(), Keep::ForLater);
        let used = |model: &CachedModel<Listener>| model.cached().unwrap().0;
        let first = open();
        check(&first, &["e1", "n1"], &["e1", "n1"]);
        check(&first, &["e1"], &[]);
        assert_eq!(used(&first), 0);
        drop(first);
        let second = open();
        check(&second, &["e1", "n2"], &["n2"]);
        check(&second, &["n2", "n1"], &[]);
        assert_eq!(used(&second), 2);
    }
}
