//! Work on many items, shared among the threads of the pool it is called on.
//!
//! Called on a thread of no pool, everything here works through the items one after the other: rayon's own iterators would start its global pool.

use rayon::prelude::*;

/// How finely items are shared among the threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grain {
    /// Item by item: for few items with much work each.
    Single,
    /// At least this many items at a time.
    AtLeast(usize),
}

/// Items that can be processed in order or in parallel: vectors, slices and ranges.
pub trait Items:
    IntoIterator<Item = <Self as Items>::One> + IntoParallelIterator<Item = <Self as Items>::One, Iter: IndexedParallelIterator>
{
    /// One of them.
    type One: Send;
}

impl<I, T: Send> Items for I
where
    I: IntoIterator<Item = T> + IntoParallelIterator<Item = T, Iter: IndexedParallelIterator>,
{
    type One = T;
}

/// The number of threads that share work started here: those of the pool that this thread belongs to, or this thread alone.
pub fn count_here() -> usize {
    if in_pool() { rayon::current_num_threads() } else { 1 }
}

/// Processes each item.
pub fn for_each<I: Items>(items: I, grain: Grain, work: impl Fn(I::One) + Send + Sync) {
    for_each_with(items, grain, || (), |(), item| work(item));
}

/// Processes each item with something that is made once for many of them, such as memory to work in.
pub fn for_each_with<I: Items, S>(items: I, grain: Grain, make: impl Fn() -> S + Send + Sync, work: impl Fn(&mut S, I::One) + Send + Sync) {
    if !in_pool() {
        let mut made = make();
        return items.into_iter().for_each(|item| work(&mut made, item));
    }
    let items = items.into_par_iter();
    match grain {
        Grain::Single => items.with_max_len(1).for_each_init(make, work),
        Grain::AtLeast(least) => items.with_min_len(least).for_each_init(make, work),
    }
}

/// The results for all items, in their order.
pub fn map<I: Items, R: Send>(items: I, grain: Grain, work: impl Fn(I::One) -> R + Send + Sync) -> Vec<R> {
    map_with(items, grain, || (), |(), item| work(item))
}

/// The results for all items, in their order, with something that is made once for many of them.
pub fn map_with<I: Items, S, R: Send>(
    items: I,
    grain: Grain,
    make: impl Fn() -> S + Send + Sync,
    work: impl Fn(&mut S, I::One) -> R + Send + Sync,
) -> Vec<R> {
    if !in_pool() {
        let mut made = make();
        return items.into_iter().map(|item| work(&mut made, item)).collect();
    }
    let items = items.into_par_iter();
    match grain {
        Grain::Single => items.with_max_len(1).map_init(make, work).collect(),
        Grain::AtLeast(least) => items.with_min_len(least).map_init(make, work).collect(),
    }
}

/// Runs both, at the same time where there is a second thread.
pub fn join<A: Send, B: Send>(first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B + Send) -> (A, B) {
    if in_pool() { rayon::join(first, second) } else { (first(), second()) }
}

fn in_pool() -> bool {
    rayon::current_thread_index().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Threads;

    fn squares(grain: Grain) -> Vec<usize> {
        map(0..1000, grain, |n| n * n)
    }

    #[test]
    fn results_keep_the_order_of_the_items() {
        let expected: Vec<usize> = (0..1000).map(|n| n * n).collect();
        for grain in [Grain::Single, Grain::AtLeast(1), Grain::AtLeast(64)] {
            assert_eq!(squares(grain), expected);
            assert_eq!(Threads::new(3.try_into().unwrap()).unwrap().run(|| squares(grain)), expected);
        }
    }

    #[test]
    fn each_item_is_processed_once() {
        let mut numbers = vec![0; 500];
        let count = |numbers: &mut Vec<u32>| for_each(numbers.as_mut_slice(), Grain::AtLeast(4), |number| *number += 1);
        count(&mut numbers);
        Threads::new(3.try_into().unwrap()).unwrap().run(|| count(&mut numbers));
        assert_eq!(numbers, [2; 500]);
    }

    #[test]
    fn work_uses_the_threads_of_its_pool_and_one_outside() {
        assert_eq!(count_here(), 1);
        assert_eq!(Threads::new(3.try_into().unwrap()).unwrap().run(count_here), 3);
    }
}
