//! The thread pool of a run.
//!
//! [`Threads`] owns a pool, and everything parallel takes one, so that `--threads 1` really is one busy thread. Libraries never use rayon's
//! global pool, and only this crate uses rayon: they call [`map`], [`for_each`], [`join`] and [`in_order`].

mod in_order;
mod memory;
mod share;

pub use in_order::{in_order, one_by_one};
pub use memory::available_memory;
pub use share::{Grain, Items, count_here, for_each, for_each_with, join, map, map_with};

use std::num::NonZeroUsize;
use std::sync::Arc;

/// A pool of threads that a run owns; clones share the pool.
#[derive(Debug, Clone)]
pub struct Threads {
    pool: Arc<rayon::ThreadPool>,
}

/// The threads could not be started.
#[derive(Debug, thiserror::Error)]
#[error("{count} threads cannot be started: {reason}")]
pub struct ThreadsError {
    /// The number requested.
    pub count: usize,
    /// The system's message.
    pub reason: String,
}

/// More threads than cores only wait for each other, and no machine we know has more cores.
const MOST_THREADS: usize = 256;

impl Threads {
    /// A pool of this many threads, at most 256.
    pub fn new(count: NonZeroUsize) -> Result<Self, ThreadsError> {
        let count = count.get().min(MOST_THREADS);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
        let pool = pool.map_err(|error| ThreadsError { count, reason: error.to_string() })?;
        Ok(Threads { pool: Arc::new(pool) })
    }

    /// A pool with one thread for each core.
    pub fn all_cores() -> Result<Self, ThreadsError> {
        Threads::new(std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }

    /// How many threads there are.
    pub fn count(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Runs the work on the pool; parallel work inside it uses these threads only.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// Runs the work once on each thread of the pool.
    pub(crate) fn each(&self, work: impl Fn() + Sync) {
        self.pool.broadcast(|_| work());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;
    use std::collections::BTreeSet;
    use std::sync::Mutex;

    #[test]
    fn parallel_work_stays_on_the_threads_of_its_pool() {
        let threads = Threads::new(NonZeroUsize::MIN).unwrap();
        let seen = Mutex::new(BTreeSet::new());
        let note = |_| _ = seen.lock().unwrap().insert(format!("{:?}", std::thread::current().id()));
        threads.run(|| (0..10_000).into_par_iter().for_each(note));
        assert_eq!((threads.count(), seen.lock().unwrap().len()), (1, 1));
    }
}
