//! Training: rows in, a model out.

use super::batch::{Batch, RowCounts};
use super::error::LexicalError;
use super::features::{Variant, fold_of};
use super::parallel::in_parallel;
use super::problem::{Collector, Origins, Problem, ScoredRows};
use super::settings::{DEFAULT_PENALTY, LexicalSettings, PENALTIES};
use super::solve::{Fit, Standing};
use super::table::{Rounded, Steps};
use acidtest_nli::Seed;

/// Collects rows and trains a model on them.
#[derive(Debug)]
pub struct Trainer {
    variant: Variant,
    settings: LexicalSettings,
    seed: Seed,
    collector: Collector,
    counts: RowCounts,
    dev: Vec<Batch>,
    dev_counts: RowCounts,
}

/// A penalty that was tried.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tried {
    /// The penalty.
    pub penalty: f64,
    /// How many dev rows were answered rightly.
    pub right: u64,
}

/// A model that was trained and is not written yet.
#[derive(Debug)]
pub struct Trained {
    /// Which model it is.
    pub variant: Variant,
    /// How it was trained.
    pub settings: LexicalSettings,
    /// The training rows.
    pub counts: RowCounts,
    /// The dev rows.
    pub dev_counts: RowCounts,
    /// How many dev rows the model answers rightly as it is written.
    pub dev_right: u64,
    /// The penalties that were tried; none where it was given.
    pub tried: Vec<Tried>,
    /// The penalty.
    pub penalty: f64,
    /// How often all rows were walked through.
    pub passes: usize,
    /// The regularised loss.
    pub loss: f64,
    /// The loss is above the smallest possible one by at most this share of it.
    pub gap: f64,
    /// The length of the gradient of the loss.
    pub gradient_norm: f64,
    /// How many features the training rows have.
    pub features: usize,
    /// How many of them stand in one row alone.
    pub features_in_one_row: usize,
    /// Bytes of memory that rows, features and weights took.
    pub bytes: usize,
    pub(super) origins: Origins,
    pub(super) model: Rounded,
    pub(super) folds: Vec<Rounded>,
}

/// Hears what the training is about to do.
pub type Tell<'t> = &'t (dyn Fn(&str) + Sync);

impl Trainer {
    /// A trainer of a model.
    pub fn new(variant: Variant, settings: LexicalSettings, seed: Seed) -> Result<Self, LexicalError> {
        settings.check()?;
        Ok(Trainer {
            variant,
            settings,
            seed: seed.child("lexical"),
            collector: Collector::default(),
            counts: RowCounts::default(),
            dev: Vec::new(),
            dev_counts: RowCounts::default(),
        })
    }

    /// An empty batch for rows to learn from or to choose by.
    pub fn batch(&self) -> Batch {
        Batch::new(self.variant, self.settings.words)
    }

    /// Takes rows to learn from. Their order matters in the last digits of the weights.
    pub fn learn(&mut self, batch: &Batch) {
        self.counts.add(&batch.counts);
        self.collector.add(batch);
    }

    /// Takes rows to choose settings by.
    pub fn hold_out(&mut self, batch: Batch) {
        self.dev_counts.add(&batch.counts);
        self.dev.push(batch);
    }

    /// Trains. The result is the same for any number of threads.
    pub fn train(self, threads: usize, tell: Tell<'_>) -> Result<Trained, LexicalError> {
        let Trainer { variant, settings, seed, collector, counts, dev, dev_counts } = self;
        if counts.taken == 0 {
            return Err(LexicalError::NoRows { unlabelled: counts.unlabelled });
        }
        if dev_counts.taken == 0 && dev_counts.unlabelled > 0 {
            return Err(LexicalError::NoDevRows { unlabelled: dev_counts.unlabelled });
        }
        let (problem, origins) = collector.finish();
        let task = Task { problem: &problem, dev: &origins.encode(&dev), settings: &settings, seed };
        let (tried, fit) = match settings.penalty {
            None if task.dev.rows() > 0 => task.tuned(threads, tell),
            penalty => {
                tell("training");
                (Vec::new(), task.fit(penalty.unwrap_or(DEFAULT_PENALTY), &|_| true))
            }
        };
        let Fitted { fit, standing, penalty, passes, .. } = fit;
        let model = rounded(&problem, &fit);
        let folds = in_parallel(threads, (0..settings.folds).collect(), |&fold| {
            tell(&format!("training without fold {} of {}", fold + 1, settings.folds));
            let fitted = task.fit(penalty, &|row: usize| fold_of(origins.premises[row], settings.folds) != fold);
            rounded(&problem, &fitted.fit)
        });
        let bytes = problem.bytes() + origins.bytes() + fit.bytes() * (1 + tried.len()) + model.steps.len() * size_of::<Steps>() * (1 + folds.len());
        Ok(Trained {
            variant,
            counts,
            dev_counts,
            dev_right: task.dev.right(|features| model.scores(features)),
            tried,
            penalty,
            passes,
            loss: standing.loss,
            gap: standing.gap,
            gradient_norm: standing.gradient_norm,
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

/// What all fits of one training share.
struct Task<'t> {
    problem: &'t Problem,
    dev: &'t ScoredRows,
    settings: &'t LexicalSettings,
    seed: Seed,
}

struct Fitted {
    fit: Fit,
    standing: Standing,
    penalty: f64,
    passes: usize,
    right: u64,
}

impl Task<'_> {
    /// Tries all penalties, and gives the fit that does best on the dev rows; the larger penalty where two are equal.
    fn tuned(&self, threads: usize, tell: Tell<'_>) -> (Vec<Tried>, Fitted) {
        let fits = in_parallel(threads, PENALTIES.to_vec(), |&penalty| {
            tell(&format!("training with penalty {penalty}"));
            self.fit(penalty, &|_| true)
        });
        let tried = fits.iter().map(|fit| Tried { penalty: fit.penalty, right: fit.right }).collect();
        let best = fits.into_iter().max_by_key(|fit| fit.right).expect("there are penalties to try");
        (tried, best)
    }

    /// Trains with a penalty on the rows that are wanted.
    fn fit(&self, penalty: f64, wanted: &dyn Fn(usize) -> bool) -> Fitted {
        let Task { problem, dev, settings, .. } = *self;
        let rows: Vec<u32> = (0..problem.rows()).filter(|row| wanted(*row)).map(|row| row as u32).collect();
        let mut fit = Fit::new(problem, penalty);
        let enough = (settings.stop_at * dev.rows() as f64).ceil() as u64;
        let mut next_look = FIRST_LOOK;
        let standing = loop {
            fit.walk(problem, &rows, self.seed);
            let last = fit.passes == if settings.passes == 0 { MOST_PASSES } else { settings.passes };
            let reached = enough > 0 && dev.rows() > 0 && fit.right(problem, dev) >= enough;
            if !(last || reached || fit.passes >= next_look) {
                continue;
            }
            next_look = fit.passes + (fit.passes / 4).max(1);
            let standing = fit.standing(problem, &rows);
            if last || reached || standing.gap <= settings.tolerance {
                break standing;
            }
        };
        let right = fit.right(problem, dev);
        Fitted { standing, penalty, passes: fit.passes, right, fit }
    }
}

/// A look at how near the optimum is costs as much as half a walk.
const FIRST_LOOK: usize = 6;

/// No training needs so many; without an end, one that cannot get nearer for want of digits would go on for ever.
const MOST_PASSES: usize = 500;
