//! Training of lexical models.

use super::batch::{LexicalBatch, RowCounts};
use super::error::LexicalError;
use super::features::{Variant, fold_of};
use super::problem::{Collector, Origins, Problem, ScoredRows};
use super::settings::{DEFAULT_PENALTY, LexicalSettings, PENALTIES};
use super::solve::{Convergence, Fit};
use super::table::{Rounded, Steps};
use acidtest_nli::Seed;
use acidtest_threads::{Grain, Threads, map};

/// Collects examples and trains a model on them.
#[derive(Debug)]
pub struct LexicalTrainer {
    variant: Variant,
    settings: LexicalSettings,
    seed: Seed,
    collector: Collector,
    counts: RowCounts,
    dev: Vec<LexicalBatch>,
    dev_counts: RowCounts,
}

/// A penalty that was tried.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PenaltyTrial {
    /// The penalty.
    pub penalty: f64,
    /// The number of correct predictions on the dev examples.
    pub right: u64,
}

/// A trained model that has not been written yet.
#[derive(Debug)]
pub struct TrainedLexicalModel {
    /// Which model it is.
    pub variant: Variant,
    /// How it was trained.
    pub settings: LexicalSettings,
    /// The training examples.
    pub counts: RowCounts,
    /// The dev examples.
    pub dev_counts: RowCounts,
    /// The number of correct predictions of the model, as written, on the dev examples.
    pub dev_right: u64,
    /// The penalties that were tried; none if it was given.
    pub tried: Vec<PenaltyTrial>,
    /// The penalty.
    pub penalty: f64,
    /// The number of epochs.
    pub passes: usize,
    /// The regularised loss.
    pub loss: f64,
    /// An upper bound of the relative distance between this loss and the optimum.
    pub gap: f64,
    /// The norm of the gradient.
    pub gradient_norm: f64,
    /// The number of features of the training examples.
    pub features: usize,
    /// The number of features that occur in one example only.
    pub features_in_one_row: usize,
    /// The memory used by examples, features and weights, in bytes.
    pub bytes: usize,
    pub(super) origins: Origins,
    pub(super) model: Rounded,
    pub(super) folds: Vec<Rounded>,
}

/// Receives messages on the progress of the training.
pub type TrainingObserver<'t> = &'t (dyn Fn(&str) + Sync);

/// Returns whether the training has been cancelled.
pub type TrainingCancelled<'t> = &'t (dyn Fn() -> bool + Sync);

impl LexicalTrainer {
    /// A trainer of a model.
    pub fn new(variant: Variant, settings: LexicalSettings, seed: Seed) -> Result<Self, LexicalError> {
        settings.check()?;
        Ok(LexicalTrainer {
            variant,
            settings,
            seed: seed.child("lexical"),
            collector: Collector::default(),
            counts: RowCounts::default(),
            dev: Vec::new(),
            dev_counts: RowCounts::default(),
        })
    }

    /// An empty batch of training or dev examples.
    pub fn batch(&self) -> LexicalBatch {
        LexicalBatch::new(self.variant, self.settings.words)
    }

    /// Adds training examples. Their order affects the last digits of the weights.
    pub fn learn(&mut self, batch: &LexicalBatch) {
        self.counts.add(&batch.counts);
        self.collector.add(batch);
    }

    /// Adds dev examples.
    pub fn hold_out(&mut self, batch: LexicalBatch) {
        self.dev_counts.add(&batch.counts);
        self.dev.push(batch);
    }

    /// Trains. The result is the same for any number of threads; `cancelled` is checked before every epoch.
    pub fn train(
        self,
        threads: &Threads,
        observer: TrainingObserver<'_>,
        cancelled: TrainingCancelled<'_>,
    ) -> Result<TrainedLexicalModel, LexicalError> {
        let LexicalTrainer { variant, settings, seed, collector, counts, dev, dev_counts } = self;
        if counts.taken == 0 {
            return Err(LexicalError::NoRows { unlabelled: counts.unlabelled });
        }
        if dev_counts.taken == 0 && dev_counts.unlabelled > 0 {
            return Err(LexicalError::NoDevRows { unlabelled: dev_counts.unlabelled });
        }
        let (problem, origins) = collector.finish();
        let task = Task { problem: &problem, dev: &origins.encode(&dev), settings: &settings, seed, cancelled };
        let (tried, fit) = match settings.penalty {
            None if task.dev.rows() > 0 => task.tuned(threads, observer)?,
            penalty => {
                observer("training");
                (Vec::new(), task.fit(penalty.unwrap_or(DEFAULT_PENALTY), &|_| true)?)
            }
        };
        let PenaltyFit { fit, convergence, penalty, passes, .. } = fit;
        let model = rounded(&problem, &fit);
        let folds = each_on(threads, &(0..settings.folds).collect::<Vec<_>>(), |&fold| {
            observer(&format!("training without fold {} of {}", fold + 1, settings.folds));
            let fitted = task.fit(penalty, &|row: usize| fold_of(origins.premises[row], settings.folds) != fold)?;
            Ok(rounded(&problem, &fitted.fit))
        })?;
        let bytes = problem.bytes()
            + origins.bytes()
            + fit.bytes() * (1 + tried.len())
            + model.steps.len() * size_of::<Steps>() * (1 + folds.len());
        Ok(TrainedLexicalModel {
            variant,
            counts,
            dev_counts,
            dev_right: task.dev.right(|features| model.scores(features)),
            tried,
            penalty,
            passes,
            loss: convergence.loss,
            gap: convergence.gap,
            gradient_norm: convergence.gradient_norm,
            features: problem.features(),
            features_in_one_row: problem.owners.len(),
            bytes,
            settings,
            origins,
            model,
            folds,
        })
    }
}

fn rounded(problem: &Problem, fit: &Fit) -> Rounded {
    Rounded::new(fit.bias(), (0..problem.features()).map(|feature| fit.weight(problem, feature)))
}

/// What all fits of a training share.
struct Task<'t> {
    problem: &'t Problem,
    dev: &'t ScoredRows,
    settings: &'t LexicalSettings,
    seed: Seed,
    cancelled: TrainingCancelled<'t>,
}

struct PenaltyFit {
    fit: Fit,
    convergence: Convergence,
    penalty: f64,
    passes: usize,
    right: u64,
}

/// Runs a few large tasks on the threads, and returns the results in the order of the tasks.
fn each_on<T: Sync, R: Send>(
    threads: &Threads,
    pieces: &[T],
    work: impl Fn(&T) -> Result<R, LexicalError> + Sync + Send,
) -> Result<Vec<R>, LexicalError> {
    threads.run(|| map(pieces, Grain::Single, work)).into_iter().collect()
}

impl Task<'_> {
    /// Tries penalties, and returns the fit with the best dev accuracy; the larger penalty if two are equal.
    ///
    /// If the smallest or the largest of [`PENALTIES`] does best, the search continues beyond it for as long as it improves.
    fn tuned(&self, threads: &Threads, observer: TrainingObserver<'_>) -> Result<(Vec<PenaltyTrial>, PenaltyFit), LexicalError> {
        let fit = |penalty: f64| {
            observer(&format!("training with penalty {penalty}"));
            self.fit(penalty, &|_| true)
        };
        let fits = each_on(threads, &PENALTIES, |&penalty| fit(penalty))?;
        let told = |fit: &PenaltyFit| PenaltyTrial { penalty: fit.penalty, right: fit.right };
        let mut tried: Vec<PenaltyTrial> = fits.iter().map(told).collect();
        let mut best = fits.into_iter().max_by_key(|fit| fit.right).expect("there are penalties to try");
        if let Some(factor) = past_edge(best.penalty) {
            for _ in 0..MOST_PAST_EDGE {
                let next = fit(best.penalty * factor)?;
                tried.push(told(&next));
                if next.right <= best.right {
                    break;
                }
                best = next;
            }
        }
        tried.sort_by(|a, b| a.penalty.total_cmp(&b.penalty));
        Ok((tried, best))
    }

    /// Trains with a penalty on the selected examples.
    fn fit(&self, penalty: f64, wanted: &dyn Fn(usize) -> bool) -> Result<PenaltyFit, LexicalError> {
        let Task { problem, dev, settings, .. } = *self;
        let rows: Vec<u32> = (0..problem.rows()).filter(|row| wanted(*row)).map(|row| row as u32).collect();
        let mut fit = Fit::new(problem, penalty);
        let enough = (settings.target_accuracy * dev.rows() as f64).ceil() as u64;
        let mut next_look = FIRST_LOOK;
        let convergence = loop {
            if (self.cancelled)() {
                return Err(LexicalError::Cancelled);
            }
            fit.walk(problem, &rows, self.seed);
            let last = fit.passes == if settings.epochs == 0 { MOST_PASSES } else { settings.epochs };
            let reached = enough > 0 && dev.rows() > 0 && fit.right(problem, dev) >= enough;
            if !(last || reached || fit.passes >= next_look) {
                continue;
            }
            next_look = fit.passes + (fit.passes / 4).max(1);
            let convergence = fit.convergence(problem, &rows);
            if last || reached || convergence.gap <= settings.tolerance {
                break convergence;
            }
        };
        let right = fit.right(problem, dev);
        Ok(PenaltyFit { convergence, penalty, passes: fit.passes, right, fit })
    }
}

/// The factor to the next penalty if this one is at an edge of the grid.
fn past_edge(penalty: f64) -> Option<f64> {
    match penalty {
        _ if penalty <= PENALTIES[0] => Some(0.5),
        _ if penalty >= PENALTIES[PENALTIES.len() - 1] => Some(2.0),
        _ => None,
    }
}

/// The maximum number of penalties beyond an edge: down to 1/32, up to 1024.
const MOST_PAST_EDGE: usize = 5;

/// Measuring convergence costs as much as half an epoch.
const FIRST_LOOK: usize = 6;

/// No training needs as many epochs; a limit is needed because rounding errors can keep one from converging.
const MOST_PASSES: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;
    use acidtest_nli::{Label, Pair, Sentence};

    /// Trains on examples whose words indicate their label, except every `wrong`-th, and on dev examples that always do.
    fn tried(wrong: usize, threads: usize) -> (Vec<PenaltyTrial>, f64) {
        let mut trainer = LexicalTrainer::new(Variant::HypothesisOnly, LexicalSettings::default(), Seed::new(1)).unwrap();
        let (mut train, mut dev) = (trainer.batch(), trainer.batch());
        for number in 0..60 {
            let label = Label::ALL[number % 3];
            let parse = |extra: &str| Some(format!("(NP (NN {label}) (NN {extra}))").into());
            let hypothesis = |extra: &str| Sentence { text: "".into(), parse: parse(extra), binary_parse: None };
            let row = |extra: &str| Pair { hypothesis: hypothesis(extra), ..Pair::plain("", "") };
            let shown = if number % wrong == 0 { Label::ALL[(number + 1) % 3] } else { label };
            train.add(&row(&format!("word{}", number % 7)), Some(shown));
            dev.add(&row("word"), Some(label));
        }
        trainer.learn(&train);
        trainer.hold_out(dev);
        let threads = Threads::new(threads.try_into().unwrap()).unwrap();
        let trained = trainer.train(&threads, &|_| (), &|| false).unwrap();
        (trained.tried, trained.penalty)
    }

    #[test]
    fn the_search_continues_beyond_an_edge_while_it_improves() {
        // All penalties are right on all dev examples, so the largest is chosen, and one beyond it is no better.
        let (tried, penalty) = tried(60, 1);
        let penalties: Vec<f64> = tried.iter().map(|tried| tried.penalty).collect();
        assert_eq!(penalties, [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0]);
        assert_eq!(penalty, 32.0);
        assert_eq!((past_edge(1.0), past_edge(4.0), past_edge(32.0)), (Some(0.5), None, Some(2.0)));
    }

    #[test]
    fn the_tried_penalties_do_not_depend_on_threads() {
        assert_eq!(tried(5, 1), tried(5, 3));
    }
}
