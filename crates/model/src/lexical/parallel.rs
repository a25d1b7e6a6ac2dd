//! A few large pieces of work by several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Does every piece of work, and gives the results in the order of the pieces.
pub(super) fn in_parallel<T: Sync, R: Send>(threads: usize, pieces: Vec<T>, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(pieces.len()));
    let run = || {
        while let Some((number, piece)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|number| Some((number, pieces.get(number)?)))
        {
            let result = work(piece);
            results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((number, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(pieces.len()) {
            scope.spawn(run);
        }
        run();
    });
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_pieces() {
        for threads in [1, 2, 5] {
            assert_eq!(in_parallel(threads, (0..20).collect(), |n| n * n), (0..20).map(|n| n * n).collect::<Vec<i32>>());
        }
        assert!(in_parallel(2, Vec::<i32>::new(), |n| *n).is_empty());
    }
}
