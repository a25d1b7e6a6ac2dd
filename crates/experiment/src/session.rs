//! What a front end gives every entry point: threads, a cache, somebody who is told how far the work is, and a way to stop it.

use crate::training::TrainingEvent;
use acidtest_corpus::{IdPolicy, LoopOptions};
use acidtest_evaluate::report::{Provenance, ReportInput};
use acidtest_threads::{Threads, ThreadsError};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// The surroundings of a piece of work; nothing in the libraries is global, and none of them prints.
pub struct Session<'s> {
    /// The threads that do the work.
    pub threads: Threads,
    /// Folder in which predictions are cached; without one nothing is cached.
    pub cache: Option<PathBuf>,
    /// What predictions in the cache are used for.
    pub cache_use: CacheUse,
    /// Is told how far the work is.
    pub observer: &'s dyn Observer,
    /// Set to true to end the work early with [`Cancelled`].
    pub cancel: &'s AtomicBool,
    /// How many bytes of memory there are; a training that needs more is refused. Without a number nothing is.
    pub memory: Option<u64>,
    /// The command or call that asked for the work, for the provenance of reports.
    pub command: String,
}

/// What predictions of programs that an earlier run has cached are used for. What a command runs cannot be known: it may be another model by now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CacheUse {
    /// A run that was interrupted goes on; what a finished run was told is forgotten.
    #[default]
    Resume,
    /// Predictions are kept and used again.
    Reuse,
    /// Every prediction is requested again.
    Refresh,
}

/// The work was ended early by its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// Is told what happens while work goes on. Everything that must not be missed is in the results as well.
pub trait Observer: Sync {
    /// Something happened.
    fn notice(&self, event: Event<'_>);
}

/// What an [`Observer`] is told.
#[derive(Clone, Copy)]
pub enum Event<'e> {
    /// How far the work is.
    Progress(Progress<'e>),
    /// Something that a person should read, in one line.
    Note(&'e str),
    /// How a training goes.
    Training(&'e TrainingEvent<'e>),
}

/// How far a piece of work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'e> {
    /// What is being done, such as the name of the model that is asked.
    pub task: &'e str,
    /// What is counted, in the plural.
    pub unit: &'static str,
    /// How many are done.
    pub done: u64,
    /// How many there are, where that is known.
    pub total: Option<u64>,
}

/// An observer that does nothing.
pub struct Quiet;

impl Observer for Quiet {
    fn notice(&self, _: Event<'_>) {}
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Session<'static> {
    /// A session on all cores that tells nobody, caches nothing and is never cancelled.
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
    /// Tells the observer something that a person should read.
    pub fn note(&self, text: &str) {
        self.observer.notice(Event::Note(text));
    }

    /// Tells the observer how far the work is.
    pub fn progress(&self, progress: Progress<'_>) {
        self.observer.notice(Event::Progress(progress));
    }

    /// Where a report comes from.
    pub(crate) fn provenance(
        &self,
        inputs: Vec<ReportInput>,
        seeds: BTreeMap<String, u64>,
        options: BTreeMap<String, String>,
    ) -> Provenance {
        Provenance { tool_version: env!("CARGO_PKG_VERSION").to_string(), command: self.command.clone(), seeds, inputs, options }
    }

    /// How a loop over examples is done: on the session's threads, until it is cancelled.
    pub fn loop_options(&self, ids: IdPolicy) -> LoopOptions<'_> {
        LoopOptions { cancel: Some(self.cancel), ..LoopOptions::new(&self.threads, ids) }
    }

    /// Fails if the work is to end.
    pub fn check_cancelled(&self) -> Result<(), Cancelled> {
        if self.cancel.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
    }
}
