//! Work on blocks by several threads, with results in the order of the blocks.

use crate::Threads;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard};

/// Takes blocks from `next`, processes them on all threads of the pool, and passes the results to `finish` in the order of the blocks.
///
/// Work that uses rayon stays on the same pool; a nested call of this function runs on one thread. Only a few blocks are in memory at a time.
/// The first error in the order of the blocks ends the work and is returned, whatever the number of threads.
pub fn in_order<B, R, E>(
    threads: &Threads,
    next: impl FnMut() -> Result<Option<B>, E> + Send,
    work: impl Fn(B) -> Result<R, E> + Sync,
    finish: impl FnMut(R) -> Result<(), E> + Send,
) -> Result<(), E>
where
    B: Send,
    R: Send,
    E: Send,
{
    let source = Mutex::new(Source { next, taken: 0, ended: false });
    let sink = Sink { state: Mutex::new(SinkState::default()), finish: Mutex::new(finish), moved: Condvar::new() };
    let most_waiting = 4 * threads.count();
    let run = || {
        while let Some((number, block)) = next_block(&source, &sink) {
            let result = sink.guarded(|| block.and_then(&work));
            sink.take(number, result, most_waiting);
        }
    };
    if INSIDE.get() {
        run();
    } else {
        threads.each(|| {
            INSIDE.set(true);
            let _left = Left;
            run();
        });
    }
    let failed = lock(&sink.state).failed.take();
    failed.map_or(Ok(()), Err)
}

/// The same with one block at a time: for work that must not run concurrently, or that uses all threads of the pool itself.
pub fn one_by_one<B, R, E>(
    threads: &Threads,
    mut next: impl FnMut() -> Result<Option<B>, E> + Send,
    work: impl Fn(B) -> Result<R, E> + Sync,
    mut finish: impl FnMut(R) -> Result<(), E> + Send,
) -> Result<(), E>
where
    E: Send,
{
    threads.run(|| {
        while let Some(block) = next()? {
            finish(work(block)?)?;
        }
        Ok(())
    })
}

thread_local! {
    /// Whether this thread is already inside such a loop. A second loop over all threads would deadlock with the first.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Resets the flag when the thread leaves the loop, also by a panic.
struct Left;

impl Drop for Left {
    fn drop(&mut self) {
        INSIDE.set(false);
    }
}

struct Source<N> {
    next: N,
    taken: usize,
    ended: bool,
}

/// The next block with its number, or the error in its place; `None` after the last block or once the work has ended.
fn next_block<N, F, B, R, E>(source: &Mutex<Source<N>>, sink: &Sink<F, R, E>) -> Option<(usize, Result<B, E>)>
where
    N: FnMut() -> Result<Option<B>, E>,
{
    let mut source = lock(source);
    if source.ended || lock(&sink.state).has_ended() {
        return None;
    }
    let block = (source.next)().transpose();
    source.ended = !matches!(block, Some(Ok(_)));
    let number = source.taken;
    source.taken += 1;
    block.map(|block| (number, block))
}

/// Where results go. One thread at a time finishes the results that are due; the others leave theirs and continue.
struct Sink<F, R, E> {
    state: Mutex<SinkState<R, E>>,
    finish: Mutex<F>,
    /// Signals that there is room again, or that the work has ended.
    moved: Condvar,
}

struct SinkState<R, E> {
    /// The number of the block whose result is due next.
    due: usize,
    waiting: BTreeMap<usize, Result<R, E>>,
    /// A thread is finishing results.
    finishing: bool,
    /// The number of threads waiting for room.
    asleep: usize,
    failed: Option<E>,
    /// A thread panicked, so the result of its block will never arrive.
    abandoned: bool,
}

impl<R, E> Default for SinkState<R, E> {
    fn default() -> Self {
        SinkState { due: 0, waiting: BTreeMap::new(), finishing: false, asleep: 0, failed: None, abandoned: false }
    }
}

impl<R, E> SinkState<R, E> {
    /// Whether no more blocks are wanted.
    fn has_ended(&self) -> bool {
        self.failed.is_some() || self.abandoned
    }
}

impl<F, R, E> Sink<F, R, E> {
    /// Runs work that may panic; if it does, the other threads are released.
    fn guarded<T>(&self, work: impl FnOnce() -> T) -> T {
        struct Guard<'a, F, R, E>(&'a Sink<F, R, E>);
        impl<F, R, E> Drop for Guard<'_, F, R, E> {
            fn drop(&mut self) {
                lock(&self.0.state).abandoned = true;
                self.0.moved.notify_all();
            }
        }
        let guard = Guard(self);
        let done = work();
        std::mem::forget(guard);
        done
    }
}

impl<F: FnMut(R) -> Result<(), E>, R, E> Sink<F, R, E> {
    /// Takes the result of a block, waiting while too many results are queued, and finishes those that are due.
    fn take(&self, number: usize, result: Result<R, E>, most_waiting: usize) {
        let mut state = lock(&self.state);
        while state.waiting.len() >= most_waiting && state.due != number && !state.has_ended() {
            state.asleep += 1;
            state = self.moved.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner);
            state.asleep -= 1;
        }
        state.waiting.insert(number, result);
        if state.finishing {
            return;
        }
        while !state.has_ended() {
            let due = state.due;
            let Some(result) = state.waiting.remove(&due) else { break };
            state.due += 1;
            state.finishing = true;
            drop(state);
            let failed = result.and_then(|result| self.guarded(|| (lock(&self.finish))(result))).err();
            state = lock(&self.state);
            state.finishing = false;
            state.failed = failed;
            if state.asleep > 0 {
                self.moved.notify_all();
            }
        }
    }
}

/// A thread that panicked ends the whole scope, so a poisoned lock is only seen while unwinding.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(count: usize) -> Threads {
        Threads::new(count.try_into().unwrap()).unwrap()
    }

    fn squares(threads: usize, bad: &[u32]) -> (Vec<u32>, Result<(), u32>) {
        let mut numbers = 0..200u32;
        let mut squares = Vec::new();
        let work = |n: u32| if bad.contains(&n) { Err(n) } else { Ok(n * n) };
        let result = in_order(
            &pool(threads),
            || Ok(numbers.next()),
            work,
            |square| {
                squares.push(square);
                Ok(())
            },
        );
        (squares, result)
    }

    #[test]
    fn results_come_in_the_order_of_the_blocks() {
        let expected: Vec<u32> = (0..200).map(|n| n * n).collect();
        for threads in [1, 2, 5] {
            assert_eq!(squares(threads, &[]), (expected.clone(), Ok(())));
        }
    }

    #[test]
    fn loops_over_blocks_can_be_nested() {
        let threads = pool(2);
        let mut numbers = 0..20u32;
        let mut sums = Vec::new();
        let sum_below = |n: u32| {
            let (mut below, mut sum) = (0..n, 0);
            let add = |m| {
                sum += m;
                Ok::<(), ()>(())
            };
            in_order(&threads, || Ok(below.next()), Ok, add)?;
            Ok::<u32, ()>(sum)
        };
        let keep = |sum| {
            sums.push(sum);
            Ok(())
        };
        in_order(&threads, || Ok(numbers.next()), sum_below, keep).unwrap();
        assert_eq!(sums, (0..20u32).map(|n| (0..n).sum()).collect::<Vec<u32>>());
    }

    #[test]
    fn work_on_one_block_at_a_time_can_use_all_threads() {
        use rayon::prelude::*;
        use std::sync::atomic::{AtomicUsize, Ordering};
        let (threads, at_work) = (pool(3), AtomicUsize::new(0));
        let mut numbers = 0..50usize;
        let mut sums = Vec::new();
        let work = |n: usize| {
            assert_eq!(at_work.fetch_add(1, Ordering::SeqCst), 0, "another block is in work");
            std::thread::yield_now();
            let sum: usize = (0..n).into_par_iter().inspect(|_| assert_eq!(rayon::current_num_threads(), 3)).sum();
            at_work.fetch_sub(1, Ordering::SeqCst);
            Ok::<usize, ()>(sum)
        };
        let keep = |sum| {
            sums.push(sum);
            Ok(())
        };
        one_by_one(&threads, || Ok(numbers.next()), work, keep).unwrap();
        assert_eq!(sums, (0..50usize).map(|n| (0..n).sum()).collect::<Vec<usize>>());
    }

    #[test]
    fn a_panic_ends_the_work_of_all_threads() {
        let mut numbers = 0..10_000u32;
        let work = |n: u32| if n == 5 { panic!("five") } else { Ok::<u32, ()>(n) };
        let run = std::panic::AssertUnwindSafe(|| in_order(&pool(3), || Ok(numbers.next()), work, |_| Ok(())));
        assert!(std::panic::catch_unwind(run).is_err());
    }

    #[test]
    fn a_panic_while_finishing_a_result_ends_the_work_of_all_threads() {
        let mut numbers = 0..10_000u32;
        let finish = |n: u32| if n == 5 { panic!("five") } else { Ok::<(), ()>(()) };
        let run = std::panic::AssertUnwindSafe(|| in_order(&pool(3), || Ok(numbers.next()), Ok, finish));
        assert!(std::panic::catch_unwind(run).is_err());
        assert!(numbers.start < 10_000);
    }

    #[test]
    fn threads_continue_while_one_of_them_finishes_a_result() {
        let (started, worked) = (Mutex::new(0u32), Condvar::new());
        let mut numbers = 0..3u32;
        let work = |n: u32| {
            *lock(&started) += 1;
            worked.notify_all();
            Ok::<u32, ()>(n)
        };
        // The first result is finished only when the other two blocks have been worked on.
        let finish = |n: u32| {
            let mut count = lock(&started);
            while n == 0 && *count < 3 {
                count = worked.wait(count).unwrap();
            }
            Ok(())
        };
        in_order(&pool(2), || Ok(numbers.next()), work, finish).unwrap();
    }

    #[test]
    fn the_first_error_in_block_order_is_returned() {
        for threads in [1, 2, 5] {
            let (done, result) = squares(threads, &[150, 70]);
            assert_eq!((done.len(), result), (70, Err(70)));
        }
    }
}
