//! What a front end passes to every entry point: threads, a cache, an observer of progress, and a way to cancel.

use crate::training::TrainingEvent;
use acidtest_corpus::{IdPolicy, LoopOptions};
use acidtest_evaluate::report::{Provenance, ReportInput};
use acidtest_threads::{Threads, ThreadsError};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// The environment of an entry point; libraries have no global state and never print.
pub struct Session<'s> {
    /// The threads that do the work.
    pub threads: Threads,
    /// The folder of the cache; `None` for no caching.
    pub cache: Option<PathBuf>,
    /// What cached predictions are used for.
    pub cache_use: CacheUse,
    /// Receives progress and notes.
    pub observer: &'s dyn Observer,
    /// Set to true to cancel the work, which then returns [`Cancelled`].
    pub cancel: &'s AtomicBool,
    /// The bytes of memory available; a training run that needs more is refused. `None` for no limit.
    pub memory: Option<u64>,
    /// The command or call, for the provenance of reports.
    pub command: String,
}

/// What cached predictions of process models are used for. A command may run another model than before, which cannot be detected.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CacheUse {
    /// An interrupted run is resumed; the predictions of a finished run are dropped.
    #[default]
    Resume,
    /// Predictions are kept and used again.
    Reuse,
    /// Every prediction is requested again.
    Refresh,
}

/// The caller cancelled the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// Receives events during the work. Everything important is also in the results.
pub trait Observer: Sync {
    /// Something happened.
    fn notice(&self, event: Event<'_>);
}

/// An event for an [`Observer`].
#[derive(Clone, Copy)]
pub enum Event<'e> {
    /// Progress.
    Progress(Progress<'e>),
    /// A message for the user, in one line.
    Note(&'e str),
    /// Progress of a training run.
    Training(&'e TrainingEvent<'e>),
}

/// The progress of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'e> {
    /// The task, such as the name of the model that is predicting.
    pub task: &'e str,
    /// What is counted, in the plural.
    pub unit: &'static str,
    /// How many are done.
    pub done: u64,
    /// How many there are, if known.
    pub total: Option<u64>,
}

/// An observer that does nothing.
pub struct Quiet;

impl Observer for Quiet {
    fn notice(&self, _: Event<'_>) {}
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Session<'static> {
    /// A session on all cores, without observer, cache and cancellation.
    pub fn quiet() -> Result<Self, ThreadsError> {
        Ok(Session {
            threads: Threads::all_cores()?,
            cache: None,
            cache_use: CacheUse::Resume,
            observer: &Quiet,
            cancel: &NEVER,
            memory: None,
            command: String::new(),
        })
    }
}

impl Session<'_> {
    /// Sends a message for the user.
    pub fn note(&self, text: &str) {
        self.observer.notice(Event::Note(text));
    }

    /// Reports progress.
    pub fn progress(&self, progress: Progress<'_>) {
        self.observer.notice(Event::Progress(progress));
    }

    /// The provenance of a report.
    pub(crate) fn provenance(
        &self,
        inputs: Vec<ReportInput>,
        seeds: BTreeMap<String, u64>,
        options: BTreeMap<String, String>,
    ) -> Provenance {
        Provenance { tool_version: env!("CARGO_PKG_VERSION").to_string(), command: self.command.clone(), seeds, inputs, options }
    }

    /// Options for a loop over examples: on the session's threads, until it is cancelled.
    pub fn loop_options(&self, ids: IdPolicy) -> LoopOptions<'_> {
        LoopOptions { cancel: Some(self.cancel), ..LoopOptions::new(&self.threads, ids) }
    }

    /// Fails if the work was cancelled.
    pub fn check_cancelled(&self) -> Result<(), Cancelled> {
        if self.cancel.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
    }
}
