//! Threads, cache and progress, which all long-running verbs share.

use crate::progress::Terminal;
use acidtest_experiment::{CacheUse, Session};
use acidtest_threads::Threads;
use anyhow::{Result, anyhow};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// The number of threads.
#[derive(Args)]
pub(crate) struct ThreadFlags {
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Never set: a signal ends the program directly.
static NOT_CANCELLED: AtomicBool = AtomicBool::new(false);

impl ThreadFlags {
    pub(crate) fn threads(&self) -> Result<Threads> {
        Ok(self.threads.map_or_else(Threads::all_cores, Threads::new)?)
    }

    pub(crate) fn session<'s>(&self, terminal: &'s Terminal) -> Result<Session<'s>> {
        let threads = self.threads()?;
        Ok(Session {
            threads,
            cache: None,
            cache_use: CacheUse::Resume,
            observer: terminal,
            cancel: &NOT_CANCELLED,
            memory: acidtest_threads::available_memory(),
            command: crate::show::command(),
        })
    }
}

/// Threads, and where predictions are cached.
#[derive(Args)]
pub(crate) struct SessionFlags {
    #[command(flatten)]
    threads: ThreadFlags,
    /// Folder for cached predictions of process models [default: the user's cache folder]
    ///
    /// Predictions are cached until the command finishes, so that an interrupted one can continue.
    #[arg(long, value_name = "FOLDER", help_heading = "Models")]
    cache: Option<PathBuf>,
    /// Cache no predictions
    #[arg(long, conflicts_with = "cache", help_heading = "Models")]
    no_cache: bool,
    /// Reuse the cached predictions of earlier runs, and keep those of this one
    ///
    /// The command must still run the same model: Acidtest cannot check this.
    #[arg(long, conflicts_with = "no_cache", help_heading = "Models")]
    reuse: bool,
    /// Discard cached predictions and request every prediction from the process models again
    #[arg(long, conflicts_with_all = ["no_cache", "reuse"], help_heading = "Models")]
    refresh: bool,
}

impl SessionFlags {
    pub(crate) fn session<'s>(&self, terminal: &'s Terminal) -> Result<Session<'s>> {
        let cache = match &self.cache {
            _ if self.no_cache => None,
            Some(folder) => Some(folder.clone()),
            None if self.reuse => Some(default_cache().ok_or_else(|| anyhow!("--reuse: there is no cache folder; pass one with --cache"))?),
            // Without a folder nothing is cached, so an interrupted run starts over.
            None => default_cache(),
        };
        let cache_use = match (self.reuse, self.refresh) {
            (true, _) => CacheUse::Reuse,
            (_, true) => CacheUse::Refresh,
            _ => CacheUse::Resume,
        };
        Ok(Session { cache, cache_use, ..self.threads.session(terminal)? })
    }
}

impl SessionFlags {
    /// A session without a cache, for commands that do not query a model.
    pub(crate) fn without_cache<'s>(&self, terminal: &'s Terminal) -> Result<Session<'s>> {
        self.threads.session(terminal)
    }
}

fn default_cache() -> Option<PathBuf> {
    let home = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = home("XDG_CACHE_HOME").or_else(|| home("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("acidtest"))
}
